"""Hashes of objects, of any types, in columns of pandas: equal objects have equal hashes on all
PEs."""

from __future__ import annotations

import datetime
import hashlib
import math
import numbers
from decimal import Decimal
from typing import Any

import numpy as np
import pandas as pd

from .arrays import Array
from .errors import ArgumentError
from .frame_hashes import Hashes, hashes_of_numbers

_FIRST_TIME = datetime.datetime(1970, 1, 1)
_FIRST_DATE = datetime.date(1970, 1, 1)
_MICROSECOND = datetime.timedelta(microseconds=1)
_DAY = datetime.timedelta(days=1) // _MICROSECOND


def hashes_of_objects(values: Array) -> Hashes:
    """Hashes of text, of numbers and times as in columns of numbers and times, and of other objects
    by what is in them, or else by their texts."""
    are_text = np.fromiter((isinstance(each, str) for each in values), bool, len(values))
    result = np.empty(len(values), np.uint64)
    result[are_text] = _hashes_of_text(values[are_text])
    integers: list[tuple[int, int]] = []
    floats: list[tuple[int, float]] = []
    complexes: list[tuple[int, complex]] = []
    for i in np.flatnonzero(~are_text).tolist():
        plain = _plain(values[i])
        if isinstance(plain, int):
            integers.append((i, plain % 2**64))
        elif isinstance(plain, float):
            floats.append((i, plain))
        elif isinstance(plain, complex):
            complexes.append((i, plain))
        else:
            result[i] = _hash_of_text(plain)
    _set_hashes(result, integers, np.uint64)
    _set_hashes(result, floats, np.float64)
    _set_hashes(result, complexes, np.complex128)
    return result


def _set_hashes(result: Hashes, found: list[tuple[int, Any]], dtype: type) -> None:
    """Writes the hashes of numbers to their places."""
    if found:
        places, values = zip(*found, strict=True)
        result[list(places)] = hashes_of_numbers(np.array(values, dtype))


def _hashes_of_text(texts: Array) -> Hashes:
    try:
        hashes: Hashes = pd.util.hash_array(texts)
    except UnicodeEncodeError:
        hashes = np.empty(len(texts), np.uint64)
        are_valid = np.fromiter(map(_is_valid, texts), bool, len(texts))
        hashes[are_valid] = pd.util.hash_array(texts[are_valid])
        hashes[~are_valid] = [_hash_of_text(each) for each in texts[~are_valid]]
    return hashes


def _is_valid(text: str) -> bool:
    """Whether the text has no halves of pairs of surrogates, which UTF-8 does not encode."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _hash_of_text(text: str) -> int:
    encoded = text.encode(errors="surrogatepass")
    return int.from_bytes(hashlib.blake2b(encoded, digest_size=8).digest(), "little")


def _plain(value: Any) -> int | float | complex | str:
    """A number or a text that equal objects have in common. Times are microseconds in UTC."""
    if isinstance(value, (numbers.Real, Decimal, np.bool_)):
        return _number(value)
    if isinstance(value, (datetime.date, datetime.timedelta, np.datetime64, np.timedelta64)):
        return _microseconds(value)
    if isinstance(value, numbers.Complex):
        number = complex(value) + 0  # -0.0 becomes 0.0
        return number if number.imag != 0 else _number(number.real)
    return _text(value)


def _number(value: Any) -> int | float:
    """An integer if the value is whole and one of 64 bits, else a floating-point number."""
    try:
        number = float(value)
    except OverflowError:  # of integers and fractions beyond all floating-point numbers
        return math.inf if value > 0 else -math.inf
    if number.is_integer():
        whole = int(value)
        if -(2**63) <= whole < 2**64:
            return whole
    return number


def _microseconds(value: Any) -> int:
    if isinstance(value, pd.Timestamp):
        value = value.to_datetime64()
    elif isinstance(value, pd.Timedelta):
        value = value.to_timedelta64()
    if isinstance(value, (np.datetime64, np.timedelta64)):
        kind = "M8[us]" if isinstance(value, np.datetime64) else "m8[us]"
        return int(value.astype(kind).astype(np.int64))
    if isinstance(value, datetime.timedelta):
        return int(value // _MICROSECOND)
    if not isinstance(value, datetime.datetime):
        return int((value - _FIRST_DATE).days * _DAY)
    from_utc = value.utcoffset() or datetime.timedelta()
    since_first = value.replace(tzinfo=None) - _FIRST_TIME
    return int(since_first // _MICROSECOND - from_utc // _MICROSECOND)


def _text(value: Any) -> str:
    """A text that equal objects have in common."""
    if isinstance(value, str):
        return repr(str(value))
    if isinstance(value, (tuple, list)):
        return f"({', '.join(_text_within(each) for each in value)})"
    if isinstance(value, (set, frozenset)):
        return f"{{{', '.join(sorted(_text_within(each) for each in value))}}}"
    if isinstance(value, pd.Interval):
        return _text((value.left, value.right, value.closed))
    kind: Any = type(value)
    if kind.__repr__ is object.__repr__ and kind.__eq__ is not object.__eq__:
        raise ArgumentError(
            f"a key is a {kind.__module__}.{kind.__qualname__}, whose text does not tell which of "
            "them are equal: give the class a __repr__, or leave the column out of the keys"
        )
    return repr(value)


def _text_within(value: Any) -> str:
    """The text of an object within another one."""
    plain = _plain(value)
    return plain if isinstance(plain, str) else repr(plain)
