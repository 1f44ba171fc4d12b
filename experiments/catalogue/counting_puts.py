"""A put that counts when its data are there, and a put with a flag behind it."""

from expectations import STATEMENT_TOLERANCE
from simulator import Network, seconds_of

TITLE = "Counting puts: half a round trip between two nodes"

WAYS = {
    "counting": "counting put",
    "flag": "put, fence, flag",
    "flush": "put, wait for its end, flag",
}


def run(simulator, quick, outcome):
    sizes = [8, 65536] if quick else [8 << i for i in range(0, 14)]
    network = Network("hdr-infiniband")
    seconds = seconds_of(simulator, "ping_pong", 2, network, WAYS, sizes)
    outcome.panel(
        "",
        "bytes",
        "microseconds",
        {WAYS[way]: [[b, 1e6 * seconds[way, b]] for b in sizes] for way in WAYS},
        logarithmic=("x", "y"),
    )

    def ratio(bytes, way):
        return seconds[way, bytes] / seconds["counting", bytes]

    outcome.claim("small_flag", ratio(8, "flag"), "8 bytes")
    outcome.claim("small_flush", ratio(8, "flush"), "8 bytes")
    largest = ratio(sizes[-1], "flag")
    outcome.claim(
        "largest",
        largest < 1 + STATEMENT_TOLERANCE,
        f"{largest:.3f} times with {sizes[-1]} bytes",
    )
