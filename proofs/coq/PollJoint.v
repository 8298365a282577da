(* The poll of the theorems (Statement.v, section 10) is the poll of the contracts (PollMachine.v): who votes, the lead,
   the queue, the answer, a store, a crash and a resumption are the same steps. The C code numbers the units of a data
   set, which are others when one comes or goes; here each keeps its key, and what it says is said by its own rows. *)
From Coq Require Import Arith Bool Lia List Permutation ZArith.
From Fumata Require Import SpecMachine Machine PollMachine Statement.
Import ListNotations.
Local Open Scope Z_scope.

(* The rules. *)
Lemma lead_rule : forall sum most, 0 < most -> FumataLead sum most = Z.quot sum most.
Proof.
  intros sum most H. unfold FumataLead. destruct (Z.ltb_spec sum 0) as [L|L]; rewrite <- ?Z.quot_div_nonneg by lia;
    [rewrite Z.quot_opp_l, Z.opp_involutive by lia|]; reflexivity.
Qed.

Lemma coins_rule : forall plan d coin, 0 <= d ->
  (coin <? FumataPlanCoins plan d) = is_named (toll_plan_named plan) (Z.to_nat d) coin.
Proof.
  intros plan d coin Hd. unfold is_named, FumataPlanCoins, entry, at_index, toll_plan_size.
  set (table := toll_plan_named plan).
  replace (Z.to_nat d =? 0)%nat with (d =? 0) by (destruct (Z.eqb_spec d 0); destruct (Nat.eqb_spec (Z.to_nat d) 0); lia).
  destruct (Z.eqb_spec d 0); [reflexivity|]. do 2 f_equal. destruct (Z.ltb_spec d (Z.of_nat (length table))); lia.
Qed.

Lemma yes_rule : forall p lead coin, FumataSaysYes_b p lead coin = says_yes (toll_plan_named (poll_plan p)) lead coin.
Proof.
  intros p lead coin. unfold FumataSaysYes_b, says_yes. destruct (Z.ltb_spec lead 0) as [L|L].
  - rewrite <- (coins_rule (poll_plan p)) by lia.
    destruct (Z.leb_spec (FumataPlanCoins (poll_plan p) (- lead)) coin);
      destruct (Z.ltb_spec coin (FumataPlanCoins (poll_plan p) (- lead))); try lia; reflexivity.
  - apply coins_rule. exact L.
Qed.

(* A part of the queue. *)
Definition part (i j : Z) (l : list Z) : list Z := firstn (Z.to_nat (j - i)) (skipn (Z.to_nat i) l).

Lemma part_first : forall i j k l, 0 <= i <= j -> j <= k -> part i j (firstn (Z.to_nat k) l) = part i j l.
Proof.
  intros i j k l H1 H2. unfold part. rewrite skipn_firstn_comm, firstn_firstn. f_equal. lia.
Qed.

Lemma part_empty : forall i l, part i i l = [].
Proof. intros i l. unfold part. rewrite Z.sub_diag. reflexivity. Qed.

Lemma skipn_twice : forall a b (l : list Z), skipn a (skipn b l) = skipn (b + a) l.
Proof.
  intros a b. induction b as [|b IH]; intros l; [reflexivity|]. destruct l as [|x l]; [destruct a; reflexivity|apply IH].
Qed.

Lemma part_split : forall i j k l, 0 <= i <= j -> j <= k -> part i k l = part i j l ++ part j k l.
Proof.
  intros i j k l H1 H2. unfold part.
  rewrite <- (firstn_skipn (Z.to_nat (j - i)) (firstn (Z.to_nat (k - i)) (skipn (Z.to_nat i) l))).
  rewrite firstn_firstn, skipn_firstn_comm, skipn_twice. f_equal; f_equal; try lia. f_equal. lia.
Qed.

Lemma part_one : forall i l, 0 <= i < Z.of_nat (length l) -> part i (i + 1) l = [l.[i]].
Proof.
  intros i l H. unfold part, at_index. replace (Z.to_nat (i + 1 - i)) with 1%nat by lia.
  assert (L : (Z.to_nat i < length l)%nat) by lia. clear H. revert L. generalize (Z.to_nat i). intros n.
  revert l. induction n as [|n IH]; intros [|x l] L; cbn [length] in L; try lia; [reflexivity|]. apply (IH l). lia.
Qed.

Section Units.
  Variables key record : Type.
  Variable same : equality key.
  Variable data : list (row key record).
  Variable name : nat -> key.   (* the key of each number *)
  Notation rows := (list (row key record)).
  Definition size_of_uses (p : fumata_poll) : nat := length (uses_used (poll_uses p)).

  (* The units are numbered from 0, each once. *)
  Definition numbered (p : fumata_poll) : Prop :=
    (forall i j, (i < size_of_uses p)%nat -> (j < size_of_uses p)%nat -> name i = name j -> i = j) /\
    (forall x, In x (map fst data) <-> In x (map name (seq 0 (size_of_uses p)))).

  Lemma named_apart : forall l, NoDup l -> (forall i j, In i l -> In j l -> name i = name j -> i = j) -> NoDup (map name l).
  Proof.
    intros l N. induction N as [|i l Hi N IH]; intros H; [constructor|]. cbn [map]. constructor.
    - intros I. apply in_map_iff in I. destruct I as [j [E I]].
      rewrite (H i j (or_introl eq_refl) (or_intror I) (eq_sym E)) in Hi. contradiction.
    - apply IH. intros a b Ha Hb. apply H; right; assumption.
  Qed.

  (* A poll in memory and the uses that are stored, as the theorems see them. *)
  Definition seen_as (p : fumata_poll) (disk : list Z) (s : crowd key) : Prop :=
    (forall r, (r < size_of_uses p)%nat -> Z.of_nat (uses s (name r)) = (uses_used (poll_uses p)).[Z.of_nat r]) /\
    (forall r, (r < size_of_uses p)%nat -> Z.of_nat (stored s (name r)) = disk.[Z.of_nat r]) /\
    length disk = size_of_uses p /\
    cast s = part (poll_stored p) (poll_asked p) (leads_lead (poll_leads p)) /\
    ready s = part (poll_answered p) (poll_stored p) (leads_lead (poll_leads p)).

  Lemma seen_as_same : forall p p' disk s, 0 <= poll_stored p /\ 0 <= poll_answered p /\ 0 <= poll_asked p ->
    FumataPollInvariant p -> poll_seen p' = poll_seen p -> seen_as p disk s -> seen_as p' disk s.
  Proof.
    intros p p' disk s F [_ [_ [_ [_ [[I1 I2] I3]]]]] E [H1 [H2 [H3 [H4 H5]]]].
    unfold poll_seen in E. injection E as E1 E2 E3 E4 E5 E6 E7. unfold seen_as, size_of_uses in *. rewrite E2.
    split; [exact H1|]. split; [exact H2|]. split; [exact H3|]. rewrite H4, H5, E5, E6, E7. rewrite E5 in E3.
    rewrite <- (part_first (poll_stored p) (poll_asked p) (poll_asked p) (leads_lead (poll_leads p))) by lia.
    rewrite <- (part_first (poll_answered p) (poll_stored p) (poll_asked p) (leads_lead (poll_leads p))) by lia.
    rewrite <- E3, !part_first by lia. auto.
  Qed.

  Lemma sum_chosen : forall (f : key -> Z) (b : key -> bool) l,
    fold_right Z.add 0 (map f (filter b l)) = fold_right Z.add 0 (map (fun x => if b x then f x else 0) l).
  Proof. intros f b l. induction l as [|x l IH]; [reflexivity|]. cbn [filter map fold_right].
  destruct (b x); cbn; lia. Qed.

  Lemma sum_permuted : forall (f : key -> Z) l l', Permutation l l' ->
    fold_right Z.add 0 (map f l) = fold_right Z.add 0 (map f l').
  Proof. intros f l l' H. induction H; cbn [map fold_right]; lia. Qed.

  (* Whatever is asked: each unit has the vote that the rule of the theorems gives it. *)
  Lemma asks_joint : forall p disk s most vote q u, fumata_poll_fits p -> FumataPollInvariant p ->
    poll_asked p < leads_size (poll_leads p) -> numbered p -> seen_as p disk s -> most = Zpos (Statement.most q) ->
    (forall r, (r < size_of_uses p)%nat -> vote (Z.of_nat r) =
       if (uses_used (poll_uses p)).[Z.of_nat r] <? toll_plan_limit (poll_plan p) then voice q (own same data (name r)) else 0) ->
    let '(a, s') := poll_step same (poll_plan p) data s (Vote q) u in
    a = None /\ seen_as (poll_asks p most vote) disk s'.
  Proof.
    intros p disk [us ca st re] most vote q u Hf Hs Room N [H1 [H2 [H3 [H4 H5]]]] Em V. cbn [poll_step].
    cbn [uses stored cast ready] in *. split; [reflexivity|].
    pose proof Hf as [[_ Fl] [_ [_ [F1 [F2 F3]]]]]. pose proof Hs as [_ [_ [_ [_ [[I1 I2] I3]]]]].
    set (limit := Z.to_nat (toll_plan_limit (poll_plan p))).
    assert (W : forall r, (r < size_of_uses p)%nat ->
      (if votes same data limit us q (name r) then voice q (own same data (name r)) else 0) = vote (Z.of_nat r) /\
      votes same data limit us q (name r) = negb (vote (Z.of_nat r) =? 0)).
    { intros r Hr. rewrite (V r Hr). specialize (H1 r Hr). unfold votes.
      replace (us (name r) <? limit)%nat with ((uses_used (poll_uses p)).[Z.of_nat r] <? toll_plan_limit (poll_plan p)).
      2:{ rewrite <- H1. unfold limit.
          destruct (Z.ltb_spec (Z.of_nat (us (name r))) (toll_plan_limit (poll_plan p)));
          destruct (Nat.ltb_spec (us (name r)) (Z.to_nat (toll_plan_limit (poll_plan p)))); lia. }
      destruct (_ <? toll_plan_limit _); [rewrite andb_true_r|rewrite andb_false_r; auto].
      destruct (Z.eqb_spec (voice q (own same data (name r))) 0) as [E|E]; cbn [negb]; auto. }
    assert (L : lead same data limit us q =
      FumataLead (fold_right Z.add 0 (map vote (places_of (uses_size (poll_uses p))))) most).
    { rewrite lead_rule by lia. unfold lead. cbv zeta. rewrite <- Em. f_equal. rewrite sum_chosen.
      destruct N as [N1 N2].
      assert (P : Permutation (nodup same (map fst data)) (map name (seq 0 (size_of_uses p)))).
      { apply NoDup_Permutation; [apply NoDup_nodup| |].
        - apply named_apart; [apply seq_NoDup|]. intros i j Hi Hj. apply in_seq in Hi, Hj. apply N1; lia.
        - intros x. rewrite nodup_In. apply N2. }
      rewrite (sum_permuted _ _ _ P). unfold places_of. rewrite !map_map. f_equal.
      unfold uses_size. rewrite Nat2Z.id. apply map_ext_in. intros r Hr. apply in_seq in Hr. apply W.
      unfold size_of_uses. lia. }
    assert (S : size_of_uses (poll_asks p most vote) = size_of_uses p)
      by (unfold size_of_uses; cbn; rewrite map_length, length_places; unfold uses_size; lia).
    assert (Q : forall i j, 0 <= i -> j <= poll_asked p -> part i j (leads_lead (poll_leads (poll_asks p most vote))) =
      part i j (leads_lead (poll_leads p))).
    { intros i j Hi Hj. cbn. unfold set_at, part. rewrite skipn_app, firstn_app.
      rewrite firstn_length, skipn_length, firstn_length. unfold leads_size in *.
      replace (Z.to_nat (j - i) - (Nat.min (Z.to_nat (poll_asked p)) (length (leads_lead (poll_leads p))) - Z.to_nat
        i))%nat with 0%nat by lia.
      cbn [firstn]. rewrite app_nil_r, skipn_firstn_comm, firstn_firstn. f_equal. lia. }
    unfold seen_as. rewrite S. cbn [uses stored cast ready]. split; [|split; [exact H2|split; [exact H3|split]]].
    - intros r Hr. destruct (W r Hr) as [_ ->].
      change (uses_used (poll_uses (poll_asks p most vote))) with
        (map (fun r => (uses_used (poll_uses p)).[r] + (if vote r =? 0 then 0 else 1)) (places_of (uses_size
          (poll_uses p)))).
      rewrite at_map_places by (unfold uses_size; unfold size_of_uses in Hr; lia). specialize (H1 r Hr).
      destruct (vote (Z.of_nat r) =? 0); cbn [negb]; lia.
    - change (poll_asked (poll_asks p most vote)) with (poll_asked p + 1).
      change (poll_stored (poll_asks p most vote)) with (poll_stored p).
      rewrite (part_split _ (poll_asked p)) by lia. rewrite Q, <- H4 by lia. f_equal. rewrite L.
      rewrite part_one; [|cbn; rewrite length_set_at; unfold leads_size in *; lia].
      rewrite (asks_leads p most vote Hf Room) by lia. rewrite Z.eqb_refl. reflexivity.
    - change (poll_stored (poll_asks p most vote)) with (poll_stored p).
      change (poll_answered (poll_asks p most vote)) with (poll_answered p). rewrite Q by lia. exact H5.
  Qed.

  Lemma granted_joint : forall p p' disk s most vote q u, fumata_poll_fits p -> FumataPollInvariant p ->
    poll_asked p < leads_size (poll_leads p) -> numbered p -> seen_as p disk s -> most = Zpos (Statement.most q) ->
    (forall r, (r < size_of_uses p)%nat -> vote (Z.of_nat r) =
       if (uses_used (poll_uses p)).[Z.of_nat r] <? toll_plan_limit (poll_plan p) then voice q (own same data (name r)) else 0) ->
    poll_seen p' = poll_seen (poll_asks p most vote) ->
    let '(a, s') := poll_step same (poll_plan p) data s (Vote q) u in a = None /\ seen_as p' disk s'.
  Proof.
    intros p p' disk s most vote q u Hf Inv Room N Hs Em V E.
    pose proof (asks_joint p disk s most vote q u Hf Inv Room N Hs Em V) as J.
    destruct (poll_step same (poll_plan p) data s (Vote q) u) as [a s']. destruct J as [-> J].
    split; [reflexivity|]. revert J. destruct Hf as [F0 [F1 [F2 F]]].
    apply seen_as_same; [cbn; lia|apply (asks_state p _ _ (conj F0 (conj F1 (conj F2 F))) Inv Room)|exact E].
  Qed.

  (* A question with what each unit has to say to it, as a function of its own rows. *)
  Definition inquiry_of (q : fumata_question) (says : rows -> Z) : inquiry key record :=
    Inquiry key record (Z.to_pos (question_most q)) says.
  Definition within_radius (q : fumata_question) (hear : rows -> Z * Z) (mine : rows) : Z :=
    let (distance, label) := hear mine in if distance <=? question_radius q then FumataWeight q label else 0.
  Definition if_listed (q : fumata_question) (hear : rows -> option Z) (mine : rows) : Z :=
    match hear mine with Some label => FumataWeight q label | None => 0 end.

  (* What the caller brings is that: distances and labels, or the list of who is asked. *)
  Definition heard (p : fumata_poll) (v : fumata_voices) (hear : rows -> Z * Z) : Prop :=
    forall r, (r < size_of_uses p)%nat ->
    ((voices_distances v).[Z.of_nat r], (voices_labels v).[Z.of_nat r]) = hear (own same data (name r)).
  Definition listed (p : fumata_poll) (l : fumata_list) (hear : rows -> option Z) : Prop :=
    forall r, (r < size_of_uses p)%nat -> match hear (own same data (name r)) with
    | Some label => exists i, 0 <= i < list_size l /\ (list_units l).[i] = Z.of_nat r /\ (list_labels l).[i] = label
    | None => forall i, 0 <= i /\ i < list_size l -> (list_units l).[i] <> Z.of_nat r
    end.

  Lemma weight_bounds : forall q label, FumataQuestionOk q -> 
    - question_most q <= FumataWeight q label <= question_most q.
  Proof.
    intros q label [_ [M W]]. unfold FumataWeight.
    destruct (Z.leb_spec 0 label); destruct (Z.ltb_spec label (question_size q));
      cbn [andb]; [apply W; lia|lia..].
  Qed.

  Lemma voice_of : forall q says mine, FumataQuestionOk q -> - question_most q <= says mine <= question_most q ->
    voice (inquiry_of q says) mine = says mine.
  Proof.
    intros q says mine [_ [M _]] H. unfold voice, inquiry_of. cbn [Statement.most weight]. rewrite Z2Pos.id by lia. lia.
  Qed.

  Lemma question_most_of : forall q says, FumataQuestionOk q ->
    question_most q = Zpos (Statement.most (inquiry_of q says)).
  Proof. intros q says [_ [M _]]. cbn. rewrite Z2Pos.id by lia. reflexivity. Qed.


  (* A question that is granted is a vote; one that is refused changes nothing. *)
  Theorem vote_joint : forall p p' q v r disk s hear u, fumata_poll_vote_requires p q v -> fumata_poll_fits p ->
    fumata_poll_vote_ensures p p' q v r -> numbered p -> heard p v hear -> seen_as p disk s ->
    if r =? FUMATA_OK
    then let '(a, s') := poll_step same (poll_plan p) data s (Vote (inquiry_of q (within_radius q hear))) u in
         a = None /\ seen_as p' disk s'
    else p' = p.
  Proof.
    intros p p' q v r disk s hear u Hr Hf He N Hh Hs. pose proof Hr as [Inv _].
    destruct (proj1 (poll_vote_contract p q v Hr Hf) p' r He) as [E [-> P]].
    destruct (Z.eqb_spec (snd (poll_votes p q v)) FUMATA_OK) as [G|G]; [|apply P; exact G].
    unfold poll_votes in *. pose proof (FumataQuestionOk_true q) as Ok.
    destruct (FumataQuestionOk_b q); cbn [negb] in *; [|discriminate].
    pose proof (proj1 Ok eq_refl) as Y. destruct (Z.eqb_spec (poll_asked p) (leads_size (poll_leads p))); [discriminate|].
    cbn [fst snd] in E.
    assert (Room : poll_asked p < leads_size (poll_leads p)) by (unfold FumataPollInvariant in Inv; lia).
    set (inq := inquiry_of q (within_radius q hear)).
    assert (V : forall r, (r < size_of_uses p)%nat -> FumataVote p q v (Z.of_nat r) =
       if (uses_used (poll_uses p)).[Z.of_nat r] <? toll_plan_limit (poll_plan p) then voice inq (own same data (name r)) else 0).
    { intros r H. unfold FumataVote, FumataSays, inq. specialize (Hh r H).
      assert (B : - question_most q <= within_radius q hear (own same data (name r)) <= question_most q).
      { unfold within_radius. destruct (hear (own same data (name r))) as [d l]. pose proof (weight_bounds q l Y).
        destruct Y as [_ [M _]].
        destruct (d <=? question_radius q); lia. }
      rewrite voice_of by assumption. unfold within_radius. rewrite <- Hh. reflexivity. }
    exact (granted_joint p p' disk s (question_most q) _ inq u Hf Inv Room N Hs (question_most_of q _ Y) V E).
  Qed.

  Theorem vote_listed_joint : forall p p' q l r disk s hear u, fumata_poll_vote_listed_requires p q l ->
    fumata_poll_fits p ->
    fumata_list_fits l -> fumata_poll_vote_listed_ensures p p' q l r -> numbered p -> listed p l hear ->
      seen_as p disk s ->
    if r =? FUMATA_OK
    then let '(a, s') := poll_step same (poll_plan p) data s (Vote (inquiry_of q (if_listed q hear))) u in
         a = None /\ seen_as p' disk s'
    else p' = p.
  Proof.
    intros p p' q l r disk s hear u Hr Hf Hl He N Hh Hs. pose proof Hr as [Inv _].
    destruct (proj1 (poll_vote_listed_contract p q l Hr Hf Hl) p' r He) as [E [-> P]].
    destruct (Z.eqb_spec (snd (poll_votes_listed p q l)) FUMATA_OK) as [G|G]; [|apply P; exact G].
    unfold poll_votes_listed in *. pose proof (FumataQuestionOk_true q) as Ok.
    destruct (FumataQuestionOk_b q); cbn [negb] in *; [|discriminate]. pose proof (proj1 Ok eq_refl) as Y.
    pose proof (FumataListOk_true l (uses_size (poll_uses p))) as Ok2.
    destruct (FumataListOk_b l (uses_size (poll_uses p))); cbn [negb] in *; [|discriminate].
    pose proof (proj1 Ok2 eq_refl) as [_ [_ La]].
    destruct (Z.eqb_spec (poll_asked p) (leads_size (poll_leads p))); [discriminate|].
    cbn [fst snd] in E.
    assert (Room : poll_asked p < leads_size (poll_leads p)) by (unfold FumataPollInvariant in Inv; lia).
    set (inq := inquiry_of q (if_listed q hear)).
    assert (V : forall r, (r < size_of_uses p)%nat -> listed_vote p q l (Z.of_nat r) =
       if (uses_used (poll_uses p)).[Z.of_nat r] <? toll_plan_limit (poll_plan p) then voice inq (own same data (name r)) else 0).
    { intros r H. unfold inq. specialize (Hh r H).
      assert (B : - question_most q <= if_listed q hear (own same data (name r)) <= question_most q).
      { unfold if_listed. destruct (hear (own same data (name r))) as [y|]; [apply weight_bounds; exact Y|].
        destruct Y as [_ [M _]]. lia. }
      rewrite voice_of by assumption. unfold if_listed.
      change (listed_vote p q l (Z.of_nat r)) with
        (by_place (fun i => (list_units l).[i]) (FumataListedVote p q l) (places_of (list_size l)) (Z.of_nat r)).
      destruct (hear (own same data (name r))) as [y|].
      - destruct Hh as [i [Hi [Eu <-]]]. rewrite <- Eu.
        rewrite (by_place_at (fun i => (list_units l).[i]) _ _ i (listed_once _ _ La)) by (apply in_places; exact Hi).
        unfold FumataListedVote. reflexivity.
      - rewrite by_place_none; [destruct (_ <? _); reflexivity|]. intros I. apply in_map_iff in I.
        destruct I as [i [Ei I]].
        apply in_places in I. apply (Hh i ltac:(lia) Ei). }
    exact (granted_joint p p' disk s (question_most q) _ inq u Hf Inv Room N Hs (question_most_of q _ Y) V E).
  Qed.

  (* The uses of this moment are on the disk. *)
  Theorem stored_joint : forall p p' r disk s u, fumata_poll_stored_requires p -> fumata_poll_fits p ->
    fumata_poll_stored_ensures p p' r -> seen_as p disk s ->
    let '(a, s') := poll_step same (poll_plan p) data s Store u in a = None /\ seen_as p' (uses_used (poll_uses p)) s'.
  Proof.
    intros p p' r disk [us ca st re] u Hr Hf He [H1 [H2 [H3 [H4 H5]]]]. cbn [poll_step uses stored cast ready] in *.
    apply (poll_stored_contract p p' r Hr) in He. inversion He. subst. split; [reflexivity|].
    destruct Hf as [_ [_ [_ F]]]. unfold fumata_poll_stored_requires, FumataPollInvariant in Hr.
    unfold seen_as, size_of_uses. cbn. repeat split; try assumption; [symmetry; apply part_empty|].
    symmetry. apply part_split; lia.
  Qed.

  Theorem answer_joint : forall p p' coin yes yes' r disk s, fumata_poll_answer_requires p coin yes ->
    fumata_poll_fits p ->
    fumata_poll_answer_ensures p p' coin yes yes' r -> seen_as p disk s ->
    let '(a, s') := poll_step same (poll_plan p) data s Draw coin in
    a = (if r =? FUMATA_OK then Some (yes' =? 1) else None) /\ seen_as p' disk s'.
  Proof.
    intros p p' coin yes yes' r disk [us ca st re] Hr Hf He [H1 [H2 [H3 [H4 H5]]]]. cbn [uses stored cast ready] in *.
    apply (poll_answer_contract p p' coin yes yes' r Hr) in He. unfold poll_answers in He.
    destruct Hf as [_ [_ [_ F]]]. unfold fumata_poll_answer_requires, FumataPollInvariant in Hr.
    destruct (Z.eqb_spec (poll_answered p) (poll_stored p)) as [E|E].
    { inversion He. subst p' yes' r. rewrite E, part_empty in H5. subst re. cbn [poll_step]. split; [reflexivity|].
      unfold seen_as. cbn [uses stored cast ready]. rewrite E, part_empty. auto. }
    inversion He. clear He. subst p' yes' r.
    rewrite (part_split (poll_answered p) (poll_answered p + 1)) in H5 by lia.
    rewrite part_one in H5 by (unfold leads_size in Hr; lia). cbn [app] in H5. subst re. cbn [poll_step].
    rewrite <- yes_rule.
    split; [cbn; destruct (FumataSaysYes_b _ _ _); reflexivity|]. unfold seen_as, size_of_uses in *. cbn. auto.
  Qed.

  Theorem clear_joint : forall p p' r disk s u, fumata_poll_clear_requires p -> fumata_poll_clear_ensures p p' r ->
    seen_as p disk s -> let '(a, s') := poll_step same (poll_plan p) data s Clear u in a = None /\ seen_as p' disk s'.
  Proof.
    intros p p' r disk [us ca st re] u Hr He [H1 [H2 [H3 _]]]. cbn [poll_step uses stored cast ready] in *.
    apply (poll_clear_contract p p' r Hr) in He. inversion He. split; [reflexivity|].
    unfold seen_as, size_of_uses in *. cbn. auto.
  Qed.

  (* A process that begins with the uses of the disk goes on after the crash of the last one. *)
  Theorem resume_joint : forall p p0 p' claim r disk s u, fumata_poll_resume_ensures p0 p' (poll_plan p) claim r ->
    r = FUMATA_OK -> uses_used (poll_uses p0) = disk -> seen_as p disk s ->
    let '(a, s') := poll_step same (poll_plan p) data s Restart u in a = None /\ seen_as p' disk s'.
  Proof.
    intros p p0 p' claim r disk [us ca st re] u [U [_ [_ [_ [St _]]]]] -> <- [H1 [H2 [H3 _]]].
    cbn [poll_step uses stored cast ready] in *. split; [reflexivity|]. destruct (St eq_refl) as [_ [_ [E1 [E2 E3]]]].
    unfold seen_as, size_of_uses in *. cbn [uses stored cast ready]. rewrite E1, E2, E3, U, !part_empty, H3. auto.
  Qed.

  Theorem init_joint : forall p p' plan claim r, fumata_poll_init_ensures p p' plan claim r -> r = FUMATA_OK ->
    poll_plan p' = plan /\ seen_as p' (uses_used (poll_uses p')) (Crowd (fun _ => O) [] (fun _ => O) []).
  Proof.
    intros p p' plan claim r [_ [_ [_ [_ [St _]]]]] ->. destruct (St eq_refl) as [[_ [R [E1 [E2 E3]]]] Z].
    split; [apply (proj1 (poll_runs p' plan)), R|]. unfold seen_as, size_of_uses. cbn [uses stored cast ready].
    rewrite E1, E2, E3, part_empty.
    unfold FumataNoneUsed, uses_size in Z. repeat split; intros k Hk; symmetry; apply Z; lia.
  Qed.

  (* Whole lives: calls, each of which did what its contract says, on a poll in memory and the uses on the disk. *)
  Inductive call :=
  | Ask_voices (q : fumata_question) (v : fumata_voices) (hear : rows -> Z * Z)
  | Ask_list (q : fumata_question) (l : fumata_list) (hear : rows -> option Z)
  | Mark_stored | Take_answer (coin : Z) | Drop | Crash_and_resume (claim : fumata_claim).

  Definition happens (c : call) (p : fumata_poll) (disk : list Z) (p' : fumata_poll) (disk' : list Z) (a : option
    bool) : Prop :=
    match c with
    | Ask_voices q v hear => heard p v hear /\ fumata_poll_vote_requires p q v /\
        (exists r, fumata_poll_vote_ensures p p' q v r) /\ disk' = disk /\ a = None
    | Ask_list q l hear => listed p l hear /\ fumata_poll_vote_listed_requires p q l /\ fumata_list_fits l /\
        (exists r, fumata_poll_vote_listed_ensures p p' q l r) /\ disk' = disk /\ a = None
    | Mark_stored => (exists r, fumata_poll_stored_ensures p p' r) /\ disk' = uses_used (poll_uses p) /\ a = None
    | Take_answer coin => (exists yes yes' r, fumata_poll_answer_ensures p p' coin yes yes' r /\
        a = if r =? FUMATA_OK then Some (yes' =? 1) else None) /\ disk' = disk
    | Drop => (exists r, fumata_poll_clear_ensures p p' r) /\ disk' = disk /\ a = None
    | Crash_and_resume claim => (exists p0, uses_used (poll_uses p0) = disk /\
        fumata_poll_resume_ensures p0 p' (poll_plan p) claim FUMATA_OK) /\ disk' = disk /\ a = None
    end.

  Inductive lived_through : list (call * option bool) -> fumata_poll -> list Z -> Prop :=
  | Begun : forall p0 p plan claim, fumata_poll_init_ensures p0 p plan claim FUMATA_OK -> fumata_poll_fits p ->
      FumataPollInvariant p -> numbered p -> lived_through [] p (uses_used (poll_uses p))
  | Goes_on : forall before p disk c a p' disk', lived_through before p disk -> happens c p disk p' disk' a ->
      fumata_poll_fits p' -> lived_through ((c, a) :: before) p' disk'.

  (* Moves and their coins, the earliest first: what is seen, the latest first, and the crowd after them. *)
  Fixpoint played (plan : fumata_toll_plan) (s : crowd key) (moves : list (@poll_move key record * Z)) (seen : list
    (option bool)) :=
    match moves with
    | [] => (seen, s)
    | (m, u) :: rest => let (a, s') := poll_step same plan data s m u in played plan s' rest (a :: seen)
    end.
  Definition nobody : crowd key := Crowd (fun _ => O) [] (fun _ => O) [].

  Lemma played_on : forall plan moves seen s m u a s', played plan nobody moves [] = (seen, s) ->
    poll_step same plan data s m u = (a, s') -> played plan nobody (moves ++ [(m, u)]) [] = (a :: seen, s').
  Proof.
    intros plan moves seen s m u a s' H E. revert H. generalize nobody (@nil (option bool)).
    induction moves as [|[n v] moves IH]; intros t before H; cbn [played app] in *.
    - inversion H. subst. rewrite E. reflexivity.
    - destruct (poll_step same plan data t n v) as [b t']. apply IH. exact H.
  Qed.

  (* That is what somebody sees who makes these moves, alone with a poll of these coins. *)
  Lemma played_is_alone : forall plan moves all s seen, (forall i, nth_error (map fst moves) i =
    nth_error all (length seen + i)) ->
    alone (length moves) (fun seen =>
      nth_error all (length seen)) (tossing None (poll_step same plan data) s (map snd moves)) seen =
    fst (played plan s moves seen).
  Proof.
    intros plan. induction moves as [|[m u] moves IH]; intros all s seen H; [reflexivity|].
    cbn [length alone played map fst snd].
    pose proof (H O) as H0. cbn [map fst nth_error] in H0. rewrite Nat.add_0_r in H0. rewrite <- H0. cbn [tossing ask].
    destruct (poll_step same plan data s m u) as [a s'] eqn:E. apply IH. intros i. specialize (H (S i)).
    cbn [map nth_error length] in *. rewrite H. f_equal. lia.
  Qed.

  Definition spoken (seen : list (option bool)) : list bool := flat_map (fun a => match a with Some y => [y] | None =>
    [] end) seen.

  (* The coins of the answers, the earliest first. *)
  Definition coin_of (m : @poll_move key record * Z) : list Z := match fst m with Draw => [snd m] | _ => [] end.
  Definition coin_given (c : call * option bool) : list Z := match fst c with Take_answer coin => [coin] | _ => [] end.

  Theorem lives_are_moves : forall calls p disk, lived_through calls p disk ->
    fumata_poll_fits p /\ FumataPollInvariant p /\ numbered p /\
    exists moves seen s, played (poll_plan p) nobody moves [] = (seen, s) /\ seen_as p disk s /\
      spoken seen = spoken (map snd calls) /\ flat_map coin_of moves = flat_map coin_given (rev calls).
  Proof.
    intros calls p disk H.
    induction H as [p0 p plan claim Hi Hf Hs Hn|before p disk c a p' disk' H [Hf [Hs [Hn [moves [seen [s [M [S [E
      K]]]]]]]]] G Hf'].
    { split; [exact Hf|]. split; [exact Hs|]. split; [exact Hn|].
      destruct (init_joint p0 p plan claim FUMATA_OK Hi eq_refl) as [<- S]. exists [], [], nobody.
      split; [reflexivity|]. split; [exact S|]. split; reflexivity. }
    assert (Go : forall m u b s', poll_plan p' = poll_plan p -> size_of_uses p' = size_of_uses p ->
      FumataPollInvariant p' ->
      poll_step same (poll_plan p) data s m u = (b, s') -> b = a -> seen_as p' disk' s' ->
      coin_of (m, u) = coin_given (c, a) ->
      fumata_poll_fits p' /\ FumataPollInvariant p' /\ numbered p' /\
      exists moves seen s, played (poll_plan p') nobody moves [] = (seen, s) /\ seen_as p' disk' s /\
        spoken seen = spoken (map snd ((c, a) :: before)) /\ flat_map coin_of moves = flat_map coin_given (rev ((c,
          a) :: before))).
    { intros m u b s' Ep Es I Em -> S' Ec. split; [exact Hf'|]. split; [exact I|].
      split; [unfold numbered; rewrite Es; exact Hn|]. exists (moves ++ [(m, u)]), (a :: seen), s'. rewrite Ep.
      split; [exact (played_on _ _ _ _ m u a s' M Em)|]. split; [exact S'|].
      split; [unfold spoken in *; cbn [flat_map map snd]; rewrite E; reflexivity|].
      cbn [rev]. rewrite !flat_map_app, K. cbn [flat_map]. rewrite Ec. reflexivity. }
    assert (Same : coin_given (c, a) = [] -> p' = p -> disk' = disk -> a = None -> fumata_poll_fits p' /\
      FumataPollInvariant p' /\ numbered p' /\
      exists moves seen s, played (poll_plan p') nobody moves [] = (seen, s) /\ seen_as p' disk' s /\
        spoken seen = spoken (map snd ((c, a) :: before)) /\ flat_map coin_of moves = flat_map coin_given (rev ((c,
          a) :: before))).
    { intros Ec -> -> ->. split; [exact Hf|]. split; [exact Hs|]. split; [exact Hn|]. exists moves, seen, s.
      split; [exact M|]. split; [exact S|]. split; [exact E|]. cbn [rev]. rewrite flat_map_app, K. cbn [flat_map].
      rewrite Ec, !app_nil_r.
      reflexivity. }
    destruct c as [q v hear|q l hear| |coin| |claim]; cbn [happens] in G.
    - destruct G as [Hh [Hr [[r Ev] [-> ->]]]]. pose proof (vote_joint p p' q v r disk s hear 0 Hr Hf Ev Hn Hh S) as J.
      destruct (r =? FUMATA_OK); [|apply Same; auto]. destruct (poll_step same (poll_plan p) data s _ _) as [b s'] eqn:Em.
      destruct J as [-> J].
      destruct Ev as [E1 [_ [_ [I [[Es _] _]]]]]. eapply Go; try eassumption; try reflexivity.
      unfold size_of_uses. unfold uses_size in Es. lia.
    - destruct G as [Hh [Hr [Hl [[r Ev] [-> ->]]]]].
      pose proof (vote_listed_joint p p' q l r disk s hear 0 Hr Hf Hl Ev Hn Hh S) as J.
      destruct (r =? FUMATA_OK); [|apply Same; auto]. destruct (poll_step same (poll_plan p) data s _ _) as [b s'] eqn:Em.
      destruct J as [-> J].
      destruct Ev as [E1 [_ [_ [I [[Es _] _]]]]]. eapply Go; try eassumption; try reflexivity.
      unfold size_of_uses. unfold uses_size in Es. lia.
    - destruct G as [[r Ev] [-> ->]]. pose proof (stored_joint p p' r disk s 0 Hs Hf Ev S) as J.
      destruct (poll_step same (poll_plan p) data s Store 0) as [b s'] eqn:Em.
      destruct J as [-> J]. destruct Ev as [E1 [E2 [_ [_ [_ [I _]]]]]].
      eapply Go; try eassumption; try reflexivity. unfold size_of_uses. rewrite E2. reflexivity.
    - destruct G as [[yes [yes' [r [Ev Ea]]]] ->]. pose proof (answer_joint p p' coin yes yes' r disk s Hs Hf Ev S) as J.
      destruct (poll_step same (poll_plan p) data s Draw coin) as [b s'] eqn:Em.
      destruct J as [-> J]. destruct Ev as [E1 [E2 [_ [_ [_ [I _]]]]]].
      eapply Go; try eassumption; try (symmetry; exact Ea); [|reflexivity]. unfold size_of_uses. rewrite E2. reflexivity.
    - destruct G as [[r Ev] [-> ->]]. pose proof (clear_joint p p' r disk s 0 Hs Ev S) as J.
      destruct (poll_step same (poll_plan p) data s Clear 0) as [b s'] eqn:Em.
      destruct J as [-> J]. destruct Ev as [E1 [E2 [[I _] _]]].
      eapply Go; try eassumption; try reflexivity. unfold size_of_uses. rewrite E2. reflexivity.
    - destruct G as [[p0 [D Ev]] [-> ->]]. pose proof (resume_joint p p0 p' claim _ disk s 0 Ev eq_refl D S) as J.
      destruct (poll_step same (poll_plan p) data s Restart 0) as [b s'] eqn:Em. destruct J as [-> J].
      destruct Ev as [U [_ [_ [_ [St _]]]]]. destruct (St eq_refl) as [I [R _]]. apply poll_runs in R.
      eapply Go; try eassumption; try reflexivity. unfold size_of_uses. rewrite U, D. apply (proj1 (proj2 (proj2 S))).
  Qed.

  (* Every life of the C code is a life of the poll of Statement.v: the same answers by the same coins. *)
  Theorem lives_are_polls : forall calls p disk, lived_through calls p disk ->
    exists moves, flat_map coin_of moves = flat_map coin_given (rev calls) /\
    let step := poll_step same (poll_plan p) data in
    let next seen := nth_error (map fst moves) (length seen) in
    spoken (alone (length moves) next (tossing None step nobody (map snd moves)) []) = spoken (map snd calls).
  Proof.
    intros calls p disk H. destruct (lives_are_moves calls p disk H) as [_ [_ [_ [moves [seen [s [M [_ [E K]]]]]]]]].
    exists moves. split; [exact K|].
    pose proof (played_is_alone (poll_plan p) moves (map fst moves) nobody [] (fun i => eq_refl)) as A.
    cbv zeta. rewrite A, M. exact E.
  Qed.
End Units.
