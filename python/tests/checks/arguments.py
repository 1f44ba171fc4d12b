"""Checks of arguments that only look acceptable to collective functions."""

from __future__ import annotations

import boxcar
import numpy as np
import scipy.sparse as sp

from .support import all_are, error_of, must_refuse, of_all, same


def _masked(world, values, mask):
    """The values masked on the last PE; the other PEs have an empty mask."""
    last = world.rank == world.size - 1
    return np.ma.masked_array(values, mask if last else np.zeros(np.shape(mask), bool))


def _calls_with(world, values):
    """Every collective function of arrays, with the array."""
    count = len(values)
    where = np.zeros(count, np.int64)
    rows = np.arange(count)
    return [
        lambda: world.exchange(values, 0),
        lambda: world.exchange(rows, values),
        lambda: world.ask(values, 0, lambda asked: asked),
        lambda: world.gather(values, where),
        lambda: world.gather(np.zeros(1000), values),
        lambda: world.scatter(np.zeros(10), where, values),
        lambda: world.scatter(np.zeros(10), where, values, "put"),
        lambda: world.sort(values),
        lambda: world.sort_by_key(values, rows),
        lambda: world.sort_by_key(rows, values),
        lambda: world.group_by_key(values, rows),
        lambda: world.group_by_key(where, values),
        lambda: world.unique(values),
        lambda: world.value_counts(values),
        lambda: world.join(values, rows, rows, rows),
        lambda: world.join(rows, rows, rows, values),
        lambda: world.reduce(values),
        lambda: world.scan(values),
        lambda: world.histogram(values),
    ]


def check_masked_arrays(world):
    masked = _masked(world, [0, 0, 0, 0], [0, 0, 1, 0])
    for call in _calls_with(world, masked):
        must_refuse(world, call, "1 masked values", "leave those rows out, or fill them")
    one_of_list = [1, 2, np.ma.masked] if world.rank == world.size - 1 else [1, 2, 3.0]
    must_refuse(world, lambda: world.sort(one_of_list), "1 masked values")
    must_refuse(world, lambda: world.sort_by_key([1], [masked[2:]]), "1 masked values")
    kind = [("a", "i4"), ("b", "f8", (2,))]
    rows = np.ma.masked_array(np.zeros(3, kind), mask=[(0, (0, 0)), (0, (0, 1)), (0, (0, 0))])
    must_refuse(world, lambda: world.exchange(rows, 0), "1 masked values")
    table = np.ma.masked_array(np.zeros(3), [0, 1, 0])
    must_refuse(world, lambda: world.scatter(table, [0], [1]), "mask", "plain NumPy array")
    letters = np.ma.masked_array(np.frombuffer(b"ACGTA", np.uint8), [0, 0, 1, 0, 0])
    counter = boxcar.KmerCounter(world, 3)
    must_refuse(world, lambda: counter.add(letters), "1 masked values")
    must_refuse(world, lambda: counter.add([letters]), "1 masked values")
    with world.window(4, "i8") as w, world.append_buffer(4, "i8") as b:
        masked = np.ma.masked_array([1, 2, 9, 0], [0, 0, 1, 0])
        for call in [
            lambda: w.put(masked, 0),
            lambda: w.put(np.ma.masked, 0),
            lambda: b.push(masked, 0),
            lambda: world.all_reduce_async(masked),
            lambda: world.all_gather_async(masked),
        ]:
            assert "masked values" in error_of(call)
        assert "mask" in error_of(lambda: w.get(0, out=np.ma.masked_array([1, 2, 3, 4])))
        world.barrier()
        assert not w.local.any()


def check_arrays_with_nothing_masked(world):
    for values in [
        np.ma.masked_array([3, 1, 2]),
        np.ma.masked_array([3, 1, 2], [0, 0, 0]),
        [np.ma.masked_array(3, 0), 1, 2],
    ]:
        assert same(of_all(world, world.sort(values)), np.sort([3, 1, 2] * world.size))
    matrix = np.asmatrix([[1, 2], [3, 4]])  # of two dimensions, however it is reshaped
    assert same(world.exchange(matrix, world.rank).items, np.array([[1, 2], [3, 4]]))


class _Tensor:
    """A tensor that cannot become an array: as one of torch that requires grad."""

    def __len__(self):
        return 3

    def __array__(self, dtype=None, copy=None):
        raise RuntimeError("cannot be made an array of NumPy: requires grad")


def check_errors_of_any_class(world):
    last = world.rank == world.size - 1
    for call in _calls_with(world, _Tensor() if last else np.zeros(3, np.int64)):
        must_refuse(world, call, "RuntimeError", "requires grad")
    if hasattr(sp, "coo_array") and sp.coo_array(np.zeros(3)).ndim == 1:
        matrix = sp.coo_array(np.zeros(3) if last else np.zeros((3, 3)))
        must_refuse(world, lambda: world.transpose(matrix), "shape (3,)", "two dimensions")
    must_refuse(world, lambda: world.group_by_key([1], [1], 5 if last else "sum"), "int")
    must_refuse(world, lambda: world.split("red" if last else 0), "color is 'red'", "integer")
    must_refuse(world, lambda: world.split(2**40 if last else 0), "color", "32 bits")
    must_refuse(world, lambda: world.histogram([1.0], _Tensor() if last else 3), "requires grad")
    must_refuse(world, lambda: world.window(1, object() if last else "i4"), "TypeError")


def check_text_of_different_widths(world):
    words = ["a" * (1 + world.rank), "b"]
    for kind in ["U", "S"]:
        mine = np.array(words, kind)
        all_words = np.concatenate([np.array(each, kind) for each in world.all_gather(words)])
        here = world.exchange(mine, np.arange(2) % world.size)
        assert here.items.dtype == all_words.dtype
        assert same(np.sort(of_all(world, here.items)), np.sort(all_words))
        assert same(of_all(world, world.sort(mine)), np.sort(all_words))
        keys, rows = world.sort_by_key(np.arange(2) + 2 * world.rank, mine)
        assert same(of_all(world, rows), all_words) and len(keys) == len(rows)
        found, counts = world.value_counts(mine)
        assert same(np.sort(of_all(world, found)), np.unique(all_words))
        assert world.reduce(int(counts.sum())) == 2 * world.size
        assert world.gather(mine, [2 * (world.size - 1)]).tolist() == [all_words[-2]]
        both = world.join(mine, mine, np.array(["b", "x" * 20], kind), [1, 2])
        assert (of_all(world, both[0]) == all_words[-1]).all()
        assert world.reduce(len(both[0])) == world.size**2
        answers = world.ask([0], [0], lambda asked: np.full(len(asked), "x" * (1 + world.rank)))
        assert answers.tolist() == ["x"]
        assert answers.dtype == f"U{world.size}"
        for received in world.stream([(mine, np.zeros(2, int))]):
            assert len(received.items) == (2 * world.size if world.rank == 0 else 0)
        # A word belongs to the same PE whatever the width is.
        some = np.array(["cat", "house", "", "world"] * 5, kind)
        wide = [np.sort(world.unique(some.astype(f"{kind}{width}"))) for width in (5, 8, 31)]
        assert all_are(world, all(each.tolist() == wide[0].tolist() for each in wide))
    assert len(of_all(world, world.unique(np.empty(0, "U")))) == 0
    if world.size > 1:
        of_two = np.array(["a"], "U" if world.rank else "S")
        must_refuse(world, lambda: world.sort(of_two), "disagree on the dtype", "text")


# Values that the dtype cannot hold, the dtype, and words of the message.
_TOO_LARGE = [
    (np.array([1, 2**40 + 5]), "i4", "1099511627781"),
    (np.array([1, -1]), "u8", "-1"),
    (np.array([2**63], np.uint64), "i8", "9223372036854775808"),
    (np.int64(300), "u1", "300"),
    ([1, 300], "u1", "300"),
    (np.array([1.0, 1e300]), "f4", "1e+300"),
    (np.array(["ab", "abcd"]), "U3", "abcd"),
    (np.array([70000]), "f2", "70000"),
]
_SMALL_ENOUGH = [
    (np.array([1, 2**31 - 1]), "i4"),
    (np.array([1, 200], ">i8"), "u1"),
    (np.array([2**62], np.uint64), "i8"),
    (np.array([np.inf, np.nan, 0.1]), "f4"),
    (np.array(["ab"], "U9"), "U3"),
]


def check_operations_that_are_no_words(world):
    last = world.rank == world.size - 1
    wrong = 3 if last else "sum"
    numbers = np.zeros(4)
    array = boxcar.DistributedArray(world, 4, "f8")
    words = ("is 3", "sum")
    must_refuse(world, lambda: world.reduce(1, wrong), "op", *words)
    must_refuse(world, lambda: world.scan(1, wrong), "op", *words)
    must_refuse(world, lambda: world.all_reduce_async(1, 3), "op", *words)
    must_refuse(world, lambda: world.scatter(numbers, [0], [1.0], wrong), "how", *words)
    must_refuse(world, lambda: array.update([0], [1.0], wrong), "how", *words)
    wrong = 3 if last else "blocks"
    must_refuse(world, lambda: world.gather(numbers, [0], spread=wrong), "spread is 3", "cyclic")
    must_refuse(world, lambda: world.exclusive_scan([1, 2], [5, 6]), "first has shape (2,)")


def check_values_that_a_dtype_cannot_hold(world):
    last = world.rank == world.size - 1
    for values, kind, word in _TOO_LARGE:
        table = np.zeros(2, kind)
        where = np.zeros(np.shape(values), int).reshape(-1)
        fine = np.zeros(np.shape(values), kind)
        must_refuse(
            world,
            lambda: world.scatter(table, where, values if last else fine, "put"),
            "values leave the range of " + str(np.dtype(kind)),
            word,
        )
        with world.window(2, kind) as w, world.append_buffer(2, kind) as b:
            assert word in error_of(lambda: w.put(values, 0))
            assert word in error_of(lambda: b.push(values, 0))
            assert b.reserved == 0
    must_refuse(world, lambda: world.exclusive_scan(np.int8(1), 1000), "first", "1000")
    rows = np.array([(2**40,)], [("a", "i8")])
    must_refuse(world, lambda: world.scatter(np.zeros(1, [("a", "i4")]), [0], rows, "put"), "dtype")
    with world.window(1, "i4") as w:
        assert "1.5 is no integer" in error_of(lambda: w.add(1.5, 0))


def check_values_that_fit(world):
    for values, kind in _SMALL_ENOUGH:
        table = np.zeros(len(values), kind)
        mine = np.arange(len(values)) + len(values) * world.rank
        world.scatter(table, mine, values, "put")
        assert all_are(world, same(table, values.astype(kind))), kind
        with world.window(len(values), kind) as w:
            w.put(values, world.rank)
            assert all_are(world, same(w.local, values.astype(kind))), kind
