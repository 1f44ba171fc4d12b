"""The program of a job, ``job.py NAMES OUTCOME``: runs the checks that the file NAMES has, and PE 0
writes the result of each check, and of the job."""

from __future__ import annotations

import json
import sys
import traceback
from pathlib import Path

import boxcar

sys.path.insert(0, str(Path(__file__).parent))

from checks import all_checks  # noqa: E402


def run_checks(world: boxcar.World, names: list[str]) -> dict[str, str]:
    """An empty text, or the error, for each check; nothing for checks behind an error."""
    outcome = {}
    checks = all_checks()
    for name in names:
        problem = ""
        try:
            checks[name](world)
        except Exception:
            problem = f"on PE {world.rank} of {world.size}:\n{traceback.format_exc()}"
        try:
            problems = world.all_gather(problem)
        except boxcar.Error:
            problems = [problem or traceback.format_exc()]
        outcome[name] = "\n".join(filter(None, problems))
        if outcome[name]:
            break
    return outcome


if __name__ == "__main__":
    here = boxcar.world()
    outcome = run_checks(here, json.loads(Path(sys.argv[1]).read_text()))
    if here.rank == 0:
        job = {"size": here.size, "substrate": here.substrate, "outcome": outcome}
        Path(sys.argv[2]).write_text(json.dumps(job))
