"""Reads of a genome as a sequencer would give them: pieces of both strands, with wrong bases.

    python bench/python/simulate_reads.py GENOME OUT [--coverage X] [--length N] [--errors P]

GENOME is a FASTA file, plain or gzip, of which the letters ACGT are taken as one circle; OUT
becomes a FASTQ file, compressed if it ends in .gz. The same seed gives the same reads.
"""

from __future__ import annotations

import argparse
import gzip
from pathlib import Path

import numpy as np

LETTERS = np.frombuffer(b"ACGT", np.uint8)
READS_AT_ONCE = 100_000


def bases_of(path: Path) -> np.ndarray:
    """The letters of a FASTA file as 0 to 3."""
    data = path.read_bytes()
    text = gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data
    sequence = b"".join(line for line in text.splitlines() if not line.startswith(b">"))
    code = np.full(256, 4, np.uint8)
    code[LETTERS] = range(4)
    code[np.frombuffer(b"acgt", np.uint8)] = range(4)
    bases = code[np.frombuffer(sequence, np.uint8)]
    return bases[bases < 4]


def reads_of(
    genome: np.ndarray, count: int, length: int, errors: float, random: np.random.Generator
) -> np.ndarray:
    """Rows of bases."""
    starts = random.integers(0, len(genome), count)
    circle = np.concatenate([genome, genome[:length]])
    reads = np.lib.stride_tricks.sliding_window_view(circle, length)[starts]
    other_strand = random.random(count) < 0.5
    reads[other_strand] = 3 - reads[other_strand, ::-1]
    wrong = random.random(reads.shape) < errors
    reads[wrong] = (reads[wrong] + random.integers(1, 4, wrong.sum())) % 4
    return reads


def fastq_of(reads: np.ndarray, first: int, random: np.random.Generator) -> bytes:
    """The text of reads that are numbered from `first` on. Qualities mean nothing."""
    count, length = reads.shape
    numbers = np.char.zfill(np.arange(first, first + count).astype("S9"), 9)
    names = np.char.add(b"@read", numbers)
    columns = [
        names.view(np.uint8).reshape(count, -1),
        LETTERS[reads],
        np.full((count, 1), ord("+"), np.uint8),
        random.integers(ord("5"), ord("J"), (count, length), np.uint8),
    ]
    line_end = np.full((count, 1), ord("\n"), np.uint8)
    return np.hstack([part for column in columns for part in (column, line_end)]).tobytes()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("genome", type=Path, metavar="GENOME")
    parser.add_argument("out", type=Path, metavar="OUT")
    parser.add_argument("--coverage", type=float, default=30)
    parser.add_argument("--length", type=int, default=150, help="of a read")
    parser.add_argument("--errors", type=float, default=0.01, help="how many bases are wrong")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()

    genome = bases_of(options.genome)
    random = np.random.default_rng(options.seed)
    count = int(options.coverage * len(genome) / options.length)
    is_gzip = options.out.suffix == ".gz"
    with gzip.open(options.out, "wb", 6) if is_gzip else open(options.out, "wb") as out:
        for first in range(0, count, READS_AT_ONCE):
            at_once = min(READS_AT_ONCE, count - first)
            reads = reads_of(genome, at_once, options.length, options.errors, random)
            out.write(fastq_of(reads, first, random))


if __name__ == "__main__":
    main()
