"""Targets of starts: from nothing to the end of a world in which nothing happens."""

import shlex
import tempfile

from part import Part
from parts.launchers import for_launchers
from runner import FOLDER
from target import Target

MILLISECOND = 1e-3
EMPTY_WORLD = "bench/empty_world/empty_world"


def parts(runner):
    return [start(), start_in_python(), *for_launchers(runner, start_by_mpi)]


def start():
    def measure(run):
        command = [run.boxcar, "run", "-n", "2", "--", run.built(EMPTY_WORLD)]
        return run.seconds_in_turns([command])[0]

    return Part("start", measure, [Target("start and end of 2 PEs, boxcar run", 10, "ms",
                                          lambda s: s / MILLISECOND, at_most=True)])


def start_in_python():
    def measure(run):
        program = FOLDER.parent / "python" / "time_of_run.py"
        return run.json_of([run.interpreter(), str(program), "--rounds", str(run.choose(21, 1))])

    return Part("start_in_python", measure,
                [Target("start and end of 2 PEs, boxcar.run in Python", 250, "ms",
                        lambda r: r["seconds"] / MILLISECOND, at_most=True)])


def start_by_mpi(launcher, name):
    """Compares with a program that initialises MPI and ends, in turns."""
    def measure(run):
        words = shlex.split(launcher)
        with tempfile.TemporaryDirectory() as folder:
            mpi_alone = run.compiled_by_mpi(launcher, FOLDER / "initialise.c", folder)
            ours, alone = run.seconds_in_turns(
                [[*words, run.built(EMPTY_WORLD)], [*words, mpi_alone]])
        return ours - alone

    return Part("start_by_mpi", measure,
                [Target(f"start and end, beyond those of MPI alone, {name}", 20, "ms",
                        lambda s: s / MILLISECOND, at_most=True)])
