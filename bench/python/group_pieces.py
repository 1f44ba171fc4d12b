"""Time and memory of frame.group_by of pieces, with and without a bound.

python bench/python/group_pieces.py [--rows N] [--pes N]
"""

from __future__ import annotations

import argparse
import resource
import tempfile
import time

import boxcar
import numpy as np
import polars as pl

PIECES = 40
AGGREGATIONS = {
    "sum and mean": [pl.col("x").sum().alias("sum"), pl.col("x").mean().alias("mean")],
    "median": [pl.col("x").median().alias("median")],
}


def pieces(world: boxcar.World, rows: int, keys: int):
    random = np.random.default_rng(world.rank)
    count = rows // world.size // PIECES
    for _ in range(PIECES):
        yield pl.DataFrame({"key": random.integers(0, keys, count), "x": random.random(count)})


def peak() -> float:
    """The peak of the memory of this process, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000


def measure(world: boxcar.World, what: str, rows: int, keys: int, memory: str | None):
    for piece in pieces(world, rows // PIECES, keys):
        boxcar.frame.group_by(world, piece, "key", AGGREGATIONS[what])
    before = peak()
    world.barrier()
    start = time.perf_counter()
    results = boxcar.frame.group_by(
        world,
        pieces(world, rows, keys),
        "key",
        AGGREGATIONS[what],
        memory=memory,
        folder=tempfile.gettempdir() if memory else None,
        whole=False,
    )
    groups = sum(len(each) for each in results)
    return time.perf_counter() - start, peak() - before, groups


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=20_000_000)
    parser.add_argument("--pes", type=int, default=2)
    given = parser.parse_args()
    if given.pes < 1:
        parser.error(f"--pes is {given.pes}: give 1 or more")
    if given.rows < PIECES * given.pes:
        parser.error(
            f"--rows is {given.rows}: give {PIECES * given.pes} or more, {PIECES} pieces "
            "for each PE"
        )
    keys = given.rows // 2
    for what in AGGREGATIONS:
        for memory in (None, "200 MB", "50 MB"):
            found = boxcar.run(measure, what, given.rows, keys, memory, pes=given.pes)
            seconds = max(each for each, _, _ in found)
            growth = max(each for _, each, _ in found)
            groups = sum(each for _, _, each in found)
            print(f"{what}, {memory}: {seconds:.1f} s, {growth:.0f} MB on a PE, {groups} groups")


if __name__ == "__main__":
    main()
