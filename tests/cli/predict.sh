#!/bin/sh
# fumata predict: a student on files, on standard input, and on what is not a model.
. "$(dirname "$0")/common"

awk 'BEGIN { srand(1); print "size,shape,kind"; for (i = 0; i < 1200; i++) { l = i % 2
  printf "%.2f,%s,%s\n", 3 * l + 2 * rand(), rand() < 0.5 ? "round" : "flat", l ? "a \"b\", c" : "d" } }' | sed 's/a "b", c/"a ""b"", c"/' >all.csv
{ head -n 1 all.csv; sed -n 2,1000p all.csv; } >private.csv
{ head -n 1 all.csv; sed -n 1001,1100p all.csv; } >public.csv
{ head -n 1 all.csv; sed -n 1101,1201p all.csv; } >test.csv
cat >schema <<'END'
class d
class a "b", c
END
"$FUMATA" learn --private private.csv --public public.csv --schema schema --label kind --epsilon 8 --delta 1e-3 --teachers 100 \
  --silences 4 -o o >said 2>&1 || complain "no student: $(cat said)"

expect 0 'usage: fumata predict' "$FUMATA" predict --help
expect 0 'right on' "$FUMATA" predict --model o/student.model --score test.csv
awk '{ exit !($6 > 90) }' out || complain "a bad student: $(cat out)"
expect 0 'id,label' "$FUMATA" predict --model o/student.model test.csv
[ "$(wc -l <out)" -eq 102 ] || complain "101 records, $(wc -l <out) lines"
grep -q '^[0-9]*,"a ""b"", c"$' out || complain "a class with commas is not quoted"
mv out file.out
expect 0 'id,label' "$FUMATA" predict --model o/student.model - <test.csv
cmp -s out file.out || complain "standard input is labelled otherwise"
cut -d, -f1,2 test.csv >bare.csv
expect 0 'id,label' "$FUMATA" predict --model o/student.model bare.csv
cmp -s out file.out || complain "labels in the file make a difference"
"$FUMATA" predict --model o/student.model test.csv -o written.csv || complain "-o fails"
cmp -s written.csv file.out || complain "-o writes something else"

# --score: what scikit-learn says of the probabilities that --proba prints, of two classes and of three, and of an svm's scores.
awk 'BEGIN { srand(4); print "x,y,kind"; split("low middle high", name, " "); for (i = 0; i < 3000; i++) { c = int(3 * rand())
  printf "%.3f,%.3f,%s\n", c + 2 * rand(), rand(), name[c + 1] } }' >three.csv
"$FUMATA" learn --label kind --classes low,middle,high --private three.csv@0:2000 --public three.csv@2000:2500 --epsilon 8 --delta 1e-3 \
  -o three >said 2>&1 || complain "no student of three classes: $(cat said)"
awk -F, 'NR == 1 || $3 != "middle"' three.csv >two.csv
"$FUMATA" learn --label kind --classes low,high --student svm --private two.csv@0:1000 --public two.csv@1000:1400 --epsilon 8 --delta 1e-3 \
  -o svm >said 2>&1 || complain "no svm: $(cat said)"
cat >compare.py <<'END'
import csv, json, sys
import numpy as np
from sklearn import metrics as sk

model, truths, said, result = sys.argv[1:]
result = json.load(open(result))
truth = [row["kind"] for row in csv.DictReader(open(truths))]
said = list(csv.DictReader(open(said)))
classes = [k[2:] for k in said[0] if k[1] == "_"]
score = np.array([[float(row[k]) for k in row if k[1:2] == "_"] for row in said])
label = [row["label"] for row in said]
assert len(truth) == len(said) == result["records"]
y = np.array([classes.index(t) for t in truth])
pred = np.array([classes.index(t) for t in label])
near = lambda key, wanted: abs(result[key] - wanted) < 2e-6 or sys.exit("%s: %s is %s, scikit-learn has %.6f" % (model, key, result[key], wanted))
near("accuracy", sk.accuracy_score(y, pred))
near("balanced_accuracy", sk.balanced_accuracy_score(y, pred))
near("majority", np.bincount(y).max() / len(y))
near("auc", sk.roc_auc_score(y, score[:, 1] if len(classes) == 2 else score, multi_class="ovr"))
if model == "svm":
    assert result["log_loss"] is None and "calibration" not in result
else:
    near("log_loss", sk.log_loss(y, score, labels=range(len(classes))))
    top = score[:, 1] if len(classes) == 2 else score.max(axis=1)
    hit = y == 1 if len(classes) == 2 else score.argmax(axis=1) == y
    bins = np.minimum((top * 10).astype(int), 9)
    for b, wanted in zip(result["calibration"], np.unique(bins)):
        chosen = bins == wanted
        assert b["records"] == chosen.sum() and abs(b["said"] - top[chosen].mean()) < 2e-6 and abs(b["was"] - hit[chosen].mean()) < 2e-6, b
recall = sk.recall_score(y, pred, average=None, labels=range(len(classes)))
precision = sk.precision_score(y, pred, average=None, labels=range(len(classes)))
for c, one in enumerate(result["by_class"]):
    assert one["class"] == classes[c] and one["records"] == (y == c).sum() and one["named"] == (pred == c).sum(), one
    assert abs(one["recall"] - recall[c]) < 2e-6 and abs(one["precision"] - precision[c]) < 2e-6, one
for key in ("accuracy", "balanced_accuracy", "auc"):
    low, high = result[key + "_95"]
    assert 0 <= low < result[key] <= high <= 1 and high - low < 0.2, key
END
# scored MODEL FILE: the JSON of --score against scikit-learn's
scored() {
  asked=--proba
  [ "$1" = svm ] && asked=--scores
  "$FUMATA" predict --model "$1/student.model" "$2" $asked >said || complain "$1 $asked"
  "$FUMATA" predict --model "$1/student.model" --score --json "$2" >result.json || complain "$1 --score"
  /usr/bin/python3 compare.py "$1" "$2" said result.json || complain "$1: not what scikit-learn says"
}
tail -n 500 three.csv >body && { head -n 1 three.csv; cat body; } >held.csv
awk -F, 'NR == 1 || $3 != "middle"' held.csv >held2.csv
scored three held.csv
scored svm held2.csv
expect 2 '--threshold is for two classes, and this student has 3' "$FUMATA" predict --model three/student.model --threshold 0.2 held.csv
expect 2 '--threshold: an svm has no probabilities' "$FUMATA" predict --model svm/student.model --threshold 0.2 held2.csv
expect 2 "--threshold: '1.5' is not a share" "$FUMATA" predict --model o/student.model --threshold 1.5 test.csv
expect 2 '--proba and --scores exclude each other' "$FUMATA" predict --model o/student.model --proba --scores test.csv
expect 0 'id,label,s_low,s_middle,s_high' "$FUMATA" predict --model three/student.model --scores held.csv
expect 0 '"s": {"low": ' "$FUMATA" predict --model three/student.model --scores --json held.csv
expect 0 'balanced accuracy [0-9.]* % ([0-9.]* to [0-9.]*); AUC [0-9.]* ([0-9.]* to [0-9.]*); log loss' \
  "$FUMATA" predict --model three/student.model --score held.csv
grep -q '^"middle" *[0-9]*  [0-9.]* % ([0-9.]* to [0-9.]*)  *[0-9]*  [0-9.]* % (' out || complain "no line a class: $(cat out)"
# --threshold: the second class from there on, so the lower the more; with --score, too.
"$FUMATA" predict --model o/student.model --proba test.csv >said || complain "--proba"
for p in 0.05 0.5 0.95; do
  "$FUMATA" predict --model o/student.model --threshold $p test.csv >said.$p || complain "--threshold $p"
  /usr/bin/python3 -c 'import csv, sys
p, (all, named) = float(sys.argv[1]), (list(csv.reader(open(name))) for name in sys.argv[2:])
assert all[0][3] == "p_a \"b\", c" and [float(a[3]) >= p for a in all[1:]] == [n[1] != "d" for n in named[1:]]' $p said said.$p ||
    complain "--threshold $p names others"
  [ "$("$FUMATA" predict --model o/student.model --threshold $p --score --json test.csv | /usr/bin/python3 -c 'import json, sys
print(json.load(sys.stdin)["by_class"][1]["named"])')" = "$(grep -c 'a ""b""' said.$p)" ] || complain "--threshold $p --score: another number"
done

expect 2 '--model FILE is missing' "$FUMATA" predict test.csv
expect 2 'none: cannot read' "$FUMATA" predict --model none test.csv
expect 2 'not a student model' "$FUMATA" predict --model test.csv test.csv
head -c 100 o/student.model >cut.model
expect 2 'damaged or cut short' "$FUMATA" predict --model cut.model test.csv
sed 's/round/ruond/' o/student.model >forged.model
expect 2 'damaged or cut short' "$FUMATA" predict --model forged.model test.csv
expect 2 'none.csv' "$FUMATA" predict --model o/student.model none.csv -o bad
cut -d, -f2,3 test.csv >missing.csv
expect 2 'size' "$FUMATA" predict --model o/student.model missing.csv -o bad

# Records that cannot be read: no label, the first one said, counted at the end; the others get theirs all the same.
sed '5s/^[^,]*/big/; 9s/^[^,]*/inf/; 13s/,.*//' test.csv >word.csv
unread='WARNING: word.csv: 3 of 101 records have no label: they could not be read'
# unread OPTION...: what is printed for ids 3, 7 and 11 against what it is for test.csv, under the same options
unread() {
  expect 0 "^$unread" "$FUMATA" predict --model o/student.model -q "$@" word.csv
  grep -q '^WARNING: word.csv:5:1 ("size"): the cell is not a number; ' err || complain "$*: not the first: $(cat err)"
  [ "$(wc -l <err)" -eq 2 ] || complain "$*: not two warnings: $(cat err)"
  mv out said
  "$FUMATA" predict --model o/student.model "$@" test.csv >whole || complain "$*"
}
unread
awk -F, 'NR == 5 || NR == 9 || NR == 13 { $0 = $1 "," } 1' whole | cmp -s - said || complain "other labels: $(head -n 14 said)"
unread --proba --threshold 0.2
awk -F, 'NR == 5 || NR == 9 || NR == 13 { $0 = $1 ",,," } 1' whole | cmp -s - said || complain "other shares: $(head -n 14 said)"
unread --scores --json
sed -E '4s/.*/{"id": 3, "label": null, "s": null}/; 8s/.*/{"id": 7, "label": null, "s": null}/; 12s/.*/{"id": 11, "label": null, "s": null}/' whole |
  cmp -s - said || complain "other JSON: $(head -n 13 said)"
sed '5d; 9d; 13d' test.csv >fewer.csv
"$FUMATA" predict --model o/student.model --score fewer.csv >whole || complain "--score"
expect 0 'WARNING: word.csv: 3 of 101 records could not be read and are left out' "$FUMATA" predict --model o/student.model --score word.csv
grep -v '^left out: 3 ' out | cmp -s - whole || complain "--score counts them: $(cat out)"
grep -q '^left out: 3 of 101 records, which could not be read$' out || complain "--score does not say them: $(cat out)"
"$FUMATA" predict --model o/student.model --score --json word.csv >result.json 2>err
[ "$(value result.json records) $(value result.json left_out)" = "98 3" ] || complain "--score --json: $(cat result.json)"
"$FUMATA" predict --model o/student.model --score --json test.csv >result.json
[ "$(value result.json left_out)" = 0 ] || complain "--score --json: $(cat result.json)"
expect 2 'word.csv:5:1 ("size"): the cell is not a number' "$FUMATA" predict --model o/student.model --strict word.csv -o bad
sed 13d word.csv >cells.csv
expect 0 'cells.csv: 2 of 100 records have no label' "$FUMATA" predict --model o/student.model --with-columns cells.csv
sed -n 5p out | grep -q '^big,[a-z]*,[^,]*,$\|^big,[a-z]*,"a ""b"", c",$' || complain "--with-columns: $(sed -n 5p out)"
[ "$(wc -l <out)" -eq 101 ] || complain "--with-columns: $(wc -l <out) lines"
# A record whose cells cannot be told apart has no columns to stand beside a label.
expect 2 'word.csv:13: 1 cells, but the header has 3' "$FUMATA" predict --model o/student.model --with-columns word.csv -o bad
sed '2,$s/,.*//' test.csv >short.csv
expect 2 'short.csv: none of the 101 records could be read' "$FUMATA" predict --model o/student.model short.csv -o bad
expect 2 'short.csv: none of the 101 records could be read' "$FUMATA" predict --model o/student.model --score short.csv -o bad
{ cat test.csv; echo '1,"round'; cat test.csv; } >open.csv
expect 2 'open.csv:103:2: text after a closing quote' "$FUMATA" predict --model o/student.model open.csv -o bad
{ head -n 5 test.csv; printf '1,"round\n2,round,d\n3",d,x\n'; cat test.csv; } >open.csv
expect 2 'open.csv:6: 4 cells, but the header has 3' "$FUMATA" predict --model o/student.model open.csv -o bad
sed '5s/[^,]*$/e/; 5s/.*/1,round,e/' test.csv >stranger.csv
expect 2 'stranger.csv:5:3 ("kind"): the label is not one of the declared classes' "$FUMATA" predict --model o/student.model --score stranger.csv -o bad

# The same of rows and of LIBSVM lines, and of features that are made from several numbers.
/usr/bin/python3 -c 'import numpy
x = numpy.random.default_rng(1).normal(size=(1200, 6)); y = (x[:, 0] > 0).astype(int)
numpy.save("x.npy", x); numpy.save("y.npy", y)
line = lambda i: " ".join(["%d" % y[i]] + ["%d:%.3f" % (j + 1, v) for j, v in enumerate(x[i])]) + "\n"
open("x.svm", "w").writelines(map(line, range(1200)))
open("part.svm", "w").writelines(line(i).replace(" 2:", " 2:much") if i == 1103 else line(i) for i in range(1100, 1200))
x[1103, 2] = numpy.nan; numpy.save("part.npy", x[1100:])' || complain "no numbers"
for kind in npy svm; do
  private=x.npy,y.npy wrong='part.npy\[3, 2\]: not a finite number'
  [ $kind = npy ] || { private=x.svm wrong='part.svm:4:.*: the value is not a number'; }
  "$FUMATA" learn --private $private@0:1000 --public x.$kind@1000:1100 --classes 0,1 --epsilon 8 --delta 1e-3 --features pca:3 -o of.$kind \
    >said 2>&1 || complain "no student of $kind: $(cat said)"
  expect 0 "WARNING: $wrong" "$FUMATA" predict --model of.$kind/student.model part.$kind
  grep -q "WARNING: part.$kind: 1 of 100 records have no label" err || complain "$kind: $(cat err)"
  mv out said
  "$FUMATA" predict --model of.$kind/student.model x.$kind@1100: | sed 's/^3,.*/3,/' | cmp -s - said || complain "$kind: other labels"
done

# A full disk: one line, and nothing is left of the file.
for out in --proba --with-columns --json --score; do
  "$FUMATA" predict --model o/student.model $out test.csv >/dev/full 2>err
  [ $? -eq 3 ] || complain "$out: a full disk is not exit 3"
  grep -q 'cannot write: No space left on device' err && [ "$(wc -l <err)" -eq 1 ] || complain "$out: a full disk says $(cat err)"
done
expect 3 'cannot write: No space left on device' "$FUMATA" predict --model o/student.model test.csv -o /dev/full
expect 2 'bare.csv' "$FUMATA" predict --model o/student.model --score bare.csv -o bad
expect 2 'give only one file' "$FUMATA" predict --model o/student.model test.csv test.csv
expect 2 "no option '--x'" "$FUMATA" predict --model o/student.model --x
expect 2 '--seconds' "$FUMATA" predict --model o/student.model --seconds 0 test.csv
expect 2 "--seconds: '5abc' is not a whole number from 1 to 1000000" "$FUMATA" predict --model o/student.model --seconds 5abc test.csv
expect 3 'nowhere' "$FUMATA" predict --model o/student.model test.csv -o /proc/nowhere/at/all

exit "$failed"
