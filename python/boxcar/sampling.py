"""Random rows of all PEs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from .agreement import Call
from .arrays import Array, raw, rows_of
from .elements import count_of, integer_of
from .errors import ArgumentError
from .text_widths import form_but_width
from .values import exclusive_scan

if TYPE_CHECKING:
    from .world import World


def sample(world: World, rows: Any, n: int, seed: int) -> Array:
    """n random rows out of those of all PEs, without replacement; each PE gets those of its own.

    Collective. Each set of n rows is equally likely. Every row has a random number of 64 bits, and
    those with the n smallest numbers are taken; this PE needs memory for such a number for each of
    its rows.

    Args:
        rows: An array of any dtype without objects, of the same dtype and shape of a row on all
            PEs. PEs may give different numbers of rows, also none. Rows that are NaN or NaT are
            rows like others. ``numpy.arange(len(column))`` gives places in several columns.
        n: How many rows of all PEs together; the same on all PEs.
        seed: An integer of at least 0, the same on all PEs. The same seed gives the same rows if
            each PE has as many rows.

    Returns:
        Those of this PE's rows that are in the sample, in their order.

    Raises:
        ArgumentError: On all PEs, if what one of them gives cannot work, or if there are fewer rows
            than n.
        WorldError: If a PE failed or left.
    """
    call = Call(world._pe, "sample")
    mine = np.empty(0)
    wanted = number = 0
    with call.checks():
        mine = rows_of(rows, "rows")
        wanted, number = count_of(n, "n"), integer_of(seed, "seed")
        if number < 0:
            raise ArgumentError(f"seed is {number}: give an integer of at least 0")
        call.must_be_alike({**form_but_width(mine), "n": wanted, "seed": number})
    present = sum(call.agree(len(mine)))
    if wanted > present:
        raise ArgumentError(
            f"sample: n is {wanted}, but all PEs have {present} rows together: give at most these"
        )
    mine = call.widened(mine)
    if wanted == 0:
        return mine[:0]
    random = np.random.default_rng([number, world.rank])
    numbers = random.integers(0, 2**64, len(mine), np.uint64)
    return mine[_smallest(world, numbers, wanted)]


def _smallest(world: World, numbers: npt.NDArray[np.uint64], n: int) -> npt.NDArray[np.bool_]:
    """Which of this PE's numbers are among the n smallest of all PEs; of equal numbers those of the
    lower PE. Collective. Precondition: there are n numbers, and n is at least 1."""
    low, high = 0, 2**64 - 1  # the n-th smallest number is from low to high
    between, below = numbers, 0  # the numbers from low to high, and how many of all are below
    while low < high:
        middle = (low + high) // 2
        is_lower = between <= np.uint64(middle)
        lower = _sum(world, int(np.count_nonzero(is_lower)))
        if below + lower >= n:
            high, between = middle, between[is_lower]
        else:
            low, between, below = middle + 1, between[~is_lower], below + lower
    chosen = numbers < np.uint64(low)
    before = exclusive_scan(world, len(between))
    equal = np.flatnonzero(numbers == np.uint64(low))
    chosen[equal[: max(0, n - below - before)]] = True
    return chosen


def _sum(world: World, number: int) -> int:
    """The sum of the numbers of all PEs. Collective."""
    total = np.array([number], np.int64)
    world._pe.reduce("sum", "i8", raw(total))
    return int(total[0])
