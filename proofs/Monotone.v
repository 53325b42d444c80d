(* The transport plan: the walk over two sorted lists of whole masses is a coupling, and no coupling moves its farthest
   mass less far. docs/math.md, section 1.

   Masses are positive whole numbers over one denominator, so nothing is rounded. *)
From Coq Require Import Reals ZArith List Lra Lia Sorted.
Require Import Fugu.Private Fugu.Sums Fugu.Laplace Fugu.Coupling.
Import ListNotations.
Open Scope R_scope.

Definition counts := list (Z * Z).

Definition total (p : counts) : Z := fold_right (fun atom sum => (snd atom + sum)%Z) 0%Z p.

(* Move the smaller of the two masses at the heads, and go on. The first argument only bounds how many cells there are. *)
Fixpoint walk (cells : nat) (p q : counts) : list ((Z * Z) * Z) :=
  match cells, p, q with
  | S fewer, (x, a) :: p', (x', b) :: q' =>
      match Z.compare a b with
      | Lt => ((x, x'), a) :: walk fewer p' ((x', (b - a)%Z) :: q')
      | Eq => ((x, x'), a) :: walk fewer p' q'
      | Gt => ((x, x'), b) :: walk fewer ((x, (a - b)%Z) :: p') q'
      end
  | _, _, _ => []
  end.

Definition monotone_coupling (p q : counts) : list ((Z * Z) * Z) := walk (length p + length q) p q.

Definition as_law {A : Type} (p : list (A * Z)) : law A := map (fun atom => (fst atom, IZR (snd atom))) p.

Definition positive_counts (p : counts) : Prop := Forall (fun atom => (0 < snd atom)%Z) p.
Definition sorted_counts (p : counts) : Prop := StronglySorted (fun a b => (fst a <= fst b)%Z) p.

Lemma expectation_cons : forall (X : Type) (x : X) (m : R) (p : law X) (f : X -> R),
  expectation ((x, m) :: p) f = m * f x + expectation p f.
Proof. reflexivity. Qed.

Lemma walk_positive : forall cells p q, positive_counts p -> positive_counts q ->
  forall cell, In cell (walk cells p q) -> (0 < snd cell)%Z.
Proof.
  induction cells as [| cells IH]; intros [| [x a] p'] [| [x' b] q'] Hp Hq cell Hin; simpl in Hin; try contradiction.
  apply Forall_inv in Hp as Ha. apply Forall_inv in Hq as Hb. apply Forall_inv_tail in Hp as Hp'.
  apply Forall_inv_tail in Hq as Hq'. simpl in Ha, Hb.
  destruct (Z.compare_spec a b) as [Heq | Hlt | Hgt]; destruct Hin as [<- | Hin]; try exact Ha; try exact Hb.
  - apply (IH p' q'); assumption.
  - apply (IH p' ((x', (b - a)%Z) :: q')); try assumption. constructor; [simpl; lia | assumption].
  - apply (IH ((x, (a - b)%Z) :: p') q'); try assumption. constructor; [simpl; lia | assumption].
Qed.

(* Both sides of the walk are the two laws. *)
Lemma walk_sides : forall cells p q, (length p + length q <= cells)%nat ->
  positive_counts p -> positive_counts q -> total p = total q ->
  same_law (first_side (as_law (walk cells p q))) (as_law p)
  /\ same_law (second_side (as_law (walk cells p q))) (as_law q).
Proof.
  assert (Htotal : forall p, positive_counts p -> (0 <= total p)%Z).
  { induction 1; simpl; [lia |]. fold (total l). lia. }
  induction cells as [| cells IH]; intros p q Hcells Hp Hq Hsum.
  - destruct p, q; simpl in Hcells; try lia. split; intros f; reflexivity.
  - destruct p as [| [x a] p'], q as [| [x' b] q'].
    + split; intros f; reflexivity.
    + apply Forall_inv in Hq as Hb. apply Forall_inv_tail, Htotal in Hq. simpl in *. fold (total q') in *. lia.
    + apply Forall_inv in Hp as Ha. apply Forall_inv_tail, Htotal in Hp. simpl in *. fold (total p') in *. lia.
    + apply Forall_inv in Hp as Ha. apply Forall_inv in Hq as Hb. apply Forall_inv_tail in Hp as Hp'.
      apply Forall_inv_tail in Hq as Hq'. simpl in Hcells, Hsum, Ha, Hb. fold (total p') in *. fold (total q') in *.
      simpl. destruct (Z.compare_spec a b) as [Heq | Hlt | Hgt].
      * destruct (IH p' q') as [IHp IHq]; try assumption; try lia. split; intros f; simpl.
        -- rewrite !expectation_cons, IHp. reflexivity.
        -- rewrite !expectation_cons, IHq, Heq. reflexivity.
      * destruct (IH p' ((x', (b - a)%Z) :: q')) as [IHp IHq]; try assumption; try (simpl; fold (total q'); lia).
        { constructor; [simpl; lia | assumption]. }
        split; intros f; simpl.
        -- rewrite !expectation_cons, IHp. reflexivity.
        -- rewrite !expectation_cons, IHq. simpl. rewrite expectation_cons, minus_IZR. lra.
      * destruct (IH ((x, (a - b)%Z) :: p') q') as [IHp IHq]; try assumption; try (simpl; fold (total p'); lia).
        { constructor; [simpl; lia | assumption]. }
        split; intros f; simpl.
        -- rewrite !expectation_cons, IHp. simpl. rewrite expectation_cons, minus_IZR. lra.
        -- rewrite !expectation_cons, IHq. reflexivity.
Qed.

Theorem monotone_coupling_couples : forall p q, positive_counts p -> positive_counts q -> total p = total q ->
  coupling (as_law (monotone_coupling p q)) (as_law p) (as_law q).
Proof.
  intros p q Hp Hq Hsum. split; [| apply walk_sides; auto].
  unfold non_negative_law. rewrite Forall_forall. intros cell Hin. apply in_map_iff in Hin as [c [<- Hc]]. simpl.
  apply IZR_le. apply walk_positive in Hc; auto. lia.
Qed.

(* The distribution function. *)
Definition up_to (x : Z) (z : Z) : R := if Z.leb z x then 1 else 0.
Definition mass_up_to (p : law Z) (x : Z) : R := expectation p (up_to x).

Definition within (d : Z) (p q : law Z) : Prop :=
  forall x, mass_up_to p x <= mass_up_to q (x + d) /\ mass_up_to q x <= mass_up_to p (x + d).

(* Section 1: all mass at or below x ends at or below x + d. *)
Lemma coupling_within : forall (far : nat) (pi : law (Z * Z)) (p q : law Z),
  coupling pi p q -> moves_at_most far pi -> within (Z.of_nat far) p q.
Proof.
  assert (Hhalf : forall far pi p q, coupling pi p q -> moves_at_most far pi ->
            forall x, mass_up_to p x <= mass_up_to q (x + Z.of_nat far)).
  { intros far pi p q [Hnonneg [Hp Hq]] Hfar x. unfold mass_up_to.
    rewrite <- Hp, <- Hq, first_side_mean, second_side_mean. apply sum_over_le. intros [[z z'] m] Hin. simpl.
    unfold non_negative_law in Hnonneg. rewrite Forall_forall in Hnonneg. specialize (Hnonneg _ Hin). simpl in Hnonneg.
    destruct Hnonneg as [Hpos | <-]; [| lra]. specialize (Hfar _ Hin Hpos). unfold steps in Hfar. simpl in Hfar.
    apply Rmult_le_compat_l; [lra |]. unfold up_to.
    destruct (Z.leb_spec z x), (Z.leb_spec z' (x + Z.of_nat far)); try lra. lia. }
  intros far pi p q Hpi Hfar x. split; [apply (Hhalf far pi p q Hpi Hfar) |].
  apply (Hhalf far (turned pi)); [apply coupling_turned, Hpi |].
  intros cell Hin Hpos. apply in_map_iff in Hin as [c [<- Hc]]. simpl in *. specialize (Hfar c Hc Hpos).
  unfold steps in *. lia.
Qed.

Lemma mass_up_to_nonneg : forall p x, positive_counts p -> 0 <= mass_up_to (as_law p) x.
Proof.
  intros p x Hp. apply sum_over_nonneg. intros a Ha. apply in_map_iff in Ha as [c [<- Hc]]. simpl.
  unfold positive_counts in Hp. rewrite Forall_forall in Hp. specialize (Hp c Hc).
  apply Rmult_le_pos; [apply IZR_le; lia | unfold up_to; destruct (Z.leb _ _); lra].
Qed.

Definition from (x : Z) (p : counts) : Prop := Forall (fun atom => (x <= fst atom)%Z) p.

Lemma mass_below : forall x p y, from x p -> (y < x)%Z -> mass_up_to (as_law p) y = 0.
Proof.
  intros x p y Hfrom Hy. apply sum_over_zero. intros c Hc. apply in_map_iff in Hc as [atom [<- Hatom]]. simpl.
  unfold from in Hfrom. rewrite Forall_forall in Hfrom. specialize (Hfrom atom Hatom).
  unfold up_to. destruct (Z.leb_spec (fst atom) y); [lia | lra].
Qed.

Lemma heads_within : forall d x a p x' q, (0 < a)%Z -> positive_counts p -> from x' q ->
  (forall z, mass_up_to (as_law ((x, a) :: p)) z <= mass_up_to (as_law q) (z + d)) -> (x' <= x + d)%Z.
Proof.
  intros d x a p x' q Ha Hp Hfrom H. apply Z.nlt_ge. intros Hlt. specialize (H x).
  rewrite (mass_below x' q (x + d) Hfrom Hlt) in H. unfold mass_up_to in H. simpl in H.
  rewrite expectation_cons in H. assert (Hrest := mass_up_to_nonneg p x Hp). unfold mass_up_to in Hrest.
  unfold up_to at 1 in H. rewrite Z.leb_refl in H. apply IZR_lt in Ha. lra.
Qed.

(* Taking one mass m from the first atom of either side leaves the rest as near as the whole was. *)
Lemma within_after_move : forall d m x x' p q (rest_p rest_q : counts),
  within d (as_law p) (as_law q) -> (x' <= x + d)%Z -> (x <= x' + d)%Z ->
  positive_counts rest_p -> positive_counts rest_q -> from x rest_p -> from x' rest_q ->
  (forall f, expectation (as_law p) f = m * f x + expectation (as_law rest_p) f) ->
  (forall f, expectation (as_law q) f = m * f x' + expectation (as_law rest_q) f) ->
  within d (as_law rest_p) (as_law rest_q).
Proof.
  intros d m x x' p q rest_p rest_q Hwithin Hx' Hx Hp Hq Hfromp Hfromq Hmp Hmq z.
  destruct (Hwithin z) as [Hpq Hqp]. unfold mass_up_to in Hpq, Hqp. rewrite Hmp, Hmq in Hpq, Hqp.
  fold (mass_up_to (as_law rest_p) z) (mass_up_to (as_law rest_q) (z + d)) in Hpq.
  fold (mass_up_to (as_law rest_q) z) (mass_up_to (as_law rest_p) (z + d)) in Hqp. unfold up_to in Hpq, Hqp. split.
  - destruct (Z_lt_le_dec z x) as [Hlt | Hle].
    + rewrite (mass_below x rest_p z Hfromp Hlt). apply mass_up_to_nonneg, Hq.
    + rewrite (Zle_imp_le_bool x z Hle), (Zle_imp_le_bool x' (z + d)) in Hpq by lia. lra.
  - destruct (Z_lt_le_dec z x') as [Hlt | Hle].
    + rewrite (mass_below x' rest_q z Hfromq Hlt). apply mass_up_to_nonneg, Hp.
    + rewrite (Zle_imp_le_bool x' z Hle), (Zle_imp_le_bool x (z + d)) in Hqp by lia. lra.
Qed.

Lemma walk_within : forall d cells p q, positive_counts p -> positive_counts q -> sorted_counts p -> sorted_counts q ->
  within d (as_law p) (as_law q) ->
  forall cell, In cell (walk cells p q) -> (Z.abs (fst (fst cell) - snd (fst cell)) <= d)%Z.
Proof.
  intros d. induction cells as [| cells IH]; intros [| [x a] p'] [| [x' b] q'] Hp Hq Hsp Hsq Hwithin cell Hin;
    simpl in Hin; try contradiction.
  apply Forall_inv in Hp as Ha. apply Forall_inv in Hq as Hb. apply Forall_inv_tail in Hp as Hp'.
  apply Forall_inv_tail in Hq as Hq'. simpl in Ha, Hb.
  destruct (StronglySorted_inv Hsp) as [Hsp' Hfromp]. destruct (StronglySorted_inv Hsq) as [Hsq' Hfromq].
  simpl in Hfromp, Hfromq. fold (from x p') in Hfromp. fold (from x' q') in Hfromq.
  assert (Hfromp1 : forall c, from x ((x, c) :: p')) by (intros c; constructor; [simpl; lia | exact Hfromp]).
  assert (Hfromq1 : forall c, from x' ((x', c) :: q')) by (intros c; constructor; [simpl; lia | exact Hfromq]).
  assert (Hnear : (x' <= x + d)%Z).
  { apply (heads_within d x a p' x' ((x', b) :: q') Ha Hp' (Hfromq1 b)). intros z. apply Hwithin. }
  assert (Hnear' : (x <= x' + d)%Z).
  { apply (heads_within d x' b q' x ((x, a) :: p') Hb Hq' (Hfromp1 a)). intros z. apply Hwithin. }
  destruct (Z.compare_spec a b) as [Heq | Hlt | Hgt]; destruct Hin as [<- | Hin]; try (simpl; lia).
  - apply (IH p' q'); try assumption.
    apply (within_after_move d (IZR a) x x' ((x, a) :: p') ((x', b) :: q')); try assumption; intros f; simpl;
      rewrite expectation_cons; subst; reflexivity.
  - assert (Hpos : positive_counts ((x', (b - a)%Z) :: q')) by (constructor; [simpl; lia | assumption]).
    apply (IH p' ((x', (b - a)%Z) :: q')); try assumption.
    { constructor; [exact Hsq' | exact Hfromq]. }
    apply (within_after_move d (IZR a) x x' ((x, a) :: p') ((x', b) :: q')); try assumption; auto; intros f; simpl;
      rewrite !expectation_cons, minus_IZR; lra.
  - assert (Hpos : positive_counts ((x, (a - b)%Z) :: p')) by (constructor; [simpl; lia | assumption]).
    apply (IH ((x, (a - b)%Z) :: p') q'); try assumption.
    { constructor; [exact Hsp' | exact Hfromp]. }
    apply (within_after_move d (IZR b) x x' ((x, a) :: p') ((x', b) :: q')); try assumption; auto; intros f; simpl;
      rewrite !expectation_cons, minus_IZR; lra.
Qed.

(* Section 1: if any coupling at all moves no mass farther than this, the walk does not either. *)
Theorem monotone_coupling_is_least : forall (p q : counts) (far : nat) (pi : law (Z * Z)),
  positive_counts p -> positive_counts q -> sorted_counts p -> sorted_counts q ->
  coupling pi (as_law p) (as_law q) -> moves_at_most far pi ->
  moves_at_most far (as_law (monotone_coupling p q)).
Proof.
  intros p q far pi Hp Hq Hsp Hsq Hpi Hfar cell Hin _. apply in_map_iff in Hin as [c [<- Hc]]. simpl.
  apply (walk_within (Z.of_nat far)) in Hc; try assumption; [unfold steps; lia |].
  apply (coupling_within far pi); assumption.
Qed.

(* Section 1: W_inf is also the least d at which each distribution function, moved by d, is above the other. *)
Theorem w_inf_by_distribution_functions : forall (p q : counts) (far : nat),
  positive_counts p -> positive_counts q -> sorted_counts p -> sorted_counts q -> total p = total q ->
  (exists pi, coupling pi (as_law p) (as_law q) /\ moves_at_most far pi) <-> within (Z.of_nat far) (as_law p) (as_law q).
Proof.
  intros p q far Hp Hq Hsp Hsq Hsum. split.
  - intros [pi [Hpi Hfar]]. apply (coupling_within far pi); assumption.
  - intros Hwithin. exists (as_law (monotone_coupling p q)). split; [apply monotone_coupling_couples; assumption |].
    intros cell Hin _. apply in_map_iff in Hin as [c [<- Hc]]. simpl.
    apply (walk_within (Z.of_nat far)) in Hc; try assumption. unfold steps. lia.
Qed.
