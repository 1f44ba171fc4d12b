"""exchange, ask, stream."""

from __future__ import annotations

import array
import sys

import boxcar
import numpy as np

from . import everywhere
from .support import all_are, must_refuse, of_all, random_of, same

STRUCTURE = np.dtype([("where", "i4"), ("what", "f8", (2,)), ("name", "S5")])


def _some(dtype: np.dtype, rows: int, row_shape: tuple[int, ...], random: np.random.Generator):
    size = rows * int(np.prod(row_shape)) * dtype.itemsize
    data = random.integers(0, 2 if dtype.kind == "b" else 100, size).astype(np.uint8)
    return (
        data.view(dtype).reshape(rows, *row_shape) if size else np.zeros((rows, *row_shape), dtype)
    )


def _exchange_is_right(world, items, to, **how) -> bool:
    received = world.exchange(items, to, **how)
    every_item, every_to = of_all(world, items), of_all(world, to)
    source = np.repeat(np.arange(world.size), world.all_gather(len(items)))
    here = every_to == world.rank
    return (
        same(received.items, every_item[here])
        and same(received.sources, source[here].astype(np.int32))
        and received.counts.sum() == len(received.items)
    )


@everywhere
def check_dtypes_and_shapes(world):
    random = random_of(world)
    numbers = [
        "b1",
        "i1",
        "u2",
        "f2",
        "i4",
        "f4",
        "i8",
        "f8",
        "c8",
        "c16",
        "M8[s]",
        "S3",
        "U2",
        "V11",
    ]
    for dtype in [*map(np.dtype, numbers), STRUCTURE, np.dtype(">i4"), np.dtype(">f8")]:
        for row_shape in [(), (3,), (2, 2), (0,)]:
            items = _some(dtype, 50 + 7 * world.rank, row_shape, random)
            to = random.integers(0, world.size, len(items))
            assert all_are(world, _exchange_is_right(world, items, to)), (dtype, row_shape)


def check_sizes_of_a_row(world):
    random = random_of(world)
    for size in [1, 2, 3, 4, 5, 8, 12, 16, 24, 31, 32, 64, 100, 4096, 65536, 65537, 200_000]:
        items = random.integers(0, 255, (20, size)).astype(np.uint8)
        assert _exchange_is_right(world, items, random.integers(0, world.size, 20)), size


def check_integers_that_say_where_to(world):
    for kind in ["i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", ">i4", ">u8"]:
        to = random_of(world).integers(0, world.size, 100).astype(kind)
        assert _exchange_is_right(world, np.arange(100.0), to), kind


def check_arrays_that_lie_awkwardly(world):
    to = random_of(world).integers(0, world.size, 60)
    wide = np.arange(600.0).reshape(60, 10)
    unaligned = np.zeros(60 * 8 + 1, np.uint8)[1:].view(np.float64)
    unaligned[:] = np.arange(60)
    fixed = np.arange(60)
    fixed.flags.writeable = False
    for items in [
        wide[:, ::3],
        wide[::-1],
        np.asfortranarray(wide),
        wide.T[:60][:, :4].T.T[:60],
        unaligned,
        fixed,
    ]:
        where = to[: len(items)]
        assert _exchange_is_right(world, items, where[::1])
        assert _exchange_is_right(world, items, np.repeat(where, 2)[::2])


def check_other_kinds_of_arrays(world):
    class Tensor:  # of a library that NumPy does not know
        def __init__(self, data):
            self._data = data

        def __dlpack__(self, **how):
            return self._data.__dlpack__(**how)

        def __dlpack_device__(self):
            return self._data.__dlpack_device__()

    numbers = np.arange(40, dtype=np.int64)
    to = numbers % world.size
    expected = world.exchange(numbers, to).items
    for items in [
        numbers.tolist(),
        array.array("q", numbers),
        memoryview(numbers),
        Tensor(numbers),
    ]:
        assert same(world.exchange(items, to).items, expected), type(items)


def check_columns_of_data_frames(world):
    import pandas as pd
    import polars as pl
    import pyarrow as pa

    numbers = np.arange(40, dtype=np.float64) + world.rank
    numbers[3] = np.nan
    to = np.arange(40) % world.size
    names = np.array(["PE", "of", "världen", ""] * 10)
    libraries = {
        "pandas": pd.Series,
        "pandas on Arrow": lambda x: pd.Series(pa.array(x), dtype=pd.ArrowDtype(pa.array(x).type)),
        "polars": pl.Series,
        "Arrow": pa.array,
        "Arrow in chunks": lambda x: pa.chunked_array([pa.array(x[:15]), pa.array(x[15:])]),
    }
    for library, column in libraries.items():
        for items in [numbers, to, names]:
            expected = world.exchange(items, to).items
            assert same(world.exchange(column(items), column(to)).items, expected), library
    for missing in [pa.array([1, None]), pd.Series(["a", None]), pl.Series([None, 2])]:
        must_refuse(world, lambda: world.exchange(missing, [0, 0]), "1 missing")


def check_columns_of_categories(world):
    import pandas as pd
    import polars as pl
    import pyarrow as pa

    words = ["plum", "fig", "plum"]
    for column in (
        pd.Series(words, dtype="category"),
        pl.Series(words, dtype=pl.Categorical),
        pl.Series(words, dtype=pl.Enum(["fig", "plum"])),
        pa.array(words).dictionary_encode(),
    ):
        assert world.exchange(column, world.rank).items.tolist() == words
    numbers = pd.Series([2**60, 7], dtype="category")
    assert world.exchange(numbers, world.rank).items.tolist() == [2**60, 7]
    missing = pd.Series(["a", None], dtype="category")
    must_refuse(world, lambda: world.unique(missing), "1 missing values")


def check_columns_without_pyarrow(world):
    import pandas as pd
    import polars as pl

    installed = sys.modules.pop("pyarrow", None)
    sys.modules["pyarrow"] = None  # so that to import it is an error
    try:
        to = np.zeros(2, int)
        for column, expected in [
            (pd.Series(["Bern", "Oslo"]), np.array(["Bern", "Oslo"])),
            (pd.Series(["Bern", "Oslo"], dtype=object), np.array(["Bern", "Oslo"])),
            (pd.Series([1, 2], dtype="Int32"), np.array([1, 2], np.int32)),
            (pd.Series([True, False], dtype="boolean"), np.array([True, False])),
            (pl.Series(["Bern", "Oslo"]), np.array(["Bern", "Oslo"])),
            (pl.Series([1, 2], dtype=pl.UInt8), np.array([1, 2], np.uint8)),
            (pl.Series([1.5, 2.5]), np.array([1.5, 2.5])),
        ]:
            arrived = world.exchange(column, to).items
            assert same(arrived, np.tile(expected, world.size)[: len(arrived)]), column
        for missing in [pd.Series([1, None], dtype="Int64"), pl.Series([None, 2])]:
            must_refuse(world, lambda: world.exchange(missing, to), "1 missing")
        must_refuse(world, lambda: world.exchange(_ArrowAlone(), to), "install boxcar[arrow]")
    finally:
        del sys.modules["pyarrow"]
        if installed is not None:
            sys.modules["pyarrow"] = installed


class _ArrowAlone:
    """A column with no interface but Arrow's."""

    def __arrow_c_array__(self, requested_schema=None):
        raise AssertionError("nobody can take it")


def check_where_to_by_one_number_and_by_counts(world):
    items = np.arange(10) + 100 * world.rank
    received = world.exchange(items, world.size - 1)
    if world.rank == world.size - 1:
        assert same(received.items, of_all(world, items))
    else:
        assert len(received.items) == 0 and len(of_all(world, items)) == 10 * world.size

    counts = np.arange(world.size) + world.rank
    items = np.arange(counts.sum()) * 1000 + world.rank
    grouped = world.exchange(items, counts=counts)
    singly = world.exchange(items, np.repeat(np.arange(world.size), counts))
    assert same(grouped.items, singly.items) and same(grouped.counts, singly.counts)

    if world.size > 1:  # the sum of these is 0 in 64 bits
        huge = np.zeros(world.size, np.uint64)
        huge[:2] = 2**63
        must_refuse(world, lambda: world.exchange([], counts=huge), f"counts add up to {2**64}")


def check_some_send_nothing(world):
    nothing = np.empty(0, np.int32)
    assert _exchange_is_right(world, nothing, nothing)
    n = 1000 if world.rank == 0 else 0
    assert _exchange_is_right(world, np.arange(n), np.arange(n) % world.size)
    assert _exchange_is_right(world, np.arange(500), np.full(500, world.rank))


@everywhere
def check_many_items(world):
    random = random_of(world)
    n = 300_000
    assert _exchange_is_right(
        world, random.integers(0, 1 << 60, n), random.integers(0, world.size, n)
    )


@everywhere
def check_answers(world):
    random = random_of(world)
    questions = random.integers(0, 1000, 3000)
    to = random.integers(0, world.size, 3000)
    answers = world.ask(questions, to, lambda asked: asked * 10 + world.rank)
    assert same(answers, questions * 10 + to)

    rows = world.ask(questions, to, lambda asked: np.stack([asked, asked + 1], axis=1))
    assert same(rows, np.stack([questions, questions + 1], axis=1))

    counts = np.full(world.size, 5)
    mine = np.arange(5 * world.size)
    assert same(world.ask(mine, answer=lambda asked: -asked, counts=counts), -mine)


def check_answers_that_fail(world):
    last = world.size - 1

    for kind in [KeyError, ValueError]:

        def answer(asked):
            if world.rank == last:
                raise kind("not here")
            return asked

        try:
            world.ask([1, 2], [0, last], answer)
        except boxcar.ArgumentError as error:
            assert world.rank != last and kind.__name__ + ": " in str(error)
        except kind:
            assert world.rank == last
        else:
            raise AssertionError("nothing was raised")
    must_refuse(
        world,
        lambda: world.ask([1], [0], lambda asked: asked[:0] if len(asked) else [1]),
        "answers",
    )
    must_refuse(world, lambda: world.ask([1], [0], None), "function")


@everywhere
def check_streams(world):
    def chunks(count):
        for number in range(count):
            items = np.arange(number, number + 100)
            yield items, items % world.size

    for count in [0, 3, world.rank]:
        received = [each.items for each in world.stream(chunks(count))]
        arrived = world.reduce(int(sum(map(len, received))))
        assert arrived == 100 * world.reduce(count)
        assert len(received) == world.reduce(count, "max")
        assert all((items % world.size == world.rank).all() for items in received)

    def failing():
        yield np.arange(3), [0, 0, 0]
        raise KeyError("the file is over")

    try:
        for _ in world.stream(failing() if world.rank == 0 else chunks(5)):
            pass
    except KeyError:
        assert world.rank == 0
    except boxcar.ArgumentError as error:
        assert world.rank != 0 and "the file is over" in str(error)
    else:
        raise AssertionError("nothing was raised")


def check_what_cannot_be_sent(world):
    last = world.size - 1
    to = np.zeros(10, np.int64)
    wrong = to.copy()
    wrong[7] = world.size
    mine = wrong if world.rank == last else to
    must_refuse(
        world,
        lambda: world.exchange(np.arange(10), mine),
        f"to[7] is {world.size}",
        f"{world.size} PEs",
    )
    wrong[3] = -1
    mine = wrong if world.rank == last else to
    must_refuse(world, lambda: world.exchange(np.arange(10), mine), "to[3] is -1")
    must_refuse(
        world, lambda: world.exchange(np.arange(10), world.size), f"to is {world.size}, but"
    )
    must_refuse(world, lambda: world.exchange(np.arange(10), to[:9]), "shape (9,)", "10 items")
    must_refuse(world, lambda: world.exchange(np.arange(10), to + 0.5), "float64")
    must_refuse(world, lambda: world.exchange(np.arange(10)), "either to")
    must_refuse(world, lambda: world.exchange(np.arange(10), to, counts=[1]), "either to")
    must_refuse(world, lambda: world.exchange([object()], [0]), "of type object")
    must_refuse(world, lambda: world.exchange(np.array(5), 0), "single value")
    must_refuse(
        world, lambda: world.exchange([[1], [1, 2]], [0, 0]), "items cannot be made an array"
    )
    counts = np.zeros(world.size, np.int64)
    must_refuse(
        world, lambda: world.exchange(np.arange(3), counts=counts), "add up to 0", "3 items"
    )
    counts[0] = -1
    must_refuse(world, lambda: world.exchange(np.arange(3), counts=counts), "counts[0] is -1")
    must_refuse(
        world,
        lambda: world.exchange(np.arange(3), counts=np.zeros(world.size + 1, int)),
        f"{world.size} PEs",
    )


def check_pes_that_differ(world):
    if world.size == 1:
        return
    kind = np.float32 if world.rank == 0 else np.float64
    must_refuse(
        world,
        lambda: world.exchange(np.zeros(3, kind), [0, 0, 0]),
        "disagree on the dtype",
        "PE 0 gives float32",
        "PE 1 gives float64",
    )
    shape = (3, 2) if world.rank == 0 else (3, 4)
    must_refuse(
        world, lambda: world.exchange(np.zeros(shape), [0, 0, 0]), "shape of a row", "(2,)", "(4,)"
    )
    how = np.str_("left") if world.rank == 0 else "left"  # which is the same text
    assert world.reduce(len(world.join([1], [2], [1], [3], how)[0])) == world.size**2
    keys = [1] if world.rank == 0 else ([1],)
    must_refuse(world, lambda: world.unique(keys), "number of columns", "gives None", "gives 1")
    call = world.sort if world.rank == 0 else world.unique
    must_refuse(
        world, lambda: call(np.arange(3)), "different functions", "PE 0 sort", "PE 1 unique"
    )


def check_memory_does_not_grow(world):
    def resident():
        with open("/proc/self/statm") as file:
            return int(file.read().split()[1]) * 4096

    items, to = np.arange(1000), np.arange(1000) % world.size
    table = np.zeros(100)

    def some_rounds(rounds):
        for _ in range(rounds):
            world.exchange(items, to)
            world.gather(table, to)
            world.unique(items)

    some_rounds(100)
    before = resident()
    some_rounds(300)
    assert resident() - before < 4 << 20
