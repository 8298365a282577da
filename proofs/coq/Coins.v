(* Coins: the meter as a deterministic function of uniform 64-bit words, one word a move, as the C code computes it.
   The number of words that mean silence is the entry of the table, so this transcript has the law of Meter.v. *)
From Coq Require Import Reals Lra Lia Psatz ZArith List Bool.
From Fumata Require Import Statement Divergence Uniform Meter.
Import ListNotations.

Section Play.
  Variables coin query : Type.
  Variable silent_coin : nat -> coin -> bool.
  Variable next : adversary query.
  Variable view : query -> verdict.

  (* The transcript that the coins decide; a move uses up one coin whether it needs it or not. *)
  Fixpoint play (coins : list coin) (c : nat) (seen : transcript) : transcript :=
    match coins, c with
    | [], _ => seen
    | _, O => seen
    | u :: others, S rest =>
        match next seen with
        | Stop => seen
        | Lose => play others rest (Lost :: seen)
        | Ask q =>
            if silent_coin (distance (view q)) u
            then play others rest (Silent :: seen)
            else play others (S rest) (Label (winner (view q)) :: seen)
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

(* Coins drawn uniformly from any finite set give the law of the game, whose probability of silence is the share of
   the coins that mean silence. *)
Lemma play_law : forall coin query (coins : list coin) is_silent p (next : adversary query) view S,
  coins <> [] ->
  (forall d, p d = INR (length (filter (is_silent d) coins)) / INR (length coins)) ->
  forall n c seen,
  Pr (uniform (tuples coins n)) (fun us => S (play is_silent next view us c seen)) =
  Pr (game query R 1 Rmult p (fun d => 1 - p d) next view n c seen) S.
Proof.
  intros coin query coins is_silent p next view S Hne Hp n.
  assert (HN : 0 < INR (length coins)).
  { apply lt_0_INR. destruct coins; [contradiction|]. simpl. lia. }
  assert (Hconst : forall m (b : bool), Pr (uniform (tuples coins m)) (fun _ => b) = if b then 1 else 0).
  { intros m b. rewrite Pr_uniform.
    assert (0 < INR (length (tuples coins m))) by (apply lt_0_INR, tuples_nonempty; exact Hne).
    destruct b; rewrite sum_const; field; lra. }
  induction n as [|n IH]; intros c seen.
  { rewrite Pr_uniform. simpl. rewrite Rinv_1. destruct (S seen); lra. }
  destruct c as [|c].
  { simpl game. simpl Pr at 2. rewrite Rplus_0_r.
    rewrite <- (Hconst (Datatypes.S n) (S seen)), !Pr_uniform. f_equal. apply sum_ext.
    intros us _. destruct us; reflexivity. }
  rewrite Pr_tuples by exact Hne. simpl game. simpl play.
  destruct (next seen) as [q| |].
  - change (weigh R Rmult) with (@scale transcript). rewrite Pr_app, !Pr_scale, <- !IH.
    set (X := Pr (uniform (tuples coins n)) (fun us => S (play is_silent next view us c (Silent :: seen)))).
    set (Y := Pr (uniform (tuples coins n))
      (fun us => S (play is_silent next view us (Datatypes.S c) (Label (winner (view q)) :: seen)))).
    rewrite (sum_ext _ _ (fun u => if is_silent (distance (view q)) u then X else Y)).
    + rewrite sum_if, Hp. field. lra.
    + intros u _. destruct (is_silent (distance (view q)) u); reflexivity.
  - rewrite sum_const, IH. field. lra.
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

(* What the program releases: n words are drawn uniformly, the rest is the deterministic machine. *)
Definition released {query} (table : list Z) (limit n : nat) (next : adversary query) (view : query -> verdict)
  : law transcript :=
  post (fun us => play (is_silent table) next view us limit []) (uniform (tuples (below words) n)).

Theorem released_is_meter : forall query table limit n (next : adversary query) view S, in_range table ->
  Pr (released table limit n next view) S = Pr (meter_law table limit n next view) S.
Proof.
  intros query table limit n next view S H. unfold released. rewrite Pr_post. apply play_law.
  - intros E. pose proof (length_below words) as L. rewrite E in L. pose proof words_pos. simpl length in L. lia.
  - intros d. rewrite (silent_words_count table d H), length_below. unfold silence. rewrite !INR_IZR_INZ.
    rewrite !Z2Nat.id; [reflexivity|pose proof words_pos; lia|].
    unfold silent_words. destruct (d =? 0)%nat eqn:E; [pose proof words_pos; lia|].
    apply Nat.eqb_neq in E. apply H. lia.
Qed.

Corollary released_within : forall query table limit n (next : adversary query) view view' epsilon delta,
  in_range table ->
  within epsilon delta (meter_law table limit n next view) (meter_law table limit n next view') ->
  within epsilon delta (released table limit n next view) (released table limit n next view').
Proof. intros query table limit n next view view' epsilon delta H W S. rewrite !released_is_meter by exact H. apply W.
Qed.
