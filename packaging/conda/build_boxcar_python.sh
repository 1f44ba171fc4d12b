#!/bin/sh
# Builds the conda package boxcar-python. rattler-build and the recipe set the variables.
set -eu

mpi_compiler=
[ "$MPI" = nompi ] || mpi_compiler=$PREFIX/bin/mpicc

CMAKE_BUILD_PARALLEL_LEVEL=$CPU_COUNT
export CMAKE_BUILD_PARALLEL_LEVEL
"$PYTHON" -m pip install . --no-deps --no-build-isolation -vv \
    --config-settings=cmake.define.BOXCAR_MPI_COMPILERS="$mpi_compiler" \
    --config-settings=cmake.define.BOXCAR_SHMEM_COMPILER=
# The command is the one of the package boxcar.
rm "$PREFIX/bin/boxcar"
