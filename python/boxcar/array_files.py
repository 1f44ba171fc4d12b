"""Files of rows that all PEs write and read together, in NumPy's format (.npy)."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import numpy as np

from .agreement import Call
from .arrays import Array
from .joint_file import file_checks, write_together
from .tables import lengths_of_parts

if TYPE_CHECKING:
    from .world import World

_REMEDY = "give a file that all PEs reach, in NumPy's format"


def write_rows(world: World, name: str, path: str | os.PathLike[str], rows: Array) -> None:
    """Write the rows of all PEs to one file, in the order of the PEs.

    Collective. A file of this name is replaced when all PEs have written. Precondition: all PEs
    give the same dtype and shape of a row.

    Args:
        name: Of the function, for messages.

    Raises:
        ArgumentError: On all PEs, if the file cannot be written; a former file is left as it was.
    """
    call = Call(world._pe, name)
    with call.checks():
        path = os.fsdecode(path)
        call.must_be_alike({"path": path})
    counts = call.agree(len(rows))

    def create(unfinished: str) -> int:
        return _create(unfinished, rows, sum(counts))

    def write(unfinished: str, offset: int) -> None:
        if len(rows) != 0:
            with open(unfinished, "r+b") as file:
                file.seek(offset + sum(counts[: world.rank]) * rows[:1].nbytes)
                rows.tofile(file)

    write_together(world, call, path, create, write, _REMEDY)


def read_share(world: World, name: str, path: str | os.PathLike[str]) -> Array:
    """This PE's share of the rows of a file.

    Collective. Shares are blocks of rows that differ by one at most, the first ones on PE 0.

    Raises:
        ArgumentError: On all PEs, if one of them cannot read the file.
    """
    call = Call(world._pe, name)
    share = np.empty(0)
    with file_checks(call, path, _REMEDY):
        path = os.fsdecode(path)
        rows = np.lib.format.open_memmap(path, "r")
        if rows.ndim == 0 or not rows.flags.c_contiguous:
            raise ValueError("it has no rows in the order of C")
        call.must_be_alike({"path": path, "dtype": rows.dtype.descr, "shape": rows.shape})
        parts = lengths_of_parts(len(rows), world.size)
        first = sum(parts[: world.rank])
        share = np.array(rows[first : first + parts[world.rank]])
    call.agree()
    return share


def _create(path: str, rows: Array, count: int) -> int:
    """Makes a file with room for so many rows. Returns where the first row is."""
    shape = (count, *rows.shape[1:])
    if count != 0:
        return int(np.lib.format.open_memmap(path, "w+", rows.dtype, shape).offset)
    with open(path, "wb") as file:
        np.save(file, np.empty(shape, rows.dtype))
    return 0
