(* The certificate as a program: a decision that `vm_compute` runs, and that says yes only to what is certified. *)
From Coq Require Import ZArith Lia List Bool.
From Fumata Require Import SpecBase SpecNoise SpecPlan SpecRound SpecCertifyTotal SpecCertifyMeter SpecCertifyToll
  SpecCertifyBudget SpecCertifyClassic Statement FastRounding.
Import ListNotations.
Local Open Scope Z_scope.

Local Opaque fast_exp_down fast_moment_up fast_budget_moment_up fast_room_down fast_term_up FumataMulUp FumataMulDown FumataDivUp
  FumataDivDown
  FumataAddUp FumataAddDown FumataSubDown FumataPowUp FumataPowDown FumataWholeUp FumataWholeDown FumataShareUp
  FumataShareDown FumataFixedUp FumataFixedDown FumataLeftDown FumataDeltaDown FumataMomentUp FumataBudgetMomentUp FumataExpDown FumataRoomDown
  FumataTermUp FumataInverseUp.

Definition fits_accepts (claim : fumata_claim) : bool :=
  (0 <=? claim_epsilon_num claim) && (claim_epsilon_num claim <? 4294967296) &&
  (0 <=? claim_epsilon_den claim) && (claim_epsilon_den claim <? 4294967296) &&
  (0 <=? claim_delta_num claim) && (claim_delta_num claim <? 18446744073709551616) &&
  (0 <=? claim_delta_den claim) && (claim_delta_den claim <? 18446744073709551616) &&
  (0 <=? claim_alpha claim) && (claim_alpha claim <? 4294967296) &&
  (0 <=? claim_v claim) && (claim_v claim <? 18446744073709551616) &&
  (0 <=? claim_u claim) && (claim_u claim <? 18446744073709551616).

Definition claim_accepts (claim : fumata_claim) : bool :=
  (1 <=? claim_epsilon_num claim) && (1 <=? claim_epsilon_den claim) && (1 <=? claim_delta_num claim) &&
  (claim_delta_num claim <? claim_delta_den claim) && (2 <=? claim_alpha claim) &&
  (claim_alpha claim <=? FUMATA_ALPHA_MAX).

Ltac conditions H := unfold fits_accepts, claim_accepts in H; rewrite ?andb_true_iff, ?Z.ltb_lt, ?Z.leb_le in H.

Lemma fits_accepts_sound : forall claim, fits_accepts claim = true -> fumata_claim_fits claim.
Proof. intros claim H. conditions H. unfold fumata_claim_fits. tauto. Qed.

Lemma claim_accepts_sound : forall claim, claim_accepts claim = true -> FumataClaimOk claim.
Proof. intros claim H. conditions H. unfold FumataClaimOk. tauto. Qed.

(* The exponential takes longest, so it is computed once for all that is compared with it. *)
Definition exp_of (claim : fumata_claim) : fumata_number :=
  fast_exp_down (claim_epsilon_num claim) (claim_epsilon_den claim) (claim_alpha claim).
Definition moment_accepts (exp left moment : fumata_number) : bool :=
  negb (number_mantissa left =? 0) && FumataLe_b moment (FumataMulDown left exp).

Lemma moment_accepts_sound : forall claim left moment, moment_accepts (exp_of claim) left moment = true ->
  FumataFits (claim_alpha claim) (claim_epsilon_num claim) (claim_epsilon_den claim) left moment.
Proof.
  intros claim left moment H. unfold moment_accepts, exp_of in H. rewrite fast_exp_down_is in H.
  apply andb_true_iff in H. destruct H as [H1 H2]. split; [|apply FumataLe_true; exact H2].
  apply negb_true_iff, Z.eqb_neq in H1. exact H1.
Qed.

Definition total_accepts (exp : fumata_number) (claim : fumata_claim) (limit : Z) (growth loss : fumata_number) : bool :=
  moment_accepts exp (FumataLeftDown (claim_delta_num claim) (claim_delta_den claim) limit loss)
    (fast_moment_up (claim_alpha claim) limit growth).

Lemma total_accepts_sound : forall claim limit growth loss,
  total_accepts (exp_of claim) claim limit growth loss = true ->
  FumataTotal (claim_alpha claim) (claim_epsilon_num claim) (claim_epsilon_den claim) (claim_delta_num claim)
    (claim_delta_den claim) limit growth loss.
Proof.
  intros claim limit growth loss H. unfold total_accepts in H. rewrite fast_moment_up_is in H.
  unfold FumataTotal. apply moment_accepts_sound. exact H.
Qed.

Definition step_accepts (p r alpha v : Z) : bool :=
  (p =? r) ||
  (let room := fast_room_down p r alpha in
   negb (number_mantissa room =? 0) &&
   FumataLe_b (fast_term_up p r alpha) (FumataMulDown room (FumataFixedDown v))).

Lemma step_accepts_sound : forall p r alpha v, step_accepts p r alpha v = true -> FumataStep p r alpha v.
Proof.
  intros p r alpha v H. unfold step_accepts in H. rewrite fast_room_down_is, fast_term_up_is in H.
  apply orb_true_iff in H. destruct H as [H|H].
  - left. apply Z.eqb_eq. exact H.
  - right. cbv zeta in *. apply andb_true_iff in H. destruct H as [H1 H2]. split; [|apply FumataLe_true; exact H2].
    apply negb_true_iff, Z.eqb_neq in H1. exact H1.
Qed.

(* One scan of the table: words in order, and every step both ways. *)
Fixpoint table_accepts (alpha v before : Z) (table : list Z) : bool :=
  match table with
  | [] => true
  | p :: rest => (1 <=? p) && (p <=? before) && step_accepts before p alpha v && step_accepts p before alpha v &&
                 table_accepts alpha v p rest
  end.

Definition meter_passes (exp : fumata_number) (plan : fumata_meter_plan) (claim : fumata_claim) : bool :=
  fits_accepts claim && claim_accepts claim && (4294967296 <=? claim_v claim) &&
  (meter_plan_size plan <=? FUMATA_TABLE_MAX) && (1 <=? meter_plan_limit plan) &&
  (meter_plan_limit plan <=? FUMATA_SILENCES_MAX) &&
  match meter_plan_silence plan with
  | [] => false
  | p :: rest =>
      (1 <=? p) && (p <? 2 ^ 64) && table_accepts (claim_alpha claim) (claim_v claim) p rest &&
      FumataLe_b (FumataPowUp (FumataInverseUp p) (claim_alpha claim - 1)) (FumataFixedDown (claim_v claim)) &&
      total_accepts exp claim (meter_plan_limit plan) (FumataFixedUp (claim_v claim))
        (FumataShareUp (FumataOtherCoins p))
  end.
Definition meter_accepts (plan : fumata_meter_plan) (claim : fumata_claim) : bool :=
  meter_passes (exp_of claim) plan claim.

Lemma table_accepts_sound : forall alpha v table before, table_accepts alpha v before table = true ->
  forall i, 1 <= i < Z.of_nat (length (before :: table)) ->
  1 <= at_index (before :: table) i <= at_index (before :: table) (i - 1) /\
  FumataStepAt (before :: table) i alpha v.
Proof.
  intros alpha v table. induction table as [|p rest IH]; intros before H i Hi; [simpl in Hi; lia|].
  simpl in H. rewrite !andb_true_iff, !Z.leb_le in H. destruct H as [[[[H1 H2] H3] H4] H5].
  assert (Next : forall j, 0 <= j -> at_index (before :: p :: rest) (j + 1) = at_index (p :: rest) j).
  { intros j Hj. unfold at_index. replace (Z.to_nat (j + 1)) with (S (Z.to_nat j)) by lia. reflexivity. }
  destruct (Z.eq_dec i 1) as [E|E].
  - subst i. unfold FumataStepAt. change (at_index (before :: p :: rest) 1) with p.
    change (at_index (before :: p :: rest) (1 - 1)) with before.
    split; [lia|]. split; apply step_accepts_sound; assumption.
  - specialize (IH p H5 (i - 1) ltac:(simpl in *; lia)). unfold FumataStepAt in *.
    rewrite <- !Next in IH by lia. replace (i - 1 - 1 + 1) with (i - 1) in IH by lia.
    replace (i - 1 + 1) with i in IH by lia. exact IH.
Qed.

Theorem meter_accepts_sound : forall plan claim, meter_accepts plan claim = true ->
  fumata_claim_fits claim /\ FumataMeterIsCertified plan claim.
Proof.
  intros [table limit] claim H. unfold meter_accepts, meter_passes in H. cbn [meter_plan_silence meter_plan_limit] in H.
  apply andb_prop in H as [[[[[[F C]%andb_prop V%Z.leb_le]%andb_prop Sz%Z.leb_le]%andb_prop L1%Z.leb_le]%andb_prop
    L2%Z.leb_le]%andb_prop T].
  destruct table as [|p rest]; [discriminate|].
  apply andb_prop in T as [[[[T1%Z.leb_le T2%Z.ltb_lt]%andb_prop T3]%andb_prop T4]%andb_prop T5].
  change (2 ^ 64) with 18446744073709551616 in T2.
  assert (Scan := table_accepts_sound _ _ _ _ T3).
  assert (Range : forall n, (n < length (p :: rest))%nat -> 1 <= at_index (p :: rest) (Z.of_nat n) <= p).
  { induction n as [|n IH]; intros Hn; [change (at_index (p :: rest) (Z.of_nat 0)) with p; lia|].
    specialize (IH ltac:(lia)). destruct (Scan (Z.of_nat (S n)) ltac:(lia)) as [R _].
    replace (Z.of_nat (S n) - 1) with (Z.of_nat n) in R by lia. lia. }
  split; [apply fits_accepts_sound; exact F|].
  split; [split; [apply claim_accepts_sound; exact C|exact V]|]. split; [|split; [|split]].
  - split; [split; [unfold meter_plan_size; simpl; lia|exact Sz]|]. split; [|split; [split; assumption|]].
    + intros i Hi. unfold meter_plan_size in Hi. cbn [meter_plan_silence] in *.
      specialize (Range (Z.to_nat i) ltac:(lia)). rewrite Z2Nat.id in Range by lia. lia.
    + unfold meter_plan_size. cbn [meter_plan_silence]. split; intros i Hi.
      * specialize (Range (Z.to_nat i) ltac:(lia)). rewrite Z2Nat.id in Range by lia. lia.
      * destruct (Scan i ltac:(lia)) as [R _]. lia.
  - intros i Hi. unfold meter_plan_size in Hi. cbn [meter_plan_silence] in *. apply Scan. lia.
  - apply FumataLe_true. exact T4.
  - apply total_accepts_sound. exact T5.
Qed.

(* The toll, beginning with half of the words at distance 0. *)
Definition toll_step_accepts (p r alpha u : Z) : bool :=
  (p =? r) ||
  FumataLe_b (FumataAddUp (fast_term_up p r alpha) (fast_term_up (FumataOtherCoins p) (FumataOtherCoins r) alpha))
    (FumataFixedDown u).

Lemma toll_step_accepts_sound : forall p r alpha u, toll_step_accepts p r alpha u = true -> FumataTollStep p r alpha u.
Proof.
  intros p r alpha u H. unfold toll_step_accepts in H. rewrite !fast_term_up_is in H. apply FumataTollStep_true. exact H.
Qed.

Fixpoint named_accepts (alpha u before : Z) (table : list Z) : bool :=
  match table with
  | [] => true
  | p :: rest => (before <=? p) && (p <? 2 ^ 64) && toll_step_accepts before p alpha u &&
                 toll_step_accepts p before alpha u && named_accepts alpha u p rest
  end.

Lemma named_accepts_sound : forall alpha u table before, named_accepts alpha u before table = true ->
  forall i, 0 <= i < Z.of_nat (length table) ->
  let row j := if j =? 0 then before else at_index table (j - 1) in
  row i <= row (i + 1) < 2 ^ 64 /\ FumataTollStep (row i) (row (i + 1)) alpha u /\
  FumataTollStep (row (i + 1)) (row i) alpha u.
Proof.
  intros alpha u table. induction table as [|p rest IH]; intros before H i Hi; [simpl in Hi; lia|].
  cbn [named_accepts] in H. rewrite !andb_true_iff, Z.leb_le, Z.ltb_lt in H. destruct H as [[[[H1 H2] H3] H4] H5].
  cbv beta zeta. destruct (Z.eqb_spec (i + 1) 0); [lia|]. replace (i + 1 - 1) with i by lia.
  destruct (Z.eqb_spec i 0) as [->|E].
  - change (at_index (p :: rest) 0) with p. split; [split; assumption|]. split; apply toll_step_accepts_sound; assumption.
  - specialize (IH p H5 (i - 1) ltac:(simpl in Hi; lia)). cbv beta zeta in IH.
    replace (i - 1 + 1) with i in IH by lia. destruct (Z.eqb_spec i 0); [lia|].
    assert (Next : forall j, 0 < j -> at_index (p :: rest) j = at_index rest (j - 1)).
    { intros j Hj. unfold at_index. replace (Z.to_nat j) with (S (Z.to_nat (j - 1))) by lia. reflexivity. }
    rewrite (Next i) by lia. destruct (Z.eqb_spec (i - 1) 0) as [E1|E1].
    + replace i with 1 in * by lia. exact IH.
    + rewrite (Next (i - 1)) by lia. exact IH.
Qed.

Definition toll_passes (exp : fumata_number) (plan : fumata_toll_plan) (claim : fumata_claim) : bool :=
  fits_accepts claim && claim_accepts claim && (4294967296 <=? claim_u claim) &&
  (1 <=? toll_plan_size plan) && (toll_plan_size plan <=? FUMATA_TABLE_MAX) && (1 <=? toll_plan_limit plan) &&
  (toll_plan_limit plan <=? FUMATA_ANSWERS_MAX) &&
  named_accepts (claim_alpha claim) (claim_u claim) 9223372036854775808 (toll_plan_named plan) &&
  moment_accepts exp (FumataDeltaDown (claim_delta_num claim) (claim_delta_den claim))
    (fast_moment_up (claim_alpha claim) (toll_plan_limit plan) (FumataFixedUp (claim_u claim))).
Definition toll_accepts (plan : fumata_toll_plan) (claim : fumata_claim) : bool := toll_passes (exp_of claim) plan claim.

Theorem toll_accepts_sound : forall plan claim, toll_accepts plan claim = true ->
  fumata_claim_fits claim /\ FumataTollIsCertified plan claim.
Proof.
  intros [table limit] claim H. unfold toll_accepts, toll_passes in H. cbn [toll_plan_named toll_plan_limit] in H.
  apply andb_prop in H as [[[[[[[[F C]%andb_prop U%Z.leb_le]%andb_prop S1%Z.leb_le]%andb_prop S2%Z.leb_le]%andb_prop
    L1%Z.leb_le]%andb_prop L2%Z.leb_le]%andb_prop T]%andb_prop M]. rewrite fast_moment_up_is in M.
  pose proof (named_accepts_sound _ _ _ _ T) as Scan. cbv beta zeta in Scan. unfold toll_plan_size in *.
  cbn [toll_plan_named] in *. change (2 ^ 64) with 18446744073709551616 in Scan.
  assert (Range : forall n, (n < length table)%nat -> 9223372036854775808 <= at_index table (Z.of_nat n) < 2 ^ 64).
  { change (2 ^ 64) with 18446744073709551616. induction n as [|n IH]; intros Hn.
    - destruct (Scan 0 ltac:(lia)) as [R _]. simpl in R. exact R.
    - specialize (IH ltac:(lia)). destruct (Scan (Z.of_nat (S n)) ltac:(lia)) as [R _].
      destruct (Z.eqb_spec (Z.of_nat (S n)) 0); [lia|]. destruct (Z.eqb_spec (Z.of_nat (S n) + 1) 0); [lia|].
      replace (Z.of_nat (S n) + 1 - 1) with (Z.of_nat (S n)) in R by lia.
      replace (Z.of_nat (S n) - 1) with (Z.of_nat n) in R by lia. lia. }
  change (2 ^ 64) with 18446744073709551616 in Range.
  split; [apply fits_accepts_sound; exact F|].
  split; [split; [apply claim_accepts_sound; exact C|exact U]|]. split; [|split; [|unfold FumataTollTotal; apply moment_accepts_sound; exact M]].
  - split; [split; assumption|]. cbn [toll_plan_named toll_plan_limit]. unfold toll_plan_size. cbn [toll_plan_named].
    split; [|split; [split; assumption|split]].
    + intros i Hi. specialize (Range (Z.to_nat i) ltac:(lia)). rewrite Z2Nat.id in Range by lia. lia.
    + intros i Hi. specialize (Range (Z.to_nat i) ltac:(lia)). rewrite Z2Nat.id in Range by lia. lia.
    + intros i Hi. destruct (Scan i ltac:(lia)) as [R _]. destruct (Z.eqb_spec i 0); [lia|].
      destruct (Z.eqb_spec (i + 1) 0); [lia|]. replace (i + 1 - 1) with i in R by lia. lia.
  - intros i Hi. unfold toll_plan_size in Hi. cbn [toll_plan_named] in *. exact (proj2 (Scan i Hi)).
Qed.

Definition budget_accepts (plan : fumata_budget_plan) (claim : fumata_claim) : bool :=
  let '(Build_fumata_budget_plan meter toll) := plan in let exp := exp_of claim in
  meter_passes exp meter claim && toll_passes exp toll claim &&
  moment_accepts exp (FumataLeftDown (claim_delta_num claim) (claim_delta_den claim) (meter_plan_limit meter)
      (FumataShareUp (FumataOtherCoins (at_index (meter_plan_silence meter) 0))))
    (fast_budget_moment_up meter toll claim).

Theorem budget_accepts_sound : forall plan claim, budget_accepts plan claim = true ->
  fumata_claim_fits claim /\ FumataBudgetIsCertified plan claim.
Proof.
  intros [meter toll] claim H. unfold budget_accepts in H. cbv zeta in H.
  fold (meter_accepts meter claim) (toll_accepts toll claim) in H.
  apply andb_prop in H as [[M T]%andb_prop B]. rewrite fast_budget_moment_up_is in B.
  apply meter_accepts_sound in M. apply toll_accepts_sound in T.
  split; [apply M|]. split; [apply M|]. split; [apply T|]. unfold FumataBudgetTotal.
  apply moment_accepts_sound. exact B.
Qed.

(* Noise: words in order, `step` apart at least. *)
Fixpoint rises (step before : Z) (cdf : list Z) : bool :=
  match cdf with
  | [] => true
  | c :: rest => (before + step <=? c) && (c <? 2 ^ 64) && rises step c rest
  end.

Definition noise_accepts (step : Z) (noise : fumata_noise) : bool :=
  (noise_size noise <=? FUMATA_NOISE_MAX) && (- FUMATA_NOISE_RANGE <=? noise_first noise) &&
  (noise_first noise <=? FUMATA_NOISE_RANGE) &&
  match noise_cdf noise with [] => false | c :: rest => (1 <=? c) && (c <? 2 ^ 64) && rises step c rest end.

Lemma rises_sound : forall step cdf before, 0 <= step -> rises step before cdf = true ->
  forall i, 1 <= i < Z.of_nat (length (before :: cdf)) ->
  at_index (before :: cdf) (i - 1) + step <= at_index (before :: cdf) i < 2 ^ 64.
Proof.
  intros step cdf. induction cdf as [|c rest IH]; intros before Hs H i Hi; [simpl in Hi; lia|].
  simpl in H. rewrite !andb_true_iff, Z.leb_le, Z.ltb_lt in H. destruct H as [[H1 H2] H3].
  assert (Next : forall j, 0 <= j -> at_index (before :: c :: rest) (j + 1) = at_index (c :: rest) j).
  { intros j Hj. unfold at_index. replace (Z.to_nat (j + 1)) with (S (Z.to_nat j)) by lia. reflexivity. }
  destruct (Z.eq_dec i 1) as [E|E].
  - subst i. change (at_index (before :: c :: rest) 1) with c. change (at_index (before :: c :: rest) (1 - 1)) with
    before.
    change (2 ^ 64) with 18446744073709551616. lia.
  - specialize (IH c Hs H3 (i - 1) ltac:(simpl in *; lia)).
    rewrite <- !Next in IH by lia. replace (i - 1 - 1 + 1) with (i - 1) in IH by lia.
    replace (i - 1 + 1) with i in IH by lia. exact IH.
Qed.

Lemma noise_accepts_sound : forall step noise, 0 <= step -> noise_accepts step noise = true ->
  FumataNoiseOk noise /\ 1 <= at_index (noise_cdf noise) 0 /\
  (forall i, 1 <= i < noise_size noise -> at_index (noise_cdf noise) (i - 1) + step <= at_index (noise_cdf noise) i).
Proof.
  intros step [cdf first] Hs H. unfold noise_accepts in H. cbn [noise_cdf noise_first] in *.
  rewrite !andb_true_iff, !Z.leb_le in H. destruct H as [[[S1 S2] S3] T]. destruct cdf as [|c rest]; [discriminate|].
  rewrite !andb_true_iff, !Z.leb_le, Z.ltb_lt in T. destruct T as [[T1 T2] T3].
  pose proof (rises_sound step rest c Hs T3) as R. change (2 ^ 64) with 18446744073709551616 in *.
  assert (Size : noise_size {| noise_cdf := c :: rest; noise_first := first |} = Z.of_nat (length (c :: rest))) by
    reflexivity.
  assert (Up : forall n m, (m + n < length (c :: rest))%nat ->
    at_index (c :: rest) (Z.of_nat m) <= at_index (c :: rest) (Z.of_nat (m + n))).
  { induction n as [|n IH]; intros m Hm; [rewrite Nat.add_0_r; lia|]. specialize (IH m ltac:(lia)).
    specialize (R (Z.of_nat (m + S n)) ltac:(lia)).
    replace (Z.of_nat (m + S n) - 1) with (Z.of_nat (m + n)) in R by lia. lia. }
  assert (C0 : at_index (c :: rest) 0 = c) by reflexivity.
  split; [|split; [lia|intros i Hi; rewrite Size in Hi; apply R; lia]].
  split; [rewrite Size; simpl length; split; [lia|rewrite <- Size in *; exact S1]|].
  split; [split; assumption|]. rewrite Size. cbn [noise_cdf]. split.
  - intros i Hi. pose proof (Up (Z.to_nat i) 0%nat ltac:(lia)) as U. simpl Nat.add in U. rewrite Z2Nat.id in U by lia.
    change (Z.of_nat 0) with 0 in U. destruct (Z.eq_dec i 0) as [E|E]; [subst i; lia|]. specialize (R i ltac:(lia)).
    lia.
  - intros i j Hij. pose proof (Up (Z.to_nat (j - i)) (Z.to_nat i) ltac:(lia)) as U.
    replace (Z.of_nat (Z.to_nat i + Z.to_nat (j - i))) with j in U by lia. rewrite Z2Nat.id in U by lia. exact U.
Qed.

Definition classic_accepts (plan : fumata_classic_plan) (claim : fumata_claim) : bool :=
  fits_accepts claim && claim_accepts claim && noise_accepts 1 (classic_plan_threshold plan) &&
  noise_accepts 0 (classic_plan_query plan) && (- FUMATA_NOISE_RANGE <=? classic_plan_width plan) &&
  (classic_plan_width plan <=? FUMATA_NOISE_RANGE) && (1 <=? classic_plan_limit plan) &&
  (classic_plan_limit plan <=? FUMATA_SILENCES_MAX) &&
  total_accepts (exp_of claim) claim (classic_plan_limit plan) (FumataResponseUp (FumataClassicRatioUp plan) (claim_alpha claim))
    (FumataClassicLossUp plan).

Theorem classic_accepts_sound : forall plan claim, classic_accepts plan claim = true ->
  fumata_claim_fits claim /\ FumataClassicIsCertified plan claim.
Proof.
  intros plan claim H. unfold classic_accepts in H.
  apply andb_prop in H as [[[[[[[[F C]%andb_prop T]%andb_prop Q]%andb_prop W1%Z.leb_le]%andb_prop W2%Z.leb_le]%andb_prop
    L1%Z.leb_le]%andb_prop L2%Z.leb_le]%andb_prop Total].
  destruct (noise_accepts_sound 1 _ ltac:(lia) T) as [T1 [T2 T3]].
  destruct (noise_accepts_sound 0 _ ltac:(lia) Q) as [Q1 [Q2 _]].
  split; [apply fits_accepts_sound; exact F|]. split; [apply claim_accepts_sound; exact C|].
  split; [split; [exact T1|]; split; [exact Q1|]; split; split; assumption|].
  split; [|split; [exact Q2|apply total_accepts_sound; exact Total]].
  intros j Hj. unfold FumataCoins. destruct (Z.leb_spec j 0); [exact T2|].
  destruct (Z.ltb_spec j (noise_size (classic_plan_threshold plan))); [|lia]. specialize (T3 j ltac:(lia)). lia.
Qed.
