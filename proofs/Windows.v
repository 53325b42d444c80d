(* Which outputs matter: where the loss of noise with geometric tails can peak. docs/math.md, section 5.

   Noise with tails of ratio t beyond the reach. A bound at every output within reach of an atom is a bound at every
   output there is. Neither the masses nor the noise need be positive: between two windows that do not meet, the
   difference at an output is a combination, with weights that are not negative, of the differences at the two ends
   (the identity of section 19). *)
From Coq Require Import Reals ZArith List Lra Lia.
Require Import Fugu.Private Fugu.Sums.
Import ListNotations.
Open Scope R_scope.

(* Beyond the reach each further step multiplies the weight by t. *)
Definition geometric_tails (reach : Z) (t : R) (noise : Z -> R) : Prop :=
  0 <= t < 1 /\ (0 <= reach)%Z
  /\ (forall z, (reach <= z)%Z -> noise (z + 1)%Z = t * noise z)
  /\ (forall z, (z <= - reach)%Z -> noise (z - 1)%Z = t * noise z).

Definition adding (noise : Z -> R) : kernel Z Z := fun x y => noise (y - x)%Z.

Lemma tail_right : forall reach t noise, geometric_tails reach t noise ->
  forall (k : nat) z, (reach <= z)%Z -> noise (z + Z.of_nat k)%Z = t ^ k * noise z.
Proof.
  intros reach t noise [_ [_ [Hright _]]] k z Hz. induction k as [| k IH].
  - simpl. rewrite Z.add_0_r. lra.
  - replace (z + Z.of_nat (S k))%Z with (z + Z.of_nat k + 1)%Z by lia.
    rewrite Hright by lia. rewrite IH. simpl. lra.
Qed.

Lemma tail_left : forall reach t noise, geometric_tails reach t noise ->
  forall (k : nat) z, (z <= - reach)%Z -> noise (z - Z.of_nat k)%Z = t ^ k * noise z.
Proof.
  intros reach t noise [_ [_ [_ Hleft]]] k z Hz. induction k as [| k IH].
  - simpl. rewrite Z.sub_0_r. lra.
  - replace (z - Z.of_nat (S k))%Z with (z - Z.of_nat k - 1)%Z by lia.
    rewrite Hleft by lia. rewrite IH. simpl. lra.
Qed.

(* Neighbours of an output among the atoms that lie on either side of it. *)
Lemma nearest_below : forall (y : Z) (atoms : list Z),
  (forall x, In x atoms -> ~ (x < y)%Z)
  \/ exists x, In x atoms /\ (x < y)%Z /\ forall x', In x' atoms -> (x' < y)%Z -> (x' <= x)%Z.
Proof.
  intros y atoms. induction atoms as [| a rest IH]; [left; intros x [] |].
  destruct (Z_lt_le_dec a y) as [Ha | Ha].
  - right. destruct IH as [Hnone | [x [Hin [Hx Hmost]]]].
    + exists a. split; [left; reflexivity |]. split; [exact Ha |]. intros x' [<- | Hin] Hlt; [lia |].
      exfalso. apply (Hnone x' Hin Hlt).
    + destruct (Z_lt_le_dec x a) as [Hxa | Hax].
      * exists a. split; [left; reflexivity |]. split; [exact Ha |]. intros x' [<- | Hin'] Hlt; [lia |].
        specialize (Hmost x' Hin' Hlt). lia.
      * exists x. split; [right; exact Hin |]. split; [exact Hx |]. intros x' [<- | Hin'] Hlt; [lia |].
        apply Hmost; assumption.
  - destruct IH as [Hnone | [x [Hin [Hx Hmost]]]].
    + left. intros x [<- | Hin]; [lia | apply Hnone; exact Hin].
    + right. exists x. split; [right; exact Hin |]. split; [exact Hx |]. intros x' [<- | Hin'] Hlt; [lia |].
      apply Hmost; assumption.
Qed.

Lemma nearest_above : forall (y : Z) (atoms : list Z),
  (forall x, In x atoms -> ~ (y < x)%Z)
  \/ exists x, In x atoms /\ (y < x)%Z /\ forall x', In x' atoms -> (y < x')%Z -> (x <= x')%Z.
Proof.
  intros y atoms. destruct (nearest_below (- y) (map Z.opp atoms)) as [Hnone | [x [Hin [Hx Hmost]]]].
  - left. intros x Hin Hlt. apply (Hnone (- x)%Z); [apply in_map; exact Hin | lia].
  - right. apply in_map_iff in Hin as [x' [<- Hin]]. exists x'. split; [exact Hin |]. split; [lia |].
    intros x'' Hin'' Hlt. enough (- x'' <= - x')%Z by lia. apply Hmost; [apply in_map; exact Hin'' | lia].
Qed.

Lemma near_some_atom_dec : forall (reach y : Z) (atoms : list Z),
  (exists x, In x atoms /\ (Z.abs (y - x) <= reach)%Z) \/ (forall x, In x atoms -> (reach < Z.abs (y - x))%Z).
Proof.
  intros reach y atoms. induction atoms as [| a rest IH]; [right; intros x [] |].
  destruct (Z_le_gt_dec (Z.abs (y - a)) reach) as [Ha | Ha].
  - left. exists a. split; [left; reflexivity | exact Ha].
  - destruct IH as [[x [Hin Hx]] | Hfar].
    + left. exists x. split; [right; exact Hin | exact Hx].
    + right. intros x [<- | Hin]; [lia | apply Hfar; exact Hin].
Qed.

(* The identity of section 19, for one atom: an output between two windows, j steps above the lower one and k below the
   upper one. *)
Lemma between_windows_one_atom : forall reach t noise, geometric_tails reach t noise ->
  forall (low : Z) (j k : nat) (x : Z), (x + reach <= low)%Z \/ (low + Z.of_nat (j + k) <= x - reach)%Z ->
    (1 - t ^ (2 * (j + k))) * noise (low + Z.of_nat j - x)%Z
    = t ^ j * (1 - t ^ (2 * k)) * noise (low - x)%Z
      + t ^ k * (1 - t ^ (2 * j)) * noise (low + Z.of_nat (j + k) - x)%Z.
Proof.
  intros reach t noise H low j k x [Hleft | Hright].
  - replace (low + Z.of_nat j - x)%Z with (low - x + Z.of_nat j)%Z by lia.
    replace (low + Z.of_nat (j + k) - x)%Z with (low - x + Z.of_nat (j + k))%Z by lia.
    rewrite !(tail_right reach t noise H) by lia. replace (2 * (j + k))%nat with (j + j + k + k)%nat by lia.
    replace (2 * j)%nat with (j + j)%nat by lia. replace (2 * k)%nat with (k + k)%nat by lia.
    rewrite !pow_add. ring.
  - set (top := (low + Z.of_nat (j + k) - x)%Z) in *.
    replace (low + Z.of_nat j - x)%Z with (top - Z.of_nat k)%Z by (unfold top; lia).
    replace (low - x)%Z with (top - Z.of_nat (j + k))%Z by (unfold top; lia).
    rewrite !(tail_left reach t noise H) by (unfold top; lia).
    replace (2 * (j + k))%nat with (j + j + k + k)%nat by lia.
    replace (2 * j)%nat with (j + j)%nat by lia. replace (2 * k)%nat with (k + k)%nat by lia.
    rewrite !pow_add. ring.
Qed.

Lemma pow_below_one : forall t n, 0 <= t < 1 -> 0 <= t ^ n <= 1.
Proof.
  intros t n Ht. induction n as [| n IH]; simpl; [lra |]. split; [apply Rmult_le_pos; lra |].
  replace 1 with (1 * 1) by lra. apply Rmult_le_compat; lra.
Qed.

Lemma pow_strictly_below_one : forall t n, 0 <= t < 1 -> (0 < n)%nat -> t ^ n < 1.
Proof.
  intros t [| n] Ht Hn; [lia |]. simpl. assert (Hp := pow_below_one t n Ht).
  apply Rle_lt_trans with (t * 1); [apply Rmult_le_compat_l; lra | lra].
Qed.

(* Section 5 for masses of either sign: what is not negative within reach of every atom is negative nowhere. *)
Theorem windows_suffice_signed : forall reach t noise, geometric_tails reach t noise ->
  forall d : law Z,
    (forall x y, In x (map fst d) -> (Z.abs (y - x) <= reach)%Z -> 0 <= output_mass (adding noise) d y) ->
    forall y, 0 <= output_mass (adding noise) d y.
Proof.
  intros reach t noise H d Hnear y. set (atoms := map fst d) in *.
  assert (Hatom : forall a, In a d -> In (fst a) atoms) by (intros a Ha; apply in_map; exact Ha).
  assert (Ht : 0 <= t < 1) by apply H. assert (Hreach : (0 <= reach)%Z) by apply H.
  destruct (near_some_atom_dec reach y atoms) as [[x [Hin Hx]] | Hfar]; [apply (Hnear x y Hin Hx) |].
  destruct (nearest_below y atoms) as [Hnoleft | [xl [Hxl [Hlt Hleft]]]];
    destruct (nearest_above y atoms) as [Hnoright | [xr [Hxr [Hgt Hright]]]].
  - unfold output_mass. rewrite sum_over_zero; [lra |]. intros a Ha. exfalso.
    specialize (Hnoleft _ (Hatom a Ha)). specialize (Hnoright _ (Hatom a Ha)). specialize (Hfar _ (Hatom a Ha)). lia.
  - (* Below all windows: t to the distance, times the value at the lowest window's edge. *)
    specialize (Hfar xr Hxr) as Hxrfar. set (k := Z.to_nat (xr - reach - y)).
    assert (Hedge := Hnear xr (xr - reach)%Z Hxr ltac:(lia)).
    enough (Heq : output_mass (adding noise) d y = t ^ k * output_mass (adding noise) d (xr - reach)%Z).
    { rewrite Heq. apply Rmult_le_pos; [apply pow_below_one; exact Ht | exact Hedge]. }
    unfold output_mass. rewrite <- sum_over_scal. apply sum_over_ext. intros a Ha. unfold adding.
    assert (Hge : (xr <= fst a)%Z).
    { apply Hright; [apply Hatom; exact Ha |]. specialize (Hnoleft _ (Hatom a Ha)). specialize (Hfar _ (Hatom a Ha)). lia. }
    replace (y - fst a)%Z with (xr - reach - fst a - Z.of_nat k)%Z by (unfold k; lia).
    rewrite (tail_left reach t noise H) by lia. ring.
  - (* Above all windows. *)
    specialize (Hfar xl Hxl) as Hxlfar. set (k := Z.to_nat (y - (xl + reach))).
    assert (Hedge := Hnear xl (xl + reach)%Z Hxl ltac:(lia)).
    enough (Heq : output_mass (adding noise) d y = t ^ k * output_mass (adding noise) d (xl + reach)%Z).
    { rewrite Heq. apply Rmult_le_pos; [apply pow_below_one; exact Ht | exact Hedge]. }
    unfold output_mass. rewrite <- sum_over_scal. apply sum_over_ext. intros a Ha. unfold adding.
    assert (Hge : (fst a <= xl)%Z).
    { apply Hleft; [apply Hatom; exact Ha |]. specialize (Hnoright _ (Hatom a Ha)). specialize (Hfar _ (Hatom a Ha)). lia. }
    replace (y - fst a)%Z with (xl + reach - fst a + Z.of_nat k)%Z by (unfold k; lia).
    rewrite (tail_right reach t noise H) by lia. ring.
  - (* Between two windows that do not meet. *)
    specialize (Hfar xl Hxl) as Hxlfar. specialize (Hfar xr Hxr) as Hxrfar.
    set (low := (xl + reach)%Z). set (j := Z.to_nat (y - low)). set (k := Z.to_nat (xr - reach - y)).
    assert (Hlow := Hnear xl low Hxl ltac:(unfold low; lia)).
    assert (Hhigh := Hnear xr (low + Z.of_nat (j + k))%Z Hxr ltac:(unfold j, k, low; lia)).
    replace y with (low + Z.of_nat j)%Z by (unfold j, low; lia).
    enough (Heq : (1 - t ^ (2 * (j + k))) * output_mass (adding noise) d (low + Z.of_nat j)%Z
                  = t ^ j * (1 - t ^ (2 * k)) * output_mass (adding noise) d low
                    + t ^ k * (1 - t ^ (2 * j)) * output_mass (adding noise) d (low + Z.of_nat (j + k))%Z).
    { assert (Hpos : 0 < 1 - t ^ (2 * (j + k))).
      { assert (Hstrict := pow_strictly_below_one t (2 * (j + k)) Ht ltac:(unfold j, k, low; lia)). lra. }
      apply Rmult_le_reg_l with (1 - t ^ (2 * (j + k))); [exact Hpos |]. rewrite Rmult_0_r, Heq.
      assert (Hj := pow_below_one t j Ht). assert (Hk := pow_below_one t k Ht).
      assert (Hj2 := pow_below_one t (2 * j) Ht). assert (Hk2 := pow_below_one t (2 * k) Ht).
      apply Rplus_le_le_0_compat; apply Rmult_le_pos; try assumption; apply Rmult_le_pos; lra. }
    unfold output_mass. rewrite <- !sum_over_scal, <- sum_over_plus. apply sum_over_ext. intros a Ha. unfold adding.
    assert (Hside : (fst a + reach <= low)%Z \/ (low + Z.of_nat (j + k) <= fst a - reach)%Z).
    { specialize (Hfar _ (Hatom a Ha)). destruct (Z_lt_le_dec (fst a) y) as [Hside | Hside].
      - left. specialize (Hleft _ (Hatom a Ha) Hside). unfold low. lia.
      - right. specialize (Hright _ (Hatom a Ha) ltac:(lia)). unfold j, k, low. lia. }
    assert (Hone := between_windows_one_atom reach t noise H low j k (fst a) Hside).
    rewrite <- Rmult_assoc, (Rmult_comm _ (snd a)), Rmult_assoc, Hone. ring.
Qed.

(* Section 5: a ratio that is kept within reach of every atom of either law is kept at every output. *)
Theorem windows_suffice : forall reach t noise, geometric_tails reach t noise ->
  forall (c : R) (p q : law Z),
    (forall x y, In x (map fst (p ++ q)) -> (Z.abs (y - x) <= reach)%Z ->
       output_mass (adding noise) p y <= c * output_mass (adding noise) q y) ->
    forall y, output_mass (adding noise) p y <= c * output_mass (adding noise) q y.
Proof.
  intros reach t noise H c p q Hnear y.
  assert (Hatoms : map fst (scaled (-1) p ++ scaled c q) = map fst (p ++ q)).
  { unfold scaled. rewrite !map_app, !map_map. reflexivity. }
  assert (Hmass : forall z, output_mass (adding noise) (scaled (-1) p ++ scaled c q) z
                            = c * output_mass (adding noise) q z - output_mass (adding noise) p z).
  { intros z. rewrite output_mass_app, !output_mass_scaled. ring. }
  enough (0 <= output_mass (adding noise) (scaled (-1) p ++ scaled c q) y) by (rewrite Hmass in *; lra).
  apply (windows_suffice_signed reach t noise H). intros x z Hin Hz. rewrite Hatoms in Hin. rewrite Hmass.
  specialize (Hnear x z Hin Hz). lra.
Qed.

(* The same with one window from the least atom to the greatest. *)
Corollary interval_suffices : forall reach t noise, geometric_tails reach t noise ->
  forall (c : R) (p q : law Z) (low high : Z),
    (forall x, In x (map fst (p ++ q)) -> (low <= x <= high)%Z) ->
    (forall y, (low - reach <= y <= high + reach)%Z ->
       output_mass (adding noise) p y <= c * output_mass (adding noise) q y) ->
    forall y, output_mass (adding noise) p y <= c * output_mass (adding noise) q y.
Proof.
  intros reach t noise H c p q low high Hatoms Hwindow. apply (windows_suffice reach t noise H).
  intros x y Hin Hy. apply Hwindow. specialize (Hatoms x Hin). lia.
Qed.

(* Section 5: where the tails begin at once, as with Laplace noise, the atoms suffice. *)
Corollary atoms_suffice : forall t noise, geometric_tails 0 t noise ->
  forall (c : R) (p q : law Z),
    (forall x, In x (map fst (p ++ q)) -> output_mass (adding noise) p x <= c * output_mass (adding noise) q x) ->
    forall y, output_mass (adding noise) p y <= c * output_mass (adding noise) q y.
Proof.
  intros t noise H c p q Hatoms. apply (windows_suffice 0 t noise H).
  intros x y Hin Hy. replace y with x by lia. apply Hatoms, Hin.
Qed.
