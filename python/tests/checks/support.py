"""Common functions of the checks."""

from __future__ import annotations

import contextlib
import functools
import shutil
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import boxcar
import numpy as np


def of_all(world: boxcar.World, array: Any) -> np.ndarray:
    """The arrays of all PEs, concatenated, on every PE."""
    array = np.ascontiguousarray(array)
    return np.concatenate(world.all_gather(array), dtype=array.dtype)


def random_of(world: boxcar.World, seed: int = 0) -> np.random.Generator:
    """Different numbers on each PE, the same in every run."""
    return np.random.default_rng([world.rank, seed])


def all_are(world: boxcar.World, condition: bool) -> bool:
    """Whether the condition holds on every PE: so all PEs fail, or none."""
    return bool(world.reduce(int(condition), "min"))


def same(a: np.ndarray, b: np.ndarray) -> bool:
    """Whether the arrays are equal, also in dtype and shape; NaNs equal themselves."""
    if a.dtype != b.dtype or a.shape != b.shape:
        return False
    return a.tobytes() == b.tobytes() or bool(
        np.array_equal(a, b, equal_nan=a.dtype.kind in "fcmM")
    )


def error_of(call: Callable[[], object]) -> str:
    """The message of the ArgumentError of the call."""
    try:
        call()
    except boxcar.ArgumentError as error:
        return str(error)
    raise AssertionError("no ArgumentError was raised")


def must_refuse(world: boxcar.World, call: Callable[[], object], *words: str) -> None:
    """Expects the error on all PEs, with the words, and a usable world afterwards."""
    message = error_of(call)
    for word in words:
        assert word in message, message
    assert world.reduce(1) == world.size


@contextlib.contextmanager
def folder_of(world: boxcar.World) -> Iterator[str]:
    """A new folder, the same on all PEs."""
    folder = world.broadcast(tempfile.mkdtemp(prefix="boxcar-") if world.rank == 0 else None)
    try:
        yield folder
        world.barrier()
    finally:
        if world.rank == 0:
            shutil.rmtree(folder)


def with_new_file(check: Callable[[boxcar.World, str], None]) -> Callable[[boxcar.World], None]:
    """Gives a check the path of a file that is not there, the same on all PEs."""

    @functools.wraps(check)
    def check_with_file(world: boxcar.World) -> None:
        with folder_of(world) as folder:
            check(world, str(Path(folder) / "file.npy"))

    return check_with_file
