#!/bin/sh
# Runs a fuzzer on its corpus and on what it makes of the corpus: always the same, unless FUZZ_SEED is 0.
# New inputs are kept in the folder FUZZ_FOUND, if that is set. An input that fails is left in the
# working folder.
# run_fuzzer.sh FUZZER -runs=N|-max_total_time=SECONDS CORPUS...
set -eu
fuzzer=$1 limit=$2
shift 2

found=${FUZZ_FOUND-}
if [ -z "$found" ]; then
    found=$(mktemp -d)
    trap 'rm -rf "$found"' EXIT
fi
mkdir -p "$found"
# Inputs of a few thousand bytes need neither seconds nor much memory.
"$fuzzer" "$limit" -seed="${FUZZ_SEED-1}" -timeout=10 -malloc_limit_mb=256 -rss_limit_mb=2048 -print_final_stats=1 \
    -artifact_prefix="$(basename "$fuzzer")-" "$found" "$@"
