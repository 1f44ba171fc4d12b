"""The jobs of compare.py by hand, with NumPy and mpi4py."""

from __future__ import annotations

import boxcar
import numpy as np


class ByHand:
    """Raises ImportError where mpi4py is not there, or not for the processes of the world."""

    def __init__(self, world: boxcar.World) -> None:
        if world.substrate != "mpi":
            raise ImportError("mpi4py needs a launcher of MPI: run this by mpirun -n 2")
        try:
            from mpi4py import MPI
        except (ImportError, RuntimeError) as problem:
            raise ImportError(f"mpi4py cannot be imported: {problem}") from problem
        self.comm = MPI.COMM_WORLD

    def exchange(self, items: np.ndarray, to: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        order = np.argsort(to, kind="stable")
        counts = np.bincount(to, minlength=self.comm.size)
        return self.exchange_grouped(items[order], counts), order

    def exchange_grouped(self, items: np.ndarray, counts: np.ndarray) -> np.ndarray:
        arriving = np.empty(self.comm.size, counts.dtype)
        self.comm.Alltoall(counts, arriving)
        self.arriving = arriving
        received = np.empty(arriving.sum(), items.dtype)
        self.comm.Alltoallv((items, counts), (received, arriving))
        return received

    def gather(self, table: np.ndarray, indices: np.ndarray) -> np.ndarray:
        to, slots = np.divmod(indices, len(table))
        asked, order = self.exchange(slots, to)
        answers = self.exchange_grouped(table[asked], self.arriving)
        result = np.empty(len(indices), table.dtype)
        result[order] = answers
        return result

    def scatter_add(self, table: np.ndarray, indices: np.ndarray, values: np.ndarray) -> None:
        to, slots = np.divmod(indices, len(table))
        arrived, order = self.exchange(slots, to)
        counts = np.bincount(to, minlength=self.comm.size)
        np.add.at(table, arrived, self.exchange_grouped(values[order], counts))

    def sort(self, keys: np.ndarray) -> np.ndarray:
        mine = np.sort(keys)
        samples = np.concatenate(self.comm.allgather(mine[:: max(1, len(mine) // 1000)]))
        samples.sort()
        places = np.arange(1, self.comm.size) * len(samples) // self.comm.size
        ends = np.searchsorted(mine, samples[places])
        received = self.exchange_grouped(mine, np.diff([0, *ends, len(mine)]))
        received.sort(kind="stable")
        return received
