"""A world: the PEs of a program, which call collective functions together."""

from __future__ import annotations

import atexit
import os
import sys
import weakref
from types import TracebackType
from typing import TYPE_CHECKING, Any

from . import (
    _native,
    append_buffers,
    collective_runs,
    counters,
    distinct,
    exchanging,
    grouping,
    joining,
    sampling,
    sorting,
    sparse,
    spawned,
    streaming,
    tables,
    top,
    values,
    windows,
)
from .agreement import Call
from .arrays import Array
from .elements import integer_of
from .errors import ArgumentError, WorldError
from .held import Held
from .progress import is_wanted

if TYPE_CHECKING:
    from .reporting import Report

_END_OF_INT = 2**31
# Worlds in the order of their making, which is the order in which PEs leave them. The list keeps
# them, as PEs may have to wait for one another at the end, and garbage collection must not wait.
_parts: list[World] = []


class World:
    """An ordered set of PEs, and this PE's place in it.

    *Collective* functions are called by every PE of the world, in the same order. Arrays go in
    whole and come out whole; what one PE gives wrong is an exception on all.

    A world is not made by its constructor: see ``boxcar.world``, ``boxcar.run``,
    ``boxcar.world_of`` and ``split``. It belongs to the thread that made it.
    """

    def __init__(self, pe: _native.PE) -> None:
        self._pe = pe
        self._rank = pe.rank()
        self._size = pe.size()
        self._made = 0
        self._objects: weakref.WeakSet[Held[Any]] = weakref.WeakSet()
        self._kept: set[Held[Any]] = set()
        self._awaited: list[collective_runs.CollectiveRun[Any]] = []

    def __repr__(self) -> str:
        return f"<boxcar.World: PE {self._rank} of {self._size}, {self._pe.substrate()}>"

    @property
    def rank(self) -> int:
        """This PE's number, 0 to ``size`` - 1."""
        return self._rank

    @property
    def size(self) -> int:
        """The number of PEs."""
        return self._size

    @property
    def node(self) -> int:
        """The number of this PE's node; PEs of one node share memory."""
        return self._pe.node()

    @property
    def nodes(self) -> int:
        """The number of nodes."""
        return self._pe.nodes()

    @property
    def local_rank(self) -> int:
        """This PE's place among those of its node."""
        return self._pe.local_rank()

    @property
    def local_size(self) -> int:
        """The number of PEs on this PE's node."""
        return self._pe.local_size()

    @property
    def substrate(self) -> str:
        """What connects the PEs: "threads" (one PE alone), "processes", "mpi", "shmem", "ofi"."""
        return self._pe.substrate()

    def node_of(self, pe: int) -> int:
        """The number of another PE's node."""
        return self._pe.node_of(pe)

    def barrier(self) -> None:
        """Return when all PEs have called this. Collective."""
        self._pe.barrier()

    def split(self, color: int, key: int = 0) -> World | None:
        """A world of the PEs that give the same color.

        Collective.

        Args:
            color: 0 or more; negative: this PE is in none of them, and gets None.
            key: PEs are ranked by it, and then by their rank here.
        """
        call = Call(self._pe, "split")
        with call.checks():
            for name, number in (("color", color), ("key", key)):
                if not -_END_OF_INT <= integer_of(number, name) < _END_OF_INT:
                    raise ArgumentError(f"{name} is {number}: give an integer of 32 bits")
        call.agree()
        part = self._pe.split(int(color), int(key))
        if part is None:
            return None
        world = World(part)
        _parts.append(world)
        return world

    def close(self) -> None:
        """Leave a world that ``split`` or ``world_of`` has made; the last use of it.

        Local; but if there was a window, a counter, an append buffer or a run of a collective in
        it, all PEs leave together, and those of several worlds in the same order. All of these are
        closed with it. Leaving a ``with`` block does the same, and so does the end of the program.
        """
        if self is _started_in:
            raise ArgumentError("this is the world of the program, which it leaves when it ends")
        self._leave(quietly=False)

    def _leave(self, *, quietly: bool) -> None:
        for each in sorted(self._objects, key=lambda one: one._number):
            if each._held is not None:
                each._end(quietly=quietly)
        self._kept.clear()
        self._pe.leave(quietly)
        if self in _parts:
            _parts.remove(self)

    def _hold(self, what: Held[Any]) -> int:
        """Registers an object that ends before the world. Returns its number, in the order of
        making."""
        self._objects.add(what)
        self._made += 1
        return self._made

    def _keep(self, what: Held[Any], is_kept: bool = True) -> None:
        """Keeps an object until it is closed, also if the program has dropped it."""
        if is_kept:
            self._kept.add(what)
        else:
            self._kept.discard(what)

    def __enter__(self) -> World:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self is not _started_in:
            self._leave(quietly=error is not None)

    window = windows.window
    counter = counters.counter
    append_buffer = append_buffers.append_buffer

    barrier_async = collective_runs.barrier_async
    broadcast_async = collective_runs.broadcast_async
    reduce_async = collective_runs.reduce_async
    all_reduce_async = collective_runs.all_reduce_async
    reduce_scatter_async = collective_runs.reduce_scatter_async
    scatter_async = collective_runs.scatter_async
    gather_async = collective_runs.gather_async
    all_gather_async = collective_runs.all_gather_async
    all_to_all_async = collective_runs.all_to_all_async
    scan_async = collective_runs.scan_async
    exclusive_scan_async = collective_runs.exclusive_scan_async

    broadcast = values.broadcast
    all_gather = values.all_gather
    reduce = values.reduce
    scan = values.scan
    exclusive_scan = values.exclusive_scan
    histogram = values.histogram
    exchange = exchanging.exchange
    ask = exchanging.ask
    stream = streaming.stream
    gather = tables.gather
    table_indices = tables.table_indices
    sort = sorting.sort
    sort_by_key = sorting.sort_by_key
    group_by_key = grouping.group_by_key
    unique = grouping.unique
    value_counts = grouping.value_counts
    join = joining.join
    top_k = top.top_k
    sample = sampling.sample
    approximate_distinct = distinct.approximate_distinct
    transpose = sparse.transpose

    def scatter_add(
        self, table: Array, indices: Any, values: Any, *, spread: tables.Spread = "blocks"
    ) -> None:
        """Add values to elements of a table, wherever they are. Collective; see ``scatter``."""
        tables.scatter(self, table, indices, values, "sum", spread=spread)

    scatter = tables.scatter

    def report(self) -> Report:
        """Who sent to whom so far, how full buffers left, and where the PEs of this world waited.

        Collective; all get the same. It is what ``boxcar.report`` shows when the program has ended.

        Raises:
            ArgumentError: If nothing is noted, as neither ``BOXCAR_TRACE`` is set nor the argument
                ``trace`` of ``run`` was given.
            WorldError: If a PE failed or left.
        """
        from .reporting import report_so_far

        return report_so_far(self)


_started_in: World | None = None


def world() -> World:
    """The world that this program was started in: always the same object.

    That of the launcher: ``boxcar run``, ``python -m boxcar run``, ``mpirun``, ``srun`` or
    ``oshrun``; else one PE. The first call is collective over the job. When the program ends, it
    leaves the world; if an exception ends it, the other PEs are told, and end as well.

    Raises:
        ArgumentError: If ``BOXCAR_PES`` or ``boxcar run --threads`` wants PEs that are threads, or
            if ``BOXCAR_PROGRESS`` has a value that is not documented.
        ContractError: If ``multiprocessing`` has started this process from a PE.
    """
    global _started_in
    if _started_in is None:
        spawned.refuse_child_of_pe()
        is_wanted()
        started_in = World(_native.started_in())
        _refuse_threads(started_in)
        if started_in.substrate != "threads":
            spawned.note_pe()
        if started_in.substrate in ("mpi", "shmem"):
            from .mpi4py_import import watch_import

            watch_import()
        _started_in = started_in
        previous = sys.excepthook
        process = os.getpid()

        def tell_others(
            kind: type[BaseException], error: BaseException, trace: TracebackType | None
        ) -> None:
            assert _started_in is not None
            is_pe = os.getpid() == process
            is_first = is_pe and fail(_started_in, error)
            # An error that follows from the failure of another PE needs no traceback.
            if is_first or not is_pe or not issubclass(kind, WorldError):
                previous(kind, error, trace)

        sys.excepthook = tell_others
    return _started_in


def _refuse_threads(started_in: World) -> None:
    """Raises ArgumentError if PEs are to be threads, which Python does not support."""
    wanted = os.environ.get("BOXCAR_PES", "")
    if started_in.substrate == "threads" and wanted not in ("", "1"):
        raise ArgumentError(
            f"BOXCAR_PES={wanted} makes PEs of threads, but PEs of Python are processes: start the "
            f"program by boxcar run -n {wanted}, without --threads, or unset the variable"
        )


def fail(here: World, error: BaseException) -> bool:
    """Tell the other PEs that this one cannot go on. Whether it is the first that cannot."""
    return here._pe.fail(f"{here._pe.name_of(here.rank)}: {type(error).__name__}: {error}")


def world_of(communicator: Any) -> World:
    """A world of the processes of a communicator of mpi4py.

    Collective over the communicator, which is duplicated and may be freed. To be closed, or left at
    the end of the program, before MPI is finalised.

    Raises:
        ArgumentError: If it is no communicator, or of an MPI that Boxcar does not know.
        MachineError: If Boxcar was not built for that MPI.
    """
    from mpi4py import MPI

    if not isinstance(communicator, MPI.Comm):
        raise ArgumentError(f"{communicator!r} is no communicator of mpi4py")
    library = MPI.Get_library_version()
    mpi = "openmpi" if library.startswith("Open MPI") else "mpich" if "MPICH" in library else "mpi"
    joined = World(_native.world_of_communicator(mpi, MPI._addressof(communicator)))
    _parts.append(joined)
    return joined


@atexit.register
def _leave_parts() -> None:
    for part in list(_parts):
        try:
            part._leave(quietly=False)
        except WorldError:  # whoever made it fail has told
            part._leave(quietly=True)
