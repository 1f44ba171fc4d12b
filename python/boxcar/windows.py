"""Windows: memory of all PEs that any PE may read and write by itself."""

from __future__ import annotations

import operator
import sys
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from . import _native
from .agreement import Call
from .arrays import Array, form_of, raw
from .counters import Counter
from .elements import count_of, element_type, pe_of, room_of, values_of
from .errors import ArgumentError
from .held import Closable

if TYPE_CHECKING:
    from .world import World


class Window(Closable[_native.Window]):
    """An array on each PE, of any length on each, that all PEs reach by PE and index.

    Made by ``World.window``. All functions are local: no other PE need call anything. What is on
    another node, though, is done there when that PE is in a function of Boxcar that waits, or by
    its progress thread.

    ``put`` returns when its values may be overwritten; they are there after ``flush``, and a
    counting put tells its target. Puts and atomic operations of this PE on the same PE are seen
    there in their order if a ``fence`` stands between. Whoever reads while another PE writes, and
    not by ``load``, may see anything.

    For single elements in great numbers ``World.gather`` and ``World.scatter`` are the better way.
    """

    _kind = "window"

    def __init__(self, world: World, part: _native.Window, dtype: np.dtype[Any]) -> None:
        super().__init__(world, part)
        self._dtype = dtype
        self._local: Array | None = None
        self._arriving: list[tuple[int, Array]] = []

    def __repr__(self) -> str:
        if self._held is None:
            return f"<boxcar.Window of {self._dtype}, closed>"
        return f"<boxcar.Window of {self._dtype}, {len(self)} elements on this PE>"

    def __len__(self) -> int:
        """How many elements this PE has."""
        return len(self.local)

    @property
    def dtype(self) -> np.dtype[Any]:
        """Of an element."""
        return self._dtype

    @property
    def local(self) -> Array:
        """This PE's own elements: the memory itself, which others read and write. One dimension.

        The memory stays for as long as the array, also if the window, or the world, is closed;
        others do not see it any more then.
        """
        part = self._part
        if self._local is None:
            self._local = part.local().view(self._dtype)
        return self._local

    def direct(self, pe: int) -> Array | None:
        """The elements of a PE of the same node: the memory itself; of another node, None.

        To be used for as long as that PE has its window.
        """
        part = self._part
        pe = pe_of(self._world, pe, "direct: pe")
        if self._world.node_of(pe) != self._world.node:
            return None
        return part.direct(pe).view(self._dtype)

    def size(self, pe: int) -> int:
        """How many elements a PE has. One of another node may be asked, the first time."""
        return self._part.size(pe_of(self._world, pe, "size: pe"))

    def put(
        self, values: Any, pe: int, at: int = 0, *, stride: int = 1, counter: Counter | None = None
    ) -> None:
        """Write elements of a PE.

        Args:
            values: An array of any shape, whose elements are put in the order of C; or one value.
                Converted to the dtype of the window, if that loses no more than digits.
            pe: Whose.
            at: The index of the first.
            stride: Every so manieth element there is written.
            counter: A counting put: the counter of ``pe`` counts when the values are there, also if
                there are none. Not with a stride.

        Raises:
            ArgumentError: If that cannot work, or would leave the part of ``pe``; nothing is
                written.
            WorldError: If the world has failed.
        """
        part = self._part
        pe = pe_of(self._world, pe, "put: pe")
        at = count_of(at, "put: at")
        stride = count_of(stride, "put: stride", 1)
        elements = values_of(values, self._dtype, "put: values")
        counting = None
        if counter is not None:
            if not isinstance(counter, Counter):
                raise ArgumentError(f"put: counter is {counter!r}: give one of World.counter")
            if stride != 1:
                raise ArgumentError("put: a counting put has no stride: put first, then count")
            counting = counter._part
        part.put(raw(elements), pe, at, stride, counting)

    def get(
        self,
        pe: int,
        at: int = 0,
        count: int | None = None,
        *,
        stride: int = 1,
        out: Array | None = None,
        wait: bool = True,
    ) -> Array:
        """Read elements of a PE.

        Args:
            pe: Whose.
            at: The index of the first.
            count: How many; by default as many as ``out`` has room for, or all there are from
                there.
            stride: Every so manieth element there is read.
            out: An array to be filled: contiguous, of the dtype of the window, of ``count``
                elements.
            wait: If not, the array is filled after ``flush``, and not to be touched before.

        Returns:
            A new array of one dimension, or ``out``.

        Raises:
            ArgumentError: If that cannot work, or would leave the part of ``pe``.
            WorldError: If the world has failed.
        """
        part = self._part
        pe = pe_of(self._world, pe, "get: pe")
        at = count_of(at, "get: at")
        stride = count_of(stride, "get: stride", 1)
        if count is not None:
            count = count_of(count, "get: count")
        if out is not None:
            result = room_of(out, self._dtype, "get: out")
            if count is not None and count != result.size:
                raise ArgumentError(
                    f"get: count is {count}, but out has room for {result.size} elements"
                )
        else:
            if count is None:
                count = -(-max(part.size(pe) - at, 0) // stride)
            if count > part.size(pe):  # before room for that is made
                raise ArgumentError(
                    f"get: count is {count}, but PE {pe} has {part.size(pe)} elements"
                )
            result = np.empty(count, self._dtype)
        part.get(raw(result), pe, at, stride, wait)
        if not wait and self._world.node_of(pe) != self._world.node:
            self._arriving.append((pe, result))
            self._world._keep(self)
        return result

    # --- Atomic operations ------------------------------------------------------------------------

    def add(self, value: int, pe: int, at: int = 0) -> None:
        """Add to an element, atomically, which wraps around; does not wait.

        Atomic operations are for integers of 1, 2, 4 and 8 bytes, in this machine's byte order; all
        other dtypes are refused with ArgumentError, and so is a value that the dtype cannot hold.
        Any number of PEs may do them at once.
        """
        self._update("add", pe, at, value)

    def fetch_add(self, value: int, pe: int, at: int = 0) -> int:
        """Add to an element, atomically. What it was before; see ``add``."""
        return self._update("fetch_add", pe, at, value)

    def fetch_or(self, value: int, pe: int, at: int = 0) -> int:
        """Set bits of an element, atomically. What it was before; see ``add``."""
        return self._update("fetch_or", pe, at, value)

    def swap(self, value: int, pe: int, at: int = 0) -> int:
        """Replace an element, atomically. What it was before; see ``add``."""
        return self._update("swap", pe, at, value)

    def compare_swap(self, expected: int, value: int, pe: int, at: int = 0) -> int:
        """Replace an element if it is ``expected``, atomically. What it was before; see ``add``."""
        return self._update("compare_swap", pe, at, value, expected)

    def load(self, pe: int, at: int = 0) -> int:
        """Read an element, atomically; see ``add``."""
        return self._update("load", pe, at)

    def store(self, value: int, pe: int, at: int = 0) -> None:
        """Write an element, atomically; does not wait; see ``add``."""
        self._update("store", pe, at, value)

    def _update(self, name: str, pe: int, at: int, value: int = 0, expected: int = 0) -> int:
        part = self._part
        if self._dtype.kind not in "iu" or not self._dtype.isnative:
            raise ArgumentError(
                f"{name}: the window has dtype {self._dtype}, but atomic operations are for "
                "integers in this machine's byte order: make one of these, or put"
            )
        pe = pe_of(self._world, pe, f"{name}: pe")
        at = count_of(at, f"{name}: at")
        was = part.update(name, pe, at, self._word(name, value), self._word(name, expected))
        return int.from_bytes(was, sys.byteorder, signed=self._dtype.kind == "i")

    def _word(self, name: str, value: int) -> bytes:
        is_signed = self._dtype.kind == "i"
        try:
            number = operator.index(value)
        except TypeError:
            raise ArgumentError(f"{name}: {value!r} is no integer: give one") from None
        try:
            return number.to_bytes(self._dtype.itemsize, sys.byteorder, signed=is_signed)
        except OverflowError:
            raise ArgumentError(f"{name}: {value} leaves the range of {self._dtype}") from None

    # --- Order and completion ---------------------------------------------------------------------

    def fence(self) -> None:
        """What this PE has put before is seen before what it puts after, by each target."""
        self._part.fence()

    def flush(self, pe: int | None = None) -> None:
        """Return when what this PE has put is there, and what it wanted to get is here.

        Args:
            pe: Of one PE; by default of all.

        Raises:
            WorldError: If the world has failed.
        """
        part = self._part
        if pe is not None:
            pe = pe_of(self._world, pe, "flush: pe")
        part.flush(pe)
        self._arriving = [] if pe is None else [one for one in self._arriving if one[0] != pe]
        if not self._arriving:
            self._world._keep(self, False)

    def _end(self, *, quietly: bool) -> None:
        if self._arriving and not quietly:
            self.flush()
        self._local = None
        super()._end(quietly=quietly)


def window(world: World, n: int, dtype: npt.DTypeLike) -> Window:
    """A window: an array on each PE that all PEs reach.

    Collective.

    Args:
        n: How many elements this PE has: different on each PE, if that is wanted, also 0. They are
            zeroed.
        dtype: Of an element, without objects; the same on all PEs.

    Returns:
        The window, to be closed by ``close()`` or ``with``; what is not goes with the world.

    Raises:
        ArgumentError: On all PEs, if what one of them gives cannot work.
        MachineError: If there is not enough memory.
        WorldError: If a PE failed or left.
    """
    call = Call(world._pe, "window")
    length = 0
    element = np.dtype(np.uint8)
    with call.checks():
        length = count_of(n, "n")
        element = element_type(dtype)
        call.must_be_alike({"dtype": form_of(np.empty(0, element))["dtype"]})
    call.agree()
    return Window(world, _native.Window(world._pe, length, element.itemsize), element)
