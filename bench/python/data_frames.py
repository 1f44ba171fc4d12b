"""The jobs of tables in compare.py by pandas and polars, on one process.

Polars has 2 threads, unless POLARS_MAX_THREADS says another number.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from types import ModuleType

import numpy as np

os.environ.setdefault("POLARS_MAX_THREADS", "2")  # read when polars is imported

Jobs = dict[str, Callable[[], object]]
Columns = dict[str, np.ndarray]


def import_libraries(missing: dict[str, str]) -> dict[str, ModuleType]:
    """Those that are there; of the others `missing` gets the reason."""
    found: dict[str, ModuleType] = {}
    for name in ["pandas", "polars"]:
        try:
            found[name] = __import__(name)
        except ImportError as problem:
            missing[name] = f"{name} cannot be imported: {problem}"
    return found


def group_by_key(libraries: dict[str, ModuleType], columns: Columns) -> Jobs:
    """Sums of the column "value" by the column "key"."""
    jobs: Jobs = {}
    if "pandas" in libraries:
        frame = libraries["pandas"].DataFrame(columns)
        jobs["pandas alone"] = lambda: frame.groupby("key", sort=False)["value"].sum()
    if "polars" in libraries:
        polars = libraries["polars"]
        table = polars.DataFrame(columns)
        jobs["polars alone"] = lambda: table.group_by("key").agg(polars.col("value").sum())
    return jobs


def join(libraries: dict[str, ModuleType], left: Columns, right: Columns) -> Jobs:
    """All pairs of rows with equal keys."""
    jobs: Jobs = {}
    if "pandas" in libraries:
        frames = [libraries["pandas"].DataFrame(columns) for columns in (left, right)]
        jobs["pandas alone"] = lambda: frames[0].merge(frames[1], on="key")
    if "polars" in libraries:
        tables = [libraries["polars"].DataFrame(columns) for columns in (left, right)]
        jobs["polars alone"] = lambda: tables[0].join(tables[1], on="key")
    return jobs
