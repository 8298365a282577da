(* Sessions of any kind at work on one data set at the same time: when each is private alone, against everyone who
   chooses its questions one after the other, then epsilons and deltas add up in whatever order the sessions are asked.

   What may be kept of a session, against all who ask some of finitely many questions at most n times, is the least that
   anyone of them would leave: `least`. Whoever leaves least is a strategy, and the session is private against it. *)
From Coq Require Import Reals Lra Lia Psatz List Bool Arith.
From Fumata Require Import Statement Divergence Uniform Interleaving.
Import ListNotations.
Local Open Scope R_scope.

Section Alone.
  Variables query reply : Type.
  Variable replies : query -> list reply.

  (* The probability that the history of one session ends in S, when `choose` asks it at most n questions. *)
  Fixpoint alone (W : mechanism_of query reply) (choose : history query reply -> option query)
    (S : history query reply -> bool) (n : nat) (h : history query reply) : R :=
    match n, choose h with
    | Datatypes.S k, Some q => sum (fun a => alone W choose S k ((q, a) :: h)) (replies q)
    | _, _ => if S h then W h else 0
    end.

  Definition private_alone (epsilon delta : R) (W W' : mechanism_of query reply) : Prop :=
    forall choose S n, alone W choose S n [] <= exp epsilon * alone W' choose S n [] + delta.

  (* The cheapest of some questions, or none when stopping is cheaper. *)
  Fixpoint cheapest (value : query -> R) (stop : R) (qs : list query) : R * option query :=
    match qs with
    | [] => (stop, None)
    | q :: rest => if Rle_dec (value q) (fst (cheapest value stop rest)) then (value q, Some q)
                   else cheapest value stop rest
    end.

  Lemma cheapest_spec : forall value stop qs, let c := cheapest value stop qs in
    fst c <= stop /\ (forall q, In q qs -> fst c <= value q) /\
    match snd c with None => fst c = stop | Some q => fst c = value q end.
  Proof.
    intros value stop qs. cbv zeta. induction qs as [|q qs [I1 [I2 I3]]]; cbn [cheapest].
    { cbn. split; [lra|]. split; [intros q []|reflexivity]. }
    destruct (Rle_dec (value q) (fst (cheapest value stop qs))) as [L|L]; cbn [fst snd].
    - split; [lra|]. split; [|reflexivity]. intros r [<-|Hr]; [lra|]. specialize (I2 r Hr). lra.
    - split; [exact I1|]. split; [|exact I3]. intros r [<-|Hr]; [lra|apply I2; exact Hr].
  Qed.

  Variables epsilon delta : R.
  Variables W W' : mechanism_of query reply.
  Hypothesis HW : coherent query reply replies W.
  Hypothesis HW' : coherent query reply replies W'.
  Hypothesis Hprivate : private_alone epsilon delta W W'.
  Variable qs : list query.   (* what can be asked *)

  Definition common (h : history query reply) : R := Rmin (W h) (exp epsilon * W' h).

  Fixpoint least (n : nat) (h : history query reply) : R :=
    match n with
    | O => common h
    | S k => fst (cheapest (fun q => sum (fun a => least k ((q, a) :: h)) (replies q)) (common h) qs)
    end.
  Definition leaves_least (n : nat) (h : history query reply) : option query :=
    match n with
    | O => None
    | S k => snd (cheapest (fun q => sum (fun a => least k ((q, a) :: h)) (replies q)) (common h) qs)
    end.

  Lemma least_common : forall n h, least n h <= common h.
  Proof. intros [|n] h; cbn [least]; [lra|]. apply cheapest_spec. Qed.

  Lemma common_nonneg : forall h, 0 <= common h.
  Proof.
    intros h. unfold common. pose proof (coherent_nonneg _ _ _ _ HW h). pose proof (coherent_nonneg _ _ _ _ HW' h).
    pose proof (exp_pos epsilon). apply Rmin_glb; [lra|]. apply Rmult_le_pos; lra.
  Qed.

  Lemma least_nonneg : forall n h, 0 <= least n h.
  Proof.
    induction n as [|n IH]; intros h; cbn [least]; [apply common_nonneg|].
    destruct (cheapest_spec (fun q => sum (fun a => least n ((q, a) :: h)) (replies q)) (common h) qs) as [_ [_ E]].
    destruct (snd _) as [q|]; rewrite E; [|apply common_nonneg].
    apply Rle_trans with (sum (fun _ => 0) (replies q)); [rewrite sum_const; lra|]. apply sum_le. intros a _. apply IH.
  Qed.

  Definition exposed (h : history query reply) : bool := if Rle_dec (W h) (exp epsilon * W' h) then false else true.

  Lemma exposed_rest : forall h,
    (if exposed h then W h else 0) - exp epsilon * (if exposed h then W' h else 0) = W h - common h.
  Proof.
    intros h. unfold exposed, common, Rmin. destruct (Rle_dec (W h) (exp epsilon * W' h)); lra.
  Qed.

  (* Against the strategy that leaves least, what is exposed is all but the least. *)
  Lemma least_is_left : forall N n h, (length h + n = N)%nat ->
    let choose (h : history query reply) := leaves_least (N - length h) h in
    alone W choose exposed n h - exp epsilon * alone W' choose exposed n h = W h - least n h.
  Proof.
    intros N n. cbv zeta. induction n as [|n IH]; intros h Hn; cbn [alone least]; [apply exposed_rest|].
    replace (N - length h)%nat with (S n) by lia. cbn [leaves_least].
    destruct (cheapest_spec (fun q => sum (fun a => least n ((q, a) :: h)) (replies q)) (common h) qs) as [_ [_ E]].
    destruct (snd _) as [q|]; rewrite E; [|apply exposed_rest].
    rewrite <- (coherent_sum _ _ _ _ HW h q).
    generalize (replies q). intros l. induction l as [|a l IHl]; cbn [sum]; [ring|].
    specialize (IH ((q, a) :: h) ltac:(simpl; lia)). lra.
  Qed.

  (* What is kept up to the N-th question. *)
  Definition kept_until (N : nat) : mechanism_of query reply := fun h => least (N - length h) h.

  Theorem private_is_dominated : forall N,
    dominated query reply replies (fun h q => In q qs /\ (length h < N)%nat) epsilon delta W W' (kept_until N).
  Proof.
    intros N. unfold kept_until. constructor.
    - pose proof (least_is_left N N [] eq_refl) as L. cbv zeta in L.
      pose proof (Hprivate (fun h => leaves_least (N - length h) h) exposed N) as P.
      rewrite (coherent_start _ _ _ _ HW) in L. cbn [length]. rewrite Nat.sub_0_r. lra.
    - intros h. split; [apply least_nonneg|]. eapply Rle_trans; [apply least_common|apply Rmin_l].
    - intros h. eapply Rle_trans; [apply least_common|apply Rmin_r].
    - intros h q [Hq Hh]. replace (N - length h)%nat with (S (N - S (length h))) by lia. cbn [least length].
      exact (proj1 (proj2 (cheapest_spec (fun q => sum (fun a => least (N - S (length h)) ((q, a) :: h)) (replies q))
        (common h) qs)) q Hq).
  Qed.
End Alone.

Section Together.
  Variables query reply : Type.
  Variable replies : query -> list reply.

  (* Everything that may be asked within n turns. *)
  Fixpoint questions (next : events query reply -> option (nat * query)) (n : nat) (h : events query reply) : list query :=
    match n, next h with
    | S k, Some (i, q) => q :: flat_map (fun a => questions next k ((i, (q, a)) :: h)) (replies q)
    | _, _ => []
    end.

  Lemma own_length : forall i (h : events query reply), (length (own query reply i h) <= length h)%nat.
  Proof.
    intros i h. unfold own. rewrite map_length. induction h as [|e h IH]; [simpl; lia|]. cbn [filter].
    destruct (fst e =? i)%nat; simpl; lia.
  Qed.

  Variable m : nat.
  Variables epsilons deltas : nat -> R.
  Variables Ws Ws' : nat -> mechanism_of query reply.
  Hypothesis Hcoherent : forall i, (i < m)%nat ->
    coherent query reply replies (Ws i) /\ coherent query reply replies (Ws' i).
  Hypothesis Hprivate : forall i, (i < m)%nat ->
    private_alone query reply replies (epsilons i) (deltas i) (Ws i) (Ws' i).

  Theorem private_sessions_add_up : forall next S n,
    interleave query reply replies m Ws next S n [] <=
    exp (total_of m epsilons) * interleave query reply replies m Ws' next S n [] + total_of m deltas.
  Proof.
    intros next S n. set (qs := questions next n []).
    apply (permitted_sessions_add_up query reply replies m epsilons deltas Ws Ws'
      (fun i => kept_until query reply replies (epsilons i) (Ws i) (Ws' i) qs n)
      (fun _ h q => In q qs /\ (length h < n)%nat)); [exact Hcoherent| |].
    - intros i Hi. destruct (Hcoherent i Hi). apply private_is_dominated; auto.
    - assert (G : forall k h, (length h + k = n)%nat -> incl (questions next k h) qs ->
        permitted query reply replies m (fun _ h q => In q qs /\ (length h < n)%nat) next k h).
      { induction k as [|k IH]; intros h Hk Hq; cbn [permitted questions] in *; [exact I|].
        destruct (next h) as [[i q]|]; [|exact I]. intros _. pose proof (own_length i h). split.
        - split; [apply Hq; left; reflexivity|lia].
        - intros a Ha. apply IH; [simpl; lia|]. intros r Hr. apply Hq. right. apply in_flat_map. exists a. auto. }
      apply G; [reflexivity|apply incl_refl].
  Qed.
End Together.
