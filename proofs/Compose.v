(* Several releases of one value, each with fresh noise, also where each is chosen after seeing the outputs before.
   docs/math.md, sections 10 and 17.

   A strategy names the next release by the outputs so far, latest first; neither the value nor the secret has a say. To
   stop is to go on with releases that do not look at the value, and a choice by coins is an output of such a release. *)
From Coq Require Import Reals ZArith List Lra Lia.
Require Import Fugu.Private Fugu.Sums Fugu.Laplace Fugu.Coupling Fugu.Harmonic Fugu.Line.
Import ListNotations.
Open Scope R_scope.

(* Two releases that were settled beforehand. *)
Definition both {X Y Y' : Type} (K : kernel X Y) (K' : kernel X Y') : kernel X (Y * Y') :=
  fun x outputs => K x (fst outputs) * K' x (snd outputs).

(* Section 17: releases with fresh noise add, D = D_1 + D_2. *)
Theorem costs_of_two_releases_multiply : forall (X Y Y' : Type) (K : kernel X Y) (K' : kernel X Y') (C C' : X -> X -> R),
  non_negative_kernel K -> non_negative_kernel K' -> cost_bound C K -> cost_bound C' K' ->
  cost_bound (fun x x' => C x x' * C' x x') (both K K').
Proof.
  intros X Y Y' K K' C C' HK HK' HC HC' x x' [y y']. unfold both. simpl.
  replace (C x x' * C' x x' * (K x' y * K' x' y')) with (C x x' * K x' y * (C' x x' * K' x' y')) by ring.
  apply Rmult_le_compat; auto.
Qed.

(* Section 10: what exchanges keep multiplies as well; with it the harmonic form bounds all releases together. *)
Theorem kept_shares_multiply : forall (X Y Y' : Type) (K : kernel X Y) (K' : kernel X Y') (kept kept' : X -> X -> R),
  non_negative_kernel K -> non_negative_kernel K' -> (forall x x', 0 <= kept x x') -> (forall x x', 0 <= kept' x x') ->
  keeps kept K -> keeps kept' K' -> keeps (fun x x' => kept x x' * kept' x x') (both K K').
Proof.
  intros X Y Y' K K' kept kept' HK HK' Hpos Hpos' Hkept Hkept' x x' [y y']. unfold both. simpl.
  replace (kept x x' * kept' x x' * (K x y * K' x y')) with (kept x x' * K x y * (kept' x x' * K' x y')) by ring.
  apply Rmult_le_compat; auto; apply Rmult_le_pos; auto.
Qed.

Section Adaptive.
  Context {X Y : Type}.

  (* The release that comes next, after these outputs, and what an exchange costs there. *)
  Variable strategy : list Y -> kernel X Y.
  Variable cost : list Y -> X -> X -> R.

  Hypothesis every_release_nonneg : forall past, non_negative_kernel (strategy past).
  Hypothesis every_release_bounded : forall past, cost_bound (cost past) (strategy past).

  (* The mass of the outputs still to come, for a value, after these outputs. *)
  Fixpoint continuation (past : list Y) (x : X) (coming : list Y) : R :=
    match coming with
    | [] => 1
    | y :: rest => strategy past x y * continuation (y :: past) x rest
    end.

  Definition transcript : kernel X (list Y) := continuation [].

  Fixpoint cost_of_path (past coming : list Y) (x x' : X) : R :=
    match coming with
    | [] => 1
    | y :: rest => cost past x x' * cost_of_path (y :: past) rest x x'
    end.

  Lemma continuation_nonneg : forall coming past x, 0 <= continuation past x coming.
  Proof.
    induction coming as [| y rest IH]; intros past x; simpl; [lra |].
    apply Rmult_le_pos; [apply every_release_nonneg | apply IH].
  Qed.

  Lemma transcript_nonneg : non_negative_kernel transcript.
  Proof. intros x outputs. apply continuation_nonneg. Qed.

  Lemma continuation_cost : forall coming past x x',
    continuation past x coming <= cost_of_path past coming x x' * continuation past x' coming.
  Proof.
    induction coming as [| y rest IH]; intros past x x'; simpl; [lra |].
    replace (cost past x x' * cost_of_path (y :: past) rest x x' * (strategy past x' y * continuation (y :: past) x' rest))
      with (cost past x x' * strategy past x' y * (cost_of_path (y :: past) rest x x' * continuation (y :: past) x' rest))
      by ring.
    apply Rmult_le_compat; [apply every_release_nonneg | apply continuation_nonneg | apply every_release_bounded | apply IH].
  Qed.

  (* Section 17: a transcript costs the product of what the releases of its own path cost. *)
  Theorem costs_multiply_along_every_path : forall outputs x x',
    transcript x outputs <= cost_of_path [] outputs x x' * transcript x' outputs.
  Proof. intros. apply continuation_cost. Qed.

  (* So a budget that no path exceeds is a cost bound of all transcripts. *)
  Theorem budget_bounds_every_path : forall budget : X -> X -> R,
    (forall outputs x x', cost_of_path [] outputs x x' <= budget x x') -> cost_bound budget transcript.
  Proof.
    intros budget Hbudget x x' outputs.
    apply Rle_trans with (cost_of_path [] outputs x x' * transcript x' outputs).
    - apply costs_multiply_along_every_path.
    - apply Rmult_le_compat_r; [apply transcript_nonneg | apply Hbudget].
  Qed.
End Adaptive.

(* The ratios of the releases on a path, multiplied. *)
Fixpoint ratio_of_path {Y : Type} (ratio : list Y -> R) (past coming : list Y) : R :=
  match coming with
  | [] => 1
  | y :: rest => ratio past * ratio_of_path ratio (y :: past) rest
  end.

Lemma path_cost_by_ratios : forall (Y : Type) (ratio : list Y -> R) (coming past : list Y) (x x' : Z),
  (forall outputs, 0 < ratio outputs) ->
  cost_of_path (fun outputs x x' => (/ ratio outputs) ^ steps x x') past coming x x'
  = (/ ratio_of_path ratio past coming) ^ steps x x'.
Proof.
  intros Y ratio coming past x x' Hratio. revert past. induction coming as [| y rest IH]; intros past; simpl.
  - rewrite Rinv_1, pow1. reflexivity.
  - rewrite IH, Rinv_mult, Rpow_mult_distr. reflexivity.
Qed.

Lemma ratio_of_path_positive : forall (Y : Type) (ratio : list Y -> R), (forall outputs, 0 < ratio outputs) ->
  forall coming past, 0 < ratio_of_path ratio past coming.
Proof.
  intros Y ratio Hratio. induction coming as [| y rest IH]; intros past; simpl; [lra |].
  apply Rmult_lt_0_compat; auto.
Qed.

(* Section 17: releases of any make, each chosen by earlier outputs alone, that cost no more than Laplace noise of these
   ratios, cost together no more than Laplace noise of ratio r, if the ratios multiply to at least r on every path: the
   influences b_k = -log r_k add up to at most b = -log r. *)
Theorem influences_add : forall (Y : Type) (strategy : list Y -> kernel Z Y) (ratio : list Y -> R) (r : R),
  0 < r -> (forall past, 0 < ratio past) -> (forall past, non_negative_kernel (strategy past)) ->
  (forall past, cost_bound (fun x x' => (/ ratio past) ^ steps x x') (strategy past)) ->
  (forall outputs, r <= ratio_of_path ratio [] outputs) ->
  cost_bound (fun x x' => (/ r) ^ steps x x') (transcript strategy).
Proof.
  intros Y strategy ratio r Hr Hratio HK HC Hpath.
  apply (budget_bounds_every_path strategy (fun past x x' => (/ ratio past) ^ steps x x')); try assumption.
  intros outputs x x'. rewrite path_cost_by_ratios by exact Hratio. apply pow_incr. split.
  - left. apply Rinv_0_lt_compat, ratio_of_path_positive, Hratio.
  - apply Rinv_le_contravar; [exact Hr | apply Hpath].
Qed.

(* Section 17, "it composes": where the line recursion proves epsilon for the ratio r, all such releases together keep it. *)
Theorem sharp_composes : forall (Y : Type) (strategy : list Y -> kernel Z Y) (ratio : list Y -> R) (r epsilon : R)
    (values : list Z) (p q : Z -> R),
  0 < r < 1 -> (forall past, 0 < ratio past) -> (forall past, non_negative_kernel (strategy past)) ->
  (forall past, cost_bound (fun x x' => (/ ratio past) ^ steps x x') (strategy past)) ->
  (forall outputs, r <= ratio_of_path ratio [] outputs) ->
  height (line_of (fun x x' => (/ r) ^ steps x x') (fun x => p x - exp epsilon * q x) values) <= 0 ->
  height (line_of (fun x x' => (/ r) ^ steps x x') (fun x => q x - exp epsilon * p x) values) <= 0 ->
  indistinguishable epsilon (transcript strategy) (weighing values p) (weighing values q).
Proof.
  intros Y strategy ratio r epsilon values p q Hr Hratio HK HC Hpath Hpq Hqp.
  split; apply (line_recursion_laplace (list Y) (transcript strategy) r); try assumption;
    try (apply transcript_nonneg; assumption); apply (influences_add Y strategy ratio r); try assumption; lra.
Qed.

(* Theorem 1 for such releases: W_inf times the influences. *)
Theorem theorem_1_composes : forall (Y : Type) (strategy : list Y -> kernel Z Y) (ratio : list Y -> R) (r epsilon : R)
    (far : nat) (pi : law (Z * Z)) (p q : law Z),
  0 < r < 1 -> (forall past, 0 < ratio past) -> (forall past, non_negative_kernel (strategy past)) ->
  (forall past, cost_bound (fun x x' => (/ ratio past) ^ steps x x') (strategy past)) ->
  (forall outputs, r <= ratio_of_path ratio [] outputs) ->
  exp (- epsilon) <= r ^ far -> coupling pi p q -> moves_at_most far pi ->
  indistinguishable epsilon (transcript strategy) p q.
Proof.
  intros Y strategy ratio r epsilon far pi p q Hr Hratio HK HC Hpath Hfull Hpi Hfar.
  apply (theorem_1 Z (list Y) epsilon _ (fun x x' => (/ r) ^ steps x x') pi); try assumption.
  - apply transcript_nonneg; assumption.
  - apply (influences_add Y strategy ratio r); try assumption. lra.
  - apply (inverse_powers_within epsilon r far pi); assumption.
Qed.
