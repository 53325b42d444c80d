(* The few facts about e^x that are used, from its series alone: the library's own proofs by derivatives would bring in one
   more axiom, the excluded middle. *)
From Coq Require Import Reals Lra.
Open Scope R_scope.

Lemma exp_above_line : forall x, 0 <= x -> 1 + x <= exp x.
Proof.
  intros x Hx. unfold exp. destruct (exist_exp x) as [l Hl]. simpl.
  assert (H : sum_f_R0 (fun i => / INR (fact i) * x ^ i) 1 <= l).
  { apply sum_incr; [exact Hl |]. intros n.
    apply Rmult_le_pos; [left; apply Rinv_0_lt_compat, INR_fact_lt_0 | apply pow_le, Hx]. }
  simpl in H. lra.
Qed.

Lemma exp_above_one : forall x, 0 < x -> 1 < exp x.
Proof. intros x Hx. assert (H := exp_above_line x (Rlt_le _ _ Hx)). lra. Qed.

Lemma exp_grows : forall a b, a <= b -> exp a <= exp b.
Proof.
  intros a b Hab. replace b with (a + (b - a)) by lra. rewrite exp_plus.
  assert (H := exp_above_line (b - a) ltac:(lra)). rewrite <- (Rmult_1_r (exp a)) at 1.
  apply Rmult_le_compat_l; [left; apply exp_pos | lra].
Qed.

Lemma exp_times_nat : forall (a : R) (n : nat), exp (INR n * a) = exp a ^ n.
Proof.
  intros a n. induction n as [| n IH]; [simpl; rewrite Rmult_0_l; apply exp_0 |].
  rewrite S_INR, Rmult_plus_distr_r, exp_plus, IH, Rmult_1_l. simpl. ring.
Qed.
