(* What a plan leaks on the whole: outputs between two windows, and bounds from epsilon alone. docs/math.md, section 19. *)
From Coq Require Import Reals ZArith List Lra Lia.
Require Import Fugu.Private Fugu.Sums Fugu.Windows Fugu.HockeyStick.
Import ListNotations.
Open Scope R_scope.

(* A measure of what an output tells: of the masses that each secret gives it, convex and in proportion. *)
Record measure (S : Type) := Measure {
  told_by : (S -> R) -> R;
  told_same : forall v w, (forall s, v s = w s) -> told_by v = told_by w;
  told_together : forall v w, told_by (fun s => v s + w s) <= told_by v + told_by w;
  told_in_proportion : forall c v, 0 <= c -> told_by (fun s => c * v s) = c * told_by v
}.
Arguments told_by {S}. Arguments told_same {S}. Arguments told_together {S}. Arguments told_in_proportion {S}.

(* The share of the lower end in an output j steps above it, L steps below the upper end in all. *)
Definition lower_share (t : R) (L j : nat) : R := t ^ j * (1 - t ^ (2 * (L - j))) / (1 - t ^ (2 * L)).

(* Between two windows that do not meet every output is a mixture of the two ends, the same one for every secret. *)
Theorem mixture_of_both_ends : forall reach t noise, geometric_tails reach t noise ->
  forall (low : Z) (L j : nat) (p : law Z), (0 < L)%nat -> (j <= L)%nat ->
    (forall x, In x (map fst p) -> (x + reach <= low)%Z \/ (low + Z.of_nat L <= x - reach)%Z) ->
    output_mass (adding noise) p (low + Z.of_nat j)%Z
    = lower_share t L j * output_mass (adding noise) p low
      + lower_share t L (L - j) * output_mass (adding noise) p (low + Z.of_nat L)%Z.
Proof.
  intros reach t noise H low L j p HL Hj Hatoms. assert (Ht : 0 <= t < 1) by apply H.
  assert (Hone := pow_strictly_below_one t (2 * L) Ht ltac:(lia)).
  unfold output_mass. rewrite <- !sum_over_scal, <- sum_over_plus. apply sum_over_ext. intros a Ha. unfold adding.
  assert (Hatom := Hatoms (fst a) (in_map fst p a Ha)). replace L with (j + (L - j))%nat in Hatom by lia.
  assert (Hid := between_windows_one_atom reach t noise H low j (L - j) (fst a) Hatom).
  replace (j + (L - j))%nat with L in Hid by lia. unfold lower_share.
  replace (L - (L - j))%nat with j by lia.
  replace (noise (low + Z.of_nat j - fst a)%Z)
    with ((t ^ j * (1 - t ^ (2 * (L - j))) * noise (low - fst a)%Z
           + t ^ (L - j) * (1 - t ^ (2 * j)) * noise (low + Z.of_nat L - fst a)%Z) / (1 - t ^ (2 * L))).
  - field. lra.
  - rewrite <- Hid. field. lra.
Qed.

Lemma lower_share_nonneg : forall t L j, 0 <= t < 1 -> (0 < L)%nat -> 0 <= lower_share t L j.
Proof.
  intros t L j Ht HL. unfold lower_share. assert (H1 := pow_below_one t j Ht). assert (H2 := pow_below_one t (2 * (L - j)) Ht).
  assert (H3 := pow_strictly_below_one t (2 * L) Ht ltac:(lia)).
  apply Rmult_le_pos; [apply Rmult_le_pos; lra | left; apply Rinv_0_lt_compat; lra].
Qed.

(* Any finite sum of outputs tells at least what it tells taken together. *)
Lemma told_together_list : forall (S A : Type) (G : measure S) (v : A -> S -> R) (items : list A), items <> [] ->
  told_by G (fun s => sum_over (fun a => v a s) items) <= sum_over (fun a => told_by G (v a)) items.
Proof.
  intros S A G v items Hne. induction items as [| a rest IH]; [contradiction |]. destruct rest as [| b rest].
  - simpl. rewrite (told_same G _ (v a)) by (intros; simpl; lra). lra.
  - change (told_by G (fun s => v a s + sum_over (fun a => v a s) (b :: rest))
            <= told_by G (v a) + sum_over (fun a => told_by G (v a)) (b :: rest)).
    apply Rle_trans with (1 := told_together G _ _). apply Rplus_le_compat_l, IH. discriminate.
Qed.

(* Section 19: the outputs strictly between tell at most what their shares of the two ends tell. *)
Theorem between_windows_tell_at_most : forall (S : Type) (G : measure S) reach t noise, geometric_tails reach t noise ->
  forall (low : Z) (L : nat) (laws : S -> law Z), (0 < L)%nat ->
    (forall s x, In x (map fst (laws s)) -> (x + reach <= low)%Z \/ (low + Z.of_nat L <= x - reach)%Z) ->
    let seen y := told_by G (fun s => output_mass (adding noise) (laws s) y) in
    sum_over (fun j => seen (low + Z.of_nat j)%Z) (seq 1 (L - 1))
    <= sum_over (lower_share t L) (seq 1 (L - 1)) * seen low
       + sum_over (fun j => lower_share t L (L - j)) (seq 1 (L - 1)) * seen (low + Z.of_nat L)%Z.
Proof.
  intros S G reach t noise H low L laws HL Hatoms seen. assert (Ht : 0 <= t < 1) by apply H.
  rewrite <- !sum_over_scal_r, <- sum_over_plus. apply sum_over_le. intros j Hj. apply in_seq in Hj. unfold seen.
  rewrite (told_same G _ (fun s => lower_share t L j * output_mass (adding noise) (laws s) low
                                   + lower_share t L (L - j) * output_mass (adding noise) (laws s) (low + Z.of_nat L)%Z)).
  - apply Rle_trans with (1 := told_together G _ _).
    rewrite !told_in_proportion by (apply lower_share_nonneg; assumption). lra.
  - intros s. apply (mixture_of_both_ends reach t noise H); [exact HL | lia | apply Hatoms].
Qed.

(* The sum of the shares, in closed form: c = (t - t^L) / ((1 - t)(1 + t^L)). *)
Lemma sum_backwards : forall (f : nat -> R) (n : nat),
  sum_over (fun j => f (S n - j)%nat) (seq 1 n) = sum_over f (seq 1 n).
Proof.
  intros f n. rewrite <- (sum_over_map nat nat (fun j => (S n - j)%nat) f). apply sum_over_permutation.
  apply Permutation.NoDup_Permutation.
  - apply (NoDup_map_inv (fun j => (S n - j)%nat)). rewrite map_map.
    rewrite (map_ext_in (fun j => (S n - (S n - j))%nat) (fun j => j)); [rewrite map_id; apply seq_NoDup |].
    intros j Hj. apply in_seq in Hj. lia.
  - apply seq_NoDup.
  - intros k. rewrite in_map_iff, in_seq. split.
    + intros [j [<- Hj]]. apply in_seq in Hj. lia.
    + intros Hk. exists (S n - k)%nat. split; [lia |]. apply in_seq. lia.
Qed.

Theorem sum_of_shares : forall t L, 0 <= t < 1 -> (0 < L)%nat ->
  sum_over (lower_share t L) (seq 1 (L - 1)) = (t - t ^ L) / ((1 - t) * (1 + t ^ L))
  /\ sum_over (fun j => lower_share t L (L - j)) (seq 1 (L - 1)) = (t - t ^ L) / ((1 - t) * (1 + t ^ L)).
Proof.
  intros t L Ht HL. destruct L as [| n]; [lia |]. replace (S n - 1)%nat with n by lia.
  enough (Hfirst : sum_over (lower_share t (S n)) (seq 1 n) = (t - t ^ S n) / ((1 - t) * (1 + t ^ S n))).
  { split; [exact Hfirst |]. rewrite (sum_backwards (lower_share t (S n))). exact Hfirst. }
  assert (Hpow := pow_below_one t (S n) Ht). assert (Hstrict := pow_strictly_below_one t (S n) Ht ltac:(lia)).
  assert (Hsquare : t ^ (2 * S n) = t ^ S n * t ^ S n) by (rewrite <- pow_add; f_equal; lia).
  rewrite (sum_over_ext nat _ (fun j => (t ^ j - t ^ S n * t ^ (S n - j)) * / (1 - t ^ (2 * S n)))).
  - rewrite sum_over_scal_r, sum_over_minus, sum_over_scal, (sum_backwards (fun j => t ^ j)), !geometric_sum by lra.
    rewrite Hsquare. set (u := t ^ S n) in *. field. repeat split; try lra.
    intros Hzero. assert (0 < (1 - u) * (1 + u)) by (apply Rmult_lt_0_compat; lra). lra.
  - intros j Hj. apply in_seq in Hj. unfold lower_share, Rdiv. f_equal.
    replace (t ^ S n) with (t ^ j * t ^ (S n - j)) by (rewrite <- pow_add; f_equal; lia).
    replace (2 * (S n - j))%nat with (S n - j + (S n - j))%nat by lia. rewrite pow_add. ring.
Qed.

(* Section 19: and at least what they tell taken together, which is c times both ends together. *)
Theorem between_windows_tell_at_least : forall (S : Type) (G : measure S) reach t noise, geometric_tails reach t noise ->
  forall (low : Z) (L : nat) (laws : S -> law Z), (1 < L)%nat ->
    (forall s x, In x (map fst (laws s)) -> (x + reach <= low)%Z \/ (low + Z.of_nat L <= x - reach)%Z) ->
    let mass y s := output_mass (adding noise) (laws s) y in
    (t - t ^ L) / ((1 - t) * (1 + t ^ L)) * told_by G (fun s => mass low s + mass (low + Z.of_nat L)%Z s)
    <= sum_over (fun j => told_by G (mass (low + Z.of_nat j)%Z)) (seq 1 (L - 1)).
Proof.
  intros S G reach t noise H low L laws HL Hatoms mass. assert (Ht : 0 <= t < 1) by apply H.
  destruct (sum_of_shares t L Ht ltac:(lia)) as [Hlower Hupper].
  assert (Hc : 0 <= (t - t ^ L) / ((1 - t) * (1 + t ^ L))).
  { rewrite <- Hlower. apply sum_over_nonneg. intros j _. apply lower_share_nonneg; [exact Ht | lia]. }
  set (c := (t - t ^ L) / ((1 - t) * (1 + t ^ L))) in *. rewrite <- told_in_proportion by exact Hc.
  rewrite (told_same G _ (fun s => sum_over (fun j => mass (low + Z.of_nat j)%Z s) (seq 1 (L - 1)))).
  - apply (told_together_list S nat G (fun j => mass (low + Z.of_nat j)%Z)). destruct L as [| [| L]]; [lia | lia | discriminate].
  - intros s. rewrite (sum_over_ext nat (fun j => mass (low + Z.of_nat j)%Z s)
      (fun j => lower_share t L j * mass low s + lower_share t L (L - j) * mass (low + Z.of_nat L)%Z s)).
    + rewrite sum_over_plus, !sum_over_scal_r, Hlower, Hupper. ring.
    + intros j Hj. apply in_seq in Hj. apply (mixture_of_both_ends reach t noise H); [lia | lia | apply Hatoms].
Qed.

(* Bounds from epsilon alone, on finitely many outputs. A guess names a secret for each output. *)
Section Guesses.
  Context {S Y : Type}.
  Variable mass : S -> Y -> R.
  Variable secrets : list S.
  Variable outputs : list Y.
  Variable epsilon : R.
  Hypothesis mass_nonneg : forall s y, 0 <= mass s y.
  Hypothesis laws : forall s, In s secrets -> sum_over (mass s) outputs = 1.
  Hypothesis private : forall s s' y, In s secrets -> In s' secrets -> mass s y <= exp epsilon * mass s' y.
  Variable guess : Y -> S.
  Hypothesis guess_is_a_secret : forall y, In (guess y) secrets.

  Lemma weighed_by_any : forall (w : S -> R) (y : Y), (forall s, 0 <= w s) ->
    (w (guess y) + exp (- epsilon) * (sum_over w secrets - w (guess y))) * mass (guess y) y
    <= sum_over (fun s => w s * mass s y) secrets.
  Proof.
    intros w y Hw. destruct (in_split _ _ (guess_is_a_secret y)) as [before [after Hsplit]].
    assert (Hother : forall s, In s secrets -> w s * (exp (- epsilon) * mass (guess y) y) <= w s * mass s y).
    { intros s Hs. apply Rmult_le_compat_l; [apply Hw |].
      assert (H := private (guess y) s y (guess_is_a_secret y) Hs).
      apply Rmult_le_compat_l with (r := exp (- epsilon)) in H; [| left; apply exp_pos].
      rewrite <- Rmult_assoc, <- exp_plus, Rplus_opp_l, exp_0, Rmult_1_l in H. exact H. }
    assert (Hpart : forall part, (forall s, In s part -> In s secrets) ->
              sum_over w part * (exp (- epsilon) * mass (guess y) y) <= sum_over (fun s => w s * mass s y) part).
    { intros part Hpart. rewrite <- sum_over_scal_r. apply sum_over_le. intros s Hs. apply Hother, Hpart, Hs. }
    assert (Hbefore := Hpart before). assert (Hafter := Hpart after). rewrite Hsplit in Hbefore, Hafter |- *.
    specialize (Hbefore (fun s Hs => in_or_app _ _ _ (or_introl Hs))).
    specialize (Hafter (fun s Hs => in_or_app before (guess y :: after) s (or_intror (in_cons _ _ _ Hs)))).
    rewrite !sum_over_app. simpl. lra.
  Qed.

  (* Section 19: the sum over the outputs of the largest mass, whose logarithm is the maximal leakage. *)
  Theorem leakage_by_epsilon : forall n, INR n = sum_over (fun _ => 1) secrets -> (0 < n)%nat ->
    sum_over (fun y => mass (guess y) y) outputs <= INR n * exp epsilon / (INR n - 1 + exp epsilon).
  Proof.
    intros n Hn Hpos. assert (Hexp := exp_pos epsilon). assert (Hn1 : 1 <= INR n) by (apply (le_INR 1); lia).
    assert (Hfactor : 0 < 1 + exp (- epsilon) * (INR n - 1)).
    { assert (0 <= exp (- epsilon) * (INR n - 1)) by (apply Rmult_le_pos; [left; apply exp_pos | lra]). lra. }
    replace (INR n * exp epsilon / (INR n - 1 + exp epsilon)) with (INR n / (1 + exp (- epsilon) * (INR n - 1))).
    2:{ rewrite exp_Ropp in *. field. repeat split; try lra. }
    apply Rmult_le_reg_l with (1 + exp (- epsilon) * (INR n - 1)); [exact Hfactor |].
    replace ((1 + exp (- epsilon) * (INR n - 1)) * (INR n / (1 + exp (- epsilon) * (INR n - 1)))) with (INR n)
      by (field; lra).
    rewrite Hn at 2. rewrite <- sum_over_scal.
    rewrite (sum_over_ext S (fun _ => 1) (fun s => sum_over (mass s) outputs)) by (intros s Hs; symmetry; apply laws, Hs).
    rewrite sum_over_swap. apply sum_over_le. intros y _.
    assert (H := weighed_by_any (fun _ => 1) y (fun _ => Rle_0_1)). rewrite <- Hn in H.
    rewrite (sum_over_ext S (fun s => 1 * mass s y) (fun s => mass s y)) in H by (intros; ring). exact H.
  Qed.

  (* Section 19: with prior shares of at most p, no guess is right more often than p e^epsilon / (p e^epsilon + 1 - p). *)
  Theorem guess_by_epsilon : forall (share : S -> R) (p : R), (forall s, 0 <= share s) -> sum_over share secrets = 1 ->
    0 < p <= 1 -> (forall s, share s <= p) ->
    sum_over (fun y => share (guess y) * mass (guess y) y) outputs <= p * exp epsilon / (p * exp epsilon + (1 - p)).
  Proof.
    intros share p Hshare Htotal Hp Hmost. assert (Hexp := exp_pos epsilon).
    assert (Hpe : 0 < p * exp epsilon) by (apply Rmult_lt_0_compat; lra).
    assert (Hden : 0 < p * exp epsilon + (1 - p)) by lra.
    apply Rle_trans with (sum_over (fun y => p * exp epsilon / (p * exp epsilon + (1 - p))
                                             * sum_over (fun s => share s * mass s y) secrets) outputs).
    - apply sum_over_le. intros y _. assert (H := weighed_by_any share y Hshare). rewrite Htotal in H.
      apply Rmult_le_reg_l with (p * exp epsilon + (1 - p)); [exact Hden |].
      replace ((p * exp epsilon + (1 - p))
               * (p * exp epsilon / (p * exp epsilon + (1 - p)) * sum_over (fun s => share s * mass s y) secrets))
        with (p * (exp epsilon * sum_over (fun s => share s * mass s y) secrets)) by (field; lra).
      set (g := share (guess y)) in *. set (m := mass (guess y) y) in *.
      set (all := sum_over (fun s => share s * mass s y) secrets) in *.
      assert (Hg : 0 <= g <= p) by (split; [apply Hshare | apply Hmost]). assert (Hm : 0 <= m) by apply mass_nonneg.
      assert (Hall : (g * exp epsilon + (1 - g)) * m <= exp epsilon * all).
      { apply Rmult_le_compat_l with (r := exp epsilon) in H; [| lra].
        replace (exp epsilon * ((g + exp (- epsilon) * (1 - g)) * m)) with ((g * exp epsilon + (1 - g)) * m) in H;
          [exact H |]. rewrite exp_Ropp. field. lra. }
      apply Rle_trans with (p * ((g * exp epsilon + (1 - g)) * m)); [| apply Rmult_le_compat_l; lra].
      assert (0 <= (p - g) * m) by (apply Rmult_le_pos; lra). lra.
    - rewrite sum_over_scal, sum_over_swap.
      rewrite (sum_over_ext S _ share); [rewrite Htotal; lra |]. intros s Hs. rewrite sum_over_scal, (laws s Hs). ring.
  Qed.
End Guesses.
