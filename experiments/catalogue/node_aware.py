"""Routes by teams of the PEs of a node, beside grids, in the streaming all-to-all."""

from grids import grid
from simulator import Network, Run

TITLE = "Node-aware routes on Blue Gene/Q"
SOURCE = "tram-thesis-2014, section 5.6, Figures 5.3 and 5.4: most often slower than grids"
PER_NODE = 16
ITEM = 32


def run(simulator, quick, outcome):
    nodes = [4, 16] if quick else [8, 64]
    items = [1, 16] if quick else [1, 4, 16, 64]
    ways = {
        "grid 2D": ("grid", 2),
        "grid 3D": ("grid", 3),
        "teams 2D": ("teams", 2),
        "teams 4D": ("teams", 4),
        "specialised teams 2D": ("specialised", 2),
        "specialised teams 4D": ("specialised", 4),
    }
    keys = [(n, name, c) for n in reversed(nodes) for c in items for name in ways]
    runs = [
        Run(
            "traffic",
            n * PER_NODE,
            PER_NODE,
            Network("blue-gene-q"),
            {
                "pattern": "all",
                "item_bytes": ITEM,
                "items": c,
                "buffer": 4096,
                ways[name][0]: grid(n, ways[name][1], PER_NODE),
            },
        )
        for n, name, c in keys
    ]
    found = dict(zip(keys, simulator.all(runs)))
    for n in nodes:
        outcome.panel(
            f"{n * PER_NODE} PEs on {n} nodes",
            "bytes to each PE",
            "milliseconds",
            {
                name: [[ITEM * c, 1e3 * found[n, name, c]["seconds"]] for c in items]
                for name in ways
            },
            logarithmic=("x", "y"),
        )

    def fastest(n, c, kind):
        return min(found[n, name, c]["seconds"] for name in ways if ways[name][0] == kind)

    cases = [(n, c) for n in nodes for c in items]
    slower = sum(fastest(n, c, "teams") > fastest(n, c, "grid") for n, c in cases)
    outcome.claim(
        "in most cases teams are slower than the better grid",
        f"in {slower} of {len(cases)}",
        slower > len(cases) / 2,
    )
    worst = sum(fastest(n, c, "specialised") > fastest(n, c, "teams") for n, c in cases)
    outcome.claim(
        "specialised teams are slower than teams",
        f"in {worst} of {len(cases)}",
        worst > len(cases) / 2,
    )
    n, c = nodes[-1], items[0]
    less = found[n, "grid 2D", c]["memory"] / found[n, "specialised teams 2D", c]["memory"]
    outcome.claim(
        "what they are for: a PE holds less memory than with the grid of as many dimensions",
        f"{less:.1f} times less on {n * PER_NODE} PEs",
        less > 1,
    )
