"""Means and variances of groups, of which partial results of several PEs are merged."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from . import _native
from .arrays import Array, raw

_Ids = npt.NDArray[np.uint32]
_Counts = npt.NDArray[np.int64]
_Reals = npt.NDArray[np.float64]
_HALF = 16  # bits
_WORD = 32
_LOW_HALF = (1 << _HALF) - 1
_LOW_WORD = (1 << _WORD) - 1


class Moments(NamedTuple):
    """The number of values of each group, their mean, and the sum of the squares of their
    differences from the mean (M2).

    Source: Chan, Golub and LeVeque, "Updating Formulae and a Pairwise Algorithm for Computing
    Sample Variances", 1979.
    """

    counts: _Counts
    means: _Reals
    squares: _Reals


def moments_of(values: _Reals, ids: _Ids, groups: int) -> Moments:
    """The moments of the values of each group. The variance takes two passes, so that it is exact
    to rounding also where the mean is much larger."""
    ones = np.ones(len(values), np.int64)
    return merged_moments(Moments(ones, values, np.zeros(len(values))), ids, groups)


def merged_moments(partial: Moments, ids: _Ids, groups: int) -> Moments:
    """The moments of groups from those of parts of the groups; ``ids``: the group of each part."""
    some = partial.counts != 0
    if not some.all():
        partial, ids = Moments(*(each[some] for each in partial)), ids[some]
    counts = _sums(partial.counts, ids, groups)
    weights = np.maximum(counts, 1).astype(np.float64)
    # Infinities and NaN give NaN, as in NumPy.
    with np.errstate(invalid="ignore", over="ignore"):
        means = _sums(partial.counts * partial.means, ids, groups) / weights
        differences = partial.means - means[ids]
        weighted = partial.counts * differences
        rest = _sums(weighted, ids, groups)  # 0 but for the rounding of the mean
        squares = _sums(partial.squares + weighted * differences, ids, groups)
        squares = squares - rest * (rest / weights)
        means = np.where(np.isfinite(rest), means + rest / weights, means)
    return Moments(counts, means, np.where(squares < 0, 0, squares))


def means_of(moments: Moments) -> _Reals:
    """NaN for groups without values."""
    return np.where(moments.counts > 0, moments.means, np.nan)


def variances_of(moments: Moments, ddof: int) -> _Reals:
    """M2 / (count - ddof); NaN for groups of no more than ``ddof`` values."""
    divisors = moments.counts - ddof
    return np.where(divisors > 0, moments.squares / np.maximum(divisors, 1), np.nan)


def sums_of_integers(values: _Counts, ids: _Ids, groups: int) -> list[_Counts]:
    """The sum of each group in two parts, which do not overflow: the sum is
    ``high * 2**32 + low``."""
    return [
        _sums(values >> _WORD, ids, groups),
        _sums(values & _LOW_WORD, ids, groups),
    ]


def integer_means(high: _Counts, low: _Counts, counts: _Counts) -> _Counts:
    """(high * 2**32 + low) / counts, rounded down; 0 for groups without values.

    The division goes by digits of 16 bits. Precondition: counts are below 2**47.
    """
    divisors = np.maximum(counts, 1)
    quotient, rest = np.divmod(high + (low >> _WORD), divisors)
    low = low & _LOW_WORD
    for digit in (low >> _HALF, low & _LOW_HALF):
        next_digit, rest = np.divmod((rest << _HALF) + digit, divisors)
        quotient = (quotient << _HALF) + next_digit
    return quotient


def _sums(values: Array, ids: _Ids, groups: int) -> Array:
    """The sum of each group, of numbers of 64 bits."""
    code = f"{values.dtype.kind}8"
    into = np.zeros(groups, values.dtype)
    _native.combine_groups(
        "sum", code, code, raw(np.ascontiguousarray(values)), raw(ids), raw(into)
    )
    return into
