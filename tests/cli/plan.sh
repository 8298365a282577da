#!/bin/sh
# fumata plan and fumata certify, as an operator meets them.
. "$(dirname "$0")/common"

expect 0 'usage: fumata plan' "$FUMATA" plan --help
expect 0 'usage: fumata certify' "$FUMATA" certify --help

# A plan, its file, its certificate.
expect 0 'meter plan, certified by the core: epsilon 1, delta 1e-5, 20 silences' \
  "$FUMATA" plan --epsilon 1 --delta 1e-5 --silences 20 --compare -o one.plan
grep -q 'silence falls to 5 % at distance *130 ' out || complain "the distance of 5 % is not 130"
grep -q 'w 3379' out || complain "the paper's width is missing"
[ "$(head -1 one.plan)" = 'fumata-plan 3' ] || complain "no version line"
expect 0 'one.plan: certified: meter, epsilon 1, delta 1e-5, 20 silences' "$FUMATA" certify one.plan
expect 0 'certified' "$FUMATA" certify one.plan --epsilon 1.01 --delta 1.1e-5
expect 1 'one.plan: not certified: the total exceeds delta' "$FUMATA" certify one.plan --epsilon 0.99
expect 1 'one.plan: not certified: the total exceeds delta' "$FUMATA" certify --delta 9.5e-6 one.plan
tail -1 one.plan | grep -q "^end $(sed '$d' one.plan | sha256sum | cut -d' ' -f1)\$" || complain "end is not sha256sum's"

# Rivals are shown when they are asked for, and only then; no line ends in blanks.
for kind in '--silences 20' '--answers 400' '--votes-per-record 10'; do
  # shellcheck disable=SC2086
  expect 0 'certified by the core' "$FUMATA" plan --epsilon 1 --delta 1e-5 $kind
  if grep -q 'et al\.\|Gauss\|sigma' out; then complain "rivals without --compare: $kind"; fi
  if grep -q ' $' out; then complain "blanks at the end of a line: $kind"; fi
  # shellcheck disable=SC2086
  expect 0 'certified by the core' "$FUMATA" plan --epsilon 1 --delta 1e-5 $kind --compare
  grep -q 'et al\.\|Gauss' out || complain "no rivals with --compare: $kind"
done

# The same question, the same file.
"$FUMATA" plan --epsilon 1 --delta 1e-5 --silences 20 -o two.plan >/dev/null
cmp -s one.plan two.plan || complain "two runs, two plans"

# A stranger's plan: well formed, signed, not private.
resign() { # BODY on stdin
  cat >body
  { cat body; echo "end $(sha256sum <body | cut -d' ' -f1)"; } >forged.plan
}
sed '$d' one.plan | awk '$1 == 60 && NF == 2 { printf "60 %.0f\n", $2 * 0.98; next } { print }' | resign
expect 1 'forged.plan: not certified: silence falls too fast between distances 59 and 60' "$FUMATA" certify forged.plan
sed '$d' one.plan | sed 's/^silences .*/silences 21/' | resign
expect 1 'forged.plan: not certified: the total exceeds delta' "$FUMATA" certify forged.plan
sed '$d' one.plan | sed 's/^alpha .*/alpha 1/' | resign
expect 1 'out of range' "$FUMATA" certify forged.plan
sed '$d' one.plan | sed 's/^70 .*/70 0/' | resign
expect 1 'the table is zero or rises at distance 7[01]' "$FUMATA" certify forged.plan
sed '$d' one.plan | sed 's/^silences .*/silences 0/' | resign
expect 1 'number of silences is out of range' "$FUMATA" certify forged.plan

# Damage: the file, the line, the cause.
head -c 3000 one.plan >cut.plan
expect 2 '^fumata: cut.plan:[0-9]*: .*cut short' "$FUMATA" certify cut.plan
sed '$d' one.plan >cut.plan
expect 2 "^fumata: cut.plan:405: the file ends here without its 'end' line" "$FUMATA" certify cut.plan
sed 's/^100 ./100 7/' one.plan >bad.plan
expect 2 '^fumata: bad.plan:[0-9]*: ' "$FUMATA" certify bad.plan
sed 's/^alpha 14/alpha 15/' one.plan >bad.plan
expect 2 '^fumata: bad.plan:405: the checksum differs' "$FUMATA" certify bad.plan
sed '1s/3/1/' one.plan >bad.plan
expect 2 '^fumata: bad.plan:1: a version' "$FUMATA" certify bad.plan
sed '/^200 /d' one.plan >bad.plan
expect 2 '^fumata: bad.plan:208: a line of the table is missing' "$FUMATA" certify bad.plan
{ cat one.plan; echo more; } >bad.plan
expect 2 "text after the 'end' line" "$FUMATA" certify bad.plan
head -c 2000 /dev/urandom >bad.plan
expect 2 '^fumata: bad.plan:1: ' "$FUMATA" certify bad.plan
expect 2 'missing.plan: cannot read' "$FUMATA" certify missing.plan
expect 2 'one plan file' "$FUMATA" certify
expect 2 'one plan file' "$FUMATA" certify one.plan two.plan

# What is left open is solved for.
expect 0 'meter plan' "$FUMATA" plan --epsilon 1 --delta 1e-5 --teachers 250
grep -q ', 8 silences' out || complain "250 teachers do not pay 8 silences: $(head -1 out)"
expect 0 'epsilon 2.61' "$FUMATA" plan --delta 1e-5 --silences 100 --teachers 250
expect 1 '20 teachers are too few' "$FUMATA" plan --epsilon 1 --delta 1e-5 --teachers 20

# Classic.
expect 0 'classic plan' "$FUMATA" plan --epsilon 1 --delta 1e-5 --silences 20 --mechanism classic -o classic.plan
expect 0 'classic.plan: certified: classic' "$FUMATA" certify classic.plan
expect 0 'classic plan, certified by the core: epsilon 0.35' \
  "$FUMATA" plan --epsilon 1 --delta 1e-5 --silences 20 --paper -o paper.plan
expect 0 'paper.plan: certified: classic' "$FUMATA" certify paper.plan
expect 0 'certified' "$FUMATA" certify paper.plan --epsilon 1
expect 1 'Theorem C' "$FUMATA" certify paper.plan --epsilon 0.34
sed '$d' paper.plan | awk '/^table threshold/ { print; getline; print $1, 0; next } { print }' | resign
expect 1 'the threshold noise has an unbounded ratio at outcome' "$FUMATA" certify forged.plan
sed '$d' paper.plan | awk '/^table query/ { print; getline; lowest = $1; print $1, 0; print lowest >"lowest"; next } { print }' | resign
expect 1 "the query noise has an unbounded ratio at outcome $(cat lowest) " "$FUMATA" certify forged.plan

# The toll: answers are paid for, each one of two candidates.
expect 0 'toll plan, certified by the core: epsilon 1, delta 1e-5, 400 answers' \
  "$FUMATA" plan --epsilon 1 --delta 1e-5 --answers 400 --compare -o toll.plan
grep -q 'winner is named 95 % at distance  *9[56] ' out || complain "the winner is not named 95 % at distance 96: $(cat out)"
grep -q 'Algorithm 1): sigma 98.0; the core certifies it at epsilon 0.637' out || complain "the second paper is missing"
expect 0 'toll.plan: certified: toll, epsilon 1, delta 1e-5, 400 answers' "$FUMATA" certify toll.plan
expect 1 'the total exceeds delta (Theorem T)' "$FUMATA" certify toll.plan --epsilon 0.99
sed '$d' toll.plan | sed 's/^answers .*/answers 401/' | resign
expect 1 'the total exceeds delta (Theorem T)' "$FUMATA" certify forged.plan
sed '$d' toll.plan | awk '$1 == 40 && NF == 2 { printf "40 %.0f\n", $2 * 1.005; next } { print }' | resign
expect 1 'named too much more often at distance 40 than at 39 (Theorem T)' "$FUMATA" certify forged.plan
sed '$d' toll.plan | sed 's/^40 .*/40 9223372036854775807/' | resign
expect 1 'toll table is below one half or falls at distance 40' "$FUMATA" certify forged.plan
sed '$d' toll.plan | sed 's/^answers .*/answers 0/' | resign
expect 1 'number of answers is out of range' "$FUMATA" certify forged.plan
sed '$d' toll.plan | sed 's/^u .*/u 4294967295/' | resign
expect 1 'out of range' "$FUMATA" certify forged.plan
sed '$d' toll.plan | sed 's/^answers .*/silences 5\n&/' | resign
expect 2 "^fumata: forged.plan:7: expected 'answers NUMBER', found 'silences 5'" "$FUMATA" certify forged.plan
sed '$d' one.plan | sed 's/^mechanism .*/mechanism toll/' | resign
expect 2 "^fumata: forged.plan:6: expected 'u NUMBER'" "$FUMATA" certify forged.plan
expect 0 'toll plan.*, 436 answers' "$FUMATA" plan --epsilon 1 --delta 1e-5 --teachers 250 --mechanism toll
expect 0 'toll plan' "$FUMATA" plan --delta 1e-5 --answers 436 --teachers 250
grep -q 'epsilon 1, ' out || complain "250 teachers and 436 answers do not cost epsilon 1: $(head -1 out)"
expect 1 '3 teachers are too few: even with one answer' "$FUMATA" plan --epsilon 1 --delta 1e-5 --teachers 3 --mechanism toll

# Both kinds in one budget; neither alone pays for it.
expect 0 'both plan, certified by the core: epsilon 1, delta 1e-5, 20 silences and 400 answers' \
  "$FUMATA" plan --epsilon 1 --delta 1e-5 --silences 20 --answers 400 -o both.plan
expect 0 'both.plan: certified: both, epsilon 1, delta 1e-5, 20 silences and 400 answers' "$FUMATA" certify both.plan
expect 1 'the total exceeds delta (Theorem J)' "$FUMATA" certify both.plan --epsilon 0.99
for more in 'silences 21' 'answers 401'; do
  sed '$d' both.plan | sed "s/^${more% *} .*/$more/" | resign
  expect 1 'the total exceeds delta (Theorem J)' "$FUMATA" certify forged.plan
done

# The poll: private records vote, each at most B times.
expect 0 'poll plan, certified by the core: epsilon 0.5, delta 1e-5, 10 votes per record' \
  "$FUMATA" plan --epsilon 0.5 --delta 1e-5 --votes-per-record 10 -o poll.plan
grep -q 'one record (or unit) added or removed' out || complain "the poll's neighbours are missing"
grep -q 'one record changed it is epsilon 1, delta 2.65e-05' out || complain "what the claim says of a changed record"
# leads EPSILON VOTES MOST: where the answer is right 75, 90 and 95 times in 100; the second is MOST at most, JSON says the same
leads() {
  expect 0 'poll plan' "$FUMATA" plan --epsilon "$1" --delta 1e-5 --votes-per-record "$2"
  said=$(sed -n 's/^the answer is right \(75\|90\|95\) % at a lead of  *\([0-9]*\)$/\2/p' out | paste -sd ' ')
  echo "$said" | awk -v most="$3" '{ exit !(NF == 3 && $1 < $2 && $2 < $3 && $2 <= most) }' ||
    complain "epsilon $1, $2 votes: leads of $said, where 90 % should need $3 at most"
  "$FUMATA" plan --epsilon "$1" --delta 1e-5 --votes-per-record "$2" --json >plan.json || complain "--json of a poll"
  /usr/bin/python3 -c 'import json, sys; p = json.load(open("plan.json")); lead = p["right_lead"]
assert "%d %d %d" % (lead["75"], lead["90"], lead["95"]) == sys.argv[1] and p["votes_per_record"] == int(sys.argv[2])
assert p["certified"] and p["mechanism"] == "poll" and p["neighbours"] == "one record added or removed"
assert "gauss" not in p and "silences" not in p and "answers" not in p' "$said" "$2" || complain "no good JSON: $(cat plan.json)"
}
leads 0.5 10 25
leads 0.5 40 49
leads 1 10 13
leads 1 40 26
"$FUMATA" plan --epsilon 0.5 --delta 1e-5 --votes-per-record 10 --compare --json >plan.json || complain "--compare --json of a poll"
/usr/bin/python3 -c 'import json; p = json.load(open("plan.json")); assert p["changed"] == {"epsilon": "1", "delta": 2.65e-05}
assert p["gauss"]["sigma"] > 15 and p["gauss"]["right_lead"]["90"] >= p["right_lead"]["90"]' || complain "no good JSON of a compared poll"
[ "$(head -2 poll.plan)" = "$(printf 'fumata-plan 3\nmechanism poll')" ] || complain "a poll does not say that it is one"
grep -qx 'votes 10' poll.plan || complain "a poll's file does not say its votes"
expect 0 'poll.plan: certified: poll, epsilon 0.5, delta 1e-5, 10 votes per record' "$FUMATA" certify poll.plan
expect 0 '"mechanism": "poll", "epsilon": "0.5", "delta": "1e-5", "votes_per_record": 10}' "$FUMATA" certify poll.plan --json
expect 1 'the total exceeds delta (Theorem N)' "$FUMATA" certify poll.plan --epsilon 0.49
sed '$d' poll.plan | sed 's/^votes .*/votes 11/' | resign
expect 1 'the total exceeds delta (Theorem N)' "$FUMATA" certify forged.plan
for votes in 0 65536 4294967295; do
  sed '$d' poll.plan | sed "s/^votes .*/votes $votes/" | resign
  expect 1 'the number of votes is out of range' "$FUMATA" certify forged.plan
done
sed '$d' poll.plan | awk '$1 == 12 && NF == 2 { printf "12 %.0f\n", $2 * 1.01; next } { print }' | resign
expect 1 'the answer is right too much more often at a lead of 12 than at 11 (Theorem N)' "$FUMATA" certify forged.plan
sed '$d' poll.plan | sed 's/^40 .*/40 9223372036854775807/' | resign
expect 1 'the poll table is below one half or falls at a lead of 40' "$FUMATA" certify forged.plan
sed '$d' poll.plan | sed 's/^mechanism .*/mechanism toll/' | resign
expect 2 "^fumata: forged.plan:7: expected 'answers NUMBER', found 'votes 10'" "$FUMATA" certify forged.plan
expect 0 'poll plan, certified by the core: epsilon 1,' \
  "$FUMATA" plan --epsilon 1 --delta 1e-5 --votes-per-record 40 --constants gauss
expect 0 ', 1 vote per record' "$FUMATA" plan --epsilon 1 --delta 1e-5 --mechanism poll --votes-per-record 1
expect 0 'fumata_toll_plan clinic_plan = {clinic_plan_named, [0-9]*u, 10u}' "$FUMATA" plan --epsilon 1 --delta 1e-5 --votes-per-record 10 --c --name clinic
grep -q 'fumata_claim clinic_claim = ' out || complain "--name leaves the claim without"
expect 2 "is not a name in C" "$FUMATA" plan --epsilon 1 --delta 1e-5 --silences 20 --c --name 2nd
expect 2 "--name is for --c: add --c" "$FUMATA" plan --epsilon 1 --delta 1e-5 --silences 20 --name clinic
for kind in '--silences 20' '--answers 20' '--silences 20 --answers 20' '--silences 20 --mechanism classic' '--votes-per-record 10'; do
  for name in one two; do
    # shellcheck disable=SC2086 # options
    "$FUMATA" plan --epsilon 1 --delta 1e-5 $kind --c --name $name || complain "--c --name: $kind"
  done >two.c
  cc -std=c99 -Wall -Wno-unused-const-variable -Werror -iquote "$here/core" -fsyntax-only two.c || complain "two plans in one program: $kind"
done
expect 0 'fumata_toll_plan plan = {plan_named, [0-9]*u, 10u}' "$FUMATA" plan --epsilon 1 --delta 1e-5 --votes-per-record 10 --c
# No votes of teachers are answered by it, and nothing is charged for the attempt.
printf '0,1,1\n0,0,1\n' >votes.csv
expect 2 'a poll plan does not answer votes of teachers' \
  "$FUMATA" answer --votes votes.csv --classes a,b --plan poll.plan --ledger bad.ledger

# Options that do not go with a poll.
for option in '--silences 5' '--answers 5' '--teachers 250' '--agreement 0.8' '--silence 0.1' '--named 0.8' '--queries 100' \
  '--classes 3' '--error-rate 0.1' '--margin 0.05,0.2' '--about 1000' '--advise'; do
  # shellcheck disable=SC2086
  expect 2 "^fumata: ${option%% *} is not for a poll" "$FUMATA" plan --epsilon 1 --delta 1e-5 --votes-per-record 10 $option
done
expect 2 '--votes-per-record is for a poll: leave it out of a meter plan' "$FUMATA" plan --epsilon 1 --delta 1e-5 --votes-per-record 10 --mechanism meter
expect 2 '--constants liu: not of a poll plan' "$FUMATA" plan --epsilon 1 --delta 1e-5 --votes-per-record 10 --constants liu
expect 2 '--constants bassily: not of a poll plan' "$FUMATA" plan --epsilon 1 --delta 1e-5 --votes-per-record 10 --paper
expect 2 'a poll needs --votes-per-record B' "$FUMATA" plan --epsilon 1 --delta 1e-5 --mechanism poll
expect 2 'a poll needs --epsilon E' "$FUMATA" plan --delta 1e-5 --votes-per-record 10
expect 2 'a poll needs --delta D' "$FUMATA" plan --epsilon 1 --votes-per-record 10
expect 2 '--votes-per-record' "$FUMATA" plan --epsilon 1 --delta 1e-5 --votes-per-record 0
expect 2 '--votes-per-record' "$FUMATA" plan --epsilon 1 --delta 1e-5 --votes-per-record 65536
expect 1 'no plan keeps .* with 10 votes per record' "$FUMATA" plan --epsilon 1/4294967295 --delta 1e-5 --votes-per-record 10
expect 2 '--compare and --c' "$FUMATA" plan --epsilon 1 --delta 1e-5 --votes-per-record 10 --compare --c

# The second paper's constants, and Gaussian noise at its best.
expect 0 'classic plan, certified by the core: epsilon 0.722' \
  "$FUMATA" plan --epsilon 1 --delta 1e-5 --silences 20 --constants liu -o liu2.plan
expect 0 'certified: classic' "$FUMATA" certify liu2.plan
expect 0 'toll plan, certified by the core: epsilon 0.637' \
  "$FUMATA" plan --epsilon 1 --delta 1e-5 --answers 400 --constants liu -o liu1.plan
expect 0 'certified: toll' "$FUMATA" certify liu1.plan
expect 0 'toll plan, certified by the core: epsilon 1,' "$FUMATA" plan --epsilon 1 --delta 1e-5 --answers 400 --constants gauss

# JSON that a machine can read.
for more in "--teachers 250" "--mechanism classic" "--paper"; do
  # shellcheck disable=SC2086
  "$FUMATA" plan --epsilon 1 --delta 1e-5 --silences 20 $more --compare --json >plan.json || complain "--json $more"
  /usr/bin/python3 -c 'import json; p = json.load(open("plan.json")); assert p["certified"] and p["paper"]["width"] > 3000
assert p["distance"]["50"] < p["distance"]["5"] < p["distance"]["1"]' || complain "no good JSON with $more"
done

"$FUMATA" plan --epsilon 1 --delta 1e-5 --silences 20 --answers 400 --teachers 500 --compare --json >plan.json || complain "--json of both"
/usr/bin/python3 -c 'import json; p = json.load(open("plan.json")); assert p["silences"] == 20 and p["answers"] == 400
assert p["named_distance"]["75"] < p["named_distance"]["95"] < p["distance"]["5"] and p["named_agreeing"]["75"] < 1
assert p["liu"]["sigma"] > 90 and p["liu"]["named_certified_epsilon"] == "0.637" and p["liu"]["width"] > 2500
assert p["liu"]["named_distance"]["95"] == 162 and "sigma" not in p["paper"]' || complain "no good JSON of both kinds"

# Wrong options.
expect 2 'no option' "$FUMATA" plan --epsilno 1
expect 2 '--epsilon needs a value' "$FUMATA" plan --epsilon
expect 2 "'abc'" "$FUMATA" plan --epsilon abc --delta 1e-5 --silences 20
expect 2 '--epsilon' "$FUMATA" plan --epsilon -1 --delta 1e-5 --silences 20
expect 2 '--delta' "$FUMATA" plan --epsilon 1 --delta 1 --silences 20
expect 2 '--silences' "$FUMATA" plan --epsilon 1 --delta 1e-5 --silences 0
expect 2 '--silences' "$FUMATA" plan --epsilon 1 --delta 1e-5 --silences 1000001
expect 2 '--silences' "$FUMATA" plan --epsilon 1 --delta 1e-5 --silences 2.5
expect 2 '--silences is missing' "$FUMATA" plan --epsilon 1 --delta 1e-5
expect 2 '--delta is missing' "$FUMATA" plan --epsilon 1 --silences 5
expect 2 'is not one of meter, toll, both, poll, classic' "$FUMATA" plan --epsilon 1 --delta 1e-5 --silences 5 --mechanism median
expect 2 '--answers' "$FUMATA" plan --epsilon 1 --delta 1e-5 --answers 0
expect 2 '--answers' "$FUMATA" plan --epsilon 1 --delta 1e-5 --answers 1000001
expect 2 '--answers: a meter plan does not have them' "$FUMATA" plan --epsilon 1 --delta 1e-5 --answers 5 --mechanism meter
expect 2 '--answers: a classic plan does not have them' "$FUMATA" plan --epsilon 1 --delta 1e-5 --silences 5 --answers 5 --paper
expect 2 '--silences: a toll plan does not have them' "$FUMATA" plan --epsilon 1 --delta 1e-5 --silences 5 --mechanism toll
expect 2 'needs --silences and --answers' "$FUMATA" plan --epsilon 1 --delta 1e-5 --silences 5 --mechanism both
expect 2 '--constants liu: not of a both plan' "$FUMATA" plan --epsilon 1 --delta 1e-5 --silences 5 --answers 5 --constants liu
expect 2 '--constants gauss: not of a meter plan' "$FUMATA" plan --epsilon 1 --delta 1e-5 --silences 5 --constants gauss
expect 2 '--epsilon is missing' "$FUMATA" plan --delta 1e-5 --silences 5 --answers 5 --teachers 100
expect 2 '--answers is missing' "$FUMATA" plan --epsilon 1 --delta 1e-5 --mechanism toll
expect 2 'not expected' "$FUMATA" plan --epsilon 1 --delta 1e-5 --silences 5 extra
expect 2 '--agreement' "$FUMATA" plan --epsilon 1 --delta 1e-5 --teachers 250 --agreement 0.4
expect 1 'no plan keeps' "$FUMATA" plan --epsilon 1 --delta 1e-19 --silences 20
expect 3 'cannot write' "$FUMATA" plan --epsilon 1 --delta 1e-5 --silences 20 -o /proc/none/one.plan
if [ -w /dev/full ]; then
  "$FUMATA" plan --epsilon 1 --delta 1e-5 --silences 20 >/dev/full 2>err
  [ $? = 3 ] || complain "a full standard output was not noticed"
fi
[ -z "$(find . -name 'one.plan.*')" ] || complain "a temporary file was left behind"

# --advise: what epsilons buy, from what a user says; no epsilon is advised, and what is missing is asked for in one line.
advise() { "$FUMATA" plan --advise --delta 1e-5 --about 20000 --classes 2 --queries 5000 "$@"; }
expect 0 'is your decision' advise
[ "$(grep '^epsilon' out | tr '\n' ' ')" = 'epsilon 0.25 epsilon 0.5 epsilon 1 epsilon 2 ' ] || complain "other epsilons: $(cat out)"
[ "$(grep -c '^  poll      [0-9]* questions to about [0-9]* records each, [0-9]* votes per record; right 75, 90, 95 % at a lead of' out)" = 4 ] ||
  complain "no polls: $(cat out)"
if grep -q 'advised\|err in' out; then complain "advice out of thin air: $(cat out)"; fi
expect 0 'where 15 % err in [0-9.]* %' advise --error-rate 0.15
expect 0 'teachers  both, ' "$FUMATA" plan --advise --delta 1e-5 --about 50000 --classes 10 --queries 5000 --epsilon 2
expect 0 'too few for this epsilon' "$FUMATA" plan --advise --delta 1e-5 --about 200 --classes 2 --queries 500
advise --json >out || complain "--advise --json"
python3 -c 'import json; plans = json.load(open("out"))["plans"]
assert [p["epsilon"] for p in plans] == ["0.25", "0.5", "1", "2"]
leads = [p["poll"]["right_lead"] for p in plans]
assert all(l["75"] < l["90"] < l["95"] for l in leads) and all(p["poll"]["questions"] > 0 for p in plans)
assert plans[3]["teachers"]["answers"] > 0 and "fails" not in plans[3]["teachers"]' || complain "--advise --json: $(cat out)"
expect 2 '^fumata: --advise needs --delta D .*, --about N .*, --classes C .*, --queries M' "$FUMATA" plan --advise
expect 2 '^fumata: --advise needs --queries M (how many public records)$' "$FUMATA" plan --advise --delta 1e-5 --about 1000 --classes 2
expect 2 'leave out -o, --c and --compare' advise -o bad
# The papers' rules, by what the operator believes.
rules() { "$FUMATA" plan --epsilon 1 --delta 1e-5 "$@"; }
expect 0 'Theorem 3.2 .*: T = 367' rules --error-rate 0.1
expect 0 '367 silences' rules --error-rate 0.1
expect 0 'Proposition 11 .*: T = 73, K = 20833 teachers' rules --margin 0.05,0.2 --silences 20
expect 0 ' 73 silences' rules --margin 0.05,0.2
expect 0 'Theorem 15 .* L = 400 chosen queries: K = [0-9]* teachers' rules --answers 400 --about 10000
expect 0 '"proposition_11": {"silences": 73, "teachers": 20833}' rules --margin 0.05,0.2 --silences 20 --json
expect 0 '"theorem_15": {"teachers": [0-9]*}' rules --answers 400 --about 10000 --json
expect 2 'is not a share and a distance' rules --margin 0.05
expect 2 'is not a share and a distance' rules --margin 0.05,0.7

exit "$failed"
