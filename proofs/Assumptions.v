(* Prints what every headline theorem rests on: nothing but the axioms of Coq's real numbers. The theorems of a
   section of docs/math.md are taken together, so that each block of output holds for all of them. *)
Require Fugu.Atoms Fugu.Bands Fugu.Blur Fugu.Closeness Fugu.Columns Fugu.Compose Fugu.Counterexamples.
Require Fugu.Coupling Fugu.Delta Fugu.Duality Fugu.Events Fugu.Farkas Fugu.Farthest Fugu.Harmonic Fugu.HockeyStick.
Require Fugu.Invariance Fugu.Ladder Fugu.Laplace Fugu.Leakage Fugu.Line Fugu.Mix Fugu.Monotone Fugu.Postprocess.
Require Fugu.Private Fugu.Product Fugu.Quilt Fugu.Range Fugu.Rate Fugu.RateExact Fugu.Scale Fugu.Together.
Require Fugu.Totals Fugu.Transfer Fugu.Users Fugu.Windows.

(* Section 0: the promise, events, delta, what is done before and after *)
Definition section_0 :=
  (@Fugu.Private.bounded_on_events,
   @Fugu.Events.pointwise_bounds_every_event,
   @Fugu.Events.pure_is_delta_zero,
   @Fugu.Events.hockey_stick_is_enough,
   @Fugu.Events.hockey_stick_is_needed,
   @Fugu.Postprocess.post_processing,
   @Fugu.Postprocess.post_processing_kernel,
   @Fugu.Postprocess.clamping,
   @Fugu.Postprocess.shaping,
   @Fugu.Postprocess.mixtures_keep_the_bound,
   @Fugu.Atoms.same_masses_same_law,
   @Fugu.Atoms.bounded_same_law,
   @Fugu.Totals.release_is_a_law,
   @Fugu.Totals.laplace_release_is_a_law,
   @Fugu.Totals.every_event_has_a_probability,
   @Fugu.Blur.nominal_bound_holds_of_true_laws,
   @Fugu.Blur.blur_adds_to_epsilon,
   @Fugu.Blur.blur_adds_to_excess).
Print Assumptions section_0.

(* Section 1: the transport plan *)
Definition section_1 :=
  (@Fugu.Monotone.monotone_coupling_couples,
   @Fugu.Monotone.monotone_coupling_is_least,
   @Fugu.Monotone.w_inf_by_distribution_functions,
   @Fugu.Farthest.transport_plan_couples,
   @Fugu.Farthest.w_inf_is_attained,
   @Fugu.Farthest.w_inf_is_least,
   @Fugu.Farthest.every_coupling_reaches_w_inf).
Print Assumptions section_1.

(* Section 2: baselines *)
Definition section_2 :=
  (@Fugu.Range.range_bound,
   @Fugu.Range.local_privacy_suffices,
   @Fugu.Range.range_laplace,
   @Fugu.Range.randomized_response_hides_the_value).
Print Assumptions section_2.

(* Section 3: Theorem 1 *)
Definition section_3 :=
  (@Fugu.Coupling.theorem_1,
   @Fugu.Coupling.theorem_1_laplace,
   @Fugu.Coupling.theorem_1_scale,
   @Fugu.Coupling.theorem_1_pufferfish,
   @Fugu.Farthest.theorem_1_w_inf).
Print Assumptions section_3.

(* Section 4: Theorem 2, harmonic, and Theorem 1 with a delta *)
Definition section_4 :=
  (@Fugu.Harmonic.theorem_2,
   @Fugu.Harmonic.theorem_2_laplace,
   @Fugu.Harmonic.harmonic,
   @Fugu.Harmonic.harmonic_laplace,
   @Fugu.Harmonic.harmonic_never_asks_for_more,
   @Fugu.Atoms.theorem_2_cells,
   @Fugu.Atoms.harmonic_cells,
   @Fugu.Ladder.theorem_1_gives_theorem_2,
   @Fugu.Delta.theorem_1_with_delta).
Print Assumptions section_4.

(* Section 5: where the loss peaks, and that it falls with the scale *)
Definition section_5 :=
  (@Fugu.Windows.windows_suffice_signed,
   @Fugu.Windows.windows_suffice,
   @Fugu.Windows.interval_suffices,
   @Fugu.Windows.atoms_suffice,
   @Fugu.Laplace.laplace_atoms_suffice,
   @Fugu.Scale.more_noise_keeps_the_sign,
   @Fugu.Scale.loss_never_grows_with_the_scale,
   @Fugu.HockeyStick.hockey_stick_by_window,
   @Fugu.HockeyStick.window_proves_delta).
Print Assumptions section_5.

(* Section 7: what asymmetric noise does between windows *)
Definition section_7 :=
  (@Fugu.Counterexamples.even_tails_are_laplace,
   @Fugu.Counterexamples.uneven_tails_are_not_laplace).
Print Assumptions section_7.

(* Section 8: the mix *)
Definition section_8 :=
  (@Fugu.Mix.mix_is_private,
   @Fugu.Mix.mix_needs_it,
   @Fugu.Mix.closed_mix_is_a_law,
   @Fugu.Mix.closed_mix_is_private,
   @Fugu.Mix.mix_can_be_undone).
Print Assumptions section_8.

(* Section 9: closeness, boxes, bands *)
Definition section_9 :=
  (@Fugu.Closeness.closeness,
   @Fugu.Closeness.closeness_with_delta,
   @Fugu.Closeness.box_bounds,
   @Fugu.Closeness.boxes_are_private,
   @Fugu.Closeness.close_beliefs_are_in_boxes,
   @Fugu.Bands.band_bounds,
   @Fugu.Closeness.boxes_need_windows_only,
   @Fugu.Closeness.boxes_never_ask_for_more).
Print Assumptions section_9.

(* Section 10: several releases *)
Definition section_10 :=
  (@Fugu.Compose.costs_of_two_releases_multiply,
   @Fugu.Compose.kept_shares_multiply,
   @Fugu.Compose.theorem_1_composes,
   @Fugu.Together.chebyshev,
   @Fugu.Together.kept_rows_multiply,
   @Fugu.Together.others_count_by_their_range,
   @Fugu.Product.releases_grid_suffices,
   @Fugu.Delta.excesses_add_within_a_cell,
   @Fugu.Range.raw_loss_bounds_everything,
   @Fugu.Counterexamples.epsilons_do_not_add,
   @Fugu.Delta.two_releases_with_deltas).
Print Assumptions section_10.

(* Section 11: several columns *)
Definition section_11 :=
  (@Fugu.Product.product_grid_suffices_signed,
   @Fugu.Product.product_grid_suffices,
   @Fugu.Product.joint_laplace_atoms_suffice,
   @Fugu.Columns.joint_laplace_cost,
   @Fugu.Columns.theorem_1_columns,
   @Fugu.Scale.more_noise_on_every_column,
   @Fugu.Counterexamples.joint_values_do_not_suffice).
Print Assumptions section_11.

(* Section 12: users, and the rate of a table *)
Definition section_12 :=
  (@Fugu.Users.lemma_2,
   @Fugu.Users.lemma_2_absence_above,
   @Fugu.Users.lemma_2_absence_below,
   @Fugu.Users.lemma_2_laplace,
   @Fugu.Users.lemma_2_is_attained,
   @Fugu.Rate.others_keep_the_bound,
   @Fugu.Rate.changed_rows_lose_one_by_one,
   @Fugu.RateExact.mass_beyond_all_sums,
   @Fugu.RateExact.changed_rows_lose_exactly,
   @Fugu.Quilt.quilt_bound).
Print Assumptions section_12.

(* Section 13: the noise *)
Definition section_13 :=
  (@Fugu.Laplace.laplace_noise_adds_up_to_one,
   @Fugu.Laplace.laplace_adds_up_to_one,
   @Fugu.Laplace.laplace_partial_sums_tend_to_one,
   @Fugu.Laplace.laplace_cost,
   @Fugu.Laplace.laplace_cost_attained).
Print Assumptions section_13.

(* Section 16: rows that trade places *)
Definition section_16 :=
  (@Fugu.Invariance.trade_adds_up,
   @Fugu.Invariance.trade_output_mass,
   @Fugu.Invariance.circulation_keeps_frequencies,
   @Fugu.Invariance.circulation_keeps_every_table).
Print Assumptions section_16.

(* Section 17: the transfer bound; section 18: bags *)
Definition section_17 :=
  (@Fugu.Transfer.transfer_of_means,
   @Fugu.Transfer.transfer_bound,
   @Fugu.Transfer.transfer_bound_on_events,
   @Fugu.Transfer.transfer_is_private,
   @Fugu.Transfer.repaired_transfer,
   @Fugu.Transfer.transfer_by_independence,
   @Fugu.Transfer.no_smaller_bound_from_costs,
   @Fugu.Counterexamples.one_way_costs_overstate,
   @Fugu.Ladder.theorem_2_is_a_transfer,
   @Fugu.Ladder.harmonic_is_a_transfer,
   @Fugu.Line.line_recursion_decides,
   @Fugu.Line.neighbours_imply_all_others,
   @Fugu.Line.line_recursion,
   @Fugu.Line.line_recursion_boxes,
   @Fugu.Line.line_recursion_laplace,
   @Fugu.Bands.line_recursion_bands,
   @Fugu.Compose.costs_multiply_along_every_path,
   @Fugu.Compose.budget_bounds_every_path,
   @Fugu.Compose.influences_add,
   @Fugu.Compose.sharp_composes,
   @Fugu.Farkas.farkas,
   @Fugu.Duality.transfer_or_prices,
   @Fugu.Duality.transfer_bound_is_the_least,
   @Fugu.Duality.no_bound_from_costs_is_smaller).
Print Assumptions section_17.

(* Section 19: what a plan leaks on the whole *)
Definition section_19 :=
  (@Fugu.Leakage.mixture_of_both_ends,
   @Fugu.Leakage.sum_of_shares,
   @Fugu.Leakage.between_windows_tell_at_most,
   @Fugu.Leakage.between_windows_tell_at_least,
   @Fugu.Leakage.leakage_by_epsilon,
   @Fugu.Leakage.guess_by_epsilon).
Print Assumptions section_19.
