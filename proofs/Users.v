(* Independent users: a sum over everybody plus noise, and Lemma 2 for one user's letter or absence. docs/math.md, section
   12, "Independent users". *)
From Coq Require Import Reals ZArith List Lra Lia.
Require Import Fugu.Private Fugu.Sums Fugu.Windows Fugu.Laplace Fugu.Coupling.
Import ListNotations.
Open Scope R_scope.

(* The law of the sum of two independent numbers, and of everybody's. *)
Definition sum_of_two (p q : law Z) : law Z :=
  flat_map (fun a => map (fun b => ((fst a + fst b)%Z, snd a * snd b)) q) p.

Definition sum_of_all (users : list (law Z)) : law Z := fold_right sum_of_two [(0%Z, 1)] users.

Lemma sum_of_all_nonneg : forall users, Forall non_negative_law users -> non_negative_law (sum_of_all users).
Proof.
  intros users H. induction H as [| p rest Hp _ IH]; simpl; [repeat constructor; simpl; lra |].
  unfold non_negative_law in *. rewrite Forall_forall in *. intros cell Hin.
  apply in_flat_map in Hin as [a [Ha Hin]]. apply in_map_iff in Hin as [b [<- Hb]]. simpl.
  apply Rmult_le_pos; [apply Hp, Ha | apply IH, Hb].
Qed.

(* What one user's value v makes of the law of everybody else's sum: a shift. *)
Definition shifted (v : Z) (others : law Z) : law Z := map (fun atom => ((fst atom + v)%Z, snd atom)) others.

(* C d bounds N(z) / N(z + d). *)
Definition step_cost (C : Z -> R) (noise : Z -> R) : Prop := forall z d, noise z <= C d * noise (z + d)%Z.

Definition told (noise : Z -> R) (others : law Z) (v y : Z) : R := output_mass (adding noise) (shifted v others) y.

Lemma told_value : forall noise others v y,
  told noise others v y = sum_over (fun atom => snd atom * noise (y - (fst atom + v))%Z) others.
Proof. intros. unfold told, output_mass, shifted. rewrite sum_over_map. reflexivity. Qed.

(* Lemma 2 of the paper, values: whatever the others say, a letter worth v in place of one worth v'. *)
Theorem lemma_2 : forall (C noise : Z -> R) (others : law Z) (v v' y : Z),
  step_cost C noise -> non_negative_law others -> told noise others v y <= C (v - v')%Z * told noise others v' y.
Proof.
  intros C noise others v v' y HC Hothers. rewrite !told_value, <- sum_over_scal. apply sum_over_le. intros atom Hin.
  unfold non_negative_law in Hothers. rewrite Forall_forall in Hothers.
  replace (C (v - v')%Z * (snd atom * noise (y - (fst atom + v'))%Z))
    with (snd atom * (C (v - v')%Z * noise (y - (fst atom + v'))%Z)) by ring.
  apply Rmult_le_compat_l; [apply Hothers, Hin |].
  replace (y - (fst atom + v'))%Z with (y - (fst atom + v) + (v - v'))%Z by lia. apply HC.
Qed.

(* Absence: a letter drawn by the user's own law, given as values and masses. *)
Definition told_absent (noise : Z -> R) (others letters : law Z) (y : Z) : R :=
  sum_over (fun letter => snd letter * told noise others (fst letter) y) letters.

Theorem lemma_2_absence_above : forall (C noise : Z -> R) (others letters : law Z) (v y : Z),
  step_cost C noise -> non_negative_law others -> non_negative_law letters ->
  told_absent noise others letters y
  <= told noise others v y * sum_over (fun letter => snd letter * C (fst letter - v)%Z) letters.
Proof.
  intros C noise others letters v y HC Hothers Hletters. unfold told_absent. rewrite <- sum_over_scal.
  apply sum_over_le. intros letter Hin. unfold non_negative_law in Hletters. rewrite Forall_forall in Hletters.
  rewrite (Rmult_comm (told _ _ v y)), Rmult_assoc. apply Rmult_le_compat_l; [apply Hletters, Hin |].
  apply lemma_2; assumption.
Qed.

Theorem lemma_2_absence_below : forall (C noise : Z -> R) (others letters : law Z) (v y : Z),
  (forall d, 0 < C d) -> step_cost C noise -> non_negative_law others -> non_negative_law letters ->
  told noise others v y * sum_over (fun letter => snd letter * / C (v - fst letter)%Z) letters
  <= told_absent noise others letters y.
Proof.
  intros C noise others letters v y Hpos HC Hothers Hletters. unfold told_absent. rewrite <- sum_over_scal.
  apply sum_over_le. intros letter Hin. unfold non_negative_law in Hletters. rewrite Forall_forall in Hletters.
  rewrite (Rmult_comm (told _ _ v y)), Rmult_assoc. apply Rmult_le_compat_l; [apply Hletters, Hin |].
  apply Rmult_le_reg_l with (C (v - fst letter)%Z); [apply Hpos |].
  rewrite <- Rmult_assoc, Rinv_r, Rmult_1_l by (apply Rgt_not_eq, Hpos). apply lemma_2; assumption.
Qed.

Lemma laplace_step_cost : forall r, 0 < r < 1 -> step_cost (fun d => (/ r) ^ Z.abs_nat d) (laplace_noise r).
Proof.
  intros r Hr z d. assert (H := laplace_cost r Hr 0%Z (- d)%Z z). unfold laplace, adding, steps in H.
  replace (z - 0)%Z with z in H by lia. replace (z - - d)%Z with (z + d)%Z in H by lia.
  replace (Z.abs_nat (- d - 0)) with (Z.abs_nat d) in H by lia. exact H.
Qed.

(* Lemma 2 with Laplace noise: the ratio to the power of the largest difference of a user's values, for any crowd. *)
Theorem lemma_2_laplace : forall (epsilon r : R) (others : list (law Z)) (v v' : Z),
  0 < r < 1 -> exp (- epsilon) <= r ^ Z.abs_nat (v - v') -> Forall non_negative_law others ->
  indistinguishable epsilon (laplace r) (shifted v (sum_of_all others)) (shifted v' (sum_of_all others)).
Proof.
  intros epsilon r others v v' Hr Hratio Hothers. apply sum_of_all_nonneg in Hothers.
  assert (Hfull : (/ r) ^ Z.abs_nat (v - v') <= exp epsilon).
  { rewrite pow_inv by lra. rewrite <- (Ropp_involutive epsilon), exp_Ropp.
    apply Rinv_le_contravar; [apply exp_pos | exact Hratio]. }
  assert (Hone : forall u u' y, Z.abs_nat (u - u') = Z.abs_nat (v - v') ->
            told (laplace_noise r) (sum_of_all others) u y <= exp epsilon * told (laplace_noise r) (sum_of_all others) u' y).
  { intros u u' y Hu. eapply Rle_trans; [apply (lemma_2 _ _ _ u u' y (laplace_step_cost r Hr) Hothers) |].
    apply Rmult_le_compat_r; [| rewrite Hu; exact Hfull]. rewrite told_value. apply sum_over_nonneg. intros atom Hin.
    unfold non_negative_law in Hothers. rewrite Forall_forall in Hothers.
    apply Rmult_le_pos; [apply Hothers, Hin | left; apply laplace_noise_positive, Hr]. }
  split; intros y; apply Hone; lia.
Qed.

(* For two letters it is the least: beyond the outermost sum the ratio is that very power. *)
Theorem lemma_2_is_attained : forall (r : R) (others : law Z) (v v' y : Z),
  0 < r < 1 -> (v' <= v)%Z -> (forall atom, In atom others -> (fst atom + v <= y)%Z) ->
  told (laplace_noise r) others v y = (/ r) ^ Z.abs_nat (v - v') * told (laplace_noise r) others v' y.
Proof.
  intros r others v v' y Hr Hv Hy. rewrite !told_value, <- sum_over_scal. apply sum_over_ext. intros atom Hin.
  specialize (Hy atom Hin). unfold laplace_noise. rewrite pow_inv by lra.
  replace (Z.abs_nat (y - (fst atom + v'))) with (Z.abs_nat (v - v') + Z.abs_nat (y - (fst atom + v)))%nat by lia.
  rewrite pow_add. field. split; [lra | apply pow_nonzero; lra].
Qed.
