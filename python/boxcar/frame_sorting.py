"""The order of the rows of tables over all PEs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .agreement import Call
from .arrays import Array
from .frame_library import Library, Table
from .frame_transport import Part, dumped, empty_of, move_grouped
from .sort_samples import drawn_rows, samples_of_a_pe

if TYPE_CHECKING:
    from .world import World


class _Keys:
    """The order of the keys of a sort."""

    def __init__(
        self, world: World, name: str, library: Library, by: list[Any], descending: list[bool]
    ) -> None:
        self._world = world
        self._name = name
        self._library = library
        self._by = by
        self._descending = descending

    def _order(self, keys: Table) -> Array:
        """Collective. The numbers of the rows in order. An error of one PE is raised on all PEs."""
        call = Call(self._world._pe, self._name)
        order = np.empty(0, np.int64)
        with call.checks():
            order = self._library.order(keys, self._by, self._descending)
        call.agree()
        return order

    def _splitters(self, keys: Table, of_all: int) -> tuple[Table, Array, Array]:
        """Collective. The first keys of the second PE, of the third PE and so on.

        Returns the keys, and for each the PE that has its row, and the number of the row there.
        """
        world, library = self._world, self._library
        rows = library.rows(keys)
        places = drawn_rows(world.rank, rows, samples_of_a_pe(world.size, rows, of_all))
        call = Call(world._pe, self._name)
        mine = b""
        with call.functions_of_program():
            mine = dumped(library, library.take(keys, places)) if len(places) else b""
        call.agree()
        # The bytes come from this package on another PE of the same job.
        samples = world._pe.all_gather(mine)
        of_place = [np.frombuffer(each, "i8") for each in world._pe.all_gather(places.tobytes())]
        of_rank = np.repeat(np.arange(world.size), [len(each) for each in of_place])
        like = empty_of(library, keys)
        sampled = library.concatenate([library.load(each, like) for each in samples if each])
        order = self._order(sampled)
        chosen = order[np.arange(1, world.size) * len(order) // world.size]
        return library.take(sampled, chosen), of_rank[chosen], np.concatenate(of_place)[chosen]

    def ordered_and_counted(self, keys: Table, of_all: int) -> tuple[Array, Array]:
        """Collective. The numbers of this PE's rows in order, and how many of them go to each PE.

        A row precedes a splitter with equal keys if the row lies on a lower PE, or earlier on the
        same PE. So rows with equal keys are shared out like others, and stay in order.
        """
        library, rank = self._library, self._world.rank
        splitters, of_rank, of_place = self._splitters(keys, of_all)
        from_lower, from_higher = np.flatnonzero(of_rank < rank), np.flatnonzero(of_rank > rank)
        here = np.flatnonzero(of_rank == rank)
        lower, rows = len(from_lower), library.rows(keys)
        tables = [library.take(splitters, from_lower), keys, library.take(splitters, from_higher)]
        present = [table for table in tables if library.rows(table) != 0]
        order = self._order(library.concatenate(present) if present else keys)
        are_rows = (order >= lower) & (order < lower + rows)
        # How many rows of this PE precede each of the rows and splitters.
        before = np.empty(len(order), np.int64)
        before[order] = np.cumsum(are_rows) - are_rows
        ends = np.empty(len(of_rank), np.int64)
        ends[from_lower] = before[:lower]
        ends[here] = before[lower + of_place[here]]
        ends[from_higher] = before[lower + rows :]
        return order[are_rows] - lower, np.diff(ends, prepend=0, append=rows)


def sorted_part(
    world: World, name: str, part: Part, by: list[Any], descending: list[bool]
) -> Table:
    """Collective. This PE's share of the rows of all PEs in order.

    Precondition: the columns have the same types on all PEs.
    """
    library = part.library
    of_all = sum(Call(world._pe, name).agree(len(part)))
    if world.size > 1 and of_all != 0:
        keys = _Keys(world, name, library, by, descending)
        order, counts = keys.ordered_and_counted(library.select(part.table, by), of_all)
        part.table = move_grouped(world, name, part, order, counts)
    call = Call(world._pe, name)
    with call.checks():
        part.table = library.take(part.table, library.order(part.table, by, descending))
    call.agree()
    return part.table
