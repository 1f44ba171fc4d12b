"""Boxcar's functions on arrays, in turns with the same jobs by hand-written NumPy and mpi4py.

    mpirun -n 2 python bench/python/compare.py [--items N] [--rounds N] [--json FILE] [NAME]...

Every round runs all contenders of a job, one after another, each from a barrier to a barrier, and
every second round in the opposite order. The medians of the rounds are printed by the first
process. Needs mpi4py; pandas for group_by_key. reference.cpp does the same jobs in C++.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable
from statistics import median

import boxcar
import numpy as np

Contenders = dict[str, Callable[[], object]]


class ByHand:
    """A program by hand, with NumPy and mpi4py."""

    def __init__(self) -> None:
        from mpi4py import MPI

        self.comm = MPI.COMM_WORLD

    def exchange(self, items: np.ndarray, to: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        order = np.argsort(to, kind="stable")
        counts = np.bincount(to, minlength=self.comm.size)
        return self.exchange_grouped(items[order], counts), order

    def exchange_grouped(self, items: np.ndarray, counts: np.ndarray) -> np.ndarray:
        arriving = np.empty(self.comm.size, counts.dtype)
        self.comm.Alltoall(counts, arriving)
        self.arriving = arriving
        received = np.empty(arriving.sum(), items.dtype)
        self.comm.Alltoallv((items, counts), (received, arriving))
        return received

    def gather(self, table: np.ndarray, indices: np.ndarray) -> np.ndarray:
        to, slots = np.divmod(indices, len(table))
        asked, order = self.exchange(slots, to)
        answers = self.exchange_grouped(table[asked], self.arriving)
        result = np.empty(len(indices), table.dtype)
        result[order] = answers
        return result

    def scatter_add(self, table: np.ndarray, indices: np.ndarray, values: np.ndarray) -> None:
        to, slots = np.divmod(indices, len(table))
        arrived, order = self.exchange(slots, to)
        counts = np.bincount(to, minlength=self.comm.size)
        np.add.at(table, arrived, self.exchange_grouped(values[order], counts))

    def sort(self, keys: np.ndarray) -> np.ndarray:
        mine = np.sort(keys)
        samples = np.concatenate(self.comm.allgather(mine[:: max(1, len(mine) // 1000)]))
        samples.sort()
        places = np.arange(1, self.comm.size) * len(samples) // self.comm.size
        ends = np.searchsorted(mine, samples[places])
        received = self.exchange_grouped(mine, np.diff([0, *ends, len(mine)]))
        received.sort(kind="stable")
        return received


def jobs(world: boxcar.World, n: int) -> dict[str, Contenders]:
    by_hand = ByHand()
    random = np.random.default_rng(world.rank)
    items = random.integers(0, 1 << 40, n)
    to = random.integers(0, world.size, n)
    table = np.arange(65536)
    indices = random.integers(0, 65536 * world.size, n)
    keys = random.integers(-(1 << 62), 1 << 62, n)
    groups = random.integers(0, 1_000_000, n)
    values = random.integers(0, 100, n)

    def alone(function: Callable[[], object]) -> Callable[[], object]:
        return lambda: function() if world.rank == 0 else None

    every_key = np.concatenate(world.all_gather(keys))
    contenders: dict[str, Contenders] = {
        "exchange": {
            "boxcar": lambda: world.exchange(items, to),
            "mpi4py": lambda: by_hand.exchange(items, to),
        },
        "gather": {
            "boxcar": lambda: world.gather(table, indices),
            "mpi4py": lambda: by_hand.gather(table, indices),
        },
        "scatter_add": {
            "boxcar": lambda: world.scatter_add(table, indices, values),
            "mpi4py": lambda: by_hand.scatter_add(table, indices, values),
        },
        "sort": {
            "boxcar": lambda: world.sort(keys),
            "mpi4py": lambda: by_hand.sort(keys),
            "numpy alone": alone(lambda: np.sort(every_key)),
        },
        "group_by_key": {"boxcar": lambda: world.group_by_key(groups, values)},
    }
    contenders.update(jobs_of_containers(world, table, indices, groups, values))
    try:
        import pandas as pd
    except ImportError:
        return contenders
    frame = pd.DataFrame(
        {
            "key": np.concatenate(world.all_gather(groups)),
            "value": np.concatenate(world.all_gather(values)),
        }
    )
    contenders["group_by_key"]["pandas alone"] = alone(
        lambda: frame.groupby("key", sort=False)["value"].sum()
    )
    return contenders


def jobs_of_containers(
    world: boxcar.World,
    table: np.ndarray,
    indices: np.ndarray,
    groups: np.ndarray,
    values: np.ndarray,
) -> dict[str, Contenders]:
    """Distributed arrays and maps, in turns with functions of the world that do the same."""
    array = boxcar.DistributedArray.from_parts(world, table)
    known = boxcar.DistributedMap(world, "i8", "i8")
    known[array.local_indices] = table

    def new_map(numbers: np.ndarray | None) -> None:
        with boxcar.DistributedMap(world, "i8", "i8") as counts:
            counts.add(groups, numbers)

    gather = {"gather": lambda: world.gather(table, indices)}
    return {
        "array_read": {"boxcar": lambda: array[indices], **gather},
        "array_add": {
            "boxcar": lambda: array.add_at(indices, values),
            "scatter_add": lambda: world.scatter_add(table, indices, values),
        },
        "map_read": {"boxcar": lambda: known[indices], **gather},
        "map_count": {
            "boxcar": lambda: new_map(None),
            "value_counts": lambda: world.value_counts(groups),
        },
        "map_sum": {
            "boxcar": lambda: new_map(values),
            "group_by_key": lambda: world.group_by_key(groups, values),
        },
    }


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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help="which jobs; all, unless given")
    parser.add_argument("--items", type=int, default=10_000_000, help="of each PE")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--json", help="write the results to this file")
    options = parser.parse_args()

    world = boxcar.world()
    results = {}
    for job, contenders in jobs(world, options.items).items():
        if options.names and job not in options.names:
            continue
        results[job] = seconds = measure(world, contenders, options.rounds)
        if world.rank == 0:
            others = "   ".join(
                f"{name} {each * 1e3:.0f} ms, {each / seconds['boxcar']:.2f} x"
                for name, each in seconds.items()
                if name != "boxcar"
            )
            rate = options.items / seconds["boxcar"] / 1e6
            boxcar_took = f"{seconds['boxcar'] * 1e3:.0f} ms, {rate:.0f} M items/s/PE"
            print(f"{job:13} boxcar {boxcar_took}   {others}", flush=True)
    if world.rank == 0 and options.json:
        with open(options.json, "w") as file:
            json.dump({"pes": world.size, "items": options.items, "seconds": results}, file)


if __name__ == "__main__":
    main()
