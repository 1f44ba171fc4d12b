#!/bin/sh
# in_cluster.sh openmpi|mpich|shmem|ofi|ofi-openmpi|ofi-mpich|ofi-hosts PES PROGRAM [ARGUMENT]...
# Runs a program of tests as one job of a cluster's launcher; every process runs the same tests.
set -eu
launcher=$1 pes=$2
shift 2

files=$(mktemp -d)
trap 'rm -rf "$files"' EXIT
export BOXCAR_TEST_CLUSTER="$pes" BOXCAR_TEST_FILES="$files"
# Root may run Open MPI in a container, and only there: it wants to be told.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
# Room for the largest item of the tests.
export BOXCAR_SYMMETRIC_BYTES="${BOXCAR_SYMMETRIC_BYTES:-150000000}"

run() { timeout -s KILL "${BOXCAR_TEST_SECONDS:-900}" "$@"; }

# Under load MPICH's launcher dies of SIGPIPE, and says nothing, in one of a hundred jobs whose processes end
# at once, whatever they are: then they are started again.
run_by_mpich() {
    status=141
    tries=0
    while [ $status = 141 ] && [ $tries -lt 3 ]; do
        tries=$((tries + 1))
        status=0
        run mpiexec.mpich "$@" || status=$?
    done
    return $status
}

case $launcher in
openmpi) run mpirun.openmpi --oversubscribe -n "$pes" "$@" ;;
mpich) run_by_mpich -n "$pes" "$@" ;;
shmem) run oshrun --oversubscribe -n "$pes" "$@" ;;
ofi*)
    # On libfabric, started by BOXCAR_TEST_COMMAND, the command `boxcar`, here or on BOXCAR_TEST_HOSTS by
    # BOXCAR_TEST_AGENT, or by an MPI's launcher.
    export BOXCAR_SUBSTRATE=ofi
    case $launcher in
    ofi) run "$BOXCAR_TEST_COMMAND" run -n "$pes" -- "$@" ;;
    ofi-hosts)
        unset BOXCAR_SUBSTRATE # it is seen without
        run "$BOXCAR_TEST_COMMAND" run --hosts "$BOXCAR_TEST_HOSTS" --agent "$BOXCAR_TEST_AGENT" -- "$@"
        ;;
    ofi-openmpi) run mpirun.openmpi --oversubscribe -n "$pes" "$@" ;;
    *) run_by_mpich -n "$pes" "$@" ;;
    esac
    ;;
*) echo "in_cluster.sh: there is no launcher '$launcher'" >&2 && exit 2 ;;
esac
