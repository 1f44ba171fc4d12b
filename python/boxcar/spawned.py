"""Child processes of a PE, started by ``multiprocessing``: no child is a PE."""

from __future__ import annotations

import os
import signal
import sys

from .errors import ContractError

# The process that is a PE; its child processes find the number in their environment.
_VARIABLE = "BOXCAR_PE_PROCESS"


def note_pe() -> None:
    """Notes for child processes that this process is a PE which a launcher has started."""
    os.environ[_VARIABLE] = str(os.getpid())


def refuse_child_of_pe() -> None:
    """Raises ContractError if ``multiprocessing`` has started this process from a PE.

    A pool starts another worker for each that fails, for ever. So the PE is ended if this process
    is a worker of a pool.
    """
    pe = os.environ.get(_VARIABLE)
    name = _name_of_child()
    if pe is None or name is None:
        return
    message = (
        "multiprocessing has started this process from a PE, and it is no PE: it runs the script "
        'as the PE does, except the code below `if __name__ == "__main__":`; call boxcar.world() '
        "there"
    )
    if "PoolWorker" in name:
        print(
            f"boxcar: {message}. The PE is ended, as its pool would start workers for ever",
            file=sys.stderr,
            flush=True,
        )
        os.kill(int(pe), signal.SIGTERM)
    raise ContractError(message)


def _name_of_child() -> str | None:
    """The name given to the process by ``multiprocessing``, if ``multiprocessing`` has started
    it."""
    multiprocessing = sys.modules.get("multiprocessing")
    if multiprocessing is None:
        return None
    process = multiprocessing.current_process()
    # While a child runs the script, only the private attribute marks it as a child.
    is_child = multiprocessing.parent_process() is not None
    return process.name if is_child or getattr(process, "_inheriting", False) else None
