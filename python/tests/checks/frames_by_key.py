"""frame.group_by and frame.join: against the libraries on one process."""

from __future__ import annotations

import functools

import numpy as np
import pandas as pd
import polars as pl
from boxcar import frame

from .frame_support import (
    LIBRARIES,
    columns_of,
    concatenated,
    flat,
    must_be_rows,
    part_of_all_types,
    some,
    table_of,
    types_of,
)
from .support import error_of, must_refuse

HOWS = ["inner", "left", "right", "outer"]
KEYS = (["text"], ["category"], ["optional", "zoned"], ["float"])


def _spread(numbers):
    return numbers.max() - numbers.min()


def check_group_by_of_pandas(world):
    part = part_of_all_types(world, "pandas")
    everything = concatenated(world, part)
    dictionary = {"row": ["median", "nunique"], "float": "sum", "time": "max"}
    named = {"spread": ("row", _spread), "words": ("object", "count"), "last": ("pe", "last")}
    all_options = ({}, {"dropna": False}, {"as_index": False})
    for by, options in some(world, [(by, options) for by in KEYS for options in all_options]):
        groups = everything.groupby(by, observed=True, **options)
        got = frame.group_by(world, part, by, dictionary, **options)
        assert list(got.columns) == list(groups.agg(dictionary).columns)
        must_be_rows(world, flat(got), flat(groups.agg(dictionary)))
        got = frame.group_by(world, part, by, named, **options)
        must_be_rows(world, flat(got), flat(groups.agg(**named)))
    counts = frame.group_by(world, part, "integer", "size")
    assert world.reduce(int(counts.sum())) == len(everything)
    numbers = part[["integer", "row"]]
    want = concatenated(world, numbers).groupby("integer").agg("mean")
    must_be_rows(world, flat(frame.group_by(world, numbers, "integer", "mean")), flat(want))


def check_group_by_of_polars(world):
    part = part_of_all_types(world, "polars")
    everything = concatenated(world, part)
    expressions = [
        pl.col("row").median(),
        pl.col("text").n_unique().alias("words"),
        (pl.col("pe") * pl.col("row")).sum().alias("product"),
        pl.len(),
        pl.col("optional").filter(pl.col("bool")).max().alias("filtered"),
    ]
    for by in KEYS:
        must_be_rows(
            world,
            frame.group_by(world, part, by, expressions),
            everything.group_by(by).agg(expressions),
        )
    for aggregations in (pl.all().first(), [pl.col(pl.Int64).sum()]):
        got = frame.group_by(world, part, "integer", aggregations)
        must_be_rows(world, got, everything.group_by("integer").agg(aggregations))
    got = frame.group_by(world, part, "integer", {"most": pl.col("float").max()})
    must_be_rows(world, got, everything.group_by("integer").agg(most=pl.col("float").max()))


def check_group_by_of_arrow(world):
    part = part_of_all_types(world, "pyarrow")
    everything = concatenated(world, part).unify_dictionaries().combine_chunks()
    functions = [("row", "sum"), ("text", "count_distinct"), ("float", "mean"), ([], "count_all")]
    for by in KEYS:
        must_be_rows(
            world,
            frame.group_by(world, part, by, functions),
            everything.group_by(by).aggregate(functions),
        )


def _joined(left, right, on, how):
    if isinstance(left, pd.DataFrame):
        return left.merge(right, on=on, how=how)
    if isinstance(left, pl.DataFrame):
        if how == "outer":
            return left.join(right, on=on, how="full", coalesce=True)
        return left.join(right, on=on, how=how)
    kind = how if how == "inner" else f"{how.replace('outer', 'full')} outer"
    return left.join(right, on, join_type=kind)


def check_join(world):
    keys = (["text"], ["category"], ["optional", "time"], ["integer", "maybe"], ["zoned"])
    for library in LIBRARIES:
        left, right = (part_of_all_types(world, library, seed) for seed in (1, 2))
        for on in keys:
            mine = _renamed(left, on, "row")
            other = _renamed(right, on, "pe")
            whole = [concatenated(world, each) for each in (mine, other)]
            if library == "pyarrow":  # which joins dictionaries only if each column has one
                whole = [each.unify_dictionaries().combine_chunks() for each in whole]
            for how in some(world, HOWS[keys.index(on) :] + HOWS[: keys.index(on)]):
                got = frame.join(world, mine, other, on, how)
                want = _joined(whole[0], whole[1], on, how)
                must_be_rows(world, got, want)


def _renamed(table, keys, value):
    """The keys and one more column."""
    names = [*keys, value]
    return table.select(names) if not isinstance(table, pd.DataFrame) else table[names]


def check_join_of_different_types(world):
    words = ["a", "b", None, "c"]
    text = pd.DataFrame({"key": pd.Series(words, dtype="str"), "x": range(4)})
    category = pd.DataFrame({"key": pd.Categorical(words), "y": range(4)})
    objects = pd.DataFrame({"key": pd.Series(words, dtype="object"), "y": range(4)})
    for other in (category, objects):
        for left, right in ((text, other), (other, text)):
            got = frame.join(world, left, right, "key")
            assert world.reduce(len(got)) == 4 * world.size**2
    numbers = np.arange(50)
    for kinds in (("int64", "float64"), ("Int32", "int64"), ("uint8", "float32")):
        left, right = (pd.DataFrame({"key": numbers.astype("int64")}).astype(k) for k in kinds)
        got = frame.join(world, left, right, "key")
        assert world.reduce(len(got)) == 50 * world.size**2, kinds
    mixed = pd.DataFrame({"key": pd.Series([*range(50)], dtype="object")})
    got = frame.join(world, mixed, pd.DataFrame({"key": mixed["key"].map(float)}), "key")
    assert world.reduce(len(got)) == 50 * world.size**2


def check_arguments_that_differ(world):
    last = world.rank == world.size - 1 and world.size > 1
    part = pd.DataFrame({"key": [7], "x": [1]})

    def differ(call, *words):
        if world.size > 1:
            must_refuse(world, call, "disagree", *words)
        else:
            call()

    def spread(numbers):
        return numbers.max() - numbers.min()

    for one, other in (("sum", "max"), ({"x": "sum"}, {"x": ["sum"]}), (spread, _spread)):
        what = other if last else one
        differ(lambda what=what: frame.group_by(world, part, "key", what), "aggregations")
    differ(lambda: frame.group_by(world, part, "key", "sum", dropna=last), "options", "dropna")
    differ(lambda: frame.join(world, part, part, "key", suffixes=("", "_" if last else "-")), "_")
    table = table_of("polars", {"key": [1], "x": [1]})
    what = pl.col("x").max() if last else pl.col("x").min()
    differ(lambda: frame.group_by(world, table, "key", what), "max")
    table = table_of("pyarrow", {"key": [1], "x": [1]})
    what = [("x", "max" if last else "min")]
    differ(lambda: frame.group_by(world, table, "key", what), "max")
    # Functions without a name, and what is the same by another type.
    for what in (lambda x: x.max(), functools.partial(_spread), np.max, {"x": np.str_("max")}):
        frame.group_by(world, part, "key", what)


def check_errors_of_functions(world):
    def fails(numbers):
        raise KeyError("no such number")

    part = pd.DataFrame({"key": [7], "x": [1]})
    try:
        frame.group_by(world, part, "key", {"x": fails})
        failed = False
    except KeyError as problem:
        failed = "no such number" in str(problem)
    except Exception as problem:
        failed = "frame.group_by" in str(problem) and "no such number" in str(problem)
    assert failed
    must_refuse(
        world, lambda: frame.group_by(world, part, "key", "sum", observed=False), "observed"
    )
    table = table_of("polars", {"key": [1], "x": [1]})
    must_refuse(world, lambda: frame.group_by(world, table, "key", ["x"]), "expressions")
    table = table_of("pyarrow", {"key": [1], "x": [1]})
    must_refuse(world, lambda: frame.group_by(world, table, "key", ["x"]), "pairs")
    assert "nothing" in error_of(lambda: frame.group_by(world, part, "key", {"nothing": "sum"}))
    assert types_of(frame.shuffle(world, part, "key")) == types_of(part)
    assert columns_of(part) == ["key", "x"]
