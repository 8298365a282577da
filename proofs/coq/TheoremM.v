(* Theorem M, the meter alone, and Theorem T, the toll alone: Theorem J where no answer or no silence is ever sold. *)
From Coq Require Import Reals Lra Lia Psatz List Bool.
From Fumata Require Import Statement Power Divergence Game.
From Fumata Require Export TheoremJ.
Import ListNotations.
Local Open Scope R_scope.

Definition delta_M (alpha : nat) (V : R) (limit : nat) (p1 epsilon : R) : R :=
  c_of alpha * V ^ limit * exp (- INR (alpha - 1) * epsilon) + INR limit * (1 - p1).
Definition delta_T (alpha : nat) (U : R) (answers : nat) (epsilon : R) : R :=
  c_of alpha * U ^ answers * exp (- INR (alpha - 1) * epsilon).

(* A fair coin that looks at nothing is a toll whose answers cost nothing, and a meter at some price. *)
Lemma fair_tolled : forall alpha, (2 <= alpha)%nat -> tolled (fun _ => 1 / 2) alpha 1.
Proof.
  intros alpha Ha. constructor; [exact Ha|lra|reflexivity|intros; lra|]. intros i j _. rewrite !moment_same by lra. lra.
Qed.

Definition coin_flip (d : nat) : R := match d with O => 1 | _ => 1 / 2 end.

Lemma coin_flip_priced : forall alpha, (2 <= alpha)%nat -> priced coin_flip alpha (2 ^ (alpha - 1)).
Proof.
  intros alpha Ha. pose proof (pow_ge_1 2 (alpha - 1) ltac:(lra)) as H2. constructor; try exact Ha; try exact H2.
  - reflexivity.
  - intros [|d] Hd; [lia|]. simpl. lra.
  - intros [|i] [|j] Hi Hj _; try lia. unfold coin_flip. rewrite !moment_same by lra. lra.
  - unfold moment, coin_flip. right. rewrite Rmult_1_l. f_equal. field.
Qed.

(* What is never sold does not matter. *)
Lemma no_answers : forall query p w w' (next : strategy query) view face face' n c seen,
  joint_game p w next view face n c 0 seen = joint_game p w' next view face' n c 0 seen.
Proof.
  intros query p w w' next view face face'. unfold joint_game. induction n as [|n IH]; intros c seen; [reflexivity|].
  cbn [game]. destruct (next seen) as [q|q|s a|]; [destruct c| | |]; rewrite ?Nat.sub_0_l, ?IH;
    reflexivity.
Qed.

Lemma no_silences : forall query p p' w (next : strategy query) view view' face n l seen,
  joint_game p w next view face n 0 l seen = joint_game p' w next view' face n 0 l seen.
Proof.
  intros query p p' w next view view' face. unfold joint_game. induction n as [|n IH]; intros l seen; [reflexivity|].
  cbn [game]. destruct (next seen) as [q|q|s a|]; [|destruct l| |]; rewrite ?Nat.sub_0_l, ?IH;
    reflexivity.
Qed.

Theorem theorem_M : forall query (p w : nat -> R) alpha V limit epsilon, priced p alpha V ->
  forall (next : strategy query) (view view' : query -> verdict) (face face' : query -> duel) (n : nat),
  close view view' ->
  within epsilon (delta_M alpha V limit (p 1%nat) epsilon)
    (joint_law p w limit 0 n next view face) (joint_law p w limit 0 n next view' face').
Proof.
  intros query p w alpha V limit epsilon H next view view' face face' n Hclose. unfold joint_law.
  rewrite (no_answers query p w (fun _ => 1 / 2) next view face face).
  rewrite (no_answers query p w (fun _ => 1 / 2) next view' face' face).
  apply within_weaken with (delta := delta_J alpha V limit 1 0 (p 1%nat) epsilon).
  - unfold delta_J, delta_M. simpl. lra.
  - apply theorem_J; [exact H|apply fair_tolled; apply H|exact Hclose|apply close_faces_refl].
Qed.

Theorem theorem_T : forall query (p w : nat -> R) alpha U answers epsilon, tolled w alpha U ->
  forall (next : strategy query) (view view' : query -> verdict) (face face' : query -> duel) (n : nat),
  close_faces face face' ->
  within epsilon (delta_T alpha U answers epsilon)
    (joint_law p w 0 answers n next view face) (joint_law p w 0 answers n next view' face').
Proof.
  intros query p w alpha U answers epsilon H next view view' face face' n Hclose. unfold joint_law.
  rewrite (no_silences query p coin_flip w next view view face).
  rewrite (no_silences query p coin_flip w next view' view face').
  apply within_weaken with (delta := delta_J alpha (2 ^ (alpha - 1)) 0 U answers (coin_flip 1) epsilon).
  - unfold delta_J, delta_T. simpl. lra.
  - apply theorem_J; [apply coin_flip_priced; apply H|exact H|apply close_refl|exact Hclose].
Qed.
