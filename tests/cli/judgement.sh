#!/bin/sh
# A student that is worth nothing is said to be so, loudly, from released labels and public test records; a good one is not.
. "$(dirname "$0")/common"

clinic 4000 1 >private.csv
clinic 600 2 >public.csv
clinic 600 3 >test.csv

# learn WANTED PRIVATE PUBLIC [OPTION...]: the judgement in the summary, and WARNING on stderr unless it is fine
learn() {
  wanted=$1 private=$2 public=$3
  shift 3
  rm -rf o ledger*
  "$FUMATA" learn --private "$private" --public "$public" --label sick --classes no,yes --epsilon 4 --delta 1e-5 --teachers 100 \
    --mechanism meter --silences 20 --ledger ledger -o o --unsafe-seed 1 "$@" >said 2>err || complain "$(cat err)"
  [ "$(value o/summary.json judgement)" = "$wanted" ] || complain "not judged '$wanted': $(grep judgement o/summary.json)"
  if [ "$wanted" = fine ]; then
    grep -q WARNING err && complain "a warning about a good student: $(cat err)"
  else
    grep -q 'to try: ' err || complain "$wanted: not said what to try: $(cat err)"
  fi
}

learn fine private.csv public.csv --test test.csv
learn fine private.csv public.csv

# Public records of one kind only.
awk -F , 'NR == 1 || $4 == "no"' public.csv >one.csv
awk -F , 'NR == 1 || $2 < 155' one.csv >low.csv
learn 'one class' private.csv low.csv
grep -q 'WARNING: all [0-9]* labels are "no", and that is all the student says; do not use it' err || complain "$(cat err)"

# Labels that cannot be learned: coins.
awk -F , -v OFS=, 'BEGIN { srand(7) } NR > 1 { $4 = rand() < 0.5 ? "yes" : "no" } { print }' private.csv >coins.csv
learn 'no labels' coins.csv public.csv
grep -q 'WARNING: no label was released' err || complain "$(cat err)"

# A test file that says the contrary, as a mistake in --classes would.
sed 's/,yes$/,x/; s/,no$/,yes/; s/,x$/,no/' test.csv >contrary.csv
learn 'no better than chance' private.csv public.csv --test contrary.csv
grep -q 'WARNING: the student.s balanced accuracy on 600 test records is [0-9.]* % .*; always saying one class comes to 50.0 %' err ||
  complain "$(cat err)"
# --quiet does not hide it.
learn 'no better than chance' private.csv public.csv --test contrary.csv --quiet
grep -q WARNING err || complain "--quiet hides a warning"

# Polls. judged WANTED FILE CLASSES OPTIONS...: 12000 records, of which 8000 are private, 3000 public and 1000 a test, or so
judged() {
  wanted=$1 file=$2 classes=$3
  shift 3
  rm -rf o ledger*
  "$FUMATA" learn --private "$file@0:8000" --public "$file@8000:11000" --label kind --classes "$classes" --delta 1e-5 --ledger ledger -o o \
    --unsafe-seed 1 "$@" >said 2>err || complain "$(cat err)"
  value o/summary.json judgement | grep -qx "$wanted" || complain "$file $*: not judged '$wanted': $(grep -h 'judgement\|foreseen' o/summary.json) $(grep WARNING err)"
  if [ "$wanted" = fine ]; then
    grep -q WARNING err && complain "$file $*: a warning about a good student: $(cat err)"
  else
    grep -q 'WARNING: ' err && grep -q 'to try: ' err || complain "$wanted: not said what to try: $(cat err)"
  fi
}
cat >make.py <<'END'
import math, random
random.seed(3)
def table(name, row):
    with open(name, "w", encoding="utf-8") as out:
        print("x,y,z,kind", file=out)
        for _ in range(12000):
            print("%.3f,%.3f,%.3f,%s" % row(), file=out)
def likely(weight, level):
    def row():
        x, y, z = (random.gauss(0, 1) for _ in range(3))
        return x, y, z, "yes" if random.random() < 1 / (1 + math.exp(level - weight * (x + y / 2))) else "no"
    return row
def seven():
    k = random.choices(range(7), [35, 25, 15, 10, 8, 5, 2])[0]
    return 2 * math.cos(k) + random.gauss(0, .5), 2 * math.sin(k) + random.gauss(0, .5), k / 3 + random.gauss(0, .5), "k%d" % k
table("even.csv", likely(2, 0))
table("rare.csv", likely(1.5, 4.2))  # 5 % of yes
table("blank.csv", likely(0, 1))     # 27 % of yes, wherever
table("seven.csv", seven)
END
python3 make.py
for t in '' '--test'; do
  # shellcheck disable=SC2086
  judged fine even.csv no,yes --epsilon 1 ${t:+--test even.csv@11000:}
  # shellcheck disable=SC2086
  judged fine seven.csv k0,k1,k2,k3,k4,k5,k6 --epsilon 2 ${t:+--test seven.csv@11000:}
  # A student for each class alike is far below the majority's 95 % and does well.
  # shellcheck disable=SC2086
  judged fine rare.csv no,yes --epsilon 2 --aim balanced ${t:+--test rare.csv@11000:}
  # Nothing to learn: whatever it is called, it is not fine.
  # shellcheck disable=SC2086
  judged 'constant\|no better than .*\|unclear\|one class' blank.csv no,yes --epsilon 1 ${t:+--test blank.csv@11000:}
done
python3 - <<'END' || complain "the balanced student: $(cat said)"
import json
s = json.load(open("o/summary.json"))
assert s["judgement"] != "fine" and s["foreseen"] > 0 and s["test_accuracy"] <= s["test_majority"] + 0.02
END
# 3000 records and a rare class: the likeliest class is the same everywhere, and so is the student. Never fine.
for seed in 1 2 3; do
  for t in '' '--test rare.csv@11000:'; do
    rm -rf o ledger*
    # shellcheck disable=SC2086
    "$FUMATA" learn --private rare.csv@0:3000 --public rare.csv@8000:11000 --label kind --classes no,yes --epsilon 0.5 --delta 1e-5 --ledger ledger \
      -o o --unsafe-seed $seed $t >said 2>err || complain "$(cat err)"
    [ "$(value o/summary.json judgement)" != fine ] || complain "3000 records, seed $seed $t: fine"
    "$FUMATA" predict --model o/student.model --score --json rare.csv@11000: >scored.json
    python3 -c 'import json; by = json.load(open("scored.json"))["by_class"]; assert by[1]["recall"] < 0.25, by' || complain "3000 records find more than was thought"
    grep -q 'to try: .*--aim balanced' err || complain "not said what to try for a rare class: $(cat err)"
  done
done

exit "$failed"
