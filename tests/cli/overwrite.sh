#!/bin/sh
# No file that is there is lost: an input never, any other only with --force; and folders on the way are made.
. "$(dirname "$0")/common"

clinic 400 1 >private.csv
clinic 200 2 >public.csv
clinic 50 3 >t.csv
cp t.csv copy.csv
"$FUMATA" learn --private private.csv --public public.csv --label sick --classes no,yes --epsilon 8 --delta 1e-3 --teachers 100 \
  --silences 4 -o a/b/o >said 2>&1 || complain "no student in a folder of a folder: $(cat said)"
model=a/b/o/student.model
cp $model model.copy

# same FILE COPY: a file that must be as it was
same() {
  cmp -s "$1" "$2" || { complain "$1 was overwritten"; cp "$2" "$1"; }
}

# spared CODE PATTERN COMMAND...: refused, and nothing has changed
spared() {
  expect "$@"
  same t.csv copy.csv
  same $model model.copy
  same kept.csv kept.copy
}

echo 'years of work' >kept.csv
cp kept.csv kept.copy
ln -s t.csv link.csv
ln t.csv hard.csv
for force in '' --force; do
  for target in t.csv ./t.csv link.csv hard.csv; do
    # shellcheck disable=SC2086 # nothing, or one word
    spared 2 'this is an input' "$FUMATA" predict --model $model $force -o $target t.csv
  done
  # shellcheck disable=SC2086
  spared 2 'this is an input' "$FUMATA" predict --model $model $force -o t.csv t.csv@0:10
  # shellcheck disable=SC2086
  spared 2 'this is an input' "$FUMATA" predict --model $model $force -o $model t.csv
  # shellcheck disable=SC2086,SC2094 # what is tried
  spared 2 'this is an input' "$FUMATA" predict --model $model $force -o t.csv - <t.csv
done
[ -L link.csv ] || complain "the link was replaced"
spared 2 'exists already; --force' "$FUMATA" predict --model $model -o kept.csv t.csv
spared 2 'exists already; --force' "$FUMATA" plan --epsilon 1 --delta 1e-5 --silences 5 -o kept.csv
printf 'yes,no,no\nyes,yes,yes\n' >votes.csv
cp votes.csv votes.copy
answer() { # [OPTION...]
  "$FUMATA" answer --votes votes.csv --classes no,yes --epsilon 2 --delta 1e-5 --silences 2 --ledger l --anyway "$@"
}
spared 2 'exists already; --force' answer -o kept.csv
for force in '' --force; do
  # shellcheck disable=SC2086
  spared 2 'this is an input' answer $force -o votes.csv
done
same votes.csv votes.copy
[ ! -e l ] || complain "a refused answer made a ledger"
expect 0 'silences' answer -o first.csv
for force in '' --force; do
  # shellcheck disable=SC2086
  spared 2 'this is an input' answer $force --again -o l
done
"$FUMATA" ledger verify l >said 2>&1 || complain "the ledger is gone: $(cat said)"

# With --force it goes; nothing is left of a failure.
"$FUMATA" predict --model $model --force -o kept.csv t.csv || complain "--force is refused"
[ "$(head -n 1 kept.csv)" = id,label ] || complain "--force does not overwrite"
expect 0 'distance' "$FUMATA" plan --epsilon 1 --delta 1e-5 --silences 5 -o plan
expect 2 'exists already' "$FUMATA" plan --epsilon 2 --delta 1e-5 --silences 5 -o plan
expect 0 'distance' "$FUMATA" plan --epsilon 2 --delta 1e-5 --silences 5 --force -o plan
expect 0 'epsilon 2' "$FUMATA" certify plan
"$FUMATA" predict --model $model -o deep/er/labels.csv t.csv || complain "no folders"
[ -s deep/er/labels.csv ] || complain "-o makes no folders"
expect 2 'none.csv' "$FUMATA" predict --model $model -o never/made/labels.csv none.csv
[ ! -e never ] || complain "folders of a failure stay"
expect 2 'cannot read' "$FUMATA" learn --private none.csv --public public.csv --label sick --classes no,yes --epsilon 8 \
  --delta 1e-3 --ledger nl -o never/made/o
[ ! -e never ] || complain "folders of a failed learn stay"
: >plain
expect 3 'plain/x: cannot write' "$FUMATA" predict --model $model -o plain/x t.csv

# A pipe is written where it is. (Not tried on a device: a failure would cost root his /dev/null.)
mkfifo pipe
cat pipe >through.csv &
"$FUMATA" predict --model $model -o pipe t.csv || complain "no pipe"
wait
cmp -s through.csv kept.csv || complain "a pipe gets something else"
[ -p pipe ] || complain "the pipe was replaced"

exit "$failed"
