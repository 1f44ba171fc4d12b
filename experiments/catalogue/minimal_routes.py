"""Grids that match the torus, and grids that do not: their items take longer ways.

The nodes of a 4 x 2 x 2 x 2 x 2 torus are numbered along it, so a grid of 8 x 8 nodes goes no
detour. In a torus of 3 x 3 x 2 x 2 x 2 places the same 64 nodes lie where the grid does not expect
them.
"""

from simulator import Network, Run

TITLE = "Routes that are minimal on the torus, and routes that are not"
SOURCE = (
    "tram-thesis-2014, section 4.8, Figure 4.7: 20 % slower with few items, up to 2.3 times where "
    "links are saturated (512 nodes, 6-D grid)"
)
ITEM, PER_NODE, NODES = 32, 16, 64
MAPPINGS = {"as the torus": "[2, 2, 2, 2, 4]", "at odds with it": "[3, 3, 2, 2, 2]"}


def run(simulator, quick, outcome):
    items = [1, 8] if quick else [1, 2, 4, 16, 64]
    keys = [(mapping, count) for count in items for mapping in MAPPINGS]
    runs = [
        Run(
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
        for mapping, count in keys
    ]
    seconds = {key: one["seconds"] for key, one in zip(keys, simulator.all(runs))}
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

    outcome.claim(
        "with the fewest items at most 1.5 times as slow",
        f"{slower(items[0]):.2f} times",
        slower(items[0]) <= 1.5,
    )
    outcome.claim(
        "with the most 2 to 3 times as slow",
        f"{slower(items[-1]):.2f} times",
        2 <= slower(items[-1]) <= 3,
    )
