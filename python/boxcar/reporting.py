"""What the PEs of a job did, from what they wrote because of BOXCAR_TRACE."""

from __future__ import annotations

import html
import os
import subprocess
import tempfile
from pathlib import Path

from . import command
from .errors import ArgumentError


class Report:
    """A page of HTML; a notebook shows it."""

    def __init__(self, page: str) -> None:
        self.page = page
        """The page, whole: it fetches nothing."""

    def __repr__(self) -> str:
        return f"<boxcar.Report, {len(self.page)} characters; save it, or show it in a notebook>"

    def _repr_html_(self) -> str:
        page = html.escape(self.page)
        return f'<iframe srcdoc="{page}" style="width: 100%; height: 40em; border: 0"></iframe>'

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the page to a file."""
        Path(path).write_text(self.page)


def report(*traces: str | os.PathLike[str]) -> Report:
    """Who sent to whom, how full buffers left, and where PEs waited.

    Local.

    Args:
        traces: The file that a job has written because of ``BOXCAR_TRACE``, or of the argument
            ``trace`` of ``run``; several, if each node wrote its own.

    Raises:
        ArgumentError: If one of them cannot be read, or is no such file.
    """
    with tempfile.TemporaryDirectory(prefix="boxcar-") as folder:
        page = Path(folder) / "page.html"
        words = [command.PATH, "report", *traces, "-o", page]
        done = subprocess.run(words, capture_output=True, text=True)
        if done.returncode != 0:
            raise ArgumentError(done.stderr.strip().removeprefix("boxcar report: "))
        return Report(page.read_text())
