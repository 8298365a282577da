(* From teachers to Theorem M: k teachers vote on each query, and one of them is replaced by any other. *)
From Coq Require Import Reals Lia List.
From Fumata Require Import Divergence Meter TheoremM Ballot.
Import ListNotations.

(* A trained teacher is what it votes. *)
Definition teacher (query : Type) := query -> nat.

(* The private data, once the teachers are trained: how each query is decided. *)
Definition ensemble {query} (classes : nat) (teachers : list (teacher query)) : query -> verdict :=
  fun q => decide classes (map (fun t => t q) teachers).

(* One teacher changed, the others and their order kept. *)
Definition one_teacher_changed {query} (teachers teachers' : list (teacher query)) : Prop :=
  exists before after t t', teachers = before ++ t :: after /\ teachers' = before ++ t' :: after.

Theorem teachers_close : forall query classes (teachers teachers' : list (teacher query)), 2 <= classes ->
  one_teacher_changed teachers teachers' -> close (ensemble classes teachers) (ensemble classes teachers').
Proof.
  intros query classes teachers teachers' Hc [before [after [t [t' [-> ->]]]]] q.
  unfold ensemble. rewrite !map_app. simpl. apply lemma_1. exact Hc.
Qed.

(* The pipeline votes -> counts -> (winner, distance) -> meter, one vote of each ballot changed. *)
Theorem voters_private : forall query p alpha V limit epsilon, priced p alpha V ->
  forall classes, 2 <= classes ->
  forall (next : adversary query) (teachers teachers' : list (teacher query)) n,
  one_teacher_changed teachers teachers' ->
  within epsilon (delta_M alpha V limit (p 1) epsilon)
    (game_law p limit n next (ensemble classes teachers)) (game_law p limit n next (ensemble classes teachers')).
Proof.
  intros query p alpha V limit epsilon Hp classes Hc next teachers teachers' n H.
  apply theorem_M; [exact Hp|]. apply teachers_close; assumption.
Qed.
