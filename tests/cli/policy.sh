#!/bin/sh
# The numbers of plan/policy.h that the manual tells: a line `.\" policy: NAME...` stands before a paragraph, in which each of
# the named constants is told as a number (0.9, 2/3, 90 %, 9 times in 10; 1/50 also for one part of 50).
. "$(dirname "$0")/common"

cat >check.py <<'EOF'
import glob, re, sys
from fractions import Fraction

root = sys.argv[1]
header = re.sub(r"\\\n", " ", open(root + "/shell/plan/policy.h").read())
policy = {name: float(value.strip("()").split("/")[0]) / float((value.strip("()").split("/") + ["1"])[1])
          for name, value in re.findall(r"^#define (PLAN_\w+) +(\([\d./ ]+\)|[\d.]+) ", header, re.M)}


def told(text):
    """Every number that a paragraph tells."""
    text = re.sub(r"\\f.|[\"\\]", "", text)
    for left, over, unit in re.findall(r"(?<![\w.])(\d+(?:\.\d+)?)(?:/(\d+))?( %| times in \d+)?", text):
        number = Fraction(left) / (int(over) if over else 1)
        if unit:
            number /= 100 if unit == " %" else int(unit.split()[-1])
        yield float(number)
        if over and left == "1":
            yield float(over)


seen, faults = set(), 0
for page in sorted(glob.glob(root + "/shell/man/*.1")):
    for names, text in re.findall(r"^\.\\\" policy: (.*)\n((?:(?!\.(?:TP|PP|IP|SH|\\\")).*\n)*)", open(page).read(), re.M):
        for name in names.split():
            seen.add(name)
            if name not in policy or not any(abs(number - policy[name]) < 1e-12 for number in told(text)):
                print("%s: %s is %s and is not told in: %s" % (page, name, policy.get(name, "not in policy.h"), text.split("\n")[0]))
                faults += 1
unsaid = [name for name in policy if name.startswith("PLAN_LEARN_") and name not in seen and name != "PLAN_LEARN_ANSWERS_FEW"]
if unsaid or len(seen) < 15:
    print("the manual does not tell", ", ".join(unsaid) or "so few numbers")
    faults += 1
sys.exit(faults > 0)
EOF
/usr/bin/python3 check.py "$here" || complain "the manual and plan/policy.h differ"

# The help is made of the same numbers.
number() { sed -n "s/^#define $1 *\([0-9.]*\) .*/\1/p" "$here/shell/plan/policy.h"; }
"$FUMATA" plan --help >help
for name in PLAN_AGREEMENT PLAN_SILENCE PLAN_NAMED PLAN_PAPER_QUERIES; do
  grep -q "($(number $name))" help || complain "fumata plan --help does not say $name"
done

exit "$failed"
