(* What a unit says to a question is said by its own records. The distances and labels that core/crowd.h finds for the units
   of a crowd (FumataFound, FumataSpeaks) are, for each unit, a function of its own rows and of the centre, whoever else is
   there: what PollJoint.v asks of them. *)
From Coq Require Import Bool Lia List ZArith.
From Fumata Require Import SpecBase SpecCrowd SpecPoll PollMachine Statement PollJoint.
Import ListNotations.
Local Open Scope Z_scope.

(* A record is a place, as long as it may be, and a label. *)
Definition record := (list Z * Z)%type.

(* The squared distance of a place, each coordinate clipped, from a centre. *)
Definition squared (dimensions : Z) (centre place : list Z) : Z :=
  fold_right Z.add 0 (map (fun i => FumataSquare (FumataClip place.[i] - centre.[i])) (places_of dimensions)).

(* The first of the nearest ones; of nobody, nobody. *)
Fixpoint nearest (l : list (Z * Z)) : Z * Z :=
  match l with
  | [] => (4294967295, 65535)
  | [x] => x
  | x :: rest => if fst x <=? fst (nearest rest) then x else nearest rest
  end.
Definition hears {key} (dimensions : Z) (centre : list Z) (mine : list (row key record)) : Z * Z :=
  nearest (map (fun r => (squared dimensions centre (fst (snd r)), snd (snd r))) mine).

Lemma nearest_in : forall l, l <> [] -> In (nearest l) l.
Proof.
  induction l as [|x [|y l] IH]; intros H; [contradiction|left; reflexivity|].
  change (nearest (x :: y :: l)) with (if fst x <=? fst (nearest (y :: l)) then x else nearest (y :: l)).
  destruct (fst x <=? fst (nearest (y :: l))); [left; reflexivity|right; apply IH; discriminate].
Qed.

Lemma nearest_is : forall l k d, (k < length l)%nat ->
  (forall j, (j < length l)%nat -> fst (nth k l d) <= fst (nth j l d)) ->
  (forall j, (j < k)%nat -> fst (nth k l d) < fst (nth j l d)) -> nearest l = nth k l d.
Proof.
  induction l as [|x l IH]; intros k d L H F; [cbn in L; lia|]. destruct l as [|y l].
  { destruct k as [|k]; [reflexivity|cbn in L; lia]. }
  change (nearest (x :: y :: l)) with (if fst x <=? fst (nearest (y :: l)) then x else nearest (y :: l)).
  destruct k as [|k].
  - destruct (Z.leb_spec (fst x) (fst (nearest (y :: l)))) as [_|G]; [reflexivity|].
    assert (I : In (nearest (y :: l)) (y :: l)) by (apply nearest_in; discriminate).
    apply (In_nth _ _ d) in I. destruct I as [j [Lj E]]. specialize (H (S j) ltac:(cbn [length] in *; lia)).
    change (fst x <= fst (nth j (y :: l) d)) in H. rewrite E in H. lia.
  - assert (E : nearest (y :: l) = nth k (y :: l) d).
    { apply IH; [cbn [length] in *; lia|..].
      - intros j Lj. apply (H (S j)). cbn [length] in *. lia.
      - intros j Lj. apply (F (S j)). lia. }
    rewrite E. specialize (F O ltac:(lia)). change (fst (nth k (y :: l) d) < fst x) in F.
    change (nth (S k) (x :: y :: l) d) with (nth k (y :: l) d).
    destruct (Z.leb_spec (fst x) (fst (nth k (y :: l) d))); [lia|reflexivity].
Qed.

Lemma distance_is : forall x i y j n, 0 <= n ->
  FumataDistance x i y j n = fold_right Z.add 0 (map (fun k => FumataSquare (x.[i + k] - y.[j + k])) (places_of n)).
Proof.
  intros x i y j. apply recursive_sum. intros n. rewrite FumataDistance_acsl.
  replace (i + n - 1) with (i + (n - 1)) by lia. replace (j + n - 1) with (j + (n - 1)) by lia. reflexivity.
Qed.

Section Crowd.
  Variable key : Type.
  Variable same : equality key.
  Variable data : list (row key record).
  Variable name : nat -> key.

  (* How records stand in memory: those of unit u together and in order, from first[u] on, settled. *)
  Definition stands (places labels first : list Z) (dimensions : Z) (u : nat) : Prop :=
    0 <= first.[Z.of_nat u] /\ first.[Z.of_nat u + 1] = first.[Z.of_nat u] + Z.of_nat (length (own same data (name u))) /\
    forall k row, nth_error (own same data (name u)) k = Some row -> let r := first.[Z.of_nat u] + Z.of_nat k in
      labels.[r] = snd (snd row) /\
      forall i, 0 <= i < dimensions -> places.[FumataRow r dimensions + i] = FumataClip (fst (snd row)).[i].

  Variables (places labels first centres distances : list Z) (size dimensions q : Z).
  Hypothesis dimensions_some : 0 <= dimensions.
  (* The centre of the question, and the distances of all records from it. *)
  Definition centre : list Z := map (fun i => centres.[FumataRow q dimensions + i]) (places_of dimensions).
  Definition of_question : list Z := map (fun r => distances.[FumataRow q size + r]) (places_of size).
  Hypothesis found : FumataFound places size centres dimensions distances q 0 size.

  Lemma found_is : forall u k row, stands places labels first dimensions u -> nth_error (own same data (name u)) k = Some row ->
    first.[Z.of_nat u + 1] <= size ->
    of_question.[first.[Z.of_nat u] + Z.of_nat k] = squared dimensions centre (fst (snd row)).
  Proof.
    intros u k row [F0 [F1 S]] E L. assert (K : (k < length (own same data (name u)))%nat) by (apply nth_error_Some; congruence).
    unfold of_question. rewrite at_map_places by lia. rewrite found by lia. rewrite distance_is by exact dimensions_some.
    unfold squared. f_equal. apply map_ext_in. intros i Hi. apply in_places in Hi.
    destruct (S k row E) as [_ P]. rewrite P by exact Hi. unfold centre. rewrite at_map_places by exact Hi. reflexivity.
  Qed.

  (* Who speaks for a unit is found among its own records. *)
  Theorem speaks_for_itself : forall u d l, stands places labels first dimensions u -> first.[Z.of_nat u + 1] <= size ->
    FumataSpeaks of_question labels first.[Z.of_nat u] first.[Z.of_nat u + 1] d l ->
    (d, l) = hears dimensions centre (own same data (name u)).
  Proof.
    intros u d l St L Sp. pose proof St as [F0 [F1 S]]. unfold hears. set (mine := own same data (name u)) in *.
    set (f := fun r : row key record => (squared dimensions centre (fst (snd r)), snd (snd r))).
    unfold FumataSpeaks in Sp. destruct (Z.ltb_spec first.[Z.of_nat u] first.[Z.of_nat u + 1]) as [Some_|None_].
    2:{ destruct mine as [|x rest]; [|cbn [length] in F1; lia].
        cbn. destruct Sp as [-> ->]. reflexivity. }
    destruct Sp as [i [[I [M N]] [-> ->]]]. set (a := first.[Z.of_nat u]) in *.
    assert (At : forall j, (j < length mine)%nat -> of_question.[a + Z.of_nat j] = fst (nth j (map f mine) (0, 0)) /\
      labels.[a + Z.of_nat j] = snd (nth j (map f mine) (0, 0))).
    { intros j Lj. destruct (nth_error mine j) as [row|] eqn:E; [|apply nth_error_None in E; lia].
      rewrite (nth_error_nth (map f mine) j (0, 0) (map_nth_error f j mine E)).
      pose proof (found_is u j row St E L) as D. fold a in D. rewrite D. destruct (S j row E) as [-> _]. auto. }
    set (k := Z.to_nat (i - a)). assert (Ei : i = a + Z.of_nat k) by (unfold k; lia).
    assert (Lk : (k < length mine)%nat) by (unfold k; lia).
    rewrite Ei. destruct (At k Lk) as [-> ->]. rewrite <- surjective_pairing. symmetry.
    apply nearest_is; rewrite ?map_length; [exact Lk|..].
    - intros j Lj. destruct (At k Lk) as [<- _]. destruct (At j Lj) as [<- _]. rewrite <- Ei. apply M.
      rewrite F1. split; [lia|]. apply Z.add_lt_mono_l, Nat2Z.inj_lt. exact Lj.
    - intros j Lj. destruct (At k Lk) as [<- _]. destruct (At j ltac:(lia)) as [<- _]. rewrite <- Ei. apply N. lia.
  Qed.

  (* So what fumata_crowd_speak gives for all units is what a poll may hear. *)
  Theorem crowd_is_heard : forall p near spoken,
    (forall u, (u < size_of_uses p)%nat -> stands places labels first dimensions u /\ first.[Z.of_nat u + 1] <= size) ->
    (forall u, 0 <= u < Z.of_nat (size_of_uses p) ->
       FumataSpeaks of_question labels first.[u] first.[u + 1] near.[u] spoken.[u]) ->
    heard key record same data name p {| voices_distances := near; voices_labels := spoken |} (hears dimensions centre).
  Proof.
    intros p near spoken St Sp u Hu. destruct (St u Hu) as [S L]. cbn [voices_distances voices_labels].
    apply speaks_for_itself; [exact S|exact L|]. apply Sp. lia.
  Qed.

  (* And where each unit has one record, distances and labels are heard as they are. *)
  Theorem records_are_heard : forall p,
    (forall u, (u < size_of_uses p)%nat -> stands places labels first dimensions u /\ first.[Z.of_nat u] = Z.of_nat u /\
       length (own same data (name u)) = 1%nat /\ Z.of_nat u < size) ->
    heard key record same data name p {| voices_distances := of_question; voices_labels := labels |} (hears dimensions centre).
  Proof.
    intros p St u Hu. destruct (St u Hu) as [S [F [One L]]]. cbn [voices_distances voices_labels]. pose proof S as [_ [F1 R]].
    destruct (own same data (name u)) as [|row [|? ?]] eqn:E; try discriminate. rewrite F in F1. cbn [length Z.of_nat] in F1.
    pose proof (found_is u 0 row S (f_equal (fun l => nth_error l 0) E) ltac:(lia)) as D. rewrite F in D.
    specialize (R O row eq_refl). rewrite F in R. destruct R as [R _].
    cbn [Z.of_nat] in D, R. rewrite Z.add_0_r in D, R. rewrite D, R. reflexivity.
  Qed.
End Crowd.
