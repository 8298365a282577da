(* The machines of Machine.v, MachineCount.v and PollMachine.v as an OCaml program, which proofs/scripts runs against the C code. *)
From Coq Require Import Extraction ExtrOcamlBasic.
From Fumata Require Import SpecMachine Machine MachineCount PollMachine.
Set Warnings "-extraction-default-directory".
Extraction "machine.ml" meter_starts meter_pays meter_replies meter_ends toll_starts toll_pays toll_sells toll_ends
  budget_starts classic_starts classic_pays classic_replies classic_ends count_begins count_releases
  poll_starts poll_resumes poll_votes poll_votes_listed poll_stores poll_answers poll_clears poll_ends.
