#!/usr/bin/env python3
"""Tests that `bench/targets/run --quick` measures every row of every part, and writes all of them.

targets_quick_test.py RUN BOXCAR [LAUNCHER]...    (each of MPI, with 2 processes)
"""
import collections
import json
import math
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

# The number of rows of each part, and of those that are there once for each launcher.
ROWS = {"histogram": 6, "one_pe": 1, "gather": 4, "many_pes": 4, "item_sizes": 3, "many_links": 1,
        "copying": 3, "session": 2, "short_streams": 4, "streams_of_arrays": 2,
        "blocks_between_nodes": 2, "start": 1, "start_in_python": 1, "python_sort": 20,
        "python_tables": 5, "reduction_memory": 1}
ROWS_OF_LAUNCHER = {"against_alltoallv": 4, "blocks_between_nodes": 2, "collectives": 52,
                    "overlap": 8, "start_by_mpi": 1}
IN_PYTHON = ["start_in_python", "python_sort", "python_tables", "reduction_memory"]


def has_compiler(launcher):
    _, _, library = Path(shlex.split(launcher)[0]).name.partition(".")
    return shutil.which(f"mpicc.{library}" if library else "mpicc") is not None


def results_of(run, boxcar, launchers):
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "results.json")
        options = [word for launcher in launchers for word in ("--mpirun", launcher)]
        process = subprocess.run([run, boxcar, "--quick", "--json", file, *options], text=True,
                                 capture_output=True, check=False)
        assert process.returncode == 0, process.stdout + process.stderr
        table = subprocess.run([run, "--beside", file], text=True, capture_output=True, check=True)
        return json.loads(file.read_text(encoding="utf-8")), process.stdout, table.stdout


def check_row(row, launchers, printed, table):
    assert row["name"] in printed and f"| {row['name']} |" in table, row
    without_means = (row["part"] in IN_PYTHON and "--python" in row["reason"]
                     or not launchers and "--mpirun" in row["reason"]
                     or row["part"] == "overlap" and "by chance" in row["reason"]
                     or row["part"] == "start_by_mpi" and not all(map(has_compiler, launchers)))
    if without_means:
        assert row["measured"] is None and row["met"] is None, row
        return
    measured, wanted = row["measured"], row["wanted"]
    assert measured is not None and math.isfinite(measured), row
    assert row["met"] is (measured <= wanted if row["at_most"] else measured >= wanted), row


def main():
    run, boxcar, *launchers = sys.argv[1:]
    results, printed, table = results_of(run, boxcar, launchers)
    assert results["quick"] is True
    assert results["machine"]["processor"] in printed and results["machine"]["cores"] >= 1
    assert results["build"]["compiler"], results["build"]

    expected = collections.Counter(ROWS)
    for _ in launchers or ["not measured"]:
        expected.update(ROWS_OF_LAUNCHER)
    rows = results["rows"]
    assert collections.Counter(row["part"] for row in rows) == expected, rows
    assert len({row["name"] for row in rows}) == len(rows), rows
    for row in rows:
        check_row(row, launchers, printed, table)


main()
