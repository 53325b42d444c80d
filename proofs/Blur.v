(* Masses that are known within factors: what is proved of nominal masses holds of every true law. docs/math.md, sections 0
   and 17. *)
From Coq Require Import Reals List Lra.
Require Import Fugu.Private Fugu.Sums Fugu.Events.
Import ListNotations.
Open Scope R_scope.

Definition blurred {X : Type} (b : R) (points : list X) (nominal true_mass : X -> R) : Prop :=
  forall x, In x points -> (1 - b) * nominal x <= true_mass x <= (1 + b) * nominal x.

(* Sections 0 and 17: (1 + b) p and (1 - b) q take the places of p and q. *)
Theorem nominal_bound_holds_of_true_laws : forall (X Y : Type) (b c : R) (K : kernel X Y) (points : list X)
    (p q p' q' : X -> R),
  non_negative_kernel K -> 0 <= c -> blurred b points p p' -> blurred b points q q' ->
  forall y, (1 + b) * output_mass K (weighing points p) y <= c * ((1 - b) * output_mass K (weighing points q) y) ->
    output_mass K (weighing points p') y <= c * output_mass K (weighing points q') y.
Proof.
  intros X Y b c K points p q p' q' HK Hc Hp Hq y H. rewrite !output_mass_weighing in *.
  apply Rle_trans with ((1 + b) * sum_over (fun x => p x * K x y) points);
    [| apply Rle_trans with (1 := H); apply Rmult_le_compat_l; [exact Hc |]];
    rewrite <- sum_over_scal; apply sum_over_le; intros x Hx; rewrite <- Rmult_assoc;
    apply Rmult_le_compat_r; try apply HK; [apply (Hp x Hx) | apply (Hq x Hx)].
Qed.

(* To a bound of the nominal laws log (1 + b) / (1 - b) is added. *)
Theorem blur_adds_to_epsilon : forall (X Y : Type) (b c : R) (K : kernel X Y) (points : list X) (p q p' q' : X -> R),
  non_negative_kernel K -> 0 <= b < 1 -> 0 <= c -> blurred b points p p' -> blurred b points q q' ->
  (forall y, output_mass K (weighing points p) y <= c * output_mass K (weighing points q) y) ->
  forall y, output_mass K (weighing points p') y
            <= c * ((1 + b) / (1 - b)) * output_mass K (weighing points q') y.
Proof.
  intros X Y b c K points p q p' q' HK Hb Hc Hp Hq H y.
  apply (nominal_bound_holds_of_true_laws X Y b _ K points p q); try assumption.
  - apply Rmult_le_pos; [exact Hc |]. apply Rmult_le_pos; [lra | left; apply Rinv_0_lt_compat; lra].
  - replace (c * ((1 + b) / (1 - b)) * ((1 - b) * output_mass K (weighing points q) y))
      with ((1 + b) * (c * output_mass K (weighing points q) y)) by (field; lra).
    apply Rmult_le_compat_l; [lra | apply H].
Qed.

(* And to a delta b (1 + e^epsilon): the excess at one output. *)
Lemma blur_adds_to_excess : forall b c P Q, 0 <= b -> 0 <= c -> 0 <= P -> 0 <= Q ->
  positive_part ((1 + b) * P - c * ((1 - b) * Q)) <= positive_part (P - c * Q) + b * P + b * c * Q.
Proof.
  intros b c P Q Hb Hc HP HQ. assert (HbP : 0 <= b * P) by (apply Rmult_le_pos; assumption).
  assert (HbQ : 0 <= b * c * Q) by (repeat apply Rmult_le_pos; assumption).
  assert (H0 : 0 <= positive_part (P - c * Q)) by apply Rmax_l.
  assert (H1 := positive_part_upper (P - c * Q)). apply Rmax_lub; lra.
Qed.
