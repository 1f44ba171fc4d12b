"""Tests of boxcar.run: from scripts and notebooks, with errors."""

from __future__ import annotations

import os
import pickle
import signal
import socket
import subprocess
import sys
import tempfile
import textwrap
import time
from pathlib import Path

import boxcar
import numpy as np
import pytest


def test_results_come_back_in_rank_order() -> None:
    def job(world: boxcar.World, factor: int) -> tuple[int, np.ndarray]:
        return world.rank * factor, world.exchange(np.arange(9), np.arange(9) % world.size).items

    results = boxcar.run(job, 10, pes=3)
    assert [result[0] for result in results] == [0, 10, 20]
    assert np.array_equal(results[1][1], [1, 4, 7] * 3)


def test_one_pe_and_more_pes_than_cores() -> None:
    assert boxcar.run(lambda world: world.size) == [1]
    assert boxcar.run(lambda world: world.reduce(1), pes=9) == [9] * 9


def test_pretended_nodes() -> None:
    assert boxcar.run(lambda world: world.nodes, pes=4, nodes=2) == [2] * 4


def test_lines_are_labelled(capsys: pytest.CaptureFixture[str]) -> None:
    def job(world: boxcar.World) -> None:
        print("first\nsecond")
        print("trouble", file=sys.stderr)

    boxcar.run(job, pes=2)
    out, err = capsys.readouterr()
    assert sorted(out.splitlines()) == ["[0] first", "[0] second", "[1] first", "[1] second"]
    assert sorted(err.splitlines()) == ["[0] trouble", "[1] trouble"]
    boxcar.run(job, pes=1, label=False)
    assert capsys.readouterr().out == "first\nsecond\n"


def test_exception_has_the_traceback_of_its_pe() -> None:
    def fail_on(world: boxcar.World, rank: int) -> None:
        if world.rank == rank:
            raise KeyError("lost")  # here
        world.barrier()

    with pytest.raises(KeyError, match="lost") as raised:
        boxcar.run(fail_on, 1, pes=3)
    cause = str(raised.value.__cause__)
    assert "On PE 1 of 3" in cause and "KeyError: 'lost'" in cause
    assert f'File "{__file__}", line ' in cause and "in fail_on" in cause
    assert 'raise KeyError("lost")  # here' in cause


def test_exception_that_cannot_be_pickled() -> None:
    def job(world: boxcar.World) -> None:
        error = RuntimeError("told all the same")
        error.lock = __import__("threading").Lock()
        raise error

    with pytest.raises(boxcar.WorldError, match="RuntimeError: told all the same"):
        boxcar.run(job, pes=2)


def test_wrong_argument_on_one_pe_is_an_error_of_all() -> None:
    def job(world: boxcar.World) -> None:
        world.exchange([1, 2], [0, 5 if world.rank == 2 else 0])

    with pytest.raises(boxcar.ArgumentError, match=r"to\[1\] is 5, but the world has 3 PEs"):
        boxcar.run(job, pes=3)


def test_result_that_cannot_be_pickled() -> None:
    with pytest.raises(TypeError, match="pickle"):
        boxcar.run(lambda world: __import__("threading").Lock(), pes=2)


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSEGV])
def test_pe_that_dies(number: int, capsys: pytest.CaptureFixture[str]) -> None:
    def job(world: boxcar.World) -> None:
        if world.rank == 1:
            os.kill(os.getpid(), number)
        world.barrier()

    with pytest.raises(boxcar.WorldError, match=f"PE 1 was killed by signal {int(number)}"):
        boxcar.run(job, pes=3)
    if number == signal.SIGSEGV:
        assert "in job" in capsys.readouterr().err  # where it was


def test_pe_that_exits() -> None:
    def job(world: boxcar.World) -> None:
        if world.rank == 1:
            os._exit(0)
        world.barrier()

    with pytest.raises(boxcar.WorldError, match="PE 1"):
        boxcar.run(job, pes=2)
    with pytest.raises(SystemExit):
        boxcar.run(lambda world: sys.exit(3), pes=2)


def test_time_is_up() -> None:
    with pytest.raises(boxcar.WorldError, match="not finished after 1"):
        boxcar.run(lambda world: time.sleep(100), pes=2, timeout=1)


def test_number_of_numpy() -> None:
    assert boxcar.run(lambda world: world.size, pes=np.int64(2), nodes=np.uint8(1)) == [2, 2]


def test_time_limits() -> None:
    for timeout in [0, 0.0, -1, float("nan"), -float("inf"), "3"]:
        with pytest.raises(boxcar.ArgumentError, match="timeout is .*more than 0, or None"):
            boxcar.run(lambda world: None, timeout=timeout)
    for timeout in [float("inf"), 1e300, 10**400, np.float32(100)]:
        assert boxcar.run(lambda world: 1, timeout=timeout) == [1]


@pytest.mark.parametrize("closed", [">&-", "2>&-", ">&- 2>&- <&-"])
def test_program_without_output(tmp_path: Path, closed: str) -> None:
    script = tmp_path / "script.py"
    script.write_text(
        "import boxcar, pathlib, sys\n"
        "def job(world):\n"
        "    print('said'), print('said', file=sys.stderr)\n"
        "    return world.reduce(1)\n"
        f"pathlib.Path('{tmp_path}/result').write_text(str(boxcar.run(job, pes=2)))\n"
    )
    shell = ["sh", "-c", f'exec "$@" {closed}', "sh", sys.executable, str(script)]
    assert subprocess.run(shell, timeout=60).returncode == 0
    assert (tmp_path / "result").read_text() == "[2, 2]"


class Stopped(BaseException):
    """An exception of a framework, which ``except Exception`` must not catch."""


@pytest.mark.parametrize("kind", [Stopped, KeyboardInterrupt, GeneratorExit])
def test_exceptions_that_are_no_exception(kind: type[BaseException]) -> None:
    def job(world: boxcar.World) -> None:
        if world.rank == 1:
            raise kind("lost")  # here
        world.barrier()

    with pytest.raises(kind, match="lost") as raised:
        boxcar.run(job, pes=2)
    cause = str(raised.value.__cause__)
    assert "On PE 1 of 2" in cause and 'raise kind("lost")  # here' in cause


@pytest.mark.parametrize("trace", ["/no such folder/trace.json", "/etc/passwd"])
def test_trace_that_cannot_be_written(trace: str) -> None:
    with pytest.raises(boxcar.Error, match=trace) as raised:
        boxcar.run(lambda world: world.rank, pes=2, trace=trace)
    assert "On one of 2 PEs" in str(raised.value.__cause__)


def test_pes_import_what_the_program_would(tmp_path: Path) -> None:
    """PEs must not import modules of the current folder, in which Python started by ``-m`` looks
    first."""
    current, program = tmp_path / "current", tmp_path / "program"
    for name in ["json.py", "pickle.py", "random.py", "boxcar/__init__.py", "numpy/__init__.py"]:
        (current / name).parent.mkdir(parents=True, exist_ok=True)
        (current / name).write_text("raise SystemExit('a module of the current folder')\n")
    program.mkdir()
    script = program / "script.py"
    script.write_text(
        "import boxcar, sys\n"
        "def job(world):\n    import json, random\n    return sys.path\n"
        "print(boxcar.run(job, pes=2) == [sys.path] * 2)\n"
    )
    done = subprocess.run(
        [sys.executable, script], cwd=current, capture_output=True, text=True, timeout=60
    )
    assert done.stdout == "True\n", done.stderr


def test_arguments_that_make_no_sense() -> None:
    for pes in [0, -1, 2.5, "3"]:
        with pytest.raises(boxcar.ArgumentError, match="pes is"):
            boxcar.run(lambda world: None, pes=pes)
    with pytest.raises(boxcar.ArgumentError, match="cannot be called"):
        boxcar.run("job", pes=2)
    with pytest.raises(boxcar.WorldError, match="3 pretended nodes|nodes"):
        boxcar.run(lambda world: None, pes=2, nodes=3)


def test_functions_of_modules_travel_by_name(tmp_path: Path) -> None:
    (tmp_path / "my_module.py").write_text("def job(world):\n    return world.rank, __name__\n")
    script = tmp_path / "script.py"
    script.write_text("import boxcar, my_module\nprint(boxcar.run(my_module.job, pes=2))\n")
    done = subprocess.run([sys.executable, script], capture_output=True, text=True)
    assert done.stdout == "[(0, 'my_module'), (1, 'my_module')]\n", done.stderr


def _processes_with(word: str) -> list[int]:
    found = []
    for process in Path("/proc").iterdir():
        try:
            if word in (process / "cmdline").read_text():
                found.append(int(process.name))
        except (OSError, ValueError):
            continue
    return found


def _until(condition, seconds: float = 20) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.02)


@pytest.mark.parametrize("whom", ["program alone", "everybody at the terminal"])
def test_ctrl_c_ends_all_pes(tmp_path: Path, whom: str) -> None:
    script = tmp_path / "script.py"
    script.write_text(
        textwrap.dedent(
            """
            import boxcar, time
            def job(world):
                if world.rank == 0:
                    print("started", flush=True)
                    time.sleep(100)
                world.barrier()
            try:
                boxcar.run(job, pes=3)
            except KeyboardInterrupt:
                print("interrupted")
            """
        )
    )
    program = subprocess.Popen(
        [sys.executable, script],
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
        # SIGINT may be ignored where tests run in the background.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    assert program.stdout.readline() == "[0] started\n"
    folder = str(tmp_path)  # in the search path for modules, which PEs are told
    assert len(_processes_with(folder)) >= 4
    if whom == "program alone":
        program.send_signal(signal.SIGINT)
    else:
        os.killpg(program.pid, signal.SIGINT)
    assert program.stdout.read() == "interrupted\n"
    assert program.wait(timeout=20) == 0
    _until(lambda: not _processes_with(folder))


_JOBS_TO_KILL = {
    "before the results": "time.sleep(100)",
    "between results": "time.sleep(100 * world.rank)",
    "before failures": "world.barrier(); time.sleep(100); 1 / 0",
}


@pytest.mark.parametrize("when", _JOBS_TO_KILL)
def test_pes_do_not_outlive_the_program(tmp_path: Path, when: str) -> None:
    """And nothing stays in the folder of temporary files."""
    script = tmp_path / "script.py"
    script.write_text(
        textwrap.dedent(
            f"""
            import boxcar, os, time
            def job(world):
                open('{tmp_path}/pe.' + str(os.getpid()), 'w').close()
                {_JOBS_TO_KILL[when]}
                return bytes(10_000_000)
            boxcar.run(job, pes=2)
            """
        )
    )
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    program = subprocess.Popen(
        [sys.executable, script], env={**os.environ, "TMPDIR": str(temporary)}
    )
    _until(lambda: len(list(tmp_path.glob("pe.*"))) == 2)
    pids = [int(each.suffix[1:]) for each in tmp_path.glob("pe.*")]
    if when == "between results":
        time.sleep(0.5)  # most often the first one has sent its result then
    program.kill()
    program.wait()
    _until(lambda: not any(Path(f"/proc/{pid}/cwd").exists() for pid in pids))
    assert not list(temporary.iterdir())


def test_results_of_many_pes_that_are_large() -> None:
    """More of them than fit into the buffer of a socket; and nothing is left of them."""

    def job(world: boxcar.World) -> bytes:
        print("x" * 100_000)
        return bytes([world.rank]) * 3_000_000

    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setenv("TMPDIR", folder)
        patch.setattr(tempfile, "tempdir", None)
        before = set(os.listdir("/proc/self/fd"))
        results = boxcar.run(job, pes=12, label=False)
        assert [result == bytes([pe]) * 3_000_000 for pe, result in enumerate(results)] == [
            True
        ] * 12
        assert not os.listdir(folder)
        assert len(os.listdir("/proc/self/fd")) == len(before)


def test_settings_of_the_program_and_its_functions() -> None:
    """The timeout of sockets and the folder of temporary files are theirs to choose."""

    def job(world: boxcar.World) -> int:
        socket.setdefaulttimeout(0.001)
        tempfile.tempdir = "/nowhere"
        return world.rank

    before = socket.getdefaulttimeout()
    socket.setdefaulttimeout(0.001)
    try:
        assert boxcar.run(job, pes=3) == [0, 1, 2]
    finally:
        socket.setdefaulttimeout(before)


def test_notebook(tmp_path: Path) -> None:
    nbformat = pytest.importorskip("nbformat")
    nbclient = pytest.importorskip("nbclient")
    cells = [
        "import boxcar",
        "factor = 3\ndef job(world):\n    print('here')\n    return factor * world.rank",
        "boxcar.run(job, pes=2)",
        "boxcar.run(lambda world: 1 / 0, pes=2)",
    ]
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
    client = nbclient.NotebookClient(notebook, timeout=60, allow_errors=True)
    client.execute()
    outputs = notebook.cells[2].outputs
    printed = "".join(output.text for output in outputs if output.output_type == "stream")
    assert sorted(printed.splitlines()) == ["[0] here", "[1] here"]
    assert outputs[-1].data["text/plain"] == "[0, 3]"
    assert notebook.cells[3].outputs[-1].ename == "ZeroDivisionError"
    told = "\n".join(notebook.cells[3].outputs[-1].traceback)
    cause = told.split("On PE")[1].split("direct cause")[0]
    assert "boxcar.run(lambda world: 1 / 0, pes=2)" in cause


def test_report(tmp_path: Path) -> None:
    trace = tmp_path / "trace.json"
    boxcar.run(lambda world: world.exchange(np.arange(100), np.arange(100) % 3), pes=3, trace=trace)
    report = boxcar.report(trace)
    assert "800 B" in report.page and report._repr_html_().startswith("<iframe srcdoc=")
    report.save(tmp_path / "page.html")
    assert (tmp_path / "page.html").read_text() == report.page
    with pytest.raises(boxcar.ArgumentError, match="nowhere.json"):
        boxcar.report(tmp_path / "nowhere.json")


def test_report_so_far(tmp_path: Path) -> None:
    def job(world: boxcar.World) -> tuple[boxcar.Report, boxcar.Report | None]:
        world.exchange(np.arange(100), np.arange(100) % 3)
        of_all = world.report()
        with world.split(world.rank // 2) as part:
            of_part = part.report()
        world.exchange(np.arange(50_000), counts=[50_000, 0, 0])
        return of_all, of_part

    trace = tmp_path / "trace.json"
    reports = boxcar.run(job, pes=3, trace=trace)
    assert len({of_all.page for of_all, _ in reports}) == 1
    assert "3 PEs" in reports[0][0].page and "800 B" in reports[0][0].page
    assert reports[0][1].page == reports[1][1].page != reports[2][1].page
    later = boxcar.report(trace).page  # is whole all the same
    assert "3 PEs" in later and "1172 KiB" in later and "1172 KiB" not in reports[0][0].page


def test_errors_can_be_pickled() -> None:
    error = pickle.loads(pickle.dumps(boxcar.ArgumentError("a message")))
    assert isinstance(error, ValueError) and str(error) == "a message"
