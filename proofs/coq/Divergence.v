(* Finite laws and the (epsilon, delta)-closeness of two of them (Statement.v says what these are),
   and the pointwise step
   from a hockey-stick term P - e^epsilon Q to a moment P^alpha Q^(1 - alpha). *)
From Coq Require Import Reals Lra Lia Psatz List Bool.
From Fumata Require Import Power Statement.
Import ListNotations.
Local Open Scope R_scope.

Notation everything := (fun _ => true) (only parsing).

Definition nonnegative {A : Type} (mu : law A) : Prop := Forall (fun entry => 0 <= snd entry) mu.

Lemma Pr_app : forall A (mu nu : law A) S, Pr (mu ++ nu) S = Pr mu S + Pr nu S.
Proof.
  induction mu as [|[x w] mu IH]; intros nu S; simpl; [lra|]. rewrite IH. lra.
Qed.

(* Every weight times the same number. *)
Definition scale {A : Type} (r : R) (mu : law A) : law A := map (fun entry => (fst entry, r * snd entry)) mu.

Lemma Pr_scale : forall A r (mu : law A) S, Pr (scale r mu) S = r * Pr mu S.
Proof.
  induction mu as [|[x w] mu IH]; intros S; simpl; [lra|].
  unfold scale in IH. rewrite IH. destruct (S x); lra.
Qed.

Lemma nonnegative_app : forall A (mu nu : law A), nonnegative mu -> nonnegative nu -> nonnegative (mu ++ nu).
Proof. intros A mu nu Hm Hn. apply Forall_app. split; assumption. Qed.

Lemma nonnegative_scale : forall A r (mu : law A), 0 <= r -> nonnegative mu -> nonnegative (scale r mu).
Proof.
  intros A r mu Hr Hm. unfold nonnegative, scale. apply Forall_map.
  eapply Forall_impl; [|exact Hm]. intros [x w] Hw. simpl in *. apply Rmult_le_pos; lra.
Qed.

Lemma Pr_nonnegative : forall A (mu : law A) S, nonnegative mu -> 0 <= Pr mu S.
Proof.
  induction mu as [|[x w] mu IH]; intros S H; simpl; [lra|].
  inversion H; subst. simpl in *. specialize (IH S H3). destruct (S x); lra.
Qed.

Lemma Pr_mono : forall A (mu : law A) S S', nonnegative mu -> (forall x, S x = true -> S' x = true) ->
  Pr mu S <= Pr mu S'.
Proof.
  induction mu as [|[x w] mu IH]; intros S S' H Hi; simpl; [lra|].
  inversion H; subst. simpl in *. specialize (IH S S' H3 Hi). specialize (Hi x).
  destruct (S x); destruct (S' x); try lra; exfalso; specialize (Hi eq_refl); discriminate.
Qed.

Lemma Pr_at_most_1 : forall A (mu : law A) S, is_law mu -> Pr mu S <= 1.
Proof.
  intros A mu S [Hn H1]. rewrite <- H1. apply Pr_mono; [exact Hn|]. reflexivity.
Qed.

(* What is done with a released outcome afterwards costs nothing. *)
Lemma Pr_post : forall A B (f : A -> B) mu S, Pr (post f mu) S = Pr mu (fun x => S (f x)).
Proof.
  induction mu as [|[x w] mu IH]; intros S; simpl; [reflexivity|]. unfold post in IH. rewrite IH. reflexivity.
Qed.

Theorem within_post : forall A B (f : A -> B) epsilon delta P Q,
  within epsilon delta P Q -> within epsilon delta (post f P) (post f Q).
Proof. intros A B f epsilon delta P Q H S. rewrite !Pr_post. apply H. Qed.

Lemma within_weaken : forall A epsilon delta delta' (P Q : law A),
  delta <= delta' -> within epsilon delta P Q -> within epsilon delta' P Q.
Proof. intros A epsilon delta delta' P Q Hd H S. specialize (H S). lra. Qed.

(* One term of the moment of order k + 1: P^(k+1) Q^(-k). *)
Definition moment (k : nat) (P Q : R) : R := P * (P / Q) ^ k.

Lemma moment_is : forall alpha P Q, (1 <= alpha)%nat -> moment (alpha - 1) P Q = P ^ alpha * (/ Q) ^ (alpha - 1).
Proof.
  intros alpha P Q H. destruct alpha as [|k]; [lia|]. replace (S k - 1)%nat with k by lia.
  unfold moment, Rdiv. rewrite Rpow_mult_distr. simpl. ring.
Qed.

Lemma moment_nonneg : forall k P Q, 0 <= P -> 0 < Q -> 0 <= moment k P Q.
Proof.
  intros k P Q HP HQ. unfold moment. apply Rmult_le_pos; [exact HP|].
  apply pow_nonneg. apply Rmult_le_pos; [exact HP|]. left. apply Rinv_0_lt_compat. exact HQ.
Qed.

Lemma moment_mult : forall k P Q p q, 0 < Q -> 0 < q ->
  moment k (P * p) (Q * q) = moment k P Q * moment k p q.
Proof.
  intros k P Q p q HQ Hq. unfold moment.
  replace (P * p / (Q * q)) with (P / Q * (p / q)) by (field; lra).
  rewrite Rpow_mult_distr. ring.
Qed.

Lemma moment_same : forall k P, 0 < P -> moment k P P = P.
Proof.
  intros k P HP. unfold moment. replace (P / P) with 1 by (field; lra). rewrite pow1. ring.
Qed.

(* The price of one transcript: max(0, P - e^epsilon Q) <= c(alpha) e^(-(alpha-1) epsilon) P^alpha Q^(1-alpha). *)
Theorem hockey_stick_step : forall alpha epsilon P Q, (2 <= alpha)%nat -> 0 <= P -> 0 < Q ->
  Rmax 0 (P - exp epsilon * Q) <= c_of alpha * exp (- INR (alpha - 1) * epsilon) * moment (alpha - 1) P Q.
Proof.
  intros alpha epsilon P Q Ha HP HQ.
  pose proof (c_of_pos alpha Ha) as Hc.
  pose proof (exp_pos epsilon) as HE.
  pose proof (exp_pos (- INR (alpha - 1) * epsilon)) as HE'.
  apply Rmax_lub.
  { apply Rmult_le_pos; [nra|]. apply moment_nonneg; assumption. }
  set (t := P / (exp epsilon * Q)).
  assert (HEQ : 0 < exp epsilon * Q) by (apply Rmult_lt_0_compat; assumption).
  assert (Ht : 0 <= t).
  { unfold t. apply Rmult_le_pos; [exact HP|]. left. apply Rinv_0_lt_compat. exact HEQ. }
  pose proof (c_of_spec alpha t Ha Ht) as H.
  apply (Rmult_le_compat_l (exp epsilon * Q)) in H; [|lra].
  replace (exp epsilon * Q * (t - 1)) with (P - exp epsilon * Q) in H by (unfold t; field; lra).
  eapply Rle_trans; [exact H|]. right.
  replace (- INR (alpha - 1) * epsilon) with (- (INR (alpha - 1) * epsilon)) by ring.
  rewrite exp_Ropp, <- exp_pow.
  destruct alpha as [|k]; [lia|]. replace (S k - 1)%nat with k by lia.
  unfold moment. simpl.
  replace (P / Q) with (exp epsilon * t) by (unfold t; field; lra).
  rewrite Rpow_mult_distr. unfold t at 1. pose proof (pow_lt _ k HE). field. lra.
Qed.
