#!/bin/sh
# Every call that touches the ledger fails, or is the last one of the process, in turn. Called by run.
#
# For each call n and each way to fail: nothing is released that is not paid for, the exit code says so, one line is
# printed, and the ledger is usable afterwards. An answer never gets ahead of an unsynced ledger (the shim watches).
# And the failure is the same, byte for byte, whether the query that was waiting would have been met with silence.
set -eu
# The shim stands in for the disk, so that memory will do, and thousands of runs do not wait for a real one.
if [ -w /dev/shm ]; then
  memory=$(mktemp -d /dev/shm/fumata-faults.XXXXXX)
  trap 'rm -rf "$memory"' EXIT
  cd "$memory"
fi
queries=24
fail() { echo "each call: $*" >&2; exit 1; }
shim() { # shim DO AT COMMAND...
  what=$1 where=$2
  shift 2
  FUMATA_SHIM_DO=$what FUMATA_SHIM_AT=$where FUMATA_SHIM_LEDGER=$PWD/l FUMATA_SHIM_COUNT=$PWD/count \
    LD_PRELOAD=$FAULT_SHIM "$@"
}

# The subjects answer the same 24 queries, some of them reserved at a time; the argument is the number of a query to turn
# round, or nothing.
tool() {
  shim "$1" "$2" "$FAULT_TOOL" answer "$PWD/l" "$plan" $queries 5 "$reserve" ${3:+"$3"}
}
tool_both() { tool "$@"; }
program_toll() {
  awk -v turn="${3:--1}" 'BEGIN { print "0,1"; for (i = 0; i < '$queries'; i++)
    print (i % 4 == 1) != (i == turn) ? "200,200" : i % 2 ? "0,400" : "400,0" }' >votes.csv
  shim "$1" "$2" "$FUMATA" answer --unsafe-seed 5 --votes votes.csv --votes-are counts --classes 0,1 \
    --plan "$plan" --ledger "$PWD/l" --reserve "$reserve"
}
program() {
  awk -v turn="${3:--1}" 'BEGIN { print "0,1,2"; for (i = 0; i < '$queries'; i++)
    print (i % 4 == 1) != (i == turn) ? "200,200,0" : i % 2 ? "0,400,0" : "0,0,400" }' >votes.csv
  shim "$1" "$2" "$FUMATA" answer --unsafe-seed 5 --votes votes.csv --votes-are counts --classes 0,1,2 \
    --plan "$plan" --ledger "$PWD/l"
}
clean() { rm -f l l-* l.* count; }

for subject in tool program tool_both program_toll; do
  loses=
  case $subject in
    tool) plan=$FAULT_PLANS/small.plan reserve=1 ;;
    program) plan=$FAULT_PLANS/small.plan reserve=1 loses=used ;; # the program is not told how many to reserve
    tool_both) plan=$FAULT_PLANS/small-both.plan reserve=3 ;;
    program_toll) plan=$FAULT_PLANS/small-toll.plan reserve=4 ;;
  esac
  clean
  $subject none 0 "" >out.whole 2>/dev/null
  calls=$(cat count)
  [ "$calls" -gt 40 ] || fail "the shim saw only $calls calls"
  header=$(grep -c '^id' out.whole || :)
  checked=0 twins=0
  for how in enospc eio short before after; do
    n=0
    while [ $n -lt "$calls" ]; do
      n=$((n + 1))
      # The short form takes one call in twelve, with each kind of failure others.
      if [ "$FAULTS" != long ] && [ $(((n + checked) % 12)) -ne 0 ]; then continue; fi
      clean
      code=0
      $subject $how $n "" >out 2>said || code=$?
      [ $code -ne 99 ] || fail "$subject, $how at $n: $(cat said)"
      cmp -s -n "$(stat -c %s out)" out out.whole || fail "$subject, $how at $n: other answers than without the failure"
      case $how in
        before | after) [ $code -gt 128 ] || fail "$subject, $how at $n: survived" ;;
        *)
          if [ $code -eq 0 ]; then
            cmp -s out out.whole || fail "$subject, $how at $n: exit 0 without all answers"
          else
            [ $code -eq 3 ] || fail "$subject, $how at $n: exit $code: $(cat said)"
            [ "$(grep -c '^fumata: ' said)" -eq 1 ] || fail "$subject, $how at $n: not one line: $(cat said)"
          fi ;;
      esac
      # The twin: the first query that got no answer is the other way round. It must fail in the same way.
      waiting=$(($(wc -l <out) - header))
      if [ $code -ne 0 ] && [ $waiting -ge 0 ] && [ $waiting -lt $queries ]; then
        mkdir kept
        mv l* kept/ 2>/dev/null || :
        rm -f count
        twin=0
        $subject $how $n $waiting >out.twin 2>said.twin || twin=$?
        [ $twin -eq $code ] && cmp -s out out.twin && cmp -s said said.twin ||
          fail "$subject, $how at $n: the failure tells what query $waiting would have been answered"
        twins=$((twins + 1))
        clean
        mv kept/* . 2>/dev/null || :
        rmdir kept
      fi
      "$FAULT_TOOL" answer "$PWD/l" "$plan" 12 6 "$reserve" >out.after || fail "$subject, $how at $n: not usable afterwards"
      "$FAULT_TOOL" account "$PWD/l" 1 "${loses:-$reserve}" out out.after >/dev/null ||
        fail "$subject, $how at $n: not accounted for"
      checked=$((checked + 1))
    done
  done
  echo "each call, $subject: $checked failures at $calls calls (full disk, EIO, short write, death before and after):" \
    "all paid for; $twins compared with a twin"
done
