"""Runs the programs of experiments by `boxcar simulate`."""

import json
import os
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

HERE = Path(__file__).resolve().parent
INCLUDE = HERE.parent / "include"
EXAMPLES = HERE.parent / "examples"
NETWORKS = HERE.parent / "networks"


def find_boxcar():
    builds = (HERE.parent / "build").glob("*/bin/boxcar")
    found = sorted(builds, key=lambda file: file.stat().st_mtime)
    if not found:
        sys.exit("there is no build/*/bin/boxcar: build Boxcar, or give --boxcar FILE")
    return found[-1]


@dataclass(frozen=True)
class Network:
    """A network of networks/, or none; some settings are changed, or left out (None)."""

    name: str
    changes: dict = field(default_factory=dict)

    def text(self):
        text = (NETWORKS / f"{self.name}.network").read_text() if self.name else ""
        for key in self.changes:
            text = re.sub(rf"^{re.escape(key)} *=.*\n", "", text, flags=re.MULTILINE)
        return text + "".join(
            f"{key} = {value}\n" for key, value in self.changes.items() if value is not None
        )

    def number(self, key):
        """The value in the file, or the changed value."""
        return float(re.search(rf"^{re.escape(key)} *= *(\S+)", self.text(), re.MULTILINE)[1])


@dataclass(frozen=True)
class Run:
    """A program on a machine, with its settings in `settings`."""

    program: str
    pes: int
    pes_per_node: int
    network: Network
    settings: dict

    def words(self):
        return [f"{name}={value}" for name, value in self.settings.items()]

    def __str__(self):
        changes = "".join(f", {key} = {value}" for key, value in self.network.changes.items())
        return (
            f"boxcar simulate --pes {self.pes} --pes-per-node {self.pes_per_node} "
            f"--network {self.network.name}{changes} -- {self.program}.so {' '.join(self.words())}"
        )


class Simulator:
    def __init__(self, boxcar, jobs):
        self.boxcar = boxcar
        self.workers = ThreadPoolExecutor(max(1, jobs))

    def __enter__(self):
        self.folder = tempfile.TemporaryDirectory(prefix="boxcar-experiments-")
        self.modules = {}
        self.networks = {}
        return self

    def __exit__(self, *_):
        self.workers.shutdown(cancel_futures=True)
        self.folder.cleanup()

    def all(self, runs):
        """The findings of the runs, in the order of the runs: dictionaries of numbers."""
        runs = list(runs)
        self.prepare(runs)
        return [point["found"] for point in self.workers.map(self.point_of, runs)]

    def prepare(self, runs):
        """Compiles the programs of the runs, and writes the files of their networks."""
        for program in sorted({run.program for run in runs}):
            self.build(program)
        for run in runs:
            self.write_network(run.network)

    def build(self, program):
        if program in self.modules:
            return
        module = Path(self.folder.name) / f"{program}.so"
        compiler = os.environ.get("CXX", "c++").split()
        subprocess.run(
            [*compiler, "-std=c++20", "-O2", "-DNDEBUG", "-shared", "-fPIC"]
            + [f"-I{INCLUDE}", f"-I{EXAMPLES}"]
            + [str(HERE / "programs" / f"{program}.cpp"), "-o", str(module)],
            check=True,
        )
        self.modules[program] = module

    def write_network(self, network):
        text = network.text()
        if text not in self.networks:
            file = Path(self.folder.name) / f"{len(self.networks)}.network"
            file.write_text(text)
            self.networks[text] = file

    def point_of(self, run):
        """Simulates the run: a point as points.py stores it."""
        account = tempfile.NamedTemporaryFile(dir=self.folder.name, suffix=".json")
        command = [str(self.boxcar), "simulate", "--quiet", "--json", account.name]
        command += ["--pes", str(run.pes), "--pes-per-node", str(run.pes_per_node)]
        command += ["--stack", "64KiB"]
        command += ["--network", str(self.networks[run.network.text()])]
        command += ["--", str(self.modules[run.program]), *run.words()]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(f"{run}\n{done.stdout}{done.stderr}")
        printed = (line.split() for line in done.stdout.splitlines())
        found = {name: float(value) for name, value in printed}
        simulation = json.loads(Path(account.name).read_text())
        took = round(simulation["seconds"], 2)
        return {"run": str(run), "found": found, "trace": simulation["trace_hash"], "took": took}


def found_by(simulator, runs):
    """The findings of the runs, by the keys of the runs."""
    return dict(zip(runs, simulator.all(runs.values())))


def seconds_by(simulator, runs):
    """The times that the runs find, by the keys of the runs."""
    return {key: found["seconds"] for key, found in found_by(simulator, runs).items()}


def seconds_of(simulator, program, pes, network, ways, sizes):
    """The time of one PE on each node, by the settings `way` and `bytes`."""
    return seconds_by(
        simulator,
        {
            (way, size): Run(program, pes, 1, network, {"way": way, "bytes": size})
            for way in ways
            for size in sizes
        },
    )
