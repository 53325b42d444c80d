(* With delta: the hockey-stick of noise with geometric tails, over all integers, from finitely many outputs. docs/math.md,
   section 5, "With delta". *)
From Coq Require Import Reals ZArith List Lra Lia.
Require Import Fugu.Private Fugu.Sums Fugu.Events Fugu.Windows.
Import ListNotations.
Open Scope R_scope.

(* What p has at an output above c times what q has there. *)
Definition excess_over (c : R) (noise : Z -> R) (p q : law Z) (y : Z) : R :=
  positive_part (output_mass (adding noise) p y - c * output_mass (adding noise) q y).

Lemma positive_part_scaled : forall a x, 0 <= a -> positive_part (a * x) = a * positive_part x.
Proof. intros a x Ha. unfold positive_part. rewrite <- (Rmult_0_r a) at 1. apply RmaxRmult, Ha. Qed.

Lemma geometric_sum : forall t n, t < 1 -> sum_over (fun j => t ^ j) (seq 1 n) = (t - t ^ S n) / (1 - t).
Proof.
  intros t n Ht. induction n as [| n IH]; [simpl; field; lra |].
  rewrite seq_S, sum_over_app, IH. simpl. field. lra.
Qed.

Lemma geometric_sum_below : forall t n, 0 <= t < 1 -> sum_over (fun j => t ^ j) (seq 1 n) <= t / (1 - t).
Proof.
  intros t n Ht. rewrite geometric_sum by lra. assert (H := pow_below_one t (S n) Ht).
  unfold Rdiv. apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; lra | lra].
Qed.

Section HockeyStick.
  Variables (reach : Z) (t : R) (noise : Z -> R).
  Hypothesis tails : geometric_tails reach t noise.
  Variables (c : R) (p q : law Z) (low high : Z).
  Hypothesis atoms_between : forall x, In x (map fst (p ++ q)) -> (low <= x <= high)%Z.

  Let above := (high + reach)%Z.
  Let below := (low - reach)%Z.

  Lemma output_above : forall (d : law Z) (k : nat), (forall a, In a d -> (fst a <= high)%Z) ->
    output_mass (adding noise) d (above + Z.of_nat k)%Z = t ^ k * output_mass (adding noise) d above.
  Proof.
    intros d k Hd. unfold output_mass. rewrite <- sum_over_scal. apply sum_over_ext. intros a Ha. unfold adding.
    specialize (Hd a Ha). replace (above + Z.of_nat k - fst a)%Z with (above - fst a + Z.of_nat k)%Z by lia.
    rewrite (tail_right reach t noise tails) by (unfold above; lia). ring.
  Qed.

  Lemma output_below : forall (d : law Z) (k : nat), (forall a, In a d -> (low <= fst a)%Z) ->
    output_mass (adding noise) d (below - Z.of_nat k)%Z = t ^ k * output_mass (adding noise) d below.
  Proof.
    intros d k Hd. unfold output_mass. rewrite <- sum_over_scal. apply sum_over_ext. intros a Ha. unfold adding.
    specialize (Hd a Ha). replace (below - Z.of_nat k - fst a)%Z with (below - fst a - Z.of_nat k)%Z by lia.
    rewrite (tail_left reach t noise tails) by (unfold below; lia). ring.
  Qed.

  Lemma atom_of_p : forall a, In a p -> (low <= fst a <= high)%Z.
  Proof. intros a Ha. apply atoms_between, in_map, in_or_app. left. exact Ha. Qed.

  Lemma atom_of_q : forall a, In a q -> (low <= fst a <= high)%Z.
  Proof. intros a Ha. apply atoms_between, in_map, in_or_app. right. exact Ha. Qed.

  Lemma excess_above : forall k : nat,
    excess_over c noise p q (above + Z.of_nat k)%Z = t ^ k * excess_over c noise p q above.
  Proof.
    intros k. unfold excess_over. rewrite (output_above p) by (intros a Ha; apply (atom_of_p a Ha)).
    rewrite (output_above q) by (intros a Ha; apply (atom_of_q a Ha)).
    rewrite <- positive_part_scaled by (apply pow_below_one, tails). f_equal. ring.
  Qed.

  Lemma excess_below : forall k : nat,
    excess_over c noise p q (below - Z.of_nat k)%Z = t ^ k * excess_over c noise p q below.
  Proof.
    intros k. unfold excess_over. rewrite (output_below p) by (intros a Ha; apply (atom_of_p a Ha)).
    rewrite (output_below q) by (intros a Ha; apply (atom_of_q a Ha)).
    rewrite <- positive_part_scaled by (apply pow_below_one, tails). f_equal. ring.
  Qed.

  (* The integers of the window, and as many more on either side as one likes. *)
  Definition window : list Z := map (fun k => (below + Z.of_nat k)%Z) (seq 0 (Z.to_nat (above - below + 1))).
  Definition right_of_it (n : nat) : list Z := map (fun k => (above + Z.of_nat k)%Z) (seq 1 n).
  Definition left_of_it (n : nat) : list Z := map (fun k => (below - Z.of_nat k)%Z) (seq 1 n).

  Lemma in_window : forall y, In y window <-> (below <= y <= above)%Z.
  Proof.
    intros y. assert (Hr : (0 <= reach)%Z) by apply tails. unfold window. rewrite in_map_iff. split.
    - intros [k [<- Hk]]. apply in_seq in Hk. unfold above, below in *. lia.
    - intros Hy. exists (Z.to_nat (y - below)). split; [lia |]. apply in_seq. unfold above, below in *. lia.
  Qed.

  Lemma part_within : forall part : list Z, exists n, incl part (window ++ right_of_it n ++ left_of_it n).
  Proof.
    induction part as [| y rest [n IH]]; [exists 0%nat; intros y [] |].
    exists (Nat.max n (Z.to_nat (Z.max (y - above) (below - y)))). intros z [<- | Hz].
    - apply in_or_app. destruct (Z_le_gt_dec below y) as [Hlow | Hlow].
      + destruct (Z_le_gt_dec y above) as [Hhigh | Hhigh]; [left; apply in_window; lia |].
        right. apply in_or_app. left. apply in_map_iff. exists (Z.to_nat (y - above)). split; [lia |]. apply in_seq. lia.
      + right. apply in_or_app. right. apply in_map_iff. exists (Z.to_nat (below - y)). split; [lia |]. apply in_seq. lia.
    - apply IH in Hz. apply in_app_or in Hz as [Hz | Hz]; [apply in_or_app; left; exact Hz |].
      apply in_or_app. right. apply in_app_or in Hz as [Hz | Hz]; apply in_or_app; [left | right];
        apply in_map_iff in Hz as [k [<- Hk]]; apply in_map_iff; exists k; split; try reflexivity;
        apply in_seq in Hk; apply in_seq; lia.
  Qed.

  (* Section 5: near the atoms term by term, beyond them a geometric series on either side. *)
  Theorem hockey_stick_by_window : forall part : list Z, NoDup part ->
    sum_over (excess_over c noise p q) part
    <= sum_over (excess_over c noise p q) window
       + t / (1 - t) * (excess_over c noise p q above + excess_over c noise p q below).
  Proof.
    intros part Hnodup. destruct (part_within part) as [n Hincl]. assert (Ht : 0 <= t < 1) by apply tails.
    assert (Hpos : forall y, 0 <= excess_over c noise p q y) by (intros; apply Rmax_l).
    apply Rle_trans with (1 := sum_over_incl Z _ part _ Hpos Hnodup Hincl).
    rewrite !sum_over_app. apply Rplus_le_compat_l. rewrite Rmult_plus_distr_l.
    unfold right_of_it, left_of_it. rewrite !sum_over_map.
    rewrite (sum_over_ext nat _ (fun k => t ^ k * excess_over c noise p q above)) by (intros; apply excess_above).
    rewrite (sum_over_ext nat (fun k => excess_over c noise p q (below - Z.of_nat k)%Z)
               (fun k => t ^ k * excess_over c noise p q below)) by (intros; apply excess_below).
    rewrite !sum_over_scal_r. assert (Hsum := geometric_sum_below t n Ht).
    apply Rplus_le_compat; apply Rmult_le_compat_r; auto.
  Qed.
End HockeyStick.

(* Section 5: finitely many outputs prove (epsilon, delta); c may be any lower bound of e^epsilon. *)
Theorem window_proves_delta : forall reach t noise, geometric_tails reach t noise ->
  (forall z, 0 <= noise z) ->
  forall (epsilon delta c : R) (p q : law Z) (low high : Z), c <= exp epsilon -> non_negative_law q ->
  (forall x, In x (map fst (p ++ q)) -> (low <= x <= high)%Z) ->
  sum_over (excess_over c noise p q) (window reach low high)
  + t / (1 - t) * (excess_over c noise p q (high + reach)%Z + excess_over c noise p q (low - reach)%Z) <= delta ->
  bounded_but_for epsilon delta (adding noise) p q.
Proof.
  intros reach t noise H Hnoise epsilon delta c p q low high Hc Hq Hatoms Hdelta.
  apply hockey_stick_is_enough. intros part Hnodup.
  apply Rle_trans with (sum_over (excess_over c noise p q) part).
  - apply sum_over_le. intros y _. unfold excess, excess_over, positive_part. apply Rle_max_compat_l.
    assert (Hmass : 0 <= output_mass (adding noise) q y)
      by (apply output_mass_nonneg; [intros x z; apply Hnoise | exact Hq]).
    assert (c * output_mass (adding noise) q y <= exp epsilon * output_mass (adding noise) q y)
      by (apply Rmult_le_compat_r; assumption). lra.
  - apply Rle_trans with (2 := Hdelta). apply (hockey_stick_by_window reach t noise H c p q low high Hatoms part Hnodup).
Qed.
