(* Coins: meter and toll as a deterministic function of uniform 64-bit words, one word a move, as the C code computes it.
   The number of words that mean silence, or name the winner, is the entry of the table, so this transcript has the law
   of Game.v. *)
From Coq Require Import Reals Lra Lia Psatz ZArith List Bool.
From Fumata Require Import Statement Divergence Uniform Meter.
Import ListNotations.

Section Play.
  Variables coin query : Type.
  Variable silent_coin : nat -> coin -> bool.
  Variable named_coin : nat -> coin -> bool.
  Variable next : adversary query.
  Variable lost : transcript -> nat * nat.
  Variable view : query -> verdict.
  Variable face : query -> duel.

  (* The transcript that the coins decide; a move uses up one coin whether it needs it or not. *)
  Fixpoint play (coins : list coin) (c l : nat) (seen : transcript) : transcript :=
    match coins with
    | [] => seen
    | u :: others =>
        match next seen, c, l with
        | Stop, _, _ => seen
        | Act _ _, _, _ => let (i, j) := lost seen in play others (c - i) (l - j) (Noted :: seen)
        | Ask q, S rest, _ =>
            if silent_coin (distance (view q)) u
            then play others rest l (Silent :: seen)
            else play others c l (Label (winner (view q)) :: seen)
        | Buy q, _, S rest =>
            let named_one := if named_coin (margin (face q)) u then named (face q) else other (face q) in
            play others c rest (Label named_one :: seen)
        | _, _, _ => play others c l (Noted :: seen)
        end
    end.
End Play.
Arguments play {coin query}.

Local Open Scope R_scope.

Lemma sum_if : forall A (b : A -> bool) (x y : R) l,
  sum (fun u => if b u then x else y) l =
  INR (length (filter b l)) * x + (INR (length l) - INR (length (filter b l))) * y.
Proof.
  induction l as [|u l IH]; [simpl; lra|]. simpl sum. rewrite IH. simpl filter.
  destruct (b u); simpl length; rewrite !S_INR; lra.
Qed.

(* Coins drawn uniformly from any finite set give the law of the game, whose probabilities are the shares of the coins
   that mean silence, or name the winner. *)
Lemma play_law : forall coin query (coins : list coin) is_silent is_named p w (next : adversary query) lost view face S,
  coins <> [] ->
  (forall d, p d = INR (length (filter (is_silent d) coins)) / INR (length coins)) ->
  (forall d, w d = INR (length (filter (is_named d) coins)) / INR (length coins)) ->
  forall n c l seen,
  Pr (uniform (tuples coins n)) (fun us => S (play is_silent is_named next lost view face us c l seen)) =
  Pr (joint_game p w next lost view face n c l seen) S.
Proof.
  intros coin query coins is_silent is_named p w next lost view face S Hne Hp Hw n.
  assert (HN : 0 < INR (length coins)).
  { apply lt_0_INR. destruct coins; [contradiction|]. simpl. lia. }
  assert (Hconst : forall m (b : bool), Pr (uniform (tuples coins m)) (fun _ => b) = if b then 1 else 0).
  { intros m b. rewrite Pr_uniform.
    assert (0 < INR (length (tuples coins m))) by (apply lt_0_INR, tuples_nonempty; exact Hne).
    destruct b; rewrite sum_const; field; lra. }
  assert (Two : forall (b : coin -> bool) (x y r : R), r = INR (length (filter b coins)) / INR (length coins) ->
    / INR (length coins) * sum (fun u => if b u then x else y) coins = r * x + (1 - r) * y).
  { intros b x y r ->. rewrite sum_if. field. lra. }
  unfold joint_game. induction n as [|n IH]; intros c l seen.
  { rewrite Pr_uniform. simpl. rewrite Rinv_1. destruct (S seen); lra. }
  assert (Same : forall c l seen, / INR (length coins) * sum (fun _ => Pr (uniform (tuples coins n))
      (fun us => S (play is_silent is_named next lost view face us c l seen))) coins =
    Pr (game query R 1 Rmult p (fun d => 1 - p d) w (fun d => 1 - w d) next lost view face n c l seen) S).
  { intros c' l' seen'. rewrite sum_const, IH. field. lra. }
  rewrite Pr_tuples by exact Hne. cbn [game play]. destruct (next seen) as [q|q|i j|].
  - destruct c as [|c]; [apply Same|].
    change (weigh R Rmult) with (@scale transcript). rewrite Pr_app, !Pr_scale, <- !IH, <- (Two _ _ _ _ (Hp _)). f_equal.
    apply sum_ext. intros u _. destruct (is_silent (distance (view q)) u); reflexivity.
  - destruct l as [|l]; [destruct c; apply Same|].
    change (weigh R Rmult) with (@scale transcript). rewrite Pr_app, !Pr_scale, <- !IH, <- (Two _ _ _ _ (Hw _)). f_equal.
    apply sum_ext. intros u _. destruct c; destruct (is_named (margin (face q)) u); reflexivity.
  - destruct (lost seen) as [s a]. apply Same.
  - rewrite sum_const, Hconst. simpl. destruct (S seen); field; lra.
Qed.

Lemma length_below : forall n, length (below n) = Z.to_nat n.
Proof. intros n. unfold below. rewrite map_length, seq_length. reflexivity. Qed.

Lemma in_below : forall n u, In u (below n) <-> (0 <= u < n)%Z.
Proof.
  intros n u. unfold below. rewrite in_map_iff. split.
  - intros [x [<- Hx]]. apply in_seq in Hx. lia.
  - intros H. exists (Z.to_nat u). split; [lia|]. apply in_seq. lia.
Qed.

Lemma filter_all : forall A (b : A -> bool) l, (forall x, In x l -> b x = true) -> filter b l = l.
Proof.
  induction l as [|x l IH]; intros H; simpl; [reflexivity|].
  rewrite (H x (or_introl eq_refl)), IH; [reflexivity|]. intros y Hy. apply H. right. exact Hy.
Qed.

Lemma filter_none : forall A (b : A -> bool) l, (forall x, In x l -> b x = false) -> filter b l = [].
Proof.
  induction l as [|x l IH]; intros H; simpl; [reflexivity|].
  rewrite (H x (or_introl eq_refl)). apply IH. intros y Hy. apply H. right. exact Hy.
Qed.

(* How many words are below s. *)
Lemma count_below : forall n s, (0 <= s <= n)%Z -> length (filter (fun u => (u <? s)%Z) (below n)) = Z.to_nat s.
Proof.
  intros n s Hs. unfold below.
  replace (Z.to_nat n) with (Z.to_nat s + (Z.to_nat n - Z.to_nat s))%nat by lia.
  rewrite seq_app, map_app, filter_app, app_length.
  rewrite filter_all, filter_none.
  - simpl. rewrite map_length, seq_length. lia.
  - intros u Hu. apply in_map_iff in Hu. destruct Hu as [x [<- Hx]]. apply in_seq in Hx. apply Z.ltb_ge. lia.
  - intros u Hu. apply in_map_iff in Hu. destruct Hu as [x [<- Hx]]. apply in_seq in Hx. apply Z.ltb_lt. lia.
Qed.

(* Every entry counts some words, not more than there are. *)
Definition in_range (table : list Z) : Prop := forall d, (1 <= d)%nat -> (0 <= entry table d <= words)%Z.

Lemma words_pos : (0 < words)%Z.
Proof. reflexivity. Qed.

Lemma words_nonempty : below words <> [].
Proof. intros E. pose proof (length_below words) as L. rewrite E in L. pose proof words_pos. simpl length in L. lia.
Qed.

Lemma tuples_not_nil : forall A (alphabet : list A) n, alphabet <> [] -> tuples alphabet n <> [].
Proof. intros A alphabet n H E. pose proof (tuples_nonempty A alphabet n H) as N. rewrite E in N. simpl in N. lia. Qed.

Theorem silent_words_count : forall table d, in_range table ->
  length (filter (is_silent table d) (below words)) = Z.to_nat (silent_words table d).
Proof.
  intros table d H. unfold silent_words, is_silent. destruct (d =? 0)%nat eqn:E.
  - rewrite filter_all by reflexivity. apply length_below.
  - apply Nat.eqb_neq in E. apply count_below. apply H. lia.
Qed.

Theorem named_words_count : forall table d, in_range table ->
  length (filter (is_named table d) (below words)) = Z.to_nat (named_words table d).
Proof.
  intros table d H. unfold named_words, is_named. destruct (d =? 0)%nat eqn:E; apply count_below.
  - unfold words. lia.
  - apply Nat.eqb_neq in E. apply H. lia.
Qed.

(* The winner of a tie, of two candidates as close as can be, is named by exactly half of the words. *)
Theorem tie_is_fair : forall table, naming table 0 = 1 / 2.
Proof. intros table. unfold naming, named_words, words. simpl. lra. Qed.

Lemma share_of_words : forall n, (0 <= n)%Z -> IZR n / IZR words = INR (Z.to_nat n) / INR (length (below words)).
Proof.
  intros n H. rewrite length_below, !INR_IZR_INZ, !Z2Nat.id; [reflexivity|pose proof words_pos; lia|exact H].
Qed.

Lemma silence_is_share_of_words : forall table d, in_range table ->
  silence table d = INR (length (filter (is_silent table d) (below words))) / INR (length (below words)).
Proof.
  intros table d H. unfold silence. rewrite (silent_words_count table d H). apply share_of_words. unfold silent_words.
  destruct (d =? 0)%nat eqn:E; [pose proof words_pos; lia|]. apply Nat.eqb_neq in E. apply H. lia.
Qed.

Lemma naming_is_share_of_words : forall table d, in_range table ->
  naming table d = INR (length (filter (is_named table d) (below words))) / INR (length (below words)).
Proof.
  intros table d H. unfold naming. rewrite (named_words_count table d H). apply share_of_words. unfold named_words.
  destruct (d =? 0)%nat eqn:E; [lia|]. apply Nat.eqb_neq in E. apply H. lia.
Qed.

(* What the program releases: n words are drawn uniformly, the rest is the deterministic machine. *)
Definition released {query} (table toll : list Z) (limit answers n : nat) (next : adversary query) lost
  (view : query -> verdict) (face : query -> duel) : law transcript :=
  post (fun us => play (is_silent table) (is_named toll) next lost view face us limit answers [])
    (uniform (tuples (below words) n)).

Theorem released_is_budget : forall query table toll limit answers n (next : adversary query) lost view face S,
  in_range table -> in_range toll ->
  Pr (released table toll limit answers n next lost view face) S =
  Pr (budget_law table toll limit answers n next lost view face) S.
Proof.
  intros query table toll limit answers n next lost view face S H H'. unfold released. rewrite Pr_post.
  apply play_law; [exact words_nonempty|intros d; apply silence_is_share_of_words; exact H|
    intros d; apply naming_is_share_of_words; exact H'].
Qed.

Corollary released_within : forall query table toll limit answers n (next : adversary query) lost view view' face face'
  epsilon delta, in_range table -> in_range toll ->
  within epsilon delta (budget_law table toll limit answers n next lost view face)
    (budget_law table toll limit answers n next lost view' face') ->
  within epsilon delta (released table toll limit answers n next lost view face)
    (released table toll limit answers n next lost view' face').
Proof.
  intros query table toll limit answers n next lost view view' face face' epsilon delta H H' W S.
  rewrite !released_is_budget by assumption. apply W.
Qed.

(* A table that sells nothing. *)
Lemma empty_in_range : in_range [].
Proof. intros d _. unfold entry, words. destruct (Nat.min d (length [])  - 1)%nat; simpl; lia. Qed.
