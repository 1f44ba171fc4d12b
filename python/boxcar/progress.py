"""The progress of long work, which PE 0 shows."""

from __future__ import annotations

import json
import operator
import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from types import TracebackType
from typing import TYPE_CHECKING, TypeVar

from .errors import ArgumentError
from .progress_display import Display, State, display_for
from .progress_streams import LocalDisplay

if TYPE_CHECKING:
    from typing_extensions import Self

    from .world import World

Piece = TypeVar("Piece")

_VARIABLE = "BOXCAR_PROGRESS"
_PATIENCE = 1.0  # seconds before a display appears
_SECONDS_BETWEEN_UPDATES = 0.1
_MAX_LETTERS = 100

_setting: bool | None = None
_active: Progress | None = None
_send: Callable[[bytes], None] | None = None


def show_progress(show: bool | None = True) -> None:
    """Choose whether work that lasts longer than a second shows its progress.

    Local. Counts for this process, and for the PEs of ``boxcar.run`` that this process calls.

    Args:
        show: True: always, on a stream that is no terminal as a line every few seconds. False:
            never. None, the default of the package: as the environment variable BOXCAR_PROGRESS
            says, "1" or "0"; if it is not set, on a terminal and in a notebook.
    """
    global _setting
    _setting = None if show is None else bool(show)


def progress(
    world: World, pieces: Iterable[Piece], what: str = "progress", total: int | None = None
) -> Iterator[Piece]:
    """The pieces of a loop, whose progress PE 0 shows on standard error.

    Local. The display appears after a second, if standard error is a terminal or the program a
    notebook (see ``show_progress``); it is gone when the loop ends. It is a bar of rich or tqdm if
    one of them is installed. If loops are nested, the outermost of them is shown. ::

        for path in boxcar.progress(world, paths, "reading"):
            read(path)

    Args:
        pieces: What to iterate over, on this PE.
        what: What the work is, for the display.
        total: The number of pieces; by default what ``operator.length_hint(pieces)`` tells. If the
            number is unknown, the display counts the pieces.

    Returns:
        An iterator of the pieces.
    """
    with Progress(world, what, total or operator.length_hint(pieces) or None) as shown:
        for number, piece in enumerate(pieces, 1):
            yield piece
            shown.at(number)


class Progress:
    """The progress of one piece of work, from the construction until ``close``."""

    def __init__(self, world: World, what: str, total: float | None) -> None:
        global _active
        self._what = what[:_MAX_LETTERS]
        self._total = total
        self._start = time.monotonic()
        self._next = self._start + _PATIENCE
        self._display: Display | None = None
        self._is_active = world.rank == 0 and _active is None
        if self._is_active:
            _active = self

    def at(self, done: float) -> None:
        """Called often: reads the clock, and shows the progress now and then."""
        if not self._is_active:
            return
        now = time.monotonic()
        if now < self._next:
            return
        self._next = now + _SECONDS_BETWEEN_UPDATES
        if self._display is None:
            self._display = _make_display()
        self._display.update(State(self._what, done, self._total, now - self._start))

    def close(self) -> None:
        global _active
        if self._is_active:
            self._is_active = False
            _active = None
            if self._display is not None:
                self._display.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def send_progress_by(send: Callable[[bytes], None]) -> None:
    """Makes this process send its progress to the program that has started it."""
    global _send
    _send = send


def is_wanted() -> bool | None:
    """Whether a display is wanted; None: on a terminal and in a notebook.

    Raises ArgumentError if the environment variable has another value than those documented.
    """
    if _setting is not None:
        return _setting
    value = os.environ.get(_VARIABLE, "")
    if value not in ("", "0", "1"):
        raise ArgumentError(f'{_VARIABLE} is "{value}": give 1 (always) or 0 (never), or unset it')
    return None if value == "" else value == "1"


def _make_display() -> Display:
    wanted = is_wanted()
    if _send is None:
        return LocalDisplay(display_for(sys.stderr, wanted))
    return Display() if wanted is False else _RemoteDisplay(_send, wanted is True)


class _RemoteDisplay(Display):
    """The display of the program that has called ``run``."""

    def __init__(self, send: Callable[[bytes], None], is_wanted: bool) -> None:
        self._send = send
        self._is_wanted = is_wanted

    def update(self, state: State) -> None:
        # (A letter has at most 6 bytes, so the message is not longer than what is received.)
        message = json.dumps([os.getpid(), self._is_wanted, *state], ensure_ascii=False)
        self._send(message.encode(errors="replace"))

    def close(self) -> None:
        self._send(json.dumps([os.getpid()]).encode())


class ProgressReceiver:
    """The display of a program for the PEs that it has started: of one PE at a time."""

    def __init__(self) -> None:
        self._wanted = is_wanted()
        self._display: Display | None = None
        self._source = 0

    def receive(self, message: bytes) -> None:
        """Shows what a PE has sent."""
        source, *rest = json.loads(message)
        if not rest:
            if source == self._source:
                self.close()
            return
        if self._display is None:
            wanted = rest[0] or None if self._wanted is None else self._wanted
            self._display = display_for(sys.stderr, wanted)
            self._source = source
        if source == self._source:
            self._display.update(State(*rest[1:]))

    def hide(self) -> None:
        """Makes room for other output."""
        if self._display is not None:
            self._display.hide()

    def close(self) -> None:
        if self._display is not None:
            self._display.close()
            self._display = None
