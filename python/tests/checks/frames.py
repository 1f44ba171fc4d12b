"""frame.shuffle, exchange, sort, drop_duplicates: against the libraries on one process."""

from __future__ import annotations

import datetime

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
from boxcar import frame

from .frame_support import (
    LIBRARIES,
    column_of,
    columns_of,
    concatenated,
    must_be_rows,
    part_of_all_types,
    rows_of,
    some,
    table_of,
)
from .support import all_are, folder_of, must_refuse, random_of


def _is_in_order_of_origin(table):
    origins = list(zip(column_of(table, "pe"), column_of(table, "row"), strict=True))
    return origins == sorted(origins)


def _each_key_is_on_one_pe(world, table, by):
    """Whether no two PEs have the same key; 0.0 and -0.0 are the same."""
    keys = {repr(each) for each in zip(*(column_of(table, name) for name in by), strict=True)}
    of_pes = world.all_gather({each.replace("-0.0", "0.0") for each in keys})
    return sum(map(len, of_pes)) == len(set().union(*of_pes))


def check_shuffle(world):
    for library in LIBRARIES:
        part = part_of_all_types(world, library)
        everything = concatenated(world, part)
        by_each = [[name] for name in columns_of(part)]
        for by in some(world, [*by_each, ["text", "category"], ["float", "maybe", "time"]]):
            shuffled = frame.shuffle(world, part, by)
            must_be_rows(world, shuffled, everything)
            assert _is_in_order_of_origin(shuffled)
            assert _each_key_is_on_one_pe(world, shuffled, by), (library, by)


def check_shares_of_shuffle(world):
    numbers = np.arange(world.rank, 2000 * world.size, world.size)
    for library in LIBRARIES:
        for keys in (numbers, numbers * 2.0**20, [f"key {each}" for each in numbers]):
            mine = len(frame.shuffle(world, table_of(library, {"key": keys}), "key"))
            assert 1700 < mine < 2300, (library, mine)


def check_exchange(world):
    for library in LIBRARIES:
        part = part_of_all_types(world, library)
        pes = random_of(world, 7).integers(0, world.size, len(part))
        received = frame.exchange(world, part, pes)
        everything = rows_of(concatenated(world, part))
        all_pes = [pe for each in world.all_gather(pes.tolist()) for pe in each]
        here = [row for row, pe in zip(everything, all_pes, strict=True) if pe == world.rank]
        assert rows_of(received) == here
        nothing = frame.exchange(world, part, np.zeros(len(part), int))
        must_be_rows(world, nothing, concatenated(world, part), in_order=True)


def check_tables_without_columns(world):
    """Rows count, also if they have no columns."""
    for library in LIBRARIES:
        part = table_of(library, {"x": range(3)})
        part = part.drop(columns="x") if library == "pandas" else part.drop("x")
        received = frame.exchange(world, part, [world.size - 1] * 3)
        assert type(received) is type(part) and columns_of(received) == []
        assert len(received) == 3 * world.size * (world.rank == world.size - 1)
        with folder_of(world) as folder:
            must_refuse(world, lambda: frame.write_parquet(world, part, folder), "no columns")
            must_refuse(world, lambda: frame.write_csv(world, part, folder), "no columns")


def check_tables_are_no_columns(world):
    """Functions for arrays name the table, the type of objects, and numbers that have no sums."""
    words = ("is a DataFrame", "boxcar.frame")
    table = pd.DataFrame({"x": [1]})
    must_refuse(world, lambda: world.exchange(table, [0]), "items", *words)
    must_refuse(world, lambda: world.sort(pl.DataFrame({"x": [1]})), "keys", *words)
    times = pd.Series([datetime.time(1, 2)])
    must_refuse(world, lambda: world.sort(times), "objects of type time")
    halves = np.zeros(1, np.float16)
    must_refuse(world, lambda: world.group_by_key([1], halves), "float16", "float32")


def check_index_of_pandas_is_dropped(world):
    part = pd.DataFrame({"x": [1, 2, 3]}, index=["a", "b", "c"])
    received = frame.exchange(world, part, [world.rank] * 3)
    assert received.equals(part.reset_index(drop=True))


def _sorted(table, by, descending):
    if isinstance(table, pd.DataFrame):
        ascending = [not each for each in descending]
        table = table.sort_values(by, ascending=ascending, kind="stable")
        return table.reset_index(drop=True)
    if isinstance(table, pl.DataFrame):
        return table.sort(by, descending=descending, nulls_last=True, maintain_order=True)
    ways = ["descending" if each else "ascending" for each in descending]
    return table.take(pa.compute.sort_indices(table, sort_keys=list(zip(by, ways))))


def check_sort(world):
    for library in LIBRARIES:
        part = part_of_all_types(world, library)
        everything = concatenated(world, part)
        names = [name for name in columns_of(part) if name != "list"]
        if library == "pyarrow":  # which does not sort dictionaries
            names.remove("category")
        cases = [([name], [number % 2 == 0]) for number, name in enumerate(names)]
        several = (["float", "text", "integer"], [True, False, True])
        for by, descending in [*some(world, cases), several]:
            share = frame.sort(world, part, by, descending)
            must_be_rows(world, share, _sorted(everything, by, descending), in_order=True)


def check_sort_of_dictionaries_of_arrow(world):
    part = part_of_all_types(world, "pyarrow")
    everything = concatenated(world, part)
    plain = everything["category"].cast(pa.string())
    want = everything.take(pa.compute.sort_indices(plain))
    must_be_rows(world, frame.sort(world, part, "category"), want, in_order=True)


def check_shares_of_sort(world):
    random = random_of(world)
    for keys in [random.random(4000), np.zeros(4000), random.zipf(1.3, 4000), np.arange(4000)]:
        part = pl.DataFrame({"key": keys})
        share = frame.sort(world, part, "key")
        must_be_rows(world, share, concatenated(world, part).sort("key"), in_order=True)
        assert 3000 < len(share) < 5000
    on_one = table_of("polars", {"key": np.arange(4000 if world.rank == 0 else 0)})
    assert len(frame.sort(world, on_one, "key")) < 4000 or world.size == 1


def check_drop_duplicates(world):
    for library in LIBRARIES:
        part = part_of_all_types(world, library)
        everything = concatenated(world, part)
        # Arrow distinguishes 0.0 from -0.0.
        number = "decimal" if library == "pyarrow" else "float"
        for subset in some(world, [["text"], [number], ["category"], ["optional", "maybe"]]):
            rest = frame.drop_duplicates(world, part, subset)
            seen, want = set(), []
            keys = zip(*(column_of(everything, name) for name in subset), strict=True)
            for row, key in enumerate(keys):
                if key not in seen:
                    seen.add(key)
                    want.append(row)
            must_be_rows(
                world,
                rest,
                everything.iloc[want] if library == "pandas" else _taken(everything, want),
            )
            assert _is_in_order_of_origin(rest)
        few = table_of(library, {"a": [1, 1, 2], "b": ["x", "x", None]})
        rest = frame.drop_duplicates(world, few)
        assert world.reduce(len(rest)) == 2


def _taken(table, rows):
    return table[rows] if isinstance(table, pl.DataFrame) else table.take(rows)


def check_no_rows_anywhere(world):
    for library in LIBRARIES:
        part = part_of_all_types(world, library)
        nothing = part[:0] if library != "pyarrow" else part.slice(0, 0)
        for result in (
            frame.shuffle(world, nothing, "text"),
            frame.exchange(world, nothing, []),
            frame.sort(world, nothing, ["integer", "text"]),
            frame.drop_duplicates(world, nothing, "float"),
            frame.join(world, nothing, nothing, columns_of(nothing)[:2]),
        ):
            assert len(result) == 0
        must_be_rows(world, frame.shuffle(world, nothing, "zoned"), nothing)


def check_many_pieces(world):
    """Text of half a megabyte goes between all PEs."""
    random = random_of(world)
    for library in LIBRARIES:
        text = [str(each) * 20 for each in random.integers(0, 1 << 60, 1000)]
        part = table_of(library, {"text": text})
        shuffled = frame.shuffle(world, part, "text")
        assert all_are(world, _each_key_is_on_one_pe(world, shuffled, ["text"]))
        must_be_rows(world, shuffled, concatenated(world, part))
