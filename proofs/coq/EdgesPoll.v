(* What a poll accepts and what it refuses, at the last value on either side (as Edges.v does of the other machines). *)
From Coq Require Import ZArith List Bool Lia.
From Fumata Require Import SpecBase SpecPlan SpecNamed SpecCertifyToll SpecPoll.
Import ListNotations.
Local Open Scope Z_scope.

(* Questions: some labels but not too many, m within its range, and no weight above it or below -m. *)
Definition question_of (weights : list Z) (most : Z) : fumata_question :=
  {| question_weights := weights; question_most := most; question_radius := 9 |}.
Definition many (n : Z) : list Z := repeat 1 (Z.to_nat n).
Example questions_accepted : forallb (fun '(weights, most) => FumataQuestionOk_b (question_of weights most))
  [([0], 1); ([1; -1], 1); ([3; -3; 0], 3); ([FUMATA_WEIGHT_MAX], FUMATA_WEIGHT_MAX); (many FUMATA_CLASSES_MAX, 1)] = true.
Proof. vm_compute. reflexivity. Qed.
Example questions_refused : existsb (fun '(weights, most) => FumataQuestionOk_b (question_of weights most))
  [([], 1); ([0], 0); ([2], 1); ([-2], 1); ([0; 0; 4], 3); ([4; 0; 0], 3); ([0; -4], 3); ([1], FUMATA_WEIGHT_MAX + 1);
   (many (FUMATA_CLASSES_MAX + 1), 1)] = false.
Proof. vm_compute. reflexivity. Qed.

(* What a label weighs: the first, the last, one that is not a label; and who is just within the radius. *)
Definition mixed : fumata_question := question_of [5; 0; -7] 7.
Example weights_of_labels : map (FumataWeight mixed) [-1; 0; 1; 2; 3] = [0; 5; 0; -7; 0].
Proof. vm_compute. reflexivity. Qed.
Definition four : fumata_voices := {| voices_distances := [8; 9; 10; 0]; voices_labels := [0; 2; 0; 1] |}.
Example said_within_the_radius : map (FumataSays mixed four) [0; 1; 2; 3] = [5; -7; 0; 0].
Proof. vm_compute. reflexivity. Qed.

(* Votes: the last one is left, none is left. *)
Definition poll_of (uses leads : list Z) : fumata_poll :=
  {| poll_plan := {| toll_plan_named := [9223372036854775809]; toll_plan_limit := 2 |};
     poll_uses := {| uses_used := uses |}; poll_leads := {| leads_lead := leads |};
     poll_asked := 0; poll_stored := 0; poll_answered := 0 |}.
Definition tired : fumata_poll := poll_of [1; 2; 0; 0] [].
Example votes_that_are_left : map (FumataVote tired mixed four) [0; 1; 2; 3] = [5; 0; 0; 0].
Proof. vm_compute. reflexivity. Qed.
Example votes_sum : map (FumataVoteSum (poll_of [0; 1; 1; 1] []) mixed four) [-1; 0; 1; 2; 4] = [0; 0; 5; -2; -2].
Proof. vm_compute. reflexivity. Qed.
Definition three : fumata_list := {| list_units := [0; 1; 3]; list_labels := [0; 2; 2]; list_size := 3 |}.
Example listed_votes : map (FumataListedVote tired mixed three) [0; 1; 2] = [5; 0; -7].
Proof. vm_compute. reflexivity. Qed.
Example listed_sum : map (FumataListedSum tired mixed three) [-1; 0; 1; 2; 3] = [0; 0; 5; 5; -2].
Proof. vm_compute. reflexivity. Qed.

(* Lists: everybody, nobody; and one twice, out of order, or too many. *)
Definition list_of (units : list Z) : fumata_list :=
  {| list_units := units; list_labels := units; list_size := Z.of_nat (length units) |}.
Example lists_accepted : forallb (fun '(units, n) => FumataListOk_b (list_of units) n)
  [([], 0); ([], 3); ([0], 1); ([0; 1; 2], 3); ([0; 2], 3); ([2], 3)] = true.
Proof. vm_compute. reflexivity. Qed.
Example lists_refused : existsb (fun '(units, n) => FumataListOk_b (list_of units) n)
  [([0], 0); ([3], 3); ([0; 0], 3); ([1; 0], 3); ([0; 1; 1], 3); ([0; 2; 1], 3); ([0; 1; 3], 3)] = false.
Proof. vm_compute. reflexivity. Qed.

(* Nothing past the end is asked for: of no labels, and of no units, everything holds. *)
Lemma no_weights_ok : FumataWeightsOk [] 0 (-1).
Proof. intros y H. lia. Qed.
Lemma no_list_ok : FumataListOk (list_of []) 0.
Proof. split; [discriminate|]. split; intros i H; cbn in H; lia. Qed.

(* Leads are rounded toward zero, and the mirror image of a lead is the mirror image of its answer. *)
Example leads : map (fun sum => FumataLead sum 3) [-7; -6; -5; -3; -2; 0; 2; 3; 5; 6; 7] =
  [-2; -2; -1; -1; 0; 0; 0; 1; 1; 2; 2].
Proof. vm_compute. reflexivity. Qed.
Definition half : Z := 2 ^ 63.
Example yes_at_the_edge : map (fun '(lead, coin) => FumataSaysYes_b tired lead coin)
  [(0, half - 1); (0, half); (1, half); (1, half + 1); (7, half); (7, half + 1); (-1, half); (-1, half + 1)] =
  [true; false; true; false; true; false; false; true].
Proof. vm_compute. reflexivity. Qed.

(* Sizes, and the votes of one unit, at both sides of the last that there may be. *)
Lemma sizes_accepted : forall p, uses_size (poll_uses p) = FUMATA_UNITS_MAX ->
  leads_size (poll_leads p) = FUMATA_LEADS_MAX -> FumataPollSizesOk p.
Proof. intros p H1 H2. unfold FumataPollSizesOk. rewrite H1, H2. split; discriminate. Qed.
Lemma sizes_refused : forall p,
  uses_size (poll_uses p) = FUMATA_UNITS_MAX + 1 \/ leads_size (poll_leads p) = FUMATA_LEADS_MAX + 1 ->
  ~ FumataPollSizesOk p.
Proof. intros p [H|H] [H1 H2]; lia. Qed.
Lemma most_votes_accepted : forall p plan claim, FumataPollSizesOk p -> toll_plan_limit plan = FUMATA_POLL_VOTES_MAX ->
  FumataTollIsCertified plan claim -> FumataPollIsCertified p plan claim.
Proof. intros p plan claim H1 H2 H3. split; [exact H1|]. split; [rewrite H2; discriminate|exact H3]. Qed.
Lemma more_votes_refused : forall p plan claim, toll_plan_limit plan = FUMATA_POLL_VOTES_MAX + 1 ->
  ~ FumataPollIsCertified p plan claim.
Proof. intros p plan claim H [_ [L _]]. lia. Qed.
