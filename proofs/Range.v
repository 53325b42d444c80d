(* The baselines: the range, which uses nothing of the masses, and hiding the value itself. docs/math.md, section 2. *)
From Coq Require Import Reals ZArith List Lra Lia.
Require Import Fugu.Private Fugu.Sums Fugu.Exponential Fugu.Windows Fugu.Laplace Fugu.Coupling.
Import ListNotations.
Open Scope R_scope.

Definition total_mass {X : Type} (p : law X) : R := sum_over snd p.

(* A law: masses that are not negative and add up to 1. *)
Definition proper_law {X : Type} (p : law X) : Prop := non_negative_law p /\ total_mass p = 1.

Theorem range_bound : forall (X Y : Type) (K : kernel X Y) (c : R) (p q : law X) (y : Y),
  proper_law p -> proper_law q ->
  (forall a b, In a p -> In b q -> K (fst a) y <= c * K (fst b) y) ->
  output_mass K p y <= c * output_mass K q y.
Proof.
  intros X Y K c p q y [Hp Hp1] [Hq Hq1] H. unfold non_negative_law in *. rewrite Forall_forall in Hp, Hq.
  replace (output_mass K p y) with (sum_over (fun a => sum_over (fun b => snd a * (snd b * K (fst a) y)) q) p).
  replace (c * output_mass K q y) with (sum_over (fun a => sum_over (fun b => snd a * (c * (snd b * K (fst b) y))) q) p).
  - apply sum_over_le. intros a Ha. apply sum_over_le. intros b Hb.
    apply Rmult_le_compat_l; [apply Hp, Ha |]. rewrite <- Rmult_assoc, (Rmult_comm c), Rmult_assoc.
    apply Rmult_le_compat_l; [apply Hq, Hb | apply H; assumption].
  - rewrite (sum_over_ext _ _ (fun a => snd a * (c * output_mass K q y))).
    + rewrite sum_over_scal_r. fold (total_mass p). rewrite Hp1. ring.
    + intros a _. rewrite (sum_over_scal _ (snd a)), sum_over_scal. reflexivity.
  - apply sum_over_ext. intros a _. rewrite (sum_over_scal _ (snd a)), sum_over_scal_r.
    fold (total_mass q). rewrite Hq1. ring.
Qed.

(* A release that hides the value itself keeps the promise of every prior and every pair of secrets. *)
Theorem local_privacy_suffices : forall (X Y S : Type) (epsilon : R) (K : kernel X Y) (priors : list (S -> law X))
    (pairs : list (S * S)),
  (forall x x' y, K x y <= exp epsilon * K x' y) ->
  (forall prior, In prior priors -> forall s, proper_law (prior s)) -> pufferfish epsilon K priors pairs.
Proof.
  intros X Y S epsilon K priors pairs HK Hlaws prior Hprior pair _.
  split; intros y; apply range_bound; auto.
Qed.

(* Laplace noise whose ratio, to the power of the range, is at least e^-epsilon. *)
Theorem range_laplace : forall (epsilon r : R) (far : nat) (p q : law Z),
  0 < r < 1 -> exp (- epsilon) <= r ^ far -> proper_law p -> proper_law q ->
  (forall a b, In a p -> In b q -> (steps (fst a) (fst b) <= far)%nat) -> indistinguishable epsilon (laplace r) p q.
Proof.
  intros epsilon r far p q Hr Hratio Hp Hq Hfar.
  assert (Hfull : (/ r) ^ far <= exp epsilon).
  { rewrite pow_inv by lra. rewrite <- (Ropp_involutive epsilon), exp_Ropp.
    apply Rinv_le_contravar; [apply exp_pos | exact Hratio]. }
  assert (Hone : forall x x' y, (steps x x' <= far)%nat -> laplace r x y <= exp epsilon * laplace r x' y).
  { intros x x' y Hxx'. apply Rle_trans with ((/ r) ^ steps x x' * laplace r x' y); [apply laplace_cost, Hr |].
    apply Rmult_le_compat_r; [apply laplace_nonneg, Hr |].
    apply Rle_trans with ((/ r) ^ far); [apply inverse_power_le; assumption | exact Hfull]. }
  split; intros y; apply range_bound; try assumption; intros a b Ha Hb; apply Hone; [apply Hfar; assumption |].
  specialize (Hfar b a Hb Ha). unfold steps in *. lia.
Qed.

(* Section 10, the raw loss: whatever is made from the value alone tells no more than the value. *)
Theorem raw_loss_bounds_everything : forall (X Y : Type) (epsilon : R) (K : kernel X Y) (points : list X) (p q : X -> R),
  non_negative_kernel K -> (forall x, In x points -> p x <= exp epsilon * q x) ->
  bounded epsilon K (weighing points p) (weighing points q).
Proof.
  intros X Y epsilon K points p q HK H y. rewrite !output_mass_weighing, <- sum_over_scal. apply sum_over_le.
  intros x Hx. rewrite <- Rmult_assoc. apply Rmult_le_compat_r; [apply HK | apply H, Hx].
Qed.

(* Section 2, randomized response: a value stays with one weight and becomes each other one with a lesser one. *)
Definition randomized_response {X : Type} (same : forall x y : X, {x = y} + {x <> y}) (stay change total : R) : kernel X X :=
  fun x y => (if same x y then stay else change) / total.

Theorem randomized_response_hides_the_value : forall (X : Type) (same : forall x y : X, {x = y} + {x <> y})
    (epsilon stay change total : R),
  0 < total -> 0 <= epsilon -> 0 <= change -> change <= stay -> exp (- epsilon) * stay <= change ->
  forall x x' y, randomized_response same stay change total x y
                 <= exp epsilon * randomized_response same stay change total x' y.
Proof.
  intros X same epsilon stay change total Htotal Heps Hpos Hle Hratio x x' y. unfold randomized_response.
  assert (Hone : 1 <= exp epsilon) by (assert (H := exp_above_line epsilon Heps); lra).
  assert (Hstay : stay <= exp epsilon * change).
  { apply Rmult_le_compat_l with (r := exp epsilon) in Hratio; [| lra].
    rewrite <- Rmult_assoc, <- exp_plus, Rplus_opp_r, exp_0, Rmult_1_l in Hratio. exact Hratio. }
  assert (Hgrow : forall c, 0 <= c -> c <= exp epsilon * c).
  { intros c Hc. rewrite <- (Rmult_1_l c) at 1. apply Rmult_le_compat_r; assumption. }
  assert (Hs := Hgrow stay ltac:(lra)). assert (Hc := Hgrow change Hpos).
  unfold Rdiv. rewrite <- Rmult_assoc. apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat, Htotal |].
  destruct (same x y), (same x' y); lra.
Qed.
