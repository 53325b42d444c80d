(* Theorem 1 with a delta: the mass that travels farthest may be spared. docs/math.md, section 4. And two releases with
   deltas, within one cell and over a coupling. docs/math.md, section 10. *)
From Coq Require Import Reals List Lra.
Require Import Fugu.Private Fugu.Sums Fugu.Pairs Fugu.Events Fugu.Coupling Fugu.Compose.
Import ListNotations.
Open Scope R_scope.

(* No set of outputs has more mass than 1. *)
Definition at_most_one {X Y : Type} (K : kernel X Y) : Prop :=
  forall x part, NoDup part -> sum_over (K x) part <= 1.

Lemma mass_of_part : forall (X Y : Type) (K : kernel X Y) (p : law X) (part : list Y),
  sum_over (output_mass K p) part = expectation p (fun x => sum_over (K x) part).
Proof.
  intros X Y K p part. unfold output_mass, expectation. rewrite sum_over_swap. apply sum_over_ext. intros a _.
  apply sum_over_scal.
Qed.

(* Section 4: cells that are kept cost at most e^epsilon; what is spared adds its mass to delta. *)
Theorem theorem_1_with_delta : forall (X Y : Type) (epsilon delta : R) (K : kernel X Y) (C : X -> X -> R)
    (kept spared : law (X * X)) (p q : law X),
  non_negative_kernel K -> at_most_one K -> cost_bound C K -> coupling (kept ++ spared) p q ->
  (forall cell, In cell kept -> 0 < snd cell -> C (fst (fst cell)) (snd (fst cell)) <= exp epsilon) ->
  sum_over snd spared <= delta -> bounded_but_for epsilon delta K p q.
Proof.
  intros X Y epsilon delta K C kept spared p q HK Hone HC [Hnonneg [Hp Hq]] Hkept Hspared event u v Hu Hv.
  unfold non_negative_law in Hnonneg. rewrite Forall_forall in Hnonneg.
  assert (Hexp : 0 < exp epsilon) by apply exp_pos.
  apply (totals_compare Y _ (output_mass K q) event (exp epsilon) delta u v (Rlt_le _ _ Hexp) Hu Hv).
  intros part Hnodup _. rewrite !mass_of_part, <- Hp, <- Hq, first_side_mean, second_side_mean, !sum_over_app.
  assert (Hpart : forall x, 0 <= sum_over (K x) part) by (intros; apply sum_over_nonneg; intros; apply HK).
  assert (Hfirst : sum_over (fun cell => snd cell * sum_over (K (fst (fst cell))) part) kept
                   <= exp epsilon * sum_over (fun cell => snd cell * sum_over (K (snd (fst cell))) part) kept).
  { rewrite <- sum_over_scal. apply sum_over_le. intros cell Hin.
    destruct (Hnonneg cell (in_or_app _ _ _ (or_introl Hin))) as [Hpos | Hzero]; [| rewrite <- Hzero; lra].
    rewrite <- Rmult_assoc, (Rmult_comm (exp epsilon)), Rmult_assoc. apply Rmult_le_compat_l; [lra |].
    rewrite <- sum_over_scal. apply sum_over_le. intros y _.
    apply Rle_trans with (1 := HC (fst (fst cell)) (snd (fst cell)) y).
    apply Rmult_le_compat_r; [apply HK | apply Hkept; assumption]. }
  assert (Hsecond : sum_over (fun cell => snd cell * sum_over (K (fst (fst cell))) part) spared <= sum_over snd spared).
  { apply sum_over_le. intros cell Hin. rewrite <- (Rmult_1_r (snd cell)) at 2.
    apply Rmult_le_compat_l; [apply Hnonneg, in_or_app; right; exact Hin | apply Hone, Hnodup]. }
  assert (Hrest : 0 <= exp epsilon * sum_over (fun cell => snd cell * sum_over (K (snd (fst cell))) part) spared).
  { apply Rmult_le_pos; [lra |]. apply sum_over_nonneg. intros cell Hin.
    apply Rmult_le_pos; [apply Hnonneg, in_or_app; right; exact Hin | apply Hpart]. }
  lra.
Qed.

(* Section 10, within a cell: the excess of two independent releases at e_1 + e_2 is at most the sum of theirs. One output
   of each: P_1 P_2 against e^(e_1 + e_2) Q_1 Q_2. *)
Lemma excess_of_a_product : forall e1 e2 P1 Q1 P2 Q2, 0 <= P1 -> 0 <= Q1 -> 0 <= P2 -> 0 <= Q2 ->
  positive_part (P1 * P2 - exp (e1 + e2) * (Q1 * Q2))
  <= P1 * positive_part (P2 - exp e2 * Q2) + positive_part (P1 - exp e1 * Q1) * P2.
Proof.
  intros e1 e2 P1 Q1 P2 Q2 HP1 HQ1 HP2 HQ2. rewrite exp_plus.
  assert (H1 := exp_pos e1). assert (H2 := exp_pos e2).
  set (x1 := positive_part (P1 - exp e1 * Q1)). set (x2 := positive_part (P2 - exp e2 * Q2)).
  assert (Hx1 : 0 <= x1 /\ P1 - exp e1 * Q1 <= x1) by (split; [apply Rmax_l | apply Rmax_r]).
  assert (Hx2 : 0 <= x2 /\ P2 - exp e2 * Q2 <= x2) by (split; [apply Rmax_l | apply Rmax_r]).
  apply Rmax_lub; [apply Rplus_le_le_0_compat; apply Rmult_le_pos; lra |].
  assert (HA : P1 * (P2 - exp e2 * Q2) <= P1 * x2) by (apply Rmult_le_compat_l; lra).
  assert (HB : (P1 - exp e1 * Q1) * (exp e2 * Q2) <= x1 * (exp e2 * Q2)).
  { apply Rmult_le_compat_r; [apply Rmult_le_pos |]; lra. }
  destruct (Rle_dec (exp e2 * Q2) P2) as [Hle | Hgt].
  - assert (x1 * (exp e2 * Q2) <= x1 * P2) by (apply Rmult_le_compat_l; lra). lra.
  - assert (HC : (P1 - exp e1 * Q1) * P2 <= x1 * P2) by (apply Rmult_le_compat_r; lra).
    assert (HD : exp e1 * Q1 * P2 <= exp e1 * Q1 * (exp e2 * Q2)).
    { apply Rmult_le_compat_l; [apply Rmult_le_pos |]; lra. }
    assert (0 <= P1 * x2) by (apply Rmult_le_pos; lra). lra.
Qed.

(* And of all outputs of both, where the rows of either release have no more mass than 1. *)
Theorem excesses_add_within_a_cell : forall (Y Y' : Type) (e1 e2 : R) (P1 Q1 : Y -> R) (P2 Q2 : Y' -> R)
    (part1 : list Y) (part2 : list Y'),
  (forall y, 0 <= P1 y) -> (forall y, 0 <= Q1 y) -> (forall y, 0 <= P2 y) -> (forall y, 0 <= Q2 y) ->
  sum_over P1 part1 <= 1 -> sum_over P2 part2 <= 1 ->
  sum_over (fun y => sum_over (fun y' => positive_part (P1 y * P2 y' - exp (e1 + e2) * (Q1 y * Q2 y'))) part2) part1
  <= sum_over (fun y => positive_part (P1 y - exp e1 * Q1 y)) part1
     + sum_over (fun y => positive_part (P2 y - exp e2 * Q2 y)) part2.
Proof.
  intros Y Y' e1 e2 P1 Q1 P2 Q2 part1 part2 HP1 HQ1 HP2 HQ2 Hone1 Hone2.
  set (x1 := fun y => positive_part (P1 y - exp e1 * Q1 y)). set (x2 := fun y => positive_part (P2 y - exp e2 * Q2 y)).
  assert (Hx1 : 0 <= sum_over x1 part1) by (apply sum_over_nonneg; intros; apply Rmax_l).
  assert (Hx2 : 0 <= sum_over x2 part2) by (apply sum_over_nonneg; intros; apply Rmax_l).
  apply Rle_trans with (sum_over (fun y => P1 y * sum_over x2 part2 + x1 y * sum_over P2 part2) part1).
  - apply sum_over_le. intros y _. rewrite <- !sum_over_scal, <- sum_over_plus. apply sum_over_le. intros y' _.
    apply excess_of_a_product; auto.
  - rewrite sum_over_plus, !sum_over_scal_r.
    assert (sum_over P1 part1 * sum_over x2 part2 <= 1 * sum_over x2 part2) by (apply Rmult_le_compat_r; assumption).
    assert (sum_over x1 part1 * sum_over P2 part2 <= sum_over x1 part1 * 1) by (apply Rmult_le_compat_l; assumption). lra.
Qed.

(* Section 10: two releases that were settled beforehand are (e_1 + e_2, D)-private, D the mean over the coupling of what an
   exchange of x for x' exceeds e_1 in the one and e_2 in the other. *)
Theorem two_releases_with_deltas : forall (X Y Y' : Type) (same : forall y z : Y, {y = z} + {y <> z})
    (same' : forall y z : Y', {y = z} + {y <> z}) (e1 e2 : R) (K : kernel X Y) (K' : kernel X Y')
    (excess1 excess2 : X -> X -> R) (pi : law (X * X)) (p q : law X),
  non_negative_kernel K -> non_negative_kernel K' -> at_most_one K -> at_most_one K' -> coupling pi p q ->
  (forall x x' part, NoDup part -> sum_over (fun y => positive_part (K x y - exp e1 * K x' y)) part <= excess1 x x') ->
  (forall x x' part, NoDup part -> sum_over (fun y => positive_part (K' x y - exp e2 * K' x' y)) part <= excess2 x x') ->
  bounded_but_for (e1 + e2)
    (expectation pi (fun cell => excess1 (fst cell) (snd cell) + excess2 (fst cell) (snd cell))) (both K K') p q.
Proof.
  intros X Y Y' same same' e1 e2 K K' excess1 excess2 pi p q HK HK' Hone Hone' [Hnonneg [Hp Hq]] H1 H2 event u v Hu Hv.
  unfold non_negative_law in Hnonneg. rewrite Forall_forall in Hnonneg.
  apply (totals_compare (Y * Y') _ (output_mass (both K K') q) event (exp (e1 + e2)) _ u v
           (Rlt_le _ _ (exp_pos _)) Hu Hv).
  intros part Hnodup _. rewrite !mass_of_part, <- Hp, <- Hq, first_side_mean, second_side_mean.
  unfold expectation. rewrite <- sum_over_scal, <- sum_over_plus. apply sum_over_le. intros [[x x'] m] Hin.
  specialize (Hnonneg _ Hin). simpl in *.
  replace (exp (e1 + e2) * (m * sum_over (both K K' x') part) + m * (excess1 x x' + excess2 x x'))
    with (m * (exp (e1 + e2) * sum_over (both K K' x') part + (excess1 x x' + excess2 x x'))) by ring.
  apply Rmult_le_compat_l; [exact Hnonneg |]. rewrite <- sum_over_scal.
  enough (Hexcess : sum_over (fun y => positive_part (both K K' x y - exp (e1 + e2) * both K K' x' y)) part
                    <= excess1 x x' + excess2 x x').
  { enough (sum_over (both K K' x) part - sum_over (fun y => exp (e1 + e2) * both K K' x' y) part
            <= sum_over (fun y => positive_part (both K K' x y - exp (e1 + e2) * both K K' x' y)) part) by lra.
    rewrite <- sum_over_minus. apply sum_over_le. intros; apply positive_part_upper. }
  set (ys := nodup same (map fst part)). set (ys' := nodup same' (map snd part)).
  apply Rle_trans with (sum_over (fun y => positive_part (both K K' x y - exp (e1 + e2) * both K K' x' y))
                          (list_prod ys ys')).
  - apply sum_over_incl; [intros; apply Rmax_l | exact Hnodup |]. intros [y y'] Hy. apply in_prod.
    + apply nodup_In. apply (in_map fst _ _ Hy).
    + apply nodup_In. apply (in_map snd _ _ Hy).
  - rewrite sum_over_list_prod. unfold both. simpl.
    eapply Rle_trans; [apply (excesses_add_within_a_cell Y Y' e1 e2 (K x) (K x') (K' x) (K' x') ys ys'); auto |].
    + apply Hone, NoDup_nodup.
    + apply Hone', NoDup_nodup.
    + apply Rplus_le_compat; [apply H1, NoDup_nodup | apply H2, NoDup_nodup].
Qed.
