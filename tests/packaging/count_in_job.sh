#!/bin/sh
# Runs a program that counts 100000 numbers per process as a job of two.
# count_in_job.sh openmpi|mpich|shmem PROGRAM
set -eu
in_cluster=$(dirname "$0")/../support/in_cluster.sh

# A program needs nobody to tell it where the package is.
unset BOXCAR_LIBRARY_PATH
counts=$(BOXCAR_TEST_SECONDS=120 "$in_cluster" "$1" 2 "$2")
echo "$counts"
echo "$counts" | grep -qx "200000 numbers counted, as many as were drawn"
