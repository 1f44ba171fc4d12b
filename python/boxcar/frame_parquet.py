"""Files of Parquet, of which each PE reads some groups of rows."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from .agreement import Call
from .errors import ArgumentError
from .frame_files import (
    REMEDY,
    LibraryName,
    Paths,
    check_library,
    check_pieces,
    files_of,
    naming,
    read_part,
    write_part,
)
from .frame_library import Table, chosen
from .frame_pieces import Pieces
from .joint_file import file_checks
from .progress import Progress

if TYPE_CHECKING:
    from .world import World


def shares_of(sizes: Sequence[int], pes: int) -> list[int]:
    """The PE of each piece: neighbouring pieces for each PE, with sums of sizes that are alike."""
    ends = np.cumsum(sizes)
    middles = ends - np.asarray(sizes) / 2
    total = max(int(ends[-1]), 1) if len(ends) else 1
    return [min(int(middle * pes / total), pes - 1) for middle in middles]


def _row_groups_and_columns(
    world: World, name: str, files: list[str], columns: Any
) -> tuple[list[tuple[int, int, int]], Any]:
    """Collective. File, number in the file, and bytes of all groups of rows, in order; and the
    columns to be read, those of the first file if all are.

    Raises ArgumentError if all columns are to be read, and files have different ones.
    """
    call = Call(world._pe, name)
    mine: list[tuple[int, int, int]] = []
    names: dict[tuple[str, ...], int] = {}
    with file_checks(call, files, REMEDY):
        import pyarrow.parquet as pq

        for number in range(world.rank, len(files), world.size):
            with naming(files[number]):
                footer = pq.read_metadata(files[number])
                names.setdefault(tuple(footer.schema.to_arrow_schema().names), number)
            for group in range(footer.num_row_groups):
                mine.append((number, group, footer.row_group(group).total_byte_size))
    call.agree()
    everywhere = world.all_gather((mine, names))
    groups = sorted(each for of_pe, _ in everywhere for each in of_pe)
    if columns is None:
        by_file = sorted(
            (number, each) for _, of_pe in everywhere for each, number in of_pe.items()
        )
        columns = list(by_file[0][1])
        for number, each in by_file:
            if sorted(each) != sorted(columns):
                raise ArgumentError(
                    f"{name}: {files[number]} has the columns {list(each)}, and {files[0]} has "
                    f"{columns}: give files with the same columns, or choose columns that all have"
                )
    return groups, columns


def _columns_of(file: Any, path: str, columns: Any) -> list[str]:
    names = list(file.schema_arrow.names)
    # A file without columns has none to be chosen.
    return names if columns == names else chosen(names, columns, "columns", path)


def _read_groups(
    files: list[str], groups: list[tuple[int, int]], columns: Any, shown: Progress
) -> Any:
    """The rows of some groups of rows; of none, a table without rows."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    tables = []
    for number in sorted({file for file, _ in groups}) or [0]:
        with naming(files[number]), pq.ParquetFile(files[number]) as file:
            wanted = _columns_of(file, files[number], columns)
            for group in [each for of, each in groups if of == number]:
                tables.append(file.read_row_group(group, columns=wanted).select(wanted))
                shown.at(len(tables))
            if not groups:
                tables.append(file.schema_arrow.empty_table().select(wanted))
    with naming(", ".join(files)):
        return pa.concat_tables(tables, promote_options="permissive")


def _read_pieces(
    files: list[str], groups: list[tuple[int, int, int]], columns: Any, nbytes: int
) -> Iterator[Any]:
    """The rows of some groups of rows, in tables of about so many bytes."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    for number in sorted({file for file, _, _ in groups}):
        with naming(files[number]), pq.ParquetFile(files[number]) as file:
            wanted = _columns_of(file, files[number], columns)
            of_file = [(group, size) for of, group, size in groups if of == number]
            rows = sum(file.metadata.row_group(group).num_rows for group, _ in of_file)
            size = max(sum(size for _, size in of_file), 1)
            batches = file.iter_batches(
                batch_size=max(rows * nbytes // size, 1),
                row_groups=[group for group, _ in of_file],
                columns=wanted,
            )
            for batch in batches:
                yield pa.Table.from_batches([batch]).select(wanted)


def parquet_pieces(
    world: World,
    paths: Paths,
    columns: Any = None,
    library: LibraryName = "pandas",
    *,
    piece: int | str = "64 MiB",
) -> Pieces:
    """Read files of Parquet piece by piece, for data that are larger than memory.

    Collective; the iteration is local. Needs pyarrow. Each PE gets the share that ``read_parquet``
    gives it.

    Args:
        paths: As for ``read_parquet``.
        columns: As for ``read_parquet``.
        library: ``"pandas"``, ``"polars"`` or ``"pyarrow"``.
        piece: About how many bytes the values of a piece have, as Parquet counts them without
            compression: a number, or text as ``"1 GiB"``. Tables of pandas may take several times
            as much.

    Returns:
        An iterator of tables, in the order of the files. ``group_by`` takes it as it is.

    Raises:
        ArgumentError: On all PEs, if a file cannot be read. The iterator raises it on this PE, if
            a file cannot be read any more, or a column is not there.
        WorldError: If a PE failed or left.
    """
    name = "frame.parquet_pieces"
    nbytes = check_pieces(world, name, library, columns, piece)
    files = files_of(world, name, paths, ".parquet")
    groups, columns = _row_groups_and_columns(world, name, files, columns)
    owners = shares_of([size for _, _, size in groups], world.size)
    mine = [group for group, pe in zip(groups, owners) if pe == world.rank]
    count = -(-sum(size for _, _, size in mine) // nbytes)
    return Pieces(library, _read_pieces(files, mine, columns, nbytes), count)


def read_parquet(
    world: World, paths: Paths, columns: Any = None, library: LibraryName = "pandas"
) -> Table:
    """Read files of Parquet, of which each PE gets its share.

    Collective. Needs pyarrow. The shares are whole groups of rows, with about the same number of
    bytes; the order of the rows of all PEs is that of the files, whatever the number of PEs.

    Args:
        paths: A file, a list of files, or a folder, which means its files ``*.parquet`` in the
            order of their names. The same on all PEs, which all reach the files.
        columns: The columns to be read, of files that may have others. All if None: the files have
            the same ones, and the table has the order of those of the first file.
        library: ``"pandas"``, ``"polars"`` or ``"pyarrow"``.

    Raises:
        ArgumentError: On all PEs, if a file cannot be read, or a column is not there.
        WorldError: If a PE failed or left.
    """
    name = "frame.read_parquet"
    check_library(world, name, library, columns)
    files = files_of(world, name, paths, ".parquet")
    groups, columns = _row_groups_and_columns(world, name, files, columns)
    owners = shares_of([size for _, _, size in groups], world.size)
    mine = [group[:2] for group, pe in zip(groups, owners) if pe == world.rank]
    with Progress(world, name, len(mine)) as shown:
        return read_part(world, name, library, lambda: _read_groups(files, mine, columns, shown))


def write_parquet(world: World, table: Table, folder: str | os.PathLike[str]) -> None:
    """Write a table to a folder, one file of Parquet for each PE.

    Collective. Needs pyarrow. The files are ``part-00000.parquet`` and so on: the order of their
    names is that of the rows of all PEs. Files that a former call has written there are replaced
    when all PEs have written. The index of pandas is not written.

    Args:
        table: This PE's part.
        folder: The same on all PEs; it is made if need be.

    Raises:
        ArgumentError: On all PEs, if one of them cannot write, or the folder has other files
            ``*.parquet``.
        WorldError: If a PE failed or left.
    """

    def write(arrow: Any, path: str) -> None:
        import pyarrow.parquet as pq

        pq.write_table(arrow, path)

    write_part(world, "frame.write_parquet", table, folder, ".parquet", write, has_types=True)
