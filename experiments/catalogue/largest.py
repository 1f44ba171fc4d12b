"""What becomes of the bandwidth of a node when there are more of them, and why.

64 PEs on a node, 8-byte items to PEs drawn at random. What a node injects are those that leave it
(of 4 nodes three in four, of many nearly all). What an adapter carries is the bandwidth of items if
nothing but their tags, 4 bytes with each, went beside them.
"""

from injection import ITEM, NETWORKS, injected, traffic
from simulator import Network

TITLE = "More nodes: what a node injects"
SOURCE = "our goal: at most 15 % lost"
TAG = 4
# Nothing between the nodes takes time, or but the cores, or all but the links.
PARTS = {
    "no network": {"overhead": 0, "overhead_per_byte": 0, "gap": 0, "gap_per_byte": 0, "latency": 0},
    "cores": {"gap": 0, "gap_per_byte": 0, "latency": 0},
    "cores and latency": {"gap": 0, "gap_per_byte": 0},
    "all": {},
}
WIDE = {"link.gap_per_byte": 0, "link.latency": 0}


def run(simulator, quick, outcome):
    pes = [256, 512] if quick else [256, 1024, 4096, 16384]
    items = 500 if quick else 4000
    ways = [(2, 1024), (2, 4096), (3, 4096)]
    middle = pes[-2]
    # Two hops of 256 nodes have as many links, with few items each.
    all_pes = [(n, way) for n in reversed(pes) for way in ways if n <= 4096 or way[0] == 3]
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
    for n in pes[1:]:
        lost = 1 - rate("slingshot", n) / rate("slingshot", first)
        outcome.claim(
            f"slingshot: at most 15 % lost from {first} to {n} PEs",
            f"{100 * lost:.0f} %; {rate('slingshot', n):.1f} GB a second and node, "
            f"{100 * share('slingshot', n):.0f} % of what its adapter carries",
            lost <= 0.15,
        )
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
    lost = 1 - at_middle / at_first
    outcome.claim(
        f"slingshot, {more} items from each PE: at most 15 % lost from {first} to {middle} PEs",
        f"{100 * lost:.0f} %; {at_middle:.1f} GB a second and node",
        lost <= 0.15,
    )
    for name in (name for name in NETWORKS if name != "slingshot"):
        lost = 1 - rate(name, middle) / rate(name, first)
        outcome.claim(
            f"{name}: at most 15 % lost from {first} to {middle} PEs",
            f"{100 * lost:.0f} %; {rate(name, middle):.2f} GB a second and node, "
            f"{100 * share(name, middle):.0f} % of what its adapter carries",
            lost <= 0.15,
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
    spent = ", ".join(f"{name}: {1e6 * s:.0f}" for name, s in times.items())
    before = 0.0
    shares = []
    for name, s in times.items():
        shares.append((s - before) / times["all"])
        before = s
    outcome.claim(
        f"slingshot, {middle} PEs: what adapters and links take is the most",
        f"microseconds with {spent}: {', '.join(f'{100 * part:.0f} %' for part in shares)}",
        shares[-1] == max(shares),
    )
