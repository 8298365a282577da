(* The statements of Traces.v: the lives that the contracts allow are lives of the machines (TracesJoint.v, TracesClassic.v),
   and the contracts allow every call to what runs and every start of what was begun. *)
From Coq Require Import Bool Lia List ZArith.
From Fumata Require Import SpecMachine Machine MachineClassic MachineCount Statement Joint Traces TracesJoint TracesClassic.
Import ListNotations.
Local Open Scope Z_scope.
Local Opaque FumataMeterIsCertified FumataTollIsCertified FumataClassicIsCertified FumataBudgetTotal FumataNoiseIsCertified.

Theorem meter_lives : forall query look, meter_lives_are_live query look.
Proof.
  intros query look plan claim es w H. destruct (meter_followed query look plan claim es w H) as [_ [_ [_ [p [T _]]]]].
  exact (alike look _ _ _ T).
Qed.
Theorem toll_lives : forall query look, toll_lives_are_live query look.
Proof.
  intros query look plan claim es w H. destruct (toll_followed query look plan claim es w H) as [_ [_ [_ [p [T _]]]]].
  exact (alike look _ _ _ T).
Qed.
Theorem budget_lives : forall query look, budget_lives_are_live query look.
Proof.
  intros query look plan claim es w H.
  destruct (budget_followed query look plan claim es w H) as [_ [_ [_ [p [p2 [T _]]]]]].
  exact (alike look _ _ _ T).
Qed.
Theorem classic_lives : forall query look, classic_lives_are_live query look.
Proof.
  intros query look plan claim es w H.
  destruct (classic_followed query look plan claim es w H) as [[_ [_ [L _]]] [n [h [N [_ T]]]]].
  split; [lia|]. intros more. exact (alike look _ _ _ (T more)).
Qed.

(* What runs can be called. *)
Section Calls.
  Variable query : Type.
  Variable look : query -> verdict * duel.

  Lemma meter_possible : forall c m, FumataMeterInvariant m -> fumata_meter_fits m -> is_callable query look c ->
    of_call c = Silences -> exists m' r a, fumata_meter_fits m' /\ meter_calls query look c m m' r a.
  Proof.
    intros [[] n coin|[] q coin|[]] m Inv Fit C S; try discriminate; pose proof Fit as [Pf [Hl Hr]];
      cbn [is_callable] in C.
    - destruct C as [Hn _]. exists (fst (meter_pays m n)), (snd (meter_pays m n)), Noted. split.
      + unfold meter_pays, pays. split; [destruct (0 <? _); [|destruct (_ && _)]; exact Pf|]. unfold is_number in Hn.
        destruct (Z.ltb_spec 0 (meter_reserved m)); cbn [fst meter_left meter_reserved]; [lia|].
        destruct (Z.leb_spec 1 n); destruct (Z.leb_spec n (meter_left m)); cbn [andb fst meter_left meter_reserved]; lia.
      + split; [exact Hn|]. split; [exact Inv|]. split; [|reflexivity].
        apply (meter_reserve_contract m _ n _ Inv Fit). destruct (meter_pays m n); reflexivity.
    - destruct C as [Hu [v V]]. pose proof V as [Vf _]. destruct (meter_replies m v coin 0) as [[m' y'] r] eqn:E.
      exists m', r, (given y' r). split.
      + unfold meter_replies in E. destruct (FUMATA_CLASSES_MAX <=? _); [inversion E; subst; exact Fit|].
        destruct (Z.eqb_spec (meter_reserved m) 0); [inversion E; subst; exact Fit|].
        destruct (FumataMeterIsSilent_b _ _ _); inversion E; subst; [|exact Fit]. split; [exact Pf|]. cbn. lia.
      + exists v, 0, y'. split; [exact V|]. split; [exact Hu|]. split; [exact Inv|]. split; [|reflexivity].
        apply (meter_answer_contract m m' v coin 0 y' r Inv Fit Vf). symmetry. exact E.
    - exists (fst (meter_ends m)), FUMATA_OK, Noted. split.
      + split; [exact Pf|]. destruct Inv as [_ Paid]. unfold FumataMeterIsPaid in Paid. destruct Pf as [_ [_ Lim]]. cbn.
        lia.
      + split; [exact Inv|]. split; [|reflexivity]. apply (meter_close_contract m _ _ Inv Fit). reflexivity.
  Qed.

  Lemma toll_possible : forall c t, FumataTollInvariant t -> fumata_toll_fits t -> is_callable query look c ->
    of_call c = Answers -> exists t' r a, fumata_toll_fits t' /\ toll_calls query look c t t' r a.
  Proof.
    intros [[] n coin|[] q coin|[]] t Inv Fit C S; try discriminate; pose proof Fit as [Pf [Hl Hr]];
      cbn [is_callable] in C.
    - destruct C as [Hn _]. exists (fst (toll_pays t n)), (snd (toll_pays t n)), Noted. split.
      + unfold toll_pays, pays. split; [destruct (0 <? _); [|destruct (_ && _)]; exact Pf|]. unfold is_number in Hn.
        destruct (Z.ltb_spec 0 (toll_reserved t)); cbn [fst toll_left toll_reserved]; [lia|].
        destruct (Z.leb_spec 1 n); destruct (Z.leb_spec n (toll_left t)); cbn [andb fst toll_left toll_reserved]; lia.
      + split; [exact Hn|]. split; [exact Inv|]. split; [|reflexivity].
        apply (toll_reserve_contract t _ n _ Inv Fit). destruct (toll_pays t n); reflexivity.
    - destruct C as [Hu [d V]]. destruct (toll_sells t d coin 0) as [[t' y'] r] eqn:E.
      exists t', r, (given y' r). split.
      + unfold toll_sells in E. destruct (negb _); [inversion E; subst; exact Fit|].
        destruct (Z.eqb_spec (toll_reserved t) 0); inversion E; subst; [exact Fit|]. split; [exact Pf|]. cbn. lia.
      + exists d, 0, y'. split; [exact V|]. split; [exact Hu|]. split; [exact Inv|]. split; [|reflexivity].
        apply (toll_answer_contract t t' d coin 0 y' r Inv Fit). symmetry. exact E.
    - exists (fst (toll_ends t)), FUMATA_OK, Noted. split.
      + split; [exact Pf|]. destruct Inv as [_ Paid]. unfold FumataTollIsPaid in Paid. destruct Pf as [_ [_ Lim]]. cbn.
        lia.
      + split; [exact Inv|]. split; [|reflexivity]. apply (toll_close_contract t _ _ Inv). reflexivity.
  Qed.

  Lemma classic_possible : forall c m, FumataClassicInvariant m -> fumata_classic_fits m -> is_callable query look c ->
    of_call c = Silences -> exists m' r a, fumata_classic_fits m' /\ classic_calls query look c m m' r a.
  Proof.
    intros [[] n coin|[] q coin|[]] m Inv Fit C S; try discriminate; pose proof Fit as [Pf [Ht [Hl Hr]]];
      cbn [is_callable] in C.
    - destruct C as [_ Hu]. exists (fst (classic_pays m coin)), (snd (classic_pays m coin)), Noted. split.
      + unfold classic_pays. destruct (classic_reserved m =? 1); [exact Fit|].
        destruct (Z.eqb_spec (classic_left m) 0); [exact Fit|]. split; [exact Pf|].
        cbn [fst classic_threshold classic_left classic_reserved]. split; [|lia].
        destruct Inv as [[[[N1 N2] [N3 _]] [_ [W _]]] _].
        pose proof (drawn_range (classic_plan_threshold (classic_plan m)) coin).
        unfold FumataWidthOk, FUMATA_NOISE_RANGE, FUMATA_NOISE_MAX in *. lia.
      + split; [exact Hu|]. split; [exact Inv|]. split; [|reflexivity].
        apply (classic_reserve_contract m _ coin _ Inv ltac:(lia) Hu). destruct (classic_pays m coin); reflexivity.
    - destruct C as [Hu [v V]]. destruct (classic_replies m v coin 0) as [[m' y'] r] eqn:E.
      exists m', r, (given y' r). split.
      + unfold classic_replies in E. destruct (FUMATA_CLASSES_MAX <=? _); [inversion E; subst; exact Fit|].
        destruct (classic_reserved m =? 0); [inversion E; subst; exact Fit|].
        destruct (classic_labels m _ _); inversion E; subst; [exact Fit|]. split; [exact Pf|]. cbn. lia.
      + exists v, 0, y'. split; [exact V|]. split; [exact Hu|]. split; [exact Inv|]. split; [|reflexivity].
        apply (classic_answer_contract m m' v coin 0 y' r Inv Hu). symmetry. exact E.
    - exists (fst (classic_ends m)), FUMATA_OK, Noted. split; [split; [exact Pf|]; cbn; lia|].
      split; [exact Inv|]. split; [|reflexivity]. apply (classic_close_contract m _ _ Inv). reflexivity.
  Qed.

  (* What was begun can be started again. *)
  Lemma meter_again : forall plan claim m d, FumataMeterIsCertified plan claim -> d <= meter_plan_limit plan ->
    fumata_meter_resume_ensures m (meter_start plan d) plan claim d FUMATA_OK.
  Proof.
    intros plan claim m d C L. apply (meter_resume_contract m _ plan claim d true); [tauto|]. unfold meter_starts.
    destruct (Z.ltb_spec (meter_plan_limit plan) d); [lia|]. unfold granted_or.
    rewrite (proj2 (meter_status_ok plan claim true ltac:(tauto)) C). reflexivity.
  Qed.
  Lemma toll_again : forall plan claim t d, FumataTollIsCertified plan claim -> d <= toll_plan_limit plan ->
    fumata_toll_resume_ensures t (toll_start plan d) plan claim d FUMATA_OK.
  Proof.
    intros plan claim t d C L. apply (toll_resume_contract t _ plan claim d true); [tauto|]. unfold toll_starts.
    destruct (Z.ltb_spec (toll_plan_limit plan) d); [lia|]. unfold granted_or.
    rewrite (proj2 (toll_status_ok plan claim true ltac:(tauto)) C). reflexivity.
  Qed.
  Lemma budget_again : forall plan claim b s a, FumataBudgetIsCertified plan claim ->
    s <= meter_plan_limit (budget_plan_meter plan) -> a <= toll_plan_limit (budget_plan_toll plan) ->
    fumata_budget_resume_ensures b (budget_start plan s a) plan claim s a FUMATA_OK.
  Proof.
    intros plan claim b s a C L1 L2. pose proof C as [C1 [C2 C3]].
    apply (budget_resume_contract plan claim true true true); [tauto..|]. unfold budget_starts.
    destruct (Z.ltb_spec (meter_plan_limit (budget_plan_meter plan)) s); [lia|].
    destruct (Z.ltb_spec (toll_plan_limit (budget_plan_toll plan)) a); [lia|]. cbn [orb]. unfold granted_or.
    rewrite (proj2 (budget_status_ok plan claim true true true ltac:(tauto) ltac:(tauto) ltac:(tauto)) C). reflexivity.
  Qed.
  Lemma classic_again : forall plan claim c d, FumataClassicIsCertified plan claim -> d <= classic_plan_limit plan ->
    fumata_classic_resume_ensures c (classic_start plan d) plan claim d FUMATA_OK.
  Proof.
    intros plan claim c d C L. pose proof (certified_classic_ok plan claim C) as [_ [Ok _]].
    apply (classic_resume_contract plan claim true true); [tauto|tauto|]. unfold classic_starts.
    destruct (Z.ltb_spec (classic_plan_limit plan) d); [lia|]. unfold granted_or.
    rewrite (proj2 (classic_status_ok plan claim true true ltac:(tauto) ltac:(tauto)) C). reflexivity.
  Qed.

  Theorem lives_continue : lives_go_on query look.
  Proof.
    intros claim. split; [|split; [|split]]; intros plan es w H.
    - destruct (meter_followed query look plan claim es w H) as [[C P] [D [Run _]]]. split.
      + intros c Hr Hc S. destruct (Run Hr) as [Inv [Fit _]]. exact (meter_possible c (now w) Inv Fit Hc (eq_sym S)).
      + exists (meter_start plan (on_disk w)). split; [|apply meter_again; [exact C|apply D]].
        split; [exact P|]. destruct P as [_ [_ Lim]]. cbn in *. lia.
    - destruct (toll_followed query look plan claim es w H) as [[C P] [D [Run _]]]. split.
      + intros c Hr Hc S. destruct (Run Hr) as [Inv [Fit _]]. exact (toll_possible c (now w) Inv Fit Hc (eq_sym S)).
      + exists (toll_start plan (on_disk w)). split; [|apply toll_again; [exact C|apply D]].
        split; [exact P|]. destruct P as [_ [_ Lim]]. cbn in *. lia.
    - destruct (budget_followed query look plan claim es w H) as [[C [P1 P2]] [[D1 D2] [Run _]]]. split.
      + intros c Hr Hc _. destruct (Run Hr) as [[I1 [F1 _]] [I2 [F2 _]]].
        destruct (of_call c) eqn:S.
        * destruct (meter_possible c _ I1 F1 Hc S) as [m' [r [a [Fit G]]]].
          exists {| budget_meter := m'; budget_toll := budget_toll (now w) |}, r, a.
          split; [exact (conj Fit F2)|]. left. exact (conj G eq_refl).
        * destruct (toll_possible c _ I2 F2 Hc S) as [t' [r [a [Fit G]]]].
          exists {| budget_meter := budget_meter (now w); budget_toll := t' |}, r, a.
          split; [exact (conj F1 Fit)|]. right. exact (conj G eq_refl).
      + exists (budget_start plan (fst (on_disk w)) (snd (on_disk w))).
        split; [|apply budget_again; [exact C|apply D1|apply D2]].
        pose proof P1 as [_ [_ Lim1]]. pose proof P2 as [_ [_ Lim2]].
        split; (split; [assumption|]; cbn in *; lia).
    - destruct (classic_followed query look plan claim es w H) as [[C [P [D Run]]] _]. split.
      + intros c Hr Hc S. destruct (Run Hr) as [Inv [Fit _]]. exact (classic_possible c (now w) Inv Fit Hc (eq_sym S)).
      + exists (classic_start plan (on_disk w)). split; [|apply classic_again; [exact C|apply D]].
        split; [exact P|]. destruct P as [_ [_ [_ Lim]]]. cbn in *. lia.
  Qed.
End Calls.

(* Counts. *)
Lemma counted_is : forall noise sensitivity claim es c, counted noise sensitivity claim es c ->
  FumataNoiseIsCertified noise sensitivity claim /\ FumataCounterInvariant c /\ counter_noise c = noise /\
  released es = match rev es with [] => [] | (n, coin, _, _) :: _ => [noisy_count noise n coin] end /\
  counter_reserved c = match es with [] => 1 | _ => 0 end.
Proof.
  intros noise sensitivity claim es c H.
  induction H as [c c' B|es c c' n coin y y' r H [C [Inv [E [R L]]]] Hu Req Ens].
  - destruct B as [_ [C [G _]]]. pose proof (G eq_refl) as [Inv [_ [Runs One]]].
    rewrite (count_started noise c' Runs One) in *. split; [exact (proj1 C eq_refl)|]. auto.
  - assert (Inv' : FumataCounterInvariant c') by (unfold fumata_count_release_ensures in Ens; parts; assumption).
    apply (count_release_contract c c' n coin y y' r Req Hu) in Ens. split; [exact C|]. split; [exact Inv'|].
    unfold released in *. cbn [rev]. rewrite filter_app, map_app, R. destruct (rev es) as [|[[[n0 u0] r0] y0] rest] eqn:V.
    + apply (f_equal (@rev _)) in V. rewrite rev_involutive in V. subst es. cbn [rev app] in *.
      pose proof (count_release_joint c n coin y L) as J. rewrite <- Ens in J. destruct J as [-> [-> J]].
      rewrite E. unfold count_releases in Ens. rewrite L in Ens. inversion Ens; subst. auto.
    + destruct es as [|e es]; [discriminate|]. rewrite (count_closed_joint c n coin y L) in Ens. inversion Ens; subst.
      cbn [filter map app Z.eqb FUMATA_ERR_CLOSED]. auto.
Qed.

Theorem counters_count : counters_count_once.
Proof.
  intros noise sensitivity claim es c H. destruct (counted_is noise sensitivity claim es c H) as [C [Inv [_ [R _]]]].
  split; [exact C|]. split; [exact R|]. intros n coin y Hu. split; [exact Inv|].
  destruct (count_releases c n coin y) as [[c' y'] r] eqn:E. exists c', y', r.
  apply (count_release_contract c c' n coin y y' r Inv Hu). symmetry. exact E.
Qed.
