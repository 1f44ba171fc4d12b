"""Every check in every kind of job. A job runs all of them, one after another."""

from __future__ import annotations

import functools
import json
import tempfile
from pathlib import Path

import pytest
from checks import all_checks
from launching import is_there, launch

JOBS = [
    ("processes", 1),
    ("processes", 2),
    ("processes", 5),
    ("nodes", 4),
    ("openmpi", 3),
    ("mpich", 3),
    ("shmem", 2),
    ("ofi", 2),
]

SUBSTRATES = {
    "processes": "processes",
    "nodes": "processes",
    "openmpi": "mpi",
    "mpich": "mpi",
    "shmem": "shmem",
    "ofi": "ofi",
}


@functools.cache
def outcome_of(launcher: str, pes: int) -> dict[str, str]:
    with tempfile.TemporaryDirectory() as folder:
        outcome = Path(folder) / "outcome.json"
        job = launch(launcher, pes, Path(__file__).parent / "job.py", str(outcome))
        if not outcome.exists():
            pytest.fail(f"the job failed with status {job.returncode}:\n{job.stdout}{job.stderr}")
        assert job.returncode == 0, job.stderr
        told = json.loads(outcome.read_text())
        assert (told["size"], told["substrate"]) == (pes, SUBSTRATES[launcher])
        return told["outcome"]


@pytest.mark.parametrize("name", all_checks())
@pytest.mark.parametrize(("launcher", "pes"), JOBS)
def test_check(launcher: str, pes: int, name: str) -> None:
    if not is_there(launcher):
        pytest.skip(f"there is no launcher of {launcher}")
    outcome = outcome_of(launcher, pes)
    if name not in outcome:
        pytest.fail("was not run, as one before it failed")
    assert outcome[name] == ""
