(* Markov quilts: what is near the secret state pays by the noise, what is beyond the quilt not at all. docs/math.md, section
   12, "Markov chains".

   Given the quilt q, the states near the secret one and those far from it are independent, and the far ones do not look at
   the secret: this is the Markov property, and it is in how `released` is put together. *)
From Coq Require Import Reals List Lra.
Require Import Fugu.Private Fugu.Sums Fugu.Range.
Import ListNotations.
Open Scope R_scope.

Section Quilt.
  Context {State Quilt Near Far Output : Type}.
  Variable quilts : list Quilt.
  Variable quilt_mass : State -> Quilt -> R.        (* P(q | x) *)
  Variable near : State -> Quilt -> law Near.       (* given the secret state and the quilt *)
  Variable far : Quilt -> law Far.                  (* given the quilt *)
  Variable noise : Near -> Far -> Output -> R.      (* P(w | all states) *)

  Hypothesis quilt_mass_nonneg : forall x q, 0 <= quilt_mass x q.
  Hypothesis near_proper : forall x q, proper_law (near x q).
  Hypothesis far_nonneg : forall q, non_negative_law (far q).
  Hypothesis noise_nonneg : forall n f w, 0 <= noise n f w.

  Definition released_given (x : State) (q : Quilt) (w : Output) : R :=
    expectation (far q) (fun f => expectation (near x q) (fun n => noise n f w)).

  Definition released (x : State) (w : Output) : R :=
    sum_over (fun q => quilt_mass x q * released_given x q w) quilts.

  Lemma released_given_nonneg : forall x q w, 0 <= released_given x q w.
  Proof.
    intros x q w. apply sum_over_nonneg. intros f Hf. specialize (far_nonneg q). unfold non_negative_law in far_nonneg.
    rewrite Forall_forall in far_nonneg. apply Rmult_le_pos; [apply far_nonneg, Hf |].
    apply (output_mass_nonneg Near Output (fun n w => noise n (fst f) w)); [intros n w'; apply noise_nonneg |].
    apply near_proper.
  Qed.

  (* n c bounds what another choice of the near states costs, e what the secret changes in the quilt's law. *)
  Theorem quilt_bound : forall (near_cost influence : R) (x x' : State),
    (forall n n' f w, noise n f w <= exp near_cost * noise n' f w) ->
    (forall q, In q quilts -> quilt_mass x q <= exp influence * quilt_mass x' q) ->
    forall w, released x w <= exp (influence + near_cost) * released x' w.
  Proof.
    intros near_cost influence x x' Hnear Hquilt w. unfold released. rewrite <- sum_over_scal. apply sum_over_le.
    intros q Hq.
    assert (Hgiven : released_given x q w <= exp near_cost * released_given x' q w).
    { unfold released_given, expectation at 1 3. rewrite <- sum_over_scal. apply sum_over_le. intros f Hf.
      specialize (far_nonneg q). unfold non_negative_law in far_nonneg. rewrite Forall_forall in far_nonneg.
      rewrite <- Rmult_assoc, (Rmult_comm (exp near_cost)), Rmult_assoc.
      apply Rmult_le_compat_l; [apply far_nonneg, Hf |].
      apply (range_bound Near Output (fun n w => noise n (fst f) w)); try apply near_proper. intros; apply Hnear. }
    apply Rle_trans with (quilt_mass x q * (exp near_cost * released_given x' q w)).
    - apply Rmult_le_compat_l; [apply quilt_mass_nonneg | exact Hgiven].
    - rewrite exp_plus.
      replace (exp influence * exp near_cost * (quilt_mass x' q * released_given x' q w))
        with (exp influence * quilt_mass x' q * (exp near_cost * released_given x' q w)) by ring.
      apply Rmult_le_compat_r; [| apply Hquilt, Hq].
      apply Rmult_le_pos; [left; apply exp_pos | apply released_given_nonneg].
  Qed.
End Quilt.
