"""Tables of polars."""

from __future__ import annotations

import io
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, BinaryIO

import numpy as np
import numpy.typing as npt
import polars as pl

from .arrays import Array
from .errors import ArgumentError
from .frame_hashes import hashes_of_numbers
from .frame_library import Library, Table


def _expressions(aggregations: Any) -> list[Any]:
    if isinstance(aggregations, Mapping):
        return list(aggregations.values())
    return list(aggregations) if isinstance(aggregations, (list, tuple)) else [aggregations]


class _Polars(Library):
    name = "polars"

    def columns(self, table: Table) -> list[Any]:
        return list(table.columns)

    def select(self, table: Table, columns: list[Any]) -> Table:
        return table.select(columns)

    def take(self, table: Table, rows: Array) -> Table:
        return table[np.asarray(rows, np.int64)]

    def dump(self, table: Table, file: BinaryIO) -> None:
        table.write_ipc_stream(file)

    def load(self, data: Any, like: Table | None) -> Table:
        return pl.read_ipc_stream(io.BytesIO(data))

    def concatenate(self, tables: Sequence[Table]) -> Table:
        return pl.concat(tables, rechunk=True)

    def with_common_types(self, tables: Sequence[Table]) -> Table:
        return pl.concat(tables, how="vertical_relaxed")

    def cast(self, table: Table, like: Table) -> Table:
        return table.cast(dict(like.schema))

    def hashes(self, table: Table, column: Any) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
        values = table[column]
        present = values.is_not_null().to_numpy()
        values = values.drop_nulls()
        dtype = values.dtype
        if dtype.is_decimal():
            values = values.cast(pl.Float64)
        elif dtype.is_temporal():
            if dtype.base_type() in (pl.Datetime, pl.Duration):
                values = values.dt.cast_time_unit("us")
            values = values.to_physical()
        elif dtype.base_type() in (pl.Categorical, pl.Enum):
            values = values.cast(pl.String)
        if values.dtype.is_numeric() or values.dtype == pl.Boolean:
            return present, hashes_of_numbers(values.to_numpy())
        try:
            return present, values.hash(seed=0).to_numpy()
        except pl.exceptions.PolarsError as problem:
            raise ArgumentError(
                f"column {column!r} has type {dtype}, which polars cannot hash: {problem}: leave "
                "it out of the keys"
            ) from problem

    def order(self, table: Table, by: list[Any], descending: list[bool]) -> Array:
        order = pl.arg_sort_by(by, descending=descending, nulls_last=True, maintain_order=True)
        return np.asarray(table.select(order).to_series().to_numpy(), np.int64)

    def first_rows(self, table: Table, subset: list[Any]) -> Table:
        return table.unique(subset, keep="first", maintain_order=True)

    def needed(self, table: Table, aggregations: Any) -> Iterable[Any]:
        read: list[str] = []
        for each in _expressions(aggregations):
            if not isinstance(each, pl.Expr):
                raise ArgumentError(
                    f"aggregations has a {type(each).__name__}, {each!r}: give expressions of "
                    "polars"
                )
            if each.meta.has_multiple_outputs():
                return list(table.columns)
            read += each.meta.root_names()
        missing = [name for name in read if name not in table.columns]
        if missing:
            raise ArgumentError(
                f"aggregations has {missing[0]!r}, but the table has "
                f"{', '.join(map(repr, table.columns))}: give one of these"
            )
        return read

    def aggregate(
        self, table: Table, by: list[Any], aggregations: Any, options: Mapping[str, Any]
    ) -> Table:
        groups = table.group_by(by, **options)
        if isinstance(aggregations, Mapping):
            return groups.agg(**aggregations)
        return groups.agg(aggregations)

    def join(
        self, left: Table, right: Table, on: list[Any], how: str, options: Mapping[str, Any]
    ) -> Table:
        if how == "outer":
            return left.join(right, on=on, how="full", **{"coalesce": True, **options})
        return left.join(right, on=on, how=how, **options)

    def to_arrow(self, table: Table) -> Any:
        return table.to_arrow()

    def from_arrow(self, table: Any) -> Table:
        return pl.from_arrow(table)


LIBRARY = _Polars()
