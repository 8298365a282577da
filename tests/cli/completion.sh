#!/bin/bash
# Completion for bash, zsh and fish: made from the tables of options, so it has what --help has.
[ -n "${BASH_VERSION:-}" ] || exec bash "$0"
# shellcheck disable=SC1091 # what is sourced is made here
. "$(dirname "$0")/common"

"$FUMATA" completion bash >fumata.bash || complain "nothing for bash"
"$FUMATA" completion zsh >_fumata || complain "nothing for zsh"
"$FUMATA" completion fish >fumata.fish || complain "nothing for fish"
fish -n fumata.fish || complain "fish cannot read it"
# fish has no other way to be asked than its own.
in_fish() { fish --private --no-config -c "source fumata.fish; complete -C '$1'" | cut -f 1 | tr '\n' ' '; }
[ "$(in_fish 'fumata le')" = 'learn ledger ' ] || complain "fish offers $(in_fish 'fumata le') for le"
[ "$(in_fish 'fumata answer --votes-are ')" = 'counts labels ' ] || complain "fish offers $(in_fish 'fumata answer --votes-are ')"
bash -n fumata.bash || complain "bash cannot read it"
zsh -n _fumata || complain "zsh cannot read it"
# shellcheck source=/dev/null
. ./fumata.bash

# complete_words WORD...: what bash offers for the last word
complete_words() {
  COMP_WORDS=(fumata "$@")
  COMP_CWORD=$#
  COMPREPLY=()
  _fumata
  echo "${COMPREPLY[*]}"
}
# offers WANTED WORD...
offers() {
  local wanted=$1
  shift
  [ "$(complete_words "$@")" = "$wanted" ] || complain "fumata $*: '$(complete_words "$@")' instead of '$wanted'"
}

offers 'learn ledger' le
offers 'predict plan' p
offers '--proba' predict --pro
offers '--epsilon' plan --ep
offers 'labels counts' answer --votes-are ''
offers 'counts' answer --votes-are c
touch some-file.csv
offers 'some-file.csv' predict --model some
offers 'some-file.csv' predict some
offers '' plan --epsilon some

# Every option that --help explains, in all.
for command in learn answer vote predict model plan certify ledger; do
  "$FUMATA" $command --help | sed -n 's/^  \(-[a-z], \)\{0,1\}\(--[a-z-]*\).*/\2/p' | grep -v '^--$' | sort -u >options
  [ -s options ] || complain "$command --help has no options"
  while read -r option; do
    complete_words $command "$option" | tr ' ' '\n' | grep -qx -e "$option" || complain "bash: no $command $option"
    sed -n "/^    $command)/,/;;/p" _fumata | grep -q -e "'$option\[" || complain "zsh: no $command $option"
    grep -q -e "from $command' -l ${option#--} " fumata.fish || complain "fish: no $command $option"
  done <options
done

expect 2 "'csh' is not a shell that completion knows; give bash, zsh or fish" "$FUMATA" completion csh
expect 2 'bash, zsh or fish' "$FUMATA" completion
expect 0 'usage: fumata completion' "$FUMATA" completion --help
expect 0 '^fumata [0-9]' "$FUMATA" version

# A name that is nearly right.
expect 2 "no command 'lern'; did you mean 'learn'?" "$FUMATA" lern
expect 2 "no option '--epsilom=1'; did you mean '--epsilon'?" "$FUMATA" plan --epsilom=1
expect 2 "no option '--xyzzy'; fumata plan" "$FUMATA" plan --xyzzy
clinic 50 1 >private.csv
clinic 50 2 >public.csv
# A header is the same whoever is in the file, so it may be told from.
expect 2 "no column \"sik\" in the header; did you mean 'sick'?" "$FUMATA" learn --private private.csv --public public.csv --label sik \
  --classes no,yes --epsilon 1 --delta 1e-5 -o bad
exit "$failed"
