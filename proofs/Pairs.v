(* Sums over all pairs of two lists. *)
From Coq Require Import Reals List Lra.
Require Import Fugu.Private Fugu.Sums.
Import ListNotations.
Open Scope R_scope.

Lemma sum_over_list_prod : forall (A B : Type) (f : A * B -> R) (xs : list A) (ys : list B),
  sum_over f (list_prod xs ys) = sum_over (fun x => sum_over (fun y => f (x, y)) ys) xs.
Proof.
  intros A B f xs ys. induction xs as [| x rest IH]; simpl; [reflexivity |].
  rewrite sum_over_app, sum_over_map, IH. reflexivity.
Qed.

Lemma once_in_either : forall (A : Type) (xs ys : list A), NoDup xs -> NoDup ys -> (forall a, In a xs -> ~ In a ys) ->
  NoDup (xs ++ ys).
Proof.
  intros A xs ys Hxs Hys Happart. induction Hxs as [| x rest Hnotin Hrest IH]; simpl; [exact Hys |].
  constructor.
  - intros Hin. apply in_app_or in Hin as [Hin | Hin]; [contradiction | apply (Happart x (or_introl eq_refl) Hin)].
  - apply IH. intros a Ha. apply Happart. right. exact Ha.
Qed.

Lemma pairs_once : forall (A B : Type) (xs : list A) (ys : list B), NoDup xs -> NoDup ys -> NoDup (list_prod xs ys).
Proof.
  intros A B xs ys Hxs Hys. induction Hxs as [| x rest Hnotin Hrest IH]; simpl; [constructor |].
  apply once_in_either; [| exact IH |].
  - apply FinFun.Injective_map_NoDup; [intros a b Hab; injection Hab; auto | exact Hys].
  - intros [a b] Hab Hin. apply in_map_iff in Hab as [y [Heq _]]. injection Heq as -> ->.
    apply in_prod_iff in Hin as [Hin _]. contradiction.
Qed.
