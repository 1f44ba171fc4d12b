"""Exchange, chunk by chunk, of data that does not fit into memory."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from .agreement import Call
from .arrays import rows_of
from .errors import ArgumentError
from .exchanging import Received
from .values import all_gather

if TYPE_CHECKING:
    from .world import World


def stream(world: World, chunks: Iterable[tuple[Any, Any]]) -> Iterator[Received]:
    """Exchange one chunk after another, as they come, for data that do not fit into memory.

    Collective: every PE goes through all that this yields, in a ``for`` loop without ``break``. At
    any time each PE holds one chunk of its own and what arrives of one chunk of each PE.

    Args:
        chunks: Yields pairs ``(items, to)`` as ``exchange`` takes them. PEs may have different
            numbers of chunks, also none: who has no more still receives.

    Yields:
        What has arrived of one chunk of every PE that had one.

    Raises:
        ArgumentError: On all PEs, if what one of them gives cannot work, or if its ``chunks`` raise
            an exception; there, that exception.
        WorldError: If a PE failed or left.
    """
    source: Iterator[Any] | None = None
    nothing = None
    while True:
        call = Call(world._pe, "stream")
        items = to = None
        with call.functions_of_program():
            source = iter(chunks) if source is None else source
            pair = next(source, None)
            if pair is not None:
                if not isinstance(pair, tuple) or len(pair) != 2:
                    raise ArgumentError("a chunk is no pair (items, to)")
                items, to = rows_of(pair[0], "items"), pair[1]
        if sum(call.agree(0 if items is None else 1)) == 0:
            return
        if nothing is None:  # who has no chunk learns what items are from those who have
            mine = None if items is None else (items.dtype, items.shape[1:])
            dtype, shape = next(form for form in all_gather(world, mine) if form is not None)
            nothing = np.empty((0, *shape), dtype)
        if items is None:
            items, to = nothing, np.empty(0, np.int32)
        yield world.exchange(items, to)
