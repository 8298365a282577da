(* The theorems that Statement.v states. Of sessions that are asked in any order, one resumed between the questions of
   another, TakingTurns.v says the same as the ledger does of releases one after the other. *)
From Coq Require Import Reals Lra ZArith Lia List.
From Fumata Require Import SpecPlan SpecCertifyMeter SpecCertifyToll SpecCertifyBudget SpecCertifyClassic Statement
  Divergence Uniform Game TheoremM Units Coins Classic CertificateTotal CertificateMeter CertificateToll
  CertificateBudget CertificateClassic ClassicCoins Session Composition.
Import ListNotations.
Local Open Scope R_scope.

(* What the game keeps for close views and faces, a life keeps for close sights. *)
Lemma budget_sights : forall silence naming silences answers epsilon delta, in_range silence -> in_range naming ->
  (forall query (next : strategy query) view view' face face' n, close view view' -> close_faces face face' ->
     within epsilon delta
       (joint_law (Coins.silence silence) (Coins.naming naming) (Z.to_nat silences) (Z.to_nat answers) n next view face)
       (joint_law (Coins.silence silence) (Coins.naming naming) (Z.to_nat silences) (Z.to_nat answers) n next view'
          face')) ->
  forall n query (next : adversary query) look look', close_sights look look' ->
  within epsilon delta (session (budget silence naming silences answers) n query next look)
    (session (budget silence naming silences answers) n query next look').
Proof.
  intros silence naming silences answers epsilon delta Hs Hn H n query next look look' [Hv Hf] S.
  rewrite !session_is_joint by assumption. apply H; assumption.
Qed.

Lemma classic_sights : forall plan claim, fumata_claim_fits claim -> FumataClassicIsCertified plan claim ->
  forall n query (next : adversary query) look look', close_sights look look' ->
  within (epsilon_of claim) (delta_of claim) (classic_session plan n query next look)
    (classic_session plan n query next look').
Proof.
  intros plan claim Hfit H n query next look look' [Hclose _] S. rewrite !classic_session_is_released.
  destruct (certified_classic_delta plan claim Hfit H) as [x1 [x2 [x [Ht [Hx Hd]]]]].
  destruct H as [[_ [_ [_ Ha]]] [Hp _]]. rewrite !released_is_classic by exact Hp.
  pose proof (theorem_C query (noises_of plan) x1 x2 x (Z.to_nat (claim_alpha claim))
    (Z.to_nat (classic_plan_limit plan)) (epsilon_of claim) Ht Hx ltac:(lia)
    (classic_granted next (Z.to_nat (classic_plan_limit plan))) (views look) (views look') n Hclose S) as T.
  lra.
Qed.

(* What is private for close sights is private for data. *)
Lemma sights_keep : forall plan (certified : plan -> fumata_claim -> Prop)
  (release : plan -> nat -> forall query, adversary query -> (query -> verdict * duel) -> law transcript),
  (forall p n query next look, is_law (release p n query next look)) ->
  (forall p claim, fumata_claim_fits claim -> certified p claim ->
     forall n query next look look', close_sights look look' ->
     within (epsilon_of claim) (delta_of claim) (release p n query next look) (release p n query next look')) ->
  keeps certified release.
Proof.
  intros plan certified release L H p claim n Hfit Hcert. specialize (H p claim Hfit Hcert n). split.
  - intros key record query word next. split; [intros data; apply L|]. intros data data' Hn. apply H.
    apply units_close. exact Hn.
  - intros record query keys runs next. split.
    + intros data. apply is_law_mixture; [apply secrets_nonempty|]. intros secret. apply L.
    + intros data data' Hn. apply (units_mixed record query keys runs (release p n _ next)); [apply H|exact Hn].
Qed.

Theorem meter_is_private : certified_meter_is_private.
Proof.
  apply sights_keep; [intros; apply session_is_law|]. intros plan claim Hfit H.
  apply budget_sights; [apply plan_in_range, H|apply empty_in_range|]. intros query next view view' face face' n Hv _.
  eapply within_weaken; [apply certified_delta; eassumption|].
  apply theorem_M; [apply certified_priced; assumption|exact Hv].
Qed.

Theorem toll_is_private : certified_toll_is_private.
Proof.
  apply sights_keep; [intros; apply session_is_law|]. intros plan claim Hfit H.
  apply budget_sights; [apply empty_in_range|apply toll_in_range, H|]. intros query next view view' face face' n _ Hf.
  eapply within_weaken; [apply certified_toll_delta; eassumption|].
  apply theorem_T; [apply certified_tolled; assumption|exact Hf].
Qed.

Theorem budget_is_private : certified_budget_is_private.
Proof.
  apply sights_keep; [intros; apply session_is_law|]. intros [m t] claim Hfit H.
  destruct (certified_budget_parts _ _ H) as [Hm Ht]. cbn [budget_plan_meter budget_plan_toll] in *.
  apply budget_sights; [apply plan_in_range, Hm|apply toll_in_range, Ht|].
  intros query next view view' face face' n Hv Hf. eapply within_weaken; [apply certified_budget_delta; eassumption|].
  apply theorem_J; [apply certified_priced|apply certified_tolled| |]; assumption.
Qed.

Theorem classic_is_private : certified_classic_is_private.
Proof. apply sights_keep; [intros; apply classic_session_is_law|exact classic_sights]. Qed.

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
