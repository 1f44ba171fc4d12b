"""Tables of pandas."""

from __future__ import annotations

import pickle
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, BinaryIO

import numpy as np
import numpy.typing as npt
import pandas as pd

from .arrays import Array
from .errors import ArgumentError
from .frame_hashes import Hashes, hashes_of_numbers
from .frame_library import Function, Library, Table, chosen
from .frame_objects import hashes_of_objects


def _hashes_of(present: Any) -> Hashes:
    """The hashes of a column without missing values."""
    dtype = present.dtype
    if isinstance(dtype, pd.CategoricalDtype):
        of_categories = _hashes_of(pd.Series(dtype.categories))
        codes: Array = present.cat.codes.to_numpy()
        return of_categories[codes]
    if isinstance(dtype, pd.DatetimeTZDtype):
        present = present.dt.tz_convert("UTC").dt.tz_localize(None)
    numpy_dtype = getattr(present.dtype, "numpy_dtype", None)
    values = present.to_numpy() if numpy_dtype is None else present.to_numpy(dtype=numpy_dtype)
    if values.dtype.kind in "biufcmM":
        return hashes_of_numbers(values)
    return hashes_of_objects(values.astype(object))


def _cast(column: Any, dtype: Any) -> Any:
    """The column with another type; with categories in the same order, as their numbers travel."""
    both_are_categories = isinstance(column.dtype, pd.CategoricalDtype) and isinstance(
        dtype, pd.CategoricalDtype
    )
    if both_are_categories and not column.dtype.categories.equals(dtype.categories):
        return column.cat.set_categories(dtype.categories, ordered=dtype.ordered)
    return column if column.dtype == dtype else column.astype(dtype)


def _common_dtype(column: Any, dtypes: list[Any]) -> Any:
    if all(each == dtypes[0] for each in dtypes):
        return dtypes[0]
    categorical = [each for each in dtypes if isinstance(each, pd.CategoricalDtype)]
    if len(categorical) == len(dtypes):
        if any(each.ordered for each in dtypes):
            raise ArgumentError(
                f"the categories of column {column!r} have an order, and differ between PEs: give "
                "the same categories on all PEs"
            )
        # A column with missing values only has no categories, whatever type these would have.
        of_values = [each for each in dtypes if len(each.categories) != 0] or dtypes[:1]
        if len({each.categories.dtype for each in of_values}) == 1:
            return _union_of_categories(of_values)
    plain = [
        each.categories.dtype if isinstance(each, pd.CategoricalDtype) else each for each in dtypes
    ]
    return pd.concat([pd.Series([], dtype=each) for each in plain]).dtype


def _union_of_categories(dtypes: list[Any]) -> Any:
    """The categories of the first PE, then those that only the second one has, and so on."""
    categories = dtypes[0].categories
    for dtype in dtypes[1:]:
        categories = categories.append(dtype.categories.difference(categories, sort=False))
    return pd.CategoricalDtype(categories)


class _Pandas(Library):
    name = "pandas"

    def columns(self, table: Table) -> list[Any]:
        return list(table.columns)

    def select(self, table: Table, columns: list[Any]) -> Table:
        return table[columns]

    def take(self, table: Table, rows: Array) -> Table:
        return table.take(rows).reset_index(drop=True)

    def dump(self, table: Table, file: BinaryIO) -> None:
        if len(table) == 0:
            if table.attrs:  # which do not travel
                table = table.copy(deep=False)
                table.attrs = {}
            pickle.dump(table, file, protocol=5)
            return
        # Categorical columns travel as codes: all PEs have the same categories.
        plain = pd.DataFrame(
            {
                number: column.cat.codes
                if isinstance(column.dtype, pd.CategoricalDtype)
                else column
                for number, (_, column) in enumerate(table.items())
            },
            index=table.index,
        )
        pickle.dump(plain, file, protocol=5)

    def load(self, data: Any, like: Table | None) -> Table:
        # The bytes come from this package on another PE of the same job.
        plain = pickle.loads(data)
        if like is None:
            return plain
        columns = {
            number: pd.Categorical.from_codes(plain[number], dtype=dtype)
            if isinstance(dtype, pd.CategoricalDtype)
            else plain[number]
            for number, dtype in enumerate(like.dtypes)
        }
        return pd.DataFrame(columns, index=plain.index).set_axis(like.columns, axis=1)

    def concatenate(self, tables: Sequence[Table]) -> Table:
        return pd.concat(tables, ignore_index=True)

    def with_common_types(self, tables: Sequence[Table]) -> Table:
        first = tables[0]
        return self.cast(
            first.reset_index(drop=True),
            [
                _common_dtype(column, [each.dtypes.iloc[number] for each in tables])
                for number, column in enumerate(first.columns)
            ],
        )

    def cast(self, table: Table, like: Any) -> Table:
        dtypes = like if isinstance(like, list) else list(like.dtypes)
        columns = {}
        for number, ((name, column), dtype) in enumerate(zip(table.items(), dtypes)):
            try:
                columns[number] = _cast(column, dtype)
            except (TypeError, ValueError) as problem:
                raise ArgumentError(
                    f"column {name!r} has type {column.dtype} on one PE, which does not become "
                    f"{dtype}, the common type of all PEs: {problem}: convert it to one type"
                ) from problem
        return pd.DataFrame(columns, index=table.index).set_axis(table.columns, axis=1)

    def hashes(self, table: Table, column: Any) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
        values = table[column]
        present = values.notna().to_numpy(dtype=bool)
        return present, _hashes_of(values[present])

    def order(self, table: Table, by: list[Any], descending: list[bool]) -> Array:
        keys = table[by].reset_index(drop=True)
        ascending = [not each for each in descending]
        keys = keys.sort_values(by, ascending=ascending, kind="stable", na_position="last")
        return np.asarray(keys.index, np.int64)

    def first_rows(self, table: Table, subset: list[Any]) -> Table:
        return table.drop_duplicates(subset).reset_index(drop=True)

    def needed(self, table: Table, aggregations: Any) -> Iterable[Any]:
        if not isinstance(aggregations, Mapping):
            return list(table.columns)
        if _is_named(aggregations):
            read = [each[0] for each in aggregations.values()]
        else:
            read = list(aggregations)
        return chosen(list(table.columns), list(dict.fromkeys(read)), "aggregations")

    def aggregate(
        self, table: Table, by: list[Any], aggregations: Any, options: Mapping[str, Any]
    ) -> Table:
        if options.get("observed") is False:
            raise ArgumentError(
                "observed is False, which makes groups of categories without rows on every PE: "
                "leave it out"
            )
        groups = table.groupby(by, **{"observed": True, **options})
        return groups.agg(**aggregations) if _is_named(aggregations) else groups.agg(aggregations)

    def nbytes(self, table: Table) -> int:
        return int(table.memory_usage(index=False, deep=True).sum())

    def functions(
        self, like: Table, by: list[Any], aggregations: Any, options: Mapping[str, Any]
    ) -> list[Function] | None:
        if set(options) - {"as_index", "dropna", "observed", "sort"}:
            return None
        columns = [column for column in like.columns if column not in by]
        found = _functions_of(columns, aggregations)
        if found is None or any(isinstance(column, tuple) for column in like.columns):
            return None
        for name, column in found:
            if column is not None and (
                column not in columns or not _can_combine(name, like[column].dtype)
            ):
                return None
        return found

    def combine(
        self,
        table: Table,
        by: list[Any],
        functions: Mapping[str, Function],
        options: Mapping[str, Any],
    ) -> Table:
        table = table.reset_index(drop=True)
        columns = {f"key {i}": table[column] for i, column in enumerate(by)}
        keys = list(columns)
        aggregations = {}
        for name, (function, column) in functions.items():
            values = np.zeros(len(table), np.int8) if column is None else table[column]
            if function == "real_sum":
                values = _as_real(values)
            elif function in ("sum", "product"):
                values = _as_wide(values)
            columns[name] = values
            aggregations[name] = (name, _FUNCTIONS[function])
        dropna = options.get("dropna", True)
        groups = pd.DataFrame(columns).groupby(keys, sort=False, observed=True, dropna=dropna)
        result = groups.agg(**aggregations).reset_index()
        return result.set_axis([*by, *functions], axis=1)

    def finish(
        self,
        states: Table,
        by: list[Any],
        outputs: Sequence[tuple[str, str | None]],
        template: Any,
        options: Mapping[str, Any],
    ) -> Any:
        is_series = isinstance(template, pd.Series)
        has_index = options.get("as_index", True)
        dtypes = [template.dtype] if is_series else list(template.dtypes)[-len(outputs) :]
        columns = dict(enumerate(states[key] for key in by)) if not has_index else {}
        for (name, count), dtype in zip(outputs, dtypes, strict=True):
            values = states[name]
            if count is not None:
                # Of rows, unlike of none, means of 16 bits have 32.
                dtype = np.dtype(np.float32) if dtype == np.float16 else dtype
                values = (values / states[count]).where(states[count] != 0).astype(dtype)
            else:
                values = _as_narrow(values, dtype)
            columns[len(columns)] = values
        result = pd.DataFrame(columns)
        if has_index:
            # `set_index` makes a range of some integers, which changes their type.
            is_single = len(by) == 1
            result.index = (
                pd.Index(states[by[0]]) if is_single else pd.MultiIndex.from_frame(states[by])
            )
        if is_series:
            return result[0].rename(template.name)
        return result.set_axis(template.columns, axis=1)

    def concatenate_results(
        self, results: Sequence[Any], by: list[Any], options: Mapping[str, Any]
    ) -> Any:
        has_index = options.get("as_index", True)
        whole = results[0] if len(results) == 1 else pd.concat(results, ignore_index=not has_index)
        if not options.get("sort", True):
            return whole
        try:
            if has_index:
                return whole.sort_index(kind="stable")
            keys = list(whole.columns[: len(by)])
            return whole.sort_values(keys, kind="stable", ignore_index=True)
        except TypeError:  # keys without an order, which pandas does not sort either
            return whole

    def join(
        self, left: Table, right: Table, on: list[Any], how: str, options: Mapping[str, Any]
    ) -> Table:
        return left.merge(right, on=on, how=how, **options)

    def to_arrow(self, table: Table) -> Any:
        import pyarrow as pa

        return pa.Table.from_pandas(table, preserve_index=False)

    def from_arrow(self, table: Any) -> Table:
        frame = table.to_pandas()
        return frame if isinstance(frame.index, pd.RangeIndex) else frame.reset_index()


_FUNCTIONS = {
    "size": "size",
    "count": "count",
    "sum": "sum",
    "real_sum": "sum",
    "min": "min",
    "max": "max",
    "product": "prod",
    "any": "any",
    "all": "all",
    "mean": "mean",
}
_NAMES = {word: name for name, word in _FUNCTIONS.items() if name != "real_sum"}


def _functions_of(columns: list[Any], aggregations: Any) -> list[Function] | None:
    """The functions that aggregations name; None if there are others."""
    if isinstance(aggregations, str):
        pairs = [(None, "size")] if aggregations == "size" else [(c, aggregations) for c in columns]
    elif not isinstance(aggregations, Mapping):
        return None
    elif _is_named(aggregations):
        pairs = list(aggregations.values())
    else:
        pairs = [
            (column, word)
            for column, words in aggregations.items()
            for word in (words if isinstance(words, list) else [words])
        ]
    if not all(isinstance(word, str) and word in _NAMES for _, word in pairs):
        return None
    return [Function(_NAMES[word], column) for column, word in pairs]


def _can_combine(name: str, dtype: Any) -> bool:
    """Whether the results of a function for parts of the values can be combined."""
    kind = getattr(dtype, "kind", "O")
    if name in ("sum", "product"):
        return kind in ("biufcm" if name == "sum" else "biufc")
    if name in ("mean", "any", "all"):
        return kind in "biuf"
    return name in ("count", "size") or kind != "c"


def _as_real(values: Any) -> Any:
    """The values as floating-point numbers of 64 bits, missing where they are missing."""
    if isinstance(values.dtype, pd.ArrowDtype):
        return values.astype("double[pyarrow]")
    return values.astype("float64" if isinstance(values.dtype, np.dtype) else "Float64")


def _as_wide(values: Any) -> Any:
    """Integers with 64 bits. Of fewer bits, pandas gives sums that happen to need no more the type
    of the values, which sums of such sums may not fit into."""
    kind = getattr(values.dtype, "kind", "O")
    if kind not in "iu":
        return values
    name = "int64" if kind == "i" else "uint64"
    if isinstance(values.dtype, pd.ArrowDtype):
        return values.astype(f"{name}[pyarrow]")
    is_plain = isinstance(values.dtype, np.dtype)
    return values.astype(name if is_plain else name.replace("i", "I").replace("u", "U"))


def _as_narrow(values: Any, dtype: Any) -> Any:
    """Integers in a type of fewer bits if all of them fit, as pandas gives sums."""
    if values.dtype == dtype or getattr(dtype, "kind", "O") not in "iu":
        return values
    limits = np.iinfo(dtype if isinstance(dtype, np.dtype) else dtype.numpy_dtype)
    present = values.dropna()
    fit = len(present) == 0 or limits.min <= present.min() <= present.max() <= limits.max
    return values.astype(dtype) if fit else values


def _is_named(aggregations: Any) -> bool:
    """Whether these are named aggregations, ``name=(column, function)``."""
    return isinstance(aggregations, Mapping) and all(
        isinstance(each, tuple) and len(each) == 2 for each in aggregations.values()
    )


LIBRARY = _Pandas()
