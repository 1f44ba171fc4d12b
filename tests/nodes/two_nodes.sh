#!/bin/sh
# two_nodes.sh openmpi|mpich|ofi-openmpi|ofi-mpich|ofi-hosts PES PROGRAM [ARGUMENT]...
# Runs a program of tests as one job whose PEs are spread over two nodes. The nodes are network
# namespaces of this machine, with names and shared memory of their own and one cable between them.
# Exit status 77: they cannot be made here; it is said why.
#
# All of it lives in namespaces that only this script and its children see. They go when it ends,
# in whichever way, with all processes in them; nothing can collide with a second one.
set -eu
here=$(dirname "$(realpath "$0")")

skip() {
    echo "skipped: two nodes cannot be made of network namespaces here: $*"
    exit 77
}

if [ "$1" != --inside ]; then
    command -v ip >/dev/null || skip "there is no command 'ip' (Debian: iproute2)"
    set -- unshare --mount --net --pid --fork --kill-child --mount-proc "$0" --inside "$@"
    [ "$(id -u)" = 0 ] || set -- unshare --user --map-root-user "$@"
    why=$(unshare --mount --net --pid --fork --mount-proc true 2>&1) || skip "$why"
    exec "$@"
fi
shift
pes=$2

must() {
    why=$("$@" 2>&1) || skip "'$*' failed: $why"
}
must mount -t tmpfs none /run
mkdir /run/netns /run/files
export TMPDIR=/run/files

# --- The nodes: each has one end of the cable, called eth0 -----------------------------------------
must ip netns add first
must ip netns add second
must ip link add eth0 netns first type veth peer name eth0 netns second
address=1
for node in first second; do
    must ip -n $node addr add 10.77.0.$address/24 dev eth0
    must ip -n $node link set eth0 up
    must ip -n $node link set lo up
    echo "10.77.0.$address $node" >>/run/hosts
    echo "$node slots=$((pes / 2))" >>/run/nodes.openmpi
    echo "$node:$((pes / 2))" >>/run/nodes.mpich
    address=$((address + 1))
done
echo "127.0.0.1 localhost" >>/run/hosts
# Until the cable is in use, which takes the kernel a moment, UCX does not see it.
for node in first second; do
    tries=0
    until ip -n $node -brief link show eth0 | grep -q ' UP '; do
        tries=$((tries + 1))
        [ $tries -lt 100 ] || skip "the cable between them stays down"
        sleep 0.1
    done
done
must mount --bind /run/hosts /etc/hosts

# --- The launchers are told by their variables -----------------------------------------------------
export OMPI_MCA_plm_rsh_agent="$here/on_node.sh"
export OMPI_MCA_orte_default_hostfile=/run/nodes.openmpi
export OMPI_MCA_oob_tcp_if_include=eth0
export OMPI_MCA_btl=self,vader,tcp OMPI_MCA_btl_tcp_if_include=eth0
export HYDRA_LAUNCHER=rsh HYDRA_LAUNCHER_EXEC="$here/on_node.sh" HYDRA_IFACE=eth0
export HYDRA_HOST_FILE=/run/nodes.mpich
export BOXCAR_TEST_HOSTS="first:$((pes / 2)),second:$((pes / 2))" BOXCAR_TEST_AGENT="'$here/on_node.sh'"
# UCX would find out that both nodes are one machine.
export UCX_TLS=self,tcp
[ "$1" != mpich ] || export LD_PRELOAD="${BOXCAR_TEST_MPICH_END:-}"

job() { "$here/on_node.sh" --as-it-is first "$here/../support/in_cluster.sh" "$@"; }
if [ "${BOXCAR_TEST_CUT:-no}" != yes ]; then
    # Not by exec: the processes on the nodes end with the first one of their namespace, which is this.
    job "$@"
    exit
fi

# --- The cable is cut when a PE asks for that, and each PE leaves what it has heard -----------------
job "$@" &
program=$(basename "$3")
until [ -e /run/files/cut ]; do
    [ -d /proc/$! ] || { echo "the job ended before the cable was cut" && exit 1; }
    sleep 0.1
done
ip -n second link set eth0 down
heard=0
until [ "$heard" = "$pes" ]; do
    sleep 0.1
    heard=$(find /run/files -name 'heard.*' | wc -l)
done
cat /run/files/heard.*
# (What has started them may hang: that belongs to the launcher.)
while pidof "$program" >/dev/null; do sleep 0.1; done
echo "all $pes PEs have ended"
