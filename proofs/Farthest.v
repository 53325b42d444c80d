(* W_inf of two laws with whole masses over totals of their own: computed by the walk, attained by it, and undercut by no
   coupling; Theorem 1 with that number. docs/math.md, sections 1 and 3. *)
From Coq Require Import Reals ZArith List Lra Lia Sorted.
Require Import Fugu.Private Fugu.Sums Fugu.Laplace Fugu.Coupling Fugu.Monotone.
Import ListNotations.
Open Scope R_scope.

(* A mass is a whole number over the total. *)
Definition normalised (p : counts) : law Z := scaled (/ IZR (total p)) (as_law p).

Definition multiplied (c : Z) (p : counts) : counts := map (fun atom => (fst atom, (c * snd atom)%Z)) p.

(* The cells of the walk over the common denominator: total p times total q. *)
Definition plan_cells (p q : counts) : list ((Z * Z) * Z) :=
  monotone_coupling (multiplied (total q) p) (multiplied (total p) q).

Definition transport_plan (p q : counts) : law (Z * Z) :=
  scaled (/ (IZR (total p) * IZR (total q))) (as_law (plan_cells p q)).

Definition w_inf (p q : counts) : nat :=
  fold_right (fun cell most => Nat.max (steps (fst (fst cell)) (snd (fst cell))) most) 0%nat (plan_cells p q).

(* What a table of counts is: values in order, each with a positive count, and at least one. *)
Definition proper (p : counts) : Prop := positive_counts p /\ sorted_counts p /\ p <> [].

Lemma expectation_scaled : forall (X : Type) (c : R) (p : law X) (f : X -> R),
  expectation (scaled c p) f = c * expectation p f.
Proof.
  intros. unfold expectation, scaled. rewrite sum_over_map, <- sum_over_scal. apply sum_over_ext. intros. simpl. ring.
Qed.

Lemma as_law_multiplied : forall c p f, expectation (as_law (multiplied c p)) f = IZR c * expectation (as_law p) f.
Proof.
  intros. unfold expectation, as_law, multiplied. rewrite !sum_over_map, <- sum_over_scal. apply sum_over_ext.
  intros. simpl. rewrite mult_IZR. ring.
Qed.

Lemma total_positive : forall p, proper p -> (0 < total p)%Z.
Proof.
  intros [| a p] [Hp [_ Hne]]; [contradiction |]. clear Hne.
  apply Forall_inv in Hp as Ha. apply Forall_inv_tail in Hp as Hp'. simpl. fold (total p).
  enough (0 <= total p)%Z by lia. clear Hp. induction Hp'; simpl; [lia |]. fold (total l). lia.
Qed.

Lemma total_multiplied : forall c p, total (multiplied c p) = (c * total p)%Z.
Proof. intros c p. induction p as [| a p IH]; simpl; [lia |]. fold (total (multiplied c p)) (total p). lia. Qed.

Lemma multiplied_positive : forall c p, (0 < c)%Z -> positive_counts p -> positive_counts (multiplied c p).
Proof.
  intros c p Hc Hp. induction Hp; simpl; constructor; [simpl; apply Z.mul_pos_pos; assumption | assumption].
Qed.

Lemma multiplied_sorted : forall c p, sorted_counts p -> sorted_counts (multiplied c p).
Proof.
  intros c p Hp. induction Hp as [| a p Hsorted IH Hall]; simpl; constructor; [exact IH |].
  unfold multiplied. rewrite Forall_map. exact Hall.
Qed.

Lemma side_scaled : forall (c : R) (pi : law (Z * Z)),
  first_side (scaled c pi) = scaled c (first_side pi) /\ second_side (scaled c pi) = scaled c (second_side pi).
Proof. intros. unfold first_side, second_side, scaled. rewrite !map_map. split; reflexivity. Qed.

(* A coupling stays one when all masses of both sides are multiplied alike. *)
Lemma coupling_scaled : forall (c : R) (pi : law (Z * Z)) (p q p' q' : law Z),
  0 <= c -> coupling pi p q -> same_law (scaled c p) p' -> same_law (scaled c q) q' -> coupling (scaled c pi) p' q'.
Proof.
  intros c pi p q p' q' Hc [Hnonneg [Hp Hq]] Hp' Hq'. split; [| split].
  - unfold non_negative_law, scaled in *. rewrite Forall_map. eapply Forall_impl; [| exact Hnonneg].
    intros cell Hcell. simpl. apply Rmult_le_pos; assumption.
  - intros f. destruct (side_scaled c pi) as [-> _]. rewrite expectation_scaled, Hp, <- expectation_scaled. apply Hp'.
  - intros f. destruct (side_scaled c pi) as [_ ->]. rewrite expectation_scaled, Hq, <- expectation_scaled. apply Hq'.
Qed.

Lemma moves_scaled : forall c far pi, 0 < c -> moves_at_most far pi -> moves_at_most far (scaled c pi).
Proof.
  intros c far pi Hc Hfar cell Hin Hpos. apply in_map_iff in Hin as [cell' [<- Hin]]. simpl in *.
  apply Hfar; [exact Hin |]. apply Rmult_lt_reg_l with c; [exact Hc | lra].
Qed.

Lemma plan_masses : forall p q, proper p -> proper q ->
  positive_counts (multiplied (total q) p) /\ sorted_counts (multiplied (total q) p)
  /\ positive_counts (multiplied (total p) q) /\ sorted_counts (multiplied (total p) q)
  /\ total (multiplied (total q) p) = total (multiplied (total p) q).
Proof.
  intros p q Hp Hq. assert (HA := total_positive p Hp). assert (HB := total_positive q Hq).
  repeat split; try (apply multiplied_positive; [assumption |]); try apply multiplied_sorted;
    try (apply Hp); try (apply Hq). rewrite !total_multiplied. lia.
Qed.

Theorem transport_plan_couples : forall p q, proper p -> proper q ->
  coupling (transport_plan p q) (normalised p) (normalised q).
Proof.
  intros p q Hp Hq. destruct (plan_masses p q Hp Hq) as [Hpp [_ [Hqp [_ Htotal]]]].
  assert (HA := IZR_lt _ _ (total_positive p Hp)). assert (HB := IZR_lt _ _ (total_positive q Hq)).
  apply (coupling_scaled _ _ _ _ _ _ (Rlt_le _ _ (Rinv_0_lt_compat _ (Rmult_lt_0_compat _ _ HA HB)))
           (monotone_coupling_couples _ _ Hpp Hqp Htotal)); intros f;
    unfold normalised; rewrite !expectation_scaled, as_law_multiplied; field; lra.
Qed.

Lemma farthest_bounds_cells : forall (cells : list ((Z * Z) * Z)) (cell : (Z * Z) * Z), In cell cells ->
  (steps (fst (fst cell)) (snd (fst cell))
   <= fold_right (fun c most => Nat.max (steps (fst (fst c)) (snd (fst c))) most) 0 cells)%nat.
Proof.
  induction cells as [| c rest IH]; intros cell Hin; [contradiction |].
  destruct Hin as [-> | Hin]; simpl; [lia | specialize (IH cell Hin); lia].
Qed.

Lemma farthest_least : forall (cells : list ((Z * Z) * Z)) (far : nat),
  (forall cell, In cell cells -> (steps (fst (fst cell)) (snd (fst cell)) <= far)%nat) ->
  (fold_right (fun c most => Nat.max (steps (fst (fst c)) (snd (fst c))) most) 0 cells <= far)%nat.
Proof.
  induction cells as [| c rest IH]; intros far H; simpl; [lia |].
  apply Nat.max_lub; [apply H; left; reflexivity | apply IH; intros; apply H; right; assumption].
Qed.

Theorem w_inf_is_attained : forall p q, proper p -> proper q -> moves_at_most (w_inf p q) (transport_plan p q).
Proof.
  intros p q Hp Hq cell Hin _. unfold transport_plan, scaled, as_law in Hin. rewrite map_map in Hin.
  apply in_map_iff in Hin as [c [<- Hc]]. simpl. apply (farthest_bounds_cells _ c Hc).
Qed.

(* Section 1: no coupling moves its farthest mass less far than the walk does, which is W_inf(p, q). *)
Theorem w_inf_is_least : forall p q, proper p -> proper q ->
  forall (far : nat) (pi : law (Z * Z)),
    coupling pi (normalised p) (normalised q) -> moves_at_most far pi -> (w_inf p q <= far)%nat.
Proof.
  intros p q Hp Hq far pi Hpi Hfar. destruct (plan_masses p q Hp Hq) as [Hpp [Hps [Hqp [Hqs Htotal]]]].
  assert (HA := IZR_lt _ _ (total_positive p Hp)). assert (HB := IZR_lt _ _ (total_positive q Hq)).
  assert (HAB := Rmult_lt_0_compat _ _ HA HB).
  assert (Hbig : coupling (scaled (IZR (total p) * IZR (total q)) pi)
                   (as_law (multiplied (total q) p)) (as_law (multiplied (total p) q))).
  { apply (coupling_scaled _ _ _ _ _ _ (Rlt_le _ _ HAB) Hpi); intros f;
      unfold normalised; rewrite !expectation_scaled, as_law_multiplied; field; lra. }
  apply farthest_least. intros cell Hin.
  apply (monotone_coupling_is_least _ _ far _ Hpp Hqp Hps Hqs Hbig (moves_scaled _ far pi HAB Hfar)
           (fst cell, IZR (snd cell))).
  - apply in_map_iff. exists cell. split; [reflexivity | exact Hin].
  - simpl. apply IZR_lt. apply (walk_positive _ _ _ Hpp Hqp cell Hin).
Qed.

(* Every coupling has a cell with mass that is at least as far as W_inf, so the same holds of the largest value of any
   nondecreasing function of the distance. *)
Theorem every_coupling_reaches_w_inf : forall p q, proper p -> proper q ->
  forall pi : law (Z * Z), coupling pi (normalised p) (normalised q) ->
  exists cell, In cell pi /\ 0 < snd cell /\ (w_inf p q <= steps (fst (fst cell)) (snd (fst cell)))%nat.
Proof.
  intros p q Hp Hq pi Hpi.
  assert (Hfarthest : (forall cell, In cell pi -> ~ 0 < snd cell)
                      \/ exists cell, In cell pi /\ 0 < snd cell
                           /\ moves_at_most (steps (fst (fst cell)) (snd (fst cell))) pi).
  { clear Hpi. induction pi as [| c rest IH]; [left; intros cell [] |].
    destruct (Rlt_dec 0 (snd c)) as [Hpos | Hneg].
    - right. destruct IH as [Hnone | [cell [Hin [Hcell Hfar]]]].
      + exists c. split; [left; reflexivity |]. split; [exact Hpos |].
        intros cell [<- | Hin] Hmass; [lia | exfalso; apply (Hnone cell Hin Hmass)].
      + destruct (le_lt_dec (steps (fst (fst c)) (snd (fst c))) (steps (fst (fst cell)) (snd (fst cell)))).
        * exists cell. split; [right; exact Hin |]. split; [exact Hcell |].
          intros other [<- | Hother] Hmass; [assumption | apply Hfar; assumption].
        * exists c. split; [left; reflexivity |]. split; [exact Hpos |].
          intros other [<- | Hother] Hmass; [lia | specialize (Hfar other Hother Hmass); lia].
    - destruct IH as [Hnone | [cell [Hin [Hcell Hfar]]]].
      + left. intros cell [<- | Hin]; [exact Hneg | apply Hnone, Hin].
      + right. exists cell. split; [right; exact Hin |]. split; [exact Hcell |].
        intros other [<- | Hother] Hmass; [contradiction | apply Hfar; assumption]. }
  destruct Hfarthest as [Hnone | [cell [Hin [Hpos Hfar]]]].
  - exfalso. destruct Hpi as [Hnonneg [Hside _]]. specialize (Hside (fun _ => 1)). rewrite first_side_mean in Hside.
    rewrite sum_over_zero in Hside.
    + unfold normalised in Hside. rewrite expectation_scaled in Hside.
      assert (Htotal : forall r, expectation (as_law r) (fun _ => 1) = IZR (total r)).
      { induction r as [| a r IH]; [reflexivity |]. simpl. fold (total r). rewrite plus_IZR, <- IH.
        rewrite expectation_cons. lra. }
      rewrite Htotal, Rinv_l in Hside; [lra |]. apply Rgt_not_eq, IZR_lt, total_positive, Hp.
    + intros cell Hin. unfold non_negative_law in Hnonneg. rewrite Forall_forall in Hnonneg.
      specialize (Hnonneg cell Hin). specialize (Hnone cell Hin). lra.
  - exists cell. split; [exact Hin |]. split; [exact Hpos |].
    apply (w_inf_is_least p q Hp Hq _ pi Hpi Hfar).
Qed.

(* Section 3 with the number of section 1: a ratio r with r^W_inf >= e^-epsilon suffices. *)
Theorem theorem_1_w_inf : forall (epsilon r : R) (p q : counts), proper p -> proper q ->
  0 < r < 1 -> exp (- epsilon) <= r ^ w_inf p q -> indistinguishable epsilon (laplace r) (normalised p) (normalised q).
Proof.
  intros epsilon r p q Hp Hq Hr Hratio. apply (theorem_1_laplace epsilon r (w_inf p q) (transport_plan p q)); auto.
  - apply transport_plan_couples; assumption.
  - apply w_inf_is_attained; assumption.
Qed.
