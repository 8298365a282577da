(* The machines of Statement.v, driven by any strategy through reservations, answers, crashes and closes, produce the
   transcripts of Coins.v and ClassicCoins.v. *)
From Coq Require Import Reals Lia ZArith List Bool.
From Fumata Require Import SpecPlan Statement Divergence Uniform Alone Game Coins Noise Classic ClassicCoins.
Import ListNotations.

(* What someone sees who chooses every move by all answers so far and may stop, when the coins are these. *)
Definition adversary (query : Type) := transcript -> option (@move query).
Fixpoint life {query} (M : machine) (next : adversary query) (look : query -> verdict * duel) (coins : list Z)
  (s : state M) (seen : transcript) : transcript :=
  match coins with
  | [] => seen
  | u :: others =>
      let go step := life M next look others (snd step) (fst step :: seen) in
      match next seen with
      | Some (Ask q) => go (replies M s (fst (look q)) u)
      | Some (Buy q) => go (sells M s (snd (look q)) u)
      | Some (Act silences answers) => go (Noted, acts M silences answers s)
      | None => seen
      end
  end.
Definition lived (M : machine) (n : nat) query (next : adversary query) (look : query -> verdict * duel) :=
  post (fun us => life M next look us (start M) []) (uniform (tuples (below words) n)).
Definition classic_lived plan n query (next : adversary query) look : law transcript :=
  mixture (tuples (below words) (Z.to_nat (classic_plan_limit plan)))
    (fun ts => lived (classic plan ts) n query next look).

(* Alone with a session, the same is seen, and after the last coin that there is nothing more to say. *)
Fixpoint idle {query} (n : nat) (next : adversary query) (seen : transcript) : transcript :=
  match n, next seen with S m, Some _ => idle m next (Noted :: seen) | _, _ => seen end.
Definition finished {query} (n : nat) (next : adversary query) (seen : transcript) : transcript :=
  idle (n - length seen) next seen.

Lemma alone_is_life : forall query M (look : query -> verdict * duel) next coins n s seen,
  alone n next (live M look s coins) seen =
  finished (length seen + n) next (life M (cut (length seen + n) next) look coins s seen).
Proof.
  intros query M look next coins. induction coins as [|u coins IH]; intros n s seen.
  - cbn [life]. unfold finished. rewrite Nat.add_comm, Nat.add_sub. revert seen.
    induction n as [|n IH]; intros seen; [reflexivity|]. cbn [alone idle].
    destruct (next seen) as [m|]; [|reflexivity]. apply IH.
  - destruct n as [|n]; cbn [life]; unfold cut at 1.
    { destruct (Nat.ltb_spec (length seen) (length seen + 0)); [lia|]. unfold finished.
      replace (length seen + 0 - length seen) with 0 by lia. reflexivity. }
    destruct (Nat.ltb_spec (length seen) (length seen + S n)); [|lia]. cbn [alone].
    destruct (next seen) as [m|] eqn:N.
    2:{ unfold finished. destruct (length seen + S n - length seen); cbn [idle]; [|rewrite N]; reflexivity. }
    assert (G : forall a s', alone n next (live M look s' coins) (a :: seen) = finished (length seen + S n) next
      (life M (cut (length seen + S n) next) look coins s' (a :: seen))).
    { intros a s'. rewrite IH. cbn [length]. replace (S (length seen) + n) with (length seen + S n) by lia. reflexivity. }
    cbn [live ask]. destruct m as [q|q|x y]; rewrite <- G; [destruct (replies _ _ _ _)|destruct (sells _ _ _ _)|];
      reflexivity.
Qed.

Lemma session_is_lived : forall M n query (look : query -> verdict * duel) k next S,
  Pr (post (fun p => alone k next p []) (session M n query look)) S =
  Pr (lived M n query (cut k next) look) (fun t => S (finished k next t)).
Proof.
  intros M n query look k next S. unfold session, lived. rewrite !Pr_post, !Pr_uniform. apply Rmult_eq_compat_l.
  apply sum_ext. intros us _. rewrite (alone_is_life query M look next us k (start M) []). reflexivity.
Qed.

Lemma mixture_is_lived : forall H choices (M : H -> machine) n query (look : query -> verdict * duel) k next S,
  Pr (post (fun p => alone k next p []) (mixture choices (fun h => session (M h) n query look))) S =
  Pr (mixture choices (fun h => lived (M h) n query (cut k next) look)) (fun t => S (finished k next t)).
Proof.
  intros H choices M n query look k next S. rewrite Pr_post_mixture, !Pr_mixture. f_equal. apply sum_ext. intros h _.
  apply session_is_lived.
Qed.

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

  Definition after (m : option (@move query)) (a : answer) (s : purse * purse) : purse * purse :=
    match m, a with
    | Some (Act x y), _ => (tend x (fst s), tend y (snd s))
    | Some (Ask _), Silent => (use (fst s), snd s)
    | Some (Buy _), Label _ => (fst s, use (snd s))
    | _, _ => s
    end.
  Fixpoint purses (seen : transcript) : purse * purse :=
    match seen with [] => full | a :: before => after (next before) a (purses before) end.

  (* What an act loses of what a purse could give. *)
  Definition dropped (a : act) (p : purse) : nat := unused p - unused (tend a p).
  (* A question for which nothing is reserved is a turn that loses nothing. *)
  Definition granted (seen : transcript) : @turn query :=
    match next seen with
    | Some (Ask q) => if reserved (fst (purses seen)) =? 0 then Forfeit 0 0 else Meter q
    | Some (Buy q) => if reserved (snd (purses seen)) =? 0 then Forfeit 0 0 else Toll q
    | Some (Act x y) => Forfeit (dropped x (fst (purses seen))) (dropped y (snd (purses seen)))
    | None => Leave
    end.
End Purses.
Arguments after {query}.
Arguments purses {query}.
Arguments granted {query}.

Definition views {query} (look : query -> verdict * duel) (q : query) : verdict := fst (look q).
Definition faces {query} (look : query -> verdict * duel) (q : query) : duel := snd (look q).

(* Only the numbers of unused silences and answers count. *)
Theorem life_is_play : forall query silence naming silences answers full (next : adversary query) look coins s seen,
  s = purses next full seen ->
  life (budget silence naming silences answers) next look coins s seen =
  play (is_silent silence) (is_named naming) (granted next full) (views look) (faces look) coins
    (unused (fst s)) (unused (snd s)) seen.
Proof.
  intros query silence naming silences answers full next look coins.
  induction coins as [|u coins IH]; intros s seen E; [reflexivity|].
  assert (Go : forall a s', s' = after (next seen) a s ->
    life (budget silence naming silences answers) next look coins s' (a :: seen) =
    play (is_silent silence) (is_named naming) (granted next full) (views look) (faces look) coins
      (unused (fst s')) (unused (snd s')) (a :: seen)).
  { intros a s' E'. apply IH. cbn [purses]. rewrite <- E. exact E'. }
  assert (G : granted next full seen = match next seen with
    | Some (Ask q) => if reserved (fst s) =? 0 then Forfeit 0 0 else Meter q
    | Some (Buy q) => if reserved (snd s) =? 0 then Forfeit 0 0 else Toll q
    | Some (Act x y) => Forfeit (dropped x (fst s)) (dropped y (snd s)) | None => Leave end)
    by (unfold granted; rewrite <- E; reflexivity).
  clear IH E. cbn [life play]. rewrite G. clear G.
  destruct (next seen) as [[q|q|x y]|] eqn:N; cbn [budget replies sells acts fst snd]; [| | |reflexivity].
  - destruct (Nat.eqb_spec (reserved (fst s)) 0) as [Z|Z]; cbn [fst snd].
    + rewrite (Go Noted s eq_refl), !Nat.sub_0_r. reflexivity.
    + rewrite (unused_used (fst s) Z). fold (views look q).
      destruct (is_silent silence (distance (views look q)) u); cbn [fst snd].
      * rewrite (Go Silent) by reflexivity. reflexivity.
      * rewrite (Go (Label (winner (views look q)))) by reflexivity. rewrite <- (unused_used (fst s) Z). reflexivity.
  - destruct (Nat.eqb_spec (reserved (snd s)) 0) as [Z|Z]; cbn [fst snd].
    + rewrite (Go Noted s eq_refl), !Nat.sub_0_r. reflexivity.
    + rewrite (unused_used (snd s) Z). fold (faces look q). rewrite Go by reflexivity. reflexivity.
  - rewrite Go by reflexivity. cbn [fst snd]. unfold dropped.
    pose proof (unused_tended x (fst s)). pose proof (unused_tended y (snd s)). f_equal; lia.
Qed.

Theorem lived_is_joint : forall query silence naming silences answers n (next : adversary query) look S,
  in_range silence -> in_range naming ->
  let full := start (budget silence naming silences answers) in
  Pr (lived (budget silence naming silences answers) n query next look) S =
  Pr (joint_law (Coins.silence silence) (Coins.naming naming) (Z.to_nat silences) (Z.to_nat answers) n
        (granted next full) (views look) (faces look)) S.
Proof.
  intros query silence naming silences answers n next look S Hs Hn full. rewrite <- released_is_joint by assumption.
  unfold lived. rewrite !Pr_post, !Pr_uniform. apply Rmult_eq_compat_l. apply sum_ext. intros us _.
  rewrite (life_is_play query silence naming silences answers full) by reflexivity.
  unfold unused, full. cbn [start budget fst snd left reserved]. rewrite !Nat.add_0_r. reflexivity.
Qed.

(* Classic. Whether a threshold is held is known as well, and which words are still to be drawn is not: they are those
   that were not drawn yet, in order. *)
Section Held.
  Variable query : Type.
  Variable plan : fumata_classic_plan.
  Variable next : adversary query.

  (* Silences that may still be reserved, and whether one is. *)
  Definition holds (a : act) (s : nat * bool) : nat * bool :=
    match a, s with
    | Reserve _, (S n, false) => (n, true)
    | Reserve _, _ => s
    | _, (n, _) => (n, false)
    end.
  Fixpoint stretches (limit : nat) (seen : transcript) : nat * bool :=
    match seen with
    | [] => (limit, false)
    | a :: before =>
        match next before, a with
        | Some (Act x _), _ => holds x (stretches limit before)
        | Some (Ask _), Silent => holds Crash (stretches limit before)
        | _, _ => stretches limit before
        end
    end.
  Definition classic_granted (limit : nat) (seen : transcript) : @turn query :=
    match next seen with
    | Some (Ask q) => if snd (stretches limit seen) then Meter q else Forfeit 0 0
    | Some (Buy _) => Forfeit 0 0
    | Some (Act (Reserve _) _) => Forfeit 0 0
    | Some (Act _ _) => Forfeit (if snd (stretches limit seen) then 1 else 0) 0
    | None => Leave
    end.

  (* The state that goes with it, when the words `ts` are those of the stretches to come, the present one first. *)
  Definition classic_at (s : nat * bool) (ts : list Z) : nat * option nat * list Z :=
    if snd s then (fst s, Some (draw (classic_plan_threshold plan) (hd 0%Z ts)), tl ts) else (fst s, None, ts).

  Theorem classic_life_is_play : forall words0 look limit coins s ts seen,
    s = stretches limit seen -> length ts = fst s + (if snd s then 1 else 0) ->
    life (classic plan words0) next look coins (classic_at s ts) seen =
    play_classic (draw (classic_plan_threshold plan)) (classic_silent plan) (classic_granted limit) (views look) ts coins
      seen.
  Proof.
    intros words0 look limit coins. induction coins as [|u coins IH]; intros s ts seen E L; [reflexivity|].
    cbn [life play_classic].
    assert (G : classic_granted limit seen = match next seen with
      | Some (Ask q) => if snd s then Meter q else Forfeit 0 0
      | Some (Buy _) => Forfeit 0 0
      | Some (Act (Reserve _) _) => Forfeit 0 0
      | Some (Act _ _) => Forfeit (if snd s then 1 else 0) 0
      | None => Leave end) by (unfold classic_granted; rewrite <- E; reflexivity).
    rewrite G. clear G.
    assert (Same : forall a, match next seen, a with
      | Some (Act x _), _ => holds x s | Some (Ask _), Silent => holds Crash s | _, _ => s end = s ->
      life (classic plan words0) next look coins (classic_at s ts) (a :: seen) =
      play_classic (draw (classic_plan_threshold plan)) (classic_silent plan) (classic_granted limit) (views look) ts
        coins (a :: seen)).
    { intros a H. apply IH; [|exact L]. cbn [stretches]. rewrite <- E. symmetry. exact H. }
    destruct (next seen) as [[q|q|x y]|] eqn:N; cbn [classic replies sells acts fst snd]; [| | |reflexivity].
    - destruct s as [k [|]]; cbn [fst snd] in *; [|exact (Same Noted eq_refl)].
      destruct ts as [|t ts]; [simpl in L; lia|]. fold (views look q).
      change (snd (fst (classic_at (k, true) (t :: ts)))) with (Some (draw (classic_plan_threshold plan) t)).
      cbv beta iota. destruct (classic_silent plan (draw (classic_plan_threshold plan) t) (distance (views look q)) u);
        cbn [fst snd].
      + change (classic_act plan Crash (classic_at (k, true) (t :: ts))) with (classic_at (k, false) ts).
        apply IH; [|simpl in *; lia]. cbn [stretches]. rewrite N, <- E. reflexivity.
      + exact (Same (Label (winner (views look q))) eq_refl).
    - exact (Same Noted eq_refl).
    - assert (Go : forall ts', classic_act plan x (classic_at s ts) = classic_at (holds x s) ts' ->
        length ts' = fst (holds x s) + (if snd (holds x s) then 1 else 0) ->
        life (classic plan words0) next look coins (classic_act plan x (classic_at s ts)) (Noted :: seen) =
        play_classic (draw (classic_plan_threshold plan)) (classic_silent plan) (classic_granted limit) (views look) ts'
          coins (Noted :: seen)).
      { intros ts' H1 H2. rewrite H1. apply IH; [|exact H2]. cbn [stretches]. rewrite N, <- E. reflexivity. }
      destruct s as [k held]; cbn [fst snd] in *. destruct x as [m| |]; cbn [fst snd].
      + apply Go; destruct held, k as [|k], ts as [|t ts]; cbn in *; try reflexivity; try lia.
      + destruct held; apply Go; destruct ts as [|t ts]; cbn in *; try reflexivity; lia.
      + destruct held; apply Go; destruct ts as [|t ts]; cbn in *; try reflexivity; lia.
  Qed.
End Held.
Arguments classic_granted {query}.

Theorem classic_lived_is_released : forall query plan n (next : adversary query) look S,
  Pr (classic_lived plan n query next look) S =
  Pr (released_classic plan n (classic_granted next (Z.to_nat (classic_plan_limit plan))) (views look)) S.
Proof.
  intros query plan n next look S. unfold classic_lived, released_classic. rewrite !Pr_mixture.
  apply Rmult_eq_compat_l. apply sum_ext. intros ts Hts. unfold lived. rewrite !Pr_post, !Pr_uniform.
  apply Rmult_eq_compat_l. apply sum_ext. intros us _. set (limit := Z.to_nat (classic_plan_limit plan)) in *.
  destruct (proj1 (in_tuples Z (below words) limit ts) Hts) as [L _].
  change (start (classic plan ts)) with (classic_at plan (limit, false) ts).
  rewrite (classic_life_is_play query plan next ts look limit) by (try reflexivity; simpl; lia). reflexivity.
Qed.

(* What is opened has a law. *)
Lemma session_is_law : forall M n query (look : query -> verdict * duel), is_law (session M n query look).
Proof. intros. apply is_law_post, is_law_uniform, tuples_not_nil, words_nonempty. Qed.

(* At most T silences in a life, and at most L answers that were paid for, whatever happens between its runs. *)
Fixpoint paid {query} (next : adversary query) (h : transcript) : nat :=
  match h with
  | [] => 0
  | a :: rest => (match next rest, a with Some (Buy _), Label _ => 1 | _, _ => 0 end) + paid next rest
  end.

Theorem life_is_paid : forall query silence naming silences answers (next : adversary query) look coins s seen,
  let after := life (budget silence naming silences answers) next look coins s seen in
  Game.silences after <= Game.silences seen + unused (fst s) /\ paid next after <= paid next seen + unused (snd s).
Proof.
  intros query silence naming silences answers next look coins. cbv zeta.
  induction coins as [|u coins IH]; intros s seen; [simpl; lia|]. cbn [life].
  destruct (next seen) as [[q|q|x y]|] eqn:N; [| | |lia]; cbn [budget replies sells acts fst snd].
  - destruct (Nat.eqb_spec (reserved (fst s)) 0) as [Z|Z]; cbn [fst snd].
    + specialize (IH s (Noted :: seen)). cbn [Game.silences paid] in IH. rewrite N in IH. exact IH.
    + pose proof (unused_used (fst s) Z). destruct (is_silent silence (distance (fst (look q))) u); cbn [fst snd].
      * specialize (IH (use (fst s), snd s) (Silent :: seen)). cbn [Game.silences paid fst snd] in IH. rewrite N in IH.
        lia.
      * specialize (IH s (Label (winner (fst (look q))) :: seen)). cbn [Game.silences paid] in IH. rewrite N in IH. lia.
  - destruct (Nat.eqb_spec (reserved (snd s)) 0) as [Z|Z]; cbn [fst snd].
    + specialize (IH s (Noted :: seen)). cbn [Game.silences paid] in IH. rewrite N in IH. exact IH.
    + pose proof (unused_used (snd s) Z). set (y := if is_named _ _ _ then _ else _).
      specialize (IH (fst s, use (snd s)) (Label y :: seen)). cbn [Game.silences paid fst snd] in IH. rewrite N in IH. lia.
  - pose proof (unused_tended x (fst s)). pose proof (unused_tended y (snd s)).
    specialize (IH (tend x (fst s), tend y (snd s)) (Noted :: seen)). cbn [Game.silences paid fst snd] in IH.
    rewrite N in IH. lia.
Qed.
