"""DistributedMap."""

from __future__ import annotations

from pathlib import Path

import boxcar
import numpy as np

from .support import must_refuse, of_all, random_of, same, with_new_file


def contents(world: boxcar.World, m: boxcar.DistributedMap) -> dict:
    """All keys and values, on every PE; each key is on its owner, and on no other PE."""
    keys, values = m.items()
    assert len(keys) == len(values) == m.local_size
    assert (m.owners(keys) == world.rank).all()
    everything = [pair for part in world.all_gather((keys, values)) for pair in zip(*part)]
    result = {key.item(): value.tolist() for key, value in everything}
    assert len(result) == len(everything) == len(m)
    return result


def check_keys_of_every_kind(world):
    random = random_of(world)
    for kind in ["b1", "i1", "u2", "i4", "u8", "i8", ">i8", "f4", "f8", "M8[s]", "S", "U"]:
        n = 1500 + 10 * world.rank
        numbers = random.integers(-40, 200, n)
        keys = numbers.astype(str) if kind in "SU" else numbers
        keys = keys.astype("i8").astype(kind) if kind == "M8[s]" else keys.astype(kind)
        with boxcar.DistributedMap(world, keys.dtype, "i8") as m:
            m.add(keys)
            unique, counts = np.unique(of_all(world, keys), return_counts=True)
            assert contents(world, m) == dict(zip(unique.tolist(), counts.tolist())), kind
            places = np.searchsorted(unique, keys)
            assert same(m[keys], counts[places]), kind
            assert same(m[keys.reshape(2, -1)], counts[places].reshape(2, -1)), kind
            assert m.contains(keys).all(), kind
            erased = m.erase(unique[::2] if world.rank == 0 else unique[:0])
            assert erased == len(unique[::2]), kind
            assert same(m.contains(unique), np.arange(len(unique)) % 2 == 1), kind


def check_operations(world):
    random = random_of(world)
    operations = {
        "sum": np.add,
        "min": np.minimum,
        "max": np.maximum,
        "or": np.bitwise_or,
        "and": np.bitwise_and,
        "xor": np.bitwise_xor,
    }
    for kind in ["b1", "i1", "u4", "f8", "c16"]:
        for how, function in operations.items():
            if (kind[0] in "fc" and how in ("or", "and", "xor")) or (
                kind[0] == "c" and how != "sum"
            ):
                continue
            keys = np.append(random.permutation(50), random.integers(0, 60, 350))
            values = random.integers(0, 100, 400).astype(kind)
            m = boxcar.DistributedMap(world, "i8", kind)
            m.update(keys[:50], values[:50], how)  # few are equal: these travel one by one
            m.update(keys[50:], values[50:], how)
            want: dict = {}
            for key, value in zip(of_all(world, keys).tolist(), of_all(world, values)):
                want[key] = function(want[key], value) if key in want else value
            assert contents(world, m) == {key: v.item() for key, v in want.items()}, (kind, how)


def check_put_and_first(world):
    """Updates of one PE take place in the order of its keys."""
    m = boxcar.DistributedMap(world, "i8", "i8")
    mine = np.repeat(np.arange(20) + 100 * world.rank, 3)
    m.update(mine, np.arange(60), "first")
    assert same(m[mine[::3]], np.arange(0, 60, 3))
    m[mine] = np.arange(60)
    assert same(m[mine[::3]], np.arange(2, 60, 3))
    m.update(mine, 7, "first")
    assert same(m[mine[::3]], np.arange(2, 60, 3))
    m[[5]] = [world.rank]  # of several PEs, any
    assert m[5] in range(world.size)


def check_many_keys(world):
    """More keys than a table has at first, and than one request asks for."""
    n = 30_000 if world.rank == 0 else 3000
    m = boxcar.DistributedMap(world, "i8", "f8")
    keys = random_of(world).integers(-(1 << 62), 1 << 62, n)
    m.update(keys, keys.astype(float))
    assert len(m) == len(np.unique(of_all(world, keys)))
    many = np.resize(keys[::-1], 140_000) if world.rank == 0 else keys
    assert same(m[many], many.astype(float))
    assert m.erase(keys[: n // 2]) == len(np.unique(of_all(world, keys[: n // 2])))
    assert m.contains(keys[n // 2 :]).all() and not m.contains(keys[: n // 2]).any()
    assert same(m[keys[n // 2 :]], keys[n // 2 :].astype(float))
    m.clear()
    assert len(m) == m.local_size == 0
    m.add(keys[:10], 1.0)
    assert m.contains(keys[:10]).all()


def check_order_of_another_map(world):
    """Keys in the order of one map do not cluster in another map, nor in the same map again."""
    for kind in ["i8", "S8"]:
        numbers = np.arange(40_500 * world.size)
        with boxcar.DistributedMap(world, kind, "i8") as m:
            candidates = numbers.astype(kind)
            mine = candidates[m.owners(candidates) == world.rank][:40_000]
            m.update(mine, 1)
            in_order = m.keys()[:11_700]
            m.clear()
            with boxcar.DistributedMap(world, kind, "i8") as other:
                for each in (m, other):
                    each.update(in_order, 1)
                    assert each._part.probes() < 4 * each.local_size, kind


def check_memory_of_updates_with_large_values(world):
    """A value of 1 MiB needs a few times that, and not the memory of many values."""
    value = np.zeros(1 << 17)

    def status_bytes(name):
        lines = Path("/proc/self/status").read_text().splitlines()
        return next(int(line.split()[1]) << 10 for line in lines if line.startswith(name + ":"))

    with boxcar.DistributedMap(world, "i8", ("f8", len(value))) as m:
        Path("/proc/self/clear_refs").write_text("5")  # the peak starts anew
        before = status_bytes("VmRSS")
        m.update([world.rank], value)
        assert status_bytes("VmHWM") - before < 300 << 20


def check_erased_keys_leave_room(world):
    m = boxcar.DistributedMap(world, str, "i8")
    kept = 0
    for number in range(20):
        names = [f"key {number} {k} of PE {world.rank} " + "x" * 50 for k in range(100)]
        m.add(names)
        assert m.erase(names[3:]) == 97 * world.size
        kept += 3 * world.size
        assert len(m) == kept
        assert same(m.contains(names), np.arange(100) < 3)
    assert set(contents(world, m).values()) == {1}


def check_counts_that_some_pes_combine(world):
    """Equal keys of one PE travel as one sum, and different keys of another PE one by one."""
    last = world.rank == world.size - 1
    for kind in ["i8", "f4", ("i4", 2)]:
        m = boxcar.DistributedMap(world, "i8", kind)
        m.add(np.zeros(500, "i8") if last else np.arange(500))
        row = np.ones(np.dtype(kind).shape)
        assert (m[0] == row * (world.size - 1 + 500)).all(), kind
        if world.size > 1:
            assert (m[499] == row * (world.size - 1)).all() and len(m) == 500


def check_text_of_any_width(world):
    m = boxcar.DistributedMap(world, str, "i8")
    words = ["", "a", "żółw", "日本語", "🚃" * (world.rank + 1)]
    m.add(words)
    want = {word: world.size for word in words[:4]}
    want |= {"🚃" * (pe + 1): 1 for pe in range(world.size)}
    assert contents(world, m) == want
    long = "long " * 500
    m.add([long] if world.rank == 0 else [])
    assert m[[long, "a"]].tolist() == [1, world.size]
    assert same(m.get(["b", "🚃"], -1), np.array([-1, 1]))
    assert m.keys().dtype.kind == "U"
    huge = "h" * 17_000  # larger than an item of a conveyor
    m.add([huge])
    assert m[huge] == world.size
    m.erase([huge])
    raw_keys = boxcar.DistributedMap(world, bytes, "u1")
    raw_keys.update([b"\xff\x00\x01", b"\x00x"], [1, 2])
    assert raw_keys[np.array([b"\x00x", b"\xff\x00\x01"], "S20")].tolist() == [2, 1]


def check_columns(world):
    """Columns of Arrow and pandas are keys and values."""
    try:
        import pandas as pd
        import pyarrow as pa
    except ImportError:
        return
    m = boxcar.DistributedMap(world, str, "f8")
    m.update(pa.array(["x", "y", "x"]), pa.array([1.0, 2.0, 3.0]), "sum")
    assert m[pd.Series(["y", "x"])].tolist() == [2.0 * world.size, 4.0 * world.size]


def check_what_is_not_a_number(world):
    """NaN is one key, and 0.0 and -0.0 are another."""
    m = boxcar.DistributedMap(world, "f8", "i8")
    m.add([np.nan, -np.nan, 0.0, -0.0, 1.5])
    assert len(m) == 3
    assert same(m[[np.nan, 0.0, -0.0]], np.array([2, 2, 2]) * world.size)
    everything = np.sort(of_all(world, m.keys()))
    assert same(everything, np.array([0.0, 1.5, np.nan]))
    times = boxcar.DistributedMap(world, "M8[s]", "i8")
    times.add(np.array(["NaT", "2020-01-01", "NaT"], "M8[s]"))
    assert times[np.array("NaT", "M8[s]")] == 2 * world.size


def check_structures_and_rows(world):
    pair = np.dtype([("x", "i4"), ("name", "S6")])
    place = np.dtype([("height", "f4"), ("label", "U4")], align=True)
    m = boxcar.DistributedMap(world, pair, place)
    keys = np.array([(1, b"one"), (2, b"two")], pair)
    m.update(keys, np.array([(1.5, "α"), (2.5, "β")], place))
    narrow = np.array([(2, b"two"), (3, b"x")], [("x", "i4"), ("name", "S3")])
    found = m.get(narrow, np.array((0, "none"), place))
    assert found.tolist() == [(2.5, "β"), (0.0, "none")]
    rows = boxcar.DistributedMap(world, "i8", ("f4", 3))
    rows.update([7, 8], [[1, 2, 3], [4, 5, 6]], "sum")
    rows.add([8], [[1, 1, 1]])
    rows.update([], [])
    assert same(rows[8], np.array([5, 6, 7], "f4") * world.size)
    assert same(rows.get([9], 0.0), np.zeros((1, 3), "f4"))
    large = boxcar.DistributedMap(world, "i8", ("i8", 20_000))  # larger than an item
    large.update([world.rank], np.full(20_000, world.rank))
    assert (large[(world.rank + 1) % world.size] == (world.rank + 1) % world.size).all()


def check_pes_without_keys(world):
    m = boxcar.DistributedMap(world, "i8", "f8")
    none = np.empty(0, np.int64)
    m.update(none, np.empty(0))
    assert same(m[none], np.empty(0)) and same(m.contains([]), np.empty(0, bool))
    assert len(m) == m.erase([]) == 0
    m.update([1, 2] if world.rank == world.size - 1 else [], 3.0)
    assert m[[1] if world.rank == 0 else []].tolist() == ([3.0] if world.rank == 0 else [])
    assert len(m) == 2 and bool(m)


@with_new_file
def check_files_of_maps(world, path):
    words = boxcar.DistributedMap(world, str, ("i4", 2))
    mine = [f"{'ü' * world.rank}{k}" for k in range(100)]
    words.update(mine, np.stack([np.arange(100), np.full(100, 7)], axis=1))
    words.save(path)
    assert contents(world, boxcar.DistributedMap.load(world, path)) == contents(world, words)
    half = world.split(world.rank % 2)
    with half:
        part = boxcar.DistributedMap.load(half, path)
        assert len(part) == len(words) and part["3"].tolist() == [3, 7]
    stored = np.load(path)
    assert stored.dtype.names == ("key", "value") and len(stored) == len(words)
    words.clear()
    words.save(path)
    assert len(boxcar.DistributedMap.load(world, path)) == 0
    must_refuse(world, lambda: words.save("/no/such/folder/file"), "/no/such/folder/file")
    must_refuse(world, lambda: boxcar.DistributedMap.load(world, path + "x"), path + "x")
    if world.rank == 0:
        np.save(path, np.arange(3))
    world.barrier()
    must_refuse(world, lambda: boxcar.DistributedMap.load(world, path), "no map", "update")


def check_what_maps_refuse(world):
    last = world.rank == world.size - 1
    m = boxcar.DistributedMap(world, "i4", "i4")
    m.update([1, 2], [3, 4])
    must_refuse(world, lambda: m[[1, 9] if last else [1]], "keys[1] is ", "9", "default")
    must_refuse(world, lambda: m[9], "keys is ", "9")
    must_refuse(world, lambda: m[[1.5] if last else [1]], "float64", "int32")
    must_refuse(world, lambda: m.contains([2**40] if last else []), str(2**40))
    must_refuse(world, lambda: m.update([5, 6], [1, 2, 3] if last else 1), "broadcast")
    must_refuse(world, lambda: m.update([5], [2**40]), str(2**40))
    must_refuse(world, lambda: m.update([5], 1, "mean"), "mean", "xor")
    must_refuse(world, lambda: m.add(["x"]), "<U1", "int32")
    must_refuse(world, lambda: m.get([1], "x"), "default")
    assert len(m) == 2
    if world.size > 1:
        must_refuse(world, lambda: m.update([5], 1, "sum" if last else "put"), "how")
        must_refuse(world, lambda: m.get([1], 0 if last else None), "presence of a default")
        must_refuse(world, lambda: m.add([1], 2 if last else None), "presence of n")
        wrong = "i8" if last else "i4"
        must_refuse(world, lambda: boxcar.DistributedMap(world, wrong, "i4"), "key_dtype", "int64")
        must_refuse(world, lambda: boxcar.DistributedMap(world, "i4", wrong), "value_dtype")
    must_refuse(world, lambda: boxcar.DistributedMap(world, object), "object")
    must_refuse(world, lambda: boxcar.DistributedMap(world, "i4", object), "object")
    must_refuse(world, lambda: boxcar.DistributedMap(world, "c16"), "complex128")
    must_refuse(world, lambda: boxcar.DistributedMap(world, "i4", "nonsense"), "nonsense")
    must_refuse(world, lambda: boxcar.DistributedMap(world, "i4", ("f4", 0)), "empty")
    text = boxcar.DistributedMap(world, str, "S3")
    must_refuse(world, lambda: text.add(["x"]), "S3", "put")
    must_refuse(world, lambda: text.update([b"x"], b"y"), "str", "decode")
    must_refuse(world, lambda: text.update(["x"], b"four"), "four")
    named = boxcar.DistributedMap(world, bytes, "i4")
    must_refuse(world, lambda: named.add([1]), "int64", "bytes")
    exact = boxcar.DistributedMap(world, "f4", "i4")
    must_refuse(world, lambda: exact.add([0.1]), "0.1", "float32")
    must_refuse(world, lambda: exact.add([2**24 + 1]), str(2**24 + 1))
    must_refuse(world, lambda: exact.add([[0.5, 1.0], [0.5, 0.1]]), "keys[1, 1] is 0.1")
    must_refuse(world, lambda: exact.add(0.1), "keys is 0.1")
    exact.add([0.5, 3])
    assert exact[3.0] == world.size
    fields = boxcar.DistributedMap(world, [("x", "f8", 2), ("day", "M8[ns]")])
    dtype = [("x", "i8", 2), ("day", "M8[D]")]
    fields.add(np.array([([1, 2**53], "NaT")], dtype))
    assert fields.contains(np.array([([1, 2**53], "NaT")], fields.keys().dtype)).all()
    for lost in (([1, 2**53 + 1], "2020-01-01"), ([1, 2], "3000-01-01")):
        must_refuse(world, lambda: fields.add(np.array([lost], dtype)), "keys[0] is", "cannot hold")
    for wrong_use in [lambda: iter(m), lambda: 1 in m]:
        try:
            wrong_use()
        except TypeError:
            pass
        else:
            raise AssertionError("no TypeError was raised")


def check_closed_maps(world):
    m = boxcar.DistributedMap(world, "i8", "f8")
    m.add([1])
    assert f"{len(m)} keys, {m.local_size} here" in repr(m)
    m.close()
    assert "closed" in repr(m)
    try:
        m.add([1])
    except boxcar.ContractError as error:
        assert "distributed map was closed" in str(error)
    else:
        raise AssertionError("no ContractError was raised")
