"""Functions as pickles that know their source, so that tracebacks show it where they are called."""

from __future__ import annotations

import io
import linecache
import pickle
import types
from collections.abc import Callable
from typing import Any

import cloudpickle


class _Pickler(cloudpickle.Pickler):  # type: ignore[misc]
    def __init__(self, file: io.BytesIO) -> None:
        super().__init__(file)
        self.sources: set[str] = set()
        """The files, or cells of a notebook, that the code comes from."""

    def reducer_override(self, value: Any) -> Any:
        if not isinstance(value, types.CodeType):
            return super().reducer_override(value)
        self.sources.add(value.co_filename)
        make, arguments = self.dispatch_table[types.CodeType](value)
        return _code_from, (value.co_filename, make, arguments)


def _code_from(
    source: str, make: Callable[..., types.CodeType], arguments: tuple[Any, ...]
) -> types.CodeType:
    return make(*arguments).replace(co_filename=source)


def dumps(value: Any) -> bytes:
    file = io.BytesIO()
    pickler = _Pickler(file)
    pickler.dump(value)
    lines = {source: linecache.getlines(source) for source in pickler.sources}
    return pickle.dumps((lines, file.getvalue()))


def loads(data: bytes) -> Any:
    """What ``dumps`` was given; and tracebacks find the source."""
    lines_of, pickled = pickle.loads(data)
    for source, lines in lines_of.items():
        linecache.cache[source] = (sum(map(len, lines)), None, lines, source)
    return pickle.loads(pickled)
