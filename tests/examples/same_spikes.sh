#!/bin/sh
# same_spikes.sh PROGRAM: the example spikes counts the same spikes with and without its check.
set -eu

# The output up to the first rate.
spikes() {
  "$program" --neurons 400 --synapses 40 --slices 200 --turns 1 "$@" | sed 's/;.*//'
}

program=$1
expected=$(spikes)
case $expected in
  0\ spikes* | "") echo "there are no spikes: $expected" >&2 && exit 1 ;;
  *" spikes of 400 neurons"*) ;;
  *) echo "spikes prints no number of spikes: $expected" >&2 && exit 1 ;;
esac
for options in --no-check "--no-check --compare"; do
  # shellcheck disable=SC2086 # the options are words
  found=$(spikes $options)
  if [ "$found" != "$expected" ]; then
    printf 'with %s: %s\nbut with the check: %s\n' "$options" "$found" "$expected" >&2
    exit 1
  fi
done
