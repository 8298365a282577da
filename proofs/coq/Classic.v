(* Classic, Algorithm 2 of the paper, as a game, and Theorem C about it. A threshold is drawn, a label goes out where
   the noisy distance is above it, a silence or a forfeit ends the stretch and the next one draws anew.

   The outcomes of a stretch are the silences after each number of labels, so two close views have their outcomes in
   common up to the first query on which their winners differ. Pairing the threshold z of one side with z - 1 of the
   other bounds the ratio of the weights; what this leaves out is the lowest threshold, and a label at distance 0. *)
From Coq Require Import Reals Lra Lia Psatz ZArith List Bool.
From Fumata Require Import Statement Power Divergence Uniform Game Randomized.
Import ListNotations.
Local Open Scope R_scope.

(* Threshold noise: outcome first + j has probability threshold(j), 0 <= j <= top. Query noise: reach(t) is the
   probability of an outcome that is at most t or the lowest. `offset` is w + first. *)
Record noises := {
  threshold : nat -> R;
  top : nat;
  reach : Z -> R;
  offset : Z
}.

(* Over all outcomes of the threshold noise. *)
Definition total (z : noises) (g : nat -> R) : R := sum g (seq 0 (S (top z))).

(* The probability of silence at distance d when the threshold is w + first + j. *)
Definition quiet (z : noises) (d j : nat) : R := reach z (offset z + Z.of_nat j - Z.of_nat d).

(* Where a stretch ends: the transcript, and the moves that are left. *)
Definition ending := (transcript * nat)%type.

(* One stretch of at most n moves. g(j) is the weight of having got here with the j-th threshold. *)
Fixpoint stretch {query} (z : noises) (next : strategy query) (view : query -> verdict) (n : nat) (g : nat -> R)
  (seen : transcript) : law ending :=
  match n with
  | O => [((seen, O), total z g)]
  | S m =>
      match next seen with
      | Forfeit O _ => stretch z next view m g (Noted :: seen)
      | Forfeit (S _) _ => [((Noted :: seen, m), total z g)]
      | Meter q =>
          let v := view q in
          ((Silent :: seen, m), total z (fun j => g j * quiet z (distance v) j)) ::
          stretch z next view m (fun j => g j * (1 - quiet z (distance v) j)) (Label (winner v) :: seen)
      | _ => [((seen, O), total z g)]
      end
  end.

(* What is left to do when no stretch is: nothing that needs one. *)
Fixpoint finish {query} (next : strategy query) (n : nat) (seen : transcript) : transcript :=
  match n with
  | O => seen
  | S m => match next seen with Forfeit _ _ => finish next m (Noted :: seen) | _ => seen end
  end.

(* The law of the transcript with c stretches to go. *)
Fixpoint classic_game {query} (z : noises) (next : strategy query) (view : query -> verdict) (c n : nat)
  (seen : transcript) : law transcript :=
  match c with
  | O => [(finish next n seen, 1)]
  | S rest => bind (stretch z next view n (threshold z) seen)
                (fun e => classic_game z next view rest (snd e) (fst e))
  end.

Definition classic_law {query} (z : noises) (limit n : nat) (next : strategy query) (view : query -> verdict)
  : law transcript := classic_game z next view limit n [].

(* What Theorem C asks of the noise. *)
Record tame (z : noises) (x1 x2 : R) : Prop := {
  tame_x1 : 1 <= x1;
  tame_x2 : 1 <= x2;
  tame_threshold : forall j, 0 <= threshold z j;
  tame_total : total z (threshold z) = 1;
  tame_ratio : forall j, (j < top z)%nat -> threshold z (S j) <= x1 * threshold z j;
  tame_reach : forall t, 0 <= reach z t <= 1;
  tame_mono : forall t u, (t <= u)%Z -> reach z t <= reach z u;
  tame_reach_ratio : forall t, reach z t <= x2 * reach z (t - 2)
}.

(* P(Z2 - Z1 > w). *)
Definition miss (z : noises) : R := total z (fun j => threshold z j * (1 - quiet z 0 j)).

Definition delta_C (alpha : nat) (x : R) (limit : nat) (lowest miss epsilon : R) : R :=
  c_of alpha * response_moment (alpha - 1) x ^ limit * exp (- INR (alpha - 1) * epsilon) +
  INR limit * (lowest + miss).

Section Alignment.
  Variable query : Type.
  Variable z : noises.
  Variables x1 x2 x : R.
  Hypothesis H : tame z x1 x2.
  Hypothesis Hx : x1 * x2 <= x.
  Variable next : strategy query.

  Lemma x_at_least_1 : 1 <= x.
  Proof. pose proof (tame_x1 _ _ _ H). pose proof (tame_x2 _ _ _ H). nra. Qed.

  Lemma total_le : forall g g', (forall j, g j <= g' j) -> total z g <= total z g'.
  Proof. intros g g' Hg. apply sum_le. intros j _. apply Hg. Qed.

  Lemma total_nonneg : forall g, (forall j, 0 <= g j) -> 0 <= total z g.
  Proof.
    intros g Hg. apply Rle_trans with (total z (fun _ => 0)).
    - unfold total. rewrite sum_const. lra.
    - apply total_le. exact Hg.
  Qed.

  Lemma total_split : forall g f, total z g = total z (fun j => g j * f j) + total z (fun j => g j * (1 - f j)).
  Proof. intros g f. unfold total. rewrite <- sum_plus. apply sum_ext. intros j _. ring. Qed.

  Lemma quiet_bounds : forall d j, 0 <= quiet z d j <= 1.
  Proof. intros d j. apply (tame_reach _ _ _ H). Qed.

  (* The sum over thresholds, paired with the next lower threshold of the other side. *)
  Lemma shifted : forall (g g' : nat -> R) r, 0 <= r -> (forall j, 0 <= g' j) ->
    (forall j, (j < top z)%nat -> g (S j) <= r * g' j) -> total z g <= g O + r * total z g'.
  Proof.
    intros g g' r Hr Hg' Hs. unfold total.
    assert (E : sum g (seq 0 (S (top z))) = g O + sum (fun j => g (S j)) (seq 0 (top z))).
    { simpl. rewrite <- seq_shift, sum_map. reflexivity. }
    assert (E' : sum g' (seq 0 (S (top z))) = sum g' (seq 0 (top z)) + g' (top z)).
    { rewrite seq_S, sum_app. simpl. ring. }
    assert (L : sum (fun j => g (S j)) (seq 0 (top z)) <= r * sum g' (seq 0 (top z))).
    { rewrite <- sum_scale. apply sum_le. intros j Hj. apply in_seq in Hj. apply Hs. lia. }
    rewrite E, E'. specialize (Hg' (top z)). nra.
  Qed.

  (* Silence on one side is at most x2 times silence on the other, labels are labels. *)
  Lemma quiet_ratio : forall d d' j, (d <= d' + 1)%nat -> (d' <= d + 1)%nat -> quiet z d (S j) <= x2 * quiet z d' j.
  Proof.
    intros d d' j H1 H2. unfold quiet. eapply Rle_trans; [apply (tame_reach_ratio _ _ _ H)|].
    apply Rmult_le_compat_l; [pose proof (tame_x2 _ _ _ H); lra|]. apply (tame_mono _ _ _ H). lia.
  Qed.

  Lemma quiet_mono : forall d d' j, (d <= d' + 1)%nat -> quiet z d' j <= quiet z d (S j).
  Proof. intros d d' j H1. unfold quiet. apply (tame_mono _ _ _ H). lia. Qed.

  (* The outcomes that two views have in common, with both weights. *)
  Fixpoint shared (view view' : query -> verdict) (n : nat) (g g' : nat -> R) (seen : transcript)
    : list (common ending) :=
    match n with
    | O => [((seen, O), (total z g, total z g'))]
    | S m =>
        match next seen with
        | Forfeit O _ => shared view view' m g g' (Noted :: seen)
        | Forfeit (S _) _ => [((Noted :: seen, m), (total z g, total z g'))]
        | Meter q =>
            let v := view q in
            let v' := view' q in
            ((Silent :: seen, m),
             (total z (fun j => g j * quiet z (distance v) j), total z (fun j => g' j * quiet z (distance v') j))) ::
            (if (winner v =? winner v')%nat
             then shared view view' m (fun j => g j * (1 - quiet z (distance v) j))
                    (fun j => g' j * (1 - quiet z (distance v') j)) (Label (winner v) :: seen)
             else [])
        | _ => [((seen, O), (total z g, total z g'))]
        end
    end.

  Definition flip (e : common ending) : common ending := (fst e, (mass' e, mass e)).

  Lemma shared_flip : forall view view' n g g' seen,
    shared view' view n g' g seen = map flip (shared view view' n g g' seen).
  Proof.
    intros view view' n. induction n as [|n IH]; intros g g' seen; simpl; [reflexivity|].
    destruct (next seen) as [q|q|[|s] a|]; try reflexivity; [|apply IH]. simpl. f_equal.
    rewrite Nat.eqb_sym. destruct (winner (view q) =? winner (view' q))%nat eqn:E; [|reflexivity].
    apply Nat.eqb_eq in E. rewrite IH, E. reflexivity.
  Qed.

  Lemma masses_nonneg : forall view view' n g g' seen, (forall j, 0 <= g j) -> (forall j, 0 <= g' j) ->
    forall e, In e (shared view view' n g g' seen) -> 0 <= mass e /\ 0 <= mass' e.
  Proof.
    intros view view' n. induction n as [|n IH]; intros g g' seen Hg Hg' e He; simpl in He.
    { destruct He as [<-|[]]. split; apply total_nonneg; assumption. }
    destruct (next seen) as [q|q|[|s] a|].
    - destruct He as [<-|He].
      + split; apply total_nonneg; intros j; apply Rmult_le_pos; auto; apply quiet_bounds.
      + destruct (winner (view q) =? winner (view' q))%nat; [|destruct He].
        refine (IH _ _ _ _ _ e He); intros j; apply Rmult_le_pos; auto.
        * pose proof (quiet_bounds (distance (view q)) j). lra.
        * pose proof (quiet_bounds (distance (view' q)) j). lra.
    - destruct He as [<-|[]]. split; apply total_nonneg; assumption.
    - exact (IH _ _ _ Hg Hg' e He).
    - destruct He as [<-|[]]. split; apply total_nonneg; assumption.
    - destruct He as [<-|[]]. split; apply total_nonneg; assumption.
  Qed.

  (* What is common weighs no more than everything, and everything wins at most as if the rest always won. *)
  Lemma shared_upper : forall view view' (f : ending -> R) n g g' seen, (forall j, 0 <= g j) ->
    (forall e, 0 <= f e <= 1) ->
    sum mass (shared view view' n g g' seen) <= total z g /\
    sum (fun e => snd e * f (fst e)) (stretch z next view n g seen) <=
    sum (fun e => mass e * f (fst e)) (shared view view' n g g' seen) +
    (total z g - sum mass (shared view view' n g g' seen)).
  Proof.
    intros view view' f n. induction n as [|n IH]; intros g g' seen Hg Hf; simpl; unfold mass; simpl; [lra|].
    destruct (next seen) as [q|q|[|s] a|]; simpl; [|lra|exact (IH g g' (Noted :: seen) Hg Hf)|lra|lra].
    set (s := quiet z (distance (view q))).
    assert (Hq : forall j, 0 <= g j * (1 - s j)).
    { intros j. apply Rmult_le_pos; [auto|]. pose proof (quiet_bounds (distance (view q)) j). unfold s. lra. }
    pose proof (total_split g s) as T.
    destruct (winner (view q) =? winner (view' q))%nat.
    - destruct (IH (fun j => g j * (1 - s j)) (fun j => g' j * (1 - quiet z (distance (view' q)) j))
        (Label (winner (view q)) :: seen) Hq Hf) as [I1 I2].
      unfold mass in I1, I2. unfold s in *. lra.
    - assert (U : forall m h path, (forall j, 0 <= h j) ->
        sum (fun e => snd e * f (fst e)) (stretch z next view m h path) <= total z h).
      { clear - Hf H. induction m as [|m IHm]; intros h path Hh; simpl.
        - pose proof (total_nonneg h Hh). specialize (Hf (path, O)). nra.
        - destruct (next path) as [q'|q'|[|s'] a'|]; simpl;
            [|pose proof (total_nonneg h Hh); specialize (Hf (path, O)); nra|apply IHm; exact Hh| |].
          + assert (Hh' : forall j, 0 <= h j * (1 - quiet z (distance (view q')) j)).
            { intros j. apply Rmult_le_pos; [auto|]. pose proof (quiet_bounds (distance (view q')) j). lra. }
            specialize (IHm _ (Label (winner (view q')) :: path) Hh').
            rewrite (total_split h (quiet z (distance (view q')))).
            assert (0 <= total z (fun j => h j * quiet z (distance (view q')) j)).
            { apply total_nonneg. intros j. apply Rmult_le_pos; [auto|]. apply quiet_bounds. }
            specialize (Hf (Silent :: path, m)). nra.
          + pose proof (total_nonneg h Hh). specialize (Hf (Noted :: path, m)). nra.
          + pose proof (total_nonneg h Hh). specialize (Hf (path, O)). nra. }
      specialize (U n _ (Label (winner (view q)) :: seen) Hq).
      pose proof (total_nonneg _ Hq). unfold s in *. simpl. lra.
  Qed.

  Lemma shared_lower : forall view view' (f : ending -> R) n g g' seen, (forall j, 0 <= g' j) -> (forall e, 0 <= f e) ->
    sum (fun e => mass' e * f (fst e)) (shared view view' n g g' seen) <=
    sum (fun e => snd e * f (fst e)) (stretch z next view' n g' seen).
  Proof.
    intros view view' f n. induction n as [|n IH]; intros g g' seen Hg Hf; simpl; unfold mass'; simpl; [lra|].
    destruct (next seen) as [q|q|[|s] a|]; simpl; [|lra|exact (IH g g' (Noted :: seen) Hg Hf)|lra|lra].
    assert (Hq : forall j, 0 <= g' j * (1 - quiet z (distance (view' q)) j)).
    { intros j. apply Rmult_le_pos; [auto|]. pose proof (quiet_bounds (distance (view' q)) j). lra. }
    destruct (winner (view q) =? winner (view' q))%nat eqn:E.
    - apply Nat.eqb_eq in E. rewrite E.
      specialize (IH (fun j => g j * (1 - quiet z (distance (view q)) j)) _ (Label (winner (view' q)) :: seen) Hq Hf).
      unfold mass' in IH. lra.
    - simpl.
      assert (U : forall m h path, (forall j, 0 <= h j) ->
        0 <= sum (fun e => snd e * f (fst e)) (stretch z next view' m h path)).
      { clear - Hf H. induction m as [|m IHm]; intros h path Hh; simpl.
        - pose proof (total_nonneg h Hh). specialize (Hf (path, O)). nra.
        - destruct (next path) as [q'|q'|[|s'] a'|]; simpl;
            [|pose proof (total_nonneg h Hh); specialize (Hf (path, O)); nra|apply IHm; exact Hh| |].
          + assert (Hh' : forall j, 0 <= h j * (1 - quiet z (distance (view' q')) j)).
            { intros j. apply Rmult_le_pos; [auto|]. pose proof (quiet_bounds (distance (view' q')) j). lra. }
            specialize (IHm _ (Label (winner (view' q')) :: path) Hh').
            assert (0 <= total z (fun j => h j * quiet z (distance (view' q')) j)).
            { apply total_nonneg. intros j. apply Rmult_le_pos; [auto|]. apply quiet_bounds. }
            specialize (Hf (Silent :: path, m)). nra.
          + pose proof (total_nonneg h Hh). specialize (Hf (Noted :: path, m)). nra.
          + pose proof (total_nonneg h Hh). specialize (Hf (path, O)). nra. }
      specialize (U n _ (Label (winner (view' q)) :: seen) Hq). lra.
  Qed.

  (* One outcome sticks out of the factor x by no more than the part with the lowest threshold. *)
  Lemma sticks_out : forall (a b : nat -> R), (forall j, 0 <= a j) -> (forall j, 0 <= b j) ->
    (forall j, (j < top z)%nat -> a (S j) <= x * b j) ->
    total z a - Rmin (total z a) (x * total z b) <= a O.
  Proof.
    intros a b Ha Hb Hs. pose proof x_at_least_1.
    pose proof (shifted a b x ltac:(lra) Hb Hs). specialize (Ha O).
    unfold Rmin. destruct (Rle_dec (total z a) (x * total z b)); lra.
  Qed.

  Lemma loss : forall view view', close view view' -> forall n g g' seen,
    (forall j, 0 <= g j <= threshold z j) -> (forall j, 0 <= g' j) ->
    (forall j, (j < top z)%nat -> g (S j) <= x1 * g' j) ->
    total z g - sum (fun e => Rmin (mass e) (x * mass' e)) (shared view view' n g g' seen) <= g O + miss z.
  Proof.
    intros view view' Hclose n.
    assert (Hmiss : 0 <= miss z).
    { apply total_nonneg. intros j. apply Rmult_le_pos; [apply (tame_threshold _ _ _ H)|].
      pose proof (quiet_bounds 0 j). lra. }
    pose proof (tame_x1 _ _ _ H) as Hx1. pose proof (tame_x2 _ _ _ H) as Hx2.
    assert (Hx1x : x1 <= x) by nra.
    assert (End : forall g g', (forall j, 0 <= g j <= threshold z j) -> (forall j, 0 <= g' j) ->
      (forall j, (j < top z)%nat -> g (S j) <= x1 * g' j) ->
      total z g - (Rmin (total z g) (x * total z g') + 0) <= g O + miss z).
    { intros g g' Hg Hg' Hs. assert (total z g - Rmin (total z g) (x * total z g') <= g O); [|lra].
      apply sticks_out; [intros; apply Hg|exact Hg'|]. intros j Hj. specialize (Hs j Hj). specialize (Hg' j). nra. }
    induction n as [|n IH]; intros g g' seen Hg Hg' Hs; [apply End; assumption|].
    simpl. destruct (next seen) as [q|q|[|s0] a|]; simpl; unfold mass, mass'; simpl;
      [|apply End; assumption|apply IH; assumption|apply End; assumption|apply End; assumption].
    - set (s := quiet z (distance (view q))). set (s' := quiet z (distance (view' q))).
      destruct (Hclose q) as [C1 [C2 C3]].
      assert (Bs : forall j, 0 <= s j <= 1) by (intros; apply quiet_bounds).
      assert (Bs' : forall j, 0 <= s' j <= 1) by (intros; apply quiet_bounds).
      assert (First : total z (fun j => g j * s j) -
        Rmin (total z (fun j => g j * s j)) (x * total z (fun j => g' j * s' j)) <= g O * s O).
      { apply (sticks_out (fun j => g j * s j) (fun j => g' j * s' j)).
        - intros j. apply Rmult_le_pos; [apply Hg|apply Bs].
        - intros j. apply Rmult_le_pos; [apply Hg'|apply Bs'].
        - intros j Hj. pose proof (quiet_ratio (distance (view q)) (distance (view' q)) j C1 C2) as Hr.
          fold s s' in Hr. specialize (Hs j Hj). specialize (Hg' j). specialize (Bs (S j)).
          pose proof (Bs' j) as B'.
          apply Rle_trans with (x1 * g' j * (x2 * s' j)).
          + apply Rmult_le_compat; try lra. apply Hg.
          + replace (x1 * g' j * (x2 * s' j)) with (x1 * x2 * (g' j * s' j)) by ring.
            apply Rmult_le_compat_r; [apply Rmult_le_pos; lra|exact Hx]. }
      pose proof (total_split g s) as T. pose proof (Hg O) as Hg0. pose proof (Bs O) as Bs0.
      destruct (winner (view q) =? winner (view' q))%nat eqn:E.
      + assert (R : total z (fun j => g j * (1 - s j)) - sum (fun e => Rmin (mass e) (x * mass' e))
          (shared view view' n (fun j => g j * (1 - s j)) (fun j => g' j * (1 - s' j)) (Label (winner (view q)) ::
            seen))
          <= g O * (1 - s O) + miss z).
        { apply IH.
          - intros j. specialize (Hg j). specialize (Bs j). split; nra.
          - intros j. apply Rmult_le_pos; [apply Hg'|]. specialize (Bs' j). lra.
          - intros j Hj. pose proof (quiet_mono (distance (view q)) (distance (view' q)) j C1) as Hm.
            fold s s' in Hm. specialize (Hs j Hj). specialize (Bs (S j)). pose proof (Hg (S j)).
            replace (x1 * (g' j * (1 - s' j))) with (x1 * g' j * (1 - s' j)) by ring.
            apply Rmult_le_compat; lra. }
        unfold mass, mass' in R. unfold s in *. nra.
      + apply Nat.eqb_neq in E. destruct (C3 E) as [D0 _].
        assert (B : total z (fun j => g j * (1 - s j)) <= miss z).
        { unfold miss. apply total_le. intros j. unfold s. rewrite D0.
          apply Rmult_le_compat_r; [pose proof (quiet_bounds 0 j); lra|apply Hg]. }
        simpl. nra.
  Qed.

  (* The outcome is at least never negative and at most 1. *)
  Lemma stretch_is_law : forall view n g seen, (forall j, 0 <= g j) ->
    nonnegative (stretch z next view n g seen) /\ Pr (stretch z next view n g seen) everything = total z g.
  Proof.
    intros view n. induction n as [|n IH]; intros g seen Hg; simpl.
    { split; [constructor; [apply total_nonneg; exact Hg|constructor]|].  ring. }
    destruct (next seen) as [q|q|[|s0] a|]; [| |apply IH; exact Hg| |].
    - set (s := quiet z (distance (view q))).
      destruct (IH (fun j => g j * (1 - s j)) (Label (winner (view q)) :: seen)) as [I1 I2].
      { intros j. apply Rmult_le_pos; [auto|]. pose proof (quiet_bounds (distance (view q)) j). unfold s. lra. }
      split.
      + constructor; [|exact I1]. apply total_nonneg. intros j. apply Rmult_le_pos; [auto|]. apply quiet_bounds.
      + simpl. rewrite I2, (total_split g s). reflexivity.
    - split; [constructor; [apply total_nonneg; exact Hg|constructor]|]. simpl.  ring.
    - split; [constructor; [apply total_nonneg; exact Hg|constructor]|]. simpl.  ring.
    - split; [constructor; [apply total_nonneg; exact Hg|constructor]|]. simpl.  ring.
  Qed.

  Lemma classic_is_law : forall view c n seen, is_law (classic_game z next view c n seen).
  Proof.
    intros view c. induction c as [|c IH]; intros n seen.
    { split; [repeat constructor; simpl; lra|]. simpl.  lra. }
    destruct (stretch_is_law view n (threshold z) seen (tame_threshold _ _ _ H)) as [N T]. split.
    - simpl. apply nonnegative_bind; [exact N|]. intros e. apply IH.
    - simpl. rewrite Pr_bind. rewrite (tame_total _ _ _ H) in T. rewrite <- T.
      generalize (stretch z next view n (threshold z) seen). intros mu.
      induction mu as [|[e w] mu IHmu]; simpl; [reflexivity|].
      rewrite IHmu. destruct (IH (snd e) (fst e)) as [_ I1]. rewrite I1.  ring.
  Qed.

  Variable alpha : nat.
  Variable epsilon : R.
  Hypothesis Halpha : (2 <= alpha)%nat.
  Variables view view' : query -> verdict.
  Hypothesis Hclose : close view view'.
  Variable S : transcript -> bool.

  Let K := c_of alpha * exp (- INR (alpha - 1) * epsilon).
  Let delta1 := threshold z O + miss z.
  Let M := response_moment (alpha - 1) x.

  Lemma classic_induction : forall c n seen (P Q : R), 0 <= P -> 0 < Q ->
    P * Pr (classic_game z next view c n seen) S - exp epsilon * Q * Pr (classic_game z next view' c n seen) S <=
    K * M ^ c * moment (alpha - 1) P Q + P * (INR c * delta1).
  Proof.
    pose proof (c_of_pos alpha Halpha) as Hc. pose proof (exp_pos (- INR (alpha - 1) * epsilon)) as He.
    assert (HK : 0 <= K) by (unfold K; apply Rmult_le_pos; lra).
    assert (HM : 1 <= M) by (apply response_moment_ge_1; apply x_at_least_1).
    assert (Hmiss : 0 <= miss z).
    { apply total_nonneg. intros j. apply Rmult_le_pos; [apply (tame_threshold _ _ _ H)|].
      pose proof (quiet_bounds 0 j). lra. }
    assert (Hd1 : 0 <= delta1) by (unfold delta1; pose proof (tame_threshold _ _ _ H O); lra).
    induction c as [|c IH]; intros n seen P Q HP HQ.
    { simpl. pose proof (hockey_stick_step alpha epsilon P Q Halpha HP HQ) as Hh. fold K in Hh.
      pose proof (Rmax_l 0 (P - exp epsilon * Q)). pose proof (Rmax_r 0 (P - exp epsilon * Q)).
      destruct (S (finish next n seen)); lra. }
    simpl classic_game. rewrite !Pr_bind.
    set (X := fun e : ending => Pr (classic_game z next view c (snd e) (fst e)) S).
    set (X' := fun e : ending => Pr (classic_game z next view' c (snd e) (fst e)) S).
    set (l := shared view view' n (threshold z) (threshold z) seen).
    pose proof (tame_threshold _ _ _ H) as Ht. pose proof (tame_total _ _ _ H) as H1.
    assert (HX : forall e, 0 <= X e <= 1).
    { intros e. assert (L := classic_is_law view c (snd e) (fst e)). split.
      - apply Pr_nonnegative. apply L.
      - apply Pr_at_most_1. exact L. }
    assert (HX' : forall e, 0 <= X' e).
    { intros e. assert (L := classic_is_law view' c (snd e) (fst e)). apply Pr_nonnegative. apply L. }
    destruct (shared_upper view view' X n (threshold z) (threshold z) seen Ht HX) as [U1 U2].
    pose proof (shared_lower view view' X' n (threshold z) (threshold z) seen Ht HX') as Lo.
    fold l in U1, U2, Lo. rewrite H1 in U1, U2.
    assert (Fl : shared view' view n (threshold z) (threshold z) seen = map flip l) by apply shared_flip.
    destruct (shared_upper view' view (fun _ => 1) n (threshold z) (threshold z) seen Ht ltac:(intros; lra)) as [V1 _].
    rewrite Fl, sum_map, H1 in V1. unfold mass, flip in V1. simpl in V1.
    change (sum (fun e : common ending => mass' e) l <= 1) in V1.
    assert (L1 : 1 - sum (fun e => Rmin (mass e) (x * mass' e)) l <= delta1).
    { rewrite <- H1. unfold l. apply loss; [exact Hclose|intros j; specialize (Ht j); lra|exact Ht|].
      apply (tame_ratio _ _ _ H). }
    assert (L2 : 1 - sum (fun e => Rmin (mass' e) (x * mass e)) l <= delta1).
    { pose proof (loss view' view (close_sym _ _ _ Hclose) n (threshold z) (threshold z) seen
        ltac:(intros j; specialize (Ht j); lra) Ht (tame_ratio _ _ _ H)) as L.
      rewrite Fl, sum_map, H1 in L. exact L. }
    pose proof (composition_step ending l X X' (alpha - 1) x delta1 P Q (exp epsilon) (K * M ^ c) (INR c * delta1)
      x_at_least_1 HP HQ ltac:(pose proof (exp_pos epsilon); lra)
      ltac:(apply Rmult_le_pos; [exact HK|apply pow_nonneg; lra])
      ltac:(apply Rmult_le_pos; [apply pos_INR|exact Hd1])
      (masses_nonneg view view' n (threshold z) (threshold z) seen Ht Ht) HX HX' U1 V1 L1 L2
      (fun o P Q HP HQ => IH (snd o) (fst o) P Q HP HQ)) as Step.
    rewrite S_INR. simpl pow. fold M in Step.
    change (sum (fun e => snd e * Pr (classic_game z next view c (snd (fst e)) (fst (fst e))) S)
      (stretch z next view n (threshold z) seen))
      with (sum (fun e => snd e * X (fst e)) (stretch z next view n (threshold z) seen)).
    change (sum (fun e => snd e * Pr (classic_game z next view' c (snd (fst e)) (fst (fst e))) S)
      (stretch z next view' n (threshold z) seen))
      with (sum (fun e => snd e * X' (fst e)) (stretch z next view' n (threshold z) seen)).
    assert (B1 : P * sum (fun e => snd e * X (fst e)) (stretch z next view n (threshold z) seen) <=
      P * (sum (fun e => mass e * X (fst e)) l + (1 - sum mass l))) by (apply Rmult_le_compat_l; assumption).
    assert (B2 : exp epsilon * Q * sum (fun e => mass' e * X' (fst e)) l <=
      exp epsilon * Q * sum (fun e => snd e * X' (fst e)) (stretch z next view' n (threshold z) seen)).
    { apply Rmult_le_compat_l; [|exact Lo]. apply Rmult_le_pos; [pose proof (exp_pos epsilon); lra|lra]. }
    nra.
  Qed.
End Alignment.

Theorem theorem_C : forall query (z : noises) x1 x2 x alpha limit epsilon,
  tame z x1 x2 -> x1 * x2 <= x -> (2 <= alpha)%nat ->
  forall (next : strategy query) (view view' : query -> verdict) (n : nat), close view view' ->
  within epsilon (delta_C alpha x limit (threshold z O) (miss z) epsilon)
    (classic_law z limit n next view) (classic_law z limit n next view').
Proof.
  intros query z x1 x2 x alpha limit epsilon H Hx Ha next view view' n Hclose S.
  pose proof (classic_induction query z x1 x2 x H Hx next alpha epsilon Ha view view' Hclose S limit n [] 1 1
    ltac:(lra) ltac:(lra)) as I.
  rewrite moment_same in I by lra. unfold classic_law, delta_C. lra.
Qed.
