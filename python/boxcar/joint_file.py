"""A file that all PEs write together, and that replaces the former file of its name at once."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

from .agreement import Call
from .errors import ArgumentError

if TYPE_CHECKING:
    from .world import World


def write_together(
    world: World,
    call: Call,
    path: str,
    create: Callable[[str], int],
    write: Callable[[str, int], None],
    remedy: str,
) -> None:
    """Write an unfinished file, and give it its name when all PEs have written.

    Collective. A former file is left as it was if the file cannot be written.

    Args:
        create: Called with the path of the unfinished file by PE 0, which makes the file.
        write: Called with that path and with what ``create`` returned by every PE, which writes
            its part.
        remedy: What to do about an error, for messages.

    Raises:
        ArgumentError: On all PEs, if one of them cannot write.
    """
    unfinished = f"{path}.unfinished"
    is_first = world.rank == 0
    try:
        made = 0
        with file_checks(call, path, remedy):
            if os.path.exists(path) and not os.path.isfile(path):
                raise ArgumentError(f"{path} is no regular file: give one, or a name for a new one")
            if is_first:
                made = create(unfinished)
        made = call.agree(made)[0]
        with file_checks(call, path, remedy):
            write(unfinished, made)
        call.agree()
        with file_checks(call, path, remedy):
            if is_first:
                os.replace(unfinished, path)
        call.agree()
    except BaseException:
        if is_first:
            with suppress(OSError, ValueError):  # a path with NUL has no file
                os.unlink(unfinished)
        raise


@contextmanager
def file_checks(call: Call, path: Any, remedy: str) -> Iterator[None]:
    """An error of the system or of a reader becomes an ArgumentError of all PEs."""
    with call.checks():
        try:
            yield
        except (OSError, ValueError, EOFError, ImportError, NotImplementedError) as problem:
            if isinstance(problem, ArgumentError):
                raise
            raise ArgumentError(f"{path}: {problem}: {remedy}") from problem
