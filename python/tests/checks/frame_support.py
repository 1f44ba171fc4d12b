"""Tables of all libraries and of all types of columns, for the checks of frames."""

from __future__ import annotations

import datetime
import decimal
from collections.abc import Callable
from typing import Any

import boxcar
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa

from .support import random_of

Table = Any
LIBRARIES = ("pandas", "polars", "pyarrow")
_WORDS = ["", "a", "Bern", "Zürich", "a longer text than others", None]
_START = datetime.datetime(2026, 1, 1)


def _drawn(random: np.random.Generator, values: list, count: int) -> list:
    return [values[i] for i in random.integers(0, len(values), count)]


def _columns(random: np.random.Generator, count: int) -> dict[str, list]:
    """Values of columns of all kinds, with missing ones. Few are different."""
    times = [None, *(_START + datetime.timedelta(hours=hours) for hours in range(4))]
    return {
        "integer": [int(each) for each in random.integers(-3, 3, count)],
        "optional": _drawn(random, [None, 0, 1, 2**60], count),
        "float": _drawn(random, [None, 0.0, -0.0, 1.5, -7.25], count),
        "bool": _drawn(random, [True, False], count),
        "maybe": _drawn(random, [True, False, None], count),
        "text": _drawn(random, _WORDS, count),
        "category": _drawn(random, ["x", "y", "z", None], count),
        "time": _drawn(random, times, count),
        "zoned": _drawn(random, times, count),
        "duration": _drawn(random, [None, datetime.timedelta(seconds=5), _START - _START], count),
    }


def _pandas(columns: dict[str, list]) -> pd.DataFrame:
    order = pd.CategoricalDtype(["z", "y", "x"], ordered=True)
    return pd.DataFrame(
        {
            "integer": pd.Series(columns["integer"], dtype="int32"),
            "optional": pd.Series(columns["optional"], dtype="Int64"),
            "float": pd.Series(columns["float"], dtype="float64"),
            "bool": pd.Series(columns["bool"], dtype="bool"),
            "maybe": pd.Series(columns["maybe"], dtype="boolean"),
            "text": pd.Series(columns["text"], dtype="str"),
            "object": pd.Series(columns["text"], dtype="object"),
            "of Arrow": pd.Series(columns["text"], dtype=pd.ArrowDtype(pa.string())),
            "category": pd.Categorical(columns["category"], categories=["y", "x", "z"]),
            "ordered": pd.Categorical(columns["category"], dtype=order),
            "time": pd.Series(columns["time"], dtype="datetime64[us]"),
            "zoned": pd.Series(columns["zoned"], dtype="datetime64[ns, UTC]").dt.tz_convert(
                "Europe/Zurich"
            ),
            "duration": pd.Series(columns["duration"], dtype="timedelta64[ns]"),
        }
    )


def _arrow(columns: dict[str, list]) -> pa.Table:
    dates = [None if each is None else each.date() for each in columns["time"]]
    numbers = [None if each is None else decimal.Decimal(each) for each in columns["float"]]
    return pa.table(
        {
            "integer": pa.array(columns["integer"], pa.int32()),
            "optional": pa.array(columns["optional"], pa.int64()),
            "float": pa.array(columns["float"], pa.float64()),
            "bool": pa.array(columns["bool"], pa.bool_()),
            "maybe": pa.array(columns["maybe"], pa.bool_()),
            "text": pa.array(columns["text"], pa.string()),
            "large": pa.array(columns["text"], pa.large_string()),
            "category": pa.array(columns["category"], pa.string()).dictionary_encode(),
            "time": pa.array(columns["time"], pa.timestamp("us")),
            "zoned": pa.array(columns["zoned"], pa.timestamp("ns", "UTC")),
            "duration": pa.array(columns["duration"], pa.duration("us")),
            "date": pa.array(dates, pa.date32()),
            "decimal": pa.array(numbers, pa.decimal128(10, 2)),
        }
    )


def _polars(columns: dict[str, list]) -> pl.DataFrame:
    dates = [None if each is None else each.date() for each in columns["time"]]
    return pl.DataFrame(
        {
            "integer": pl.Series(columns["integer"], dtype=pl.Int32),
            "optional": pl.Series(columns["optional"], dtype=pl.Int64),
            "float": pl.Series(columns["float"], dtype=pl.Float64),
            "bool": pl.Series(columns["bool"], dtype=pl.Boolean),
            "maybe": pl.Series(columns["maybe"], dtype=pl.Boolean),
            "text": pl.Series(columns["text"], dtype=pl.String),
            "category": pl.Series(columns["category"], dtype=pl.Categorical),
            "enum": pl.Series(columns["category"], dtype=pl.Enum(["z", "y", "x"])),
            "time": pl.Series(columns["time"], dtype=pl.Datetime("ms")),
            "zoned": pl.Series(columns["zoned"], dtype=pl.Datetime("us")).dt.replace_time_zone(
                "Asia/Tokyo"
            ),
            "duration": pl.Series(columns["duration"], dtype=pl.Duration("us")),
            "date": pl.Series(dates, dtype=pl.Date),
            "list": pl.Series([[each, 0] for each in columns["integer"]], dtype=pl.List(pl.Int8)),
        }
    )


_MAKERS: dict[str, Callable[[dict[str, list]], Table]] = {
    "pandas": _pandas,
    "polars": _polars,
    "pyarrow": _arrow,
}


def part_of_all_types(world: boxcar.World, library: str, seed: int = 0) -> Table:
    """A part of a table with columns of all types. PE 1 has no rows.

    The columns "pe" and "row" say where a row was.
    """
    count = 0 if world.rank == 1 else 15 + 10 * world.rank
    table = _MAKERS[library](_columns(random_of(world, seed), count))
    return with_columns(table, {"pe": np.full(count, world.rank), "row": np.arange(count)})


def table_of(library: str, columns: dict[str, Any]) -> Table:
    """A table with columns as the library makes them of lists or arrays."""
    makers: dict[str, Callable[[Any], Table]] = {
        "pandas": pd.DataFrame,
        "polars": pl.DataFrame,
        "pyarrow": pa.table,
    }
    return makers[library](columns)


def with_columns(table: Table, columns: dict[str, np.ndarray]) -> Table:
    if isinstance(table, pd.DataFrame):
        return table.assign(**columns)
    if isinstance(table, pl.DataFrame):
        return table.with_columns(**{name: pl.Series(each) for name, each in columns.items()})
    for name, each in columns.items():
        table = table.append_column(name, pa.array(each))
    return table


def column_of(table: Table, name: str) -> list:
    """The values of a column; of missing ones, None."""
    column = table[name]
    if isinstance(table, pd.DataFrame):
        return [None if pd.isna(each) else each for each in column]
    return column.to_list() if isinstance(table, pl.DataFrame) else column.to_pylist()


def columns_of(table: Table) -> list[str]:
    return table.column_names if isinstance(table, pa.Table) else list(table.columns)


def some(world: boxcar.World, cases: list) -> list:
    """A third of the cases: jobs with 1, 2 and 3 PEs have different thirds.

    Jobs with more PEs, and jobs over OpenSHMEM and libfabric, have one case, as frames move by
    functions that have checks of their own.
    """
    cases = cases[world.size % 3 :: 3]
    return cases[:1] if world.size > 3 or world.substrate in ("shmem", "ofi") else cases


def types_of(table: Table) -> dict[str, str]:
    if isinstance(table, pa.Table):
        return {field.name: str(field.type) for field in table.schema}
    return {name: repr(table[name].dtype) for name in table.columns}


def flat(table: Table) -> Table:
    """The table; of pandas the index and all columns, under simple names."""
    if not isinstance(table, pd.DataFrame):
        return table
    table = table if isinstance(table.index, pd.RangeIndex) else table.reset_index()
    return table.set_axis([str(each) for each in table.columns], axis=1)


def rows_of(table: Table) -> list[str]:
    """The text of each row. Equal values that travelled have equal texts."""
    columns = [column_of(table, name) for name in columns_of(table)]
    return [repr(row) for row in zip(*columns, strict=True)]


def concatenated(world: boxcar.World, part: Table) -> Table:
    """The parts of all PEs as one table, on every PE, by the library's own function."""
    parts = world.all_gather(part)
    if isinstance(part, pd.DataFrame):
        return pd.concat(parts, ignore_index=True)
    return pl.concat(parts) if isinstance(part, pl.DataFrame) else pa.concat_tables(parts)


def must_be_rows(world: boxcar.World, part: Table, want: Table, *, in_order: bool = False) -> None:
    """Expects the parts of all PEs to have the rows and the types of another table."""
    got = [row for rows in world.all_gather(rows_of(part)) for row in rows]
    expected = rows_of(want)
    if not in_order:
        got, expected = sorted(got), sorted(expected)
    assert got == expected, (got[:3], expected[:3], len(got), len(expected))
    assert types_of(part) == types_of(want), (types_of(part), types_of(want))
