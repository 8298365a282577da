(* specs/certify_classic.acsl *)
From Coq Require Import ZArith Lia List.
From Fumata Require Import SpecBase SpecNoise SpecPlan SpecRound SpecCertifyTotal.
Local Open Scope Z_scope.

Definition FumataCoins (cdf : list Z) (size j : Z) : Z :=
  if j <=? 0 then cdf.[0] else if j <? size then cdf.[j] - cdf.[j - 1] else FumataOtherCoins cdf.[size - 1].

Definition FumataReach (cdf : list Z) (size j : Z) : Z :=
  if j <=? 0 then cdf.[0] else if j <? size then cdf.[j] else 18446744073709551616.

Definition FumataEachOwned (cdf : list Z) (size n : Z) : Prop :=
  forall j, 0 <= j < n -> 1 <= FumataCoins cdf size j.

Fixpoint FumataThresholdUp_at (fuel : nat) (cdf : list Z) (size n : Z) : fumata_number :=
  match fuel with
  | O => FumataWholeUp 1
  | S rest => FumataLarger (FumataThresholdUp_at rest cdf size (n - 1))
                (FumataRatioUp (FumataCoins cdf size n) (FumataCoins cdf size (n - 1)))
  end.
Definition FumataThresholdUp (cdf : list Z) (size n : Z) : fumata_number :=
  FumataThresholdUp_at (Z.to_nat n) cdf size n.
Lemma FumataThresholdUp_acsl : forall cdf size n, FumataThresholdUp cdf size n =
  if n <=? 0 then FumataWholeUp 1
  else FumataLarger (FumataThresholdUp cdf size (n - 1))
         (FumataRatioUp (FumataCoins cdf size n) (FumataCoins cdf size (n - 1))).
Proof.
  intros cdf size n. unfold FumataThresholdUp. destruct (Z.leb_spec n 0).
  - replace (Z.to_nat n) with O by lia. reflexivity.
  - replace (Z.to_nat n) with (S (Z.to_nat (n - 1))) by lia. reflexivity.
Qed.

Definition FumataReachUp (cdf : list Z) (size j : Z) : fumata_number :=
  if j <? size then FumataRatioUp (FumataReach cdf size j) (FumataReach cdf size (j - 2))
  else FumataInverseUp (FumataReach cdf size (j - 2)).

Fixpoint FumataQueryUp_at (fuel : nat) (cdf : list Z) (size n : Z) : fumata_number :=
  match fuel with
  | O => FumataWholeUp 1
  | S rest => FumataLarger (FumataQueryUp_at rest cdf size (n - 1)) (FumataReachUp cdf size n)
  end.
Definition FumataQueryUp (cdf : list Z) (size n : Z) : fumata_number := FumataQueryUp_at (Z.to_nat n) cdf size n.
Lemma FumataQueryUp_acsl : forall cdf size n, FumataQueryUp cdf size n =
  if n <=? 0 then FumataWholeUp 1 else FumataLarger (FumataQueryUp cdf size (n - 1)) (FumataReachUp cdf size n).
Proof.
  intros cdf size n. unfold FumataQueryUp. destruct (Z.leb_spec n 0).
  - replace (Z.to_nat n) with O by lia. reflexivity.
  - replace (Z.to_nat n) with (S (Z.to_nat (n - 1))) by lia. reflexivity.
Qed.

Definition FumataMissUp (loss : fumata_number) (coins beats : Z) : fumata_number :=
  if ((coins >? 0) && (beats >? 0))%bool
  then FumataAddUp loss (FumataMulUp (FumataShareUp coins) (FumataShareUp beats)) else loss.

Fixpoint FumataLossUp_at (fuel : nat) (a : list Z) (size_a : Z) (b : list Z) (size_b shift n : Z) : fumata_number :=
  match fuel with
  | O => FumataShareUp a.[0]
  | S rest => FumataMissUp (FumataLossUp_at rest a size_a b size_b shift (n - 1)) (FumataCoins a size_a (n - 1))
                (FumataOtherCoins (FumataReach b size_b (shift + (n - 1))))
  end.
Definition FumataLossUp (a : list Z) (size_a : Z) (b : list Z) (size_b shift n : Z) : fumata_number :=
  FumataLossUp_at (Z.to_nat n) a size_a b size_b shift n.
Lemma FumataLossUp_acsl : forall a size_a b size_b shift n, FumataLossUp a size_a b size_b shift n =
  if n <=? 0 then FumataShareUp a.[0]
  else FumataMissUp (FumataLossUp a size_a b size_b shift (n - 1)) (FumataCoins a size_a (n - 1))
         (FumataOtherCoins (FumataReach b size_b (shift + (n - 1)))).
Proof.
  intros a size_a b size_b shift n. unfold FumataLossUp. destruct (Z.leb_spec n 0).
  - replace (Z.to_nat n) with O by lia. reflexivity.
  - replace (Z.to_nat n) with (S (Z.to_nat (n - 1))) by lia. reflexivity.
Qed.

Definition FumataResponseUp (x : fumata_number) (alpha : Z) : fumata_number :=
  FumataDivUp (FumataAddUp (FumataPowUp x alpha) (FumataPowUp (FumataDivUp (FumataWholeUp 1) x) (alpha - 1)))
    (FumataAddDown (FumataWholeDown 1) x).

Definition FumataClassicRatioUp (plan : fumata_classic_plan) : fumata_number :=
  FumataMulUp
    (FumataThresholdUp (noise_cdf (classic_plan_threshold plan)) (noise_size (classic_plan_threshold plan))
       (noise_size (classic_plan_threshold plan)))
    (FumataQueryUp (noise_cdf (classic_plan_query plan)) (noise_size (classic_plan_query plan))
       (noise_size (classic_plan_query plan) + 1)).

Definition FumataClassicLossUp (plan : fumata_classic_plan) : fumata_number :=
  FumataLossUp (noise_cdf (classic_plan_threshold plan)) (noise_size (classic_plan_threshold plan))
    (noise_cdf (classic_plan_query plan)) (noise_size (classic_plan_query plan))
    (classic_plan_width plan + noise_first (classic_plan_threshold plan) - noise_first (classic_plan_query plan))
    (noise_size (classic_plan_threshold plan) + 1).

Definition FumataClassicTotal (plan : fumata_classic_plan) (claim : fumata_claim) : Prop :=
  FumataTotal claim (classic_plan_limit plan) (FumataResponseUp (FumataClassicRatioUp plan) (claim_alpha claim))
    (FumataClassicLossUp plan).

Definition FumataClassicIsCertified (plan : fumata_classic_plan) (claim : fumata_claim) : Prop :=
  FumataClaimOk claim /\ FumataClassicPlanOk plan /\
  FumataEachOwned (noise_cdf (classic_plan_threshold plan)) (noise_size (classic_plan_threshold plan))
    (noise_size (classic_plan_threshold plan)) /\
  1 <= (noise_cdf (classic_plan_query plan)).[0] /\
  FumataClassicTotal plan claim.
