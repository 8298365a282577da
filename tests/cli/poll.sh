#!/bin/sh
# fumata learn by poll: the whole way, who votes by default, what is said of the claim, kills in the middle, other files, and that
# what happens to one record changes nothing for the others.
. "$(dirname "$0")/common"

clinic 6000 1 >private.csv
clinic 1500 2 >public.csv
clinic 2000 3 >test.csv
learn() { "$FUMATA" learn --private private.csv --public public.csv --label sick --classes no,yes --delta 1e-5 "$@"; }
fresh() {
  rm -f ./*.ledger*
  learn "$@"
}

# The whole way.
expect 0 'pay for [0-9]* votes per record; the core certifies it' fresh --epsilon 1 --test test.csv -o one
grep -q '^asked about [0-9]* of 1500 public records: [0-9]* answers$' out || complain "not told what was asked: $(cat out)"
for pair in 'voters neighbours' 'mechanism poll' 'protects records' 'neighbours one record is added or removed' \
  'changed one that is changed is one removed and one added: 2 epsilon and (1 + e^epsilon) delta' 'aim accuracy' 'total_epsilon 1' 'count_epsilon 0.02'; do
  [ "$(value one/summary.json "${pair%% *}")" = "${pair#* }" ] || complain "summary: not $pair"
done
[ "$(value one/summary.json asked)" = "$(value one/summary.json answered)" ] || complain "questions without an answer"
awk -F, 'NR > 1 && ($3 != "poll" || $2 !~ /^(no|yes)$/) { exit 1 }' one/labels.csv || complain "labels that are not a poll's"
python3 -c 'import sys; sys.exit(float(sys.argv[1]) < 0.9)' "$(value one/summary.json test_accuracy)" ||
  complain "the student has learned too little: $(value one/summary.json test_accuracy)"
expect 0 'epsilon   1 spent, total 1' "$FUMATA" ledger show private.csv.ledger
expect 0 'whole' "$FUMATA" ledger verify private.csv.ledger
expect 0 'no' "$FUMATA" predict --model one/student.model test.csv
"$FUMATA" report one -o page.html >/dev/null 2>&1 || complain "no report"
grep -q 'for it the claim is 2ε' page.html || complain "the report does not say what a changed record means"
grep -q 'together, for one added or removed: <b>ε = 1</b>' page.html || complain "the sum of a ledger with a poll is not qualified"
grep -q 'counts at most <b>B = ' page.html || complain "the report does not say how often each votes"
[ "$(stat -c %a private.csv.ledger)" = 600 ] || complain "the ledger, which keeps who was asked, can be read by others"

# The same command again has all answers, for nothing.
expect 0 'answers, [0-9]* of them given and paid for by an earlier run' learn --epsilon 1 --test test.csv -o two
cmp -s one/labels.csv two/labels.csv || complain "other answers the second time"
cmp -s one/student.model two/student.model || complain "another student the second time"
[ "$(value two/summary.json recalled)" = "$(value two/summary.json asked)" ] || complain "something was asked again"
expect 0 'epsilon   1 spent, total 1' "$FUMATA" ledger show private.csv.ledger
expect 1 'this run adds epsilon' learn --epsilon 1 --about 6000 --again -o bad
expect 0 'written' learn --epsilon 1 --again --raise-total -o anew
[ "$(value anew/summary.json recalled)" = 0 ] || complain "--again asked nothing anew"

# Another version of the private file is not this poll's: how often each record voted is not its.
rm -f private.csv.ledger*
expect 0 'written' learn --epsilon 1 --about 6000 -o v1
cp private.csv kept.csv
sed -i '$d' private.csv
expect 1 'another data set' learn --epsilon 1 --about 6000 -o bad
expect 1 'another version of the private file.*a new version needs a plan of its own.*--again' \
  learn --epsilon 1 --about 6000 --same-data-set -o bad
expect 1 'these do not add up' learn --epsilon 1 --about 6000 --same-data-set --unit person -o bad
mv private.csv other.csv
cp kept.csv private.csv
expect 0 'written' fresh --epsilon 1 -o counted
mv other.csv private.csv
"$FUMATA" ledger show --rows private.csv.ledger >before
expect 1 'another version of the private file' learn --epsilon 1 --same-data-set --raise-total -o bad
"$FUMATA" ledger show --rows private.csv.ledger | cmp -s - before || complain "a count was paid for, and then the poll was refused"
cp kept.csv private.csv
rm -f private.csv.ledger*
expect 0 'written' learn --epsilon 1 --about 6000 -o again
sed -i '$d' private.csv
expect 0 'written' learn --epsilon 1 --about 6000 --same-data-set --again --raise-total -o v2
mv kept.csv private.csv

# Killed at any time, then run to its end: one plan is paid for, and no answer twice.
rm -f private.csv.ledger*
kills=0
for pause in 0.02 0.05 0.1 0.15 0.2 0.25 0.3 0.4 0.5 0.6; do
  "$FUMATA" learn --private private.csv --public public.csv --label sick --classes no,yes --delta 1e-5 --epsilon 1 --about 6000 \
    -o killed >said 2>&1 & # not by the function: its shell would be killed
  child=$!
  sleep $pause
  kill -9 $child 2>/dev/null && kills=$((kills + 1))
  wait $child 2>/dev/null
  [ ! -e killed/summary.json ] || break
  rm -rf killed
done
[ -e killed/summary.json ] || expect 0 'written' learn --epsilon 1 --about 6000 -o killed
[ $kills -gt 1 ] || complain "nothing was killed"
expect 0 'whole' "$FUMATA" ledger verify private.csv.ledger
expect 0 'epsilon   1 spent, total 1' "$FUMATA" ledger show private.csv.ledger
expect 0 'written' learn --epsilon 1 --about 6000 -o after
recalled=$(value after/summary.json recalled)
[ "$recalled" = "$(value after/summary.json asked)" ] || complain "only $recalled answers were kept"
cmp -s killed/labels.csv after/labels.csv || complain "another outcome after the kills"

# With the same coins: a record far from every question, or the records in another order, change no answer. (The first two columns
# are places of their own; no other is near the stranger.)
awk 'BEGIN { srand(4); print "x,y,z"; for (i = 0; i < 4000; i++) { x = rand(); y = rand(); printf "%.4f,%.4f,%d\n", x, y, (x > y) } }' >base.csv
awk 'BEGIN { srand(5); print "x,y,z"; for (i = 0; i < 1000; i++) { x = rand(); y = rand(); printf "%.4f,%.4f,0\n", x, y } }' >around.csv
printf 'label z\nclass 0\nclass 1\ncolumn x\n  number -9 9\ncolumn y\n  number -9 9\n' >wide.schema
{ sed -n 1,2000p base.csv; echo '9,-9,0'; sed 1,2000d base.csv; } >stranger.csv
{ sed -n 1p base.csv; sed 1d base.csv | tac; } >order.csv
for file in base stranger order; do
  "$FUMATA" learn --private $file.csv --public around.csv --schema wide.schema --epsilon 0.5 --delta 1e-5 --about 4000 \
    --unsafe-seed 3 -o s-$file >said 2>&1 || complain "$file: $(cat said)"
  cmp -s s-base/labels.csv s-$file/labels.csv || complain "$file: other answers"
  cmp -s s-base/student.model s-$file/student.model || complain "$file: another student"
done
grep -q '"warning": "NOT PRIVATE' s-base/summary.json || complain "a seeded run does not say so"

# A person has one vote: ten times the records of every second one change little, and the claim says whose they are.
expect 0 'units are asked a question' fresh --epsilon 4 --unit person --test test.csv -o owned
[ "$(value owned/summary.json neighbours)" = 'all records of one unit (person) are added or removed' ] ||
  complain "the claim does not speak of units"

# More than two classes are halved; and the student may be named.
awk 'BEGIN { srand(6); print "x,y,z"; for (i = 0; i < 6000; i++) { x = rand(); y = rand(); z = x > y ? (x > 1 - y ? "e" : "s") : (x > 1 - y ? "n" : "w"); printf "%.4f,%.4f,%s\n", x, y, z } }' >four.csv
expect 0 'written' "$FUMATA" learn --private four.csv@0:4000 --public four.csv@4000:5000 --test four.csv@5000: --label z \
  --classes e,s,n,w --epsilon 4 --delta 1e-5 --student trees -o four
python3 -c 'import sys; sys.exit(float(sys.argv[1]) < 0.7)' "$(value four/summary.json test_accuracy)" ||
  complain "four classes: $(value four/summary.json test_accuracy)"
case $(value four/summary.json student) in trees*) ;; *) complain "not the student that was named" ;; esac

# Who votes without --voters.
voters() { # WANTED OPTION...
  wanted=$1
  shift
  rm -rf w ./*.ledger*
  learn --epsilon 8 "$@" -o w >said 2>&1 || complain "$* $(cat said)"
  [ "$(value w/summary.json voters)" = "$wanted" ] || complain "$*: not $wanted"
}
voters neighbours --about 6000
voters neighbours --about 6000 --aim balanced
voters neighbours --about 6000 --learner trees
voters teachers --teachers 100
voters teachers --about 6000 --ask margin
voters teachers --silences 5
"$FUMATA" plan --mechanism poll --votes 20 --epsilon 2 --delta 1e-5 -o poll.plan >said 2>&1 || complain "no plan: $(cat said)"
rm -f ./*.ledger*
planned() { "$FUMATA" learn --private private.csv --public public.csv --label sick --classes no,yes --plan poll.plan "$@"; }
expect 0 'pay for 20 votes per record' planned --about 6000 -o planned
expect 2 'needs --about N' planned -o bad
expect 2 '^fumata: --teachers is for teachers' learn --epsilon 1 --voters neighbours --teachers 5 -o bad
expect 2 'exec learners are for teachers' learn --epsilon 1 --voters neighbours --learner exec:cat -o bad
expect 2 "'everybody' is not one of neighbours, teachers" learn --epsilon 1 --voters everybody -o bad
expect 2 'is not accuracy or balanced' learn --epsilon 1 --aim high -o bad
expect 1 'too few private records' fresh --epsilon 0.01 --about 60 -o bad
expect 0 'written' fresh --epsilon 0.01 --about 60 --anyway -o anyway

exit $failed
