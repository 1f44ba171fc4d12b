"""The command ``boxcar``, which is a part of the package."""

from __future__ import annotations

import os
import sys
from pathlib import Path

PATH = Path(__file__).parent / "bin" / "boxcar"

_OPTIONS_WITH_VALUE = (
    "-n",
    "--nodes",
    "--timeout",
    "--hosts",
    "--hostfile",
    "--agent",
    "--agent-timeout",
    "--env",
)
# Variables by which launchers give processes their rank.
_OF_LAUNCHERS = ("BOXCAR_JOB", "OMPI_", "PMI_", "PMIX_", "SLURM_")


def environment_alone() -> dict[str, str]:
    """That of a command which is no part of a job, though this process may be a PE."""
    return {name: value for name, value in os.environ.items() if not name.startswith(_OF_LAUNCHERS)}


def with_interpreter(words: list[str]) -> list[str]:
    """So that ``run -n 4 script.py`` starts the script by this interpreter."""
    if not words or words[0] != "run":
        return words
    place = 1
    while place < len(words) and words[place].startswith("-") and words[place] != "--":
        place += 2 if words[place] in _OPTIONS_WITH_VALUE else 1
    if place < len(words) and words[place] == "--":
        place += 1
    if place < len(words) and words[place].endswith(".py"):
        return [*words[:place], sys.executable, *words[place:]]
    return words
