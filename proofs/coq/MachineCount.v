(* The contracts of core/count.h say of every call what the functions of Machine.v compute. *)
From Coq Require Import Bool Lia List ZArith.
From Fumata Require Import SpecMachine Machine MachineClassic FastRounding.
Import ListNotations.
Local Open Scope Z_scope.
Local Opaque FumataNoiseIsCertified FumataCountClaimOk FumataSensitivityOk FumataCountNoiseOk.

Lemma count_started : forall noise c, FumataCounterRuns c noise -> counter_reserved c = 1 -> c = count_start noise.
Proof.
  intros [cdf' first'] [[cdf first] reserved]. unfold FumataCounterRuns, count_start.
  cbn [counter_noise counter_reserved noise_cdf noise_first]. intros [-> [_ ->]] ->. reflexivity.
Qed.

Section Start.
  Variable noise : fumata_noise.
  Variable sensitivity : Z.
  Variable claim : fumata_claim.
  Variables table_ok certified : bool.
  Hypothesis Ht : table_ok = true <-> FumataCountNoiseOk noise.
  Hypothesis Hc : certified = true <-> FumataNoiseIsCertified noise sensitivity claim.

  Lemma count_claim_is : FumataCountClaimOk_b claim && FumataSensitivityOk_b sensitivity = true <->
    FumataCountClaimOk claim /\ FumataSensitivityOk sensitivity.
  Proof. rewrite andb_true_iff, FumataCountClaimOk_true, FumataSensitivityOk_true. reflexivity. Qed.

  Lemma count_status_is : forall r,
    FumataNoiseStatus noise sensitivity claim r <-> r = count_status sensitivity claim table_ok certified.
  Proof.
    intros r. unfold count_status.
    rewrite <- (start_status_is _ _ _ _ _ True _ _ r count_claim_is (conj (fun _ => I) (fun _ => eq_refl)) Ht Hc).
    unfold FumataNoiseStatus. tauto.
  Qed.

  Transparent FumataNoiseIsCertified.
  Lemma certified_count_ok : FumataNoiseIsCertified noise sensitivity claim ->
    FumataCountClaimOk claim /\ FumataSensitivityOk sensitivity /\ FumataCountNoiseOk noise.
  Proof. intros [H1 [H2 [H3 _]]]. auto. Qed.
  Opaque FumataNoiseIsCertified.

  Lemma count_status_ok : count_status sensitivity claim table_ok certified = FUMATA_OK <->
    FumataNoiseIsCertified noise sensitivity claim.
  Proof.
    unfold count_status. rewrite start_status_ok, count_claim_is, Ht, Hc. pose proof certified_count_ok. tauto.
  Qed.

  Transparent FumataCountNoiseOk.
  Lemma count_start_holds : FumataNoiseIsCertified noise sensitivity claim ->
    FumataCounterStarts (count_start noise) noise sensitivity claim.
  Proof.
    intros C. destruct (certified_count_ok C) as [_ [_ [N _]]].
    split; [split; [exact N|cbn; lia]|]. split; [exact C|]. split; [repeat split|reflexivity].
  Qed.
  Opaque FumataCountNoiseOk.

  Theorem count_init_contract : forall c c' r,
    fumata_count_init_ensures c c' noise sensitivity claim r <->
    (c', r) = count_starts c noise sensitivity claim table_ok certified.
  Proof.
    intros c c' r. apply (start_is _ _ _ _ (fun x => FumataCounterStarts x noise sensitivity claim));
      [apply count_status_is|apply count_status_ok| |exact count_start_holds].
    intros [_ [_ [G1 G2]]]. apply count_started; assumption.
  Qed.
End Start.

Theorem count_release_contract : forall c c' count coin noisy noisy' r,
  fumata_count_release_requires c count coin noisy -> 0 <= coin < 18446744073709551616 ->
  fumata_count_release_ensures c c' count coin noisy noisy' r <-> (c', noisy', r) = count_releases c count coin noisy.
Proof.
  intros [noise reserved] [noise' reserved'] count coin noisy noisy' r [Hok [H0 H1]] Hc.
  unfold fumata_count_release_ensures, count_releases, FumataCounterInvariant, FumataIsNoisyCount.
  cbn [counter_noise counter_reserved] in *.
  assert (D : forall z, FumataNoiseOwns noise (z - FumataCountCapped count - noise_first noise) coin <->
    z = FumataCountCapped count + drawn noise coin).
  { intros z. pose proof (draws_drawn noise coin (z - FumataCountCapped count) Hok Hc) as D. unfold FumataDraws in D.
    rewrite D. lia. }
  split.
  - intros [<- [_ [H2 H3]]]. destruct (Z.eqb_spec reserved 0).
    + destruct (H2 ltac:(lia)) as [E [-> [_ ->]]]. congruence.
    + destruct (H3 ltac:(lia)) as [-> [N ->]]. apply D in N. congruence.
  - destruct (Z.eqb_spec reserved 0); intros E; inversion E; subst; all_hold. apply D. reflexivity.
Qed.

(* For a counter all of it is computed: whether its table is in order, and whether it is certified for the sensitivity
   that is asked for. *)
Fixpoint never_falls (table : list Z) : bool :=
  match table with a :: ((b :: _) as rest) => (a <=? b) && never_falls rest | _ => true end.

Lemma never_falls_is : forall table, never_falls table = true <-> FumataNeverFalls table (Z.of_nat (length table)).
Proof.
  assert (Next : forall a (table : list Z) i, 0 <= i -> (a :: table).[i + 1] = table.[i]).
  { intros a table i Hi. unfold at_index. replace (Z.to_nat (i + 1)) with (S (Z.to_nat i)) by lia. reflexivity. }
  unfold FumataNeverFalls. induction table as [|a [|b rest] IH]; [| |cbn [never_falls]].
  - split; [intros _ i j H; simpl in H; lia|reflexivity].
  - split; [intros _ i j H; simpl in H; replace j with i by lia; lia|reflexivity].
  - rewrite andb_true_iff, Z.leb_le, IH. set (table := b :: rest) in *.
    assert (S : Z.of_nat (length (a :: table)) = Z.of_nat (length table) + 1) by (cbn [length]; lia). rewrite S. split.
    + intros [Hab H] i j Hij. destruct (Z.eq_dec j 0) as [->|Hj]; [replace i with 0 by lia; lia|].
      replace j with (j - 1 + 1) by lia. rewrite Next by lia. destruct (Z.eq_dec i 0) as [->|Hi].
      * specialize (H 0 (j - 1) ltac:(lia)). change ((a :: table).[0]) with a. change (table.[0]) with b in H. lia.
      * replace i with (i - 1 + 1) by lia. rewrite Next by lia. apply H. lia.
    + intros H. split; [apply (H 0 1); cbn [length table]; lia|]. intros i j Hij. specialize (H (i + 1) (j + 1) ltac:(lia)).
      rewrite !Next in H by lia. exact H.
Qed.

Definition count_table_ok (noise : fumata_noise) : bool :=
  (1 <=? noise_size noise) && (noise_size noise <=? FUMATA_NOISE_MAX) &&
  (- FUMATA_NOISE_RANGE <=? noise_first noise) && (noise_first noise <=? FUMATA_NOISE_RANGE) &&
  valid_read_b (noise_cdf noise) (noise_size noise) && never_falls (noise_cdf noise) &&
  (1 <=? (noise_cdf noise).[noise_size noise - 1]).

Transparent FumataCountNoiseOk.
Lemma count_table_is : forall noise, count_table_ok noise = true <-> FumataCountNoiseOk noise.
Proof.
  intros noise. unfold count_table_ok, FumataCountNoiseOk, FumataNoiseOk.
  rewrite !andb_true_iff, !Z.leb_le, valid_read_true, never_falls_is. change (noise_size noise) with
    (Z.of_nat (length (noise_cdf noise))). tauto.
Qed.
Opaque FumataCountNoiseOk.

Definition count_certified (noise : fumata_noise) (sensitivity : Z) (claim : fumata_claim) : bool :=
  FumataCountClaimOk_b claim && FumataSensitivityOk_b sensitivity && count_table_ok noise &&
  FumataShifts_b (fast_exp_down (claim_epsilon_num claim) (claim_epsilon_den claim) 2)
    (FumataDeltaDown (claim_delta_num claim) (claim_delta_den claim)) (noise_cdf noise) (noise_size noise) (sensitivity + 1).

Transparent FumataNoiseIsCertified.
Lemma count_certified_is : forall noise sensitivity claim,
  count_certified noise sensitivity claim = true <-> FumataNoiseIsCertified noise sensitivity claim.
Proof.
  intros noise sensitivity claim. unfold count_certified, FumataNoiseIsCertified. rewrite fast_exp_down_is.
  pose proof (FumataNoiseKeeps_true noise (sensitivity + 1) claim) as K. unfold FumataNoiseKeeps_b in K.
  rewrite !andb_true_iff, FumataCountClaimOk_true, FumataSensitivityOk_true, count_table_is, K. tauto.
Qed.
Opaque FumataNoiseIsCertified.

Definition count_begins (c : fumata_counter) (noise : fumata_noise) (sensitivity : Z) (claim : fumata_claim)
  : fumata_counter * Z :=
  count_starts c noise sensitivity claim (count_table_ok noise) (count_certified noise sensitivity claim).

Theorem count_begins_contract : forall c c' noise sensitivity claim r,
  fumata_count_init_ensures c c' noise sensitivity claim r <-> (c', r) = count_begins c noise sensitivity claim.
Proof. intros. apply count_init_contract; [apply count_table_is|apply count_certified_is]. Qed.
