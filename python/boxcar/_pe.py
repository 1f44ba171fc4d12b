"""The program of a PE started by ``run``."""

from __future__ import annotations

import faulthandler
import os
import pickle
import traceback

import cloudpickle

from . import pickling
from .outcomes import OutcomeSender
from .progress import send_progress_by
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


def main(call: int, outcomes: int) -> int:
    """Calls the function that the file ``call`` holds, and sends what becomes of it."""
    faulthandler.enable()
    outcome = OutcomeSender(outcomes)
    send_progress_by(outcome.send_progress)
    content = _content_of(call)
    rank = -1
    here = None
    try:
        here = world()
        rank = here.rank
        function, arguments = pickling.loads(content)
        result = cloudpickle.dumps(function(here, *arguments))
        outcome.send("result", here.rank, result)
        return 0
    except BaseException as error:
        # The traceback is without the frames of this function.
        trace = error.__traceback__.tb_next if error.__traceback__ else None
        text = "".join(traceback.format_exception(type(error), error, trace))
        # A PE that could not join the world has no rank.
        is_first = here is None or fail(here, error)
        failure = pickle.dumps((is_first, _pickled(error), text))
        outcome.send("failure", rank, failure)
        return 1
