(* Beliefs that are close to a prior, and boxes of laws. docs/math.md, section 9. *)
From Coq Require Import Reals ZArith List Lra.
Require Import Fugu.Private Fugu.Sums Fugu.Events Fugu.Windows.
Import ListNotations.
Open Scope R_scope.

(* Within factors e^-lambda and e^lambda at every value. *)
Definition close {X : Type} (lambda : R) (points : list X) (p b : X -> R) : Prop :=
  forall x, In x points -> exp (- lambda) * p x <= b x <= exp lambda * p x.

Lemma close_outputs : forall (X Y : Type) (K : kernel X Y) (lambda : R) (points : list X) (p b : X -> R) (y : Y),
  non_negative_kernel K -> close lambda points p b ->
  output_mass K (weighing points b) y <= exp lambda * output_mass K (weighing points p) y
  /\ output_mass K (weighing points p) y <= exp lambda * output_mass K (weighing points b) y.
Proof.
  intros X Y K lambda points p b y HK Hclose. rewrite !output_mass_weighing, <- !sum_over_scal.
  split; apply sum_over_le; intros x Hx; specialize (Hclose x Hx) as [Hlow Hhigh];
    rewrite <- Rmult_assoc; apply Rmult_le_compat_r; try apply HK; [exact Hhigh |].
  apply Rmult_le_compat_l with (r := exp lambda) in Hlow; [| left; apply exp_pos].
  rewrite <- Rmult_assoc, <- exp_plus, Rplus_opp_r, exp_0, Rmult_1_l in Hlow. exact Hlow.
Qed.

Lemma exp_split : forall epsilon lambda, exp epsilon = exp lambda * exp (epsilon - 2 * lambda) * exp lambda.
Proof. intros. rewrite <- !exp_plus. f_equal. ring. Qed.

(* Section 9: privacy at epsilon - 2 lambda under the prior is privacy at epsilon under every close belief. *)
Theorem closeness : forall (X Y : Type) (K : kernel X Y) (epsilon lambda : R) (points : list X) (p_i p_j b_i b_j : X -> R),
  non_negative_kernel K -> close lambda points p_i b_i -> close lambda points p_j b_j ->
  bounded (epsilon - 2 * lambda) K (weighing points p_i) (weighing points p_j) ->
  bounded epsilon K (weighing points b_i) (weighing points b_j).
Proof.
  intros X Y K epsilon lambda points p_i p_j b_i b_j HK Hi Hj H y. rewrite (exp_split epsilon lambda), !Rmult_assoc.
  apply Rle_trans with (exp lambda * output_mass K (weighing points p_i) y);
    [apply (close_outputs X Y K lambda points p_i b_i y HK Hi) |].
  apply Rmult_le_compat_l; [left; apply exp_pos |].
  apply Rle_trans with (exp (epsilon - 2 * lambda) * output_mass K (weighing points p_j) y); [apply H |].
  apply Rmult_le_compat_l; [left; apply exp_pos |].
  apply (close_outputs X Y K lambda points p_j b_j y HK Hj).
Qed.

(* The same with a delta, which is to be e^-lambda times as large under the prior. *)
Theorem closeness_with_delta : forall (X Y : Type) (K : kernel X Y) (epsilon delta lambda : R) (points : list X)
    (p_i p_j b_i b_j : X -> R),
  non_negative_kernel K -> close lambda points p_i b_i -> close lambda points p_j b_j ->
  bounded_but_for (epsilon - 2 * lambda) (delta * exp (- lambda)) K (weighing points p_i) (weighing points p_j) ->
  bounded_but_for epsilon delta K (weighing points b_i) (weighing points b_j).
Proof.
  intros X Y K epsilon delta lambda points p_i p_j b_i b_j HK Hi Hj H event u v Hu Hv.
  assert (Hover : forall (p b : X -> R) t part, close lambda points p b ->
            adds_up_to (output_mass K (weighing points b)) event t -> NoDup part -> (forall y, In y part -> event y) ->
            sum_over (output_mass K (weighing points p)) part <= exp lambda * t).
  { intros p b t part Hclose Ht Hnodup Hin.
    apply Rle_trans with (exp lambda * sum_over (output_mass K (weighing points b)) part).
    - rewrite <- sum_over_scal. apply sum_over_le. intros y _. apply (close_outputs X Y K lambda points p b y HK Hclose).
    - apply Rmult_le_compat_l; [left; apply exp_pos | apply (part_below_total Y _ event t part Ht Hnodup Hin)]. }
  destruct (total_exists Y (output_mass K (weighing points p_i)) event (exp lambda * u)) as [up Hup].
  { intros part. apply (Hover p_i b_i u part Hi Hu). }
  destruct (total_exists Y (output_mass K (weighing points p_j)) event (exp lambda * v)) as [vp Hvp].
  { intros part. apply (Hover p_j b_j v part Hj Hv). }
  specialize (H event up vp Hup Hvp).
  assert (Hfirst : u <= exp lambda * up + 0).
  { apply (totals_compare Y _ (output_mass K (weighing points p_i)) event (exp lambda) 0 u up
             (Rlt_le _ _ (exp_pos lambda)) Hu Hup).
    intros part _ _. rewrite Rplus_0_r, <- sum_over_scal. apply sum_over_le. intros y _.
    apply (close_outputs X Y K lambda points p_i b_i y HK Hi). }
  assert (Hlast : vp <= exp lambda * v + 0).
  { apply (totals_compare Y _ (output_mass K (weighing points b_j)) event (exp lambda) 0 vp v
             (Rlt_le _ _ (exp_pos lambda)) Hvp Hv).
    intros part _ _. rewrite Rplus_0_r, <- sum_over_scal. apply sum_over_le. intros y _.
    apply (close_outputs X Y K lambda points p_j b_j y HK Hj). }
  rewrite Rplus_0_r in Hfirst, Hlast. rewrite (exp_split epsilon lambda).
  apply Rle_trans with (exp lambda * up); [exact Hfirst |].
  replace (exp lambda * exp (epsilon - 2 * lambda) * exp lambda * v + delta)
    with (exp lambda * (exp (epsilon - 2 * lambda) * (exp lambda * v) + delta * exp (- lambda))).
  - apply Rmult_le_compat_l; [left; apply exp_pos |]. apply Rle_trans with (1 := H). apply Rplus_le_compat_r.
    apply Rmult_le_compat_l; [left; apply exp_pos | exact Hlast].
  - rewrite exp_Ropp. field. apply Rgt_not_eq, exp_pos.
Qed.

(* A law in a box: between low and high at every value, and of total 1. *)
Definition in_box {X : Type} (points : list X) (low high p : X -> R) : Prop :=
  (forall x, In x points -> low x <= p x <= high x) /\ sum_over p points = 1.

(* The most mass at an output, by weak duality: any price t gives a bound. *)
Definition box_most {X : Type} (points : list X) (low high g : X -> R) (t : R) : R :=
  t + sum_over (fun x => (g x - t) * (if Rlt_dec t (g x) then high x else low x)) points.
Definition box_least {X : Type} (points : list X) (low high g : X -> R) (t : R) : R :=
  t + sum_over (fun x => (g x - t) * (if Rlt_dec t (g x) then low x else high x)) points.

Lemma priced_mean : forall (X : Type) (points : list X) (p g : X -> R) (t : R), sum_over p points = 1 ->
  sum_over (fun x => p x * g x) points = t + sum_over (fun x => (g x - t) * p x) points.
Proof.
  intros X points p g t Hp.
  rewrite (sum_over_ext X (fun x => (g x - t) * p x) (fun x => p x * g x - t * p x)) by (intros; ring).
  rewrite sum_over_minus, sum_over_scal, Hp. ring.
Qed.

Theorem box_bounds : forall (X : Type) (points : list X) (low high p g : X -> R) (t : R),
  in_box points low high p ->
  box_least points low high g t <= sum_over (fun x => p x * g x) points <= box_most points low high g t.
Proof.
  intros X points low high p g t [Hbox Htotal]. rewrite (priced_mean X points p g t Htotal).
  unfold box_most, box_least. split; apply Rplus_le_compat_l, sum_over_le; intros x Hx;
    specialize (Hbox x Hx); destruct (Rlt_dec t (g x)) as [Hlt | Hge].
  - apply Rmult_le_compat_l; lra.
  - apply Rmult_le_compat_neg_l; lra.
  - apply Rmult_le_compat_l; lra.
  - apply Rmult_le_compat_neg_l; lra.
Qed.

(* Section 9: prices at each output that prove the ratio for the boxes prove it for every two laws within them. *)
Theorem boxes_are_private : forall (X Y : Type) (K : kernel X Y) (epsilon : R) (points : list X)
    (low_i high_i low_j high_j : X -> R),
  (forall y, exists t t', box_most points low_i high_i (fun x => K x y) t
                          <= exp epsilon * box_least points low_j high_j (fun x => K x y) t') ->
  forall p q, in_box points low_i high_i p -> in_box points low_j high_j q ->
    bounded epsilon K (weighing points p) (weighing points q).
Proof.
  intros X Y K epsilon points low_i high_i low_j high_j H p q Hp Hq y. rewrite !output_mass_weighing.
  destruct (H y) as [t [t' Hprices]].
  apply Rle_trans with (1 := proj2 (box_bounds X points low_i high_i p (fun x => K x y) t Hp)).
  apply Rle_trans with (1 := Hprices). apply Rmult_le_compat_l; [left; apply exp_pos |].
  apply (box_bounds X points low_j high_j q (fun x => K x y) t' Hq).
Qed.

(* Section 9: close beliefs that add up to 1 lie in the boxes e^-lambda p and e^lambda p. *)
Corollary close_beliefs_are_in_boxes : forall (X : Type) (lambda : R) (points : list X) (p b : X -> R),
  close lambda points p b -> sum_over b points = 1 ->
  in_box points (fun x => exp (- lambda) * p x) (fun x => exp lambda * p x) b.
Proof. intros X lambda points p b Hclose Htotal. split; assumption. Qed.

(* Section 9 with section 5: for noise, prices at the outputs within reach of a value that can occur prove every two laws
   within the boxes at every output there is. *)
Theorem boxes_need_windows_only : forall reach t noise, geometric_tails reach t noise ->
  forall (epsilon : R) (points : list Z) (low_i high_i low_j high_j : Z -> R),
    (forall x y, In x points -> (Z.abs (y - x) <= reach)%Z ->
       exists t1 t2, box_most points low_i high_i (fun z => adding noise z y) t1
                     <= exp epsilon * box_least points low_j high_j (fun z => adding noise z y) t2) ->
    forall p q, in_box points low_i high_i p -> in_box points low_j high_j q ->
      bounded epsilon (adding noise) (weighing points p) (weighing points q).
Proof.
  intros reach t noise H epsilon points low_i high_i low_j high_j Hprices p q Hp Hq.
  unfold bounded. apply (windows_suffice reach t noise H). intros x y Hx Hy.
  assert (Hpoint : In x points).
  { unfold weighing in Hx. rewrite map_app, !map_map in Hx. simpl in Hx. rewrite !map_id in Hx.
    apply in_app_or in Hx as [Hx | Hx]; exact Hx. }
  destruct (Hprices x y Hpoint Hy) as [t1 [t2 Hprice]]. rewrite !output_mass_weighing.
  apply Rle_trans with (1 := proj2 (box_bounds Z points low_i high_i p (fun z => adding noise z y) t1 Hp)).
  apply Rle_trans with (1 := Hprice). apply Rmult_le_compat_l; [left; apply exp_pos |].
  apply (box_bounds Z points low_j high_j q (fun z => adding noise z y) t2 Hq).
Qed.

(* Section 9: boxes never need more noise than epsilon - 2 lambda. Where that smaller budget holds under the prior, the price
   0 proves the boxes of all close beliefs. *)
Theorem boxes_never_ask_for_more : forall (X Y : Type) (K : kernel X Y) (epsilon lambda : R) (points : list X)
    (p_i p_j : X -> R),
  non_negative_kernel K -> bounded (epsilon - 2 * lambda) K (weighing points p_i) (weighing points p_j) ->
  forall y, box_most points (fun x => exp (- lambda) * p_i x) (fun x => exp lambda * p_i x) (fun x => K x y) 0
            <= exp epsilon
               * box_least points (fun x => exp (- lambda) * p_j x) (fun x => exp lambda * p_j x) (fun x => K x y) 0.
Proof.
  intros X Y K epsilon lambda points p_i p_j HK H y. specialize (H y). rewrite !output_mass_weighing in H.
  assert (Hmost : box_most points (fun x => exp (- lambda) * p_i x) (fun x => exp lambda * p_i x) (fun x => K x y) 0
                  = exp lambda * sum_over (fun x => p_i x * K x y) points).
  { unfold box_most. rewrite Rplus_0_l, <- sum_over_scal. apply sum_over_ext. intros x _. rewrite Rminus_0_r.
    destruct (Rlt_dec 0 (K x y)) as [Hpos | Hzero]; [ring |]. specialize (HK x y). replace (K x y) with 0 by lra. ring. }
  assert (Hleast : box_least points (fun x => exp (- lambda) * p_j x) (fun x => exp lambda * p_j x) (fun x => K x y) 0
                   = exp (- lambda) * sum_over (fun x => p_j x * K x y) points).
  { unfold box_least. rewrite Rplus_0_l, <- sum_over_scal. apply sum_over_ext. intros x _. rewrite Rminus_0_r.
    destruct (Rlt_dec 0 (K x y)) as [Hpos | Hzero]; [ring |]. specialize (HK x y). replace (K x y) with 0 by lra. ring. }
  rewrite Hmost, Hleast, <- Rmult_assoc, <- exp_plus.
  apply Rmult_le_compat_l with (r := exp lambda) in H; [| left; apply exp_pos].
  rewrite <- Rmult_assoc, <- exp_plus in H. replace (epsilon + - lambda) with (lambda + (epsilon - 2 * lambda)) by ring.
  exact H.
Qed.
