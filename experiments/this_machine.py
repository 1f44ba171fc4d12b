"""Runs the programs of experiments on this machine itself, and describes it as a network.

Processes share memory; two nodes are two network namespaces with a cable between them, as those of
tests/nodes, and an MPI.
"""

import math
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from simulator import Network, Run

HERE = Path(__file__).resolve().parent
REPOSITORY = HERE.parent
CORES = len(os.sched_getaffinity(0))


@dataclass(frozen=True)
class Place:
    """`launcher` starts processes, or is an MPI that starts them on two nodes."""

    launcher: str

    def nodes(self):
        return 1 if self.launcher == "processes" else 2

    def cores_per_node(self):
        return max(1, CORES // self.nodes())


PROCESSES = Place("processes")
PLACES = [PROCESSES, Place("openmpi"), Place("mpich")]


def run_to_its_end(command, environment, tries=5):
    """Debian's MPICH sometimes does not come to the end of MPI_Finalize between two nodes."""
    for _ in range(tries):
        try:
            done = subprocess.run(
                command, capture_output=True, text=True, env=environment, timeout=30
            )
        except subprocess.TimeoutExpired:
            continue
        if done.returncode != 0:
            sys.exit(f"{' '.join(command)}\n{done.stdout}{done.stderr}")
        return done
    sys.exit(f"{' '.join(command)} has not come to an end in 30 seconds, {tries} times")


class ThisMachine:
    """`boxcar` is the command in a build folder; the programs are linked with the folder's
    library."""

    def __init__(self, boxcar):
        self.boxcar = boxcar
        self.build = boxcar.parent.parent
        self.programs = {}

    def __enter__(self):
        self.folder = tempfile.TemporaryDirectory(prefix="boxcar-experiments-")
        return self

    def __exit__(self, *_):
        self.folder.cleanup()

    def program(self, name):
        if name not in self.programs:
            file = Path(self.folder.name) / name
            compiler = os.environ.get("CXX", "c++").split()
            command = [*compiler, "-std=c++20", "-O2", "-DNDEBUG", "-pthread", "-rdynamic"]
            command += [f"-I{REPOSITORY / 'include'}", f"-I{REPOSITORY / 'examples'}"]
            command += [str(HERE / "programs" / f"{name}.cpp")]
            command += ["-o", str(file), f"-L{self.build / 'src'}", "-lboxcar", "-ldl"]
            subprocess.run(command, check=True)
            self.programs[name] = file
        return self.programs[name]

    def seconds(self, place, program, pes, settings, times=5):
        """The least time of several runs: other load on the machine only adds."""
        settings = {"sessions": SESSIONS} | settings if program == "traffic" else settings
        command = [str(self.program(program)), *(f"{k}={v}" for k, v in settings.items())]
        if place == PROCESSES:
            command = [str(self.boxcar), "run", "-n", str(pes), "--", *command]
        else:
            nodes = REPOSITORY / "tests" / "nodes" / "two_nodes.sh"
            command = [str(nodes), place.launcher, str(pes), *command]
        environment = os.environ | {"BOXCAR_LIBRARY_PATH": str(self.build / "lib")}
        found = []
        for _ in range(times):
            done = run_to_its_end(command, environment)
            lines = (line.split() for line in done.stdout.splitlines())
            found += [float(words[1]) for words in lines if words[0] == "seconds"]
        return min(found)


@dataclass(frozen=True)
class Measurement:
    """A program whose time on the simulated machine is fitted to its time on this machine."""

    program: str
    pes: int
    settings: dict

    def __str__(self):
        words = " ".join(f"{name}={value}" for name, value in self.settings.items())
        return f"{self.program} {words} with {self.pes} PE{'s'[: self.pes > 1]}"


ITEMS = 400_000  # of all PEs, in bytes of 8
SESSIONS = 5  # of a run; the first ones touch memory for the first time


def traffic(pes, ways, sizes_and_buffers):
    """Traffic over as many hops as the PEs allow, in groups of `ways`."""
    for n in pes:
        for size, buffer in sizes_and_buffers:
            base = {"items": ITEMS * 8 // size // n, "item_bytes": size, "buffer": buffer}
            yield Measurement("traffic", n, base | {"hops": 1})
            for hops, (least_pes, group) in ways.items():
                if n >= least_pes:
                    yield Measurement("traffic", n, base | {"hops": hops, "group": group})


OF_CORES = list(
    traffic(
        [1, 2, 3, 6, 12, 24, 48],
        {2: (6, 3), 3: (12, 3)},
        [(8, 512), (8, 2048), (8, 16384), (32, 4096)],
    )
)
BETWEEN_NODES = [Measurement("ping_pong", 2, {"bytes": size}) for size in (8, 4096, 65536)]
BETWEEN_NODES += traffic(
    [2, 4, 6], {2: (6, 3)}, [(8, 512), (8, 2048), (8, 16384), (32, 4096), (128, 16384)]
)


class Fit:
    """Numbers for which simulated runs take about as long as runs on this machine: first the
    numbers of cores, by processes of one node, then the numbers of the network between nodes."""

    # The start of the search, in nanoseconds. Pulls take 7.5 instructions where pushes take 18.5
    # (boxcar/network.hpp).
    CORES = {
        "core.push": 2,
        "core.pivot": 2,
        "core.byte": 0.03,
        "core.change": 1000,
        "same_node.overhead": 100,
    }
    PULL_OVER_PUSH = 0.4
    NODES = {
        "other_node.latency": 3000,
        "other_node.overhead": 3000,
        "other_node.overhead_per_byte": 0.2,
        "other_node.gap": 100,
        "other_node.gap_per_byte": 0.5,
    }

    def __init__(self, machine, simulator, place, cores=None, every=1):
        """`cores`: the known numbers of cores. `every`: every measurement, or every second
        measurement, and so on."""
        self.simulator, self.place = simulator, place
        self.stages = []
        if cores is None:
            # A polling PE sees the store of another PE: the measured time is the latency itself.
            half = machine.seconds(PROCESSES, "ping_pong", 2, {}, times=20)
            cores = {"core.miss": 0, "same_node.latency": 1e9 * half}
            self.stages.append((PROCESSES, self.CORES, OF_CORES[::every]))
        if place != PROCESSES:
            self.stages.append((place, self.NODES, BETWEEN_NODES[::every]))
        self.values = dict(cores)
        self.measured = {
            (where, str(m)): machine.seconds(where, m.program, m.pes, m.settings, times=3)
            for where, _, measurements in self.stages
            for m in measurements
        }

    def network(self, where=None, values=None):
        values = (values or self.values) | {"cores_per_node": (where or self.place).cores_per_node()}
        if "core.push" in values:
            values["core.pull"] = self.PULL_OVER_PUSH * values["core.push"]
        return Network("", {key: f"{value:.4g}" for key, value in values.items()})

    def simulated(self, where, measurements, values=None):
        """Seconds."""
        network = self.network(where, values)
        runs = []
        for m in measurements:
            settings = m.settings | ({"sessions": 2} if m.program == "traffic" else {})
            runs.append(Run(m.program, m.pes, -(-m.pes // where.nodes()), network, settings))
        return [found["seconds"] for found in self.simulator.all(runs)]

    def ratios(self, where, measurements, values=None):
        """Simulated time over the time on this machine."""
        simulated = self.simulated(where, measurements, values)
        return [s / self.measured[where, str(m)] for s, m in zip(simulated, measurements)]

    def error(self, where, measurements, values):
        ratios = self.ratios(where, measurements, values)
        return sum(abs(math.log(max(ratio, 1e-3))) for ratio in ratios) / len(ratios)

    def run(self):
        for where, begin, measurements in self.stages:
            self.values |= begin
            self.search(where, begin.keys(), measurements)
        return self

    def search(self, where, keys, measurements):
        """One number after the other goes up or down as long as the error gets less, in ever
        smaller steps. (Moving two numbers at once finds nothing better.)"""
        least = self.error(where, measurements, self.values)
        step = 2.0
        while step > 1.1:
            before = least
            for key in keys:
                for factor in (step, 1 / step):
                    while True:
                        values = self.values | {key: self.values[key] * factor}
                        error = self.error(where, measurements, values)
                        if error > 0.999 * least:
                            break
                        self.values, least = values, error
            if least == before:
                step **= 0.5

    def text(self):
        lines = [
            f"# This machine, fitted by experiments/fit: {self.place.launcher}, {CORES} cores.",
            "# The numbers are such that simulated runs take about as long as those here did:",
            "#",
        ]
        for where, _, measurements in self.stages:
            for m, ratio in zip(measurements, self.ratios(where, measurements)):
                seconds = self.measured[where, str(m)]
                lines.append(
                    f"# {where.launcher}, {m}: {1e3 * seconds:.4g} ms, "
                    f"simulated {1e3 * ratio * seconds:.4g} ms"
                )
        return "\n".join(lines) + "\n\n" + self.network().text()
