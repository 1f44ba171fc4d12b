"""Fine-grained many-to-many communication at the speed of large messages.

A parallel program has arrays whose elements belong to other processes. Boxcar moves them: whole
arrays go in, whole arrays come out, and no element is touched by the interpreter.

    import boxcar, numpy as np

    def count(world):
        numbers = np.random.default_rng(world.rank).integers(0, 100, 1_000_000)
        return world.value_counts(numbers)

    results = boxcar.run(count, pes=4)
"""

import importlib
from typing import TYPE_CHECKING, Any

from ._native import version as __version__
from .append_buffers import AppendBuffer
from .collective_runs import CollectiveRun
from .counters import Counter
from .distributed_array import DistributedArray
from .distributed_map import DistributedMap, MapItems
from .errors import ArgumentError, ContractError, Error, MachineError, WorldError
from .exchanging import Received
from .kmers import KmerCounter, Kmers, KmerTotals, Spectrum, decode_kmers, encode_kmers
from .numbering import Groups
from .progress import progress, show_progress
from .top import Top
from .windows import Window
from .world import World, world, world_of

if TYPE_CHECKING:
    from . import frame
    from .reporting import Report, report
    from .starting import run

__all__ = [
    "AppendBuffer",
    "ArgumentError",
    "CollectiveRun",
    "ContractError",
    "Counter",
    "DistributedArray",
    "DistributedMap",
    "Error",
    "Groups",
    "KmerCounter",
    "KmerTotals",
    "Kmers",
    "MachineError",
    "MapItems",
    "Received",
    "Report",
    "Spectrum",
    "Top",
    "Window",
    "World",
    "WorldError",
    "__version__",
    "decode_kmers",
    "encode_kmers",
    "frame",
    "progress",
    "report",
    "run",
    "show_progress",
    "world",
    "world_of",
]


# What many programs do without is loaded when it is first used: a PE needs no tables, and starts no
# PEs.
_MODULES_OF = {"Report": "reporting", "report": "reporting", "run": "starting"}


def __getattr__(name: str) -> Any:
    if name == "frame":
        return importlib.import_module(".frame", __name__)
    if name in _MODULES_OF:
        found = getattr(importlib.import_module(f".{_MODULES_OF[name]}", __name__), name)
        globals()[name] = found
        return found
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
