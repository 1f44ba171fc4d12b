"""Targets of one-sided communication: blocks of 64 MiB between two pretended nodes."""

import shlex

from part import Part
from parts.launchers import for_launchers
from report import byte_rate
from target import Target, median_of


def parts(runner):
    by_boxcar = shlex.join([runner.boxcar, "run", "--nodes", "2", "-n", "2", "--"])
    return [blocks_between_nodes(by_boxcar, "boxcar run"),
            *for_launchers(runner, blocks_between_nodes)]


def blocks_between_nodes(launcher, name):
    """Bytes a second, relative to what `exchange` delivers: runs in turns."""
    def measure(run):
        block = run.choose("64MiB", "64KiB")
        return [(run.bench(f"puts --item-bytes {block} --baselines none", launcher, nodes=2,
                           rounds=1, items=1, quick_items=1),
                 run.bench("alltoall --item-bytes 64 --baselines none", launcher, nodes=2,
                           rounds=3))
                for _ in range(run.choose(3, 1))]

    def share(contender):
        return median_of(lambda r: byte_rate(r[0].find(contender)) / byte_rate(
            r[1].find("exchange")))

    return Part("blocks_between_nodes", measure,
                [Target(f"window {what} of 64 MiB between nodes against exchange, {name}", 0.8, "x",
                        share(contender))
                 for what, contender in [("put", "counting_put"), ("get", "get")]])
