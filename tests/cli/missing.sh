#!/bin/sh
# A few cells that say NA leave a column of numbers a column of numbers; how each column was read is said, from the
# public file alone.
. "$(dirname "$0")/common"

# people COUNT SEED SPELLING: six numbers and a label; one cell in a thousand or so is the spelling
people() {
  awk -v n="$1" -v seed="$2" -v na="$3" 'BEGIN {
    srand(seed); print "a,b,c,d,e,f,sick"
    for (i = 0; i < n; i++) { sum = 0; line = ""
      for (j = 0; j < 6; j++) { x = 100 * rand(); sum += (j % 2 ? 1 : -1) * x
        line = line sprintf(i % 1000 == 100 * j + 7 ? na "," : "%.1f,", x) }
      print line (sum > 0 ? "yes" : "no") } }'
}
people 3000 3 0 >test.csv

# learn DIR SPELLING [OPTION...]: prints how often the student is right
learn() {
  out=$1 na=$2
  shift 2
  people 12000 1 "$na" >private.csv
  people 4000 2 "$na" >public.csv
  rm -f private.csv.ledger*
  "$FUMATA" learn --private private.csv --public public.csv --label sick --classes no,yes --epsilon 4 --delta 1e-5 \
    --teachers 120 --test test.csv -o "$out" --unsafe-seed 1 "$@" >said 2>err || complain "$na: $(cat err)"
  sed -n 's/^the student is right on \([0-9.]*\) .*/\1/p' said
}

plain=$(learn plain 50)
for na in NA '?' NULL nan '' N/A None -; do
  right=$(learn "na-$na" "$na" || true)
  grep -q '12 features' said || complain "'$na' makes of six numbers: $(grep features said)"
  awk -v a="$plain" -v b="$right" 'BEGIN { exit !(a - b < 3) }' || complain "'$na': right on $right % instead of $plain %"
  grep -q '"a" *number, [0-9.e-]* to [0-9.]*; 4 missing' said || complain "'$na': not said how a was read: $(cat said)"
  grep -q WARNING err && complain "'$na': a warning about nothing: $(cat err)"
  rm -rf "na-$na"
done

# A spelling that is not known is said loudly, with what to do; and that helps.
learn odd unknown >/dev/null
grep -q 'WARNING: public.csv: column "a" is numbers but for 4 of 4000 cells, so it was read as categories; the first of them is "unknown" in line 9; if that means missing: --missing "unknown"' err ||
  complain "no warning: $(cat err)"
grep -q '"a" *category.*LOOK' said || complain "the column is not marked: $(cat said)"
right=$(learn told unknown --missing unknown,-99)
grep -q '12 features' said || complain "--missing unknown: $(grep features said)"
awk -v a="$plain" -v b="$right" 'BEGIN { exit !(a - b < 3) }' || complain "--missing: right on $right % instead of $plain %"
learn only NA --missing-only >/dev/null
grep -q '12 features' said && complain "--missing-only knows NA"
# The model remembers what is missing.
people 300 5 unknown | sed 1,8d >rest.csv
{ head -n 1 test.csv; cat rest.csv; } >new.csv
"$FUMATA" predict --model told/student.model new.csv >labels 2>err || complain "the model has forgotten: $(cat err)"
"$FUMATA" predict --strict --model plain/student.model new.csv >labels 2>err && complain "unknown is a number"
grep -q 'new.csv:[0-9]*:[0-9] ("[a-f]"): the cell is not a number' err || complain "$(cat err)"

exit "$failed"
