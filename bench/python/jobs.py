"""The jobs of compare.py: for each the contenders, which have the same input."""

from __future__ import annotations

import time
from collections.abc import Callable
from types import ModuleType

import boxcar
import data_frames
import numpy as np
from by_hand import ByHand

Contenders = dict[str, Callable[[], object]]

TABLE = 65536  # elements of each PE
GROUPS = 1_000_000
KEY_TYPES = [
    *["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"],
    *["float32", "float64"],
]


class Input:
    """What the jobs of a PE work on, and which of the other libraries are there."""

    def __init__(self, world: boxcar.World, items: int) -> None:
        self.world = world
        self.items = items
        self.missing: dict[str, str] = {}  # of libraries that are not there, the reasons
        self.by_hand: ByHand | None = None
        try:
            self.by_hand = ByHand(world)
        except ImportError as problem:
            self.missing["mpi4py"] = str(problem)
        self.libraries: dict[str, ModuleType] = data_frames.import_libraries(self.missing)

        random = np.random.default_rng(world.rank)
        self.to = random.integers(0, world.size, items)
        self.table = np.arange(TABLE)
        self.indices = random.integers(0, TABLE * world.size, items)
        self.groups = random.integers(0, GROUPS, items)
        self.values = random.integers(0, 100, items)

    def keys(self, key_type: str) -> np.ndarray:
        """Keys of all values that the type has, or of the normal distribution."""
        random = np.random.default_rng(self.world.rank)
        dtype = np.dtype(key_type)
        if dtype.kind == "f":
            return random.standard_normal(self.items).astype(dtype)
        info = np.iinfo(dtype)
        return random.integers(info.min, info.max, self.items, dtype, endpoint=True)

    def of_all(self, mine: np.ndarray) -> np.ndarray:
        return np.concatenate(self.world.all_gather(mine))

    def with_mpi4py(self, job: Callable[[ByHand], object]) -> Contenders:
        by_hand = self.by_hand
        return {} if by_hand is None else {"mpi4py": lambda: job(by_hand)}

    def alone(self, jobs: Contenders) -> Contenders:
        """Jobs of PE 0. The other PEs sleep meanwhile, so that PE 0 has all cores."""

        def run(job: Callable[[], object]) -> None:
            if self.world.rank == 0:
                job()
            end = self.world.barrier_async()
            while not end.test():
                time.sleep(0.001)
            end.wait()

        return {name: lambda job=job: run(job) for name, job in jobs.items()}


# --- Functions of the world -----------------------------------------------------------------------


def exchange(given: Input) -> Contenders:
    items = np.random.default_rng(given.world.rank).integers(0, 1 << 40, given.items)
    return {
        "boxcar": lambda: given.world.exchange(items, given.to),
        **given.with_mpi4py(lambda by_hand: by_hand.exchange(items, given.to)),
    }


def gather(given: Input) -> Contenders:
    return {
        "boxcar": lambda: given.world.gather(given.table, given.indices),
        **given.with_mpi4py(lambda by_hand: by_hand.gather(given.table, given.indices)),
    }


def scatter_add(given: Input) -> Contenders:
    operands = (given.table, given.indices, given.values)
    return {
        "boxcar": lambda: given.world.scatter_add(*operands),
        **given.with_mpi4py(lambda by_hand: by_hand.scatter_add(*operands)),
    }


def sort(given: Input, key_type: str = "int64") -> Contenders:
    keys = given.keys(key_type)
    every_key = given.of_all(keys)
    return {
        "boxcar": lambda: given.world.sort(keys),
        **given.with_mpi4py(lambda by_hand: by_hand.sort(keys)),
        **given.alone({"numpy alone": lambda: np.sort(every_key)}),
    }


def sort_by_key(given: Input) -> Contenders:
    keys = given.keys("int64")
    every_key, every_value = given.of_all(keys), given.of_all(given.values)

    def by_numpy() -> tuple[np.ndarray, np.ndarray]:
        order = np.argsort(every_key)
        return every_key.take(order), every_value.take(order)

    return {
        "boxcar": lambda: given.world.sort_by_key(keys, given.values),
        **given.alone({"numpy alone": by_numpy}),
    }


def group_by_key(given: Input) -> Contenders:
    columns = {"key": given.of_all(given.groups), "value": given.of_all(given.values)}
    return {
        "boxcar": lambda: given.world.group_by_key(given.groups, given.values),
        **given.alone(data_frames.group_by_key(given.libraries, columns)),
    }


def join(given: Input) -> Contenders:
    """Of half of a PE's items with the other half: a key has one partner on average."""
    rows = given.items // 2
    random = np.random.default_rng(given.world.rank)
    bound = max(1, rows * given.world.size)
    left_keys, right_keys = random.integers(0, bound, (2, rows))
    left_values, right_values = given.values[:rows], given.values[rows : 2 * rows]
    left = {"key": given.of_all(left_keys), "left": given.of_all(left_values)}
    right = {"key": given.of_all(right_keys), "right": given.of_all(right_values)}
    return {
        "boxcar": lambda: given.world.join(left_keys, left_values, right_keys, right_values),
        **given.alone(data_frames.join(given.libraries, left, right)),
    }


# --- Distributed arrays and maps, beside functions of the world that do the same -----------------


def array_read(given: Input) -> Contenders:
    array = boxcar.DistributedArray.from_parts(given.world, given.table)
    return {
        "boxcar": lambda: array[given.indices],
        "gather": lambda: given.world.gather(given.table, given.indices),
    }


def array_add(given: Input) -> Contenders:
    array = boxcar.DistributedArray.from_parts(given.world, given.table)
    return {
        "boxcar": lambda: array.add_at(given.indices, given.values),
        "scatter_add": lambda: given.world.scatter_add(given.table, given.indices, given.values),
    }


def map_read(given: Input) -> Contenders:
    array = boxcar.DistributedArray.from_parts(given.world, given.table)
    known = boxcar.DistributedMap(given.world, "i8", "i8")
    known[array.local_indices] = given.table
    return {
        "boxcar": lambda: known[given.indices],
        "gather": lambda: given.world.gather(given.table, given.indices),
    }


def _add_to_new_map(given: Input, numbers: np.ndarray | None) -> None:
    with boxcar.DistributedMap(given.world, "i8", "i8") as counts:
        counts.add(given.groups, numbers)


def map_count(given: Input) -> Contenders:
    return {
        "boxcar": lambda: _add_to_new_map(given, None),
        "value_counts": lambda: given.world.value_counts(given.groups),
    }


def map_sum(given: Input) -> Contenders:
    return {
        "boxcar": lambda: _add_to_new_map(given, given.values),
        "group_by_key": lambda: given.world.group_by_key(given.groups, given.values),
    }


JOBS: dict[str, Callable[[Input], Contenders]] = {
    "exchange": exchange,
    "gather": gather,
    "scatter_add": scatter_add,
    "sort": sort,
    "sort_by_key": sort_by_key,
    "group_by_key": group_by_key,
    "join": join,
    "array_read": array_read,
    "array_add": array_add,
    "map_read": map_read,
    "map_count": map_count,
    "map_sum": map_sum,
    **{f"sort_{name}": lambda given, name=name: sort(given, name) for name in KEY_TYPES},
}
