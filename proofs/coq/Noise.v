(* Noise tables: which words draw which outcome (specs/noise.acsl), and how many words that is. *)
From Coq Require Import Arith Lia ZArith List Bool.
From Fumata Require Import SpecBase SpecNoise Statement Coins.
Import ListNotations.
Local Open Scope Z_scope.

(* The words of outcome first + j, and those of an outcome that is at most first + j or lowest. *)
Definition noise_coins (noise : fumata_noise) (j : Z) : Z := FumataNoiseHigh noise j - FumataNoiseLow noise j.

Definition noise_reach (noise : fumata_noise) (j : Z) : Z :=
  if j <=? 0 then FumataNoiseHigh noise 0
  else if noise_size noise <=? j then 18446744073709551616 else FumataNoiseHigh noise j.

Lemma draw_size : forall noise coin, (draw noise coin <= length (noise_cdf noise))%nat.
Proof.
  intros noise coin. unfold draw. induction (noise_cdf noise) as [|c l IH]; simpl; [lia|].
  destruct (c <=? coin); simpl; lia.
Qed.

Lemma sorted_filter : forall (l : list Z) coin,
  (forall i j, (i <= j < length l)%nat -> nth i l 0 <= nth j l 0) ->
  forall i, (i < length l)%nat ->
  (i < length (filter (fun c => (c <=? coin)%Z) l))%nat <-> nth i l 0 <= coin.
Proof.
  induction l as [|a l IH]; intros coin Hs i Hi; [simpl in Hi; lia|].
  assert (Hs' : forall i j, (i <= j < length l)%nat -> nth i l 0 <= nth j l 0).
  { intros p q Hpq. apply (Hs (S p) (S q)). simpl. lia. }
  simpl filter. destruct (a <=? coin) eqn:E.
  - apply Z.leb_le in E. destruct i as [|i]; [simpl; lia|]. simpl in Hi.
    specialize (IH coin Hs' i ltac:(lia)). simpl. lia.
  - apply Z.leb_gt in E.
    assert (N : filter (fun c => c <=? coin) l = []).
    { apply filter_none. intros c Hc. apply Z.leb_gt. apply (In_nth l c 0) in Hc. destruct Hc as [n [Hn <-]].
      specialize (Hs 0%nat (S n) ltac:(simpl; lia)). simpl in Hs. lia. }
    rewrite N. simpl. specialize (Hs 0%nat i ltac:(simpl in *; lia)). simpl in Hs. lia.
Qed.

(* The words below entry j are those that draw at most j. *)
Lemma draw_at_most : forall noise coin j, FumataNoiseOk noise -> 0 <= j < noise_size noise ->
  Z.of_nat (draw noise coin) <= j <-> coin < (noise_cdf noise).[j].
Proof.
  intros noise coin j [_ [_ [_ Hs]]] Hj. unfold noise_size in *.
  assert (S : forall p q, (p <= q < length (noise_cdf noise))%nat ->
    nth p (noise_cdf noise) 0 <= nth q (noise_cdf noise) 0).
  { intros p q Hpq. specialize (Hs (Z.of_nat p) (Z.of_nat q)). unfold at_index, noise_size in Hs.
    rewrite !Nat2Z.id in Hs. apply Hs. lia. }
  pose proof (sorted_filter (noise_cdf noise) coin S (Z.to_nat j) ltac:(lia)) as F.
  fold (draw noise coin) in F. fold ((noise_cdf noise).[j]) in F. lia.
Qed.

(* What the contract of the C function says of a draw, and that it says enough. *)
Theorem draw_owns : forall noise coin j, FumataNoiseOk noise -> 0 <= coin < 18446744073709551616 ->
  FumataNoiseOwns noise j coin <-> j = Z.of_nat (draw noise coin).
Proof.
  intros noise coin j Hok Hc. pose proof (draw_size noise coin) as Hd. pose proof (proj1 Hok) as Hsize.
  assert (HS : noise_size noise = Z.of_nat (length (noise_cdf noise))) by reflexivity.
  unfold FumataNoiseOwns, FumataNoiseLow, FumataNoiseHigh. split.
  - intros [Hj [H1 H2]].
    destruct (Z.eqb_spec j 0) as [E0|E0]; destruct (Z.eqb_spec j (noise_size noise)) as [E1|E1].
    + lia.
    + pose proof (draw_at_most noise coin j Hok ltac:(lia)). lia.
    + pose proof (draw_at_most noise coin (j - 1) Hok ltac:(lia)). lia.
    + pose proof (draw_at_most noise coin j Hok ltac:(lia)).
      pose proof (draw_at_most noise coin (j - 1) Hok ltac:(lia)). lia.
  - intros ->. split; [lia|]. split.
    + destruct (Z.of_nat (draw noise coin) =? 0) eqn:E; [lia|]. apply Z.eqb_neq in E.
      pose proof (draw_at_most noise coin (Z.of_nat (draw noise coin) - 1) Hok ltac:(lia)). lia.
    + destruct (Z.of_nat (draw noise coin) =? noise_size noise) eqn:E; [lia|]. apply Z.eqb_neq in E.
      apply (draw_at_most noise coin (Z.of_nat (draw noise coin)) Hok); lia.
Qed.

Lemma words_value : words = 18446744073709551616.
Proof. reflexivity. Qed.

Lemma filter_split : forall A (p q : A -> bool) l, (forall x, In x l -> q x = true -> p x = true) ->
  length (filter p l) = (length (filter q l) + length (filter (fun x => p x && negb (q x)) l))%nat.
Proof.
  induction l as [|x l IH]; intros H; simpl; [reflexivity|].
  specialize (IH (fun y Hy => H y (or_intror Hy))). specialize (H x (or_introl eq_refl)).
  destruct (q x); destruct (p x); simpl; lia.
Qed.

Lemma filter_same : forall A (p q : A -> bool) l, (forall x, In x l -> p x = q x) -> filter p l = filter q l.
Proof. intros A p q l H. apply filter_ext_in. exact H. Qed.

(* How many words lie between a and b. *)
Lemma count_between : forall n a b, 0 <= a <= b -> b <= n ->
  length (filter (fun u => (a <=? u) && (u <? b)) (below n)) = Z.to_nat (b - a).
Proof.
  intros n a b Ha Hb.
  pose proof (filter_split _ (fun u => u <? b) (fun u => u <? a) (below n)) as S.
  rewrite !count_below in S by lia.
  rewrite (filter_same _ (fun u => (a <=? u) && (u <? b)) (fun u => (u <? b) && negb (u <? a))).
  - specialize (S ltac:(intros x _ Hx; apply Z.ltb_lt in Hx; apply Z.ltb_lt; lia)). lia.
  - intros x _. rewrite andb_comm. f_equal. apply Z.leb_antisym.
Qed.

Lemma noise_order : forall noise j, FumataNoiseOk noise -> 0 <= j <= noise_size noise ->
  0 <= FumataNoiseLow noise j <= FumataNoiseHigh noise j /\ FumataNoiseHigh noise j <= 18446744073709551616.
Proof.
  intros noise j [Hs [_ [Hr Hn]]] Hj. unfold FumataNoiseLow, FumataNoiseHigh.
  destruct (Z.eqb_spec j 0) as [E0|E0]; destruct (Z.eqb_spec j (noise_size noise)) as [E1|E1].
  - lia.
  - pose proof (Hr j ltac:(lia)). lia.
  - pose proof (Hr (j - 1) ltac:(lia)). lia.
  - pose proof (Hr (j - 1) ltac:(lia)). pose proof (Hr j ltac:(lia)). pose proof (Hn (j - 1) j ltac:(lia)). lia.
Qed.

(* T-NOISE-1 as a probability: noise_coins words draw the outcome first + j. *)
Theorem draw_count : forall noise j, FumataNoiseOk noise -> 0 <= Z.of_nat j <= noise_size noise ->
  length (filter (fun u => (draw noise u =? j)%nat) (below words)) = Z.to_nat (noise_coins noise (Z.of_nat j)).
Proof.
  intros noise j Hok Hj. unfold noise_coins.
  destruct (noise_order noise (Z.of_nat j) Hok Hj) as [O1 O2].
  rewrite <- (count_between words (FumataNoiseLow noise (Z.of_nat j))) by (rewrite ?words_value; lia).
  apply (f_equal (@length Z)). apply filter_same. intros u Hin. pose proof (proj1 (in_below words u) Hin) as Hu.
  clear Hin. rewrite words_value in Hu.
  pose proof (draw_owns noise u (Z.of_nat j) Hok Hu) as D. unfold FumataNoiseOwns in D.
  destruct (draw noise u =? j)%nat eqn:E.
  - apply Nat.eqb_eq in E. symmetry. apply andb_true_iff. rewrite Z.leb_le, Z.ltb_lt. apply D. lia.
  - apply Nat.eqb_neq in E. symmetry. apply andb_false_iff. rewrite Z.leb_gt, Z.ltb_ge.
    destruct (Z_lt_ge_dec u (FumataNoiseLow noise (Z.of_nat j))); [left; lia|].
    destruct (Z_lt_ge_dec u (FumataNoiseHigh noise (Z.of_nat j))); [|right; lia].
    exfalso. apply E. apply Nat2Z.inj. symmetry. apply D. lia.
Qed.

(* Silence: the lowest outcome, or one that is at most first + t. *)
Definition at_most_or_lowest (noise : fumata_noise) (t : Z) (coin : Z) : bool :=
  (draw noise coin =? 0)%nat || (Z.of_nat (draw noise coin) <=? t).

Theorem reach_count : forall noise t, FumataNoiseOk noise ->
  length (filter (at_most_or_lowest noise t) (below words)) = Z.to_nat (noise_reach noise t).
Proof.
  intros noise t Hok. pose proof Hok as [Hs [_ [Hr _]]]. unfold noise_reach, FumataNoiseHigh.
  assert (Low : forall t, 0 <= t < noise_size noise -> length (filter (fun u => Z.of_nat (draw noise u) <=? t) (below
    words))
    = Z.to_nat ((noise_cdf noise).[t])).
  { intros s Hj. pose proof (Hr s Hj). rewrite <- (count_below words) by (rewrite words_value; lia).
    apply (f_equal (@length Z)). apply filter_same. intros u _. pose proof (draw_at_most noise u s Hok Hj) as D.
    destruct (Z.of_nat (draw noise u) <=? s) eqn:E; destruct (u <? (noise_cdf noise).[s]) eqn:F; try reflexivity;
      [apply Z.leb_le in E; apply Z.ltb_ge in F|apply Z.leb_gt in E; apply Z.ltb_lt in F]; lia. }
  destruct (t <=? 0) eqn:E0.
  - apply Z.leb_le in E0. destruct (0 =? noise_size noise) eqn:E; [apply Z.eqb_eq in E; lia|].
    rewrite <- Low by lia. apply (f_equal (@length Z)). apply filter_same. intros u _. unfold at_most_or_lowest.
    destruct (draw noise u =? 0)%nat eqn:D; simpl.
    + apply Nat.eqb_eq in D. rewrite D. reflexivity.
    + apply Nat.eqb_neq in D. transitivity false; [|symmetry]; apply Z.leb_gt; lia.
  - apply Z.leb_gt in E0. destruct (noise_size noise <=? t) eqn:E1.
    + apply Z.leb_le in E1. rewrite filter_all; [rewrite length_below, words_value; reflexivity|].
      intros u _. unfold at_most_or_lowest. apply orb_true_iff. right. apply Z.leb_le.
      pose proof (draw_size noise u). unfold noise_size in E1. lia.
    + apply Z.leb_gt in E1. destruct (t =? noise_size noise) eqn:E; [apply Z.eqb_eq in E; lia|].
      rewrite <- Low by lia. apply (f_equal (@length Z)). apply filter_same. intros u _. unfold at_most_or_lowest.
      destruct (draw noise u =? 0)%nat eqn:D; simpl; [|reflexivity].
      apply Nat.eqb_eq in D. rewrite D. symmetry. apply Z.leb_le. lia.
Qed.
