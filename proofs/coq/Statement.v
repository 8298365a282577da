(* What the final theorems say: all of it is in this file and in specs/ (`FumataMeterIsCertified` and
   `FumataClassicIsCertified` are what the C code is proved to decide). Final.v proves the statements in 8 and 9. *)
From Coq Require Import Reals ZArith QArith Qreals List Bool.
From Fumata Require Import SpecNoise SpecPlan SpecCertifyMeter SpecCertifyClassic.
Import ListNotations. Open Scope nat_scope.

(* 1. Probability: finite laws, lists of outcomes with their weights, and differential privacy. *)
Definition law (A : Type) := list (A * R).
Fixpoint Pr {A} (mu : law A) (S : A -> bool) : R :=
  match mu with [] => 0 | (x, weight) :: rest => (if S x then weight else 0) + Pr rest S end%R.
Definition is_law {A} (mu : law A) : Prop := Forall (fun e => 0 <= snd e)%R mu /\ Pr mu (fun _ => true) = 1%R.
Definition within {A} (epsilon delta : R) (P Q : law A) : Prop :=
  forall S : A -> bool, (Pr P S <= exp epsilon * Pr Q S + delta)%R.
Definition private {D A} (epsilon delta : R) (near : D -> D -> Prop) (release : D -> law A) : Prop :=
  (forall data, is_law (release data)) /\
  (forall data data', near data data' -> within epsilon delta (release data) (release data')).
Definition post {A B} (f : A -> B) (mu : law A) : law B := map (fun e => (f (fst e), snd e)) mu.
Definition bind {A B} (mu : law A) (f : A -> law B) : law B :=
  flat_map (fun e => map (fun o => (fst o, snd e * snd o)%R) (f (fst e))) mu.
Definition uniform {A} (l : list A) : law A := map (fun x => (x, / INR (length l))%R) l.
Definition mixture {H A} (choices : list H) (select : H -> law A) : law A := bind (uniform choices) select.
Fixpoint tuples {A} (alphabet : list A) (n : nat) : list (list A) :=
  match n with O => [[]] | S m => flat_map (fun a => map (cons a) (tuples alphabet m)) alphabet end.
Definition words : Z := (2 ^ 64)%Z.
Definition below (n : Z) : list Z := map Z.of_nat (seq 0 (Z.to_nat n)).   (* 0 .. n - 1 *)
(* 2. Ballots. A vote outside 0 .. classes - 1 is an abstention and is counted nowhere. *)
Record verdict := { winner : nat; distance : nat }.
Record duel := { named : nat; other : nat; margin : nat }.        (* of two candidates: who is ahead, and by how much *)
Definition counts (votes : list nat) (y : nat) : nat := count_occ Nat.eq_dec votes y.
Fixpoint plurality (v : nat -> nat) (classes : nat) : nat :=      (* the smallest label with the largest count *)
  match classes with O => O | S c => if v (plurality v c) <? v c then c else plurality v c end.
Fixpoint runner_up (v : nat -> nat) (classes w : nat) : nat :=    (* the largest count of a label other than w *)
  match classes with O => O | S c => if c =? w then runner_up v c w else Nat.max (v c) (runner_up v c w) end.
Definition gap (v : nat -> nat) (n : nat) : nat := v (plurality v n) - runner_up v n (plurality v n).
Definition distance_of_gap (g : nat) : nat := if g <=? 2 then 0 else (g - 1) / 2.
Definition decide (classes : nat) (votes : list nat) : verdict :=
  {| winner := plurality (counts votes) classes; distance := distance_of_gap (gap (counts votes) classes) |}.
(* 3. Private data: rows with the key of their unit; a unit has any number of rows, anywhere. `differ x y`: the same
   rows, but for those of key x on the left and those of key y on the right. *)
Definition row (key record : Type) := (key * record)%type.
Inductive differ {key record} (x y : key) : list (row key record) -> list (row key record) -> Prop :=
| Nothing : differ x y [] []
| Same : forall z r d d', z <> x -> z <> y -> differ x y d d' -> differ x y ((z, r) :: d) ((z, r) :: d')
| Left : forall r d d', differ x y d d' -> differ x y ((x, r) :: d) d'
| Right : forall r d d', differ x y d d' -> differ x y d ((y, r) :: d').
(* One unit added, removed or replaced; or, `any`, exchanged for one with another key. *)
Definition neighbours {key record} (d d' : list (row key record)) : Prop := exists x, differ x x d d'.
Definition neighbours_any {record} (keys : nat) (d d' : list (row nat record)) : Prop :=
  exists x y, x < keys /\ y < keys /\ differ x y d d'.
(* 4. A run trains its teachers, each on its own chunk; the word of a unit says which. A learner is any function of the
   chunk and of what is public, so a teacher may abstain when it fails or its chunk is empty. `view` is how the data
   decide a question, and a question names its run: number, size and learner may change whenever one is asked. *)
Record run (key record query : Type) := {
  number : nat; teachers : nat; classes : nat; learn : nat -> list (Z * row key record) -> query -> nat }.
Definition place (k : nat) (word : Z) : nat := Z.to_nat (word * Z.of_nat k / words).
Definition chunk {key record} (k : nat) (word : key -> Z) (i : nat) (data : list (row key record)) :=
  map (fun r => (word (fst r), r)) (filter (fun r => place k (word (fst r)) =? i) data).
Definition question (key record query : Type) := (run key record query * query)%type.
Definition view {key record query} (word : nat -> key -> Z) (data : list (row key record))
  (asked : question key record query) : verdict :=
  let (r, q) := asked in let '(Build_run _ _ _ n k c learn) := r in
  decide c (map (fun i => learn i (chunk k (word n) i data) q) (seq 0 k)).
(* Secret words: one for each key in each run, all independent and uniform. *)
Definition secrets (keys runs : nat) : list (list (list Z)) := tuples (tuples (below words) keys) runs.
Definition word_of (secret : list (list Z)) (run key : nat) : Z := nth key (nth run secret []) 0%Z.
(* 5. A life of a machine: a silence is reserved before each move, then someone who has seen all answers (the latest
   first) asks, or crashes the machine, or stops. `closes` says where the process was closed in order and begun anew. *)
Inductive answer := Silent | Label (y : nat) | Lost.
Definition transcript := list answer.
Inductive move {query : Type} := Ask (q : query) | Lose | Stop.
Definition adversary (query : Type) := transcript -> @move query.
Record machine := { state : Type; start : state; reserve : state -> option state;
  respond : state -> verdict -> Z -> answer * state; crash : state -> state; renew : state -> state }.
Fixpoint life {query} (M : machine) (next : adversary query) (closes : transcript -> bool) (view : query -> verdict)
  (coins : list Z) (s : state M) (seen : transcript) : transcript :=
  match coins, reserve M (if closes seen then renew M s else s) with
  | u :: others, Some paid =>
      match next seen with
      | Stop => seen
      | Lose => life M next closes view others (crash M paid) (Lost :: seen)
      | Ask q => let (a, after) := respond M paid (view q) u in life M next closes view others after (a :: seen)
      end
  | _, _ => seen end.
Definition session {query} (M : machine) (n : nat) (next : adversary query) (closes : transcript -> bool)
  (view : query -> verdict) : law transcript :=   (* one uniform word a move, n moves at most *)
  post (fun us => life M next closes view us (start M) []) (uniform (tuples (below words) n)).
(* 6. The meter. Resumed from what is stored: `left`, lowered by the reservation, raised again by a close. *)
Definition entry (table : list Z) (d : nat) : Z := nth (Nat.min d (length table) - 1) table 0%Z.
Definition is_silent (table : list Z) (d : nat) (u : Z) : bool := (d =? 0) || (u <? entry table d)%Z.
Record meter_state := { left : nat; reserved : bool }.
Definition meter_begin (limit : nat) : meter_state := {| left := limit; reserved := false |}.
Definition meter_reserve (m : meter_state) : option meter_state :=
  if reserved m then Some m else match left m with O => None | S n => Some {| left := n; reserved := true |} end.
Definition meter_answer (table : list Z) (m : meter_state) (v : verdict) (coin : Z) : answer * meter_state :=
  if is_silent table (distance v) coin then (Silent, Build_meter_state (left m) false) else (Label (winner v), m).
Definition meter_resume (m : meter_state) : meter_state := Build_meter_state (left m) false.
Definition meter_close (m : meter_state) := Build_meter_state (left m + (if reserved m then 1 else 0)) false.
Definition meter (plan : fumata_meter_plan) : machine :=
  {| start := meter_begin (Z.to_nat (meter_plan_limit plan)); reserve := meter_reserve; crash := meter_resume;
     respond := meter_answer (meter_plan_silence plan); renew m := meter_resume (meter_close m) |}.
(* 7. Classic. A reservation draws a threshold from the next of the words `ts`; whatever ends a stretch spends both, so
   closing a machine that holds one is Lose, and closing one that holds none is nothing. *)
Definition draw (noise : fumata_noise) (coin : Z) : nat := length (filter (fun c => c <=? coin)%Z (noise_cdf noise)).
Definition classic_silent (plan : fumata_classic_plan) (j d : nat) (coin : Z) : bool :=
  let z := draw (classic_plan_query plan) coin in
  (z =? 0) || (Z.of_nat d + (noise_first (classic_plan_query plan) + Z.of_nat z) <=?
               classic_plan_width plan + (noise_first (classic_plan_threshold plan) + Z.of_nat j))%Z.
Record classic_state := { classic_left : nat; classic_held : option nat; classic_words : list Z }.
Definition classic_begin (limit : nat) (ts : list Z) : classic_state := Build_classic_state limit None ts.
Definition classic_reserve (plan : fumata_classic_plan) (m : classic_state) : option classic_state :=
  match classic_held m, classic_left m, classic_words m with
  | Some _, _, _ => Some m
  | None, S n, t :: ts => Some (Build_classic_state n (Some (draw (classic_plan_threshold plan) t)) ts)
  | None, _, _ => None end.
Definition classic_resume (m : classic_state) := Build_classic_state (classic_left m) None (classic_words m).
Definition classic_answer (plan : fumata_classic_plan) (m : classic_state) (v : verdict) (u : Z) :=
  match classic_held m with None => (Silent, m)
  | Some j => if classic_silent plan j (distance v) u then (Silent, classic_resume m) else (Label (winner v), m) end.
Definition classic (plan : fumata_classic_plan) (ts : list Z) : machine :=
  {| start := classic_begin (Z.to_nat (classic_plan_limit plan)) ts; reserve := classic_reserve plan;
     respond := classic_answer plan; crash := classic_resume; renew m := m |}.
(* 8. What is claimed, of whole lives: for every assignment of words in every run, and over secret ones. *)
Definition keeps (claim : fumata_claim) (release : forall q, adversary q -> (q -> verdict) -> law transcript) : Prop :=
  let epsilon := (IZR (claim_epsilon_num claim) / IZR (claim_epsilon_den claim))%R in
  let delta := (IZR (claim_delta_num claim) / IZR (claim_delta_den claim))%R in
  (forall key record query (word : nat -> key -> Z) (next : adversary (question key record query)),
     private epsilon delta neighbours (fun data => release _ next (view word data))) /\
  (forall record query keys runs (next : adversary (question nat record query)),
     private epsilon delta (neighbours_any keys)
       (fun data => mixture (secrets keys runs) (fun secret => release _ next (view (word_of secret) data)))).
Definition certified_meter_is_private : Prop := forall plan claim n closes,   (* `fits`: the C struct holds it *)
  fumata_claim_fits claim -> FumataMeterIsCertified plan claim ->
  keeps claim (fun _ next view => session (meter plan) n next closes view).
Definition certified_classic_is_private : Prop := forall plan claim n,
  fumata_claim_fits claim -> FumataClassicIsCertified plan claim ->
  keeps claim (fun _ next view => mixture (tuples (below words) (Z.to_nat (classic_plan_limit plan)))
                                    (fun ts => session (classic plan ts) n next (fun _ => false) view)).
(* 9. The ledger: releases on one data set, one after the other, each chosen after those before it, under a ceiling. *)
Record release (D A : Type) := { cost_epsilon : Q; cost_delta : Q; mechanism : D -> law A }.
Fixpoint ledger {D A} (n : nat) (epsilon delta : Q) (choose : list A -> option (release D A)) (data : D)
  (seen : list A) : law (list A) :=
  match n, choose seen with
  | S m, Some (Build_release _ _ e d mechanism) =>
      if Qle_bool e epsilon && Qle_bool d delta
      then bind (mechanism data) (fun a => ledger m (epsilon - e) (delta - d) choose data (a :: seen))
      else [(seen, 1%R)]
  | _, _ => [(seen, 1%R)] end.
Definition ledger_is_private : Prop := forall D A (near : D -> D -> Prop) (choose : list A -> option (release D A)) n
  total_epsilon total_delta, (0 <= total_epsilon)%Q -> (0 <= total_delta)%Q ->
  (forall seen e d m, choose seen = Some (Build_release _ _ e d m) -> private (Q2R e) (Q2R d) near m) ->
  private (Q2R total_epsilon) (Q2R total_delta) near (fun data => ledger n total_epsilon total_delta choose data []).
