(* Laplace noise on the lattice: z steps with probability (1 - r) / (1 + r) r^|z|. It adds up to 1 over all integers,
   has geometric tails from the start, and moving a value by k steps costs a factor r^-|k|. docs/math.md, sections 3,
   5 and 13. *)
From Coq Require Import Reals ZArith List Lra Lia.
Require Import Fugu.Private Fugu.Sums Fugu.Events Fugu.Windows.
Import ListNotations.
Open Scope R_scope.

Definition steps (x y : Z) : nat := Z.abs_nat (y - x).

Definition laplace_noise (r : R) (z : Z) : R := (1 - r) / (1 + r) * r ^ Z.abs_nat z.

Definition laplace (r : R) : kernel Z Z := adding (laplace_noise r).

Lemma laplace_value : forall r x y, laplace r x y = (1 - r) / (1 + r) * r ^ steps x y.
Proof. reflexivity. Qed.

Lemma laplace_share_positive : forall r, 0 <= r < 1 -> 0 < (1 - r) / (1 + r).
Proof. intros r Hr. apply Rdiv_lt_0_compat; lra. Qed.

Lemma laplace_noise_positive : forall r z, 0 < r < 1 -> 0 < laplace_noise r z.
Proof.
  intros r z Hr. apply Rmult_lt_0_compat; [apply laplace_share_positive; lra | apply pow_lt; lra].
Qed.

Lemma laplace_nonneg : forall r, 0 < r < 1 -> non_negative_kernel (laplace r).
Proof. intros r Hr x y. left. apply laplace_noise_positive, Hr. Qed.

Lemma laplace_tails : forall r, 0 <= r < 1 -> geometric_tails 0 r (laplace_noise r).
Proof.
  intros r Hr. unfold laplace_noise. repeat split; try lra; try lia; intros z Hz.
  - replace (Z.abs_nat (z + 1)) with (S (Z.abs_nat z)) by lia. simpl. ring.
  - replace (Z.abs_nat (z - 1)) with (S (Z.abs_nat z)) by lia. simpl. ring.
Qed.

(* Section 3: by the triangle inequality, the cost of exchanging x for x'. *)
Theorem laplace_cost : forall r, 0 < r < 1 ->
  forall x x' y, laplace r x y <= (/ r) ^ steps x x' * laplace r x' y.
Proof.
  intros r Hr x x' y. rewrite !laplace_value.
  assert (Hshare := laplace_share_positive r ltac:(lra)).
  rewrite <- Rmult_assoc, (Rmult_comm _ ((1 - r) / (1 + r))), Rmult_assoc.
  apply Rmult_le_compat_l; [lra |]. rewrite pow_inv by lra.
  apply Rmult_le_reg_l with (r ^ steps x x'); [apply pow_lt; lra |].
  rewrite <- Rmult_assoc, Rinv_r, Rmult_1_l by (apply pow_nonzero; lra). rewrite <- pow_add.
  assert (Htriangle : (steps x' y <= steps x x' + steps x y)%nat) by (unfold steps; lia).
  replace (steps x x' + steps x y)%nat with (steps x' y + (steps x x' + steps x y - steps x' y))%nat by lia.
  rewrite pow_add. rewrite <- (Rmult_1_r (r ^ steps x' y)) at 2.
  apply Rmult_le_compat_l; [left; apply pow_lt; lra | apply pow_below_one; lra].
Qed.

(* The cost is attained, at the value itself. *)
Theorem laplace_cost_attained : forall r, 0 < r < 1 ->
  forall x x', laplace r x x = (/ r) ^ steps x x' * laplace r x' x.
Proof.
  intros r Hr x x'. rewrite !laplace_value. replace (steps x x) with 0%nat by (unfold steps; lia).
  replace (steps x' x) with (steps x x') by (unfold steps; lia). rewrite pow_inv by lra. simpl.
  assert (Hpow : r ^ steps x x' <> 0) by (apply pow_nonzero; lra). field. split; [lra | exact Hpow].
Qed.

(* The integers from -n to n. *)
Fixpoint around_zero (n : nat) : list Z :=
  match n with
  | O => [0%Z]
  | S m => Z.of_nat n :: (- Z.of_nat n)%Z :: around_zero m
  end.

Lemma in_around_zero : forall n z, In z (around_zero n) <-> (Z.abs z <= Z.of_nat n)%Z.
Proof.
  induction n as [| n IH]; intros z.
  - simpl. lia.
  - cbn [around_zero In]. rewrite IH. lia.
Qed.

Lemma around_zero_nodup : forall n, NoDup (around_zero n).
Proof.
  induction n as [| n IH]; [repeat constructor; intros [] |]. cbn [around_zero].
  constructor; [| constructor; [| exact IH]].
  - cbn [In]. rewrite in_around_zero. lia.
  - rewrite in_around_zero. lia.
Qed.

(* The symmetric partial sums, in closed form. *)
Lemma laplace_partial_sum : forall r, 0 <= r < 1 ->
  forall n, sum_over (laplace_noise r) (around_zero n) = 1 - 2 * r ^ (S n) / (1 + r).
Proof.
  intros r Hr n. induction n as [| n IH].
  - unfold laplace_noise. simpl. field. lra.
  - cbn [around_zero sum_over]. rewrite IH. unfold laplace_noise.
    replace (Z.abs_nat (Z.of_nat (S n))) with (S n) by lia. replace (Z.abs_nat (- Z.of_nat (S n))) with (S n) by lia.
    simpl. field. lra.
Qed.

Theorem laplace_partial_sums_tend_to_one : forall r, 0 <= r < 1 ->
  Un_cv (fun n => sum_over (laplace_noise r) (around_zero n)) 1.
Proof.
  intros r Hr eta Heta. destruct (pow_lt_1_zero r ltac:(rewrite Rabs_pos_eq; lra) (eta / 2) ltac:(lra)) as [N HN].
  exists N. intros n Hn. rewrite laplace_partial_sum by exact Hr. unfold R_dist.
  replace (1 - 2 * r ^ S n / (1 + r) - 1) with (- (2 * r ^ S n / (1 + r))) by lra.
  assert (Hpow := pow_below_one r (S n) Hr). specialize (HN (S n) ltac:(lia)). rewrite Rabs_pos_eq in HN by lra.
  assert (Hinv : 0 < / (1 + r) <= 1).
  { split; [apply Rinv_0_lt_compat; lra |]. rewrite <- Rinv_1. apply Rinv_le_contravar; lra. }
  rewrite Rabs_Ropp, Rabs_pos_eq.
  - unfold Rdiv. apply Rle_lt_trans with (2 * r ^ S n * 1); [apply Rmult_le_compat_l; lra | lra].
  - unfold Rdiv. apply Rmult_le_pos; lra.
Qed.

Lemma in_some_around_zero : forall part : list Z, exists n, incl part (around_zero n).
Proof.
  induction part as [| z rest [n IH]]; [exists O; intros z [] |].
  exists (Nat.max n (Z.abs_nat z)). intros y [<- | Hin]; apply in_around_zero; [lia |].
  apply IH, in_around_zero in Hin. lia.
Qed.

(* Section 13: the mass over all integers is 1, in whatever order they are taken. *)
Theorem laplace_noise_adds_up_to_one : forall r, 0 <= r < 1 -> adds_up_to (laplace_noise r) everything 1.
Proof.
  intros r Hr. assert (Hnonneg : forall z, 0 <= laplace_noise r z).
  { intros z. apply Rmult_le_pos; [left; apply laplace_share_positive, Hr | apply pow_below_one, Hr]. }
  split.
  - intros s [part [Hnodup [_ ->]]]. destruct (in_some_around_zero part) as [n Hincl].
    apply Rle_trans with (sum_over (laplace_noise r) (around_zero n)); [apply sum_over_incl; assumption |].
    rewrite laplace_partial_sum by exact Hr. assert (Hpow := pow_below_one r (S n) Hr).
    assert (0 <= 2 * r ^ S n / (1 + r)) by (apply Rmult_le_pos; [lra | left; apply Rinv_0_lt_compat; lra]). lra.
  - intros bound Hbound. apply Rnot_lt_le. intros Hlt.
    destruct (laplace_partial_sums_tend_to_one r Hr (1 - bound) ltac:(lra)) as [N HN]. specialize (HN N (le_n N)).
    assert (Hle : sum_over (laplace_noise r) (around_zero N) <= bound).
    { apply Hbound. exists (around_zero N). repeat split. apply around_zero_nodup. }
    unfold R_dist in HN. rewrite Rabs_minus_sym in HN. apply Rabs_def2 in HN. lra.
Qed.

(* The same around any value: each row of the kernel is a law. *)
Theorem laplace_adds_up_to_one : forall r, 0 <= r < 1 -> forall x, adds_up_to (laplace r x) everything 1.
Proof.
  intros r Hr x. destruct (laplace_noise_adds_up_to_one r Hr) as [Hupper Hleast].
  assert (Hmove : forall part c, sum_over (laplace_noise r) (map (fun y => y - c)%Z part)
                                 = sum_over (laplace r c) part) by (intros; rewrite sum_over_map; reflexivity).
  split.
  - intros s [part [Hnodup [_ ->]]]. rewrite <- Hmove. apply Hupper. eexists. split; [| split; [| reflexivity]].
    + apply FinFun.Injective_map_NoDup; [intros a b Hab; lia | exact Hnodup].
    + intros; exact I.
  - intros bound Hbound. apply Hleast. intros s [part [Hnodup [_ ->]]]. apply Hbound.
    exists (map (fun z => z + x)%Z part). split; [| split].
    + apply FinFun.Injective_map_NoDup; [intros a b Hab; lia | exact Hnodup].
    + intros; exact I.
    + rewrite <- Hmove, map_map. f_equal. rewrite <- (map_id part) at 1. apply map_ext. intros; lia.
Qed.

(* Section 5 for Laplace noise: the atoms suffice. *)
Theorem laplace_atoms_suffice : forall r, 0 <= r < 1 ->
  forall (c : R) (p q : law Z),
    (forall x, In x (map fst (p ++ q)) -> output_mass (laplace r) p x <= c * output_mass (laplace r) q x) ->
    forall y, output_mass (laplace r) p y <= c * output_mass (laplace r) q y.
Proof. intros r Hr. apply (atoms_suffice r (laplace_noise r)), laplace_tails, Hr. Qed.
