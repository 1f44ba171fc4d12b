#!/bin/sh
# Builds the examples that use MPI or OpenSHMEM themselves by the lines of docs/clusters.md, as they
# stand there, and runs them.
# compiler_lines.sh SOURCE_DIRECTORY PREFIX openmpi|mpich|shmem
set -eu
source=$1 prefix=$2 launcher=$3
libraries=$(dirname "$(find "$prefix" -name "libboxcar.*" | head -n 1)")
count_in_job=$(dirname "$0")/count_in_job.sh
PKG_CONFIG_PATH=$libraries/pkgconfig
export PKG_CONFIG_PATH

rm -rf "compiler_lines/$launcher"
mkdir -p "compiler_lines/$launcher"
cd "compiler_lines/$launcher"

# As if the package were where compilers and the loader look.
in_the_system() { # COMMAND...
    env CPATH="$prefix/include" LIBRARY_PATH="$libraries" LD_LIBRARY_PATH="$libraries" "$@"
}

follow() { # LINE
    echo "$1"
    rm -f a.out
    case $1 in
    *pkg-config*)
        sh -ec "$1"
        "$count_in_job" "$launcher" ./a.out
        ;;
    *)
        in_the_system sh -ec "$1"
        in_the_system "$count_in_job" "$launcher" ./a.out
        ;;
    esac
}

follow_lines() { # COMPILER: those that begin with it
    if ! grep "^$1 " "$source/docs/clusters.md" >lines; then
        echo "docs/clusters.md has no line that begins with $1"
        exit 1
    fi
    while read -r line; do
        # The one for any MPI stands for the one for this.
        follow "$(echo "$line" | sed "s/^mpicc /mpicc.$launcher /")" </dev/null
    done <lines
}

if [ "$launcher" = shmem ]; then
    cp "$source/examples/shmem/own_start.c" program.c
    follow_lines oshcc
else
    cp "$source/examples/mpi/own_messages.cpp" program.cpp
    cp "$source/examples/mpi/own_start.c" program.c
    follow_lines "mpicxx.$launcher"
    follow_lines mpicc
fi
