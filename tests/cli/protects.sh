#!/bin/sh
# shellcheck disable=SC2119,SC2120 # show takes options or none
# The ledger knows what it protects: a plan goes on for the same neighbours only, claims about different ones do not add up unasked,
# and a release with known coins is never forgotten.
. "$(dirname "$0")/common"

clinic 1600 1 >clinic.csv
clinic 300 2 >public.csv
awk 'BEGIN { print "no,yes"; for (i = 0; i < 60; i++) print i % 3 ? "0,300" : "300,0" }' >two.csv
learn() { "$FUMATA" learn --private clinic.csv --label sick --classes no,yes --delta 1e-3 --teachers 80 --epsilon 8 --silences 5 "$@"; }
pool() { learn --public public.csv "$@"; }
# shellcheck disable=SC2120 # expect passes some
show() { "$FUMATA" ledger show clinic.csv.ledger "$@"; }

expect 0 written pool -o a
expect 0 '^protects  records$' show
expect 0 ' plan 1 .* protects records' show --rows
[ "$(value a/summary.json private)" = true ] || complain "not private: $(cat a/summary.json)"
# Other neighbours: refused before anything is spent, and not the same plan when that is meant.
# shellcheck disable=SC2119
show >before
expect 1 'what was spent here protects records, and this run units of person: these do not add up' pool --unit person -o bad
expect 1 'protects records, and this run labels' learn --label-private -o bad
expect 1 'protects records, and this run votes' "$FUMATA" answer --votes two.csv --classes no,yes --epsilon 3 --delta 1e-4 \
  --answers 10 --ledger clinic.csv.ledger
# shellcheck disable=SC2119
show | cmp -s - before || complain "spent by a run that was refused"
expect 1 'adds epsilon 8' pool --unit person --mix-neighbours -o bad
expect 0 written pool --unit person --mix-neighbours --raise-total -o b
expect 0 'and others: the sum of what was spent is not a claim' show
expect 0 '"mixes_neighbours": true' show --json
[ "$(value b/summary.json asked)" -gt 0 ] && ! grep -q 'taken up' out || complain "answers for other neighbours are taken up"
expect 0 '' "$FUMATA" report b -o b.html
grep -q 'protect different things' b.html || complain "the report adds up what has no sum"

# Coins that are known taint the ledger for ever.
rm -rf clinic.csv.ledger* a b
expect 0 written pool --unsafe-seed 1 -o a
expect 0 'NOT PRIVATE: something was released with --unsafe-seed' show
expect 0 written pool --again --raise-total -o b
expect 0 'NOT PRIVATE: something was released with --unsafe-seed' show
expect 0 '"private": false' show --json
[ "$(value b/summary.json private)" = false ] || complain "the total is said to be private: $(cat b/summary.json)"
# Also where a plan with coins of its own is gone on with.
rm -rf clinic.csv.ledger* a b
toll() { "$FUMATA" answer --votes - --votes-are counts --classes no,yes --epsilon 3 --delta 1e-4 --answers 500 --ledger l "$@" <two.csv; }
expect 0 '60 answers' toll
expect 0 '"private": true' "$FUMATA" ledger show --json l
expect 0 '60 answers' toll --unsafe-seed 4
expect 0 '"private": false' "$FUMATA" ledger show --json l
expect 0 '^protects  votes$' "$FUMATA" ledger show l

exit "$failed"
