(* One ledger of plans that the program made: the demo's meter, a toll, a budget, a classic session and a count are open
   at the same time and asked in turns, where the answers of one decide what is asked of another; a release for which too
   little is left is refused. All that ledger_is_private asks for holds, so it does not speak about nothing. *)
From Coq Require Import Reals Lra Lia ZArith QArith Qreals List Bool.
From Fumata Require Import SpecPlan Statement CertificateTotal Accepts Plans PlansToll Safe Count Final.
Import ListNotations.
Local Open Scope nat_scope.
Local Opaque words below.

(* A certified session costs what its claim names, for every assignment of words and over secret ones. *)
Lemma session_in_a_ledger : forall plan (certified : plan -> fumata_claim -> Prop) opening p claim n,
  keeps certified opening -> fumata_claim_fits claim /\ certified p claim ->
  (0 < claim_epsilon_den claim)%Z -> (0 < claim_delta_den claim)%Z ->
  let epsilon := Q2R (cost_epsilon claim) in let delta := Q2R (cost_delta claim) in
  (forall key record query (word : nat -> key -> Z),
     safe epsilon delta neighbours (fun data => opening p n (question key record query) (sight word data))) /\
  (forall record query keys runs, safe epsilon delta (neighbours_any keys) (fun data => mixture (secrets keys runs)
     (fun secret => opening p n (question nat record query) (sight (word_of secret) data)))).
Proof.
  intros plan certified opening p claim n K [Hfit C] He Hd. unfold Q2R, cost_epsilon, cost_delta. cbn [Qnum Qden].
  rewrite !Z2Pos.id by assumption. exact (K p claim n Hfit C).
Qed.

(* How many units there are: one unit more or less, at most. *)
Definition units {record} (data : list (row nat record)) : Z := Z.of_nat (length (nodup Nat.eq_dec (map fst data))).

Lemma units_near : forall record (data data' : list (row nat record)), neighbours data data' ->
  (Z.abs (units data - units data') <= 1)%Z.
Proof.
  intros record data data' [x H].
  assert (G : forall z, (In z (map fst data) -> x = z \/ In z (map fst data')) /\
    (In z (map fst data') -> x = z \/ In z (map fst data))).
  { intros z. induction H as [|y r d d' _ _ _ IH|r d d' _ IH|r d d' _ IH]; simpl in *; tauto. }
  assert (L : forall l l' : list nat, (forall z, In z l -> x = z \/ In z l') ->
    length (nodup Nat.eq_dec l) <= S (length (nodup Nat.eq_dec l'))).
  { intros l l' I. apply (NoDup_incl_length (l' := x :: nodup Nat.eq_dec l')); [apply NoDup_nodup|].
    intros z Hz. apply nodup_In in Hz. destruct (I z Hz) as [->|Hz']; [left; reflexivity|].
    right. apply nodup_In. exact Hz'. }
  unfold units. pose proof (L _ _ (fun z => proj1 (G z))). pose proof (L _ _ (fun z => proj2 (G z))). lia.
Qed.

Section Turns.
  Variables record query : Type.
  Variable word : nat -> nat -> Z.
  Variables easy hard : question nat record query.
  Variable n : nat.   (* coins for each session *)

  Definition said := (answer + Z)%type.   (* by a session, or by a count *)
  Definition turn_taken := @request (list (row nat record)) (@move (question nat record query)) said.
  Definition open_session (claim : fumata_claim)
    (opening : forall query, (query -> verdict * duel) -> law (process (@move query) answer)) : turn_taken :=
    Open (cost_epsilon claim) (cost_delta claim) (fun data => opening _ (sight word data)) (fun m => m) inl.
  Definition open_meter := open_session demo_claim (session (meter demo_plan) n).
  Definition open_toll := open_session asking_claim (session (toll asking_plan) n).
  Definition open_budget := open_session combined_claim (session (both combined_plan) n).
  Definition open_classic := open_session paper_claim (classic_session paper_plan n).
  Definition open_count : turn_taken :=
    Open (cost_epsilon a_sixteenth) (cost_delta a_sixteenth) (fun data => post once (count_release six (units data)))
      (fun m => m) inr.

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
    | 10 => open_meter   (* too much is spent by now: refused *)
    | k => Go (k mod 5) (if Nat.even k then Ask easy else Buy hard)
    end.

  Lemma said_apart : forall a b : said, {a = b} + {a <> b}.
  Proof. intros a b. repeat decide equality. Qed.

  Lemma turns_safe : forall seen, match turns seen with Some r => safe_request neighbours r | None => True end.
  Proof.
    assert (Meter : safe_request neighbours open_meter) by
      exact (proj1 (session_in_a_ledger _ _ _ _ _ n meter_is_private demo_is_certified eq_refl eq_refl) _ _ _ word).
    assert (Toll : safe_request neighbours open_toll) by
      exact (proj1 (session_in_a_ledger _ _ _ _ _ n toll_is_private asking_is_certified eq_refl eq_refl) _ _ _ word).
    assert (Both : safe_request neighbours open_budget) by
      exact (proj1 (session_in_a_ledger _ _ _ _ _ n budget_is_private combined_is_certified eq_refl eq_refl) _ _ _ word).
    assert (Classic : safe_request neighbours open_classic) by
      exact (proj1 (session_in_a_ledger _ _ _ _ _ n classic_is_private paper_is_certified eq_refl eq_refl) _ _ _ word).
    assert (Counted : safe_request neighbours open_count) by
      exact (count_in_a_ledger six 1 a_sixteenth (fits_accepts_sound a_sixteenth eq_refl) six_is_certified _ _ neighbours
        units (units_near record)).
    intros seen. unfold turns. destruct (length seen) as [|[|[|[|[|[|[|[|[|[|[|k]]]]]]]]]]];
      [exact Meter|exact I|exact Toll|exact I|exact I| |exact Counted|exact I| |exact Both|exact Meter|exact I].
    - destruct seen as [|[[[|y|]|z]|] seen]; exact I.
    - destruct seen as [|[[[|y|]|z]|] seen]; try exact Classic. destruct (100 <? z)%Z; [exact I|exact Classic].
  Qed.

  (* 4 + 1 + 1 + 1 + 2 for the meter, the toll, the count, the classic session and the budget. *)
  Theorem turns_are_private : forall moves, private 9 (1 / 16 + 4 / 100000) neighbours
    (fun data => ledger moves 9 ((1 # 16) + (4 # 100000)) turns data [] []).
  Proof.
    intros moves. replace 9%R with (Q2R 9) by (unfold Q2R; simpl; lra).
    replace (1 / 16 + 4 / 100000)%R with (Q2R ((1 # 16) + (4 # 100000))) by (rewrite Q2R_plus; unfold Q2R; simpl; lra).
    apply ledger_adds_up; [exact said_apart|discriminate|discriminate|]. apply openings_are_safe. exact turns_safe.
  Qed.
End Turns.
