(* A toll is the poll in which everybody is asked every time. Theorem T follows from Theorem N, where every toss may differ;
   and a poll whose units are teachers, all of which vote, answers as the toll does, coin by coin. *)
From Coq Require Import Reals Lra Lia ZArith List Bool Arith.
From Fumata Require Import SpecPlan Statement Power Divergence Game TheoremM TheoremN Coins Poll.
Import ListNotations.
Local Open Scope R_scope.
Local Opaque words below.

(* 1. The theorem. On both sides yes names the one that is ahead on the left. *)
Section Game.
  Variable query : Type.
  Variable next : strategy query.
  Variables face face' : query -> duel.
  Hypothesis Hface : close_faces face face'.
  Variable w : nat -> R.
  Hypothesis H0 : w 0%nat = 1 / 2.

  (* What was said, and how many answers are left of l. *)
  Fixpoint told (l : nat) (seen : list (option bool)) : transcript * nat :=
    match seen with
    | [] => ([], l)
    | a :: before =>
        let (t, left) := told l before in
        match next t, a with
        | Toll q, Some yes => (Label (if yes then named (face q) else other (face q)) :: t, pred left)
        | Forfeit _ n, None => (Noted :: t, (left - n)%nat)
        | _, _ => (t, left)
        end
    end.
  Definition buys (l : nat) (seen : list (option bool)) : option (query + nat) :=
    let (t, left) := told l seen in
    match next t with
    | Toll q => match left with O => None | _ => Some (inl q) end
    | Forfeit _ n => Some (inr n)
    | _ => None
    end.
  Definition toll_turn (f : query -> duel) (left : nat) (x : query + nat) : @outcome nat :=
    match x, left with
    | inl q, S rest => let m := Z.of_nat (margin (f q)) in
        Toss (if (named (f q) =? named (face q))%nat then m else - m)%Z rest
    | inl _, O => Quiet O
    | inr n, _ => Quiet (left - n)%nat
    end.

  Lemma game_is_leads : forall p view f l, f = face \/ f = face' -> forall S n seen left, snd (told l seen) = left ->
    Pr (joint_game p w next view f n 0 left (fst (told l seen))) S =
    Pr (leads w (buys l) (toll_turn f) n n left seen) (fun t => S (fst (told l t))).
  Proof.
    intros p view f l Hf S. unfold joint_game. induction n as [|n IH]; intros seen left E; [reflexivity|].
    cbn [game leads].
    destruct (told l seen) as [t k] eqn:T. cbn [fst snd] in *. subst k. assert (B : buys l seen = match next t with
      | Toll q => match left with O => None | _ => Some (inl q) end | Forfeit _ n => Some (inr n) | _ => None end)
      by (unfold buys; rewrite T; reflexivity). rewrite B. clear B.
    destruct (next t) as [q|q|s a|] eqn:N; cbn [Pr]; rewrite ?T; try reflexivity.
    - destruct left as [|left]; cbn [Pr]; [rewrite T; reflexivity|]. cbn [toll_turn].
      change (weigh R Rmult) with (@scale transcript). rewrite !Pr_app, !Pr_scale.
      assert (Yes := IH (Some true :: seen) left). assert (No := IH (Some false :: seen) left).
      cbn [told] in Yes, No. rewrite T, N in Yes, No. cbn [fst snd pred] in Yes, No |- *.
      rewrite <- Yes, <- No by reflexivity. clear Yes No IH. unfold favour.
      assert (Near : named (f q) = named (face q) /\ other (f q) = other (face q) \/
        named (f q) <> named (face q) /\ margin (f q) = 0%nat /\ named (f q) = other (face q) /\ other (f q) = named (face q)).
      { destruct (Hface q) as [_ [_ [C3 C4]]]. destruct Hf as [-> | ->]; [left; auto|].
        destruct (Nat.eq_dec (named (face q)) (named (face' q))) as [G|G]; [left; rewrite (C3 G); auto|].
        destruct (C4 G) as [_ [M [A B]]]. right. auto. }
      destruct Near as [[En Eo]|[Nn [M [En Eo]]]].
      + rewrite En, Eo, Nat.eqb_refl. destruct (Z.ltb_spec (Z.of_nat (margin (f q))) 0); [lia|]. rewrite Nat2Z.id. lra.
      + destruct (Nat.eqb_spec (named (f q)) (named (face q))); [contradiction|]. rewrite M, En, Eo. simpl Z.to_nat.
        change (- Z.of_nat 0 <? 0)%Z with false. cbv iota. rewrite H0. lra.
    - cbn [toll_turn]. assert (Quietly := IH (None :: seen) (left - a)%nat). cbn [told] in Quietly. rewrite T, N in Quietly.
      cbn [fst snd] in Quietly. rewrite <- Quietly by reflexivity. reflexivity.
  Qed.
End Game.

Theorem theorem_T_of_N : forall query (p w : nat -> R) alpha U answers epsilon, tolled w alpha U ->
  forall (next : strategy query) (view view' : query -> verdict) (face face' : query -> duel) (n : nat),
  close_faces face face' ->
  within epsilon (delta_T alpha U answers epsilon)
    (joint_law p w 0 answers n next view face) (joint_law p w 0 answers n next view' face').
Proof.
  intros query p w alpha U answers epsilon Hw next view view' face face' n H S.
  pose proof (game_is_leads query next face face' H w (tolled_zero _ _ _ Hw)) as G. unfold joint_law.
  pose proof (G p view face answers (or_introl eq_refl) S n [] answers eq_refl) as G1.
  pose proof (G p view' face' answers (or_intror eq_refl) S n [] answers eq_refl) as G2.
  cbn [told fst] in G1, G2. rewrite G1, G2. clear G G1 G2.
  apply (theorem_N _ _ _ w alpha U epsilon (fun c s s' => s = s' /\ (s <= c)%nat)); [exact Hw| |auto].
  intros c s s' [q|m] [<- L]; cbn [toll_turn]; [|apply Both_quiet; lia].
  destruct s as [|s]; [apply Both_quiet; lia|]. destruct c as [|c]; [lia|].
  destruct (H q) as [C1 [C2 [_ C4]]]. rewrite Nat.eqb_refl.
  assert (L' : (s <= c)%nat) by lia. destruct (Nat.eqb_spec (named (face' q)) (named (face q))) as [E|E].
  - apply (Near_toss _ _ c); [reflexivity|lia|lia|auto].
  - destruct (C4 (fun e => E (eq_sym e))) as [-> [-> _]]. apply (Near_toss _ _ c); [reflexivity|simpl; lia|simpl; lia|auto].
Qed.

(* 2. The machine. Each teacher is a unit of one row, its model; a question asks all of them which of two candidates it is. *)
Section Teachers.
  Variable query : Type.
  Definition model := query -> nat.

  Definition for_or_against (a b vote : nat) : Z := if (vote =? a)%nat then 1 else if (vote =? b)%nat then -1 else 0.
  Definition ask_all (q : query) (a b : nat) : inquiry nat model :=
    Inquiry nat model 2 (fun rows => match rows with [(_, m)] => for_or_against a b (m q) | _ => 0%Z end).
  Definition ballot (teachers : list (row nat model)) (q : query) : list nat := map (fun t => snd t q) teachers.

  Variable teachers : list (row nat model).
  Hypothesis apart : NoDup (map fst teachers).

  Lemma own_model : forall i m, In (i, m) teachers -> own Nat.eq_dec teachers i = [(i, m)].
  Proof.
    unfold own. revert apart. induction teachers as [|[j m'] ts IH]; intros N i m; [intros []|].
    cbn [map fst] in N. inversion N as [|? ? Nj Nt]; subst. cbn [filter fst].
    assert (None_else : forall x, ~ In x (map fst ts) ->
      filter (fun r : row nat model => if Nat.eq_dec (fst r) x then true else false) ts = []).
    { intros x Hx. clear - Hx. induction ts as [|[y m''] ts IH]; [reflexivity|]. cbn [map fst In filter] in *.
      destruct (Nat.eq_dec y x); [tauto|apply IH; tauto]. }
    intros [E|I].
    - injection E as -> ->. destruct (Nat.eq_dec i i); [|congruence]. rewrite None_else by exact Nj. reflexivity.
    - destruct (Nat.eq_dec j i) as [->|_]; [|apply IH; assumption].
      destruct Nj. apply in_map_iff. exists (i, m). auto.
  Qed.

  Variables (limit : nat) (used : nat -> nat).
  Hypothesis none_retired : forall i, In i (map fst teachers) -> (used i < limit)%nat.

  Lemma everybody_votes : forall q a b, a <> b -> lead Nat.eq_dec teachers limit used (ask_all q a b) =
    Z.quot (Z.of_nat (counts (ballot teachers q) a) - Z.of_nat (counts (ballot teachers q) b)) 2.
  Proof.
    intros q a b Hab. unfold lead. cbv zeta. cbn [most ask_all]. f_equal. rewrite (nodup_fixed_point Nat.eq_dec apart).
    assert (V : forall i m, In (i, m) teachers ->
      voice (ask_all q a b) (own Nat.eq_dec teachers i) = for_or_against a b (m q)).
    { intros i m I. rewrite (own_model i m I). unfold voice, ask_all, for_or_against. cbn [weight most].
      destruct (m q =? a)%nat; [|destruct (m q =? b)%nat]; lia. }
    assert (G : forall ts, incl ts teachers ->
      fold_right Z.add 0%Z (map (fun i => voice (ask_all q a b) (own Nat.eq_dec teachers i))
        (filter (votes Nat.eq_dec teachers limit used (ask_all q a b)) (map fst ts))) =
      (Z.of_nat (counts (ballot ts q) a) - Z.of_nat (counts (ballot ts q) b))%Z); [|apply G, incl_refl].
    induction ts as [|[i m] ts IH]; intros I; [reflexivity|]. assert (Im := I _ (or_introl eq_refl)).
    specialize (IH (fun t Ht => I t (or_intror Ht))). cbn [map fst filter ballot snd]. unfold votes at 1.
    rewrite (V i m Im). replace (used i <? limit)%nat with true.
    2:{ symmetry. apply Nat.ltb_lt, none_retired. apply in_map_iff. exists (i, m). auto. }
    rewrite andb_true_r. unfold counts. cbn [count_occ]. unfold counts in IH. fold (ballot ts q).
    assert (F : forall x, m q = x -> for_or_against a b (m q) = for_or_against a b x) by (intros ? ->; reflexivity).
    destruct (Nat.eq_dec (m q) a) as [Ea|Ea]; [destruct (Nat.eq_dec (m q) b) as [Eb|Eb]; [congruence|]|
      destruct (Nat.eq_dec (m q) b) as [Eb|Eb]].
    - unfold for_or_against. rewrite (proj2 (Nat.eqb_eq _ _) Ea). cbn [negb Z.eqb map fold_right].
      rewrite (V i m Im). unfold for_or_against. rewrite (proj2 (Nat.eqb_eq _ _) Ea), IH. lia.
    - unfold for_or_against. rewrite (proj2 (Nat.eqb_neq _ _) Ea), (proj2 (Nat.eqb_eq _ _) Eb). cbn [negb Z.eqb map fold_right].
      rewrite (V i m Im). unfold for_or_against. rewrite (proj2 (Nat.eqb_neq _ _) Ea), (proj2 (Nat.eqb_eq _ _) Eb), IH. lia.
    - unfold for_or_against. rewrite (proj2 (Nat.eqb_neq _ _) Ea), (proj2 (Nat.eqb_neq _ _) Eb). cbn [negb Z.eqb].
      exact IH.
  Qed.

  (* Of an odd number of votes for the two, the lead is the margin of the toll, with a sign that says who is ahead. (Of an
     even number the toll holds back one row: it is made for votes that change, a poll for votes that come or go.) *)
  Definition signed (a : nat) (f : duel) : Z :=
    if (named f =? a)%nat then Z.of_nat (margin f) else (- Z.of_nat (margin f))%Z.

  Lemma lead_is_margin : forall q a b, a <> b ->
    Nat.odd (counts (ballot teachers q) a + counts (ballot teachers q) b) = true ->
    lead Nat.eq_dec teachers limit used (ask_all q a b) = signed a (confront a b (ballot teachers q)).
  Proof.
    intros q a b Hab O. rewrite everybody_votes by exact Hab. unfold confront, signed.
    set (x := counts _ a) in *. set (y := counts _ b) in *. clearbody x y.
    assert (D : forall g, Nat.odd g = true -> distance_of_gap g = (g / 2)%nat).
    { intros g Hg. apply Nat.odd_spec in Hg. destruct Hg as [h ->]. unfold distance_of_gap.
      rewrite Nat.add_comm, Nat.mul_comm, Nat.div_add by lia. destruct (Nat.leb_spec (1 + h * 2) 2).
      - replace h with 0%nat by lia. reflexivity.
      - replace (1 + h * 2 - 1)%nat with (h * 2)%nat by lia. rewrite Nat.div_mul by lia. reflexivity. }
    assert (P : forall g h, (g <= h)%nat -> Nat.odd (g + h) = true -> Nat.odd (h - g) = true)
      by (intros g h L G; rewrite Nat.odd_sub by exact L; rewrite Nat.odd_add, xorb_comm in G; exact G).
    destruct (Nat.ltb_spec x y) as [L|L]; cbn [named margin].
    - rewrite (proj2 (Nat.eqb_neq b a) (not_eq_sym Hab)), D by (apply P; [lia|exact O]).
      replace (Z.of_nat x - Z.of_nat y)%Z with (- Z.of_nat (y - x))%Z by lia.
      rewrite Z.quot_opp_l, Z.quot_div_nonneg, <- (Nat2Z.inj_div _ 2) by lia. reflexivity.
    - rewrite Nat.eqb_refl, D by (apply P; [exact L|rewrite Nat.add_comm; exact O]).
      replace (Z.of_nat x - Z.of_nat y)%Z with (Z.of_nat (x - y)) by lia.
      rewrite Z.quot_div_nonneg, <- (Nat2Z.inj_div _ 2) by lia. reflexivity.
  Qed.

  (* Asked, stored and answered, the poll says yes with as many coins as let the toll name the first candidate. *)
  Theorem all_asked_is_toll : forall plan q a b p l r, limit = Z.to_nat (toll_plan_limit plan) ->
    in_range (toll_plan_named plan) -> a <> b ->
    Nat.odd (counts (ballot teachers q) a + counts (ballot teachers q) b) = true ->
    let step := poll_step Nat.eq_dec plan teachers in
    let s := snd (step (snd (step (Crowd used [] used []) (Vote (ask_all q a b)) 0%Z)) Store 0%Z) in
    let says_a u := match fst (step s Draw u) with Some yes => yes | None => false end in
    let toll_says_a u := match fst (sells (toll plan) (p, Build_purse l (S r)) (confront a b (ballot teachers q)) u)
      with Label y => (y =? a)%nat | _ => false end in
    length (filter says_a (below words)) = length (filter toll_says_a (below words)).
  Proof.
    intros plan q a b p l r Hl R Hab O step s says_a toll_says_a.
    set (f := confront a b (ballot teachers q)) in *. set (table := toll_plan_named plan) in *.
    pose proof words_some. apply INR_eq, (Rmult_eq_reg_r (/ INR (length (below words)))); [|apply Rinv_neq_0_compat; lra].
    rewrite (filter_ext says_a (says_yes table (lead Nat.eq_dec teachers limit used (ask_all q a b))))
      by (rewrite Hl; reflexivity).
    fold (INR (length (filter toll_says_a (below words))) / INR (length (below words))).
    change (?x * / ?y) with (x / y). rewrite <- favour_share by exact R. rewrite lead_is_margin by assumption. fold f.
    assert (E : forall u, toll_says_a u = if is_named table (margin f) u then (named f =? a)%nat else (other f =? a)%nat).
    { intros u. unfold toll_says_a, toll, budget. cbn [sells fst snd reserved Nat.eqb]. fold table.
      destruct (is_named table (margin f) u); reflexivity. }
    rewrite (filter_ext _ _ E). clear E toll_says_a says_a s step. unfold signed.
    assert (C : named f = a /\ other f = b \/ named f = b /\ other f = a)
      by (unfold f, confront; destruct (_ <? _)%nat; cbn; auto).
    destruct C as [[-> ->]|[-> ->]]; rewrite Nat.eqb_refl, (proj2 (Nat.eqb_neq b a)) by auto; unfold favour.
    - destruct (Z.ltb_spec (Z.of_nat (margin f)) 0); [lia|]. rewrite Nat2Z.id, (naming_share table _ R).
      do 3 f_equal. apply filter_ext. intros u. destruct (is_named _ _ _); reflexivity.
    - rewrite (filter_ext (fun u => if is_named table (margin f) u then false else true)
        (fun u => negb (is_named table (margin f) u))) by (intros u; destruct (is_named _ _ _); reflexivity).
      rewrite share_not, <- (naming_share table _ R). destruct (Z.ltb_spec (- Z.of_nat (margin f)) 0).
      + rewrite Z.opp_involutive, Nat2Z.id. reflexivity.
      + replace (margin f) with 0%nat by lia. unfold naming, naming_words. cbn [Nat.eqb Z.of_nat Z.opp Z.to_nat].
        change (IZR (2 ^ 63)) with 9223372036854775808. change (IZR words) with 18446744073709551616. lra.
  Qed.
End Teachers.
