(* What the final theorems rest on; the build compares this with expected_assumptions. *)
From Fumata Require Import Final Count OneLedger PollToll PollLedger.
Definition final_theorems :=
  (meter_is_private, toll_is_private, budget_is_private, classic_is_private, ledger_adds_up, one_answer_safe,
   count_is_private, count_in_a_ledger, turns_are_private,
   poll_is_private, theorem_T_of_N, all_asked_is_toll, polls_in_a_ledger, changed_in_a_ledger, turns_with_a_poll).
Print Assumptions final_theorems.
