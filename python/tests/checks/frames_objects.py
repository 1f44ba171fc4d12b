"""Frames: keys that are objects in columns of pandas."""

from __future__ import annotations

import dataclasses
import datetime
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import pyarrow as pa
from boxcar import frame

from .support import must_refuse

_UTC = pd.Timestamp("2026-01-01", tz="UTC")
# Of each group the keys are equal in Python.
_EQUAL = [
    [1, 1.0, True, Decimal("1.0"), Fraction(1), 1 + 0j, np.uint8(1)],
    [2j, np.complex64(2j)],
    [0.5, Fraction(1, 2), Decimal("0.50"), np.float32(0.5)],
    [10**400, Decimal(10**400)],
    [2**62 + 1, Decimal(2**62 + 1), np.int64(2**62 + 1)],
    [2**64 - 1, np.uint64(2**64 - 1)],
    [pd.Timestamp("2026-02-03 04:05"), datetime.datetime(2026, 2, 3, 4, 5)],
    [_UTC, _UTC.tz_convert("Asia/Tokyo"), _UTC.tz_convert("Europe/Zurich").to_pydatetime()],
    [pd.Timedelta(seconds=-1), datetime.timedelta(seconds=-1)],
    [(1, "a", (True, None)), (1.0, "a", (np.int8(1), None))],
    [frozenset(["a", "b", "c", "d"]), frozenset(["d", "c", "b", "a"])],
    [pd.Interval(0, 1), pd.Interval(0.0, 1.0)],
    ["1"],
    [b"1"],
    ["a\ud800"],
    ["a\0"],
    ["a"],
]


def _objects(values: list) -> pd.Series:
    column = pd.Series([None] * len(values), dtype=object)
    for i, each in enumerate(values):
        column.iat[i] = each
    return column


def check_equal_objects_have_one_owner(world):
    mine = [
        (group, keys[(world.rank + place) % len(keys)])
        for group, keys in enumerate(_EQUAL)
        for place in range(2)
    ]
    part = pd.DataFrame({"group": [each for each, _ in mine]})
    part["key"] = _objects([each for _, each in mine])
    owned = world.all_gather(sorted(set(frame.shuffle(world, part, "key")["group"])))
    assert sorted(group for of_pe in owned for group in of_pe) == list(range(len(_EQUAL))), owned


def check_objects_have_the_owners_of_columns(world):
    """A column of objects, and a column of the type of the objects."""
    times = pd.date_range("1969-12-31", periods=9, freq="7h")
    dates = [datetime.date(2026, 1, day) for day in range(1, 10)]
    columns = [
        pd.Series([2**62 + 1, 2**62 + 2, 2**62 + 3, 2**63 - 1, -(2**62) - 1, 7]),
        pd.Series([2**63 + 1, 2**63 + 5, 2**64 - 1, 2**62 + 3, 7], dtype="u8"),
        pd.Series([1j, 2, 3, 4 + 1j, 5]),
        pd.Series(times),
        pd.Series(times.tz_localize("Asia/Tokyo")),
        pd.Series(times - times[3]),
        pd.Series(dates, dtype=pd.ArrowDtype(pa.date32())),
    ]
    for column in columns:
        tables = [pd.DataFrame({"key": each}) for each in (column, column.astype(object))]
        one, other = (sorted(map(str, frame.shuffle(world, each, "key")["key"])) for each in tables)
        assert one == other, (column.dtype, one, other)


@dataclasses.dataclass(frozen=True, repr=False)
class _Nameless:
    number: int


def check_objects_without_a_text_of_their_own(world):
    part = pd.DataFrame({"key": _objects([_Nameless(1), _Nameless(2)])})
    must_refuse(world, lambda: frame.shuffle(world, part, "key"), "_Nameless", "__repr__")


def check_attributes_do_not_travel(world):
    part = pd.DataFrame({"key": [1, 2]})
    part.attrs["function"] = lambda: world.rank  # which cannot be pickled
    assert world.reduce(len(frame.shuffle(world, part, "key"))) == 2 * world.size
