(* Sums over as many outputs as one likes: the mass of an event is the least upper bound of the masses of its finite
   parts. What holds at every output then holds of every event, also of one with infinitely many outputs.
   docs/math.md, section 0. *)
From Coq Require Import Reals List Lra.
Require Import Fugu.Private Fugu.Sums.
Import ListNotations.
Open Scope R_scope.

(* The terms f y, over the y of the event, add up to v. *)
Definition adds_up_to {Y : Type} (f : Y -> R) (event : Y -> Prop) (v : R) : Prop :=
  is_lub (fun s => exists part, NoDup part /\ (forall y, In y part -> event y) /\ s = sum_over f part) v.

Definition everything {Y : Type} : Y -> Prop := fun _ => True.

Lemma part_below_total : forall (Y : Type) (f : Y -> R) (event : Y -> Prop) (v : R) (part : list Y),
  adds_up_to f event v -> NoDup part -> (forall y, In y part -> event y) -> sum_over f part <= v.
Proof. intros Y f event v part [Hupper _] Hnodup Hin. apply Hupper. exists part. auto. Qed.

(* Comparing all finite parts compares the totals, with room for a constant. *)
Lemma totals_compare : forall (Y : Type) (f g : Y -> R) (event : Y -> Prop) (c d u v : R),
  0 <= c -> adds_up_to f event u -> adds_up_to g event v ->
  (forall part, NoDup part -> (forall y, In y part -> event y) -> sum_over f part <= c * sum_over g part + d) ->
  u <= c * v + d.
Proof.
  intros Y f g event c d u v Hc [_ Hleast] Hg H. apply Hleast. intros s [part [Hnodup [Hin ->]]].
  apply Rle_trans with (c * sum_over g part + d); [apply H; assumption |].
  apply Rplus_le_compat_r, Rmult_le_compat_l; [exact Hc |]. apply (part_below_total Y g event v); assumption.
Qed.

(* Totals of terms that are not negative exist as soon as the finite sums are bounded. *)
Lemma total_exists : forall (Y : Type) (f : Y -> R) (event : Y -> Prop) (bound : R),
  (forall part, NoDup part -> (forall y, In y part -> event y) -> sum_over f part <= bound) ->
  {v : R | adds_up_to f event v}.
Proof.
  intros Y f event bound H. apply completeness.
  - exists bound. intros s [part [Hnodup [Hin ->]]]. apply H; assumption.
  - exists 0, []. repeat split; [constructor | intros y []].
Qed.

(* Section 0: a bound at every output is one of every event, however many outputs it has. *)
Theorem pointwise_bounds_every_event : forall (X Y : Type) (epsilon : R) (K : kernel X Y) (p q : law X),
  bounded epsilon K p q ->
  forall (event : Y -> Prop) (u v : R),
    adds_up_to (output_mass K p) event u -> adds_up_to (output_mass K q) event v -> u <= exp epsilon * v.
Proof.
  intros X Y epsilon K p q H event u v Hu Hv. rewrite <- (Rplus_0_r (exp epsilon * v)).
  apply (totals_compare Y (output_mass K p) (output_mass K q) event); try assumption.
  - left. apply exp_pos.
  - intros part _ _. rewrite Rplus_0_r. apply bounded_on_events, H.
Qed.

(* (epsilon, delta), as section 0 has it: for every event, infinite ones included. *)
Definition bounded_but_for {X Y : Type} (epsilon delta : R) (K : kernel X Y) (p q : law X) : Prop :=
  forall (event : Y -> Prop) (u v : R),
    adds_up_to (output_mass K p) event u -> adds_up_to (output_mass K q) event v -> u <= exp epsilon * v + delta.

Definition positive_part (x : R) : R := Rmax 0 x.

Lemma positive_part_upper : forall x, x <= positive_part x.
Proof. intros. apply Rmax_r. Qed.

(* What p has at an output above e^epsilon times what q has there. *)
Definition excess {X Y : Type} (epsilon : R) (K : kernel X Y) (p q : law X) (y : Y) : R :=
  positive_part (output_mass K p y - exp epsilon * output_mass K q y).

(* Section 0: the hockey-stick bounds every event. *)
Theorem hockey_stick_is_enough : forall (X Y : Type) (epsilon delta : R) (K : kernel X Y) (p q : law X),
  (forall part, NoDup part -> sum_over (excess epsilon K p q) part <= delta) -> bounded_but_for epsilon delta K p q.
Proof.
  intros X Y epsilon delta K p q H event u v Hu Hv.
  apply (totals_compare Y (output_mass K p) (output_mass K q) event); try assumption.
  - left. apply exp_pos.
  - intros part Hnodup _. specialize (H part Hnodup). rewrite <- sum_over_scal.
    enough (sum_over (output_mass K p) part - sum_over (fun y => exp epsilon * output_mass K q y) part
            <= sum_over (excess epsilon K p q) part) by lra.
    rewrite <- sum_over_minus. apply sum_over_le. intros. apply positive_part_upper.
Qed.

Lemma finite_event_total : forall (Y : Type) (f : Y -> R) (part : list Y),
  (forall y, 0 <= f y) -> NoDup part -> adds_up_to f (fun y => In y part) (sum_over f part).
Proof.
  intros Y f part Hf Hnodup. split.
  - intros s [sub [Hsub [Hin ->]]]. apply sum_over_incl; assumption.
  - intros bound H. apply H. exists part. auto.
Qed.

(* And nothing less than it will do: the event where the excess is positive attains it. *)
Theorem hockey_stick_is_needed : forall (X Y : Type) (epsilon delta : R) (K : kernel X Y) (p q : law X),
  non_negative_kernel K -> non_negative_law p -> non_negative_law q ->
  bounded_but_for epsilon delta K p q ->
  forall part, NoDup part -> sum_over (excess epsilon K p q) part <= delta.
Proof.
  intros X Y epsilon delta K p q HK Hp Hq H part Hnodup.
  set (chosen := filter (fun y => if Rlt_dec 0 (output_mass K p y - exp epsilon * output_mass K q y) then true else false) part).
  assert (Hchosen : NoDup chosen) by (apply NoDup_filter, Hnodup).
  assert (Hevent := H (fun y => In y chosen) (sum_over (output_mass K p) chosen) (sum_over (output_mass K q) chosen)
                      (finite_event_total Y _ chosen (fun y => output_mass_nonneg X Y K p y HK Hp) Hchosen)
                      (finite_event_total Y _ chosen (fun y => output_mass_nonneg X Y K q y HK Hq) Hchosen)).
  enough (Heq : sum_over (excess epsilon K p q) part
                = sum_over (fun y => output_mass K p y - exp epsilon * output_mass K q y) chosen).
  { rewrite Heq, sum_over_minus, sum_over_scal. lra. }
  unfold chosen. clear. induction part as [| y rest IH]; simpl; [reflexivity |].
  unfold excess at 1, positive_part. destruct (Rlt_dec 0 _) as [Hpos | Hneg]; simpl; rewrite IH.
  - rewrite Rmax_right by lra. reflexivity.
  - rewrite Rmax_left by lra. lra.
Qed.

(* Section 0: pure privacy is the case delta = 0. *)
Corollary pure_is_delta_zero : forall (X Y : Type) (epsilon : R) (K : kernel X Y) (p q : law X),
  bounded epsilon K p q -> bounded_but_for epsilon 0 K p q.
Proof.
  intros X Y epsilon K p q H event u v Hu Hv. rewrite Rplus_0_r.
  apply (pointwise_bounds_every_event X Y epsilon K p q H event); assumption.
Qed.
