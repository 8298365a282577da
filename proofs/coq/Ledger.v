(* Releases open at the same time on one data set, opened and asked in whatever order: what they cost adds up, and what
   a ceiling leaves bounds the whole. Each is believed to be something, independently of the others; what all of them
   keep (Alone.v) is a product, which an opening lowers by its delta at most and a request does not lower at all. *)
From Coq Require Import Reals Lra Lia Psatz QArith Qreals List Bool Arith.
From Fumata Require Import Statement Power Divergence Uniform Alone Safe.
Import ListNotations.
Local Open Scope R_scope.

Definition replaced {T} (i : nat) (t : T) (l : list T) : list T := firstn i l ++ t :: skipn (S i) l.

Fixpoint product {T} (f : T -> R) (l : list T) : R := match l with [] => 1 | t :: rest => f t * product f rest end.

Lemma product_le : forall T (g f : T -> R) l, Forall (fun t => 0 <= g t <= f t) l -> 0 <= product g l <= product f l.
Proof.
  intros T g f l H. induction H as [|t l [H0 H1] _ [I0 I1]]; cbn [product]; [lra|].
  split; [apply Rmult_le_pos; assumption|apply Rmult_le_compat; assumption].
Qed.

Lemma product_exp : forall T (c f : T -> R) l, product (fun t => exp (c t) * f t) l = exp (sum c l) * product f l.
Proof.
  intros T c f l. induction l as [|t l IH]; cbn [product sum]; [rewrite exp_0; ring|]. rewrite IH, exp_plus. ring.
Qed.

(* One of them splits: at least, and exactly. *)
Lemma product_split_le : forall T A (g f : T -> R) (h : A -> T) answers l i t, nth_error l i = Some t ->
  Forall (fun t => 0 <= g t <= f t) l -> g t <= sum (fun a => f (h a)) answers ->
  product g l <= sum (fun a => product f (replaced i (h a) l)) answers.
Proof.
  intros T A g f h answers. induction l as [|s l IH]; intros [|i] t E H Ht; try discriminate.
  all: inversion H as [|x y [H0 H1] Hl]; subst; destruct (product_le T g f l Hl) as [P0 P1].
  - injection E as ->. unfold replaced. cbn [firstn skipn app product].
    rewrite (sum_ext _ _ (fun a => product f l * f (h a))) by (intros; ring). rewrite sum_scale.
    rewrite (Rmult_comm (product f l)). apply Rmult_le_compat; assumption.
  - cbn [nth_error] in E. specialize (IH i t E Hl Ht).
    rewrite (sum_ext _ _ (fun a => f s * product f (replaced i (h a) l))) by (intros; reflexivity).
    rewrite sum_scale. cbn [product]. apply Rmult_le_compat; assumption.
Qed.

Lemma product_split : forall T A (f : T -> R) (h : A -> T) answers l i t, nth_error l i = Some t ->
  f t = sum (fun a => f (h a)) answers -> product f l = sum (fun a => product f (replaced i (h a) l)) answers.
Proof.
  intros T A f h answers. induction l as [|s l IH]; intros [|i] t E Ht; try discriminate.
  - injection E as ->. unfold replaced. cbn [firstn skipn app product].
    rewrite (sum_ext _ _ (fun a => product f l * f (h a))) by (intros; ring). rewrite sum_scale, <- Ht. ring.
  - cbn [nth_error] in E. rewrite (sum_ext _ _ (fun a => f s * product f (replaced i (h a) l))) by (intros; reflexivity).
    rewrite sum_scale, <- (IH i t E Ht). reflexivity.
Qed.

Lemma sum_replaced : forall T (c : T -> R) l i t t', nth_error l i = Some t -> c t' = c t ->
  sum c (replaced i t' l) = sum c l.
Proof.
  intros T c. induction l as [|s l IH]; intros [|i] t t' E H; try discriminate.
  - injection E as ->. unfold replaced. cbn. lra.
  - cbn [nth_error] in E. change (c s + sum c (replaced i t' l) = c s + sum c l). rewrite (IH i t t' E H). reflexivity.
Qed.

Lemma Forall_replaced : forall T (P : T -> Prop) l i t, Forall P l -> P t -> Forall P (replaced i t l).
Proof.
  intros T P l i t H Ht. apply Forall_forall. rewrite Forall_forall in H. intros s Hs. apply in_app_or in Hs.
  destruct Hs as [Hs|[<-|Hs]]; [|exact Ht|]; apply H.
  - rewrite <- (firstn_skipn i l). apply in_or_app. left. exact Hs.
  - rewrite <- (firstn_skipn (S i) l). apply in_or_app. right. exact Hs.
Qed.

Lemma map_replaced : forall T B (f : T -> B) l i t, map f (replaced i t l) = replaced i (f t) (map f l).
Proof.
  intros T B f l i t. unfold replaced. rewrite map_app, firstn_map. cbn [map]. rewrite skipn_map. reflexivity.
Qed.

Section Average.
  Variables X A : Type.
  Variable same : forall a b : A, {a = b} + {a <> b}.

  (* Over releases that are believed to be something, each by itself. *)
  Fixpoint average (mus : list (belief X A)) (f : list (process X A) -> R) : R :=
    match mus with [] => f [] | mu :: rest => average rest (fun ps => expect mu (fun p => f (p :: ps))) end.

  Lemma average_ext : forall mus f g, (forall ps, length ps = length mus -> f ps = g ps) -> average mus f = average mus g.
  Proof.
    induction mus as [|mu mus IH]; intros f g H; cbn [average]; [apply H; reflexivity|].
    apply IH. intros ps L. apply expect_ext. intros p. apply H. simpl. lia.
  Qed.

  Lemma average_const : forall mus c, average mus (fun _ => c) = c * product (mass X A) mus.
  Proof.
    induction mus as [|mu mus IH]; intros c; cbn [average product]; [ring|].
    rewrite (average_ext _ _ (fun _ => c * mass X A mu)); [rewrite IH; ring|]. intros ps _.
    rewrite mass_expect. unfold expect. rewrite <- sum_scale. apply sum_ext. intros; ring.
  Qed.

  Lemma average_sum : forall B (f : B -> list (process X A) -> R) l mus,
    average mus (fun ps => sum (fun b => f b ps) l) = sum (fun b => average mus (f b)) l.
  Proof.
    intros B f l mus. revert f. induction mus as [|mu mus IH]; intros f; cbn [average]; [reflexivity|].
    rewrite <- IH. apply average_ext. intros ps _. apply (expect_sum _ _ mu (fun b p => f b (p :: ps))).
  Qed.

  (* One is asked, and it becomes what its answer says. *)
  Lemma average_asked : forall x l mus i mu (f : A -> list (process X A) -> R), NoDup l -> nth_error mus i = Some mu ->
    incl (answers X A x mu) l ->
    average mus (fun ps => match nth_error ps i with None => 0 | Some p =>
      f (fst (ask p x)) (replaced i (snd (ask p x)) ps) end) =
    sum (fun a => average (replaced i (told X A same x a mu) mus) (f a)) l.
  Proof.
    intros x l. induction mus as [|m mus IH]; intros [|i] mu f N E I; try discriminate.
    - injection E as ->. unfold replaced. cbn [average nth_error firstn skipn app].
      rewrite <- average_sum. apply average_ext. intros ps _. symmetry.
      apply (expect_told X A same x (fun a p => f a (p :: ps)) mu l N I).
    - cbn [nth_error] in E. cbn [average].
      rewrite (sum_ext _ _ (fun a => average (replaced i (told X A same x a mu) mus)
        (fun ps => expect m (fun p => f a (p :: ps))))) by (intros; reflexivity).
      rewrite <- (IH i mu (fun a ps => expect m (fun p => f a (p :: ps))) N E I). apply average_ext. intros ps _.
      cbn [nth_error]. destruct (nth_error ps i) as [p|]; [reflexivity|].
      unfold expect. rewrite (sum_ext _ _ (fun _ => 0)) by (intros; ring). rewrite sum_const. ring.
  Qed.
End Average.

Section Bound.
  Variables D X A : Type.
  Variable same : forall a b : A, {a = b} + {a <> b}.
  Variable near : D -> D -> Prop.
  Variable next : list (option A) -> option (@request D X A).
  Hypothesis openings_safe : forall seen Y C e d opening (hear : X -> Y) (say : C -> A),
    next seen = Some (Open e d opening hear say) -> safe (Q2R e) (Q2R d) near opening.
  Variables data data' : D.
  Hypothesis Hnear : near data data'.

  (* An open release: what it cost, and what it is believed to be on either side. *)
  Record open := { price : R; here : belief X A; there : belief X A }.
  Definition sound (o : open) : Prop := nonnegative (here o) /\ nonnegative (there o).
  Definition worth (o : open) : R := mass X A (here o).
  Definition keeps_of (n : nat) (o : open) : R := kept X A (price o) n (here o) (there o).
  Definition asked (x : X) (o : open) (a : A) : open :=
    {| price := price o; here := told X A same x a (here o); there := told X A same x a (there o) |}.

  (* What may be lost: what the open ones do not keep, and the delta of those to come. *)
  Definition lost (n : nat) (delta : R) (os : list open) : R :=
    product worth os - product (keeps_of n) os + product worth os * delta.

  Lemma keeps_between : forall n m os, Forall sound os -> (m <= n)%nat ->
    Forall (fun o => 0 <= keeps_of n o <= keeps_of m o) os.
  Proof.
    intros n m os H L. eapply Forall_impl; [|exact H]. intros o [H1 H2].
    split; [apply kept_within; assumption|]. induction L as [|n L IH]; [apply Rle_refl|].
    eapply Rle_trans; [apply kept_fewer; assumption|exact IH].
  Qed.

  Lemma keeps_worth : forall n os, Forall sound os -> 0 <= product (keeps_of n) os <= product worth os.
  Proof.
    intros n os H. apply product_le. eapply Forall_impl; [|exact H]. intros o [H1 H2]. apply kept_within; assumption.
  Qed.

  Lemma keeps_there : forall n os, Forall sound os ->
    product (keeps_of n) os <= exp (sum price os) * product (fun o => mass X A (there o)) os.
  Proof.
    intros n os H. rewrite <- product_exp. apply product_le. eapply Forall_impl; [|exact H]. intros o [H1 H2].
    destruct (kept_within X A (price o) n (here o) (there o) H1 H2) as [[K0 _] K2]. split; assumption.
  Qed.

  Lemma worth_is : forall os, product worth os = product (mass X A) (map here os).
  Proof. induction os as [|o os IH]; [reflexivity|]. cbn [product map]. rewrite IH. reflexivity. Qed.
  Lemma worth_there : forall os, product (fun o => mass X A (there o)) os = product (mass X A) (map there os).
  Proof. induction os as [|o os IH]; [reflexivity|]. cbn [product map]. rewrite IH. reflexivity. Qed.

  Lemma lost_fewer : forall n d os, Forall sound os -> lost n d os <= lost (S n) d os.
  Proof.
    intros n d os H. unfold lost. destruct (product_le _ _ _ os (keeps_between (S n) n os H ltac:(lia))). lra.
  Qed.

  (* The end. *)
  Lemma nothing_more : forall n e d os T (t : T) S, 0 <= e -> 0 <= d -> Forall sound os ->
    average X A (map here os) (fun _ => Pr [(t, 1)] S) <=
    exp (sum price os + e) * average X A (map there os) (fun _ => Pr [(t, 1)] S) + lost n d os.
  Proof.
    intros n e d os T t S He Hd H. rewrite !average_const, <- worth_is, <- worth_there. unfold lost.
    destruct (keeps_worth n os H) as [K0 K1]. pose proof (keeps_there n os H) as K2.
    assert (0 <= product worth os * d) by (apply Rmult_le_pos; lra). cbn [Pr]. destruct (S t); [|lra].
    assert (E : 1 <= exp e) by (pose proof (exp_lower_3 e He); nra).
    rewrite exp_plus. pose proof (Rmult_le_compat_l _ _ _ (Rle_trans _ _ _ K0 K2) E). lra.
  Qed.

  (* An opening takes its delta from what is left. *)
  Lemma opened_lost : forall n d d' o os, worth o = 1 -> 1 - d' <= keeps_of n o <= 1 -> Forall sound os ->
    lost n (d - d') (o :: os) <= lost (S n) d os.
  Proof.
    intros n d d' o os W [K0 K1] H. eapply Rle_trans; [|apply lost_fewer; exact H]. unfold lost. cbn [product].
    rewrite W. destruct (keeps_worth n os H) as [P0 P1].
    pose proof (Rmult_le_compat_r _ _ _ P0 K0). pose proof (Rmult_le_compat_l d' _ _ ltac:(lra) P1). lra.
  Qed.

  (* The answers to a request lose together what was lost before. *)
  Lemma asked_lost : forall n d x o os i l, nth_error os i = Some o -> Forall sound os -> NoDup l ->
    incl (answers X A x (here o)) l -> incl (answers X A x (there o)) l ->
    sum (fun a => lost n d (replaced i (asked x o a) os)) l <= lost (S n) d os.
  Proof.
    intros n d x o os i l E H N I I'.
    assert (Ho : sound o) by (apply (proj1 (Forall_forall _ _) H), (nth_error_In _ _ E)). destruct Ho as [H1 H2].
    pose proof (product_split_le _ _ (keeps_of (S n)) (keeps_of n) (asked x o) l os i o E
      (keeps_between (S n) n os H ltac:(lia)) (kept_told X A same (price o) n x _ _ l H1 H2 N I I')) as K.
    pose proof (product_split _ _ worth (asked x o) l os i o E (mass_told X A same x (here o) l N I)) as W.
    unfold lost. rewrite (sum_ext _ _ (fun a => (1 + d) * product worth (replaced i (asked x o a) os) +
      - 1 * product (keeps_of n) (replaced i (asked x o a) os))) by (intros; ring).
    rewrite sum_plus, !sum_scale, <- W. lra.
  Qed.

  Lemma nonnegative_Q : forall q, (0 <= q)%Q -> 0 <= Q2R q.
  Proof. intros q H. apply Qle_Rle in H. replace (Q2R 0) with 0 in H by (unfold Q2R; simpl; lra). exact H. Qed.

  (* The ledger as it goes on, whatever the open releases are. *)
  Definition rest (n : nat) (e d : Q) (z : D) (seen : list (option A)) (S : list (option A) -> bool)
    (ps : list (process X A)) : R := Pr (ledger n e d next z ps seen) S.
  Definition bounded (n : nat) (e d : Q) (seen : list (option A)) (os : list open) (S : list (option A) -> bool) :=
    average X A (map here os) (rest n e d data seen S) <=
    exp (sum price os + Q2R e) * average X A (map there os) (rest n e d data' seen S) + lost n (Q2R d) os.

  Lemma rest_asked : forall n e d z seen S (side : open -> belief X A) os i o x l, next seen = Some (Go i x) ->
    nth_error os i = Some o -> NoDup l -> incl (answers X A x (side o)) l ->
    average X A (map side os) (rest (Datatypes.S n) e d z seen S) =
    sum (fun a => average X A (replaced i (told X A same x a (side o)) (map side os))
      (rest n e d z (Some a :: seen) S)) l.
  Proof.
    intros n e d z seen S side os i o x l Ex E N I.
    rewrite <- (average_asked X A same x l (map side os) i (side o) (fun a => rest n e d z (Some a :: seen) S) N
      (map_nth_error side i os E) I).
    apply average_ext. intros ps Hp. rewrite map_length in Hp. unfold rest. cbn [ledger]. rewrite Ex.
    destruct (nth_error ps i) as [p|] eqn:Ep; [destruct (ask p x) as [a p']; reflexivity|].
    apply nth_error_None in Ep. assert (Some_o : nth_error os i <> None) by congruence.
    apply nth_error_Some in Some_o. lia.
  Qed.

  Lemma go_bounded : forall n e d seen os S i x, next seen = Some (Go i x) -> Forall sound os ->
    bounded n e d (None :: seen) os S ->
    (forall a os, Forall sound os -> bounded n e d (Some a :: seen) os S) -> bounded (Datatypes.S n) e d seen os S.
  Proof.
    intros n e d seen os S i x Ex H Nothing IH. unfold bounded in *. destruct (nth_error os i) as [o|] eqn:E.
    2:{ assert (G : forall (side : open -> belief X A) z,
          average X A (map side os) (rest (Datatypes.S n) e d z seen S) =
          average X A (map side os) (rest n e d z (None :: seen) S)).
        { intros side z. apply average_ext. intros ps Hp. rewrite map_length in Hp. unfold rest. cbn [ledger].
          rewrite Ex. apply nth_error_None in E. rewrite (proj2 (nth_error_None ps i)) by lia. reflexivity. }
        rewrite !G. pose proof (lost_fewer n (Q2R d) os H). lra. }
    set (l := nodup same (answers X A x (here o) ++ answers X A x (there o))).
    assert (N : NoDup l) by apply NoDup_nodup.
    assert (I : incl (answers X A x (here o)) l) by (intros a Ha; apply nodup_In, in_or_app; left; exact Ha).
    assert (I' : incl (answers X A x (there o)) l) by (intros a Ha; apply nodup_In, in_or_app; right; exact Ha).
    rewrite (rest_asked n e d data seen S here os i o x l Ex E N I).
    rewrite (rest_asked n e d data' seen S there os i o x l Ex E N I'). rewrite <- sum_scale.
    eapply Rle_trans; [|apply Rplus_le_compat_l, (asked_lost n (Q2R d) x o os i l E H N I I')].
    rewrite <- sum_plus. apply sum_le. intros a _.
    assert (Ho : sound o) by (apply (proj1 (Forall_forall _ _) H), (nth_error_In _ _ E)). destruct Ho as [H1 H2].
    specialize (IH a (replaced i (asked x o a) os) (Forall_replaced _ _ os i (asked x o a) H
      (conj (told_nonnegative X A same x a _ H1) (told_nonnegative X A same x a _ H2)))).
    rewrite !map_replaced, (sum_replaced _ price os i o (asked x o a) E eq_refl) in IH. exact IH.
  Qed.

  Lemma open_bounded : forall n e d seen os S Y C e0 d0 opening (hear : X -> Y) (say : C -> A),
    next seen = Some (Open e0 d0 opening hear say) -> Forall sound os ->
    bounded n e d (None :: seen) os S ->
    (forall os, (e0 <= e)%Q -> (d0 <= d)%Q -> Forall sound os -> bounded n (e - e0) (d - d0) (None :: seen) os S) ->
    bounded (Datatypes.S n) e d seen os S.
  Proof.
    intros n e d seen os S Y C e0 d0 opening hear say Ex H Nothing IH.
    unfold bounded, rest in *. cbn [ledger]. rewrite Ex.
    destruct (Qle_bool e0 e && Qle_bool d0 d) eqn:F; [|pose proof (lost_fewer n (Q2R d) os H); lra].
    apply andb_true_iff in F. destruct F as [F1 F2]. apply Qle_bool_iff in F1, F2.
    pose proof (openings_safe seen Y C e0 d0 opening hear say Ex) as Safe.
    apply (through_safe D X Y C A _ _ near opening hear say) in Safe.
    set (heard := fun z => post (through hear say) (opening z)) in Safe.
    assert (L : forall z, is_law (heard z)) by (apply (safe_is_law _ _ _ _ _ _ _ Safe)).
    assert (G : forall mus z, average X A mus (fun ps => Pr (bind (opening z) (fun p =>
        ledger n (e - e0) (d - d0) next z (through hear say p :: ps) (None :: seen))) S) =
      average X A (heard z :: mus) (fun ps => Pr (ledger n (e - e0) (d - d0) next z ps (None :: seen)) S)).
    { intros mus z. cbn [average]. apply average_ext. intros ps _. unfold heard, expect, post.
      rewrite Pr_bind, sum_map. reflexivity. }
    rewrite !G. clear G. set (o := {| price := Q2R e0; here := heard data; there := heard data' |}).
    assert (Ho : sound o) by (split; apply L). specialize (IH (o :: os) F1 F2 (Forall_cons _ Ho H)).
    rewrite !Q2R_minus in IH. cbn [map sum here there price o] in IH.
    replace (Q2R e0 + sum price os + (Q2R e - Q2R e0)) with (sum price os + Q2R e) in IH by ring.
    eapply Rle_trans; [exact IH|]. apply Rplus_le_compat_l. apply opened_lost; [apply L| |exact H]. split.
    - apply kept_safe; [apply L|]. intros who. apply Safe. exact Hnear.
    - destruct Ho as [H1 H2]. destruct (kept_within X A (price o) n _ _ H1 H2) as [[_ K] _].
      rewrite (proj2 (L data) : mass X A (here o) = 1) in K. exact K.
  Qed.

  Theorem open_releases_add_up : forall n e d seen os S, (0 <= e)%Q -> (0 <= d)%Q -> Forall sound os ->
    bounded n e d seen os S.
  Proof.
    induction n as [|n IH]; intros e d seen os S He Hd H.
    { apply nothing_more; [apply nonnegative_Q; exact He|apply nonnegative_Q; exact Hd|exact H]. }
    destruct (next seen) as [[i x|Y C e0 d0 opening hear say]|] eqn:Ex.
    - apply (go_bounded n e d seen os S i x Ex H); auto.
    - apply (open_bounded n e d seen os S Y C e0 d0 opening hear say Ex H); [auto|]. intros os' F1 F2 H'.
      apply IH; [apply Qle_minus_iff in F1; exact F1|apply Qle_minus_iff in F2; exact F2|exact H'].
    - unfold bounded, rest. cbn [ledger]. rewrite Ex.
      apply nothing_more; [apply nonnegative_Q; exact He|apply nonnegative_Q; exact Hd|exact H].
  Qed.
End Bound.

Theorem ledger_composes : ledger_is_private.
Proof.
  intros D X B near next n epsilon delta same He Hd Hsafe.
  assert (L : forall n e d data ps seen, is_law (ledger n e d next data ps seen)).
  { clear n. induction n as [|n IH]; intros e d data ps seen; [apply is_law_point|]. cbn [ledger].
    destruct (next seen) as [[i x|Y C e0 d0 opening hear say]|] eqn:Ex; [| |apply is_law_point].
    - destruct (nth_error ps i) as [p|]; [|apply IH]. destruct (ask p x) as [a p']. apply IH.
    - destruct (Qle_bool e0 e && Qle_bool d0 d); [|apply IH]. apply is_law_bind; [|intros p; apply IH].
      apply (safe_is_law _ _ _ _ _ _ _ (Hsafe seen Y C e0 d0 opening hear say Ex)). }
  split; [intros data; apply L|]. intros data data' Hnear S.
  pose proof (open_releases_add_up D X B same near next Hsafe data data' Hnear n epsilon delta [] [] S He Hd
    (Forall_nil _)) as Bound.
  unfold bounded, rest, lost in Bound. cbn [map sum average product] in Bound. rewrite Rplus_0_l in Bound. lra.
Qed.
