"""Files of tables that all PEs read and write together."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, Literal

from .agreement import Call
from .byte_sizes import bytes_of
from .errors import ArgumentError
from .frame_library import Table, library_named
from .frame_transport import Part, agreed_part
from .joint_file import file_checks

if TYPE_CHECKING:
    from .world import World

LibraryName = Literal["pandas", "polars", "pyarrow"]
REMEDY = "give files that all PEs reach, and install pyarrow"
_REMEDY_FOR_COLUMNS = "give columns of types that the format has, in a folder that all PEs reach"
Paths = str | os.PathLike[str] | Sequence[str | os.PathLike[str]]


def files_of(world: World, name: str, paths: Any, ending: str) -> list[str]:
    """Collective. The files that the paths mean, a folder being all its files with this ending."""
    call = Call(world._pe, name)
    given: list[str] = []
    with call.checks():
        several = paths if isinstance(paths, (list, tuple)) else [paths]
        for path in several:
            if not isinstance(path, (str, os.PathLike)):
                raise ArgumentError(f"paths has a {type(path).__name__}: give names of files")
        given = [os.fsdecode(path) for path in several]
        call.must_be_alike({"paths": given})
    call.agree()
    files: list[str] = []
    call = Call(world._pe, name)
    with file_checks(call, paths, REMEDY):
        if world.rank == 0:
            for path in given:
                files += _files_in(path, ending) if os.path.isdir(path) else [path]
            if not files:
                raise ArgumentError(f"{paths} has no files *{ending}: give a file, or a folder")
    call.agree()
    found: list[str] = world.broadcast(files)
    return found


def _files_in(folder: str, ending: str) -> list[str]:
    return [
        os.path.join(folder, each) for each in sorted(os.listdir(folder)) if each.endswith(ending)
    ]


@contextmanager
def naming(file: str) -> Iterator[None]:
    """Adds the name of the file to errors."""
    try:
        yield
    except ArgumentError:
        raise
    except (OSError, ValueError) as problem:
        raise ArgumentError(
            f"{file}: {problem}: give a file that all PEs reach, in the right format"
        ) from problem


def check_library(world: World, name: str, library: str, columns: Any) -> None:
    call = Call(world._pe, name)
    with call.checks():
        library_named(library)
        call.must_be_alike({"library": library, "columns": columns})
    call.agree()


def check_pieces(world: World, name: str, library: str, columns: Any, piece: Any) -> int:
    """Collective. The number of bytes of a piece of a table, checked with other arguments."""
    call = Call(world._pe, name)
    nbytes = 1
    with call.checks():
        nbytes = bytes_of(piece, "piece")
        call.must_be_alike({"piece": nbytes})
    call.agree()
    check_library(world, name, library, columns)
    return nbytes


def read_part(world: World, name: str, library: str, read: Callable[[], Any]) -> Table:
    """Collective. The part that a function reads, in a table of a library."""
    call = Call(world._pe, name)
    part = None
    with call.checks():
        part = Part(call, read())
    part = agreed_part(world, call, part, name)
    call = Call(world._pe, name)
    with call.checks():
        part = Part(call, library_named(library).from_arrow(part.table))
    return agreed_part(world, call, part, name).table


def write_part(
    world: World,
    name: str,
    table: Table,
    folder: Any,
    ending: str,
    write: Callable[..., None],
    *,
    has_types: bool,
) -> None:
    """Collective. Writes a file for each PE. Files of a former call in the folder are replaced.

    Args:
        write: Called with a table of Arrow and a path.
        has_types: Whether files tell the types of columns, which then are the same in all files.
    """
    call = Call(world._pe, name)
    part = None
    with call.checks():
        part = Part(call, table)
        if len(part) != 0 and not part.columns:
            raise ArgumentError("table has rows and no columns: give a column at least")
        folder = os.fsdecode(folder)
        call.must_be_alike({"folder": folder})
    part = agreed_part(world, call, part, name)
    call = Call(world._pe, name)
    with file_checks(call, folder, REMEDY):
        if world.rank == 0:
            os.makedirs(folder, exist_ok=True)
            _refuse_others(folder, ending)
    call.agree()
    path = os.path.join(folder, f"part-{world.rank:05}{ending}")
    try:
        call = Call(world._pe, name)
        with file_checks(call, path, _REMEDY_FOR_COLUMNS):
            part = Part(call, part.library.to_arrow(part.table))
        if has_types:
            part = agreed_part(world, call, part, name)
        else:
            call.agree()
        with file_checks(call, path, _REMEDY_FOR_COLUMNS):
            write(part.table, f"{path}.unfinished")
        call.agree()
    except BaseException:
        with suppress(OSError):
            os.unlink(f"{path}.unfinished")
        raise
    call = Call(world._pe, name)
    with file_checks(call, folder, REMEDY):
        os.replace(f"{path}.unfinished", path)
        if world.rank == 0:
            for former in _files_in(folder, ending):
                if int(os.path.basename(former)[5 : -len(ending)]) >= world.size:
                    os.unlink(former)
    call.agree()


def _refuse_others(folder: str, ending: str) -> None:
    """Raises ArgumentError if the folder has files that ``write_part`` has not written."""
    for file in _files_in(folder, ending):
        stem = os.path.basename(file)[: -len(ending)]
        number = stem[5:] if stem.startswith("part-") else ""
        if not number.isdecimal() or number != f"{int(number):05}":
            raise ArgumentError(f"{file} would be read with the table: give a new folder")
