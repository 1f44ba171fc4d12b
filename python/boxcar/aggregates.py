"""The functions that ``group_by_key`` computes of the values of a group.

An aggregate turns the rows of one PE into a state for each group, as a list of arrays with a row
for each group. States travel, and states of equal keys are merged. The states of some aggregates
are too large to travel: the rows themselves travel instead, and the states are made where the
groups end.
"""

from __future__ import annotations

from typing import Any, ClassVar, NamedTuple

import numpy as np
import numpy.typing as npt

from . import moments, order_statistics
from .arrays import Array
from .keys import keys_and_type
from .numbering import NOBODY, Numbering, dtype_of_sum

_Flags = npt.NDArray[np.bool_]


class Options(NamedTuple):
    """The options of ``group_by_key`` that concern values."""

    skipna: bool
    ddof: int
    q: float | list[float]


class Aggregate:
    """One function, or several functions of the same state, of one column of values."""

    merges: ClassVar[bool] = True
    """Whether states are small, and can be merged."""

    def __init__(self, how: str, dtype: np.dtype[Any], options: Options) -> None:
        self._how = how
        self._dtype = dtype
        self._options = options
        self.needs_values = True

    def state(self, values: Array, groups: Numbering) -> list[Any]:
        raise NotImplementedError

    def merged(self, states: list[Array], groups: Numbering) -> list[Array]:
        """The states of groups from arrived states; ``groups`` numbers the arrived keys."""
        return self.state(states[0], groups)

    def result(self, how: str, state: list[Any]) -> Any:
        return state[0]

    def _chosen(self, values: Array) -> _Flags:
        """The rows that count: all, or those that are not missing, if these are skipped."""
        if self._options.skipna and can_be_missing(values):
            return ~_are_missing(values)
        return np.ones(len(values), bool)


def can_be_missing(values: Array) -> bool:
    """Whether the values are numbers or times that have a NaN or NaT."""
    return values.ndim == 1 and values.dtype.kind in "fcmM"


def _are_missing(values: Array) -> _Flags:
    """Whether each value is NaN or NaT."""
    if not can_be_missing(values):
        return np.zeros(len(values), bool)
    return np.isnat(values) if values.dtype.kind in "mM" else np.isnan(values)


class _Counts(Aggregate):
    def __init__(self, how: str, dtype: np.dtype[Any], options: Options) -> None:
        super().__init__(how, dtype, options)
        self.needs_values = options.skipna and dtype.kind in "fcmM"

    def state(self, values: Array, groups: Numbering) -> list[Array]:
        if not self.needs_values:
            return [groups.counts()]
        return [groups.count_some(self._chosen(values))]

    def merged(self, states: list[Array], groups: Numbering) -> list[Array]:
        return [groups.combine("sum", states[0])]


class _Sums(Aggregate):
    """Real and complex numbers of 32 bits are added in 64 bits: a sum of many of them has more
    digits than one of them, and in 32 bits would stop to grow."""

    def state(self, values: Array, groups: Numbering) -> list[Array]:
        if self._options.skipna and can_be_missing(values):
            values = np.where(_are_missing(values), values.dtype.type(0), values)
        wide = {np.dtype("f4"): np.float64, np.dtype("c8"): np.complex128}.get(values.dtype)
        return [groups.combine("sum", values if wide is None else values.astype(wide))]

    def merged(self, states: list[Array], groups: Numbering) -> list[Array]:
        return [groups.combine("sum", states[0])]  # a sum that is NaN counts

    def result(self, how: str, state: list[Array]) -> Array:
        with np.errstate(over="ignore"):
            return state[0].astype(dtype_of_sum(self._dtype), copy=False)


class _SumsOfDurations(Aggregate):
    def state(self, values: Array, groups: Numbering) -> list[Array]:
        missing = _are_missing(values)
        sums = groups.combine("sum", np.where(missing, 0, values.view(np.int64)))
        if not self._options.skipna:
            sums[groups.ids[missing]] = np.iinfo(np.int64).min  # NaT
        return [sums.view(self._dtype)]


class _Combined(Aggregate):
    """A native operation without a rule for missing values: of integers, or with NaN as NumPy."""

    def state(self, values: Array, groups: Numbering) -> list[Array]:
        return [groups.combine(self._how, values)]


class _Extremes(Aggregate):
    """The minimum or maximum of floating-point numbers that are not NaN."""

    def state(self, values: Array, groups: Numbering) -> list[Array]:
        chosen = self._chosen(values)
        last = values.dtype.type(np.inf if self._how == "min" else -np.inf)
        result = groups.combine(self._how, np.where(chosen, values, last))
        has_some = np.zeros(groups.count, bool)
        has_some[groups.ids[chosen]] = True
        result[~has_some] = np.nan
        return [result]


class _ExtremesOfTimes(Aggregate):
    """The minimum or maximum of times as integers. NaT is the smallest integer. Times less 1 wrap
    around, so that NaT is the largest integer."""

    def state(self, values: Array, groups: Numbering) -> list[Array]:
        shift = int((self._how == "min") == self._options.skipna)
        result = groups.combine(self._how, values.view(np.int64) - shift) + shift
        return [result.view(self._dtype)]


class _Ends(Aggregate):
    """The first or the last row."""

    def state(self, values: Array, groups: Numbering) -> list[Array]:
        if self._how == "first" and not (self._options.skipna and can_be_missing(values)):
            return [groups.combine("first", values)]
        chosen = self._chosen(values)
        places = (groups.first_of if self._how == "first" else groups.last_of)(chosen)
        result = values[places]
        if (places == NOBODY).any():
            result[places == NOBODY] = np.nan if values.dtype.kind in "fc" else "NaT"
        return [result]


class _Moments(Aggregate):
    def state(self, values: Array, groups: Numbering) -> list[Array]:
        chosen = self._chosen(values)
        numbers = values[chosen].astype(np.float64)
        return list(moments.moments_of(numbers, groups.ids[chosen], groups.count))

    def merged(self, states: list[Array], groups: Numbering) -> list[Array]:
        return list(moments.merged_moments(moments.Moments(*states), groups.ids, groups.count))

    def result(self, how: str, state: list[Array]) -> Array:
        of = moments.Moments(*state)
        if how == "mean":
            return _real(moments.means_of(of), self._dtype)
        variances = moments.variances_of(of, self._options.ddof)
        return _real(np.sqrt(variances) if how == "std" else variances, self._dtype)


class _MeansOfTimes(Aggregate):
    def state(self, values: Array, groups: Numbering) -> list[Array]:
        missing = _are_missing(values)
        numbers = np.where(missing, 0, values.view(np.int64))
        counts = groups.count_some(~missing)
        return [
            *moments.sums_of_integers(numbers, groups.ids, groups.count),
            counts,
            groups.counts() - counts,
        ]

    def merged(self, states: list[Array], groups: Numbering) -> list[Array]:
        return [groups.combine("sum", each) for each in states]

    def result(self, how: str, state: list[Array]) -> Array:
        high, low, counts, missing = state
        means = moments.integer_means(high, low, counts).view(self._dtype)
        means[(counts == 0) | ((missing != 0) & (not self._options.skipna))] = "NaT"
        return means


class _Arrays(Aggregate):
    merges = False

    def state(self, values: Array, groups: Numbering) -> list[Any]:
        arrays = groups.arrays(values)
        if self._options.skipna and can_be_missing(values):
            chosen = self._chosen(arrays.values)
            before = np.concatenate([[0], np.cumsum(chosen)])
            arrays = arrays._replace(
                values=arrays.values[chosen], starts=before[arrays.starts].astype(np.int64)
            )
        return [arrays]


class _Different(Aggregate):
    merges = False

    def state(self, values: Array, groups: Numbering) -> list[Array]:
        keys, code = keys_and_type(values, "values")
        return [order_statistics.count_different(keys, code, groups, self._chosen(keys))]


class _Quantiles(Aggregate):
    merges = False

    def state(self, values: Array, groups: Numbering) -> list[Any]:
        numbers = values.astype(np.float64)
        present = ~_are_missing(numbers)
        skipna = self._options.skipna
        return [order_statistics.sorted_values(numbers, groups, present, skipna)]

    def result(self, how: str, state: list[Any]) -> Array:
        q = 0.5 if how == "median" else self._options.q
        if isinstance(q, float):
            return _real(order_statistics.quantiles(state[0], q), self._dtype)
        columns = [order_statistics.quantiles(state[0], each) for each in q]
        groups = len(state[0].unknown)
        return _real(np.array(columns, np.float64).reshape(len(q), groups).T, self._dtype)


def _real(values: Array, given: np.dtype[Any]) -> Array:
    """Real results have 32 bits if the values have 32, and 64 bits otherwise."""
    return np.ascontiguousarray(values, np.float32 if given == np.float32 else np.float64)


_CLASSES: dict[str, type[Aggregate]] = {
    "count": _Counts,
    "sum": _Sums,
    "min": _Combined,
    "max": _Combined,
    "or": _Combined,
    "and": _Combined,
    "xor": _Combined,
    "first": _Ends,
    "last": _Ends,
    "mean": _Moments,
    "var": _Moments,
    "std": _Moments,
    "arrays": _Arrays,
    "nunique": _Different,
    "median": _Quantiles,
    "quantile": _Quantiles,
}
_OF_TIMES: dict[str, type[Aggregate]] = {
    "sum": _SumsOfDurations,
    "min": _ExtremesOfTimes,
    "max": _ExtremesOfTimes,
    "mean": _MeansOfTimes,
}
HOWS = tuple(_CLASSES)
_SHARED = (_Moments, _Quantiles)


def aggregates_of(
    hows: tuple[str, ...], dtype: np.dtype[Any], options: Options
) -> list[tuple[Aggregate, list[str]]]:
    """The aggregates that give these functions of one column, each with its functions."""
    result: dict[Any, tuple[Aggregate, list[str]]] = {}
    for how in dict.fromkeys(hows):
        kind = class_of(how, dtype, options)
        name = kind if kind in _SHARED else how
        result.setdefault(name, (kind(how, dtype, options), []))[1].append(how)
    return list(result.values())


def class_of(how: str, dtype: np.dtype[Any], options: Options) -> type[Aggregate]:
    if dtype.kind in "mM" and how in _OF_TIMES:
        return _OF_TIMES[how]
    if how in ("min", "max") and dtype.kind == "f" and options.skipna:
        return _Extremes
    return _CLASSES[how]
