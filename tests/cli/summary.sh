#!/bin/sh
# summary.json of runs of every kind: every key is of its type and in the manual, no key of the manual is never written.
. "$(dirname "$0")/common"

clinic 4000 1 >private.csv
clinic 600 2 >public.csv
clinic 400 3 >test.csv
# learn NAME OPTION...
learn() {
  name=$1
  shift
  "$FUMATA" learn --label sick --classes no,yes --delta 1e-5 --epsilon 4 --ledger "$name.ledger" -o "$name" "$@" >said 2>&1 ||
    complain "$name: $(cat said)"
}
both() { learn "$@" --private private.csv --public public.csv; }
both poll
both tested --test test.csv
both balanced --aim balanced --unit person --test test.csv
both toll --voters teachers --test test.csv
both meter --voters teachers --mechanism meter --teachers 100 --silences 20 --about 4000
both svm --voters teachers --student svm --test test.csv --total-epsilon 8 --total-delta 1e-4
both unit --unit person --voters teachers
both estimate --voters teachers --estimate-error 0.5
both compared --test test.csv --unsafe-compare
both seeded --unsafe-seed 1
learn labels --label-private --private private.csv
sed 's/,no$/,yes/' private.csv >one.csv
learn one --private one.csv --public public.csv
python3 "$here/tests/cli/summary_schema.py" "$here/tests/cli/summary_schema.json" "$here/shell/man/fumata-report.1" ./*/summary.json >faults ||
  complain "$(cat faults)"
# What is not so is found.
spoil() { # WHAT PATTERN SED
  sed "$3" tested/summary.json >spoiled.json
  cmp -s spoiled.json tested/summary.json && complain "$1: nothing was spoiled"
  python3 "$here/tests/cli/summary_schema.py" "$here/tests/cli/summary_schema.json" "$here/shell/man/fumata-report.1" ./*/summary.json spoiled.json >faults &&
    complain "$1 is not found"
  grep -q -e "$2" faults || complain "$1: $(cat faults)"
}
spoil 'an unknown key' 'tset_accuracy is not in the schema' 's/"tested"/"tset_accuracy"/'
spoil 'a share above 1' 'test_accuracy: .* out of range' 's/"test_accuracy": 0/"test_accuracy": 1/'
spoil 'an unknown judgement' 'judgement: .* is not one of' 's/"judgement": "[a-z ]*"/"judgement": "good"/'
spoil 'a missing key' 'total_epsilon is missing' '/"total_epsilon"/d'
spoil 'a text for a number' 'is not integer' 's/"labels": \([0-9]*\)/"labels": "\1"/'

exit "$failed"
