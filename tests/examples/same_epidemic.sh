#!/bin/sh
# same_epidemic.sh PROGRAM: 1, 3 and 7 PEs print the same curve, in all forms of the example epidemics.
set -eu

# The output up to the first line with a time. The program compares itself with a serial program.
curve() {
  pes=$1
  shift
  BOXCAR_PES=$pes "$program" --persons 1000 --days 12 --first 20 --balance-every 4 "$@" >"$output"
  sed '/visits in/,$d' "$output"
}

program=$1
output=$(mktemp)
trap 'rm -f "$output"' EXIT
expected=$(curve 1)
case $expected in
  *"new infections on each day"*"as in a serial program"*) ;;
  *) echo "epidemics prints no curve: $expected" >&2 && exit 1 ;;
esac
while read -r pes options; do
  # shellcheck disable=SC2086 # the options are words
  found=$(curve "$pes" $options)
  if [ "$found" != "$expected" ]; then
    printf '%s PEs with "%s" print\n%s\nbut 1 PE prints\n%s\n' "$pes" "$options" "$found" "$expected" >&2
    exit 1
  fi
  case $options in
    *rotate*)
      if grep -q '^ *0 managers' "$output"; then
        echo "managers that rotate do not migrate: $(cat "$output")" >&2
        exit 1
      fi
      ;;
  esac
done <<END
3
7
7 --by-hand --buffer 3
3 --unaggregated --dimensions 2
3 --balance rotate
7 --balance none --person-managers 2 --location-managers 3
END
