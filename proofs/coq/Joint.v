(* The machines of the theorems (Statement.v, sections 6 and 7) are the machines of the contracts (Machine.v): the same
   states, seen without what the theorems need not know, and the same steps. *)
From Coq Require Import Arith Bool Lia List ZArith.
From Fumata Require Import SpecMachine Machine Statement.
Import ListNotations.
Local Open Scope Z_scope.

(* What is seen. *)
Definition verdict_seen (v : fumata_verdict) : verdict :=
  {| winner := Z.to_nat (verdict_winner v); distance := Z.to_nat (verdict_distance v) |}.
Definition duel_seen (d : fumata_duel) : duel :=
  {| named := Z.to_nat (duel_winner d); other := Z.to_nat (duel_loser d); margin := Z.to_nat (duel_distance d) |}.
Definition answer_seen (a : Z) : answer := if a =? FUMATA_SILENT then Silent else Label (Z.to_nat a).
(* A call that is refused gives no answer. *)
Definition given (a r : Z) : answer := if r =? FUMATA_OK then answer_seen a else Noted.

Definition purse_seen (left reserved : Z) : purse := {| left := Z.to_nat left; reserved := Z.to_nat reserved |}.
Definition silences_seen (m : fumata_meter) : purse := purse_seen (meter_left m) (meter_reserved m).
Definition answers_seen (t : fumata_toll) : purse := purse_seen (toll_left t) (toll_reserved t).

(* The rules. *)
Lemma silence_rule : forall m d coin, 0 <= d ->
  FumataMeterIsSilent_b m d coin = is_silent (meter_plan_silence (meter_plan m)) (Z.to_nat d) coin.
Proof.
  intros m d coin Hd. unfold FumataMeterIsSilent_b, is_silent, entry, at_index, FumataMeterRow, meter_plan_size.
  set (table := meter_plan_silence (meter_plan m)).
  replace (Z.to_nat d =? 0)%nat with (d =? 0) by (destruct (Z.eqb_spec d 0); destruct (Nat.eqb_spec (Z.to_nat d) 0); lia).
  do 3 f_equal. destruct (Z.ltb_spec d (Z.of_nat (length table))); lia.
Qed.

Lemma naming_rule : forall t d coin, 0 <= d ->
  FumataTollNamesWinner_b t d coin = is_named (toll_plan_named (toll_plan t)) (Z.to_nat d) coin.
Proof.
  intros t d coin Hd. unfold FumataTollNamesWinner_b, is_named, FumataTollCoins, FumataPlanCoins, entry, at_index, toll_plan_size.
  set (table := toll_plan_named (toll_plan t)).
  replace (Z.to_nat d =? 0)%nat with (d =? 0) by (destruct (Z.eqb_spec d 0); destruct (Nat.eqb_spec (Z.to_nat d) 0); lia).
  destruct (Z.eqb_spec d 0); [reflexivity|]. do 2 f_equal. destruct (Z.ltb_spec d (Z.of_nat (length table))); lia.
Qed.

(* The starts. A machine alone has an empty purse of the other kind. *)
Theorem meter_start_joint : forall plan,
  (silences_seen (meter_start plan (meter_plan_limit plan)), purse_seen 0 0) = start (meter plan).
Proof. reflexivity. Qed.

Theorem toll_start_joint : forall plan,
  (purse_seen 0 0, answers_seen (toll_start plan (toll_plan_limit plan))) = start (toll plan).
Proof. reflexivity. Qed.

Theorem budget_start_joint : forall plan,
  let b := budget_start plan (meter_plan_limit (budget_plan_meter plan)) (toll_plan_limit (budget_plan_toll plan)) in
  (silences_seen (budget_meter b), answers_seen (budget_toll b)) = start (both plan).
Proof. intros [m t]. reflexivity. Qed.

Lemma pays_joint : forall l r n, 0 <= l -> 0 <= r -> 0 <= n ->
  let '(l', r', _) := pays l r n in purse_seen l' r' = tend (Reserve (Z.to_nat n)) (purse_seen l r).
Proof.
  intros l r n Hl Hr Hn. unfold pays, purse_seen, tend. cbn [left reserved].
  destruct (Z.ltb_spec 0 r); destruct (Nat.eqb_spec (Z.to_nat r) 0); try lia; cbn [andb]; [reflexivity|].
  destruct (Z.leb_spec 1 n); destruct (Z.leb_spec n l); destruct (Nat.leb_spec (Z.to_nat n) (Z.to_nat l)); try lia;
    cbn [andb]; f_equal; lia.
Qed.

(* The steps of the meter, whatever is done meanwhile with the purse of answers. The machines of section 6 are all of
   this kind: the meter, and the half of both that is a meter. *)
Section Silences.
  Variable m : fumata_meter.
  Variable naming : list Z.
  Variables silences answers : Z.
  Variable p : purse.
  Variable b : act.
  Hypothesis fits : fumata_meter_fits m.
  Let M := budget (meter_plan_silence (meter_plan m)) naming silences answers.

  Theorem meter_reserve_joint : forall n, 0 <= n ->
    acts M (Reserve (Z.to_nat n)) b (silences_seen m, p) = (silences_seen (fst (meter_pays m n)), tend b p).
  Proof.
    intros n Hn. destruct fits as [_ [Hl Hr]]. unfold silences_seen, meter_pays. cbn [M budget acts fst snd].
    pose proof (pays_joint (meter_left m) (meter_reserved m) n ltac:(lia) ltac:(lia) Hn) as P.
    destruct (pays (meter_left m) (meter_reserved m) n) as [[l r] s]. cbn [fst meter_left meter_reserved]. rewrite P.
    reflexivity.
  Qed.

  Theorem meter_answer_joint : forall v coin answer, fumata_verdict_fits v -> verdict_winner v < FUMATA_CLASSES_MAX ->
    let '(m', a, r) := meter_replies m v coin answer in
    replies M (silences_seen m, p) (verdict_seen v) coin = (given a r, (silences_seen m', p)).
  Proof.
    intros v coin answer [Hw Hd] Hc. destruct fits as [_ [Hl Hr]]. unfold meter_replies.
    destruct (Z.leb_spec FUMATA_CLASSES_MAX (verdict_winner v)); [lia|].
    rewrite silence_rule by lia. cbn [M budget replies fst snd]. unfold silences_seen at 1, purse_seen at 1.
    cbn [reserved]. destruct (Nat.eqb_spec (Z.to_nat (meter_reserved m)) 0); destruct (Z.eqb_spec (meter_reserved m) 0);
      try lia; [reflexivity|]. cbn [distance verdict_seen].
    destruct (is_silent _ _ _); unfold given, answer_seen; cbn [Z.eqb FUMATA_OK].
    - rewrite Z.eqb_refl. do 2 f_equal. unfold silences_seen, meter_used, purse_seen, use.
      cbn [meter_left meter_reserved left reserved]. do 2 f_equal. lia.
    - destruct (Z.eqb_spec (verdict_winner v) FUMATA_SILENT) as [E|]; [unfold FUMATA_SILENT in E; lia|reflexivity].
  Qed.

  Theorem meter_crash_joint :
    acts M Crash b (silences_seen m, p) = (silences_seen (meter_start (meter_plan m) (meter_left m)), tend b p).
  Proof. reflexivity. Qed.

  Theorem meter_close_joint : acts M Close b (silences_seen m, p) = (silences_seen (fst (meter_ends m)), tend b p).
  Proof.
    destruct fits as [_ [Hl Hr]]. cbn [M budget acts fst snd]. f_equal. unfold silences_seen, meter_ends, purse_seen, tend.
    cbn. f_equal. lia.
  Qed.
End Silences.

(* The steps of the toll, whatever is done meanwhile with the purse of silences. *)
Section Answers.
  Variable t : fumata_toll.
  Variable silence : list Z.
  Variables silences answers : Z.
  Variable p : purse.
  Variable a : act.
  Hypothesis fits : fumata_toll_fits t.
  Let M := budget silence (toll_plan_named (toll_plan t)) silences answers.

  Theorem toll_reserve_joint : forall n, 0 <= n ->
    acts M a (Reserve (Z.to_nat n)) (p, answers_seen t) = (tend a p, answers_seen (fst (toll_pays t n))).
  Proof.
    intros n Hn. destruct fits as [_ [Hl Hr]]. unfold answers_seen, toll_pays. cbn [M budget acts fst snd].
    pose proof (pays_joint (toll_left t) (toll_reserved t) n ltac:(lia) ltac:(lia) Hn) as P.
    destruct (pays (toll_left t) (toll_reserved t) n) as [[l r] s]. cbn [fst toll_left toll_reserved]. rewrite P.
    reflexivity.
  Qed.

  Theorem toll_answer_joint : forall d coin answer, fumata_duel_fits d -> FumataPairOk (duel_winner d) (duel_loser d) ->
    let '(t', y, r) := toll_sells t d coin answer in
    sells M (p, answers_seen t) (duel_seen d) coin = (given y r, (p, answers_seen t')).
  Proof.
    intros d coin answer [_ [_ Hd]] Hpair. destruct fits as [_ [Hl Hr]]. unfold toll_sells.
    rewrite (proj2 (FumataPairOk_true _ _) Hpair). cbn [negb]. rewrite naming_rule by lia.
    cbn [M budget sells fst snd]. unfold answers_seen at 1, purse_seen at 1. cbn [reserved].
    destruct (Nat.eqb_spec (Z.to_nat (toll_reserved t)) 0); destruct (Z.eqb_spec (toll_reserved t) 0); try lia;
      [reflexivity|]. cbn [margin named other duel_seen]. unfold given. cbn [Z.eqb FUMATA_OK].
    destruct Hpair as [Hw [Hlo _]]. f_equal.
    - unfold answer_seen. destruct (is_named _ _ _);
        [destruct (Z.eqb_spec (duel_winner d) FUMATA_SILENT) as [E|]|destruct (Z.eqb_spec (duel_loser d) FUMATA_SILENT) as [E|]];
        try reflexivity; unfold FUMATA_SILENT in E; lia.
    - f_equal. unfold answers_seen, toll_used, purse_seen, use. cbn [toll_left toll_reserved left reserved]. f_equal. lia.
  Qed.

  Theorem toll_crash_joint :
    acts M a Crash (p, answers_seen t) = (tend a p, answers_seen (toll_start (toll_plan t) (toll_left t))).
  Proof. reflexivity. Qed.

  Theorem toll_close_joint : acts M a Close (p, answers_seen t) = (tend a p, answers_seen (fst (toll_ends t))).
  Proof.
    destruct fits as [_ [Hl Hr]]. cbn [M budget acts fst snd]. f_equal. unfold answers_seen, toll_ends, purse_seen, tend.
    cbn. f_equal. lia.
  Qed.
End Answers.

(* Classic: a reservation holds the place of the threshold noise that was drawn. *)
Definition classic_seen (c : fumata_classic) (words : list Z) : nat * option nat * list Z :=
  (Z.to_nat (classic_left c),
   if classic_reserved c =? 1
   then Some (Z.to_nat (classic_threshold c - classic_plan_width (classic_plan c) -
                        noise_first (classic_plan_threshold (classic_plan c))))
   else None, words).

Lemma drawn_draw : forall noise coin, drawn noise coin = noise_first noise + Z.of_nat (draw noise coin).
Proof. reflexivity. Qed.

Theorem classic_start_joint : forall plan words,
  classic_seen (classic_start plan (classic_plan_limit plan)) words = start (classic plan words).
Proof. reflexivity. Qed.

Theorem classic_reserve_joint : forall c coin words n b, FumataClassicInvariant c -> 0 <= classic_left c ->
  acts (classic (classic_plan c) (coin :: words)) (Reserve n) b (classic_seen c (coin :: words)) =
  classic_seen (fst (classic_pays c coin)) (if snd (classic_pays c coin) =? FUMATA_OK then words else coin :: words).
Proof.
  intros [plan t n r] coin words m b [_ [[Hr _] _]] Hn.
  cbn [classic_plan classic_threshold classic_left classic_reserved] in *.
  unfold classic, classic_seen, classic_pays. cbn [acts classic_plan classic_threshold classic_left classic_reserved].
  destruct (Z.eqb_spec r 1) as [->|N].
  - cbn. destruct (Z.to_nat n); reflexivity.
  - destruct (Z.eqb_spec n 0) as [->|M]; cbn [fst snd].
    + cbn. destruct (Z.eqb_spec r 1); [lia|reflexivity].
    + destruct (Z.to_nat n) as [|k] eqn:K; [lia|].
      cbn [classic_act classic_plan classic_threshold classic_left classic_reserved Z.eqb Pos.eqb FUMATA_OK].
      rewrite drawn_draw. repeat f_equal; lia.
Qed.

Theorem classic_answer_joint : forall c v coin answer words, FumataClassicInvariant c -> fumata_verdict_fits v ->
  verdict_winner v < FUMATA_CLASSES_MAX ->
  let '(c', a, r) := classic_replies c v coin answer in
  replies (classic (classic_plan c) words) (classic_seen c words) (verdict_seen v) coin =
  (given a r, classic_seen c' words).
Proof.
  intros [plan t n r] v coin answer words [_ [[Hr _] Ht]] [Hw Hd] Hc. unfold FumataClassicStretch in Ht.
  cbn [classic_plan classic_threshold classic_left classic_reserved] in *.
  unfold classic_replies. destruct (Z.leb_spec FUMATA_CLASSES_MAX (verdict_winner v)); [lia|].
  unfold classic. cbn [replies classic_reserved]. unfold classic_seen at 1 2 3. cbn [fst snd classic_reserved].
  destruct (Z.eqb_spec r 0) as [->|R]; [reflexivity|].
  destruct (Z.eqb_spec r 1) as [->|R1]; [|lia]. cbn [Z.eqb] in Ht.
  unfold classic_labels, classic_silent, verdict_seen, classic_used, classic_start, given, answer_seen, classic_seen.
  cbn [classic_plan classic_threshold classic_left classic_reserved distance winner Z.eqb Pos.eqb FUMATA_OK].
  rewrite !drawn_draw. set (z := draw (classic_plan_query plan) coin).
  set (query := noise_first (classic_plan_query plan)). set (first := noise_first (classic_plan_threshold plan)) in *.
  destruct (Nat.eqb_spec z 0); destruct (Z.eqb_spec (query + Z.of_nat z) query); try lia; cbn [negb andb orb].
  - reflexivity.
  - replace (Z.of_nat (Z.to_nat (verdict_distance v))) with (verdict_distance v) by lia.
    replace (classic_plan_width plan + (first + Z.of_nat (Z.to_nat (t - classic_plan_width plan - first)))) with t by lia.
    destruct (Z.ltb_spec t (verdict_distance v + (query + Z.of_nat z)));
      destruct (Z.leb_spec (verdict_distance v + (query + Z.of_nat z)) t); try lia; try reflexivity.
    destruct (Z.eqb_spec (verdict_winner v) FUMATA_SILENT) as [E|]; [unfold FUMATA_SILENT in E; lia|]. reflexivity.
Qed.

Theorem classic_crash_joint : forall c words b,
  classic_seen (classic_start (classic_plan c) (classic_left c)) words =
  acts (classic (classic_plan c) words) Crash b (classic_seen c words).
Proof. reflexivity. Qed.

(* A close is a crash. *)
Theorem classic_close_joint : forall c words b,
  classic_seen (fst (classic_ends c)) words = acts (classic (classic_plan c) words) Close b (classic_seen c words).
Proof. reflexivity. Qed.

(* A count: what is released is the count with the noise that this coin draws. *)
Theorem count_start_joint : forall c noise sensitivity claim table_ok certified,
  let '(c', r) := count_starts c noise sensitivity claim table_ok certified in
  r = FUMATA_OK -> counter_noise c' = noise /\ counter_reserved c' = 1.
Proof.
  intros. unfold count_starts, granted_or. destruct (Z.eqb_spec (count_status sensitivity claim table_ok certified) FUMATA_OK);
    [intros _; split; reflexivity|contradiction].
Qed.

Theorem count_release_joint : forall c count coin noisy, counter_reserved c = 1 ->
  let '(c', z, r) := count_releases c count coin noisy in
  r = FUMATA_OK /\ z = noisy_count (counter_noise c) count coin /\ counter_reserved c' = 0.
Proof. intros c count coin noisy H. unfold count_releases. rewrite H. repeat split. Qed.

Theorem count_closed_joint : forall c count coin noisy, counter_reserved c = 0 ->
  count_releases c count coin noisy = (c, noisy, FUMATA_ERR_CLOSED).
Proof. intros c count coin noisy H. unfold count_releases. rewrite H. reflexivity. Qed.

(* What \valid_read of a table asks for is what every table of 64-bit words has, whatever its size. *)
Theorem words_are_readable : forall table, (forall x, In x table -> 0 <= x < 18446744073709551616) ->
  valid_read table (Z.of_nat (length table)).
Proof. intros table H i [Hi Hs]. apply (H (at_index table i)). unfold at_index. apply nth_In. lia. Qed.

(* Votes of two bytes are counted as votes of one. *)
Theorem wide_votes : FumataIsTallyU16 = FumataIsTallyU8.
Proof. reflexivity. Qed.
