"""Objects made with a world, which end with the world at the latest."""

from __future__ import annotations

from types import TracebackType
from typing import TYPE_CHECKING, ClassVar, Generic, TypeVar

from .errors import ContractError

if TYPE_CHECKING:
    from typing_extensions import Self

    from .world import World

Part = TypeVar("Part")


class Held(Generic[Part]):
    """This PE's part of something, for as long as neither that nor its world is closed."""

    _kind: ClassVar[str]

    def __init__(self, world: World, part: Part) -> None:
        self._world = world
        self._held: Part | None = part
        self._number = world._hold(self)

    @property
    def _part(self) -> Part:
        if self._held is None:
            raise ContractError(f"the {self._kind} was closed, or its world was: make another one")
        self._world._pe.rank()  # which refuses processes that were forked
        return self._held

    def _end(self, *, quietly: bool) -> None:
        """Ends the object; ``quietly``: because of an exception, without waiting for other PEs."""
        self._held = None


class Closable(Held[Part]):
    """What programs close themselves, if they like."""

    def close(self) -> None:
        """The last use of it by this PE.

        Local: others may use theirs for longer. Its memory goes when all PEs have closed theirs and
        come together again, and no array refers to it any more. What was not waited for is. Leaving
        a ``with`` block does the same, and so does the end of the world.
        """
        if self._held is not None:
            self._end(quietly=False)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._held is not None:
            self._end(quietly=error is not None)
