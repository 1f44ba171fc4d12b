"""frame.group_by of pieces, with a bound for memory: against the libraries on one process."""

from __future__ import annotations

import contextlib
import os
import tempfile
from unittest import mock

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
from boxcar import frame, frame_spilling

from .frame_support import (
    LIBRARIES,
    concatenated,
    flat,
    must_be_rows,
    part_of_all_types,
    some,
    table_of,
)
from .support import error_of, folder_of, must_refuse, random_of

# Keys, and bounds with which nothing, all rows, and rows of the same partition go to files.
CASES = [
    (["text"], "5 kB"),
    (["category", "integer"], 20_000),
    (["maybe", "zoned"], 5_000),
    (["text"], None),
    (["maybe", "zoned"], "1 GiB"),
]

STATES = {
    "pandas": {
        "row": ["sum", "mean", "max", "size"],
        "float": ["mean", "count"],
        "optional": ["sum", "prod"],
        "time": "min",
        "bool": ["any", "all", "sum"],
        "duration": "sum",
    },
    "polars": [
        pl.col("row").sum().alias("total"),
        pl.col("float").mean().alias("mean"),
        pl.len(),
        pl.col("text").max().alias("word"),
        pl.col("time").min().alias("early"),
        pl.col("bool").any(),
        pl.col("optional").count(),
    ],
    "pyarrow": [
        ("row", "sum"),
        ("row", "mean"),
        ("integer", "min"),
        ("float", "mean"),
        ([], "count_all"),
        ("text", "count"),
        ("bool", "any"),
        ("decimal", "sum"),
    ],
}
ROWS = {
    "pandas": {"row": ["median", "nunique"], "object": "last", "bool": "sum"},
    "polars": [
        pl.col("row").median(),
        pl.col("text").last().alias("word"),
        pl.col("pe").n_unique(),
    ],
    "pyarrow": [("row", "count_distinct"), ("float", "sum")],
}


@contextlib.contextmanager
def few_partitions():
    """Few partitions, so that few rows make several levels of them."""
    with mock.patch.object(frame_spilling, "NUM_PARTITIONS", 3):
        yield


def _pieces(world, library):
    """Pieces of this PE; PE 1 has none, and others have different numbers of pieces."""
    count = 0 if world.rank == 1 else 2 + world.rank
    return [part_of_all_types(world, library, seed) for seed in range(count)]


def _expected(library, everything, by, aggregations):
    if library == "pandas":
        return everything.groupby(by, observed=True).agg(aggregations)
    if library == "polars":
        return everything.group_by(by).agg(aggregations)
    return everything.unify_dictionaries().combine_chunks().group_by(by).aggregate(aggregations)


def _everything(world, library, pieces):
    empty = part_of_all_types(world, library)[:0]
    parts = [each for of_pe in world.all_gather([empty, *pieces]) for each in of_pe]
    parts = [each for each in parts if len(each) != 0]
    if library == "pandas":
        return pd.concat(parts, ignore_index=True)
    return pl.concat(parts) if library == "polars" else pa.concat_tables(parts)


def check_group_by_of_pieces(world):
    # Jobs with 1 to 5 PEs have different cases.
    cases = [(library, case) for case in CASES for library in LIBRARIES]
    with few_partitions():
        for library, (by, bound) in cases[world.size % 5 :: 5]:
            pieces = _pieces(world, library)
            everything = _everything(world, library, pieces)
            for what in (STATES[library], ROWS[library]):
                got = frame.group_by(world, iter(pieces), by, what, memory=bound)
                want = _expected(library, everything, by, what)
                must_be_rows(world, flat(got), flat(want))


def check_group_by_of_pieces_with_options(world):
    pieces = _pieces(world, "pandas")
    everything = _everything(world, "pandas", pieces)
    options = (
        {"dropna": False},
        {"as_index": False},
        {"as_index": False, "dropna": False, "sort": False},
    )
    named = {"words": ("object", "count"), "most": ("pe", "max")}
    with few_partitions():
        for each in some(world, list(options)):
            groups = everything.groupby(["text", "maybe"], observed=True, **each)
            got = frame.group_by(world, pieces, ["text", "maybe"], named, memory=5_000, **each)
            must_be_rows(world, flat(got), flat(groups.agg(**named)))
        got = frame.group_by(world, pieces, "integer", "size", memory=5_000)
        assert isinstance(got, pd.Series) and got.index.is_monotonic_increasing
        assert world.reduce(int(got.sum())) == len(everything)
        numbers = [each[["integer", "row"]] for each in pieces]
        got = frame.group_by(world, numbers, "integer", "mean", memory=5_000)
        must_be_rows(world, flat(got), flat(everything.groupby("integer")[["row"]].mean()))


def check_group_by_in_parts(world):
    keys = 500 * world.size
    random = random_of(world)
    pieces = [
        table_of("polars", {"key": random.integers(0, keys, 400), "x": random.integers(0, 9, 400)})
        for _ in range(3)
    ]
    everything = concatenated(world, pl.concat(pieces))
    with few_partitions():
        for what in ([pl.col("x").sum()], [pl.col("x").median()]):
            parts = list(frame.group_by(world, pieces, "key", what, memory="4 kB", whole=False))
            assert len(parts) > 3 and max(map(len, parts)) < 300
            assert frame.group_by(world, pieces, "key", what, whole=False) is not None
            must_be_rows(world, pl.concat(parts), everything.group_by("key").agg(what))


def check_one_large_group(world):
    piece = table_of("pandas", {"key": [7] * 300, "x": np.arange(300)})
    with few_partitions():
        got = frame.group_by(world, [piece] * 3, "key", {"x": "median"}, memory=2_000)
    assert [[149.5]] in world.all_gather(got.to_numpy().tolist())


def check_pieces_of_different_types(world):
    # The second piece of each PE has other types.
    one = pd.DataFrame({"key": pd.Categorical(["a", "b"]), "x": [1, 2], "y": ["u", None]})
    two = pd.DataFrame({"key": pd.Categorical(["c", "a"]), "x": [0.5, np.nan], "y": [None, "v"]})
    want = concatenated(world, pd.concat([one, two], ignore_index=True))
    text = want.assign(key=want["key"].astype("str"))
    for what in ({"x": ["sum", "mean"], "y": "count"}, {"x": "median", "y": "nunique"}):
        for bound in some(world, [None, 100, 100]):
            got = frame.group_by(world, [one, two], "key", what, memory=bound)
            assert set(got.index.categories) == {"a", "b", "c"}
            got.index = got.index.astype("str")
            must_be_rows(world, flat(got), flat(text.groupby("key").agg(what)))
    pieces = [pa.table({"k": [1], "x": [1]}), pa.table({"k": [1.0], "x": [2.5]})]
    got = frame.group_by(world, pieces, "k", [("x", "sum")], memory=1)
    assert [3.5 * world.size] in world.all_gather(got["x_sum"].to_pylist())
    pieces = [pa.table({"k": [1], "x": [1]}), pa.table({"k": [1], "x": ["a"]})]
    must_refuse(world, lambda: frame.group_by(world, pieces, "k", [("x", "sum")]), "x")


def check_sums_of_small_integers(world):
    """The sums of pieces fit into the type of the values, and those of all pieces do not."""
    values = {
        "int8": 100,
        "uint8": 200,
        "int32": 2**30,
        "uint32": 2**31,
        "Int16": 2**14,
        "UInt8": 200,
        "int8[pyarrow]": 100,
        "uint32[pyarrow]": 2**31,
    }
    piece = pd.DataFrame({"key": [1, 2]})
    for dtype, value in values.items():
        piece[dtype] = pd.Series([value, 0], dtype=dtype)
    aggregations = {dtype: ["sum", "prod", "max"] for dtype in values}
    want = pd.concat([piece] * 4 * world.size).groupby("key").agg(aggregations)
    for memory in (None, 1):
        groups = frame.group_by(world, [piece] * 4, "key", aggregations, memory=memory)
        must_be_rows(world, flat(groups), flat(want))
    narrow = frame.group_by(world, [piece[1:]], "key", aggregations)
    want = pd.concat([piece[1:]] * world.size).groupby("key").agg(aggregations)
    must_be_rows(world, flat(narrow), flat(want))


def check_pieces_without_rows(world):
    for library in LIBRARIES:
        pieces = [part_of_all_types(world, library)[:0]]
        for what in (STATES[library], ROWS[library]):
            for mine in (pieces, pieces * (world.rank == world.size - 1)):
                got = frame.group_by(world, mine, "text", what, memory="1 MB")
                want = _expected(library, pieces[0], ["text"], what)
                must_be_rows(world, flat(got), flat(want))
    must_refuse(world, lambda: frame.group_by(world, [], "text", "sum"), "no pieces")


def _fails_at_second_piece(world, piece):
    yield piece
    if world.rank == world.size - 1:
        raise KeyError("no such piece")
    yield piece


_temporary_file = tempfile.TemporaryFile


class _FullDisk:
    """A temporary file to which nothing can be written."""

    def __init__(self, **_):
        pass

    def seek(self, _):
        pass

    def write(self, _):
        raise OSError(28, "No space left on device")

    def close(self):
        pass


def check_group_by_of_pieces_that_cannot_be(world):
    last = world.rank == world.size - 1
    piece = pd.DataFrame({"key": [*range(50)], "x": [*range(50)]})

    def group(pieces=(piece,), what="sum", **options):
        return lambda: frame.group_by(world, pieces, "key", what, **options)

    try:
        group(_fails_at_second_piece(world, piece), memory="1 MB")()
        problem = ""
    except Exception as error:
        problem = f"{type(error).__name__}: {error}"
    assert problem.startswith("KeyError" if last else "ArgumentError"), problem
    assert "no such piece" in problem
    must_refuse(world, group(memory="much" if last else 1000), "memory is 'much'", "GiB")
    must_refuse(world, group(memory=0), "memory is 0")
    must_refuse(world, group(folder="/tmp"), "memory is None")
    must_refuse(world, group(memory=1, folder="/dev/null/x" if last else None), "/dev/null/x")
    must_refuse(world, group(7 if last else [piece]), "table is a int")
    must_refuse(world, group([piece, 7]), "a piece of table")
    must_refuse(world, group([piece, piece.assign(y=1)]), "'y'")
    if world.size > 1:
        must_refuse(world, group(whole=not last), "whole")
    assert "'z'" in error_of(group(what={"z": "sum"}))
    full = mock.patch.object(tempfile, "TemporaryFile", _FullDisk if last else _temporary_file)
    with few_partitions(), folder_of(world) as folder:
        for what in ("sum", "median"):
            with full:
                must_refuse(world, group((piece,), what, memory=900), "No space", "another folder")
        group([piece], memory=900, folder=folder)()
        iterator = group([piece], memory=900, folder=folder, whole=False)()
        assert os.listdir(folder) == []
        iterator.close()
