(* Several columns: what an exchange of joint values costs, and with it the range and Theorem 1. docs/math.md, section 11. *)
From Coq Require Import Reals ZArith List Lra Lia.
Require Import Fugu.Private Fugu.Sums Fugu.Windows Fugu.Laplace Fugu.Coupling Fugu.Product.
Import ListNotations.
Open Scope R_scope.

(* The product over the columns of r_c^-|x_c - x'_c|. *)
Fixpoint joint_cost (ratios : list R) (x x' : list Z) : R :=
  match ratios, x, x' with
  | r :: ratios, a :: x, a' :: x' => (/ r) ^ steps a a' * joint_cost ratios x x'
  | _, _, _ => 1
  end.

Lemma joint_laplace_nonneg : forall ratios, Forall (fun r => 0 < r < 1) ratios -> non_negative_kernel (joint_laplace ratios).
Proof.
  intros ratios Hratios. induction Hratios as [| r ratios Hr _ IH]; intros [| a x] [| b y]; unfold joint_laplace in *;
    simpl; try lra.
  apply Rmult_le_pos; [left; apply laplace_noise_positive, Hr | apply IH].
Qed.

Theorem joint_laplace_cost : forall ratios, Forall (fun r => 0 < r < 1) ratios ->
  forall x x' y, length x' = length x -> joint_laplace ratios x y <= joint_cost ratios x x' * joint_laplace ratios x' y.
Proof.
  intros ratios Hratios. induction Hratios as [| r ratios Hr Hratios IH]; intros x x' y Hlength.
  - destruct x, x', y; try discriminate; unfold joint_laplace; simpl; lra.
  - destruct x as [| a x], x' as [| a' x'], y as [| b y]; try discriminate; unfold joint_laplace in *; simpl; try lra.
    simpl in Hlength. injection Hlength as Hlength.
    replace ((/ r) ^ steps a a' * joint_cost ratios x x'
             * (laplace_noise r (b - a') * adding_each (map laplace_noise ratios) x' y))
      with ((/ r) ^ steps a a' * laplace_noise r (b - a')
            * (joint_cost ratios x x' * adding_each (map laplace_noise ratios) x' y)) by ring.
    apply Rmult_le_compat.
    + left. apply laplace_noise_positive, Hr.
    + apply (joint_laplace_nonneg ratios Hratios).
    + apply (laplace_cost r Hr a a' b).
    + apply IH, Hlength.
Qed.

(* Theorem 1 on several columns: the coupling's cells cost at most e^epsilon, by any flow. *)
Theorem theorem_1_columns : forall (epsilon : R) (ratios : list R) (pi : law (list Z * list Z)) (p q : law (list Z)),
  Forall (fun r => 0 < r < 1) ratios -> coupling pi p q ->
  (forall cell, In cell pi -> length (snd (fst cell)) = length (fst (fst cell))) ->
  (forall cell, In cell pi -> 0 < snd cell ->
     joint_cost ratios (fst (fst cell)) (snd (fst cell)) <= exp epsilon) ->
  bounded epsilon (joint_laplace ratios) p q.
Proof.
  intros epsilon ratios pi p q Hratios [Hnonneg [Hp Hq]] Hlengths Hcells y.
  rewrite !output_mass_is_expectation, <- Hp, <- Hq, first_side_mean, second_side_mean, <- sum_over_scal.
  apply sum_over_le. intros cell Hin. unfold non_negative_law in Hnonneg. rewrite Forall_forall in Hnonneg.
  destruct (Hnonneg cell Hin) as [Hpos | Hzero]; [| rewrite <- Hzero; lra].
  rewrite <- Rmult_assoc, (Rmult_comm (exp epsilon)), Rmult_assoc. apply Rmult_le_compat_l; [lra |].
  eapply Rle_trans; [apply (joint_laplace_cost ratios Hratios _ (snd (fst cell)) y), Hlengths, Hin |].
  apply Rmult_le_compat_r; [apply joint_laplace_nonneg, Hratios | apply Hcells; assumption].
Qed.
