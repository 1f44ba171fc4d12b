"""How many hops are best, by the number of PEs and of items."""

from simulator import Network, Run, seconds_by

TITLE = "Conveyors: one, two or three hops"
PER_NODE = 16


def run(simulator, quick, outcome):
    pes = [64, 256] if quick else [64, 256, 1024, 4096]
    items = [100, 1000] if quick else [100, 1000, 10000]
    hops = [1, 2, 3]
    buffers = [512, 4096]

    def is_feasible(n, h, count):
        links = {1: n, 2: PER_NODE + n // PER_NODE, 3: 2 * PER_NODE + n // PER_NODE**2}[h]
        return links <= 1024 and n * count <= 2**22

    runs = {
        (count, h, n, b): Run(
            "traffic",
            n,
            PER_NODE,
            Network("slingshot"),
            {"items": count, "hops": h, "group": PER_NODE if h > 1 else 0, "buffer": b},
        )
        for n in reversed(pes)
        for count in items
        for h in hops
        for b in buffers
        if is_feasible(n, h, count)
    }
    best = {}
    for (count, h, n, _), seconds in seconds_by(simulator, runs).items():
        rate = count / seconds / 1e6
        best[count, h, n] = max(rate, best.get((count, h, n), 0))
    for count in items:
        outcome.panel(
            f"{count} items from each PE",
            "PEs",
            "million items a second and PE",
            {
                f"{h} hop{'s'[: h > 1]}": [[n, best[count, h, n]] for n in pes if (count, h, n) in best]
                for h in hops
            },
        )

    def winner(count, n):
        return max(hops, key=lambda h: best.get((count, h, n), 0))

    tried = {c: [n for n in pes if any((c, h, n) in best for h in hops)] for c in items}
    fewest = min(items)
    outcome.claim(
        "many_pes",
        winner(fewest, pes[-1]) == 3,
        f"{fewest} items from each of {pes[-1]} PEs: {winner(fewest, pes[-1])} hops are the best",
    )
    outcome.claim(
        "more_pes",
        all(winner(c, a) <= winner(c, b) for c in items for a, b in zip(tried[c], tried[c][1:])),
        "; ".join(
            f"{c} items on {', '.join(map(str, tried[c]))} PEs: "
            f"{', '.join(str(winner(c, n)) for n in tried[c])} hops"
            for c in items
        ),
    )
    outcome.claim(
        "more_items",
        all(
            winner(a, n) >= winner(b, n)
            for a, b in zip(items, items[1:])
            for n in pes
            if n in tried[a] and n in tried[b]
        ),
        "; ".join(
            f"{n} PEs with {', '.join(str(c) for c in items if n in tried[c])} items: "
            f"{', '.join(str(winner(c, n)) for c in items if n in tried[c])} hops"
            for n in pes
        ),
    )
