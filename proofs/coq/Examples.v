(* The definitions at work: ballots decided, laws of small games in exact rationals, and a plan that is certified, so
   that no theorem here speaks about nothing. The table of laws at the end is printed by the build and compared with
   expected_law.txt, which a test of the C code reads as well. *)
From Coq Require Import Reals Lra Lia Psatz ZArith QArith Qreals List Bool String DecimalString.
From Fumata Require Import SpecNoise SpecPlan SpecCertifyMeter SpecCertifyToll SpecCertifyBudget SpecCertifyClassic
  Statement Power Divergence Uniform Game TheoremM Ballot Coins Classic Noise CertificateTotal CertificateClassic
  Accepts.
Import ListNotations.
Local Open Scope nat_scope.

(* Ballots. *)
Example five_to_two : decide 3 [0; 0; 1; 0; 2; 0; 1; 0] = {| winner := 0; distance := 1 |}.
Proof. reflexivity. Qed.
Example tie_goes_to_the_smaller_label : decide 3 [2; 1; 2; 1] = {| winner := 1; distance := 0 |}.
Proof. reflexivity. Qed.
Example gap_of_two_is_distance_0 : decide 2 [1; 1; 1; 0] = {| winner := 1; distance := 0 |}.
Proof. reflexivity. Qed.
Example unanimous : decide 2 [1; 1; 1; 1; 1; 1; 1] = {| winner := 1; distance := 3 |}.
Proof. reflexivity. Qed.

(* Abstentions: a vote for no class is no vote, and a teacher that stops voting moves the distance by at most one. *)
Example abstentions_count_nowhere : decide 2 [1; 7; 1; 1; 2; 1; 1; 65535; 1; 1] = decide 2 [1; 1; 1; 1; 1; 1; 1].
Proof. reflexivity. Qed.
Example one_abstains : decide 2 [1; 1; 1; 1; 1; 1; 2] = {| winner := 1; distance := 2 |}.
Proof. reflexivity. Qed.
Example all_abstain : decide 3 [3; 3; 3] = {| winner := 0; distance := 0 |}.
Proof. reflexivity. Qed.

(* Two candidates: votes for others count nowhere, and the first of the two wins a tie. *)
Example of_two : confront 0 2 [2; 1; 2; 1; 2; 0; 1; 2; 1; 7] = {| named := 2; other := 0; margin := 1 |}.
Proof. reflexivity. Qed.
Example tie_of_two : confront 0 2 [1; 1; 2; 0] = {| named := 0; other := 2; margin := 0 |}.
Proof. reflexivity. Qed.
Example none_of_two : confront 1 3 [0; 2; 2; 65535] = {| named := 1; other := 3; margin := 0 |}.
Proof. reflexivity. Qed.

(* The probabilities of silence, and of naming the winner, as rationals. *)
Definition naming_Q (table : list Z) (d : nat) : Q := Qred (inject_Z (naming_words table d) / inject_Z words).
Definition silence_Q (table : list Z) (d : nat) : Q := Qred (inject_Z (silent_words table d) / inject_Z words).

(* The game of Game.v with rational weights. *)
Definition times (x y : Q) : Q := Qred (x * y).
Definition joint_Q {query} (table toll : list Z) (limit answers n : nat) (next : strategy query)
  (view : query -> verdict) (face : query -> duel) : list (transcript * Q) :=
  game query Q 1%Q times (silence_Q table) (fun d => Qred (1 - silence_Q table d))
    (naming_Q toll) (fun d => Qred (1 - naming_Q toll d)) next view face n limit answers [].

(* It is the same law. *)
Lemma Q2R_one : Q2R 1 = 1%R.
Proof. unfold Q2R. simpl. lra. Qed.

Lemma Q2R_times : forall x y, Q2R (times x y) = (Q2R x * Q2R y)%R.
Proof. intros x y. unfold times. rewrite (Qeq_eqR _ _ (Qred_correct _)). apply Q2R_mult. Qed.

Lemma Q2R_words : forall n, Q2R (Qred (inject_Z n / inject_Z words)) = (IZR n / IZR words)%R.
Proof.
  intros n. rewrite (Qeq_eqR _ _ (Qred_correct _)), Q2R_div.
  - unfold Q2R, inject_Z. simpl Qnum. simpl Qden. rewrite Rinv_1, !Rmult_1_r. reflexivity.
  - unfold words. intros H. discriminate H.
Qed.

Lemma Q2R_rest : forall x, Q2R (Qred (1 - x)) = (1 - Q2R x)%R.
Proof. intros x. rewrite (Qeq_eqR _ _ (Qred_correct _)), Q2R_minus, Q2R_one. reflexivity. Qed.

Theorem joint_Q_is_joint : forall query table toll limit answers n (next : strategy query) view face,
  map (fun e => (fst e, Q2R (snd e))) (joint_Q table toll limit answers n next view face) =
  joint_law (silence table) (naming toll) limit answers n next view face.
Proof.
  intros query table toll limit answers n next view face. unfold joint_Q, joint_law, joint_game.
  generalize (@nil answer). revert limit answers. induction n as [|n IH]; intros c l seen; cbn [game].
  { cbn [map fst snd]. rewrite Q2R_one. reflexivity. }
  assert (Two : forall x r mu nu mu' nu', Q2R x = r -> map (fun e => (fst e, Q2R (snd e))) mu = mu' ->
    map (fun e => (fst e, Q2R (snd e))) nu = nu' ->
    map (fun e => (fst e, Q2R (snd e))) (weigh Q times x mu ++ weigh Q times (Qred (1 - x)) nu) =
    (weigh R Rmult r mu' ++ weigh R Rmult (1 - r)%R nu')).
  { intros x r mu nu mu' nu' <- <- <-. unfold weigh. rewrite map_app, !map_map. f_equal; apply map_ext; intros [h w];
      cbn [fst snd]; rewrite Q2R_times, ?Q2R_rest; reflexivity. }
  destruct (next seen) as [q|q|s a|]; [destruct c|destruct l| |];
    try (cbn [map fst snd]; rewrite Q2R_one; reflexivity); [| |apply IH]; apply Two; auto; apply Q2R_words.
Qed.

(* Silence with probability 63/64, 59/64, 51/64 at distances 1, 2, 3 and beyond. *)
Definition small_table : list Z := [18158513697557839872; 17005592192950992896; 14699749183737298944]%Z.

(* A stream fixed in advance: query i is answered by the i-th verdict. *)
Definition fixed_stream (verdicts : list verdict) : strategy nat :=
  fun seen => if List.length seen <? List.length verdicts then Meter (List.length seen) else Leave.
Definition verdict_of (y d : nat) : verdict := {| winner := y; distance := d |}.
Definition duel_of (y z d : nat) : duel := {| named := y; other := z; margin := d |}.
Definition fixed_view (verdicts : list verdict) : nat -> verdict := fun q => nth q verdicts (verdict_of 0 0).
Definition meter_Q (limit n : nat) (next : strategy nat) (view : nat -> verdict) : list (transcript * Q) :=
  joint_Q small_table [] limit 0 n next view (fun _ => duel_of 0 1 0).

Definition possible (mu : list (transcript * Q)) : list (transcript * Q) :=
  filter (fun e => negb (Qeq_bool (snd e) 0)) mu.

Definition law_of (limit : nat) (verdicts : list verdict) : list (transcript * Q) :=
  possible (meter_Q limit (List.length verdicts) (fixed_stream verdicts) (fixed_view verdicts)).

(* Two queries, at distances 1 and 2, and one silence. The latest answer comes first. *)
Example two_queries_one_silence : law_of 1 [verdict_of 1 1; verdict_of 0 2] =
  [([Silent], 63 # 64); ([Silent; Label 1], 59 # 4096); ([Label 0; Label 1], 5 # 4096)].
Proof. vm_compute. reflexivity. Qed.

(* The second query depends on the first answer: distance 5, read as 3, after a label, distance 2 after a silence. *)
Example adaptive :
  possible (meter_Q 2 2
    (fun seen => match seen with [] => Meter 0 | [Silent] => Meter 1 | [Label _] => Meter 2 | _ => Leave end)
    (fun q => match q with 0 => verdict_of 1 1 | 1 => verdict_of 0 2 | _ => verdict_of 3 5 end)) =
  [([Silent; Silent], 3717 # 4096); ([Label 0; Silent], 315 # 4096);
   ([Silent; Label 1], 51 # 4096); ([Label 3; Label 1], 13 # 4096)].
Proof. vm_compute. reflexivity. Qed.

(* A crash takes the silence with it, and what is asked after it finds nothing. *)
Example crash :
  possible (meter_Q 1 3 (fun seen => match seen with [] => Forfeit 1 0 | _ => Meter 0 end) (fun _ => verdict_of 1 1))
  = [([Noted], 1)%Q].
Proof. vm_compute. reflexivity. Qed.

(* The winner named with probability 5/8, 3/4 at margins 1, 2 and beyond. *)
Definition small_toll : list Z := [11529215046068469760; 13835058055282163712]%Z.

(* One answer at margin 3, read as 2, then a silence or a label at distance 1; and a tie, which is a fair coin. *)
Example both_kinds :
  possible (joint_Q small_table small_toll 1 1 2
    (fun seen => match seen with [] => Toll tt | _ => Meter tt end) (fun _ => verdict_of 1 1) (fun _ => duel_of 2 0 3)) =
  [([Silent; Label 2], 189 # 256); ([Label 1; Label 2], 3 # 256);
   ([Silent; Label 0], 63 # 256); ([Label 1; Label 0], 1 # 256)].
Proof. vm_compute. reflexivity. Qed.
Example fair_tie :
  possible (joint_Q [] small_toll 0 1 2 (fun _ => Toll tt) (fun _ => verdict_of 1 1) (fun _ => duel_of 2 0 0)) =
  [([Label 2], 1 # 2); ([Label 0], 1 # 2)].
Proof. vm_compute. reflexivity. Qed.

(* A certified plan: two silences, three distances, epsilon = 4, delta = 3/16, alpha = 2, V = 3/2. *)
Definition small_plan : fumata_meter_plan :=
  {| meter_plan_silence := small_table; meter_plan_limit := 2 |}.
Definition small_claim : fumata_claim :=
  {| claim_epsilon_num := 4; claim_epsilon_den := 1; claim_delta_num := 3; claim_delta_den := 16; claim_alpha := 2;
    claim_v := 6442450944; claim_u := 4724464026 |}.

Local Open Scope R_scope.

Example small_plan_certified : fumata_claim_fits small_claim /\ FumataMeterIsCertified small_plan small_claim.
Proof. apply meter_accepts_sound. vm_cast_no_check (eq_refl true). Qed.

(* More silences than delta pays for are refused. *)
Example small_plan_with_more : meter_accepts {| meter_plan_silence := small_table;
  meter_plan_limit := 9 |} small_claim = false.
Proof. vm_cast_no_check (eq_refl false). Qed.

(* A certified toll under the same claim, U = 1.1: two answers, and a budget of one silence and one answer. An entry below
   one half, a table that falls, and more answers than delta pays for are refused. *)
Definition small_toll_plan (named : list Z) (limit : Z) : fumata_toll_plan :=
  {| toll_plan_named := named; toll_plan_limit := limit |}.
Definition small_budget : fumata_budget_plan :=
  {| budget_plan_meter := {| meter_plan_silence := small_table; meter_plan_limit := 1 |};
     budget_plan_toll := small_toll_plan small_toll 1 |}.

Example small_toll_certified :
  fumata_claim_fits small_claim /\ FumataTollIsCertified (small_toll_plan small_toll 2) small_claim.
Proof. apply toll_accepts_sound. vm_cast_no_check (eq_refl true). Qed.
Example small_budget_certified : fumata_claim_fits small_claim /\ FumataBudgetIsCertified small_budget small_claim.
Proof. apply budget_accepts_sound. vm_cast_no_check (eq_refl true). Qed.
Example small_tolls_refused : let exp := exp_of small_claim in existsb (fun plan => toll_passes exp plan small_claim)
  [small_toll_plan [2 ^ 62; 2 ^ 63]%Z 2; small_toll_plan (rev small_toll) 2; small_toll_plan small_toll 50] = false.
Proof. vm_cast_no_check (eq_refl false). Qed.

(* A certified classic plan: two silences, epsilon = 128, delta = 1/2, alpha = 2. Threshold noise 0, 1, 2 with
   probabilities 1/8, 3/8, 1/2; query noise -1, 0, 1, 2 with probability 1/4 each; width 10. *)
Definition small_classic_plan : fumata_classic_plan :=
  {| classic_plan_threshold := {| noise_cdf := [2305843009213693952; 9223372036854775808]%Z; noise_first := 0 |};
     classic_plan_query := {| noise_cdf := [4611686018427387904; 9223372036854775808; 13835058055282163712]%Z;
       noise_first := -1 |};
     classic_plan_width := 10; classic_plan_limit := 2 |}.
Definition small_classic_claim : fumata_claim :=
  {| claim_epsilon_num := 128; claim_epsilon_den := 1; claim_delta_num := 1; claim_delta_den := 2; claim_alpha := 2;
    claim_v := 0; claim_u := 0 |}.

Example small_classic_plan_certified :
  fumata_claim_fits small_classic_claim /\ FumataClassicIsCertified small_classic_plan small_classic_claim.
Proof. apply classic_accepts_sound. vm_cast_no_check (eq_refl true). Qed.

(* The classic game with rational weights. *)
Definition share_Q (coins : Z) : Q := Qred (inject_Z coins / inject_Z words).
Definition threshold_Q (plan : fumata_classic_plan) (j : nat) : Q :=
  share_Q (noise_coins (classic_plan_threshold plan) (Z.of_nat j)).
Definition quiet_Q (plan : fumata_classic_plan) (d j : nat) : Q :=
  share_Q (noise_reach (classic_plan_query plan)
    (classic_plan_width plan + noise_first (classic_plan_threshold plan) + Z.of_nat j - Z.of_nat d - noise_first
      (classic_plan_query plan))).
Fixpoint sum_Q (g : nat -> Q) (l : list nat) : Q :=
  match l with
  | [] => 0%Q
  | j :: rest => Qred (g j + sum_Q g rest)
  end.
Definition total_Q (plan : fumata_classic_plan) (g : nat -> Q) : Q :=
  sum_Q g (seq 0 (S (List.length (noise_cdf (classic_plan_threshold plan))))).

Fixpoint stretch_Q {query} (plan : fumata_classic_plan) (next : strategy query) (view : query -> verdict) (n : nat)
  (g : nat -> Q) (seen : transcript) : list (ending * Q) :=
  match n with
  | O => [((seen, O), total_Q plan g)]
  | S m =>
      match next seen with
      | Forfeit O _ => stretch_Q plan next view m g (Noted :: seen)
      | Forfeit (S _) _ => [((Noted :: seen, m), total_Q plan g)]
      | Meter q =>
          let v := view q in
          ((Silent :: seen, m), total_Q plan (fun j => times (g j) (quiet_Q plan (distance v) j))) ::
          stretch_Q plan next view m (fun j => times (g j) (Qred (1 - quiet_Q plan (distance v) j)))
            (Label (winner v) :: seen)
      | _ => [((seen, O), total_Q plan g)]
      end
  end.

Fixpoint classic_Q {query} (plan : fumata_classic_plan) (next : strategy query) (view : query -> verdict) (c n : nat)
  (seen : transcript) : list (transcript * Q) :=
  match c with
  | O => [(finish next n seen, 1%Q)]
  | S rest =>
      flat_map (fun e => map (fun o => (fst o, times (snd e) (snd o)))
                           (classic_Q plan next view rest (snd (fst e)) (fst (fst e))))
        (stretch_Q plan next view n (threshold_Q plan) seen)
  end.

(* It is the same law as in Classic.v. *)
Lemma Q2R_share : forall coins, Q2R (share_Q coins) = share coins.
Proof.
  intros coins. unfold share_Q, share. rewrite (Qeq_eqR _ _ (Qred_correct _)), Q2R_div.
  - unfold Q2R, inject_Z. cbn [Qnum Qden]. rewrite Rinv_1, !Rmult_1_r, words_value. reflexivity.
  - unfold words. intros H. discriminate H.
Qed.

Lemma Q2R_quiet : forall plan d j, Q2R (quiet_Q plan d j) = quiet (noises_of plan) d j.
Proof. intros plan d j. apply Q2R_share. Qed.

Lemma Q2R_total : forall plan g h, (forall j, (j <= List.length (noise_cdf (classic_plan_threshold plan)))%nat ->
  Q2R (g j) =
  h j) ->
  Q2R (total_Q plan g) = total (noises_of plan) h.
Proof.
  intros plan g h H. unfold total_Q, total.
  change (top (noises_of plan)) with (List.length (noise_cdf (classic_plan_threshold plan))).
  assert (G : forall l, (forall j, In j l -> Q2R (g j) = h j) -> Q2R (sum_Q g l) = sum h l).
  { induction l as [|j l IH]; intros Hl; cbn [sum_Q sum].
    - unfold Q2R. simpl. lra.
    - rewrite (Qeq_eqR _ _ (Qred_correct _)), Q2R_plus, IH, (Hl j (or_introl eq_refl)); [reflexivity|].
      intros i Hi. apply Hl. right. exact Hi. }
  apply G. intros j Hj. apply in_seq in Hj. apply H. lia.
Qed.

Lemma stretch_Q_is : forall query plan (next : strategy query) view n g h seen,
  (forall j, (j <= List.length (noise_cdf (classic_plan_threshold plan)))%nat -> Q2R (g j) = h j) ->
  map (fun e => (fst e, Q2R (snd e))) (stretch_Q plan next view n g seen) = stretch (noises_of plan) next view n h seen.
Proof.
  intros query plan next view n. induction n as [|n IH]; intros g h seen H; cbn [stretch_Q stretch].
  { cbn [map fst snd]. rewrite (Q2R_total plan g h H). reflexivity. }
  destruct (next seen) as [q|q|[|s] a|]; cbn [map fst snd];
    try (rewrite (Q2R_total plan g h H); reflexivity); try (apply IH; exact H).
  assert (M : forall j, (j <= List.length (noise_cdf (classic_plan_threshold plan)))%nat ->
    Q2R (times (g j) (quiet_Q plan (distance (view q)) j)) = h j * quiet (noises_of plan) (distance (view q)) j).
  { intros j Hj. rewrite Q2R_times, (H j Hj), Q2R_quiet. reflexivity. }
  assert (M' : forall j, (j <= List.length (noise_cdf (classic_plan_threshold plan)))%nat ->
    Q2R (times (g j) (Qred (1 - quiet_Q plan (distance (view q)) j))) =
    h j * (1 - quiet (noises_of plan) (distance (view q)) j)).
  { intros j Hj. rewrite Q2R_times, (H j Hj), Q2R_rest, Q2R_quiet. reflexivity. }
  rewrite (Q2R_total plan _ _ M), (IH _ _ _ M'). reflexivity.
Qed.

Theorem classic_Q_is_classic : forall query plan c n (next : strategy query) view,
  map (fun e => (fst e, Q2R (snd e))) (classic_Q plan next view c n []) = classic_law (noises_of plan) c n next view.
Proof.
  intros query plan c n next view. unfold classic_law. generalize (@nil answer). revert n.
  induction c as [|c IH]; intros n seen; cbn [classic_Q classic_game].
  { cbn [map fst snd]. rewrite Q2R_one. reflexivity. }
  assert (T : forall j, (j <= List.length (noise_cdf (classic_plan_threshold plan)))%nat ->
    Q2R (threshold_Q plan j) = threshold (noises_of plan) j).
  { intros j Hj. unfold noises_of. cbn [threshold].
    destruct (Nat.leb_spec j (List.length (noise_cdf (classic_plan_threshold plan)))); [apply Q2R_share|lia]. }
  rewrite <- (stretch_Q_is query plan next view n _ _ seen T). unfold bind.
  generalize (stretch_Q plan next view n (threshold_Q plan) seen). intros l.
  induction l as [|e l IHl]; [reflexivity|]. cbn [flat_map map]. rewrite map_app, IHl. f_equal.
  cbn [fst snd]. rewrite <- IH. unfold scale. rewrite !map_map. apply map_ext. intros [o w]. cbn [fst snd].
  rewrite Q2R_times. reflexivity.
Qed.

(* Outcomes that end in the same transcript, taken together. *)
Definition answer_eqb (a b : answer) : bool :=
  match a, b with
  | Silent, Silent => true
  | Label y, Label y' => (y =? y')%nat
  | Noted, Noted => true
  | _, _ => false
  end.
Fixpoint transcript_eqb (h h' : transcript) : bool :=
  match h, h' with
  | [], [] => true
  | a :: l, a' :: l' => answer_eqb a a' && transcript_eqb l l'
  | _, _ => false
  end.
Fixpoint gather (fuel : nat) (mu : list (transcript * Q)) : list (transcript * Q) :=
  match fuel, mu with
  | S f, (h, w) :: rest =>
      (h, fold_left (fun s e => if transcript_eqb h (fst e) then Qred (s + snd e) else s) rest w) ::
      gather f (filter (fun e => negb (transcript_eqb h (fst e))) rest)
  | _, _ => []
  end.
Definition classic_law_of (limit : nat) (verdicts : list verdict) : list (transcript * Q) :=
  let mu := classic_Q small_classic_plan (fixed_stream verdicts) (fixed_view verdicts) limit (List.length verdicts) []
    in
  possible (gather (List.length mu) mu).

(* One query at distance 11: a label iff Z2 > Z1 - 1 and Z2 is not the lowest. *)
Example classic_one_query : classic_law_of 1 [verdict_of 1 11] = [([Silent], 19 # 32); ([Label 1], 13 # 32)].
Proof. vm_compute. reflexivity. Qed.

(* Laws as text, to be read by a test of the C code: what a plan and its claim are, then games. A game is its limit and
   its verdicts as WINNER DISTANCE pairs; of a budget, its two limits and what it is asked, `m WINNER DISTANCE` of the
   meter and `t NAMED OTHER MARGIN` of the toll. A law is NUMERATOR DENOMINATOR and the answers in the order in which they
   were given, -1 for silence. *)
Local Open Scope string_scope.
Definition text_of_N (n : N) : string := NilEmpty.string_of_uint (N.to_uint n).
Definition text_of_nat (n : nat) : string := text_of_N (N.of_nat n).
Definition text_of_Z (z : Z) : string := (if (z <? 0)%Z then " -" else " ") ++ text_of_N (Z.abs_N z).
Definition newline : string := String (Ascii.ascii_of_nat 10) "".
Definition each {A} (f : A -> string) (l : list A) : string := concat "" (map f l).
Definition text_of_answer (a : answer) : string :=
  match a with
  | Silent => " -1"
  | Label y => " " ++ text_of_nat y
  | Noted => " -2"
  end.
Definition text_of_outcome (e : transcript * Q) : string :=
  "law " ++ text_of_N (Z.to_N (Qnum (snd e))) ++ " " ++ text_of_N (Npos (Qden (snd e))) ++
  each text_of_answer (rev (fst e)) ++ newline.
Definition text_of_game (law : nat -> list verdict -> list (transcript * Q)) (g : nat * list verdict) : string :=
  "game " ++ text_of_nat (fst g) ++
  each (fun v => " " ++ text_of_nat (winner v) ++ " " ++ text_of_nat (distance v)) (snd g) ++ newline ++
  each text_of_outcome (law (fst g) (snd g)).
Definition text_of_claim (c : fumata_claim) : string :=
  "claim" ++ each text_of_Z [claim_epsilon_num c; claim_epsilon_den c; claim_delta_num c; claim_delta_den c;
    claim_alpha c; claim_v c; claim_u c] ++ newline.

Definition meter_games : list (nat * list verdict) :=
  [ (1, [verdict_of 1 1; verdict_of 0 2]);
    (2, [verdict_of 1 1; verdict_of 0 2]);
    (1, [verdict_of 0 0; verdict_of 2 3]);
    (2, [verdict_of 0 0; verdict_of 2 3]);
    (2, [verdict_of 1 2; verdict_of 4 7; verdict_of 0 1]) ]%nat.
Definition classic_games : list (nat * list verdict) :=
  [ (1, [verdict_of 1 11]);
    (1, [verdict_of 1 11; verdict_of 0 12]);
    (2, [verdict_of 1 11; verdict_of 0 12]);
    (2, [verdict_of 0 10; verdict_of 3 13]);
    (2, [verdict_of 2 0; verdict_of 2 100; verdict_of 1 11]) ]%nat.


(* Questions of both kinds, fixed in advance. What is asked of an empty purse ends the game. *)
Definition asked := (verdict + duel)%type.
Definition fixed_kinds (l : list asked) : strategy nat := fun seen =>
  match nth_error l (List.length seen) with
  | Some (inl _) => Meter (List.length seen)
  | Some (inr _) => Toll (List.length seen)
  | None => Leave
  end.
Definition both_law_of (limit answers : nat) (l : list asked) : list (transcript * Q) :=
  possible (joint_Q small_table small_toll limit answers (List.length l) (fixed_kinds l)
    (fun q => match nth_error l q with Some (inl v) => v | _ => verdict_of 0 0 end)
    (fun q => match nth_error l q with Some (inr f) => f | _ => duel_of 0 0 0 end)).
Definition text_of_asked (a : asked) : string :=
  match a with
  | inl v => " m " ++ text_of_nat (winner v) ++ " " ++ text_of_nat (distance v)
  | inr f => " t " ++ text_of_nat (named f) ++ " " ++ text_of_nat (other f) ++ " " ++ text_of_nat (margin f)
  end.
Definition text_of_both (g : nat * nat * list asked) : string :=
  let '(limit, answers, l) := g in
  "game " ++ text_of_nat limit ++ " " ++ text_of_nat answers ++ each text_of_asked l ++ newline ++
  each text_of_outcome (both_law_of limit answers l).
Definition both_games : list (nat * nat * list asked) :=
  [ (1, 1, [inr (duel_of 2 0 3); inl (verdict_of 1 1)]);
    (1, 2, [inr (duel_of 1 4 0); inl (verdict_of 3 2); inr (duel_of 4 1 1)]);
    (2, 1, [inl (verdict_of 0 0); inr (duel_of 0 1 2); inl (verdict_of 1 3); inl (verdict_of 2 1)]);
    (1, 1, [inr (duel_of 0 1 1); inr (duel_of 0 1 1); inl (verdict_of 1 1)]) ]%nat.

Definition expected_law : string :=
  "meter" ++ newline ++
  "silence" ++ each text_of_Z small_table ++ newline ++
  text_of_claim small_claim ++ each (text_of_game law_of) meter_games ++
  "classic" ++ newline ++
  "threshold" ++ each text_of_Z (noise_first (classic_plan_threshold small_classic_plan) :: noise_cdf
    (classic_plan_threshold
    small_classic_plan)) ++ newline ++
  "query" ++ each text_of_Z (noise_first (classic_plan_query small_classic_plan) :: noise_cdf (classic_plan_query
    small_classic_plan))
    ++ newline ++
  "width" ++ text_of_Z (classic_plan_width small_classic_plan) ++ newline ++
  text_of_claim small_classic_claim ++ each (text_of_game classic_law_of) classic_games ++
  "both" ++ newline ++
  "silence" ++ each text_of_Z small_table ++ newline ++ "named" ++ each text_of_Z small_toll ++ newline ++
  text_of_claim small_claim ++ each text_of_both both_games.

Compute expected_law.
