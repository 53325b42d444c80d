(* The rate of a whole table: rows that change one after another, and rows that do not. docs/math.md, section 12, "The rate
   of a whole table". *)
From Coq Require Import Reals ZArith List Lra Lia.
Require Import Fugu.Private Fugu.Sums Fugu.Windows Fugu.Users.
Import ListNotations.
Open Scope R_scope.

Lemma bounded_in_steps : forall (X Y : Type) (a b : R) (K : kernel X Y) (p q s : law X),
  bounded a K p q -> bounded b K q s -> bounded (a + b) K p s.
Proof.
  intros X Y a b K p q s Hpq Hqs y. rewrite exp_plus, Rmult_assoc. apply Rle_trans with (1 := Hpq y).
  apply Rmult_le_compat_l; [left; apply exp_pos | apply Hqs].
Qed.

Lemma sum_of_two_outputs : forall (noise : Z -> R) (p others : law Z) (y : Z),
  output_mass (adding noise) (sum_of_two p others) y
  = sum_over (fun b => snd b * output_mass (adding noise) p (y - fst b)%Z) others.
Proof.
  intros noise p others y. unfold output_mass, sum_of_two.
  transitivity (sum_over (fun a => sum_over (fun b => snd b * (snd a * noise (y - fst b - fst a)%Z)) others) p).
  - induction p as [| a rest IH]; simpl; [reflexivity |]. rewrite sum_over_app, sum_over_map, IH. f_equal.
    apply sum_over_ext. intros b _. unfold adding. simpl.
    replace (y - (fst a + fst b))%Z with (y - fst b - fst a)%Z by lia. ring.
  - rewrite sum_over_swap. apply sum_over_ext. intros b _. rewrite sum_over_scal. reflexivity.
Qed.

(* Whatever independent number is added to both, the bound stays. *)
Theorem others_keep_the_bound : forall (epsilon : R) (noise : Z -> R) (p q others : law Z), non_negative_law others ->
  bounded epsilon (adding noise) p q -> bounded epsilon (adding noise) (sum_of_two p others) (sum_of_two q others).
Proof.
  intros epsilon noise p q others Hothers H y. rewrite !sum_of_two_outputs, <- sum_over_scal.
  unfold non_negative_law in Hothers. rewrite Forall_forall in Hothers. apply sum_over_le. intros b Hb.
  rewrite <- Rmult_assoc, (Rmult_comm (exp epsilon)), Rmult_assoc. apply Rmult_le_compat_l; [apply Hothers, Hb | apply H].
Qed.

(* Two numbers may be added in either order. *)
Lemma sum_of_two_turned : forall (noise : Z -> R) (p q : law Z) (y : Z),
  output_mass (adding noise) (sum_of_two p q) y = output_mass (adding noise) (sum_of_two q p) y.
Proof.
  intros noise p q y. rewrite sum_of_two_outputs. unfold output_mass at 2, sum_of_two.
  induction q as [| b rest IH]; simpl; [reflexivity |]. rewrite sum_over_app, sum_over_map, IH. f_equal.
  unfold output_mass. rewrite <- sum_over_scal. apply sum_over_ext. intros a _. unfold adding. simpl.
  replace (y - (fst b + fst a))%Z with (y - fst b - fst a)%Z by lia. ring.
Qed.

Lemma others_keep_the_bound_turned : forall (epsilon : R) (noise : Z -> R) (p q others : law Z), non_negative_law others ->
  bounded epsilon (adding noise) p q -> bounded epsilon (adding noise) (sum_of_two others p) (sum_of_two others q).
Proof.
  intros epsilon noise p q others Hothers H y. rewrite (sum_of_two_turned noise others p), (sum_of_two_turned noise others q).
  apply others_keep_the_bound; assumption.
Qed.

(* Section 12: with one row's loss l, a change of the secrets of some rows loses at most their number times l, whatever the
   rows that do not change say and however many they are. A pair holds a row's law before and after. *)
Theorem changed_rows_lose_one_by_one : forall (l : R) (noise : Z -> R) (changed : list (law Z * law Z)) (rest : list (law Z)),
  Forall (fun row => non_negative_law (fst row) /\ non_negative_law (snd row)
                     /\ bounded l (adding noise) (fst row) (snd row)) changed ->
  Forall non_negative_law rest ->
  bounded (INR (length changed) * l) (adding noise)
    (sum_of_all (map fst changed ++ rest)) (sum_of_all (map snd changed ++ rest)).
Proof.
  intros l noise changed rest Hchanged Hrest. induction Hchanged as [| row changed [Hbefore [Hafter Hrow]] Hchanged IH].
  - simpl. rewrite Rmult_0_l. intros y. rewrite exp_0. lra.
  - cbn [length]. rewrite S_INR. replace ((INR (length changed) + 1) * l) with (l + INR (length changed) * l) by ring.
    apply bounded_in_steps with (sum_of_two (snd row) (sum_of_all (map fst changed ++ rest))).
    + apply (others_keep_the_bound l noise (fst row) (snd row)); [| exact Hrow].
      apply sum_of_all_nonneg, Forall_app. split; [| exact Hrest]. rewrite Forall_map.
      eapply Forall_impl; [| exact Hchanged]. intros other H. apply H.
    + apply (others_keep_the_bound_turned _ noise); [exact Hafter | exact IH].
Qed.
