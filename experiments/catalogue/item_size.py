"""The rate of items, and the bandwidth, by the size of an item and of a buffer."""

from simulator import Network, Run, seconds_by

TITLE = "Size of an item, size of a buffer"
PES, PER_NODE = 256, 16
BYTES = 1 << 18  # of each PE
# The thesis calls a network saturated that reaches this part of the best rate (section 2.3.1).
SATURATION = 0.75


def run(simulator, quick, outcome):
    sizes = [8, 64] if quick else [8, 16, 32, 64, 128, 512]
    buffers = [512, 4096, 16384] if quick else [512, 2048, 4096, 16384, 32768]
    pes = 64 if quick else PES
    runs = {
        (size, buffer): Run(
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
        for size in sizes
        for buffer in buffers
        if buffer >= size
    }
    rate = {
        key: PER_NODE * BYTES / seconds / 1e9
        for key, seconds in seconds_by(simulator, runs).items()
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
        "larger_items",
        all(best[a] <= best[b] for a, b in zip(of_paper, of_paper[1:])),
        ", ".join(f"{size} bytes {best[size]:.1f} GB/s" for size in of_paper),
    )
    outcome.claim(
        "saturation",
        all(rate[size, 16384] / best[size] >= SATURATION for size in sizes),
        "buffers of 16 KiB, of the rate with the best buffers: "
        + ", ".join(f"{size} bytes {rate[size, 16384] / best[size]:.2f}" for size in sizes),
    )
