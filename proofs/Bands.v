(* Laws whose distribution function is known within a band: prices along the values, and the line recursion with a band.
   docs/math.md, sections 9 and 17. *)
From Coq Require Import Reals List Lra Lia.
Require Import Fugu.Private Fugu.Sums Fugu.Line.
Import ListNotations.
Open Scope R_scope.

(* Section 9. At a place: the kernel's mass of the output, a price, the bounds of the value's mass, and those of the mass up
   to and with this value. *)
Record place := Place { there : R; price : R; low : R; high : R; low_up_to : R; high_up_to : R }.

(* The masses p of the places, in order, with this much mass before them and 1 in all. *)
Fixpoint in_band (before : R) (places : list place) (p : list R) : Prop :=
  match places, p with
  | here :: rest, m :: ms =>
      low here <= m <= high here
      /\ match rest with
         | [] => ms = [] /\ before + m = 1
         | _ :: _ => low_up_to here <= before + m <= high_up_to here /\ in_band (before + m) rest ms
         end
  | _, _ => False
  end.

Fixpoint mean_over (places : list place) (p : list R) : R :=
  match places, p with
  | here :: rest, m :: ms => there here * m + mean_over rest ms
  | _, _ => 0
  end.

(* The most and the least of a z for z between two ends. *)
Definition most (a least_z most_z : R) : R := Rmax (a * least_z) (a * most_z).
Definition least (a least_z most_z : R) : R := Rmin (a * least_z) (a * most_z).

Lemma between_ends : forall a z u v, u <= z <= v -> least a u v <= a * z <= most a u v.
Proof.
  intros a z u v Hz. unfold least, most. destruct (Rle_dec 0 a) as [Ha | Ha].
  - split; [apply Rle_trans with (a * u); [apply Rmin_l |] | apply Rle_trans with (a * v); [| apply Rmax_r]];
      apply Rmult_le_compat_l; lra.
  - split; [apply Rle_trans with (a * v); [apply Rmin_r |] | apply Rle_trans with (a * u); [| apply Rmax_l]];
      apply Rmult_le_compat_neg_l; lra.
Qed.

Fixpoint priced (pick : R -> R -> R -> R) (places : list place) : R :=
  match places with
  | [] => 0
  | here :: rest =>
      pick (there here - price here) (low here) (high here)
      + match rest with
        | [] => price here
        | next :: _ => pick (price here - price next) (low_up_to here) (high_up_to here) + priced pick rest
        end
  end.

Lemma priced_between : forall (places : list place) (p : list R) (before : R), in_band before places p ->
  let first_price := match places with [] => 0 | here :: _ => price here end in
  priced least places <= mean_over places p + before * first_price <= priced most places.
Proof.
  induction places as [| here rest IH]; intros [| m ms] before Hband; simpl in Hband; try contradiction.
  destruct Hband as [Hm Hrest]. cbn [priced mean_over].
  assert (Hhere := between_ends (there here - price here) m _ _ Hm).
  destruct rest as [| next rest].
  - destruct Hrest as [-> Htotal]. simpl. replace before with (1 - m) by lra. lra.
  - destruct Hrest as [Hup Hrest]. specialize (IH ms (before + m) Hrest). cbv zeta in *.
    assert (Hgap := between_ends (price here - price next) (before + m) _ _ Hup). lra.
Qed.

(* Section 9: whatever the prices are, every law within boxes and band has its mean between these two sums. *)
Theorem band_bounds : forall (places : list place) (p : list R), in_band 0 places p ->
  priced least places <= mean_over places p <= priced most places.
Proof.
  intros places p Hband. assert (H := priced_between places p 0 Hband). cbv zeta in H. lra.
Qed.

(* Section 17. A line from its last value to its first: w = p - l q there, the cost to the next value of the list, and
   bounds of the sum of w over all values after it in the list, which is F_p - l F_q below this value. *)
Record gap := Gap { weight : R; cost : R; lower : R; upper : R }.

Definition line_of_gaps (gaps : list gap) : list (R * R) := map (fun here => (weight here, cost here)) gaps.

Definition sum_of_weights (gaps : list gap) : R := sum_over weight gaps.

Fixpoint sums_in_band (gaps : list gap) : Prop :=
  match gaps with
  | [] => True
  | here :: rest => (rest <> [] -> lower here <= sum_of_weights rest <= upper here) /\ sums_in_band rest
  end.

Fixpoint band_height (gaps : list gap) : R :=
  match gaps with
  | [] => 0
  | here :: rest =>
      match rest with
      | [] => 0
      | _ :: _ =>
          let h := band_height rest in
          Rmax (h * cost here + (cost here - 1) * upper here) (h * / cost here - (1 - / cost here) * lower here)
      end
  end.

(* One gap: the next term is convex in the next value of g, so it is largest at an end. *)
Lemma one_gap : forall h e G A B v v', 1 <= e -> 0 <= v -> B <= G <= A -> v <= e * v' -> v' <= e * v ->
  h * v' + G * (v' - v) <= Rmax (h * e + (e - 1) * A) (h * / e - (1 - / e) * B) * v.
Proof.
  intros h e G A B v v' He Hv HG Hup Hdown. assert (Hinv : 0 < / e <= 1).
  { split; [apply Rinv_0_lt_compat; lra |]. rewrite <- Rinv_1. apply Rinv_le_contravar; lra. }
  assert (Hlow : / e * v <= v').
  { apply Rmult_le_reg_l with e; [lra |]. rewrite <- Rmult_assoc, Rinv_r, Rmult_1_l by lra. exact Hup. }
  set (first := h * e + (e - 1) * A). set (second := h * / e - (1 - / e) * B).
  assert (Hfirst : first * v <= Rmax first second * v) by (apply Rmult_le_compat_r; [exact Hv | apply Rmax_l]).
  assert (Hsecond : second * v <= Rmax first second * v) by (apply Rmult_le_compat_r; [exact Hv | apply Rmax_r]).
  destruct (Rle_dec v v') as [Hrise | Hfall].
  - assert (HGA : G * (v' - v) <= A * (v' - v)) by (apply Rmult_le_compat_r; lra).
    destruct (Rle_dec 0 (h + A)) as [Hpos | Hneg].
    + assert ((h + A) * v' <= (h + A) * (e * v)) by (apply Rmult_le_compat_l; lra). unfold first in *. lra.
    + assert ((h + A) * v' <= (h + A) * v) by (apply Rmult_le_compat_neg_l; lra).
      assert (Hside : 0 <= (1 - / e) * (- (h + B)) * v).
      { apply Rmult_le_pos; [apply Rmult_le_pos; lra | exact Hv]. }
      unfold second in *. lra.
  - assert (HGB : G * (v' - v) <= B * (v' - v)).
    { enough (0 <= (G - B) * (v - v')) by lra. apply Rmult_le_pos; lra. }
    destruct (Rle_dec (h + B) 0) as [Hneg | Hpos].
    + assert ((h + B) * v' <= (h + B) * (/ e * v)) by (apply Rmult_le_compat_neg_l; lra). unfold second in *. lra.
    + assert ((h + B) * v' <= (h + B) * v) by (apply Rmult_le_compat_l; lra).
      assert (Hside : 0 <= (e - 1) * (h + A) * v).
      { apply Rmult_le_pos; [apply Rmult_le_pos; lra | exact Hv]. }
      unfold first in *. lra.
Qed.

Lemma band_height_bounds_gain : forall (gaps : list gap) (g : list R),
  Forall (fun here => 1 <= cost here) gaps -> sums_in_band gaps -> Forall (fun v => 0 <= v) g ->
  chained (line_of_gaps gaps) g ->
  gain (line_of_gaps gaps) g <= (band_height gaps + sum_of_weights gaps) * hd 0 g.
Proof.
  induction gaps as [| here rest IH]; intros [| v vs] Hcosts Hsums Hg Hchain; simpl in Hchain; try contradiction;
    [simpl; lra |].
  apply Forall_inv in Hcosts as He. apply Forall_inv_tail in Hcosts.
  apply Forall_inv in Hg as Hv. apply Forall_inv_tail in Hg. destruct Hsums as [Hsum Hsums].
  destruct rest as [| next rest], vs as [| v' vs]; simpl in Hchain; try contradiction.
  - unfold sum_of_weights. simpl. lra.
  - destruct Hchain as [Hup [Hdown Hchain]]. specialize (IH (v' :: vs) Hcosts Hsums Hg Hchain).
    specialize (Hsum ltac:(discriminate)).
    assert (Hgap := one_gap (band_height (next :: rest)) (cost here) _ _ _ v v' He Hv Hsum Hup Hdown).
    change (weight here * v + gain (line_of_gaps (next :: rest)) (v' :: vs)
            <= (Rmax (band_height (next :: rest) * cost here + (cost here - 1) * upper here)
                  (band_height (next :: rest) * / cost here - (1 - / cost here) * lower here)
                + (weight here + sum_of_weights (next :: rest))) * v).
    simpl hd in IH. lra.
Qed.

(* Section 17: with bands, l is enough where the last height plus 1 - l is not positive. *)
Theorem line_recursion_bands : forall (gaps : list gap) (l : R) (g : list R),
  Forall (fun here => 1 <= cost here) gaps -> sums_in_band gaps -> sum_of_weights gaps = 1 - l ->
  Forall (fun v => 0 <= v) g -> chained (line_of_gaps gaps) g -> band_height gaps + (1 - l) <= 0 ->
  gain (line_of_gaps gaps) g <= 0.
Proof.
  intros gaps l g Hcosts Hsums Htotal Hg Hchain Hheight.
  apply Rle_trans with ((band_height gaps + sum_of_weights gaps) * hd 0 g).
  - apply band_height_bounds_gain; assumption.
  - apply not_positive_product; [rewrite Htotal; exact Hheight | destruct Hg; simpl; [lra | assumption]].
Qed.
