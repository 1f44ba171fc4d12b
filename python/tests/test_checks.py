"""Every check in every kind of job. A job runs all of its checks, one after another.

In the gate a check runs in the jobs of 2 and 5 processes, and in one of the others; a check marked
``everywhere`` and, in the other tiers (BOXCAR_TEST_TIER), all checks run in all jobs.
"""

from __future__ import annotations

import functools
import json
import os
import tempfile
from pathlib import Path

import pytest
from checks import all_checks, is_for_all_jobs
from launching import is_there, launch

WITH_ALL_CHECKS = [("processes", 2), ("processes", 5)]
WITH_SOME_CHECKS = [
    ("processes", 1),
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


def checks_of(launcher: str, pes: int) -> list[str]:
    """The names of the checks that this kind of job runs."""
    checks = all_checks()
    if os.environ.get("BOXCAR_TEST_TIER", "gate") != "gate" or (launcher, pes) in WITH_ALL_CHECKS:
        return list(checks)
    turn = WITH_SOME_CHECKS.index((launcher, pes))
    return [
        name
        for place, (name, check) in enumerate(checks.items())
        if place % len(WITH_SOME_CHECKS) == turn or is_for_all_jobs(check)
    ]


@functools.cache
def outcome_of(launcher: str, pes: int) -> dict[str, str]:
    with tempfile.TemporaryDirectory() as folder:
        names = Path(folder) / "names.json"
        names.write_text(json.dumps(checks_of(launcher, pes)))
        outcome = Path(folder) / "outcome.json"
        job = launch(launcher, pes, Path(__file__).parent / "job.py", str(names), str(outcome))
        if not outcome.exists():
            pytest.fail(f"the job failed with status {job.returncode}:\n{job.stdout}{job.stderr}")
        assert job.returncode == 0, job.stderr
        told = json.loads(outcome.read_text())
        assert (told["size"], told["substrate"]) == (pes, SUBSTRATES[launcher])
        return told["outcome"]


@pytest.mark.parametrize(
    ("launcher", "pes", "name"),
    [
        (launcher, pes, name)
        for launcher, pes in WITH_ALL_CHECKS + WITH_SOME_CHECKS
        for name in checks_of(launcher, pes)
    ],
)
def test_check(launcher: str, pes: int, name: str) -> None:
    if not is_there(launcher):
        pytest.skip(f"there is no launcher of {launcher}")
    outcome = outcome_of(launcher, pes)
    if name not in outcome:
        pytest.fail("was not run, as one before it failed")
    assert outcome[name] == ""
