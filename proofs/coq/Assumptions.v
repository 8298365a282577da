(* What the final theorems rest on; the build compares this with expected_assumptions. *)
From Fumata Require Import Final.
Definition final_theorems :=
  (certified_meter_is_private, certified_meter_is_private_mixed,
   certified_classic_is_private, certified_classic_is_private_mixed).
Print Assumptions final_theorems.
