(* Theorem M: two close views give transcripts within (epsilon, delta) of each other,
   delta = c(alpha) V^T e^(-(alpha-1) epsilon) + T (1 - p_1).

   The induction carries the masses P and Q of the transcript so far. A branch that only P can take (a label where
   the other side has distance 0) is paid for by 1 - p_1 and the one silence that its query would have cost. *)
From Coq Require Import Reals Lra Lia Psatz List Bool.
From Fumata Require Import Statement Power Divergence Meter.
From Fumata Require Export TheoremJ.
Import ListNotations.
Local Open Scope R_scope.

Definition delta_M (alpha : nat) (V : R) (limit : nat) (p1 epsilon : R) : R :=
  c_of alpha * V ^ limit * exp (- INR (alpha - 1) * epsilon) + INR limit * (1 - p1).

Section Induction.
  Variable query : Type.
  Variable p : nat -> R.
  Variable alpha : nat.
  Variable V epsilon : R.
  Hypothesis H : priced p alpha V.
  Variable next : adversary query.
  Variables view view' : query -> verdict.
  Hypothesis Hclose : close view view'.
  Variable S : transcript -> bool.

  Let K := c_of alpha * exp (- INR (alpha - 1) * epsilon).
  Let run v n c seen := Pr (game query R 1 Rmult p (fun d => 1 - p d) next v n c seen) S.

  Lemma p_bounds : forall d, 0 <= p d <= 1.
  Proof.
    intros [|d]; [rewrite (priced_zero _ _ _ H); lra|].
    pose proof (priced_open _ _ _ H (Datatypes.S d) ltac:(lia)). lra.
  Qed.

  Lemma K_nonneg : 0 <= K.
  Proof.
    unfold K. pose proof (c_of_pos _ (priced_alpha _ _ _ H)). pose proof (exp_pos (- INR (alpha - 1) * epsilon)).
    apply Rmult_le_pos; lra.
  Qed.

  Lemma run_bounds : forall v n c seen, 0 <= run v n c seen <= 1.
  Proof.
    intros v n c seen.
    assert (L := game_is_law query p next v n c seen p_bounds). split.
    - apply Pr_nonnegative. apply L.
    - apply Pr_at_most_1. exact L.
  Qed.

  (* Two distances, at least 1 both, at most 1 apart: equal ones are adjacent enough. *)
  Lemma both_open : forall i j, (1 <= i)%nat -> (1 <= j)%nat -> (i <= j + 1)%nat -> (j <= i + 1)%nat ->
    moment (alpha - 1) (p i) (p j) + moment (alpha - 1) (1 - p i) (1 - p j) * V <= V.
  Proof.
    intros i j Hi Hj H1 H2. destruct (Nat.eq_dec i j) as [->|Hn].
    - pose proof (priced_open _ _ _ H j Hj). pose proof (priced_V _ _ _ H).
      rewrite !moment_same by lra. nra.
    - apply (priced_step _ _ _ H); [assumption|assumption|]. unfold adjacent. lia.
  Qed.

  (* A leaf of the game: the pointwise step. *)
  Lemma leaf : forall (P Q : R) c seen, 0 <= P -> 0 < Q ->
    P * (if S seen then 1 else 0) - exp epsilon * Q * (if S seen then 1 else 0) <=
    K * moment (alpha - 1) P Q * V ^ c + P * INR c * (1 - p 1%nat).
  Proof.
    intros P Q c seen HP HQ.
    pose proof (hockey_stick_step alpha epsilon P Q (priced_alpha _ _ _ H) HP HQ) as Hh.
    fold K in Hh.
    pose proof (pow_ge_1 V c (priced_V _ _ _ H)) as HV.
    pose proof (moment_nonneg (alpha - 1) P Q HP HQ) as Hm.
    pose proof K_nonneg as HK. pose proof (pos_INR c) as Hc. pose proof (p_bounds 1) as Hp.
    assert (0 <= K * moment (alpha - 1) P Q) by (apply Rmult_le_pos; assumption).
    assert (0 <= P * INR c * (1 - p 1%nat)) by (apply Rmult_le_pos; [apply Rmult_le_pos|]; lra).
    assert (K * moment (alpha - 1) P Q * 1 <= K * moment (alpha - 1) P Q * V ^ c).
    { apply Rmult_le_compat_l; lra. }
    pose proof (Rmax_l 0 (P - exp epsilon * Q)). pose proof (Rmax_r 0 (P - exp epsilon * Q)).
    destruct (S seen); lra.
  Qed.

  Lemma induction : forall n c seen (P Q : R), 0 <= P -> 0 < Q ->
    P * run view n c seen - exp epsilon * Q * run view' n c seen <=
    K * moment (alpha - 1) P Q * V ^ c + P * INR c * (1 - p 1%nat).
  Proof.
    induction n as [|n IH]; intros c seen P Q HP HQ.
    { unfold run. simpl. rewrite !Rplus_0_r. apply leaf; assumption. }
    destruct c as [|c].
    { unfold run. simpl Pr. rewrite !Rplus_0_r. apply leaf; assumption. }
    pose proof (priced_V _ _ _ H) as HV1.
    pose proof K_nonneg as HK.
    pose proof (pow_ge_1 V c HV1) as HVc.
    pose proof (moment_nonneg (alpha - 1) P Q HP HQ) as Hm.
    pose proof (p_bounds 1) as Hp1. pose proof (pos_INR c) as Hc.
    pose proof (exp_pos epsilon) as HE.
    set (M := moment (alpha - 1) P Q) in *.
    assert (HKM : 0 <= K * M) by (apply Rmult_le_pos; assumption).
    assert (HKMV : 0 <= K * M * V ^ c) by (apply Rmult_le_pos; lra).
    assert (Hgrow : K * M * V ^ c <= K * M * V ^ Datatypes.S c).
    { simpl. replace (K * M * (V * V ^ c)) with (K * M * V ^ c * V) by ring. nra. }
    rewrite S_INR.
    assert (Hpc : 0 <= P * (1 - p 1%nat)) by (apply Rmult_le_pos; lra).
    unfold run. simpl game. destruct (next seen) as [q| |].
    - (* a query *)
      change (weigh R Rmult) with (@scale transcript).
      rewrite !Pr_app, !Pr_scale. fold (run view n c (Silent :: seen)).
      change (Pr (game query R 1 Rmult p (fun d => 1 - p d) next view' n c (Silent :: seen)) S)
        with (run view' n c (Silent :: seen)).
      change (Pr (game query R 1 Rmult p (fun d => 1 - p d) next view n (Datatypes.S c) (Label (winner (view q)) ::
        seen)) S)
        with (run view n (Datatypes.S c) (Label (winner (view q)) :: seen)).
      change (Pr (game query R 1 Rmult p (fun d => 1 - p d) next view' n (Datatypes.S c) (Label (winner (view' q)) ::
        seen)) S)
        with (run view' n (Datatypes.S c) (Label (winner (view' q)) :: seen)).
      destruct (Hclose q) as [C1 [C2 C3]].
      set (d := distance (view q)) in *. set (d' := distance (view' q)) in *.
      set (L := Label (winner (view q)) :: seen). set (L' := Label (winner (view' q)) :: seen).
      destruct (Nat.eq_dec d 0) as [Ed|Ed]; destruct (Nat.eq_dec d' 0) as [Ed'|Ed'].
      + (* silent on both sides *)
        rewrite Ed, Ed', (priced_zero _ _ _ H).
        specialize (IH c (Silent :: seen) P Q HP HQ). fold M in IH. nra.
      + (* silent on the side of P, almost surely silent on the side of Q *)
        assert (E1 : d' = 1%nat) by lia. rewrite Ed, E1, (priced_zero _ _ _ H).
        pose proof (priced_open _ _ _ H 1%nat ltac:(lia)) as Ho.
        assert (HQ1 : 0 < Q * p 1%nat) by (apply Rmult_lt_0_compat; lra).
        specialize (IH c (Silent :: seen) (P * 1) (Q * p 1%nat) ltac:(lra) HQ1).
        rewrite moment_mult in IH by lra. fold M in IH.
        pose proof (run_bounds view' n (Datatypes.S c) L') as B.
        pose proof (priced_first _ _ _ H) as Hf.
        assert (G : K * M * V ^ c * moment (alpha - 1) 1 (p 1%nat) <= K * M * V ^ c * V).
        { apply Rmult_le_compat_l; assumption. }
        assert (N : 0 <= exp epsilon * Q * ((1 - p 1%nat) * run view' n (Datatypes.S c) L')).
        { apply Rmult_le_pos; [apply Rmult_le_pos; lra|]. apply Rmult_le_pos; lra. }
        simpl (V ^ Datatypes.S c).
        replace (K * M * (V * V ^ c)) with (K * M * V ^ c * V) by ring.
        replace (K * (M * moment (alpha - 1) 1 (p 1%nat)) * V ^ c)
          with (K * M * V ^ c * moment (alpha - 1) 1 (p 1%nat)) in IH by ring.
        nra.
      + (* only P can give a label *)
        assert (E1 : d = 1%nat) by lia. rewrite Ed', E1, (priced_zero _ _ _ H).
        pose proof (priced_open _ _ _ H 1%nat ltac:(lia)) as Ho.
        assert (HP1 : 0 <= P * p 1%nat) by (apply Rmult_le_pos; lra).
        specialize (IH c (Silent :: seen) (P * p 1%nat) (Q * 1) HP1 ltac:(lra)).
        rewrite moment_mult in IH by lra. fold M in IH.
        pose proof (run_bounds view n (Datatypes.S c) L) as B.
        assert (Hless : moment (alpha - 1) (p 1%nat) 1 <= 1).
        { unfold moment, Rdiv. rewrite Rinv_1, Rmult_1_r.
          pose proof (pow_nonneg (p 1%nat) (alpha - 1) ltac:(lra)).
          pose proof (pow_mono (p 1%nat) 1 (alpha - 1) ltac:(lra)) as Hle. rewrite pow1 in Hle. nra. }
        assert (G : K * M * V ^ c * moment (alpha - 1) (p 1%nat) 1 <= K * M * V ^ c * 1).
        { apply Rmult_le_compat_l; assumption. }
        replace (K * (M * moment (alpha - 1) (p 1%nat) 1) * V ^ c)
          with (K * M * V ^ c * moment (alpha - 1) (p 1%nat) 1) in IH by ring.
        assert (N : P * ((1 - p 1%nat) * run view n (Datatypes.S c) L) <= P * (1 - p 1%nat)).
        { replace (P * ((1 - p 1%nat) * run view n (Datatypes.S c) L))
            with (P * (1 - p 1%nat) * run view n (Datatypes.S c) L) by ring. nra. }
        assert (T : P * p 1%nat * INR c * (1 - p 1%nat) <= P * INR c * (1 - p 1%nat)).
        { replace (P * p 1%nat * INR c * (1 - p 1%nat)) with (P * (1 - p 1%nat) * INR c * p 1%nat) by ring.
          replace (P * INR c * (1 - p 1%nat)) with (P * (1 - p 1%nat) * INR c * 1) by ring.
          apply Rmult_le_compat_l; [apply Rmult_le_pos; lra|lra]. }
        nra.
      + (* both sides draw, and a label is the same label *)
        assert (W : winner (view q) = winner (view' q)).
        { destruct (Nat.eq_dec (winner (view q)) (winner (view' q))) as [E|E]; [exact E|]. destruct (C3 E). lia. }
        unfold L'. rewrite <- W. fold L.
        pose proof (priced_open _ _ _ H d ltac:(lia)) as Ho.
        pose proof (priced_open _ _ _ H d' ltac:(lia)) as Ho'.
        pose proof (both_open d d' ltac:(lia) ltac:(lia) C1 C2) as Hs.
        assert (HPp : 0 <= P * p d) by (apply Rmult_le_pos; lra).
        assert (HPq : 0 <= P * (1 - p d)) by (apply Rmult_le_pos; lra).
        assert (HQp : 0 < Q * p d') by (apply Rmult_lt_0_compat; lra).
        assert (HQq : 0 < Q * (1 - p d')) by (apply Rmult_lt_0_compat; lra).
        assert (I1 := IH c (Silent :: seen) (P * p d) (Q * p d') HPp HQp).
        assert (I2 := IH (Datatypes.S c) L (P * (1 - p d)) (Q * (1 - p d')) HPq HQq).
        rewrite moment_mult in I1 by lra. rewrite moment_mult in I2 by lra. fold M in I1, I2.
        rewrite S_INR in I2. simpl (V ^ Datatypes.S c) in *.
        set (a := moment (alpha - 1) (p d) (p d')) in *.
        set (b := moment (alpha - 1) (1 - p d) (1 - p d')) in *.
        assert (G : K * M * V ^ c * (a + b * V) <= K * M * V ^ c * V).
        { apply Rmult_le_compat_l; assumption. }
        assert (T : P * p d * INR c * (1 - p 1%nat) + P * (1 - p d) * (INR c + 1) * (1 - p 1%nat)
          <= P * (INR c + 1) * (1 - p 1%nat)).
        { assert (0 <= P * (1 - p 1%nat) * p d) by (apply Rmult_le_pos; lra). nra. }
        nra.
    - (* a crash *)
      specialize (IH c (Lost :: seen) P Q HP HQ). fold M in IH. unfold run in IH. nra.
    - (* the end *)
      pose proof (leaf P Q (Datatypes.S c) seen HP HQ) as Hl. rewrite S_INR in Hl. fold M in Hl.
      simpl Pr. rewrite !Rplus_0_r. exact Hl.
  Qed.
End Induction.

Theorem theorem_M : forall query (p : nat -> R) alpha V limit epsilon,
  priced p alpha V ->
  forall (next : adversary query) (view view' : query -> verdict) (n : nat),
  close view view' ->
  within epsilon (delta_M alpha V limit (p 1%nat) epsilon)
    (game_law p limit n next view) (game_law p limit n next view').
Proof.
  intros query p alpha V limit epsilon H next view view' n Hclose S.
  pose proof (induction query p alpha V epsilon H next view view' Hclose S n limit [] 1 1 ltac:(lra) ltac:(lra)) as I.
  rewrite moment_same in I by lra. unfold game_law, delta_M. lra.
Qed.
