(* A toll that the core accepts (specs/certify_toll.acsl) satisfies the hypotheses of Theorem T with its own table, and
   Theorem T's delta is at most the claimed one. *)
From Coq Require Import Reals Lra Lia Psatz ZArith List Bool.
From Fumata Require Import SpecBase SpecPlan SpecRound SpecCertifyTotal SpecCertifyToll SpecToll Statement Power
  Divergence Game TheoremM Coins Rounding CertificateTotal.
Import ListNotations.
Local Open Scope R_scope.
Local Opaque FumataMulUp FumataMulDown FumataDivUp FumataDivDown FumataAddUp FumataAddDown FumataSubDown FumataPowUp
  FumataPowDown FumataWholeUp FumataWholeDown FumataShareUp FumataShareDown FumataFixedUp FumataFixedDown FumataTermUp.

(* Theorem T's line. *)
Lemma toll_step_sound : forall p r alpha u, word p -> word r -> (2 <= alpha)%Z -> (4294967296 <= u)%Z -> word u ->
  FumataTollStep p r alpha u ->
  moment (Z.to_nat alpha - 1) (share p) (share r) + moment (Z.to_nat alpha - 1) (1 - share p) (1 - share r) <=
  IZR u / 4294967296.
Proof.
  intros p r alpha u Hp Hr Ha Hu Wu H. pose proof (share_pos p Hp) as Sp.
  assert (U1 : 1 <= IZR u / 4294967296) by (apply IZR_le in Hu; lra).
  destruct H as [<-|H]; [rewrite !moment_same by lra; lra|]. rewrite <- !other_share.
  apply (le_sound (FumataAddUp (FumataTermUp p r alpha) (FumataTermUp (FumataOtherCoins p) (FumataOtherCoins r) alpha))
    (FumataFixedDown u)); [|apply fixed_down; exact Wu|exact H].
  apply add_up; apply term_sound; try apply other_word; assumption.
Qed.

(* The table that the game uses, by margin, is the table of the plan, by distance. *)
Lemma naming_is_share : forall plan d, (1 <= length (toll_plan_named plan))%nat ->
  naming (toll_plan_named plan) d =
  share (FumataNamedCoins (toll_plan_named plan) (Z.of_nat (Nat.min d (length (toll_plan_named plan))))).
Proof.
  intros plan d Hs. unfold naming, naming_words, FumataNamedCoins, share, at_index, entry.
  change words with 18446744073709551616%Z. destruct (Nat.eqb_spec d 0) as [->|Hd]; [reflexivity|].
  destruct (Z.eqb_spec (Z.of_nat (Nat.min d (length (toll_plan_named plan)))) 0); [lia|].
  replace (Z.to_nat (Z.of_nat (Nat.min d (length (toll_plan_named plan))) - 1))
    with (Nat.min d (length (toll_plan_named plan)) - 1)%nat by lia.
  reflexivity.
Qed.

Lemma toll_entry : forall plan i, FumataTollPlanOk plan -> (0 <= i <= toll_plan_size plan)%Z ->
  word (FumataNamedCoins (toll_plan_named plan) i).
Proof.
  intros plan i [_ [Hr [_ [Ht _]]]] Hi. unfold FumataNamedCoins, word. destruct (Z.eqb_spec i 0); [lia|].
  specialize (Hr (i - 1)%Z ltac:(lia)). specialize (Ht (i - 1)%Z ltac:(lia)). lia.
Qed.

Lemma toll_in_range : forall plan, FumataTollPlanOk plan -> in_range (toll_plan_named plan).
Proof.
  intros plan Hp d Hd. pose proof (proj1 Hp) as Hs. unfold FumataTableSizeOk, toll_plan_size in *.
  pose proof (toll_entry plan (Z.of_nat (Nat.min d (length (toll_plan_named plan)))) Hp
    ltac:(unfold toll_plan_size; lia)) as He.
  unfold word, FumataNamedCoins, at_index in He.
  destruct (Z.eqb_spec (Z.of_nat (Nat.min d (length (toll_plan_named plan)))) 0); [lia|]. unfold entry.
  replace (Nat.min d (length (toll_plan_named plan)) - 1)%nat
    with (Z.to_nat (Z.of_nat (Nat.min d (length (toll_plan_named plan))) - 1)) by lia.
  change words with 18446744073709551616%Z. lia.
Qed.

(* The coins of which the contract of the C code speaks are the words of the law; at distance 0 half of all. *)
Theorem toll_coins_are_words : forall t d, FumataTollInvariant t ->
  FumataTollCoins t (Z.of_nat d) = naming_words (toll_plan_named (toll_plan t)) d.
Proof.
  intros t d [[Hs _] _]. unfold FumataTollCoins, FumataPlanCoins, naming_words, entry, at_index, toll_plan_size, FumataTableSizeOk in *.
  destruct (Nat.eqb_spec d 0) as [->|Hd]; [reflexivity|]. destruct (Z.eqb_spec (Z.of_nat d) 0); [lia|].
  f_equal. destruct (Z.ltb_spec (Z.of_nat d) (Z.of_nat (length (toll_plan_named (toll_plan t))))); lia.
Qed.

Theorem toll_names_by_chance : forall t d, FumataTollInvariant t ->
  INR (length (filter (FumataTollNamesWinner_b t (Z.of_nat d)) (below words))) / INR (length (below words)) =
  IZR (FumataTollCoins t (Z.of_nat d)) / IZR words /\
  (d = 0%nat -> IZR (FumataTollCoins t (Z.of_nat d)) / IZR words = 1 / 2).
Proof.
  intros t d H. pose proof (toll_coins_are_words t d H) as E. split.
  - rewrite (filter_ext _ (is_named (toll_plan_named (toll_plan t)) d)).
    + rewrite <- naming_share by (apply toll_in_range, H). unfold naming. rewrite E. reflexivity.
    + intros u. unfold FumataTollNamesWinner_b. rewrite E. reflexivity.
  - intros ->. unfold FumataTollCoins, FumataPlanCoins, words. simpl. lra.
Qed.

(* What is certified satisfies the hypotheses of Theorem T ... *)
Theorem certified_tolled : forall plan claim, fumata_claim_fits claim -> FumataTollIsCertified plan claim ->
  tolled (naming (toll_plan_named plan)) (Z.to_nat (claim_alpha claim)) (answer_price claim).
Proof.
  intros plan claim Hfit [[Hclaim Hu] [Hp [Hstep _]]].
  assert (Wu : word (claim_u claim)) by (unfold word, fumata_claim_fits in *; lia).
  assert (Ha : (2 <= claim_alpha claim)%Z) by (unfold FumataClaimOk in Hclaim; lia).
  set (size := length (toll_plan_named plan)) in *.
  assert (Hsize : (1 <= size)%nat) by (destruct Hp as [Hs _]; unfold FumataTableSizeOk, toll_plan_size in Hs; lia).
  assert (Named : forall d, naming (toll_plan_named plan) d =
    share (FumataNamedCoins (toll_plan_named plan) (Z.of_nat (Nat.min d size)))) by (intros d; apply naming_is_share; lia).
  assert (Hopen : forall d, 0 < naming (toll_plan_named plan) d < 1).
  { intros d. rewrite Named. apply share_pos, toll_entry; [exact Hp|]. unfold toll_plan_size. lia. }
  constructor.
  - lia.
  - unfold answer_price. apply IZR_le in Hu. lra.
  - unfold naming, naming_words, words. simpl. lra.
  - exact Hopen.
  - intros i j Hadj. destruct (Nat.eq_dec (Nat.min i size) (Nat.min j size)) as [E|E].
    + rewrite (Named i), E, <- (Named j). specialize (Hopen j). rewrite !moment_same by lra.
      unfold answer_price. apply IZR_le in Hu. lra.
    + rewrite !Named. destruct Hadj as [Ej|Ei]; [rewrite Ej in *|rewrite Ei in *].
      * destruct (Hstep (Z.of_nat i) ltac:(unfold toll_plan_size; fold size; lia)) as [G _].
        replace (Nat.min i size) with i by lia. replace (Z.of_nat (Nat.min (S i) size)) with (Z.of_nat i + 1)%Z by lia.
        apply toll_step_sound; try assumption; apply toll_entry; try exact Hp; unfold toll_plan_size; fold size; lia.
      * destruct (Hstep (Z.of_nat j) ltac:(unfold toll_plan_size; fold size; lia)) as [_ G].
        replace (Nat.min j size) with j by lia. replace (Z.of_nat (Nat.min (S j) size)) with (Z.of_nat j + 1)%Z by lia.
        apply toll_step_sound; try assumption; apply toll_entry; try exact Hp; unfold toll_plan_size; fold size; lia.
Qed.

(* ... and the delta of Theorem T is at most the claimed one. *)
Theorem certified_toll_delta : forall plan claim, fumata_claim_fits claim -> FumataTollIsCertified plan claim ->
  delta_T (Z.to_nat (claim_alpha claim)) (answer_price claim) (Z.to_nat (toll_plan_limit plan)) (epsilon_of claim) <=
  delta_of claim.
Proof.
  intros plan claim Hfit [[Hclaim Hu] [[_ [_ [Hl _]]] [_ Htotal]]].
  assert (Wu : word (claim_u claim)) by (unfold word, fumata_claim_fits in *; lia).
  assert (HU : 0 <= answer_price claim) by (unfold answer_price; apply IZR_le in Hu; lra).
  unfold FumataAnswersOk in Hl. unfold delta_T. eapply fits_sound; [exact Hfit|exact Hclaim| | |exact Htotal].
  - intros _. apply delta_sound; assumption.
  - apply moment_up; [unfold FumataClaimOk, FUMATA_ALPHA_MAX in Hclaim; lia|lia|apply fixed_up; exact Wu|exact HU].
Qed.
