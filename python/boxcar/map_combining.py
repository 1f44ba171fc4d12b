"""Updates of a map that are combined before they travel, where many are for the same keys."""

from __future__ import annotations

from typing import Any

import numpy as np

from .arrays import Array
from .numbering import Numbering, is_worth_combining

_MOST_KEYS = 2**32 - 2


def combined(
    keys: Array, code: str, how: str, values: Array | None, dtype: np.dtype[Any]
) -> tuple[Array, Array] | None:
    """Each key once, and its combined values; or None if that is not worth while or cannot be.

    Local.

    Args:
        keys: One-dimensional.
        code: The native name of the type of the keys, see ``keys_and_type``.
        how: What becomes of values of the same key, see ``MapUpdate``.
        values: A value for each key. None stands for the number 1 for each key.
        dtype: Of values.
    """
    is_of_numbers = values is None or values.ndim == 1
    if how == "put" or len(keys) > _MOST_KEYS or not (is_of_numbers or how == "first"):
        return None
    if not is_worth_combining(keys, code):
        return None
    numbering = Numbering(keys, code)
    new = numbering.counts() if values is None else numbering.combine(how, values)
    return keys[numbering.firsts], new.astype(dtype, copy=False)
