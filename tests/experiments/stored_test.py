#!/usr/bin/env python3
"""The stored runs of experiments give the stored figures, and the shortest run of each gives the
stored numbers again.

stored_test.py REPOSITORY BOXCAR [NAME...]

Without names a changed number is found as well: the test changes one in a copy.
"""

import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

REPOSITORY, BOXCAR, NAMES = Path(sys.argv[1]), sys.argv[2], sys.argv[3:]
ALL_POINTS = sorted((REPOSITORY / "data" / "experiments" / "points").glob("*.jsonl"))


def run(repository, *words):
    command = [str(repository / "experiments" / "run"), "--boxcar", BOXCAR, "--jobs", "1", *words]
    return subprocess.run(command, capture_output=True, text=True, timeout=500)


def copy_of_repository(folder):
    """The parts that experiments need; their figures are copies."""
    for name in ("include", "examples", "networks"):
        (folder / name).symlink_to(REPOSITORY / name)
    for name in ("experiments", "data/experiments"):
        shutil.copytree(REPOSITORY / name, folder / name)
    return folder


def test_the_shortest_runs_give_the_stored_numbers():
    done = run(REPOSITORY, "--check", *NAMES)
    assert done.returncode == 0, done.stdout + done.stderr
    for name in NAMES or [file.stem for file in ALL_POINTS]:
        assert f"{name}: as stored" in done.stdout, done.stdout


def test_figures_and_verdicts_come_from_the_stored_runs():
    names = [file.stem for file in ALL_POINTS]
    with tempfile.TemporaryDirectory() as folder:
        copy = copy_of_repository(Path(folder))
        done = run(copy, "--stored", "--write", *names)
        assert done.returncode == 0, done.stdout + done.stderr
        for name in names:
            again, stored = (
                json.loads((place / "data" / "experiments" / f"{name}.json").read_text())
                for place in (copy, REPOSITORY)
            )
            for part in ("claims", "panels", "remarks", "verdict"):
                assert again[part] == stored[part], f"{name}: {part}"


def test_a_changed_number_is_noticed():
    name = ALL_POINTS[0].stem
    with tempfile.TemporaryDirectory() as folder:
        copy = copy_of_repository(Path(folder))
        file = copy / "data" / "experiments" / "points" / f"{name}.jsonl"
        points = [json.loads(line) for line in file.read_text().splitlines()]
        shortest = min(points, key=lambda point: (point["took"], point["run"]))
        shortest["found"]["seconds"] += 1e-9
        file.write_text("".join(json.dumps(point) + "\n" for point in points))
        done = run(copy, "--check", name)
    assert done.returncode != 0 and "stored: " in done.stderr, done.stdout + done.stderr


for test in [value for name, value in list(globals().items()) if name.startswith("test_")]:
    if NAMES and test is test_a_changed_number_is_noticed:
        continue  # a test of a few experiments does not compile a program for this alone
    test()
    print(f"{test.__name__}: passed")
