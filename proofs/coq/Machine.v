(* The machines as functions that compute, and the proof that the contracts of core/meter.h and core/classic.h say exactly
   this of every call: what a contract allows is what the function gives, and it allows that. Extracted, these functions
   are run against the C code. *)
From Coq Require Import Bool Lia List ZArith.
From Fumata Require Import SpecMachine.
Import ListNotations.
Local Open Scope Z_scope.

(* A call of the meter: the machine after it, and the status. *)
Definition meter_start (plan : fumata_meter_plan) (left : Z) : fumata_meter :=
  {| meter_plan := plan; meter_left := left; meter_reserved := 0 |}.

Definition meter_pays (m : fumata_meter) : fumata_meter * Z :=
  if meter_reserved m =? 1 then (m, FUMATA_ERR_RESERVED)
  else if meter_left m =? 0 then (m, FUMATA_ERR_SPENT)
  else ({| meter_plan := meter_plan m; meter_left := meter_left m - 1; meter_reserved := 1 |}, FUMATA_OK).

Definition meter_used (m : fumata_meter) : fumata_meter :=
  {| meter_plan := meter_plan m; meter_left := meter_left m; meter_reserved := 0 |}.

Definition meter_replies (m : fumata_meter) (v : fumata_verdict) (coin answer : Z) : fumata_meter * Z * Z :=
  if FUMATA_CLASSES_MAX <=? verdict_winner v then (m, answer, FUMATA_ERR_VOTE)
  else if meter_reserved m =? 0 then (m, answer, FUMATA_ERR_CLOSED)
  else if FumataMeterIsSilent_b m (verdict_distance v) coin then (meter_used m, FUMATA_SILENT, FUMATA_OK)
  else (m, verdict_winner v, FUMATA_OK).

Definition meter_ends (m : fumata_meter) : fumata_meter * Z :=
  ({| meter_plan := meter_plan m; meter_left := meter_left m + meter_reserved m; meter_reserved := 0 |}, FUMATA_OK).

(* The same of classic, whose reservation holds a threshold. *)
Definition drawn (noise : fumata_noise) (coin : Z) : Z :=
  noise_first noise + Z.of_nat (length (filter (fun c => c <=? coin) (noise_cdf noise))).

Definition classic_start (plan : fumata_classic_plan) (left : Z) : fumata_classic :=
  {| classic_plan := plan; classic_threshold := 0; classic_left := left; classic_reserved := 0 |}.

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

(* What a refused start says. *)
Definition meter_refusal (plan : fumata_meter_plan) (claim : fumata_claim) : Z :=
  if negb (FumataMeterClaimOk_b claim) then FUMATA_ERR_CLAIM
  else if negb (FumataLimitOk_b (meter_plan_limit plan)) then FUMATA_ERR_LIMIT
  else if negb (FumataMeterPlanOk_b plan) then FUMATA_ERR_TABLE
  else FUMATA_ERR_UNCERTIFIED.

Definition meter_starts (m : fumata_meter) (plan : fumata_meter_plan) (claim : fumata_claim) (certified : bool) (left : Z)
  : fumata_meter * Z :=
  if meter_plan_limit plan <? left then (m, FUMATA_ERR_LEFT)
  else if certified then (meter_start plan left, FUMATA_OK) else (m, meter_refusal plan claim).

Definition classic_starts (c : fumata_classic) (plan : fumata_classic_plan) (certified : bool) (left : Z) : fumata_classic * Z :=
  if classic_plan_limit plan <? left then (c, FUMATA_ERR_LEFT)
  else if certified then (classic_start plan left, FUMATA_OK) else (c, FUMATA_ERR_UNCERTIFIED).

Lemma certified_meter_plan : forall plan claim, FumataMeterIsCertified plan claim -> FumataMeterPlanOk plan.
Proof. intros plan claim [_ [H _]]. exact H. Qed.
Lemma certified_classic_plan : forall plan claim, FumataClassicIsCertified plan claim -> FumataClassicPlanOk plan.
Proof. intros plan claim [_ [H _]]. exact H. Qed.

(* Whether a plan is certified is computed elsewhere. *)
Local Opaque FumataMeterIsCertified FumataClassicIsCertified FumataMeterIsCertified_b.

(* The contracts. `left` of a machine is an unsigned number. *)
Ltac cases :=
  repeat match goal with
  | |- context [?a =? ?b] => destruct (Z.eqb_spec a b)
  | |- context [?a <=? ?b] => destruct (Z.leb_spec a b)
  end.
Ltac all_hold :=
  repeat match goal with |- _ /\ _ => split | |- _ -> _ => intro end;
  try assumption; try reflexivity; try lia; try tauto; try (repeat f_equal; lia).

Ltac parts := repeat match goal with H : _ /\ _ |- _ => destruct H end.
(* A start: granted, with what the contract says then, or refused. *)
Ltac granted r :=
  parts;
  match goal with H : r = FUMATA_OK <-> _ |- _ => rename H into Certified end;
  match goal with H : r = FUMATA_OK \/ _ |- _ => rename H into Cause end;
  destruct (Z.eq_dec r FUMATA_OK) as [Yes|No];
  [ repeat match goal with H : r = FUMATA_OK -> _ |- _ => specialize (H Yes) end; parts;
    match goal with H : FumataMeterRuns _ _ |- _ => rename H into Runs | H : FumataClassicRuns _ _ |- _ => rename H into Runs end
  | match goal with H : r <> FUMATA_OK -> _ |- _ => specialize (H No); rename H into Same end ].

Theorem meter_reserve_contract : forall m m' r, fumata_meter_reserve_requires m -> 0 <= meter_left m ->
  fumata_meter_reserve_ensures m m' r <-> (m', r) = meter_pays m.
Proof.
  intros [plan left reserved] [plan' left' reserved'] r.
  unfold fumata_meter_reserve_requires, fumata_meter_reserve_ensures, meter_pays, FumataMeterInvariant, FumataMeterIsPaid.
  cbn [meter_plan meter_left meter_reserved]. intros [Hp [Hr Hl]] H0. split.
  - intros [<- [_ [H1 [H2 H3]]]]. cases.
    + destruct (H1 ltac:(lia)) as [E [_ ->]]. congruence.
    + destruct (H2 ltac:(lia)) as [E [_ ->]]. congruence.
    + destruct (H3 ltac:(lia)) as [[-> ->] ->]. reflexivity.
  - cases; intros E; inversion E; subst; all_hold.
Qed.

Theorem meter_answer_contract : forall m m' v coin answer answer' r,
  fumata_meter_answer_requires m v coin answer -> fumata_verdict_fits v ->
  fumata_meter_answer_ensures m m' v coin answer answer' r <-> (m', answer', r) = meter_replies m v coin answer.
Proof.
  intros m m' v coin answer answer' r Hm Hv.
  pose proof (FumataMeterIsSilent_true m (verdict_distance v) coin) as S.
  destruct m as [plan left reserved], m' as [plan' left' reserved'].
  unfold fumata_meter_answer_requires, fumata_meter_answer_ensures, meter_replies, meter_used, FumataMeterInvariant,
    FumataMeterIsPaid in *.
  cbn [meter_plan meter_left meter_reserved] in *. destruct Hm as [Hp [Hr Hl]].
  set (silent := FumataMeterIsSilent _ _ _) in *. set (quiet := FumataMeterIsSilent_b _ _ _) in *.
  assert (D : ~ silent -> 1 <= verdict_distance v).
  { destruct Hv as [_ Hv]. intros N. destruct (Z.eq_dec (verdict_distance v) 0); [|lia]. destruct N. left. assumption. }
  split.
  - intros [<- [<- [_ [H1 [H2 [H3 H4]]]]]]. destruct (Z.leb_spec FUMATA_CLASSES_MAX (verdict_winner v)).
    { destruct (H1 ltac:(lia)) as [E [-> [_ ->]]]. congruence. }
    destruct (Z.eqb_spec reserved 0).
    { destruct (H2 ltac:(lia)) as [E [-> [_ ->]]]. congruence. }
    destruct quiet.
    + destruct (H3 ltac:(split; [lia|apply S; reflexivity])) as [-> [-> ->]]. reflexivity.
    + assert (N : ~ silent) by (intros G; apply S in G; discriminate).
      destruct (H4 ltac:(split; [lia|exact N])) as [-> [_ [-> ->]]]. repeat f_equal. lia.
  - destruct (Z.leb_spec FUMATA_CLASSES_MAX (verdict_winner v)); [|destruct (Z.eqb_spec reserved 0);
      [|destruct quiet]]; intros E; inversion E; subst.
    + all_hold.
    + all_hold.
    + assert (Y : silent) by (apply S; reflexivity). all_hold.
    + assert (N : ~ silent) by (intros G; apply S in G; discriminate). specialize (D N). all_hold.
Qed.

Theorem meter_close_contract : forall m m' r, fumata_meter_close_requires m ->
  fumata_meter_close_ensures m m' r <-> (m', r) = meter_ends m.
Proof.
  intros [plan left reserved] [plan' left' reserved'] r.
  unfold fumata_meter_close_requires, fumata_meter_close_ensures, meter_ends, FumataMeterInvariant, FumataMeterIsPaid.
  cbn [meter_plan meter_left meter_reserved]. intros [Hp [Hr Hl]]. split.
  - intros [<- [_ [-> [H1 H2]]]]. destruct (Z.eq_dec reserved 0).
    + destruct (H1 ltac:(lia)) as [E _]. inversion E; subst. repeat f_equal. lia.
    + destruct (H2 ltac:(lia)) as [-> ->]. repeat f_equal. lia.
  - intros E; inversion E; subst; all_hold.
Qed.

Lemma meter_runs : forall m plan, FumataMeterRuns m plan -> meter_plan m = plan.
Proof. intros [[a b] l r] [a' b'] [H1 [_ H2]]. cbn in *. congruence. Qed.

(* A start that is granted; one that is refused changes nothing and says one of four things. *)
Theorem meter_init_contract : forall m m' plan claim r, fumata_meter_init_ensures m m' plan claim r ->
  (FumataMeterIsCertified plan claim /\ r = FUMATA_OK /\ m' = meter_start plan (meter_plan_limit plan)) \/
  (~ FumataMeterIsCertified plan claim /\ FumataIsRefusal r /\ m' = m).
Proof.
  intros m m' plan claim r H. unfold fumata_meter_init_ensures in H. granted r.
  - left. apply meter_runs in Runs. destruct m' as [p l s]. cbn [meter_plan meter_left meter_reserved] in *. subst p l s.
    split; [exact (proj1 Certified Yes)|]. split; [exact Yes|reflexivity].
  - right. split; [intros C; exact (No (proj2 Certified C))|]. split; [destruct Cause; [contradiction|assumption]|exact Same].
Qed.

Theorem meter_resume_contract : forall m m' plan claim left r, fumata_meter_resume_ensures m m' plan claim left r ->
  (left <= meter_plan_limit plan /\ FumataMeterIsCertified plan claim /\ r = FUMATA_OK /\ m' = meter_start plan left) \/
  ((meter_plan_limit plan < left \/ ~ FumataMeterIsCertified plan claim) /\ r <> FUMATA_OK /\ m' = m).
Proof.
  intros m m' plan claim left r [H0 H]. destruct (Z_lt_le_dec (meter_plan_limit plan) left) as [L|L].
  - right. specialize (H0 L). parts. subst. split; [tauto|]. split; [discriminate|reflexivity].
  - specialize (H L). clear H0. granted r.
    + left. apply meter_runs in Runs. destruct m' as [p l s]. cbn [meter_plan meter_left meter_reserved] in *. subst p l s.
      split; [exact L|]. split; [exact (proj1 Certified Yes)|]. split; [exact Yes|reflexivity].
    + right. split; [right; intros C; exact (No (proj2 Certified C))|]. split; [exact No|exact Same].
Qed.

(* A certified plan can be started, from any number that is left. *)
Theorem meter_start_possible : forall m plan claim left, FumataMeterIsCertified plan claim -> 0 <= left <= meter_plan_limit plan ->
  fumata_meter_resume_ensures m (meter_start plan left) plan claim left FUMATA_OK /\
  fumata_meter_init_ensures m (meter_start plan (meter_plan_limit plan)) plan claim FUMATA_OK.
Proof.
  intros m plan claim left C L. pose proof (certified_meter_plan plan claim C) as P.
  unfold fumata_meter_resume_ensures, fumata_meter_init_ensures, meter_start, FumataMeterInvariant, FumataMeterIsPaid,
    FumataMeterRuns, FUMATA_OK.
  cbn [meter_plan meter_left meter_reserved].
  repeat match goal with |- _ /\ _ => split | |- _ <-> _ => split | |- _ -> _ => intro end;
    try exact C; try exact P; try reflexivity; try lia; left; reflexivity.
Qed.

(* Classic. The draw is the one that its contract describes. *)
Lemma filter_nothing : forall (p : Z -> bool) l, (forall x, In x l -> p x = false) -> filter p l = [].
Proof.
  induction l as [|x l IH]; intros H; simpl; [reflexivity|].
  rewrite (H x (or_introl eq_refl)). apply IH. intros y Hy. apply H. right. exact Hy.
Qed.

Lemma filter_sorted : forall (table : list Z) coin,
  (forall i j, (i <= j < length table)%nat -> nth i table 0 <= nth j table 0) ->
  forall i, (i < length table)%nat ->
  (i < length (filter (fun c => (c <=? coin)%Z) table))%nat <-> nth i table 0 <= coin.
Proof.
  induction table as [|a table IH]; intros coin Hs i Hi; [simpl in Hi; lia|].
  assert (Hs' : forall i j, (i <= j < length table)%nat -> nth i table 0 <= nth j table 0).
  { intros p q Hpq. apply (Hs (S p) (S q)). simpl. lia. }
  simpl filter. destruct (Z.leb_spec a coin) as [E|E].
  - destruct i as [|i]; [simpl; lia|]. simpl in Hi. specialize (IH coin Hs' i ltac:(lia)). simpl. lia.
  - assert (N : filter (fun c => c <=? coin) table = []).
    { apply filter_nothing. intros c Hc. apply Z.leb_gt. apply (In_nth table c 0) in Hc.
      destruct Hc as [n [Hn <-]]. specialize (Hs 0%nat (S n) ltac:(simpl; lia)). simpl in Hs. lia. }
    rewrite N. simpl. specialize (Hs 0%nat i ltac:(simpl in *; lia)). simpl in Hs. lia.
Qed.

Lemma filter_length : forall (p : Z -> bool) l, (length (filter p l) <= length l)%nat.
Proof. induction l as [|x l IH]; simpl; [lia|]. destruct (p x); simpl; lia. Qed.

Lemma draws_drawn : forall noise coin z, FumataNoiseOk noise -> 0 <= coin < 18446744073709551616 ->
  FumataDraws noise coin z <-> z = drawn noise coin.
Proof.
  intros noise coin z [[Hs _] [_ [_ Hn]]] Hc. unfold FumataDraws, FumataNoiseOwns, FumataNoiseLow, FumataNoiseHigh, drawn.
  set (table := noise_cdf noise) in *. set (k := length (filter (fun c => c <=? coin) table)).
  assert (Size : noise_size noise = Z.of_nat (length table)) by reflexivity. rewrite Size in *.
  pose proof (filter_length (fun c => c <=? coin) table) as K. fold k in K.
  assert (G : forall i, 0 <= i < Z.of_nat (length table) -> i < Z.of_nat k <-> table.[i] <= coin).
  { intros i Hi. unfold at_index. pose proof (filter_sorted table coin) as F. fold k in F.
    rewrite <- F; [lia| |lia]. intros p q Hpq. specialize (Hn (Z.of_nat p) (Z.of_nat q)). unfold at_index in Hn.
    rewrite !Nat2Z.id in Hn. apply Hn. lia. }
  split.
  - intros [Hj [H1 H2]]. set (j := z - noise_first noise) in *.
    enough (j = Z.of_nat k) by lia.
    destruct (Z.eqb_spec j 0); destruct (Z.eqb_spec j (Z.of_nat (length table)));
      try pose proof (G j ltac:(lia)); try pose proof (G (j - 1) ltac:(lia)); lia.
  - intros ->. replace (noise_first noise + Z.of_nat k - noise_first noise) with (Z.of_nat k) by lia.
    split; [lia|]. split.
    + destruct (Z.eqb_spec (Z.of_nat k) 0); [lia|]. apply G; lia.
    + destruct (Z.eqb_spec (Z.of_nat k) (Z.of_nat (length table))); [lia|].
      pose proof (G (Z.of_nat k) ltac:(lia)). lia.
Qed.

Lemma drawn_range : forall noise coin,
  noise_first noise <= drawn noise coin <= noise_first noise + noise_size noise.
Proof. intros noise coin. unfold drawn, noise_size. pose proof (filter_length (fun c => c <=? coin) (noise_cdf noise)). lia. Qed.

Lemma labels_is_label : forall c d coin, FumataNoiseOk (classic_plan_query (classic_plan c)) ->
  0 <= coin < 18446744073709551616 -> classic_labels c d coin = true <-> FumataClassicIsLabel c d coin.
Proof.
  intros c d coin Hok Hc. unfold classic_labels, FumataClassicIsLabel. rewrite andb_true_iff, negb_true_iff, Z.eqb_neq, Z.ltb_lt.
  split.
  - intros [H1 H2]. exists (drawn (classic_plan_query (classic_plan c)) coin). rewrite draws_drawn by assumption. tauto.
  - intros [z [H1 [H2 H3]]]. rewrite draws_drawn in H1 by assumption. subst z. tauto.
Qed.

Theorem classic_reserve_contract : forall c c' coin r, fumata_classic_reserve_requires c coin -> 0 <= classic_left c ->
  0 <= coin < 18446744073709551616 ->
  fumata_classic_reserve_ensures c c' coin r <-> (c', r) = classic_pays c coin.
Proof.
  intros [plan threshold left reserved] [plan' threshold' left' reserved'] coin r Hm H0 Hc.
  unfold fumata_classic_reserve_requires, fumata_classic_reserve_ensures, classic_pays, FumataClassicInvariant,
    FumataClassicIsPaid, FumataClassicStretch in *.
  cbn [classic_plan classic_threshold classic_left classic_reserved] in *. destruct Hm as [Hp [[Hr Hl] Ht]].
  pose proof (proj1 Hp) as Hnoise. pose proof (fun z => draws_drawn (classic_plan_threshold plan) coin z Hnoise Hc) as D.
  pose proof (drawn_range (classic_plan_threshold plan) coin) as R.
  split.
  - intros [<- [_ [H1 [H2 H3]]]]. cases.
    + destruct (H1 ltac:(lia)) as [E [_ [_ ->]]]. congruence.
    + destruct (H2 ltac:(lia)) as [E [_ [_ ->]]]. congruence.
    + destruct (H3 ltac:(lia)) as [T [[-> ->] ->]]. apply D in T. repeat f_equal. lia.
  - cases; intros E; inversion E; subst; all_hold; try (apply D; lia).
    all: cbn [Z.eqb] in *; lia.
Qed.

Theorem classic_answer_contract : forall c c' v coin answer answer' r,
  fumata_classic_answer_requires c v coin answer -> 0 <= coin < 18446744073709551616 ->
  fumata_classic_answer_ensures c c' v coin answer answer' r <-> (c', answer', r) = classic_replies c v coin answer.
Proof.
  intros c c' v coin answer answer' r Hm Hc.
  pose proof (labels_is_label c (verdict_distance v) coin (proj1 (proj2 (proj1 Hm))) Hc) as L.
  destruct c as [plan threshold left reserved], c' as [plan' threshold' left' reserved'].
  unfold fumata_classic_answer_requires, fumata_classic_answer_ensures, classic_replies, classic_used, classic_start,
    FumataClassicInvariant, FumataClassicIsPaid, FumataClassicStretch in *.
  cbn [classic_plan classic_threshold classic_left classic_reserved] in *. destruct Hm as [Hp [[Hr Hl] Ht]].
  set (label := FumataClassicIsLabel _ _ _) in *. set (loud := classic_labels _ _ _) in *.
  split.
  - intros [<- [<- [_ [H1 [H2 [H3 H4]]]]]]. destruct (Z.leb_spec FUMATA_CLASSES_MAX (verdict_winner v)).
    { destruct (H1 ltac:(lia)) as [E [-> [_ [_ ->]]]]. congruence. }
    destruct (Z.eqb_spec reserved 0).
    { destruct (H2 ltac:(lia)) as [E [-> [_ [_ ->]]]]. congruence. }
    destruct loud.
    + destruct (H4 ltac:(split; [lia|apply L; reflexivity])) as [[-> ->] [-> ->]]. repeat f_equal. lia.
    + assert (N : ~ label) by (intros G; apply L in G; discriminate).
      destruct (H3 ltac:(split; [lia|exact N])) as [[-> ->] [-> ->]]. reflexivity.
  - destruct (Z.leb_spec FUMATA_CLASSES_MAX (verdict_winner v)); [|destruct (Z.eqb_spec reserved 0);
      [|destruct loud]]; intros E; inversion E; subst.
    + all_hold.
    + all_hold.
    + assert (Y : label) by (apply L; reflexivity). all_hold. destruct (Z.eqb_spec reserved 0); lia.
    + assert (N : ~ label) by (intros G; apply L in G; discriminate). all_hold.
Qed.

Lemma classic_idle : forall c, FumataClassicInvariant c -> classic_reserved c = 0 -> classic_threshold c = 0.
Proof. intros c [_ [_ H]] E. unfold FumataClassicStretch in H. rewrite E in H. exact H. Qed.

Theorem classic_close_contract : forall c c' r, fumata_classic_close_requires c ->
  fumata_classic_close_ensures c c' r <-> (c', r) = classic_ends c.
Proof.
  intros c c' r Hm. unfold fumata_classic_close_requires, fumata_classic_close_ensures, classic_ends, classic_used, classic_start in *.
  split.
  - intros H. parts. assert (R : classic_reserved c' = 0) by assumption.
    pose proof (classic_idle c' ltac:(assumption) R). destruct c as [p t l s], c' as [p' t' l' s'].
    cbn [classic_plan classic_threshold classic_left classic_reserved] in *. subst. reflexivity.
  - pose proof (classic_idle c Hm) as Idle. destruct Hm as [Hp [[Hr Hl] Ht]]. destruct c as [p t l s].
    unfold FumataClassicInvariant, FumataClassicIsPaid, FumataClassicStretch.
    cbn [classic_plan classic_threshold classic_left classic_reserved] in *. intros E. inversion E. subst.
    cbn [classic_plan classic_threshold classic_left classic_reserved]. all_hold; rewrite ?Idle by assumption; try congruence.
Qed.

Lemma classic_runs : forall c plan, FumataClassicRuns c plan -> classic_plan c = plan.
Proof.
  intros [[[a b] [d e] w l] x y z] [[a' b'] [d' e'] w' l'] [[H1 [_ H2]] [[H3 [_ H4]] [H5 H6]]]. cbn in *. congruence.
Qed.

Theorem classic_init_contract : forall c c' plan claim r, fumata_classic_init_ensures c c' plan claim r ->
  (FumataClassicIsCertified plan claim /\ r = FUMATA_OK /\ c' = classic_start plan (classic_plan_limit plan)) \/
  (~ FumataClassicIsCertified plan claim /\ FumataIsRefusal r /\ c' = c).
Proof.
  intros c c' plan claim r H. unfold fumata_classic_init_ensures in H. granted r.
  - left. apply classic_runs in Runs. pose proof (classic_idle c' ltac:(assumption) ltac:(assumption)).
    destruct c' as [p t l s]. cbn [classic_plan classic_threshold classic_left classic_reserved] in *. subst p t l s.
    split; [exact (proj1 Certified Yes)|]. split; [exact Yes|reflexivity].
  - right. split; [intros C; exact (No (proj2 Certified C))|]. split; [destruct Cause; [contradiction|assumption]|exact Same].
Qed.

Theorem classic_resume_contract : forall c c' plan claim left r, fumata_classic_resume_ensures c c' plan claim left r ->
  (left <= classic_plan_limit plan /\ FumataClassicIsCertified plan claim /\ r = FUMATA_OK /\ c' = classic_start plan left) \/
  ((classic_plan_limit plan < left \/ ~ FumataClassicIsCertified plan claim) /\ r <> FUMATA_OK /\ c' = c).
Proof.
  intros c c' plan claim left r [H0 H]. destruct (Z_lt_le_dec (classic_plan_limit plan) left) as [L|L].
  - right. specialize (H0 L). parts. subst. split; [tauto|]. split; [discriminate|reflexivity].
  - specialize (H L). clear H0. granted r.
    + left. apply classic_runs in Runs. pose proof (classic_idle c' ltac:(assumption) ltac:(assumption)).
      destruct c' as [p t l s]. cbn [classic_plan classic_threshold classic_left classic_reserved] in *. subst p t l s.
    split; [exact L|]. split; [exact (proj1 Certified Yes)|]. split; [exact Yes|reflexivity].
    + right. split; [right; intros C; exact (No (proj2 Certified C))|]. split; [exact No|exact Same].
Qed.

Theorem classic_start_possible : forall c plan claim left, FumataClassicIsCertified plan claim ->
  0 <= left <= classic_plan_limit plan ->
  fumata_classic_resume_ensures c (classic_start plan left) plan claim left FUMATA_OK /\
  fumata_classic_init_ensures c (classic_start plan (classic_plan_limit plan)) plan claim FUMATA_OK.
Proof.
  intros c plan claim left C L. pose proof (certified_classic_plan plan claim C) as P.
  unfold fumata_classic_resume_ensures, fumata_classic_init_ensures, classic_start, FumataClassicInvariant, FumataClassicIsPaid,
    FumataClassicStretch, FumataClassicRuns, FumataNoiseSame, FUMATA_OK.
  cbn [classic_plan classic_threshold classic_left classic_reserved Z.eqb].
  repeat match goal with |- _ /\ _ => split | |- _ <-> _ => split | |- _ -> _ => intro end;
    try exact C; try exact P; try reflexivity; try lia; left; reflexivity.
Qed.
