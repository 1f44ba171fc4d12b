"""A display of progress in a process that also prints."""

from __future__ import annotations

import sys
from typing import Any

from .progress_display import Display, State


class _HidingStream:
    """A stream that hides a display before text is written."""

    def __init__(self, stream: Any, display: Display) -> None:
        self._stream = stream
        self._display = display

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    def write(self, text: str) -> int:
        self._display.hide()
        written: int = self._stream.write(text)
        return written


class LocalDisplay(Display):
    """A display for which ``sys.stdout`` and ``sys.stderr`` make room while it is there."""

    def __init__(self, display: Display) -> None:
        self._display = display
        self._replaced: dict[str, tuple[Any, _HidingStream]] = {}

    def update(self, state: State) -> None:
        if type(self._display) is Display:
            return
        if not self._replaced:
            self._replace_streams()
        try:
            self._display.update(state)
        except Exception:
            # The work goes on if the display cannot be written.
            self._restore_streams()
            self._display = Display()

    def _replace_streams(self) -> None:
        for name in ("stdout", "stderr"):
            stream = getattr(sys, name)
            if stream is not None:
                replacement = _HidingStream(stream, self._display)
                self._replaced[name] = stream, replacement
                setattr(sys, name, replacement)

    def _restore_streams(self) -> None:
        for name, (stream, replacement) in self._replaced.items():
            if getattr(sys, name) is replacement:
                setattr(sys, name, stream)
        self._replaced = {}

    def hide(self) -> None:
        self._display.hide()

    def close(self) -> None:
        try:
            self._display.close()
        except Exception:
            self._display = Display()
        self._restore_streams()
