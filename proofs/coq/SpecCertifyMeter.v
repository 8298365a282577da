(* specs/certify_meter.acsl *)
From Coq Require Import ZArith Lia List.
From Fumata Require Import SpecBase SpecPlan SpecRound SpecCertifyTotal.
Local Open Scope Z_scope.

Fixpoint FumataSeriesUp_at (fuel : nat) (x : fumata_number) : fumata_number :=
  match fuel with
  | O => FumataWholeUp 1
  | S rest => FumataAddUp (FumataWholeUp 1) (FumataMulUp x (FumataSeriesUp_at rest x))
  end.
Definition FumataSeriesUp (x : fumata_number) (n : Z) : fumata_number := FumataSeriesUp_at (Z.to_nat (n - 1)) x.
Lemma FumataSeriesUp_acsl : forall x n, FumataSeriesUp x n =
  if n <=? 1 then FumataWholeUp 1 else FumataAddUp (FumataWholeUp 1) (FumataMulUp x (FumataSeriesUp x (n - 1))).
Proof.
  intros x n. unfold FumataSeriesUp. destruct (Z.leb_spec n 1).
  - replace (Z.to_nat (n - 1)) with O by lia. reflexivity.
  - replace (Z.to_nat (n - 1)) with (S (Z.to_nat (n - 1 - 1))) by lia. reflexivity.
Qed.

Fixpoint FumataSeriesDown_at (fuel : nat) (x : fumata_number) : fumata_number :=
  match fuel with
  | O => FumataWholeDown 1
  | S rest => FumataAddDown (FumataWholeDown 1) (FumataMulDown x (FumataSeriesDown_at rest x))
  end.
Definition FumataSeriesDown (x : fumata_number) (n : Z) : fumata_number := FumataSeriesDown_at (Z.to_nat (n - 1)) x.
Lemma FumataSeriesDown_acsl : forall x n, FumataSeriesDown x n =
  if n <=? 1 then FumataWholeDown 1
  else FumataAddDown (FumataWholeDown 1) (FumataMulDown x (FumataSeriesDown x (n - 1))).
Proof.
  intros x n. unfold FumataSeriesDown. destruct (Z.leb_spec n 1).
  - replace (Z.to_nat (n - 1)) with O by lia. reflexivity.
  - replace (Z.to_nat (n - 1)) with (S (Z.to_nat (n - 1 - 1))) by lia. reflexivity.
Qed.

Definition FumataRoomDown (p r alpha : Z) : fumata_number :=
  if p >? r
  then FumataAddDown (FumataShareDown r)
         (FumataMulDown (FumataShareDown (p - r))
            (FumataSeriesDown (FumataRatioDown (FumataOtherCoins p) (FumataOtherCoins r)) alpha))
  else FumataSubDown (FumataShareDown r)
         (FumataMulUp (FumataShareUp (r - p))
            (FumataSeriesUp (FumataRatioUp (FumataOtherCoins p) (FumataOtherCoins r)) alpha)).

Definition FumataSilentUp (p r alpha : Z) : fumata_number :=
  FumataMulUp (FumataShareUp p) (FumataPowUp (FumataRatioUp p r) (alpha - 1)).

Definition FumataStep (p r alpha v : Z) : Prop :=
  p = r \/
  (let room := FumataRoomDown p r alpha in
   number_mantissa room <> 0 /\ FumataLe (FumataSilentUp p r alpha) (FumataMulDown room (FumataFixedDown v))).

Definition FumataStepAt (silence : list Z) (i alpha v : Z) : Prop :=
  FumataStep silence.[i - 1] silence.[i] alpha v /\ FumataStep silence.[i] silence.[i - 1] alpha v.

Definition FumataSteps (silence : list Z) (size alpha v : Z) : Prop :=
  forall i, 1 <= i < size -> FumataStepAt silence i alpha v.

Definition FumataFirst (p alpha v : Z) : Prop :=
  FumataLe (FumataPowUp (FumataInverseUp p) (alpha - 1)) (FumataFixedDown v).

Definition FumataMeterTotal (plan : fumata_meter_plan) (claim : fumata_claim) : Prop :=
  FumataTotal claim (meter_plan_limit plan) (FumataFixedUp (claim_v claim))
    (FumataShareUp (FumataOtherCoins (meter_plan_silence plan).[0])).

Definition FumataMeterIsCertified (plan : fumata_meter_plan) (claim : fumata_claim) : Prop :=
  FumataMeterClaimOk claim /\ FumataMeterPlanOk plan /\
  FumataSteps (meter_plan_silence plan) (meter_plan_size plan) (claim_alpha claim) (claim_v claim) /\
  FumataFirst (meter_plan_silence plan).[0] (claim_alpha claim) (claim_v claim) /\
  FumataMeterTotal plan claim.
