"""The program of a job: runs the checks, and PE 0 writes the result of each check, and of the
job."""

from __future__ import annotations

import json
import sys
import traceback
from pathlib import Path

import boxcar

sys.path.insert(0, str(Path(__file__).parent))

from checks import all_checks  # noqa: E402


def run_checks(world: boxcar.World) -> dict[str, str]:
    """An empty text, or the error, for each check; nothing for checks behind an error."""
    outcome = {}
    for name, check in all_checks().items():
        problem = ""
        try:
            check(world)
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
    outcome = run_checks(here)
    if here.rank == 0:
        job = {"size": here.size, "substrate": here.substrate, "outcome": outcome}
        Path(sys.argv[1]).write_text(json.dumps(job))
