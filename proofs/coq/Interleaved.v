(* Sessions of meters, tolls and budgets are dominated in the sense of Interleaving.v: what Theorem J's induction carries
   along is the part that is given up. So sessions on one data set may be asked in any order, also resumed between other
   sessions, and their epsilons and deltas add up. *)
From Coq Require Import Reals Lra Lia Psatz ZArith List Bool Arith.
From Fumata Require Import SpecPlan SpecCertifyMeter SpecCertifyToll SpecCertifyBudget Statement Power Divergence Uniform
  Game TheoremM Units Coins CertificateTotal CertificateMeter CertificateToll CertificateBudget ClassicCoins Session
  Interleaving.
Import ListNotations.
Local Open Scope R_scope.

(* Sums over labels: what only one of them brings, and what only two bring. *)
Lemma one_label : forall labels k (f : answer -> R), (k < labels)%nat -> (forall y, y <> k -> f (Label y) = 0) ->
  sum f (map Label (seq 0 labels)) = f (Label k).
Proof.
  intros labels k f Hk H. rewrite sum_map, <- (sum_one (fun y => f (Label y)) k labels 0) by lia.
  apply sum_ext. intros y _. destruct (Nat.eqb_spec k y) as [->|E]; [reflexivity|]. apply H. congruence.
Qed.

Lemma two_labels : forall labels i j (f : answer -> R), (i < labels)%nat -> (j < labels)%nat -> i <> j ->
  (forall y, y <> i -> y <> j -> f (Label y) = 0) ->
  sum f (map Label (seq 0 labels)) = f (Label i) + f (Label j).
Proof.
  intros labels i j f Hi Hj Hn H. rewrite sum_map.
  rewrite <- (sum_one (fun y => f (Label y)) i labels 0), <- (sum_one (fun y => f (Label y)) j labels 0), <- sum_plus by lia.
  apply sum_ext. intros y _. destruct (Nat.eqb_spec i y) as [Ei|Ei]; destruct (Nat.eqb_spec j y) as [Ej|Ej];
    [congruence|ring|ring|]. rewrite H by congruence. ring.
Qed.

Section Weights.
  Variable query : Type.
  Variable labels : nat.   (* no label is larger *)

  Definition replies_to (m : @move query) : list answer :=
    match m with
    | Ask _ | Buy _ => Noted :: Silent :: map Label (seq 0 labels)
    | _ => [Noted]
    end.

  Variables p w : nat -> R.
  Variable full : purse * purse.
  Definition purses_after (h : list (@move query * answer)) : purse * purse :=
    fold_right (fun e s => after (fst e) (snd e) s) full h.

  Definition when (b : bool) (x : R) : R := if b then x else 0.

  (* How likely an answer is, by what is reserved and by how the data decide. *)
  Definition chance (look : query -> verdict * duel) (s : purse * purse) (m : @move query) (a : answer) : R :=
    match m, a with
    | Ask q, Noted => when (reserved (fst s) =? 0)%nat 1
    | Ask q, Silent => when (negb (reserved (fst s) =? 0)%nat) (p (distance (views look q)))
    | Ask q, Label y => when (negb (reserved (fst s) =? 0)%nat)
                          (when (winner (views look q) =? y)%nat (1 - p (distance (views look q))))
    | Buy q, Noted => when (reserved (snd s) =? 0)%nat 1
    | Buy q, Label y => when (negb (reserved (snd s) =? 0)%nat)
                          (when (named (faces look q) =? y)%nat (w (margin (faces look q))) +
                           when (other (faces look q) =? y)%nat (1 - w (margin (faces look q))))
    | Buy q, Silent => 0
    | _, Noted => 1
    | _, _ => 0
    end.

  Fixpoint weight (look : query -> verdict * duel) (h : list (@move query * answer)) : R :=
    match h with
    | [] => 1
    | (m, a) :: rest => weight look rest * chance look (purses_after rest) m a
    end.

  (* No label is too large. *)
  Definition labelled (look : query -> verdict * duel) : Prop := forall q,
    (winner (views look q) < labels /\ named (faces look q) < labels /\ other (faces look q) < labels)%nat.

  Hypothesis p_range : forall d, 0 <= p d <= 1.
  Hypothesis w_range : forall d, 0 <= w d <= 1.

  Lemma when_nonneg : forall b x, 0 <= x -> 0 <= when b x.
  Proof. intros [|] x H; simpl; lra. Qed.

  Lemma chance_nonneg : forall look s m a, 0 <= chance look s m a.
  Proof.
    intros look s [q|q|x y|] a; unfold chance; destruct a; try lra; repeat apply when_nonneg; try lra.
    - apply p_range.
    - pose proof (p_range (distance (views look q))). lra.
    - pose proof (w_range (margin (faces look q))). apply Rplus_le_le_0_compat; apply when_nonneg; lra.
  Qed.

  Lemma weight_nonneg : forall look h, 0 <= weight look h.
  Proof.
    intros look h. induction h as [|[m a] h IH]; simpl; [lra|]. apply Rmult_le_pos; [exact IH|apply chance_nonneg].
  Qed.

  (* A sum over the answers to a question. *)
  Lemma asked_sum : forall look q s (f : answer -> R), labelled look ->
    (forall a, chance look s (Ask q) a = 0 -> f a = 0) ->
    sum f (replies_to (Ask q)) = if (reserved (fst s) =? 0)%nat then f Noted else f Silent + f (Label (winner (views look q))).
  Proof.
    intros look q s f Hl Hf. cbn [replies_to sum].
    rewrite (one_label labels (winner (views look q))); [|apply Hl|].
    - unfold chance in Hf. destruct (reserved (fst s) =? 0)%nat eqn:E; cbn [negb] in *.
      + rewrite (Hf Silent), (Hf (Label (winner (views look q)))); simpl; lra.
      + rewrite (Hf Noted); simpl; lra.
    - intros y Hy. apply Hf. unfold chance. destruct (Nat.eqb_spec (winner (views look q)) y); [congruence|].
      unfold when. destruct (negb _); reflexivity.
  Qed.

  Lemma bought_sum : forall look q s (f : answer -> R), labelled look ->
    (forall a, chance look s (Buy q) a = 0 -> f a = 0) ->
    sum f (replies_to (Buy q)) = if (reserved (snd s) =? 0)%nat then f Noted
      else if (named (faces look q) =? other (faces look q))%nat then f (Label (named (faces look q)))
      else f (Label (named (faces look q))) + f (Label (other (faces look q))).
  Proof.
    intros look q s f Hl Hf. cbn [replies_to sum]. rewrite (Hf Silent) by reflexivity. unfold chance in Hf.
    destruct (Hl q) as [_ [H1 H2]]. destruct (reserved (snd s) =? 0)%nat eqn:E; cbn [negb] in *.
    - rewrite (one_label labels (named (faces look q)) f H1).
      + rewrite (Hf (Label (named (faces look q)))); simpl; lra.
      + intros y _. apply (Hf (Label y)). reflexivity.
    - rewrite (Hf Noted) by reflexivity.
      assert (Z : forall y, y <> named (faces look q) -> y <> other (faces look q) -> f (Label y) = 0).
      { intros y N1 N2. apply (Hf (Label y)). simpl.
        destruct (Nat.eqb_spec (named (faces look q)) y); [congruence|].
        destruct (Nat.eqb_spec (other (faces look q)) y); [congruence|]. simpl. lra. }
      destruct (Nat.eqb_spec (named (faces look q)) (other (faces look q))) as [N|N].
      + rewrite (one_label labels (named (faces look q)) f H1); [lra|]. intros y Hy. apply Z; congruence.
      + rewrite (two_labels labels _ _ f H1 H2 N Z). lra.
  Qed.

  Lemma weight_coherent : forall look, labelled look -> coherent (@move query) answer replies_to (weight look).
  Proof.
    intros look Hl. constructor; [reflexivity|apply weight_nonneg|]. intros h m.
    assert (N : forall a, chance look (purses_after h) m a = 0 -> weight look ((m, a) :: h) = 0).
    { intros a E. cbn [weight]. rewrite E. ring. }
    destruct m as [q|q|x y|]; [| |cbn; ring|cbn; ring].
    - rewrite (asked_sum look q (purses_after h)) by assumption. cbn [weight]. unfold chance.
      destruct (reserved (fst (purses_after h)) =? 0)%nat; simpl; rewrite ?Nat.eqb_refl; simpl; ring.
    - rewrite (bought_sum look q (purses_after h)) by assumption. cbn [weight]. unfold chance.
      destruct (reserved (snd (purses_after h)) =? 0)%nat; simpl; [ring|]. rewrite !Nat.eqb_refl.
      rewrite (Nat.eqb_sym (other (faces look q))).
      destruct (named (faces look q) =? other (faces look q))%nat; simpl; ring.
  Qed.
End Weights.
Arguments replies_to {query}.
Arguments purses_after {query}.
Arguments chance {query}.
Arguments weight {query}.
Arguments labelled {query}.

Lemma sum_kept : forall A (f g : A -> R) l, Rmax 0 (sum f l - sum g l) <= sum (fun a => Rmax 0 (f a - g a)) l.
Proof.
  intros A f g l. induction l as [|a l IH]; cbn [sum]; [rewrite Rminus_0_r, Rmax_left; lra|].
  apply Rmax_lub; pose proof (Rmax_l 0 (f a - g a)); pose proof (Rmax_r 0 (f a - g a));
    pose proof (Rmax_l 0 (sum f l - sum g l)); pose proof (Rmax_r 0 (sum f l - sum g l)); lra.
Qed.

Section Domination.
  Variable query : Type.
  Variable labels : nat.
  Variable full : purse * purse.
  Variables p w : nat -> R.
  Variable alpha : nat.
  Variables V U epsilon : R.
  Hypothesis Hp : priced p alpha V.
  Hypothesis Hw : tolled w alpha U.
  Variables look look' : query -> verdict * duel.
  Hypothesis Hclose : close_sights look look'.
  Hypothesis Hlabels : labelled labels look.

  (* What may have to be given up when P and Q are the weights so far and the purses hold s. *)
  Definition given (s : purse * purse) (P Q : R) : R :=
    given_up p alpha V U epsilon (unused (fst s)) (unused (snd s)) P Q.

  Lemma given_nothing : forall s Q, given s 0 Q = 0.
  Proof. intros s Q. apply given_up_nothing. Qed.

  Definition kept (h : list (@move query * answer)) : R :=
    Rmax 0 (weight p w full look h - given (purses_after full h) (weight p w full look h) (weight p w full look' h)).

  (* One move: what its outcomes may give up together. *)
  Lemma given_step : forall s m P Q, 0 <= P -> 0 <= Q ->
    sum (fun a => given (after m a s) (P * chance p w look s m a) (Q * chance p w look' s m a)) (replies_to labels m) <=
    given s P Q.
  Proof.
    intros s m P Q HP HQ. destruct Hclose as [Hview Hface].
    assert (N : forall a, chance p w look s m a = 0 ->
      given (after m a s) (P * chance p w look s m a) (Q * chance p w look' s m a) = 0).
    { intros a ->. rewrite Rmult_0_r. apply given_nothing. }
    pose proof (given_up_less p w alpha V U epsilon Hp Hw) as Less.
    destruct m as [q|q|x y|].
    - rewrite (asked_sum query labels p w look q s) by assumption. unfold chance.
      destruct (Nat.eqb_spec (reserved (fst s)) 0) as [E|E]; cbn [when negb after]; [rewrite !Rmult_1_r; lra|].
      rewrite Nat.eqb_refl. cbn [when]. destruct (Hview q) as [C1 [C2 C3]]. unfold given. cbn [fst snd].
      rewrite (unused_used (fst s) E).
      pose proof (ask_step p w alpha V U epsilon Hp Hw (unused (use (fst s))) (unused (snd s)) P Q _ _ HP HQ C1 C2) as Step.
      destruct (Nat.eqb_spec (winner (views look' q)) (winner (views look q))) as [F|F]; cbn [when]; [exact Step|].
      destruct (C3 ltac:(congruence)) as [E1 E2]. rewrite E1, E2, (priced_zero _ _ _ Hp) in *.
      replace (P * (1 - 1)) with 0 in * by ring. rewrite given_up_nothing in *. lra.
    - rewrite (bought_sum query labels p w look q s) by assumption. unfold chance.
      destruct (Nat.eqb_spec (reserved (snd s)) 0) as [E|E]; cbn [when negb after]; [rewrite !Rmult_1_r; lra|].
      destruct (Hface q) as [C1 [C2 [C3 C4]]]. unfold given. cbn [fst snd]. rewrite (unused_used (snd s) E).
      rewrite !Nat.eqb_refl, (Nat.eqb_sym (other (faces look q))).
      pose proof (buy_step p w alpha V U epsilon Hp Hw (unused (fst s)) (unused (use (snd s))) P Q _ _ HP HQ C1 C2) as Step.
      destruct (Nat.eq_dec (named (faces look q)) (named (faces look' q))) as [F|F].
      + rewrite <- F, <- (C3 F), !Nat.eqb_refl, (Nat.eqb_sym (other (faces look q))).
        destruct (Nat.eqb_spec (named (faces look q)) (other (faces look q))); cbn [when].
        * replace (P * (w (margin (faces look q)) + (1 - w (margin (faces look q))))) with P by ring.
          replace (Q * (w (margin (faces look' q)) + (1 - w (margin (faces look' q))))) with Q by ring.
          apply Less; [lia|lia|exact HP].
        * rewrite !Rplus_0_r, !Rplus_0_l. exact Step.
      + destruct (C4 F) as [E1 [E2 [E3 E4]]]. rewrite <- E3, <- E4, !Nat.eqb_refl, (Nat.eqb_sym (other (faces look q))).
        destruct (Nat.eqb_spec (named (faces look q)) (other (faces look q))); [congruence|]. cbn [when].
        rewrite E1, E2, (tolled_zero _ _ _ Hw) in *. replace (1 - 1 / 2) with (1 / 2) in * by lra.
        rewrite !Rplus_0_r, !Rplus_0_l. exact Step.
    - cbn [replies_to sum chance after]. rewrite !Rmult_1_r, Rplus_0_r. unfold given. cbn [fst snd].
      apply Less; [apply unused_tended|apply unused_tended|exact HP].
    - cbn [replies_to sum chance after]. rewrite !Rmult_1_r. lra.
  Qed.

  Theorem session_dominated : dominated (@move query) answer (replies_to labels) epsilon
    (delta_J alpha V (unused (fst full)) U (unused (snd full)) (p 1%nat) epsilon)
    (weight p w full look) (weight p w full look') kept.
  Proof.
    pose proof (p_bounds p alpha V Hp) as Bp. pose proof (w_bounds w alpha U Hw) as Bw.
    assert (NP : forall h, 0 <= weight p w full look h) by (intros h; apply weight_nonneg; assumption).
    assert (NQ : forall h, 0 <= weight p w full look' h) by (intros h; apply weight_nonneg; assumption).
    constructor.
    - unfold kept. eapply Rle_trans; [|apply Rmax_r]. cbn [weight purses_after fold_right]. unfold given.
      rewrite given_up_is, moment_same by lra. unfold delta_J, worth. lra.
    - intros h. unfold kept. pose proof (given_up_nonneg p w alpha V U epsilon Hp Hw (unused (fst (purses_after full h)))
        (unused (snd (purses_after full h))) _ (weight p w full look' h) (NP h)) as G. fold (given (purses_after full h)
        (weight p w full look h) (weight p w full look' h)) in G.
      pose proof (NP h). split; [apply Rmax_l|]. apply Rmax_lub; lra.
    - intros h. unfold kept. pose proof (exp_pos epsilon). specialize (NP h). specialize (NQ h).
      pose proof (given_up_covers p w alpha V U epsilon Hp Hw (unused (fst (purses_after full h)))
        (unused (snd (purses_after full h))) _ _ NP NQ) as G. fold (given (purses_after full h)
        (weight p w full look h) (weight p w full look' h)) in G.
      apply Rmax_lub; [apply Rmult_le_pos; lra|lra].
    - intros h m. unfold kept at 1. set (P := weight p w full look h). set (Q := weight p w full look' h).
      set (s := purses_after full h).
      pose proof (sum_kept answer (fun a => weight p w full look ((m, a) :: h))
        (fun a => given (after m a s) (P * chance p w look s m a) (Q * chance p w look' s m a)) (replies_to labels m)) as S.
      rewrite (coherent_sum _ _ _ _ (weight_coherent query labels p w full Bp Bw look Hlabels) h m) in S. fold P in S.
      pose proof (given_step s m P Q (NP h) (NQ h)) as Step.
      eapply Rle_trans; [|eapply Rle_trans; [exact S|]].
      + apply Rmax_lub; [apply Rmax_l|]. eapply Rle_trans; [|apply Rmax_r]. lra.
      + right. apply sum_ext. intros a _. reflexivity.
  Qed.
End Domination.

(* Certified plans of any kind. *)
Inductive any_plan :=
| OfMeter (m : fumata_meter_plan) | OfToll (t : fumata_toll_plan) | OfBoth (b : fumata_budget_plan).
Definition certified (plan : any_plan) (claim : fumata_claim) : Prop :=
  match plan with
  | OfMeter m => FumataMeterIsCertified m claim
  | OfToll t => FumataTollIsCertified t claim
  | OfBoth b => FumataBudgetIsCertified b claim
  end.
Definition silences_of (plan : any_plan) : list Z * Z :=
  match plan with
  | OfMeter m => (meter_plan_silence m, meter_plan_limit m)
  | OfToll _ => ([], 0%Z)
  | OfBoth b => (meter_plan_silence (budget_plan_meter b), meter_plan_limit (budget_plan_meter b))
  end.
Definition answers_of (plan : any_plan) : list Z * Z :=
  match plan with
  | OfMeter _ => ([], 0%Z)
  | OfToll t => (toll_plan_named t, toll_plan_limit t)
  | OfBoth b => (toll_plan_named (budget_plan_toll b), toll_plan_limit (budget_plan_toll b))
  end.
Definition machine_of (plan : any_plan) : machine :=
  budget (fst (silences_of plan)) (fst (answers_of plan)) (snd (silences_of plan)) (snd (answers_of plan)).

Theorem machine_of_is : forall plan,
  machine_of plan = match plan with OfMeter m => meter m | OfToll t => toll t | OfBoth b => both b end.
Proof. intros [m|t|b]; reflexivity. Qed.

(* What is never reserved has no part in the weights, and may be priced as we like. *)
Definition chance_of_silence (plan : any_plan) : nat -> R :=
  match plan with OfToll _ => coin_flip | _ => silence (fst (silences_of plan)) end.
Definition chance_of_naming (plan : any_plan) : nat -> R :=
  match plan with OfMeter _ => fun _ => 1 / 2 | _ => naming (fst (answers_of plan)) end.
Definition price_of (plan : any_plan) (claim : fumata_claim) : R :=
  match plan with OfToll _ => 2 ^ (Z.to_nat (claim_alpha claim) - 1) | _ => price claim end.
Definition answer_price_of (plan : any_plan) (claim : fumata_claim) : R :=
  match plan with OfMeter _ => 1 | _ => answer_price claim end.

Lemma certified_prices : forall plan claim, fumata_claim_fits claim -> certified plan claim ->
  priced (chance_of_silence plan) (Z.to_nat (claim_alpha claim)) (price_of plan claim) /\
  tolled (chance_of_naming plan) (Z.to_nat (claim_alpha claim)) (answer_price_of plan claim) /\
  delta_J (Z.to_nat (claim_alpha claim)) (price_of plan claim) (Z.to_nat (snd (silences_of plan)))
    (answer_price_of plan claim) (Z.to_nat (snd (answers_of plan))) (chance_of_silence plan 1) (epsilon_of claim) <=
  delta_of claim.
Proof.
  intros [m|t|b] claim Hfit H; cbn [certified chance_of_silence chance_of_naming price_of answer_price_of silences_of
    answers_of fst snd] in *.
  - pose proof (certified_priced m claim Hfit H) as P. split; [exact P|].
    split; [apply fair_tolled; apply P|]. eapply Rle_trans; [|apply (certified_delta m claim Hfit H)].
    unfold delta_J, delta_M. simpl. lra.
  - pose proof (certified_tolled t claim Hfit H) as T. split; [apply coin_flip_priced; apply T|].
    split; [exact T|]. eapply Rle_trans; [|apply (certified_toll_delta t claim Hfit H)].
    unfold delta_J, delta_T. simpl. lra.
  - destruct (certified_budget_parts b claim H) as [Hm Ht].
    split; [apply certified_priced; assumption|]. split; [apply certified_tolled; assumption|].
    apply certified_budget_delta; assumption.
Qed.

(* Certified sessions on one data set, each with words, runs and learners of its own: for every assignment of words, and
   over secret ones. *)
Section Certified.
  Variable m : nat.
  Variable plans : nat -> any_plan.
  Variable claims : nat -> fumata_claim.
  Hypothesis fit : forall i, (i < m)%nat -> fumata_claim_fits (claims i).
  Hypothesis all_certified : forall i, (i < m)%nat -> certified (plans i) (claims i).
  Variable labels : nat.

  Definition full_of (i : nat) : purse * purse :=
    (Build_purse (Z.to_nat (snd (silences_of (plans i)))) 0, Build_purse (Z.to_nat (snd (answers_of (plans i)))) 0).
  Definition weight_of {query} (i : nat) (look : query -> verdict * duel) : list (@move query * answer) -> R :=
    weight (chance_of_silence (plans i)) (chance_of_naming (plans i)) (full_of i) look.
  Definition part_of {query} (i : nat) (look look' : query -> verdict * duel) : list (@move query * answer) -> R :=
    kept query (full_of i) (chance_of_silence (plans i)) (chance_of_naming (plans i))
      (Z.to_nat (claim_alpha (claims i))) (price_of (plans i) (claims i)) (answer_price_of (plans i) (claims i))
      (epsilon_of (claims i)) look look'.

  Lemma sessions_dominated : forall query i (look look' : query -> verdict * duel), (i < m)%nat ->
    close_sights look look' -> labelled labels look ->
    dominated (@move query) answer (replies_to labels) (epsilon_of (claims i)) (delta_of (claims i))
      (weight_of i look) (weight_of i look') (part_of i look look').
  Proof.
    intros query i look look' Hi Hc Hw.
    destruct (certified_prices (plans i) (claims i) (fit i Hi) (all_certified i Hi)) as [P [T D]].
    destruct (session_dominated query labels (full_of i) _ _ _ _ _ (epsilon_of (claims i)) P T look look' Hc Hw)
      as [D1 D2 D3 D4].
    constructor; [|exact D2|exact D3|exact D4]. unfold part_of. unfold full_of at 1 2, unused in D1.
    cbn [fst snd left reserved] in D1. rewrite !Nat.add_0_r in D1. lra.
  Qed.

  Lemma sessions_coherent : forall query i (look : query -> verdict * duel), (i < m)%nat -> labelled labels look ->
    coherent (@move query) answer (replies_to labels) (weight_of i look).
  Proof.
    intros query i look Hi Hw.
    destruct (certified_prices (plans i) (claims i) (fit i Hi) (all_certified i Hi)) as [P [T _]].
    apply weight_coherent; [apply (p_bounds _ _ _ P)|apply (w_bounds _ _ _ T)|exact Hw].
  Qed.

  Theorem certified_sessions_add_up : forall key record query (word : nat -> nat -> key -> Z)
    (data data' : list (row key record)), neighbours data data' ->
    (forall i, labelled labels (sight (query := query) (word i) data)) ->
    (forall i, labelled labels (sight (query := query) (word i) data')) ->
    forall next S n,
    let run data := interleave (@move (question key record query)) answer (replies_to labels) m
      (fun i => weight_of i (sight (word i) data)) next S n [] in
    run data <= exp (sum (fun i => epsilon_of (claims i)) (seq 0 m)) * run data' +
      sum (fun i => delta_of (claims i)) (seq 0 m).
  Proof.
    intros key record query word data data' Hn Hw Hw' next S n. cbv zeta.
    apply (interleaved_sessions_add_up _ _ _ m (fun i => epsilon_of (claims i)) (fun i => delta_of (claims i))
      (fun i => weight_of i (sight (word i) data)) (fun i => weight_of i (sight (word i) data'))
      (fun i => part_of i (sight (word i) data) (sight (word i) data'))).
    - intros i Hi. split; apply sessions_coherent; auto.
    - intros i Hi. apply sessions_dominated; auto. apply units_close. exact Hn.
  Qed.

  Theorem certified_sessions_add_up_secretly : forall record query (keys runs : nat -> nat)
    (data data' : list (row nat record)), (forall i, neighbours_any (keys i) data data') ->
    (forall secret, labelled labels (sight (query := query) (word_of secret) data)) ->
    (forall secret, labelled labels (sight (query := query) (word_of secret) data')) ->
    forall next S n,
    let run data := interleave (@move (question nat record query)) answer (replies_to labels) m
      (fun i => mean_of _ _ (secrets (keys i) (runs i)) (fun secret => weight_of i (sight (word_of secret) data)))
      next S n [] in
    run data <= exp (sum (fun i => epsilon_of (claims i)) (seq 0 m)) * run data' +
      sum (fun i => delta_of (claims i)) (seq 0 m).
  Proof.
    intros record query keys runs data data' Hn Hw Hw' next S n. cbv zeta.
    set (Q := @move (question nat record query)).
    set (W := fun data i => mean_of Q answer (secrets (keys i) (runs i))
      (fun secret => weight_of i (sight (word_of secret) data))).
    assert (Matches : forall i, (i < m)%nat -> exists w, dominated Q answer (replies_to labels) (epsilon_of (claims i))
      (delta_of (claims i)) (W data i) (W data' i) w).
    { intros i Hi. destruct (Hn i) as [x [y [Hx [Hy Hd]]]].
      exists (mean_of _ _ (secrets (keys i) (runs i)) (fun secret =>
        part_of i (sight (word_of secret) data) (sight (word_of (swap_all x y secret)) data'))).
      apply dominated_mean with (match_with := swap_all x y);
        [apply secrets_nonempty|apply swap_all_permutes; assumption|].
      intros secret Hs. apply sessions_dominated; [exact Hi| |apply Hw].
      destruct (word_of_swap x y (keys i) (runs i) secret Hx Hy Hs) as [W1 W2].
      apply (differ_close nat record query _ _ x y); assumption. }
    assert (Choice : forall k, (k <= m)%nat -> exists ws, forall i, (i < k)%nat ->
      dominated Q answer (replies_to labels) (epsilon_of (claims i)) (delta_of (claims i)) (W data i) (W data' i) (ws i)).
    { induction k as [|k IH]; intros Hk; [exists (fun _ _ => 0); lia|].
      destruct (IH ltac:(lia)) as [ws Hws]. destruct (Matches k ltac:(lia)) as [w Hk'].
      exists (fun i => if (i =? k)%nat then w else ws i). intros i Hi.
      destruct (Nat.eqb_spec i k) as [->|E]; [exact Hk'|apply Hws; lia]. }
    destruct (Choice m (le_n m)) as [ws Hws].
    apply (interleaved_sessions_add_up _ _ _ m (fun i => epsilon_of (claims i)) (fun i => delta_of (claims i))
      (W data) (W data') ws).
    - intros i Hi. split; (apply coherent_mean; [apply secrets_nonempty|]; intros secret; apply sessions_coherent; auto).
    - exact Hws.
  Qed.
End Certified.

(* The weights are those of the machines of Statement.v: uniform words, one a move. *)
Definition answer_eqb (a b : answer) : bool :=
  match a, b with
  | Silent, Silent | Noted, Noted => true
  | Label y, Label y' => (y =? y')%nat
  | _, _ => false
  end.
Fixpoint same_answers (l l' : list answer) : bool :=
  match l, l' with
  | [], [] => true
  | a :: r, a' :: r' => answer_eqb a a' && same_answers r r'
  | _, _ => false
  end.

Lemma answer_eqb_true : forall a b, answer_eqb a b = true -> a = b.
Proof. intros [|y|] [|y'|]; simpl; intros E; try discriminate; try reflexivity. apply Nat.eqb_eq in E. congruence. Qed.

(* What one move gets from a machine. *)
Definition one_reply {query} (M : machine) (look : query -> verdict * duel) (s : state M) (m : @move query) (u : Z)
  : answer * state M :=
  match m with
  | Ask q => replies M s (fst (look q)) u
  | Buy q => sells M s (snd (look q)) u
  | Act a b => (Noted, acts M a b s)
  | Stop => (Noted, s)
  end.
Fixpoint all_replies {query} (M : machine) (look : query -> verdict * duel) (s : state M) (ms : list (@move query))
  (us : list Z) : list answer :=
  match ms, us with
  | m :: ms, u :: us => let (a, next) := one_reply M look s m u in a :: all_replies M look next ms us
  | _, _ => []
  end.

Section Machine.
  Variable query : Type.
  Variables table named_table : list Z.
  Variables silences answers : Z.
  Variable look : query -> verdict * duel.
  Variable coins : list Z.
  Hypothesis some : coins <> [].
  Variables p w : nat -> R.
  Hypothesis silent_share : forall d, p d = INR (length (filter (is_silent table d) coins)) / INR (length coins).
  Hypothesis named_share : forall d, w d = INR (length (filter (is_named named_table d) coins)) / INR (length coins).
  Let M := budget table named_table silences answers.

  Fixpoint forward (s : purse * purse) (h : list (@move query * answer)) : R :=
    match h with
    | [] => 1
    | (m, a) :: rest => chance p w look s m a * forward (after m a s) rest
    end.

  Lemma reply_state : forall s m u, snd (one_reply M look s m u) = after m (fst (one_reply M look s m u)) s.
  Proof.
    intros s [q|q|x y|] u; cbn [one_reply M budget replies sells acts fst snd]; try reflexivity.
    - destruct (reserved (fst s) =? 0)%nat; [reflexivity|]. destruct (is_silent _ _ _); reflexivity.
    - destruct (reserved (snd s) =? 0)%nat; reflexivity.
  Qed.

  (* How likely a word makes the machine reply a. *)
  Lemma reply_chance : forall s m a,
    sum (fun u => if answer_eqb (fst (one_reply M look s m u)) a then 1 else 0) coins =
    INR (length coins) * chance p w look s m a.
  Proof.
    intros s m a.
    assert (Const : forall b : answer, sum (fun _ : Z => if answer_eqb b a then 1 else 0) coins =
      INR (length coins) * (if answer_eqb b a then 1 else 0)) by (intros b; apply sum_const).
    assert (N : 0 < INR (length coins)) by (apply lt_0_INR; destruct coins; [contradiction|simpl; lia]).
    destruct m as [q|q|x y|]; cbn [one_reply M budget replies sells acts fst snd chance].
    - fold (views look q). destruct (reserved (fst s) =? 0)%nat; cbn [fst negb when].
      { rewrite (Const Noted). destruct a; reflexivity. }
      rewrite (sum_ext _ _ (fun u => if is_silent table (distance (views look q)) u
        then (if answer_eqb Silent a then 1 else 0) else (if answer_eqb (Label (winner (views look q))) a then 1 else 0)))
        by (intros u _; destruct (is_silent table (distance (views look q)) u); reflexivity).
      rewrite sum_if, silent_share. set (k := INR (length (filter _ _))). set (n := INR (length coins)) in *.
      clearbody k n. destruct a as [|y|]; cbn [answer_eqb when]; try (field; lra).
      destruct (winner (views look q) =? y)%nat; cbn [when]; field; lra.
    - fold (faces look q). destruct (reserved (snd s) =? 0)%nat; cbn [fst negb when].
      { rewrite (Const Noted). destruct a; reflexivity. }
      rewrite (sum_ext _ _ (fun u => if is_named named_table (margin (faces look q)) u
        then (if answer_eqb (Label (named (faces look q))) a then 1 else 0)
        else (if answer_eqb (Label (other (faces look q))) a then 1 else 0)))
        by (intros u _; destruct (is_named named_table (margin (faces look q)) u); reflexivity).
      rewrite sum_if, named_share. set (k := INR (length (filter _ _))). set (n := INR (length coins)) in *.
      clearbody k n. destruct a as [|y|]; cbn [answer_eqb when]; try (field; lra).
      destruct (named (faces look q) =? y)%nat; destruct (other (faces look q) =? y)%nat; cbn [when]; field; lra.
    - rewrite (Const Noted). destruct a; reflexivity.
    - rewrite (Const Noted). destruct a; reflexivity.
  Qed.

  Theorem machine_has_weights : forall h s,
    Pr (uniform (tuples coins (length h))) (fun us => same_answers (all_replies M look s (map fst h) us) (map snd h)) =
    forward s h.
  Proof.
    induction h as [|[m a] h IH]; intros s.
    - rewrite Pr_uniform. simpl. lra.
    - cbn [length]. rewrite Pr_tuples by exact some. cbn [map fst snd all_replies forward].
      assert (N : 0 < INR (length coins)) by (apply lt_0_INR; destruct coins; [contradiction|simpl; lia]).
      rewrite (sum_ext _ _ (fun u => forward (after m a s) h *
        (if answer_eqb (fst (one_reply M look s m u)) a then 1 else 0))).
      + rewrite sum_scale, reply_chance. set (n := INR (length coins)) in *. clearbody n. field. lra.
      + intros u _. pose proof (reply_state s m u) as L. destruct (one_reply M look s m u) as [b next].
        cbn [fst snd] in *. cbn [same_answers]. destruct (answer_eqb b a) eqn:E.
        * apply answer_eqb_true in E. subst b. cbn [andb]. rewrite IH, L. ring.
        * cbn [andb]. rewrite Rmult_0_r. generalize (uniform (tuples coins (length h))). intros mu.
          induction mu as [|[x v] mu IHmu]; simpl; [reflexivity|]. rewrite IHmu. ring.
  Qed.

  (* The same weights, read from the latest move back. *)
  Theorem weights_are_forward : forall full h, weight p w full look h = forward full (rev h).
  Proof.
    intros full h.
    assert (Last : forall l s m a, forward s (l ++ [(m, a)]) =
      forward s l * chance p w look (fold_left (fun s e => after (fst e) (snd e) s) l s) m a).
    { induction l as [|[m' a'] l IH]; intros s m a; cbn [app forward fold_left fst snd]; [ring|]. rewrite IH. ring. }
    induction h as [|[m a] rest IH]; [reflexivity|]. cbn [weight rev]. rewrite Last, IH. unfold purses_after.
    rewrite <- fold_left_rev_right, rev_involutive. reflexivity.
  Qed.
End Machine.

(* A purse that is empty from the start stays so. *)
Lemma unused_after : forall query (m : @move query) a s,
  (unused (fst (after m a s)) <= unused (fst s) /\ unused (snd (after m a s)) <= unused (snd s))%nat.
Proof.
  intros query [q|q|x y|] a s; cbn [after]; try (destruct a; cbn [fst snd]; unfold unused, use; cbn [left reserved]; lia).
  cbn [fst snd]. split; apply unused_tended.
Qed.

Lemma weight_same : forall query (look : query -> verdict * duel) full p p' w w' h,
  (unused (fst full) = 0%nat \/ p = p') -> (unused (snd full) = 0%nat \/ w = w') ->
  weight p w full look h = weight p' w' full look h.
Proof.
  intros query look full p p' w w' h Hp Hw. induction h as [|[m a] h IH]; [reflexivity|]. cbn [weight]. rewrite IH. f_equal.
  assert (B : (unused (fst (purses_after full h)) <= unused (fst full) /\
    unused (snd (purses_after full h)) <= unused (snd full))%nat).
  { clear. induction h as [|[m a] h IH]; [split; apply Nat.le_refl|]. cbn [purses_after fold_right fst snd].
    pose proof (unused_after query m a (purses_after full h)). unfold purses_after in *. lia. }
  set (s := purses_after full h) in *. unfold chance, unused in *. destruct m as [q|q|x y|]; try reflexivity.
  - destruct (Nat.eqb_spec (reserved (fst s)) 0); cbn [negb when]; [destruct a; reflexivity|].
    destruct Hp as [Hp| ->]; [lia|reflexivity].
  - destruct (Nat.eqb_spec (reserved (snd s)) 0); cbn [negb when]; [destruct a; reflexivity|].
    destruct Hw as [Hw| ->]; [lia|reflexivity].
Qed.

Lemma certified_in_range : forall plan claim, certified plan claim ->
  in_range (fst (silences_of plan)) /\ in_range (fst (answers_of plan)).
Proof.
  intros [m|t|b] claim H; cbn [silences_of answers_of fst].
  - split; [apply plan_in_range, H|apply empty_in_range].
  - split; [apply empty_in_range|apply toll_in_range, H].
  - destruct (certified_budget_parts b claim H) as [Hm Ht]. split; [apply plan_in_range, Hm|apply toll_in_range, Ht].
Qed.

(* The probability that a certified machine gives these answers to these moves is the weight that the theorems above speak
   of. *)
Theorem machine_weight : forall query plans i claim (look : query -> verdict * duel) h, certified (plans i) claim ->
  Pr (uniform (tuples (below words) (length h)))
    (fun us => same_answers (all_replies (machine_of (plans i)) look (start (machine_of (plans i))) (map fst (rev h)) us)
                 (map snd (rev h))) =
  weight_of plans i look h.
Proof.
  intros query plans i claim look h Hc. destruct (certified_in_range (plans i) claim Hc) as [R1 R2]. unfold weight_of.
  rewrite (weight_same query look (full_of plans i) _ (silence (fst (silences_of (plans i)))) _
    (naming (fst (answers_of (plans i))))).
  - rewrite weights_are_forward, <- rev_length. unfold machine_of.
    rewrite (machine_has_weights query _ _ _ _ look (below words) words_nonempty (silence (fst (silences_of (plans i))))
      (naming (fst (answers_of (plans i))))); [reflexivity| |].
    + intros d. apply silence_share. exact R1.
    + intros d. apply naming_share. exact R2.
  - unfold full_of. cbn [fst]. destruct (plans i); [right|left|right]; reflexivity.
  - unfold full_of. cbn [snd]. destruct (plans i); [left|right|right]; reflexivity.
Qed.
