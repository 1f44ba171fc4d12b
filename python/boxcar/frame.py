"""Whole tables of pandas, polars and Arrow, of which each PE has a part.

All functions are collective. A function returns a table of the library that the given table belongs
to, and columns keep their types. Missing values travel, too.

The order of the rows of all PEs is that of the PEs, and on each PE that of its part. An index of
pandas does not travel: ``reset_index`` makes columns of it. Columns that have different types on
different PEs become the type in which the library concatenates them; the types of parts without
rows do not count. Categories that differ are united.

A function needs memory for this PE's part, for the bytes that leave it, the bytes that arrive, and
the result.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from .agreement import Call
from .described import described
from .errors import ArgumentError
from .exchanging import destinations
from .frame_csv import csv_pieces, read_csv, write_csv
from .frame_grouping import Aggregations, group_pieces
from .frame_hashes import owners
from .frame_library import Table, chosen, is_table
from .frame_parquet import parquet_pieces, read_parquet, write_parquet
from .frame_results import result_of
from .frame_sorting import sorted_part
from .frame_transport import Part, agreed_part, give_common_types, move

if TYPE_CHECKING:
    from .world import World

__all__ = [
    "csv_pieces",
    "drop_duplicates",
    "exchange",
    "group_by",
    "join",
    "parquet_pieces",
    "read_csv",
    "read_parquet",
    "shuffle",
    "sort",
    "write_csv",
    "write_parquet",
]

Join = Literal["inner", "left", "right", "outer"]

_JOINS = ("inner", "left", "right", "outer")


def _to_owners(world: World, name: str, part: Part, by: list[Any]) -> Table:
    """Collective. The rows of all PEs whose keys belong to this PE."""
    call = Call(world._pe, name)
    to = np.empty(0, np.int32)
    with call.checks():
        to = owners(part.library, part.table, by, world.size)
    call.agree()
    return move(world, name, part, to)


def shuffle(world: World, table: Table, by: Any) -> Table:
    """Bring the rows with equal keys to one PE, the one that the hash of the key determines.

    Collective. Missing keys are one key.

    Args:
        table: This PE's part.
        by: A column or a list of columns: the key.

    Returns:
        The rows that belong to this PE: first those of PE 0 in their order, then those of PE 1, and
        so on. Tables of one library with equal keys have equal owners.

    Raises:
        ArgumentError: On all PEs, if what one of them gives cannot work.
        WorldError: If a PE failed or left.
    """
    name = "frame.shuffle"
    call = Call(world._pe, name)
    part = None
    keys: list[Any] = []
    with call.checks():
        part = Part(call, table)
        keys = chosen(part.columns, by, "by")
        call.must_be_alike({"by": keys})
    return _to_owners(world, name, agreed_part(world, call, part, name), keys)


def exchange(world: World, table: Table, pes: Any) -> Table:
    """Send each row to the PE that it is for.

    Collective.

    Args:
        table: This PE's part.
        pes: The PE of each row: integers.

    Returns:
        The rows that arrive here: first those of PE 0 in their order, then those of PE 1, and so
        on.

    Raises:
        ArgumentError: On all PEs, if what one of them gives cannot work; nothing has moved.
        WorldError: If a PE failed or left.
    """
    name = "frame.exchange"
    call = Call(world._pe, name)
    part = None
    to = np.empty(0, np.int32)
    with call.checks():
        part = Part(call, table)
        to = destinations(world.size, pes, len(part), "pes", "rows in the table")
    return move(world, name, agreed_part(world, call, part, name), to)


def group_by(
    world: World,
    table: Table | Iterable[Table],
    by: Any,
    aggregations: Any,
    *,
    memory: int | str | None = None,
    folder: str | os.PathLike[str] | None = None,
    whole: bool = True,
    **options: Any,
) -> Any:
    """Combine the rows with equal keys, by any functions that the library has or accepts.

    Collective. Each row travels once, and only with the columns that are needed: so every function
    is right, also a median, a count of different values, or a function of the program.

    A table that is larger than memory comes in pieces. If the result of every aggregation follows
    from results for parts of the rows (sum, count, minimum, maximum, product, mean, any, all; given
    by their names, and of polars as such a function of a column), the rows of each piece are
    combined before they travel, and the PE of a group keeps these results. Otherwise the PE of a
    group keeps the rows. What a PE keeps goes to a temporary file when it reaches the bound.

    Args:
        table: This PE's part: a table, or an iterable of tables with the same columns, the pieces.
            PEs may have different numbers of pieces, also none.
        by: A column or a list of columns: the key.
        aggregations: What the library takes, the same on all PEs. Of pandas: a dictionary as
            ``DataFrameGroupBy.agg`` takes it, also named aggregations, ``{name: (column,
            function)}``; or a function for all columns. Of polars: expressions of columns as
            ``GroupBy.agg`` takes them, or a dictionary of them by name. Of Arrow: the list that
            ``TableGroupBy.aggregate`` takes.
        memory: A bound for the memory that the groups of this PE take: a number of bytes, or text
            as ``"2 GiB"``. Pieces, also those that arrive, and the result take memory besides; and
            a single group whose rows need more is aggregated all the same. None: no bound.
        folder: Where temporary files are made if ``memory`` is given; that of the system if None.
            The files have no names and vanish with the process at the latest.
        whole: Whether the result is one table. If not, it is an iterator of tables, each with some
            of the groups, for results that are larger than memory. The iteration is local, and
            what fails in it is an exception on this PE.
        options: Further arguments of the library's own ``groupby`` or ``group_by``, as
            ``dropna=False`` of pandas.

    Returns:
        What the library makes of the groups that belong to this PE; of pandas, with the keys as
        index unless ``as_index=False``, in order unless ``sort=False``. The owner of a group is
        that of ``shuffle``. Of rows that do not fit into memory, groups of polars and Arrow are in
        no particular order.

    Raises:
        ArgumentError: On all PEs, if what one of them gives cannot work, if a temporary file cannot
            be written, or if an aggregation or the iterable raises an exception on another PE;
            where it did, that exception itself.
        WorldError: If a PE failed or left.

    Source: partitions on disk by hashes of the keys, which are split again if need be, are those of
    the hybrid hash aggregation (Shapiro, "Join processing in database systems with large main
    memories", ACM TODS, 1986).
    """
    name = "frame.group_by"
    what = Aggregations(by, aggregations, options)
    call = Call(world._pe, name)
    in_pieces = memory is not None or not is_table(table)
    with call.checks():
        if folder is not None and memory is None:
            raise ArgumentError(f"folder is {folder!r}, but memory is None: give a bound as well")
    # A PE may have a table where another PE has pieces.
    if any(call.agree(int(in_pieces or not whole))):
        return group_pieces(world, name, table, what, memory, folder, whole)
    call = Call(world._pe, name)
    part = None
    keys: list[Any] = []
    with call.checks():
        part, keys = what.part_of(call, table)
    part = agreed_part(world, call, part, name)
    part.table = _to_owners(world, name, part, keys)
    library = part.library
    return result_of(world, name, part, lambda mine: what.aggregate(library, mine, keys))


def join(
    world: World, left: Table, right: Table, on: Any, how: Join = "inner", **options: Any
) -> Table:
    """All pairs of rows of two tables with equal keys.

    Collective.

    Args:
        left: This PE's part of a table.
        right: This PE's part of another table of the same library.
        on: A column or a list of columns that both tables have: the key.
        how: ``"inner"``; or ``"left"``, ``"right"`` and ``"outer"``, with rows without a partner as
            well, whose other columns are missing values.
        options: Further arguments of the library's own ``merge`` or ``join``, as ``suffixes`` of
            pandas. Missing keys are partners of one another if they are in the library: of pandas
            yes, of polars and Arrow no.

    Returns:
        The pairs whose key belongs to this PE, as in ``shuffle``, in the order that the library
        gives them.

    Raises:
        ArgumentError: On all PEs, if what one of them gives cannot work, or if the library raises
            an exception on another PE; where it did, that exception itself.
        WorldError: If a PE failed or left.
    """
    name = "frame.join"
    call = Call(world._pe, name)
    part = other = None
    keys: list[Any] = []
    with call.checks():
        if how not in _JOINS:
            raise ArgumentError(f'how is {how!r}: give "inner", "left", "right" or "outer"')
        part, other = Part(call, left, "left"), Part(call, right, "right")
        if part.library is not other.library:
            raise ArgumentError(
                f"left is a table of {part.library.name}, and right of {other.library.name}: "
                "convert one of them"
            )
        keys = chosen(part.columns, on, "on", "left")
        chosen(other.columns, on, "on", "right")
        call.must_be_alike(
            {"on": keys, "how": how, "options": described(dict(sorted(options.items())))}
        )
    part = agreed_part(world, call, part, name)
    assert other is not None
    give_common_types(world, name, other)
    part.table = _to_owners(world, name, part, keys)
    other.table = _to_owners(world, name, other, keys)
    library, theirs = part.library, other.table
    return result_of(world, name, part, lambda mine: library.join(mine, theirs, keys, how, options))


def _directions(descending: Any, count: int) -> list[bool]:
    given = list(descending) if isinstance(descending, (list, tuple)) else [descending] * count
    if len(given) != count or not all(isinstance(each, (bool, np.bool_)) for each in given):
        raise ArgumentError(
            f"descending is {descending!r}: give True or False, or one of them for each column"
        )
    return [bool(each) for each in given]


def sort(world: World, table: Table, by: Any, descending: bool | list[bool] = False) -> Table:
    """The rows of all PEs in order: the first ones on PE 0, the next ones on PE 1, and so on.

    Collective. Stable: rows with equal keys stay in the order of the rows of all PEs. Missing keys
    come last in both directions. Values have the order that the library gives them.

    Args:
        table: This PE's part.
        by: A column or a list of columns: the key.
        descending: Whether the largest keys come first; or a list of this, for each column.

    Returns:
        This PE's share. Shares differ by several percent in length on up to some 250 PEs, however
        the keys are distributed, and by more on more PEs, where each PE gives fewer samples; rows
        with equal keys may lie on several PEs.

    Raises:
        ArgumentError: On all PEs, if what one of them gives cannot work.
        WorldError: If a PE failed or left.

    Source: sorting by samples (Frazer and McKellar, "Samplesort: a sampling approach to minimal
    storage tree sorting", Journal of the ACM, 1970).
    """
    name = "frame.sort"
    call = Call(world._pe, name)
    part = None
    keys: list[Any] = []
    directions: list[bool] = []
    with call.checks():
        part = Part(call, table)
        keys = chosen(part.columns, by, "by")
        directions = _directions(descending, len(keys))
        call.must_be_alike({"by": keys, "descending": directions})
    return sorted_part(world, name, agreed_part(world, call, part, name), keys, directions)


def drop_duplicates(world: World, table: Table, subset: Any = None) -> Table:
    """The first row of each key, in the order of the rows of all PEs.

    Collective. Missing values are equal to one another; of Arrow, 0.0 and -0.0 are different.

    Args:
        table: This PE's part.
        subset: A column or a list of columns: the key. All columns if None.

    Returns:
        The rows whose key belongs to this PE, as in ``shuffle``, in the order of the rows of all
        PEs.

    Raises:
        ArgumentError: On all PEs, if what one of them gives cannot work.
        WorldError: If a PE failed or left.
    """
    name = "frame.drop_duplicates"
    call = Call(world._pe, name)
    part = None
    keys: list[Any] = []
    with call.checks():
        part = Part(call, table)
        keys = chosen(part.columns, part.columns if subset is None else subset, "subset")
        call.must_be_alike({"subset": keys})
    part = agreed_part(world, call, part, name)
    _keep_first_rows(world, name, part, keys)
    part.table = _to_owners(world, name, part, keys)
    _keep_first_rows(world, name, part, keys)
    return part.table


def _keep_first_rows(world: World, name: str, part: Part, keys: list[Any]) -> None:
    """Collective. Drops the rows of this PE's part whose keys an earlier row of the part has."""
    call = Call(world._pe, name)
    with call.functions_of_program():
        part.table = part.library.first_rows(part.table, keys)
    call.agree()
