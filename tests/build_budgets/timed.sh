#!/bin/sh
# Runs a compiler, and writes the processor time that it took beside what it made: timed.sh OUTPUT COMMAND...
output=$1
shift
"$@" || exit
times >"$output.time"
