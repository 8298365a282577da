(* Polls that look harmless, each refuted: Theorem N's delta, which the right one keeps, does not hold of it. The chance of
   the side that is ahead is 1/2 without a lead and 9/10 with one; alpha = 2, U = 25/9, and one vote for each unit. *)
From Coq Require Import Reals Lra Lia ZArith List Bool.
From Fumata Require Import Statement Power Divergence Game TheoremM TheoremN Poll Wrong.
Import ListNotations.
Local Open Scope R_scope.

(* A record is a place and the weight of its class; the class of the first record of a unit speaks for the unit. *)
Notation rows := (list (row nat (Z * Z))).
Definition by_class : inquiry nat (Z * Z) :=
  Inquiry nat (Z * Z) 1 (fun own => match own with (_, (_, weight)) :: _ => weight | [] => 0%Z end).

(* A poll in which those vote whom `who` lists, as often as it lists them. *)
Definition listing := rows -> (nat -> nat) -> inquiry nat (Z * Z) -> list nat.
Definition wrong_turn (who : listing) (data : rows) (s : crowd nat) (m : poll_move) : @outcome (crowd nat) :=
  match m, s with
  | Vote q, Crowd uses cast stored ready =>
      let voters := who data uses q in
      let sum := fold_right Z.add 0%Z (map (fun x => voice q (own Nat.eq_dec data x)) voters) in
      Quiet (Crowd (fun x => uses x + count_occ Nat.eq_dec voters x)%nat (cast ++ [Z.quot sum (Zpos (most q))]) stored ready)
  | _, _ => poll_turn Nat.eq_dec 1 data s m
  end.

Definition units_of (data : rows) : list nat := nodup Nat.eq_dec (map fst data).

(* Each of the moves in turn, then nothing more. *)
Definition script (moves : list poll_move) (seen : list (option bool)) : option (@poll_move nat (Z * Z)) :=
  nth_error moves (length seen).
Definition asked_once : list (@poll_move nat (Z * Z)) := [Vote by_class; Store; Draw].
Definition polled (turn : rows -> crowd nat -> @poll_move nat (Z * Z) -> outcome) (moves : list poll_move) (data : rows) :=
  leads nine_in_ten (script moves) (turn data) (length moves) (length moves) (nobody_voted nat) [].
Definition keeps_delta (epsilon : R) (turn : rows -> crowd nat -> poll_move -> outcome) : Prop :=
  forall moves data data', comes_or_goes data data' ->
  within epsilon (delta_T 2 (25 / 9) 1 epsilon) (polled turn moves data) (polled turn moves data').

Theorem right_poll : forall epsilon, keeps_delta epsilon (poll_turn Nat.eq_dec 1).
Proof. intros epsilon moves data data' H. apply unit_comes_or_goes; [exact nine_in_ten_tolled|exact H]. Qed.

(* What is bet on: the answers that were given are these, the latest first. *)
Definition answered (expected : list bool) (seen : list (option bool)) : bool :=
  if list_eq_dec bool_dec (flat_map (fun a => match a with Some yes => [yes] | None => [] end) seen) expected
  then true else false.

Ltac comes := exists 0%nat; split; [repeat first [apply Nothing|apply Left|apply Right|apply Same; [discriminate..|]]|
  cbn; intuition discriminate].
Ltac compute_laws H :=
  unfold polled in H; cbn in H; unfold delta_T, c_of in H; replace (- INR (2 - 1)) with (Ropp 1) in H by (simpl; ring);
  rewrite <- Ropp_mult_distr_l, Rmult_1_l, exp_Ropp, exp_ln in H by lra; unfold favour, nine_in_ten in H; simpl in H; lra.

(* 1. The k nearest voters instead of those within a radius: one more voter pushes another one out. *)
Fixpoint insert (place : nat -> Z) (x : nat) (l : list nat) : list nat :=
  match l with [] => [x] | y :: rest => if (place x <=? place y)%Z then x :: l else y :: insert place x rest end.
Definition place_of (data : rows) (x : nat) : Z :=
  match own Nat.eq_dec data x with (_, (place, _)) :: _ => Z.abs place | [] => 0%Z end.
Definition nearest (k : nat) : listing := fun data uses q =>
  filter (votes Nat.eq_dec data 1 uses q) (firstn k (fold_right (insert (place_of data)) [] (units_of data))).

Theorem k_nearest : ~ keeps_delta (ln 3) (wrong_turn (nearest 1)).
Proof.
  intros H. assert (N : comes_or_goes [(0%nat, (1, 1)%Z); (1%nat, (2, -1)%Z)] [(1%nat, (2, -1)%Z)]) by comes.
  specialize (H asked_once _ _ N (answered [true])). compute_laws H.
Qed.

(* 2. A voter that is listed twice, here once for each of its records, has two votes. *)
Definition once_a_record : listing := fun data uses q => filter (votes Nat.eq_dec data 1 uses q) (map fst data).

Theorem listed_twice : ~ keeps_delta (ln 3) (wrong_turn once_a_record).
Proof.
  intros H.
  assert (N : comes_or_goes [(0%nat, (1, 1)%Z); (0%nat, (3, 1)%Z); (1%nat, (2, -1)%Z)] [(1%nat, (2, -1)%Z)]) by comes.
  specialize (H asked_once _ _ N (answered [true])). compute_laws H.
Qed.

(* 3. B + 1 votes. *)
Definition more_than_paid : listing := fun data uses q => filter (votes Nat.eq_dec data (1 + 1) uses q) (units_of data).

Theorem one_vote_too_many : ~ keeps_delta (ln 12) (wrong_turn more_than_paid).
Proof.
  intros H. assert (N : comes_or_goes [] [(0%nat, (1, 1)%Z)]) by comes.
  specialize (H (asked_once ++ asked_once) _ _ N (answered [false; false])). compute_laws H.
Qed.

(* 4. Uses that are counted when the answer is given: of two questions that are voted on before either is answered, the
   second finds the uses as the first did. *)
Definition counted_by_answers (data : rows) (s : crowd nat) (m : poll_move) : @outcome (crowd nat) :=
  let more uses x := if votes Nat.eq_dec data 1 uses by_class x then S (uses x) else uses x in
  match m, s with
  | Vote q, Crowd uses cast stored ready => Quiet (Crowd uses (cast ++ [lead Nat.eq_dec data 1 uses q]) stored ready)
  | Draw, Crowd uses cast stored (l :: rest) => Toss l (Crowd (more uses) cast (more stored) rest)
  | _, _ => poll_turn Nat.eq_dec 1 data s m
  end.

Theorem uses_counted_by_answers : ~ keeps_delta (ln 12) counted_by_answers.
Proof.
  intros H. assert (N : comes_or_goes [] [(0%nat, (1, 1)%Z)]) by comes.
  specialize (H [Vote by_class; Vote by_class; Store; Draw; Draw] _ _ N (answered [false; false])). compute_laws H.
Qed.

(* 5. Uses that are stored after the answer: a crash between the two forgets them. *)
Definition answer_first (data : rows) (s : crowd nat) (m : poll_move) : @outcome (crowd nat) :=
  match m, s with
  | Vote q, Crowd uses cast stored ready =>
      Quiet (Crowd (fun x => if votes Nat.eq_dec data 1 uses q x then S (uses x) else uses x) cast stored
        (ready ++ [lead Nat.eq_dec data 1 uses q]))
  | _, _ => poll_turn Nat.eq_dec 1 data s m
  end.

Theorem uses_stored_after_answer : ~ keeps_delta (ln 12) answer_first.
Proof.
  intros H. assert (N : comes_or_goes [] [(0%nat, (1, 1)%Z)]) by comes.
  specialize (H [Vote by_class; Draw; Restart; Vote by_class; Draw] _ _ N (answered [false; false])). compute_laws H.
Qed.
