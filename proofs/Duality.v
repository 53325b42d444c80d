(* The transfer bound is the least that costs can give: where no k transfers p to q at l, some function that obeys the costs
   has a mean under p of more than l times that under q. docs/math.md, section 17. *)
From Coq Require Import Reals List Lra.
Require Import Fugu.Private Fugu.Sums Fugu.Pairs Fugu.Transfer Fugu.Farkas.
Import ListNotations.
Open Scope R_scope.

Section Duality.
  Context {X : Type}.
  Variable same : forall x y : X, {x = y} + {x <> y}.
  Variable points : list X.
  Variable cost : X -> X -> R.
  Variables p q : X -> R.
  Variable l : R.
  Hypothesis points_once : NoDup points.

  Definition same_pair : forall a b : X * X, {a = b} + {a <> b}.
  Proof. decide equality. Defined.

  Definition indicator (x z : X) : R := if same z x then 1 else 0.

  (* The unknowns are k(x, x'). *)
  Definition not_negative (cell : X * X) : inequality (V := X * X) := (fun other => if same_pair other cell then -1 else 0, 0).
  Definition enough_leaves (x : X) : inequality (V := X * X) := (fun cell => - indicator x (fst cell), - p x).
  Definition little_arrives (x' : X) : inequality (V := X * X) :=
    (fun cell => indicator x' (snd cell) * cost (fst cell) (snd cell), l * q x').

  Definition programme : list (inequality (V := X * X)) :=
    map not_negative (list_prod points points) ++ map enough_leaves points ++ map little_arrives points.

  Definition cells := list_prod points points.

  (* Prices: u for what leaves, v for what arrives, s for signs. *)
  Definition priced_by (s : X * X -> R) (u v : X -> R) (a : X * X -> R) (b : R) : Prop :=
    (forall cell, 0 <= s cell) /\ (forall x, 0 <= u x) /\ (forall x, 0 <= v x)
    /\ (forall x x', a (x, x') = - s (x, x') - u x + v x' * cost x x')
    /\ b = - sum_over (fun x => p x * u x) points + l * sum_over (fun x => q x * v x) points.

  Lemma indicator_mean : forall (f : X -> R) (x : X), In x points ->
    sum_over (fun z => f z * indicator x z) points = f x.
  Proof.
    intros f x Hx. rewrite <- (sum_over_pick X same f x points points_once Hx). apply sum_over_ext. intros z _.
    unfold indicator. destruct (same z x); ring.
  Qed.

  Lemma indicator_nonneg : forall x z, 0 <= indicator x z.
  Proof. intros x z. unfold indicator. destruct (same z x); lra. Qed.

  Lemma follows_has_prices : forall a b, follows programme a b -> exists s u v, priced_by s u v a b.
  Proof.
    assert (Hzero : forall f : X -> R, sum_over (fun x => f x * 0) points = 0) by (intros; apply sum_over_zero; intros; ring).
    intros a b H. induction H as [a b Hin | a b a' b' sum _ IH _ IH' Hsum | a b t product Ht _ IH Hproduct].
    - apply in_app_or in Hin as [Hin | Hin]; [| apply in_app_or in Hin as [Hin | Hin]].
      + apply in_map_iff in Hin as [cell [Heq _]]. unfold not_negative in Heq. injection Heq as <- <-.
        exists (fun other => if same_pair other cell then 1 else 0), (fun _ => 0), (fun _ => 0).
        repeat split; try (intros; lra).
        * intros other. destruct (same_pair other cell); lra.
        * intros x x'. destruct (same_pair (x, x') cell); ring.
        * rewrite !Hzero. ring.
      + apply in_map_iff in Hin as [x [Heq Hx]]. unfold enough_leaves in Heq. injection Heq as <- <-.
        exists (fun _ => 0), (indicator x), (fun _ => 0). repeat split; try (intros; lra); try apply indicator_nonneg.
        * intros z z'. simpl. ring.
        * rewrite Hzero, indicator_mean by exact Hx. ring.
      + apply in_map_iff in Hin as [x [Heq Hx]]. unfold little_arrives in Heq. injection Heq as <- <-.
        exists (fun _ => 0), (fun _ => 0), (indicator x). repeat split; try (intros; lra); try apply indicator_nonneg.
        * intros z z'. simpl. ring.
        * rewrite Hzero, indicator_mean by exact Hx. ring.
    - destruct IH as [s [u [v [Hs [Hu [Hv [Ha Hb]]]]]]]. destruct IH' as [s' [u' [v' [Hs' [Hu' [Hv' [Ha' Hb']]]]]]].
      exists (fun cell => s cell + s' cell), (fun x => u x + u' x), (fun x => v x + v' x). repeat split.
      + intros cell. specialize (Hs cell). specialize (Hs' cell). lra.
      + intros x. specialize (Hu x). specialize (Hu' x). lra.
      + intros x. specialize (Hv x). specialize (Hv' x). lra.
      + intros x x'. rewrite Hsum, Ha, Ha'. ring.
      + rewrite (sum_over_ext X (fun x => p x * (u x + u' x)) (fun x => p x * u x + p x * u' x)) by (intros; ring).
        rewrite (sum_over_ext X (fun x => q x * (v x + v' x)) (fun x => q x * v x + q x * v' x)) by (intros; ring).
        rewrite !sum_over_plus, Hb, Hb'. ring.
    - destruct IH as [s [u [v [Hs [Hu [Hv [Ha Hb]]]]]]].
      exists (fun cell => t * s cell), (fun x => t * u x), (fun x => t * v x).
      repeat split; try (intros; apply Rmult_le_pos; auto).
      + intros x x'. rewrite Hproduct, Ha. ring.
      + rewrite (sum_over_ext X (fun x => p x * (t * u x)) (fun x => t * (p x * u x))) by (intros; ring).
        rewrite (sum_over_ext X (fun x => q x * (t * v x)) (fun x => t * (q x * v x))) by (intros; ring).
        rewrite !sum_over_scal, Hb. ring.
  Qed.

  (* A solution of the programme, made 0 outside the points and its rows cut down to p, is a k. *)
  Lemma solution_transfers : (forall x, 0 <= p x) -> (forall x x', 0 <= cost x x') ->
    forall k : X * X -> R, (forall c, In c programme -> holds cells k c) -> exists k', transfers points cost k' l p q.
  Proof.
    intros Hp Hcost k Hk.
    assert (Hnonneg : forall x x', In x points -> In x' points -> 0 <= k (x, x')).
    { intros x x' Hx Hx'. assert (Hcell : In (x, x') cells) by (apply in_prod; assumption).
      assert (H := Hk (not_negative (x, x')) (in_or_app _ _ _ (or_introl (in_map _ _ _ Hcell)))).
      unfold holds, not_negative in H. simpl in H.
      rewrite (sum_over_ext _ _ (fun cell => if same_pair cell (x, x') then - k cell else 0)) in H.
      - rewrite (sum_over_pick _ same_pair (fun cell => - k cell)) in H;
          [lra | apply pairs_once; exact points_once | exact Hcell].
      - intros cell _. destruct (same_pair cell (x, x')); ring. }
    assert (Hrow : forall x, In x points -> p x <= sum_over (fun x' => k (x, x')) points).
    { intros x Hx. assert (Hin : In (enough_leaves x) programme)
        by (apply in_or_app; right; apply in_or_app; left; apply in_map, Hx).
      assert (H := Hk _ Hin). unfold holds, enough_leaves, cells in H. simpl in H.
      rewrite sum_over_list_prod in H. simpl in H.
      rewrite (sum_over_ext _ _ (fun z => - sum_over (fun x' => k (z, x')) points * indicator x z)) in H.
      - rewrite (indicator_mean (fun z => - sum_over (fun x' => k (z, x')) points) x Hx) in H.
        lra.
      - intros z _. rewrite sum_over_scal. ring. }
    assert (Hcolumn : forall x', In x' points -> sum_over (fun x => k (x, x') * cost x x') points <= l * q x').
    { intros x' Hx'. assert (Hin : In (little_arrives x') programme)
        by (apply in_or_app; right; apply in_or_app; right; apply in_map, Hx').
      assert (H := Hk _ Hin). unfold holds, little_arrives, cells in H. simpl in H.
      rewrite sum_over_list_prod in H. simpl in H.
      rewrite (sum_over_ext _ _ (fun x => k (x, x') * cost x x')) in H.
      - exact H.
      - intros x _. rewrite (sum_over_ext _ _ (fun z => k (x, z) * cost x z * indicator x' z)) by (intros; ring).
        apply (indicator_mean (fun z => k (x, z) * cost x z) x' Hx'). }
    set (row := fun x => sum_over (fun x' => k (x, x')) points).
    set (inside := fun x => if in_dec same x points then 1 else 0).
    assert (Hinside : forall x, In x points -> inside x = 1).
    { intros x Hx. unfold inside. destruct (in_dec same x points); [reflexivity | contradiction]. }
    assert (Hshare : forall x, In x points -> 0 <= p x / row x <= 1 /\ p x / row x * row x = p x).
    { intros x Hx. specialize (Hrow x Hx). fold (row x) in Hrow. specialize (Hp x).
      destruct (Rlt_dec 0 (row x)) as [Hpos | Hneg].
      - repeat split; [apply Rmult_le_pos; [lra | left; apply Rinv_0_lt_compat, Hpos] | | field; lra].
        apply Rmult_le_reg_r with (row x); [exact Hpos |]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra.
      - replace (p x) with 0 by lra. unfold Rdiv. rewrite Rmult_0_l. lra. }
    exists (fun x x' => inside x * inside x' * (p x / row x * k (x, x'))). split; [| split].
    - intros x x'. unfold inside. destruct (in_dec same x points) as [Hx |]; [| lra].
      destruct (in_dec same x' points) as [Hx' |]; [| lra]. rewrite !Rmult_1_l.
      apply Rmult_le_pos; [apply Hshare, Hx | apply Hnonneg; assumption].
    - intros x Hx. rewrite (sum_over_ext _ _ (fun x' => p x / row x * k (x, x'))).
      + rewrite sum_over_scal. apply Hshare, Hx.
      + intros x' Hx'. rewrite !Hinside by assumption. ring.
    - intros x' Hx'. apply Rle_trans with (2 := Hcolumn x' Hx'). apply sum_over_le. intros x Hx.
      rewrite !Hinside by assumption. rewrite !Rmult_1_l. apply Rmult_le_compat_r; [apply Hcost |].
      rewrite <- (Rmult_1_l (k (x, x'))) at 2. apply Rmult_le_compat_r; [apply Hnonneg; assumption | apply Hshare, Hx].
  Qed.

  (* Either some k transfers at l, or prices show that none does. *)
  Theorem transfer_or_prices : (forall x, 0 <= p x) -> (forall x x', 0 <= cost x x') ->
    (exists k, transfers points cost k l p q)
    \/ (exists u v : X -> R, (forall x, 0 <= u x) /\ (forall x, 0 <= v x)
          /\ (forall x x', In x points -> In x' points -> u x <= cost x x' * v x')
          /\ l * sum_over (fun x => q x * v x) points < sum_over (fun x => p x * u x) points).
  Proof.
    intros Hp Hcost.
    destruct (farkas same_pair cells programme (pairs_once _ _ _ _ points_once points_once))
      as [[k Hk] | [a [b [Hfollows [Hzero Hneg]]]]].
    - left. apply (solution_transfers Hp Hcost k Hk).
    - right. destruct (follows_has_prices a b Hfollows) as [s [u [v [Hs [Hu [Hv [Ha Hb]]]]]]].
      exists u, v. split; [exact Hu |]. split; [exact Hv |]. split; [| lra].
      intros x x' Hx Hx'. assert (H := Ha x x'). rewrite (Hzero (x, x') (in_prod points points x x' Hx Hx')) in H.
      specialize (Hs (x, x')). lra.
  Qed.

  Fixpoint least_over (f : X -> R) (first : R) (items : list X) : R :=
    match items with
    | [] => first
    | x :: rest => Rmin (f x) (least_over f first rest)
    end.

  Lemma least_over_below : forall f first items x, In x items -> least_over f first items <= f x.
  Proof.
    intros f first items x. induction items as [| z rest IH]; intros Hin; [contradiction |]. simpl.
    destruct Hin as [-> | Hin]; [apply Rmin_l |]. apply Rle_trans with (1 := Rmin_r _ _). apply IH, Hin.
  Qed.

  Lemma least_over_above : forall f first items bound, bound <= first -> (forall x, In x items -> bound <= f x) ->
    bound <= least_over f first items.
  Proof.
    intros f first items bound Hfirst H. induction items as [| z rest IH]; simpl; [exact Hfirst |].
    apply Rmin_glb; [apply H; left; reflexivity | apply IH; intros x Hx; apply H; right; exact Hx].
  Qed.

  (* Section 17, duality: where D has the triangle inequality, lambda is the largest E_p g / E_q g over the functions g that
     obey it. *)
  Theorem transfer_bound_is_the_least : 0 <= l -> (forall x, 0 <= p x) -> (forall x, 0 <= q x) ->
    (forall x x', 0 <= cost x x') -> (forall x, In x points -> cost x x = 1) ->
    (forall x y z, cost x z <= cost x y * cost y z) ->
    (exists k, transfers points cost k l p q)
    \/ (exists g : X -> R, (forall x, In x points -> 0 <= g x)
          /\ (forall x x', In x points -> In x' points -> g x <= cost x x' * g x')
          /\ l * sum_over (fun x => q x * g x) points < sum_over (fun x => p x * g x) points).
  Proof.
    intros Hl Hp Hq Hcost Hself Htriangle.
    destruct (transfer_or_prices Hp Hcost) as [Hk | [u [v [Hu [Hv [Huv Hless]]]]]]; [left; exact Hk |]. right.
    (* g x is the least of cost x x' * v x' over the points x'. *)
    set (g := fun x => least_over (fun x' => cost x x' * v x') (cost x x * v x) points).
    assert (Hgv : forall x, In x points -> g x <= v x).
    { intros x Hx. apply Rle_trans with (cost x x * v x); [| rewrite Hself by exact Hx; lra].
      apply (least_over_below (fun x' => cost x x' * v x')), Hx. }
    assert (Hug : forall x, In x points -> u x <= g x).
    { intros x Hx. apply least_over_above; [apply Huv; assumption |]. intros x' Hx'. apply Huv; assumption. }
    exists g. split; [| split].
    - intros x Hx. apply Rle_trans with (1 := Hu x). apply Hug, Hx.
    - intros x y Hx Hy.
      assert (Hattained : exists z, In z points /\ g y = cost y z * v z).
      { unfold g. assert (Hall : forall z, In z points -> In z points) by auto. revert Hall.
        generalize points at 1 4. intros items Hall. induction items as [| z rest IH]; simpl.
        - exists y. split; [exact Hy | reflexivity].
        - destruct (IH (fun w Hw => Hall w (or_intror Hw))) as [w [Hw Heq]].
          unfold Rmin. destruct (Rle_dec (cost y z * v z) _).
          + exists z. split; [apply Hall; left; reflexivity | reflexivity].
          + exists w. split; assumption. }
      destruct Hattained as [z [Hz ->]]. apply Rle_trans with (cost x z * v z).
      + apply (least_over_below (fun x' => cost x x' * v x')), Hz.
      + rewrite <- Rmult_assoc. apply Rmult_le_compat_r; [apply Hv | apply Htriangle].
    - apply Rle_lt_trans with (l * sum_over (fun x => q x * v x) points).
      + apply Rmult_le_compat_l; [exact Hl |]. apply sum_over_le. intros x Hx.
        apply Rmult_le_compat_l; [apply Hq | apply Hgv, Hx].
      + apply Rlt_le_trans with (1 := Hless). apply sum_over_le. intros x Hx.
        apply Rmult_le_compat_l; [apply Hp | apply Hug, Hx].
  Qed.
End Duality.

(* Section 17: so no bound from the costs alone is smaller. Where no k transfers at l, a release of two outputs that obeys all
   costs has an output more than l times as likely under p as under q. What costs nothing must cost nothing both ways. *)
Theorem no_bound_from_costs_is_smaller : forall (X : Type) (same : forall x y : X, {x = y} + {x <> y}) (points : list X)
    (cost : X -> X -> R) (p q : X -> R) (l : R),
  NoDup points -> 0 <= l -> (forall x, 0 <= p x) -> (forall x, 0 <= q x) -> (forall x x', 1 <= cost x x') ->
  (forall x, cost x x = 1) -> (forall x y z, cost x z <= cost x y * cost y z) ->
  (forall x x', cost x x' = 1 -> cost x' x = 1) ->
  (exists k, transfers points cost k l p q)
  \/ exists K : kernel X bool,
       (forall x y, In x points -> 0 <= K x y) /\ (forall x, In x points -> K x true + K x false = 1)
       /\ (forall x x' y, In x points -> In x' points -> K x y <= cost x x' * K x' y)
       /\ l * output_mass K (weighing points q) true < output_mass K (weighing points p) true.
Proof.
  intros X same points cost p q l Hnodup Hl Hp Hq Hcost Hself Htriangle Hboth.
  assert (Hpos : forall x x', 0 <= cost x x') by (intros x x'; specialize (Hcost x x'); lra).
  destruct (transfer_bound_is_the_least same points cost p q l Hnodup Hl Hp Hq Hpos (fun x _ => Hself x) Htriangle)
    as [Hk | [g [Hg [Hobeys Hless]]]]; [left; exact Hk | right].
  destruct (no_smaller_bound_from_costs X points cost g Hg Hcost Hobeys) as [K [s [Hs [HK [Hrows [HC Hmass]]]]]].
  - intros x x' Hx Hx' Hone. assert (H1 := Hobeys x x' Hx Hx'). assert (H2 := Hobeys x' x Hx' Hx).
    rewrite Hone in H1. rewrite (Hboth x x' Hone) in H2. lra.
  - exists K. repeat split; try assumption. rewrite !Hmass.
    replace (l * (s * sum_over (fun x => q x * g x) points)) with (s * (l * sum_over (fun x => q x * g x) points)) by ring.
    apply Rmult_lt_compat_l; assumption.
Qed.
