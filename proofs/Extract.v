(* The checker as a program: integers become those of zarith, texts and lists those of OCaml. *)
From Coq Require Import ExtrOcamlBasic ExtrOcamlNativeString ExtrOcamlZBigInt.
Require Import Fugu.Plan Fugu.Check.
Extraction "check.ml" check.
