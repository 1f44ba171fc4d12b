#!/usr/bin/env python3
"""Experiments run, on small machines.

experiments_test.py REPOSITORY BOXCAR
"""

import subprocess
import sys
from pathlib import Path

REPOSITORY, BOXCAR = Path(sys.argv[1]), sys.argv[2]


def run(*words):
    command = [str(REPOSITORY / "experiments" / "run"), "--boxcar", BOXCAR, *words]
    return subprocess.run(command, capture_output=True, text=True, timeout=200)


def test_what_is_found_is_told():
    names = ["append", "counting_puts", "item_size"]
    done = run("--quick", *names)
    assert done.returncode == 0, done.stdout + done.stderr
    for name in names:
        assert f"\n{name}: " in "\n" + done.stdout, done.stdout
    assert "  same shape: the improvement tapers off for very large messages" in done.stdout


def test_mistakes_are_named():
    done = run("aggregation")
    assert done.returncode == 2
    assert "there is no experiment aggregation" in done.stderr and "counting_puts" in done.stderr
    done = run("--quick", "--write")
    assert done.returncode == 2 and "--write with --quick" in done.stderr
    done = run("--resume")
    assert done.returncode == 2 and "--resume goes with --write" in done.stderr
    done = run("--stored", "--quick")
    assert done.returncode == 2 and "--stored and --check simulate no other runs" in done.stderr


for test in [value for name, value in list(globals().items()) if name.startswith("test_")]:
    test()
    print(f"{test.__name__}: passed")
