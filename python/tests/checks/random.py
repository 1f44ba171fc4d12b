"""Checks on random arrays, against NumPy on one process.

Hypothesis draws the same examples on every PE, and each PE takes its share; all PEs agree whether
an example fails, so that they shrink it together.
"""

from __future__ import annotations

from collections.abc import Callable

import boxcar
import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from .support import all_are, of_all, same

NUMBERS = st.sampled_from(["b1", "i1", "u2", "i4", "i8", "u8", "f4", "f8", "S3", ">i4"])
FEW = settings(
    max_examples=25,
    derandomize=True,
    database=None,
    deadline=None,
    suppress_health_check=list(HealthCheck),
)
FEWER = settings(FEW, max_examples=12)


def for_all(
    world, what: st.SearchStrategy, holds: Callable[..., bool], limit: settings = FEW
) -> None:
    """``holds(example, random)`` for examples of ``what``; ``random`` is the same on all PEs."""

    @limit
    @given(what, st.integers(0, 1 << 30))
    def check(example, seed):
        assert all_are(world, holds(example, np.random.default_rng(seed)))

    check()


def _arrays(rows: int = 60) -> st.SearchStrategy[np.ndarray]:
    return NUMBERS.flatmap(lambda kind: hnp.arrays(kind, st.integers(0, rows)))


def share_of(world, array: np.ndarray, random: np.random.Generator) -> np.ndarray:
    """A piece of the array, of any length, also empty."""
    ends = np.sort(random.integers(0, len(array) + 1, world.size - 1))
    return np.split(array, ends)[world.rank]


def check_exchange(world):
    def holds(everything, random):
        to = random.integers(0, world.size, len(everything))
        mine = share_of(world, np.arange(len(everything)), random)
        received = world.exchange(everything[mine], to[mine]).items
        return received.tobytes() == everything[to == world.rank].tobytes()

    for_all(world, _arrays(), holds)


def check_tables(world):
    def holds(everything, random):
        where = random.integers(0, max(len(everything), 1), 20) if len(everything) else []
        for spread in ("blocks", "cyclic", "hash"):
            owned = world.table_indices(len(everything), spread=spread)
            part = everything[owned]
            got = world.gather(part, where, spread=spread)
            if got.tobytes() != everything[np.array(where, int)].tobytes():
                return False
            world.scatter(part, where, got, "put", spread=spread)
            if part.tobytes() != everything[owned].tobytes():
                return False
        return True

    for_all(world, _arrays(), holds)


def check_sort(world):
    def holds(everything, random):
        mine = share_of(world, np.arange(len(everything)), random)
        keys, places = world.sort_by_key(everything[mine], mine)
        order = np.argsort(everything, kind="stable")
        native = everything.astype(everything.dtype.newbyteorder("="))
        return same(of_all(world, places), order) and same(of_all(world, keys), native[order])

    for_all(world, _arrays(), holds)


def check_groups(world):
    def holds(everything, random):
        few = everything % 7 if everything.dtype.kind in "iu" else everything
        mine = share_of(world, few, random)
        keys, counts = world.value_counts(mine, dropna=False)
        unique, wanted = np.unique(few, return_counts=True)
        all_keys = of_all(world, keys)
        order = np.argsort(all_keys, kind="stable")
        return np.array_equal(
            all_keys[order], unique, equal_nan=unique.dtype.kind == "f"
        ) and np.array_equal(of_all(world, counts)[order], wanted)

    for_all(world, _arrays(), holds)


# The operations of a random program for a map, each with keys of all PEs.
PROGRAMS = st.lists(
    st.tuples(
        st.sampled_from(["put", "first", "sum", "max", "add", "erase", "clear"]),
        st.integers(0, 1 << 30),
    ),
    max_size=8,
)
# Few different keys, and all that are special: zero, text that is empty or has zeros within.
MAP_KEYS = st.sampled_from(
    [
        np.array([0, 1, -1, 7, 1 << 62, -(1 << 63)]),
        np.array([0.0, 1.5, -np.inf, np.nan, 1e-300]),
        np.array(["", "a", "ab", "a\0b", "ä", "日本", "x" * 70]),
        np.array([b"", b"\xff", b"\0\1", b"eight by", b"nine byte"]),
    ]
)


def _change(want: dict, how: str, keys: list, values: list[int]) -> None:
    """What an operation does to a dict. NaN is one key, as it is always the same object."""
    for key, value in zip(keys, values):
        if how == "erase":
            want.pop(key, None)
        elif how == "add":
            want[key] = want.get(key, 0) + 1
        elif how == "put" or key not in want:
            want[key] = value
        elif how != "first":
            want[key] = want[key] + value if how == "sum" else max(want[key], value)


def check_maps(world):
    """Random programs, against a dict: each key is given by one PE, so that the order is known."""

    def holds(example, random):
        possible, program = example
        objects = possible.tolist()
        mine = np.flatnonzero(random.integers(0, world.size, len(possible)) == world.rank)
        want: dict = {}
        with boxcar.DistributedMap(world, possible.dtype, "i8") as m:
            for how, seed in program:
                own = np.random.default_rng([seed, world.rank])
                places = own.choice(mine, 12 if len(mine) else 0)
                values = own.integers(0, 100, len(places))
                if how == "clear":
                    m.clear()
                    want.clear()
                    continue
                if how == "erase":
                    m.erase(possible[places])
                elif how == "add":
                    m.add(possible[places])
                else:
                    m.update(possible[places], values, how)
                _change(want, how, [objects[k] for k in places], values.tolist())
            has = np.array([objects[k] in want for k in mine], bool)
            got = m.get(possible[mine], -1).tolist()
            return (
                got == [want.get(objects[k], -1) for k in mine]
                and same(m.contains(possible[mine]), has)
                and len(m) == world.reduce(len(want)) == sum(world.all_gather(m.local_size))
            )

    for_all(world, st.tuples(MAP_KEYS, PROGRAMS), holds, FEWER)


def check_arrays(world):
    def holds(everything, random):
        a = boxcar.DistributedArray.from_parts(
            world,
            share_of(world, everything, random),
            random.choice(["block", "cyclic"]),
        )
        want = everything.astype(everything.dtype.newbyteorder("="))
        for _ in range(3):
            where = random.integers(0, max(len(want), 1), 10) if len(want) else np.empty(0, int)
            values = want[random.permutation(where)]
            want[where] = values
            a[where if world.rank == world.size - 1 else []] = (
                values if world.rank == world.size - 1 else want[:0]
            )
        return a[:].tobytes() == want.tobytes() == a[np.arange(len(want))].tobytes()

    for_all(world, _arrays(), holds, FEWER)
