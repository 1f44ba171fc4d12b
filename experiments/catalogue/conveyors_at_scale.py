"""Injection bandwidth of a node on 1,024 to 8,192 nodes of a Cray XC.

One PE stands for a node: it has the node's adapter, and a core as fast as 32. Items travel over two
hops, the first within 64 nodes near one another. (In the paper the first hop is within a node; here
it passes the adapter as well, so only ratios can be compared.) A machine with all the links between
groups that the network allows is beside one that has a quarter of them.
"""

from simulator import Network, Run

TITLE = "Conveyors: bandwidth of a node on many nodes of a Cray XC"
SOURCE = "conveyors-2019, section 5: 5.01, 4.15, 3.50 GB/s a node on 1,024, 4,096, 8,192 nodes"

NODE = {
    "other_node.overhead": 10,
    "other_node.overhead_per_byte": 0.002,
    "core.push": 0.1,
    "core.pivot": 0.05,
    "core.pull": 0.05,
    "core.byte": 0.001,
    "core.miss": 0,
}
MACHINES = {"all links between groups": 960, "a quarter of them": 240}
PAPER = {1024: 5.01, 4096: 4.15, 8192: 3.50}


def run(simulator, quick, outcome):
    nodes = [128, 512, 1024] if quick else [256, 1024, 4096, 8192]
    items = 500 if quick else 8000
    runs = [
        Run(
            "traffic",
            n,
            1,
            Network("aries", NODE | {"dragonfly.global_links_per_group": links}),
            {"items": items, "item_bytes": 128, "hops": 2, "group": 64, "buffer": 4096},
        )
        for links in MACHINES.values()
        for n in nodes
    ]
    found = iter(simulator.all(runs))
    rates = {
        name: {n: items * 128 / next(found)["seconds"] / 1e9 for n in nodes} for name in MACHINES
    }
    outcome.panel(
        "",
        "nodes",
        "GB a second and node",
        {name: [[n, rate] for n, rate in line.items()] for name, line in rates.items()}
        | {"paper (one hop within the node)": [[n, rate] for n, rate in PAPER.items()]},
    )
    base = nodes[-3]
    for n in nodes[-2:]:
        paper = PAPER.get(n, 0) / PAPER[1024]
        for name, line in rates.items():
            ratio = line[n] / line[base]
            outcome.claim(
                f"{name}: on {n} nodes {paper:.2f} of the bandwidth on {base} (within 0.1)",
                f"{ratio:.2f}",
                abs(ratio - paper) <= 0.1,
            )
