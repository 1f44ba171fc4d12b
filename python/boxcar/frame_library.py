"""The functions of a library of tables (pandas, polars, Arrow) that frames need."""

from __future__ import annotations

import importlib
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, BinaryIO, NamedTuple

import numpy.typing as npt

from .arrays import Array
from .errors import ArgumentError

Table = Any
"""A DataFrame of pandas or polars, or a Table of Arrow."""


class Function(NamedTuple):
    """A function of the values of a group, whose results for parts of the group can be combined."""

    name: str
    """``"size"`` counts rows, and ``"count"`` the values that are not missing. ``"real_sum"`` is
    the sum of the values as floating-point numbers of 64 bits. ``"sum"``, ``"min"``, ``"max"``,
    ``"product"``, ``"any"``, ``"all"`` and ``"mean"`` are those of the library."""
    column: Any
    """None for ``"size"`` of a table."""


_MODULES = {"pandas": "frame_pandas", "polars": "frame_polars", "pyarrow": "frame_arrow"}
_TABLES = {("pandas", "DataFrame"), ("polars", "DataFrame"), ("pyarrow", "Table")}


class Library(ABC):
    """The functions of one library, all of them local.

    A table never changes. The methods accept only columns that exist.
    """

    name: str

    @abstractmethod
    def columns(self, table: Table) -> list[Any]: ...

    def rows(self, table: Table) -> int:
        return len(table)

    @abstractmethod
    def select(self, table: Table, columns: list[Any]) -> Table: ...

    @abstractmethod
    def take(self, table: Table, rows: Array) -> Table:
        """The rows with these numbers, in their order. Tables of pandas lose their index."""

    @abstractmethod
    def dump(self, table: Table, file: BinaryIO) -> None:
        """Writes the table behind the present end of the file."""

    @abstractmethod
    def load(self, data: Any, like: Table | None) -> Table:
        """Reads a table that ``dump`` has written.

        The table has rows, and ``like`` the same types of columns; or the table has no rows, and
        ``like`` is None.
        """

    @abstractmethod
    def concatenate(self, tables: Sequence[Table]) -> Table:
        """The rows of tables with the same types of columns. Precondition: one table at least."""

    @abstractmethod
    def with_common_types(self, tables: Sequence[Table]) -> Table:
        """A table without rows whose types of columns hold the values of all the tables.

        Precondition: the tables have no rows, and the same columns.
        """

    @abstractmethod
    def cast(self, table: Table, like: Table) -> Table:
        """The table with the types of columns of another one."""

    @abstractmethod
    def hashes(self, table: Table, column: Any) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
        """Whether each value of a column is present, and a hash for each value that is.

        Equal values have equal hashes on all PEs, whatever the types of the columns.
        """

    @abstractmethod
    def order(self, table: Table, by: list[Any], descending: list[bool]) -> Array:
        """The numbers of the rows in the order of the columns; stable, missing values last."""

    @abstractmethod
    def first_rows(self, table: Table, subset: list[Any]) -> Table:
        """The first row of each combination of values of the subset, in the present order."""

    @abstractmethod
    def needed(self, table: Table, aggregations: Any) -> Iterable[Any]:
        """The columns that aggregations read."""

    @abstractmethod
    def aggregate(
        self, table: Table, by: list[Any], aggregations: Any, options: Mapping[str, Any]
    ) -> Table: ...

    @abstractmethod
    def nbytes(self, table: Table) -> int:
        """The number of bytes of the values of a table in memory."""

    @abstractmethod
    def functions(
        self, like: Table, by: list[Any], aggregations: Any, options: Mapping[str, Any]
    ) -> list[Function] | None:
        """The function of a column that each aggregation is, in the order of the results.

        None, if the result of one of them does not follow from results for parts of the rows.

        Args:
            like: A table without rows that has the types of the columns.
        """

    @abstractmethod
    def combine(
        self,
        table: Table,
        by: list[Any],
        functions: Mapping[str, Function],
        options: Mapping[str, Any],
    ) -> Table:
        """A table with the keys and a column for each function, under its name."""

    @abstractmethod
    def finish(
        self,
        states: Table,
        by: list[Any],
        outputs: Sequence[tuple[str, str | None]],
        template: Any,
        options: Mapping[str, Any],
    ) -> Any:
        """The result of ``aggregate`` from the columns of ``combine``.

        Args:
            outputs: For each result a column; or two columns, whose quotient is the result.
            template: What ``aggregate`` makes of a table without rows.
        """

    @abstractmethod
    def concatenate_results(
        self, results: Sequence[Any], by: list[Any], options: Mapping[str, Any]
    ) -> Any:
        """What ``aggregate`` would make of all rows, from what it makes of some groups each."""

    @abstractmethod
    def join(
        self, left: Table, right: Table, on: list[Any], how: str, options: Mapping[str, Any]
    ) -> Table: ...

    @abstractmethod
    def to_arrow(self, table: Table) -> Any: ...

    @abstractmethod
    def from_arrow(self, table: Any) -> Table: ...


def library_named(name: str) -> Library:
    if name not in _MODULES:
        raise ArgumentError(f'library is {name!r}: give "pandas", "polars" or "pyarrow"')
    try:
        module = importlib.import_module(f".{_MODULES[name]}", __package__)
    except ImportError as problem:
        raise ArgumentError(f"{name} cannot be imported: {problem}: install it") from problem
    library: Library = module.LIBRARY
    return library


def _library_name(table: Any) -> str | None:
    for kind in type(table).__mro__:
        library: str = kind.__module__.split(".")[0]
        if (library, kind.__name__) in _TABLES:
            return library
    return None


def is_table(value: Any) -> bool:
    return _library_name(value) is not None


def library_of(table: Any, name: str) -> Library:
    library = _library_name(table)
    if library is not None:
        return library_named(library)
    raise ArgumentError(
        f"{name} is a {type(table).__module__}.{type(table).__name__}: give a DataFrame of pandas "
        "or polars, or a Table of pyarrow"
    )


def columns_of(library: Library, table: Table, name: str) -> list[Any]:
    """The names of the columns. Raises ArgumentError if two columns have the same name."""
    columns = library.columns(table)
    twice = [column for column in columns if columns.count(column) > 1]
    if twice:
        raise ArgumentError(f"{name} has several columns {twice[0]!r}: rename all but one of them")
    return columns


def chosen(columns: list[Any], choice: Any, name: str, table: str = "the table") -> list[Any]:
    """A column or a list of columns as a list. Raises ArgumentError if one does not exist."""
    if isinstance(choice, str) or (isinstance(choice, tuple) and _is_one_of(choice, columns)):
        names = [choice]
    else:
        names = list(choice) if isinstance(choice, (list, tuple)) else [choice]
    if not names:
        raise ArgumentError(f"{name} is empty: give a column at least")
    check_columns(columns, names, name, table)
    if len(set(names)) < len(names):
        raise ArgumentError(f"{name} is {names}: give each column once")
    return names


def check_columns(
    columns: list[Any], names: list[Any], name: str, table: str = "the table"
) -> None:
    """Raises ArgumentError with the first of the names that is not the name of a column."""
    for each in names:
        if not _is_one_of(each, columns):
            there = ", ".join(map(repr, columns)) or "no columns"
            raise ArgumentError(f"{name} has {each!r}, but {table} has {there}: give one of these")


def _is_one_of(name: Any, columns: list[Any]) -> bool:
    """Whether a column has this name. An array, an expression and what else cannot be a name has
    none."""
    try:
        hash(name)
        return name in columns
    except (TypeError, ValueError):
        return False
