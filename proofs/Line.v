(* The transfer bound on a line: one pass over the values decides whether l is enough. docs/math.md, section 17.

   A line is a list of pairs: w = p - l q of a value, and the cost e^d between it and the next value of the list. A line
   is the same from either end; here the list begins with the value that the recursion reaches last. *)
From Coq Require Import Reals ZArith List Lra Lia.
Require Import Fugu.Private Fugu.Sums Fugu.Laplace Fugu.Coupling.
Import ListNotations.
Open Scope R_scope.

Fixpoint height (line : list (R * R)) : R :=
  match line with
  | [] => 0
  | (w, e) :: rest => w + Rmax (height rest * e) (height rest * / e)
  end.

(* The sum of w times g, for g given value by value. *)
Fixpoint gain (line : list (R * R)) (g : list R) : R :=
  match line, g with
  | (w, _) :: rest, v :: vs => w * v + gain rest vs
  | _, _ => 0
  end.

(* Neighbouring values of g differ by no more than the cost between them. *)
Fixpoint chained (line : list (R * R)) (g : list R) : Prop :=
  match line, g with
  | (_, e) :: rest, v :: vs =>
      match rest, vs with
      | [], [] => True
      | _ :: _, v' :: _ => v <= e * v' /\ v' <= e * v /\ chained rest vs
      | _, _ => False
      end
  | [], [] => True
  | _, _ => False
  end.

Definition costs_at_least_one (line : list (R * R)) : Prop := Forall (fun place => 1 <= snd place) line.

Lemma height_bounds_gain : forall line g, costs_at_least_one line -> Forall (fun v => 0 <= v) g -> chained line g ->
  gain line g <= height line * hd 0 g.
Proof.
  induction line as [| [w e] rest IH]; intros [| v vs] Hcosts Hg Hchain; simpl in *; try lra.
  apply Forall_inv in Hcosts as He. apply Forall_inv_tail in Hcosts. simpl in He.
  apply Forall_inv in Hg as Hv. apply Forall_inv_tail in Hg.
  destruct rest as [| place rest], vs as [| v' vs]; try contradiction.
  - simpl. rewrite !Rmult_0_l, Rmax_left by lra. lra.
  - destruct Hchain as [Hup [Hdown Hchain]]. specialize (IH (v' :: vs) Hcosts Hg Hchain). simpl hd in IH.
    set (h := height (place :: rest)) in *. rewrite Rmult_plus_distr_r. apply Rplus_le_compat_l.
    apply Rle_trans with (h * v'); [exact IH |]. destruct (Rle_dec 0 h) as [Hh | Hh].
    + apply Rle_trans with (h * e * v); [rewrite Rmult_assoc; apply Rmult_le_compat_l; lra |].
      apply Rmult_le_compat_r; [exact Hv | apply Rmax_l].
    + apply Rle_trans with (h * / e * v); [| apply Rmult_le_compat_r; [exact Hv | apply Rmax_r]].
      rewrite Rmult_assoc. apply Rmult_le_compat_neg_l; [lra |].
      apply Rmult_le_reg_l with e; [lra |]. rewrite <- Rmult_assoc, Rinv_r, Rmult_1_l by lra. exact Hup.
Qed.

Lemma height_is_attained : forall line, costs_at_least_one line -> line <> [] -> forall v, 0 < v ->
  exists vs, chained line (v :: vs) /\ Forall (fun u => 0 < u) (v :: vs) /\ gain line (v :: vs) = height line * v.
Proof.
  induction line as [| [w e] rest IH]; intros Hcosts Hne v Hv; [contradiction |].
  apply Forall_inv in Hcosts as He. apply Forall_inv_tail in Hcosts. simpl in He.
  destruct rest as [| place rest].
  - exists []. simpl. split; [exact I |]. split; [repeat constructor; exact Hv |].
    rewrite !Rmult_0_l, Rmax_left by lra. lra.
  - specialize (IH Hcosts ltac:(discriminate)). set (h := height (place :: rest)) in *.
    assert (Hinv : 0 < / e <= 1).
    { split; [apply Rinv_0_lt_compat; lra |]. rewrite <- Rinv_1. apply Rinv_le_contravar; lra. }
    destruct (Rle_dec 0 h) as [Hh | Hh].
    + destruct (IH (e * v)) as [vs [Hchain [Hpos Hgain]]]; [apply Rmult_lt_0_compat; lra |].
      exists (e * v :: vs). split; [| split; [constructor; assumption |]].
      * split; [| split; [lra | exact Hchain]]. rewrite <- Rmult_assoc. rewrite <- (Rmult_1_l v) at 1.
        apply Rmult_le_compat_r; [lra |]. rewrite <- (Rmult_1_l 1). apply Rmult_le_compat; lra.
      * change (w * v + gain (place :: rest) (e * v :: vs) = (w + Rmax (h * e) (h * / e)) * v).
        rewrite Hgain, Rmax_left; [ring |]. apply Rmult_le_compat_l; lra.
    + destruct (IH (/ e * v)) as [vs [Hchain [Hpos Hgain]]]; [apply Rmult_lt_0_compat; lra |].
      exists (/ e * v :: vs). split; [| split; [constructor; assumption |]].
      * split; [rewrite <- Rmult_assoc, Rinv_r by lra; lra | split; [| exact Hchain]].
        apply Rmult_le_compat_r; lra.
      * change (w * v + gain (place :: rest) (/ e * v :: vs) = (w + Rmax (h * e) (h * / e)) * v).
        rewrite Hgain, Rmax_right; [ring |]. apply Rmult_le_compat_neg_l; lra.
Qed.

Lemma not_positive_product : forall a b, a <= 0 -> 0 <= b -> a * b <= 0.
Proof. intros a b Ha Hb. rewrite <- (Rmult_0_l b). apply Rmult_le_compat_r; assumption. Qed.

(* Section 17: l is enough exactly when the last height is not positive. *)
Theorem line_recursion_decides : forall line, costs_at_least_one line -> line <> [] ->
  (height line <= 0 <-> forall g, Forall (fun v => 0 < v) g -> chained line g -> gain line g <= 0).
Proof.
  intros line Hcosts Hne. split.
  - intros Hheight g Hg Hchain.
    assert (Hnonneg : Forall (fun v => 0 <= v) g) by (eapply Forall_impl; [| exact Hg]; simpl; intros; lra).
    apply Rle_trans with (height line * hd 0 g); [apply height_bounds_gain; assumption |].
    apply not_positive_product; [exact Hheight | destruct Hnonneg; simpl; [lra | assumption]].
  - intros H. destruct (height_is_attained line Hcosts Hne 1 Rlt_0_1) as [vs [Hchain [Hpos Hgain]]].
    specialize (H (1 :: vs) Hpos Hchain). rewrite Hgain in H. lra.
Qed.

(* Section 17: on a line the constraints between neighbours imply all others; the costs multiply along the way. *)
Theorem neighbours_imply_all_others : forall (line : list (R * R)) (g : list R) (j : nat),
  costs_at_least_one line -> chained line g -> (j < length g)%nat ->
  let along := fold_right Rmult 1 (map snd (firstn j line)) in
  hd 0 g <= along * nth j g 0 /\ nth j g 0 <= along * hd 0 g.
Proof.
  induction line as [| [w e] rest IH]; intros [| v vs] j Hcosts Hchain Hj; simpl in Hj; try lia; try contradiction.
  destruct j as [| j]; [simpl; lra |].
  apply Forall_inv in Hcosts as He. apply Forall_inv_tail in Hcosts. simpl in He.
  destruct rest as [| place rest], vs as [| v' vs]; simpl in Hj; try lia; try contradiction.
  destruct Hchain as [Hup [Hdown Hchain]]. specialize (IH (v' :: vs) j Hcosts Hchain ltac:(simpl; lia)).
  cbv zeta in *. change (firstn (S j) ((w, e) :: place :: rest)) with ((w, e) :: firstn j (place :: rest)).
  cbn [map fold_right snd nth hd] in *. set (along := fold_right Rmult 1 (map snd (firstn j (place :: rest)))) in *.
  destruct IH as [IHup IHdown].
  assert (Halong : 0 <= along).
  { unfold along. clear - Hcosts. generalize (place :: rest) j Hcosts. induction l as [| c l IHl]; intros k Hl.
    - rewrite firstn_nil. simpl. lra.
    - destruct k as [| k]; simpl; [lra |]. apply Forall_inv in Hl as Hc. apply Forall_inv_tail in Hl.
      apply Rmult_le_pos; [lra | apply IHl, Hl]. }
  split.
  - apply Rle_trans with (e * v'); [exact Hup |]. rewrite Rmult_assoc. apply Rmult_le_compat_l; lra.
  - apply Rle_trans with (along * v'); [exact IHdown |]. rewrite (Rmult_comm e), Rmult_assoc.
    apply Rmult_le_compat_l; assumption.
Qed.

(* The line of a list of values, with the cost from each to the next. *)
Fixpoint line_of {X : Type} (cost : X -> X -> R) (w : X -> R) (values : list X) : list (R * R) :=
  match values with
  | [] => []
  | x :: rest => (w x, match rest with [] => 1 | x' :: _ => cost x x' end) :: line_of cost w rest
  end.

Lemma line_of_chained : forall (X : Type) (cost : X -> X -> R) (w g : X -> R) (values : list X),
  (forall x x', g x <= cost x x' * g x' /\ g x' <= cost x x' * g x) -> chained (line_of cost w values) (map g values).
Proof.
  intros X cost w g values H. induction values as [| x [| x' rest] IH]; [exact I | exact I |].
  split; [apply H | split; [apply H | exact IH]].
Qed.

Lemma line_of_costs : forall (X : Type) (cost : X -> X -> R) (w : X -> R) (values : list X),
  (forall x x', 1 <= cost x x') -> costs_at_least_one (line_of cost w values).
Proof.
  intros X cost w values H. induction values as [| x [| x' rest] IH]; constructor; try exact IH; simpl; [lra | apply H].
Qed.

Lemma line_of_gain : forall (X : Type) (cost : X -> X -> R) (w g : X -> R) (values : list X),
  gain (line_of cost w values) (map g values) = sum_over (fun x => w x * g x) values.
Proof. intros X cost w g values. induction values as [| x rest IH]; simpl; [reflexivity | rewrite IH; reflexivity]. Qed.

Lemma line_bounds_means : forall (X : Type) (cost : X -> X -> R) (w g : X -> R) (values : list X),
  (forall x x', 1 <= cost x x') -> (forall x, 0 <= g x) ->
  (forall x x', g x <= cost x x' * g x' /\ g x' <= cost x x' * g x) -> height (line_of cost w values) <= 0 ->
  sum_over (fun x => w x * g x) values <= 0.
Proof.
  intros X cost w g values Hcost Hg Hobeys Hheight. rewrite <- (line_of_gain X cost).
  assert (Hall : Forall (fun v => 0 <= v) (map g values)) by (rewrite Forall_map, Forall_forall; intros; apply Hg).
  apply Rle_trans with (height (line_of cost w values) * hd 0 (map g values)).
  - apply height_bounds_gain; [apply line_of_costs, Hcost | exact Hall | apply line_of_chained, Hobeys].
  - apply not_positive_product; [exact Hheight | destruct Hall; simpl; [lra | assumption]].
Qed.

(* Section 17: the line recursion is enough, for any kernel with these costs between neighbours. *)
Theorem line_recursion : forall (X Y : Type) (K : kernel X Y) (cost : X -> X -> R) (values : list X) (l : R)
    (p q : X -> R),
  non_negative_kernel K -> (forall x x', 1 <= cost x x') -> (forall x x', cost x x' = cost x' x) -> cost_bound cost K ->
  height (line_of cost (fun x => p x - l * q x) values) <= 0 ->
  forall y, output_mass K (weighing values p) y <= l * output_mass K (weighing values q) y.
Proof.
  intros X Y K cost values l p q HK Hcost Hsym HC Hheight y. rewrite !output_mass_weighing.
  assert (Hmean := line_bounds_means X cost _ (fun x => K x y) values Hcost (fun x => HK x y)
                     (fun x x' => conj (HC x x' y) (eq_ind_r (fun c => K x' y <= c * K x y) (HC x' x y) (Hsym x x')))
                     Hheight).
  rewrite (sum_over_ext X _ (fun x => p x * K x y - l * (q x * K x y))) in Hmean by (intros; ring).
  rewrite sum_over_minus, sum_over_scal in Hmean. lra.
Qed.

(* Section 17, boxes: with p at most high and q at least low, w = high - l low is sound. *)
Theorem line_recursion_boxes : forall (X Y : Type) (K : kernel X Y) (cost : X -> X -> R) (values : list X) (l : R)
    (p q high low : X -> R),
  non_negative_kernel K -> (forall x x', 1 <= cost x x') -> (forall x x', cost x x' = cost x' x) -> cost_bound cost K ->
  0 <= l -> (forall x, p x <= high x) -> (forall x, low x <= q x) ->
  height (line_of cost (fun x => high x - l * low x) values) <= 0 ->
  forall y, output_mass K (weighing values p) y <= l * output_mass K (weighing values q) y.
Proof.
  intros X Y K cost values l p q high low HK Hcost Hsym HC Hl Hhigh Hlow Hheight y.
  apply Rle_trans with (output_mass K (weighing values high) y);
    [| apply Rle_trans with (l * output_mass K (weighing values low) y)].
  - rewrite !output_mass_weighing. apply sum_over_le. intros x _. apply Rmult_le_compat_r; [apply HK | apply Hhigh].
  - apply (line_recursion X Y K cost); assumption.
  - apply Rmult_le_compat_l; [exact Hl |]. rewrite !output_mass_weighing. apply sum_over_le. intros x _.
    apply Rmult_le_compat_r; [apply HK | apply Hlow].
Qed.

(* Laplace noise, and any releases that cost no more than it does (method sharp). *)
Corollary line_recursion_laplace : forall (Y : Type) (K : kernel Z Y) (r epsilon : R) (values : list Z) (p q : Z -> R),
  0 < r < 1 -> non_negative_kernel K -> cost_bound (fun x x' => (/ r) ^ steps x x') K ->
  height (line_of (fun x x' => (/ r) ^ steps x x') (fun x => p x - exp epsilon * q x) values) <= 0 ->
  bounded epsilon K (weighing values p) (weighing values q).
Proof.
  intros Y K r epsilon values p q Hr HK HC Hheight y.
  apply (line_recursion Z Y K (fun x x' => (/ r) ^ steps x x') values); try assumption.
  - intros x x'. apply pow_R1_Rle. rewrite <- Rinv_1. apply Rinv_le_contravar; lra.
  - intros x x'. f_equal. unfold steps. lia.
Qed.
