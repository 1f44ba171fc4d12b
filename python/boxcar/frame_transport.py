"""Rows of tables on their way between PEs."""

from __future__ import annotations

import hashlib
import io
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from .agreement import Call
from .exchanging import Shipment
from .frame_library import Library, Table, columns_of, library_of

if TYPE_CHECKING:
    from .world import World

_NOTHING = np.empty(0, np.int64)


def dumped(library: Library, table: Table) -> bytes:
    file = io.BytesIO()
    library.dump(table, file)
    return file.getvalue()


def empty_of(library: Library, table: Table) -> Table:
    """The table without its rows."""
    return library.take(table, _NOTHING)


class Part:
    """This PE's part of a table, which is checked first and then agreed on.

    The construction belongs to the checks of a call.
    """

    def __init__(self, call: Call, table: Any, name: str = "table") -> None:
        self.library = library_of(table, name)
        self.table = table
        self.columns = columns_of(self.library, table, name)
        call.must_be_alike(
            {f"library of {name}": self.library.name, f"columns of {name}": self.columns}
        )

    def select(self, columns: list[Any]) -> None:
        self.columns = columns
        self.table = self.library.select(self.table, columns)

    def __len__(self) -> int:
        return self.library.rows(self.table)


def give_common_types(world: World, name: str, part: Part) -> None:
    """Collective. Gives the columns of a part the same types on all PEs.

    The types of a part without rows count only if no PE has rows.
    """
    call = Call(world._pe, name)
    library = part.library
    types = b""
    with call.functions_of_program():
        types = dumped(library, empty_of(library, part.table))
    counts = call.agree(len(part))
    if world.size == 1:
        return
    digest = hashlib.blake2b(types, digest_size=16).digest()
    digests = world._pe.all_gather(digest)
    if all(each == digest for each in digests):
        return
    is_any = any(counts)
    those_that_count = [each if n or not is_any else None for each, n in zip(digests, counts)]
    first = those_that_count.index(digest) if digest in those_that_count else None
    # The bytes come from this package on another PE of the same job: of each kind of part once.
    kinds = world._pe.all_gather(types if first == world.rank else b"")
    with call.checks():
        tables = [library.load(each, None) for each in kinds if each]
        part.table = library.cast(part.table, library.with_common_types(tables))
    call.agree()


def move(world: World, name: str, part: Part, to: npt.NDArray[np.int32]) -> Table:
    """Collective. What arrives here: first from PE 0, in its order, then from PE 1, and so on.

    Each piece for another PE is a table of the library, and travels as bytes. Precondition: the
    columns have the same types on all PEs.
    """
    order = np.argsort(to, kind="stable")
    return move_grouped(world, name, part, order, np.bincount(to, minlength=world.size))


def move_grouped(world: World, name: str, part: Part, order: Any, counts: Any) -> Table:
    """Collective. ``move`` of rows in an order in which the rows for a PE are neighbours.

    Args:
        order: The numbers of the rows, first of those to PE 0.
        counts: How many rows go to each PE.
    """
    tables = [table for _, table in arrived_from(world, name, part, order, counts)]
    library = part.library
    if not tables:
        return empty_of(library, part.table)
    return tables[0] if world.size == 1 else library.concatenate(tables)


def arrived_from(
    world: World, name: str, part: Part, order: Any, counts: Any
) -> list[tuple[int, Table]]:
    """Collective. The PEs from which rows arrive, in order, each with its rows.

    Arguments are those of ``move_grouped``.
    """
    call = Call(world._pe, name)
    library, rank = part.library, world.rank
    ends = np.cumsum(counts)
    sizes = [0] * world.size
    file = io.BytesIO()
    here = part.table
    with call.functions_of_program():
        here = library.take(part.table, order[ends[rank] - counts[rank] : ends[rank]])
        for pe in range(world.size):
            if pe != rank and counts[pe] != 0:
                begin = file.tell()
                rows = order[ends[pe] - counts[pe] : ends[pe]]
                library.dump(library.take(part.table, rows), file)
                sizes[pe] = file.tell() - begin
    call.agree()
    if world.size == 1:
        return [(rank, here)] if library.rows(here) != 0 else []
    shipment = Shipment(world._pe, None, sizes)
    arrived = shipment.move(np.frombuffer(file.getbuffer(), np.uint8)).data
    like = empty_of(library, part.table)
    tables = []
    begin = 0
    for pe, size in enumerate(shipment.arriving):
        if pe == rank:
            tables.append((pe, here))
        elif size != 0:
            tables.append((pe, library.load(arrived[begin : begin + size], like)))
        begin += size
    return [(pe, table) for pe, table in tables if library.rows(table) != 0]


def agreed_part(world: World, call: Call, part: Part | None, name: str) -> Part:
    """Collective. The part, if nothing is wrong anywhere, with the same types on all PEs."""
    call.agree()
    assert part is not None
    give_common_types(world, name, part)
    return part
