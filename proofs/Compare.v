(* What bounds of the masses decide: the comparison of two secrets at every cell, whatever the mechanism. *)
From Coq Require Import Reals ZArith List Lra Lia Bool Permutation Mergesort Orders.
Require Import Fugu.Private Fugu.Sums Fugu.Plan Fugu.Bound Fugu.Carry Fugu.Grid.
Import ListNotations.
Open Scope R_scope.

(* ---- Values in order, without those of mass 0 ---- *)

Fixpoint point_leb (x y : point) : bool :=
  match x, y with
  | [], _ => true
  | _, [] => false
  | a :: x, c :: y => if (a <? c)%Z then true else if (c <? a)%Z then false else point_leb x y
  end.

Module AtomOrder <: TotalLeBool.
  Definition t := (point * Z)%type.
  Definition leb (a c : t) := point_leb (fst a) (fst c).
  Lemma leb_total : forall a c, leb a c = true \/ leb c a = true.
  Proof.
    intros [x m] [y k]. unfold leb; simpl. revert y. induction x as [| a x IH]; intros [| c y]; simpl; auto.
    destruct (Z.ltb_spec a c); [auto |]. destruct (Z.ltb_spec c a); auto.
  Qed.
End AtomOrder.
Module AtomSort := Sort AtomOrder.

Definition has_mass (atom : point * Z) : bool := negb (snd atom =? 0)%Z.
Definition in_order (items : atoms) : atoms := AtomSort.sort (filter has_mass items).

Lemma expected_filter : forall items f, expected (filter has_mass items) f = expected items f.
Proof.
  unfold expected. induction items as [| a items IH]; intros f; simpl; [reflexivity |].
  unfold has_mass at 1. destruct (Z.eqb_spec (snd a) 0) as [E | E]; simpl; rewrite IH; [rewrite E; lra | reflexivity].
Qed.

Lemma expected_in_order : forall items f, expected (in_order items) f = expected items f.
Proof.
  intros items f. rewrite <- (expected_filter items). unfold expected, in_order. apply sum_over_permutation. symmetry.
  apply AtomSort.Permuted_sort.
Qed.

Lemma in_in_order : forall atom items, In atom (in_order items) <-> In atom items /\ snd atom <> 0%Z.
Proof.
  intros atom items. unfold in_order. split.
  - intros H. apply (Permutation_in _ (Permutation_sym (AtomSort.Permuted_sort (filter has_mass items)))) in H.
    apply filter_In in H as [H1 H2]. split; [assumption |]. unfold has_mass in H2. intros E. rewrite E in H2. discriminate.
  - intros [H1 H2]. apply Permutation_in with (l := filter has_mass items); [apply AtomSort.Permuted_sort |].
    apply filter_In. split; [assumption |]. unfold has_mass. destruct (Z.eqb_spec (snd atom) 0); [contradiction | reflexivity].
Qed.

Lemma output_mass_law_of : forall (K : kernel point point) items y, output_mass K (law_of items) y = expected items (fun x => K x y) / mass_sum items.
Proof.
  intros K items y. unfold output_mass, law_of, expected. rewrite sum_over_map. unfold Rdiv.
  rewrite <- sum_over_scal_r. apply sum_over_ext. intros. simpl. ring.
Qed.

(* Masses that are not negative, and some that are positive. *)
Definition law_ok (items : atoms) : bool := forallb (fun atom => 0 <=? snd atom)%Z items && (0 <? mass_total items)%Z.

Lemma law_ok_pos : forall items, law_ok items = true ->
  Forall (fun atom => 0 <= snd atom)%Z items /\ 0 < mass_sum items.
Proof.
  intros items H. apply andb_prop in H as [H1 H2]. split.
  - apply Forall_forall. intros a Ha. rewrite forallb_forall in H1. specialize (H1 a Ha). lia.
  - rewrite <- mass_total_sum. apply IZR_lt. lia.
Qed.

(* ---- One secret against another ---- *)

Fixpoint below (l r : Z) (u v : vector) : bool :=
  match u, v with
  | [], [] => true
  | x :: u, y :: v => (snd x * l <=? fst y * r)%Z && below l r u v
  | _, _ => false
  end.

(* Of the first secret no cell has more than growth / 2^b times what the second has; totals are of the masses. *)
Definition at_most (b growth : Z) (u v : vector) (u_total v_total : Z) : bool :=
  below (Z.shiftl v_total b) (growth * u_total)%Z u v.

Lemma below_sound : forall b, (0 <= b)%Z -> forall (Y : Type) l r, (0 <= l)%Z -> (0 <= r)%Z ->
  forall (cells : list Y) u v f g, holds b cells u f -> holds b cells v g ->
  below l r u v = true -> forall y, In y cells -> f y * IZR l <= g y * IZR r.
Proof.
  intros b Hb Y l r Hl Hr cells u v f g Hu. revert v. assert (Hunit := unit_pos b Hb).
  apply IZR_le in Hl. apply IZR_le in Hr. unfold holds in *.
  induction Hu as [| y x cells u Hx Hu IH]; intros v Hv H z Hz; [contradiction |].
  inversion Hv as [| ? x' ? v' Hx' Hv']; subst. simpl in H. apply andb_prop in H as [H1 H2].
  destruct Hz as [<- | Hz]; [| apply (IH v' Hv' H2 z Hz)].
  destruct Hx as [_ [_ Hx]]. destruct Hx' as [_ [Hx' _]]. apply Z.leb_le in H1. apply IZR_le in H1. rewrite !mult_IZR in H1.
  apply Rmult_le_reg_r with (unit_of b); [assumption |].
  apply Rle_trans with (IZR (snd x) * IZR l).
  - replace (f y * IZR l * unit_of b) with (f y * unit_of b * IZR l) by ring. apply Rmult_le_compat_r; assumption.
  - apply Rle_trans with (1 := H1). replace (g y * IZR r * unit_of b) with (g y * unit_of b * IZR r) by ring.
    apply Rmult_le_compat_r; assumption.
Qed.

Lemma at_most_sound : forall b growth epsilon, (0 <= b)%Z -> (0 <= growth)%Z -> IZR growth <= unit_of b * exp epsilon ->
  forall (Y : Type) (cells : list Y) u v f g u_total v_total, holds b cells u f -> holds b cells v g ->
  (0 < u_total)%Z -> (0 < v_total)%Z -> at_most b growth u v u_total v_total = true ->
  forall y, In y cells -> f y / IZR u_total <= exp epsilon * (g y / IZR v_total).
Proof.
  intros b growth epsilon Hb Hg Hexp Y cells u v f g du dv Hu Hv Hdu Hdv H y Hy. unfold at_most in H.
  assert (Hunit := unit_pos b Hb). rewrite Z.shiftl_mul_pow2 in H by lia.
  assert (Hp : (0 < 2 ^ b)%Z) by (apply Z.pow_pos_nonneg; lia).
  assert (Hle := below_sound b Hb Y (dv * 2 ^ b) (growth * du) ltac:(nia) ltac:(nia) cells u v f g Hu Hv H y Hy).
  rewrite !mult_IZR in Hle. fold (unit_of b) in Hle.
  apply IZR_lt in Hdu. apply IZR_lt in Hdv.
  assert (Hg0 : 0 <= g y).
  { clear - Hv Hy Hb. unfold holds in Hv. induction Hv as [| z w cells v Hw Hv IH]; [contradiction |].
    destruct Hy as [<- | Hy]; [apply (within_pos b w _ Hb Hw) | apply IH; assumption]. }
  assert (Hle' : f y * (IZR dv * unit_of b) <= g y * (unit_of b * exp epsilon * IZR du)).
  { apply Rle_trans with (1 := Hle). apply Rmult_le_compat_l; [assumption |]. apply Rmult_le_compat_r; lra. }
  apply Rmult_le_reg_r with (IZR du * IZR dv * unit_of b); [repeat apply Rmult_lt_0_compat; assumption |].
  replace (f y / IZR du * (IZR du * IZR dv * unit_of b)) with (f y * (IZR dv * unit_of b)) by (field; lra).
  replace (exp epsilon * (g y / IZR dv) * (IZR du * IZR dv * unit_of b)) with (g y * (unit_of b * exp epsilon * IZR du))
    by (field; lra).
  assumption.
Qed.

(* ---- What every mechanism has to show of a prior ---- *)

(* Vectors hold, up to the sums of masses, what the secrets have at the cells, and cells suffice. *)
Definition measured (b : Z) (K : kernel point point) (p : prior) (vectors : list vector) : Prop :=
  exists (Y : Type) (cells : list Y) (F : nat -> Y -> R),
    (forall s u, nth_error vectors s = Some u -> holds b cells u (F s))
    /\ forall s t most, (s < length vectors)%nat -> (t < length vectors)%nat -> 0 <= most ->
         (forall y, In y cells ->
            F s y / mass_sum (nth s (laws p) []) <= most * (F t y / mass_sum (nth t (laws p) []))) ->
         forall y, output_mass K (secret_law p s) y <= most * output_mass K (secret_law p t) y.

Fixpoint all_some {A : Type} (items : list (option A)) : option (list A) :=
  match items with
  | [] => Some []
  | Some a :: items => option_map (cons a) (all_some items)
  | None :: _ => None
  end.

Lemma all_some_nth : forall (A B : Type) (h : A -> option B) items out, all_some (map h items) = Some out ->
  length out = length items /\ forall s c, nth_error out s = Some c -> exists a, nth_error items s = Some a /\ h a = Some c.
Proof.
  intros A B h. induction items as [| a items IH]; intros out H; simpl in H.
  - injection H as <-. split; [reflexivity |]. intros [| s] c Hc; discriminate.
  - destruct (h a) as [c |] eqn:E; [| discriminate]. destruct (all_some (map h items)) as [more |]; [| discriminate].
    injection H as <-. destruct (IH more eq_refl) as [Hl Hn]. split; [simpl; rewrite Hl; reflexivity |].
    intros [| s] c' Hc; simpl in *; [injection Hc as <-; exists a; split; [reflexivity | assumption] | apply Hn; assumption].
Qed.

Definition pair_ok (b growth : Z) (vectors : list vector) (sums : list Z) (pair : nat * nat) : bool :=
  match nth_error vectors (fst pair), nth_error vectors (snd pair), nth_error sums (fst pair), nth_error sums (snd pair) with
  | Some u, Some v, Some du, Some dv => at_most b growth u v du dv && at_most b growth v u dv du
  | _, _, _, _ => false
  end.

Definition promise_ok (b : Z) (vectors : list vector) (sums : list Z) (p : promise) : bool :=
  (0 <=? top p)%Z && (0 <? bottom p)%Z && negb (match pairs p with [] => true | _ => false end)
  && (let growth := exp_below b (top p) (bottom p) in
      (0 <=? growth)%Z && forallb (pair_ok b growth vectors sums) (pairs p)).

Theorem promise_sound : forall b K p vectors q, (0 <= b)%Z ->
  forallb law_ok (laws p) = true -> measured b K p vectors ->
  promise_ok b vectors (map mass_total (laws p)) q = true ->
  pufferfish (IZR (top q) / IZR (bottom q)) K [secret_law p] (pairs q).
Proof.
  intros b K p vectors q Hb Hlaws [Y [cells [F [HF Hcells]]]] Hq prior [<- | []] pair Hpair.
  unfold promise_ok in Hq. repeat (apply andb_prop in Hq; destruct Hq as [Hq ?]).
  match goal with H : (_ && _)%bool = true |- _ => apply andb_prop in H as [Hgrowth Hall] end.
  apply Z.leb_le in Hq. apply Z.leb_le in Hgrowth.
  match goal with H : (0 <? bottom q)%Z = true |- _ => apply Z.ltb_lt in H; rename H into Hbottom end.
  assert (Hexp := exp_below_is_below b (top q) (bottom q) Hb Hq Hbottom).
  rewrite forallb_forall in Hall. specialize (Hall pair Hpair). unfold pair_ok in Hall.
  destruct (nth_error vectors (fst pair)) as [u |] eqn:Eu; [| discriminate].
  destruct (nth_error vectors (snd pair)) as [v |] eqn:Ev; [| discriminate].
  destruct (nth_error (map mass_total (laws p)) (fst pair)) as [du |] eqn:Edu; [| discriminate].
  destruct (nth_error (map mass_total (laws p)) (snd pair)) as [dv |] eqn:Edv; [| discriminate].
  apply andb_prop in Hall as [Hab Hba].
  assert (Hsum : forall s d, nth_error (map mass_total (laws p)) s = Some d ->
            (0 < d)%Z /\ IZR d = mass_sum (nth s (laws p) [])).
  { intros s d Hs. rewrite nth_error_map in Hs. match type of Hs with option_map _ ?e = _ => destruct e as [items |] eqn:Ei end; [| discriminate].
    injection Hs as <-. rewrite forallb_forall in Hlaws. specialize (Hlaws items (nth_error_In _ _ Ei)).
    destruct (law_ok_pos items Hlaws) as [_ Hsum]. rewrite (nth_error_nth _ _ _ Ei). rewrite <- mass_total_sum.
    split; [| reflexivity]. apply lt_IZR. rewrite mass_total_sum. assumption. }
  destruct (Hsum _ _ Edu) as [Hdu Hdu']. destruct (Hsum _ _ Edv) as [Hdv Hdv'].
  assert (Hs : (fst pair < length vectors)%nat) by (apply nth_error_Some; rewrite Eu; discriminate).
  assert (Ht : (snd pair < length vectors)%nat) by (apply nth_error_Some; rewrite Ev; discriminate).
  assert (Hpos := exp_pos (IZR (top q) / IZR (bottom q))).
  split; intros y; apply Hcells; try assumption; try lra; intros c Hc; rewrite <- Hdu', <- Hdv'.
  - apply (at_most_sound b _ _ Hb Hgrowth Hexp Y cells u v (F (fst pair)) (F (snd pair))); auto.
  - apply (at_most_sound b _ _ Hb Hgrowth Hexp Y cells v u (F (snd pair)) (F (fst pair))); auto.
Qed.
