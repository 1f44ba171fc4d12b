"""Keys of several columns, or in descending order, as one key each whose order is the wanted one.

A row becomes bytes that compare as the row does, column after column: the highest byte of each
value first, and the complement of each byte if a column descends.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from .arrays import Array, keys_of, letters_of
from .errors import ArgumentError
from .key_columns import checked_columns, columns_of

_WORD = 8  # bytes


def keys_to_sort(values: Any, name: str) -> list[Array]:
    """The columns of keys, each of a dtype that has an order."""
    given = columns_of(values)
    columns = [keys_of(values, name)] if given is None else checked_columns(given, name)
    for number, column in enumerate(columns):
        if column.dtype.kind == "V":
            of = name if given is None else f"{name}[{number}]"
            raise ArgumentError(
                f"{of} has dtype {column.dtype}, which has no order: sort by one field"
            )
    return columns


def directions(descending: bool | Sequence[bool], columns: list[Array], name: str) -> list[bool]:
    """Whether each column descends, checked."""
    if isinstance(descending, (bool, np.bool_)):
        return [bool(descending)] * len(columns)
    wanted = list(descending) if np.iterable(descending) else [descending]
    if len(wanted) != len(columns) or not all(
        isinstance(each, (bool, np.bool_)) for each in wanted
    ):
        raise ArgumentError(
            f"descending is {descending}: give True or False, or one of these for each of the "
            f"{len(columns)} columns of {name}"
        )
    return [bool(each) for each in wanted]


def check_encodable(columns: list[Array], name: str) -> None:
    """Raises ArgumentError if a column has a dtype that ``ordered_keys`` does not take."""
    for number, column in enumerate(columns):
        if column.dtype.kind == "c" or column.dtype.char == "g":
            raise ArgumentError(
                f"column {number} of {name} has dtype {column.dtype}: of several columns, and in "
                "descending order, give float64, or real and imaginary parts as columns"
            )


def ordered_keys(columns: list[Array], descending: list[bool]) -> Array:
    """A key for each row, in whose order the rows are sorted: numbers of 64 bits if the columns
    have no more bits together, else bytes.

    Values that are NaN or NaT come last, whatever the direction; 0.0 and -0.0 are equal.
    """
    parts = [_ordered_bytes(*each) for each in zip(columns, descending, strict=True)]
    width = sum(part.shape[1] for part in parts)
    if width <= _WORD:
        parts.insert(0, np.zeros((len(columns[0]), _WORD - width), np.uint8))
        return np.concatenate(parts, axis=1).view(">u8").reshape(-1).astype(np.uint64)
    return np.concatenate(parts, axis=1).view(f"S{width}").reshape(-1)


def _ordered_bytes(column: Array, descends: bool) -> npt.NDArray[np.uint8]:
    """A row of bytes for each value."""
    kind, size = column.dtype.kind, column.dtype.itemsize
    if kind in "SU":
        code = "u1" if kind == "S" else "u4"
        letters = column.view(code).reshape(len(column), letters_of(column.dtype))
        return _bytes_of(~letters if descends else letters)
    if kind in "bu":
        numbers = column.view(f"u{size}")
        return _bytes_of((~numbers if descends else numbers).reshape(-1, 1))
    sign = np.array(1 << (8 * size - 1), f"u{size}")
    if kind in "imM":
        numbers = column.view(f"u{size}") ^ sign
        if kind == "i":
            numbers = ~numbers if descends else numbers
        else:  # NaT is 0 here, and becomes the largest number
            numbers = ~numbers if descends else numbers - sign.dtype.type(1)
        return _bytes_of(numbers.reshape(-1, 1))
    with np.errstate(invalid="ignore"):  # a signaling NaN
        bits = (column + column.dtype.type(0)).view(sign.dtype)  # -0.0 becomes 0.0
    numbers = np.where(bits & sign != 0, ~bits, bits | sign)
    numbers = ~numbers if descends else numbers
    numbers[np.isnan(column)] = ~sign.dtype.type(0)
    return _bytes_of(numbers.reshape(-1, 1))


def _bytes_of(numbers: Array) -> npt.NDArray[np.uint8]:
    """The bytes of each row of unsigned numbers, the highest byte of each number first."""
    size = numbers.dtype.itemsize
    high_first = np.ascontiguousarray(numbers, f">u{size}")
    return high_first.view(np.uint8).reshape(len(numbers), numbers.shape[1] * size)
