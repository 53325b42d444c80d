(* Prints what every headline theorem rests on: nothing but the axioms of Coq's real numbers. *)
Require Fugu.Events Fugu.Windows Fugu.Laplace Fugu.Coupling Fugu.Harmonic Fugu.Atoms Fugu.Monotone Fugu.Farthest.
Require Fugu.Range Fugu.Transfer Fugu.Line Fugu.Bands Fugu.Compose Fugu.Product Fugu.Users Fugu.Closeness.
Require Fugu.Invariance Fugu.Mix Fugu.Postprocess.

(* Section 0 *)
Print Assumptions Fugu.Private.bounded_on_events.
Print Assumptions Fugu.Events.pointwise_bounds_every_event.
Print Assumptions Fugu.Events.hockey_stick_is_enough.
Print Assumptions Fugu.Events.hockey_stick_is_needed.
Print Assumptions Fugu.Postprocess.post_processing.
Print Assumptions Fugu.Postprocess.post_processing_kernel.
Print Assumptions Fugu.Postprocess.clamping.
Print Assumptions Fugu.Postprocess.shaping.
