"""Keys of several columns: the columns become one array of structures, and come back."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from .arrays import Array, keys_of
from .errors import ArgumentError
from .keys import keys_and_type
from .text_widths import form_but_width


class Keys(NamedTuple):
    """The keys of a grouping function."""

    rows: Array
    """Keys as the native part takes them: structures if the program gives several columns."""
    code: str
    """The native name of the type of the keys, see ``keys_and_type``."""
    columns: int | None
    """The number of columns; None if the program gives one array."""

    def form(self) -> dict[str, object]:
        """What all PEs must give alike."""
        return {"number of columns of keys": self.columns, **form_but_width(self.rows)}

    def given(self, rows: Array) -> Any:
        """Rows with the dtype of the keys in the form that the program gives: a tuple of columns
        or one array."""
        if self.columns is None:
            return rows
        return tuple(np.ascontiguousarray(rows[name]) for name in _names(self.columns))

    def order(self, rows: Array) -> npt.NDArray[np.int64]:
        """The order that sorts rows with the dtype of the keys; what is missing comes last."""
        if self.columns is None:
            return np.argsort(rows)
        return np.lexsort([rows[name] for name in reversed(_names(self.columns))])


def columns_of(values: Any) -> list[Any] | None:
    """The columns, if the values are a tuple or list of columns; else None: they are one array.

    A tuple or list of single values is one array.
    """
    if isinstance(values, (tuple, list)) and values and all(map(_is_column, values)):
        return list(values)
    return None


def _is_column(value: Any) -> bool:
    if isinstance(value, (str, bytes, np.generic)) or hasattr(value, "as_py"):
        return False
    return hasattr(value, "__len__") and getattr(value, "ndim", 1) != 0


def checked_columns(values: list[Any], name: str) -> list[Array]:
    """Arrays of one dimension, which have the same length."""
    columns = [keys_of(each, f"{name}[{number}]") for number, each in enumerate(values)]
    for number, column in enumerate(columns):
        if len(column) != len(columns[0]):
            raise ArgumentError(
                f"{name}[{number}] has {len(column)} rows, but {name}[0] has {len(columns[0])}: "
                "give columns of the same length"
            )
    return columns


def grouping_keys(values: Any, name: str) -> Keys:
    """The keys, which are one array or a tuple or list of columns."""
    given = columns_of(values)
    if given is None:
        return Keys(*keys_and_type(values, name), None)
    columns = checked_columns(given, name)
    names = _names(len(columns))
    rows = np.empty(
        len(columns[0]), [(each, column.dtype) for each, column in zip(names, columns, strict=True)]
    )
    for each, column in zip(names, columns, strict=True):
        rows[each] = column
    return Keys(*keys_and_type(rows, name), len(columns))


def _names(columns: int) -> list[str]:
    """The names of the fields that hold the columns."""
    return [f"key {number}" for number in range(columns)]
