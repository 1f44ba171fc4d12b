#!/bin/sh
# Builds the conda package boxcar: the library for C++ and C, and the command. rattler-build and the recipe set the variables.
set -eu

mpi_compiler=
[ "$MPI" = nompi ] || mpi_compiler=$PREFIX/bin/mpicc

# shellcheck disable=SC2086  # CMAKE_ARGS is a list of options
cmake -G Ninja -S . -B build ${CMAKE_ARGS-} \
    -D CMAKE_BUILD_TYPE=Release \
    -D CMAKE_INSTALL_PREFIX="$PREFIX" \
    -D CMAKE_INSTALL_LIBDIR=lib \
    -D BOXCAR_EXAMPLES=OFF \
    -D BOXCAR_MPI_COMPILERS="$mpi_compiler" \
    -D BOXCAR_SHMEM_COMPILER=
cmake --build build --parallel "$CPU_COUNT"
cmake --install build
