(* What is promised: Pufferfish privacy of a finite law of values, released through a kernel into outputs of any
   type, finitely or infinitely many. docs/math.md, section 0.

   A law is a list of values with their masses; a value may stand there several times. A kernel gives the mass of
   each output for a value. Nothing here asks masses to add up to 1: the statements are about ratios, and those who
   need it say so. *)
From Coq Require Import Reals List Lra.
Import ListNotations.
Open Scope R_scope.

Fixpoint sum_over {A : Type} (f : A -> R) (items : list A) : R :=
  match items with
  | [] => 0
  | item :: rest => f item + sum_over f rest
  end.

Definition law (X : Type) := list (X * R).
Definition kernel (X Y : Type) := X -> Y -> R.

Definition non_negative_law {X : Type} (p : law X) : Prop := Forall (fun atom => 0 <= snd atom) p.
Definition non_negative_kernel {X Y : Type} (K : kernel X Y) : Prop := forall x y, 0 <= K x y.

(* The mass of an output, where the value has this law. *)
Definition output_mass {X Y : Type} (K : kernel X Y) (p : law X) (y : Y) : R :=
  sum_over (fun atom => snd atom * K (fst atom) y) p.

(* No output is more than e^epsilon times as likely under p as under q: an output that is impossible under q is
   impossible under p. *)
Definition bounded {X Y : Type} (epsilon : R) (K : kernel X Y) (p q : law X) : Prop :=
  forall y, output_mass K p y <= exp epsilon * output_mass K q y.

Definition indistinguishable {X Y : Type} (epsilon : R) (K : kernel X Y) (p q : law X) : Prop :=
  bounded epsilon K p q /\ bounded epsilon K q p.

(* A prior gives each secret a law; the promise is for every prior and every pair of secrets that is listed for it. *)
Definition pufferfish {X Y S : Type} (epsilon : R) (K : kernel X Y) (priors : list (S -> law X))
    (pairs : list (S * S)) : Prop :=
  forall prior, In prior priors -> forall pair, In pair pairs ->
    indistinguishable epsilon K (prior (fst pair)) (prior (snd pair)).

(* The same of every event: any finite list of outputs, and so, by the least upper bound, any countable set. *)
Lemma sum_over_le : forall (A : Type) (f g : A -> R) (items : list A),
  (forall a, In a items -> f a <= g a) -> sum_over f items <= sum_over g items.
Proof.
  induction items as [| a rest IH]; intros H; simpl.
  - lra.
  - apply Rplus_le_compat; [apply H; left; reflexivity | apply IH; intros; apply H; right; assumption].
Qed.

Lemma sum_over_scal : forall (A : Type) (c : R) (f : A -> R) (items : list A),
  sum_over (fun a => c * f a) items = c * sum_over f items.
Proof.
  induction items as [| a rest IH]; simpl; [lra | rewrite IH; lra].
Qed.

Theorem bounded_on_events : forall (X Y : Type) (epsilon : R) (K : kernel X Y) (p q : law X),
  bounded epsilon K p q -> forall event : list Y,
    sum_over (output_mass K p) event <= exp epsilon * sum_over (output_mass K q) event.
Proof.
  intros X Y epsilon K p q H event. rewrite <- sum_over_scal. apply sum_over_le. intros y _. apply H.
Qed.
