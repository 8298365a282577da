#!/bin/sh
# Two processes start at once where there is no ledger yet: one makes it and works, the other is told that it is in use
# or comes after; neither takes away the ledger from which the other has answered. Called by run, in an empty directory.
set -eu
if [ "$FAULTS" = long ]; then rounds=30; else rounds=3; fi
plan=$FAULT_PLANS/large.plan
awk 'BEGIN { print "0,1,2"; for (i = 0; i < 400; i++) print i % 40 ? "0,18000,0" : "9000,9000,0" }' >votes.csv
i=0 told=0
while [ $i -lt $rounds ]; do
  i=$((i + 1))
  for one in a b; do
    # The votes end late, so that the one who works is still at it when the other gives up.
    { cat votes.csv; sleep 2; } | "$FUMATA" answer --votes - --votes-are counts --classes 0,1,2 --plan "$plan" \
      --ledger l.$i >out.$i.$one 2>said.$i.$one &
  done
  wait
  told=$((told + $(cat said.$i.? | grep -c 'in use by another process' || :)))
  if cat said.$i.? | grep '^fumata: ' | grep -v 'in use by another process'; then
    echo "start: an unexpected line in round $i" >&2
    exit 1
  fi
  "$FAULT_TOOL" account l.$i 0 1 out.$i.? >/dev/null
done
[ $told -gt 0 ] || { echo "start: no process was told that the ledger is in use" >&2; exit 1; }
echo "start, two at once without a ledger: $rounds rounds, $told told that it is in use, all accounted for"
