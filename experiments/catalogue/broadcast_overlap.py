"""Broadcasts while the PEs compute: by adapters that carry triggers, and by the PEs themselves."""

from expectations import STATEMENT_TOLERANCE
from simulator import Network, Run, found_by

TITLE = "Broadcast on up to 104 nodes: what goes on while the PEs compute"
WAYS = {"offloaded": "true", "by the PEs": "false"}


def run(simulator, quick, outcome):
    nodes = [4, 16] if quick else [2, 4, 8, 16, 32, 64, 104]
    sizes = [8, 65536] if quick else [8, 1024, 65536, 1048576]
    runs = {
        (way, b, n): Run(
            "overlap", n, 1, Network("hdr-infiniband", {"offload": WAYS[way]}), {"bytes": b}
        )
        for way in WAYS
        for b in sizes
        for n in nodes
    }
    found = found_by(simulator, runs)
    for b in sizes:
        outcome.panel(
            f"{b} bytes",
            "nodes",
            "overlap",
            {way: [[n, found[way, b, n]["overlap"]] for n in nodes] for way in WAYS},
        )

    def rest(way, b, n):
        return 1e6 * (found[way, b, n]["both"] - found[way, b, n]["pure"])

    outcome.panel(
        f"{nodes[-1]} nodes",
        "bytes",
        "microseconds that do not overlap",
        {way: [[b, rest(way, b, nodes[-1])] for b in sizes] for way in WAYS},
        logarithmic=("x", "y"),
    )

    few, many = nodes[0], nodes[-1]

    def change(way, b):
        return found[way, b, many]["overlap"] - found[way, b, few]["overlap"]

    def text(way):
        return f"from {few} to {many} nodes: " + "; ".join(
            f"{b} bytes {found[way, b, few]['overlap']:.2f} to {found[way, b, many]['overlap']:.2f}"
            for b in sizes
        )

    outcome.claim(
        "offloaded_grows",
        all(change("offloaded", b) > STATEMENT_TOLERANCE for b in sizes),
        text("offloaded"),
    )
    outcome.claim(
        "by_pes_shrinks",
        all(change("by the PEs", b) < -STATEMENT_TOLERANCE for b in sizes),
        text("by the PEs"),
    )
    for key, b, is_expected in (
        ("large_messages", sizes[-1], float.__lt__),
        ("small_messages", sizes[0], float.__gt__),
    ):
        ours, theirs = rest("offloaded", b, many), rest("by the PEs", b, many)
        outcome.claim(
            key,
            is_expected(ours, theirs),
            f"{b} bytes on {many} nodes: {ours:.1f} and {theirs:.1f} microseconds",
        )
