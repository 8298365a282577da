(* Classic as a deterministic function of uniform 64-bit words: one word for each threshold, one for each move. The
   number of words behind every outcome is read off the noise tables, so this transcript has the law of Classic.v. *)
From Coq Require Import Reals Lra Lia Psatz ZArith List Bool.
From Fumata Require Import SpecBase SpecNoise SpecPlan Statement Divergence Uniform Game Coins Classic Noise
  CertificateTotal CertificateClassic.
Import ListNotations.

Section Play.
  Variables coin query : Type.
  Variable pick : coin -> nat.                    (* the threshold that a coin draws *)
  Variable is_quiet : nat -> nat -> coin -> bool. (* silence: threshold, distance, coin *)
  Variable next : strategy query.
  Variable view : query -> verdict.

  (* `ts` are the coins of the thresholds, the current one first; a move uses up one of the coins `us`. *)
  Fixpoint play_classic (ts us : list coin) (seen : transcript) {struct us} : transcript :=
    match us with
    | [] => seen
    | u :: others =>
        match next seen, ts with
        | Forfeit s _, _ => play_classic (match s with O => ts | S _ => tl ts end) others (Noted :: seen)
        | Meter q, t :: rest =>
            if is_quiet (pick t) (distance (view q)) u
            then play_classic rest others (Silent :: seen)
            else play_classic ts others (Label (winner (view q)) :: seen)
        | _, _ => seen
        end
    end.
End Play.
Arguments play_classic {coin query}.

Local Open Scope R_scope.

(* The mean over all tuples of coins. *)
Definition mean {A} (coins : list A) (c : nat) (h : list A -> R) : R :=
  / INR (length (tuples coins c)) * sum h (tuples coins c).

Lemma mean_ext : forall A (coins : list A) c h h', (forall ts, h ts = h' ts) -> mean coins c h = mean coins c h'.
Proof. intros A coins c h h' E. unfold mean. f_equal. apply sum_ext. intros ts _. apply E. Qed.

Lemma mean_const : forall A (coins : list A) c r, coins <> [] -> mean coins c (fun _ => r) = r.
Proof.
  intros A coins c r H. unfold mean. rewrite sum_const.
  assert (0 < INR (length (tuples coins c))) by (apply lt_0_INR, tuples_nonempty; exact H). field. lra.
Qed.

Lemma mean_linear : forall A (coins : list A) c a b h h',
  mean coins c (fun ts => a * h ts + b * h' ts) = a * mean coins c h + b * mean coins c h'.
Proof. intros. unfold mean. rewrite sum_plus, !sum_scale. ring. Qed.

Lemma mean_step : forall A (coins : list A) c h, coins <> [] ->
  mean coins (S c) h = / INR (length coins) * sum (fun t => mean coins c (fun rest => h (t :: rest))) coins.
Proof.
  intros A coins c h H. unfold mean. rewrite length_tuples, mult_INR. simpl tuples. rewrite sum_flat_map.
  assert (0 < INR (length coins)) by (apply lt_0_INR; destruct coins; [contradiction|simpl; lia]).
  assert (0 < INR (length (tuples coins c))) by (apply lt_0_INR, tuples_nonempty; exact H).
  rewrite sum_scale. rewrite (sum_ext _ _ (fun t => sum (fun rest => h (t :: rest)) (tuples coins c))).
  - field. lra.
  - intros t _. rewrite sum_map. reflexivity.
Qed.

Lemma sum_one : forall (h : nat -> R) k m a, (a <= k < a + m)%nat ->
  sum (fun j => if (k =? j)%nat then h j else 0) (seq a m) = h k.
Proof.
  intros h k m. induction m as [|m IH]; intros a Hk; [lia|]. simpl.
  destruct (Nat.eqb_spec k a) as [E|E].
  - subst a. rewrite (sum_ext _ _ (fun _ => 0)).
    + rewrite sum_const. ring.
    + intros j Hj. apply in_seq in Hj. destruct (Nat.eqb_spec k j); [lia|reflexivity].
  - rewrite IH by lia. ring.
Qed.

(* Summing over coins is summing over outcomes, each as often as coins draw it. *)
Lemma sum_by_outcome : forall A (pick : A -> nat) (h : nat -> R) m l, (forall t, In t l -> (pick t < m)%nat) ->
  sum (fun t => h (pick t)) l = sum (fun j => INR (length (filter (fun t => (pick t =? j)%nat) l)) * h j) (seq 0 m).
Proof.
  intros A pick h m. induction l as [|t l IH]; intros H.
  - simpl. rewrite (sum_ext _ _ (fun _ => 0)) by (intros; simpl; ring). rewrite sum_const. ring.
  - simpl sum at 1. rewrite IH by (intros; apply H; right; assumption).
    rewrite <- (sum_one h (pick t) m 0) at 1 by (specialize (H t (or_introl eq_refl)); lia).
    rewrite <- sum_plus. apply sum_ext. intros j _. simpl filter.
    destruct (pick t =? j)%nat; simpl length; rewrite ?S_INR; ring.
Qed.

Section Law.
  Variables coin query : Type.
  Variable coins : list coin.
  Hypothesis nonempty : coins <> [].
  Variable z : noises.
  Variable pick : coin -> nat.
  Variable is_quiet : nat -> nat -> coin -> bool.
  Hypothesis pick_top : forall t, In t coins -> (pick t <= top z)%nat.
  Hypothesis pick_share : forall j, (j <= top z)%nat ->
    threshold z j = INR (length (filter (fun t => (pick t =? j)%nat) coins)) / INR (length coins).
  Hypothesis quiet_share : forall d j, (j <= top z)%nat ->
    quiet z d j = INR (length (filter (is_quiet j d) coins)) / INR (length coins).
  Variable next : strategy query.
  Variable view : query -> verdict.
  Variable S : transcript -> bool.

  Let wins (n : nat) (ts : list coin) (seen : transcript) : R :=
    Pr (uniform (tuples coins n)) (fun us => S (play_classic pick is_quiet next view ts us seen)).
  Let ind (seen : transcript) : R := if S seen then 1 else 0.

  Lemma coins_positive : 0 < INR (length coins).
  Proof. apply lt_0_INR. destruct coins; [contradiction|]. simpl. lia. Qed.

  Lemma wins_const : forall n (b : bool), Pr (uniform (tuples coins n)) (fun _ => b) = if b then 1 else 0.
  Proof.
    intros n b. rewrite Pr_uniform.
    assert (0 < INR (length (tuples coins n))) by (apply lt_0_INR, tuples_nonempty; exact nonempty).
    destruct b; rewrite sum_const; field; lra.
  Qed.

  Lemma play_nil : forall us seen, play_classic pick is_quiet next view [] us seen = finish next (length us) seen.
  Proof.
    induction us as [|u us IH]; intros seen; [reflexivity|]. simpl.
    destruct (next seen) as [q|q|[|s] a|]; try reflexivity; apply IH.
  Qed.

  Lemma wins_nil : forall n seen, wins n [] seen = ind (finish next n seen).
  Proof.
    intros n seen. unfold wins, ind. rewrite <- (wins_const n), !Pr_uniform. f_equal. apply sum_ext.
    intros us Hus. apply in_tuples in Hus. rewrite play_nil, (proj1 Hus). reflexivity.
  Qed.

  Lemma wins_0 : forall ts seen, wins 0 ts seen = ind seen.
  Proof.
    intros ts seen. unfold wins, ind. rewrite Pr_uniform. simpl. rewrite Rinv_1.
    destruct ts; simpl; destruct (S seen); lra.
  Qed.

  Lemma wins_step : forall n t rest seen, In t coins ->
    wins (Datatypes.S n) (t :: rest) seen =
    match next seen with
    | Forfeit O _ => wins n (t :: rest) (Noted :: seen)
    | Forfeit (Datatypes.S _) _ => wins n rest (Noted :: seen)
    | Meter q =>
        quiet z (distance (view q)) (pick t) * wins n rest (Silent :: seen) +
        (1 - quiet z (distance (view q)) (pick t)) * wins n (t :: rest) (Label (winner (view q)) :: seen)
    | _ => ind seen
    end.
  Proof.
    intros n t rest seen Ht. unfold wins. rewrite Pr_tuples by exact nonempty. simpl play_classic.
    pose proof coins_positive as HN.
    destruct (next seen) as [q|q|[|s] a|].
    - set (X := Pr (uniform (tuples coins n)) (fun us => S (play_classic pick is_quiet next view rest us (Silent ::
      seen)))).
      set (Y := Pr (uniform (tuples coins n))
        (fun us => S (play_classic pick is_quiet next view (t :: rest) us (Label (winner (view q)) :: seen)))).
      rewrite (sum_ext _ _ (fun u => if is_quiet (pick t) (distance (view q)) u then X else Y)).
      + rewrite sum_if, quiet_share by (apply pick_top; exact Ht). field. lra.
      + intros u _. destruct (is_quiet (pick t) (distance (view q)) u); reflexivity.
    - rewrite sum_const, wins_const. unfold ind. destruct (S seen); field; lra.
    - rewrite sum_const. field. lra.
    - rewrite sum_const. field. lra.
    - rewrite sum_const, wins_const. unfold ind. destruct (S seen); field; lra.
  Qed.

  (* The value of a stretch whose threshold is known, when f values its ending. *)
  Fixpoint follow (f : ending -> R) (n j : nat) (seen : transcript) : R :=
    match n with
    | O => f (seen, O)
    | Datatypes.S m =>
        match next seen with
        | Forfeit O _ => follow f m j (Noted :: seen)
        | Forfeit (Datatypes.S _) _ => f (Noted :: seen, m)
        | Meter q =>
            quiet z (distance (view q)) j * f (Silent :: seen, m) +
            (1 - quiet z (distance (view q)) j) * follow f m j (Label (winner (view q)) :: seen)
        | _ => f (seen, O)
        end
    end.

  Lemma stretch_follow : forall f n g seen,
    sum (fun e => snd e * f (fst e)) (stretch z next view n g seen) = total z (fun j => g j * follow f n j seen).
  Proof.
    intros f n. induction n as [|n IH]; intros g seen; unfold total in *; simpl stretch.
    - simpl sum at 1. simpl follow. rewrite Rplus_0_r.
      rewrite (sum_ext _ (fun j => g j * f (seen, O)) (fun j => f (seen, O) * g j)) by (intros; ring).
      rewrite sum_scale. unfold total. ring.
    - simpl follow. destruct (next seen) as [q|q|[|s] a|]; [| |apply IH| |].
      + cbn [sum fst snd]. rewrite IH. unfold total.
        rewrite Rmult_comm, <- sum_scale, <- sum_plus. apply sum_ext. intros j _. ring.
      + simpl sum at 1. rewrite Rplus_0_r. unfold total.
        rewrite Rmult_comm, <- sum_scale. apply sum_ext. intros j _. ring.
      + simpl sum at 1. rewrite Rplus_0_r. unfold total.
        rewrite Rmult_comm, <- sum_scale. apply sum_ext. intros j _. ring.
      + simpl sum at 1. rewrite Rplus_0_r. unfold total.
        rewrite Rmult_comm, <- sum_scale. apply sum_ext. intros j _. ring.
  Qed.

  Lemma mean_follow : forall c t n seen, In t coins ->
    mean coins c (fun rest => wins n (t :: rest) seen) =
    follow (fun e => mean coins c (fun ts => wins (snd e) ts (fst e))) n (pick t) seen.
  Proof.
    intros c t n. induction n as [|n IH]; intros seen Ht.
    - simpl. apply mean_ext. intros ts. rewrite !wins_0. reflexivity.
    - simpl follow. rewrite (mean_ext _ _ _ _ _ (fun rest => wins_step n t rest seen Ht)).
      destruct (next seen) as [q|q|[|s] a|].
      + rewrite mean_linear, IH by exact Ht. reflexivity.
      + simpl. apply mean_ext. intros ts. rewrite wins_0. reflexivity.
      + apply IH. exact Ht.
      + reflexivity.
      + simpl. apply mean_ext. intros ts. rewrite wins_0. reflexivity.
  Qed.

  Theorem play_classic_law : forall c n seen,
    mean coins c (fun ts => wins n ts seen) = Pr (classic_game z next view c n seen) S.
  Proof.
    induction c as [|c IH]; intros n seen.
    - unfold mean. simpl. rewrite Rinv_1, wins_nil. unfold ind. destruct (S (finish next n seen)); ring.
    - rewrite mean_step by exact nonempty. simpl classic_game. rewrite Pr_bind.
      rewrite (sum_ext _ _ (fun e => snd e * mean coins c (fun ts => wins (snd (fst e)) ts (fst (fst e)))))
        by (intros e _; rewrite IH; reflexivity).
      rewrite (stretch_follow (fun e => mean coins c (fun ts => wins (snd e) ts (fst e)))).
      rewrite (sum_ext _ _ (fun t => follow (fun e => mean coins c (fun ts => wins (snd e) ts (fst e))) n (pick t)
        seen))
        by (intros t Ht; apply mean_follow; exact Ht).
      rewrite (sum_by_outcome _ pick
        (fun j => follow (fun e => mean coins c (fun ts => wins (snd e) ts (fst e))) n j seen) (Datatypes.S (top z)))
        by (intros t Ht; specialize (pick_top t Ht); lia).
      unfold total. rewrite <- sum_scale. apply sum_ext. intros j Hj. apply in_seq in Hj.
      rewrite pick_share by lia. unfold Rdiv. ring.
  Qed.
End Law.

(* specs/classic.acsl: a label goes out where the query noise is above its lowest outcome and lifts the distance above
   the noisy threshold. *)
Lemma classic_silent_is : forall plan d coin t, FumataClassicPlanOk plan ->
  (0 <= coin < 18446744073709551616)%Z -> (0 <= t < 18446744073709551616)%Z ->
  forall threshold, FumataNoiseOwns (classic_plan_threshold plan)
    (threshold - classic_plan_width plan - noise_first (classic_plan_threshold plan)) t ->
  classic_silent plan (draw (classic_plan_threshold plan) t) d coin = false <->
  exists z, FumataNoiseOwns (classic_plan_query plan) (z - noise_first (classic_plan_query plan)) coin /\
    z <> noise_first (classic_plan_query plan) /\ (Z.of_nat d + z > threshold)%Z.
Proof.
  intros plan d coin t [Ht [Hq _]] Hc Hc' threshold Hd.
  apply (draw_owns _ _ _ Ht Hc') in Hd. unfold classic_silent.
  rewrite orb_false_iff, Nat.eqb_neq, Z.leb_gt. split.
  - intros [H1 H2]. exists (noise_first (classic_plan_query plan) + Z.of_nat (draw (classic_plan_query plan) coin))%Z.
    split; [apply (draw_owns _ _ _ Hq Hc); lia|]. lia.
  - intros [z [H1 [H2 H3]]]. apply (draw_owns _ _ _ Hq Hc) in H1. lia.
Qed.

(* What the program releases in classic mode: `limit` words for thresholds and n words for moves, drawn uniformly. *)
Definition released_classic {query} (plan : fumata_classic_plan) (n : nat) (next : strategy query)
  (view : query -> verdict) : law transcript :=
  mixture (tuples (below words) (Z.to_nat (classic_plan_limit plan)))
    (fun ts => post (fun us => play_classic (draw (classic_plan_threshold plan)) (classic_silent plan) next view ts us
      [])
                 (uniform (tuples (below words) n))).

Lemma words_real : INR (length (below words)) = 18446744073709551616.
Proof. rewrite length_below, INR_IZR_INZ, Z2Nat.id by (pose proof words_pos; lia). rewrite words_value. reflexivity.
Qed.

Theorem released_is_classic : forall query plan n (next : strategy query) view S, FumataClassicPlanOk plan ->
  Pr (released_classic plan n next view) S =
  Pr (classic_law (noises_of plan) (Z.to_nat (classic_plan_limit plan)) n next view) S.
Proof.
  intros query plan n next view S [Ht [Hq [Hw Hl]]]. unfold released_classic, classic_law. rewrite Pr_mixture.
  rewrite <- (play_classic_law Z query (below words) words_nonempty (noises_of plan) (draw (classic_plan_threshold
    plan))
    (classic_silent plan)).
  - unfold mean. apply Rmult_eq_compat_l. apply sum_ext. intros ts _. apply Pr_post.
  - intros t _. apply draw_size.
  - intros j Hj. rewrite draw_count by (try exact Ht; unfold noise_size; unfold noises_of in Hj; cbn [top] in Hj; lia).
    rewrite words_real, INR_IZR_INZ, Z2Nat.id.
    + unfold noises_of, share in *. cbn [threshold top] in *.
      destruct (Nat.leb_spec j (length (noise_cdf (classic_plan_threshold plan))));
        [reflexivity|lia].
    + pose proof (noise_order (classic_plan_threshold plan) (Z.of_nat j) Ht
        ltac:(unfold noise_size; unfold noises_of in Hj; cbn [top] in Hj; lia)). unfold noise_coins. lia.
  - intros d j Hj. unfold quiet, noises_of, share. cbn [reach offset].
    set (t := (classic_plan_width plan + noise_first (classic_plan_threshold plan) + Z.of_nat j - Z.of_nat d -
      noise_first (classic_plan_query
      plan))%Z).
    pose proof (reach_bounds (classic_plan_query plan) t Hq) as B.
    rewrite words_real. unfold Rdiv. apply Rmult_eq_compat_r.
    rewrite (filter_same _ _ (at_most_or_lowest (classic_plan_query plan) t)).
    + rewrite reach_count by exact Hq. rewrite INR_IZR_INZ, Z2Nat.id by lia. reflexivity.
    + intros u _. unfold classic_silent, at_most_or_lowest.
      apply (f_equal (orb (draw (classic_plan_query plan) u =? 0)%nat)). unfold t.
      destruct (Z.leb_spec (Z.of_nat d + (noise_first (classic_plan_query plan) + Z.of_nat (draw (classic_plan_query
        plan) u)))
        (classic_plan_width plan + (noise_first (classic_plan_threshold plan) + Z.of_nat j))); symmetry;
          [apply Z.leb_le|apply Z.leb_gt]; lia.
Qed.
