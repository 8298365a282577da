(* What the final theorems say: all of it is in this file and in specs/ (`FumataMeterIsCertified` and its like are what
   the C code is proved to decide). Final.v proves the statements in 8, 9 and 10. *)
From Coq Require Import Reals ZArith QArith Qreals List Bool. Import ListNotations. Open Scope nat_scope.
From Fumata Require Import SpecNoise SpecPlan SpecCertifyMeter SpecCertifyToll SpecCertifyBudget SpecCertifyClassic.
(* 1. Probability: finite laws, lists of outcomes with their weights, and differential privacy. *)
Definition law (A : Type) := list (A * R).
Fixpoint Pr {A} (mu : law A) (S : A -> bool) : R :=
  match mu with [] => 0 | (x, weight) :: rest => (if S x then weight else 0) + Pr rest S end%R.
Definition is_law {A} (mu : law A) : Prop := Forall (fun e => 0 <= snd e)%R mu /\ Pr mu (fun _ => true) = 1%R.
Definition within {A} (epsilon delta : R) (P Q : law A) : Prop := forall S, (Pr P S <= exp epsilon * Pr Q S + delta)%R.
Definition private {D A} (epsilon delta : R) (near : D -> D -> Prop) (release : D -> law A) : Prop :=
  (forall d, is_law (release d)) /\ (forall d d', near d d' -> within epsilon delta (release d) (release d')).
Definition post {A B} (f : A -> B) (mu : law A) : law B := map (fun e => (f (fst e), snd e)) mu.
Definition bind {A B} (mu : law A) (f : A -> law B) : law B :=
  flat_map (fun e => map (fun o => (fst o, snd e * snd o)%R) (f (fst e))) mu.
Definition uniform {A} (l : list A) : law A := map (fun x => (x, / INR (length l))%R) l.
Definition mixture {H A} (choices : list H) (select : H -> law A) : law A := bind (uniform choices) select.
Fixpoint tuples {A} (alphabet : list A) (n : nat) : list (list A) :=
  match n with O => [[]] | S m => flat_map (fun a => map (cons a) (tuples alphabet m)) alphabet end.
Definition below (n : Z) : list Z := map Z.of_nat (seq 0 (Z.to_nat n)). Definition words : Z := (2 ^ 64)%Z.
(* 2. Ballots. A vote outside 0 .. classes - 1 is an abstention and is counted nowhere. *)
Record verdict := { winner : nat; distance : nat }. Definition counts : list nat -> nat -> nat := count_occ Nat.eq_dec.
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
(* 3. Private data: rows with the key of their unit, any number of them, anywhere. `differ x y`: the same rows, but for
   those of x left and of y right. Neighbours: a unit comes, goes or changes its rows; or, `any`, its key as well. *)
Definition row (key record : Type) := (key * record)%type.
Inductive differ {key record} (x y : key) : list (row key record) -> list (row key record) -> Prop :=
| Nothing : differ x y [] []
| Same : forall z r d d', z <> x -> z <> y -> differ x y d d' -> differ x y ((z, r) :: d) ((z, r) :: d')
| Left : forall r d d', differ x y d d' -> differ x y ((x, r) :: d) d'
| Right : forall r d d', differ x y d d' -> differ x y d ((y, r) :: d').
Definition neighbours {key record} (d d' : list (row key record)) : Prop := exists x, differ x x d d'.
Definition neighbours_any {record} (keys : nat) (d d' : list (row nat record)) : Prop :=
  exists x y, x < keys /\ y < keys /\ differ x y d d'.
(* 4. A run trains its teachers, each on its own chunk; the word of a unit says which. A learner is any function. A
   question brings its run and two candidates. `sight`: how votes decide it, of all classes and between the two. *)
Record run (key record query : Type) := {
  number : nat; teachers : nat; classes : nat; learn : nat -> list (Z * row key record) -> query -> nat }.
Definition place (k : nat) (word : Z) : nat := Z.to_nat (word * Z.of_nat k / words).
Definition chunk {key record} (k : nat) (word : key -> Z) (i : nat) (data : list (row key record)) :=
  map (fun r => (word (fst r), r)) (filter (fun r => place k (word (fst r)) =? i) data).
Definition question (key record query : Type) := (run key record query * query * (nat * nat))%type.
Definition sight {key record query} (word : nat -> key -> Z) data (asked : question key record query) : verdict * duel :=
  let '(Build_run _ _ _ n k c learn, q, (a, b)) := asked in
  let votes := map (fun i => learn i (chunk k (word n) i data) q) (seq 0 k) in (decide c votes, confront a b votes).
Definition secrets (keys runs : nat) := tuples (tuples (below words) keys) runs.   (* a word for each key in each run *)
Definition word_of (secret : list (list Z)) (run key : nat) : Z := nth key (nth run secret []) 0%Z.
(* 5. A release that is open answers a request and becomes another one; all its coins are tossed when it is opened, and
   hidden in it. `safe`: private towards all who, alone with it, choose each request by all answers (latest first). *)
CoInductive process X A := Process { ask : X -> A * process X A }. Arguments Process {X A}. Arguments ask {X A}.
Fixpoint alone {X A} (n : nat) (next : list A -> option X) (p : process X A) (seen : list A) : list A :=
  match n, next seen with S m, Some x => let (a, p') := ask p x in alone m next p' (a :: seen) | _, _ => seen end.
Definition safe {D X A} (epsilon delta : R) (near : D -> D -> Prop) (opening : D -> law (process X A)) : Prop :=
  forall n next, private epsilon delta near (fun data => post (fun p => alone n next p []) (opening data)).
(* The life of a machine. One asks, buys an answer, or acts on what is reserved of silences and answers: a crash loses
   it, a close gives it back, a new process goes on. Acts, and questions with nothing reserved, are only noted. *)
Inductive answer := Silent | Label (y : nat) | Noted. Inductive act := Reserve (n : nat) | Crash | Close.
Inductive move {query : Type} := Ask (q : query) | Buy (q : query) | Act (silences answers : act).
Record machine := { state : Type; start : state; acts : act -> act -> state -> state;
  replies : state -> verdict -> Z -> answer * state; sells : state -> duel -> Z -> answer * state }.
CoFixpoint live {query} (M : machine) (look : query -> verdict * duel) (s : state M) (coins : list Z) :=
  Process (fun m => match coins with [] => (Noted, live M look s []) | u :: others => let (a, s') := match m with
    | Ask q => replies M s (fst (look q)) u | Buy q => sells M s (snd (look q)) u
    | Act silences answers => (Noted, acts M silences answers s) end in (a, live M look s' others) end).
Definition session (M : machine) (n : nat) query (look : query -> verdict * duel) : law (process move answer) :=
  post (live M look (start M)) (uniform (tuples (below words) n)).   (* one word a move, n of them, for any n *)
(* 6. The budget of silences and answers: a purse for each. A meter sells no answers, a toll keeps no silences. *)
Definition entry (table : list Z) (d : nat) : Z := nth (Nat.min d (length table) - 1) table 0%Z.
Definition is_silent (table : list Z) (d : nat) (u : Z) : bool := (d =? 0) || (u <? entry table d)%Z.
Definition is_named (table : list Z) (d : nat) (u : Z) := (u <? if (d =? 0)%nat then 2 ^ 63 else entry table d)%Z.
Record purse := { left : nat; reserved : nat }. Definition use p := Build_purse (left p) (reserved p - 1).
Definition tend (a : act) (p : purse) : purse :=
  match a with Crash => Build_purse (left p) 0 | Close => Build_purse (left p + reserved p) 0
  | Reserve n => if (reserved p =? 0) && (n <=? left p) then Build_purse (left p - n) n else p end.
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
(* 7. Classic. A reservation is one silence and draws a threshold by the next of the words `ts`; a close loses it. *)
Definition draw (noise : fumata_noise) (coin : Z) : nat := length (filter (fun c => c <=? coin)%Z (noise_cdf noise)).
Definition classic_silent (plan : fumata_classic_plan) (j d : nat) (coin : Z) : bool :=
  let z := draw (classic_plan_query plan) coin in
  (z =? 0) || (Z.of_nat d + (noise_first (classic_plan_query plan) + Z.of_nat z) <=?
               classic_plan_width plan + (noise_first (classic_plan_threshold plan) + Z.of_nat j))%Z.
Definition classic_act (plan : fumata_classic_plan) (a : act) (s : nat * option nat * list Z) :=
  match a, s with Reserve _, (S n, None, t :: ts) => (n, Some (draw (classic_plan_threshold plan) t), ts)
  | Reserve _, _ => s | _, (n, _, ts) => (n, None, ts) end.   (* silences left, the threshold that is held, words *)
Definition classic (plan : fumata_classic_plan) (ts : list Z) : machine :=
  {| start := (Z.to_nat (classic_plan_limit plan), None, ts); acts a _ := classic_act plan a;
     replies s v u := match snd (fst s) with None => (Noted, s) | Some j =>
       if classic_silent plan j (distance v) u then (Silent, classic_act plan Crash s) else (Label (winner v), s) end;
     sells s _ _ := (Noted, s) |}.
Definition classic_session plan n query (look : query -> verdict * duel) := mixture
  (tuples (below words) (Z.to_nat (classic_plan_limit plan))) (fun ts => session (classic plan ts) n query look).
(* 8. What is claimed, of whole lives: for every assignment of words in every run, and over secret ones. *)
Definition keeps {plan} (certified : plan -> fumata_claim -> Prop)
  (opening : plan -> nat -> forall query, (query -> verdict * duel) -> law (process (@move query) answer)) : Prop :=
  forall plan claim n, fumata_claim_fits claim (* the C struct holds it *) -> certified plan claim ->
  let epsilon := (IZR (claim_epsilon_num claim) / IZR (claim_epsilon_den claim))%R in
  let delta := (IZR (claim_delta_num claim) / IZR (claim_delta_den claim))%R in
  (forall key record query (word : nat -> key -> Z),
     safe epsilon delta neighbours (fun data => opening plan n (question key record query) (sight word data))) /\
  (forall record query keys runs, safe epsilon delta (neighbours_any keys) (fun data => mixture (secrets keys runs)
     (fun secret => opening plan n (question nat record query) (sight (word_of secret) data)))).
Definition certified_meter_is_private : Prop := keeps FumataMeterIsCertified (fun plan => session (meter plan)).
Definition certified_toll_is_private : Prop := keeps FumataTollIsCertified (fun plan => session (toll plan)).
Definition certified_budget_is_private : Prop := keeps FumataBudgetIsCertified (fun plan => session (both plan)).
Definition certified_classic_is_private : Prop := keeps FumataClassicIsCertified classic_session.
(* 9. The ledger of one data set. Someone who has seen all answers opens releases and asks those that are open, the i-th
   from the latest, in any order. An opening pays its whole cost, and is refused if that is not left; `hear` and `say`
   translate. A count or an estimate is drawn when it is opened, and says the same to every request. *)
CoFixpoint through {X Y A B} (hear : X -> Y) (say : A -> B) (p : process Y A) : process X B :=
  Process (fun x => let (a, p') := ask p (hear x) in (say a, through hear say p')).
CoFixpoint once {X A} (a : A) : process X A := Process (fun _ => (a, once a)).
Inductive request {D X B : Type} := Go (i : nat) (x : X)
| Open {Y A : Type} (epsilon delta : Q) (opening : D -> law (process Y A)) (hear : X -> Y) (say : A -> B).
Fixpoint ledger {D X B} (n : nat) (epsilon delta : Q) (next : list (option B) -> option (@request D X B)) (data : D)
  (opened : list (process X B)) (seen : list (option B)) : law (list (option B)) :=
  match n, next seen with
  | S m, Some r => let go e d opened b := ledger m e d next data opened (b :: seen) in match r with
    | Open e d opening hear say => if Qle_bool e epsilon && Qle_bool d delta
        then bind (opening data) (fun p => go (epsilon - e)%Q (delta - d)%Q (through hear say p :: opened) None)
        else go epsilon delta opened None
    | Go i x => match nth_error opened i with None => go epsilon delta opened None | Some p =>
        let (b, p') := ask p x in go epsilon delta (firstn i opened ++ p' :: skipn (S i) opened) (Some b) end end
  | _, _ => [(seen, 1%R)] end.
Definition ledger_is_private : Prop := forall D X B (near : D -> D -> Prop) next n epsilon delta,
  (forall b b' : B, {b = b'} + {b <> b'}) -> (0 <= epsilon)%Q -> (0 <= delta)%Q ->
  (forall seen Y A e d o h s, next seen = Some (@Open D X B Y A e d o h s) -> safe (Q2R e) (Q2R d) near o) ->
  private (Q2R epsilon) (Q2R delta) near (fun data => ledger n epsilon delta next data [] []).
Definition one_answer_is_safe : Prop := forall D X A epsilon delta near (release : D -> law A),
  private epsilon delta near release -> safe epsilon delta near (fun data => post (@once X A) (release data)).
(* 10. The poll. The voters are the units. A question weighs each of them by its own rows, in any way, which covers every
   test of a place, a radius, a nearest record. Weights are cut to -most .. most; a unit that weighs 0, or has voted
   `limit` times, does not vote. Leads wait: `cast`, as long as the uses that they count are in memory alone, then `ready`.
   Only a ready lead is answered, and once. `Clear` drops all that wait; a crash does, and loses the uses not stored. *)
Definition comes_or_goes {key record} (d d' : list (row key record)) : Prop :=
  exists x, differ x x d d' /\ (~ In x (map fst d) \/ ~ In x (map fst d')).
Definition changes_unit {key record} (d d' : list (row key record)) : Prop := exists x y, differ x y d d'.
Definition equality (key : Type) := forall x y : key, {x = y} + {x <> y}.   (* equal keys are the same unit *)
Definition own {key record} (same : equality key) (data : list (row key record)) (x : key) :=
  filter (fun r => if same (fst r) x then true else false) data.
Record inquiry (key record : Type) := Inquiry { most : positive; weight : list (row key record) -> Z }.
Arguments most {key record}. Arguments weight {key record}.
Definition voice {key record} (q : inquiry key record) (rows : list (row key record)) : Z :=
  Z.max (- Zpos (most q)) (Z.min (weight q rows) (Zpos (most q))).
Definition votes {key record} same data (limit : nat) (uses : key -> nat) (q : inquiry key record) (x : key) : bool :=
  negb (voice q (own same data x) =? 0)%Z && (uses x <? limit).
Definition lead {key record} same data (limit : nat) (uses : key -> nat) (q : inquiry key record) : Z :=
  let voters := filter (votes same data limit uses q) (nodup same (map fst data)) in
  Z.quot (fold_right Z.add 0%Z (map (fun x => voice q (own same data x)) voters)) (Zpos (most q)).
Definition says_yes (table : list Z) (lead u : Z) : bool :=
  if (lead <? 0)%Z then negb (is_named table (Z.to_nat (- lead)) u) else is_named table (Z.to_nat lead) u.
Record crowd (key : Type) := Crowd { uses : key -> nat; cast : list Z; stored : key -> nat; ready : list Z }.
Arguments Crowd {key}. Arguments uses {key}. Arguments cast {key}. Arguments stored {key}. Arguments ready {key}.
Inductive poll_move {key record : Type} := Vote (q : inquiry key record) | Store | Draw | Clear | Restart.
Definition poll_step {key record} (same : equality key) (plan : fumata_toll_plan) (data : list (row key record))
  (s : crowd key) (m : poll_move) (u : Z) : option bool * crowd key :=   (* yes, no, or noted *)
  let limit := Z.to_nat (toll_plan_limit plan) in match m, s with
  | Vote q, Crowd uses cast stored ready => (None, Crowd
      (fun x => if votes same data limit uses q x then S (uses x) else uses x)
      (cast ++ [lead same data limit uses q]) stored ready)
  | Store, Crowd uses cast _ ready => (None, Crowd uses [] uses (ready ++ cast))
  | Draw, Crowd _ _ _ [] => (None, s)
  | Draw, Crowd uses cast stored (l :: rest) =>
      (Some (says_yes (toll_plan_named plan) l u), Crowd uses cast stored rest)
  | Clear, Crowd uses _ stored _ => (None, Crowd uses [] stored [])
  | Restart, Crowd _ _ stored _ => (None, Crowd stored [] stored []) end.
CoFixpoint tossing {S X A} (idle : A) (step : S -> X -> Z -> A * S) (s : S) (coins : list Z) : process X A :=
  Process (fun x => match coins with [] => (idle, tossing idle step s []) | u :: others =>
    let (a, s') := step s x u in (a, tossing idle step s' others) end).
Definition poll {key record} (same : equality key) (plan : fumata_toll_plan) (n : nat) (data : list (row key record)) :=
  post (tossing None (poll_step same plan data) (Crowd (fun _ => 0) [] (fun _ => 0) []))
    (uniform (tuples (below words) n)).
(* A poll plan is a toll plan whose limit is that of the votes of one unit, not of the answers. *)
Definition certified_poll_is_private : Prop := forall plan claim n key record (same : equality key),
  fumata_claim_fits claim -> FumataTollIsCertified plan claim ->
  let epsilon := (IZR (claim_epsilon_num claim) / IZR (claim_epsilon_den claim))%R in
  let delta := (IZR (claim_delta_num claim) / IZR (claim_delta_den claim))%R in
  safe epsilon delta (@comes_or_goes key record) (poll same plan n) /\
  safe (2 * epsilon) ((1 + exp epsilon) * delta) (@changes_unit key record) (poll same plan n).
