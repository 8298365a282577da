#!/bin/sh
# Two private files that differ in one unit, the same coins: in all that is released (stdout, exit code, the folder of
# results) only the answers may differ, and what is computed from them. The unit that comes, goes or changes is one that
# one could not overlook: a category that no other has, and numbers far away.
. "$(dirname "$0")/common"

mkdir files
clinic 4999 1 >files/base.csv
clinic 400 2 >public.csv
clinic 300 3 >test.csv
odd='VIOLET'
python3 - "$odd" <<'END'
import sys
lines = open("files/base.csv").read().splitlines(True)
odd = sys.argv[1]
strange = lambda who: "%s,987654.5,%s,yes\n" % (who, odd)
write = lambda name, kept: open("files/" + name + ".csv", "w").writelines(kept)
write("add", lines[:2000] + [strange("p777777")] + lines[2000:])       # the 5000th record, and unit 2501
write("remove", lines[:2001] + lines[2002:])                           # one record of p1000
write("change", lines[:2000] + [strange("p999")] + lines[2001:])       # one record of p999
write("add_unit", lines[:1] + [strange("new")] * 40 + lines[1:])       # forty records of one person
write("remove_unit", [line for line in lines if not line.startswith("p1000,")])
write("change_unit", [strange("p1000") if line.startswith("p1000,") else line for line in lines])
lines[2000] = lines[2000].replace(",yes", ",?").replace(",no", ",yes").replace(",?", ",no")
write("label", lines)
END

# released NAME FILE COMMAND...: runs in a folder of its own, where the private file is always called private.csv
released() {
  mkdir "$1" "$1/results"
  cp "files/$2.csv" "$1/private.csv"
  (
    cd "$1" || exit 1
    shift 2
    "$FUMATA" "$@" --private private.csv --label sick --classes no,yes --unsafe-seed 7 --delta 1e-5 >results/stdout 2>stderr
    echo $? >results/code
  )
}
learn() {
  name_=$1 file_=$2
  shift 2
  released "$name_" "$file_" learn --public ../public.csv -o results/out "$@"
}

cat >compare.py <<'END'
"""compare.py NAME A B: what differs between two folders of results that should not."""
import json, os, re, sys

name, *folders = sys.argv[1:]
COMPUTED = {"asked", "answered", "silent", "labels", "answers_given", "silences_left", "answers_left", "ledger_head", "estimated_error", "judgement"}
COUNTED = {"counted"}
faults = []


def fault(what):
    faults.append("%s: %s" % (name, what))


def read(folder, path):
    with open(os.path.join(folder, "results", path), "rb") as file:
        return file.read()


def names(folder):
    top = os.path.join(folder, "results")
    return sorted(os.path.relpath(os.path.join(at, file), top) for at, _, files in os.walk(top) for file in files)


def said(folder):
    """Standard output without what is computed from answers, and from what was paid for."""
    lines = read(folder, "stdout").decode().splitlines()
    if lines and lines[0] == "id,answer":
        return [lines[0]]
    computed = r'asked \d+ of|the student is right on|balanced accuracy|class  |"(no|yes)"  |(silences|answers) left: |error rate of a teacher'
    return [re.sub(r"^about \d+", "about N", line) for line in lines if not re.match(computed, line)]


def same_but(a, b, but):
    return {key for key in {*a, *b} - but if a.get(key) != b.get(key) and not key.startswith(("test_", "foreseen"))}


def answers(text):
    return dict(line.split(",")[:2] for line in text.decode().splitlines()[1:])


def compare_answers(a, b):
    small, large = sorted((set(a), set(b)), key=len)
    if not small <= large:
        fault("other queries were asked, in another order")


def compare_learn(one, two):
    summaries = [json.loads(read(folder, "out/summary.json")) for folder in (one, two)]
    counts = [summary.get("counted", 0) for summary in summaries]
    if abs(counts[0] - counts[1]) > 1:
        fault("noisy counts %s differ by more than the unit" % counts)
    if counts[0] != counts[1]:
        return  # paid for: another count, another plan
    if said(one) != said(two):
        fault("stdout: %s" % [pair for pair in zip(said(one), said(two)) if pair[0] != pair[1]])
    differ = same_but(*summaries, COMPUTED | COUNTED)
    if differ:
        fault("summary.json: %s" % sorted(differ))
    if read(one, "out/plan") != read(two, "out/plan"):
        fault("the plan differs")
    labels = [read(folder, "out/labels.csv") for folder in (one, two)]
    if summaries[0].get("ask", "random") == "random":
        compare_answers(*map(answers, labels))  # else what is asked follows from what was answered: unreleased.sh
    models = [read(folder, "out/student.model") for folder in (one, two)]
    if labels[0] == labels[1] and models[0] != models[1]:
        fault("the same answers, another student")
    heads = [model.split(b"features ")[0] for model in models]
    if heads[0] != heads[1]:
        fault("the student's encoding differs")


def main():
    one, two = folders
    if names(one) != names(two):
        fault("other files: %s" % sorted({*names(one)} ^ {*names(two)}))
    elif read(one, "code") != read(two, "code") or read(one, "code") != b"0\n":
        fault("exit codes %r and %r" % (read(one, "code"), read(two, "code")))
    elif "out/summary.json" in names(one):
        compare_learn(one, two)
    else:
        if said(one) != said(two):
            fault("stdout")
        compare_answers(*(answers(read(folder, "stdout")) for folder in (one, two)))
    for path in names(two):
        if b"VIOLET" in read(two, path) or b"987654" in read(two, path):
            fault("%s quotes the unit" % path)
    print("\n".join(faults))
    return bool(faults)


sys.exit(main())
END

# neighbours NAME "FILES" COMMAND...: the base file against each of FILES
neighbours() {
  name=$1 files=$2
  shift 2
  "$@" "$name.base" base
  for file in $files; do
    "$@" "$name.$file" "$file"
    python3 compare.py "$name, $file" "$name.base" "$name.$file" >faults || complain "$(cat faults)"
  done
}
records='add remove change'
units='add_unit remove_unit change_unit'

plain() { learn "$1" "$2" --epsilon 8; }
said() { learn "$1" "$2" --epsilon 8 --about 5000 --test ../test.csv; }
taught() { learn "$1" "$2" --epsilon 8 --voters teachers; }
few() { learn "$1" "$2" --epsilon 4 --teachers 100; }
trees() { learn "$1" "$2" --epsilon 4 --teachers 100 --silences 3 --learner trees:rounds=3 --features standard; }
estimated() { learn "$1" "$2" --epsilon 8 --teachers 60 --estimate-error 2; }
owned() { learn "$1" "$2" --epsilon 8 --unit person; }
owned_taught() { learn "$1" "$2" --epsilon 8 --unit person --about 2500 --voters teachers; }
owned_said() { learn "$1" "$2" --epsilon 8 --unit person --about 2500; }
labels() { released "$1" "$2" learn --label-private --epsilon 8 -o results/out; }
asked() { released "$1" "$2" answer --public ../public.csv --epsilon 8 --teachers 80 --silences 5 ../test.csv; }

neighbours default "$records" plain
neighbours about "$records" said
neighbours taught "$records" taught
neighbours teachers "$records" few
neighbours trees "add" trees
neighbours unit "$units" owned
neighbours unit-about "$units" owned_said
neighbours unit-taught "$units" owned_taught
neighbours label label labels
neighbours answer "$records" asked

# Under an estimate T follows from a number that was paid for; what differs beyond it is what the plan then is.
estimated e1 base
estimated e2 add
[ "$(cat e1/results/code)" = "$(cat e2/results/code)" ] || complain "an estimate's exit code differs"

exit $failed
