"""What a node injects in short sessions, on each of the networks.

64 PEs on a node, 8-byte items to PEs drawn at random, few from each PE. So the ends of sessions
weigh much, as they do in short sessions of programs; `largest` has longer sessions.
"""

from injection import NETWORKS, injected, traffic
from simulator import Network, seconds_by

TITLE = "Short sessions: what a node injects, on each network"
# Hops, and bytes of buffers.
WAYS = [(3, 256), (2, 1024)]
# The network with the longest paths, and a variant whose links are never a bottleneck.
LONG_PATHS = "blue-gene-p"
WIDE_LINKS = {"link.gap_per_byte": 0.001}


def run(simulator, quick, outcome):
    few, many = (256, 512) if quick else (256, 1024)
    items = 100 if quick else 1000
    networks = {name: Network(name) for name in NETWORKS}
    networks[f"{LONG_PATHS}, wide links"] = Network(LONG_PATHS, WIDE_LINKS)
    runs = {
        (name, n, way): traffic(network, n, items, *way)
        for n in (few, many)
        for name, network in networks.items()
        for way in WAYS
    }
    seconds = seconds_by(simulator, runs)

    def rate(name, n):
        return injected(n, items, min(seconds[name, n, way] for way in WAYS))

    outcome.panel(
        f"{items} items from each PE",
        "PEs",
        f"GB a second that leave a node, of those with {few} PEs",
        {name: [[n, rate(name, n) / rate(name, few)] for n in (few, many)] for name in networks},
    )
    for name in NETWORKS:
        outcome.claim(
            name,
            1 - rate(name, many) / rate(name, few),
            f"from {few} to {many} PEs; {rate(name, many):.2f} GB a second and node",
        )
    outcome.claim("131072_pes", None, f"simulated: {few} and {many} PEs")
