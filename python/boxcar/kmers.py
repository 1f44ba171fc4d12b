"""The k-mers of sequences of DNA, counted on all PEs together."""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Sequence
from contextlib import closing
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from . import _native
from .agreement import Call
from .arrays import Array, array_of, code_of, indices_of, native, place_in, raw
from .errors import ArgumentError, ContractError
from .exchanging import Shipment, check_range
from .grouping import group_by_key
from .kmer_dumps import dump_kmers, least_count_of
from .numbering import owners_of
from .progress import Progress
from .sequence_files import ByteCount, array_of_text, parse_share, sequence_file, share_out
from .values import all_gather, reduce

if TYPE_CHECKING:
    from .world import World

Codes = npt.NDArray[Any]

_LONGEST = 128
_BASES_OF_WORD = 32
# The number of letters of each PE between two exchanges.
_BATCH = 1 << 23


class Kmers(NamedTuple):
    """Some k-mers, and how often each occurs."""

    kmers: Codes
    """As codes, see ``decode_kmers``; in order, which is that of the alphabet."""
    counts: npt.NDArray[np.int64]
    """How often each of them occurs, on all PEs together; no more than 2**32 - 1."""


class Spectrum(NamedTuple):
    """How many different k-mers occur once, twice, and so on."""

    counts: npt.NDArray[np.int64]
    """How often a k-mer may occur; in order, and only where there are such."""
    kmers: npt.NDArray[np.int64]
    """How many different k-mers occur so often."""


class KmerTotals(NamedTuple):
    """What a counter has counted, on all PEs together."""

    sequences: int
    """Records of files, and sequences that were added."""
    kmers: int
    """The sum of all counts."""
    distinct: int
    """How many different k-mers there are."""


class KmerCounter:
    """Counts the k-mers of sequences of DNA: how often each word of k bases occurs in them.

    The k-mers are spread over the PEs of the world: each is counted on one, which its hash tells.
    The U of RNA counts as T. Letters other than A, C, G, T and U, of either case, are in no
    k-mer. ::

        counter = boxcar.KmerCounter(world, 31)
        counter.count(["reads_1.fastq.gz", "reads_2.fastq.gz"])
        kmers, counts = counter.share(min_count=2)

    If counting fails half-way, because a file is damaged for instance, nothing is known about what
    has been counted, and the counter cannot be used any more; another one can.
    """

    def __init__(self, world: World, k: int, *, canonical: bool = True) -> None:
        """Collective.

        Args:
            world: Whose PEs count.
            k: How many bases, 1 to 128; the same on all PEs.
            canonical: Whether a k-mer and its reverse complement, which are the same piece of DNA,
                are one: the first of the two in the alphabet. The same on all PEs.

        Raises:
            ArgumentError: On all PEs, if what one of them gives cannot work.
        """
        call = Call(world._pe, "KmerCounter")
        with call.checks():
            k = _checked_k(k)
            call.must_be_alike({"k": k, "canonical": bool(canonical)})
        call.agree()
        self._world = world
        self._k = k
        self._canonical = bool(canonical)
        self._native = _native.KmerCounter(k, self._canonical)
        self._sequences = 0
        self._is_spoiled = False

    def __repr__(self) -> str:
        return f"<boxcar.KmerCounter: k = {self._k}, {self._native.size()} k-mers on this PE>"

    @property
    def k(self) -> int:
        """How many bases a k-mer has."""
        return self._k

    @property
    def canonical(self) -> bool:
        """Whether a k-mer and its reverse complement are one."""
        return self._canonical

    def count(self, paths: str | os.PathLike[str] | Sequence[str | os.PathLike[str]]) -> None:
        """Count the k-mers of files, in addition to what has been counted.

        Collective. The PEs share the work: of plain files each reads as many bytes, of files
        compressed by gzip each reads whole ones. A file that is given twice counts twice.

        Args:
            paths: One file or several, FASTA or FASTQ (of four lines a record), plain or gzip, also
                of several members, as bgzip's; what they are is told by their content. The same on
                all PEs, which must all be able to read them.

        Raises:
            ArgumentError: On all PEs, with the file and the line or byte, if one of them cannot
                read a file, or what is in it.
            ContractError: If counting has failed before.
            WorldError: If a PE failed or left.
        """
        self._check_not_spoiled()
        world = self._world
        call = Call(world._pe, "KmerCounter.count")
        files = []
        with call.checks():
            several = [paths] if isinstance(paths, (str, bytes, os.PathLike)) else list(paths)
            files = [sequence_file(path) for path in several]
            call.must_be_alike({"files": [file.path for file in files]})
            call.must_be_alike({f"size of {file.path}": file.size for file in files})
        call.agree()
        shares = share_out(files, world.size, world.rank)
        read = ByteCount()
        pieces = (n for share in shares for n in parse_share(share, self._k, self._native, read))
        with Progress(world, "KmerCounter.count", sum(s.end - s.begin for s in shares)) as shown:
            self._count_all("KmerCounter.count", pieces, lambda: shown.at(read.count))

    def add(self, sequences: Any) -> None:
        """Count the k-mers of sequences in memory, in addition to what has been counted.

        Collective. Each PE gives sequences of its own, also none.

        Args:
            sequences: A sequence or a list of such: ``str``, ``bytes`` or one-dimensional arrays of
                letters of dtype uint8. An array of dtype S or U is a list; so is one of dtype uint8
                with two dimensions, a row for each sequence.

        Raises:
            ArgumentError: On all PEs, with the number of the sequence, if what one of them gives
                cannot work.
            ContractError: If counting has failed before.
            WorldError: If a PE failed or left.
        """
        self._check_not_spoiled()
        call = Call(self._world._pe, "KmerCounter.add")
        text = b""
        with call.checks():
            text = _lines_of(sequences)
        call.agree()
        self._count_all("KmerCounter.add", self._parse_lines(text))

    def share(self, min_count: int = 1) -> Kmers:
        """The k-mers that this PE has counted, in order, and how often each occurs.

        Local. All shares together are all k-mers, each in one of them.

        Args:
            min_count: Leave out those that occur less often: 2 leaves out what occurs once, which
                in reads are errors mostly.

        Returns:
            Arrays that are made anew each time, see ``Kmers``.
        """
        self._check_not_spoiled()
        min_count = least_count_of(min_count)
        length = sum(n for count, n in self._native.spectrum() if count >= min_count)
        kmers, counts = np.empty(length, _dtype_of(self._k)), np.empty(length, np.int64)
        self._native.copy(min_count, raw(kmers), raw(counts))
        return Kmers(kmers, counts)

    def dump(
        self,
        path: str | os.PathLike[str],
        form: Literal["columns", "fasta"] = "columns",
        min_count: int = 1,
    ) -> None:
        """Write the k-mers of all PEs, and how often each occurs, to one file, as Jellyfish does.

        Collective. The k-mers of PE 0 come first, those of each PE in order. A file of this name is
        replaced when all PEs have written.

        Args:
            path: The file, which all PEs must be able to write; the same on all PEs.
            form: ``"columns"``: a line for each k-mer, the k-mer, a space and the count, as
                ``jellyfish dump --column`` writes it; ``"fasta"``: the count as the name of a
                sequence, ``>2``, and the k-mer in the next line, as ``jellyfish dump`` writes it.
                The same on all PEs.
            min_count: Leave out those that occur less often. The same on all PEs.

        Raises:
            ArgumentError: On all PEs, if one of them cannot write; a former file is left as it was.
            ContractError: If counting has failed before.
            WorldError: If a PE failed or left.
        """
        self._check_not_spoiled()
        dump_kmers(self._world, path, form, self._k, min_count, self.share)

    def spectrum(self) -> Spectrum:
        """How many different k-mers occur once, twice, and so on, on all PEs together.

        Collective; the result is the same on all PEs.

        Raises:
            WorldError: If a PE failed or left.
        """
        self._check_not_spoiled()
        here = np.array(self._native.spectrum(), np.int64).reshape(-1, 2)
        parts = all_gather(self._world, group_by_key(self._world, here[:, 0], here[:, 1]))
        counts, kmers = (np.concatenate(column) for column in zip(*parts, strict=True))
        order = np.argsort(counts)
        return Spectrum(counts[order], kmers[order])

    def totals(self) -> KmerTotals:
        """How much has been counted, on all PEs together.

        Collective; the result is the same on all PEs.

        Raises:
            WorldError: If a PE failed or left.
        """
        self._check_not_spoiled()
        here = [self._sequences, self._native.sent(), self._native.size()]
        return KmerTotals(*reduce(self._world, np.array(here, np.int64)).tolist())

    def lookup(self, kmers: Any) -> npt.NDArray[np.int64]:
        """How often each of some k-mers occurs, on whichever PE it was counted.

        Collective. Each PE asks for k-mers of its own, also none.

        Args:
            kmers: An array or list, of any shape, of words of k letters, or an array of their
                codes, see ``encode_kmers``. If the counter is canonical, either of the two words of
                a k-mer will do.

        Returns:
            The counts, in the shape of ``kmers``: 0 for what does not occur.

        Raises:
            ArgumentError: On all PEs, if what one of them gives cannot work.
            WorldError: If a PE failed or left.
        """
        self._check_not_spoiled()
        call = Call(self._world._pe, "KmerCounter.lookup")
        asked = np.empty(0, _dtype_of(self._k))
        with call.checks():
            asked = _codes_of(kmers, self._k)
        call.agree()
        if self._canonical:
            _native.make_kmers_canonical(self._k, raw(asked))
        here = asked.reshape(-1)
        shipment = Shipment(self._world._pe, owners_of(self._world, here, code_of(here.dtype)))
        arrived = shipment.move(here)
        counts = np.empty(len(arrived), np.int64)
        self._native.find(raw(arrived), raw(counts))
        return shipment.bring_back(counts).reshape(asked.shape)

    def _check_not_spoiled(self) -> None:
        if self._is_spoiled:
            raise ContractError(
                "counting has failed half-way, and nothing is known about what this KmerCounter "
                "has counted: make another one, and give it what can be read"
            )

    def _count_all(
        self,
        name: str,
        pieces: Generator[int, None, None],
        on_piece: Callable[[], None] = lambda: None,
    ) -> None:
        """Batch by batch, until no PE has anything left. Each piece hands on some letters, and is
        a number of sequences."""
        pe = self._world._pe
        self._is_spoiled = True
        with closing(pieces):
            while True:
                call = Call(pe, name)
                with call.checks():
                    while self._native.waiting() < _BATCH and (n := next(pieces, None)) is not None:
                        self._sequences += n
                        on_piece()
                if sum(call.agree(self._native.waiting())) == 0:
                    break
                self._native.count(pe)
        self._is_spoiled = False

    def _parse_lines(self, text: bytes) -> Generator[int, None, None]:
        parser = _native.SequenceParser("lines", True, False)
        for begin in range(0, len(text), _BATCH):
            before = parser.sequences()
            piece = array_of_text(text[begin : begin + _BATCH])
            problem = parser.parse(piece, self._native)
            if problem is not None:
                place, what = problem
                number = text.count(b"\n", 0, place)
                letter = place - (text.rfind(b"\n", 0, place) + 1)
                raise ArgumentError(f"letter {letter} of sequences[{number}]: {what}")
            yield parser.sequences() - before


def _checked_k(k: Any) -> int:
    if not isinstance(k, (int, np.integer)) or not 1 <= k <= _LONGEST:
        raise ArgumentError(
            f"k is {k}: give 1 to {_LONGEST}, as a k-mer is a number of two bits a base, and "
            "of no more than 256 bits"
        )
    return int(k)


def _dtype_of(k: int) -> np.dtype[Any]:
    """The dtype of codes."""
    if k <= _BASES_OF_WORD:
        return np.dtype(np.uint64)
    words = (k - 1) // _BASES_OF_WORD + 1
    return np.dtype([(f"word{number}", np.uint64) for number in range(words)])


def _lines_of(sequences: Any) -> bytes:
    """A line for each of them."""
    if isinstance(sequences, np.ndarray):
        sequences = array_of(sequences, "sequences")
    if isinstance(sequences, (str, bytes)) or (_is_array(sequences, "u") and sequences.ndim == 1):
        several = [sequences]
    else:
        several = sequences.reshape(-1).tolist() if _is_array(sequences, "SU") else list(sequences)
    if several and isinstance(several[0], str):
        text = "\n".join([*several, ""]).encode("latin-1", "replace")
    else:
        several = [_letters_of(each, number) for number, each in enumerate(several)]
        text = b"\n".join([*several, b""])
    if text.count(b"\n") > len(several):
        end_of_line = "\n" if isinstance(several[0], str) else b"\n"
        wrong = next(number for number, each in enumerate(several) if end_of_line in each)
        raise ArgumentError(f"sequences[{wrong}] has several lines: join these, or give a list")
    return text


def _letters_of(sequence: Any, number: int) -> bytes:
    if isinstance(sequence, bytes):
        return sequence
    if _is_array(sequence, "u") and sequence.dtype.itemsize == 1 and sequence.ndim == 1:
        return bytes(array_of(sequence, f"sequences[{number}]"))
    form = f"{sequence.dtype} array of shape {sequence.shape}" if _is_array(sequence) else sequence
    raise ArgumentError(
        f"sequences[{number}] is {form!r}: give str, bytes or one-dimensional arrays of dtype "
        "uint8, all of one kind"
    )


def _is_array(values: Any, kinds: str = "") -> bool:
    return isinstance(values, np.ndarray) and (kinds == "" or values.dtype.kind in kinds)


def _codes_of(kmers: Any, k: int) -> Codes:
    """The codes in an array of their own."""
    array = array_of(kmers, "kmers")
    if array.size == 0:
        return np.empty(array.shape, _dtype_of(k))
    if array.dtype.kind in "SU":
        return encode_kmers(array, k)
    if k > _BASES_OF_WORD:
        return _long_codes_of(native(array), k)
    codes = indices_of(array, "kmers")
    if k < _BASES_OF_WORD or codes.dtype.kind == "i":
        check_range(codes, min(4**k, 1 << 63), "kmers", f"codes of {k} bases are below 4**{k}")
    return codes.astype(np.uint64)


def _long_codes_of(array: Array, k: int) -> Codes:
    """The codes of more than one word in an array of their own."""
    if array.dtype != _dtype_of(k):
        raise ArgumentError(
            f"kmers has dtype {array.dtype}: give words of {k} letters, or codes of {k} bases as "
            f"encode_kmers makes them, of dtype {_dtype_of(k)}"
        )
    too_large = array["word0"] > np.uint64(4 ** ((k - 1) % _BASES_OF_WORD + 1) - 1)
    if too_large.any():
        wrong = int(np.argmax(too_large))
        raise ArgumentError(
            f"kmers{place_in(array, wrong)} is {array.reshape(-1)[wrong].item()}: codes of {k} "
            f"bases are below 4**{k}"
        )
    return np.array(array, order="C")


def encode_kmers(words: Any, k: int | None = None) -> Codes:
    """The codes of k-mers: numbers of two bits for each base, 0 to 3 for A, C, G and T, the first
    base highest.

    Local. A code is that of the word as it stands, and not of its reverse complement.

    Codes of up to 32 bases have dtype uint64. Codes of more are structures of 2, 3 or 4 fields of
    dtype uint64, ``word0``, ``word1`` and so on, the highest first. So each element is a k-mer,
    whatever k is, and can be a key of ``group_by_key`` and of ``DistributedMap``. ``numpy.sort``
    and ``numpy.unique`` put codes in the order of the alphabet. ``codes.view("u8").reshape(-1, 2)``
    has a row of plain numbers for each code of 33 to 64 bases.

    Args:
        words: Strings of k letters ACGT, of either case, or U, which counts as T: an array of dtype
            S or U, of any shape, or a list of ``str`` or ``bytes``.
        k: How many letters each has, 1 to 128; that of the first one, unless given.

    Returns:
        An array of the shape of ``words``.

    Raises:
        ArgumentError: If they are of another length, or have other letters.
    """
    array = array_of(words, "kmers")
    if array.size == 0:
        return np.empty(array.shape, _dtype_of(1 if k is None else _checked_k(k)))
    if array.dtype.kind not in "SU":
        raise ArgumentError(f"kmers has dtype {array.dtype}: give words of letters, or codes")
    lengths = np.char.str_len(array)
    k = _checked_k(lengths.flat[0] if k is None else k)
    if (lengths != k).any():
        wrong = int(np.argmax(lengths != k))
        word, length = array.reshape(-1)[wrong].item(), lengths.reshape(-1)[wrong]
        raise ArgumentError(
            f"kmers{place_in(array, wrong)} is {word!r}, of {length} letters: give words of {k}"
        )
    codes = np.empty(array.shape, _dtype_of(k))
    letters = np.char.encode(array, "ascii", "replace") if array.dtype.kind == "U" else array
    bad = _native.encode_kmers(raw(np.ascontiguousarray(letters, f"S{k}")), k, raw(codes))
    if bad is not None:
        word = array.reshape(-1)[bad].item()
        raise ArgumentError(
            f"kmers{place_in(array, bad)} is {word!r}: give words of the letters A, C, G and T or U"
        )
    return codes


def decode_kmers(kmers: Any, k: int) -> Array:
    """The words that k-mers are, from their codes; the inverse of ``encode_kmers``.

    Local.

    Args:
        kmers: An array of codes, of any shape; a list of integers will do if k is at most 32.
        k: How many letters they have, 1 to 128.

    Returns:
        An array of the same shape, of dtype ``S`` and k; of the letters A, C, G and T.

    Raises:
        ArgumentError: If there are no such codes.
    """
    k = _checked_k(k)
    codes = _codes_of(kmers, k)
    words = np.empty(codes.shape, f"S{k}")
    _native.decode_kmers(raw(codes), k, raw(words))
    return words
