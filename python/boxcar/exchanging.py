"""Items to their destination PEs, and questions with answers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from . import _native
from .agreement import Call
from .arrays import (
    Array,
    code_of,
    indices_of,
    place_in,
    raw,
    row_bytes,
    rows_of,
    with_rows,
)
from .errors import ArgumentError
from .text_widths import form_but_width

if TYPE_CHECKING:
    from .world import World


class Received(NamedTuple):
    """What has arrived: ``items, counts = world.exchange(...)``."""

    items: Array
    """First what PE 0 sent, in its order, then what PE 1 sent, and so on."""
    counts: npt.NDArray[np.int64]
    """How many came from each PE."""

    @property
    def sources(self) -> npt.NDArray[np.int32]:
        """The PE that each item came from."""
        return np.repeat(np.arange(len(self.counts), dtype=np.int32), self.counts)


class Shipment:
    """How many rows go where, and come from where: any number of arrays may go the same way.

    Made collectively. Either the PE of each row, or how many rows go to each PE, first those to
    PE 0.
    """

    def __init__(
        self, pe: _native.PE, to: npt.NDArray[np.int32] | None, counts: Sequence[int] | None = None
    ) -> None:
        self._pe = pe
        self._to = to
        if counts is None:
            assert to is not None
            counts = _native.count_destinations(raw(to), pe.size())
        self._sent = list(counts)
        self.arriving = pe.exchange_counts(self._sent)

    def move(self, rows: Array) -> Array:
        """Collective. What arrives of an array, first from PE 0. All PEs give the same form."""
        arrived = with_rows(sum(self.arriving), rows)
        width = row_bytes(rows)
        if width == 0:
            return arrived
        if self._to is not None:
            to = raw(self._to)
            self._pe.exchange(raw(rows), width, to, self.arriving, raw(arrived))
        else:
            self._pe.exchange_grouped(raw(rows), width, self._sent, self.arriving, raw(arrived))
        return arrived

    def bring_back(self, answers: Array) -> Array:
        """Collective. The answers to what arrived here go back, each to where its question was."""
        arrived = with_rows(sum(self._sent), answers)
        width = row_bytes(answers)
        if width == 0:
            return arrived
        self._pe.exchange_grouped(raw(answers), width, self.arriving, self._sent, raw(arrived))
        if self._to is None:
            return arrived
        in_order = with_rows(len(self._to), answers)
        _native.place_answers(raw(arrived), width, raw(self._to), self._sent, raw(in_order))
        return in_order


def check_range(values: Array, limit: int, name: str, what: str) -> None:
    """Raises ArgumentError with the first of these integers that is not in [0, limit)."""
    wrong = _native.first_out_of_range(code_of(values.dtype), raw(values), limit)
    if wrong is not None:
        value = values.reshape(-1)[wrong]
        raise ArgumentError(f"{name}{place_in(values, wrong)} is {value}, but {what}")


def destinations(
    pes: int, to: Any, count: int, name: str = "to", rows: str = "items"
) -> npt.NDArray[np.int32]:
    """The PE of each of so many rows, checked."""
    array = indices_of(to, name)
    if array.shape != (count,):
        raise ArgumentError(
            f"{name} has shape {array.shape}, but there are {count} {rows}: give a PE for each"
        )
    _check_pes(array, pes, name)
    return np.require(array, np.int32, ["C", "A"])


def _check_pes(to: Array, pes: int, name: str = "to") -> None:
    check_range(to, pes, name, f"the world has {pes} PEs, numbered from 0")


def _all_to_one(pes: int, to: Any, count: int) -> list[int]:
    """How many rows go to each PE, if all of them go to one."""
    pe = indices_of([to], "to").reshape(())
    _check_pes(pe, pes)
    counts = [0] * pes
    counts[int(pe)] = count
    return counts


def _grouped(pes: int, counts: Any, rows: int) -> list[int]:
    array = indices_of(counts, "counts")
    if array.shape != (pes,):
        raise ArgumentError(f"counts has shape {array.shape}, but the world has {pes} PEs")
    if array.size and array.min() < 0:
        raise ArgumentError(f"counts[{array.argmin()}] is {array.min()}: give 0 or more")
    grouped = [int(n) for n in array]
    if sum(grouped) != rows:
        raise ArgumentError(f"counts add up to {sum(grouped)}, but there are {rows} items")
    return grouped


def _ship(world: World, call: Call, items: Any, to: Any, counts: Any) -> tuple[Array, Shipment]:
    with call.checks():
        if (to is None) == (counts is None):
            raise ArgumentError(
                "give either to, the PE of each item, or counts, how many go to each"
            )
        rows = rows_of(items, "items")
        call.must_be_alike(form_but_width(rows))
        where = grouped = None
        if to is None:
            grouped = _grouped(world.size, counts, len(rows))
        elif np.ndim(to) == 0:
            grouped = _all_to_one(world.size, to, len(rows))
        else:
            where = destinations(world.size, to, len(rows))
    call.agree()
    return call.widened(rows), Shipment(world._pe, where, grouped)


def exchange(
    world: World, items: Any, to: Any = None, *, counts: npt.ArrayLike | None = None
) -> Received:
    """Send every item to the PE that it is for.

    Collective.

    Args:
        items: An array of any dtype without objects, structured ones included. Its first dimension
            counts the items, so an item may be a row. PEs may give different numbers of items, also
            none, but the same dtype and shape of an item.
        to: The PE that each item goes to: integers, as many as there are items; or one integer for
            all of them.
        counts: Instead of ``to``: how many items go to each PE, first those to PE 0.

    Returns:
        What arrived here, and how many came from each PE. Items are in the order of the PEs that
        sent them, and of their places in what each of them gave: the same in every run.

    Raises:
        ArgumentError: On all PEs, if what one of them gives cannot work; nothing has moved.
        WorldError: If a PE failed or left.
    """
    rows, shipment = _ship(world, Call(world._pe, "exchange"), items, to, counts)
    return Received(shipment.move(rows), np.array(shipment.arriving, np.int64))


def ask(
    world: World,
    questions: Any,
    to: Any = None,
    answer: Callable[[Array], Any] | None = None,
    *,
    counts: npt.ArrayLike | None = None,
) -> Array:
    """Ask other PEs, and get an answer to each question.

    Collective.

    Args:
        questions: An array as ``exchange`` takes it.
        to: The PE that each question goes to.
        answer: Called once on each PE with an array of all questions that it is asked, also if that
            is empty. Returns an array of as many answers, of the same dtype and shape of an answer
            on all PEs.
        counts: As in ``exchange``, instead of ``to``.

    Returns:
        The answers, ``result[i]`` to ``questions[i]``.

    Raises:
        ArgumentError: On all PEs, if what one of them gives cannot work, or if ``answer`` raises an
            exception on another PE; where it did, that exception itself.
        WorldError: If a PE failed or left.
    """
    call = Call(world._pe, "ask")
    with call.checks():
        if not callable(answer):
            raise ArgumentError("answer is no function: give one that takes an array of questions")
    rows, shipment = _ship(world, call, questions, to, counts)
    asked = shipment.move(rows)
    call = Call(world._pe, "ask, answering")
    with call.functions_of_program():
        assert answer is not None
        answers = rows_of(answer(asked), "the result of answer")
        if len(answers) != len(asked):
            raise ArgumentError(
                f"answer was asked {len(asked)} questions, and returned {len(answers)} answers"
            )
        call.must_be_alike(form_but_width(answers))
    call.agree()
    return shipment.bring_back(call.widened(answers))
