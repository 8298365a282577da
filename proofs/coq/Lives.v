(* Lives of machines as sessions that are asked by moves: the probability that a life gives these answers to these moves,
   of a certified meter, toll, budget or classic session, and that it says the same as the laws of Statement.v. *)
From Coq Require Import Reals Lra Lia Psatz ZArith List Bool Arith.
From Fumata Require Import SpecPlan SpecCertifyMeter SpecCertifyToll SpecCertifyBudget SpecCertifyClassic Statement
  Divergence Uniform Ballot Duel Coins Units Session CertificateTotal Composition Interleaving Concurrent Stepping Final.
Import ListNotations.
Local Open Scope R_scope.

(* A move that brings an answer. *)
Inductive request {query : Type} := Asks (q : query) | Buys (q : query) | Acts (silences answers : act).
Definition move_of {query} (r : @request query) : @move query :=
  match r with Asks q => Ask q | Buys q => Buy q | Acts a b => Act a b end.

Definition step_of {query} (M : machine) (look : query -> verdict * duel) (s : state M) (r : @request query) (u : Z)
  : answer * state M :=
  match r with
  | Asks q => replies M s (fst (look q)) u
  | Buys q => sells M s (snd (look q)) u
  | Acts a b => (Noted, acts M a b s)
  end.

Definition answer_eqb (a b : answer) : bool :=
  match a, b with
  | Silent, Silent | Noted, Noted => true
  | Label y, Label y' => (y =? y')%nat
  | _, _ => false
  end.

Lemma answer_eqb_true : forall a b, answer_eqb a b = true <-> a = b.
Proof.
  intros [|y|] [|y'|]; simpl; split; intros E; try discriminate; try reflexivity.
  - apply Nat.eqb_eq in E. congruence.
  - inversion E. apply Nat.eqb_refl.
Qed.

Section Answers.
  Variable query : Type.
  Variable bound : query -> nat.   (* every label that an answer to this question may name is smaller *)

  Definition replies_to (r : @request query) : list answer :=
    match r with
    | Asks q | Buys q => Noted :: Silent :: map Label (seq 0 (bound q))
    | Acts _ _ => [Noted]
    end.

  Lemma replies_to_once : forall r, NoDup (replies_to r).
  Proof.
    assert (L : forall n a, In a (map Label (seq 0 n)) -> a <> Noted /\ a <> Silent).
    { intros n a H. apply in_map_iff in H. destruct H as [y [<- _]]. split; discriminate. }
    assert (G : forall n, NoDup (Noted :: Silent :: map Label (seq 0 n))).
    { intros n. constructor; [|constructor].
      - intros [H|H]; [discriminate|]. apply L in H. tauto.
      - intros H. apply L in H. tauto.
      - apply nodup_map; [apply seq_NoDup|]. intros x y _ _ E. congruence. }
    intros [q|q|a b]; [apply G|apply G|]. repeat constructor. intros [].
  Qed.

  (* Every answer that a machine may give is among them. *)
  Definition answers_within (M : machine) (look : query -> verdict * duel) : Prop :=
    forall s r u, In (fst (step_of M look s r u)) (replies_to r).

  Definition life_weight (M : machine) (look : query -> verdict * duel) : history (@request query) answer -> R :=
    step_weight (@request query) answer (state M) Z answer_eqb (below words) (step_of M look) (start M).

  Theorem life_coherent : forall M look, answers_within M look ->
    coherent (@request query) answer replies_to (life_weight M look).
  Proof.
    intros M look H. apply step_coherent;
      [exact answer_eqb_true|exact replies_to_once|exact words_nonempty|exact H].
  Qed.

  (* Whoever chooses by questions and answers is an adversary, who chooses by answers. *)
  Section Chosen.
    Variable choose : history (@request query) answer -> option (@request query).

    Fixpoint history_of (seen : transcript) : history (@request query) answer :=
      match seen with
      | [] => []
      | a :: rest => match choose (history_of rest) with Some r => (r, a) :: history_of rest | None => history_of rest end
      end.
    Definition chosen (seen : transcript) : @move query :=
      match choose (history_of seen) with Some r => move_of r | None => Stop end.

    Lemma life_is_played : forall coins M look S n s seen, coins <> [] ->
      Pr (uniform (tuples coins n)) (fun us => S (history_of (life M chosen look us s seen))) =
      played (@request query) answer (state M) Z coins (step_of M look) choose S n s (history_of seen).
    Proof.
      intros coins M look S n s seen Hne. revert s seen.
      assert (HN : 0 < INR (length coins)) by (apply lt_0_INR; destruct coins; [contradiction|simpl; lia]).
      induction n as [|n IH]; intros s seen.
      { rewrite Pr_uniform. simpl. rewrite Rinv_1. destruct (S (history_of seen)); lra. }
      rewrite Pr_tuples by exact Hne. cbn [life played]. unfold chosen at 1.
      destruct (choose (history_of seen)) as [r|] eqn:E.
      - unfold mean. f_equal. apply sum_ext. intros u _.
        assert (N : history_of (fst (step_of M look s r u) :: seen) =
          (r, fst (step_of M look s r u)) :: history_of seen) by (cbn [history_of]; rewrite E; reflexivity).
        rewrite <- N, <- IH. destruct r; reflexivity.
      - assert (T : Pr (uniform (tuples coins n)) (fun _ => true) = 1)
          by (apply is_law_uniform, tuples_not_nil; exact Hne).
        assert (F : Pr (uniform (tuples coins n)) (fun _ => false) = 0) by (rewrite Pr_uniform, sum_const; ring).
        rewrite sum_const. destruct (S (history_of seen)); [rewrite T|rewrite F]; field; lra.
    Qed.
  End Chosen.

  (* Weights that say the same as a release, whoever chooses. *)
  Definition speaks_for (W : history (@request query) answer -> R)
    (release : nat -> adversary query -> law transcript) : Prop :=
    forall choose S n, alone (@request query) answer replies_to W choose S n [] =
      Pr (release n (chosen choose)) (fun t => S (history_of choose t)).

  Theorem life_speaks : forall M look, answers_within M look ->
    speaks_for (life_weight M look) (fun n next => session M n query next look).
  Proof.
    intros M look H choose S n. unfold life_weight.
    rewrite (alone_is_played (@request query) answer (state M) Z answer_eqb answer_eqb_true replies_to replies_to_once
      (below words) words_nonempty (step_of M look) H (start M) choose S n).
    unfold session. rewrite Pr_post. symmetry. apply (life_is_played choose (below words) M look S n (start M) [] words_nonempty).
  Qed.

  Lemma mean_speaks : forall H (choices : list H) W release,
    (forall c, speaks_for (W c) (release c)) ->
    speaks_for (mean_of (@request query) answer choices W) (fun n next => mixture choices (fun c => release c n next)).
  Proof.
    intros H choices W release HW choose S n. rewrite alone_mean, Pr_mixture. f_equal. apply sum_ext. intros c _. apply HW.
  Qed.

  Lemma speaks_private : forall epsilon delta W W' release release', speaks_for W release -> speaks_for W' release' ->
    (forall n next, within epsilon delta (release n next) (release' n next)) ->
    private_alone (@request query) answer replies_to epsilon delta W W'.
  Proof. intros epsilon delta W W' release release' HW HW' H choose S n. rewrite HW, HW'. apply H. Qed.
End Answers.

(* Any plan of this program. *)
Inductive any_plan :=
| OfMeter (plan : fumata_meter_plan) | OfToll (plan : fumata_toll_plan) | OfBoth (plan : fumata_budget_plan)
| OfClassic (plan : fumata_classic_plan).
Definition certified (plan : any_plan) (claim : fumata_claim) : Prop :=
  match plan with
  | OfMeter p => FumataMeterIsCertified p claim
  | OfToll p => FumataTollIsCertified p claim
  | OfBoth p => FumataBudgetIsCertified p claim
  | OfClassic p => FumataClassicIsCertified p claim
  end.
Definition released (plan : any_plan) (n : nat) query (next : adversary query) (look : query -> verdict * duel)
  : law transcript :=
  match plan with
  | OfMeter p => session (meter p) n query next look
  | OfToll p => session (toll p) n query next look
  | OfBoth p => session (both p) n query next look
  | OfClassic p => classic_session p n query next look
  end.

Theorem any_is_private : keeps certified released.
Proof.
  intros [p|p|p|p] claim n fit H;
    [exact (meter_is_private p claim n fit H)|exact (toll_is_private p claim n fit H)|
     exact (budget_is_private p claim n fit H)|exact (classic_is_private p claim n fit H)].
Qed.

(* The probability that a life gives these answers to these moves. *)
Definition plan_weight {query} (plan : any_plan) (look : query -> verdict * duel)
  : history (@request query) answer -> R :=
  match plan with
  | OfMeter p => life_weight query (meter p) look
  | OfToll p => life_weight query (toll p) look
  | OfBoth p => life_weight query (both p) look
  | OfClassic p => mean_of _ _ (tuples (below words) (Z.to_nat (classic_plan_limit p)))
                     (fun ts => life_weight query (classic p ts) look)
  end.

(* The labels that a question of Statement.v can be answered with. *)
Definition label_bound {key record query} (asked : question key record query) : nat :=
  let '(r, _, (a, b)) := asked in S (classes _ _ _ r + a + b).

Section Sights.
  Variables key record query : Type.
  Variable word : nat -> key -> Z.
  Variable data : list (row key record).
  Let look := sight (query := query) word data.

  Lemma sight_bound : forall q, (winner (fst (look q)) < label_bound q)%nat /\
    (named (snd (look q)) < label_bound q)%nat /\ (other (snd (look q)) < label_bound q)%nat.
  Proof.
    intros [[[n k c learn] q] [a b]]. unfold look, label_bound. cbn [sight fst snd classes].
    set (votes := map _ _). split; [|destruct (only_candidates a b votes) as [[-> ->]|[-> ->]]; lia].
    cbn [decide winner]. destruct c as [|c]; [simpl; lia|].
    pose proof (proj1 (plurality_is_winner (counts votes) (S c) ltac:(lia))). lia.
  Qed.

  Lemma label_within : forall q y, (y < label_bound q)%nat ->
    In (Label y) (Noted :: Silent :: map Label (seq 0 (@label_bound key record query q))).
  Proof. intros q y H. right. right. apply in_map. apply in_seq. lia. Qed.

  Lemma budget_within : forall silence naming silences answers,
    answers_within _ label_bound (budget silence naming silences answers) look.
  Proof.
    intros silence naming silences answers s [q|q|a b] u; cbn [step_of replies_to budget replies sells];
      [| |left; reflexivity]; destruct (sight_bound q) as [B1 [B2 B3]].
    - destruct (reserved (fst s) =? 0)%nat; [left; reflexivity|].
      destruct (is_silent _ _ _); cbn [fst]; [right; left; reflexivity|apply label_within; exact B1].
    - destruct (reserved (snd s) =? 0)%nat; [left; reflexivity|].
      cbn [fst]. apply label_within. destruct (is_named _ _ _); assumption.
  Qed.

  Lemma classic_within : forall plan ts, answers_within _ label_bound (classic plan ts) look.
  Proof.
    intros plan ts s [q|q|a b] u; cbn [step_of replies_to classic replies sells]; [|left; reflexivity|left; reflexivity].
    destruct (snd (fst s)); [|left; reflexivity].
    destruct (classic_silent _ _ _ _); cbn [fst]; [right; left; reflexivity|apply label_within; apply sight_bound].
  Qed.

  Lemma plan_within : forall plan,
    coherent _ _ (replies_to _ label_bound) (plan_weight plan look) /\
    speaks_for _ label_bound (plan_weight plan look) (fun n next => released plan n _ next look).
  Proof.
    assert (T : forall n, tuples (below words) n <> []) by (intros; apply tuples_not_nil, words_nonempty).
    assert (B : forall x y i j, coherent _ _ (replies_to _ label_bound) (life_weight _ (budget x y i j) look) /\
      speaks_for _ label_bound (life_weight _ (budget x y i j) look) (fun n next => session (budget x y i j) n _ next look)).
    { intros. split; [apply life_coherent|apply life_speaks]; apply budget_within. }
    intros [p|p|[m t]|p]; [apply B|apply B|apply B|]. cbn [plan_weight released]. split.
    - apply coherent_mean; [apply T|]. intros ts. apply life_coherent, classic_within.
    - apply (mean_speaks _ label_bound _ _ _ (fun ts n next => session (classic p ts) n _ next look)).
      intros ts. apply life_speaks, classic_within.
  Qed.
End Sights.
