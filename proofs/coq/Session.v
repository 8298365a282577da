(* The machines as their callers see them: reserve, answer, crash and resume, as the contracts of core/meter.h and
   core/classic.h say. Driven by any strategy they produce the transcripts of Coins.v and ClassicCoins.v. *)
From Coq Require Import Reals Lia ZArith List Bool.
From Fumata Require Import Divergence Uniform Meter Coins Noise Classic Certificate ClassicCoins.
Import ListNotations.

(* left: silences that may still be reserved; reserved: one is paid for and not used. *)
Record fumata_meter := { left : nat; reserved : bool }.

(* fumata_meter_init. *)
Definition meter_begin (limit : nat) : fumata_meter := {| left := limit; reserved := false |}.

(* fumata_meter_reserve: nothing changes when a reservation is held, and none is to be had when all are spent. *)
Definition meter_reserve (m : fumata_meter) : option fumata_meter :=
  if reserved m then Some m
  else match left m with
       | O => None
       | S rest => Some {| left := rest; reserved := true |}
       end.

(* fumata_meter_answer, on a machine that holds a reservation. *)
Definition meter_answer (table : list Z) (m : fumata_meter) (v : verdict) (coin : Z) : answer * fumata_meter :=
  if FumataMeterIsSilent table (distance v) coin
  then (Silent, {| left := left m; reserved := false |})
  else (Label (winner v), m).

(* A crash, and fumata_meter_resume from what was stored: `left`, which the reservation had lowered already. *)
Definition meter_resume (m : fumata_meter) : fumata_meter := {| left := left m; reserved := false |}.

(* A life: before every move a silence is reserved; when none is left the life is over. *)
Fixpoint meter_life {query} (table : list Z) (next : adversary query) (view : query -> verdict) (coins : list Z)
  (m : fumata_meter) (seen : transcript) : transcript :=
  match coins, meter_reserve m with
  | [], _ => seen
  | _, None => seen
  | u :: others, Some paid =>
      match next seen with
      | Stop => seen
      | Lose => meter_life table next view others (meter_resume paid) (Lost :: seen)
      | Ask q =>
          let (a, after) := meter_answer table paid (view q) u in
          meter_life table next view others after (a :: seen)
      end
  end.

Definition unused (m : fumata_meter) : nat := left m + (if reserved m then 1 else 0).

Theorem meter_life_is_play : forall query table (next : adversary query) view coins m seen,
  meter_life table next view coins m seen = play (FumataMeterIsSilent table) next view coins (unused m) seen.
Proof.
  intros query table next view coins. induction coins as [|u coins IH]; intros m seen; [reflexivity|].
  assert (Paid : forall rest,
    match next seen with
    | Stop => seen
    | Lose => meter_life table next view coins {| left := rest; reserved := false |} (Lost :: seen)
    | Ask q =>
        let (a, after) := meter_answer table {| left := rest; reserved := true |} (view q) u in
        meter_life table next view coins after (a :: seen)
    end = play (FumataMeterIsSilent table) next view (u :: coins) (S rest) seen).
  { intros rest. simpl. destruct (next seen) as [q| |].
    - unfold meter_answer. destruct (FumataMeterIsSilent table (distance (view q)) u); rewrite IH; unfold unused; simpl;
        f_equal; lia.
    - rewrite IH. unfold unused. simpl. f_equal. lia.
    - reflexivity. }
  destruct m as [n [|]]; unfold unused; simpl left; simpl reserved; cbv iota.
  - replace (n + 1) with (S n) by lia. rewrite <- Paid. reflexivity.
  - replace (n + 0) with n by lia. destruct n as [|n]; [reflexivity|]. rewrite <- Paid. reflexivity.
Qed.

(* What the meter releases in a life of its own, over n uniform words. *)
Definition meter_session {query} (table : list Z) (limit n : nat) (next : adversary query) (view : query -> verdict)
  : law transcript :=
  post (fun us => meter_life table next view us (meter_begin limit) []) (uniform (tuples (below words) n)).

Theorem meter_session_is_released : forall query table limit n (next : adversary query) view S,
  Pr (meter_session table limit n next view) S = Pr (released table limit n next view) S.
Proof.
  intros query table limit n next view S. unfold meter_session, released. rewrite !Pr_post, !Pr_uniform.
  apply Rmult_eq_compat_l. apply sum_ext. intros us _. rewrite meter_life_is_play.
  unfold unused, meter_begin. simpl. rewrite Nat.add_0_r. reflexivity.
Qed.

(* Classic holds the threshold of the stretch as well: the outcome that its word has drawn. *)
Record fumata_classic := { classic_left : nat; classic_threshold : option nat }.

Definition classic_begin (limit : nat) : fumata_classic := {| classic_left := limit; classic_threshold := None |}.

(* fumata_classic_reserve, with the words that are still to be drawn for thresholds. *)
Definition classic_reserve (plan : fumata_classic_plan) (m : fumata_classic) (ts : list Z)
  : option (nat * nat * list Z) :=
  match classic_threshold m, classic_left m, ts with
  | Some j, rest, ts => Some (j, rest, ts)
  | None, S rest, t :: others => Some (draw (plan_threshold plan) t, rest, others)
  | None, _, _ => None
  end.

(* A silence, a crash and a close all forget the threshold and spend the reservation. *)
Fixpoint classic_life {query} (plan : fumata_classic_plan) (next : adversary query) (view : query -> verdict)
  (coins ts : list Z) (m : fumata_classic) (seen : transcript) : transcript :=
  match coins, classic_reserve plan m ts with
  | [], _ => seen
  | _, None => seen
  | u :: others, Some (j, rest, ts') =>
      let spent := {| classic_left := rest; classic_threshold := None |} in
      match next seen with
      | Stop => seen
      | Lose => classic_life plan next view others ts' spent (Lost :: seen)
      | Ask q =>
          if classic_silent plan j (distance (view q)) u
          then classic_life plan next view others ts' spent (Silent :: seen)
          else classic_life plan next view others ts' {| classic_left := rest; classic_threshold := Some j |}
                 (Label (winner (view q)) :: seen)
      end
  end.

Theorem classic_life_is_play : forall query plan (next : adversary query) view coins,
  (forall ts seen, classic_life plan next view coins ts (classic_begin (length ts)) seen =
     play_classic (draw (plan_threshold plan)) (classic_silent plan) next view ts coins seen) /\
  (forall t ts seen, classic_life plan next view coins ts
       {| classic_left := length ts; classic_threshold := Some (draw (plan_threshold plan) t) |} seen =
     play_classic (draw (plan_threshold plan)) (classic_silent plan) next view (t :: ts) coins seen).
Proof.
  intros query plan next view coins. induction coins as [|u coins [IH1 IH2]].
  { split; intros; simpl; [destruct ts|]; reflexivity. }
  assert (Held : forall t ts seen, classic_life plan next view (u :: coins) ts
       {| classic_left := length ts; classic_threshold := Some (draw (plan_threshold plan) t) |} seen =
     play_classic (draw (plan_threshold plan)) (classic_silent plan) next view (t :: ts) (u :: coins) seen).
  { intros t ts seen. simpl. destruct (next seen) as [q| |]; [|apply IH1|reflexivity].
    destruct (classic_silent plan (draw (plan_threshold plan) t) (distance (view q)) u); [apply IH1|apply IH2]. }
  split; [|exact Held].
  intros [|t ts] seen; [reflexivity|]. rewrite <- Held. reflexivity.
Qed.

(* What classic releases in a life of its own: one uniform word a threshold, one a move. *)
Definition classic_session {query} (plan : fumata_classic_plan) (n : nat) (next : adversary query)
  (view : query -> verdict) : law transcript :=
  mixture (tuples (below words) (Z.to_nat (classic_limit plan)))
    (fun ts => post (fun us => classic_life plan next view us ts (classic_begin (Z.to_nat (classic_limit plan))) [])
                 (uniform (tuples (below words) n))).

Theorem classic_session_is_released : forall query plan n (next : adversary query) view S,
  Pr (classic_session plan n next view) S = Pr (released_classic plan n next view) S.
Proof.
  intros query plan n next view S. unfold classic_session, released_classic. rewrite !Pr_mixture.
  apply Rmult_eq_compat_l. apply sum_ext. intros ts Hts. rewrite !Pr_post, !Pr_uniform.
  apply Rmult_eq_compat_l. apply sum_ext. intros us _.
  destruct (proj1 (in_tuples Z (below words) (Z.to_nat (classic_limit plan)) ts) Hts) as [L _].
  rewrite <- L, (proj1 (classic_life_is_play query plan next view us)). reflexivity.
Qed.
