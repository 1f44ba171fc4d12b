"""Tables of Arrow."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, BinaryIO

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from .arrays import Array, type_without_views, without_dictionary
from .errors import ArgumentError
from .frame_hashes import Hashes, hashes_of_bytes, hashes_of_numbers
from .frame_library import Function, Library, Table, chosen

_JOINS = {
    "inner": "inner",
    "left": "left outer",
    "right": "right outer",
    "outer": "full outer",
}


def _plain(column: Any) -> Any:
    """The values of a column in a type that Arrow has functions for: without its dictionary if it
    has one, and text and bytes no views."""
    if pa.types.is_dictionary(column.type):
        return without_dictionary(column)
    plain = type_without_views(column.type)
    return column if plain == column.type else column.cast(plain)


def _hashes_of_text(column: Any) -> Hashes:
    array = column.cast(pa.large_binary()).combine_chunks()
    if isinstance(array, pa.ChunkedArray):
        array = pa.concat_arrays(array.chunks) if array.num_chunks else array.type
    _, ends, data = array.buffers()
    if len(array) == 0:
        return np.empty(0, np.uint64)
    ends = np.frombuffer(ends, np.int64)[array.offset : array.offset + len(array) + 1]
    return hashes_of_bytes(
        ends, np.frombuffer(data, np.uint8) if data is not None else np.empty(0, np.uint8)
    )


def _common_type(column: str, types: list[Any]) -> Any:
    # The type of missing values only becomes any other type.
    types = [each for each in types if not pa.types.is_null(each)] or types
    if all(each == types[0] for each in types):
        return types[0]
    plain = [each.value_type if pa.types.is_dictionary(each) else each for each in types]
    plain = [type_without_views(each) for each in plain]
    try:
        common = pa.unify_schemas(
            [pa.schema([(column, each)]) for each in plain], promote_options="permissive"
        )
    except pa.ArrowException as problem:
        raise ArgumentError(
            f"column {column!r} has types {', '.join(dict.fromkeys(map(str, types)))}: convert it "
            "to the same type on all PEs"
        ) from problem
    if all(map(pa.types.is_dictionary, types)):
        return pa.dictionary(pa.int32(), common.field(0).type, any(each.ordered for each in types))
    return common.field(0).type


def _cast(column: Any, type: Any) -> Any:
    if column.type == type:
        return column
    if pa.types.is_null(column.type):
        return pa.chunked_array([pa.nulls(len(column), type)])
    if not pa.types.is_dictionary(type):
        return _plain(column).cast(type)
    encoded = _plain(column).cast(type.value_type).dictionary_encode()
    return encoded if encoded.type == type else encoded.cast(type)


def _united(table: Any) -> Any:
    """The table with one dictionary in each column that has dictionaries."""
    return table.unify_dictionaries().combine_chunks() if _has_dictionaries(table) else table


def _rows_without_columns(count: int, schema: Any) -> Any:
    """A table with this number of rows and no columns. Most functions of Arrow make a table without
    rows if there are no columns."""
    rows = pa.table({"row": pa.nulls(count)}, metadata=schema.metadata)
    return rows.select([])


def _has_dictionaries(table: Any) -> bool:
    return any(pa.types.is_dictionary(field.type) for field in table.schema)


_FUNCTIONS = {
    "size": "count_all",
    "count": "count",
    "sum": "sum",
    "min": "min",
    "max": "max",
    "product": "product",
    "any": "any",
    "all": "all",
    "mean": "mean",
}


def _can_combine(name: str, type: Any) -> bool:
    """Whether the results of a function for parts of the values can be combined."""
    is_number = pa.types.is_integer(type) or pa.types.is_floating(type)
    if name in ("any", "all"):
        return bool(pa.types.is_boolean(type))
    if name in ("mean", "product"):
        return bool(is_number)
    if name == "sum":
        return bool(is_number or pa.types.is_decimal(type) or pa.types.is_duration(type))
    return name == "count" or bool(pa.types.is_primitive(type))


class _Arrow(Library):
    name = "pyarrow"

    def columns(self, table: Table) -> list[Any]:
        return list(table.column_names)

    def select(self, table: Table, columns: list[Any]) -> Table:
        return table.select(columns)

    def take(self, table: Table, rows: Array) -> Table:
        if table.num_columns == 0:
            return _rows_without_columns(len(rows), table.schema)
        plain = table
        for number, field in enumerate(table.schema):
            if type_without_views(field.type) != field.type:
                plain = plain.set_column(number, field.name, _plain(table.column(number)))
        taken = plain.take(pa.array(rows, pa.int64()))
        return taken if plain is table else taken.cast(table.schema)

    def dump(self, table: Table, file: BinaryIO) -> None:
        with pa.ipc.new_stream(file, table.schema) as stream:
            stream.write_table(table.unify_dictionaries())

    def load(self, data: Any, like: Table | None) -> Table:
        return pa.ipc.open_stream(pa.py_buffer(data)).read_all()

    def concatenate(self, tables: Sequence[Table]) -> Table:
        if tables[0].num_columns == 0:
            return _rows_without_columns(sum(map(len, tables)), tables[0].schema)
        return _united(pa.concat_tables(tables)).combine_chunks()

    def with_common_types(self, tables: Sequence[Table]) -> Table:
        fields = [
            field.with_type(_common_type(field.name, [t.schema.field(i).type for t in tables]))
            for i, field in enumerate(tables[0].schema)
        ]
        return pa.schema(
            [field.with_nullable(True) for field in fields], tables[0].schema.metadata
        ).empty_table()

    def cast(self, table: Table, like: Table) -> Table:
        if table.num_rows == 0:
            return like
        if table.num_columns == 0:
            return _rows_without_columns(len(table), like.schema)
        columns = [_cast(table.column(i), field.type) for i, field in enumerate(like.schema)]
        return pa.table(columns, schema=like.schema)

    def hashes(self, table: Table, column: Any) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
        values = _plain(table[column])
        present = values.is_valid().to_numpy()
        values = values.drop_null()
        kind = values.type
        if pa.types.is_decimal(kind):
            values = values.cast(pa.float64())
        elif pa.types.is_date(kind):
            values = values.cast(pa.timestamp("us"))
        elif pa.types.is_time(kind):
            values = values.cast(pa.time64("us"), safe=False).cast(pa.int64())
        elif pa.types.is_timestamp(kind) and kind.tz is not None:
            values = values.cast(pa.timestamp(kind.unit))
        elif pa.types.is_null(kind):
            return present, np.empty(0, np.uint64)
        try:
            if pa.types.is_interval(values.type):
                raise pa.ArrowNotImplementedError("intervals")
            if pa.types.is_primitive(values.type):
                return present, hashes_of_numbers(values.to_numpy())
            return present, _hashes_of_text(values)
        except pa.ArrowException as problem:
            raise ArgumentError(
                f"column {column!r} has type {kind}, which has no hash: leave it out of the keys"
            ) from problem

    def order(self, table: Table, by: list[Any], descending: list[bool]) -> Array:
        keys = pa.table({str(i): _plain(table[column]) for i, column in enumerate(by)})
        directions = ["descending" if each else "ascending" for each in descending]
        order = pc.sort_indices(keys, sort_keys=list(zip(keys.column_names, directions)))
        return np.asarray(order.to_numpy(), np.int64)

    def first_rows(self, table: Table, subset: list[Any]) -> Table:
        keys = pa.table({str(i): _plain(table[column]) for i, column in enumerate(subset)})
        names = keys.column_names
        keys = keys.append_column("row", pa.array(np.arange(len(table))))
        groups = keys.group_by(names, use_threads=False).aggregate([("row", "min")])
        return self.take(table, np.sort(groups["row_min"].to_numpy()))

    def needed(self, table: Table, aggregations: Any) -> Iterable[Any]:
        read: list[Any] = []
        for each in aggregations:
            if not isinstance(each, tuple) or len(each) not in (2, 3):
                raise ArgumentError(
                    f"aggregations has {each!r}: give pairs of a column and a function"
                )
            read += each[0] if isinstance(each[0], (list, tuple)) else [each[0]]
        read = list(dict.fromkeys(read))
        return chosen(list(table.column_names), read, "aggregations") if read else []

    def aggregate(
        self, table: Table, by: list[Any], aggregations: Any, options: Mapping[str, Any]
    ) -> Table:
        return _united(table).group_by(by, **options).aggregate(list(aggregations))

    def nbytes(self, table: Table) -> int:
        return int(table.nbytes)

    def functions(
        self, like: Table, by: list[Any], aggregations: Any, options: Mapping[str, Any]
    ) -> list[Function] | None:
        found = []
        for each in aggregations:
            if len(each) != 2 or each[1] not in _FUNCTIONS.values():
                return None
            column, word = each
            if word == "count_all":
                found.append(Function("size", None))
                continue
            if column in by or not _can_combine(word, like.schema.field(column).type):
                return None
            found.append(Function(word, column))
        return found

    def combine(
        self,
        table: Table,
        by: list[Any],
        functions: Mapping[str, Function],
        options: Mapping[str, Any],
    ) -> Table:
        columns = {f"key {i}": table[column] for i, column in enumerate(by)}
        keys = list(columns)
        pairs: list[Any] = []
        results = []
        for name, (function, column) in functions.items():
            word = _FUNCTIONS.get(function, "sum")
            if column is None:
                pairs.append(([], word))
                results.append(word)
                continue
            values = table[column]
            columns[name] = values.cast(pa.float64()) if function == "real_sum" else values
            pairs.append((name, word))
            results.append(f"{name}_{word}")
        groups = _united(pa.table(columns)).group_by(keys, **options).aggregate(pairs)
        return pa.table(
            [groups[each] for each in [*keys, *results]], names=[*by, *functions]
        ).combine_chunks()

    def finish(
        self,
        states: Table,
        by: list[Any],
        outputs: Sequence[tuple[str, str | None]],
        template: Any,
        options: Mapping[str, Any],
    ) -> Any:
        values = iter(
            states[total] if count is None else pc.divide(states[total], states[count])
            for total, count in outputs
        )
        names = template.column_names
        keys_are_first = names[: len(by)] == by
        is_key = [i < len(by) if keys_are_first else i >= len(outputs) for i in range(len(names))]
        return pa.table(
            [states[name] if key else next(values) for name, key in zip(names, is_key)],
            names=names,
        )

    def concatenate_results(
        self, results: Sequence[Any], by: list[Any], options: Mapping[str, Any]
    ) -> Any:
        return _united(pa.concat_tables(results, promote_options="permissive")).combine_chunks()

    def join(
        self, left: Table, right: Table, on: list[Any], how: str, options: Mapping[str, Any]
    ) -> Table:
        return _united(left).join(_united(right), on, join_type=_JOINS[how], **options)

    def to_arrow(self, table: Table) -> Any:
        return table

    def from_arrow(self, table: Any) -> Table:
        return table


LIBRARY = _Arrow()
