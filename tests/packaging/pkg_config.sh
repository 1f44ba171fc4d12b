#!/bin/sh
# Builds programs in C++, in C, and for OpenSHMEM with nothing but a compiler and pkg-config, and runs
# them in each way there is.
# pkg_config.sh PKG_CONFIG PREFIX C++_COMPILER C++_PROGRAM C_COMPILER C_PROGRAM OPENSHMEM_PROGRAM
set -eu
pkg_config=$1 prefix=$2

PKG_CONFIG_PATH=$(dirname "$(find "$prefix" -name boxcar.pc)")
export PKG_CONFIG_PATH

run_in_each_way() { # PROGRAM
    BOXCAR_PES='' "$1"
    BOXCAR_PES=4 "$1"
    "$prefix/bin/boxcar" run -n 4 -- "$1"
}

# shellcheck disable=SC2046  # a list of options
"$3" -std=c++20 -O2 "$4" $("$pkg_config" --cflags --libs boxcar) -o ./user
run_in_each_way ./user

# With the one component that it uses, and with the shared library.
for package in boxcar-core boxcar-shared; do
    # shellcheck disable=SC2046
    "$3" -std=c++20 -O2 "$4" $("$pkg_config" --cflags --libs "$package") -o ./"user_of_$package"
    run_in_each_way ./"user_of_$package"
done

# shellcheck disable=SC2046
"$5" -std=c11 -O2 "$6" $("$pkg_config" --cflags --libs boxcar-convey) -o ./user_in_c
run_in_each_way ./user_in_c
# Network libraries, which are opened at run time, use what the program shows, or its shared library.
shows=./user_in_c
! readelf -d ./user_in_c | grep -q 'NEEDED.*\[libboxcar' || shows=$(find "$prefix" -name libboxcar.so)
if ! nm -D --defined-only "$shows" | grep -q ' _ZTIN6boxcar6detail9substrateE$'; then
    echo "$shows does not show the symbols of Boxcar: a network library could not be opened"
    exit 1
fi

# shellcheck disable=SC2046
"$5" -std=c11 -O2 "$7" $("$pkg_config" --cflags --libs boxcar-openshmem) -o ./user_of_openshmem
./user_of_openshmem
"$prefix/bin/boxcar" run -n 4 -- ./user_of_openshmem
if [ -e "$PKG_CONFIG_PATH/boxcar-shmemx.pc" ]; then
    # shellcheck disable=SC2046
    oshcc -std=c11 -O2 "$7" $("$pkg_config" --cflags --libs boxcar-shmemx) -o ./user_of_shmemx
fi

# The same programs as modules for the simulated machine, which gives them all of Boxcar.
if [ -e "$prefix/bin/boxcar-simulate" ]; then
    # shellcheck disable=SC2046
    "$3" -std=c++20 -O2 -shared -fPIC "$4" $("$pkg_config" --cflags boxcar) -o ./user.so
    # shellcheck disable=SC2046
    "$5" -std=c11 -O2 -shared -fPIC "$6" $("$pkg_config" --cflags boxcar-convey) -o ./user_in_c.so
    # shellcheck disable=SC2046
    "$5" -std=c11 -O2 -shared -fPIC "$7" $("$pkg_config" --cflags boxcar-openshmem) \
        -o ./user_of_openshmem.so
    for module in user user_in_c user_of_openshmem; do
        "$prefix/bin/boxcar" simulate --pes 4 --pes-per-node 2 -- ./$module.so
    done
fi
