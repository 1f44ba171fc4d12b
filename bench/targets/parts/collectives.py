"""Targets of collectives against MPI's: how long each takes, and what computing does not hide."""

import statistics

from measurement_error import NotMeasured
from part import Part
from parts.launchers import for_launchers
from report import rate
from target import Target

OTHERS = ["broadcast", "reduce", "all_reduce", "scatter", "gather", "all_gather", "all_to_all",
          "reduce_scatter", "scan", "exclusive_scan"]
SIZES = [8, 4 << 10, 64 << 10, 256 << 10, 1 << 20]
CELLS = [("barrier", 8)] + [(name, size) for name in OTHERS for size in SIZES]
OVERLAPPED = [(name, size) for name in ["broadcast", "all_reduce", "all_gather", "all_to_all"]
              for size in [64 << 10, 1 << 20]]


def parts(runner):
    return [*for_launchers(runner, collectives), *for_launchers(runner, overlap)]


def text_of_size(size):
    if size < 1 << 10:
        return f"{size} B"
    return f"{size >> 10} KiB" if size < 1 << 20 else f"{size >> 20} MiB"


def _name_of_cell(cell):
    name, size = cell
    return name if name == "barrier" else f"{name} of {text_of_size(size)}"


def collectives(launcher, launcher_name):
    """How many times as fast as the fastest form of MPI, in every cell of the table."""
    def measure(run):
        forms = run.choose("blocking,nonblocking,persistent", "nonblocking")
        of_blocks = run.bench(
            f"collectives --class {','.join(OTHERS)} --item-bytes {','.join(map(str, SIZES))} "
            f"--variants chosen --baselines {forms}", launcher, quick_items=1)
        barrier = run.bench(f"collectives --class barrier --variants chosen --baselines {forms}",
                            launcher, quick_items=1)
        return {"barrier": barrier, **dict.fromkeys(OTHERS, of_blocks)}

    def lead(reports, cell):
        name, size = cell
        setting = {"class": name} if name == "barrier" else {"class": name, "item_bytes": size}
        report = reports[name]
        return rate(report.find("automatic", **setting)) / max(
            rate(baseline) for baseline in report.baselines(**setting))

    return Part("collectives", measure, [
        Target(f"{_name_of_cell(cell)} against MPI's fastest, {launcher_name}", 1, "x",
               lambda r, cell=cell: lead(r, cell)) for cell in CELLS
    ] + [Target(f"collectives against MPI's fastest, mean of all cells, {launcher_name}", 2, "x",
                lambda r: statistics.fmean(lead(r, cell) for cell in CELLS))])


def overlap(launcher, launcher_name):
    """What a collective adds to a computation, relative to the least that MPI's adds."""
    def measure(run):
        classes = ",".join(dict.fromkeys(name for name, _ in OVERLAPPED))
        sizes = ",".join(dict.fromkeys(str(size) for _, size in OVERLAPPED))
        forms = run.choose("nonblocking,persistent", "nonblocking")
        return run.bench(f"overlap --class {classes} --item-bytes {sizes} --baselines {forms}",
                         launcher, rounds=9, quick_items=1)

    def rest(report, cell):
        setting = {"class": cell[0], "item_bytes": cell[1]}
        ours = report.find("automatic", **setting)["run"]["rest_seconds"]
        least = min(c["run"]["rest_seconds"] for c in report.baselines(**setting))
        if ours <= 0:
            return 0.0  # everything is hidden
        if least <= 0:
            raise NotMeasured("MPI's collective takes no time beside the computation, by chance: "
                              "repeat")
        return ours / least

    return Part("overlap", measure, [
        Target(f"overlap, rest of {_name_of_cell(cell)} against MPI's, {launcher_name}", 0.5, "x",
               lambda r, cell=cell: rest(r, cell), at_most=True) for cell in OVERLAPPED])
