"""PHOLD: 40 processes on each PE, bursts of events, windows.

The thesis has about 4 billion events a second on 65,536 PEs, 16 microseconds for each; here dealing
with one takes 10.
"""

from expectations import STATEMENT_TOLERANCE
from simulator import Network, Run, found_by

TITLE = "PHOLD on Blue Gene/Q: gathering events, or sending each by itself"
ALONE = 1
EVENTS_OF_BUFFER = [ALONE, 8, 16, 64]


def run(simulator, quick, outcome):
    pes = 128 if quick else 256
    loads = [4, 16] if quick else [16, 256]
    runs = {
        (load, n): Run(
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
        for load in reversed(loads)
        for n in EVENTS_OF_BUFFER
    }
    rate = {
        key: found["events"] / found["seconds"] / 1e9
        for key, found in found_by(simulator, runs).items()
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
    few, many = loads[0], loads[-1]
    text = f"on {pes} PEs; gains: " + ", ".join(
        f"{load} events {100 * gain[load] - 100:.0f} %" for load in loads
    )
    outcome.claim("few_events", gain[few], text)
    outcome.claim("many_events", gain[many], text)
    outcome.claim("more_events", gain[many] > gain[few], text)
    best = {load: max(EVENTS_OF_BUFFER[1:], key=lambda n: rate[load, n]) for load in loads}
    of_best = [max(rate[load, 8], rate[load, 16]) / rate[load, best[load]] for load in loads]
    outcome.claim(
        "small_buffers",
        min(of_best) >= 1 - STATEMENT_TOLERANCE,
        f"{', '.join(f'{part:.3f}' for part in of_best)} of the rate of the best buffers, "
        "which hold "
        + ", ".join(f"{n} events with {load} for each process" for load, n in best.items()),
    )
