"""Keys in order over all PEs: the smallest on PE 0."""

from __future__ import annotations

import functools
import pickle
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _native
from .agreement import Call
from .arrays import Array, code_of, is_real, raw, rows_of
from .errors import ArgumentError
from .exchanging import Shipment
from .key_columns import columns_of
from .sort_columns import check_encodable, directions, keys_to_sort, ordered_keys
from .sort_samples import drawn_rows, samples_of_a_pe
from .text_widths import form_but_width

if TYPE_CHECKING:
    from .world import World

_DRAWN = 1 << 14  # keys of a PE, of which the samples are every k-th in order
# The native part sorts from so many numbers on: less is sorted by NumPy.
_MANY = 10_000
_TRIAL = 1 << 14  # numbers, which fit into the cache of a core


class _Order:
    """The checked keys of a call, and the order in which they are wanted."""

    def __init__(self, call: Call, keys: Any, descending: bool | Sequence[bool]) -> None:
        self.columns = keys_to_sort(keys, "keys")
        self.is_tuple = columns_of(keys) is not None
        self._descending = directions(descending, self.columns, "keys")
        self._encodes = self.is_tuple or any(self._descending)
        call.must_be_alike(
            {
                "number of columns of keys": len(self.columns) if self.is_tuple else None,
                "descending": self._descending,
            }
        )
        for number, column in enumerate(self.columns):
            of = f" of keys[{number}]" if self.is_tuple else ""
            call.must_be_alike(
                {f"{what}{of}": form for what, form in form_but_width(column).items()}
            )
        if self._encodes:
            check_encodable(self.columns, "keys")

    def keys_and_columns(self, call: Call) -> tuple[Array, list[Array]]:
        """Keys whose order is the wanted one, and the columns that have to travel with them; of
        one ascending column the keys are the column. Collective."""
        columns = [call.widened(column) for column in self.columns]
        if not self._encodes:
            return columns[0], []
        return ordered_keys(columns, self._descending), columns


def _samples(rank: int, keys: Array, count: int) -> Array:
    """The places of so many keys of this PE, about equally far from one another in their order."""
    drawn = drawn_rows(rank, len(keys), min(len(keys), max(_DRAWN, count)))
    order = np.argsort(keys[drawn], kind="stable")
    return drawn[order[(2 * np.arange(count) + 1) * len(drawn) // (2 * max(count, 1))]]


def _splitters(world: World, mine: Array, lengths: list[int]) -> tuple[Array, Array]:
    """The first keys of the second PE, of the third, and so on; and the place from which on keys
    of this PE that are equal to such a key belong behind it. Collective.

    Equal keys are in the order of their PEs and places, so that many equal keys are shared out as
    other keys are.
    """
    rank, size = world.rank, world.size
    places = _samples(rank, mine, samples_of_a_pe(size, len(mine), sum(lengths)))
    # The bytes come from this package on another PE of the same job.
    samples = [
        pickle.loads(each) for each in world._pe.all_gather(pickle.dumps((mine[places], places)))
    ]
    keys = np.concatenate([each[0] for each in samples])
    of_place = np.concatenate([each[1] for each in samples])
    of_rank = np.repeat(np.arange(size), [len(each[1]) for each in samples])
    order = np.lexsort((of_place, of_rank, keys))
    chosen = order[np.arange(1, size) * len(order) // size]
    behind = np.where(of_rank[chosen] < rank, 0, of_place[chosen])
    behind[of_rank[chosen] > rank] = len(mine)
    return keys[chosen], behind


def _shipment(world: World, keys: Array, lengths: list[int]) -> Shipment:
    """How keys, and what belongs to them, go to the PEs that have their share of the order.
    Collective."""
    splitters, behind = _splitters(world, keys, lengths)
    to = np.empty(len(keys), np.int32)
    if is_real(keys.dtype):
        counts = _native.split_numbers(
            code_of(keys.dtype), raw(keys), raw(splitters), raw(behind), raw(to)
        )
        return Shipment(world._pe, to, counts)
    to[:] = np.searchsorted(splitters, keys, "left")
    ends = np.searchsorted(splitters, keys, "right")
    equal = np.flatnonzero(to != ends)
    splitter_of = to[equal]
    for first in np.unique(splitter_of):
        places = equal[splitter_of == first]
        to[places] += np.searchsorted(behind[first : ends[places[0]]], places, "right")
    return Shipment(world._pe, to)


def _moved_numbers(world: World, keys: Array, lengths: list[int]) -> Array:
    """This PE's share of the numbers of all PEs. Collective.

    They go in one piece to each PE, which is faster than key by key.
    """
    splitters, behind = _splitters(world, keys, lengths)
    grouped = np.empty_like(keys)
    counts = _native.group_numbers(
        code_of(keys.dtype), raw(keys), raw(splitters), raw(behind), raw(grouped)
    )
    return Shipment(world._pe, None, counts).move(grouped)


def sort(world: World, keys: Any, *, descending: bool | Sequence[bool] = False) -> Any:
    """All keys in order: the smallest on PE 0, the next ones on PE 1, and so on.

    Collective.

    Args:
        keys: One-dimensional; of any dtype that NumPy can sort, the same on all PEs. PEs may give
            different numbers of keys, also none. Or a tuple or list of such columns, of which the
            first counts most.
        descending: Whether the largest come first; of several columns one for each, or one for all.

    Returns:
        This PE's share, in order: an array, or a tuple of columns. What is not a number or not a
        time comes last, as in ``numpy.sort``, also in descending order and in each of several
        columns. Shares differ by few percent in length, however the keys are distributed, also if
        all are equal. Several columns, and descending order, need memory for a copy of the keys.

    Raises:
        ArgumentError: On all PEs, if what one of them gives cannot work.
        WorldError: If a PE failed or left.
    """
    call = Call(world._pe, "sort")
    order: _Order | None = None
    length = 0
    with call.checks():
        order = _Order(call, keys, descending)
        length = len(order.columns[0])
    lengths = call.agree(length)
    assert order is not None
    mine, columns = order.keys_and_columns(call)
    if columns:
        _, columns = _sorted_over_pes(world, mine, columns, lengths)
        return tuple(columns) if order.is_tuple else columns[0]
    if world.size == 1 or sum(lengths) == 0:
        share = mine.copy()
    elif is_real(mine.dtype):
        share = _moved_numbers(world, mine, lengths)
    else:
        share = _shipment(world, mine, lengths).move(mine)
    _sort_in_place(share)
    return share


def sort_by_key(
    world: World, keys: Any, *values: Any, descending: bool | Sequence[bool] = False
) -> tuple[Any, ...]:
    """Keys in order over all PEs, and whatever belongs to them along with them.

    Collective. As ``sort``, and stable: of equal keys those of the lower PE come first, and of one
    PE those that come first in its array; also in descending order.

    Args:
        keys: As ``sort`` takes them, also several columns.
        values: Any number of arrays with a row for each key, of any dtype without objects.
        descending: As ``sort`` takes it.

    Returns:
        This PE's share of the keys, an array or a tuple of columns, and of each of the arrays.
    """
    call = Call(world._pe, "sort_by_key")
    order: _Order | None = None
    length = 0
    columns: list[Array] = []
    with call.checks():
        order = _Order(call, keys, descending)
        length = len(order.columns[0])
        columns = [rows_of(each, f"values {number}") for number, each in enumerate(values)]
        call.must_be_alike({"number of arrays of values": len(columns)})
        for number, column in enumerate(columns):
            if len(column) != length:
                raise ArgumentError(
                    f"values {number} has {len(column)} rows, but there are {length} keys"
                )
            forms = form_but_width(column).items()
            call.must_be_alike({f"{what} of values {number}": form for what, form in forms})
    lengths = call.agree(length)
    assert order is not None
    mine, of_keys = order.keys_and_columns(call)
    columns = [call.widened(column) for column in columns]
    mine, moved = _sorted_over_pes(world, mine, [*of_keys, *columns], lengths)
    if not of_keys:
        return (mine, *moved)
    given = tuple(moved[: len(of_keys)]) if order.is_tuple else moved[0]
    return (given, *moved[len(of_keys) :])


def _sorted_over_pes(
    world: World, keys: Array, columns: list[Array], lengths: list[int]
) -> tuple[Array, list[Array]]:
    """This PE's share of the keys and of the columns, in the order of the keys. Collective."""
    if world.size > 1 and sum(lengths) != 0:
        shipment = _shipment(world, keys, lengths)
        keys = shipment.move(keys)
        columns = [shipment.move(column) for column in columns]
    if _is_for_native_part(keys):
        order = np.empty(len(keys), np.int64)
        _native.order_numbers(code_of(keys.dtype), raw(keys), raw(order))
    else:
        order = np.argsort(keys, kind="stable")
    return keys[order], [column[order] for column in columns]


def _is_for_native_part(keys: Array) -> bool:
    return is_real(keys.dtype) and _MANY <= len(keys) < 1 << 32


@functools.cache
def _numpy_sorts_faster(dtype: np.dtype[Any]) -> bool:
    """Whether NumPy sorts numbers faster than the native part: measured, in a few milliseconds.

    It depends on the version of NumPy and on the processor, whose vector instructions NumPy uses
    for some types.
    """
    spread = 2.0 ** (8 * dtype.itemsize - 1)
    numbers = (np.random.default_rng(0).random(_TRIAL) * spread).astype(dtype)

    def seconds(sort: Callable[[Array], Any]) -> float:
        mine = numbers.copy()
        start = time.perf_counter()
        sort(mine)
        return time.perf_counter() - start

    trials = [(seconds(np.ndarray.sort), seconds(_sort_natively)) for _ in range(3)]
    by_numpy, natively = (min(each) for each in zip(*trials, strict=True))
    return bool(by_numpy < natively)


def _sort_natively(keys: Array) -> None:
    _native.sort_numbers(code_of(keys.dtype), raw(keys))


def _sort_in_place(keys: Array) -> None:
    if not _is_for_native_part(keys):
        keys.sort(kind="stable")
    elif _numpy_sorts_faster(keys.dtype):
        keys.sort()
    else:
        _sort_natively(keys)
