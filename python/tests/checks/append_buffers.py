"""Append buffers."""

from __future__ import annotations

import asyncio

import boxcar
import numpy as np

from . import everywhere
from .support import error_of, must_refuse, of_all

RECORD = np.dtype([("key", "i8"), ("from", "i4")])


def _refused(call, words):
    try:
        call()
    except boxcar.ContractError as error:
        assert words in str(error), error
    else:
        raise AssertionError("no ContractError was raised")


@everywhere
def check_pushes_of_all(world):
    for dtype in ["i4", RECORD, "S3", "V3000"]:
        with world.append_buffer(10 * world.size, dtype) as b:
            mine = np.zeros(10, dtype)
            mine.view("u1")[:] = world.rank + 1
            for pe in range(world.size):
                assert b.push(mine, (world.rank + pe) % world.size) == 10
            b.finish()
            arrived = b.arrived()
            assert arrived.dtype == np.dtype(dtype) and len(arrived) == 10 * world.size
            firsts = arrived.view("u1").reshape(world.size, -1)
            assert (firsts == firsts[:, :1]).all()  # each push in one piece
            assert sorted(firsts[:, 0]) == list(range(1, world.size + 1))
            assert (b.reserved, b.completed, b.messages) == (10 * world.size,) * 2 + (world.size,)
            assert b.counts == (b.completed, b.reserved) == (10 * world.size,) * 2
            world.barrier()
            b.reset()
            assert len(b.arrived()) == 0 and b.reserved == 0


@everywhere
def check_waits(world):
    right = (world.rank + 1) % world.size
    with world.append_buffer(100, "i8") as b:
        b.push([], right)
        b.push([1, 2, 3], right, wait=False)
        b.push(4, right)
        b.wait(4)
        b.wait_messages(3)
        assert b.arrived().tolist() == [1, 2, 3, 4]
        for wait in [b.wait, b.wait_messages]:
            try:
                wait(5, 0.01)
            except TimeoutError as error:
                assert "5 are not there after 0.01 s" in str(error)
            else:
                raise AssertionError("it waited for nothing")
        world.barrier()
        b.reset()
        world.barrier()

        async def program():
            await asyncio.gather(b.reached(2), asyncio.to_thread(int), push())

        async def push():
            await asyncio.sleep(0.001)
            b.push([5, 6], right)

        asyncio.run(program())
        assert b.arrived().tolist() == [5, 6]
        world.barrier()


@everywhere
def check_full_buffers(world):
    with world.append_buffer(5, "i4") as b:
        if world.rank == 0:
            last = world.size - 1
            assert [b.push(np.arange(n), last) for n in [3, 3, 2, 1]] == [3, 0, 2, 0]
        b.finish()
        if world.rank == world.size - 1:
            assert b.arrived().tolist() == [0, 1, 2, 0, 1] and b.refused == 4
        assert b.capacity() == b.capacity(0) == 5
    with world.append_buffer(world.rank, "i4", full="truncate") as b:
        if world.rank == 0:
            taken = [b.push(np.arange(100), pe) for pe in range(world.size)]
            assert taken == list(range(world.size))
        b.finish()
        assert b.arrived().tolist() == list(range(world.rank))
        assert [b.capacity(pe) for pe in range(world.size)] == list(range(world.size))
        world.barrier()


def check_aggregated(world):
    random = np.random.default_rng(world.rank)
    keys = random.integers(0, 1000, 5000)
    for _ in range(2):
        with world.append_buffer(6000 * world.size, "i8", aggregate=True) as b:
            for turn in range(2):
                b.push(keys, keys % world.size)
                assert b.push(world.rank, 0) == 1
                b.finish()
                arrived = b.arrived()
                due = of_all(world, keys)
                due = due[due % world.size == world.rank]
                if world.rank == 0:
                    due = np.concatenate([due, np.arange(world.size)])
                assert np.array_equal(np.sort(arrived), np.sort(due)), turn
                b.wait(len(due))
                _refused(lambda: b.wait(len(due) + 1), "finish")
                world.barrier()
                b.reset()
            b.push(keys, 0)  # arrives when it is closed
    b = world.append_buffer(1, RECORD, aggregate=True)
    b.push(np.zeros(3, RECORD), 0)
    b.finish()
    if world.rank == 0:
        assert len(b.arrived()) == 1 and b.refused == 3 * world.size - 1
    with world.split(0) as part:
        other = part.append_buffer(10, "i4", aggregate=True)
        other.push([1], 0)
        del other  # is there until the world is closed
    b.close()


def check_rounds(world):
    with world.append_buffer(10, "i4", in_rounds=True) as b:
        b.push(1, 0)
        b.finish()
        if world.size > 1:
            if world.rank == 0:
                b.reset()
            world.barrier()
            if world.rank == 1:
                _refused(lambda: b.push(1, 0), "has been reset")
            world.barrier()
            if world.rank != 0:
                b.reset()
            world.barrier()
        b.push(1, 0)
        b.finish()


def check_errors(world):
    must_refuse(world, lambda: world.append_buffer(-1, "i4"), "capacity is -1")
    must_refuse(world, lambda: world.append_buffer(1, "O"), "objects")
    must_refuse(world, lambda: world.append_buffer(1, "i4", full="drop"), "drop", "truncate")
    must_refuse(
        world, lambda: world.append_buffer(1, "i4", in_rounds=True, aggregate=True), "in_rounds"
    )
    must_refuse(world, lambda: world.append_buffer(1, "V70000", aggregate=True), "65536")
    if world.size > 1:
        full = "truncate" if world.rank else "refuse"
        must_refuse(world, lambda: world.append_buffer(1, "i4", full=full), "disagree on the full")
    with world.append_buffer(5, "i4") as b:
        for call, words in [
            (lambda: b.push(1, world.size), f"push: pe is {world.size}"),
            (lambda: b.push([1, 2], [0, 0]), "only a buffer that aggregates"),
            (lambda: b.push(1.5, 0), "float64"),
            (lambda: b.push(np.arange(6), 0), "6 elements"),
            (lambda: b.wait(6), "room for 5"),
            (lambda: b.wait(-1), "wait: elements is -1"),
            (lambda: b.wait_messages(-1), "wait_messages: count is -1"),
            (lambda: b.wait(1, "a"), "timeout is 'a'"),
            (lambda: b.capacity(world.size), "capacity: pe"),
            (lambda: b.flush(-1), "flush: pe"),
        ]:
            message = error_of(call)
            assert words in message, (words, message)
        assert b.reserved == 0
    with world.append_buffer(5, "i4", aggregate=True) as b:
        assert "to[1] is -1" in error_of(lambda: b.push([1, 2], [0, -1]))
        assert "to has shape (1,)" in error_of(lambda: b.push([1, 2], [0]))
        b.finish()
        assert len(b.arrived()) == 0
    _refused(b.arrived, "append buffer was closed")


def check_arrays_outlive_buffers(world):
    with world.split(0) as part:
        b = part.append_buffer(3, "i4")
        b.push([1, 2, 3], part.rank)
        arrived = b.arrived()
    with world.append_buffer(3, "i4") as other:
        other.push([9, 9, 9], world.rank)
        assert arrived.tolist() == [1, 2, 3]
