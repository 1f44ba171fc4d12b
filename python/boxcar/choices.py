"""Arguments that are one of a few words, checked before they are looked up."""

from __future__ import annotations

from typing import Any

from . import _native
from .errors import ArgumentError


def check_operation(op: Any, code: str, name: str = "op") -> None:
    """Raises ArgumentError unless the operation combines numbers of the type ``code``."""
    if not isinstance(op, str):
        raise ArgumentError(f'{name} is {op!r}: give the name of an operation, as "sum" or "max"')
    _native.check_update(op, code)


def check_spread(spread: Any) -> None:
    """Raises ArgumentError unless tables can be spread in that way."""
    if not isinstance(spread, str):
        raise ArgumentError(f'spread is {spread!r}: give "blocks", "cyclic" or "hash"')
    _native.check_spread(spread)
