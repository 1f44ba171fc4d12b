"""Waits of a program for other PEs, with a time limit or in asyncio."""

from __future__ import annotations

import numbers
import time
from collections.abc import Callable
from typing import Any

from .errors import ArgumentError

# A wait in asyncio first polls repeatedly, each time after all other tasks that can run: waits of
# microseconds must not take milliseconds, and no timer of an event loop is finer than a
# millisecond. A longer wait takes some 4 % of a core.
_LOOKS_FOR = 500e-6
_PAUSE = 1e-3
# Seconds; the native part counts nanoseconds in 64 bits.
_LONGEST = 1e9


def seconds_of(timeout: Any, where: str, least: str = "0 or more") -> float | None:
    """A time limit as the native part takes it: None for infinity and for centuries."""
    if timeout is None:
        return None
    least_number: Any = 0  # mypy knows of no order of real numbers and integers
    # NaN is not 0 or more, either.
    is_limit = isinstance(timeout, numbers.Real) and bool(timeout >= least_number)
    if not is_limit or (timeout == 0 and least != "0 or more"):
        raise ArgumentError(f"{where}: timeout is {timeout!r}: give seconds, {least}, or None")
    return None if timeout > _LONGEST else float(timeout)


def require_in_time(is_there: bool, timeout: float | None, what: str) -> None:
    if not is_there:
        raise TimeoutError(f"{what} after {timeout} s")


async def until(is_there: Callable[[], bool]) -> None:
    """Return when ``is_there()``, which serves other PEs and returns at once.

    It is called by the thread of the event loop, which is the PE: a thread beside it could not.
    """
    import asyncio  # takes long, and is there already

    begin = time.monotonic()
    while not is_there():
        await asyncio.sleep(0 if time.monotonic() - begin < _LOOKS_FOR else _PAUSE)
