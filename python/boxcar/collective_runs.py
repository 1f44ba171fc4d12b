"""Collectives that proceed while the program computes, or waits for something else in asyncio."""

from __future__ import annotations

import sys
from collections.abc import Generator
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import numpy as np

from . import _native
from .arrays import Array, array_or_value, code_of, form_of, native, raw
from .choices import check_operation
from .elements import pe_of, room_of, values_of
from .errors import ArgumentError, ContractError
from .held import Held
from .values import Operation
from .waiting import require_in_time, seconds_of, until

if TYPE_CHECKING:
    from .world import World

Result = TypeVar("Result")
_NOTHING = np.empty(0, np.uint8)


class CollectiveRun(Held["_native.CollectiveRun"], Generic[Result]):
    """A collective that this PE has started: ``run.wait()``, or ``await run`` in asyncio.

    Returned by ``World.all_reduce_async`` and its like. Functions are local. One that is dropped
    before its end gives nothing to this PE, and goes on for the others.
    """

    _kind = "run of a collective"

    def __init__(
        self, world: World, part: _native.CollectiveRun, result: Result, starter: object
    ) -> None:
        super().__init__(world, part)
        self._result = result
        self._starter = starter
        self._is_over = False

    def __repr__(self) -> str:
        return f"<boxcar.CollectiveRun: {'over' if self._is_over else 'under way'}>"

    def test(self) -> bool:
        """Whether it has ended on this PE, so that its result is there. Returns at once."""
        self._is_over = self._is_over or self._part.test()
        return self._is_over

    def wait(self, timeout: float | None = None) -> Result:
        """Return the result when it has ended on this PE. Serves other PEs meanwhile.

        Raises:
            TimeoutError: If it has not after ``timeout`` seconds; it goes on.
            WorldError: If the world has failed, or a PE has left it.
        """
        seconds = seconds_of(timeout, "wait")
        self._is_over = self._is_over or self._part.wait(seconds)
        require_in_time(self._is_over, timeout, "the collective has not ended")
        return self._result

    def __await__(self) -> Generator[Any, None, Result]:
        """The result, when it has ended on this PE; other tasks run on.

        If the task is cancelled the run goes on, and can be awaited again.
        """
        if not self.test():
            awaited = self._world._awaited
            awaited.append(self)
            try:
                yield from until(self.test).__await__()
            finally:
                awaited.remove(self)
        return self._result

    def explain(self) -> str:
        """Over which topology it goes, and why."""
        return self._part.explain()


def _task() -> object:
    """The running task, or None."""
    asyncio = sys.modules.get("asyncio")
    try:
        return None if asyncio is None else asyncio.current_task()
    except RuntimeError:  # no event loop
        return None


def _start(
    world: World,
    name: str,
    given: Array,
    room: Array,
    result: Result,
    *,
    op: str = "",
    root: int = 0,
    first: Array = _NOTHING,
) -> CollectiveRun[Result]:
    """``given`` and ``room`` are contiguous, and of the same dtype."""
    task = _task()
    if any(run._starter is not task for run in world._awaited):
        raise ContractError(
            f"{name}: another task waits for a collective of this world that it has started, and "
            "which of them goes on first differs between PEs, which must start the same in the "
            "same order: give each task a world of its own (split), or start all in one task"
        )
    element = given if name != "scatter_async" else room
    form = repr(sorted(form_of(element.reshape(1, *element.shape)).items()))
    run = _native.CollectiveRun(
        world._pe,
        name.removesuffix("_async"),
        raw(given),
        raw(room),
        form,
        element.dtype.itemsize,
        op,
        code_of(element.dtype) if op else "",
        root,
        raw(first),
    )
    return CollectiveRun(world, run, result, task)


def _any(values: Any, name: str) -> Array:
    """Converts values of any dtype without objects."""
    array = np.require(array_or_value(values, name), requirements=["C", "A"])
    if array.dtype.hasobject or array.dtype.itemsize == 0:
        raise ArgumentError(f"{name} have dtype {array.dtype}, which cannot travel: give numbers")
    return array


def _numbers(values: Any, op: str, name: str) -> Array:
    """Converts numbers that the operation can combine."""
    array = native(_any(values, name))
    if code_of(array.dtype) == "":
        raise ArgumentError(f"{name} have dtype {array.dtype}: give numbers")
    check_operation(op, code_of(array.dtype))
    return array


def _blocks(world: World, array: Array, name: str) -> int:
    """The number of rows of the array for each PE."""
    if array.ndim == 0 or len(array) % world.size != 0:
        raise ArgumentError(
            f"{name} have shape {array.shape}, but each of {world.size} PEs is to have as many "
            f"rows: give a multiple of {world.size}"
        )
    return len(array) // world.size


def barrier_async(world: World) -> CollectiveRun[None]:
    """Ends when all PEs have started it. Collective; see ``all_reduce_async``."""
    return _start(world, "barrier_async", _NOTHING, _NOTHING, None)


def broadcast_async(world: World, values: Any, root: int = 0) -> CollectiveRun[Array]:
    """What PE ``root`` gives, on every PE. Collective; see ``all_reduce_async``.

    Args:
        values: An array of any dtype without objects; on the other PEs one of the same dtype and
            shape, whose elements do not count.
        root: A PE.
    """
    root = pe_of(world, root, "broadcast_async: root")
    room = np.array(_any(values, "broadcast_async: values"), order="C")
    return _start(world, "broadcast_async", room, room, room, root=root)


def all_reduce_async(world: World, values: Any, op: Operation = "sum") -> CollectiveRun[Array]:
    """The arrays of all PEs combined, element by element, on every PE.

    Collective in that all PEs start the same collectives of a world in the same order; their ends
    can be waited for in any. It returns at once: what cannot begin yet waits in a queue, and begins
    while this PE waits for anything, or tests a run. So do the first of a kind, and those of a kind
    of which four (two, if they have more than 64 KiB) are under way. A kind is what has the same
    function, dtype, shape, ``op`` and ``root``.

    ``values`` is read at the start, and may be changed at once. In asyncio one task at a time
    starts the collectives of a world: others have worlds of their own, by ``split``.

    Args:
        values: An array of numbers, or a number; of the same dtype and shape on all PEs.
        op: ``"sum"``, ``"min"``, ``"max"``, ``"or"``, ``"and"`` or ``"xor"``. In which order
            numbers are combined is not determined, so a sum of floating-point numbers may differ in
            the last digits from that of ``reduce``.

    Returns:
        A run, whose result is a new array of the same dtype, in this machine's byte order, and
        shape.

    Raises:
        ArgumentError: If what this PE gives cannot work: on this PE, and nothing has been started.
        ContractError: If another task waits for a collective of this world that it has started.
        WorldError: If a PE failed or left, or PEs are found to start different collectives.
    """
    given = _numbers(values, op, "all_reduce_async: values")
    room = np.empty_like(given, order="C")
    return _start(world, "all_reduce_async", given, room, room, op=op)


def reduce_async(
    world: World, values: Any, op: Operation = "sum", root: int = 0
) -> CollectiveRun[Array | None]:
    """The same on PE ``root``; the others get None. Collective; see ``all_reduce_async``."""
    root = pe_of(world, root, "reduce_async: root")
    given = _numbers(values, op, "reduce_async: values")
    room = np.empty_like(given, order="C")
    result = room if world.rank == root else None
    return _start(world, "reduce_async", given, room, result, op=op, root=root)


def reduce_scatter_async(world: World, values: Any, op: Operation = "sum") -> CollectiveRun[Array]:
    """A share of the rows of what ``all_reduce_async`` gives: PE 0 has the first ones.

    Collective; see ``all_reduce_async``.

    Args:
        values: Of the same shape on all PEs; the number of rows is a multiple of that of the PEs.
        op: As there.
    """
    given = _numbers(values, op, "reduce_scatter_async: values")
    rows = _blocks(world, given, "reduce_scatter_async: values")
    room = np.empty((rows, *given.shape[1:]), given.dtype)
    return _start(world, "reduce_scatter_async", given, room, room, op=op)


def scatter_async(world: World, values: Any, out: Array, root: int = 0) -> CollectiveRun[Array]:
    """To each PE its share of the rows that PE ``root`` gives: PE 0 has the first ones.

    Collective; see ``all_reduce_async``.

    Args:
        values: Of the root: as many as all PEs have room for. Those of the others do not count, and
            may be None.
        out: To be filled, and the result: a contiguous array of the dtype of ``values``, of the
            same shape on all PEs. Not to be touched before the end.
        root: A PE.
    """
    root = pe_of(world, root, "scatter_async: root")
    room = room_of(out, getattr(out, "dtype", np.dtype(np.uint8)), "scatter_async: out")
    if room.dtype.hasobject or room.ndim == 0:
        raise ArgumentError("scatter_async: out is a single value, or has objects: give an array")
    given = np.empty(0, room.dtype)
    if world.rank == root:
        given = values_of(values, room.dtype, "scatter_async: values")
        if given.shape != (len(room) * world.size, *room.shape[1:]):
            raise ArgumentError(
                f"scatter_async: values have shape {given.shape}, but {world.size} PEs have room "
                f"for {room.shape} each: give {(len(room) * world.size, *room.shape[1:])}"
            )
    return _start(world, "scatter_async", given, room, room, root=root)


def gather_async(world: World, values: Any, root: int = 0) -> CollectiveRun[Array | None]:
    """As ``all_gather_async``, on PE ``root``; the others get None.

    Collective; see ``all_reduce_async``.
    """
    root = pe_of(world, root, "gather_async: root")
    given = _any(values, "gather_async: values")
    is_root = world.rank == root
    room = np.empty((world.size if is_root else 0, *given.shape), given.dtype)
    return _start(world, "gather_async", given, room, room if is_root else None, root=root)


def all_gather_async(world: World, values: Any) -> CollectiveRun[Array]:
    """The arrays of all PEs on every PE, ``result[pe]`` that of each.

    Collective; see ``all_reduce_async``.

    Args:
        values: An array of any dtype without objects, or a value; of the same dtype and shape on
            all PEs.
    """
    given = _any(values, "all_gather_async: values")
    room = np.empty((world.size, *given.shape), given.dtype)
    return _start(world, "all_gather_async", given, room, room)


def all_to_all_async(world: World, values: Any) -> CollectiveRun[Array]:
    """To each PE its share of this PE's rows: PE 0 the first ones, whose share comes first here.

    Collective; see ``all_reduce_async``. Of shares that differ ``exchange`` takes care.

    Args:
        values: An array of any dtype without objects, of the same shape on all PEs; the number of
            rows is a multiple of that of the PEs.
    """
    given = _any(values, "all_to_all_async: values")
    _blocks(world, given, "all_to_all_async: values")
    room = np.empty_like(given, order="C")
    return _start(world, "all_to_all_async", given, room, room)


def scan_async(world: World, values: Any, op: Operation = "sum") -> CollectiveRun[Array]:
    """The arrays of the PEs up to this one combined. Collective; see ``all_reduce_async``."""
    given = _numbers(values, op, "scan_async: values")
    room = np.empty_like(given, order="C")
    return _start(world, "scan_async", given, room, room, op=op)


def exclusive_scan_async(
    world: World, values: Any, first: Any = 0, op: Operation = "sum"
) -> CollectiveRun[Array]:
    """``first``, one value, and the arrays of the PEs before this one combined.

    Collective; see ``all_reduce_async``.
    """
    given = _numbers(values, op, "exclusive_scan_async: values")
    start = values_of(first, given.dtype, "exclusive_scan_async: first")
    if start.size != 1:
        raise ArgumentError(f"exclusive_scan_async: first has {start.size} values: give one")
    room = np.empty_like(given, order="C")
    return _start(world, "exclusive_scan_async", given, room, room, op=op, first=start)
