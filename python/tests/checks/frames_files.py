"""frame.read_parquet, read_csv, write_parquet and write_csv."""

from __future__ import annotations

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
    folder_of,
    must_be_rows,
    part_of_all_types,
    some,
    table_of,
    types_of,
)
from .support import must_refuse


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
