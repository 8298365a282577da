(* A noisy count: when the integer predicate of specs/certify_noise.acsl holds, a count with a draw of the noise is
   (epsilon, delta)-private, alone and among other releases of one ledger. *)
From Coq Require Import Reals Lra Lia Psatz ZArith QArith Qreals List Bool.
From Fumata Require Import SpecBase SpecPlan SpecNoise SpecRound SpecCertifyTotal SpecCertifyClassic SpecCertifyNoise
  SpecCount Statement Power Divergence Uniform Coins Noise Rounding FastRounding CertificateTotal Safe.
Import ListNotations.
Local Open Scope R_scope.
Local Opaque FumataMulDown FumataDivDown FumataWholeUp FumataWholeDown FumataShareUp FumataShareDown FumataExpDown
  words below.

(* 1. What is claimed is in Statement.v, section 8. *)
(* The contract of the C function says just this of its result (T-COUNT-1). *)
Lemma noisy_count_is : forall noise count coin result, FumataNoiseOk noise -> (0 <= coin < 18446744073709551616)%Z ->
  FumataIsNoisyCount noise count coin result <-> result = noisy_count noise count coin.
Proof.
  intros noise count coin result Hok Hc. unfold FumataIsNoisyCount, noisy_count.
  rewrite (draw_owns noise coin _ Hok Hc). lia.
Qed.

(* 2. The law, place by place. *)
Definition places (noise : fumata_noise) : list nat := seq 0 (S (length (noise_cdf noise))).
Definition coins_at (noise : fumata_noise) (j : Z) : Z := FumataPlaceCoins (noise_cdf noise) (noise_size noise) j.

Lemma sum_single : forall (h : nat -> R) j m, (j < m)%nat ->
  sum (fun i => (if (j =? i)%nat then 1 else 0) * h i) (seq 0 m) = h j.
Proof.
  intros h j m Hj. induction m as [|m IH]; [lia|]. rewrite seq_S, sum_app. simpl.
  destruct (Nat.eqb_spec j m) as [E|E].
  - subst j. rewrite (sum_ext _ _ (fun _ => 0)); [rewrite sum_const; ring|].
    intros i Hi. apply in_seq in Hi. destruct (Nat.eqb_spec m i); [lia|ring].
  - rewrite IH by lia. ring.
Qed.

Lemma sum_by_value : forall A (f : A -> nat) (h : nat -> R) m l, (forall x, In x l -> (f x < m)%nat) ->
  sum (fun x => h (f x)) l = sum (fun i => INR (length (filter (fun x => (f x =? i)%nat) l)) * h i) (seq 0 m).
Proof.
  intros A f h m l. induction l as [|x l IH]; intros H.
  - simpl. rewrite (sum_ext _ _ (fun _ => 0)); [rewrite sum_const; ring|]. intros; simpl; ring.
  - cbn [sum]. rewrite IH by (intros y Hy; apply H; right; exact Hy).
    rewrite <- (sum_single h (f x) m) at 1 by (apply H; left; reflexivity). rewrite <- sum_plus. apply sum_ext.
    intros i _. cbn [filter]. destruct (f x =? i)%nat; [|ring]. cbn [length]. rewrite S_INR. ring.
Qed.

Lemma place_coins : forall noise j, FumataNoiseOk noise -> (0 <= j <= noise_size noise)%Z ->
  coins_at noise j = noise_coins noise j.
Proof.
  intros noise j [Hs _] Hj. unfold coins_at, FumataPlaceCoins, FumataCoins, FumataOtherCoins, noise_coins,
    FumataNoiseHigh, FumataNoiseLow.
  destruct (Z.ltb_spec j 0); [lia|]. destruct (Z.ltb_spec (noise_size noise) j); [lia|]. cbn [orb].
  destruct (Z.leb_spec j 0); destruct (Z.eqb_spec j 0); destruct (Z.eqb_spec j (noise_size noise));
    destruct (Z.ltb_spec j (noise_size noise)); subst; try lia; reflexivity.
Qed.

Lemma place_none : forall noise j, (j < 0 \/ noise_size noise < j)%Z -> coins_at noise j = 0%Z.
Proof.
  intros noise j H. unfold coins_at, FumataPlaceCoins.
  destruct (Z.ltb_spec j 0); [reflexivity|]. destruct (Z.ltb_spec (noise_size noise) j); [reflexivity|lia].
Qed.

Lemma place_range : forall noise j, FumataCountNoiseOk noise -> (0 <= coins_at noise j < 18446744073709551616)%Z.
Proof.
  intros noise j [Hok Hsome]. destruct (Z_lt_ge_dec j 0); [rewrite place_none; lia|].
  destruct (Z_lt_ge_dec (noise_size noise) j); [rewrite place_none; lia|].
  rewrite place_coins by (try exact Hok; lia). destruct (noise_order noise j Hok ltac:(lia)) as [O1 O2].
  split; [unfold noise_coins; lia|]. pose proof Hok as [Hs [_ [Hr _]]].
  unfold noise_coins in *. unfold FumataNoiseHigh, FumataNoiseLow in *.
  destruct (Z.eqb_spec j (noise_size noise)) as [E|E].
  - destruct (Z.eqb_spec j 0); [lia|]. subst j. lia.
  - pose proof (Hr j ltac:(lia)). lia.
Qed.

Lemma INR_words : INR (length (below words)) = 18446744073709551616.
Proof. rewrite length_below, INR_IZR_INZ, Z2Nat.id, words_value; [reflexivity|]. rewrite words_value. discriminate. Qed.

Lemma count_law : forall noise count S, FumataNoiseOk noise ->
  Pr (count_release noise count) S =
  sum (fun j => share (coins_at noise (Z.of_nat j)) *
    (if S (FumataCountCapped count + (noise_first noise + Z.of_nat j))%Z then 1 else 0)) (places noise).
Proof.
  intros noise count S Hok. unfold count_release. rewrite Pr_post, Pr_uniform.
  rewrite (sum_by_value _ (draw noise)
    (fun j => if S (FumataCountCapped count + (noise_first noise + Z.of_nat j))%Z then 1 else 0)
    (Datatypes.S (length (noise_cdf noise)))) by (intros u _; pose proof (draw_size noise u); lia).
  unfold places. rewrite <- sum_scale. apply sum_ext. intros j Hj. apply in_seq in Hj.
  assert (R : (0 <= Z.of_nat j <= noise_size noise)%Z) by (unfold noise_size; lia).
  rewrite draw_count by assumption. rewrite place_coins by assumption.
  destruct (noise_order noise (Z.of_nat j) Hok R) as [O1 O2].
  rewrite INR_words, INR_IZR_INZ, Z2Nat.id by (unfold noise_coins; lia). unfold share. field.
Qed.

Lemma count_is_law : forall noise count, is_law (count_release noise count).
Proof.
  intros noise count. unfold count_release. apply is_law_post. apply is_law_uniform. intros E. pose proof INR_words
    as W.
  rewrite E in W. cbn in W. lra.
Qed.

(* 3. A sum over a window of places is largest where all the coins are. *)
Definition window (g : Z -> R) (n : nat) (d : Z) : R := sum (fun j => g (Z.of_nat j - d)%Z) (seq 0 n).

Lemma window_step : forall g n d, window g n (d + 1) = window g n d + g (- d - 1)%Z - g (Z.of_nat n - d - 1)%Z.
Proof.
  intros g n d. unfold window. induction n as [|n IH].
  - simpl. replace (0 - d - 1)%Z with (- d - 1)%Z by lia. lra.
  - rewrite seq_S, !sum_app, IH. cbn [sum]. change (0 + n)%nat with n. rewrite Nat2Z.inj_succ.
    replace (Z.of_nat n - (d + 1))%Z with (Z.of_nat n - d - 1)%Z by lia.
    replace (Z.succ (Z.of_nat n) - d - 1)%Z with (Z.of_nat n - d)%Z by lia. lra.
Qed.

Lemma window_largest : forall g n, (forall i, 0 <= g i) -> (forall i, (i < 0 \/ Z.of_nat n <= i)%Z -> g i = 0) ->
  forall d, window g n d <= window g n 0.
Proof.
  intros g n P Z0 d. destruct (Z_le_gt_dec 0 d) as [H|H].
  - pattern d. apply natlike_ind; [lra| |exact H]. intros x Hx IH. unfold Z.succ. rewrite window_step.
    rewrite (Z0 (- x - 1)%Z) by lia. pose proof (P (Z.of_nat n - x - 1)%Z). lra.
  - replace d with (- (- d))%Z by lia. assert (H' : (0 <= - d)%Z) by lia. revert H'. generalize (- d)%Z. clear d H.
    intros d H. pattern d. apply natlike_ind; [apply Rle_refl| |exact H]. intros x Hx IH.
    pose proof (window_step g n (- Z.succ x)) as W. replace (- Z.succ x + 1)%Z with (- x)%Z in W by lia.
    rewrite (Z0 (Z.of_nat n - - Z.succ x - 1)%Z) in W by lia. pose proof (P (- - Z.succ x - 1)%Z). lra.
Qed.

(* 4. One place: covered, or exposed. *)
Lemma share_plus : forall a b, share (a + b) = share a + share b.
Proof. intros a b. unfold share. rewrite plus_IZR. field. Qed.

Lemma share_nonneg : forall a, (0 <= a)%Z -> 0 <= share a.
Proof. intros a H. unfold share. apply IZR_le in H. lra. Qed.

Lemma exposed_sound : forall E e coins other, below_of E e ->
  (0 <= coins < 18446744073709551616)%Z -> (0 <= other < 18446744073709551616)%Z -> 0 <= e ->
  (0 <= FumataExposed E coins other)%Z /\ share coins <= e * share other + share (FumataExposed E coins other).
Proof.
  intros E e coins other HE Hc Ho He. unfold FumataExposed.
  assert (S0 : share 0 = 0) by (unfold share; lra).
  pose proof (Rmult_le_pos e (share other) He (share_nonneg other ltac:(lia))) as M.
  destruct (Z.leb_spec coins 0); [replace coins with 0%Z by lia; split; [lia|lra]|].
  destruct (Z.leb_spec other 0); [split; [lia|lra]|]. cbv zeta.
  destruct (_ || _) eqn:L; [|split; [lia|lra]]. split; [lia|]. rewrite S0, Rplus_0_r.
  apply (le_sound (FumataShareUp coins) (FumataMulDown E (FumataShareDown other))).
  - apply share_upper. unfold word. lia.
  - apply mul_down; [exact HE|]. apply share_lower. unfold word. lia.
  - unfold FumataLe. apply orb_true_iff in L. destruct L as [L|L]; [left; apply Z.ltb_lt; exact L|right].
    apply andb_true_iff in L. destruct L as [L1 L2]. split; [apply Z.eqb_eq; exact L1|apply Z.leb_le; exact L2].
Qed.

Lemma exposed_sum : forall E cdf size shift n,
  share (FumataExposedCoins E cdf size shift (Z.of_nat n)) =
  sum (fun j => share (FumataExposedAt E cdf size shift (Z.of_nat j))) (seq 0 n).
Proof.
  intros E cdf size shift n. induction n as [|n IH].
  - rewrite FumataExposedCoins_acsl. simpl. unfold share. lra.
  - rewrite FumataExposedCoins_acsl. destruct (Z.leb_spec (Z.of_nat (S n)) 0); [lia|].
    replace (Z.of_nat (S n) - 1)%Z with (Z.of_nat n) by lia. rewrite share_plus, IH, seq_S, sum_app. simpl. lra.
Qed.

(* Two counts that differ by `shift`, other first. *)
Lemma shifted : forall noise E e d count count', FumataCountNoiseOk noise -> below_of E e -> 0 <= e ->
  (FumataCountCapped count' = FumataCountCapped count + d)%Z ->
  forall S, Pr (count_release noise count) S <= e * Pr (count_release noise count') S +
    share (FumataExposedCoins E (noise_cdf noise) (noise_size noise) d (noise_size noise + 1)).
Proof.
  intros noise E e d count count' Hok HE He Hd S. pose proof Hok as [Hn _]. rewrite !count_law by exact Hn.
  set (hit := fun i => if S (FumataCountCapped count' + (noise_first noise + i))%Z then 1 else 0).
  set (g := fun i => share (coins_at noise i) * hit i).
  assert (Hit : forall i, 0 <= hit i <= 1) by (intros i; unfold hit; destruct (S _); lra).
  assert (Coins : forall i, 0 <= share (coins_at noise i))
    by (intros i; apply share_nonneg; apply (place_range noise i Hok)).
  assert (W : window g (Datatypes.S (length (noise_cdf noise))) d <= window g (Datatypes.S (length (noise_cdf
    noise))) 0).
  { apply window_largest.
    - intros i. apply Rmult_le_pos; [apply Coins|apply Hit].
    - intros i Hi. unfold g. rewrite place_none by (unfold noise_size; lia). unfold share. lra. }
  replace (noise_size noise + 1)%Z with (Z.of_nat (Datatypes.S (length (noise_cdf noise)))) by (unfold noise_size; lia).
  rewrite exposed_sum. unfold places.
  apply Rle_trans with (e * window g (Datatypes.S (length (noise_cdf noise))) d +
    sum (fun j => share (FumataExposedAt E (noise_cdf noise) (noise_size noise) d (Z.of_nat j)))
      (seq 0 (Datatypes.S (length (noise_cdf noise))))).
  - unfold window. rewrite <- sum_scale, <- sum_plus. apply sum_le. intros j _.
    replace (FumataCountCapped count + (noise_first noise + Z.of_nat j))%Z
      with (FumataCountCapped count' + (noise_first noise + (Z.of_nat j - d)))%Z by lia.
    fold (hit (Z.of_nat j - d)%Z). unfold g.
    destruct (exposed_sound E e (coins_at noise (Z.of_nat j)) (coins_at noise (Z.of_nat j - d)) HE
      (place_range noise _ Hok) (place_range noise _ Hok) He) as [X0 X].
    unfold coins_at in X0, X at 2. fold (FumataExposedAt E (noise_cdf noise) (noise_size noise) d (Z.of_nat j)) in X0.
    change (FumataExposed E (coins_at noise (Z.of_nat j)) (coins_at noise (Z.of_nat j - d)))
      with (FumataExposedAt E (noise_cdf noise) (noise_size noise) d (Z.of_nat j)) in X.
    pose proof (share_nonneg _ X0) as X1. fold (coins_at noise (Z.of_nat j - d)) in X.
    specialize (Hit (Z.of_nat j - d)%Z). specialize (Coins (Z.of_nat j - d)%Z). nra.
  - apply Rplus_le_compat_r. apply Rmult_le_compat_l; [exact He|]. eapply Rle_trans; [exact W|]. right.
    unfold window. apply sum_ext. intros j _. rewrite Z.sub_0_r. reflexivity.
Qed.

Lemma fit_sound : forall claim coins, fumata_claim_fits claim -> FumataCountClaimOk claim ->
  FumataCoinsFit (FumataDeltaDown (claim_delta_num claim) (claim_delta_den claim)) coins -> share coins <= delta_of
    claim.
Proof.
  intros claim coins Hfit [_ [_ Hd]] [H|[H1 H2]].
  - unfold share, delta_of. assert (0 < IZR (claim_delta_num claim) / IZR (claim_delta_den claim)).
    { apply Rdiv_lt_0_compat; apply IZR_lt; lia. }
    apply IZR_le in H. lra.
  - destruct (Z_le_gt_dec coins 0) as [H|H].
    { unfold share, delta_of. assert (0 < IZR (claim_delta_num claim) / IZR (claim_delta_den claim)).
      { apply Rdiv_lt_0_compat; apply IZR_lt; lia. }
      apply IZR_le in H. lra. }
    refine (le_sound _ _ _ _ (share_upper coins _) _ H2); [unfold word; lia|]. unfold fumata_claim_fits in Hfit.
    unfold FumataDeltaDown, delta_of. apply div_down; [apply whole_down; lia|apply whole_up; lia|apply IZR_lt; lia].
Qed.

Lemma capped_near : forall n n', (Z.abs (FumataCountCapped n - FumataCountCapped n') <= Z.abs (n - n'))%Z.
Proof.
  intros n n'. unfold FumataCountCapped. destruct (Z.ltb_spec n FUMATA_COUNT_MAX); destruct (Z.ltb_spec n'
    FUMATA_COUNT_MAX); lia.
Qed.

(* T-CERT-4 means privacy. *)
Lemma within_same : forall A epsilon delta (mu : law A), 0 <= epsilon -> 0 <= delta -> is_law mu ->
  within epsilon delta mu mu.
Proof.
  intros A epsilon delta mu He Hd L S. pose proof (Pr_nonnegative A mu S (proj1 L)) as N.
  assert (1 <= exp epsilon) by (pose proof (exp_lower_3 epsilon He); nra). nra.
Qed.

Lemma near_counts_within : forall noise sensitivity claim count count', fumata_claim_fits claim ->
  FumataNoiseIsCertified noise sensitivity claim -> (Z.abs (count - count') <= sensitivity)%Z ->
  within (epsilon_of claim) (delta_of claim) (count_release noise count) (count_release noise count').
Proof.
  intros noise sensitivity claim count count' Hfit [Hclaim [Hsens [Hnoise Hkeeps]]] Hnear.
  pose proof (capped_near count count') as Hcap.
  set (d := (FumataCountCapped count' - FumataCountCapped count)%Z).
  destruct (Z.eq_dec d 0) as [E0|E0].
  { assert (E : count_release noise count' = count_release noise count).
    { unfold count_release, noisy_count. replace (FumataCountCapped count') with (FumataCountCapped count)
        by lia. reflexivity. }
    rewrite E. destruct Hclaim as [C1 [C2 C3]].
    apply within_same; [| |apply count_is_law]; unfold epsilon_of, delta_of; left; apply Rdiv_lt_0_compat; apply
      IZR_lt; lia. }
  assert (HE : below_of (FumataExpDown (claim_epsilon_num claim) (claim_epsilon_den claim) 2) (exp (epsilon_of claim))).
  { destruct Hclaim as [C1 [C2 C3]]. unfold fumata_claim_fits in Hfit.
    pose proof (exp_down (claim_epsilon_num claim) (claim_epsilon_den claim) 2 ltac:(lia) ltac:(lia) ltac:(lia)) as X.
    change (INR (Z.to_nat 2 - 1)) with 1 in X. rewrite Rmult_1_l in X. exact X. }
  intros S. eapply Rle_trans.
  { apply (shifted noise _ (exp (epsilon_of claim)) d count count' Hnoise HE);
      [left; apply exp_pos|unfold d; lia]. }
  apply Rplus_le_compat_l. apply fit_sound; [exact Hfit|exact Hclaim|].
  destruct (Hkeeps (Z.abs d) ltac:(lia)) as [K1 K2].
  destruct (Z.abs_spec d) as [[_ A]|[_ A]]; rewrite A in *; [exact K1|]. rewrite Z.opp_involutive in K2. exact K2.
Qed.

Theorem count_keeps : certified_count_is_private.
Proof.
  intros noise sensitivity claim Hfit Hcert D near count Hnear. split; [intros; apply count_is_law|].
  intros data data' Hn. fold (epsilon_of claim) (delta_of claim).   (* another epsilon or delta is seen at once *)
  lazymatch goal with |- within (epsilon_of _) (delta_of _) _ _ => eapply near_counts_within; eauto end.
Qed.

(* 5. A count is one of the releases that a ledger adds up (ledger_is_private), at the cost that its claim names. *)
Definition cost_epsilon (claim : fumata_claim) : Q := claim_epsilon_num claim # Z.to_pos (claim_epsilon_den claim).
Definition cost_delta (claim : fumata_claim) : Q := claim_delta_num claim # Z.to_pos (claim_delta_den claim).

Theorem count_in_a_ledger : forall noise sensitivity claim, fumata_claim_fits claim ->
  FumataNoiseIsCertified noise sensitivity claim ->
  forall D X (near : D -> D -> Prop) (count : D -> Z),
  (forall data data', near data data' -> Z.abs (count data - count data') <= sensitivity)%Z ->
  safe (Q2R (cost_epsilon claim)) (Q2R (cost_delta claim)) near
    (fun data => post (@once X Z) (count_release noise (count data))).
Proof.
  intros noise sensitivity claim Hfit Hcert D X near count Hnear. pose proof Hcert as [[C1 [C2 C3]] _].
  apply once_safe. unfold Q2R, cost_epsilon, cost_delta. cbn [Qnum Qden]. rewrite !Z2Pos.id by lia.
  exact (count_keeps noise sensitivity claim Hfit Hcert D near count Hnear).
Qed.

(* 6. Wrong variants. Six places with 1, 2, 5, 5, 2 and 1 sixteenths of the words keep epsilon = 1, delta = 1 / 16
   for counts
   that differ by 1; not for counts that differ by 2, and not a smaller delta. *)
Definition six : fumata_noise :=
  {| noise_cdf := map (Z.mul 1152921504606846976) [1; 3; 8; 13; 15]%Z; noise_first := 0%Z |}.
Definition a_sixteenth : fumata_claim :=
  {| claim_epsilon_num := 1; claim_epsilon_den := 1; claim_delta_num := 1; claim_delta_den := 16; claim_alpha := 2;
     claim_v := 0; claim_u := 0 |}.

Lemma six_ok : FumataCountNoiseOk six.
Proof.
  assert (I : forall i, (0 <= i < 5)%Z -> (i = 0 \/ i = 1 \/ i = 2 \/ i = 3 \/ i = 4)%Z) by (intros; lia).
  split; [|vm_compute; discriminate]. split; [vm_compute; split; discriminate|].
  split; [vm_compute; split; discriminate|]. split.
  - intros i Hi. destruct (I i Hi) as [->|[->|[->|[->| ->]]]]; vm_compute; split; congruence.
  - intros i j Hij. change (noise_size six) with 5%Z in Hij.
    destruct (I i ltac:(lia)) as [->|[->|[->|[->| ->]]]]; destruct (I j ltac:(lia)) as [->|[->|[->|[->| ->]]]];
      first [lia|vm_compute; discriminate].
Qed.

Lemma six_is_certified : FumataNoiseIsCertified six 1 a_sixteenth.
Proof.
  split; [vm_compute; repeat split; discriminate|]. split; [vm_compute; split; discriminate|].
  split; [exact six_ok|]. apply FumataNoiseKeeps_true. unfold FumataNoiseKeeps_b.
  rewrite <- fast_exp_down_is. vm_cast_no_check (eq_refl true).
Qed.

Lemma six_law : forall count S, Pr (count_release six count) S =
  sum (fun e => IZR (snd e) / 16 * (if S (FumataCountCapped count + fst e)%Z then 1 else 0))
    [(0, 1); (1, 2); (2, 5); (3, 5); (4, 2); (5, 1)]%Z.
Proof.
  intros count S. rewrite (count_law six count S (proj1 six_ok)). unfold places. change (length (noise_cdf six)) with
    5%nat.
  assert (C : forall j k, coins_at six j = (k * 1152921504606846976)%Z -> share (coins_at six j) = IZR k / 16).
  { intros j k E. unfold share. rewrite E, mult_IZR. field. }
  cbn [seq sum fst snd noise_first six]. change (Z.of_nat 0) with 0%Z. change (Z.of_nat 1) with 1%Z.
  change (Z.of_nat 2) with 2%Z. change (Z.of_nat 3) with 3%Z. change (Z.of_nat 4) with 4%Z. change (Z.of_nat 5) with
    5%Z.
  rewrite (C 0%Z 1%Z), (C 1%Z 2%Z), (C 2%Z 5%Z), (C 3%Z 5%Z), (C 4%Z 2%Z), (C 5%Z 1%Z) by reflexivity. reflexivity.
Qed.

(* Certified for a sensitivity of 1 and used for one of 2. *)
Theorem wrong_sensitivity : ~ within 1 (1 / 16) (count_release six 0) (count_release six 2).
Proof.
  intros H. specialize (H (fun x => (x <? 2)%Z)). rewrite !six_law in H. cbn in H. lra.
Qed.

(* A delta below the share of what is exposed. *)
Theorem wrong_delta : forall delta, delta < 1 / 16 -> ~ within 1 delta (count_release six 0) (count_release six 1).
Proof.
  intros delta Hd H. specialize (H (fun x => (x <? 1)%Z)). rewrite !six_law in H. cbn in H. lra.
Qed.
