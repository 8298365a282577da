#!/bin/sh
# shellcheck disable=SC3045 # dash and bash have ulimit -c
# What a run leaves where it must not: private rows in TMPDIR or in a memory image, escape sequences on a terminal, a silent end.
. "$(dirname "$0")/common"

clinic 400 1 >private.csv
clinic 200 2 >public.csv

# A learner's files, of a run that was killed, are removed by the next one; those of a run at work are not.
slow_learner
NAP=2 "$FUMATA" learn --private private.csv --public public.csv --label sick --classes no,yes --epsilon 8 --delta 1e-3 --teachers 3 \
  --silences 4 --anyway --learner "exec:$work/slow" -o killed >/dev/null 2>&1 &
child=$!
for _ in $(seq 100); do [ "$(wc -l 2>/dev/null <begun || echo 0)" -ge 5 ] && break; sleep 0.1; done
kill -9 $child
wait $child 2>/dev/null
sleep 2.5 # the learner's own processes end
[ -n "$(ls tmp)" ] || complain "nothing was left: the test is none"
mkdir tmp/fumata.exec.atwork
touch -d '1 hour ago' tmp/fumata.exec.*
flock -s tmp/fumata.exec.atwork "$FUMATA" learn --private private.csv --public public.csv --label sick --classes no,yes --epsilon 8 \
  --delta 1e-3 --teachers 3 --silences 4 --anyway --learner "exec:$work/slow" --ledger other -o o >said 2>&1 || complain "$(cat said)"
[ "$(ls tmp)" = fumata.exec.atwork ] || complain "left in TMPDIR: $(ls tmp)"

# A crash leaves no memory image while private rows are in memory, unless it is asked for.
mkfifo feed
# shellcheck disable=SC3045 # dash and bash have -c
ulimit -c unlimited 2>/dev/null
for options in '' --core-dumps; do
  # shellcheck disable=SC2086 # none or one word
  "$FUMATA" answer --votes - --classes no,yes --epsilon 2 --delta 1e-5 --silences 5 --ledger cores $options <feed >/dev/null 2>&1 &
  child=$!
  exec 9>feed
  limit=
  for _ in $(seq 50); do
    sleep 0.1
    limit=$(awk '/Max core file size/ { print $5 }' /proc/$child/limits)
    [ -n "$options" ] || [ "$limit" != 0 ] || break
  done
  exec 9>&-
  wait $child
  [ -n "$options" ] || [ "$limit" = 0 ] || complain "a memory image of $limit bytes may be left"
  # shellcheck disable=SC3045
  [ -z "$options" ] || [ "$limit" = "$(ulimit -c)" ] || complain "--core-dumps leaves a limit of $limit"
done

# Names from a file do not talk to the terminal.
escape=$(printf '\033')
sed "s/sick/si${escape}[31mck/" public.csv >public2.csv
sed "s/sick/si${escape}[31mck/" private.csv >private2.csv
"$FUMATA" learn --private private2.csv --public public2.csv --label "si${escape}[31mck" --classes "no,y${escape}[31mes|yes" --epsilon 8 --delta 1e-3 \
  --teachers 40 --silences 4 --anyway -o o3 >/dev/null 2>said || complain "$(cat said)"
"$FUMATA" model show o3/student.model >shown || complain "cannot show"
grep -q "$escape" shown && complain "an escape sequence reaches the terminal: $(cat -v shown | head -n 3)"

# A file that may not grow is an error with a line, not a silent end.
(ulimit -f 1; "$FUMATA" plan --epsilon 8 --delta 1e-5 --silences 1000 -o large.plan >/dev/null 2>err; echo $? >code)
[ "$(cat code)" = 3 ] && grep -q 'File too large' err || complain "exit $(cat code): $(cat err)"

# A dry run reads the names of the private columns and not one record.
for file in private.csv header.csv; do
  head -n 1 private.csv >header.csv
  "$FUMATA" learn --private $file --public public.csv --label sick --classes no,yes --epsilon 4 --delta 1e-5 --dry-run >said.$file 2>&1 ||
    complain "$(cat said.$file)"
done
cmp said.private.csv said.header.csv >&2 || complain "a dry run knows of private records"

exit "$failed"
