"""What becomes of the bandwidth of a node when there are more of them, and why.

64 PEs on a node, 8-byte items to PEs drawn at random. What a node injects are those that leave it
(of 4 nodes three in four, of many nearly all). What an adapter carries is the bandwidth of items if
nothing but their tags, 4 bytes with each, went beside them.
"""

from injection import ITEM, NETWORKS, injected, traffic
from simulator import Network, seconds_by

TITLE = "More nodes: what a node injects"
TAG = 4
OTHERS = [name for name in NETWORKS if name != "slingshot"]
# The parts of a network that take time, one after the other.
PARTS = {
    "within nodes": {"overhead": 0, "overhead_per_byte": 0, "gap": 0, "gap_per_byte": 0, "latency": 0},
    "cores": {"gap": 0, "gap_per_byte": 0, "latency": 0},
    "latency": {"gap": 0, "gap_per_byte": 0},
    "adapters and links": {},
}
WIDE = {"link.gap_per_byte": 0, "link.latency": 0}


def run(simulator, quick, outcome):
    few, many, most = (256, 512, 1024) if quick else (256, 1024, 4096)
    items = 500 if quick else 4000
    ways = [(2, 1024), (2, 4096), (3, 4096)]
    keys = [("slingshot", n, way) for n in (most, many, few) for way in ways]
    keys += [(name, n, way) for name in OTHERS for n in (many, few) for way in ways]
    seconds = seconds_by(
        simulator, {(name, n, way): traffic(Network(name), n, items, *way) for name, n, way in keys}
    )

    def rate(name, n):
        return injected(n, items, min(seconds[name, n, way] for way in ways))

    def share(name, n):
        carried = 1 / Network(name).number("other_node.gap_per_byte")
        return rate(name, n) / (carried * ITEM / (ITEM + TAG))

    outcome.panel(
        f"slingshot, {items} items from each PE",
        "PEs",
        "GB a second that leave a node",
        {
            f"{hops} hops, buffers of {buffer} bytes": [
                [n, injected(n, items, seconds["slingshot", n, (hops, buffer)])]
                for n in (few, many, most)
            ]
            for hops, buffer in ways
        },
    )

    def claim(name, counts):
        outcome.claim(
            name,
            [1 - rate(name, n) / rate(name, few) for n in counts],
            f"from {few} to {' and '.join(map(str, counts))} PEs; "
            f"{rate(name, counts[-1]):.2f} GB a second and node, "
            f"{100 * share(name, counts[-1]):.0f} % of what its adapter carries",
        )

    claim("slingshot", [many, most])
    claim_more_items(simulator, outcome, few, many, 4 * items, ways[1:])
    for name in OTHERS:
        claim(name, [many])
    outcome.claim("4096_pes", None, f"simulated: {few} and {many} PEs")
    best = min(ways, key=lambda way: seconds["slingshot", many, way])
    remark_on_parts(simulator, outcome, many, items, best)


def claim_more_items(simulator, outcome, few, many, items, ways):
    runs = {
        (n, way): traffic(Network("slingshot"), n, items, *way) for n in (many, few) for way in ways
    }
    seconds = seconds_by(simulator, runs)
    at_few, at_many = (
        injected(n, items, min(seconds[n, way] for way in ways)) for n in (few, many)
    )
    outcome.claim(
        "more_items",
        1 - at_many / at_few,
        f"slingshot, from {few} to {many} PEs; {at_many:.1f} GB a second and node",
    )


def remark_on_parts(simulator, outcome, pes, items, way):
    """Adds one part of the network after the other: the share of a part is the additional time."""
    runs = {
        name: traffic(
            Network(
                "slingshot",
                {f"other_node.{key}": value for key, value in part.items()}
                | (WIDE if part else {}),
            ),
            pes,
            items,
            *way,
        )
        for name, part in PARTS.items()
    }
    times = seconds_by(simulator, runs)
    shares = []
    before = 0.0
    for name, seconds in times.items():
        shares.append(f"{name} {100 * (seconds - before) / times['adapters and links']:.0f} %")
        before = seconds
    outcome.remark(f"slingshot, {pes} PEs, shares of the time: {', '.join(shares)}")
