"""Boxcar's functions on arrays, in turns with the same jobs by NumPy, mpi4py, pandas and polars.

    mpirun -n 2 python bench/python/compare.py [--items N] [--rounds N] [--json FILE] [NAME]...
    boxcar run -n 2 -- python bench/python/compare.py ...     without mpi4py

Every round runs all contenders of a job, one after another, each from a barrier to a barrier, and
every second round in the opposite order. The medians of the rounds are printed by the first
process. Libraries that are not there are left out, and named. sort_int8 to sort_float64 sort keys
of other types. reference.cpp does some of the jobs in C++.
"""

from __future__ import annotations

import argparse
import json
import time
from statistics import median

import boxcar
from jobs import JOBS, KEY_TYPES, Contenders, Input

USUAL = [name for name in JOBS if name not in {f"sort_{each}" for each in KEY_TYPES}]


def measure(world: boxcar.World, contenders: Contenders, rounds: int) -> dict[str, float]:
    times: dict[str, list[float]] = {name: [] for name in contenders}
    for number in range(rounds + 1):
        order = list(contenders.items())
        for name, run in order if number % 2 else order[::-1]:
            world.barrier()
            start = time.perf_counter()
            run()
            world.barrier()
            times[name].append(time.perf_counter() - start)
    return {name: median(each[1:]) for name, each in times.items()}  # the first warms up


def line_of(job: str, seconds: dict[str, float], items: int) -> str:
    others = "   ".join(
        f"{name} {each * 1e3:.0f} ms, {each / seconds['boxcar']:.2f} x"
        for name, each in seconds.items()
        if name != "boxcar"
    )
    rate = items / seconds["boxcar"] / 1e6
    boxcar_took = f"{seconds['boxcar'] * 1e3:.0f} ms, {rate:.0f} M items/s/PE"
    return f"{job:13} boxcar {boxcar_took}   {others}"


def positive(text: str) -> int:
    number = int(text) if text.isdecimal() else 0
    if number == 0:
        raise argparse.ArgumentTypeError(f"{text!r} is no number of 1 or more: give one")
    return number


def options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"{', '.join(USUAL)} (all)")
    parser.add_argument("--items", type=positive, default=10_000_000, help="of each PE")
    parser.add_argument("--rounds", type=positive, default=5)
    parser.add_argument("--json", help="write the results to this file")
    wanted = parser.parse_args()
    for name in wanted.names:
        if name not in JOBS:
            parser.error(f"there is no job {name!r}: give some of {', '.join(JOBS)}")
    return wanted


def main() -> None:
    wanted = options()
    world = boxcar.world()
    given = Input(world, wanted.items)
    if world.rank == 0:
        for problem in given.missing.values():
            print(f"left out: {problem}", flush=True)
    results = {}
    for job in wanted.names or USUAL:
        results[job] = measure(world, JOBS[job](given), wanted.rounds)
        if world.rank == 0:
            print(line_of(job, results[job], wanted.items), flush=True)
    if world.rank == 0 and wanted.json:
        document = {
            "pes": world.size,
            "items": wanted.items,
            "seconds": results,
            "missing": given.missing,
        }
        with open(wanted.json, "w") as file:
            json.dump(document, file)


if __name__ == "__main__":
    main()
