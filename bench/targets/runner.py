"""The runner of commands: it measures with Boxcar's own command, launchers and interpreters."""

import json
import os
import shlex
import shutil
import statistics
import subprocess
import tempfile
import time
from pathlib import Path

from measurement_error import MeasurementError, NotMeasured
from report import Report

FOLDER = Path(__file__).resolve().parent
# Of `--quick`, which shows that everything can be measured: its figures mean nothing.
QUICK_ITEMS = 2000


class Runner:
    def __init__(self, boxcar, launchers=(), python=None, quick=False, large=False):
        self.boxcar = boxcar
        self.launchers = list(launchers)
        self.python = python
        self.quick = quick
        self.large = large

    def choose(self, full, quick):
        """A size, or a number of rounds."""
        return quick if self.quick else full

    def bench(self, line, launcher="", nodes=1, rounds=5, items=None, quick_items=QUICK_ITEMS):
        """The report of `boxcar bench`. A contender that fails makes the command fail, but not the
        others: the report says so."""
        words = [*shlex.split(launcher), self.boxcar, "bench", *shlex.split(line),
                 "--rounds", str(self.choose(rounds, 1))]
        if self.choose(items, quick_items) is not None:
            words += ["--items", str(self.choose(items, quick_items))]
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder, "report.json")
            self._show(words, nodes)
            problem = self._run([*words, "--json", str(file)], nodes)
            if not file.exists():
                raise MeasurementError(problem or "the command wrote no report")
            report = json.loads(file.read_text(encoding="utf-8"))
        if not report["complete"]:
            raise MeasurementError(problem or "the command ended early")
        return Report(report)

    def bench_often(self, line, runs=5, **how):
        """The reports of several runs of the command."""
        return [self.bench(line, **how) for _ in range(self.choose(runs, 1))]

    def json_of(self, command):
        """The document that a program writes into the file whose name is appended."""
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder, "figures.json")
            self._show(command)
            problem = self._run([*command, "--json", str(file)])
            if problem or not file.exists():
                raise MeasurementError(problem or "the command wrote no figures")
            return json.loads(file.read_text(encoding="utf-8"))

    def seconds_in_turns(self, commands, rounds=21):
        """The median times of programs from start to end, in seconds. They take turns."""
        times = [[] for _ in commands]
        for command in commands:
            self._show(command)
        for _ in range(self.choose(rounds, 1) + 1):
            for command, each in zip(commands, times):
                start = time.perf_counter()
                problem = self._run(command)
                each.append(time.perf_counter() - start)
                if problem:
                    raise MeasurementError(problem)
        return [statistics.median(each[1:]) for each in times]  # the first round warms up

    def interpreter(self):
        """The interpreter that has the package."""
        if self.python is None:
            raise NotMeasured("give --python PYTHON, an interpreter in which boxcar is installed")
        return self.python

    def compiled_by_mpi(self, launcher, source, folder):
        """A program in C, compiled by the compiler that belongs to a launcher of MPI."""
        name = Path(shlex.split(launcher)[0]).name
        _, _, library = name.partition(".")
        compiler = shutil.which(f"mpicc.{library}" if library else "mpicc")
        if compiler is None:
            raise NotMeasured(f"there is no compiler mpicc for {name}: install it")
        program = str(Path(folder, "program"))
        problem = self._run([compiler, str(source), "-o", program])
        if problem:
            raise MeasurementError(problem)
        return program

    def built(self, path):
        """A program of the build in which the command lies."""
        program = Path(self.boxcar).resolve().parent.parent / path
        if not os.access(program, os.X_OK):
            raise NotMeasured(f"there is no {program}: give the command of a complete build")
        return str(program)

    def _show(self, words, nodes=1):
        print(" ".join(["$", *[f"{name}={value}" for name, value in spread_over(nodes).items()],
                        shlex.join(words)]), flush=True)

    def _run(self, words, nodes=1):
        """Runs a command. Returns what it said if it failed, or an empty string."""
        run = subprocess.run(words, env={**os.environ, **spread_over(nodes)}, capture_output=True,
                             text=True, errors="replace", check=False)
        if run.returncode == 0:
            return ""
        said = (run.stderr.strip() or run.stdout.strip()).splitlines()
        ours = [line for line in said if line.startswith("boxcar")]  # not those of the launcher
        return (f"{Path(words[0]).name} failed with status {run.returncode}: "
                f"{' '.join((ours or said)[-3:])}")


def spread_over(nodes):
    """The environment in which PEs are spread over pretended nodes."""
    return {"BOXCAR_NODES": str(nodes)} if nodes > 1 else {}


def name_of_launcher(launcher):
    return Path(shlex.split(launcher)[0]).name
