"""Distributed arrays: the elements are spread over all PEs, and any PE reaches any element by its
index."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Literal, NoReturn

import numpy as np
import numpy.typing as npt

from .agreement import Call
from .array_files import read_share, write_rows
from .arrays import (
    Array,
    array_or_value,
    code_of,
    form_of,
    indices_of,
    native,
    raw,
    row_bytes,
    rows_of,
)
from .choices import check_operation
from .elements import count_of, row_type, rows_for, values_of
from .errors import ArgumentError
from .exchanging import Shipment, check_range
from .held import Closable
from .tables import lengths_of_parts, table_indices
from .text_widths import form_but_width
from .values import reduce

if TYPE_CHECKING:
    from typing_extensions import Self

    from .tables import Spread, Update
    from .world import World

Layout = Literal["block", "cyclic"]
"""How the elements of a distributed array are spread.

- ``"block"``: blocks of consecutive elements, which differ in length by one at most; the first ones
  are on PE 0.
- ``"cyclic"``: element ``i`` is on PE ``i % size``.
"""

_SPREADS: dict[Layout, Spread] = {"block": "blocks", "cyclic": "cyclic"}


class DistributedArray(Closable[Array]):
    """An array whose elements are spread over all PEs of a world.

    Reads and writes of elements take arrays of indices, are collective, and each PE gives indices
    of its own, also none. ``local`` is this PE's part, an array of NumPy. ::

        counts = boxcar.DistributedArray(world, 1000, "i8")
        counts.add_at(np.random.default_rng(world.rank).integers(0, 1000, 100_000), 1)
        few = counts[[0, 10, 999]]
    """

    _kind = "distributed array"

    def __init__(
        self,
        world: World,
        length: int,
        dtype: npt.DTypeLike = float,
        fill: Any = None,
        layout: Layout = "block",
    ) -> None:
        """Collective. All PEs give the same.

        Args:
            world: Whose PEs have the elements.
            length: The number of all elements.
            dtype: Of an element, without objects: numbers, text of fixed width, structures. A
                dtype with a shape, as ``("f4", 16)``, makes each element a row.
            fill: The value of all elements at first, zero unless given.
            layout: How elements are spread, see ``Layout``.

        Raises:
            ArgumentError: On all PEs, if what one of them gives cannot work.
            WorldError: If a PE failed or left.
        """
        call = Call(world._pe, "DistributedArray")
        local = np.empty(0)
        with call.checks():
            length = count_of(length, "length")
            element, row = row_type(dtype, "dtype")
            _check_layout(layout)
            parts = lengths_of_parts(length, world.size)
            local = np.zeros((parts[world.rank], *row), element)
            call.must_be_alike({"length": length, "layout": layout, **form_of(local)})
            call.must_be_alike({"presence of fill": fill is not None})
            if fill is not None:
                value = _one_value(fill, local, "fill")
                local[...] = value
                call.must_be_alike({"fill": value.tolist()})
        call.agree()
        super().__init__(world, local)
        self._length = length
        self._layout: Layout = layout
        self._parts = parts
        self._dtype, self._row = local.dtype, local.shape[1:]

    def __repr__(self) -> str:
        text = f"<boxcar.DistributedArray of {self._dtype}, shape {self.shape}, {self._layout}"
        return f"{text}, closed>" if self._held is None else f"{text}, {len(self._held)} here>"

    @classmethod
    def from_parts(cls, world: World, part: Any, layout: Layout = "block") -> Self:
        """An array of the elements that the PEs have, first those of PE 0.

        Collective. Elements move to where the layout wants them.

        Args:
            world: Whose PEs have the elements.
            part: An array, of any length on each PE, also 0. Its first dimension counts the
                elements, so an element may be a row. The same dtype and shape of a row on all PEs;
                text gets the width of the widest.
            layout: How elements are spread; the same on all PEs.

        Raises:
            ArgumentError: On all PEs, if what one of them gives cannot work.
            WorldError: If a PE failed or left.
        """
        call = Call(world._pe, "DistributedArray.from_parts")
        rows = np.empty(0)
        with call.checks():
            rows = native(rows_of(part, "part"))
            _check_layout(layout)
            call.must_be_alike({**form_but_width(rows), "layout": layout})
        lengths = call.agree(len(rows))
        rows = call.widened(rows)
        result = cls(world, sum(lengths), (rows.dtype, rows.shape[1:]), layout=layout)
        first = sum(lengths[: world.rank])
        if layout == "cyclic":
            to = np.arange(first, first + len(rows)) % world.size
            shipment = Shipment(world._pe, to.astype(np.int32))
        else:
            starts = np.cumsum([0, *result._parts])
            counts = np.diff(np.clip(starts, first, first + len(rows)))
            shipment = Shipment(world._pe, None, counts.tolist())
        result._held = shipment.move(rows)
        return result

    def __len__(self) -> int:
        """The number of all elements. Local."""
        return self._length

    @property
    def shape(self) -> tuple[int, ...]:
        """The number of all elements, and the shape of an element if elements are rows. Local."""
        return (self._length, *self._row)

    @property
    def dtype(self) -> np.dtype[Any]:
        """Of an element, or of what is in a row. Local."""
        return self._dtype

    @property
    def layout(self) -> Layout:
        """How elements are spread. Local."""
        return self._layout

    @property
    def local(self) -> Array:
        """This PE's elements, in the order of their indices: the memory itself. Local.

        Others see what is written to it when they next read elements.
        """
        return self._part

    @property
    def local_indices(self) -> npt.NDArray[np.int64]:
        """The indices of this PE's elements, in the order of ``local``. Local."""
        return table_indices(self._world, self._length, spread=_SPREADS[self._layout])

    def __array__(self, dtype: npt.DTypeLike | None = None, copy: bool | None = None) -> Array:
        """This PE's elements, without a copy unless the dtype or the caller wants one. Local."""
        local = self.local
        result = local.astype(dtype or local.dtype, copy=bool(copy))
        if copy is False and result is not local:
            raise ValueError(f"another dtype than {local.dtype} needs a copy")
        return result

    def __iter__(self) -> NoReturn:
        raise TypeError(
            "a distributed array has no iterator, as each element would be a collective call: go "
            "through local, or read many elements by an array of indices"
        )

    __contains__ = None

    def __getitem__(self, indices: Any) -> Any:
        """Elements, wherever they are.

        Collective: each PE gives its own indices, and gets its own elements.

        Args:
            indices: Integers of any shape, from 0 on; or a single one; or a slice. For no element
                give ``[]``.

        Returns:
            An array of the shape of ``indices``, and behind it that of a row; or an element.

        Raises:
            ArgumentError: On all PEs, if what one of them gives cannot work.
            WorldError: If a PE failed or left.
        """
        local = self._part
        call = Call(self._world._pe, "DistributedArray[]")
        where = self._checked_indices(call, indices)
        most = max(call.agree(where.size))
        result = np.empty((*where.shape, *self._row), self._dtype)
        self._world._pe.gather(
            _SPREADS[self._layout],
            self._parts,
            code_of(where.dtype),
            raw(where),
            most,
            raw(local),
            row_bytes(local),
            raw(result),
        )
        return result[()]

    def __setitem__(self, indices: Any, values: Any) -> None:
        """Replace elements, wherever they are. Collective; see ``update``."""
        self._update("DistributedArray[] =", indices, values, "put")

    def add_at(self, indices: Any, values: Any) -> None:
        """Add values to elements, wherever they are. Collective; see ``update``."""
        self._update("DistributedArray.add_at", indices, values, "sum")

    def update(self, indices: Any, values: Any, how: Update = "put") -> None:
        """Change elements, wherever they are.

        Collective: each PE gives its own indices and values. When it returns, all changes to this
        PE's part are made. If several values are for the same element all count; of several that
        are put there the last one of a PE does, and of several PEs any. The order of the PEs is
        not determined, so sums of floating-point numbers may differ in the last digits between
        runs.

        Args:
            indices: Integers of any shape, from 0 on; or a single one; or a slice.
            values: Of the shape of ``indices`` and behind it that of a row, or what can be
                broadcast to that. Becomes the dtype of the array, if no more than digits are lost.
            how: ``"put"``, ``"sum"``, ``"min"``, ``"max"``, ``"or"``, ``"and"`` or ``"xor"``; the
                same on all PEs. Integers wrap around; what is not a number stays so.

        Raises:
            ArgumentError: On all PEs, if what one of them gives cannot work; nothing has changed.
            WorldError: If a PE failed or left.
        """
        self._update("DistributedArray.update", indices, values, how)

    def _update(self, name: str, indices: Any, values: Any, how: Update) -> None:
        local = self._part
        call = Call(self._world._pe, name)
        where = self._checked_indices(call, indices)
        new = np.empty(0)
        code = code_of(self._dtype)
        with call.checks():
            if how != "put":
                if code == "":
                    raise ArgumentError(f'elements of {self._dtype} can only be changed by "put"')
                check_operation(how, code, "how")
            new = rows_for(values, self._dtype, (*where.shape, *self._row), "values")
            call.must_be_alike({"how": how})
        call.agree()
        self._world._pe.update(
            _SPREADS[self._layout],
            self._parts,
            code_of(where.dtype),
            raw(where),
            how,
            code,
            raw(new),
            row_bytes(local),
            raw(local),
        )

    def _checked_indices(self, call: Call, indices: Any) -> Array:
        where: Array = np.empty(0, np.int64)
        with call.checks():
            if isinstance(indices, slice):
                where = np.arange(*indices.indices(self._length))
            elif isinstance(indices, tuple):
                raise ArgumentError(
                    f"indices is {indices!r}, but elements have one index: give an array of indices"
                )
            else:
                array = array_or_value(indices, "indices")
                if array.size == 0 and not isinstance(indices, np.ndarray):
                    array = array.astype(np.int64)
                where = indices_of(array.reshape(-1), "indices").reshape(array.shape)
            limit = f"the array has {self._length} elements, numbered from 0"
            check_range(where, self._length, "indices", limit)
        return where

    def fill(self, value: Any) -> None:
        """Write a value to all elements. Collective; all PEs give the same value.

        Raises:
            ArgumentError: On all PEs, if what one of them gives cannot work; nothing has changed.
            WorldError: If a PE failed or left.
        """
        local = self._part
        call = Call(self._world._pe, "DistributedArray.fill")
        new = np.empty(0)
        with call.checks():
            new = _one_value(value, local, "value")
            call.must_be_alike({"value": new.tolist()})
        call.agree()
        local[...] = new

    def sum(self) -> Any:
        """The sum of all numbers, on every PE; of integers with 64 bits. Collective."""
        return reduce(self._world, np.sum(self._numbers("sum")))

    def min(self) -> Any:
        """The smallest of all numbers, on every PE. Collective."""
        return self._extreme("min")

    def max(self) -> Any:
        """The largest of all numbers, on every PE. Collective."""
        return self._extreme("max")

    def _numbers(self, name: str) -> Array:
        if code_of(self._dtype) == "" or (name != "sum" and self._dtype.kind == "c"):
            raise ArgumentError(f"{name}: elements have dtype {self._dtype}, and need real numbers")
        return self._part

    def _extreme(self, name: Literal["min", "max"]) -> Any:
        local = self._numbers(name)
        if 0 in self.shape:
            raise ArgumentError(f"{name}: the array has shape {self.shape}, and so no element")
        here = local.min() if name == "min" and local.size != 0 else None
        if local.size == 0:
            here = _beyond_all(self._dtype, name)
        elif name == "max":
            here = local.max()
        return reduce(self._world, here, name)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write all elements to a file of NumPy (``.npy``), in the order of their indices.

        Collective. All PEs give the same path, on a file system that all of them reach. A file of
        this name is replaced when all PEs have written. Elsewhere ``numpy.load`` reads the file.

        Raises:
            ArgumentError: On all PEs, if the file cannot be written.
            WorldError: If a PE failed or left.
        """
        local = self._part
        if self._layout == "cyclic":
            in_blocks = DistributedArray(self._world, self._length, (self._dtype, self._row))
            in_blocks[self.local_indices] = local
            local = in_blocks.local
        write_rows(self._world, "DistributedArray.save", path, local)

    @classmethod
    def load(cls, world: World, path: str | os.PathLike[str], layout: Layout = "block") -> Self:
        """An array of the rows of a file of NumPy (``.npy``), which any number of PEs has saved.

        Collective. All PEs give the same path and layout.

        Raises:
            ArgumentError: On all PEs, if one of them cannot read the file.
            WorldError: If a PE failed or left.
        """
        return cls.from_parts(world, read_share(world, "DistributedArray.load", path), layout)

    def close(self) -> None:
        """Give up this PE's elements, which ``local`` keeps if it is in use. Local.

        Leaving a ``with`` block does the same, and so does the end of the world.
        """
        super().close()


def _check_layout(layout: Any) -> None:
    if layout not in _SPREADS:
        raise ArgumentError(f'layout is {layout!r}: give "block" or "cyclic"')


def _one_value(value: Any, like: Array, name: str) -> Array:
    """The value of all elements."""
    new = values_of(value, like.dtype, name)
    return np.broadcast_to(new, like.shape[1:])


def _beyond_all(dtype: np.dtype[Any], name: Literal["min", "max"]) -> Any:
    """A number that is not below, or not above, any number of the dtype."""
    if dtype.kind == "b":
        return np.bool_(name == "min")
    if dtype.kind == "f":
        return dtype.type(np.inf if name == "min" else -np.inf)
    limits = np.iinfo(dtype)
    return dtype.type(limits.max if name == "min" else limits.min)
