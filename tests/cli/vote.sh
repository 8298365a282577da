#!/bin/sh
# Shares of the votes, made by processes that know nothing of each other: put together they give the answers of one
# process, byte for byte; a share that is missing, double or of something else is refused before anything is spent; one that is
# said to be lost abstains. Keys and votes are for their owner's eyes only.
. "$(dirname "$0")/common"

{ clinic 3000 1; clinic 300 1 | tail -n +2; } >private.csv # some records twice: they are units of their own
clinic 400 2 >public.csv
clinic 150 3 >queries.csv
budget="--classes no,yes --epsilon 4 --delta 1e-5 --silences 40 --unsafe-seed 5"
printf 'fumata key 1\n00112233445566778899aabbccddeeff\n' >key
printf 'fumata key 1\n00112233445566778899aabbccddeefe\n' >other.key
chmod 600 key other.key

# vote FOLDER I/N [OPTION...]: a share, of 80 teachers
vote() {
  folder=$1 share=$2
  shift 2
  mkdir -p "$folder"
  "$FUMATA" vote --share "$share" --key key --private private.csv --public public.csv --label sick --classes no,yes \
    --teachers 80 --quiet -o "$folder/votes-${share%/*}.npy" "$@" || complain "vote $share: no votes"
}
alone() { # LEDGER QUERIES [OPTION...]: one process
  ledger=$1 queries=$2
  shift 2
  # shellcheck disable=SC2086 # options
  "$FUMATA" answer --key key --private private.csv --public public.csv --label sick --teachers 80 $budget --ledger "$ledger" \
    "$@" "$queries" 2>err || complain "one process: $(cat err)"
}
together() { # LEDGER [OPTION...]
  ledger=$1
  shift
  # shellcheck disable=SC2086
  "$FUMATA" answer $budget --ledger "$ledger" "$@"
}

# Sixteen shares and one process.
for i in $(seq 16); do vote all "$i/16"; done
alone one.ledger public.csv >one
together all.ledger --votes 'all/votes-*.npy' >all.csv 2>err || complain "shares: $(cat err)"
cmp one all.csv >&2 || complain "sixteen shares answer otherwise than one process"
[ "$(grep -c ',\(yes\|no\)$' one)" -gt 20 ] || complain "hardly a label: this tries nothing"
# The shell may expand the pattern; a ledger on which nothing was tried is the same as before.
together words.ledger --votes all/votes-*.npy >words 2>/dev/null
cmp one words >&2 || complain "files one by one answer otherwise than the pattern"
# Another key is another partition.
mkdir other
for i in 1 2; do vote other "$i/2" --key other.key; done
together other.ledger --votes 'other/votes-*.npy' >other.csv 2>/dev/null
cmp -s one other.csv && complain "another key, and the same answers: this tries nothing"

# Other learners, other numbers of shares, queries of their own, units.
for options in '--learner svm' '--learner trees:rounds=3' '--learner committee:3,logistic' '--unit person' '--features standard'; do
  rm -rf some l1 l2
  # shellcheck disable=SC2086
  for i in 1 2 3; do vote some "$i/3" $options queries.csv; done
  # shellcheck disable=SC2086
  alone l1 queries.csv $options >one.csv
  together l2 --votes 'some/votes-*.npy' >some.csv 2>err || complain "$options: $(cat err)"
  cmp one.csv some.csv >&2 || complain "$options: three shares answer otherwise than one process"
done

# Votes are a plain .npy for NumPy, of the share's teachers; together they are all teachers'.
/usr/bin/python3 - <<'END' || complain "NumPy reads something else"
import numpy
votes = [numpy.load("all/votes-%d.npy" % i) for i in range(1, 17)]
assert all(v.dtype == numpy.uint8 and v.shape == (400, 5) for v in votes) and set(numpy.hstack(votes).ravel()) == {0, 1}
END

# Only their owner may read them.
find all -type f ! -perm 600 | grep . && complain "votes that others may read"
expect 0 'secret key' "$FUMATA" vote --new-key new.key
[ "$(stat -c %a new.key)" = 600 ] || complain "a key that others may read"
cp new.key before
expect 2 'exists already' "$FUMATA" vote --new-key new.key
cmp -s new.key before || complain "a key was overwritten"
expect 2 'only teachers vote by shares; a poll is spread over machines by mpirun -n N fumata learn' "$FUMATA" vote --voters neighbours
expect 0 'secret key' "$FUMATA" vote --new-key new.key --force
cmp -s new.key before && complain "two keys are the same"
expect 0 'PRIVATE, not to be published: votes of teachers 41 to 80 of 80 on 400 queries' "$FUMATA" vote --share 2/2 --key key \
  --private private.csv --public public.csv --label sick --classes no,yes --teachers 80 -o noted.npy
[ ! -s out ] || complain "vote says something on standard output"

# What does not belong together is refused, in one line, and nothing is spent.
# shellcheck disable=SC2317,SC2329 # called by expect
refused() { together bad.ledger "$@" -o bad.csv; }
lose() { # FOLDER I...: all shares but these
  mkdir "$1"
  cp all/* "$1"
  folder=$1
  shift
  for i; do rm "$folder/votes-$i.npy" "$folder/votes-$i.npy.share"; done
}
lose lost 5
expect 2 '^fumata: share 5/16 is missing; --lost 5/16 if' refused --votes 'lost/votes-*.npy'
lose two 3 5
expect 2 'share 3/16 is missing, and 1 more' refused --votes 'two/votes-*.npy'
expect 2 'share 5/16 is missing' refused --votes 'two/votes-*.npy' --lost 3/16
expect 2 "'5/15' is not a share such as 1/16" refused --votes 'lost/votes-*.npy' --lost 5/15
expect 2 'lost 4/16: lost/votes-4.npy is there' refused --votes 'lost/votes-*.npy' --lost 5/16,4/16
expect 2 'share 1/16 is missing' refused --votes all/votes-2.npy
expect 2 'there twice: all/votes-3.npy and all/votes-3.npy' refused --votes 'all/votes-*.npy' all/votes-3.npy
expect 2 'does not match any file' refused --votes 'nowhere-*.npy'
expect 2 'is not a share of votes' refused --votes public.csv --lost 1/2
expect 2 'other classes than --classes' refused --votes 'all/votes-*.npy' --classes yes,no
# mixed WHAT [OPTION...]: share 5 is of something else
mixed() {
  what=$1
  shift
  rm -rf mixed
  lose mixed 5
  vote mixed 5/16 "$@"
  expect 2 "mixed/votes-5.npy: another $what than that of mixed/votes-1.npy" refused --votes 'mixed/votes-*.npy'
}
mixed key --key other.key
mixed 'number of teachers' --teachers 96
mixed 'number of teachers' --teachers 81
mixed 'pool of queries' queries.csv
mixed learner --learner svm
mixed learner --learner logistic:C=1
mixed encoding --features standard
mixed 'set of classes' --classes 'no,yes,perhaps'
sed '$d' private.csv >shorter.csv
mixed 'private file' --private shorter.csv
vote mixed 5/17 --force
expect 2 'another number of shares' refused --votes 'mixed/votes-*.npy'
rm -rf mixed
lose mixed 5
cp all/votes-5.npy mixed
expect 2 'votes-5.npy.share: cannot read' refused --votes 'mixed/votes-*.npy'
cp all/votes-6.npy.share mixed/votes-5.npy.share
expect 2 'share 6/16 is there twice' refused --votes 'mixed/votes-*.npy'
cp all/votes-5.npy.share mixed/votes-5.npy.share
printf 'more' >>mixed/votes-5.npy.share
expect 2 'votes-5.npy.share: not what fumata vote writes' refused --votes 'mixed/votes-*.npy'
cp all/votes-5.npy.share mixed/votes-5.npy.share
cp all/votes-6.npy mixed/votes-5.npy
expect 2 'not the votes that mixed/votes-5.npy.share was written for' refused --votes 'mixed/votes-*.npy'

# A lost share abstains: as if its columns said so.
together lost.ledger --votes 'lost/votes-*.npy' --lost 5/16 >lost.csv 2>err || complain "lost share: $(cat err)"
/usr/bin/python3 - <<'END'
import numpy
votes = numpy.hstack([numpy.load("all/votes-%d.npy" % i) for i in range(1, 17)])
votes[:, 20:25] = 255
numpy.save("abstained.npy", votes)
END
together abstained.ledger --votes abstained.npy >abstained.csv 2>err || complain "$(cat err)"
cmp lost.csv abstained.csv >&2 || complain "a lost share is not one that abstains"
cmp -s lost.csv one && complain "a lost share changes nothing: this tries nothing"

# Wrong options and files; nothing stays.
# shellcheck disable=SC2317,SC2329
wrong() {
  "$FUMATA" vote --private private.csv --public public.csv --label sick --classes no,yes --quiet -o bad "$@"
}
expect 2 'share I/N is missing' wrong --key key --teachers 80
expect 2 'is not a share such as 3/16' wrong --share 17/16 --key key --teachers 80
expect 2 'is not a share such as 3/16' wrong --share 0/16 --key key --teachers 80
expect 2 'key FILE is missing' wrong --share 1/2 --teachers 80
expect 2 'nokey: cannot read' wrong --share 1/2 --teachers 80 --key nokey
expect 2 'teachers K is missing' wrong --share 1/2 --key key
expect 2 'more shares than the 3 teachers' wrong --share 1/4 --key key --teachers 3
echo nothing >nokey
chmod 600 nokey
expect 2 'nokey: no key' wrong --share 1/2 --teachers 80 --key nokey
chmod 640 nokey
expect 2 'others may read this key (mode 640)' wrong --share 1/2 --teachers 80 --key nokey
expect 2 'private file, or shares records' wrong --share 1/2 --teachers 80 --key key private.csv
printf '3\n400\n' >rows
expect 2 'rows:2: not the number of a record, 0 to 399' wrong --share 1/2 --teachers 80 --key key --rows rows
printf '3\n1.5\n' >rows
expect 2 'rows:2: not the number of a record' wrong --share 1/2 --teachers 80 --key key --rows rows
: >rows
expect 2 'rows: no rows' wrong --share 1/2 --teachers 80 --key key --rows rows
expect 2 'is an input' "$FUMATA" vote --share 1/2 --teachers 80 --key key --private private.csv --public public.csv --label sick \
  --classes no,yes --force -o key
mkfifo pipe
expect 2 'not a plain file' wrong --share 1/2 --teachers 80 --key key --private pipe --unit person
expect 2 'not a plain file' wrong --share 1/2 --teachers 80 --key key pipe

# Some rows, in an order of their own, are voted on as among all rows.
printf '7\n3\n7\n399\n' >rows
vote few 2/2 --rows rows
vote whole 2/2
/usr/bin/python3 -c 'import numpy
assert (numpy.load("few/votes-2.npy") == numpy.load("whole/votes-2.npy")[[7, 3, 7, 399]]).all()' || complain "--rows votes on other rows"

# A student that asks, round by round, and machines that share files only.
PATH="$(dirname "$FUMATA"):$PATH" timeout 120 /usr/bin/python3 "$here/shell/examples/asking_by_files.py" >said 2>&1 || complain "asking_by_files: $(cat said)"
exit "$failed"
