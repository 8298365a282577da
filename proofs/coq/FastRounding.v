(* The arithmetic of specs/round.acsl with shifts in place of stages and divisions: the same numbers, sooner. *)
From Coq Require Import ZArith Lia Bool.
From Fumata Require Import SpecPlan SpecRound SpecCertifyTotal SpecCertifyMeter SpecCertifyBudget Rounding.
Local Open Scope Z_scope.

Definition fast_down (m e : Z) : fumata_number :=
  if (1 <=? m) && (m <? 18446744073709551616)
  then let k := Z.log2 m - 31 in FumataNumber (Z.shiftr m k) (e + k) else FumataPackDown m e.

Definition fast_up (m e : Z) : fumata_number :=
  if (1 <=? m) && (m <? 18446744073709551616)
  then let k := Z.log2 m - 31 in
       let high := - Z.shiftr (- m) k in
       if high =? 4294967296 then FumataNumber 2147483648 (e + k + 1) else FumataNumber high (e + k)
  else FumataPackUp m e.

Lemma word_log2 : forall m, 1 <= m < 18446744073709551616 -> Z.log2 m = 63 - FumataZeros m.
Proof.
  intros m Hm. destruct (wide_spec m Hm) as [E [Z W]].
  assert (L : Z.log2 (FumataWide m) = 63) by (apply Z.log2_unique; [lia|]; change (2 ^ 63) with 9223372036854775808;
    change (2 ^ Z.succ 63) with 18446744073709551616; lia).
  rewrite E, Z.log2_mul_pow2 in L by lia. lia.
Qed.

Lemma shift_upper_half : forall m z, 0 <= z -> Z.shiftr m (32 - z) = m * 2 ^ z / 4294967296.
Proof.
  intros m z Hz. change 4294967296 with (2 ^ 32). destruct (Z_le_gt_dec z 32) as [H|H].
  - rewrite Z.shiftr_div_pow2 by lia.
    replace (2 ^ 32) with (2 ^ (32 - z) * 2 ^ z) by (rewrite <- Z.pow_add_r by lia; f_equal; lia).
    rewrite Z.div_mul_cancel_r; [reflexivity| |]; apply Z.pow_nonzero; lia.
  - replace (32 - z) with (- (z - 32)) by lia. rewrite Z.shiftr_opp_r, Z.shiftl_mul_pow2 by lia.
    replace (2 ^ z) with (2 ^ (z - 32) * 2 ^ 32) by (rewrite <- Z.pow_add_r by lia; f_equal; lia).
    rewrite Z.mul_assoc, Z.div_mul by (apply Z.pow_nonzero; lia). reflexivity.
Qed.

Lemma ceil_is : forall a b, 0 <= a -> 0 < b -> FumataCeil a b = - (- a / b).
Proof.
  intros a b Ha Hb. pose proof (ceil_spec a b Ha Hb). pose proof (Z.div_mod (- a) b ltac:(lia)).
  pose proof (Z.mod_pos_bound (- a) b Hb). nia.
Qed.

Lemma fast_down_is : forall m e, fast_down m e = FumataPackDown m e.
Proof.
  intros m e. unfold fast_down. destruct (Z.leb_spec 1 m); [|reflexivity].
  destruct (Z.ltb_spec m 18446744073709551616); [|reflexivity]. cbn [andb]. cbv zeta.
  assert (Hm : 1 <= m < 18446744073709551616) by lia. destruct (wide_spec m Hm) as [E [Z _]].
  rewrite word_log2 by exact Hm. replace (63 - FumataZeros m - 31) with (32 - FumataZeros m) by lia.
  rewrite shift_upper_half by exact Z. unfold FumataPackDown. rewrite E, Z.quot_div_nonneg by lia. f_equal. lia.
Qed.

Lemma fast_up_is : forall m e, fast_up m e = FumataPackUp m e.
Proof.
  intros m e. unfold fast_up. destruct (Z.leb_spec 1 m); [|reflexivity].
  destruct (Z.ltb_spec m 18446744073709551616); [|reflexivity]. cbn [andb]. cbv zeta.
  assert (Hm : 1 <= m < 18446744073709551616) by lia. destruct (wide_spec m Hm) as [E [Z _]].
  rewrite word_log2 by exact Hm. replace (63 - FumataZeros m - 31) with (32 - FumataZeros m) by lia.
  rewrite shift_upper_half by exact Z. unfold FumataPackUp. rewrite ceil_is, E, Z.mul_opp_l by lia.
  destruct (_ =? _); f_equal; lia.
Qed.

Definition fast_halve_down (m n : Z) : Z := if (0 <=? n) && (0 <=? m) then Z.shiftr m n else FumataHalveDown m n.
Definition fast_halve_up (m n : Z) : Z := if (0 <=? n) && (0 <=? m) then - Z.shiftr (- m) n else FumataHalveUp m n.

Lemma fast_halve_down_is : forall m n, fast_halve_down m n = FumataHalveDown m n.
Proof.
  intros m n. unfold fast_halve_down. destruct (Z.leb_spec 0 n); [|reflexivity].
  destruct (Z.leb_spec 0 m); [|reflexivity]. cbn [andb]. rewrite halve_down, Z.shiftr_div_pow2 by lia. reflexivity.
Qed.

Lemma fast_halve_up_is : forall m n, fast_halve_up m n = FumataHalveUp m n.
Proof.
  intros m n. unfold fast_halve_up. destruct (Z.leb_spec 0 n) as [H|H]; [|reflexivity].
  destruct (Z.leb_spec 0 m); [|reflexivity]. cbn [andb].
  assert (G : forall k, 0 <= k -> forall m, 0 <= m -> FumataHalveUp m k = - (- m / 2 ^ k)).
  { intros k Hk. pattern k. apply natlike_ind; [|clear k Hk|exact Hk].
    - intros x _. rewrite FumataHalveUp_acsl. simpl. rewrite Z.div_1_r. lia.
    - intros k Hk IH x Hx. rewrite FumataHalveUp_acsl. destruct (Z.leb_spec (Z.succ k) 0); [lia|].
      pose proof (ceil_spec x 2 Hx ltac:(lia)).
      replace (Z.succ k - 1) with k by lia. rewrite IH, ceil_is, Z.opp_involutive, Z.pow_succ_r by lia.
      rewrite Z.div_div by (try lia; apply Z.pow_pos_nonneg; lia). reflexivity. }
  rewrite G, Z.shiftr_div_pow2 by lia. reflexivity.
Qed.

(* Coq adds once for each bit of the first factor that is set. In a power the second is the same all along, and near 1, so
   few of its bits are. *)
Definition fast_mul_up (x y : fumata_number) : fumata_number :=
  fast_up (number_mantissa y * number_mantissa x) (number_exponent x + number_exponent y).
Definition fast_mul_down (x y : fumata_number) : fumata_number :=
  fast_down (number_mantissa y * number_mantissa x) (number_exponent x + number_exponent y).
Definition fast_align_up (x : fumata_number) (places : Z) : Z :=
  fast_halve_up (number_mantissa x * 2147483648) (if places <? 64 then places else 64).
Definition fast_align_down (x : fumata_number) (places : Z) : Z :=
  fast_halve_down (number_mantissa x * 2147483648) (if places <? 64 then places else 64).
Definition fast_add_up (x y : fumata_number) : fumata_number :=
  if number_exponent x <? number_exponent y
  then fast_up (fast_align_up x (number_exponent y - number_exponent x) + fast_align_up y 0) (number_exponent y - 31)
  else fast_up (fast_align_up x 0 + fast_align_up y (number_exponent x - number_exponent y)) (number_exponent x - 31).
Definition fast_add_down (x y : fumata_number) : fumata_number :=
  if number_exponent x <? number_exponent y
  then fast_down (fast_align_down x (number_exponent y - number_exponent x) + fast_align_down y 0)
         (number_exponent y - 31)
  else fast_down (fast_align_down x 0 + fast_align_down y (number_exponent x - number_exponent y))
         (number_exponent x - 31).

Definition fast_sub_down (x y : fumata_number) : fumata_number :=
  if number_exponent x <? number_exponent y then FumataNumber 0 0
  else let m := fast_align_down x 0 - fast_align_up y (number_exponent x - number_exponent y) in
       if m <=? 0 then FumataNumber 0 0 else fast_down m (number_exponent x - 31).
Definition fast_ratio_up (a b : Z) : fumata_number :=
  let x := fast_up a (-64) in
  let y := fast_down b (-64) in
  if (0 <=? number_mantissa x) && (0 <? number_mantissa y)
  then fast_up (- (- Z.shiftl (number_mantissa x) 32 / number_mantissa y)) (number_exponent x - number_exponent y - 32)
  else FumataRatioUp a b.
Definition fast_ratio_down (a b : Z) : fumata_number :=
  let x := fast_down a (-64) in
  let y := fast_up b (-64) in
  fast_down (Z.quot (Z.shiftl (number_mantissa x) 32) (number_mantissa y)) (number_exponent x - number_exponent y - 32).

Lemma fast_mul_up_is : forall x y, fast_mul_up x y = FumataMulUp x y.
Proof. intros. unfold fast_mul_up. rewrite Z.mul_comm. apply fast_up_is. Qed.
Lemma fast_mul_down_is : forall x y, fast_mul_down x y = FumataMulDown x y.
Proof. intros. unfold fast_mul_down. rewrite Z.mul_comm. apply fast_down_is. Qed.
Lemma fast_add_up_is : forall x y, fast_add_up x y = FumataAddUp x y.
Proof.
  intros x y. unfold fast_add_up, FumataAddUp, fast_align_up, FumataAlignUp.
  rewrite !fast_halve_up_is, !fast_up_is. reflexivity.
Qed.
Lemma fast_add_down_is : forall x y, fast_add_down x y = FumataAddDown x y.
Proof.
  intros x y. unfold fast_add_down, FumataAddDown, fast_align_down, FumataAlignDown.
  rewrite !fast_halve_down_is, !fast_down_is. reflexivity.
Qed.

Lemma fast_sub_down_is : forall x y, fast_sub_down x y = FumataSubDown x y.
Proof.
  intros x y. unfold fast_sub_down, FumataSubDown, fast_align_down, FumataAlignDown, fast_align_up, FumataAlignUp.
  cbv zeta.
  rewrite !fast_halve_down_is, !fast_halve_up_is, !fast_down_is.
  destruct (number_exponent x <? number_exponent y); [reflexivity|]. cbn [orb].
  set (a := FumataHalveDown _ _). set (b := FumataHalveUp _ _).
  destruct (Z.leb_spec (a - b) 0); destruct (Z.leb_spec a b); try lia; reflexivity.
Qed.

Lemma fast_ratio_up_is : forall a b, fast_ratio_up a b = FumataRatioUp a b.
Proof.
  intros a b. unfold fast_ratio_up. cbv zeta. rewrite !fast_up_is, !fast_down_is.
  destruct (Z.leb_spec 0 (number_mantissa (FumataPackUp a (-64)))) as [G|G]; [|reflexivity].
  destruct (Z.ltb_spec 0 (number_mantissa (FumataPackDown b (-64)))) as [H|H]; [|reflexivity]. cbn [andb].
  unfold FumataRatioUp, FumataDivUp. rewrite Z.shiftl_mul_pow2 by lia. change (2 ^ 32) with 4294967296.
  change (FumataPackUp a (-64)) with (FumataShareUp a). change (FumataPackDown b (-64)) with (FumataShareDown b).
  rewrite ceil_is by (exact H || change (FumataShareUp a) with (FumataPackUp a (-64)); lia). reflexivity.
Qed.
Lemma fast_ratio_down_is : forall a b, fast_ratio_down a b = FumataRatioDown a b.
Proof.
  intros a b. unfold fast_ratio_down, FumataRatioDown, FumataDivDown. cbv zeta. rewrite !fast_up_is, !fast_down_is.
  rewrite Z.shiftl_mul_pow2 by lia. reflexivity.
Qed.

Fixpoint fast_pow_up (fuel : nat) (x : fumata_number) : fumata_number :=
  match fuel with O => FumataWholeUp 1 | S rest => fast_mul_up (fast_pow_up rest x) x end.
Fixpoint fast_pow_down (fuel : nat) (x : fumata_number) : fumata_number :=
  match fuel with O => FumataWholeDown 1 | S rest => fast_mul_down (fast_pow_down rest x) x end.
Fixpoint fast_series_up (fuel : nat) (x : fumata_number) : fumata_number :=
  match fuel with
  | O => FumataWholeUp 1
  | S rest => fast_add_up (FumataWholeUp 1) (fast_mul_up x (fast_series_up rest x))
  end.
Fixpoint fast_series_down (fuel : nat) (x : fumata_number) : fumata_number :=
  match fuel with
  | O => FumataWholeDown 1
  | S rest => fast_add_down (FumataWholeDown 1) (fast_mul_down x (fast_series_down rest x))
  end.

Lemma fast_pow_up_is : forall x m, fast_pow_up (Z.to_nat m) x = FumataPowUp x m.
Proof.
  intros x m. remember (Z.to_nat m) as n eqn:H. revert m H.
  induction n as [|n IH]; intros m H; rewrite FumataPowUp_acsl; destruct (Z.leb_spec m 0); try lia; [reflexivity|].
  cbn [fast_pow_up]. rewrite fast_mul_up_is, (IH (m - 1)) by lia. reflexivity.
Qed.
Lemma fast_pow_down_is : forall x m, fast_pow_down (Z.to_nat m) x = FumataPowDown x m.
Proof.
  intros x m. remember (Z.to_nat m) as n eqn:H. revert m H.
  induction n as [|n IH]; intros m H; rewrite FumataPowDown_acsl; destruct (Z.leb_spec m 0); try lia; [reflexivity|].
  cbn [fast_pow_down]. rewrite fast_mul_down_is, (IH (m - 1)) by lia. reflexivity.
Qed.
Lemma fast_series_up_is : forall x m, fast_series_up (Z.to_nat (m - 1)) x = FumataSeriesUp x m.
Proof.
  intros x m. remember (Z.to_nat (m - 1)) as n eqn:H. revert m H.
  induction n as [|n IH]; intros m H; rewrite FumataSeriesUp_acsl; destruct (Z.leb_spec m 1); try lia; [reflexivity|].
  cbn [fast_series_up]. rewrite fast_add_up_is, fast_mul_up_is, (IH (m - 1)) by lia. reflexivity.
Qed.
Lemma fast_series_down_is : forall x m, fast_series_down (Z.to_nat (m - 1)) x = FumataSeriesDown x m.
Proof.
  intros x m. remember (Z.to_nat (m - 1)) as n eqn:H. revert m H.
  induction n as [|n IH]; intros m H; rewrite FumataSeriesDown_acsl; destruct (Z.leb_spec m 1); try lia; [reflexivity|].
  cbn [fast_series_down]. rewrite fast_add_down_is, fast_mul_down_is, (IH (m - 1)) by lia. reflexivity.
Qed.

Definition fast_exp_down (num den alpha : Z) : fumata_number :=
  fast_pow_down (Z.to_nat 65536) (FumataParabolaDown (FumataExponentDown num den alpha)).

Lemma fast_exp_down_is : forall num den alpha, fast_exp_down num den alpha = FumataExpDown num den alpha.
Proof. intros num den alpha. unfold fast_exp_down, FumataExpDown. rewrite fast_pow_down_is. reflexivity. Qed.

Definition fast_moment_up (alpha limit : Z) (growth : fumata_number) : fumata_number :=
  fast_mul_up (FumataPeakUp alpha) (fast_pow_up (Z.to_nat limit) growth).

Lemma fast_moment_up_is : forall alpha limit growth, fast_moment_up alpha limit growth = FumataMomentUp alpha limit
  growth.
Proof. intros. unfold fast_moment_up, FumataMomentUp. rewrite fast_mul_up_is, fast_pow_up_is. reflexivity. Qed.

Definition fast_room_down (p r alpha : Z) : fumata_number :=
  if r <? p
  then fast_add_down (FumataShareDown r)
         (fast_mul_down (FumataShareDown (p - r))
            (fast_series_down (Z.to_nat (alpha - 1)) (fast_ratio_down (FumataOtherCoins p) (FumataOtherCoins r))))
  else fast_sub_down (FumataShareDown r)
         (fast_mul_up (FumataShareUp (r - p))
            (fast_series_up (Z.to_nat (alpha - 1)) (fast_ratio_up (FumataOtherCoins p) (FumataOtherCoins r)))).

Lemma fast_room_down_is : forall p r alpha, fast_room_down p r alpha = FumataRoomDown p r alpha.
Proof.
  intros p r alpha. unfold fast_room_down, FumataRoomDown.
  rewrite fast_add_down_is, fast_mul_down_is, fast_mul_up_is, fast_series_down_is, fast_series_up_is,
    fast_sub_down_is, fast_ratio_up_is, fast_ratio_down_is. reflexivity.
Qed.

Definition fast_term_up (p r alpha : Z) : fumata_number :=
  fast_mul_up (FumataShareUp p) (fast_pow_up (Z.to_nat (alpha - 1)) (fast_ratio_up p r)).

Lemma fast_term_up_is : forall p r alpha, fast_term_up p r alpha = FumataTermUp p r alpha.
Proof.
  intros p r alpha. unfold fast_term_up, FumataTermUp. rewrite fast_mul_up_is, fast_pow_up_is, fast_ratio_up_is.
  reflexivity.
Qed.

Definition fast_budget_moment_up (meter : fumata_meter_plan) (toll : fumata_toll_plan) (claim : fumata_claim) :
  fumata_number :=
  fast_mul_up (fast_moment_up (claim_alpha claim) (meter_plan_limit meter) (FumataFixedUp (claim_v claim)))
    (fast_pow_up (Z.to_nat (toll_plan_limit toll)) (FumataFixedUp (claim_u claim))).

Lemma fast_budget_moment_up_is : forall meter toll claim,
  fast_budget_moment_up meter toll claim = FumataBudgetMomentUp meter toll claim.
Proof.
  intros. unfold fast_budget_moment_up, FumataBudgetMomentUp.
  rewrite fast_mul_up_is, fast_moment_up_is, fast_pow_up_is. reflexivity.
Qed.
