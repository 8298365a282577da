(* One ledger of plans that the program made: the demo's meter, a toll, a budget, a classic session, a count and an error
   estimate are open at the same time and asked in turns, where the answers of one decide what is asked of another; a
   release for which too little is left is refused. All that ledger_is_private asks for holds, so it does not speak about
   nothing; and all of it may use the words of one key, as ledger_of_one_key_is_private allows. *)
From Coq Require Import Reals Lra Lia ZArith QArith Qreals List Bool.
From Fumata Require Import SpecPlan Statement CertificateTotal Accepts Plans PlansToll Units Safe Count Final.
Import ListNotations.
Local Open Scope nat_scope.
Local Opaque words below.

(* A certified session costs what its claim names, for every assignment of words, exchanged ones and secret ones. *)
Lemma session_in_a_ledger : forall plan (certified : plan -> fumata_claim -> Prop) opening p claim n,
  keeps certified opening -> fumata_claim_fits claim /\ certified p claim ->
  (0 < claim_epsilon_den claim)%Z -> (0 < claim_delta_den claim)%Z ->
  let epsilon := Q2R (cost_epsilon claim) in let delta := Q2R (cost_delta claim) in
  (forall key record query (word : nat -> key -> Z),
     safe epsilon delta neighbours (fun data => opening p n (question key record query) (sight word data))) /\
  (forall key record query, safe epsilon delta exchanged
     (fun data => opening p n (question key record query) (sight (fst data) (snd data)))) /\
  (forall record query keys runs, safe epsilon delta (neighbours_any keys) (fun data => mixture (secrets keys runs)
     (fun secret => opening p n (question nat record query) (sight (word_of secret) data)))).
Proof.
  intros plan certified opening p claim n K [Hfit C] He Hd. unfold Q2R, cost_epsilon, cost_delta. cbn [Qnum Qden].
  rewrite !Z2Pos.id by assumption. exact (K p claim n Hfit C).
Qed.

(* How many units there are, counted by their words: one more or one less, at most. *)
Definition units {key record} (n : nat) (data : worded key record) : Z :=
  Z.of_nat (length (nodup Z.eq_dec (map (fun r => fst data n (fst r)) (snd data)))).

Lemma units_near : forall key record n (data data' : worded key record), exchanged data data' ->
  (Z.abs (units n data - units n data') <= 1)%Z.
Proof.
  intros key record n [word data] [word' data'] [x [y [H [W1 W2]]]]. cbn [fst snd] in *.
  set (w := fun r : row key record => word n (fst r)). set (w' := fun r : row key record => word' n (fst r)).
  assert (G : forall z, (In z (map w data) -> word n x = z \/ In z (map w' data')) /\
    (In z (map w' data') -> word n x = z \/ In z (map w data))).
  { intros z. induction H as [|u r d d' Nx Ny _ IH|r d d' _ IH|r d d' _ IH]; unfold w, w' in *; cbn [map fst In] in *.
    - tauto.
    - rewrite (W2 n u Nx Ny). tauto.
    - tauto.
    - rewrite <- (W1 n). tauto. }
  assert (L : forall l l', (forall z, In z l -> word n x = z \/ In z l') ->
    length (nodup Z.eq_dec l) <= S (length (nodup Z.eq_dec l'))).
  { intros l l' I. apply (NoDup_incl_length (l' := word n x :: nodup Z.eq_dec l')); [apply NoDup_nodup|].
    intros z Hz. apply nodup_In in Hz. destruct (I z Hz) as [->|Hz']; [left; reflexivity|].
    right. apply nodup_In. exact Hz'. }
  pose proof (L _ _ (fun z => proj1 (G z))). pose proof (L _ _ (fun z => proj2 (G z))).
  change (Z.abs (Z.of_nat (length (nodup Z.eq_dec (map w data))) -
    Z.of_nat (length (nodup Z.eq_dec (map w' data')))) <= 1)%Z. lia.
Qed.

(* An error estimate: every chunk is examined, whatever that is, and its error is a number of parts. One chunk changes. *)
Definition errors {key record} (n k parts : nat) (exam : nat -> list (Z * row key record) -> nat)
  (data : worded key record) : Z :=
  Z.of_nat (list_sum (map (fun i => Nat.min parts (exam i (chunk k (fst data n) i (snd data)))) (seq 0 k))).

Lemma list_sum_near : forall (f g : nat -> nat) parts j l, NoDup l -> (forall i, f i <= parts /\ g i <= parts) ->
  (forall i, i <> j -> f i = g i) -> list_sum (map f l) <= parts + list_sum (map g l).
Proof.
  intros f g parts j l N B E. induction N as [|i l Hi N IH]; [simpl; lia|]. cbn [map list_sum fold_right].
  fold (list_sum (map f l)). fold (list_sum (map g l)). destruct (Nat.eq_dec i j) as [->|D].
  - rewrite (map_ext_in f g l); [pose proof (proj1 (B j)); lia|]. intros u Hu. apply E. intros ->. contradiction.
  - rewrite (E i D). lia.
Qed.

Lemma errors_near : forall key record n k parts exam (data data' : worded key record), exchanged data data' ->
  (Z.abs (errors n k parts exam data - errors n k parts exam data') <= Z.of_nat parts)%Z.
Proof.
  intros key record n k parts exam data data' [x [y [H [W1 W2]]]]. unfold errors.
  set (f := fun i => Nat.min parts (exam i (chunk k (fst data n) i (snd data)))).
  set (g := fun i => Nat.min parts (exam i (chunk k (fst data' n) i (snd data')))).
  assert (B : forall i, f i <= parts /\ g i <= parts) by (intros i; unfold f, g; lia).
  assert (E : forall i, i <> place k (fst data n x) -> f i = g i).
  { intros i Hi. unfold f, g. rewrite (differ_chunk key record k (fst data n) (fst data' n) x y (snd data) (snd data'));
      auto. }
  assert (B' : forall i, g i <= parts /\ f i <= parts) by (intros i; split; apply B).
  assert (E' : forall i, i <> place k (fst data n x) -> g i = f i) by (intros i Hi; symmetry; apply E, Hi).
  pose proof (list_sum_near f g parts _ (seq 0 k) (seq_NoDup k 0) B E).
  pose proof (list_sum_near g f parts _ (seq 0 k) (seq_NoDup k 0) B' E'). lia.
Qed.

Section Turns.
  Variables record query : Type.
  Variables easy hard : question nat record query.
  Variable key : nat.   (* the number of the key by which the count and the estimate divide the units *)
  Variable exam : nat -> list (Z * row nat record) -> nat.
  Variable n : nat.   (* coins for each session *)

  Definition said := (answer + Z)%type.   (* by a session, or by a count *)
  Definition turn_taken := @request (worded nat record) (@move (question nat record query)) said.
  Definition open_session (claim : fumata_claim)
    (opening : forall query, (query -> verdict * duel) -> law (process (@move query) answer)) : turn_taken :=
    Open (cost_epsilon claim) (cost_delta claim) (fun data => opening _ (sight (fst data) (snd data)))
      (fun m => m) inl.
  Definition open_meter := open_session demo_claim (session (meter demo_plan) n).
  Definition open_toll := open_session asking_claim (session (toll asking_plan) n).
  Definition open_budget := open_session combined_claim (session (both combined_plan) n).
  Definition open_classic := open_session paper_claim (classic_session paper_plan n).
  Definition open_number (number : worded nat record -> Z) : turn_taken :=
    Open (cost_epsilon a_sixteenth) (cost_delta a_sixteenth) (fun data => post once (count_release six (number data)))
      (fun m => m) inr.
  Definition open_count := open_number (units key).
  Definition open_estimate := open_number (errors key 25 1 exam).

  (* The latest is number 0: an opening moves the others up. *)
  Definition turns (seen : list (option said)) : option turn_taken :=
    Some match length seen with
    | 0 => open_meter
    | 1 => Go 0 (Act (Reserve 5) (Reserve 0))
    | 2 => open_toll
    | 3 => Go 0 (Act (Reserve 0) (Reserve 2))
    | 4 => Go 1 (Ask hard)
    | 5 => match seen with Some (inl Silent) :: _ => Go 0 (Buy hard) | _ => Go 1 (Ask easy) end
    | 6 => open_count
    | 7 => Go 0 (Ask easy)
    | 8 => match seen with Some (inr z) :: _ => if (100 <? z)%Z then Go 1 (Buy easy) else open_classic
                         | _ => open_classic end
    | 9 => open_budget
    | 10 => open_estimate
    | 11 => open_meter   (* too much is spent by now: refused *)
    | k => Go (k mod 6) (if Nat.even k then Ask easy else Buy hard)
    end.

  Lemma said_apart : forall a b : said, {a = b} + {a <> b}.
  Proof. intros a b. repeat decide equality. Qed.

  Lemma turns_safe : forall seen, match turns seen with Some r => safe_request exchanged r | None => True end.
  Proof.
    assert (Meter : safe_request exchanged open_meter) by
      exact (proj1 (proj2 (session_in_a_ledger _ _ _ _ _ n meter_is_private demo_is_certified eq_refl eq_refl)) _ _ _).
    assert (Toll : safe_request exchanged open_toll) by
      exact (proj1 (proj2 (session_in_a_ledger _ _ _ _ _ n toll_is_private asking_is_certified eq_refl eq_refl)) _ _ _).
    assert (Both : safe_request exchanged open_budget) by
      exact (proj1 (proj2 (session_in_a_ledger _ _ _ _ _ n budget_is_private combined_is_certified eq_refl eq_refl)) _ _ _).
    assert (Classic : safe_request exchanged open_classic) by
      exact (proj1 (proj2 (session_in_a_ledger _ _ _ _ _ n classic_is_private paper_is_certified eq_refl eq_refl)) _ _ _).
    assert (Number : forall number, (forall data data', exchanged data data' ->
      Z.abs (number data - number data') <= 1)%Z -> safe_request exchanged (open_number number)) by
      exact (count_in_a_ledger six 1 a_sixteenth (fits_accepts_sound a_sixteenth eq_refl) six_is_certified _ _ exchanged).
    pose proof (Number _ (units_near nat record key)) as Counted.
    pose proof (Number _ (errors_near nat record key 25 1 exam)) as Estimated.
    intros seen. unfold turns. destruct (length seen) as [|[|[|[|[|[|[|[|[|[|[|[|k]]]]]]]]]]]];
      [exact Meter|exact I|exact Toll|exact I|exact I| |exact Counted|exact I| |exact Both|exact Estimated|exact Meter|
       exact I].
    - destruct seen as [|[[[|y|]|z]|] seen]; exact I.
    - destruct seen as [|[[[|y|]|z]|] seen]; try exact Classic. destruct (100 <? z)%Z; [exact I|exact Classic].
  Qed.

  (* 4 + 1 + 1 + 1 + 2 + 1 for the meter, the toll, the count, the classic session, the budget and the estimate. *)
  Definition total_epsilon : Q := 10.
  Definition total_delta : Q := (1 # 8) + (4 # 100000).

  (* For every assignment of words. *)
  Theorem turns_are_private : forall moves word, private (Q2R total_epsilon) (Q2R total_delta) neighbours
    (fun data => ledger moves total_epsilon total_delta turns (word, data) [] []).
  Proof.
    intros moves word. destruct (ledger_adds_up _ _ _ exchanged turns moves total_epsilon total_delta said_apart
      ltac:(discriminate) ltac:(discriminate) (openings_are_safe _ _ _ exchanged turns turns_safe)) as [L W].
    split; [intros data; apply L|]. intros data data' [x H]. apply W. exists x, x. split; [exact H|]. auto.
  Qed.

  (* Over secret words, shared by all of them, for exchanged units. *)
  Theorem turns_of_one_key : forall moves keys runs, private (Q2R total_epsilon) (Q2R total_delta) (neighbours_any keys)
    (fun data => mixture (secrets keys runs)
       (fun secret => ledger moves total_epsilon total_delta turns (word_of secret, data) [] [])).
  Proof.
    intros moves keys runs. apply ledger_of_one_key; [exact said_apart|discriminate|discriminate|].
    apply openings_are_safe. exact turns_safe.
  Qed.
End Turns.
