"""KmerCounter, encode_kmers, decode_kmers: against counts by collections.Counter."""

from __future__ import annotations

import contextlib
import gzip
import os
import tempfile
from collections import Counter
from pathlib import Path

import boxcar
import numpy as np
from boxcar import kmers, sequence_files
from hypothesis import given
from hypothesis import strategies as st

from .random import FEW
from .support import all_are, error_of, must_refuse, of_all, same

COMPLEMENT = str.maketrans("ACGT", "TGCA")


def canonical(word: str) -> str:
    return min(word, word[::-1].translate(COMPLEMENT))


def wanted(sequences, k: int, is_canonical: bool = True) -> Counter:
    words = Counter()
    for sequence in sequences:
        upper = sequence.upper().replace("U", "T")
        for i in range(len(upper) - k + 1):
            word = upper[i : i + k]
            if set(word) <= set("ACGT"):
                words[canonical(word) if is_canonical else word] += 1
    return words


def counted(world, counter: boxcar.KmerCounter) -> Counter:
    """The counts of all PEs, after a check that the counter's figures agree."""
    codes, counts = counter.share()
    here = boxcar.decode_kmers(codes, counter.k)
    assert (here[1:] > here[:-1]).all() and (counts > 0).all()
    words = boxcar.decode_kmers(of_all(world, codes), counter.k)
    of_each = of_all(world, counts)
    result = Counter(dict(zip((word.decode() for word in words), of_each.tolist())))
    assert len(result) == len(words)
    spectrum = counter.spectrum()
    many = Counter(of_each.tolist())
    assert dict(zip(spectrum.counts.tolist(), spectrum.kmers.tolist())) == many
    totals = counter.totals()
    assert (totals.kmers, totals.distinct) == (of_each.sum(), len(words))
    assert len(words) == 0 or (counter.lookup(words) == of_each).all()
    return result


@contextlib.contextmanager
def files(world, contents: dict[str, str | bytes]):
    """Their paths, on all PEs."""
    with contextlib.ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory()) if world.rank == 0 else ""
        folder = Path(world.broadcast(folder))
        if world.rank == 0:
            for name, content in contents.items():
                data = content.encode() if isinstance(content, str) else content
                (folder / name).write_bytes(data)
        world.barrier()
        yield [str(folder / name) for name in contents]
        world.barrier()


def count_of(world, contents, k: int, is_canonical: bool = True):
    counter = boxcar.KmerCounter(world, k, canonical=is_canonical)
    with files(world, contents) as paths:
        counter.count(paths)
    return counter


def random_sequences(seed: int, count: int, length: int, letters: str = "ACGT") -> list[str]:
    """Pieces of one short genome, so that k-mers come again; the same on all PEs."""
    random = np.random.default_rng(seed)
    genome = "".join(random.choice(list(letters), max(length, 2) * 2))
    starts = random.integers(0, len(genome), count)
    return [genome[i : i + random.integers(0, length + 1)] for i in starts]


def fasta(sequences, width: int = 1 << 30, end: str = "\n") -> str:
    lines = []
    for number, sequence in enumerate(sequences):
        lines.append(f">sequence {number} ACGTACGTACGTACGT")
        lines += [sequence[i : i + width] for i in range(0, len(sequence), width)]
    return "".join(line + end for line in lines)


def fastq(sequences, end: str = "\n") -> str:
    """FASTQ with qualities that look like all possible beginnings of lines."""
    records = []
    for number, sequence in enumerate(sequences):
        quality = ("@+>A\x7e" * len(sequence))[number % 4 :][: len(sequence)]
        again = f"read {number}" if number % 2 else ""
        records += [f"@read {number}", sequence, f"+{again}", quality]
    return "".join(line + end for line in records)


def check_formats(world):
    sequences = ["ACGTNACGTTGCA", "", "acgtacgtnnnnACGGT", "AC", *random_sequences(1, 40, 90)]
    many_members = fastq(sequences).encode()
    half = len(many_members) // 2
    contents = {
        "one line": fasta(sequences),
        "short lines": fasta(sequences, 7),
        "lines of one": fasta(sequences, 1),
        "CR LF": fasta(sequences, 60, "\r\n"),
        "CR": fasta(sequences, 60, "\r"),
        "fastq, CR": fastq(sequences, "\r"),
        "CR.gz": gzip.compress(fasta(sequences, 60, "\r").encode()),
        "CR behind LF": fasta(sequences[:4], 9) + fasta(sequences[4:], 9, "\r"),
        "no end of line": fasta([*sequences, "ACGTTACC"])[:-1],
        "blank lines": "\n\n" + fasta(sequences, 10, "\n\n") + "\n",
        "fastq": fastq(sequences),
        "fastq, CR LF": fastq(sequences, "\r\n"),
        "fastq, no end of line": fastq(sequences)[:-1],
        "fastq, ends with an empty read": fastq([*sequences, ""])[:-1],
        "fastq, blank lines at the end": "\n" + fastq(sequences) + "\n\r\n\n",
        "fasta.gz": gzip.compress(fasta(sequences, 60).encode()),
        "fastq.gz": gzip.compress(many_members),
        "members": gzip.compress(many_members[:half]) + gzip.compress(many_members[half:]),
        "padding": gzip.compress(many_members) + bytes(1000),
    }
    for number, (name, content) in enumerate(contents.items()):
        k = (1, 4, 11, 31, 32)[number % 5]
        counter = count_of(world, {name: content}, k)
        extra = ["ACGTTACC"] if name == "no end of line" else []
        assert counted(world, counter) == wanted(sequences + extra, k), (name, k)
        more = bool(extra) or name == "fastq, ends with an empty read"
        assert counter.totals().sequences == len(sequences) + more, (name, k)


def check_rna(world):
    """U counts as T, also beside T in one file and in one word."""
    dna = random_sequences(21, 20, 80) + ["acgtTTAC"]
    rna = [sequence.replace("T", "U").replace("t", "u") for sequence in dna]
    mixed = [sequence.replace("GT", "GU") for sequence in dna]
    for k in (3, 40):
        contents = {"rna": fasta(rna, 30), "mixed": fastq(mixed)}
        counter = count_of(world, contents, k)
        counter.add(rna if world.rank == 0 else [])
        assert counted(world, counter) == wanted(3 * dna, k), k
    assert boxcar.encode_kmers(["ACGU", "uuuu"]).tolist() == [27, 255]
    assert boxcar.decode_kmers(boxcar.encode_kmers(["acgu" * 10]), 40)[0] == b"ACGT" * 10
    counter = boxcar.KmerCounter(world, 4)
    counter.add(["ACGUU"])
    assert counter.lookup(["ACGT", "acgu", "AACG"]).tolist() == [world.size] * 2 + [world.size]


def check_nothing(world):
    for content in ["", "\n \n", ">", ">a\n", ">a\n>b\n\n", "@a\n\n+\n\n", "@a\nACG\n+\nIII"]:
        for data in (content.encode(), gzip.compress(content.encode())):
            counter = count_of(world, {"file": data}, 4)
            assert counted(world, counter) == {} and counter.share().kmers.dtype == np.uint64
    counter = boxcar.KmerCounter(world, 5)
    counter.count([])
    counter.add([])
    assert counted(world, counter) == {}
    assert counter.spectrum().kmers.tolist() == [] and counter.totals() == (0, 0, 0)


def check_not_canonical(world):
    sequences = random_sequences(2, 30, 80)
    for k in (3, 32):
        counter = count_of(world, {"a": fasta(sequences)}, k, is_canonical=False)
        assert counted(world, counter) == wanted(sequences, k, is_canonical=False)
    highest = boxcar.KmerCounter(world, 32, canonical=False)
    highest.add("T" * 32)
    assert counted(world, highest) == {"T" * 32: world.size}


def check_many_files(world):
    sequences = random_sequences(3, 60, 100)
    contents = {}
    for number in range(12):
        part = sequences[number * 5 : number * 5 + 5]
        text = (fasta(part, 60) if number % 2 else fastq(part)).encode()
        contents[str(number)] = gzip.compress(text) if number % 3 == 0 else text
    counter = boxcar.KmerCounter(world, 9)
    with files(world, contents) as paths:
        counter.count(paths)
        assert counted(world, counter) == wanted(sequences, 9)
        counter.count(paths[0])
        counter.count([Path(paths[1]), paths[1]])
        assert counted(world, counter) == wanted(sequences + sequences[:5] + 2 * sequences[5:10], 9)


def check_add(world):
    mine = random_sequences(world.rank, 20 * world.rank, 50, "ACGTN")  # PE 0 has none
    everything = [each for part in world.all_gather(mine) for each in part]
    forms = [
        mine,
        [each.encode() for each in mine],
        [np.frombuffer(each.encode(), np.uint8) for each in mine],
        np.array(mine, "U50"),
        np.array(mine, "S50"),
        iter(mine),
        [*mine, ""],
    ]
    for form in forms:
        counter = boxcar.KmerCounter(world, 6)
        counter.add(form)
        assert counted(world, counter) == wanted(everything, 6)
        more = world.size if form is forms[-1] else 0  # the empty sequence of each PE
        assert counter.totals().sequences == len(everything) + more
    counter = boxcar.KmerCounter(world, 3)
    for one in ("ACGTT", b"ACGTT", np.frombuffer(b"ACGTT", np.uint8)):
        counter.add(one)
    counter.add(np.frombuffer(b"ACGTTCCCCC", np.uint8).reshape(2, 5))
    assert counted(world, counter) == wanted(["ACGTT"] * 4 * world.size + ["CCCCC"] * world.size, 3)


def check_tables_that_grow(world):
    sequences = random_sequences(11, 4, 10_000)  # of which a table has room for 768 k-mers at first
    counter = boxcar.KmerCounter(world, 8)
    for one in [*sequences, *sequences[:2]]:
        counter.add(one if world.rank == world.size - 1 else [])
    assert counted(world, counter) == wanted(sequences + sequences[:2], 8)


def check_lookup_and_min_count(world):
    counter = boxcar.KmerCounter(world, 5)
    counter.add(["AAAAACCCCC", "AAAAA"] if world.rank == world.size - 1 else [])
    asked = [["AAAAA", "ttttt"], ["GGGGG", "CATCA"]]
    for form in (asked, np.array(asked, "S5"), boxcar.encode_kmers(asked)):
        assert counter.lookup(form).tolist() == [[2, 2], [1, 0]]
    codes = boxcar.encode_kmers(asked)
    for form in (codes.T.copy().T, codes.astype(">u8"), codes.astype(np.int16)):
        assert counter.lookup(form).tolist() == [[2, 2], [1, 0]]
    assert counter.lookup(["AAAAA"] if world.rank == 0 else []).tolist() == [2] * (world.rank == 0)
    assert boxcar.decode_kmers(of_all(world, counter.share(2).kmers), 5).tolist() == [b"AAAAA"]
    assert len(of_all(world, counter.share(min_count=3).kmers)) == 0
    assert len(of_all(world, counter.share(min_count=10**30).kmers)) == 0
    for wrong in (2.5, "2", True):
        assert f"min_count is {wrong!r}" in error_of(lambda wrong=wrong: counter.share(wrong))
    one_strand = boxcar.KmerCounter(world, 5, canonical=False)
    one_strand.add(["AAAAA"])
    assert one_strand.lookup(["AAAAA", "TTTTT"]).tolist() == [world.size, 0]


def check_parts_and_two_at_once(world):
    sequences = random_sequences(5, 30, 60)
    with files(world, {"a": fastq(sequences)}) as paths, world.split(world.rank % 2) as part:
        counter = boxcar.KmerCounter(part, 7)
        of_all_pes = boxcar.KmerCounter(world, 8)
        counter.count(paths)
        of_all_pes.count(paths)
        counter.count(paths)
        assert counted(part, counter) == wanted(2 * sequences, 7)
        assert counted(world, of_all_pes) == wanted(sequences, 8)


def check_codes(world):
    words = ["ACGT", "acgt", "AAAA", "TTTT", "CATG"]
    assert boxcar.encode_kmers(words).tolist() == [27, 27, 0, 255, 78]
    assert boxcar.decode_kmers([27, 0, 255], 4).tolist() == [b"ACGT", b"AAAA", b"TTTT"]
    longest = np.array([["T" * 32], ["G" + "A" * 31]])
    codes = boxcar.encode_kmers(longest)
    assert codes.shape == (2, 1) and codes[0, 0] == 2**64 - 1
    assert (boxcar.decode_kmers(codes, 32).astype("U32") == longest).all()
    assert boxcar.decode_kmers([], 4).dtype == "S4" and len(boxcar.encode_kmers([])) == 0
    must_refuse(world, lambda: boxcar.encode_kmers(["ACGT", "ACG"]), "ACG", "3 letters", "of 4")
    must_refuse(world, lambda: boxcar.encode_kmers(["ACGN"]), "ACGN", "A, C, G and T")
    must_refuse(world, lambda: boxcar.encode_kmers(["ACG\xe9"]), "A, C, G and T")
    must_refuse(world, lambda: boxcar.encode_kmers(["A" * 129]), "k is 129", "1 to 128")
    must_refuse(world, lambda: boxcar.encode_kmers([1.5]), "float64")
    must_refuse(world, lambda: boxcar.decode_kmers([256], 4), "256", "4**4")
    must_refuse(world, lambda: boxcar.decode_kmers([-1], 32), "-1")


@contextlib.contextmanager
def read_in_pieces(of: int):
    """Reads pieces of ``of`` bytes, as if files were far larger."""
    before = sequence_files._PIECE, sequence_files._COMPRESSED_PIECE, kmers._BATCH
    sequence_files._PIECE = sequence_files._COMPRESSED_PIECE = of
    kmers._BATCH = 3 * of
    try:
        yield
    finally:
        sequence_files._PIECE, sequence_files._COMPRESSED_PIECE, kmers._BATCH = before


def check_random_files(world):
    """In all forms, cut anywhere: among the PEs, and while they are read."""

    @FEW
    @given(
        st.lists(st.text("ACGTacgtN", max_size=40), max_size=12),
        st.one_of(st.integers(1, 32), st.integers(33, 128)),
        st.integers(0, 9),
        st.sampled_from(["\n", "\r\n", "\r"]),
        st.integers(1, 100),
    )
    def check(sequences, k, width, end, piece):
        counter = boxcar.KmerCounter(world, k)
        text = fasta(sequences, width, end) if width else fastq(sequences, end)
        compressed = gzip.compress(text[:99].encode()) + gzip.compress(text[99:].encode())
        with files(world, {"a": text, "b": compressed}) as paths, read_in_pieces(piece):
            counter.count(paths)
            counter.add(sequences if world.rank == 0 else [])
        assert all_are(world, counted(world, counter) == wanted(3 * sequences, k))

    check()


def check_long_records(world):
    """Records longer than the search for their beginning."""
    random = np.random.default_rng(4)
    long = random.choice(np.frombuffer(b"ACGT", np.uint8), 30_000).tobytes().decode()
    once = boxcar.KmerCounter(world, 21)
    once.add(long if world.rank == 0 else [])
    for text in (
        fasta([long]),
        fasta([long], 70),
        fastq([long]),
        fasta([long[:20_000], long[20_000 - 20 :]]),
    ):
        counter = count_of(world, {"file": text}, 21)
        assert all_are(world, all(same(a, b) for a, b in zip(counter.share(), once.share())))


def _must_refuse_file(world, content: str | bytes, *words: str):
    counter = boxcar.KmerCounter(world, 3)
    with files(world, {"bad file": content}) as paths:
        must_refuse(world, lambda: counter.count(paths), "bad file", *words)


def check_files_that_cannot_be_read(world):
    good = fastq(random_sequences(6, 200, 30))
    _must_refuse_file(world, "ACGT\n", "neither FASTA nor FASTQ", "b'A'")
    _must_refuse_file(world, gzip.compress(b"ACGT"), "neither FASTA nor FASTQ")
    _must_refuse_file(world, ">a\nACGT\nAC\x01T\n", "line 3", "byte 0x01")
    _must_refuse_file(world, ">a\nAC>T\n", "line 2", "'>'")
    _must_refuse_file(world, ">a\rACGT\rAC\x01T\r", "line 3", "byte 0x01")
    _must_refuse_file(world, fasta(["ACGT"] * 300) + ">x\nAC!\n", "line 602", "'!'")
    for pack in (lambda text: text, lambda text: gzip.compress(text.encode())):
        end = good.count("\n")
        bad_quality = good + "@x\nACGT\n+\nIII\n" + good
        _must_refuse_file(world, pack(bad_quality), f"line {end + 4}", "3 letters", "sequence 4")
        _must_refuse_file(world, pack(good + "@x\nACGT\n+\nII"), f"line {end + 4}", "2 letters")
        _must_refuse_file(world, pack(good + "@x\nACGT\n"), f"line {end + 2}", "within a record")
        _must_refuse_file(world, pack("@x\nACGT\nACGT\n+\nIIII\n"), "line 3", "seqtk")
        _must_refuse_file(world, pack(good + "x\nACGT\n+\nIIII\n"), f"line {end + 1}", "'@'")
        _must_refuse_file(world, pack(good + "@x\nAC T\n+\nIIII\n"), f"line {end + 2}", "0x20")
    compressed = gzip.compress(good.encode())
    _must_refuse_file(world, compressed[:-20], "cut off", f"{len(compressed) - 20} bytes")
    _must_refuse_file(world, compressed[:-6] + b"xxxxxx", "damaged", "gzip -t")
    _must_refuse_file(world, compressed + b"more", "damaged")
    with files(world, {"here": good}) as paths:
        counter = boxcar.KmerCounter(world, 3)
        must_refuse(world, lambda: counter.count([*paths, "not there"]), "not there", "No such")
        must_refuse(world, lambda: counter.count(str(Path(paths[0]).parent)), "directory")
        last = world.rank == world.size - 1
        must_refuse(world, lambda: counter.count("not here" if last else paths), "not here")
        if world.size > 1:
            must_refuse(world, lambda: counter.count(paths[0] if last else []), "disagree", "files")
        counter.count(os.fsencode(paths[0]))  # nothing had been counted
        assert counter.totals().sequences == 200


def check_what_is_no_regular_file(world):
    """Pipes have no size, so that the PEs would share out nothing."""
    with files(world, {"here": ">a\nACGT\n"}) as paths:
        fifo = str(Path(paths[0]).with_name("fifo"))
        if world.rank == 0:
            os.mkfifo(fifo)
        world.barrier()
        read, write = os.pipe()
        counter = boxcar.KmerCounter(world, 3)
        for path in [fifo, "/dev/null", f"/proc/self/fd/{read}"]:
            wrong = [*paths, path if world.rank == world.size - 1 else paths[0]]
            must_refuse(world, lambda: counter.count(wrong), "no regular file", "pipes", "add()")
        os.close(read)
        os.close(write)
        counter.count(paths)
        assert counter.totals().sequences == 1


def check_what_cannot_be_counted(world):
    last = world.rank == world.size - 1
    for k in (0, -1, 129, 1 << 40):
        must_refuse(world, lambda: boxcar.KmerCounter(world, k), f"k is {k}", "1 to 128")
    must_refuse(world, lambda: boxcar.KmerCounter(world, 129 if last else 5), "k is 129")
    must_refuse(world, lambda: boxcar.KmerCounter(world, "many"), "many")
    if world.size > 1:
        must_refuse(world, lambda: boxcar.KmerCounter(world, 5 + last), "disagree on the k")
    counter = boxcar.KmerCounter(world, 5)
    must_refuse(world, lambda: counter.add(["AC\nGT"] if last else []), "sequences[0]", "lines")
    must_refuse(world, lambda: counter.add([b"ACGT", b"AC\nGT"]), "sequences[1]", "lines")
    must_refuse(world, lambda: counter.add([np.zeros(3)]), "sequences[0]", "uint8")
    must_refuse(world, lambda: counter.add(["ACGT", b"ACGT"]), "str")
    must_refuse(world, lambda: counter.add(3), "int")
    must_refuse(world, lambda: counter.lookup(["ACGT"] if last else []), "4 letters", "words of 5")
    must_refuse(world, lambda: counter.lookup([4**5]), "kmers[0]", "below 4**5")
    counter.add(["ACGTA"])
    assert counter.totals().kmers == world.size
    must_refuse(world, lambda: counter.add(["ACGTA", "AC?GT"] if last else []), "letter 2", "'?'")
    for use in (counter.totals, counter.share, counter.spectrum, lambda: counter.add([])):
        try:
            use()
            raise AssertionError("a counter that has failed was used")
        except boxcar.ContractError as error:
            assert "make another one" in str(error)
