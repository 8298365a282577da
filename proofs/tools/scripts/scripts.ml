(* Repeats the lives that scripts.c prints with the machines that Coq has extracted; every number has to be the same.
   Whether a plan is certified is not computed again: a start that C grants has to be one of a plan and a claim in order.
   Whether a counter's noise is, for the sensitivity that is asked for, is computed here as well. *)
open Machine
open Scripts_words

(* A script is about a meter, a toll or both in a budget, about classic, or about a count. *)
type machine =
  | Budget of fumata_budget_plan * fumata_claim * fumata_budget
  | Classic of fumata_classic_plan * fumata_claim * fumata_classic
  | Count of fumata_noise * fumata_claim * fumata_counter
  | None

let meter_state (m : fumata_meter) = [ m.meter_left; m.meter_reserved ]
let toll_state (t : fumata_toll) = [ t.toll_left; t.toll_reserved ]
let classic_state (c : fumata_classic) = [ c.classic_left; c.classic_reserved; c.classic_threshold ]
let verdict winner distance = { verdict_winner = hex winner; verdict_distance = hex distance }
let duel winner loser distance = { duel_winner = hex winner; duel_loser = hex loser; duel_distance = hex distance }
let untouched = decimal "-7"

(* The words of a line after its letter, without what came of it; then what came of it. *)
let meter_call line plan claim m words =
  let after (m, status) said = same line (status :: meter_state m) said; m in
  match words with
  | "s" :: left :: (status :: _ as said) -> after (meter_starts m plan claim (status = "0") (hex left)) said
  | "r" :: n :: said -> after (meter_pays m (hex n)) said
  | "c" :: said -> after (meter_ends m) said
  | "a" :: winner :: distance :: coin :: answer :: said ->
      let (m, given), status = meter_replies m (verdict winner distance) (hex coin) untouched in
      same line [ given ] [ answer ];
      after (m, status) said
  | _ -> failwith line

let toll_call line plan claim t words =
  let after (t, status) said = same line (status :: toll_state t) said; t in
  match words with
  | "t" :: left :: (status :: _ as said) -> after (toll_starts t plan claim (status = "0") (hex left)) said
  | "R" :: n :: said -> after (toll_pays t (hex n)) said
  | "C" :: said -> after (toll_ends t) said
  | "A" :: winner :: loser :: distance :: coin :: answer :: said ->
      let (t, given), status = toll_sells t (duel winner loser distance) (hex coin) untouched in
      same line [ given ] [ answer ];
      after (t, status) said
  | _ -> failwith line

let budget_call line plan claim b words =
  match words with
  | "b" :: silences :: answers :: meter :: toll :: (status :: _ as said) ->
      let b, found = budget_starts b plan claim (meter = "0") (toll = "0") (status = "0") (hex silences) (hex answers) in
      same line ((found :: meter_state b.budget_meter) @ toll_state b.budget_toll) said;
      b
  | ("s" | "r" | "c" | "a") :: _ ->
      { b with budget_meter = meter_call line plan.budget_plan_meter claim b.budget_meter words }
  | _ -> { b with budget_toll = toll_call line plan.budget_plan_toll claim b.budget_toll words }

let classic_call line plan claim c words =
  let after (c, status) said = same line (status :: classic_state c) said; c in
  match words with
  | "s" :: left :: (status :: _ as said) -> after (classic_starts c plan claim true (status = "0") (hex left)) said
  | "r" :: coin :: said -> after (classic_pays c (hex coin)) said
  | "c" :: said -> after (classic_ends c) said
  | "a" :: winner :: distance :: coin :: answer :: said ->
      let (c, given), status = classic_replies c (verdict winner distance) (hex coin) untouched in
      same line [ given ] [ answer ];
      after (c, status) said
  | _ -> failwith line

(* The accountant of a count takes a while, and the scripts have few tables. *)
let begun = Hashtbl.create 100

let count_begun c noise sensitivity claim =
  let key = (noise, sensitivity, claim) in
  if not (Hashtbl.mem begun key) then Hashtbl.add begun key (count_begins c noise sensitivity claim);
  let started, status = Hashtbl.find begun key in
  ((if number status = 0L then started else c), status)

let count_call line noise claim c words =
  let after (c, status) said = same line [ status; c.counter_reserved ] said; c in
  match words with
  | "s" :: sensitivity :: said -> after (count_begun c noise (hex sensitivity) claim) said
  | "p" :: count :: coin :: noisy :: said ->
      let (c, given), status = count_releases c (hex count) (hex coin) untouched in
      same line [ given ] [ noisy ];
      after (c, status) said
  | _ -> failwith line

let begin_budget words =
  let silence, silences, rest = table_and words in
  let named, answers, rest = table_and rest in
  let meter = { meter_plan_silence = silence; meter_plan_limit = hex silences } in
  let toll = { toll_plan_named = named; toll_plan_limit = hex answers } in
  Budget
    ( { budget_plan_meter = meter; budget_plan_toll = toll }, claim_of rest,
      { budget_meter = { meter_plan = meter; meter_left = Z0; meter_reserved = Z0 };
        budget_toll = { toll_plan = toll; toll_left = Z0; toll_reserved = Z0 } } )

let begin_classic words =
  let threshold, first, rest = table_and words in
  let query, first', rest = table_and rest in
  match rest with
  | width :: limit :: rest ->
      let plan = { classic_plan_threshold = { noise_cdf = threshold; noise_first = decimal first };
                   classic_plan_query = { noise_cdf = query; noise_first = decimal first' };
                   classic_plan_width = decimal width; classic_plan_limit = hex limit } in
      Classic (plan, claim_of rest, { classic_plan = plan; classic_threshold = Z0; classic_left = Z0; classic_reserved = Z0 })
  | _ -> failwith "a plan"

let begin_count words =
  let cdf, first, rest = table_and words in
  let noise = { noise_cdf = cdf; noise_first = decimal first } in
  Count (noise, claim_of rest, { counter_noise = noise; counter_reserved = Z0 })

let step machine line =
  match (words_of line, machine) with
  | "M" :: words, _ -> incr scripts; begin_budget words
  | "N" :: words, _ -> incr scripts; begin_classic words
  | "K" :: words, _ -> incr scripts; begin_count words
  | [ "x" ], machine -> machine
  | words, Budget (plan, claim, b) -> Budget (plan, claim, budget_call line plan claim b words)
  | words, Classic (plan, claim, c) -> Classic (plan, claim, classic_call line plan claim c words)
  | words, Count (noise, claim, c) -> Count (noise, claim, count_call line noise claim c words)
  | _, None -> failwith line

let () = run_all step None
