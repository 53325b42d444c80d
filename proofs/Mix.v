(* A release mixed with one that ignores the value: how much each output needs, and why that is enough. docs/math.md,
   section 8, "Repair".

   The value is released with probability p, else a draw from q; need(y) is the most, over the pairs, of
   (P(y|i) - e^epsilon P(y|j)) / (e^epsilon - 1), and q is in proportion to it. *)
From Coq Require Import Reals List Lra.
Require Import Fugu.Private Fugu.Sums Fugu.Exponential Fugu.Range.
Import ListNotations.
Open Scope R_scope.

(* Any release with probability keep, else an output drawn without looking: filler y is already times 1 - keep. *)
Definition mixed {X Y : Type} (keep : R) (K : kernel X Y) (filler : Y -> R) : kernel X Y :=
  fun x y => keep * K x y + filler y.

Lemma mixed_output_mass : forall (X Y : Type) (keep : R) (K : kernel X Y) (filler : Y -> R) (p : law X) (y : Y),
  total_mass p = 1 -> output_mass (mixed keep K filler) p y = keep * output_mass K p y + filler y.
Proof.
  intros X Y keep K filler p y Hp. unfold output_mass, mixed.
  rewrite (sum_over_ext _ _ (fun a => keep * (snd a * K (fst a) y) + snd a * filler y)) by (intros; ring).
  rewrite sum_over_plus, sum_over_scal, sum_over_scal_r. fold (total_mass p). rewrite Hp. ring.
Qed.

Lemma need_is_enough : forall epsilon a b c, 0 < epsilon ->
  (a - exp epsilon * b) / (exp epsilon - 1) <= c -> a + c <= exp epsilon * (b + c).
Proof.
  intros epsilon a b c Heps H. assert (Hexp : 1 < exp epsilon) by (apply exp_above_one, Heps).
  apply Rmult_le_compat_r with (r := exp epsilon - 1) in H; [| lra].
  unfold Rdiv in H. rewrite Rmult_assoc, Rinv_l in H by lra. lra.
Qed.

Lemma less_is_not_enough : forall epsilon a b c, 0 < epsilon ->
  a + c <= exp epsilon * (b + c) -> (a - exp epsilon * b) / (exp epsilon - 1) <= c.
Proof.
  intros epsilon a b c Heps H. assert (Hexp : 1 < exp epsilon) by (apply exp_above_one, Heps).
  apply Rmult_le_reg_r with (exp epsilon - 1); [lra |]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra.
Qed.

(* Section 8: what is mixed in, over the share that is kept, must be at least the need at every output. *)
Theorem mix_is_private : forall (X Y : Type) (epsilon keep : R) (K : kernel X Y) (filler : Y -> R) (p q : law X),
  0 < epsilon -> 0 < keep -> total_mass p = 1 -> total_mass q = 1 ->
  (forall y, keep * ((output_mass K p y - exp epsilon * output_mass K q y) / (exp epsilon - 1)) <= filler y) ->
  bounded epsilon (mixed keep K filler) p q.
Proof.
  intros X Y epsilon keep K filler p q Heps Hkeep Hp Hq Hneed y.
  rewrite !mixed_output_mass by assumption. apply need_is_enough; [exact Heps |].
  replace ((keep * output_mass K p y - exp epsilon * (keep * output_mass K q y)) / (exp epsilon - 1))
    with (keep * ((output_mass K p y - exp epsilon * output_mass K q y) / (exp epsilon - 1))) by (unfold Rdiv; ring).
  apply Hneed.
Qed.

(* And no less will do. *)
Theorem mix_needs_it : forall (X Y : Type) (epsilon keep : R) (K : kernel X Y) (filler : Y -> R) (p q : law X),
  0 < epsilon -> total_mass p = 1 -> total_mass q = 1 -> bounded epsilon (mixed keep K filler) p q ->
  forall y, keep * ((output_mass K p y - exp epsilon * output_mass K q y) / (exp epsilon - 1)) <= filler y.
Proof.
  intros X Y epsilon keep K filler p q Heps Hp Hq H y. specialize (H y). rewrite !mixed_output_mass in H by assumption.
  apply less_is_not_enough in H; [| exact Heps].
  replace (keep * ((output_mass K p y - exp epsilon * output_mass K q y) / (exp epsilon - 1)))
    with ((keep * output_mass K p y - exp epsilon * (keep * output_mass K q y)) / (exp epsilon - 1)) by (unfold Rdiv; ring).
  exact H.
Qed.

(* The closed form on finitely many outputs: keep with probability 1 / (1 + sum of need), else draw in proportion to need. *)
Definition closed_keep {Y : Type} (outputs : list Y) (need : Y -> R) : R := / (1 + sum_over need outputs).

Definition closed_mix {X Y : Type} (K : kernel X Y) (outputs : list Y) (need : Y -> R) : kernel X Y :=
  mixed (closed_keep outputs need) K (fun y => closed_keep outputs need * need y).

Theorem closed_mix_is_a_law : forall (X Y : Type) (K : kernel X Y) (outputs : list Y) (need : Y -> R),
  (forall y, 0 <= need y) -> (forall x, sum_over (K x) outputs = 1) ->
  forall x, sum_over (closed_mix K outputs need x) outputs = 1.
Proof.
  intros X Y K outputs need Hneed HK x. unfold closed_mix, mixed, closed_keep.
  rewrite sum_over_plus, !sum_over_scal, HK.
  assert (Hsum : 0 <= sum_over need outputs) by (apply sum_over_nonneg; auto). field. lra.
Qed.

Theorem closed_mix_is_private : forall (X Y S : Type) (epsilon : R) (K : kernel X Y) (outputs : list Y) (need : Y -> R)
    (priors : list (S -> law X)) (pairs : list (S * S)),
  0 < epsilon -> (forall y, 0 <= need y) ->
  (forall prior, In prior priors -> forall s, total_mass (prior s) = 1) ->
  (forall prior, In prior priors -> forall pair, In pair pairs -> forall y,
     let P s := output_mass K (prior s) y in
     (P (fst pair) - exp epsilon * P (snd pair)) / (exp epsilon - 1) <= need y
     /\ (P (snd pair) - exp epsilon * P (fst pair)) / (exp epsilon - 1) <= need y) ->
  pufferfish epsilon (closed_mix K outputs need) priors pairs.
Proof.
  intros X Y S epsilon K outputs need priors pairs Heps Hneed Hlaws H prior Hprior pair Hpair.
  assert (Hkeep : 0 < closed_keep outputs need).
  { apply Rinv_0_lt_compat. assert (0 <= sum_over need outputs) by (apply sum_over_nonneg; auto). lra. }
  split; apply mix_is_private; auto; intros y; apply Rmult_le_compat_l; try lra; apply (H prior Hprior pair Hpair y).
Qed.

(* Every frequency can be recovered: seen less the filler, over the share that is kept. *)
Theorem mix_can_be_undone : forall (X Y : Type) (keep : R) (K : kernel X Y) (filler : Y -> R) (p : law X) (y : Y),
  keep <> 0 -> total_mass p = 1 ->
  (output_mass (mixed keep K filler) p y - filler y) / keep = output_mass K p y.
Proof. intros X Y keep K filler p y Hkeep Hp. rewrite mixed_output_mass by exact Hp. field. exact Hkeep. Qed.
