(* The rate of a whole table: beyond the outermost sum the masses of all rows multiply, so what one row loses at an end, w
   rows lose w times. docs/math.md, section 12, "The rate of a whole table". *)
From Coq Require Import Reals ZArith List Lra Lia.
Require Import Fugu.Private Fugu.Sums Fugu.Windows Fugu.Laplace Fugu.Users.
Import ListNotations.
Open Scope R_scope.

(* E r^-X of one row. *)
Definition tilt (r : R) (p : law Z) : R := expectation p (fun x => powerRZ r (- x)).

Definition product_of (f : law Z -> R) (rows : list (law Z)) : R := fold_right (fun p so_far => f p * so_far) 1 rows.

Lemma tilt_of_two : forall r p q, r <> 0 -> tilt r (sum_of_two p q) = tilt r p * tilt r q.
Proof.
  intros r p q Hr. unfold tilt, expectation, sum_of_two. rewrite <- sum_over_scal_r.
  induction p as [| a rest IH]; simpl; [reflexivity |]. rewrite sum_over_app, IH, sum_over_map. f_equal.
  rewrite <- sum_over_scal. apply sum_over_ext. intros b _. simpl.
  replace (- (fst a + fst b))%Z with (- fst a + - fst b)%Z by lia. rewrite powerRZ_add by exact Hr. ring.
Qed.

Lemma tilt_of_all : forall r rows, r <> 0 -> tilt r (sum_of_all rows) = product_of (tilt r) rows.
Proof.
  intros r rows Hr. induction rows as [| p rest IH]; simpl.
  - unfold tilt, expectation. simpl. ring.
  - rewrite tilt_of_two by exact Hr. fold (sum_of_all rest). rewrite IH. reflexivity.
Qed.

Lemma laplace_right_of : forall r x y, 0 < r < 1 -> (x <= y)%Z ->
  laplace r x y = (1 - r) / (1 + r) * (powerRZ r y * powerRZ r (- x)).
Proof.
  intros r x y Hr Hxy. rewrite laplace_value, <- powerRZ_add by lra. f_equal. unfold steps.
  rewrite pow_powerRZ. f_equal. lia.
Qed.

(* To the right of every sum that can occur. *)
Theorem mass_beyond_all_sums : forall (r : R) (rows : list (law Z)) (y : Z), 0 < r < 1 ->
  (forall x, In x (map fst (sum_of_all rows)) -> (x <= y)%Z) ->
  output_mass (laplace r) (sum_of_all rows) y = (1 - r) / (1 + r) * (powerRZ r y * product_of (tilt r) rows).
Proof.
  intros r rows y Hr Hbeyond. rewrite <- tilt_of_all by lra. unfold output_mass, tilt, expectation.
  rewrite <- !sum_over_scal. apply sum_over_ext. intros a Ha.
  rewrite (laplace_right_of r (fst a) y Hr (Hbeyond _ (in_map fst _ a Ha))). ring.
Qed.

Lemma product_of_repeat : forall f p k rest, product_of f (repeat p k ++ rest) = f p ^ k * product_of f rest.
Proof. intros f p k rest. induction k as [| k IH]; simpl; [ring |]. unfold product_of in *. rewrite IH. ring. Qed.

(* Two tables that differ in w rows, a in one and b in the other: the ratio there is that of one row to the power of w. *)
Theorem changed_rows_lose_exactly : forall (r : R) (a b : law Z) (w : nat) (rest : list (law Z)) (y : Z), 0 < r < 1 ->
  (forall x, In x (map fst (sum_of_all (repeat a w ++ rest))) -> (x <= y)%Z) ->
  (forall x, In x (map fst (sum_of_all (repeat b w ++ rest))) -> (x <= y)%Z) ->
  output_mass (laplace r) (sum_of_all (repeat a w ++ rest)) y * tilt r b ^ w
  = output_mass (laplace r) (sum_of_all (repeat b w ++ rest)) y * tilt r a ^ w.
Proof.
  intros r a b w rest y Hr Ha Hb. rewrite !mass_beyond_all_sums by assumption. rewrite !product_of_repeat. ring.
Qed.
