(* Which bound is never above which: Theorem 1, Theorem 2, the harmonic form, the transfer bound. docs/math.md, sections 4
   and 17. *)
From Coq Require Import Reals List Lra.
Require Import Fugu.Private Fugu.Sums Fugu.Coupling Fugu.Harmonic Fugu.Transfer.
Import ListNotations.
Open Scope R_scope.

(* Where Theorem 1 holds of a coupling, so does Theorem 2. (Said of what arrives; what leaves is the coupling turned.) *)
Theorem theorem_1_gives_theorem_2 : forall (X : Type) (bound : R) (C : X -> X -> R) (points : list X) (pi : X -> X -> R)
    (p q : X -> R),
  coupling_matrix points pi p q ->
  (forall x x', In x points -> In x' points -> 0 < pi x x' -> C x x' <= bound) ->
  forall x', In x' points -> sum_over (fun x => pi x x' * C x x') points <= bound * q x'.
Proof.
  intros X bound C points pi p q [Hpi [_ Hcolumns]] HC x' Hx'. rewrite <- (Hcolumns x' Hx'), <- sum_over_scal.
  apply sum_over_le. intros x Hx. destruct (Hpi x x') as [Hpos | <-]; [| lra]. rewrite Rmult_comm.
  apply Rmult_le_compat_r; [lra | apply HC; assumption].
Qed.

(* Theorem 2 is the transfer bound with k the coupling. *)
Theorem theorem_2_is_a_transfer : forall (X : Type) (bound : R) (C : X -> X -> R) (points : list X) (pi : X -> X -> R)
    (p q : X -> R),
  coupling_matrix points pi p q ->
  (forall x', In x' points -> sum_over (fun x => pi x x' * C x x') points <= bound * q x') ->
  transfers points C pi bound p q.
Proof. intros X bound C points pi p q [Hpi [Hrows _]] H. repeat split; assumption. Qed.

(* The harmonic form is the transfer bound with the coupling reweighted row by row: k(x,x') in proportion to pi(x,x') times
   what the exchange keeps. *)
Theorem harmonic_is_a_transfer : forall (X : Type) (epsilon : R) (kept : X -> X -> R) (points : list X) (pi : X -> X -> R)
    (p q : X -> R),
  (forall x x', 0 < kept x x') -> (forall x, 0 <= p x) -> coupling_matrix points pi p q ->
  (forall x, In x points -> exp (- epsilon) * p x <= sum_over (fun x' => pi x x' * kept x x') points) ->
  transfers points (fun x x' => / kept x x')
    (fun x x' => p x / sum_over (fun z => pi x z * kept x z) points * (pi x x' * kept x x')) (exp epsilon) p q.
Proof.
  intros X epsilon kept points pi p q Hkept Hp [Hpi [Hsums Hcolumns]] Hrows.
  set (row := fun x => sum_over (fun z => pi x z * kept x z) points) in *.
  assert (Hcell : forall x x', 0 <= pi x x' * kept x x') by (intros; apply Rmult_le_pos; [apply Hpi | left; apply Hkept]).
  assert (Hrow : forall x, 0 <= row x) by (intros x; apply sum_over_nonneg; intros; apply Hcell).
  assert (Hinv : forall x, 0 <= / row x).
  { intros x. destruct (Hrow x) as [Hpos | <-]; [left; apply Rinv_0_lt_compat, Hpos | rewrite Rinv_0; lra]. }
  assert (Hempty : forall x, In x points -> row x = 0 -> p x = 0).
  { intros x Hx Hzero. specialize (Hrows x Hx). fold (row x) in Hrows. rewrite Hzero in Hrows.
    assert (Hexp := exp_pos (- epsilon)). destruct (Hp x) as [Hpos | Heq]; [| symmetry; exact Heq].
    assert (0 < exp (- epsilon) * p x) by (apply Rmult_lt_0_compat; assumption). lra. }
  split; [| split].
  - intros x x'. apply Rmult_le_pos; [apply Rmult_le_pos; [apply Hp | apply Hinv] | apply Hcell].
  - intros x Hx. rewrite sum_over_scal. fold (row x).
    destruct (Req_dec (row x) 0) as [Hzero | Hne]; [rewrite (Hempty x Hx Hzero); unfold Rdiv; ring | field; exact Hne].
  - intros x' Hx'. rewrite <- (Hcolumns x' Hx'), <- sum_over_scal. apply sum_over_le. intros x Hx.
    fold (row x). assert (Hne : kept x x' <> 0) by (apply Rgt_not_eq, Hkept).
    replace (p x / row x * (pi x x' * kept x x') * / kept x x') with (p x / row x * pi x x')
      by (rewrite !Rmult_assoc, Rinv_r by exact Hne; ring).
    apply Rmult_le_compat_r; [apply Hpi |].
    destruct (Hrow x) as [Hpos | Hzero].
    + apply Rmult_le_reg_r with (row x); [exact Hpos |]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra.
      specialize (Hrows x Hx). fold (row x) in Hrows.
      apply Rmult_le_compat_l with (r := exp epsilon) in Hrows; [| left; apply exp_pos].
      rewrite <- Rmult_assoc, <- exp_plus, Rplus_opp_r, exp_0 in Hrows. lra.
    + rewrite (Hempty x Hx (eq_sym Hzero)). unfold Rdiv. rewrite Rmult_0_l. left. apply exp_pos.
Qed.
