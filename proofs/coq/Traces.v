(* Whole lives. What a program may do with a machine of core/, call after call, as the contracts allow it and with crashes in
   between, is a life of the machine of Statement.v: the same answers to the same questions with the same coins. This file
   says what that means. TracesGoOn.v proves the statements in 5 and 6. *)
From Coq Require Import ZArith List Bool. Import ListNotations.
From Fumata Require Import SpecMachine Statement Joint.
Local Open Scope Z_scope.
Section Lives.
Variable query : Type.
Variable look : query -> verdict * duel.
(* 1. What happens, the latest first: a call with its status and its answer, if it has one; what is left is stored; a crash;
   a new start. A meter and classic have silences only, a toll answers only, a budget both. One reserves n of them; classic
   reserves one, and draws its threshold with a coin. *)
Inductive side := Silences | Answers.
Definition is_side (s s' : side) : bool := match s, s' with Silences, Silences | Answers, Answers => true
  | _, _ => false end.
Inductive call := Reserves (s : side) (n coin : Z) | Asks (s : side) (q : query) (coin : Z) | Closes (s : side).
Inductive event := Called (c : call) (status : Z) (a : answer) | Stored | Crashed | Started (status : Z).
Fixpoint heard (es : list event) : list answer :=
  match es with [] => [] | Called _ _ Noted :: es => heard es | Called _ _ a :: es => heard es ++ [a]
    | _ :: es => heard es end.
(* 2. A kind of machine: its memory, what is stored of it, and what the contracts say of each call. Numbers fit their types.
   The program keeps three rules (A-STORE): it begins once, it starts again from what it stored last, and it asks only when
   what it stored is no more than what is left. After a crash nothing is known of the memory. *)
Record kind := { memory : Type; disk : Type; fits : memory -> Prop;
  begins : memory -> memory -> Z -> Prop; all_left : disk; left_in : memory -> disk;
  resumes : memory -> memory -> disk -> Z -> Prop;
  covers : disk -> side -> memory -> Prop; calls : call -> memory -> memory -> Z -> answer -> Prop }.
Record world (K : kind) := { now : memory K; running : bool; on_disk : disk K }.
Arguments now {K}. Arguments running {K}. Arguments on_disk {K}.
Definition is_covered (K : kind) (c : call) (w : world K) : Prop :=
  match c with Asks s _ _ => covers K (on_disk w) s (now w) | _ => True end.
Inductive allowed (K : kind) : list event -> world K -> Prop :=
| Begins : forall m m', fits K m' -> begins K m m' FUMATA_OK ->
    allowed K [] {| now := m'; running := true; on_disk := all_left K |}
| Calls : forall es w c m' r a, allowed K es w -> running w = true -> is_covered K c w ->
    fits K m' -> calls K c (now w) m' r a ->
    allowed K (Called c r a :: es) {| now := m'; running := true; on_disk := on_disk w |}
| Stores : forall es w, allowed K es w -> running w = true ->
    allowed K (Stored :: es) {| now := now w; running := true; on_disk := left_in K (now w) |}
| Crashes : forall es w m', allowed K es w ->
    allowed K (Crashed :: es) {| now := m'; running := false; on_disk := on_disk w |}
| Starts : forall es w m' r, allowed K es w -> fits K m' -> resumes K (now w) m' (on_disk w) r ->
    allowed K (Started r :: es) {| now := m'; running := r =? FUMATA_OK; on_disk := on_disk w |}.
(* 3. The kinds, by the generated text of their contracts. A call is told what the question shows: a verdict or a duel, in
   the integers of C. *)
Definition is_word (coin : Z) : Prop := 0 <= coin < 2 ^ 64. Definition is_number (n : Z) : Prop := 0 <= n < 2 ^ 32.
Definition shown (v : fumata_verdict) (q : query) : Prop :=
  fumata_verdict_fits v /\ verdict_winner v < FUMATA_CLASSES_MAX /\ verdict_seen v = fst (look q).
Definition faced (d : fumata_duel) (q : query) : Prop :=
  fumata_duel_fits d /\ FumataPairOk (duel_winner d) (duel_loser d) /\ duel_seen d = snd (look q).
Definition meter_calls (c : call) (m m' : fumata_meter) (r : Z) (a : answer) : Prop := match c with
  | Reserves Silences n _ => is_number n /\ fumata_meter_reserve_requires m n /\
      fumata_meter_reserve_ensures m m' n r /\ a = Noted
  | Asks Silences q coin => exists v y y', shown v q /\ is_word coin /\ fumata_meter_answer_requires m v coin y /\
      fumata_meter_answer_ensures m m' v coin y y' r /\ a = given y' r
  | Closes Silences => fumata_meter_close_requires m /\ fumata_meter_close_ensures m m' r /\ a = Noted
  | _ => False end.
Definition toll_calls (c : call) (t t' : fumata_toll) (r : Z) (a : answer) : Prop := match c with
  | Reserves Answers n _ => is_number n /\ fumata_toll_reserve_requires t n /\
      fumata_toll_reserve_ensures t t' n r /\ a = Noted
  | Asks Answers q coin => exists d y y', faced d q /\ is_word coin /\ fumata_toll_answer_requires t d coin y /\
      fumata_toll_answer_ensures t t' d coin y y' r /\ a = given y' r
  | Closes Answers => fumata_toll_close_requires t /\ fumata_toll_close_ensures t t' r /\ a = Noted
  | _ => False end.
Definition classic_calls (c : call) (m m' : fumata_classic) (r : Z) (a : answer) : Prop := match c with
  | Reserves Silences _ coin => is_word coin /\ fumata_classic_reserve_requires m coin /\
      fumata_classic_reserve_ensures m m' coin r /\ a = Noted
  | Asks Silences q coin => exists v y y', shown v q /\ is_word coin /\ fumata_classic_answer_requires m v coin y /\
      fumata_classic_answer_ensures m m' v coin y y' r /\ a = given y' r
  | Closes Silences => fumata_classic_close_requires m /\ fumata_classic_close_ensures m m' r /\ a = Noted
  | _ => False end.
Definition meter_kind (plan : fumata_meter_plan) (claim : fumata_claim) : kind :=
  {| memory := fumata_meter; disk := Z; fits := fumata_meter_fits; all_left := meter_plan_limit plan;
     left_in := meter_left; begins m m' := fumata_meter_init_ensures m m' plan claim;
     resumes m m' := fumata_meter_resume_ensures m m' plan claim; covers s _ m := s <= meter_left m;
       calls := meter_calls |}.
Definition toll_kind (plan : fumata_toll_plan) (claim : fumata_claim) : kind :=
  {| memory := fumata_toll; disk := Z; fits := fumata_toll_fits; all_left := toll_plan_limit plan;
     left_in := toll_left; begins t t' := fumata_toll_init_ensures t t' plan claim;
     resumes t t' := fumata_toll_resume_ensures t t' plan claim; covers s _ t := s <= toll_left t; calls := toll_calls |}.
Definition classic_kind (plan : fumata_classic_plan) (claim : fumata_claim) : kind :=
  {| memory := fumata_classic; disk := Z; fits := fumata_classic_fits; all_left := classic_plan_limit plan;
     left_in := classic_left; begins m m' := fumata_classic_init_ensures m m' plan claim;
     resumes m m' := fumata_classic_resume_ensures m m' plan claim; covers s _ m := s <= classic_left m;
     calls := classic_calls |}.
(* A budget is called through the meter and the toll in it; the other one stays as it is. *)
Definition budget_calls (c : call) (b b' : fumata_budget) (r : Z) (a : answer) : Prop :=
  (meter_calls c (budget_meter b) (budget_meter b') r a /\ budget_toll b' = budget_toll b) \/
  (toll_calls c (budget_toll b) (budget_toll b') r a /\ budget_meter b' = budget_meter b).
Definition budget_kind (plan : fumata_budget_plan) (claim : fumata_claim) : kind :=
  {| memory := fumata_budget; disk := Z * Z; fits := fumata_budget_fits;
     all_left := (meter_plan_limit (budget_plan_meter plan), toll_plan_limit (budget_plan_toll plan));
     left_in b := (meter_left (budget_meter b), toll_left (budget_toll b));
     begins b b' := fumata_budget_init_ensures b b' plan claim;
     resumes b b' s := fumata_budget_resume_ensures b b' plan claim (fst s) (snd s);
     covers s side b := match side with Silences => fst s <= meter_left (budget_meter b)
                                   | Answers => snd s <= toll_left (budget_toll b) end;
     calls := budget_calls |}.
(* 4. The same life in Statement.v. The moves for an event depend on the events before it, on nothing later. A reservation is
   made when the first question under it is asked: one that is lost before it was stored costs nothing, in C neither. A
   question that is refused is not asked. `thresholds`: the coins of classic's reservations, in this order. *)
Fixpoint pending (s : side) (es : list event) : option (Z * Z) := match es with
  | Called (Reserves s' n coin) r _ :: es => if is_side s s' && (r =? FUMATA_OK) then Some (n, coin) else pending s es
  | Called (Asks s' _ _) r _ :: es => if is_side s s' && (r =? FUMATA_OK) then None else pending s es
  | Called (Closes s') _ _ :: es => if is_side s s' then None else pending s es
  | Stored :: es => pending s es
  | _ => None end.
Definition acts_on (s : side) (a : act) : @move query :=
  match s with Silences => Act a (Reserve 0) | Answers => Act (Reserve 0) a end.
Definition translated (e : event) (es : list event) : list (move * Z) := match e with
  | Called (Asks s q coin) r _ => if r =? FUMATA_OK
      then match pending s es with Some (n, _) => [(acts_on s (Reserve (Z.to_nat n)), 0)] | None => [] end ++
           [(match s with Silences => Ask q | Answers => Buy q end, coin)]
      else []
  | Called (Closes s) _ _ => [(acts_on s Close, 0)]
  | Crashed | Started _ => [(Act Crash Crash, 0)]
  | _ => [] end.
Fixpoint moves (es : list event) : list (move * Z) :=
  match es with [] => [] | e :: es => moves es ++ translated e es end.
Fixpoint thresholds (es : list event) : list Z := match es with [] => []
  | Called (Asks Silences _ _) r _ :: es => thresholds es ++
      (if r =? FUMATA_OK then match pending Silences es with Some (_, coin) => [coin] | None => [] end else [])
  | _ :: es => thresholds es end.
(* What a process says to these moves, but for what is only noted. *)
Fixpoint says (p : process (@move query) answer) (ms : list move) : list answer := match ms with [] => []
  | m :: ms => let (a, p') := ask p m in match a with Noted => says p' ms | _ => a :: says p' ms end end.
Definition lives_alike (M : machine) (es : list event) : Prop :=
  says (live M look (start M) (map snd (moves es))) (map fst (moves es)) = heard es.
(* 5. What is claimed: every life that the contracts allow is a life of the machine. *)
Definition meter_lives_are_live : Prop := forall plan claim es w,
  allowed (meter_kind plan claim) es w -> lives_alike (meter plan) es.
Definition toll_lives_are_live : Prop := forall plan claim es w,
  allowed (toll_kind plan claim) es w -> lives_alike (toll plan) es.
Definition budget_lives_are_live : Prop := forall plan claim es w,
  allowed (budget_kind plan claim) es w -> lives_alike (both plan) es.
Definition classic_lives_are_live : Prop := forall plan claim es w,
  allowed (classic_kind plan claim) es w ->
  Z.of_nat (length (thresholds es)) <= classic_plan_limit plan /\
  forall more, lives_alike (classic plan (thresholds es ++ more)) es.
(* And the contracts allow every life: what runs can be called, with all that C's types can hold, and what was begun can be
   started again. *)
Definition is_callable (c : call) : Prop := match c with
  | Reserves _ n coin => is_number n /\ is_word coin
  | Asks Silences q coin => is_word coin /\ exists v, shown v q
  | Asks Answers q coin => is_word coin /\ exists d, faced d q
  | Closes _ => True end.
Definition never_stuck (K : kind) (sides : side -> Prop) : Prop :=
  forall es w, allowed K es w ->
  (forall c, running w = true -> is_callable c -> sides (match c with Reserves s _ _ | Asks s _ _ | Closes s => s end) ->
     exists m' r a, fits K m' /\ calls K c (now w) m' r a) /\
  (exists m', fits K m' /\ resumes K (now w) m' (on_disk w) FUMATA_OK).
Definition lives_go_on : Prop := forall claim,
  (forall plan, never_stuck (meter_kind plan claim) (eq Silences)) /\
  (forall plan, never_stuck (toll_kind plan claim) (eq Answers)) /\
  (forall plan, never_stuck (budget_kind plan claim) (fun _ => True)) /\
  (forall plan, never_stuck (classic_kind plan claim) (eq Silences)).
End Lives.
(* 6. A counter has one release, and nothing to start again from. An entry is a number, a coin, the status and what came out,
   the latest first. Only the first release gives a count, it can always be called, and the noise is certified. *)
Inductive counted (noise : fumata_noise) (sensitivity : Z) (claim : fumata_claim) :
  list (Z * Z * Z * Z) -> fumata_counter -> Prop :=
| Counts : forall c c', fumata_count_init_ensures c c' noise sensitivity claim FUMATA_OK ->
    counted noise sensitivity claim [] c'
| Releases : forall es c c' n coin y y' r, counted noise sensitivity claim es c -> is_word coin ->
    fumata_count_release_requires c n coin y -> fumata_count_release_ensures c c' n coin y y' r ->
    counted noise sensitivity claim ((n, coin, r, y') :: es) c'.
Definition released (es : list (Z * Z * Z * Z)) : list Z :=
  map (fun e => snd e) (filter (fun '(_, _, r, _) => r =? FUMATA_OK) (rev es)).
Definition counters_count_once : Prop := forall noise sensitivity claim es c, counted noise sensitivity claim es c ->
  FumataNoiseIsCertified noise sensitivity claim /\
  released es = match rev es with [] => [] | (n, coin, _, _) :: _ => [noisy_count noise n coin] end /\
  forall n coin y, is_word coin -> fumata_count_release_requires c n coin y /\
    exists c' y' r, fumata_count_release_ensures c c' n coin y y' r.
