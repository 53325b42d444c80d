(* Laws as lists and laws as masses are one thing: two lists whose values have the same masses are the same law, and a
   coupling that is a list of cells is a matrix. docs/math.md, sections 0 and 1. *)
From Coq Require Import Reals List Lra.
Require Import Fugu.Private Fugu.Sums Fugu.Coupling Fugu.Harmonic.
Import ListNotations.
Open Scope R_scope.

Section Atoms.
  Context {X : Type}.
  Variable same : forall x y : X, {x = y} + {x <> y}.

  Definition at_value (x z : X) : R := if same z x then 1 else 0.
  Definition mass_at (p : law X) (x : X) : R := expectation p (at_value x).

  (* One atom for each value. *)
  Lemma one_atom_each : forall (p : law X) (points : list X),
    NoDup points -> (forall a, In a p -> In (fst a) points) -> same_law p (weighing points (mass_at p)).
  Proof.
    intros p points Hnodup Hin f. unfold expectation, weighing, mass_at, expectation.
    rewrite sum_over_map. simpl.
    rewrite (sum_over_ext X _ (fun x => sum_over (fun a => snd a * (if same x (fst a) then f x else 0)) p)).
    - rewrite sum_over_swap. apply sum_over_ext. intros a Ha. rewrite sum_over_scal.
      rewrite (sum_over_pick X same f) by auto. reflexivity.
    - intros x _. rewrite <- sum_over_scal_r. apply sum_over_ext. intros a _. unfold at_value.
      destruct (same (fst a) x), (same x (fst a)); try congruence; ring.
  Qed.

  (* The same masses make the same law. *)
  Theorem same_masses_same_law : forall p q : law X, (forall x, mass_at p x = mass_at q x) -> same_law p q.
  Proof.
    intros p q H f. set (points := nodup same (map fst (p ++ q))).
    assert (Hin : forall a, In a (p ++ q) -> In (fst a) points).
    { intros a Ha. apply nodup_In, in_map, Ha. }
    rewrite (one_atom_each p points (NoDup_nodup same _)) by (intros a Ha; apply Hin, in_or_app; left; exact Ha).
    rewrite (one_atom_each q points (NoDup_nodup same _)) by (intros a Ha; apply Hin, in_or_app; right; exact Ha).
    unfold expectation, weighing. rewrite !sum_over_map. apply sum_over_ext. intros x _. simpl. rewrite H. reflexivity.
  Qed.

  (* The mass that a list of cells moves from x to x'. *)
  Definition moved (pi : law (X * X)) (x x' : X) : R :=
    sum_over (fun cell => snd cell * (at_value x (fst (fst cell)) * at_value x' (snd (fst cell)))) pi.

  Lemma sum_at_value : forall (points : list X) (z : X), NoDup points -> In z points ->
    sum_over (fun x => at_value x z) points = 1.
  Proof.
    intros points z Hnodup Hin. rewrite <- (sum_over_pick X same (fun _ => 1) z points Hnodup Hin).
    apply sum_over_ext. intros x _. unfold at_value. destruct (same z x), (same x z); congruence.
  Qed.

  Theorem coupling_as_matrix : forall (pi : law (X * X)) (p q : law X) (points : list X),
    NoDup points -> (forall cell, In cell pi -> In (fst (fst cell)) points /\ In (snd (fst cell)) points) ->
    coupling pi p q -> coupling_matrix points (moved pi) (mass_at p) (mass_at q).
  Proof.
    intros pi p q points Hnodup Hcells [Hnonneg [Hp Hq]]. unfold non_negative_law in Hnonneg.
    rewrite Forall_forall in Hnonneg. split; [| split].
    - intros x x'. apply sum_over_nonneg. intros cell Hin. apply Rmult_le_pos; [apply Hnonneg, Hin |].
      unfold at_value. destruct (same _ _), (same _ _); lra.
    - intros x _. unfold mass_at. rewrite <- Hp, first_side_mean. unfold moved.
      rewrite (sum_over_swap X). apply sum_over_ext. intros cell Hin. rewrite sum_over_scal, sum_over_scal.
      rewrite sum_at_value by (try assumption; apply Hcells, Hin). ring.
    - intros x' _. unfold mass_at. rewrite <- Hq, second_side_mean. unfold moved.
      rewrite (sum_over_swap X). apply sum_over_ext. intros cell Hin. rewrite sum_over_scal, sum_over_scal_r.
      rewrite sum_at_value by (try assumption; apply Hcells, Hin). ring.
  Qed.
End Atoms.

(* A promise about laws is one about masses, not about how they are listed. *)
Theorem bounded_same_law : forall (X Y : Type) (epsilon : R) (K : kernel X Y) (p p' q q' : law X),
  same_law p p' -> same_law q q' -> bounded epsilon K p q -> bounded epsilon K p' q'.
Proof.
  intros X Y epsilon K p p' q q' Hp Hq H y. specialize (H y). rewrite !output_mass_is_expectation in *.
  rewrite <- Hp, <- Hq. exact H.
Qed.

(* Theorem 2 and the harmonic form for a coupling that is a list of cells, such as the walk's. *)
Theorem theorem_2_cells : forall (X Y : Type) (same : forall x y : X, {x = y} + {x <> y}) (epsilon : R) (K : kernel X Y)
    (C : X -> X -> R) (pi : law (X * X)) (p q : law X) (points : list X),
  NoDup points -> (forall cell, In cell pi -> In (fst (fst cell)) points /\ In (snd (fst cell)) points) ->
  (forall a, In a (p ++ q) -> In (fst a) points) ->
  non_negative_kernel K -> cost_bound C K -> coupling pi p q ->
  (forall x', In x' points -> sum_over (fun x => moved same pi x x' * C x x') points <= exp epsilon * mass_at same q x') ->
  (forall x, In x points -> sum_over (fun x' => moved same pi x x' * C x' x) points <= exp epsilon * mass_at same p x) ->
  indistinguishable epsilon K p q.
Proof.
  intros X Y same epsilon K C pi p q points Hnodup Hcells Hatoms HK HC Hpi Hcolumns Hrows.
  assert (Hmatrix := coupling_as_matrix same pi p q points Hnodup Hcells Hpi).
  destruct (theorem_2 X Y epsilon K C points _ _ _ HK HC Hmatrix Hcolumns Hrows) as [Hpq Hqp].
  assert (Hp : same_law (weighing points (mass_at same p)) p).
  { intros f. symmetry. apply one_atom_each; [exact Hnodup | intros a Ha; apply Hatoms, in_or_app; left; exact Ha]. }
  assert (Hq : same_law (weighing points (mass_at same q)) q).
  { intros f. symmetry. apply one_atom_each; [exact Hnodup | intros a Ha; apply Hatoms, in_or_app; right; exact Ha]. }
  split; [apply (bounded_same_law X Y epsilon K _ p _ q Hp Hq Hpq) | apply (bounded_same_law X Y epsilon K _ q _ p Hq Hp Hqp)].
Qed.

Theorem harmonic_cells : forall (X Y : Type) (same : forall x y : X, {x = y} + {x <> y}) (epsilon : R) (K : kernel X Y)
    (kept : X -> X -> R) (pi : law (X * X)) (p q : law X) (points : list X),
  NoDup points -> (forall cell, In cell pi -> In (fst (fst cell)) points /\ In (snd (fst cell)) points) ->
  (forall a, In a (p ++ q) -> In (fst a) points) ->
  non_negative_kernel K -> keeps kept K -> coupling pi p q ->
  (forall x, In x points ->
     exp (- epsilon) * mass_at same p x <= sum_over (fun x' => moved same pi x x' * kept x x') points) ->
  (forall x', In x' points ->
     exp (- epsilon) * mass_at same q x' <= sum_over (fun x => moved same pi x x' * kept x' x) points) ->
  indistinguishable epsilon K p q.
Proof.
  intros X Y same epsilon K kept pi p q points Hnodup Hcells Hatoms HK Hkept Hpi Hrows Hcolumns.
  assert (Hmatrix := coupling_as_matrix same pi p q points Hnodup Hcells Hpi).
  destruct (harmonic X Y epsilon K kept points _ _ _ HK Hkept Hmatrix Hrows Hcolumns) as [Hpq Hqp].
  assert (Hp : same_law (weighing points (mass_at same p)) p).
  { intros f. symmetry. apply one_atom_each; [exact Hnodup | intros a Ha; apply Hatoms, in_or_app; left; exact Ha]. }
  assert (Hq : same_law (weighing points (mass_at same q)) q).
  { intros f. symmetry. apply one_atom_each; [exact Hnodup | intros a Ha; apply Hatoms, in_or_app; right; exact Ha]. }
  split; [apply (bounded_same_law X Y epsilon K _ p _ q Hp Hq Hpq) | apply (bounded_same_law X Y epsilon K _ q _ p Hq Hp Hqp)].
Qed.
