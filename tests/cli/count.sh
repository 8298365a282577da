#!/bin/sh
# How many private records there are is private too: what the planner goes by is said by the operator, or counted with
# noise that is paid for out of the budget; the number itself comes out nowhere.
. "$(dirname "$0")/common"

clinic 4777 1 >clinic.csv
clinic 300 2 >public.csv
learn() { "$FUMATA" learn --private clinic.csv --public public.csv --label sick --classes no,yes --delta 1e-3 "$@"; }
summary() { python3 -c 'import json, sys; print(json.load(open(sys.argv[1])).get(sys.argv[2], ""))' "$@"; }
fresh() {
  rm -f clinic.csv.ledger*
  learn "$@"
}
# hidden FOLDER: neither the number of records, nor of units, nor what can be divided by a teacher's share
# (but for the count with noise, which may happen to be right).
hidden() {
  ! cat out "$1"/summary.json "$1"/plan "$1"/labels.csv | grep -v -e '^about ' -e '"counted"' | grep -wE '4777|2389' >found ||
    complain "the count is out: $(cat found)"
}

# By default: two hundredths of epsilon and delta, out of the budget, for a count with noise.
expect 0 'about [0-9]* records, counted with noise for epsilon 0.16 and delta 2e-5 of the budget' fresh --epsilon 8 -o o1
hidden o1
[ "$(summary o1/summary.json count_epsilon)" = 0.16 ] || complain "the summary does not state the count's epsilon"
[ "$(summary o1/summary.json count_delta)" = 2e-5 ] || complain "nor its delta"
[ "$(summary o1/summary.json epsilon)" = 7.84 ] || complain "the plan does not have the rest"
[ "$(summary o1/summary.json total_epsilon)" = 8 ] || complain "the sum is not what was asked for"
counted=$(summary o1/summary.json counted)
[ "$counted" -gt 4477 ] && [ "$counted" -lt 5077 ] || complain "a strange count: $counted"
expect 0 'epsilon   8 spent, total 8' "$FUMATA" ledger show clinic.csv.ledger
expect 0 'charge .*epsilon 4/25 delta 1/50000 count of units' "$FUMATA" ledger show --rows clinic.csv.ledger
! grep -v ' count ' out | grep -qwE '4777|2389' || complain "the ledger shows the count"
for seed in 1 2 3; do
  expect 0 'about' fresh --epsilon 8 --unsafe-seed $seed -o seed$seed
  summary seed$seed/summary.json counted
done | sort -u >counts
[ "$(wc -l <counts)" -gt 1 ] || complain "three counts, no noise: $(cat counts)"
expect 0 'about .* units, counted' fresh --epsilon 8 --unit person -o o4
counted=$(summary o4/summary.json counted)
[ "$counted" -gt 2089 ] && [ "$counted" -lt 2689 ] || complain "not the units were counted: $counted"
expect 0 'counted with noise for epsilon 0.16 ' fresh --epsilon 8 --estimate-error 1 -o o5
expect 0 'epsilon   9 spent, total 9' "$FUMATA" ledger show clinic.csv.ledger
expect 0 'counted with noise' fresh --epsilon 8 --silences 3 -o o6

# The same command again goes on: with the count that was paid for, and so with the plan that has silences left.
expect 0 'counted with noise' fresh --epsilon 8 --silences 80 -o r1
expect 0 'about [0-9]* records, counted and paid for by an earlier run' learn --epsilon 8 --silences 80 -o r2
[ "$(summary r1/summary.json counted)" = "$(summary r2/summary.json counted)" ] || complain "another count"
[ "$(summary r2/summary.json count_epsilon)$(summary r2/summary.json epsilon)" = 07.84 ] || complain "paid again"
cmp -s r1/plan r2/plan || complain "another plan"
expect 0 'epsilon   8 spent, total 8' "$FUMATA" ledger show clinic.csv.ledger
expect 0 'count  *[0-9]* records' "$FUMATA" ledger show --rows clinic.csv.ledger
# So does an estimate of the error: it is paid for once.
expect 0 'estimated on half of the private records for epsilon 1 more' fresh --epsilon 8 --teachers 80 --estimate-error 1 -o e1
expect 0 'estimated and paid for by an earlier run' learn --epsilon 8 --teachers 80 --estimate-error 1 -o e2
[ "$(summary e1/summary.json estimated_error)" = "$(summary e2/summary.json estimated_error)" ] || complain "another estimate"
[ "$(summary e2/summary.json estimate_epsilon)" = 0 ] || complain "the estimate is paid for again"
cmp -s e1/plan e2/plan || complain "another plan"
expect 0 'epsilon   9 spent, total 9' "$FUMATA" ledger show clinic.csv.ledger
expect 1 'this run adds epsilon 10' learn --epsilon 8 --teachers 80 --estimate-error 2 -o bad
expect 1 'this run adds epsilon 9' learn --epsilon 8 --teachers 90 --estimate-error 1 -o bad
expect 0 'counted with noise' fresh --epsilon 8 --silences 80 -o r0
# Of units, or of another version of the file, it says nothing.
expect 1 'this run adds epsilon 8' learn --epsilon 8 --silences 80 --unit person --mix-neighbours -o bad
clinic 4700 5 | sed 1d >>clinic.csv
expect 0 'counted with noise' learn --epsilon 8 --silences 80 --same-data-set --raise-total -o r3
clinic 4777 1 >clinic.csv

# What the operator says costs nothing, and nothing is counted.
free() {
  ! grep -q counted out || complain "counted though it was said: $(cat out)"
  [ "$(summary "$1"/summary.json epsilon)$(summary "$1"/summary.json count_epsilon)" = 8 ] || complain "paid for a count: $1"
  hidden "$1"
}
expect 0 'written' fresh --epsilon 8 --about 4500 -o f1 && free f1
expect 0 'written' fresh --epsilon 8 --teachers 80 -o f2 && free f2
expect 0 'written' fresh --epsilon 8 --teachers 80 --silences 3 --unit person -o f3 && free f3
expect 0 'written' fresh --epsilon 8 --about 4500 --estimate-error 1 -o f4 && free f4
expect 2 '--about: .0. is not a whole number' learn --epsilon 8 --about 0 -o bad

# Many records of few people are few units.
awk 'NR == 1 { print; next } { sub(/^p[0-9]*/, "p" NR % 30); print }' clinic.csv >crowd.csv
expect 1 'units are too few for this epsilon' "$FUMATA" learn --private crowd.csv --public public.csv --label sick \
  --classes no,yes --delta 1e-3 --epsilon 8 --unit person --voters teachers -o bad
expect 1 'too few' fresh --epsilon 8 --about 30 --voters teachers -o bad
expect 1 'too few private records for this epsilon' fresh --epsilon 0.05 --about 30 -o bad
[ ! -e clinic.csv.ledger ] || complain "a plan for too few units was paid for"

exit $failed
