(* From data sets to teachers: rows with keys, a partition that sends a row to a teacher by its key alone, any
   deterministic learner. When the rows of one key come, go or change, one teacher changes, for every assignment of
   keys to teachers. When a key and its rows are exchanged for another key and its rows, one teacher changes under a
   matching of assignments, so the statement holds when the assignment is uniform. *)
From Coq Require Import Reals Lra Lia List Bool Permutation.
From Fumata Require Import Divergence Uniform Meter TheoremM Ballot Voters.
Import ListNotations.

(* A row of the private data: the key of its unit, and the rest. A unit may have any number of rows, anywhere. *)
Definition row (key record : Type) := (key * record)%type.

Section Partition.
  Variables key record query : Type.

  (* The chunk of teacher i: the rows whose key is assigned to i, in their order. *)
  Definition chunk (h : key -> nat) (i : nat) (data : list (row key record)) : list (row key record) :=
    filter (fun r => h (fst r) =? i) data.

  (* Teacher i is any function of its chunk (and of i, and of anything public). *)
  Definition learner := nat -> list (row key record) -> teacher query.

  Definition train (k : nat) (learn : learner) (h : key -> nat) (data : list (row key record)) : list (teacher query) :=
    map (fun i => learn i (chunk h i data)) (seq 0 k).

  (* The same rows in the same order, but for rows of key x on the left and rows of key y on the right. *)
  Inductive differ (x y : key) : list (row key record) -> list (row key record) -> Prop :=
  | Nothing : differ x y [] []
  | Same : forall z r data data', z <> x -> z <> y -> differ x y data data' ->
      differ x y ((z, r) :: data) ((z, r) :: data')
  | Left : forall r data data', differ x y data data' -> differ x y ((x, r) :: data) data'
  | Right : forall r data data', differ x y data data' -> differ x y data ((y, r) :: data').

  (* One unit added, removed, or changed: all rows of one key, and no other. *)
  Definition neighbours (data data' : list (row key record)) : Prop := exists x, differ x x data data'.

  Lemma differ_sym : forall x y data data', differ x y data data' -> differ y x data' data.
  Proof. intros x y data data' H. induction H; constructor; assumption. Qed.

  Lemma neighbours_sym : forall data data', neighbours data data' -> neighbours data' data.
  Proof. intros data data' [x H]. exists x. apply differ_sym. exact H. Qed.

  (* Assignments that agree on the other keys, and send x here where they send y there. *)
  Lemma differ_chunk : forall h h' x y data data', h x = h' y -> (forall z, z <> x -> z <> y -> h z = h' z) ->
    differ x y data data' -> forall i, i <> h x -> chunk h i data = chunk h' i data'.
  Proof.
    intros h h' x y data data' Hxy Hz H i Hi. induction H as [|z r data data' Nx Ny H IH|r data data' H IH|r data
      data' H IH];
      simpl.
    - reflexivity.
    - rewrite <- (Hz z Nx Ny). destruct (h z =? i); rewrite IH; reflexivity.
    - destruct (Nat.eqb_spec (h x) i); [congruence|exact IH].
    - destruct (Nat.eqb_spec (h' y) i); [congruence|exact IH].
  Qed.

  (* Chunks that agree everywhere but at teacher j. *)
  Lemma one_chunk_one_teacher : forall k learn h h' data data' j, j < k ->
    (forall i, i <> j -> chunk h i data = chunk h' i data') ->
    one_teacher_changed (train k learn h data) (train k learn h' data').
  Proof.
    intros k learn h h' data data' j Hj Hc.
    exists (map (fun i => learn i (chunk h i data)) (seq 0 j)),
      (map (fun i => learn i (chunk h i data)) (seq (S j) (k - j - 1))),
      (learn j (chunk h j data)), (learn j (chunk h' j data')).
    assert (E : seq 0 k = seq 0 j ++ j :: seq (S j) (k - j - 1)).
    { replace k with (j + S (k - j - 1)) at 1 by lia. rewrite seq_app. reflexivity. }
    unfold train. rewrite E, !map_app. simpl. split; [reflexivity|].
    assert (M : forall l, (forall i, In i l -> i <> j) ->
      map (fun i => learn i (chunk h' i data')) l = map (fun i => learn i (chunk h i data)) l).
    { intros l Hl. apply map_ext_in. intros i Hi. rewrite (Hc i (Hl i Hi)). reflexivity. }
    rewrite !M; [reflexivity| |]; intros i Hi; apply in_seq in Hi; lia.
  Qed.

  Theorem neighbours_one_teacher : forall k learn h data data', (forall x, h x < k) -> neighbours data data' ->
    one_teacher_changed (train k learn h data) (train k learn h data').
  Proof.
    intros k learn h data data' Hh [x H]. apply one_chunk_one_teacher with (j := h x); [apply Hh|].
    apply differ_chunk with (y := x); [reflexivity|reflexivity|exact H].
  Qed.
End Partition.

Arguments chunk {key record}.
Arguments train {key record query}.
Arguments differ {key record}.
Arguments neighbours {key record}.

(* The whole private side for a fixed assignment: data -> chunks -> teachers -> verdicts. *)
Definition verdicts {key record query} (k classes : nat) (learn : learner key record query) (h : key -> nat)
  (data : list (row key record)) : query -> verdict :=
  ensemble classes (train k learn h data).

Theorem units_close : forall key record query k classes (learn : learner key record query) h data data',
  2 <= classes -> (forall x, h x < k) -> neighbours data data' ->
  close (verdicts k classes learn h data) (verdicts k classes learn h data').
Proof.
  intros. apply teachers_close; [assumption|]. apply neighbours_one_teacher; assumption.
Qed.

(* Uniform assignments. Keys are 0 .. keys - 1; an assignment is the list of their teachers. *)
Definition assignments (keys k : nat) : list (list nat) := tuples (seq 0 k) keys.
Definition assigned (a : list nat) (x : nat) : nat := nth x a 0.

(* One unit added, removed, changed, or exchanged for a unit with another key. *)
Definition neighbours_any {record} (keys : nat) (data data' : list (row nat record)) : Prop :=
  exists x y, x < keys /\ y < keys /\ differ x y data data'.

Lemma neighbours_any_sym : forall record keys (data data' : list (row nat record)),
  neighbours_any keys data data' -> neighbours_any keys data' data.
Proof.
  intros record keys data data' [x [y [Hx [Hy H]]]]. exists y, x. split; [exact Hy|]. split; [exact Hx|].
  apply differ_sym. exact H.
Qed.

(* Two keys swapped, in the keys and in an assignment. *)
Definition swap (x y z : nat) : nat := if z =? x then y else if z =? y then x else z.
Definition swap_in (x y : nat) (a : list nat) : list nat := map (fun z => nth (swap x y z) a 0) (seq 0 (length a)).

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

Lemma nth_swap_in : forall x y a z, z < length a -> nth z (swap_in x y a) 0 = nth (swap x y z) a 0.
Proof.
  intros x y a z Hz. unfold swap_in.
  rewrite (nth_indep _ 0 (nth (swap x y 0) a 0)) by (rewrite map_length, seq_length; exact Hz).
  rewrite (map_nth (fun z => nth (swap x y z) a 0)), seq_nth by exact Hz. reflexivity.
Qed.

Lemma swap_in_permutes : forall x y keys k, x < keys -> y < keys ->
  Permutation (map (swap_in x y) (assignments keys k)) (assignments keys k).
Proof.
  intros x y keys k Hx Hy. apply involution_permutes.
  - apply nodup_tuples. apply seq_NoDup.
  - intros a Ha. apply in_tuples in Ha. destruct Ha as [L I]. apply in_tuples.
    split; [rewrite length_swap_in; exact L|].
    intros t Ht. unfold swap_in in Ht. apply in_map_iff in Ht. destruct Ht as [z [<- Hz]].
    apply in_seq in Hz. apply I. apply nth_In. apply swap_lt; lia.
  - intros a Ha. apply in_tuples in Ha. destruct Ha as [L _].
    apply nth_ext with (d := 0) (d' := 0); [rewrite !length_swap_in; reflexivity|].
    intros z Hz. rewrite !length_swap_in in Hz. rewrite nth_swap_in by (rewrite length_swap_in; exact Hz).
    rewrite nth_swap_in by (apply swap_lt; lia). rewrite swap_swap. reflexivity.
Qed.

Lemma assigned_swap : forall x y a, x < length a -> y < length a -> assigned a x = assigned (swap_in x y a) y.
Proof.
  intros x y a Hx Hy. unfold assigned. rewrite nth_swap_in by exact Hy. unfold swap.
  destruct (Nat.eqb_spec y x); [congruence|]. rewrite Nat.eqb_refl. reflexivity.
Qed.

Lemma assigned_other : forall x y a z, z <> x -> z <> y -> assigned a z = assigned (swap_in x y a) z.
Proof.
  intros x y a z Hx Hy. unfold assigned. destruct (lt_dec z (length a)) as [H|H].
  - rewrite nth_swap_in by exact H. unfold swap.
    destruct (Nat.eqb_spec z x); [contradiction|]. destruct (Nat.eqb_spec z y); [contradiction|reflexivity].
  - rewrite !nth_overflow by (rewrite ?length_swap_in; lia). reflexivity.
Qed.

Lemma assigned_lt : forall keys k a x, 1 <= k -> In a (assignments keys k) -> assigned a x < k.
Proof.
  intros keys k a x Hk Ha. apply in_tuples in Ha. destruct Ha as [L I]. unfold assigned.
  destruct (lt_dec x (length a)) as [H|H].
  - apply (nth_In _ 0) in H. apply I in H. apply in_seq in H. lia.
  - rewrite nth_overflow by lia. lia.
Qed.

(* The law of the transcript when the assignment of keys to teachers is uniform and secret. *)
Definition mixed {record query} (k classes keys : nat) (learn : learner nat record query)
  (release : (query -> verdict) -> law transcript) (data : list (row nat record)) : law transcript :=
  mixture (assignments keys k) (fun a => release (verdicts k classes learn (assigned a) data)).

(* Whatever is private for close views is private for data, with one unit added, removed, changed or exchanged. *)
Theorem units_mixed : forall record query k classes keys (learn : learner nat record query) release epsilon delta,
  2 <= classes -> 1 <= k ->
  (forall view view', close view view' -> within epsilon delta (release view) (release view')) ->
  forall data data', neighbours_any keys data data' ->
  within epsilon delta (mixed k classes keys learn release data) (mixed k classes keys learn release data').
Proof.
  intros record query k classes keys learn release epsilon delta Hc Hk Hr data data' [x [y [Hx [Hy H]]]].
  assert (Hne : assignments keys k <> []).
  { intros E. pose proof (tuples_nonempty nat (seq 0 k) keys) as N. unfold assignments in E. rewrite E in N.
    simpl in N. assert (Hs : seq 0 k <> []) by (destruct k; [lia|discriminate]). specialize (N Hs). lia. }
  apply within_mixture with (match_with := swap_in x y); [exact Hne|apply swap_in_permutes; assumption|].
  intros a Ha. apply Hr. apply teachers_close; [exact Hc|].
  pose proof (proj1 (in_tuples _ _ _ _) Ha) as [L _].
  apply one_chunk_one_teacher with (j := assigned a x); [apply (assigned_lt keys); assumption|].
  apply differ_chunk with (y := y); [apply assigned_swap; lia|apply assigned_other|exact H].
Qed.
