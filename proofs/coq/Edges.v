(* What is accepted and what is refused, at the last value on either side. The theorems say that what is accepted is private;
   they hold as well for an accountant that refuses more than it should, or for a duel of labels that do not exist. Here
   both sides of each such limit are computed. *)
From Coq Require Import ZArith List Bool Lia.
From Fumata Require Import SpecBase SpecPlan SpecRound SpecBallot SpecNoise SpecCertifyTotal SpecCertifyMeter
  SpecCertifyToll SpecCertifyBudget SpecCertifyNoise.
Import ListNotations.
Local Open Scope Z_scope.
Local Opaque FumataLeftDown FumataShareUp FumataFits FumataTotal FumataMomentUp FumataPowUp FumataMulUp FumataFixedUp
  FumataStep FumataTollStep.

(* To compute that two different texts differ would take for ever. *)
Ltac same_text := match goal with |- ?p <-> ?p => exact (iff_refl p) end.

(* Labels: two candidates in order, both of them classes. *)
Example candidates_accepted : forallb (fun '(a, b) => FumataCandidatesOk_b a b 3) [(0, 1); (0, 2); (1, 2)] = true.
Proof. vm_compute. reflexivity. Qed.
Example candidates_refused : existsb (fun '(a, b) => FumataCandidatesOk_b a b 3) [(-1, 1); (1, 1); (2, 1); (1, 3)] = false.
Proof. vm_compute. reflexivity. Qed.

Definition last_label : Z := FUMATA_CLASSES_MAX - 1.
Example pairs_accepted : forallb (fun '(a, b) => FumataPairOk_b a b) [(0, 1); (1, 0); (0, last_label); (last_label, 0)] = true.
Proof. vm_compute. reflexivity. Qed.
Example pairs_refused : existsb (fun '(a, b) => FumataPairOk_b a b)
  [(0, 0); (-1, 0); (0, -1); (0, last_label + 1); (last_label + 1, 0)] = false.
Proof. vm_compute. reflexivity. Qed.

(* Tables: silences of at least one coin that never rise, names of at least half of the coins that never fall. *)
Definition size_of (table : list Z) : Z := Z.of_nat (length table).
Definition half : Z := 2 ^ 63.
Example silences_accepted : forallb (fun table => FumataSilenceTable_b table (size_of table)) [[1]; [5; 5]; [3; 2; 1]] = true.
Proof. vm_compute. reflexivity. Qed.
Example silences_refused :
  existsb (fun table => FumataSilenceTable_b table (size_of table)) [[0]; [5; 6]; [3; 1; 2]; [3; 2; 0]] = false.
Proof. vm_compute. reflexivity. Qed.
Example names_accepted :
  forallb (fun table => FumataNamedTable_b table (size_of table)) [[half]; [half; half]; [half; half + 1; half + 1]] = true.
Proof. vm_compute. reflexivity. Qed.
Example names_refused : existsb (fun table => FumataNamedTable_b table (size_of table))
  [[half - 1]; [half + 1; half]; [half; half + 2; half + 1]; [half; half - 1]] = false.
Proof. vm_compute. reflexivity. Qed.

(* Claims: epsilon above 0, delta between 0 and 1, and an order of moments that the accountant can raise to. *)
Definition claim_of (numbers : Z * Z * Z * Z * Z) : fumata_claim :=
  let '(epsilon_num, epsilon_den, delta_num, delta_den, alpha) := numbers in
  {| claim_epsilon_num := epsilon_num; claim_epsilon_den := epsilon_den; claim_delta_num := delta_num;
     claim_delta_den := delta_den; claim_alpha := alpha; claim_v := 0; claim_u := 0 |}.
Example claims_accepted : forallb (fun numbers => FumataClaimOk_b (claim_of numbers))
  [(1, 1, 1, 2, 2); (1, 1, 1, 9, FUMATA_ALPHA_MAX); (2, 2, 8, 9, 3)] = true.
Proof. vm_compute. reflexivity. Qed.
Example claims_refused : existsb (fun numbers => FumataClaimOk_b (claim_of numbers))
  [(0, 1, 1, 2, 2); (1, 0, 1, 2, 2); (1, 1, 0, 2, 2); (1, 1, 2, 2, 2); (1, 1, 1, 2, 1); (1, 1, 1, 2, FUMATA_ALPHA_MAX + 1)]
  = false.
Proof. vm_compute. reflexivity. Qed.

(* Counts: a claim of delta = 1 claims nothing; one teacher at least may hold a record, and at most so many. *)
Definition count_claim (delta_num : Z) : fumata_claim := claim_of (1, 1, delta_num, 9, 0).
Example count_claims_accepted : forallb FumataCountClaimOk_b (map count_claim [1; 8]) = true.
Proof. vm_compute. reflexivity. Qed.
Example count_claims_refused : existsb FumataCountClaimOk_b (map count_claim [0; 9; 10]) = false.
Proof. vm_compute. reflexivity. Qed.
Example sensitivities_accepted : forallb FumataSensitivityOk_b [1; 2; FUMATA_COUNT_SENSITIVITY_MAX] = true.
Proof. vm_compute. reflexivity. Qed.
Example sensitivities_refused : existsb FumataSensitivityOk_b [0; FUMATA_COUNT_SENSITIVITY_MAX + 1] = false.
Proof. vm_compute. reflexivity. Qed.

(* The last place of a table may have every coin but one. *)
Definition one_coin (coins : Z) : fumata_noise := {| noise_cdf := [coins]; noise_first := 0 |}.
Lemma one_coin_ok : forall coins, 0 <= coins < 2 ^ 64 -> FumataNoiseOk (one_coin coins).
Proof.
  intros coins H. unfold FumataNoiseOk, FumataNeverFalls, valid_read, noise_size, one_coin, FUMATA_NOISE_MAX, FUMATA_NOISE_RANGE.
  cbn [noise_cdf noise_first length Z.of_nat].
  assert (A : forall i, 0 <= i < 1 -> at_index [coins] i = coins) by (intros i I; replace i with 0 by lia; reflexivity).
  repeat split; try lia; intros; rewrite ?A by lia; lia.
Qed.
Example one_coin_accepted : FumataCountNoiseOk (one_coin 1).
Proof. split; [apply one_coin_ok; lia|vm_compute; discriminate]. Qed.
Example no_coin_refused : ~ FumataCountNoiseOk (one_coin 0).
Proof. intros [_ H]. revert H. vm_compute. auto. Qed.

(* Every coin but none may be exposed when delta is one; and counts at no distance are never compared. *)
Definition one : fumata_number := FumataWholeDown 1.
Example coins_accepted : forallb (FumataCoinsFit_b one) [0; 1; 2 ^ 64 - 1] = true.
Proof. vm_compute. reflexivity. Qed.
Example coins_refused : FumataCoinsFit_b one (2 ^ 64) = false.
Proof. vm_compute. reflexivity. Qed.
Example no_distance_is_kept : FumataShifts_b (FumataShareDown 1) (FumataShareDown 1) [half] 1 1 = true.
Proof. vm_compute. reflexivity. Qed.
Example distance_one_is_kept : FumataShifts_b (FumataShareDown 1) (FumataShareDown 1) [half] 1 2 = false.
Proof. vm_compute. reflexivity. Qed.

Lemma count_is_held_to_its_epsilon : forall noise n claim, FumataNoiseKeeps noise n claim <->
  FumataShifts (FumataExpDown (claim_epsilon_num claim) (claim_epsilon_den claim) 2)
    (FumataDeltaDown (claim_delta_num claim) (claim_delta_den claim)) (noise_cdf noise) (noise_size noise) n.
Proof. intros. unfold FumataNoiseKeeps. same_text. Qed.

(* Numbers: every power of two is exact, and what lies between two mantissas becomes the one below or the one above. *)
Definition is_number (m e : Z) (x : fumata_number) : bool := (number_mantissa x =? m) && (number_exponent x =? e).
Definition powers : list Z := map Z.of_nat (seq 0 64).
Example zeros_at_powers :
  forallb (fun k => (FumataZeros (2 ^ k) =? 63 - k) && (FumataZeros (2 ^ (k + 1) - 1) =? 63 - k)) powers = true.
Proof. vm_compute. reflexivity. Qed.
Example powers_are_exact :
  forallb (fun k => forallb (is_number (2 ^ 31) (k - 24)) [FumataPackDown (2 ^ k) 7; FumataPackUp (2 ^ k) 7]) powers = true.
Proof. vm_compute. reflexivity. Qed.
Example below_or_above :
  is_number (2 ^ 31) 39 (FumataPackDown (2 ^ 63 + 1) 7) && is_number (2 ^ 31 + 1) 39 (FumataPackUp (2 ^ 63 + 1) 7) &&
  is_number (2 ^ 32 - 1) 39 (FumataPackDown (2 ^ 64 - 1) 7) && is_number (2 ^ 31) 40 (FumataPackUp (2 ^ 64 - 1) 7) = true.
Proof. vm_compute. reflexivity. Qed.
Example ones : forallb (is_number (2 ^ 31) (-31))
  [FumataWholeUp 1; FumataWholeDown 1; FumataFixedUp (2 ^ 32); FumataFixedDown (2 ^ 32)] = true.
Proof. vm_compute. reflexivity. Qed.

(* Which rows the certificate reads: the loss is that of the first row, a step is taken both ways between neighbouring ones, and
   a toll's first step starts from a fair coin. *)
Ltac rows_read :=
  unfold FumataStepAt, FumataTollStepAt, FumataMeterTotal, FumataBudgetTotal, FumataBudgetMomentUp, FumataNamedCoins, at_index;
  cbn [meter_plan_silence meter_plan_limit]; simpl; same_text.

Lemma meter_gives_first_row_away : forall first others others' limit claim,
  FumataMeterTotal {| meter_plan_silence := first :: others; meter_plan_limit := limit |} claim <->
  FumataMeterTotal {| meter_plan_silence := first :: others'; meter_plan_limit := limit |} claim.
Proof. intros. rows_read. Qed.

Lemma budget_gives_first_row_away : forall first others others' limit toll claim,
  FumataBudgetTotal {| meter_plan_silence := first :: others; meter_plan_limit := limit |} toll claim <->
  FumataBudgetTotal {| meter_plan_silence := first :: others'; meter_plan_limit := limit |} toll claim.
Proof. intros. rows_read. Qed.

Lemma meter_steps_both_ways : forall a b c rest alpha v,
  FumataStepAt (a :: b :: c :: rest) 2 alpha v <-> FumataStep b c alpha v /\ FumataStep c b alpha v.
Proof. intros. rows_read. Qed.

Lemma toll_steps_both_ways : forall a b c rest alpha u,
  FumataTollStepAt (a :: b :: c :: rest) 2 alpha u <-> FumataTollStep b c alpha u /\ FumataTollStep c b alpha u.
Proof. intros. rows_read. Qed.

Lemma toll_starts_at_a_fair_coin : forall a rest alpha u,
  FumataTollStepAt (a :: rest) 0 alpha u <-> FumataTollStep half a alpha u /\ FumataTollStep a half alpha u.
Proof. intros. change half with 9223372036854775808. rows_read. Qed.
