(* A session that tosses coins: a state, and a step that answers a question by one coin. Its weights are the probabilities
   that it gives these answers to these questions; what happens when someone chooses its questions, is the same whether one
   adds up the weights or tosses the coins. *)
From Coq Require Import Reals Lra Lia Psatz List Bool Arith.
From Fumata Require Import Statement Divergence Uniform Composition Interleaving Concurrent.
Import ListNotations.
Local Open Scope R_scope.

(* The mean over coins. *)
Definition mean {coin} (coins : list coin) (f : coin -> R) : R := / INR (length coins) * sum f coins.

Lemma mean_ext : forall coin (coins : list coin) f g, (forall u, f u = g u) -> mean coins f = mean coins g.
Proof. intros coin coins f g H. unfold mean. f_equal. apply sum_ext. intros u _. apply H. Qed.

Lemma mean_const : forall coin (coins : list coin) x, coins <> [] -> mean coins (fun _ => x) = x.
Proof.
  intros coin coins x H. assert (0 < INR (length coins)) by (apply lt_0_INR; destruct coins; [contradiction|simpl; lia]).
  unfold mean. rewrite sum_const. field. lra.
Qed.

Lemma sum_mean : forall A coin (coins : list coin) (f : A -> coin -> R) l,
  sum (fun a => mean coins (f a)) l = mean coins (fun u => sum (fun a => f a u) l).
Proof. intros A coin coins f l. unfold mean. rewrite sum_scale, sum_swap. reflexivity. Qed.

(* Of a list without duplicates, one is picked. *)
Lemma sum_pick : forall A (eqb : A -> A -> bool) (x : A -> R) b l, (forall a c, eqb a c = true <-> a = c) -> NoDup l ->
  In b l -> sum (fun a => if eqb b a then x a else 0) l = x b.
Proof.
  intros A eqb x b l E N H.
  assert (Z : forall l, ~ In b l -> sum (fun a => if eqb b a then x a else 0) l = 0).
  { clear l N H. induction l as [|a l IH]; intros H; [reflexivity|]. cbn [sum]. rewrite IH by (simpl in H; tauto).
    destruct (eqb b a) eqn:Eb; [|ring]. apply E in Eb. subst a. simpl in H. tauto. }
  induction l as [|a l IH]; [contradiction|]. inversion N; subst. cbn [sum]. destruct (eqb b a) eqn:Eb.
  - apply E in Eb. subst a. rewrite Z by assumption. ring.
  - destruct H as [->|H]; [rewrite (proj2 (E b b) eq_refl) in Eb; discriminate|]. rewrite IH by assumption. ring.
Qed.

Section Steps.
  Variables query reply state coin : Type.
  Variable eqb : reply -> reply -> bool.
  Hypothesis eqb_true : forall a b, eqb a b = true <-> a = b.
  Variable replies : query -> list reply.
  Hypothesis replies_once : forall q, NoDup (replies q).
  Variable coins : list coin.
  Hypothesis some : coins <> [].
  Variable step : state -> query -> coin -> reply * state.
  Hypothesis step_replies : forall s q u, In (fst (step s q u)) (replies q).
  Variable start : state.

  (* The expectation of g after these answers to these questions, the first first; nothing where an answer differs. *)
  Fixpoint expected (s : state) (l : list (query * reply)) (g : state -> R) : R :=
    match l with
    | [] => g s
    | (q, a) :: rest =>
        mean coins (fun u => if eqb (fst (step s q u)) a then expected (snd (step s q u)) rest g else 0)
    end.
  Definition step_weight (h : history query reply) : R := expected start (rev h) (fun _ => 1).

  Lemma expected_ext : forall l s g g', (forall s, g s = g' s) -> expected s l g = expected s l g'.
  Proof.
    induction l as [|[q a] l IH]; intros s g g' H; cbn [expected]; [apply H|]. apply mean_ext. intros u.
    destruct (eqb _ _); [apply IH; exact H|reflexivity].
  Qed.

  Lemma expected_zero : forall l s, expected s l (fun _ => 0) = 0.
  Proof.
    induction l as [|[q a] l IH]; intros s; cbn [expected]; [reflexivity|].
    rewrite (mean_ext _ _ _ (fun _ => 0)); [apply mean_const; exact some|]. intros u. destruct (eqb _ _); auto.
  Qed.

  Lemma expected_nonneg : forall l s g, (forall s, 0 <= g s) -> 0 <= expected s l g.
  Proof.
    induction l as [|[q a] l IH]; intros s g H; cbn [expected]; [apply H|]. unfold mean.
    assert (0 < INR (length coins)) by (apply lt_0_INR; destruct coins; [contradiction|simpl; lia]).
    apply Rmult_le_pos; [left; apply Rinv_0_lt_compat; assumption|].
    apply Rle_trans with (sum (fun _ => 0) coins); [rewrite sum_const; lra|]. apply sum_le. intros u _.
    destruct (eqb _ _); [apply IH; exact H|lra].
  Qed.

  Lemma expected_sum : forall A (L : list A) (g : A -> state -> R) l s,
    sum (fun a => expected s l (g a)) L = expected s l (fun s => sum (fun a => g a s) L).
  Proof.
    intros A L g. induction l as [|[q a] l IH]; intros s; cbn [expected]; [reflexivity|].
    rewrite sum_mean. apply mean_ext. intros u. destruct (eqb _ _); [apply IH|]. rewrite sum_const. ring.
  Qed.

  (* One more question, whatever is answered. *)
  Lemma expected_next : forall h q (g : reply -> state -> R) s,
    sum (fun a => expected s (rev h ++ [(q, a)]) (g a)) (replies q) =
    expected s (rev h) (fun s => mean coins (fun u => g (fst (step s q u)) (snd (step s q u)))).
  Proof.
    intros h q g s.
    assert (Last : forall l s a, expected s (l ++ [(q, a)]) (g a) =
      expected s l (fun s => mean coins (fun u => if eqb (fst (step s q u)) a then g a (snd (step s q u)) else 0))).
    { induction l as [|[r b] l IH]; intros t a; cbn [app expected]; [reflexivity|]. apply mean_ext. intros u.
      destruct (eqb _ _); [apply IH|reflexivity]. }
    rewrite (sum_ext _ _ (fun a => expected s (rev h)
      (fun s => mean coins (fun u => if eqb (fst (step s q u)) a then g a (snd (step s q u)) else 0))))
      by (intros; apply Last).
    rewrite expected_sum. apply expected_ext. intros t. rewrite sum_mean. apply mean_ext. intros u.
    apply (sum_pick reply eqb (fun a => g a (snd (step t q u)))); [exact eqb_true|apply replies_once|apply step_replies].
  Qed.

  Theorem step_coherent : coherent query reply replies step_weight.
  Proof.
    constructor; [reflexivity|intros h; apply expected_nonneg; intros; lra|].
    intros h q. unfold step_weight. cbn [rev]. rewrite (expected_next h q (fun _ _ => 1)). apply expected_ext. intros s.
    apply mean_const. exact some.
  Qed.

  (* The session played with coins. *)
  Fixpoint played (choose : history query reply -> option query) (S : history query reply -> bool) (n : nat) (s : state)
    (h : history query reply) : R :=
    match n, choose h with
    | Datatypes.S k, Some q => mean coins (fun u => played choose S k (snd (step s q u)) ((q, fst (step s q u)) :: h))
    | _, _ => if S h then 1 else 0
    end.

  Lemma alone_is_expected : forall choose S n h,
    alone query reply replies step_weight choose S n h = expected start (rev h) (fun s => played choose S n s h).
  Proof.
    intros choose S n.
    assert (End : forall h, (if S h then step_weight h else 0) = expected start (rev h) (fun _ => if S h then 1 else 0)).
    { intros h. destruct (S h); [reflexivity|]. symmetry. apply expected_zero. }
    induction n as [|n IH]; intros h; cbn [alone played]; [apply End|].
    destruct (choose h) as [q|]; [|apply End].
    rewrite (sum_ext _ _ (fun a => expected start (rev h ++ [(q, a)]) (fun s => played choose S n s ((q, a) :: h))))
      by (intros a _; apply IH).
    apply (expected_next h q (fun a s => played choose S n s ((q, a) :: h))).
  Qed.

  Theorem alone_is_played : forall choose S n,
    alone query reply replies step_weight choose S n [] = played choose S n start [].
  Proof. intros choose S n. apply (alone_is_expected choose S n []). Qed.
End Steps.

(* A secret drawn first. *)
Lemma alone_mean : forall query reply (replies : query -> list reply) H (choices : list H) W choose S n h,
  alone query reply replies (mean_of query reply choices W) choose S n h =
  / INR (length choices) * sum (fun c => alone query reply replies (W c) choose S n h) choices.
Proof.
  intros query reply replies H choices W choose S n.
  assert (End : forall h, (if S h then mean_of query reply choices W h else 0) =
    / INR (length choices) * sum (fun c => if S h then W c h else 0) choices).
  { intros h. destruct (S h); [reflexivity|]. rewrite sum_const. ring. }
  induction n as [|n IH]; intros h; cbn [alone]; [apply End|]. destruct (choose h) as [q|]; [|apply End].
  rewrite sum_swap, <- sum_scale. apply sum_ext. intros a _. apply IH.
Qed.
