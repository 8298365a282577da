(* Ballots: votes into counts, counts into a winner and a distance, for any number of classes. Lemma 1: when one
   vote changes, the distance moves by at most 1, and the winner only where both distances are 0. *)
From Coq Require Import Arith Lia List Bool.
From Fumata Require Import Meter.
Import ListNotations.

(* How many votes each label has. *)
Definition counts (votes : list nat) (y : nat) : nat := count_occ Nat.eq_dec votes y.

(* The smallest label with the largest count, among the labels below `classes`. *)
Fixpoint plurality (v : nat -> nat) (classes : nat) : nat :=
  match classes with
  | O => O
  | S c => if v (plurality v c) <? v c then c else plurality v c
  end.

(* The largest count of a label other than w. *)
Fixpoint runner_up (v : nat -> nat) (classes w : nat) : nat :=
  match classes with
  | O => O
  | S c => if c =? w then runner_up v c w else Nat.max (v c) (runner_up v c w)
  end.

Definition gap (v : nat -> nat) (classes : nat) : nat :=
  v (plurality v classes) - runner_up v classes (plurality v classes).

(* How many votes must move before the winner can change, less one; 0 up to a gap of 2. *)
Definition distance_of_gap (g : nat) : nat := if g <=? 2 then 0 else (g - 1) / 2.

(* What the ballot says. *)
Definition decide (classes : nat) (votes : list nat) : verdict :=
  {| winner := plurality (counts votes) classes;
     distance := distance_of_gap (gap (counts votes) classes) |}.

(* specs/ballot.acsl: no label has more votes, and every smaller label has fewer. *)
Definition FumataIsWinner (v : nat -> nat) (classes w : nat) : Prop :=
  w < classes /\ (forall y, y < classes -> v y <= v w) /\ (forall y, y < w -> v y < v w).

Lemma plurality_is_winner : forall v classes, 1 <= classes -> FumataIsWinner v classes (plurality v classes).
Proof.
  intros v classes. induction classes as [|c IH]; intros Hc; [lia|].
  destruct (Nat.eq_dec c 0) as [->|Hn].
  { simpl. rewrite Nat.ltb_irrefl. split; [lia|]. split; intros y Hy; [|lia]. replace y with 0 by lia. lia. }
  destruct (IH ltac:(lia)) as [H1 [H2 H3]]. simpl.
  destruct (v (plurality v c) <? v c) eqn:E.
  - apply Nat.ltb_lt in E. split; [lia|]. split; intros y Hy.
    + destruct (Nat.eq_dec y c) as [->|]; [lia|]. specialize (H2 y ltac:(lia)). lia.
    + specialize (H2 y ltac:(lia)). lia.
  - apply Nat.ltb_ge in E. split; [lia|]. split; intros y Hy.
    + destruct (Nat.eq_dec y c) as [->|]; [lia|]. apply H2. lia.
    + apply H3. exact Hy.
Qed.

Lemma winner_unique : forall v classes w w', FumataIsWinner v classes w -> FumataIsWinner v classes w' -> w = w'.
Proof.
  intros v classes w w' [A1 [A2 A3]] [B1 [B2 B3]].
  destruct (lt_eq_lt_dec w w') as [[H|H]|H]; [|exact H|].
  - specialize (B3 w H). specialize (A2 w' B1). lia.
  - specialize (A3 w' H). specialize (B2 w A1). lia.
Qed.

Lemma runner_up_upper : forall v classes w y, y < classes -> y <> w -> v y <= runner_up v classes w.
Proof.
  intros v classes w. induction classes as [|c IH]; intros y Hy Hn; [lia|]. simpl.
  destruct (c =? w) eqn:E.
  - apply Nat.eqb_eq in E. apply IH; lia.
  - destruct (Nat.eq_dec y c) as [->|]; [lia|]. specialize (IH y ltac:(lia) Hn). lia.
Qed.

Lemma runner_up_lower : forall v classes w bound, (forall y, y < classes -> y <> w -> v y <= bound) ->
  runner_up v classes w <= bound.
Proof.
  intros v classes w bound. induction classes as [|c IH]; intros H; [simpl; lia|]. simpl.
  assert (IH' : runner_up v c w <= bound) by (apply IH; intros; apply H; lia).
  destruct (c =? w) eqn:E; [exact IH'|]. apply Nat.eqb_neq in E. specialize (H c ltac:(lia) E). lia.
Qed.

(* Two counts that differ by one vote moved from a to b (a vote for no class counts nowhere). *)
Definition moved (v v' : nat -> nat) (a b : nat) : Prop :=
  forall y, v y + (if y =? b then 1 else 0) = v' y + (if y =? a then 1 else 0).

Lemma moved_sym : forall v v' a b, moved v v' a b -> moved v' v b a.
Proof. intros v v' a b H y. specialize (H y). lia. Qed.

Lemma counts_moved : forall before after a b,
  moved (counts (before ++ a :: after)) (counts (before ++ b :: after)) a b.
Proof.
  intros before after a b y. unfold counts. rewrite !count_occ_app.
  assert (C : forall x, count_occ Nat.eq_dec (x :: after) y = count_occ Nat.eq_dec after y + if y =? x then 1 else 0).
  { intros x. simpl. destruct (Nat.eq_dec x y) as [E|E].
    - rewrite E, Nat.eqb_refl. lia.
    - replace (y =? x) with false by (symmetry; apply Nat.eqb_neq; auto). lia. }
  rewrite !C. lia.
Qed.

(* A gap of 3 or more survives one moved vote. *)
Lemma gap_kept : forall v v' a b classes, 2 <= classes -> moved v v' a b -> 3 <= gap v classes ->
  plurality v' classes = plurality v classes /\ gap v classes <= gap v' classes + 2.
Proof.
  intros v v' a b classes Hc Hm Hg.
  pose proof (plurality_is_winner v classes ltac:(lia)) as W. set (w := plurality v classes) in *.
  assert (Hgap : gap v classes = v w - runner_up v classes w) by reflexivity.
  assert (Hw : forall x y, v' x + 1 >= v x /\ v x + 1 >= v' x /\ (x <> y -> v x + v' y <= v' x + v y + 2)).
  { intros x y. pose proof (Hm x) as Hx. pose proof (Hm y) as Hy.
    destruct (x =? a) eqn:Xa; destruct (x =? b) eqn:Xb; destruct (y =? a) eqn:Ya; destruct (y =? b) eqn:Yb; lia. }
  assert (W' : FumataIsWinner v' classes w).
  { split; [apply W|]. split; intros y Hy.
    - destruct (Nat.eq_dec y w) as [->|Hn]; [lia|].
      pose proof (runner_up_upper v classes w y Hy Hn). destruct (Hw w y) as [_ [_ Hd]].
      specialize (Hd ltac:(lia)). lia.
    - destruct W as [W1 _].
      pose proof (runner_up_upper v classes w y ltac:(lia) ltac:(lia)). destruct (Hw w y) as [_ [_ Hd]].
      specialize (Hd ltac:(lia)). lia. }
  assert (E : plurality v' classes = w).
  { apply (winner_unique v' classes); [|exact W']. apply plurality_is_winner. lia. }
  split; [exact E|].
  unfold gap at 2. rewrite E.
  assert (R : runner_up v' classes w <= v' w + 2 - gap v classes).
  { apply runner_up_lower. intros y Hy Hn. pose proof (runner_up_upper v classes w y Hy Hn).
    destruct (Hw w y) as [_ [_ Hd]]. specialize (Hd ltac:(lia)). lia. }
  destruct (Hw w w) as [Hw1 _]. lia.
Qed.

Lemma distance_of_gap_spec : forall g,
  (g <= 2 /\ distance_of_gap g = 0) \/
  (3 <= g /\ 1 <= distance_of_gap g /\ 2 * distance_of_gap g + 1 <= g <= 2 * distance_of_gap g + 2).
Proof.
  intros g. unfold distance_of_gap. destruct (g <=? 2) eqn:E.
  - apply Nat.leb_le in E. left. split; [exact E|reflexivity].
  - apply Nat.leb_gt in E. right.
    pose proof (Nat.div_mod (g - 1) 2 ltac:(lia)). pose proof (Nat.mod_upper_bound (g - 1) 2 ltac:(lia)). lia.
Qed.

(* Lemma 1. *)
Theorem lemma_1 : forall classes before after a b, 2 <= classes ->
  let one := decide classes (before ++ a :: after) in
  let other := decide classes (before ++ b :: after) in
  distance one <= distance other + 1 /\ distance other <= distance one + 1 /\
  (winner one <> winner other -> distance one = 0 /\ distance other = 0).
Proof.
  intros classes before after a b Hc. simpl.
  pose proof (counts_moved before after a b) as M.
  set (v := counts (before ++ a :: after)) in *. set (v' := counts (before ++ b :: after)) in *.
  pose proof (gap_kept v v' a b classes Hc M) as K1.
  pose proof (gap_kept v' v b a classes Hc (moved_sym _ _ _ _ M)) as K2.
  destruct (distance_of_gap_spec (gap v classes)) as [[A1 A2]|[A1 [A2 A3]]];
    destruct (distance_of_gap_spec (gap v' classes)) as [[B1 B2]|[B1 [B2 B3]]].
  - lia.
  - destruct (K2 B1). lia.
  - destruct (K1 A1). lia.
  - destruct (K1 A1). destruct (K2 B1). lia.
Qed.

(* specs/ballot.acsl, the rest of what the C code promises about a ballot. *)
Fixpoint FumataCount (votes : list nat) (n y : nat) : nat :=
  match n with
  | O => 0
  | S m => FumataCount votes m y + (if nth m votes 0 =? y then 1 else 0)
  end.

Definition FumataIsRunnerUp (v : nat -> nat) (classes y r : nat) : Prop :=
  r < classes /\ r <> y /\ (forall i, i < classes /\ i <> y -> v i <= v r).

Definition FumataIsDistance (g d : nat) : Prop := (g = 0 /\ d = 0) \/ (2 * d < g <= 2 * d + 2).

Definition FumataIsVerdict (v : nat -> nat) (classes w d : nat) : Prop :=
  FumataIsWinner v classes w /\
  (exists r, FumataIsRunnerUp v classes w r /\ FumataIsDistance (v w - v r) d).

Lemma FumataCount_counts : forall votes y, FumataCount votes (length votes) y = counts votes y.
Proof.
  intros votes y.
  assert (G : forall n, n <= length votes -> FumataCount votes n y = counts (firstn n votes) y).
  { induction n as [|n IH]; intros Hn; [reflexivity|]. simpl FumataCount. rewrite IH by lia.
    assert (E : firstn (S n) votes = firstn n votes ++ [nth n votes 0]).
    { clear IH. revert n Hn. induction votes as [|x l IHl]; intros n Hn; [simpl in Hn; lia|].
      destruct n as [|n]; [reflexivity|]. simpl in *. f_equal. apply IHl. lia. }
    rewrite E. unfold counts. rewrite count_occ_app. simpl.
    destruct (Nat.eq_dec (nth n votes 0) y) as [Ey|Ey].
    - rewrite Ey, Nat.eqb_refl. lia.
    - replace (nth n votes 0 =? y) with false by (symmetry; apply Nat.eqb_neq; exact Ey). lia. }
  rewrite G by lia. rewrite firstn_all. reflexivity.
Qed.

Lemma distance_of_gap_is : forall g d, FumataIsDistance g d <-> d = distance_of_gap g.
Proof.
  intros g d. unfold FumataIsDistance.
  destruct (distance_of_gap_spec g) as [[A1 A2]|[A1 [A2 A3]]]; lia.
Qed.

Lemma runner_up_is : forall v classes y r, FumataIsRunnerUp v classes y r -> v r = runner_up v classes y.
Proof.
  intros v classes y r [H1 [H2 H3]]. apply Nat.le_antisymm; [apply runner_up_upper; assumption|].
  apply runner_up_lower. intros i Hi Hn. apply H3. auto.
Qed.

Lemma runner_up_exists : forall v classes y, 2 <= classes -> exists r, FumataIsRunnerUp v classes y r.
Proof.
  intros v classes y Hc.
  assert (G : forall n, (forall i, i < n -> i = y) \/ exists r, FumataIsRunnerUp v n y r).
  { induction n as [|n IH]; [left; lia|].
    destruct (Nat.eq_dec n y) as [E|E]; destruct IH as [A|[r [R1 [R2 R3]]]].
    - left. intros i Hi. destruct (Nat.eq_dec i n) as [K|K]; [lia|apply A; lia].
    - right. exists r. split; [lia|]. split; [exact R2|]. intros i Hi. apply R3. lia.
    - right. exists n. split; [lia|]. split; [exact E|]. intros i [I1 I2].
      destruct (Nat.eq_dec i n) as [K|K]; [rewrite K; lia|]. exfalso. apply I2. apply A. lia.
    - right. destruct (le_lt_dec (v r) (v n)) as [L|L]; [exists n|exists r];
        (split; [lia|]; split; [assumption|]; intros i [I1 I2];
         destruct (Nat.eq_dec i n) as [K|K]; [rewrite K; lia|specialize (R3 i ltac:(lia)); lia]). }
  destruct (G classes) as [A|R]; [|exact R].
  pose proof (A 0 ltac:(lia)). pose proof (A 1 ltac:(lia)). lia.
Qed.

(* The contract of the C code and the function of this file name the same winner and the same distance. *)
Theorem verdict_is_decide : forall classes votes w d, 2 <= classes ->
  FumataIsVerdict (FumataCount votes (length votes)) classes w d <->
  w = winner (decide classes votes) /\ d = distance (decide classes votes).
Proof.
  intros classes votes w d Hc.
  assert (E : forall y, FumataCount votes (length votes) y = counts votes y) by (intros; apply FumataCount_counts).
  set (v := FumataCount votes (length votes)) in *.
  assert (Hw : FumataIsWinner v classes w <-> w = plurality (counts votes) classes).
  { assert (W : FumataIsWinner v classes (plurality (counts votes) classes)).
    { destruct (plurality_is_winner (counts votes) classes ltac:(lia)) as [P1 [P2 P3]].
      split; [exact P1|]. split; intros y Hy; rewrite !E; auto. }
    split; [intros H; apply (winner_unique v classes); assumption|intros ->; exact W]. }
  assert (Hr : forall r, FumataIsRunnerUp v classes w r -> v r = runner_up (counts votes) classes w).
  { intros r [R1 [R2 R3]]. rewrite E. apply runner_up_is. split; [exact R1|]. split; [exact R2|].
    intros i Hi. rewrite <- !E. apply R3. exact Hi. }
  unfold FumataIsVerdict. simpl. split.
  - intros [H1 [r [H2 H3]]]. apply Hw in H1. split; [exact H1|].
    rewrite (Hr r H2), E in H3. apply distance_of_gap_is in H3. rewrite H3. unfold gap. rewrite <- H1. reflexivity.
  - intros [H1 H2]. split; [apply Hw; exact H1|].
    destruct (runner_up_exists v classes w Hc) as [r R]. exists r. split; [exact R|].
    rewrite (Hr r R), E. apply distance_of_gap_is. rewrite H2. unfold gap. rewrite <- H1. reflexivity.
Qed.
