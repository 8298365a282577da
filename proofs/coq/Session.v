(* The machines of Statement.v, driven by any strategy through reservations, answers, crashes and closes, produce the
   transcripts of Coins.v and ClassicCoins.v. *)
From Coq Require Import Reals Lia ZArith List Bool.
From Fumata Require Import SpecPlan Statement Divergence Uniform Meter Coins Noise Classic ClassicCoins.
Import ListNotations.

(* What a purse can still give. No act makes it more. *)
Definition unused (p : purse) : nat := left p + reserved p.

Lemma unused_tended : forall a p, unused (tend a p) <= unused p.
Proof.
  intros [n| |] [l r]; unfold unused, tend; cbn [left reserved]; [|lia|lia].
  destruct (Nat.eqb_spec r 0); destruct (Nat.leb_spec n l); cbn; lia.
Qed.

Lemma unused_used : forall p, reserved p <> 0 -> unused p = S (unused (use p)).
Proof. intros [l r] H. unfold unused, use. cbn [left reserved] in *. lia. Qed.

(* Everyone who knows the strategy knows what the purses hold, from the answers alone. *)
Section Purses.
  Variable query : Type.
  Variable next : adversary query.
  Variable full : purse * purse.

  Definition after (m : @move query) (a : answer) (s : purse * purse) : purse * purse :=
    match m, a with
    | Act x y, _ => (tend x (fst s), tend y (snd s))
    | Ask _, Silent => (use (fst s), snd s)
    | Buy _, Label _ => (fst s, use (snd s))
    | _, _ => s
    end.
  Fixpoint purses (seen : transcript) : purse * purse :=
    match seen with [] => full | a :: before => after (next before) a (purses before) end.

  (* A question for which nothing is reserved is as good as an act that does nothing. *)
  Definition idle : @move query := Act (Reserve 0) (Reserve 0).
  Definition granted (seen : transcript) : @move query :=
    match next seen with
    | Ask q => if reserved (fst (purses seen)) =? 0 then idle else Ask q
    | Buy q => if reserved (snd (purses seen)) =? 0 then idle else Buy q
    | other => other
    end.
  Definition dropped (a : act) (p : purse) : nat := unused p - unused (tend a p).
  Definition lost_of (seen : transcript) : nat * nat :=
    match next seen with
    | Act x y => (dropped x (fst (purses seen)), dropped y (snd (purses seen)))
    | _ => (0, 0)
    end.
End Purses.
Arguments after {query}.
Arguments purses {query}.
Arguments granted {query}.
Arguments lost_of {query}.

Definition views {query} (look : query -> verdict * duel) (q : query) : verdict := fst (look q).
Definition faces {query} (look : query -> verdict * duel) (q : query) : duel := snd (look q).

(* Only the numbers of unused silences and answers count. *)
Theorem life_is_play : forall query silence toll limit answers full (next : adversary query) look coins s seen,
  s = purses next full seen ->
  life (budget silence toll limit answers) next look coins s seen =
  play (is_silent silence) (is_named toll) (lost_of next full) (granted next full) (views look) (faces look) coins
    (unused (fst s)) (unused (snd s)) seen.
Proof.
  intros query silence toll limit answers full next look coins. induction coins as [|u coins IH]; intros s seen E;
    [reflexivity|].
  assert (Go : forall a s', s' = after (next seen) a s ->
    life (budget silence toll limit answers) next look coins s' (a :: seen) =
    play (is_silent silence) (is_named toll) (lost_of next full) (granted next full) (views look) (faces look) coins
      (unused (fst s')) (unused (snd s')) (a :: seen)).
  { intros a s' E'. apply IH. cbn [purses]. rewrite <- E. exact E'. }
  clear IH. cbn [life play].
  assert (G : granted next full seen = match next seen with
    | Ask q => if reserved (fst s) =? 0 then idle query else Ask q
    | Buy q => if reserved (snd s) =? 0 then idle query else Buy q | m => m end)
    by (unfold granted; rewrite <- E; reflexivity).
  assert (L : lost_of next full seen = match next seen with
    | Act x y => (dropped x (fst s), dropped y (snd s)) | _ => (0, 0) end)
    by (unfold lost_of; rewrite <- E; reflexivity).
  rewrite G, L. destruct (next seen) as [q|q|x y|] eqn:N; cbn [budget replies sells acts fst snd].
  - destruct (Nat.eqb_spec (reserved (fst s)) 0) as [Z|Z]; cbn [fst snd idle].
    + rewrite (Go Noted s eq_refl), !Nat.sub_0_r. reflexivity.
    + rewrite (unused_used (fst s) Z). fold (views look q).
      destruct (is_silent silence (distance (views look q)) u); cbn [fst snd].
      * rewrite (Go Silent) by reflexivity. reflexivity.
      * rewrite (Go (Label (winner (views look q)))) by reflexivity. rewrite <- (unused_used (fst s) Z). reflexivity.
  - destruct (Nat.eqb_spec (reserved (snd s)) 0) as [Z|Z]; cbn [fst snd idle].
    + rewrite (Go Noted s eq_refl), !Nat.sub_0_r. reflexivity.
    + rewrite (unused_used (snd s) Z). fold (faces look q). rewrite Go by reflexivity.
      destruct (unused (fst s)); reflexivity.
  - rewrite Go by reflexivity. cbn [fst snd]. unfold dropped.
    pose proof (unused_tended x (fst s)). pose proof (unused_tended y (snd s)). f_equal; lia.
  - reflexivity.
Qed.
