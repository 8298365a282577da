(* The machines of Statement.v, driven by any strategy through reservations, answers, crashes and closes, produce the
   transcripts of Coins.v and ClassicCoins.v. *)
From Coq Require Import Reals Lia ZArith List Bool.
From Fumata Require Import SpecPlan Statement Divergence Uniform Meter Coins Noise Classic ClassicCoins.
Import ListNotations.

Definition unused (m : meter_state) : nat := left m + (if reserved m then 1 else 0).

Lemma unused_renewed : forall plan m, unused (renew (meter plan) m) = unused m.
Proof. intros plan [n [|]]; unfold unused; simpl; lia. Qed.

(* What a close gives back and a resume takes up again is the same budget: only the number of unused silences counts. *)
Theorem meter_life_is_play : forall query plan (next : adversary query) closes view coins m seen,
  life (meter plan) next closes view coins m seen =
  play (is_silent (meter_plan_silence plan)) next view coins (unused m) seen.
Proof.
  intros query plan next closes view coins. induction coins as [|u coins IH]; intros m seen; [reflexivity|].
  assert (G : forall m', unused m' = unused m ->
    match meter_reserve m' with
    | Some paid =>
        match next seen with
        | Stop => seen
        | Lose => life (meter plan) next closes view coins (meter_resume paid) (Lost :: seen)
        | Ask q => let (a, after) := meter_answer (meter_plan_silence plan) paid (view q) u in
                   life (meter plan) next closes view coins after (a :: seen)
        end
    | None => seen
    end = play (is_silent (meter_plan_silence plan)) next view (u :: coins) (unused m) seen).
  { intros m' E. rewrite <- E. clear E m. destruct m' as [n r].
    assert (Paid : forall rest, unused {| left := n; reserved := r |} = S rest ->
      meter_reserve {| left := n; reserved := r |} = Some {| left := rest; reserved := true |}).
    { intros rest E. unfold unused in E. unfold meter_reserve. destruct r; simpl in *.
      - replace n with rest by lia. reflexivity.
      - destruct n as [|n]; [discriminate|]. replace n with rest by lia. reflexivity. }
    destruct (unused {| left := n; reserved := r |}) as [|rest] eqn:E.
    - unfold unused in E. destruct r; simpl in E; [lia|]. destruct n; [reflexivity|discriminate].
    - rewrite (Paid rest eq_refl). simpl play. destruct (next seen) as [q| |]; [|rewrite IH; unfold unused; simpl;
        f_equal; lia|reflexivity].
      unfold meter_answer. destruct (is_silent (meter_plan_silence plan) (distance (view q)) u); rewrite IH;
        unfold unused; simpl; f_equal; lia. }
  simpl life. destruct (closes seen); apply G; [apply (unused_renewed plan)|reflexivity].
Qed.

Theorem meter_session_is_released : forall query plan n (next : adversary query) closes view S,
  Pr (session (meter plan) n next closes view) S =
  Pr (released (meter_plan_silence plan) (Z.to_nat (meter_plan_limit plan)) n next view) S.
Proof.
  intros query plan n next closes view S. unfold session, released. rewrite !Pr_post, !Pr_uniform.
  apply Rmult_eq_compat_l. apply sum_ext. intros us _. rewrite meter_life_is_play.
  unfold unused. simpl. rewrite Nat.add_0_r. reflexivity.
Qed.

Theorem classic_life_is_play : forall query plan words0 (next : adversary query) view coins,
  (forall ts seen, life (classic plan words0) next (fun _ => false) view coins (classic_begin (length ts) ts) seen =
     play_classic (draw (classic_plan_threshold plan)) (classic_silent plan) next view ts coins seen) /\
  (forall t ts seen, life (classic plan words0) next (fun _ => false) view coins
       (Build_classic_state (length ts) (Some (draw (classic_plan_threshold plan) t)) ts) seen =
     play_classic (draw (classic_plan_threshold plan)) (classic_silent plan) next view (t :: ts) coins seen).
Proof.
  intros query plan words0 next view coins. induction coins as [|u coins [IH1 IH2]].
  { split; intros; simpl; [destruct ts|]; reflexivity. }
  assert (Held : forall t ts seen, life (classic plan words0) next (fun _ => false) view (u :: coins)
       (Build_classic_state (length ts) (Some (draw (classic_plan_threshold plan) t)) ts) seen =
     play_classic (draw (classic_plan_threshold plan)) (classic_silent plan) next view (t :: ts) (u :: coins) seen).
  { intros t ts seen. simpl. destruct (next seen) as [q| |]; [|apply IH1|reflexivity].
    unfold classic_answer. cbn [classic_held].
    destruct (classic_silent plan (draw (classic_plan_threshold plan) t) (distance (view q)) u);
      [apply IH1|apply IH2]. }
  split; [|exact Held].
  intros [|t ts] seen; [reflexivity|]. rewrite <- Held. reflexivity.
Qed.

(* What classic releases: one uniform word a threshold, one a move. *)
Definition classic_session {query} (plan : fumata_classic_plan) (n : nat) (next : adversary query)
  (view : query -> verdict) : law transcript :=
  mixture (tuples (below words) (Z.to_nat (classic_plan_limit plan)))
    (fun ts => session (classic plan ts) n next (fun _ => false) view).

Theorem classic_session_is_released : forall query plan n (next : adversary query) view S,
  Pr (classic_session plan n next view) S = Pr (released_classic plan n next view) S.
Proof.
  intros query plan n next view S. unfold classic_session, released_classic. rewrite !Pr_mixture.
  apply Rmult_eq_compat_l. apply sum_ext. intros ts Hts. unfold session. rewrite !Pr_post, !Pr_uniform.
  apply Rmult_eq_compat_l. apply sum_ext. intros us _.
  destruct (proj1 (in_tuples Z (below words) (Z.to_nat (classic_plan_limit plan)) ts) Hts) as [L _].
  pose proof (proj1 (classic_life_is_play query plan ts next view us) ts []) as P. rewrite L in P.
  change (start (classic plan ts)) with (classic_begin (Z.to_nat (classic_plan_limit plan)) ts).
  rewrite P. reflexivity.
Qed.

(* What leaves a machine has a law. *)
Lemma session_is_law : forall query M n (next : adversary query) closes view, is_law (session M n next closes view).
Proof.
  intros. apply is_law_post, is_law_uniform, tuples_not_nil, words_nonempty.
Qed.

Lemma classic_session_is_law : forall query plan n (next : adversary query) view,
  is_law (classic_session plan n next view).
Proof.
  intros. apply is_law_mixture; [apply tuples_not_nil, words_nonempty|]. intros ts. apply session_is_law.
Qed.

(* T silences in a life, whatever happens between its runs. *)
Lemma play_silences : forall coin query is_silent (next : adversary query) view (coins : list coin) c seen,
  silences (play is_silent next view coins c seen) <= silences seen + c.
Proof.
  intros coin query is_silent next view coins. induction coins as [|u coins IH]; intros c seen; [simpl; lia|].
  destruct c as [|c]; [simpl; lia|]. simpl. destruct (next seen) as [q| |]; [|specialize (IH c (Lost :: seen));
    simpl in IH; lia|lia].
  destruct (is_silent (distance (view q)) u).
  - specialize (IH c (Silent :: seen)). simpl in IH. lia.
  - specialize (IH (S c) (Label (winner (view q)) :: seen)). simpl in IH. lia.
Qed.

Theorem meter_life_silences : forall query plan (next : adversary query) closes view coins,
  silences (life (meter plan) next closes view coins (start (meter plan)) []) <= Z.to_nat (meter_plan_limit plan).
Proof.
  intros. rewrite meter_life_is_play. eapply Nat.le_trans; [apply play_silences|]. unfold unused. simpl. lia.
Qed.
