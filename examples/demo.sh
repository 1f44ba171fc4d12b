#!/bin/sh
# Shows what Boxcar does, on 4 PEs, beside the same jobs done item by item: `make demo`, or
# `cmake --build <folder> --target demo`, which calls it as
#   demo.sh BOXCAR EXAMPLES GENOME    the launcher, the folder of the programs, a FASTA file
set -eu

boxcar=$1
examples=$2
genome=$3
pes=4

job() { # TITLE PROGRAM [ARGUMENT]...
    printf '\n%s\n' "$1"
    program=$2
    shift 2
    printf '  $ boxcar run -n %s -- %s\n' "$pes" "$program $*"
    if ! "$boxcar" run -n "$pes" -- "$examples/$program" "$@"; then
        printf '\ndemo: %s failed\n' "$program" >&2
        exit 1
    fi
}

cat <<END
$pes PEs, processes that share memory, send one another tiny items: in buffers, as Boxcar does, and
item by item, each a message of its own. Every program checks its own result.
END

job 'Histogram: every index travels to the PE that owns its slot, which counts it.' \
    histogram --compare
job 'Index-gather: every index travels to the PE that owns its place, and the value comes back.' \
    index_gather --compare
job 'The same by one call of exchange.' \
    index_gather_exchange --compare
# The number of distinct k-mers was found by other means: see docs/examples.md.
job 'k-mers of the genome of phage lambda: every word of 11 bases travels to its owner.' \
    kmer_count -k 11 --expect 47379 --compare "$genome"

printf '\nAll results are right.\n'
