(* The numbers of specs/round.acsl stand for reals: every operation keeps a full mantissa and stays on its side of the
   exact result, and the comparison is one of reals. *)
From Coq Require Import Reals Lra Lia Psatz ZArith Bool.
From Fumata Require Import SpecRound.
Local Open Scope R_scope.

(* 2^e, and the real that a number stands for. *)
Definition two (e : Z) : R := powerRZ 2 e.
Definition value (x : fumata_number) : R := IZR (number_mantissa x) * two (number_exponent x).

(* A mantissa of 32 bits with the highest one set, as every number of the core has. *)
Definition full (x : fumata_number) : Prop := (2147483648 <= number_mantissa x < 4294967296)%Z.

Definition above (x : fumata_number) (r : R) : Prop := full x /\ r <= value x.
Definition below_of (x : fumata_number) (r : R) : Prop := full x /\ value x <= r.

Lemma two_add : forall a b, two (a + b) = two a * two b.
Proof. intros a b. unfold two. apply powerRZ_add. lra. Qed.

Lemma two_pos : forall e, 0 < two e.
Proof. intros e. unfold two. apply powerRZ_lt. lra. Qed.

Lemma two_0 : two 0 = 1.
Proof. reflexivity. Qed.

Lemma two_neg : forall e, two (- e) = / two e.
Proof.
  intros e. pose proof (two_pos e). apply Rmult_eq_reg_l with (two e); [|lra].
  rewrite <- two_add, Z.add_opp_diag_r, Rinv_r by lra. reflexivity.
Qed.

Lemma two_IZR : forall n, (0 <= n)%Z -> IZR (2 ^ n) = two n.
Proof.
  intros n Hn. rewrite <- (Z2Nat.id n Hn). rewrite <- pow_IZR. unfold two. rewrite <- pow_powerRZ. reflexivity.
Qed.

Lemma two_1 : two 1 = 2.
Proof. unfold two. simpl. lra. Qed.

Lemma two_32 : two 32 = 4294967296.
Proof. rewrite <- two_IZR by lia. reflexivity. Qed.

Lemma two_31 : two 31 = 2147483648.
Proof. rewrite <- two_IZR by lia. reflexivity. Qed.

Lemma two_64 : two 64 = 18446744073709551616.
Proof. rewrite <- two_IZR by lia. reflexivity. Qed.

Lemma two_mono : forall a b, (a <= b)%Z -> two a <= two b.
Proof.
  intros a b H. replace b with (a + (b - a))%Z by lia. rewrite two_add.
  pose proof (two_pos a). assert (1 <= two (b - a)); [|nra].
  rewrite <- two_IZR by lia. apply IZR_le. pose proof (Z.pow_pos_nonneg 2 (b - a) ltac:(lia) ltac:(lia)). lia.
Qed.

Lemma value_pos : forall x, full x -> 0 < value x.
Proof.
  intros x [H _]. unfold value. apply Rmult_lt_0_compat; [apply IZR_lt; lia|apply two_pos].
Qed.

(* One stage of the doubling, and all of it: Zeros times. *)
Lemma lift_spec : forall x threshold factor places, (0 <= x)%Z -> (0 <= places)%Z -> factor = (2 ^ places)%Z ->
  FumataLift x threshold factor = (x * 2 ^ FumataPlaces x threshold places)%Z /\
  (0 <= FumataPlaces x threshold places)%Z /\
  ((x < threshold /\ FumataLift x threshold factor = x * factor) \/
   (threshold <= x /\ FumataLift x threshold factor = x))%Z.
Proof.
  intros x threshold factor places Hx Hp E. unfold FumataLift, FumataPlaces.
  destruct (Z.ltb_spec x threshold); subst factor.
  - split; [reflexivity|]. split; [exact Hp|]. left. split; [assumption|reflexivity].
  - split; [rewrite Z.pow_0_r; lia|]. split; [lia|]. right. split; [assumption|reflexivity].
Qed.

Lemma wide_spec : forall m, (1 <= m < 18446744073709551616)%Z ->
  (FumataWide m = m * 2 ^ FumataZeros m /\ 0 <= FumataZeros m /\
   9223372036854775808 <= FumataWide m < 18446744073709551616)%Z.
Proof.
  intros m Hm. unfold FumataZeros.
  destruct (lift_spec m 4294967296 4294967296 32 ltac:(lia) ltac:(lia) eq_refl) as [Ea [Za Ca]].
  change (FumataLift m 4294967296 4294967296) with (FumataWide32 m) in Ea, Ca.
  assert (Ra : (4294967296 <= FumataWide32 m < 18446744073709551616)%Z) by (destruct Ca; lia). clear Ca.
  destruct (lift_spec (FumataWide32 m) 281474976710656 65536 16 ltac:(lia) ltac:(lia) eq_refl) as [Eb [Zb Cb]].
  change (FumataLift (FumataWide32 m) 281474976710656 65536) with (FumataWide16 m) in Eb, Cb.
  assert (Rb : (281474976710656 <= FumataWide16 m < 18446744073709551616)%Z) by (destruct Cb; lia). clear Cb.
  destruct (lift_spec (FumataWide16 m) 72057594037927936 256 8 ltac:(lia) ltac:(lia) eq_refl) as [Ec [Zc Cc]].
  change (FumataLift (FumataWide16 m) 72057594037927936 256) with (FumataWide8 m) in Ec, Cc.
  assert (Rc : (72057594037927936 <= FumataWide8 m < 18446744073709551616)%Z) by (destruct Cc; lia). clear Cc.
  destruct (lift_spec (FumataWide8 m) 1152921504606846976 16 4 ltac:(lia) ltac:(lia) eq_refl) as [Ed [Zd Cd]].
  change (FumataLift (FumataWide8 m) 1152921504606846976 16) with (FumataWide4 m) in Ed, Cd.
  assert (Rd : (1152921504606846976 <= FumataWide4 m < 18446744073709551616)%Z) by (destruct Cd; lia). clear Cd.
  destruct (lift_spec (FumataWide4 m) 4611686018427387904 4 2 ltac:(lia) ltac:(lia) eq_refl) as [Ee [Ze Ce]].
  change (FumataLift (FumataWide4 m) 4611686018427387904 4) with (FumataWide2 m) in Ee, Ce.
  assert (Re : (4611686018427387904 <= FumataWide2 m < 18446744073709551616)%Z) by (destruct Ce; lia). clear Ce.
  destruct (lift_spec (FumataWide2 m) 9223372036854775808 2 1 ltac:(lia) ltac:(lia) eq_refl) as [Ef [Zf Cf]].
  change (FumataLift (FumataWide2 m) 9223372036854775808 2) with (FumataWide m) in Ef, Cf.
  assert (Rf : (9223372036854775808 <= FumataWide m < 18446744073709551616)%Z) by (destruct Cf; lia). clear Cf.
  split; [|split; [lia|exact Rf]].
  rewrite !Z.pow_add_r by lia. rewrite Ef at 1. rewrite Ee at 1. rewrite Ed at 1. rewrite Ec at 1. rewrite Eb at 1.
  rewrite Ea at 1. ring.
Qed.

(* The same of the real: m 2^e is Wide(m) 2^(e - Zeros(m)). *)
Lemma wide_real : forall m e, (1 <= m < 18446744073709551616)%Z ->
  IZR m * two e = IZR (FumataWide m) * two (e - FumataZeros m).
Proof.
  intros m e Hm. destruct (wide_spec m Hm) as [E [Z _]]. rewrite E, mult_IZR, two_IZR by exact Z.
  unfold Z.sub. rewrite two_add, two_neg. pose proof (two_pos (FumataZeros m)). field. lra.
Qed.

Lemma pack_down : forall m e, (1 <= m < 18446744073709551616)%Z -> below_of (FumataPackDown m e) (IZR m * two e).
Proof.
  intros m e Hm. destruct (wide_spec m Hm) as [_ [_ W]]. rewrite wide_real by exact Hm.
  unfold FumataPackDown, below_of, full, value. cbn [number_mantissa number_exponent].
  set (w := FumataWide m) in *. set (z := FumataZeros m). rewrite Z.quot_div_nonneg by lia.
  pose proof (Z.div_mod w 4294967296 ltac:(lia)). pose proof (Z.mod_pos_bound w 4294967296 ltac:(lia)).
  set (h := (w / 4294967296)%Z) in *. split; [lia|].
  replace (e + 32 - z)%Z with (32 + (e - z))%Z by lia. rewrite two_add, two_32, <- Rmult_assoc.
  apply Rmult_le_compat_r; [left; apply two_pos|]. rewrite <- mult_IZR. apply IZR_le. lia.
Qed.

Lemma ceil_spec : forall a b, (0 <= a)%Z -> (0 < b)%Z -> (a <= FumataCeil a b * b < a + b)%Z.
Proof.
  intros a b Ha Hb. unfold FumataCeil. rewrite Z.quot_div_nonneg, Z.rem_mod_nonneg by assumption. pose proof (Z.div_mod a b ltac:(lia)). pose proof (Z.mod_pos_bound a b Hb).
  destruct (Z.eqb_spec (a mod b) 0); nia.
Qed.

Lemma pack_up : forall m e, (1 <= m < 18446744073709551616)%Z -> above (FumataPackUp m e) (IZR m * two e).
Proof.
  intros m e Hm. destruct (wide_spec m Hm) as [_ [_ W]]. rewrite wide_real by exact Hm.
  unfold FumataPackUp, above, full, value.
  set (w := FumataWide m) in *. set (z := FumataZeros m).
  pose proof (ceil_spec w 4294967296 ltac:(lia) ltac:(lia)) as C. set (h := FumataCeil w 4294967296) in *.
  assert (V : IZR w * two (e - z) <= IZR h * two (e + 32 - z)).
  { replace (e + 32 - z)%Z with (32 + (e - z))%Z by lia. rewrite two_add, two_32, <- Rmult_assoc.
    apply Rmult_le_compat_r; [left; apply two_pos|]. rewrite <- mult_IZR. apply IZR_le. lia. }
  destruct (Z.eqb_spec h 4294967296) as [E|E]; cbn [number_mantissa number_exponent].
  - split; [lia|]. rewrite E in V. replace (e + 33 - z)%Z with (1 + (e + 32 - z))%Z by lia.
    rewrite two_add, two_1. lra.
  - split; [lia|exact V].
Qed.

Lemma whole_up : forall n, (1 <= n < 18446744073709551616)%Z -> above (FumataWholeUp n) (IZR n).
Proof. intros n H. replace (IZR n) with (IZR n * two 0) by (rewrite two_0; ring). apply pack_up. exact H. Qed.

Lemma whole_down : forall n, (1 <= n < 18446744073709551616)%Z -> below_of (FumataWholeDown n) (IZR n).
Proof. intros n H. replace (IZR n) with (IZR n * two 0) by (rewrite two_0; ring). apply pack_down. exact H. Qed.

(* 1 and 2 are numbers. *)
Lemma one_up : value (FumataWholeUp 1) = 1.
Proof. unfold value. change (FumataWholeUp 1) with (FumataNumber 2147483648 (-31)).
cbn [number_mantissa number_exponent].
  change (-31)%Z with (- (31))%Z. rewrite two_neg, two_31. lra. Qed.

Lemma two_neg_32 : two (-32) = / 4294967296.
Proof. change (-32)%Z with (- (32))%Z. rewrite two_neg, two_32. reflexivity. Qed.

Lemma two_neg_64 : two (-64) = / 18446744073709551616.
Proof. change (-64)%Z with (- (64))%Z. rewrite two_neg, two_64. reflexivity. Qed.

Lemma fixed_up : forall n, (1 <= n < 18446744073709551616)%Z -> above (FumataFixedUp n) (IZR n / 4294967296).
Proof. intros n H. unfold Rdiv. rewrite <- two_neg_32. apply pack_up. exact H. Qed.

Lemma fixed_down : forall n, (1 <= n < 18446744073709551616)%Z -> below_of (FumataFixedDown n) (IZR n / 4294967296).
Proof. intros n H. unfold Rdiv. rewrite <- two_neg_32. apply pack_down. exact H. Qed.

Lemma share_up : forall n, (1 <= n < 18446744073709551616)%Z ->
  above (FumataShareUp n) (IZR n / 18446744073709551616).
Proof. intros n H. unfold Rdiv. rewrite <- two_neg_64. apply pack_up. exact H. Qed.

Lemma share_down : forall n, (1 <= n < 18446744073709551616)%Z ->
  below_of (FumataShareDown n) (IZR n / 18446744073709551616).
Proof. intros n H. unfold Rdiv. rewrite <- two_neg_64. apply pack_down. exact H. Qed.

Lemma product_range : forall x y, full x -> full y ->
  (1 <= number_mantissa x * number_mantissa y < 18446744073709551616)%Z.
Proof. unfold full. intros x y Hx Hy. nia. Qed.

Lemma product_value : forall x y,
  IZR (number_mantissa x * number_mantissa y) * two (number_exponent x + number_exponent y) = value x * value y.
Proof. intros x y. unfold value. rewrite mult_IZR, two_add. ring. Qed.

Lemma mul_up : forall x y a b, above x a -> above y b -> 0 <= a -> 0 <= b -> above (FumataMulUp x y) (a * b).
Proof.
  intros x y a b [Fx Ax] [Fy Ay] Ha Hb. destruct (pack_up _ (number_exponent x + number_exponent y)
    (product_range x y Fx Fy)) as [F V]. split; [exact F|]. rewrite product_value in V.
  eapply Rle_trans; [|exact V]. apply Rmult_le_compat; assumption.
Qed.

Lemma mul_down : forall x y a b, below_of x a -> below_of y b -> below_of (FumataMulDown x y) (a * b).
Proof.
  intros x y a b [Fx Ax] [Fy Ay]. destruct (pack_down _ (number_exponent x + number_exponent y)
    (product_range x y Fx Fy)) as [F V]. split; [exact F|]. rewrite product_value in V.
  eapply Rle_trans; [exact V|].
  pose proof (value_pos x Fx). pose proof (value_pos y Fy). apply Rmult_le_compat; lra.
Qed.

Lemma quotient_value : forall x y, full y -> value x / value y =
  IZR (number_mantissa x) * 4294967296 / IZR (number_mantissa y) * two (number_exponent x - number_exponent y - 32).
Proof.
  intros x y [Fy _]. unfold value, Z.sub. rewrite !two_add, two_neg. change (- (32))%Z with (-32)%Z. rewrite two_neg_32.
  pose proof (two_pos (number_exponent y)). assert (0 < IZR (number_mantissa y)) by (apply IZR_lt; lia).
  field. lra.
Qed.

(* a / b is at most x / y when a is at most x and y at most b. *)
Lemma ratio_mono : forall a b x y, 0 <= a -> a <= x -> 0 < y -> y <= b -> a / b <= x / y.
Proof.
  intros a b x y Ha Hx Hy Hb. unfold Rdiv. apply Rmult_le_compat; try assumption.
  - left. apply Rinv_0_lt_compat. lra.
  - apply Rinv_le_contravar; assumption.
Qed.

Lemma div_up : forall x y a b, above x a -> below_of y b -> 0 <= a -> above (FumataDivUp x y) (a / b).
Proof.
  intros x y a b [Fx Ax] [Fy Ay] Ha. pose proof (value_pos y Fy) as Py.
  unfold FumataDivUp. set (q := FumataCeil (number_mantissa x * 4294967296) (number_mantissa y)).
  assert (C : (number_mantissa x * 4294967296 <= q * number_mantissa y <
    number_mantissa x * 4294967296 + number_mantissa y)%Z) by (apply ceil_spec; unfold full in *; lia).
  assert (Rq : (1 <= q < 18446744073709551616)%Z) by (unfold full in *; nia).
  destruct (pack_up q (number_exponent x - number_exponent y - 32) Rq) as [F V]. split; [exact F|].
  eapply Rle_trans; [apply (ratio_mono a b (value x) (value y)); assumption|].
  rewrite quotient_value by exact Fy. eapply Rle_trans; [|exact V].
  apply Rmult_le_compat_r; [left; apply two_pos|].
  assert (P : 0 < IZR (number_mantissa y)) by (apply IZR_lt; unfold full in Fy; lia).
  apply Rmult_le_reg_r with (IZR (number_mantissa y)); [exact P|].
  unfold Rdiv. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra. rewrite <- !mult_IZR. apply IZR_le. lia.
Qed.

Lemma div_down : forall x y a b, below_of x a -> above y b -> 0 < b -> below_of (FumataDivDown x y) (a / b).
Proof.
  intros x y a b [Fx Ax] [Fy Ay] Hb. pose proof (value_pos x Fx) as Px.
  unfold FumataDivDown. rewrite Z.quot_div_nonneg by (unfold full in *; lia). set (q := (number_mantissa x * 4294967296 / number_mantissa y)%Z).
  pose proof (Z.div_mod (number_mantissa x * 4294967296) (number_mantissa y) ltac:(unfold full in Fy; lia)) as D.
  pose proof (Z.mod_pos_bound (number_mantissa x * 4294967296) (number_mantissa y) ltac:(unfold full in Fy; lia)) as M.
  fold q in D.
  assert (Rq : (1 <= q < 18446744073709551616)%Z) by (unfold full in *; nia).
  destruct (pack_down q (number_exponent x - number_exponent y - 32) Rq) as [F V]. split; [exact F|].
  eapply Rle_trans; [|apply (ratio_mono (value x) (value y) a b); [lra|exact Ax|exact Hb|exact Ay]].
  rewrite quotient_value by exact Fy. eapply Rle_trans; [exact V|].
  apply Rmult_le_compat_r; [left; apply two_pos|].
  assert (P : 0 < IZR (number_mantissa y)) by (apply IZR_lt; unfold full in Fy; lia).
  apply Rmult_le_reg_r with (IZR (number_mantissa y)); [exact P|].
  unfold Rdiv. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra. rewrite <- !mult_IZR. apply IZR_le. lia.
Qed.

(* Halving: floor and ceiling of m / 2^n. *)
Lemma halve_down : forall n m, (0 <= n)%Z -> (0 <= m)%Z -> FumataHalveDown m n = (m / 2 ^ n)%Z.
Proof.
  intros n m Hn. revert m. pattern n. apply natlike_ind; [|clear n Hn|exact Hn].
  - intros m _. rewrite FumataHalveDown_acsl. simpl. rewrite Z.div_1_r. reflexivity.
  - intros n Hn IH m Hm. rewrite FumataHalveDown_acsl. destruct (Z.leb_spec (Z.succ n) 0); [lia|].
    replace (Z.succ n - 1)%Z with n by lia. rewrite Z.quot_div_nonneg, IH, Z.pow_succ_r by (lia || apply Z.div_pos; lia).
    rewrite Z.div_div by (try lia; apply Z.pow_pos_nonneg; lia). reflexivity.
Qed.

Lemma halve_up : forall n m, (0 <= n)%Z -> (0 <= m)%Z ->
  (m <= FumataHalveUp m n * 2 ^ n)%Z /\ (0 <= FumataHalveUp m n <= m)%Z.
Proof.
  intros n m Hn. revert m. pattern n. apply natlike_ind; [|clear n Hn|exact Hn].
  - intros m Hm. rewrite FumataHalveUp_acsl. simpl. lia.
  - intros n Hn IH m Hm. rewrite FumataHalveUp_acsl. destruct (Z.leb_spec (Z.succ n) 0); [lia|].
    replace (Z.succ n - 1)%Z with n by lia. pose proof (ceil_spec m 2 Hm ltac:(lia)) as C.
    specialize (IH (FumataCeil m 2) ltac:(lia)). rewrite Z.pow_succ_r by exact Hn.
    pose proof (Z.pow_pos_nonneg 2 n ltac:(lia) Hn). nia.
Qed.

Definition stretched (x : fumata_number) : Z := (number_mantissa x * 2147483648)%Z.

Lemma stretched_value : forall x, IZR (stretched x) * two (number_exponent x - 31) = value x.
Proof.
  intros x. unfold stretched, value, Z.sub. rewrite mult_IZR, two_add, two_neg, two_31. field.
Qed.

Lemma align_0_up : forall x, FumataAlignUp x 0 = stretched x.
Proof. intros x. unfold FumataAlignUp. simpl Z.ltb. cbv iota. rewrite FumataHalveUp_acsl. reflexivity. Qed.

Lemma align_0_down : forall x, FumataAlignDown x 0 = stretched x.
Proof. intros x. unfold FumataAlignDown. simpl Z.ltb. cbv iota. rewrite FumataHalveDown_acsl. reflexivity. Qed.

(* x at the larger exponent e + places. *)
Lemma align_up : forall x places, full x -> (0 <= places)%Z ->
  (0 <= FumataAlignUp x places <= stretched x)%Z /\
  value x <= IZR (FumataAlignUp x places) * two (number_exponent x + places - 31).
Proof.
  intros x places F Hp. unfold FumataAlignUp. fold (stretched x).
  set (n := (if (places <? 64)%Z then places else 64)%Z).
  assert (Hn : (0 <= n <= places)%Z) by (unfold n; destruct (Z.ltb_spec places 64); lia).
  assert (Hs : (0 <= stretched x)%Z) by (unfold stretched, full in *; lia).
  destruct (halve_up n (stretched x) ltac:(lia) Hs) as [H1 H2]. split; [exact H2|].
  rewrite <- stretched_value.
  replace (number_exponent x + places - 31)%Z with ((number_exponent x - 31) + places)%Z by lia. rewrite two_add.
  apply IZR_le in H1. rewrite mult_IZR, two_IZR in H1 by lia.
  pose proof (two_mono n places ltac:(lia)). pose proof (two_pos (number_exponent x - 31)) as P.
  assert (0 <= IZR (FumataHalveUp (stretched x) n)) by (apply IZR_le; lia).
  replace (IZR (FumataHalveUp (stretched x) n) * (two (number_exponent x - 31) * two places))
    with (IZR (FumataHalveUp (stretched x) n) * two places * two (number_exponent x - 31)) by ring.
  apply Rmult_le_compat_r; [lra|]. eapply Rle_trans; [exact H1|]. apply Rmult_le_compat_l; assumption.
Qed.

Lemma align_down : forall x places, full x -> (0 <= places)%Z ->
  (0 <= FumataAlignDown x places <= stretched x)%Z /\
  IZR (FumataAlignDown x places) * two (number_exponent x + places - 31) <= value x.
Proof.
  intros x places F Hp. unfold FumataAlignDown. fold (stretched x).
  set (n := (if (places <? 64)%Z then places else 64)%Z).
  assert (Hn : (0 <= n)%Z) by (unfold n; destruct (Z.ltb_spec places 64); lia).
  assert (Hs : (0 <= stretched x < 9223372036854775808)%Z) by (unfold stretched, full in *; lia).
  rewrite halve_down by (exact Hn || lia).
  pose proof (Z.pow_pos_nonneg 2 n ltac:(lia) Hn) as P2.
  pose proof (Z.div_mod (stretched x) (2 ^ n) ltac:(lia)) as D.
  pose proof (Z.mod_pos_bound (stretched x) (2 ^ n) P2) as M.
  pose proof (Z.div_pos (stretched x) (2 ^ n) ltac:(lia) P2) as Q.
  split; [nia|].
  rewrite <- stretched_value.
  replace (number_exponent x + places - 31)%Z with ((number_exponent x - 31) + places)%Z by lia. rewrite two_add.
  pose proof (two_pos (number_exponent x - 31)) as P.
  replace (IZR (stretched x / 2 ^ n) * (two (number_exponent x - 31) * two places))
    with (IZR (stretched x / 2 ^ n) * two places * two (number_exponent x - 31)) by ring.
  apply Rmult_le_compat_r; [lra|].
  destruct (Z.ltb_spec places 64).
  - unfold n in *. rewrite <- two_IZR, <- mult_IZR by lia. apply IZR_le. lia.
  - assert (E : (stretched x / 2 ^ n = 0)%Z) by (unfold n; apply Z.div_small; lia).
    rewrite E, Rmult_0_l. apply IZR_le. lia.
Qed.

Lemma add_up : forall x y a b, above x a -> above y b -> above (FumataAddUp x y) (a + b).
Proof.
  intros x y a b [Fx Ax] [Fy Ay]. unfold FumataAddUp.
  destruct (Z.ltb_spec (number_exponent x) (number_exponent y)) as [E|E].
  - destruct (align_up x (number_exponent y - number_exponent x) Fx ltac:(lia)) as [R V].
    rewrite align_0_up. set (m := FumataAlignUp x (number_exponent y - number_exponent x)) in *.
    assert (Rm : (1 <= m + stretched y < 18446744073709551616)%Z) by (unfold stretched, full in *; lia).
    destruct (pack_up _ (number_exponent y - 31) Rm) as [F W]. split; [exact F|].
    rewrite plus_IZR, Rmult_plus_distr_r, stretched_value in W.
    replace (number_exponent x + (number_exponent y - number_exponent x) - 31)%Z with (number_exponent y - 31)%Z in V
      by lia.
    lra.
  - destruct (align_up y (number_exponent x - number_exponent y) Fy ltac:(lia)) as [R V].
    rewrite align_0_up. set (m := FumataAlignUp y (number_exponent x - number_exponent y)) in *.
    assert (Rm : (1 <= stretched x + m < 18446744073709551616)%Z) by (unfold stretched, full in *; lia).
    destruct (pack_up _ (number_exponent x - 31) Rm) as [F W]. split; [exact F|].
    rewrite plus_IZR, Rmult_plus_distr_r, stretched_value in W.
    replace (number_exponent y + (number_exponent x - number_exponent y) - 31)%Z with (number_exponent x - 31)%Z in V
      by lia.
    lra.
Qed.

Lemma add_down : forall x y a b, below_of x a -> below_of y b -> below_of (FumataAddDown x y) (a + b).
Proof.
  intros x y a b [Fx Ax] [Fy Ay]. unfold FumataAddDown.
  destruct (Z.ltb_spec (number_exponent x) (number_exponent y)) as [E|E].
  - destruct (align_down x (number_exponent y - number_exponent x) Fx ltac:(lia)) as [R V].
    rewrite align_0_down. set (m := FumataAlignDown x (number_exponent y - number_exponent x)) in *.
    assert (Rm : (1 <= m + stretched y < 18446744073709551616)%Z) by (unfold stretched, full in *; lia).
    destruct (pack_down _ (number_exponent y - 31) Rm) as [F W]. split; [exact F|].
    rewrite plus_IZR, Rmult_plus_distr_r, stretched_value in W.
    replace (number_exponent x + (number_exponent y - number_exponent x) - 31)%Z with (number_exponent y - 31)%Z in V
      by lia.
    lra.
  - destruct (align_down y (number_exponent x - number_exponent y) Fy ltac:(lia)) as [R V].
    rewrite align_0_down. set (m := FumataAlignDown y (number_exponent x - number_exponent y)) in *.
    assert (Rm : (1 <= stretched x + m < 18446744073709551616)%Z) by (unfold stretched, full in *; lia).
    destruct (pack_down _ (number_exponent x - 31) Rm) as [F W]. split; [exact F|].
    rewrite plus_IZR, Rmult_plus_distr_r, stretched_value in W.
    replace (number_exponent y + (number_exponent x - number_exponent y) - 31)%Z with (number_exponent x - 31)%Z in V
      by lia.
    lra.
Qed.

(* A difference with a mantissa is one; a mantissa of zero says nothing. *)
Lemma sub_down : forall x y a b, below_of x a -> above y b -> number_mantissa (FumataSubDown x y) <> 0%Z ->
  below_of (FumataSubDown x y) (a - b).
Proof.
  intros x y a b [Fx Ax] [Fy Ay]. unfold FumataSubDown.
  destruct (Z.ltb_spec (number_exponent x) (number_exponent y)) as [E|E]; cbn [orb]; [cbn; congruence|].
  destruct (align_up y (number_exponent x - number_exponent y) Fy ltac:(lia)) as [R V].
  rewrite align_0_down. set (m := FumataAlignUp y (number_exponent x - number_exponent y)) in *.
  destruct (Z.leb_spec (stretched x) m) as [L|L]; [cbn; congruence|]. intros _.
  assert (Rm : (1 <= stretched x - m < 18446744073709551616)%Z) by (unfold stretched, full in *; lia).
  destruct (pack_down _ (number_exponent x - 31) Rm) as [F W]. split; [exact F|].
  rewrite minus_IZR, Rmult_minus_distr_r, stretched_value in W.
  replace (number_exponent y + (number_exponent x - number_exponent y) - 31)%Z with (number_exponent x - 31)%Z in V
    by lia.
  lra.
Qed.

Lemma pow_up : forall x a n, (0 <= n)%Z -> above x a -> 0 <= a -> above (FumataPowUp x n) (a ^ Z.to_nat n).
Proof.
  intros x a n Hn A Ha. pattern n. apply natlike_ind; [|clear n Hn|exact Hn].
  - rewrite FumataPowUp_acsl. simpl. apply (whole_up 1). lia.
  - intros n Hn IH. rewrite FumataPowUp_acsl. destruct (Z.leb_spec (Z.succ n) 0); [lia|].
    replace (Z.succ n - 1)%Z with n by lia. rewrite Z2Nat.inj_succ by exact Hn. simpl pow. rewrite Rmult_comm.
    apply mul_up; [exact IH|exact A|apply pow_le; exact Ha|exact Ha].
Qed.

Lemma pow_down : forall x a n, (0 <= n)%Z -> below_of x a -> below_of (FumataPowDown x n) (a ^ Z.to_nat n).
Proof.
  intros x a n Hn A. pattern n. apply natlike_ind; [|clear n Hn|exact Hn].
  - rewrite FumataPowDown_acsl. simpl. apply (whole_down 1). lia.
  - intros n Hn IH. rewrite FumataPowDown_acsl. destruct (Z.leb_spec (Z.succ n) 0); [lia|].
    replace (Z.succ n - 1)%Z with n by lia. rewrite Z2Nat.inj_succ by exact Hn. simpl pow. rewrite Rmult_comm.
    apply mul_down; assumption.
Qed.

(* The comparison, of full numbers. *)
Lemma le_value : forall x y, full x -> full y -> FumataLe x y -> value x <= value y.
Proof.
  intros x y [Fx Fx'] [Fy Fy'] [H|[H H']]; unfold value.
  - replace (number_exponent y) with (number_exponent x + (1 + (number_exponent y - number_exponent x - 1)))%Z by lia.
    rewrite !two_add, two_1. pose proof (two_mono 0 (number_exponent y - number_exponent x - 1) ltac:(lia)) as M.
    rewrite two_0 in M. pose proof (two_pos (number_exponent x)) as P.
    assert (A : IZR (number_mantissa x) <= IZR (number_mantissa y) * 2) by (rewrite <- mult_IZR; apply IZR_le; lia).
    assert (B : 0 <= IZR (number_mantissa y)) by (apply IZR_le; lia).
    set (t := two (number_exponent y - number_exponent x - 1)) in *.
    assert (C : IZR (number_mantissa y) * 2 * 1 <= IZR (number_mantissa y) * 2 * t) by (apply Rmult_le_compat_l; lra).
    replace (IZR (number_mantissa y) * (two (number_exponent x) * (2 * t)))
      with (IZR (number_mantissa y) * 2 * t * two (number_exponent x)) by ring.
    apply Rmult_le_compat_r; lra.
  - rewrite H. apply Rmult_le_compat_r; [left; apply two_pos|]. apply IZR_le. exact H'.
Qed.

Lemma le_sound : forall x y a b, above x a -> below_of y b -> FumataLe x y -> a <= b.
Proof.
  intros x y a b [Fx Ax] [Fy Ay] H. pose proof (le_value x y Fx Fy H). lra.
Qed.

Lemma larger_sound : forall x y a, (above x a \/ above y a) -> full x -> full y -> above (FumataLarger x y) a.
Proof.
  intros x y a H Fx Fy. unfold FumataLarger.
  destruct ((number_exponent x <? number_exponent y)%Z ||
      ((number_exponent x =? number_exponent y)%Z && (number_mantissa x <=? number_mantissa y)%Z)) eqn:E.
  - assert (L : value x <= value y).
    { apply le_value; try assumption. apply orb_true_iff in E. rewrite andb_true_iff, Z.ltb_lt, Z.eqb_eq, Z.leb_le in E.
      exact E. }
    destruct H as [[_ H]|H]; [split; [exact Fy|lra]|exact H].
  - assert (L : value y <= value x).
    { apply le_value; try assumption. apply orb_false_iff in E.
      rewrite andb_false_iff, Z.ltb_ge, Z.eqb_neq, Z.leb_gt in E. unfold FumataLe. lia. }
    destruct H as [H|[_ H]]; [exact H|split; [exact Fx|lra]].
Qed.
