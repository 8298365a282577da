(* What the core computes beside the machines is what the theorems speak of: which rows are in which chunk. *)
From Coq Require Import ZArith List Bool Lia.
From Fumata Require Import SpecBase SpecPartition Statement.
Import ListNotations.

(* 1. The teacher of a word. *)
Theorem teacher_is_place : forall t k word, (0 <= word)%Z ->
  FumataIsTeacher t word (Z.of_nat k) <-> t = Z.of_nat (place k word).
Proof.
  intros t k word Hw. unfold FumataIsTeacher, place, words. change (2 ^ 64)%Z with 18446744073709551616%Z.
  assert (P : (0 <= word * Z.of_nat k / 18446744073709551616)%Z) by (apply Z.div_pos; nia).
  rewrite Z2Nat.id by exact P. split.
  - intros [L U]. apply (Z.div_unique _ _ _ (word * Z.of_nat k - t * 18446744073709551616)); lia.
  - intros ->. pose proof (Z.div_mod (word * Z.of_nat k) 18446744073709551616).
    pose proof (Z.mod_pos_bound (word * Z.of_nat k) 18446744073709551616). lia.
Qed.

(* 2. Chunks. The numbers of those among the first m records whose owner is t. *)
Definition numbers (owner : list Z) (t : Z) (m : nat) : list nat :=
  filter (fun i => (owner.[Z.of_nat i] =? t)%Z) (seq 0 m).

Lemma numbers_more : forall owner t m, numbers owner t (S m) =
  numbers owner t m ++ if (owner.[Z.of_nat m] =? t)%Z then [m] else [].
Proof. intros. unfold numbers. rewrite seq_S, filter_app. cbn [filter]. reflexivity. Qed.

Lemma below_more : forall owner t m, FumataBelow owner (Z.of_nat (S m)) t =
  (FumataBelow owner (Z.of_nat m) t + if owner.[Z.of_nat m] <? t then 1 else 0)%Z.
Proof.
  intros. rewrite FumataBelow_acsl. destruct (Z.leb_spec (Z.of_nat (S m)) 0); [lia|].
  replace (Z.of_nat (S m) - 1)%Z with (Z.of_nat m) by lia. reflexivity.
Qed.

Lemma pupils_are_numbers : forall owner t m, FumataPupils owner (Z.of_nat m) t = Z.of_nat (length (numbers owner t m)).
Proof.
  intros owner t m. unfold FumataPupils. induction m as [|m IH].
  { assert (N : forall s, FumataBelow owner (Z.of_nat 0) s = 0%Z) by (intros; rewrite FumataBelow_acsl; reflexivity).
    rewrite !N. reflexivity. }
  rewrite numbers_more, app_length, !below_more.
  destruct (Z.ltb_spec owner.[Z.of_nat m] (t + 1)); destruct (Z.ltb_spec owner.[Z.of_nat m] t);
    destruct (Z.eqb_spec owner.[Z.of_nat m] t); cbn [length]; lia.
Qed.

(* What the places of teacher t hold. *)
Definition held (start record : list Z) (t : nat) : list nat :=
  map (fun j => Z.to_nat record.[start.[Z.of_nat t] + Z.of_nat j])
      (seq 0 (Z.to_nat (start.[Z.of_nat (S t)] - start.[Z.of_nat t]))).

Lemma held_are_numbers : forall owner n k start record t, t < k ->
  FumataAreStarts owner (Z.of_nat n) (Z.of_nat k) start -> FumataAreChunks owner (Z.of_nat n) (Z.of_nat k) record ->
  held start record t = numbers owner (Z.of_nat t) n.
Proof.
  intros owner n k start record t Ht Hs Hc. unfold held. rewrite !Hs by lia.
  replace (FumataBelow owner (Z.of_nat n) (Z.of_nat (S t)) - FumataBelow owner (Z.of_nat n) (Z.of_nat t))%Z
    with (FumataPupils owner (Z.of_nat n) (Z.of_nat t)) by (unfold FumataPupils; do 2 f_equal; lia).
  assert (G : forall m, m <= n -> map (fun j => Z.to_nat record.[FumataBelow owner (Z.of_nat n) (Z.of_nat t) + Z.of_nat j])
    (seq 0 (length (numbers owner (Z.of_nat t) m))) = numbers owner (Z.of_nat t) m).
  { induction m as [|m IH]; intros Hm; [reflexivity|]. rewrite numbers_more. specialize (IH ltac:(lia)).
    destruct (Z.eqb_spec owner.[Z.of_nat m] (Z.of_nat t)) as [E|E]; [|rewrite app_nil_r; exact IH].
    rewrite app_length, Nat.add_1_r, seq_S, map_app, IH. f_equal. cbn [map Nat.add]. f_equal.
    specialize (Hc (Z.of_nat m) ltac:(lia)). unfold FumataIsPlaced, FumataPlace in Hc.
    rewrite E, pupils_are_numbers in Hc. rewrite Hc. apply Nat2Z.id. }
  rewrite pupils_are_numbers, Nat2Z.id. apply G. lia.
Qed.

Section Chunks.
Variables (key record : Type) (k : nat) (word : key -> Z) (keeps : key -> bool) (data : list (row key record)).
Hypothesis is_word : forall z, (0 <= word z < words)%Z.
Hypothesis not_nobody : (Z.of_nat k <= FUMATA_PARTITION_NOBODY)%Z.

Definition is_pupil (t : nat) (r : row key record) : bool := keeps (fst r) && (place k (word (fst r)) =? t).

Lemma owners_are_places : forall keep owner i r t, t < k ->
  (forall j s, nth_error data j = Some s -> (keep.[Z.of_nat j] =? 0)%Z = negb (keeps (fst s))) ->
  FumataAreOwners (map (fun s => word (fst s)) data) keep (Z.of_nat (length data)) (Z.of_nat k) owner ->
  nth_error data i = Some r -> (owner.[Z.of_nat i] =? Z.of_nat t)%Z = is_pupil t r.
Proof.
  intros keep owner i r t Ht Hk Ho Hi. assert (L : i < length data) by (apply nth_error_Some; congruence).
  specialize (Ho (Z.of_nat i) ltac:(lia)). rewrite (Hk i r Hi), negb_involutive in Ho. unfold is_pupil.
  destruct (keeps (fst r)).
  - assert (W : (map (fun s => word (fst s)) data).[Z.of_nat i] = word (fst r)).
    { unfold at_index. rewrite Nat2Z.id. apply nth_error_nth. exact (map_nth_error (fun s => word (fst s)) i data Hi). }
    rewrite W, teacher_is_place in Ho by apply is_word. rewrite Ho. cbn [andb].
    destruct (Z.eqb_spec (Z.of_nat (place k (word (fst r)))) (Z.of_nat t));
      destruct (Nat.eqb_spec (place k (word (fst r))) t); lia.
  - rewrite Ho. cbn [andb]. apply Z.eqb_neq. lia.
Qed.

(* The rows that the core hands to teacher t are the chunk of the theorems, in the same order, of the rows that are kept. *)
Theorem cut_is_chunk : forall keep owner start cut t, t < k ->
  (forall j s, nth_error data j = Some s -> (keep.[Z.of_nat j] =? 0)%Z = negb (keeps (fst s))) ->
  FumataAreOwners (map (fun s => word (fst s)) data) keep (Z.of_nat (length data)) (Z.of_nat k) owner ->
  FumataAreStarts owner (Z.of_nat (length data)) (Z.of_nat k) start ->
  FumataAreChunks owner (Z.of_nat (length data)) (Z.of_nat k) cut ->
  map (fun i => option_map (fun r => (word (fst r), r)) (nth_error data i)) (held start cut t) =
  map Some (chunk k word t (filter (fun r => keeps (fst r)) data)).
Proof.
  intros keep owner start cut t Ht Hk Ho Hs Hc. rewrite (held_are_numbers owner (length data) k) by assumption.
  unfold chunk. rewrite !map_map, <- (map_map (nth_error data) (option_map _)).
  assert (G : forall m, m <= length data ->
    map (nth_error data) (numbers owner (Z.of_nat t) m) = map Some (filter (is_pupil t) (firstn m data))).
  { induction m as [|m IH]; intros Hm; [reflexivity|]. rewrite numbers_more, map_app, IH by lia.
    destruct (nth_error data m) as [r|] eqn:E; [|apply nth_error_None in E; lia].
    rewrite (owners_are_places keep owner m r t Ht Hk Ho E).
    assert (F : firstn (S m) data = firstn m data ++ [r]).
    { clear - E. revert m E. induction data as [|x l IH]; intros [|m] E; cbn in *; try discriminate; [congruence|].
      f_equal. apply IH. exact E. }
    rewrite F, filter_app, map_app. cbn [filter]. destruct (is_pupil t r); cbn [map]; rewrite ?E; reflexivity. }
  rewrite G by lia. rewrite firstn_all, map_map. cbn [option_map]. f_equal.
  clear. induction data as [|r l IH]; [reflexivity|]. cbn [filter]. unfold is_pupil at 1.
  destruct (keeps (fst r)); cbn [andb filter]; [|exact IH].
  destruct (place k (word (fst r)) =? t); rewrite IH; reflexivity.
Qed.
End Chunks.

(* Rows that are kept by their key alone are a data set with the same neighbours. *)
Theorem kept_are_neighbours : forall key record (keeps : key -> bool) (data data' : list (row key record)),
  neighbours data data' ->
  neighbours (filter (fun r => keeps (fst r)) data) (filter (fun r => keeps (fst r)) data').
Proof.
  intros key record keeps data data' [x H]. exists x.
  induction H as [|z r d d' Nx Ny H IH|r d d' H IH|r d d' H IH]; cbn [filter fst];
    [constructor|destruct (keeps z)|destruct (keeps x)|destruct (keeps x)]; try constructor; assumption.
Qed.
