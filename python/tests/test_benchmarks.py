"""bench/python/compare.py runs all jobs, and leaves out the libraries that are not there."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

COMPARE = Path(__file__).parents[2] / "bench" / "python" / "compare.py"
JOBS = ["sort_float32", "sort_by_key", "group_by_key", "join", "map_sum"]

pytestmark = pytest.mark.skipif(not COMPARE.exists(), reason="only the repository has compare.py")


def compare(*words: str, environment: dict[str, str] | None = None) -> tuple[int, str]:
    command = [sys.executable, "-m", "boxcar", "run", "-n", "2", "--", sys.executable, str(COMPARE)]
    run = subprocess.run(
        [*command, *words],
        env={**os.environ, **(environment or {})},
        capture_output=True,
        text=True,
        timeout=300,
    )
    return run.returncode, run.stdout + run.stderr


def test_libraries_that_are_missing_are_left_out(tmp_path: Path) -> None:
    for name in ["pandas", "polars"]:
        (tmp_path / f"{name}.py").write_text("raise ImportError('hidden by the test')\n")
    file = tmp_path / "figures.json"
    status, output = compare(
        *["--items", "2000", "--rounds", "1", "--json", str(file), *JOBS],
        environment={"PYTHONPATH": str(tmp_path)},
    )
    assert status == 0, output
    figures = json.loads(file.read_text())
    assert (figures["pes"], figures["items"]) == (2, 2000)
    assert set(figures["missing"]) == {"mpi4py", "pandas", "polars"}
    assert figures["missing"]["polars"] == "polars cannot be imported: hidden by the test"
    assert "left out: polars cannot be imported" in output
    contenders = {job: set(seconds) for job, seconds in figures["seconds"].items()}
    assert contenders == {
        "sort_float32": {"boxcar", "numpy alone"},
        "sort_by_key": {"boxcar", "numpy alone"},
        "group_by_key": {"boxcar"},
        "join": {"boxcar"},
        "map_sum": {"boxcar", "group_by_key"},
    }
    assert all(each > 0 for seconds in figures["seconds"].values() for each in seconds.values())


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["sorting"], "there is no job 'sorting': give some of exchange, "),
        (["--items", "0"], "'0' is no number of 1 or more"),
        (["--rounds", "many"], "'many' is no number of 1 or more"),
    ],
)
def test_what_cannot_work_is_refused(words: list[str], message: str) -> None:
    status, output = compare(*words)
    assert status == 2
    assert message in output
