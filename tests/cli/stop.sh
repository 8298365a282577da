#!/bin/sh
# Ctrl-C, SIGTERM and a reader that goes away: one line or none, nothing half-made, no reservation lost.
. "$(dirname "$0")/common"

clinic 400 1 >private.csv
clinic 200 2 >public.csv
clinic 20000 3 >t.csv

# until_there FILE LINES: waits for a file to have LINES lines, ten seconds at most
until_there() {
  for _ in $(seq 100); do
    # shellcheck disable=SC2086 # a pattern may stand for the file
    [ "$(cat $1 2>/dev/null | wc -l)" -ge "$2" ] && return
    sleep 0.1
  done
  complain "$1 never had $2 lines"
}

# stop SIGNAL NUMBER LINE FILE LINES COMMAND...: the command, which reads standard input from a pipe that stays open,
# gets the signal once FILE has LINES lines, and dies of it with one line on stderr that is like LINE
stop() {
  signal=$1 number=$2 line=$3 file=$4 lines=$5
  shift 5
  rm -f feed
  mkfifo feed
  env --default-signal=INT,TERM,HUP "$@" <feed >out 2>err &
  child=$!
  exec 9>feed
  cat votes.csv >&9
  until_there "$file" "$lines"
  kill -s "$signal" $child
  wait $child 2>/dev/null
  got=$?
  exec 9>&-
  [ $got = $((128 + number)) ] || complain "$signal: exit $got: $(cat err)"
  grep -q -e "$line" err || complain "$signal: nothing like '$line': $(cat err)"
}

awk 'BEGIN { for (t = 1; t < 300; t++) printf "t%d,", t; print "t300"
  for (q = 0; q < 50; q++) { for (t = 1; t < 300; t++) printf "yes,"; print "yes" } }' >votes.csv
for signal in 'INT 2' 'TERM 15' 'HUP 1'; do
  # shellcheck disable=SC2086 # two words
  stop $signal "stopped by SIG${signal% *}: the answers so far stand, and the ledger l has what they cost" out 51 \
    "$FUMATA" answer --votes - --classes no,yes --epsilon 2 --delta 1e-5 --silences 5 --ledger l
  "$FUMATA" ledger show l >shown || complain "the ledger is not whole"
  grep -q ' 0 not closed' shown || complain "a session was left open: $(cat shown)"
  grep -q ' 0 lost in crashes' shown || complain "a reservation was lost: $(cat shown)"
done

# With -o what was paid for is kept. The temporary file shows how far it is.
stop INT 2 'the answers so far are written' 'kept.csv.??????' 51 \
  "$FUMATA" answer --votes - --classes no,yes --epsilon 2 --delta 1e-5 --silences 5 --ledger k -o kept.csv
[ "$(wc -l <kept.csv)" -eq 51 ] || complain "answers that were paid for are gone"
ls kept.csv.?????? >/dev/null 2>&1 && complain "a temporary file stays"

# A run that has spent nothing says so, and leaves nothing.
slow_learner
export NAP=0.2
stop TERM 15 'stopped by SIGTERM: no results were written; the ledger .*private.csv.ledger has what was spent' begun 8 \
  "$FUMATA" learn --private private.csv --public public.csv --label sick --classes no,yes --epsilon 8 --delta 1e-3 \
  --teachers 100 --silences 4 --learner "exec:$work/slow" -o o --unsafe-seed 1
[ ! -e o ] || complain "left behind: $(find o)"
"$FUMATA" ledger verify private.csv.ledger >said 2>&1 || complain "the ledger is not whole: $(cat said)"
[ -z "$(ls tmp)" ] || complain "left in TMPDIR: $(ls tmp)"

# A reader that has seen enough is not an error.
rm -f private.csv.ledger
"$FUMATA" learn --private private.csv --public public.csv --label sick --classes no,yes --epsilon 8 --delta 1e-3 --teachers 100 \
  --silences 4 -o o >said 2>&1 || complain "no student: $(cat said)"
{ "$FUMATA" predict --model o/student.model t.csv 2>err; echo $? >code; } | head -n 1 >first
[ "$(cat first)" = id,label ] || complain "no first line"
[ "$(cat code)" = 141 ] || complain "exit $(cat code) where the reader has gone"
[ ! -s err ] || complain "predict | head says: $(cat err)"
"$FUMATA" predict --model o/student.model t.csv >/dev/full 2>err && complain "a full disk is not an error"
grep -q 'cannot write: No space left' err || complain "a full disk: $(cat err)"
"$FUMATA" ledger show private.csv.ledger >/dev/full 2>err && complain "ledger show does not see a full disk"

exit "$failed"
