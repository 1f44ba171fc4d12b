"""Runs the programs of experiments on this machine itself, and describes it as a network.

Processes share memory; two nodes are two network namespaces with a cable between them, as those of
tests/nodes, and an MPI.
"""

import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass, replace
from pathlib import Path

from simulator import Network, Run

HERE = Path(__file__).resolve().parent
REPOSITORY = HERE.parent
CORES = len(os.sched_getaffinity(0))


@dataclass(frozen=True)
class Place:
    """`launcher`: processes, or an MPI that starts them on two nodes."""

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
    """`boxcar` is the command in a build folder, whose library the programs are linked with."""

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
            command += [f"-I{REPOSITORY / 'include'}", str(HERE / "programs" / f"{name}.cpp")]
            command += ["-o", str(file), f"-L{self.build / 'src'}", "-lboxcar", "-ldl"]
            subprocess.run(command, check=True)
            self.programs[name] = file
        return self.programs[name]

    def seconds(self, place, program, pes, settings, times=5):
        """The least of several runs: what others do on the machine only adds."""
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
    """What a number of the network is chosen by: so that a simulated run takes as long as this one.
    `others` change with it, by a factor each."""

    key: str
    program: str
    pes: int
    settings: dict
    most: float
    others: tuple = ()

    def __str__(self):
        words = " ".join(f"{name}={value}" for name, value in self.settings.items())
        return f"{self.program} {words} with {self.pes} PE{'s'[: self.pes > 1]}"


ITEMS = 400_000
SESSIONS = 5  # of a run; the first ones touch memory for the first time
# Pulls take 7.5 instructions where pushes take 18.5 (boxcar/network.hpp).
OF_CORES = [
    Measurement("core.push", "traffic", 1, {"items": ITEMS}, 100, (("core.pull", 0.4),)),
    Measurement("core.byte", "traffic", 1, {"items": ITEMS, "item_bytes": 128}, 10),
    Measurement("same_node.overhead", "traffic", 2, {"items": ITEMS, "buffer": 128}, 1e4),
    Measurement("core.pivot", "traffic", 4, {"items": ITEMS, "hops": 2, "group": 2}, 100),
    Measurement("core.change", "traffic", 8, {"items": ITEMS, "buffer": 512}, 1e6),
]
BETWEEN_NODES = [
    Measurement("other_node.latency", "ping_pong", 2, {}, 1e7),
    Measurement("other_node.overhead", "traffic", 2, {"items": 100_000, "buffer": 512}, 1e6),
    Measurement("other_node.gap_per_byte", "ping_pong", 2, {"bytes": 65536}, 100),
    Measurement(
        "other_node.overhead_per_byte",
        "traffic",
        2,
        {"items": 50_000, "item_bytes": 128, "buffer": 16384},
        100,
    ),
]


class Fit:
    """Numbers by which simulated runs take as long as those on this machine."""

    def __init__(self, machine, simulator, place):
        self.machine, self.simulator, self.place = machine, simulator, place
        self.values = {"cores_per_node": place.cores_per_node()}
        self.values |= {"other_node.gap": 0, "core.miss": 0}
        for m in [*OF_CORES, *BETWEEN_NODES]:
            self.set(m, 0)
        # A PE that polls sees what another has stored: as it is, then.
        half = machine.seconds(PROCESSES, "ping_pong", 2, {})
        self.values["same_node.latency"] = 1e9 * half
        self.measured = {}
        for m in self.measurements():
            self.measured[m.key] = machine.seconds(self.where(m), m.program, m.pes, m.settings)

    def measurements(self):
        return OF_CORES + (BETWEEN_NODES if self.place.nodes() > 1 else [])

    def where(self, m):
        return self.place if m in BETWEEN_NODES else PROCESSES

    def set(self, m, value):
        self.values[m.key] = value
        for key, factor in m.others:
            self.values[key] = factor * value

    def network(self, place=None):
        cores = (place or self.place).cores_per_node()
        return Network("", self.values | {"cores_per_node": cores})

    def simulated(self, m):
        place = self.where(m)
        per_node = -(-m.pes // place.nodes())
        run = Run(m.program, m.pes, per_node, self.network(place), m.settings)
        return self.simulator.all([run])[0]["seconds"]

    def run(self, rounds=3, steps=14):
        """One number after the other, and again, for each run depends on several."""
        for _ in range(rounds):
            for m in self.measurements():
                low, high = 0.0, m.most
                self.set(m, high)
                if self.simulated(m) < self.measured[m.key]:
                    sys.exit(
                        f"{m.key}: {m} took {1e3 * self.measured[m.key]:.4g} ms, and simulated not "
                        f"so long even with {high:g}: let nothing else run meanwhile"
                    )
                for _ in range(steps):
                    # Finer near zero.
                    middle = (low + high) / 2 if low > 0 else high / 4
                    self.set(m, middle)
                    if self.simulated(m) < self.measured[m.key]:
                        low = middle
                    else:
                        high = middle
                self.set(m, low)
        return self

    def text(self):
        lines = [
            f"# This machine, fitted by experiments/fit: {self.place.launcher}, {CORES} cores.",
            "# Each number is such that a simulated run takes as long as one here did.",
            "",
        ]
        by_key = {m.key: m for m in self.measurements()}
        for key, value in self.values.items():
            if (m := by_key.get(key)) is not None:
                lines.append(
                    f"# {m}: {1e3 * self.measured[key]:.4g} ms, "
                    f"simulated {1e3 * self.simulated(m):.4g} ms"
                )
            lines.append(f"{key} = {value:.4g}")
        return "\n".join(lines) + "\n"
