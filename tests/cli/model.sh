#!/bin/sh
# What is in a student: shown by name, and as JSON that NumPy alone turns into the same labels and probabilities; columns
# passed through, JSON lines.
. "$(dirname "$0")/common"

# people COUNT SEED: numbers, a long tail, categories, missing cells, three kinds of people
people() {
  awk -v n="$1" -v seed="$2" 'BEGIN {
    srand(seed); print "age,gain,ward,score,kind"
    split("north south east", ward, " "); split("low mid high", kind, " ")
    for (i = 0; i < n; i++) { a = 20 + 60 * rand(); w = int(3 * rand()); s = rand(); g = rand() < 0.99 ? 10 * rand() : 5000 * rand()
      k = a + 20 * w + 20 * s; k = k < 60 ? 1 : k < 85 ? 2 : 3
      printf "%s,%d,%s,%.3f,%s\n", (i % 40 ? sprintf("%.1f", a) : "NA"), g, (i % 53 ? ward[w + 1] : ""), s, kind[k] } }'
}
people 6000 1 >private.csv
people 1500 2 >public.csv
people 400 3 >test.csv
sed 's/,mid$/,high/' private.csv >private2.csv
sed 's/north/west/' test.csv >new.csv # a category that was never seen

# learn DIR PRIVATE CLASSES [OPTION...]
learn() {
  out=$1 private=$2 classes=$3
  shift 3
  rm -f ledger*
  "$FUMATA" learn --private "$private" --public public.csv --label kind --classes "$classes" --epsilon 8 --delta 1e-3 \
    --mechanism meter --teachers 60 --silences 60 --ledger ledger -o "$out" "$@" >said 2>&1 || complain "$out: $(cat said)"
}

# same DIR: NumPy and Fumata say the same of every record, and are as sure
same() {
  "$FUMATA" model show "$1/student.model" --json -o "$1/student.json" || complain "$1: no JSON"
  "$here/shell/examples/read_model.py" "$1/student.json" new.csv >"$1/numpy.csv" 2>err || complain "$1: $(cat err)"
  "$FUMATA" predict --model "$1/student.model" --proba new.csv >"$1/fumata.csv" 2>err || complain "$1: $(cat err)"
  python3 - "$1/fumata.csv" "$1/numpy.csv" <<'END' || complain "$1: NumPy says otherwise"
import csv, sys
mine, theirs = ([*csv.reader(open(path))] for path in sys.argv[1:])
assert mine[0] == theirs[0], (mine[0], theirs[0])
assert len(mine) == len(theirs) == 401, (len(mine), len(theirs))
for a, b in zip(mine[1:], theirs[1:]):
    shares = [float(x) for x in a[2:]]
    assert abs(sum(shares) - 1) < 1e-5 and all(abs(x - float(y)) < 1e-4 for x, y in zip(shares, b[2:])), (a, b)
    close = sorted(shares)[-1] - sorted(shares)[-2] < 1e-5
    assert a[1] == b[1] or close, (a, b)
    assert mine[0][2 + shares.index(max(shares))] == "p_" + a[1] or close, a
assert len({row[1] for row in mine[1:]}) > 1, "a student that says one thing only proves nothing"
END
}

learn three private.csv low,mid,high --unsafe-seed 1
same three
learn two private2.csv low,high
same two
learn standard private.csv low,mid,high --features standard
same standard
learn pca private2.csv low,high --features standard+pca:5
same pca
learn committee private.csv low,mid,high --student committee:15
same committee

# The text: learner, classes, columns, weights by name, digest.
expect 0 '^learner   logistic:' "$FUMATA" model show two/student.model
for line in '^classes   low,high$' '"age" *number, 20.* to ' '"gain" *number.*logarithm' '"ward" *category, 3 values: ' \
  '^weights: above 0 in all is high, else low' '^ *[+][0-9.]*  age$' '  ward = north$' '(always)'; do
  grep -q -e "$line" out || complain "nothing like '$line' in: $(cat out)"
done
digest=$(tail -c 65 two/student.model)
grep -q "^digest    $digest\$" out || complain "another digest than the file's"
head -c -72 two/student.model | sha256sum | grep -q "^$digest" || complain "not the digest of what is above it"

# Trees are sure, too; a support vector machine is not.
learn trees private.csv low,mid,high --student trees
"$FUMATA" predict --model trees/student.model --proba new.csv >out || complain "trees have no probabilities"
awk -F , 'NR > 1 { s = $3 + $4 + $5; m = $3 >= $4 && $3 >= $5 ? "low" : $4 >= $5 ? "mid" : "high"
  if (s < 0.9999 || s > 1.0001 || m != $2) exit 1 }' out || complain "trees: the label is not the likeliest"
learn trees2 private2.csv low,high --student trees
"$FUMATA" predict --model trees2/student.model --proba new.csv >out || complain "trees have no probabilities"
awk -F , 'NR > 1 { if ($3 + $4 < 0.9999 || ($4 > $3) != ($2 == "high")) exit 1 }' out || complain "two trees disagree"
"$FUMATA" model show trees/student.model --json >trees.json || complain "trees are not shown"
python3 -c 'import json; assert json.load(open("trees.json"))["xgboost"]["learner"]' || complain "not xgboost's own text"
learn kernel private.csv low,mid,high --student kernel:C=10,landmarks=40
expect 0 'at 40 landmarks' "$FUMATA" model show kernel/student.model
same kernel
learn svm private.csv low,mid,high --student svm
expect 2 'an svm has no probabilities' "$FUMATA" predict --model svm/student.model --proba new.csv -o bad

# Columns passed through, whatever is quoted in them.
{ echo 'note,age,gain,ward,score'; awk -F , 'NR > 1 { printf "\"say \"\"%d\"\", now\",%s,%s,%s,%s\n", NR, $1, $2, $3, $4 }' new.csv; } >wide.csv
"$FUMATA" predict --model two/student.model --with-columns --proba wide.csv -o labelled.csv || complain "--with-columns fails"
python3 - <<'END' || complain "--with-columns: not the same columns and labels"
import csv
wide, labelled, plain = ([*csv.reader(open(path))] for path in ("wide.csv", "labelled.csv", "two/fumata.csv"))
assert labelled[0] == wide[0] + ["predicted", "p_low", "p_high"], labelled[0]
assert len(labelled) == len(wide)
for a, b, c in zip(labelled[1:], wide[1:], plain[1:]):
    assert a == b + c[1:], (a, b, c)
END
expect 2 'adds a column "predicted", and there is one already' "$FUMATA" predict --model two/student.model --with-columns labelled.csv -o bad
expect 2 'exclude each other' "$FUMATA" predict --model two/student.model --with-columns --json new.csv -o bad
"$FUMATA" predict --model two/student.model --json --proba new.csv >lines.json || complain "--json fails"
python3 - <<'END' || complain "--json: not the same labels"
import csv, json
plain = [*csv.reader(open("two/fumata.csv"))][1:]
lines = [json.loads(line) for line in open("lines.json")]
assert [(str(l["id"]), l["label"]) for l in lines] == [(r[0], r[1]) for r in plain]
assert all(abs(l["p"]["low"] - float(r[2])) < 1e-6 for l, r in zip(lines, plain))
END
expect 0 '"accuracy": 0\.[89]' "$FUMATA" predict --model three/student.model --score --json test.csv

expect 2 'give fumata model show FILE' "$FUMATA" model
expect 2 'give fumata model show FILE' "$FUMATA" model draw two/student.model
expect 2 'not a student model' "$FUMATA" model show test.csv
expect 2 'this is an input' "$FUMATA" model show two/student.model --force -o two/student.model

exit "$failed"
