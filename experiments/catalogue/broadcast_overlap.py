"""Broadcasts while the PEs compute: by adapters that carry triggers, and by the PEs themselves."""

from simulator import Network, Run

TITLE = "Broadcast on up to 104 nodes: what goes on while the PEs compute"
SOURCE = (
    "offloaded-collectives-2013, Figures 9 and 10: with offload overlap grows with the nodes, "
    "without it shrinks; what does not overlap is less with offload for large messages"
)
WAYS = {"offloaded": "true", "by the PEs": "false"}


def run(simulator, quick, outcome):
    nodes = [4, 16] if quick else [2, 4, 8, 16, 32, 64, 104]
    sizes = [8, 65536] if quick else [8, 1024, 65536, 1048576]
    keys = [(way, b, n) for way in WAYS for b in sizes for n in nodes]
    runs = [
        Run("overlap", n, 1, Network("hdr-infiniband", {"offload": WAYS[way]}), {"bytes": b})
        for way, b, n in keys
    ]
    found = dict(zip(keys, simulator.all(runs)))
    for b in sizes:
        outcome.panel(
            f"{b} bytes",
            "nodes",
            "overlap",
            {way: [[n, found[way, b, n]["overlap"]] for n in nodes] for way in WAYS},
        )

    def rest(way, b, n):
        return 1e6 * (found[way, b, n]["both"] - found[way, b, n]["pure"])

    outcome.panel(
        f"{nodes[-1]} nodes",
        "bytes",
        "microseconds that do not overlap",
        {way: [[b, rest(way, b, nodes[-1])] for b in sizes] for way in WAYS},
        logarithmic=("x", "y"),
    )

    def overlap(way, b, n):
        return found[way, b, n]["overlap"]

    few, many = nodes[1], nodes[-1]
    outcome.claim(
        f"offloaded, overlap grows from {few} to {many} nodes, or is above 0.95 on both",
        "; ".join(
            f"{b} bytes: {overlap('offloaded', b, few):.2f} to {overlap('offloaded', b, many):.2f}"
            for b in sizes
        ),
        all(
            overlap("offloaded", b, many) >= min(0.95, overlap("offloaded", b, few))
            for b in sizes
        ),
    )
    outcome.claim(
        f"by the PEs, it shrinks from {few} to {many} nodes, or stays below 0.1",
        "; ".join(
            f"{b} bytes: {overlap('by the PEs', b, few):.2f} to {overlap('by the PEs', b, many):.2f}"
            for b in sizes
        ),
        all(
            overlap("by the PEs", b, many) <= max(0.1, overlap("by the PEs", b, few))
            for b in sizes
        ),
    )
    outcome.claim(
        f"what does not overlap of the largest message on {many} nodes is less when offloaded",
        f"{rest('offloaded', sizes[-1], many):.1f} and {rest('by the PEs', sizes[-1], many):.1f} "
        "microseconds",
        rest("offloaded", sizes[-1], many) < rest("by the PEs", sizes[-1], many),
    )
    outcome.claim(
        f"of 8 bytes on {many} nodes it is more when offloaded: adapters in software are slow",
        f"{rest('offloaded', 8, many):.1f} and {rest('by the PEs', 8, many):.1f} microseconds",
        rest("offloaded", 8, many) > rest("by the PEs", 8, many),
    )
