#!/bin/sh
# From an installed prefix, outside the source tree: the C, C++ and Python examples build and run; the ABI is the
# committed one; uninstalling leaves nothing.
set -eu
here=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
prefix=$work/prefix
fail() { echo "library: $*" >&2; exit 1; }

make -s -C "$here" install PREFIX="$prefix" >"$work/log" 2>&1 || { cat "$work/log" >&2; fail "make install failed"; }
mkdir "$work/out"
cp "$here"/shell/examples/*.c "$here"/shell/examples/*.cpp "$here"/shell/examples/*.py "$here"/shell/examples/pkg-config/Makefile "$work/out"
cd "$work/out"
export PATH="$prefix/bin:$PATH" PKG_CONFIG_PATH="$prefix/lib/pkgconfig" LD_LIBRARY_PATH="$prefix/lib"

make -s own_coins || fail "the pkg-config example does not build"
[ "$(./own_coins)" = "done: answer 0, 20 silences left" ] || fail "own_coins says: $(./own_coins)"
cc -std=c99 -I"$prefix/include/fumata" -o static own_coins.c "$prefix/lib/libfumata.a" && ./static >/dev/null || fail "static linking"
"$here/core/dist/amalgamate" "$work/out/single"
cc -std=c99 -pedantic -Wall -Wextra -Werror -Isingle -I. -o single/own_coins own_coins.c single/fumata-core.c || fail "the single file does not build"
[ "$(single/own_coins)" = "$(./own_coins)" ] || fail "the single file answers differently"
flags=$(pkg-config --cflags fumata) libraries=$(pkg-config --libs fumata)
# shellcheck disable=SC2086 # flags are words
c++ -std=c++11 -Wall -Wextra $flags -o clean_room clean_room.cpp $libraries || fail "the C++ example does not build"
./clean_room >/dev/null || fail "the C++ example fails"
# Planner and ledger from C: the second run goes on where the first one stopped.
# shellcheck disable=SC2086
cc -std=c99 -Wall -Wextra -Werror $flags -L"$prefix/lib" -o kept_ledger kept_ledger.c -lfumata-door || fail "the door's header does not build"
./kept_ledger shop.ledger >first && ./kept_ledger shop.ledger >second || fail "the ledger from C"
printf 'query 0: 1\nquery 1: -1\nsilences left: 19\n' | diff - first >&2 || fail "kept_ledger says something else"
grep -q 'silences left: 18' second || fail "the ledger forgets: $(cat second)"
[ -s "$prefix/share/bash-completion/completions/fumata" ] && [ -s "$prefix/share/zsh/site-functions/_fumata" ] || fail "no completion"

for example in ready_votes private_labeller notebook many_machines; do
  PYTHONPATH="$prefix/lib/python3/dist-packages" /usr/bin/python3 $example.py >"$work/log" 2>&1 || { cat "$work/log" >&2; fail "$example.py fails"; }
done
PYTHONPATH="$prefix/lib/python3/dist-packages" /usr/bin/python3 "$here/tests/cli/door.py" || fail "the Python door"

# Symbols and sizes that other programs are compiled against.
cat >sizes.c <<'C'
#include <poll.h>
#include <stdio.h>
#include "fumata.h"
struct pollfd libc; /* our own poll.h does not stand in for the C library's */
#define SHOW(type) printf("%s %zu\n", #type, sizeof(type))
int main(void) {
  SHOW(fumata_verdict); SHOW(fumata_noise); SHOW(fumata_meter_plan); SHOW(fumata_classic_plan); SHOW(fumata_claim);
  SHOW(fumata_duel); SHOW(fumata_toll_plan); SHOW(fumata_budget_plan); SHOW(fumata_toll); SHOW(fumata_budget);
  SHOW(fumata_fault); SHOW(fumata_meter); SHOW(fumata_classic); SHOW(fumata_counter); SHOW(fumata_cost);
  SHOW(fumata_uses); SHOW(fumata_leads); SHOW(fumata_question); SHOW(fumata_voices); SHOW(fumata_list); SHOW(fumata_poll);
  SHOW(fumata_points);
  return 0;
}
C
# shellcheck disable=SC2086
cc $flags -o sizes sizes.c && { ./sizes; nm -D --defined-only "$prefix/lib/libfumata.so" | awk '$2 == "T" { sub(/@.*/, "", $3); print $3 }' | sort; } >abi
diff -u "$here/tests/cli/abi.expected" abi >&2 || fail "the ABI is not the committed one"
awk '/^fumata_[a-z0-9_]*$/' abi | while read -r f; do
  grep -q "^\.SS $f\$" "$prefix/share/man/man3/fumata.3" || fail "no manual for $f"
done

make -s -C "$here" uninstall PREFIX="$prefix" >/dev/null
left=$(find "$prefix" -type f -o -type l)
[ -z "$left" ] || fail "left behind: $left"
echo "library: installed, linked from C, C++ and Python, uninstalled"
