"""frame.parquet_pieces and csv_pieces."""

from __future__ import annotations

import operator
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from boxcar import frame

from .frame_support import LIBRARIES, column_of, columns_of, some, types_of
from .support import error_of, folder_of, must_refuse

ROWS = 1000


def _values(world, pieces, name):
    """The values of a column of the pieces of all PEs."""
    mine = [value for piece in pieces for value in column_of(piece, name)]
    return [value for of_pe in world.all_gather(mine) for value in of_pe]


def check_pieces_of_parquet(world):
    with folder_of(world) as folder:
        table = pa.table({"x": np.arange(ROWS), "text": [str(each) for each in range(ROWS)]})
        paths = [f"{folder}/{name}.parquet" for name in ("b", "a")]
        if world.rank == 0:
            for path in paths:
                pq.write_table(table, path, row_group_size=100)
        world.barrier()
        for library in some(world, list(LIBRARIES)):
            mine = frame.parquet_pieces(world, paths, "x", library, piece=200)
            hint = operator.length_hint(mine)
            pieces = list(mine)
            assert _values(world, pieces, "x") == [*range(ROWS)] * 2
            assert all(columns_of(each) == ["x"] for each in pieces)
            assert len(pieces) > 1 / world.size and max(map(len, pieces), default=0) < 100
            assert abs(hint - len(pieces)) <= len(pieces) / 2 and operator.length_hint(mine) == 0
            pieces = frame.parquet_pieces(world, paths, library=library, piece="8 kB")
            functions = {
                "pandas": {"x": "sum"},
                "polars": {"x": _sum_of_polars()},
                "pyarrow": [("x", "sum")],
            }
            got = frame.group_by(world, pieces, "text", functions[library], memory="50 kB")
            assert world.reduce(len(got)) == ROWS
            name = "x_sum" if library == "pyarrow" else "x"
            assert world.reduce(int(sum(column_of(got, name)))) == ROWS * (ROWS - 1)
        one = frame.parquet_pieces(world, paths[0])
        assert len(list(one)) <= 1
        one.close()
        bad = frame.parquet_pieces(world, paths, "z")
        assert "'z'" in error_of(lambda: frame.group_by(world, bad, "z", "sum"))
        must_refuse(world, lambda: frame.parquet_pieces(world, paths, piece="0"), "piece is '0'")
        must_refuse(world, lambda: frame.parquet_pieces(world, f"{folder}/c"), "/c")


def _sum_of_polars():
    import polars as pl

    return pl.col("x").sum()


def check_pieces_of_csv(world):
    with folder_of(world) as folder:
        path = f"{folder}/numbers.csv"
        # A value at the end decides the type of a column.
        lines = ["a;b;c", *(f"{each};{each}.5;{each}" for each in range(ROWS)), "7;;x"]
        if world.rank == 0:
            Path(path).write_text("\n".join(lines))
        world.barrier()
        want = [*range(ROWS), 7]
        for library in some(world, list(LIBRARIES)):
            for piece in (100, "1 MB"):
                mine = frame.csv_pieces(
                    world, path, ["c", "a"], library, delimiter=";", piece=piece
                )
                pieces = list(mine)
                assert _values(world, pieces, "a") == want
                assert _values(world, pieces, "c") == [*map(str, range(ROWS)), "x"]
                types = {str(types_of(each)) for each in pieces}
                assert len(set().union(*world.all_gather(types))) == 1
            assert max(map(len, pieces), default=0) <= len(want)
        must_refuse(world, lambda: frame.csv_pieces(world, path, ["z"], delimiter=";"), "'z'")
        must_refuse(world, lambda: frame.csv_pieces(world, f"{folder}/no.csv"), "no.csv")
