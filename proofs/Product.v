(* Several columns at once, or several releases of one: the outputs on the product grid suffice. docs/math.md, sections 11
   and 10.

   A joint value is a list, one number for each column; each column has noise of its own, with geometric tails beyond its
   reach. *)
From Coq Require Import Reals ZArith List Lra Lia.
Require Import Fugu.Private Fugu.Sums Fugu.Windows Fugu.Laplace.
Import ListNotations.
Open Scope R_scope.

Fixpoint adding_each (noises : list (Z -> R)) (x y : list Z) : R :=
  match noises, x, y with
  | noise :: noises', a :: x', b :: y' => noise (b - a)%Z * adding_each noises' x' y'
  | [], [], [] => 1
  | _, _, _ => 0
  end.

(* A column: its noise, how far its weights reach, the ratio of its tails. *)
Record column := Column { column_reach : Z; column_ratio : R; column_noise : Z -> R }.

Definition proper_column (c : column) : Prop := geometric_tails (column_reach c) (column_ratio c) (column_noise c).

Definition noises_of (columns : list column) : list (Z -> R) := map column_noise columns.

(* Each number of the output is within reach of that number of some joint value. The values may be different ones. *)
Fixpoint on_grid (columns : list column) (values : list (list Z)) (y : list Z) : Prop :=
  match columns, y with
  | c :: columns', b :: y' =>
      (exists a, In a (map (hd 0%Z) values) /\ (Z.abs (b - a) <= column_reach c)%Z)
      /\ on_grid columns' (map (@tl Z) values) y'
  | [], [] => True
  | _, _ => False
  end.

Lemma output_mass_first_column : forall noise noises (d : law (list Z)) b y,
  Forall (fun atom => fst atom <> []) d ->
  output_mass (adding_each (noise :: noises)) d (b :: y)
  = output_mass (adding_each noises) (map (fun atom => (tl (fst atom), snd atom * noise (b - hd 0%Z (fst atom))%Z)) d) y.
Proof.
  intros noise noises d b y Hd. unfold output_mass. rewrite sum_over_map. apply sum_over_ext. intros [x m] Hin.
  rewrite Forall_forall in Hd. specialize (Hd _ Hin). simpl in Hd. destruct x as [| a x]; [contradiction |]. simpl. ring.
Qed.

Lemma output_mass_other_columns : forall noise noises (d : law (list Z)) b y,
  Forall (fun atom => fst atom <> []) d ->
  output_mass (adding_each (noise :: noises)) d (b :: y)
  = output_mass (adding noise)
      (map (fun atom => (hd 0%Z (fst atom), snd atom * adding_each noises (tl (fst atom)) y)) d) b.
Proof.
  intros noise noises d b y Hd. unfold output_mass. rewrite sum_over_map. apply sum_over_ext. intros [x m] Hin.
  rewrite Forall_forall in Hd. specialize (Hd _ Hin). simpl in Hd. destruct x as [| a x]; [contradiction |].
  simpl. unfold adding. ring.
Qed.

(* Section 11 for masses of either sign: column by column, each output moves into a window. *)
Theorem product_grid_suffices_signed : forall (columns : list column) (d : law (list Z)),
  Forall proper_column columns -> Forall (fun atom => length (fst atom) = length columns) d ->
  (forall y, on_grid columns (map fst d) y -> 0 <= output_mass (adding_each (noises_of columns)) d y) ->
  forall y, length y = length columns -> 0 <= output_mass (adding_each (noises_of columns)) d y.
Proof.
  induction columns as [| c columns IH]; intros d Hcolumns Hd Hgrid y Hy.
  - destruct y; [| discriminate]. apply Hgrid. exact I.
  - destruct y as [| b y]; [discriminate |]. simpl in Hy. injection Hy as Hy.
    apply Forall_inv in Hcolumns as Hc. apply Forall_inv_tail in Hcolumns.
    assert (Hne : Forall (fun atom : list Z * R => fst atom <> []) d).
    { eapply Forall_impl; [| exact Hd]. intros [x m] Hlen Hnil. simpl in *. subst. discriminate. }
    assert (Hrest : forall b', (exists a, In a (map (hd 0%Z) (map fst d)) /\ (Z.abs (b' - a) <= column_reach c)%Z) ->
              0 <= output_mass (adding_each (noises_of (c :: columns))) d (b' :: y)).
    { intros b' Hb'. unfold noises_of. simpl map. rewrite output_mass_first_column by exact Hne.
      apply IH; [exact Hcolumns | | | exact Hy].
      - rewrite Forall_map. eapply Forall_impl; [| exact Hd]. intros [x m] Hlen. simpl in *.
        destruct x; [discriminate |]. simpl in *. lia.
      - intros y' Hy'. rewrite map_map in Hy'. simpl in Hy'.
        rewrite <- output_mass_first_column by exact Hne. apply Hgrid. split; [exact Hb' |].
        rewrite map_map. exact Hy'. }
    unfold noises_of in *. simpl map in *. rewrite output_mass_other_columns by exact Hne.
    apply (windows_suffice_signed (column_reach c) (column_ratio c) (column_noise c) Hc). intros a b' Ha Hb'.
    rewrite <- output_mass_other_columns by exact Hne. apply Hrest. exists a. split; [| exact Hb'].
    rewrite map_map in *. exact Ha.
Qed.

(* Section 11: a ratio that is kept on the product grid is kept at every joint output. *)
Theorem product_grid_suffices : forall (columns : list column) (c : R) (p q : law (list Z)),
  Forall proper_column columns -> Forall (fun atom => length (fst atom) = length columns) (p ++ q) ->
  (forall y, on_grid columns (map fst (p ++ q)) y ->
     output_mass (adding_each (noises_of columns)) p y <= c * output_mass (adding_each (noises_of columns)) q y) ->
  forall y, length y = length columns ->
    output_mass (adding_each (noises_of columns)) p y <= c * output_mass (adding_each (noises_of columns)) q y.
Proof.
  intros columns c p q Hcolumns Hlength Hgrid y Hy.
  assert (Hvalues : map fst (scaled (-1) p ++ scaled c q) = map fst (p ++ q)).
  { unfold scaled. rewrite !map_app, !map_map. reflexivity. }
  assert (Hmass : forall z, output_mass (adding_each (noises_of columns)) (scaled (-1) p ++ scaled c q) z
                            = c * output_mass (adding_each (noises_of columns)) q z
                              - output_mass (adding_each (noises_of columns)) p z).
  { intros z. rewrite output_mass_app, !output_mass_scaled. ring. }
  enough (0 <= output_mass (adding_each (noises_of columns)) (scaled (-1) p ++ scaled c q) y)
    by (rewrite Hmass in *; lra).
  apply product_grid_suffices_signed; try assumption.
  - apply Forall_app in Hlength as [Hp Hq]. apply Forall_app.
    split; unfold scaled; rewrite Forall_map; assumption.
  - intros z Hz. rewrite Hvalues in Hz. rewrite Hmass. specialize (Hgrid z Hz). lra.
Qed.

(* Joint Laplace noise: the grid of the columns' own atoms. *)
Definition laplace_column (r : R) : column := Column 0 r (laplace_noise r).

Definition joint_laplace (ratios : list R) : kernel (list Z) (list Z) := adding_each (map laplace_noise ratios).

Fixpoint in_atoms (values : list (list Z)) (y : list Z) : Prop :=
  match y with
  | [] => True
  | b :: y' => In b (map (hd 0%Z) values) /\ in_atoms (map (@tl Z) values) y'
  end.

Lemma on_grid_atoms : forall (ratios : list R) (values : list (list Z)) (y : list Z),
  on_grid (map laplace_column ratios) values y -> length y = length ratios /\ in_atoms values y.
Proof.
  induction ratios as [| r ratios IH]; intros values [| b y] H; simpl in H; try contradiction; [split; reflexivity |].
  destruct H as [[a [Ha Hab]] H]. replace b with a by (simpl in Hab; lia). apply IH in H as [Hlen H].
  simpl. split; [rewrite Hlen; reflexivity | split; assumption].
Qed.

Theorem joint_laplace_atoms_suffice : forall (ratios : list R) (c : R) (p q : law (list Z)),
  Forall (fun r => 0 <= r < 1) ratios -> Forall (fun atom => length (fst atom) = length ratios) (p ++ q) ->
  (forall y, length y = length ratios -> in_atoms (map fst (p ++ q)) y ->
     output_mass (joint_laplace ratios) p y <= c * output_mass (joint_laplace ratios) q y) ->
  forall y, length y = length ratios ->
    output_mass (joint_laplace ratios) p y <= c * output_mass (joint_laplace ratios) q y.
Proof.
  intros ratios c p q Hratios Hlength Hatoms.
  replace (joint_laplace ratios) with (adding_each (noises_of (map laplace_column ratios))) in *
    by (unfold joint_laplace, noises_of; rewrite map_map; reflexivity).
  rewrite <- (map_length laplace_column ratios) in *.
  apply product_grid_suffices; try assumption.
  - rewrite Forall_map. eapply Forall_impl; [| exact Hratios]. intros r Hr. apply laplace_tails, Hr.
  - intros y Hy. apply on_grid_atoms in Hy as [Hlen Hy]. apply Hatoms; [rewrite map_length; exact Hlen | exact Hy].
Qed.

(* Section 10, the exact joint loss: several releases of one value are columns that all hold it. *)
Definition repeated (k : nat) (p : law Z) : law (list Z) := map (fun atom => (repeat (fst atom) k, snd atom)) p.

Theorem releases_grid_suffices : forall (columns : list column) (c : R) (p q : law Z),
  Forall proper_column columns ->
  let k := length columns in
  (forall y, on_grid columns (map fst (repeated k p ++ repeated k q)) y ->
     output_mass (adding_each (noises_of columns)) (repeated k p) y
     <= c * output_mass (adding_each (noises_of columns)) (repeated k q) y) ->
  forall y, length y = k ->
    output_mass (adding_each (noises_of columns)) (repeated k p) y
    <= c * output_mass (adding_each (noises_of columns)) (repeated k q) y.
Proof.
  intros columns c p q Hcolumns k Hgrid. apply product_grid_suffices; try assumption.
  unfold repeated. rewrite <- map_app, Forall_map, Forall_forall. intros atom _. apply repeat_length.
Qed.
