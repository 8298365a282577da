(* Theorem J: T silences of a meter and L answers of a toll in one budget, whichever is asked next. Close views give
   transcripts within (epsilon, delta) of each other, delta = c(alpha) V^T U^L e^(-(alpha-1) epsilon) + T (1 - p_1).

   `given_up` is what may have to be left out of a part of the game whose two weights are P and Q. A move splits both
   weights, and what its outcomes give up together is no more than what the whole could. *)
From Coq Require Import Reals Lra Lia Psatz List Bool.
From Fumata Require Import Statement Power Divergence Game.
Import ListNotations.
Local Open Scope R_scope.

Definition adjacent (i j : nat) : Prop := j = S i \/ i = S j.

(* What Theorem M asks of the silence probabilities p(d), the order alpha and the price V of one silence. *)
Record priced (p : nat -> R) (alpha : nat) (V : R) : Prop := {
  priced_alpha : (2 <= alpha)%nat;
  priced_V : 1 <= V;
  priced_zero : p 0%nat = 1;
  priced_open : forall d, (1 <= d)%nat -> 0 < p d < 1;
  priced_step : forall i j, (1 <= i)%nat -> (1 <= j)%nat -> adjacent i j ->
    moment (alpha - 1) (p i) (p j) + moment (alpha - 1) (1 - p i) (1 - p j) * V <= V;
  priced_first : moment (alpha - 1) 1 (p 1%nat) <= V
}.

(* What Theorem T asks of the chances w(d) that the winner is named, and the price U of one answer. *)
Record tolled (w : nat -> R) (alpha : nat) (U : R) : Prop := {
  tolled_alpha : (2 <= alpha)%nat;
  tolled_U : 1 <= U;
  tolled_zero : w 0%nat = 1 / 2;
  tolled_open : forall d, 0 < w d < 1;
  tolled_step : forall i j, adjacent i j ->
    moment (alpha - 1) (w i) (w j) + moment (alpha - 1) (1 - w i) (1 - w j) <= U
}.

Definition delta_J (alpha : nat) (V : R) (silences : nat) (U : R) (answers : nat) (p1 epsilon : R) : R :=
  c_of alpha * (V ^ silences * U ^ answers) * exp (- INR (alpha - 1) * epsilon) + INR silences * (1 - p1).

Section Prices.
  Variables p w : nat -> R.
  Variable alpha : nat.
  Variables V U epsilon : R.
  Hypothesis Hp : priced p alpha V.
  Hypothesis Hw : tolled w alpha U.

  Let K := c_of alpha * exp (- INR (alpha - 1) * epsilon).
  Let k := (alpha - 1)%nat.

  Lemma p_bounds : forall d, 0 <= p d <= 1.
  Proof.
    intros [|d]; [rewrite (priced_zero _ _ _ Hp); lra|]. pose proof (priced_open _ _ _ Hp (S d) ltac:(lia)). lra.
  Qed.

  Lemma w_bounds : forall d, 0 <= w d <= 1.
  Proof. intros d. pose proof (tolled_open _ _ _ Hw d). lra. Qed.

  Lemma K_nonneg : 0 <= K.
  Proof.
    unfold K. pose proof (c_of_pos _ (priced_alpha _ _ _ Hp)). pose proof (exp_pos (- INR (alpha - 1) * epsilon)).
    apply Rmult_le_pos; lra.
  Qed.

  (* Steps of at most 1: equal distances are adjacent enough. *)
  Lemma both_open : forall i j, (1 <= i)%nat -> (1 <= j)%nat -> (i <= j + 1)%nat -> (j <= i + 1)%nat ->
    moment k (p i) (p j) + moment k (1 - p i) (1 - p j) * V <= V.
  Proof.
    intros i j Hi Hj H1 H2. destruct (Nat.eq_dec i j) as [->|Hn].
    - pose proof (priced_open _ _ _ Hp j Hj). pose proof (priced_V _ _ _ Hp). rewrite !moment_same by lra. nra.
    - apply (priced_step _ _ _ Hp); [assumption|assumption|]. unfold adjacent. lia.
  Qed.

  Lemma both_named : forall i j, (i <= j + 1)%nat -> (j <= i + 1)%nat ->
    moment k (w i) (w j) + moment k (1 - w i) (1 - w j) <= U.
  Proof.
    intros i j H1 H2. destruct (Nat.eq_dec i j) as [->|Hn].
    - pose proof (tolled_open _ _ _ Hw j). pose proof (tolled_U _ _ _ Hw). rewrite !moment_same by lra. lra.
    - apply (tolled_step _ _ _ Hw). unfold adjacent. lia.
  Qed.

  (* The price of what is left: c silences and l answers. *)
  Definition worth (c l : nat) : R := V ^ c * U ^ l.

  Lemma worth_ge_1 : forall c l, 1 <= worth c l.
  Proof.
    intros c l. unfold worth. pose proof (pow_ge_1 V c (priced_V _ _ _ Hp)). pose proof (pow_ge_1 U l (tolled_U _ _ _ Hw)).
    nra.
  Qed.

  Lemma worth_silence : forall c l, worth (S c) l = V * worth c l.
  Proof. intros c l. unfold worth. simpl. ring. Qed.

  Lemma worth_answer : forall c l, worth c (S l) = U * worth c l.
  Proof. intros c l. unfold worth. simpl. ring. Qed.

  Lemma worth_less : forall c c' l l', (c' <= c)%nat -> (l' <= l)%nat -> worth c' l' <= worth c l.
  Proof.
    intros c c' l l' Hc Hl. unfold worth. pose proof (priced_V _ _ _ Hp). pose proof (tolled_U _ _ _ Hw).
    apply Rmult_le_compat; try (apply pow_le; lra); apply Rle_pow; assumption.
  Qed.

  Definition given_up (c l : nat) (P Q : R) : R :=
    if Rlt_dec 0 Q then K * moment k P Q * worth c l + P * (INR c * (1 - p 1%nat)) else P.

  Lemma given_up_is : forall c l P Q, 0 < Q ->
    given_up c l P Q = K * moment k P Q * worth c l + P * (INR c * (1 - p 1%nat)).
  Proof. intros c l P Q H. unfold given_up. destruct (Rlt_dec 0 Q); [reflexivity|contradiction]. Qed.

  Lemma given_up_all : forall c l P, given_up c l P 0 = P.
  Proof. intros c l P. unfold given_up. destruct (Rlt_dec 0 0); [lra|reflexivity]. Qed.

  Lemma given_up_nothing : forall c l Q, given_up c l 0 Q = 0.
  Proof. intros c l Q. unfold given_up. destruct (Rlt_dec 0 Q); [|reflexivity]. unfold moment. ring. Qed.

  Lemma loss_nonneg : forall c, 0 <= INR c * (1 - p 1%nat).
  Proof. intros c. pose proof (pos_INR c). pose proof (p_bounds 1). apply Rmult_le_pos; lra. Qed.

  Lemma weight_nonneg : forall P Q, 0 <= P -> 0 < Q -> 0 <= K * moment k P Q.
  Proof. intros P Q HP HQ. apply Rmult_le_pos; [apply K_nonneg|apply moment_nonneg; assumption]. Qed.

  Lemma given_up_nonneg : forall c l P Q, 0 <= P -> 0 <= given_up c l P Q.
  Proof.
    intros c l P Q HP. unfold given_up. destruct (Rlt_dec 0 Q) as [HQ|HQ]; [|exact HP].
    pose proof (weight_nonneg P Q HP HQ). pose proof (loss_nonneg c). pose proof (worth_ge_1 c l). nra.
  Qed.

  (* The end of a game: the pointwise step. *)
  Lemma given_up_covers : forall c l P Q, 0 <= P -> 0 <= Q -> P - exp epsilon * Q <= given_up c l P Q.
  Proof.
    intros c l P Q HP HQ. unfold given_up. destruct (Rlt_dec 0 Q) as [PQ|NQ].
    - pose proof (hockey_stick_step alpha epsilon P Q (priced_alpha _ _ _ Hp) HP PQ) as Hh. fold K k in Hh.
      pose proof (Rmax_r 0 (P - exp epsilon * Q)). pose proof (weight_nonneg P Q HP PQ). pose proof (loss_nonneg c).
      pose proof (worth_ge_1 c l). nra.
    - pose proof (exp_pos epsilon). nra.
  Qed.

  Lemma given_up_less : forall c c' l l' P Q, (c' <= c)%nat -> (l' <= l)%nat -> 0 <= P ->
    given_up c' l' P Q <= given_up c l P Q.
  Proof.
    intros c c' l l' P Q Hc Hl HP. unfold given_up. destruct (Rlt_dec 0 Q) as [HQ|HQ]; [|lra].
    pose proof (weight_nonneg P Q HP HQ). pose proof (p_bounds 1). pose proof (le_INR _ _ Hc).
    pose proof (worth_less c c' l l' Hc Hl). apply Rplus_le_compat; apply Rmult_le_compat_l; try assumption.
    apply Rmult_le_compat_r; lra.
  Qed.

  (* A question to the meter. Where P can give a label and Q cannot, 1 - p_1 and the silence that the question would
     have cost pay for it. *)
  Lemma ask_step : forall c l P Q d d', 0 <= P -> 0 <= Q -> (d <= d' + 1)%nat -> (d' <= d + 1)%nat ->
    given_up c l (P * p d) (Q * p d') + given_up (S c) l (P * (1 - p d)) (Q * (1 - p d')) <= given_up (S c) l P Q.
  Proof.
    intros c l P Q d d' HP HQ C1 C2. pose proof (p_bounds 1) as B1. pose proof (pos_INR c) as Hc.
    destruct (Rle_lt_or_eq_dec 0 Q HQ) as [PQ|<-]; [|rewrite !Rmult_0_l, !given_up_all; lra].
    pose proof (weight_nonneg P Q HP PQ) as HM. pose proof (worth_ge_1 c l) as HW.
    assert (HB : 0 <= K * moment k P Q * worth c l) by (apply Rmult_le_pos; lra).
    assert (HL : 0 <= P * (1 - p 1%nat)) by (apply Rmult_le_pos; lra).
    assert (HL' : 0 <= P * (1 - p 1%nat) * INR c) by (apply Rmult_le_pos; lra).
    pose proof (priced_V _ _ _ Hp) as HV. rewrite (given_up_is (S c) l P Q PQ), worth_silence, S_INR.
    assert (Bound : forall x, x <= V -> K * moment k P Q * worth c l * x <= K * moment k P Q * worth c l * V)
      by (intros x Hx; apply Rmult_le_compat_l; assumption).
    pose proof (priced_zero _ _ _ Hp) as H0. pose proof (priced_open _ _ _ Hp) as Ho.
    destruct (Nat.eq_dec d 0) as [->|Ed].
    - rewrite H0. replace (P * (1 - 1)) with 0 by ring. rewrite given_up_nothing, Rplus_0_r.
      assert (Pd' : 0 < p d') by (destruct d' as [|d']; [lra|apply Ho; lia]).
      rewrite given_up_is, moment_mult by (try apply Rmult_lt_0_compat; lra).
      assert (G : moment k 1 (p d') <= V).
      { destruct d' as [|d']; [rewrite H0, moment_same; lra|]. replace (S d') with 1%nat by lia. apply Hp. }
      specialize (Bound _ G). nra.
    - specialize (Ho d ltac:(lia)) as Od. destruct (Nat.eq_dec d' 0) as [->|Ed'].
      + replace d with 1%nat in * by lia. rewrite H0. replace (Q * (1 - 1)) with 0 by ring. rewrite given_up_all.
        rewrite given_up_is, moment_mult by lra.
        assert (G : moment k (p 1%nat) 1 <= 1).
        { unfold moment, Rdiv. rewrite Rinv_1, Rmult_1_r. pose proof (pow_nonneg (p 1%nat) k ltac:(lra)).
          pose proof (pow_mono (p 1%nat) 1 k ltac:(lra)) as Hle. rewrite pow1 in Hle. nra. }
        specialize (Bound (moment k (p 1%nat) 1) ltac:(lra)). nra.
      + specialize (Ho d' ltac:(lia)) as Od'.
        rewrite !given_up_is, !moment_mult by (try apply Rmult_lt_0_compat; lra).
        specialize (Bound _ (both_open d d' ltac:(lia) ltac:(lia) C1 C2)).
        rewrite worth_silence, S_INR. nra.
  Qed.

  (* A question to the toll. *)
  Lemma buy_step : forall c l P Q d d', 0 <= P -> 0 <= Q -> (d <= d' + 1)%nat -> (d' <= d + 1)%nat ->
    given_up c l (P * w d) (Q * w d') + given_up c l (P * (1 - w d)) (Q * (1 - w d')) <= given_up c (S l) P Q.
  Proof.
    intros c l P Q d d' HP HQ C1 C2.
    destruct (Rle_lt_or_eq_dec 0 Q HQ) as [PQ|<-]; [|rewrite !Rmult_0_l, !given_up_all; lra].
    pose proof (tolled_open _ _ _ Hw d) as Od. pose proof (tolled_open _ _ _ Hw d') as Od'.
    rewrite !given_up_is, !moment_mult by (try apply Rmult_lt_0_compat; lra). rewrite worth_answer.
    pose proof (weight_nonneg P Q HP PQ) as HM. pose proof (worth_ge_1 c l) as HW.
    assert (HB : 0 <= K * moment k P Q * worth c l) by (apply Rmult_le_pos; lra).
    pose proof (Rmult_le_compat_l _ _ _ HB (both_named d d' C1 C2)). nra.
  Qed.
End Prices.

Section Induction.
  Variable query : Type.
  Variables p w : nat -> R.
  Variable alpha : nat.
  Variables V U epsilon : R.
  Hypothesis Hp : priced p alpha V.
  Hypothesis Hw : tolled w alpha U.
  Variable next : strategy query.
  Variables view view' : query -> verdict.
  Variables face face' : query -> duel.
  Hypothesis Hview : close view view'.
  Hypothesis Hface : close_faces face face'.
  Variable S : transcript -> bool.

  Let chance v f n c l seen := Pr (joint_game p w next v f n c l seen) S.
  Let give := given_up p alpha V U epsilon.

  Lemma induction : forall n c l seen (P Q : R), 0 <= P -> 0 <= Q ->
    P * chance view face n c l seen - exp epsilon * Q * chance view' face' n c l seen <= give c l P Q.
  Proof.
    assert (End : forall c l seen P Q, 0 <= P -> 0 <= Q ->
      P * Pr [(seen, 1)] S - exp epsilon * Q * Pr [(seen, 1)] S <= give c l P Q).
    { intros c l seen P Q HP HQ. simpl. destruct (S seen).
      - pose proof (given_up_covers p w alpha V U epsilon Hp Hw c l P Q HP HQ). unfold give. lra.
      - pose proof (given_up_nonneg p w alpha V U epsilon Hp Hw c l P Q HP). unfold give. lra. }
    induction n as [|n IH]; intros c l seen P Q HP HQ; [apply End; assumption|].
    unfold chance. unfold joint_game. cbn [game]. destruct (next seen) as [q|q|s a|]; [| | |apply End; assumption].
    - (* the meter *)
      destruct c as [|c]; [apply End; assumption|].
      destruct (Hview q) as [C1 [C2 C3]]. pose proof (p_bounds p alpha V Hp) as B.
      pose proof (B (distance (view q))) as Bd. pose proof (B (distance (view' q))) as Bd'.
      change (weigh R Rmult) with (@scale transcript). rewrite !Pr_app, !Pr_scale.
      pose proof (ask_step p w alpha V U epsilon Hp Hw c l P Q _ _ HP HQ C1 C2) as Step. fold give in Step.
      pose proof (IH c l (Silent :: seen) (P * p (distance (view q))) (Q * p (distance (view' q)))
        ltac:(apply Rmult_le_pos; lra) ltac:(apply Rmult_le_pos; lra)) as I1. unfold chance, joint_game in I1.
      destruct (Nat.eq_dec (winner (view q)) (winner (view' q))) as [E|E].
      + rewrite <- E.
        pose proof (IH (Datatypes.S c) l (Label (winner (view q)) :: seen) (P * (1 - p (distance (view q))))
          (Q * (1 - p (distance (view' q)))) ltac:(apply Rmult_le_pos; lra) ltac:(apply Rmult_le_pos; lra)) as I2.
        unfold chance, joint_game in I2. lra.
      + destruct (C3 E) as [E1 E2]. rewrite E1, E2, (priced_zero _ _ _ Hp) in *.
        replace (P * (1 - 1)) with 0 in Step by ring. unfold give in *. rewrite given_up_nothing in Step. lra.
    - (* the toll *)
      destruct l as [|l]; [apply End; assumption|].
      destruct (Hface q) as [C1 [C2 [C3 C4]]]. pose proof (w_bounds w alpha U Hw) as B.
      pose proof (B (margin (face q))) as Bd. pose proof (B (margin (face' q))) as Bd'.
      change (weigh R Rmult) with (@scale transcript). rewrite !Pr_app, !Pr_scale.
      pose proof (buy_step p w alpha V U epsilon Hp Hw c l P Q _ _ HP HQ C1 C2) as Step. fold give in Step.
      pose proof (IH c l (Label (named (face q)) :: seen) (P * w (margin (face q))) (Q * w (margin (face' q)))
        ltac:(apply Rmult_le_pos; lra) ltac:(apply Rmult_le_pos; lra)) as I1. unfold chance, joint_game in I1.
      pose proof (IH c l (Label (other (face q)) :: seen) (P * (1 - w (margin (face q))))
        (Q * (1 - w (margin (face' q)))) ltac:(apply Rmult_le_pos; lra) ltac:(apply Rmult_le_pos; lra)) as I2.
      unfold chance, joint_game in I2.
      destruct (Nat.eq_dec (named (face q)) (named (face' q))) as [E|E].
      + rewrite <- E, <- (C3 E). lra.
      + destruct (C4 E) as [E1 [E2 [E3 E4]]]. rewrite <- E3, <- E4. rewrite E1, E2, (tolled_zero _ _ _ Hw) in *. lra.
    - (* a loss *)
      eapply Rle_trans; [apply (IH (c - s)%nat (l - a)%nat (Noted :: seen) P Q HP HQ)|].
      apply (given_up_less p w alpha V U epsilon Hp Hw); [lia|lia|exact HP].
  Qed.
End Induction.

Theorem theorem_J : forall query (p w : nat -> R) alpha V U silences answers epsilon,
  priced p alpha V -> tolled w alpha U ->
  forall (next : strategy query) (view view' : query -> verdict) (face face' : query -> duel) (n : nat),
  close view view' -> close_faces face face' ->
  within epsilon (delta_J alpha V silences U answers (p 1%nat) epsilon)
    (joint_law p w silences answers n next view face) (joint_law p w silences answers n next view' face').
Proof.
  intros query p w alpha V U silences answers epsilon Hp Hw next view view' face face' n Hv Hf S.
  pose proof (induction query p w alpha V U epsilon Hp Hw next view view' face face' Hv Hf S n silences answers [] 1 1
    ltac:(lra) ltac:(lra)) as I.
  rewrite given_up_is, moment_same in I by lra. unfold joint_law, delta_J, worth in *. lra.
Qed.
