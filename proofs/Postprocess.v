(* What is done to the output after the release, and to the value before it. docs/math.md, sections 0 and 5.

   After: any map, and any random map that looks at the output alone, also one that takes infinitely many outputs
   together, as clamping to a range does. Before: shaping is a fixed map of the value, and the promise is about the law of
   the shaped value. *)
From Coq Require Import Reals ZArith List Lra.
Require Import Fugu.Private Fugu.Sums Fugu.Events.
Import ListNotations.
Open Scope R_scope.

(* The mass of z is the total, over all outputs y, of the mass of y times the chance that y becomes z. *)
Definition becomes {Y Z' : Type} (mass : Y -> R) (then_draw : kernel Y Z') (z : Z') (v : R) : Prop :=
  adds_up_to (fun y => mass y * then_draw y z) everything v.

(* No random map of the output can raise the largest ratio. *)
Theorem post_processing : forall (X Y Z' : Type) (epsilon : R) (K : kernel X Y) (then_draw : kernel Y Z') (p q : law X),
  non_negative_kernel then_draw -> bounded epsilon K p q ->
  forall z u v, becomes (output_mass K p) then_draw z u -> becomes (output_mass K q) then_draw z v ->
    u <= exp epsilon * v.
Proof.
  intros X Y Z' epsilon K then_draw p q Hdraw H z u v Hu Hv. rewrite <- (Rplus_0_r (exp epsilon * v)).
  apply (totals_compare Y _ _ everything _ 0 u v (Rlt_le _ _ (exp_pos epsilon)) Hu Hv).
  intros part _ _. rewrite Rplus_0_r, <- sum_over_scal. apply sum_over_le. intros y _. rewrite <- Rmult_assoc.
  apply Rmult_le_compat_r; [apply Hdraw | apply H].
Qed.

(* Where each z comes from finitely many outputs, the release followed by the map is a kernel again. *)
Definition followed_by {X Y Z' : Type} (K : kernel X Y) (sources : Z' -> list Y) (then_draw : kernel Y Z') : kernel X Z' :=
  fun x z => sum_over (fun y => K x y * then_draw y z) (sources z).

Lemma followed_by_output_mass : forall (X Y Z' : Type) (K : kernel X Y) (sources : Z' -> list Y) (then_draw : kernel Y Z')
    (p : law X) (z : Z'),
  output_mass (followed_by K sources then_draw) p z
  = sum_over (fun y => output_mass K p y * then_draw y z) (sources z).
Proof.
  intros X Y Z' K sources then_draw p z. unfold output_mass, followed_by.
  rewrite (sum_over_ext _ _ (fun a => sum_over (fun y => snd a * (K (fst a) y * then_draw y z)) (sources z))).
  - rewrite sum_over_swap. apply sum_over_ext. intros y _. rewrite <- sum_over_scal_r. apply sum_over_ext. intros; ring.
  - intros a _. symmetry. apply sum_over_scal.
Qed.

Theorem post_processing_kernel : forall (X Y Z' : Type) (epsilon : R) (K : kernel X Y) (sources : Z' -> list Y)
    (then_draw : kernel Y Z') (p q : law X),
  non_negative_kernel then_draw -> bounded epsilon K p q -> bounded epsilon (followed_by K sources then_draw) p q.
Proof.
  intros X Y Z' epsilon K sources then_draw p q Hdraw H z. rewrite !followed_by_output_mass, <- sum_over_scal.
  apply sum_over_le. intros y _. rewrite <- Rmult_assoc. apply Rmult_le_compat_r; [apply Hdraw | apply H].
Qed.

(* Clamping: all that lies at or beyond an end of the range is released as that end. *)
Definition clamp (low high y : Z) : Z := Z.max low (Z.min high y).

Theorem clamping : forall (X : Type) (epsilon : R) (K : kernel X Z) (p q : law X) (low high : Z),
  bounded epsilon K p q ->
  forall z u v,
    adds_up_to (output_mass K p) (fun y => clamp low high y = z) u ->
    adds_up_to (output_mass K q) (fun y => clamp low high y = z) v -> u <= exp epsilon * v.
Proof.
  intros X epsilon K p q low high H z. apply (pointwise_bounds_every_event X Z epsilon K p q H).
Qed.

(* Shaping: the value is moved by a fixed map first; its law is that of the moved value. *)
Definition shaped {X X' : Type} (shape : X -> X') (p : law X) : law X' := map (fun a => (shape (fst a), snd a)) p.

Lemma shaped_output_mass : forall (X X' Y : Type) (shape : X -> X') (K : kernel X' Y) (p : law X) (y : Y),
  output_mass K (shaped shape p) y = output_mass (fun x => K (shape x)) p y.
Proof. intros. unfold output_mass, shaped. rewrite sum_over_map. reflexivity. Qed.

Theorem shaping : forall (X X' Y : Type) (epsilon : R) (shape : X -> X') (K : kernel X' Y) (p q : law X),
  bounded epsilon K (shaped shape p) (shaped shape q) <-> bounded epsilon (fun x => K (shape x)) p q.
Proof.
  intros. unfold bounded. split; intros H y; specialize (H y); rewrite ?shaped_output_mass in *; exact H.
Qed.

(* A mixture of laws that all keep the promise keeps it: what the other rows of a table say, and what is known of them, may
   be averaged over (section 12, "The rate of a whole table"). *)
Theorem mixtures_keep_the_bound : forall (X Y I : Type) (epsilon : R) (K : I -> kernel X Y) (weight : I -> R)
    (items : list I) (p q : law X),
  (forall i, In i items -> 0 <= weight i) -> (forall i, In i items -> bounded epsilon (K i) p q) ->
  bounded epsilon (fun x y => sum_over (fun i => weight i * K i x y) items) p q.
Proof.
  intros X Y I epsilon K weight items p q Hweight H y.
  assert (Hswap : forall r : law X, output_mass (fun x y => sum_over (fun i => weight i * K i x y) items) r y
                                   = sum_over (fun i => weight i * output_mass (K i) r y) items).
  { intros r. unfold output_mass.
    rewrite (sum_over_ext _ _ (fun a => sum_over (fun i => weight i * (snd a * K i (fst a) y)) items)).
    - rewrite sum_over_swap. apply sum_over_ext. intros i _. apply sum_over_scal.
    - intros a _. rewrite <- sum_over_scal. apply sum_over_ext. intros; ring. }
  rewrite !Hswap, <- sum_over_scal. apply sum_over_le. intros i Hi.
  replace (exp epsilon * (weight i * output_mass (K i) q y)) with (weight i * (exp epsilon * output_mass (K i) q y)) by ring.
  apply Rmult_le_compat_l; [apply Hweight, Hi | apply H, Hi].
Qed.
