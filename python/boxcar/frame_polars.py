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
from .frame_library import Function, Library, Table, check_columns


def _expressions(aggregations: Any) -> list[Any]:
    if isinstance(aggregations, Mapping):
        return list(aggregations.values())
    return list(aggregations) if isinstance(aggregations, (list, tuple)) else [aggregations]


_NAMES = ("count", "sum", "min", "max", "mean", "any", "all", "product")


def _function_of(expression: Any) -> Function | None:
    """The function of a column that an expression is, whatever the name of its result."""
    core = expression.meta.undo_aliases()
    if core.meta.eq(pl.len()):
        return Function("size", None)
    roots = core.meta.root_names()
    if len(roots) != 1:
        return None
    for name in _NAMES:
        function = Function(name, roots[0])
        if core.meta.eq(_expression_of(function)):
            return function
    return None


def _expression_of(function: Function) -> Any:
    if function.column is None:
        return pl.len()
    column = pl.col(function.column)
    if function.name == "real_sum":
        return column.cast(pl.Float64).sum()
    return getattr(column, function.name)()


def _can_combine(name: str, dtype: Any) -> bool:
    """Whether the results of a function for parts of the values can be combined."""
    if name in ("any", "all"):
        return bool(dtype == pl.Boolean)
    if name in ("mean", "product"):
        return bool(dtype.is_integer() or dtype.is_float())
    if name == "sum":
        return bool(dtype.is_numeric() or dtype in (pl.Boolean, pl.Duration))
    return name == "count" or bool(
        dtype.is_numeric() or dtype.is_temporal() or dtype in (pl.Boolean, pl.String)
    )


_OF_128_BITS = [getattr(pl, name) for name in ("Int128", "UInt128") if hasattr(pl, name)]


def _hashes_of_128_bits(values: pl.Series) -> npt.NDArray[Any]:
    """Hashes as those of integers of 64 bits, of all that fit in these."""
    hashes = hashes_of_numbers(values.cast(pl.Float64).to_numpy())
    for narrow in (pl.Int64, pl.UInt64):
        fitting = values.cast(narrow, strict=False)
        fits = fitting.is_not_null().to_numpy()
        hashes[fits] = hashes_of_numbers(fitting.drop_nulls().to_numpy())
    return hashes


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
        if values.dtype in _OF_128_BITS:
            return present, _hashes_of_128_bits(values)
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
        check_columns(table.columns, read, "aggregations")
        return read

    def aggregate(
        self, table: Table, by: list[Any], aggregations: Any, options: Mapping[str, Any]
    ) -> Table:
        groups = table.group_by(by, **options)
        if isinstance(aggregations, Mapping):
            return groups.agg(**aggregations)
        return groups.agg(aggregations)

    def nbytes(self, table: Table) -> int:
        return int(table.estimated_size())

    def functions(
        self, like: Table, by: list[Any], aggregations: Any, options: Mapping[str, Any]
    ) -> list[Function] | None:
        if options.get("maintain_order") or set(options) - {"maintain_order"}:
            return None
        found = [_function_of(each) for each in _expressions(aggregations)]
        for each in found:
            if each is None or each.column in by:
                return None
            if each.column is not None and not _can_combine(each.name, like.schema[each.column]):
                return None
        return [each for each in found if each is not None]

    def combine(
        self,
        table: Table,
        by: list[Any],
        functions: Mapping[str, Function],
        options: Mapping[str, Any],
    ) -> Table:
        return table.group_by(by).agg(
            _expression_of(function).alias(name) for name, function in functions.items()
        )

    def finish(
        self,
        states: Table,
        by: list[Any],
        outputs: Sequence[tuple[str, str | None]],
        template: Any,
        options: Mapping[str, Any],
    ) -> Any:
        names = template.columns[len(by) :]
        values = []
        for (total, count), name in zip(outputs, names, strict=True):
            value = pl.col(total)
            if count is not None:
                mean = pl.when(pl.col(count) > 0).then(value / pl.col(count))
                value = mean.cast(template.schema[name])
            values.append(value.alias(name))
        return states.select(*map(pl.col, by), *values)

    def concatenate_results(
        self, results: Sequence[Any], by: list[Any], options: Mapping[str, Any]
    ) -> Any:
        return pl.concat(results, how="vertical_relaxed", rechunk=True)

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
