(* Prints what the proof of the checker rests on: nothing but the axioms of Coq's real numbers. *)
Require Fugu.Check.

Print Assumptions Fugu.Check.check_sound.
