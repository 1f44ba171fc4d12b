"""The largest or smallest values of all PEs."""

from __future__ import annotations

import pickle
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from .agreement import Call
from .arrays import Array, keys_of
from .elements import count_of
from .sort_columns import check_encodable, keys_to_sort, ordered_keys
from .text_widths import form_but_width

if TYPE_CHECKING:
    from .world import World


class Top(NamedTuple):
    """The first values of all PEs in order: ``values, rows = world.top_k(...)``."""

    values: Array
    rows: npt.NDArray[np.int64]
    """The number of the row of each value, if the rows of PE 0 are numbered first, then those of
    PE 1, and so on, as ``gather`` takes them with ``spread="blocks"``."""


def top_k(world: World, values: npt.ArrayLike, k: int, *, largest: bool = True) -> Top:
    """The k largest or smallest values of all PEs, on every PE.

    Collective. Each PE needs memory for k values of every PE; to have more of them in order, use
    ``sort_by_key``.

    Args:
        values: One-dimensional; integers, real numbers, times or text, the same dtype on all PEs.
            PEs may give different numbers of values, also none. NaN and NaT are left out.
        k: How many; the same on all PEs. If there are fewer values, all of them are given.
        largest: Whether the largest are wanted, the largest first; else the smallest, the smallest
            first.

    Returns:
        The values in order and the numbers of their rows. Of equal values those with the lowest
        numbers come first. With these, ``world.gather(column, top.rows)`` gives what other columns
        have in the same rows.

    Raises:
        ArgumentError: On all PEs, if what one of them gives cannot work.
        WorldError: If a PE failed or left.
    """
    call = Call(world._pe, "top_k")
    mine = np.empty(0)
    wanted = 0
    with call.checks():
        mine = keys_to_sort(keys_of(values, "values"), "values")[0]
        check_encodable([mine], "values")
        wanted = count_of(k, "k")
        call.must_be_alike({**form_but_width(mine), "k": wanted, "largest": bool(largest)})
    lengths = call.agree(len(mine))
    mine = call.widened(mine)
    rows = np.arange(len(mine)) + sum(lengths[: world.rank])
    if mine.dtype.kind in "fmM":
        present = ~(np.isnan(mine) if mine.dtype.kind == "f" else np.isnat(mine))
        mine, rows = mine[present], rows[present]
    keys = ordered_keys([mine], [bool(largest)])
    chosen = _first_of(keys, wanted)
    # The bytes come from this package on another PE of the same job.
    parts = [
        pickle.loads(each)
        for each in world._pe.all_gather(
            pickle.dumps((keys[chosen], mine[chosen], rows[chosen]), protocol=5)
        )
    ]
    keys, mine, rows = (np.concatenate(each) for each in zip(*parts, strict=True))
    first = np.argsort(keys, kind="stable")[:wanted]
    return Top(mine[first], rows[first])


def _first_of(keys: Array, k: int) -> npt.NDArray[np.int64]:
    """The places of the k smallest keys, of equal keys the lowest places, in ascending order."""
    if len(keys) <= k or k == 0:
        return np.arange(min(len(keys), k))
    last = np.partition(keys, k - 1)[k - 1]
    below, equal = np.flatnonzero(keys < last), np.flatnonzero(keys == last)
    return np.sort(np.concatenate([below, equal[: k - len(below)]]))
