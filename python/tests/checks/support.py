"""What checks have in common."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import boxcar
import numpy as np


def of_all(world: boxcar.World, array: Any) -> np.ndarray:
    """The arrays of all PEs, one behind the other, on every PE."""
    array = np.ascontiguousarray(array)
    return np.concatenate(world.all_gather(array), dtype=array.dtype)


def random_of(world: boxcar.World, seed: int = 0) -> np.random.Generator:
    """Different numbers on each PE, the same in every run."""
    return np.random.default_rng([world.rank, seed])


def all_are(world: boxcar.World, condition: bool) -> bool:
    """Whether it holds on every PE: so all fail, or none."""
    return bool(world.reduce(int(condition), "min"))


def same(a: np.ndarray, b: np.ndarray) -> bool:
    """Equal, also in dtype and shape; what is not a number equals itself."""
    if a.dtype != b.dtype or a.shape != b.shape:
        return False
    return a.tobytes() == b.tobytes() or bool(
        np.array_equal(a, b, equal_nan=a.dtype.kind in "fcmM")
    )


def error_of(call: Callable[[], object]) -> str:
    """The message of the ArgumentError that it raises."""
    try:
        call()
    except boxcar.ArgumentError as error:
        return str(error)
    raise AssertionError("no ArgumentError was raised")


def must_refuse(world: boxcar.World, call: Callable[[], object], *words: str) -> None:
    """All PEs get the error, with these words, and the world can be used afterwards."""
    message = error_of(call)
    for word in words:
        assert word in message, message
    assert world.reduce(1) == world.size
