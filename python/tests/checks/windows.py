"""Windows."""

from __future__ import annotations

import gc
import os

import boxcar
import numpy as np

from . import everywhere
from .support import error_of, must_refuse, same

DTYPES = ["b1", "i1", "u2", "i4", "i8", "u8", "f4", "f8", "c16", "M8[s]", "S5", "U3", ">i4"]
RECORD = np.dtype([("key", "i8"), ("tag", "S3"), ("at", "f4", (2,))])


def _values(dtype, n, seed):
    raw = np.random.default_rng(seed).integers(0, 2, n * np.dtype(dtype).itemsize, np.uint8)
    return raw.view(dtype)


@everywhere
def check_put_and_get(world):
    right = (world.rank + 1) % world.size
    left = (world.rank - 1) % world.size
    for dtype in [*DTYPES, RECORD, "V70000"]:
        with world.window(20, dtype) as w:
            assert w.local.dtype == w.dtype == np.dtype(dtype) and len(w) == 20
            assert not w.local.view(np.uint8).any()
            world.barrier()
            w.put(_values(dtype, 20, world.rank), right)
            w.flush(right)
            world.barrier()
            assert w.local.tobytes() == _values(dtype, 20, left).tobytes()
            assert w.get(right).tobytes() == _values(dtype, 20, world.rank).tobytes()
            out = np.empty((2, 3), dtype)
            assert w.get(right, 4, out=out) is out
            assert out.tobytes() == _values(dtype, 20, world.rank)[4:10].tobytes()
            world.barrier()


def check_lists_of_structures(world):
    nested = np.dtype([("pair", [("a", "i2"), ("b", "U2")], (2,)), ("when", "M8[s]")])
    time = np.datetime64("2026-11-30", "s")
    with world.window(3, RECORD) as w, world.window(2, nested) as n:
        w.put([(2**40, b"ab", (1, 2.5)), (-1, "c", [3, np.float32(4)])], world.rank, 1)
        n.put(([(1, "ab"), (-2, "c")], time), world.rank, 1)
        w.flush()
        n.flush()
        assert w.local["key"].tolist() == [0, 2**40, -1] and w.local["tag"].tolist() == [
            b"",
            b"ab",
            b"c",
        ]
        assert w.local["at"].tolist() == [[0, 0], [1, 2.5], [3, 4]]
        assert n.local[1]["pair"].tolist() == [(1, "ab"), (-2, "c")] and n.local[1]["when"] == time
        w.put([w.local[1], w.local[2]], world.rank, 0)
        w.flush()
        assert w.local["key"].tolist() == [2**40, -1, -1]
        for call, *words in [
            (lambda: w.put([(1.5, b"", (0, 0))], world.rank), "field 'key'", "float64"),
            (lambda: w.put([(2**63, b"", (0, 0))], world.rank), "field 'key'"),
            (lambda: w.put([(1, b"abcd", (0, 0))], world.rank), "field 'tag'", "3 letters"),
            (lambda: w.put([(1, "é", (0, 0))], world.rank), "put: values", "ascii"),
            (lambda: w.put([(1, b"a", (0, 1e300))], world.rank), "field 'at'", "1e+300"),
            (lambda: w.put([(1, b"a", (0, "x"))], world.rank), "field 'at'"),
            (lambda: w.put([(1, b"a")], world.rank), "put: values"),
            (lambda: n.put(([(1, "ab"), (1, "abc")], time), world.rank), "'pair'", "'b'"),
            (lambda: n.put(([(1, ""), (2**15, "")], time), world.rank), "'pair'", "32768"),
        ]:
            message = error_of(call)
            for word in words:
                assert word in message, message


def check_strides_and_forms(world):
    last = world.size - 1
    with world.window(100, "i4") as w:
        if world.rank == 0:
            w.put(np.arange(20, dtype=">i8").reshape(2, 10)[:, ::2], last, 3, stride=7)
            w.put(5, last, 0)
            w.put([6, 7], last, 1)
            w.put([], last, 100)
            w.put(np.frombuffer(b"\0" + b"\1\0\0\0" * 2, "u1")[1:].view("i4"), last, 98)
            w.flush()
            assert w.get(last, 3, 10, stride=7).tolist() == list(range(0, 20, 2))
            assert w.get(last, 3, stride=50).tolist() == [0, 0] and w.get(last, 100).size == 0
        world.barrier()
        if world.rank == last:
            assert w.local[3:73:7].tolist() == list(range(0, 20, 2))
            assert w.local[:3].tolist() == [5, 6, 7] and w.local[98:].tolist() == [1, 1]
        world.barrier()


def check_each_its_own_length(world):
    with world.window(world.rank * 3, "f8") as w:
        for pe in range(world.size):
            assert w.size(pe) == pe * 3
            assert w.get(pe).tolist() == [0.0] * pe * 3
            direct = w.direct(pe)
            assert (direct is None) == (world.node_of(pe) != world.node)
            assert direct is None or len(direct) == pe * 3
        world.barrier()
        w.local[:] = world.rank
        world.barrier()
        for pe in range(world.size):
            assert w.direct(pe) is None or (w.direct(pe) == pe).all()
            assert (w.get(pe) == pe).all()
        world.barrier()


@everywhere
def check_gets_that_do_not_wait(world):
    with world.window(5000, "i8") as w:
        w.local[:] = np.arange(5000) * (world.rank + 1)
        world.barrier()
        got = [w.get(pe, wait=False) for pe in range(world.size)]
        w.flush()
        for pe in range(world.size):
            assert (got[pe] == np.arange(5000) * (pe + 1)).all()
        w.get(world.size - 1, wait=False)  # dropped, while it may be under way
        del got
        gc.collect()
        world.barrier()
        got = w.get(world.size - 1, wait=False)
    assert (got == np.arange(5000) * world.size).all()  # to close a window waits for what is asked


@everywhere
def check_atomic_operations(world):
    for dtype in ["i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8"]:
        with world.window(2, dtype) as w:
            before = w.fetch_add(1, 0)
            assert 0 <= before < world.size and type(before) is int
            w.add(2, 0, 1)
            w.flush()
            world.barrier()
            assert w.load(0) == world.size and w.load(0, 1) == 2 * world.size
            world.barrier()
            if world.rank == world.size - 1:
                least = int(np.iinfo(dtype).min)
                assert w.swap(least, 0) == world.size and w.load(0) == least
                assert w.compare_swap(0, 1, 0) == (least if least else 0)
                assert w.load(0) == (least if least else 1)
                w.store(np.iinfo(dtype).max, 0)
                assert w.fetch_add(1, 0) == np.iinfo(dtype).max and w.load(0) == least
                w.store(1, 0)
                assert w.fetch_or(6, 0) == 1 and w.load(0) == 7
            world.barrier()


def check_what_has_no_atomic_operations(world):
    for dtype in ["f8", "b1", ">i4", "S4", "c8", RECORD]:
        with world.window(1, dtype) as w:
            native = np.dtype(dtype).isnative or dtype != ">i4"
            assert native or "byte order" in error_of(lambda: w.fetch_add(1, 0))
            for call in [lambda: w.fetch_add(1, 0), lambda: w.load(0), lambda: w.store(1, 0)]:
                assert "atomic operations are for integers" in error_of(call)
    with world.window(1, "u1") as w:
        assert "256 leaves the range of uint8" in error_of(lambda: w.add(256, 0))
        assert "-1 leaves the range" in error_of(lambda: w.store(-1, 0))
        world.barrier()
        assert w.load(0) == 0


@everywhere
def check_counting_puts(world):
    right = (world.rank + 1) % world.size
    with world.window(3000, "f8") as w, world.counter() as c:
        for step in range(1, 4):
            w.put(np.full(3000, step), right, counter=c)
            c.wait(step)
            assert (w.local == step).all()
            world.barrier()
        w.put([], right, counter=c)
        c.wait(4)


def check_errors(world):
    must_refuse(world, lambda: world.window(-1, "i4"), "n is -1")
    must_refuse(world, lambda: world.window(1.5, "i4"), "n is 1.5: give an integer")
    must_refuse(world, lambda: world.window(2**62, "i4"), "memory")
    must_refuse(world, lambda: world.window(1, "O"), "objects")
    must_refuse(world, lambda: world.window(1, "S0"), "whose elements have bytes")
    must_refuse(world, lambda: world.window(1, "(2,)i4"), "(2,)")
    must_refuse(world, lambda: world.window(1, "nonsense"), "nonsense")
    if world.size > 1:
        must_refuse(world, lambda: world.window(1 - 2 * (world.rank == 1), "i4"), "-1")
        must_refuse(
            world, lambda: world.window(1, "i4" if world.rank else "f4"), "disagree on the dtype"
        )
    with world.window(10, "i4") as w, world.counter() as c:
        for call, words in [
            (lambda: w.put(1, world.size), f"put: pe is {world.size}"),
            (lambda: w.put(1, -1), "put: pe is -1"),
            (lambda: w.put(1, "a"), "put: pe is 'a'"),
            (lambda: w.put(1, 0, -1), "put: at is -1"),
            (lambda: w.put(1, 0, 10), "would leave its part of the window, which has 10"),
            (lambda: w.put(np.arange(5), 0, 6), "5 elements from 6 on"),
            (lambda: w.put([1, 2], 0, 5, stride=5), "each 5 behind"),
            (lambda: w.put([1, 2], 0, stride=0), "stride is 0"),
            (lambda: w.put([1, 2], 0, stride=2, counter=c), "no stride"),
            (lambda: w.put(1, 0, counter=3), "counter is 3"),
            (lambda: w.put(1.5, 0), "float64"),
            (lambda: w.put(np.array([1.5]), 0), "put: values have dtype float64, and need int32"),
            (lambda: w.put([2**40], 0), "leave the range of int32"),
            (lambda: w.put(["a"], 0), "put: values"),
            (lambda: w.put(object(), 0), "put: values"),
            (lambda: w.put([[1], [2, 3]], 0), "put: values"),
            (lambda: w.get(world.size), f"get: pe is {world.size}"),
            (lambda: w.get(0, 11), "from 11 on"),
            (lambda: w.get(0, 0, 11), "count is 11, but PE 0 has 10"),
            (lambda: w.get(0, 5, 6), "6 elements from 5 on"),
            (lambda: w.get(0, 0, 2**62), "count is"),
            (lambda: w.get(0, out=[1]), "out is to be filled"),
            (lambda: w.get(0, out=np.empty(3, "i8")), "int64"),
            (lambda: w.get(0, out=np.empty(6, "i4")[::2]), "contiguous"),
            (lambda: w.get(0, 0, 3, out=np.empty(2, "i4")), "count is 3"),
            (lambda: w.get(0, 0, 20, out=np.empty(20, "i4")), "20 elements"),
            (lambda: w.add(1, 0, 10), "element 10"),
            (lambda: w.direct(world.size), "direct: pe"),
            (lambda: w.size(-1), "size: pe is -1"),
            (lambda: w.flush(world.size), "flush: pe"),
        ]:
            message = error_of(call)
            assert words in message, (words, message)
        world.barrier()
        assert not w.local.any() and c.value == 0
        world.barrier()
    part = world.split(0)
    with part, part.counter() as other, world.window(1, "i4") as w:
        assert "another world" in error_of(lambda: w.put(1, 0, counter=other))
        world.barrier()


@everywhere
def check_arrays_outlive_windows(world):
    w = world.window(1000, "i8")
    local, direct = w.local, w.direct(world.rank)
    w.put(np.arange(1000), world.rank)
    world.barrier()
    w.close()
    w.close()
    assert repr(w) == "<boxcar.Window of int64, closed>"
    for call in [lambda: w.local, lambda: w.put(1, 0), lambda: w.get(0), lambda: w.flush()]:
        try:
            call()
        except boxcar.ContractError as error:
            assert "the window was closed" in str(error)
        else:
            raise AssertionError("a window that was closed can be used")
    for _ in range(3):  # whose memory must be another
        with world.window(1000, "i8") as other:
            other.local[:] = -1
    assert (local == np.arange(1000)).all() and (direct == local).all()
    local[0] = 5
    assert direct[0] == 5


def check_arrays_outlive_worlds(world):
    with world.split(world.rank % 2) as part:
        w = part.window(100, "i4")  # closed with the world
        w.put(np.arange(100), (part.rank + 1) % part.size)
        w.flush()
        part.barrier()
        array = w.local
        dropped = part.window(7, "f8").local
        c = part.counter()
    world.barrier()
    assert (array == np.arange(100)).all() and not dropped.any()
    for call in [lambda: w.local, lambda: c.value]:
        try:
            call()
        except boxcar.ContractError as error:
            assert "its world was" in str(error)
        else:
            raise AssertionError("what was in a world that was closed can be used")


def check_parts_of_a_world(world):
    parts = [world.split(world.rank % 2), world.split(world.rank // 2, -world.rank)]
    windows = [part.window(part.rank + 1, "i8") for part in parts for _ in range(5)]
    for i, w in enumerate(windows):
        w.put(i, (parts[i // 5].rank + 1) % parts[i // 5].size)
    for i, w in enumerate(windows):
        w.flush()
        parts[i // 5].barrier()
        assert w.local[0] == i and same(w.local[1:], np.zeros(len(w) - 1, "i8"))
    for part in parts:
        part.close()


def check_processes_that_were_forked(world):
    with world.window(1, "i4") as w:
        child = os.fork()
        if child == 0:
            try:
                w.put(1, world.rank)
            except boxcar.ContractError as error:
                os._exit(7 if "forked" in str(error) else 1)
            os._exit(1)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7 and w.local[0] == 0
