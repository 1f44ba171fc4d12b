#!/usr/bin/env python3
"""Experiments run, on small machines; each has figures in data/experiments and a place in the docs.

experiments_test.py REPOSITORY BOXCAR
"""

import json
import subprocess
import sys
from pathlib import Path

REPOSITORY, BOXCAR = Path(sys.argv[1]), sys.argv[2]
NAMES = sorted(file.stem for file in (REPOSITORY / "experiments" / "catalogue").glob("*.py"))


def run(*words):
    command = [str(REPOSITORY / "experiments" / "run"), "--boxcar", BOXCAR, *words]
    return subprocess.run(command, capture_output=True, text=True, timeout=200)


def test_what_is_found_is_told():
    names = ["append", "counting_puts", "item_size"]
    done = run("--quick", *names)
    assert done.returncode == 0, done.stdout + done.stderr
    for name in names:
        assert f"\n{name}: " in "\n" + done.stdout, done.stdout
    # What no simulation has anything to do with but that it says how long messages take.
    assert "  yes at 1 KiB it is at least 1.6 times as fast" in done.stdout, done.stdout


def test_mistakes_are_named():
    done = run("aggregation")
    assert done.returncode == 2
    assert "there is no experiment aggregation" in done.stderr and "counting_puts" in done.stderr
    done = run("--quick", "--write")
    assert done.returncode == 2 and "--write with --quick" in done.stderr


def test_the_docs_tell_the_verdicts_of_all():
    page = (REPOSITORY / "docs" / "experiments.md").read_text()
    for name in NAMES:
        file = REPOSITORY / "data" / "experiments" / f"{name}.json"
        found = json.loads(file.read_text())
        link = f"](../data/experiments/{name}.json)"
        assert link in page, f"docs/experiments.md does not show {file.name}"
        row = next((line for line in page.splitlines() if line.startswith(f"| {name} |")), "")
        assert f"| {found['verdict']} |" in row, f"{name}: {found['verdict']}, but: {row}"
    others = {file.stem for file in (REPOSITORY / "data" / "experiments").glob("*.json")}
    assert others == set(NAMES), others ^ set(NAMES)


for test in [value for name, value in list(globals().items()) if name.startswith("test_")]:
    test()
    print(f"{test.__name__}: passed")
