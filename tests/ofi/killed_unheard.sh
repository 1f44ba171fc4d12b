#!/bin/sh
# killed_unheard.sh DEED: PE 2 is killed, and its launcher lets the job go on; PE 1, which watches it, says
# so and ends the job. (The launcher sends a signal, which is ignored.)
set -eu
files=$(mktemp -d)
trap 'rm -rf "$files"' EXIT
export BOXCAR_SUBSTRATE=ofi BOXCAR_NODES=3
# The shells of the job expand it.
# shellcheck disable=SC2016
for_each='trap "" USR1; "$@" 2> "$0/$PMI_RANK" || true'
timeout -s KILL 100 mpiexec.mpich -disable-auto-cleanup -n 3 sh -c "$for_each" "$files" "$@" 2 kill || true
grep "PE 1 has lost PE 2 on .*: its process has ended, and the launcher has not ended the job" "$files/1"
