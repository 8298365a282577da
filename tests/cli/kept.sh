#!/bin/sh
# shellcheck disable=SC2086 # words that are one or none
# Results never take the place of a ledger or of an input, nor of the results of another run; what lies beside a ledger is left
# alone; and there is room for the results before the first answer is paid for.
. "$(dirname "$0")/common"

clinic 1600 1 >private.csv
clinic 300 2 >public.csv
awk 'BEGIN { print "no,yes"; for (i = 0; i < 60; i++) print i % 3 ? "0,300" : "300,0" }' >two.csv
learn() {
  "$FUMATA" learn --private private.csv --public public.csv --label sick --classes no,yes --delta 1e-3 --teachers 80 --epsilon 8 \
    --silences 5 "$@"
}
toll() { "$FUMATA" answer --votes two.csv --votes-are counts --classes no,yes --epsilon 3 --delta 1e-4 --answers 100 "$@"; }

# A run does not destroy its own ledger, be it there yet or not, by this or another name, with --force or without.
mkdir sub && ln -s .. sub/up
for force in '' --force; do
  for made in no yes; do
    rm -rf x* private.csv.ledger* dir
    # shellcheck disable=SC2086 # none or one word
    {
      [ $made = no ] || toll --ledger x >/dev/null 2>&1 || complain "no ledger"
      sum=$(cksum x 2>/dev/null)
      expect 2 'x: this is an input' toll --ledger x -o x $force
      expect 2 'sub/up/x: this is an input' toll --ledger x -o sub/up/x $force
      for ending in -key -mark -wal -journal; do
        [ $made$ending = yes-key ] || expect 2 "x$ending: the ledger x keeps a file by this name" toll --ledger x -o x$ending $force
      done
      [ "$(cksum x 2>/dev/null)" = "$sum" ] || complain "the ledger is not what it was"
      expect 2 'this is an input' "$FUMATA" answer --private private.csv --public public.csv --label sick --classes no,yes \
        --delta 1e-3 --teachers 80 --epsilon 8 --silences 5 -o private.csv.ledger $force public.csv
    }
  done
done
for name in labels.csv plan summary.json student.model; do
  expect 2 "dir/$name: this is an input" learn --ledger dir/$name -o dir
  [ ! -e dir/$name ] || complain "left behind: $(find dir)"
  rm -rf dir
done
toll --ledger y >/dev/null 2>&1 || complain "no ledger"
learn -o dir >/dev/null 2>&1 || complain "no run"
sum=$(cksum <y)
expect 2 'y: this is a ledger; results are never written onto one' "$FUMATA" report dir -o y --force
expect 2 'y: this is a ledger' "$FUMATA" plan --epsilon 1 --delta 1e-5 --silences 5 -o y --force
expect 2 'y: this is a ledger' "$FUMATA" predict --model dir/student.model public.csv -o y --force
expect 2 'y: this is a ledger' "$FUMATA" vote --new-key y --force
expect 2 'private.csv.ledger: this is a ledger' toll --ledger other -o private.csv.ledger --force
[ "$(cksum <y)" = "$sum" ] || complain "the ledger is not what it was"
expect 2 'name is empty' learn -o ''
expect 2 'name is empty' toll --ledger y -o ''

# A private file whose name a ledger would use for itself is left alone.
cp private.csv p-mark
sum=$(cksum <p-mark)
expect 2 'p-mark: the ledger p needs this name, but the file is not the ledger' "$FUMATA" learn --private p-mark --ledger p \
  --public public.csv --label sick --classes no,yes --delta 1e-3 --teachers 80 --epsilon 8 --silences 5 -o bad
[ "$(cksum <p-mark)" = "$sum" ] || complain "the private file is not what it was"

# Two runs into one folder at once: one of them is told, and pays nothing.
rm -rf private.csv.ledger* both
learn -o both --ledger a >said.a 2>&1 & first=$!
learn -o both --ledger b >said.b 2>&1 & second=$!
wait $first; one=$?
wait $second; two=$?
case $one$two in
  01 | 10 | 02 | 20) ;;
  *) complain "two runs into one folder: exit $one and $two" ;;
esac
cat said.a said.b | grep -q 'another run writes its results into this folder\|exists already' || complain "$(cat said.a said.b)"
[ $one = 0 ] && loser=b || loser=a
[ ! -e $loser ] || complain "the one that was told has paid: $("$FUMATA" ledger show $loser)"

# No room for the results: nothing is spent.
if mkdir disk && mount -t tmpfs -o size=64k tmpfs disk 2>/dev/null; then
  rm -rf private.csv.ledger*
  expect 3 'no room for the results' learn -o disk/dir
  [ ! -e private.csv.ledger ] || complain "paid for results that had no room"
  awk 'BEGIN { print "no,yes"; for (i = 0; i < 6000; i++) print i % 3 ? "0,300" : "300,0" }' >many.csv
  /usr/bin/python3 -c 'import numpy; numpy.save("many.npy", numpy.zeros((6000, 300), numpy.uint8))'
  expect 3 'no room for the results' "$FUMATA" answer --votes many.npy --classes no,yes --epsilon 3 --delta 1e-4 --answers 100 \
    --ledger room -o disk/answers.csv
  [ ! -e room ] || complain "paid for answers that had no room"
  umount disk
fi

exit "$failed"
