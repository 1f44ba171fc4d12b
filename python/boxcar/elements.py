"""Arguments of operations on elements of other PEs: PEs, indices, and values."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from .arrays import Array, array_or_value, converted
from .errors import ArgumentError

if TYPE_CHECKING:
    from .world import World

_END = 2**63


def integer_of(value: Any, name: str) -> int:
    try:
        return operator.index(value)
    except TypeError:
        raise ArgumentError(f"{name} is {value!r}: give an integer") from None


def count_of(value: Any, name: str, least: int = 0) -> int:
    """An integer that is not less."""
    number = integer_of(value, name)
    if not least <= number < _END:
        raise ArgumentError(f"{name} is {number}: give {least} or more, and less than 2**63")
    return number


def pe_of(world: World, value: Any, name: str) -> int:
    """A PE of the world."""
    pe = count_of(value, name)
    if pe >= world.size:
        raise ArgumentError(f"{name} is {pe}, but the world has {world.size} PEs, numbered from 0")
    return pe


def element_type(dtype: npt.DTypeLike) -> np.dtype[Any]:
    """Of what elements of windows and append buffers can be."""
    element = np.dtype(dtype)
    if element.hasobject:
        raise ArgumentError(
            f"dtype is {element}, elements of which are references to objects: give numbers, "
            "fixed-width strings (dtype 'S' or 'U') or structures of these"
        )
    if element.itemsize == 0 or element.subdtype is not None:
        raise ArgumentError(
            f"dtype is {element}: give one whose elements have bytes, and are single values or "
            "structures"
        )
    return element


def row_type(dtype: npt.DTypeLike, name: str) -> tuple[np.dtype[Any], tuple[int, ...]]:
    """The type of elements in this machine's byte order, and the shape of a row of them."""
    try:
        given = np.dtype(dtype)
    except TypeError as problem:
        raise ArgumentError(f"{name} is {dtype!r}: {problem}") from problem
    element, row = given.subdtype or (given, ())
    if 0 in row:
        raise ArgumentError(f"{name} is {given}, whose rows are empty: give a shape without 0")
    return element_type(element).newbyteorder("="), row


def values_of(values: Any, dtype: np.dtype[Any], name: str) -> Array:
    """Contiguous and aligned, of that dtype, if that loses no more than digits."""
    try:
        if dtype.names is not None and isinstance(values, (list, tuple)):
            return _structures_of(values, dtype, name)
        array = array_or_value(values, name)
        if array.size == 0 and not isinstance(values, (np.ndarray, np.generic)):
            return np.empty(array.shape, dtype)
        return converted(array, dtype, name)
    except ArgumentError:
        raise
    except Exception as problem:
        raise ArgumentError(f"{name}: {problem}") from problem


def _structures_of(values: Any, dtype: np.dtype[Any], name: str) -> Array:
    """Structures of lists and tuples, each field as in ``values_of``."""
    given = np.asarray(values, _of_objects(dtype))
    result = np.zeros(given.shape, dtype)
    _fill(result, given, name)
    return result


def _of_objects(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """The same structure of references to objects."""
    if dtype.subdtype is not None:
        return np.dtype((_of_objects(dtype.subdtype[0]), dtype.subdtype[1]))
    if dtype.names is not None:
        return np.dtype([(field, _of_objects(dtype[field])) for field in dtype.names])
    return np.dtype(object)


def _fill(result: Array, objects: Array, name: str) -> None:
    if result.dtype.names is not None:
        for field in result.dtype.names:
            _fill(result[field], objects[field], f"{name}, field {field!r}")
    elif objects.size != 0:
        given = objects.reshape(-1).tolist()
        if result.dtype.kind == "S":  # in structures NumPy takes text for bytes, too
            given = [each.encode("ascii") if isinstance(each, str) else each for each in given]
        result[...] = values_of(given, result.dtype, name).reshape(result.shape)


def rows_for(values: Any, dtype: np.dtype[Any], shape: tuple[int, ...], name: str) -> Array:
    """Values of that dtype, broadcast to the shape; an empty list does for any empty shape."""
    array = values_of(values, dtype, name)
    if array.size == 0 and 0 in shape and array.ndim == 1:
        return np.empty(shape, dtype)
    return np.ascontiguousarray(np.broadcast_to(array, shape))


def room_of(out: Any, dtype: np.dtype[Any], name: str) -> Array:
    """An array that can be filled."""
    if not isinstance(out, np.ndarray) or out.dtype != dtype:
        raise ArgumentError(
            f"{name} is to be filled: give a NumPy array of {dtype}, not "
            + (str(out.dtype) if isinstance(out, np.ndarray) else type(out).__name__)
        )
    if not (out.flags.c_contiguous and out.flags.writeable and out.flags.aligned):
        raise ArgumentError(
            f"{name} is to be filled, but is not contiguous, not aligned or read-only: give an "
            "array of its own"
        )
    if isinstance(out, np.ma.MaskedArray):
        raise ArgumentError(f"{name} is to be filled, but has a mask: give a plain NumPy array")
    return out
