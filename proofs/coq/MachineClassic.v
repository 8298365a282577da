(* The contracts of core/classic.h say of every call what the functions of Machine.v compute. *)
From Coq Require Import Bool Lia List ZArith.
From Fumata Require Import SpecMachine Machine.
Import ListNotations.
Local Open Scope Z_scope.
Local Opaque FumataClassicIsCertified FumataClaimOk FumataLimitOk.

(* The draw is the one that its contract describes. *)
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
  - intros [<- [_ [H2 H3]]]. cases.
    + destruct (H2 ltac:(lia)) as [E [_ [_ ->]]]. inversion E; subst. decided.
    + destruct (H2 ltac:(lia)) as [E [_ [_ ->]]]. inversion E; subst. decided.
    + destruct (H3 ltac:(lia)) as [T [[-> ->] ->]]. apply D in T. repeat f_equal. lia.
  - cases; intros E; inversion E; subst; all_hold; try (apply D; lia); try decided.
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
  - intros [<- [<- [_ [H2 [H3 H4]]]]]. destruct (Z.leb_spec FUMATA_CLASSES_MAX (verdict_winner v)).
    { destruct (H2 ltac:(lia)) as [E [-> [_ [_ ->]]]]. congruence. }
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

Lemma classic_started : forall c plan left,
  FumataClassicInvariant c -> FumataClassicRuns c plan /\ classic_left c = left /\ classic_reserved c = 0 <->
  c = classic_start plan left.
Proof.
  intros c plan left Inv. pose proof (classic_idle c Inv) as Idle. destruct c as [p t l s].
  cbn [classic_plan classic_threshold classic_left classic_reserved] in *. split.
  - intros [Runs [<- ->]]. rewrite (Idle eq_refl). unfold classic_start. f_equal.
    destruct p as [[a b] [d e] w m], plan as [[a' b'] [d' e'] w' m'].
    destruct Runs as [[H1 [_ H2]] [[H3 [_ H4]] [H5 H6]]]. cbn in *. congruence.
  - intros E. inversion E. subst. unfold FumataClassicRuns, FumataNoiseSame. cbn. tauto.
Qed.

Transparent FumataClassicIsCertified.
Lemma certified_classic_ok : forall plan claim, FumataClassicIsCertified plan claim ->
  FumataClaimOk claim /\ FumataClassicPlanOk plan /\ FumataLimitOk (classic_plan_limit plan).
Proof. intros plan claim [H1 [H2 _]]. split; [exact H1|]. split; [exact H2|]. apply H2. Qed.
Opaque FumataClassicIsCertified.

Section Start.
  Variable plan : fumata_classic_plan.
  Variable claim : fumata_claim.
  Variables plan_ok certified : bool.
  Hypothesis Hp : plan_ok = true <-> FumataClassicPlanOk plan.
  Hypothesis Hc : certified = true <-> FumataClassicIsCertified plan claim.

  Lemma classic_status_is : forall r,
    FumataClassicStatus plan claim r <-> r = classic_status plan claim plan_ok certified.
  Proof. intros r. apply start_status_is; [apply FumataClaimOk_true|apply FumataLimitOk_true|exact Hp|exact Hc]. Qed.

  Lemma classic_status_ok :
    classic_status plan claim plan_ok certified = FUMATA_OK <-> FumataClassicIsCertified plan claim.
  Proof.
    unfold classic_status. rewrite start_status_ok, FumataClaimOk_true, FumataLimitOk_true, Hp, Hc.
    pose proof (certified_classic_ok plan claim). tauto.
  Qed.

  Lemma classic_start_holds : forall left, FumataClassicIsCertified plan claim -> left <= classic_plan_limit plan ->
    FumataClassicInvariant (classic_start plan left).
  Proof.
    intros left H L. split; [apply (certified_classic_ok plan claim H)|].
    unfold FumataClassicIsPaid, FumataClassicStretch. cbn. lia.
  Qed.

  Theorem classic_resume_contract : forall c c' left r,
    fumata_classic_resume_ensures c c' plan claim left r <->
    (c', r) = classic_starts c plan claim plan_ok certified left.
  Proof.
    intros c c' left r. apply (resume_is _ _ _ _ _ (fun x => FumataClassicStarts x plan left)); [apply Z.ltb_ge|].
    intros L. apply (start_is _ _ _ _ (fun x => FumataClassicStarts x plan left));
      [apply classic_status_is|apply classic_status_ok|intros [I G]; apply (classic_started c' plan left I), G|].
    intros C. pose proof (classic_start_holds left C L) as I. split; [exact I|].
    apply (classic_started _ plan left I). reflexivity.
  Qed.

  Theorem classic_init_contract : forall c c' r,
    fumata_classic_init_ensures c c' plan claim r <->
    (c', r) = classic_starts c plan claim plan_ok certified (classic_plan_limit plan).
  Proof.
    intros c c' r. rewrite <- classic_resume_contract. unfold fumata_classic_init_ensures, fumata_classic_resume_ensures.
    rewrite Z.ltb_irrefl. pose proof (Z.le_refl (classic_plan_limit plan)). tauto.
  Qed.
End Start.
