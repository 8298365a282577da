#!/bin/sh
# Data as people have it: other delimiters, no header, packed, through pipes, class names with commas; votes with and
# without a header. All of it gives what the plain file gives.
. "$(dirname "$0")/common"

clinic 2000 1 >private.csv
clinic 500 2 >public.csv
clinic 300 3 >test.csv

# learn DIR PRIVATE PUBLIC [OPTION...]: a student, the same one from the same data
learn() {
  out=$1 private=$2 public=$3
  shift 3
  rm -f ledger*
  "$FUMATA" learn --private "$private" --public "$public" --epsilon 8 --delta 1e-3 --teachers 60 --silences 20 \
    --ledger ledger -o "$out" --unsafe-seed 1 "$@" >said 2>err || complain "$out: $(cat err)"
}
named() { learn "$@" --label sick --classes no,yes --unit person; }
# like_plain DIR: the labels that the plain files gave
like_plain() {
  cmp -s plain/labels.csv "$1/labels.csv" || complain "$1: other labels"
}

named plain private.csv public.csv
"$FUMATA" predict --model plain/student.model test.csv >plain.out || complain "no labels"

for delimiter in ';' '|' tab; do
  character=$delimiter
  [ $delimiter = tab ] && character='\t'
  for file in private public test; do
    sed "s/,/$character/g" $file.csv >$file.other
  done
  named "by-$delimiter" private.other public.other --delimiter $delimiter
  "$FUMATA" predict --model "by-$delimiter/student.model" test.other >out 2>err || complain "predict: $(cat err)"
  cmp -s plain.out out || complain "$delimiter: another student"
  # The other files of a model may be written otherwise.
  "$FUMATA" predict --model "by-$delimiter/student.model" --delimiter , test.csv >out 2>err || complain "predict: $(cat err)"
  cmp -s plain.out out || complain "$delimiter: the student reads commas otherwise"
done

for file in private public test; do
  sed 1d $file.csv >$file.bare
done
learn bare private.bare public.bare --label 4 --classes no,yes --no-header --unit 1
"$FUMATA" predict --model bare/student.model test.bare >out 2>err || complain "predict: $(cat err)"
cmp -s plain.out out || complain "no header: another student"

for tool in gzip xz 'zstd -q'; do
  # shellcheck disable=SC2086 # a word or two
  $tool -c private.csv >private.packed && $tool -c public.csv >public.packed
  named "packed-${tool%% *}" private.packed public.packed
  like_plain "packed-${tool%% *}"
done

# Pipes, as <(command) makes them, and standard input.
mkfifo pipe1 pipe2
cat private.csv >pipe1 &
xz -c public.csv >pipe2 &
named pipes pipe1 pipe2
wait
like_plain pipes
named standard private.csv - <public.csv
like_plain standard
[ -z "$(ls tmp)" ] || complain "left in TMPDIR: $(ls tmp)"

# A class name with a comma in it.
for file in private public test; do
  sed 's/,yes$/,"yes, ""very"""/' $file.csv >$file.comma
done
learn comma private.comma public.comma --unit person --label sick --classes 'no,"yes, ""very"""'
"$FUMATA" predict --model comma/student.model test.comma >out || complain "no labels"
sed 's/,"yes, ""very"""$/,yes/' out | cmp -s - plain.out || complain "a class with a comma: another student"

# Votes: the first of them counts, header or not, in words or labels, and it is said how they were read.
seq 40 | awk '{ for (t = 1; t < 200; t++) printf "%s,", NR % 3 ? "yes" : "no"; print NR % 3 ? "yes" : "no" }' >bare.votes
{ awk 'BEGIN { for (t = 1; t < 200; t++) printf "t%d,", t; print "t200" }'; cat bare.votes; } >named.votes
{ awk 'BEGIN { for (t = 0; t < 199; t++) printf "%d,", t; print "199" }'; cat bare.votes; } >numbered.votes
sed 's/no/0/g; s/yes/1/g' bare.votes >labels.votes
sed 's/,/;/g' named.votes >other.votes
awk 'BEGIN { print "yes,no" } { print NR % 3 ? "200,0" : "0,200" }' bare.votes >counts.votes
awk '{ print NR % 3 ? "0,200" : "200,0" }' bare.votes >bare-counts.votes
# votes FILE LINE [OPTION...]: forty answers, as the votes are, and a line that says how they were read
votes() {
  file=$1 line=$2
  shift 2
  rm -f vl*
  "$FUMATA" answer --votes "$file" --classes no,yes --epsilon 8 --delta 1e-3 --silences 2 --ledger vl --unsafe-seed 3 "$@" >out 2>err ||
    complain "$file: $(cat err)"
  grep -v silent out | awk -F , 'NR > 1 && $2 != (($1 + 1) % 3 ? "yes" : "no")' >wrong
  [ ! -s wrong ] || complain "$file: ids have shifted: $(head -n 3 wrong)"
  [ "$(wc -l <out)" -eq 41 ] || complain "$file: $(wc -l <out) lines for forty votes and a header"
  grep -q "$line" err || complain "$file: not said how it was read: $(cat err)"
}
votes named.votes 'named.votes: votes of 200 teachers; line 1 is its header'
votes numbered.votes 'line 1 is its header'
votes bare.votes 'bare.votes: votes of 200 teachers; it has no header'
votes bare.votes 'it has no header' --no-header
votes labels.votes 'votes of 200 teachers; it has no header'
votes other.votes 'line 1 is its header' --delimiter ';'
votes counts.votes 'counts of votes for 2 classes; line 1 is its header'
votes bare-counts.votes 'counts of votes for 2 classes; it has no header'
votes named.votes 'line 1 is its header' --header

exit "$failed"
