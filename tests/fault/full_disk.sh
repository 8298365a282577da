#!/bin/sh
# A disk that is really full: a small tmpfs, filled. Called by run. Needs the right to mount.
set -eu
mkdir disk
if ! mount -t tmpfs -o size=256k tmpfs disk 2>/dev/null; then
  echo "full disk: skipped, no right to mount a tmpfs (each_call.sh simulates it)"
  exit 0
fi
trap 'umount "$PWD/disk"' EXIT
fail() { echo "full disk: $*" >&2; exit 1; }
plan=$FAULT_PLANS/large.plan
"$FAULT_TOOL" answer disk/l "$plan" 20 1 1 >out.0
runs=0
for room in 4 8 12 16 20 32; do
  # Fill all but `room` kilobytes; the ledger grows until it does not fit.
  free=$(df -k --output=avail disk | tail -1)
  [ "$free" -gt "$room" ] || break
  head -c $(((free - room) * 1024)) /dev/zero >disk/ballast
  code=0
  "$FAULT_TOOL" answer disk/l "$plan" 100000 $room 1 >out.$room 2>said || code=$?
  [ $code -eq 3 ] || fail "exit $code with $room kB left: $(cat said)"
  grep -q 'the disk is full\|No space left' said && [ "$(wc -l <said)" -eq 1 ] || fail "$(cat said)"
  rm disk/ballast
  runs=$((runs + 1))
done
"$FAULT_TOOL" answer disk/l "$plan" 20 2 1 >out.last || fail "not usable afterwards"
result=$("$FAULT_TOOL" account disk/l $runs 1 out.*)
# With no room at all no ledger is made, and none is left half made.
free=$(df -k --output=avail disk | tail -1)
head -c $((free * 1024)) /dev/zero >disk/ballast
code=0
"$FAULT_TOOL" answer disk/new "$plan" 20 1 1 >out.none 2>said || code=$?
[ $code -eq 3 ] && [ ! -s out.none ] && [ ! -e disk/new ] || fail "exit $code, made on a full disk: $(cat said)"
echo "full disk: $runs times full: $result"
