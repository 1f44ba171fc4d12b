"""gather, scatter, table_indices."""

from __future__ import annotations

import numpy as np

from .support import must_refuse, of_all, random_of, same

SPREADS = ("blocks", "cyclic", "hash")


def _table(world, length, spread, dtype=np.int64, row_shape=()):
    """A table whose elements are their indices; and the content on all PEs."""
    mine = world.table_indices(length, spread=spread)
    columns = np.arange(int(np.prod(row_shape, dtype=int))).reshape(row_shape)
    return (mine.reshape(-1, *[1] * len(row_shape)) + columns).astype(dtype)


def check_every_index_is_on_one_pe(world):
    for length in [0, 1, world.size, 1000, 4097]:
        for spread in SPREADS:
            all_indices = of_all(world, world.table_indices(length, spread=spread))
            assert same(np.sort(all_indices), np.arange(length)), (length, spread)
    must_refuse(world, lambda: world.table_indices(-1), "-1")
    must_refuse(world, lambda: world.table_indices(5, spread="round"), "round")


def check_gather(world):
    random = random_of(world)
    for spread in SPREADS:
        for dtype in ["u1", "i2", "f4", "i8", "c16", "S7", ">i8"]:
            for row_shape in [(), (3,)] if dtype[0] != "S" else [()]:
                length = 5000
                table = _table(world, length, spread, dtype, row_shape)
                where = random.integers(0, length, 2000 + world.rank)
                columns = np.arange(int(np.prod(row_shape, dtype=int))).reshape(row_shape)
                want = (where.reshape(-1, *[1] * len(row_shape)) + columns).astype(dtype)
                assert same(world.gather(table, where, spread=spread), want), (
                    spread,
                    dtype,
                    row_shape,
                )


def check_gather_of_many(world):
    """Gathers more elements than one request asks for, on one PE only."""
    n = 700_000 if world.rank == 0 else 10
    table = _table(world, 100_000, "blocks")
    where = random_of(world).integers(0, 100_000, n)
    assert same(world.gather(table, where), where)


def check_shapes_and_dtypes_of_indices(world):
    table = _table(world, 120, "blocks")
    for kind in ["i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", ">i4"]:
        where = random_of(world).integers(0, 120, (4, 5)).astype(kind)
        assert same(world.gather(table, where), where.astype(np.int64))
    assert same(world.gather(table, []), np.empty(0, np.int64))
    assert same(world.gather(table, [[3]]), np.array([[3]]))


def check_blocks_of_any_length(world):
    length = world.rank * 10 if world.rank % 2 else 0
    first = world.exclusive_scan(length)
    total = world.reduce(length)
    table = np.arange(first, first + length)
    where = np.arange(total)
    assert same(world.gather(table, where), where)
    if world.size > 1:
        last = np.arange(500) if world.rank == world.size - 1 else np.arange(2)
        where = np.arange(2 * (world.size - 1) + 500)
        want = np.concatenate([np.arange(2)] * (world.size - 1) + [np.arange(500)])
        assert same(world.gather(last, where), want)


def check_rows_of_a_megabyte(world):
    table = np.full((2, 1 << 17), world.rank, np.int64)
    where = np.arange(2 * world.size)[::-1]
    result = world.gather(table, where)
    assert (result == (where // 2)[:, None]).all()
    world.scatter_add(table, [0], np.ones((1, 1 << 17), np.int64))
    assert (table[0] == world.rank + (world.size if world.rank == 0 else 0)).all()


def _expected(kind, how, length, where, values):
    start = np.ones(length, kind) if how != "sum" else np.zeros(length, kind)
    ufunc = {
        "sum": np.add,
        "min": np.minimum,
        "max": np.maximum,
        "or": np.bitwise_or,
        "and": np.bitwise_and,
        "xor": np.bitwise_xor,
    }[how]
    ufunc.at(start, where, values)
    return start


def check_updates(world):
    random = random_of(world)
    length = 777
    for kind in ["b1", "i1", "u2", "i4", "u4", "i8", "u8", "f4", "f8", "c8", "c16"]:
        for how in ["sum", "min", "max", "or", "and", "xor"]:
            if (kind[0] == "f" and how in ("or", "and", "xor")) or (
                kind[0] == "c" and how != "sum"
            ):
                continue
            for spread in SPREADS:
                mine = world.table_indices(length, spread=spread)
                start = 0 if how == "sum" else 1
                table = np.full(len(mine), start, kind)
                where = random.integers(0, length, 1500)
                values = random.integers(0, 100, 1500).astype(kind)
                world.scatter(table, where, values, how, spread=spread)
                want = _expected(kind, how, length, of_all(world, where), of_all(world, values))
                assert same(table, want[mine]), (kind, how, spread)


def check_updates_of_rows(world):
    table = np.zeros((10, 3))
    where = np.arange(10 * world.size)
    world.scatter_add(table, where, [1.0, 2.0, 3.0])
    assert (table == np.array([1.0, 2.0, 3.0]) * world.size).all()
    names = np.zeros(2, "S20")
    wanted = np.array([b"PE %d" % pe for pe in range(world.size)])
    mine = np.arange(world.size * 2)[world.rank * 2 :][:2]
    world.scatter(names, mine, wanted[world.rank], "put")
    assert (names == wanted[world.rank]).all()


def check_what_is_not_a_number_stays(world):
    table = np.full(2, 5.0)
    world.scatter(table, [0], [np.nan if world.rank == 0 else 1.0], "min")
    world.scatter(table, [1], [np.nan if world.rank == world.size - 1 else 9.0], "max")
    if world.rank == 0:
        assert np.isnan(table).all()


def check_integers_wrap_around(world):
    table = np.full(1, 127, np.int8) if world.rank == 0 else np.zeros(1, np.int8)
    world.scatter_add(table, [0], np.int8(1) if world.rank == 0 else np.int8(0))
    if world.rank == 0:
        assert table[0] == -128


def check_what_cannot_be_done(world):
    last = world.rank == world.size - 1
    table = np.zeros(10)
    n = 10 * world.size
    wrong = [0, n] if last else [0, 1]
    must_refuse(world, lambda: world.gather(table, wrong), f"indices[1] is {n}", f"{n} rows")
    must_refuse(world, lambda: world.gather(table, [[0], [-2]]), "indices[1, 0] is -2")
    must_refuse(world, lambda: world.gather(table, [0.5]), "float64")
    must_refuse(world, lambda: world.gather(table, [0], spread="square"), "square")
    must_refuse(world, lambda: world.scatter(table, [0], [1], "or"), "or")
    must_refuse(world, lambda: world.scatter(table, [0], [1], "mean"), "mean")
    must_refuse(world, lambda: world.scatter(table, [0], [1j]), "complex128")
    must_refuse(world, lambda: world.scatter(table, [0], [1, 2]), "scatter_add")
    must_refuse(world, lambda: world.scatter(table[::2], [0], [1]), "not contiguous")
    must_refuse(world, lambda: world.scatter([1, 2], [0], [1]), "NumPy array")
    must_refuse(world, lambda: world.scatter(np.zeros(3, "S4"), [0], [b"x"]), "put")
    if world.size > 1:
        part = np.zeros(10 if world.rank else 3)
        must_refuse(world, lambda: world.gather(part, [0], spread="cyclic"), "cyclic", "it has")
    assert (table == 0).all()
