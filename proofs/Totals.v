(* A release is a law: where each row of the kernel adds up to 1 over all outputs, so does the released value's law, and
   every event has a probability. docs/math.md, section 0. *)
From Coq Require Import Reals ZArith List Lra.
Require Import Fugu.Private Fugu.Sums Fugu.Events Fugu.Windows Fugu.Laplace Fugu.Range.
Import ListNotations.
Open Scope R_scope.

Section Totals.
  Context {Y : Type}.
  Variable same : forall y z : Y, {y = z} + {y <> z}.
  Variable event : Y -> Prop.

  Lemma total_of_zero : adds_up_to (fun _ : Y => 0) event 0.
  Proof.
    split.
    - intros s [part [_ [_ ->]]]. rewrite sum_over_zero by reflexivity. lra.
    - intros bound H. apply H. exists []. repeat split; [constructor | intros y []].
  Qed.

  Lemma total_scaled : forall (c : R) (f : Y -> R) (v : R), 0 <= c -> adds_up_to f event v ->
    adds_up_to (fun y => c * f y) event (c * v).
  Proof.
    intros c f v Hc [Hupper Hleast]. split.
    - intros s [part [Hnodup [Hin ->]]]. rewrite sum_over_scal. apply Rmult_le_compat_l; [exact Hc |].
      apply Hupper. exists part. auto.
    - intros bound H. destruct Hc as [Hpos | <-].
      + apply Rmult_le_reg_l with (/ c); [apply Rinv_0_lt_compat, Hpos |]. rewrite <- Rmult_assoc, Rinv_l by lra.
        rewrite Rmult_1_l. apply Hleast. intros s [part [Hnodup [Hin ->]]].
        apply Rmult_le_reg_l with c; [exact Hpos |]. rewrite <- Rmult_assoc, Rinv_r, Rmult_1_l by lra.
        apply H. exists part. rewrite sum_over_scal. auto.
      + rewrite Rmult_0_l. apply H. exists []. repeat split; [constructor | intros y []].
  Qed.

  Lemma total_plus : forall (f g : Y -> R) (u v : R), (forall y, 0 <= f y) -> (forall y, 0 <= g y) ->
    adds_up_to f event u -> adds_up_to g event v -> adds_up_to (fun y => f y + g y) event (u + v).
  Proof.
    intros f g u v Hf Hg [Hfupper Hfleast] [Hgupper Hgleast]. split.
    - intros s [part [Hnodup [Hin ->]]]. rewrite sum_over_plus.
      apply Rplus_le_compat; [apply Hfupper | apply Hgupper]; exists part; auto.
    - intros bound H. enough (u <= bound - v) by lra. apply Hfleast. intros s [part [Hnodup [Hin ->]]].
      enough (v <= bound - sum_over f part) by lra. apply Hgleast. intros s [part' [Hnodup' [Hin' ->]]].
      set (all := nodup same (part ++ part')).
      assert (Hall : NoDup all) by apply NoDup_nodup.
      assert (H1 : sum_over f part <= sum_over f all).
      { apply sum_over_incl; [exact Hf | exact Hnodup |]. intros y Hy. apply nodup_In, in_or_app. left. exact Hy. }
      assert (H2 : sum_over g part' <= sum_over g all).
      { apply sum_over_incl; [exact Hg | exact Hnodup' |]. intros y Hy. apply nodup_In, in_or_app. right. exact Hy. }
      assert (H3 : sum_over (fun y => f y + g y) all <= bound).
      { apply H. exists all. split; [exact Hall |]. split; [| reflexivity]. intros y Hy.
        apply nodup_In, in_app_or in Hy as [Hy | Hy]; auto. }
      rewrite sum_over_plus in H3. lra.
  Qed.

  (* The probability of an event is the mean, over the values, of its probability given the value. *)
  Theorem event_mass_is_a_mean : forall (X : Type) (K : kernel X Y) (p : law X) (v : X -> R),
    non_negative_kernel K -> non_negative_law p -> (forall x, adds_up_to (K x) event (v x)) ->
    adds_up_to (output_mass K p) event (expectation p v).
  Proof.
    intros X K p v HK Hp Hv. induction Hp as [| [x m] rest Hm Hrest IH]; [apply total_of_zero |].
    apply (total_plus (fun y => m * K x y) (output_mass K rest)).
    - intros y. apply Rmult_le_pos; [exact Hm | apply HK].
    - intros y. apply output_mass_nonneg; assumption.
    - apply total_scaled; [exact Hm | apply Hv].
    - exact IH.
  Qed.
End Totals.

Theorem release_is_a_law : forall (X Y : Type) (same : forall y z : Y, {y = z} + {y <> z}) (K : kernel X Y) (p : law X),
  non_negative_kernel K -> proper_law p -> (forall x, adds_up_to (K x) everything 1) ->
  adds_up_to (output_mass K p) everything 1.
Proof.
  intros X Y same K p HK [Hp Htotal] Hrows. rewrite <- Htotal.
  replace (total_mass p) with (expectation p (fun _ => 1)).
  - apply event_mass_is_a_mean; assumption.
  - unfold expectation, total_mass. apply sum_over_ext. intros; ring.
Qed.

(* Laplace noise on a law of values: a law on all integers, and a probability for every event. *)
Theorem laplace_release_is_a_law : forall (r : R) (p : law Z), 0 < r < 1 -> proper_law p ->
  adds_up_to (output_mass (laplace r) p) everything 1.
Proof.
  intros r p Hr Hp. apply (release_is_a_law Z Z Z.eq_dec); [apply laplace_nonneg, Hr | exact Hp |].
  intros x. apply laplace_adds_up_to_one. lra.
Qed.

Theorem every_event_has_a_probability : forall (X Y : Type) (K : kernel X Y) (p : law X),
  adds_up_to (output_mass K p) everything 1 ->
  forall event : Y -> Prop, {v : R | adds_up_to (output_mass K p) event v /\ 0 <= v <= 1}.
Proof.
  intros X Y K p Htotal event.
  destruct (total_exists Y (output_mass K p) event 1) as [v Hv].
  - intros part Hnodup _. apply (part_below_total Y _ everything 1 part Htotal Hnodup). intros; exact I.
  - exists v. split; [exact Hv |]. split.
    + apply Hv. exists []. repeat split; [constructor | intros y []].
    + apply Hv. intros s [part [Hnodup [_ ->]]].
      apply (part_below_total Y _ everything 1 part Htotal Hnodup). intros; exact I.
Qed.
