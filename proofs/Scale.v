(* Monotone in the scale: the loss of Laplace noise never grows with its ratio. docs/math.md, section 5 (and 11 for each of
   several columns).

   The proof needs no infinite sum. With c(r) = r / (1 - r)^2, noise of ratio r undoes f - c(r) (second difference of f).
   Let G be the difference of the masses at ratio r, F that at ratio s, w = c(r) / c(s). Then H = F - w G has
   H - c(s) (second difference of H) = (1 - w) G >= 0 and falls to 0 far out, so where H is least it is not negative. *)
From Coq Require Import Reals ZArith List Lra Lia.
Require Import Fugu.Private Fugu.Sums Fugu.Windows Fugu.Laplace Fugu.Product.
Import ListNotations.
Open Scope R_scope.

Definition second_difference (f : Z -> R) (y : Z) : R := f (y + 1)%Z + f (y - 1)%Z - 2 * f y.

Definition spread (r : R) : R := r / ((1 - r) * (1 - r)).

Lemma spread_positive : forall r, 0 < r < 1 -> 0 < spread r.
Proof. intros r Hr. apply Rdiv_lt_0_compat; [lra | apply Rmult_lt_0_compat; lra]. Qed.

Lemma spread_grows : forall r s, 0 < r -> r <= s -> s < 1 -> spread r <= spread s.
Proof.
  intros r s Hr Hrs Hs. unfold spread, Rdiv. apply Rmult_le_compat; try lra.
  - left. apply Rinv_0_lt_compat, Rmult_lt_0_compat; lra.
  - apply Rinv_le_contravar; [apply Rmult_lt_0_compat; lra | apply Rmult_le_compat; lra].
Qed.

(* The second difference takes the noise off: what is left is one atom. *)
Lemma laplace_undone : forall r, 0 < r < 1 -> forall z,
  laplace_noise r z - spread r * second_difference (laplace_noise r) z = if Z.eqb z 0 then 1 else 0.
Proof.
  intros r Hr z. unfold second_difference, laplace_noise, spread.
  destruct (Z.eqb_spec z 0) as [-> | Hz].
  - simpl. field. split; lra.
  - destruct (Z_lt_le_dec 0 z) as [Hpos | Hneg].
    + replace (Z.abs_nat (z + 1)) with (S (S (Z.abs_nat (z - 1)))) by lia.
      replace (Z.abs_nat z) with (S (Z.abs_nat (z - 1))) by lia. simpl. field. split; lra.
    + replace (Z.abs_nat (z - 1)) with (S (S (Z.abs_nat (z + 1)))) by lia.
      replace (Z.abs_nat z) with (S (Z.abs_nat (z + 1))) by lia. simpl. field. split; lra.
Qed.

(* The mass of the law itself at y. *)
Definition atom_mass (d : law Z) (y : Z) : R := sum_over (fun a => snd a * (if Z.eqb (y - fst a) 0 then 1 else 0)) d.

Lemma outputs_undone : forall r, 0 < r < 1 -> forall (d : law Z) (y : Z),
  output_mass (laplace r) d y - spread r * second_difference (output_mass (laplace r) d) y = atom_mass d y.
Proof.
  intros r Hr d y. unfold second_difference, output_mass, atom_mass.
  rewrite <- (sum_over_scal _ 2), <- sum_over_plus, <- sum_over_minus, <- sum_over_scal, <- sum_over_minus.
  apply sum_over_ext. intros a _. rewrite <- (laplace_undone r Hr). unfold laplace, adding, second_difference.
  replace (y + 1 - fst a)%Z with (y - fst a + 1)%Z by lia. replace (y - 1 - fst a)%Z with (y - fst a - 1)%Z by lia. ring.
Qed.

Definition falls_to_zero (f : Z -> R) : Prop :=
  forall eta, 0 < eta -> exists far, forall y, (far < Z.abs y)%Z -> Rabs (f y) < eta.

Lemma outputs_fall_to_zero : forall r, 0 < r < 1 -> forall d, falls_to_zero (output_mass (laplace r) d).
Proof.
  intros r Hr d. induction d as [| [x m] rest IH]; intros eta Heta.
  - exists 0%Z. intros y _. change (Rabs 0 < eta). rewrite Rabs_R0. exact Heta.
  - destruct (IH (eta / 2) ltac:(lra)) as [far Hfar].
    assert (Hm : 0 < Rabs m + 1) by (assert (Hpos := Rabs_pos m); lra).
    destruct (pow_lt_1_zero r ltac:(rewrite Rabs_pos_eq; lra) (eta / 2 / (Rabs m + 1))
                ltac:(apply Rdiv_lt_0_compat; lra)) as [N HN].
    exists (Z.max far (Z.abs x + Z.of_nat N)). intros y Hy. change (Rabs (m * laplace r x y + output_mass (laplace r) rest y) < eta).
    apply Rle_lt_trans with (1 := Rabs_triang _ _).
    specialize (Hfar y ltac:(lia)). enough (Rabs (m * laplace r x y) < eta / 2) by lra.
    rewrite Rabs_mult, laplace_value. specialize (HN (steps x y) ltac:(unfold steps; lia)).
    assert (Hpow := pow_below_one r (steps x y) ltac:(lra)). rewrite Rabs_pos_eq in HN by lra.
    assert (Hshare : 0 < (1 - r) / (1 + r) <= 1).
    { split; [apply laplace_share_positive; lra |]. apply Rmult_le_reg_r with (1 + r); [lra |].
      unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra. }
    rewrite (Rabs_pos_eq (_ * _)) by (apply Rmult_le_pos; lra).
    apply Rle_lt_trans with ((Rabs m + 1) * r ^ steps x y).
    + apply Rmult_le_compat; try (apply Rmult_le_pos); try apply Rabs_pos; try lra.
      rewrite <- (Rmult_1_l (r ^ steps x y)) at 2. apply Rmult_le_compat_r; lra.
    + apply Rmult_lt_reg_r with (/ (Rabs m + 1)); [apply Rinv_0_lt_compat, Hm |].
      replace ((Rabs m + 1) * r ^ steps x y * / (Rabs m + 1)) with (r ^ steps x y) by (field; lra). exact HN.
Qed.

(* The least value over the integers from -n to n. *)
Lemma least_around_zero : forall (f : Z -> R) (n : nat),
  exists y, (Z.abs y <= Z.of_nat n)%Z /\ forall z, (Z.abs z <= Z.of_nat n)%Z -> f y <= f z.
Proof.
  intros f n. enough (H : exists y, In y (around_zero n) /\ forall z, In z (around_zero n) -> f y <= f z).
  { destruct H as [y [Hy Hleast]]. exists y. split; [apply in_around_zero, Hy |].
    intros z Hz. apply Hleast, in_around_zero, Hz. }
  assert (Hne : around_zero n <> []) by (destruct n; discriminate).
  induction (around_zero n) as [| a rest IH]; [contradiction |]. destruct rest as [| b rest].
  - exists a. split; [left; reflexivity |]. intros z [<- | []]. lra.
  - destruct (IH ltac:(discriminate)) as [y [Hy Hleast]]. destruct (Rle_dec (f a) (f y)) as [Ha | Ha].
    + exists a. split; [left; reflexivity |]. intros z [<- | Hz]; [lra |]. specialize (Hleast z Hz). lra.
    + exists y. split; [right; exact Hy |]. intros z [<- | Hz]; [lra | apply Hleast, Hz].
Qed.

(* The maximum principle: what falls to 0 and has f >= c (second difference of f) is nowhere negative. *)
Lemma maximum_principle : forall (f : Z -> R) (c : R), 0 < c -> falls_to_zero f ->
  (forall y, 0 <= f y - c * second_difference f y) -> forall y, 0 <= f y.
Proof.
  intros f c Hc Hfall Hprinciple y. apply Rnot_lt_le. intros Hneg.
  destruct (Hfall (- f y) ltac:(lra)) as [far Hfar].
  destruct (least_around_zero f (Z.to_nat (Z.max far (Z.abs y)))) as [low [Hlow Hleast]].
  assert (Hbelow : f low <= f y) by (apply Hleast; lia).
  assert (Hglobal : forall z, f low <= f z).
  { intros z. destruct (Z_le_gt_dec (Z.abs z) (Z.max far (Z.abs y))) as [Hz | Hz]; [apply Hleast; lia |].
    specialize (Hfar z ltac:(lia)). apply Rabs_def2 in Hfar. lra. }
  specialize (Hprinciple low).
  assert (Hconvex : 0 <= second_difference f low).
  { unfold second_difference. assert (H1 := Hglobal (low + 1)%Z). assert (H2 := Hglobal (low - 1)%Z). lra. }
  assert (0 <= c * second_difference f low) by (apply Rmult_le_pos; lra). lra.
Qed.

(* Section 5 for masses of either sign. *)
Theorem more_noise_keeps_the_sign : forall r s, 0 < r -> r <= s -> s < 1 -> forall d : law Z,
  (forall y, 0 <= output_mass (laplace r) d y) -> forall y, 0 <= output_mass (laplace s) d y.
Proof.
  intros r s Hr Hrs Hs d HG y. set (G := output_mass (laplace r) d) in *. set (F := output_mass (laplace s) d).
  assert (Hcr := spread_positive r ltac:(lra)). assert (Hcs := spread_positive s ltac:(lra)).
  set (w := spread r / spread s).
  assert (Hw : 0 < w <= 1).
  { split; [apply Rdiv_lt_0_compat; assumption |]. apply Rmult_le_reg_r with (spread s); [exact Hcs |].
    unfold w, Rdiv. rewrite Rmult_assoc, Rinv_l by lra. assert (H := spread_grows r s Hr Hrs Hs). lra. }
  enough (HH : forall z, 0 <= F z - w * G z).
  { specialize (HH y). specialize (HG y). assert (0 <= w * G y) by (apply Rmult_le_pos; lra). lra. }
  apply (maximum_principle (fun z => F z - w * G z) (spread s) Hcs).
  - intros eta Heta. destruct (outputs_fall_to_zero s ltac:(lra) d (eta / 2) ltac:(lra)) as [far Hfar].
    destruct (outputs_fall_to_zero r ltac:(lra) d (eta / 2) ltac:(lra)) as [far' Hfar'].
    exists (Z.max far far'). intros z Hz. specialize (Hfar z ltac:(lia)). specialize (Hfar' z ltac:(lia)).
    fold F in Hfar. fold G in Hfar'. apply Rabs_def2 in Hfar. apply Rabs_def2 in Hfar'. specialize (HG z).
    assert (w * G z <= 1 * G z) by (apply Rmult_le_compat_r; lra).
    assert (0 <= w * G z) by (apply Rmult_le_pos; lra). apply Rabs_def1; lra.
  - intros z. assert (HFd := outputs_undone s ltac:(lra) d z). assert (HGd := outputs_undone r ltac:(lra) d z).
    fold F in HFd. fold G in HGd. unfold second_difference in *.
    replace (F z - w * G z - spread s * (F (z + 1)%Z - w * G (z + 1)%Z + (F (z - 1)%Z - w * G (z - 1)%Z) - 2 * (F z - w * G z)))
      with (F z - spread s * (F (z + 1)%Z + F (z - 1)%Z - 2 * F z)
            + (spread s * w) * (G (z + 1)%Z + G (z - 1)%Z - 2 * G z) - w * G z) by ring.
    replace (spread s * w) with (spread r) by (unfold w; field; lra).
    rewrite HFd, <- HGd. specialize (HG z). assert (w * G z <= 1 * G z) by (apply Rmult_le_compat_r; lra). lra.
Qed.

(* Section 5: a promise that Laplace noise keeps is kept by every wider one. *)
Theorem loss_never_grows_with_the_scale : forall epsilon r s, 0 < r -> r <= s -> s < 1 -> forall p q : law Z,
  bounded epsilon (laplace r) p q -> bounded epsilon (laplace s) p q.
Proof.
  intros epsilon r s Hr Hrs Hs p q H y.
  assert (Hmass : forall t z, output_mass (laplace t) (scaled (-1) p ++ scaled (exp epsilon) q) z
                            = exp epsilon * output_mass (laplace t) q z - output_mass (laplace t) p z).
  { intros t z. rewrite output_mass_app, !output_mass_scaled. ring. }
  enough (0 <= output_mass (laplace s) (scaled (-1) p ++ scaled (exp epsilon) q) y) by (rewrite Hmass in *; lra).
  apply (more_noise_keeps_the_sign r s Hr Hrs Hs). intros z. rewrite Hmass. specialize (H z). lra.
Qed.

(* Section 11: the same on several columns, each by itself. *)
Theorem more_noise_on_every_column : forall rs ss : list R, Forall2 (fun r s => 0 < r /\ r <= s /\ s < 1) rs ss ->
  forall d : law (list Z), Forall (fun atom => length (fst atom) = length rs) d ->
  (forall y, length y = length rs -> 0 <= output_mass (joint_laplace rs) d y) ->
  forall y, length y = length rs -> 0 <= output_mass (joint_laplace ss) d y.
Proof.
  intros rs ss Hratios. induction Hratios as [| r s rs ss [Hr [Hrs Hs]] Hratios IH]; intros d Hd H y Hy; [apply H, Hy |].
  destruct y as [| b y]; [discriminate |]. simpl in Hy. injection Hy as Hy.
  assert (Hne : Forall (fun atom : list Z * R => fst atom <> []) d).
  { eapply Forall_impl; [| exact Hd]. intros [x m] Hlen Hnil. simpl in *. subst. discriminate. }
  unfold joint_laplace in *. simpl map in *. rewrite output_mass_first_column by exact Hne.
  apply IH; [| | exact Hy].
  - rewrite Forall_map. eapply Forall_impl; [| exact Hd]. intros [x m] Hlen. simpl in *.
    destruct x; [discriminate |]. simpl in *. lia.
  - intros y' Hy'. rewrite <- output_mass_first_column by exact Hne. rewrite output_mass_other_columns by exact Hne.
    apply (more_noise_keeps_the_sign r s Hr Hrs Hs). intros b'. unfold laplace.
    rewrite <- output_mass_other_columns by exact Hne. apply H. simpl. rewrite Hy'. reflexivity.
Qed.
