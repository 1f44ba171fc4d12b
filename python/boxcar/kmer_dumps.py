"""Files of k-mers and their counts in the forms of Jellyfish, which all PEs write together."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from . import _native
from .agreement import Call
from .arrays import Array, raw
from .errors import ArgumentError
from .joint_file import write_together

if TYPE_CHECKING:
    from .world import World

_NAME = "KmerCounter.dump"
_FORMS = ("columns", "fasta")
# The number of k-mers that are text at a time.
_BATCH = 1 << 16


def least_count_of(min_count: Any) -> int:
    """A bound for counts, 0 to the largest that a count can be."""
    if isinstance(min_count, bool) or not isinstance(min_count, (int, np.integer)):
        raise ArgumentError(f"min_count is {min_count!r}: give a whole number")
    return min(max(int(min_count), 0), 2**63 - 1)


def dump_kmers(
    world: World,
    path: str | os.PathLike[str],
    form: str,
    k: int,
    min_count: int,
    share: Callable[[int], tuple[Array, npt.NDArray[np.int64]]],
) -> None:
    """Write the k-mers of all PEs to one file, in the order of the PEs; see ``KmerCounter.dump``.

    Collective.

    Args:
        share: Returns the codes and the counts of this PE that are at least as large as its
            argument.
    """
    call = Call(world._pe, _NAME)
    kmers, counts = np.empty(0), np.empty(0, np.int64)
    with call.checks():
        path = os.fsdecode(path)
        if form not in _FORMS:
            raise ArgumentError(f'form is "{form}": give one of {", ".join(_FORMS)}')
        min_count = least_count_of(min_count)
        call.must_be_alike({"path": path, "form": form, "min_count": min_count})
        kmers, counts = share(min_count)
    sizes = call.agree(_size_of_lines(counts, k, form))
    offset = sum(sizes[: world.rank])

    def create(unfinished: str) -> int:
        with open(unfinished, "wb"):
            return 0

    def write(unfinished: str, _: int) -> None:
        _write_lines(unfinished, offset, kmers, counts, k, form)

    write_together(world, call, path, create, write, "give a file that all PEs can write")


def _size_of_lines(counts: npt.NDArray[np.int64], k: int, form: str) -> int:
    """The number of bytes of the lines of the k-mers with these counts."""
    powers = 10 ** np.arange(1, 19, dtype=np.int64)
    digits = len(counts) + int(np.searchsorted(powers, counts, side="right").sum())
    return digits + len(counts) * (k + (3 if form == "fasta" else 2))


def _write_lines(
    path: str, offset: int, kmers: Array, counts: npt.NDArray[np.int64], k: int, form: str
) -> None:
    if len(counts) == 0:
        return
    with open(path, "r+b") as file:
        file.seek(offset)
        for first in range(0, len(counts), _BATCH):
            some, of_each = kmers[first : first + _BATCH], counts[first : first + _BATCH]
            file.write(_native.kmer_lines(raw(some), raw(of_each), k, form == "fasta"))
