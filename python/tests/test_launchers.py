"""Tests of scripts as PEs: under every launcher, with errors."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import boxcar
import pytest
from launching import BOXCAR, LAUNCHERS, is_there, launch


def _script(folder: Path, text: str) -> Path:
    script = folder / "script.py"
    script.write_text("import boxcar, os, sys, numpy as np\nworld = boxcar.world()\n" + text)
    return script


def _skip_without(launcher: str) -> None:
    if not is_there(launcher):
        pytest.skip(f"there is no launcher of {launcher}")


def test_alone(tmp_path: Path) -> None:
    script = _script(tmp_path, "print(world.size, world.exchange([5, 6], [0, 0]).items)")
    done = subprocess.run([sys.executable, script], capture_output=True, text=True)
    assert done.stdout == "1 [5 6]\n", done.stderr


def test_pes_that_are_threads(tmp_path: Path) -> None:
    """PEs of Python cannot be threads: an error, and not one PE instead of four."""
    script = _script(tmp_path, "print(world.size)")
    for words, pes, told in [
        ([], "4", ["BOXCAR_PES=4", "boxcar run -n 4"]),
        ([*BOXCAR, "-n", "4", "--threads", "--"], "", ["leave --threads out"]),
    ]:
        done = subprocess.run(
            [*words, sys.executable, script],
            env={**os.environ, "BOXCAR_PES": pes},
            capture_output=True,
            text=True,
        )
        assert done.returncode != 0, done.stdout
        for text in told:
            assert text in done.stderr
    alone = {**os.environ, "BOXCAR_PES": "1"}
    done = subprocess.run([sys.executable, script], env=alone, capture_output=True, text=True)
    assert done.stdout == "1\n", done.stderr


@pytest.mark.parametrize("launcher", ["processes", "openmpi"])
@pytest.mark.parametrize("kind", ["Pool", "Process"])
def test_children_of_a_pe_are_none(tmp_path: Path, launcher: str, kind: str) -> None:
    """Children are no PEs, even if they run the script as the PE does, up to ``boxcar.world()``."""
    _skip_without(launcher)
    text = """
import multiprocessing
if __name__ == "__main__":
    spawn = multiprocessing.get_context("spawn")
    if "Pool" in sys.argv:
        with spawn.Pool(2) as pool:
            pool.map(abs, [1, -2])
    child = spawn.Process(target=abs, args=(1,))
    child.start()
    child.join()
    world.barrier()
    print(f"exit code {child.exitcode}\\n", end="", flush=True)
"""
    done = launch(launcher, 2, _script(tmp_path, text), kind, timeout=60)
    assert 'if __name__ == "__main__"' in done.stderr, done.stderr
    assert (done.returncode == 0) == (kind == "Process"), done.stderr
    assert done.stdout.count("exit code 1") == (2 if kind == "Process" else 0), done.stdout


@pytest.mark.parametrize("launcher", LAUNCHERS)
def test_exception_is_told_once_and_ends_all(tmp_path: Path, launcher: str) -> None:
    _skip_without(launcher)
    text = "if world.rank == 1: raise KeyError('lost')\nworld.barrier()"
    done = launch(launcher, 2, _script(tmp_path, text), timeout=60)
    assert done.returncode != 0
    assert done.stderr.count("Traceback") == 1 and "KeyError: 'lost'" in done.stderr, done.stderr


@pytest.mark.parametrize("launcher", LAUNCHERS)
def test_script_that_ends_itself(tmp_path: Path, launcher: str) -> None:
    _skip_without(launcher)
    done = launch(launcher, 2, _script(tmp_path, "world.barrier()\nsys.exit(7)"), timeout=60)
    assert done.returncode == 7, done.stderr
    done = launch(launcher, 2, _script(tmp_path, "sys.exit(0)"), timeout=60)
    assert done.returncode == 0, done.stderr


def test_parts_are_left_at_the_end(tmp_path: Path) -> None:
    text = "part = world.split(world.rank % 2)\npart.barrier()\nprint('done')"
    for launcher in LAUNCHERS:
        if is_there(launcher):
            done = launch(launcher, 4, _script(tmp_path, text), timeout=60)
            assert done.returncode == 0 and done.stdout.count("done") == 4, done.stderr


# Objects open at the end, and waits for a failed PE.
OPEN = """
parts = [world.split(0), world.split(world.rank % 2)]
windows = [each.window(100, "i4") for each in [*parts, world]]
arrays = [each.local for each in windows]
buffer = parts[1].append_buffer(10, "i8", aggregate=True)
buffer.push(1, 0)
counter, run = world.counter(), world.all_reduce_async(1)
windows[2].put(1, (world.rank + 1) % world.size, counter=counter)
windows[2].get(0, wait=False)
"""
WAITS = {
    "counter": "counter.wait(2)",
    "counter in asyncio": "import asyncio; asyncio.run(counter.reached(2))",
    "run": "world.all_reduce_async(1).wait(); world.all_reduce_async(1).wait()",
    "window": "while True: windows[2].flush()",
    "part": "with parts[0]: parts[0].barrier()",
}


@pytest.mark.parametrize("launcher", LAUNCHERS)
def test_what_is_open_at_the_end(tmp_path: Path, launcher: str) -> None:
    _skip_without(launcher)
    ends = ["", "sys.exit(0)", "del windows, arrays, buffer, counter, run, parts"]
    for end in ends if launcher == "processes" else ends[:1]:
        script = _script(tmp_path, f"{OPEN}\nprint('done', flush=True)\n{end}")
        done = launch(launcher, 3, script, timeout=60)
        assert done.returncode == 0 and done.stdout.count("done") == 3, done.stderr
        assert "leaked" not in done.stderr, done.stderr


@pytest.mark.parametrize("wait", WAITS)
def test_waits_for_a_pe_that_has_failed(tmp_path: Path, wait: str) -> None:
    text = f"{OPEN}\nif world.rank == 1: raise KeyError('lost')\n{WAITS[wait]}"
    done = launch("processes", 3, _script(tmp_path, text), timeout=60)
    assert done.returncode != 0
    assert done.stderr.count("Traceback") == 1 and "KeyError: 'lost'" in done.stderr, done.stderr


def test_exceptions_leave_parts_without_waiting(tmp_path: Path) -> None:
    text = """
try:
    with world.split(0) as part, part.window(1, "i4"), part.append_buffer(1, "i4", aggregate=True):
        if part.rank == 0:
            raise KeyError("lost")
        part.barrier()
except (KeyError, boxcar.WorldError) as error:
    print(type(error).__name__)
"""
    done = launch("processes", 3, _script(tmp_path, text), timeout=60)
    assert done.stdout.split().count("WorldError") == 2 and "KeyError" in done.stdout, done.stderr


@pytest.mark.parametrize(
    "wait",
    ["counter.wait(1)", "buffer.wait(1)", "asyncio.run(counter.reached(1))"],
)
def test_ctrl_c_ends_waits(tmp_path: Path, wait: str) -> None:
    text = f"""
import asyncio, signal, threading
signal.signal(signal.SIGINT, signal.default_int_handler)
counter, buffer = world.counter(), world.append_buffer(5, "i4")
threading.Timer(0.2, lambda: signal.raise_signal(signal.SIGINT)).start()
try:
    {wait}
except KeyboardInterrupt:
    print("interrupted")
counter.add(0)
counter.wait(1)
"""
    done = subprocess.run(
        [sys.executable, _script(tmp_path, text)], capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 0 and done.stdout == "interrupted\n", done.stderr


def _mpi4py_of(mpi: str, folder: Path) -> dict[str, str]:
    """The environment in which mpi4py is the one that was made for this MPI."""
    environment = {"MPI4PY_MPIABI": mpi}
    if mpi == "mpich":
        # By another name than Debian's.
        libraries = subprocess.run(["/sbin/ldconfig", "-p"], capture_output=True, text=True).stdout
        here = next(line.split()[-1] for line in libraries.splitlines() if "libmpich.so.12" in line)
        (folder / "libmpi.so.12").symlink_to(here)
        environment["LD_LIBRARY_PATH"] = str(folder)
    return environment


@pytest.mark.parametrize("launcher", ["openmpi", "mpich"])
def test_communicators_of_mpi4py(tmp_path: Path, launcher: str) -> None:
    pytest.importorskip("mpi4py")
    _skip_without(launcher)
    text = """
import mpi4py
mpi4py.rc.initialize = False
from mpi4py import MPI
MPI.Init()
try:
    boxcar.world_of("world")
except boxcar.ArgumentError:
    pass
half = MPI.COMM_WORLD.Split(MPI.COMM_WORLD.rank % 2)
with boxcar.world_of(half) as part:
    assert part.size == half.size and part.rank == half.rank
    assert part.reduce(MPI.COMM_WORLD.rank) == half.allreduce(MPI.COMM_WORLD.rank)
    assert (part.exchange(np.arange(part.size), np.arange(part.size)).items == part.rank).all()
half.Free()
MPI.Finalize()
print("done")
"""
    script = tmp_path / "script.py"
    script.write_text("import boxcar, numpy as np\n" + text)
    done = launch(launcher, 4, script, timeout=60, environment=_mpi4py_of(launcher, tmp_path))
    assert done.returncode == 0 and done.stdout.count("done") == 4, done.stderr


_OTHERS = [("mpich", "openmpi"), ("openmpi", "mpich")]
_IMPORTS = ["from mpi4py import MPI", "import boxcar"]


@pytest.mark.parametrize(("launcher", "mpi"), _OTHERS)
@pytest.mark.parametrize("imports", [_IMPORTS, _IMPORTS[::-1]], ids=["mpi4py", "boxcar"])
def test_mpi4py_of_another_mpi(tmp_path: Path, launcher: str, mpi: str, imports: list[str]) -> None:
    """Each process would be a world of its own, and nothing would say so."""
    pytest.importorskip("mpi4py")
    _skip_without(launcher)
    _skip_without(mpi)
    script = tmp_path / "script.py"
    script.write_text("\n".join([*imports, "print(boxcar.world().size)"]))
    done = launch(launcher, 2, script, timeout=60, environment=_mpi4py_of(mpi, tmp_path))
    if "ImportError" in done.stderr:
        pytest.skip(f"there is no mpi4py for {mpi}")
    assert done.returncode != 0 and done.stdout == "", done.stdout
    told = {"openmpi": "does not understand it", "mpich": "this process uses the MPI of "}
    assert "MachineError" in done.stderr and told[mpi] in done.stderr, done.stderr


@pytest.mark.parametrize(("launcher", "mpi"), [*_OTHERS, ("shmem", "mpich")])
@pytest.mark.parametrize("is_optional", [False, True])
def test_mpi4py_of_another_mpi_after_the_world(
    tmp_path: Path, launcher: str, mpi: str, is_optional: bool
) -> None:
    """Its import is an error, before it has called a function of the MPI that the world uses."""
    pytest.importorskip("mpi4py")
    _skip_without(launcher)
    _skip_without(mpi)
    text = "from mpi4py import MPI\nprint('imported', flush=True)\n"
    if is_optional:
        text = """
import importlib.util
assert importlib.util.find_spec("mpi4py.MPI") is not None  # looks, and imports nothing
for _ in range(2):
    try:
        from mpi4py import MPI
    except ImportError as error:
        assert isinstance(error, boxcar.MachineError) and "mpi4py" in str(error), error
        assert "mpi4py.MPI" not in sys.modules
    else:
        print("imported", flush=True)
world.barrier()
print(f"{world.reduce(1)} PEs\\n", end="", flush=True)
"""
    script = _script(tmp_path, text)
    done = launch(launcher, 2, script, timeout=60, environment=_mpi4py_of(mpi, tmp_path))
    assert "imported" not in done.stdout, done.stdout
    if is_optional:
        assert done.returncode == 0 and done.stdout.count("2 PEs") == 2, done.stderr
    else:
        names = {"mpich": "MPICH", "openmpi": "Open MPI", "shmem": "Open MPI"}
        assert done.returncode != 0
        assert f"mpi4py was made for {names[mpi]}" in done.stderr, done.stderr
        assert f"the world is one of {names[launcher]}" in done.stderr, done.stderr


@pytest.mark.parametrize("launcher", ["processes", "openmpi", "mpich", "shmem", "ofi"])
def test_mpi4py_after_the_world(tmp_path: Path, launcher: str) -> None:
    """That of the same MPI, or where the world uses none; nothing is left that looks at imports."""
    pytest.importorskip("mpi4py")
    _skip_without(launcher)
    mpi = launcher if launcher in ("openmpi", "mpich") else "openmpi"
    _skip_without(mpi)
    text = """
from mpi4py import MPI
assert MPI.Is_initialized()
assert MPI.COMM_WORLD.size == (world.size if world.substrate in ("mpi", "shmem") else 1)
assert type(MPI.__loader__).__module__ == "_frozen_importlib_external", MPI.__loader__
assert MPI.__spec__.loader is MPI.__loader__
assert not any(type(each).__module__.startswith("boxcar") for each in sys.meta_path)
world.barrier()
print("done\\n", end="", flush=True)
"""
    script = _script(tmp_path, text)
    done = launch(launcher, 2, script, timeout=60, environment=_mpi4py_of(mpi, tmp_path))
    assert done.returncode == 0 and done.stdout.count("done") == 2, done.stderr


@pytest.mark.parametrize("launcher", LAUNCHERS)
def test_traces(tmp_path: Path, launcher: str) -> None:
    _skip_without(launcher)
    script = _script(tmp_path, "world.exchange(np.arange(100), np.arange(100) % world.size)")
    trace = tmp_path / "trace.json"
    done = launch(launcher, 2, script, timeout=60, environment={"BOXCAR_TRACE": str(trace)})
    assert done.returncode == 0, done.stderr
    events = json.loads(trace.read_text())
    sent = [event for event in events if event.get("name") == "sent"]
    assert len({event["tid"] for event in sent}) == 2


def test_command() -> None:
    for command in [["boxcar"], [sys.executable, "-m", "boxcar"]]:
        if command[0] == "boxcar":
            command = [str(Path(sys.executable).parent / "boxcar")]
        done = subprocess.run([*command, "--version"], capture_output=True, text=True)
        assert done.returncode == 0 and boxcar.__version__ in done.stdout, done.stderr


def test_three_gigabytes(tmp_path: Path) -> None:
    text = """
rows = 3_000_000 if world.rank == 0 else 0
items = np.zeros((rows, 1000), np.uint8)
items[:, 0] = np.arange(rows) % 251
received = world.exchange(items, 1).items
assert len(received) == (3_000_000 if world.rank == 1 else 0)
assert (received[:, 0] == np.arange(len(received)) % 251).all()
"""
    done = launch("processes", 2, _script(tmp_path, text))
    assert done.returncode == 0, done.stderr
