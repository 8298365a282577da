(* Meter and toll as one game: someone who sees every answer chooses what is asked next and of which of the two, the
   private data say how each query would be decided, the tables say how likely each answer is, and silences and sold
   answers are counted. Weights are numbers of any kind: reals for the theorems, rationals for examples that compute. *)
From Coq Require Import Reals Lra Lia List Bool.
From Fumata Require Import Statement Divergence.
Import ListNotations.

(* Ask the meter, ask the toll, lose silences and answers without looking at anything, or leave. *)
Inductive turn {query : Type} := Meter (q : query) | Toll (q : query) | Forfeit (silences answers : nat) | Leave.
Definition transcript := list answer.   (* the latest first *)
Definition strategy (query : Type) := transcript -> @turn query.

Section Game.
  Variable query : Type.
  Variable number : Type.
  Variable one : number.
  Variable times : number -> number -> number.
  Variable silent : nat -> number.   (* weight of a silence at a distance *)
  Variable label : nat -> number.    (* weight of a label at a distance *)
  Variable first : nat -> number.    (* weight of naming the candidate that is ahead, by its margin *)
  Variable second : nat -> number.   (* weight of naming the other one *)
  Variable next : strategy query.
  Variable view : query -> verdict.  (* the private data, as far as anyone can ask a meter *)
  Variable face : query -> duel.     (* the same, of the two candidates that the query names, for a toll *)

  Definition weigh (w : number) (mu : list (transcript * number)) : list (transcript * number) :=
    map (fun entry => (fst entry, times w (snd entry))) mu.

  (* The law of the transcript after at most n more turns, with c silences and l answers left, when `seen` was seen. *)
  Fixpoint game (n c l : nat) (seen : transcript) : list (transcript * number) :=
    match n with
    | O => [(seen, one)]
    | S m =>
        match next seen with
        | Leave => [(seen, one)]
        | Forfeit s a => game m (c - s) (l - a) (Noted :: seen)
        | Meter q =>
            match c with
            | O => [(seen, one)]
            | S rest => weigh (silent (distance (view q))) (game m rest l (Silent :: seen)) ++
                        weigh (label (distance (view q))) (game m c l (Label (winner (view q)) :: seen))
            end
        | Toll q =>
            match l with
            | O => [(seen, one)]
            | S rest => weigh (first (margin (face q))) (game m c rest (Label (named (face q)) :: seen)) ++
                        weigh (second (margin (face q))) (game m c rest (Label (other (face q)) :: seen))
            end
        end
    end.
End Game.

Local Open Scope R_scope.

(* For any probability p(d) of silence at distance d and w(d) of naming the winner at margin d. *)
Definition joint_game {query} (p w : nat -> R) (next : strategy query) (view : query -> verdict) (face : query -> duel)
  : nat -> nat -> nat -> transcript -> law transcript :=
  game query R 1 Rmult p (fun d => 1 - p d) w (fun d => 1 - w d) next view face.
Definition joint_law {query} (p w : nat -> R) (silences answers n : nat) (next : strategy query)
  (view : query -> verdict) (face : query -> duel) : law transcript :=
  joint_game p w next view face n silences answers [].

(* Two views that one teacher can tell apart: distances differ by at most 1, and winners differ only where both
   distances are 0. *)
Definition close {query} (view view' : query -> verdict) : Prop :=
  forall q, (distance (view q) <= distance (view' q) + 1)%nat /\ (distance (view' q) <= distance (view q) + 1)%nat /\
    (winner (view q) <> winner (view' q) -> distance (view q) = 0%nat /\ distance (view' q) = 0%nat).

Lemma close_sym : forall query (view view' : query -> verdict), close view view' -> close view' view.
Proof.
  intros query view view' H q. destruct (H q) as [H1 [H2 H3]].
  split; [exact H2|]. split; [exact H1|]. intros Hn. destruct H3; auto.
Qed.

Lemma close_refl : forall query (view : query -> verdict), close view view.
Proof. intros query view q. split; [lia|]. split; [lia|]. intros H. contradiction. Qed.

(* The same of two candidates: the one that is ahead may change only where both margins are 0. *)
Definition close_faces {query} (face face' : query -> duel) : Prop :=
  forall q, (margin (face q) <= margin (face' q) + 1)%nat /\ (margin (face' q) <= margin (face q) + 1)%nat /\
    (named (face q) = named (face' q) -> other (face q) = other (face' q)) /\
    (named (face q) <> named (face' q) -> margin (face q) = 0%nat /\ margin (face' q) = 0%nat /\
       named (face q) = other (face' q) /\ other (face q) = named (face' q)).

Lemma close_faces_refl : forall query (face : query -> duel), close_faces face face.
Proof. intros query face q. split; [lia|]. split; [lia|]. split; [reflexivity|]. intros H. contradiction. Qed.

(* Weights between 0 and 1 that add to 1. *)
Lemma game_is_law : forall query p w (next : strategy query) view face n c l seen,
  (forall d, 0 <= p d <= 1) -> (forall d, 0 <= w d <= 1) -> is_law (joint_game p w next view face n c l seen).
Proof.
  intros query p w next view face n c l seen Hp Hw. revert c l seen. unfold joint_game.
  assert (End : forall seen : transcript, is_law [(seen, 1)]).
  { intros seen. split; [repeat constructor; simpl; lra|]. simpl. lra. }
  assert (Two : forall x (mu nu : law transcript), 0 <= x <= 1 -> is_law mu -> is_law nu ->
    is_law (scale x mu ++ scale (1 - x) nu)).
  { intros x mu nu Hx [N1 S1] [N2 S2]. split; [|rewrite Pr_app, !Pr_scale, S1, S2; lra].
    apply nonnegative_app; apply nonnegative_scale; try assumption; lra. }
  induction n as [|n IH]; intros c l seen; [apply End|]. cbn [game].
  destruct (next seen) as [q|q|s a|]; [destruct c; [apply End|]|destruct l; [apply End|]|apply IH|apply End];
    apply Two; auto.
Qed.

(* No transcript has more silences than the limit. *)
Fixpoint silences (h : transcript) : nat :=
  match h with
  | [] => 0
  | Silent :: rest => S (silences rest)
  | _ :: rest => silences rest
  end.

Lemma game_silences : forall query number one times silent label first second (next : strategy query) view face
  n c l seen h x, In (h, x) (game query number one times silent label first second next view face n c l seen) ->
  (silences h <= silences seen + c)%nat.
Proof.
  intros query number one times silent label first second next view face n.
  assert (End : forall c (seen h : transcript) (x : number), In (h, x) [(seen, one)] -> (silences h <= silences seen +
    c)%nat).
  { intros c seen h x [E|[]]. inversion E; subst. lia. }
  induction n as [|n IH]; intros c l seen h x Hin; [exact (End c _ _ _ Hin)|]. cbn [game] in Hin.
  destruct (next seen) as [q|q|s a|];
    [destruct c; [exact (End _ _ _ _ Hin)|]|destruct l; [exact (End _ _ _ _ Hin)|]| |exact (End _ _ _ _ Hin)].
  1, 2: apply in_app_or in Hin; unfold weigh in Hin; destruct Hin as [Hin|Hin]; apply in_map_iff in Hin;
    destruct Hin as [[h' x'] [E Hin]]; inversion E; subst; apply IH in Hin; simpl in Hin; lia.
  apply IH in Hin. simpl in Hin. lia.
Qed.
