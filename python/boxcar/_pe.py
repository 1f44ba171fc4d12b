"""The program of a PE started by ``run``."""

from __future__ import annotations

import faulthandler
import os
import pickle
import traceback
from pathlib import Path

import cloudpickle

from . import pickling
from .starting import failure_file, result_file
from .world import fail, world


def _pickled(error: BaseException) -> bytes:
    try:
        data: bytes = cloudpickle.dumps(error)
        pickle.loads(data)
    except Exception:
        return b""
    return data


def _content_of(file: int) -> bytes:
    """The content of an inherited file, whose offset all PEs share; closes the descriptor."""
    try:
        with open(f"/proc/self/fd/{file}", "rb") as own:
            return own.read()
    finally:
        os.close(file)


def main(name: str, call: int) -> int:
    """Calls the function that the file ``call`` holds, and writes what comes of it."""
    faulthandler.enable()
    folder = Path(name)
    content = _content_of(call)
    here = world()
    try:
        function, arguments = pickling.loads(content)
        result = cloudpickle.dumps(function(here, *arguments))
        _write(result_file(folder, here.rank), result)
        return 0
    except BaseException as error:
        # The traceback is without the frames of this function.
        trace = error.__traceback__.tb_next if error.__traceback__ else None
        text = "".join(traceback.format_exception(type(error), error, trace))
        is_first = fail(here, error)
        _write(failure_file(folder, here.rank), pickle.dumps((is_first, _pickled(error), text)))
        return 1


def _write(path: Path, data: bytes) -> None:
    """Writes all or nothing, as the launcher may end the process."""
    part = path.with_suffix(path.suffix + ".part")
    part.write_bytes(data)
    os.replace(part, path)
