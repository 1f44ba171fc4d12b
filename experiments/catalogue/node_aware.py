"""Routes by teams of the PEs of a node, beside grids, in the streaming all-to-all."""

from grids import grid
from simulator import Network, Run, found_by

TITLE = "Node-aware routes on Blue Gene/Q"
PER_NODE = 16
ITEM = 32


def run(simulator, quick, outcome):
    nodes = [2, 4] if quick else [4, 8]
    items = [1, 16] if quick else [1, 4, 16]
    ways = {
        "grid 2D": ("grid", 2),
        "grid 3D": ("grid", 3),
        "teams 2D": ("teams", 2),
        "teams 4D": ("teams", 4),
        "specialised teams 2D": ("specialised", 2),
        "specialised teams 4D": ("specialised", 4),
    }
    runs = {
        (n, name, c): Run(
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
        for n in reversed(nodes)
        for c in items
        for name in ways
    }
    found = found_by(simulator, runs)
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

    def claim_slower(key, kind, other):
        slower = sum(fastest(n, c, kind) > fastest(n, c, other) for n, c in cases)
        outcome.claim(key, slower > len(cases) / 2, f"in {slower} of {len(cases)} cases")

    claim_slower("base", "teams", "grid")
    claim_slower("advanced", "specialised", "teams")
    n, c = nodes[-1], items[0]
    less = found[n, "grid 2D", c]["memory"] / found[n, "specialised teams 2D", c]["memory"]
    outcome.claim("memory", less > 1, f"{less:.1f} times less memory on {n * PER_NODE} PEs")
