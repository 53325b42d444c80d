(* A channel: what a table of integers makes of the secrets of a prior (docs/math.md, section 8). *)
From Coq Require Import Reals ZArith List Lra Lia Bool.
Require Import Fugu.Private Fugu.Sums Fugu.Plan Fugu.Bound Fugu.Carry Fugu.Grid Fugu.Compare Fugu.NoiseCheck Fugu.Align.
Import ListNotations.
Open Scope R_scope.

Definition sum_of (items : list Z) : Z := fold_left Z.add items 0%Z.

Lemma sum_of_sum : forall items, IZR (sum_of items) = sum_over IZR items.
Proof.
  assert (H : forall items s, IZR (fold_left Z.add items s) = IZR s + sum_over IZR items).
  { induction items as [| a items IH]; intros s; simpl; [lra |]. rewrite IH, plus_IZR. lra. }
  intros items. unfold sum_of. rewrite H. lra.
Qed.

Definition row_ok (count : nat) (row : list Z) : bool :=
  Nat.eqb (length row) count && forallb (Z.leb 0) row && (0 <? sum_of row)%Z.

Definition channel_ok (inputs outputs : list point) (rows : list (list Z)) : bool :=
  rising inputs && Nat.eqb (length rows) (length inputs) && forallb (row_ok (length outputs)) rows.

Section Bits.
Variable b : Z.
Hypothesis b_pos : (0 <= b)%Z.

Definition add_share (acc : vector) (cell : Z * list Z) : vector :=
  if (fst cell =? 0)%Z then acc
  else let each := quotient b (fst cell) (sum_of (snd cell)) in vadd acc (map (fun w => times w each) (snd cell)).

Definition channel_vector (inputs outputs : list point) (rows : list (list Z)) (items : atoms) : option vector :=
  match align inputs (in_order items) with
  | None => None
  | Some masses => Some (fold_left add_share (combine masses rows) (map (fun _ => zero) outputs))
  end.

Definition channel_vectors (inputs outputs : list point) (rows : list (list Z)) (p : prior) : option (list vector) :=
  if channel_ok inputs outputs rows then all_some (map (channel_vector inputs outputs rows) (laws p)) else None.

(* The probability of the output at place k. *)
Definition share (row : list Z) (k : Z) : R := IZR (item_at row 0%Z k) / sum_over IZR row.

Lemma row_holds : forall u e row from, within b u e -> Forall (Z.le 0) row ->
  holds b (range from (length row)) (map (fun w => times w u) row) (fun k => e * IZR (item_at row 0%Z (k - from))).
Proof.
  intros u e. induction row as [| w row IH]; intros from Hu Hpos; unfold holds; simpl; [constructor |].
  inversion Hpos; subst. constructor.
  - rewrite Z.sub_diag. apply within_times; assumption.
  - apply (holds_ext b _ _ _ (fun k => e * IZR (item_at row 0%Z (k - (from + 1))))); [| apply IH; assumption].
    intros k Hk. apply in_range_iff in Hk. unfold item_at.
    replace (Z.to_nat (k - from)) with (S (Z.to_nat (k - (from + 1)))) by lia. reflexivity.
Qed.

Lemma shares_hold : forall count cells acc f, Forall (fun cell => row_ok count (snd cell) = true /\ (0 <= fst cell)%Z) cells ->
  holds b (range 0 count) acc f ->
  holds b (range 0 count) (fold_left add_share cells acc)
    (fun k => f k + sum_over (fun cell => IZR (fst cell) * share (snd cell) k) cells).
Proof.
  intros count. induction cells as [| [m row] cells IH]; intros acc f Hall Hacc; simpl.
  - apply holds_ext with (2 := Hacc). intros; lra.
  - inversion Hall as [| ? ? [Hrow Hm] Hrest]; subst. cbn [fst snd] in *.
    assert (Hsum := sum_of_sum row).
    apply andb_prop in Hrow as [Hrow Hpos]. apply andb_prop in Hrow as [Hlen Hw]. apply Nat.eqb_eq in Hlen.
    apply Z.ltb_lt in Hpos.
    assert (Hstep : holds b (range 0 count) (add_share acc (m, row)) (fun k => f k + IZR m * share row k)).
    { unfold add_share. cbn [fst snd]. destruct (Z.eqb_spec m 0) as [-> | Hne].
      - apply holds_ext with (2 := Hacc). intros; lra.
      - apply holds_add; [assumption |].
        apply (holds_ext b _ _ _ (fun k => IZR m / IZR (sum_of row) * IZR (item_at row 0%Z (k - 0)))).
        + intros k _. rewrite Z.sub_0_r, Hsum. unfold share. unfold Rdiv. ring.
        + rewrite <- Hlen. apply row_holds; [apply within_quotient; assumption |]. apply Forall_forall. intros w Hin.
          rewrite forallb_forall in Hw. specialize (Hw w Hin). lia. }
    apply holds_ext with (2 := IH _ _ Hrest Hstep). intros; simpl; lra.
Qed.

Lemma channel_kernel_place : forall inputs outputs rows x y,
  channel_kernel inputs outputs rows x y
  = at_place inputs (fun i => sum_over (fun cell => if point_eq_dec (fst cell) y then IZR (snd cell) else 0)
                                (combine outputs (item_at rows [] i)) / sum_over IZR (item_at rows [] i)) x.
Proof. reflexivity. Qed.

Lemma item_in : forall (A : Type) (d : A) (items : list A) i, (0 <= i < Z.of_nat (length items))%Z -> In (item_at items d i) items.
Proof. intros. unfold item_at. apply nth_In. lia. Qed.

Theorem channel_measured : forall inputs outputs rows p vectors, forallb law_ok (laws p) = true ->
  channel_vectors inputs outputs rows p = Some vectors ->
  measured b (channel_kernel inputs outputs rows) p vectors.
Proof.
  intros inputs outputs rows p vectors Hlaws H. unfold channel_vectors in H.
  destruct (channel_ok inputs outputs rows) eqn:Hok; [| discriminate].
  unfold channel_ok in Hok. apply andb_prop in Hok as [Hok Hrows]. apply andb_prop in Hok as [Hrising Hcount].
  apply Nat.eqb_eq in Hcount. rewrite forallb_forall in Hrows.
  destruct (all_some_nth _ _ _ _ _ H) as [Hlength Hnth].
  set (n := length inputs) in *. set (count := length outputs) in *.
  (* Of a law whose masses by place are these. *)
  set (value := fun items k => expected items (at_place inputs (fun i => share (item_at rows [] i) k))).
  exists Z, (range 0 count), (fun s => value (nth s (laws p) [])). split.
  - intros s u Hs. destruct (Hnth s u Hs) as [items [Hitems Hu]]. rewrite (nth_error_nth _ _ _ Hitems).
    rewrite forallb_forall in Hlaws. destruct (law_ok_pos items (Hlaws items (nth_error_In _ _ Hitems))) as [Hpos _].
    unfold channel_vector in Hu. destruct (align inputs (in_order items)) as [masses |] eqn:Ea; [| discriminate].
    injection Hu as <-.
    assert (Hlen := align_length _ _ _ Ea). fold n in Hlen.
    assert (Hmasses : Forall (Z.le 0) masses).
    { apply (align_pos _ _ _ Ea). apply Forall_forall. intros atom Hin. apply in_in_order in Hin as [Hin _].
      exact (proj1 (Forall_forall _ _) Hpos atom Hin). }
    assert (Hcells : Forall (fun cell => row_ok count (snd cell) = true /\ (0 <= fst cell)%Z) (combine masses rows)).
    { apply Forall_forall. intros [m row] Hin. cbn [fst snd]. split.
      - apply Hrows. apply (in_combine_r _ _ _ _ Hin).
      - exact (proj1 (Forall_forall _ _) Hmasses m (in_combine_l _ _ _ _ Hin)). }
    assert (Hzero : holds b (range 0 count) (map (fun _ => zero) outputs) (fun _ => 0)).
    { replace (map (fun _ : point => zero) outputs) with (map (fun _ : Z => zero) (range 0 count)); [apply holds_zero |].
      unfold count. generalize 0%Z. clear. induction outputs as [| o os IHo]; intros from; simpl; [reflexivity | rewrite IHo; reflexivity]. }
    apply holds_ext with (2 := shares_hold count _ _ _ Hcells Hzero). intros k _. rewrite Rplus_0_l.
    unfold value. rewrite <- (expected_in_order items). rewrite (align_places _ _ _ _ Hrising Ea). fold n.
    rewrite (sum_over_items _ (0%Z, []) _ (combine masses rows) 0%Z).
    rewrite combine_length, Hlen, Hcount. unfold n. rewrite Nat.min_id. apply sum_over_ext. intros i _.
    rewrite Z.sub_0_r, item_at_combine by lia. reflexivity.
  - intros s t most Hs Ht Hmost Hcells y. unfold secret_law.
    assert (Hsome : forall s, (s < length vectors)%nat -> exists masses, align inputs (in_order (nth s (laws p) [])) = Some masses).
    { intros i Hi. destruct (nth_error vectors i) as [u |] eqn:Eu.
      2: { apply nth_error_None in Eu. lia. }
      destruct (Hnth i u Eu) as [items [Hitems Hu]]. rewrite (nth_error_nth _ _ _ Hitems). unfold channel_vector in Hu.
      destruct (align inputs (in_order items)) as [masses |]; [exists masses; reflexivity | discriminate]. }
    assert (Hmass : forall s, (s < length vectors)%nat ->
              output_mass (channel_kernel inputs outputs rows) (law_of (nth s (laws p) [])) y
              = sum_over (fun k => if point_eq_dec (item_at outputs [] k) y
                                   then value (nth s (laws p) []) k / mass_sum (nth s (laws p) []) else 0) (range 0 count)).
    { intros i Hi. destruct (Hsome i Hi) as [masses Ea]. set (items := nth i (laws p) []) in *.
      rewrite output_mass_law_of.
      replace (expected items (fun x => channel_kernel inputs outputs rows x y))
        with (expected (in_order items) (at_place inputs (fun i =>
                sum_over (fun cell => if point_eq_dec (fst cell) y then IZR (snd cell) else 0)
                  (combine outputs (item_at rows [] i)) / sum_over IZR (item_at rows [] i))))
        by (rewrite expected_in_order; reflexivity).
      rewrite (align_places _ _ _ _ Hrising Ea).
      transitivity (sum_over (fun k => (if point_eq_dec (item_at outputs [] k) y then 1 else 0)
          * sum_over (fun i => IZR (item_at masses 0%Z i) * share (item_at rows [] i) k) (range 0 (length inputs))) (range 0 count)
          / mass_sum items).
      - f_equal. fold n.
        transitivity (sum_over (fun k => sum_over (fun i => IZR (item_at masses 0%Z i)
          * ((if point_eq_dec (item_at outputs [] k) y then 1 else 0) * share (item_at rows [] i) k)) (range 0 n)) (range 0 count)).
        2: { apply sum_over_ext. intros k _. rewrite <- sum_over_scal. apply sum_over_ext. intros. ring. }
        rewrite sum_over_swap. apply sum_over_ext. intros j Hj. rewrite sum_over_scal. f_equal.
        apply in_range_iff in Hj.
        assert (Hrow : In (item_at rows [] j) rows) by (apply item_in; lia).
        specialize (Hrows _ Hrow). apply andb_prop in Hrows as [Hr _]. apply andb_prop in Hr as [Hr _]. apply Nat.eqb_eq in Hr.
        rewrite (sum_over_items _ ([], 0%Z) _ (combine outputs (item_at rows [] j)) 0%Z).
        rewrite combine_length, Hr. unfold count. rewrite Nat.min_id. unfold Rdiv. rewrite <- sum_over_scal_r.
        apply sum_over_ext. intros k _. rewrite Z.sub_0_r, item_at_combine by (symmetry; exact Hr). cbn [fst snd]. unfold share, Rdiv.
        destruct (point_eq_dec _ y); ring.
      - unfold Rdiv. rewrite <- sum_over_scal_r. apply sum_over_ext. intros k _. unfold value.
        rewrite <- (expected_in_order items), (align_places _ _ _ _ Hrising Ea). destruct (point_eq_dec _ y); ring. }
    rewrite (Hmass s Hs), (Hmass t Ht). rewrite <- sum_over_scal. apply sum_over_le. intros k Hk.
    destruct (point_eq_dec _ y); [apply Hcells; assumption | lra].
Qed.

Lemma channel_nonneg : forall inputs outputs rows, channel_ok inputs outputs rows = true ->
  non_negative_kernel (channel_kernel inputs outputs rows).
Proof.
  intros inputs outputs rows Hok x y. unfold channel_ok in Hok. apply andb_prop in Hok as [Hok Hrows].
  apply andb_prop in Hok as [_ Hcount]. apply Nat.eqb_eq in Hcount. rewrite forallb_forall in Hrows.
  unfold channel_kernel. destruct (place_of x inputs 0) as [i |] eqn:E; [| lra].
  destruct (place_of_range _ _ _ _ E) as [Hi _].
  assert (Hrow : In (item_at rows [] i) rows) by (apply item_in; lia). specialize (Hrows _ Hrow).
  apply andb_prop in Hrows as [Hr Hpos]. apply andb_prop in Hr as [_ Hw]. rewrite forallb_forall in Hw.
  apply Z.ltb_lt in Hpos. apply IZR_lt in Hpos. rewrite sum_of_sum in Hpos.
  apply Rmult_le_pos; [| left; apply Rinv_0_lt_compat; assumption].
  apply sum_over_nonneg. intros [o w] Hin. cbn [fst snd]. destruct (point_eq_dec o y); [| lra].
  apply IZR_le. specialize (Hw w (in_combine_r _ _ _ _ Hin)). lia.
Qed.
End Bits.
