#!/bin/sh
# No library says a word: whatever learner is asked for, of two private files that differ in one record, the only one of its class,
# the same stands on stderr byte for byte, and on stdout nothing that is not ours.
. "$(dirname "$0")/common"

# people COUNT SEED: two numbers, a colour and one of three labels; nobody is grave
people() {
  awk -v n="$1" -v seed="$2" 'BEGIN {
    srand(seed); print "height,weight,colour,state"; split("red green blue", colour, " ")
    for (i = 0; i < n; i++) { h = 150 + 50 * rand(); w = 40 + 80 * rand(); c = int(3 * rand())
      printf "%.2f,%.2f,%s,%s\n", h, w, colour[c + 1], (h + w > 260 ? "ill" : h > 170 ? "well" : "so") } }'
}
mkdir one other
people 900 1 >one/private.csv
{ cat one/private.csv; echo '199.00,119.00,blue,grave'; } >other/private.csv
people 200 2 >public.csv

# run FOLDER COMMAND...: stdout and stderr of a run beside the private file of that folder
run() {
  folder=$1
  shift
  rm -rf "$folder"/private.csv.ledger* "$folder/o"
  (cd "$folder" && "$FUMATA" "$@" --private private.csv --public ../public.csv --label state --classes so,well,ill,grave,gone \
    --epsilon 8 --delta 1e-3 --unsafe-seed 3 >stdout 2>stderr) || complain "$* fails in $folder: $(cat "$folder/stderr")"
}
# same NAME COMMAND...: one line on stderr, which is about the seed, in both folders; no line on stdout that a library wrote
same() {
  name=$1
  shift
  for folder in one other; do
    run $folder "$@"
    # What is said of the student is about released answers.
    sed -i -e '/^WARNING: the student/d' -e '/^to try: /d' "$folder/stderr"
    grep -i -e warning -e 'class label' -e liblinear -e xgboost -e openblas -e iter "$folder/stdout" && complain "$name: not ours on stdout"
  done
  cmp -s one/stderr other/stderr || complain "$name: stderr tells: $(diff one/stderr other/stderr | head -n 3)"
  [ "$(wc -l <one/stderr)" = 1 ] || complain "$name: more than the line about the seed: $(head -n 3 one/stderr)"
}

for learner in logistic logistic:balance=1 logistic:C=1e6,tolerance=1e-9,balance=0.5 svm svm:balance=1 trees:rounds=3 \
  trees:rounds=2,balance=1 kernel:landmarks=20 kernel:balance=1,landmarks=20 committee:3 committee:3,svm:balance=1 \
  committee:2,trees:rounds=2,balance=1; do
  same "teachers $learner" learn -q --teachers 60 --silences 4 --learner $learner -o o
done
for learner in logistic:balance=1 svm:balance=1 trees:rounds=3,balance=1 kernel:balance=1,landmarks=20; do
  same "student $learner" learn -q --about 900 --student $learner -o o
  same "answers of $learner" answer -q --teachers 60 --silences 4 --learner $learner ../public.csv
done
same "aim balanced" learn -q --about 900 --aim balanced -o o

exit "$failed"
