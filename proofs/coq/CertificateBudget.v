(* A meter and a toll that the core accepts in one budget (specs/certify_budget.acsl): each satisfies its own hypotheses,
   and Theorem J's delta is at most the claimed one. *)
From Coq Require Import Reals Lra Lia Psatz ZArith List Bool.
From Fumata Require Import SpecBase SpecPlan SpecRound SpecCertifyTotal SpecCertifyMeter SpecCertifyToll
  SpecCertifyBudget Statement Power Divergence Game TheoremM Coins Rounding CertificateTotal CertificateMeter
  CertificateToll.
Import ListNotations.
Local Open Scope R_scope.
Local Opaque FumataMulUp FumataMulDown FumataDivUp FumataDivDown FumataAddUp FumataAddDown FumataSubDown FumataPowUp
  FumataPowDown FumataWholeUp FumataWholeDown FumataShareUp FumataShareDown FumataFixedUp FumataFixedDown.

Theorem certified_budget_delta : forall plan claim, fumata_claim_fits claim -> FumataBudgetIsCertified plan claim ->
  delta_J (Z.to_nat (claim_alpha claim)) (price claim) (Z.to_nat (meter_plan_limit (budget_plan_meter plan)))
    (answer_price claim) (Z.to_nat (toll_plan_limit (budget_plan_toll plan)))
    (silence (meter_plan_silence (budget_plan_meter plan)) 1) (epsilon_of claim) <= delta_of claim.
Proof.
  intros [meter toll] claim Hfit [[[Hclaim Hv] [Hp _]] [[[_ Hu] [[_ [_ [Hl' _]]] _]] Htotal]].
  cbn [budget_plan_meter budget_plan_toll] in *.
  assert (Wv : word (claim_v claim)) by (unfold word, fumata_claim_fits in *; lia).
  assert (Wu : word (claim_u claim)) by (unfold word, fumata_claim_fits in *; lia).
  assert (HV : 0 <= price claim) by (unfold price; apply IZR_le in Hv; lra).
  assert (HU : 0 <= answer_price claim) by (unfold answer_price; apply IZR_le in Hu; lra).
  assert (Ha : (2 <= claim_alpha claim <= 4096)%Z) by (unfold FumataClaimOk, FUMATA_ALPHA_MAX in *; lia).
  pose proof Hp as [Hs [_ [Hl _]]]. unfold FumataTableSizeOk, meter_plan_size in Hs.
  assert (W0 : word (at_index (meter_plan_silence meter) 0)).
  { apply plan_entry; [exact Hp|]. unfold meter_plan_size. lia. }
  pose proof (share_pos _ (other_word _ W0)) as S0.
  assert (Hl1 : (1 <= meter_plan_limit meter)%Z) by (unfold FumataLimitOk in Hl; lia).
  assert (Hl2 : (1 <= toll_plan_limit toll)%Z) by (unfold FumataAnswersOk in Hl'; lia).
  assert (M : above (FumataBudgetMomentUp meter toll claim)
    (c_of (Z.to_nat (claim_alpha claim)) * price claim ^ Z.to_nat (meter_plan_limit meter) *
     answer_price claim ^ Z.to_nat (toll_plan_limit toll))).
  { unfold FumataBudgetMomentUp. pose proof (c_of_pos (Z.to_nat (claim_alpha claim)) ltac:(lia)) as C.
    apply mul_up; [apply moment_up; try assumption; apply fixed_up; exact Wv|
      apply pow_up; [lia|apply fixed_up; exact Wu|exact HU]| |apply pow_le; exact HU].
    apply Rmult_le_pos; [lra|apply pow_le; exact HV]. }
  pose proof (fits_sound claim _ _ _ _ Hfit Hclaim
    (left_sound claim (meter_plan_limit meter) _ _ Hfit Hclaim Hl (share_upper _ (other_word _ W0)) ltac:(lra))
    M Htotal) as T.
  unfold delta_J. rewrite silence_is_share by lia.
  replace (Z.of_nat (Nat.min 1 (length (meter_plan_silence meter))) - 1)%Z with 0%Z by lia.
  rewrite (INR_IZR_INZ (Z.to_nat (meter_plan_limit meter))), Z2Nat.id by lia.
  rewrite other_share in T. lra.
Qed.

Corollary certified_budget_parts : forall plan claim, FumataBudgetIsCertified plan claim ->
  FumataMeterIsCertified (budget_plan_meter plan) claim /\ FumataTollIsCertified (budget_plan_toll plan) claim.
Proof. intros plan claim [H1 [H2 _]]. split; assumption. Qed.
