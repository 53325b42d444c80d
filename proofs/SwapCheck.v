(* Rows that trade places: what the flows make of the secrets of a prior (docs/math.md, section 16). *)
From Coq Require Import Reals ZArith List Lra Lia Bool FMapPositive.
Require Import Fugu.Private Fugu.Sums Fugu.Plan Fugu.Bound Fugu.Carry Fugu.Grid Fugu.Compare Fugu.NoiseCheck Fugu.Align
  Fugu.ChannelCheck.
Import ListNotations.
Open Scope R_scope.

(* ---- Maps by place ---- *)

Definition key (i : Z) : positive := Z.to_pos (i + 1).

Lemma key_inj : forall i j, (0 <= i)%Z -> (0 <= j)%Z -> key i = key j -> i = j.
Proof. intros i j Hi Hj H. unfold key in H. apply Z2Pos.inj in H; lia. Qed.

Definition get {A : Type} (d : A) (m : PositiveMap.t A) (i : Z) : A :=
  match PositiveMap.find (key i) m with Some a => a | None => d end.

Lemma get_same : forall (A : Type) (d a : A) m i, get d (PositiveMap.add (key i) a m) i = a.
Proof. intros. unfold get. rewrite PositiveMap.gss. reflexivity. Qed.

Lemma get_other : forall (A : Type) (d a : A) m i j, (0 <= i)%Z -> (0 <= j)%Z -> i <> j ->
  get d (PositiveMap.add (key j) a m) i = get d m i.
Proof.
  intros A d a m i j Hi Hj H. unfold get. rewrite PositiveMap.gso; [reflexivity |].
  intros E. apply H. apply key_inj; assumption.
Qed.

Lemma get_empty : forall (A : Type) (d : A) i, get d (PositiveMap.empty A) i = d.
Proof. intros. unfold get. rewrite PositiveMap.gempty. reflexivity. Qed.

Fixpoint fill {A : Type} (m : PositiveMap.t A) (from : Z) (items : list A) : PositiveMap.t A :=
  match items with
  | [] => m
  | a :: items => fill (PositiveMap.add (key from) a m) (from + 1)%Z items
  end.

Lemma get_fill : forall (A : Type) (d : A) items m from i, (0 <= from)%Z -> (0 <= i)%Z ->
  get d (fill m from items) i
  = if (from <=? i)%Z && (i <? from + Z.of_nat (length items))%Z then item_at items d (i - from) else get d m i.
Proof.
  intros A d. induction items as [| a items IH]; intros m from i Hf Hi; cbn [fill].
  - replace ((from <=? i) && (i <? from + Z.of_nat (length (@nil A))))%Z with false; [reflexivity |].
    simpl length. symmetry. apply andb_false_iff. destruct (Z.leb_spec from i); [right; apply Z.ltb_ge; lia | left; reflexivity].
  - rewrite IH by lia. cbn [length]. destruct (Z.eq_dec i from) as [-> | Hne].
    + replace (from + 1 <=? from)%Z with false by lia. cbn [andb]. rewrite get_same. rewrite Z.sub_diag.
      rewrite Z.leb_refl. destruct (Z.ltb_spec from (from + Z.of_nat (S (length items)))); [reflexivity | lia].
    + rewrite get_other by lia.
      replace ((from + 1 <=? i) && (i <? from + 1 + Z.of_nat (length items)))%Z
        with ((from <=? i) && (i <? from + Z.of_nat (S (length items))))%Z.
      2: { destruct (Z.leb_spec from i), (Z.leb_spec (from + 1) i); cbn [andb]; try reflexivity; try lia. f_equal. lia. }
      destruct ((from <=? i) && (i <? from + Z.of_nat (S (length items))))%Z eqn:E; [| reflexivity].
      apply andb_prop in E as [E1 E2]. unfold item_at.
      replace (Z.to_nat (i - from)) with (S (Z.to_nat (i - (from + 1)))) by lia. reflexivity.
Qed.

(* ---- What comes to each place, and what leaves it ---- *)

Definition flow := (Z * Z * Z)%type.

Definition note_in (m : PositiveMap.t (list (Z * Z))) (f : flow) : PositiveMap.t (list (Z * Z)) :=
  let '(i, j, w) := f in PositiveMap.add (key j) ((i, w) :: get [] m j) m.
Definition note_out (m : PositiveMap.t Z) (f : flow) : PositiveMap.t Z :=
  let '(i, j, w) := f in PositiveMap.add (key i) (get 0%Z m i + w)%Z m.

Definition flow_ok (count : Z) (f : flow) : bool :=
  let '(i, j, w) := f in ((0 <=? i) && (i <? count) && (0 <=? j) && (j <? count) && (0 <=? w))%Z.

Lemma flow_ok_range : forall count i j w, flow_ok count (i, j, w) = true ->
  (0 <= i < count)%Z /\ (0 <= j < count)%Z /\ (0 <= w)%Z.
Proof. intros count i j w H. unfold flow_ok in H. repeat (apply andb_prop in H; destruct H as [H ?]). lia. Qed.

Lemma ins_sum : forall count h j, (0 <= j)%Z -> forall all m, forallb (flow_ok count) all = true ->
  sum_over h (get [] (fold_left note_in all m) j)
  = sum_over h (get [] m j) + sum_over (fun f : flow => if Z.eq_dec (snd (fst f)) j then h (fst (fst f), snd f) else 0) all.
Proof.
  intros count h j Hj. induction all as [| [[i k] w] all IH]; intros m Hall; cbn [fold_left]; [simpl; lra |].
  cbn [forallb] in Hall. apply andb_prop in Hall as [Hf Hall]. destruct (flow_ok_range _ _ _ _ Hf) as [Hi [Hk _]].
  rewrite IH by assumption. cbn [sum_over fst snd]. unfold note_in at 1. destruct (Z.eq_dec k j) as [-> | Hne].
  - rewrite get_same. simpl. lra.
  - rewrite get_other by lia. lra.
Qed.

Lemma out_sum : forall count i, (0 <= i)%Z -> forall all m, forallb (flow_ok count) all = true ->
  IZR (get 0%Z (fold_left note_out all m) i) = IZR (get 0%Z m i) + leaving all i.
Proof.
  unfold leaving. intros count i Hi. induction all as [| [[k j] w] all IH]; intros m Hall; cbn [fold_left]; [simpl; lra |].
  cbn [forallb] in Hall. apply andb_prop in Hall as [Hf Hall]. destruct (flow_ok_range _ _ _ _ Hf) as [Hk [Hj _]].
  rewrite IH by assumption. cbn [sum_over fst snd]. unfold note_out at 1. destruct (Z.eq_dec k i) as [-> | Hne].
  - rewrite get_same, plus_IZR. lra.
  - rewrite get_other by lia. lra.
Qed.

Fixpoint staying (m : PositiveMap.t Z) (from : Z) (wholes : list Z) (acc : list Z) : list Z :=
  match wholes with
  | [] => reverse acc
  | t :: wholes => staying m (from + 1)%Z wholes ((t - get 0 m from)%Z :: acc)
  end.

Lemma staying_app : forall m wholes from acc,
  staying m from wholes acc = rev acc ++ map (fun c => fst c - get 0 m (snd c))%Z (combine wholes (range from (length wholes))).
Proof.
  induction wholes as [| t wholes IH]; intros from acc; simpl; [rewrite app_nil_r; apply reverse_rev |].
  rewrite IH. simpl. rewrite <- app_assoc. reflexivity.
Qed.

(* ---- A stratum ---- *)

Record prepared := Prepared { arriving : PositiveMap.t (list (Z * Z)); stays : list Z }.

Definition prepare (s : stratum) : prepared :=
  Prepared (fold_left note_in (flows s) (PositiveMap.empty _))
           (staying (fold_left note_out (flows s) (PositiveMap.empty _)) 0 (totals s) []).

Definition stratum_ok (s : stratum) (ready : prepared) : bool :=
  rising (points s) && Nat.eqb (length (totals s)) (length (points s)) && forallb (Z.ltb 0) (totals s)
  && forallb (flow_ok (Z.of_nat (length (points s)))) (flows s) && forallb (Z.leb 0) (stays ready).

Section Bits.
Variable b : Z.
Hypothesis b_pos : (0 <= b)%Z.

Definition gather (each : PositiveMap.t bound) (list : list (Z * Z)) : bound :=
  fold_left (fun acc f => add acc (times (snd f) (get zero each (fst f)))) list zero.

Fixpoint collect (each : PositiveMap.t bound) (ins : PositiveMap.t (list (Z * Z))) (from : Z) (left_there : list Z)
    (acc : vector) : vector :=
  match left_there with
  | [] => reverse acc
  | stay :: left_there =>
    collect each ins (from + 1)%Z left_there (add (times stay (get zero each from)) (gather each (get [] ins from)) :: acc)
  end.

Definition each_of (cell : Z * Z) : bound := if (fst cell =? 0)%Z then zero else quotient b (fst cell) (snd cell).

Definition swap_vector (s : stratum) (ready : prepared) (items : atoms) : option vector :=
  match align (points s) (in_order items) with
  | None => None
  | Some masses =>
    let each := fill (PositiveMap.empty bound) 0 (map each_of (combine masses (totals s))) in
    Some (collect each (arriving ready) 0 (stays ready) [])
  end.

Definition swap_vectors (s : stratum) (p : prior) : option (list vector) :=
  let ready := prepare s in
  if stratum_ok s ready then all_some (map (swap_vector s ready) (laws p)) else None.

Lemma collect_app : forall each ins left_there from acc,
  collect each ins from left_there acc
  = rev acc ++ map (fun c => add (times (fst c) (get zero each (snd c))) (gather each (get [] ins (snd c))))
                 (combine left_there (range from (length left_there))).
Proof.
  induction left_there as [| stay rest IH]; intros from acc; simpl; [rewrite app_nil_r; apply reverse_rev |].
  rewrite IH. simpl. rewrite <- app_assoc. reflexivity.
Qed.

Lemma gather_within : forall each e list, (forall f, In f list -> (0 <= snd f)%Z /\ within b (get zero each (fst f)) (e (fst f))) ->
  within b (gather each list) (sum_over (fun f => e (fst f) * IZR (snd f)) list).
Proof.
  intros each e list H. unfold gather.
  assert (Hacc : forall list acc x, (forall f, In f list -> (0 <= snd f)%Z /\ within b (get zero each (fst f)) (e (fst f))) ->
            within b acc x ->
            within b (fold_left (fun acc f => add acc (times (snd f) (get zero each (fst f)))) list acc)
              (x + sum_over (fun f => e (fst f) * IZR (snd f)) list)).
  { clear. induction list as [| f list IH]; intros acc x H Hx; simpl; [rewrite Rplus_0_r; assumption |].
    destruct (H f (or_introl eq_refl)) as [Hw Hu]. rewrite <- Rplus_assoc. apply IH.
    - intros. apply H. right. assumption.
    - apply within_add; [assumption | apply within_times; assumption]. }
  rewrite <- (Rplus_0_l (sum_over _ list)). apply Hacc; [assumption | apply within_zero].
Qed.

(* Where everything lies that a place sends: what the kernel says. *)
Definition cell (s : stratum) (i j : Z) : R :=
  let w := IZR (item_at (totals s) 0%Z i) in
  (flowing (flows s) i j + if Z.eq_dec i j then w - leaving (flows s) i else 0) / w.

Lemma swap_kernel_place : forall s x y,
  swap_kernel s x y = at_place (points s) (fun i => match place_of y (points s) 0 with Some j => cell s i j | None => 0 end) x.
Proof.
  intros s x y. unfold swap_kernel, at_place, cell. destruct (place_of x (points s) 0); [| reflexivity].
  destruct (place_of y (points s) 0); reflexivity.
Qed.

(* The sum over where it comes from is the sum over the flows that come. *)
Lemma cell_sum : forall s (e : Z -> R) j count,
  count = length (points s) -> forallb (flow_ok (Z.of_nat count)) (flows s) = true -> (0 <= j < Z.of_nat count)%Z ->
  sum_over (fun i => e i * (flowing (flows s) i j + if Z.eq_dec i j then IZR (item_at (totals s) 0%Z i) - leaving (flows s) i else 0))
    (range 0 count)
  = e j * (IZR (item_at (totals s) 0%Z j) - leaving (flows s) j)
    + sum_over (fun f : flow => if Z.eq_dec (snd (fst f)) j then e (fst (fst f)) * IZR (snd f) else 0) (flows s).
Proof.
  intros s e j count Hcount Hflows Hj.
  assert (Hpick : forall (g : Z -> R) k, (0 <= k < Z.of_nat count)%Z ->
            sum_over (fun i => if Z.eq_dec i k then g i else 0) (range 0 count) = g k).
  { intros g k Hk. apply sum_over_pick; [apply range_distinct | apply in_range_iff; lia]. }
  rewrite <- (Hpick (fun i => e i * (IZR (item_at (totals s) 0%Z i) - leaving (flows s) i)) j Hj).
  transitivity (sum_over (fun i => (if Z.eq_dec i j then e i * (IZR (item_at (totals s) 0%Z i) - leaving (flows s) i) else 0)
                                   + sum_over (fun f : flow => if Z.eq_dec i (fst (fst f))
                                       then (if Z.eq_dec (snd (fst f)) j then e i * IZR (snd f) else 0) else 0) (flows s)) (range 0 count)).
  - apply sum_over_ext. intros i _. rewrite Rmult_plus_distr_l, Rplus_comm. f_equal.
    + destruct (Z.eq_dec i j); ring.
    + unfold flowing. rewrite <- sum_over_scal. apply sum_over_ext. intros f _.
      destruct (Z.eq_dec (fst (fst f)) i) as [E | E], (Z.eq_dec i (fst (fst f))) as [E' | E']; try (exfalso; congruence); try ring.
      destruct (Z.eq_dec (snd (fst f)) j); ring.
  - rewrite sum_over_plus. f_equal. rewrite sum_over_swap. apply sum_over_ext. intros [[i k] w] Hin. cbn [fst snd].
    rewrite forallb_forall in Hflows. destruct (flow_ok_range _ _ _ _ (Hflows _ Hin)) as [Hi _].
    rewrite (Hpick (fun i' => if Z.eq_dec k j then e i' * IZR w else 0) i Hi). reflexivity.
Qed.

Lemma Forall2_combine_range : forall (A B : Type) (P : Z -> B -> Prop) (h : A * Z -> B) items from,
  (forall c, In c (combine items (range from (length items))) -> P (snd c) (h c)) ->
  Forall2 P (range from (length items)) (map h (combine items (range from (length items)))).
Proof.
  intros A B P h. induction items as [| a items IH]; intros from H; simpl; constructor.
  - apply (H (a, from)). left. reflexivity.
  - apply IH. intros c Hc. apply H. right. assumption.
Qed.

Lemma in_combine_range : forall (A : Type) (d a : A) items from i, In (a, i) (combine items (range from (length items))) ->
  (from <= i < from + Z.of_nat (length items))%Z /\ a = item_at items d (i - from).
Proof.
  intros A d a. induction items as [| c items IH]; intros from i H; [contradiction |]. destruct H as [H | H].
  - injection H as <- <-. simpl length. split; [lia |]. rewrite Z.sub_diag. reflexivity.
  - destruct (IH _ _ H) as [H1 H2]. simpl length. split; [lia |]. rewrite H2. unfold item_at.
    replace (Z.to_nat (i - from)) with (S (Z.to_nat (i - (from + 1)))) by lia. reflexivity.
Qed.

Lemma stay_value : forall s i, stratum_ok s (prepare s) = true -> (0 <= i < Z.of_nat (length (points s)))%Z ->
  length (stays (prepare s)) = length (points s)
  /\ IZR (item_at (stays (prepare s)) 0%Z i) = IZR (item_at (totals s) 0%Z i) - leaving (flows s) i.
Proof.
  intros s i Hok Hi. unfold stratum_ok in Hok. apply andb_prop in Hok as [Hok _]. apply andb_prop in Hok as [Hok Hflows].
  apply andb_prop in Hok as [Hok _]. apply andb_prop in Hok as [_ Hlen]. apply Nat.eqb_eq in Hlen.
  unfold prepare. cbn [stays]. rewrite staying_app. simpl rev. rewrite app_nil_l. set (m := fold_left note_out _ _).
  assert (Hr : forall count from, length (range from count) = count).
  { induction count as [| c IH]; intros from; simpl; [reflexivity | rewrite IH; reflexivity]. }
  split; [rewrite map_length, combine_length, Hr, Nat.min_id; assumption |].
  unfold item_at. set (h := fun c : Z * Z => (fst c - get 0 m (snd c))%Z). rewrite (nth_indep _ 0%Z (h (0, 0)%Z)).
  2: { rewrite map_length, combine_length, Hr. lia. }
  rewrite map_nth, combine_nth by (rewrite Hr; reflexivity). unfold h. cbn [fst snd].
  rewrite range_nth by lia. rewrite Z.add_0_l, Z2Nat.id by lia.
  rewrite minus_IZR. f_equal. unfold m. rewrite (out_sum _ _ (proj1 Hi) _ _ Hflows), get_empty. lra.
Qed.

Theorem swap_measured : forall s p vectors, forallb law_ok (laws p) = true ->
  swap_vectors s p = Some vectors -> measured b (swap_kernel s) p vectors.
Proof.
  intros s p vectors Hlaws H. unfold swap_vectors in H.
  destruct (stratum_ok s (prepare s)) eqn:Hok; [| discriminate].
  assert (Hstay := fun i => stay_value s i Hok). unfold stratum_ok in Hok. apply andb_prop in Hok as [Hok Hleft].
  apply andb_prop in Hok as [Hok Hflows]. apply andb_prop in Hok as [Hok Htotals]. apply andb_prop in Hok as [Hrising Hlen].
  apply Nat.eqb_eq in Hlen. rewrite forallb_forall in Htotals, Hleft.
  destruct (all_some_nth _ _ _ _ _ H) as [Hlength Hnth]. set (n := length (points s)) in *.
  set (value := fun items j => expected items (at_place (points s) (fun i => cell s i j))).
  assert (Hstays : length (stays (prepare s)) = n).
  { destruct n as [| n'] eqn:En; [| exact (proj1 (Hstay 0%Z ltac:(lia)))].
    unfold prepare. cbn [stays]. rewrite staying_app.
    destruct (totals s); [reflexivity | discriminate]. }
  exists Z, (range 0 n), (fun k => value (nth k (laws p) [])). split.
  - intros k u Hk. destruct (Hnth k u Hk) as [items [Hitems Hu]]. rewrite (nth_error_nth _ _ _ Hitems).
    rewrite forallb_forall in Hlaws. destruct (law_ok_pos items (Hlaws items (nth_error_In _ _ Hitems))) as [Hpos _].
    unfold swap_vector in Hu. destruct (align (points s) (in_order items)) as [masses |] eqn:Ea; [| discriminate].
    set (each := fill _ 0 _) in Hu.
    apply (f_equal (fun o => match o with Some v => v | None => [] end)) in Hu. cbv beta iota in Hu. subst u.
    assert (Hml := align_length _ _ _ Ea). fold n in Hml.
    assert (Hmasses : Forall (Z.le 0) masses).
    { apply (align_pos _ _ _ Ea). apply Forall_forall. intros atom Hin. apply in_in_order in Hin as [Hin _].
      exact (proj1 (Forall_forall _ _) Hpos atom Hin). }
    set (e := fun i => IZR (item_at masses 0%Z i) / IZR (item_at (totals s) 0%Z i)).
    assert (Heach : forall i, (0 <= i < Z.of_nat n)%Z -> within b (get zero each i) (e i)).
    { intros i Hi. unfold each. rewrite get_fill by lia. rewrite map_length, combine_length, Hml, Hlen, Nat.min_id.
      replace ((0 <=? i) && (i <? 0 + Z.of_nat n))%Z with true by (symmetry; apply andb_true_intro; split; lia).
      rewrite Z.sub_0_r. unfold item_at at 1.
      rewrite (nth_indep _ zero (each_of (0, 0)%Z)) by (rewrite map_length, combine_length; lia).
      rewrite map_nth, combine_nth by lia. unfold each_of. cbn [fst snd]. fold (item_at masses 0%Z i) (item_at (totals s) 0%Z i).
      unfold e. destruct (Z.eqb_spec (item_at masses 0%Z i) 0) as [-> | _]; [unfold Rdiv; rewrite Rmult_0_l; apply within_zero |].
      apply within_quotient; [assumption | |].
      - apply (proj1 (Forall_forall _ _) Hmasses). apply item_in. lia.
      - apply Z.ltb_lt. apply Htotals. apply item_in. lia. }
    rewrite collect_app. cbn [rev app]. unfold holds. rewrite <- Hstays at 1.
    apply Forall2_combine_range. intros [stay j] Hc. cbn [fst snd].
    destruct (in_combine_range _ 0%Z _ _ _ _ Hc) as [Hj Hst]. rewrite Z.sub_0_r in Hst. rewrite Hstays in Hj.
    assert (Hvalue : value items j = e j * IZR stay
        + sum_over (fun f : flow => if Z.eq_dec (snd (fst f)) j then e (fst (fst f)) * IZR (snd f) else 0) (flows s)).
    { unfold value. rewrite <- (expected_in_order items), (align_places _ _ _ _ Hrising Ea). fold n.
      rewrite Hst, (proj2 (Hstay j ltac:(lia))). rewrite <- (cell_sum s e j n eq_refl Hflows ltac:(lia)).
      apply sum_over_ext. intros i _. unfold cell, e. unfold Rdiv. ring. }
    rewrite Hvalue. apply within_add.
    + apply within_times; [| apply Heach; lia]. apply Z.leb_le. apply Hleft. rewrite Hst. apply item_in. lia.
    + assert (Hins := ins_sum (Z.of_nat n) (fun f => e (fst f) * IZR (snd f)) j ltac:(lia) (flows s) (PositiveMap.empty _) Hflows).
      rewrite get_empty in Hins. simpl (sum_over _ []) in Hins. rewrite Rplus_0_l in Hins. cbn [fst snd] in Hins.
      rewrite <- Hins. apply gather_within. intros f Hf.
      (* Every flow that was noted is one of the flows. *)
      assert (Hnoted : forall all m, forallb (flow_ok (Z.of_nat n)) all = true ->
                (forall f, In f (get [] m j) -> (0 <= snd f)%Z /\ (0 <= fst f < Z.of_nat n)%Z) ->
                forall f, In f (get [] (fold_left note_in all m) j) -> (0 <= snd f)%Z /\ (0 <= fst f < Z.of_nat n)%Z).
      { clear - Hj. induction all as [| [[i k] w] all IH]; intros m Hall Hm f Hf; cbn [fold_left] in Hf; [apply Hm; assumption |].
        cbn [forallb] in Hall. apply andb_prop in Hall as [Hok Hall]. destruct (flow_ok_range _ _ _ _ Hok) as [Hi [Hk Hw]].
        apply (IH _ Hall) with (2 := Hf). unfold note_in. intros g Hg. destruct (Z.eq_dec k j) as [-> | Hne].
        - rewrite get_same in Hg. destruct Hg as [<- | Hg]; [simpl; lia | apply Hm; assumption].
        - rewrite get_other in Hg by lia. apply Hm; assumption. }
      destruct (Hnoted (flows s) (PositiveMap.empty _) Hflows ltac:(intros g Hg; rewrite get_empty in Hg; contradiction) f Hf) as [H1 H2].
      split; [assumption | apply Heach; assumption].
  - intros i t most Hi Ht Hmost Hcells y. unfold secret_law.
    assert (Hmass : forall k, output_mass (swap_kernel s) (law_of (nth k (laws p) [])) y
              = match place_of y (points s) 0 with
                | Some j => value (nth k (laws p) []) j / mass_sum (nth k (laws p) [])
                | None => 0
                end).
    { intros k. rewrite output_mass_law_of. unfold value. destruct (place_of y (points s) 0) as [j |] eqn:Ej.
      - f_equal. unfold expected. apply sum_over_ext. intros atom _. rewrite swap_kernel_place, Ej. reflexivity.
      - unfold expected. rewrite sum_over_zero; [unfold Rdiv; ring |]. intros atom _. rewrite swap_kernel_place, Ej.
        unfold at_place. destruct (place_of (fst atom) (points s) 0); cbv beta iota; ring. }
    rewrite !Hmass. destruct (place_of y (points s) 0) as [j |] eqn:Ej; [| lra].
    apply Hcells. destruct (place_of_range _ _ _ _ Ej) as [Hj _]. apply in_range_iff. unfold n. lia.
Qed.

Lemma swap_nonneg : forall s, stratum_ok s (prepare s) = true -> non_negative_kernel (swap_kernel s).
Proof.
  intros s Hok x y. unfold swap_kernel. destruct (place_of x (points s) 0) as [i |] eqn:Ei; [| lra].
  destruct (place_of y (points s) 0) as [j |]; [| lra]. destruct (place_of_range _ _ _ _ Ei) as [Hi _].
  destruct (stay_value s i Hok ltac:(lia)) as [Hl Hs].
  unfold stratum_ok in Hok. apply andb_prop in Hok as [Hok Hleft]. apply andb_prop in Hok as [Hok Hflows].
  apply andb_prop in Hok as [Hok Htotals]. apply andb_prop in Hok as [_ Hlen]. apply Nat.eqb_eq in Hlen.
  rewrite forallb_forall in Htotals, Hleft, Hflows.
  assert (Ht : (0 < item_at (totals s) 0 i)%Z) by (apply Z.ltb_lt; apply Htotals; apply item_in; lia). apply IZR_lt in Ht.
  apply Rmult_le_pos; [| left; apply Rinv_0_lt_compat; assumption]. apply Rplus_le_le_0_compat.
  - unfold flowing. apply sum_over_nonneg. intros [[k l] w] Hin. cbn [fst snd].
    destruct (flow_ok_range _ _ _ _ (Hflows _ Hin)) as [_ [_ Hw]]. apply IZR_le in Hw.
    destruct (Z.eq_dec k i); [destruct (Z.eq_dec l j) |]; lra.
  - destruct (Z.eq_dec i j); [| lra]. rewrite <- Hs. apply IZR_le. apply Z.leb_le. apply Hleft. apply item_in. lia.
Qed.
End Bits.
