(* The statements to read: whatever a certified machine releases is (epsilon, delta)-differentially private, with the
   epsilon and delta of the claim, from the private data set to the last answer. First the meter, then classic; for a
   fixed assignment of units to teachers, then for a uniform secret one.

   The probabilities are over uniform 64-bit words, which drive the machines of Session.v. Everything else is a
   deterministic function: `learn` makes a teacher of each chunk, `h` assigns units to chunks by their key, `next`
   chooses every query after seeing all answers before it. n bounds the number of moves. *)
From Coq Require Import Reals Lra ZArith Lia List Permutation.
From Fumata Require Import Divergence Uniform Meter TheoremM Units Coins Classic Certificate ClassicCoins Session.
Import ListNotations.

(* Everything that leaves the machine. *)
Definition meter_transcript {key record query} (plan : fumata_meter_plan) (k classes : nat)
  (learn : learner key record query) (h : key -> nat) (next : adversary query) (n : nat)
  (data : list (row key record)) : law transcript :=
  meter_session (plan_silence plan) (Z.to_nat (plan_limit plan)) n next (verdicts k classes learn h data).

Definition classic_transcript {key record query} (plan : fumata_classic_plan) (k classes : nat)
  (learn : learner key record query) (h : key -> nat) (next : adversary query) (n : nat)
  (data : list (row key record)) : law transcript :=
  classic_session plan n next (verdicts k classes learn h data).

Lemma meter_views : forall plan claim, certified plan claim ->
  forall query (next : adversary query) n view view', close view view' ->
  within (FumataEpsilon claim) (FumataDelta claim)
    (meter_session (plan_silence plan) (Z.to_nat (plan_limit plan)) n next view)
    (meter_session (plan_silence plan) (Z.to_nat (plan_limit plan)) n next view').
Proof.
  intros plan claim H query next n view view' Hclose S. rewrite !meter_session_is_released. revert S.
  apply released_within; [apply plan_in_range; apply H|].
  apply within_weaken with (delta := delta_M (Z.to_nat (claim_alpha claim)) (FumataPrice claim)
    (Z.to_nat (plan_limit plan)) (silence (plan_silence plan) 1) (FumataEpsilon claim)).
  - apply certified_delta. exact H.
  - apply theorem_M; [apply certified_priced; exact H|exact Hclose].
Qed.

Lemma classic_views : forall plan claim, certified_classic plan claim ->
  forall query (next : adversary query) n view view', close view view' ->
  within (FumataEpsilon claim) (FumataDelta claim)
    (classic_session plan n next view) (classic_session plan n next view').
Proof.
  intros plan claim H query next n view view' Hclose S. rewrite !classic_session_is_released.
  destruct (certified_classic_delta plan claim H) as [x1 [x2 [x [Ht [Hx Hd]]]]].
  destruct H as [Hp [[_ [_ [_ Ha]]] _]].
  rewrite !released_is_classic by exact Hp.
  pose proof (theorem_C query (noises_of plan) x1 x2 x (Z.to_nat (claim_alpha claim)) (Z.to_nat (classic_limit plan))
    (FumataEpsilon claim) Ht Hx ltac:(lia) next view view' n Hclose S) as T.
  lra.
Qed.

(* The meter, for every assignment h of keys to teachers: the rows of one unit added, removed, or changed. *)
Theorem certified_meter_is_private :
  forall (plan : fumata_meter_plan) (claim : fumata_claim), certified plan claim ->
  forall (key record query : Type) (k classes : nat) (learn : learner key record query) (h : key -> nat),
  2 <= classes -> (forall x, h x < k) ->
  forall (next : adversary query) (n : nat) (data data' : list (row key record)), neighbours data data' ->
  forall S : transcript -> bool,
  (Pr (meter_transcript plan k classes learn h next n data) S <=
   exp (FumataEpsilon claim) * Pr (meter_transcript plan k classes learn h next n data') S + FumataDelta claim)%R.
Proof.
  intros plan claim H key record query k classes learn h Hc Hh next n data data' Hn.
  apply meter_views; [exact H|]. apply units_close; assumption.
Qed.

(* The meter, for a uniform secret assignment: also one unit exchanged for one with another key. *)
Theorem certified_meter_is_private_mixed :
  forall (plan : fumata_meter_plan) (claim : fumata_claim), certified plan claim ->
  forall (record query : Type) (keys k classes : nat) (learn : learner nat record query),
  2 <= classes -> 1 <= k ->
  forall (next : adversary query) (n : nat) (data data' : list (row nat record)),
  neighbours_any keys data data' ->
  forall S : transcript -> bool,
  let mean data := mixture (assignments keys k)
    (fun a => meter_transcript plan k classes learn (assigned a) next n data) in
  (Pr (mean data) S <= exp (FumataEpsilon claim) * Pr (mean data') S + FumataDelta claim)%R.
Proof.
  intros plan claim H record query keys k classes learn Hc Hk next n data data' Hn S.
  exact (units_mixed record query k classes keys learn
    (meter_session (plan_silence plan) (Z.to_nat (plan_limit plan)) n next)
    (FumataEpsilon claim) (FumataDelta claim) Hc Hk (meter_views plan claim H query next n) data data' Hn S).
Qed.

(* Classic, for every assignment. *)
Theorem certified_classic_is_private :
  forall (plan : fumata_classic_plan) (claim : fumata_claim), certified_classic plan claim ->
  forall (key record query : Type) (k classes : nat) (learn : learner key record query) (h : key -> nat),
  2 <= classes -> (forall x, h x < k) ->
  forall (next : adversary query) (n : nat) (data data' : list (row key record)), neighbours data data' ->
  forall S : transcript -> bool,
  (Pr (classic_transcript plan k classes learn h next n data) S <=
   exp (FumataEpsilon claim) * Pr (classic_transcript plan k classes learn h next n data') S + FumataDelta claim)%R.
Proof.
  intros plan claim H key record query k classes learn h Hc Hh next n data data' Hn.
  apply classic_views; [exact H|]. apply units_close; assumption.
Qed.

(* Classic, for a uniform secret assignment. *)
Theorem certified_classic_is_private_mixed :
  forall (plan : fumata_classic_plan) (claim : fumata_claim), certified_classic plan claim ->
  forall (record query : Type) (keys k classes : nat) (learn : learner nat record query),
  2 <= classes -> 1 <= k ->
  forall (next : adversary query) (n : nat) (data data' : list (row nat record)),
  neighbours_any keys data data' ->
  forall S : transcript -> bool,
  let mean data := mixture (assignments keys k)
    (fun a => classic_transcript plan k classes learn (assigned a) next n data) in
  (Pr (mean data) S <= exp (FumataEpsilon claim) * Pr (mean data') S + FumataDelta claim)%R.
Proof.
  intros plan claim H record query keys k classes learn Hc Hk next n data data' Hn S.
  exact (units_mixed record query k classes keys learn (classic_session plan n next)
    (FumataEpsilon claim) (FumataDelta claim) Hc Hk (classic_views plan claim H query next n) data data' Hn S).
Qed.

(* A strategy that tosses coins of its own is a mixture of strategies that do not, and gains nothing. *)
Theorem random_strategy_gains_nothing : forall query (strategies : list (adversary query))
  (P Q : adversary query -> law transcript) epsilon delta, strategies <> [] ->
  (forall next, within epsilon delta (P next) (Q next)) ->
  within epsilon delta (mixture strategies P) (mixture strategies Q).
Proof.
  intros query strategies P Q epsilon delta Hn H.
  apply within_mixture with (match_with := fun next => next); [exact Hn|rewrite map_id; reflexivity|].
  intros next _. apply H.
Qed.
