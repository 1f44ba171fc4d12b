"""Messages to every PE, to places that their owner manages, or that are taken by a fetch-add."""

from simulator import Network

TITLE = "Append: exchange of keys between 16 PEs"
SOURCE = "one-sided-append-2014, Figures 2 and 3: more than 5 times below 1 KiB, 1.6 times at 1 KiB"

WAYS = {"push": "push", "fetch_add": "fetch-add and put"}


def run(simulator, quick, outcome):
    sizes = [8, 1024, 65536] if quick else [8 << i for i in range(0, 16)]
    network = Network("hdr-infiniband")
    seconds = simulator.seconds_of("key_exchange", 16, network, WAYS, sizes)
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
    outcome.claim(
        "below 1 KiB a push is 2 to 5 times as fast, or more",
        f"{min(small):.2f} to {max(small):.2f} times",
        min(small) >= 2,
    )
    outcome.claim(
        "at 1 KiB it is at least 1.6 times as fast", f"{ratio(1024):.2f} times", ratio(1024) >= 1.6
    )
    outcome.claim(
        "for the largest messages there is no difference (within 10 %)",
        f"{ratio(sizes[-1]):.3f} times",
        abs(ratio(sizes[-1]) - 1) < 0.1,
    )
