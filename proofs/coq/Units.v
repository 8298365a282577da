(* From data sets to verdicts and duels. When the rows of one key come, go or change, one teacher of every run changes, whatever
   the words of the runs are. When a key and its rows are exchanged for another key and its rows, one teacher changes
   under a matching of words, so the statement holds when the words are uniform and secret. Nothing here asks that a run
   has teachers, that a teacher votes, or that two runs have anything in common. *)
From Coq Require Import Reals Lra Lia ZArith List Bool Permutation.
From Fumata Require Import Statement Divergence Uniform Game Ballot Duel Coins Session.
Import ListNotations.

(* What no theorem rests on, and a reader does: every word is some teacher's, and every teacher has a word. *)
Lemma place_is_a_teacher : forall k word, (0 <= word < words)%Z -> 0 < k -> place k word < k.
Proof.
  intros k word H Hk. unfold place. assert (P : (0 <= word * Z.of_nat k / words)%Z) by (apply Z.div_pos; lia).
  enough (word * Z.of_nat k / words < Z.of_nat k)%Z by lia. apply Z.div_lt_upper_bound; nia.
Qed.

Lemma teacher_has_a_place : forall k i, i < k -> (Z.of_nat k <= words)%Z ->
  exists word, (0 <= word < words)%Z /\ place k word = i.
Proof.
  intros k i Hi Hk. set (n := Z.of_nat k). set (m := Z.of_nat i). assert (B : (0 <= m < n)%Z) by lia.
  assert (W : (0 < words)%Z) by reflexivity. set (word := ((m * words + (n - 1)) / n)%Z).
  assert (D := Z.div_mod (m * words + (n - 1)) n ltac:(lia)). assert (R := Z.mod_pos_bound (m * words + (n - 1)) n ltac:(lia)).
  fold word in D. assert (L : (m * words <= word * n < m * words + words)%Z) by (unfold n in *; lia).
  exists word. split.
  - split; [apply Z.div_pos; nia|]. apply (Z.mul_lt_mono_pos_r n); nia.
  - unfold place. fold n. rewrite <- (Z.div_unique (word * n) words m (word * n - m * words)); unfold m; lia.
Qed.

(* Words that agree on the other keys, and give x here what they give y there. *)
Lemma differ_chunk : forall key record k (word word' : key -> Z) x y (data data' : list (row key record)),
  word x = word' y -> (forall z, z <> x -> z <> y -> word z = word' z) -> differ x y data data' ->
  forall i, i <> place k (word x) -> chunk k word i data = chunk k word' i data'.
Proof.
  intros key record k word word' x y data data' Hxy Hz H i Hi. unfold chunk.
  induction H as [|z r data data' Nx Ny H IH|r data data' H IH|r data data' H IH]; cbn [filter fst].
  - reflexivity.
  - rewrite <- (Hz z Nx Ny). destruct (place k (word z) =? i); cbn [map fst]; rewrite IH; [|reflexivity].
    rewrite (Hz z Nx Ny). reflexivity.
  - destruct (Nat.eqb_spec (place k (word x)) i); [congruence|exact IH].
  - rewrite <- Hxy. destruct (Nat.eqb_spec (place k (word x)) i); [congruence|exact IH].
Qed.

(* Votes that agree everywhere but at teacher j: one vote is another, or none is. *)
Lemma one_vote : forall (vote vote' : nat -> nat) k j, (forall i, i <> j -> vote i = vote' i) ->
  map vote (seq 0 k) = map vote' (seq 0 k) \/
  exists before after x y, map vote (seq 0 k) = before ++ x :: after /\ map vote' (seq 0 k) = before ++ y :: after.
Proof.
  intros vote vote' k j H.
  assert (M : forall l, ~ In j l -> map vote l = map vote' l).
  { intros l Hl. apply map_ext_in. intros i Hi. apply H. intros E. subst i. contradiction. }
  destruct (lt_dec j k) as [Hj|Hj]; [right|left; apply M; intros Hin; apply in_seq in Hin; lia].
  assert (E : seq 0 k = seq 0 j ++ j :: seq (S j) (k - j - 1)).
  { replace k with (j + S (k - j - 1)) at 1 by lia. rewrite seq_app. reflexivity. }
  exists (map vote (seq 0 j)), (map vote (seq (S j) (k - j - 1))), (vote j), (vote' j).
  rewrite E, !map_app. cbn [map]. split; [reflexivity|].
  rewrite (M (seq 0 j)), (M (seq (S j) (k - j - 1))); [reflexivity| |]; intros Hin; apply in_seq in Hin; lia.
Qed.

(* Two ways to look at the data that one teacher can tell apart. *)
Definition close_sights {query} (look look' : query -> verdict * duel) : Prop :=
  close (views look) (views look') /\ close_faces (faces look) (faces look').

Lemma differ_close : forall key record query (word word' : nat -> key -> Z) x y (data data' : list (row key record)),
  (forall r, word r x = word' r y) -> (forall r z, z <> x -> z <> y -> word r z = word' r z) ->
  differ x y data data' ->
  close_sights (sight (query := query) word data) (sight word' data').
Proof.
  intros key record query word word' x y data data' Hxy Hz H.
  assert (V : forall n k (learn : nat -> list (Z * row key record) -> query -> nat) (q : query),
    let votes w d := map (fun i => learn i (chunk k (w n) i d) q) (seq 0 k) in
    votes word data = votes word' data' \/
    exists before after u v, votes word data = before ++ u :: after /\ votes word' data' = before ++ v :: after).
  { intros n k learn q. apply (one_vote _ _ k (place k (word n x))). intros i Hi.
    rewrite (differ_chunk key record k (word n) (word' n) x y data data'); auto. }
  split; intros [[[n k c learn] q] [a b]]; unfold views, faces, sight; cbn [fst snd];
    destruct (V n k learn q) as [E|[before [after [v [v' [E E']]]]]].
  - rewrite E. lia.
  - rewrite E, E'. apply (lemma_1 c before after v v').
  - rewrite E. repeat split; lia.
  - rewrite E, E'. apply (lemma_1_duel a b before after v v').
Qed.

Theorem units_close : forall key record query (word : nat -> key -> Z) (data data' : list (row key record)),
  neighbours data data' -> close_sights (sight (query := query) word data) (sight word data').
Proof. intros key record query word data data' [x H]. apply (differ_close _ _ _ word word x x); auto. Qed.

Theorem exchanged_close : forall key record query (data data' : worded key record), exchanged data data' ->
  close_sights (sight (query := query) (fst data) (snd data)) (sight (fst data') (snd data')).
Proof. intros key record query data data' [x [y [H [W1 W2]]]]. apply (differ_close _ _ _ _ _ x y); assumption. Qed.

(* Two keys swapped, in the keys and in the words. *)
Definition swap (x y z : nat) : nat := if z =? x then y else if z =? y then x else z.
Definition swap_in (x y : nat) (a : list Z) : list Z := map (fun z => nth (swap x y z) a 0%Z) (seq 0 (length a)).

Lemma swap_lt : forall x y z m, x < m -> y < m -> z < m -> swap x y z < m.
Proof. intros x y z m Hx Hy Hz. unfold swap. destruct (z =? x); [exact Hy|]. destruct (z =? y); assumption. Qed.

Lemma swap_swap : forall x y z, swap x y (swap x y z) = z.
Proof.
  intros x y z. unfold swap.
  destruct (Nat.eqb_spec z x); [|destruct (Nat.eqb_spec z y)].
  - destruct (Nat.eqb_spec y x); [lia|]. rewrite Nat.eqb_refl. lia.
  - rewrite Nat.eqb_refl. lia.
  - destruct (Nat.eqb_spec z x); [lia|]. destruct (Nat.eqb_spec z y); lia.
Qed.

Lemma length_swap_in : forall x y a, length (swap_in x y a) = length a.
Proof. intros x y a. unfold swap_in. rewrite map_length, seq_length. reflexivity. Qed.

Lemma nth_swap_in : forall x y a z, z < length a -> nth z (swap_in x y a) 0%Z = nth (swap x y z) a 0%Z.
Proof.
  intros x y a z Hz. unfold swap_in.
  rewrite (nth_indep _ 0%Z (nth (swap x y 0) a 0%Z)) by (rewrite map_length, seq_length; exact Hz).
  rewrite (map_nth (fun z => nth (swap x y z) a 0%Z)), seq_nth by exact Hz. reflexivity.
Qed.

(* For all runs at once. *)
Definition swap_all (x y : nat) (secret : list (list Z)) : list (list Z) := map (swap_in x y) secret.

Lemma swap_in_tuple : forall x y keys a, x < keys -> y < keys -> In a (tuples (below words) keys) ->
  In (swap_in x y a) (tuples (below words) keys) /\ swap_in x y (swap_in x y a) = a.
Proof.
  intros x y keys a Hx Hy Ha. apply in_tuples in Ha. destruct Ha as [L I]. split.
  - apply in_tuples. split; [rewrite length_swap_in; exact L|].
    intros t Ht. unfold swap_in in Ht. apply in_map_iff in Ht. destruct Ht as [z [<- Hz]].
    apply in_seq in Hz. apply I. apply nth_In. apply swap_lt; lia.
  - apply nth_ext with (d := 0%Z) (d' := 0%Z); [rewrite !length_swap_in; reflexivity|].
    intros z Hz. rewrite !length_swap_in in Hz. rewrite nth_swap_in by (rewrite length_swap_in; exact Hz).
    rewrite nth_swap_in by (apply swap_lt; lia). rewrite swap_swap. reflexivity.
Qed.

Lemma nodup_below : forall n, NoDup (below n).
Proof.
  intros n. unfold below. apply nodup_map; [apply seq_NoDup|]. intros x y _ _ E. lia.
Qed.

Lemma swap_all_permutes : forall x y keys runs, x < keys -> y < keys ->
  Permutation (map (swap_all x y) (secrets keys runs)) (secrets keys runs).
Proof.
  intros x y keys runs Hx Hy. apply involution_permutes.
  - apply nodup_tuples, nodup_tuples, nodup_below.
  - intros s Hs. apply in_tuples in Hs. destruct Hs as [L I]. apply in_tuples. unfold swap_all.
    split; [rewrite map_length; exact L|]. intros a Ha. apply in_map_iff in Ha. destruct Ha as [b [<- Hb]].
    exact (proj1 (swap_in_tuple x y keys b Hx Hy (I b Hb))).
  - intros s Hs. apply in_tuples in Hs. destruct Hs as [L I]. unfold swap_all. rewrite map_map.
    rewrite <- (map_id s) at 2. apply map_ext_in. intros a Ha. exact (proj2 (swap_in_tuple x y keys a Hx Hy (I a Ha))).
Qed.

Lemma word_of_swapped : forall x y secret r z, word_of (swap_all x y secret) r z = nth z (swap_in x y (nth r secret
  [])) 0%Z.
Proof. intros x y secret r z. unfold word_of, swap_all. change (@nil Z) with (swap_in x y []) at 1. rewrite map_nth.
reflexivity. Qed.

Lemma word_of_swap : forall x y keys runs secret, x < keys -> y < keys -> In secret (secrets keys runs) ->
  (forall r, word_of secret r x = word_of (swap_all x y secret) r y) /\
  (forall r z, z <> x -> z <> y -> word_of secret r z = word_of (swap_all x y secret) r z).
Proof.
  intros x y keys runs secret Hx Hy Hs. apply in_tuples in Hs. destruct Hs as [L I].
  assert (Len : forall r, length (nth r secret []) = keys \/ nth r secret [] = []).
  { intros r. destruct (lt_dec r (length secret)) as [H|H]; [left|right; apply nth_overflow; lia].
    apply (nth_In _ []) in H. apply I in H. apply in_tuples in H. exact (proj1 H). }
  split; intros r.
  - rewrite word_of_swapped. unfold word_of. destruct (Len r) as [E| ->]; [|destruct x, y; reflexivity].
    rewrite nth_swap_in by lia. unfold swap. destruct (Nat.eqb_spec y x); [congruence|]. rewrite Nat.eqb_refl.
    reflexivity.
  - intros z Nx Ny. rewrite word_of_swapped. unfold word_of.
    destruct (lt_dec z (length (nth r secret []))) as [H|H].
    + rewrite nth_swap_in by exact H. unfold swap.
      destruct (Nat.eqb_spec z x); [contradiction|]. destruct (Nat.eqb_spec z y); [contradiction|reflexivity].
    + rewrite !nth_overflow by (rewrite ?length_swap_in; lia). reflexivity.
Qed.

Lemma secrets_nonempty : forall keys runs, secrets keys runs <> [].
Proof. intros keys runs. apply tuples_not_nil, tuples_not_nil, words_nonempty. Qed.

(* Whatever is private for words and data that are exchanged together is private for data, over secret words. The two
   sides may be near in some other way, if a swap of two keys in the words makes them so. *)
Theorem words_mixed : forall record keys runs A (near : worded nat record -> worded nat record -> Prop)
  (release : worded nat record -> law A) epsilon delta x y data data', x < keys -> y < keys ->
  (forall d d', near d d' -> within epsilon delta (release d) (release d')) ->
  (forall secret, In secret (secrets keys runs) ->
     near (word_of secret, data) (word_of (swap_all x y secret), data')) ->
  within epsilon delta (mixture (secrets keys runs) (fun secret => release (word_of secret, data)))
    (mixture (secrets keys runs) (fun secret => release (word_of secret, data'))).
Proof.
  intros record keys runs A near release epsilon delta x y data data' Hx Hy Hr Hn.
  apply within_mixture with (match_with := swap_all x y);
    [apply secrets_nonempty|apply swap_all_permutes; assumption|].
  intros secret Hs. apply Hr, Hn, Hs.
Qed.

Theorem exchanged_mixed : forall record keys runs A (release : worded nat record -> law A) epsilon delta,
  (forall d d', exchanged d d' -> within epsilon delta (release d) (release d')) ->
  forall data data', neighbours_any keys data data' ->
  within epsilon delta (mixture (secrets keys runs) (fun secret => release (word_of secret, data)))
    (mixture (secrets keys runs) (fun secret => release (word_of secret, data'))).
Proof.
  intros record keys runs A release epsilon delta Hr data data' [x [y [Hx [Hy H]]]].
  apply (words_mixed record keys runs A exchanged release epsilon delta x y data data' Hx Hy Hr).
  intros secret Hs. exists x, y. split; [exact H|]. exact (word_of_swap x y keys runs secret Hx Hy Hs).
Qed.

(* Whatever is private for close sights is private for data, with one unit added, removed, changed or exchanged. *)
Theorem units_mixed : forall record query keys runs A
  (release : (question nat record query -> verdict * duel) -> law A) epsilon delta,
  (forall look look', close_sights look look' -> within epsilon delta (release look) (release look')) ->
  forall data data', neighbours_any keys data data' ->
  within epsilon delta (mixture (secrets keys runs) (fun secret => release (sight (word_of secret) data)))
    (mixture (secrets keys runs) (fun secret => release (sight (word_of secret) data'))).
Proof.
  intros record query keys runs A release epsilon delta Hr.
  apply (exchanged_mixed record keys runs A (fun d => release (sight (fst d) (snd d)))).
  intros d d' H. apply Hr, exchanged_close, H.
Qed.
