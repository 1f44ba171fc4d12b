"""The rate of items, and the bandwidth, by the size of an item and of a buffer."""

from simulator import Network, Run

TITLE = "Size of an item, size of a buffer"
SOURCE = (
    "conveyors-2019, Figure 5 (larger items get more of the bandwidth); tram-thesis-2014, section "
    "2.3 (messages of 16 to 32 KB come close to all of it)"
)
PES, PER_NODE = 256, 16
BYTES = 1 << 19  # of each PE


def run(simulator, quick, outcome):
    sizes = [8, 64] if quick else [8, 16, 32, 64, 128, 512]
    buffers = [512, 4096, 16384] if quick else [1 << i for i in range(9, 16)]
    pes = 64 if quick else PES
    keys = [(size, buffer) for size in sizes for buffer in buffers if buffer >= size]
    runs = [
        Run(
            "traffic",
            pes,
            PER_NODE,
            Network("hdr-infiniband"),
            {
                "items": BYTES // size,
                "item_bytes": size,
                "hops": 2,
                "group": PER_NODE,
                "buffer": buffer,
            },
        )
        for size, buffer in keys
    ]
    rate = {
        key: PER_NODE * BYTES / found["seconds"] / 1e9
        for key, found in zip(keys, simulator.all(runs))
    }
    outcome.panel(
        f"{pes} PEs, {PER_NODE} on a node",
        "bytes of a buffer",
        "GB a second and node",
        {
            f"{size}-byte items": [[b, rate[size, b]] for b in buffers if b >= size]
            for size in sizes
        },
    )
    best = {size: max(rate[size, b] for b in buffers if b >= size) for size in sizes}
    of_paper = [size for size in sizes if size <= 128]
    outcome.claim(
        "larger items, of 8 to 128 bytes, get more of the bandwidth",
        ", ".join(f"{size} B: {best[size]:.1f} GB/s" for size in of_paper),
        all(best[a] <= best[b] for a, b in zip(of_paper, of_paper[1:])),
    )
    share = max(best.values()) / 25
    outcome.claim(
        "they come close to what the adapter carries (25 GB/s): at least 0.8 of it",
        f"{share:.2f}",
        share >= 0.8,
    )
    small = {size: max((b for b in buffers if b >= size), key=lambda b: rate[size, b]) for size in sizes}
    outcome.claim(
        "buffers of 2 to 32 KiB are the best",
        ", ".join(f"{size} B: {b}" for size, b in small.items()),
        all(2048 <= b <= 32768 for b in small.values()),
    )
