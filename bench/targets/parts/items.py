"""Targets of items that travel by conveyors and `exchange`: rates, sizes, many PEs."""

from part import Part
from parts.launchers import for_launchers
from report import byte_rate, rate, total_rate
from target import Target, median_of

MILLION = 1e6
SUBSTRATES = ["threads", "processes"]


def parts(runner):
    return [histogram(), one_pe(), gather(), *many_pes(), *item_sizes(), many_links(), copying(),
            *for_launchers(runner, against_alltoallv)]


def histogram():
    targets = []
    for s in SUBSTRATES:
        targets += [
            Target(f"histogram, 2 {s}, items a second and PE", 195, "M",
                   lambda r, s=s: rate(r.find("conveyor", substrate=s)) / MILLION),
            Target(f"histogram, 2 {s}, part of the limit", 55, "%",
                   lambda r, s=s: 100 * r.find("conveyor", substrate=s)["share_of_limit"]),
            Target(f"histogram, 2 {s}, exchange against the loop", 90, "%",
                   lambda r, s=s: 100 * rate(r.find("exchange", substrate=s)) /
                   rate(r.find("conveyor", substrate=s)))]
    return Part("histogram", lambda run: run.bench(
        "histogram --pes 2 --substrate threads,processes --baselines limit", rounds=9), targets)


def one_pe():
    return Part("one_pe", lambda run: run.bench("histogram --pes 1 --baselines none", rounds=9),
                [Target("histogram, 1 PE, items a second", 330, "M",
                        lambda r: rate(r.find("conveyor")) / MILLION)])


def gather():
    return Part(
        "gather",
        lambda run: run.bench("indexgather --pes 2 --substrate threads,processes --baselines none",
                              rounds=9),
        [Target(f"index-gather, 2 {s}, {name}, items a second and PE", 110, "M",
                lambda r, s=s, name=name: rate(r.find(name, substrate=s)) / MILLION)
         for s in SUBSTRATES for name in ["biconveyor", "exchange"]])


def many_pes():
    """With more PEs than cores. Tables of as many bytes in all show what of it is due to tables
    that no longer fit in the caches, as each PE has its own."""
    def share(report, pes):
        return 100 * total_rate(report.find("conveyor", pes=pes)) / total_rate(
            report.find("conveyor", pes=2))

    def share_with_small_tables(report, pes):
        return 100 * total_rate(report.find("conveyor", pes=pes, table_bytes=2**20 // pes)) / (
            total_rate(report.find("conveyor", pes=2, table_bytes=2**19)))

    made = []
    for pes, least in [(8, 95), (64, 65)]:
        line = f"histogram --pes 2,{pes} --baselines none"
        tables = f"{line} --table-bytes 512KiB,{1024 // pes}KiB"
        made += [
            Part("many_pes", lambda run, line=line: run.bench_often(line, rounds=3),
                 [Target(f"histogram, {pes} PEs, total against 2 PEs", least, "%",
                         median_of(lambda r, n=pes: share(r, n)))]),
            Part("many_pes", lambda run, line=tables: run.bench_often(line, rounds=3),
                 [Target(f"histogram, {pes} PEs, tables of 1 MiB in all, total against 2 PEs",
                         least, "%", median_of(lambda r, n=pes: share_with_small_tables(r, n)))])]
    return made


def item_sizes():
    def gain(report, size):
        return byte_rate(report.find("conveyor", item_bytes=size)) / byte_rate(
            report.find("conveyor", item_bytes=8))

    return [Part("item_sizes", lambda run, size=size: run.bench_often(
        f"alltoall --pes 2 --item-bytes 8,{size} --baselines none", rounds=3),
                 [Target(f"alltoall, {size} B items, bytes a second against 8 B", least, "x",
                         median_of(lambda r, size=size: gain(r, size)))])
            for size, least in [(16, 1.5), (32, 2), (128, 3)]]


def many_links():
    return Part("many_links", lambda run: run.bench_often(
        "alltoall --pes 8,256 --hops 1 --baselines none", rounds=3, items=262144),
                [Target("alltoall, 256 PEs, cost of an item against 8 PEs", 2, "x",
                        median_of(lambda r: total_rate(r.find("conveyor", pes=8)) / total_rate(
                            r.find("conveyor", pes=256))), at_most=True)])


def copying():
    """Bytes that arrive at a PE, relative to the bytes that one core copies: runs in turns."""
    def measure(run):
        block = run.choose("64MiB", "1MiB")
        runs = run.choose(5, 1)
        return [(run.bench("alltoall --pes 2 --substrate processes --item-bytes 8,32,128 "
                           "--baselines none", rounds=3),
                 run.bench(f"puts --pes 2 --item-bytes {block} --baselines limit", rounds=3,
                           items=1, quick_items=1))
                for _ in range(runs)]

    def share(reports, size):
        items, blocks = reports
        return 100 * byte_rate(items.find("exchange", item_bytes=size)) / byte_rate(
            blocks.find("limit"))

    return Part("copying", measure,
                [Target(f"exchange, 2 processes, {size} B items, bytes a second and PE against a "
                        "core's copying", least, "%",
                        median_of(lambda r, size=size: share(r, size)))
                 for size, least in [(8, 25), (32, 60), (128, 80)]])


def against_alltoallv(launcher, name):
    """Compares with rounds of MPI_Alltoallv by hand."""
    def lead(contender):
        return lambda r: rate(r.find(contender)) / rate(r.find("alltoallv"))

    def measure(run):
        return {what: run.bench(f"{line} --baselines alltoallv", launcher, rounds=9)
                for what, line in [("small", "histogram"),
                                   ("large", "histogram --table-bytes 8MiB"),
                                   ("gather", "indexgather")]}

    return Part("against_alltoallv", measure, [
        Target(f"histogram against MPI_Alltoallv, {name}", 1.4, "x",
               lambda r: lead("pull_all")(r["small"])),
        Target(f"histogram, tables of 8 MiB, against MPI_Alltoallv, {name}", 1.1, "x",
               lambda r: lead("pull_all")(r["large"])),
        Target(f"index-gather, biconveyor, against MPI_Alltoallv, {name}", 1.2, "x",
               lambda r: lead("biconveyor")(r["gather"])),
        Target(f"index-gather, exchange, against MPI_Alltoallv, {name}", 1.5, "x",
               lambda r: lead("exchange")(r["gather"]))])
