#!/bin/sh
# The pages of shell/examples: what each tells a reader to type is typed, and ends well.
. "$(dirname "$0")/common"

EXAMPLES=$here/shell/examples
PATH=$(dirname "$FUMATA"):$PATH
export EXAMPLES PATH
for page in "$EXAMPLES"/*.md; do
  name=$(basename "$page" .md)
  mkdir "$name"
  awk '/^```sh$/ { on = 1; next } /^```$/ { on = 0 } on' "$page" >"$name/typed"
  [ -s "$name/typed" ] || complain "$name: there is nothing to type"
  (cd "$name" && sh -eu typed >said 2>err) || complain "$name: $(tail -n 3 "$name/err")"
done
expect 0 'right on 9[0-9]' cat embeddings/said embeddings/err
[ "$(value hospital/out/summary.json judgement)" = fine ] || complain "hospital: $(value hospital/out/summary.json judgement)"
grep -q 'protects *units of patient' hospital/said || complain "hospital: the ledger protects something else"
[ $failed -ne 0 ] || echo "examples: $(find "$EXAMPLES" -name '*.md' | wc -l) pages typed"
exit $failed
