#!/bin/sh
# Public records that are private ones: without their label, in another order, written otherwise, or among others. Refused before
# anything is spent, in one line that is the operator's; and records that coincide by chance are not refused.
. "$(dirname "$0")/common"

clinic 2000 1 | cut -d, -f2- >private.csv
clinic 1500 2 | cut -d, -f2- >public.csv
clinic 400 3 | cut -d, -f2- >test.csv
mark='(private: do not publish this line)$'
learn() { "$FUMATA" learn --private private.csv --label sick --classes no,yes --epsilon 8 --delta 1e-3 "$@"; }

# refused OPTION FILE COMMAND...: nothing on stdout, no ledger, no results
refused() {
  option=$1 file=$2
  shift 2
  expect 2 "^fumata: $option $file: it and the private file have more records in common.*--anyway goes on) $mark" "$@"
  [ ! -s out ] || complain "something on stdout: $(cat out)"
  [ ! -e private.csv.ledger ] || complain "a ledger is left by $*"
}

cut -d, -f1,2 private.csv >unlabelled.csv
{ head -n 1 unlabelled.csv; sed 1d unlabelled.csv | shuf --random-source=/dev/zero; } >shuffled.csv
awk -F , '{ print "\"" $2 "\"," (NR > 1 ? $1 "0" : $1) }' shuffled.csv >rewritten.csv
{ head -n 1 private.csv; sed -n 2,101p private.csv; } >first.csv
{ cat test.csv; sed -n 2,201p private.csv; } >mixed.csv
for file in unlabelled shuffled rewritten first mixed; do
  refused --public $file.csv learn --public $file.csv -o bad
done
refused --public shuffled.csv learn --public shuffled.csv --voters teachers --teachers 60 -o bad
refused --public shuffled.csv "$FUMATA" answer --private private.csv --public shuffled.csv --label sick --classes no,yes --teachers 60 \
  --silences 5 --epsilon 8 --delta 1e-3 -o bad.csv test.csv
"$FUMATA" vote --new-key key >/dev/null 2>&1
refused --public shuffled.csv "$FUMATA" vote --private private.csv --public shuffled.csv --label sick --classes no,yes --teachers 60 \
  --share 1/2 --key key -o bad
{ head -n 1 private.csv; sed 1d private.csv | shuf --random-source=/dev/zero | head -n 300; } >held.csv
refused --test held.csv learn --public public.csv --test held.csv -o bad

# The operator may insist.
learn --public shuffled.csv --test held.csv --anyway -o o >said 2>&1 || complain "--anyway does not go on: $(cat said)"
rm -rf o private.csv.ledger

# Another sample of the same population is fine, as many as coincide: numbers, and categories alone.
learn --public public.csv --test test.csv -o o >said 2>&1 || complain "another sample is refused: $(cat said)"
rm -rf o private.csv.ledger
for file in private public test; do
  awk -F , '{ print $2 "," (NR > 1 ? int($1 / 10) % 3 ? "tall" : "small" : "size") "," $3 }' $file.csv >$file.few
done
"$FUMATA" learn --private private.few --public public.few --test test.few --label sick --classes no,yes --epsilon 8 --delta 1e-3 -o few \
  >said 2>&1 || complain "records of six kinds are refused: $(cat said)"

exit "$failed"
