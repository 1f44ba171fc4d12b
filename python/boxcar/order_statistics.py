"""Quantiles and different values of groups, for which all values of a group are on one PE."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from .arrays import Array
from .numbering import Numbering

_Reals = npt.NDArray[np.float64]
_Flags = npt.NDArray[np.bool_]


class SortedValues(NamedTuple):
    """The values of every group in order."""

    values: _Reals
    starts: npt.NDArray[np.int64]
    """Where each group begins in ``values``, and at the end the number of all values."""
    unknown: _Flags
    """The groups whose quantiles are NaN, because a value is missing."""


def sorted_values(values: _Reals, groups: Numbering, chosen: _Flags, skipna: bool) -> SortedValues:
    """The chosen values, which are those that are not missing, in order within each group."""
    unknown = np.zeros(groups.count, bool)
    if not skipna:
        unknown[groups.ids[~chosen]] = True
    values, ids = values[chosen], groups.ids[chosen]
    starts = np.concatenate([[0], np.cumsum(groups.count_some(chosen))])
    return SortedValues(values[np.lexsort((values, ids))], starts, unknown)


def quantiles(of: SortedValues, q: float) -> _Reals:
    """The q-quantile of every group, interpolated between two values linearly, as NumPy does; NaN
    for groups without values."""
    counts = np.diff(of.starts)
    result = np.full(len(counts), np.nan)
    known = np.flatnonzero((counts > 0) & ~of.unknown)
    places = q * (counts[known] - 1)
    below = np.floor(places).astype(np.int64)
    first = of.starts[known] + below
    left = of.values[first]
    right = of.values[np.minimum(first + 1, of.starts[known + 1] - 1)]
    fraction = places - below
    with np.errstate(invalid="ignore", over="ignore"):
        between = left * (1 - fraction) + right * fraction
    result[known] = np.where((fraction == 0) | (left == right), left, between)
    return result


def count_different(values: Array, code: str, groups: Numbering, chosen: _Flags) -> Array:
    """How many different values each group has among the chosen rows."""
    numbers = Numbering(np.ascontiguousarray(values[chosen]), code)
    ids = groups.ids[chosen]
    pairs = ids.astype(np.uint64) * np.uint64(max(numbers.count, 1)) + numbers.ids
    return np.bincount(ids[Numbering(pairs, "u8").firsts], minlength=groups.count)
