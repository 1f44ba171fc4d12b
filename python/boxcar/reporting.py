"""Reports of a job's PEs, from their traces (BOXCAR_TRACE)."""

from __future__ import annotations

import html
import os
import subprocess
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from . import command
from .agreement import Call
from .errors import ArgumentError

if TYPE_CHECKING:
    from .world import World


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
        done = subprocess.run(
            words, capture_output=True, text=True, env=command.environment_alone()
        )
        if done.returncode != 0:
            raise ArgumentError(done.stderr.strip().removeprefix("boxcar report: "))
        return Report(page.read_text())


def report_so_far(world: World) -> Report:
    """See ``World.report``."""
    call = Call(world._pe, "report")
    part = b""
    with tempfile.TemporaryDirectory(prefix="boxcar-") as folder:
        path = Path(folder) / "part.json"
        with call.checks():
            if not world._pe.write_trace(str(path)):
                raise ArgumentError(
                    "report: nothing is noted: set BOXCAR_TRACE to a file, or give run the "
                    "argument trace"
                )
            part = path.read_bytes()
        call.agree()
        to_first = [len(part), *[0] * (world.size - 1)]
        arrived = world.exchange(np.frombuffer(part, np.uint8), counts=to_first)
        page = ""
        with call.functions_of_program():
            if world.rank == 0:
                ends = np.cumsum(arrived.counts)[:-1]
                files = [Path(folder) / f"{pe}.json" for pe in range(world.size)]
                for file, each in zip(files, np.split(arrived.items, ends)):
                    file.write_bytes(each.tobytes())
                page = report(*files).page
        call.agree()
    return Report(world.broadcast(page))
