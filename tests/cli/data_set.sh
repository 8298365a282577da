#!/bin/sh
# One data set, one ledger: found beside the private file, tied to what is in it, and with a total that a run cannot pass
# unasked.
. "$(dirname "$0")/common"

clinic 1600 1 >clinic.csv
clinic 300 2 >public.csv
learn() { "$FUMATA" learn --public public.csv --label sick --classes no,yes --delta 1e-3 --teachers 80 "$@"; }
answer() {
  "$FUMATA" answer --public public.csv --label sick --classes no,yes --delta 1e-3 --teachers 80 "$@" public.csv
}
show() { "$FUMATA" ledger show "$@"; }

# The ledger of a private file lies beside it, whatever the folder of results, the range, the name or the command.
expect 0 'ledger: clinic.csv.ledger$' learn --private clinic.csv --epsilon 4 --silences 3 -o o1
[ -s clinic.csv.ledger ] || complain "no ledger beside the private file: $(ls)"
[ ! -e o1/ledger ] || complain "a second ledger in the folder of results"
expect 0 'answers that an earlier run paid for are taken up' learn --private clinic.csv --epsilon 4 --silences 3 -o o1b
cmp -s o1/labels.csv o1b/labels.csv || complain "the same command has other answers"
expect 1 "3 silences are spent" learn --private clinic.csv --epsilon 4 --silences 3 --learner svm -o bad
expect 1 'adds epsilon 4 and delta 0.001 to 4 and 0.001 spent.*total .*4 and 0.001; --raise-total' learn --private clinic.csv --epsilon 4 --silences 4 -o bad
ln -s clinic.csv link.csv
mkdir sub && ln -s ../link.csv sub/link2.csv
expect 1 'clinic.csv.ledger: .*--raise-total' learn --private sub/link2.csv --epsilon 4 --silences 4 -o bad
expect 1 'clinic.csv.ledger: .*--raise-total' learn --private clinic.csv@0:900 --epsilon 4 --silences 4 -o bad
expect 1 'clinic.csv.ledger: .*--raise-total' answer --private clinic.csv --epsilon 4 --silences 4 -o bad.csv
expect 1 'clinic.csv.ledger: .*--raise-total' answer --private clinic.csv@10: --epsilon 4 --silences 4 -o bad.csv
show clinic.csv.ledger >shown
grep -q 'epsilon   4 spent, total 4' shown && grep -q 'delta     0.001 spent, total 0.001' shown || complain "show: $(cat shown)"
expect 0 'written' learn --private clinic.csv --epsilon 2 --silences 4 --raise-total -o o2
expect 0 'epsilon   6 spent, total 6' show clinic.csv.ledger
expect 0 ' total .*epsilon 6/1 delta 1/500' show --rows clinic.csv.ledger
python3 - <<'END' || complain "the summary does not say what the ledger says: $(cat o2/summary.json)"
import json
said = json.load(open("o2/summary.json"))
assert said["epsilon"] == "2" and said["ledger_spent_epsilon"] == "6" and said["ledger_total_epsilon"] == "6", said
assert said["ledger_spent_delta"] == "0.002" and said["ledger_total_delta"] == "0.002", said
END
expect 0 'whole' "$FUMATA" ledger verify clinic.csv.ledger

# A total can be set; what fits under it needs no more words. The estimate is part of what a run adds.
clinic 1600 5 >other.csv
expect 0 'written' learn --private other.csv --epsilon 4 --silences 3 --total-epsilon 7 --total-delta 0.01 -o o3
expect 0 'written' learn --private other.csv --epsilon 3 --silences 3 -o o4
expect 0 'epsilon   7 spent, total 7' show other.csv.ledger
expect 2 'total epsilon of 7' learn --private other.csv --epsilon 4 --silences 3 --total-epsilon 9 -o bad
clinic 1600 6 >third.csv
expect 1 'adds epsilon 5 and delta .* to 0 and 0 spent.*total .*4 and ' learn --private third.csv --epsilon 4 --estimate-error 1 --total-epsilon 4 -o bad
[ ! -e third.csv.ledger ] || complain "a ledger was made for a run that was refused"
expect 0 'written' learn --private third.csv --epsilon 4 --estimate-error 1 -o o5
expect 0 'epsilon   5 spent, total 5' show third.csv.ledger

# A ledger knows its data set, and a run that was refused leaves neither rows nor files.
expect 1 'another data set than .*other.csv.*--same-data-set' learn --private other.csv --ledger clinic.csv.ledger --epsilon 4 \
  --silences 7 --raise-total -o bad
expect 1 'another data set' answer --private other.csv@0:5 --ledger clinic.csv.ledger --epsilon 4 --silences 7 -o bad.csv
{ cat clinic.csv; echo 'p9999,171.0,red,no'; } >grown && mv grown clinic.csv
before=$(show clinic.csv.ledger | sed -n 's/^head *//p')
expect 1 'another data set' learn --private clinic.csv --epsilon 3 --silences 4 --raise-total -o bad
[ "$before" = "$(show clinic.csv.ledger | sed -n 's/^head *//p')" ] || complain "a refused run wrote a row"
expect 0 'written' learn --private clinic.csv --epsilon 4 --silences 5 --raise-total --same-data-set -o o6
expect 0 'written' learn --private clinic.csv --epsilon 4 --silences 6 --raise-total -o o7
show --rows --json clinic.csv.ledger >rows.json
python3 - <<'END' || complain "rows of data: $(cat rows.json)"
import hashlib, json
rows = json.load(open("rows.json"))["rows"]
assert [r["kind"] for r in rows].count("data") == 2
assert all("mark" not in r for r in rows if r["kind"] in ("made", "data")), "a salt or a digest of private data is shown"
END

# No place for the default: one line asks for --ledger, and nothing was spent. Ready votes have no file to lie beside.
expect 2 '/proc/version.ledger.*--ledger FILE' learn --private /proc/version --epsilon 4 --silences 3 -o bad
expect 2 '--ledger FILE' learn --private - --epsilon 4 --silences 3 -o bad
mkdir old && cp o1/plan old/ledger
expect 2 'old/ledger.*--ledger' learn --private clinic.csv --epsilon 4 --silences 3 -o old
expect 2 '--ledger FILE is missing' "$FUMATA" answer --votes none.npy --classes a,b --plan o1/plan

exit $failed
