"""Group-by of tables that come in pieces, in bounded memory."""

from __future__ import annotations

import math
import operator
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from .agreement import Call
from .byte_sizes import bytes_of
from .described import described
from .errors import ArgumentError
from .frame_combining import Combination, combination_of
from .frame_hashes import owners
from .frame_library import Library, Table, chosen
from .frame_results import result_of
from .frame_rounds import pieces_of, rounds
from .frame_spilling import GroupStore, SpillFile
from .frame_transport import Part, agreed_part, arrived_from, empty_of, give_common_types
from .progress import Progress

if TYPE_CHECKING:
    from .world import World

# Copies of the rows of a store that exist at the same time: the rows, and the table that they are
# concatenated to, with what a function makes of the table.
_COPIES = 4


class Aggregations:
    """The arguments of a group-by of tables: the key, and what becomes of the other columns."""

    def __init__(self, by: Any, aggregations: Any, options: Mapping[str, Any]) -> None:
        self._by = by
        self.aggregations = aggregations
        self.options = options

    def part_of(self, call: Call, table: Table) -> tuple[Part, list[Any]]:
        """The part with the columns that are needed, and the key. The construction belongs to the
        checks of a call."""
        part = Part(call, table)
        keys = chosen(part.columns, self._by, "by")
        needed = [*keys, *part.library.needed(part.table, self.aggregations)]
        part.select([column for column in part.columns if column in needed])
        call.must_be_alike({"by": keys, "columns of aggregations": part.columns})
        call.must_be_alike({"aggregations": described(self.aggregations)})
        call.must_be_alike({"options": described(dict(sorted(self.options.items())))})
        return part, keys

    def aggregate(self, library: Library, table: Table, keys: list[Any]) -> Any:
        return library.aggregate(table, keys, self.aggregations, self.options)


class _PieceGrouping:
    """A group-by of pieces on this PE."""

    def __init__(
        self, world: World, name: str, what: Aggregations, limit: float, file: SpillFile | None
    ) -> None:
        self._world = world
        self._name = name
        self._what = what
        self._limit = limit / _COPIES
        self._file = file
        self._keys: list[Any] = []
        self._like: Part | None = None
        """A part without rows, with the types of the columns of the pieces of all PEs so far."""
        self._num_rows = 0
        self._num_rows_of_round = 0
        self._combination: Combination | None = None
        self._store: GroupStore | None = None

    def add(self, table: Table) -> None:
        """Collective. Adds a piece of each PE."""
        part = self._agreed(table)
        if self._num_rows_of_round == 0:
            return
        if self._store is None:
            self._make_store(part.library)
        if self._combination is not None:
            self._combine(part)
        library = part.library
        call = Call(self._world._pe, self._name)
        to = np.empty(0, np.int32)
        with call.checks():
            to = owners(library, part.table, self._keys, self._world.size)
        call.agree()
        order, counts = np.argsort(to, kind="stable"), np.bincount(to, minlength=self._world.size)
        arrived = arrived_from(self._world, self._name, part, order, counts)
        part.table = empty_of(library, part.table)
        call = Call(self._world._pe, self._name)
        with call.functions_of_program():
            assert self._store is not None
            # Results have the same types on all PEs, wherever rows have arrived.
            self._store.note_types(part.table)
            for source, rows in arrived:
                self._store.add(source, rows)
        call.agree()

    def _agreed(self, table: Table) -> Part:
        """Collective. The piece, with the same types on all PEs, which are noted."""
        world, name = self._world, self._name
        call = Call(world._pe, name)
        part = None
        with call.checks():
            part, self._keys = self._what.part_of(call, table)
            if self._like is not None and part.columns != self._like.columns:
                raise ArgumentError(
                    f"a piece of table has the columns {part.columns}, and one before has "
                    f"{self._like.columns}: give the same columns, in the same order, in all pieces"
                )
        part = agreed_part(world, call, part, name)
        self._num_rows_of_round = sum(Call(world._pe, name).agree(len(part)))
        has_rows = self._num_rows_of_round != 0
        call = Call(world._pe, name)
        with call.checks():
            like = Part(call, empty_of(part.library, part.table))
            if self._like is None or (has_rows and self._num_rows == 0):
                self._like = like
            elif has_rows:
                tables = [self._like.table, like.table]
                self._like.table = part.library.with_common_types(tables)
        call.agree()
        self._num_rows += self._num_rows_of_round
        return part

    def _make_store(self, library: Library) -> None:
        """Collective. All PEs choose alike whether they keep states or rows."""
        call = Call(self._world._pe, self._name)
        with call.functions_of_program():
            self._combination = self._combination_of(library)
            functions = None if self._combination is None else self._combination.functions
            call.must_be_alike({"functions of aggregations": functions})
        call.agree()
        reduce = None if self._combination is None else self._combination.merged
        self._store = GroupStore(library, self._keys, reduce, self._limit, self._file)

    def _combination_of(self, library: Library) -> Combination | None:
        assert self._like is not None
        what = self._what
        return combination_of(
            library, self._like.table, self._keys, what.aggregations, what.options
        )

    def _combine(self, part: Part) -> None:
        """Collective. Replaces the rows of a part by states of the groups."""
        assert self._combination is not None
        call = Call(self._world._pe, self._name)
        with call.functions_of_program():
            if self._combination_of(part.library) is None:
                raise ArgumentError(
                    "a column has types in some pieces that cannot be aggregated as those of the "
                    "pieces before: convert it to the same type in all pieces"
                )
            part.table = self._combination.states_of_rows(part.table)
            part.columns = part.library.columns(part.table)
        call.agree()
        give_common_types(self._world, self._name, part)

    def results(self) -> Iterator[Any]:
        """What the library makes of this PE's groups, of some groups at a time."""
        assert self._like is not None
        library, like = self._like.library, self._like.table
        shown = Progress(self._world, f"{self._name}, groups", 1)
        try:
            if self._store is None:
                return
            for share, table in self._store.partitions():
                if self._combination is None:
                    table = library.cast(table, like)
                    yield self._what.aggregate(library, table, self._keys)
                else:
                    yield self._combination.result(table, like)
                shown.at(share)
        finally:
            shown.close()
            self.close()

    def whole_result(self) -> Any:
        """Collective. What the library makes of all groups of this PE."""
        assert self._like is not None
        part = self._like
        library, keys = part.library, self._keys

        def result(like: Table) -> Any:
            results = list(self.results())
            if not results:
                return self._what.aggregate(library, like, keys)
            return library.concatenate_results(results, keys, self._what.options)

        return result_of(self._world, self._name, part, result)

    def close(self) -> None:
        if self._file is not None:
            self._file.close()


def group_pieces(
    world: World,
    name: str,
    table: Any,
    what: Aggregations,
    memory: Any,
    folder: Any,
    whole: bool,
) -> Any:
    """Collective. ``frame.group_by`` of pieces."""
    call = Call(world._pe, name)
    pieces: Iterable[Table] = ()
    limit = math.inf
    file = None
    with call.checks():
        pieces = pieces_of(table)
        limit = math.inf if memory is None else bytes_of(memory, "memory")
        call.must_be_alike({"whole": bool(whole)})
        file = None if memory is None else SpillFile(folder)
    grouping = _PieceGrouping(world, name, what, limit, file)
    try:
        call.agree()
        total = operator.length_hint(pieces) or None
        with Progress(world, f"{name}, pieces", total) as shown:
            for number, piece in enumerate(rounds(world, name, pieces), 1):
                grouping.add(piece)
                shown.at(number)
        return grouping.whole_result() if whole else grouping.results()
    except BaseException:
        grouping.close()
        raise
