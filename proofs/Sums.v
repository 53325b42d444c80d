(* Finite sums over lists: the few rules of algebra that every other file uses. *)
From Coq Require Import Reals List Lra Permutation.
Require Import Fugu.Private.
Import ListNotations.
Open Scope R_scope.

Lemma sum_over_ext : forall (A : Type) (f g : A -> R) (items : list A),
  (forall a, In a items -> f a = g a) -> sum_over f items = sum_over g items.
Proof.
  induction items as [| a rest IH]; intros H; simpl; [reflexivity |].
  rewrite H by (left; reflexivity). rewrite IH; [reflexivity | intros; apply H; right; assumption].
Qed.

Lemma sum_over_plus : forall (A : Type) (f g : A -> R) (items : list A),
  sum_over (fun a => f a + g a) items = sum_over f items + sum_over g items.
Proof. induction items as [| a rest IH]; simpl; [lra | rewrite IH; lra]. Qed.

Lemma sum_over_minus : forall (A : Type) (f g : A -> R) (items : list A),
  sum_over (fun a => f a - g a) items = sum_over f items - sum_over g items.
Proof. induction items as [| a rest IH]; simpl; [lra | rewrite IH; lra]. Qed.

Lemma sum_over_scal_r : forall (A : Type) (c : R) (f : A -> R) (items : list A),
  sum_over (fun a => f a * c) items = sum_over f items * c.
Proof. induction items as [| a rest IH]; simpl; [lra | rewrite IH; lra]. Qed.

Lemma sum_over_zero : forall (A : Type) (f : A -> R) (items : list A),
  (forall a, In a items -> f a = 0) -> sum_over f items = 0.
Proof.
  induction items as [| a rest IH]; intros H; simpl; [reflexivity |].
  rewrite H by (left; reflexivity). rewrite IH; [lra | intros; apply H; right; assumption].
Qed.

Lemma sum_over_nonneg : forall (A : Type) (f : A -> R) (items : list A),
  (forall a, In a items -> 0 <= f a) -> 0 <= sum_over f items.
Proof.
  induction items as [| a rest IH]; intros H; simpl; [lra |].
  apply Rplus_le_le_0_compat; [apply H; left; reflexivity | apply IH; intros; apply H; right; assumption].
Qed.

Lemma sum_over_app : forall (A : Type) (f : A -> R) (xs ys : list A),
  sum_over f (xs ++ ys) = sum_over f xs + sum_over f ys.
Proof. induction xs as [| a rest IH]; intros ys; simpl; [lra | rewrite IH; lra]. Qed.

Lemma sum_over_map : forall (A B : Type) (h : A -> B) (f : B -> R) (items : list A),
  sum_over f (map h items) = sum_over (fun a => f (h a)) items.
Proof. induction items as [| a rest IH]; simpl; [reflexivity | rewrite IH; reflexivity]. Qed.

(* Rows before columns or columns before rows. *)
Lemma sum_over_swap : forall (A B : Type) (f : A -> B -> R) (xs : list A) (ys : list B),
  sum_over (fun x => sum_over (f x) ys) xs = sum_over (fun y => sum_over (fun x => f x y) xs) ys.
Proof.
  induction xs as [| a rest IH]; intros ys; simpl.
  - symmetry. apply sum_over_zero. reflexivity.
  - rewrite IH. symmetry. apply (sum_over_plus B (f a)).
Qed.

Lemma sum_over_permutation : forall (A : Type) (f : A -> R) (xs ys : list A),
  Permutation xs ys -> sum_over f xs = sum_over f ys.
Proof. induction 1; simpl; lra. Qed.

(* A part of the terms of a sum of terms that are not negative. *)
Lemma sum_over_incl : forall (A : Type) (f : A -> R) (xs ys : list A),
  (forall a, 0 <= f a) -> NoDup xs -> incl xs ys -> sum_over f xs <= sum_over f ys.
Proof.
  intros A f xs. induction xs as [| x xs IH]; intros ys Hf Hnodup Hincl; simpl.
  - apply sum_over_nonneg. intros. apply Hf.
  - assert (Hin : In x ys) by (apply Hincl; left; reflexivity).
    destruct (in_split x ys Hin) as [before [after ->]].
    inversion Hnodup as [| ? ? Hnotin Hrest]; subst.
    assert (Hle : sum_over f xs <= sum_over f (before ++ after)).
    { apply IH; [exact Hf | exact Hrest |]. intros z Hz.
      assert (Hzin := Hincl z (or_intror Hz)). apply in_app_or in Hzin. apply in_or_app.
      destruct Hzin as [H | [H | H]]; [left; exact H | subst; contradiction | right; exact H]. }
    rewrite sum_over_app in *. simpl. lra.
Qed.

(* The one term of a list without repeats that a choice picks out. *)
Lemma sum_over_pick : forall (A : Type) (eq_dec : forall a b : A, {a = b} + {a <> b}) (f : A -> R) (x : A)
    (items : list A),
  NoDup items -> In x items -> sum_over (fun a => if eq_dec a x then f a else 0) items = f x.
Proof.
  intros A eq_dec f x items Hnodup. induction Hnodup as [| a rest Hnotin Hrest IH]; intros Hin; [contradiction |].
  simpl. destruct (eq_dec a x) as [-> | Hne].
  - rewrite sum_over_zero; [lra |]. intros b Hb. destruct (eq_dec b x) as [-> | _]; [contradiction | reflexivity].
  - destruct Hin as [-> | Hin]; [contradiction |]. rewrite IH by exact Hin. lra.
Qed.

(* The mean of a function, where the value has this law. *)
Definition expectation {X : Type} (p : law X) (f : X -> R) : R := sum_over (fun atom => snd atom * f (fst atom)) p.

(* A law with one atom for each point of a list. *)
Definition weighing {X : Type} (points : list X) (p : X -> R) : law X := map (fun x => (x, p x)) points.

Lemma output_mass_is_expectation : forall (X Y : Type) (K : kernel X Y) (p : law X) (y : Y),
  output_mass K p y = expectation p (fun x => K x y).
Proof. reflexivity. Qed.

Lemma output_mass_weighing : forall (X Y : Type) (K : kernel X Y) (points : list X) (p : X -> R) (y : Y),
  output_mass K (weighing points p) y = sum_over (fun x => p x * K x y) points.
Proof. intros. unfold output_mass, weighing. rewrite sum_over_map. reflexivity. Qed.

Lemma output_mass_nonneg : forall (X Y : Type) (K : kernel X Y) (p : law X) (y : Y),
  non_negative_kernel K -> non_negative_law p -> 0 <= output_mass K p y.
Proof.
  intros X Y K p y HK Hp. apply sum_over_nonneg. intros atom Hin. apply Rmult_le_pos; [| apply HK].
  unfold non_negative_law in Hp. rewrite Forall_forall in Hp. apply (Hp atom Hin).
Qed.

Definition scaled {X : Type} (c : R) (p : law X) : law X := map (fun atom => (fst atom, c * snd atom)) p.

Lemma output_mass_scaled : forall (X Y : Type) (K : kernel X Y) (c : R) (p : law X) (y : Y),
  output_mass K (scaled c p) y = c * output_mass K p y.
Proof.
  intros. unfold output_mass, scaled. rewrite sum_over_map. rewrite <- sum_over_scal.
  apply sum_over_ext. intros. simpl. lra.
Qed.

Lemma output_mass_app : forall (X Y : Type) (K : kernel X Y) (p q : law X) (y : Y),
  output_mass K (p ++ q) y = output_mass K p y + output_mass K q y.
Proof. intros. apply sum_over_app. Qed.
