(* The last inequality of Theorems M, C, T and J: when the integer predicate of specs/certify_total.acsl holds, the real one
   does. Every bound is on the side that the rounding promises. *)
From Coq Require Import Reals Lra Lia Psatz ZArith.
From Fumata Require Import SpecBase SpecPlan SpecRound SpecCertifyTotal Statement Power Divergence Rounding.
Local Open Scope R_scope.
Local Opaque FumataMulUp FumataMulDown FumataDivUp FumataDivDown FumataAddUp FumataAddDown FumataSubDown FumataPowUp
  FumataPowDown FumataWholeUp FumataWholeDown FumataShareUp FumataShareDown FumataFixedUp FumataFixedDown.

(* A number of words as a probability, and a number with 32 binary places. *)
Definition share (coins : Z) : R := IZR coins / 18446744073709551616.
Definition price (claim : fumata_claim) : R := IZR (claim_v claim) / 4294967296.
Definition answer_price (claim : fumata_claim) : R := IZR (claim_u claim) / 4294967296.
Definition epsilon_of (claim : fumata_claim) : R := IZR (claim_epsilon_num claim) / IZR (claim_epsilon_den claim).
Definition delta_of (claim : fumata_claim) : R := IZR (claim_delta_num claim) / IZR (claim_delta_den claim).

(* What fits a word, and is not zero. *)
Definition word (n : Z) : Prop := (1 <= n < 18446744073709551616)%Z.

Lemma word_pos : forall n, word n -> 0 < IZR n.
Proof. intros n H. apply IZR_lt. unfold word in H. lia. Qed.

Lemma share_pos : forall n, word n -> 0 < share n < 1.
Proof.
  intros n H. unfold share, word in *. assert (1 <= IZR n) by (apply IZR_le; lia).
  assert (IZR n < 18446744073709551616) by (apply IZR_lt; lia). lra.
Qed.

Lemma other_word : forall n, word n -> word (FumataOtherCoins n).
Proof. unfold word, FumataOtherCoins. intros n H. lia. Qed.

Lemma other_share : forall n, share (FumataOtherCoins n) = 1 - share n.
Proof. intros n. unfold share, FumataOtherCoins. rewrite minus_IZR. field. Qed.

Lemma share_ratio : forall a b, word b -> share a / share b = IZR a / IZR b.
Proof. intros a b H. pose proof (word_pos b H). unfold share. field. lra. Qed.

Lemma share_upper : forall n, word n -> above (FumataShareUp n) (share n).
Proof. intros n H. apply share_up. exact H. Qed.

Lemma share_lower : forall n, word n -> below_of (FumataShareDown n) (share n).
Proof. intros n H. apply share_down. exact H. Qed.

Lemma ratio_up : forall a b, word a -> word b -> above (FumataRatioUp a b) (share a / share b).
Proof.
  intros a b Ha Hb. unfold FumataRatioUp. apply div_up; [apply share_upper; exact Ha|apply share_lower; exact Hb|].
  pose proof (share_pos a Ha). lra.
Qed.

Lemma ratio_down : forall a b, word a -> word b -> below_of (FumataRatioDown a b) (share a / share b).
Proof.
  intros a b Ha Hb. unfold FumataRatioDown. apply div_down; [apply share_lower; exact Ha|apply share_upper; exact Hb|].
  pose proof (share_pos b Hb). lra.
Qed.

Lemma one_above : above (FumataWholeUp 1) 1.
Proof. apply (whole_up 1). lia. Qed.

Lemma one_below : below_of (FumataWholeDown 1) 1.
Proof. apply (whole_down 1). lia. Qed.

Lemma inverse_up : forall b, word b -> above (FumataInverseUp b) (1 / share b).
Proof. intros b Hb. unfold FumataInverseUp. apply div_up; [apply one_above|apply share_lower; exact Hb|lra]. Qed.

(* What one outcome adds to the moment. *)
Lemma term_sound : forall p r alpha, word p -> word r -> (2 <= alpha)%Z ->
  above (FumataTermUp p r alpha) (moment (Z.to_nat alpha - 1) (share p) (share r)).
Proof.
  intros p r alpha Hp Hr Ha. pose proof (share_pos p Hp). pose proof (share_pos r Hr).
  assert (Q : 0 <= share p / share r).
  { unfold Rdiv. apply Rmult_le_pos; [lra|]. left. apply Rinv_0_lt_compat. lra. }
  unfold moment. replace (Z.to_nat alpha - 1)%nat with (Z.to_nat (alpha - 1)) by lia.
  unfold FumataTermUp. apply mul_up; [apply share_upper; exact Hp| |lra|apply pow_le; exact Q].
  apply pow_up; [lia|apply ratio_up; assumption|exact Q].
Qed.

Lemma peak_up : forall alpha, (2 <= alpha <= 4096)%Z -> above (FumataPeakUp alpha) (c_of (Z.to_nat alpha)).
Proof.
  intros alpha Ha.
  assert (E : c_of (Z.to_nat alpha) = 1 / IZR alpha * (IZR (alpha - 1) / IZR alpha) ^ Z.to_nat (alpha - 1)).
  { unfold c_of. rewrite INR_IZR_INZ, Z2Nat.id by lia. replace (Z.to_nat alpha - 1)%nat with (Z.to_nat (alpha - 1)) by
    lia.
    assert (2 <= IZR alpha) by (apply IZR_le; lia). f_equal; [field; lra|]. f_equal. rewrite minus_IZR. field. lra. }
  rewrite E. assert (H2 : 2 <= IZR alpha) by (apply IZR_le; lia).
  assert (H1 : 0 <= IZR (alpha - 1)) by (apply IZR_le; lia).
  assert (Hi : 0 < / IZR alpha) by (apply Rinv_0_lt_compat; lra).
  unfold FumataPeakUp. apply mul_up.
  - apply div_up; [apply one_above|apply whole_down; lia|lra].
  - apply pow_up; [lia| |unfold Rdiv; nra].
    apply div_up; [apply whole_up; lia|apply whole_down; lia|exact H1].
  - unfold Rdiv. lra.
  - apply pow_le. unfold Rdiv. nra.
Qed.

(* (1 + y + y^2 / 2)^65536 at y = (alpha - 1) epsilon / 65536 is at most exp((alpha - 1) epsilon). *)
Lemma exp_down : forall num den alpha, (1 <= num < 4294967296)%Z -> (1 <= den < 4294967296)%Z ->
  (2 <= alpha <= 4096)%Z ->
  below_of (FumataExpDown num den alpha) (exp (INR (Z.to_nat alpha - 1) * (IZR num / IZR den))).
Proof.
  intros num den alpha Hn Hd Ha. unfold FumataExpDown.
  set (y := IZR (num * (alpha - 1)) / IZR (den * 65536)).
  assert (Hden : 0 < IZR (den * 65536)) by (apply IZR_lt; lia).
  assert (Hy : 0 <= y).
  { unfold y, Rdiv. apply Rmult_le_pos; [apply IZR_le; nia|]. left. apply Rinv_0_lt_compat. exact Hden. }
  assert (B : below_of (FumataExponentDown num den alpha) y).
  { unfold FumataExponentDown. apply div_down; [apply whole_down; nia|apply whole_up; lia|exact Hden]. }
  assert (P : below_of (FumataParabolaDown (FumataExponentDown num den alpha)) (1 + (y + y * y / 2))).
  { unfold FumataParabolaDown. apply add_down; [apply one_below|]. apply add_down; [exact B|].
    apply div_down; [apply mul_down; exact B|apply (whole_up 2); lia|lra]. }
  destruct (pow_down _ _ 65536 ltac:(lia) P) as [F V]. split; [exact F|]. eapply Rle_trans; [exact V|].
  replace (Z.to_nat 65536) with (2 ^ 16)%nat by (apply Nat2Z.inj; vm_compute; reflexivity).
  replace (1 + (y + y * y / 2)) with (1 + y + y ^ 2 / 2) by (simpl; field).
  eapply Rle_trans; [apply exp_lower; exact Hy|]. right. f_equal.
  replace (INR (2 ^ 16)) with 65536 by (rewrite INR_IZR_INZ; f_equal; vm_compute; reflexivity).
  unfold y. rewrite !mult_IZR, minus_INR by lia. rewrite minus_IZR, (INR_IZR_INZ (Z.to_nat alpha)), Z2Nat.id by lia.
  assert (0 < IZR den) by (apply IZR_lt; lia). simpl INR. field. lra.
Qed.

(* Delta, and what is left of it after `limit` silences. *)
Lemma delta_sound : forall claim, fumata_claim_fits claim -> FumataClaimOk claim ->
  below_of (FumataDeltaDown (claim_delta_num claim) (claim_delta_den claim)) (delta_of claim).
Proof.
  intros claim Hfit Hclaim. unfold fumata_claim_fits, FumataClaimOk in *.
  apply div_down; [apply whole_down; lia|apply whole_up; lia|apply IZR_lt; lia].
Qed.

Lemma left_sound : forall claim limit loss l, fumata_claim_fits claim -> FumataClaimOk claim -> FumataLimitOk limit ->
  above loss l -> 0 <= l ->
  number_mantissa (FumataLeftDown (claim_delta_num claim) (claim_delta_den claim) limit loss) <> 0%Z ->
  below_of (FumataLeftDown (claim_delta_num claim) (claim_delta_den claim) limit loss) (delta_of claim - IZR limit * l).
Proof.
  intros claim limit loss l Hfit Hclaim Hlimit Hl Hl0 Hleft.
  unfold FumataLeftDown in *. apply sub_down; [apply delta_sound; assumption| |exact Hleft].
  unfold FumataLimitOk, FUMATA_SILENCES_MAX in *. apply mul_up; [apply whole_up; lia|exact Hl|apply IZR_le; lia|exact Hl0].
Qed.

Lemma moment_up : forall alpha limit growth g, (2 <= alpha <= 4096)%Z -> (1 <= limit)%Z -> above growth g -> 0 <= g ->
  above (FumataMomentUp alpha limit growth) (c_of (Z.to_nat alpha) * g ^ Z.to_nat limit).
Proof.
  intros alpha limit growth g Ha Hl Hg Hg0. unfold FumataMomentUp.
  apply mul_up; [apply peak_up; exact Ha|apply pow_up; [lia|exact Hg|exact Hg0]| |apply pow_le; exact Hg0].
  left. apply c_of_pos. lia.
Qed.

(* What FumataFits says about the moment and what is left of delta. *)
Theorem fits_sound : forall claim left moment x m, fumata_claim_fits claim -> FumataClaimOk claim ->
  (number_mantissa left <> 0%Z -> below_of left x) -> above moment m ->
  FumataFits (claim_alpha claim) (claim_epsilon_num claim) (claim_epsilon_den claim) left moment ->
  m * exp (- INR (Z.to_nat (claim_alpha claim) - 1) * epsilon_of claim) <= x.
Proof.
  intros claim left moment x m Hfit Hclaim Left M [Hleft Htotal]. specialize (Left Hleft).
  unfold fumata_claim_fits, FumataClaimOk, FUMATA_ALPHA_MAX in *.
  pose proof (exp_down (claim_epsilon_num claim) (claim_epsilon_den claim) (claim_alpha claim)
    ltac:(lia) ltac:(lia) ltac:(lia)) as E.
  pose proof (le_sound _ _ _ _ M (mul_down _ _ _ _ Left E) Htotal) as T.
  fold (epsilon_of claim) in T. set (e := INR (Z.to_nat (claim_alpha claim) - 1) * epsilon_of claim) in *.
  replace (- INR (Z.to_nat (claim_alpha claim) - 1) * epsilon_of claim) with (- e) by (unfold e; ring).
  rewrite exp_Ropp. pose proof (exp_pos e) as He.
  apply (Rmult_le_compat_r (/ exp e)) in T; [|left; apply Rinv_0_lt_compat; exact He].
  rewrite (Rmult_assoc x), Rinv_r, Rmult_1_r in T by lra. exact T.
Qed.

(* What FumataTotal says about the moment and the loss. *)
Theorem total_sound : forall claim limit growth loss g l, fumata_claim_fits claim -> FumataClaimOk claim ->
  FumataLimitOk limit ->
  above growth g -> 0 <= g -> above loss l -> 0 <= l ->
  FumataTotal (claim_alpha claim) (claim_epsilon_num claim) (claim_epsilon_den claim) (claim_delta_num claim)
    (claim_delta_den claim) limit growth loss ->
  c_of (Z.to_nat (claim_alpha claim)) * g ^ Z.to_nat limit *
    exp (- INR (Z.to_nat (claim_alpha claim) - 1) * epsilon_of claim) + IZR limit * l <= delta_of claim.
Proof.
  intros claim limit growth loss g l Hfit Hclaim Hlimit Hg Hg0 Hl Hl0 Htotal.
  assert (Ha : (2 <= claim_alpha claim <= 4096)%Z) by (unfold FumataClaimOk, FUMATA_ALPHA_MAX in *; lia).
  assert (H1 : (1 <= limit)%Z) by (unfold FumataLimitOk in *; lia).
  pose proof (fits_sound claim _ _ _ _ Hfit Hclaim (left_sound claim limit loss l Hfit Hclaim Hlimit Hl Hl0)
    (moment_up (claim_alpha claim) limit growth g Ha H1 Hg Hg0) Htotal) as T. lra.
Qed.
