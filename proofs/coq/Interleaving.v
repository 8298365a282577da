(* Several sessions at work on one data set at the same time, asked in any order: what is needed so that epsilons and
   deltas still add up. A session is the probability of its answers to its questions, as a function of both; it is
   `dominated` by another when a part of it, never growing and never less than 1 - delta in all, stays below e^epsilon
   times the other whatever is asked. What is private has such a part (Concurrent.v). *)
From Coq Require Import Reals Lra Lia Psatz List Bool Arith Permutation.
From Fumata Require Import Statement Divergence Uniform Composition.
Import ListNotations.
Local Open Scope R_scope.

Section Sessions.
  Variables query reply : Type.
  Variable replies : query -> list reply.

  (* Questions and answers of one session, the latest first. *)
  Definition history := list (query * reply).
  Definition mechanism_of := history -> R.

  Record coherent (W : mechanism_of) : Prop := {
    coherent_start : W [] = 1;
    coherent_nonneg : forall h, 0 <= W h;
    coherent_sum : forall h q, sum (fun a => W ((q, a) :: h)) (replies q) = W h
  }.

  (* As long as only what is allowed is asked. *)
  Record dominated (allowed : history -> query -> Prop) (epsilon delta : R) (W W' w : mechanism_of) : Prop := {
    dominated_start : 1 - delta <= w [];
    dominated_part : forall h, 0 <= w h <= W h;
    dominated_below : forall h, w h <= exp epsilon * W' h;
    dominated_kept : forall h q, allowed h q -> w h <= sum (fun a => w ((q, a) :: h)) (replies q)
  }.

  (* A secret drawn first: the mean over it. *)
  Definition mean_of {H} (choices : list H) (W : H -> mechanism_of) : mechanism_of :=
    fun h => / INR (length choices) * sum (fun s => W s h) choices.

  Lemma coherent_mean : forall H (choices : list H) W, choices <> [] -> (forall s, coherent (W s)) ->
    coherent (mean_of choices W).
  Proof.
    intros H choices W Hn HW. assert (HN : 0 < INR (length choices)).
    { apply lt_0_INR. destruct choices; [contradiction|]. simpl. lia. }
    assert (Hi : 0 < / INR (length choices)) by (apply Rinv_0_lt_compat; exact HN).
    unfold mean_of. constructor.
    - rewrite (sum_ext _ _ (fun _ => 1)) by (intros; apply HW). rewrite sum_const. field. lra.
    - intros h. apply Rmult_le_pos; [lra|].
      apply Rle_trans with (sum (fun _ : H => 0) choices); [rewrite sum_const; lra|].
      apply sum_le. intros s _. apply HW.
    - intros h q. rewrite sum_scale, sum_swap. f_equal. apply sum_ext. intros s _. apply HW.
  Qed.

  (* All sessions together: an event names its session. *)
  Definition events := list (nat * (query * reply)).
  Definition own (i : nat) (h : events) : history := map snd (filter (fun e => fst e =? i)%nat h).

  Fixpoint product (f : nat -> R) (m : nat) : R :=
    match m with O => 1 | S n => product f n * f n end.
  Definition joint (m : nat) (Ws : nat -> mechanism_of) (h : events) : R := product (fun i => Ws i (own i h)) m.

  (* The probability that the events end in S, when `next` names a session and its next question, or stops. *)
  Fixpoint interleave (m : nat) (Ws : nat -> mechanism_of) (next : events -> option (nat * query)) (S : events -> bool)
    (n : nat) (h : events) : R :=
    let stop := if S h then joint m Ws h else 0 in
    match n, next h with
    | Datatypes.S k, Some (i, q) =>
        if (i <? m)%nat then sum (fun a => interleave m Ws next S k ((i, (q, a)) :: h)) (replies q) else stop
    | _, _ => stop
    end.

  Lemma product_split : forall f i m, (i < m)%nat ->
    product f m = product (fun j => if (j =? i)%nat then 1 else f j) m * f i.
  Proof.
    intros f i m. induction m as [|m IH]; intros H; [lia|]. cbn [product].
    destruct (Nat.eqb_spec m i) as [E|E]; [|rewrite IH by lia; ring].
    subst m. rewrite Rmult_1_r. f_equal. clear. assert (G : forall k, (k <= i)%nat ->
      product f k = product (fun j => if (j =? i)%nat then 1 else f j) k).
    { induction k as [|k IH]; intros H; [reflexivity|]. cbn [product]. rewrite IH by lia.
      destruct (Nat.eqb_spec k i); [lia|reflexivity]. }
    apply G. lia.
  Qed.

  Lemma product_ext : forall f g m, (forall i, (i < m)%nat -> f i = g i) -> product f m = product g m.
  Proof. intros f g m. induction m as [|m IH]; intros H; [reflexivity|]. cbn [product]. rewrite IH, H; auto. Qed.

  Lemma product_le : forall f g m, (forall i, (i < m)%nat -> 0 <= f i <= g i) -> 0 <= product f m <= product g m.
  Proof.
    intros f g m. induction m as [|m IH]; intros H; cbn [product]; [lra|].
    specialize (IH (fun i Hi => H i (Nat.lt_lt_succ_r _ _ Hi))). specialize (H m (Nat.lt_succ_diag_r m)).
    split; [apply Rmult_le_pos; lra|]. apply Rmult_le_compat; lra.
  Qed.

  (* One more event in session i changes the factor of session i alone. *)
  Lemma joint_event : forall m Ws i q h, (i < m)%nat -> exists rest,
    joint m Ws h = rest * Ws i (own i h) /\
    (forall a, joint m Ws ((i, (q, a)) :: h) = rest * Ws i ((q, a) :: own i h)) /\
    rest = product (fun j => if (j =? i)%nat then 1 else Ws j (own j h)) m.
  Proof.
    intros m Ws i q h Hi. eexists. split; [|split; [|reflexivity]].
    - unfold joint. rewrite (product_split _ i m Hi). reflexivity.
    - intros a. unfold joint. rewrite (product_split _ i m Hi). f_equal.
      + apply product_ext. intros j _. destruct (Nat.eqb_spec j i) as [E|E]; [reflexivity|].
        unfold own. cbn [filter fst]. destruct (Nat.eqb_spec i j); [congruence|reflexivity].
      + unfold own. cbn [filter fst]. rewrite Nat.eqb_refl. reflexivity.
  Qed.

  Variable m : nat.
  Variables epsilons deltas : nat -> R.
  Variables Ws Ws' ws : nat -> mechanism_of.
  Variable allowed : nat -> history -> query -> Prop.
  Hypothesis Hcoherent : forall i, (i < m)%nat -> coherent (Ws i) /\ coherent (Ws' i).
  Hypothesis Hdominated : forall i, (i < m)%nat ->
    dominated (allowed i) (epsilons i) (deltas i) (Ws i) (Ws' i) (ws i).

  (* Everything that `next` asks within n turns is allowed. *)
  Fixpoint permitted (next : events -> option (nat * query)) (n : nat) (h : events) : Prop :=
    match n, next h with
    | Datatypes.S k, Some (i, q) => (i < m)%nat ->
        allowed i (own i h) q /\ forall a, In a (replies q) -> permitted next k ((i, (q, a)) :: h)
    | _, _ => True
    end.

  Definition total_of (f : nat -> R) : R := sum f (seq 0 m).

  Lemma parts_below : forall h, joint m ws h <= exp (total_of epsilons) * joint m Ws' h.
  Proof.
    intros h. unfold joint, total_of.
    assert (G : forall k, (k <= m)%nat -> product (fun i => ws i (own i h)) k <=
      exp (sum epsilons (seq 0 k)) * product (fun i => Ws' i (own i h)) k /\ 0 <= product (fun i => ws i (own i h)) k);
      [|apply G; lia].
    induction k as [|k IH]; intros Hk; [simpl; rewrite exp_0; lra|]. destruct (IH ltac:(lia)) as [I1 I2].
    rewrite seq_S, sum_app. cbn [sum product]. rewrite Rplus_0_r, exp_plus. change (0 + k)%nat with k.
    destruct (Hdominated k ltac:(lia)) as [_ D2 D3 _]. specialize (D2 (own k h)). specialize (D3 (own k h)).
    split; [|apply Rmult_le_pos; lra].
    replace (exp (sum epsilons (seq 0 k)) * exp (epsilons k) *
      (product (fun i => Ws' i (own i h)) k * Ws' k (own k h)))
      with (exp (sum epsilons (seq 0 k)) * product (fun i => Ws' i (own i h)) k * (exp (epsilons k) * Ws' k (own k h)))
      by ring.
    apply Rmult_le_compat; lra.
  Qed.

  Lemma parts_lost : 1 - joint m ws [] <= total_of deltas.
  Proof.
    unfold joint, total_of. change (fun i => ws i (own i [])) with (fun i => ws i []).
    assert (G : forall k, (k <= m)%nat -> 1 - product (fun i => ws i []) k <= sum deltas (seq 0 k) /\
      0 <= product (fun i => ws i []) k <= 1); [|apply G; lia].
    induction k as [|k IH]; intros Hk; [simpl; lra|]. destruct (IH ltac:(lia)) as [I1 I2].
    rewrite seq_S, sum_app. cbn [sum product]. change (0 + k)%nat with k.
    destruct (Hdominated k ltac:(lia)) as [D1 D2 _ _]. specialize (D2 []).
    destruct (Hcoherent k ltac:(lia)) as [[C1 _ _] _]. rewrite C1 in D2. nra.
  Qed.

  Lemma interleave_bound : forall next S n h, permitted next n h ->
    interleave m Ws next S n h - exp (total_of epsilons) * interleave m Ws' next S n h <= joint m Ws h - joint m ws h.
  Proof.
    intros next S n. induction n as [|n IH]; intros h Hh.
    all: assert (Part : 0 <= joint m ws h <= joint m Ws h)
      by (apply product_le; intros i Hi; destruct (Hdominated i Hi) as [_ D2 _ _]; apply D2).
    all: pose proof (parts_below h) as B; cbn [interleave]; cbn [permitted] in Hh.
    { destruct (S h); lra. }
    destruct (next h) as [[i q]|]; [|destruct (S h); lra].
    destruct (Nat.ltb_spec i m) as [Hi|Hi]; [|destruct (S h); lra].
    destruct (Hh Hi) as [Ha Hnext]. destruct (joint_event m Ws i q h Hi) as [r [E1 [E2 _]]].
    destruct (joint_event m ws i q h Hi) as [r' [F1 [F2 Fr]]].
    assert (Hr' : 0 <= r').
    { rewrite Fr. apply (product_le _ (fun j => if (j =? i)%nat then 1 else ws j (own j h))). intros j Hj.
      destruct (j =? i)%nat; [lra|]. destruct (Hdominated j Hj) as [_ D2 _ _]. specialize (D2 (own j h)). lra. }
    assert (Sum : sum (fun a => interleave m Ws next S n ((i, (q, a)) :: h)) (replies q) -
      exp (total_of epsilons) * sum (fun a => interleave m Ws' next S n ((i, (q, a)) :: h)) (replies q) <=
      sum (fun a => r * Ws i ((q, a) :: own i h)) (replies q) - sum (fun a => r' * ws i ((q, a) :: own i h)) (replies
        q)).
    { revert Hnext. generalize (replies q). intros l. induction l as [|a l IHl]; intros Hnext; cbn [sum]; [lra|].
      specialize (IH ((i, (q, a)) :: h) (Hnext a (or_introl eq_refl))). rewrite E2, F2 in IH.
      specialize (IHl (fun b Hb => Hnext b (or_intror Hb))). lra. }
    eapply Rle_trans; [exact Sum|]. rewrite !sum_scale.
    destruct (Hcoherent i Hi) as [[_ _ C3] _]. rewrite C3, <- E1.
    destruct (Hdominated i Hi) as [_ _ _ D4]. specialize (D4 (own i h) q Ha). rewrite F1.
    apply (Rmult_le_compat_l r') in D4; [|exact Hr']. lra.
  Qed.

  (* Whatever is asked, something happens: the probabilities of all ends add up to that of the beginning. *)
  Lemma interleave_everything : forall next n h, interleave m Ws next everything n h = joint m Ws h.
  Proof.
    intros next n. induction n as [|n IH]; intros h; cbn [interleave]; [reflexivity|].
    destruct (next h) as [[i q]|]; [|reflexivity]. destruct (Nat.ltb_spec i m) as [Hi|Hi]; [|reflexivity].
    destruct (joint_event m Ws i q h Hi) as [r [E1 [E2 _]]].
    rewrite (sum_ext _ _ (fun a => r * Ws i ((q, a) :: own i h))) by (intros a _; rewrite IH; apply E2).
    rewrite sum_scale, E1. f_equal. apply Hcoherent. exact Hi.
  Qed.

  (* Sessions asked in any order: the sums of what they cost. *)
  Theorem permitted_sessions_add_up : forall next S n, permitted next n [] ->
    interleave m Ws next S n [] <= exp (total_of epsilons) * interleave m Ws' next S n [] + total_of deltas.
  Proof.
    intros next S n Hn. pose proof (interleave_bound next S n [] Hn) as B. pose proof parts_lost as L.
    assert (J : joint m Ws [] = 1).
    { unfold joint. assert (G : forall k, (k <= m)%nat -> product (fun i => Ws i (own i [])) k = 1); [|apply G; lia].
      induction k as [|k IH]; intros Hk; [reflexivity|]. cbn [product]. rewrite IH by lia.
      destruct (Hcoherent k ltac:(lia)) as [[C1 _ _] _]. unfold own. simpl. rewrite C1. ring. }
    lra.
  Qed.
End Sessions.
