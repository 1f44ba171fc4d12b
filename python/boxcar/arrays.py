"""How arrays of any kind become what the native part takes: contiguous, aligned, plain bytes."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from .errors import ArgumentError

Array = npt.NDArray[Any]

_INDEX_CODES = ("i4", "i8", "u4", "u8")
_REAL_CODES = ("b1", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f4", "f8")
_NUMBER_CODES = (*_REAL_CODES, "c8", "c16")


def array_of(values: Any, name: str) -> Array:
    """As an array of at least one dimension, without a copy where that can be."""
    if isinstance(values, np.ndarray):
        array = values
    elif hasattr(values, "__arrow_c_stream__") or hasattr(values, "__arrow_c_array__"):
        array = _array_of_column(values, name)
    elif hasattr(values, "__dlpack__") and not hasattr(values, "__array__"):
        array = np.from_dlpack(values)
    else:
        array = np.asarray(values)
    if array.ndim == 0:
        raise ArgumentError(f"{name} is a single value: give an array, of one element if need be")
    if array.dtype.hasobject:
        raise ArgumentError(
            f"{name} has dtype {array.dtype}, elements of which are references to objects: give "
            "numbers, fixed-width strings (dtype 'S' or 'U') or structures of these"
        )
    return array


def _array_of_column(values: Any, name: str) -> Array:
    """Of pandas, polars, Arrow and others that speak Arrow's interface."""
    if isinstance(getattr(values, "dtype", None), np.dtype) and not values.dtype.hasobject:
        return np.asarray(values)
    try:
        import pyarrow as pa
    except ImportError as error:
        raise ArgumentError(
            f"{name} is a column of {type(values).__module__}: install pyarrow, or give an array"
        ) from error
    column = pa.chunked_array(values)
    if column.null_count != 0:
        raise ArgumentError(
            f"{name} has {column.null_count} missing values: leave those rows out, or fill them"
        )
    array: Array = column.to_numpy()
    is_text = pa.types.is_string(column.type) or pa.types.is_large_string(column.type)
    return array.astype(np.str_) if is_text or pa.types.is_string_view(column.type) else array


def rows_of(values: Any, name: str) -> Array:
    """The same, contiguous and aligned."""
    return np.require(array_of(values, name), requirements=["C", "A"])


def keys_of(values: Any, name: str) -> Array:
    """One-dimensional, contiguous, in this machine's byte order."""
    keys = native(array_of(values, name))
    if keys.ndim != 1:
        raise ArgumentError(f"{name} has shape {keys.shape}: give one dimension")
    return np.ascontiguousarray(keys)


def raw(array: Array) -> npt.NDArray[np.uint8]:
    """The bytes of a contiguous array."""
    if array.nbytes == 0:
        return np.empty(0, np.uint8)
    return array.reshape(-1).view(np.uint8)


def row_bytes(array: Array) -> int:
    """Of one row of it."""
    return array.dtype.itemsize * int(np.prod(array.shape[1:], dtype=np.int64))


def with_rows(count: int, like: Array) -> Array:
    """An array of so many rows, not filled, of the form of those of another one."""
    return np.empty((count, *like.shape[1:]), like.dtype)


def form_of(array: Array) -> dict[str, object]:
    """What must be the same on all PEs."""
    return {"dtype": _name_of(array.dtype), "shape of a row": array.shape[1:]}


def _name_of(dtype: np.dtype[Any]) -> str:
    return str(dtype.descr) if dtype.names else dtype.str if not dtype.isnative else str(dtype)


def code_of(dtype: np.dtype[Any]) -> str:
    """How the native part calls a type of numbers in this machine's byte order; or ""."""
    code = f"{dtype.kind}{dtype.itemsize}"
    return code if dtype.isnative and code in _NUMBER_CODES else ""


def is_real(dtype: np.dtype[Any]) -> bool:
    return code_of(dtype) in _REAL_CODES


def native(array: Array) -> Array:
    """In this machine's byte order."""
    if array.dtype.isnative:
        return array
    return array.astype(array.dtype.newbyteorder("="))


def indices_of(values: Any, name: str) -> Array:
    """Integers, as the native part takes them."""
    array = native(array_of(values, name))
    if array.size == 0 and not isinstance(values, np.ndarray):
        array = array.astype(np.int64)
    if array.dtype.kind not in "iu":
        raise ArgumentError(f"{name} has dtype {array.dtype}: give integers")
    if code_of(array.dtype) not in _INDEX_CODES:
        array = array.astype(np.int32)
    return np.require(array, requirements=["C", "A"])
