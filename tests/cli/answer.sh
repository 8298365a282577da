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
expect 1 'silences are spent' five
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
expect 2 'are missing' "$FUMATA" answer --votes u8.npy --classes a,b --ledger bad.ledger
expect 2 'are missing' "$FUMATA" answer --votes u8.npy --classes a,b --ledger bad.ledger --epsilon 1 --delta 1e-5
expect 2 '--classes is missing' "$FUMATA" answer --votes u8.npy --plan p.plan --ledger bad.ledger
expect 2 '--votes FILE or --private' bad
expect 2 'is too much' bad --votes u8.npy --private a.svm
expect 2 'is too much' bad --votes u8.npy queries.svm
expect 2 'already says' bad --votes u8.npy --epsilon 1
expect 2 'neither labels nor counts' bad --votes u8.npy --votes-are shares
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
# Rows of another length: seen beforehand in a file, and nobody's ballot in a stream.
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

exit "$failed"
