"""Files of sequences, FASTA and FASTQ, plain and gzip, and the PEs' shares of them."""

from __future__ import annotations

import os
import re
import stat
import zlib
from collections import deque
from collections.abc import Iterator
from io import BufferedReader
from typing import BinaryIO, NamedTuple

import numpy as np
import numpy.typing as npt

from . import _native
from .errors import ArgumentError

_PIECE = 1 << 20  # bytes that are read at once
_COMPRESSED_PIECE = 1 << 17
_PIECES_AHEAD = 16
_LOOK_AROUND = 1 << 12
_GZIP = b"\x1f\x8b"
_BLANKS = b" \t\r\n"
_HEADER_AND_CHECK = 31  # what zlib expects around the data: those of gzip
_BARE_CR = re.compile(rb"\r(?!\n)")


class SequenceFile(NamedTuple):
    path: str
    size: int
    is_gzip: bool


class Share(NamedTuple):
    """Bytes of a plain file; or a whole compressed one."""

    file: SequenceFile
    begin: int
    end: int


class LineFeeds:
    """A plain file, in which a CR that no LF follows is read as LF: a line end of old Mac files.

    The text keeps its length, so that places in it are places in the file.
    """

    def __init__(self, file: BufferedReader) -> None:
        self._file = file

    def seek(self, place: int) -> None:
        self._file.seek(place)

    def read(self, size: int) -> bytes:
        text = self._file.read(size)
        if b"\r" not in text:
            return text
        follows = self._file.peek(1)[:1] if text.endswith(b"\r") else b""
        return _BARE_CR.sub(b"\n", text + follows)[: len(text)]


def _with_line_feeds(pieces: Iterator[bytes]) -> Iterator[bytes]:
    """Pieces of a text, with line ends as ``LineFeeds`` gives them."""
    rest = b""
    for piece in pieces:
        text = rest + piece
        rest = b"\r" if text.endswith(b"\r") else b""  # the next piece may begin with LF
        text = text[: len(text) - len(rest)]
        if text:
            yield _BARE_CR.sub(b"\n", text) if b"\r" in text else text
    if rest:
        yield b"\n"


def sequence_file(path: str | os.PathLike[str]) -> SequenceFile:
    """Raises ArgumentError if it cannot be read."""
    name = os.fsdecode(path)
    try:
        kind = os.stat(name).st_mode
        if not stat.S_ISREG(kind) and not stat.S_ISDIR(kind):
            raise ArgumentError(
                f"{name} is no regular file: the PEs share out files by their sizes, and pipes and "
                "devices have none; write the sequences to a file first, or give them to add()"
            )
        with open(name, "rb") as file:
            return SequenceFile(name, os.fstat(file.fileno()).st_size, file.read(2) == _GZIP)
    except OSError as error:
        raise _unreadable(name, error) from error


def _unreadable(path: str, error: OSError) -> ArgumentError:
    return ArgumentError(
        f"{path} cannot be read: {error.strerror}; every PE reads its share of each file, so give "
        "files that are there on all of them"
    )


def share_out(files: list[SequenceFile], pes: int, pe: int) -> list[Share]:
    """What one of so many PEs reads: together, they read everything once.

    As many bytes of the plain files as every other PE; and whole compressed ones, as these can only
    be read from the beginning: the largest first, each to the PE that has least of them so far.
    """
    plain = [file for file in files if not file.is_gzip]
    total = sum(file.size for file in plain)
    first, last = total * pe // pes, total * (pe + 1) // pes
    shares = []
    for file in plain:
        begin, end = max(first, 0), min(last, file.size)
        if begin < end:
            shares.append(Share(file, begin, end))
        first, last = first - file.size, last - file.size
    loads = [0] * pes
    for file in sorted((file for file in files if file.is_gzip), key=lambda file: -file.size):
        reader = loads.index(min(loads))
        loads[reader] += file.size
        if reader == pe:
            shares.append(Share(file, 0, file.size))
    return shares


class ByteCount:
    """The number of bytes of files that have been read, for displays of progress."""

    def __init__(self) -> None:
        self.count = 0

    def add(self, count: int) -> None:
        self.count += count


def parse_share(share: Share, k: int, into: _native.KmerCounter, read: ByteCount) -> Iterator[int]:
    """Hand the sequences of a share on, for k-mers that begin in it: some at a time.

    Yields how many sequences have begun since the last time. Adds the bytes of the share that have
    been read to ``read``.

    Raises:
        ArgumentError: With the file and the line, if something is wrong there.
    """
    file = share.file
    try:
        with open(file.path, "rb") as source:
            if file.is_gzip:
                yield from _parse_compressed(source, file.path, into, read)
            else:
                yield from _parse_plain(LineFeeds(source), share, k, into, read)
    except OSError as error:
        raise _unreadable(file.path, error) from error


def _parse_compressed(
    source: BinaryIO, path: str, into: _native.KmerCounter, read: ByteCount
) -> Iterator[int]:
    parser = None
    for text in _read_ahead(_with_line_feeds(decompressed(source, path, read))):
        if parser is None:
            form = _format_of(text, path)
            if form == "":
                continue
            parser = _native.SequenceParser(form, True, False)
        yield from _parse(parser, text, path, 0, into)
    if parser is not None:
        _check(parser.finish(), path, 0)


def _read_ahead(pieces: Iterator[bytes]) -> Iterator[bytes]:
    """Yields the pieces; a thread reads ahead while the program counts, or waits for other PEs."""
    # Imported here, as the import takes a tenth of the time in which boxcar is loaded.
    from concurrent.futures import ThreadPoolExecutor

    thread = ThreadPoolExecutor(1)
    try:
        ahead = deque(thread.submit(next, pieces, None) for _ in range(_PIECES_AHEAD))
        while (piece := ahead.popleft().result()) is not None:
            ahead.append(thread.submit(next, pieces, None))
            yield piece
    finally:
        thread.shutdown(cancel_futures=True)


def _parse_plain(
    source: LineFeeds, share: Share, k: int, into: _native.KmerCounter, read: ByteCount
) -> Iterator[int]:
    path, begin, end = share.file.path, share.begin, share.end
    form = _format_of_file(source, path)
    begins_line, in_header = True, False
    if form == "":
        return
    if form == "fastq":
        begin, end = _record_behind(source, begin), _record_behind(source, end)
    else:
        line = _line_around(source, begin)
        source.seek(line)
        begins_line, in_header = line == begin, line != begin and source.read(1) == b">"
    parser = _native.SequenceParser(form, begins_line, in_header)
    source.seek(begin)
    place = begin
    while place < end:
        text = source.read(min(_PIECE, end - place))
        if not text:
            raise ArgumentError(
                f"{path} has ended at byte {place}, but had {share.file.size} bytes when the "
                "counting began: count it when it is complete"
            )
        read.add(len(text))
        yield from _parse(parser, text, path, begin, into)
        place += len(text)
    _check(parser.finish(), path, begin)
    if form == "fasta":
        goes_on = True
        while goes_on and (text := source.read(_LOOK_AROUND)):
            goes_on = parser.parse_overlap(array_of_text(text), k - 1, into)


def _parse(
    parser: _native.SequenceParser, text: bytes, path: str, begin: int, into: _native.KmerCounter
) -> Iterator[int]:
    before = parser.sequences()
    _check(parser.parse(array_of_text(text), into), path, begin)
    yield parser.sequences() - before


def _check(problem: tuple[int, str] | None, path: str, begin: int) -> None:
    if problem is not None:
        place, what = problem
        raise ArgumentError(f"{path}, line {_line_number(path, begin + place)}: {what}")


def array_of_text(text: bytes) -> npt.NDArray[np.uint8]:
    """As the native part takes it."""
    return np.frombuffer(text, np.uint8)


def _format_of(text: bytes, path: str) -> str:
    """ "fasta" or "fastq", or "" if there is nothing but blanks."""
    start = text.lstrip(_BLANKS)[:1]
    if start not in (b"", b">", b"@"):
        raise ArgumentError(
            f"{path} is neither FASTA nor FASTQ: it begins with {start!r}, and not with '>' or "
            "'@'; give one of these, plain or compressed by gzip"
        )
    return {b"": "", b">": "fasta", b"@": "fastq"}[start]


def _format_of_file(source: LineFeeds, path: str) -> str:
    source.seek(0)
    form = ""
    while form == "" and (text := source.read(_LOOK_AROUND)):
        form = _format_of(text, path)
    return form


def _line_around(source: LineFeeds, place: int) -> int:
    """The beginning of the line with the byte."""
    while place > 0:
        count = min(_PIECE, place)
        source.seek(place - count)
        line_end = source.read(count).rfind(b"\n")
        if line_end != -1:
            return place - count + line_end + 1
        place -= count
    return 0


def _record_behind(source: LineFeeds, place: int) -> int:
    """The beginning of the first record of FASTQ at the byte or behind; else the end of the file.

    A line that begins with '@' may be a quality. But the second line below the name of a record
    begins with '+', and the second below a quality is a sequence, or blank: it never does.
    """
    if place == 0:
        return 0
    begin = place - 1  # to see whether a line begins at `place`
    size = _LOOK_AROUND
    while True:
        source.seek(begin)
        text = source.read(size)
        lines = text.split(b"\n")
        offset = begin + len(lines[0]) + 1
        for number in range(1, len(lines) - 2):
            if lines[number].startswith(b"@") and lines[number + 2].startswith(b"+"):
                return offset
            offset += len(lines[number]) + 1
        if len(text) < size:
            return begin + len(text)
        size *= 4


def decompressed(source: BinaryIO, path: str, read: ByteCount | None = None) -> Iterator[bytes]:
    """The text of a gzip file, of one member or many, piece by piece.

    Adds the bytes of the file that have been read to ``read``.
    """
    member = zlib.decompressobj(_HEADER_AND_CHECK)
    is_within = False
    begin = source.tell()
    while compressed := source.read(_COMPRESSED_PIECE):
        if read is not None:
            read.add(len(compressed))
        while compressed:
            if not is_within:
                compressed = compressed.lstrip(b"\0")  # padding behind a member
                if not compressed:
                    break
                member = zlib.decompressobj(_HEADER_AND_CHECK)
                is_within = True
            try:
                text = member.decompress(compressed, _PIECE)
            except zlib.error as error:
                raise ArgumentError(
                    f"{path} is damaged, near byte {source.tell() - len(compressed)} of the "
                    f"compressed file: {error}; fetch it again, or see what gzip -t says"
                ) from error
            if text:
                yield text
            is_within = not member.eof
            compressed = member.unused_data if member.eof else member.unconsumed_tail
    if is_within:
        raise ArgumentError(
            f"{path} is cut off: its gzip data do not end within the {source.tell() - begin} bytes "
            "that there are; fetch the whole file again"
        )


def _line_number(path: str, place: int) -> int:
    """The number of the line with a byte of the text, counted from 1."""
    number = 1
    with open(path, "rb") as source:
        is_gzip = source.read(2) == _GZIP
        source.seek(0)
        pieces = decompressed(source, path) if is_gzip else iter(lambda: source.read(_PIECE), b"")
        for text in _with_line_feeds(pieces):
            if place < len(text):
                return number + text.count(b"\n", 0, place)
            number += text.count(b"\n")
            place -= len(text)
    return number
