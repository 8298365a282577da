(* A meter that the core accepts (specs/certify_meter.acsl) satisfies the hypotheses of Theorem M with its own table,
   and Theorem M's delta is at most the claimed one. *)
From Coq Require Import Reals Lra Lia Psatz ZArith List Bool.
From Fumata Require Import SpecBase SpecPlan SpecRound SpecCertifyTotal SpecCertifyMeter Statement Power Divergence
  Game TheoremM Coins Rounding CertificateTotal.
Import ListNotations.
Local Open Scope R_scope.
Local Opaque FumataMulUp FumataMulDown FumataDivUp FumataDivDown FumataAddUp FumataAddDown FumataSubDown FumataPowUp
  FumataPowDown FumataWholeUp FumataWholeDown FumataShareUp FumataShareDown FumataFixedUp FumataFixedDown.
Local Opaque FumataRatioUp FumataRatioDown FumataSeriesUp FumataSeriesDown FumataInverseUp.

(* 1 + x + ... + x^n. *)
Fixpoint geometric (x : R) (n : nat) : R :=
  match n with O => 1 | S m => 1 + x * geometric x m end.

Lemma geometric_sum : forall x n, (1 - x) * geometric x n = 1 - x ^ S n.
Proof.
  intros x n. induction n as [|n IH]; [simpl; ring|]. cbn [geometric].
  replace ((1 - x) * (1 + x * geometric x n)) with (1 - x + x * ((1 - x) * geometric x n)) by ring.
  rewrite IH. simpl. ring.
Qed.

Lemma geometric_nonneg : forall x n, 0 <= x -> 0 <= geometric x n.
Proof. intros x n Hx. induction n as [|n IH]; simpl; [lra|]. nra. Qed.

Lemma series_up : forall x a n, (1 <= n)%Z -> above x a -> 0 <= a ->
  above (FumataSeriesUp x n) (geometric a (Z.to_nat n - 1)).
Proof.
  intros x a n Hn A Ha. replace n with (n - 1 + 1)%Z by lia. generalize (n - 1)%Z as m, (ltac:(lia) : (0 <= n - 1)%Z).
  intros m Hm. pattern m. apply natlike_ind; [|clear m Hm|exact Hm].
  - rewrite FumataSeriesUp_acsl. simpl. apply one_above.
  - intros m Hm IH. rewrite FumataSeriesUp_acsl. destruct (Z.leb_spec (Z.succ m + 1) 1); [lia|].
    replace (Z.succ m + 1 - 1)%Z with (m + 1)%Z by lia.
    replace (Z.to_nat (Z.succ m + 1) - 1)%nat with (S (Z.to_nat (m + 1) - 1)) by lia. cbn [geometric].
    apply add_up; [apply one_above|]. apply mul_up; [exact A|exact IH|exact Ha|apply geometric_nonneg; exact Ha].
Qed.

Lemma series_down : forall x a n, (1 <= n)%Z -> below_of x a ->
  below_of (FumataSeriesDown x n) (geometric a (Z.to_nat n - 1)).
Proof.
  intros x a n Hn A. replace n with (n - 1 + 1)%Z by lia. generalize (n - 1)%Z as m, (ltac:(lia) : (0 <= n - 1)%Z).
  intros m Hm. pattern m. apply natlike_ind; [|clear m Hm|exact Hm].
  - rewrite FumataSeriesDown_acsl. simpl. apply one_below.
  - intros m Hm IH. rewrite FumataSeriesDown_acsl. destruct (Z.leb_spec (Z.succ m + 1) 1); [lia|].
    replace (Z.succ m + 1 - 1)%Z with (m + 1)%Z by lia.
    replace (Z.to_nat (Z.succ m + 1) - 1)%nat with (S (Z.to_nat (m + 1) - 1)) by lia. cbn [geometric].
    apply add_down; [apply one_below|]. apply mul_down; assumption.
Qed.

(* 1 - q (q / s)^(alpha - 1), in the form that loses no digits. *)
Lemma room_form : forall p r n, 0 < p < 1 -> 0 < r < 1 ->
  r + (p - r) * geometric ((1 - p) / (1 - r)) n = 1 - moment n (1 - p) (1 - r).
Proof.
  intros p r n Hp Hr. set (x := (1 - p) / (1 - r)).
  replace (p - r) with ((1 - r) * (1 - x)) by (unfold x; field; lra).
  rewrite Rmult_assoc, geometric_sum. unfold moment. fold x.
  replace (1 - p) with ((1 - r) * x) by (unfold x; field; lra). simpl. ring.
Qed.

Lemma room_sound : forall p r alpha, word p -> word r -> (2 <= alpha)%Z -> p <> r ->
  number_mantissa (FumataRoomDown p r alpha) <> 0%Z ->
  below_of (FumataRoomDown p r alpha) (1 - moment (Z.to_nat alpha - 1) (1 - share p) (1 - share r)).
Proof.
  intros p r alpha Hp Hr Ha Hn. rewrite <- room_form by (apply share_pos; assumption). unfold FumataRoomDown.
  pose proof (other_word p Hp) as Wp. pose proof (other_word r Hr) as Wr.
  pose proof (share_pos _ Wp) as Sp. pose proof (share_pos _ Wr) as Sr.
  rewrite <- !other_share.
  destruct (Z.ltb_spec r p) as [H|H].
  - intros _. apply add_down; [apply share_lower; exact Hr|].
    apply mul_down; [|apply series_down; [lia|apply ratio_down; assumption]].
    replace (share p - share r) with (share (p - r)) by (unfold share; rewrite minus_IZR; field).
    apply share_lower. unfold word in *. lia.
  - intros Hm.
    replace (share r + (share p - share r) * geometric (share (FumataOtherCoins p) / share (FumataOtherCoins r))
        (Z.to_nat alpha - 1))
      with (share r - share (r - p) * geometric (share (FumataOtherCoins p) / share (FumataOtherCoins r))
        (Z.to_nat alpha - 1)) by (unfold share; rewrite minus_IZR; field; pose proof (word_pos _ Wr); lra).
    assert (W : word (r - p)) by (unfold word in *; lia).
    assert (Q : 0 <= share (FumataOtherCoins p) / share (FumataOtherCoins r)).
    { unfold Rdiv. apply Rmult_le_pos; [lra|]. left. apply Rinv_0_lt_compat. lra. }
    apply sub_down; [apply share_lower; exact Hr| |exact Hm].
    apply mul_up; [apply share_upper; exact W| | |].
    + apply series_up; [lia|apply ratio_up; assumption|exact Q].
    + pose proof (share_pos _ W). lra.
    + apply geometric_nonneg. exact Q.
Qed.

(* Theorem M (a). *)
Lemma step_sound : forall p r alpha v, word p -> word r -> (2 <= alpha)%Z -> (4294967296 <= v)%Z -> word v ->
  FumataStep p r alpha v ->
  moment (Z.to_nat alpha - 1) (share p) (share r) +
  moment (Z.to_nat alpha - 1) (1 - share p) (1 - share r) * (IZR v / 4294967296) <= IZR v / 4294967296.
Proof.
  intros p r alpha v Hp Hr Ha Hv Wv H. pose proof (share_pos p Hp) as Sp.
  assert (V1 : 1 <= IZR v / 4294967296) by (apply IZR_le in Hv; lra).
  destruct (Z.eq_dec p r) as [E|E]; [subst r; rewrite !moment_same by lra; nra|].
  destruct H as [H|[Hm H]]; [contradiction|].
  pose proof (le_sound _ _ _ _ (term_sound p r alpha Hp Hr Ha)
    (mul_down _ _ _ _ (room_sound p r alpha Hp Hr Ha E Hm) (fixed_down v Wv)) H) as L. lra.
Qed.

(* Theorem M (b). *)
Lemma first_sound : forall p alpha v, word p -> (2 <= alpha)%Z -> word v -> FumataFirst p alpha v ->
  moment (Z.to_nat alpha - 1) 1 (share p) <= IZR v / 4294967296.
Proof.
  intros p alpha v Hp Ha Wv H. pose proof (share_pos p Hp) as Sp. unfold moment. rewrite Rmult_1_l.
  replace (Z.to_nat alpha - 1)%nat with (Z.to_nat (alpha - 1)) by lia.
  apply (le_sound (FumataPowUp (FumataInverseUp p) (alpha - 1)) (FumataFixedDown v)); [|apply fixed_down;
    exact Wv|exact H].
  apply pow_up; [lia|apply inverse_up; exact Hp|].
  unfold Rdiv. rewrite Rmult_1_l. left. apply Rinv_0_lt_compat. lra.
Qed.

(* The table that the game uses, by distance, is the table of the plan, by index. *)
Lemma silence_is_share : forall plan d, (1 <= d)%nat ->
  silence (meter_plan_silence plan) d =
  share (at_index (meter_plan_silence plan) (Z.of_nat (Nat.min d (length (meter_plan_silence plan))) - 1)).
Proof.
  intros plan d Hd. unfold silence, silent_words, share, at_index, entry.
  replace (d =? 0)%nat with false by (symmetry; apply Nat.eqb_neq; lia).
  change words with 18446744073709551616%Z.
  replace (Z.to_nat (Z.of_nat (Nat.min d (length (meter_plan_silence plan))) - 1))
    with (Nat.min d (length (meter_plan_silence plan)) - 1)%nat by lia.
  reflexivity.
Qed.

Lemma plan_entry : forall plan i, FumataMeterPlanOk plan -> (0 <= i < meter_plan_size plan)%Z ->
  word (at_index (meter_plan_silence plan) i).
Proof.
  intros plan i [_ [Hr [_ [Ht _]]]] Hi. specialize (Hr i Hi). specialize (Ht i Hi). unfold word. lia.
Qed.

Lemma plan_in_range : forall plan, FumataMeterPlanOk plan -> in_range (meter_plan_silence plan).
Proof.
  intros plan Hp d Hd. pose proof (proj1 Hp) as Hs. unfold FumataTableSizeOk, meter_plan_size in *.
  pose proof (plan_entry plan (Z.of_nat (Nat.min d (length (meter_plan_silence plan)) - 1)) Hp
    ltac:(unfold meter_plan_size; lia)) as He.
  unfold word, at_index in He. rewrite Nat2Z.id in He. unfold entry.
  change words with 18446744073709551616%Z. lia.
Qed.

(* What is certified satisfies the hypotheses of Theorem M ... *)
Theorem certified_priced : forall plan claim, fumata_claim_fits claim -> FumataMeterIsCertified plan claim ->
  priced (silence (meter_plan_silence plan)) (Z.to_nat (claim_alpha claim)) (price claim).
Proof.
  intros plan claim Hfit [[[He [He' [Hd Ha]]] Hv] [Hp [Hstep [Hfirst _]]]].
  assert (Wv : word (claim_v claim)) by (unfold word, fumata_claim_fits in *; lia).
  assert (HV : 1 <= price claim) by (unfold price; apply IZR_le in Hv; lra).
  assert (Hsize : (1 <= length (meter_plan_silence plan))%nat).
  { destruct Hp as [Hs _]. unfold FumataTableSizeOk, meter_plan_size in Hs. lia. }
  assert (Ha2 : (2 <= claim_alpha claim)%Z) by lia.
  assert (Hopen : forall d, (1 <= d)%nat -> 0 < silence (meter_plan_silence plan) d < 1).
  { intros d H1. rewrite silence_is_share by assumption.
    apply share_pos, plan_entry; [exact Hp|]. unfold meter_plan_size. lia. }
  constructor.
  - lia.
  - exact HV.
  - unfold silence, silent_words. simpl (0 =? 0)%nat. cbv iota. change words with 18446744073709551616%Z. lra.
  - exact Hopen.
  - intros i j Hi Hj Hadj. set (size := length (meter_plan_silence plan)) in *.
    destruct (Nat.eq_dec (Nat.min i size) (Nat.min j size)) as [E|E].
    + assert (Es : silence (meter_plan_silence plan) i = silence (meter_plan_silence plan) j).
      { rewrite !silence_is_share by assumption. fold size. rewrite E. reflexivity. }
      rewrite Es. specialize (Hopen j Hj). rewrite !moment_same by lra. nra.
    + rewrite !silence_is_share by assumption. fold size.
      destruct Hadj as [Ej|Ei]; [rewrite Ej in *|rewrite Ei in *].
      * destruct (Hstep (Z.of_nat i) ltac:(unfold meter_plan_size; fold size; lia)) as [G _].
        replace (Z.of_nat (Nat.min i size) - 1)%Z with (Z.of_nat i - 1)%Z by lia.
        replace (Z.of_nat (Nat.min (S i) size) - 1)%Z with (Z.of_nat i) by lia.
        apply step_sound; try assumption; apply plan_entry; try exact Hp; unfold meter_plan_size; fold size; lia.
      * destruct (Hstep (Z.of_nat j) ltac:(unfold meter_plan_size; fold size; lia)) as [_ G].
        replace (Z.of_nat (Nat.min j size) - 1)%Z with (Z.of_nat j - 1)%Z by lia.
        replace (Z.of_nat (Nat.min (S j) size) - 1)%Z with (Z.of_nat j) by lia.
        apply step_sound; try assumption; apply plan_entry; try exact Hp; unfold meter_plan_size; fold size; lia.
  - rewrite silence_is_share by lia.
    replace (Z.of_nat (Nat.min 1 (length (meter_plan_silence plan))) - 1)%Z with 0%Z by lia.
    apply first_sound; try assumption. apply plan_entry; [exact Hp|]. unfold meter_plan_size. lia.
Qed.

(* ... and the delta of Theorem M is at most the claimed one. *)
Theorem certified_delta : forall plan claim, fumata_claim_fits claim -> FumataMeterIsCertified plan claim ->
  delta_M (Z.to_nat (claim_alpha claim)) (price claim) (Z.to_nat (meter_plan_limit plan))
    (silence (meter_plan_silence plan) 1) (epsilon_of claim) <= delta_of claim.
Proof.
  intros plan claim Hfit [[Hclaim Hv] [Hp [_ [_ Htotal]]]].
  assert (Wv : word (claim_v claim)) by (unfold word, fumata_claim_fits in *; lia).
  pose proof Hp as [Hs [_ [Hl _]]]. unfold FumataTableSizeOk, meter_plan_size in Hs.
  assert (W0 : word (at_index (meter_plan_silence plan) 0)).
  { apply plan_entry; [exact Hp|]. unfold meter_plan_size. lia. }
  pose proof (share_pos _ (other_word _ W0)) as S0.
  assert (HV : 0 <= price claim) by (unfold price; apply IZR_le in Hv; lra).
  pose proof (total_sound claim (meter_plan_limit plan) _ _ (price claim)
    (share (FumataOtherCoins (at_index (meter_plan_silence plan) 0)))
    Hfit Hclaim Hl (fixed_up (claim_v claim) Wv) HV (share_upper _ (other_word _ W0)) ltac:(lra) Htotal) as T.
  unfold delta_M. rewrite silence_is_share by lia.
  replace (Z.of_nat (Nat.min 1 (length (meter_plan_silence plan))) - 1)%Z with 0%Z by lia.
  unfold FumataLimitOk in Hl. rewrite (INR_IZR_INZ (Z.to_nat (meter_plan_limit plan))), Z2Nat.id by lia.
  rewrite other_share in T. exact T.
Qed.
