#!/bin/sh
# Rows and labels in two files are one data set, whichever of the two is another one in the next run; and a count is of the range
# that was counted.
. "$(dirname "$0")/common"

/usr/bin/python3 - <<'END' || exit 1
import numpy
random = numpy.random.default_rng(1)
rows = random.normal(size=(1600, 4))
numpy.save("emb1.npy", rows)
numpy.save("emb2.npy", rows * 2 + 1)
numpy.save("y.npy", (rows.sum(axis=1) > 0).astype(numpy.uint8))
numpy.save("z.npy", (rows[:, 0] > 0).astype(numpy.uint8))
numpy.save("pool.npy", random.normal(size=(300, 4)))
END
learn() { "$FUMATA" learn --public pool.npy --classes 0,1 --delta 1e-3 --epsilon 8 --silences 5 "$@"; }

expect 0 written learn --private emb1.npy,y.npy --teachers 80 -o a
# Other rows with the same labels, and other labels of the same rows, find the same ledger.
for other in emb2.npy,y.npy emb1.npy,z.npy; do
  expect 1 'the ledger belongs to another data set' learn --private $other --teachers 80 -o bad
  expect 1 'adds epsilon 8' learn --private $other --teachers 80 --same-data-set --silences 6 -o bad
done
expect 0 written learn --private emb2.npy,y.npy --teachers 80 --same-data-set --raise-total --silences 6 -o b
expect 0 '16 spent' "$FUMATA" ledger show emb1.npy.ledger
expect 0 '16 spent' "$FUMATA" ledger show y.npy.ledger
expect 0 '16 spent' "$FUMATA" ledger show emb2.npy.ledger
# Two that were made apart are not silently two budgets.
expect 0 written learn --private emb2.npy,z.npy --teachers 80 --ledger apart -o c
cp apart z.npy.ledger
expect 1 'rows and labels have a ledger each' learn --private emb1.npy,z.npy --teachers 80 -o bad

# A count of one range says nothing of another.
rm -rf ./*.ledger*
expect 0 'counted with noise' learn --private emb1.npy,y.npy@0:1500 -o r1
expect 0 'counted with noise' learn --private emb1.npy,y.npy@0:900 --raise-total -o r2
expect 0 'counted and paid for by an earlier run' learn --private emb1.npy,y.npy@0:900 --raise-total --silences 6 -o r3

exit "$failed"
