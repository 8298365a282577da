(* The theorems that Statement.v states. *)
From Coq Require Import Reals Lra ZArith Lia List.
From Fumata Require Import SpecPlan SpecCertifyMeter SpecCertifyToll SpecCertifyBudget SpecCertifyClassic Statement
  Divergence Uniform Game TheoremM Units Coins Classic CertificateTotal CertificateMeter CertificateToll
  CertificateBudget CertificateClassic ClassicCoins Alone Session Safe Ledger Poll.
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
  within epsilon delta (lived (budget silence naming silences answers) n query next look)
    (lived (budget silence naming silences answers) n query next look').
Proof.
  intros silence naming silences answers epsilon delta Hs Hn H n query next look look' [Hv Hf] S.
  rewrite !lived_is_joint by assumption. apply H; assumption.
Qed.

Lemma classic_sights : forall plan claim, fumata_claim_fits claim -> FumataClassicIsCertified plan claim ->
  forall n query (next : adversary query) look look', close_sights look look' ->
  within (epsilon_of claim) (delta_of claim) (classic_lived plan n query next look)
    (classic_lived plan n query next look').
Proof.
  intros plan claim Hfit H n query next look look' [Hclose _] S. rewrite !classic_lived_is_released.
  destruct (certified_classic_delta plan claim Hfit H) as [x1 [x2 [x [Ht [Hx Hd]]]]].
  destruct H as [[_ [_ [_ Ha]]] [Hp _]]. rewrite !released_is_classic by exact Hp.
  pose proof (theorem_C query (noises_of plan) x1 x2 x (Z.to_nat (claim_alpha claim))
    (Z.to_nat (classic_plan_limit plan)) (epsilon_of claim) Ht Hx ltac:(lia)
    (classic_granted next (Z.to_nat (classic_plan_limit plan))) (views look) (views look') n Hclose S) as T.
  lra.
Qed.

(* What lives keep for close sights, sessions keep for data. *)
Lemma sights_keep : forall plan (certified : plan -> fumata_claim -> Prop)
  (opening : plan -> nat -> forall query, (query -> verdict * duel) -> law (process (@move query) answer))
  (lives : plan -> nat -> forall query, adversary query -> (query -> verdict * duel) -> law transcript),
  (forall p n query look k next S, Pr (post (fun o => alone k next o []) (opening p n query look)) S =
     Pr (lives p n query (cut k next) look) (fun t => S (finished k next t))) ->
  (forall p n query look, is_law (opening p n query look)) ->
  (forall p claim, fumata_claim_fits claim -> certified p claim ->
     forall n query next look look', close_sights look look' ->
     within (epsilon_of claim) (delta_of claim) (lives p n query next look) (lives p n query next look')) ->
  keeps certified opening.
Proof.
  intros plan certified opening lives E L H p claim n Hfit Hcert. specialize (H p claim Hfit Hcert n).
  assert (W : forall query k next look look', close_sights look look' -> within (epsilon_of claim) (delta_of claim)
    (post (fun o => alone k next o []) (opening p n query look))
    (post (fun o => alone k next o []) (opening p n query look'))).
  { intros query k next look look' C S. rewrite !E. apply H. exact C. }
  split.
  - intros key record query word k next. split; [intros data; apply is_law_post, L|]. intros data data' Hn. apply W.
    apply units_close. exact Hn.
  - intros record query keys runs k next. split.
    + intros data. apply is_law_post, is_law_mixture; [apply secrets_nonempty|]. intros secret. apply L.
    + intros data data' Hn S. rewrite !Pr_post_mixture.
      apply (units_mixed record query keys runs _ (fun look => post (fun o => alone k next o []) (opening p n _ look)));
        [apply W|exact Hn].
Qed.

Lemma sessions_keep : forall plan (certified : plan -> fumata_claim -> Prop) (M : plan -> machine),
  (forall p claim, fumata_claim_fits claim -> certified p claim ->
     forall n query next look look', close_sights look look' ->
     within (epsilon_of claim) (delta_of claim) (lived (M p) n query next look) (lived (M p) n query next look')) ->
  keeps certified (fun p => session (M p)).
Proof.
  intros plan certified M. apply (sights_keep plan certified _ (fun p => lived (M p)));
    intros; [apply session_is_lived|apply session_is_law].
Qed.

Theorem meter_is_private : certified_meter_is_private.
Proof.
  apply sessions_keep. intros plan claim Hfit H.
  apply budget_sights; [apply plan_in_range, H|apply empty_in_range|]. intros query next view view' face face' n Hv _.
  eapply within_weaken; [apply certified_delta; eassumption|].
  apply theorem_M; [apply certified_priced; assumption|exact Hv].
Qed.

Theorem toll_is_private : certified_toll_is_private.
Proof.
  apply sessions_keep. intros plan claim Hfit H.
  apply budget_sights; [apply empty_in_range|apply toll_in_range, H|]. intros query next view view' face face' n _ Hf.
  eapply within_weaken; [apply certified_toll_delta; eassumption|].
  apply theorem_T; [apply certified_tolled; assumption|exact Hf].
Qed.

Theorem budget_is_private : certified_budget_is_private.
Proof.
  apply sessions_keep. intros [m t] claim Hfit H.
  destruct (certified_budget_parts _ _ H) as [Hm Ht]. cbn [budget_plan_meter budget_plan_toll] in *.
  apply budget_sights; [apply plan_in_range, Hm|apply toll_in_range, Ht|].
  intros query next view view' face face' n Hv Hf. eapply within_weaken; [apply certified_budget_delta; eassumption|].
  apply theorem_J; [apply certified_priced|apply certified_tolled| |]; assumption.
Qed.

Theorem classic_is_private : certified_classic_is_private.
Proof.
  apply (sights_keep _ _ _ classic_lived); [intros; apply mixture_is_lived| |exact classic_sights].
  intros. apply is_law_mixture; [apply tuples_not_nil, words_nonempty|]. intros. apply session_is_law.
Qed.

Theorem poll_is_private : certified_poll_is_private.
Proof. exact poll_keeps. Qed.

Theorem ledger_adds_up : ledger_is_private.
Proof. exact ledger_composes. Qed.

Theorem one_answer_safe : one_answer_is_safe.
Proof. exact once_safe. Qed.

(* A strategy that tosses coins of its own is a mixture of strategies that do not, and gains nothing. *)
Theorem random_strategy_gains_nothing : forall strategy A (strategies : list strategy)
  (P Q : strategy -> law A) epsilon delta, strategies <> [] ->
  (forall next, within epsilon delta (P next) (Q next)) ->
  within epsilon delta (mixture strategies P) (mixture strategies Q).
Proof.
  intros strategy A strategies P Q epsilon delta Hn H.
  apply within_mixture with (match_with := fun next => next); [exact Hn|rewrite map_id; reflexivity|].
  intros next _. apply H.
Qed.
