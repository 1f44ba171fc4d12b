"""What becomes of the bandwidth of a node when there are more of them, and why.

64 PEs on a node, 8-byte items to PEs drawn at random. What a node injects are those that leave it
(of 4 nodes three in four, of many nearly all). What an adapter carries is the bandwidth of items if
nothing but their tags, 4 bytes with each, went beside them.
"""

from injection import ITEM, NETWORKS, injected, traffic
from simulator import Network

TITLE = "More nodes: what a node injects"
TAG = 4
# The parts of a network that take time, one after the other.
PARTS = {
    "within nodes": {"overhead": 0, "overhead_per_byte": 0, "gap": 0, "gap_per_byte": 0, "latency": 0},
    "cores": {"gap": 0, "gap_per_byte": 0, "latency": 0},
    "latency": {"gap": 0, "gap_per_byte": 0},
    "adapters and links": {},
}
WIDE = {"link.gap_per_byte": 0, "link.latency": 0}


def run(simulator, quick, outcome):
    pes = [256, 512] if quick else [256, 1024, 4096]
    items = 500 if quick else 4000
    ways = [(2, 1024), (2, 4096), (3, 4096)]
    middle = pes[1]
    # Two hops of 256 nodes have as many links, with few items each.
    all_pes = [(n, way) for n in reversed(pes) for way in ways]
    keys = [("slingshot", n, way) for n, way in all_pes]
    keys += [(name, n, way) for name in NETWORKS for n in (middle, pes[0]) for way in ways]
    keys = list(dict.fromkeys(keys))
    runs = [traffic(Network(name), n, items, *way) for name, n, way in keys]
    seconds = {key: one["seconds"] for key, one in zip(keys, simulator.all(runs))}

    def rate(name, n):
        return injected(n, items, min(seconds[name, n, way] for way in ways if (name, n, way) in seconds))

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
                for n in pes
                if (n, (hops, buffer)) in all_pes
            ]
            for hops, buffer in ways
        },
    )
    first = pes[0]

    def claim(name, counts):
        outcome.claim(
            name,
            [1 - rate(name, n) / rate(name, first) for n in counts],
            f"from {first} to {' and '.join(map(str, counts))} PEs; "
            f"{rate(name, counts[-1]):.2f} GB a second and node, "
            f"{100 * share(name, counts[-1]):.0f} % of what its adapter carries",
        )

    claim("slingshot", pes[1:])
    more = 4 * items
    larger = [
        traffic(Network("slingshot"), n, more, *way)
        for n in (middle, first)
        for way in ways[1:]
    ]
    found = iter(simulator.all(larger))
    at_middle, at_first = (
        injected(n, more, min(next(found)["seconds"] for _ in ways[1:]))
        for n in (middle, first)
    )
    outcome.claim(
        "more_items",
        1 - at_middle / at_first,
        f"slingshot, from {first} to {middle} PEs; {at_middle:.1f} GB a second and node",
    )
    for name in NETWORKS:
        if name != "slingshot":
            claim(name, [middle])
    losses = [1 - rate(name, middle) / rate(name, first) for name in NETWORKS]
    outcome.claim(
        "4096_pes", losses if middle >= 4096 else None, f"simulated: {first} and {middle} PEs"
    )

    best = min(ways, key=lambda way: seconds["slingshot", middle, way])
    parts = [
        traffic(
            Network("slingshot", {f"other_node.{k}": v for k, v in part.items()} | links),
            middle,
            items,
            *best,
        )
        for part in PARTS.values()
        for links in ({} if part == {} else WIDE,)
    ]
    times = {name: one["seconds"] for name, one in zip(PARTS, simulator.all(parts))}
    before = 0.0
    shares = []
    for name, s in times.items():
        shares.append((s - before) / times["adapters and links"])
        before = s
    outcome.remark(
        f"slingshot, {middle} PEs, shares of the time: "
        + ", ".join(f"{name} {100 * part:.0f} %" for name, part in zip(PARTS, shares))
    )
