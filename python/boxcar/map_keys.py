"""Keys of distributed maps: the types of keys, and conversion of arrays that are given as keys."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from . import _native
from .agreement import Call
from .arrays import Array, array_of, array_or_value, changed, converted, is_text, place_in, raw
from .errors import ArgumentError
from .keys import keys_and_type


class KeyType:
    """The type of the keys of a map.

    ``code`` is the native name of the type of numbers, or empty if keys are rows of bytes.
    ``dtype`` is the dtype of keys; the width of text in it says nothing, as text has any width.
    """

    def __init__(self, dtype: npt.DTypeLike) -> None:
        example, self.code = keys_and_type(np.empty(0, dtype), "key_dtype")
        self.dtype = example.dtype

    def __str__(self) -> str:
        if is_text(self.dtype):
            return "str" if self.dtype.kind == "U" else "bytes"
        return str(self.dtype)

    def of(self, values: Any, name: str) -> Array:
        """The values as keys, of any shape: contiguous, of the dtype of the map; text has its own
        width.

        Raises ArgumentError with the first value that is not a key of the map without any loss.
        """
        array = array_or_value(values, name)
        if array.size == 0 and not isinstance(values, np.ndarray):
            return np.empty(array.shape, self.dtype)
        flat = array_of(array.reshape(-1), name)
        is_of_text = is_text(flat.dtype) or is_text(self.dtype)
        if is_of_text and flat.dtype.kind != self.dtype.kind:
            remedy = {"SU": "decode them", "US": "encode them"}
            raise ArgumentError(
                f"{name} has dtype {flat.dtype}, but the keys of the map are {self}: "
                + remedy.get(flat.dtype.kind + self.dtype.kind, "convert them")
            )
        if not is_text(self.dtype):
            flat = _without_loss(flat.reshape(array.shape), self.dtype, name).reshape(-1)
        keys, _ = keys_and_type(flat, name)
        return keys.reshape(array.shape)

    def empty(self, count: int, longest_row: int) -> Array:
        """An array for so many keys; text gets the width of the longest row of bytes."""
        if not is_text(self.dtype):
            return np.empty(count, self.dtype)
        letter = np.dtype(f"{self.dtype.kind}1").itemsize
        return np.empty(count, f"{self.dtype.kind}{max(1, -(-longest_row // letter))}")

    def owners(self, keys: Array, pes: int) -> npt.NDArray[np.int32]:
        """The PE that each key belongs to."""
        owners = np.empty(keys.shape, np.int32)
        _native.spread_keys(self.code, raw(keys), keys.dtype.itemsize, pes, raw(owners))
        return owners


def widened(call: Call, keys: Array) -> Array:
    """Keys as wide as the widest of all PEs. Collective if keys are text."""
    return call.widened(keys) if is_text(keys.dtype) else keys


def _without_loss(keys: Array, dtype: np.dtype[Any], name: str) -> Array:
    """Converts keys to a dtype that is no text. No two different keys become the same."""
    if keys.dtype == dtype:
        return keys
    if keys.dtype.kind in "biu" and dtype.kind in "biu":
        return converted(keys, dtype, name)
    is_structure = dtype.names is not None
    casting: Any = "safe" if is_structure else "same_kind"
    if keys.dtype.names != dtype.names or not np.can_cast(keys.dtype, dtype, casting):
        raise ArgumentError(
            f"{name} has dtype {keys.dtype}, but the keys of the map have {dtype}: convert them"
        )
    with np.errstate(over="ignore", invalid="ignore"):
        result = keys.astype(dtype)
    lost = changed(keys, result, "biufmM")
    if lost.any():
        first = int(np.argmax(lost))
        key = keys.reshape(-1)[first].item()
        raise ArgumentError(
            f"{name}{place_in(keys, first)} is {key!r}, which keys of {dtype} cannot hold: "
            f"use a map with keys of {keys.dtype}, or round them"
        )
    return result
