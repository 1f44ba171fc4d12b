"""Numbers for the different keys of an array, by which the values of equal keys are combined."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from . import _native
from .arrays import Array, code_of, raw

if TYPE_CHECKING:
    from .world import World

# Keys are combined before they travel unless most of the first `_PROBED` keys are different.
_PROBED = 1 << 16
_MOSTLY_DIFFERENT = 0.8
# The place of a missing row.
NOBODY = -1


class Groups(NamedTuple):
    """The values of every group."""

    values: Array
    """Those of the first group, those of the second, and so on. Within a group they are in the
    order of the PEs that they came from, and of their places there."""
    starts: npt.NDArray[np.int64]
    """Where each group begins in ``values``, and at the end the number of all values."""

    def __getitem__(self, group: int) -> Array:  # type: ignore[override]
        """The values of one group."""
        return self.values[self.starts[group] : self.starts[group + 1]]

    def in_order(self, order: npt.NDArray[np.int64]) -> Groups:
        """The groups in another order."""
        counts = np.diff(self.starts)[order]
        starts = np.concatenate([[0], np.cumsum(counts)])
        rows = np.repeat(self.starts[:-1][order] - starts[:-1], counts) + np.arange(starts[-1])
        return Groups(self.values[rows], starts)


def owners_of(world: World, keys: Array, code: str) -> npt.NDArray[np.int32]:
    """The PE that each key belongs to."""
    to = np.empty(len(keys), np.int32)
    _native.spread_keys(code, raw(keys), keys.dtype.itemsize, world.size, raw(to))
    return to


class Numbering:
    """A number for every different key of an array, in the order in which they first come."""

    def __init__(self, keys: Array, code: str) -> None:
        self._index = _native.KeyIndex(code, keys.dtype.itemsize)
        self.ids = np.empty(len(keys), np.uint32)
        self._index.add(raw(keys), raw(self.ids))
        self.count = self._index.size()
        self.firsts = np.empty(self.count, np.int64)
        self._index.firsts(raw(self.firsts))

    def find(self, keys: Array) -> npt.NDArray[np.uint32]:
        """The numbers of other keys; the largest of its type for those that are not there."""
        ids = np.empty(len(keys), np.uint32)
        self._index.find(raw(keys), raw(ids))
        return ids

    def counts(self) -> npt.NDArray[np.int64]:
        counts = np.zeros(self.count, np.int64)
        _native.count_groups(raw(self.ids), raw(counts))
        return counts

    def combine(self, how: str, values: Array) -> Array:
        """One row for each number: the combination of all values of it."""
        if how == "first":
            return values[self.firsts]
        if how in ("sum", "xor"):
            into = np.zeros(
                self.count, dtype_of_sum(values.dtype) if how == "sum" else values.dtype
            )
        else:
            into = values[self.firsts]
        _native.combine_groups(
            how, code_of(values.dtype), code_of(into.dtype), raw(values), raw(self.ids), raw(into)
        )
        return into

    def count_some(self, chosen: npt.NDArray[np.bool_]) -> npt.NDArray[np.int64]:
        """How many of the chosen rows have each number."""
        counts = np.zeros(self.count, np.int64)
        _native.count_groups(raw(self.ids[chosen]), raw(counts))
        return counts

    def first_of(self, chosen: npt.NDArray[np.bool_]) -> npt.NDArray[np.int64]:
        """The first place of each number among the chosen rows; NOBODY if it has none."""
        places = np.full(self.count, NOBODY)
        rows = np.flatnonzero(chosen)[::-1]
        places[self.ids[rows]] = rows  # NumPy assigns in order: the last assignment stays
        return places

    def last_of(self, chosen: npt.NDArray[np.bool_]) -> npt.NDArray[np.int64]:
        """The last place of each number among the chosen rows; NOBODY if it has none."""
        places = np.full(self.count, NOBODY)
        rows = np.flatnonzero(chosen)
        places[self.ids[rows]] = rows
        return places

    def arrays(self, values: Array) -> Groups:
        order = np.empty(len(self.ids), np.int64)
        starts = np.empty(self.count + 1, np.int64)
        _native.order_groups(raw(self.ids), raw(order), raw(starts))
        return Groups(values[order], starts)


def dtype_of_sum(dtype: np.dtype[Any]) -> np.dtype[Any]:
    if dtype.kind in "bi":
        return np.dtype(np.int64)
    return np.dtype(np.uint64) if dtype.kind == "u" else dtype


def is_worth_combining(keys: Array, code: str) -> bool:
    """Whether many of the keys are equal, so that fewer travel if their values are combined."""
    probed = keys[:_PROBED]
    return len(probed) > 0 and Numbering(probed, code).count < _MOSTLY_DIFFERENT * len(probed)
