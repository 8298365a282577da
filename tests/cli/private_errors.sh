#!/bin/sh
# A line about a private record is for the operator: on stderr only, said to be private, without the cell itself, and
# with nothing on stdout, in the folder of results or in the ledger that would tell.
. "$(dirname "$0")/common"

clinic 800 1 >clinic.csv
clinic 200 2 >public.csv
mark='(private: do not publish this line)$'
learn() { "$FUMATA" learn --label sick --classes no,yes --epsilon 8 --delta 1e-3 --teachers 80 --silences 3 "$@"; }
answer() { "$FUMATA" answer --label sick --classes no,yes --epsilon 8 --delta 1e-3 --teachers 80 --silences 3 "$@"; }
spoil() { awk -v n="$1" -v text="$2" 'NR == n { $0 = text } { print }' "$3"; }

# told PLACE: the private file bad.csv is refused by every command, with the mark
told() {
  expect 2 "^fumata: bad0.csv$1.*$mark" learn --private bad0.csv --public public.csv -o bad
  [ ! -s out ] || complain "something on stdout: $(cat out)"
  expect 2 "^fumata: bad0.csv$1.*$mark" answer --private bad0.csv --public public.csv -o bad.csv public.csv
  [ ! -s out ] || complain "something on stdout: $(cat out)"
  ! grep -q SECRET err || complain "the cell is quoted: $(cat err)"
  [ ! -e bad0.csv.ledger ] || complain "a ledger is left"
}
spoil 7 'p3,SECRET,red,no' clinic.csv >bad0.csv && told ':7:2 ("height")'
spoil 9 'p4,150.0,red,SECRET' clinic.csv >bad0.csv && told ':9:4 ("sick"): the label is not one'
spoil 9 'p4,150.0,red' clinic.csv >bad0.csv && told ':9: 3 cells'
spoil 9 'p4,"SECRET,red,no' clinic.csv >bad0.csv && told ':9:1: a quote'
head -n 1 clinic.csv >bad0.csv && told ': no records'
spoil 11 ',150.0,red,no' clinic.csv >bad0.csv
expect 2 ":11:1 (\"person\"): the unit is empty $mark" learn --unit person --private bad0.csv --public public.csv -o bad
expect 2 ": 800 records, but the range.* $mark" learn --private clinic.csv@900: --public public.csv -o bad
gzip -c clinic.csv | head -c 300 >bad.gz
expect 2 "bad.gz: the gzip file is cut off $mark" learn --private bad.gz --public public.csv -o bad
spoil 9 'p4,150.0,red,SECRET' clinic.csv >bad0.csv
expect 2 "^fumata: bad0.csv:9:4.* $mark" learn --label-private --private bad0.csv -o bad

# Lines about what is public say nothing of the kind.
spoil 7 'p3,150.0,red' public.csv >bad0.csv
plain() {
  expect 2 "$@"
  ! grep -q 'private:' err || complain "a public line is called private: $(cat err)"
}
plain '^fumata: bad0.csv:7: 3 cells' learn --private clinic.csv --public bad0.csv -o bad
plain '^fumata: bad0.csv:7: 3 cells' learn --private clinic.csv --public public.csv --test bad0.csv -o bad
plain 'none.csv: cannot read' learn --private none.csv --public public.csv -o bad

exit $failed
