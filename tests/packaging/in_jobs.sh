#!/bin/sh
# What users have built with the installed package runs in the jobs of these launchers, too, by the
# libraries of the package.
# in_jobs.sh PREFIX PROGRAM PROGRAM_IN_C LAUNCHER...
set -eu
in_cluster=$(dirname "$0")/../support/in_cluster.sh
prefix=$1 program=$2 program_in_c=$3
shift 3

# The package has been moved to another place than it was built for.
BOXCAR_LIBRARY_PATH=$(dirname "$(find "$prefix" -name 'libboxcar_*.so' | head -n 1)")
export BOXCAR_LIBRARY_PATH BOXCAR_TEST_SECONDS=60

for launcher; do
    BOXCAR_NODES=1 "$in_cluster" "$launcher" 3 "$program"
    BOXCAR_NODES=3 "$in_cluster" "$launcher" 3 "$program"
    BOXCAR_NODES=2 "$in_cluster" "$launcher" 3 "$program_in_c" | tee ./counts
    grep -q '^3 PEs counted' ./counts
done
