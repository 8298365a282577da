#!/bin/sh
# Every command has --json, --quiet and --verbose: one JSON object (or one a line) and nothing beside it; silence on
# standard output; or more.
. "$(dirname "$0")/common"

clinic 2000 1 >private.csv
clinic 300 2 >public.csv
learn() { # DIR [OPTION...]
  folder=$1
  shift
  rm -f ledger*
  "$FUMATA" learn --private private.csv --public public.csv --label sick --classes no,yes --epsilon 8 --delta 1e-3 --teachers 60 \
    --mechanism meter --silences 20 --ledger ledger -o "$folder" "$@" >out 2>err || complain "learn $*: $(cat err)"
}
# json KEY [LINES]: `out` is JSON that has the key, an object a line if LINES are expected
json() {
  python3 - "$@" <<'END' || complain "no JSON with $1: $(head -c 300 out)"
import json, sys
text = open("out").read()
objects = [json.loads(line) for line in text.splitlines()] if len(sys.argv) > 2 else [json.loads(text)]
assert all(sys.argv[1] in o for o in objects) and len(objects) == int(sys.argv[2] if len(sys.argv) > 2 else 1), objects
END
}

learn a --json
json judgement
[ ! -s err ] || complain "learn --json says: $(cat err)"
cmp -s out a/summary.json || complain "learn --json is not the summary"
learn b --quiet
[ ! -s out ] && [ ! -s err ] || complain "learn --quiet says: $(cat out err)"
learn c --verbose
grep -q '"height"' out || complain "learn --verbose says less"

awk 'BEGIN { for (q = 0; q < 10; q++) { for (t = 1; t < 300; t++) printf "yes,"; print "yes" }; for (t = 1; t < 300; t++) printf "%s,", t % 2 ? "yes" : "no"; print "no" }' >votes.csv
answer() {
  rm -f vl*
  "$FUMATA" answer --votes votes.csv --classes no,yes --epsilon 2 --delta 1e-5 --silences 5 --ledger vl "$@" >out 2>err || complain "$(cat err)"
}
answer --json
json answer 11
python3 - <<'END' || complain "answer --json: $(cat out)"
import json
lines = [json.loads(line) for line in open("out")]
assert [l["id"] for l in lines] == list(range(11)) and lines[0]["answer"] == "yes" and lines[10]["answer"] is None
END
answer --quiet
[ ! -s err ] || complain "answer --quiet says: $(cat err)"

"$FUMATA" plan --epsilon 1 --delta 1e-5 --silences 5 --json -o one.plan >out || complain "plan --json"
json epsilon
"$FUMATA" certify one.plan --json >out || complain "certify --json"
json certified
"$FUMATA" certify one.plan --epsilon 0.5 --json >out 2>err && complain "certify --json accepts"
json cause
"$FUMATA" ledger show vl --json >out || complain "ledger --json"
json spent_epsilon
"$FUMATA" model show a/student.model --json >out || complain "model --json"
json classes
"$FUMATA" predict --model a/student.model --json public.csv >out || complain "predict --json"
json label 300

for command in learn answer predict model plan certify ledger; do
  for option in --help --quiet --verbose --json; do
    "$FUMATA" $command --help | grep -q -e " $option" || complain "$command has no $option"
  done
done
exit "$failed"
