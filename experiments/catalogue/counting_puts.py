"""A put that counts when its data are there, and a put with a flag behind it."""

from simulator import Network

TITLE = "Counting puts: half a round trip between two nodes"
SOURCE = "counting-puts-2014, the slides on ping-pong: half the latency for small messages"

WAYS = {
    "counting": "counting put",
    "flag": "put, fence, flag",
    "flush": "put, wait for its end, flag",
}


def run(simulator, quick, outcome):
    sizes = [8, 65536] if quick else [8 << i for i in range(0, 14)]
    network = Network("hdr-infiniband")
    seconds = simulator.seconds_of("ping_pong", 2, network, WAYS, sizes)
    outcome.panel(
        "",
        "bytes",
        "microseconds",
        {WAYS[way]: [[b, 1e6 * seconds[way, b]] for b in sizes] for way in WAYS},
        logarithmic=("x", "y"),
    )

    def ratio(bytes, way):
        return seconds[way, bytes] / seconds["counting", bytes]

    outcome.claim(
        "for 8 bytes at least 1.8 times as fast as a put whose end is waited for before the flag",
        f"{ratio(8, 'flush'):.2f} times",
        ratio(8, "flush") >= 1.8,
    )
    outcome.claim(
        "for 8 bytes at least 1.8 times as fast as put, fence and flag",
        f"{ratio(8, 'flag'):.2f} times",
        ratio(8, "flag") >= 1.8,
    )
    outcome.claim(
        "for the largest message no difference (within 10 %) to put, fence and flag",
        f"{ratio(sizes[-1], 'flag'):.3f} times",
        abs(ratio(sizes[-1], "flag") - 1) < 0.1,
    )
