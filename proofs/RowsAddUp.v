(* What is drawn for a value is a law: the kernels of a plan add up to 1 over all outputs. *)
From Coq Require Import Reals ZArith List Lra Lia Bool.
Require Import Fugu.Private Fugu.Sums Fugu.Events Fugu.Plan Fugu.Carry Fugu.Grid Fugu.NoiseCheck Fugu.Align
  Fugu.ChannelCheck Fugu.SwapCheck.
Import ListNotations.
Open Scope R_scope.

(* ---- Finitely many cells ---- *)

Lemma sum_picked_most : forall (Y : Type) (eq_dec : forall a c : Y, {a = c} + {a <> c}) (x : Y) (w : R) part,
  0 <= w -> NoDup part -> sum_over (fun y => if eq_dec x y then w else 0) part <= w.
Proof.
  intros Y eq_dec x w part Hw H. induction H as [| y part Hnot H IH]; simpl; [lra |].
  destruct (eq_dec x y) as [-> | E]; [| lra].
  rewrite sum_over_zero; [lra |]. intros z Hz. destruct (eq_dec y z) as [-> | E]; [contradiction | reflexivity].
Qed.

Lemma cells_add_up : forall (cells : list (point * R)) (f : point -> R), (forall c, In c cells -> 0 <= snd c) ->
  (forall y, f y = sum_over (fun c => if point_eq_dec (fst c) y then snd c else 0) cells) ->
  adds_up_to f everything (sum_over snd cells).
Proof.
  intros cells f Hpos Hf. split.
  - intros s [part [Hnodup [_ ->]]]. rewrite (sum_over_ext _ f _ part (fun y _ => Hf y)). rewrite sum_over_swap.
    apply sum_over_le. intros c Hc. apply sum_picked_most; [apply Hpos; assumption | assumption].
  - intros m Hm. apply Hm. exists (nodup point_eq_dec (map fst cells)). split; [apply NoDup_nodup |].
    split; [intros; exact I |]. rewrite (sum_over_ext _ f _ _ (fun y _ => Hf y)). rewrite sum_over_swap.
    apply sum_over_ext. intros c Hc. symmetry.
    rewrite (sum_over_ext _ _ (fun y => if point_eq_dec y (fst c) then snd c else 0)).
    + apply (sum_over_pick point point_eq_dec (fun _ => snd c)); [apply NoDup_nodup |].
      apply nodup_In. apply in_map. assumption.
    + intros y _. destruct (point_eq_dec (fst c) y), (point_eq_dec y (fst c)); congruence.
Qed.

Lemma sum_over_share : forall row, 0 < sum_over IZR row ->
  forall outs : list point, length row = length outs ->
  sum_over snd (map (fun c : point * Z => (fst c, IZR (snd c) / sum_over IZR row)) (combine outs row)) = 1.
Proof.
  intros row Hpos outs Hlen. rewrite sum_over_map. cbn [snd]. unfold Rdiv. rewrite sum_over_scal_r.
  replace (sum_over (fun c => IZR (snd c)) (combine outs row)) with (sum_over IZR row); [apply Rinv_r; lra |].
  clear Hpos. revert outs Hlen. induction row as [| w row IH]; intros [| o outs] Hlen; try discriminate; [reflexivity |].
  simpl. rewrite (IH outs); [reflexivity |]. injection Hlen; auto.
Qed.

Theorem channel_adds_up : forall inputs outs rows x, channel_ok inputs outs rows = true -> In x inputs ->
  adds_up_to (channel_kernel inputs outs rows x) everything 1.
Proof.
  intros inputs outs rows x Hok Hx. unfold channel_ok in Hok. apply andb_prop in Hok as [Hok Hrows].
  apply andb_prop in Hok as [_ Hcount]. apply Nat.eqb_eq in Hcount. rewrite forallb_forall in Hrows.
  destruct (place_of x inputs 0) as [i |] eqn:E.
  2: { exfalso. clear - Hx E. revert E. generalize 0%Z. induction inputs as [| a inputs IH]; intros from E; [contradiction |].
       simpl in E. destruct (point_eq_dec a x) as [_ | Hne]; [discriminate |].
       destruct Hx as [Hx | Hx]; [contradiction | exact (IH Hx _ E)]. }
  destruct (place_of_range _ _ _ _ E) as [Hi _]. set (row := item_at rows [] i).
  assert (Hin : In row rows) by (apply item_in; lia). specialize (Hrows _ Hin).
  apply andb_prop in Hrows as [Hr Hpos]. apply andb_prop in Hr as [Hl Hw]. apply Nat.eqb_eq in Hl. rewrite forallb_forall in Hw.
  apply Z.ltb_lt in Hpos. apply IZR_lt in Hpos. rewrite sum_of_sum in Hpos.
  rewrite <- (sum_over_share row Hpos outs Hl). apply cells_add_up.
  - intros c Hc. apply in_map_iff in Hc as [[o w] [<- Hc]]. cbn [fst snd].
    apply Rmult_le_pos; [| left; apply Rinv_0_lt_compat; assumption]. apply IZR_le.
    specialize (Hw w (in_combine_r _ _ _ _ Hc)). lia.
  - intros y. unfold channel_kernel. rewrite E. fold row. unfold Rdiv. rewrite <- sum_over_scal_r, sum_over_map.
    apply sum_over_ext. intros c _. cbn [fst snd]. destruct (point_eq_dec (fst c) y); ring.
Qed.

Lemma flowing_sum : forall count all i, forallb (flow_ok (Z.of_nat count)) all = true ->
  sum_over (fun j => flowing all i j) (range 0 count) = leaving all i.
Proof.
  intros count all i H. unfold flowing, leaving. rewrite sum_over_swap. apply sum_over_ext. intros [[k j] w] Hin. cbn [fst snd].
  rewrite forallb_forall in H. destruct (flow_ok_range _ _ _ _ (H _ Hin)) as [_ [Hj _]].
  destruct (Z.eq_dec k i); [| apply sum_over_zero; reflexivity].
  rewrite (sum_over_ext _ _ (fun j' => if Z.eq_dec j' j then IZR w else 0)).
  - apply (sum_over_pick Z Z.eq_dec (fun _ => IZR w)); [apply range_distinct | apply in_range_iff; lia].
  - intros j' _. destruct (Z.eq_dec j j'), (Z.eq_dec j' j); congruence.
Qed.

Theorem swap_adds_up : forall s x, stratum_ok s (prepare s) = true -> In x (points s) ->
  adds_up_to (swap_kernel s x) everything 1.
Proof.
  intros s x Hok Hx. assert (Hnonneg := swap_nonneg s Hok). assert (Hall := Hok). unfold stratum_ok in Hall.
  apply andb_prop in Hall as [Hall _]. apply andb_prop in Hall as [Hall Hflows]. apply andb_prop in Hall as [Hall Htotals].
  apply andb_prop in Hall as [Hrising Hlen]. apply Nat.eqb_eq in Hlen. rewrite forallb_forall in Htotals.
  assert (Hd := rising_distinct _ Hrising).
  destruct (in_split _ _ Hx) as [before [after Hsplit]].
  assert (E : place_of x (points s) 0 = Some (Z.of_nat (length before))).
  { rewrite Hsplit in *. rewrite place_of_skip; [f_equal; lia |]. apply NoDup_remove_2 in Hd.
    intros Hin. apply Hd. apply in_or_app. left. assumption. }
  set (i := Z.of_nat (length before)) in *. destruct (place_of_range _ _ _ _ E) as [Hi _].
  set (n := length (points s)) in *. set (whole := IZR (item_at (totals s) 0%Z i)).
  assert (Hwhole : 0 < whole).
  { apply IZR_lt. apply Z.ltb_lt. apply Htotals. apply item_in. lia. }
  set (cells := map (fun j => (item_at (points s) [] j, cell s i j)) (range 0 n)).
  replace 1 with (sum_over snd cells).
  - apply cells_add_up.
    + intros c Hc. apply in_map_iff in Hc as [j [<- Hj]]. cbn [snd]. apply in_range_iff in Hj.
      specialize (Hnonneg x (item_at (points s) [] j)). unfold swap_kernel in Hnonneg. rewrite E in Hnonneg.
      destruct (nth_split (points s) [] (n := Z.to_nat j) ltac:(fold n; lia)) as [b' [a' [Hs Hl]]].
      assert (Ej : place_of (item_at (points s) [] j) (points s) 0 = Some j).
      { unfold item_at. rewrite Hs at 2. rewrite place_of_skip; [f_equal; lia |].
        rewrite Hs in Hd. apply NoDup_remove_2 in Hd. intros Hin. apply Hd. apply in_or_app. left. assumption. }
      rewrite Ej in Hnonneg. exact Hnonneg.
    + intros y. unfold cells. rewrite sum_over_map. cbn [fst snd]. unfold swap_kernel. rewrite E.
      destruct (place_of y (points s) 0) as [j |] eqn:Ey.
      * destruct (place_of_range _ _ _ _ Ey) as [Hj Hat]. rewrite Z.sub_0_r in Hat.
        rewrite (sum_over_ext _ _ (fun k => if Z.eq_dec k j then cell s i k else 0)).
        -- rewrite (sum_over_pick Z Z.eq_dec (fun k => cell s i k)); [reflexivity | apply range_distinct | apply in_range_iff; unfold n; lia].
        -- intros k Hk. apply in_range_iff in Hk. destruct (point_eq_dec (item_at (points s) [] k) y) as [Ek | Ek].
           ++ destruct (Z.eq_dec k j) as [_ | Hne]; [reflexivity | exfalso]. apply Hne.
              unfold item_at in *. rewrite <- Hat in Ek.
              assert (Hn := NoDup_nth (points s) []). destruct Hn as [Hn _]. specialize (Hn Hd (Z.to_nat k) (Z.to_nat j) ltac:(unfold n in *; lia) ltac:(unfold n in *; lia) Ek). lia.
           ++ destruct (Z.eq_dec k j) as [-> | _]; [contradiction | reflexivity].
      * symmetry. apply sum_over_zero. intros k Hk. apply in_range_iff in Hk.
        destruct (point_eq_dec (item_at (points s) [] k) y) as [Ek | _]; [exfalso | reflexivity].
        assert (Hin : In y (points s)) by (rewrite <- Ek; apply item_in; fold n; lia).
        destruct (in_split _ _ Hin) as [b' [a' Hs]]. rewrite Hs in Hd, Ey. apply NoDup_remove_2 in Hd.
        rewrite place_of_skip in Ey; [discriminate |]. intros H'. apply Hd. apply in_or_app. left. assumption.
  - unfold cells. rewrite sum_over_map. cbn [snd]. unfold cell. fold whole. unfold Rdiv. rewrite sum_over_scal_r, sum_over_plus.
    rewrite (flowing_sum n) by assumption.
    rewrite (sum_over_ext _ (fun j => if Z.eq_dec i j then _ else _) (fun j => if Z.eq_dec j i then whole - leaving (flows s) i else 0)).
    + rewrite (sum_over_pick Z Z.eq_dec (fun _ => whole - leaving (flows s) i)); [| apply range_distinct | apply in_range_iff; unfold n; lia].
      replace (leaving (flows s) i + (whole - leaving (flows s) i)) with whole by ring. apply Rinv_r. lra.
    + intros j _. destruct (Z.eq_dec i j), (Z.eq_dec j i); congruence.
Qed.

(* ---- Noise ---- *)

Lemma range_snoc : forall count from, range from (S count) = range from count ++ [(from + Z.of_nat count)%Z].
Proof.
  induction count as [| count IH]; intros from; [simpl; rewrite Z.add_0_r; reflexivity |].
  change (from :: range (from + 1) (S count) = (from :: range (from + 1) count) ++ [(from + Z.of_nat (S count))%Z]).
  rewrite IH. cbn [app]. replace (from + 1 + Z.of_nat count)%Z with (from + Z.of_nat (S count))%Z by lia. reflexivity.
Qed.

(* The sum of k steps beyond the reach on each side. *)
Lemma window_sum : forall n, proper n -> forall k,
  sum_over (weight n) (range (- reach n - Z.of_nat k) (length (weights n) + 2 * k))
  = total_weight n - (first_weight n + last_weight n) * (ratio n ^ S k / (1 - ratio n)).
Proof.
  intros n H. assert (Hr := reach_pos n H). assert (Hl := length_weights n H). assert (Ht := ratio_range n H).
  induction k as [| k IH].
  - rewrite Nat.mul_0_r, Nat.add_0_r, Z.sub_0_r. unfold total_weight. simpl pow. rewrite Rmult_1_r.
    rewrite (sum_over_items Z 0%Z IZR (weights n) (- reach n)%Z).
    rewrite (sum_over_ext _ (weight n) (fun i => IZR (item_at (weights n) 0%Z (i - - reach n)))); [ring |].
    intros z Hz. apply in_range_iff in Hz. unfold weight. replace (reach n <? z)%Z with false by lia.
    replace (z <? - reach n)%Z with false by lia. unfold item_at.
    replace (z - - reach n)%Z with (z + reach n)%Z by lia. reflexivity.
  - replace (length (weights n) + 2 * S k)%nat with (S (S (length (weights n) + 2 * k))) by lia.
    rewrite range_snoc, sum_over_app. cbn [range sum_over].
    replace (- reach n - Z.of_nat (S k) + 1)%Z with (- reach n - Z.of_nat k)%Z by lia. rewrite IH.
    replace (- reach n - Z.of_nat (S k) + Z.of_nat (S (length (weights n) + 2 * k)))%Z with (reach n + Z.of_nat (S k))%Z by lia.
    assert (Hleft : weight n (- reach n - Z.of_nat (S k)) = first_weight n * ratio n ^ S k).
    { unfold weight. destruct (Z.ltb_spec (reach n) (- reach n - Z.of_nat (S k))); [lia |].
      destruct (Z.ltb_spec (- reach n - Z.of_nat (S k)) (- reach n)); [| lia]. f_equal. f_equal. lia. }
    assert (Hright : weight n (reach n + Z.of_nat (S k)) = last_weight n * ratio n ^ S k).
    { unfold weight. destruct (Z.ltb_spec (reach n) (reach n + Z.of_nat (S k))); [| lia]. f_equal. f_equal. lia. }
    rewrite Hleft, Hright.
    simpl pow. field. lra.
Qed.

Theorem noise_adds_up : forall n, proper n -> adds_up_to (weight n) everything (total_weight n).
Proof.
  intros n H. assert (Ht := ratio_range n H). assert (Hr := reach_pos n H). assert (Hl := length_weights n H).
  assert (Hf : 0 < first_weight n) by (apply IZR_lt, (first_pos n H)).
  assert (Hla : 0 < last_weight n) by (apply IZR_lt, (last_pos n H)).
  split.
  - intros s [part [Hnodup [_ ->]]].
    assert (Hk : exists k, forall z, In z part -> In z (range (- reach n - Z.of_nat k) (length (weights n) + 2 * k))).
    { clear Hnodup. induction part as [| z part [k Hk]]; [exists O; intros z [] |].
      exists (k + Z.to_nat (Z.abs z))%nat. intros y [<- | Hy]; apply in_range_iff; [lia |].
      specialize (Hk y Hy). apply in_range_iff in Hk. lia. }
    destruct Hk as [k Hk]. apply Rle_trans with (sum_over (weight n) (range (- reach n - Z.of_nat k) (length (weights n) + 2 * k))).
    + apply sum_over_incl; [intros; apply weight_nonneg; assumption | assumption | exact Hk].
    + rewrite window_sum by assumption.
      assert (0 <= ratio n ^ S k / (1 - ratio n)).
      { apply Rmult_le_pos; [apply pow_le; lra | left; apply Rinv_0_lt_compat; lra]. }
      assert (0 <= (first_weight n + last_weight n) * (ratio n ^ S k / (1 - ratio n))) by (apply Rmult_le_pos; lra). lra.
  - intros m Hm. apply Rnot_lt_le. intros Hlt. set (c := (first_weight n + last_weight n) / (1 - ratio n)).
    assert (Hc : 0 < c) by (apply Rmult_lt_0_compat; [lra | apply Rinv_0_lt_compat; lra]).
    destruct (pow_lt_1_zero (ratio n) ltac:(rewrite Rabs_pos_eq; lra) ((total_weight n - m) / c)) as [N HN].
    { apply Rmult_lt_0_compat; [lra | apply Rinv_0_lt_compat; assumption]. }
    specialize (HN (S N) ltac:(lia)). rewrite Rabs_pos_eq in HN by (apply pow_le; lra).
    assert (Hs : sum_over (weight n) (range (- reach n - Z.of_nat N) (length (weights n) + 2 * N)) <= m).
    { apply Hm. eexists. split; [apply range_distinct |]. split; [intros; exact I | reflexivity]. }
    rewrite window_sum in Hs by assumption.
    assert (Hp : c * ratio n ^ S N < total_weight n - m).
    { apply Rmult_lt_compat_l with (r := c) in HN; [| assumption].
      replace (c * ((total_weight n - m) / c)) with (total_weight n - m) in HN by (field; lra). assumption. }
    replace ((first_weight n + last_weight n) * (ratio n ^ S N / (1 - ratio n))) with (c * ratio n ^ S N) in Hs
      by (unfold c; field; lra). lra.
Qed.

Lemma NoDup_app_intro : forall (A : Type) (xs ys : list A), NoDup xs -> NoDup ys -> (forall a, In a xs -> In a ys -> False) ->
  NoDup (xs ++ ys).
Proof.
  intros A xs ys Hx Hy H. induction Hx as [| x xs Hnot Hx IH]; simpl; [assumption |]. constructor.
  - intros Hin. apply in_app_or in Hin as [Hin | Hin]; [contradiction |]. apply (H x); [left; reflexivity | assumption].
  - apply IH. intros a H1 H2. apply (H a); [right; assumption | assumption].
Qed.

(* Of a first column and the rest: the product. *)
Lemma product_adds_up : forall (u : Z -> R) (v : point -> R) (f : point -> R) U V,
  (forall z, 0 <= u z) -> (forall y, 0 <= v y) -> 0 < U -> 0 < V ->
  f [] = 0 -> (forall z y, f (z :: y) = u z * v y) ->
  adds_up_to u everything U -> adds_up_to v everything V -> adds_up_to f everything (U * V).
Proof.
  intros u v f U V Hu Hv HU HV Hnil Hcons [HupU HlubU] [HupV HlubV].
  assert (Hf : forall y, 0 <= f y).
  { intros [| z y]; [rewrite Hnil; lra | rewrite Hcons; apply Rmult_le_pos; auto]. }
  assert (Hbox : forall (zs : list Z) (ys : list point), sum_over f (flat_map (fun z => map (cons z) ys) zs) = sum_over u zs * sum_over v ys).
  { intros zs ys. induction zs as [| z zs IH]; [simpl; lra |].
    transitivity (sum_over f (map (cons z) ys) + sum_over u zs * sum_over v ys).
    { rewrite <- IH. exact (sum_over_app point f (map (cons z) ys) (flat_map (fun z => map (cons z) ys) zs)). }
    rewrite sum_over_map. cbn [sum_over].
    rewrite (sum_over_ext _ (fun a => f (z :: a)) (fun a => u z * v a)) by (intros; apply Hcons). rewrite sum_over_scal. change (list Z) with point. ring. }
  assert (Hpart : forall zs, NoDup zs -> sum_over u zs <= U).
  { intros zs Hz. apply HupU. exists zs. split; [assumption | split; [intros; exact I | reflexivity]]. }
  assert (Hpart' : forall ys, NoDup ys -> sum_over v ys <= V).
  { intros ys Hy. apply HupV. exists ys. split; [assumption | split; [intros; exact I | reflexivity]]. }
  split.
  - intros s [part [Hnodup [_ ->]]]. set (zs := nodup Z.eq_dec (map (hd 0%Z) part)).
    set (ys := nodup point_eq_dec (map (@tl Z) part)).
    apply Rle_trans with (sum_over f ([] :: flat_map (fun z => map (cons z) ys) zs)).
    + apply sum_over_incl; [assumption | assumption |]. intros [| z y] Hin; [left; reflexivity |]. right.
      apply in_flat_map. exists z. split; [apply nodup_In; exact (in_map (hd 0%Z) part (z :: y) Hin) |].
      apply in_map. apply nodup_In. exact (in_map (@tl Z) part (z :: y) Hin).
    + change (f [] + sum_over f (flat_map (fun z => map (cons z) ys) zs) <= U * V). rewrite (Hbox zs ys), Hnil, Rplus_0_l. apply Rmult_le_compat; try (apply sum_over_nonneg; auto).
      * apply Hpart, NoDup_nodup.
      * apply Hpart', NoDup_nodup.
  - intros m Hm.
    assert (Hboth : forall zs ys, NoDup zs -> NoDup ys -> sum_over u zs * sum_over v ys <= m).
    { intros zs ys Hz Hy. rewrite <- Hbox. apply Hm. eexists. split; [| split; [intros; exact I | reflexivity]].
      clear - Hz Hy. induction Hz as [| z zs Hnot Hz IH]; simpl; [constructor |]. apply NoDup_app_intro; [| assumption |].
      - apply FinFun.Injective_map_NoDup; [intros a c E; injection E; auto | assumption].
      - intros y H1 H2. apply in_map_iff in H1 as [a [<- _]]. apply in_flat_map in H2 as [z' [Hz' Ha]].
        apply in_map_iff in Ha as [a' [E _]]. injection E as -> _. contradiction. }
    assert (HV' : forall ys, NoDup ys -> sum_over v ys * U <= m).
    { intros ys Hy. destruct (Rle_lt_or_eq_dec 0 (sum_over v ys)) as [Hpos | Hzero]; [apply sum_over_nonneg; auto | |].
      - rewrite Rmult_comm. apply Rmult_le_reg_r with (/ sum_over v ys); [apply Rinv_0_lt_compat; assumption |].
        rewrite Rmult_assoc, Rinv_r, Rmult_1_r by lra. apply HlubU. intros s [zs [Hz [_ ->]]].
        apply Rmult_le_reg_r with (sum_over v ys); [assumption |]. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra. auto.
      - rewrite <- Hzero, Rmult_0_l. specialize (Hboth [] ys (NoDup_nil _) Hy). simpl in Hboth. lra. }
    rewrite Rmult_comm. apply Rmult_le_reg_r with (/ U); [apply Rinv_0_lt_compat; assumption |].
    rewrite Rmult_assoc, Rinv_r, Rmult_1_r by lra. apply HlubV. intros s [ys [Hy [_ ->]]].
    apply Rmult_le_reg_r with U; [assumption |]. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra. auto.
Qed.

Lemma one_column_adds_up : forall n a, proper n -> adds_up_to (fun z => weight n (z - a) / total_weight n) everything 1.
Proof.
  intros n a H. assert (Ht := total_pos n H). destruct (noise_adds_up n H) as [Hup Hlub].
  assert (Hsum : forall part c, sum_over (fun z => weight n (z - c) / total_weight n) part
            = sum_over (weight n) (map (fun z => z - c)%Z part) / total_weight n).
  { intros part c. unfold Rdiv. rewrite sum_over_scal_r, sum_over_map. reflexivity. }
  assert (Hmap : forall part c, NoDup part -> NoDup (map (fun z => z - c)%Z part)).
  { intros part c Hp. apply FinFun.Injective_map_NoDup; [intros x y E; lia | assumption]. }
  split.
  - intros s [part [Hnodup [_ ->]]]. rewrite Hsum. apply Rmult_le_reg_r with (total_weight n); [assumption |].
    unfold Rdiv. rewrite Rmult_assoc, Rinv_l, Rmult_1_r, Rmult_1_l by lra. apply Hup.
    eexists. split; [apply (Hmap part a Hnodup) |]. split; [intros; exact I | reflexivity].
  - intros m Hm. apply Rmult_le_reg_r with (total_weight n); [assumption |]. rewrite Rmult_1_l. apply Hlub.
    intros s [part [Hnodup [_ ->]]].
    assert (Hs : sum_over (fun z => weight n (z - a) / total_weight n) (map (fun z => z - - a)%Z part) <= m).
    { apply Hm. eexists. split; [apply (Hmap part (- a)%Z Hnodup) |]. split; [intros; exact I | reflexivity]. }
    rewrite Hsum, map_map in Hs. rewrite (map_ext _ (fun z => z)), map_id in Hs by (intros; lia).
    apply Rmult_le_compat_r with (r := total_weight n) in Hs; [| lra].
    unfold Rdiv in Hs. rewrite Rmult_assoc, Rinv_l, Rmult_1_r in Hs by lra. assumption.
Qed.

Theorem noises_add_up : forall columns x, Forall proper columns -> length x = length columns ->
  adds_up_to (noise_kernel columns x) everything 1.
Proof.
  intros columns x H. revert x. induction H as [| n columns Hn H IH]; intros [| a x] Hl; try discriminate.
  - replace 1 with (sum_over snd [([] : point, 1)]) by (simpl; ring). apply cells_add_up.
    + intros c [<- | []]. simpl. lra.
    + intros [| c y]; cbn [sum_over fst snd noise_kernel]; destruct (point_eq_dec _ _) as [E | E]; try congruence; ring.
  - replace 1 with (1 * 1) by ring.
    apply product_adds_up with (u := fun z => weight n (z - a) / total_weight n) (v := noise_kernel columns x); try lra.
    + intros z. apply Rmult_le_pos; [apply weight_nonneg; assumption | left; apply Rinv_0_lt_compat, total_pos; assumption].
    + intros y. apply noise_kernel_nonneg. assumption.
    + reflexivity.
    + reflexivity.
    + apply one_column_adds_up. assumption.
    + apply IH. injection Hl; auto.
Qed.

(* ---- Values that can occur ---- *)

Lemma align_in : forall places items masses, align places items = Some masses ->
  forall atom, In atom items -> In (fst atom) places.
Proof.
  assert (Htake : forall x items sum m rest, take_equal x items sum = (m, rest) ->
            forall atom, In atom items -> fst atom = x \/ In atom rest).
  { intros x. induction items as [| [y k] items IH]; intros sum m rest H atom Hin; [contradiction |]. simpl in H.
    destruct (point_eq_dec y x) as [-> | E].
    - destruct Hin as [<- | Hin]; [left; reflexivity | exact (IH _ _ _ H atom Hin)].
    - injection H as <- <-. right. assumption. }
  induction places as [| x places IH]; intros items masses H atom Hin; simpl in H.
  - destruct items; [contradiction | discriminate].
  - destruct (take_equal x items 0) as [m rest] eqn:Et. destruct (align places rest) as [more |] eqn:E; [| discriminate].
    destruct (Htake _ _ _ _ _ Et atom Hin) as [Hx | Hrest]; [left; symmetry; assumption |].
    right. exact (IH rest more E atom Hrest).
Qed.
