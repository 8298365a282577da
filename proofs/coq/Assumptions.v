(* What the final theorems rest on; the build compares this with expected_assumptions. *)
From Fumata Require Import Final Count OneLedger TracesGoOn.
Definition final_theorems :=
  (meter_is_private, toll_is_private, budget_is_private, classic_is_private, count_is_private, ledger_adds_up,
   ledger_of_one_key, one_answer_safe, count_in_a_ledger, turns_are_private, turns_of_one_key,
   meter_lives, toll_lives, budget_lives, classic_lives, lives_continue, counters_count).
Print Assumptions final_theorems.
