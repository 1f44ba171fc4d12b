#!/bin/bash
# The completion for bash offers the commands, benchmarks and options of the installed `boxcar`.
# completion.sh PREFIX
set -eu
PATH=$1/bin:$PATH
# shellcheck disable=SC1091
. "$1/share/bash-completion/completions/boxcar"

expect() { # WANTED WORD... : the last word is the one to complete
    local wanted=$1
    shift
    COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
    _boxcar
    if [ "${COMPREPLY[*]}" != "$wanted" ]; then
        echo "\"$*\" is completed to \"${COMPREPLY[*]}\", not to \"$wanted\""
        exit 1
    fi
}
expect "run report" boxcar r
expect --version boxcar --v
expect --cmake-dir boxcar --c
expect "--hosts --hostfile" boxcar run --host
expect histogram boxcar bench hist
expect randomaccess boxcar bench rand
expect --plot boxcar bench histogram --pl
expect "" boxcar run -n 2 -- pro
