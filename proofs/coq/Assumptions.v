(* What the final theorems rest on; the build compares this with expected_assumptions. *)
From Fumata Require Import Final.
Definition final_theorems := (meter_is_private, classic_is_private, ledger_adds_up).
Print Assumptions final_theorems.
