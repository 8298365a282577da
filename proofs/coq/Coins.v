(* Coins: meter and toll as a deterministic function of uniform 64-bit words, one word a turn, as the C code computes
   it. The number of words behind an answer is the entry of a table, so this transcript has the law of Game.v. *)
From Coq Require Import Reals Lra Lia Psatz ZArith List Bool.
From Fumata Require Import Statement Divergence Uniform Game.
Import ListNotations.

Section Play.
  Variables coin query : Type.
  Variable silent_coin : nat -> coin -> bool.
  Variable named_coin : nat -> coin -> bool.
  Variable next : strategy query.
  Variable view : query -> verdict.
  Variable face : query -> duel.

  (* The transcript that the coins decide; a turn uses up one coin whether it needs it or not. *)
  Fixpoint play (coins : list coin) (c l : nat) (seen : transcript) : transcript :=
    match coins with
    | [] => seen
    | u :: others =>
        match next seen with
        | Leave => seen
        | Forfeit s a => play others (c - s) (l - a) (Noted :: seen)
        | Meter q =>
            match c with
            | O => seen
            | S rest => if silent_coin (distance (view q)) u
                        then play others rest l (Silent :: seen)
                        else play others c l (Label (winner (view q)) :: seen)
            end
        | Toll q =>
            match l with
            | O => seen
            | S rest => play others c rest
                (Label (if named_coin (margin (face q)) u then named (face q) else other (face q)) :: seen)
            end
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
   that mean silence, and that name the candidate that is ahead. *)
Lemma play_law : forall coin query (coins : list coin) is_silent is_named p w (next : strategy query) view face S,
  coins <> [] ->
  (forall d, p d = INR (length (filter (is_silent d) coins)) / INR (length coins)) ->
  (forall d, w d = INR (length (filter (is_named d) coins)) / INR (length coins)) ->
  forall n c l seen,
  Pr (uniform (tuples coins n)) (fun us => S (play is_silent is_named next view face us c l seen)) =
  Pr (joint_game p w next view face n c l seen) S.
Proof.
  intros coin query coins is_silent is_named p w next view face S Hne Hp Hw n.
  assert (HN : 0 < INR (length coins)).
  { apply lt_0_INR. destruct coins; [contradiction|]. simpl. lia. }
  assert (Hconst : forall m (b : bool), Pr (uniform (tuples coins m)) (fun _ => b) = if b then 1 else 0).
  { intros m b. rewrite Pr_uniform.
    assert (0 < INR (length (tuples coins m))) by (apply lt_0_INR, tuples_nonempty; exact Hne).
    destruct b; rewrite sum_const; field; lra. }
  assert (End : forall m (f : list coin -> transcript) seen, (forall us, f us = seen) ->
    Pr (uniform (tuples coins m)) (fun us => S (f us)) = Pr [(seen, 1)] S).
  { intros m f seen E. simpl. rewrite Rplus_0_r, <- (Hconst m), !Pr_uniform. f_equal. apply sum_ext. intros us _.
    rewrite E. reflexivity. }
  unfold joint_game. change (weigh R Rmult) with (@scale transcript).
  induction n as [|n IH]; intros c l seen; [rewrite Pr_uniform; simpl; rewrite Rinv_1; destruct (S seen); lra|].
  cbn [game]. change (weigh R Rmult) with (@scale transcript).
  destruct (next seen) as [q|q|s a|] eqn:N.
  - destruct c as [|c]; [apply End; intros [|u us]; [reflexivity|]; cbn [play]; rewrite N; reflexivity|].
    rewrite Pr_tuples by exact Hne. cbn [play]. rewrite N, Pr_app, !Pr_scale, <- !IH.
    rewrite (sum_ext _ _ (fun u => if is_silent (distance (view q)) u
      then Pr (uniform (tuples coins n)) (fun us => S (play is_silent is_named next view face us c l (Silent :: seen)))
      else Pr (uniform (tuples coins n)) (fun us => S (play is_silent is_named next view face us (Datatypes.S c) l
        (Label (winner (view q)) :: seen)))))
      by (intros u _; destruct (is_silent (distance (view q)) u); reflexivity).
    rewrite sum_if, Hp. field. lra.
  - destruct l as [|l]; [apply End; intros [|u us]; [reflexivity|]; cbn [play]; rewrite N; reflexivity|].
    rewrite Pr_tuples by exact Hne. cbn [play]. rewrite N, Pr_app, !Pr_scale, <- !IH.
    rewrite (sum_ext _ _ (fun u => if is_named (margin (face q)) u
      then Pr (uniform (tuples coins n)) (fun us => S (play is_silent is_named next view face us c l
        (Label (named (face q)) :: seen)))
      else Pr (uniform (tuples coins n)) (fun us => S (play is_silent is_named next view face us c l
        (Label (other (face q)) :: seen)))))
      by (intros u _; destruct (is_named (margin (face q)) u); reflexivity).
    rewrite sum_if, Hw. field. lra.
  - rewrite Pr_tuples by exact Hne. cbn [play]. rewrite N, sum_const, IH. field. lra.
  - apply End. intros [|u us]; [reflexivity|]. cbn [play]. rewrite N. reflexivity.
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

Lemma words_pos : (0 < words)%Z.
Proof. reflexivity. Qed.

(* Every entry counts some words, not more than there are. *)
Definition in_range (table : list Z) : Prop := forall d, (1 <= d)%nat -> (0 <= entry table d <= words)%Z.

(* A machine that is never asked has an empty table. *)
Lemma empty_in_range : in_range [].
Proof. intros d _. unfold entry. destruct (Nat.min d (length (@nil Z)) - 1)%nat; pose proof words_pos; simpl nth; lia. Qed.

(* How many words mean silence at distance d, at distance 0 all of them; and name who is ahead, at margin 0 half of them. *)
Definition silent_words (table : list Z) (d : nat) : Z := if (d =? 0)%nat then words else entry table d.
Definition naming_words (table : list Z) (d : nat) : Z := if (d =? 0)%nat then (2 ^ 63)%Z else entry table d.
Definition silence (table : list Z) (d : nat) : R := IZR (silent_words table d) / IZR words.
Definition naming (table : list Z) (d : nat) : R := IZR (naming_words table d) / IZR words.

Lemma words_nonempty : below words <> [].
Proof. intros E. pose proof (length_below words) as L. rewrite E in L. pose proof words_pos. simpl length in L. lia.
Qed.

Lemma tuples_not_nil : forall A (alphabet : list A) n, alphabet <> [] -> tuples alphabet n <> [].
Proof. intros A alphabet n H E. pose proof (tuples_nonempty A alphabet n H) as N. rewrite E in N. simpl in N. lia. Qed.

Lemma share_below : forall (b : Z -> bool) s, (0 <= s <= words)%Z -> (forall u, In u (below words) -> b u = (u <? s)%Z) ->
  IZR s / IZR words = INR (length (filter b (below words))) / INR (length (below words)).
Proof.
  intros b s Hs Hb. rewrite (filter_ext_in _ _ _ Hb), count_below, length_below, !INR_IZR_INZ by exact Hs.
  rewrite !Z2Nat.id; [reflexivity|pose proof words_pos; lia|lia].
Qed.

Theorem silence_share : forall table d, in_range table ->
  silence table d = INR (length (filter (is_silent table d) (below words))) / INR (length (below words)).
Proof.
  intros table d H. unfold silence. pose proof words_pos. apply share_below.
  - unfold silent_words. destruct (Nat.eqb_spec d 0); [lia|]. apply H. lia.
  - intros u Hu. pose proof (proj1 (in_below words u) Hu) as B. clear Hu. unfold is_silent, silent_words. destruct (Nat.eqb_spec d 0); [|reflexivity].
    symmetry. apply Z.ltb_lt. lia.
Qed.

Theorem naming_share : forall table d, in_range table ->
  naming table d = INR (length (filter (is_named table d) (below words))) / INR (length (below words)).
Proof.
  intros table d H. unfold naming. apply share_below; [|intros u _; reflexivity].
  unfold naming_words. destruct (Nat.eqb_spec d 0); [split; discriminate|]. apply H. lia.
Qed.

(* What the program releases: n words are drawn uniformly, the rest is the deterministic machine. *)
Theorem released_is_joint : forall query silences answers limit sold n (next : strategy query) view face S,
  in_range silences -> in_range answers ->
  Pr (post (fun us => play (is_silent silences) (is_named answers) next view face us limit sold [])
        (uniform (tuples (below words) n))) S =
  Pr (joint_law (silence silences) (naming answers) limit sold n next view face) S.
Proof.
  intros. rewrite Pr_post. apply play_law; [apply words_nonempty| |].
  - intros d. apply silence_share. assumption.
  - intros d. apply naming_share. assumption.
Qed.
