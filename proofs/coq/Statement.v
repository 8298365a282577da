(* What the final theorems say: all of it is in this file and in specs/ (`FumataMeterIsCertified` and its like are what
   the C code is proved to decide). Final.v proves the statements in 8 and 9. *)
From Coq Require Import Reals ZArith QArith Qreals List Bool.
From Fumata Require Import SpecNoise SpecPlan SpecCertifyMeter SpecCertifyToll SpecCertifyBudget SpecCertifyClassic.
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
Definition below (n : Z) : list Z := map Z.of_nat (seq 0 (Z.to_nat n)). Definition words : Z := (2 ^ 64)%Z.
(* 2. Ballots. A vote outside 0 .. classes - 1 is an abstention and is counted nowhere. *)
Record verdict := { winner : nat; distance : nat }.
Definition counts (votes : list nat) (y : nat) : nat := count_occ Nat.eq_dec votes y.
Fixpoint plurality (v : nat -> nat) (classes : nat) : nat :=      (* the smallest label with the largest count *)
  match classes with O => O | S c => if v (plurality v c) <? v c then c else plurality v c end.
Fixpoint runner_up (v : nat -> nat) (classes w : nat) : nat :=    (* the largest count of a label other than w *)
  match classes with O => O | S c => if c =? w then runner_up v c w else Nat.max (v c) (runner_up v c w) end.
Definition gap (v : nat -> nat) (n : nat) : nat := v (plurality v n) - runner_up v n (plurality v n).
Definition distance_of_gap (g : nat) : nat := if g <=? 2 then 0 else (g - 1) / 2.
Definition decide (classes : nat) (votes : list nat) : verdict :=
  {| winner := plurality (counts votes) classes; distance := distance_of_gap (gap (counts votes) classes) |}.
Record duel := { named : nat; other : nat; margin : nat }.        (* of two candidates; other votes do not count *)
Definition confront (a b : nat) (votes : list nat) : duel :=
  let ahead x y := {| named := x; other := y; margin := distance_of_gap (counts votes x - counts votes y) |} in
  if counts votes a <? counts votes b then ahead b a else ahead a b.
(* 3. Private data: rows with the key of their unit; a unit has any number of rows, anywhere. `differ x y`: the same
   rows, but for those of key x on the left and those of key y on the right. Neighbours: one unit is added, removed or
   replaced; or, `any`, exchanged for one with another key. *)
Definition row (key record : Type) := (key * record)%type.
Inductive differ {key record} (x y : key) : list (row key record) -> list (row key record) -> Prop :=
| Nothing : differ x y [] []
| Same : forall z r d d', z <> x -> z <> y -> differ x y d d' -> differ x y ((z, r) :: d) ((z, r) :: d')
| Left : forall r d d', differ x y d d' -> differ x y ((x, r) :: d) d'
| Right : forall r d d', differ x y d d' -> differ x y d ((y, r) :: d').
Definition neighbours {key record} (d d' : list (row key record)) : Prop := exists x, differ x x d d'.
Definition neighbours_any {record} (keys : nat) (d d' : list (row nat record)) : Prop :=
  exists x y, x < keys /\ y < keys /\ differ x y d d'.
(* 4. A run trains its teachers, each on its own chunk; the word of a unit says which. A learner is any function of the
   chunk and of what is public, so a teacher may abstain. A question names its run and two candidates, all of which may
   change whenever one is asked. `sight`: how the data decide it, among all classes and between the candidates. *)
Record run (key record query : Type) := {
  number : nat; teachers : nat; classes : nat; learn : nat -> list (Z * row key record) -> query -> nat }.
Definition place (k : nat) (word : Z) : nat := Z.to_nat (word * Z.of_nat k / words).
Definition chunk {key record} (k : nat) (word : key -> Z) (i : nat) (data : list (row key record)) :=
  map (fun r => (word (fst r), r)) (filter (fun r => place k (word (fst r)) =? i) data).
Definition question (key record query : Type) := (run key record query * query * (nat * nat))%type.
Definition sight {key record query} (word : nat -> key -> Z) (data : list (row key record))
  (asked : question key record query) : verdict * duel :=
  let '(Build_run _ _ _ n k c learn, q, (a, b)) := asked in
  let votes := map (fun i => learn i (chunk k (word n) i data) q) (seq 0 k) in (decide c votes, confront a b votes).
Definition secrets (keys runs : nat) := tuples (tuples (below words) keys) runs.   (* a word for each key in each run *)
Definition word_of (secret : list (list Z)) (run key : nat) : Z := nth key (nth run secret []) 0%Z.
(* 5. A life of a machine. Someone who has seen all answers (the latest first) chooses every move: asks, buys an answer,
   stops, or acts on what is reserved of silences and of answers. A crash loses that, a close gives it back, and a new
   process goes on. Acts, and questions for which nothing is reserved, get no answer. *)
Inductive answer := Silent | Label (y : nat) | Noted. Definition transcript := list answer.
Inductive act := Reserve (n : nat) | Crash | Close.
Inductive move {query : Type} := Ask (q : query) | Buy (q : query) | Act (silences answers : act) | Stop.
Definition adversary (query : Type) := transcript -> @move query.
Record machine := { state : Type; start : state; acts : act -> act -> state -> state;
  replies : state -> verdict -> Z -> answer * state; sells : state -> duel -> Z -> answer * state }.
Fixpoint life {query} (M : machine) (next : adversary query) (look : query -> verdict * duel) (coins : list Z)
  (s : state M) (seen : transcript) : transcript :=
  match coins with [] => seen | u :: others =>
    let go step := life M next look others (snd step) (fst step :: seen) in
    match next seen with
    | Ask q => go (replies M s (fst (look q)) u)
    | Buy q => go (sells M s (snd (look q)) u)
    | Act silences answers => go (Noted, acts M silences answers s)
    | Stop => seen end end.
Definition session (M : machine) (n : nat) query (next : adversary query) (look : query -> verdict * duel) :=
  post (fun us => life M next look us (start M) []) (uniform (tuples (below words) n)).   (* one word a move, n moves *)
(* 6. The budget of silences and answers: a purse for each. A meter sells no answers, a toll keeps no silences. *)
Definition entry (table : list Z) (d : nat) : Z := nth (Nat.min d (length table) - 1) table 0%Z.
Definition is_silent (table : list Z) (d : nat) (u : Z) : bool := (d =? 0) || (u <? entry table d)%Z.
Definition is_named (table : list Z) (d : nat) (u : Z) := (u <? if (d =? 0)%nat then 2 ^ 63 else entry table d)%Z.
Record purse := { left : nat; reserved : nat }.
Definition tend (a : act) (p : purse) : purse :=
  match a with Crash => Build_purse (left p) 0 | Close => Build_purse (left p + reserved p) 0
  | Reserve n => if (reserved p =? 0) && (n <=? left p) then Build_purse (left p - n) n else p end.
Definition use (p : purse) : purse := Build_purse (left p) (reserved p - 1).
Definition budget (silence naming : list Z) (silences answers : Z) : machine :=
  {| start := (Build_purse (Z.to_nat silences) 0, Build_purse (Z.to_nat answers) 0);
     acts a b s := (tend a (fst s), tend b (snd s));
     replies s v u := if reserved (fst s) =? 0 then (Noted, s)
       else if is_silent silence (distance v) u then (Silent, (use (fst s), snd s)) else (Label (winner v), s);
     sells s f u := if reserved (snd s) =? 0 then (Noted, s)
       else (Label (if is_named naming (margin f) u then named f else other f), (fst s, use (snd s))) |}.
Definition meter (plan : fumata_meter_plan) := budget (meter_plan_silence plan) [] (meter_plan_limit plan) 0.
Definition toll (plan : fumata_toll_plan) := budget [] (toll_plan_named plan) 0 (toll_plan_limit plan).
Definition both (plan : fumata_budget_plan) := let m := budget_plan_meter plan in let t := budget_plan_toll plan in
  budget (meter_plan_silence m) (toll_plan_named t) (meter_plan_limit m) (toll_plan_limit t).
(* 7. Classic. A reservation is one silence and draws a threshold from the next of the words `ts`; a close gives nothing
   back. Answers are not sold. *)
Definition draw (noise : fumata_noise) (coin : Z) : nat := length (filter (fun c => c <=? coin)%Z (noise_cdf noise)).
Definition classic_silent (plan : fumata_classic_plan) (j d : nat) (coin : Z) : bool :=
  let z := draw (classic_plan_query plan) coin in
  (z =? 0) || (Z.of_nat d + (noise_first (classic_plan_query plan) + Z.of_nat z) <=?
               classic_plan_width plan + (noise_first (classic_plan_threshold plan) + Z.of_nat j))%Z.
Definition classic_act (plan : fumata_classic_plan) (a : act) (s : nat * option nat * list Z) :=
  match a, s with   (* silences left, the threshold that is held, words *)
  | Reserve _, (S n, None, t :: ts) => (n, Some (draw (classic_plan_threshold plan) t), ts)
  | Reserve _, _ => s | _, (n, _, ts) => (n, None, ts) end.
Definition classic (plan : fumata_classic_plan) (ts : list Z) : machine :=
  {| start := (Z.to_nat (classic_plan_limit plan), None, ts); acts a _ := classic_act plan a;
     replies s v u := match snd (fst s) with None => (Noted, s) | Some j =>
       if classic_silent plan j (distance v) u then (Silent, classic_act plan Crash s) else (Label (winner v), s) end;
     sells s _ _ := (Noted, s) |}.
Definition classic_session plan n query (next : adversary query) look := mixture
  (tuples (below words) (Z.to_nat (classic_plan_limit plan))) (fun ts => session (classic plan ts) n query next look).
(* 8. What is claimed, of whole lives: for every assignment of words in every run, and over secret ones. *)
Definition keeps {plan} (certified : plan -> fumata_claim -> Prop)
  (release : plan -> nat -> forall query, adversary query -> (query -> verdict * duel) -> law transcript) : Prop :=
  forall plan claim n, fumata_claim_fits claim (* the C struct holds it *) -> certified plan claim ->
  let epsilon := (IZR (claim_epsilon_num claim) / IZR (claim_epsilon_den claim))%R in
  let delta := (IZR (claim_delta_num claim) / IZR (claim_delta_den claim))%R in
  (forall key record query (word : nat -> key -> Z) (next : adversary (question key record query)),
     private epsilon delta neighbours (fun data => release plan n _ next (sight word data))) /\
  (forall record query keys runs (next : adversary (question nat record query)),
     private epsilon delta (neighbours_any keys)
       (fun data => mixture (secrets keys runs) (fun secret => release plan n _ next (sight (word_of secret) data)))).
Definition certified_meter_is_private : Prop := keeps FumataMeterIsCertified (fun plan => session (meter plan)).
Definition certified_toll_is_private : Prop := keeps FumataTollIsCertified (fun plan => session (toll plan)).
Definition certified_budget_is_private : Prop := keeps FumataBudgetIsCertified (fun plan => session (both plan)).
Definition certified_classic_is_private : Prop := keeps FumataClassicIsCertified classic_session.
(* 9. The ledger: releases on one data set, one after the other, each chosen after those before it, under a ceiling. *)
Record release (D A : Type) := { cost_epsilon : Q; cost_delta : Q; mechanism : D -> law A }.
Fixpoint ledger {D A} (n : nat) (epsilon delta : Q) (choose : list A -> option (release D A)) (data : D)
  (seen : list A) : law (list A) :=
  match n, choose seen with
  | S m, Some (Build_release _ _ e d run) => if Qle_bool e epsilon && Qle_bool d delta
      then bind (run data) (fun a => ledger m (epsilon - e) (delta - d) choose data (a :: seen)) else [(seen, 1%R)]
  | _, _ => [(seen, 1%R)] end.
Definition ledger_is_private : Prop := forall D A (near : D -> D -> Prop) (choose : list A -> option (release D A)) n
  total_epsilon total_delta, (0 <= total_epsilon)%Q -> (0 <= total_delta)%Q ->
  (forall seen e d m, choose seen = Some (Build_release _ _ e d m) -> private (Q2R e) (Q2R d) near m) ->
  private (Q2R total_epsilon) (Q2R total_delta) near (fun data => ledger n total_epsilon total_delta choose data []).
