"""The widths of text, as elements and in structures, which may differ between PEs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from .arrays import Array, form_of, is_text, letters_of


def form_but_width(array: Array) -> dict[str, object]:
    """What must be the same on all PEs if ``Call.widened`` makes the width of text the same."""
    dtype = array.dtype
    if not may_differ(dtype):
        return form_of(array)
    name = f"text of dtype {dtype.str[:2]}" if is_text(dtype) else str(_but_width(dtype))
    return {"dtype": name, "shape of a row": array.shape[1:]}


def may_differ(dtype: np.dtype[Any]) -> bool:
    """Whether other PEs may have another dtype of the same form: of text and of structures."""
    return is_text(dtype) or dtype.names is not None


def _but_width(dtype: np.dtype[Any]) -> Any:
    """The description of a dtype without the widths of its text and the gaps between its fields."""
    if dtype.subdtype is not None:
        return (_but_width(dtype.base), dtype.shape)
    if dtype.names is not None:
        return [(name, _but_width(dtype[name])) for name in dtype.names]
    return dtype.str[:2] if is_text(dtype) else dtype.str


def widest(dtypes: Sequence[np.dtype[Any]]) -> np.dtype[Any]:
    """The dtype of the same form whose text is as wide as the widest of each field.

    A structure has gaps between its fields only if all of these align their fields. Precondition:
    the dtypes have the same form, see ``form_but_width``.
    """
    first = dtypes[0]
    if first.subdtype is not None:
        return np.dtype((widest([each.base for each in dtypes]), first.shape))
    if first.names is not None:
        fields = [(name, widest([each[name] for each in dtypes])) for name in first.names]
        return np.dtype(fields, align=all(each.isalignedstruct for each in dtypes))
    if is_text(first):
        return np.dtype(f"{first.str[:2]}{max(1, *map(letters_of, dtypes))}")
    return first
