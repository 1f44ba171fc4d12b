#!/bin/sh
# killed_unheard.sh mpich|ofi PES NODES WATCHER DEED: PE 2 is killed, and its launcher lets the job go on; the
# PE that watches it says so and ends the job. (The launcher sends a signal, which is ignored.)
set -eu
launcher=$1 pes=$2 watcher=$4
export BOXCAR_NODES="$3" BOXCAR_SUBSTRATE="$launcher"
shift 4
files=$(mktemp -d)
trap 'rm -rf "$files"' EXIT
# The shells of the job expand it.
# shellcheck disable=SC2016
for_each='trap "" USR1; "$@" 2> "$0/$PMI_RANK" || true'
status=0
timeout -s KILL 60 mpiexec.mpich -disable-auto-cleanup -n "$pes" sh -c "$for_each" "$files" "$@" 2 kill || status=$?
text="PE $watcher has lost PE 2.*: its process has ended, and the launcher has not ended the job"
grep "$text" "$files"/* || { echo "status $status; what the PEs say:" && tail -n +1 "$files"/* && exit 1; }
[ $status != 137 ] || { echo "the job hangs" && exit 1; }
