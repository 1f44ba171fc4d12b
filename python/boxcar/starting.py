"""``run``: a function on some PEs, from a script or a notebook."""

from __future__ import annotations

import os
import pickle
import selectors
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import IO, Any

from . import command, pickling
from .elements import count_of
from .errors import ArgumentError, MachineError, WorldError
from .outcomes import OutcomeReceiver, move_above_standard
from .progress import ProgressReceiver
from .waiting import seconds_of

_END_OF_INT = 2**31


class PETraceback(Exception):
    """Where on a PE an exception came from: the cause of what ``run`` raises."""

    def __str__(self) -> str:
        return str(self.args[0])


def run(
    function: Callable[..., Any],
    *arguments: Any,
    pes: int = 1,
    nodes: int = 1,
    label: bool = True,
    timeout: float | None = None,
    trace: str | os.PathLike[str] | None = None,
) -> list[Any]:
    """Call a function on some PEs, which are processes of this machine, and wait for them.

    Works in scripts and notebooks, and with functions that were defined there. Each PE is a process
    of its own with a fresh interpreter: it sees nothing of what the program has changed in its
    modules, and needs no ``if __name__ == "__main__"``.

    Args:
        function: Called as ``function(world, *arguments)``. It, its arguments and its results
            travel as pickles: functions of modules by name, all others as a whole.
        arguments: Of the function.
        pes: How many PEs; more than there are cores is fine.
        nodes: Spread them over so many pretended nodes, to try what happens between several.
        label: Whether lines that PEs print begin with the PE, as in ``[3]``. They come out on
            ``sys.stdout`` and ``sys.stderr``, in a notebook below the cell; nowhere, if these are
            None.
        timeout: End the PEs if they have not finished after so many seconds, more than 0; None and
            infinity: never.
        trace: A file that gets what every PE did: see ``report``.

    Returns:
        What the function returned, of each PE in rank order.

    Raises:
        Exception: What the function raised on the PE that failed first; its cause has the traceback
            of that PE.
        WorldError: If a PE died: of a signal, or by ending itself.
        KeyboardInterrupt: On Ctrl-C, after all PEs have ended.
    """
    if not callable(function):
        raise ArgumentError(f"function is {function!r}, which cannot be called")
    pes, nodes = _positive("pes", pes), _positive("nodes", nodes)
    seconds = seconds_of(timeout, "run", least="more than 0")
    call = pickling.dumps((function, arguments))
    shown = ProgressReceiver()
    with OutcomeReceiver(shown.receive) as outcomes, _nameless_file(call) as file:
        words = [str(command.PATH), "run", "--end-with-parent"]
        words += ["-n", str(pes), "--nodes", str(nodes)]
        words += ["--label"] if label else []
        words += ["--timeout", str(seconds)] if seconds is not None else []
        words += ["--", sys.executable, "-c", _program_of_pe(), str(file), str(outcomes.for_pes)]
        environment = {} if trace is None else {"BOXCAR_TRACE": os.fspath(trace)}
        status, last_words = _run_launcher(words, environment, file, outcomes, shown)
        _raise_failure(outcomes, pes, status, last_words)
        return [pickle.loads(outcomes.results.pop(rank)) for rank in range(pes)]


def _positive(name: str, value: Any) -> int:
    number = count_of(value, name, 1)
    if number >= _END_OF_INT:
        raise ArgumentError(f"{name} is {number}: give less than 2**31")
    return number


def _program_of_pe() -> str:
    """Looks for modules where the program does before any import, unlike ``-m``."""
    path = [str(each) for each in sys.path]
    return (
        f"import sys; sys.path[:] = {path!r}; from boxcar._pe import main; "
        "sys.exit(main(int(sys.argv[1]), int(sys.argv[2])))"
    )


@contextmanager
def _nameless_file(content: bytes) -> Iterator[int]:
    """The descriptor of a file that vanishes with the processes, also when they are killed."""
    with tempfile.TemporaryFile(prefix="boxcar-") as file:
        file.write(content)
        file.flush()
        descriptor = move_above_standard(file.fileno())
    try:
        yield descriptor
    finally:
        os.close(descriptor)


def _run_launcher(
    words: list[str],
    environment: dict[str, str],
    call: int,
    outcomes: OutcomeReceiver,
    shown: ProgressReceiver,
) -> tuple[int, str]:
    """Passes its output on to where that of this program goes now, which may be no file."""
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            stream.flush()
    try:
        launcher = subprocess.Popen(
            words,
            env={**os.environ, **environment},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            pass_fds=(call, outcomes.for_pes),
        )
    except OSError as error:
        raise MachineError(f"{words[0]} cannot be started: {error}") from error
    with launcher:
        try:
            last_words = _pass_on(launcher, outcomes, shown)
            status = launcher.wait()
            outcomes.receive()
            return status, last_words
        except BaseException:
            # Ctrl-C reaches the launcher by the terminal, or not, as in a notebook.
            launcher.send_signal(signal.SIGINT)
            try:
                launcher.wait(timeout=10)
            except subprocess.TimeoutExpired:
                launcher.kill()
            raise
        finally:
            shown.close()


def _pass_on(
    launcher: subprocess.Popen[bytes], outcomes: OutcomeReceiver, shown: ProgressReceiver
) -> str:
    """Returns the last line that the launcher itself said. Receives outcomes and shows progress
    meanwhile."""
    said = ""
    with selectors.DefaultSelector() as selector:
        streams: list[tuple[IO[bytes] | None, Any]] = [
            (launcher.stdout, sys.stdout),
            (launcher.stderr, sys.stderr),
        ]
        for pipe, out in streams:
            assert pipe is not None
            selector.register(pipe, selectors.EVENT_READ, [out, b""])
        selector.register(outcomes, selectors.EVENT_READ)
        while len(selector.get_map()) > 1:
            for key, _ in selector.select():
                if key.fileobj is outcomes:
                    outcomes.receive()
                    continue
                data = os.read(key.fd, 1 << 16)
                out, rest = key.data
                lines = rest + data
                if data:
                    end = lines.rfind(b"\n") + 1
                    lines, key.data[1] = lines[:end], lines[end:]
                else:
                    selector.unregister(key.fileobj)
                text = lines.decode(errors="replace")
                if out is not None and text:
                    shown.hide()
                    out.write(text)
                    out.flush()
                for line in text.splitlines():
                    if line.startswith("boxcar run: "):
                        said = line.removeprefix("boxcar run: ")
    return said


def _raise_failure(outcomes: OutcomeReceiver, pes: int, status: int, last_words: str) -> None:
    failures = [(rank, *pickle.loads(each)) for rank, each in outcomes.failures.items()]
    # That of the PE that failed first, if it could be told: the others follow from it.
    failures.sort(key=lambda failure: (not failure[1], failure[0]))
    for rank, _, pickled, trace in failures:
        where = f"PE {rank} of {pes}" if rank >= 0 else f"one of {pes} PEs"
        cause = PETraceback(f"\n\nOn {where}:\n{trace}")
        try:
            error = pickle.loads(pickled)
        except Exception:
            error = None
        if not isinstance(error, BaseException):
            error = WorldError(trace.strip().splitlines()[-1])
        raise error from cause
    if status != 0 or len(outcomes.results) < pes:
        raise WorldError(last_words or f"the PEs ended with status {status}")
