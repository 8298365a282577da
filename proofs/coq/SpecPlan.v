(* specs/plan.acsl *)
From Coq Require Import ZArith List.
From Fumata Require Import SpecBase SpecNoise.
Local Open Scope Z_scope.

Record fumata_meter_plan := { meter_plan_silence : list Z; meter_plan_limit : Z }.
Definition meter_plan_size (plan : fumata_meter_plan) : Z := Z.of_nat (length (meter_plan_silence plan)).

Record fumata_classic_plan := {
  classic_plan_threshold : fumata_noise;
  classic_plan_query : fumata_noise;
  classic_plan_width : Z;
  classic_plan_limit : Z
}.

Record fumata_claim := {
  claim_epsilon_num : Z; claim_epsilon_den : Z;
  claim_delta_num : Z; claim_delta_den : Z;
  claim_alpha : Z;
  claim_v : Z
}.

Definition FumataSilenceTable (silence : list Z) (size : Z) : Prop :=
  (forall i, 0 <= i < size -> 1 <= silence.[i]) /\
  (forall i, 0 < i < size -> silence.[i] <= silence.[i - 1]).

Definition FumataTableSizeOk (size : Z) : Prop := 1 <= size <= FUMATA_TABLE_MAX.

Definition FumataLimitOk (limit : Z) : Prop := 1 <= limit <= FUMATA_SILENCES_MAX.

Definition FumataWidthOk (width : Z) : Prop := - FUMATA_NOISE_RANGE <= width <= FUMATA_NOISE_RANGE.

Definition FumataMeterPlanOk (plan : fumata_meter_plan) : Prop :=
  FumataTableSizeOk (meter_plan_size plan) /\
  valid_read (meter_plan_silence plan) (meter_plan_size plan) /\
  FumataLimitOk (meter_plan_limit plan) /\
  FumataSilenceTable (meter_plan_silence plan) (meter_plan_size plan).

Definition FumataClassicPlanOk (plan : fumata_classic_plan) : Prop :=
  FumataNoiseOk (classic_plan_threshold plan) /\ FumataNoiseOk (classic_plan_query plan) /\
  FumataWidthOk (classic_plan_width plan) /\
  FumataLimitOk (classic_plan_limit plan).

Definition FumataClaimOk (claim : fumata_claim) : Prop :=
  1 <= claim_epsilon_num claim /\ 1 <= claim_epsilon_den claim /\
  1 <= claim_delta_num claim < claim_delta_den claim /\
  2 <= claim_alpha claim <= FUMATA_ALPHA_MAX.

Definition FumataMeterClaimOk (claim : fumata_claim) : Prop :=
  FumataClaimOk claim /\ 4294967296 <= claim_v claim.
