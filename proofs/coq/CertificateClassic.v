(* A classic plan that the core accepts (specs/certify_classic.acsl) satisfies the hypotheses of Theorem C with its own
   tables, and Theorem C's delta is at most the claimed one. *)
From Coq Require Import Reals Lra Lia Psatz ZArith List Bool.
From Fumata Require Import SpecBase SpecNoise SpecPlan SpecRound SpecCertifyTotal SpecCertifyClassic Statement Power
  Divergence Uniform Game Coins Randomized Classic Noise Rounding CertificateTotal.
Import ListNotations.
Local Open Scope R_scope.
Local Opaque FumataMulUp FumataMulDown FumataDivUp FumataDivDown FumataAddUp FumataAddDown FumataSubDown FumataPowUp
  FumataPowDown FumataWholeUp FumataWholeDown FumataShareUp FumataShareDown FumataFixedUp FumataFixedDown.
Local Opaque FumataRatioUp FumataRatioDown FumataInverseUp FumataThresholdUp FumataQueryUp FumataLossUp FumataLarger.

(* The noise of a classic plan, as Theorem C sees it. *)
Definition noises_of (plan : fumata_classic_plan) : noises :=
  {| threshold := fun j => if (j <=? length (noise_cdf (classic_plan_threshold plan)))%nat
                           then share (noise_coins (classic_plan_threshold plan) (Z.of_nat j)) else 0;
     top := length (noise_cdf (classic_plan_threshold plan));
     reach := fun t => share (noise_reach (classic_plan_query plan) (t - noise_first (classic_plan_query plan)));
     offset := classic_plan_width plan + noise_first (classic_plan_threshold plan) |}.

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
  intros noise j [Hs _] Hj. unfold FumataCoins, FumataOtherCoins, noise_coins, FumataNoiseHigh, FumataNoiseLow.
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

(* A table whose places below the last all have a word has one in the last as well, and none has them all. *)
Lemma coins_word : forall noise j, FumataNoiseOk noise ->
  FumataEachOwned (noise_cdf noise) (noise_size noise) (noise_size noise) -> (0 <= j <= noise_size noise)%Z ->
  word (FumataCoins (noise_cdf noise) (noise_size noise) j).
Proof.
  intros noise j Hok Ho Hj. pose proof Hok as [Hs [_ [Hr Hn]]]. unfold word.
  assert (H0 : (1 <= at_index (noise_cdf noise) 0)%Z).
  { pose proof (Ho 0%Z ltac:(lia)) as H. unfold FumataCoins in H. exact H. }
  pose proof (Hr 0%Z ltac:(lia)) as R0.
  pose proof (Hr (noise_size noise - 1)%Z ltac:(lia)) as Rl.
  pose proof (Hn 0%Z (noise_size noise - 1)%Z ltac:(lia)) as Nl.
  destruct (Z.eq_dec j (noise_size noise)) as [E|E].
  - subst j. unfold FumataCoins, FumataOtherCoins. destruct (Z.leb_spec (noise_size noise) 0); [lia|].
    destruct (Z.ltb_spec (noise_size noise) (noise_size noise)); lia.
  - split; [apply Ho; lia|]. unfold FumataCoins. destruct (Z.leb_spec j 0); [lia|].
    destruct (Z.ltb_spec j (noise_size noise)); [|lia].
    pose proof (Hr j ltac:(lia)). pose proof (Hr (j - 1)%Z ltac:(lia)). lia.
Qed.

(* Below its last place a query's table reaches some words, not all. *)
Lemma reach_word : forall noise j, FumataNoiseOk noise -> (1 <= at_index (noise_cdf noise) 0)%Z ->
  (j < noise_size noise)%Z -> word (FumataReach (noise_cdf noise) (noise_size noise) j).
Proof.
  intros noise j [Hs [_ [Hr Hn]]] H0 Hj. unfold FumataReach, word.
  destruct (Z.leb_spec j 0); [specialize (Hr 0%Z ltac:(lia)); lia|].
  destruct (Z.ltb_spec j (noise_size noise)); [|lia].
  specialize (Hr j ltac:(lia)). specialize (Hn 0%Z j ltac:(lia)). lia.
Qed.

Lemma larger_full : forall x y, full x -> full y -> full (FumataLarger x y).
Proof.
  intros x y Hx Hy. apply (larger_sound x y (value x)); try assumption. left. split; [exact Hx|lra].
Qed.

Lemma threshold_up : forall noise, FumataNoiseOk noise ->
  FumataEachOwned (noise_cdf noise) (noise_size noise) (noise_size noise) ->
  let X := FumataThresholdUp (noise_cdf noise) (noise_size noise) in
  let coins := FumataCoins (noise_cdf noise) (noise_size noise) in
  forall n, (0 <= n <= noise_size noise)%Z ->
  above (X n) 1 /\ forall j, (1 <= j <= n)%Z -> above (X n) (share (coins j) / share (coins (j - 1)%Z)).
Proof.
  intros noise Hok Ho X coins n Hn. assert (Hn0 : (0 <= n)%Z) by lia. revert Hn. pattern n.
  apply natlike_ind; [|clear n Hn0|exact Hn0].
  - intros _. unfold X. rewrite FumataThresholdUp_acsl. simpl. split; [apply one_above|lia].
  - intros n Hn IH Hs. destruct (IH ltac:(lia)) as [I1 I2]. unfold X. rewrite FumataThresholdUp_acsl.
    destruct (Z.leb_spec (Z.succ n) 0); [lia|]. replace (Z.succ n - 1)%Z with n by lia. fold (X n). fold coins.
    assert (R : above (FumataRatioUp (coins (Z.succ n)) (coins n)) (share (coins (Z.succ n)) / share (coins n))).
    { apply ratio_up; apply coins_word; try assumption; lia. }
    split; [apply larger_sound; [left; exact I1|apply I1|apply R]|].
    intros j Hj. destruct (Z.eq_dec j (Z.succ n)) as [E|E].
    + subst j. replace (Z.succ n - 1)%Z with n by lia. apply larger_sound; [right; exact R|apply I1|apply R].
    + apply larger_sound; [left; apply I2; lia|apply I1|apply R].
Qed.

Lemma reach_up : forall noise j, FumataNoiseOk noise -> (1 <= at_index (noise_cdf noise) 0)%Z ->
  (1 <= j <= noise_size noise + 1)%Z ->
  above (FumataReachUp (noise_cdf noise) (noise_size noise) j)
    (share (FumataReach (noise_cdf noise) (noise_size noise) j) /
     share (FumataReach (noise_cdf noise) (noise_size noise) (j - 2))).
Proof.
  intros noise j Hok H0 Hj. unfold FumataReachUp. pose proof (reach_word noise (j - 2) Hok H0 ltac:(lia)) as W.
  destruct (Z.ltb_spec j (noise_size noise)) as [L|L].
  - apply ratio_up; [apply reach_word; assumption|exact W].
  - assert (E : share (FumataReach (noise_cdf noise) (noise_size noise) j) = 1).
    { unfold FumataReach, share. destruct (Z.leb_spec j 0); [lia|]. destruct (Z.ltb_spec j (noise_size noise)); [lia|].
      field. }
    rewrite E. apply inverse_up. exact W.
Qed.

Lemma query_up : forall noise, FumataNoiseOk noise -> (1 <= at_index (noise_cdf noise) 0)%Z ->
  let Y := FumataQueryUp (noise_cdf noise) (noise_size noise) in
  let reach := FumataReach (noise_cdf noise) (noise_size noise) in
  forall n, (0 <= n <= noise_size noise + 1)%Z ->
  above (Y n) 1 /\ forall j, (1 <= j <= n)%Z -> above (Y n) (share (reach j) / share (reach (j - 2)%Z)).
Proof.
  intros noise Hok H0 Y reach n Hn. assert (Hn0 : (0 <= n)%Z) by lia. revert Hn. pattern n.
  apply natlike_ind; [|clear n Hn0|exact Hn0].
  - intros _. unfold Y. rewrite FumataQueryUp_acsl. simpl. split; [apply one_above|lia].
  - intros n Hn IH Hs. destruct (IH ltac:(lia)) as [I1 I2]. unfold Y. rewrite FumataQueryUp_acsl.
    destruct (Z.leb_spec (Z.succ n) 0); [lia|]. replace (Z.succ n - 1)%Z with n by lia. fold (Y n).
    pose proof (reach_up noise (Z.succ n) Hok H0 ltac:(lia)) as R. fold reach in R.
    split; [apply larger_sound; [left; exact I1|apply I1|apply R]|].
    intros j Hj. destruct (Z.eq_dec j (Z.succ n)) as [E|E].
    + subst j. apply larger_sound; [right; exact R|apply I1|apply R].
    + apply larger_sound; [left; apply I2; lia|apply I1|apply R].
Qed.

(* A bound of a ratio is a bound of the product, in words. *)
Lemma ratio_bound : forall x a b, above x (share a / share b) -> word b -> IZR a <= value x * IZR b.
Proof.
  intros x a b [_ H] Wb. rewrite share_ratio in H by exact Wb. pose proof (word_pos b Wb).
  apply (Rmult_le_compat_r (IZR b)) in H; [|lra]. unfold Rdiv in H. rewrite Rmult_assoc, Rinv_l, Rmult_1_r in H by lra.
  exact H.
Qed.

Lemma threshold_ratio : forall noise, FumataNoiseOk noise ->
  FumataEachOwned (noise_cdf noise) (noise_size noise) (noise_size noise) ->
  forall j, (1 <= j <= noise_size noise)%Z -> IZR (noise_coins noise j) <=
    value (FumataThresholdUp (noise_cdf noise) (noise_size noise) (noise_size noise)) * IZR (noise_coins noise (j - 1)).
Proof.
  intros noise Hok Ho j Hj. pose proof (proj1 Hok) as Hs.
  destruct (threshold_up noise Hok Ho (noise_size noise) ltac:(lia)) as [_ H]. specialize (H j Hj).
  apply ratio_bound in H; [|apply coins_word; try assumption; lia].
  rewrite !FumataCoins_counts in H by (try exact Hok; lia). exact H.
Qed.

(* Outside 1 .. size + 1 the two sides are the same number. *)
Lemma query_ratio : forall noise, FumataNoiseOk noise -> (1 <= at_index (noise_cdf noise) 0)%Z ->
  forall j, IZR (noise_reach noise j) <=
    value (FumataQueryUp (noise_cdf noise) (noise_size noise) (noise_size noise + 1)) * IZR (noise_reach noise (j - 2)).
Proof.
  intros noise Hok H0 j. pose proof (proj1 Hok) as Hs.
  destruct (query_up noise Hok H0 (noise_size noise + 1)%Z ltac:(lia)) as [[_ Hx] H].
  set (x := value (FumataQueryUp (noise_cdf noise) (noise_size noise) (noise_size noise + 1))) in *.
  pose proof (reach_bounds noise (j - 2) Hok) as [B _]. apply IZR_le in B.
  assert (Same : noise_reach noise j = noise_reach noise (j - 2) ->
    IZR (noise_reach noise j) <= x * IZR (noise_reach noise (j - 2))) by (intros ->; nra).
  destruct (Z_le_gt_dec j 0) as [L|L]; [|destruct (Z_le_gt_dec j (noise_size noise + 1)) as [U|U]].
  - apply Same. unfold noise_reach. destruct (Z.leb_spec j 0); [|lia]. destruct (Z.leb_spec (j - 2) 0); [|lia].
    reflexivity.
  - specialize (H j ltac:(lia)). apply ratio_bound in H; [|apply reach_word; try assumption; lia].
    rewrite !FumataReach_counts in H by exact Hok. exact H.
  - apply Same. unfold noise_reach.
    destruct (Z.leb_spec j 0); [lia|]. destruct (Z.leb_spec (j - 2) 0); [lia|].
    destruct (Z.leb_spec (noise_size noise) j); [|lia]. destruct (Z.leb_spec (noise_size noise) (j - 2)); [|lia].
    reflexivity.
Qed.

Definition threshold_factor (plan : fumata_classic_plan) : R :=
  value (FumataThresholdUp (noise_cdf (classic_plan_threshold plan)) (noise_size (classic_plan_threshold plan))
    (noise_size (classic_plan_threshold plan))).
Definition query_factor (plan : fumata_classic_plan) : R :=
  value (FumataQueryUp (noise_cdf (classic_plan_query plan)) (noise_size (classic_plan_query plan))
    (noise_size (classic_plan_query plan) + 1)).

Theorem certified_tame : forall plan claim, FumataClassicIsCertified plan claim ->
  tame (noises_of plan) (threshold_factor plan) (query_factor plan).
Proof.
  intros plan claim [_ [[Ht [Hq [Hw Hl]]] [Ho [H0 _]]]].
  pose proof (threshold_ratio _ Ht Ho) as R1. pose proof (query_ratio _ Hq H0) as R2.
  pose proof (proj1 Ht) as St. pose proof (proj1 Hq) as Sq.
  destruct (threshold_up _ Ht Ho (noise_size (classic_plan_threshold plan)) ltac:(lia)) as [[_ H1] _].
  destruct (query_up _ Hq H0 (noise_size (classic_plan_query plan) + 1)%Z ltac:(lia)) as [[_ H2] _].
  fold (threshold_factor plan) in R1, H1. fold (query_factor plan) in R2, H2. constructor; try assumption.
  - intros j. unfold noises_of, share. cbn [threshold]. destruct (Nat.leb_spec j (length (noise_cdf
    (classic_plan_threshold plan)))); [|lra].
    pose proof (noise_order (classic_plan_threshold plan) (Z.of_nat j) Ht ltac:(unfold noise_size; lia)) as O.
    assert (0 <= IZR (noise_coins (classic_plan_threshold plan) (Z.of_nat j))) by (apply IZR_le; unfold noise_coins;
      lia).
    lra.
  - unfold total. change (top (noises_of plan)) with (length (noise_cdf (classic_plan_threshold plan))).
    rewrite (sum_ext _ _ (fun j => / 18446744073709551616 * IZR (noise_coins (classic_plan_threshold plan) (Z.of_nat
      j)))).
    + rewrite sum_scale, coins_total by exact Ht. lra.
    + intros j Hj. apply in_seq in Hj. unfold noises_of, share. cbn [threshold].
      destruct (Nat.leb_spec j (length (noise_cdf (classic_plan_threshold plan)))); [lra|lia].
  - intros j Hj. unfold noises_of, share in *. cbn [threshold top] in *.
    specialize (R1 (Z.of_nat (S j)) ltac:(unfold noise_size; lia)).
    replace (Z.of_nat (S j) - 1)%Z with (Z.of_nat j) in R1 by lia.
    destruct (Nat.leb_spec (S j) (length (noise_cdf (classic_plan_threshold plan)))); [|lia].
    destruct (Nat.leb_spec j (length (noise_cdf (classic_plan_threshold plan)))); [|lia]. lra.
  - intros t. unfold noises_of, share. cbn [reach]. pose proof (reach_bounds (classic_plan_query plan) (t - noise_first
    (classic_plan_query plan)) Hq) as [B1 B2].
    apply IZR_le in B1. apply IZR_le in B2. lra.
  - intros t u Htu. unfold noises_of, share. cbn [reach].
    pose proof (reach_mono (classic_plan_query plan) (t - noise_first (classic_plan_query plan)) (u - noise_first
      (classic_plan_query plan)) Hq
      ltac:(lia)) as B. apply IZR_le in B. lra.
  - intros t. unfold noises_of, share. cbn [reach]. specialize (R2 (t - noise_first (classic_plan_query plan))%Z).
    replace (t - 2 - noise_first (classic_plan_query plan))%Z with (t - noise_first (classic_plan_query plan) - 2)%Z
      by lia. lra.
Qed.

(* What one stretch gives away outright, over the n lowest places of the threshold. *)
Lemma loss_up : forall plan, FumataClassicPlanOk plan ->
  FumataEachOwned (noise_cdf (classic_plan_threshold plan)) (noise_size (classic_plan_threshold plan))
    (noise_size (classic_plan_threshold plan)) ->
  (1 <= at_index (noise_cdf (classic_plan_query plan)) 0)%Z ->
  above (FumataClassicLossUp plan) (threshold (noises_of plan) O + miss (noises_of plan)).
Proof.
  intros plan [Ht [Hq [Hw Hl]]] Ho H0. pose proof (proj1 Ht) as St.
  set (size := length (noise_cdf (classic_plan_threshold plan))).
  assert (Es : noise_size (classic_plan_threshold plan) = Z.of_nat size) by reflexivity.
  assert (T0 : threshold (noises_of plan) O = share (at_index (noise_cdf (classic_plan_threshold plan)) 0)).
  { unfold noises_of. cbn [threshold Nat.leb]. rewrite <- FumataCoins_counts by (try exact Ht; simpl; lia).
  reflexivity. }
  assert (W0 : word (at_index (noise_cdf (classic_plan_threshold plan)) 0)).
  { apply (coins_word _ 0 Ht Ho). lia. }
  set (term := fun j => threshold (noises_of plan) j * (1 - quiet (noises_of plan) 0 j)).
  assert (G : forall n, (n <= S size)%nat ->
    above (FumataLossUp (noise_cdf (classic_plan_threshold plan)) (noise_size (classic_plan_threshold plan))
      (noise_cdf (classic_plan_query plan)) (noise_size (classic_plan_query plan))
      (classic_plan_width plan + noise_first (classic_plan_threshold plan) - noise_first (classic_plan_query plan))
      (Z.of_nat n)) (threshold (noises_of plan) O + sum term (seq 0 n)) /\ 0 <= sum term (seq 0 n)).
  { induction n as [|n IH]; intros Hn.
    - rewrite FumataLossUp_acsl. destruct (Z.leb_spec (Z.of_nat 0) 0); [|lia]. cbn [seq sum]. split; [|lra].
      rewrite Rplus_0_r, T0. apply share_upper. exact W0.
    - destruct (IH ltac:(lia)) as [I1 I2]. rewrite FumataLossUp_acsl. destruct (Z.leb_spec (Z.of_nat (S n)) 0); [lia|].
      replace (Z.of_nat (S n) - 1)%Z with (Z.of_nat n) by lia. unfold FumataMissUp.
      rewrite seq_S, sum_app. cbn [sum]. rewrite Rplus_0_r. change (0 + n)%nat with n.
      set (shift := (classic_plan_width plan + noise_first (classic_plan_threshold plan) -
        noise_first (classic_plan_query plan))%Z) in *.
      pose proof (coins_word _ (Z.of_nat n) Ht Ho ltac:(lia)) as Wc.
      assert (Et : term n = share (FumataCoins (noise_cdf (classic_plan_threshold plan))
          (noise_size (classic_plan_threshold plan)) (Z.of_nat n)) *
        share (FumataOtherCoins (FumataReach (noise_cdf (classic_plan_query plan))
          (noise_size (classic_plan_query plan)) (shift + Z.of_nat n)))).
      { rewrite other_share, FumataCoins_counts by (try exact Ht; lia). rewrite FumataReach_counts by exact Hq.
        unfold term, quiet, noises_of. cbn [threshold reach offset]. fold size.
        destruct (Nat.leb_spec n size); [|lia]. f_equal. f_equal. f_equal. f_equal. unfold shift. simpl. lia. }
      set (coins := FumataCoins (noise_cdf (classic_plan_threshold plan)) (noise_size (classic_plan_threshold plan))
        (Z.of_nat n)) in *.
      set (beats := FumataOtherCoins (FumataReach (noise_cdf (classic_plan_query plan))
        (noise_size (classic_plan_query plan)) (shift + Z.of_nat n))) in *.
      assert (Wb : (0 <= beats < 18446744073709551616)%Z).
      { unfold beats, FumataOtherCoins. rewrite FumataReach_counts by exact Hq.
        pose proof (reach_bounds (classic_plan_query plan) (shift + Z.of_nat n) Hq).
        pose proof (reach_mono (classic_plan_query plan) (Z.min 0 (shift + Z.of_nat n)) (shift + Z.of_nat n) Hq
          ltac:(lia)) as Mo.
        assert (Lo : (1 <= noise_reach (classic_plan_query plan) (Z.min 0 (shift + Z.of_nat n)))%Z).
        { rewrite <- FumataReach_counts by exact Hq. unfold FumataReach.
          destruct (Z.leb_spec (Z.min 0 (shift + Z.of_nat n)) 0); [exact H0|lia]. }
        lia. }
      pose proof (share_pos _ Wc) as Sc.
      destruct (Z.ltb_spec 0 coins) as [Gc|Gc]; [|unfold word in Wc; lia].
      destruct (Z.ltb_spec 0 beats) as [Gb|Gb]; cbn [andb].
      + assert (Wb' : word beats) by (unfold word; lia). pose proof (share_pos _ Wb') as Sb. rewrite Et. split.
        * rewrite <- Rplus_assoc. apply add_up; [exact I1|].
          apply mul_up; [apply share_upper; exact Wc|apply share_upper; exact Wb'|lra|lra].
        * assert (0 <= share coins * share beats) by (apply Rmult_le_pos; lra). lra.
      + assert (Eb : share beats = 0) by (replace beats with 0%Z by lia; unfold share; lra).
        rewrite Et, Eb, Rmult_0_r, Rplus_0_r. split; [exact I1|exact I2]. }
  unfold FumataClassicLossUp. destruct (G (S size) ltac:(lia)) as [G1 _].
  replace (noise_size (classic_plan_threshold plan) + 1)%Z with (Z.of_nat (S size)) by lia. exact G1.
Qed.

Lemma response_up : forall z alpha, full z -> 1 <= value z -> (2 <= alpha)%Z ->
  above (FumataResponseUp z alpha) (response_moment (Z.to_nat alpha - 1) (value z)).
Proof.
  intros z alpha Fz Hz Ha. unfold FumataResponseUp, response_moment.
  assert (Az : above z (value z)) by (split; [exact Fz|lra]).
  assert (Bz : below_of z (value z)) by (split; [exact Fz|lra]).
  assert (Hi : 0 < / value z) by (apply Rinv_0_lt_compat; lra).
  replace (Z.to_nat alpha - 1 + 1)%nat with (Z.to_nat alpha) by lia.
  replace (Z.to_nat alpha - 1)%nat with (Z.to_nat (alpha - 1)) by lia.
  assert (I : above (FumataDivUp (FumataWholeUp 1) z) (/ value z)).
  { replace (/ value z) with (1 / value z) by (unfold Rdiv; ring). apply div_up; [apply one_above|exact Bz|lra]. }
  apply div_up.
  - apply add_up; apply pow_up; try assumption; try lia; lra.
  - apply add_down; [apply one_below|exact Bz].
  - pose proof (pow_le (value z) (Z.to_nat alpha) ltac:(lra)). pose proof (pow_le (/ value z) (Z.to_nat (alpha - 1))
    ltac:(lra)).
    lra.
Qed.

(* What is certified about a classic plan is what Theorem C asks, with a delta no larger than claimed. *)
Theorem certified_classic_delta : forall plan claim, fumata_claim_fits claim -> FumataClassicIsCertified plan claim ->
  exists x y z, tame (noises_of plan) x y /\ x * y <= z /\
  delta_C (Z.to_nat (claim_alpha claim)) z (Z.to_nat (classic_plan_limit plan)) (threshold (noises_of plan) O)
    (miss (noises_of plan)) (epsilon_of claim) <= delta_of claim.
Proof.
  intros plan claim Hfit H. pose proof (certified_tame plan claim H) as T.
  destruct H as [Hclaim [Hp [Ho [H0 Htotal]]]]. pose proof Hclaim as [_ [_ [_ Ha]]].
  pose proof Hp as [Ht [Hq [_ Hl]]]. pose proof (proj1 Ht) as St. pose proof (proj1 Hq) as Sq.
  exists (threshold_factor plan), (query_factor plan), (value (FumataClassicRatioUp plan)).
  destruct (threshold_up _ Ht Ho (noise_size (classic_plan_threshold plan)) ltac:(lia)) as [[F1 H1] _].
  destruct (query_up _ Hq H0 (noise_size (classic_plan_query plan) + 1)%Z ltac:(lia)) as [[F2 H2] _].
  fold (threshold_factor plan) in H1. fold (query_factor plan) in H2.
  assert (Z : above (FumataClassicRatioUp plan) (threshold_factor plan * query_factor plan)).
  { unfold FumataClassicRatioUp. apply mul_up; try lra; split; try assumption; apply Rle_refl. }
  destruct Z as [Fz Hz]. split; [exact T|]. split; [exact Hz|].
  assert (Z1 : 1 <= value (FumataClassicRatioUp plan)) by nra.
  pose proof (loss_up plan Hp Ho H0) as L.
  assert (L0 : 0 <= threshold (noises_of plan) O + miss (noises_of plan)).
  { pose proof (tame_threshold _ _ _ T O).
    assert (0 <= miss (noises_of plan)); [|lra]. apply (total_nonneg _). intros j.
    apply Rmult_le_pos; [apply (tame_threshold _ _ _ T)|]. pose proof (tame_reach _ _ _ T
      (offset (noises_of plan) + Z.of_nat j - Z.of_nat 0)%Z). unfold quiet. lra. }
  pose proof (response_moment_ge_1 (Z.to_nat (claim_alpha claim) - 1) _ Z1) as G1.
  pose proof (total_sound claim (classic_plan_limit plan) _ _ _ _ Hfit Hclaim Hl
    (response_up _ (claim_alpha claim) Fz Z1 ltac:(lia)) ltac:(lra) L L0 Htotal) as B.
  unfold delta_C. unfold FumataLimitOk in Hl.
  rewrite (INR_IZR_INZ (Z.to_nat (classic_plan_limit plan))), Z2Nat.id by lia. exact B.
Qed.
