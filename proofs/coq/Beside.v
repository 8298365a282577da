(* Sessions of different kinds beside each other. A session that does not know a question says so and stays as it is, which
   costs nothing; and a release that happens once, a noisy count or an error estimate, is a session of one question. *)
From Coq Require Import Reals Lra Lia Psatz List Bool Arith.
From Fumata Require Import Statement Divergence Uniform Interleaving Concurrent Stepping.
Import ListNotations.
Local Open Scope R_scope.

Section Lift.
  Variables query reply : Type.
  Variable replies : query -> list reply.
  Variables query' reply' : Type.
  Variable replies' : query' -> list reply'.
  Variable mine : query' -> option query.   (* the question, if it is one of this session *)
  Variable say : reply -> reply'.
  Variable read : reply' -> option reply.
  Variable idle : reply'.                   (* what it says to others *)
  Variable is_idle : reply' -> bool.
  Hypothesis read_say : forall a, read (say a) = Some a.
  Hypothesis idle_is : is_idle idle = true.
  Hypothesis own_replies : forall q' q (f : reply' -> R), mine q' = Some q ->
    sum (fun r => match read r with Some _ => f r | None => 0 end) (replies' q') = sum (fun a => f (say a)) (replies q).
  Hypothesis idle_once : forall q' (f : reply' -> R), mine q' = None ->
    sum (fun r => if is_idle r then f r else 0) (replies' q') = f idle.

  (* The history of the session, if it could be one. *)
  Fixpoint strip (h : history query' reply') : option (history query reply) :=
    match h with
    | [] => Some []
    | (q', r) :: rest =>
        match strip rest, mine q' with
        | Some g, Some q => match read r with Some a => Some ((q, a) :: g) | None => None end
        | Some g, None => if is_idle r then Some g else None
        | None, _ => None
        end
    end.
  Definition lifted (W : mechanism_of query reply) : mechanism_of query' reply' :=
    fun h => match strip h with Some g => W g | None => 0 end.

  Lemma lifted_coherent : forall W, coherent query reply replies W -> coherent query' reply' replies' (lifted W).
  Proof.
    intros W [C1 C2 C3]. unfold lifted. constructor; [exact C1|intros h; destruct (strip h); [apply C2|lra]|].
    intros h q'. cbn [strip]. destruct (strip h) as [g|]; [|rewrite sum_const; ring].
    destruct (mine q') as [q|] eqn:M.
    - rewrite <- (C3 g q).
      rewrite (sum_ext _ _ (fun r => match read r with
        | Some _ => match read r with Some a => W ((q, a) :: g) | None => 0 end | None => 0 end))
        by (intros r _; destruct (read r); reflexivity).
      rewrite (own_replies q' q _ M). apply sum_ext. intros a _. rewrite read_say. reflexivity.
    - rewrite <- (idle_once q' (fun _ => W g) M). apply sum_ext. intros r _. destruct (is_idle r); reflexivity.
  Qed.

  Section Chosen.
    Variable choose : history query' reply' -> option query'.
    Variable S : history query' reply' -> bool.

    (* Questions to others come and go. *)
    Fixpoint skip (n : nat) (h : history query' reply') : nat * history query' reply' :=
      match n with
      | O => (O, h)
      | Datatypes.S k =>
          match choose h with
          | Some q' => match mine q' with None => skip k ((q', idle) :: h) | Some _ => (n, h) end
          | None => (n, h)
          end
      end.
    Definition at_home (n : nat) (h : history query' reply') : Prop :=
      n = O \/ forall q', choose h = Some q' -> mine q' <> None.

    Lemma dead : forall W n h, strip h = None -> alone query' reply' replies' (lifted W) choose S n h = 0.
    Proof.
      intros W n. induction n as [|n IH]; intros h Hs; cbn [alone].
      { unfold lifted. rewrite Hs. destruct (S h); reflexivity. }
      destruct (choose h) as [q'|]; [|unfold lifted; rewrite Hs; destruct (S h); reflexivity].
      rewrite (sum_ext _ _ (fun _ => 0)); [rewrite sum_const; ring|]. intros r _. apply IH. cbn [strip]. rewrite Hs.
      reflexivity.
    Qed.

    Lemma skipped : forall n h g, strip h = Some g -> let (k, l) := skip n h in
      (k <= n)%nat /\ strip l = Some g /\ at_home k l /\
      forall W, alone query' reply' replies' (lifted W) choose S n h = alone query' reply' replies' (lifted W) choose S k l.
    Proof.
      induction n as [|n IH]; intros h g Hs; cbn [skip].
      { split; [lia|]. split; [exact Hs|]. split; [left|]; reflexivity. }
      destruct (choose h) as [q'|] eqn:C.
      2:{ split; [lia|]. split; [exact Hs|]. split; [right; congruence|reflexivity]. }
      destruct (mine q') as [q|] eqn:M.
      { split; [lia|]. split; [exact Hs|]. split; [right; congruence|reflexivity]. }
      specialize (IH ((q', idle) :: h) g). cbn [strip] in IH. rewrite Hs, M, idle_is in IH. specialize (IH eq_refl).
      destruct (skip n ((q', idle) :: h)) as [k l]. destruct IH as [I1 [I2 [I3 I4]]].
      split; [lia|]. split; [exact I2|]. split; [exact I3|]. intros W. rewrite <- I4. cbn [alone]. rewrite C.
      rewrite <- (idle_once q' (fun r => alone query' reply' replies' (lifted W) choose S n ((q', r) :: h)) M).
      apply sum_ext. intros r _. destruct (is_idle r) eqn:E; [reflexivity|]. apply dead. cbn [strip].
      rewrite Hs, M, E. reflexivity.
    Qed.

    (* Everything that was asked, from what this session was asked. *)
    Variable N : nat.
    Fixpoint expand (g : history query reply) : nat * history query' reply' :=
      match g with
      | [] => skip N []
      | (_, a) :: rest =>
          let (n, h) := expand rest in
          match n, choose h with Datatypes.S k, Some q' => skip k ((q', say a) :: h) | _, _ => (O, h) end
      end.
    Definition own_choice (g : history query reply) : option query :=
      let (n, h) := expand g in match n, choose h with Datatypes.S _, Some q' => mine q' | _, _ => None end.

    Lemma expanded : forall W k g n h, expand g = (n, h) -> (n <= k)%nat -> strip h = Some g -> at_home n h ->
      alone query reply replies W own_choice (fun g => S (snd (expand g))) k g =
      alone query' reply' replies' (lifted W) choose S n h.
    Proof.
      intros W k. induction k as [|k IH]; intros g n h E Hk Hs Hh.
      all: assert (End : (if S h then W g else 0) = (if S h then lifted W h else 0))
        by (unfold lifted; rewrite Hs; reflexivity).
      { replace n with O by lia. cbn [alone]. rewrite E. exact End. }
      cbn [alone]. unfold own_choice at 1. rewrite E. cbn [snd]. destruct n as [|n]; [cbn [alone]; exact End|].
      cbn [alone]. destruct (choose h) as [q'|] eqn:C; [|exact End].
      destruct (mine q') as [q|] eqn:M.
      2:{ destruct Hh as [Hh|Hh]; [discriminate|]. exfalso. apply (Hh q'); auto. }
      rewrite (sum_ext _ (fun r => alone query' reply' replies' (lifted W) choose S n ((q', r) :: h))
        (fun r => match read r with
          | Some _ => alone query' reply' replies' (lifted W) choose S n ((q', r) :: h) | None => 0 end)).
      2:{ intros r _. destruct (read r) eqn:Er; [reflexivity|]. apply dead. cbn [strip]. rewrite Hs, M, Er. reflexivity. }
      rewrite (own_replies q' q _ M). apply sum_ext. intros a _.
      pose proof (skipped n ((q', say a) :: h) ((q, a) :: g)) as K. cbn [strip] in K. rewrite Hs, M, read_say in K.
      specialize (K eq_refl). destruct (skip n ((q', say a) :: h)) as [n1 h1] eqn:Es.
      destruct K as [K1 [K2 [K3 K4]]]. rewrite K4. apply IH; [|lia|exact K2|exact K3].
      cbn [expand]. rewrite E, C. exact Es.
    Qed.

    Lemma lifted_alone : forall W, alone query' reply' replies' (lifted W) choose S N [] =
      alone query reply replies W own_choice (fun g => S (snd (expand g))) N [].
    Proof.
      intros W. pose proof (skipped N [] [] eq_refl) as K. destruct (skip N []) as [n h] eqn:E.
      destruct K as [K1 [K2 [K3 K4]]]. rewrite K4. symmetry. apply expanded; assumption.
    Qed.
  End Chosen.

  Theorem lifted_private : forall epsilon delta W W', private_alone query reply replies epsilon delta W W' ->
    private_alone query' reply' replies' epsilon delta (lifted W) (lifted W').
  Proof. intros epsilon delta W W' H choose S n. rewrite !lifted_alone. apply H. Qed.
End Lift.

Section Once.
  Variable A : Type.
  Variable eqb : A -> A -> bool.
  Hypothesis eqb_true : forall a b, eqb a b = true <-> a = b.
  Variable outcomes : list A.
  Hypothesis outcomes_once : NoDup outcomes.

  (* Whoever asks again gets nothing. *)
  Definition once_replies (_ : unit) : list (option A) := None :: map Some outcomes.
  Fixpoint once_weight (mu : law A) (h : history unit (option A)) : R :=
    match h with
    | [] => 1
    | [(_, r)] => match r with Some a => Pr mu (eqb a) | None => 0 end
    | (_, r) :: rest => match r with Some _ => 0 | None => once_weight mu rest end
    end.
  Definition covers (mu : law A) : Prop := forall e, In e mu -> In (fst e) outcomes.

  (* One outcome after the other. *)
  Lemma Pr_outcomes : forall mu (T : A -> bool), covers mu ->
    sum (fun a => if T a then Pr mu (eqb a) else 0) outcomes = Pr mu T.
  Proof.
    intros mu T. induction mu as [|[x w] mu IH]; intros H; cbn [Pr].
    { rewrite (sum_ext _ _ (fun _ => 0)); [rewrite sum_const; ring|]. intros a _. destruct (T a); reflexivity. }
    rewrite <- IH by (intros e He; apply H; right; exact He).
    rewrite <- (sum_pick A eqb (fun a => if T a then w else 0) x outcomes eqb_true outcomes_once
      (H (x, w) (or_introl eq_refl))), <- sum_plus.
    apply sum_ext. intros a _. assert (E : eqb a x = eqb x a).
    { destruct (eqb a x) eqn:E1; destruct (eqb x a) eqn:E2; try reflexivity.
      - apply eqb_true in E1. subst. rewrite (proj2 (eqb_true x x) eq_refl) in E2. discriminate.
      - apply eqb_true in E2. subst. rewrite (proj2 (eqb_true a a) eq_refl) in E1. discriminate. }
    rewrite E. destruct (T a); destruct (eqb x a); ring.
  Qed.

  Lemma once_coherent : forall mu, is_law mu -> covers mu -> coherent unit (option A) once_replies (once_weight mu).
  Proof.
    intros mu [Hn H1] Hc. constructor; [reflexivity| |].
    - induction h as [|[q r] [|e h] IH]; [simpl; lra| |].
      + simpl. destruct r; [apply Pr_nonnegative; exact Hn|lra].
      + cbn [once_weight] in *. destruct r; [lra|exact IH].
    - intros h q. unfold once_replies. cbn [sum]. rewrite sum_map. destruct h as [|e h]; cbn [once_weight].
      + rewrite <- H1, <- (Pr_outcomes mu (fun _ => true) Hc). ring.
      + rewrite sum_const. ring.
  Qed.

  (* What has been seen in the end. *)
  Fixpoint in_the_end (choose : history unit (option A) -> option unit) (n : nat) (h : history unit (option A))
    : history unit (option A) :=
    match n, choose h with S k, Some q => in_the_end choose k ((q, None) :: h) | _, _ => h end.

  Lemma asked_again : forall mu choose T n e h,
    alone unit (option A) once_replies (once_weight mu) choose T n (e :: h) =
    if T (in_the_end choose n (e :: h)) then once_weight mu (e :: h) else 0.
  Proof.
    intros mu choose T.
    assert (Gone : forall n q a e h,
      alone unit (option A) once_replies (once_weight mu) choose T n ((q, Some a) :: e :: h) = 0).
    { intros n q a e h.
      assert (Z : forall n g, once_weight mu g = 0 -> g <> [] ->
        alone unit (option A) once_replies (once_weight mu) choose T n g = 0); [|apply Z; [reflexivity|discriminate]].
      clear. induction n as [|n IH]; intros g Hg Hne; cbn [alone]; [rewrite Hg; destruct (T g); reflexivity|].
      destruct (choose g) as [q|]; [|rewrite Hg; destruct (T g); reflexivity].
      rewrite (sum_ext _ _ (fun _ => 0)); [rewrite sum_const; ring|]. intros r _.
      apply IH; [|discriminate]. destruct g as [|e g]; [contradiction|]. cbn [once_weight]. destruct r; [reflexivity|exact Hg]. }
    induction n as [|n IH]; intros e h; cbn [alone in_the_end]; [reflexivity|].
    destruct (choose (e :: h)) as [q|]; [|reflexivity]. unfold once_replies. cbn [sum]. rewrite sum_map.
    rewrite (sum_ext _ _ (fun _ => 0)) by (intros a _; apply Gone). rewrite sum_const, IH. cbn [once_weight]. ring.
  Qed.

  Theorem once_private : forall epsilon delta mu nu, is_law mu -> is_law nu -> covers mu -> covers nu ->
    within epsilon delta mu nu ->
    private_alone unit (option A) once_replies epsilon delta (once_weight mu) (once_weight nu).
  Proof.
    intros epsilon delta mu nu Lm Ln Cm Cn H choose T n.
    assert (Asked : forall rho k q, covers rho ->
      sum (fun r => alone unit (option A) once_replies (once_weight rho) choose T k [(q, r)]) (once_replies q) =
      Pr rho (fun a => T (in_the_end choose k [(q, Some a)]))).
    { intros rho k q Hc. unfold once_replies. cbn [sum]. rewrite sum_map, asked_again.
      rewrite <- (Pr_outcomes rho _ Hc). cbn [once_weight]. destruct (T (in_the_end choose k [(q, None)])); rewrite Rplus_0_l;
        apply sum_ext; intros a _; rewrite asked_again; reflexivity. }
    assert (Base : (if T [] then 1 else 0) <= exp epsilon * (if T [] then 1 else 0) + delta).
    { assert (Z : forall rho : law A, Pr rho (fun _ => false) = 0) by (induction rho as [|[x w] rho IH]; simpl;
        [|rewrite IH]; lra).
      pose proof (H (fun _ => T [])) as B. destruct (T []); [rewrite (proj2 Lm), (proj2 Ln) in B|rewrite !Z in B]; exact B. }
    destruct n as [|n]; cbn [alone]; [exact Base|]. destruct (choose []) as [q|]; [|exact Base].
    rewrite !Asked by assumption. apply H.
  Qed.
End Once.
