"""Keys of several columns, and descending order, against pandas on one process."""

from __future__ import annotations

import warnings

import numpy as np
import pandas as pd
from hypothesis import strategies as st

from .random import FEWER, for_all, share_of
from .support import all_are, must_refuse, of_all, random_of, same

_KINDS = ["b1", "i1", "u2", "i8", "f4", "f8", "M8[s]", "m8[ns]", "U2", "S3"]


def _column(kind: str, rows: int, random: np.random.Generator) -> np.ndarray:
    """Few different values, and special ones."""
    values = random.integers(-3, 4, rows) if kind[0] in "ifmM" else random.integers(0, 5, rows)
    column = values.astype(kind)
    if kind[0] in "US":
        letters = np.array(["", "a", "ab", "b", "ä" if kind[0] == "U" else "c"], kind)
        column = letters[values % 5]
    some = random.random(rows) < 0.3
    if kind[0] == "f":
        column[some] = random.choice([np.nan, -np.nan, np.inf, -np.inf, -0.0, 0.0], some.sum())
    elif kind[0] in "mM":
        column[some] = random.choice(np.array(["NaT", 2**63 - 1, 1 - 2**63]), some.sum())
    elif kind[0] in "iu":
        limits = np.iinfo(kind)
        column[some] = random.choice(np.array([limits.min, limits.max], kind), some.sum())
    return column


def _ranks(column: np.ndarray, descends: bool) -> np.ndarray:
    """The places of the values in order; what is missing has the last place."""
    missing = np.isnan(column) if column.dtype.kind in "fmM" else np.zeros(len(column), bool)
    _, ranks = np.unique(np.where(missing, column[:1], column), return_inverse=True)
    ranks = -ranks if descends else ranks
    return np.where(missing, len(column) + 1, ranks)


def _order(columns, descending) -> np.ndarray:
    """The order of rows by pandas, which sorts the ranks of values."""
    ranks = pd.DataFrame({str(k): _ranks(*each) for k, each in enumerate(zip(columns, descending))})
    return ranks.sort_values(list(ranks), kind="stable").index.to_numpy()


def check_columns_that_are_no_arrays(world):
    """Text that NumPy would cut, types that are none of Arrow's, and no text at all."""
    ends_in_nul = pd.Series(["a", "a\0"])
    for column in (ends_in_nul, ends_in_nul.astype(object), list(ends_in_nul)):
        must_refuse(world, lambda column=column: world.value_counts(column), "ends in NUL")
    periods = pd.Series(pd.period_range("2020-01", periods=2, freq="M"))
    must_refuse(world, lambda: world.unique(periods), "none of Arrow's own")
    names = pd.Series(["a", "b", "a"], dtype=object)[: 3 if world.rank == 0 else 0]
    keys, counts = world.value_counts(names)
    found = [pair for each in world.all_gather(list(zip(keys, counts))) for pair in each]
    assert sorted(found) == [("a", 2), ("b", 1)]


def _sorts_as_pandas(world, columns, descending, mine) -> bool:
    rows = np.arange(len(columns[0]))
    here = tuple(column[mine] for column in columns)
    keys, places = world.sort_by_key(here, rows[mine], descending=descending)
    want = _order(columns, descending)
    if not same(of_all(world, places), want):
        return False
    if not all(same(of_all(world, key), c[want]) for key, c in zip(keys, columns)):
        return False
    alone = world.sort(list(here), descending=descending)
    if not all(a.tobytes() == k.tobytes() for a, k in zip(alone, keys)):
        return False
    one, places = world.sort_by_key(here[0], rows[mine], descending=descending[0])
    want = _order(columns[:1], descending[:1])
    return same(of_all(world, places), want) and same(of_all(world, one), columns[0][want])


def check_sorts_of_columns_as_pandas(world):
    def holds(example, random):
        kinds, rows, descending = example
        columns = [_column(kind, rows, random) for kind in kinds]
        mine = share_of(world, np.arange(rows), random)
        return _sorts_as_pandas(world, columns, descending[: len(kinds)], mine)

    kinds = st.lists(st.sampled_from(_KINDS), min_size=1, max_size=3)
    directions = st.lists(st.booleans(), min_size=3, max_size=3)
    for_all(world, st.tuples(kinds, st.integers(0, 40), directions), holds, FEWER)


def check_each_kind_in_both_directions(world):
    random = np.random.default_rng(3)  # the same on all PEs
    for kind in [*_KINDS, "f2", ">i4", "u8"]:
        columns = [_column("i1", 60, random) % 2, _column(kind.lstrip(">"), 60, random)]
        native, columns[1] = columns[1], columns[1].astype(kind)
        mine = slice(60 * world.rank // world.size, 60 * (world.rank + 1) // world.size)
        last = slice(0, 60 if world.rank == world.size - 1 else 0)
        for descending, rows in [([True, False], mine), ([False, True], last)]:
            here = (columns[0][rows], columns[1][rows])
            keys, places = world.sort_by_key(here, np.arange(60)[rows], descending=descending)
            want = _order([columns[0], native], descending)
            assert same(of_all(world, places), want), kind
            assert same(of_all(world, keys[1]), native[want]), kind
        down = world.sort(columns[1][mine], descending=True)
        assert same(of_all(world, down), native[_order([native], [True])]), kind


def check_signaling_nan_in_a_column(world):
    signaling = np.array([0x7FF0000000000001], np.uint64).view("f8")
    keys = (np.concatenate([signaling, [1.0]]), np.zeros(2))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        (first, _), _ = world.sort_by_key(keys, np.arange(2))
    assert same(of_all(world, np.isnan(first)), np.repeat([False, True], world.size))


def check_many_rows_in_columns(world):
    """So many that the native part sorts the encoded keys."""
    n = 12_000
    random = random_of(world)
    a, b = random.integers(0, 40, n).astype("i2"), random.normal(size=n).astype("f4")
    first, second = world.sort((a, b), descending=(False, True))
    order = np.lexsort([-of_all(world, b), of_all(world, a)])
    assert same(of_all(world, first), of_all(world, a)[order])
    assert same(of_all(world, second), of_all(world, b)[order])
    assert 0.7 * n < len(first) < 1.3 * n
    down = world.sort(b, descending=True)
    assert same(of_all(world, down), np.sort(of_all(world, b))[::-1].copy())


def _cities(world):
    """Text of another width on each PE, and keys that are equal over PEs; none on the last PE, if
    there are several."""
    rows = 0 if world.size > 1 and world.rank == world.size - 1 else 40
    cities = np.array(["Ur", "Bern", "x" * (9 + world.rank)])
    years = np.array([2000.0, 2001.0, np.nan])
    random = random_of(world, 5)
    return (cities[random.integers(0, 3, rows)], years[random.integers(0, 3, rows)]), random


def _whole(world, text: np.ndarray) -> np.ndarray:
    """The texts of all PEs, of the width of the widest."""
    return np.concatenate(world.all_gather(text))


def check_groups_of_columns_as_pandas(world):
    keys, random = _cities(world)
    keys = (*keys, np.zeros(len(keys[0]), "i1"))
    values = random.integers(0, 100, len(keys[0]))
    frame = pd.DataFrame({name: _whole(world, k) for name, k in zip("abc", keys)})
    frame["value"] = of_all(world, values)
    for dropna in [True, False]:
        found, total, middle = world.group_by_key(
            keys, values, ("sum", "median"), sort=True, dropna=dropna
        )
        assert isinstance(found, tuple) and [each.dtype.kind for each in found] == list("Ufi")
        assert found[0].dtype == f"U{8 + world.size}"  # that of the PE without rows
        got = pd.DataFrame({name: of_all(world, k) for name, k in zip("abc", found)})
        got["sum"], got["median"] = of_all(world, total), of_all(world, middle)
        want = frame.groupby(list("abc"), dropna=dropna)["value"].agg(["sum", "median"])
        got = got.sort_values(list("abc")).reset_index(drop=True)
        assert _are_equal(got, want.reset_index())
        mine = [tuple(map(str, row)) for row in zip(*found)]
        order = np.lexsort([found[2], found[1], found[0]])
        assert mine == [mine[k] for k in order]
        counted, counts = world.value_counts(keys[:2], dropna=dropna)
        assert len(counted) == 2
        assert world.reduce(int(counts.sum())) == len(frame) - (
            int(frame["b"].isna().sum()) if dropna else 0
        )
    distinct = world.unique(list(keys), sort=True)
    assert world.reduce(len(distinct[0])) == len(frame[["a", "b", "c"]].drop_duplicates())


def _are_equal(got: pd.DataFrame, want: pd.DataFrame) -> bool:
    return len(got) == len(want) and all(
        list(map(str, got[name])) == list(map(str, want[name].astype(got[name].dtype)))
        for name in got
    )


def check_joins_of_columns_as_pandas(world):
    keys, random = _cities(world)
    rows = np.arange(len(keys[0])) + 100 * world.rank
    other = (np.array(["Ur", "Bern", "Lima" * 8]), np.array([2000.0, np.nan, 1.0]))
    here = slice(0, 3 if world.rank == 0 else 0)
    other = tuple(each[here] for each in other)
    left = pd.DataFrame({"a": _whole(world, keys[0]), "b": of_all(world, keys[1])})
    left["left"] = of_all(world, rows)
    right = pd.DataFrame({"a": of_all(world, other[0]), "b": of_all(world, other[1])})
    right["right"] = of_all(world, np.arange(3)[here])
    for how in ["inner", "left", "right", "outer"]:
        found, lefts, rights, *told = world.join(keys, rows, other, np.arange(3)[here], how)
        want = pd.merge(left, right, on=["a", "b"], how=how)
        got = pd.DataFrame({"a": of_all(world, found[0]), "b": of_all(world, found[1])})
        there = np.ones(len(lefts), bool)
        has_left = told[0] if how in ("right", "outer") else there
        has_right = told[-1] if how in ("left", "outer") else there
        got["left"] = of_all(world, np.where(has_left, lefts, np.nan))
        got["right"] = of_all(world, np.where(has_right, rights, np.nan))
        columns = ["a", "b", "left", "right"]
        got = got.sort_values(columns).reset_index(drop=True)
        want = want.sort_values(columns).reset_index(drop=True)
        assert _are_equal(got, want), how


def check_columns_that_do_not_fit(world):
    last = world.rank == world.size - 1
    for call, *words in [
        (
            lambda bad: world.unique(([1, 2], [1] if bad else [1, 2])),
            "keys[1] has 1 rows",
            "length",
        ),
        (lambda bad: world.sort(([1, 2], [1] if bad else [1, 2])), "keys[1] has 1 rows", "length"),
        (lambda bad: world.sort([1], descending="yes" if bad else True), "descending", "True"),
        (lambda bad: world.sort(([1], [2]), descending=[True] * (3 if bad else 2)), "2 columns"),
        (lambda bad: world.sort(([1], [object()] if bad else [2])), "keys[1]", "object"),
        (lambda bad: world.join(([1], [2]), [1], ([1], [2], [3]), [1]), "left_keys have dtype"),
        (lambda bad: world.join(([1], [2, 3]), [1], ([1], [2]), [1]), "left_keys[1]", "2 rows"),
        (lambda bad: world.sort(([1], [2j if bad else 2])), "column 1 of keys", "complex128"),
        (lambda bad: world.sort([1j], descending=True), "complex128", "real and imaginary"),
        (lambda bad: world.sort([1], descending=1), "descending is 1", "True or False"),
        (lambda bad: world.sort(([1], np.zeros(1, [("a", "i4")]))), "keys[1]", "no order"),
        (lambda bad: world.value_counts(([1], [np.longdouble(1)])), "float64"),
    ]:
        must_refuse(world, lambda: call(last), *words)
    if world.size > 1:
        first = world.rank == 0
        columns = ([1], [2]) if first else ([1],)
        must_refuse(world, lambda: world.unique(columns), "disagree on the number of columns")
        must_refuse(world, lambda: world.sort(columns), "disagree on the number of columns")
        mixed = ([1], [2] if first else [2.0])
        must_refuse(world, lambda: world.unique(mixed), "disagree on the dtype")
        must_refuse(world, lambda: world.sort(mixed), "disagree on the dtype of keys[1]")
        must_refuse(world, lambda: world.sort([1], descending=first), "descending")
    nothing = world.sort((np.empty(0), np.empty(0, "U")), descending=True)
    assert [len(each) for each in nothing] == [0, 0]
    assert all_are(world, world.sort(([],))[0].tolist() == [])
