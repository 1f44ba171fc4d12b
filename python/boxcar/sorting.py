"""Keys in order over all PEs: the smallest on PE 0."""

from __future__ import annotations

import pickle
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from . import _native
from .agreement import Call
from .arrays import Array, array_of, code_of, form_of, is_real, native, raw, rows_of
from .errors import ArgumentError
from .exchanging import Shipment

if TYPE_CHECKING:
    from .world import World

_MOST_SAMPLES = 1 << 18
_SAMPLES_PER_PE = 4096


def _keys_of(values: Any, name: str = "keys") -> Array:
    keys = native(array_of(values, name))
    if keys.ndim != 1:
        raise ArgumentError(f"{name} has shape {keys.shape}: give one dimension")
    if keys.dtype.names or keys.dtype.kind == "V":
        raise ArgumentError(f"{name} has dtype {keys.dtype}, which has no order: sort by one field")
    return np.ascontiguousarray(keys)


def _comparable(keys: Array) -> Array:
    """Keys whose order the native part knows, or those that NumPy compares."""
    if keys.dtype.kind in "mM":
        # What is no time comes last: the smallest number becomes the largest.
        return (keys.view(np.uint64) ^ np.uint64(1 << 63)) - np.uint64(1)
    return keys.astype(np.float32) if keys.dtype == np.float16 else keys


def _split(world: World, keys: Array, lengths: list[int]) -> npt.NDArray[np.int32]:
    """To which PE each key goes. Equal keys are told apart by where they are now, so that many of
    them are shared out like others, and stay in order."""
    rank, size = world.rank, world.size
    total = sum(lengths)
    wanted = min(_SAMPLES_PER_PE * size, max(_MOST_SAMPLES, 64 * size))
    count = -(-wanted * len(keys) // total)
    places = np.sort(np.random.default_rng(rank).integers(0, max(len(keys), 1), count))
    compared = _comparable(keys)
    known = is_real(compared.dtype)
    if known:
        samples = np.empty(count, np.uint64)
        _native.ordered_words(code_of(compared.dtype), raw(compared[places]), raw(samples))
    else:
        samples = compared[places]
    # Bytes that this package has written on another PE of the same job.
    all_samples = [
        pickle.loads(each) for each in world._pe.all_gather(pickle.dumps((samples, places)))
    ]
    words = np.concatenate([each[0] for each in all_samples])
    of_place = np.concatenate([each[1] for each in all_samples])
    of_rank = np.repeat(np.arange(size), [len(each[1]) for each in all_samples])
    order = np.lexsort((of_place, of_rank, words))
    chosen = order[np.arange(1, size) * len(order) // size]
    first_here = np.where(of_rank[chosen] < rank, 0, len(keys))
    first_here = np.where(of_rank[chosen] == rank, of_place[chosen], first_here)
    to = np.empty(len(keys), np.int32)
    splitters = words[chosen]
    if known:
        _native.split_keys(
            code_of(compared.dtype), raw(compared), splitters.tolist(), first_here.tolist(), raw(to)
        )
        return to
    to[:] = np.searchsorted(splitters, compared, "left")
    behind = np.searchsorted(splitters, compared, "right")
    for k in np.flatnonzero(np.isin(splitters, compared)):
        equal = (to <= k) & (k < behind)
        to[equal & (np.arange(len(keys)) >= first_here[k])] += 1
    return to


def sort(world: World, keys: Any) -> Array:
    """All keys in order: the smallest on PE 0, the next ones on PE 1, and so on.

    Collective.

    Args:
        keys: One-dimensional; of any dtype that NumPy can sort, the same on all PEs. PEs may give
            different numbers of keys, also none.

    Returns:
        This PE's share, in order. What is not a number comes last, as in ``numpy.sort``. Shares
        differ by some percent in length, however the keys are distributed, also if all are equal.

    Raises:
        ArgumentError: On all PEs, if what one of them gives cannot work.
        WorldError: If a PE failed or left.
    """
    call = Call(world._pe, "sort")
    mine = np.empty(0)
    with call.checks():
        mine = _keys_of(keys)
        call.must_be_alike(form_of(mine))
    lengths = call.agree(len(mine))
    if world.size == 1 or sum(lengths) == 0:
        return np.sort(mine)
    share = Shipment(world._pe, _split(world, mine, lengths)).move(mine)
    share.sort()
    return share


def sort_by_key(world: World, keys: Any, *values: Any) -> tuple[Array, ...]:
    """Keys in order over all PEs, and whatever belongs to them along with them.

    Collective. As ``sort``, and stable: of equal keys those of the lower PE come first, and of one
    PE those that come first in its array.

    Args:
        keys: As ``sort`` takes them.
        values: Any number of arrays with a row for each key, of any dtype without objects.

    Returns:
        This PE's share of the keys and of each of the arrays.
    """
    call = Call(world._pe, "sort_by_key")
    mine = np.empty(0)
    columns: list[Array] = []
    with call.checks():
        mine = _keys_of(keys)
        call.must_be_alike(form_of(mine))
        columns = [rows_of(each, f"values {number}") for number, each in enumerate(values)]
        call.must_be_alike({"number of arrays of values": len(columns)})
        for number, column in enumerate(columns):
            if len(column) != len(mine):
                raise ArgumentError(
                    f"values {number} has {len(column)} rows, but there are {len(mine)} keys"
                )
            forms = form_of(column).items()
            call.must_be_alike({f"{what} of values {number}": form for what, form in forms})
    lengths = call.agree(len(mine))
    if world.size > 1 and sum(lengths) != 0:
        shipment = Shipment(world._pe, _split(world, mine, lengths))
        mine = shipment.move(mine)
        columns = [shipment.move(column) for column in columns]
    order = np.argsort(mine, kind="stable")
    return (mine[order], *(column[order] for column in columns))
