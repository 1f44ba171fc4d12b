"""What PEs can compare of arguments that may be anything, such as functions."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import numpy as np

_ADDRESS = re.compile("0x[0-9a-f]+")


def described(value: Any) -> Any:
    """Plain values as they are, of functions the names, and of other objects the types.

    Arguments with different descriptions are different. The converse need not hold.
    """
    if isinstance(value, np.generic):
        value = value.item()
    if value is None or isinstance(value, (bool, int, float, bytes)):
        return value
    if isinstance(value, str):
        return str.__str__(value)
    if isinstance(value, Mapping):
        return [(described(key), described(each)) for key, each in value.items()]
    if isinstance(value, (list, tuple)):
        return [described(each) for each in value]
    kind = type(value)
    if kind.__module__.split(".")[0] == "polars" and kind.__name__ == "Expr":
        return _ADDRESS.sub("", str(value))
    return f"a {kind.__name__} {getattr(value, '__qualname__', '')}".rstrip()
