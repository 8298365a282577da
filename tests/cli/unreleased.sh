#!/bin/sh
# What leaves `fumata learn` depends on votes through released answers only. Two runs with the same coins: in the second one
# every vote on a record that the first did not ask about is turned round, and (not where it would change the coins' silences)
# one teacher turns its vote on all records, so that every count behind an answer is another one. The answers happen to be the
# same, so all else must be the same: what was asked, in which kind, the student, the summary.
. "$(dirname "$0")/common"

# Teachers: class by height, which names the record. FLIP is a file of heights on which all vote truly.
cat >teacher <<'END'
#!/usr/bin/python3
import os, struct, sys
def first_column(path):
    data = open(path, "rb").read()
    at = 10 + struct.unpack("<H", data[8:10])[0]
    rows = int(data[:at].split(b"(")[1].split(b",")[0])
    values = struct.unpack("<%df" % ((len(data) - at) // 4), data[at:])
    return values[:: max(1, len(values) // max(1, rows))]
if sys.argv[1] == "train":
    heights = first_column(sys.argv[2])
    # Exactly one chunk has the one private record of its height, and so exactly one teacher is odd.
    open(sys.argv[4], "w").write("odd" if "ODD" in os.environ and max(heights) > 1.5 else "even")
else:
    kept = set(open(os.environ["FLIP"]).read().split()) if "FLIP" in os.environ else None
    odd = open(sys.argv[3]).read() == "odd"
    with open(sys.argv[4], "w") as out:
        for x in first_column(sys.argv[2]):
            vote = x > 0.5
            if odd or (kept is not None and "%.6f" % x not in kept):
                vote = not vote
            print(int(vote), file=out)
END
chmod +x teacher
python3 - <<'END'
import random
random.seed(5)
def write(name, count, extra=()):
    rows = ["%.6f" % random.random() for _ in range(count)] + list(extra)
    open(name, "w").write("".join("%d 1:%s\n" % (float(x) > 0.5, x) for x in rows))
write("private.svm", 300, ["1.900000"])
write("public.svm", 150)
END

learn() { # NAME WAY OPTIONS...
  name=$1 way=$2
  shift 2
  mkdir "$name"
  "$FUMATA" learn --private private.svm --public public.svm --classes 0,1 --features raw --learner exec:./teacher --student logistic \
    --ask "$way" --teachers 15 --epsilon 20 --delta 1e-3 --unsafe-seed 11 --ledger "$name/ledger" -o "$name/out" "$@" \
    >"$name/stdout" 2>"$name/stderr" || complain "$name: $(head -c 300 "$name/stderr")"
  sed -i -e "s|$name/|RUN/|g" "$name/stdout"
  grep -v -e '"ledger' -e '"command"' "$name/out/summary.json" >"$name/summary"
}

# heights NAME: of the records that were asked about
heights() {
  awk -F'[:,]' 'NR == FNR { height[FNR - 1] = $2; next } FNR > 1 { print height[$1] }' public.svm "$1/out/labels.csv"
}

try() { # WAY OPTIONS...
  way=$1
  shift
  learn "$way-1" "$way" "$@"
  heights "$way-1" >"$way.kept"
  [ "$(sort -u "$way.kept" | wc -l)" -lt 150 ] || complain "$way: every record was asked about, so that this tries nothing"
  [ "$way" = combined ] || export ODD=1
  export FLIP="$work/$way.kept"
  learn "$way-2" "$way" "$@"
  unset ODD FLIP
  for file in out/labels.csv out/student.model out/plan summary stdout; do
    cmp -s "$way-1/$file" "$way-2/$file" || complain "$way: $file depends on votes that were not released"
  done
}
try margin --answers 20
try disagreement --answers 80
try combined --answers 12 --silences 2
try random --silences 1
# The trial itself: where the votes behind answers change, so do answers.
export FLIP=/dev/null
learn turned margin --answers 20
unset FLIP
cmp -s margin-1/out/labels.csv turned/out/labels.csv && complain "votes were turned round and nothing changed: this tries nothing"
exit "$failed"
