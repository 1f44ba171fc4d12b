"""Counters: notifications of a PE about data that other PEs have put into its memory."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from . import _native
from .agreement import Call
from .elements import count_of, pe_of
from .errors import ArgumentError
from .held import Closable
from .waiting import require_in_time, seconds_of, until

if TYPE_CHECKING:
    from .world import World


class Counter(Closable[_native.Counter]):
    """A number on each PE that counting puts and ``add`` of all PEs count up.

    Made by ``World.counter``. When it shows a counting put, what that has put is there; of earlier
    puts it says nothing. Functions are local.
    """

    _kind = "counter"

    @property
    def value(self) -> int:
        """This PE's own, as far as is known here by now."""
        return self._part.value()

    def set(self, value: int) -> None:
        """Set this PE's own, 0 or more. What is under way meanwhile is added before or after."""
        self._part.set(count_of(value, "set: value"))

    def add(self, pe: int, n: int = 1) -> None:
        """Add ``n``, 0 or more, to the counter of any PE. It is in no order with puts."""
        part = self._part
        part.add(pe_of(self._world, pe, "add: pe"), count_of(n, "add: n"))

    def test(self, n: int) -> bool:
        """Whether this PE's own is at least ``n`` by now. Returns at once."""
        return self._part.test(count_of(n, "test: n"))

    def wait(self, n: int, timeout: float | None = None) -> None:
        """Return when this PE's own is at least ``n``. Serves other PEs meanwhile.

        Raises:
            TimeoutError: If it is not after ``timeout`` seconds.
            WorldError: If the world has failed, or a PE has left it.
        """
        seconds = seconds_of(timeout, "wait")
        is_there = self._part.wait(count_of(n, "wait: n"), seconds)
        require_in_time(is_there, timeout, f"the counter has not come to {n}")

    async def reached(self, n: int) -> None:
        """Return when it is at least ``n``; in asyncio, where other tasks run on."""
        least = count_of(n, "reached: n")
        await until(lambda: self._part.test(least))


def counter(world: World, counts: Literal["messages", "bytes"] = "messages") -> Counter:
    """A counter on each PE, 0 at first.

    Collective.

    Args:
        counts: What a counting put adds: 1, or the number of bytes that it puts; the same on all
            PEs.

    Raises:
        ArgumentError: On all PEs, if what one of them gives cannot work.
        WorldError: If a PE failed or left.
    """
    call = Call(world._pe, "counter")
    with call.checks():
        _check_counts(counts)
        call.must_be_alike({"counts": counts})
    call.agree()
    return Counter(world, _native.Counter(world._pe, counts))


def _check_counts(counts: Any) -> None:
    if counts not in ("messages", "bytes"):
        raise ArgumentError(f'counts is {counts!r}: give "messages" or "bytes"')
