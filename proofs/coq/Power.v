(* Powers of real numbers with natural exponents, and the inequalities about them that the argument uses:
   Bernoulli-type bounds in both directions, a polynomial below exp, and the constant c(alpha). *)
From Coq Require Import Reals Lra Lia Psatz.
Local Open Scope R_scope.

(* (1 - 1/alpha)^(alpha - 1) / alpha, the largest value of (t - 1) / t^alpha. *)
Definition c_of (alpha : nat) : R := / INR alpha * (1 - / INR alpha) ^ (alpha - 1).

Lemma pow_nonneg : forall x n, 0 <= x -> 0 <= x ^ n.
Proof. intros x n Hx. apply pow_le. exact Hx. Qed.

Lemma pow_ge_1 : forall x n, 1 <= x -> 1 <= x ^ n.
Proof. intros x n Hx. apply pow_R1_Rle. exact Hx. Qed.

Lemma pow_mono : forall x y n, 0 <= x <= y -> x ^ n <= y ^ n.
Proof. intros x y n H. apply pow_incr. exact H. Qed.

(* Bernoulli: (1 + x)^n >= 1 + n x. *)
Lemma bernoulli : forall n x, -1 <= x -> 1 + INR n * x <= (1 + x) ^ n.
Proof.
  induction n as [|n IH]; intros x Hx.
  - simpl. lra.
  - rewrite S_INR. simpl.
    specialize (IH x Hx). pose proof (pos_INR n).
    assert ((1 + x) * (1 + INR n * x) <= (1 + x) * (1 + x) ^ n).
    { apply Rmult_le_compat_l; lra. }
    nra.
Qed.

(* (1 - y)^n <= 1 - n y + n (n - 1) / 2 y^2, for y in [0, 1] only. *)
Lemma one_minus_pow_upper : forall n y, 0 <= y <= 1 ->
  (1 - y) ^ n <= 1 - INR n * y + INR n * (INR n - 1) / 2 * y ^ 2.
Proof.
  induction n as [|n IH]; intros y Hy.
  - simpl. lra.
  - specialize (IH y Hy). rewrite S_INR.
    replace ((1 - y) ^ S n) with ((1 - y) * (1 - y) ^ n) by (simpl; ring).
    assert (H : (1 - y) * (1 - y) ^ n <= (1 - y) * (1 - INR n * y + INR n * (INR n - 1) / 2 * y ^ 2)).
    { apply Rmult_le_compat_l; lra. }
    assert (Hn : 0 <= INR n * (INR n - 1)).
    { destruct n as [|m]; [simpl; lra|]. rewrite S_INR. pose proof (pos_INR m). nra. }
    assert (Hy3 : 0 <= y ^ 3) by (apply pow_nonneg; lra).
    assert (0 <= INR n * (INR n - 1) / 2 * y ^ 3).
    { apply Rmult_le_pos; lra. }
    nra.
Qed.

(* The same bound is false above 1. *)
Lemma one_minus_pow_upper_needs_y_at_most_1 :
  ~ ((1 - 10) ^ 4 <= 1 - INR 4 * 10 + INR 4 * (INR 4 - 1) / 2 * 10 ^ 2).
Proof. simpl. lra. Qed.

(* (1 + y)^n <= 1 + n y + (n y)^2, as long as n y <= 1. *)
Lemma one_plus_pow_upper : forall n y, 0 <= y -> INR n * y <= 1 ->
  (1 + y) ^ n <= 1 + INR n * y + (INR n * y) ^ 2.
Proof.
  induction n as [|n IH]; intros y Hy Hn.
  - simpl. lra.
  - rewrite S_INR in *. pose proof (pos_INR n) as Hpos.
    assert (Hm : INR n * y <= 1) by nra.
    specialize (IH y Hy Hm).
    replace ((1 + y) ^ S n) with ((1 + y) * (1 + y) ^ n) by (simpl; ring).
    assert (H : (1 + y) * (1 + y) ^ n <= (1 + y) * (1 + INR n * y + (INR n * y) ^ 2)).
    { apply Rmult_le_compat_l; lra. }
    assert (H2 : INR n * (INR n * y) * (y * y) <= INR n * 1 * (y * y)).
    { apply Rmult_le_compat_r; [nra|]. apply Rmult_le_compat_l; lra. }
    nra.
Qed.

Lemma exp_pow : forall n x, exp x ^ n = exp (INR n * x).
Proof.
  induction n as [|n IH]; intros x.
  - simpl. rewrite Rmult_0_l, exp_0. reflexivity.
  - rewrite S_INR. simpl. rewrite IH, <- exp_plus. f_equal. ring.
Qed.

(* Three terms of the exponential series stay below it. *)
Lemma exp_lower_3 : forall y, 0 <= y -> 1 + y + y ^ 2 / 2 <= exp y.
Proof.
  intros y Hy. unfold exp. destruct (exist_exp y) as [l Hl]. simpl proj1_sig.
  pose proof (sum_incr (fun i => / INR (fact i) * y ^ i) 2 l Hl) as H.
  assert (N : forall n, 0 <= / INR (fact n) * y ^ n).
  { intros n. apply Rmult_le_pos; [left; apply Rinv_0_lt_compat; apply INR_fact_lt_0|apply pow_nonneg; exact Hy]. }
  specialize (H N). simpl in H. simpl. lra.
Qed.

(* Squaring it j times: (1 + y + y^2/2)^(2^j) <= exp(2^j y). *)
Lemma exp_lower : forall j y, 0 <= y -> (1 + y + y ^ 2 / 2) ^ (2 ^ j) <= exp (INR (2 ^ j) * y).
Proof.
  intros j y Hy. rewrite <- exp_pow. apply pow_mono. split.
  - pose proof (pow2_ge_0 y). lra.
  - apply exp_lower_3. exact Hy.
Qed.

Lemma c_of_pos : forall alpha, (2 <= alpha)%nat -> 0 < c_of alpha.
Proof.
  intros alpha Ha. unfold c_of.
  assert (H2 : 2 <= INR alpha) by (replace 2 with (INR 2) by reflexivity; apply le_INR; exact Ha).
  assert (0 < / INR alpha) by (apply Rinv_0_lt_compat; lra).
  assert (/ INR alpha < 1) by (rewrite <- Rinv_1; apply Rinv_lt_contravar; lra).
  apply Rmult_lt_0_compat; [lra|]. apply pow_lt. lra.
Qed.

(* t - 1 <= c(alpha) t^alpha. *)
Lemma c_of_spec : forall alpha t, (2 <= alpha)%nat -> 0 <= t -> t - 1 <= c_of alpha * t ^ alpha.
Proof.
  intros alpha t Ha Ht. unfold c_of.
  destruct alpha as [|n]; [lia|]. replace (S n - 1)%nat with n by lia.
  assert (Hn : 1 <= INR n) by (replace 1 with (INR 1) by reflexivity; apply le_INR; lia).
  rewrite S_INR. set (a := INR n + 1). assert (Ha1 : a = INR n + 1) by reflexivity.
  assert (Hfrac : 1 - / a = INR n / a) by (unfold a; field; lra).
  set (s := t * (1 - / a)).
  assert (Hs : 0 <= s).
  { unfold s. rewrite Hfrac. apply Rmult_le_pos; [lra|].
    apply Rmult_le_pos; [lra|]. left. apply Rinv_0_lt_compat. lra. }
  pose proof (bernoulli (S n) (s - 1) ltac:(lra)) as B.
  replace (1 + (s - 1)) with s in B by ring. rewrite S_INR in B. fold a in B.
  assert (E : / a * (1 - / a) ^ n * t ^ S n = s ^ S n / INR n).
  { unfold s. rewrite Rpow_mult_distr. simpl. rewrite Hfrac. field. lra. }
  rewrite E.
  assert (Et : t - 1 = (1 + a * (s - 1)) / INR n).
  { unfold s. rewrite Hfrac, Ha1. field. lra. }
  rewrite Et. unfold Rdiv. apply Rmult_le_compat_r; [|exact B].
  left. apply Rinv_0_lt_compat. lra.
Qed.
