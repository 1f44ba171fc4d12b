"""Targets of short sessions: of one item, and of a thousand messages of a stream."""

from part import Part
from report import rate
from target import Target

MICROSECOND = 1e-6
SUBSTRATES = ["threads", "processes"]
LINE = "session --pes 2 --substrate threads,processes --baselines none"


def parts(_):
    return [session(), short_streams(), streams_of_arrays()]


def _microseconds(name, substrate):
    return lambda r: r.find(name, substrate=substrate)["median_seconds"] / MICROSECOND


def session():
    return Part("session", lambda run: run.bench(LINE, items=1, quick_items=1),
                [Target(f"session of 1 item, 2 {s}, begin to reset", 20, "us",
                        _microseconds("conveyor", s), at_most=True) for s in SUBSTRATES])


def short_streams():
    return Part("short_streams", lambda run: run.bench(LINE, rounds=9, items=1000),
                [Target(f"session of 1000 messages, 2 {s}, {name}", 10, "us",
                        _microseconds(name, s), at_most=True)
                 for s in SUBSTRATES for name in ["stream", "stream_arrays"]])


def streams_of_arrays():
    return Part("streams_of_arrays", lambda run: run.bench(LINE, rounds=9, items=1_000_000),
                [Target(f"stream of arrays, 2 {s}, rate against fixed items", 70, "%",
                        lambda r, s=s: 100 * rate(r.find("stream_arrays", substrate=s)) / rate(
                            r.find("stream", substrate=s))) for s in SUBSTRATES])
