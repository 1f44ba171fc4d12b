"""Checks of ranks and nodes, small collectives, and subworlds."""

from __future__ import annotations

import os

import boxcar
import numpy as np

from . import everywhere
from .support import must_refuse, of_all, same


def check_report_of_nothing(world):
    must_refuse(world, world.report, "report", "set BOXCAR_TRACE to a file")


@everywhere
def check_who_and_where(world):
    assert world.all_gather(world.rank) == list(range(world.size))
    assert world.size == world.reduce(1)
    assert 0 <= world.node < world.nodes and world.node_of(world.rank) == world.node
    assert 0 <= world.local_rank < world.local_size
    assert world.substrate in ("threads", "processes", "mpi", "shmem", "ofi")
    assert repr(world).startswith(f"<boxcar.World: PE {world.rank} of {world.size}")
    assert boxcar.world() is boxcar.world()


@everywhere
def check_broadcast_and_all_gather(world):
    for root in range(world.size):
        value = {"from": world.rank, "array": np.arange(5)}
        got = world.broadcast(value if world.rank == root else None, root)
        assert got["from"] == root and same(got["array"], np.arange(5))
    assert world.all_gather("x" * world.rank) == ["x" * pe for pe in range(world.size)]
    must_refuse(world, lambda: world.broadcast(1, world.size), f"root is {world.size}")
    must_refuse(world, lambda: world.broadcast(1, 0.5), "root is 0.5", "integer")
    assert world.broadcast(world.rank, np.int64(0) if world.rank == 0 else 0) == 0


def check_what_cannot_be_pickled(world):
    value = (lambda: None) if world.rank == 0 else 1
    try:
        world.all_gather(value)
    except boxcar.ArgumentError as error:
        assert world.rank != 0 and "PE 0" in str(error)
    except Exception as error:
        assert world.rank == 0 and "pickle" in str(error)
    else:
        raise AssertionError("nothing was raised")


def check_reductions(world):
    ranks = np.arange(world.size)
    assert world.reduce(world.rank) == ranks.sum() and type(world.reduce(1)) is int
    assert world.reduce(float(world.rank), "max") == world.size - 1
    assert world.reduce(world.rank % 2 == 0, "and") == (world.size == 1)
    assert world.scan(world.rank) == ranks[: world.rank + 1].sum()
    assert world.exclusive_scan(world.rank, 100) == 100 + ranks[: world.rank].sum()
    for kind in ["b1", "i1", "u4", "f4", "f8", "c16", ">i4"]:
        mine = np.array([[world.rank + 1, 1], [0, 1]]).astype(kind)
        result = world.reduce(mine)
        assert result.shape == (2, 2) and result.dtype == np.dtype(kind).newbyteorder("=")
        if kind != "b1":
            assert result[0, 0] == (ranks + 1).sum() and result[1, 1] == world.size
        assert mine[0, 0] == np.array(world.rank + 1).astype(kind)  # not changed
    assert world.reduce(np.empty((0, 3))).shape == (0, 3)
    must_refuse(world, lambda: world.reduce("x"), "numbers")
    must_refuse(world, lambda: world.reduce(1.5, "xor"), "xor")
    must_refuse(world, lambda: world.reduce(1, "mean"), "mean")
    if world.size > 1:
        must_refuse(
            world, lambda: world.reduce(np.zeros(2 + world.rank % 2)), "disagree on the shape"
        )


def check_histogram(world):
    values = np.random.default_rng(world.rank).normal(size=1000 * world.rank)
    everything = of_all(world, values)
    for how in [(10, None), (7, (-1.0, 1.0)), ([-2, -1, 0, 5], None)]:
        counts, edges = world.histogram(values, *how)
        wanted, wanted_edges = np.histogram(everything, *how)
        assert (counts == wanted).all() and np.allclose(edges, wanted_edges)
    is_first = world.rank == 0
    edges, ends = ([0, 1], (0, 1)) if is_first else (np.array([0.0, 1.0]), np.array([0.0, 1.0]))
    assert world.histogram([0.5], edges)[0] == world.size
    assert world.histogram([0.5], np.int32(1) if is_first else 1, ends)[0] == world.size
    must_refuse(world, lambda: world.histogram(["a"]), "real numbers")
    must_refuse(world, lambda: world.histogram([1.0], 0), "histogram")
    # The number of bins would differ between the PEs.
    must_refuse(world, lambda: world.histogram(np.arange(9 + world.rank), "auto"), "bins is 'auto'")


def check_histogram_of_numbers_of_any_width(world):
    """Edges are rounded as NumPy rounds them, and no value falls out."""
    for dtype in ("f2", "f4", "f8", "g", "i1", "u8"):
        for seed in range(20):
            everything = np.random.default_rng(seed).random(200) * 100
            everything = everything.round(1).astype(dtype)
            counts, edges = world.histogram(everything[world.rank :: world.size], 20)
            wanted, wanted_edges = np.histogram(everything, 20)
            assert same(counts, wanted) and np.array_equal(edges, wanted_edges), (dtype, seed)
    close = np.array([0, 1, 1 + np.finfo("g").eps], "g")
    assert world.histogram(close, 2)[0].tolist() == [world.size, 2 * world.size]
    must_refuse(world, lambda: world.histogram([1.0], 3, (1, 2, 3)), "unpack")


def check_parts_of_a_world(world):
    part = world.split(world.rank % 2, -world.rank)
    with part:
        assert part.size == len(range(world.rank % 2, world.size, 2))
        ranks = part.all_gather(world.rank)
        assert ranks == sorted(ranks, reverse=True) and ranks[part.rank] == world.rank
        received = part.exchange(np.arange(100), np.arange(100) % part.size)
        assert len(received.items) == part.size * len(range(part.rank, 100, part.size))
        assert part.sort(np.arange(10)).size
    try:
        part.barrier()
    except boxcar.ContractError as error:
        assert "closed" in str(error)
    else:
        raise AssertionError("a world that was closed can be used")
    nobody = world.split(0 if world.rank == 0 else -1)
    assert (nobody is None) == (world.rank != 0)
    must_refuse(world, world.close, "the world of the program")


def check_processes_that_were_forked(world):
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            world.barrier()
            os.write(write, b"no error")
        except boxcar.ContractError as error:
            os.write(write, str(error).encode())
        os._exit(0)
    os.close(write)
    with open(read) as told:
        assert "forked" in told.read()
    os.waitpid(child, 0)
    world.barrier()
