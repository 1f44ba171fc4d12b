"""Keys of the grouping functions: the possible dtypes of keys, and the bytes that stand for a
key."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from .arrays import Array, code_of, is_real, is_text, keys_of, leaves
from .errors import ArgumentError


def keys_and_type(values: Any, name: str) -> tuple[Array, str]:
    """Keys as the native part takes them, and the native name of their type.

    The name is empty if keys are rows of bytes, which are equal if all bytes are.
    """
    keys = keys_of(values, name)
    if keys.dtype.kind in "mM":
        return keys, "i8"
    if keys.dtype == np.float16:
        raise ArgumentError(f"{name} has dtype float16: convert them to float32")
    if is_real(keys.dtype):
        return keys, code_of(keys.dtype)
    if keys.dtype.kind in "fc":
        raise ArgumentError(f"{name} has dtype {keys.dtype}: group by integers, strings or float64")
    if is_text(keys.dtype) and keys.dtype.itemsize == 0:
        return keys.astype(f"{keys.dtype.kind}1"), ""
    if keys.dtype.names:
        keys = keys.astype(_packed(keys.dtype))  # bytes between fields may have any value
        _make_canonical(keys, name)
    if keys.dtype.itemsize == 0:
        raise ArgumentError(f"{name} has dtype {keys.dtype}, whose elements are empty")
    return keys, ""


def are_missing(keys: Array) -> npt.NDArray[np.bool_]:
    """Whether each key is NaN or NaT, or a structure with such a field."""
    missing = np.zeros(len(keys), bool)
    for leaf in leaves(keys):
        if leaf.dtype.kind in "fcmM":
            wrong = np.isnat(leaf) if leaf.dtype.kind in "mM" else np.isnan(leaf)
            missing |= wrong.any(axis=tuple(range(1, wrong.ndim)))
    return missing


def _packed(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """The dtype without padding, also in structures within it and in arrays of structures.

    Text has room for one letter at least.
    """
    if dtype.subdtype is not None:
        element, shape = dtype.subdtype
        return np.dtype((_packed(element), shape))
    if dtype.names is None:
        return np.dtype(f"{dtype.str[:2]}1") if is_text(dtype) and dtype.itemsize == 0 else dtype
    fields: Any = dtype.fields
    return np.dtype([(name, _packed(fields[name][0])) for name in dtype.names])


def _make_canonical(keys: Array, name: str) -> None:
    """Gives equal bytes to fields with equal keys: 0.0 and -0.0, and all NaNs."""
    for leaf in leaves(keys):
        if leaf.dtype.char in "gG":
            raise ArgumentError(f"{name} has a field of dtype {leaf.dtype}: convert it to float64")
        parts = {"f": [leaf], "c": [leaf.real, leaf.imag]}.get(leaf.dtype.kind, [])
        for part in parts:
            part[part == 0] = 0
            part[np.isnan(part)] = np.nan
