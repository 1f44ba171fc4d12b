"""Rows with equal keys, brought together and combined."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from . import _native
from .agreement import Call
from .arrays import Array, code_of, native, raw, rows_of
from .errors import ArgumentError
from .exchanging import Shipment
from .keys import are_missing, keys_and_type
from .text_widths import form_but_width, may_differ, widest

if TYPE_CHECKING:
    from .world import World

How = Literal["sum", "count", "min", "max", "or", "and", "xor", "first", "arrays"]
Join = Literal["inner", "left", "right", "outer"]

_HOWS = ("sum", "count", "min", "max", "or", "and", "xor", "first", "arrays")
_JOINS = ("inner", "left", "right", "outer")
# Keys are combined here before they travel unless most of the first `_PROBED` keys are different.
_PROBED = 1 << 16
_MOSTLY_DIFFERENT = 0.8
# The place of a missing row.
_NOBODY = -1


class Groups(NamedTuple):
    """The values of every group."""

    values: Array
    """Those of the first group, those of the second, and so on. Within a group they are in the
    order of the PEs that they came from, and of their places there."""
    starts: npt.NDArray[np.int64]
    """Where each group begins in ``values``, and at the end the number of all values."""

    def __getitem__(self, group: int) -> Array:  # type: ignore[override]
        """The values of one group."""
        return self.values[self.starts[group] : self.starts[group + 1]]


def owners_of(world: World, keys: Array, code: str) -> npt.NDArray[np.int32]:
    """The PE that each key belongs to."""
    to = np.empty(len(keys), np.int32)
    _native.spread_keys(code, raw(keys), keys.dtype.itemsize, world.size, raw(to))
    return to


class Numbering:
    """A number for every different key of an array, in the order in which they first come."""

    def __init__(self, keys: Array, code: str) -> None:
        self._index = _native.KeyIndex(code, keys.dtype.itemsize)
        self.ids = np.empty(len(keys), np.uint32)
        self._index.add(raw(keys), raw(self.ids))
        self.count = self._index.size()
        self.firsts = np.empty(self.count, np.int64)
        self._index.firsts(raw(self.firsts))

    def find(self, keys: Array) -> npt.NDArray[np.uint32]:
        """The numbers of other keys; the largest of its type for those that are not there."""
        ids = np.empty(len(keys), np.uint32)
        self._index.find(raw(keys), raw(ids))
        return ids

    def counts(self) -> npt.NDArray[np.int64]:
        counts = np.zeros(self.count, np.int64)
        _native.count_groups(raw(self.ids), raw(counts))
        return counts

    def combine(self, how: str, values: Array) -> Array:
        """One row for each number: the combination of all values of it."""
        if how == "first":
            return values[self.firsts]
        if how in ("sum", "xor"):
            into = np.zeros(
                self.count, _dtype_of_sum(values.dtype) if how == "sum" else values.dtype
            )
        else:
            into = values[self.firsts]
        _native.combine_groups(
            how, code_of(values.dtype), code_of(into.dtype), raw(values), raw(self.ids), raw(into)
        )
        return into

    def arrays(self, values: Array) -> Groups:
        order = np.empty(len(self.ids), np.int64)
        starts = np.empty(self.count + 1, np.int64)
        _native.order_groups(raw(self.ids), raw(order), raw(starts))
        return Groups(values[order], starts)


def _dtype_of_sum(dtype: np.dtype[Any]) -> np.dtype[Any]:
    if dtype.kind in "bi":
        return np.dtype(np.int64)
    return np.dtype(np.uint64) if dtype.kind == "u" else dtype


def _check_values(values: Any, hows: tuple[str, ...], count: int) -> Array:
    needed = [how for how in hows if how != "count"]
    if values is None:
        if needed:
            raise ArgumentError(f'there are no values: "{needed[0]}" needs some')
        return np.empty(count, "V0")
    rows = native(rows_of(values, "values"))
    if len(rows) != count:
        raise ArgumentError(f"values has {len(rows)} rows, but there are {count} keys")
    for how in needed:
        if how in ("first", "arrays"):
            continue
        if rows.ndim != 1 or code_of(rows.dtype) == "":
            raise ArgumentError(
                f'values has dtype {rows.dtype} and shape {rows.shape}: "{how}" takes numbers, in '
                "one dimension"
            )
        _native.check_update(how, code_of(rows.dtype))
    return rows


def is_worth_combining(keys: Array, code: str) -> bool:
    """Whether many of the keys are equal, so that fewer travel if their values are combined."""
    probed = keys[:_PROBED]
    return len(probed) > 0 and Numbering(probed, code).count < _MOSTLY_DIFFERENT * len(probed)


def _partial(how: str, values: Array, mine: Numbering | None, count: int) -> Array:
    """The values to send: a row for each key to send."""
    if how == "count":
        return np.ones(count, np.int64) if mine is None else mine.counts()
    if mine is not None:
        return mine.combine(how, values)
    return values.astype(_dtype_of_sum(values.dtype), copy=False) if how == "sum" else values


def group_by_key(
    world: World,
    keys: Any,
    values: Any = None,
    how: How | Sequence[How] = "sum",
    *,
    sort: bool = False,
    dropna: bool = True,
) -> tuple[Any, ...]:
    """Bring rows with equal keys together, wherever they are, and combine their values.

    Collective. Each key ends on one PE, which its hash tells: the groups are spread evenly.

    Args:
        keys: One-dimensional; integers, floating-point numbers, times, fixed-width strings or
            structures; the same dtype on all PEs.
        values: An array with a row for each key, the same dtype and shape of a row on all PEs. Not
            needed for ``"count"``.
        how: What becomes of the values of a group: ``"sum"``, ``"count"``, ``"min"``, ``"max"``,
            ``"or"``, ``"and"``, ``"xor"``, ``"first"`` (of the lowest PE), or ``"arrays"``, a
            ``Groups`` with all of them. Or several of these, to have them all.
        sort: Whether this PE's keys are to be in order; else the order is no particular one, but
            the same in every run.
        dropna: Whether rows are left out whose key is NaN or NaT, or a structure with such a field,
            as pandas does; else all that are NaN are one key. Values that are NaN take part as in
            NumPy: a sum with NaN is NaN, and ``"count"`` counts rows.

    Returns:
        The keys of this PE, each once, and for each of ``how`` an array with a row for each of
        them. Sums of integers have 64 bits, as NumPy's.

    Raises:
        ArgumentError: On all PEs, if what one of them gives cannot work.
        WorldError: If a PE failed or left.
    """
    return _group(world, "group_by_key", keys, values, how, sort, dropna)


def _group(
    world: World,
    name: str,
    keys: Any,
    values: Any,
    how: How | Sequence[How],
    sort: bool,
    dropna: bool,
) -> tuple[Any, ...]:
    """``group_by_key``, called by its own name or by another name."""
    call = Call(world._pe, name)
    hows: tuple[How, ...] = ()
    mine, code = np.empty(0, np.int64), "i8"
    rows = np.empty(0, "V0")
    with call.checks():
        hows = (how,) if isinstance(how, str) else tuple(how)
        for each in hows:
            if each not in _HOWS:
                raise ArgumentError(f'how is "{each}": give one of {", ".join(_HOWS)}')
        mine, code = keys_and_type(keys, "keys")
        rows = _check_values(values, hows, len(mine))
        if dropna and (missing := are_missing(mine)).any():
            mine, rows = mine[~missing], rows[~missing]
        call.must_be_alike({**form_but_width(mine), "how": hows, "dropna": bool(dropna)})
        forms = form_but_width(rows).items()
        call.must_be_alike({f"{what} of values": form for what, form in forms})
    call.agree()
    mine, rows = call.widened(mine), call.widened(rows)

    here = None
    if "arrays" not in hows and is_worth_combining(mine, code):
        here = Numbering(mine, code)
    travelling = mine if here is None else mine[here.firsts]
    columns = {
        each: rows if each == "arrays" else _partial(each, rows, here, len(mine)) for each in hows
    }
    shipment = Shipment(world._pe, owners_of(world, travelling, code))
    arrived = shipment.move(travelling)
    groups = Numbering(arrived, code)
    results: list[Any] = []
    for each in hows:
        column = shipment.move(columns.pop(each)) if each in columns else None
        if column is None:  # asked for twice
            results.append(results[hows.index(each)])
        elif each == "arrays":
            results.append(groups.arrays(column))
        else:
            results.append(groups.combine("sum" if each == "count" else each, column))
    unique = arrived[groups.firsts]
    if sort:
        order = np.argsort(unique)
        unique = unique[order]
        results = [_in_order(result, order) for result in results]
    return (unique, *results)


def _in_order(result: Any, order: npt.NDArray[np.int64]) -> Any:
    if not isinstance(result, Groups):
        return result[order]
    counts = np.diff(result.starts)[order]
    starts = np.concatenate([[0], np.cumsum(counts)])
    rows = np.repeat(result.starts[:-1][order] - starts[:-1], counts) + np.arange(starts[-1])
    return Groups(result.values[rows], starts)


def unique(world: World, keys: Any, *, sort: bool = False) -> Array:
    """Every different key once, on the PE that its hash tells; NaN and NaT are keys as well.

    Collective. Arguments and errors are those of ``group_by_key``.
    """
    result: Array = _group(world, "unique", keys, None, (), sort, dropna=False)[0]
    return result


def value_counts(
    world: World, keys: Any, *, sort: bool = False, dropna: bool = True
) -> tuple[Array, npt.NDArray[np.int64]]:
    """Every different key, on the PE that its hash tells, and how often it is there on all PEs.

    Collective. Arguments and errors are those of ``group_by_key``.
    """
    keys_here, counts = _group(world, "value_counts", keys, None, "count", sort, dropna)
    return keys_here, counts


def join(
    world: World,
    left_keys: Any,
    left_values: Any,
    right_keys: Any,
    right_values: Any,
    how: Join = "inner",
) -> tuple[Array, ...]:
    """All pairs of rows, of the left and of the right, with equal keys.

    Collective. Each key is treated on one PE, which its hash tells.

    Args:
        left_keys, right_keys: As ``group_by_key`` takes them; of the same dtype. A key that is NaN
            or NaT is equal to all others that are, as in pandas.
        left_values, right_values: Arrays with a row for each key, of any dtype without objects.
        how: ``"inner"``: pairs only; ``"left"``, ``"right"``: rows of that side without a partner
            as well; ``"outer"``: those of both sides.

    Returns:
        Keys, left values and right values, a row for each pair that is here: in the order of the
        left rows that have come here, and of the right ones; right rows without a partner come
        last. With ``"left"`` also whether there is a right row, with ``"right"`` whether there is a
        left row, and with ``"outer"`` both, the left first: where there is none, its place holds
        zeros.

    Raises:
        ArgumentError: On all PEs, if what one of them gives cannot work.
        WorldError: If a PE failed or left.
    """
    call = Call(world._pe, "join")
    code = "i8"
    sides = [(np.empty(0, np.int64), np.empty(0))] * 2
    with call.checks():
        if how not in _JOINS:
            raise ArgumentError(f'how is "{how}": give one of {", ".join(_JOINS)}')
        call.must_be_alike({"how": how})
        left, code = keys_and_type(left_keys, "left_keys")
        right, _ = keys_and_type(right_keys, "right_keys")
        if may_differ(left.dtype) and form_but_width(left) == form_but_width(right):
            wide = widest([left.dtype, right.dtype])
            left, right = left.astype(wide), right.astype(wide)
        if left.dtype != right.dtype:
            raise ArgumentError(
                f"left_keys have dtype {left.dtype}, right_keys {right.dtype}: give the same"
            )
        sides = [
            (left, rows_of(left_values, "left_values")),
            (right, rows_of(right_values, "right_values")),
        ]
        call.must_be_alike(form_but_width(left))
        for name, (keys, rows) in zip(("left", "right"), sides, strict=True):
            if len(keys) != len(rows):
                raise ArgumentError(
                    f"{name}_values has {len(rows)} rows, but there are {len(keys)} keys"
                )
            forms = form_but_width(rows).items()
            call.must_be_alike({f"{what} of {name}_values": form for what, form in forms})
    call.agree()
    sides = [(call.widened(keys), call.widened(rows)) for keys, rows in sides]

    def bring(keys: Array, rows: Array) -> tuple[Array, Array]:
        shipment = Shipment(world._pe, owners_of(world, keys, code))
        return shipment.move(keys), shipment.move(rows)

    left, left_rows = bring(*sides[0])
    right, right_rows = bring(*sides[1])
    of_left, of_right = _pairs(left, right, code, how)
    has_left, has_right = of_left != _NOBODY, of_right != _NOBODY
    found = _rows_at(left, of_left)
    found[~has_left] = right[of_right[~has_left]]
    told = {"left": (has_right,), "right": (has_left,), "outer": (has_left, has_right)}
    return (
        found,
        _rows_at(left_rows, of_left),
        _rows_at(right_rows, of_right),
        *told.get(how, ()),
    )


def _pairs(
    left: Array, right: Array, code: str, how: Join
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Places of left and of right rows with equal keys, or of a row that may be without partner."""
    index = Numbering(right, code)
    groups = index.arrays(np.arange(len(right)))
    # Left rows without a partner find one more group: the group of the missing row, or an empty
    # group.
    members = np.append(groups.values, _NOBODY)
    starts = np.append(groups.starts, len(right) + (how in ("left", "outer")))
    ids = np.minimum(index.find(left), index.count)
    counts = np.diff(starts)[ids]
    of_left = np.repeat(np.arange(len(left)), counts)
    first_pair = np.cumsum(counts) - counts
    of_right = members[np.arange(len(of_left)) + np.repeat(starts[:-1][ids] - first_pair, counts)]
    if how in ("right", "outer"):
        has_partner = np.zeros(len(right) + 1, bool)  # the last one is nobody's
        has_partner[of_right] = True
        alone = np.flatnonzero(~has_partner[:-1])
        of_left = np.append(of_left, np.full(len(alone), _NOBODY))
        of_right = np.append(of_right, alone)
    return of_left, of_right


def _rows_at(rows: Array, places: npt.NDArray[np.int64]) -> Array:
    """A copy of the rows at the places, with zeros for missing rows."""
    there = places != _NOBODY
    if there.all():
        return rows[places]
    result = np.zeros((len(places), *rows.shape[1:]), rows.dtype)
    result[there] = rows[places[there]]
    return result
