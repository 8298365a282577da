(* The poll of Statement.v. Its coins give the leads of TheoremN.v; and when a unit comes or goes, everybody else votes as
   before, so that leads differ only where it votes, by at most 1, and it votes at most B times over all crashes. *)
From Coq Require Import Reals Lra Lia ZArith List Bool.
From Fumata Require Import SpecPlan SpecCertifyToll Statement Divergence Uniform Game TheoremM TheoremN Coins
  CertificateTotal CertificateToll.
Import ListNotations.
Local Open Scope R_scope.
Local Opaque words below.

(* The step, before the coin is tossed. *)
Definition poll_turn {key record} (same : equality key) (limit : nat) (data : list (row key record)) (s : crowd key)
  (m : poll_move) : @outcome (crowd key) :=
  match m, s with
  | Vote q, Crowd uses cast stored ready => Quiet (Crowd
      (fun x => if votes same data limit uses q x then S (uses x) else uses x)
      (cast ++ [lead same data limit uses q]) stored ready)
  | Store, Crowd uses cast _ ready => Quiet (Crowd uses [] uses (ready ++ cast))
  | Draw, Crowd _ _ _ [] => Quiet s
  | Draw, Crowd uses cast stored (l :: rest) => Toss l (Crowd uses cast stored rest)
  | Clear, Crowd uses _ stored _ => Quiet (Crowd uses [] stored [])
  | Restart, Crowd _ _ stored _ => Quiet (Crowd stored [] stored [])
  end.

Definition tossed {state} (table : list Z) (o : @outcome state) (u : Z) : option bool * state :=
  match o with Quiet s => (None, s) | Toss l s => (Some (says_yes table l u), s) end.

Lemma poll_step_is : forall key record same plan (data : list (row key record)) s m u,
  poll_step same plan data s m u =
  tossed (toll_plan_named plan) (poll_turn same (Z.to_nat (toll_plan_limit plan)) data s m) u.
Proof. intros key record same plan data [uses cast stored [|l rest]] [q| | | |] u; reflexivity. Qed.

(* Words that say yes. *)
Lemma words_some : 0 < INR (length (below words)).
Proof. apply lt_0_INR. pose proof words_nonempty. destruct (below words); [contradiction|simpl; lia]. Qed.

Lemma share_not : forall (b : Z -> bool),
  INR (length (filter (fun u => negb (b u)) (below words))) / INR (length (below words)) =
  1 - INR (length (filter b (below words))) / INR (length (below words)).
Proof.
  intros b. pose proof words_some as N. revert N. generalize (below words). intros us N.
  replace (INR (length (filter (fun u => negb (b u)) us))) with (INR (length us) - INR (length (filter b us)));
    [field; lra|].
  clear N. induction us as [|u us IH]; [simpl; lra|]. cbn [filter length].
  destruct (b u); cbn [negb length]; rewrite !S_INR; lra.
Qed.

Lemma favour_share : forall table l, in_range table ->
  favour (naming table) l = INR (length (filter (says_yes table l) (below words))) / INR (length (below words)).
Proof.
  intros table l H. unfold favour, says_yes. destruct (Z.ltb_spec l 0); [|apply naming_share; exact H].
  rewrite (naming_share table (Z.to_nat (- l)) H). symmetry. apply share_not.
Qed.

(* Coins give leads. *)
Lemma tossing_is_leads : forall state request table (turn : state -> request -> outcome)
  (step : state -> request -> Z -> option bool * state) next S, in_range table ->
  (forall s x u, step s x u = tossed table (turn s x) u) ->
  forall k n s seen,
  Pr (uniform (tuples (below words) n)) (fun us => S (alone k next (tossing None step s us) seen)) =
  Pr (leads (naming table) next turn k n s seen) S.
Proof.
  intros state request table turn step next S Ht Hs.
  assert (Const : forall n (b : bool), Pr (uniform (tuples (below words) n)) (fun _ => b) = if b then 1 else 0).
  { intros n b. destruct (is_law_uniform _ _ (tuples_not_nil Z (below words) n words_nonempty)) as [_ T].
    destruct b; [exact T|]. rewrite Pr_uniform, sum_const. ring. }
  pose proof words_some as N. assert (End : forall n seen, Pr (uniform (tuples (below words) n)) (fun _ => S seen) = Pr [(seen, 1)] S)
    by (intros n seen; rewrite Const; simpl; ring).
  induction k as [|k IH]; intros n s seen; cbn [alone leads]; [apply End|].
  destruct (next seen) as [x|]; [|apply End]. destruct n as [|n].
  - rewrite <- IH, !Pr_uniform. cbn [tuples sum tossing ask]. reflexivity.
  - rewrite Pr_tuples by exact words_nonempty. cbn [tossing ask].
    rewrite (sum_ext _ _ (fun u => Pr (uniform (tuples (below words) n)) (fun us => let (a, s') := tossed table (turn s x) u in
      S (alone k next (tossing None step s' us) (a :: seen))))).
    2:{ intros u _. rewrite !Pr_uniform. f_equal. apply sum_ext. intros us _. rewrite <- Hs.
        destruct (step s x u) as [a s']. reflexivity. }
    destruct (turn s x) as [s'|l s']; cbn [tossed].
    + rewrite sum_const, IH. field. lra.
    + rewrite Pr_app, !Pr_scale, <- !IH, (favour_share table l Ht).
      rewrite (sum_ext _ _ (fun u => if says_yes table l u
        then Pr (uniform (tuples (below words) n)) (fun us => S (alone k next (tossing None step s' us) (Some true :: seen)))
        else Pr (uniform (tuples (below words) n)) (fun us => S (alone k next (tossing None step s' us) (Some false :: seen)))))
        by (intros u _; destruct (says_yes table l u); reflexivity).
      rewrite sum_if. field. lra.
Qed.

(* 2. One unit more. Who x is, and the data without x. *)
Section Unit.
  Variables key record : Type.
  Variable same : equality key.
  Notation rows := (list (row key record)).

  Lemma differ_own : forall x y (d d' : rows) z, differ x y d d' -> z <> x -> z <> y -> own same d z = own same d' z.
  Proof.
    intros x y d d' z H Hx Hy. unfold own.
    induction H as [|u r d d' Ux Uy H IH|r d d' H IH|r d d' H IH]; cbn [filter fst]; [reflexivity| | |].
    - rewrite IH. reflexivity.
    - destruct (same x z); [congruence|exact IH].
    - destruct (same y z); [congruence|exact IH].
  Qed.

  (* The other units, in the order of nodup. *)
  Lemma differ_units : forall x (d d' : rows), differ x x d d' ->
    remove same x (nodup same (map fst d)) = remove same x (nodup same (map fst d')).
  Proof.
    intros x d d' H.
    induction H as [|u r d d' Ux _ H IH|r d d' H IH|r d d' H IH]; cbn [map fst nodup]; [reflexivity| | |].
    - assert (I : In u (map fst d) <-> In u (map fst d')).
      { clear IH. induction H as [|z s d d' Zx _ H IH|s d d' H IH|s d d' H IH]; cbn [map fst In]; intuition congruence. }
      destruct (in_dec same u (map fst d)); destruct (in_dec same u (map fst d')); try tauto. cbn [remove].
      destruct (same x u); [congruence|]. rewrite IH. reflexivity.
    - destruct (in_dec same x (map fst d)); [exact IH|]. cbn [remove]. destruct (same x x); [exact IH|congruence].
    - destruct (in_dec same x (map fst d')); [exact IH|]. cbn [remove]. destruct (same x x); [exact IH|congruence].
  Qed.

  (* A sum over those who are chosen, one of them apart. *)
  Definition total (f : key -> Z) (b : key -> bool) (l : list key) : Z := fold_right Z.add 0%Z (map f (filter b l)).

  Lemma total_apart : forall f b x l, NoDup l ->
    total f b l = ((if in_dec same x l then if b x then f x else 0 else 0) + total f b (remove same x l))%Z.
  Proof.
    intros f b x l N. unfold total. induction l as [|z l IH]; [reflexivity|]. inversion N as [|? ? Nz Nl]; subst.
    specialize (IH Nl). cbn [remove filter]. destruct (same x z) as [<-|Hz].
    - rewrite notin_remove in IH |- * by exact Nz. destruct (in_dec same x (x :: l)) as [_|H]; [|destruct H; left; reflexivity].
      destruct (b x); cbn [map fold_right]; lia.
    - cbn [filter].
      destruct (in_dec same x l) as [i|i]; destruct (in_dec same x (z :: l)) as [j|j]; cbn [In] in j; try tauto;
        destruct (b z); cbn [map fold_right]; rewrite IH; try lia; destruct j as [j|j]; congruence.
  Qed.

  Lemma total_ext : forall f f' b b' l, (forall z, In z l -> f z = f' z /\ b z = b' z) -> total f b l = total f' b' l.
  Proof.
    intros f f' b b' l H. unfold total. induction l as [|z l IH]; [reflexivity|]. cbn [filter].
    destruct (H z (or_introl eq_refl)) as [E1 E2]. rewrite E2. specialize (IH (fun y Hy => H y (or_intror Hy))).
    destruct (b' z); [|exact IH]. cbn [map fold_right]. rewrite E1, IH. reflexivity.
  Qed.

  Lemma quot_near : forall m a a', (0 < m)%Z -> (a <= a' + m)%Z -> (Z.quot a m <= Z.quot a' m + 1)%Z.
  Proof.
    intros m a a' Hm H.
    pose proof (Z.quot_rem' a m). pose proof (Z.quot_rem' a' m).
    pose proof (Z.rem_bound_abs a m ltac:(lia)). pose proof (Z.rem_bound_abs a' m ltac:(lia)).
    pose proof (Z.rem_sign_nz a m ltac:(lia)). pose proof (Z.rem_sign_nz a' m ltac:(lia)).
    nia.
  Qed.

  Lemma voice_bounds : forall (q : inquiry key record) r, (- Zpos (most q) <= voice q r <= Zpos (most q))%Z.
  Proof. intros q r. unfold voice. lia. Qed.

  Variables (d d' : rows) (x : key).
  Hypothesis Hd : differ x x d d'.
  Hypothesis Hx : ~ In x (map fst d').
  Variable B : nat.

  Definition others_agree (u u' : key -> nat) : Prop := forall z, z <> x -> u z = u' z.

  Lemma others_vote : forall u u' q z, others_agree u u' -> z <> x -> votes same d B u q z = votes same d' B u' q z.
  Proof. intros u u' q z H Hz. unfold votes. rewrite (H z Hz), (differ_own x x d d' z Hd Hz Hz). reflexivity. Qed.

  Lemma leads_differ : forall u u' q, others_agree u u' ->
    let l := lead same d B u q in let l' := lead same d' B u' q in
    l = l' \/ (votes same d B u q x = true /\ l <= l' + 1 /\ l' <= l + 1)%Z.
  Proof.
    intros u u' q H l l'. unfold l, l', lead. cbv zeta.
    fold (total (fun z => voice q (own same d z)) (votes same d B u q) (nodup same (map fst d))).
    fold (total (fun z => voice q (own same d' z)) (votes same d' B u' q) (nodup same (map fst d'))).
    rewrite (total_apart _ _ x _ (NoDup_nodup same (map fst d))).
    assert (Hx' : ~ In x (nodup same (map fst d'))) by (rewrite nodup_In; exact Hx).
    rewrite <- (notin_remove same _ _ Hx'), <- (differ_units x d d' Hd).
    rewrite (total_ext (fun z => voice q (own same d' z)) (fun z => voice q (own same d z)) (votes same d' B u' q)
      (votes same d B u q)).
    2:{ intros z Hz. apply in_remove in Hz. destruct Hz as [_ Hz].
        rewrite (differ_own x x d d' z Hd Hz Hz), (others_vote u u' q z H Hz). auto. }
    pose proof (voice_bounds q (own same d x)). set (rest := total _ _ _). set (m := Zpos (most q)) in *.
    destruct (in_dec same x (nodup same (map fst d))); [destruct (votes same d B u q x) eqn:V|]; [|left; reflexivity..].
    right. split; [reflexivity|]. split; apply quot_near; unfold m in *; lia.
  Qed.

  (* Leads that wait, of which k differ. *)
  Inductive waiting : nat -> list Z -> list Z -> Prop :=
  | Nobody : waiting 0 [] []
  | As_before : forall k l w w', waiting k w w' -> waiting k (l :: w) (l :: w')
  | With_x : forall k l l' w w', (l <= l' + 1)%Z -> (l' <= l + 1)%Z -> waiting k w w' -> waiting (S k) (l :: w) (l' :: w').

  Lemma waiting_app : forall j w w', waiting j w w' -> forall k v v', waiting k v v' ->
    waiting (j + k) (w ++ v) (w' ++ v').
  Proof.
    intros j w w' H k v v' H'. induction H as [|j l w w' H IH|j l l' w w' L L' H IH]; cbn [app Nat.add];
      [exact H'|apply As_before; exact IH|apply With_x; assumption].
  Qed.

  (* With x on the left and without on the right. What is ready, and what x may still vote after a crash, is at most c. *)
  Definition beside (c : nat) (s s' : crowd key) : Prop :=
    others_agree (uses s) (uses s') /\ others_agree (stored s) (stored s') /\
    exists j k, waiting j (ready s) (ready s') /\ waiting k (cast s) (cast s') /\
      (stored s x + k <= uses s x <= B)%nat /\ (j + (B - stored s x) <= c)%nat.

  Lemma poll_alike : forall c s s' m, beside c s s' ->
    alike beside c (poll_turn same B d s m) (poll_turn same B d' s' m).
  Proof.
    intros c [u a t r] [u' a' t' r'] m [Hu [Ht [j [k [Hr [Ha [Huse Hc]]]]]]]. cbn [uses cast stored ready] in *.
    destruct m as [q| | | |]; cbn [poll_turn].
    - apply Both_quiet. split; [|split; [exact Ht|]]; cbn [uses cast stored ready].
      { intros z Hz. rewrite (Hu z Hz), (others_vote u u' q z Hu Hz). reflexivity. }
      assert (V : votes same d B u q x = true -> (u x < B)%nat).
      { unfold votes. intros V. apply andb_true_iff in V. apply Nat.ltb_lt. apply V. }
      destruct (leads_differ u u' q Hu) as [E|[Vx [L L']]].
      + exists j, k. split; [exact Hr|]. split; [|destruct (votes same d B u q x); [specialize (V eq_refl)|]; lia].
        rewrite E, <- (Nat.add_0_r k). apply waiting_app; [exact Ha|]. apply As_before, Nobody.
      + exists j, (k + 1)%nat. specialize (V Vx). rewrite Vx. split; [exact Hr|]. split; [|lia].
        apply waiting_app; [exact Ha|]. apply With_x; [exact L|exact L'|apply Nobody].
    - apply Both_quiet. split; [exact Hu|]. split; [exact Hu|]. cbn [uses cast stored ready].
      exists (j + k)%nat, O. split; [apply waiting_app; assumption|]. split; [apply Nobody|lia].
    - destruct Hr as [|j l r r' Hr|j l l' r r' L L' Hr].
      + apply Both_quiet. split; [exact Hu|]. split; [exact Ht|]. exists O, k. cbn. repeat split; try assumption; try lia.
        apply Nobody.
      + apply Same_toss. split; [exact Hu|]. split; [exact Ht|]. exists j, k. cbn. repeat split; try assumption; lia.
      + destruct c as [|c]; [lia|]. apply (Near_toss _ _ c); [reflexivity|exact L|exact L'|].
        split; [exact Hu|]. split; [exact Ht|]. exists j, k. cbn. repeat split; try assumption; lia.
    - apply Both_quiet. split; [exact Hu|]. split; [exact Ht|]. cbn [uses cast stored ready].
      exists O, O. split; [apply Nobody|]. split; [apply Nobody|lia].
    - apply Both_quiet. split; [exact Ht|]. split; [exact Ht|]. cbn [uses cast stored ready].
      exists O, O. split; [apply Nobody|]. split; [apply Nobody|lia].
  Qed.

  Definition nobody_voted : crowd key := Crowd (fun _ => O) [] (fun _ => O) [].

  Lemma beside_start : beside B nobody_voted nobody_voted.
  Proof.
    split; [intros z _; reflexivity|]. split; [intros z _; reflexivity|]. exists O, O. cbn.
    repeat split; try apply Nobody; lia.
  Qed.
End Unit.

(* The other way round. *)
Lemma alike_flip : forall state state' (rel : nat -> state -> state' -> Prop) c o o', alike rel c o o' ->
  alike (fun c s' s => rel c s s') c o' o.
Proof.
  intros state state' rel c o o' [s s' H|l s s' H|b l l' s s' E L L' H];
    [apply Both_quiet|apply Same_toss|apply (Near_toss _ _ b)]; assumption.
Qed.

Theorem unit_comes_or_goes : forall key record (same : equality key) w alpha U epsilon limit next k n
  (d d' : list (row key record)), tolled w alpha U -> comes_or_goes d d' ->
  within epsilon (delta_T alpha U limit epsilon)
    (leads w next (poll_turn same limit d) k n (nobody_voted key) [])
    (leads w next (poll_turn same limit d') k n (nobody_voted key) []).
Proof.
  intros key record same w alpha U epsilon limit next k n d d' Hw [x [H [N|N]]].
  - assert (H' : differ x x d' d).
    { clear N. induction H; [apply Nothing|apply Same; assumption|apply Right; assumption|apply Left; assumption]. }
    apply (theorem_N _ _ _ w alpha U epsilon (fun c s' s => beside key x limit c s s')); [exact Hw| |apply beside_start].
    intros c s s' m G. apply alike_flip, poll_alike; assumption.
  - apply (theorem_N _ _ _ w alpha U epsilon (beside key x limit)); [exact Hw| |apply beside_start].
    intros c s s' m G. apply poll_alike; assumption.
Qed.

(* 3. Changed units: one goes, one comes. *)
Lemma within_chain : forall A epsilon delta (P M Q : law A), within epsilon delta P M -> within epsilon delta M Q ->
  within (2 * epsilon) ((1 + exp epsilon) * delta) P Q.
Proof.
  intros A epsilon delta P M Q H1 H2 S. specialize (H1 S). specialize (H2 S). pose proof (exp_pos epsilon).
  replace (2 * epsilon) with (epsilon + epsilon) by ring. rewrite exp_plus. nra.
Qed.

Lemma goes_then_comes : forall key record (d d' : list (row key record)), changes_unit d d' ->
  exists rest, comes_or_goes d rest /\ comes_or_goes rest d'.
Proof.
  intros key record d d' [x [y H]].
  enough (G : exists rest, differ x x d rest /\ differ y y rest d' /\ ~ In x (map fst rest) /\ ~ In y (map fst rest)).
  { destruct G as [rest [G1 [G2 [Nx Ny]]]]. exists rest. split; [exists x|exists y]; tauto. }
  induction H as [|z r d d' Zx Zy H [rest [G1 [G2 [Nx Ny]]]]|r d d' H [rest [G1 [G2 [Nx Ny]]]]|r d d' H [rest [G1 [G2 [Nx Ny]]]]].
  - exists []. repeat split; [apply Nothing|apply Nothing|intros []|intros []].
  - exists ((z, r) :: rest). repeat split; [apply Same; assumption|apply Same; assumption| |]; cbn [map fst In]; intuition.
  - exists rest. repeat split; [apply Left|..]; assumption.
  - exists rest. repeat split; [|apply Right|..]; assumption.
Qed.

(* What holds of leads holds of the sessions. *)
Theorem poll_keeps : certified_poll_is_private.
Proof.
  intros plan claim n key record same Hfit C epsilon delta.
  assert (L : forall data k next, is_law (post (fun p => alone k next p []) (poll (record := record) same plan n data)))
    by (intros; apply is_law_post, is_law_post, is_law_uniform, tuples_not_nil, words_nonempty).
  assert (W : forall k next (data data' : list (row key record)), comes_or_goes data data' -> within epsilon delta
    (post (fun p => alone k next p []) (poll same plan n data)) (post (fun p => alone k next p []) (poll same plan n data'))).
  { intros k next data data' H. eapply within_weaken; [apply (certified_toll_delta plan claim Hfit C)|].
    intros S. unfold poll. rewrite !Pr_post.
    assert (R : in_range (toll_plan_named plan)) by (apply toll_in_range, C).
    rewrite !(tossing_is_leads _ _ _ _ _ next S R (poll_step_is key record same plan _)).
    apply (unit_comes_or_goes key record same); [apply certified_tolled; assumption|exact H]. }
  split; intros k next; split; try (intros data; apply L); intros data data' H; [apply W; exact H|].
  destruct (goes_then_comes key record data data' H) as [rest [H1 H2]]. eapply within_chain; apply W; eassumption.
Qed.
