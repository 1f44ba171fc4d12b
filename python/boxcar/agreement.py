"""Collective functions check their arguments on every PE, and then agree.

So a wrong value on one PE is an exception on all PEs, before anything has moved, and no PE waits
for a PE that has given up.
"""

from __future__ import annotations

import hashlib
import pickle
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, NoReturn

import numpy as np

from .arrays import Array, is_text, letters_of
from .errors import ArgumentError, Error
from .text_widths import may_differ, widest

if TYPE_CHECKING:
    from ._native import PE


class Call:
    """A call of a collective function by this PE."""

    def __init__(self, pe: PE, name: str) -> None:
        self._pe = pe
        self._name = name
        self._alike: dict[str, object] = {}
        self._problem: Exception | None = None
        self._is_of_program = False

    @contextmanager
    def checks(self) -> Iterator[None]:
        """What is wrong with an argument becomes an ArgumentError of all PEs when they agree."""
        try:
            yield
        except Exception as problem:
            self._problem = problem

    @contextmanager
    def functions_of_program(self) -> Iterator[None]:
        """The same, but here an exception is the program's own, and stays what it is."""
        try:
            yield
        except Exception as problem:
            self._problem = problem
            self._is_of_program = True

    def must_be_alike(self, values: dict[str, object]) -> None:
        """What all PEs must give alike, by name."""
        self._alike.update(
            # Text of NumPy is alike if its letters are.
            (name, str.__str__(value) if isinstance(value, str) else value)
            for name, value in values.items()
        )

    def agree(self, number: int = 0) -> list[int]:
        """Collective. The numbers of all PEs, if nothing is wrong anywhere.

        Raises the problem of this PE, or else ArgumentError that tells that of another one.
        """
        digest = _digest_of(repr((self._name, sorted(self._alike.items()))).encode())
        numbers = self._pe.agree(digest, self._problem is not None, number)
        if numbers is None:
            self._disagree()
        return numbers

    def widened(self, array: Array) -> Array:
        """The array, in which text has the width of the widest text of all PEs.

        In structures each field has that of its own, and gaps between fields are the same on all
        PEs. Collective if the array is text or structures. Precondition: all PEs have agreed on the
        form of the array (``form_but_width``).
        """
        if not may_differ(array.dtype):
            return array
        if is_text(array.dtype):
            letters = max(1, *self.agree(letters_of(array.dtype)))
            wide = np.dtype(f"{array.dtype.str[:2]}{letters}")
        elif len(set(self.agree(_digest_of(repr(array.dtype).encode())))) == 1:
            return array
        else:
            # Bytes that this package has written on another PE of the same job.
            dtypes = self._pe.all_gather(pickle.dumps(array.dtype))
            wide = widest([pickle.loads(each) for each in dtypes])
        return array if array.dtype == wide else array.astype(wide)

    def _disagree(self) -> NoReturn:
        told = "" if self._problem is None else _text_of(self._problem)
        alike = {name: (str(value), repr(value)) for name, value in self._alike.items()}
        # The bytes come from this package on another PE of the same job.
        all_pes = [
            pickle.loads(each)
            for each in self._pe.all_gather(pickle.dumps((self._name, alike, told)))
        ]
        if self._problem is not None:
            if self._is_of_program or isinstance(self._problem, Error):
                raise self._problem
            raise ArgumentError(f"{self._name}: {told}") from self._problem
        for pe, (name, _, told) in enumerate(all_pes):
            if told:
                raise ArgumentError(f"{self._pe.name_of(pe)}: {name}: {told}")
        first_name, first_alike, _ = all_pes[0]
        for pe, (name, alike, _) in enumerate(all_pes):
            if name != first_name:
                raise ArgumentError(
                    f"the PEs called different functions: {self._pe.name_of(0)} {first_name}, "
                    f"{self._pe.name_of(pe)} {name}; every PE must call the same ones in the same "
                    "order"
                )
            for what in first_alike | alike:
                first, value = (each.get(what, ("nothing",) * 2) for each in (first_alike, alike))
                if value != first:
                    # Values of different types may have the same text.
                    which = int(value[0] == first[0])
                    raise ArgumentError(
                        f"{name}: the PEs disagree on the {what}: {self._pe.name_of(0)} gives "
                        f"{first[which]}, {self._pe.name_of(pe)} gives {value[which]}; give the "
                        "same on all PEs"
                    )
        raise AssertionError("the PEs disagree, and agree on why")


def _digest_of(what: bytes) -> int:
    return int.from_bytes(hashlib.blake2b(what, digest_size=8).digest(), "little")


def _text_of(problem: Exception) -> str:
    if isinstance(problem, Error):
        return str(problem)
    return f"{type(problem).__name__}: {problem}"
