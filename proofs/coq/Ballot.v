(* Ballots: votes into counts, counts into a winner and a distance, for any number of classes. Lemma 1: when one vote
   changes, comes or goes, the distance moves by at most 1, and the winner only where both distances are 0. *)
From Coq Require Import Arith ZArith Lia List Bool.
From Fumata Require Import SpecBase SpecBallot Statement.
Import ListNotations.

(* No label has more votes, and every smaller label has fewer. *)
Definition is_winner (v : nat -> nat) (classes w : nat) : Prop :=
  w < classes /\ (forall y, y < classes -> v y <= v w) /\ (forall y, y < w -> v y < v w).

Lemma plurality_is_winner : forall v classes, 1 <= classes -> is_winner v classes (plurality v classes).
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

Lemma winner_unique : forall v classes w w', is_winner v classes w -> is_winner v classes w' -> w = w'.
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

(* All that Lemma 1 needs: no count differs by more than one vote. *)
Definition one_apart (v v' : nat -> nat) : Prop := forall y, v y <= v' y + 1 /\ v' y <= v y + 1.

Lemma moved_one_apart : forall v v' a b, moved v v' a b -> one_apart v v'.
Proof. intros v v' a b H y. specialize (H y). destruct (y =? a); destruct (y =? b); lia. Qed.

Lemma one_apart_sym : forall v v', one_apart v v' -> one_apart v' v.
Proof. intros v v' H y. specialize (H y). lia. Qed.

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

Definition near_verdicts (one other : verdict) : Prop :=
  distance one <= distance other + 1 /\ distance other <= distance one + 1 /\
  (winner one <> winner other -> distance one = 0 /\ distance other = 0).

(* A gap of 3 or more survives one vote. *)
Lemma gap_kept : forall v v' classes, 2 <= classes -> one_apart v v' -> 3 <= gap v classes ->
  plurality v' classes = plurality v classes /\ gap v classes <= gap v' classes + 2.
Proof.
  intros v v' classes Hc Hm Hg.
  pose proof (plurality_is_winner v classes ltac:(lia)) as W. set (w := plurality v classes) in *.
  assert (Hgap : gap v classes = v w - runner_up v classes w) by reflexivity.
  assert (Hw : forall x y, v' x + 1 >= v x /\ v x + 1 >= v' x /\ (x <> y -> v x + v' y <= v' x + v y + 2)).
  { intros x y. pose proof (Hm x) as Hx. pose proof (Hm y) as Hy. lia. }
  assert (W' : is_winner v' classes w).
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

(* With fewer than two classes there is one possible winner, and its count is the gap. *)
Lemma few_classes : forall v classes, classes < 2 -> plurality v classes = 0 /\ gap v classes = v 0.
Proof.
  intros v [|[|classes]] H; [| |lia]; unfold gap; simpl; rewrite ?Nat.ltb_irrefl; simpl; split; lia.
Qed.

(* Lemma 1 of any two rows of counts, wherever they come from and however many votes they stand for. *)
Theorem lemma_1_counts : forall classes v v', one_apart v v' ->
  near_verdicts {| winner := plurality v classes; distance := distance_of_gap (gap v classes) |}
    {| winner := plurality v' classes; distance := distance_of_gap (gap v' classes) |}.
Proof.
  intros classes v v' M. unfold near_verdicts. simpl. destruct (lt_dec classes 2) as [Hf|Hf].
  { destruct (few_classes v classes Hf) as [-> ->]. destruct (few_classes v' classes Hf) as [-> ->].
    assert (v 0 <= v' 0 + 1 /\ v' 0 <= v 0 + 1) by (specialize (M 0); lia).
    destruct (distance_of_gap_spec (v 0)) as [[A1 A2]|[A1 [A2 A3]]];
      destruct (distance_of_gap_spec (v' 0)) as [[B1 B2]|[B1 [B2 B3]]]; lia. }
  pose proof (gap_kept v v' classes ltac:(lia) M) as K1.
  pose proof (gap_kept v' v classes ltac:(lia) (one_apart_sym _ _ M)) as K2.
  destruct (distance_of_gap_spec (gap v classes)) as [[A1 A2]|[A1 [A2 A3]]];
    destruct (distance_of_gap_spec (gap v' classes)) as [[B1 B2]|[B1 [B2 B3]]].
  - lia.
  - destruct (K2 B1). lia.
  - destruct (K1 A1). lia.
  - destruct (K1 A1). destruct (K2 B1). lia.
Qed.

(* Lemma 1, a vote that changes: also one that is an abstention before, after or both times. *)
Theorem lemma_1 : forall classes before after a b,
  near_verdicts (decide classes (before ++ a :: after)) (decide classes (before ++ b :: after)).
Proof. intros classes before after a b. apply lemma_1_counts, (moved_one_apart _ _ a b), counts_moved. Qed.

(* A file can say more than a cell of the program can hold: such a count is the largest one, on both sides. *)
Lemma capped_one_apart : forall most v v', one_apart v v' -> one_apart (fun y => Nat.min (v y) most) (fun y => Nat.min (v' y) most).
Proof. intros most v v' H y. specialize (H y). lia. Qed.

(* An abstention is no vote. *)
Lemma plurality_ext : forall v v' classes, (forall y, y < classes -> v y = v' y) ->
  plurality v classes = plurality v' classes.
Proof.
  intros v v'. induction classes as [|c IH]; intros H; [reflexivity|]. simpl. rewrite IH by (intros; apply H; lia).
  destruct c as [|c]; [simpl; rewrite !Nat.ltb_irrefl; reflexivity|].
  pose proof (proj1 (plurality_is_winner v' (S c) ltac:(lia))).
  rewrite (H (plurality v' (S c))), (H (S c)) by lia. reflexivity.
Qed.

Lemma runner_up_ext : forall v v' w classes, (forall y, y < classes -> v y = v' y) ->
  runner_up v classes w = runner_up v' classes w.
Proof.
  intros v v' w. induction classes as [|c IH]; intros H; [reflexivity|]. simpl. rewrite IH by (intros; apply H; lia).
  rewrite H by lia. reflexivity.
Qed.

Theorem abstention_is_no_vote : forall classes before after a, 1 <= classes -> classes <= a ->
  decide classes (before ++ a :: after) = decide classes (before ++ after).
Proof.
  intros classes before after a H1 Ha.
  assert (E : forall y, y < classes -> counts (before ++ a :: after) y = counts (before ++ after) y).
  { intros y Hy. unfold counts. rewrite !count_occ_app. simpl. destruct (Nat.eq_dec a y); lia. }
  unfold decide, gap. rewrite (plurality_ext _ _ classes E), (runner_up_ext _ _ _ classes E).
  pose proof (proj1 (plurality_is_winner (counts (before ++ after)) classes H1)). rewrite E by assumption. reflexivity.
Qed.

(* Lemma 1, a vote that comes or goes. *)
Corollary lemma_1_comes : forall classes before after a, 1 <= classes ->
  near_verdicts (decide classes (before ++ after)) (decide classes (before ++ a :: after)).
Proof.
  intros classes before after a H. rewrite <- (abstention_is_no_vote classes before after classes H (le_n _)).
  apply lemma_1.
Qed.

(* What the C code promises about a ballot names the same winner and the same distance. First for counts in nat. *)
Fixpoint count_below (votes : list nat) (n y : nat) : nat :=
  match n with
  | O => 0
  | S m => count_below votes m y + (if nth m votes 0 =? y then 1 else 0)
  end.

Definition is_runner_up (v : nat -> nat) (classes y r : nat) : Prop :=
  r < classes /\ r <> y /\ (forall i, i < classes /\ i <> y -> v i <= v r).

Definition is_distance (g d : nat) : Prop := (g = 0 /\ d = 0) \/ (2 * d < g <= 2 * d + 2).

Definition is_verdict (v : nat -> nat) (classes w d : nat) : Prop :=
  is_winner v classes w /\
  (exists r, is_runner_up v classes w r /\ is_distance (v w - v r) d).

Lemma count_below_counts : forall votes y, count_below votes (length votes) y = counts votes y.
Proof.
  intros votes y.
  assert (G : forall n, n <= length votes -> count_below votes n y = counts (firstn n votes) y).
  { induction n as [|n IH]; intros Hn; [reflexivity|]. simpl count_below. rewrite IH by lia.
    assert (E : firstn (S n) votes = firstn n votes ++ [nth n votes 0]).
    { clear IH. revert n Hn. induction votes as [|x l IHl]; intros n Hn; [simpl in Hn; lia|].
      destruct n as [|n]; [reflexivity|]. simpl in *. f_equal. apply IHl. lia. }
    rewrite E. unfold counts. rewrite count_occ_app. simpl.
    destruct (Nat.eq_dec (nth n votes 0) y) as [Ey|Ey].
    - rewrite Ey, Nat.eqb_refl. lia.
    - replace (nth n votes 0 =? y) with false by (symmetry; apply Nat.eqb_neq; exact Ey). lia. }
  rewrite G by lia. rewrite firstn_all. reflexivity.
Qed.

Lemma distance_of_gap_is : forall g d, is_distance g d <-> d = distance_of_gap g.
Proof.
  intros g d. unfold is_distance.
  destruct (distance_of_gap_spec g) as [[A1 A2]|[A1 [A2 A3]]]; lia.
Qed.

Lemma runner_up_is : forall v classes y r, is_runner_up v classes y r -> v r = runner_up v classes y.
Proof.
  intros v classes y r [H1 [H2 H3]]. apply Nat.le_antisymm; [apply runner_up_upper; assumption|].
  apply runner_up_lower. intros i Hi Hn. apply H3. auto.
Qed.

Lemma runner_up_exists : forall v classes y, 2 <= classes -> exists r, is_runner_up v classes y r.
Proof.
  intros v classes y Hc.
  assert (G : forall n, (forall i, i < n -> i = y) \/ exists r, is_runner_up v n y r).
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

Lemma verdict_is_decide_nat : forall classes votes w d, 2 <= classes ->
  is_verdict (count_below votes (length votes)) classes w d <->
  w = winner (decide classes votes) /\ d = distance (decide classes votes).
Proof.
  intros classes votes w d Hc.
  assert (E : forall y, count_below votes (length votes) y = counts votes y) by (intros; apply count_below_counts).
  set (v := count_below votes (length votes)) in *.
  assert (Hw : is_winner v classes w <-> w = plurality (counts votes) classes).
  { assert (W : is_winner v classes (plurality (counts votes) classes)).
    { destruct (plurality_is_winner (counts votes) classes ltac:(lia)) as [P1 [P2 P3]].
      split; [exact P1|]. split; intros y Hy; rewrite !E; auto. }
    split; [intros H; apply (winner_unique v classes); assumption|intros ->; exact W]. }
  assert (Hr : forall r, is_runner_up v classes w r -> v r = runner_up (counts votes) classes w).
  { intros r [R1 [R2 R3]]. rewrite E. apply runner_up_is. split; [exact R1|]. split; [exact R2|].
    intros i Hi. rewrite <- !E. apply R3. exact Hi. }
  unfold is_verdict. simpl. split.
  - intros [H1 [r [H2 H3]]]. apply Hw in H1. split; [exact H1|].
    rewrite (Hr r H2), E in H3. apply distance_of_gap_is in H3. rewrite H3. unfold gap. rewrite <- H1. reflexivity.
  - intros [H1 H2]. split; [apply Hw; exact H1|].
    destruct (runner_up_exists v classes w Hc) as [r R]. exists r. split; [exact R|].
    rewrite (Hr r R), E. apply distance_of_gap_is. rewrite H2. unfold gap. rewrite <- H1. reflexivity.
Qed.

(* What a tally says, counted in nat. *)
Lemma tally_counts : forall (classes : nat) (votes : list nat) (tally : list Z),
  FumataIsTallyU8 (map Z.of_nat votes) (Z.of_nat (length votes)) tally (Z.of_nat classes) ->
  forall y, y < classes -> at_index tally (Z.of_nat y) = Z.of_nat (count_below votes (length votes) y).
Proof.
  intros classes votes tally Ht y Hy. rewrite Ht by lia. generalize (length votes). intros n. induction n as [|n IH].
  - rewrite FumataCountU8_acsl. reflexivity.
  - rewrite FumataCountU8_acsl. destruct (Z.leb_spec (Z.of_nat (S n)) 0); [lia|].
    replace (Z.of_nat (S n) - 1)%Z with (Z.of_nat n) by lia. rewrite IH. simpl count_below.
    unfold at_index. rewrite Nat2Z.id. change 0%Z with (Z.of_nat 0). rewrite map_nth.
    destruct (Z.eqb_spec (Z.of_nat (nth n votes 0)) (Z.of_nat y)); destruct (Nat.eqb_spec (nth n votes 0) y); lia.
Qed.

(* specs/ballot.acsl: whatever the votes are, also such as name no class, and however many. *)
Theorem verdict_of_counts : forall (classes : nat) (votes : list nat) (tally : list Z) (w d : Z), 2 <= classes ->
  (forall y, y < classes -> at_index tally (Z.of_nat y) = Z.of_nat (counts votes y)) ->
  FumataIsVerdict tally (Z.of_nat classes) w d <->
  w = Z.of_nat (winner (decide classes votes)) /\ d = Z.of_nat (distance (decide classes votes)).
Proof.
  intros classes votes tally w d Hc Ht. set (v := count_below votes (length votes)) in *.
  assert (C : forall y, y < classes -> at_index tally (Z.of_nat y) = Z.of_nat (v y))
    by (intros y Hy; rewrite Ht by exact Hy; unfold v; rewrite count_below_counts; reflexivity).
  assert (At : forall i, (0 <= i < Z.of_nat classes)%Z -> at_index tally i = Z.of_nat (v (Z.to_nat i))).
  { intros i Hi. rewrite <- C by lia. rewrite Z2Nat.id by lia. reflexivity. }
  assert (E : FumataIsVerdict tally (Z.of_nat classes) w d <->
    (0 <= w)%Z /\ (0 <= d)%Z /\ is_verdict v classes (Z.to_nat w) (Z.to_nat d)).
  { unfold FumataIsVerdict, FumataIsWinner, FumataIsRunnerUp, FumataIsDistance, is_verdict, is_winner, is_runner_up,
      is_distance. split.
    - intros [[W1 [W2 W3]] [r [[R1 [R2 R3]] D]]].
      rewrite (At w W1), (At r R1) in D.
      assert (Hrw : (v (Z.to_nat r) <= v (Z.to_nat w))%nat).
      { specialize (W2 r R1). rewrite (At w W1), (At r R1) in W2. lia. }
      split; [lia|]. split; [lia|]. split.
      + split; [lia|]. split; intros y Hy.
        * specialize (W2 (Z.of_nat y) ltac:(lia)). rewrite (At w W1), At, Nat2Z.id in W2 by lia. lia.
        * specialize (W3 (Z.of_nat y) ltac:(lia)). rewrite (At w W1), At, Nat2Z.id in W3 by lia. lia.
      + exists (Z.to_nat r). split; [|lia]. split; [lia|]. split; [lia|]. intros i Hi.
        specialize (R3 (Z.of_nat i) ltac:(lia)). rewrite (At r R1), At, Nat2Z.id in R3 by lia. lia.
    - intros [Hw [Hd [[W1 [W2 W3]] [r [[R1 [R2 R3]] D]]]]].
      assert (Rw : (0 <= w < Z.of_nat classes)%Z) by lia.
      split.
      + split; [exact Rw|]. split; intros i Hi; rewrite (At w Rw), At by lia.
        * specialize (W2 (Z.to_nat i) ltac:(lia)). lia.
        * specialize (W3 (Z.to_nat i) ltac:(lia)). lia.
      + exists (Z.of_nat r). split.
        * split; [lia|]. split; [lia|]. intros i Hi. rewrite C, At by lia. specialize (R3 (Z.to_nat i) ltac:(lia)). lia.
        * rewrite C, (At w Rw) by lia. specialize (W2 r R1). lia. }
  pose proof (verdict_is_decide_nat classes votes (Z.to_nat w) (Z.to_nat d) Hc) as N. fold v in N. rewrite E, N. lia.
Qed.

Theorem verdict_is_decide : forall (classes : nat) (votes : list nat) (tally : list Z) (w d : Z), 2 <= classes ->
  FumataIsTallyU8 (map Z.of_nat votes) (Z.of_nat (length votes)) tally (Z.of_nat classes) ->
  FumataIsVerdict tally (Z.of_nat classes) w d <->
  w = Z.of_nat (winner (decide classes votes)) /\ d = Z.of_nat (distance (decide classes votes)).
Proof.
  intros classes votes tally w d Hc Ht. apply verdict_of_counts; [exact Hc|]. intros y Hy.
  rewrite (tally_counts classes votes tally Ht y Hy), count_below_counts. reflexivity.
Qed.

(* Counts that are ready are those of some votes: the core's verdict is what `decide` says of these, for any counts. *)
Definition ballot_of (classes : nat) (v : nat -> nat) : list nat := flat_map (fun y => repeat y (v y)) (seq 0 classes).

Lemma counts_of_ballot : forall classes v y, y < classes -> counts (ballot_of classes v) y = v y.
Proof.
  intros classes v y. unfold ballot_of, counts.
  assert (R : forall n x, count_occ Nat.eq_dec (repeat x n) y = if Nat.eq_dec x y then n else 0).
  { induction n as [|n IH]; intros x; cbn [repeat count_occ]; [destruct (Nat.eq_dec x y); reflexivity|].
    rewrite IH. destruct (Nat.eq_dec x y); reflexivity. }
  assert (G : forall n, count_occ Nat.eq_dec (flat_map (fun x => repeat x (v x)) (seq 0 n)) y = if y <? n then v y else 0).
  { induction n as [|n IH]; [reflexivity|]. rewrite seq_S, flat_map_app, count_occ_app, IH. cbn [flat_map Nat.add].
    rewrite app_nil_r, R. destruct (Nat.eq_dec n y) as [->|E].
    - rewrite Nat.ltb_irrefl. destruct (Nat.ltb_spec y (S y)); lia.
    - destruct (Nat.ltb_spec y n); destruct (Nat.ltb_spec y (S n)); lia. }
  intros Hy. rewrite G. destruct (Nat.ltb_spec y classes); lia.
Qed.

Theorem ready_counts_are_votes : forall (classes : nat) (tally : list Z) (w d : Z), 2 <= classes ->
  (forall y, y < classes -> (0 <= at_index tally (Z.of_nat y))%Z) ->
  let votes := ballot_of classes (fun y => Z.to_nat (at_index tally (Z.of_nat y))) in
  FumataIsVerdict tally (Z.of_nat classes) w d <->
  w = Z.of_nat (winner (decide classes votes)) /\ d = Z.of_nat (distance (decide classes votes)).
Proof.
  intros classes tally w d Hc Ht votes. apply verdict_of_counts; [exact Hc|]. intros y Hy. unfold votes.
  rewrite counts_of_ballot, Z2Nat.id by auto. reflexivity.
Qed.
