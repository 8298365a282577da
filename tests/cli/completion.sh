#!/bin/bash
# Completion for bash and zsh: made from the tables of options, so it has what --help has.
[ -n "${BASH_VERSION:-}" ] || exec bash "$0"
# shellcheck disable=SC1091 # what is sourced is made here
. "$(dirname "$0")/common"

"$FUMATA" completion bash >fumata.bash || complain "nothing for bash"
"$FUMATA" completion zsh >_fumata || complain "nothing for zsh"
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

# Every option that --help explains, in both.
for command in learn answer vote predict model plan certify ledger; do
  "$FUMATA" $command --help | sed -n 's/^  \(-[a-z], \)\{0,1\}\(--[a-z-]*\).*/\2/p' | grep -v '^--$' | sort -u >options
  [ -s options ] || complain "$command --help has no options"
  while read -r option; do
    complete_words $command "$option" | tr ' ' '\n' | grep -qx -e "$option" || complain "bash: no $command $option"
    sed -n "/^    $command)/,/;;/p" _fumata | grep -q -e "'$option\[" || complain "zsh: no $command $option"
  done <options
done

expect 2 'fumata completion bash, or zsh' "$FUMATA" completion fish
exit "$failed"
