"""Every PE sends the same number of 32-byte items to each PE, in an order of its own, over grids.

Buffers are of 4 KiB, those of the thesis of 16 KB: so that those of 1,024 PEs for 1,024 others fit
in the memory of the machine that simulates. Without grids, buffers are sent to each PE ("1D"), or
each item by itself.
"""

from expectations import STATEMENT_TOLERANCE
from grids import grid
from simulator import Network, Run, seconds_by

TITLE = "Streaming all-to-all on Blue Gene/Q: direct and over grids"
PER_NODE = 16
ITEM = 32
DIMENSIONS = (1, 2, 3, 4)


def settings(nodes, dimensions, items):
    way = {"hops": 1} if dimensions == 1 else {"grid": grid(nodes, dimensions, PER_NODE)}
    return {"pattern": "all", "item_bytes": ITEM, "items": items, "buffer": 4096} | way


def run(simulator, quick, outcome):
    nodes = [4, 16] if quick else [8, 16]
    items = {n: [1, 16] if quick else [1, 4, 16, 64] for n in nodes}
    network = Network("blue-gene-q")
    runs = {
        (n, d, count): Run("traffic", n * PER_NODE, PER_NODE, network, settings(n, d, count))
        for n in nodes
        for count in items[n]
        for d in DIMENSIONS
    }
    alone = {
        count: Run(
            "traffic",
            nodes[0] * PER_NODE,
            PER_NODE,
            network,
            settings(nodes[0], 1, count) | {"buffer": ITEM},
        )
        for count in items[nodes[0]][:2]
    }
    seconds = seconds_by(simulator, runs)
    singly = seconds_by(simulator, alone)
    for n in nodes:
        lines = {
            f"{d}D": [[ITEM * c, 1e3 * seconds[n, d, c]] for c in items[n]] for d in DIMENSIONS
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
        return min(DIMENSIONS, key=lambda d: seconds[n, d, count])

    def slower(n, d, count):
        return seconds[n, d, count] / seconds[n, best(n, count), count]

    def is_close(n, d, count):
        return slower(n, d, count) < 1 + STATEMENT_TOLERANCE

    last = nodes[-1]
    outcome.claim(
        "gathering",
        [singly[c] / seconds[nodes[0], best(nodes[0], c), c] for c in singly],
        f"{nodes[0] * PER_NODE} PEs, {' and '.join(str(ITEM * c) for c in singly)} bytes to each PE",
    )
    outcome.claim(
        "direct_poor",
        min(slower(n, 1, items[n][0]) for n in nodes) > 2,
        "1D takes "
        + ", ".join(f"{slower(n, 1, items[n][0]):.1f}" for n in nodes)
        + f" times as long as the best grid on {nodes} nodes, {ITEM * items[last][0]} bytes to each PE",
    )
    outcome.claim(
        "three_dimensions",
        sum(is_close(last, 3, c) for c in items[last]) > len(items[last]) / 2,
        f"{', '.join(f'{slower(last, 3, c):.2f}' for c in items[last])} times as long as the best, "
        f"on {last * PER_NODE} PEs with {[ITEM * c for c in items[last]]} bytes to each PE; "
        f"best: {[best(last, c) for c in items[last]]}",
    )
    most = {n: items[n][-1] for n in nodes}
    outcome.claim(
        "two_dimensions",
        all(is_close(n, 2, most[n]) for n in nodes),
        f"{', '.join(f'{slower(n, 2, most[n]):.2f}' for n in nodes)} times as long as the best, "
        f"on {nodes} nodes with {[ITEM * c for c in most.values()]} bytes to each PE; "
        f"best: {[best(n, most[n]) for n in nodes]}",
    )
    outcome.claim(
        "four_dimensions",
        all(best(n, c) != 4 for n in nodes for c in items[n][1:]),
        f"best but with the fewest items: "
        f"{[[best(n, c) for c in items[n][1:]] for n in nodes]} on {nodes} nodes",
    )
