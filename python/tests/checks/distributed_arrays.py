"""DistributedArray."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path
from unittest import mock

import boxcar
import numpy as np

from .support import must_refuse, of_all, random_of, same, with_new_file

LAYOUTS = ("block", "cyclic")


def whole(world: boxcar.World, a: boxcar.DistributedArray) -> np.ndarray:
    """All elements, on every PE, put together from the parts."""
    result = np.empty(a.shape, a.dtype)
    indices = of_all(world, a.local_indices)
    assert same(np.sort(indices), np.arange(len(a)))
    result[indices] = of_all(world, a.local)
    return result


def check_layouts(world):
    for length in [0, 1, world.size - 1, world.size, 1000]:
        for layout in LAYOUTS:
            a = boxcar.DistributedArray(world, length, "i4", fill=7, layout=layout)
            assert len(a) == length and a.shape == (length,) and a.dtype == np.int32
            assert same(whole(world, a), np.full(length, 7, "i4"))
            sizes = world.all_gather(len(a.local))
            assert max(sizes) - min(sizes) <= 1
            a.local[:] = a.local_indices
            assert same(a[:], np.arange(length, dtype="i4")), (length, layout)
            assert np.asarray(a) is a.local and a.layout == layout
            assert same(np.asarray(a, "f8"), a.local.astype("f8"))
            assert np.array(a) is not a.local


def check_reads_and_writes(world):
    random = random_of(world)
    for layout in LAYOUTS:
        for kind in ["u1", "f4", "c16", "S7", ">i8", "M8[s]"]:
            a = boxcar.DistributedArray(world, 501, kind, layout=layout)
            mine = np.arange(world.rank, 501, world.size)
            values = random.integers(0, 100, len(mine)).astype(kind.replace("M8[s]", "i8"))
            values = values.astype(kind)
            a[mine] = values
            assert same(a[mine], values.astype(values.dtype.newbyteorder("="))), (layout, kind)
            everything = whole(world, a)
            where = random.integers(0, 501, (20, 3))
            assert same(a[where], everything[where])
            assert a[500] == everything[500] and np.ndim(a[500]) == 0
            assert same(a[10:400:7], everything[10:400:7])
            assert same(a[-5:], everything[-5:])
            assert same(a[[]], everything[:0])
            assert same(a[np.uint16(3)], everything[3])


def check_updates_of_arrays(world):
    random = random_of(world)
    functions = {"sum": np.add, "min": np.minimum, "max": np.maximum, "xor": np.bitwise_xor}
    for layout in LAYOUTS:
        for how, function in functions.items():
            a = boxcar.DistributedArray(world, 99, "i8", fill=50, layout=layout)
            where, values = random.integers(0, 99, 500), random.integers(0, 100, 500)
            a.update(where, values, how)
            want = np.full(99, 50)
            function.at(want, of_all(world, where), of_all(world, values))
            assert same(whole(world, a), want), (layout, how)
    a = boxcar.DistributedArray(world, 4, "f8")
    a.add_at([1, 1, 3], 0.5)
    a.update([3], np.nan if world.rank == 0 else 1.0, "max")
    assert a[:3].tolist() == [0.0, world.size, 0.0] and np.isnan(a[3])
    a[:] = 2.0
    assert a.sum() == 8.0


def check_rows_of_arrays(world):
    for layout in LAYOUTS:
        a = boxcar.DistributedArray(world, 10, ("f4", (2, 3)), fill=1.0, layout=layout)
        assert a.shape == (10, 2, 3)
        a.add_at([4], np.arange(6).reshape(2, 3))
        assert same(a[4], (1 + world.size * np.arange(6.0)).reshape(2, 3).astype("f4"))
        assert a[[3, 4]].shape == (2, 2, 3)
        a.add_at([], [])
        assert a.sum() == 60 + 15 * world.size and a.max() == 1 + 5 * world.size
    pair = np.dtype([("a", "i4"), ("b", "U3")])
    b = boxcar.DistributedArray(world, 5, pair)
    b[2] = np.array((7, "żó"), pair)
    assert b[2].tolist() == (7, "żó") and b[1].tolist() == (0, "")


def check_reductions(world):
    for kind in ["b1", "i1", "u8", "i8", "f4", "f8"]:
        for length in [1, 2, 1000]:
            a = boxcar.DistributedArray(world, length, kind)
            a.local[:] = (a.local_indices * 7 + 3) % 100
            everything = whole(world, a)
            assert (a.min(), a.max()) == (everything.min(), everything.max()), (kind, length)
            assert a.sum() == everything.sum(), (kind, length)
    a = boxcar.DistributedArray(world, 3)
    a[1] = np.nan
    assert np.isnan(a.min()) and np.isnan(a.max()) and np.isnan(a.sum())
    a.fill(-2.5)
    assert (a.min(), a.max(), a.sum()) == (-2.5, -2.5, -7.5)
    none = boxcar.DistributedArray(world, 0)
    assert none.sum() == 0
    must_refuse(world, none.min, "no element")


def check_parts(world):
    for layout in LAYOUTS:
        for mine in [np.arange(world.rank * 3.0), np.arange(50.0) if world.rank == 0 else []]:
            part = np.array(mine, float)
            a = boxcar.DistributedArray.from_parts(world, part, layout)
            assert same(whole(world, a), of_all(world, part)), layout
            assert max(world.all_gather(len(a.local))) <= len(a) // world.size + 1
    words = boxcar.DistributedArray.from_parts(world, ["w" * (world.rank + 1)])
    assert words[:].tolist() == ["w" * (pe + 1) for pe in range(world.size)]


@with_new_file
def check_files_of_arrays(world, path):
    for layout in LAYOUTS:
        for dtype in ["i8", ("f4", 3)]:
            for length in [0, 57]:
                a = boxcar.DistributedArray(world, length, dtype, layout=layout)
                a[:] = np.arange(a[:].size).reshape(a.shape)
                a.save(path)
                stored = np.load(path)
                assert same(stored, a[:]), (layout, dtype, length)
                for other in LAYOUTS:
                    again = boxcar.DistributedArray.load(world, path, other)
                    assert again.layout == other and same(whole(world, again), stored)
                with world.split(world.rank % 2) as half:
                    assert same(boxcar.DistributedArray.load(half, path)[:], stored)
                world.barrier()
    must_refuse(world, lambda: a.save("/no/such/folder/file"), "/no/such/folder/file")
    a.save(os.fsencode(path) if world.rank == 0 else Path(path))
    must_refuse(world, lambda: boxcar.DistributedArray.load(world, path + "x"), path + "x")
    if world.rank == 0:
        with open(path, "r+b") as file:
            file.truncate(200)
    world.barrier()
    must_refuse(world, lambda: boxcar.DistributedArray.load(world, path), path)


@with_new_file
def check_names_that_files_cannot_have(world, path):
    fifo = path + ".fifo"
    if world.rank == 0:
        os.mkfifo(fifo)
        Path(path).write_text("no file of NumPy")
    world.barrier()
    a = boxcar.DistributedArray(world, 5)
    keys = boxcar.DistributedMap(world, str)
    for held in (a, keys):
        for wrong in (fifo, str(Path(path).parent)):  # which a file would replace
            must_refuse(world, lambda: held.save(wrong), wrong, "no regular file")
        must_refuse(world, lambda: held.save("a\0b"), "null byte")
        # The message of numpy.load recommends to load objects by force.
        must_refuse(world, lambda: type(held).load(world, path), "magic", "NumPy's format")
    world.barrier()
    assert Path(fifo).is_fifo()


@with_new_file
def check_failed_saves_keep_the_former_file(world, path):
    a = boxcar.DistributedArray(world, 57, "i8", fill=3)
    a.save(path)
    former = a[:]
    a.fill(4)
    cannot_write = mock.patch("boxcar.array_files.open", side_effect=OSError("full"), create=True)
    cannot_rename = mock.patch("boxcar.array_files.os.replace", side_effect=OSError("no name"))
    for pe, failure, words in [
        (world.size - 1, cannot_write, "full"),
        (0, cannot_rename, "no name"),
    ]:
        with failure if world.rank == pe else contextlib.nullcontext():
            must_refuse(world, lambda: a.save(path), path, words)
        assert same(np.load(path), former) and os.listdir(Path(path).parent) == [Path(path).name]
    world.barrier()
    a.save(path)
    assert same(np.load(path), a[:])


def check_equal_values_of_different_types(world):
    """All PEs give one value, as objects of different types."""
    last = world.rank == world.size - 1
    a = boxcar.DistributedArray(world, 10, "f4", fill=np.float64(1.0) if last else 1)
    assert a.sum() == 10.0
    a.fill(np.float32(0.1) if last else 0.1)
    assert same(a[:], np.full(10, 0.1, "f4"))
    rows = boxcar.DistributedArray(world, 3, ("i8", 3000), fill=np.arange(3000.0).astype("i4"))
    if world.size > 1:
        value = np.arange(3000)
        value[1500] = -7 if last else -8  # where NumPy's text of the array has an ellipsis
        must_refuse(world, lambda: rows.fill(value), "value", "-7", "-8")
        fill = 1 if last else None
        must_refuse(world, lambda: boxcar.DistributedArray(world, 3, fill=fill), "presence of fill")
    assert same(rows[2], np.arange(3000))


def check_what_arrays_refuse(world):
    last = world.rank == world.size - 1
    a = boxcar.DistributedArray(world, 10, "i4")
    must_refuse(world, lambda: a[[1, 10] if last else [1]], "indices[1] is 10", "10 elements")
    must_refuse(world, lambda: a[-1], "indices is -1, but")
    must_refuse(world, lambda: a[[[0, 1], [2, 30]]], "indices[1, 1] is 30")
    must_refuse(world, lambda: a[-1 if last else 0], "is -1")
    must_refuse(world, lambda: a[1.5], "float64")
    must_refuse(world, lambda: a[[True]], "bool")
    must_refuse(world, lambda: a[1, 2], "one index")
    must_refuse(world, lambda: a.add_at([10], 1), "indices[0] is 10")
    must_refuse(world, lambda: a.add_at([1], 2**40), str(2**40))
    must_refuse(world, lambda: a.update([1, 2], [1, 2, 3]), "broadcast")
    must_refuse(world, lambda: a.update([1], 1, "mean"), "mean")
    must_refuse(world, lambda: a.fill("x"), "value")
    must_refuse(world, lambda: boxcar.DistributedArray(world, 3, "i4", 2**40), "fill", str(2**40))
    times = boxcar.DistributedArray(world, 3, "m8[ns]", fill=np.timedelta64(1, "h"))
    must_refuse(world, lambda: times.fill(np.timedelta64(2**40, "s")), "leave the range")
    must_refuse(world, lambda: times.fill(np.uint64(2**63)), str(2**63))
    late = [np.datetime64("2020-01-01"), np.datetime64("3000-01-01" if last else "NaT")]
    days = boxcar.DistributedArray(world, 3, "M8[ns]")
    must_refuse(world, lambda: days.update([0, 1], late), "values[1] is ", "3000")
    days.update([0, 1], np.array(["2020-01-01T12", "NaT"], "M8[s]"))
    assert str(days[0])[:13] == "2020-01-01T12" and np.isnat(days[1])
    assert (times.local == np.timedelta64(1, "h")).all()
    if world.size > 1:
        message = error_on_others(world, lambda: a[[3, 99] if last else []])
        assert last or ("PE " in message and "99" in message), message
        n = 10 if last else 11
        must_refuse(world, lambda: boxcar.DistributedArray(world, n), "length", "10", "11")
        must_refuse(world, lambda: a.update([1], 1, "sum" if last else "put"), "how")
        must_refuse(world, lambda: a.fill(world.rank), "value")
    must_refuse(world, lambda: boxcar.DistributedArray(world, -1), "length is -1")
    must_refuse(world, lambda: boxcar.DistributedArray(world, 3, object), "object")
    must_refuse(world, lambda: boxcar.DistributedArray(world, 3, layout="hash"), "hash", "cyclic")
    must_refuse(world, lambda: boxcar.DistributedArray(world, 3, "S3").add_at([1], b"x"), "put")
    assert (a.local == 0).all()


def error_on_others(world, call) -> str:
    try:
        call()
    except boxcar.ArgumentError as error:
        return str(error)
    raise AssertionError("no ArgumentError was raised")


def check_closed_arrays(world):
    a = boxcar.DistributedArray(world, 10, fill=1)
    local = a.local
    assert "shape (10,)" in repr(a)
    with a:
        pass
    assert "closed" in repr(a) and (local == 1).all()
    try:
        a[[1]]
    except boxcar.ContractError as error:
        assert "distributed array was closed" in str(error)
    else:
        raise AssertionError("no ContractError was raised")
