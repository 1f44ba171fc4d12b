"""The functions of ``group_by_key``, against pandas on one process."""

from __future__ import annotations

import numpy as np
import pandas as pd
from boxcar.aggregates import HOWS
from hypothesis import strategies as st

from .random import FEWER, for_all, share_of
from .support import all_are, must_refuse, of_all, random_of, same

_MERGED = ("sum", "count", "min", "max", "first", "last", "mean", "var", "std")
_WHOLE = ("nunique", "median", "quantile")
_OF_NUMBERS = (*_MERGED, *_WHOLE)
_OF_DURATIONS = ("sum", "count", "min", "max", "first", "last", "mean", "nunique")
_OF_DATES = _OF_DURATIONS[1:]
_OF_TEXT = ("count", "first", "last", "nunique")
_KINDS = {
    "i2": _OF_NUMBERS,
    "u8": _OF_NUMBERS,
    "b1": _OF_NUMBERS,
    "f4": _OF_NUMBERS,
    "f8": _OF_NUMBERS,
    "m8[s]": _OF_DURATIONS,
    "M8[ns]": _OF_DATES,
    "U2": _OF_TEXT,
}
_Q = 0.3


def _values_of(kind: str, rows: int, random: np.random.Generator) -> np.ndarray:
    """Few different values, and missing ones if the dtype has such."""
    low = -9 if kind[0] in "ifmM" else 0
    values = random.integers(low, 9, rows)
    result = values.astype(kind)
    if kind[0] in "fmM":
        result[random.random(rows) < 0.4] = np.nan if kind[0] == "f" else "NaT"
    return result


def _by_pandas(values: pd.Series, how: str, skipna: bool) -> object:
    """The function of the values of one group."""
    if skipna:
        values = values.dropna()
    if how == "count":
        return len(values)
    if how == "nunique":
        return values.nunique(dropna=False)
    if how in ("first", "last"):
        return values.iloc[0 if how == "first" else -1] if len(values) else None
    if how in ("median", "quantile"):
        has_nan = values.isna().any()
        return np.nan if has_nan else values.astype("f8").quantile(0.5 if how == "median" else _Q)
    if how == "sum" and len(values) == 0:
        return values.sum()
    if values.dtype.kind in "mM" and values.isna().any():
        return pd.NaT  # without a warning of pandas
    return getattr(values, how)(skipna=False)


def _is_close(how: str, got: np.ndarray, wanted: list) -> bool:
    if got.dtype.kind == "f":
        tolerance = 1e-5 if got.dtype.itemsize == 4 else 1e-12
        wanted = np.array(wanted, "f8")
        return np.allclose(got, wanted, rtol=tolerance, atol=tolerance, equal_nan=True)
    if got.dtype.kind in "mM":
        known = [pd.NaT if pd.isna(each) else each for each in wanted]
        wanted = pd.Series(known, dtype=got.dtype).to_numpy()
        # pandas rounds means in another way.
        there = ~np.isnat(wanted)
        apart = np.abs((got - wanted)[there].astype("i8"))
        return same(np.isnat(got), ~there) and bool((apart <= (how == "mean")).all())
    return bool((got == np.array(wanted)).all())


def _by_pandas_of_all(keys, values, hows, skipna) -> dict:
    """By key, what pandas gives for each function."""
    return {
        key: {how: _by_pandas(group, how, skipna) for how in hows}
        for key, group in pd.Series(values).groupby(keys)
    }


def _is_as_pandas(world, want: dict, keys, values, hows, skipna) -> bool:
    """Whether the functions of this PE's keys and values, and those of all PEs, are as wanted."""
    result = world.group_by_key(keys, values, hows, skipna=skipna, q=_Q)
    parts = world.all_gather(result)
    found, *columns = (np.concatenate(each) for each in zip(*parts))
    return sorted(found) == sorted(want) and all(
        _is_close(how, column, [want[key][how] for key in found])
        for how, column in zip(hows, columns)
    )


def _merged_ones(hows: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(how for how in hows if how not in _WHOLE)


def check_functions_as_pandas(world):
    def holds(example, random):
        kind, rows, skipna = example
        hows = _KINDS[kind]
        keys, values = random.integers(0, 4, rows), _values_of(kind, rows, random)
        mine = share_of(world, np.arange(rows), random)
        want = _by_pandas_of_all(keys, values, hows, skipna)
        return all(
            _is_as_pandas(world, want, keys[mine], values[mine], some, skipna)
            for some in (hows, _merged_ones(hows))
        )

    examples = st.tuples(st.sampled_from(sorted(_KINDS)), st.integers(0, 30), st.booleans())
    for_all(world, examples, holds, FEWER)


def check_each_kind_of_values(world):
    """All rows on the last PE, and on all PEs, so that states of the same key are merged."""
    rows = 24
    random = np.random.default_rng(7)  # the same on all PEs
    on_all = slice(rows * world.rank // world.size, rows * (world.rank + 1) // world.size)
    on_last = slice(0, rows if world.rank == world.size - 1 else 0)
    for number, (kind, hows) in enumerate(_KINDS.items()):
        keys, values = np.arange(rows) % 3, _values_of(kind, rows, random)
        skipna = number % 2 == 0
        want = _by_pandas_of_all(keys, values, hows, skipna)
        for mine in (on_all, on_last):
            for some in (hows, _merged_ones(hows)):
                assert _is_as_pandas(world, want, keys[mine], values[mine], some, skipna), kind


def check_dtypes_of_aggregates(world):
    for kind, wanted in [("i4", "f8"), ("b1", "f8"), ("f4", "f4"), ("f8", "f8")]:
        for how in ("mean", "var", "std", "median", "quantile"):
            assert world.group_by_key([1, 1], np.ones(2, kind), how)[1].dtype == wanted
    for how in ("count", "nunique"):
        assert world.group_by_key([1, 1], [1.5, 2.5], how)[1].dtype == np.int64
    for kind in ["m8[ms]", "M8[D]"]:
        for how in ("min", "max", "mean", "first", "last"):
            assert world.group_by_key([1], np.zeros(1, kind), how)[1].dtype == kind


def check_sums_of_many_small_numbers(world):
    """Of so many ones, a sum in 32 bits stops at 2**24."""
    ones = np.ones((2**24 + 2**22) // world.size, "f4")
    total = world.group_by_key(np.zeros(len(ones), np.int8), ones)[1]
    assert total.dtype == "f4"
    assert abs(world.reduce(float(total.sum())) - len(ones) * world.size) <= 2
    large = np.full(3, 3e38, "f4")
    assert np.isinf(world.group_by_key([0, 0, 0], large)[1]).all()
    assert world.group_by_key([0], np.array([1j], "c8"))[1].dtype == "c8"


def check_variances_are_stable(world):
    """The mean is so large that its square has no digits left for the variance."""
    noise = random_of(world).normal(size=4000)
    keys = np.arange(4000) % 3
    found, means, variances = world.group_by_key(keys, 1e9 + noise, ("mean", "var"))
    all_keys = of_all(world, keys)
    rounded = of_all(world, (1e9 + noise) - 1e9)
    for key, mean, variance in zip(found, means, variances):
        group = rounded[all_keys == key]
        # The means of parts are rounded to 1e-7.
        assert abs(variance - group.var(ddof=1)) < 1e-7 * variance
        assert abs(mean - 1e9 - group.mean()) < 2e-7
    _, of_one = world.group_by_key([0], [0.1], "var")
    assert (of_one < 1e-30).all() if world.size > 1 else np.isnan(of_one).all()
    _, of_all_values = world.group_by_key(keys, noise, "std", ddof=0)
    every = of_all(world, noise)
    deviations = [every[all_keys == key].std() for key in found]
    assert np.allclose(of_all_values, deviations, rtol=1e-12)
    with np.errstate(all="ignore"):
        _, mean, variance = world.group_by_key([0, 0], [np.inf, 1.0], ("mean", "var"))
    assert np.isinf(mean).all() and np.isnan(variance).all()


def check_means_of_dates_are_exact(world):
    """The sum of the dates has more than 64 bits."""
    n = 2000
    numbers = random_of(world).integers((1 << 62) - (1 << 40), 1 << 62, n)
    numbers[::2] *= -1
    for keys in [np.arange(n) % 2, np.arange(n) % 3]:
        found, means = world.group_by_key(keys, numbers.astype("M8[ns]"), "mean")
        all_keys, values = of_all(world, keys), of_all(world, numbers)
        for key, mean in zip(found, means.astype("i8")):
            group = values[all_keys == key].tolist()
            assert mean == sum(group) // len(group)


def check_several_columns_of_values(world):
    random = random_of(world)
    n = 300 + world.rank
    keys, prices, pieces = random.integers(0, 9, n), random.normal(size=n), random.integers(0, 5, n)
    values = {"price": prices, "pieces": pieces}
    found, total, mean, most = world.group_by_key(
        keys, values, {"price": ("sum", "mean"), "pieces": "max"}, sort=True
    )
    frame = pd.DataFrame({name: of_all(world, each) for name, each in values.items()})
    frame["key"] = of_all(world, keys)
    want = frame.groupby("key").agg({"price": ["sum", "mean"], "pieces": "max"}).loc[found]
    assert np.allclose(np.stack([total, mean, most], 1), want.to_numpy())
    both = world.group_by_key(keys, values, ("min", "median", "min"), sort=True)
    assert len(both) == 7 and same(both[1], both[3]) and same(both[4], both[6])
    want = frame.groupby("key")[["price", "pieces"]].agg(["min", "median"]).loc[both[0]]
    assert np.allclose(np.stack([both[1], both[2], both[4], both[5]], 1), want.to_numpy())
    found, counts = world.group_by_key(keys, values, {"pieces": "count"})
    assert same(of_all(world, counts), frame["key"].value_counts()[of_all(world, found)].to_numpy())
    _, arrays = world.group_by_key([0, 0, 0], {"x": [1.0, np.nan, 2.0]}, "arrays", skipna=True)
    assert of_all(world, arrays.values).tolist() == [1.0, 2.0] * world.size
    _, rows = world.group_by_key([1, 1], {"rows": np.array([[1, 2], [3, 4]])}, "last")
    assert of_all(world, rows).tolist() == [[3, 4]]
    _, quarters = world.group_by_key(keys, prices, "quantile", q=[0.25, 0.75], sort=True)
    want = frame.groupby("key")["price"].quantile([0.25, 0.75]).unstack()
    assert np.allclose(of_all(world, quarters), want.loc[of_all(world, found := both[0])])
    assert len(found) == len(quarters)


def check_all_of_a_group_left_out(world):
    for kind in ["f4", "f8", "c16", "m8[s]", "M8[s]"]:
        nothing = np.array([np.nan if kind[0] in "fc" else "NaT"] * 4, kind)
        hows = tuple(
            how
            for how in ("first", "last", "min", "max", "mean")
            if kind[0] != "c" or how in ("first", "last")
        )
        for each in (hows, (*hows, "arrays")):
            keys, *results = world.group_by_key([1, 1, 2, 2], nothing, each, skipna=True)
            for result in results[: len(hows)]:
                assert (np.isnat(result) if kind[0] in "mM" else np.isnan(result)).all()
    keys, sums, counts, numbers = world.group_by_key(
        [1, 1], [np.nan, np.nan], ("sum", "count", "nunique"), skipna=True
    )
    assert (sums == 0).all() and (counts == 0).all() and (numbers == 0).all()
    with np.errstate(all="ignore"):  # a sum that is NaN without a value that is
        _, sums = world.group_by_key([1, 1], [np.inf, -np.inf], "sum", skipna=True)
    assert np.isnan(sums).all()


def check_what_cannot_be_aggregated(world):
    last = world.rank == world.size - 1
    dates = np.zeros(2, "M8[s]")
    for values, how, *words in [
        (dates, "sum", "datetime64[s]", '"sum"', "timedelta64", "mean"),
        (dates, "std", "datetime64[s]", "std", "integers"),
        (dates.astype("m8[s]"), "median", "timedelta64[s]", "median", "integers"),
        (["a", "b"], "mean", "<U1", "mean", "numbers"),
        ([1j, 2], "var", "complex128", "real numbers"),
        (np.zeros((2, 2)), "median", "shape (2, 2)", "one dimension"),
        (np.zeros((2, 2)), "nunique", "shape (2, 2)", "one dimension"),
        ([1, 2], "average", "average", "mean"),
        ({"a": [1, 2], "b": [1.5]}, "mean", "values['b']", "1 rows", "2 keys"),
        ({"a": [1, 2]}, {"b": "sum"}, "'b'", "give some of 'a'"),
        ([1, 2], {"b": "sum"}, "dict"),
    ]:
        fine = ([1.0, 2.0], "sum")
        given = (values, how) if last else fine
        must_refuse(world, lambda: world.group_by_key([1, 2], *given), *words)
    for options, *words in [
        ({"q": 1.5}, "q is 1.5", "0 to 1"),
        ({"q": [0.5, np.nan]}, "0 to 1"),
        ({"ddof": -1}, "ddof is -1", "at least 0"),
        ({"ddof": 0.5}, "ddof is 0.5", "integer"),
    ]:
        options = options if last else {}
        must_refuse(world, lambda: world.group_by_key([1], [1.0], "quantile", **options), *words)
    assert set(HOWS) == {*_OF_NUMBERS, "or", "and", "xor", "arrays"}
    if world.size > 1:
        first = world.rank == 0
        skipping = lambda: world.group_by_key([1], [1.0], skipna=first)  # noqa: E731
        must_refuse(world, skipping, "disagree on the skipna")
        other = {"a": [1], "b" if first else "c": [1]}
        must_refuse(
            world, lambda: world.group_by_key([1], other), "columns of values", "'b'", "'c'"
        )
    assert all_are(world, True)
