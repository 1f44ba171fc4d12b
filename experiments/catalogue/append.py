"""Messages to every PE, to places that their owner manages, or that are taken by a fetch-add."""

from expectations import STATEMENT_TOLERANCE
from simulator import Network, seconds_of

TITLE = "Append: exchange of keys between 16 PEs"

WAYS = {"push": "push", "fetch_add": "fetch-add and put"}


def run(simulator, quick, outcome):
    sizes = [8, 1024, 65536] if quick else [8 << i for i in range(0, 16)]
    network = Network("hdr-infiniband")
    seconds = seconds_of(simulator, "key_exchange", 16, network, WAYS, sizes)
    outcome.panel(
        "",
        "bytes of a message",
        "GB a second and PE",
        {
            WAYS[way]: [[b, 16 * b / seconds[way, b] / 1e9] for b in sizes]
            for way in WAYS
        },
        logarithmic=("x", "y"),
    )

    def ratio(bytes):
        return seconds["fetch_add", bytes] / seconds["push", bytes]

    small = [ratio(b) for b in sizes if b < 1024]
    outcome.claim("below_1_kb", min(small), f"{min(small):.2f} to {max(small):.2f} times")
    outcome.claim("at_1_kb", ratio(1024))
    largest = ratio(sizes[-1])
    outcome.claim(
        "largest",
        largest < 1 + STATEMENT_TOLERANCE,
        f"{largest:.3f} times with {sizes[-1]} bytes",
    )
