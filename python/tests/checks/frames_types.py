"""Frames: parts whose columns have different types, wrong arguments, and random tables."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
from boxcar import frame
from hypothesis import given, settings
from hypothesis import strategies as st

from .frame_support import (
    LIBRARIES,
    column_of,
    concatenated,
    must_be_rows,
    part_of_all_types,
    rows_of,
    table_of,
    types_of,
)
from .random import FEWER
from .support import all_are, must_refuse


def check_categories_in_different_orders(world):
    words = np.array(["a", "b", "c"])
    part = pd.DataFrame({"key": pd.Categorical(words, np.roll(words, world.rank)), "word": words})
    mine = frame.shuffle(world, part, "key")
    assert mine["key"].astype("str").tolist() == mine["word"].tolist()
    assert world.reduce(len(mine)) == 3 * world.size


def check_parts_with_missing_values_only(world):
    """PE 0 has values, the other PEs only missing values, of a type of their own."""
    is_first = world.rank == 0
    large = 2**53 + 1
    numbers = pd.DataFrame({"v": pd.Categorical([large, 1] if is_first else [None, None])})
    moved = frame.exchange(world, numbers, np.zeros(2, int))
    if is_first:
        assert moved["v"].cat.categories.dtype == np.int64
        assert moved["v"].tolist()[:2] == [large, 1]
    encoded, views = _encoded(["x", "y"]), pa.array(["x", "y"], pa.string_view())
    for values in (encoded, views):
        part = pa.table({"v": values if is_first else pa.nulls(2)})
        assert frame.exchange(world, part, np.zeros(2, int)).schema.field("v").type == values.type


def check_categories_of_several_types(world):
    truths_and_numbers = [[True, False], [1, 5]][min(world.rank, 1)]
    part = pd.DataFrame({"v": pd.Categorical(truths_and_numbers)})
    moved = frame.exchange(world, part, np.zeros(2, int))
    assert world.rank != 0 or moved["v"].tolist()[:2] == [True, False]
    if world.size > 1:
        missing = pd.DataFrame({"v": pd.Categorical([1, None])})
        number = pd.DataFrame({"v": [5, 6]})
        part = missing if world.rank == 0 else number
        must_refuse(
            world,
            lambda: frame.exchange(world, part, np.zeros(2, int)),
            "column 'v' has type category on one PE",
        )


def check_keys_of_128_bits_and_nanoseconds(world):
    """Equal keys of different types have the same owner."""
    values = [-(2**63), -5, 0, 7, 2**63 - 1, 2**63, 2**64 - 1]
    large = [*values, 2**64, -(2**63) - 1, 2**127 - 1]
    part = pl.DataFrame({"k": pl.Series(large, dtype=pl.Int128)})
    owned = frame.shuffle(world, part, "k")["k"].to_list()
    assert sorted(x for each in world.all_gather(owned) for x in each) == sorted(large * world.size)
    assert len(set(owned)) * world.size == len(owned)
    for kind, some in ((pl.Int64, values[:5]), (pl.UInt64, values[2:])):
        part = pl.DataFrame({"k": pl.Series(some, dtype=kind)})
        same = frame.shuffle(world, part, "k")["k"].to_list()
        assert set(same) <= set(owned)
    times = pa.table({"k": pa.array([1, 2, 2500], pa.time64("ns"))})
    assert world.reduce(len(frame.shuffle(world, times, "k"))) == 3 * world.size
    spans = pa.table({"k": pa.array([(1, 2, 3)], pa.month_day_nano_interval())})
    must_refuse(world, lambda: frame.shuffle(world, spans, "k"), "column 'k' has type month_day")


def check_text_and_categories(world):
    """PE 0 has text, the other PEs categories."""
    words = ["x", None, "y", "z"] * 5
    is_text = world.rank == 0
    parts = {
        "pandas": pd.DataFrame({"key": pd.Series(words, dtype="str" if is_text else "category")}),
        "polars": pl.DataFrame(
            {"key": pl.Series(words, dtype=pl.String if is_text else pl.Categorical)}
        ),
        "pyarrow": pa.table({"key": pa.array(words) if is_text else _encoded(words)}),
    }
    for part in parts.values():
        shuffled = frame.shuffle(world, part, "key")
        keys = world.all_gather(set(column_of(shuffled, "key")))
        assert sum(map(len, keys)) == 4
        assert world.reduce(len(shuffled)) == 20 * world.size
        assert frame.sort(world, part, "key").shape[1] == 1
        text = ("<StringDtype(na_value=nan)>", "String", "string")
        assert types_of(shuffled)["key"] in text


def _encoded(words):
    return pa.array(words).dictionary_encode()


def check_owners_of_different_types(world):
    """Tables of one library with equal keys have equal owners, whatever the types."""
    words = ["a", "b", "c", None, "d", "e"] * 3
    numbers = [1, 2, 3, 4, 5, 6] * 3
    negative = [-each for each in numbers]
    groups = [
        [pd.DataFrame({"key": pd.Series(words, dtype=t)}) for t in ("str", "object", "category")],
        [pl.DataFrame({"key": pl.Series(words, dtype=t)}) for t in (pl.String, pl.Categorical)],
        [
            pa.table({"key": each})
            for each in (words, _encoded(words), pa.array(words, "large_string"))
        ],
        [pd.DataFrame({"key": negative}, dtype=t) for t in ("i1", "f4", "Int64", object)],
        [pl.DataFrame({"key": pl.Series(negative, dtype=t)}) for t in (pl.Int8, pl.Float32)],
        [pd.DataFrame({"key": numbers}, dtype=t) for t in ("i1", "f8", "Int64", object, "u8")],
        [pl.DataFrame({"key": pl.Series(numbers, dtype=t)}) for t in (pl.Int8, pl.Float32)],
        [pa.table({"key": pa.array(numbers, t)}) for t in (pa.int64(), pa.float32(), pa.uint8())],
    ]
    for tables in groups:
        owned = [set(column_of(frame.shuffle(world, each, "key"), "key")) for each in tables]
        assert all(each == owned[0] for each in owned), owned


def check_categories_are_united(world):
    mine = [f"of {world.rank}", "of all", None]
    part = pd.DataFrame({"key": pd.Categorical(mine)})
    shuffled = frame.shuffle(world, part, "key")
    dtypes = world.all_gather(shuffled["key"].dtype)
    assert all(each == dtypes[0] for each in dtypes)
    assert len(dtypes[0].categories) == world.size + 1
    table = pa.table({"key": _encoded(mine)})
    assert types_of(frame.shuffle(world, table, "key")) == types_of(table)
    ordered = pd.DataFrame({"key": pd.Categorical(mine, ordered=True)})
    if world.size > 1:
        must_refuse(world, lambda: frame.shuffle(world, ordered, "key"), "order", "'key'")


def check_part_without_rows_has_other_types(world):
    """The last PE has no rows, and columns of the type that their emptiness suggests."""
    if world.size == 1:
        return
    is_last = world.rank == world.size - 1
    full = {"key": [3, 1, 2], "text": ["a", None, "c"], "time": pd.to_datetime(["2026"] * 3)}
    for library in LIBRARIES:
        part = table_of(library, {name: [] for name in full} if is_last else full)
        want = table_of(library, full)
        for result in (
            frame.shuffle(world, part, "key"),
            frame.sort(world, part, "key"),
            frame.drop_duplicates(world, part, "text"),
            frame.exchange(world, part, np.full(len(part), world.size - 1)),
        ):
            assert types_of(result) == types_of(want), (library, types_of(result))


def check_numbers_that_differ(world):
    numbers = [1, None] if world.rank == 0 else [2, 3]
    for library in LIBRARIES:
        part = table_of(library, {"key": numbers})
        got = frame.sort(world, part, "key")
        keys = [each for of_pe in world.all_gather(column_of(got, "key")) for each in of_pe]
        assert keys == [1, *[2] * (world.size - 1), *[3] * (world.size - 1), None]
        assert len({str(each) for each in world.all_gather(types_of(got))}) == 1


def check_what_cannot_be_done(world):
    last = world.rank == world.size - 1
    for library in LIBRARIES:
        part = part_of_all_types(world, library)
        small = table_of(library, {"a": [1, 2], "b": [3, 4]})
        must_refuse(world, lambda: frame.shuffle(world, part, "word" if last else "text"), "'word'")
        must_refuse(world, lambda: frame.shuffle(world, small, []), "by is empty")
        for by in (np.array(["a"]), pl.col("a"), [["a"]], {"a"}, None):
            must_refuse(world, lambda by=by: frame.shuffle(world, small, by), "'a', 'b'")
        must_refuse(world, lambda: frame.sort(world, small, ["a", "a"]), "once")
        must_refuse(world, lambda: frame.sort(world, small, "a", "down"), "'down'")
        must_refuse(world, lambda: frame.sort(world, small, ["a"], [True, False]), "descending")
        must_refuse(world, lambda: frame.drop_duplicates(world, small, "c"), "'c'", "'a', 'b'")
        must_refuse(world, lambda: frame.exchange(world, small, [0]), "2 rows")
        wrong = [0, world.size] if last else [0, 0]
        must_refuse(world, lambda: frame.exchange(world, small, wrong), f"pes[1] is {world.size}")
        must_refuse(
            world, lambda: frame.join(world, small, small, "a", "cross"), "'cross'", "outer"
        )
        must_refuse(world, lambda: frame.join(world, small, part, "a"), "right has", "on has 'a'")
        must_refuse(world, lambda: frame.group_by(world, small, "z", []), "'z'")
        if world.size > 1:
            must_refuse(world, lambda: frame.shuffle(world, part if last else small, "a"), "give")
            must_refuse(
                world, lambda: frame.shuffle(world, small, "a" if last else "b"), "disagree", "by"
            )
    pandas, polars = (table_of(library, {"a": [1]}) for library in ("pandas", "polars"))
    must_refuse(world, lambda: frame.join(world, pandas, polars, "a"), "pandas", "polars")
    if world.size > 1:
        must_refuse(
            world,
            lambda: frame.shuffle(world, polars if last else pandas, "a"),
            "disagree",
            "polars",
        )
    must_refuse(world, lambda: frame.shuffle(world, {"a": [1]}, "a"), "builtins.dict", "DataFrame")
    must_refuse(world, lambda: frame.shuffle(world, polars.lazy(), "a"), "LazyFrame")
    twice = pd.DataFrame([[1, 2]], columns=["a", "a"])
    must_refuse(world, lambda: frame.shuffle(world, twice, "a"), "several columns 'a'")
    mixed = pd.DataFrame({"a": pd.Series(["x", 1], dtype=object)})
    must_refuse(world, lambda: frame.sort(world, mixed, "a"), "frame.sort")
    lists = pa.table({"a": [[1], [2]]})
    must_refuse(world, lambda: frame.shuffle(world, lists, "a"), "list")
    kept = pd.DataFrame({"a": [lambda: 1]})
    if world.size > 1:
        try:
            frame.exchange(world, kept, [(world.rank + 1) % world.size])
            raise AssertionError("a function travelled")
        except AttributeError as problem:  # the program's own objects
            assert "pickle" in str(problem)
    assert world.reduce(1) == world.size


def check_views_of_arrow(world):
    """Arrow itself takes no rows of columns with views."""
    words = ["b", None, "a", "", "a"]
    table = pa.table(
        {
            "text": pa.array(words, pa.string_view()),
            "bytes": pa.array(words, pa.string()).cast(pa.binary()).cast(pa.binary_view()),
            "number": [1, 2, 3, 4, 5],
        }
    )
    for key in ("text", "bytes"):
        assert frame.shuffle(world, table, key).schema == table.schema
        ordered = frame.sort(world, table, [key, "number"])
        assert ordered.schema == table.schema
        keys = [x for each in world.all_gather(column_of(ordered, key)) for x in each if x]
        assert keys == sorted(keys) and len(keys) == 3 * world.size
        assert world.reduce(len(frame.drop_duplicates(world, table, key))) == 4
        for memory in (None, 1):
            groups = frame.group_by(world, [table] * 2, key, [("number", "sum")], memory=memory)
            assert world.reduce(len(groups)) == 4
    mixed = table if world.rank == 0 else table.set_column(0, "text", pa.array(words))
    assert world.reduce(len(frame.shuffle(world, mixed, "text"))) == 5 * world.size


def check_import_loads_no_library_of_tables(world):
    if world.rank == 0:
        program = (
            "import boxcar.frame, sys; sys.exit(any(each in sys.modules for each in "
            "('pandas', 'polars', 'pyarrow')))"
        )
        assert subprocess.run([sys.executable, "-c", program]).returncode == 0


ROWS = st.lists(
    st.tuples(
        st.one_of(st.none(), st.integers(0, 3)),
        st.one_of(st.none(), st.sampled_from(["", "a", "\0", "ab", "b", "ä"])),
        st.sampled_from([0.5, -1.0, float("nan"), float("inf"), None]),
    ),
    max_size=30,
)
SCHEMA = {"key": pl.Int64, "text": pl.String, "float": pl.Float64}


def check_random_tables(world):
    """Hypothesis draws the same table on all PEs, and each PE takes a piece of it."""

    @settings(FEWER, max_examples=4)
    @given(ROWS, st.lists(st.sampled_from(list(SCHEMA)), min_size=1, max_size=3, unique=True))
    def check(rows, by):
        everything = pl.DataFrame(rows, schema=SCHEMA, orient="row")
        everything = everything.with_row_index("row")
        ends = [len(rows) * pe * pe // world.size**2 for pe in range(world.size + 1)]
        mine = everything[ends[world.rank] : ends[world.rank + 1]]
        assert all_are(world, _holds(world, mine, everything, by))

    check()


def _holds(world, mine, everything, by):
    in_order = everything.sort(by, nulls_last=True, maintain_order=True)
    firsts = everything.unique(by, keep="first", maintain_order=True)
    tables = [
        (frame.sort(world, mine, by), in_order, True),
        (frame.sort(world, mine.to_arrow(), by), everything.to_arrow(), False),
        (frame.drop_duplicates(world, mine, by), firsts, False),
        (frame.shuffle(world, mine.to_pandas(), by), everything.to_pandas(), False),
    ]
    for got, want, is_in_order in tables:
        texts = [row for rows in world.all_gather(rows_of(got)) for row in rows]
        wanted = rows_of(want)
        if (texts if is_in_order else sorted(texts)) != (wanted if is_in_order else sorted(wanted)):
            return False
    groups = frame.group_by(world, mine, by, pl.col("row").sum())
    want = everything.group_by(by).agg(pl.col("row").sum())
    got = [row for rows in world.all_gather(rows_of(groups)) for row in rows]
    return sorted(got) == sorted(rows_of(want))


def check_same_result_on_any_table_of_one_pe(world):
    """On one PE, results are those of the library itself."""
    with world.split(world.rank) as alone:
        part = part_of_all_types(world, "pandas")
        must_be_rows(alone, frame.shuffle(alone, part, "text"), part, in_order=True)
        assert concatenated(alone, part).equals(frame.exchange(alone, part, [0] * len(part)))
