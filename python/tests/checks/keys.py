"""sort, group_by_key, unique, value_counts, join, transpose."""

from __future__ import annotations

import numpy as np
from boxcar import _native, sorting
from boxcar.arrays import code_of
from boxcar.arrays import raw as raw_bytes

from .support import all_are, must_refuse, of_all, random_of, same


def native(array):
    return array.astype(array.dtype.newbyteorder("="))


def _sorted_is_right(world, keys) -> bool:
    share = world.sort(keys)
    return same(of_all(world, share), np.sort(native(of_all(world, keys))))


def check_sorts(world):
    random = random_of(world)
    for kind in [
        "b1",
        "i1",
        "u2",
        "i4",
        "u8",
        "i8",
        "f2",
        "f4",
        "f8",
        "c16",
        "M8[s]",
        "m8[ns]",
        "S4",
        "U3",
        ">i4",
    ]:
        n = 1000 + 100 * world.rank
        raw = random.integers(-50, 50, n)
        keys = np.abs(raw).astype(str).astype(kind) if kind[0] in "SU" else raw.astype(kind)
        if kind[0] == "f":
            keys[::17] = np.nan
        if kind[0] in "mM":
            keys[::17] = "NaT"
        assert all_are(world, _sorted_is_right(world, keys)), kind
        assert _sorted_is_right(world, keys if world.rank == 0 else keys[:0]), kind
        assert _sorted_is_right(world, keys[:0]), kind


def check_sorts_many(world):
    """Sorts so many keys that the native part sorts them."""
    random = random_of(world)
    for kind in ["b1", "i1", "u2", "i4", "i8", "u8", "f4", "f8"]:
        n = 30_000
        raw = random.integers(-(1 << 62), 1 << 62, n)
        keys = raw.astype(kind) if kind[0] != "f" else random.normal(size=n).astype(kind)
        if kind[0] == "f":
            for place, special in enumerate([np.nan, -np.nan, np.inf, -np.inf, 0.0, -0.0]):
                keys[place::50] = special
        assert all_are(world, _sorted_is_right(world, keys)), kind
        places = np.arange(n) + n * world.rank
        sorted_keys, sorted_places = world.sort_by_key(keys, places)
        all_keys = of_all(world, keys)
        order = np.argsort(all_keys, kind="stable")
        assert same(of_all(world, sorted_keys), all_keys[order]), kind
        assert same(of_all(world, sorted_places), order), kind


NUMBERS = ["b1", "i1", "u2", "i4", "i8", "u8", "f4", "f8"]


def _numbers(random, kind, count, distinct):
    """Few or many different numbers, over the whole range of the type and in a small one."""
    spread = random.integers(-(1 << 62), 1 << 62, distinct)
    spread[::3] = random.integers(-300, 300, len(spread[::3]))
    with np.errstate(invalid="ignore"):
        numbers = spread[random.integers(0, distinct, count)].astype(kind)
    if kind[0] == "f":
        for place, special in enumerate([np.nan, -np.nan, np.inf, -np.inf, 0.0, -0.0]):
            numbers[place::50] = special
    return numbers


def check_sorts_in_the_native_part(world):
    """Whether the native part sorts depends on the processor: here it does on each."""
    random = random_of(world)
    for kind in NUMBERS:
        for count, distinct in [(0, 1), (1, 1), (7, 3), (1000, 5), (1000, 1000)]:
            keys = _numbers(random, kind, count, distinct)
            sorted_keys = keys.copy()
            sorting._sort_natively(sorted_keys)
            assert same(sorted_keys, np.sort(keys)), (kind, count)


def check_orders_in_the_native_part(world):
    """Many numbers that differ only in their lowest bits, too."""
    random = random_of(world)
    for kind in NUMBERS:
        for count, distinct in [(0, 1), (1, 1), (3000, 5), (3000, 3000)]:
            keys = _numbers(random, kind, count, distinct)
            if kind in ("i8", "u8") and count:
                keys[::2] = (1 << 40) + keys[::2] % 40
            order = np.empty(count, np.int64)
            _native.order_numbers(code_of(keys.dtype), raw_bytes(keys), raw_bytes(order))
            assert same(order, np.argsort(keys, kind="stable")), kind


def check_splits_at_equal_keys(world):
    """Where numbers go that are equal to one or several splitters."""
    random = random_of(world)
    for kind in NUMBERS:
        for pes in [1, 2, 3, 4, 5, 8, 13]:
            keys = _numbers(random, kind, 400, 4)
            keys = np.sort(keys) if pes % 2 else keys
            splitters = np.sort(keys[random.integers(0, len(keys), pes - 1)])
            behind = random.integers(0, len(keys) + 1, pes - 1)
            ends = np.searchsorted(splitters, splitters, "right")
            for end in np.unique(ends):
                behind[ends == end] = np.sort(behind[ends == end])
            to = np.empty(len(keys), np.int32)
            grouped = np.empty_like(keys)
            given = (
                code_of(keys.dtype),
                raw_bytes(keys),
                raw_bytes(splitters),
                raw_bytes(behind),
            )
            counts = _native.split_numbers(*given, raw_bytes(to))
            lower = np.searchsorted(splitters, keys, "left")
            upper = np.searchsorted(splitters, keys, "right")
            wanted = [
                low + (behind[low:high] <= place).sum()
                for place, (low, high) in enumerate(zip(lower, upper))
            ]
            assert to.tolist() == wanted, (kind, pes)
            assert counts == np.bincount(wanted, minlength=pes).tolist()
            assert _native.group_numbers(*given, raw_bytes(grouped)) == counts, (kind, pes)
            ends = np.cumsum(counts)[:-1]
            for pe, group in enumerate(np.split(grouped, ends)):
                assert same(np.sort(group), np.sort(keys[to == pe])), (kind, pes)


def check_order_of_insertion_does_not_matter(world):
    """Words in the order of their hashes without a salt do not cluster in an index."""
    words = np.arange(1 << 18, dtype=np.uint64)
    with np.errstate(over="ignore"):
        hashes = words + np.uint64(0x9E3779B97F4A7C15)
        for shift, factor in [(30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)]:
            hashes = (hashes ^ (hashes >> np.uint64(shift))) * np.uint64(factor)
        hashes ^= hashes >> np.uint64(31)
    keys = words[np.argsort(hashes & np.uint64(0xFFFF), kind="stable")[:10_000]]
    index = _native.KeyIndex("u8", 8)
    ids = np.empty(len(keys), np.uint32)
    index.add(raw_bytes(keys), raw_bytes(ids))
    assert same(ids, np.arange(10_000, dtype=np.uint32))
    assert index.probes() < 3 * len(keys)


def check_shares_are_even(world):
    n = 40_000
    for keys in [
        np.zeros(n, np.int64),
        np.arange(n),
        np.arange(n) * world.size + world.rank,
        random_of(world).integers(0, 3, n),
        np.full(n, "x"),
    ]:
        share = len(world.sort(keys))
        assert 0.7 * n < share < 1.3 * n, (share, keys[:3])


def check_sorts_with_values_are_stable(world):
    random = random_of(world)
    for kind in ["i8", "f4", "S2"]:
        keys = random.integers(0, 20, 3000).astype(kind)
        where = np.stack([np.full(3000, world.rank), np.arange(3000)], axis=1)
        sorted_keys, values, rows = world.sort_by_key(keys, where[:, 1], where)
        all_keys, all_rows = of_all(world, keys), of_all(world, where)
        order = np.argsort(all_keys, kind="stable")
        assert same(of_all(world, sorted_keys), all_keys[order])
        assert same(of_all(world, rows), all_rows[order])
        assert same(of_all(world, values), all_rows[order][:, 1])
    assert len(world.sort_by_key(np.empty(0), np.empty(0))) == 2


def _groups(keys, values):
    """Groups by NumPy, on one process: each key and its values, in order."""
    if keys.dtype.kind == "f":
        keys = keys + 0.0
    unique, inverse = np.unique(keys, return_inverse=True)
    order = np.argsort(inverse, kind="stable")
    ends = np.cumsum(np.bincount(inverse, minlength=len(unique)))[:-1]
    return unique, np.split(values[order], ends)


def check_groups(world):
    random = random_of(world)
    for kind in ["b1", "i1", "u4", "i8", "f4", "f8", "M8[s]", "S4", "U2", ">i4"]:
        for distinct in [3, 100_000]:
            n = 3000 + world.rank
            keys = random.integers(0, distinct, n).astype(kind)
            values = random.integers(0, 100, n).astype(np.int32)
            hows = ("sum", "count", "min", "max", "first", "or", "and", "xor", "arrays")
            mine, *results = world.group_by_key(keys, values, hows, sort=True)
            unique, groups = _groups(of_all(world, keys), of_all(world, values))
            assert same(np.sort(of_all(world, mine)), native(unique.astype(kind))), kind
            places = np.searchsorted(unique, mine)
            wanted = {
                "sum": [g.sum() for g in groups],
                "count": [len(g) for g in groups],
                "min": [g.min() for g in groups],
                "max": [g.max() for g in groups],
                "first": [g[0] for g in groups],
                "or": [np.bitwise_or.reduce(g) for g in groups],
                "and": [np.bitwise_and.reduce(g) for g in groups],
                "xor": [np.bitwise_xor.reduce(g) for g in groups],
            }
            for how, result in zip(hows[:-1], results):
                assert (result == np.array(wanted[how])[places]).all(), (kind, how)
            arrays = results[-1]
            assert all(same(arrays[i], groups[p]) for i, p in enumerate(places)), kind
            assert all_are(world, True)


def check_dtypes_of_sums(world):
    for kind, result in [("i1", "i8"), ("u2", "u8"), ("b1", "i8"), ("f4", "f4"), ("c8", "c8")]:
        keys, sums = world.group_by_key(np.zeros(5, int), np.ones(5, kind))
        assert sums.dtype == result
        assert world.reduce(complex(sums.sum())) == 5 * world.size
    keys, counts = world.value_counts(np.array([7] * 300, np.uint8))
    assert counts.dtype == np.int64 and world.reduce(int(counts.sum())) == 300 * world.size


def check_numbers_that_are_equal_or_none(world):
    keys = np.array([0.0, -0.0, np.nan, -np.nan, 1.0])
    wanted = {"0.0": 2 * world.size, "1.0": world.size}
    assert _counted(world, keys) == wanted
    assert _counted(world, keys, dropna=False) == {**wanted, "nan": 2 * world.size}
    assert world.reduce(len(world.unique(keys))) == 3


def _counted(world, keys, **options):
    found, counts = world.value_counts(keys, **options)
    whole = zip(of_all(world, found), of_all(world, counts))
    return {str(key + 0.0): int(count) for key, count in whole}


def check_missing_keys_as_pandas_does(world):
    import pandas as pd

    random = random_of(world)
    for kind in ["f4", "f8", "M8[ns]", "m8[ns]"]:
        keys = random.integers(0, 5, 200).astype(kind)
        keys[::7] = np.nan if kind[0] == "f" else "NaT"
        values = random.integers(0, 100, 200).astype("f8")
        values[5::11] = np.nan
        frame = pd.DataFrame({"key": of_all(world, keys), "value": of_all(world, values)})
        for dropna in [True, False]:
            groups = frame.groupby("key", dropna=dropna)["value"]
            mine, *columns = world.group_by_key(
                keys, values, ("sum", "count", "arrays"), dropna=dropna
            )
            result = {"sum": columns[0], "count": columns[1]}
            got = pd.DataFrame({name: of_all(world, each) for name, each in result.items()})
            got = got.set_index(pd.Index(of_all(world, mine))).sort_index()
            assert np.array_equal(got.index, groups.size().index, equal_nan=kind[0] == "f") or (
                got.index.equals(groups.size().index)
            )
            assert (got["count"].to_numpy() == groups.size().to_numpy()).all()
            sums = groups.agg(lambda each: each.sum(skipna=False)).to_numpy()
            assert np.allclose(got["sum"].to_numpy(), sums, equal_nan=True)
            assert len(columns[2].values) == columns[1].sum()
            counts = frame["key"].value_counts(dropna=dropna)
            found, numbers = world.value_counts(keys, dropna=dropna)
            assert sorted(of_all(world, numbers)) == sorted(counts)
        assert world.reduce(len(world.unique(keys))) == len(frame["key"].unique())
        merged = pd.merge(frame, frame, on="key")
        assert world.reduce(len(world.join(keys, values, keys, values)[0])) == len(merged)
    if world.size > 1:
        must_refuse(
            world, lambda: world.value_counts([1.0], dropna=world.rank == 0), "disagree", "dropna"
        )


def check_structured_keys(world):
    kind = np.dtype([("a", "i1"), ("b", "i8")], align=True)
    keys = np.empty(100, kind)
    keys.view(np.uint8)[:] = world.rank  # also what lies between the fields
    keys["a"], keys["b"] = np.arange(100) % 2, np.arange(100) % 3
    found, counts = world.value_counts(keys)
    assert world.reduce(len(found)) == 6 and world.reduce(int(counts.sum())) == 100 * world.size


def check_nested_structured_keys(world):
    """Padding between the fields of inner structures, and of arrays of structures, is no key."""
    inner = np.dtype([("t", "i1"), ("v", "i8")], align=True)
    outer = np.dtype([("a", inner, (2,)), ("b", "i4"), ("c", [("d", inner), ("e", "S2")])])
    keys = random_of(world).integers(0, 256, 500 * outer.itemsize).astype("u1").view(outer)
    for field in [keys["a"], keys["c"]["d"]]:
        field["t"], field["v"] = 1, 2
    keys["b"], keys["c"]["e"] = np.arange(500) % 2, "x"
    found, counts = world.value_counts(keys)
    assert world.reduce(len(found)) == 2 and world.reduce(int(counts.sum())) == 500 * world.size
    pairs = world.join(keys[:4], keys[:4], keys[:4], np.arange(4))
    assert world.reduce(len(pairs[0])) == 2 * (2 * world.size) ** 2


def check_numbers_in_structured_keys(world):
    kind = np.dtype([("a", "f8"), ("b", [("c", "f4", (2,)), ("d", "c16")]), ("e", "M8[s]")])
    keys = np.zeros(4, kind)
    keys["a"] = [0.0, -0.0, 0.0, 1.0]
    keys["b"]["c"][1], keys["b"]["d"][2] = [-0.0, 0.0], complex(-0.0, 0.0)
    assert world.reduce(len(world.unique(keys))) == 2
    payloads = np.array([0x7FF8000000000000, 0xFFF8000000000001], np.uint64).view("f8")
    keys["a"][:2] = payloads
    assert world.reduce(len(world.unique(keys))) == 3
    assert world.reduce(len(world.value_counts(keys)[0])) == 2
    assert world.reduce(len(world.value_counts(keys, dropna=False)[0])) == 3
    keys["e"][3] = "NaT"
    assert world.reduce(len(world.value_counts(keys)[0])) == 1
    must_refuse(world, lambda: world.unique(np.zeros(2, [("a", np.longdouble)])), "float64")


def check_stable_with_many_kinds_of_nan(world):
    n = 12_000
    bits = random_of(world).integers(0, 1000, n).astype(np.uint64) | np.uint64(0x7FF8000000000000)
    bits[::2] |= np.uint64(1) << np.uint64(63)
    keys = bits.view("f8").copy()
    keys[::5] = 1.0
    places = np.arange(n) + n * world.rank
    _, sorted_places = world.sort_by_key(keys, places)
    order = np.argsort(of_all(world, keys), kind="stable")
    assert same(of_all(world, sorted_places), order)


def check_unique(world):
    keys = random_of(world).integers(0, 1000, 5000)
    assert same(np.sort(of_all(world, world.unique(keys))), np.unique(of_all(world, keys)))
    assert len(of_all(world, world.unique(keys[:0]))) == 0
    mine = world.unique(keys, sort=True)
    assert (np.diff(mine) > 0).all()


def check_groups_are_spread_evenly(world):
    n = len(world.unique(np.arange(20_000)))
    assert 0.8 * 20_000 / world.size < n < 1.2 * 20_000 / world.size


def _joined(left, right, how):
    """Joins lists of keys and rows: keys, left rows and right rows; None for a missing row."""
    pairs = [(key, row, other) for key, row in left for also, other in right if key == also]
    if how in ("left", "outer"):
        keys = {key for key, _ in right}
        pairs += [(key, row, None) for key, row in left if key not in keys]
    if how in ("right", "outer"):
        keys = {key for key, _ in left}
        pairs += [(key, None, row) for key, row in right if key not in keys]
    return pairs


def _join_is_right(world, left, left_rows, right, right_rows, how):
    keys, lefts, rights, *told = world.join(left, left_rows, right, right_rows, how)
    there = np.ones(len(keys), bool)
    has_left = told[0] if how in ("right", "outer") else there
    has_right = told[-1] if how in ("left", "outer") else there
    assert len(told) == {"inner": 0, "outer": 2}.get(how, 1)
    assert (keys.dtype, lefts.dtype) == (left.dtype, left_rows.dtype)
    assert rights.dtype == right_rows.dtype
    assert not lefts[~has_left].any() and not rights[~has_right].any()
    assert (np.diff(lefts[has_left]) >= 0).all()  # in order, and those without come last
    assert (np.diff(has_left.astype(int)) <= 0).all()
    lefts = np.where(has_left, lefts.astype(object), None)
    rights = np.where(has_right, rights.astype(object), None)
    got = sum(world.all_gather(list(zip(keys.tolist(), lefts, rights))), [])

    def whole(keys, rows):
        return list(zip(of_all(world, keys).tolist(), of_all(world, rows)))

    want = _joined(whole(left, left_rows), whole(right, right_rows), how)
    return sorted(got, key=str) == sorted(want, key=str)


def check_joins(world):
    random = random_of(world)
    for kind in ["i4", "f8", "S3"]:
        # Keys repeat on both sides, and some are on one side only.
        left = random.integers(0, 20, 20 + world.rank).astype(kind)
        right = random.integers(10, 40, 15).astype(kind)
        left_rows = np.arange(len(left)) + 1000 * world.rank
        right_rows = np.arange(len(right)) + 1000.0 * world.rank
        here = len(left) if world.rank == 0 else 0
        for of_left, of_right in [(99, 99), (here, 99), (99, here), (99, 0), (0, 99), (0, 0)]:
            sides = (left[:of_left], left_rows[:of_left], right[:of_right], right_rows[:of_right])
            for how in ["inner", "left", "right", "outer"]:
                assert _join_is_right(world, *sides, how), (kind, of_left, of_right, how)


def check_join_of_rows(world):
    """Rows of any shape, keys that are structures, and keys that are no numbers."""
    kind = np.dtype([("a", "i1"), ("b", "i8")])
    left, right = np.zeros(2, kind), np.zeros(1, kind)
    left["b"], right["b"] = [1, 2], 3
    keys, lefts, rights, has_left, has_right = world.join(
        left, np.ones((2, 3)), right, np.array([["x", "y"]]), "outer"
    )
    assert lefts.shape == (len(keys), 3) and rights.shape == (len(keys), 2)
    assert (keys["b"][~has_left] == 3).all() and (rights[~has_right] == "").all()
    assert world.reduce(len(keys)) == 3 * world.size
    keys, *_ = world.join([np.nan, 0.0], [1, 2], [-np.nan, -0.0], [3, 4])
    assert world.reduce(len(keys)) == 2 * world.size**2
    must_refuse(world, lambda: world.join([1], [1], [1], [1], "cross"), "cross", "outer")
    must_refuse(world, lambda: world.join([1], [1], [1.0], [1]), "int64", "float64")
    must_refuse(world, lambda: world.join([1], [1, 2], [1], [1]), "2 rows", "1 keys")


def check_transpose(world):
    import scipy.sparse as sp

    for rows, columns in [(40, 25), (world.rank * 3, 50), (0, 7), (5, 1)]:
        random = random_of(world)
        dense = (random.random((rows, columns)) * (random.random((rows, columns)) < 0.2)).round(3)
        whole = np.concatenate(world.all_gather(dense))
        for form in [sp.csr_array, sp.csr_matrix, sp.coo_array]:
            part = world.transpose(form(dense))
            assert part.format == "csr"
            assert same(np.concatenate(world.all_gather(part.toarray())), whole.T.copy())
    must_refuse(world, lambda: world.transpose(np.zeros((3, 3))), "ndarray", "SciPy")
    if world.size > 1:
        must_refuse(world, lambda: world.transpose(sp.csr_array((3, 4 + world.rank))), "columns")


def check_what_cannot_be_sorted_or_grouped(world):
    must_refuse(world, lambda: world.sort(np.zeros((2, 2))), "shape (2, 2)")
    must_refuse(world, lambda: world.sort(np.zeros(2, [("a", "i4")])), "order")
    must_refuse(world, lambda: world.sort_by_key([1, 2], [1]), "1 rows", "2 keys")
    must_refuse(world, lambda: world.group_by_key([1], [1], "mode"), "mode", "median")
    must_refuse(world, lambda: world.group_by_key([1], None, "sum"), "no values")
    must_refuse(world, lambda: world.group_by_key([1], ["a"], "sum"), "numbers")
    must_refuse(world, lambda: world.group_by_key([1, 2], [1], "first"), "1 rows", "2 keys")
    must_refuse(world, lambda: world.group_by_key([1.0], [1.0], "or"), "or")
    must_refuse(world, lambda: world.unique(np.zeros(2, complex)), "complex128")
    must_refuse(world, lambda: world.unique(np.zeros(2, np.float16)), "float32")
