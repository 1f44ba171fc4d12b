"""Every PE sends the same number of 32-byte items to each PE, in an order of its own, over grids.

Buffers are of 4 KiB, those of the thesis of 16 KB: so that those of 1,024 PEs for 1,024 others fit
in the memory of the machine that simulates. Without grids, buffers are sent to each PE ("1D"), or
each item by itself.
"""

from grids import grid
from simulator import Network, Run

TITLE = "Streaming all-to-all on Blue Gene/Q: direct and over grids"
SOURCE = "tram-thesis-2014, section 4.6, Figures 4.2 and 4.3"
PER_NODE = 16
ITEM = 32


def settings(nodes, dimensions, items):
    way = {"hops": 1} if dimensions == 1 else {"grid": grid(nodes, dimensions, PER_NODE)}
    return {"pattern": "all", "item_bytes": ITEM, "items": items, "buffer": 4096} | way


def run(simulator, quick, outcome):
    nodes = [4, 16] if quick else [8, 16, 64]
    items = [1, 16] if quick else [1, 4, 16, 64]
    network = Network("blue-gene-q")
    runs = {
        (n, d, count): Run("traffic", n * PER_NODE, PER_NODE, network, settings(n, d, count))
        for n in reversed(nodes)
        for count in items
        for d in (1, 2, 3, 4)
    }
    alone = {
        count: Run(
            "traffic",
            nodes[0] * PER_NODE,
            PER_NODE,
            network,
            settings(nodes[0], 1, count) | {"buffer": ITEM},
        )
        for count in items[:2]
    }
    found = simulator.all([*runs.values(), *alone.values()])
    seconds = {key: one["seconds"] for key, one in zip(runs, found)}
    singly = {count: one["seconds"] for count, one in zip(alone, found[len(runs) :])}
    for n in nodes:
        lines = {
            f"{d}D": [[ITEM * c, 1e3 * seconds[n, d, c]] for c in items] for d in (1, 2, 3, 4)
        }
        if n == nodes[0]:
            lines["each item by itself"] = [[ITEM * c, 1e3 * s] for c, s in singly.items()]
        outcome.panel(
            f"{n * PER_NODE} PEs on {n} nodes",
            "bytes to each PE",
            "milliseconds",
            lines,
            logarithmic=("x", "y"),
        )

    def best(n, count):
        return min((1, 2, 3, 4), key=lambda d: seconds[n, d, count])

    count = list(singly)[-1]
    n = nodes[0]
    gain = singly[count] / seconds[n, best(n, count), count]
    outcome.claim(
        f"on {n * PER_NODE} PEs gathering is at least 10 times as fast as each item by itself",
        f"{gain:.1f} times for {ITEM * count} bytes to each PE",
        gain >= 10,
    )
    last = nodes[-1]
    few = [seconds[last, 1, c] / seconds[last, best(last, c), c] for c in items[:2]]
    outcome.claim(
        f"1D does very poorly with few items: on {last * PER_NODE} PEs at least 3 times as slow "
        "as the best grid",
        ", ".join(f"{ratio:.1f} times" for ratio in few),
        min(few) >= 3,
    )
    fine = [best(last, c) for c in items]
    slower = [seconds[last, 3, c] / seconds[last, best(last, c), c] for c in items]
    outcome.claim(
        f"up to {ITEM * items[-1]} bytes to each of {last * PER_NODE} PEs 3D is the best, or within "
        "10 % of it",
        f"best: {fine}; 3D takes {', '.join(f'{s:.2f}' for s in slower)} of the best",
        max(slower) <= 1.1,
    )
    many = [best(n, items[-1]) for n in nodes]
    outcome.claim(
        f"with {ITEM * items[-1]} bytes to each PE, 2D is the best on at most 256 nodes, or within "
        "10 % of it",
        f"best on {nodes} nodes: {many}",
        all(seconds[n, 2, items[-1]] <= 1.1 * seconds[n, best(n, items[-1]), items[-1]] for n in nodes),
    )
    outcome.claim(
        "4D does not pay, but for the fewest items",
        f"best with {ITEM * items[0]} bytes to each PE: {[best(n, items[0]) for n in nodes]}",
        all(best(n, c) != 4 for n in nodes for c in items[1:]),
    )
