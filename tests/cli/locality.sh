#!/bin/sh
# One unit reaches one teacher: remove, add or change a unit in the private file, train again with the same key, and
# compare byte for byte what each teacher was taught, for every format of data. An exec learner keeps the digest of all
# that it is given. That each built-in learner makes the same bytes of the same lesson is in check_ensemble.c.
. "$(dirname "$0")/common"

# Keeps the digest of rows and labels of every lesson; teachers have no number, so lessons are compared as a set.
cat >witness <<'END'
#!/bin/sh
if [ "$1" = train ]; then
  cat "$2" "$3" | sha256sum >"$4"
  [ -d "$LESSONS" ] && cp "$4" "$LESSONS/$(basename "$(dirname "$4")")"
  exit 0
fi
export LC_ALL=C
rows=$(head -c 128 "$2" | tr -d '\000' | sed -n "s/.*'shape': (\([0-9]*\),.*/\1/p")
awk -v n="$rows" 'BEGIN { for (i = 0; i < n; i++) print 0 }' >"$4"
END
chmod +x witness

# lessons NAME OPTION...: the sorted digests of what each teacher was taught
lessons() {
  name=$1
  shift
  LESSONS=$work/$name.lessons
  export LESSONS
  mkdir "$LESSONS"
  "$FUMATA" answer --learner exec:./witness --teachers 12 --epsilon 4 --delta 1e-3 --silences 1 --anyway --unsafe-seed 5 \
    --ledger "$name.ledger" "$@" >"$name.out" 2>"$name.err" || complain "$name: $(cat "$name.err")"
  cat "$LESSONS"/* | sort >"$name.set"
}

# differ A B MOST WHAT: at most MOST lessons of A are not in B, and the other way
differ() {
  gone=$(comm -23 "$1.set" "$2.set" | wc -l)
  new=$(comm -13 "$1.set" "$2.set" | wc -l)
  [ "$gone" -le "$3" ] && [ "$new" -le "$3" ] || complain "$4: $gone lessons vanished and $new appeared, not $3"
  [ $((gone + new)) -gt 0 ] || [ "$3" -eq 0 ] || complain "$4: no teacher noticed"
}

# CSV, each row its own unit and named units; LIBSVM; idx images and their histograms; .npy rows, with units too.
awk 'BEGIN { srand(1); print "who,x,kind,y"
  for (i = 0; i < 120; i++) printf "w%d,%.3f,%s,%d\n", i % 40, rand(), rand() < 0.5 ? "a" : "b", rand() < 0.5 }' >base.csv
sed 57d base.csv >fewer.csv
sed '57s/[01]$/x/; 57s/0x$/1/; 57y/x/0/' base.csv | awk -F, -v OFS=, 'NR == 57 { $2 = "0.123" } { print }' >other.csv
{ cat base.csv; echo "w99,0.5,a,1"; } >more.csv
grep -v '^w7,' base.csv >without7.csv
awk -F, -v OFS=, '$1 == "w7" { $2 = "0.999" } { print }' base.csv >changed7.csv
{ sed 1d base.csv | tac >body; head -n 1 base.csv; cat body; } >turned.csv
sed '$d' base.csv >public.csv
csv() { lessons "$1" --private "$2" --public public.csv --label y --classes 0,1 public.csv@:1; }
unit() { lessons "$1" --private "$2" --public public.csv --label y --classes 0,1 --unit who public.csv@:1; }
csv c0 base.csv
csv c1 base.csv && differ c0 c1 0 "the same file twice"
csv c2 fewer.csv && differ c0 c2 1 "csv, a row removed"
csv c3 more.csv && differ c0 c3 1 "csv, a row added"
csv c4 other.csv && differ c0 c4 2 "csv, a row replaced (removed in one chunk, added in another)"
csv c5 turned.csv && differ c0 c5 0 "csv, the file turned round"
unit u0 base.csv
unit u1 without7.csv && differ u0 u1 1 "unit, a person removed"
unit u2 changed7.csv && differ u0 u2 1 "unit, a person's rows changed"

sed 1d base.csv | awk -F, '{ printf "%s 1:%s 2:%s\n", $4, $2, $3 == "a" }' >base.svm
sed 30d base.svm >fewer.svm
{ cat base.svm; echo "1 1:0.77"; } >more.svm
sed '$d' base.svm >public.svm
svm() { lessons "$1" --private "$2" --public public.svm --classes 0,1 public.svm@:1; }
svm s0 base.svm
svm s1 fewer.svm && differ s0 s1 1 "libsvm, a row removed"
svm s2 more.svm && differ s0 s2 1 "libsvm, a row added"
pca() { lessons "$1" --private "$2" --public public.svm --classes 0,1 --features pca:2 public.svm@:1; }
pca p0 base.svm
pca p1 fewer.svm && differ p0 p1 1 "libsvm with pca, a row removed"

python3 - <<'END'
import random, struct
random.seed(2)
images = [bytes(random.randrange(256) for _ in range(16)) for _ in range(100)]
labels = [random.randrange(2) for _ in range(100)]
def write(name, keep):
    open(name + "-images-idx3-ubyte", "wb").write(struct.pack(">IIII", 0x803, len(keep), 4, 4) + b"".join(images[i] for i in keep))
    open(name + "-labels-idx1-ubyte", "wb").write(struct.pack(">II", 0x801, len(keep)) + bytes(labels[i] for i in keep))
def matrix(name, keep):
    header = b"{'descr': '|u1', 'fortran_order': False, 'shape': (%d, 16), }" % len(keep)
    open(name + ".npy", "wb").write(b"\x93NUMPY\x01\0\x76\0" + header.ljust(117) + b"\n" + b"".join(images[i] for i in keep))
    open(name + "-labels.csv", "w").write("who,y\n" + "".join("w%d,%d\n" % (i % 30, labels[i]) for i in keep))
matrix("base", list(range(100)))
matrix("fewer", [i for i in range(100) if i != 41])
matrix("without7", [i for i in range(100) if i % 30 != 7])
matrix("public", list(range(99)))
write("base", list(range(100)))
write("fewer", [i for i in range(100) if i != 41])
write("public", list(range(99)))
END
idx() { lessons "$1" --private "$2-images-idx3-ubyte" --public public-images-idx3-ubyte --classes 0,1 public-images-idx3-ubyte@:1; }
idx i0 base
idx i1 fewer && differ i0 i1 1 "idx, an image removed"
hog() { lessons "$1" --private "$2-images-idx3-ubyte" --public public-images-idx3-ubyte --classes 0,1 --features raw+hog+pca:4 public-images-idx3-ubyte@:1; }
hog h0 base
hog h1 fewer && differ h0 h1 1 "idx with hog and pca, an image removed"
npy() { lessons "$1" --private "$2.npy,$2-labels.csv" --public public.npy --label y --classes 0,1 public.npy@:1; }
npy n0 base
npy n1 fewer && differ n0 n1 1 "npy, a row removed"
who() { lessons "$1" --private "$2.npy,$2-labels.csv" --public public.npy --label y --unit who --classes 0,1 public.npy@:1; }
who w0 base
who w1 without7 && differ w0 w1 1 "npy, a person removed"

exit "$failed"
