"""Checks on random arrays, against NumPy on one process.

Hypothesis draws the same examples on every PE, and each PE takes its share; all PEs agree whether
an example fails, so that they shrink it together.
"""

from __future__ import annotations

from collections.abc import Callable

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


def _for_all(world, what: st.SearchStrategy, holds: Callable[..., bool]) -> None:
    """``holds(example, random)`` for examples of ``what``; ``random`` is the same on all PEs."""

    @FEW
    @given(what, st.integers(0, 1 << 30))
    def check(example, seed):
        assert all_are(world, holds(example, np.random.default_rng(seed)))

    check()


def _arrays(rows: int = 60) -> st.SearchStrategy[np.ndarray]:
    return NUMBERS.flatmap(lambda kind: hnp.arrays(kind, st.integers(0, rows)))


def _share(world, array: np.ndarray, random: np.random.Generator) -> np.ndarray:
    """A piece of the array, of any length, also empty."""
    ends = np.sort(random.integers(0, len(array) + 1, world.size - 1))
    return np.split(array, ends)[world.rank]


def check_exchange(world):
    def holds(everything, random):
        to = random.integers(0, world.size, len(everything))
        mine = _share(world, np.arange(len(everything)), random)
        received = world.exchange(everything[mine], to[mine]).items
        return received.tobytes() == everything[to == world.rank].tobytes()

    _for_all(world, _arrays(), holds)


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

    _for_all(world, _arrays(), holds)


def check_sort(world):
    def holds(everything, random):
        mine = _share(world, np.arange(len(everything)), random)
        keys, places = world.sort_by_key(everything[mine], mine)
        order = np.argsort(everything, kind="stable")
        native = everything.astype(everything.dtype.newbyteorder("="))
        return same(of_all(world, places), order) and same(of_all(world, keys), native[order])

    _for_all(world, _arrays(), holds)


def check_groups(world):
    def holds(everything, random):
        few = everything % 7 if everything.dtype.kind in "iu" else everything
        mine = _share(world, few, random)
        keys, counts = world.value_counts(mine, dropna=False)
        unique, wanted = np.unique(few, return_counts=True)
        all_keys = of_all(world, keys)
        order = np.argsort(all_keys, kind="stable")
        return np.array_equal(
            all_keys[order], unique, equal_nan=unique.dtype.kind == "f"
        ) and np.array_equal(of_all(world, counts)[order], wanted)

    _for_all(world, _arrays(), holds)
