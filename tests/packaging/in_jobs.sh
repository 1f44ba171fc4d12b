#!/bin/sh
# What users have built runs in the jobs of these launchers, too, by the libraries of the package, or
# of Boxcar as a part of their project.
# in_jobs.sh PROGRAM PROGRAM_IN_C LAUNCHER...
set -eu
in_cluster=$(dirname "$0")/../support/in_cluster.sh
program=$1 program_in_c=$2
shift 2

# The package may have been moved to another place than it was built for; the programs know it.
unset BOXCAR_LIBRARY_PATH
export BOXCAR_TEST_SECONDS=60

for launcher; do
    BOXCAR_NODES=1 "$in_cluster" "$launcher" 3 "$program"
    BOXCAR_NODES=3 "$in_cluster" "$launcher" 3 "$program"
    counts=$(BOXCAR_NODES=2 "$in_cluster" "$launcher" 3 "$program_in_c")
    echo "$counts"
    echo "$counts" | grep -q '^3 PEs counted'
done
