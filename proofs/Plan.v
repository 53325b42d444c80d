(* What a plan says, in the integers of its file, and what it promises of them.

   A value is a point: one lattice index for each column. The kernels are exactly what is drawn: for noise the
   integer weights up to the reach and the geometric tails beyond, divided by their sum; for a channel and for rows
   that trade places the integers over the total of their row. *)
From Coq Require Import Reals ZArith List String.
Require Import Fugu.Private Fugu.Events.
Import ListNotations.
Open Scope R_scope.

Definition point := list Z.

Definition point_eq_dec : forall x y : point, {x = y} + {x <> y} := list_eq_dec Z.eq_dec.

(* Weights of the steps -reach ... reach, first to last; beyond, tails of the ratio numerator / 2^bits. *)
Record noise := Noise { reach : Z; weights : list Z; numerator : Z; bits : Z }.

(* Of the people of whom somebody knows these texts. The point at place i becomes that at place j with probability
   weight / total of i for each flow (i, j, weight), and else stays. Places count from 0. *)
Record stratum := Stratum {
  stratum_known : list string;
  points : list point;
  totals : list Z;
  flows : list (Z * Z * Z)
}.

Inductive mechanism :=
  | Noises (columns : list noise)
  | Channel (inputs outputs : list point) (rows : list (list Z))
  | Swap (strata : list stratum).

(* By secret, the values and their masses, in proportion. *)
Record prior := Prior { known : list string; laws : list (list (point * Z)) }.

(* epsilon is top / bottom; a pair names two secrets by their places. *)
Record promise := Promise { top : Z; bottom : Z; pairs : list (nat * nat) }.

Record plan := Plan { drawn_by : mechanism; priors : list prior; promises : list promise }.

(* The weight of a step, and the sum of all weights. *)
Definition ratio (n : noise) : R := IZR (numerator n) / IZR (2 ^ bits n).
Definition first_weight (n : noise) : R := IZR (hd 0%Z (weights n)).
Definition last_weight (n : noise) : R := IZR (last (weights n) 0%Z).
Definition weight (n : noise) (z : Z) : R :=
  if (reach n <? z)%Z then last_weight n * ratio n ^ Z.to_nat (z - reach n)
  else if (z <? - reach n)%Z then first_weight n * ratio n ^ Z.to_nat (- z - reach n)
  else IZR (nth (Z.to_nat (z + reach n)) (weights n) 0%Z).
Definition total_weight (n : noise) : R :=
  sum_over IZR (weights n) + (first_weight n + last_weight n) * (ratio n / (1 - ratio n)).

(* Each column has noise of its own, drawn independently. *)
Fixpoint noise_kernel (columns : list noise) (x y : point) : R :=
  match columns, x, y with
  | [], [], [] => 1
  | n :: columns, a :: x, b :: y => weight n (b - a) / total_weight n * noise_kernel columns x y
  | _, _, _ => 0
  end.

(* The row of a table at its place. *)
Fixpoint place_of (x : point) (items : list point) (from : Z) : option Z :=
  match items with
  | [] => None
  | item :: rest => if point_eq_dec item x then Some from else place_of x rest (from + 1)
  end.

Definition item_at {A : Type} (items : list A) (default : A) (i : Z) : A := nth (Z.to_nat i) items default.

Definition channel_kernel (inputs outputs : list point) (rows : list (list Z)) (x y : point) : R :=
  match place_of x inputs 0 with
  | None => 0
  | Some i =>
    let row := item_at rows [] i in
    sum_over (fun cell => if point_eq_dec (fst cell) y then IZR (snd cell) else 0) (combine outputs row)
    / sum_over IZR row
  end.

(* What flows from one place to another, and what leaves a place. *)
Definition flowing (all : list (Z * Z * Z)) (i j : Z) : R :=
  sum_over (fun flow => if Z.eq_dec (fst (fst flow)) i then if Z.eq_dec (snd (fst flow)) j then IZR (snd flow) else 0
                        else 0) all.
Definition leaving (all : list (Z * Z * Z)) (i : Z) : R :=
  sum_over (fun flow => if Z.eq_dec (fst (fst flow)) i then IZR (snd flow) else 0) all.

Definition swap_kernel (s : stratum) (x y : point) : R :=
  match place_of x (points s) 0, place_of y (points s) 0 with
  | Some i, Some j =>
    let whole := IZR (item_at (totals s) 0%Z i) in
    (flowing (flows s) i j + if Z.eq_dec i j then whole - leaving (flows s) i else 0) / whole
  | _, _ => 0
  end.

Definition same_texts (a b : list string) : bool := if list_eq_dec string_dec a b then true else false.

(* What is drawn for the people of a prior. *)
Definition kernel_for (m : mechanism) (texts : list string) : option (kernel point point) :=
  match m with
  | Noises columns => Some (noise_kernel columns)
  | Channel inputs outputs rows => Some (channel_kernel inputs outputs rows)
  | Swap strata => option_map swap_kernel (find (fun s => same_texts (stratum_known s) texts) strata)
  end.

(* Masses divided by their sum. *)
Definition mass_sum (atoms : list (point * Z)) : R := sum_over (fun atom => IZR (snd atom)) atoms.
Definition law_of (atoms : list (point * Z)) : law point :=
  map (fun atom => (fst atom, IZR (snd atom) / mass_sum atoms)) atoms.
Definition secret_law (p : prior) (secret : nat) : law point := law_of (nth secret (laws p) []).

Definition is_law (p : law point) : Prop := non_negative_law p /\ sum_over snd p = 1.

(* What the plan promises. Of every prior: its secrets have laws; for every value that can occur what is drawn has a law, too,
   over all outputs whatever; and every pair of secrets of the promises is indistinguishable at its epsilon, at every
   output. *)
Definition private (p : plan) : Prop :=
  forall prior, In prior (priors p) ->
    exists K, kernel_for (drawn_by p) (known prior) = Some K
      /\ non_negative_kernel K
      /\ (forall atoms, In atoms (laws prior) -> is_law (law_of atoms)
            /\ forall x m, In (x, m) atoms -> (0 < m)%Z -> adds_up_to (K x) everything 1)
      /\ forall promise, In promise (promises p) ->
           (forall pair, In pair (pairs promise) ->
              (fst pair < List.length (laws prior) /\ snd pair < List.length (laws prior))%nat)
           /\ pufferfish (IZR (top promise) / IZR (bottom promise)) K [secret_law prior] (pairs promise).
