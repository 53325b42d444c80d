(* What is not true, with numbers: epsilons of several releases do not add; joint values alone do not suffice; costs with a
   zero in one direction overstate; tails of different heights are not those of a Laplace. docs/math.md, sections 10, 11, 17
   and 7. *)
From Coq Require Import Reals ZArith List Lra Lia.
Require Import Fugu.Private Fugu.Sums Fugu.Windows Fugu.Laplace Fugu.Product Fugu.Transfer Fugu.Compose.
Import ListNotations.
Open Scope R_scope.

Ltac by_numbers :=
  unfold output_mass, joint_laplace, both, laplace, adding, laplace_noise, Z.abs_nat; simpl; lra.

(* Section 10: two releases together lose more than twice what one loses. *)
Definition middle_heavy : law Z := [(0%Z, 1 / 4); (1%Z, 1 / 2); (2%Z, 1 / 4)].
Definition ends_heavy : law Z := [(0%Z, 3 / 8); (1%Z, 1 / 4); (2%Z, 3 / 8)].

Theorem epsilons_do_not_add :
  (forall y, output_mass (laplace (9 / 10)) middle_heavy y <= 38 / 37 * output_mass (laplace (9 / 10)) ends_heavy y)
  /\ exists y, 38 / 37 * (38 / 37) * output_mass (both (laplace (9 / 10)) (laplace (9 / 10))) ends_heavy y
               < output_mass (both (laplace (9 / 10)) (laplace (9 / 10))) middle_heavy y.
Proof.
  split.
  - apply laplace_atoms_suffice; [lra |]. intros x Hx. simpl in Hx.
    repeat (destruct Hx as [<- | Hx]; [by_numbers |]). contradiction.
  - exists (1%Z, 1%Z). by_numbers.
Qed.

(* Section 11: at every joint value the ratio is at most 8/3, at (2, 1), where nobody ever is, it is 3. *)
Definition at_origin : law (list Z) := [([0%Z; 0%Z], 1)].
Definition beside_it : law (list Z) := [([0%Z; 1%Z], 1 / 2); ([2%Z; 0%Z], 1 / 2)].

Theorem joint_values_do_not_suffice :
  let K := joint_laplace [1 / 2; 1 / 2] in
  (forall y, In y (map fst (at_origin ++ beside_it)) ->
     output_mass K at_origin y <= 8 / 3 * output_mass K beside_it y
     /\ output_mass K beside_it y <= 8 / 3 * output_mass K at_origin y)
  /\ output_mass K beside_it [2%Z; 1%Z] = 3 * output_mass K at_origin [2%Z; 1%Z]
  /\ 0 < output_mass K at_origin [2%Z; 1%Z].
Proof.
  split; [| split].
  - intros y Hy. simpl in Hy. repeat (destruct Hy as [<- | Hy]; [split; by_numbers |]). contradiction.
  - by_numbers.
  - by_numbers.
Qed.

(* Section 17: where an exchange costs nothing in one direction, the releases that obey the costs tell nothing, since their
   rows add up to 1; but the transfer bound is 2. So it is the least that costs can give only where a cost of nothing is one
   in both directions. *)
Definition one_way (x x' : bool) : R := if x then 1 else if x' then 2 else 1.

Theorem one_way_costs_overstate :
  (forall (Y : Type) (outputs : list Y) (K : kernel bool Y),
     (forall y, K true y <= one_way true false * K false y) ->
     sum_over (K true) outputs = sum_over (K false) outputs -> forall y, In y outputs -> K false y = K true y)
  /\ (forall (k : bool -> bool -> R) (l : R),
        transfers [true; false] one_way k l (fun x => if x then 0 else 1) (fun x => if x then 1 else 0) -> 2 <= l).
Proof.
  split.
  - intros Y outputs K HK. unfold one_way in HK.
    induction outputs as [| z rest IH]; intros Hsum y Hy; [contradiction |]. simpl in Hsum.
    assert (Hrest : sum_over (K true) rest <= sum_over (K false) rest).
    { apply sum_over_le. intros a _. specialize (HK a). lra. }
    assert (Hz := HK z). destruct Hy as [<- | Hy]; [lra | apply IH; [lra | exact Hy]].
  - intros k l [Hk [Hrows Hcolumns]].
    assert (Hrow := Hrows false (or_intror (or_introl eq_refl))). assert (Hrow' := Hrows true (or_introl eq_refl)).
    assert (Hcolumn := Hcolumns true (or_introl eq_refl)).
    assert (Hcolumn' := Hcolumns false (or_intror (or_introl eq_refl))). simpl in *.
    assert (H1 := Hk true true). assert (H2 := Hk true false). assert (H3 := Hk false true). assert (H4 := Hk false false).
    lra.
Qed.

(* Section 7: where both tails have one height, outputs farther than the reach from every atom see a Laplace. *)
Theorem even_tails_are_laplace : forall reach t noise, geometric_tails reach t noise -> 0 < t ->
  noise reach = noise (- reach)%Z ->
  forall (p : law Z) (y : Z), (forall x, In x (map fst p) -> (reach < Z.abs (y - x))%Z) ->
    output_mass (adding noise) p y = noise reach / laplace_noise t reach * output_mass (laplace t) p y.
Proof.
  intros reach t noise H Ht Heven p y Hfar. assert (Hreach : (0 <= reach)%Z) by apply H.
  assert (Hbelow : t < 1) by apply H. unfold output_mass.
  rewrite <- sum_over_scal. apply sum_over_ext. intros a Ha. specialize (Hfar (fst a) (in_map fst p a Ha)).
  unfold laplace, adding, laplace_noise. assert (Hpow : t ^ Z.abs_nat reach <> 0) by (apply pow_nonzero; lra).
  destruct (Z_le_gt_dec 0 (y - fst a)) as [Hside | Hside].
  - replace (y - fst a)%Z with (reach + Z.of_nat (Z.to_nat (y - fst a - reach)))%Z at 1 by lia.
    rewrite (tail_right reach t noise H) by lia.
    replace (Z.abs_nat (y - fst a)) with (Z.to_nat (y - fst a - reach) + Z.abs_nat reach)%nat by lia.
    rewrite pow_add. field. repeat split; lra.
  - replace (y - fst a)%Z with (- reach - Z.of_nat (Z.to_nat (fst a - y - reach)))%Z at 1 by lia.
    rewrite (tail_left reach t noise H) by lia. rewrite <- Heven.
    replace (Z.abs_nat (y - fst a)) with (Z.to_nat (fst a - y - reach) + Z.abs_nat reach)%nat by lia.
    rewrite pow_add. field. repeat split; lra.
Qed.

(* Section 7: noise whose tails have different heights, as asymmetric noise may have. Farther than the reach from every
   atom the ratio is not that of the Laplace with the same tails, nor bounded by it; only the windows bound it. *)
Definition uneven (z : Z) : R :=
  if Z.leb 2 z then (9 / 10) ^ Z.abs_nat (z - 2)
  else if Z.leb z (-2) then 1 / 10 * (9 / 10) ^ Z.abs_nat (z + 2)
  else if Z.eqb z (-1) then 100 else 1.

Lemma uneven_tails : geometric_tails 2 (9 / 10) uneven.
Proof.
  unfold uneven. repeat split; try lra; try lia; intros z Hz.
  - rewrite !Zle_imp_le_bool by lia. replace (Z.abs_nat (z + 1 - 2)) with (S (Z.abs_nat (z - 2))) by lia. simpl. ring.
  - destruct (Z.leb_spec 2 (z - 1)); [lia |]. destruct (Z.leb_spec 2 z); [lia |].
    rewrite !Zle_imp_le_bool by lia. replace (Z.abs_nat (z - 1 + 2)) with (S (Z.abs_nat (z + 2))) by lia. simpl. ring.
Qed.

Definition mostly_six : law Z := [(0%Z, 1 / 10); (6%Z, 9 / 10)].
Definition mostly_zero : law Z := [(0%Z, 9 / 10); (6%Z, 1 / 10)].

Theorem uneven_tails_are_not_laplace :
  (forall y, output_mass (laplace (9 / 10)) mostly_zero y <= 5 / 3 * output_mass (laplace (9 / 10)) mostly_six y)
  /\ 4 * output_mass (adding uneven) mostly_six 3%Z < output_mass (adding uneven) mostly_zero 3%Z.
Proof.
  split.
  - apply laplace_atoms_suffice; [lra |]. intros x Hx. simpl in Hx.
    repeat (destruct Hx as [<- | Hx]; [by_numbers |]). contradiction.
  - unfold output_mass, adding, uneven. simpl. unfold Z.abs_nat. simpl. lra.
Qed.
