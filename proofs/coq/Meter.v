(* The meter as a game: someone who sees every answer chooses the next query, the private data say how each query
   would be decided, the silence table says how likely it is to be met with silence, and silences are counted.
   Weights are numbers of any kind: reals for the theorems, rationals for examples that compute. *)
From Coq Require Import Reals Lra Lia ZArith List Bool.
From Fumata Require Import Statement Power Divergence.
From Fumata Require Export Game.
Import ListNotations.

Section Game.
  Variable query : Type.
  Variable number : Type.
  Variable one : number.
  Variable times : number -> number -> number.
  Variable silent : nat -> number.   (* weight of a silence at a distance *)
  Variable label : nat -> number.    (* weight of a label at a distance *)
  Variable next : adversary query.
  Variable view : query -> verdict.  (* the private data, as far as anyone can ask *)

  Definition weigh (w : number) (mu : list (transcript * number)) : list (transcript * number) :=
    map (fun entry => (fst entry, times w (snd entry))) mu.

  (* The law of the transcript after at most n more moves, with c silences left, when `seen` was seen. *)
  Fixpoint game (n c : nat) (seen : transcript) : list (transcript * number) :=
    match n, c with
    | O, _ => [(seen, one)]
    | _, O => [(seen, one)]
    | S m, S rest =>
        match next seen with
        | Stop => [(seen, one)]
        | Lose => game m rest (Lost :: seen)
        | Ask q =>
            let v := view q in
            weigh (silent (distance v)) (game m rest (Silent :: seen)) ++
            weigh (label (distance v)) (game m (S rest) (Label (winner v) :: seen))
        end
    end.
End Game.

(* How many words mean silence at distance d; at distance 0 all of them. *)
Definition silent_words (table : list Z) (d : nat) : Z := if d =? 0 then words else entry table d.

Local Open Scope R_scope.

(* Probability of silence at distance d. *)
Definition silence (table : list Z) (d : nat) : R := IZR (silent_words table d) / IZR words.

(* The law of the transcript of at most n moves, for any probability p(d) of silence at distance d. *)
Definition game_law {query} (p : nat -> R) (limit n : nat) (next : adversary query) (view : query -> verdict)
  : law transcript :=
  game query R 1 Rmult p (fun d => 1 - p d) next view n limit [].

(* The law of what the meter releases: at most `limit` silences, any number n of moves. *)
Definition meter_law {query} (table : list Z) (limit n : nat) (next : adversary query) (view : query -> verdict)
  : law transcript :=
  game_law (silence table) limit n next view.

(* Weights between 0 and 1 that add to 1. *)
Lemma game_is_law : forall query p (next : adversary query) view n c seen,
  (forall d, 0 <= p d <= 1) -> is_law (game query R 1 Rmult p (fun d => 1 - p d) next view n c seen).
Proof.
  intros query p next view n. induction n as [|n IH]; intros c seen Hp.
  - split; [repeat constructor; simpl; lra|]. simpl.  lra.
  - destruct c as [|c]; simpl.
    { split; [repeat constructor; simpl; lra|]. simpl.  lra. }
    destruct (next seen) as [q| |].
    + destruct (IH c (Silent :: seen) Hp) as [N1 S1].
      destruct (IH (S c) (Label (winner (view q)) :: seen) Hp) as [N2 S2].
      specialize (Hp (distance (view q))). split.
      * apply nonnegative_app; apply nonnegative_scale; try assumption; lra.
      * change (weigh R Rmult) with (@scale transcript). rewrite Pr_app, !Pr_scale, S1, S2. lra.
    + apply IH. exact Hp.
    + split; [repeat constructor; simpl; lra|]. simpl.  lra.
Qed.

(* No transcript has more silences than the limit. *)
Lemma game_silences : forall query number one times silent label (next : adversary query) view n c seen h w,
  In (h, w) (game query number one times silent label next view n c seen) -> (silences h <= silences seen + c)%nat.
Proof.
  intros query number one times silent label next view n.
  induction n as [|n IH]; intros c seen h w Hin.
  - simpl in Hin. destruct Hin as [E|[]]. inversion E; subst. lia.
  - destruct c as [|c]; simpl in Hin.
    { destruct Hin as [E|[]]. inversion E; subst. lia. }
    destruct (next seen) as [q| |].
    + apply in_app_or in Hin. unfold weigh in Hin. destruct Hin as [Hin|Hin];
        apply in_map_iff in Hin; destruct Hin as [[h' w'] [E Hin]]; inversion E; subst;
        apply IH in Hin; simpl in Hin; lia.
    + apply IH in Hin. simpl in Hin. lia.
    + destruct Hin as [E|[]]. inversion E; subst. lia.
Qed.

Theorem meter_silences : forall query table limit n (next : adversary query) view h w,
  In (h, w) (meter_law table limit n next view) -> (silences h <= limit)%nat.
Proof. intros. apply game_silences in H. simpl in H. exact H. Qed.
