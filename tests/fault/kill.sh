#!/bin/sh
# kill -9 at random moments: of the program and of the core with the ledger alone, one process, then two that compete
# for the ledger. Called by run, in an empty directory.
set -eu
if [ "$FAULTS" = long ]; then of_program=260 of_tool=60 made=60; else of_program=8 of_tool=6 made=5; fi

# Ready votes as counts of three classes, one in four a tie; the program's labels are numbers here.
awk 'BEGIN { srand(7); print "0,1,2"; for (i = 0; i < 20000; i++) {
  a = int(rand() * 3)
  if (rand() < 0.25) print "9000,9000,0"; else print (a == 0 ? 18000 : 0) "," (a == 1 ? 18000 : 0) "," (a == 2 ? 18000 : 0)
} }' >votes.csv
head -200 votes.csv >few.csv
# The same for two classes, of which the toll names one.
awk 'BEGIN { srand(8); print "0,1"; for (i = 0; i < 20000; i++)
  print rand() < 0.25 ? "9000,9000" : rand() < 0.5 ? "18000,0" : "0,18000" }' >two.csv
head -200 two.csv >few-two.csv
# Without --reserve: long stretches between silences, and at the end more ties than any budget has.
awk 'BEGIN { print "0,1,2"; for (i = 0; i < 100000; i++) print i % 400 == 7 ? "9000,9000,0" : "0,18000,0" }' >rare.csv
awk 'BEGIN { print "0,1,2"; for (i = 0; i < 100001; i++) print "9000,9000,0" }' >ties.csv

for subject in program program_default tool program_toll tool_both; do
  for workers in 1 2; do
    at=$subject.$workers
    mkdir $at
    reserve=1 plan=$FAULT_PLANS/large.plan goes_on=+
    case $subject in
      program)
        kills=$of_program
        set -- "$FUMATA" answer --votes-are counts --classes 0,1,2 --plan "$plan" --ledger $at/l --reserve $reserve --votes
        many=votes.csv few=few.csv one=few.csv ;;
      program_default)
        # Through standard input, so that each run asks anew.
        kills=$of_tool reserve=used goes_on=
        set -- sh -c "exec \"\$0\" answer --votes-are counts --classes 0,1,2 --plan '$plan' --ledger $at/l --votes - <\"\$1\"" "$FUMATA"
        many=rare.csv few=ties.csv one=rare.csv ;;
      program_toll)
        kills=$of_tool reserve=7 plan=$FAULT_PLANS/large-toll.plan
        set -- "$FUMATA" answer --votes-are counts --classes 0,1 --plan "$plan" --ledger $at/l --reserve $reserve --votes
        many=two.csv few=few-two.csv one=few-two.csv ;;
      tool | tool_both)
        kills=$of_tool goes_on=
        [ $subject = tool ] || { reserve=5 plan=$FAULT_PLANS/large-both.plan; }
        set -- "$FAULT_TOOL" answer $at/l "$plan"
        many="1000000 {} $reserve" few="200 999999 $reserve" one="200 999998 $reserve" ;;
    esac
    # The ledger is made first, so that every kill meets a process at work. How long a run of fifty silences takes here
    # and now says how late the kills may come: most then fall into the work, and the budget lasts.
    start=$(date +%s%N)
    # shellcheck disable=SC2086 # several arguments for the tool
    "$@" $one >$at/out.0 2>/dev/null
    longest=$((($(date +%s%N) - start) / 500000 + 20))
    [ $longest -le 500 ] || longest=500
    # By what is written, where the kills must meet ever larger reservations.
    [ $subject != program_default ] || longest=$(stat -c %s $at/out.0)B
    # shellcheck disable=SC2086
    counts=$("$FAULT_TOOL" kill $kills $longest $$$workers $workers $at/out -- "$@" $many)
    killed=$(echo "$counts" | cut -d ' ' -f 2)
    # After the last crash the ledger goes on and closes, or is spent to its end; nothing is lost then.
    # shellcheck disable=SC2086
    "$@" $few >$at/out.last 2>/dev/null
    "$FUMATA" ledger verify $at/l >/dev/null
    result=$("$FAULT_TOOL" account $at/l "$killed" $reserve$goes_on $at/out.[0-9l]*)
    case $result in
      *'held in a crash: '[01]' or'*)
        echo "kill: no crash met a reservation of more than one" >&2
        exit 1 ;;
    esac
    if grep -v 'in use by another process' $at/out.said | grep '^fumata:'; then
      echo "kill: an unexpected line" >&2
      exit 1
    fi
    echo "kill, $subject, $workers at a time: $killed killed: $result"
  done
done

# Killed while the ledger is being made: it is there and whole, or it is not there.
plan=$FAULT_PLANS/large.plan
mkdir made
i=0
while [ $i -lt $made ]; do
  i=$((i + 1))
  : >made/out.$i.0
  "$FAULT_TOOL" kill 1 40 $i$$ 1 made/out.$i -- "$FAULT_TOOL" answer made/l.$i "$plan" 400 7 1 >/dev/null
  [ ! -e made/l.$i ] || "$FUMATA" ledger verify made/l.$i >/dev/null
  "$FAULT_TOOL" answer made/l.$i "$plan" 40 7 1 >made/again.$i
  "$FAULT_TOOL" account made/l.$i 1 1 made/out.$i.[0-9]* made/again.$i >/dev/null
done
echo "kill, while making: $made ledgers, each whole or absent"
