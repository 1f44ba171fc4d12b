"""Tables that are read from files piece by piece."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from typing import TYPE_CHECKING, Any

from .frame_library import Table, library_named

if TYPE_CHECKING:
    from typing_extensions import Self


class Pieces(Iterator[Table]):
    """The share of a PE of files, as an iterator of tables.

    Local.
    """

    def __init__(self, library: str, tables: Iterator[Any], count: int) -> None:
        """
        Args:
            library: The library of the pieces.
            tables: Tables of Arrow.
            count: About how many there are.
        """
        self._library = library_named(library)
        self._tables = tables
        self._num_left = count

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> Table:
        table = next(self._tables)
        self._num_left = max(self._num_left - 1, 0)
        return self._library.from_arrow(table)

    def __length_hint__(self) -> int:
        """About how many pieces there are still."""
        return self._num_left

    def close(self) -> None:
        """Closes the file that is being read. Other pieces do not come any more."""
        if isinstance(self._tables, Generator):
            self._tables.close()
