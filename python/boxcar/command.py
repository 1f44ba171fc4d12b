"""The command ``boxcar``, which the package carries."""

from __future__ import annotations

import sys
from pathlib import Path

PATH = Path(__file__).parent / "bin" / "boxcar"

_OPTIONS_WITH_VALUE = ("-n", "--nodes", "--timeout")


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
