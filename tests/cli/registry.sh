#!/bin/sh
# A second ledger for a private file, or a copy of the file, is noticed and said; the report speaks of this ledger only.
. "$(dirname "$0")/common"

clinic 1600 1 >clinic.csv
clinic 300 2 >public.csv
learn() { "$FUMATA" learn --public public.csv --label sick --classes no,yes --delta 1e-3 --teachers 80 --epsilon 8 --silences 5 "$@"; }
quiet() { if grep -q 'not counted here' err; then complain "$*: $(cat err)"; fi; }

expect 0 written learn --private clinic.csv -o a
quiet "the first ledger"
expect 0 written learn --private clinic.csv -o b
quiet "the same ledger"
expect 0 'second: the private file has a ledger of its own, clinic.csv.ledger: what was spent there' learn --private clinic.csv --ledger second -o c
cp clinic.csv copy.csv
expect 0 "copy.csv: the same bytes have another ledger, $work/.*: what was spent there" learn --private copy.csv -o d
FUMATA_REGISTRY=off
export FUMATA_REGISTRY
cp clinic.csv third.csv
expect 0 written learn --private third.csv -o e
quiet "switched off"
unset FUMATA_REGISTRY
[ "$(stat -c %a tmp.state/fumata/key tmp.state/fumata/registry | sort -u)" = 600 ] || complain "others may read the registry"
grep -q third.csv tmp.state/fumata/registry && complain "noted though switched off"
[ "$(wc -l <tmp.state/fumata/registry)" -eq 2 ] || complain "$(cat tmp.state/fumata/registry)"
expect 0 '' "$FUMATA" report a -o a.html
grep -q 'All runs in this ledger together' a.html || complain "the report speaks of more than its ledger"

exit "$failed"
