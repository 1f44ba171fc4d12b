"""Imports of mpi4py behind ``boxcar.world()``: mpi4py has to be made for the MPI of the world.

The functions of the MPI that the world uses are seen by all libraries that are opened later. So an
mpi4py that was made for another MPI would call them with communicators that they do not know, and
the process would end in that MPI, without a word on the cause.
"""

from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

from .errors import MPI4PyError

_MODULE = "mpi4py.MPI"


def watch_import() -> None:
    """Has the import of mpi4py raise MPI4PyError if it was made for another MPI than the world's.

    Precondition: the world is one of an MPI. Ends with the first import that succeeds.
    """
    if _MODULE not in sys.modules:
        sys.meta_path.insert(0, _Finder())


class _Finder(MetaPathFinder):
    """Finds that module as others do, and has it loaded by ``_Loader``."""

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if name != _MODULE:
            return None
        for finder in sys.meta_path:
            find = getattr(finder, "find_spec", None)
            if find is None or isinstance(finder, _Finder):
                continue
            spec: ModuleSpec | None = find(name, path, target)
            if spec is not None:
                if spec.loader is not None:
                    spec.loader = _Loader(spec.loader)
                return spec
        return None


class _Loader(Loader):
    """The loader that was found, which is the module's when the module is there."""

    def __init__(self, loader: Any) -> None:
        self._loader = loader

    def __getattr__(self, name: str) -> Any:
        return getattr(self._loader, name)

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        _refuse_other_mpi(spec.origin)
        sys.meta_path[:] = [each for each in sys.meta_path if not isinstance(each, _Finder)]
        spec.loader = self._loader
        module: ModuleType | None = self._loader.create_module(spec)
        return module

    def exec_module(self, module: ModuleType) -> None:
        self._loader.exec_module(module)


def _refuse_other_mpi(file: str | None) -> None:
    """Opens the file, whose libraries say for which MPI it was made, but calls none of them."""
    try:
        mpi4py = None if file is None else ctypes.CDLL(file)
    except OSError:  # which the import tells better
        return
    made_for = None if mpi4py is None else _mpi_in(mpi4py)
    ours = _mpi_in(ctypes.CDLL(None))
    if made_for is None or ours is None or made_for == ours:
        return
    chosen = os.environ.get("MPI4PY_MPIABI")
    remedy = f"make mpi4py for {ours}" if chosen is None else f"unset MPI4PY_MPIABI={chosen}"
    raise MPI4PyError(
        f"mpi4py was made for {made_for}, and the world is one of {ours}, by whose launcher the "
        f"program was started ({file}): {remedy}, or start the program by the launcher of "
        f"{made_for}",
        name=_MODULE,
        path=file,
    )


def _mpi_in(library: ctypes.CDLL) -> str | None:
    """The MPI of which a library has the functions, by itself or by those it was linked with."""
    if not hasattr(library, "MPI_Init") or hasattr(library, "MPI_Abi_get_version"):
        return None  # none, or one of MPI's own binary interface, which all have
    return "Open MPI" if hasattr(library, "ompi_mpi_comm_world") else "MPICH"
