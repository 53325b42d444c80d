(* Plans of Theorems 1 and 2 and of the harmonic method add; values that may have changed, and other columns, count by their
   range. docs/math.md, section 10. *)
From Coq Require Import Reals ZArith List Lra Lia.
Require Import Fugu.Private Fugu.Sums Fugu.Coupling Fugu.Harmonic Fugu.Compose.
Import ListNotations.
Open Scope R_scope.

(* Chebyshev: functions that rise and fall together have a mean product of at least the product of their means. *)
Theorem chebyshev : forall (X : Type) (points : list X) (m f g : X -> R),
  (forall x, In x points -> 0 <= m x) ->
  (forall x z, In x points -> In z points -> 0 <= (f x - f z) * (g x - g z)) ->
  sum_over (fun x => m x * f x) points * sum_over (fun x => m x * g x) points
  <= sum_over m points * sum_over (fun x => m x * (f x * g x)) points.
Proof.
  intros X points m f g Hm Htogether.
  assert (H : 0 <= sum_over (fun x => sum_over (fun z => m x * m z * ((f x - f z) * (g x - g z))) points) points).
  { apply sum_over_nonneg. intros x Hx. apply sum_over_nonneg. intros z Hz.
    apply Rmult_le_pos; [apply Rmult_le_pos; apply Hm; assumption | apply Htogether; assumption]. }
  set (A := sum_over m points) in *. set (F := sum_over (fun x => m x * f x) points) in *.
  set (G := sum_over (fun x => m x * g x) points) in *. set (FG := sum_over (fun x => m x * (f x * g x)) points) in *.
  rewrite (sum_over_ext X _ (fun x => A * (m x * (f x * g x)) - G * (m x * f x) - F * (m x * g x) + FG * m x)) in H.
  - rewrite sum_over_plus, !sum_over_minus, !sum_over_scal in H. fold A F G FG in H. lra.
  - intros x _. unfold A, F, G, FG.
    rewrite <- !sum_over_scal_r, <- !sum_over_minus, <- sum_over_plus. apply sum_over_ext. intros; ring.
Qed.

(* Section 10: a row of two releases keeps at least the product of what the rows of each keep, if both keep less the farther
   the values are apart. So epsilons of such plans add. *)
Theorem kept_rows_multiply : forall (X : Type) (points : list X) (pi kept kept' : X -> R) (mass share share' : R),
  (forall x', In x' points -> 0 <= pi x') -> sum_over pi points = mass -> 0 < mass -> 0 <= share -> 0 <= share' ->
  (forall x z, In x points -> In z points -> 0 <= (kept x - kept z) * (kept' x - kept' z)) ->
  share * mass <= sum_over (fun x' => pi x' * kept x') points ->
  share' * mass <= sum_over (fun x' => pi x' * kept' x') points ->
  share * share' * mass <= sum_over (fun x' => pi x' * (kept x' * kept' x')) points.
Proof.
  intros X points pi kept kept' mass share share' Hpi Hsum Hmass Hs Hs' Htogether Hrow Hrow'.
  assert (Hcheb := chebyshev X points pi kept kept' Hpi Htogether). rewrite Hsum in Hcheb.
  assert (Hprod : share * mass * (share' * mass)
                  <= sum_over (fun x' => pi x' * kept x') points * sum_over (fun x' => pi x' * kept' x') points).
  { apply Rmult_le_compat; try assumption; apply Rmult_le_pos; lra. }
  apply Rmult_le_reg_l with mass; [exact Hmass |]. lra.
Qed.

(* Laplace releases do: powers of the ratios of one distance. *)
Lemma powers_fall_together : forall r r' (a b : nat), 0 < r < 1 -> 0 < r' < 1 ->
  0 <= (r ^ a - r ^ b) * (r' ^ a - r' ^ b).
Proof.
  assert (Hfall : forall t (a b : nat), 0 < t < 1 -> (a <= b)%nat -> t ^ b <= t ^ a).
  { intros t a b Ht Hab. replace b with (a + (b - a))%nat by lia.
    rewrite pow_add. rewrite <- (Rmult_1_r (t ^ a)) at 2. apply Rmult_le_compat_l; [left; apply pow_lt; lra |].
    rewrite <- (pow1 (b - a)). apply pow_incr. lra. }
  intros r r' a b Hr Hr'. destruct (Nat.le_ge_cases a b) as [Hab | Hba].
  - assert (H := Hfall r a b Hr Hab). assert (H' := Hfall r' a b Hr' Hab). apply Rmult_le_pos; lra.
  - assert (H := Hfall r b a Hr Hba). assert (H' := Hfall r' b a Hr' Hba).
    replace ((r ^ a - r ^ b) * (r' ^ a - r' ^ b)) with ((r ^ b - r ^ a) * (r' ^ b - r' ^ a)) by ring.
    apply Rmult_le_pos; lra.
Qed.

(* A release of the first value beside one of another value, which may have to do with it in any way. *)
Definition beside {X X' Y Y' : Type} (K : kernel X Y) (K' : kernel X' Y') : kernel (X * X') (Y * Y') :=
  fun values outputs => K (fst values) (fst outputs) * K' (snd values) (snd outputs).

(* Section 10: the mass of each output of the other release lies between floor and e^range floor, whatever its value. Then
   both together keep epsilon + range, whatever the joint law of the two values. *)
Theorem others_count_by_their_range : forall (X X' Y Y' : Type) (epsilon range : R) (K : kernel X Y) (K' : kernel X' Y')
    (floor : Y' -> R) (p q : law (X * X')),
  non_negative_kernel K -> non_negative_law p -> non_negative_law q -> (forall y', 0 <= floor y') ->
  (forall x' y', floor y' <= K' x' y' <= exp range * floor y') ->
  bounded epsilon K (first_side p) (first_side q) -> bounded (epsilon + range) (beside K K') p q.
Proof.
  intros X X' Y Y' epsilon range K K' floor p q HK Hp Hq Hfloor Hrange H [y y'].
  unfold non_negative_law in Hp, Hq. rewrite Forall_forall in Hp, Hq.
  specialize (H y). rewrite !output_mass_is_expectation, !first_side_mean in H.
  unfold output_mass, beside. simpl. rewrite exp_plus.
  apply Rle_trans with (exp range * floor y' * sum_over (fun cell => snd cell * K (fst (fst cell)) y) p).
  - rewrite <- sum_over_scal. apply sum_over_le. intros cell Hin.
    replace (exp range * floor y' * (snd cell * K (fst (fst cell)) y))
      with (snd cell * (K (fst (fst cell)) y * (exp range * floor y'))) by ring.
    apply Rmult_le_compat_l; [apply Hp, Hin |]. apply Rmult_le_compat_l; [apply HK | apply Hrange].
  - apply Rle_trans with (exp range * floor y' * (exp epsilon * sum_over (fun cell => snd cell * K (fst (fst cell)) y) q)).
    + apply Rmult_le_compat_l; [apply Rmult_le_pos; [left; apply exp_pos | apply Hfloor] | exact H].
    + replace (exp range * floor y' * (exp epsilon * sum_over (fun cell => snd cell * K (fst (fst cell)) y) q))
        with (exp epsilon * exp range * (floor y' * sum_over (fun cell => snd cell * K (fst (fst cell)) y) q)) by ring.
      apply Rmult_le_compat_l; [rewrite <- exp_plus; left; apply exp_pos |]. rewrite <- sum_over_scal.
      apply sum_over_le. intros cell Hin.
      replace (floor y' * (snd cell * K (fst (fst cell)) y)) with (snd cell * (K (fst (fst cell)) y * floor y')) by ring.
      apply Rmult_le_compat_l; [apply Hq, Hin |]. apply Rmult_le_compat_l; [apply HK | apply Hrange].
Qed.
