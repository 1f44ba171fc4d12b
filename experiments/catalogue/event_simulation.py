"""PHOLD: 40 processes on each PE, bursts of events, windows.

The thesis has about 4 billion events a second on 65,536 PEs, 16 microseconds for each; here dealing
with one takes 10.
"""

from simulator import Network, Run

TITLE = "PHOLD on Blue Gene/Q: gathering events, or sending each by itself"
SOURCE = (
    "tram-thesis-2014, section 7.1.3, Figure 7.3: little gain with 16 events for each process, 40 % "
    "with many; the best buffers are of 8 to 16 events"
)
ALONE = 1
EVENTS_OF_BUFFER = [ALONE, 4, 8, 16, 64, 256]


def run(simulator, quick, outcome):
    pes = 256 if quick else 2048
    loads = [4, 16] if quick else [16, 64]
    keys = [(load, n) for load in reversed(loads) for n in EVENTS_OF_BUFFER]
    runs = [
        Run(
            "events",
            pes,
            64,
            Network("blue-gene-q"),
            # An event takes 20 bytes of a buffer, 16 on the last hop.
            {
                "events": load,
                "event_ns": 10_000,
                "windows": 2,
                "buffer": 20 * n,
                "dimensions": 1 if n == ALONE else 3,
            },
        )
        for load, n in keys
    ]
    rate = {
        key: found["events"] / found["seconds"] / 1e9
        for key, found in zip(keys, simulator.all(runs))
    }
    outcome.panel(
        f"{pes} PEs, 64 on a node; 1: each event by itself, directly",
        "events of a buffer",
        "billion events a second",
        {
            f"{load} events of a process": [[n, rate[load, n]] for n in EVENTS_OF_BUFFER]
            for load in loads
        },
        logarithmic=("x",),
    )
    gain = {load: max(rate[load, n] for n in EVENTS_OF_BUFFER[1:]) / rate[load, ALONE] for load in loads}
    few, many = loads
    outcome.claim(
        f"with {many} events of a process gathering is faster by 40 % or more",
        f"{100 * gain[many] - 100:.0f} %",
        gain[many] >= 1.4,
    )
    outcome.claim(
        f"with {few} it gains less than with {many}",
        f"{100 * gain[few] - 100:.0f} % and {100 * gain[many] - 100:.0f} %",
        gain[few] < gain[many],
    )
    best = {load: max(EVENTS_OF_BUFFER[1:], key=lambda n: rate[load, n]) for load in loads}
    outcome.claim(
        "small buffers, of 8 to 16 events, are the best, or within 5 % of it",
        ", ".join(f"{load}: {n} events" for load, n in best.items()),
        all(max(rate[load, 8], rate[load, 16]) >= 0.95 * rate[load, best[load]] for load in loads),
    )
