"""Rows with equal keys, brought together and combined."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import numpy.typing as npt

from .aggregated_columns import Column, columns_of_values, options_of
from .aggregates import Aggregate, Options, aggregates_of
from .agreement import Call
from .exchanging import Shipment
from .key_columns import Keys, grouping_keys
from .keys import are_missing
from .numbering import Groups, Numbering, is_worth_combining, owners_of
from .text_widths import form_but_width

if TYPE_CHECKING:
    from .world import World

How = Literal[
    "sum",
    "count",
    "min",
    "max",
    "or",
    "and",
    "xor",
    "first",
    "last",
    "mean",
    "var",
    "std",
    "median",
    "quantile",
    "nunique",
    "arrays",
]


def group_by_key(
    world: World,
    keys: Any,
    values: Any = None,
    how: How | Sequence[How] | Mapping[Any, How | Sequence[How]] = "sum",
    *,
    sort: bool = False,
    dropna: bool = True,
    skipna: bool = False,
    ddof: int = 1,
    q: float | Sequence[float] = 0.5,
) -> tuple[Any, ...]:
    """Bring rows with equal keys together, wherever they are, and combine their values.

    Collective. Each key ends on one PE, which its hash tells: the groups are spread evenly. Values
    of equal keys are combined on each PE before they travel if many keys are equal; but if ``how``
    has ``"arrays"``, ``"nunique"``, ``"median"`` or ``"quantile"``, all rows travel, and the PE of
    a group needs memory for all rows of the group.

    Args:
        keys: One-dimensional; integers, floating-point numbers, times, fixed-width strings or
            structures; the same dtype on all PEs. Or a tuple or list of such columns: rows are
            equal if they are in every column.
        values: An array with a row for each key, the same dtype and shape of a row on all PEs. Not
            needed for ``"count"``. Or a dict of such columns.
        how: What becomes of the values of a group, or several of these, to have them all. If values
            are a dict: the same for all columns, or a dict from the names of columns to what is
            wanted of each; a column without an entry is left out.

            - ``"sum"``, ``"count"``, ``"min"``, ``"max"``, ``"or"``, ``"and"``, ``"xor"``;
            - ``"first"`` (of the lowest PE that has the key) and ``"last"`` (of the highest);
            - ``"mean"``, ``"var"``, ``"std"``, of real numbers, by Chan's merge of counts, means
              and sums of squared differences, in 64 bits;
            - ``"median"`` and ``"quantile"``, of real numbers, exact and interpolated linearly;
            - ``"nunique"``, the number of different values, which are such as keys may be;
            - ``"arrays"``, a ``Groups`` with all values.

            Of durations (timedelta64) there are ``"sum"``, ``"min"``, ``"max"`` and ``"mean"``; of
            dates (datetime64) the same without ``"sum"``. Means of times are exact, and rounded
            down to the unit.
        sort: Whether this PE's keys are to be in order; else the order is no particular one, but
            the same in every run.
        dropna: Whether rows are left out whose key is NaN or NaT in any column, or a structure with
            such a field, as pandas does; else all that are NaN are one key.
        skipna: Whether values that are NaN or NaT are left out, as pandas does. Else they take part
            as in NumPy: a sum, mean or quantile with NaN is NaN, ``"count"`` counts rows, and
            ``"nunique"`` has NaN as one value. A group all of whose values are left out has the
            sum 0, the count 0, and otherwise NaN or NaT. Rows of other kinds are never left out.
        ddof: ``"var"`` and ``"std"`` divide by the number of values less ``ddof``; NaN where that
            is not positive.
        q: Which quantile ``"quantile"`` gives, from 0 to 1. If several, its result has a column for
            each of them.

    Returns:
        The keys of this PE, each once, as an array or a tuple of columns, and for each of ``how``
        an array with a row for each of them: first those of the first column of values. Sums of
        integers have 64 bits, as NumPy's. Means, variances and quantiles have 32 bits if the values
        have, else 64.

    Raises:
        ArgumentError: On all PEs, if what one of them gives cannot work.
        WorldError: If a PE failed or left.
    """
    return _group(world, "group_by_key", keys, values, how, sort, dropna, (skipna, ddof, q))


def _group(
    world: World,
    name: str,
    keys: Any,
    values: Any,
    how: Any,
    sort: bool,
    dropna: bool,
    options: tuple[Any, Any, Any] = (False, 1, 0.5),
) -> tuple[Any, ...]:
    """``group_by_key``, called by its own name or by another name."""
    call = Call(world._pe, name)
    mine = Keys(np.empty(0, np.int64), "i8", None)
    columns: list[Column] = []
    checked = Options(False, 1, 0.5)
    vote = 0
    with call.checks():
        checked = options_of(*options)
        mine = grouping_keys(keys, "keys")
        columns = columns_of_values(values, how, len(mine.rows))
        if dropna and (missing := are_missing(mine.rows)).any():
            mine = mine._replace(rows=mine.rows[~missing])
            columns = [each._replace(rows=each.rows[~missing]) for each in columns]
        call.must_be_alike({**mine.form(), "dropna": bool(dropna), **checked._asdict()})
        call.must_be_alike({"columns of values": [each.name for each in columns]})
        for each in columns:
            call.must_be_alike({f"how of {each.name}": each.hows})
            forms = form_but_width(each.rows).items()
            call.must_be_alike({f"{what} of {each.name}": form for what, form in forms})
        vote = 2 * len(mine.rows) + is_worth_combining(mine.rows, mine.code)
    votes = call.agree(vote)
    mine = mine._replace(rows=call.widened(mine.rows))
    columns = [each._replace(rows=call.widened(each.rows)) for each in columns]
    plan = [aggregates_of(each.hows, each.rows.dtype, checked) for each in columns]
    return _combined(world, mine, columns, plan, _is_for_combining(votes), sort)


def _is_for_combining(votes: list[int]) -> bool:
    """Whether most rows are on PEs with many equal keys. The votes are 2 * rows, plus 1 on such a
    PE."""
    return sum(each // 2 for each in votes if each % 2) > sum(each // 2 for each in votes) / 2


def _combined(
    world: World,
    mine: Keys,
    columns: list[Column],
    plan: list[list[tuple[Aggregate, list[str]]]],
    combines: bool,
    sort: bool,
) -> tuple[Any, ...]:
    """The keys and results of this PE; ``plan``: the aggregates of each column."""
    here = None
    if combines and all(each.merges for aggregates in plan for each, _ in aggregates):
        here = Numbering(mine.rows, mine.code)
    travelling = mine.rows if here is None else mine.rows[here.firsts]
    shipment = Shipment(world._pe, owners_of(world, travelling, mine.code))
    arrived = shipment.move(travelling)
    groups = Numbering(arrived, mine.code)
    results: list[Any] = []
    for column, aggregates in zip(columns, plan, strict=True):
        found = {}
        rows = column.rows
        if here is None and any(each.needs_values for each, _ in aggregates):
            rows = shipment.move(rows)
        for each, hows in aggregates:
            if here is None:
                state = each.state(rows, groups)
            else:
                states = [shipment.move(part) for part in each.state(rows, here)]
                state = each.merged(states, groups)
            found.update({how: each.result(how, state) for how in hows})
        results += [found[how] for how in column.hows]
    different = arrived[groups.firsts]
    if sort:
        order = mine.order(different)
        different = different[order]
        results = [_in_order(each, order) for each in results]
    return (mine.given(different), *results)


def _in_order(result: Any, order: npt.NDArray[np.int64]) -> Any:
    return result.in_order(order) if isinstance(result, Groups) else result[order]


def unique(world: World, keys: Any, *, sort: bool = False) -> Any:
    """Every different key once, on the PE that its hash tells; NaN and NaT are keys as well.

    Collective. Arguments and errors are those of ``group_by_key``. Several columns as keys come
    back as a tuple of columns.
    """
    return _group(world, "unique", keys, None, (), sort, dropna=False)[0]


def value_counts(
    world: World, keys: Any, *, sort: bool = False, dropna: bool = True
) -> tuple[Any, npt.NDArray[np.int64]]:
    """Every different key, on the PE that its hash tells, and how often it is there on all PEs.

    Collective. Arguments and errors are those of ``group_by_key``. Several columns as keys come
    back as a tuple of columns.
    """
    keys_here, counts = _group(world, "value_counts", keys, None, "count", sort, dropna)
    return keys_here, counts
