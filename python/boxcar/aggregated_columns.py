"""The columns of values of ``group_by_key``, and what becomes of each, as programs give them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from .aggregates import HOWS, Options
from .arrays import Array, code_of, is_real, native, rows_of
from .choices import check_operation
from .errors import ArgumentError
from .keys import keys_and_type

# Functions of rows of any dtype and shape.
_OF_ANYTHING = ("count", "first", "last", "arrays")
_OF_REAL_NUMBERS = ("mean", "var", "std", "median", "quantile")
_OF_DURATIONS = ("sum", "min", "max", "mean")
_OF_DATES = ("min", "max", "mean")


class Column(NamedTuple):
    """One column of values."""

    name: str
    """The name for messages."""
    rows: Array
    hows: tuple[str, ...]


def columns_of_values(values: Any, how: Any, count: int) -> list[Column]:
    """The columns, checked, each with a row for each of ``count`` keys."""
    if not isinstance(values, Mapping):
        if isinstance(how, Mapping):
            raise ArgumentError("how is a dict, but values are one array: give a dict of columns")
        return [_column("values", values, how, count)]
    hows = how
    if not isinstance(how, Mapping):
        hows = dict.fromkeys(values, how)
    for name in hows:
        if name not in values:
            raise ArgumentError(
                f"how has {name!r}, which values do not have: give some of "
                f"{', '.join(map(repr, values)) or 'none'}"
            )
    return [
        _column(f"values[{name!r}]", each, hows[name], count)
        for name, each in values.items()
        if name in hows
    ]


def options_of(skipna: Any, ddof: Any, q: Any) -> Options:
    """The options, checked."""
    quantiles = np.asarray(q, np.float64)
    if quantiles.ndim > 1 or not ((quantiles >= 0) & (quantiles <= 1)).all():
        raise ArgumentError(f"q is {q}: give a number from 0 to 1, or several in one dimension")
    if isinstance(ddof, bool) or not isinstance(ddof, (int, np.integer)) or ddof < 0:
        raise ArgumentError(f"ddof is {ddof}: give an integer of at least 0")
    return Options(bool(skipna), int(ddof), quantiles.tolist())


def _column(name: str, values: Any, how: Any, count: int) -> Column:
    hows = tuple(map(str, (how,) if isinstance(how, str) else how))
    for each in hows:
        if each not in HOWS:
            raise ArgumentError(f'how is "{each}": give one of {", ".join(HOWS)}')
    return Column(name, _checked_rows(name, values, hows, count), hows)


def _checked_rows(name: str, values: Any, hows: tuple[str, ...], count: int) -> Array:
    needed = [how for how in hows if how != "count"]
    if values is None:
        if needed:
            raise ArgumentError(f'there are no {name}: "{needed[0]}" needs some')
        return np.empty(count, "V0")
    rows = native(rows_of(values, name))
    if len(rows) != count:
        raise ArgumentError(f"{name} has {len(rows)} rows, but there are {count} keys")
    for how in needed:
        if how == "nunique":
            keys_and_type(rows, name)
        elif how not in _OF_ANYTHING:
            _check_type(name, rows, how)
    return rows


def _check_type(name: str, rows: Array, how: str) -> None:
    form = f"{name} has dtype {rows.dtype} and shape {rows.shape}"
    if rows.ndim == 1 and rows.dtype.kind in "mM":
        if how in (_OF_DURATIONS if rows.dtype.kind == "m" else _OF_DATES):
            return
        if how == "sum":
            raise ArgumentError(
                f'{form}: there is no "sum" of dates; give durations (timedelta64), or take '
                '"mean", "min" or "max"'
            )
        raise ArgumentError(
            f'{form}: "{how}" takes numbers; give the times as integers, {name}.astype("i8")'
        )
    if rows.ndim == 1 and rows.dtype == np.float16:
        raise ArgumentError(f'{form}: "{how}" takes other numbers; convert these to float32')
    if rows.ndim != 1 or code_of(rows.dtype) == "":
        raise ArgumentError(f'{form}: "{how}" takes numbers, in one dimension')
    if how not in _OF_REAL_NUMBERS:
        check_operation(how, code_of(rows.dtype), "how")
    elif not is_real(rows.dtype):
        raise ArgumentError(f'{form}: "{how}" takes real numbers; give one part of the numbers')
