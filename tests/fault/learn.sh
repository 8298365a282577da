#!/bin/sh
# `fumata learn`, by poll and by teachers, and `fumata answer`, of which every call that touches the ledger or the results fails, or
# is the last one of the process, in turn. Called by run, in an empty directory. Afterwards every answer that was bought can be
# printed, the same command goes on with them to its end, and nothing is paid for twice.
set -eu
if [ -w /dev/shm ]; then
  memory=$(mktemp -d /dev/shm/fumata-faults.XXXXXX)
  trap 'rm -rf "$memory"' EXIT
  cd "$memory"
fi
FUMATA_REGISTRY=off OPENBLAS_NUM_THREADS=1
export FUMATA_REGISTRY OPENBLAS_NUM_THREADS
fail() { echo "learn: $*" >&2; exit 1; }
records() {
  awk -v n="$1" -v seed="$2" 'BEGIN { srand(seed); print "height,sick"
    for (i = 0; i < n; i++) { h = 150 + 50 * rand(); printf "%.5f,%s\n", h, (h > 175 ? "yes" : "no") } }'
}
records 200 1 >private.csv
records 1 2 >few.csv
records 8 2 >more.csv
awk 'BEGIN { print "no,yes"; for (i = 0; i < 12; i++) print i % 3 ? "0,300" : "300,0" }' >votes.csv
command() { # [--force]
  case $subject in
    answer)
      "$FUMATA" answer --votes votes.csv --votes-are counts --classes no,yes --epsilon 8 --delta 1e-3 --answers 12 --anyway \
        --quiet --batch 4 --ledger "$PWD/l" -o "$PWD/o/got.csv" "$@" ;;
    poll) # counts the records first
      learn few.csv ;;
    teachers) learn more.csv --teachers 10 --silences 2 --answers 4 ;;
    estimate) learn more.csv --teachers 10 --estimate-error 1 ;;
  esac
}
learn() { # PUBLIC OPTION...
  public=$1
  shift
  "$FUMATA" learn --private private.csv --public "$public" --label sick --classes no,yes --epsilon 8 --delta 1e-3 --anyway --quiet \
    --ledger "$PWD/l" -o "$PWD/o" "$@"
}
shim() { # shim DO AT PREFIX
  FUMATA_SHIM_DO=$1 FUMATA_SHIM_AT=$2 FUMATA_SHIM_LEDGER=$3 FUMATA_SHIM_COUNT=$PWD/count LD_PRELOAD=$FAULT_SHIM command
}
# printed FILE: the answers that the ledger has
printed() {
  : >"$1"
  [ -e l ] || return 0
  "$FUMATA" ledger answers l >all 2>/dev/null || return 1
  sed 1d all >"$1"
}
# Has the run come to its end, but for what nobody sees?
is_done() {
  [ -e o/summary.json ] || return 1
  for seal in o/.new.*/seal; do
    [ ! -e "$seal" ] || return 1
  done
}
answered() { sed -n 's/.*"answered": \([0-9]*\),.*/\1/p' o/summary.json; }
# Are the results what the ledger has?
is_complete() {
  case $subject in
    answer) cut -d, -f 2,3 second >paid && sed 1d o/got.csv | cmp -s - paid ;;
    poll) [ "$(answered)" -le "$(wc -l <second)" ] ;;
    *) cut -d, -f 2-4 second | sort >paid && sed 1d o/labels.csv | sort | cmp -s - paid ;;
  esac
}
# Of the questions that the ledger has the same one twice, or more spent than the plan, the count and the estimate cost. A poll asks
# about one record several times; of it no answer may be there that the results do without.
paid_twice() {
  ! grep -q "\"spent_epsilon\": \"$price\"" shown ||
    if [ $subject = poll ]; then
      [ "$(answered)" -lt "$(wc -l <second)" ]
    else
      cut -d, -f 2,4 second | sort | uniq -d | grep -q .
    fi
}
# The same command. What `answer` was answered before an error is in its file, which it replaces when told to.
go_on() {
  if [ $subject != answer ]; then
    is_done || command
  elif [ ! -e o/got.csv ]; then
    command
  else
    command --force
  fi
}
check() { # HOW AT PREFIX, after the failure
  printed first || fail "$subject, $1 at $2 of $3: cannot print the answers"
  if ! go_on >/dev/null 2>said; then
    # The estimate may leave a plan of one silence: a crash between its reservation and the first answer leaves nothing to go on with.
    [ $subject = estimate ] && [ ! -s first ] && grep -q "plan's 1 silences are spent" said ||
      fail "$subject, $1 at $2 of $3: does not go on: $(cat said)"
    spent=$((spent + 1))
    return 0
  fi
  printed second || fail "$subject, $1 at $2 of $3: cannot print the answers at the end"
  "$FUMATA" ledger show --json l >shown || fail "$subject, $1 at $2 of $3: not whole"
  given=$(tr , '\n' <shown | awk -F': ' '/"(labels|silences|answers)"/ { s += $2 } END { print s + 0 }')
  if ! head -n "$(wc -l <first)" second | cmp -s - first || [ "$given" != "$(wc -l <second)" ] || ! is_complete; then
    gone=$((gone + 1))
    echo "learn: $subject, $1 at $2 of $3: an answer is gone" >&2
  fi
  if paid_twice; then
    twice=$((twice + 1))
    echo "learn: $subject, $1 at $2 of $3: paid twice: $(grep spent_epsilon shown)" >&2
  fi
  bought=$((bought + $(wc -l <second)))
  runs=$((runs + 1))
}
for subject in poll teachers estimate answer; do
  runs=0 bought=0 gone=0 twice=0 spent=0 counted=
  price=8
  [ $subject != estimate ] || price=9
  for prefix in l o; do
    rm -rf l l-* l.* o count
    shim none 0 "$PWD/$prefix" >/dev/null 2>said || fail "$subject without a failure: $(cat said)"
    calls=$(cat count)
    counted="$counted${counted:+ and }$calls"
    [ $subject != teachers ] || calls_of_teachers=$calls
    check none 0 $prefix
    for how in enospc before short after eio; do
      # The long form takes every call for a full disk and a kill, and one in five for the others, which differ little from
      # these; the short form one in sixty, and more of the deaths between results.
      case $FAULTS$how in
        longenospc | longbefore) every=1 ;;
        long*) every=5 ;;
        shortbefore) every=$([ $prefix = l ] && echo 60 || echo 8) ;;
        *) every=60 ;;
      esac
      n=0
      while [ $n -lt "$calls" ]; do
        n=$((n + 1))
        [ $(((n + runs) % every)) -eq 0 ] || continue
        rm -rf l l-* l.* o
        code=0
        shim $how $n "$PWD/$prefix" >/dev/null 2>said || code=$?
        [ $code -ne 99 ] || fail "$subject, $how at $n of $prefix: $(cat said)"
        check $how $n $prefix
      done
    done
  done
  echo "learn, $subject: $runs failures at $counted calls (full disk, EIO, short write, death before and after):" \
    "$bought answers bought, $gone runs with one that cannot be printed, $twice with one paid twice, $spent with nothing left to answer with"
  [ $gone$twice = 00 ]
done

# A run that died between two results: the same ledger's next one writes them anew. But not what somebody has changed since, and not
# for a run with another ledger.
subject=teachers n=$calls_of_teachers
while :; do
  rm -rf l l-* l.* o
  shim before "$n" "$PWD/o" >/dev/null 2>&1 || :
  [ ! -e o/labels.csv ] || [ -e o/summary.json ] || break
  n=$((n - 1))
  [ $n -gt 0 ] || fail "no death between two results"
done
refused() { # WHY COMMAND...
  why=$1
  shift
  cksum o/student.model o/labels.csv >before
  code=0
  "$@" >/dev/null 2>said || code=$?
  [ $code -eq 2 ] && grep -q 'exists already' said || fail "$why: exit $code: $(cat said)"
  cksum o/student.model o/labels.csv | cmp -s - before || fail "$why: replaced"
}
cp o/labels.csv labels.kept
echo 'years of work' >>o/labels.csv
refused 'a result that was changed' command
mv labels.kept o/labels.csv
refused 'another ledger' "$FUMATA" learn --private private.csv --public more.csv --label sick --classes no,yes --epsilon 8 \
  --delta 1e-3 --anyway --quiet --teachers 10 --silences 2 --answers 4 --ledger "$PWD/m" -o "$PWD/o"
[ ! -e m ] || fail "another ledger: paid for what was refused"
command >/dev/null 2>said || fail "between two results: $(cat said)"
[ "$(find o -type f | wc -l)" -eq 4 ] && [ "$(find o | wc -l)" -eq 5 ] || fail "left behind: $(find o)"
echo "learn, between two results: what is not this ledger's run's own is left alone"
