(* The machines of the theorems (Statement.v, sections 6 and 7) are the machines of the contracts (Machine.v): the same
   states, seen without what the theorems need not know, and the same steps. *)
From Coq Require Import Arith Bool Lia List ZArith.
From Fumata Require Import SpecMachine Machine Statement.
Import ListNotations.
Local Open Scope Z_scope.

(* What is seen. *)
Definition verdict_seen (v : fumata_verdict) : verdict :=
  {| winner := Z.to_nat (verdict_winner v); distance := Z.to_nat (verdict_distance v) |}.
Definition answer_seen (a : Z) : answer := if a =? FUMATA_SILENT then Silent else Label (Z.to_nat a).

(* The meter. *)
Definition meter_seen (m : fumata_meter) : meter_state :=
  {| left := Z.to_nat (meter_left m); reserved := meter_reserved m =? 1 |}.

Lemma silence_rule : forall m d coin, 0 <= d ->
  FumataMeterIsSilent_b m d coin = is_silent (meter_plan_silence (meter_plan m)) (Z.to_nat d) coin.
Proof.
  intros m d coin Hd. unfold FumataMeterIsSilent_b, is_silent, entry, at_index, FumataMeterRow, meter_plan_size.
  set (table := meter_plan_silence (meter_plan m)).
  replace (Z.to_nat d =? 0)%nat with (d =? 0) by (destruct (Z.eqb_spec d 0); destruct (Nat.eqb_spec (Z.to_nat d) 0); lia).
  do 3 f_equal. destruct (Z.ltb_spec d (Z.of_nat (length table))); lia.
Qed.

Theorem meter_start_joint : forall plan, 0 <= meter_plan_limit plan ->
  meter_seen (meter_start plan (meter_plan_limit plan)) = start (meter plan).
Proof. reflexivity. Qed.

Theorem meter_reserve_joint : forall m, FumataMeterInvariant m -> 0 <= meter_left m ->
  match reserve (meter (meter_plan m)) (meter_seen m) with
  | Some s => meter_seen (fst (meter_pays m)) = s /\ snd (meter_pays m) <> FUMATA_ERR_SPENT
  | None => fst (meter_pays m) = m /\ snd (meter_pays m) = FUMATA_ERR_SPENT
  end.
Proof.
  intros [plan n r] [_ [Hr _]] Hn. cbn [meter_plan meter_left meter_reserved] in *.
  unfold meter, meter_seen, meter_pays, meter_reserve. cbn [reserve meter_left meter_reserved left reserved].
  destruct (Z.eqb_spec r 1); cbn [fst snd].
  - subst. split; [reflexivity|discriminate].
  - destruct (Z.eqb_spec n 0) as [->|N]; cbn [fst snd].
    + cbn. split; reflexivity.
    + destruct (Z.to_nat n) as [|k] eqn:K; [lia|]. split; [|discriminate].
      unfold meter_seen. cbn. f_equal. lia.
Qed.

Theorem meter_answer_joint : forall m v coin answer, meter_reserved m = 1 -> fumata_verdict_fits v ->
  verdict_winner v < FUMATA_CLASSES_MAX ->
  let '(m', a, r) := meter_replies m v coin answer in
  r = FUMATA_OK /\ respond (meter (meter_plan m)) (meter_seen m) (verdict_seen v) coin = (answer_seen a, meter_seen m').
Proof.
  intros [plan n r] v coin answer Hr [Hw Hd] Hc. cbn [meter_reserved] in Hr. subst r. unfold meter_replies.
  destruct (Z.leb_spec FUMATA_CLASSES_MAX (verdict_winner v)); [lia|]. cbn [meter_reserved Z.eqb].
  rewrite silence_rule by lia. unfold meter. cbn [respond]. unfold meter_answer, verdict_seen, answer_seen. cbn [distance winner].
  destruct (is_silent _ _ _); split; try reflexivity.
  destruct (Z.eqb_spec (verdict_winner v) FUMATA_SILENT) as [E|]; [|reflexivity].
  unfold FUMATA_SILENT in E. lia.
Qed.

Theorem meter_crash_joint : forall m,
  meter_seen (meter_start (meter_plan m) (meter_left m)) = crash (meter (meter_plan m)) (meter_seen m).
Proof. reflexivity. Qed.

Theorem meter_close_joint : forall m, FumataMeterInvariant m -> 0 <= meter_left m ->
  let stored := meter_left (fst (meter_ends m)) in
  meter_seen (meter_start (meter_plan m) stored) = renew (meter (meter_plan m)) (meter_seen m).
Proof.
  intros [plan n r] [_ [Hr _]] Hn. unfold meter_seen, meter, meter_start, meter_ends. cbn in *. unfold meter_resume, meter_close.
  cbn. f_equal. destruct (Z.eqb_spec r 1); lia.
Qed.

(* Classic: a reservation holds the place of the threshold noise that was drawn. *)
Definition classic_seen (c : fumata_classic) (words : list Z) : classic_state :=
  {| Statement.classic_left := Z.to_nat (SpecBase.classic_left c);
     classic_held := if classic_reserved c =? 1
                     then Some (Z.to_nat (classic_threshold c - classic_plan_width (classic_plan c) -
                                          noise_first (classic_plan_threshold (classic_plan c))))
                     else None;
     classic_words := words |}.

Lemma drawn_draw : forall noise coin, drawn noise coin = noise_first noise + Z.of_nat (draw noise coin).
Proof. reflexivity. Qed.

Theorem classic_start_joint : forall plan words,
  classic_seen (classic_start plan (classic_plan_limit plan)) words = start (classic plan words).
Proof. reflexivity. Qed.

Theorem classic_reserve_joint : forall c coin words, FumataClassicInvariant c -> 0 <= SpecBase.classic_left c ->
  match reserve (classic (classic_plan c) (coin :: words)) (classic_seen c (coin :: words)) with
  | Some s => snd (classic_pays c coin) <> FUMATA_ERR_SPENT /\
              s = classic_seen (fst (classic_pays c coin)) (if classic_reserved c =? 1 then coin :: words else words)
  | None => classic_pays c coin = (c, FUMATA_ERR_SPENT)
  end.
Proof.
  intros [plan t n r] coin words [_ [[Hr _] _]] Hn.
  cbn [classic_plan classic_threshold SpecBase.classic_left classic_reserved] in *.
  unfold classic, classic_seen, classic_pays. cbn [reserve classic_plan classic_threshold SpecBase.classic_left classic_reserved].
  destruct (Z.eqb_spec r 1) as [->|N].
  - cbn. destruct (Z.to_nat n); (split; [discriminate|reflexivity]).
  - destruct (Z.eqb_spec n 0) as [->|M]; [reflexivity|].
    destruct (Z.to_nat n) as [|k] eqn:K; [lia|]. cbn [classic_reserve fst snd]. split; [discriminate|].
    cbn [classic_plan classic_threshold SpecBase.classic_left classic_reserved Z.eqb Pos.eqb]. rewrite drawn_draw.
    f_equal; [lia|]. f_equal. lia.
Qed.

Theorem classic_answer_joint : forall c v coin answer words, FumataClassicInvariant c -> classic_reserved c = 1 ->
  fumata_verdict_fits v -> verdict_winner v < FUMATA_CLASSES_MAX ->
  let '(c', a, r) := classic_replies c v coin answer in
  r = FUMATA_OK /\
  respond (classic (classic_plan c) words) (classic_seen c words) (verdict_seen v) coin = (answer_seen a, classic_seen c' words).
Proof.
  intros [plan t n r] v coin answer words [_ [_ Ht]] Hr [Hw Hd] Hc. unfold FumataClassicStretch in Ht.
  cbn [classic_plan classic_threshold SpecBase.classic_left classic_reserved] in *. subst r. cbn [Z.eqb] in Ht.
  unfold classic_replies. destruct (Z.leb_spec FUMATA_CLASSES_MAX (verdict_winner v)); [lia|].
  unfold classic. cbn [respond classic_reserved Z.eqb]. unfold classic_answer, classic_seen. cbn [classic_held classic_reserved Z.eqb Pos.eqb].
  unfold classic_labels, classic_silent, verdict_seen, classic_used, classic_start, classic_resume, answer_seen.
  cbn [classic_plan classic_threshold SpecBase.classic_left classic_reserved distance winner Statement.classic_left classic_words].
  rewrite !drawn_draw. set (z := draw (classic_plan_query plan) coin).
  set (query := noise_first (classic_plan_query plan)). set (first := noise_first (classic_plan_threshold plan)) in *.
  destruct (Nat.eqb_spec z 0); destruct (Z.eqb_spec (query + Z.of_nat z) query); try lia; cbn [negb andb orb].
  - split; reflexivity.
  - replace (Z.of_nat (Z.to_nat (verdict_distance v))) with (verdict_distance v) by lia.
    replace (classic_plan_width plan + (first + Z.of_nat (Z.to_nat (t - classic_plan_width plan - first)))) with t by lia.
    destruct (Z.ltb_spec t (verdict_distance v + (query + Z.of_nat z)));
      destruct (Z.leb_spec (verdict_distance v + (query + Z.of_nat z)) t); try lia; split; try reflexivity.
    destruct (Z.eqb_spec (verdict_winner v) FUMATA_SILENT) as [E|]; [unfold FUMATA_SILENT in E; lia|]. reflexivity.
Qed.

Theorem classic_crash_joint : forall c words,
  classic_seen (classic_start (classic_plan c) (SpecBase.classic_left c)) words = crash (classic (classic_plan c) words) (classic_seen c words).
Proof. reflexivity. Qed.

(* A close is a crash. *)
Theorem classic_close_joint : forall c words,
  classic_seen (fst (classic_ends c)) words = crash (classic (classic_plan c) words) (classic_seen c words).
Proof. reflexivity. Qed.

(* What \valid_read of a table asks for is what every table of 64-bit words has, whatever its size. *)
Theorem words_are_readable : forall table, (forall x, In x table -> 0 <= x < 18446744073709551616) ->
  valid_read table (Z.of_nat (length table)).
Proof. intros table H i [Hi Hs]. apply (H (at_index table i)). unfold at_index. apply nth_In. lia. Qed.

(* Votes of two bytes are counted as votes of one. *)
Theorem wide_votes : FumataIsTallyU16 = FumataIsTallyU8.
Proof. reflexivity. Qed.
