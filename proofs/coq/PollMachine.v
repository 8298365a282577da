(* The poll as functions that compute, and the proof that the contracts of core/poll.h say exactly this of every call:
   what a contract allows is what the function gives, and it allows that. Of leads past those that were asked, which
   nobody reads, the contract of a vote need not speak: what it allows is what is given but for them (`poll_seen`). *)
From Coq Require Import Bool FinFun Lia List ZArith.
From Fumata Require Import SpecMachine Machine.
Import ListNotations.
Local Open Scope Z_scope.

Definition places_of (n : Z) : list Z := map Z.of_nat (seq 0 (Z.to_nat n)).   (* 0 .. n - 1 *)
Definition set_at (i x : Z) (table : list Z) : list Z :=
  firstn (Z.to_nat i) table ++ x :: skipn (S (Z.to_nat i)) table.
Definition zeros (n : Z) : list Z := repeat 0 (Z.to_nat n).

(* Who votes: the vote of unit r is not 0. *)
Definition poll_asks (p : fumata_poll) (most : Z) (vote : Z -> Z) : fumata_poll :=
  let used := uses_used (poll_uses p) in
  let units := places_of (uses_size (poll_uses p)) in
  {| poll_plan := poll_plan p;
     poll_uses := {| uses_used := map (fun r => used.[r] + (if vote r =? 0 then 0 else 1)) units |};
     poll_leads := {| leads_lead :=
       set_at (poll_asked p) (FumataLead (fold_right Z.add 0 (map vote units)) most) (leads_lead (poll_leads p)) |};
     poll_asked := poll_asked p + 1; poll_stored := poll_stored p; poll_answered := poll_answered p |}.

Definition poll_votes (p : fumata_poll) (q : fumata_question) (v : fumata_voices) : fumata_poll * Z :=
  if negb (FumataQuestionOk_b q) then (p, FUMATA_ERR_QUESTION)
  else if poll_asked p =? leads_size (poll_leads p) then (p, FUMATA_ERR_FULL)
  else (poll_asks p (question_most q) (FumataVote p q v), FUMATA_OK).

(* The vote of unit r is that of its place in the list, if it has one. *)
Definition listed_vote (p : fumata_poll) (q : fumata_question) (asked : fumata_list) (r : Z) : Z :=
  match find (fun i => (list_units asked).[i] =? r) (places_of (list_size asked)) with
  | Some i => FumataListedVote p q asked i
  | None => 0
  end.
Definition poll_votes_listed (p : fumata_poll) (q : fumata_question) (asked : fumata_list) : fumata_poll * Z :=
  if negb (FumataQuestionOk_b q) then (p, FUMATA_ERR_QUESTION)
  else if negb (FumataListOk_b asked (uses_size (poll_uses p))) then (p, FUMATA_ERR_LIST)
  else if poll_asked p =? leads_size (poll_leads p) then (p, FUMATA_ERR_FULL)
  else (poll_asks p (question_most q) (listed_vote p q asked), FUMATA_OK).

Definition poll_stores (p : fumata_poll) : fumata_poll * Z :=
  ({| poll_plan := poll_plan p; poll_uses := poll_uses p; poll_leads := poll_leads p; poll_asked := poll_asked p;
      poll_stored := poll_asked p; poll_answered := poll_answered p |}, FUMATA_OK).

Definition poll_answers (p : fumata_poll) (coin yes : Z) : fumata_poll * Z * Z :=
  if poll_answered p =? poll_stored p then (p, yes, FUMATA_ERR_UNSTORED)
  else ({| poll_plan := poll_plan p; poll_uses := poll_uses p; poll_leads := poll_leads p; poll_asked := poll_asked p;
           poll_stored := poll_stored p; poll_answered := poll_answered p + 1 |},
        if FumataSaysYes_b p (leads_lead (poll_leads p)).[poll_answered p] coin then 1 else 0, FUMATA_OK).

(* A poll in which no lead waits. *)
Definition poll_idle (plan : fumata_toll_plan) (uses leads : list Z) : fumata_poll :=
  {| poll_plan := plan; poll_uses := {| uses_used := uses |}; poll_leads := {| leads_lead := leads |};
     poll_asked := 0; poll_stored := 0; poll_answered := 0 |}.

Definition poll_clears (p : fumata_poll) : fumata_poll * Z :=
  (poll_idle (poll_plan p) (uses_used (poll_uses p)) (zeros (leads_size (poll_leads p))), FUMATA_OK).
Definition poll_ends (p : fumata_poll) : fumata_poll * Z :=
  (poll_idle (poll_plan p) (zeros (uses_size (poll_uses p))) [], FUMATA_OK).

(* Whether a plan is certified is computed elsewhere. *)
Definition poll_status (p : fumata_poll) (plan : fumata_toll_plan) (claim : fumata_claim) (certified : bool) : Z :=
  if negb (FumataPollSizesOk_b p) then FUMATA_ERR_UNITS
  else if FUMATA_POLL_VOTES_MAX <? toll_plan_limit plan then FUMATA_ERR_LIMIT else toll_status plan claim certified.
Definition poll_resumes (p : fumata_poll) (plan : fumata_toll_plan) (claim : fumata_claim) (certified : bool) :=
  granted_or (poll_status p plan claim certified)
    (poll_idle plan (uses_used (poll_uses p)) (leads_lead (poll_leads p))) p.
Definition poll_starts (p : fumata_poll) (plan : fumata_toll_plan) (claim : fumata_claim) (certified : bool) :=
  granted_or (poll_status p plan claim certified)
    (poll_idle plan (zeros (uses_size (poll_uses p))) (leads_lead (poll_leads p))) p.

(* Tables. *)
Lemma same_table : forall (a b : list Z), length a = length b ->
  (forall i, 0 <= i < Z.of_nat (length a) -> a.[i] = b.[i]) -> a = b.
Proof.
  intros a b L H. apply (nth_ext a b 0 0 L). intros n Hn. specialize (H (Z.of_nat n) ltac:(lia)).
  unfold at_index in H. rewrite Nat2Z.id in H. exact H.
Qed.

Lemma length_places : forall n, length (places_of n) = Z.to_nat n.
Proof. intros n. unfold places_of. rewrite map_length, seq_length. reflexivity. Qed.

Lemma in_places : forall n i, In i (places_of n) <-> 0 <= i < n.
Proof.
  intros n i. unfold places_of. rewrite in_map_iff. split.
  - intros [k [<- Hk]]. apply in_seq in Hk. lia.
  - intros H. exists (Z.to_nat i). split; [lia|]. apply in_seq. lia.
Qed.

Lemma at_map_places : forall f n i, 0 <= i < n -> (map f (places_of n)).[i] = f i.
Proof.
  intros f n i Hi. unfold at_index, places_of. rewrite map_map.
  rewrite (nth_indep _ 0 (f (Z.of_nat 0))) by (rewrite map_length, seq_length; lia).
  rewrite (map_nth (fun k => f (Z.of_nat k))), seq_nth by lia. f_equal. lia.
Qed.

Lemma length_set_at : forall i x table, 0 <= i < Z.of_nat (length table) -> length (set_at i x table) = length table.
Proof. intros i x table H. unfold set_at. rewrite app_length, firstn_length. cbn [length]. rewrite skipn_length. lia. Qed.

Lemma at_set_at : forall i x table j, 0 <= i < Z.of_nat (length table) -> 0 <= j ->
  (set_at i x table).[j] = if j =? i then x else table.[j].
Proof.
  intros i x table j Hi Hj. unfold at_index, set_at.
  assert (L : length (firstn (Z.to_nat i) table) = Z.to_nat i) by (rewrite firstn_length; lia).
  destruct (Z.eqb_spec j i) as [->|N]; [rewrite app_nth2, L, Nat.sub_diag by lia; reflexivity|].
  destruct (Z_lt_ge_dec j i).
  - rewrite app_nth1 by lia. rewrite <- (firstn_skipn (Z.to_nat i) table) at 2. rewrite app_nth1 by lia. reflexivity.
  - rewrite app_nth2 by lia. rewrite L. destruct (Z.to_nat j - Z.to_nat i)%nat as [|k] eqn:K; [lia|]. cbn [nth].
    rewrite <- (firstn_skipn (S (Z.to_nat i)) table) at 2. rewrite app_nth2 by (rewrite firstn_length; lia).
    f_equal. rewrite firstn_length. lia.
Qed.

Lemma length_zeros : forall n, length (zeros n) = Z.to_nat n.
Proof. intros n. apply repeat_length. Qed.

Lemma length_all_zero : forall table : list Z, length (zeros (Z.of_nat (length table))) = length table.
Proof. intros table. rewrite length_zeros. lia. Qed.

Lemma at_zeros : forall n i, (zeros n).[i] = 0.
Proof. intros n i. unfold at_index, zeros. apply nth_repeat. Qed.

Lemma all_zero : forall table n, (forall i, 0 <= i /\ i < n -> table.[i] = 0) -> n = Z.of_nat (length table) ->
  table = zeros n.
Proof.
  intros table n H E. apply same_table; [rewrite length_zeros; lia|]. intros i Hi. rewrite at_zeros. apply H. lia.
Qed.

(* The sums of the contracts. *)
Notation total := (fold_right Z.add 0).

Lemma recursive_sum : forall (F g : Z -> Z), (forall n, F n = if n <=? 0 then 0 else F (n - 1) + g (n - 1)) ->
  forall n, 0 <= n -> F n = total (map g (places_of n)).
Proof.
  intros F g H n Hn. pattern n. apply natlike_ind; [rewrite H; reflexivity| |exact Hn]. clear n Hn. intros n Hn IH.
  rewrite H. destruct (Z.leb_spec (Z.succ n) 0); [lia|].
  replace (Z.succ n - 1) with n by lia. rewrite IH. unfold places_of.
  replace (Z.to_nat (Z.succ n)) with (S (Z.to_nat n)) by lia. rewrite seq_S, !map_app, fold_right_app.
  cbn [map fold_right Nat.add]. rewrite Z2Nat.id by exact Hn. rewrite Z.add_0_r.
  generalize (g n) (map g (map Z.of_nat (seq 0 (Z.to_nat n)))).
  intros x l. induction l as [|y l IHl]; cbn [fold_right]; lia.
Qed.

Lemma vote_sum_is : forall p q v n, 0 <= n -> FumataVoteSum p q v n = total (map (FumataVote p q v) (places_of n)).
Proof. intros p q v. apply recursive_sum. intros n. apply FumataVoteSum_acsl. Qed.

(* Those who are listed, once each, have the votes of the list. *)
Lemma total_plus : forall (f g : Z -> Z) l, total (map (fun r => f r + g r) l) = total (map f l) + total (map g l).
Proof. intros f g l. induction l as [|r l IH]; cbn [map fold_right]; lia. Qed.

Lemma total_one : forall u x n, 0 <= u < n -> total (map (fun r => if u =? r then x else 0) (places_of n)) = x.
Proof.
  intros u x n H.
  assert (N : NoDup (places_of n)) by (apply Injective_map_NoDup; [intros a b; lia|apply seq_NoDup]).
  apply in_places in H. induction (places_of n) as [|r l IH]; [destruct H|]. inversion N as [|? ? Nr Nl]; subst.
  cbn [map fold_right]. destruct H as [->|H].
  - rewrite Z.eqb_refl. enough (total (map (fun r => if u =? r then x else 0) l) = 0) by lia. clear IH N Nl.
    induction l as [|r l IH]; [reflexivity|]. cbn [map fold_right In] in *. rewrite IH by tauto.
    destruct (Z.eqb_spec u r); [subst; tauto|lia].
  - rewrite IH by assumption. destruct (Z.eqb_spec u r); [subst; contradiction|lia].
Qed.

Definition by_place (u g : Z -> Z) (l : list Z) (r : Z) : Z :=
  match find (fun i => u i =? r) l with Some i => g i | None => 0 end.

Lemma by_place_none : forall u g l r, ~ In r (map u l) -> by_place u g l r = 0.
Proof.
  intros u g l r H. unfold by_place. destruct (find _ l) as [i|] eqn:F; [|reflexivity]. apply find_some in F.
  destruct F as [I E]. apply Z.eqb_eq in E. destruct H. apply in_map_iff. exists i. auto.
Qed.

Lemma by_place_at : forall u g l i, NoDup (map u l) -> In i l -> by_place u g l (u i) = g i.
Proof.
  intros u g l i N I. unfold by_place. induction l as [|j l IH]; [destruct I|]. cbn [map] in N.
  inversion N as [|? ? Nj Nl]; subst. cbn [find]. destruct I as [->|I]; [rewrite Z.eqb_refl; reflexivity|].
  destruct (Z.eqb_spec (u j) (u i)) as [E|E]; [|apply IH; assumption].
  destruct Nj. rewrite E. apply in_map. exact I.
Qed.

Lemma total_by_place : forall u g n l, NoDup (map u l) -> (forall i, In i l -> 0 <= u i < n) ->
  total (map (by_place u g l) (places_of n)) = total (map g l).
Proof.
  intros u g n l. induction l as [|i l IH]; intros N R.
  - cbn [map fold_right]. induction (places_of n) as [|r l IH]; [reflexivity|]. cbn [map fold_right]. rewrite IH.
    reflexivity.
  - cbn [map] in N. inversion N as [|? ? Ni Nl]; subst. cbn [map fold_right].
    rewrite (map_ext _ (fun r => (if u i =? r then g i else 0) + by_place u g l r)).
    2:{ intros r. unfold by_place at 1. cbn [find]. destruct (Z.eqb_spec (u i) r) as [<-|]; [|reflexivity].
        rewrite by_place_none by exact Ni. lia. }
    rewrite total_plus, total_one, IH; [reflexivity|exact Nl|intros j Hj; apply R; right; exact Hj|apply R; left;
      reflexivity].
Qed.

(* A list in order names nobody twice. *)
Lemma listed_once : forall u n, (forall i, 0 < i /\ i < n -> u (i - 1) < u i) -> NoDup (map u (places_of n)).
Proof.
  intros u n H.
  assert (M : forall i j, 0 <= i -> i < j -> j < n -> u i < u j).
  { intros i j Hi Hij. replace j with (i + 1 + (j - i - 1)) by lia. assert (D : 0 <= j - i - 1) by lia. revert D.
    generalize (j - i - 1). clear j Hij. intros k Hk. pattern k. apply natlike_ind; [| |exact Hk].
    - intros Hn. specialize (H (i + 1) ltac:(lia)). replace (i + 1 - 1) with i in H by lia.
      replace (i + 1 + 0) with (i + 1) by lia. exact H.
    - intros x Hx IH Hn. specialize (IH ltac:(lia)). specialize (H (i + 1 + Z.succ x) ltac:(lia)).
      replace (i + 1 + Z.succ x - 1) with (i + 1 + x) in H by lia. lia. }
  assert (G : forall l, NoDup l -> (forall i, In i l -> 0 <= i < n) -> NoDup (map u l)).
  { intros l N R. induction N as [|i l Hi N IH]; [constructor|]. cbn [map]. constructor.
    - intros I. apply in_map_iff in I. destruct I as [j [E I]]. pose proof (R i (or_introl eq_refl)).
      pose proof (R j (or_intror I)). destruct (Z.lt_trichotomy i j) as [L|[->|L]]; [|contradiction|];
        [specialize (M i j)|specialize (M j i)]; lia.
    - apply IH. intros j Hj. apply R. right. exact Hj. }
  apply G; [apply Injective_map_NoDup; [intros a b; lia|apply seq_NoDup]|]. intros i. apply in_places.
Qed.

(* All of a poll but the leads past those that were asked. *)
Definition poll_seen (p : fumata_poll) :=
  (poll_plan p, uses_used (poll_uses p), firstn (Z.to_nat (poll_asked p)) (leads_lead (poll_leads p)),
   leads_size (poll_leads p), poll_asked p, (poll_stored p, poll_answered p)).

(* What both contracts of a vote say when it is granted, and what the function gives. *)
Section Asks.
  Variables (p : fumata_poll) (most : Z) (vote : Z -> Z).
  Hypothesis fits : fumata_poll_fits p.
  Hypothesis state : FumataPollInvariant p.
  Hypothesis room : poll_asked p < leads_size (poll_leads p).
  Let p1 := poll_asks p most vote.
  Let sum := fold_right Z.add 0 (map vote (places_of (uses_size (poll_uses p)))).

  Lemma asks_sizes : uses_size (poll_uses p1) = uses_size (poll_uses p) /\
    leads_size (poll_leads p1) = leads_size (poll_leads p).
  Proof.
    destruct fits as [_ [_ [_ [A _]]]]. unfold p1, poll_asks, uses_size, leads_size in *. cbn.
    rewrite map_length, length_places, length_set_at by lia. lia.
  Qed.

  Lemma asks_leads : forall i, 0 <= i -> (leads_lead (poll_leads p1)).[i] =
    if i =? poll_asked p then FumataLead sum most else (leads_lead (poll_leads p)).[i].
  Proof. intros i Hi. destruct fits as [_ [_ [_ [A _]]]]. cbn. apply at_set_at; unfold leads_size in *; lia. Qed.

  Lemma asks_uses : forall r, 0 <= r < uses_size (poll_uses p) ->
    (uses_used (poll_uses p1)).[r] = (uses_used (poll_uses p)).[r] + (if vote r =? 0 then 0 else 1).
  Proof. intros r Hr. cbn.
  apply (at_map_places (fun r => (uses_used (poll_uses p)).[r] + (if vote r =? 0 then 0 else 1))). exact Hr. Qed.

  Lemma asks_state : FumataPollInvariant p1.
  Proof.
    destruct asks_sizes as [S1 S2]. unfold FumataPollInvariant, FumataPollSizesOk, FumataPollMemory in *. rewrite S1, S2.
    cbn. intuition lia.
  Qed.

  Lemma asks_only : forall p', poll_plan p' = poll_plan p -> poll_stored p' = poll_stored p ->
    poll_answered p' = poll_answered p -> uses_size (poll_uses p') = uses_size (poll_uses p) ->
    leads_size (poll_leads p') = leads_size (poll_leads p) ->
    (forall i, 0 <= i /\ i < poll_asked p -> (leads_lead (poll_leads p')).[i] = (leads_lead (poll_leads p)).[i]) ->
    (forall r, 0 <= r /\ r < uses_size (poll_uses p) ->
       (uses_used (poll_uses p')).[r] = (uses_used (poll_uses p)).[r] + (if vote r =? 0 then 0 else 1)) ->
    (leads_lead (poll_leads p')).[poll_asked p] = FumataLead sum most -> poll_asked p' = poll_asked p + 1 ->
    poll_seen p' = poll_seen p1.
  Proof.
    intros p' E1 E2 E3 Eu El Ls Us L A. destruct asks_sizes as [S1 S2]. destruct fits as [_ [_ [_ [F _]]]].
    unfold poll_seen. rewrite E1, El, A, E2, E3, S2.
    replace (uses_used (poll_uses p')) with (uses_used (poll_uses p1)).
    2:{ apply same_table; [unfold uses_size in *; lia|]. intros r Hr. fold (uses_size (poll_uses p1)) in Hr.
        rewrite asks_uses, Us by lia. reflexivity. }
    replace (firstn (Z.to_nat (poll_asked p + 1)) (leads_lead (poll_leads p'))) with
      (firstn (Z.to_nat (poll_asked p + 1)) (leads_lead (poll_leads p1))); [reflexivity|].
    apply same_table; [rewrite !firstn_length; unfold leads_size in *; lia|].
    intros i Hi. rewrite firstn_length in Hi. unfold at_index.
    assert (G : forall l, nth (Z.to_nat i) (firstn (Z.to_nat (poll_asked p + 1)) l) 0 = l.[i]).
    { intros l. unfold at_index. rewrite <- (firstn_skipn (Z.to_nat (poll_asked p + 1)) l) at 2.
      destruct (lt_dec (Z.to_nat i) (length (firstn (Z.to_nat (poll_asked p + 1)) l))) as [H|H].
      - rewrite app_nth1 by exact H. reflexivity.
      - rewrite firstn_length in H. rewrite (nth_overflow (firstn _ l)) by (rewrite firstn_length; lia).
        rewrite skipn_all2, app_nil_r by lia. rewrite nth_overflow; [reflexivity|]. rewrite firstn_length. lia. }
    rewrite !G, asks_leads by lia. destruct (Z.eqb_spec i (poll_asked p)) as [->|]; [symmetry; exact L|].
    symmetry. apply Ls. lia.
  Qed.
End Asks.

Lemma negb_one : forall x, (if negb (x =? 0) then 1 else 0) = if x =? 0 then 0 else 1.
Proof. intros x. destruct (x =? 0); reflexivity. Qed.

Lemma not_ok : forall (b : bool) (P : Prop), (b = true <-> P) -> b = false <-> ~ P.
Proof. intros [|] P H; intuition discriminate. Qed.

Theorem poll_vote_contract : forall p q v, fumata_poll_vote_requires p q v -> fumata_poll_fits p ->
  (forall p' r, fumata_poll_vote_ensures p p' q v r ->
     poll_seen p' = poll_seen (fst (poll_votes p q v)) /\ r = snd (poll_votes p q v) /\ (r <> FUMATA_OK -> p' = p)) /\
  fumata_poll_vote_ensures p (fst (poll_votes p q v)) q v (snd (poll_votes p q v)).
Proof.
  intros p q v [Hs _] Hf. pose proof (FumataQuestionOk_true q) as Ok. pose proof (not_ok _ _ Ok) as Bad.
  unfold poll_votes, fumata_poll_vote_ensures.
  destruct (FumataQuestionOk_b q); cbn [negb].
  2:{ pose proof (proj1 Bad eq_refl) as N. split.
      - intros p' r [_ [_ [_ [_ [_ [_ [H _]]]]]]]. destruct (H (or_introl N)) as [-> [R _]]. cbn [fst snd].
        rewrite (R N). auto.
      - cbn [fst snd]. intuition. }
  pose proof (proj1 Ok eq_refl) as Y. destruct (Z.eqb_spec (poll_asked p) (leads_size (poll_leads p))) as [E|E].
  { split.
    - intros p' r [_ [_ [_ [_ [_ [_ [H _]]]]]]]. destruct (H (or_intror E)) as [-> [_ [R _]]]. cbn [fst snd].
      rewrite (R Y). auto.
    - cbn [fst snd]. intuition lia. }
  assert (Room : poll_asked p < leads_size (poll_leads p)) by (unfold FumataPollInvariant in Hs; lia).
  assert (Sum : FumataVoteSum p q v (uses_size (poll_uses p)) =
    fold_right Z.add 0 (map (FumataVote p q v) (places_of (uses_size (poll_uses p)))))
    by (apply vote_sum_is; unfold uses_size; lia).
  cbn [fst snd]. split.
  - intros p' r [H1 [H2 [H3 [_ [[H4 H5] [H6 [_ H]]]]]]]. destruct (H (conj Y Room)) as [V [L [A ->]]]. rewrite Sum in L.
    split; [|split; [reflexivity|contradiction]].
    apply asks_only; try assumption; try (intros i Hi; apply H6; lia).
    intros r Hr. rewrite V by (rewrite H4; exact Hr). rewrite negb_one. reflexivity.
  - destruct (asks_sizes p (question_most q) (FumataVote p q v) Hf Room) as [S1 S2].
    pose proof (asks_leads p (question_most q) (FumataVote p q v) Hf Room) as Ls.
    pose proof (asks_uses p (question_most q) (FumataVote p q v)) as Us.
    pose proof (asks_state p (question_most q) (FumataVote p q v) Hf Hs Room) as St.
    destruct Hf as [_ [_ [_ [F _]]]].
    split; [reflexivity|]. split; [reflexivity|]. split; [reflexivity|]. split; [exact St|].
    split; [split; assumption|]. split.
    { intros i Hi. rewrite Ls by lia. destruct (Z.eqb_spec i (poll_asked p)); [lia|reflexivity]. }
    split; [intros [N|N]; [contradiction|lia]|]. intros _. rewrite S1. split.
    { intros r Hr. rewrite Us by lia. rewrite negb_one. reflexivity. }
    split; [rewrite Ls, Z.eqb_refl, Sum by lia; reflexivity|]. split; reflexivity.
Qed.

Theorem poll_vote_listed_contract : forall p q asked, fumata_poll_vote_listed_requires p q asked -> fumata_poll_fits p ->
  fumata_list_fits asked ->
  (forall p' r, fumata_poll_vote_listed_ensures p p' q asked r ->
     poll_seen p' = poll_seen (fst (poll_votes_listed p q asked)) /\ r = snd (poll_votes_listed p q asked) /\
     (r <> FUMATA_OK -> p' = p)) /\
  fumata_poll_vote_listed_ensures p (fst (poll_votes_listed p q asked)) q asked (snd (poll_votes_listed p q asked)).
Proof.
  intros p q asked [Hs [_ Hread]] Hf [_ [_ Hsize]]. pose proof (FumataQuestionOk_true q) as Ok.
  pose proof (not_ok _ _ Ok) as Bad.
  pose proof (FumataListOk_true asked (uses_size (poll_uses p))) as Ok2. pose proof (not_ok _ _ Ok2) as Bad2.
  unfold poll_votes_listed, fumata_poll_vote_listed_ensures.
  destruct (FumataQuestionOk_b q); cbn [negb].
  2:{ pose proof (proj1 Bad eq_refl) as N. split.
      - intros p' r [_ [_ [_ [_ [_ [_ [H _]]]]]]]. destruct (H (or_introl N)) as [-> [R _]]. cbn [fst snd].
        rewrite (R N). auto.
      - cbn [fst snd]. intuition. }
  pose proof (proj1 Ok eq_refl) as Y. destruct (FumataListOk_b asked (uses_size (poll_uses p))); cbn [negb].
  2:{ pose proof (proj1 Bad2 eq_refl) as N. split.
      - intros p' r [_ [_ [_ [_ [_ [_ [H _]]]]]]]. destruct (H (or_intror (or_introl N))) as [-> [_ [R _]]].
        cbn [fst snd].
        rewrite (R (conj Y N)). auto.
      - cbn [fst snd]. intuition. }
  pose proof (proj1 Ok2 eq_refl) as Z2. destruct (Z.eqb_spec (poll_asked p) (leads_size (poll_leads p))) as [E|E].
  { split.
    - intros p' r [_ [_ [_ [_ [_ [_ [H _]]]]]]]. destruct (H (or_intror (or_intror E))) as [-> [_ [_ [R _]]]]. cbn [fst snd].
      rewrite (R (conj Y Z2)). auto.
    - cbn [fst snd]. intuition lia. }
  assert (Room : poll_asked p < leads_size (poll_leads p)) by (unfold FumataPollInvariant in Hs; lia).
  set (u := fun i => (list_units asked).[i]) in *. set (n := list_size asked) in *.
  set (units := uses_size (poll_uses p)) in *.
  pose proof Z2 as [Ln [Lu La]]. fold n in Ln, Lu, La. fold u in Lu, La.
  assert (Ranged : forall i, In i (places_of n) -> 0 <= u i < units).
  { intros i Hi. apply in_places in Hi. split; [|apply Lu; lia].
    assert (S : n <= FUMATA_UNITS_MAX) by (unfold FumataPollInvariant, FumataPollSizesOk in Hs; fold units in Hs; lia).
    destruct (Hread S) as [T _]. apply (T i). lia. }
  pose proof (listed_once u n La) as Once.
  assert (Listed : forall r, listed_vote p q asked r =
    by_place u (FumataListedVote p q asked) (places_of n) r) by reflexivity.
  assert (Sum : FumataListedSum p q asked n = total (map (listed_vote p q asked) (places_of units))).
  { rewrite (map_ext _ _ Listed), (total_by_place u _ units _ Once Ranged). apply recursive_sum; [|lia].
    intros k. apply FumataListedSum_acsl. }
  assert (At : forall i, 0 <= i -> i < n -> listed_vote p q asked (u i) = FumataListedVote p q asked i)
    by (intros i H1 H2; rewrite Listed; apply by_place_at; [exact Once|apply in_places; lia]).
  assert (Off : forall r, (forall i, 0 <= i /\ i < n -> u i <> r) -> listed_vote p q asked r = 0).
  { intros r H. rewrite Listed. apply by_place_none. intros I. apply in_map_iff in I. destruct I as [i [Ei I]].
    apply in_places in I. apply (H i ltac:(lia) Ei). }
  cbn [fst snd]. split.
  - intros p' r [H1 [H2 [H3 [_ [[H4 H5] [H6 [_ H]]]]]]]. destruct (H (conj (conj Y Z2) Room)) as [V [O [L [A ->]]]].
    split; [|split; [reflexivity|contradiction]].
    apply asks_only; try assumption; try (intros i Hi; apply H6; lia); [|rewrite L, Sum; reflexivity].
    intros r Hr.
    destruct (in_dec Z.eq_dec r (map u (places_of n))) as [I|I].
    + apply in_map_iff in I. destruct I as [i [<- I]]. apply in_places in I. rewrite At by lia.
      specialize (V i ltac:(lia)). rewrite negb_one in V. exact V.
    + assert (F : forall i, 0 <= i /\ i < n -> u i <> r)
        by (intros i Hi Ei; apply I, in_map_iff; exists i; split; [exact Ei|apply in_places; lia]).
      rewrite (Off r F), (O r ltac:(rewrite H4; exact Hr) F). cbn. lia.
  - destruct (asks_sizes p (question_most q) (listed_vote p q asked) Hf Room) as [S1 S2].
    pose proof (asks_leads p (question_most q) (listed_vote p q asked) Hf Room) as Ls.
    pose proof (asks_uses p (question_most q) (listed_vote p q asked)) as Us.
    pose proof (asks_state p (question_most q) (listed_vote p q asked) Hf Hs Room) as St.
    destruct Hf as [_ [_ [_ [F _]]]].
    split; [reflexivity|]. split; [reflexivity|]. split; [reflexivity|]. split; [exact St|].
    split; [split; assumption|]. split.
    { intros i Hi. rewrite Ls by lia. destruct (Z.eqb_spec i (poll_asked p)); [lia|reflexivity]. }
    split; [intros [N|[N|N]]; [contradiction|contradiction|lia]|]. intros _. rewrite S1. split.
    { intros i Hi. fold (u i). rewrite Us by (apply Ranged, in_places; exact Hi). rewrite At, negb_one by lia.
      reflexivity. }
    split.
    { intros r Hr H. rewrite Us by exact Hr. rewrite (Off r H). cbn. lia. }
    split; [rewrite Ls, Z.eqb_refl by lia; fold units; rewrite Sum; reflexivity|]. split; reflexivity.
Qed.

(* The others. *)
Lemma poll_is : forall p p' : fumata_poll, poll_plan p' = poll_plan p ->
  uses_used (poll_uses p') = uses_used (poll_uses p) ->
  leads_lead (poll_leads p') = leads_lead (poll_leads p) -> poll_asked p' = poll_asked p ->
  poll_stored p' = poll_stored p -> poll_answered p' = poll_answered p -> p' = p.
Proof. intros [a [b] [c] d e f] [a' [b'] [c'] d' e' f']. cbn. congruence. Qed.

Theorem poll_stored_contract : forall p p' r, fumata_poll_stored_requires p ->
  fumata_poll_stored_ensures p p' r <-> (p', r) = poll_stores p.
Proof.
  intros p p' r Hs. unfold fumata_poll_stored_requires, fumata_poll_stored_ensures, poll_stores in *. split.
  - intros [H1 [H2 [H3 [H4 [H5 [_ [H6 ->]]]]]]]. f_equal. apply poll_is; cbn; congruence.
  - intros E. inversion E. cbn. unfold FumataPollInvariant, FumataPollSizesOk, FumataPollMemory in *. cbn. intuition lia.
Qed.

Theorem poll_answer_contract : forall p p' coin yes yes' r, fumata_poll_answer_requires p coin yes ->
  fumata_poll_answer_ensures p p' coin yes yes' r <-> (p', yes', r) = poll_answers p coin yes.
Proof.
  intros p p' coin yes yes' r Hs. unfold fumata_poll_answer_ensures, poll_answers, fumata_poll_answer_requires in *.
  set (lead := (leads_lead (poll_leads p)).[poll_answered p]).
  pose proof (FumataSaysYes_true p lead coin) as S. destruct (Z.eqb_spec (poll_answered p) (poll_stored p)) as [E|E].
  { split; [intros [_ [_ [_ [_ [_ [_ [H _]]]]]]]; destruct (H E) as [-> [-> [_ ->]]]; reflexivity|].
    intros G. inversion G. intuition lia. }
  assert (L : poll_answered p < poll_stored p) by (unfold FumataPollInvariant in Hs; lia).
  pose proof (not_ok _ _ S) as S'. destruct (FumataSaysYes_b p lead coin).
  - pose proof (proj1 S eq_refl) as Y. split.
    + intros [H1 [H2 [H3 [H4 [H5 [_ [_ [H _]]]]]]]]. destruct (H (conj L Y)) as [-> [A ->]]. f_equal. f_equal.
      apply poll_is; cbn; congruence.
    + intros G. inversion G. cbn. unfold FumataPollInvariant, FumataPollSizesOk, FumataPollMemory in *. cbn.
      intuition lia.
  - pose proof (proj1 S' eq_refl) as N. split.
    + intros [H1 [H2 [H3 [H4 [H5 [_ [_ [_ H]]]]]]]]. destruct (H (conj L N)) as [-> [A ->]]. f_equal. f_equal.
      apply poll_is; cbn; congruence.
    + intros G. inversion G. cbn. unfold FumataPollInvariant, FumataPollSizesOk, FumataPollMemory in *. cbn.
      intuition lia.
Qed.

Lemma idle_state : forall plan uses leads, FumataTollPlanOk plan -> toll_plan_limit plan <= FUMATA_POLL_VOTES_MAX ->
  Z.of_nat (length uses) <= FUMATA_UNITS_MAX -> Z.of_nat (length leads) <= FUMATA_LEADS_MAX ->
  FumataPollInvariant (poll_idle plan uses leads).
Proof.
  intros plan uses leads H1 H2 H3 H4.
  unfold FumataPollInvariant, FumataPollSizesOk, FumataPollMemory, uses_size, leads_size.
  cbn. intuition lia.
Qed.

Theorem poll_clear_contract : forall p p' r, fumata_poll_clear_requires p ->
  fumata_poll_clear_ensures p p' r <-> (p', r) = poll_clears p.
Proof.
  intros p p' r Hs. unfold fumata_poll_clear_ensures, poll_clears, fumata_poll_clear_requires in *. split.
  - intros [H1 [H2 [[_ [I1 [I2 I3]]] [H3 [H4 ->]]]]]. f_equal. apply poll_is; cbn; try assumption; [congruence|].
    rewrite <- H3. apply all_zero; [exact H4|reflexivity].
  - intros E. inversion E. destruct Hs as [S1 [S2 [[S3 S4] _]]].
    assert (L : leads_size (poll_leads (fst (poll_clears p))) = leads_size (poll_leads p))
      by (exact (f_equal Z.of_nat (length_all_zero _))).
    split; [reflexivity|]. split; [destruct (poll_uses p); reflexivity|]. split.
    { split; [|cbn; repeat split; reflexivity]. apply idle_state; try assumption. unfold leads_size in *.
      rewrite length_all_zero. exact S4. }
    split; [exact L|]. split; [|reflexivity]. intros i Hi. cbn. apply at_zeros.
Qed.

Theorem poll_close_contract : forall p p' r, fumata_poll_close_requires p ->
  fumata_poll_close_ensures p p' r <-> (p', r) = poll_ends p.
Proof.
  intros p p' r Hs. unfold fumata_poll_close_ensures, poll_ends, fumata_poll_close_requires in *. split.
  - intros [H1 [[_ [I1 [I2 I3]]] [H2 [H3 [_ [H4 ->]]]]]]. f_equal. apply poll_is; cbn; try assumption.
    + rewrite <- H2. apply all_zero; [exact H4|reflexivity].
    + unfold leads_size in H3. destruct (leads_lead (poll_leads p')); [reflexivity|cbn in H3; lia].
  - intros E. inversion E. destruct Hs as [S1 [S2 [[S3 S4] _]]]. split; [reflexivity|]. split.
    { split; [|cbn; repeat split; reflexivity].
      apply idle_state; try assumption; [unfold uses_size in *; rewrite length_all_zero; exact S3|
      discriminate]. }
    split; [exact (f_equal Z.of_nat (length_all_zero _))|]. split; [reflexivity|].
    split; [intros i Hi; apply (at_zeros 0)|].
    split; [|reflexivity]. intros i Hi. cbn. apply at_zeros.
Qed.

(* Starting. *)
Lemma poll_runs : forall p plan, FumataPollRuns p plan <-> poll_plan p = plan.
Proof.
  intros p plan. unfold FumataPollRuns, toll_plan_size. destruct (poll_plan p) as [a b], plan as [a' b']. cbn.
  split; [intros [-> [_ ->]]; reflexivity|intros H; inversion H; auto].
Qed.

Section Starts.
  Variables (p : fumata_poll) (plan : fumata_toll_plan) (claim : fumata_claim) (certified : bool).
  Hypothesis Hcert : certified = true <-> FumataTollIsCertified plan claim.

  Lemma poll_status_is : forall r, FumataPollStatus p plan claim r <-> r = poll_status p plan claim certified.
  Proof.
    intros r. unfold FumataPollStatus, poll_status. rewrite (toll_status_is plan claim certified r Hcert).
    pose proof (FumataPollSizesOk_true p) as S. pose proof (not_ok _ _ S) as S'.
    destruct (FumataPollSizesOk_b p); cbn [negb]; [pose proof (proj1 S eq_refl)|pose proof (proj1 S' eq_refl)];
      destruct (Z.ltb_spec FUMATA_POLL_VOTES_MAX (toll_plan_limit plan)); intuition lia.
  Qed.

  Lemma poll_status_ok : poll_status p plan claim certified = FUMATA_OK <-> FumataPollIsCertified p plan claim.
  Proof.
    unfold FumataPollIsCertified, poll_status. rewrite <- (toll_status_ok plan claim certified Hcert).
    pose proof (FumataPollSizesOk_true p) as S. pose proof (not_ok _ _ S) as S'.
    destruct (FumataPollSizesOk_b p); cbn [negb]; [pose proof (proj1 S eq_refl)|pose proof (proj1 S' eq_refl)];
      destruct (Z.ltb_spec FUMATA_POLL_VOTES_MAX (toll_plan_limit plan)); intuition (try discriminate; lia).
  Qed.

  Lemma poll_started : forall uses leads, FumataPollIsCertified p plan claim ->
    length uses = length (uses_used (poll_uses p)) -> length leads = length (leads_lead (poll_leads p)) ->
    FumataPollStarts (poll_idle plan uses leads) plan.
  Proof.
    intros uses leads [[S1 S2] [L C]] Lu Ll.
    split; [|split; [apply poll_runs; reflexivity|cbn; repeat split; reflexivity]].
    apply idle_state; try assumption; [apply (certified_toll_ok plan claim C)|unfold uses_size in *;
      lia|unfold leads_size in *; lia].
  Qed.

  Theorem poll_resume_contract : forall p' r,
    fumata_poll_resume_ensures p p' plan claim r <-> (p', r) = poll_resumes p plan claim certified.
  Proof.
    intros p' r. unfold poll_resumes. set (started := poll_idle _ _ _).
    rewrite <- (start_is _ (poll_status p plan claim certified) (FumataPollStatus p plan claim r)
      (FumataPollIsCertified p plan claim) (fun x => poll_uses x = poll_uses p /\ poll_leads x = poll_leads p /\
        FumataPollStarts x plan));
      [|apply poll_status_is|apply poll_status_ok| |].
    - unfold fumata_poll_resume_ensures. split; [tauto|]. intros [H1 [H2 [H3 H4]]].
      destruct (Z.eq_dec r FUMATA_OK) as [E|E]; [tauto|]. rewrite (H4 E). tauto.
    - intros [H1 [H2 [_ [R [I1 [I2 I3]]]]]]. apply poll_runs in R. unfold started. apply poll_is; cbn; congruence.
    - intros C. split; [unfold started; destruct (poll_uses p); reflexivity|].
      split; [unfold started; destruct (poll_leads p); reflexivity|]. apply poll_started; auto.
  Qed.

  Theorem poll_init_contract : forall p' r,
    fumata_poll_init_ensures p p' plan claim r <-> (p', r) = poll_starts p plan claim certified.
  Proof.
    intros p' r. unfold poll_starts. set (started := poll_idle _ _ _).
    rewrite <- (start_is _ (poll_status p plan claim certified) (FumataPollStatus p plan claim r)
      (FumataPollIsCertified p plan claim) (fun x => poll_leads x = poll_leads p /\
        uses_size (poll_uses x) = uses_size (poll_uses p) /\ FumataPollStarts x plan /\ FumataNoneUsed x));
      [|apply poll_status_is|apply poll_status_ok| |].
    - unfold fumata_poll_init_ensures. split; [tauto|]. intros [H1 [H2 [H3 H4]]].
      destruct (Z.eq_dec r FUMATA_OK) as [E|E]; [tauto|]. rewrite (H4 E). tauto.
    - intros [H1 [H2 [[_ [R [I1 [I2 I3]]]] Z]]]. apply poll_runs in R. unfold started. apply poll_is; cbn; try congruence.
      rewrite <- H2. apply all_zero; [exact Z|reflexivity].
    - intros C. pose proof (length_all_zero (uses_used (poll_uses p))) as L.
      split; [unfold started; destruct (poll_leads p); reflexivity|].
      split; [exact (f_equal Z.of_nat L)|]. split; [apply poll_started; auto|].
      intros i Hi. cbn. apply at_zeros.
  Qed.
End Starts.
