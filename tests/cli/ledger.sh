#!/bin/sh
# fumata ledger: its actions, and what it says about wrong words.
. "$(dirname "$0")/common"

expect 0 'usage: fumata ledger show' "$FUMATA" ledger --help
"$FUMATA" ledger make c.ledger --name clinic --total-epsilon 3 --total-delta 1/100000 || complain "make fails"
expect 0 'epsilon   0 spent, total 3' "$FUMATA" ledger show c.ledger
expect 0 'kind": "made"' "$FUMATA" ledger show c.ledger --rows --json
python3 -c 'import json; assert json.load(open("out"))["name"] == "clinic"' || complain "show --json is not JSON"
head=$(value out head)
expect 0 "c.ledger: whole, 1 rows, head $head" "$FUMATA" ledger verify c.ledger --head "$head"
expect 0 '"whole": true' "$FUMATA" ledger --json verify -- c.ledger
expect 1 'does not contain that head' "$FUMATA" ledger verify c.ledger --head "$(printf '%064d' 7)"

# Wrong words: one line.
expect 2 "no option '--nope'; fumata ledger --help" "$FUMATA" ledger show --nope c.ledger
expect 2 "no option '-x'" "$FUMATA" ledger show -x c.ledger
expect 2 '--head needs a value; fumata ledger --help' "$FUMATA" ledger verify c.ledger --head
expect 2 'is not a digest of 64' "$FUMATA" ledger verify c.ledger --head 9f2c
expect 2 '--total-epsilon: .x. is not a positive number' "$FUMATA" ledger make bad.ledger --total-epsilon x
expect 2 'ledger show does not have that option' "$FUMATA" ledger show c.ledger --name clinic
expect 2 'ledger verify does not have that option' "$FUMATA" ledger verify c.ledger --rows
expect 2 'ledger make does not have that option' "$FUMATA" ledger make bad.ledger --json
expect 2 "no action 'burn'" "$FUMATA" ledger burn c.ledger
expect 2 'none.ledger' "$FUMATA" ledger show none.ledger
"$FUMATA" ledger show 2>err
[ $? = 2 ] && grep -q 'usage: fumata ledger show' err || complain "an action without its file does not explain itself"

# While a process is at work: as it stands at that moment, and the process is not disturbed.
mkfifo feed
"$FUMATA" answer --votes - --classes no,yes --epsilon 8 --delta 1e-3 --silences 300 --ledger w.ledger --anyway <feed >answers 2>said &
exec 9>feed
echo t1,t2,t3 >&9
echo yes,yes,no >&9
until [ "$(wc -l <answers)" -ge 2 ]; do sleep 0.1; done
for count in 1 2 40; do
  i=0
  while [ $i -lt $count ]; do
    echo yes,yes,no >&9
    i=$((i + 1))
  done
  expect 0 'sessions 1, of which 1 not closed' "$FUMATA" ledger show w.ledger
  grep -q 'w.ledger: in use by another process; this is how it stands now' err || complain "not said that it is in use: $(cat err)"
  grep -q '^ledger    w.ledger, made' out || complain "shown under another name: $(cat out)"
  expect 0 'w.ledger: whole, [0-9]* rows' "$FUMATA" ledger verify w.ledger
done
exec 9>&-
wait
[ "$(wc -l <answers)" -eq 45 ] || complain "the process was disturbed: $(cat said)"
expect 0 'sessions 1, of which 0 not closed' "$FUMATA" ledger show w.ledger
[ -s err ] && complain "not in use, but said to be: $(cat err)"
[ -z "$(ls tmp)" ] || complain "left in TMPDIR: $(ls tmp)"

exit $failed
