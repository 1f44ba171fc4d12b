"""KmerCounter and codes of k-mers of one word to four: against counts by collections.Counter."""

from __future__ import annotations

import gzip

import boxcar
import numpy as np

from .kmers import (
    COMPLEMENT,
    canonical,
    counted,
    fasta,
    fastq,
    files,
    random_sequences,
    read_in_pieces,
    wanted,
)
from .support import must_refuse, of_all

LENGTHS = (1, 2, 31, 32, 33, 63, 64, 65, 96, 97, 127, 128)


def check_all_lengths(world):
    """Numbers of one word to four, full and not, on one strand and on both."""
    sequences = random_sequences(3, 60, 300)
    even = "ACGTTGCA" * 40
    palindromes = even + even[::-1].translate(COMPLEMENT)
    for k in LENGTHS:
        for is_canonical in (True, False):
            counter = boxcar.KmerCounter(world, k, canonical=is_canonical)
            counter.add([*sequences, palindromes] if world.rank == world.size - 1 else [])
            want = wanted([*sequences, palindromes], k, is_canonical)
            assert counted(world, counter) == want, (k, is_canonical)
            assert counter.share(2).counts.min(initial=2) >= 2
        other = [word[::-1].translate(COMPLEMENT) for word in list(want)[:50]]
        counter = boxcar.KmerCounter(world, k)
        counter.add(sequences + [palindromes])
        both = wanted([*sequences, palindromes], k)
        found = counter.lookup(np.array(other).reshape(1, -1) if other else [])
        assert found.reshape(-1).tolist() == [world.size * both[canonical(w)] for w in other], k


def check_files_of_long_kmers(world):
    """Files that are cut within a k-mer of four words, and gzip."""
    sequences = random_sequences(9, 12, 700)
    contents = {"a": fasta(sequences, 60), "b": fastq(sequences), "c": fasta(sequences)}
    contents["c"] = gzip.compress(contents["c"].encode())
    with files(world, contents) as paths:
        for k in (64, 65, 128):
            for piece in (50, 1 << 20):
                counter = boxcar.KmerCounter(world, k)
                with read_in_pieces(piece):
                    counter.count(paths)
                assert counted(world, counter) == wanted(3 * sequences, k), (k, piece)


def check_long_codes(world):
    """Structures, whose order is that of the alphabet, and which are keys."""
    random = np.random.default_rng(5)
    for k in (33, 64, 65, 96, 127, 128):
        letters = random.choice(np.frombuffer(b"ACGT", np.uint8), (40, k))
        words = np.sort(letters.view(f"S{k}").reshape(-1)).reshape(8, 5)
        codes = boxcar.encode_kmers(words)
        assert codes.shape == (8, 5) and codes.dtype.itemsize == 8 * -(-k // 32)
        assert (boxcar.decode_kmers(codes, k) == words).all()
        assert (np.sort(codes.reshape(-1)[::-1]) == codes.reshape(-1)).all()
        first = sum(
            int(base) << 2 * place for place, base in enumerate(bases_of(words[0, 0])[::-1])
        )
        parts = codes[0, 0].tolist()
        assert sum(part << 64 * place for place, part in enumerate(parts[::-1])) == first
        swapped = codes.astype(codes.dtype.newbyteorder(">"))
        assert (boxcar.decode_kmers(swapped, k) == words).all()
        keys, counts = world.value_counts(codes.reshape(-1))
        assert all(counts == world.size) and len(of_all(world, keys)) == 40
        counter = boxcar.KmerCounter(world, k, canonical=False)
        counter.add(words)
        assert set(counter.share().kmers.tolist()) == set(keys.tolist())  # on the same PEs
        assert (counter.lookup(codes) == world.size).all()
    assert boxcar.decode_kmers([], 40).dtype == "S40" and len(boxcar.encode_kmers([], 40)) == 0
    codes = boxcar.encode_kmers(["A" * 33])
    must_refuse(world, lambda: boxcar.decode_kmers([5], 33), "int64", "words of 33", "word0")
    must_refuse(world, lambda: boxcar.decode_kmers(codes, 65), "codes of 65 bases")
    codes["word0"] = 4
    must_refuse(world, lambda: boxcar.decode_kmers(codes, 33), "kmers[0] is (4, 0)", "4**33")


def bases_of(word: bytes) -> list[int]:
    return [b"ACGT".index(letter) for letter in word]
