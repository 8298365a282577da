(* specs/certify_total.acsl *)
From Coq Require Import ZArith.
From Fumata Require Import SpecRound SpecPlan.
Local Open Scope Z_scope.

Definition FumataOtherCoins (coins : Z) : Z := 18446744073709551616 - coins.

Definition FumataRatioUp (a b : Z) : fumata_number := FumataDivUp (FumataShareUp a) (FumataShareDown b).

Definition FumataRatioDown (a b : Z) : fumata_number := FumataDivDown (FumataShareDown a) (FumataShareUp b).

Definition FumataInverseUp (b : Z) : fumata_number := FumataDivUp (FumataWholeUp 1) (FumataShareDown b).

Definition FumataPeakUp (alpha : Z) : fumata_number :=
  FumataMulUp (FumataDivUp (FumataWholeUp 1) (FumataWholeDown alpha))
    (FumataPowUp (FumataDivUp (FumataWholeUp (alpha - 1)) (FumataWholeDown alpha)) (alpha - 1)).

Definition FumataExponentDown (num den alpha : Z) : fumata_number :=
  FumataDivDown (FumataWholeDown (num * (alpha - 1))) (FumataWholeUp (den * 65536)).

Definition FumataParabolaDown (y : fumata_number) : fumata_number :=
  FumataAddDown (FumataWholeDown 1) (FumataAddDown y (FumataDivDown (FumataMulDown y y) (FumataWholeUp 2))).

Definition FumataExpDown (num den alpha : Z) : fumata_number :=
  FumataPowDown (FumataParabolaDown (FumataExponentDown num den alpha)) 65536.

Definition FumataMomentUp (alpha limit : Z) (growth : fumata_number) : fumata_number :=
  FumataMulUp (FumataPeakUp alpha) (FumataPowUp growth limit).

Definition FumataLeftDown (num den limit : Z) (loss : fumata_number) : fumata_number :=
  FumataSubDown (FumataDivDown (FumataWholeDown num) (FumataWholeUp den)) (FumataMulUp (FumataWholeUp limit) loss).

Definition FumataTotal (claim : fumata_claim) (limit : Z) (growth loss : fumata_number) : Prop :=
  let left := FumataLeftDown (claim_delta_num claim) (claim_delta_den claim) limit loss in
  number_mantissa left <> 0 /\
  FumataLe (FumataMomentUp (claim_alpha claim) limit growth)
    (FumataMulDown left (FumataExpDown (claim_epsilon_num claim) (claim_epsilon_den claim) (claim_alpha claim))).
