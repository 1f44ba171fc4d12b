"""Tables that come in pieces, of which each PE gives one in each round."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from .agreement import Call
from .errors import ArgumentError
from .frame_library import Table, is_table, library_named, library_of
from .frame_transport import dumped, empty_of

if TYPE_CHECKING:
    from .world import World

_END = object()
# What a PE has in a round.
_NOTHING, _TYPES, _PIECE = range(3)


def pieces_of(table: Any) -> Iterable[Table]:
    """The pieces of this PE's part. Raises ArgumentError if the part is neither a table nor
    iterable."""
    if is_table(table):
        return [table]
    if isinstance(table, Iterable) and not isinstance(table, (str, bytes, dict)):
        return table
    raise ArgumentError(
        f"table is a {type(table).__name__}: give a DataFrame of pandas or polars, or a Table of "
        "pyarrow, or pieces: an iterable of such tables"
    )


def rounds(world: World, name: str, pieces: Iterable[Table]) -> Iterator[Table]:
    """Collective. A piece of this PE in each round, until no PE has any.

    A PE that has no more pieces gives a table without rows. All PEs iterate to the end, or raise an
    exception.

    Raises:
        ArgumentError: On all PEs, if no PE has a piece, or if the iterable raises an exception on
            another PE; where it did, that exception itself.
    """
    iterator: Iterator[Table] = iter(())
    like: Table | None = None
    is_first = True
    is_at_end = False
    try:
        while True:
            call = Call(world._pe, name)
            piece: Any = _END
            with call.functions_of_program():
                if is_first:
                    iterator = iter(pieces)
                if not is_at_end:
                    piece = next(iterator, _END)
                    is_at_end = piece is _END
                if not is_at_end:
                    like = empty_of(library_of(piece, "a piece of table"), piece)
            have = _NOTHING if like is None else _TYPES if is_at_end else _PIECE
            states = call.agree(have)
            if _PIECE not in states:
                _require_piece(is_first)
                return
            if _NOTHING in states:
                like = _types_of(world, like, states.index(_PIECE))
            is_first = False
            yield like if is_at_end else piece
    finally:
        close = getattr(iterator, "close", None)
        if close is not None:
            close()


def _require_piece(is_first: bool) -> None:
    if is_first:
        raise ArgumentError(
            "table has no pieces on any PE: give one at least, which may have no rows, as the "
            "result has the types of its columns"
        )


def _types_of(world: World, like: Table | None, root: int) -> Table:
    """Collective. The table without rows of this PE, or that of another PE if there is none."""
    given = None
    if world.rank == root:
        library = library_of(like, "a piece of table")
        given = library.name, dumped(library, like)
    name, types = world.broadcast(given, root)
    return library_named(name).load(types, None) if like is None else like
