(* Polls in the ledger. Whoever keeps the books opens certified polls, teachers' sessions, counts and estimates of one data
   set, in any order, and asks those that are open, in any order; the total hides a unit that comes or goes. *)
From Coq Require Import Reals Lra Lia ZArith QArith Qreals List Bool.
From Fumata Require Import SpecPlan SpecCertifyMeter SpecCertifyToll SpecCertifyBudget SpecCertifyClassic SpecCertifyNoise
  Statement Power Divergence CertificateTotal Accepts Plans PlansPoll Safe Poll Count Final.
Import ListNotations.
Local Open Scope nat_scope.
Local Opaque words below.

(* What may be opened at the cost of a claim. A unit has a word in every run; an estimate is a count of errors. *)
Inductive opens {key record} (same : equality key) (word : nat -> key -> Z) (claim : fumata_claim)
  : forall {Y A : Type}, (list (row key record) -> law (process Y A)) -> Prop :=
| Opens_poll : forall plan n, FumataTollIsCertified plan claim -> opens same word claim (poll same plan n)
| Opens_meter : forall plan n query, FumataMeterIsCertified plan claim ->
    opens same word claim (fun data => session (meter plan) n (question key record query) (sight word data))
| Opens_toll : forall plan n query, FumataTollIsCertified plan claim ->
    opens same word claim (fun data => session (toll plan) n (question key record query) (sight word data))
| Opens_both : forall plan n query, FumataBudgetIsCertified plan claim ->
    opens same word claim (fun data => session (both plan) n (question key record query) (sight word data))
| Opens_classic : forall plan n query, FumataClassicIsCertified plan claim ->
    opens same word claim (fun data => classic_session plan n (question key record query) (sight word data))
| Opens_count : forall noise sensitivity count Y, FumataNoiseIsCertified noise sensitivity claim ->
    (forall data data', comes_or_goes data data' -> Z.abs (count data - count data') <= sensitivity)%Z ->
    opens same word claim (fun data => post (@once Y Z) (count_release noise (count data))).

(* A request that opens something opens one of these, and pays what its claim names. *)
Definition paid_in_full {key record X B} same word (r : @request (list (row key record)) X B) : Prop :=
  match r with
  | Open e d opening _ _ => exists claim, fumata_claim_fits claim /\ opens same word claim opening /\
      e = cost_epsilon claim /\ d = cost_delta claim
  | Go _ _ => True
  end.

Lemma unit_is_neighbour : forall key record (d d' : list (row key record)), comes_or_goes d d' -> neighbours d d'.
Proof. intros key record d d' [x [H _]]. exists x. exact H. Qed.

Lemma safe_for_fewer : forall D X A epsilon delta (near near' : D -> D -> Prop) (opening : D -> law (process X A)),
  (forall d d', near' d d' -> near d d') -> safe epsilon delta near opening -> safe epsilon delta near' opening.
Proof. intros D X A epsilon delta near near' opening H S n next. destruct (S n next) as [L W]. split; auto. Qed.

(* One unit more or less: one more or one less in their number. *)
Lemma units_differ : forall record (d d' : list (row nat record)), comes_or_goes d d' ->
  (Z.abs (Z.of_nat (length (nodup Nat.eq_dec (map fst d))) - Z.of_nat (length (nodup Nat.eq_dec (map fst d')))) <= 1)%Z.
Proof.
  intros record d d' [x [H _]]. pose proof (differ_units nat record Nat.eq_dec x d d' H) as E.
  assert (L : forall l : list nat, NoDup l -> length l <= S (length (remove Nat.eq_dec x l)) /\
    length (remove Nat.eq_dec x l) <= length l).
  { intros l N. split; [|apply remove_length_le]. induction N as [|y l Hy N IH]; [simpl; lia|]. cbn [remove].
    destruct (Nat.eq_dec x y) as [<-|]; [rewrite notin_remove by exact Hy|]; simpl length in *; lia. }
  pose proof (L _ (NoDup_nodup Nat.eq_dec (map fst d))). pose proof (L _ (NoDup_nodup Nat.eq_dec (map fst d'))).
  rewrite E in *. lia.
Qed.

Lemma opened_is_safe : forall key record (same : equality key) word claim Y A
  (opening : list (row key record) -> law (process Y A)), fumata_claim_fits claim -> opens same word claim opening ->
  safe (Q2R (cost_epsilon claim)) (Q2R (cost_delta claim)) comes_or_goes opening.
Proof.
  intros key record same word claim Y A opening Hfit H.
  assert (Cost : forall near, (1 <= claim_epsilon_den claim)%Z -> (1 <= claim_delta_den claim)%Z ->
    safe (epsilon_of claim) (delta_of claim) near opening ->
    safe (Q2R (cost_epsilon claim)) (Q2R (cost_delta claim)) near opening).
  { intros near He Hd. unfold Q2R, cost_epsilon, cost_delta. cbn [Qnum Qden]. rewrite !Z2Pos.id by lia. auto. }
  assert (Fewer : safe (Q2R (cost_epsilon claim)) (Q2R (cost_delta claim)) neighbours opening ->
    safe (Q2R (cost_epsilon claim)) (Q2R (cost_delta claim)) comes_or_goes opening)
    by (apply safe_for_fewer, unit_is_neighbour).
  destruct H as [plan n C|plan n query C|plan n query C|plan n query C|plan n query C|noise sensitivity count Y C Hn].
  - pose proof C as [[Ok _] _]. unfold FumataClaimOk in Ok. apply Cost; [lia|lia|].
    apply (poll_is_private plan claim n key record same Hfit C).
  - pose proof C as [[Ok _] _]. unfold FumataClaimOk in Ok. apply Fewer, Cost; [lia|lia|].
    apply (meter_is_private plan claim n Hfit C).
  - pose proof C as [[Ok _] _]. unfold FumataClaimOk in Ok. apply Fewer, Cost; [lia|lia|].
    apply (toll_is_private plan claim n Hfit C).
  - pose proof C as [[[Ok _] _] _]. unfold FumataClaimOk in Ok. apply Fewer, Cost; [lia|lia|].
    apply (budget_is_private plan claim n Hfit C).
  - pose proof C as [Ok _]. unfold FumataClaimOk in Ok. apply Fewer, Cost; [lia|lia|].
    apply (classic_is_private plan claim n Hfit C).
  - exact (count_in_a_ledger noise sensitivity claim Hfit C _ _ comes_or_goes count Hn).
Qed.

Theorem polls_in_a_ledger : forall key record (same : equality key) word X B next n epsilon delta,
  (forall b b' : B, {b = b'} + {b <> b'}) -> (0 <= epsilon)%Q -> (0 <= delta)%Q ->
  (forall seen, match next seen with Some r => paid_in_full same word r | None => True end) ->
  private (Q2R epsilon) (Q2R delta) comes_or_goes
    (fun data : list (row key record) => @ledger _ X B n epsilon delta next data [] []).
Proof.
  intros key record same word X B next n epsilon delta apart He Hd Paid. apply ledger_adds_up; [exact apart|exact He|exact Hd|].
  apply openings_are_safe. intros seen. specialize (Paid seen). destruct (next seen) as [[i x|Y A e d o h s]|]; [exact I| |exact I].
  destruct Paid as [claim [Hfit [C [-> ->]]]]. exact (opened_is_safe key record same word claim Y A o Hfit C).
Qed.

(* For changed units a poll costs any two numbers that are not below (2 epsilon, (1 + e^epsilon) delta). *)
Theorem changed_in_a_ledger : forall plan claim n key record (same : equality key) e d,
  fumata_claim_fits claim -> FumataTollIsCertified plan claim ->
  (2 * epsilon_of claim <= Q2R e)%R -> ((1 + exp (epsilon_of claim)) * delta_of claim <= Q2R d)%R ->
  safe (Q2R e) (Q2R d) (@changes_unit key record) (poll same plan n).
Proof.
  intros plan claim n key record same e d Hfit C He Hd k next.
  destruct (proj2 (poll_is_private plan claim n key record same Hfit C) k next) as [L W]. split; [exact L|].
  intros data data' H S. specialize (W data data' H S). fold (epsilon_of claim) (delta_of claim) in W.
  assert (exp (2 * epsilon_of claim) <= exp (Q2R e))%R.
  { replace (Q2R e) with (2 * epsilon_of claim + (Q2R e - 2 * epsilon_of claim))%R by ring. rewrite exp_plus.
    pose proof (exp_pos (2 * epsilon_of claim)). set (more := (Q2R e - 2 * epsilon_of claim)%R).
    pose proof (exp_lower_3 more ltac:(unfold more; lra)). pose proof (pow2_ge_0 more).
    assert (0 <= more)%R by (unfold more; lra). nra. }
  pose proof (Pr_nonnegative _ (post (fun p => alone k next p []) (poll same plan n data')) S (proj1 (L data'))). nra.
Qed.

(* A poll of a plan that the program made, the demo's meter and a count, asked in turns: the count says whom to ask. *)
Section Turns.
  Variable record query : Type.
  Variable word : nat -> nat -> Z.
  Variable hard : question nat record query.
  Variables near far : inquiry nat record.
  Variable n : nat.

  Definition said := (option bool + (answer + Z))%type.
  Definition move_of := (@poll_move nat record + @move (question nat record query))%type.
  Definition turn_taken := @request (list (row nat record)) move_of said.
  Definition open_poll : turn_taken := Open (cost_epsilon polling_claim) (cost_delta polling_claim)
    (poll Nat.eq_dec polling_plan n) (fun m => match m with inl x => x | inr _ => Restart end) inl.
  Definition open_meter : turn_taken := Open (cost_epsilon demo_claim) (cost_delta demo_claim)
    (fun data => session (meter demo_plan) n (question nat record query) (sight word data))
    (fun m => match m with inl _ => Act Close Close | inr x => x end) (fun a => inr (inl a)).
  Definition open_count : turn_taken := Open (cost_epsilon a_sixteenth) (cost_delta a_sixteenth)
    (fun data => post once (count_release six (Z.of_nat (length (nodup Nat.eq_dec (map fst data))))))
    (fun _ => tt) (fun z => inr (inr z)).

  (* The latest is number 0. *)
  Definition turns (seen : list (option said)) : option turn_taken :=
    Some match length seen with
    | 0 => open_poll
    | 1 => Go 0 (inl (Vote near))
    | 2 => open_meter
    | 3 => Go 0 (inr (Act (Reserve 5) (Reserve 0)))
    | 4 => Go 1 (inl Store)
    | 5 => Go 1 (inl Draw)
    | 6 => match seen with Some (inl (Some true)) :: _ => Go 0 (inr (Ask hard)) | _ => Go 1 (inl (Vote far)) end
    | 7 => open_count
    | 8 => Go 0 (inl Draw)
    | 9 => match seen with Some (inr (inr z)) :: _ => Go 2 (inl (Vote (if (100 <? z)%Z then near else far))) | _ => open_poll end
    | 10 => open_poll   (* too much is spent by now: refused *)
    | k => Go (k mod 3) (match k mod 4 with 0 => inl (Vote near) | 1 => inl Store | 2 => inl Draw | _ => inr (Ask hard) end)
    end.

  (* 1/2 + 4 + 1 for the poll, the meter and the count. *)
  Theorem turns_with_a_poll : forall moves, private (11 / 2) (1 / 16 + 2 / 100000) comes_or_goes
    (fun data => ledger moves (11 # 2) ((1 # 16) + (2 # 100000)) turns data [] []).
  Proof.
    intros moves. replace (11 / 2)%R with (Q2R (11 # 2)) by (unfold Q2R; simpl; lra).
    replace (1 / 16 + 2 / 100000)%R with (Q2R ((1 # 16) + (2 # 100000))) by (rewrite Q2R_plus; unfold Q2R; simpl; lra).
    assert (Poll : paid_in_full Nat.eq_dec word open_poll).
    { exists polling_claim. split; [apply polling_is_certified|]. split; [|auto]. apply Opens_poll, polling_is_certified. }
    assert (Meter : paid_in_full Nat.eq_dec word open_meter).
    { exists demo_claim. split; [apply demo_is_certified|]. split; [|auto]. apply Opens_meter, demo_is_certified. }
    assert (Counted : paid_in_full Nat.eq_dec word open_count).
    { exists a_sixteenth. split; [exact (fits_accepts_sound a_sixteenth eq_refl)|]. split; [|auto].
      apply (Opens_count Nat.eq_dec word a_sixteenth six 1
        (fun data => Z.of_nat (length (nodup Nat.eq_dec (map fst data))))); [exact six_is_certified|].
      intros d d' H. apply (units_differ record d d' H). }
    apply (polls_in_a_ledger nat record Nat.eq_dec word); [repeat decide equality|discriminate|discriminate|].
    intros seen. unfold turns. destruct (length seen) as [|[|[|[|[|[|[|[|[|[|[|k]]]]]]]]]]]; try exact I; try assumption.
    - destruct seen as [|[[[[|]|]|s]|] seen]; exact I.
    - destruct seen as [|[[b|[a|z]]|] seen]; try exact Poll. exact I.
  Qed.
End Turns.
