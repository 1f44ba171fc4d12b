"""An estimate of how many different keys there are, in little memory."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from . import _native
from .agreement import Call
from .arrays import Array, raw
from .key_columns import Keys, grouping_keys

if TYPE_CHECKING:
    from .world import World

# 2**14 registers give a standard error of 1.04 / sqrt(2**14) = 0.81 %.
_INDEX_BITS = 14
_REGISTERS = 1 << _INDEX_BITS
_REST_BITS = 64 - _INDEX_BITS
_PIECE = 1 << 16  # keys that are hashed at once


def approximate_distinct(world: World, keys: Any) -> int:
    """An estimate of how many different keys there are on all PEs, on every PE.

    Collective. The standard error is 0.8 %: two of three estimates are at most so far off, and 19
    of 20 at most 1.6 %. Of 100 keys the error is about 1 key. Keys do not travel: each PE makes a
    sketch of 16 KiB, and one reduction merges the sketches. The estimate depends on the set of keys
    only, not on the PEs that have them.

    Source: Flajolet, Fusy, Gandouet and Meunier, "HyperLogLog", 2007; the estimator is that of
    Ertl, "New Cardinality Estimation Algorithms for HyperLogLog Sketches", 2017, Algorithm 6.

    Args:
        keys: As ``group_by_key`` takes them, also several columns. All NaN are one key, and so are
            all NaT, as for ``unique``.

    Raises:
        ArgumentError: On all PEs, if what one of them gives cannot work.
        WorldError: If a PE failed or left.
    """
    call = Call(world._pe, "approximate_distinct")
    mine = Keys(np.empty(0, np.int64), "i8", None)
    with call.checks():
        mine = grouping_keys(keys, "keys")
        call.must_be_alike(mine.form())
    call.agree()
    registers = _registers_of(call.widened(mine.rows), mine.code)
    world._pe.reduce("max", "u1", raw(registers))
    return round(_estimate(np.bincount(registers, minlength=_REST_BITS + 2)))


def _registers_of(keys: Array, code: str) -> npt.NDArray[np.uint8]:
    """For each value of the first bits of a hash, the largest rank of the rest of such hashes: the
    place of the highest bit that is set, counted from 1."""
    registers = np.zeros(_REGISTERS, np.uint8)
    for start in range(0, len(keys), _PIECE):
        piece = keys[start : start + _PIECE]
        hashes = np.empty(len(piece), np.uint64)
        _native.hash_keys(code, raw(piece), keys.dtype.itemsize, raw(hashes))
        indices = (hashes >> np.uint64(_REST_BITS)).astype(np.uint32)
        rest = hashes & np.uint64((1 << _REST_BITS) - 1)
        # The exponent of a float is the number of bits; the rest has fewer bits than a float.
        ranks = (_REST_BITS + 1 - np.frexp(rest.astype(np.float64))[1]).astype(np.uint8)
        _native.combine_groups("max", "u1", "u1", raw(ranks), raw(indices), raw(registers))
    return registers


def _estimate(counts: npt.NDArray[np.int64]) -> float:
    """The estimate from how many registers have each value."""
    z = _REGISTERS * _tau(1 - counts[_REST_BITS + 1] / _REGISTERS)
    for count in counts[_REST_BITS:0:-1]:
        z = (z + count) / 2
    z += _REGISTERS * _sigma(counts[0] / _REGISTERS)
    return float(_REGISTERS**2 / (2 * math.log(2) * z))


def _sigma(x: float) -> float:
    """x + the sum of x**(2**k) * 2**(k - 1) for k from 1 on."""
    if x == 1:
        return math.inf
    power, total, before = 1.0, x, -1.0
    while total != before:
        x *= x
        before, total = total, total + x * power
        power += power
    return total


def _tau(x: float) -> float:
    """(1 - x - the sum of (1 - x**(2**-k))**2 * 2**-k for k from 1 on) / 3."""
    if x in (0, 1):
        return 0
    power, total, before = 1.0, 1 - x, -1.0
    while total != before:
        x = math.sqrt(x)
        power /= 2
        before, total = total, total - (1 - x) ** 2 * power
    return total / 3
