(* specs/noise.acsl *)
From Coq Require Import ZArith List.
From Fumata Require Import SpecBase.
Local Open Scope Z_scope.

Record fumata_noise := { noise_cdf : list Z; noise_first : Z }.
Definition noise_size (noise : fumata_noise) : Z := Z.of_nat (length (noise_cdf noise)).

Definition FumataNeverFalls (cdf : list Z) (size : Z) : Prop :=
  forall i j, 0 <= i <= j /\ j < size -> cdf.[i] <= cdf.[j].

Definition FumataNoiseOk (noise : fumata_noise) : Prop :=
  1 <= noise_size noise <= FUMATA_NOISE_MAX /\
  - FUMATA_NOISE_RANGE <= noise_first noise <= FUMATA_NOISE_RANGE /\
  valid_read (noise_cdf noise) (noise_size noise) /\
  FumataNeverFalls (noise_cdf noise) (noise_size noise).

Definition FumataNoiseLow (noise : fumata_noise) (j : Z) : Z :=
  if j =? 0 then 0 else (noise_cdf noise).[j - 1].

Definition FumataNoiseHigh (noise : fumata_noise) (j : Z) : Z :=
  if j =? noise_size noise then 18446744073709551616 else (noise_cdf noise).[j].

Definition FumataNoiseOwns (noise : fumata_noise) (j coin : Z) : Prop :=
  0 <= j <= noise_size noise /\ FumataNoiseLow noise j <= coin < FumataNoiseHigh noise j.
