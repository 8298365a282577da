(* What both repeaters of scripts share: numbers, tables and claims out of the words of a line, and the run over all lines. *)
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

(* A table with its length before it, a number after it, and the rest. *)
let table_and words =
  match words with
  | size :: rest -> (
      match entries (int_of_string size) rest with
      | table, number :: rest -> (table, number, rest)
      | _ -> failwith "a table")
  | [] -> failwith "a table"

let claim_of words =
  match List.map hex words with
  | [ en; ed; dn; dd; alpha; v; u ] ->
      { claim_epsilon_num = en; claim_epsilon_den = ed; claim_delta_num = dn; claim_delta_den = dd; claim_alpha = alpha;
        claim_v = v; claim_u = u }
  | _ -> failwith "a claim"

(* Every line, from what it begins with. *)
let run_all step none =
  let rec run state =
    match input_line stdin with line -> incr lines; run (step state line) | exception End_of_file -> ()
  in
  run none;
  Printf.printf "%d scripts of calls, %d lines: Coq's machines and C's are the same\n" !scripts !lines

let words_of line = List.filter (( <> ) "") (String.split_on_char ' ' line)
