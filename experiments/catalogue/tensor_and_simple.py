"""Tensor conveyors beside simple conveyors, on three networks.

The nodes have 32 PEs, as in conveyors-2019 (section 5). Each PE sends 128 KiB to PEs drawn at
random: on 8 nodes 512 bytes for each PE. The paper has 256 MiB: on 2,048 nodes 4 KiB for each PE.
As in the paper, the best settings of each kind count.
"""

from expectations import STATEMENT_TOLERANCE
from simulator import Network, Run, found_by

TITLE = "Tensor and simple conveyors"
PER_NODE = 32
BYTES = 1 << 17  # of each PE
NETWORKS = ["aries", "fdr-infiniband", "omni-path"]
BUFFER = 4096
TENSOR = "tensor"
SIMPLE = "simple"
ONE_HOP = {"hops": 1, "buffer": BUFFER}
TWO_HOPS = {"hops": 2, "group": PER_NODE, "buffer": BUFFER}
SETTINGS = {
    TENSOR: [ONE_HOP, TWO_HOPS],
    SIMPLE: [{"kind": SIMPLE, "buffer": 512}, {"kind": SIMPLE, "buffer": BUFFER}],
}
# Cores that handle items in no time.
FREE_CORES = {f"core.{cost}": 0 for cost in ("push", "pivot", "pull", "byte", "miss")}


def traffic(network, nodes, size, settings):
    words = {"items": BYTES // size, "item_bytes": size} | settings
    return Run("traffic", nodes * PER_NODE, PER_NODE, network, words)


def run(simulator, quick, outcome):
    nodes = [1, 2] if quick else [1, 2, 4, 8]
    sizes = [32, 128] if quick else [8, 16, 32, 128]
    most = nodes[-1]
    runs = {
        (name, n, size, kind, i): traffic(Network(name), n, size, settings)
        for name in NETWORKS
        for n in reversed(nodes)
        for size in sizes
        for kind, all_settings in SETTINGS.items()
        for i, settings in enumerate(all_settings)
    }
    found = found_by(simulator, runs)

    def rate(name, n, size, kind):
        """GB a second and node, of the best settings."""
        settings = range(len(SETTINGS[kind]))
        seconds = min(found[name, n, size, kind, i]["seconds"] for i in settings)
        return PER_NODE * BYTES / seconds / 1e9

    for name in NETWORKS:
        outcome.panel(
            name,
            "nodes",
            "GB a second and node",
            {
                f"{kind}, {size} bytes": [[n, rate(name, n, size, kind)] for n in nodes]
                for size in sizes
                for kind in SETTINGS
            },
        )
        claim_faster(outcome, name, nodes, sizes, rate)
    claim_larger_items(outcome, nodes, sizes, rate)
    claim_costs_of_cores(simulator, outcome, most, sizes, found)
    claim_memory(outcome, most, sizes[0], found)
    outcome.claim("poor_scaling", None, f"simulated: up to {most} nodes, without MPI_Alltoallv")


def claim_faster(outcome, name, nodes, sizes, rate):
    gains = {
        (n, size): rate(name, n, size, TENSOR) / rate(name, n, size, SIMPLE)
        for n in nodes
        for size in sizes
    }
    faster = sum(gain > 1 for gain in gains.values())
    outcome.claim(
        name,
        faster > len(gains) / 2,
        f"in {faster} of {len(gains)} cases; on {nodes[-1]} nodes "
        + ", ".join(f"{size} bytes {gains[nodes[-1], size]:.2f}" for size in sizes)
        + " times the bandwidth",
    )


def claim_larger_items(outcome, nodes, sizes, rate):
    small, large = sizes[0], sizes[-1]
    gains = {
        (name, kind, n): rate(name, n, large, kind) / rate(name, n, small, kind)
        for name in NETWORKS
        for kind in SETTINGS
        for n in (nodes[0], nodes[-1])
    }
    outcome.claim(
        "larger_items",
        all(gain > 1 + STATEMENT_TOLERANCE for gain in gains.values()),
        f"bandwidth with {large} bytes beside {small} bytes: "
        + "; ".join(
            f"{name}, {kind}, {n} node{'s'[: n > 1]} {gain:.2f}"
            for (name, kind, n), gain in gains.items()
        ),
    )


def claim_costs_of_cores(simulator, outcome, nodes, sizes, found):
    """The time that small items take longer than large items, with cores and with free cores."""
    ends = (sizes[0], sizes[-1])
    free = found_by(
        simulator,
        {
            (name, size): traffic(Network(name, FREE_CORES), nodes, size, TWO_HOPS)
            for name in NETWORKS
            for size in ends
        },
    )
    shares = {}
    for name in NETWORKS:
        two_hops = SETTINGS[TENSOR].index(TWO_HOPS)
        small, large = (found[name, nodes, size, TENSOR, two_hops]["seconds"] for size in ends)
        free_small, free_large = (free[name, size]["seconds"] for size in ends)
        shares[name] = 1 - (free_small - free_large) / (small - large)
    outcome.claim(
        "cores",
        min(shares.values()) > 0.5,
        f"parts of the additional time of {ends[0]}-byte items, beside {ends[1]}-byte items, on "
        f"{nodes} nodes: " + ", ".join(f"{name} {share:.2f}" for name, share in shares.items()),
    )


def claim_memory(outcome, nodes, size, found):
    one_hop, two_hops = (
        found[NETWORKS[0], nodes, size, kind, SETTINGS[kind].index(settings)]["memory"]
        for kind, settings in ((SIMPLE, SETTINGS[SIMPLE][-1]), (TENSOR, TWO_HOPS))
    )
    outcome.claim("memory", one_hop / two_hops, f"{nodes} nodes, buffers of {BUFFER} bytes")
