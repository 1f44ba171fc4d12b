"""Tables distributed over the PEs: each PE has a part, an array, and any PE may read and change any
element."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import numpy.typing as npt

from . import _native
from .agreement import Call
from .arrays import (
    Array,
    array_or_value,
    code_of,
    converted,
    form_of,
    indices_of,
    raw,
    row_bytes,
    rows_of,
)
from .choices import check_operation, check_spread
from .errors import ArgumentError
from .exchanging import check_range
from .text_widths import form_but_width

if TYPE_CHECKING:
    from .world import World

Spread = Literal["blocks", "cyclic", "hash"]
"""How a table is spread.

- ``"blocks"``: the first elements are on PE 0, the next ones on PE 1, and so on; parts may have any
  length.
- ``"cyclic"``: element ``i`` is on PE ``i % size``, in its slot ``i // size``.
- ``"hash"``: the elements are shared out as if at random, so that those that are used often, or
  together, are on different PEs. ``World.table_indices`` tells which are here, slot by slot.
"""

Update = Literal["sum", "min", "max", "or", "and", "xor", "put"]


def lengths_of_parts(length: int, pes: int) -> list[int]:
    """The lengths of the parts of a table of that length, which differ by one at most."""
    return [_native.length_of_part(length, pes, pe) for pe in range(pes)]


def _check_parts(call: Call, world: World, spread: str, parts: list[int]) -> None:
    """Agrees again, as the lengths of the parts are known only now."""
    length = sum(parts)
    with call.checks():
        here = parts[world.rank]
        due = _native.length_of_part(length, world.size, world.rank)
        if spread != "blocks" and here != due:
            raise ArgumentError(
                f"this PE's part of the table has {here} rows; of a table of {length} that is "
                f'spread by "{spread}" over {world.size} PEs it has {due}'
            )


def _checked_indices(call: Call, indices: Any, parts: list[int]) -> Array:
    checked = np.empty(0, np.int64)
    with call.checks():
        checked = indices_of(indices, "indices")
        check_range(checked, sum(parts), "indices", f"the table has {sum(parts)} rows")
    return checked


def gather(world: World, table: Any, indices: Any, *, spread: Spread = "blocks") -> Array:
    """Elements of a table, wherever they are.

    Collective.

    Args:
        table: This PE's part: an array of any dtype without objects. An element may be a row. The
            same dtype and shape of a row on all PEs.
        indices: Integers, of any shape, 0 to the length of the whole table.
        spread: How the table is spread, see ``Spread``.

    Returns:
        An array of the shape of ``indices``, and behind it that of a row.

    Raises:
        ArgumentError: On all PEs, if what one of them gives cannot work.
        WorldError: If a PE failed or left.
    """
    call = Call(world._pe, "gather")
    rows = np.empty(0, np.uint8)
    with call.checks():
        check_spread(spread)
        rows = rows_of(table, "table")
        call.must_be_alike({**form_but_width(rows), "spread": spread})
    parts = call.agree(len(rows))
    rows = call.widened(rows)
    _check_parts(call, world, spread, parts)
    where = _checked_indices(call, indices, parts)
    most = max(call.agree(where.size))
    result = np.empty((*where.shape, *rows.shape[1:]), rows.dtype)
    width = row_bytes(rows)
    if width != 0:
        code = code_of(where.dtype)
        world._pe.gather(spread, parts, code, raw(where), most, raw(rows), width, raw(result))
    return result


def scatter(
    world: World,
    table: npt.NDArray[Any],
    indices: Any,
    values: Any,
    how: Update = "sum",
    *,
    spread: Spread = "blocks",
) -> None:
    """Change elements of a table, wherever they are.

    Collective. When it returns, all changes to this PE's part are made. If several values are for
    the same element all count; of several that are ``put`` there, one does. The order is not
    determined, so sums of floating-point numbers may differ in the last digits between runs.

    Args:
        table: This PE's part, a NumPy array that is contiguous and can be written to: it is
            changed. The same dtype and shape of a row on all PEs.
        indices: Integers, 0 to the length of the whole table; of any shape.
        values: What is to be combined with those elements, or put there: of the shape of
            ``indices`` and behind it that of a row, or what can be broadcast to that. Becomes the
            dtype of the table.
        how: ``"sum"``, ``"min"``, ``"max"``, ``"or"``, ``"and"``, ``"xor"``, or ``"put"``. Integers
            wrap around; what is not a number stays so.
        spread: How the table is spread, see ``Spread``.

    Raises:
        ArgumentError: On all PEs, if what one of them gives cannot work; nothing has changed.
        WorldError: If a PE failed or left.
    """
    call = Call(world._pe, f"scatter_{'add' if how == 'sum' else how}")
    length = 0
    code = ""
    with call.checks():
        check_spread(spread)
        _check_table(table)
        length = len(table)
        code = code_of(table.dtype)
        if how != "put":
            if code == "":
                raise ArgumentError(f"a table of dtype {table.dtype} can only be changed by put")
            check_operation(how, code, "how")
        call.must_be_alike({**form_of(table), "spread": spread})
    parts = call.agree(length)
    _check_parts(call, world, spread, parts)
    where = _checked_indices(call, indices, parts)
    new = np.empty(0, np.uint8)
    with call.checks():
        new = converted(array_or_value(values, "values"), table.dtype, "values")
        new = np.ascontiguousarray(np.broadcast_to(new, (*where.shape, *table.shape[1:])))
    call.agree()
    width = row_bytes(table)
    if width != 0:
        index = code_of(where.dtype)
        world._pe.update(spread, parts, index, raw(where), how, code, raw(new), width, raw(table))


def _check_table(table: Any) -> None:
    if not isinstance(table, np.ndarray) or table.ndim == 0:
        raise ArgumentError("the table is to be changed: give a NumPy array, this PE's part of it")
    if isinstance(table, np.ma.MaskedArray):
        raise ArgumentError("the table is to be changed, but has a mask: give a plain NumPy array")
    if table.dtype.hasobject:
        raise ArgumentError(f"the table has dtype {table.dtype}, whose elements cannot travel")
    flags = table.flags
    if not (flags.c_contiguous and flags.writeable and flags.aligned):
        raise ArgumentError(
            "the table is to be changed, but its array is not contiguous, not aligned or "
            "read-only: give a copy, and keep that"
        )


def table_indices(world: World, length: int, *, spread: Spread = "blocks") -> npt.NDArray[np.int64]:
    """Which elements of a table of so many this PE has, in the order of its slots.

    Local. For ``"blocks"``, those that it has if all PEs have as many as can be.

    Args:
        length: Of the whole table.
        spread: How it is spread, see ``Spread``.
    """
    check_spread(spread)
    if length < 0:
        raise ArgumentError(f"length is {length}: give 0 or more")
    parts = lengths_of_parts(length, world.size)
    indices = np.empty(parts[world.rank], np.int64)
    _native.own_indices(spread, parts, world.rank, raw(indices))
    return indices
