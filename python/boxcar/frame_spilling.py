"""Rows of a PE's groups: in memory up to a limit, the rest in a file, in partitions by their
keys."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, NamedTuple

import numpy as np

from .errors import ArgumentError
from .frame_hashes import partitions
from .frame_library import Library, Table
from .frame_transport import dumped, empty_of

NUM_PARTITIONS = 32
_MAX_LEVEL = 8
_MAX_LEVELS_WITHOUT_EFFECT = 2
_MIN_MERGE_BYTES = 1 << 24


class _Chunk(NamedTuple):
    """Neighbouring rows in a file."""

    source: int
    begin: int
    size: int
    """The bytes in the file."""
    nbytes: int
    """The bytes in memory."""
    like: Table
    """A table without rows, with the types of the columns."""


class SpillFile:
    """A temporary file without a name, which ends with the process at the latest."""

    def __init__(self, folder: str | None) -> None:
        self._folder = tempfile.gettempdir() if folder is None else folder
        self._end = 0
        self._like: Table | None = None
        self._types = b""
        with self._naming_folder():
            self._file = tempfile.TemporaryFile(prefix="boxcar-", dir=self._folder)

    @contextmanager
    def _naming_folder(self) -> Iterator[None]:
        try:
            yield
        except OSError as problem:
            raise ArgumentError(
                f"{self._folder}: {problem}: give another folder, on a disk with room for the rows "
                "that do not fit into memory, or more memory"
            ) from problem

    def another(self) -> SpillFile:
        """A new file in the same folder."""
        return SpillFile(self._folder)

    def write(self, library: Library, source: int, table: Table, like: Table) -> _Chunk:
        """Writes rows. ``like``: a table without rows, with the same types of columns."""
        data = dumped(library, table)
        with self._naming_folder():
            self._file.seek(self._end)
            self._file.write(data)
            self._file.flush()
        chunk = _Chunk(source, self._end, len(data), library.nbytes(table), like)
        self._end += len(data)
        return chunk

    def shared(self, library: Library, like: Table) -> Table:
        """The table without rows; or the one of the last call, if the types are the same."""
        types = dumped(library, like)
        if self._like is None or types != self._types:
            self._like, self._types = like, types
        return self._like

    def read(self, library: Library, chunk: _Chunk) -> Table:
        with self._naming_folder():
            self._file.seek(chunk.begin)
            data = self._file.read(chunk.size)
        return library.load(data, chunk.like)

    def close(self) -> None:
        with suppress(OSError):  # of bytes that a full disk did not take
            self._file.close()


class GroupStore:
    """The rows of this PE's groups, or states of the groups.

    Every function is local. A store takes about twice its limit of memory while it adds rows, and
    while it returns a partition, as long as no group is larger.
    """

    def __init__(
        self,
        library: Library,
        by: list[Any],
        reduce: Callable[[Table], Table] | None,
        limit: float,
        file: SpillFile | None,
        level: int = 0,
        levels_without_effect: int = 0,
    ) -> None:
        """
        Args:
            reduce: Makes a smaller table of a table with rows of the same groups.
            limit: The number of bytes in memory.
            file: None if the limit is infinite.
        """
        self._library = library
        self._by = by
        self._reduce = reduce
        self._limit = limit
        self._file = file
        self._level = level
        self._levels_without_effect = levels_without_effect
        self._tables: list[tuple[int, Table]] = []
        self._nbytes = 0
        self._reduced_nbytes = 0
        self._like: Table | None = None
        """A table without rows, with types of columns that hold the values of all rows."""
        self._types = b""
        self._chunks: list[list[_Chunk]] = [[] for _ in range(NUM_PARTITIONS)]
        self.spilled_bytes = 0

    def note_types(self, table: Table) -> None:
        """Gives the tables of ``partitions`` types of columns that hold those of this table."""
        library = self._library
        like = empty_of(library, table)
        types = dumped(library, like)
        if types == self._types:
            return
        if self._like is not None:
            like = library.with_common_types([self._like, like])
        self._like, self._types = like, dumped(library, like)

    def add(self, source: int, table: Table) -> None:
        """Adds rows behind those of the same source."""
        self.note_types(table)
        self._tables.append((source, table))
        self._nbytes += self._library.nbytes(table)
        if self._reduce is not None:
            least = max(2 * self._reduced_nbytes, _MIN_MERGE_BYTES)
            if self._nbytes <= min(self._limit, least):
                return
            self._reduce_tables(self._reduce)
            if self._nbytes > self._limit / 2:
                self._spill()
        elif self._nbytes > self._limit:
            self._spill()

    def _reduce_tables(self, reduce: Callable[[Table], Table]) -> None:
        table = reduce(self._concatenated([table for _, table in self._tables]))
        self._tables = [(0, table)]
        self._nbytes = self._reduced_nbytes = self._library.nbytes(table)

    def _concatenated(self, tables: list[Table]) -> Table:
        library = self._library
        if len(tables) == 1:
            return tables[0]
        types: dict[bytes, Table] = {}
        for table in tables:
            like = empty_of(library, table)
            types.setdefault(dumped(library, like), like)
        if len(types) > 1:
            like = library.with_common_types(list(types.values()))
            tables = [library.cast(table, like) for table in tables]
        return library.concatenate(tables)

    def _spill(self) -> None:
        """Moves all rows from memory to the file."""
        assert self._file is not None
        library = self._library
        tables = self._take_tables()
        for source in sorted({source for source, _ in tables}):
            table = self._concatenated([each for of, each in tables if of == source])
            tables = [(of, each) for of, each in tables if of != source]
            like = self._file.shared(library, empty_of(library, table))
            of_row = partitions(library, table, self._by, NUM_PARTITIONS, self._level)
            order = np.argsort(of_row, kind="stable")
            ends = np.cumsum(np.bincount(of_row, minlength=NUM_PARTITIONS)).tolist()
            for partition, (begin, end) in enumerate(zip([0, *ends], ends)):
                if begin != end:
                    rows = library.take(table, order[begin:end])
                    chunk = self._file.write(library, source, rows, like)
                    self._chunks[partition].append(chunk)
                    self.spilled_bytes += chunk.size

    def _take_tables(self) -> list[tuple[int, Table]]:
        tables = self._tables
        self._tables = []
        self._nbytes = self._reduced_nbytes = 0
        return tables

    def partitions(self) -> Iterator[tuple[float, Table]]:
        """All rows, in tables that have all rows of their groups; the store is empty at the end.

        The tables have the same types of columns.

        Rows of a lower source come first. Each table comes with the share of the store that all
        tables so far have, from 0 to 1.
        """
        if self._file is None or not any(self._chunks):
            tables = self._take_tables()
            if tables:
                yield 1.0, self._complete(tables)
            return
        self._spill()
        before = 0.0
        total = sum(chunk.nbytes for chunks in self._chunks for chunk in chunks)
        for number, chunks in enumerate(self._chunks):
            if not chunks:
                continue
            self._chunks[number] = []
            nbytes = sum(chunk.nbytes for chunk in chunks)
            if nbytes <= self._limit or not self._can_split(nbytes == total):
                tables = [(each.source, self._file.read(self._library, each)) for each in chunks]
                yield (before + nbytes) / total, self._complete(tables)
            else:
                for share, table in self._split(chunks, nbytes == total):
                    table = self._library.cast(table, self._like)
                    yield (before + share * nbytes) / total, table
            before += nbytes

    def _complete(self, tables: list[tuple[int, Table]]) -> Table:
        tables.sort(key=lambda each: each[0])
        table = self._concatenated([each for _, each in tables])
        if self._reduce is not None:
            table = self._reduce(table)
        return self._library.cast(table, self._like)

    def _can_split(self, is_whole: bool) -> bool:
        """Whether a partition can have more than one group.

        Args:
            is_whole: Whether the partition has all rows of the store.
        """
        levels = self._levels_without_effect + is_whole
        return self._level < _MAX_LEVEL and levels < _MAX_LEVELS_WITHOUT_EFFECT

    def _split(self, chunks: list[_Chunk], is_whole: bool) -> Iterator[tuple[float, Table]]:
        """A partition in partitions of the next level."""
        assert self._file is not None
        file = self._file.another()
        try:
            store = GroupStore(
                self._library,
                self._by,
                self._reduce,
                self._limit,
                file,
                self._level + 1,
                self._levels_without_effect + is_whole,
            )
            for chunk in chunks:
                store.add(chunk.source, self._file.read(self._library, chunk))
            yield from store.partitions()
        finally:
            file.close()
