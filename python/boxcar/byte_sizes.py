"""Numbers of bytes as programs give them."""

from __future__ import annotations

import re
from typing import Any

from .elements import count_of
from .errors import ArgumentError

_UNITS = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9, "t": 10**12}
_UNITS |= {f"{unit}i": 2 ** (10 * power) for power, unit in enumerate("kmgt", 1)}
_SIZE = re.compile(r"\s*([0-9]+(?:\.[0-9]+)?)\s*([kmgt]?i?)b?\s*", re.IGNORECASE)


def bytes_of(value: Any, name: str) -> int:
    """A number of bytes of at least 1, from an integer or from text as "2 GiB"."""
    if not isinstance(value, str):
        return count_of(value, name, 1)
    match = _SIZE.fullmatch(value)
    unit = _UNITS.get(match[2].lower()) if match is not None else None
    size = 0 if match is None or unit is None else int(float(match[1]) * unit)
    if size < 1:
        raise ArgumentError(f'{name} is {value!r}: give a number of bytes, or text as "2 GiB"')
    return size
