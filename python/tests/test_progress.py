"""Tests of boxcar.progress: on a terminal, without one, with and without rich and tqdm."""

from __future__ import annotations

import fcntl
import importlib
import io
import os
import pty
import re
import struct
import subprocess
import sys
import termios
from pathlib import Path

import boxcar
import pytest
from boxcar.progress_display import Lines, RewrittenLine, State, display_for
from launching import BOXCAR

COUNT = """
import sys, time
def count(world):
    for number in boxcar.progress(world, range(14), "counting"):
        time.sleep(0.1)
        if number == 12 and world.rank == world.size - 1:
            print("a line")
            print("trouble", file=sys.stderr)
"""
OF_PROGRAM = f"import boxcar\n{COUNT}\nboxcar.run(count, pes=2)\n"
OF_PE = f"import boxcar\n{COUNT}\ncount(boxcar.world())\n"
LIBRARIES = ("rich", "tqdm")


def _environment(tmp_path: Path, *installed: str, **variables: str) -> dict[str, str]:
    """An environment in which no other of the two libraries can be imported."""
    for name in set(LIBRARIES) - set(installed):
        (tmp_path / f"{name}.py").write_text("raise ImportError('not installed')\n")
    without = {name: each for name, each in os.environ.items() if name != "BOXCAR_PROGRESS"}
    return {**without, "PYTHONPATH": str(tmp_path), "TERM": "xterm", **variables}


def _on_terminal(command: list[str], environment: dict[str, str]) -> str:
    """What the command writes to a terminal."""
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    with subprocess.Popen(command, env=environment, stdout=slave, stderr=slave) as job:
        os.close(slave)
        written = b""
        while True:
            try:
                data = os.read(master, 1 << 16)
            except OSError:  # the last process has closed its end
                break
            if not data:
                break
            written += data
    os.close(master)
    assert job.returncode == 0, written
    return written.decode()


def _screen(written: str) -> list[str]:
    """The lines that a terminal shows after the text, without trailing blanks."""
    lines, row, column = [""], 0, 0
    for each in re.findall(r"\033\[[?0-9;]*[A-Za-z]|.|\n|\r", written):
        if each == "\r":
            column = 0
        elif each == "\n":
            row += 1
            if row == len(lines):
                lines.append("")
        elif each.startswith("\033"):
            if each.endswith("K"):
                lines[row] = "" if each == "\033[2K" else lines[row][:column]
            elif each.endswith("A"):
                row -= int(each[2:-1] or 1)
        else:
            lines[row] = lines[row][:column].ljust(column) + each + lines[row][column + 1 :]
            column += 1
    return [line.rstrip() for line in lines if line.strip()]


@pytest.mark.parametrize("installed", ["", *LIBRARIES])
@pytest.mark.parametrize("program", [OF_PROGRAM, OF_PE])
def test_terminal(installed: str, program: str, tmp_path: Path) -> None:
    if installed:
        pytest.importorskip(installed)
    written = _on_terminal(
        [sys.executable, "-c", program], _environment(tmp_path, *filter(None, [installed]))
    )
    assert "counting" in written and "%" in written
    label = "[1] " if program == OF_PROGRAM else ""
    assert sorted(_screen(written)) == [f"{label}a line", f"{label}trouble"], written


def test_terminal_of_launcher(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(OF_PE)
    written = _on_terminal(
        [*BOXCAR, "-n", "2", "--", sys.executable, str(script)], _environment(tmp_path)
    )
    assert re.search(r"counting: \d+ % after 1\.\d s \[#+\.*\]\033\[K\r", written)


@pytest.mark.parametrize("program", [OF_PROGRAM, OF_PE])
def test_no_terminal(program: str, tmp_path: Path) -> None:
    def told(**variables: str) -> str:
        done = subprocess.run(
            [sys.executable, "-c", program],
            env=_environment(tmp_path, **variables),
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stderr
        assert "trouble\n" in done.stderr and "a line\n" in done.stdout
        return done.stderr

    assert "counting" not in told()
    assert re.search(r"^counting: \d+ % after 1\.\d s$", told(BOXCAR_PROGRESS="1"), re.M)


def test_never_on_a_terminal(tmp_path: Path) -> None:
    environment = _environment(tmp_path, BOXCAR_PROGRESS="0")
    assert "counting" not in _on_terminal([sys.executable, "-c", OF_PROGRAM], environment)


def test_settings(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    def count(world: boxcar.World, show: bool | None) -> list[int]:
        module = importlib.import_module("boxcar.progress")
        module._PATIENCE = 0
        boxcar.show_progress(show)
        return list(boxcar.progress(world, (each for each in range(3)), "counting"))

    def told(show: bool | None = None) -> str:
        assert boxcar.run(count, show, pes=2) == [[0, 1, 2]] * 2
        return capfd.readouterr().err

    monkeypatch.delenv("BOXCAR_PROGRESS", raising=False)
    assert told() == "" and told(False) == ""
    assert told(True).startswith("counting: 1 after 0.")
    boxcar.show_progress(True)
    try:
        assert told().startswith("counting: ") and told(False) == ""
        boxcar.show_progress(False)
        assert told(True) == ""
    finally:
        boxcar.show_progress(None)
    monkeypatch.setenv("BOXCAR_PROGRESS", "yes")
    with pytest.raises(boxcar.ArgumentError, match='BOXCAR_PROGRESS is "yes": give 1'):
        boxcar.run(count, None)


def test_long_name_of_any_letters(capfd: pytest.CaptureFixture[str]) -> None:
    def count(world: boxcar.World) -> list[int]:
        importlib.import_module("boxcar.progress")._PATIENCE = 0
        boxcar.show_progress(True)
        return list(boxcar.progress(world, range(3), "\udc00" + "\U0001f600" * 200))

    assert boxcar.run(count, pes=2) == [[0, 1, 2]] * 2
    assert ": 33 % after 0." in capfd.readouterr().err


def test_functions_of_the_package(capfd: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    pd = pytest.importorskip("pandas")
    (tmp_path / "reads.fa").write_text(">a\n" + "ACGT" * 100)

    def job(world: boxcar.World) -> None:
        module = importlib.import_module("boxcar.progress")
        module._PATIENCE = module._SECONDS_BETWEEN_UPDATES = 0
        boxcar.KmerCounter(world, 5).count(tmp_path / "reads.fa")
        piece = pd.DataFrame({"key": [1, 2], "x": [1, 2]})
        pieces = boxcar.progress(world, [piece] * 2, "of the program")
        boxcar.frame.group_by(world, pieces, "key", "sum", memory="1 MB")
        boxcar.frame.write_csv(world, piece, tmp_path / "table")
        boxcar.frame.read_csv(world, tmp_path / "table")

    display = importlib.import_module("boxcar.progress_display")
    between, display._SECONDS_BETWEEN_LINES = display._SECONDS_BETWEEN_LINES, 0
    boxcar.show_progress(True)
    try:
        boxcar.run(job, pes=2)
    finally:
        boxcar.show_progress(None)
        display._SECONDS_BETWEEN_LINES = between
    lines = capfd.readouterr().err
    for what in ("KmerCounter.count", "frame.group_by, pieces", "frame.read_csv"):
        assert re.search(rf"^{what}: .* after 0\.\d s$", lines, re.M), lines
    assert "of the program" not in lines  # the outermost one is shown


def test_error_in_a_loop_ends_the_display(tmp_path: Path) -> None:
    program = OF_PE.replace("count(boxcar.world())", "").replace("print(", "raise KeyError(")
    program += "try:\n    count(boxcar.world())\nexcept KeyError:\n    print('went on')\n"
    written = _on_terminal([sys.executable, "-c", program], _environment(tmp_path))
    assert "counting" in written and _screen(written) == ["went on"]


def test_displays() -> None:
    state = State("reading", 3, 4, 1.25)
    line = io.StringIO()
    display = RewrittenLine(line)
    display.hide()
    assert line.getvalue() == ""
    display.update(state)
    assert line.getvalue() == "reading: 75 % after 1.2 s [###############.....]\033[K\r"
    display.close()
    assert line.getvalue().endswith("\r\033[K\r")
    lines = io.StringIO()
    display = display_for(lines, True)
    assert isinstance(display, Lines)
    display.update(state._replace(total=None))
    display.update(state)
    display.close()
    assert lines.getvalue() == "reading: 3 after 1.2 s\n"
    assert display_for(None, True).update(state) is None
