(* Noise along one column: the bounds of what every atom brings to every output.

   What lies beyond the reach of an atom is carried from output to output, from the left and from the right; what lies
   within it is added atom by atom. Each entry is a vector: the bounds at every cell of the grid of further columns. *)
From Coq Require Import Reals ZArith List Lra Lia Bool.
Require Import Fugu.Private Fugu.Sums Fugu.Windows Fugu.Plan Fugu.Bound.
Import ListNotations.
Open Scope R_scope.

(* ---- The noise of one column ---- *)

Definition noise_ok (n : noise) : bool :=
  ((0 <=? reach n) && (Z.of_nat (length (weights n)) =? 2 * reach n + 1) && forallb (Z.leb 0) (weights n)
   && (0 <? hd 0 (weights n)) && (0 <? last (weights n) 0)
   && (0 <=? bits n) && (0 <=? numerator n) && (numerator n <? 2 ^ bits n))%Z.

Record proper (n : noise) : Prop := Proper {
  reach_pos : (0 <= reach n)%Z;
  length_weights : Z.of_nat (length (weights n)) = (2 * reach n + 1)%Z;
  weights_pos : Forall (Z.le 0) (weights n);
  first_pos : (0 < hd 0 (weights n))%Z;
  last_pos : (0 < last (weights n) 0)%Z;
  bits_pos : (0 <= bits n)%Z;
  numerator_pos : (0 <= numerator n)%Z;
  numerator_small : (numerator n < 2 ^ bits n)%Z
}.

Lemma noise_ok_proper : forall n, noise_ok n = true -> proper n.
Proof.
  intros n H. unfold noise_ok in H. repeat (apply andb_prop in H; destruct H as [H ?]).
  constructor; try lia.
  apply Forall_forall. intros w Hw.
  match goal with Hall : forallb _ _ = true |- _ => rewrite forallb_forall in Hall; specialize (Hall w Hw) end. lia.
Qed.

Lemma ratio_range : forall n, proper n -> 0 <= ratio n < 1.
Proof.
  intros n H. unfold ratio. assert (Hb := bits_pos n H). assert (H0 := numerator_pos n H).
  assert (H1 := numerator_small n H). assert (Hp : (0 < 2 ^ bits n)%Z) by lia.
  apply IZR_le in H0. apply IZR_lt in H1. apply IZR_lt in Hp. split.
  - apply Rmult_le_pos; [assumption | left; apply Rinv_0_lt_compat; assumption].
  - apply Rmult_lt_reg_r with (IZR (2 ^ bits n)); [assumption |]. field_simplify; lra.
Qed.

(* The weight as what is carried from each side and what is within the reach. *)
Definition beyond (t : R) (z : Z) : R := if (0 <? z)%Z then t ^ Z.to_nat z else 0.
Definition inside (ws : list Z) (i : Z) : R := if (i <? 0)%Z then 0 else IZR (nth (Z.to_nat i) ws 0%Z).

Lemma weight_parts : forall n z, proper n ->
  weight n z = last_weight n * beyond (ratio n) (z - reach n) + first_weight n * beyond (ratio n) (- z - reach n)
               + inside (weights n) (z + reach n).
Proof.
  intros n z H. assert (Hr := reach_pos n H). assert (Hl := length_weights n H).
  unfold weight, beyond, inside.
  destruct (Z.ltb_spec (reach n) z) as [H1 | H1].
  - replace (0 <? z - reach n)%Z with true by lia. replace (0 <? - z - reach n)%Z with false by lia.
    replace (z + reach n <? 0)%Z with false by lia. rewrite nth_overflow by lia. lra.
  - replace (0 <? z - reach n)%Z with false by lia.
    destruct (Z.ltb_spec z (- reach n)) as [H2 | H2].
    + replace (0 <? - z - reach n)%Z with true by lia. replace (z + reach n <? 0)%Z with true by lia. lra.
    + replace (0 <? - z - reach n)%Z with false by lia. replace (z + reach n <? 0)%Z with false by lia. lra.
Qed.

Lemma nth_last : forall (A : Type) (items : list A) d, items <> [] -> last items d = nth (length items - 1) items d.
Proof.
  induction items as [| a [| a' rest] IH]; intros d H; [contradiction | reflexivity |].
  change (last (a' :: rest) d = nth (length (a' :: rest)) (a :: a' :: rest) d). rewrite IH by discriminate.
  simpl. rewrite Nat.sub_0_r. reflexivity.
Qed.

Lemma weight_tails : forall n, proper n -> geometric_tails (reach n) (ratio n) (weight n).
Proof.
  intros n H. assert (Hr := reach_pos n H). assert (Hl := length_weights n H).
  assert (Hne : weights n <> []) by (intros E; rewrite E in Hl; cbn [length] in Hl; lia).
  split; [apply ratio_range; assumption |]. split; [assumption |]. split; intros z Hz; unfold weight.
  - replace (reach n <? z + 1)%Z with true by lia.
    destruct (Z.ltb_spec (reach n) z) as [H1 | H1].
    + replace (Z.to_nat (z + 1 - reach n)) with (S (Z.to_nat (z - reach n))) by lia. simpl. ring.
    + replace (z <? - reach n)%Z with false by lia. replace (Z.to_nat (z + 1 - reach n)) with 1%nat by lia.
      unfold last_weight. rewrite nth_last by assumption.
      replace (Z.to_nat (z + reach n)) with (length (weights n) - 1)%nat by lia. simpl. ring.
  - replace (reach n <? z - 1)%Z with false by lia. replace (z - 1 <? - reach n)%Z with true by lia.
    replace (reach n <? z)%Z with false by lia.
    destruct (Z.ltb_spec z (- reach n)) as [H1 | H1].
    + replace (Z.to_nat (- (z - 1) - reach n)) with (S (Z.to_nat (- z - reach n))) by lia. simpl. ring.
    + replace (Z.to_nat (- (z - 1) - reach n)) with 1%nat by lia. replace (Z.to_nat (z + reach n)) with 0%nat by lia.
      unfold first_weight. destruct (weights n); [contradiction |]. simpl. ring.
Qed.

Lemma weight_nonneg : forall n z, proper n -> 0 <= weight n z.
Proof.
  intros n z H. assert (Ht := ratio_range n H). unfold weight, last_weight, first_weight.
  assert (Hf := IZR_lt _ _ (first_pos n H)). assert (Hl := IZR_lt _ _ (last_pos n H)).
  destruct (_ <? _)%Z; [apply Rmult_le_pos; [lra | apply pow_le; lra] |].
  destruct (_ <? _)%Z; [apply Rmult_le_pos; [lra | apply pow_le; lra] |].
  apply IZR_le. destruct (nth_in_or_default (Z.to_nat (z + reach n)) (weights n) 0%Z) as [Hin | ->]; [| lia].
  exact (proj1 (Forall_forall _ _) (weights_pos n H) _ Hin).
Qed.

Lemma total_pos : forall n, proper n -> 0 < total_weight n.
Proof.
  intros n H. assert (Ht := ratio_range n H). unfold total_weight, last_weight, first_weight.
  assert (Hf := IZR_lt _ _ (first_pos n H)). assert (Hl := IZR_lt _ _ (last_pos n H)).
  assert (Hw := weights_pos n H).
  assert (Hq : 0 <= ratio n / (1 - ratio n)).
  { apply Rmult_le_pos; [lra | left; apply Rinv_0_lt_compat; lra]. }
  apply Rplus_lt_le_0_compat; [| apply Rmult_le_pos; lra].
  destruct (weights n) as [| w ws]; simpl in *; [lra |]. apply Rplus_lt_le_0_compat; [lra |].
  apply sum_over_nonneg. intros a Ha. apply IZR_le. inversion Hw as [| ? ? ? Hws]; subst.
  exact (proj1 (Forall_forall _ _) Hws a Ha).
Qed.

(* rev in linear time. *)
Definition reverse {A : Type} (items : list A) : list A := rev_append items [].
Lemma reverse_rev : forall (A : Type) (items : list A), reverse items = rev items.
Proof. intros. symmetry. apply rev_alt. Qed.

(* ---- Vectors of bounds ---- *)

Definition vector := list bound.

Fixpoint vadd (u v : vector) : vector :=
  match u, v with
  | a :: u, c :: v => add a c :: vadd u v
  | _, _ => []
  end.

Section Bits.
Variable b : Z.
Hypothesis b_pos : (0 <= b)%Z.

(* The bounds of a function at these cells. *)
Definition holds {Y : Type} (cells : list Y) (v : vector) (f : Y -> R) : Prop :=
  Forall2 (fun cell u => within b u (f cell)) cells v.

Lemma holds_ext : forall (Y : Type) (cells : list Y) v f g,
  (forall y, In y cells -> f y = g y) -> holds cells v f -> holds cells v g.
Proof.
  intros Y cells v f g H Hv. unfold holds in *. induction Hv as [| y u cells v Hu Hv IH]; constructor.
  - rewrite <- H by (left; reflexivity). assumption.
  - apply IH. intros. apply H. right. assumption.
Qed.

Lemma holds_add : forall (Y : Type) (cells : list Y) u v f g,
  holds cells u f -> holds cells v g -> holds cells (vadd u v) (fun y => f y + g y).
Proof.
  intros Y cells. unfold holds. induction cells as [| y cells IH]; intros u v f g Hu Hv; inversion Hu; inversion Hv; subst; simpl.
  - constructor.
  - constructor; [apply within_add; assumption | apply IH; assumption].
Qed.

Lemma holds_map : forall (Y : Type) (cells : list Y) v f (h : bound -> bound) (k : R -> R),
  (forall u x, within b u x -> within b (h u) (k x)) -> holds cells v f -> holds cells (map h v) (fun y => k (f y)).
Proof.
  intros Y cells v f h k H Hv. unfold holds in *. induction Hv; simpl; constructor; [apply H; assumption | assumption].
Qed.

Lemma holds_zero : forall (Y : Type) (cells : list Y), holds cells (map (fun _ => zero) cells) (fun _ => 0).
Proof. intros Y cells. unfold holds. induction cells; simpl; constructor; [apply within_zero | assumption]. Qed.

(* ---- Carrying along an axis ---- *)

Definition step := (Z * bound)%type.  (* an output, and t^gap from the one before *)
Definition row := (Z * vector)%type.  (* an atom, and its vector *)

Fixpoint sweep (steps : list step) (rows : list row) (carried : vector) : option (list vector) :=
  match steps with
  | [] => match rows with [] => Some [] | _ => None end
  | (y, p) :: steps =>
    let here := map (mul b p) carried in
    let continue rows next := option_map (cons here) (sweep steps rows next) in
    match rows with
    | [] => continue [] here
    | (a, v) :: rest => if (a =? y)%Z then continue rest (vadd here v) else continue rows here
    end
  end.

Fixpoint steps_ok (t : R) (before : Z) (steps : list step) : Prop :=
  match steps with
  | [] => True
  | (y, p) :: steps => (before < y)%Z /\ within b p (t ^ Z.to_nat (y - before)) /\ steps_ok t y steps
  end.

Section Cells.
Context {Y : Type} (cells : list Y).

Definition real_row := (Z * (Y -> R))%type.
Definition same_row (r : row) (s : real_row) : Prop := fst r = fst s /\ holds cells (snd r) (snd s).

(* The sum of rows weighed by their places. *)
Definition weighed (rows : list real_row) (k : Z -> R) (cell : Y) : R :=
  sum_over (fun r => snd r cell * k (fst r)) rows.

Lemma weighed_ext : forall rows k l cell, (forall r, In r rows -> k (fst r) = l (fst r)) ->
  weighed rows k cell = weighed rows l cell.
Proof. intros rows k l cell H. apply sum_over_ext. intros r Hr. rewrite H by assumption. reflexivity. Qed.

Lemma weighed_app : forall rows more k cell, weighed (rows ++ more) k cell = weighed rows k cell + weighed more k cell.
Proof. intros. apply sum_over_app. Qed.

Lemma weighed_none : forall rows k cell, (forall r, In r rows -> k (fst r) = 0) -> weighed rows k cell = 0.
Proof. intros rows k cell H. apply sum_over_zero. intros r Hr. rewrite H by assumption. ring. Qed.

Lemma sweep_sound : forall t, 0 <= t < 1 -> forall steps rows carried out before past todo,
  sweep steps rows carried = Some out -> steps_ok t before steps -> Forall2 same_row rows todo ->
  (forall r, In r past -> (fst r <= before)%Z) ->
  holds cells carried (weighed past (fun a => t ^ Z.to_nat (before - a))) ->
  (forall r, In r todo -> (before < fst r)%Z)
  /\ Forall2 (fun s v => holds cells v (weighed (past ++ todo) (fun a => beyond t (fst s - a)))) steps out.
Proof.
  intros t Ht. induction steps as [| [y p] steps IH]; intros rows carried out before past todo Hout Hsteps Hrows Hpast Hc.
  - simpl in Hout. destruct rows; [| discriminate]. inversion Hrows; subst. injection Hout as <-.
    split; [intros r [] | constructor].
  - destruct Hsteps as [Hy [Hp Hsteps]]. cbn [sweep] in Hout. cbv zeta in Hout.
    set (here := map (mul b p) carried) in *.
    assert (Hhere : holds cells here (weighed past (fun a => t ^ Z.to_nat (y - a)))).
    { apply holds_ext with (f := fun cell => t ^ Z.to_nat (y - before) * weighed past (fun a => t ^ Z.to_nat (before - a)) cell).
      - intros cell _. unfold weighed. rewrite <- sum_over_scal. apply sum_over_ext. intros r Hr.
        specialize (Hpast r Hr). replace (Z.to_nat (y - fst r)) with (Z.to_nat (y - before) + Z.to_nat (before - fst r))%nat by lia.
        rewrite pow_add. ring.
      - apply holds_map with (k := fun x => t ^ Z.to_nat (y - before) * x); [| assumption].
        intros u x Hu. apply within_mul; assumption. }
    assert (Hstep : forall rows' next more past', sweep steps rows' next = Some more -> Forall2 same_row rows' past' ->
              forall (now : list real_row), (forall r, In r now -> fst r = y) ->
              holds cells next (weighed (past ++ now) (fun a => t ^ Z.to_nat (y - a))) ->
              (forall r, In r (now ++ past') -> (before < fst r)%Z)
              /\ Forall2 (fun s v => holds cells v (weighed (past ++ now ++ past') (fun a => beyond t (fst s - a))))
                   ((y, p) :: steps) (here :: more)).
    { intros rows' next more todo' Hmore Hrows' now Hnow Hnext.
      destruct (IH rows' next more y (past ++ now) todo' Hmore Hsteps Hrows') as [Hlater Hall]; [| assumption |].
      - intros r Hr. apply in_app_or in Hr as [Hr | Hr]; [specialize (Hpast r Hr); lia | rewrite (Hnow r Hr); lia].
      - split.
        + intros r Hr. apply in_app_or in Hr as [Hr | Hr]; [rewrite (Hnow r Hr); assumption | specialize (Hlater r Hr); lia].
        + constructor.
          * apply holds_ext with (f := weighed past (fun a => t ^ Z.to_nat (y - a))); [| assumption].
            intros cell _. rewrite !weighed_app. cbn [fst].
            rewrite (weighed_none now) by (intros r Hr; unfold beyond; rewrite (Hnow r Hr), Z.sub_diag; reflexivity).
            rewrite (weighed_none todo').
            2: { intros r Hr. unfold beyond. specialize (Hlater r Hr). replace (0 <? y - fst r)%Z with false by lia. reflexivity. }
            rewrite !Rplus_0_r. apply weighed_ext. intros r Hr. unfold beyond. specialize (Hpast r Hr).
            replace (0 <? y - fst r)%Z with true by lia. reflexivity.
          * rewrite app_assoc. exact Hall. }
    inversion Hrows as [| [a v] r rest todo' Hsame Hrest]; subst.
    + destruct (sweep steps [] here) as [more |] eqn:E; [| discriminate]. injection Hout as <-.
      apply (Hstep [] here more [] E (Forall2_nil _) []); [intros r [] |]. rewrite app_nil_r. assumption.
    + destruct (a =? y)%Z eqn:Ha; [apply Z.eqb_eq in Ha as -> |].
      * destruct (sweep steps rest (vadd here v)) as [more |] eqn:E; [| discriminate]. injection Hout as <-.
        destruct Hsame as [Hfst Hv]. simpl in Hfst, Hv.
        apply (Hstep rest (vadd here v) more todo' E Hrest [r]).
        { intros r' [<- | []]. symmetry. assumption. }
        apply holds_ext with (f := fun cell => weighed past (fun a => t ^ Z.to_nat (y - a)) cell + snd r cell).
        { intros cell _. rewrite weighed_app. f_equal. unfold weighed. simpl. rewrite <- Hfst, Z.sub_diag. simpl. lra. }
        apply holds_add; assumption.
      * match type of Hout with option_map _ ?s = _ => destruct s as [more |] eqn:E end; [| discriminate]. injection Hout as <-.
        apply (Hstep ((a, v) :: rest) here more (r :: todo') E Hrows []); [intros r' [] |]. rewrite app_nil_r. assumption.
Qed.

(* ---- What is within the reach ---- *)

Fixpoint add_window (start : Z) (ws : list Z) (v : vector) (ys : list Z) (acc : list vector) : option (list vector) :=
  match ys, acc with
  | y :: ys', u :: acc' =>
    if (y <? start)%Z then option_map (cons u) (add_window start ws v ys' acc')
    else match ws with
         | [] => Some acc
         | w :: ws' =>
           if (y =? start)%Z then option_map (cons (vadd u (map (times w) v))) (add_window (start + 1) ws' v ys' acc')
           else None
         end
  | _, _ => match ws with [] => Some acc | _ => None end
  end.

Fixpoint increasing (before : Z) (ys : list Z) : bool :=
  match ys with
  | [] => true
  | y :: ys => (before <? y)%Z && increasing y ys
  end.

Lemma increasing_above : forall ys before y, increasing before ys = true -> In y ys -> (before < y)%Z.
Proof.
  induction ys as [| a ys IH]; intros before y H Hin; [contradiction |]. simpl in H. apply andb_prop in H as [H1 H2].
  destruct Hin as [<- | Hin]; [lia |]. specialize (IH a y H2 Hin). lia.
Qed.

Lemma add_window_sound : forall v g, holds cells v g -> forall ys before start ws acc out (f : Z -> Y -> R),
  increasing before ys = true -> Forall (Z.le 0) ws -> add_window start ws v ys acc = Some out ->
  Forall2 (fun y u => holds cells u (f y)) ys acc ->
  Forall2 (fun y u => holds cells u (fun cell => f y cell + g cell * inside ws (y - start))) ys out.
Proof.
  intros v g Hv. induction ys as [| y ys IH]; intros before start ws acc out f Hinc Hws Hout Hacc.
  - inversion Hacc; subst. simpl in Hout. destruct ws; [injection Hout as <- | discriminate]. constructor.
  - inversion Hacc as [| ? u ? acc' Hu Hacc']; subst. cbn [add_window] in Hout. simpl in Hinc. apply andb_prop in Hinc as [_ Hinc].
    destruct (y <? start)%Z eqn:Hlt; [apply Z.ltb_lt in Hlt |].
    + destruct (add_window start ws v ys acc') as [more |] eqn:E; [| discriminate]. injection Hout as <-. constructor.
      * apply holds_ext with (f := f y); [| assumption]. intros cell _. unfold inside.
        replace (y - start <? 0)%Z with true by lia. lra.
      * apply (IH y start ws acc' more f); assumption.
    + destruct ws as [| w ws'].
      * injection Hout as <-. assert (Hnone : forall i, inside [] i = 0).
        { intros i. unfold inside. destruct (i <? 0)%Z; [reflexivity |]. destruct (Z.to_nat i); reflexivity. }
        assert (Hsame : forall zs vs, Forall2 (fun y u => holds cells u (f y)) zs vs ->
                  Forall2 (fun y u => holds cells u (fun cell => f y cell + g cell * inside [] (y - start))) zs vs).
        { intros zs vs Hz. induction Hz as [| z w zs vs Hz' Hz IHz]; constructor; [| assumption].
          apply holds_ext with (f := f z); [| assumption]. intros cell _. rewrite Hnone. lra. }
        apply Hsame. assumption.
      * destruct (y =? start)%Z eqn:Hne; [apply Z.eqb_eq in Hne as -> | discriminate].
        destruct (add_window (start + 1) ws' v ys acc') as [more |] eqn:E; [| discriminate]. injection Hout as <-.
        inversion Hws as [| ? ? Hw Hws']; subst. constructor.
        { apply holds_ext with (f := fun cell => f start cell + g cell * IZR w).
          - intros cell _. unfold inside. rewrite Z.sub_diag. reflexivity.
          - apply holds_add; [assumption |]. apply holds_map with (k := fun x => x * IZR w); [| assumption].
            intros z x Hz. apply within_times; assumption. }
        assert (Hmore := IH start (start + 1)%Z ws' acc' more f Hinc Hws' E Hacc').
        assert (Habove : forall y, In y ys -> (start < y)%Z) by (intros y Hy; apply (increasing_above ys start y Hinc Hy)).
        clear - Hmore Habove. induction Hmore as [| y u ys out Hu Hmore IHm]; constructor.
        -- apply holds_ext with (2 := Hu). intros cell _. f_equal. f_equal. unfold inside.
           assert (start < y)%Z by (apply Habove; left; reflexivity).
           replace (y - (start + 1) <? 0)%Z with false by lia. replace (y - start <? 0)%Z with false by lia.
           replace (Z.to_nat (y - start)) with (S (Z.to_nat (y - (start + 1)))) by lia. reflexivity.
        -- apply IHm. intros. apply Habove. right. assumption.
Qed.
End Cells.
End Bits.
