#!/bin/sh
# Programs that were linked with the targets of a shared build use its shared libraries, and run in each way
# there is. Runs in the folder of the programs.
# shared_programs.sh PREFIX VERSION
set -eu
prefix=$1 name_version=${2%.*}

needs() { # PROGRAM LIBRARY
    if ! readelf -d "$1" | grep -q "(NEEDED).*\[lib$2.so.$name_version\]"; then
        echo "$1 does not need lib$2.so.$name_version"
        exit 1
    fi
}

for program in user user_of_core user_of_shared; do
    needs ./$program boxcar
done
needs ./user_in_c boxcar_convey
for program in user user_of_core user_of_shared user_in_c; do
    BOXCAR_PES=2 ./$program
    BOXCAR_PES='' "$prefix/bin/boxcar" run -n 2 -- ./$program
done
