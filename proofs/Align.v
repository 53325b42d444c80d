(* Values and their places: a table's points are distinct because they increase, and the masses of a law are those of the
   places. *)
From Coq Require Import Reals ZArith List Lra Lia Bool.
Require Import Fugu.Private Fugu.Sums Fugu.Plan Fugu.Carry Fugu.Grid Fugu.NoiseCheck.
Import ListNotations.
Open Scope R_scope.

(* ---- Points that increase are distinct ---- *)

Fixpoint point_ltb (x y : point) : bool :=
  match x, y with
  | _, [] => false
  | [], _ => true
  | a :: x, c :: y => (a <? c)%Z || ((a =? c)%Z && point_ltb x y)
  end.

Fixpoint rising (points : list point) : bool :=
  match points with
  | x :: ((y :: _) as rest) => point_ltb x y && rising rest
  | _ => true
  end.

Lemma point_ltb_irrefl : forall x, point_ltb x x = false.
Proof. induction x as [| a x IH]; simpl; [reflexivity |]. rewrite Z.ltb_irrefl, Z.eqb_refl, IH. reflexivity. Qed.

Lemma point_ltb_trans : forall x y z, point_ltb x y = true -> point_ltb y z = true -> point_ltb x z = true.
Proof.
  induction x as [| a x IH]; intros [| c y] [| d z] H1 H2; simpl in *; try discriminate; try reflexivity.
  apply orb_prop in H1. apply orb_prop in H2. apply orb_true_intro.
  destruct H1 as [H1 | H1], H2 as [H2 | H2]; try (apply andb_prop in H1 as [H1 H1']); try (apply andb_prop in H2 as [H2 H2']).
  - left. lia.
  - left. lia.
  - left. lia.
  - right. apply andb_true_intro. split; [lia | apply (IH y); assumption].
Qed.

Lemma rising_above : forall points x, rising (x :: points) = true -> forall y, In y points -> point_ltb x y = true.
Proof.
  induction points as [| z points IH]; intros x H y Hy; [contradiction |].
  change (point_ltb x z && rising (z :: points) = true) in H. apply andb_prop in H as [H1 H2].
  destruct Hy as [<- | Hy]; [assumption |]. apply point_ltb_trans with z; [assumption | apply IH; assumption].
Qed.

Lemma rising_distinct : forall points, rising points = true -> NoDup points.
Proof.
  induction points as [| x points IH]; intros H; constructor.
  - intros Hin. assert (E := rising_above points x H x Hin). rewrite point_ltb_irrefl in E. discriminate.
  - apply IH. destruct points as [| y points]; [reflexivity |].
    change (point_ltb x y && rising (y :: points) = true) in H. apply andb_prop in H as [_ H]. assumption.
Qed.

(* ---- Items at places ---- *)

Lemma range_nth : forall count from k, (k < count)%nat -> nth k (range from count) 0%Z = (from + Z.of_nat k)%Z.
Proof.
  induction count as [| count IH]; intros from [| k] H; simpl; try lia. rewrite IH by lia. lia.
Qed.

Lemma in_range_iff : forall count from y, In y (range from count) <-> (from <= y < from + Z.of_nat count)%Z.
Proof.
  intros count from y. split; [| apply in_range]. revert from. induction count as [| count IH]; intros from H; [contradiction |].
  destruct H as [<- | H]; [lia |]. specialize (IH _ H). lia.
Qed.

Lemma range_distinct : forall count from, NoDup (range from count).
Proof.
  induction count as [| count IH]; intros from; constructor; [| apply IH]. intros H. apply in_range_iff in H. lia.
Qed.

Lemma sum_over_items : forall (A : Type) (d : A) (f : A -> R) items from,
  sum_over f items = sum_over (fun i => f (item_at items d (i - from))) (range from (length items)).
Proof.
  intros A d f. induction items as [| a items IH]; intros from; simpl; [reflexivity |].
  replace (from - from)%Z with 0%Z by lia. unfold item_at at 1. simpl. f_equal.
  rewrite (IH (from + 1)%Z). apply sum_over_ext. intros i Hi. apply in_range_iff in Hi. unfold item_at.
  replace (Z.to_nat (i - from)) with (S (Z.to_nat (i - (from + 1)))) by lia. reflexivity.
Qed.

Lemma item_at_combine : forall (A B : Type) (a : A) (c : B) xs ys i, length xs = length ys ->
  item_at (combine xs ys) (a, c) i = (item_at xs a i, item_at ys c i).
Proof. intros. unfold item_at. apply combine_nth. assumption. Qed.

Lemma place_of_skip : forall before x after from, ~ In x before ->
  place_of x (before ++ x :: after) from = Some (from + Z.of_nat (length before))%Z.
Proof.
  induction before as [| a before IH]; intros x after from H; simpl.
  - destruct (point_eq_dec x x); [f_equal; lia | contradiction].
  - destruct (point_eq_dec a x) as [-> | E]; [exfalso; apply H; left; reflexivity |].
    rewrite IH by (intros Hin; apply H; right; assumption). f_equal. lia.
Qed.

Lemma place_of_range : forall x items from i, place_of x items from = Some i ->
  (from <= i < from + Z.of_nat (length items))%Z /\ item_at items [] (i - from) = x.
Proof.
  induction items as [| a items IH]; intros from i H; simpl in H; [discriminate |].
  destruct (point_eq_dec a x) as [-> | E].
  - injection H as <-. simpl. split; [lia |]. rewrite Z.sub_diag. reflexivity.
  - destruct (IH _ _ H) as [H1 H2]. simpl length. split; [lia |]. unfold item_at in *.
    replace (Z.to_nat (i - from)) with (S (Z.to_nat (i - (from + 1)))) by lia. assumption.
Qed.

(* ---- Masses by place ---- *)

Fixpoint take_equal (x : point) (items : atoms) (sum : Z) : Z * atoms :=
  match items with
  | [] => (sum, [])
  | (y, m) :: rest => if point_eq_dec y x then take_equal x rest (sum + m)%Z else (sum, items)
  end.

(* The mass of each point; None where a value is none of them. *)
Fixpoint align (points : list point) (items : atoms) : option (list Z) :=
  match points with
  | [] => match items with [] => Some [] | _ => None end
  | x :: points => let (m, rest) := take_equal x items 0%Z in option_map (cons m) (align points rest)
  end.

Lemma take_equal_sum : forall x items sum m rest f, take_equal x items sum = (m, rest) ->
  IZR sum * f x + expected items f = IZR m * f x + expected rest f.
Proof.
  unfold expected. induction items as [| [y k] items IH]; intros sum m rest f H; simpl in H.
  - injection H as <- <-. reflexivity.
  - destruct (point_eq_dec y x) as [-> | E].
    + rewrite <- (IH _ _ _ f H). rewrite plus_IZR. simpl. ring.
    + injection H as <- <-. reflexivity.
Qed.

Lemma take_equal_pos : forall x items sum m rest, take_equal x items sum = (m, rest) -> (0 <= sum)%Z ->
  Forall (fun atom => 0 <= snd atom)%Z items -> (0 <= m)%Z /\ Forall (fun atom => 0 <= snd atom)%Z rest.
Proof.
  induction items as [| [y k] items IH]; intros sum m rest H Hs Hpos; simpl in H.
  - injection H as <- <-. split; assumption.
  - inversion Hpos as [| ? ? Hk Hrest]; subst. simpl in Hk. destruct (point_eq_dec y x).
    + apply (IH _ _ _ H); [lia | assumption].
    + injection H as <- <-. split; assumption.
Qed.

Lemma align_length : forall points items masses, align points items = Some masses -> length masses = length points.
Proof.
  induction points as [| x points IH]; intros items masses H; simpl in H.
  - destruct items; [injection H as <-; reflexivity | discriminate].
  - destruct (take_equal x items 0) as [m rest]. destruct (align points rest) as [more |] eqn:E; [| discriminate].
    injection H as <-. simpl. rewrite (IH rest more E). reflexivity.
Qed.

Lemma align_pos : forall points items masses, align points items = Some masses ->
  Forall (fun atom => 0 <= snd atom)%Z items -> Forall (Z.le 0) masses.
Proof.
  induction points as [| x points IH]; intros items masses H Hpos; simpl in H.
  - destruct items; [injection H as <-; constructor | discriminate].
  - destruct (take_equal x items 0) as [m rest] eqn:Et. destruct (align points rest) as [more |] eqn:E; [| discriminate].
    injection H as <-. destruct (take_equal_pos x items 0 m rest Et ltac:(lia) Hpos) as [Hm Hrest].
    constructor; [assumption | apply (IH rest more E Hrest)].
Qed.

Lemma align_sum : forall points items masses f, align points items = Some masses ->
  expected items f = sum_over (fun cell => IZR (snd cell) * f (fst cell)) (combine points masses).
Proof.
  induction points as [| x points IH]; intros items masses f H; simpl in H.
  - destruct items; [injection H as <-; reflexivity | discriminate].
  - destruct (take_equal x items 0) as [m rest] eqn:Et. destruct (align points rest) as [more |] eqn:E; [| discriminate].
    injection H as <-. simpl. rewrite <- (IH rest more f E). assert (Hs := take_equal_sum x items 0 m rest f Et). lra.
Qed.

(* What a law expects of a function of places. *)
Definition at_place (points : list point) (k : Z -> R) (x : point) : R :=
  match place_of x points 0 with Some i => k i | None => 0 end.

Theorem align_places : forall points items masses k, rising points = true -> align points items = Some masses ->
  expected items (at_place points k)
  = sum_over (fun i => IZR (item_at masses 0%Z i) * k i) (range 0 (length points)).
Proof.
  intros points items masses k Hrising H. rewrite (align_sum points items masses _ H).
  assert (Hl := align_length points items masses H). assert (Hd := rising_distinct points Hrising).
  rewrite (sum_over_items _ ([], 0%Z) _ (combine points masses) 0%Z). rewrite combine_length, Hl, Nat.min_id.
  apply sum_over_ext. intros i Hi. apply in_range_iff in Hi. rewrite Z.sub_0_r, item_at_combine by (symmetry; assumption).
  cbn [fst snd]. f_equal. unfold at_place, item_at at 1.
  destruct (nth_split points [] (n := Z.to_nat i) ltac:(lia)) as [before [after [Hsplit Hlen]]].
  rewrite Hsplit in Hd. apply NoDup_remove_2 in Hd.
  rewrite Hsplit at 2. rewrite place_of_skip by (intros Hin; apply Hd; apply in_or_app; left; assumption).
  rewrite Hlen. f_equal. lia.
Qed.
