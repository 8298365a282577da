#!/bin/sh
# Teachers, or the records of a poll, spread over ranks: the same answers as one process gives, byte for byte; a rank that cannot go
# on, or dies, ends the run in one line, with the ledger whole and no results; three hosts that have nothing but a network between
# them.
. "$(dirname "$0")/common"

command -v mpirun >/dev/null || { echo "mpi: NOT TRIED: there is no mpirun (.setup check installs it)"; exit 1; }
ldd "$FUMATA" | grep -i mpi && complain "the program itself needs MPI"
[ -e "$(dirname "$FUMATA")/libfumata-mpi.so" ] || complain "the plug-in was not built"

clinic 3000 1 >private.csv
clinic 400 2 >public.csv
clinic 200 3 >test.csv
data="--private private.csv --public public.csv --label sick --classes no,yes"
seed="--delta 1e-5 --unsafe-seed 7"

# ranks N COMMAND...: as root in a container mpirun wants to be told that this is meant
ranks() {
  number=$1
  shift
  timeout 120 mpirun --allow-run-as-root --oversubscribe -n "$number" "$@"
}
# said: what fumata has said on stderr, without mpirun's own words
said() { grep -c '^fumata: ' err; }

# ---- the same answers ----

# alike NAME N OPTION...
alike() {
  name=$1 number=$2
  shift 2
  # shellcheck disable=SC2086 # options
  "$FUMATA" learn $data $seed --test test.csv --ledger "$name.1" -o "$name-1" "$@" >out 2>err || complain "$name, alone: $(cat err)"
  # shellcheck disable=SC2086
  ranks "$number" "$FUMATA" learn $data $seed --test test.csv --ledger "$name.n" -o "$name-n" "$@" >out.n 2>err || complain "$name, ranks: $(cat err)"
  for file in labels.csv student.model plan; do
    cmp "$name-1/$file" "$name-n/$file" >&2 || complain "$name: $file differs"
  done
  sed "s/$name-n/$name-1/; s/$name.n/$name.1/" out.n | diff out - >&2 || complain "$name: something else is said"
}
alike margin 4 --epsilon 4 --ask margin
alike random 3 --epsilon 8 --ask random --teachers 60 --silences 10
alike combined 2 --epsilon 8 --teachers 40 --silences 3 --answers 30 --unit person
alike trees 4 --epsilon 8 --learner trees:rounds=3 --teachers 30 --answers 40
# What is done on one half of the private records, and on all of them at rank 0.
alike estimate 3 --epsilon 8 --teachers 60 --estimate-error 2
grep -q 'error rate of a teacher, estimated' out.n || complain "no estimate was made: $(cat out.n)"
alike compare 2 --epsilon 8 --teachers 40 --answers 30 --unsafe-compare
grep -q 'the same learner on all private records reaches [6-9]' out.n || complain "no comparison was made: $(cat out.n)"
both=$data
data="--private private.csv --label sick --classes no,yes --label-private"
alike halves 3 --epsilon 8 --teachers 60 --answers 40
data=$both
# Sparse rows and several classes.
/usr/bin/python3 - <<'END'
import random
dice = random.Random(4)
def line():
    c = dice.randrange(3)
    own = sorted({dice.randrange(1, 200), *(10 * c + dice.randrange(1, 10) for _ in range(4))})
    return "%d %s\n" % (c, " ".join("%d:%.3f" % (i, dice.uniform(0.5, 1)) for i in own))
for name, count in (("private.svm", 2000), ("public.svm", 300)):
    open(name, "w").write("".join(line() for _ in range(count)))
END
for run in 'sparse-1' 'sparse-n'; do
  launch='env'
  [ $run = sparse-1 ] || launch="ranks 4"
  $launch "$FUMATA" learn --private private.svm --public public.svm --classes 0,1,2 --epsilon 8 --delta 1e-5 --unsafe-seed 3 \
    --teachers 50 --ledger $run.ledger -o $run >out 2>err || complain "$run: $(cat err)"
done
cmp sparse-1/labels.csv sparse-n/labels.csv >&2 || complain "sparse rows: other labels"
# Queries that come one after the other.
for run in 1 n; do
  launch='env'
  [ $run = 1 ] || launch="ranks 4"
  # shellcheck disable=SC2086
  $launch "$FUMATA" answer $data $seed --epsilon 4 --silences 20 --teachers 100 --ledger answer.$run test.csv >answer-$run 2>err || complain "answer: $(cat err)"
done
cmp answer-1 answer-n >&2 || complain "answer: ranks answer otherwise"
[ "$(grep -c ',\(yes\|no\)$' answer-n)" -gt 20 ] || complain "hardly a label: this tries nothing"
# Without a seed, so with coins that no rank shares.
# shellcheck disable=SC2086
ranks 3 "$FUMATA" learn $data --delta 1e-5 --epsilon 8 --teachers 60 --answers 50 --ledger fresh.ledger -o fresh --json >out 2>err || complain "coins: $(cat err)"
/usr/bin/python3 -c 'import json; summary = json.load(open("out")); assert summary["private"] and summary["answers_given"] == 50' || complain "no summary, or more than that"

# ---- a poll: the same answers, questions and uses ----

# rows LEDGER: what it has of a poll: questions with their weights, answers, and how often each unit has voted
cat >rows.py <<'END'
import sqlite3, sys
ledger = sqlite3.connect(sys.argv[1])
for kind, note in ledger.execute("select kind, coalesce(epsilon, '') || coalesce(protects, '') from ledger order by number"):
    print(kind, note)
for answers, about in ledger.execute("select hex(answers), about from journal order by row"):
    print(answers, about.decode() if isinstance(about, bytes) else about)
for state, in ledger.execute("select bytes from state"):  # behind the digest of whose they are, which is salted
    print(state[32:].hex())
END

# polls NAME RANKS OPTION...: one process, and each number of ranks
polls() {
  name=$1 numbers=$2
  shift 2
  "$FUMATA" learn --delta 1e-5 --unsafe-seed 7 --ledger "$name.1" -o "$name-1" "$@" >out 2>err || complain "$name, alone: $(cat err)"
  /usr/bin/python3 rows.py "$name.1" >kept-1
  for number in $numbers; do
    ranks "$number" "$FUMATA" learn --delta 1e-5 --unsafe-seed 7 --ledger "$name.n" -o "$name-n" "$@" >out.n 2>err || complain "$name, $number ranks: $(cat err)"
    for file in labels.csv student.model plan; do
      cmp "$name-1/$file" "$name-n/$file" >&2 || complain "$name, $number ranks: $file differs"
    done
    sed "s/$name-n/$name-1/; s/$name.n/$name.1/" out.n | diff out - >&2 || complain "$name, $number ranks: something else is said"
    /usr/bin/python3 rows.py "$name.n" >kept-n
    cmp kept-1 kept-n >&2 || complain "$name, $number ranks: other questions, answers or uses in the ledger"
    rm -rf "$name-n" "$name.n"*
  done
}
# asked WEIGHT: the last poll asked with weights from -WEIGHT to WEIGHT
asked() { grep -q -E "(^| )[0-9]+ [0-9]+ [0-9a-f]{16} $1 -?[0-9]" kept-1 || complain "$name: no question with weights up to $1"; }

# Records of a person stand apart in the file; a fifth of them are a copy of another; of three classes one is rare.
/usr/bin/python3 - <<'END'
import math, random
dice = random.Random(9)
for name, count in (("people", 4000), ("others", 900)):
    with open(name + ".csv", "w") as file:
        file.write("person,x,y,income,two,many\n")
        rows = []
        for i in range(count):
            x, y = dice.random(), dice.random()
            row = "%.3f,%.3f,%.2f,%d,%s" % (x, y, math.exp(3 * dice.gauss(0, 1)), x + y > 1.5, "abc"[(x > y) + (x > y and x > 0.9)])
            rows.append(dice.choice(rows) if i > 9 and dice.random() < 0.2 else row)
            file.write("p%d,%s\n" % (dice.randrange(count // 3), rows[-1]))
END
people="--private people.csv --public others.csv"
# shellcheck disable=SC2086 # options
polls records '1 2 4' $people --label two --classes 0,1 --skip person,many --epsilon 2
asked 1
# shellcheck disable=SC2086
polls units '2 4' $people --unit person --label two --classes 0,1 --skip many --epsilon 4 --aim balanced
asked 1000
# shellcheck disable=SC2086
polls classes 4 $people --label many --classes a,b,c --skip person,two --epsilon 4 --aim balanced --learner trees:rounds=5
asked 1000
# shellcheck disable=SC2086
polls persons 3 $people --unit person --label many --classes a,b,c --skip two --epsilon 4 --voters neighbours
polls lines 3 --private private.svm --public public.svm --classes 0,1,2 --epsilon 8
sed 4q people.csv >few.csv
polls few 4 --private few.csv --public others.csv --label two --classes 0,1 --skip person,many --epsilon 1 --about 60 --anyway
# With coins of its own, and what is compared with all private records.
# shellcheck disable=SC2086
ranks 3 "$FUMATA" learn $people --label two --classes 0,1 --skip person,many --epsilon 2 --delta 1e-5 --ledger own.ledger -o own --test others.csv@0:300 \
  --anyway --unsafe-compare >out 2>err || complain "a poll's coins: $(cat err)"
grep -q 'the same learner on all private records reaches' out || complain "a poll: no comparison was made: $(cat out)"
[ "$(value own/summary.json voters)" = neighbours ] || complain "ranks: not neighbours"

# ---- what goes wrong ----

# rank I does something else: COMMAND... runs on the others
cat >odd <<'END'
#!/bin/sh
if [ "$OMPI_COMM_WORLD_RANK" = 2 ]; then eval "$ODD"; fi
echo $$ >pid.$OMPI_COMM_WORLD_RANK
exec "$@"
END
chmod +x odd
mkdir elsewhere
# wrong CODE LINE OPTION...: rank 2 finds $ODD; one line, no results, nothing spent
wrong() {
  code=$1 line=$2
  shift 2
  # shellcheck disable=SC2086
  ranks 4 ./odd "$FUMATA" learn $data $seed --epsilon 4 --ledger wrong.ledger -o wrong "$@" >out 2>err
  got=$?
  [ $got = "$code" ] || complain "exit $got instead of $code: $(cat err)"
  grep -q -e "^fumata: $line" err || complain "nothing like '$line': $(cat err)"
  [ "$(said)" = 1 ] || complain "not one line: $(cat err)"
  [ ! -e wrong ] || complain "results of a run that failed: $(find wrong)"
  [ ! -e wrong.ledger ] || complain "a ledger of a run that failed at once: $("$FUMATA" ledger show wrong.ledger)"
  rm -rf wrong wrong.ledger*
}
export ODD=:
wrong 2 "no option '--nonsense'" --nonsense
wrong 2 '4 ranks are more than the 3 chunks of the error estimate' --teachers 7 --estimate-error 2 --anyway
wrong 2 '4 ranks are more than the 3 teachers' --teachers 3
ODD='cd elsewhere'
wrong 2 'rank 2 on .*: private.csv: cannot read'
wrong 2 'rank 2 on .*: private.csv: cannot read' --voters teachers
sed '$d' private.csv >elsewhere/private.csv
wrong 2 'rank 2 on .*: private.csv: not the private file that rank 0 has'
wrong 2 'rank 2 on .*: private.csv: not the private file that rank 0 has' --voters teachers
# shellcheck disable=SC2016 # the rank expands it
ODD='set -- "$@" --quiet'
wrong 2 'rank 2 on .*: started with other options'
sed '1000s/,yes$\|,no$/,perhaps/' private.csv >bad-label.csv
ODD=:
wrong 2 'bad-label.csv:1000:4 ("sick"): the label is not one of the declared classes.*private: do not publish' --private bad-label.csv
wrong 2 'bad-label.csv:1000:4 ("sick"): the label is not one of the declared classes.*private: do not publish' --private bad-label.csv --voters teachers
# A machine whose mathematics is another: where a record lies would depend on which rank has it.
echo 'long lrint(double x) { return (long)x; }' >other.c
gcc -shared -fPIC -fno-builtin -o other.so other.c || complain "no library"
mine=$data
data="$people --label two --classes 0,1 --skip person,many"
# shellcheck disable=SC2016 # the rank expands it
ODD='export LD_PRELOAD=$PWD/other.so'
wrong 3 "rank 2 on .*: its processor or its libraries round otherwise than rank 0's: [^()]*(private: do not publish this line)\$" --about 4000
data=$mine
ODD=:
# Without the plug-in.
mkdir bare
cp "$FUMATA" bare/fumata
# shellcheck disable=SC2086
ranks 2 bare/fumata learn $data $seed --epsilon 4 -o wrong >out 2>err && complain "no plug-in, and no word"
grep -q '^fumata: started as one of several ranks, but libfumata-mpi.so' err || complain "no plug-in: $(cat err)"
[ "$(said)" = 1 ] || complain "no plug-in, not one line: $(cat err)"

# A rank that is killed while questions are asked: teachers that take their time tell when.
cat >slow <<'END'
#!/usr/bin/python3
import os, struct, sys, time
if sys.argv[1] == "train":
    open(sys.argv[4], "w").write("model")
else:
    head = open(sys.argv[2], "rb").read(256)
    count = int(head.split(b"(")[1].split(b",")[0])
    if count != 8:  # not the trial on made-up rows
        open("asked.%s" % os.environ.get("OMPI_COMM_WORLD_RANK"), "a").write("x")
        time.sleep(0.2)
    open(sys.argv[4], "w").write("1\n" * count)
END
chmod +x slow
# Of a machine that does much else mpirun must not kill at once what it has asked to stop.
# shellcheck disable=SC2086
OMPI_MCA_odls_base_sigkill_timeout=5 ranks 4 ./odd "$FUMATA" learn $data --delta 1e-5 --epsilon 8 --teachers 16 --answers 120 --ask margin --anyway --learner exec:./slow --student logistic \
  --ledger killed.ledger -o killed >out 2>err &
run=$!
for _ in $(seq 300); do
  [ "$(stat -c %s asked.2 2>/dev/null || echo 0)" -ge 6 ] && break # the second round is under way
  sleep 0.1
done
kill -KILL "$(cat pid.2)"
wait $run && complain "a rank was killed, and the run ends well"
grep -q '^fumata: stopped by SIGTERM: a rank has died, or mpirun was stopped: no results were written; the ledger killed.ledger has' err ||
  complain "killed: $(cat err)"
[ "$(said)" = 1 ] || complain "killed: not one line: $(cat err)"
[ ! -e killed ] || complain "results of a run that was killed: $(find killed)"
expect 0 'epsilon 8' "$FUMATA" ledger show killed.ledger
expect 0 '' "$FUMATA" ledger verify killed.ledger
for rank in 0 1 3; do
  for _ in $(seq 50); do kill -0 "$(cat pid.$rank)" 2>/dev/null || break; sleep 0.1; done
  kill -0 "$(cat pid.$rank)" 2>/dev/null && complain "rank $rank lives on"
done
# What is left of the budget goes on.
# shellcheck disable=SC2086
"$FUMATA" learn $data --delta 1e-5 --epsilon 8 --teachers 16 --answers 120 --ask margin --anyway --ledger killed.ledger -o after \
  >out 2>err || complain "after: $(cat err)"
grep -q 'answers left: 0 of 120' out && [ "$(wc -l <after/labels.csv)" -lt 121 ] || complain "the budget was not gone on with: $(cat out)"

# The same of a poll; then it goes on with another number of ranks, and what it was answered is what one process finds.
clinic 20000 5 >many.csv
clinic 12000 6 >open.csv
poll="--private many.csv --public open.csv --label sick --classes no,yes --delta 1e-5 --epsilon 1 --about 20000 --unit person --ledger poll.ledger"
given() { "$FUMATA" ledger answers poll.ledger 2>/dev/null | grep -c poll; }
# shellcheck disable=SC2086
OMPI_MCA_odls_base_sigkill_timeout=5 ranks 4 ./odd "$FUMATA" learn $poll -o killed >out 2>err &
run=$!
for _ in $(seq 600); do
  [ "$(given)" -lt 1 ] || break
  sleep 0.02
done
kill -KILL "$(cat pid.2)"
wait $run && complain "a rank was killed in a poll, and the run ends well"
grep -q '^fumata: stopped by SIGTERM: a rank has died, or mpirun was stopped: no results were written; the ledger poll.ledger has' err ||
  complain "a poll killed: $(cat err)"
[ "$(said)" = 1 ] || complain "a poll killed: not one line: $(cat err)"
[ ! -e killed ] || complain "results of a poll that was killed: $(find killed)"
expect 0 'whole' "$FUMATA" ledger verify poll.ledger
before=$(given)
# shellcheck disable=SC2086
ranks 3 "$FUMATA" learn $poll -o onward >out 2>err || complain "a poll goes on: $(cat err)"
recalled=$(value onward/summary.json recalled)
[ "$recalled" -ge 1 ] && [ "$recalled" = "$before" ] || complain "of $before answers $recalled are taken up"
[ "$recalled" -lt "$(value onward/summary.json asked)" ] || complain "it was killed at its end: this tries nothing"
# shellcheck disable=SC2086
"$FUMATA" learn $poll -o alone >out 2>err || complain "one process goes on: $(cat err)"
[ "$(value alone/summary.json recalled)" = "$(value alone/summary.json asked)" ] || complain "one process asks something anew"
cmp onward/labels.csv alone/labels.csv >&2 || complain "one process ends elsewhere than three ranks"
expect 0 'epsilon   1 spent, total 1' "$FUMATA" ledger show poll.ledger

# ---- three hosts ----

"$here/tests/cli/mpi_hosts" "$FUMATA" >out 2>&1 || complain "three hosts: $(cat out)"
grep NOT out
exit "$failed"
