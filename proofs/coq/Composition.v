(* Releases one after the other on one data set, each chosen after those before it: epsilons add up, deltas add up, and
   a ceiling fixed beforehand bounds the whole (a filter). *)
From Coq Require Import Reals Lra Lia Psatz QArith Qreals List Bool.
From Fumata Require Import Statement Power Divergence Uniform.
Import ListNotations.
Local Open Scope R_scope.

Definition expect {A} (mu : law A) (h : A -> R) : R := sum (fun e => snd e * h (fst e)) mu.

Lemma Pr_expect : forall A (mu : law A) S, Pr mu S = expect mu (fun a => if S a then 1 else 0).
Proof.
  intros A mu S. unfold expect. induction mu as [|[x w] mu IH]; [reflexivity|]. cbn [Pr sum fst snd]. rewrite IH.
  destruct (S x); ring.
Qed.

Lemma expect_le : forall A (mu : law A) h h', nonnegative mu -> (forall a, h a <= h' a) -> expect mu h <= expect mu h'.
Proof.
  intros A mu h h' N H. apply sum_le. intros e He. apply Rmult_le_compat_l; [|apply H].
  exact (proj1 (Forall_forall _ mu) N e He).
Qed.

Lemma expect_linear : forall A (mu : law A) r h c, is_law mu -> expect mu (fun a => r * h a + c) = r * expect mu h + c.
Proof.
  intros A mu r h c [_ T]. rewrite Pr_expect in T. unfold expect in *.
  rewrite (sum_ext _ _ (fun e => r * (snd e * h (fst e)) + c * (snd e * 1))) by (intros; ring).
  rewrite sum_plus, !sum_scale, T. ring.
Qed.

Lemma sum_swap : forall A B (f : A -> B -> R) l l',
  sum (fun x => sum (f x) l') l = sum (fun y => sum (fun x => f x y) l) l'.
Proof.
  intros A B f l l'. induction l as [|x l IH]; simpl; [rewrite sum_const; ring|]. rewrite IH, <- sum_plus. reflexivity.
Qed.

(* How many of 1 .. n are at most y. *)
Definition levels (n : nat) (y : R) : R := sum (fun i => if Rle_dec (INR i) y then 1 else 0) (seq 1 n).

Lemma levels_spec : forall n y, 0 <= y -> (INR n <= y -> levels n y = INR n) /\ (y < INR n -> y - 1 <= levels n y <= y).
Proof.
  intros n y Hy. induction n as [|n [I1 I2]]; [unfold levels; simpl; split; intros; lra|].
  unfold levels. rewrite seq_S, sum_app. fold (levels n y). cbn [sum]. change (1 + n)%nat with (S n).
  rewrite S_INR in *. destruct (Rle_dec (INR n + 1) y) as [L|L]; split; intros H; lra.
Qed.

(* What holds of events holds of any chance to win. *)
Lemma within_expect : forall A epsilon delta (P Q : law A) h, is_law P -> is_law Q -> within epsilon delta P Q ->
  (forall a, 0 <= h a <= 1) -> expect P h <= exp epsilon * expect Q h + delta.
Proof.
  intros A epsilon delta P Q h LP LQ W H.
  destruct (Rle_dec (expect P h) (exp epsilon * expect Q h + delta)) as [L|L]; [exact L|exfalso].
  destruct (archimed_cor1 (expect P h - (exp epsilon * expect Q h + delta)) ltac:(lra)) as [N [HN HN0]].
  assert (PN : 0 < INR N) by (apply lt_0_INR; exact HN0).
  set (S := fun i a => if Rle_dec (INR i) (INR N * h a) then true else false).
  assert (Sum : forall mu : law A, sum (fun i => Pr mu (S i)) (seq 1 N) = expect mu (fun a => levels N (INR N * h a))).
  { intros mu. rewrite (sum_ext _ _ (fun i => sum (fun e => snd e * (if S i (fst e) then 1 else 0)) mu))
      by (intros; apply Pr_expect).
    rewrite sum_swap. unfold expect. apply sum_ext. intros e _. unfold levels. rewrite <- sum_scale. apply sum_ext.
    intros i _. unfold S. destruct (Rle_dec (INR i) (INR N * h (fst e))); reflexivity. }
  assert (Lo : INR N * expect P h - 1 <= sum (fun i => Pr P (S i)) (seq 1 N)).
  { rewrite Sum. replace (INR N * expect P h - 1) with (INR N * expect P h + -1) by ring.
    rewrite <- expect_linear by exact LP. apply expect_le; [apply LP|]. intros a. specialize (H a).
    destruct (levels_spec N (INR N * h a) ltac:(nra)) as [L1 L2].
    destruct (Rle_dec (INR N) (INR N * h a)) as [G|G]; [rewrite L1 by exact G; nra|].
    specialize (L2 ltac:(lra)). lra. }
  assert (Up : sum (fun i => Pr Q (S i)) (seq 1 N) <= INR N * expect Q h).
  { rewrite Sum. replace (INR N * expect Q h) with (INR N * expect Q h + 0) by ring.
    rewrite <- expect_linear by exact LQ. apply expect_le; [apply LQ|]. intros a. specialize (H a).
    destruct (levels_spec N (INR N * h a) ltac:(nra)) as [L1 L2].
    destruct (Rle_dec (INR N) (INR N * h a)) as [G|G]; [rewrite L1 by exact G; nra|].
    specialize (L2 ltac:(lra)). lra. }
  assert (Mid : sum (fun i => Pr P (S i)) (seq 1 N) <=
    exp epsilon * sum (fun i => Pr Q (S i)) (seq 1 N) + INR N * delta).
  { replace (INR N * delta) with (sum (fun _ : nat => delta) (seq 1 N)) by (rewrite sum_const, seq_length; reflexivity).
    rewrite <- sum_scale, <- sum_plus. apply sum_le. intros i _. apply W. }
  pose proof (exp_pos epsilon) as E.
  assert (Bound : INR N * expect P h - 1 <= exp epsilon * (INR N * expect Q h) + INR N * delta).
  { assert (exp epsilon * sum (fun i => Pr Q (S i)) (seq 1 N) <= exp epsilon * (INR N * expect Q h))
      by (apply Rmult_le_compat_l; lra). lra. }
  apply (Rmult_lt_compat_l (INR N)) in HN; [|exact PN]. rewrite Rinv_r in HN by lra. lra.
Qed.

(* Two releases, the second chosen after the first. *)
Theorem within_bind : forall A B epsilon delta epsilon' delta' (P Q : law A) (f g : A -> law B),
  is_law P -> is_law Q -> (forall a, is_law (f a)) -> (forall a, is_law (g a)) ->
  within epsilon delta P Q -> (forall a, within epsilon' delta' (f a) (g a)) ->
  within (epsilon + epsilon') (delta + delta') (bind P f) (bind Q g).
Proof.
  intros A B epsilon delta epsilon' delta' P Q f g LP LQ Lf Lg W W' S. rewrite !Pr_bind.
  fold (expect P (fun a => Pr (f a) S)). fold (expect Q (fun a => Pr (g a) S)).
  set (h := fun a => Rmin 1 (exp epsilon' * Pr (g a) S)). pose proof (exp_pos epsilon') as E'.
  assert (G : forall a, 0 <= Pr (g a) S) by (intros a; apply Pr_nonnegative; apply (Lg a)).
  assert (H : forall a, 0 <= h a <= 1).
  { intros a. specialize (G a). unfold h. split; [apply Rmin_glb; [lra|]; apply Rmult_le_pos; lra|apply Rmin_l]. }
  assert (Hf : forall a, Pr (f a) S <= 1 * h a + delta').
  { intros a. pose proof (W' a S) as H1. pose proof (W' a (fun _ => false)) as H2.
    assert (Z : forall mu : law B, Pr mu (fun _ => false) = 0) by (induction mu as [|[x w] mu IH]; simpl;
      [|rewrite IH]; lra).
    rewrite !Z in H2. pose proof (Pr_at_most_1 B (f a) S (Lf a)). unfold h, Rmin.
    destruct (Rle_dec 1 (exp epsilon' * Pr (g a) S)); lra. }
  pose proof (within_expect A epsilon delta P Q h LP LQ W H) as B1.
  assert (B2 : expect P (fun a => Pr (f a) S) <= expect P h + delta').
  { replace (expect P h + delta') with (1 * expect P h + delta') by ring. rewrite <- expect_linear by exact LP.
    apply expect_le; [apply LP|exact Hf]. }
  assert (B3 : expect Q h <= exp epsilon' * expect Q (fun a => Pr (g a) S)).
  { replace (exp epsilon' * expect Q (fun a => Pr (g a) S))
      with (exp epsilon' * expect Q (fun a => Pr (g a) S) + 0) by ring.
    rewrite <- expect_linear by exact LQ. apply expect_le; [apply LQ|]. intros a. unfold h.
    eapply Rle_trans; [apply Rmin_r|]. lra. }
  rewrite exp_plus. pose proof (exp_pos epsilon) as E.
  assert (B4 : exp epsilon * expect Q h <= exp epsilon * (exp epsilon' * expect Q (fun a => Pr (g a) S)))
    by (apply Rmult_le_compat_l; lra).
  lra.
Qed.

Lemma within_same : forall A epsilon delta (mu : law A), 0 <= epsilon -> 0 <= delta -> is_law mu ->
  within epsilon delta mu mu.
Proof.
  intros A epsilon delta mu He Hd L S. pose proof (Pr_nonnegative A mu S (proj1 L)) as N.
  assert (1 <= exp epsilon) by (pose proof (exp_lower_3 epsilon He); nra). nra.
Qed.

Lemma is_law_point : forall A (a : A), is_law [(a, 1)].
Proof. intros A a. split; [repeat constructor; simpl; lra|]. simpl. lra. Qed.

Theorem ledger_composes : ledger_is_private.
Proof.
  intros D A near choose n total_epsilon total_delta He Hd Hc.
  assert (L : forall n epsilon delta data seen, is_law (ledger n epsilon delta choose data seen)).
  { clear n total_epsilon total_delta He Hd. induction n as [|n IH]; intros epsilon delta data seen;
      [apply is_law_point|]. simpl.
    destruct (choose seen) as [[e d mechanism]|] eqn:Ec; [|apply is_law_point].
    destruct (Qle_bool e epsilon && Qle_bool d delta); [|apply is_law_point].
    apply is_law_bind; [exact (proj1 (Hc seen e d mechanism Ec) data)|intros a; apply IH]. }
  split; [intros data; apply L|]. intros data data' Hn.
  assert (G : forall n epsilon delta seen, (0 <= epsilon)%Q -> (0 <= delta)%Q ->
    within (Q2R epsilon) (Q2R delta) (ledger n epsilon delta choose data seen)
      (ledger n epsilon delta choose data' seen)); [|apply G; assumption].
  assert (Z : forall q, (0 <= q)%Q -> 0 <= Q2R q).
  { intros q H. apply Qle_Rle in H. replace (Q2R 0) with 0 in H by (unfold Q2R; simpl; lra). exact H. }
  clear n total_epsilon total_delta He Hd. induction n as [|n IH]; intros epsilon delta seen He Hd.
  { apply within_same; [apply Z; exact He|apply Z; exact Hd|apply is_law_point]. }
  simpl. destruct (choose seen) as [[e d mechanism]|] eqn:Ec;
    [|apply within_same; [apply Z; exact He|apply Z; exact Hd|apply is_law_point]].
  destruct (Qle_bool e epsilon && Qle_bool d delta) eqn:F;
    [|apply within_same; [apply Z; exact He|apply Z; exact Hd|apply is_law_point]].
  apply andb_true_iff in F. destruct F as [F1 F2]. apply Qle_bool_iff in F1. apply Qle_bool_iff in F2.
  destruct (Hc seen e d mechanism Ec) as [Hl Hw].
  replace (Q2R epsilon) with (Q2R e + Q2R (epsilon - e)) by (rewrite Q2R_minus; ring).
  replace (Q2R delta) with (Q2R d + Q2R (delta - d)) by (rewrite Q2R_minus; ring).
  apply within_bind; try (intros; apply L); [apply Hl|apply Hl|apply Hw; exact Hn|].
  intros a. apply IH; [apply Qle_minus_iff in F1|apply Qle_minus_iff in F2]; assumption.
Qed.
