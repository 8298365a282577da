#!/bin/sh
# `fumata learn`, of which every call that touches the ledger or the results fails, or is the last one of the process, in turn.
# Called by run, in an empty directory. Afterwards every answer that was bought can be printed, the same command goes on with
# them, and no question is paid for twice.
set -eu
if [ -w /dev/shm ]; then
  memory=$(mktemp -d /dev/shm/fumata-faults.XXXXXX)
  trap 'rm -rf "$memory"' EXIT
  cd "$memory"
fi
FUMATA_REGISTRY=off
export FUMATA_REGISTRY
fail() { echo "learn: $*" >&2; exit 1; }
records() {
  awk -v n="$1" -v seed="$2" 'BEGIN { srand(seed); print "height,sick"
    for (i = 0; i < n; i++) { h = 150 + 50 * rand(); printf "%.5f,%s\n", h, (h > 175 ? "yes" : "no") } }'
}
records 600 1 >private.csv
records 60 2 >public.csv
learn() {
  "$FUMATA" learn --private private.csv --public public.csv --label sick --classes no,yes --teachers 30 --epsilon 8 --delta 1e-3 \
    --silences 4 --answers 12 --anyway --quiet --ledger "$PWD/l" -o "$PWD/o"
}
shim() { # shim DO AT PREFIX
  FUMATA_SHIM_DO=$1 FUMATA_SHIM_AT=$2 FUMATA_SHIM_LEDGER=$3 FUMATA_SHIM_COUNT=$PWD/count LD_PRELOAD=$FAULT_SHIM learn
}
# printed FILE: how many answers the ledger has, which must be as many as it counts as given
printed() {
  : >"$1"
  [ -e l ] || return 0
  "$FUMATA" ledger answers l 2>/dev/null | sed 1d >"$1" || return 1
}
runs=0 bought=0 gone=0 twice=0
for prefix in l o; do
  rm -rf l l-* l.* o count
  shim none 0 "$PWD/$prefix" >/dev/null 2>said || fail "without a failure: $(cat said)"
  calls=$(cat count)
  for how in enospc eio short before after; do
    n=0
    while [ $n -lt "$calls" ]; do
      n=$((n + 1))
      if [ "$FAULTS" != long ] && [ $(((n + runs) % 40)) -ne 0 ]; then continue; fi
      rm -rf l l-* l.* o
      shim $how $n "$PWD/$prefix" >/dev/null 2>said || :
      printed first || fail "$how at $n of $prefix: cannot print the answers"
      # A death between two renames leaves part of the results, which are never overwritten: the operator removes them.
      if [ ! -e o/summary.json ]; then
        rm -rf o
        learn >/dev/null 2>said || fail "$how at $n of $prefix: does not go on: $(cat said)"
      fi
      printed second || fail "$how at $n of $prefix: cannot print the answers at the end"
      lost=$(head -n "$(wc -l <first)" second | cmp -s - first || echo 1)
      [ -z "$lost" ] || gone=$((gone + 1))
      cut -d, -f 2,4 second | sort | uniq -d | grep -q . && twice=$((twice + 1))
      cut -d, -f 2-4 second | sort >asked
      sed 1d o/labels.csv | sort | cmp -s - asked || gone=$((gone + 1))
      given=$("$FUMATA" ledger show --json l | sed -n 's/.*"silences": \([0-9]*\),.*"labels": \([0-9]*\),.*"answers": \([0-9]*\),.*/\1 \2 \3/p' |
        awk '{ print $1 + $2 + $3 }')
      [ "$given" = "$(wc -l <second)" ] || gone=$((gone + 1))
      bought=$((bought + $(wc -l <second)))
      runs=$((runs + 1))
    done
  done
done
echo "learn: $runs failures at every call (full disk, EIO, short write, death before and after): $bought answers bought," \
  "$gone runs with one that cannot be printed, $twice with one paid twice"
[ $gone$twice = 00 ]
