"""KmerCounter.dump: against what the PEs have counted."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

import boxcar
from boxcar import kmer_dumps

from .kmers import files, random_sequences, wanted
from .support import all_are, must_refuse, of_all


def lines_of_dump(path: str, form: str) -> list[tuple[str, int]]:
    lines = Path(path).read_text().splitlines()
    if form == "columns":
        pairs = [line.split(" ") for line in lines]
        return [(kmer, int(count)) for kmer, count in pairs]
    assert all(line[0] == ">" for line in lines[::2])
    return [(kmer, int(count[1:])) for count, kmer in zip(lines[::2], lines[1::2])]


def check_dumps(world):
    """In both forms, of counts with one digit and with several, also over a former file."""
    sequences = ["A" * 200, "C" * 140] + random_sequences(8, 30, 200)
    with files(world, {"former": "nothing\n" * 10_000}) as (former,):
        for k in (1, 5, 33, 128):
            counter = boxcar.KmerCounter(world, k)
            counter.add(sequences if world.rank == 0 else [])
            for form in ("columns", "fasta"):
                for min_count in (1, 2, 1000):
                    counter.dump(Path(former), form, min_count)
                    kmers, counts = counter.share(min_count)
                    words = of_all(world, boxcar.decode_kmers(kmers, k)).astype(str).tolist()
                    pairs = list(zip(words, of_all(world, counts).tolist()))
                    assert all_are(world, lines_of_dump(former, form) == pairs), (k, form)
                    world.barrier()
        counter.dump(former)
        counts = dict(lines_of_dump(former, "columns"))
        assert all_are(world, counts == dict(wanted(sequences, 128)))
        world.barrier()
        empty = boxcar.KmerCounter(world, 40)
        empty.dump(former, "fasta")
        assert all_are(world, Path(former).read_text() == "")


def check_dumps_that_cannot_be_written(world):
    last = world.rank == world.size - 1
    counter = boxcar.KmerCounter(world, 3)
    counter.add(["ACGTTG" * 3])
    with files(world, {"here": "as it was"}) as (here,):
        folder = str(Path(here).parent)
        missing = str(Path(folder) / "not there" / "dump")
        must_refuse(world, lambda: counter.dump(missing), "not there", "No such file", "all PEs")
        must_refuse(world, lambda: counter.dump(folder), "no regular file")
        must_refuse(world, lambda: counter.dump("/dev/null"), "no regular file")
        must_refuse(world, lambda: counter.dump(here, "csv" if last else "fasta"), "csv", "columns")
        must_refuse(world, lambda: counter.dump(here, min_count="2"), "min_count", "whole number")
        if world.size > 1:
            must_refuse(world, lambda: counter.dump(here + "2" * last), "disagree", "path")
            must_refuse(
                world, lambda: counter.dump(here, "fasta", 1 + last), "disagree", "min_count"
            )
            with refused_writes(last):
                must_refuse(world, lambda: counter.dump(here), "No space left", "all PEs")
        assert all_are(world, Path(here).read_text() == "as it was")
        assert all_are(world, sorted(os.listdir(folder)) == ["here"])


@contextlib.contextmanager
def refused_writes(is_refused: bool):
    """As on a PE whose disk is full."""
    before = kmer_dumps._write_lines

    def refuse(*_):
        raise OSError(28, "No space left on device")

    try:
        if is_refused:
            kmer_dumps._write_lines = refuse
        yield
    finally:
        kmer_dumps._write_lines = before
