(* The theorems that Statement.v states. Of meters that are asked in any order, one resumed between the questions of
   another, InterleavedMeter.v says the same as the ledger does of releases one after the other. *)
From Coq Require Import Reals Lra ZArith Lia List.
From Fumata Require Import SpecPlan SpecCertifyMeter SpecCertifyClassic Statement Divergence Uniform Meter TheoremM
  Units Coins Classic CertificateTotal CertificateMeter CertificateClassic ClassicCoins Session Composition.
Import ListNotations.
Local Open Scope R_scope.

Lemma meter_views : forall plan claim, fumata_claim_fits claim -> FumataMeterIsCertified plan claim ->
  forall query (next : adversary query) closes n view view', close view view' ->
  within (epsilon_of claim) (delta_of claim)
    (session (meter plan) n next closes view) (session (meter plan) n next closes view').
Proof.
  intros plan claim Hfit H query next closes n view view' Hclose S. rewrite !meter_session_is_released. revert S.
  apply released_within; [apply plan_in_range; apply H|].
  apply within_weaken with (delta := delta_M (Z.to_nat (claim_alpha claim)) (price claim)
    (Z.to_nat (meter_plan_limit plan)) (silence (meter_plan_silence plan) 1) (epsilon_of claim)).
  - apply certified_delta; assumption.
  - apply theorem_M; [apply certified_priced; assumption|exact Hclose].
Qed.

Lemma classic_views : forall plan claim, fumata_claim_fits claim -> FumataClassicIsCertified plan claim ->
  forall query (next : adversary query) n view view', close view view' ->
  within (epsilon_of claim) (delta_of claim) (classic_session plan n next view) (classic_session plan n next view').
Proof.
  intros plan claim Hfit H query next n view view' Hclose S. rewrite !classic_session_is_released.
  destruct (certified_classic_delta plan claim Hfit H) as [x1 [x2 [x [Ht [Hx Hd]]]]].
  destruct H as [[_ [_ [_ Ha]]] [Hp _]].
  rewrite !released_is_classic by exact Hp.
  pose proof (theorem_C query (noises_of plan) x1 x2 x (Z.to_nat (claim_alpha claim)) (Z.to_nat (classic_plan_limit
    plan))
    (epsilon_of claim) Ht Hx ltac:(lia) next view view' n Hclose S) as T.
  lra.
Qed.

(* What is private for close views is private for data. *)
Lemma views_keep : forall claim (release : forall query, adversary query -> (query -> verdict) -> law transcript),
  (forall query next view, is_law (release query next view)) ->
  (forall query next view view', close view view' ->
     within (epsilon_of claim) (delta_of claim) (release query next view) (release query next view')) ->
  keeps claim release.
Proof.
  intros claim release L H. split.
  - intros key record query word next. split; [intros data; apply L|]. intros data data' Hn. apply H.
    apply units_close. exact Hn.
  - intros record query keys runs next. split.
    + intros data. apply is_law_mixture; [apply secrets_nonempty|]. intros secret. apply L.
    + intros data data' Hn. apply (units_mixed record query keys runs (release _ next)); [apply H|exact Hn].
Qed.

Theorem meter_is_private : certified_meter_is_private.
Proof.
  intros plan claim n closes Hfit H.
  apply (views_keep claim (fun _ next view => session (meter plan) n next closes view)).
  - intros. apply session_is_law.
  - intros. apply meter_views; assumption.
Qed.

Theorem classic_is_private : certified_classic_is_private.
Proof.
  intros plan claim n Hfit H.
  apply (views_keep claim (fun _ next view => classic_session plan n next view)).
  - intros. apply classic_session_is_law.
  - intros. apply classic_views; assumption.
Qed.

Theorem ledger_adds_up : ledger_is_private.
Proof. exact ledger_composes. Qed.

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
