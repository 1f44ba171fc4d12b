"""The way that is chosen for a collective between nodes, beside the others that there are."""

from statistics import geometric_mean

from simulator import Network, Run, seconds_by

TITLE = "Collectives between nodes: the chosen way beside others"

SWAPS = ["pairwise", "dissemination", "butterfly"]
# Beside trees.
WAYS = {
    "barrier": SWAPS,
    "broadcast": [*SWAPS, "ring", "circulant"],
    "reduce": ["pairwise", "circulant"],
    "all_reduce": SWAPS,
    "scatter": [],
    "gather": [],
    "all_gather": [*SWAPS, "ring"],
    "all_to_all": ["pairwise", "grid"],
    "reduce_scatter": ["pairwise"],
    "scan": ["dissemination"],
}
TREES = [("k_nomial_tree", 2), ("k_nomial_tree", 4), ("k_ary_tree", 2), ("chain", 1)]
PIECES = [16384, 65536]
# Radices of dissemination, where k - 1 messages of each PE leave in a round.
HAVE_RADIX = ["barrier", "broadcast", "all_gather"]
RADICES = [3, 4, 8]
CLOSE = 1.25


def ways(kind, size, pes, per_node):
    """The chosen way, and then others, as settings of the program."""
    yield {}
    for over in WAYS[kind]:
        yield {"over": over}
        if per_node > 1 and over != "grid":
            yield {"over": over, "by_node": 0}
    if kind in HAVE_RADIX:
        for k in RADICES:
            yield {"over": "dissemination", "fan_out": k}
    if kind == "all_to_all":
        return
    for over, fan_out in TREES:
        if fan_out <= pes and (kind != "scan" or over == "chain"):
            for piece in [0, *(piece for piece in PIECES if piece < size)]:
                yield {"over": over, "fan_out": fan_out, "segment": piece}


def run(simulator, quick, outcome):
    networks = ["hdr-infiniband"] if quick else ["hdr-infiniband", "ethernet-25g"]
    # Nodes, and PEs of each.
    shapes = [(3, 2)] if quick else [(2, 1), (4, 4), (4, 16), (6, 3), (16, 1), (16, 4), (64, 1)]
    sizes = [8, 65536] if quick else [8, 1024, 8192, 65536, 1048576]
    cases = {}
    for kind in WAYS:
        for size in [0] if kind == "barrier" else sizes:
            for nodes, per_node in shapes:
                for network in networks:
                    pes = nodes * per_node
                    cases[kind, size, f"{nodes} x {per_node}", network] = [
                        Run(
                            "collective",
                            pes,
                            per_node,
                            Network(network),
                            {"kind": kind, "bytes": size, **way},
                        )
                        for way in ways(kind, size, pes, per_node)
                    ]
    found = seconds_by(
        simulator, {(case, i): run for case, runs in cases.items() for i, run in enumerate(runs)}
    )
    slower = {
        case: found[case, 0] / min(found[case, i] for i in range(len(runs)))
        for case, runs in cases.items()
    }

    def all_of(*wanted):
        return [ratio for case, ratio in slower.items() if set(wanted) <= set(case)]

    for network in networks:
        outcome.panel(
            network,
            "bytes",
            "times as long as the best way, in the geometric mean",
            {
                kind: [[size, geometric_mean(all_of(network, kind, size))] for size in sizes]
                for kind in WAYS
                if kind != "barrier"
            },
            logarithmic=("x", "y"),
        )
    for network in networks:
        ratios = all_of(network)
        outcome.claim(
            network,
            sum(ratio <= CLOSE for ratio in ratios) / len(ratios),
            f"{len(ratios)} cases; {geometric_mean(ratios):.3f} times in the geometric mean",
        )
    worst = max(slower, key=slower.get)
    outcome.claim(
        "worst",
        slower[worst],
        f"{worst[0]} of {worst[1]} bytes on {worst[2]} PEs, {worst[3]}",
    )
