#!/bin/sh
# Bad data, as an operator meets it: one clear line, a non-zero exit, nothing left behind.
. "$(dirname "$0")/common"
cases=0

# refuse CODE PATTERN COMMAND...: one line on stderr like PATTERN, nothing on stdout, no file left behind
refuse() {
  code=$1 pattern=$2
  shift 2
  cases=$((cases + 1))
  ls -A >../before.$$ 2>/dev/null
  "$@" >../out.$$ 2>../err.$$
  got=$?
  [ "$got" = "$code" ] || complain "exit $got instead of $code: $* ($(head -c 300 ../err.$$))"
  grep -q -e "$pattern" ../err.$$ || complain "nothing like '$pattern' from: $* ($(head -c 300 ../err.$$))"
  [ "$(wc -l <../err.$$)" -eq 1 ] || complain "not one line on stderr: $* ($(head -c 300 ../err.$$))"
  [ -s ../out.$$ ] && complain "something on stdout: $*"
  ls -A >../after.$$
  cmp -s ../before.$$ ../after.$$ || complain "left behind by $*: $(diff ../before.$$ ../after.$$ | grep '^>')"
}

mkdir here
cd here || exit 1

# Good files to spoil.
awk 'BEGIN { print "age,job,id,sick"
  for (i = 0; i < 400; i++)
    printf "%d.5,%s,%d,%s\n", 20 + i % 50, i % 3 ? "nurse" : "cook", i / 2, i % 2 ? "yes" : "no" }' >good.csv
awk 'BEGIN { for (i = 0; i < 400; i++) printf "%d %d:1 %d:0.5\n", i % 2, 1 + i % 5, 7 + i % 3 }' >good.svm
printf '\000\000\010\003\000\000\000\002\000\000\000\001\000\000\000\002abcd' >good-images-idx3-ubyte
printf '\000\000\010\001\000\000\000\002\000\001' >good-labels-idx1-ubyte
# And public ones: no file is both.
sed '$d' good.csv >public.csv
sed '$d' good.svm >public.svm
printf '\000\000\010\003\000\000\000\002\000\000\000\001\000\000\000\002bcde' >public-images-idx3-ubyte

csv() { # PRIVATE [PUBLIC] [OPTION...]
  private=$1
  public=${2:-public.csv}
  shift
  [ $# -gt 0 ] && shift
  "$FUMATA" learn --private "$private" --public "$public" --label sick --classes no,yes --teachers 20 --silences 5 \
    --epsilon 2 --delta 1e-5 -o out "$@"
}
svm() { # PRIVATE [PUBLIC]
  "$FUMATA" learn --private "$1" --public "${2:-public.svm}" --classes 0,1 --teachers 20 --silences 5 \
    --epsilon 2 --delta 1e-5 -o out
}
spoil() { # LINE TEXT FILE: replaces one line of the good file
  awk -v n="$1" -v text="$2" 'NR == n { $0 = text } { print }' good."${3##*.}" >"$3"
}

# Files that are not there, or are something else.
refuse 2 'absent.csv: cannot read: No such file' csv absent.csv
refuse 2 'absent.csv: cannot read: No such file' csv good.csv absent.csv
mkdir folder
refuse 2 'folder: cannot read: Is a directory' csv folder
: >empty.csv
refuse 2 'empty.csv: the file is empty' csv empty.csv
refuse 2 'empty.csv: the file is empty' csv good.csv empty.csv
refuse 2 'good.svm: this is LIBSVM, but the public file or schema is CSV' csv good.svm
refuse 2 'good.csv: this is CSV, but the public file or schema is LIBSVM' svm good.csv
printf '\223NUMPY\001\000v\000' >bad.npy
refuse 2 'bad.npy: the .npy header is cut off' csv bad.npy
refuse 2 'good.csv@9:9: the range after @ is empty' csv good.csv@9:9
refuse 2 '400 records, but the range starts at 999' csv good.csv@999:

# CSV.
head -1 good.csv >bad.csv
refuse 2 'bad.csv: no records' csv bad.csv
refuse 2 'bad.csv: no records' csv good.csv bad.csv
spoil 7 'x,cook,1,no' bad.csv
refuse 2 'bad.csv:7:1 ("age"): the cell is not a number (private: ' csv bad.csv
spoil 9 'inf,cook,1,no' bad.csv
refuse 2 'bad.csv:9:1 ("age"): the cell is not a finite number' csv bad.csv
refuse 2 'bad.csv:9:1 ("age"): the cell is not a finite number' csv good.csv bad.csv
spoil 9 '1e999,cook,1,no' bad.csv
refuse 2 'bad.csv:9:1 ("age"): the cell is not a finite number' csv bad.csv
sed 's/,/;/g' good.csv >bad.csv
refuse 2 "bad.csv:1: one column only; is the delimiter another one? (--delimiter ';')" csv bad.csv
refuse 2 "bad.csv:1: one column only; is the delimiter another one? (--delimiter ';')" csv good.csv bad.csv
refuse 2 "delimiter: 'x' is not a delimiter" csv good.csv public.csv --delimiter x
awk 'BEGIN { for (i = 0; i < 400; i++) printf "%d.5,%d,%d\n", 20 + i % 50, i / 2, i % 2 }' >bad.csv
refuse 2 'bad.csv:1: nothing but numbers where the header should be; --no-header' csv bad.csv
refuse 2 'bad.csv:1: nothing but numbers where the header should be; --no-header' csv good.csv bad.csv
spoil 5 '30,cook,1,perhaps' bad.csv
refuse 2 'bad.csv:5:4 ("sick"): the label is not one of the declared classes: "no", "yes"' csv bad.csv
spoil 5 '30,cook,1,' bad.csv
refuse 2 'bad.csv:5:4 ("sick"): the label is missing' csv bad.csv
spoil 5 '30,cook,1' bad.csv
refuse 2 'bad.csv:5: 3 cells, but the header has 4' csv bad.csv
spoil 5 '30,cook,1,no,more' bad.csv
refuse 2 'bad.csv:5: 5 cells, but the header has 4' csv bad.csv
spoil 5 '30,"cook,1,no' bad.csv
refuse 2 'bad.csv:5:1: a quote that is never closed' csv bad.csv
spoil 5 '30,"cook"s,1,no' bad.csv
refuse 2 'bad.csv:5:2: text after a closing quote' csv bad.csv
spoil 1 'age,job,age,sick' bad.csv
refuse 2 'bad.csv:1:3 ("age"): two columns have this name' csv bad.csv
spoil 1 'age,,id,sick' bad.csv
refuse 2 'bad.csv:1:2: a column without a name' csv bad.csv
spoil 1 'age,work,id,sick' bad.csv
refuse 2 'bad.csv:1: no column "job" in the header' csv bad.csv
spoil 1 'age,job,id,ill' bad.csv
refuse 2 'bad.csv:1: no column "sick" in the header' csv bad.csv
{ cat good.csv; printf '30,cook,\0001,no\n'; } >bad.csv
refuse 2 'bad.csv:402: a NUL byte' csv bad.csv
{ printf '\377\376'; cat good.csv; } >bad.csv
refuse 2 'bad.csv:1: UTF-16 text' csv bad.csv
spoil 5 '30,cook,,no' bad.csv
refuse 2 'bad.csv:5:3 ("id"): the unit is empty' csv bad.csv public.csv --unit id
refuse 2 'good.csv:1: no column "person" in the header' csv good.csv public.csv --unit person
refuse 2 'the label and the unit cannot be the same column' csv good.csv public.csv --unit sick

# gzip.
gzip -c good.csv >good.csv.gz
head -c 300 good.csv.gz >cut.csv.gz
refuse 2 'cut.csv.gz: the gzip file is cut off' csv cut.csv.gz
refuse 2 'cut.csv.gz: the gzip file is cut off' csv good.csv cut.csv.gz
{ head -c 200 good.csv.gz; printf 'xxxxxxxx'; tail -c +209 good.csv.gz; } >bad.csv.gz
refuse 2 'bad.csv.gz: the gzip file is damaged' csv bad.csv.gz

# xz, zstd, and files that are not read.
xz -c good.csv >good.csv.xz
head -c 200 good.csv.xz >cut.csv.xz
refuse 2 'cut.csv.xz: the xz file is cut off' csv cut.csv.xz
zstd -q good.csv
head -c 200 good.csv.zst >cut.csv.zst
refuse 2 'cut.csv.zst: the zstd file is cut off' csv cut.csv.zst
printf 'PAR1\025\004\025' >good.parquet
refuse 2 'good.parquet: this is a Parquet file; convert it: python3 -c' csv good.parquet
refuse 2 'good.parquet: this is a Parquet file; convert it: python3 -c' csv good.csv good.parquet

# LIBSVM.
spoil 4 '1 0:1' bad.svm
refuse 2 'bad.svm:4:3: index 0: indices count from 1' svm bad.svm
spoil 4 '1 3:1 2:1' bad.svm
refuse 2 'bad.svm:4:7: indices must ascend' svm bad.svm
spoil 4 '1 16777217:1' bad.svm
refuse 2 'bad.svm:4:3: an index above 16777216' svm good.svm bad.svm
spoil 4 '1 3:one' bad.svm
refuse 2 'bad.svm:4:5: the value is not a number' svm bad.svm
spoil 4 '1 3:inf' bad.svm
refuse 2 'bad.svm:4:5: the value is not finite' svm bad.svm
spoil 4 '7 3:1' bad.svm
refuse 2 'bad.svm:4: the label is not one of the declared classes: "0", "1"' svm bad.svm

# idx.
idx=good-images-idx3-ubyte
other="public-images-idx3-ubyte"
head -c 18 $idx >cut-images-idx3-ubyte
refuse 2 'cut-images-idx3-ubyte: 18 bytes, but the idx header asks for 20' svm cut-images-idx3-ubyte $other
cp $idx lone-images-idx3-ubyte
refuse 2 'lone-images-idx3-ubyte: no labels' svm lone-images-idx3-ubyte $other
printf '\000\000\010\001\000\000\000\001\000' >lone-labels-idx1-ubyte
refuse 2 'lone-labels-idx1-ubyte: 1 labels for 2 records' svm lone-images-idx3-ubyte $other
printf '\000\000\010\001\000\000\000\002\000\011' >lone-labels-idx1-ubyte
refuse 2 'lone-labels-idx1-ubyte: item 2: the label is not one of the declared classes' svm lone-images-idx3-ubyte $other
printf '\000\000\015\003\000\000\000\002' >float-images-idx3-ubyte
refuse 2 'float-images-idx3-ubyte: an idx file, but not of unsigned bytes' svm $idx float-images-idx3-ubyte
printf '\000\000\010\003\377\377\377\377\377\377\377\377\377\377\377\377' >huge-images-idx3-ubyte
refuse 2 'huge-images-idx3-ubyte: an idx file with an impossible size' svm $idx huge-images-idx3-ubyte

# Matrices of features, with labels in a second file.
npy() { # DESCR FORTRAN SHAPE: an 80-byte header; the cells come on stdin
  printf '\223NUMPY\001\000\106\000%-69s\n' "{'descr': '$1', 'fortran_order': $2, 'shape': $3, }"
  cat
}
rows() { npy "$1" False '(2, 2)'; }
printf '\000\001\000\001' | rows '|u1' >x.npy
printf '\001\001\000\001' | rows '|u1' >z.npy
printf '\000\001' | npy '|u1' False '(2,)' >y.npy
matrix() { svm "$1" "${2:-z.npy}"; } # PRIVATE [PUBLIC]
refuse 2 'x.npy: no labels: name their file after a comma' matrix x.npy
refuse 2 'absent.npy: cannot read: No such file' matrix x.npy,absent.npy
refuse 2 'absent.npy: cannot read: No such file' matrix absent.npy,y.npy
printf '\000\001' | npy '|u1' True '(1, 2)' >bad.npy
refuse 2 'bad.npy: the .npy array is in Fortran order' matrix bad.npy,y.npy
refuse 2 'bad.npy: the .npy array is in Fortran order' matrix x.npy,y.npy bad.npy
printf '\000\001\000\001' | npy '>u2' False '(1, 2)' >bad.npy
refuse 2 'bad.npy: the .npy array is not of little-endian' matrix bad.npy,y.npy
printf '\000\001\000' | rows '|u1' >bad.npy
refuse 2 'bad.npy: 83 bytes, but the .npy header asks for 84' matrix bad.npy,y.npy
gzip -c bad.npy >bad.npy.gz
refuse 2 'bad.npy.gz: cut off in item 2 of 2' matrix bad.npy.gz,y.npy
printf '\000\001' | npy '|u1' False '(2,)' >bad.npy
refuse 2 'bad.npy: the .npy array does not have two dimensions' matrix bad.npy,y.npy
refuse 2 'bad.npy: the .npy array does not have two dimensions' matrix x.npy,y.npy bad.npy
printf '\000\001\000' | npy '|u1' False '(1, 3)' >bad.npy
refuse 2 'bad.npy: records of 3 numbers, but the encoding is for 2' matrix bad.npy,y.npy
printf '\000\000\300\177\000\000\000\000\000\000\000\000\000\000\000\000' | rows '<f4' >bad.npy
refuse 2 'bad.npy\[0, 0\]: not a finite number' matrix bad.npy,y.npy
printf '\000\000\000\000\000\000\200\177\000\000\000\000\000\000\000\000' | rows '<f4' >bad.npy
refuse 2 'bad.npy\[0, 1\]: not a finite number' matrix bad.npy,y.npy
printf '\000\001\001' | npy '|u1' False '(3,)' >bad.npy
refuse 2 'bad.npy: 3 labels for 2 records' matrix x.npy,bad.npy
printf '\000\011' | npy '|u1' False '(2,)' >bad.npy
refuse 2 'bad.npy: item 2: the label is not one of the declared classes' matrix x.npy,bad.npy
printf 'who,sick\na,0\n' >bad-labels.csv
refuse 2 'bad-labels.csv: which column is the label' matrix x.npy,bad-labels.csv
refuse 2 'good.csv: labels in a second file are for .npy or idx; this is CSV' csv good.csv,y.npy

# Classes, features, schema.
refuse 2 'at least two classes' csv good.csv public.csv --classes yes
refuse 2 'class "yes" is declared twice' csv good.csv public.csv --classes yes,no,yes
refuse 2 "features: 'pca' cannot stand here" csv good.csv public.csv --features pca
refuse 2 'hog needs pixels as they are' csv good.csv public.csv --features hog:2x1
refuse 2 'pca:999, but the data have only' csv good.csv public.csv --features pca:999
printf 'column age\n  number 90 17\n' >bad.schema
refuse 2 'bad.schema:2: the range ends before it starts' csv good.csv public.csv --schema bad.schema
printf 'column height\n  number 1 2\n' >bad.schema
refuse 2 'public.csv:1: no column "height", which the schema states' csv good.csv public.csv --schema bad.schema
refuse 2 'absent.schema: cannot read' csv good.csv public.csv --schema absent.schema

# Votes.
votes() { # FILE
  "$FUMATA" answer --votes "$1" --classes no,yes --epsilon 2 --delta 1e-5 --silences 5 --ledger ledger -o answers
}
printf '\000\001\000\001' | npy '|u1' True '(2, 2)' >bad.npy
refuse 2 'bad.npy: the .npy array is in Fortran order' votes bad.npy
printf '\000\001\000\001' | npy '>u2' False '(1, 2)' >bad.npy
refuse 2 'bad.npy: the .npy array is not of little-endian' votes bad.npy
printf '\000\001\000' | npy '|u1' False '(2, 2)' >bad.npy
refuse 2 'bad.npy: 83 bytes, but the .npy header asks for 84' votes bad.npy
printf '\000\001' | npy '|u1' False '(2,)' >bad.npy
refuse 2 'bad.npy: the .npy array does not have two dimensions' votes bad.npy
printf '\000\001\000\001' | npy '|u1' False '(4000000000, 2)' >bad.npy
refuse 2 'bad.npy: 84 bytes, but the .npy header asks for 8000000080' votes bad.npy
: >bad.npy
refuse 2 'bad.npy: the file is empty' votes bad.npy

rm -f ../before.$$ ../after.$$ ../out.$$ ../err.$$
[ "$failed" = 0 ] && echo "data.sh: $cases bad inputs, one line each, nothing left behind"
exit "$failed"
