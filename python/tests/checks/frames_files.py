"""frame.read_parquet, read_csv, write_parquet and write_csv."""

from __future__ import annotations

import decimal
import os
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
from boxcar import frame
from boxcar.frame_parquet import shares_of

from .frame_support import (
    LIBRARIES,
    column_of,
    columns_of,
    concatenated,
    must_be_rows,
    part_of_all_types,
    some,
    table_of,
    types_of,
)
from .support import folder_of, must_refuse


def check_parquet_of_every_type(world):
    for library in some(world, list(LIBRARIES)):
        part = part_of_all_types(world, library)
        everything = concatenated(world, part)
        with folder_of(world) as folder:
            for _ in range(2):  # the second time, it replaces the files
                frame.write_parquet(world, part, folder)
            names = sorted(os.listdir(folder))
            assert names == [f"part-{pe:05}.parquet" for pe in range(world.size)]
            read = frame.read_parquet(world, folder, library=library)
            if library == "pandas":  # Parquet has no strings of Arrow beside those of pandas
                read = read.astype(everything.dtypes)
            must_be_rows(world, read, everything, in_order=True)
            two = frame.read_parquet(world, folder, ["row", "text"], library)
            assert columns_of(two) == ["row", "text"]


def check_shares_of_files_of_parquet(world):
    with folder_of(world) as folder:
        table = pa.table({"x": np.arange(1000), "text": [str(each) for each in range(1000)]})
        paths = [f"{folder}/{name}" for name in ("b.parquet", "a.parquet")]
        if world.rank == 0:
            for path in paths:
                pq.write_table(table, path, row_group_size=50)
        world.barrier()
        for library in LIBRARIES:
            mine = frame.read_parquet(world, paths, "x", library)
            values = world.all_gather(column_of(mine, "x"))
            assert [x for each in values for x in each] == [*range(1000)] * 2
            assert max(map(len, values)) - min(map(len, values)) <= 100
        assert len(frame.read_parquet(world, Path(paths[0]))) <= 1000
        must_refuse(world, lambda: frame.read_parquet(world, paths, "z"), "'z'", ".parquet has")
    assert shares_of([5, 1, 1, 1, 1, 1], 2) == [0, 1, 1, 1, 1, 1]
    assert shares_of([], 3) == [] and shares_of([0, 0], 2) == [0, 0]


def check_a_former_table_with_more_files_is_replaced(world):
    with folder_of(world) as folder:
        part = table_of("pandas", {"x": [world.rank]})
        if world.rank == 0:
            for number in (0, 77):
                pq.write_table(pa.table({"x": [1]}), f"{folder}/part-{number:05}.parquet")
        world.barrier()
        frame.write_parquet(world, part, folder)
        assert len(os.listdir(folder)) == world.size
        world.barrier()


def check_csv(world):
    columns = ["integer", "text", "float", "time"]
    for library in LIBRARIES:
        part = part_of_all_types(world, library)
        part = part[columns] if library == "pandas" else part.select(columns)
        with folder_of(world) as folder:
            frame.write_csv(world, part, folder)
            read = frame.read_csv(world, folder, library=library)
            everything = concatenated(world, part)
            for name in columns:
                values = [x for each in world.all_gather(column_of(read, name)) for x in each]
                assert values == column_of(everything, name), (library, name, values)
            assert types_of(read)["float"] == types_of(part)["float"]


def check_csv_of_one_column_keeps_missing_values(world):
    with folder_of(world) as folder:
        part = pa.table({"x": [1, None, 3, None]})
        frame.write_csv(world, part, folder)
        read = frame.read_csv(world, folder, library="pyarrow")
        values = [x for each in world.all_gather(column_of(read, "x")) for x in each]
        assert values == [1, None, 3, None] * world.size, values


def check_csv_is_cut_between_lines(world):
    with folder_of(world) as folder:
        path = f"{folder}/numbers.csv"
        for end in ("", "\n"):
            for rows in (0, 1, 2, 3, 10, 1000):
                lines = [f"{each};{each}.5;00{each}" for each in range(rows)]
                # A value at the end decides the type of a column.
                lines += ["7;;x"] if rows == 1000 else []
                if world.rank == 0:
                    Path(path).write_text("\n".join(["a;b;c", *lines]) + end)
                world.barrier()
                read = frame.read_csv(world, path, ["c", "a"], "pyarrow", delimiter=";")
                assert columns_of(read) == ["c", "a"]
                values = [x for each in world.all_gather(column_of(read, "c")) for x in each]
                if rows == 1000:
                    assert values == [f"00{each}" for each in range(rows)] + ["x"]
                    assert abs(len(read) - rows / world.size) < 60
                else:
                    assert values == list(range(rows))
                assert len({str(each) for each in world.all_gather(types_of(read))}) == 1


def _read_csv_of_one_column(world, folder, values, piece):
    path = f"{folder}/values.csv"
    if world.rank == 0:
        Path(path).write_text("\n".join(["x", *values]))
    world.barrier()
    if piece is None:
        parts = [frame.read_csv(world, path, library="pyarrow")]
    else:
        parts = list(frame.csv_pieces(world, path, library="pyarrow", piece=piece))
    parts = [part for each in world.all_gather(parts) for part in each]
    return pa.concat_tables(parts)["x"]


def check_truth_values_of_csv(world):
    """Truth values may be 0 and 1: on one PE or in one piece only numbers, elsewhere words."""
    values = ["true", "", *["0"] * 40, *["1"] * 40]
    truth = [True, None, *[False] * 40, *[True] * 40]
    text = [each or None for each in values]
    with folder_of(world) as folder:
        for more, want in [([], truth), (["2"], [*text, "2"]), (["01"], [*text, "01"])]:
            for piece in (None, 20):
                read = _read_csv_of_one_column(world, folder, values + more, piece)
                assert read.to_pylist() == want, (more, piece)
                world.barrier()


def check_parquet_has_the_same_types_in_all_files(world):
    """Objects of pandas are what they are; PE 0 has none, or only missing ones."""
    last = world.rank == world.size - 1
    for missing in ([], [None]):
        value = [decimal.Decimal("1.50")] if last else missing
        part = pd.DataFrame({"number": pd.Series(value, dtype=object)})
        with folder_of(world) as folder:
            frame.write_parquet(world, part, folder)
            read = pq.read_table(folder)["number"]
            assert str(read.type) == "decimal128(3, 2)" and read.drop_null().to_pylist() == [
                decimal.Decimal("1.50")
            ]
            world.barrier()
    part = pd.DataFrame({"x": pd.Series([1 if world.rank == 0 else "a"], dtype=object)})
    with folder_of(world) as folder:
        frame.write_csv(world, part, folder)
        assert world.reduce(len(frame.read_csv(world, folder))) == world.size
        if world.size > 1:
            must_refuse(world, lambda: frame.write_parquet(world, part, f"{folder}/new"), "'x'")


def check_files_of_parquet_with_different_columns(world):
    tables = {
        "a": pa.table({"x": [1, 2], "text": ["a", "b"]}),
        "b": pa.table({"text": ["c"], "x": [3]}),
        "c": pa.table({"x": [4]}),
    }
    with folder_of(world) as folder:
        paths = [f"{folder}/{name}.parquet" for name in tables]
        if world.rank == 0:
            for path, table in zip(paths, tables.values(), strict=True):
                pq.write_table(table, path)
        world.barrier()
        for library in LIBRARIES:
            two = frame.read_parquet(world, paths[:2], library=library)
            assert columns_of(two) == ["x", "text"]
            values = [x for each in world.all_gather(column_of(two, "x")) for x in each]
            assert values == [1, 2, 3]
        assert world.reduce(len(frame.read_parquet(world, paths, "x"))) == 4
        words = ("c.parquet has the columns ['x']", "same columns")
        must_refuse(world, lambda: frame.read_parquet(world, paths), *words)
        must_refuse(world, lambda: frame.parquet_pieces(world, paths), *words)


def _read_text(world, folder, text, read=frame.read_csv):
    path = f"{folder}/text.csv"
    if world.rank == 0:
        Path(path).write_bytes(text)
    world.barrier()
    return read(world, path, library="pyarrow")


def check_line_ends_within_values_of_csv(world):
    with folder_of(world) as folder:
        for text in (
            b'a\n"x\ny"\n',
            b"a\n" + b'"x\ny"\n' * 7,
            b"a\n" + b"z\n" * 10 + b'"xxxxxxxxxxxxxxxxxxxx\nyyyyyyyyyyyyyyyyyyyy"\n',
            b"a,b\n" + b'1,"x\ny"\n\n' * 7,
            b'id,note\n1,"hello"\n2,"Dear Sir,\nmany thanks, Ann"\n3,"bye"\n',
            b'"a\nc",b\n1,2\n',
            b"a,b\r1,x\r2,y\r",
        ):
            for read in (frame.read_csv, frame.csv_pieces):
                must_refuse(
                    world,
                    lambda text=text, read=read: _read_text(world, folder, text, read),
                    "text.csv",
                )
        # Wherever the text is cut.
        text = b"a,b\n" + b'1,"x, y,\nz, w"\n' * 3
        for piece in range(1, len(text)):
            must_refuse(
                world,
                lambda piece=piece: _read_text(
                    world,
                    folder,
                    text,
                    lambda *given, **more: list(frame.csv_pieces(*given, piece=piece, **more)),
                ),
                "a value has a line end in it",
            )
        for text, rows in (
            (b"a,b\r\n\r\n1,2\r\n\r\n\r\n3,4", 2),
            (b'a,b\n"x""y",2\n\n\n3,5" pipe\n', 2),
            (b'a\n"x""y"\n\n5" pipe\n', 3),
        ):
            assert world.reduce(len(_read_text(world, folder, text))) == rows


def check_numbers_of_csv_that_are_none(world):
    """NaN is a floating-point number, and no missing value."""
    with folder_of(world) as folder:
        text = b"a,b\n" + b"1,nan\n2,NaN\n3,\n4,0.5\n5,NA\n" * 3
        values = _read_text(world, folder, text)["b"].to_pylist()
        assert world.reduce(sum(each is None for each in values)) == 6
        assert world.reduce(sum(each is not None and each != each for each in values)) == 6


def check_columns_of_csv_with_one_name(world):
    with folder_of(world) as folder:
        for read in (frame.read_csv, frame.csv_pieces):
            must_refuse(
                world,
                lambda read=read: _read_text(world, folder, b"a,a\n1,2\n3,4\n", read),
                "text.csv has several columns 'a'",
            )


def check_bytes_of_csv_that_are_no_text(world):
    with folder_of(world) as folder:
        read = _read_text(world, folder, b"a,b\n" + b"1,x\n" * 20 + b"1,\xff\n" + b"1,x\n" * 20)
        values = [x for each in world.all_gather(column_of(read, "b")) for x in each]
        assert values == [b"x"] * 20 + [b"\xff"] + [b"x"] * 20
        marked = "\ufeffx"
        read = _read_text(world, folder, f"\ufeffa\n{marked}\n{marked}\n{marked}\n".encode())
        assert columns_of(read) == ["a"]
        assert all(world.all_gather(column_of(read, "a") == [marked] * len(read)))


def check_files_that_cannot_be(world):
    last = world.rank == world.size - 1
    part = pd.DataFrame({"x": [1, 2]})
    with folder_of(world) as folder:
        file = f"{folder}/no folder"
        bad = f"{folder}/bad.parquet"
        short = f"{folder}/bad.csv"
        if world.rank == 0:
            Path(file).write_text("")
            Path(bad).write_text("this is no Parquet")
            Path(short).write_text("a,b\n1,2\n3\n")
        world.barrier()
        must_refuse(world, lambda: frame.write_parquet(world, part, file), "no folder")
        must_refuse(world, lambda: frame.write_parquet(world, part, folder), "bad.parquet", "new")
        unsupported = pd.DataFrame({"x": [[1, 2]]})
        new = f"{folder}/new"
        must_refuse(world, lambda: frame.write_csv(world, unsupported, new), "list", "columns of")
        unsupported = pd.DataFrame({"x": [1j]})
        must_refuse(world, lambda: frame.write_parquet(world, unsupported, new), "columns of")
        foreign = f"{folder}/others/part-0.parquet"  # the name that pyarrow gives
        if world.rank == 0:
            os.mkdir(f"{folder}/others")
            Path(foreign).write_text("")
        world.barrier()
        others = f"{folder}/others"
        must_refuse(world, lambda: frame.write_parquet(world, part, others), "part-0.parquet")
        assert os.listdir(others) == ["part-0.parquet"]
        must_refuse(world, lambda: frame.read_parquet(world, bad), "bad.parquet")
        must_refuse(world, lambda: frame.read_csv(world, short), "bad.csv")
        must_refuse(world, lambda: frame.read_csv(world, f"{folder}/none.csv"), "none.csv")
        must_refuse(world, lambda: frame.read_parquet(world, part), "DataFrame", "names of files")
        must_refuse(world, lambda: frame.read_csv(world, short, library="numpy"), "'numpy'")
        kept = pd.DataFrame({"x": pd.Series([1, "a"] if last else [1, 2], dtype=object)})
        must_refuse(world, lambda: frame.write_parquet(world, kept, f"{folder}/new"), "part-0000")
        world.barrier()
        assert os.listdir(f"{folder}/new") == []
        must_refuse(world, lambda: frame.read_parquet(world, f"{folder}/new"), "has no files")
