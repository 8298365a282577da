#!/bin/sh
# What is private is not public as well: the private file given once more, by whatever name, is refused.
. "$(dirname "$0")/common"

clinic 1600 1 >clinic.csv
clinic 300 2 >public.csv
clinic 300 3 >test.csv
run() { "$FUMATA" "$@" --label sick --classes no,yes --epsilon 8 --delta 1e-3 --teachers 80 --silences 3; }
learn() { run learn --ledger bad.ledger -o bad "$@"; }
answer() { run answer --ledger bad.ledger -o bad.csv "$@"; }

cp clinic.csv copy.csv
gzip -k copy.csv
ln -s clinic.csv soft.csv
ln clinic.csv hard.csv
for other in clinic.csv ./clinic.csv "$PWD/clinic.csv" soft.csv hard.csv copy.csv copy.csv.gz clinic.csv@0:10 hard.csv@1599:; do
  expect 2 "--public .*the private file" learn --private clinic.csv --public "$other"
  expect 2 "--public .*the private file" answer --private clinic.csv --public "$other" test.csv
  expect 2 "--test .*the private file" learn --private clinic.csv --public public.csv --test "$other"
  expect 2 "QUERIES .*the private file" answer --private clinic.csv --public public.csv "$other"
done
expect 2 "--public .*the private file" learn --private copy.csv.gz --public clinic.csv
expect 2 "--public .*the private file" learn --private clinic.csv@0:1000 --public clinic.csv@999:
expect 2 "--public .*the private file" learn --private clinic.csv@0:1000 --public copy.csv@999:1300
expect 2 "--test .*the private file" learn --private clinic.csv@:1000 --public clinic.csv@1000: --test clinic.csv@5:6
# shellcheck disable=SC2094
expect 2 "QUERIES .*the private file" answer --private clinic.csv --public public.csv - <clinic.csv
expect 2 "--test .*the private file" learn --private clinic.csv --label-private --test copy.csv

# Parts that share no record are what they say; a file that only begins alike has other bytes and the same records.
good() { "$FUMATA" learn --label sick --classes no,yes --epsilon 8 --delta 1e-3 --teachers 80 --silences 3 "$@"; }
expect 0 'written' good --private clinic.csv@:1300 --public clinic.csv@1300: --test clinic.csv@1300: --ledger l1 -o o1
expect 0 'written' good --private clinic.csv@:1300 --public copy.csv@1300: --ledger l2 -o o2
{ cat clinic.csv; echo 'p9,170.0,red,no'; } >longer.csv
expect 2 'longer.csv: it and the private file have more records in common' learn --private clinic.csv --public longer.csv
expect 0 'written' good --private clinic.csv --public longer.csv --anyway --ledger l3 -o o3
expect 0 'written' good --private clinic.csv --label-private --ledger l4 -o o4

# idx images have their labels in a second file.
python3 - <<'END'
import struct
for name, turn in (("a", 0), ("t", 7)):
    labels = [i % 2 for i in range(400)]
    pixels = bytes((250 * l + i + turn) % 256 for i, l in enumerate(labels) for _ in range(4))
    open(name + "-images-idx3-ubyte", "wb").write(struct.pack(">IIII", 0x803, 400, 2, 2) + pixels)
    open(name + "-labels-idx1-ubyte", "wb").write(struct.pack(">II", 0x801, 400) + bytes(labels))
END
idx() { "$FUMATA" learn --classes 0,1 --epsilon 8 --delta 1e-3 --teachers 80 --silences 3 --ledger bad.ledger -o bad "$@"; }
expect 2 "--public .*the private file" idx --private a-images-idx3-ubyte@:300 --public a-images-idx3-ubyte@200:
rm t-labels-idx1-ubyte && ln -s a-labels-idx1-ubyte t-labels-idx1-ubyte
expect 2 "--test .*the private file" idx --private a-images-idx3-ubyte@:300 --public a-images-idx3-ubyte@300: --test t-images-idx3-ubyte

# So have .npy rows, where the path says.
python3 - <<'END'
for name, turn in (("a", 0), ("b", 1), ("t", 2)):
    for suffix, shape, cells in (("", "(400, 2)", bytes((i + turn) % 256 for i in range(800))),
                                 ("_labels", "(400,)", bytes(i % 2 for i in range(400)))):
        header = b"{'descr': '|u1', 'fortran_order': False, 'shape': %s, }" % shape.encode()
        open(name + suffix + ".npy", "wb").write(b"\x93NUMPY\x01\0\x76\0" + header.ljust(117) + b"\n" + cells)
END
expect 2 "--public .*the private file" idx --private a.npy,a_labels.npy --public a.npy
expect 2 "--public .*the private file" idx --private a.npy,a_labels.npy@:300 --public a.npy,b_labels.npy@200:
expect 2 "--test .*the private file" idx --private a.npy,a_labels.npy --public b.npy --test t.npy,a_labels.npy

exit $failed
