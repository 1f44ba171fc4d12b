"""Targets of the functions on arrays in Python, and of the memory that a reduction takes."""

import shlex

from measurement_error import MeasurementError, NotMeasured
from part import Part
from runner import FOLDER
from target import Target

PROGRAMS = FOLDER.parent / "python"
MIB = 1 << 20
KEY_TYPES = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float32",
             "float64"]
# (job of compare.py, what is compared, what with, the ratio that is wanted)
SORTS = [(f"sort_{key}", f"sort of {key} in Python", other, wanted)
         for key in KEY_TYPES for other, wanted in [("numpy alone", 1.6), ("mpi4py", 1.3)]]
TABLES = [("sort_by_key", "sort_by_key in Python", "numpy alone", 2),
          ("group_by_key", "group_by_key, sums, in Python", "pandas alone", 3),
          ("group_by_key", "group_by_key, sums, in Python", "polars alone", 1),
          ("join", "join in Python", "pandas alone", 2),
          ("join", "join in Python", "polars alone", 0.8)]
NAMES = {"numpy alone": "NumPy on one process", "mpi4py": "a sample sort by mpi4py",
         "pandas alone": "pandas", "polars alone": "polars with 2 threads"}


def parts(_):
    return [compared("python_sort", SORTS), compared("python_tables", TABLES), reduction_memory()]


def _launcher(run):
    """The first launcher of MPI, as mpi4py needs one; else Boxcar's own."""
    return shlex.split(run.launchers[0]) if run.launchers else [run.boxcar, "run", "-n", "2", "--"]


def compared(name, rows):
    """Ratios of times, by jobs of compare.py, in which all contenders take turns."""
    def measure(run):
        words = [*_launcher(run), run.interpreter(), str(PROGRAMS / "compare.py")]
        sizes = ["--items", str(run.choose(10_000_000, 2000)), "--rounds", str(run.choose(5, 1))]
        return run.json_of([*words, *sizes, *dict.fromkeys(job for job, *_ in rows)])

    def ratio(figures, job, other):
        seconds = figures["seconds"][job]
        if other not in seconds:
            reason = figures["missing"].get(other.removesuffix(" alone"))
            if reason is None:
                raise MeasurementError(f"compare.py has not measured {other}")
            raise NotMeasured(reason)
        return seconds[other] / seconds["boxcar"]

    return Part(name, measure, [
        Target(f"{what} against {NAMES[other]}", wanted, "x",
               lambda f, job=job, other=other: ratio(f, job, other))
        for job, what, other, wanted in rows])


def reduction_memory():
    def measure(run):
        words = [run.boxcar, "run", "-n", "2", "--", run.interpreter(),
                 str(PROGRAMS / "reduction_memory.py")]
        if not run.quick and not run.large:
            raise NotMeasured("give --large, if there are 24 GiB of free memory")
        return run.json_of([*words, "--bytes", str(run.choose(2048 * MIB, 16 * MIB))])

    return Part("reduction_memory", measure,
                [Target("all_reduce_async of 2 GiB in Python, memory beyond input and output", 64,
                        "MiB", lambda f: f["beyond_bytes"] / MIB, at_most=True)])
