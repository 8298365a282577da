(* What the tables of a plan say: how likely a meter is to be silent at a distance, and a toll to name the winner at a
   margin. *)
From Coq Require Import Reals ZArith List Bool.
From Fumata Require Import Statement.
From Fumata Require Export Game.
Import ListNotations.

(* How many words mean silence at distance d, at distance 0 all of them; and how many name the winner, at margin 0 half
   of them. *)
Definition silent_words (table : list Z) (d : nat) : Z := if d =? 0 then words else entry table d.
Definition named_words (table : list Z) (d : nat) : Z := if d =? 0 then (2 ^ 63)%Z else entry table d.

Local Open Scope R_scope.

Definition silence (table : list Z) (d : nat) : R := IZR (silent_words table d) / IZR words.
Definition naming (table : list Z) (d : nat) : R := IZR (named_words table d) / IZR words.

(* The law of what a budget releases: at most so many silences and answers, any number n of moves. *)
Definition budget_law {query} (table toll : list Z) (limit answers n : nat) (next : adversary query) lost
  (view : query -> verdict) (face : query -> duel) : law transcript :=
  joint_law (silence table) (naming toll) limit answers n next lost view face.

Theorem budget_silences : forall query table toll limit answers n (next : adversary query) lost view face h w,
  In (h, w) (budget_law table toll limit answers n next lost view face) -> (silences h <= limit)%nat.
Proof. intros. apply game_silences in H. simpl in H. exact H. Qed.
