(* The certificate: the ACSL predicates of specs/plan.acsl and specs/certify.acsl over the reals, name by name, and
   the proof that a plan which satisfies them satisfies the hypotheses of Theorem M (or C) with a delta no larger than
   claimed. Integers are Z, reals are R, tables are lists. *)
From Coq Require Import Reals Lra Lia Psatz ZArith List Bool.
From Fumata Require Import Power Divergence Uniform Meter TheoremM Coins Randomized Classic Noise.
Import ListNotations.
Local Open Scope R_scope.

Record fumata_meter_plan := {
  plan_silence : list Z;
  plan_limit : Z
}.

Record fumata_classic_plan := {
  plan_threshold : fumata_noise;
  plan_query : fumata_noise;
  plan_width : Z;
  classic_limit : Z
}.

Record fumata_claim := {
  epsilon_num : Z; epsilon_den : Z;
  delta_num : Z; delta_den : Z;
  claim_alpha : Z;
  claim_v : Z
}.

Definition plan_size (plan : fumata_meter_plan) : Z := Z.of_nat (length (plan_silence plan)).

(* plan->silence[i] *)
Definition silence_entry (plan : fumata_meter_plan) (i : Z) : Z := nth (Z.to_nat i) (plan_silence plan) 0%Z.

(* specs/round.acsl: powers with integer exponents, 1 up to exponent 0; words as a probability; 32 binary places. *)
Definition FumataPow (x : R) (n : Z) : R := x ^ Z.to_nat n.
Definition FumataShare (coins : Z) : R := IZR coins / 18446744073709551616.
Definition FumataFixed (n : Z) : R := IZR n / 4294967296.

(* specs/plan.acsl. That an entry is below 2^64 is its C type. *)
Definition FumataSilenceTable (plan : fumata_meter_plan) : Prop :=
  (forall i, (0 <= i < plan_size plan)%Z -> (1 <= silence_entry plan i < 18446744073709551616)%Z) /\
  (forall i, (0 < i < plan_size plan)%Z -> (silence_entry plan i <= silence_entry plan (i - 1))%Z).

Definition FumataMeterPlanOk (plan : fumata_meter_plan) : Prop :=
  (1 <= plan_size plan <= 262144)%Z /\ (1 <= plan_limit plan <= 1000000)%Z /\ FumataSilenceTable plan.

Definition FumataClassicPlanOk (plan : fumata_classic_plan) : Prop :=
  FumataNoiseOk (plan_threshold plan) /\ FumataNoiseOk (plan_query plan) /\
  (-1099511627776 <= plan_width plan <= 1099511627776)%Z /\
  (1 <= classic_limit plan <= 1000000)%Z.

Definition FumataClaimOk (claim : fumata_claim) : Prop :=
  (1 <= epsilon_num claim)%Z /\ (1 <= epsilon_den claim)%Z /\
  (1 <= delta_num claim < delta_den claim)%Z /\
  (2 <= claim_alpha claim <= 4096)%Z.

Definition FumataMeterClaimOk (claim : fumata_claim) : Prop := FumataClaimOk claim /\ (4294967296 <= claim_v claim)%Z.

Definition FumataSilence (plan : fumata_meter_plan) (i : Z) : R := FumataShare (silence_entry plan (i - 1)).
Definition FumataEpsilon (claim : fumata_claim) : R := IZR (epsilon_num claim) / IZR (epsilon_den claim).
Definition FumataDelta (claim : fumata_claim) : R := IZR (delta_num claim) / IZR (delta_den claim).
Definition FumataPrice (claim : fumata_claim) : R := FumataFixed (claim_v claim).

(* specs/certify.acsl. *)
Definition FumataStep (p r : R) (alpha : Z) (price : R) : Prop :=
  p * FumataPow (p / r) (alpha - 1) + (1 - r) * FumataPow ((1 - p) / (1 - r)) alpha * price <= price.

Definition FumataFirst (p : R) (alpha : Z) (price : R) : Prop := FumataPow (1 / p) (alpha - 1) <= price.

Definition FumataPeak (alpha : Z) : R := 1 / IZR alpha * FumataPow (1 - 1 / IZR alpha) (alpha - 1).

Definition FumataExpBelow (y : R) : R := FumataPow (1 + y + y * y / 2) 65536.

Definition FumataTotal (alpha : Z) (growth : R) (limit : Z) (epsilon rest : R) : Prop :=
  0 < rest /\
  FumataPeak alpha * FumataPow growth limit <= rest * FumataExpBelow ((IZR alpha - 1) * epsilon / 65536).

Definition FumataMeterIsPrivate (plan : fumata_meter_plan) (claim : fumata_claim) : Prop :=
  (forall i, (1 <= i < plan_size plan)%Z ->
     FumataStep (FumataSilence plan i) (FumataSilence plan (i + 1)) (claim_alpha claim) (FumataPrice claim) /\
     FumataStep (FumataSilence plan (i + 1)) (FumataSilence plan i) (claim_alpha claim) (FumataPrice claim)) /\
  FumataFirst (FumataSilence plan 1) (claim_alpha claim) (FumataPrice claim) /\
  FumataTotal (claim_alpha claim) (FumataPrice claim) (plan_limit plan) (FumataEpsilon claim)
    (FumataDelta claim - IZR (plan_limit plan) * (1 - FumataSilence plan 1)).

Definition FumataThresholdRatio (noise : fumata_noise) (x : R) : Prop :=
  forall j, (1 <= j <= noise_size noise)%Z ->
  IZR (FumataNoiseCoins noise j) <= x * IZR (FumataNoiseCoins noise (j - 1)).

Definition FumataQueryRatio (noise : fumata_noise) (x : R) : Prop :=
  forall j, IZR (FumataNoiseReach noise j) <= x * IZR (FumataNoiseReach noise (j - 2)).

Fixpoint FumataMiss (plan : fumata_classic_plan) (n : nat) : Z :=
  match n with
  | O => 0
  | S m =>
      FumataMiss plan m +
      FumataNoiseCoins (plan_threshold plan) (Z.of_nat m) *
      (18446744073709551616 -
       FumataNoiseReach (plan_query plan)
         (plan_width plan + noise_first (plan_threshold plan) + Z.of_nat m - noise_first (plan_query plan)))
  end.

Definition FumataClassicLoss (plan : fumata_classic_plan) : R :=
  FumataShare (FumataNoiseHigh (plan_threshold plan) 0) +
  IZR (FumataMiss plan (Z.to_nat (noise_size (plan_threshold plan) + 1))) / 340282366920938463463374607431768211456.

Definition FumataResponse (x : R) (alpha : Z) : R := (FumataPow x alpha + FumataPow (1 / x) (alpha - 1)) / (1 + x).

Definition FumataClassicIsPrivate (plan : fumata_classic_plan) (claim : fumata_claim) : Prop :=
  exists x1 x2 x : R,
    1 <= x1 /\ 1 <= x2 /\ x1 * x2 <= x /\
    FumataThresholdRatio (plan_threshold plan) x1 /\
    FumataQueryRatio (plan_query plan) x2 /\
    FumataTotal (claim_alpha claim) (FumataResponse x (claim_alpha claim)) (classic_limit plan) (FumataEpsilon claim)
      (FumataDelta claim - IZR (classic_limit plan) * FumataClassicLoss plan).

(* All that fumata_certify_meter and fumata_certify_classic promise when they accept. *)
Definition certified (plan : fumata_meter_plan) (claim : fumata_claim) : Prop :=
  FumataMeterPlanOk plan /\ FumataMeterClaimOk claim /\ FumataMeterIsPrivate plan claim.

Definition certified_classic (plan : fumata_classic_plan) (claim : fumata_claim) : Prop :=
  FumataClassicPlanOk plan /\ FumataClaimOk claim /\ FumataClassicIsPrivate plan claim.

(* The recursion by which ACSL defines the power. *)
Lemma FumataPow_acsl : forall x n, FumataPow x n = if (n <=? 0)%Z then 1 else x * FumataPow x (n - 1).
Proof.
  intros x n. unfold FumataPow. destruct (n <=? 0)%Z eqn:E.
  - apply Z.leb_le in E. replace (Z.to_nat n) with 0%nat by lia. reflexivity.
  - apply Z.leb_gt in E. replace (Z.to_nat n) with (S (Z.to_nat (n - 1))) by lia. reflexivity.
Qed.

(* The certificate says e^(-(alpha-1) epsilon) by a polynomial. *)
Lemma FumataExpBelow_spec : forall y, 0 <= y -> 0 < FumataExpBelow y <= exp (65536 * y).
Proof.
  intros y Hy. unfold FumataExpBelow, FumataPow.
  replace (y * y / 2) with (y ^ 2 / 2) by (simpl; field).
  replace (Z.to_nat 65536) with (2 ^ 16)%nat.
  - split; [apply pow_lt; pose proof (pow2_ge_0 y); lra|].
    replace 65536 with (INR (2 ^ 16)).
    + apply exp_lower. exact Hy.
    + rewrite INR_IZR_INZ. f_equal.
  - apply Nat2Z.inj. vm_compute. reflexivity.
Qed.

Lemma row_is_min : forall table d, FumataMeterRow table d = (Nat.min d (length table) - 1)%nat.
Proof.
  intros table d. unfold FumataMeterRow. destruct (d <? length table)%nat eqn:E;
    [apply Nat.ltb_lt in E|apply Nat.ltb_ge in E]; lia.
Qed.

(* The table that the game uses, by distance, is the table of the plan, by index. *)
Lemma silence_is_FumataSilence : forall plan d, (1 <= d)%nat -> FumataMeterPlanOk plan ->
  silence (plan_silence plan) d = FumataSilence plan (Z.of_nat (Nat.min d (length (plan_silence plan)))).
Proof.
  intros plan d Hd _. unfold silence, silent_words, FumataSilence, FumataShare, silence_entry, entry.
  replace (d =? 0)%nat with false by (symmetry; apply Nat.eqb_neq; lia).
  change words with 18446744073709551616%Z.
  rewrite row_is_min.
  replace (Z.to_nat (Z.of_nat (Nat.min d (length (plan_silence plan))) - 1))
    with (Nat.min d (length (plan_silence plan)) - 1)%nat by lia.
  reflexivity.
Qed.

Lemma plan_in_range : forall plan, FumataMeterPlanOk plan -> in_range (plan_silence plan).
Proof.
  intros plan [Hs [_ [Ht _]]] d Hd. unfold plan_size in *.
  specialize (Ht (Z.of_nat (Nat.min d (length (plan_silence plan)) - 1)) ltac:(lia)).
  unfold silence_entry in Ht. rewrite Nat2Z.id in Ht. unfold entry. rewrite row_is_min.
  change words with 18446744073709551616%Z. lia.
Qed.

Lemma FumataSilence_open : forall plan i, FumataMeterPlanOk plan -> (1 <= i <= plan_size plan)%Z ->
  0 < FumataSilence plan i < 1.
Proof.
  intros plan i [_ [_ [Ht _]]] Hi. specialize (Ht (i - 1)%Z ltac:(lia)). unfold FumataSilence, FumataShare.
  destruct Ht as [H1 H2]. apply IZR_le in H1. apply IZR_lt in H2. lra.
Qed.

Lemma step_is_moment : forall p r alpha V, (2 <= alpha)%Z -> 0 < p < 1 -> 0 < r < 1 -> FumataStep p r alpha V ->
  moment (Z.to_nat alpha - 1) p r + moment (Z.to_nat alpha - 1) (1 - p) (1 - r) * V <= V.
Proof.
  intros p r alpha V Ha Hp Hr H. unfold FumataStep, FumataPow in H. unfold moment.
  replace (Z.to_nat alpha) with (S (Z.to_nat alpha - 1)) in H by lia.
  replace (Z.to_nat (alpha - 1)) with (Z.to_nat alpha - 1)%nat in H by lia.
  simpl pow in H.
  replace ((1 - r) * ((1 - p) / (1 - r) * ((1 - p) / (1 - r)) ^ (Z.to_nat alpha - 1)))
    with ((1 - p) * ((1 - p) / (1 - r)) ^ (Z.to_nat alpha - 1)) in H by (field; lra).
  exact H.
Qed.

(* What is certified satisfies the hypotheses of Theorem M. *)
Theorem certified_priced : forall plan claim, certified plan claim ->
  priced (silence (plan_silence plan)) (Z.to_nat (claim_alpha claim)) (FumataPrice claim).
Proof.
  intros plan claim [Hp [[[He [He' [Hd Ha]]] Hv] [Hstep [Hfirst _]]]].
  assert (HV : 1 <= FumataPrice claim) by (unfold FumataPrice, FumataFixed; apply IZR_le in Hv; lra).
  assert (Hsize : (1 <= length (plan_silence plan))%nat) by (destruct Hp as [Hs _]; unfold plan_size in Hs; lia).
  assert (Hopen : forall d, (1 <= d)%nat -> 0 < silence (plan_silence plan) d < 1).
  { intros d H1. rewrite silence_is_FumataSilence by assumption.
    apply FumataSilence_open; [exact Hp|]. unfold plan_size. lia. }
  assert (Ha2 : (2 <= claim_alpha claim)%Z) by lia.
  constructor.
  - lia.
  - exact HV.
  - unfold silence, silent_words. simpl (0 =? 0)%nat. cbv iota. change words with 18446744073709551616%Z. lra.
  - exact Hopen.
  - intros i j Hi Hj Hadj.
    set (size := length (plan_silence plan)) in *.
    destruct (Nat.eq_dec (Nat.min i size) (Nat.min j size)) as [E|E].
    + assert (Es : silence (plan_silence plan) i = silence (plan_silence plan) j).
      { rewrite !silence_is_FumataSilence by assumption. fold size. rewrite E. reflexivity. }
      rewrite Es. specialize (Hopen j Hj). rewrite !moment_same by lra. nra.
    + apply step_is_moment; [exact Ha2|apply Hopen; exact Hi|apply Hopen; exact Hj|].
      rewrite !silence_is_FumataSilence by assumption. fold size.
      destruct Hadj as [Ej|Ei]; [rewrite Ej in *|rewrite Ei in *].
      * destruct (Hstep (Z.of_nat i) ltac:(unfold plan_size; fold size; lia)) as [G _].
        replace (Z.of_nat (Nat.min i size)) with (Z.of_nat i) by lia.
        replace (Z.of_nat (Nat.min (S i) size)) with (Z.of_nat i + 1)%Z by lia. exact G.
      * destruct (Hstep (Z.of_nat j) ltac:(unfold plan_size; fold size; lia)) as [_ G].
        replace (Z.of_nat (Nat.min j size)) with (Z.of_nat j) by lia.
        replace (Z.of_nat (Nat.min (S j) size)) with (Z.of_nat j + 1)%Z by lia. exact G.
  - rewrite silence_is_FumataSilence by (try assumption; lia).
    replace (Z.of_nat (Nat.min 1 (length (plan_silence plan)))) with 1%Z by lia.
    unfold moment. rewrite Rmult_1_l. unfold FumataFirst, FumataPow in Hfirst.
    replace (Z.to_nat (claim_alpha claim) - 1)%nat with (Z.to_nat (claim_alpha claim - 1)) by lia. exact Hfirst.
Qed.

(* What FumataTotal says about the moment. *)
Lemma total_spec : forall alpha growth limit claim rest, (2 <= alpha)%Z -> FumataClaimOk claim ->
  FumataTotal alpha growth limit (FumataEpsilon claim) rest ->
  c_of (Z.to_nat alpha) * growth ^ Z.to_nat limit * exp (- INR (Z.to_nat alpha - 1) * FumataEpsilon claim) <= rest.
Proof.
  intros alpha growth limit claim rest Ha [He [He' _]] [Hrest Htotal].
  assert (Heps : 0 < FumataEpsilon claim).
  { unfold FumataEpsilon. apply Rmult_lt_0_compat; [apply IZR_lt; lia|]. apply Rinv_0_lt_compat. apply IZR_lt. lia. }
  assert (Halpha : IZR alpha - 1 = INR (Z.to_nat alpha - 1)).
  { rewrite minus_INR by lia. rewrite (INR_IZR_INZ (Z.to_nat alpha)), Z2Nat.id by lia. simpl. reflexivity. }
  assert (Hpeak : FumataPeak alpha = c_of (Z.to_nat alpha)).
  { unfold FumataPeak, c_of, FumataPow. rewrite (INR_IZR_INZ (Z.to_nat alpha)), Z2Nat.id by lia.
    replace (Z.to_nat (alpha - 1)) with (Z.to_nat alpha - 1)%nat by lia. unfold Rdiv. rewrite !Rmult_1_l. reflexivity. }
  rewrite Hpeak in Htotal. unfold FumataPow in Htotal.
  set (y := (IZR alpha - 1) * FumataEpsilon claim / 65536) in *.
  assert (Hy : 0 <= y).
  { unfold y. assert (1 <= IZR alpha) by (apply IZR_le; lia).
    apply Rmult_le_pos; [apply Rmult_le_pos; lra|lra]. }
  pose proof (FumataExpBelow_spec y Hy) as [_ Hexp].
  replace (65536 * y) with (INR (Z.to_nat alpha - 1) * FumataEpsilon claim) in Hexp by (unfold y; rewrite Halpha;
    field).
  set (x := INR (Z.to_nat alpha - 1) * FumataEpsilon claim) in *.
  replace (- INR (Z.to_nat alpha - 1) * FumataEpsilon claim) with (- x) by (unfold x; ring).
  rewrite exp_Ropp. pose proof (exp_pos x) as Hx.
  set (price := c_of (Z.to_nat alpha) * growth ^ Z.to_nat limit) in *.
  assert (L : price <= rest * exp x).
  { eapply Rle_trans; [exact Htotal|]. apply Rmult_le_compat_l; lra. }
  apply (Rmult_le_compat_r (/ exp x)) in L; [|left; apply Rinv_0_lt_compat; exact Hx].
  rewrite Rmult_assoc, Rinv_r, Rmult_1_r in L by lra. exact L.
Qed.

(* ... and the delta of Theorem M is at most the claimed one. *)
Theorem certified_delta : forall plan claim, certified plan claim ->
  delta_M (Z.to_nat (claim_alpha claim)) (FumataPrice claim) (Z.to_nat (plan_limit plan))
    (silence (plan_silence plan) 1) (FumataEpsilon claim) <= FumataDelta claim.
Proof.
  intros plan claim [Hp [[Hclaim _] [_ [_ Htotal]]]].
  pose proof Hclaim as [_ [_ [_ Ha]]].
  apply total_spec in Htotal; [|lia|exact Hclaim].
  destruct Hp as [Hs [Hl Ht]] eqn:Ep. unfold plan_size in Hs.
  unfold delta_M. rewrite silence_is_FumataSilence by (try exact Hp; lia).
  replace (Z.of_nat (Nat.min 1 (length (plan_silence plan)))) with 1%Z by lia.
  rewrite (INR_IZR_INZ (Z.to_nat (plan_limit plan))), Z2Nat.id by lia. lra.
Qed.

(* The noise of a classic plan, as Theorem C sees it. *)
Definition noises_of (plan : fumata_classic_plan) : noises :=
  {| threshold := fun j => if (j <=? length (noise_cdf (plan_threshold plan)))%nat
                           then FumataShare (FumataNoiseCoins (plan_threshold plan) (Z.of_nat j)) else 0;
     top := length (noise_cdf (plan_threshold plan));
     reach := fun t => FumataShare (FumataNoiseReach (plan_query plan) (t - noise_first (plan_query plan)));
     offset := plan_width plan + noise_first (plan_threshold plan) |}.

Lemma reach_bounds : forall noise j, FumataNoiseOk noise -> (0 <= FumataNoiseReach noise j <= 18446744073709551616)%Z.
Proof.
  intros noise j Hok. pose proof Hok as [Hs _]. unfold FumataNoiseReach.
  destruct (Z.leb_spec j 0); [|destruct (Z.leb_spec (noise_size noise) j); [lia|]].
  - pose proof (noise_order noise 0 Hok ltac:(lia)). lia.
  - pose proof (noise_order noise j Hok ltac:(lia)). lia.
Qed.

Lemma reach_mono : forall noise i j, FumataNoiseOk noise -> (i <= j)%Z ->
  (FumataNoiseReach noise i <= FumataNoiseReach noise j)%Z.
Proof.
  intros noise i j Hok Hij. pose proof Hok as [Hs [_ [Hr Hn]]].
  pose proof (reach_bounds noise i Hok) as Bi. unfold FumataNoiseReach in *.
  destruct (Z.leb_spec j 0).
  - destruct (Z.leb_spec i 0); lia.
  - destruct (Z.leb_spec (noise_size noise) j); [destruct (Z.leb_spec i 0); lia|].
    unfold FumataNoiseHigh in *.
    destruct (Z.eqb_spec 0 (noise_size noise)); [lia|]. destruct (Z.eqb_spec j (noise_size noise)); [lia|].
    destruct (Z.leb_spec i 0).
    + apply Hn. lia.
    + destruct (Z.leb_spec (noise_size noise) i); [lia|].
      destruct (Z.eqb_spec i (noise_size noise)); [lia|]. apply Hn. lia.
Qed.

(* The words of all outcomes are all words. *)
Lemma coins_total : forall noise, FumataNoiseOk noise ->
  sum (fun j => IZR (FumataNoiseCoins noise (Z.of_nat j))) (seq 0 (S (length (noise_cdf noise)))) =
    18446744073709551616.
Proof.
  intros noise Hok. pose proof Hok as [Hs _]. unfold noise_size in Hs.
  assert (G : forall m, (m <= length (noise_cdf noise))%nat ->
    sum (fun j => IZR (FumataNoiseCoins noise (Z.of_nat j))) (seq 0 m) = IZR (FumataNoiseLow noise (Z.of_nat m))).
  { induction m as [|m IH]; intros Hm; [reflexivity|].
    rewrite seq_S, sum_app, IH by lia. simpl sum. unfold FumataNoiseCoins. rewrite minus_IZR.
    assert (E : FumataNoiseLow noise (Z.of_nat (S m)) = FumataNoiseHigh noise (Z.of_nat m)).
    { unfold FumataNoiseLow, FumataNoiseHigh, noise_size. destruct (Z.eqb_spec (Z.of_nat (S m)) 0); [lia|].
      destruct (Z.eqb_spec (Z.of_nat m) (Z.of_nat (length (noise_cdf noise)))); [lia|].
      f_equal. lia. }
    rewrite E. ring. }
  rewrite seq_S, sum_app, G by lia. simpl sum. unfold FumataNoiseCoins. rewrite minus_IZR.
  unfold FumataNoiseHigh, noise_size. rewrite Z.eqb_refl. ring.
Qed.

Theorem certified_tame : forall plan x1 x2, FumataClassicPlanOk plan -> 1 <= x1 -> 1 <= x2 ->
  FumataThresholdRatio (plan_threshold plan) x1 -> FumataQueryRatio (plan_query plan) x2 ->
  tame (noises_of plan) x1 x2.
Proof.
  intros plan x1 x2 [Ht [Hq [Hw Hl]]] H1 H2 R1 R2. constructor; try assumption.
  - intros j. unfold noises_of, FumataShare. cbn [threshold]. destruct (Nat.leb_spec j (length (noise_cdf
    (plan_threshold plan)))); [|lra].
    pose proof (noise_order (plan_threshold plan) (Z.of_nat j) Ht ltac:(unfold noise_size; lia)) as O.
    assert (0 <= IZR (FumataNoiseCoins (plan_threshold plan) (Z.of_nat j))) by (apply IZR_le; unfold FumataNoiseCoins;
      lia).
    lra.
  - unfold total. change (top (noises_of plan)) with (length (noise_cdf (plan_threshold plan))).
    rewrite (sum_ext _ _ (fun j => / 18446744073709551616 * IZR (FumataNoiseCoins (plan_threshold plan) (Z.of_nat j)))).
    + rewrite sum_scale, coins_total by exact Ht. lra.
    + intros j Hj. apply in_seq in Hj. unfold noises_of, FumataShare. cbn [threshold].
      destruct (Nat.leb_spec j (length (noise_cdf (plan_threshold plan)))); [lra|lia].
  - intros j Hj. unfold noises_of, FumataShare in *. cbn [threshold top] in *.
    specialize (R1 (Z.of_nat (S j)) ltac:(unfold noise_size; lia)).
    replace (Z.of_nat (S j) - 1)%Z with (Z.of_nat j) in R1 by lia.
    destruct (Nat.leb_spec (S j) (length (noise_cdf (plan_threshold plan)))); [|lia].
    destruct (Nat.leb_spec j (length (noise_cdf (plan_threshold plan)))); [|lia]. lra.
  - intros t. unfold noises_of, FumataShare. cbn [reach]. pose proof (reach_bounds (plan_query plan) (t - noise_first
    (plan_query plan)) Hq) as [B1 B2].
    apply IZR_le in B1. apply IZR_le in B2. lra.
  - intros t u Htu. unfold noises_of, FumataShare. cbn [reach].
    pose proof (reach_mono (plan_query plan) (t - noise_first (plan_query plan)) (u - noise_first (plan_query plan)) Hq
      ltac:(lia)) as B. apply IZR_le in B. lra.
  - intros t. unfold noises_of, FumataShare. cbn [reach]. specialize (R2 (t - noise_first (plan_query plan))%Z).
    replace (t - 2 - noise_first (plan_query plan))%Z with (t - noise_first (plan_query plan) - 2)%Z by lia. lra.
Qed.

Lemma certified_loss : forall plan, FumataClassicPlanOk plan ->
  threshold (noises_of plan) O + miss (noises_of plan) = FumataClassicLoss plan.
Proof.
  intros plan [Ht [Hq _]]. unfold FumataClassicLoss, FumataShare. pose proof Ht as [Hs _]. unfold noise_size in *.
  f_equal.
  - simpl. unfold FumataNoiseCoins, FumataNoiseLow. simpl. rewrite Z.sub_0_r. reflexivity.
  - unfold miss, total. change (top (noises_of plan)) with (length (noise_cdf (plan_threshold plan))).
    replace (Z.to_nat (Z.of_nat (length (noise_cdf (plan_threshold plan))) + 1))
      with (S (length (noise_cdf (plan_threshold plan)))) by lia.
    assert (G : forall m, (m <= S (length (noise_cdf (plan_threshold plan))))%nat ->
      sum (fun j => threshold (noises_of plan) j * (1 - quiet (noises_of plan) 0 j)) (seq 0 m) =
      IZR (FumataMiss plan m) / 340282366920938463463374607431768211456).
    { induction m as [|m IH]; intros Hm; [simpl; lra|].
      rewrite seq_S, sum_app, IH by lia. simpl sum. cbn [FumataMiss].
      rewrite plus_IZR, mult_IZR, minus_IZR. unfold quiet, noises_of, FumataShare. cbn [threshold reach offset].
      destruct (Nat.leb_spec m (length (noise_cdf (plan_threshold plan)))); [|lia].
      change (0 + m)%nat with m. change (Z.of_nat 0) with 0%Z. rewrite Z.sub_0_r. field. }
    apply G. lia.
Qed.

(* What is certified about a classic plan is what Theorem C asks, with a delta no larger than claimed. *)
Theorem certified_classic_delta : forall plan claim, certified_classic plan claim -> exists x1 x2 x,
  tame (noises_of plan) x1 x2 /\ x1 * x2 <= x /\
  delta_C (Z.to_nat (claim_alpha claim)) x (Z.to_nat (classic_limit plan)) (threshold (noises_of plan) O)
    (miss (noises_of plan)) (FumataEpsilon claim) <= FumataDelta claim.
Proof.
  intros plan claim [Hp [Hclaim [x1 [x2 [x [H1 [H2 [Hx [R1 [R2 Htotal]]]]]]]]]].
  exists x1, x2, x. split; [apply certified_tame; assumption|]. split; [exact Hx|].
  pose proof Hclaim as [_ [_ [_ Ha]]].
  apply total_spec in Htotal; [|lia|exact Hclaim].
  unfold delta_C. rewrite certified_loss by exact Hp.
  destruct Hp as [_ [_ [_ Hl]]].
  rewrite (INR_IZR_INZ (Z.to_nat (classic_limit plan))), Z2Nat.id by lia.
  assert (E : FumataResponse x (claim_alpha claim) = response_moment (Z.to_nat (claim_alpha claim) - 1) x).
  { unfold FumataResponse, response_moment, FumataPow.
    replace (Z.to_nat (claim_alpha claim) - 1 + 1)%nat with (Z.to_nat (claim_alpha claim)) by lia.
    replace (Z.to_nat (claim_alpha claim - 1)) with (Z.to_nat (claim_alpha claim) - 1)%nat by lia.
    unfold Rdiv. rewrite Rmult_1_l. reflexivity. }
  rewrite E in Htotal. lra.
Qed.
