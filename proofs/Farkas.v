(* Finitely many linear inequalities have a common solution, or adding up multiples of them gives 0 <= b with b < 0: the lemma
   of Farkas, by eliminating one variable after another (Fourier and Motzkin). *)
From Coq Require Import Reals List Lra.
Require Import Fugu.Private Fugu.Sums.
Import ListNotations.
Open Scope R_scope.

Section Farkas.
  Context {V : Type}.
  Variable same : forall v w : V, {v = w} + {v <> w}.

  (* The sum of a v times x v is at most b. *)
  Definition inequality := ((V -> R) * R)%type.

  Definition holds (variables : list V) (x : V -> R) (c : inequality) : Prop :=
    sum_over (fun v => fst c v * x v) variables <= snd c.

  (* What follows by adding up multiples that are not negative. *)
  Inductive follows (system : list inequality) : (V -> R) -> R -> Prop :=
  | given : forall a b, In (a, b) system -> follows system a b
  | added : forall a b a' b' sum, follows system a b -> follows system a' b' -> (forall v, sum v = a v + a' v) ->
      follows system sum (b + b')
  | multiplied_by : forall a b s product, 0 <= s -> follows system a b -> (forall v, product v = s * a v) ->
      follows system product (s * b).

  Lemma follows_from_what_follows : forall system derived, (forall a b, In (a, b) derived -> follows system a b) ->
    forall a b, follows derived a b -> follows system a b.
  Proof.
    intros system derived Hderived a b H.
    induction H as [a b Hin | a b a' b' sum _ IH _ IH' Hsum | a b s product Hs _ IH Hproduct].
    - apply Hderived, Hin.
    - apply (added system a b a' b'); assumption.
    - apply (multiplied_by system a b s); assumption.
  Qed.

  (* A number between all of one list and all of another. *)
  Lemma number_between : forall lowers uppers : list R, (forall l u, In l lowers -> In u uppers -> l <= u) ->
    exists z, (forall l, In l lowers -> l <= z) /\ (forall u, In u uppers -> z <= u).
  Proof.
    induction lowers as [| l lowers IH]; intros uppers H.
    - induction uppers as [| u uppers IH]; [exists 0; split; intros ? [] |].
      destruct IH as [z [_ Hz]]; [intros l u' [] |]. exists (Rmin u z). split; [intros ? [] |].
      intros u' [<- | Hu]; [apply Rmin_l | apply Rle_trans with z; [apply Rmin_r | apply Hz, Hu]].
    - destruct (IH uppers) as [z [Hlow Hup]]; [intros; apply H; [right |]; assumption |].
      exists (Rmax l z). split.
      + intros l' [<- | Hl]; [apply Rmax_l | apply Rle_trans with z; [apply Hlow, Hl | apply Rmax_r]].
      + intros u Hu. apply Rmax_lub; [apply H; [left; reflexivity | exact Hu] | apply Hup, Hu].
  Qed.

  (* The system without the variable w: what lacks it, and every pair of an upper with a lower bound of it. *)
  Definition without (w : V) (c : inequality) : bool := if Req_EM_T (fst c w) 0 then true else false.
  Definition bounds_above (w : V) (c : inequality) : bool := if Rlt_dec 0 (fst c w) then true else false.
  Definition bounds_below (w : V) (c : inequality) : bool := if Rlt_dec (fst c w) 0 then true else false.

  Definition paired (w : V) (up down : inequality) : inequality :=
    (fun v => fst up w * fst down v + - fst down w * fst up v, fst up w * snd down + - fst down w * snd up).

  Definition eliminated (w : V) (system : list inequality) : list inequality :=
    filter (without w) system
    ++ flat_map (fun up => map (paired w up) (filter (bounds_below w) system)) (filter (bounds_above w) system).

  Lemma in_eliminated : forall w system c, In c (eliminated w system) ->
    (In c system /\ fst c w = 0)
    \/ exists up down, In up system /\ 0 < fst up w /\ In down system /\ fst down w < 0 /\ c = paired w up down.
  Proof.
    intros w system c Hin. apply in_app_or in Hin as [Hin | Hin].
    - apply filter_In in Hin as [Hin Hzero]. unfold without in Hzero.
      destruct (Req_EM_T (fst c w) 0); [left; split; assumption | discriminate].
    - apply in_flat_map in Hin as [up [Hup Hin]]. apply in_map_iff in Hin as [down [<- Hdown]].
      apply filter_In in Hup as [Hup Hpos]. apply filter_In in Hdown as [Hdown Hneg].
      unfold bounds_above in Hpos. unfold bounds_below in Hneg.
      destruct (Rlt_dec 0 (fst up w)); [| discriminate]. destruct (Rlt_dec (fst down w) 0); [| discriminate].
      right. exists up, down. repeat split; assumption.
  Qed.

  Lemma eliminated_follows : forall w system a b, In (a, b) (eliminated w system) -> follows system a b.
  Proof.
    intros w system a b Hin.
    destruct (in_eliminated w system (a, b) Hin) as [[H _] | [up [down [Hup [Hpos [Hdown [Hneg Heq]]]]]]].
    - apply given, H.
    - unfold paired in Heq. injection Heq as -> ->.
      apply (added system (fun v => fst up w * fst down v) (fst up w * snd down)
               (fun v => - fst down w * fst up v) (- fst down w * snd up)); [| | reflexivity].
      + apply (multiplied_by system (fst down) (snd down)); [lra | | reflexivity].
        apply given. rewrite <- surjective_pairing. exact Hdown.
      + apply (multiplied_by system (fst up) (snd up)); [lra | | reflexivity].
        apply given. rewrite <- surjective_pairing. exact Hup.
  Qed.

  Lemma eliminated_lacks_it : forall w system a b, follows (eliminated w system) a b -> a w = 0.
  Proof.
    intros w system a b H. induction H as [a b Hin | a b a' b' sum _ IH _ IH' Hsum | a b s product Hs _ IH Hproduct].
    - destruct (in_eliminated w system (a, b) Hin) as [[_ H] | [up [down [_ [_ [_ [_ Heq]]]]]]]; [exact H |].
      unfold paired in Heq. injection Heq as -> _. simpl. ring.
    - rewrite Hsum, IH, IH'. ring.
    - rewrite Hproduct, IH. ring.
  Qed.

  Definition updated (x : V -> R) (w : V) (z : R) : V -> R := fun v => if same v w then z else x v.

  Lemma sum_updated : forall a x w z rest, ~ In w rest ->
    sum_over (fun v => a v * updated x w z v) rest = sum_over (fun v => a v * x v) rest.
  Proof.
    intros a x w z rest Hnotin. apply sum_over_ext. intros v Hv. unfold updated.
    destruct (same v w) as [-> | _]; [contradiction | reflexivity].
  Qed.

  Theorem farkas : forall (variables : list V) (system : list inequality), NoDup variables ->
    (exists x, forall c, In c system -> holds variables x c)
    \/ (exists a b, follows system a b /\ (forall v, In v variables -> a v = 0) /\ b < 0).
  Proof.
    induction variables as [| w rest IH]; intros system Hnodup.
    - assert (Hsigns : (forall c, In c system -> 0 <= snd c) \/ exists c, In c system /\ snd c < 0).
      { induction system as [| c system IH]; [left; intros c [] |].
        destruct (Rlt_dec (snd c) 0) as [Hneg | Hpos]; [right; exists c; split; [left; reflexivity | exact Hneg] |].
        destruct IH as [Hall | [c' [Hin Hneg]]].
        - left. intros c' [<- | Hin]; [lra | apply Hall, Hin].
        - right. exists c'. split; [right; exact Hin | exact Hneg]. }
      destruct Hsigns as [Hall | [[a b] [Hin Hneg]]].
      + left. exists (fun _ => 0). intros c Hc. apply Hall, Hc.
      + right. exists a, b. split; [apply given, Hin |]. split; [intros v [] | exact Hneg].
    - inversion Hnodup as [| ? ? Hnotin Hrest]; subst.
      destruct (IH (eliminated w system) Hrest) as [[x Hx] | [a [b [Hfollows [Hzero Hneg]]]]].
      + left. set (value := fun c : inequality => sum_over (fun v => fst c v * x v) rest).
        destruct (number_between (map (fun c => (snd c - value c) / fst c w) (filter (bounds_below w) system))
                    (map (fun c => (snd c - value c) / fst c w) (filter (bounds_above w) system))) as [z [Hlow Hup]].
        { intros l u Hl Hu. apply in_map_iff in Hl as [down [<- Hdown]]. apply in_map_iff in Hu as [up [<- Hup]].
          assert (Hpair := Hx (paired w up down)). unfold holds, paired in Hpair. simpl in Hpair.
          rewrite (sum_over_ext V _ (fun v => fst up w * (fst down v * x v) + - fst down w * (fst up v * x v))) in Hpair
            by (intros; ring).
          rewrite sum_over_plus, !sum_over_scal in Hpair. fold (value up) (value down) in Hpair.
          apply filter_In in Hdown as [Hdown Hdownsign] . apply filter_In in Hup as [Hup Hupsign].
          assert (Hmember : In (paired w up down) (eliminated w system)).
          { apply in_or_app. right. apply in_flat_map. exists up. split; [apply filter_In; split; assumption |].
            apply in_map, filter_In. split; assumption. }
          specialize (Hpair Hmember). unfold bounds_below in Hdownsign. unfold bounds_above in Hupsign.
          destruct (Rlt_dec (fst down w) 0) as [Hn |]; [| discriminate].
          destruct (Rlt_dec 0 (fst up w)) as [Hp |]; [| discriminate].
          apply Rmult_le_reg_l with (fst up w * - fst down w); [apply Rmult_lt_0_compat; lra |].
          replace (fst up w * - fst down w * ((snd down - value down) / fst down w))
            with (- (fst up w * (snd down - value down))) by (field; lra).
          replace (fst up w * - fst down w * ((snd up - value up) / fst up w))
            with (- fst down w * (snd up - value up)) by (field; lra). lra. }
        exists (updated x w z). intros c Hc. unfold holds. simpl. rewrite sum_updated by exact Hnotin. fold (value c).
        unfold updated. destruct (same w w) as [_ | Hne]; [| contradiction].
        destruct (Rtotal_order (fst c w) 0) as [Hsign | [Hsign | Hsign]].
        * assert (Hz : (snd c - value c) / fst c w <= z).
          { apply Hlow, in_map_iff. exists c. split; [reflexivity |]. apply filter_In. split; [exact Hc |].
            unfold bounds_below. destruct (Rlt_dec (fst c w) 0); [reflexivity | contradiction]. }
          apply Rmult_le_compat_neg_l with (r := fst c w) in Hz; [| lra].
          replace (fst c w * ((snd c - value c) / fst c w)) with (snd c - value c) in Hz by (field; lra). lra.
        * assert (Hkept : holds rest x c).
          { apply Hx, in_or_app. left. apply filter_In. split; [exact Hc |]. unfold without.
            destruct (Req_EM_T (fst c w) 0); [reflexivity | contradiction]. }
          unfold holds in Hkept. fold (value c) in Hkept. rewrite Hsign. lra.
        * assert (Hz : z <= (snd c - value c) / fst c w).
          { apply Hup, in_map_iff. exists c. split; [reflexivity |]. apply filter_In. split; [exact Hc |].
            unfold bounds_above. destruct (Rlt_dec 0 (fst c w)); [reflexivity | contradiction]. }
          apply Rmult_le_compat_l with (r := fst c w) in Hz; [| lra].
          replace (fst c w * ((snd c - value c) / fst c w)) with (snd c - value c) in Hz by (field; lra). lra.
      + right. exists a, b. split; [| split; [| exact Hneg]].
        * apply (follows_from_what_follows system (eliminated w system)); [apply eliminated_follows | exact Hfollows].
        * intros v [<- | Hv]; [apply (eliminated_lacks_it _ system a b Hfollows) | apply Hzero, Hv].
  Qed.
End Farkas.
