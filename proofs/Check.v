(* The checker, and that it is right: what it accepts is private. *)
From Coq Require Import Reals ZArith List Lia Bool String.
Require Import Fugu.Private Fugu.Plan Fugu.Bound Fugu.Carry Fugu.Grid Fugu.Compare Fugu.NoiseCheck Fugu.ChannelCheck
  Fugu.SwapCheck.
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

(* With more bits where fewer do not decide. *)
Definition precisions : list Z := [160; 640; 2560; 10240].
Definition check (p : plan) : bool := existsb (check_at p) precisions.

Theorem check_sound : forall p, check p = true -> private p.
Proof.
  intros p H. unfold check in H. apply existsb_exists in H as [b [_ H]].
  unfold check_at in H. apply andb_prop in H as [H Hpriors]. apply andb_prop in H as [H _]. apply andb_prop in H as [H _].
  apply andb_prop in H as [Hb Hcolumns]. apply Z.leb_le in Hb. rewrite forallb_forall in Hpriors.
  intros prior Hprior. specialize (Hpriors prior Hprior). unfold prior_ok in Hpriors.
  apply andb_prop in Hpriors as [Hlaws Hvectors].
  destruct (vectors_for b (drawn_by p) prior) as [vectors |] eqn:Ev; [| discriminate].
  rewrite forallb_forall in Hvectors.
  assert (HK : exists K, kernel_for (drawn_by p) (known prior) = Some K /\ non_negative_kernel K /\ measured b K prior vectors).
  { destruct (drawn_by p) as [columns | inputs outs rows | strata]; cbn [vectors_for kernel_for] in *.
    - exists (noise_kernel columns). cbn [columns_ok] in Hcolumns. rewrite forallb_forall in Hcolumns.
      assert (Hproper : Forall proper columns)
        by (apply Forall_forall; intros n Hn; apply noise_ok_proper; apply Hcolumns; assumption).
      split; [reflexivity |]. split; [apply noise_kernel_nonneg; assumption | apply noise_measured; assumption].
    - exists (channel_kernel inputs outs rows). split; [reflexivity |]. split; [| apply channel_measured; assumption].
      apply channel_nonneg. unfold channel_vectors in Ev. destruct (channel_ok inputs outs rows); [reflexivity | discriminate].
    - unfold stratum_of in Ev. destruct (find _ strata) as [s |]; [| discriminate].
      exists (swap_kernel s). split; [reflexivity |]. split; [| apply swap_measured; assumption].
      apply swap_nonneg. unfold swap_vectors in Ev. destruct (stratum_ok s (prepare s)); [reflexivity | discriminate]. }
  destruct HK as [K [HK [Hnonneg Hmeasured]]]. exists K. split; [assumption |]. split; [assumption |].
  intros q Hq. apply (promise_sound b K prior vectors q Hb Hlaws Hmeasured). apply Hvectors. assumption.
Qed.
