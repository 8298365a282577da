(* The certificate: the ACSL predicates of specs/round.acsl, specs/plan.acsl and specs/certify.acsl that say what is
   certified, name by name and in their order (those of specs/noise.acsl are in Noise.v; the script `transcription`
   compares them), and the proof that a plan which satisfies them satisfies the hypotheses of Theorem M (or C) with a
   delta no larger than claimed.

   ACSL's integer is Z and its real is R; IZR stands where ACSL converts silently. A field plan->silence is
   plan_silence plan, and so on. A table is a list: table[i] is table.[i], and the size that goes with it is its length.
   A logic function that ACSL defines by recursion is defined here over nat; the lemma with _acsl in its name is the
   equation in the ACSL file. *)
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

(* specs/round.acsl *)
Definition FumataPow (x : R) (n : Z) : R := x ^ Z.to_nat n.

Lemma FumataPow_acsl : forall x n,
  FumataPow x n = if (n <=? 0)%Z then 1 else x * FumataPow x (n - 1).
Proof.
  intros x n. unfold FumataPow. destruct (n <=? 0)%Z eqn:E.
  - apply Z.leb_le in E. replace (Z.to_nat n) with 0%nat by lia. reflexivity.
  - apply Z.leb_gt in E. replace (Z.to_nat n) with (S (Z.to_nat (n - 1))) by lia. reflexivity.
Qed.

Definition FumataShare (coins : Z) : R := IZR coins / 18446744073709551616.
Definition FumataFixed (n : Z) : R := IZR n / 4294967296.

(* core/plan.h *)
Notation FUMATA_SILENCES_MAX := 1000000%Z (only parsing).
Notation FUMATA_TABLE_MAX := 262144%Z (only parsing).
Notation FUMATA_ALPHA_MAX := 4096%Z (only parsing).

(* specs/plan.acsl *)
Definition FumataSilenceTable (silence : list Z) (size : Z) : Prop :=
  (forall i, (0 <= i < size)%Z -> (1 <= silence.[i])%Z) /\
  (forall i, (0 < i < size)%Z -> (silence.[i] <= silence.[i - 1])%Z).

Definition FumataMeterPlanOk (plan : fumata_meter_plan) : Prop :=
  (1 <= plan_size plan <= FUMATA_TABLE_MAX)%Z /\
  valid_read (plan_silence plan) (plan_size plan) /\
  (1 <= plan_limit plan <= FUMATA_SILENCES_MAX)%Z /\
  FumataSilenceTable (plan_silence plan) (plan_size plan).

Definition FumataClassicPlanOk (plan : fumata_classic_plan) : Prop :=
  FumataNoiseOk (plan_threshold plan) /\ FumataNoiseOk (plan_query plan) /\
  (- FUMATA_NOISE_RANGE <= plan_width plan <= FUMATA_NOISE_RANGE)%Z /\
  (1 <= classic_limit plan <= FUMATA_SILENCES_MAX)%Z.

Definition FumataClaimOk (claim : fumata_claim) : Prop :=
  (1 <= epsilon_num claim)%Z /\ (1 <= epsilon_den claim)%Z /\
  (1 <= delta_num claim < delta_den claim)%Z /\
  (2 <= claim_alpha claim <= FUMATA_ALPHA_MAX)%Z.

Definition FumataMeterClaimOk (claim : fumata_claim) : Prop :=
  FumataClaimOk claim /\ (4294967296 <= claim_v claim)%Z.

Definition FumataEpsilon (claim : fumata_claim) : R := IZR (epsilon_num claim) / IZR (epsilon_den claim).
Definition FumataDelta (claim : fumata_claim) : R := IZR (delta_num claim) / IZR (delta_den claim).
Definition FumataPrice (claim : fumata_claim) : R := FumataFixed (claim_v claim).

(* specs/certify.acsl *)
Definition FumataStep (p r : R) (alpha : Z) (price : R) : Prop :=
  p * FumataPow (p / r) (alpha - 1) + (1 - r) * FumataPow ((1 - p) / (1 - r)) alpha * price <= price.

Definition FumataFirst (p : R) (alpha : Z) (price : R) : Prop :=
  FumataPow (1 / p) (alpha - 1) <= price.

Definition FumataPeak (alpha : Z) : R :=
  (1 / IZR alpha) * FumataPow (1 - 1 / IZR alpha) (alpha - 1).

Definition FumataExpBelow (y : R) : R :=
  FumataPow (1 + y + y * y / 2) 65536.

Definition FumataRest (delta : R) (limit : Z) (loss : R) : R := delta - IZR limit * loss.

Definition FumataTotal (alpha : Z) (growth : R) (limit : Z) (epsilon rest : R) : Prop :=
  0 < rest /\
  FumataPeak alpha * FumataPow growth limit <= rest * FumataExpBelow (IZR (alpha - 1) * epsilon / 65536).

Definition FumataSteps (silence : list Z) (size alpha : Z) (price : R) : Prop :=
  forall i, (1 <= i < size)%Z ->
    FumataStep (FumataShare silence.[i - 1]) (FumataShare silence.[i]) alpha price /\
    FumataStep (FumataShare silence.[i]) (FumataShare silence.[i - 1]) alpha price.

Definition FumataMeterIsPrivate (plan : fumata_meter_plan) (claim : fumata_claim) : Prop :=
  FumataSteps (plan_silence plan) (plan_size plan) (claim_alpha claim) (FumataPrice claim) /\
  FumataFirst (FumataShare (plan_silence plan).[0]) (claim_alpha claim) (FumataPrice claim) /\
  FumataTotal (claim_alpha claim) (FumataPrice claim) (plan_limit plan) (FumataEpsilon claim)
              (FumataRest (FumataDelta claim) (plan_limit plan) (1 - FumataShare (plan_silence plan).[0])).

Definition FumataCoins (cdf : list Z) (size j : Z) : Z :=
  (if j <=? 0 then cdf.[0] else if j <? size then cdf.[j] - cdf.[j - 1] else 18446744073709551616 - cdf.[size - 1])%Z.

Definition FumataReach (cdf : list Z) (size j : Z) : Z :=
  (if j <=? 0 then cdf.[0] else if j <? size then cdf.[j] else 18446744073709551616)%Z.

Definition FumataThresholdRatio (cdf : list Z) (size : Z) (x : R) : Prop :=
  forall j, (1 <= j <= size)%Z ->
    FumataShare (FumataCoins cdf size j) <= x * FumataShare (FumataCoins cdf size (j - 1)).

Definition FumataQueryRatio (cdf : list Z) (size : Z) (x : R) : Prop :=
  forall j, (1 <= j <= size + 1)%Z ->
    FumataShare (FumataReach cdf size j) <= x * FumataShare (FumataReach cdf size (j - 2)).

Fixpoint miss_below (a : list Z) (size_a : Z) (b : list Z) (size_b shift : Z) (n : nat) : R :=
  match n with
  | O => 0
  | S m =>
      miss_below a size_a b size_b shift m +
      FumataShare (FumataCoins a size_a (Z.of_nat m)) *
      FumataShare (18446744073709551616 - FumataReach b size_b (shift + Z.of_nat m))
  end.

Definition FumataMiss (a : list Z) (size_a : Z) (b : list Z) (size_b shift n : Z) : R :=
  miss_below a size_a b size_b shift (Z.to_nat n).

Lemma FumataMiss_acsl : forall a size_a b size_b shift n,
  FumataMiss a size_a b size_b shift n =
    if (n <=? 0)%Z then 0 else
    FumataMiss a size_a b size_b shift (n - 1) +
    FumataShare (FumataCoins a size_a (n - 1)) *
    FumataShare (18446744073709551616 - FumataReach b size_b (shift + (n - 1))).
Proof.
  intros a size_a b size_b shift n. unfold FumataMiss. destruct (Z.leb_spec n 0) as [E|E].
  - replace (Z.to_nat n) with 0%nat by lia. reflexivity.
  - replace (Z.to_nat n) with (S (Z.to_nat (n - 1))) by lia. cbn [miss_below].
    replace (Z.of_nat (Z.to_nat (n - 1))) with (n - 1)%Z by lia. reflexivity.
Qed.

Definition FumataClassicLoss (plan : fumata_classic_plan) : R :=
  FumataShare (noise_cdf (plan_threshold plan)).[0] +
  FumataMiss (noise_cdf (plan_threshold plan)) (noise_size (plan_threshold plan))
             (noise_cdf (plan_query plan)) (noise_size (plan_query plan))
             (plan_width plan + noise_first (plan_threshold plan) - noise_first (plan_query plan))
             (noise_size (plan_threshold plan) + 1).

Definition FumataResponse (x : R) (alpha : Z) : R :=
  (FumataPow x alpha + FumataPow (1 / x) (alpha - 1)) / (1 + x).

Definition FumataClassicRatios (plan : fumata_classic_plan) (x y z : R) : Prop :=
  1 <= x /\ 1 <= y /\ x * y <= z /\
  FumataThresholdRatio (noise_cdf (plan_threshold plan)) (noise_size (plan_threshold plan)) x /\
  FumataQueryRatio (noise_cdf (plan_query plan)) (noise_size (plan_query plan)) y.

Definition FumataClassicKeeps (plan : fumata_classic_plan) (claim : fumata_claim) (x y z : R) : Prop :=
  FumataClassicRatios plan x y z /\
  FumataTotal (claim_alpha claim) (FumataResponse z (claim_alpha claim)) (classic_limit plan) (FumataEpsilon claim)
              (FumataRest (FumataDelta claim) (classic_limit plan) (FumataClassicLoss plan)).

Definition FumataClassicIsPrivate (plan : fumata_classic_plan) (claim : fumata_claim) : Prop :=
  exists x y z : R, FumataClassicKeeps plan claim x y z.

(* All that fumata_certify_meter and fumata_certify_classic promise when they accept. *)
Definition certified (plan : fumata_meter_plan) (claim : fumata_claim) : Prop :=
  FumataMeterPlanOk plan /\ FumataMeterClaimOk claim /\ FumataMeterIsPrivate plan claim.

Definition certified_classic (plan : fumata_classic_plan) (claim : fumata_claim) : Prop :=
  FumataClassicPlanOk plan /\ FumataClaimOk claim /\ FumataClassicIsPrivate plan claim.

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
Lemma silence_is_share : forall plan d, (1 <= d)%nat ->
  silence (plan_silence plan) d =
  FumataShare (plan_silence plan).[Z.of_nat (Nat.min d (length (plan_silence plan))) - 1].
Proof.
  intros plan d Hd. unfold silence, silent_words, FumataShare, at_index, entry.
  replace (d =? 0)%nat with false by (symmetry; apply Nat.eqb_neq; lia).
  change words with 18446744073709551616%Z.
  rewrite row_is_min.
  replace (Z.to_nat (Z.of_nat (Nat.min d (length (plan_silence plan))) - 1))
    with (Nat.min d (length (plan_silence plan)) - 1)%nat by lia.
  reflexivity.
Qed.

Lemma plan_entry : forall plan i, FumataMeterPlanOk plan -> (0 <= i < plan_size plan)%Z ->
  (1 <= (plan_silence plan).[i] < 18446744073709551616)%Z.
Proof.
  intros plan i [_ [Hr [_ [Ht _]]]] Hi. specialize (Hr i Hi). specialize (Ht i Hi). lia.
Qed.

Lemma plan_in_range : forall plan, FumataMeterPlanOk plan -> in_range (plan_silence plan).
Proof.
  intros plan Hp d Hd. pose proof (proj1 Hp) as Hs. unfold plan_size in *.
  pose proof (plan_entry plan (Z.of_nat (Nat.min d (length (plan_silence plan)) - 1)) Hp
    ltac:(unfold plan_size; lia)) as He.
  unfold at_index in He. rewrite Nat2Z.id in He. unfold entry. rewrite row_is_min.
  change words with 18446744073709551616%Z. lia.
Qed.

Lemma share_open : forall plan i, FumataMeterPlanOk plan -> (0 <= i < plan_size plan)%Z ->
  0 < FumataShare (plan_silence plan).[i] < 1.
Proof.
  intros plan i Hp Hi. destruct (plan_entry plan i Hp Hi) as [H1 H2]. unfold FumataShare.
  apply IZR_le in H1. apply IZR_lt in H2. lra.
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
  { intros d H1. rewrite silence_is_share by assumption.
    apply share_open; [exact Hp|]. unfold plan_size. lia. }
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
      { rewrite !silence_is_share by assumption. fold size. rewrite E. reflexivity. }
      rewrite Es. specialize (Hopen j Hj). rewrite !moment_same by lra. nra.
    + apply step_is_moment; [exact Ha2|apply Hopen; exact Hi|apply Hopen; exact Hj|].
      rewrite !silence_is_share by assumption. fold size.
      destruct Hadj as [Ej|Ei]; [rewrite Ej in *|rewrite Ei in *].
      * destruct (Hstep (Z.of_nat i) ltac:(unfold plan_size; fold size; lia)) as [G _].
        replace (Z.of_nat (Nat.min i size) - 1)%Z with (Z.of_nat i - 1)%Z by lia.
        replace (Z.of_nat (Nat.min (S i) size) - 1)%Z with (Z.of_nat i) by lia. exact G.
      * destruct (Hstep (Z.of_nat j) ltac:(unfold plan_size; fold size; lia)) as [_ G].
        replace (Z.of_nat (Nat.min j size) - 1)%Z with (Z.of_nat j - 1)%Z by lia.
        replace (Z.of_nat (Nat.min (S j) size) - 1)%Z with (Z.of_nat j) by lia. exact G.
  - rewrite silence_is_share by lia.
    replace (Z.of_nat (Nat.min 1 (length (plan_silence plan))) - 1)%Z with 0%Z by lia.
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
  rewrite Hpeak, minus_IZR in Htotal. unfold FumataPow in Htotal.
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
  apply total_spec in Htotal; [|lia|exact Hclaim]. unfold FumataRest in Htotal.
  destruct Hp as [Hs [_ [Hl _]]]. unfold plan_size in Hs.
  unfold delta_M. rewrite silence_is_share by lia.
  replace (Z.of_nat (Nat.min 1 (length (plan_silence plan))) - 1)%Z with 0%Z by lia.
  rewrite (INR_IZR_INZ (Z.to_nat (plan_limit plan))), Z2Nat.id by lia. lra.
Qed.

(* The noise of a classic plan, as Theorem C sees it. *)
Definition noises_of (plan : fumata_classic_plan) : noises :=
  {| threshold := fun j => if (j <=? length (noise_cdf (plan_threshold plan)))%nat
                           then FumataShare (noise_coins (plan_threshold plan) (Z.of_nat j)) else 0;
     top := length (noise_cdf (plan_threshold plan));
     reach := fun t => FumataShare (noise_reach (plan_query plan) (t - noise_first (plan_query plan)));
     offset := plan_width plan + noise_first (plan_threshold plan) |}.

Lemma reach_bounds : forall noise j, FumataNoiseOk noise -> (0 <= noise_reach noise j <= 18446744073709551616)%Z.
Proof.
  intros noise j Hok. pose proof Hok as [Hs _]. unfold noise_reach.
  destruct (Z.leb_spec j 0); [|destruct (Z.leb_spec (noise_size noise) j); [lia|]].
  - pose proof (noise_order noise 0 Hok ltac:(lia)). lia.
  - pose proof (noise_order noise j Hok ltac:(lia)). lia.
Qed.

Lemma reach_mono : forall noise i j, FumataNoiseOk noise -> (i <= j)%Z ->
  (noise_reach noise i <= noise_reach noise j)%Z.
Proof.
  intros noise i j Hok Hij. pose proof Hok as [Hs [_ [Hr Hn]]].
  pose proof (reach_bounds noise i Hok) as Bi. unfold noise_reach in *.
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
  sum (fun j => IZR (noise_coins noise (Z.of_nat j))) (seq 0 (S (length (noise_cdf noise)))) =
    18446744073709551616.
Proof.
  intros noise Hok. pose proof Hok as [Hs _]. unfold noise_size in Hs.
  assert (G : forall m, (m <= length (noise_cdf noise))%nat ->
    sum (fun j => IZR (noise_coins noise (Z.of_nat j))) (seq 0 m) = IZR (FumataNoiseLow noise (Z.of_nat m))).
  { induction m as [|m IH]; intros Hm; [reflexivity|].
    rewrite seq_S, sum_app, IH by lia. simpl sum. unfold noise_coins. rewrite minus_IZR.
    assert (E : FumataNoiseLow noise (Z.of_nat (S m)) = FumataNoiseHigh noise (Z.of_nat m)).
    { unfold FumataNoiseLow, FumataNoiseHigh, noise_size. destruct (Z.eqb_spec (Z.of_nat (S m)) 0); [lia|].
      destruct (Z.eqb_spec (Z.of_nat m) (Z.of_nat (length (noise_cdf noise)))); [lia|].
      f_equal. lia. }
    rewrite E. ring. }
  rewrite seq_S, sum_app, G by lia. simpl sum. unfold noise_coins. rewrite minus_IZR.
  unfold FumataNoiseHigh, noise_size. rewrite Z.eqb_refl. ring.
Qed.

(* What the certificate counts is what the draws were counted to be. *)
Lemma FumataCoins_counts : forall noise j, FumataNoiseOk noise -> (0 <= j <= noise_size noise)%Z ->
  FumataCoins (noise_cdf noise) (noise_size noise) j = noise_coins noise j.
Proof.
  intros noise j [Hs _] Hj. unfold FumataCoins, noise_coins, FumataNoiseHigh, FumataNoiseLow.
  destruct (Z.leb_spec j 0); [replace j with 0%Z by lia; destruct (Z.eqb_spec 0 (noise_size noise)); simpl; lia|].
  destruct (Z.eqb_spec j 0); [lia|].
  destruct (Z.ltb_spec j (noise_size noise)); destruct (Z.eqb_spec j (noise_size noise)); try lia.
  replace (noise_size noise) with j by lia. reflexivity.
Qed.

Lemma FumataReach_counts : forall noise j, FumataNoiseOk noise ->
  FumataReach (noise_cdf noise) (noise_size noise) j = noise_reach noise j.
Proof.
  intros noise j [Hs _]. unfold FumataReach, noise_reach, FumataNoiseHigh.
  destruct (Z.leb_spec j 0); [destruct (Z.eqb_spec 0 (noise_size noise)); [lia|reflexivity]|].
  destruct (Z.ltb_spec j (noise_size noise)); destruct (Z.leb_spec (noise_size noise) j); try lia.
  destruct (Z.eqb_spec j (noise_size noise)); [lia|reflexivity].
Qed.

Lemma threshold_ratio : forall noise x, FumataNoiseOk noise ->
  FumataThresholdRatio (noise_cdf noise) (noise_size noise) x ->
  forall j, (1 <= j <= noise_size noise)%Z -> IZR (noise_coins noise j) <= x * IZR (noise_coins noise (j - 1)).
Proof.
  intros noise x Hok H j Hj. specialize (H j Hj). rewrite !FumataCoins_counts in H by (try exact Hok; lia).
  unfold FumataShare in H. lra.
Qed.

(* Outside 1 .. size + 1 the two sides of FumataQueryRatio are the same number. *)
Lemma query_ratio : forall noise x, FumataNoiseOk noise -> 1 <= x ->
  FumataQueryRatio (noise_cdf noise) (noise_size noise) x ->
  forall j, IZR (noise_reach noise j) <= x * IZR (noise_reach noise (j - 2)).
Proof.
  intros noise x Hok Hx H j.
  pose proof (reach_bounds noise (j - 2) Hok) as [B _]. apply IZR_le in B.
  assert (Same : noise_reach noise j = noise_reach noise (j - 2) ->
    IZR (noise_reach noise j) <= x * IZR (noise_reach noise (j - 2))) by (intros ->; nra).
  destruct (Z_le_gt_dec j 0) as [L|L]; [|destruct (Z_le_gt_dec j (noise_size noise + 1)) as [U|U]].
  - apply Same. unfold noise_reach. destruct (Z.leb_spec j 0); [|lia]. destruct (Z.leb_spec (j - 2) 0); [|lia].
    reflexivity.
  - specialize (H j ltac:(lia)). rewrite !FumataReach_counts in H by exact Hok. unfold FumataShare in H. lra.
  - pose proof (proj1 Hok). apply Same. unfold noise_reach.
    destruct (Z.leb_spec j 0); [lia|]. destruct (Z.leb_spec (j - 2) 0); [lia|].
    destruct (Z.leb_spec (noise_size noise) j); [|lia]. destruct (Z.leb_spec (noise_size noise) (j - 2)); [|lia].
    reflexivity.
Qed.

Theorem certified_tame : forall plan x y z, FumataClassicPlanOk plan -> FumataClassicRatios plan x y z ->
  tame (noises_of plan) x y.
Proof.
  intros plan x y z [Ht [Hq [Hw Hl]]] [H1 [H2 [_ [R1 R2]]]].
  pose proof (threshold_ratio _ _ Ht R1) as R1'. pose proof (query_ratio _ _ Hq H2 R2) as R2'.
  clear R1 R2. rename R1' into R1, R2' into R2. constructor; try assumption.
  - intros j. unfold noises_of, FumataShare. cbn [threshold]. destruct (Nat.leb_spec j (length (noise_cdf
    (plan_threshold plan)))); [|lra].
    pose proof (noise_order (plan_threshold plan) (Z.of_nat j) Ht ltac:(unfold noise_size; lia)) as O.
    assert (0 <= IZR (noise_coins (plan_threshold plan) (Z.of_nat j))) by (apply IZR_le; unfold noise_coins;
      lia).
    lra.
  - unfold total. change (top (noises_of plan)) with (length (noise_cdf (plan_threshold plan))).
    rewrite (sum_ext _ _ (fun j => / 18446744073709551616 * IZR (noise_coins (plan_threshold plan) (Z.of_nat j)))).
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
  intros plan [Ht [Hq _]]. unfold FumataClassicLoss, FumataMiss. pose proof Ht as [Hs _].
  set (size := length (noise_cdf (plan_threshold plan))).
  assert (Esize : noise_size (plan_threshold plan) = Z.of_nat size) by reflexivity.
  f_equal.
  - unfold noises_of. cbn [threshold Nat.leb]. rewrite <- FumataCoins_counts by (try exact Ht; simpl; lia). reflexivity.
  - unfold miss, total. change (top (noises_of plan)) with size.
    replace (Z.to_nat (noise_size (plan_threshold plan) + 1)) with (S size) by lia.
    assert (G : forall m, (m <= S size)%nat ->
      sum (fun j => threshold (noises_of plan) j * (1 - quiet (noises_of plan) 0 j)) (seq 0 m) =
      miss_below (noise_cdf (plan_threshold plan)) (noise_size (plan_threshold plan))
        (noise_cdf (plan_query plan)) (noise_size (plan_query plan))
        (plan_width plan + noise_first (plan_threshold plan) - noise_first (plan_query plan)) m).
    { induction m as [|m IH]; intros Hm; [reflexivity|].
      rewrite seq_S, sum_app, IH by lia. simpl sum. cbn [miss_below].
      rewrite FumataCoins_counts by (try exact Ht; lia). rewrite FumataReach_counts by exact Hq.
      unfold quiet, noises_of, FumataShare. cbn [threshold reach offset]. fold size.
      change (0 + m)%nat with m. change (Z.of_nat 0) with 0%Z. destruct (Nat.leb_spec m size); [|lia].
      replace (plan_width plan + noise_first (plan_threshold plan) + Z.of_nat m - 0 -
        noise_first (plan_query plan))%Z
        with (plan_width plan + noise_first (plan_threshold plan) - noise_first (plan_query plan) + Z.of_nat m)%Z
        by lia.
      rewrite minus_IZR. field. }
    apply G. lia.
Qed.

(* What is certified about a classic plan is what Theorem C asks, with a delta no larger than claimed. *)
Theorem certified_classic_delta : forall plan claim, certified_classic plan claim -> exists x y z,
  tame (noises_of plan) x y /\ x * y <= z /\
  delta_C (Z.to_nat (claim_alpha claim)) z (Z.to_nat (classic_limit plan)) (threshold (noises_of plan) O)
    (miss (noises_of plan)) (FumataEpsilon claim) <= FumataDelta claim.
Proof.
  intros plan claim [Hp [Hclaim [x [y [z [Hratios Htotal]]]]]].
  exists x, y, z. split; [apply certified_tame with z; assumption|]. split; [apply Hratios|].
  pose proof Hclaim as [_ [_ [_ Ha]]].
  apply total_spec in Htotal; [|lia|exact Hclaim]. unfold FumataRest in Htotal.
  unfold delta_C. rewrite certified_loss by exact Hp.
  destruct Hp as [_ [_ [_ Hl]]].
  rewrite (INR_IZR_INZ (Z.to_nat (classic_limit plan))), Z2Nat.id by lia.
  assert (E : FumataResponse z (claim_alpha claim) = response_moment (Z.to_nat (claim_alpha claim) - 1) z).
  { unfold FumataResponse, response_moment, FumataPow.
    replace (Z.to_nat (claim_alpha claim) - 1 + 1)%nat with (Z.to_nat (claim_alpha claim)) by lia.
    replace (Z.to_nat (claim_alpha claim - 1)) with (Z.to_nat (claim_alpha claim) - 1)%nat by lia.
    unfold Rdiv. rewrite Rmult_1_l. reflexivity. }
  rewrite E in Htotal. lra.
Qed.
