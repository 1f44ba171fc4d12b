"""Injection bandwidth of a node on many nodes of a Cray XC.

One PE stands for a node: it has the node's adapter, and a core as fast as 32. Items travel over two
hops, the first within 64 nodes near one another. (In the paper the first hop is within a node; here
it passes the adapter as well, so only ratios can be compared.)
"""

from simulator import Network, Run, seconds_by

TITLE = "Conveyors: bandwidth of a node on many nodes of a Cray XC"

NODE = {
    "other_node.overhead": 10,
    "other_node.overhead_per_byte": 0.002,
    "core.push": 0.1,
    "core.pivot": 0.05,
    "core.pull": 0.05,
    "core.byte": 0.001,
    "core.miss": 0,
}
NODES = {4096: [256, 1024, 4096], 16384: [256, 1024]}  # by the bytes of a buffer
PAPER = {1024: 5.01, 4096: 4.15, 8192: 3.50}


def run(simulator, quick, outcome):
    nodes = {4096: [128, 512], 16384: [128]} if quick else NODES
    items = 500 if quick else 8000
    network = Network("aries", NODE | {"dragonfly.global_links_per_group": 960})
    runs = {
        (buffer, n): Run(
            "traffic",
            n,
            1,
            network,
            {"items": items, "item_bytes": 128, "hops": 2, "group": 64, "buffer": buffer},
        )
        for buffer in nodes
        for n in nodes[buffer]
    }
    rate = {
        key: items * 128 / seconds / 1e9 for key, seconds in seconds_by(simulator, runs).items()
    }
    outcome.panel(
        "",
        "nodes",
        "GB a second and node",
        {
            f"buffers of {buffer // 1024} KiB": [[n, rate[buffer, n]] for n in nodes[buffer]]
            for buffer in nodes
        }
        | {"paper (one hop within the node)": [[n, rate] for n, rate in PAPER.items()]},
    )
    ratio = rate[4096, 4096] / rate[4096, 1024] if (4096, 4096) in rate else None
    outcome.claim(
        "4096_nodes",
        ratio,
        "buffers of 4 KiB; GB/s a node: "
        + ", ".join(f"{n} nodes {rate[4096, n]:.2f}" for n in nodes[4096]),
    )
    outcome.remark(
        "GB/s a node with buffers of 16 KiB: "
        + ", ".join(f"{n} nodes {rate[16384, n]:.2f}" for n in nodes[16384])
    )
