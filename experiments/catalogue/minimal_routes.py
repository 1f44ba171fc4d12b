"""Grids that match the torus, and grids that do not: their items take longer ways.

The nodes of a 4 x 2 x 2 x 2 x 2 torus are numbered along it, so a grid of 8 x 8 nodes goes no
detour. In a torus of 3 x 3 x 2 x 2 x 2 places the same 64 nodes lie where the grid does not expect
them.
"""

from simulator import Network, Run, seconds_by

TITLE = "Routes that are minimal on the torus, and routes that are not"
ITEM, PER_NODE, NODES = 32, 16, 64
MAPPINGS = {"as the torus": "[2, 2, 2, 2, 4]", "at odds with it": "[3, 3, 2, 2, 2]"}


def run(simulator, quick, outcome):
    items = [1, 8] if quick else [1, 2, 4, 16, 64]
    runs = {
        (mapping, count): Run(
            "traffic",
            NODES * PER_NODE,
            PER_NODE,
            Network(
                "blue-gene-q", {"torus.dimensions": None, "torus.sizes": MAPPINGS[mapping]}
            ),
            {
                "pattern": "all",
                "item_bytes": ITEM,
                "items": count,
                "buffer": 4096,
                "grid": f"8x8x{PER_NODE}",
            },
        )
        for count in items
        for mapping in MAPPINGS
    }
    seconds = seconds_by(simulator, runs)
    outcome.panel(
        f"{NODES * PER_NODE} PEs on {NODES} nodes",
        "bytes to each PE",
        "milliseconds",
        {
            mapping: [[ITEM * c, 1e3 * seconds[mapping, c]] for c in items] for mapping in MAPPINGS
        },
        logarithmic=("x", "y"),
    )

    def slower(count):
        return seconds["at odds with it", count] / seconds["as the torus", count]

    outcome.claim("few_items", slower(items[0]), f"{ITEM * items[0]} bytes to each PE")
    outcome.claim(
        "saturated",
        max(slower(count) for count in items),
        ", ".join(f"{ITEM * count} bytes to each PE {slower(count):.2f}" for count in items),
    )
