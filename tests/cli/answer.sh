#!/bin/sh
# fumata answer: ready votes and trained teachers, streams, budgets that close, and wrong input.
. "$(dirname "$0")/common"

# 400 queries, 300 teachers, 3 classes: nine in ten queries are nearly unanimous, the others are split.
python3 - <<'END'
import random, struct
random.seed(1)
def npy(name, descr, shape, data):
    head = "{'descr': '%s', 'fortran_order': False, 'shape': %s, }" % (descr, shape)
    head += " " * (117 - len(head)) + "\n"
    open(name, "wb").write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head.encode() + data)
rows, truth = [], []
for q in range(400):
    winner = random.randrange(3)
    agree = 0.99 if q % 10 else 0.0
    rows.append([winner if random.random() < agree else random.randrange(3) for _ in range(300)])
    truth.append(winner)
flat = [v for row in rows for v in row]
npy("u8.npy", "|u1", (400, 300), bytes(flat))
npy("many.npy", "|u1", (12000, 300), 30 * bytes(flat))
npy("u16.npy", "<u2", (400, 300), struct.pack("<%dH" % len(flat), *flat))
counts = [row.count(c) for row in rows for c in range(3)]
npy("counts.npy", "<f8", (400, 3), struct.pack("<%dd" % len(counts), *counts))
open("labels.csv", "w").write(",".join("t%d" % t for t in range(300)) + "\n" + "".join(",".join("cat dog cow".split()[v] for v in row) + "\n" for row in rows))
open("truth", "w").write("".join("cat dog cow".split()[w] + "\n" for w in truth))
def bad(junk): return [0] * 299 + [junk[0]] + [junk[k % len(junk)] for k in range(300)] + [1] * 299 + [junk[-1]]
npy("bad_u8.npy", "|u1", (3, 300), bytes(bad([3, 255])))
npy("bad_u16.npy", "<u2", (3, 300), struct.pack("<900H", *bad([3, 256, 65535])))
npy("bad_i1.npy", "|i1", (3, 300), struct.pack("<900b", *bad([3, -1, -128])))
npy("bad_i8.npy", "<i8", (3, 300), struct.pack("<900q", *bad([3, -1, 2**40])))
npy("bad_f8.npy", "<f8", (3, 3), struct.pack("<9d", 299, 0, 0, float("nan"), 200, 100, 0, 299, 0))
npy("bad_i4.npy", "<i4", (3, 3), struct.pack("<9i", 299, 0, 0, -1, 301, 0, 0, 299, 1))
names = ["cat", "dog", "cow"]
cells = [names[v] if v < 3 else "bird" for v in bad([3])]
open("bad_labels.csv", "w").write(",".join("t%d" % t for t in range(300)) + "\n" + "".join(",".join(cells[300 * q:300 * q + 300]) + "\n" for q in range(3)))
open("bad_counts.csv", "w").write("dog,cat,cow\n0,299,0\n1,300,x\n299,0,0\n")
npy("wide.npy", "<f8", (2, 4), struct.pack("<8d", 1, 2, 3, 4, 1, 2, 3, 4))
npy("short.npy", "|u1", (400, 300), bytes(flat[:-1]))
npy("long.npy", "|u1", (400, 300), bytes(flat) + b"x")
npy("one.npy", "|u1", "(400,)", bytes(400))
npy("text.npy", "<U4", (2, 3), bytes(96))
END

expect 0 'usage: fumata answer' "$FUMATA" answer --help
"$FUMATA" plan --epsilon 3 --delta 1e-4 --silences 60 -o p.plan >/dev/null || complain "no plan"
answer() { "$FUMATA" answer --classes cat,dog,cow --plan p.plan "$@"; }

# Every form of the same votes gives the same answers from the same coins.
for f in u8.npy u16.npy counts.npy labels.csv; do
  rm -f l.ledger*
  expect 0 'NOT PRIVATE' answer --votes $f --ledger l.ledger --unsafe-seed 3 -o "$f.answers"
  cmp -s u8.npy.answers "$f.answers" || complain "$f is answered otherwise than u8.npy"
done
[ "$(wc -l <u8.npy.answers)" -eq 401 ] || complain "not a line for every query"
sed 1d u8.npy.answers | paste -d, - truth | awk -F, '$1 % 10 && $2 != "silent" { n++; right += $2 == $3 } END { exit !(n > 300 && right == n) }' ||
  complain "the labels are not the teachers' plurality"
sed 1d u8.npy.answers | awk -F, '$1 != NR - 1 { exit 1 }' || complain "ids do not count from 0"
# Batches that are worth it are tallied on all cores; one core gives the same answers, and the budget closes at the same query.
first=$(taskset -cp $$ | sed 's/.*: //; s/[-,].*//')
"$FUMATA" plan --epsilon 8 --delta 1e-4 --silences 3000 -o many.plan >/dev/null || complain "no plan"
for plan in p.plan many.plan; do
  rm -f one.* all.*
  for on in one all; do
    set -- && [ $on = all ] || set -- taskset -c "$first"
    "$@" "$FUMATA" answer --classes cat,dog,cow --plan $plan --votes many.npy --ledger $on.ledger --unsafe-seed 3 \
      -o $on.answers 2>/dev/null || complain "no answers on $on of the cores by $plan"
  done
  cmp -s one.answers all.answers || complain "one core answers otherwise than all by $plan"
done
[ "$(wc -l <all.answers)" -gt 8193 ] || complain "many votes are answered in one or two batches"
rm -f l.ledger*
gzip -k u8.npy
answer --votes u8.npy.gz --ledger l.ledger --unsafe-seed 3 >zip.answers 2>/dev/null
cmp -s u8.npy.answers zip.answers || complain "gzip'ed votes are answered otherwise"
rm -f l.ledger*
answer --votes - --ledger l.ledger --unsafe-seed 3 <u8.npy >in.answers 2>/dev/null
cmp -s u8.npy.answers in.answers || complain "votes from standard input are answered otherwise"

# The budget closes with a clear line, stays closed, and another plan on the same ledger is another expense.
rm -f l.ledger*
"$FUMATA" plan --epsilon 3 --delta 1e-4 --silences 5 -o five.plan >/dev/null
five() { "$FUMATA" answer --classes cat,dog,cow --plan five.plan --ledger l.ledger --votes u8.npy "$@"; }
expect 0 'the budget is closed: all 5 silences are used' five
[ "$(grep -c ',silent$' out)" -eq 5 ] || complain "not five silences: $(grep -c ',silent$' out)"
tail -n 1 out | grep -q ',silent$' || complain "something was answered after the last silence"
# The same command has the same answers for nothing; what comes through a pipe may be other questions.
cp out first
expect 0 'answers that an earlier run paid for are taken up' five
cmp -s out first || complain "the same command has other answers: $(diff out first | head -n 3)"
five_piped() { "$FUMATA" answer --classes cat,dog,cow --plan five.plan --ledger l.ledger --votes - <u8.npy; }
expect 1 'silences are spent' five_piped
expect 1 'adds epsilon 3 and delta 0.0001 to 3 and 0.0001 spent' five --again
expect 0 'the budget is closed' five --again --raise-total
expect 0 '6 spent' "$FUMATA" ledger show l.ledger

# What is left is left for the next session.
rm -f l.ledger*
head -c 30128 u8.npy >part.npy && python3 - <<'END'
data = bytearray(open("part.npy", "rb").read())
open("part.npy", "wb").write(data.replace(b"(400, 300), }", b"(100, 300), }", 1))
END
expect 0 'silences left' answer --votes part.npy --ledger l.ledger
silent=$(grep -c ',silent$' out)
expect 0 "$((60 - silent)) left" "$FUMATA" ledger show l.ledger

# The paper's Algorithm 2, by a plan of its own.
rm -f l.ledger*
"$FUMATA" plan --mechanism classic --epsilon 8 --delta 1e-3 --silences 5 -o classic.plan >/dev/null || complain "no classic plan"
expect 0 'the budget is closed: all 5 silences are used' "$FUMATA" answer --classes cat,dog,cow --plan classic.plan \
  --ledger l.ledger --votes u8.npy
[ "$(grep -c ',silent$' out)" -eq 5 ] || complain "classic: not five silences"

# An answer comes out before the next query goes in.
rm -f l.ledger*
mkfifo in back
answer --votes - --ledger l.ledger <in >back 2>/dev/null &
exec 3>in 4<back
head -n 2 labels.csv >&3
{ read -r _ <&4 && read -r line <&4; } || line=nothing
case "$line" in 0,*) ;; *) complain "no answer to the first query while the second is outstanding: $line" ;; esac
exec 3>&- 4<&-
wait

# Teachers trained here.
awk 'BEGIN { srand(1); for (i = 0; i < 900; i++) { l = i % 2; printf "%d 1:%.3f 2:%.3f\n", l, l + 0.3 * rand(), 1 - l + 0.3 * rand() } }' >a.svm
teach() { "$FUMATA" answer --private a.svm@:800 --public a.svm@800: --classes 0,1 --teachers 100 --epsilon 4 --delta 1e-4 --silences 5 "$@"; }
expect 0 'labels and' teach --ledger t.ledger a.svm@850:
[ "$(sed 1d out | wc -l)" -eq 50 ] || complain "50 queries, $(sed 1d out | wc -l) answers"
tail -n 50 a.svm >new.svm
expect 0 'labels and' teach --ledger t.ledger - <new.svm

# Wrong input: one line, no ledger, no answers.
bad() { answer --ledger bad.ledger -o bad.csv "$@"; }
expect 2 '--ledger FILE is missing' answer --votes u8.npy
expect 2 'the budget is missing' "$FUMATA" answer --votes u8.npy --classes a,b --ledger bad.ledger
expect 2 'the budget is missing' "$FUMATA" answer --votes u8.npy --classes a,b --ledger bad.ledger --epsilon 1 --delta 1e-5
expect 2 '--classes is missing' "$FUMATA" answer --votes u8.npy --plan p.plan --ledger bad.ledger
expect 2 '--votes FILE or --private' bad
expect 2 'leave out --private' bad --votes u8.npy --private a.svm
expect 2 'fumata vote writes it beside a share of votes' bad --votes u8.npy queries.svm
expect 2 'already sets' bad --votes u8.npy --epsilon 1
expect 2 'is not one of labels, counts' bad --votes u8.npy --votes-are shares
expect 2 '--batch' bad --votes u8.npy --batch 0
expect 2 'none.npy' bad --votes none.npy
expect 2 'wide.npy' bad --votes wide.npy --votes-are counts
expect 2 'one.npy' bad --votes one.npy
expect 2 'text.npy' bad --votes text.npy
expect 2 'short.npy' bad --votes short.npy
expect 2 'long.npy' bad --votes long.npy
expect 2 'u8.npy' "$FUMATA" answer --votes u8.npy --classes cat,dog,cow --plan u8.npy --ledger bad.ledger
sed 's/^alpha .*/alpha 2/' p.plan | sed '$d' >body; { cat body; echo "end $(sha256sum <body | cut -d' ' -f1)"; } >forged.plan
expect 1 'does not certify' "$FUMATA" answer --votes u8.npy --classes cat,dog,cow --plan forged.plan --ledger bad.ledger
expect 2 '--teachers K is missing' "$FUMATA" answer --private a.svm --public new.svm --classes 0,1 --plan p.plan --ledger bad.ledger
expect 2 'none.svm' teach --ledger bad.ledger none.svm
expect 3 'nowhere' answer --votes u8.npy --ledger l2.ledger -o /proc/nowhere/at/all.csv
[ ! -e l2.ledger ] || complain "a ledger was made for answers that have no place"
[ ! -e bad.ledger ] && [ ! -e bad.csv ] || complain "a wrong file left something behind"
# Rows of another length: seen beforehand in a file, and an empty ballot in a stream.
{ head -n 5 labels.csv; echo cat,dog; sed -n '6,9p' labels.csv; } >ragged.csv
expect 2 'ragged.csv:6: 2 cells, but the header has 300' bad --votes ragged.csv
gzip -k ragged.csv
expect 2 'ragged.csv.gz:6: 2 cells, but the header has 300' bad --votes ragged.csv.gz
head -c 1000 u8.npy.gz >cut.npy.gz
expect 2 'cut.npy.gz' bad --votes cut.npy.gz
[ ! -e bad.ledger ] && [ ! -e bad.csv ] || complain "a damaged file left something behind"
rm -f l.ledger*
expect 0 'silences left' answer --votes - --ledger l.ledger <ragged.csv
[ "$(sed -n 6p out)" = 4,silent ] && [ "$(wc -l <out)" -eq 10 ] || complain "a short row stopped a stream"
# A bad vote abstains, wherever it comes from: query 0 and 2 are answered, query 1 has no votes.
for f in bad_u8.npy bad_u16.npy bad_i1.npy bad_i8.npy bad_f8.npy bad_i4.npy bad_labels.csv bad_counts.csv; do
  gzip -kf $f
  for from in $f $f.gz -; do
    rm -f l.ledger*
    expect 0 '2 labels and 1 silences' answer --votes "$from" --ledger l.ledger --unsafe-seed 3 <$f
    [ "$(paste -sd' ' out)" = 'id,answer 0,cat 1,silent 2,dog' ] || complain "$f from $from: $(paste -sd' ' out)"
  done
done

# The toll. Of two classes it needs nothing; each query gets one of both, never silence, and there are L of them.
rm -f l.ledger*
awk 'BEGIN { print "no,yes"; for (i = 0; i < 60; i++) print i % 3 ? "0,300" : "300,0" }' >two.csv
toll() { "$FUMATA" answer --votes two.csv --classes no,yes --ledger l.ledger "$@"; }
expect 0 'the budget is closed: all 40 answers are used; 40 answers now' toll --epsilon 3 --delta 1e-4 --answers 40
[ "$(wc -l <out)" -eq 41 ] || complain "40 answers, $(($(wc -l <out) - 1)) lines"
sed 1d out | awk -F, '$2 != ($1 % 3 ? "yes" : "no") { bad++ } $2 == "silent" { bad += 99 } END { exit bad > 2 }' ||
  complain "a unanimous vote is not answered with its winner: $(paste -sd' ' out)"
expect 0 '40 answers: 40 given, 0 lost in crashes, 0 left' "$FUMATA" ledger show l.ledger
expect 0 '40 answers that an earlier run paid for are taken up' toll --epsilon 3 --delta 1e-4 --answers 40
toll_piped() { "$FUMATA" answer --votes - --classes no,yes --ledger l.ledger "$@" <two.csv; }
expect 1 "this plan's 40 answers are spent" toll_piped --epsilon 3 --delta 1e-4 --answers 40
rm -f l.ledger*
expect 0 '60 answers; 40 of 100 answers left' toll --epsilon 3 --delta 1e-4 --answers 100 --reserve 7
expect 0 '100 answers: 60 given, 0 lost in crashes, 40 left' "$FUMATA" ledger show l.ledger
expect 0 'answers left 40 answers 4' "$FUMATA" ledger show --rows l.ledger
[ "$(grep -c reserve out)" -eq 9 ] || complain "60 answers in sevens are not 9 reservations: $(cat out)"
expect 0 '"answers_left": 40' "$FUMATA" ledger show --json l.ledger
python3 -c 'import json; p = json.load(open("out"))["plans"][0]; assert (p["answers_limit"], p["answers"], p["answers_lost"]) == (100, 60, 0)' ||
  complain "show --json does not tell of answers"
# Silences are reserved in batches too, and what is not used comes back.
rm -f l.ledger*
expect 0 'silences left' answer --votes u8.npy --ledger l.ledger --unsafe-seed 3 --reserve 25
cmp -s u8.npy.answers out || complain "other answers from batches of reservations"
"$FUMATA" ledger show l.ledger >shown
grep -q ' 0 lost in crashes' shown || complain "a clean end lost silences: $(cat shown)"

# Of more classes, a public file says which two; one empty row is the meter's.
awk 'BEGIN { print "first,second"; for (i = 0; i < 400; i++) print i % 4 == 3 ? "," : i % 4 == 2 ? "cow,cat" : "cat,dog" }' >pairs.csv
"$FUMATA" plan --epsilon 6 --delta 1e-4 --silences 60 --answers 300 -o both.plan >/dev/null || complain "no plan for both"
both() { "$FUMATA" answer --classes cat,dog,cow --plan both.plan --votes u8.npy --ledger l.ledger "$@"; }
rm -f l.ledger*
expect 0 '0 of 300 answers left' both --candidates pairs.csv
[ "$(wc -l <out)" -eq 401 ] || complain "not every query was answered"
sed 1d out | paste -d, - truth | awk -F, '
  $1 % 4 != 3 && ($2 == "silent" || $2 == ($1 % 4 == 2 ? "dog" : "cow")) { bad++ }
  $1 % 10 && $1 % 4 != 3 && $3 != ($1 % 4 == 2 ? "dog" : "cow") { n++; right += $2 == $3 }
  END { exit !(!bad && n > 150 && right > n - 5) }' || complain "the toll does not choose between its candidates"
expect 0 '300 answers: 300 given' "$FUMATA" ledger show l.ledger
rm -f l.ledger*
expect 0 'labels and' both                      # without candidates the meter is asked
rm -f l.ledger*
head -n 101 pairs.csv >few.csv
expect 0 'few.csv ends after 100 queries' "$FUMATA" answer --classes cat,dog,cow --plan both.plan --votes labels.csv \
  --ledger l.ledger --candidates few.csv
[ "$(wc -l <out)" -eq 101 ] || complain "queries without candidates were answered"
rm -f l.ledger*
bothbad() { "$FUMATA" answer --classes cat,dog,cow --plan both.plan --votes u8.npy --ledger bad.ledger -o bad.csv "$@"; }
expect 2 'few.csv: candidates for 100 queries, but u8.npy has 400' bothbad --candidates few.csv
expect 2 'which two are the candidates: --candidates FILE' bothbad --kind toll
expect 2 'leave out --kind' bothbad --kind toll --candidates pairs.csv
expect 2 'is not one of meter, toll' bothbad --kind sieve
sed '7s/.*/cat,bird/' pairs.csv >wrong.csv
expect 2 '^fumata: wrong.csv:7: "bird" is not a declared class' bothbad --candidates wrong.csv
sed '7s/.*/cat,cat/' pairs.csv >wrong.csv
expect 2 '^fumata: wrong.csv:7: the two candidates are the same class' bothbad --candidates wrong.csv
sed '7s/.*/cat,/' pairs.csv >wrong.csv
expect 2 '^fumata: wrong.csv:7: "" is not a declared class' bothbad --candidates wrong.csv
sed '7s/.*/cat,dog,cow/' pairs.csv >wrong.csv
expect 2 '^fumata: wrong.csv:7: 3 cells' bothbad --candidates wrong.csv
sed 1d pairs.csv >wrong.csv
expect 2 "wrong.csv:1: the header must be 'first,second'" bothbad --candidates wrong.csv
expect 2 'none.csv' bothbad --candidates none.csv
expect 2 'the plan has no answers' bad --votes u8.npy --candidates pairs.csv
expect 2 'the plan has no answers' bad --votes u8.npy --kind toll
"$FUMATA" plan --epsilon 3 --delta 1e-4 --answers 40 -o toll.plan >/dev/null
expect 2 'the plan has no silences' "$FUMATA" answer --votes two.csv --classes no,yes --plan toll.plan --kind meter --ledger bad.ledger
expect 2 '--reserve' bad --votes u8.npy --reserve 0
awk 'BEGIN { for (i = 0; i < 5; i++) printf "t%d%s", i, i < 4 ? "," : "\n"; print "no,no,no,yes,yes" }' >five.csv
expect 1 '5 teachers are too few: even a unanimous vote would be answered with its loser' \
  "$FUMATA" answer --votes five.csv --classes no,yes --plan toll.plan --ledger bad.ledger

exit "$failed"
