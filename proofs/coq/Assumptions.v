(* What the final theorems rest on; the build compares this with expected_assumptions. The propositions are named before any proof
   is there: what Statement.v says has that meaning, whatever a later file calls by the same name. *)
From Fumata Require Import Statement.
Definition meter_stated := certified_meter_is_private.
Definition toll_stated := certified_toll_is_private.
Definition budget_stated := certified_budget_is_private.
Definition classic_stated := certified_classic_is_private.
Definition count_stated := certified_count_is_private.
Definition poll_stated := certified_poll_is_private.
Definition ledger_stated := ledger_is_private.
Definition one_key_stated := ledger_of_one_key_is_private.
Definition one_answer_stated := one_answer_is_safe.
Definition with_polls_stated := ledger_with_polls_is_private.
From Fumata Require Import Final Count OneLedger PollToll PollLedger TracesGoOn Ceiling.
Definition statement_proved : meter_stated /\ toll_stated /\ budget_stated /\ classic_stated /\ count_stated /\ poll_stated /\
    ledger_stated /\ one_key_stated /\ one_answer_stated /\ with_polls_stated :=
  conj meter_is_private (conj toll_is_private (conj budget_is_private (conj classic_is_private (conj count_is_private
  (conj poll_is_private (conj ledger_adds_up (conj ledger_of_one_key (conj one_answer_safe ledger_with_polls)))))))).
Definition final_theorems := (statement_proved, count_in_a_ledger, turns_are_private, turns_of_one_key,
  theorem_T_of_N, all_asked_is_toll, changed_in_a_ledger, turns_with_a_poll,
  ledger_of_the_core_is_private,
  meter_lives, toll_lives, budget_lives, classic_lives, lives_continue, counters_count).
Print Assumptions final_theorems.
