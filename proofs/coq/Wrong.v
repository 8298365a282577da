(* Mistakes that look harmless, each refuted: the lemma that the right version satisfies is false for it. *)
From Coq Require Import Reals Lra Lia Psatz ZArith QArith Qreals List Bool.
From Fumata Require Import SpecPlan Statement Power Divergence Uniform Game TheoremM Ballot Duel Units Session Safe.
Import ListNotations.
Local Open Scope R_scope.

(* A fair coin wherever something is drawn: alpha = 2, V = 2, U = 1. *)
Lemma coin_flip_priced_2 : priced coin_flip 2 2.
Proof. pose proof (coin_flip_priced 2 (le_n 2)) as H. simpl in H. rewrite Rmult_1_r in H. exact H. Qed.
Definition fair (d : nat) : R := 1 / 2.

Lemma exp_minus_1 : exp (- INR (2 - 1) * 1) < 1 / 2.
Proof.
  replace (- INR (2 - 1) * 1) with (Ropp 1) by (simpl; ring). rewrite exp_Ropp.
  pose proof (exp_lower_3 1 ltac:(lra)) as E. replace (1 / 2) with (/ 2) by field.
  apply Rinv_lt_contravar; lra.
Qed.

(* delta at epsilon = 1 and one silence: less than 3/4. *)
Lemma delta_small : delta_M 2 2 1 (1 / 2) 1 < 3 / 4.
Proof.
  unfold delta_M, c_of. pose proof exp_minus_1. simpl in *. lra.
Qed.

Definition ask_always : strategy unit := fun _ => Meter tt.
Definition buy_always : strategy unit := fun _ => Toll tt.
Definition all_at (y d : nat) : unit -> verdict := fun _ => {| winner := y; distance := d |}.
Definition duel_at (y z d : nat) : unit -> duel := fun _ => {| named := y; other := z; margin := d |}.
Definition meter_law (p : nat -> R) (limit n : nat) next view := joint_law p fair limit 0 n next view (duel_at 0 1 0).
Definition toll_law (w : nat -> R) (answers n : nat) next face :=
  joint_law coin_flip w 0 answers n next (all_at 0 0) face.
Definition has_label (h : transcript) : bool := existsb (fun a => match a with Label _ => true | _ => false end) h.
Definition has_label_0 (h : transcript) : bool := existsb (fun a => match a with Label O => true | _ => false end) h.
Definition all_label_1 (h : transcript) : bool := forallb (fun a => match a with Label 1 => true | _ => false end) h.

(* 1. T + 1 silences, as a loop that runs while c <= T would give: Theorem M's delta for T no longer holds. *)
Theorem one_silence_too_many : ~ (forall (next : strategy unit) view view' n, close view view' ->
  within 1 (delta_M 2 2 1 (coin_flip 1) 1)
    (meter_law coin_flip (1 + 1) n next view) (meter_law coin_flip (1 + 1) n next view')).
Proof.
  intros H.
  assert (C : close (all_at 0 1) (all_at 0 0)) by (intros []; simpl; lia).
  specialize (H ask_always (all_at 0 1) (all_at 0 0) 2%nat C has_label).
  pose proof delta_small. unfold meter_law, joint_law, joint_game in H. simpl game in H. unfold coin_flip in *.
  simpl in H. pose proof (exp_pos 1). lra.
Qed.

(* 2. A label released at distance 0, with the same table above it. *)
Definition release_at_0 (d : nat) : R := match d with O => 0 | _ => coin_flip d end.

Theorem release_at_distance_0 : ~ (forall (next : strategy unit) view view' n, close view view' ->
  within 1 (delta_M 2 2 1 (release_at_0 1) 1)
    (meter_law release_at_0 1 n next view) (meter_law release_at_0 1 n next view')).
Proof.
  intros H.
  assert (C : close (all_at 0 0) (all_at 1 0)) by (intros []; simpl; lia).
  specialize (H ask_always (all_at 0 0) (all_at 1 0) 1%nat C has_label_0).
  pose proof delta_small. unfold meter_law, joint_law, joint_game in H. simpl game in H.
  unfold release_at_0, coin_flip in *. simpl in H. lra.
Qed.

(* 3. The distance that the paper prints, max(0, gap - 1): one vote moves it by 2. *)
Definition decide_by_gap (classes : nat) (votes : list nat) : verdict :=
  {| winner := plurality (counts votes) classes; distance := (gap (counts votes) classes - 1)%nat |}.

Theorem distance_gap_minus_1 : ~ (forall classes before after a b,
  near_verdicts (decide_by_gap classes (before ++ a :: after)) (decide_by_gap classes (before ++ b :: after))).
Proof.
  intros H. specialize (H 2%nat [0; 0; 0; 1]%nat [] 0%nat 1%nat).
  vm_compute in H. lia.
Qed.

(* 4. For fixed words, a unit exchanged for one with another key changes two chunks: the uniform words in Units.v are
   needed, not convenient. *)
Definition own_teacher (x : nat) : Z := if (x =? 0)%nat then 0%Z else (2 ^ 63)%Z.

Theorem exchange_moves_two_teachers : ~ (forall (data data' : list (row nat unit)), neighbours_any 2 data data' ->
  exists j, forall i, i <> j ->
    chunk 2 own_teacher i data = chunk 2 own_teacher i data').
Proof.
  intros H.
  assert (N : neighbours_any 2 [(0%nat, tt)] [(1%nat, tt)]).
  { exists 0%nat, 1%nat. split; [lia|]. split; [lia|]. apply Left. apply Right. apply Nothing. }
  destruct (H _ _ N) as [j Hj].
  destruct (Nat.eq_dec j 0) as [E|E].
  - specialize (Hj 1%nat ltac:(lia)). vm_compute in Hj. discriminate.
  - specialize (Hj 0%nat ltac:(lia)). vm_compute in Hj. discriminate.
Qed.

(* 5. An abstention read as a vote for class 0: a failed teacher then has a say. *)
Definition decide_abstaining_to_0 (classes : nat) (votes : list nat) : verdict :=
  decide classes (map (fun v => if (v <? classes)%nat then v else 0%nat) votes).

Theorem abstention_as_class_0 : ~ (forall classes before after a, (1 <= classes)%nat -> (classes <= a)%nat ->
  decide_abstaining_to_0 classes (before ++ a :: after) = decide_abstaining_to_0 classes (before ++ after)).
Proof.
  intros H. specialize (H 2%nat [0; 0; 0; 0]%nat [] 2%nat ltac:(lia) ltac:(lia)). vm_compute in H. discriminate.
Qed.

(* 6. A run that begins with the whole budget again: T + 1 silences in a life of two runs. *)
Definition one_silence : fumata_meter_plan := {| meter_plan_silence := [1%Z]; meter_plan_limit := 1 |}.
Definition forgetful (plan : fumata_meter_plan) : machine :=
  {| start := start (meter plan); replies := replies (meter plan); sells := sells (meter plan);
     acts := fun a b s => match a with Reserve _ => acts (meter plan) a b s | _ => start (meter plan) end |}.
Definition ask_and_close : adversary unit := fun seen =>
  match (length seen mod 3)%nat with
  | O => Some (Act (Reserve 1) (Reserve 0))
  | S O => Some (Ask tt)
  | _ => Some (Act Close Close)
  end.
Definition look_at (y d : nat) : unit -> verdict * duel := fun q => (all_at y d q, duel_at y (S y) d q).

Theorem budget_per_run : ~ (forall (next : adversary unit) look coins,
  (silences (life (forgetful one_silence) next look coins (start (meter one_silence)) []) <= 1)%nat).
Proof.
  intros H. specialize (H ask_and_close (look_at 0 0) [0; 0; 0; 0; 0]%Z). vm_compute in H. lia.
Qed.

(* 7. A silence that does not use up its reservation is sold twice. *)
Definition generous (plan : fumata_meter_plan) : machine :=
  {| start := start (meter plan); acts := acts (meter plan); sells := sells (meter plan);
     replies := fun s v u => (fst (replies (meter plan) s v u), s) |}.

Theorem silence_not_spent : ~ (forall (next : adversary unit) look coins,
  (silences (life (generous one_silence) next look coins (start (meter one_silence)) []) <= 1)%nat).
Proof.
  intros H.
  specialize (H (fun seen => Some match seen with [] => Act (Reserve 1) (Reserve 0) | _ => Ask tt end) (look_at 0 0)
    [0; 0; 0]%Z).
  vm_compute in H. lia.
Qed.

(* 8. A ledger that compares each cost with the ceiling and does not add up: half a secret twice is three quarters. *)
Definition half_told (bit : bool) : law (option bool) := [(Some bit, / 2); (None, / 2)].
Fixpoint forgetful_ledger {D X B} (n : nat) (epsilon delta : Q) (next : list (option B) -> option (@request D X B))
  (data : D) (opened : list (process X B)) (seen : list (option B)) : law (list (option B)) :=
  match n, next seen with
  | S m, Some r =>
      let go opened b := forgetful_ledger m epsilon delta next data opened (b :: seen) in
      match r with
      | Open e d opening hear say =>
          if Qle_bool e epsilon && Qle_bool d delta
          then bind (opening data) (fun p => go (through hear say p :: opened) None)
          else go opened None
      | Go i x =>
          match nth_error opened i with
          | None => go opened None
          | Some p => let (b, p') := ask p x in go (firstn i opened ++ p' :: skipn (S i) opened) (Some b)
          end
      end
  | _, _ => [(seen, 1%R)]
  end.
(* Opened twice, then each is asked. *)
Definition tell_twice (seen : list (option (option bool))) : option (@request bool unit (option bool)) :=
  Some match seen with
       | [] | [_] => Open 0 (1 # 2) (fun bit => post once (half_told bit)) (fun x => x) (fun b => b)
       | _ => Go (length seen - 2) tt
       end.

Lemma half_told_private : private (Q2R 0) (Q2R (1 # 2)) (fun _ _ => True) half_told.
Proof.
  split; [intros bit; split; [repeat constructor; simpl; lra|simpl; lra]|].
  intros bit bit' _ S. unfold Q2R. simpl. rewrite Rmult_0_l, exp_0.
  destruct (S (Some bit)); destruct (S (Some bit')); destruct (S None); lra.
Qed.

Lemma tell_twice_safe : forall seen Y A e d opening hear say,
  tell_twice seen = Some (@Open _ _ _ Y A e d opening hear say) -> safe (Q2R e) (Q2R d) (fun _ _ => True) opening.
Proof.
  intros seen Y A e d opening hear say. apply openings_are_safe. intros [|a [|b l]]; [| |exact I];
    apply once_safe, half_told_private.
Qed.

Theorem costs_not_added : ~ private (Q2R 0) (Q2R (1 # 2)) (fun _ _ : bool => True)
  (fun data => forgetful_ledger 4 0 (1 # 2) tell_twice data [] []).
Proof.
  intros [_ H]. specialize (H true false I (existsb (fun a => match a with Some (Some true) => true | _ => false end))).
  unfold Q2R in H. simpl in H. rewrite Rmult_0_l, exp_0 in H. lra.
Qed.

(* 9. More than half of the words for the winner of a tie. All else that Theorem T asks for holds, at the price U = 1. *)
Definition sure_of_ties (d : nat) : R := 3 / 4.

Lemma sure_of_ties_steps : forall i j, adjacent i j ->
  moment (2 - 1) (sure_of_ties i) (sure_of_ties j) + moment (2 - 1) (1 - sure_of_ties i) (1 - sure_of_ties j) <= 1.
Proof. intros i j _. unfold sure_of_ties, moment. simpl. lra. Qed.

Theorem ties_above_one_half : ~ (forall (next : strategy unit) face face' n, close_faces face face' ->
  within 0 (delta_T 2 1 1 0) (toll_law sure_of_ties 1 n next face) (toll_law sure_of_ties 1 n next face')).
Proof.
  intros H.
  assert (C : close_faces (duel_at 0 1 0) (duel_at 1 0 0)) by (intros []; simpl; lia).
  specialize (H buy_always (duel_at 0 1 0) (duel_at 1 0 0) 1%nat C has_label_0).
  unfold toll_law, joint_law, joint_game in H. simpl game in H. unfold delta_T, c_of, sure_of_ties in H. simpl in H.
  rewrite Rmult_0_r, exp_0 in H. lra.
Qed.

(* 10. L + 1 answers: Theorem T's delta for L no longer holds. *)
Definition nine_in_ten (d : nat) : R := match d with O => 1 / 2 | _ => 9 / 10 end.

Lemma nine_in_ten_tolled : tolled nine_in_ten 2 (25 / 9).
Proof.
  constructor; [lia|lra|reflexivity|intros [|d]; simpl; lra|].
  intros [|i] [|j] _; unfold nine_in_ten, moment; simpl; lra.
Qed.

Theorem one_answer_too_many : ~ (forall (next : strategy unit) face face' n, close_faces face face' ->
  within (ln 12) (delta_T 2 (25 / 9) 1 (ln 12))
    (toll_law nine_in_ten (1 + 1) n next face) (toll_law nine_in_ten (1 + 1) n next face')).
Proof.
  intros H.
  assert (C : close_faces (duel_at 0 1 0) (duel_at 0 1 1)) by (intros []; simpl; lia).
  specialize (H buy_always (duel_at 0 1 0) (duel_at 0 1 1) 2%nat C all_label_1).
  unfold toll_law, joint_law, joint_game in H. simpl game in H. unfold delta_T, c_of, nine_in_ten in H.
  replace (- INR (2 - 1) * ln 12) with (- ln 12) in H by (simpl; ring).
  rewrite exp_Ropp, exp_ln in H by lra. simpl in H. lra.
Qed.

(* 11. Candidates read off the votes: the two that have most of them. One vote says who is asked about. *)
Definition top_two (classes : nat) (votes : list nat) : duel :=
  let first := plurality (counts votes) classes in
  let rest := filter (fun v => negb (v =? first)%nat) votes in
  confront first (plurality (counts rest) classes) votes.

Theorem candidates_from_votes : ~ (forall classes before after x y (next : strategy unit) n,
  within 0 (delta_T 2 1 1 0)
    (toll_law fair 1 n next (fun _ => top_two classes (before ++ x :: after)))
    (toll_law fair 1 n next (fun _ => top_two classes (before ++ y :: after)))).
Proof.
  intros H. specialize (H 3%nat [0; 0; 1; 2]%nat [] 1%nat 2%nat buy_always 1%nat all_label_1).
  unfold toll_law, joint_law, joint_game in H.
  change (top_two 3 ([0; 0; 1; 2] ++ [1])%nat) with {| named := 0; other := 1; margin := 0 |} in H.
  change (top_two 3 ([0; 0; 1; 2] ++ [2])%nat) with {| named := 0; other := 2; margin := 0 |} in H.
  unfold delta_T, c_of, fair in H. simpl in H. rewrite Rmult_0_r, exp_0 in H. lra.
Qed.

(* With candidates that are named beforehand the same toll is private. *)
Theorem candidates_named_beforehand : forall a b before after x y (next : strategy unit) n,
  within 0 (delta_T 2 1 1 0)
    (toll_law fair 1 n next (fun _ => confront a b (before ++ x :: after)))
    (toll_law fair 1 n next (fun _ => confront a b (before ++ y :: after))).
Proof. intros. apply theorem_T; [apply fair_tolled; lia|]. intros q. apply lemma_1_duel. Qed.

(* 12. Two numbers that are private over a key of their own each, told of one key. The first is the word of unit 0, the
   second that of unit 0 if it is among the data, else that of unit 1: each is uniform whatever the data are, but if they
   are the same then unit 0 is probably there. So what shares a key has to be safe when words and data are exchanged
   together, which the second one is not. *)
Definition over_a_key {A} (f : worded nat unit -> A) (data : list (row nat unit)) : law A :=
  mixture (secrets 2 1) (fun secret => [(f (word_of secret, data), 1)]).
Definition first_word (d : worded nat unit) : Z := fst d 0%nat 0%nat.
Definition own_word (d : worded nat unit) : Z :=
  fst d 0%nat (if existsb (fun r => (fst r =? 0)%nat) (snd d) then 0%nat else 1%nat).

Lemma swap_either_way : forall x y z, swap x y z = swap y x z.
Proof. intros x y z. unfold swap. destruct (Nat.eqb_spec z x), (Nat.eqb_spec z y); congruence. Qed.

Lemma apart_is_secret : In [[0%Z; 1%Z]] (secrets 2 1).
Proof.
  assert (L : (2 <= words)%Z) by (vm_compute; discriminate). unfold secrets. generalize dependent words. intros n L.
  assert (B : forall z, (0 <= z < 2)%Z -> In z (below n)).
  { intros z Hz. unfold below. apply in_map_iff. exists (Z.to_nat z). split; [lia|]. apply in_seq. lia. }
  apply in_tuples. split; [reflexivity|]. intros a [<-|[]]. apply in_tuples. split; [reflexivity|].
  intros z [<-|[<-|[]]]; apply B; lia.
Qed.

Local Opaque words below secrets.

Lemma over_a_key_law : forall A (f : worded nat unit -> A) data, is_law (over_a_key f data).
Proof. intros A f data. unfold over_a_key. apply is_law_mixture; [apply secrets_nonempty|]. intros secret. apply is_law_point. Qed.

Lemma uniform_anyway : forall (f : worded nat unit -> Z) (swapped : list (row nat unit) -> list (row nat unit) -> bool),
  (forall secret data data', In secret (secrets 2 1) ->
    f (word_of secret, data) = f (word_of (if swapped data data' then swap_all 0 1 secret else secret), data')) ->
  private 0 0 (neighbours_any 2) (over_a_key f).
Proof.
  intros f swapped E. split; [apply over_a_key_law|]. intros data data' _.
  apply within_mixture with (match_with := fun s => if swapped data data' then swap_all 0 1 s else s);
    [apply secrets_nonempty| |].
  - destruct (swapped data data'); [apply swap_all_permutes; lia|rewrite map_id; reflexivity].
  - intros secret Hs. rewrite <- (E secret data data' Hs). intros S. rewrite exp_0. lra.
Qed.

Theorem keys_of_their_own : ~ (forall f g : worded nat unit -> Z,
  private 0 0 (neighbours_any 2) (over_a_key f) ->
  private 0 0 (neighbours_any 2) (over_a_key g) -> private 0 0 (neighbours_any 2) (over_a_key (fun d => (f d, g d)))).
Proof.
  intros H. destruct (H first_word own_word) as [_ W].
  - apply (uniform_anyway _ (fun _ _ => false)). intros; reflexivity.
  - set (there := fun d : list (row nat unit) => existsb (fun r => (fst r =? 0)%nat) d).
    apply (uniform_anyway _ (fun d d' => xorb (there d) (there d'))). intros secret d d' Hs.
    destruct (word_of_swap 0 1 2 1 secret ltac:(lia) ltac:(lia) Hs) as [W1 _].
    destruct (word_of_swap 1 0 2 1 secret ltac:(lia) ltac:(lia) Hs) as [W2 _].
    assert (C : swap_all 1 0 secret = swap_all 0 1 secret).
    { unfold swap_all, swap_in. apply map_ext. intros a. apply map_ext. intros z. rewrite swap_either_way. reflexivity. }
    rewrite C in W2. unfold own_word. cbn [fst snd]. fold (there d). fold (there d').
    destruct (there d), (there d'); cbn [xorb]; auto.
  - clear H. specialize (W [(0%nat, tt)] [(1%nat, tt)]).
    assert (N : neighbours_any 2 [(0%nat, tt)] [(1%nat, tt)]).
    { exists 0%nat, 1%nat. split; [lia|]. split; [lia|]. apply Left. apply Right. apply Nothing. }
    specialize (W N (fun p => (fst p =? snd p)%Z)). rewrite exp_0 in W. unfold over_a_key in W. rewrite !Pr_mixture in W.
    destruct (in_split _ _ apart_is_secret) as [l [l' E]]. rewrite E in W. rewrite !sum_app, app_length in W. cbn [sum length] in W.
    rewrite (sum_ext _ _ (fun _ => 1) l), (sum_ext _ _ (fun _ => 1) l') in W
      by (intros; cbn; rewrite Z.eqb_refl; lra).
    assert (M : forall k : list (list (list Z)), sum (fun h => Pr [(first_word (word_of h, [(1%nat, tt)]),
      own_word (word_of h, [(1%nat, tt)]), 1)] (fun p => (fst p =? snd p)%Z)) k <= INR (length k)).
    { intros k. rewrite <- (Rmult_1_r (INR (length k))), <- (sum_const _ 1 k). apply sum_le. intros s _. cbn [Pr].
      destruct (fst _ =? snd _)%Z; lra. }
    pose proof (M l) as M1. pose proof (M l') as M2. rewrite !sum_const in W. cbn in W, M1, M2.
    rewrite plus_INR, S_INR in W.
    pose proof (pos_INR (length l)) as P1. pose proof (pos_INR (length l')) as P2.
    assert (Q : 0 < / (INR (length l) + (INR (length l') + 1))) by (apply Rinv_0_lt_compat; lra).
    set (q := / _) in *. set (here := sum _ l) in *. set (after := sum _ l') in *.
    assert (q * (here + after) <= q * (INR (length l) + INR (length l'))) by (apply Rmult_le_compat_l; lra). lra.
Qed.
