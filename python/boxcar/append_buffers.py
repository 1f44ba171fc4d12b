"""Append buffers: memory of each PE to which all PEs append, without announcing it beforehand."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from . import _native
from .agreement import Call
from .arrays import Array, form_of, raw
from .elements import count_of, element_type, pe_of, values_of
from .errors import ArgumentError, ContractError
from .exchanging import destinations
from .held import Closable
from .waiting import require_in_time, seconds_of, until

if TYPE_CHECKING:
    from .world import World

_LARGEST_ITEM = 65536


class AppendCounts(NamedTuple):
    """How many elements of an append buffer have been written, and how many have a place."""

    completed: int
    reserved: int


class AppendBuffer(Closable[_native.AppendBuffer]):
    """A buffer of each PE to which all PEs append.

    Made by ``World.append_buffer``. The elements of one push lie one behind the other; pushes of
    different PEs lie in any order. Functions are local, unless they say that they are collective.
    """

    _kind = "append buffer"

    def __init__(
        self, world: World, part: _native.AppendBuffer, dtype: np.dtype[Any], aggregates: bool
    ) -> None:
        super().__init__(world, part)
        self._dtype = dtype
        self._aggregates = aggregates
        if aggregates:
            world._keep(self)  # its end needs all PEs

    def __repr__(self) -> str:
        if self._held is None:
            return f"<boxcar.AppendBuffer of {self._dtype}, closed>"
        return f"<boxcar.AppendBuffer of {self._dtype}, room for {self.capacity()}>"

    @property
    def dtype(self) -> np.dtype[Any]:
        """Of an element."""
        return self._dtype

    def push(self, values: Any, pe: Any, *, wait: bool = True) -> int:
        """Append elements to the buffer of a PE.

        Args:
            values: An array of any shape, whose elements are pushed in the order of C; or one
                value. Converted to the dtype of the buffer, if that loses no more than digits.
            pe: Whose buffer. If the buffer aggregates, an array of the PE of each element will do.
            wait: If not, the answer is not waited for: what found no room is known there, as
                ``refused``, and not here.

        Returns:
            How many elements were taken: all, none if they did not fit, or as many as did, as
            ``full`` says; if it does not wait or aggregates, all.

        Raises:
            ArgumentError: If that cannot work, or they could never fit; nothing is written.
            ContractError: If a buffer that works in rounds is in another one there.
            WorldError: If the world has failed.
        """
        part = self._part
        elements = values_of(values, self._dtype, "push: values")
        if np.ndim(pe) == 0:
            return part.push(raw(elements), pe_of(self._world, pe, "push: pe"), wait)
        if not self._aggregates:
            raise ArgumentError("push: pe is an array, which only a buffer that aggregates takes")
        each = destinations(self._world.size, pe, elements.size)
        part.push_each(raw(elements), raw(each))
        return elements.size

    def flush(self, pe: int | None = None) -> None:
        """Return when what this PE has pushed is there: to one PE, or by default to all.

        What is aggregated waits for ``finish``.
        """
        part = self._part
        part.flush(None if pe is None else pe_of(self._world, pe, "flush: pe"))

    def finish(self) -> None:
        """Return when all that all PEs have pushed is there. Collective."""
        self._part.finish()

    def arrived(self) -> Array:
        """What can be read of this PE's buffer: the memory itself, in one dimension.

        All that was there at the last moment at which no push was under way. After ``reset`` others
        write there again; the memory stays for as long as the array.
        """
        return self._part.arrived().view(self._dtype)

    @property
    def reserved(self) -> int:
        """Elements for which there is a place, since the last reset."""
        return self._part.reserved()

    @property
    def completed(self) -> int:
        """Elements that have been written, since the last reset."""
        return self._part.completed()

    @property
    def counts(self) -> AppendCounts:
        """``completed`` and ``reserved``, read so that they can be compared.

        If they are equal, no push was under way, and all the elements before them can be read.
        (Pushes go on between reading ``reserved`` and ``completed`` one after the other.)
        """
        return AppendCounts(*self._part.counts())

    @property
    def messages(self) -> int:
        """Pushes that have found room; if it aggregates, elements."""
        return self._part.messages()

    @property
    def refused(self) -> int:
        """Elements that have found no room."""
        return self._part.refused()

    def capacity(self, pe: int | None = None) -> int:
        """For how many elements there is room in the buffer of a PE, by default this one."""
        part = self._part
        return part.capacity(
            self._world.rank if pe is None else pe_of(self._world, pe, "capacity: pe")
        )

    def wait(self, elements: int, timeout: float | None = None) -> None:
        """Return when so many elements can be read. Serves other PEs meanwhile.

        Raises:
            ArgumentError: If there is not room for as many.
            ContractError: If the buffer aggregates, and they are not there: ``finish`` brings them.
            TimeoutError: If they are not there after ``timeout`` seconds.
            WorldError: If the world has failed, or a PE has left it.
        """
        self._wait("wait: elements", elements, False, timeout)

    def wait_messages(self, count: int, timeout: float | None = None) -> None:
        """Return when the elements of so many pushes can be read; see ``wait``."""
        self._wait("wait_messages: count", count, True, timeout)

    async def reached(self, elements: int) -> None:
        """Return when so many elements can be read; in asyncio, where other tasks run on."""
        wanted = self._wanted("reached: elements", elements, False)
        await until(lambda: self._part.test(*wanted))

    def _wait(self, name: str, count: int, is_of_messages: bool, timeout: float | None) -> None:
        seconds = seconds_of(timeout, name)
        wanted = self._wanted(name, count, is_of_messages)
        is_there = self._part.wait(*wanted, seconds)
        require_in_time(is_there, timeout, f"{name}: {count} are not there")

    def _wanted(self, name: str, count: int, is_of_messages: bool) -> tuple[int, int]:
        part = self._part
        count = count_of(count, name)
        if not is_of_messages and count > self.capacity():
            raise ArgumentError(f"{name} is {count}, but the buffer has room for {self.capacity()}")
        wanted = (0, count) if is_of_messages else (count, 0)
        if self._aggregates and not part.test(*wanted):
            raise ContractError(
                f"{name} is {count}, and they have not arrived: the buffer aggregates; call "
                "finish on all PEs first"
            )
        return wanted

    def reset(self) -> None:
        """Empty this PE's buffer: what comes from now on goes to its beginning.

        Raises:
            ContractError: If a push is under way.
        """
        self._part.reset()

    def close(self) -> None:
        """The last use of it by this PE.

        Local; if it aggregates collective, and what was pushed before arrives. See
        ``Window.close``.
        """
        super().close()

    def _end(self, *, quietly: bool) -> None:
        part = self._part
        if quietly:
            part.abandon()
        else:
            part.complete()
        self._world._keep(self, False)
        super()._end(quietly=quietly)


def append_buffer(
    world: World,
    capacity: int,
    dtype: npt.DTypeLike,
    *,
    full: Literal["refuse", "truncate"] = "refuse",
    in_rounds: bool = False,
    aggregate: bool = False,
) -> AppendBuffer:
    """A buffer of each PE to which all PEs append.

    Collective. The options are the same on all PEs.

    Args:
        capacity: For how many elements this PE's buffer has room: different on each PE, if that is
            wanted.
        dtype: Of an element, without objects; the same on all PEs.
        full: What becomes of a push that finds less room than it needs: none of it is taken, or as
            much as there is room for.
        in_rounds: All PEs reset their buffers as often as one another: a push from another round is
            an error.
        aggregate: Pushes travel many together and arrive until ``finish``: for small ones in great
            numbers. As in a session of a conveyor, all PEs push or finish, and wait for nothing
            else meanwhile that others do behind their pushes. Not together with ``in_rounds``.

    Raises:
        ArgumentError: On all PEs, if what one of them gives cannot work.
        MachineError: If there is not enough memory.
        WorldError: If a PE failed or left.
    """
    call = Call(world._pe, "append_buffer")
    room = 0
    element = np.dtype(np.uint8)
    with call.checks():
        room = count_of(capacity, "capacity")
        element = element_type(dtype)
        if full not in ("refuse", "truncate"):
            raise ArgumentError(f'full is {full!r}: give "refuse" or "truncate"')
        if in_rounds and aggregate:
            raise ArgumentError("what is aggregated belongs to no round: leave in_rounds out")
        if aggregate and element.itemsize > _LARGEST_ITEM:
            raise ArgumentError(
                f"an element has {element.itemsize} bytes, and those of buffers that aggregate at "
                f"most {_LARGEST_ITEM}: leave aggregate out"
            )
        call.must_be_alike(
            {
                "dtype": form_of(np.empty(0, element))["dtype"],
                "full": full,
                "in_rounds": bool(in_rounds),
                "aggregate": bool(aggregate),
            }
        )
    call.agree()
    part = _native.AppendBuffer(
        world._pe, room, element.itemsize, full == "truncate", bool(in_rounds), bool(aggregate)
    )
    return AppendBuffer(world, part, element, bool(aggregate))
