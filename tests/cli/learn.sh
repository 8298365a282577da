#!/bin/sh
# fumata learn, as an operator meets it: the whole way on small files, and what it says about wrong ones.
. "$(dirname "$0")/common"

clinic 1600 1 >private.csv
clinic 600 2 >public.csv
clinic 400 3 >test.csv

expect 0 'usage: fumata learn' "$FUMATA" learn --help
# Each run on a data set of its own, as it were: what several runs add up to is in data_set.sh.
alone() {
  rm -rf ./*.ledger* tmp.state # nor does the registry know of an earlier one
  "$FUMATA" learn "$@"
}
learn() { alone --private private.csv --public public.csv --label sick --classes no,yes --delta 1e-3 "$@"; }
six() { alone --label sick --delta 1e-3 --epsilon 8 --teachers 80 --silences 6 "$@"; }
usual() { six --private private.csv --public public.csv --classes no,yes "$@"; }

# The whole way.
expect 0 'the student is right on' usual --test test.csv -o one
[ -s private.csv.ledger ] || complain "there is no ledger"
for f in student.model labels.csv plan summary.json; do [ -s one/$f ] || complain "one/$f is missing"; done
strange=$(find one -type f ! -name student.model ! -name labels.csv ! -name plan ! -name summary.json)
[ -z "$strange" ] || complain "strange files: $strange"
[ "$(value one/summary.json private)" = true ] || complain "the summary does not say private"
[ "$(head -n 1 one/labels.csv)" = 'id,answer,kind' ] || complain "labels.csv has no header"
[ "$(grep -c ,silent one/labels.csv)" -le 6 ] || complain "more than 6 silences"
[ "$(value one/summary.json answered)" -eq "$(grep -c -e ',no,meter$' -e ',yes,meter$' one/labels.csv)" ] ||
  complain "the summary and labels.csv count differently"
sed 1d one/labels.csv | cut -d, -f1 | sort -nc 2>/dev/null || complain "labels.csv is not in order of id"
python3 -c 'import json; json.load(open("one/summary.json"))' || complain "summary.json is not JSON"
expect 0 'certified' "$FUMATA" certify one/plan
expect 0 'right on' "$FUMATA" predict --model one/student.model --score test.csv

# Enough silences for all public rows, so that chance has little to say: about 530 labels, 99 % of them the truth, and a
# student that is right on 96 %, each ten deviations or more above what is asked here.
expect 0 'the student is right on' learn --epsilon 20 --teachers 80 --silences 120 --test test.csv -o rich
awk -F'[:,]' '/"test_accuracy"/ { ok = $2 > 0.8 } END { exit !ok }' rich/summary.json || complain "a bad student: $(cat rich/summary.json)"
awk -F, 'NR == FNR { if (FNR > 1) truth[FNR - 2] = $4; next } FNR > 1 && $2 != "silent" { n++; right += truth[$1] == $2 }
  END { exit !(n > 400 && right > 0.9 * n) }' public.csv rich/labels.csv || complain "the labels are not those of the public rows"

# Results are never overwritten; a plan goes on in another folder until it is spent.
expect 2 'one/student.model: exists already' usual -o one
again() { usual --ledger kept --again "$@"; }
expect 0 'written' again -o first
expect 0 'answers that an earlier run paid for are taken up' usual --ledger kept -o again
expect 1 'silences are spent' usual --ledger kept --learner svm -o bad
expect 1 'adds epsilon 8' again -o bad
expect 0 'written' again --raise-total -o second
expect 2 'total epsilon' again --total-epsilon 9 -o bad

# Reproducible only when asked for, and then said to be not private.
expect 0 'NOT PRIVATE' usual --unsafe-seed 7 --test test.csv -o seed1
grep -q 'NOT PRIVATE' seed1/summary.json || complain "the summary of a seeded run does not say NOT PRIVATE"
expect 0 'NOT PRIVATE' usual --unsafe-seed 7 --test test.csv -o seed2
cmp -s seed1/labels.csv seed2/labels.csv && cmp -s seed1/student.model seed2/student.model || complain "a seed, two results"
usual -o free1 >out 2>&1; usual -o free2 >out 2>&1
cmp -s free1/labels.csv free2/labels.csv && complain "two private runs gave the same labels"

# Other learners, other rules for T, other treatment of silences.
expect 0 'written' usual --learner svm -o svm
expect 0 'written' usual --learner trees:rounds=5 --student logistic -o trees
expect 0 'written' usual --learner logistic:C=10,balance=0.5 --student committee:7,logistic:C=0.3,scale=1 --features range -o committee
grep -q 'committee:7,logistic:C=0.3' committee/summary.json || complain "the summary does not name the committee"
expect 0 'right on' "$FUMATA" predict --model committee/student.model --score test.csv
expect 0 'written' usual --silent-as random -o random
expect 0 'written' usual --silent-as drop -o drop
expect 0 'written' usual --unit person --features standard -o unit
[ "$(value unit/summary.json unit)" = person ] || complain "the summary does not name the unit"
near() { # FOLDER PROTECTS NEIGHBOURS: what the claim is about
  [ "$(value "$1/summary.json" protects), $(value "$1/summary.json" neighbours)" = "$2, $3" ] ||
    complain "the summary does not say what is protected: $(grep -e protects -e neighbours "$1/summary.json")"
}
near one records 'one record is added, removed or changed'
near unit units 'all records of one unit (person) are added, removed or changed'
expect 0 'pay for 11 silences' learn --epsilon 8 --teachers 80 --error-rate 0.002 -o rate
expect 0 'total epsilon 10' learn --epsilon 8 --teachers 60 --estimate-error 2 -o estimate
[ "$(value estimate/summary.json estimate_epsilon)" = 2 ] || complain "the summary does not state the estimate's epsilon"
expect 0 '10 spent' "$FUMATA" ledger show private.csv.ledger
expect 0 'labels' six --private private.csv --label-private --classes no,yes -o half
near half labels 'the label of one record is changed'
expect 0 'written' learn --epsilon 8 -o advised
planned() { alone --private private.csv --public public.csv --label sick --classes no,yes "$@"; }
expect 0 'written' planned --plan one/plan --teachers 80 -o planned
cat >learner <<'END'
#!/bin/sh
# The first label it saw, for ever.
export LC_ALL=C
if [ "$1" = train ]; then od -An -v -tu1 -j128 "$3" | awk '{ print $1; exit }' >"$4"; exit; fi
rows=$(head -c 128 "$2" | tr -d '\000' | sed -n "s/.*'shape': (\([0-9]*\),.*/\1/p")
awk -v n="$rows" -v l="$(cat "$3")" 'BEGIN { for (i = 0; i < n; i++) print l }' >"$4"
END
chmod +x learner
expect 0 'written' learn --epsilon 8 --teachers 30 --silences 2 --learner exec:./learner --student logistic -o exec
# Teachers that fail abstain. All of these do, on anything but the eight rows of the trial: no teacher votes, nothing is
# answered. (If they voted for the first class, all would be.)
cat >faint <<'END'
#!/bin/sh
grep -qa "'shape': (8, " "$2" || exit 1
exec ./learner "$@"
END
chmod +x faint
expect 0 'written' learn --epsilon 8 --teachers 30 --silences 2 --learner exec:./faint --student logistic -o faint.out
[ "$(grep -c ',silent,meter$' faint.out/labels.csv)" = 2 ] && [ "$(wc -l <faint.out/labels.csv)" = 3 ] ||
  complain "teachers that fail did not abstain: $(sort faint.out/labels.csv | uniq -c | head -n 3)"
expect 0 'written' learn --epsilon 8 --teachers 30 --silences 2 --learner logistic --student exec:./learner -o execstudent
expect 0 'id,label' "$FUMATA" predict --unsafe-exec --model execstudent/student.model test.csv
expect 2 'this student runs a command' "$FUMATA" predict --model execstudent/student.model test.csv -o bad
if python3 -c 'import sklearn' 2>/dev/null || /usr/bin/python3 -c 'import sklearn' 2>/dev/null; then
  expect 0 'written' learn --epsilon 20 --teachers 4 --silences 1 --anyway --learner "exec:$here/shell/examples/sklearn_learner.py" \
    --student logistic -o sklearn
fi

# What is asked, and how it is paid for.
count() { value "$1/summary.json" "$2"; }
for way in random margin disagreement; do
  expect 0 "asked 60 of 600 ($way): 60 answers" learn --epsilon 8 --teachers 40 --answers 60 --ask $way --test test.csv -o ask-$way
  [ "$(value ask-$way/summary.json ask)" = $way ] || complain "the summary does not say how was asked"
  [ "$(grep -c ',toll$' ask-$way/labels.csv)" = 60 ] && [ "$(count ask-$way answers_given)" = 60 ] || complain "$way: not 60 answers"
  [ "$(cut -d, -f1 ask-$way/labels.csv | sort -u | wc -l)" = 61 ] || complain "$way: a record was asked about twice"
done
expect 0 'asked .* (combined): .* labels, 4 silences, 40 answers; the budget is closed' learn --epsilon 8 --teachers 60 --silences 4 \
  --answers 40 -o ask-combined
[ "$(grep -c ',toll$' ask-combined/labels.csv)" = 40 ] && [ "$(grep -c ',silent,meter$' ask-combined/labels.csv)" = 4 ] ||
  complain "combined: not 4 silences and 40 answers"
awk -F, '$2 == "silent" { hard[$1] } $3 == "toll" && $1 in hard { n++ } END { exit n != 4 }' ask-combined/labels.csv ||
  complain "combined: the toll was not asked about what the meter was silent on"
expect 0 'pay for [0-9]* answers' learn --epsilon 4 --voters teachers -o ask-advised
expect 0 'pay for [0-9]* silences;' learn --epsilon 8 --ask random -o ask-meter
expect 0 'pay for [0-9]* silences and [0-9]* answers' learn --epsilon 8 --ask combined -o ask-both
expect 0 'pay for 1 silences' learn --epsilon 20 --ask random --mechanism classic --constants liu --silent-as random --silences 1 \
  --teachers 300 --anyway -o passive
expect 0 'written' learn --epsilon 8 --teachers 40 --answers 60 --reserve 7 --student trees -o ask-trees
expect 2 "'often' is not random, margin" usual --ask often -o bad
expect 2 'a meter plan has no answers to ask for' usual --ask margin -o bad
expect 2 'a toll plan has no silences' learn --epsilon 8 --teachers 40 --answers 9 --ask combined -o bad
expect 2 '--silences: a toll plan does not have them' usual --mechanism toll -o bad
expect 2 '--answers: a meter plan does not have them' learn --epsilon 8 --teachers 40 --answers 9 --mechanism meter -o bad
expect 2 'not of a toll plan' learn --epsilon 8 --constants bassily --mechanism toll -o bad
expect 2 'already sets' planned --plan one/plan --teachers 80 --answers 5 -o bad

# idx images and LIBSVM text.
python3 - <<'END'
import random, struct
random.seed(1)
for name, count in (("a", 900), ("t", 200)):
    labels = [random.randrange(3) for _ in range(count)]
    pixels = bytes(255 * (j % 3 == l) * random.randrange(200, 256) // 255 if random.random() < 0.9 else random.randrange(256)
                   for l in labels for j in range(16))
    open(name + "-images-idx3-ubyte", "wb").write(struct.pack(">IIII", 0x803, count, 4, 4) + pixels)
    open(name + "-labels-idx1-ubyte", "wb").write(struct.pack(">II", 0x801, count) + bytes(labels))
    open(name + ".svm", "w").writelines("%d %s\n" % (l, " ".join("%d:%d" % (j + 1, pixels[16 * i + j]) for j in range(16)))
                                        for i, l in enumerate(labels))
END
for f in a-images-idx3-ubyte a.svm; do
  expect 0 'the student is right on' "$FUMATA" learn --private $f@:700 --public $f@700: --classes 0,1,2 --epsilon 8 --delta 1e-3 \
    --teachers 60 --silences 5 --features pca:5 --test "$(echo $f | sed 's/^a/t/')" -o "of-$f"
  awk -F'[:,]' '/"test_accuracy"/ { ok = $2 > 0.85 } END { exit !ok }' "of-$f/summary.json" || complain "a bad student of $f"
done

# Histograms of gradients and steps after them; the model predicts from images.
expect 0 'the student is right on' "$FUMATA" learn --private a-images-idx3-ubyte@:700 --public a-images-idx3-ubyte@700: \
  --classes 0,1,2 --epsilon 8 --delta 1e-3 --teachers 60 --silences 5 --features raw+hog+standard+pca:8 \
  --test t-images-idx3-ubyte -o hog --ledger hog.ledger
expect 0 'right on' "$FUMATA" predict --model hog/student.model --score t-images-idx3-ubyte

# Features of one's own, with labels in a second file: .npy or a column of a CSV file, which may name the units too.
if /usr/bin/python3 -c 'import sklearn' 2>/dev/null; then
  /usr/bin/python3 "$here/shell/examples/sklearn_features.py" own || complain "the example of features fails"
  /usr/bin/python3 -c '
import numpy
numpy.savetxt("own/private.csv", [(i // 2, y) for i, y in enumerate(numpy.load("own/private_labels.npy"))], "p%d,%d", header="who,y", comments="")'
  matrix() { "$FUMATA" learn --public own/public.npy --classes 0,1 --epsilon 2 --delta 1e-5 --about 20000 \
    --test own/test.npy,own/test_labels.npy "$@"; }
  expect 0 'the student is right on' matrix --private own/private.npy,own/private_labels.npy -o matrix
  awk -F'[:,]' '/"test_accuracy"/ { ok = $2 > 0.75 } END { exit !ok }' matrix/summary.json || complain "a bad student of .npy rows"
  expect 0 'right on' "$FUMATA" predict --model matrix/student.model --score own/test.npy,own/test_labels.npy
  expect 0 '^1999,' "$FUMATA" predict --model matrix/student.model own/test.npy
  expect 0 'written' matrix --private own/private.npy,own/private.csv --label y --unit who --ledger units.ledger -o matrix2
  near matrix2 units 'all records of one unit (who) are added or removed'
fi

# Wrong options and files: one line, nothing left.
expect 2 '--private FILE is missing' "$FUMATA" learn --public public.csv --classes no,yes --epsilon 1 --delta 1e-3 -o bad
expect 2 '--public FILE is missing' "$FUMATA" learn --private private.csv --classes no,yes --epsilon 1 --delta 1e-3 -o bad
expect 2 '--classes is missing' "$FUMATA" learn --private private.csv --public public.csv --epsilon 1 --delta 1e-3 -o bad
expect 2 '-o DIR is missing' usual
expect 2 '--epsilon is missing' learn -o bad
expect 2 '--delta is missing' "$FUMATA" learn --private private.csv --public public.csv --classes no,yes --epsilon 1 -o bad
expect 2 "'0' is not a positive number" learn --epsilon 0 -o bad
expect 2 "'-1' is not a positive number" learn --epsilon -1 -o bad
expect 2 "'x' is not a positive number" learn --epsilon x -o bad
expect 2 'must be below 1' "$FUMATA" learn --private private.csv --public public.csv --classes no,yes --epsilon 1 --delta 1 -o bad
expect 2 '--teachers: .0. is not a whole number' learn --epsilon 1 --teachers 0 -o bad
expect 2 '--silences: .1.5. is not a whole number' learn --epsilon 1 --silences 1.5 -o bad
expect 2 'exclude each other' usual --error-rate 0.1 -o bad
expect 2 'is not a share' learn --epsilon 1 --error-rate 1.5 -o bad
expect 2 'an epsilon from 0.01' learn --epsilon 1 --estimate-error 0.001 -o bad
expect 2 'is not an epsilon' learn --epsilon 1 --estimate-error x -o bad
expect 2 '--seed would undo' usual --seed 1 -o bad
expect 2 'is not a whole number' usual --unsafe-seed x -o bad
expect 2 "no option '--frobnicate'" usual --frobnicate -o bad
expect 2 'needs a value' usual -o
expect 2 "'stray' is not expected" usual stray -o bad
expect 2 "^fumata: --learner: 'forest' is not logistic, svm, trees, .*exec" usual --learner forest -o bad
expect 2 "^fumata: --student: 'forest' is not logistic, svm, trees, .*exec" usual --student forest -o bad
expect 2 'not a parameter of logistic' usual --learner logistic:D=1 -o bad
expect 2 'is not soft, drop or random' usual --silent-as loud -o bad
expect 2 'writes no model' usual --learner exec:/no/such/program -o bad
expect 2 'writes no model' usual --student exec:false -o bad
expect 2 'none.csv' usual --test none.csv -o bad
expect 2 'nowhere/deeper/still' usual -o /proc/nowhere/deeper/still
expect 2 'private.csv: ' usual -o private.csv
expect 2 'already sets epsilon' usual --plan one/plan -o bad
expect 2 'needs --teachers' planned --plan one/plan -o bad
expect 2 'public.csv' planned --plan public.csv --teachers 5 -o bad
expect 2 'nobody' usual --unit nobody -o bad
expect 2 '--unsafe-compare needs --test' usual --unsafe-compare -o bad
expect 2 'leave out --public' usual --label-private -o bad
expect 1 'too few' learn --epsilon 0.01 --about 1600 --voters teachers -o bad
expect 1 'too few private records' learn --epsilon 0.01 --about 60 -o bad
expect 1 'too few' learn --epsilon 0.5 --teachers 5 -o bad
expect 2 'two classes' six --private private.csv --public public.csv --classes no -o bad
: >empty.csv
expect 2 'empty.csv' six --private private.csv --public empty.csv --classes no,yes -o bad
sed 's/,yes$/,maybe/' private.csv >maybe.csv
expect 2 'maybe.csv:' six --private maybe.csv --public public.csv --classes no,yes -o bad
if [ "$(id -u)" -ne 0 ]; then
  mkdir locked && chmod 500 locked
  expect 2 'locked/x' usual -o locked/x
fi
expect 2 'ledger' usual --ledger public.csv -o bad
[ -z "$(ls -A tmp)" ] || complain "exec learners left $(ls -A tmp)"

exit "$failed"
