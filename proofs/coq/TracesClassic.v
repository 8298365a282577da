(* The lives of Traces.v: classic, which holds a threshold. *)
From Coq Require Import Bool Lia List ZArith.
From Fumata Require Import SpecMachine Machine MachineClassic Statement Joint Traces TracesJoint.
Import ListNotations.
Local Open Scope Z_scope.
Local Opaque FumataClassicIsCertified.

Section Lives.
  Variable query : Type.
  Variable look : query -> verdict * duel.
  Notation event := (event query).
  Notation call := (call query).

  Definition held (c : fumata_classic) : option nat := snd (fst (classic_seen c [])).
  Definition classic_sane (plan : fumata_classic_plan) (claim : fumata_claim) (c : fumata_classic) (runs : bool) (d : Z) : Prop :=
    FumataClassicIsCertified plan claim /\ fumata_classic_plan_fits plan /\ 0 <= d <= classic_plan_limit plan /\
    (runs = true -> FumataClassicInvariant c /\ fumata_classic_fits c /\ classic_plan c = plan).
  Definition classic_follows (es : list event) (c : fumata_classic) (d : Z) (runs : bool) (n : nat) (h : option nat) : Prop :=
    d <= Z.of_nat n /\
    if runs
    then match pending Silences es with
         | Some (_, coin) => classic_reserved c = 1 /\ h = None /\ classic_left c + 1 <= Z.of_nat n /\
             classic_threshold c = classic_plan_width (classic_plan c) + drawn (classic_plan_threshold (classic_plan c)) coin
         | None => h = held c /\ classic_left c <= Z.of_nat n end
    else h = None.

  Lemma classic_invariant_left : forall c, FumataClassicInvariant c -> fumata_classic_fits c ->
    0 <= classic_left c <= classic_plan_limit (classic_plan c) /\ 0 <= classic_reserved c <= 1.
  Proof.
    intros c [_ [[H1 H2] _]] [_ H]. cbn in H. parts. lia.
  Qed.

  Lemma classic_begins : forall plan c left, fumata_classic_fits c -> FumataClassicStarts c plan left ->
    c = classic_start plan left /\ FumataClassicInvariant c /\ fumata_classic_plan_fits plan /\
    0 <= left <= classic_plan_limit plan.
  Proof.
    intros plan c left Fit [Inv G]. apply (classic_started c plan left Inv) in G.
    pose proof (classic_invariant_left c Inv Fit) as [L _]. split; [exact G|]. subst c. cbn in L. split; [exact Inv|].
    split; [exact (proj1 Fit)|exact L].
  Qed.

  Section ClassicStep.
    Variable plan : fumata_classic_plan.

    Lemma classic_asked : forall ts c c' v q u y y' r n more, FumataClassicInvariant c -> classic_plan c = plan ->
      shown query look v q -> (c', y', r) = classic_replies c v u y ->
      replies (classic plan ts) (n, held c, more) (fst (look q)) u = (given y' r, (n, held c', more)).
    Proof.
      intros ts c c' v q u y y' r n more Inv E [Vfit [Vc Vs]] R. rewrite <- Vs.
      pose proof (classic_answer_joint c v u y more Inv Vfit Vc) as J. rewrite <- R in J. rewrite E in J.
      change (snd (fst (classic_seen c more))) with (held c) in J.
      change (classic_seen c more) with (Z.to_nat (classic_left c), held c, more) in J.
      change (classic_seen c' more) with (Z.to_nat (classic_left c'), held c', more) in J.
      cbn [classic replies fst snd] in *. destruct (held c) as [j|]; [|inversion J; reflexivity].
      destruct (classic_silent plan j (distance (verdict_seen v)) u); cbn [classic_act] in *; inversion J; reflexivity.
    Qed.

    Lemma classic_half : forall es c m m' r a d n h, fumata_classic_fits m -> classic_plan m = plan ->
      classic_calls query look c m m' r a -> (match c with Asks _ _ _ => d <= classic_left m | _ => True end) ->
      classic_follows es m d true n h ->
      classic_plan m' = plan /\ FumataClassicInvariant m' /\
      exists n' h' new, thresholds (Called c r a :: es) = thresholds es ++ new /\ (length new + n' = n)%nat /\
        classic_follows (Called c r a :: es) m' d true n' h' /\
        forall ts more, told look (classic plan ts) (n, h, new ++ more) (translated (Called c r a) es) =
          (heard_of (Called c r a), (n', h', more)).
    Proof.
      intros es [[] k coin|[] q coin|[]] m m' r a d n h Hfit Hplan H Hd [D F]; try contradiction;
        cbn [classic_calls] in H.
      - destruct H as [Hn [Req [Ens ->]]]. split; [|split].
        1,2: clear - Ens Hplan; unfold fumata_classic_reserve_ensures in Ens; parts; subst; assumption.
        destruct (classic_invariant_left m Req Hfit) as [[L0 _] [R0 R1]].
        apply (classic_reserve_contract m m' coin r Req L0 Hn) in Ens. unfold classic_pays in Ens.
        exists n, h, []. split; [cbn; rewrite app_nil_r; reflexivity|]. split; [reflexivity|].
        split; [|intros; reflexivity]. split; [exact D|]. cbn [pending is_side andb].
        destruct (Z.eqb_spec (classic_reserved m) 1) as [R|R]; [inversion Ens; subst; exact F|].
        destruct (Z.eqb_spec (classic_left m) 0) as [L|L]; [inversion Ens; subst; exact F|].
        inversion Ens; subst. cbn [Z.eqb FUMATA_OK classic_plan classic_threshold classic_left classic_reserved].
        destruct (pending Silences es) as [[k' c']|]; [lia|]. destruct F as [-> F].
        split; [reflexivity|]. split; [|split; [lia|reflexivity]]. unfold held, classic_seen. cbn [fst snd].
        destruct (Z.eqb_spec (classic_reserved m) 1); [contradiction|reflexivity].
      - destruct H as [v [y [y' [Vis [Hcoin [Req [Ens ->]]]]]]]. split; [|split].
        1,2: clear - Ens Hplan; unfold fumata_classic_answer_ensures in Ens; parts; subst; assumption.
        assert (Left : classic_left m' = classic_left m) by
          (clear - Ens; unfold fumata_classic_answer_ensures in Ens; parts; assumption).
        apply (classic_answer_contract m m' v coin y y' r Req Hcoin) in Ens.
        destruct (Z.eqb_spec r FUMATA_OK) as [->|N].
        + pose proof (fun ts n more => classic_asked ts m m' v q coin y y' FUMATA_OK n more Req Hplan Vis Ens) as A.
          assert (R : classic_reserved m <> 0).
          { intros R. unfold classic_replies in Ens. rewrite R in Ens.
            destruct (FUMATA_CLASSES_MAX <=? verdict_winner v); inversion Ens. }
          destruct (classic_invariant_left m Req Hfit) as [[L0 _] [R0 R1]].
          destruct (pending Silences es) as [[k c]|] eqn:P.
          * destruct F as [_ [-> [L T]]]. destruct n as [|n]; [lia|].
            assert (H : Some (draw (classic_plan_threshold plan) c) = held m).
            { unfold held, classic_seen. cbn [fst snd]. destruct (Z.eqb_spec (classic_reserved m) 1); [|lia].
              rewrite T, Hplan, drawn_draw. f_equal. lia. }
            exists n, (held m'), [c]. split; [cbn [thresholds]; rewrite Z.eqb_refl, P; reflexivity|].
            split; [reflexivity|].
            split; [split; [lia|]; cbn [pending is_side]; rewrite Z.eqb_refl; cbn [andb]; split; [reflexivity|lia]|].
            intros ts more. cbn [translated]. rewrite Z.eqb_refl, P. cbn [app told step_of acts_on fst snd noted_out].
            change (acts (classic plan ts) (Reserve (Z.to_nat k)) (Reserve 0) (S n, None, c :: more)) with
              (n, Some (draw (classic_plan_threshold plan) c), more).
            rewrite H, A. cbn [fst snd]. rewrite app_nil_r. reflexivity.
          * destruct F as [-> L]. exists n, (held m'), [].
            split; [cbn [thresholds]; rewrite Z.eqb_refl, P; reflexivity|]. split; [reflexivity|].
            split; [split; [lia|]; cbn [pending is_side]; rewrite Z.eqb_refl; cbn [andb]; split; [reflexivity|lia]|].
            intros ts more. cbn [translated]. rewrite Z.eqb_refl, P. cbn [app told step_of acts_on fst snd noted_out].
            rewrite A. cbn [fst snd]. rewrite app_nil_r. reflexivity.
        + assert (Same : m' = m /\ given y' r = Noted).
          { split; [|unfold given; destruct (Z.eqb_spec r FUMATA_OK); [contradiction|reflexivity]].
            unfold classic_replies in Ens.
            destruct (FUMATA_CLASSES_MAX <=? verdict_winner v); [inversion Ens; reflexivity|].
            destruct (classic_reserved m =? 0); [inversion Ens; reflexivity|].
            destruct (classic_labels m (verdict_distance v) coin); inversion Ens; contradiction. }
          destruct Same as [-> ->]. apply Z.eqb_neq in N. exists n, h, [].
          split; [cbn [thresholds]; rewrite N; reflexivity|]. split; [reflexivity|].
          split; [split; [exact D|]; cbn [pending is_side]; rewrite N; exact F|].
          intros ts more. cbn [translated]. rewrite N. reflexivity.
      - destruct H as [Req [Ens ->]]. split; [|split].
        1,2: clear - Ens Hplan; unfold fumata_classic_close_ensures in Ens; parts; subst; assumption.
        apply (classic_close_contract m m' r Req) in Ens. unfold classic_ends in Ens. inversion Ens; subst.
        exists n, None, []. split; [cbn; rewrite app_nil_r; reflexivity|]. split; [reflexivity|].
        split; [|intros; reflexivity]. split; [exact D|]. cbn [pending is_side]. split; [reflexivity|]. cbn.
        destruct (pending Silences es) as [[k c]|]; lia.
    Qed.
  End ClassicStep.

  Theorem classic_followed : forall plan claim es w, allowed query (classic_kind query look plan claim) es w ->
    classic_sane plan claim (now w) (running w) (on_disk w) /\
    exists n h, (length (thresholds es) + n = Z.to_nat (classic_plan_limit plan))%nat /\
      classic_follows es (now w) (on_disk w) (running w) n h /\
      forall more, let M := classic plan (thresholds es ++ more) in
        told look M (start M) (moves es) = (heard es, (n, h, more)).
  Proof.
    intros plan claim es w H. induction H as [m m' Fit B|es w c m' r a H [S [n [h [N [F T]]]]] Hr Hc Fit C
      |es w H [S [n [h [N [F T]]]]] Hr|es w m' H [S [n [h [N [F T]]]]]|es w m' r H [S [n [h [N [F T]]]]] Fit R].
    - destruct B as [_ [C [G _]]]. destruct (classic_begins plan m' _ Fit (G eq_refl)) as [E [Inv [P L]]].
      pose proof (proj1 C eq_refl) as Cert. subst m'. split.
      + split; [exact Cert|]. split; [exact P|]. split; [cbn; lia|]. intros _. auto.
      + exists (Z.to_nat (classic_plan_limit plan)), None. split; [reflexivity|]. split; [|intros more; reflexivity].
        unfold classic_follows. cbn. split; [lia|]. split; [reflexivity|lia].
    - destruct S as [Cert [P [L Run]]]. destruct (Run Hr) as [Inv [Fit0 E]]. rewrite Hr in F.
      assert (Hd : match c with Asks _ _ _ => on_disk w <= classic_left (now w) | _ => True end)
        by (destruct c as [s k u|s q u|s]; [exact I|exact Hc|exact I]).
      destruct (classic_half plan es c (now w) m' r a (on_disk w) n h Fit0 E C Hd F)
        as [E' [Inv' [n' [h' [new [A1 [A2 [F' T']]]]]]]].
      split; [split; [exact Cert|]; split; [exact P|]; split; [exact L|]; intros _; auto|].
      exists n', h'. split; [rewrite A1, app_length; lia|]. split; [exact F'|]. intros more M. subst M.
      rewrite A1, <- app_assoc. exact (one_more look _ _ _ _ _ (T (new ++ more)) (T' _ more)).
    - destruct S as [Cert [P [L Run]]]. destruct (Run Hr) as [Inv [Fit0 E]]. rewrite Hr in F.
      destruct (classic_invariant_left _ Inv Fit0) as [L' _]. rewrite E in L'. split.
      + split; [exact Cert|]. split; [exact P|]. split; [exact L'|]. intros _. auto.
      + exists n, h. split; [exact N|]. split; [|intros more; exact (one_more look _ Stored es _ _ (T more) eq_refl)].
        destruct F as [D F]. split; [|exact F]. cbn [on_disk classic_kind left_in].
        destruct (pending Silences es) as [[k c]|]; lia.
    - destruct S as [Cert [P [L Run]]]. destruct F as [D F]. split.
      + split; [exact Cert|]. split; [exact P|]. split; [exact L|]. discriminate.
      + exists n, None. split; [exact N|]. split; [exact (conj D eq_refl)|].
        intros more. exact (one_more look _ Crashed es _ _ (T more) eq_refl).
    - destruct S as [Cert [P [L Run]]]. destruct R as [_ [_ [G _]]]. destruct F as [D F]. cbn [now running on_disk].
      destruct (Z.eqb_spec r FUMATA_OK) as [->|N'].
      + destruct (classic_begins plan m' _ Fit (G eq_refl)) as [E [Inv _]]. subst m'. split.
        * split; [exact Cert|]. split; [exact P|]. split; [exact L|]. intros _. auto.
        * exists n, None. split; [exact N|].
          split; [|intros more; exact (one_more look _ (Started FUMATA_OK) es _ _ (T more) eq_refl)].
          split; [exact D|]. cbn. split; [reflexivity|exact D].
      + split; [split; [exact Cert|]; split; [exact P|]; split; [exact L|]; discriminate|].
        exists n, None. split; [exact N|]. split; [exact (conj D eq_refl)|].
        intros more. exact (one_more look _ (Started r) es _ _ (T more) eq_refl).
  Qed.
End Lives.
