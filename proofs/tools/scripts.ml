(* Repeats the lives that scripts.c prints with the machines that Coq has extracted; every number has to be the same.
   Whether a plan is certified is not computed again: a start that C grants has to be one of a plan and a claim in order. *)
open Machine

let rec positive n =
  if n = 1L then XH
  else
    let half = positive (Int64.shift_right_logical n 1) in
    if Int64.logand n 1L = 1L then XI half else XO half

let unsigned n = if n = 0L then Z0 else Zpos (positive n)
let signed n = if n < 0L then Zneg (positive (Int64.neg n)) else unsigned n

let rec of_positive = function
  | XH -> 1L
  | XO p -> Int64.shift_left (of_positive p) 1
  | XI p -> Int64.succ (Int64.shift_left (of_positive p) 1)

let number = function Z0 -> 0L | Zpos p -> of_positive p | Zneg p -> Int64.neg (of_positive p)
let hex word = unsigned (Int64.of_string ("0x" ^ word))
let decimal word = signed (Int64.of_string word)
let lines = ref 0
let scripts = ref 0

let differ line = Printf.printf "line %d differs from Coq's machine: %s\n" !lines line; exit 1

(* n entries in hexadecimal, and the words after them. *)
let rec entries n words =
  match (n, words) with
  | 0, rest -> ([], rest)
  | n, word :: rest -> let table, left = entries (n - 1) rest in (hex word :: table, left)
  | _, [] -> failwith "a short table"

let same line found said = if List.map number found <> List.map Int64.of_string said then differ line

(* One call of either machine: the words of the line after its letter, without what came of it. *)
type machine = Meter of fumata_meter_plan * fumata_claim * fumata_meter | Classic of fumata_classic_plan * fumata_classic | None

let meter_state (m : fumata_meter) = [ m.meter_left; m.meter_reserved ]
let classic_state (c : fumata_classic) = [ c.classic_left; c.classic_reserved; c.classic_threshold ]
let verdict winner distance = { verdict_winner = hex winner; verdict_distance = hex distance }

let meter_call line plan claim m words =
  let after (m, status) said = same line (status :: meter_state m) said; Meter (plan, claim, m) in
  match words with
  | "s" :: left :: (status :: _ as said) -> after (meter_starts m plan claim (status = "0") (hex left)) said
  | "r" :: said -> after (meter_pays m) said
  | "c" :: said -> after (meter_ends m) said
  | "a" :: winner :: distance :: coin :: answer :: said ->
      let (m, given), status = meter_replies m (verdict winner distance) (hex coin) (decimal "-7") in
      same line [ given ] [ answer ];
      after (m, status) said
  | _ -> failwith line

let classic_call line plan c words =
  let after (c, status) said = same line (status :: classic_state c) said; Classic (plan, c) in
  match words with
  | "s" :: left :: (status :: _ as said) -> after (classic_starts c plan (status = "0") (hex left)) said
  | "r" :: coin :: said -> after (classic_pays c (hex coin)) said
  | "c" :: said -> after (classic_ends c) said
  | "a" :: winner :: distance :: coin :: answer :: said ->
      let (c, given), status = classic_replies c (verdict winner distance) (hex coin) (decimal "-7") in
      same line [ given ] [ answer ];
      after (c, status) said
  | _ -> failwith line

let noise words =
  match words with
  | size :: rest -> (
      match entries (int_of_string size) rest with
      | table, first :: rest -> ({ noise_cdf = table; noise_first = decimal first }, rest)
      | _ -> failwith "noise")
  | [] -> failwith "noise"

let begin_meter words =
  let table, rest = entries (int_of_string (List.hd words)) (List.tl words) in
  match List.map hex rest with
  | [ limit; en; ed; dn; dd; alpha; v ] ->
      let plan = { meter_plan_silence = table; meter_plan_limit = limit } in
      let claim = { claim_epsilon_num = en; claim_epsilon_den = ed; claim_delta_num = dn; claim_delta_den = dd;
                    claim_alpha = alpha; claim_v = v } in
      Meter (plan, claim, { meter_plan = plan; meter_left = Z0; meter_reserved = Z0 })
  | _ -> failwith "a plan"

let begin_classic words =
  let threshold, rest = noise words in
  let query, rest = noise rest in
  match rest with
  | [ width; limit ] ->
      let plan = { classic_plan_threshold = threshold; classic_plan_query = query; classic_plan_width = decimal width;
                   classic_plan_limit = hex limit } in
      Classic (plan, { classic_plan = plan; classic_threshold = Z0; classic_left = Z0; classic_reserved = Z0 })
  | _ -> failwith "a plan"

let step machine line =
  incr lines;
  match (List.filter (( <> ) "") (String.split_on_char ' ' line), machine) with
  | "M" :: words, _ -> incr scripts; begin_meter words
  | "C" :: words, _ -> incr scripts; begin_classic words
  | [ "x" ], machine -> machine
  | words, Meter (plan, claim, m) -> meter_call line plan claim m words
  | words, Classic (plan, c) -> classic_call line plan c words
  | _, None -> failwith line

let () =
  let rec run machine = match input_line stdin with line -> run (step machine line) | exception End_of_file -> () in
  run None;
  Printf.printf "%d scripts of calls, %d lines: Coq's machines and C's are the same\n" !scripts !lines
