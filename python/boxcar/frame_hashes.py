"""Hashes of the values of tables, which are the same on all PEs, and for all types of columns that
can hold equal values."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from .arrays import Array, native
from .frame_library import Library, Table

Hashes = npt.NDArray[np.uint64]

_OF_MISSING = np.uint64(0x9E3779B97F4A7C15)
_FACTOR = np.uint64(0x100000001B3)
_BYTES_AT_ONCE = 1 << 22


def mixed(values: Hashes) -> Hashes:
    """Spreads the bits of each number.

    Source: the finaliser of SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number
    generators", OOPSLA 2014).
    """
    values = (values ^ (values >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    values = (values ^ (values >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return values ^ (values >> np.uint64(31))


def hashes_of_numbers(values: Array) -> Hashes:
    """Hashes of numbers, truth values, times and durations.

    A number has the same hash as an integer, as a floating-point number, as a truth value and as a
    complex number. A time has the same hash in all units; times finer than a microsecond are
    rounded.
    """
    values = native(values)
    kind = values.dtype.kind
    if kind in "mM":
        return hashes_of_numbers(values.astype(f"{kind}8[us]").view(np.int64))
    if kind == "c":
        real, imaginary = hashes_of_numbers(values.real), hashes_of_numbers(values.imag)
        return np.where(values.imag == 0, real, mixed(real ^ imaginary * _FACTOR))
    if kind != "f":
        return mixed(values.astype(np.uint64 if kind == "u" else np.int64).view(np.uint64))
    return _of_floats(values.astype(np.float64))


def _of_floats(values: npt.NDArray[np.float64]) -> Hashes:
    bits = np.where(np.isnan(values), np.nan, values).view(np.uint64).copy()
    whole = np.floor(values) == values
    small = whole & (values >= -(2.0**63)) & (values < 2.0**63)
    large = whole & (values >= 2.0**63) & (values < 2.0**64)
    bits[small] = values[small].astype(np.int64).view(np.uint64)
    bits[large] = values[large].astype(np.uint64)
    return mixed(bits)


def hashes_of_bytes(ends: npt.NDArray[np.int64], data: npt.NDArray[np.uint8]) -> Hashes:
    """Hashes of strings of bytes that lie one after another.

    Args:
        ends: Where the first string begins, and where each string ends in ``data``.
    """
    result = np.empty(max(len(ends) - 1, 0), np.uint64)
    first = 0
    while first < len(result):
        last = int(np.searchsorted(ends, ends[first] + _BYTES_AT_ONCE, "right")) - 1
        last = min(max(last, first + 1), len(result))
        begin, lengths = ends[first], np.diff(ends[first : last + 1])
        powers = np.full(int(lengths.max()) + 1, _FACTOR)
        powers[0] = 1
        powers = np.multiply.accumulate(powers)
        starts = ends[first:last] - begin
        places = np.arange(ends[last] - begin) - np.repeat(starts, lengths)
        terms = (data[begin : ends[last]].astype(np.uint64) + np.uint64(1)) * powers[places]
        sums = np.concatenate([np.zeros(1, np.uint64), np.cumsum(terms, dtype=np.uint64)])
        result[first:last] = sums[ends[first + 1 : last + 1] - begin] - sums[starts]
        first = last
    return mixed(result)


def hashes_of_rows(library: Library, table: Table, by: list[Any]) -> Hashes:
    """A hash of some columns of each row."""
    total = np.zeros(library.rows(table), np.uint64)
    for column in by:
        present, hashes = library.hashes(table, column)
        of_column = np.full(len(total), _OF_MISSING)
        of_column[present] = hashes
        total = mixed(total * _FACTOR + of_column)
    return total


def owners(library: Library, table: Table, by: list[Any], pes: int) -> npt.NDArray[np.int32]:
    """The PE that each row belongs to by the hash of some of its columns."""
    return _scaled(hashes_of_rows(library, table, by), pes)


def partitions(
    library: Library, table: Table, by: list[Any], count: int, level: int
) -> npt.NDArray[np.int32]:
    """The partition of each row by the hash of some of its columns.

    The partitions of each level are independent of those of other levels, and of the owners.
    """
    hashes = hashes_of_rows(library, table, by)
    shift = np.uint64((level + 1) * int(_OF_MISSING) % 2**64)
    return _scaled(mixed(hashes + shift), count)


def _scaled(hashes: Hashes, count: int) -> npt.NDArray[np.int32]:
    """The upper 32 bits, scaled to numbers below the count."""
    return ((hashes >> np.uint64(32)) * np.uint64(count) >> np.uint64(32)).astype(np.int32)
