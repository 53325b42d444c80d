(* Bounds in fixed point: what the checker computes with. A number that is not negative is held between two integers over
   2^b; every operation rounds the lower end down and the upper end up. e^epsilon from below by a Taylor sum. *)
From Coq Require Import Reals ZArith List Lra Lia Factorial.
From Coquelicot Require Import ElemFct.
Open Scope R_scope.

Definition bound := (Z * Z)%type.

Definition shift_up (a b : Z) : Z := (- Z.shiftr (- a) b)%Z.
Definition div_up (a b : Z) : Z := (- ((- a) / b))%Z.

Definition zero : bound := (0, 0)%Z.
Definition add (u v : bound) : bound := (fst u + fst v, snd u + snd v)%Z.
Definition times (w : Z) (u : bound) : bound := (fst u * w, snd u * w)%Z.
Definition mul (b : Z) (u v : bound) : bound := (Z.shiftr (fst u * fst v) b, shift_up (snd u * snd v) b).
Definition whole (b : Z) (w : Z) : bound := (Z.shiftl w b, Z.shiftl w b).
Definition quotient (b : Z) (a d : Z) : bound := (Z.shiftl a b / d, div_up (Z.shiftl a b) d)%Z.

Fixpoint power (b : Z) (u : bound) (k : positive) : bound :=
  match k with
  | xH => u
  | xO k => let v := power b u k in mul b v v
  | xI k => let v := power b u k in mul b u (mul b v v)
  end.

(* The bound of u^k for an integer k, 1 for k <= 0. *)
Definition power_to (b : Z) (u : bound) (k : Z) : bound :=
  match k with
  | Zpos k => power b u k
  | _ => whole b 1
  end.

Definition unit_of (b : Z) : R := IZR (2 ^ b).

(* x lies within the bound. *)
Definition within (b : Z) (u : bound) (x : R) : Prop :=
  (0 <= fst u)%Z /\ IZR (fst u) <= x * unit_of b <= IZR (snd u).

Lemma unit_pos : forall b, (0 <= b)%Z -> 0 < unit_of b.
Proof. intros b Hb. unfold unit_of. apply IZR_lt. apply Z.pow_pos_nonneg; lia. Qed.

Lemma within_pos : forall b u x, (0 <= b)%Z -> within b u x -> 0 <= x.
Proof.
  intros b u x Hb [H0 [H _]]. assert (Hu := unit_pos b Hb). apply IZR_le in H0.
  apply Rmult_le_reg_r with (unit_of b); lra.
Qed.

Lemma within_snd : forall b u x, within b u x -> (0 <= snd u)%Z.
Proof. intros b u x [H0 [H1 H2]]. apply IZR_le in H0. apply le_IZR. lra. Qed.

Lemma shiftr_below : forall a b, (0 <= b)%Z -> IZR (Z.shiftr a b) * unit_of b <= IZR a.
Proof.
  intros a b Hb. unfold unit_of. rewrite Z.shiftr_div_pow2 by lia. rewrite <- mult_IZR. apply IZR_le.
  rewrite Z.mul_comm. apply Z.mul_div_le. apply Z.pow_pos_nonneg; lia.
Qed.

Lemma shift_up_above : forall a b, (0 <= b)%Z -> IZR a <= IZR (shift_up a b) * unit_of b.
Proof.
  intros a b Hb. unfold shift_up. rewrite opp_IZR. assert (H := shiftr_below (- a) b Hb). rewrite opp_IZR in H. lra.
Qed.

Lemma div_below : forall a d, (0 < d)%Z -> IZR (a / d) * IZR d <= IZR a.
Proof. intros a d Hd. rewrite <- mult_IZR. apply IZR_le. rewrite Z.mul_comm. apply Z.mul_div_le. lia. Qed.

Lemma div_up_above : forall a d, (0 < d)%Z -> IZR a <= IZR (div_up a d) * IZR d.
Proof. intros a d Hd. unfold div_up. rewrite opp_IZR. assert (H := div_below (- a) d Hd). rewrite opp_IZR in H. lra. Qed.

Lemma within_zero : forall b, within b zero 0.
Proof. intros b. unfold within, zero; simpl. split; [lia | lra]. Qed.

Lemma within_add : forall b u v x y, within b u x -> within b v y -> within b (add u v) (x + y).
Proof.
  intros b u v x y [Hu [Hu1 Hu2]] [Hv [Hv1 Hv2]]. unfold within, add; simpl. rewrite !plus_IZR. split; [lia | lra].
Qed.

Lemma within_times : forall b w u x, (0 <= w)%Z -> within b u x -> within b (times w u) (x * IZR w).
Proof.
  intros b w u x Hw [Hu [Hu1 Hu2]]. assert (Hw' := IZR_le 0 w Hw). unfold within, times; simpl. rewrite !mult_IZR.
  split; [lia |]. replace (x * IZR w * unit_of b) with (x * unit_of b * IZR w) by ring.
  split; apply Rmult_le_compat_r; lra.
Qed.

Lemma within_mul : forall b u v x y, (0 <= b)%Z -> within b u x -> within b v y -> within b (mul b u v) (x * y).
Proof.
  intros b u v x y Hb Hx Hy. assert (Hp := unit_pos b Hb).
  assert (Hx0 := within_pos b u x Hb Hx). assert (Hy0 := within_pos b v y Hb Hy).
  destruct Hx as [Hu [Hu1 Hu2]]. destruct Hy as [Hv [Hv1 Hv2]].
  assert (Hu' := IZR_le 0 _ Hu). assert (Hv' := IZR_le 0 _ Hv).
  unfold within, mul; simpl. split.
  - rewrite Z.shiftr_div_pow2 by lia. apply Z.div_pos; [nia | apply Z.pow_pos_nonneg; lia].
  - assert (Hxu : 0 <= x * unit_of b) by (apply Rmult_le_pos; lra).
    assert (Hyu : 0 <= y * unit_of b) by (apply Rmult_le_pos; lra).
    assert (Hl := shiftr_below (fst u * fst v) b Hb). assert (Hh := shift_up_above (snd u * snd v) b Hb).
    rewrite mult_IZR in Hl, Hh.
    assert (Hlow : IZR (fst u) * IZR (fst v) <= (x * unit_of b) * (y * unit_of b))
      by (apply Rmult_le_compat; lra).
    assert (Hhigh : (x * unit_of b) * (y * unit_of b) <= IZR (snd u) * IZR (snd v))
      by (apply Rmult_le_compat; lra).
    split; apply Rmult_le_reg_r with (unit_of b); try assumption.
    + apply Rle_trans with (1 := Hl). apply Rle_trans with (1 := Hlow). right; ring.
    + apply Rle_trans with (2 := Hh). apply Rle_trans with (2 := Hhigh). right; ring.
Qed.

Lemma within_whole : forall b w, (0 <= b)%Z -> (0 <= w)%Z -> within b (whole b w) (IZR w).
Proof.
  intros b w Hb Hw. unfold within, whole, unit_of; simpl. rewrite Z.shiftl_mul_pow2 by lia. rewrite mult_IZR.
  split; [| lra]. assert (0 < 2 ^ b)%Z by (apply Z.pow_pos_nonneg; lia). nia.
Qed.

Lemma within_quotient : forall b a d, (0 <= b)%Z -> (0 <= a)%Z -> (0 < d)%Z ->
  within b (quotient b a d) (IZR a / IZR d).
Proof.
  intros b a d Hb Ha Hd. assert (Hd' := IZR_lt 0 d Hd). unfold within, quotient; simpl.
  assert (Hl := div_below (Z.shiftl a b) d Hd). assert (Hh := div_up_above (Z.shiftl a b) d Hd).
  rewrite Z.shiftl_mul_pow2 in * by lia. rewrite mult_IZR in Hl, Hh. fold (unit_of b) in *.
  assert (Hp : (0 < 2 ^ b)%Z) by (apply Z.pow_pos_nonneg; lia).
  split; [apply Z.div_pos; nia |].
  split; apply Rmult_le_reg_r with (IZR d); try assumption;
    replace (IZR a / IZR d * unit_of b * IZR d) with (IZR a * unit_of b) by (field; lra); assumption.
Qed.

Lemma within_power : forall b u x k, (0 <= b)%Z -> within b u x -> within b (power b u k) (x ^ Pos.to_nat k).
Proof.
  intros b u x k Hb H. induction k as [k IH | k IH |]; cbn [power].
  - rewrite Pos2Nat.inj_xI. replace (x ^ S (2 * Pos.to_nat k)) with (x * (x ^ Pos.to_nat k * x ^ Pos.to_nat k)).
    + apply within_mul; [assumption | assumption |]. apply within_mul; assumption.
    + simpl. rewrite <- pow_add. repeat f_equal. lia.
  - rewrite Pos2Nat.inj_xO. replace (x ^ (2 * Pos.to_nat k)) with (x ^ Pos.to_nat k * x ^ Pos.to_nat k).
    + apply within_mul; assumption.
    + rewrite <- pow_add. f_equal. lia.
  - rewrite Pos2Nat.inj_1, pow_1. assumption.
Qed.

Lemma within_power_to : forall b u x k, (0 <= b)%Z -> within b u x -> within b (power_to b u k) (x ^ Z.to_nat k).
Proof.
  intros b u x [| k | k] Hb H; simpl.
  - apply (within_whole b 1); lia.
  - apply within_power; assumption.
  - apply (within_whole b 1); lia.
Qed.

(* The integers of the Taylor sum: term k is at most 2^b x^k / k!, x = top / bottom. *)
Fixpoint taylor (fuel : nat) (top bottom k term sum : Z) : Z :=
  match fuel with
  | O => sum
  | S fuel =>
    let next := (term * top / (bottom * k))%Z in
    if (next =? 0)%Z then sum else taylor fuel top bottom (k + 1)%Z next (sum + next)%Z
  end.

Definition exp_below (b top bottom : Z) : Z :=
  let one := Z.shiftl 1 b in
  taylor (Z.to_nat (Z.min (b + 8 * (top / bottom) + 64) 20000)) top bottom 1 one one.

Lemma taylor_below : forall fuel top bottom b n term sum,
  (0 <= b)%Z -> (0 <= top)%Z -> (0 < bottom)%Z -> (0 <= term)%Z ->
  IZR term <= unit_of b * ((IZR top / IZR bottom) ^ n / INR (fact n)) ->
  IZR sum <= unit_of b * sum_f_R0 (fun k => (IZR top / IZR bottom) ^ k / INR (fact k)) n ->
  IZR (taylor fuel top bottom (Z.of_nat (S n)) term sum) <= unit_of b * exp (IZR top / IZR bottom).
Proof.
  induction fuel as [| fuel IH]; intros top bottom b n term sum Hb Htop Hbottom Hterm Hterm' Hsum.
  - simpl. apply Rle_trans with (1 := Hsum). apply Rmult_le_compat_l; [left; apply unit_pos; assumption |].
    apply exp_ge_taylor. apply Rmult_le_pos; [apply IZR_le; assumption |].
    left. apply Rinv_0_lt_compat. apply IZR_lt. assumption.
  - assert (Hx : 0 <= IZR top / IZR bottom).
    { apply Rmult_le_pos; [apply IZR_le; assumption |]. left. apply Rinv_0_lt_compat. apply IZR_lt. assumption. }
    cbn [taylor]. set (next := (term * top / (bottom * Z.of_nat (S n)))%Z).
    destruct (next =? 0)%Z.
    + apply Rle_trans with (1 := Hsum). apply Rmult_le_compat_l; [left; apply unit_pos; assumption |].
      apply exp_ge_taylor. assumption.
    + assert (Hk : (0 < bottom * Z.of_nat (S n))%Z) by lia.
      assert (Hnext : IZR next <= unit_of b * ((IZR top / IZR bottom) ^ S n / INR (fact (S n)))).
      { assert (H := div_below (term * top) (bottom * Z.of_nat (S n)) Hk). fold next in H.
        rewrite !mult_IZR in H. rewrite <- INR_IZR_INZ in H.
        assert (Hb' := IZR_lt 0 bottom Hbottom). assert (Hn : 0 < INR (S n)) by (apply lt_0_INR; lia).
        assert (Hf : 0 < INR (fact n)) by (apply lt_0_INR; apply lt_O_fact).
        apply Rmult_le_reg_r with (IZR bottom * INR (S n)); [apply Rmult_lt_0_compat; assumption |].
        apply Rle_trans with (1 := H).
        apply Rle_trans with (unit_of b * ((IZR top / IZR bottom) ^ n / INR (fact n)) * IZR top).
        - apply Rmult_le_compat_r; [apply IZR_le; assumption | assumption].
        - right. rewrite fact_simpl, mult_INR. simpl pow. field. repeat split; lra. }
      replace (Z.of_nat (S n) + 1)%Z with (Z.of_nat (S (S n))) by lia.
      apply IH; try assumption.
      * apply Z.div_pos; [nia | lia].
      * rewrite plus_IZR. simpl sum_f_R0. rewrite Rmult_plus_distr_l. apply Rplus_le_compat; assumption.
Qed.

Theorem exp_below_is_below : forall b top bottom, (0 <= b)%Z -> (0 <= top)%Z -> (0 < bottom)%Z ->
  IZR (exp_below b top bottom) <= unit_of b * exp (IZR top / IZR bottom).
Proof.
  intros b top bottom Hb Htop Hbottom. unfold exp_below.
  apply (taylor_below _ top bottom b 0); try assumption.
  - rewrite Z.shiftl_mul_pow2 by lia. assert (0 < 2 ^ b)%Z by (apply Z.pow_pos_nonneg; lia). lia.
  - rewrite Z.shiftl_mul_pow2 by lia. rewrite Z.mul_1_l. simpl. unfold unit_of. lra.
  - rewrite Z.shiftl_mul_pow2 by lia. rewrite Z.mul_1_l. simpl. unfold unit_of. lra.
Qed.
