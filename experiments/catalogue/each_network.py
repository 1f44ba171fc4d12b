"""What a node injects when it is one of 2,048, on each of the networks.

64 PEs on a node, 8-byte items to PEs drawn at random, few from each PE: as many as 131,072 PEs can
be simulated with in minutes. So the ends of sessions weigh much, as they do in short sessions of
programs; `largest` has longer ones, on fewer PEs.
"""

from simulator import Network, Run

TITLE = "131,072 PEs: what a node injects, on each network"
SOURCE = "our goal: at most 15 % lost"
PER_NODE = 64
ITEM = 8
NETWORKS = [
    "slingshot",
    "aries",
    "hdr-infiniband",
    "ethernet-100g",
    "ethernet-25g",
    "blue-gene-q",
    "blue-gene-p",
]
THREE_HOPS = (3, 256)
TWO_HOPS = (2, 1024)
# With two hops a PE of more has a link for each of 64 PEs and more, and fewer items than that.
MOST_OF_TWO_HOPS = 4096


def run(simulator, quick, outcome):
    pes = [256, 384, 512] if quick else [256, 4096, 131072]
    items = 100 if quick else 1000
    runs = {
        (name, n, (hops, buffer)): Run(
            "traffic",
            n,
            PER_NODE,
            Network(name),
            {"items": items, "hops": hops, "group": PER_NODE, "buffer": buffer},
        )
        for n in pes
        for name in NETWORKS
        for hops, buffer in (THREE_HOPS, TWO_HOPS)
        if hops == 3 or n <= MOST_OF_TWO_HOPS
    }
    found = dict(zip(runs, simulator.all(runs.values())))

    def rate(name, n):
        """GB of items a second that leave a node."""
        best = min(one["seconds"] for key, one in found.items() if key[:2] == (name, n))
        return (1 - PER_NODE / n) * PER_NODE * ITEM * items / best / 1e9

    outcome.panel(
        f"{items} items from each PE",
        "PEs",
        f"GB a second that leave a node, of those with {pes[0]} PEs",
        {name: [[n, rate(name, n) / rate(name, pes[0])] for n in pes] for name in NETWORKS},
    )
    for name in NETWORKS:
        for n in pes[:-1]:
            lost = 1 - rate(name, pes[-1]) / rate(name, n)
            outcome.claim(
                f"{name}: at most 15 % lost from {n} to {pes[-1]} PEs",
                f"{100 * lost:.0f} %; {rate(name, pes[-1]):.2f} GB a second and node",
                lost <= 0.15,
            )
