(* Repeats the polls that scripts_poll.c prints with the machine that Coq has extracted; every number has to be the same.
   Whether a plan is certified is not computed again: a start that C grants has to be one of a plan and a claim in order. *)
open Machine
open Scripts_words

type script = Poll of fumata_toll_plan * fumata_claim * fumata_poll | Nothing

(* n numbers in decimal after `name n`, and the words after them. *)
let numbers name words =
  match words with
  | found :: n :: rest when found = name ->
      let rec take n words =
        match (n, words) with
        | 0, rest -> ([], rest)
        | n, word :: rest -> let taken, left = take (n - 1) rest in (decimal word :: taken, left)
        | _, [] -> failwith "too few numbers"
      in
      take (int_of_string n * if name = "voices" || name = "list" then 2 else 1) rest
  | _ -> failwith ("no " ^ name)

let rec pairs = function
  | a :: b :: rest -> let firsts, seconds = pairs rest in (a :: firsts, b :: seconds)
  | _ -> ([], [])

let question words =
  match numbers "weights" words with
  | weights, most :: radius :: rest ->
      ({ question_weights = weights; question_most = decimal most; question_radius = decimal radius }, rest)
  | _ -> failwith "a question"

let state (p : fumata_poll) = p.poll_uses @ p.poll_leads @ [ p.poll_asked; p.poll_stored; p.poll_answered ]

let call line plan claim (p : fumata_poll) words =
  let after (p, status) = function "=" :: said -> same line (status :: state p) said; p | _ -> failwith line in
  let begins start rest =
    let uses, rest = numbers "uses" rest in
    let leads, rest = numbers "leads" rest in
    match rest with
    | "=" :: status :: _ -> after (start { p with poll_uses = uses; poll_leads = leads } plan claim (status = "0")) rest
    | _ -> failwith line
  in
  match words with
  | "i" :: rest -> begins poll_starts rest
  | "r" :: rest -> begins poll_resumes rest
  | "v" :: rest ->
      let q, rest = question rest in
      let said, rest = numbers "voices" rest in
      let distances, labels = pairs said in
      after (poll_votes p q { voices_distances = distances; voices_labels = labels }) rest
  | "l" :: rest ->
      let q, rest = question rest in
      let asked, rest = numbers "list" rest in
      let units, labels = pairs asked in
      let size = decimal (string_of_int (List.length units)) in
      after (poll_votes_listed p q { list_units = units; list_labels = labels; list_size = size }) rest
  | "s" :: rest -> after (poll_stores p) rest
  | "a" :: coin :: yes :: rest ->
      let (p, given), status = poll_answers p (hex coin) (decimal "7") in
      same line [ given ] [ yes ];
      after (p, status) rest
  | "c" :: rest -> after (poll_clears p) rest
  | "e" :: rest -> after (poll_ends p) rest
  | _ -> failwith line

let step script line =
  match (words_of line, script) with
  | "P" :: words, _ ->
      incr scripts;
      let table, limit, rest = table_and words in
      let plan = { toll_plan_named = table; toll_plan_limit = hex limit } in
      Poll (plan, claim_of rest, { poll_plan = plan; poll_uses = []; poll_leads = []; poll_asked = Z0; poll_stored = Z0;
                                   poll_answered = Z0 })
  | words, Poll (plan, claim, p) -> Poll (plan, claim, call line plan claim p words)
  | _, Nothing -> failwith line

let () = run_all step Nothing
