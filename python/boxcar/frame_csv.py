"""Files of CSV, of which each PE reads a range of bytes."""

from __future__ import annotations

import io
import os
from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING, Any

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

_AT_ONCE = 1 << 16
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"


def _end_of_line(file: Any, at: int, size: int) -> int:
    """Where the line ends that has the byte before a position."""
    if at == 0:
        return 0
    begin = at - 1
    file.seek(begin)
    while block := file.read(_AT_ONCE):
        end = block.find(b"\n")
        if end >= 0:
            return int(begin + end + 1)
        begin += len(block)
    return size


def _lines_between(path: str, first: int, last: int) -> tuple[bytes, bytes]:
    """The header of a file, and those of its lines behind it that begin in a range of bytes."""
    size = os.path.getsize(path)
    with naming(path), open(path, "rb") as file:
        header = file.readline()
        if b"\r" in header.rstrip(b"\r\n"):
            raise ValueError("the lines end with CR alone, or there is one in the names of columns")
        begin = max(_end_of_line(file, max(first, 0), size), len(header))
        end = max(_end_of_line(file, min(last, size), size), begin)
        file.seek(begin)
        return header, file.read(end - begin)


def _shares(sizes: list[int], rank: int, pes: int) -> list[tuple[int, int, int]]:
    """File, first and last byte of this PE's ranges of files one after another."""
    total = sum(sizes)
    first, last = total * rank // pes, total * (rank + 1) // pes
    ranges = []
    for number, size in enumerate(sizes):
        if first < size and last > 0:
            ranges.append((number, max(first, 0), min(last, size)))
        first, last = first - size, last - size
    return ranges


# Those of Arrow without NaN, which is a floating-point number.
_MISSING_VALUES = ["", "#N/A", "#N/A N/A", "#NA", "N/A", "NA", "NULL", "n/a", "null"]
_MISSING_VALUES += ["-1.#IND", "-1.#QNAN", "1.#IND", "1.#QNAN"]


class _Text:
    """The text of this PE's share of files of CSV."""

    def __init__(
        self, files: list[str], shares: list[tuple[int, int, int]], columns: Any, delimiter: str
    ) -> None:
        self._delimiter = delimiter
        self._blocks: list[tuple[str, bytes]] = []
        self._names = self._names_of(files[0], _lines_between(files[0], 0, 0)[0])
        self._is_single = len(self._names) == 1
        self.columns = (
            self._names if columns is None else chosen(self._names, columns, "columns", files[0])
        )
        twice = [name for name in self.columns if self._names.count(name) > 1]
        if twice:
            raise ArgumentError(
                f"{files[0]} has several columns {twice[0]!r}: rename all but one of them"
            )
        for number, first, last in shares:
            header, lines = _lines_between(files[number], first, last)
            names = self._names_of(files[number], header)
            if names != self._names:
                raise ArgumentError(
                    f"{files[number]} has the columns {names}, and {files[0]} has {self._names}: "
                    "give files with the same columns"
                )
            # An empty line of a table with one column is a missing value.
            if (lines if self._is_single else lines.strip()) != b"":
                self._blocks.append((files[number], lines))

    def _names_of(self, file: str, header: bytes) -> list[str]:
        import pyarrow as pa
        from pyarrow import csv

        with naming(file):
            parse = csv.ParseOptions(delimiter=self._delimiter)
            header = header if header.endswith(b"\n") else header + b"\n"
            return list(csv.read_csv(pa.BufferReader(header), parse_options=parse).column_names)

    def _table(self, block: tuple[str, bytes], types: Any, columns: list[str] | None = None) -> Any:
        import pyarrow as pa
        from pyarrow import csv

        file, lines = block
        # The reader takes such a mark away from the beginning, where it belongs to a value here.
        mark = _BYTE_ORDER_MARK if lines.startswith(_BYTE_ORDER_MARK) else b""
        with naming(file):
            table = csv.read_csv(
                pa.BufferReader(mark + lines),
                csv.ReadOptions(column_names=self._names),
                csv.ParseOptions(delimiter=self._delimiter, ignore_empty_lines=not self._is_single),
                csv.ConvertOptions(
                    column_types=types,
                    include_columns=self.columns if columns is None else columns,
                    null_values=_MISSING_VALUES,
                    strings_can_be_null=True,
                    quoted_strings_can_be_null=False,
                ),
            )
            rows = table.num_rows
            if self._has_line_end_in_value(lines, rows) or self._ends_within_value(lines):
                raise ValueError("a value has a line end in it")
            return table

    def _has_line_end_in_value(self, lines: bytes, rows: int) -> bool:
        """Whether the text has fewer rows than lines, without empty lines that do not count."""
        if rows >= lines.count(b"\n"):
            return False
        return self._is_single or rows < sum(
            line.strip(b"\r\n") != b"" for line in io.BytesIO(lines)
        )

    def _ends_within_value(self, lines: bytes) -> bool:
        """Whether the last line ends in the middle of a quoted value."""
        end = lines.rstrip(b"\r\n")
        is_within = False
        for piece in end[end.rfind(b"\n") + 1 :].split(self._delimiter.encode()):
            has_odd_marks = piece.count(b'"') % 2 == 1
            is_within = not has_odd_marks if is_within else piece.startswith(b'"') and has_odd_marks
        return is_within

    @property
    def num_blocks(self) -> int:
        """The number of files with text of this share."""
        return len(self._blocks)

    def tables(self) -> Iterator[Any]:
        """A table of each file, with the types that this PE's text suggests."""
        return (self._table(block, None) for block in self._blocks)

    def can_be(self, column: str, type: Any) -> bool:
        """Whether all text of a column can be values of a type."""
        try:
            for block in self._blocks:
                self._table(block, {column: type}, [column])
        except ArgumentError:
            return False
        return True

    def with_types(self, tables: list[Any], schema: Any) -> Any:
        """One table with these types. Text is read again where it suggested other types.

        Args:
            tables: Those of ``tables``, or None for those that do not exist any more.
        """
        import pyarrow as pa

        return pa.concat_tables(
            [schema.empty_table()]
            + [
                self._table(block, schema)
                if table is None or not table.schema.equals(schema)
                else table
                for block, table in zip(self._blocks, tables, strict=True)
            ]
        )


def _common_type(types: set[Any]) -> Any:
    """The type of a column in whose parts the text suggests these types."""
    import pyarrow as pa

    types = types - {pa.null()} or {pa.null()}
    if len(types) == 1:
        return types.pop()
    if types == {pa.int64(), pa.float64()}:
        return pa.float64()
    if pa.binary() in types:  # of text that is no UTF-8
        return pa.binary()
    zones = {getattr(each, "tz", None) for each in types}
    if all(pa.types.is_date(each) or pa.types.is_timestamp(each) for each in types) and (
        len(zones) == 1
    ):
        are_fine = pa.timestamp("ns", *zones) in types
        return pa.timestamp("ns" if are_fine else "s", *zones)
    return pa.string()


def _common_schema(world: World, name: str, text: _Text | _TextPieces, mine: list[Any]) -> Any:
    """Collective. The types of the columns that the text on all PEs can be.

    Args:
        mine: The types that parts of the text of this PE suggest.
    """
    import pyarrow as pa

    schemas = [each for of_pe in world.all_gather(mine) for each in of_pe]
    fields = []
    for number, column in enumerate(text.columns):
        types = {schema.field(number).type for schema in schemas}
        # The text of numbers may be that of truth values: 0 and 1.
        if types - {pa.null()} == {pa.bool_(), pa.int64()}:
            call = Call(world._pe, name)
            are_truth_values = False
            with call.checks():
                are_truth_values = text.can_be(column, pa.bool_())
            types = {pa.bool_()} if all(call.agree(int(are_truth_values))) else types
        fields.append((column, _common_type(types)))
    return pa.schema(fields)


def read_csv(
    world: World,
    paths: Paths,
    columns: Any = None,
    library: LibraryName = "pandas",
    *,
    delimiter: str = ",",
) -> Table:
    """Read files of CSV, of which each PE gets its share.

    Collective. Needs pyarrow. The PEs read ranges of about the same number of bytes, cut between
    lines, also within a file; the order of the rows of all PEs is that of the files. Each file
    begins with a line of the names of the columns. The PEs agree on the types: a column is what
    the text on all PEs can be. Memory is needed for the text of the share and for its table.

    Args:
        paths: A file, a list of files, or a folder, which means its files ``*.csv`` in the order of
            their names. The same on all PEs, which all reach the files. Lines end with LF or CR LF;
            a value with a line end in it is an error. Nothing at all, NA, N/A, n/a, NULL and null
            without quotation marks are missing values.
        columns: The columns to be read; all if None.
        library: ``"pandas"``, ``"polars"`` or ``"pyarrow"``.
        delimiter: The character between values.

    Raises:
        ArgumentError: On all PEs, if a file cannot be read, or a column is not there.
        WorldError: If a PE failed or left.
    """
    name = "frame.read_csv"
    check_library(world, name, library, columns)
    files = files_of(world, name, paths, ".csv")
    call = Call(world._pe, name)
    text = None
    tables: list[Any] = []
    with file_checks(call, paths, REMEDY):
        sizes = [os.path.getsize(each) for each in files]
        call.must_be_alike({"delimiter": delimiter, "sizes of the files": sizes})
        text = _Text(files, _shares(sizes, world.rank, world.size), columns, delimiter)
        with Progress(world, name, text.num_blocks) as shown:
            for number, table in enumerate(text.tables(), 1):
                tables.append(table)
                shown.at(number)
    call.agree()
    assert text is not None
    schema = _common_schema(world, name, text, [table.schema for table in tables])
    return read_part(world, name, library, partial(text.with_types, tables, schema))


class _TextPieces:
    """The text of this PE's share of files of CSV, some lines at a time."""

    def __init__(
        self,
        files: list[str],
        shares: list[tuple[int, int, int]],
        columns: Any,
        delimiter: str,
        nbytes: int,
    ) -> None:
        self._files = files
        self._choice = columns
        self._delimiter = delimiter
        self.ranges = [
            (number, begin, min(begin + nbytes, last))
            for number, first, last in shares
            for begin in range(first, last, nbytes)
        ]
        self.columns = self._text([]).columns

    def _text(self, ranges: list[tuple[int, int, int]]) -> _Text:
        return _Text(self._files, ranges, self._choice, self._delimiter)

    def schemas(self, shown: Progress) -> list[Any]:
        """The different types that the text of the pieces suggests."""
        found: list[Any] = []
        for number, each in enumerate(self.ranges, 1):
            of_piece = [table.schema for table in self._text([each]).tables()]
            found += [schema for schema in of_piece if schema not in found]
            shown.at(number)
        return found

    def can_be(self, column: str, type: Any) -> bool:
        """Whether all text of a column can be values of a type."""
        return all(self._text([each]).can_be(column, type) for each in self.ranges)

    def tables(self, schema: Any) -> Iterator[Any]:
        for each in self.ranges:
            text = self._text([each])
            yield text.with_types([None] * text.num_blocks, schema)


def csv_pieces(
    world: World,
    paths: Paths,
    columns: Any = None,
    library: LibraryName = "pandas",
    *,
    delimiter: str = ",",
    piece: int | str = "64 MiB",
) -> Pieces:
    """Read files of CSV piece by piece, for data that are larger than memory.

    Collective; the iteration is local. Needs pyarrow. Each PE gets the share that ``read_csv``
    gives it, with the same types of columns. For the types, the PEs read all text once before the
    iteration.

    Args:
        paths: As for ``read_csv``.
        columns: The columns to be read; all if None.
        library: ``"pandas"``, ``"polars"`` or ``"pyarrow"``.
        delimiter: The character between values.
        piece: How many bytes the text of a piece has, rounded to whole lines: a number, or text as
            ``"1 GiB"``.

    Returns:
        An iterator of tables, in the order of the files. ``group_by`` takes it as it is.

    Raises:
        ArgumentError: On all PEs, if a file cannot be read, or a column is not there. The iterator
            raises it on this PE, if a file cannot be read any more.
        WorldError: If a PE failed or left.
    """
    name = "frame.csv_pieces"
    nbytes = check_pieces(world, name, library, columns, piece)
    files = files_of(world, name, paths, ".csv")
    call = Call(world._pe, name)
    text = None
    schemas: list[Any] = []
    with file_checks(call, paths, REMEDY):
        sizes = [os.path.getsize(each) for each in files]
        call.must_be_alike({"delimiter": delimiter, "sizes of the files": sizes})
        shares = _shares(sizes, world.rank, world.size)
        text = _TextPieces(files, shares, columns, delimiter, nbytes)
        with Progress(world, f"{name}, types", len(text.ranges)) as shown:
            schemas = text.schemas(shown)
    call.agree()
    assert text is not None
    schema = _common_schema(world, name, text, schemas)
    return Pieces(library, text.tables(schema), len(text.ranges))


def write_csv(world: World, table: Table, folder: str | os.PathLike[str]) -> None:
    """Write a table to a folder, one file of CSV with a header for each PE.

    Collective. As ``write_parquet``, with files ``part-00000.csv`` and so on. Text is in quotation
    marks, and a missing value is nothing at all.
    """

    def write(arrow: Any, path: str) -> None:
        import pyarrow.csv

        pyarrow.csv.write_csv(arrow, path)

    write_part(world, "frame.write_csv", table, folder, ".csv", write, has_types=False)
