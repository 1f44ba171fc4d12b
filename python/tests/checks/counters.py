"""Counters."""

from __future__ import annotations

import asyncio
import time

import boxcar
import numpy as np

from . import everywhere
from .support import error_of, must_refuse


def check_who_counts_what(world):
    right = (world.rank + 1) % world.size
    with world.counter() as c:
        assert c.value == 0 and c.test(0) and not c.test(1)
        world.barrier()
        c.add(right)
        c.add(right, 2)
        c.wait(3)
        assert c.value == 3 and c.test(3)
        world.barrier()
        c.set(7)
        c.wait(5)
        assert c.value == 7
        world.barrier()


def check_bytes(world):
    right = (world.rank + 1) % world.size
    with world.window(10, "i4") as w, world.counter("bytes") as c:
        w.put(np.arange(10), right, counter=c)
        c.wait(40)
        assert c.value == 40 and w.local.tolist() == list(range(10))


def check_time_limits(world):
    with world.counter() as c:
        begin = time.monotonic()
        for timeout in [0, 0.02]:
            try:
                c.wait(1, timeout)
            except TimeoutError as error:
                assert "has not come to 1" in str(error)
            else:
                raise AssertionError("it waited for nothing")
        assert 0.02 <= time.monotonic() - begin < 5
        world.barrier()
        c.add(world.rank)
        for timeout in [float("inf"), 10**400]:  # no float holds the second one
            c.wait(1, timeout)


@everywhere
def check_await(world):
    async def program():
        await asyncio.gather(c.reached(world.size), count())

    async def count():
        for pe in range(world.size):
            await asyncio.sleep(0)
            c.add(pe)

    with world.counter() as c:
        asyncio.run(program())
        assert c.value == world.size


def check_errors(world):
    must_refuse(world, lambda: world.counter("items"), "items", "messages")
    if world.size > 1:
        kind = "bytes" if world.rank == 1 else "messages"
        must_refuse(world, lambda: world.counter(kind), "disagree on the counts")
    with world.counter() as c:
        assert "add: pe is" in error_of(lambda: c.add(world.size))
        assert "add: n is -1" in error_of(lambda: c.add(0, -1))
        assert "set: value is -5" in error_of(lambda: c.set(-5))
        assert "wait: n is 1.5" in error_of(lambda: c.wait(1.5))
        assert "timeout is -1" in error_of(lambda: c.wait(1, -1))
        assert "reached: n is -1" in error_of(lambda: asyncio.run(c.reached(-1)))
        assert c.value == 0
    try:
        c.wait(1)
    except boxcar.ContractError as error:
        assert "counter was closed" in str(error)
    else:
        raise AssertionError("a counter that was closed can be used")
