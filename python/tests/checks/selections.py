"""top_k, sample and approximate_distinct."""

from __future__ import annotations

import boxcar
import numpy as np
import pandas as pd
from hypothesis import strategies as st

from .key_columns import _KINDS, _column
from .random import FEWER, for_all, share_of
from .support import all_are, must_refuse, of_all, random_of, same


def _ranked(values: np.ndarray, largest: bool) -> np.ndarray:
    """The rows in the order of pandas, without those that are missing."""
    _, ranks = np.unique(values, return_inverse=True)
    series = pd.Series(-ranks if largest else ranks)
    if values.dtype.kind in "fmM":
        series = series[~np.isnan(values)]
    return series.sort_values(kind="stable").index.to_numpy()


def check_top_k_as_pandas(world):
    def holds(example, random):
        kind, rows, k, largest = example
        values = _column(kind, rows, random)
        mine = share_of(world, np.arange(rows), random)
        top = world.top_k(values[mine], k, largest=largest)
        want = _ranked(values, largest)[:k]
        carried = world.gather(np.arange(rows)[mine] * 10, top.rows)
        return same(top.rows, want) and same(top.values, values[want]) and same(carried, want * 10)

    examples = st.tuples(
        st.sampled_from(_KINDS), st.integers(0, 40), st.integers(0, 12), st.booleans()
    )
    for_all(world, examples, holds, FEWER)


def check_top_k_of_many(world):
    values = random_of(world).normal(size=20_000)
    values[::3] = np.nan
    values, rows = world.top_k(values, 50)
    whole = of_all(world, random_of(world).normal(size=20_000))
    want = pd.Series(whole)[np.arange(len(whole)) % 20_000 % 3 != 0].nlargest(50)
    assert same(values, want.to_numpy()) and same(rows, want.index.to_numpy())
    everything = world.top_k([3, 1] if world.rank == 0 else np.empty(0, int), 9, largest=False)
    assert isinstance(everything, boxcar.Top)
    assert everything.values.tolist() == [1, 3] and everything.rows.tolist() == [1, 0]
    words = world.top_k(np.array(["b", "x" * (1 + world.rank)]), 1).values
    assert words.tolist() == ["x" * world.size]


def check_samples(world):
    rows = np.arange(200 * (world.rank + 1)) + 10_000 * world.rank
    rows = rows if world.size == 1 or world.rank != world.size - 1 else rows[:0]
    every = of_all(world, rows)
    for n in [0, 1, 7, len(every) - 1, len(every)]:
        mine = world.sample(rows, n, 5)
        taken = of_all(world, mine)
        assert len(np.unique(taken)) == len(taken) == n and np.isin(taken, every).all()
        assert np.isin(mine, rows).all() and (np.diff(mine) > 0).all()
        assert same(mine, world.sample(rows, n, 5))
    assert not np.array_equal(of_all(world, world.sample(rows, 50, 1)), np.sort(every)[:50])
    one, other = (of_all(world, world.sample(rows, 50, seed)) for seed in (1, 2))
    assert not np.array_equal(one, other)
    pairs = np.stack([rows, rows], 1)
    assert world.sample(pairs, 20, 5).shape[1:] == (2,)


def check_samples_are_uniform(world):
    """Each row is as likely as another: chi-squared of how often each of 40 rows is taken."""
    rows = np.arange(40)[world.rank :: world.size]
    taken = np.zeros(40)
    draws = 40
    for seed in range(draws):
        taken[world.sample(rows, 10, seed)] += 1
    taken = world.reduce(taken)
    assert taken.sum() == 10 * draws
    # Of a value whose mean is 39 and whose standard deviation is 8.8.
    chi_squared = ((taken - draws / 4) ** 2).sum() / (draws * 3 / 16) * 39 / 40
    assert 10 < chi_squared < 90


def check_estimates_of_different_keys(world):
    for count in [0, 1, 100, 3000, 200_000]:
        keys = np.arange(count)
        here = keys if world.size == 1 or world.rank != world.size - 1 else keys[:0]
        got = world.approximate_distinct(here)
        assert abs(got - count) <= max(2, 0.035 * count) if count > 1 else got == count
        assert set(world.all_gather(got)) == {got}
    random = random_of(world)
    cases = [
        random.integers(0, 50, 300).astype("u1"),
        random.choice(np.array([0.0, -0.0, np.nan, -np.nan, 2.5]), 100),
        random.integers(0, 50, 300).astype("M8[s]"),
        random.integers(0, 50, 300).astype(f"U{3 + world.rank}"),
        (random.integers(0, 9, 300), random.integers(0, 9, 300).astype(f"S{2 + world.rank}")),
        np.zeros(5, [("a", "i1"), ("b", "f8")]),
    ]
    for keys in cases:
        different = world.unique(keys)
        exact = world.reduce(len(different[0] if isinstance(keys, tuple) else different))
        assert abs(world.approximate_distinct(keys) - exact) <= 1


def check_what_cannot_be_selected(world):
    last = world.rank == world.size - 1
    for call, *words in [
        (lambda bad: world.top_k([1, 2], -1 if bad else 1), "k is -1", "give 0 or more"),
        (lambda bad: world.top_k([1, 2], 1.5 if bad else 1), "k is 1.5", "integer"),
        (lambda bad: world.top_k([[1, 2]] if bad else [1], 1), "values has shape (1, 2)"),
        (lambda bad: world.top_k([1j], 1), "complex128"),
        (lambda bad: world.sample([1, 2], -1 if bad else 1, 0), "n is -1", "give 0 or more"),
        (lambda bad: world.sample([1, 2], 2.0 if bad else 1, 0), "n is 2.0", "integer"),
        (lambda bad: world.sample([1, 2], 1, "a" if bad else 0), "seed is 'a'", "integer"),
        (lambda bad: world.sample([1, 2], 1, -3 if bad else 0), "seed is -3", "at least 0"),
        (lambda bad: world.sample([1, 2], 1000, 0), "n is 1000", f"have {2 * world.size} rows"),
        (lambda bad: world.approximate_distinct([1j if bad else 1.0]), ""),
        (lambda bad: world.approximate_distinct(([1], [1, 2])), "keys[1] has 2 rows"),
    ]:
        must_refuse(world, lambda: call(last), *words)
    if world.size > 1:
        must_refuse(world, lambda: world.top_k([1], 1 + last), "disagree on the k")
        must_refuse(world, lambda: world.sample([1], 1, int(last)), "disagree on the seed")
    assert all_are(world, True)
