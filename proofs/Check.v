(* The checker, and that it is right: what it accepts is private. *)
From Coq Require Import Reals ZArith List Lra Lia Bool String.
Require Import Fugu.Private Fugu.Sums Fugu.Events Fugu.Plan Fugu.Bound Fugu.Carry Fugu.Grid Fugu.Compare Fugu.NoiseCheck
  Fugu.Align Fugu.ChannelCheck Fugu.SwapCheck Fugu.RowsAddUp.
Import ListNotations.
Open Scope Z_scope.

Definition stratum_of (strata : list stratum) (texts : list string) : option stratum :=
  find (fun s => same_texts (stratum_known s) texts) strata.

Definition vectors_for (b : Z) (m : mechanism) (p : prior) : option (list vector) :=
  match m with
  | Noises columns => noise_vectors b columns p
  | Channel inputs outputs rows => channel_vectors b inputs outputs rows p
  | Swap strata => match stratum_of strata (known p) with Some s => swap_vectors b s p | None => None end
  end.

Definition columns_ok (m : mechanism) : bool :=
  match m with
  | Noises columns => forallb noise_ok columns
  | _ => true
  end.

Definition prior_ok (b : Z) (m : mechanism) (promises : list promise) (p : prior) : bool :=
  forallb law_ok (laws p)
  && match vectors_for b m p with
     | None => false
     | Some vectors => let sums := map mass_total (laws p) in forallb (promise_ok b vectors sums) promises
     end.

Definition some {A : Type} (items : list A) : bool := match items with [] => false | _ => true end.

Definition check_at (p : plan) (b : Z) : bool :=
  (0 <=? b) && columns_ok (drawn_by p) && some (priors p) && some (promises p)
  && forallb (prior_ok b (drawn_by p) (promises p)) (priors p).

(* Whether some output breaks a promise by more than bounds of this width can hide, or there is nothing to compare: then
   more bits would not help. Nothing rests on it. *)
Fixpoint above (l r : Z) (u v : vector) : bool :=
  match u, v with
  | x :: u, y :: v => (snd y * r <? fst x * l) || above l r u v
  | _, _ => false
  end.

Definition broken (b growth : Z) (vectors : list vector) (sums : list Z) (pair : nat * nat) : bool :=
  match nth_error vectors (fst pair), nth_error vectors (snd pair), nth_error sums (fst pair), nth_error sums (snd pair) with
  | Some u, Some v, Some du, Some dv =>
    let wide := growth + Z.shiftr growth 60 + 1 in
    above (Z.shiftl dv b) (wide * du) u v || above (Z.shiftl du b) (wide * dv) v u
  | _, _, _, _ => true
  end.

Definition hopeless (p : plan) (b : Z) : bool :=
  existsb (fun prior =>
    match vectors_for b (drawn_by p) prior with
    | None => true
    | Some vectors =>
      existsb (fun q => existsb (broken b (exp_below b (top q) (bottom q)) vectors (map mass_total (laws prior))) (pairs q))
        (promises p)
    end) (priors p).

(* With more bits where fewer do not decide. *)
Definition more_bits : list Z := [640; 2560; 10240].
Definition check (p : plan) : bool :=
  check_at p 160 || (negb (hopeless p 160) && existsb (check_at p) more_bits).

Lemma check_at_some : forall p, check p = true -> exists b, check_at p b = true.
Proof.
  intros p H. unfold check in H. apply orb_prop in H as [H | H]; [exists 160; assumption |].
  apply andb_prop in H as [_ H]. apply existsb_exists in H as [b [_ H]]. exists b. assumption.
Qed.

Lemma law_ok_is_law : forall items, law_ok items = true -> is_law (law_of items).
Proof.
  intros items H. destruct (law_ok_pos items H) as [Hpos Hsum]. unfold is_law, law_of. split.
  - apply Forall_forall. intros atom Hin. apply in_map_iff in Hin as [a [<- Ha]]. cbn [snd].
    apply Rmult_le_pos; [apply IZR_le; exact (proj1 (Forall_forall _ _) Hpos a Ha) | left; apply Rinv_0_lt_compat; assumption].
  - rewrite sum_over_map. cbn [snd]. unfold Rdiv. rewrite sum_over_scal_r. fold (mass_sum items). apply Rinv_r. lra.
Qed.

Lemma vector_of : forall (h : atoms -> option vector) items vectors, all_some (map h items) = Some vectors ->
  forall one, In one items -> exists v, h one = Some v.
Proof.
  induction items as [| a items IH]; intros vectors H one Hin; [contradiction |]. simpl in H.
  destruct (h a) as [v |] eqn:E; [| discriminate]. destruct (all_some (map h items)) as [more |] eqn:Em; [| discriminate].
  destruct Hin as [<- | Hin]; [exists v; assumption | exact (IH more eq_refl one Hin)].
Qed.

Theorem check_sound : forall p, check p = true -> private p.
Proof.
  intros p H. apply check_at_some in H as [b H].
  unfold check_at in H. apply andb_prop in H as [H Hpriors]. apply andb_prop in H as [H _]. apply andb_prop in H as [H _].
  apply andb_prop in H as [Hb Hcolumns]. apply Z.leb_le in Hb. rewrite forallb_forall in Hpriors.
  intros prior Hprior. specialize (Hpriors prior Hprior). unfold prior_ok in Hpriors.
  apply andb_prop in Hpriors as [Hlaws Hvectors].
  destruct (vectors_for b (drawn_by p) prior) as [vectors |] eqn:Ev; [| discriminate].
  rewrite forallb_forall in Hvectors.
  assert (HK : exists K, kernel_for (drawn_by p) (known prior) = Some K /\ non_negative_kernel K /\ measured b K prior vectors
            /\ forall items, In items (laws prior) -> forall atom, In atom (in_order items) -> adds_up_to (K (fst atom)) everything 1).
  { destruct (drawn_by p) as [columns | inputs outs rows | strata]; cbn [vectors_for kernel_for] in *.
    - exists (noise_kernel columns). cbn [columns_ok] in Hcolumns. rewrite forallb_forall in Hcolumns.
      assert (Hproper : Forall proper columns)
        by (apply Forall_forall; intros n Hn; apply noise_ok_proper; apply Hcolumns; assumption).
      split; [reflexivity |]. split; [apply noise_kernel_nonneg; assumption |]. split; [apply noise_measured; assumption |].
      intros items Hitems atom Hatom. apply noises_add_up; [assumption |]. unfold noise_vectors in Ev.
      match type of Ev with (if ?c then _ else _) = _ => destruct c eqn:El end; [| discriminate].
      rewrite forallb_forall in El. apply Nat.eqb_eq. apply El. apply in_map. apply in_concat.
      exists (in_order items). split; [apply in_map; assumption | assumption].
    - assert (Ev' := Ev). unfold channel_vectors in Ev. destruct (channel_ok inputs outs rows) eqn:Hok; [| discriminate].
      exists (channel_kernel inputs outs rows). split; [reflexivity |]. split; [apply channel_nonneg; assumption |]. split.
      + apply channel_measured; assumption.
      + intros items Hitems atom Hatom. apply channel_adds_up; [assumption |].
        destruct (vector_of _ _ _ Ev items Hitems) as [v Hv]. unfold channel_vector in Hv.
        destruct (align inputs (in_order items)) as [masses |] eqn:Ea; [| discriminate]. exact (align_in _ _ _ Ea atom Hatom).
    - unfold stratum_of in Ev. destruct (find _ strata) as [s |]; [| discriminate]. assert (Ev' := Ev).
      unfold swap_vectors in Ev. destruct (stratum_ok s (prepare s)) eqn:Hok; [| discriminate].
      exists (swap_kernel s). split; [reflexivity |]. split; [apply swap_nonneg; assumption |]. split.
      + apply swap_measured; assumption.
      + intros items Hitems atom Hatom. apply swap_adds_up; [assumption |].
        destruct (vector_of _ _ _ Ev items Hitems) as [v Hv]. unfold swap_vector in Hv.
        destruct (align (points s) (in_order items)) as [masses |] eqn:Ea; [| discriminate]. exact (align_in _ _ _ Ea atom Hatom). }
  destruct HK as [K [HK [Hnonneg [Hmeasured Hrows]]]]. exists K. split; [assumption |]. split; [assumption |]. split.
  - intros items Hitems. assert (Hlaws' := Hlaws). rewrite forallb_forall in Hlaws'.
    split; [apply law_ok_is_law; apply Hlaws'; assumption |].
    intros x m Hin Hm. apply (Hrows items Hitems (x, m)). apply in_in_order. split; [assumption | simpl; lia].
  - intros q Hq. specialize (Hvectors q Hq). split; [| apply (promise_sound b K prior vectors q Hb Hlaws Hmeasured); assumption].
    intros pair Hpair. unfold promise_ok in Hvectors. apply andb_prop in Hvectors as [_ Hall]. apply andb_prop in Hall as [_ Hall].
    rewrite forallb_forall in Hall. specialize (Hall pair Hpair). unfold pair_ok in Hall.
    destruct (nth_error vectors (fst pair)); [| discriminate]. destruct (nth_error vectors (snd pair)); [| discriminate].
    destruct (nth_error (map mass_total (laws prior)) (fst pair)) eqn:E1; [| discriminate].
    destruct (nth_error (map mass_total (laws prior)) (snd pair)) eqn:E2; [| discriminate].
    assert (Hin : forall k d, nth_error (map mass_total (laws prior)) k = Some d -> (k < List.length (laws prior))%nat).
    { intros k d E. assert (Hk : (k < List.length (map mass_total (laws prior)))%nat) by (apply nth_error_Some; rewrite E; discriminate).
      rewrite map_length in Hk. exact Hk. }
    split; [exact (Hin _ _ E1) | exact (Hin _ _ E2)].
Qed.
