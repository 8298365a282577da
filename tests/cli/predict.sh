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
awk '{ exit !($3 > 90) }' out || complain "a bad student: $(cat out)"
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
sed '5s/^[^,]*/big/' test.csv >word.csv
expect 2 'word.csv:5:' "$FUMATA" predict --model o/student.model word.csv -o bad
expect 2 'bare.csv' "$FUMATA" predict --model o/student.model --score bare.csv -o bad
expect 2 'one file at a time' "$FUMATA" predict --model o/student.model test.csv test.csv
expect 2 "no option '--x'" "$FUMATA" predict --model o/student.model --x
expect 2 '--seconds' "$FUMATA" predict --model o/student.model --seconds 0 test.csv
expect 2 "--seconds: '5abc' is not a whole number from 1 to 1000000" "$FUMATA" predict --model o/student.model --seconds 5abc test.csv
expect 3 'nowhere' "$FUMATA" predict --model o/student.model test.csv -o /proc/nowhere/at/all

exit "$failed"
