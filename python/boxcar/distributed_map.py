"""Distributed maps: hash tables over all PEs, which take arrays of keys and of values."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, NoReturn

import numpy as np
import numpy.typing as npt

from . import _native
from .agreement import Call
from .array_files import read_share, write_rows
from .arrays import Array, code_of, place_in, raw
from .elements import row_type, rows_for, values_of
from .errors import ArgumentError
from .held import Closable
from .map_combining import combined
from .map_keys import KeyType, widened

if TYPE_CHECKING:
    from typing_extensions import Self

    from .world import World

MapUpdate = Literal["put", "first", "sum", "min", "max", "or", "and", "xor"]
"""What becomes of the value of a key that the map has: it is replaced (``"put"``), kept
(``"first"``), or combined with the given value."""

_UPDATES = ("put", "first", "sum", "min", "max", "or", "and", "xor")


class MapItems(NamedTuple):
    """The keys of this PE and their values: ``keys, values = map.items()``."""

    keys: Array
    values: Array


class DistributedMap(Closable[_native.KeyTable]):
    """A map from keys to values that is spread over all PEs of a world.

    Each key belongs to one PE, which its hash tells. Functions take arrays of keys, of any keys on
    each PE, also none. ::

        stock = boxcar.DistributedMap(world, str, "i8")
        stock.update(["pears", "plums"], [3, 5], "sum")
        pears = stock[["pears"]]

    A key is compared as in ``World.group_by_key``: 0.0 and -0.0 are the same key, and so are all
    that are NaN or NaT; zeros at the end of bytes and text do not count, as in NumPy.
    """

    _kind = "distributed map"

    def __init__(
        self, world: World, key_dtype: npt.DTypeLike, value_dtype: npt.DTypeLike = float
    ) -> None:
        """Collective. All PEs give the same dtypes.

        Args:
            world: Whose PEs have the keys.
            key_dtype: Integers, floating-point numbers, times, ``str``, ``bytes``, or structures.
                ``str`` and ``bytes`` are text of any width.
            value_dtype: Numbers, text of fixed width, or structures. A dtype with a shape, as
                ``("f4", 16)``, makes each value a row.

        Raises:
            ArgumentError: On all PEs, if what one of them gives cannot work.
            WorldError: If a PE failed or left.
        """
        call = Call(world._pe, "DistributedMap")
        keys = KeyType(np.int64)
        element = np.dtype(float)
        row: tuple[int, ...] = ()
        with call.checks():
            keys = KeyType(key_dtype)
            element, row = row_type(value_dtype, "value_dtype")
            call.must_be_alike({"key_dtype": str(keys), "value_dtype": np.dtype((element, row))})
        call.agree()
        value_bytes = np.dtype((element, row)).itemsize
        super().__init__(world, _native.KeyTable(keys.code == "", value_bytes))
        self._keys = keys
        self._element, self._row = element, row
        self._size = 0

    def __repr__(self) -> str:
        text = f"<boxcar.DistributedMap from {self._keys} to {np.dtype((self._element, self._row))}"
        if self._held is None:
            return f"{text}, closed>"
        return f"{text}, {self._size} keys, {self.local_size} here>"

    def __len__(self) -> int:
        """The number of keys of all PEs, as of the last function that changed the map. Local."""
        return self._size

    @property
    def local_size(self) -> int:
        """The number of keys of this PE. Local."""
        return self._part.size()

    def __iter__(self) -> NoReturn:
        raise TypeError(
            "a distributed map has no iterator, as its keys are on all PEs: use keys() or items(), "
            "which give those of this PE"
        )

    __contains__ = None

    def update(self, keys: Any, values: Any, how: MapUpdate = "put") -> None:
        """Insert keys that are absent, and change the values of keys that are there.

        Collective. When it returns, all changes to this PE's keys are made. Updates of one PE take
        place in the order of its keys; those of different PEs in any order. An absent key gets the
        given value.

        Args:
            keys: Of any shape; of the dtype of the map, or what becomes that without any loss.
            values: Of the shape of ``keys`` and behind it that of a value, or what can be broadcast
                to that. Becomes the dtype of values, if no more than digits are lost.
            how: See ``MapUpdate``; the same on all PEs. Integers wrap around; what is not a number
                stays so. Structures and text are put or kept.

        Raises:
            ArgumentError: On all PEs, if what one of them gives cannot work; nothing has changed.
            MachineError: If there is not enough memory.
            WorldError: If a PE failed or left.
        """
        self._update("DistributedMap.update", keys, values, how)

    def __setitem__(self, keys: Any, values: Any) -> None:
        """Set the values of keys. Collective; see ``update``."""
        self.update(keys, values)

    def add(self, keys: Any, n: Any = None) -> None:
        """Add to the values of keys, which are numbers, as a counter does. Collective.

        Args:
            keys: As of ``update``. A key that occurs several times counts as often.
            n: How much to add, as the values of ``update``. By default 1; on all PEs or on none.

        Raises:
            ArgumentError: On all PEs, if what one of them gives cannot work; nothing has changed.
            MachineError: If there is not enough memory.
            WorldError: If a PE failed or left.
        """
        self._update("DistributedMap.add", keys, n, "sum", is_count=True)

    def _update(
        self, function: str, keys: Any, values: Any, how: MapUpdate, *, is_count: bool = False
    ) -> None:
        """``update``, or if it is a count ``add``, whose values are 1 if there are none."""
        part = self._part
        call = Call(self._world._pe, function)
        mine = np.empty(0)
        new: Array | None = None
        name = "n" if is_count else "values"
        is_by_one = is_count and values is None
        with call.checks():
            self._check_operation(how)
            call.must_be_alike({"how": how, f"presence of {name}": not is_by_one})
            mine = self._keys.of(keys, "keys")
            if not is_by_one:
                new = rows_for(values, self._element, (*mine.shape, *self._row), name)
        call.agree()
        self._send_updates(part, call, mine, how, new)

    def _send_updates(
        self, part: _native.KeyTable, call: Call, keys: Array, how: str, values: Array | None
    ) -> None:
        """Sends updates, each with a value, or if all PEs give None by 1; and agrees on sizes."""
        keys = widened(call, keys).reshape(-1)
        new = values if values is None else values.reshape(-1, *self._row)
        if not (values is None and self._row):
            fewer = combined(keys, self._keys.code, how, new, self._element)
            keys, new = (keys, new) if fewer is None else fewer
        is_by_one = values is None and sum(call.agree(int(new is not None))) == 0
        if new is None:
            new = np.ones((1 if is_by_one else len(keys), *self._row), self._element)
        part.update(
            self._world._pe,
            self._keys.code,
            raw(keys),
            keys.dtype.itemsize,
            how,
            code_of(self._element),
            raw(new),
            is_by_one,
        )
        self._size = sum(call.agree(part.size()))

    def _check_operation(self, how: Any) -> None:
        if how not in _UPDATES:
            raise ArgumentError(f"how is {how!r}: give one of {', '.join(_UPDATES)}")
        code = code_of(self._element)
        if code == "" and how not in ("put", "first"):
            raise ArgumentError(f'values of {self._element} can only be changed by "put", "first"')
        _native.check_map_operation(how, code)

    def get(self, keys: Any, default: Any = None) -> Array:
        """The values of keys, wherever they are.

        Collective.

        Args:
            keys: As of ``update``.
            default: The value of keys that the map does not have: a value, or one for each key. If
                it is not given, such keys are an error. On all PEs or on none.

        Returns:
            An array of the shape of ``keys``, and behind it that of a value.

        Raises:
            ArgumentError: On all PEs, if the map does not have a key, and there is no default; or
                if what one of them gives cannot work.
            WorldError: If a PE failed or left.
        """
        part = self._part
        call = Call(self._world._pe, "DistributedMap.get")
        mine = otherwise = np.empty(0)
        with call.checks():
            mine = self._keys.of(keys, "keys")
            call.must_be_alike({"presence of a default": default is not None})
            if default is not None:
                otherwise = values_of(default, self._element, "default")
                otherwise = np.broadcast_to(otherwise, (*mine.shape, *self._row))
        values = np.empty((*mine.shape, *self._row), self._element)
        found = self._look_up(part, call, mine, values)
        if default is not None:
            values[~found] = otherwise[~found]
            return values
        with call.checks():
            if not found.all():
                first = int(np.argmin(found))
                key = mine.reshape(-1)[first].item()
                raise ArgumentError(
                    f"keys{place_in(mine, first)} is {key!r}, which the map does not have: give a "
                    "default, or leave out keys that it does not contain"
                )
        call.agree()
        return values

    def __getitem__(self, keys: Any) -> Any:
        """The values of keys, wherever they are: an array, or of a single key one value.

        Collective; see ``get``.
        """
        return self.get(keys)[()]

    def contains(self, keys: Any) -> npt.NDArray[np.bool_]:
        """Whether the map has each of some keys, on any PE. Collective.

        Raises:
            ArgumentError: On all PEs, if what one of them gives cannot work.
            WorldError: If a PE failed or left.
        """
        part = self._part
        call = Call(self._world._pe, "DistributedMap.contains")
        mine = np.empty(0)
        with call.checks():
            mine = self._keys.of(keys, "keys")
        return self._look_up(part, call, mine, None)

    def _look_up(
        self, part: _native.KeyTable, call: Call, keys: Array, values: Array | None
    ) -> npt.NDArray[np.bool_]:
        """Agrees, fills the values of keys that the map has, and returns which keys these are."""
        most = max(call.agree(keys.size))
        keys = widened(call, keys)
        found = np.empty(keys.shape, np.bool_)
        part.look_up(
            self._world._pe,
            self._keys.code,
            raw(keys),
            keys.dtype.itemsize,
            most,
            values is not None,
            raw(found if values is None else values),
            raw(found),
        )
        return found

    def erase(self, keys: Any) -> int:
        """Remove keys, wherever they are. Those that the map does not have do not matter.

        Collective.

        Returns:
            How many keys all PEs have removed together.

        Raises:
            ArgumentError: On all PEs, if what one of them gives cannot work; nothing has changed.
            WorldError: If a PE failed or left.
        """
        part = self._part
        call = Call(self._world._pe, "DistributedMap.erase")
        mine = np.empty(0)
        with call.checks():
            mine = self._keys.of(keys, "keys")
        call.agree()
        mine = widened(call, mine)
        part.erase(self._world._pe, self._keys.code, raw(mine), mine.dtype.itemsize)
        before, self._size = self._size, sum(call.agree(part.size()))
        return before - self._size

    def clear(self) -> None:
        """Remove all keys of all PEs, and give the memory back. Collective."""
        part = self._part
        Call(self._world._pe, "DistributedMap.clear").agree()
        part.clear()
        self._size = 0

    def owners(self, keys: Any) -> npt.NDArray[np.int32]:
        """The PE that each of some keys belongs to, whether the map has it or not. Local."""
        return self._keys.owners(self._keys.of(keys, "keys"), self._world.size)

    def items(self) -> MapItems:
        """Copies of this PE's keys and of their values, in no particular order. Local.

        Text is as wide as the widest of this PE. The order is the same until the map changes, and
        differs between maps and between runs.
        """
        part = self._part
        keys = self._keys.empty(part.size(), part.longest_row())
        values = np.empty((len(keys), *self._row), self._element)
        part.copy(self._keys.code, raw(keys), keys.dtype.itemsize, raw(values))
        return MapItems(keys, values)

    def keys(self) -> Array:
        """A copy of this PE's keys, in the order of ``items``. Local."""
        return self.items().keys

    def values(self) -> Array:
        """A copy of the values of this PE's keys, in the order of ``items``. Local."""
        return self.items().values

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write all keys and values to a file of NumPy (``.npy``), as structures of both.

        Collective. All PEs give the same path, on a file system that all of them reach. A file of
        this name is replaced when all PEs have written. Elsewhere ``numpy.load`` reads the file, as
        an array with the fields ``"key"`` and ``"value"``.

        Raises:
            ArgumentError: On all PEs, if the file cannot be written.
            WorldError: If a PE failed or left.
        """
        keys, values = self.items()
        call = Call(self._world._pe, "DistributedMap.save")
        call.agree()
        keys = widened(call, keys)
        form: Any = [("key", keys.dtype), ("value", self._element, self._row)]
        rows = np.empty(len(keys), form)
        rows["key"], rows["value"] = keys, values
        write_rows(self._world, "DistributedMap.save", path, rows)

    @classmethod
    def load(cls, world: World, path: str | os.PathLike[str]) -> Self:
        """A map of a file that any number of PEs has saved.

        Collective. All PEs give the same path.

        Raises:
            ArgumentError: On all PEs, if one of them cannot read the file, or if it holds no map.
            WorldError: If a PE failed or left.
        """
        rows = read_share(world, "DistributedMap.load", path)
        if rows.dtype.names != ("key", "value"):
            raise ArgumentError(
                f"DistributedMap.load: {path} holds {rows.dtype}, and no map: give a file of save, "
                "or load it by numpy.load and use update"
            )
        keys = rows["key"]
        value_dtype = np.dtype((rows.dtype["value"].base, rows.dtype["value"].shape))
        result = cls(world, keys.dtype, value_dtype)
        result.update(keys, rows["value"])
        return result

    def close(self) -> None:
        """Give up this PE's keys and their memory. Local.

        Leaving a ``with`` block does the same, and so does the end of the world.
        """
        super().close()
