(* Couplings, and Theorem 1: the farthest that a coupling moves mass. docs/math.md, sections 1 to 3.

   A coupling is a law of pairs whose two sides have the laws p and q. Two lists are the same law when every function
   has the same mean under both, so a list may hold a value several times, in any order. *)
From Coq Require Import Reals ZArith List Lra Lia.
Require Import Fugu.Private Fugu.Sums Fugu.Exponential Fugu.Laplace Fugu.Windows.
Import ListNotations.
Open Scope R_scope.

Definition same_law {X : Type} (p q : law X) : Prop := forall f : X -> R, expectation p f = expectation q f.

Definition first_side {X Y : Type} (pi : law (X * Y)) : law X := map (fun cell => (fst (fst cell), snd cell)) pi.
Definition second_side {X Y : Type} (pi : law (X * Y)) : law Y := map (fun cell => (snd (fst cell), snd cell)) pi.

Definition coupling {X : Type} (pi : law (X * X)) (p q : law X) : Prop :=
  non_negative_law pi /\ same_law (first_side pi) p /\ same_law (second_side pi) q.

Lemma first_side_mean : forall (X Y : Type) (pi : law (X * Y)) (f : X -> R),
  expectation (first_side pi) f = sum_over (fun cell => snd cell * f (fst (fst cell))) pi.
Proof. intros. unfold expectation, first_side. rewrite sum_over_map. reflexivity. Qed.

Lemma second_side_mean : forall (X Y : Type) (pi : law (X * Y)) (f : Y -> R),
  expectation (second_side pi) f = sum_over (fun cell => snd cell * f (snd (fst cell))) pi.
Proof. intros. unfold expectation, second_side. rewrite sum_over_map. reflexivity. Qed.

Definition turned {X : Type} (pi : law (X * X)) : law (X * X) :=
  map (fun cell => ((snd (fst cell), fst (fst cell)), snd cell)) pi.

Lemma coupling_turned : forall (X : Type) (pi : law (X * X)) (p q : law X), coupling pi p q -> coupling (turned pi) q p.
Proof.
  intros X pi p q [Hnonneg [Hp Hq]]. split; [| split].
  - unfold non_negative_law, turned in *. rewrite Forall_forall in *. intros cell Hin.
    apply in_map_iff in Hin as [c [<- Hc]]. apply (Hnonneg c Hc).
  - intros f. rewrite <- Hq, first_side_mean, second_side_mean. unfold turned. rewrite sum_over_map. reflexivity.
  - intros f. rewrite <- Hp, first_side_mean, second_side_mean. unfold turned. rewrite sum_over_map. reflexivity.
Qed.

(* What it costs to exchange one value for another: N(y - x) <= C(x - x') N(y - x') of section 3. *)
Definition cost_bound {X Y : Type} (C : X -> X -> R) (K : kernel X Y) : Prop :=
  forall x x' y, K x y <= C x x' * K x' y.

Lemma cost_along_coupling : forall (X Y : Type) (K : kernel X Y) (C : X -> X -> R) (pi : law (X * X)) (p q : law X)
    (bound : R),
  non_negative_kernel K -> cost_bound C K -> coupling pi p q ->
  (forall cell, In cell pi -> 0 < snd cell -> C (fst (fst cell)) (snd (fst cell)) <= bound) ->
  forall y, output_mass K p y <= bound * output_mass K q y.
Proof.
  intros X Y K C pi p q bound HK HC [Hnonneg [Hp Hq]] Hcells y.
  rewrite !output_mass_is_expectation, <- Hp, <- Hq, first_side_mean, second_side_mean, <- sum_over_scal.
  apply sum_over_le. intros [[x x'] m] Hin. simpl.
  unfold non_negative_law in Hnonneg. rewrite Forall_forall in Hnonneg. specialize (Hnonneg _ Hin). simpl in Hnonneg.
  destruct Hnonneg as [Hpos | <-]; [| lra]. specialize (Hcells _ Hin Hpos). simpl in Hcells.
  apply Rle_trans with (m * (bound * K x' y)); [| lra]. apply Rmult_le_compat_l; [lra |].
  apply Rle_trans with (C x x' * K x' y); [apply HC |]. apply Rmult_le_compat_r; [apply HK | exact Hcells].
Qed.

(* Theorem 1 of the paper, for any noise or kernel with a cost bound and any coupling. *)
Theorem theorem_1 : forall (X Y : Type) (epsilon : R) (K : kernel X Y) (C : X -> X -> R) (pi : law (X * X))
    (p q : law X),
  non_negative_kernel K -> cost_bound C K -> coupling pi p q ->
  (forall cell, In cell pi -> 0 < snd cell ->
     C (fst (fst cell)) (snd (fst cell)) <= exp epsilon /\ C (snd (fst cell)) (fst (fst cell)) <= exp epsilon) ->
  indistinguishable epsilon K p q.
Proof.
  intros X Y epsilon K C pi p q HK HC Hpi Hcells. split; intros y.
  - apply (cost_along_coupling X Y K C pi); try assumption. intros. apply Hcells; assumption.
  - apply (cost_along_coupling X Y K C (turned pi)); try assumption; [apply coupling_turned, Hpi |].
    intros cell Hin Hpos. apply in_map_iff in Hin as [c [<- Hc]]. simpl in *. apply Hcells; assumption.
Qed.

(* No positive mass of the coupling goes farther than this. *)
Definition moves_at_most (far : nat) (pi : law (Z * Z)) : Prop :=
  forall cell, In cell pi -> 0 < snd cell -> (steps (fst (fst cell)) (snd (fst cell)) <= far)%nat.

Lemma inverse_power_le : forall r a b, 0 < r < 1 -> (a <= b)%nat -> (/ r) ^ a <= (/ r) ^ b.
Proof.
  intros r a b Hr Hab. apply Rle_pow; [| exact Hab]. rewrite <- Rinv_1. apply Rinv_le_contravar; lra.
Qed.

Lemma inverse_powers_within : forall epsilon r far pi, 0 < r < 1 -> exp (- epsilon) <= r ^ far -> moves_at_most far pi ->
  forall cell, In cell pi -> 0 < snd cell ->
    (/ r) ^ steps (fst (fst cell)) (snd (fst cell)) <= exp epsilon
    /\ (/ r) ^ steps (snd (fst cell)) (fst (fst cell)) <= exp epsilon.
Proof.
  intros epsilon r far pi Hr Hratio Hfar cell Hin Hpos. specialize (Hfar cell Hin Hpos).
  assert (Hfull : (/ r) ^ far <= exp epsilon).
  { rewrite pow_inv by lra. rewrite <- (Ropp_involutive epsilon), exp_Ropp.
    apply Rinv_le_contravar; [apply exp_pos | exact Hratio]. }
  replace (steps (snd (fst cell)) (fst (fst cell))) with (steps (fst (fst cell)) (snd (fst cell)))
    by (unfold steps; lia).
  split; apply Rle_trans with ((/ r) ^ far); try assumption; apply inverse_power_le; assumption.
Qed.

(* Theorem 1 for Laplace noise: the paper's Lemma 1. What is drawn may have any ratio that is large enough. *)
Theorem theorem_1_laplace : forall (epsilon r : R) (far : nat) (pi : law (Z * Z)) (p q : law Z),
  0 < r < 1 -> exp (- epsilon) <= r ^ far -> coupling pi p q -> moves_at_most far pi ->
  indistinguishable epsilon (laplace r) p q.
Proof.
  intros epsilon r far pi p q Hr Hratio Hpi Hfar.
  apply (theorem_1 Z Z epsilon (laplace r) (fun x x' => (/ r) ^ steps x x') pi); try assumption.
  - apply laplace_nonneg, Hr.
  - intros x x' y. apply laplace_cost, Hr.
  - apply (inverse_powers_within epsilon r far pi); assumption.
Qed.

(* The same by the scale theta, in steps of the lattice: W_inf / epsilon suffices, and a ratio that is rounded up too. *)
Corollary theorem_1_scale : forall (epsilon theta r : R) (far : nat) (pi : law (Z * Z)) (p q : law Z),
  0 < epsilon -> 0 < theta -> INR far / epsilon <= theta -> exp (- / theta) <= r < 1 ->
  coupling pi p q -> moves_at_most far pi -> indistinguishable epsilon (laplace r) p q.
Proof.
  intros epsilon theta r far pi p q Heps Htheta Hscale Hr Hpi Hfar.
  assert (Hrpos : 0 < r) by (apply Rlt_le_trans with (exp (- / theta)); [apply exp_pos | apply Hr]).
  apply (theorem_1_laplace epsilon r far pi p q); try assumption; [split; [exact Hrpos | apply Hr] |].
  apply Rle_trans with (exp (- / theta) ^ far).
  - rewrite <- exp_times_nat. assert (Hexp : - epsilon <= INR far * - / theta).
    { apply Rmult_le_compat_r with (r := epsilon) in Hscale; [| lra]. unfold Rdiv in Hscale.
      rewrite Rmult_assoc, Rinv_l, Rmult_1_r in Hscale by lra.
      apply Rmult_le_compat_r with (r := / theta) in Hscale; [| left; apply Rinv_0_lt_compat, Htheta].
      replace (theta * epsilon * / theta) with epsilon in Hscale by (field; lra). lra. }
    apply exp_grows, Hexp.
  - apply pow_incr. split; [left; apply exp_pos | apply Hr].
Qed.

(* Theorem 1 as the promise has it: a coupling for every prior and every pair. *)
Corollary theorem_1_pufferfish : forall (S : Type) (epsilon r : R) (far : nat) (priors : list (S -> law Z))
    (pairs : list (S * S)),
  0 < r < 1 -> exp (- epsilon) <= r ^ far ->
  (forall prior, In prior priors -> forall pair, In pair pairs ->
     exists pi, coupling pi (prior (fst pair)) (prior (snd pair)) /\ moves_at_most far pi) ->
  pufferfish epsilon (laplace r) priors pairs.
Proof.
  intros S epsilon r far priors pairs Hr Hratio H prior Hprior pair Hpair.
  destruct (H prior Hprior pair Hpair) as [pi [Hpi Hfar]]. apply (theorem_1_laplace epsilon r far pi); assumption.
Qed.
