(* What the final theorems rest on; the build compares this with expected_assumptions. *)
From Fumata Require Import Final TakingTurns Count.
Definition final_theorems :=
  (meter_is_private, toll_is_private, budget_is_private, classic_is_private, ledger_adds_up,
   certified_jobs_add_up, certified_jobs_add_up_secretly,
   count_is_private, count_in_a_ledger).
Print Assumptions final_theorems.
