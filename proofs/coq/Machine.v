(* The machines as functions that compute, and the proof that the contracts of core/meter.h, core/toll.h and core/budget.h
   say exactly this of every call: what a contract allows is what the function gives, and it allows that (classic:
   MachineClassic.v, counts: MachineCount.v). Extracted, these functions are run against the C code. *)
From Coq Require Import Bool Lia List ZArith.
From Fumata Require Import SpecMachine.
Import ListNotations.
Local Open Scope Z_scope.

(* What a start says; whether a plan is certified is computed elsewhere. *)
Definition start_status (claim_ok limit_ok plan_ok certified : bool) : Z :=
  if negb claim_ok then FUMATA_ERR_CLAIM else if negb limit_ok then FUMATA_ERR_LIMIT
  else if negb plan_ok then FUMATA_ERR_TABLE else if negb certified then FUMATA_ERR_UNCERTIFIED else FUMATA_OK.

Definition meter_status (plan : fumata_meter_plan) (claim : fumata_claim) (certified : bool) : Z :=
  start_status (FumataMeterClaimOk_b claim) (FumataLimitOk_b (meter_plan_limit plan)) (FumataMeterPlanOk_b plan) certified.
Definition toll_status (plan : fumata_toll_plan) (claim : fumata_claim) (certified : bool) : Z :=
  start_status (FumataTollClaimOk_b claim) (FumataAnswersOk_b (toll_plan_limit plan)) (FumataTollPlanOk_b plan) certified.

(* Of both: the meter's refusal, else the toll's, else that of the total. *)
Definition budget_status (plan : fumata_budget_plan) (claim : fumata_claim) (meter toll total : bool) : Z :=
  let m := meter_status (budget_plan_meter plan) claim meter in
  let t := toll_status (budget_plan_toll plan) claim toll in
  if negb (m =? FUMATA_OK) then m else if negb (t =? FUMATA_OK) then t
  else if total then FUMATA_OK else FUMATA_ERR_UNCERTIFIED.

(* A call: the machine after it, and the status. *)
Definition meter_start (plan : fumata_meter_plan) (left : Z) : fumata_meter :=
  {| meter_plan := plan; meter_left := left; meter_reserved := 0 |}.
Definition toll_start (plan : fumata_toll_plan) (left : Z) : fumata_toll :=
  {| toll_plan := plan; toll_left := left; toll_reserved := 0 |}.
Definition budget_start (plan : fumata_budget_plan) (silences answers : Z) : fumata_budget :=
  {| budget_meter := meter_start (budget_plan_meter plan) silences;
     budget_toll := toll_start (budget_plan_toll plan) answers |}.

(* A start is granted, or changes nothing. *)
Definition granted_or {A} (status : Z) (started idle : A) : A * Z := (if status =? FUMATA_OK then started else idle, status).

Definition meter_starts (m : fumata_meter) (plan : fumata_meter_plan) (claim : fumata_claim) (certified : bool) (left : Z)
  : fumata_meter * Z :=
  if meter_plan_limit plan <? left then (m, FUMATA_ERR_LEFT)
  else granted_or (meter_status plan claim certified) (meter_start plan left) m.

Definition toll_starts (t : fumata_toll) (plan : fumata_toll_plan) (claim : fumata_claim) (certified : bool) (left : Z)
  : fumata_toll * Z :=
  if toll_plan_limit plan <? left then (t, FUMATA_ERR_LEFT)
  else granted_or (toll_status plan claim certified) (toll_start plan left) t.

Definition budget_starts (b : fumata_budget) (plan : fumata_budget_plan) (claim : fumata_claim) (meter toll total : bool)
  (silences answers : Z) : fumata_budget * Z :=
  if (meter_plan_limit (budget_plan_meter plan) <? silences) || (toll_plan_limit (budget_plan_toll plan) <? answers)
  then (b, FUMATA_ERR_LEFT)
  else granted_or (budget_status plan claim meter toll total) (budget_start plan silences answers) b.

(* Reserving n of what is left: (left, reserved), status. *)
Definition pays (left reserved n : Z) : Z * Z * Z :=
  if 0 <? reserved then (left, reserved, FUMATA_ERR_RESERVED)
  else if (1 <=? n) && (n <=? left) then (left - n, n, FUMATA_OK) else (left, reserved, FUMATA_ERR_SPENT).

Definition meter_pays (m : fumata_meter) (n : Z) : fumata_meter * Z :=
  let '(l, r, status) := pays (meter_left m) (meter_reserved m) n in
  ({| meter_plan := meter_plan m; meter_left := l; meter_reserved := r |}, status).
Definition toll_pays (t : fumata_toll) (n : Z) : fumata_toll * Z :=
  let '(l, r, status) := pays (toll_left t) (toll_reserved t) n in
  ({| toll_plan := toll_plan t; toll_left := l; toll_reserved := r |}, status).

Definition meter_used (m : fumata_meter) : fumata_meter :=
  {| meter_plan := meter_plan m; meter_left := meter_left m; meter_reserved := meter_reserved m - 1 |}.
Definition toll_used (t : fumata_toll) : fumata_toll :=
  {| toll_plan := toll_plan t; toll_left := toll_left t; toll_reserved := toll_reserved t - 1 |}.

Definition meter_replies (m : fumata_meter) (v : fumata_verdict) (coin answer : Z) : fumata_meter * Z * Z :=
  if FUMATA_CLASSES_MAX <=? verdict_winner v then (m, answer, FUMATA_ERR_VOTE)
  else if meter_reserved m =? 0 then (m, answer, FUMATA_ERR_CLOSED)
  else if FumataMeterIsSilent_b m (verdict_distance v) coin then (meter_used m, FUMATA_SILENT, FUMATA_OK)
  else (m, verdict_winner v, FUMATA_OK).

Definition toll_sells (t : fumata_toll) (d : fumata_duel) (coin answer : Z) : fumata_toll * Z * Z :=
  if negb (FumataPairOk_b (duel_winner d) (duel_loser d)) then (t, answer, FUMATA_ERR_VOTE)
  else if toll_reserved t =? 0 then (t, answer, FUMATA_ERR_CLOSED)
  else (toll_used t, if FumataTollNamesWinner_b t (duel_distance d) coin then duel_winner d else duel_loser d, FUMATA_OK).

Definition meter_ends (m : fumata_meter) : fumata_meter * Z :=
  (meter_start (meter_plan m) (meter_left m + meter_reserved m), FUMATA_OK).
Definition toll_ends (t : fumata_toll) : fumata_toll * Z :=
  (toll_start (toll_plan t) (toll_left t + toll_reserved t), FUMATA_OK).

(* The same of classic, whose reservation holds a threshold. *)
Definition drawn (noise : fumata_noise) (coin : Z) : Z :=
  noise_first noise + Z.of_nat (length (filter (fun c => c <=? coin) (noise_cdf noise))).

Definition classic_start (plan : fumata_classic_plan) (left : Z) : fumata_classic :=
  {| classic_plan := plan; classic_threshold := 0; classic_left := left; classic_reserved := 0 |}.

(* Whether the tables of noise are in order is computed elsewhere, too. *)
Definition classic_status (plan : fumata_classic_plan) (claim : fumata_claim) (plan_ok certified : bool) : Z :=
  start_status (FumataClaimOk_b claim) (FumataLimitOk_b (classic_plan_limit plan)) plan_ok certified.

Definition classic_starts (c : fumata_classic) (plan : fumata_classic_plan) (claim : fumata_claim)
  (plan_ok certified : bool) (left : Z) : fumata_classic * Z :=
  if classic_plan_limit plan <? left then (c, FUMATA_ERR_LEFT)
  else granted_or (classic_status plan claim plan_ok certified) (classic_start plan left) c.

Definition classic_pays (c : fumata_classic) (coin : Z) : fumata_classic * Z :=
  if classic_reserved c =? 1 then (c, FUMATA_ERR_RESERVED)
  else if classic_left c =? 0 then (c, FUMATA_ERR_SPENT)
  else ({| classic_plan := classic_plan c;
           classic_threshold := classic_plan_width (classic_plan c) + drawn (classic_plan_threshold (classic_plan c)) coin;
           classic_left := classic_left c - 1; classic_reserved := 1 |}, FUMATA_OK).

Definition classic_used (c : fumata_classic) : fumata_classic := classic_start (classic_plan c) (classic_left c).

Definition classic_labels (c : fumata_classic) (d coin : Z) : bool :=
  let z := drawn (classic_plan_query (classic_plan c)) coin in
  negb (z =? noise_first (classic_plan_query (classic_plan c))) && (classic_threshold c <? d + z).

Definition classic_replies (c : fumata_classic) (v : fumata_verdict) (coin answer : Z) : fumata_classic * Z * Z :=
  if FUMATA_CLASSES_MAX <=? verdict_winner v then (c, answer, FUMATA_ERR_VOTE)
  else if classic_reserved c =? 0 then (c, answer, FUMATA_ERR_CLOSED)
  else if classic_labels c (verdict_distance v) coin then (c, verdict_winner v, FUMATA_OK)
  else (classic_used c, FUMATA_SILENT, FUMATA_OK).

Definition classic_ends (c : fumata_classic) : fumata_classic * Z := (classic_used c, FUMATA_OK).

(* A counter, which has one release. Whether its table is in order is computed elsewhere, as above. *)
Definition count_start (noise : fumata_noise) : fumata_counter := {| counter_noise := noise; counter_reserved := 1 |}.

Definition count_status (sensitivity : Z) (claim : fumata_claim) (table_ok certified : bool) : Z :=
  start_status (FumataCountClaimOk_b claim && FumataSensitivityOk_b sensitivity) true table_ok certified.

Definition count_starts (c : fumata_counter) (noise : fumata_noise) (sensitivity : Z) (claim : fumata_claim)
  (table_ok certified : bool) : fumata_counter * Z :=
  granted_or (count_status sensitivity claim table_ok certified) (count_start noise) c.

Definition count_releases (c : fumata_counter) (count coin noisy : Z) : fumata_counter * Z * Z :=
  if counter_reserved c =? 0 then (c, noisy, FUMATA_ERR_CLOSED)
  else ({| counter_noise := counter_noise c; counter_reserved := 0 |},
        FumataCountCapped count + drawn (counter_noise c) coin, FUMATA_OK).

(* The contracts. *)
Ltac cases :=
  repeat match goal with
  | |- context [?a =? ?b] => destruct (Z.eqb_spec a b)
  | |- context [?a <=? ?b] => destruct (Z.leb_spec a b)
  | |- context [?a <? ?b] => destruct (Z.ltb_spec a b)
  end.
Ltac all_hold :=
  repeat match goal with |- _ /\ _ => split | |- _ -> _ => intro end;
  try assumption; try reflexivity; try lia; try tauto; try (repeat f_equal; lia).
Ltac parts := repeat match goal with H : _ /\ _ |- _ => destruct H end.

(* A number that is tested by a decision and said to be tested by a formula. *)
Lemma start_status_is : forall (claim_ok limit_ok plan_ok certified : bool) (C L P K : Prop) r,
  (claim_ok = true <-> C) -> (limit_ok = true <-> L) -> (plan_ok = true <-> P) -> (certified = true <-> K) ->
  (r = FUMATA_ERR_CLAIM /\ ~ C) \/ C /\ ((r = FUMATA_ERR_LIMIT /\ ~ L) \/ L /\ ((r = FUMATA_ERR_TABLE /\ ~ P) \/
    P /\ ((r = FUMATA_ERR_UNCERTIFIED /\ ~ K) \/ r = FUMATA_OK /\ K))) <->
  r = start_status claim_ok limit_ok plan_ok certified.
Proof.
  intros [|] [|] [|] [|] C L P K r HC HL HP HK; unfold start_status; cbn [negb];
    repeat match goal with
    | H : true = true <-> ?X |- _ => assert X by (apply H; reflexivity); clear H
    | H : false = true <-> ?X |- _ => assert (~ X) by (intros G; apply H in G; discriminate); clear H
    end; tauto.
Qed.

Lemma start_status_ok : forall claim_ok limit_ok plan_ok certified,
  start_status claim_ok limit_ok plan_ok certified = FUMATA_OK <->
  claim_ok = true /\ limit_ok = true /\ plan_ok = true /\ certified = true.
Proof. intros [|] [|] [|] [|]; cbn; split; intros; parts; try discriminate; auto. Qed.

(* Whether a plan is certified is computed elsewhere. *)
Local Opaque FumataMeterIsCertified FumataTollIsCertified FumataMeterClaimOk FumataMeterPlanOk FumataTollClaimOk
  FumataTollPlanOk FumataBudgetTotal FumataLimitOk FumataAnswersOk.

Lemma meter_status_is : forall plan claim certified r, certified = true <-> FumataMeterIsCertified plan claim ->
  FumataMeterStatus plan claim r <-> r = meter_status plan claim certified.
Proof.
  intros plan claim certified r H. apply start_status_is; [apply FumataMeterClaimOk_true|apply FumataLimitOk_true|
    apply FumataMeterPlanOk_true|exact H].
Qed.

Lemma toll_status_is : forall plan claim certified r, certified = true <-> FumataTollIsCertified plan claim ->
  FumataTollStatus plan claim r <-> r = toll_status plan claim certified.
Proof.
  intros plan claim certified r H. apply start_status_is; [apply FumataTollClaimOk_true|apply FumataAnswersOk_true|
    apply FumataTollPlanOk_true|exact H].
Qed.

Transparent FumataMeterIsCertified FumataTollIsCertified.
Lemma certified_meter_ok : forall plan claim, FumataMeterIsCertified plan claim ->
  FumataMeterClaimOk claim /\ FumataMeterPlanOk plan /\ FumataLimitOk (meter_plan_limit plan).
Proof. intros plan claim [H1 [H2 _]]. split; [exact H1|]. split; [exact H2|]. apply H2. Qed.
Lemma certified_toll_ok : forall plan claim, FumataTollIsCertified plan claim ->
  FumataTollClaimOk claim /\ FumataTollPlanOk plan /\ FumataAnswersOk (toll_plan_limit plan).
Proof. intros plan claim [H1 [H2 _]]. split; [exact H1|]. split; [exact H2|]. apply H2. Qed.
Opaque FumataMeterIsCertified FumataTollIsCertified.

Lemma meter_status_ok : forall plan claim certified, certified = true <-> FumataMeterIsCertified plan claim ->
  meter_status plan claim certified = FUMATA_OK <-> FumataMeterIsCertified plan claim.
Proof.
  intros plan claim certified H. unfold meter_status. rewrite start_status_ok, FumataMeterClaimOk_true, FumataLimitOk_true,
    FumataMeterPlanOk_true, H. pose proof (certified_meter_ok plan claim). tauto.
Qed.

Lemma toll_status_ok : forall plan claim certified, certified = true <-> FumataTollIsCertified plan claim ->
  toll_status plan claim certified = FUMATA_OK <-> FumataTollIsCertified plan claim.
Proof.
  intros plan claim certified H. unfold toll_status. rewrite start_status_ok, FumataTollClaimOk_true, FumataAnswersOk_true,
    FumataTollPlanOk_true, H. pose proof (certified_toll_ok plan claim). tauto.
Qed.

Lemma meter_runs : forall m plan, FumataMeterRuns m plan <-> meter_plan m = plan.
Proof.
  intros [[a b] l r] [a' b']. unfold FumataMeterRuns, meter_plan_size. cbn.
  split; [intros [H1 [_ H2]]|intros H; inversion H]; intuition congruence.
Qed.
Lemma toll_runs : forall t plan, FumataTollRuns t plan <-> toll_plan t = plan.
Proof.
  intros [[a b] l r] [a' b']. unfold FumataTollRuns, toll_plan_size. cbn.
  split; [intros [H1 [_ H2]]|intros H; inversion H]; intuition congruence.
Qed.

(* Starting: what the contract says of any machine, in the order in which the contracts say it. *)
Lemma start_is : forall (A : Type) (status : Z) (Says Certified : Prop) (Starts : A -> Prop) (a a' started : A) r,
  (Says <-> r = status) -> (status = FUMATA_OK <-> Certified) -> (Starts a' -> a' = started) -> (Certified -> Starts started) ->
  (Says /\ (r = FUMATA_OK <-> Certified) /\ (r = FUMATA_OK -> Starts a') /\ (~ r = FUMATA_OK -> a' = a)) <->
  (a', r) = granted_or status started a.
Proof.
  intros A status Says Certified Starts a a' started r HS HC H1 H2. unfold granted_or. split.
  - intros [S [_ [G N]]]. apply HS in S. subst r. destruct (Z.eqb_spec status FUMATA_OK) as [E|E].
    + rewrite (H1 (G E)). reflexivity.
    + rewrite (N E). reflexivity.
  - intros E. inversion E as [[E1 E2]]. clear E. subst r. destruct (Z.eqb_spec status FUMATA_OK) as [G|G].
    + pose proof (proj1 HC G) as K. subst a'. tauto.
    + tauto.
Qed.

Lemma meter_started : forall m plan left,
  FumataMeterRuns m plan /\ meter_left m = left /\ meter_reserved m = 0 <-> m = meter_start plan left.
Proof. intros [p l r] plan left. rewrite meter_runs. unfold meter_start. cbn. intuition congruence. Qed.
Lemma toll_started : forall t plan left,
  FumataTollRuns t plan /\ toll_left t = left /\ toll_reserved t = 0 <-> t = toll_start plan left.
Proof. intros [p l r] plan left. rewrite toll_runs. unfold toll_start. cbn. intuition congruence. Qed.

Lemma meter_start_holds : forall plan claim left, FumataMeterIsCertified plan claim -> left <= meter_plan_limit plan ->
  FumataMeterInvariant (meter_start plan left).
Proof. intros plan claim left H L. split; [apply (certified_meter_ok plan claim H)|]. unfold FumataMeterIsPaid. cbn. lia. Qed.
Lemma toll_start_holds : forall plan claim left, FumataTollIsCertified plan claim -> left <= toll_plan_limit plan ->
  FumataTollInvariant (toll_start plan left).
Proof. intros plan claim left H L. split; [apply (certified_toll_ok plan claim H)|]. unfold FumataTollIsPaid. cbn. lia. Qed.

(* A session is taken up from what is not too much, or not at all. *)
Lemma resume_is : forall (A : Type) (bound : bool) (Possible Says Certified : Prop) (Starts : A -> Prop) (a a' : A) r
  (Y : A * Z),
  (bound = false <-> Possible) ->
  (Possible -> (Says /\ (r = FUMATA_OK <-> Certified) /\ (r = FUMATA_OK -> Starts a') /\ (~ r = FUMATA_OK -> a' = a)) <->
               (a', r) = Y) ->
  ((if bound then r = FUMATA_ERR_LEFT else Says) /\ (r = FUMATA_OK <-> Possible /\ Certified) /\
   (r = FUMATA_OK -> Starts a') /\ (~ r = FUMATA_OK -> a' = a)) <->
  (a', r) = if bound then (a, FUMATA_ERR_LEFT) else Y.
Proof.
  intros A [|] Possible Says Certified Starts a a' r Y HP HX.
  - assert (~ Possible) by (intros G; apply HP in G; discriminate). split.
    + intros [-> [_ [_ G]]]. rewrite (G ltac:(discriminate)). reflexivity.
    + intros E. inversion E. subst. repeat split; try discriminate; tauto.
  - pose proof (proj1 HP eq_refl) as P. rewrite <- (HX P). tauto.
Qed.

Theorem meter_resume_contract : forall m m' plan claim left certified r,
  certified = true <-> FumataMeterIsCertified plan claim ->
  fumata_meter_resume_ensures m m' plan claim left r <-> (m', r) = meter_starts m plan claim certified left.
Proof.
  intros m m' plan claim left certified r H.
  apply (resume_is _ _ _ _ _ (fun x => FumataMeterStarts x plan left)); [apply Z.ltb_ge|]. intros L.
  apply (start_is _ _ _ _ (fun x => FumataMeterStarts x plan left));
    [apply meter_status_is, H|apply meter_status_ok, H|intros G; apply meter_started, G|].
  intros C. split; [exact (meter_start_holds plan claim left C L)|]. apply meter_started. reflexivity.
Qed.

Theorem toll_resume_contract : forall t t' plan claim left certified r,
  certified = true <-> FumataTollIsCertified plan claim ->
  fumata_toll_resume_ensures t t' plan claim left r <-> (t', r) = toll_starts t plan claim certified left.
Proof.
  intros t t' plan claim left certified r H.
  apply (resume_is _ _ _ _ _ (fun x => FumataTollStarts x plan left)); [apply Z.ltb_ge|]. intros L.
  apply (start_is _ _ _ _ (fun x => FumataTollStarts x plan left));
    [apply toll_status_is, H|apply toll_status_ok, H|intros G; apply toll_started, G|].
  intros C. split; [exact (toll_start_holds plan claim left C L)|]. apply toll_started. reflexivity.
Qed.

(* To begin is to resume with everything left. *)
Theorem meter_init_contract : forall m m' plan claim certified r, certified = true <-> FumataMeterIsCertified plan claim ->
  fumata_meter_init_ensures m m' plan claim r <-> (m', r) = meter_starts m plan claim certified (meter_plan_limit plan).
Proof.
  intros m m' plan claim certified r H. rewrite <- (meter_resume_contract m m' plan claim _ certified r H).
  unfold fumata_meter_init_ensures, fumata_meter_resume_ensures. rewrite Z.ltb_irrefl.
  pose proof (Z.le_refl (meter_plan_limit plan)). tauto.
Qed.

Theorem toll_init_contract : forall t t' plan claim certified r, certified = true <-> FumataTollIsCertified plan claim ->
  fumata_toll_init_ensures t t' plan claim r <-> (t', r) = toll_starts t plan claim certified (toll_plan_limit plan).
Proof.
  intros t t' plan claim certified r H. rewrite <- (toll_resume_contract t t' plan claim _ certified r H).
  unfold fumata_toll_init_ensures, fumata_toll_resume_ensures. rewrite Z.ltb_irrefl.
  pose proof (Z.le_refl (toll_plan_limit plan)). tauto.
Qed.

(* Both. *)
Section Budget.
  Variable plan : fumata_budget_plan.
  Variable claim : fumata_claim.
  Variables meter toll total : bool.
  Hypothesis Hm : meter = true <-> FumataMeterIsCertified (budget_plan_meter plan) claim.
  Hypothesis Ht : toll = true <-> FumataTollIsCertified (budget_plan_toll plan) claim.
  Hypothesis Htotal : total = true <-> FumataBudgetTotal (budget_plan_meter plan) (budget_plan_toll plan) claim.

  Lemma budget_status_is : forall r, FumataBudgetStatus plan claim r <-> r = budget_status plan claim meter toll total.
  Proof.
    intros r. unfold FumataBudgetStatus, budget_status. rewrite (meter_status_is _ _ _ r Hm), (toll_status_is _ _ _ r Ht).
    pose proof (meter_status_ok _ _ _ Hm) as Om. pose proof (toll_status_ok _ _ _ Ht) as Ot. cbv zeta.
    destruct (Z.eqb_spec (meter_status (budget_plan_meter plan) claim meter) FUMATA_OK) as [E|E]; cbn [negb].
    2:{ split; [intros [[_ G]|[G _]]; [exact G|tauto]|]. intros ->. left. split; [exact E|reflexivity]. }
    rewrite E. destruct (Z.eqb_spec (toll_status (budget_plan_toll plan) claim toll) FUMATA_OK) as [F|F]; cbn [negb].
    2:{ split; [intros [[G1 G2]|[_ [[_ G]|[G _]]]]; [contradiction|exact G|destruct F; apply Ot; exact G]|].
        intros ->. right. split; [tauto|]. left. split; [exact F|reflexivity]. }
    rewrite F. destruct total.
    - assert (FumataBudgetTotal (budget_plan_meter plan) (budget_plan_toll plan) claim) by (apply Htotal; reflexivity). tauto.
    - assert (~ FumataBudgetTotal (budget_plan_meter plan) (budget_plan_toll plan) claim)
        by (intros G; apply Htotal in G; discriminate). tauto.
  Qed.

  Lemma budget_status_ok : budget_status plan claim meter toll total = FUMATA_OK <-> FumataBudgetIsCertified plan claim.
  Proof.
    unfold FumataBudgetIsCertified, FumataBudgetKeeps, budget_status. rewrite <- Htotal.
    pose proof (meter_status_ok _ _ _ Hm) as Om. pose proof (toll_status_ok _ _ _ Ht) as Ot. cbv zeta.
    destruct (Z.eqb_spec (meter_status (budget_plan_meter plan) claim meter) FUMATA_OK) as [E|E]; cbn [negb]; [|tauto].
    destruct (Z.eqb_spec (toll_status (budget_plan_toll plan) claim toll) FUMATA_OK) as [F|F]; cbn [negb]; [|tauto].
    destruct total; [tauto|]. split; [discriminate|]. intros [_ [_ G]]. discriminate.
  Qed.

  Lemma budget_started : forall b silences answers,
    (FumataBudgetRuns b plan /\ (meter_left (budget_meter b) = silences /\ meter_reserved (budget_meter b) = 0) /\
     toll_left (budget_toll b) = answers /\ toll_reserved (budget_toll b) = 0) <-> b = budget_start plan silences answers.
  Proof.
    intros [m t] silences answers. unfold FumataBudgetRuns, budget_start. cbn [budget_meter budget_toll].
    pose proof (meter_started m (budget_plan_meter plan) silences) as M.
    pose proof (toll_started t (budget_plan_toll plan) answers) as T. split.
    - intros G. replace m with (meter_start (budget_plan_meter plan) silences) by (symmetry; tauto).
      replace t with (toll_start (budget_plan_toll plan) answers) by (symmetry; tauto). reflexivity.
    - intros G. apply (f_equal budget_meter) in G as G1. apply (f_equal budget_toll) in G as G2. cbn in G1, G2. tauto.
  Qed.

  Theorem budget_resume_contract : forall b b' silences answers r,
    fumata_budget_resume_ensures b b' plan claim silences answers r <->
    (b', r) = budget_starts b plan claim meter toll total silences answers.
  Proof.
    intros b b' silences answers r. unfold fumata_budget_resume_ensures.
    rewrite <- and_assoc with (C := FumataBudgetIsCertified plan claim).
    apply (resume_is _ _ _ _ _ (fun x => FumataBudgetStarts x plan silences answers));
      [rewrite orb_false_iff, !Z.ltb_ge; reflexivity|].
    intros [L1 L2]. apply (start_is _ _ _ _ (fun x => FumataBudgetStarts x plan silences answers));
      [apply budget_status_is|apply budget_status_ok|
       intros G; apply budget_started; unfold FumataBudgetStarts in G; tauto|].
    intros C. pose proof C as [H1 [H2 _]].
    split; [split; [exact (meter_start_holds _ claim _ H1 L1)|exact (toll_start_holds _ claim _ H2 L2)]|].
    pose proof (proj2 (budget_started _ silences answers) eq_refl). tauto.
  Qed.

  Theorem budget_init_contract : forall b b' r,
    fumata_budget_init_ensures b b' plan claim r <->
    (b', r) = budget_starts b plan claim meter toll total (meter_plan_limit (budget_plan_meter plan))
                (toll_plan_limit (budget_plan_toll plan)).
  Proof.
    intros b b' r. rewrite <- budget_resume_contract. unfold fumata_budget_init_ensures, fumata_budget_resume_ensures.
    rewrite !Z.ltb_irrefl. cbn [orb]. pose proof (Z.le_refl (meter_plan_limit (budget_plan_meter plan))).
    pose proof (Z.le_refl (toll_plan_limit (budget_plan_toll plan))). tauto.
  Qed.
End Budget.

(* Reserving, answering, closing. What is left and what is reserved are unsigned numbers. *)
Ltac decided := cases; try lia; reflexivity.
Ltac one_of reserved := destruct (Z.ltb_spec 0 reserved); [|cases; cbn [andb]].

Theorem meter_reserve_contract : forall m m' n r, fumata_meter_reserve_requires m n -> fumata_meter_fits m ->
  fumata_meter_reserve_ensures m m' n r <-> (m', r) = meter_pays m n.
Proof.
  intros [plan left reserved] [plan' left' reserved'] n r [Hp Hl] [_ [H0 H1]].
  unfold fumata_meter_reserve_ensures, meter_pays, pays, FumataMeterInvariant, FumataMeterIsPaid in *.
  cbn [meter_plan meter_left meter_reserved] in *. split.
  - intros [<- [_ [A B]]]. one_of reserved; [|destruct (B ltac:(lia)) as [[-> ->] ->]; reflexivity|..];
      destruct (A ltac:(lia)) as [E [_ ->]]; inversion E; subst; decided.
  - one_of reserved; intros E; inversion E; subst; all_hold; decided.
Qed.

Theorem toll_reserve_contract : forall t t' n r, fumata_toll_reserve_requires t n -> fumata_toll_fits t ->
  fumata_toll_reserve_ensures t t' n r <-> (t', r) = toll_pays t n.
Proof.
  intros [plan left reserved] [plan' left' reserved'] n r [Hp Hl] [_ [H0 H1]].
  unfold fumata_toll_reserve_ensures, toll_pays, pays, FumataTollInvariant, FumataTollIsPaid in *.
  cbn [toll_plan toll_left toll_reserved] in *. split.
  - intros [<- [_ [A B]]]. one_of reserved; [|destruct (B ltac:(lia)) as [[-> ->] ->]; reflexivity|..];
      destruct (A ltac:(lia)) as [E [_ ->]]; inversion E; subst; decided.
  - one_of reserved; intros E; inversion E; subst; all_hold; decided.
Qed.

Theorem meter_answer_contract : forall m m' v coin answer answer' r,
  fumata_meter_answer_requires m v coin answer -> fumata_meter_fits m -> fumata_verdict_fits v ->
  fumata_meter_answer_ensures m m' v coin answer answer' r <-> (m', answer', r) = meter_replies m v coin answer.
Proof.
  intros m m' v coin answer answer' r Hm [_ [_ Hf]] Hv.
  pose proof (FumataMeterIsSilent_true m (verdict_distance v) coin) as S.
  destruct m as [plan left reserved], m' as [plan' left' reserved'].
  unfold fumata_meter_answer_requires, fumata_meter_answer_ensures, meter_replies, meter_used, FumataMeterInvariant,
    FumataMeterIsPaid in *.
  cbn [meter_plan meter_left meter_reserved] in *. destruct Hm as [Hp Hl].
  set (silent := FumataMeterIsSilent _ _ _) in *. set (quiet := FumataMeterIsSilent_b _ _ _) in *.
  assert (D : ~ silent -> 1 <= verdict_distance v).
  { destruct Hv as [_ Hv]. intros N. destruct (Z.eq_dec (verdict_distance v) 0); [|lia]. destruct N. left. assumption. }
  split.
  - intros [<- [<- [_ [H2 [H3 H4]]]]]. destruct (Z.leb_spec FUMATA_CLASSES_MAX (verdict_winner v)).
    { destruct (H2 ltac:(lia)) as [E [-> [_ ->]]]. congruence. }
    destruct (Z.eqb_spec reserved 0).
    { destruct (H2 ltac:(lia)) as [E [-> [_ ->]]]. congruence. }
    destruct quiet.
    + destruct (H3 ltac:(split; [lia|apply S; reflexivity])) as [-> [-> ->]]. reflexivity.
    + assert (N : ~ silent) by (intros G; apply S in G; discriminate).
      destruct (H4 ltac:(split; [lia|exact N])) as [-> [_ [-> ->]]]. reflexivity.
  - destruct (Z.leb_spec FUMATA_CLASSES_MAX (verdict_winner v)); [|destruct (Z.eqb_spec reserved 0);
      [|destruct quiet]]; intros E; inversion E; subst.
    + all_hold.
    + all_hold.
    + assert (Y : silent) by (apply S; reflexivity). all_hold.
    + assert (N : ~ silent) by (intros G; apply S in G; discriminate). specialize (D N). all_hold.
Qed.

Theorem toll_answer_contract : forall t t' d coin answer answer' r,
  fumata_toll_answer_requires t d coin answer -> fumata_toll_fits t ->
  fumata_toll_answer_ensures t t' d coin answer answer' r <-> (t', answer', r) = toll_sells t d coin answer.
Proof.
  intros t t' d coin answer answer' r Hm [_ [_ Hf]].
  pose proof (FumataTollNamesWinner_true t (duel_distance d) coin) as S.
  pose proof (FumataPairOk_true (duel_winner d) (duel_loser d)) as K.
  destruct t as [plan left reserved], t' as [plan' left' reserved'].
  unfold fumata_toll_answer_requires, fumata_toll_answer_ensures, toll_sells, toll_used, FumataTollInvariant,
    FumataTollIsPaid in *.
  cbn [toll_plan toll_left toll_reserved] in *. destruct Hm as [Hp Hl].
  set (names := FumataTollNamesWinner _ _ _) in *. set (named := FumataTollNamesWinner_b _ _ _) in *.
  set (pair := FumataPairOk _ _) in *. set (paired := FumataPairOk_b _ _) in *. clearbody names named pair paired.
  destruct paired; cbn [negb].
  2:{ assert (N : ~ pair) by (intros G; apply K in G; discriminate). split.
      - intros [<- [<- [_ [H1 _]]]]. destruct (H1 (or_introl N)) as [E [-> [_ [G _]]]]. rewrite (G N). congruence.
      - intros E. inversion E; subst. all_hold. }
  assert (Y : pair) by (apply K; reflexivity). destruct (Z.eqb_spec reserved 0).
  { split; [intros [<- [<- [_ [H2 _]]]]; destruct (H2 (or_intror e)) as [E [-> [_ [_ G]]]]; rewrite (G Y); congruence|].
    intros E. inversion E; subst. all_hold. }
  split.
  - intros [<- [<- [_ [_ [H3 H4]]]]]. destruct named.
    + destruct (H3 ltac:(split; [split; [exact Y|lia]|apply S; reflexivity])) as [-> [-> ->]]. reflexivity.
    + assert (N : ~ names) by (intros G; apply S in G; discriminate).
      destruct (H4 ltac:(split; [split; [exact Y|lia]|exact N])) as [-> [-> ->]]. reflexivity.
  - intros E. inversion E; subst. destruct named.
    + assert (names) by (apply S; reflexivity). all_hold.
    + assert (N : ~ names) by (intros G; apply S in G; discriminate). all_hold.
Qed.

Theorem meter_close_contract : forall m m' r, fumata_meter_close_requires m -> fumata_meter_fits m ->
  fumata_meter_close_ensures m m' r <-> (m', r) = meter_ends m.
Proof.
  intros [plan left reserved] [plan' left' reserved'] r [Hp Hl] [_ [H0 H1]].
  unfold fumata_meter_close_ensures, meter_ends, meter_start, FumataMeterInvariant, FumataMeterIsPaid in *.
  cbn [meter_plan meter_left meter_reserved] in *. split.
  - intros [<- [_ [-> [-> ->]]]]. reflexivity.
  - intros E; inversion E; subst; all_hold.
Qed.

Theorem toll_close_contract : forall t t' r, fumata_toll_close_requires t ->
  fumata_toll_close_ensures t t' r <-> (t', r) = toll_ends t.
Proof.
  intros [plan left reserved] [plan' left' reserved'] r [Hp Hl].
  unfold fumata_toll_close_ensures, toll_ends, toll_start, FumataTollInvariant, FumataTollIsPaid in *.
  cbn [toll_plan toll_left toll_reserved] in *. split.
  - intros [<- [_ [-> [-> ->]]]]. reflexivity.
  - intros E; inversion E; subst; all_hold.
Qed.
