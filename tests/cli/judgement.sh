#!/bin/sh
# A student that is worth nothing is said to be so, loudly, from released labels and public test records; a good one is not.
. "$(dirname "$0")/common"

clinic 4000 1 >private.csv
clinic 600 2 >public.csv
clinic 600 3 >test.csv

# learn WANTED PRIVATE PUBLIC [OPTION...]: the judgement in the summary, and WARNING on stderr unless it is fine
learn() {
  wanted=$1 private=$2 public=$3
  shift 3
  rm -rf o ledger*
  "$FUMATA" learn --private "$private" --public "$public" --label sick --classes no,yes --epsilon 4 --delta 1e-5 --teachers 100 \
    --mechanism meter --silences 20 --ledger ledger -o o --unsafe-seed 1 "$@" >said 2>err || complain "$(cat err)"
  [ "$(value o/summary.json judgement)" = "$wanted" ] || complain "not judged '$wanted': $(grep judgement o/summary.json)"
  if [ "$wanted" = fine ]; then
    grep -q WARNING err && complain "a warning about a good student: $(cat err)"
  else
    grep -q 'to try: ' err || complain "$wanted: not said what to try: $(cat err)"
  fi
}

learn fine private.csv public.csv --test test.csv
learn fine private.csv public.csv

# Public records of one kind only.
awk -F , 'NR == 1 || $4 == "no"' public.csv >one.csv
awk -F , 'NR == 1 || $2 < 155' one.csv >low.csv
learn 'one class' private.csv low.csv
grep -q 'WARNING: all [0-9]* labels are "no", and that is all the student says; do not use it' err || complain "$(cat err)"

# Labels that cannot be learned: coins.
awk -F , -v OFS=, 'BEGIN { srand(7) } NR > 1 { $4 = rand() < 0.5 ? "yes" : "no" } { print }' private.csv >coins.csv
learn 'no labels' coins.csv public.csv
grep -q 'WARNING: no label was released' err || complain "$(cat err)"

# A test file that says the contrary, as a mistake in --classes would.
sed 's/,yes$/,x/; s/,no$/,yes/; s/,x$/,no/' test.csv >contrary.csv
learn 'below the majority' private.csv public.csv --test contrary.csv
grep -q 'WARNING: the student is right on [0-9.]* % of the test records; always saying "[noyes]*" would be on [0-9.]* %' err ||
  complain "$(cat err)"
# --quiet does not hide it.
learn 'below the majority' private.csv public.csv --test contrary.csv --quiet
grep -q WARNING err || complain "--quiet hides a warning"

exit "$failed"
