(* Ballots between two candidates: votes for anyone else count nowhere. Lemma 1: when one vote changes, comes or goes, the
   margin moves by at most 1, and the two change places only where both margins are 0. *)
From Coq Require Import Arith ZArith Lia List Bool.
From Fumata Require Import SpecBase SpecBallot Statement Ballot.
Import ListNotations.

Definition near_duels (one two : duel) : Prop :=
  margin one <= margin two + 1 /\ margin two <= margin one + 1 /\
  (named one = named two -> other one = other two) /\
  (named one <> named two -> margin one = 0 /\ margin two = 0 /\ named one = other two /\ other one = named two).

(* What `confront` finds, from two counts. *)
Definition ahead (a b : nat) (v w : nat) : duel :=
  if v <? w then {| named := b; other := a; margin := distance_of_gap (w - v) |}
  else {| named := a; other := b; margin := distance_of_gap (v - w) |}.

Lemma confront_is : forall a b votes, confront a b votes = ahead a b (counts votes a) (counts votes b).
Proof. reflexivity. Qed.

(* One vote moves the difference of two counts by at most 2. *)
Lemma ahead_near : forall a b v w v' w', v + w' <= v' + w + 2 -> v' + w <= v + w' + 2 ->
  near_duels (ahead a b v w) (ahead a b v' w').
Proof.
  intros a b v w v' w' H1 H2. unfold near_duels, ahead.
  destruct (Nat.ltb_spec v w); destruct (Nat.ltb_spec v' w'); cbn [named other margin];
    (* who is ahead, by which gap, on either side *)
    match goal with |- context [distance_of_gap ?g <= distance_of_gap ?g' + 1] =>
      destruct (distance_of_gap_spec g) as [[A1 A2]|[A1 [A2 A3]]];
      destruct (distance_of_gap_spec g') as [[B1 B2]|[B1 [B2 B3]]] end; lia.
Qed.

(* Lemma 1 of any counts, wherever they come from and however many votes they stand for. *)
Theorem lemma_1_duel_counts : forall a b v v', one_apart v v' -> near_duels (ahead a b (v a) (v b)) (ahead a b (v' a) (v' b)).
Proof. intros a b v v' H. pose proof (H a). pose proof (H b). apply ahead_near; lia. Qed.

(* Lemma 1, a vote that changes: also one for neither candidate before, after or both times. *)
Theorem lemma_1_duel : forall a b before after x y,
  near_duels (confront a b (before ++ x :: after)) (confront a b (before ++ y :: after)).
Proof.
  intros a b before after x y. rewrite !confront_is.
  pose proof (counts_moved before after x y a) as Ma. pose proof (counts_moved before after x y b) as Mb.
  destruct (Nat.eq_dec a b) as [->|Hn]; [apply ahead_near; lia|].
  apply ahead_near; destruct (Nat.eqb_spec a x); destruct (Nat.eqb_spec a y); destruct (Nat.eqb_spec b x);
    destruct (Nat.eqb_spec b y); lia.
Qed.

(* A vote for neither candidate is no vote. *)
Theorem neither_is_no_vote : forall a b before after x, x <> a -> x <> b ->
  confront a b (before ++ x :: after) = confront a b (before ++ after).
Proof.
  intros a b before after x Ha Hb. rewrite !confront_is. unfold counts. rewrite !count_occ_app. simpl.
  destruct (Nat.eq_dec x a); [contradiction|]. destruct (Nat.eq_dec x b); [contradiction|]. reflexivity.
Qed.

(* Lemma 1, a vote that comes or goes. *)
Corollary lemma_1_duel_comes : forall a b before after x,
  near_duels (confront a b (before ++ after)) (confront a b (before ++ x :: after)).
Proof.
  intros a b before after x. rewrite <- (neither_is_no_vote a b before after (S (a + b))) by lia. apply lemma_1_duel.
Qed.

(* What the C code promises about two candidates (specs/ballot.acsl), whatever the votes are and however many. *)
Theorem duel_of_counts : forall (classes : nat) (votes : list nat) (tally : list Z) (a b : nat) (w o d : Z),
  (forall y, y < classes -> at_index tally (Z.of_nat y) = Z.of_nat (counts votes y)) ->
  FumataCandidatesOk (Z.of_nat a) (Z.of_nat b) (Z.of_nat classes) ->
  FumataIsDuel tally (Z.of_nat a) (Z.of_nat b) w o d <->
  w = Z.of_nat (named (confront a b votes)) /\ o = Z.of_nat (other (confront a b votes)) /\
  d = Z.of_nat (margin (confront a b votes)).
Proof.
  intros classes votes tally a b w o d C Hab. unfold FumataCandidatesOk in Hab.
  assert (D : forall x y, counts votes y <= counts votes x ->
    FumataIsDistance (Z.of_nat (counts votes x) - Z.of_nat (counts votes y)) d <->
    d = Z.of_nat (distance_of_gap (counts votes x - counts votes y))).
  { intros x y Hxy. unfold FumataIsDistance.
    destruct (distance_of_gap_spec (counts votes x - counts votes y)) as [[A1 A2]|[A1 [A2 A3]]]; lia. }
  pose proof (C a ltac:(lia)) as Ca. pose proof (C b ltac:(lia)) as Cb.
  rewrite confront_is. unfold ahead, FumataIsDuel.
  destruct (Nat.ltb_spec (counts votes a) (counts votes b)) as [H|H]; cbn [named other margin].
  - rewrite <- (D b a ltac:(lia)). split.
    + intros [[[-> [-> E]]|[-> [-> E]]] F]; [lia|]. rewrite Ca, Cb in F. tauto.
    + intros [-> [-> F]]. split; [right; lia|]. rewrite Ca, Cb. exact F.
  - rewrite <- (D a b H). split.
    + intros [[[-> [-> E]]|[-> [-> E]]] F]; [|lia]. rewrite Ca, Cb in F. tauto.
    + intros [-> [-> F]]. split; [left; lia|]. rewrite Ca, Cb. exact F.
Qed.

Theorem duel_is_confront : forall (classes : nat) (votes : list nat) (tally : list Z) (a b : nat) (w o d : Z),
  FumataIsTallyU8 (map Z.of_nat votes) (Z.of_nat (length votes)) tally (Z.of_nat classes) ->
  FumataCandidatesOk (Z.of_nat a) (Z.of_nat b) (Z.of_nat classes) ->
  FumataIsDuel tally (Z.of_nat a) (Z.of_nat b) w o d <->
  w = Z.of_nat (named (confront a b votes)) /\ o = Z.of_nat (other (confront a b votes)) /\
  d = Z.of_nat (margin (confront a b votes)).
Proof.
  intros classes votes tally a b w o d Ht. apply duel_of_counts. intros y Hy.
  rewrite <- count_below_counts. apply (tally_counts classes); assumption.
Qed.

(* Only the two candidates are ever named. *)
Theorem only_candidates : forall a b votes, let f := confront a b votes in
  (named f = a /\ other f = b) \/ (named f = b /\ other f = a).
Proof. intros a b votes. rewrite confront_is. unfold ahead. destruct (_ <? _); simpl; tauto. Qed.
