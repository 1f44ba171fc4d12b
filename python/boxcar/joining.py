"""Pairs of rows with equal keys."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import numpy.typing as npt

from .agreement import Call
from .arrays import Array, rows_of
from .errors import ArgumentError
from .exchanging import Shipment
from .key_columns import Keys, grouping_keys
from .numbering import NOBODY, Numbering, owners_of
from .text_widths import form_but_width, may_differ, widest

if TYPE_CHECKING:
    from .world import World

Join = Literal["inner", "left", "right", "outer"]

_JOINS = ("inner", "left", "right", "outer")


def join(
    world: World,
    left_keys: Any,
    left_values: Any,
    right_keys: Any,
    right_values: Any,
    how: Join = "inner",
) -> tuple[Any, ...]:
    """All pairs of rows, of the left and of the right, with equal keys.

    Collective. Each key is treated on one PE, which its hash tells.

    Args:
        left_keys, right_keys: As ``group_by_key`` takes them, also several columns; of the same
            dtype. A key that is NaN or NaT is equal to all others that are, as in pandas; of
            several columns all have to be equal.
        left_values, right_values: Arrays with a row for each key, of any dtype without objects.
        how: ``"inner"``: pairs only; ``"left"``, ``"right"``: rows of that side without a partner
            as well; ``"outer"``: those of both sides.

    Returns:
        Keys (a tuple of columns, if several are given), left values and right values, a row for
        each pair that is here: in the order of the left rows that have come here, and of the right
        ones; right rows without a partner come last. With ``"left"`` also whether there is a right
        row, with ``"right"`` whether there is a left row, and with ``"outer"`` both, the left
        first: where there is none, its place holds zeros.

    Raises:
        ArgumentError: On all PEs, if what one of them gives cannot work.
        WorldError: If a PE failed or left.
    """
    call = Call(world._pe, "join")
    form = Keys(np.empty(0, np.int64), "i8", None)
    sides = [(np.empty(0, np.int64), np.empty(0))] * 2
    with call.checks():
        if how not in _JOINS:
            raise ArgumentError(f'how is "{how}": give one of {", ".join(_JOINS)}')
        call.must_be_alike({"how": how})
        form = grouping_keys(left_keys, "left_keys")
        left, right = form.rows, grouping_keys(right_keys, "right_keys").rows
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
        call.must_be_alike(form._replace(rows=left).form())
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
        shipment = Shipment(world._pe, owners_of(world, keys, form.code))
        return shipment.move(keys), shipment.move(rows)

    left, left_rows = bring(*sides[0])
    right, right_rows = bring(*sides[1])
    of_left, of_right = _pairs(left, right, form.code, how)
    has_left, has_right = of_left != NOBODY, of_right != NOBODY
    found = _rows_at(left, of_left)
    found[~has_left] = right[of_right[~has_left]]
    told = {"left": (has_right,), "right": (has_left,), "outer": (has_left, has_right)}
    return (
        form.given(found),
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
    members = np.append(groups.values, NOBODY)
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
        of_left = np.append(of_left, np.full(len(alone), NOBODY))
        of_right = np.append(of_right, alone)
    return of_left, of_right


def _rows_at(rows: Array, places: npt.NDArray[np.int64]) -> Array:
    """A copy of the rows at the places, with zeros for missing rows."""
    there = places != NOBODY
    if there.all():
        return rows[places]
    result = np.zeros((len(places), *rows.shape[1:]), rows.dtype)
    result[there] = rows[places[there]]
    return result
