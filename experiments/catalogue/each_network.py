"""What a node injects in short sessions, on each of the networks.

64 PEs on a node, 8-byte items to PEs drawn at random, few from each PE. So the ends of sessions
weigh much, as they do in short sessions of programs; `largest` has longer sessions. PES holds the
sizes of the stored figures; 131,072 PEs take three hours of two cores.
"""

from injection import NETWORKS, injected, traffic
from simulator import Network

TITLE = "Short sessions: what a node injects, on each network"
PES = [256, 1024]
GOAL = 131072
# Hops, and bytes of buffers.
THREE_HOPS = (3, 256)
TWO_HOPS = (2, 1024)
# With two hops a PE of 131,072 has more links to other nodes than items.
MOST_OF_TWO_HOPS = 4096
# The network with the longest paths, and a variant whose links are never a bottleneck.
LONG_PATHS = "blue-gene-p"
WIDE_LINKS = {"link.gap_per_byte": 0.001}


def run(simulator, quick, outcome):
    pes = [256, 512] if quick else PES
    items = 100 if quick else 1000
    runs = {
        (name, n, way): traffic(Network(name), n, items, *way)
        for n in pes
        for name in NETWORKS
        for way in (THREE_HOPS, TWO_HOPS)
        if way == THREE_HOPS or n <= MOST_OF_TWO_HOPS
    }
    with_wide_links = f"{LONG_PATHS}, wide links"
    for name, n, way in list(runs):
        if name == LONG_PATHS:
            network = Network(name, WIDE_LINKS)
            runs[with_wide_links, n, way] = traffic(network, n, items, *way)
    found = dict(zip(runs, simulator.all(runs.values())))

    def rate(name, n):
        best = min(one["seconds"] for key, one in found.items() if key[:2] == (name, n))
        return injected(n, items, best)

    def lost(name, n):
        return 1 - rate(name, pes[-1]) / rate(name, n)

    names = [*NETWORKS, with_wide_links]
    outcome.panel(
        f"{items} items from each PE",
        "PEs",
        f"GB a second that leave a node, of those with {pes[0]} PEs",
        {name: [[n, rate(name, n) / rate(name, pes[0])] for n in pes] for name in names},
    )
    for name in NETWORKS:
        outcome.claim(
            name,
            [lost(name, n) for n in pes[:-1]],
            f"from {' and '.join(map(str, pes[:-1]))} to {pes[-1]} PEs; "
            f"{rate(name, pes[-1]):.2f} GB a second and node",
        )
    is_large = pes[-1] >= GOAL
    losses = [lost(name, n) for name in NETWORKS for n in pes[:-1]] if is_large else None
    outcome.claim("131072_pes", losses, f"simulated: {', '.join(map(str, pes))} PEs")
