(* Noise: the axes that the values of a prior make, and what the grid shows of its secrets. *)
From Coq Require Import Reals ZArith List Lra Lia Bool Permutation Mergesort Orders.
Require Import Fugu.Private Fugu.Sums Fugu.Plan Fugu.Bound Fugu.Carry Fugu.Grid Fugu.Compare.
Import ListNotations.
Open Scope R_scope.

Module ZOrder <: TotalLeBool.
  Definition t := Z.
  Definition leb := Z.leb.
  Lemma leb_total : forall a c, leb a c = true \/ leb c a = true.
  Proof. intros a c. unfold leb. destruct (Z.leb_spec a c); [left; reflexivity | right; lia]. Qed.
End ZOrder.
Module ZSort := Sort ZOrder.

Fixpoint distinct (xs : list Z) : list Z :=
  match xs with
  | a :: ((c :: _) as rest) => if (a =? c)%Z then distinct rest else a :: distinct rest
  | _ => xs
  end.

Lemma in_distinct : forall xs x, In x xs -> In x (distinct xs).
Proof.
  induction xs as [| a [| c rest] IH]; intros x H; [contradiction | assumption |].
  change (In x (if (a =? c)%Z then distinct (c :: rest) else a :: distinct (c :: rest))).
  destruct (Z.eqb_spec a c) as [-> | E].
  - apply IH. destruct H as [<- | H]; [left; reflexivity | assumption].
  - destruct H as [<- | H]; [left; reflexivity | right; apply IH; assumption].
Qed.

(* Every output within reach of an atom, once. *)
Fixpoint range (from : Z) (count : nat) : list Z :=
  match count with
  | O => []
  | S count => from :: range (from + 1)%Z count
  end.

Fixpoint windows (reach next : Z) (xs : list Z) : list Z :=
  match xs with
  | [] => []
  | x :: xs =>
    let from := Z.max next (x - reach) in
    range from (Z.to_nat (x + reach + 1 - from)) ++ windows reach (x + reach + 1)%Z xs
  end.

Lemma in_range : forall count from y, (from <= y < from + Z.of_nat count)%Z -> In y (range from count).
Proof.
  induction count as [| count IH]; intros from y H; [lia |]. simpl. destruct (Z.eq_dec from y); [left; assumption |].
  right. apply IH. lia.
Qed.

Lemma in_windows : forall reach, (0 <= reach)%Z -> forall xs before next x y, increasing before xs = true ->
  In x xs -> (Z.abs (y - x) <= reach)%Z -> (next <= y)%Z -> In y (windows reach next xs).
Proof.
  intros reach Hr. induction xs as [| a xs IH]; intros before next x y Hinc Hx Hy Hnext; [contradiction |].
  simpl in Hinc. apply andb_prop in Hinc as [_ Hinc]. cbn [windows]. apply in_or_app.
  destruct (Z_le_gt_dec y (a + reach)) as [Hle | Hgt].
  - left. apply in_range. destruct Hx as [<- | Hx]; [lia |].
    assert (a < x)%Z by (apply (increasing_above xs a x Hinc Hx)). lia.
  - right. apply (IH a (a + reach + 1)%Z x y Hinc); [| assumption | lia]. destruct Hx as [<- | Hx]; [lia | assumption].
Qed.

Section Bits.
Variable b : Z.
Hypothesis b_pos : (0 <= b)%Z.

Fixpoint steps_from (ratio : bound) (before : Z) (ys : list Z) : list step :=
  match ys with
  | [] => []
  | y :: ys => (y, power_to b ratio (y - before)%Z) :: steps_from ratio y ys
  end.

Definition make_axis (n : noise) (coordinates : list Z) : option axis :=
  match distinct (ZSort.sort coordinates) with
  | [] => None
  | (x :: _) as xs =>
    let ys := windows (reach n) (x - reach n)%Z xs in
    let back := reverse (map Z.opp ys) in
    let first := (hd 0 ys - 1)%Z in
    let last := (hd 0 back - 1)%Z in
    let t := quotient b (numerator n) (Z.shiftl 1 (bits n)) in
    if noise_ok n && increasing (x - 1)%Z xs && increasing first ys && increasing last back
    then Some (Axis n ys (steps_from t first ys) (steps_from t last back)) else None
  end.

Fixpoint make_axes (columns : list noise) (xs : list point) : option (list axis) :=
  match columns with
  | [] => Some []
  | n :: columns =>
    match make_axis n (map (hd 0%Z) xs), make_axes columns (map (@tl Z) xs) with
    | Some a, Some axes => Some (a :: axes)
    | _, _ => None
    end
  end.

Lemma steps_from_fst : forall t ys before, map fst (steps_from t before ys) = ys.
Proof. induction ys as [| y ys IH]; intros before; simpl; [reflexivity | rewrite IH; reflexivity]. Qed.

Lemma steps_from_ok : forall u t ys before, within b u t -> increasing before ys = true ->
  steps_ok b t before (steps_from u before ys).
Proof.
  intros u t. induction ys as [| y ys IH]; intros before Hu H; simpl in *; [exact I |].
  apply andb_prop in H as [H1 H2]. split; [lia |]. split; [apply within_power_to; assumption | apply IH; assumption].
Qed.

Lemma make_axis_good : forall n coordinates a, make_axis n coordinates = Some a ->
  good_axis b a /\ noise_of a = n
  /\ forall x y, In x coordinates -> (Z.abs (y - x) <= reach n)%Z -> In y (outputs a).
Proof.
  intros n coordinates a H. unfold make_axis in H.
  destruct (distinct (ZSort.sort coordinates)) as [| x xs] eqn:E; [discriminate |].
  cbv zeta in H. rewrite reverse_rev in H. match type of H with (if ?c then _ else _) = _ => destruct c eqn:Ec end; [| discriminate].
  injection H as <-. apply andb_prop in Ec as [Ec Hback]. apply andb_prop in Ec as [Ec Hys].
  apply andb_prop in Ec as [Hn Hx]. apply noise_ok_proper in Hn.
  assert (Ht : within b (quotient b (numerator n) (Z.shiftl 1 (bits n))) (ratio n)).
  { unfold ratio. assert (Hbits := bits_pos n Hn). rewrite Z.shiftl_mul_pow2, Z.mul_1_l by assumption.
    apply within_quotient; [assumption | apply (numerator_pos n Hn) | apply Z.pow_pos_nonneg; lia]. }
  split; [| split; [reflexivity |]].
  - constructor; simpl.
    + assumption.
    + apply steps_from_fst.
    + apply steps_from_fst.
    + eexists; eassumption.
    + eexists; apply steps_from_ok; eassumption.
    + eexists; apply steps_from_ok; eassumption.
  - intros c y Hc Hy. simpl. assert (Hin : In c (x :: xs)).
    { rewrite <- E. apply in_distinct. apply Permutation_in with (l := coordinates); [apply ZSort.Permuted_sort | assumption]. }
    apply (in_windows (reach n) (reach_pos n Hn) (x :: xs) (x - 1)%Z _ c y Hx Hin Hy).
    assert (x <= c)%Z by (assert (Hlt := increasing_above (x :: xs) (x - 1)%Z c Hx Hin); lia). lia.
Qed.

Lemma make_axes_good : forall columns xs axes, make_axes columns xs = Some axes ->
  Forall (good_axis b) axes /\ map noise_of axes = columns
  /\ forall x, In x xs -> length x = length columns -> fits axes x.
Proof.
  induction columns as [| n columns IH]; intros xs axes H; simpl in H.
  - injection H as <-. split; [constructor |]. split; [reflexivity |]. intros [| c x] _ Hl; [exact I | discriminate].
  - destruct (make_axis n _) as [a |] eqn:Ea; [| discriminate].
    destruct (make_axes columns _) as [more |] eqn:Em; [| discriminate]. injection H as <-.
    destruct (make_axis_good n _ a Ea) as [Hg [Hn Hin]]. destruct (IH _ more Em) as [Hgs [Hns Hfits]].
    split; [constructor; assumption |]. split; [simpl; rewrite Hn, Hns; reflexivity |].
    intros [| c x] Hx Hl; [discriminate |]. simpl. split.
    + rewrite Hn. intros y Hy. apply (Hin c y); [| assumption]. exact (in_map (hd 0%Z) xs (c :: x) Hx).
    + apply Hfits; [exact (in_map (@tl Z) xs (c :: x) Hx) | injection Hl; auto].
Qed.

(* The vectors of every secret. *)
Definition noise_vectors (columns : list noise) (p : prior) : option (list vector) :=
  let ordered := map in_order (laws p) in
  let xs := map fst (concat ordered) in
  if forallb (fun x => Nat.eqb (length x) (length columns)) xs then
    match make_axes columns xs with
    | None => None
    | Some axes => all_some (map (evaluate b axes) ordered)
    end
  else None.

Fixpoint totals_of (columns : list noise) : R :=
  match columns with
  | [] => 1
  | n :: columns => total_weight n * totals_of columns
  end.

Lemma totals_pos : forall columns, Forall proper columns -> 0 < totals_of columns.
Proof. induction 1; simpl; [lra |]. apply Rmult_lt_0_compat; [apply total_pos; assumption | assumption]. Qed.

Lemma noise_kernel_weight : forall columns, Forall proper columns -> forall x y,
  noise_kernel columns x y = joint_weight columns x y / totals_of columns.
Proof.
  intros columns H. induction H as [| n columns Hn H IH]; intros [| a x] [| c y]; simpl; try (unfold Rdiv; ring).
  - field.
  - assert (Ht := total_pos n Hn). assert (Hts := totals_pos columns H). rewrite IH. field. lra.
Qed.

Lemma noise_kernel_nonneg : forall columns, Forall proper columns -> non_negative_kernel (noise_kernel columns).
Proof.
  intros columns H. induction H as [| n columns Hn H IH]; intros [| a x] [| c y]; simpl; try lra.
  apply Rmult_le_pos; [| apply IH]. apply Rmult_le_pos; [apply weight_nonneg; assumption |].
  left. apply Rinv_0_lt_compat. apply total_pos. assumption.
Qed.

Theorem noise_measured : forall columns p vectors, Forall proper columns -> forallb law_ok (laws p) = true ->
  noise_vectors columns p = Some vectors -> measured b (noise_kernel columns) p vectors.
Proof.
  intros columns p vectors Hproper Hlaws H. unfold noise_vectors in H.
  match type of H with (if ?c then _ else _) = _ => destruct c eqn:El end; [| discriminate].
  destruct (make_axes columns _) as [axes |] eqn:Ea; [| discriminate].
  destruct (make_axes_good columns _ axes Ea) as [Hgood [Hcolumns Hfits]].
  destruct (all_some_nth _ _ _ _ _ H) as [Hlength Hnth]. rewrite map_length in Hlength.
  set (value := fun items y => expected items (fun x => joint_weight columns x y)).
  exists point, (cells axes), (fun s => value (nth s (laws p) [])). split.
  - intros s u Hs. destruct (Hnth s u Hs) as [items [Hitems Hu]].
    rewrite nth_error_map in Hitems.
    match type of Hitems with option_map _ ?e = _ => destruct e as [own |] eqn:Eo end; [| discriminate].
    injection Hitems as <-. rewrite (nth_error_nth _ _ _ Eo).
    rewrite forallb_forall in Hlaws. destruct (law_ok_pos own (Hlaws own (nth_error_In _ _ Eo))) as [Hpos _].
    assert (Hpos' : Forall (fun atom => 0 <= snd atom)%Z (in_order own)).
    { apply Forall_forall. intros atom Hin. apply in_in_order in Hin as [Hin _]. exact (proj1 (Forall_forall _ _) Hpos atom Hin). }
    assert (Hholds := evaluate_sound b b_pos axes Hgood (in_order own) u Hpos' Hu). rewrite Hcolumns in Hholds.
    apply holds_ext with (2 := Hholds). intros y _. unfold value. apply expected_in_order.
  - intros s t most Hs Ht Hmost Hcells y. unfold secret_law.
    set (ps := nth s (laws p) []) in *. set (qs := nth t (laws p) []) in *.
    assert (Hmass : forall items, output_mass (noise_kernel columns) (law_of items) y
              = value items y / mass_sum items / totals_of columns).
    { intros items. rewrite output_mass_law_of. unfold value, expected. unfold Rdiv. rewrite <- !sum_over_scal_r.
      apply sum_over_ext. intros atom _. rewrite noise_kernel_weight by assumption. unfold Rdiv. ring. }
    rewrite !Hmass. assert (Hts := totals_pos columns Hproper).
    assert (Hgoal : value ps y / mass_sum ps <= most * (value qs y / mass_sum qs)).
    2: { replace (most * (value qs y / mass_sum qs / totals_of columns))
           with (most * (value qs y / mass_sum qs) / totals_of columns) by (unfold Rdiv; ring).
         apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; assumption | assumption]. }
    set (signed := map (fun atom : point * Z => (fst atom, most * (IZR (snd atom) / mass_sum qs))) (in_order qs)
                   ++ map (fun atom : point * Z => (fst atom, - (IZR (snd atom) / mass_sum ps))) (in_order ps)).
    assert (Hsigned : forall z, sum_over (fun atom => snd atom * joint_weight (map noise_of axes) (fst atom) z) signed
              = most * (value qs z / mass_sum qs) - value ps z / mass_sum ps).
    { intros z. unfold signed. rewrite sum_over_app, !sum_over_map, Hcolumns. unfold value.
      rewrite <- (expected_in_order qs), <- (expected_in_order ps). unfold Rminus. f_equal.
      - unfold expected, Rdiv. rewrite <- sum_over_scal_r, <- sum_over_scal. apply sum_over_ext. intros; simpl; ring.
      - replace (- (expected (in_order ps) (fun x => joint_weight columns x z) / mass_sum ps))
          with (expected (in_order ps) (fun x => joint_weight columns x z) * (- / mass_sum ps)) by (unfold Rdiv; ring).
        unfold expected, Rdiv. rewrite <- sum_over_scal_r. apply sum_over_ext. intros; simpl; ring. }
    assert (Hin : forall items, In items (laws p) \/ items = [] -> forall atom, In atom (in_order items) -> fits axes (fst atom)).
    { intros items [Hitems | ->] atom Hatom; [| apply in_in_order in Hatom as [[] _]].
      assert (Hx : In (fst atom) (map fst (concat (map in_order (laws p))))).
      { apply in_map. apply in_concat. exists (in_order items). split; [apply in_map; assumption | assumption]. }
      apply Hfits; [assumption |]. rewrite forallb_forall in El. specialize (El _ Hx). apply Nat.eqb_eq in El. assumption. }
    assert (Hnthin : forall i, In (nth i (laws p) []) (laws p) \/ nth i (laws p) [] = []).
    { intros i. destruct (nth_in_or_default i (laws p) []); auto. }
    assert (H0 := grid_suffices axes (Forall_impl _ (fun a (Ha : good_axis b a) => axis_noise b a Ha) Hgood) signed).
    enough (0 <= most * (value qs y / mass_sum qs) - value ps y / mass_sum ps) by lra.
    rewrite <- Hsigned. apply H0.
    + unfold signed. apply Forall_app. split; apply Forall_forall; intros atom Hatom; apply in_map_iff in Hatom as [a [<- Ha]]; simpl.
      * apply (Hin qs); [apply Hnthin | assumption].
      * apply (Hin ps); [apply Hnthin | assumption].
    + intros z Hz. rewrite Hsigned. specialize (Hcells z Hz). lra.
Qed.
End Bits.
