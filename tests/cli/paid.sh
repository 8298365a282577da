#!/bin/sh
# What was paid for is never lost and never paid for twice: answers outlive kills, errors and full disks, and the same command
# goes on with them.
. "$(dirname "$0")/common"
export PYTHONPATH="$here/shell/door/python" FUMATA_LIBRARY="${BUILD:-$here/build}/libfumata-door.so" PYTHONDONTWRITEBYTECODE=1

clinic 4000 1 >private.csv
clinic 1000 2 >public.csv
learn() {
  "$FUMATA" learn --private private.csv --public public.csv --label sick --classes no,yes --delta 1e-5 --teachers 100 "$@"
}
answers() { "$FUMATA" ledger answers "$@" >printed || complain "cannot print the answers of $*"; }

# learn, killed again and again until it has got through: nothing that could be printed after a kill is missing or other later,
# no record is asked about twice, and the folder of results has all of it.
for how in '--epsilon 1' '--epsilon 4 --silences 20 --answers 60'; do
  rm -rf private.csv.ledger* o
  kills=0 moment=0
  : >before
  while [ ! -e o/summary.json ] && [ $kills -lt 60 ]; do
    moment=$(((moment + 37) % 211 + 20 + kills))
    # shellcheck disable=SC2086 # words
    "$FUMATA" learn --private private.csv --public public.csv --label sick --classes no,yes --delta 1e-5 --teachers 100 $how \
      -o o >/dev/null 2>err & # not by the function: its shell would be killed
    sleep "0.$(printf %03d $moment)"
    [ $kills -gt 40 ] || kill -9 $! 2>/dev/null
    wait $! 2>/dev/null
    kills=$((kills + 1))
    [ -e private.csv.ledger ] || continue
    answers private.csv.ledger
    head -n "$(wc -l <before)" printed | cmp -s - before || complain "$how: an answer is gone after kill $kills"
    cp printed before
  done
  [ -e o/summary.json ] || complain "$how: never got through: $(cat err)"
  [ "$(cut -d, -f 2,4 before | sort | uniq -d)" = '' ] || complain "$how: asked twice: $(cut -d, -f 2,4 before | sort | uniq -d | head -3)"
  sed 1d before | cut -d, -f 2-4 | sort >asked
  sed 1d o/labels.csv | sort | cmp -s - asked || complain "$how: the results are not what was paid for"
done

# A failing write of the results loses nothing either: the same command writes them, and pays nothing.
rm -rf private.csv.ledger* o
learn --epsilon 1 -o o >/dev/null 2>&1 || complain "no run"
mv o whole
"$FUMATA" ledger show private.csv.ledger | grep epsilon >spent
learn --epsilon 1 -o o >said 2>&1 || complain "does not go on: $(cat said)"
cmp -s whole/labels.csv o/labels.csv || complain "other answers at the second time"
"$FUMATA" ledger show private.csv.ledger | grep epsilon | cmp -s - spent || complain "paid for twice"

# answer keeps what it has answered when a later query is wrong.
awk 'BEGIN { print "no,yes"; for (i = 0; i < 60; i++) print i == 50 ? "\"0,1" : i % 3 ? "0,300" : "300,0" }' >two.csv
"$FUMATA" answer --votes - --votes-are counts --classes no,yes --ledger l --epsilon 3 --delta 1e-4 --answers 60 --batch 20 \
  -o got.csv <two.csv 2>err && complain "a wrong vote is not an error"
[ "$(wc -l <got.csv)" -eq 41 ] || complain "answers that were paid for are not in the file: $(wc -l <got.csv)"
answers l
[ "$(wc -l <printed)" -eq 41 ] || complain "answers that were paid for cannot be printed"
sed 1d got.csv >written
sed 1d printed | cut -d, -f 2,3 | cmp -s - written || complain "printed and written answers differ"
"$FUMATA" ledger answers --json l | head -n 1 | grep -q '"id": 0, "answer": "[a-z]*", "kind": "toll", "first": "no", "second": "yes"' ||
  complain "JSON: $("$FUMATA" ledger answers --json l | head -n 1)"

# A poll's answers say what was asked: which record, and the two sides, of which the answer is one.
awk 'BEGIN { srand(6); print "x,y,z"; for (i = 0; i < 3000; i++) { x = rand(); y = rand(); z = x > y ? (x > 1 - y ? "e" : "s") : (x > 1 - y ? "n" : "w"); printf "%.4f,%.4f,%s\n", x, y, z } }' >four.csv
for classes in no,yes e,s,n,w; do
  case $classes in
    no,yes) set -- --private private.csv --public public.csv --label sick ;;
    *) set -- --private four.csv@0:2500 --public four.csv@2500: --label z ;;
  esac
  rm -rf ./*.ledger* poll
  "$FUMATA" learn "$@" --classes $classes --epsilon 4 --delta 1e-5 -o poll >said 2>&1 || complain "no poll: $(cat said)"
  for ledger in ./*.ledger; do answers "$ledger"; done
  [ "$(head -n 1 printed)" = plan,id,answer,kind,first,second,radius ] || complain "another header: $(head -n 1 printed)"
  /usr/bin/python3 - $classes poll/summary.json printed <<'END' || complain "a poll of $classes: $(sed -n 2,4p printed)"
import csv, json, sys
classes, rows = set(sys.argv[1].split(",")), list(csv.DictReader(open(sys.argv[3])))
def names(side):
    return {word.split(":")[0] for word in side.split("|")}
for row in rows:
    first, second = names(row["first"]), names(row["second"])
    assert row["kind"] == "poll" and first <= classes and second <= classes and first and second and not first & second, row
    assert names(row["answer"]) in (first, second) and ":" not in row["answer"] and int(row["radius"]) >= 0, row
assert len(rows) == json.load(open(sys.argv[2]))["answered"]
assert max(len(names(row["first"])) for row in rows) == len(classes) / 2
END
done

# Python: an exception carries what was released, and reading the ledger meanwhile does not unlock it.
/usr/bin/python3 - <<'END' || complain "Python"
import os, subprocess, sys
import fumata, numpy
plan = fumata.plan("3", "1e-5", answers=200)
votes = numpy.zeros((50, 300), dtype=numpy.uint8)
meter = fumata.Meter(plan, "p")
first = meter.choose(votes)
assert len(first) == 50
with open("p", "rb") as ledger:  # takes SQLite's lock away
    ledger.read()
other = subprocess.run([sys.executable, "-c", """
import fumata, numpy
with fumata.Meter(fumata.plan("3", "1e-5", answers=200), "p") as meter:
    print(len(meter.choose(numpy.zeros((200, 300), dtype=numpy.uint8))))
"""], capture_output=True, text=True)
assert "in use by another process" in other.stderr, (other.stdout, other.stderr)
seen = fumata.answers("p")
assert list(seen["answer"]) == list(first) and list(seen["query"]) == list(range(50)), seen
os.rename("p", "moved")
try:
    meter.choose(votes)
    raise AssertionError("a ledger that is gone is not an error")
except fumata.Error as error:
    released = list(error.released)
assert 0 < len(released) < 50, released
os.rename("moved", "p")
try:
    meter.close()
except fumata.Error:
    pass
assert list(fumata.answers("p")["answer"]) == list(first) + released
with fumata.Meter(plan, "p") as meter:
    assert 50 + len(released) + meter.answers_left == 200
    meter.choose(votes)
assert list(fumata.answers("p")["query"]) == list(range(100 + len(released)))
END

exit "$failed"
