#!/bin/sh
# Columns as people have them: dates, decimal commas, ids, free text. Dates and decimal commas are numbers to learn from; what looks
# wrong is said before anything is spent, from the public file and the headers alone.
. "$(dirname "$0")/common"

cat >visits.py <<'END'
"""visits.py COUNT SEED FORM COMMA: a day in FORM, a number with a decimal COMMA; sick: of late, or with a fever."""
import datetime, random, sys
count, seed, form, comma = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3], sys.argv[4]
random.seed(seed)
print("p;when;fever;ward;sick")
for i in range(count):
    when = datetime.datetime(2019, 1, 1) + datetime.timedelta(minutes=random.randrange(4 * 365 * 1440))
    fever = random.uniform(36, 40)
    sick = when.year > 2020 if random.random() < 0.5 else fever > 38.5
    cell = "" if i % 97 == 5 else when.strftime(form)
    print(i, cell, ("%.2f" % fever).replace(".", comma), random.choice(["north", "south"]), "yes" if sick else "no", sep=";")
END
visits() { # FORM COMMA
  python3 visits.py 3000 1 "$@" >private.csv
  python3 visits.py 800 2 "$@" >public.csv
  python3 visits.py 300 3 "$@" >test.csv
}
# learn DIR [OPTION...]: from private.csv and public.csv
learn() {
  out=$1
  shift
  rm -rf private.csv.ledger* "$out"
  "$FUMATA" learn --private private.csv --public public.csv --label sick --classes no,yes --delimiter ';' --unit p --epsilon 8 --delta 1e-3 \
    --teachers 60 --silences 60 --mechanism meter --test test.csv -o "$out" --unsafe-seed 1 "$@" >said 2>err || complain "$out: $(cat err)"
}
refuse() { # LINE [OPTION...]
  line=$1
  shift
  expect 2 "$line" "$FUMATA" learn --private private.csv --public public.csv --label sick --classes no,yes --delimiter ';' --unit p --epsilon 8 \
    --delta 1e-3 -o bad "$@"
}
cat >alike.py <<'END'
"""Two files of labels and probabilities are alike."""
import csv
mine, theirs = ([*csv.reader(open(path))] for path in ("fumata.csv", "numpy.csv"))
assert len(mine) == len(theirs) == 301 and mine[0] == theirs[0]
for a, b in zip(mine[1:], theirs[1:]):
    assert all(abs(float(x) - float(y)) < 1e-4 for x, y in zip(a[2:], b[2:])), (a, b)
assert len({row[1] for row in mine}) == 3
END
# same DIR: NumPy says of test.csv what Fumata says
same() {
  "$FUMATA" model show "$1/student.model" --json -o "$1/student.json" || complain "$1: no JSON"
  "$here/shell/examples/read_model.py" "$1/student.json" test.csv >numpy.csv 2>err || complain "$1: $(cat err)"
  "$FUMATA" predict --model "$1/student.model" --proba test.csv >fumata.csv 2>err || complain "$1: $(cat err)"
  python3 alike.py || complain "$1: NumPy says otherwise"
}

# Dates of every form and decimal commas: the same student, which has learned from both.
for form in '%Y-%m-%d %H:%M' '%d.%m.%Y %H:%M' '%m/%d/%Y %I:%M %p' '%d-%b-%Y %H:%M' '%Y-%m-%dT%H:%M:00Z' '%B %d, %Y %H:%M'; do
  comma=,
  [ "$form" = '%Y-%m-%d %H:%M' ] && comma=.
  visits "$form" $comma
  learn o --decimal $comma
  grep -q '"when" *date (.* first), 2019-01-0. to 2022-12-[23].: when, month, weekday, time of day; 9 missing' said ||
    complain "$form: not a date: $(cat said)"
  grep -q '"fever" *number, 36' said || complain "$comma: not a number: $(cat said)"
  grep -q WARNING err && complain "$form $comma: a warning about nothing: $(cat err)"
  same o
  [ -e first.csv ] || cp fumata.csv first.csv
  cmp -s fumata.csv first.csv || complain "$form, decimal '$comma': another student"
  sed -n 's/^the student is right on \([0-9.]*\) .*/\1/p' said | awk '{ exit !($1 > 66) }' || complain "learned nothing: $(cat said)"
done
grep -q 'date (month first)' said || complain "the order is not said"
expect 0 '"when" *date (month first)' "$FUMATA" model show o/student.model
expect 0 '"order": "mdy"' "$FUMATA" model show o/student.model --json
printf 'when;fever;ward\n"May 5, 2021 10:00";38.5;north\n' >point.csv
expect 0 '0,' "$FUMATA" predict --model o/student.model --decimal . point.csv

# A schema states a date, its order and its range.
visits '%d/%m/%Y' .
printf 'column when\n  date dmy 18000 19000\ncolumn fever\n  number\n' >schema
learn stated --schema schema
grep -q '"when" *date (day first), 2019-04-14 to 2022-01-08' said || complain "the schema's date: $(cat said)"
same stated
printf 'column when\n  date mdy\n' >schema
refuse 'public.csv:[0-9]*:2 ("when"): the cell is not a date' --schema schema
printf 'column when\n  date\n' >schema
refuse 'schema:2: a date has its order' --schema schema
refuse "--decimal: 'x' is not a comma or a point" --decimal x

# What looks wrong is said, in the dry run and in the run, and not once more than it is so.
python3 - <<'END'
import random
says = "the patient says that it hurts when he runs or sleeps".split()
for name, count in (("private", 2000), ("public", 1500)):
    random.seed(name)
    with open(name + ".csv", "w", encoding="utf-8") as file:
        extra = ",mood,insurer" if name == "private" else ""
        print("patient_id,row,income,weight,price,seen,born,note,colour,age,sick" + extra, file=file)
        for i in range(count):
            age = random.randrange(90)
            cells = [random.randrange(10**6), i, '"%d,%02d"' % (i * 7 + 900, i % 97), '"%d,%d"' % (random.randrange(90), random.randrange(10)), '"%.2f"' % random.uniform(1, 9),
                     "%02d/%02d/2020" % (random.randrange(1, 13), random.randrange(1, 13)),
                     "soon" if i % 500 == 7 else "19%02d-0%d-11" % (random.randrange(30, 99), random.randrange(1, 10)),
                     " ".join(random.choices(says, k=3)), random.choice(["red", "Red", "blue"]), age, "yes" if age > 50 else "no"]
            print(*cells, *(["good", "none"] if extra else []), sep=",", file=file)
END
odd() { "$FUMATA" learn --private private.csv --public public.csv --label sick --classes no,yes --epsilon 8 --delta 1e-3 --about 2000 "$@"; }
for how in '--dry-run' '-o o2' '-q -o o3'; do
  rm -f private.csv.ledger*
  # shellcheck disable=SC2086 # several words
  odd $how >said 2>err || complain "$how: $(cat err)"
  for line in 'columns "income", "weight" have numbers with a decimal comma, not read as numbers: --decimal ,' \
    'columns "patient_id", "row" look like ids and are features: --skip patient_id,row; or --unit' \
    'column "note" has texts that hardly repeat.*: --skip note' \
    'column "seen" has dates that may have the day or the month first; read as month first' \
    'column "born" is dates but for 3 of 1500 cells.*the first of them is "soon" in line 9; if that means missing: --missing "soon"' \
    'column "colour" has values that differ by upper and lower case only.*(".ed" and ".ed")' \
    'columns "mood", "insurer" of private.csv are not here, and are not used'; do
    grep -q "^WARNING: public.csv: $line" err || complain "$how: nothing like '$line': $(cat err)"
  done
  [ "$(grep -c WARNING err)" = 7 ] || complain "$how: $(grep -c WARNING err) warnings: $(cat err)"
done
rm -f private.csv.ledger*
odd --skip patient_id,row,note,seen,colour --decimal , --missing soon --dry-run >said 2>err || complain "$(cat err)"
grep -q '"patient_id" *not used' said || complain "--skip: $(cat said)"
grep -q '"weight" *number' said || complain "--decimal: $(cat said)"
grep -v mood err | grep -q WARNING && complain "warned of what is mended: $(cat err)"
expect 2 'no column "patient_i" in the header; did you mean .patient_id.' odd --skip patient_i -o bad

# An index that pandas wrote, and JSON: what to do is said.
sed 's/^patient_id//' public.csv >index.csv
expect 2 'index.csv:1:1: a column without a name in the header; .*index=False' "$FUMATA" learn --private private.csv --public index.csv \
  --label sick --classes no,yes --epsilon 8 --delta 1e-3 -o bad
printf '[ {"a": 1, "sick": "no"} ]\n' >list.json
expect 2 'list.json: JSON, which is not read; convert it to CSV' "$FUMATA" learn --private private.csv --public list.json --label sick \
  --classes no,yes --epsilon 8 --delta 1e-3 -o bad

# Names that are nearly those of the public file are asked about before anything is spent; others are nobody's business.
awk 'BEGIN { srand(3); print "age,beta,kind"; for (i = 0; i < 2500; i++) { x = rand(); printf "%.3f,%.3f,%s\n", x, rand(), x < 0.5 ? "no" : "yes" } }' >named.csv
head -n 2001 named.csv >own.csv
{ head -n 1 named.csv; sed -n 2002,2501p named.csv; } >open.csv
# asked WARNING OPTION...: what the dry run asks, or nothing
asked() {
  wanted=$1
  shift
  "$FUMATA" learn --private own.csv --public open.csv --epsilon 4 --delta 1e-4 --dry-run -q "$@" >out 2>err || complain "$*: $(cat err)"
  [ "$(cat err)" = "${wanted:+WARNING: open.csv: $wanted}" ] || complain "$*: $(cat err)"
}
asked '' --label kind --classes no,yes
asked '' --label kind --classes no,yes,maybe
asked '' --label outcome --classes no,yes
asked 'no column "kidn" (--label), but "kind", which is a feature; did you mean that?' --label kidn --classes no,yes
asked 'no column "KIND" (--label), but "kind", which is a feature; did you mean that?' --label KIND --classes no,yes
asked 'no column "aeg" (--unit), but "age", which is a feature; did you mean that?' --label kind --classes no,yes --unit aeg
asked 'no label is "yse" (--classes), but one is "yes"; did you mean that?' --label kind --classes no,yse
asked 'no label is "No" (--classes), but one is "no"; did you mean that?' --label kind --classes No,yes
asked "no label is one of the classes (--classes): one is $(sed -n '2s/.*,\(.*\)/"\1"/p' open.csv)" --label kind --classes 0,1
# A test file may tell, the private one never does; nor does one whose labels alone are private.
cut -d, -f1,2 open.csv >bare.csv
expect 2 'the label is not one of the declared classes: "no", "yse" (private' "$FUMATA" learn --private own.csv --public bare.csv --label kind \
  --classes no,yse --epsilon 4 --delta 1e-4 -o bad
sed 's/yes/yse/' own.csv >other.csv
expect 2 'open.csv:[0-9]*:3 ("kind"): the label is not one of the declared classes: "no", "yse"; it is spelt nearly as .yse' "$FUMATA" learn \
  --private other.csv --public bare.csv --test open.csv --label kind --classes no,yse --epsilon 4 --delta 1e-4 -o bad
"$FUMATA" learn --private own.csv --label-private --label kind --classes no,yse --epsilon 4 --delta 1e-4 --dry-run -q >out 2>err
grep -q 'did you mean' err && complain "private labels are told: $(cat err)"

exit "$failed"
