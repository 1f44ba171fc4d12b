#!/bin/sh
# on_node.sh [OPTION]... NODE COMMAND...
# Runs a command on one of the nodes of two_nodes.sh, as rsh would: launchers call it in its place.
# Like rsh it gives the command to a shell there, unless the option is --as-it-is.
set -eu
as_it_is=no
while [ "${1#-}" != "$1" ]; do
    [ "$1" != --as-it-is ] || as_it_is=yes
    shift
done
node=$1
shift
[ $as_it_is = yes ] || set -- sh -c "$*"
# shellcheck disable=SC2016  # to be expanded there
exec ip netns exec "$node" unshare --uts --mount sh -c '
    hostname "$0"
    mount -t tmpfs none /dev/shm
    exec "$@"' "$node" "$@"
