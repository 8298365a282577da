#!/bin/sh
# Budgets whose bound says nothing, or that buy nothing, are refused before anything is spent, with numbers that would do.
. "$(dirname "$0")/common"

clinic 1600 1 >clinic.csv
clinic 300 2 >public.csv
learn() { "$FUMATA" learn --private clinic.csv --public public.csv --label sick --classes no,yes "$@"; }
answer() { "$FUMATA" answer --private clinic.csv --public public.csv --label sick --classes no,yes "$@" public.csv; }
unspent() { [ ! -e clinic.csv.ledger ] || { complain "a ledger was made: $*"; rm -f clinic.csv.ledger*; }; }

for command in "learn -o bad" "answer -o bad.csv"; do
  # shellcheck disable=SC2086
  run() { $command --teachers 100 "$@"; }
  expect 1 '^fumata: delta 0.01 .*1e-5.*--anyway' run --epsilon 2 --delta 1/100 --silences 3
  expect 1 '^fumata: delta 0.5 .*1e-5.*--anyway' run --epsilon 2 --delta 0.5 --silences 3
  expect 1 '^fumata: epsilon 20.5 .*8.*--anyway' run --epsilon 20.5 --delta 1e-5 --silences 3
  unspent "$command"
done
"$FUMATA" plan --epsilon 30 --delta 1e-5 --silences 20 -o loose.plan >/dev/null
"$FUMATA" plan --epsilon 2 --delta 0.02 --silences 20 -o lost.plan >/dev/null
"$FUMATA" plan --epsilon 1 --delta 1e-5 --silences 20 -o tight.plan >/dev/null
expect 1 'loose.plan: epsilon 30 .*--anyway' learn --plan loose.plan --teachers 100 -o bad
expect 1 'lost.plan: delta 0.02 .*--anyway' answer --plan lost.plan --teachers 100 -o bad.csv
expect 1 'epsilon 21 ' learn --epsilon 18 --estimate-error 3 --delta 1e-5 --teachers 100 -o bad

# Fewer teachers than any label needs: today that gives no label at all, and everything spent.
few='^fumata: 30 teachers are too few: even a unanimous vote would be silent [0-9]* % of the time; .* takes [0-9]* teachers'
expect 1 "$few.*--anyway" learn --epsilon 1 --delta 1e-5 --silences 20 --teachers 30 -o bad
expect 1 "$few.*--anyway" learn --plan tight.plan --teachers 30 -o bad
expect 1 "$few.*--anyway" answer --epsilon 1 --delta 1e-5 --silences 20 --teachers 30 -o bad.csv
expect 1 'or at most [0-9]* silences; --anyway' learn --epsilon 2 --delta 1e-5 --silences 900 --teachers 100 -o bad
most=$(sed -n 's/.*or at most \([0-9]*\) silences.*/\1/p' err)
takes=$(sed -n 's/.* takes \([0-9]*\) teachers.*/\1/p' err)
expect 1 'too few: even' learn --epsilon 1 --delta 1e-5 --estimate-error 1 --teachers 12 -o bad
python3 -c 'open("votes.csv", "w").write(",".join("t%d" % i for i in range(30)) + "\n" + (",".join(["a"] * 30) + "\n") * 9)'
expect 1 "$few" "$FUMATA" answer --votes votes.csv --classes a,b --plan tight.plan --ledger bad.ledger -o bad.csv
unspent teachers

# The numbers do, and whoever insists gets what was asked for.
expect 0 'written' learn --epsilon 2 --delta 1e-5 --silences "$most" --teachers 100 -o most
rm -f clinic.csv.ledger
expect 0 'written' learn --epsilon 2 --delta 1e-5 --silences 900 --teachers "$takes" -o takes
rm -f clinic.csv.ledger
expect 0 'written' learn --epsilon 30 --delta 0.02 --silences 3 --teachers 5 --anyway -o anyway
expect 0 '' "$FUMATA" answer --votes votes.csv --classes a,b --plan tight.plan --ledger v.ledger --anyway

# An estimate that asks for more silences than the teachers can pay gets as many as they can.
rm -f clinic.csv.ledger
clinic 1600 1 | awk -F, -v OFS=, 'NR > 1 { $4 = NR % 2 ? "yes" : "no" } { print }' >chance.csv
expect 0 'pay for' "$FUMATA" learn --private chance.csv --public public.csv --label sick --classes no,yes --epsilon 1 \
  --delta 1e-5 --estimate-error 1 --teachers 150 -o chance

exit $failed
