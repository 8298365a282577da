(* The lives of Traces.v: what the contracts allow is followed, event by event, by the machines of Statement.v.
Meter, toll
   and budget; classic: TracesClassic.v. *)
From Coq Require Import Bool Lia List ZArith.
From Fumata Require Import SpecMachine Machine Statement Joint Traces.
Import ListNotations.
Local Open Scope Z_scope.
Local Opaque FumataMeterIsCertified FumataTollIsCertified FumataBudgetTotal.

Arguments Reserves {query}. Arguments Asks {query}. Arguments Closes {query}. Arguments Called {query}.
Arguments Stored {query}. Arguments Crashed {query}. Arguments Started {query}. Arguments heard {query}.
Arguments pending {query}. Arguments translated {query}. Arguments moves {query}. Arguments thresholds {query}.
Arguments now {query K}. Arguments running {query K}. Arguments on_disk {query K}. Arguments acts_on {query}.

Section Lives.
  Variable query : Type.
  Variable look : query -> verdict * duel.
  Notation event := (event query).
  Notation call := (call query).

  (* 1. What a machine says to moves, and where they lead. *)
  Definition step_of (M : machine) (s : state M) (m : move) (u : Z) : answer * state M :=
    match m with Ask q => replies M s (fst (look q)) u | Buy q => sells M s (snd (look q)) u
    | Act x y => (Noted, acts M x y s) end.
  Definition noted_out (a : answer) : list answer := match a with Noted => [] | _ => [a] end.
  Fixpoint told (M : machine) (s : state M) (ms : list (move * Z)) : list answer * state M :=
    match ms with [] => ([], s) | (m, u) :: ms =>
      let t := step_of M s m u in (noted_out (fst t) ++ fst (told M (snd t) ms), snd (told M (snd t) ms)) end.

  Lemma says_told : forall M ms s, says query (live M look s (map snd ms)) (map fst ms) = fst (told M s ms).
  Proof.
    intros M. induction ms as [|[m u] ms IH]; intros s; [reflexivity|]. cbn [map fst snd says told live ask].
    unfold step_of. destruct m as [q|q|x y];
      [destruct (replies M s (fst (look q)) u) as [a s']|destruct (sells M s (snd (look q)) u) as [a s']|];
      cbn [fst snd]; rewrite IH; [destruct a|destruct a|]; reflexivity.
  Qed.

  Lemma told_app : forall M ms ms' s,
    told M s (ms ++ ms') = (fst (told M s ms) ++ fst (told M (snd (told M s ms)) ms'), snd (told M (snd (told M s ms)) ms')).
  Proof.
    intros M. induction ms as [|[m u] ms IH]; intros ms' s; [cbn; destruct (told M s ms'); reflexivity|].
    cbn [app told]. rewrite IH. cbn [fst snd]. rewrite app_assoc. reflexivity.
  Qed.

  Definition heard_of (e : event) : list answer := match e with Called _ _ a => noted_out a | _ => [] end.
  Lemma heard_more : forall e es, heard (e :: es) = heard es ++ heard_of e.
  Proof. intros [c r []| | |r] es; cbn; rewrite ?app_nil_r; reflexivity. Qed.

  Lemma one_more : forall M e es s s', told M (start M) (moves es) = (heard es, s) ->
    told M s (translated e es) = (heard_of e, s') -> told M (start M) (moves (e :: es)) = (heard (e :: es), s').
  Proof. intros M e es s s' H H'. cbn [moves]. rewrite told_app, H. cbn [fst snd]. rewrite H', heard_more. reflexivity.
  Qed.

  Lemma alike : forall M es s, told M (start M) (moves es) = (heard es, s) -> lives_alike query look M es.
  Proof. intros M es s H. unfold lives_alike. rewrite says_told, H. reflexivity. Qed.

  (* 2. A purse follows what is left, reserved and on_disk of one side: it has no less, and the same is reserved once it has
     been asked about. *)
  Definition follows (s : side) (es : list event) (left_now reserved_now on_disk : Z) (runs : bool) (p : purse) : Prop :=
    on_disk <= Z.of_nat (left p) /\
    if runs
    then match pending s es with
         | Some (n, _) => 1 <= n /\ reserved_now = n /\ reserved p = 0%nat /\ left_now + n <= Z.of_nat (left p)
         | None => Z.of_nat (reserved p) = reserved_now /\ left_now <= Z.of_nat (left p) end
    else reserved p = 0%nat.
  Definition of_call (c : call) : side := match c with Reserves s _ _ | Asks s _ _ | Closes s => s end.

  Lemma is_side_same : forall s, is_side s s = true.
  Proof. intros []; reflexivity. Qed.
  Lemma pending_other : forall s c r a es, of_call c <> s -> pending s (Called c r a :: es) = pending s es.
  Proof. intros [] [[] n coin|[] q coin|[]] r a es H; try reflexivity; destruct H; reflexivity. Qed.
  Lemma follows_other : forall s c r a es l n d p, of_call c <> s -> follows s es l n d true p ->
    follows s (Called c r a :: es) l n d true p.
  Proof. intros s c r a es l n d p H F. unfold follows in *. rewrite pending_other by exact H. exact F. Qed.

  Lemma reserve_nothing : forall p, tend (Reserve 0) p = p.
  Proof.
    intros [l r]. unfold tend. cbn [left reserved]. destruct (Nat.eqb_spec r 0) as [->|]; [|reflexivity].
    cbn [andb Nat.leb]. f_equal. lia.
  Qed.

  Lemma pays_follows : forall s es l r n coin a d p, 0 <= l -> follows s es l r d true p ->
    let '(l', r', status) := pays l r n in follows s (Called (Reserves s n coin) status a :: es) l' r' d true p.
  Proof.
    intros s es l r n coin a d p Hl [D F]. unfold pays, follows. cbn [pending]. rewrite is_side_same.
    destruct (Z.ltb_spec 0 r) as [R|R]; [exact (conj D F)|].
    destruct (Z.leb_spec 1 n); destruct (Z.leb_spec n l); cbn [andb]; try exact (conj D F).
    cbn [Z.eqb FUMATA_OK]. split; [exact D|]. destruct (pending s es) as [[n' c']|]; lia.
  Qed.

  (* Before an answer: what is pending is reserved now. *)
  Definition called_in (s : side) (es : list event) (p : purse) : purse :=
    match pending s es with Some (n, _) => tend (Reserve (Z.to_nat n)) p | None => p end.
  Lemma called_in_follows : forall s es l r d p, 0 <= l -> d <= l -> follows s es l r d true p ->
    let p' := called_in s es p in Z.of_nat (reserved p') = r /\ l <= Z.of_nat (left p').
  Proof.
    intros s es l r d p Hl Hd [D F]. unfold called_in. destruct (pending s es) as [[n c]|]; [|exact F].
    destruct F as [N [-> [R L]]]. unfold tend. rewrite R. cbn [Nat.eqb andb].
    destruct (Nat.leb_spec (Z.to_nat n) (left p)); cbn [left reserved]; lia.
  Qed.
  Lemma answer_follows : forall s es q u a l r d p, d <= l -> Z.of_nat (reserved p) = r -> l <= Z.of_nat (left p) ->
    follows s (Called (Asks s q u) FUMATA_OK a :: es) l r d true p.
  Proof. intros s es q u a l r d p Hd R L. unfold follows. cbn [pending]. rewrite is_side_same. cbn. lia. Qed.
  Lemma refused_follows : forall s es q u a status l r d p, status <> FUMATA_OK -> follows s es l r d true p ->
    follows s (Called (Asks s q u) status a :: es) l r d true p.
  Proof.
    intros s es q u a status l r d p H F. unfold follows in *. cbn [pending]. rewrite is_side_same.
    destruct (Z.eqb_spec status FUMATA_OK); [contradiction|]. exact F.
  Qed.

  Lemma close_follows : forall s es status a l r d p, 0 <= l -> 0 <= r -> follows s es l r d true p ->
    follows s (Called (Closes s) status a :: es) (l + r) 0 d true (tend Close p).
  Proof.
    intros s es status a l r d p Hl Hr [D F]. unfold follows. cbn [pending]. rewrite is_side_same. unfold tend.
    cbn [left reserved]. destruct (pending s es) as [[n c]|]; lia.
  Qed.
  Lemma crash_follows : forall s es l r d runs p l' r', follows s es l r d runs p ->
    follows s (Crashed :: es) l' r' d false (tend Crash p).
  Proof. intros s es l r d runs p l' r' [D _]. split; [exact D|reflexivity]. Qed.
  Lemma start_follows : forall s es l r d runs p, 0 <= d -> follows s es l r d runs p ->
    follows s (Started FUMATA_OK :: es) d 0 d true (tend Crash p).
  Proof. intros s es l r d runs p Hd [D _]. split; [exact D|]. cbn. lia. Qed.
  Lemma no_start_follows : forall s es l r d runs p l' r' status, follows s es l r d runs p ->
    follows s (Started status :: es) l' r' d false (tend Crash p).
  Proof. intros s es l r d runs p l' r' status [D _]. split; [exact D|reflexivity]. Qed.
  Lemma store_follows : forall s es l r d p, 0 <= l -> follows s es l r d true p -> follows s (Stored :: es) l r l true p.
  Proof.
    intros s es l r d p Hl [D F]. split; [|exact F]. destruct (pending s es) as [[n c]|]; lia.
  Qed.
  Lemma begin_follows : forall s l, 0 <= l -> follows s [] l 0 l true {| left := Z.to_nat l; reserved := 0 |}.
  Proof. intros s l H. unfold follows. cbn. lia. Qed.

  (* 3. The two halves of a budget. *)
  Section Meter.
    Variable plan : fumata_meter_plan.
    Variable naming : list Z.
    Variables silences answers : Z.
    Let M := budget (meter_plan_silence plan) naming silences answers.

    Lemma meter_half : forall es c m m' r a d p p2, fumata_meter_fits m -> meter_plan m = plan ->
      meter_calls query look c m m' r a -> (match c with Asks _ _ _ => d <= meter_left m | _ => True end) ->
      follows Silences es (meter_left m) (meter_reserved m) d true p ->
      of_call c = Silences /\ meter_plan m' = plan /\ FumataMeterInvariant m' /\
      exists p', told M (p, p2) (translated (Called c r a) es) = (heard_of (Called c r a), (p', p2)) /\
        follows Silences (Called c r a :: es) (meter_left m') (meter_reserved m') d true p'.
    Proof.
      intros es [[] n coin|[] q coin|[]] m m' r a d p p2 Hfit Hplan H Hd F; try contradiction; split; try reflexivity;
        cbn [meter_calls] in H; pose proof Hfit as [_ [Hl Hr]].
      - destruct H as [Hn [Req [Ens ->]]]. split; [|split; [|exists p]].
        1,2: clear - Ens Hplan; unfold fumata_meter_reserve_ensures in Ens; parts; subst; assumption.
        apply (meter_reserve_contract m m' n r Req Hfit) in Ens. unfold meter_pays in Ens.
        pose proof (pays_follows Silences es (meter_left m) (meter_reserved m) n coin Noted d p ltac:(lia) F) as P.
        destruct (pays (meter_left m) (meter_reserved m) n) as [[l' r'] status]. inversion Ens; subst.
        split; [reflexivity|exact P].
      - destruct H as [v [y [y' [[Vfit [Vc Vs]] [Hcoin [Req [Ens ->]]]]]]]. split; [|split].
        1,2: clear - Ens Hplan; unfold fumata_meter_answer_ensures in Ens; parts; subst; assumption.
        apply (meter_answer_contract m m' v coin y y' r Req Hfit Vfit) in Ens. unfold meter_replies in Ens.
        pose proof Vfit as [Vw Vd]. destruct (Z.leb_spec FUMATA_CLASSES_MAX (verdict_winner v)); [lia|].
        destruct (Z.eqb_spec (meter_reserved m) 0) as [R|R].
        { inversion Ens; subst. exists p. split; [reflexivity|]. apply refused_follows; [discriminate|exact F]. }
        destruct (called_in_follows Silences es (meter_left m) (meter_reserved m) d p ltac:(lia) Hd F) as [P1 P2].
        set (p0 := called_in Silences es p) in *.
        assert (T : forall a p', replies M (p0, p2) (fst (look q)) coin = (a, (p', p2)) ->
          told M (p, p2) (translated (Called (Asks Silences q coin) FUMATA_OK a) es) = (noted_out a, (p', p2))).
        { intros a p' E. cbn [translated]. rewrite Z.eqb_refl. unfold p0, called_in in E.
          destruct (pending Silences es) as [[n c]|]; cbn [app told step_of acts_on fst snd noted_out];
            [change (acts M (Reserve (Z.to_nat n)) (Reserve 0) (p, p2)) with
               (tend (Reserve (Z.to_nat n)) p, tend (Reserve 0) p2); rewrite reserve_nothing|];
            rewrite E; cbn [fst snd]; rewrite app_nil_r; reflexivity. }
        rewrite (silence_rule m (verdict_distance v) coin) in Ens by lia. rewrite Hplan in Ens.
        assert (E : replies M (p0, p2) (fst (look q)) coin =
          if is_silent (meter_plan_silence plan) (Z.to_nat (verdict_distance v)) coin then (Silent, (use p0, p2))
          else (Label (Z.to_nat (verdict_winner v)), (p0, p2))).
        { rewrite <- Vs. cbn [M budget replies fst snd]. destruct (Nat.eqb_spec (reserved p0) 0); [lia|]. reflexivity. }
        destruct (is_silent _ _ _); inversion Ens; subst.
        + exists (use p0). split; [exact (T Silent (use p0) E)|]. unfold meter_used. cbn [meter_left meter_reserved].
          apply answer_follows; [exact Hd| |exact P2]. unfold use. cbn [reserved]. lia.
        + exists p0. assert (G : given (verdict_winner v) FUMATA_OK = Label (Z.to_nat (verdict_winner v))).
          { unfold given, answer_seen. cbn [Z.eqb FUMATA_OK].
            destruct (Z.eqb_spec (verdict_winner v) FUMATA_SILENT) as [E'|];
              [unfold FUMATA_SILENT in E'; lia|reflexivity]. }
          rewrite G. split; [exact (T _ p0 E)|]. apply answer_follows; assumption.
      - destruct H as [Req [Ens ->]]. split; [|split; [|exists (tend Close p)]].
        1,2: clear - Ens Hplan; unfold fumata_meter_close_ensures in Ens; parts; subst; assumption.
        apply (meter_close_contract m m' r Req Hfit) in Ens. unfold meter_ends in Ens. inversion Ens; subst. split.
        + cbn [translated told step_of acts_on fst snd noted_out app heard_of].
          change (acts M Close (Reserve 0) (p, p2)) with (tend Close p, tend (Reserve 0) p2). rewrite reserve_nothing.
          reflexivity.
        + cbn [meter_start meter_left meter_reserved]. apply close_follows; [lia|lia|exact F].
    Qed.
  End Meter.

  Section Toll.
    Variable plan : fumata_toll_plan.
    Variable silence : list Z.
    Variables silences answers : Z.
    Let M := budget silence (toll_plan_named plan) silences answers.

    Lemma toll_half : forall es c t t' r a d p p1, fumata_toll_fits t -> toll_plan t = plan ->
      toll_calls query look c t t' r a -> (match c with Asks _ _ _ => d <= toll_left t | _ => True end) ->
      follows Answers es (toll_left t) (toll_reserved t) d true p ->
      of_call c = Answers /\ toll_plan t' = plan /\ FumataTollInvariant t' /\
      exists p', told M (p1, p) (translated (Called c r a) es) = (heard_of (Called c r a), (p1, p')) /\
        follows Answers (Called c r a :: es) (toll_left t') (toll_reserved t') d true p'.
    Proof.
      intros es [[] n coin|[] q coin|[]] t t' r a d p p1 Hfit Hplan H Hd F; try contradiction; split; try reflexivity;
        cbn [toll_calls] in H; pose proof Hfit as [_ [Hl Hr]].
      - destruct H as [Hn [Req [Ens ->]]]. split; [|split; [|exists p]].
        1,2: clear - Ens Hplan; unfold fumata_toll_reserve_ensures in Ens; parts; subst; assumption.
        apply (toll_reserve_contract t t' n r Req Hfit) in Ens. unfold toll_pays in Ens.
        pose proof (pays_follows Answers es (toll_left t) (toll_reserved t) n coin Noted d p ltac:(lia) F) as P.
        destruct (pays (toll_left t) (toll_reserved t) n) as [[l' r'] status]. inversion Ens; subst.
        split; [reflexivity|exact P].
      - destruct H as [v [y [y' [[Vfit [Vp Vs]] [Hcoin [Req [Ens ->]]]]]]]. split; [|split].
        1,2: clear - Ens Hplan; unfold fumata_toll_answer_ensures in Ens; parts; subst; assumption.
        apply (toll_answer_contract t t' v coin y y' r Req Hfit) in Ens. unfold toll_sells in Ens.
        rewrite (proj2 (FumataPairOk_true _ _) Vp) in Ens. cbn [negb] in Ens. pose proof Vfit as [_ [_ Vd]].
        destruct (Z.eqb_spec (toll_reserved t) 0) as [R|R].
        { inversion Ens; subst. exists p. split; [reflexivity|]. apply refused_follows; [discriminate|exact F]. }
        destruct (called_in_follows Answers es (toll_left t) (toll_reserved t) d p ltac:(lia) Hd F) as [P1 P2].
        set (p0 := called_in Answers es p) in *.
        rewrite (naming_rule t (duel_distance v) coin) in Ens by lia. rewrite Hplan in Ens.
        set (name := if is_named (toll_plan_named plan) (Z.to_nat (duel_distance v)) coin then duel_winner v else duel_loser v) in *.
        assert (E : sells M (p1, p0) (snd (look q)) coin = (Label (Z.to_nat name), (p1, use p0))).
        { rewrite <- Vs. cbn [M budget sells fst snd]. destruct (Nat.eqb_spec (reserved p0) 0); [lia|].
          unfold name. cbn [margin duel_seen named other]. destruct (is_named _ _ _); reflexivity. }
        assert (G : given name FUMATA_OK = Label (Z.to_nat name)).
        { destruct Vp as [Hw [Hlo _]]. unfold given, answer_seen. cbn [Z.eqb FUMATA_OK].
          destruct (Z.eqb_spec name FUMATA_SILENT) as [E'|]; [|reflexivity]. unfold name, FUMATA_SILENT in E'.
          destruct (is_named _ _ _); lia. }
        inversion Ens; subst. exists (use p0). split.
        + rewrite G. cbn [translated heard_of noted_out]. rewrite Z.eqb_refl. unfold p0, called_in in E |- *.
          destruct (pending Answers es) as [[n c]|]; cbn [app told step_of acts_on fst snd noted_out];
            [change (acts M (Reserve 0) (Reserve (Z.to_nat n)) (p1, p)) with
               (tend (Reserve 0) p1, tend (Reserve (Z.to_nat n)) p); rewrite reserve_nothing|];
            rewrite E; reflexivity.
        + unfold toll_used. cbn [toll_left toll_reserved]. apply answer_follows; [exact Hd| |exact P2]. unfold use.
          cbn [reserved]. lia.
      - destruct H as [Req [Ens ->]]. split; [|split; [|exists (tend Close p)]].
        1,2: clear - Ens Hplan; unfold fumata_toll_close_ensures in Ens; parts; subst; assumption.
        apply (toll_close_contract t t' r Req) in Ens. unfold toll_ends in Ens. inversion Ens; subst. split.
        + cbn [translated told step_of acts_on fst snd noted_out app heard_of].
          change (acts M (Reserve 0) Close (p1, p)) with (tend (Reserve 0) p1, tend Close p). rewrite reserve_nothing.
          reflexivity.
        + cbn [toll_start toll_left toll_reserved]. apply close_follows; [lia|lia|exact F].
    Qed.
  End Toll.

  (* 4. A machine with one purse, and one that is empty. *)
  Definition empty : purse := {| left := 0; reserved := 0 |}.
  Section Alone.
    Variables mem : Type.
    Variable fit : mem -> Prop.
    Variable begin : mem -> mem -> Z -> Prop.
    Variable limit : Z.
    Variables left_of reserved_of : mem -> Z.
    Variable resume : mem -> mem -> Z -> Z -> Prop.
    Variable call_of : call -> mem -> mem -> Z -> answer -> Prop.
    Variable s : side.
    Variable M : machine.
    Variable beside : purse -> state M.
    Variable good : mem -> Prop.
    Variable known : Prop.

    (* Where a life has led. *)
    Definition followed (es : list event) (m : mem) (runs : bool) (d : Z) : Prop :=
      known /\ 0 <= d <= limit /\ (runs = true -> good m) /\
      exists p, told M (start M) (moves es) = (heard es, beside p) /\ follows s es (left_of m) (reserved_of m) d runs p.

    Hypothesis good_left : forall m, good m -> 0 <= left_of m <= limit.
    Hypothesis begun : forall m m', fit m' -> begin m m' FUMATA_OK ->
      good m' /\ left_of m' = limit /\ reserved_of m' = 0 /\ known.
    Hypothesis resumed : forall m m' d, fit m' -> resume m m' d FUMATA_OK ->
      good m' /\ left_of m' = d /\ reserved_of m' = 0.
    Hypothesis answered : forall es c m m' r a d p, good m -> fit m' -> call_of c m m' r a ->
      (match c with Asks _ _ _ => d <= left_of m | _ => True end) -> follows s es (left_of m) (reserved_of m) d true p ->
      good m' /\ exists p', told M (beside p) (translated (Called c r a) es) = (heard_of (Called c r a), beside p') /\
        follows s (Called c r a :: es) (left_of m') (reserved_of m') d true p'.
    Hypothesis crashed : forall p, acts M Crash Crash (beside p) = beside (tend Crash p).
    Hypothesis started : start M = beside {| left := Z.to_nat limit; reserved := 0 |}.

    Theorem alone_followed : forall es w, allowed query {| memory := mem; disk := Z; fits := fit; begins := begin;
      all_left := limit; left_in := left_of; resumes := resume; covers d _ m := d <= left_of m;
        calls := call_of |} es w ->
      followed es (now w) (running w) (on_disk w).
    Proof.
      intros es w H. induction H as [m m' Fit B|es w c m' r a H [Kn [D [G [p [T F]]]]] Hr Hc Fit C
        |es w H [Kn [D [G [p [T F]]]]] Hr|es w m' H [Kn [D [G [p [T F]]]]]|es w m' r H [Kn [D [G [p [T F]]]]] Fit R];
        unfold followed; cbn [now running on_disk fits begins all_left left_in resumes calls] in *.
      - destruct (begun m m' Fit B) as [Good [L [Z0 Kn]]]. pose proof (good_left m' Good) as B'. rewrite L, Z0 in *.
        split; [exact Kn|]. split; [lia|]. split; [intros _; exact Good|]. eexists.
        split; [rewrite started; reflexivity|].
        apply begin_follows. lia.
      - rewrite Hr in F. destruct (answered es c (now w) m' r a (on_disk w) p (G Hr) Fit C) as [Good [p' [T' F']]];
          [|exact F|].
        { destruct c as [s' n u|s' q u|s']; [exact I|exact Hc|exact I]. }
        split; [exact Kn|]. split; [exact D|]. split; [intros _; exact Good|]. exists p'. split; [|exact F'].
        exact (one_more _ _ _ _ _ T T').
      - rewrite Hr in F. pose proof (good_left _ (G Hr)) as L. split; [exact Kn|]. split; [exact L|].
        split; [intros _; auto|].
        exists p. split; [exact (one_more M Stored es _ _ T eq_refl)|].
        apply (store_follows _ _ _ _ (on_disk w)); [lia|exact F].
      - split; [exact Kn|]. split; [exact D|]. split; [discriminate|]. exists (tend Crash p).
        split; [apply (one_more M Crashed es _ _ T); cbn; rewrite crashed; reflexivity|]. eapply crash_follows, F.
      - assert (T' : told M (start M) (moves (Started r :: es)) = (heard (Started r :: es), beside (tend Crash p)))
          by (apply (one_more M (Started r) es _ _ T); cbn; rewrite crashed; reflexivity).
        split; [exact Kn|]. split; [exact D|]. destruct (Z.eqb_spec r FUMATA_OK) as [->|N].
        + destruct (resumed _ m' _ Fit R) as [Good [L Z0]]. split; [intros _; exact Good|]. exists (tend Crash p).
          split; [exact T'|]. rewrite L, Z0. eapply start_follows; [apply D|exact F].
        + split; [discriminate|]. exists (tend Crash p). split; [exact T'|]. eapply no_start_follows, F.
    Qed.
  End Alone.

  Definition meter_good (plan : fumata_meter_plan) (m : fumata_meter) : Prop :=
    FumataMeterInvariant m /\ fumata_meter_fits m /\ meter_plan m = plan.
  Definition meter_known (plan : fumata_meter_plan) (claim : fumata_claim) : Prop :=
    FumataMeterIsCertified plan claim /\ fumata_meter_plan_fits plan.
  Lemma meter_good_left : forall plan m, meter_good plan m -> 0 <= meter_left m <= meter_plan_limit plan.
  Proof. intros plan m [[_ H] [[_ [Hl Hr]] <-]]. unfold FumataMeterIsPaid in H. lia. Qed.
  Lemma meter_begins : forall plan m left, fumata_meter_fits m -> FumataMeterStarts m plan left ->
    meter_good plan m /\ m = meter_start plan left /\ fumata_meter_plan_fits plan.
  Proof.
    intros plan m left Fit [Inv G]. apply meter_started in G. pose proof (proj1 Fit) as P.
    split; [|split; [exact G|subst m; exact P]]. split; [exact Inv|]. split; [exact Fit|]. subst m. reflexivity.
  Qed.
  Theorem meter_followed : forall plan claim es w, allowed query (meter_kind query look plan claim) es w ->
    followed fumata_meter (meter_plan_limit plan) meter_left meter_reserved Silences (meter plan) (fun p => (p, empty))
      (meter_good plan) (meter_known plan claim) es (now w) (running w) (on_disk w).
  Proof.
    intros plan claim. apply alone_followed; try reflexivity.
    - exact (meter_good_left plan).
    - intros m m' Fit [_ [C [G _]]]. destruct (meter_begins plan m' _ Fit (G eq_refl)) as [Good [-> P]].
      split; [exact Good|]. split; [reflexivity|]. split; [reflexivity|]. exact (conj (proj1 C eq_refl) P).
    - intros m m' d Fit [_ [_ [G _]]]. destruct (meter_begins plan m' _ Fit (G eq_refl)) as [Good [-> _]]. auto.
    - intros es c m m' r a d p [Inv [Fit0 E]] Fit C Hd F.
      destruct (meter_half plan [] (meter_plan_limit plan) 0 es c m m' r a d p empty Fit0 E C Hd F) as [_ [E' [Inv' X]]].
      split; [split; [exact Inv'|]; split; [exact Fit|exact E']|exact X].
  Qed.

  Definition toll_good (plan : fumata_toll_plan) (m : fumata_toll) : Prop :=
    FumataTollInvariant m /\ fumata_toll_fits m /\ toll_plan m = plan.
  Definition toll_known (plan : fumata_toll_plan) (claim : fumata_claim) : Prop :=
    FumataTollIsCertified plan claim /\ fumata_toll_plan_fits plan.
  Lemma toll_good_left : forall plan m, toll_good plan m -> 0 <= toll_left m <= toll_plan_limit plan.
  Proof. intros plan m [[_ H] [[_ [Hl Hr]] <-]]. unfold FumataTollIsPaid in H. lia. Qed.
  Lemma toll_begins : forall plan m left, fumata_toll_fits m -> FumataTollStarts m plan left ->
    toll_good plan m /\ m = toll_start plan left /\ fumata_toll_plan_fits plan.
  Proof.
    intros plan m left Fit [Inv G]. apply toll_started in G. pose proof (proj1 Fit) as P.
    split; [|split; [exact G|subst m; exact P]]. split; [exact Inv|]. split; [exact Fit|]. subst m. reflexivity.
  Qed.
  Theorem toll_followed : forall plan claim es w, allowed query (toll_kind query look plan claim) es w ->
    followed fumata_toll (toll_plan_limit plan) toll_left toll_reserved Answers (toll plan) (fun p => (empty, p))
      (toll_good plan) (toll_known plan claim) es (now w) (running w) (on_disk w).
  Proof.
    intros plan claim. apply alone_followed; try reflexivity.
    - exact (toll_good_left plan).
    - intros m m' Fit [_ [C [G _]]]. destruct (toll_begins plan m' _ Fit (G eq_refl)) as [Good [-> P]].
      split; [exact Good|]. split; [reflexivity|]. split; [reflexivity|]. exact (conj (proj1 C eq_refl) P).
    - intros m m' d Fit [_ [_ [G _]]]. destruct (toll_begins plan m' _ Fit (G eq_refl)) as [Good [-> _]]. auto.
    - intros es c m m' r a d p [Inv [Fit0 E]] Fit C Hd F.
      destruct (toll_half plan [] 0 (toll_plan_limit plan) es c m m' r a d p empty Fit0 E C Hd F) as [_ [E' [Inv' X]]].
      split; [split; [exact Inv'|]; split; [exact Fit|exact E']|exact X].
  Qed.

  (* 5. Both. *)
  Definition budget_good (plan : fumata_budget_plan) (b : fumata_budget) : Prop :=
    meter_good (budget_plan_meter plan) (budget_meter b) /\ toll_good (budget_plan_toll plan) (budget_toll b).
  Definition budget_known (plan : fumata_budget_plan) (claim : fumata_claim) : Prop :=
    FumataBudgetIsCertified plan claim /\ fumata_budget_plan_fits plan.
  Definition budget_bounds (plan : fumata_budget_plan) (d : Z * Z) : Prop :=
    0 <= fst d <= meter_plan_limit (budget_plan_meter plan) /\ 0 <= snd d <= toll_plan_limit (budget_plan_toll plan).
  Definition budget_follows (es : list event) (b : fumata_budget) (runs : bool) (d : Z * Z) (p p2 : purse) : Prop :=
    follows Silences es (meter_left (budget_meter b)) (meter_reserved (budget_meter b)) (fst d) runs p /\
    follows Answers es (toll_left (budget_toll b)) (toll_reserved (budget_toll b)) (snd d) runs p2.

  Lemma budget_begins : forall plan b silences answers, fumata_budget_fits b -> FumataBudgetStarts b plan silences answers ->
    budget_good plan b /\ b = budget_start plan silences answers /\ fumata_budget_plan_fits plan.
  Proof.
    intros plan b silences answers [F1 F2] [[I1 I2] [[R1 R2] [L1 [Z1 [L2 Z2]]]]].
    destruct (meter_begins _ _ _ F1 (conj I1 (conj R1 (conj L1 Z1)))) as [G1 [E1 P1]].
    destruct (toll_begins _ _ _ F2 (conj I2 (conj R2 (conj L2 Z2)))) as [G2 [E2 P2]].
    split; [exact (conj G1 G2)|]. split; [|exact (conj P1 P2)]. destruct b as [m t].
    cbn [budget_meter budget_toll] in E1, E2. rewrite E1, E2. reflexivity.
  Qed.

  Lemma budget_good_left : forall plan b, budget_good plan b ->
    budget_bounds plan (meter_left (budget_meter b), toll_left (budget_toll b)).
  Proof. intros plan b [G1 G2]. exact (conj (meter_good_left _ _ G1) (toll_good_left _ _ G2)). Qed.

  Lemma budget_answered : forall plan es c b b' r a d p p2, budget_good plan b -> fumata_budget_fits b' ->
    budget_calls query look c b b' r a ->
    (match c with Asks Silences _ _ => fst d <= meter_left (budget_meter b)
     | Asks Answers _ _ => snd d <= toll_left (budget_toll b) | _ => True end) ->
    budget_follows es b true d p p2 ->
    budget_good plan b' /\ exists q q2,
      told (both plan) (p, p2) (translated (Called c r a) es) = (heard_of (Called c r a), (q, q2)) /\
      budget_follows (Called c r a :: es) b' true d q q2.
  Proof.
    intros [pm pt] es c b b' r a d p p2 [[I1 [Ft1 E1]] [I2 [Ft2 E2]]] [Fit1 Fit2] [[C Same]|[C Same]] Hd [F1 F2];
      unfold budget_follows; rewrite Same.
    - destruct (meter_half pm (toll_plan_named pt) (meter_plan_limit pm) (toll_plan_limit pt) es c _ _ r a (fst d) p p2 Ft1 E1 C)
        as [Side [E' [Inv' [q [T' F']]]]]; [|exact F1|].
      { destruct c as [s n u|[] q u|s]; [exact I|exact Hd|contradiction|exact I]. }
      split; [split; [exact (conj Inv' (conj Fit1 E'))|rewrite Same; exact (conj I2 (conj Ft2 E2))]|].
      exists q, p2. split; [exact T'|]. split; [exact F'|]. apply follows_other; [rewrite Side; discriminate|exact F2].
    - destruct (toll_half pt (meter_plan_silence pm) (meter_plan_limit pm) (toll_plan_limit pt) es c _ _ r a (snd d) p2 p Ft2 E2 C)
        as [Side [E' [Inv' [q [T' F']]]]]; [|exact F2|].
      { destruct c as [s n u|[] q u|s]; [exact I|contradiction|exact Hd|exact I]. }
      split; [split; [rewrite Same; exact (conj I1 (conj Ft1 E1))|exact (conj Inv' (conj Fit2 E'))]|].
      exists p, q. split; [exact T'|]. split; [|exact F']. apply follows_other; [rewrite Side; discriminate|exact F1].
  Qed.

  Theorem budget_followed : forall plan claim es w, allowed query (budget_kind query look plan claim) es w ->
    budget_known plan claim /\ budget_bounds plan (on_disk w) /\ (running w = true -> budget_good plan (now w)) /\
    exists p p2, told (both plan) (start (both plan)) (moves es) = (heard es, (p, p2)) /\
      budget_follows es (now w) (running w) (on_disk w) p p2.
  Proof.
    intros plan claim es w H. induction H as [m m' Fit B|es w c m' r a H [Kn [D [G [p [p2 [T F]]]]]] Hr Hc Fit C
      |es w H [Kn [D [G [p [p2 [T F]]]]]] Hr|es w m' H [Kn [D [G [p [p2 [T F]]]]]]
      |es w m' r H [Kn [D [G [p [p2 [T F]]]]]] Fit R]; cbn [now running on_disk].
    - destruct B as [_ [C [St _]]]. destruct (budget_begins plan m' _ _ Fit (St eq_refl)) as [Good [E P]].
      pose proof (budget_good_left plan m' Good) as B. subst m'.
      split; [exact (conj (proj1 C eq_refl) P)|]. split; [exact B|]. split; [intros _; exact Good|].
      exists {| left := Z.to_nat (meter_plan_limit (budget_plan_meter plan)); reserved := 0 |},
        {| left := Z.to_nat (toll_plan_limit (budget_plan_toll plan)); reserved := 0 |}.
      split; [destruct plan as [pm pt]; reflexivity|]. destruct B as [B1 B2].
      split; apply begin_follows; [apply B1|apply B2].
    - rewrite Hr in F.
      destruct (budget_answered plan es c (now w) m' r a (on_disk w) p p2 (G Hr) Fit C) as [Good [q [q2 [T' F']]]];
        [|exact F|].
      { destruct c as [s n u|[] q u|s]; [exact I|exact Hc|exact Hc|exact I]. }
      split; [exact Kn|]. split; [exact D|]. split; [intros _; exact Good|]. exists q, q2. split; [|exact F'].
      exact (one_more _ _ _ _ _ T T').
    - rewrite Hr in F. pose proof (budget_good_left plan _ (G Hr)) as B. split; [exact Kn|]. split; [exact B|].
      split; [intros _; auto|]. exists p, p2. split; [exact (one_more (both plan) Stored es _ _ T eq_refl)|].
      destruct F as [F1 F2], B as [B1 B2]. split; eapply store_follows; try eassumption; [apply B1|apply B2].
    - split; [exact Kn|]. split; [exact D|]. split; [discriminate|]. exists (tend Crash p), (tend Crash p2).
      destruct F as [F1 F2].
      split; [exact (one_more (both plan) Crashed es _ (tend Crash p, tend Crash p2) T ltac:(destruct plan;
        reflexivity))|].
      split; eapply crash_follows; eassumption.
    - assert (T' : told (both plan) (start (both plan)) (moves (Started r :: es)) =
        (heard (Started r :: es), (tend Crash p, tend Crash p2))).
      { exact (one_more (both plan) (Started r) es _ (tend Crash p, tend Crash p2) T ltac:(destruct plan; reflexivity)). }
      split; [exact Kn|]. split; [exact D|]. destruct R as [_ [_ [St _]]]. destruct F as [F1 F2], D as [D1 D2].
      destruct (Z.eqb_spec r FUMATA_OK) as [->|N].
      + destruct (budget_begins plan m' _ _ Fit (St eq_refl)) as [Good [E _]]. split; [intros _; exact Good|]. subst m'.
        exists (tend Crash p), (tend Crash p2). split; [exact T'|].
        split; eapply start_follows; try eassumption; [apply D1|apply D2].
      + split; [discriminate|]. exists (tend Crash p), (tend Crash p2). split; [exact T'|].
        split; eapply no_start_follows; eassumption.
  Qed.
End Lives.
Arguments heard_of {query}. Arguments of_call {query}. Arguments told {query}. Arguments step_of {query}.
Arguments one_more {query}. Arguments alike {query}.
