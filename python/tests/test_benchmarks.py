"""The programs of bench/python measure small amounts, and refuse what cannot be measured."""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAMS = Path(__file__).parents[2] / "bench" / "python"
ON_TWO_PES = ["-m", "boxcar", "run", "-n", "2", "--", sys.executable]
JOBS = ["sort_float32", "sort_by_key", "group_by_key", "join", "map_sum"]

pytestmark = pytest.mark.skipif(not PROGRAMS.exists(), reason="only the repository has them")


def run(
    program: str,
    *words: str,
    starter: list[str] | None = None,
    environment: dict[str, str] | None = None,
) -> tuple[int, str]:
    """The status, and all that is printed."""
    done = subprocess.run(
        [sys.executable, *(starter or []), str(PROGRAMS / program), *words],
        env={**os.environ, **(environment or {})},
        capture_output=True,
        text=True,
        timeout=300,
    )
    return done.returncode, done.stdout + done.stderr


def test_libraries_that_are_missing_are_left_out(tmp_path: Path) -> None:
    for name in ["pandas", "polars"]:
        (tmp_path / f"{name}.py").write_text("raise ImportError('hidden by the test')\n")
    file = tmp_path / "figures.json"
    status, output = run(
        "compare.py",
        *["--items", "2000", "--rounds", "1", "--json", str(file), *JOBS],
        starter=ON_TWO_PES,
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


def test_the_time_of_run_is_measured(tmp_path: Path) -> None:
    file = tmp_path / "time.json"
    status, output = run("time_of_run.py", "--rounds", "1", "--json", str(file))
    assert status == 0, output
    assert "median of 1" in output
    assert json.loads(file.read_text())["seconds"] > 0


def test_the_memory_of_a_reduction_is_measured(tmp_path: Path) -> None:
    file = tmp_path / "memory.json"
    size = 8 << 20
    status, output = run(
        "reduction_memory.py", "--bytes", str(size), "--json", str(file), starter=ON_TWO_PES
    )
    assert status == 0, output
    measured = json.loads(file.read_text())
    assert measured["bytes"] == size
    assert isinstance(measured["beyond_bytes"], int)
    assert f"{measured['beyond_bytes'] / (1 << 20):.0f} MiB beyond" in output


def test_groups_of_pieces_are_the_same_with_a_bound() -> None:
    status, output = run("group_pieces.py", "--rows", "8000")
    assert status == 0, output
    groups = [line.rsplit(", ", 1)[1] for line in output.splitlines()]
    assert len(groups) == 6 and len(set(groups)) == 1, output


def test_simulated_reads_are_counted(tmp_path: Path) -> None:
    genome = tmp_path / "genome.fna.gz"
    with gzip.open(genome, "wt") as file:
        file.write(">a genome\n" + "ACGTTGCATGCCTA" * 200 + "\n")
    reads = tmp_path / "reads.fastq"
    status, output = run("simulate_reads.py", str(genome), str(reads), "--coverage", "3")
    assert status == 0, output
    lines = reads.read_text().splitlines()
    assert len(lines) == 4 * (3 * 2800 // 150)
    assert {len(read) for read in lines[1::4]} == {150}
    file = tmp_path / "counts.json"
    status, output = run(
        "count_kmers.py",
        str(reads),
        "--beside",
        "boxcar, sorted",
        "--rounds",
        "1",
        "--json",
        str(file),
    )
    assert status == 0, output
    rounds = json.loads(file.read_text())["rounds"]
    assert {name: len(of_all) for name, of_all in rounds.items()} == {
        "boxcar": 1,
        "boxcar, sorted": 1,
    }


@pytest.mark.parametrize(
    ("program", "words", "message"),
    [
        ("compare.py", ["sorting"], "there is no job 'sorting': give some of exchange, "),
        ("compare.py", ["--items", "0"], "'0' is no number of 1 or more"),
        ("compare.py", ["--rounds", "many"], "'many' is no number of 1 or more"),
        ("time_of_run.py", ["--rounds", "0"], "--rounds is 0: give 1 or more"),
        ("reduction_memory.py", ["--bytes", "7"], "--bytes is 7: give 8 or more"),
        ("group_pieces.py", ["--rows", "79"], "--rows is 79: give 80 or more, 40 pieces for each"),
    ],
)
def test_what_cannot_work_is_refused(program: str, words: list[str], message: str) -> None:
    status, output = run(program, *words)
    assert status == 2
    assert message in output
