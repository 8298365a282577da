(* Two laws that are close in both directions up to a loss, as one step of a composition: the moment of order alpha
   of such a step is at most that of randomized response, (x^alpha + x^(1 - alpha)) / (1 + x), x = e^epsilon0. *)
From Coq Require Import Reals Lra Lia Psatz List Bool.
From Fumata Require Import Statement Power Divergence Uniform.
Import ListNotations.
Local Open Scope R_scope.

(* The moment of order k + 1 of randomized response with odds x. *)
Definition response_moment (k : nat) (x : R) : R := (x ^ (k + 1) + (/ x) ^ k) / (1 + x).

Lemma pow_convex : forall n u v t, 0 <= u -> 0 <= v -> 0 <= t <= 1 ->
  (t * u + (1 - t) * v) ^ n <= t * u ^ n + (1 - t) * v ^ n.
Proof.
  induction n as [|n IH]; intros u v t Hu Hv Ht; [simpl; lra|].
  specialize (IH u v t Hu Hv Ht).
  assert (Hs : 0 <= t * u + (1 - t) * v) by nra.
  assert (Hd : 0 <= (u - v) * (u ^ n - v ^ n)).
  { destruct (Rle_dec v u) as [H|H].
    - pose proof (pow_mono v u n ltac:(lra)). nra.
    - pose proof (pow_mono u v n ltac:(lra)). nra. }
  apply Rle_trans with ((t * u + (1 - t) * v) * (t * u ^ n + (1 - t) * v ^ n)).
  - simpl. apply Rmult_le_compat_l; assumption.
  - assert (0 <= t * (1 - t) * ((u - v) * (u ^ n - v ^ n))) by (apply Rmult_le_pos; nra).
    simpl. nra.
Qed.

(* A power between 1/x and x lies under the chord through its ends. *)
Lemma chord : forall k x, 1 <= x -> exists A B, 0 <= B /\ A + B = response_moment k x /\
  forall r, / x <= r <= x -> r ^ (k + 1) <= A + B * r.
Proof.
  intros k x Hx. destruct (Req_dec x 1) as [->|Hn].
  - exists 0, 1. split; [lra|]. split.
    + unfold response_moment. rewrite Rinv_1, !pow1. lra.
    + intros r Hr. rewrite Rinv_1 in Hr. replace r with 1 by lra. rewrite pow1. lra.
  - assert (H1 : 1 < x) by lra.
    assert (Hi : 0 < / x < 1).
    { split; [apply Rinv_0_lt_compat; lra|]. rewrite <- Rinv_1. apply Rinv_lt_contravar; lra. }
    set (y := / x) in *.
    assert (Exy : x * y = 1) by (unfold y; apply Rinv_r; lra).
    set (U := x ^ (k + 1)). set (W := y ^ (k + 1)).
    assert (HUW : W <= U) by (apply pow_mono; lra).
    assert (Ed : 0 < / (x - y)) by (apply Rinv_0_lt_compat; lra).
    exists (W - (U - W) * / (x - y) * y), ((U - W) * / (x - y)).
    split; [apply Rmult_le_pos; lra|]. split.
    + unfold response_moment. fold y. fold U.
      replace (y ^ k) with (x * W).
      2:{ unfold W. rewrite pow_add. simpl. rewrite Rmult_1_r. replace (x * (y ^ k * y)) with (y ^ k * (x * y)) by ring.
          rewrite Exy. ring. }
      assert (Hxy : x - y = (x * x - 1) / x).
      { unfold y. field. lra. }
      rewrite Hxy. unfold y. field. split; [|split]; nra.
    + intros r Hr. set (t := (r - y) * / (x - y)).
      assert (Ht : 0 <= t <= 1).
      { unfold t. split; [apply Rmult_le_pos; lra|].
        apply Rmult_le_reg_r with (x - y); [lra|]. rewrite Rmult_assoc, Rinv_l by lra. lra. }
      assert (Er : r = t * x + (1 - t) * y) by (unfold t; field; lra).
      pose proof (pow_convex (k + 1) x y t ltac:(lra) ltac:(lra) Ht) as C. rewrite <- Er in C. fold U W in C.
      eapply Rle_trans; [exact C|]. right. unfold t. field. lra.
Qed.

Lemma response_moment_ge_1 : forall k x, 1 <= x -> 1 <= response_moment k x.
Proof.
  intros k x Hx. destruct (chord k x Hx) as [A [B [HB [E C]]]].
  specialize (C 1). rewrite pow1 in C. rewrite <- E.
  assert (/ x <= 1 <= x).
  { split; [|exact Hx]. rewrite <- Rinv_1. apply Rinv_le_contravar; lra. }
  specialize (C H). lra.
Qed.

(* One common outcome of two experiments, with its two weights. *)
Definition common (A : Type) := (A * (R * R))%type.
Definition mass {A} (e : common A) : R := fst (snd e).
Definition mass' {A} (e : common A) : R := snd (snd e).

(* Weights that are within a factor x of each other, both ways. *)
Definition pure (x a b : R) : Prop := 0 <= a /\ 0 <= b /\ a <= x * b /\ b <= x * a.

Lemma pure_min : forall x a b, 1 <= x -> 0 <= a -> 0 <= b -> pure x (Rmin a (x * b)) (Rmin b (x * a)).
Proof.
  intros x a b Hx Ha Hb.
  assert (Hxa : a <= x * a) by nra. assert (Hxb : b <= x * b) by nra.
  assert (Hxxa : x * a <= x * (x * a)) by (apply Rmult_le_compat_l; lra).
  assert (Hxxb : x * b <= x * (x * b)) by (apply Rmult_le_compat_l; lra).
  unfold Rmin, pure. destruct (Rle_dec a (x * b)); destruct (Rle_dec b (x * a)); repeat split; lra.
Qed.

(* Every convex combination of a and b/x keeps the ratio. *)
Lemma pure_move : forall x a b t, 1 <= x -> 0 <= t <= 1 -> pure x a b -> pure x ((1 - t) * a + t * (b / x)) b.
Proof.
  intros x a b t Hx Ht [Ha [Hb [H1 H2]]].
  assert (Hbx : b / x * x = b) by (field; lra).
  assert (0 <= b / x) by (apply Rmult_le_pos; [lra|]; left; apply Rinv_0_lt_compat; lra).
  assert (b / x <= b) by nra.
  assert (b / x <= a) by nra.
  repeat split; nra.
Qed.

Lemma moment_chord : forall k x A B a b, (forall r, / x <= r <= x -> r ^ (k + 1) <= A + B * r) -> 1 <= x ->
  pure x a b -> 0 < b -> moment k a b <= A * b + B * a.
Proof.
  intros k x A B a b C Hx [Ha [Hb [H1 H2]]] Hpos.
  assert (Hinv : 0 < / b) by (apply Rinv_0_lt_compat; exact Hpos).
  assert (Hxi : 0 < / x) by (apply Rinv_0_lt_compat; lra).
  assert (Hr : / x <= a / b <= x).
  { split.
    - apply Rmult_le_reg_r with (b * x); [apply Rmult_lt_0_compat; lra|].
      replace (/ x * (b * x)) with b by (field; lra). replace (a / b * (b * x)) with (x * a) by (field; lra). exact H2.
    - apply Rmult_le_reg_r with b; [exact Hpos|]. replace (a / b * b) with a by (field; lra). exact H1. }
  specialize (C (a / b) Hr). apply (Rmult_le_compat_l b) in C; [|lra].
  unfold moment. rewrite pow_add in C. simpl in C.
  replace (b * ((a / b) ^ k * (a / b * 1))) with (a * (a / b) ^ k) in C by (field; lra).
  replace (b * (A + B * (a / b))) with (A * b + B * a) in C by (field; lra). exact C.
Qed.

(* One step of a composition. The two experiments have the outcomes l in common, with weights a and b; what is not
   common, or sticks out of the factor x, weighs at most delta1 on either side. X and X' are the chances to win after
   each outcome, which the rest of the game has bounded already. *)
Theorem composition_step : forall (A : Type) (l : list (common A)) (X X' : A -> R) k x delta1 P Q E G slack,
  1 <= x -> 0 <= P -> 0 < Q -> 0 <= E -> 0 <= G -> 0 <= slack ->
  (forall e, In e l -> 0 <= mass e /\ 0 <= mass' e) ->
  (forall o, 0 <= X o <= 1) -> (forall o, 0 <= X' o) ->
  sum mass l <= 1 -> sum mass' l <= 1 ->
  1 - sum (fun e => Rmin (mass e) (x * mass' e)) l <= delta1 ->
  1 - sum (fun e => Rmin (mass' e) (x * mass e)) l <= delta1 ->
  (forall o P Q, 0 <= P -> 0 < Q -> P * X o - E * Q * X' o <= G * moment k P Q + P * slack) ->
  P * (sum (fun e => mass e * X (fst e)) l + (1 - sum mass l)) - E * Q * sum (fun e => mass' e * X' (fst e)) l <=
  response_moment k x * G * moment k P Q + P * (slack + delta1).
Proof.
  intros A l X X' k x delta1 P Q E G slack Hx HP HQ HE HG Hsl Hl HX HX' Ha1 Hb1 Hloss Hloss' IH.
  destruct (chord k x Hx) as [CA [CB [HCB [HAB HC]]]].
  set (a0 := fun e : common A => Rmin (mass e) (x * mass' e)) in *.
  set (b0 := fun e : common A => Rmin (mass' e) (x * mass e)) in *.
  assert (Hpure : forall e, In e l -> pure x (a0 e) (b0 e)).
  { intros e He. destruct (Hl e He). apply pure_min; assumption. }
  assert (Ha0 : sum a0 l <= 1) by (eapply Rle_trans; [apply sum_le; intros e _; apply Rmin_l|exact Ha1]).
  assert (Hb0 : sum b0 l <= 1) by (eapply Rle_trans; [apply sum_le; intros e _; apply Rmin_l|exact Hb1]).
  assert (Hb0pos : 0 <= sum b0 l).
  { replace 0 with (sum (fun _ : common A => 0) l) by (rewrite sum_const; ring).
    apply sum_le. intros e He. apply (Hpure e He). }
  (* lower the first weights until they do not outweigh the second *)
  assert (Ex : exists t, 0 <= t <= 1 /\
    (1 - t) * sum a0 l + t * (sum b0 l / x) <= sum b0 l /\
    1 - ((1 - t) * sum a0 l + t * (sum b0 l / x)) <= delta1).
  { destruct (Rle_dec (sum a0 l) (sum b0 l)) as [H|H].
    - exists 0. split; [lra|]. split; lra.
    - assert (Hbx : sum b0 l / x <= sum b0 l).
      { apply Rmult_le_reg_r with x; [lra|]. replace (sum b0 l / x * x) with (sum b0 l) by (field; lra). nra. }
      set (s := sum a0 l - sum b0 l / x). assert (Hs : 0 < s) by (unfold s; lra).
      exists ((sum a0 l - sum b0 l) * / s).
      assert (Hsi : 0 < / s) by (apply Rinv_0_lt_compat; exact Hs).
      assert (Eq : (1 - (sum a0 l - sum b0 l) * / s) * sum a0 l + (sum a0 l - sum b0 l) * / s * (sum b0 l / x) = sum
        b0 l).
      { replace (sum b0 l / x) with (sum a0 l - s) by (unfold s; ring). field. lra. }
      rewrite Eq. split; [|split; lra].
      split; [apply Rmult_le_pos; lra|].
      apply Rmult_le_reg_r with s; [exact Hs|]. rewrite Rmult_assoc, Rinv_l by lra. unfold s. lra. }
  destruct Ex as [t [Ht [Hmass Hlost]]].
  set (a1 := fun e => (1 - t) * a0 e + t * (b0 e / x)).
  assert (Hpure1 : forall e, In e l -> pure x (a1 e) (b0 e)) by (intros e He; apply pure_move; auto).
  assert (Hsum1 : sum a1 l = (1 - t) * sum a0 l + t * (sum b0 l / x)).
  { unfold a1. rewrite sum_plus, sum_scale. f_equal. rewrite sum_scale. f_equal.
    unfold Rdiv. rewrite (sum_ext _ _ (fun e => / x * b0 e)) by (intros; ring). rewrite sum_scale. ring. }
  assert (Hle : forall e, In e l -> a1 e <= mass e).
  { intros e He. destruct (Hpure e He) as [Pa [Pb [P1 P2]]]. destruct (Hl e He).
    assert (b0 e / x <= a0 e).
    { apply Rmult_le_reg_r with x; [lra|]. replace (b0 e / x * x) with (b0 e) by (field; lra). lra. }
    assert (a0 e <= mass e) by apply Rmin_l. unfold a1. nra. }
  (* the bound, outcome by outcome *)
  assert (Hpoint : forall e, In e l ->
    P * (a1 e * X (fst e)) - E * Q * (mass' e * X' (fst e)) <=
    G * moment k P Q * (CA * b0 e + CB * a1 e) + P * slack * a1 e).
  { intros e He. destruct (Hpure1 e He) as [Pa [Pb [P1 P2]]]. destruct (Hl e He) as [Ma Mb].
    assert (Hb0m : b0 e <= mass' e) by apply Rmin_l.
    specialize (HX (fst e)). specialize (HX' (fst e)).
    assert (0 <= E * Q) by (apply Rmult_le_pos; lra).
    assert (Hdrop : E * Q * (b0 e * X' (fst e)) <= E * Q * (mass' e * X' (fst e))).
    { apply Rmult_le_compat_l; [assumption|]. apply Rmult_le_compat_r; assumption. }
    destruct (Req_dec (b0 e) 0) as [Z|Z].
    - assert (Za : a1 e = 0) by nra. rewrite Za. rewrite Z in *. nra.
    - assert (Hb : 0 < b0 e) by lra.
      specialize (IH (fst e) (P * a1 e) (Q * b0 e) ltac:(apply Rmult_le_pos; lra) ltac:(apply Rmult_lt_0_compat; lra)).
      rewrite moment_mult in IH by assumption.
      pose proof (moment_chord k x CA CB (a1 e) (b0 e) HC Hx (Hpure1 e He) Hb) as M.
      pose proof (moment_nonneg k P Q HP HQ) as M0.
      assert (G * moment k P Q * moment k (a1 e) (b0 e) <= G * moment k P Q * (CA * b0 e + CB * a1 e)).
      { apply Rmult_le_compat_l; [apply Rmult_le_pos; assumption|exact M]. }
      nra. }
  apply sum_le in Hpoint.
  assert (S1 : sum (fun e => P * (a1 e * X (fst e)) - E * Q * (mass' e * X' (fst e))) l =
    P * sum (fun e => a1 e * X (fst e)) l - E * Q * sum (fun e => mass' e * X' (fst e)) l).
  { rewrite (sum_ext _ _ (fun e => P * (a1 e * X (fst e)) + - (E * Q) * (mass' e * X' (fst e)))) by (intros; ring).
    rewrite sum_plus, !sum_scale. ring. }
  assert (S2 : sum (fun e => G * moment k P Q * (CA * b0 e + CB * a1 e) + P * slack * a1 e) l =
    G * moment k P Q * (CA * sum b0 l + CB * sum a1 l) + P * slack * sum a1 l).
  { rewrite sum_plus, !sum_scale, sum_plus, !sum_scale. ring. }
  rewrite S1, S2 in Hpoint.
  assert (S3 : sum (fun e => mass e * X (fst e)) l <= sum (fun e => a1 e * X (fst e)) l + (sum mass l - sum a1 l)).
  { replace (sum (fun e => a1 e * X (fst e)) l + (sum mass l - sum a1 l))
      with (sum (fun e => a1 e * X (fst e) + (mass e + (-1) * a1 e)) l).
    - apply sum_le. intros e He. specialize (Hle e He). specialize (HX (fst e)). nra.
    - rewrite sum_plus, sum_plus, sum_scale. ring. }
  rewrite <- Hsum1 in Hmass, Hlost.
  pose proof (response_moment_ge_1 k x Hx) as HR.
  assert (S4 : CA * sum b0 l + CB * sum a1 l <= response_moment k x).
  { rewrite <- HAB in *. nra. }
  pose proof (moment_nonneg k P Q HP HQ) as M0.
  assert (S5 : G * moment k P Q * (CA * sum b0 l + CB * sum a1 l) <= G * moment k P Q * response_moment k x).
  { apply Rmult_le_compat_l; [apply Rmult_le_pos; assumption|exact S4]. }
  assert (S6 : P * slack * sum a1 l <= P * slack * 1).
  { apply Rmult_le_compat_l; [apply Rmult_le_pos; assumption|]. lra. }
  assert (S7 : P * (sum (fun e => mass e * X (fst e)) l + (1 - sum mass l)) <=
    P * (sum (fun e => a1 e * X (fst e)) l + delta1)).
  { apply Rmult_le_compat_l; [exact HP|]. lra. }
  nra.
Qed.
