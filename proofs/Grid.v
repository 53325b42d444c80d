(* Noise on one column or several: bounds of every mass on the grid of windows, and that this grid suffices
   (docs/math.md, sections 5 and 11). *)
From Coq Require Import Reals ZArith List Lra Lia Bool.
Require Import Fugu.Private Fugu.Sums Fugu.Windows Fugu.Plan Fugu.Bound Fugu.Carry.
Import ListNotations.
Open Scope R_scope.

(* A column: the outputs that lie within reach of an atom, increasing, and the same seen from the right. *)
Record axis := Axis { noise_of : noise; outputs : list Z; forward : list step; backward : list step }.

Fixpoint cells (axes : list axis) : list point :=
  match axes with
  | [] => [[]]
  | a :: axes => flat_map (fun y => map (cons y) (cells axes)) (outputs a)
  end.

(* Not divided by the totals. *)
Fixpoint joint_weight (columns : list noise) (x y : point) : R :=
  match columns, x, y with
  | [], [], [] => 1
  | n :: columns, a :: x, c :: y => weight n (c - a) * joint_weight columns x y
  | _, _, _ => 0
  end.

Fixpoint vadd_all (l r : list vector) (last first : Z) : list vector :=
  match l, r with
  | u :: l, v :: r => vadd (map (times last) u) (map (times first) v) :: vadd_all l r last first
  | _, _ => []
  end.

Section Bits.
Variable b : Z.
Hypothesis b_pos : (0 <= b)%Z.

Definition add_row (a : axis) (acc : option (list vector)) (r : row) : option (list vector) :=
  match acc with
  | None => None
  | Some acc => add_window (fst r - reach (noise_of a)) (weights (noise_of a)) (snd r) (outputs a) acc
  end.

Definition spread (a : axis) (nothing : vector) (rows : list row) : option (list vector) :=
  let n := noise_of a in
  match sweep b (forward a) (map (fun r => (fst r + reach n, snd r)%Z) rows) nothing,
        sweep b (backward a) (map (fun r => (reach n - fst r, snd r)%Z) (reverse rows)) nothing with
  | Some before, Some behind =>
    fold_left (add_row a) rows (Some (vadd_all before (reverse behind) (last (weights n) 0%Z) (hd 0%Z (weights n))))
  | _, _ => None
  end.

(* The outputs of both directions are those of the axis, and the powers are those of the tail. *)
Record good_axis (a : axis) : Prop := Good {
  axis_noise : proper (noise_of a);
  axis_forward : map fst (forward a) = outputs a;
  axis_backward : map fst (backward a) = rev (map Z.opp (outputs a));
  axis_increasing : exists before, increasing before (outputs a) = true;
  axis_steps : exists before, steps_ok b (ratio (noise_of a)) before (forward a);
  axis_back_steps : exists before, steps_ok b (ratio (noise_of a)) before (backward a)
}.

Lemma Forall2_map_l : forall (A B C : Type) (h : A -> B) (P : B -> C -> Prop) xs ys,
  Forall2 (fun x y => P (h x) y) xs ys -> Forall2 P (map h xs) ys.
Proof. induction 1; simpl; constructor; assumption. Qed.

Lemma Forall2_unmap_l : forall (A B C : Type) (h : A -> B) (P : B -> C -> Prop) xs ys,
  Forall2 P (map h xs) ys -> Forall2 (fun x y => P (h x) y) xs ys.
Proof.
  intros A B C h P xs. induction xs as [| x xs IH]; intros ys H; inversion H; subst; constructor; [assumption | apply IH; assumption].
Qed.

Lemma Forall2_rev : forall (A B : Type) (P : A -> B -> Prop) xs ys, Forall2 P xs ys -> Forall2 P (rev xs) (rev ys).
Proof. induction 1; simpl; [constructor |]. apply Forall2_app; [assumption |]. constructor; [assumption | constructor]. Qed.

Lemma Forall2_weaken : forall (A B : Type) (P Q : A -> B -> Prop) xs ys,
  (forall x y, In x xs -> P x y -> Q x y) -> Forall2 P xs ys -> Forall2 Q xs ys.
Proof.
  intros A B P Q xs ys H HP. induction HP; constructor; [apply H; [left; reflexivity | assumption] |].
  apply IHHP. intros. apply H; [right; assumption | assumption].
Qed.

Section Rows.
Context {Y : Type} (under : list Y).

Lemma carried_along : forall t steps rows todo out, 0 <= t < 1 -> (exists before, steps_ok b t before steps) ->
  sweep b steps rows (map (fun _ => zero) under) = Some out -> Forall2 (same_row b under) rows todo ->
  Forall2 (fun y v => holds b under v (weighed todo (fun a => beyond t (y - a)))) (map fst steps) out.
Proof.
  intros t steps rows todo out Ht [before Hsteps] Hout Hrows. apply Forall2_map_l.
  destruct (sweep_sound b b_pos under t Ht steps rows _ out before [] todo Hout Hsteps Hrows) as [_ H].
  - intros r [].
  - apply holds_ext with (f := fun _ => 0); [reflexivity | apply holds_zero].
  - exact H.
Qed.

Lemma vadd_all_holds : forall ys l r (f g : Z -> Y -> R) e d, (0 <= e)%Z -> (0 <= d)%Z ->
  Forall2 (fun y v => holds b under v (f y)) ys l -> Forall2 (fun y v => holds b under v (g y)) ys r ->
  Forall2 (fun y v => holds b under v (fun cell => f y cell * IZR e + g y cell * IZR d)) ys (vadd_all l r e d).
Proof.
  intros ys. induction ys as [| y ys IH]; intros l r f g e d He Hd Hl Hr; inversion Hl; inversion Hr; subst; simpl; constructor.
  - apply holds_add; (apply holds_map with (k := fun x => x * IZR _); [intros; apply within_times; assumption | assumption]).
  - apply IH; assumption.
Qed.

Lemma add_rows_sound : forall a before, proper (noise_of a) -> increasing before (outputs a) = true ->
  forall rows todo, Forall2 (same_row b under) rows todo -> forall acc out (f : Z -> Y -> R),
  fold_left (add_row a) rows (Some acc) = Some out ->
  Forall2 (fun y v => holds b under v (f y)) (outputs a) acc ->
  Forall2 (fun y v => holds b under v (fun cell => f y cell
             + weighed todo (fun x => inside (weights (noise_of a)) (y - x + reach (noise_of a))) cell)) (outputs a) out.
Proof.
  intros a before Ha Hinc rows todo Hrows. induction Hrows as [| r s rows todo Hrow Hrows IH]; intros acc out f Hout Hacc.
  - injection Hout as <-. apply Forall2_weaken with (2 := Hacc). intros y v _ Hv.
    apply holds_ext with (2 := Hv). intros cell _. unfold weighed. simpl. lra.
  - cbn [fold_left add_row] in Hout.
    destruct (add_window _ _ _ _ acc) as [next |] eqn:E.
    + destruct Hrow as [Hfst Hv].
      assert (Hnext := add_window_sound b under (snd r) (snd s) Hv _ before _ _ _ _ f Hinc (weights_pos _ Ha) E Hacc).
      specialize (IH next out _ Hout Hnext). apply Forall2_weaken with (2 := IH). intros y v _ Hy.
      apply holds_ext with (2 := Hy). intros cell _. unfold weighed. simpl sum_over. rewrite <- Hfst.
      replace (y - fst r + reach (noise_of a))%Z with (y - (fst r - reach (noise_of a)))%Z by lia. ring.
    + exfalso. clear - Hout. induction rows as [| r' rows IH]; simpl in Hout; [discriminate | apply IH; assumption].
Qed.

Lemma same_row_shift : forall (h : Z -> Z) rows todo, Forall2 (same_row b under) rows todo ->
  Forall2 (same_row b under) (map (fun r => (h (fst r), snd r)) rows) (map (fun s => (h (fst s), snd s)) todo).
Proof.
  intros h rows todo H. induction H as [| r s rows todo [H1 H2] H IH]; simpl; constructor; [| assumption].
  split; simpl; [rewrite H1; reflexivity | assumption].
Qed.

Lemma weighed_shift : forall (h : Z -> Z) (todo : list (Z * (Y -> R))) k cell,
  weighed (map (fun s => (h (fst s), snd s)) todo) k cell = weighed todo (fun a => k (h a)) cell.
Proof. intros. unfold weighed. rewrite sum_over_map. reflexivity. Qed.

Theorem spread_sound : forall a rows todo out, good_axis a -> Forall2 (same_row b under) rows todo ->
  spread a (map (fun _ => zero) under) rows = Some out ->
  Forall2 (fun y v => holds b under v (weighed todo (fun x => weight (noise_of a) (y - x)))) (outputs a) out.
Proof.
  intros a rows todo out [Hn Hf Hb [before Hinc] Hs Hbs] Hrows Hout. unfold spread in Hout. rewrite reverse_rev in Hout.
  set (n := noise_of a) in *. assert (Ht := ratio_range n Hn).
  destruct (sweep b (forward a) _ _) as [l |] eqn:El; [| discriminate].
  destruct (sweep b (backward a) _ _) as [r |] eqn:Er; [| discriminate]. rewrite reverse_rev in Hout.
  assert (Hl := carried_along (ratio n) _ _ _ l Ht Hs El (same_row_shift (fun x => x + reach n)%Z rows todo Hrows)).
  rewrite Hf in Hl.
  assert (Hr := carried_along (ratio n) _ _ _ r Ht Hbs Er
                  (same_row_shift (fun x => reach n - x)%Z (rev rows) (rev todo) (Forall2_rev _ _ _ _ _ Hrows))).
  rewrite Hb in Hr. apply Forall2_rev in Hr. rewrite rev_involutive in Hr. apply Forall2_unmap_l in Hr.
  assert (Hboth := vadd_all_holds _ _ _ _ (fun y => _) (last (weights n) 0%Z) (hd 0%Z (weights n))
                     ltac:(assert (H := last_pos n Hn); lia) ltac:(assert (H := first_pos n Hn); lia) Hl Hr).
  assert (Hall := add_rows_sound a before Hn Hinc rows todo Hrows _ out _ Hout Hboth).
  apply Forall2_weaken with (2 := Hall). intros y v _ Hv. apply holds_ext with (2 := Hv). intros cell _.
  cbv beta. fold n. rewrite (weighed_shift (fun x => x + reach n)%Z), (weighed_shift (fun x => reach n - x)%Z).
  assert (Hrev : forall k, weighed (rev todo) k cell = weighed todo k cell).
  { intros k. unfold weighed. apply sum_over_permutation. symmetry. apply Permutation.Permutation_rev. }
  rewrite Hrev. unfold weighed. rewrite <- !sum_over_scal_r, <- !sum_over_plus. apply sum_over_ext. intros s _.
  rewrite (weight_parts n) by assumption. unfold last_weight, first_weight.
  replace (y - (fst s + reach n))%Z with (y - fst s - reach n)%Z by lia.
  replace (- y - (reach n - fst s))%Z with (- (y - fst s) - reach n)%Z by lia. ring.
Qed.
End Rows.

(* ---- Atoms, by their first column ---- *)

Definition atoms := list (point * Z).

Fixpoint group (items : atoms) : option (list (Z * atoms)) :=
  match items with
  | [] => Some []
  | ([], _) :: _ => None
  | (a :: x, m) :: rest =>
    match group rest with
    | None => None
    | Some [] => Some [(a, [(x, m)])]
    | Some ((a', sub) :: more) =>
      if (a =? a')%Z then Some ((a', (x, m) :: sub) :: more) else Some ((a, [(x, m)]) :: (a', sub) :: more)
    end
  end.

Definition expected (items : atoms) (f : point -> R) : R := sum_over (fun atom => IZR (snd atom) * f (fst atom)) items.

Lemma group_sum : forall items groups f, group items = Some groups ->
  expected items f = sum_over (fun g => expected (snd g) (fun x => f (fst g :: x))) groups.
Proof.
  unfold expected. induction items as [| [[| a x] m] rest IH]; intros groups f H; simpl in H.
  - injection H as <-. reflexivity.
  - discriminate.
  - destruct (group rest) as [[| [a' sub] more] |]; [| | discriminate].
    + injection H as <-. simpl. rewrite (IH [] f) by reflexivity. simpl. lra.
    + destruct (a =? a')%Z eqn:E.
      * apply Z.eqb_eq in E as ->. injection H as <-. simpl. rewrite (IH _ f eq_refl). simpl. lra.
      * injection H as <-. simpl. rewrite (IH _ f eq_refl). simpl. lra.
Qed.

Lemma group_pos : forall items groups, group items = Some groups -> Forall (fun atom => 0 <= snd atom)%Z items ->
  Forall (fun g => Forall (fun atom => 0 <= snd atom)%Z (snd g)) groups.
Proof.
  induction items as [| [[| a x] m] rest IH]; intros groups H Hpos; simpl in H.
  - injection H as <-. constructor.
  - discriminate.
  - inversion Hpos as [| ? ? Hm Hrest]; subst. simpl in Hm.
    destruct (group rest) as [[| [a' sub] more] |]; [| | discriminate].
    + injection H as <-. repeat constructor; simpl; assumption.
    + specialize (IH _ eq_refl Hrest). inversion IH as [| ? ? Hsub Hmore]; subst. simpl in Hsub.
      destruct (a =? a')%Z; injection H as <-; repeat (constructor; simpl; try assumption).
Qed.

(* ---- The whole grid ---- *)

Definition is_nil (x : point) : bool := match x with [] => true | _ => false end.

Definition mass_total (items : atoms) : Z := fold_left (fun sum atom => sum + snd atom)%Z items 0%Z.

Fixpoint all_rows (evaluate : atoms -> option vector) (groups : list (Z * atoms)) : option (list row) :=
  match groups with
  | [] => Some []
  | (a, sub) :: groups =>
    match evaluate sub, all_rows evaluate groups with
    | Some v, Some rows => Some ((a, v) :: rows)
    | _, _ => None
    end
  end.

Fixpoint zeros (axes : list axis) : vector :=
  match axes with
  | [] => [zero]
  | a :: axes => let under := zeros axes in flat_map (fun _ => under) (outputs a)
  end.

Fixpoint evaluate (axes : list axis) (items : atoms) : option vector :=
  match axes with
  | [] => if forallb (fun atom => is_nil (fst atom)) items then Some [whole b (mass_total items)] else None
  | a :: axes =>
    match group items with
    | None => None
    | Some groups =>
      match all_rows (evaluate axes) groups with
      | None => None
      | Some rows => option_map (@concat bound) (spread a (zeros axes) rows)
      end
    end
  end.

Lemma mass_total_sum : forall items, IZR (mass_total items) = mass_sum items.
Proof.
  assert (H : forall items s, IZR (fold_left (fun sum (atom : point * Z) => sum + snd atom)%Z items s) = IZR s + mass_sum items).
  { unfold mass_sum. induction items as [| a items IH]; intros s; simpl; [lra |]. rewrite IH, plus_IZR. lra. }
  intros items. unfold mass_total. rewrite H. lra.
Qed.

Lemma mass_total_pos : forall items, Forall (fun atom => 0 <= snd atom)%Z items -> (0 <= mass_total items)%Z.
Proof.
  intros items H. apply le_IZR. rewrite mass_total_sum. unfold mass_sum. apply sum_over_nonneg. intros a Ha.
  apply IZR_le. exact (proj1 (Forall_forall _ _) H a Ha).
Qed.

Lemma zeros_map : forall axes, zeros axes = map (fun _ => zero) (cells axes).
Proof.
  induction axes as [| a axes IH]; simpl; [reflexivity |]. rewrite IH. induction (outputs a) as [| y ys IHy]; simpl; [reflexivity |].
  rewrite map_app, map_map, IHy. reflexivity.
Qed.

Theorem evaluate_sound : forall axes, Forall good_axis axes -> forall items v,
  Forall (fun atom => 0 <= snd atom)%Z items -> evaluate axes items = Some v ->
  holds b (cells axes) v (fun y => expected items (fun x => joint_weight (map noise_of axes) x y)).
Proof.
  intros axes Hgood. induction Hgood as [| a axes Ha Hgood IH]; intros items v Hpos Hv.
  - simpl in Hv. destruct (forallb _ items) eqn:E; [| discriminate]. injection Hv as <-.
    simpl. unfold holds. constructor; [| constructor].
    replace (expected items _) with (IZR (mass_total items)).
    + apply within_whole; [assumption | apply mass_total_pos; assumption].
    + rewrite mass_total_sum. unfold expected, mass_sum. apply sum_over_ext. intros atom Hin.
      rewrite forallb_forall in E. specialize (E atom Hin). destruct (fst atom); [simpl; lra | discriminate].
  - cbn [evaluate] in Hv. destruct (group items) as [groups |] eqn:Eg; [| discriminate].
    destruct (all_rows (evaluate axes) groups) as [rows |] eqn:Er; [| discriminate].
    assert (Hgpos := group_pos items groups Eg Hpos).
    set (value := fun g : Z * atoms => (fst g, fun y => expected (snd g) (fun x => joint_weight (map noise_of axes) x y))).
    assert (Hrows : Forall2 (same_row b (cells axes)) rows (map value groups)).
    { clear Eg Hv. revert rows Er. induction groups as [| [c sub] groups IHg]; intros rows Er; simpl in Er.
      - injection Er as <-. constructor.
      - inversion Hgpos as [| ? ? Hsub Hrest]; subst. simpl in Hsub.
        destruct (evaluate axes sub) as [u |] eqn:Eu; [| discriminate].
        destruct (all_rows (evaluate axes) groups) as [more |]; [| discriminate]. injection Er as <-.
        simpl. constructor; [split; [reflexivity | simpl; apply IH; assumption] | apply IHg; [assumption | reflexivity]]. }
    rewrite zeros_map in Hv. destruct (spread a _ rows) as [vs |] eqn:Es; [| discriminate]. simpl in Hv. injection Hv as <-.
    assert (Hs := spread_sound (cells axes) a rows _ vs Ha Hrows Es). unfold holds. simpl cells.
    clear - Hs Eg. induction Hs as [| y v ys vs Hv Hs IHs]; simpl; [constructor |].
    apply Forall2_app; [| assumption]. apply Forall2_map_l.
    apply (holds_ext b _ (cells axes) v) with (2 := Hv). intros cell _.
    rewrite (group_sum items groups _ Eg). unfold weighed. rewrite sum_over_map. apply sum_over_ext. intros g _.
    unfold value. simpl. unfold expected. rewrite <- sum_over_scal_r. apply sum_over_ext. intros. ring.
Qed.
End Bits.

(* ---- The grid suffices ---- *)

(* Every output within reach of the point is on the grid. *)
Fixpoint fits (axes : list axis) (x : point) : Prop :=
  match axes, x with
  | [], [] => True
  | a :: axes, c :: x => (forall y, (Z.abs (y - c) <= reach (noise_of a))%Z -> In y (outputs a)) /\ fits axes x
  | _, _ => False
  end.

Theorem grid_suffices : forall axes, Forall (fun a => proper (noise_of a)) axes -> forall d : list (point * R),
  Forall (fun atom => fits axes (fst atom)) d ->
  (forall y, In y (cells axes) -> 0 <= sum_over (fun atom => snd atom * joint_weight (map noise_of axes) (fst atom) y) d) ->
  forall y, 0 <= sum_over (fun atom => snd atom * joint_weight (map noise_of axes) (fst atom) y) d.
Proof.
  intros axes Hn. induction Hn as [| a axes Ha Hn IH]; intros d Hfits Hcells y.
  - destruct y as [| c y]; [apply Hcells; left; reflexivity |].
    right. symmetry. apply sum_over_zero. intros atom _. simpl. destruct (fst atom); ring.
  - destruct y as [| c y].
    { right. symmetry. apply sum_over_zero. intros atom _. simpl. destruct (fst atom); ring. }
    (* On the outputs of this axis, whatever the other columns are. *)
    assert (Hon : forall c, In c (outputs a) -> forall y,
              0 <= sum_over (fun atom => snd atom * joint_weight (map noise_of (a :: axes)) (fst atom) (c :: y)) d).
    { intros e He z.
      set (d' := map (fun atom => (tl (fst atom), snd atom * weight (noise_of a) (e - hd 0%Z (fst atom)))) d).
      assert (Hsame : forall z, sum_over (fun atom => snd atom * joint_weight (map noise_of (a :: axes)) (fst atom) (e :: z)) d
                = sum_over (fun atom => snd atom * joint_weight (map noise_of axes) (fst atom) z) d').
      { intros z'. unfold d'. rewrite sum_over_map. apply sum_over_ext. intros atom Hin. cbn [fst snd].
        rewrite Forall_forall in Hfits. specialize (Hfits atom Hin). destruct atom as [[| h t] m]; [contradiction |].
        simpl. ring. }
      rewrite Hsame. apply IH.
      - unfold d'. apply Forall_forall. intros atom' Hin. apply in_map_iff in Hin as [atom [<- Hin]]. simpl.
        rewrite Forall_forall in Hfits. specialize (Hfits atom Hin). destruct atom as [[| h t] m]; [contradiction |].
        exact (proj2 Hfits).
      - intros z' Hz'. rewrite <- Hsame. apply Hcells. simpl. apply in_flat_map. exists e. split; [assumption |].
        apply in_map. assumption. }
    (* Then along this axis. *)
    set (e := map (fun atom => (hd 0%Z (fst atom), snd atom * joint_weight (map noise_of axes) (tl (fst atom)) y)) d).
    assert (Hsame : forall c, sum_over (fun atom => snd atom * joint_weight (map noise_of (a :: axes)) (fst atom) (c :: y)) d
              = output_mass (adding (weight (noise_of a))) e c).
    { intros c'. unfold output_mass, e. rewrite sum_over_map. apply sum_over_ext. intros atom Hin. cbn [fst snd].
      rewrite Forall_forall in Hfits. specialize (Hfits atom Hin). destruct atom as [[| h t] m]; [contradiction |].
      unfold adding. simpl. ring. }
    rewrite Hsame. apply windows_suffice_signed with (reach := reach (noise_of a)) (t := ratio (noise_of a)).
    { apply weight_tails. assumption. }
    intros x z Hx Hz. rewrite <- Hsame. apply Hon. unfold e in Hx. rewrite map_map in Hx. simpl in Hx.
    apply in_map_iff in Hx as [atom [<- Hin]]. rewrite Forall_forall in Hfits. specialize (Hfits atom Hin).
    destruct atom as [[| h t] m]; [contradiction |]. apply (proj1 Hfits). exact Hz.
Qed.
