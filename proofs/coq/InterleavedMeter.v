(* A meter is dominated in the sense of Interleaving.v: what Theorem M's induction carries along is the part that is
   given up. So meters on one data set may be asked in any order, also resumed between other sessions, and their
     epsilons
   and deltas add up. *)
From Coq Require Import Reals Lra Lia Psatz ZArith List Bool Arith.
From Fumata Require Import SpecPlan SpecCertifyMeter Statement Power Divergence Uniform Meter TheoremM Units
  Coins CertificateTotal CertificateMeter ClassicCoins Session Interleaving.
Import ListNotations.
Local Open Scope R_scope.

Section Weights.
  Variable query : Type.
  Variable labels : nat.   (* no winner is larger *)

  (* A question, or None for a crash that costs a silence; a spent meter says the same to everybody. *)
  Definition asked := option query.
  Definition meter_replies_to (q : asked) : list answer :=
    match q with None => [Lost] | Some _ => Silent :: map Label (seq 0 labels) end.

  Variable p : nat -> R.
  Variable limit : nat.

  Fixpoint still_left (h : list (asked * answer)) : nat :=
    match h with
    | [] => limit
    | (_, Label _) :: rest => still_left rest
    | _ :: rest => pred (still_left rest)
    end.

  Definition chance (view : query -> verdict) (c : nat) (q : asked) (a : answer) : R :=
    match q, a with
    | None, Lost => 1
    | Some q, Silent => match c with O => 1 | S _ => p (distance (view q)) end
    | Some q, Label y =>
        match c with O => 0 | S _ => if (winner (view q) =? y)%nat then 1 - p (distance (view q)) else 0 end
    | _, _ => 0
    end.

  Fixpoint meter_weight (view : query -> verdict) (h : list (asked * answer)) : R :=
    match h with
    | [] => 1
    | (q, a) :: rest => meter_weight view rest * chance view (still_left rest) q a
    end.

  Lemma labels_sum : forall k (x : R), (k < labels)%nat ->
    sum (fun a => match a with Label y => if (k =? y)%nat then x else 0 | _ => 0 end) (map Label (seq 0 labels)) = x.
  Proof. intros k x Hk. rewrite sum_map. apply (sum_one (fun _ => x) k labels 0). lia. Qed.

  (* A sum over replies to a question: the silence, and what only the winner's label brings. *)
  Lemma replies_sum : forall q k (f : answer -> R), (k < labels)%nat ->
    (forall y, y <> k -> f (Label y) = 0) ->
    sum f (meter_replies_to (Some q)) = f Silent + f (Label k).
  Proof.
    intros q k f Hk H. cbn [meter_replies_to sum]. f_equal. rewrite <- (labels_sum k (f (Label k)) Hk), !sum_map.
    apply sum_ext. intros y _. destruct (Nat.eqb_spec k y) as [->|E]; [reflexivity|]. apply H. congruence.
  Qed.

  Hypothesis p_range : forall d, 0 <= p d <= 1.

  Lemma chance_nonneg : forall view c q a, 0 <= chance view c q a.
  Proof.
    intros view c [q|] a; unfold chance; destruct a; try lra; destruct c; try lra.
    - apply p_range.
    - pose proof (p_range (distance (view q))). destruct (_ =? _)%nat; lra.
  Qed.

  Lemma meter_weight_nonneg : forall view h, 0 <= meter_weight view h.
  Proof.
    intros view h. induction h as [|[q a] h IH]; simpl; [lra|]. apply Rmult_le_pos; [exact IH|apply chance_nonneg].
  Qed.

  Lemma meter_coherent : forall view, (forall q, (winner (view q) < labels)%nat) ->
    coherent asked answer meter_replies_to (meter_weight view).
  Proof.
    intros view Hw. constructor; [reflexivity|apply meter_weight_nonneg|]. intros h [q|].
    - rewrite (replies_sum q (winner (view q))); [|apply Hw|].
      + cbn [meter_weight]. unfold chance. rewrite Nat.eqb_refl. destruct (still_left h); ring.
      + intros y Hy. cbn [meter_weight]. unfold chance.
        destruct (Nat.eqb_spec (winner (view q)) y); [congruence|]. destruct (still_left h); ring.
    - cbn. ring.
  Qed.
End Weights.

Section Domination.
  Variable query : Type.
  Variable labels limit : nat.
  Variable p : nat -> R.
  Variable alpha : nat.
  Variable V epsilon : R.
  Hypothesis H : priced p alpha V.
  Variables view view' : query -> verdict.
  Hypothesis Hclose : close view view'.
  Hypothesis Hlabels : forall q, (winner (view q) < labels)%nat.

  Let K := c_of alpha * exp (- INR (alpha - 1) * epsilon).
  Let k := (alpha - 1)%nat.

  (* What may have to be given up when P and Q are the weights so far and c silences are left. *)
  Definition given_up (c : nat) (P Q : R) : R :=
    if Rlt_dec 0 Q then K * moment k P Q * V ^ c + P * INR c * (1 - p 1%nat) else P.

  Lemma K_nonnegative : 0 <= K.
  Proof. apply (K_nonneg p alpha V epsilon H). Qed.

  Lemma given_up_nonneg : forall c P Q, 0 <= P -> 0 <= given_up c P Q.
  Proof.
    intros c P Q HP. unfold given_up. destruct (Rlt_dec 0 Q) as [HQ|HQ]; [|exact HP].
    pose proof K_nonnegative. pose proof (moment_nonneg k P Q HP HQ). pose proof (priced_V _ _ _ H).
    pose proof (pow_ge_1 V c ltac:(lra)). pose proof (pos_INR c). pose proof (p_bounds p alpha V H 1).
    assert (0 <= K * moment k P Q) by (apply Rmult_le_pos; assumption).
    assert (0 <= K * moment k P Q * V ^ c) by (apply Rmult_le_pos; lra).
    assert (0 <= P * INR c) by (apply Rmult_le_pos; lra).
    assert (0 <= P * INR c * (1 - p 1%nat)) by (apply Rmult_le_pos; lra). lra.
  Qed.

  Lemma given_up_nothing : forall c Q, given_up c 0 Q = 0.
  Proof. intros c Q. unfold given_up. destruct (Rlt_dec 0 Q); [|reflexivity]. unfold moment. ring. Qed.

  Lemma given_up_more : forall c P Q, 0 <= P -> given_up c P Q <= given_up (S c) P Q.
  Proof.
    intros c P Q HP. unfold given_up. destruct (Rlt_dec 0 Q) as [HQ|HQ]; [|lra]. rewrite S_INR. simpl pow.
    pose proof K_nonnegative. pose proof (moment_nonneg k P Q HP HQ). pose proof (priced_V _ _ _ H).
    pose proof (pow_ge_1 V c ltac:(lra)). pose proof (p_bounds p alpha V H 1).
    assert (0 <= K * moment k P Q) by (apply Rmult_le_pos; assumption).
    assert (0 <= K * moment k P Q * V ^ c) by (apply Rmult_le_pos; lra).
    assert (0 <= P * (1 - p 1%nat)) by (apply Rmult_le_pos; lra). nra.
  Qed.

  (* One question: what its two outcomes may give up together. *)
  Lemma given_up_step : forall c P Q q, 0 <= P -> 0 <= Q ->
    let d := distance (view q) in let d' := distance (view' q) in
    given_up c (P * p d) (Q * p d') +
    given_up (S c) (P * (1 - p d)) (Q * (if (winner (view' q) =? winner (view q))%nat then 1 - p d' else 0)) <=
    given_up (S c) P Q.
  Proof.
    intros c P Q q HP HQ d d'. pose proof (p_bounds p alpha V H) as B.
    pose proof (B d) as Bd. pose proof (B d') as Bd'. pose proof (B 1%nat) as B1.
    destruct (Rle_lt_or_eq_dec 0 Q HQ) as [PQ|E].
    2:{ subst Q. unfold given_up. rewrite !Rmult_0_l. destruct (Rlt_dec 0 0); [lra|]. lra. }
    destruct (Hclose q) as [C1 [C2 C3]]. fold d d' in C1, C2, C3.
    pose proof K_nonnegative as HK. pose proof (moment_nonneg k P Q HP PQ) as HM.
    pose proof (priced_V _ _ _ H) as HV. pose proof (pow_ge_1 V c HV) as HVc. pose proof (pos_INR c) as Hc.
    assert (HKM : 0 <= K * moment k P Q) by (apply Rmult_le_pos; assumption).
    assert (HKMV : 0 <= K * moment k P Q * V ^ c) by (apply Rmult_le_pos; lra).
    assert (HPp : 0 <= P * (1 - p 1%nat)) by (apply Rmult_le_pos; lra).
    destruct (Nat.eq_dec d 0) as [Ed|Ed].
    - rewrite Ed, (priced_zero _ _ _ H), Rmult_1_r. replace (P * (1 - 1)) with 0 by ring. rewrite given_up_nothing,
      Rplus_0_r.
      destruct (Nat.eq_dec d' 0) as [Ed'|Ed'].
      + rewrite Ed', (priced_zero _ _ _ H), Rmult_1_r. apply given_up_more. exact HP.
      + assert (E1 : d' = 1%nat) by lia. rewrite E1. pose proof (priced_open _ _ _ H 1%nat ltac:(lia)) as Ho.
        unfold given_up. destruct (Rlt_dec 0 (Q * p 1%nat)) as [_|N]; [|exfalso; apply N; apply Rmult_lt_0_compat; lra].
        destruct (Rlt_dec 0 Q) as [_|N]; [|lra].
        replace P with (P * 1) at 1 by ring. rewrite moment_mult by lra. rewrite S_INR. simpl pow.
        pose proof (priced_first _ _ _ H) as Hf. fold k in Hf.
        assert (G : K * moment k P Q * V ^ c * moment k 1 (p 1%nat) <= K * moment k P Q * V ^ c * V)
          by (apply Rmult_le_compat_l; assumption).
        nra.
    - pose proof (priced_open _ _ _ H d ltac:(lia)) as Hod.
      destruct (Nat.eq_dec d' 0) as [Ed'|Ed'].
      + assert (E1 : d = 1%nat) by lia. rewrite Ed', E1, (priced_zero _ _ _ H), Rmult_1_r.
        replace (Q * (if (winner (view' q) =? winner (view q))%nat then 1 - 1 else 0)) with 0
          by (destruct (_ =? _)%nat; ring).
        unfold given_up. destruct (Rlt_dec 0 Q) as [_|N]; [|lra]. destruct (Rlt_dec 0 0) as [N|_]; [lra|].
        replace Q with (Q * 1) at 1 by ring. rewrite moment_mult by lra. rewrite S_INR. simpl pow.
        pose proof (priced_open _ _ _ H 1%nat ltac:(lia)) as Ho.
        assert (Hless : moment k (p 1%nat) 1 <= 1).
        { unfold moment, Rdiv. rewrite Rinv_1, Rmult_1_r.
          pose proof (pow_nonneg (p 1%nat) k ltac:(lra)).
          pose proof (pow_mono (p 1%nat) 1 k ltac:(lra)) as Hle. rewrite pow1 in Hle. nra. }
        assert (G : K * moment k P Q * V ^ c * moment k (p 1%nat) 1 <= K * moment k P Q * V ^ c * 1)
          by (apply Rmult_le_compat_l; assumption).
        assert (G' : K * moment k P Q * V ^ c * 1 <= K * moment k P Q * V ^ c * V) by (apply Rmult_le_compat_l; lra).
        assert (T : P * p 1%nat * INR c * (1 - p 1%nat) <= P * INR c * (1 - p 1%nat)).
        { replace (P * p 1%nat * INR c * (1 - p 1%nat)) with (P * (1 - p 1%nat) * INR c * p 1%nat) by ring.
          replace (P * INR c * (1 - p 1%nat)) with (P * (1 - p 1%nat) * INR c * 1) by ring.
          apply Rmult_le_compat_l; [apply Rmult_le_pos; lra|lra]. }
        nra.
      + assert (W : winner (view' q) = winner (view q)).
        { destruct (Nat.eq_dec (winner (view q)) (winner (view' q))) as [E|E]; [auto|]. destruct (C3 E). lia. }
        rewrite W, Nat.eqb_refl. pose proof (priced_open _ _ _ H d' ltac:(lia)) as Hod'.
        unfold given_up. destruct (Rlt_dec 0 Q) as [_|N]; [|lra].
        destruct (Rlt_dec 0 (Q * p d')) as [_|N]; [|exfalso; apply N; apply Rmult_lt_0_compat; lra].
        destruct (Rlt_dec 0 (Q * (1 - p d'))) as [_|N]; [|exfalso; apply N; apply Rmult_lt_0_compat; lra].
        rewrite !moment_mult by lra. rewrite S_INR. simpl pow.
        pose proof (both_open p alpha V H d d' ltac:(lia) ltac:(lia) C1 C2) as Hs. fold k in Hs.
        set (a := moment k (p d) (p d')) in *. set (b := moment k (1 - p d) (1 - p d')) in *.
        assert (G : K * moment k P Q * V ^ c * (a + b * V) <= K * moment k P Q * V ^ c * V)
          by (apply Rmult_le_compat_l; assumption).
        assert (T : P * p d * INR c * (1 - p 1%nat) + P * (1 - p d) * (INR c + 1) * (1 - p 1%nat)
          <= P * (INR c + 1) * (1 - p 1%nat)).
        { assert (0 <= P * (1 - p 1%nat) * p d) by (apply Rmult_le_pos; lra). nra. }
        nra.
  Qed.

  Definition kept (h : list (asked query * answer)) : R :=
    Rmax 0 (meter_weight query p limit view h -
            given_up (still_left query limit h) (meter_weight query p limit view h) (meter_weight query p limit view'
              h)).

  Lemma sum_kept : forall A (f g : A -> R) l, Rmax 0 (sum f l - sum g l) <= sum (fun a => Rmax 0 (f a - g a)) l.
  Proof.
    intros A f g l. induction l as [|a l IH]; cbn [sum]; [rewrite Rminus_0_r, Rmax_left; lra|].
    apply Rmax_lub; pose proof (Rmax_l 0 (f a - g a)); pose proof (Rmax_r 0 (f a - g a));
      pose proof (Rmax_l 0 (sum f l - sum g l)); pose proof (Rmax_r 0 (sum f l - sum g l)); lra.
  Qed.

  Theorem meter_dominated : dominated (asked query) answer (meter_replies_to query labels) epsilon
    (delta_M alpha V limit (p 1%nat) epsilon) (meter_weight query p limit view) (meter_weight query p limit view') kept.
  Proof.
    pose proof (p_bounds p alpha V H) as B.
    assert (NP : forall h, 0 <= meter_weight query p limit view h) by (apply meter_weight_nonneg; exact B).
    assert (NQ : forall h, 0 <= meter_weight query p limit view' h) by (apply meter_weight_nonneg; exact B).
    constructor.
    - unfold kept. eapply Rle_trans; [|apply Rmax_r]. cbn. unfold given_up. destruct (Rlt_dec 0 1) as [_|N]; [|lra].
      rewrite moment_same by lra. unfold delta_M, K. lra.
    - intros h. unfold kept. pose proof (given_up_nonneg (still_left query limit h) _ (meter_weight query p limit
      view' h) (NP h)).
      pose proof (NP h). split; [apply Rmax_l|]. apply Rmax_lub; lra.
    - intros h. unfold kept. pose proof (exp_pos epsilon). specialize (NP h). specialize (NQ h).
      apply Rmax_lub; [apply Rmult_le_pos; lra|]. unfold given_up.
      destruct (Rlt_dec 0 (meter_weight query p limit view' h)) as [PQ|PQ].
      + pose proof (leaf p alpha V epsilon H everything (meter_weight query p limit view h) _ (still_left query limit
        h) []
          NP PQ) as L. fold K k in L. cbn in L. lra.
      + assert (0 <= exp epsilon * meter_weight query p limit view' h) by (apply Rmult_le_pos; lra). lra.
    - intros h q. unfold kept at 1.
      set (P := meter_weight query p limit view h). set (Q := meter_weight query p limit view' h).
      set (c := still_left query limit h).
      assert (Sum : forall f : answer -> R,
        sum f (meter_replies_to query labels q) <= given_up c P Q ->
        (forall a, f a = given_up (still_left query limit ((q, a) :: h)) (meter_weight query p limit view ((q, a) :: h))
           (meter_weight query p limit view' ((q, a) :: h))) ->
        Rmax 0 (P - given_up c P Q) <= sum (fun a => kept ((q, a) :: h)) (meter_replies_to query labels q)).
      { intros f Hf Ef. pose proof (sum_kept answer (fun a => meter_weight query p limit view ((q, a) :: h)) f
          (meter_replies_to query labels q)) as S.
        rewrite (coherent_sum _ _ _ _ (meter_coherent query labels p limit B view Hlabels) h q) in S. fold P in S.
        eapply Rle_trans; [|eapply Rle_trans; [exact S|]].
        - apply Rmax_lub; [apply Rmax_l|]. eapply Rle_trans; [|apply Rmax_r]. lra.
        - right. apply sum_ext. intros a _. unfold kept. rewrite Ef. reflexivity. }
      eapply Sum; [|intros a; reflexivity]. clear Sum. destruct q as [q|].
      + rewrite (replies_sum query labels q (winner (view q))); [|apply Hlabels|].
        * cbn [meter_weight still_left]. fold P Q c. unfold chance. rewrite Nat.eqb_refl.
          destruct c as [|c'] eqn:Ec.
          -- rewrite !Rmult_1_r, !Rmult_0_r. cbn [pred]. rewrite given_up_nothing. lra.
          -- cbn [pred]. apply (given_up_step c' P Q q); [apply NP|apply NQ].
        * intros y Hy. cbn [meter_weight still_left]. fold P Q c. unfold chance.
          destruct (Nat.eqb_spec (winner (view q)) y); [congruence|].
          destruct c; rewrite Rmult_0_r; apply given_up_nothing.
      + cbn [meter_replies_to sum meter_weight still_left chance]. fold P Q c. rewrite !Rmult_1_r, Rplus_0_r.
        destruct c as [|c']; [simpl; lra|]. apply given_up_more. apply NP.
  Qed.
End Domination.

(* Certified meters on one data set, each with words, runs and learners of its own: for every assignment of words, and
   over secret ones. *)
Section Certified.
  Variable m : nat.
  Variable plans : nat -> fumata_meter_plan.
  Variable claims : nat -> fumata_claim.
  Hypothesis fit : forall i, (i < m)%nat -> fumata_claim_fits (claims i).
  Hypothesis certified : forall i, (i < m)%nat -> FumataMeterIsCertified (plans i) (claims i).
  Variable labels : nat.

  Definition weight_of {query} (i : nat) (view : query -> verdict) : list (asked query * answer) -> R :=
    meter_weight query (silence (meter_plan_silence (plans i))) (Z.to_nat (meter_plan_limit (plans i))) view.

  Definition part_of {query} (i : nat) (view view' : query -> verdict) : list (asked query * answer) -> R :=
    kept query (Z.to_nat (meter_plan_limit (plans i))) (silence (meter_plan_silence (plans i)))
      (Z.to_nat (claim_alpha (claims i))) (price (claims i)) (epsilon_of (claims i)) view view'.

  Lemma weight_dominated : forall query i (view view' : query -> verdict), (i < m)%nat -> close view view' ->
    (forall q, (winner (view q) < labels)%nat) ->
    dominated (asked query) answer (meter_replies_to query labels) (epsilon_of (claims i)) (delta_of (claims i))
      (weight_of i view) (weight_of i view') (part_of i view view').
  Proof.
    intros query i view view' Hi Hc Hw.
    pose proof (certified_priced (plans i) (claims i) (fit i Hi) (certified i Hi)) as P.
    pose proof (certified_delta (plans i) (claims i) (fit i Hi) (certified i Hi)) as D.
    destruct (meter_dominated query labels (Z.to_nat (meter_plan_limit (plans i))) _ _ _ (epsilon_of (claims i)) P
      view view' Hc Hw) as [D1 D2 D3 D4].
    constructor; [|exact D2|exact D3|exact D4]. unfold part_of. lra.
  Qed.

  Lemma weight_coherent : forall query i (view : query -> verdict), (i < m)%nat ->
    (forall q, (winner (view q) < labels)%nat) ->
    coherent (asked query) answer (meter_replies_to query labels) (weight_of i view).
  Proof.
    intros query i view Hi Hw. apply meter_coherent; [|exact Hw].
    pose proof (certified_priced (plans i) (claims i) (fit i Hi) (certified i Hi)) as P.
    apply (p_bounds _ _ _ P).
  Qed.

  Theorem certified_meters_add_up : forall key record query (word : nat -> nat -> key -> Z)
    (data data' : list (row key record)), neighbours data data' ->
    (forall i q, (winner (view (query := query) (word i) data q) < labels)%nat) ->
    (forall i q, (winner (view (query := query) (word i) data' q) < labels)%nat) ->
    forall next S n,
    let run data := interleave (asked (question key record query)) answer (meter_replies_to _ labels) m
      (fun i => weight_of i (view (word i) data)) next S n [] in
    run data <= exp (sum (fun i => epsilon_of (claims i)) (seq 0 m)) * run data' +
      sum (fun i => delta_of (claims i)) (seq 0 m).
  Proof.
    intros key record query word data data' Hn Hw Hw' next S n. cbv zeta.
    apply (interleaved_sessions_add_up _ _ _ m (fun i => epsilon_of (claims i)) (fun i => delta_of (claims i))
      (fun i => weight_of i (view (word i) data)) (fun i => weight_of i (view (word i) data'))
      (fun i => part_of i (view (word i) data) (view (word i) data'))).
    - intros i Hi. split; apply weight_coherent; auto.
    - intros i Hi. apply weight_dominated; auto. apply units_close. exact Hn.
  Qed.

  Theorem certified_meters_add_up_secretly : forall record query (keys runs : nat -> nat)
    (data data' : list (row nat record)), (forall i, neighbours_any (keys i) data data') ->
    (forall secret q, (winner (view (query := query) (word_of secret) data q) < labels)%nat) ->
    (forall secret q, (winner (view (query := query) (word_of secret) data' q) < labels)%nat) ->
    forall next S n,
    let run data := interleave (asked (question nat record query)) answer (meter_replies_to _ labels) m
      (fun i => mean_of _ _ (secrets (keys i) (runs i)) (fun secret => weight_of i (view (word_of secret) data)))
      next S n [] in
    run data <= exp (sum (fun i => epsilon_of (claims i)) (seq 0 m)) * run data' +
      sum (fun i => delta_of (claims i)) (seq 0 m).
  Proof.
    intros record query keys runs data data' Hn Hw Hw' next S n. cbv zeta.
    assert (Matches : forall i, (i < m)%nat -> exists w, dominated (asked (question nat record query)) answer
      (meter_replies_to _ labels) (epsilon_of (claims i)) (delta_of (claims i))
      (mean_of _ _ (secrets (keys i) (runs i)) (fun secret => weight_of i (view (word_of secret) data)))
      (mean_of _ _ (secrets (keys i) (runs i)) (fun secret => weight_of i (view (word_of secret) data'))) w).
    { intros i Hi. destruct (Hn i) as [x [y [Hx [Hy Hd]]]].
      exists (mean_of _ _ (secrets (keys i) (runs i)) (fun secret =>
        part_of i (view (word_of secret) data) (view (word_of (swap_all x y secret)) data'))).
      apply dominated_mean with (match_with := swap_all x y);
        [apply secrets_nonempty|apply swap_all_permutes; assumption|].
      intros secret Hs. apply weight_dominated; [exact Hi| |apply Hw].
      destruct (word_of_swap x y (keys i) (runs i) secret Hx Hy Hs) as [W1 W2].
      apply (differ_close nat record query _ _ x y); assumption. }
    assert (Choice : forall k, (k <= m)%nat -> exists ws, forall i, (i < k)%nat ->
      dominated (asked (question nat record query)) answer
      (meter_replies_to _ labels) (epsilon_of (claims i)) (delta_of (claims i))
      (mean_of _ _ (secrets (keys i) (runs i)) (fun secret => weight_of i (view (word_of secret) data)))
      (mean_of _ _ (secrets (keys i) (runs i)) (fun secret => weight_of i (view (word_of secret) data'))) (ws i)).
    { induction k as [|k IH]; intros Hk; [exists (fun _ _ => 0); lia|].
      destruct (IH ltac:(lia)) as [ws Hws]. destruct (Matches k ltac:(lia)) as [w Hk'].
      exists (fun i => if (i =? k)%nat then w else ws i). intros i Hi.
      destruct (Nat.eqb_spec i k) as [->|E]; [exact Hk'|apply Hws; lia]. }
    destruct (Choice m (le_n m)) as [ws Hws].
    apply (interleaved_sessions_add_up _ _ _ m (fun i => epsilon_of (claims i)) (fun i => delta_of (claims i))
      (fun i => mean_of _ _ (secrets (keys i) (runs i)) (fun secret => weight_of i (view (word_of secret) data)))
      (fun i => mean_of _ _ (secrets (keys i) (runs i)) (fun secret => weight_of i (view (word_of secret) data'))) ws).
    - intros i Hi. split; (apply coherent_mean; [apply secrets_nonempty|]; intros secret; apply weight_coherent; auto).
    - exact Hws.
  Qed.
End Certified.

(* The weights are those of the machine of Statement.v: uniform words, one a question. *)
Definition answer_eqb (a b : answer) : bool :=
  match a, b with
  | Silent, Silent | Lost, Lost => true
  | Label y, Label y' => (y =? y')%nat
  | _, _ => false
  end.
Fixpoint same_answers (l l' : list answer) : bool :=
  match l, l' with
  | [], [] => true
  | a :: r, a' :: r' => answer_eqb a a' && same_answers r r'
  | _, _ => false
  end.

Lemma answer_eqb_true : forall a b, answer_eqb a b = true -> a = b.
Proof. intros [|y|] [|y'|]; simpl; intros E; try discriminate; try reflexivity. apply Nat.eqb_eq in E. congruence. Qed.

Section Machine.
  Variable query : Type.
  Variable table : list Z.
  Variable view : query -> verdict.
  Variable coins : list Z.
  Hypothesis some : coins <> [].
  Variable p : nat -> R.
  Hypothesis share_of : forall d, p d = INR (length (filter (is_silent table d) coins)) / INR (length coins).

  (* What one question gets from a meter; None is a crash. A spent meter says the same to everybody. *)
  Definition one_reply (m : meter_state) (q : asked query) (u : Z) : answer * meter_state :=
    match meter_reserve m, q with
    | None, None => (Lost, m)
    | None, Some _ => (Silent, m)
    | Some paid, None => (Lost, meter_resume paid)
    | Some paid, Some q => meter_answer table paid (view q) u
    end.
  Fixpoint all_replies (m : meter_state) (qs : list (asked query)) (us : list Z) : list answer :=
    match qs, us with
    | q :: qs, u :: us => let (a, after) := one_reply m q u in a :: all_replies after qs us
    | _, _ => []
    end.

  Definition left_after (c : nat) (a : answer) : nat := match a with Label _ => c | _ => pred c end.
  Fixpoint forward (c : nat) (h : list (asked query * answer)) : R :=
    match h with
    | [] => 1
    | (q, a) :: rest => chance query p view c q a * forward (left_after c a) rest
    end.

  Lemma reply_left : forall m q u, unused (snd (one_reply m q u)) = left_after (unused m) (fst (one_reply m q u)).
  Proof.
    intros [n r] q u. unfold one_reply, meter_reserve, meter_answer, meter_resume, unused, left_after.
    destruct r; [|destruct n]; cbn [left reserved fst snd]; destruct q as [q|]; cbn [left reserved fst snd]; try lia;
      destruct (is_silent table (distance (view q)) u); cbn [left reserved fst snd]; lia.
  Qed.

  (* How likely a word makes the machine reply a. *)
  Lemma reply_chance : forall m q a,
    sum (fun u => if answer_eqb (fst (one_reply m q u)) a then 1 else 0) coins =
    INR (length coins) * chance query p view (unused m) q a.
  Proof.
    intros m q a.
    assert (Const : forall (l : list Z) (b : bool), sum (fun _ : Z => if b then 1 else 0) l =
      INR (length l) * (if b then 1 else 0)) by (intros l b; apply sum_const).
    assert (Reserve : (unused m = 0%nat /\ meter_reserve m = None) \/
      (exists c paid, unused m = S c /\ meter_reserve m = Some paid)).
    { destruct m as [n r]. unfold unused, meter_reserve. destruct r; cbn [left reserved].
      - right. exists n. eexists. split; [lia|reflexivity].
      - destruct n; [left; split; [lia|reflexivity]|]. right. exists n. eexists. split; [lia|reflexivity]. }
    unfold one_reply. destruct Reserve as [[-> ->]|[c [paid [-> ->]]]]; destruct q as [q|]; unfold chance; cbn [fst].
    - rewrite (Const coins (answer_eqb Silent a)). destruct a; reflexivity.
    - rewrite (Const coins (answer_eqb Lost a)). destruct a; reflexivity.
    - assert (N : 0 < INR (length coins)) by (apply lt_0_INR; destruct coins; [contradiction|simpl; lia]).
      rewrite (sum_ext _ _ (fun u => if is_silent table (distance (view q)) u
        then (if answer_eqb Silent a then 1 else 0) else (if answer_eqb (Label (winner (view q))) a then 1 else 0))).
      + rewrite sum_if, share_of. set (s := INR (length (filter _ _))). set (w := INR (length coins)) in *.
        clearbody s w. destruct a as [|y|]; cbn [answer_eqb]; try (field; lra).
        destruct (winner (view q) =? y)%nat; field; lra.
      + intros u _. unfold meter_answer. destruct (is_silent table (distance (view q)) u); reflexivity.
    - rewrite (Const coins (answer_eqb Lost a)). destruct a; reflexivity.
  Qed.

  Theorem machine_has_weights : forall h m,
    Pr (uniform (tuples coins (length h))) (fun us => same_answers (all_replies m (map fst h) us) (map snd h)) =
    forward (unused m) h.
  Proof.
    induction h as [|[q a] h IH]; intros m.
    - rewrite Pr_uniform. simpl. lra.
    - cbn [length]. rewrite Pr_tuples by exact some. cbn [map fst snd all_replies forward].
      assert (N : 0 < INR (length coins)) by (apply lt_0_INR; destruct coins; [contradiction|simpl; lia]).
      rewrite (sum_ext _ _ (fun u => forward (left_after (unused m) a) h *
        (if answer_eqb (fst (one_reply m q u)) a then 1 else 0))).
      + rewrite sum_scale, reply_chance. set (w := INR (length coins)) in *. clearbody w. field. lra.
      + intros u _. pose proof (reply_left m q u) as L. destruct (one_reply m q u) as [b after]. cbn [fst snd] in *.
        cbn [same_answers]. destruct (answer_eqb b a) eqn:E.
        * apply answer_eqb_true in E. subst b. cbn [andb]. rewrite IH, L. ring.
        * cbn [andb]. rewrite Rmult_0_r. generalize (uniform (tuples coins (length h))). intros mu.
          induction mu as [|[x w] mu IHmu]; simpl; [reflexivity|]. rewrite IHmu. ring.
  Qed.

  (* The same weights, read from the latest question back. *)
  Theorem weights_are_forward : forall limit h,
    meter_weight query p limit view h = forward limit (rev h).
  Proof.
    intros limit h.
    assert (Left : forall l, still_left query limit l = fold_left (fun c e => left_after c (snd e)) (rev l) limit).
    { induction l as [|[q a] rest IH]; [reflexivity|]. cbn [rev]. rewrite fold_left_app. cbn [fold_left snd].
      rewrite <- IH. destruct a; reflexivity. }
    assert (Last : forall l c q a, forward c (l ++ [(q, a)]) =
      forward c l * chance query p view (fold_left (fun c e => left_after c (snd e)) l c) q a).
    { induction l as [|[q' a'] l IH]; intros c q a; cbn [app forward fold_left snd]; [ring|]. rewrite IH. ring. }
    induction h as [|[q a] rest IH]; [reflexivity|]. cbn [meter_weight rev]. rewrite Last, <- Left, IH. reflexivity.
  Qed.
End Machine.

(* The probability that a meter gives these answers to these questions is the weight that the theorems above speak of. *)
Theorem machine_weight : forall query plan (view : query -> verdict) h, FumataMeterPlanOk plan ->
  Pr (uniform (tuples (below words) (length h)))
    (fun us => same_answers (all_replies query (meter_plan_silence plan) view (start (meter plan)) (map fst (rev h)) us)
                 (map snd (rev h))) =
  meter_weight query (silence (meter_plan_silence plan)) (Z.to_nat (meter_plan_limit plan)) view h.
Proof.
  intros query plan view h Hp. pose proof (plan_in_range plan Hp) as Hr.
  rewrite (weights_are_forward query view (silence (meter_plan_silence plan))).
  replace (Z.to_nat (meter_plan_limit plan)) with (unused (start (meter plan))) by (unfold unused; simpl; lia).
  rewrite <- (machine_has_weights query (meter_plan_silence plan) view (below words) words_nonempty).
  - rewrite rev_length. reflexivity.
  - intros d. rewrite (silent_words_count _ d Hr), length_below. unfold silence. rewrite !INR_IZR_INZ.
    rewrite !Z2Nat.id; [reflexivity|pose proof words_pos; lia|].
    unfold silent_words. destruct (d =? 0)%nat eqn:E; [pose proof words_pos; lia|].
    apply Nat.eqb_neq in E. apply Hr. lia.
Qed.
