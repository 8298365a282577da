#!/bin/sh
# fumata learn --dry-run: says what a run would do, by public data alone; spends and writes nothing.
. "$(dirname "$0")/common"

clinic 2000 1 >private.csv
clinic 500 2 >public.csv
dry() { # [OPTION...]
  "$FUMATA" learn --private private.csv --public public.csv --label sick --classes no,yes --epsilon 4 --delta 1e-5 --dry-run "$@"
}

expect 0 '500 public records to ask about, 2 classes' dry --about 2000
for line in '"height" *number' 'plan: poll, epsilon 4 and delta 1e-5 pay for [0-9]* votes per record; the core certifies it' \
  '[0-9]* questions, each to about [0-9]* of 2000 records; for one added or removed (one that is changed: 2 epsilon)' \
  '100 % *answered as they vote in' 'time: about' 'nothing was spent'; do
  grep -q -e "$line" out || complain "nothing like '$line': $(cat out)"
done
expect 0 'Plans for some N' dry
grep -q '^ *10000  [0-9]* questions to about [0-9]* each, [0-9]* votes per record' out || complain "no plans for some N: $(cat out)"
expect 0 '500 public records to ask about, 2 classes' dry --about 2000 --voters teachers
for line in '"height" *number' 'plan: toll, epsilon 4 and delta 1e-5 pay for [0-9]* answers; the core certifies it' \
  '[0-9]* teachers, about [0-9]* records each' '100 % *the toll.s answer is their class in' 'time: about' 'nothing was spent'; do
  grep -q -e "$line" out || complain "nothing like '$line': $(cat out)"
done
expect 0 'silent *[0-9.]* %; if all are like this: about [0-9]* labels for 50 silences' dry --teachers 150 --mechanism meter --silences 50
expect 0 'Plans for some N' dry --voters teachers
grep -q '^ *10000  [0-9]* teachers, [0-9]* answers' out || complain "no plans for some N: $(cat out)"
[ "$(find . -name '*ledger*' | wc -l)" = 0 ] || complain "a dry run makes a ledger"
[ "$(find . -name student.model | wc -l)" = 0 ] || complain "a dry run writes"

# A plan is what a run then takes.
for voters in neighbours teachers; do
  rm -rf o private.csv.ledger
  dry --about 2000 --voters $voters | sed -n 's/^plan: .* pay for \(.*\);.*/\1/p' >planned
  "$FUMATA" learn --private private.csv --public public.csv --label sick --classes no,yes --epsilon 4 --delta 1e-5 --about 2000 \
    --voters $voters -o o >said 2>&1 || complain "$(cat said)"
  sed -n 's/^plan: .* pay for \(.*\);.*/\1/p' said | cmp -s - planned || complain "planned $(cat planned), but: $(cat said)"
done

# Whatever the private file holds, the same is said.
for options in '' '--about 2000' '--voters teachers' '--voters teachers --about 2000'; do
  # shellcheck disable=SC2086 # nothing, or several words
  dry $options 2>&1 | grep -v '^time' >first
  echo 'no records at all' >other.csv
  # shellcheck disable=SC2086
  "$FUMATA" learn --private other.csv --public public.csv --label sick --classes no,yes --epsilon 4 --delta 1e-5 --dry-run $options 2>&1 |
    grep -v '^time' >second
  cmp -s first second || complain "the private file makes a difference: $(diff first second)"
done
expect 2 'this is the private file' "$FUMATA" learn --private public.csv --public public.csv --label sick --classes no,yes --epsilon 4 \
  --delta 1e-5 --dry-run

exit "$failed"
