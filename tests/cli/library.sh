#!/bin/sh
# From an installed prefix, outside the source tree: the C, C++, Rust, Go and Python examples build and run; the ABI is the
# committed one; uninstalling leaves nothing.
set -eu
here=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
prefix=$work/prefix
fail() { echo "library: $*" >&2; exit 1; }

make -s -C "$here" install PREFIX="$prefix" >"$work/log" 2>&1 || { cat "$work/log" >&2; fail "make install failed"; }
mkdir "$work/out"
cp "$here"/shell/examples/*.c "$here"/shell/examples/*.cpp "$here"/shell/examples/*.go "$here"/shell/examples/*.rs "$here"/shell/examples/*.py "$here"/shell/examples/pkg-config/Makefile "$work/out"
cd "$work/out"
export PATH="$prefix/bin:$PATH" PKG_CONFIG_PATH="$prefix/lib/pkgconfig" LD_LIBRARY_PATH="$prefix/lib"

make -s own_coins || fail "the pkg-config example does not build"
[ "$(./own_coins)" = "done: answer 0, 20 silences left" ] || fail "own_coins says: $(./own_coins)"
cc -std=c99 -I"$prefix/include" -o static own_coins.c "$prefix/lib/libfumata.a" && ./static >/dev/null || fail "static linking"
"$here/core/dist/amalgamate" "$work/out/single"
cc -std=c99 -pedantic -Wall -Wextra -Werror -Isingle -I. -o single/own_coins own_coins.c single/fumata-core.c || fail "the single file does not build"
[ "$(single/own_coins)" = "$(./own_coins)" ] || fail "the single file answers differently"
flags=$(pkg-config --cflags fumata) libraries=$(pkg-config --libs fumata) door=$(pkg-config --cflags --libs fumata-door)
[ "$(find "$prefix/include" -type f -name '*.h*' -printf '%f\n' | sort | paste -sd ' ')" = "fumata-door.h fumata.h fumata.hpp" ] || fail "other headers are installed"
grep -q "$("$here/core/dist/digest")" "$prefix/include/fumata.h" || fail "the header does not say from which text it is"
# shellcheck disable=SC2086 # flags are words
c++ -std=c++14 -Wall -Wextra -Werror $flags -o clean_room clean_room.cpp $libraries || fail "the C++ example does not build"
./clean_room >/dev/null || fail "the C++ example fails"
cat >copy.cpp <<'C'
#include "fumata.hpp"
#include "my_plan.h"
int main() { fumata::Meter one(plan, claim); fumata::Meter two = one; return two.left() != 0; }
C
# shellcheck disable=SC2086
if c++ -std=c++14 $flags -fsyntax-only copy.cpp 2>/dev/null; then fail "a meter can be copied in C++"; fi
sed 's/two = one/two = std::move(one); try { one.left(); return 2; } catch (std::logic_error \&) {}/' copy.cpp >move.cpp
# shellcheck disable=SC2086
c++ -std=c++14 -Wall -Wextra $flags -o move move.cpp $libraries && { ./move; [ $? -eq 1 ]; } || fail "a moved meter"
# Other languages, where their compilers are.
spoken="C, C++"
if command -v rustc >/dev/null; then
  rustc --edition 2021 -D warnings --crate-type rlib --crate-name fumata -o libfumata_rust.rlib "$here/shell/door/rust/src/lib.rs" -L "$prefix/lib" &&
    rustc --edition 2021 --extern fumata=libfumata_rust.rlib -L "$prefix/lib" -o labels_rust labels.rs || fail "the Rust example does not build"
  [ "$(./labels_rust)" = "answer 0, 5 answers left" ] || fail "Rust says: $(./labels_rust)"
  spoken="$spoken, Rust"
fi
if command -v go >/dev/null; then
  GOCACHE="$work/go" GO111MODULE=off go build -o labels_go labels.go || fail "the Go example does not build"
  [ "$(./labels_go)" = "done: answer 0, 20 silences left" ] || fail "Go says: $(./labels_go)"
  spoken="$spoken, Go"
fi
# Planner and ledger from C: the second run goes on where the first one stopped.
# shellcheck disable=SC2086
cc -std=c99 -Wall -Wextra -Werror -o kept_ledger kept_ledger.c $door || fail "the door's header does not build"
# shellcheck disable=SC2086
echo '#include <fumata-door.h>' | c++ -std=c++11 -Wall -Wextra -Werror -fsyntax-only -x c++ - $door || fail "the door's header is not C++"
./kept_ledger shop.ledger >first && ./kept_ledger shop.ledger >second || fail "the ledger from C"
printf 'query 0: 1\nquery 1: -1\nsilences left: 19\n' | diff - first >&2 || fail "kept_ledger says something else"
grep -q 'silences left: 18' second || fail "the ledger forgets: $(cat second)"
[ -s "$prefix/share/bash-completion/completions/fumata" ] && [ -s "$prefix/share/zsh/site-functions/_fumata" ] || fail "no completion"

nm -D --defined-only "$prefix/lib/libfumata-door.so" | awk '$2 == "T" { sub(/@.*/, "", $3); print $3 }' | while read -r f; do
  grep -q "$f" "$prefix/share/man/man3/fumata-door.3" || { echo "library: no manual for $f" >&2; exit 1; }
done || fail "fumata-door(3)"

for example in ready_votes private_labeller notebook many_machines; do
  PYTHONPATH="$prefix/lib/python3/dist-packages" /usr/bin/python3 $example.py >"$work/log" 2>&1 || { cat "$work/log" >&2; fail "$example.py fails"; }
done
PYTHONPATH="$prefix/lib/python3/dist-packages" /usr/bin/python3 "$here/tests/cli/door.py" || fail "the Python door"

# Symbols and sizes that other programs are compiled against.
cat >sizes.c <<'C'
#include <poll.h>
#include <stdio.h>
#include "fumata.h"
struct pollfd libc; /* nothing of ours stands in for the C library's poll.h */
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
echo "library: installed, linked from $spoken and Python, uninstalled"
