"""The findings of simulated runs, stored by the command of each run.

A file of data/experiments/points/ has a line for each run of an experiment: the command, the
numbers that the program prints, the hash of the trace, and the seconds that the simulation took.
Simulations are deterministic: the command gives the same numbers and the same hash again.
"""

import json
import sys
import threading
from pathlib import Path

FOLDER = Path(__file__).resolve().parent.parent / "data" / "experiments" / "points"


class Points:
    """The stored runs of an experiment. New findings are appended to the file at once, so that an
    interrupted experiment can be resumed."""

    def __init__(self, file):
        self.file = file
        self.stored = {}
        self.used = {}
        self.lock = threading.Lock()
        if file.exists():
            for line in file.read_text().splitlines():
                point = json.loads(line)
                self.stored[point["run"]] = point

    def cheapest(self):
        """The command of the stored run whose simulation takes the least time."""
        return min(self.stored.values(), key=lambda point: (point["took"], point["run"]))["run"]

    def seconds(self):
        """The seconds that the simulations of the experiment took, one after the other."""
        return round(sum(point["took"] for point in self.used.values()))

    def clear(self):
        self.stored = {}
        self.file.unlink(missing_ok=True)

    def find(self, command):
        """The stored point, or None."""
        with self.lock:
            point = self.stored.get(command)
            if point:
                self.used[command] = point
            return point

    def add(self, point):
        with self.lock:
            self.stored[point["run"]] = self.used[point["run"]] = point
            self.file.parent.mkdir(parents=True, exist_ok=True)
            with self.file.open("a") as file:
                file.write(json.dumps(point) + "\n")

    def keep_used(self):
        """Removes the points of runs that the experiment no longer makes."""
        lines = (json.dumps(self.used[command]) for command in sorted(self.used))
        self.file.write_text("".join(line + "\n" for line in lines))


class Recorder:
    """A simulator that stores what its runs find. With `resume` a stored run is not repeated."""

    def __init__(self, simulator, points, resume):
        self.simulator, self.points, self.resume = simulator, points, resume
        if not resume:
            points.clear()

    def __getattr__(self, name):
        return getattr(self.simulator, name)

    def all(self, runs):
        """The findings of the runs, in the order of the runs: dictionaries of numbers."""
        runs = list(runs)
        known = {str(run): self.points.find(str(run)) for run in runs} if self.resume else {}
        missing = list({str(run): run for run in runs if not known.get(str(run))}.values())
        self.simulator.prepare(missing)
        for point in self.simulator.workers.map(self.simulate, missing):
            known[point["run"]] = point
        return [known[str(run)]["found"] for run in runs]

    def simulate(self, run):
        point = self.simulator.point_of(run)
        self.points.add(point)
        return point


class StoredRuns:
    """A simulator that simulates nothing: it finds the stored runs. With a `sample`, the command of
    one run, this run is simulated after all, and must give the stored numbers and hash again."""

    def __init__(self, simulator, points, sample=None):
        self.simulator, self.points, self.sample = simulator, points, sample

    def __getattr__(self, name):
        return getattr(self.simulator, name)

    def all(self, runs):
        """The findings of the runs, in the order of the runs: dictionaries of numbers."""
        return [self.find(run)["found"] for run in runs]

    def find(self, run):
        point = self.points.find(str(run))
        if point is None:
            sys.exit(f"{self.points.file.name} does not have {run}: store it by --write")
        if point["run"] == self.sample:
            self.simulator.prepare([run])
            again = self.simulator.point_of(run)
            for part in ("found", "trace"):
                if again[part] != point[part]:
                    sys.exit(f"{run}\nstored: {point[part]}\nnow:    {again[part]}")
        return point
