"""Displays of progress: in a notebook, on a terminal, or as lines of text.

A display takes its place on the screen with ``update``, and gives it up with ``hide`` until the
next update, so that other output can be written meanwhile.
"""

from __future__ import annotations

import importlib
import os
import sys
import time
import warnings
from collections.abc import Callable
from typing import Any, NamedTuple, TextIO

_SECONDS_BETWEEN_LINES = 3.0
_BAR_LENGTH = 20
# Clears the rest of the line and returns to its beginning, where other output may follow.
_END_OF_REWRITTEN_LINE = "\033[K\r"
# Set by `boxcar run`, which passes the output of PEs on by lines, if its standard error is a
# terminal.
_VARIABLE_OF_LAUNCHER = "BOXCAR_TERMINAL"


class State(NamedTuple):
    """How far work is."""

    what: str
    done: float
    total: float | None
    """The final value of ``done``, if it is known."""
    seconds: float
    """The time since the work began."""

    def percent(self) -> float | None:
        return None if not self.total else min(100.0 * self.done / self.total, 100.0)

    def __str__(self) -> str:
        percent = self.percent()
        done = f"{self.done:.0f}" if percent is None else f"{percent:.0f} %"
        return f"{self.what}: {done} after {self.seconds:.1f} s"


class Display:
    """A display that shows nothing, the base of the others."""

    def update(self, state: State) -> None:
        pass

    def hide(self) -> None:
        """Clears the display until the next update."""

    def close(self) -> None:
        self.hide()


class Lines(Display):
    """A new line every few seconds."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._next = 0.0

    def update(self, state: State) -> None:
        now = time.monotonic()
        if now >= self._next:
            self._next = now + _SECONDS_BETWEEN_LINES
            self._stream.write(f"{state}\n")
            self._stream.flush()


class RewrittenLine(Display):
    """One line of a terminal."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._is_visible = False

    def update(self, state: State) -> None:
        import shutil  # takes longer to load than all modules of progress

        text = str(state)
        percent = state.percent()
        if percent is not None:
            length = int(percent / 100 * _BAR_LENGTH)
            text += f" [{'#' * length}{'.' * (_BAR_LENGTH - length)}]"
        self._write(text[: shutil.get_terminal_size().columns - 1])
        self._is_visible = True

    def hide(self) -> None:
        if self._is_visible:
            self._write("")
            self._is_visible = False

    def _write(self, text: str) -> None:
        self._stream.write(text + _END_OF_REWRITTEN_LINE)
        self._stream.flush()


class TqdmBar(Display):
    """A bar of tqdm, on a terminal or in a notebook."""

    def __init__(self, module: Any, stream: TextIO) -> None:
        # Without a thread that looks after bars, which may outlive the interpreter's modules.
        self._make = type("Bar", (module.tqdm,), {"monitor_interval": 0})
        self._stream = stream
        self._bar: Any = None
        self._what = ""

    def update(self, state: State) -> None:
        if self._bar is None or state.what != self._what:
            self.close()
            self._what = state.what
            with warnings.catch_warnings():
                # Without ipywidgets a notebook shows text, as tqdm warns.
                warnings.simplefilter("ignore")
                self._bar = self._make(
                    total=state.total,
                    desc=state.what,
                    file=self._stream,
                    leave=False,
                    dynamic_ncols=True,
                    bar_format="{desc}: {n:.0f} [{elapsed}]"
                    if state.total is None
                    else "{desc}: {percentage:3.0f}%|{bar}| [{elapsed}<{remaining}]",
                )
            self._bar.start_t -= state.seconds
        self._bar.n = state.done
        self._bar.refresh()

    def hide(self) -> None:
        if self._bar is not None:
            self._bar.clear()

    def close(self) -> None:
        if self._bar is not None:
            self._bar.close()
            self._bar = None


class RichBar(Display):
    """A bar of rich, on a terminal or in a notebook."""

    def __init__(self, module: Any, stream: TextIO) -> None:
        console = importlib.import_module("rich.console").Console(file=stream)
        self._bars = module.Progress(
            module.TextColumn("{task.description}", markup=False),
            module.BarColumn(),
            module.TaskProgressColumn(show_speed=True),
            module.TimeElapsedColumn(),
            console=console,
            transient=True,
            auto_refresh=False,
            redirect_stdout=False,
            redirect_stderr=False,
        )
        self._task = self._bars.add_task("", total=None)
        self._is_visible = False

    def update(self, state: State) -> None:
        self._bars.update(
            self._task, description=state.what, completed=state.done, total=state.total
        )
        if not self._is_visible:
            self._bars.start()
            self._is_visible = True
        self._bars.refresh()

    def hide(self) -> None:
        if self._is_visible:
            self._bars.stop()
            self._is_visible = False


def _is_notebook() -> bool:
    ipython = sys.modules.get("IPython")
    shell = None if ipython is None else ipython.get_ipython()
    return getattr(shell, "kernel", None) is not None


def _first_installed(
    candidates: list[tuple[str, Callable[[Any, TextIO], Display]]], stream: TextIO
) -> Display | None:
    for name, make in candidates:
        try:
            return make(importlib.import_module(name), stream)
        except ImportError:
            continue
    return None


def display_for(stream: TextIO | None, wanted: bool | None) -> Display:
    """The display for a stream.

    Args:
        wanted: Whether the program or the user wants a display; if None, there is one on a terminal
            and in a notebook.
    """
    if stream is None or wanted is False:
        return Display()
    if _is_notebook():
        notebook = _first_installed([("tqdm.auto", TqdmBar), ("rich.progress", RichBar)], stream)
        return notebook or RewrittenLine(stream)
    if stream.isatty():
        bar = _first_installed([("rich.progress", RichBar), ("tqdm", TqdmBar)], stream)
        return bar or RewrittenLine(stream)
    if _VARIABLE_OF_LAUNCHER in os.environ:
        return RewrittenLine(stream)
    return Lines(stream) if wanted else Display()
