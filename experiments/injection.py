"""What nodes inject into a network: traffic of 8-byte items to PEs drawn at random, 64 PEs a node."""

from simulator import Network, Run

PER_NODE = 64
ITEM = 8
NETWORKS = [
    "aries",
    "blue-gene-p",
    "blue-gene-q",
    "ethernet-25g",
    "ethernet-100g",
    "hdr-infiniband",
    "slingshot",
]


def traffic(network, pes, items, hops, buffer):
    """Sends `items` items from each PE, by a conveyor with buffers of `buffer` bytes."""
    settings = {"items": items, "hops": hops, "group": PER_NODE, "buffer": buffer}
    return Run("traffic", pes, PER_NODE, network, settings)


def injected(pes, items, seconds):
    """GB of items a second that leave a node. (Of 4 nodes three in four do, of many nearly all.)"""
    return (1 - PER_NODE / pes) * PER_NODE * ITEM * items / seconds / 1e9
