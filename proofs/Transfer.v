(* The transfer bound: what any releases can tell, if all that is known of them is what it costs to exchange one value for
   another. docs/math.md, sections 17 and 18.

   cost x x' stands for e^D(x,x'). Where D is infinite k is 0, and nothing is asked of the cost there. *)
From Coq Require Import Reals List Lra.
Require Import Fugu.Private Fugu.Sums Fugu.Events.
Import ListNotations.
Open Scope R_scope.

(* k moves all of p, and what arrives at a value, times its cost, is at most l times what q has there. *)
Definition transfers {X : Type} (points : list X) (cost k : X -> X -> R) (l : R) (p q : X -> R) : Prop :=
  (forall x x', 0 <= k x x')
  /\ (forall x, In x points -> sum_over (fun x' => k x x') points = p x)
  /\ (forall x', In x' points -> sum_over (fun x => k x x' * cost x x') points <= l * q x').

(* A function of the value that no exchange changes by more than its cost. *)
Definition obeys {X : Type} (points : list X) (cost k : X -> X -> R) (g : X -> R) : Prop :=
  forall x x', In x points -> In x' points -> 0 < k x x' -> g x <= cost x x' * g x'.

(* Section 17, the heart of it: means of any such function. *)
Theorem transfer_of_means : forall (X : Type) (points : list X) (cost k : X -> X -> R) (l : R) (p q g : X -> R),
  transfers points cost k l p q -> (forall x, In x points -> 0 <= g x) -> obeys points cost k g ->
  sum_over (fun x => p x * g x) points <= l * sum_over (fun x => q x * g x) points.
Proof.
  intros X points cost k l p q g [Hk [Hrows Hcolumns]] Hg Hobeys.
  apply Rle_trans with (sum_over (fun x => sum_over (fun x' => k x x' * cost x x' * g x') points) points).
  - apply sum_over_le. intros x Hx. rewrite <- (Hrows x Hx), <- sum_over_scal_r. apply sum_over_le. intros x' Hx'.
    rewrite Rmult_assoc. destruct (Hk x x') as [Hpos | <-]; [| lra]. apply Rmult_le_compat_l; [lra |].
    apply Hobeys; assumption.
  - rewrite sum_over_swap, <- sum_over_scal. apply sum_over_le. intros x' Hx'. rewrite sum_over_scal_r, <- Rmult_assoc.
    apply Rmult_le_compat_r; [apply Hg, Hx' | apply Hcolumns, Hx'].
Qed.

(* Section 17: the transfer bound, at every output (of one release, or the transcript of many). *)
Theorem transfer_bound : forall (X Y : Type) (K : kernel X Y) (points : list X) (cost k : X -> X -> R) (l : R)
    (p q : X -> R),
  non_negative_kernel K -> (forall y, obeys points cost k (fun x => K x y)) -> transfers points cost k l p q ->
  forall y, output_mass K (weighing points p) y <= l * output_mass K (weighing points q) y.
Proof.
  intros X Y K points cost k l p q HK Hobeys Hk y. rewrite !output_mass_weighing.
  apply (transfer_of_means X points cost k l p q (fun x => K x y) Hk); [intros; apply HK | apply Hobeys].
Qed.

(* And of every set of transcripts. *)
Theorem transfer_bound_on_events : forall (X Y : Type) (K : kernel X Y) (points : list X) (cost k : X -> X -> R) (l : R)
    (p q : X -> R),
  non_negative_kernel K -> 0 <= l -> (forall y, obeys points cost k (fun x => K x y)) ->
  transfers points cost k l p q ->
  forall (event : Y -> Prop) (u v : R),
    adds_up_to (output_mass K (weighing points p)) event u -> adds_up_to (output_mass K (weighing points q)) event v ->
    u <= l * v.
Proof.
  intros X Y K points cost k l p q HK Hl Hobeys Hk event u v Hu Hv. rewrite <- (Rplus_0_r (l * v)).
  apply (totals_compare Y _ _ event l 0 u v Hl Hu Hv). intros part _ _. rewrite Rplus_0_r, <- sum_over_scal.
  apply sum_over_le. intros y _. apply (transfer_bound X Y K points cost k); assumption.
Qed.

Corollary transfer_is_private : forall (X Y : Type) (K : kernel X Y) (points : list X) (cost k k' : X -> X -> R)
    (epsilon : R) (p q : X -> R),
  non_negative_kernel K ->
  (forall y, obeys points cost k (fun x => K x y)) -> (forall y, obeys points cost k' (fun x => K x y)) ->
  transfers points cost k (exp epsilon) p q -> transfers points cost k' (exp epsilon) q p ->
  indistinguishable epsilon K (weighing points p) (weighing points q).
Proof.
  intros X Y K points cost k k' epsilon p q HK Hobeys Hobeys' Hk Hk'.
  split; intros y; [apply (transfer_bound X Y K points cost k) | apply (transfer_bound X Y K points cost k')]; assumption.
Qed.

(* Section 17: an exchange by way of a third value; shortest paths obey the inequality as well. *)
Lemma exchange_by_way_of : forall (X : Type) (g : X -> R) (x between x' : X) (c c' : R),
  0 <= c -> g x <= c * g between -> g between <= c' * g x' -> g x <= c * c' * g x'.
Proof.
  intros X g x between x' c c' Hc H H'. apply Rle_trans with (c * g between); [exact H |].
  rewrite Rmult_assoc. apply Rmult_le_compat_l; assumption.
Qed.

(* Section 17, repair: whatever m >= 0 was proposed, rows that are multiplied to the right sum make a k. kept is e^-D. *)
Theorem repaired_transfer : forall (X : Type) (points : list X) (kept m : X -> X -> R) (l : R) (p q g : X -> R),
  (forall x x', 0 <= m x x') -> (forall x, In x points -> 0 <= p x) -> (forall x, In x points -> 0 <= g x) ->
  (forall x x', In x points -> In x' points -> kept x x' * g x <= g x') ->
  (forall x, In x points -> 0 < sum_over (fun x' => m x x' * kept x x') points) ->
  (forall x', In x' points ->
     sum_over (fun x => p x / sum_over (fun z => m x z * kept x z) points * m x x') points <= l * q x') ->
  sum_over (fun x => p x * g x) points <= l * sum_over (fun x => q x * g x) points.
Proof.
  intros X points kept m l p q g Hm Hp Hg Hkept Hsum Hcolumns.
  set (row := fun x => sum_over (fun z => m x z * kept x z) points) in *.
  apply Rle_trans with (sum_over (fun x => sum_over (fun x' => p x / row x * m x x' * g x') points) points).
  - apply sum_over_le. intros x Hx. specialize (Hsum x Hx). fold (row x) in Hsum.
    replace (p x * g x) with (p x / row x * (row x * g x)) by (field; apply Rgt_not_eq, Hsum).
    rewrite (sum_over_ext X _ (fun x' => p x / row x * (m x x' * g x'))) by (intros; ring). rewrite sum_over_scal.
    apply Rmult_le_compat_l.
    + apply Rmult_le_pos; [apply Hp, Hx | left; apply Rinv_0_lt_compat, Hsum].
    + unfold row. rewrite <- sum_over_scal_r. apply sum_over_le. intros x' Hx'. rewrite Rmult_assoc.
      apply Rmult_le_compat_l; [apply Hm | apply Hkept; assumption].
  - rewrite sum_over_swap, <- sum_over_scal. apply sum_over_le. intros x' Hx'. rewrite sum_over_scal_r, <- Rmult_assoc.
    apply Rmult_le_compat_r; [apply Hg, Hx' | apply Hcolumns, Hx'].
Qed.

(* Section 18: the bound for bags, sum of p(x) over the sum of q(x') e^-D(x,x'). *)
Theorem transfer_by_independence : forall (X : Type) (points : list X) (kept : X -> X -> R) (p q g : X -> R),
  (forall x, In x points -> 0 <= p x) -> (forall x, In x points -> 0 <= q x) ->
  (forall x x', In x points -> In x' points -> kept x x' * g x <= g x') ->
  (forall x, In x points -> 0 < sum_over (fun x' => q x' * kept x x') points) ->
  sum_over (fun x => p x * g x) points
  <= sum_over (fun x => p x / sum_over (fun x' => q x' * kept x x') points) points
     * sum_over (fun x => q x * g x) points.
Proof.
  intros X points kept p q g Hp Hq Hkept Hsum. rewrite <- sum_over_scal_r. apply sum_over_le. intros x Hx.
  specialize (Hsum x Hx). set (row := sum_over (fun x' => q x' * kept x x') points) in *.
  replace (p x * g x) with (p x / row * (row * g x)) by (field; apply Rgt_not_eq, Hsum).
  apply Rmult_le_compat_l.
  - apply Rmult_le_pos; [apply Hp, Hx | left; apply Rinv_0_lt_compat, Hsum].
  - unfold row. rewrite <- sum_over_scal_r. apply sum_over_le. intros x' Hx'. rewrite Rmult_assoc.
    apply Rmult_le_compat_l; [apply Hq, Hx' | apply Hkept; assumption].
Qed.

(* Finitely many limits s a <= b leave room for some s > 0, if each has b > 0, or a <= 0 and b = 0. *)
Lemma room_for_all : forall limits : list (R * R),
  Forall (fun limit => 0 < snd limit \/ (fst limit <= 0 /\ 0 <= snd limit)) limits ->
  exists s, 0 < s /\ Forall (fun limit => s * fst limit <= snd limit) limits.
Proof.
  intros limits H.
  enough (Hsmall : exists s, 0 < s /\ forall s', 0 < s' <= s -> Forall (fun limit => s' * fst limit <= snd limit) limits).
  { destruct Hsmall as [s [Hs Hall]]. exists s. split; [exact Hs | apply Hall; lra]. }
  induction H as [| [a b] rest Hlimit _ [s [Hs IH]]]; [exists 1; split; [lra | constructor] |]. simpl in Hlimit.
  destruct (Rle_dec a 0) as [Ha | Ha].
  - exists s. split; [exact Hs |]. intros s' Hs'. constructor; [| apply IH, Hs']. simpl.
    apply Rle_trans with 0; [| destruct Hlimit; lra]. rewrite <- (Rmult_0_r s'). apply Rmult_le_compat_l; lra.
  - destruct Hlimit as [Hb | [Ha' _]]; [| contradiction]. exists (Rmin s (b / a)). split.
    + apply Rmin_pos; [exact Hs | apply Rdiv_lt_0_compat; lra].
    + intros s' [Hpos Hle]. constructor; simpl.
      * apply Rle_trans with (b / a * a); [| right; field; lra]. apply Rmult_le_compat_r; [lra |].
        apply Rle_trans with (Rmin s (b / a)); [exact Hle | apply Rmin_r].
      * apply IH. split; [exact Hpos |]. apply Rle_trans with (Rmin s (b / a)); [exact Hle | apply Rmin_l].
Qed.

(* Section 17: no bound from the costs alone is smaller than E_p g / E_q g. For every g that obeys all costs some release
   of two outputs obeys them too and has an output of that very ratio. Where the cost of an exchange is 1 (D = 0), g must
   be the same at both values: a release whose rows add up to 1 cannot tell them apart in either direction. *)
Theorem no_smaller_bound_from_costs : forall (X : Type) (points : list X) (cost : X -> X -> R) (g : X -> R),
  (forall x, In x points -> 0 <= g x) -> (forall x x', 1 <= cost x x') ->
  (forall x x', In x points -> In x' points -> g x <= cost x x' * g x') ->
  (forall x x', In x points -> In x' points -> cost x x' = 1 -> g x = g x') ->
  exists (K : kernel X bool) (s : R), 0 < s
    /\ (forall x y, In x points -> 0 <= K x y)
    /\ (forall x, In x points -> K x true + K x false = 1)
    /\ (forall x x' y, In x points -> In x' points -> K x y <= cost x x' * K x' y)
    /\ (forall p : X -> R, output_mass K (weighing points p) true = s * sum_over (fun x => p x * g x) points).
Proof.
  intros X points cost g Hg Hcost Hobeys Hequal.
  destruct (room_for_all (map (fun x => (g x, 1)) points
      ++ flat_map (fun x => map (fun x' => (cost x x' * g x' - g x, cost x x' - 1)) points) points))
    as [s [Hs Hlimits]].
  { rewrite Forall_forall. intros limit Hin. apply in_app_or in Hin as [Hin | Hin].
    - apply in_map_iff in Hin as [x [<- Hx]]. simpl. left. lra.
    - apply in_flat_map in Hin as [x [Hx Hin]]. apply in_map_iff in Hin as [x' [<- Hx']]. simpl.
      destruct (Hcost x x') as [Hlt | Heq]; [left; lra |]. right. rewrite <- Heq.
      rewrite (Hequal x x' Hx Hx' (eq_sym Heq)). split; lra. }
  rewrite Forall_forall in Hlimits.
  assert (Hone : forall x, In x points -> s * g x <= 1).
  { intros x Hx. apply (Hlimits (g x, 1)). apply in_or_app. left. apply in_map_iff. exists x. auto. }
  assert (Htwo : forall x x', In x points -> In x' points -> s * (cost x x' * g x' - g x) <= cost x x' - 1).
  { intros x x' Hx Hx'. apply (Hlimits (cost x x' * g x' - g x, cost x x' - 1)). apply in_or_app. right.
    apply in_flat_map. exists x. split; [exact Hx |]. apply in_map_iff. exists x'. auto. }
  exists (fun x (y : bool) => if y then s * g x else 1 - s * g x), s. split; [exact Hs |]. split; [| split; [| split]].
  - intros x [|] Hx; [apply Rmult_le_pos; [lra | apply Hg, Hx] | specialize (Hone x Hx); lra].
  - intros x Hx. simpl. lra.
  - intros x x' [|] Hx Hx'.
    + replace (cost x x' * (s * g x')) with (s * (cost x x' * g x')) by ring.
      apply Rmult_le_compat_l; [lra | apply Hobeys; assumption].
    + specialize (Htwo x x' Hx Hx'). lra.
  - intros p. rewrite output_mass_weighing, <- sum_over_scal. apply sum_over_ext. intros; ring.
Qed.
