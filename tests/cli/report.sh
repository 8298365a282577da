#!/bin/sh
# fumata report: a page that is well formed, says what the files say, and takes nothing from them as markup.
. "$(dirname "$0")/common"

check() { python3 "$here/tests/cli/report_check.py" "$@" >faults || complain "$1: $(cat faults)"; }
holds() { grep -q -e "$2" "$1" || complain "$1: nothing like '$2'"; }
lacks() { ! grep -q -e "$2" "$1" || complain "$1: '$2'"; }
learn() { "$FUMATA" learn --label sick --epsilon 8 --delta 1e-3 --teachers 60 --silences 10 "$@" >said 2>&1 || complain "learn: $(cat said)"; }

clinic 3000 1 >private.csv
clinic 400 2 >public.csv
clinic 300 3 >test.csv
learn --classes no,yes --unit person --private private.csv --public public.csv --test test.csv -o run
expect 0 'written: run/report.html' "$FUMATA" report run
check run/report.html run
holds run/report.html 'all records of one unit (person) are added, removed or changed'
holds run/report.html 'Right on <b>[0-9.]* %</b> of 300 test records'
holds run/report.html 'How good its probabilities are'
lacks run/report.html 'Which classes are confused:'
expect 0 'written: page.html' "$FUMATA" report run --test test.csv -o page.html
check page.html run
holds page.html 'Which classes are confused:'
holds page.html 'of 300 test records'
holds page.html ">height</td><td data-name='read as'>number</td><td data-name='public range'>150.* to "
holds page.html '3 categories: '
holds page.html 'ledger whole, with this run'
right=$("$FUMATA" predict --model run/student.model --score test.csv | sed -n 's/^the student is right on \([0-9.]*\).*/\1/p')
holds page.html "Right on <b>$(printf %.1f "$right") %"
# The same files give the same page, in any folder.
expect 0 written "$FUMATA" report run --test test.csv -o again.html
cmp -s page.html again.html || complain "two pages of one run differ"

# Nothing is overwritten or written onto an input.
expect 2 'page.html: exists already' "$FUMATA" report run -o page.html
expect 0 written "$FUMATA" report run -o page.html --force
for input in run/plan run/summary.json run/labels.csv run/student.model private.csv.ledger test.csv; do
  cp "$input" kept
  expect 2 "$input: this is an input" "$FUMATA" report run --test test.csv -o "$input" --force
  cmp -s "$input" kept || complain "$input was overwritten"
done

# Names are text, whatever is in them.
sed "1s/colour/<script>alert(1)<\/script>/; s/,red,/,\"<i>&amp;'\",/; s/yes\$/<b>yes<\/b>/; s/no\$/a \"b\" 'c'/" public.csv >odd.csv
sed "1s/colour/<script>alert(1)<\/script>/; s/,red,/,\"<i>&amp;'\",/; s/yes\$/<b>yes<\/b>/; s/no\$/a \"b\" 'c'/" private.csv >odd-private.csv
learn --classes "a \"b\" 'c',<b>yes</b>" --private odd-private.csv --public odd.csv -o odd
expect 0 written "$FUMATA" report odd --test odd-private.csv
check odd/report.html odd
holds odd/report.html '&lt;script&gt;alert(1)&lt;/script&gt;'
holds odd/report.html '&lt;b&gt;yes&lt;/b&gt;'
lacks odd/report.html '<script\|<i>\|<b>yes'

# Many classes have no matrix; a ledger that is not there is said; a run that is not private is said.
awk 'BEGIN { srand(5); print "x,sick"; for (i = 0; i < 4000; i++) { c = int(20 * rand()); printf "%.3f,c%d\n", c + rand() / 2, c } }' >many.csv
learn --classes "$(awk 'BEGIN { for (c = 0; c < 20; c++) printf "%sc%d", c ? "," : "", c }')" --learner trees --unsafe-seed 3 --private many.csv@0:3000 \
  --public many.csv@3000: --ledger elsewhere -o many
mv elsewhere gone
expect 0 written "$FUMATA" report many --test many.csv
holds many/report.html "data-name='class'>c7</td>"
lacks many/report.html 'Which classes are confused:'
holds many/report.html 'ledger not found'
holds many/report.html 'NOT PRIVATE'
expect 0 written "$FUMATA" report many --ledger gone -o with.html
check with.html many
expect 2 'none: ' "$FUMATA" report many --ledger none -o bad
expect 0 written "$FUMATA" report many --ledger private.csv.ledger -o other.html
holds other.html 'this run is not in the ledger'

# One class only, from released data.
sed 's/,no$/,yes/' private.csv >one.csv
learn --classes no,yes --private one.csv --public public.csv -o one
expect 0 written "$FUMATA" report one --test test.csv
holds one/report.html 'Every released label is the same class'
holds one/report.html 'By this measure the student is not better than that'
"$FUMATA" predict --model one/student.model --score test.csv >/dev/null || complain "no score"

# Default runs, by poll and by teachers, with a test and without: nothing in red, and what is said of the labels is so.
clinic 8000 4 >more.csv
for kind in poll toll; do
  for t in tested untested; do
    set -- --private more.csv@0:6000 --public more.csv@6000:7500 --label sick --classes no,yes --epsilon 2 --delta 1e-5 --ledger "led.$kind.$t" -o "$kind.$t"
    [ $kind = poll ] || set -- "$@" --voters teachers
    [ $t = untested ] || set -- "$@" --test more.csv@7500:
    "$FUMATA" learn "$@" >said 2>&1 || complain "$kind: $(cat said)"
    expect 0 written "$FUMATA" report "$kind.$t"
    check "$kind.$t/report.html" "$kind.$t"
    lacks "$kind.$t/report.html" "<b class='bad'>\|class='alarm'"
    holds "$kind.$t/report.html" 'the shares are not those of the classes'
  done
  holds $kind.untested/report.html 'The student was not tested'
  holds $kind.untested/report.html 'On released labels that it had not learned from'
done
holds toll.tested/report.html 'when all [0-9]* teachers agree, at distance [0-9]*, the answer is the loser in'
lacks toll.tested/report.html ' 0 silences'
# A student that is not fine is said to be so at the top.
sed 's/"judgement": "fine"/"judgement": "constant"/' poll.tested/summary.json >constant.json
cp -r poll.tested constant && cp constant.json constant/summary.json
expect 0 written "$FUMATA" report constant --force
holds constant/report.html "class='alarm'>The student predicts the same class for every record"
# What was not paid for is said to be so.
"$FUMATA" learn --private more.csv@0:6000 --public more.csv@6000:7500 --label sick --classes no,yes --epsilon 2 --delta 1e-5 --ledger led.c -o compared \
  --test more.csv@7500: --unsafe-compare >said 2>&1 || complain "--unsafe-compare: $(cat said)"
expect 0 written "$FUMATA" report compared
holds compared/report.html 'a student without privacy on [0-9.]*&nbsp;%'
holds compared/report.html 'NOT PRIVATE: a student that learned from all private records'
holds compared/report.html 'do not publish it'
lacks poll.tested/report.html 'do not publish it'

# A damaged folder is refused, and leaves no page.
spoil() { # FILE PATTERN: with the file as it stands in bad0
  expect 2 "$2" "$FUMATA" report bad0 -o bad
  cp "run/$1" "bad0/$1"
}
cp -r run bad0
: >bad0/summary.json && spoil summary.json 'summary.json: byte 0: not a JSON object'
for cut in 1 40 200 500; do head -c $cut run/summary.json >bad0/summary.json && spoil summary.json 'summary.json: byte'; done
echo '{"a": "\q"}' >bad0/summary.json && spoil summary.json 'byte .*: a bad escape'
{ cat run/summary.json; echo x; } >bad0/summary.json && spoil summary.json 'something after the end'
printf '{"a": [%0200d' 0 | tr 0 '[' >bad0/summary.json && spoil summary.json 'too deep\|without end'
head -c 200 run/plan >bad0/plan && spoil plan 'bad0/plan'
head -c 200 run/student.model >bad0/student.model && spoil student.model 'bad0/student.model'
sed '5s|,.*|,perhaps,toll|' run/labels.csv >bad0/labels.csv && spoil labels.csv 'labels.csv:5: the answer is not one'
rm bad0/labels.csv && spoil labels.csv 'labels.csv: cannot read'
expect 2 'one folder' "$FUMATA" report
expect 2 'nowhere/summary.json: cannot read' "$FUMATA" report nowhere
expect 2 'test.csv' "$FUMATA" report run --test nowhere-test.csv -o bad
sed 's/^silences .*/silences 11/' run/plan | sed '$d' >forged
{ cat forged; printf 'end %s\n' "$(sha256sum <forged | cut -c1-64)"; } >bad0/plan
expect 0 written "$FUMATA" report bad0 -o forged.html
holds forged.html 'plan NOT certified'
lacks page.html 'not the one that the run'
"$FUMATA" plan --epsilon 8 --delta 1e-3 --silences 10 --answers 50 -o bad0/plan --force >/dev/null
expect 0 written "$FUMATA" report bad0 -o swapped.html
holds swapped.html 'not the plan of the run or of its ledger'
holds swapped.html 'this run is not in the ledger'
holds swapped.html '<b>L = 50</b>'
holds swapped.html 'When the answer is paid for'

[ $failed -ne 0 ] || echo "report: pages are whole, alone in the world, and say what the files say"
exit $failed
