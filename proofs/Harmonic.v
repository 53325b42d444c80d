(* Theorem 2, one sum at a time, and its harmonic form. docs/math.md, section 4.

   Here a coupling is a matrix over a list of values, with the row sums p and the column sums q. *)
From Coq Require Import Reals ZArith List Lra Lia.
Require Import Fugu.Private Fugu.Sums Fugu.Windows Fugu.Laplace Fugu.Coupling.
Import ListNotations.
Open Scope R_scope.

Definition coupling_matrix {X : Type} (points : list X) (pi : X -> X -> R) (p q : X -> R) : Prop :=
  (forall x x', 0 <= pi x x')
  /\ (forall x, In x points -> sum_over (fun x' => pi x x') points = p x)
  /\ (forall x', In x' points -> sum_over (fun x => pi x x') points = q x').

Lemma coupling_matrix_turned : forall (X : Type) (points : list X) (pi : X -> X -> R) (p q : X -> R),
  coupling_matrix points pi p q -> coupling_matrix points (fun x x' => pi x' x) q p.
Proof. intros X points pi p q [Hpos [Hrows Hcolumns]]. repeat split; auto. Qed.

Lemma row_sums_mean : forall (X : Type) (points : list X) (pi : X -> X -> R) (p q : X -> R) (g : X -> R),
  coupling_matrix points pi p q ->
  sum_over (fun x => p x * g x) points = sum_over (fun x => sum_over (fun x' => pi x x' * g x) points) points.
Proof.
  intros X points pi p q g [_ [Hrows _]]. apply sum_over_ext. intros x Hx. rewrite <- (Hrows x Hx).
  symmetry. apply (sum_over_scal_r X (g x) (fun x' => pi x x')).
Qed.

Lemma theorem_2_one_way : forall (X Y : Type) (bound : R) (K : kernel X Y) (C : X -> X -> R) (points : list X)
    (pi : X -> X -> R) (p q : X -> R),
  non_negative_kernel K -> cost_bound C K -> coupling_matrix points pi p q ->
  (forall x', In x' points -> sum_over (fun x => pi x x' * C x x') points <= bound * q x') ->
  forall y, output_mass K (weighing points p) y <= bound * output_mass K (weighing points q) y.
Proof.
  intros X Y bound K C points pi p q HK HC Hpi Hcolumns y. rewrite !output_mass_weighing.
  rewrite (row_sums_mean X points pi p q (fun x => K x y) Hpi), sum_over_swap, <- sum_over_scal.
  apply sum_over_le. intros x' Hx'. rewrite <- Rmult_assoc.
  apply Rle_trans with (sum_over (fun x => pi x x' * C x x') points * K x' y).
  - rewrite <- sum_over_scal_r. apply sum_over_le. intros x _. rewrite Rmult_assoc.
    apply Rmult_le_compat_l; [apply Hpi | apply HC].
  - apply Rmult_le_compat_r; [apply HK | apply Hcolumns, Hx'].
Qed.

(* Theorem 2 of the paper: the cost is averaged over what arrives at a value, and over what leaves it. *)
Theorem theorem_2 : forall (X Y : Type) (epsilon : R) (K : kernel X Y) (C : X -> X -> R) (points : list X)
    (pi : X -> X -> R) (p q : X -> R),
  non_negative_kernel K -> cost_bound C K -> coupling_matrix points pi p q ->
  (forall x', In x' points -> sum_over (fun x => pi x x' * C x x') points <= exp epsilon * q x') ->
  (forall x, In x points -> sum_over (fun x' => pi x x' * C x' x) points <= exp epsilon * p x) ->
  indistinguishable epsilon K (weighing points p) (weighing points q).
Proof.
  intros X Y epsilon K C points pi p q HK HC Hpi Hcolumns Hrows. split; intros y.
  - apply (theorem_2_one_way X Y _ K C points pi); assumption.
  - apply (theorem_2_one_way X Y _ K C points (fun x x' => pi x' x)); try assumption.
    apply coupling_matrix_turned, Hpi.
Qed.

(* What one exchange keeps (section 10): 1/C where the cost is finite, and 0 where it is not. *)
Definition keeps {X Y : Type} (kept : X -> X -> R) (K : kernel X Y) : Prop :=
  forall x x' y, kept x x' * K x y <= K x' y.

Lemma harmonic_one_way : forall (X Y : Type) (share : R) (K : kernel X Y) (kept : X -> X -> R) (points : list X)
    (pi : X -> X -> R) (p q : X -> R),
  non_negative_kernel K -> keeps kept K -> coupling_matrix points pi p q ->
  (forall x, In x points -> share * p x <= sum_over (fun x' => pi x x' * kept x x') points) ->
  forall y, share * output_mass K (weighing points p) y <= output_mass K (weighing points q) y.
Proof.
  intros X Y share K kept points pi p q HK Hkept Hpi Hrows y. rewrite !output_mass_weighing.
  rewrite (row_sums_mean X points _ q p (fun x => K x y) (coupling_matrix_turned X points pi p q Hpi)).
  rewrite sum_over_swap, <- sum_over_scal. apply sum_over_le. intros x Hx. rewrite <- Rmult_assoc.
  apply Rle_trans with (sum_over (fun x' => pi x x' * kept x x') points * K x y).
  - apply Rmult_le_compat_r; [apply HK | apply Hrows, Hx].
  - rewrite <- sum_over_scal_r. apply sum_over_le. intros x' _. rewrite Rmult_assoc.
    apply Rmult_le_compat_l; [apply Hpi | apply Hkept].
Qed.

(* The harmonic form. *)
Theorem harmonic : forall (X Y : Type) (epsilon : R) (K : kernel X Y) (kept : X -> X -> R) (points : list X)
    (pi : X -> X -> R) (p q : X -> R),
  non_negative_kernel K -> keeps kept K -> coupling_matrix points pi p q ->
  (forall x, In x points -> exp (- epsilon) * p x <= sum_over (fun x' => pi x x' * kept x x') points) ->
  (forall x', In x' points -> exp (- epsilon) * q x' <= sum_over (fun x => pi x x' * kept x' x) points) ->
  indistinguishable epsilon K (weighing points p) (weighing points q).
Proof.
  intros X Y epsilon K kept points pi p q HK Hkept Hpi Hrows Hcolumns.
  assert (Hturn : forall u v, exp (- epsilon) * u <= v -> u <= exp epsilon * v).
  { intros u v H. apply Rmult_le_compat_l with (r := exp epsilon) in H; [| left; apply exp_pos].
    rewrite <- Rmult_assoc, <- exp_plus, Rplus_opp_r, exp_0, Rmult_1_l in H. exact H. }
  split; intros y; apply Hturn.
  - apply (harmonic_one_way X Y _ K kept points pi); assumption.
  - apply (harmonic_one_way X Y _ K kept points (fun x x' => pi x' x)); try assumption.
    apply coupling_matrix_turned, Hpi.
Qed.

Lemma keeps_inverse_cost : forall (X Y : Type) (K : kernel X Y) (C : X -> X -> R),
  (forall x x', 0 < C x x') -> cost_bound C K -> keeps (fun x x' => / C x x') K.
Proof.
  intros X Y K C Hpos HC x x' y. apply Rmult_le_reg_l with (C x x'); [apply Hpos |].
  rewrite <- Rmult_assoc, Rinv_r, Rmult_1_l by (apply Rgt_not_eq, Hpos). apply HC.
Qed.

(* Section 4: one row of Theorem 2 gives the same row of the harmonic form. *)
Lemma harmonic_row_from_theorem_2 : forall (X : Type) (bound mass : R) (points : list X) (m C : X -> R),
  0 < bound -> (forall x, 0 <= m x) -> (forall x, 0 < C x) -> sum_over m points = mass ->
  sum_over (fun x => m x * C x) points <= bound * mass ->
  / bound * mass <= sum_over (fun x => m x * / C x) points.
Proof.
  intros X bound mass points m C Hbound Hm HC Hmass Hrow.
  assert (Htwo : 2 * mass <= / bound * sum_over (fun x => m x * C x) points
                             + bound * sum_over (fun x => m x * / C x) points).
  { rewrite <- Hmass, <- !sum_over_scal, <- sum_over_plus. apply sum_over_le. intros x _.
    specialize (HC x). replace (/ bound * (m x * C x) + bound * (m x * / C x)) with (m x * (C x / bound + bound / C x))
      by (field; split; apply Rgt_not_eq; assumption).
    rewrite Rmult_comm. apply Rmult_le_compat_l; [apply Hm |].
    enough (0 <= (C x - bound) * (C x - bound) / (C x * bound)).
    { replace (C x / bound + bound / C x) with (2 + (C x - bound) * (C x - bound) / (C x * bound))
        by (field; split; apply Rgt_not_eq; assumption). lra. }
    apply Rmult_le_pos; [apply Rle_0_sqr | left; apply Rinv_0_lt_compat, Rmult_lt_0_compat; assumption]. }
  assert (Hfirst : / bound * sum_over (fun x => m x * C x) points <= mass).
  { apply Rmult_le_reg_l with bound; [exact Hbound |]. rewrite <- Rmult_assoc, Rinv_r, Rmult_1_l by lra. exact Hrow. }
  apply Rmult_le_reg_l with bound; [exact Hbound |]. rewrite <- Rmult_assoc, Rinv_r, Rmult_1_l by lra. lra.
Qed.

(* So the harmonic form never asks for more noise: where Theorem 2's sums are small enough, the harmonic ones are.
   Said of the columns; rows are the columns of the coupling turned round. *)
Theorem harmonic_never_asks_for_more : forall (X : Type) (epsilon : R) (C : X -> X -> R) (points : list X)
    (pi : X -> X -> R) (p q : X -> R),
  (forall x x', 0 < C x x') -> coupling_matrix points pi p q ->
  (forall x', In x' points -> sum_over (fun x => pi x x' * C x x') points <= exp epsilon * q x') ->
  (forall x', In x' points -> exp (- epsilon) * q x' <= sum_over (fun x => pi x x' * / C x x') points).
Proof.
  intros X epsilon C points pi p q HC [Hpos [_ Hcolumns]] H x' Hx'. rewrite exp_Ropp.
  apply (harmonic_row_from_theorem_2 X (exp epsilon) (q x') points (fun x => pi x x') (fun x => C x x')); auto.
  apply exp_pos.
Qed.

Lemma laplace_keeps : forall r, 0 < r < 1 -> keeps (fun x x' => r ^ steps x x') (laplace r).
Proof.
  intros r Hr x x' y. assert (Hcost := laplace_cost r Hr x x' y).
  rewrite pow_inv in Hcost by lra.
  apply Rmult_le_compat_l with (r := r ^ steps x x') in Hcost; [| left; apply pow_lt; lra].
  rewrite <- Rmult_assoc, Rinv_r, Rmult_1_l in Hcost by (apply pow_nonzero; lra). exact Hcost.
Qed.

(* Theorem 2 and the harmonic form for Laplace noise on the lattice. *)
Corollary theorem_2_laplace : forall (epsilon r : R) (points : list Z) (pi : Z -> Z -> R) (p q : Z -> R),
  0 < r < 1 -> coupling_matrix points pi p q ->
  (forall x', In x' points -> sum_over (fun x => pi x x' * (/ r) ^ steps x x') points <= exp epsilon * q x') ->
  (forall x, In x points -> sum_over (fun x' => pi x x' * (/ r) ^ steps x' x) points <= exp epsilon * p x) ->
  indistinguishable epsilon (laplace r) (weighing points p) (weighing points q).
Proof.
  intros epsilon r points pi p q Hr Hpi Hcolumns Hrows.
  apply (theorem_2 Z Z epsilon (laplace r) (fun x x' => (/ r) ^ steps x x') points pi); try assumption.
  - apply laplace_nonneg, Hr.
  - intros x x' y. apply laplace_cost, Hr.
Qed.

Corollary harmonic_laplace : forall (epsilon r : R) (points : list Z) (pi : Z -> Z -> R) (p q : Z -> R),
  0 < r < 1 -> coupling_matrix points pi p q ->
  (forall x, In x points -> exp (- epsilon) * p x <= sum_over (fun x' => pi x x' * r ^ steps x x') points) ->
  (forall x', In x' points -> exp (- epsilon) * q x' <= sum_over (fun x => pi x x' * r ^ steps x' x) points) ->
  indistinguishable epsilon (laplace r) (weighing points p) (weighing points q).
Proof.
  intros epsilon r points pi p q Hr Hpi Hrows Hcolumns.
  apply (harmonic Z Z epsilon (laplace r) (fun x x' => r ^ steps x x') points pi); try assumption.
  - apply laplace_nonneg, Hr.
  - apply laplace_keeps, Hr.
Qed.
