"""Checks of collectives in the background, and of asyncio."""

from __future__ import annotations

import array
import asyncio
import gc
import threading
import time

import boxcar
import numpy as np

from . import everywhere
from .support import error_of, same

RECORD = np.dtype([("key", "i8"), ("tag", "S3")])


@everywhere
def check_all_kinds(world):
    size, rank = world.size, world.rank
    ranks = np.arange(size)
    assert world.barrier_async().wait() is None
    for root in {0, size - 1}:
        values = np.arange(7, dtype=">i2") + 10 * rank
        got = world.broadcast_async(values, root).wait()
        assert same(got, np.arange(7, dtype=">i2") + 10 * root) and values[0] == 10 * rank
        total = world.reduce_async(values, "max", root).wait()
        if rank == root:
            assert same(total, (np.arange(7) + 10 * (size - 1)).astype("i2"))
        else:
            assert total is None
        rows = np.arange(6 * size).reshape(2 * size, 3) if rank == root else None
        out = np.empty((2, 3), "i8")
        assert world.scatter_async(rows, out, root).wait() is out
        assert (out == np.arange(6 * rank, 6 * rank + 6).reshape(2, 3)).all()
        all_rows = world.gather_async(out, root).wait()
        assert (all_rows is None) == (rank != root)
        assert all_rows is None or (all_rows.reshape(-1) == np.arange(6 * size)).all()
    mine = np.zeros(2, RECORD)
    mine["key"], mine["tag"] = rank, b"xy"
    assert world.all_gather_async(mine).wait()["key"].tolist() == [[pe, pe] for pe in range(size)]
    got = world.all_to_all_async(np.repeat(ranks * 100 + rank, 2)).wait()
    assert same(got, np.repeat(ranks + rank * 100, 2))
    assert world.scan_async([rank, 1]).wait().tolist() == [ranks[: rank + 1].sum(), rank + 1]
    assert world.exclusive_scan_async(rank, 100).wait() == 100 + ranks[:rank].sum()
    got = world.reduce_scatter_async(np.ones((size, 2)) * rank).wait()
    assert same(got, np.full((1, 2), ranks.sum(), "f8"))


def check_operations(world):
    size, rank = world.size, world.rank
    for op in ["sum", "min", "max", "or", "and", "xor"]:
        for dtype in ["b1", "i1", "u2", "i4", "u8", "f4", "f8", "c16"]:
            if (dtype in ("f4", "f8") and op in ("or", "and", "xor")) or (
                dtype == "c16" and op != "sum"
            ):
                error = error_of(lambda: world.all_reduce_async(np.zeros(1, dtype), op))
                assert "has no meaning" in error
                continue
            mine = ((np.arange(5) * (rank + 1)) % 3).astype(dtype)
            got = world.all_reduce_async(mine, op).wait()
            assert same(got, world.reduce(mine, op)), (op, dtype)
    mine = np.array([np.nan if rank == size - 1 else 1.0, rank])
    for op in ["min", "max"]:
        got = world.all_reduce_async(mine, op).wait()
        assert np.isnan(got[0]) and got[1] == (0 if op == "min" else size - 1)
    assert world.all_reduce_async(2.5).wait() == 2.5 * size
    assert world.all_reduce_async(np.empty((0, 3))).wait().shape == (0, 3)
    assert world.all_reduce_async(array.array("i", [1, 2])).wait().tolist() == [size, 2 * size]
    assert world.all_reduce_async(1).explain().startswith(f"all_reduce on {size} PE")


@everywhere
def check_many_at_once(world):
    runs = []
    values = np.zeros(1000, "i8")
    for i in range(20):
        values[:] = i * (world.rank + 1)  # read at the start
        runs.append(world.all_reduce_async(values))
        runs.append(world.all_gather_async(np.int32(i)))
    everybody = world.size * (world.size + 1) // 2
    for i in reversed(range(20)):
        assert (runs[2 * i + 1].wait() == i).all()
        assert (runs[2 * i].wait() == i * everybody).all() and runs[2 * i].test()
        assert runs[2 * i].wait() is runs[2 * i].wait()
    large = [world.broadcast_async(np.full(100_000, i + world.rank)) for i in range(5)]
    for i, run in enumerate(large):
        while not run.test():
            pass
        assert (run.wait() == i).all()


def check_dropped_runs(world):
    for i in range(10):
        world.all_reduce_async(np.arange(1000) + i)  # dropped at once
        run = world.all_to_all_async(np.zeros((world.size, 1_000)))
        if world.rank % 2 == 0:
            del run
            gc.collect()
        assert world.all_reduce_async(1).wait() == world.size
    kept = [world.all_reduce_async(np.arange(1000))]
    thread = threading.Thread(target=kept.clear)  # by another thread
    thread.start()
    thread.join()
    assert not kept and world.all_reduce_async(1).wait() == world.size
    with world.split(0) as part:
        run = part.all_reduce_async(part.rank)
        over = part.all_reduce_async(1)
        over.wait()
    assert over.wait() == world.size and over.test()
    try:
        run.wait()
    except boxcar.ContractError as error:
        assert "its world was" in str(error)
    else:
        raise AssertionError("a run in a world that was closed has a result")


def check_time_limits(world):
    if world.size == 1:
        return
    world.all_reduce_async(0).wait()  # so that the next start of this kind waits for nobody
    if world.rank != 0:
        world.broadcast(None)
    run = world.all_reduce_async(world.rank)
    if world.rank == 0:
        try:
            run.wait(0.01)
        except TimeoutError as error:
            assert "has not ended after 0.01 s" in str(error)
        else:
            raise AssertionError("others have not started")
        world.broadcast(None)
    assert run.wait() == sum(range(world.size))


def check_errors(world):
    for call, words in [
        (lambda: world.all_reduce_async(["a"]), "give numbers"),
        (lambda: world.all_reduce_async([None]), "dtype object"),
        (lambda: world.all_reduce_async([1], "mean"), "mean"),
        (lambda: world.broadcast_async([1], world.size), f"root is {world.size}"),
        (lambda: world.gather_async([1], -1), "root is -1"),
        (lambda: world.scatter_async([1], [1]), "out is to be filled"),
        (lambda: world.exclusive_scan_async([1], [1, 2]), "first has 2 values"),
        (lambda: world.exclusive_scan_async([1], 1.5), "float64"),
        (lambda: world.all_to_all_async(5), "shape ()"),
        (lambda: world.barrier_async().wait(-1), "timeout is -1"),
    ]:
        message = error_of(call)
        assert words in message, (words, message)
    if world.size > 1:
        uneven = np.zeros(world.size + 1)
        assert "multiple of" in error_of(lambda: world.all_to_all_async(uneven))
        assert "multiple of" in error_of(lambda: world.reduce_scatter_async(uneven))
        if world.rank == 0:
            out = np.zeros(2)
            assert "give (" in error_of(lambda: world.scatter_async(np.zeros(1), out))
    assert world.all_reduce_async(1).wait() == world.size


async def _count(counted, stop):
    while not stop:
        counted[0] += 1
        await asyncio.sleep(0)


def check_await(world):
    async def program():
        counted, stop = [0], []
        counting = asyncio.create_task(_count(counted, stop))
        first = world.all_reduce_async(np.arange(10))
        second = world.all_gather_async(world.rank)
        assert (await second).tolist() == list(range(world.size))
        assert ((await first) == np.arange(10) * world.size).all()
        assert (await first) is (await first)
        results = await asyncio.gather(*[world.all_reduce_async(i) for i in range(6)])
        assert [int(result) for result in results] == [i * world.size for i in range(6)]
        stop.append(True)
        await counting

    asyncio.run(program())


def check_tasks_go_on_while_others_compute(world):
    """PE 0 computes; the loops of the other PEs are not delayed."""
    if world.size == 1:
        return
    world.all_reduce_async(0).wait()

    async def program():
        if world.rank == 0:
            time.sleep(0.1)
            return await world.all_reduce_async(1)
        counted, stop, longest = [0], [], 0.0
        counting = asyncio.create_task(_count(counted, stop))
        run = world.all_reduce_async(1)
        result = await run
        assert counted[0] > 20, (counted, longest)
        stop.append(True)
        await counting
        return result

    assert asyncio.run(program()) == world.size


def check_time_that_a_wait_takes(world):
    """A long wait takes little of a core."""
    if world.size == 1 or world.nodes > 1:
        return
    world.all_reduce_async(0).wait()

    async def program():
        if world.rank == 0:
            await asyncio.sleep(0.3)
        begin = time.thread_time()
        await world.all_reduce_async(1)
        return time.thread_time() - begin

    assert asyncio.run(program()) < 0.15


def check_cancellation(world):
    async def program():
        run = world.all_reduce_async(np.full(1000, world.rank))
        waiting = asyncio.ensure_future(_wait_for(run))
        await asyncio.sleep(0)
        waiting.cancel()
        try:
            await waiting
        except asyncio.CancelledError:
            pass
        later = await world.all_reduce_async(np.full(1000, 1))
        assert (later == world.size).all()
        assert ((await run) == sum(range(world.size))).all()  # it went on
        dropped = asyncio.ensure_future(_wait_for(world.all_reduce_async(1)))
        await asyncio.sleep(0)
        dropped.cancel()
        del run
        assert await world.all_reduce_async(2) == 2 * world.size
        if world.size > 1 and world.rank == 0:
            waits = world.broadcast_async([1, 2], world.size - 1)
            try:
                await asyncio.wait_for(waits, 0.01)
            except asyncio.TimeoutError:
                pass
            assert (await waits).tolist() == [1, 2]
        elif world.size > 1:
            assert (await world.broadcast_async([1, 2], world.size - 1)).tolist() == [1, 2]

    asyncio.run(program())
    assert not world._awaited and world.reduce(1) == world.size


async def _wait_for(run):
    return await run


def check_order_of_tasks(world):
    """Tasks that start collectives of one world in any order are refused; of several worlds they
    are not."""

    async def loop(part):
        for _ in range(10):
            assert await part.all_reduce_async(np.arange(100)) is not None

    async def of_several():
        with world.split(0) as one, world.split(0) as other:
            await asyncio.gather(loop(one), loop(other))

    async def of_one():
        started = asyncio.Event()

        async def first():
            if world.rank == 0:
                await started.wait()
            run = world.all_reduce_async(1)
            world._awaited.append(run)  # as if it were not over for long
            await asyncio.sleep(0.002)
            world._awaited.remove(run)
            return await run

        waiting = asyncio.create_task(first())
        started.set()
        await asyncio.sleep(0.001)
        try:
            world.all_reduce_async(2)
            raise AssertionError("another task waits")
        except boxcar.ContractError as error:
            assert "another task waits" in str(error)
        assert await waiting == world.size

    asyncio.run(of_several())
    asyncio.run(of_one())
