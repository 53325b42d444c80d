(* Rows that trade places: a circulation keeps every frequency in expectation. docs/math.md, section 16. *)
From Coq Require Import Reals List Lra.
Require Import Fugu.Private Fugu.Sums.
Import ListNotations.
Open Scope R_scope.

Section Circulation.
  Context {X : Type}.
  Variable same : forall x y : X, {x = y} + {x <> y}.
  Variable rows : list X.       (* the rows that occur *)
  Variable share : X -> R.      (* w(x), of the table's rows *)
  Variable flow : X -> X -> R.  (* f(x, y), of what is x and becomes y *)

  Hypothesis rows_once : NoDup rows.
  Hypothesis share_positive : forall x, In x rows -> 0 < share x.
  Hypothesis flow_nonneg : forall x y, 0 <= flow x y.

  Definition leaving (x : X) : R := sum_over (fun y => flow x y) rows.
  Definition coming (y : X) : R := sum_over (fun x => flow x y) rows.

  Hypothesis no_more_leaves_than_there_is : forall x, In x rows -> leaving x <= share x.
  Hypothesis balanced : forall x, In x rows -> leaving x = coming x.

  (* K(y|x): a row stays, or flows. *)
  Definition trade : kernel X X := fun x y => (if same x y then 1 - leaving x / share x else 0) + flow x y / share x.

  Lemma trade_nonneg : forall x y, In x rows -> 0 <= trade x y.
  Proof.
    intros x y Hx. unfold trade. assert (Hw := share_positive x Hx). apply Rplus_le_le_0_compat.
    - destruct (same x y); [| lra]. assert (Hout := no_more_leaves_than_there_is x Hx).
      enough (leaving x / share x <= 1) by lra. apply Rmult_le_reg_r with (share x); [exact Hw |].
      unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra.
    - apply Rmult_le_pos; [apply flow_nonneg | left; apply Rinv_0_lt_compat, Hw].
  Qed.

  Lemma trade_adds_up : forall x, In x rows -> sum_over (trade x) rows = 1.
  Proof.
    intros x Hx. unfold trade. rewrite sum_over_plus.
    rewrite (sum_over_ext X _ (fun y => if same y x then 1 - leaving x / share x else 0)).
    - rewrite (sum_over_pick X same (fun _ => 1 - leaving x / share x)) by assumption.
      unfold Rdiv. rewrite (sum_over_scal_r X (/ share x) (fun y => flow x y)). fold (leaving x). lra.
    - intros y _. destruct (same x y), (same y x); congruence.
  Qed.

  (* Section 16: the mass of an output under any weights, M_s(y) = P(y) - P(y)/w(y) out(y) + sum f(x,y) P(x)/w(x). *)
  Theorem trade_output_mass : forall (p : X -> R) (y : X), In y rows ->
    output_mass trade (weighing rows p) y
    = p y - p y / share y * leaving y + sum_over (fun x => flow x y * p x / share x) rows.
  Proof.
    intros p y Hy. rewrite output_mass_weighing. unfold trade.
    rewrite (sum_over_ext X _ (fun x => (if same x y then p x * (1 - leaving x / share x) else 0)
                                        + flow x y * p x / share x)).
    - rewrite sum_over_plus, (sum_over_pick X same (fun x => p x * (1 - leaving x / share x))) by assumption.
      unfold Rdiv. ring.
    - intros x _. destruct (same x y); unfold Rdiv; ring.
  Qed.

  (* Invariance: every row is as frequent after as before, in expectation. *)
  Theorem circulation_keeps_frequencies : forall y, In y rows -> output_mass trade (weighing rows share) y = share y.
  Proof.
    intros y Hy. rewrite trade_output_mass by exact Hy.
    rewrite (sum_over_ext X (fun x => flow x y * share x / share x) (fun x => flow x y)).
    - fold (coming y). rewrite <- (balanced y Hy). assert (Hw := share_positive y Hy). field. lra.
    - intros x Hx. assert (Hw := share_positive x Hx). field. lra.
  Qed.

  (* So every frequency and cross table: the mean of any function of a row. *)
  Theorem circulation_keeps_every_table : forall h : X -> R,
    sum_over (fun y => output_mass trade (weighing rows share) y * h y) rows = sum_over (fun y => share y * h y) rows.
  Proof. intros h. apply sum_over_ext. intros y Hy. rewrite circulation_keeps_frequencies by exact Hy. reflexivity. Qed.
End Circulation.
