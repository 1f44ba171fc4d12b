"""Small collectives for values: set-up and summaries."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from .agreement import Call
from .arrays import Array, array_or_value, code_of, converted, native, raw
from .choices import check_operation
from .elements import pe_of
from .errors import ArgumentError

if TYPE_CHECKING:
    from .world import World

Operation = Literal["sum", "min", "max", "or", "and", "xor"]


def broadcast(world: World, value: Any = None, root: int = 0) -> Any:
    """What PE ``root`` gives, on every PE.

    Collective.

    Args:
        value: Anything that can be pickled; that of the others does not count.
        root: A PE.
    """
    call = Call(world._pe, "broadcast")
    mine = b""
    with call.functions_of_program():
        root = pe_of(world, root, "root")
        mine = pickle.dumps(value, protocol=5) if root == world.rank else b""
        call.must_be_alike({"root": root})
    call.agree()
    return pickle.loads(world._pe.broadcast(mine, root))


def all_gather(world: World, value: Any) -> list[Any]:
    """What the PEs give, in rank order, on every PE.

    Collective.

    Args:
        value: Anything that can be pickled.
    """
    call = Call(world._pe, "all_gather")
    mine = b""
    with call.functions_of_program():
        mine = pickle.dumps(value, protocol=5)
    call.agree()
    return [pickle.loads(each) for each in world._pe.all_gather(mine)]


def _combined(
    world: World,
    name: str,
    value: Any,
    op: str,
    run: Callable[[str, Array, Array], None],
    first: Any = 0,
) -> Any:
    """The result of ``run(code, array, first)`` for a copy of the value."""
    call = Call(world._pe, name)
    array = start = np.empty(0)
    with call.checks():
        array = np.array(native(array_or_value(value, "value")), order="C")
        if code_of(array.dtype) == "":
            raise ArgumentError(f"value has dtype {array.dtype}: give numbers")
        check_operation(op, code_of(array.dtype))
        start = converted(array_or_value(first, "first"), array.dtype, "first")
        if start.size != 1:
            raise ArgumentError(f"first has shape {start.shape}: give one number")
        start = start.reshape(1)
        call.must_be_alike({"dtype": array.dtype, "shape": array.shape, "op": op})
    call.agree()
    if array.size != 0:
        run(code_of(array.dtype), array, start)
    return array.item() if array.ndim == 0 and not isinstance(value, np.ndarray) else array


def reduce(world: World, value: Any, op: Operation = "sum") -> Any:
    """The values of all PEs combined, on every PE.

    Collective. In rank order, so the result is the same on every PE and in every run, also if it is
    rounded.

    Args:
        value: A number, or an array of numbers, which are combined element by element; of the same
            dtype and shape on all PEs.
        op: ``"sum"``, ``"min"``, ``"max"``, ``"or"``, ``"and"`` or ``"xor"``. The result has the
            dtype of the values: integers wrap around, and the ``"sum"`` of truth values is a truth
            value, so give ``int(value)`` to count them.

    Returns:
        A number or an array, as ``value`` is.
    """
    return _combined(
        world, "reduce", value, op, lambda code, array, _: world._pe.reduce(op, code, raw(array))
    )


def scan(world: World, value: Any, op: Operation = "sum") -> Any:
    """The values of the PEs up to this one combined. Collective; see ``reduce``."""
    return _combined(
        world, "scan", value, op, lambda code, array, _: world._pe.scan(op, code, raw(array))
    )


def exclusive_scan(world: World, value: Any, first: Any = 0, op: Operation = "sum") -> Any:
    """``first`` and the values of the PEs before this one combined; on PE 0 that is ``first``.

    Collective; see ``reduce``. ``first`` is one number, also if the values are arrays.
    """

    return _combined(
        world,
        "exclusive_scan",
        value,
        op,
        lambda code, array, start: world._pe.exclusive_scan(op, code, raw(array), raw(start)),
        first,
    )


def histogram(
    world: World, values: Any, bins: Any = 10, range: tuple[float, float] | None = None
) -> tuple[Array, Array]:
    """``numpy.histogram`` of the values of all PEs, on every PE.

    Collective.

    Args:
        values: Numbers, of any shape; PEs may give different numbers of them, also none.
        bins: How many bins, or their edges; the same on all PEs.
        range: From where to where the bins go; by default from the smallest to the largest value of
            all PEs.

    Returns:
        How many values are in each bin, and the edges of the bins.
    """
    call = Call(world._pe, "histogram")
    mine = np.empty(0)
    with call.checks():
        mine = array_or_value(values, "values").reshape(-1)
        if mine.dtype.kind not in "biuf":
            raise ArgumentError(f"values has dtype {mine.dtype}: give real numbers")
        # Numbers of any type are alike if their values are.
        edges = np.asarray(bins)
        if edges.dtype.kind not in "biuf":
            raise ArgumentError(f"bins is {bins!r}: give how many, or their edges")
        alike = edges if edges.ndim == 0 else edges.astype(float)
        if range is not None:
            low, high = range
            range = (float(low), float(high))
        call.must_be_alike({"bins": alike.tolist(), "range": range})
    present = sum(call.agree(len(mine)))
    if range is None and np.ndim(bins) == 0 and present != 0:
        # NumPy computes the edges from ends of the type of the values, which may have more digits
        # than any number that travels as such.
        ends = (mine.min(), mine.max()) if len(mine) else None
        of_all = [each for each in world.all_gather(ends) if each is not None]
        range = (min(low for low, _ in of_all), max(high for _, high in of_all))
    call = Call(world._pe, "histogram")
    counts = edges = np.empty(0)
    with call.checks():
        counts, edges = np.histogram(mine, bins, range)
    call.agree()
    return reduce(world, counts.astype(np.int64)), edges
