(* What a ledger adds up, at work on one data set at the same time: certified meters, tolls, budgets and classic sessions,
   each with words, runs and learners of its own, and releases that happen once, such as counts and error estimates; asked
   in any order, each question after all answers so far. Epsilons and deltas add up, for every assignment of words and over
   secret ones. *)
From Coq Require Import Reals Lra Lia Psatz ZArith List Bool Arith.
From Fumata Require Import SpecPlan Statement Divergence Uniform Units CertificateTotal Interleaving Concurrent Beside
  Lives.
Import ListNotations.
Local Open Scope R_scope.

(* A life is asked by moves, a release is asked for. Who is asked for something else says nothing. *)
Definition asking (key record query : Type) := (@request (question key record query) + unit)%type.
Definition told := option (answer + option Z).
Definition all_replies {key record query} (outcomes : list Z) (q : asking key record query) : list told :=
  None :: match q with
          | inl r => map (fun a => Some (inl a)) (replies_to _ label_bound r)
          | inr u => map (fun o => Some (inr o)) (once_replies Z outcomes u)
          end.

Section Kinds.
  Variables key record query : Type.
  Variable outcomes : list Z.
  Hypothesis outcomes_once : NoDup outcomes.
  Let Q := asking key record query.

  Definition is_nothing (r : told) : bool := match r with None => true | _ => false end.
  Definition to_life (q : Q) : option request := match q with inl r => Some r | inr _ => None end.
  Definition from_life (r : told) : option answer := match r with Some (inl a) => Some a | _ => None end.
  Definition to_release (q : Q) : option unit := match q with inr u => Some u | inl _ => None end.
  Definition from_release (r : told) : option (option Z) := match r with Some (inr o) => Some o | _ => None end.

  Definition living (W : history (@request (question key record query)) answer -> R) : history Q told -> R :=
    lifted _ _ Q told to_life from_life is_nothing W.
  Definition telling (mu : law Z) : history Q told -> R :=
    lifted _ _ Q told to_release from_release is_nothing (once_weight Z Z.eqb mu).

  Lemma foreign : forall A (f : told -> R) (g : A -> told) l x, (forall a, is_nothing (g a) = false) -> f None = x ->
    sum (fun r => if is_nothing r then f r else 0) (None :: map g l) = x.
  Proof.
    intros A f g l x H E. cbn [sum is_nothing]. rewrite sum_map, (sum_ext _ _ (fun _ => 0)).
    - rewrite sum_const, E. ring.
    - intros a _. rewrite H. reflexivity.
  Qed.

  Lemma life_replies : forall q' q (f : told -> R), to_life q' = Some q ->
    sum (fun r => match from_life r with Some _ => f r | None => 0 end) (all_replies outcomes q') =
    sum (fun a => f (Some (inl a))) (replies_to _ label_bound q).
  Proof.
    intros [r|u] q f E; inversion E; subst. unfold all_replies. cbn [sum from_life]. rewrite sum_map. apply Rplus_0_l.
  Qed.

  Lemma release_replies : forall q' q (f : told -> R), to_release q' = Some q ->
    sum (fun r => match from_release r with Some _ => f r | None => 0 end) (all_replies outcomes q') =
    sum (fun o => f (Some (inr o))) (once_replies Z outcomes q).
  Proof.
    intros [r|u] q f E; inversion E; subst. unfold all_replies. cbn [sum from_release]. rewrite sum_map. apply Rplus_0_l.
  Qed.

  Lemma life_idle : forall q' (f : told -> R), to_life q' = None ->
    sum (fun r => if is_nothing r then f r else 0) (all_replies outcomes q') = f None.
  Proof. intros [r|u] f E; [discriminate|]. apply foreign; reflexivity. Qed.

  Lemma release_idle : forall q' (f : told -> R), to_release q' = None ->
    sum (fun r => if is_nothing r then f r else 0) (all_replies outcomes q') = f None.
  Proof. intros [r|u] f E; [|discriminate]. apply foreign; reflexivity. Qed.

  Lemma living_coherent : forall W, coherent _ _ (replies_to _ label_bound) W ->
    coherent Q told (all_replies outcomes) (living W).
  Proof.
    intros W. apply (lifted_coherent _ _ (replies_to _ label_bound) Q told (all_replies outcomes) to_life
      (fun a => Some (inl a)) from_life None); [reflexivity|exact life_replies|exact life_idle].
  Qed.

  Lemma living_private : forall epsilon delta W W',
    private_alone _ _ (replies_to _ label_bound) epsilon delta W W' ->
    private_alone Q told (all_replies outcomes) epsilon delta (living W) (living W').
  Proof.
    intros epsilon delta W W'. apply (lifted_private _ _ (replies_to _ label_bound) Q told (all_replies outcomes) to_life
      (fun a => Some (inl a)) from_life None); [reflexivity|reflexivity|exact life_replies|exact life_idle].
  Qed.

  Lemma telling_coherent : forall mu, is_law mu -> covers Z outcomes mu ->
    coherent Q told (all_replies outcomes) (telling mu).
  Proof.
    intros mu L C. apply (lifted_coherent _ _ (once_replies Z outcomes) Q told (all_replies outcomes) to_release
      (fun o => Some (inr o)) from_release None); [reflexivity|exact release_replies|exact release_idle|].
    apply once_coherent; [apply Z.eqb_eq|exact outcomes_once|exact L|exact C].
  Qed.

  Lemma telling_private : forall epsilon delta mu nu, is_law mu -> is_law nu -> covers Z outcomes mu ->
    covers Z outcomes nu -> within epsilon delta mu nu ->
    private_alone Q told (all_replies outcomes) epsilon delta (telling mu) (telling nu).
  Proof.
    intros epsilon delta mu nu Lm Ln Cm Cn H.
    apply (lifted_private _ _ (once_replies Z outcomes) Q told (all_replies outcomes) to_release
      (fun o => Some (inr o)) from_release None); [reflexivity|reflexivity|exact release_replies|exact release_idle|].
    apply once_private; try assumption. apply Z.eqb_eq.
  Qed.
End Kinds.

(* What is at work: the life of a certified plan, and how its words are assigned; or a release. *)
Inductive job (key record assignment : Type) :=
| Life (plan : any_plan) (claim : fumata_claim) (words_of : assignment)
| Once (epsilon delta : R) (mechanism : list (row key record) -> law Z).
Arguments Life {key record assignment}.
Arguments Once {key record assignment}.

Section Together.
  Variables key record query assignment : Type.
  Variable near : list (row key record) -> list (row key record) -> Prop.
  Variable weights : any_plan -> assignment -> list (row key record) ->
    history (@request (question key record query)) answer -> R.
  Hypothesis weights_coherent : forall plan s data, coherent _ _ (replies_to _ label_bound) (weights plan s data).

  Definition cost (j : job key record assignment) : R := match j with Life _ c _ => epsilon_of c | Once e _ _ => e end.
  Definition loss (j : job key record assignment) : R := match j with Life _ c _ => delta_of c | Once _ d _ => d end.
  Definition weight_of (j : job key record assignment) (data : list (row key record))
    : history (asking key record query) told -> R :=
    match j with
    | Life plan _ s => living key record query (weights plan s data)
    | Once _ _ mechanism => telling key record query (mechanism data)
    end.
  Definition job_ok (data data' : list (row key record)) (j : job key record assignment) : Prop :=
    match j with
    | Life plan claim s => private_alone _ _ (replies_to _ label_bound) (epsilon_of claim) (delta_of claim)
                             (weights plan s data) (weights plan s data')
    | Once e d mechanism => private e d near mechanism
    end.
  (* Everything that the releases may say of either data set. *)
  Definition outcomes_of (m : nat) (jobs : nat -> job key record assignment) (data data' : list (row key record)) : list Z :=
    nodup Z.eq_dec (flat_map (fun i => match jobs i with
      | Life _ _ _ => [] | Once _ _ f => map fst (f data) ++ map fst (f data') end) (seq 0 m)).

  Lemma jobs_add_up : forall m jobs data data', near data data' ->
    (forall i, (i < m)%nat -> job_ok data data' (jobs i)) -> forall next S n,
    let run d := interleave (asking key record query) told (all_replies (outcomes_of m jobs data data')) m
      (fun i => weight_of (jobs i) d) next S n [] in
    run data <= exp (sum (fun i => cost (jobs i)) (seq 0 m)) * run data' + sum (fun i => loss (jobs i)) (seq 0 m).
  Proof.
    intros m jobs data data' Hn Hok next S n. cbv zeta. set (outcomes := outcomes_of m jobs data data').
    assert (Ho : NoDup outcomes) by apply NoDup_nodup.
    assert (Covers : forall i e d f, (i < m)%nat -> jobs i = Once e d f ->
      covers Z outcomes (f data) /\ covers Z outcomes (f data')).
    { intros i e d f Hi E. split; intros x Hx; apply nodup_In, in_flat_map; exists i;
        (split; [apply in_seq; lia|]; rewrite E; apply in_or_app; auto using in_map). }
    apply (private_sessions_add_up _ _ (all_replies outcomes) m (fun i => cost (jobs i)) (fun i => loss (jobs i)));
      intros i Hi; specialize (Hok i Hi); specialize (Covers i); unfold job_ok, weight_of, cost, loss in *.
    - destruct (jobs i) as [plan claim s|e d f]; [split; apply living_coherent, weights_coherent|].
      destruct (Covers e d f Hi eq_refl) as [C1 C2]. destruct Hok as [L _].
      split; apply telling_coherent; auto.
    - destruct (jobs i) as [plan claim s|e d f]; [apply living_private; exact Hok|].
      destruct (Covers e d f Hi eq_refl) as [C1 C2]. destruct Hok as [L W].
      apply telling_private; auto.
  Qed.
End Together.

(* For every assignment of words to the runs of every life. *)
Theorem certified_jobs_add_up : forall key record query m (jobs : nat -> job key record (nat -> key -> Z)),
  (forall i, (i < m)%nat -> match jobs i with
    | Life plan claim _ => fumata_claim_fits claim /\ certified plan claim
    | Once epsilon delta mechanism => private epsilon delta neighbours mechanism end) ->
  forall data data', neighbours data data' -> forall next S n,
  let run d := interleave (asking key record query) told (all_replies (outcomes_of _ _ _ m jobs data data')) m
    (fun i => weight_of _ _ _ _ (fun plan word data => plan_weight plan (sight word data)) (jobs i) d) next S n [] in
  run data <= exp (sum (fun i => cost _ _ _ (jobs i)) (seq 0 m)) * run data' +
    sum (fun i => loss _ _ _ (jobs i)) (seq 0 m).
Proof.
  intros key record query m jobs H data data' Hn next S n.
  apply (jobs_add_up key record query _ neighbours); [intros; apply plan_within|exact Hn|].
  intros i Hi. specialize (H i Hi). unfold job_ok. destruct (jobs i) as [plan claim word|e d f]; [|exact H].
  destruct H as [fit C]. eapply speaks_private; [apply plan_within|apply plan_within|]. intros k who.
  destruct (any_is_private plan claim k fit C) as [P _]. apply (proj2 (P key record query word who)). exact Hn.
Qed.

(* Over secret words, uniform, of so many keys in so many runs. *)
Theorem certified_jobs_add_up_secretly : forall record query keys m (jobs : nat -> job nat record nat),
  (forall i, (i < m)%nat -> match jobs i with
    | Life plan claim _ => fumata_claim_fits claim /\ certified plan claim
    | Once epsilon delta mechanism => private epsilon delta (neighbours_any keys) mechanism end) ->
  forall data data', neighbours_any keys data data' -> forall next S n,
  let run d := interleave (asking nat record query) told (all_replies (outcomes_of _ _ _ m jobs data data')) m
    (fun i => weight_of _ _ _ _ (fun plan runs data => mean_of _ _ (secrets keys runs)
       (fun secret => plan_weight plan (sight (word_of secret) data))) (jobs i) d) next S n [] in
  run data <= exp (sum (fun i => cost _ _ _ (jobs i)) (seq 0 m)) * run data' +
    sum (fun i => loss _ _ _ (jobs i)) (seq 0 m).
Proof.
  intros record query keys m jobs H data data' Hn next S n.
  assert (Speaks : forall plan runs (data : list (row nat record)), speaks_for _ label_bound
    (mean_of _ _ (secrets keys runs) (fun secret => plan_weight plan (sight (query := query) (word_of secret) data)))
    (fun k who => mixture (secrets keys runs) (fun secret => released plan k _ who (sight (word_of secret) data)))).
  { intros plan runs d. apply (mean_speaks _ label_bound _ _ _
      (fun secret k who => released plan k _ who (sight (word_of secret) d))). intros secret. apply plan_within. }
  apply (jobs_add_up nat record query _ (neighbours_any keys)); [|exact Hn|].
  - intros plan runs d. apply coherent_mean; [apply secrets_nonempty|]. intros secret. apply plan_within.
  - intros i Hi. specialize (H i Hi). unfold job_ok. destruct (jobs i) as [plan claim runs|e d f]; [|exact H].
    destruct H as [fit C]. eapply speaks_private; [apply Speaks|apply Speaks|]. intros k who.
    destruct (any_is_private plan claim k fit C) as [_ P]. apply (proj2 (P record query keys runs who)). exact Hn.
Qed.
