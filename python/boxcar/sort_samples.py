"""The samples by which a sort shares its rows out: how many there are, and which rows they are."""

from __future__ import annotations

import numpy as np

from .arrays import Array

_OF_A_PE = 1000
_MOST = 1 << 18  # of all PEs, unless that makes less than
_FEWEST_OF_A_PE = 64


def samples_of_a_pe(pes: int, rows: int, of_all: int) -> int:
    """How many of its rows a PE gives, if all PEs together have so many, more than none."""
    samples = max(min(_OF_A_PE * pes, _MOST), _FEWEST_OF_A_PE * pes)
    return min(-(-samples * rows // of_all), rows)


def drawn_rows(rank: int, rows: int, count: int) -> Array:
    """The numbers of so many rows of this PE, as if at random, in ascending order.

    One row of each of so many stretches of the same length: if the rows are in order, they are
    about equally far from one another.
    """
    bounds = np.arange(count + 1) * rows // max(count, 1)
    return np.random.default_rng(rank).integers(bounds[:-1], bounds[1:])
