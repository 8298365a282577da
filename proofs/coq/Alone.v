(* A release that is open, on two data sets: what is believed about it after some answers is a law of what it may have
   become, which is worth less with every answer. `worst` is the most that anyone gains who asks it n times more, `kept`
   is the rest of what it is worth; what the answers to one more request keep together is never less. *)
From Coq Require Import Reals Lra Lia Psatz List Bool Arith.
From Fumata Require Import Statement Divergence Uniform.
Import ListNotations.
Local Open Scope R_scope.

Definition expect {T} (mu : law T) (h : T -> R) : R := sum (fun e => snd e * h (fst e)) mu.

Lemma Pr_expect : forall T (mu : law T) S, Pr mu S = expect mu (fun t => if S t then 1 else 0).
Proof.
  intros T mu S. unfold expect. induction mu as [|[x w] mu IH]; [reflexivity|]. cbn [Pr sum fst snd]. rewrite IH.
  destruct (S x); ring.
Qed.

Lemma Pr_nothing : forall T (mu : law T), Pr mu (fun _ => false) = 0.
Proof. intros T mu. induction mu as [|[x w] mu IH]; cbn [Pr]; [reflexivity|]. rewrite IH. ring. Qed.

Lemma sum_swap : forall A B (f : A -> B -> R) l l',
  sum (fun x => sum (f x) l') l = sum (fun y => sum (fun x => f x y) l) l'.
Proof.
  intros A B f l l'. induction l as [|x l IH]; simpl; [rewrite sum_const; ring|]. rewrite IH, <- sum_plus. reflexivity.
Qed.

Lemma expect_sum : forall T B (mu : law T) (f : B -> T -> R) l,
  expect mu (fun t => sum (fun b => f b t) l) = sum (fun b => expect mu (f b)) l.
Proof.
  intros T B mu f l. unfold expect. rewrite <- sum_swap. apply sum_ext. intros e _. symmetry. apply sum_scale.
Qed.

Lemma expect_ext : forall T (mu : law T) h h', (forall t, h t = h' t) -> expect mu h = expect mu h'.
Proof. intros T mu h h' H. apply sum_ext. intros e _. rewrite H. reflexivity. Qed.

(* Of a list without duplicates, one is picked. *)
Lemma sum_pick : forall A (same : forall a b : A, {a = b} + {a <> b}) (f : A -> R) b l, NoDup l -> In b l ->
  sum (fun a => if same b a then f a else 0) l = f b.
Proof.
  intros A same f b l N H. induction l as [|a l IH]; [contradiction|]. inversion N as [|x y Na Nl]; subst. cbn [sum].
  destruct (same b a) as [E|E].
  - subst a. rewrite (sum_ext _ _ (fun _ => 0)); [rewrite sum_const; ring|]. intros c Hc.
    destruct (same b c) as [E|E]; [subst; contradiction|reflexivity].
  - destruct H as [H|H]; [congruence|]. rewrite IH by assumption. ring.
Qed.

(* Who asks the same is told the same; and what was said before only stands at the end. *)
Lemma alone_ext : forall X A (next next' : list A -> option X), (forall l, next l = next' l) ->
  forall n p seen, alone n next p seen = alone n next' p seen.
Proof.
  intros X A next next' H. induction n as [|n IH]; intros p seen; [reflexivity|]. cbn [alone]. rewrite H.
  destruct (next' seen) as [x|]; [|reflexivity]. destruct (ask p x) as [a q]. apply IH.
Qed.

Lemma alone_before : forall X A (next : list A -> option X) before n p seen,
  alone n next p (seen ++ before) = alone n (fun l => next (l ++ before)) p seen ++ before.
Proof.
  intros X A next before. induction n as [|n IH]; intros p seen; [reflexivity|]. cbn [alone].
  destruct (next (seen ++ before)) as [x|]; [|reflexivity]. destruct (ask p x) as [a q]. exact (IH q (a :: seen)).
Qed.

(* At most so many requests in all. *)
Definition cut {X A} (limit : nat) (next : list A -> option X) (seen : list A) : option X :=
  if (length seen <? limit)%nat then next seen else None.

Lemma alone_cut : forall X A (next : list A -> option X) n p seen,
  alone (S n) (cut (length seen + n) next) p seen = alone n next p seen.
Proof.
  intros X A next. induction n as [|n IH]; intros p seen.
  { cbn [alone]. unfold cut. destruct (Nat.ltb_spec (length seen) (length seen + 0)); [lia|reflexivity]. }
  change (alone (S (S n)) ?f p seen) with
    (match f seen with Some x => let (a, q) := ask p x in alone (S n) f q (a :: seen) | None => seen end).
  cbn [alone]. unfold cut at 1. destruct (Nat.ltb_spec (length seen) (length seen + S n)); [|lia].
  destruct (next seen) as [x|]; [|reflexivity]. destruct (ask p x) as [a q]. rewrite <- IH. cbn [length].
  replace (length seen + S n)%nat with (S (length seen) + n)%nat by lia. reflexivity.
Qed.

Section Belief.
  Variables X A : Type.
  Variable same : forall a b : A, {a = b} + {a <> b}.

  Definition belief := law (process X A).
  Definition mass (mu : belief) : R := Pr mu everything.

  (* What it has become if it answers a to x. *)
  Definition told (x : X) (a : A) (mu : belief) : belief :=
    flat_map (fun e => if same (fst (ask (fst e) x)) a then [(snd (ask (fst e) x), snd e)] else []) mu.
  Definition answers (x : X) (mu : belief) : list A := map (fun e => fst (ask (fst e) x)) mu.

  Lemma told_nonnegative : forall x a mu, nonnegative mu -> nonnegative (told x a mu).
  Proof.
    intros x a mu H. unfold nonnegative, told in *. apply Forall_flat_map. eapply Forall_impl; [|exact H].
    intros e He. destruct (same _ a); [constructor; [exact He|constructor]|constructor].
  Qed.

  (* One answer after the other. *)
  Lemma expect_told : forall x (f : A -> process X A -> R) mu l, NoDup l -> incl (answers x mu) l ->
    sum (fun a => expect (told x a mu) (f a)) l = expect mu (fun p => f (fst (ask p x)) (snd (ask p x))).
  Proof.
    intros x f mu l N. induction mu as [|e mu IH]; intros H.
    { cbn. rewrite sum_const. ring. }
    rewrite (sum_ext _ _ (fun a => (if same (fst (ask (fst e) x)) a then snd e * f a (snd (ask (fst e) x)) else 0) +
      expect (told x a mu) (f a))).
    2:{ intros a _. unfold expect, told. cbn [flat_map]. rewrite sum_app. f_equal.
        destruct (same _ a); cbn [sum fst snd]; ring. }
    rewrite sum_plus, IH by (intros a Ha; apply H; right; exact Ha).
    rewrite (sum_pick _ _ (fun a => snd e * f a (snd (ask (fst e) x)))) by (try exact N; apply H; left; reflexivity).
    reflexivity.
  Qed.

  Lemma mass_expect : forall mu, mass mu = expect mu (fun _ => 1).
  Proof. intros mu. apply Pr_expect. Qed.

  Lemma mass_told : forall x mu l, NoDup l -> incl (answers x mu) l -> mass mu = sum (fun a => mass (told x a mu)) l.
  Proof.
    intros x mu l N H. rewrite mass_expect, <- (expect_told x (fun _ _ => 1) mu l N H). apply sum_ext. intros a _.
    symmetry. apply mass_expect.
  Qed.

  (* Someone who asks, and the event that is bet on. *)
  Definition player := ((list A -> option X) * (list A -> bool))%type.
  Definition chance (n : nat) (who : player) (mu : belief) : R := Pr mu (fun p => snd who (alone n (fst who) p [])).

  (* Who asks x first and goes on as the answer suggests. *)
  Definition first_ask (x : X) (F : A -> player) : player :=
    (fun seen => match rev seen with [] => Some x | a :: l => fst (F a) (rev l) end,
     fun seen => match rev seen with [] => false | a :: l => snd (F a) (rev l) end).

  Lemma chance_first : forall n x F mu l, NoDup l -> incl (answers x mu) l ->
    chance (S n) (first_ask x F) mu = sum (fun a => chance n (F a) (told x a mu)) l.
  Proof.
    intros n x F mu l N H. unfold chance. rewrite Pr_expect.
    rewrite (sum_ext _ _ (fun a => expect (told x a mu) (fun p => if snd (F a) (alone n (fst (F a)) p []) then 1 else 0)))
      by (intros a _; apply Pr_expect).
    rewrite (expect_told x (fun a p => if snd (F a) (alone n (fst (F a)) p []) then 1 else 0) mu l N H).
    apply expect_ext. intros p. cbn [alone first_ask fst snd rev]. destruct (ask p x) as [a q]. cbn [fst snd].
    rewrite (alone_before X A _ [a] n q []), (alone_ext X A _ (fst (F a))).
    - rewrite rev_app_distr. cbn [rev app]. rewrite rev_involutive. reflexivity.
    - intros l'. rewrite rev_app_distr. cbn [rev app]. rewrite rev_involutive. reflexivity.
  Qed.

  Variable epsilon : R.
  Definition gain (n : nat) (who : player) (mu mu' : belief) : R := chance n who mu - exp epsilon * chance n who mu'.

  Definition gains (n : nat) (mu mu' : belief) (r : R) : Prop := exists who, r = Rmin (gain n who mu mu') (mass mu).
  Lemma gains_bound : forall n mu mu', bound (gains n mu mu').
  Proof. intros n mu mu'. exists (mass mu). intros r [who ->]. apply Rmin_r. Qed.
  Lemma gains_some : forall n mu mu', exists r, gains n mu mu' r.
  Proof. intros n mu mu'. eexists. exists (fun _ => None, fun _ => true). reflexivity. Qed.
  Definition worst (n : nat) (mu mu' : belief) : R :=
    proj1_sig (completeness (gains n mu mu') (gains_bound n mu mu') (gains_some n mu mu')).

  Lemma worst_least : forall n mu mu' r, (forall who, gain n who mu mu' <= r) -> worst n mu mu' <= r.
  Proof.
    intros n mu mu' r H. unfold worst. destruct (completeness _ _ _) as [m L]. cbn [proj1_sig]. apply L. intros s [who ->].
    eapply Rle_trans; [apply Rmin_l|apply H].
  Qed.

  Lemma gain_mass : forall n who mu mu', nonnegative mu -> nonnegative mu' -> gain n who mu mu' <= mass mu.
  Proof.
    intros n who mu mu' H H'. unfold gain, chance, mass.
    assert (L : forall S, Pr mu S <= Pr mu everything) by (intros S; apply Pr_mono; [exact H|reflexivity]).
    specialize (L (fun p => snd who (alone n (fst who) p []))).
    pose proof (Rmult_le_pos _ _ (Rlt_le _ _ (exp_pos epsilon))
      (Pr_nonnegative _ mu' (fun p => snd who (alone n (fst who) p [])) H')). lra.
  Qed.

  Lemma worst_bound : forall n who mu mu', nonnegative mu -> nonnegative mu' -> gain n who mu mu' <= worst n mu mu'.
  Proof.
    intros n who mu mu' H H'. unfold worst. destruct (completeness _ _ _) as [m U]. cbn [proj1_sig].
    rewrite <- (Rmin_left _ _ (gain_mass n who mu mu' H H')). apply U. exists who. reflexivity.
  Qed.

  (* The worst of each of some are together no worse than the worst of all. *)
  Lemma worst_together : forall n (mus mus' : A -> belief) l r, NoDup l ->
    (forall F : A -> player, sum (fun a => gain n (F a) (mus a) (mus' a)) l <= r) ->
    sum (fun a => worst n (mus a) (mus' a)) l <= r.
  Proof.
    intros n mus mus' l. induction l as [|a l IH]; intros r N H.
    { exact (H (fun _ => (fun _ => None, fun _ => true))). }
    inversion N as [|x y Na Nl]; subst. cbn [sum].
    assert (W : worst n (mus a) (mus' a) <= r - sum (fun a => worst n (mus a) (mus' a)) l); [|lra].
    apply worst_least. intros who.
    assert (sum (fun a => worst n (mus a) (mus' a)) l <= r - gain n who (mus a) (mus' a)); [|lra].
    apply IH; [exact Nl|]. intros F. specialize (H (fun b => if same b a then who else F b)). cbn [sum] in H.
    destruct (same a a) as [_|C]; [|contradiction].
    rewrite (sum_ext _ _ (fun b => gain n (F b) (mus b) (mus' b))) in H; [lra|]. intros b Hb.
    destruct (same b a) as [E|_]; [subst; contradiction|reflexivity].
  Qed.

  (* What is left of a belief when the worst has gained. *)
  Definition kept (n : nat) (mu mu' : belief) : R := mass mu - worst n mu mu'.

  Lemma kept_told : forall n x mu mu' l, nonnegative mu -> nonnegative mu' -> NoDup l ->
    incl (answers x mu) l -> incl (answers x mu') l ->
    kept (S n) mu mu' <= sum (fun a => kept n (told x a mu) (told x a mu')) l.
  Proof.
    intros n x mu mu' l H H' N I I'. unfold kept.
    assert (W : sum (fun a => worst n (told x a mu) (told x a mu')) l <= worst (S n) mu mu').
    { apply (worst_together n (fun a => told x a mu) (fun a => told x a mu')); [exact N|]. intros F.
      eapply Rle_trans; [|apply (worst_bound (S n) (first_ask x F)); assumption]. unfold gain.
      rewrite !(chance_first n x F _ l) by assumption. rewrite <- sum_scale. right.
      rewrite (sum_ext _ _ (fun a => chance n (F a) (told x a mu) + - 1 * (exp epsilon * chance n (F a) (told x a mu'))))
        by (intros; ring).
      rewrite sum_plus, !sum_scale. ring. }
    rewrite (sum_ext _ _ (fun a => mass (told x a mu) + - 1 * worst n (told x a mu) (told x a mu'))) by (intros; ring).
    rewrite sum_plus, sum_scale, <- (mass_told x mu l N I). lra.
  Qed.

  Lemma kept_fewer : forall n mu mu', nonnegative mu -> nonnegative mu' -> kept (S n) mu mu' <= kept n mu mu'.
  Proof.
    intros n mu mu' H H'. unfold kept. assert (W : worst n mu mu' <= worst (S n) mu mu'); [|lra].
    apply worst_least. intros [next S]. eapply Rle_trans; [|apply (worst_bound _ (cut n next, S)); assumption]. right.
    unfold gain, chance. cbn [fst snd]. rewrite !Pr_expect. f_equal; [|f_equal]; apply expect_ext; intros p;
      rewrite <- (alone_cut X A next n p []); reflexivity.
  Qed.

  Lemma kept_within : forall n mu mu', nonnegative mu -> nonnegative mu' ->
    0 <= kept n mu mu' <= mass mu /\ kept n mu mu' <= exp epsilon * mass mu'.
  Proof.
    intros n mu mu' H H'. unfold kept.
    assert (W : worst n mu mu' <= mass mu) by (apply worst_least; intros who; apply gain_mass; assumption).
    pose proof (worst_bound n (fun _ => None, fun _ => true) mu mu' H H') as W1.
    pose proof (worst_bound n (fun _ => None, fun _ => false) mu mu' H H') as W2.
    unfold gain, chance in *. cbn [fst snd] in *. fold (mass mu) (mass mu') in W1.
    rewrite !Pr_nothing in W2. lra.
  Qed.

  (* What is safe keeps all but delta, whatever is asked. *)
  Lemma kept_safe : forall n delta mu mu', mass mu = 1 ->
    (forall next, within epsilon delta (post (fun p => alone n next p []) mu) (post (fun p => alone n next p []) mu')) ->
    1 - delta <= kept n mu mu'.
  Proof.
    intros n delta mu mu' M W. unfold kept. rewrite M. assert (worst n mu mu' <= delta); [|lra].
    apply worst_least. intros [next S]. specialize (W next S). rewrite !Pr_post in W. unfold gain, chance. cbn [fst snd].
    lra.
  Qed.
End Belief.
