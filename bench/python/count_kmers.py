"""boxcar.KmerCounter in turns with Jellyfish and KMC, each with as many threads as PEs.

    python bench/python/count_kmers.py READS [--k K] [--pes N] [--rounds N] [--json FILE]
        [--beside NAME...]

READS is a FASTQ file, plain or gzip; simulate_reads.py makes some. Every round runs all contenders,
one after another, as programs of their own, from start to end, and every second round in the
opposite order. The medians of time, of processor time and of the highest memory of one process are
printed. Those that are not installed are left out: on Debian, apt-get install jellyfish kmc.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

COUNT = """
import sys, boxcar
counter = boxcar.KmerCounter(boxcar.world(), int(sys.argv[2]))
counter.count(sys.argv[1])
counter.spectrum()
if sys.argv[3] == "share":
    counter.share()
"""


def contenders(reads: Path, k: int, pes: int, folder: Path) -> dict[str, list[str]]:
    """The commands; Boxcar's commands first."""
    script = folder / "count.py"
    script.write_text(COUNT)
    boxcar = [sys.executable, "-m", "boxcar", "run", "-n", str(pes), "--", sys.executable]
    boxcar += [str(script), str(reads), str(k)]
    jellyfish = f"jellyfish count -m {k} -C -t {pes} -s 100M -o {folder}/jellyfish "
    is_gzip = reads.suffix == ".gz"
    kmc = ["kmc", f"-t{pes}", f"-k{k}", "-ci1", "-cs4294967295", "-fq", str(reads)]
    all_of_them = {
        "boxcar": [*boxcar, "count"],
        "boxcar, sorted": [*boxcar, "share"],
        "jellyfish": ["bash", "-c", jellyfish + (f"<(zcat {reads})" if is_gzip else str(reads))],
        "kmc": [*kmc, f"{folder}/kmc", str(folder)],
    }
    for tool in ("jellyfish", "kmc"):
        if shutil.which(tool) is None:
            print(f"{tool} is not installed, and left out")
            del all_of_them[tool]
    return all_of_them


def run(command: list[str]) -> dict[str, float]:
    start = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    assert process.stderr is not None
    told = process.stderr.read().decode(errors="replace")
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - start
    if status != 0:
        sys.exit(f"{' '.join(command)} failed:\n{told}")
    return {
        "seconds": seconds,
        "processor seconds": usage.ru_utime + usage.ru_stime,
        "MiB": usage.ru_maxrss / 1024,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("reads", type=Path, metavar="READS")
    parser.add_argument("--beside", nargs="+", metavar="NAME", help="which others, instead of all")
    parser.add_argument("--k", type=int, default=31)
    parser.add_argument("--pes", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--json", help="write the results to this file")
    options = parser.parse_args()

    with tempfile.TemporaryDirectory() as folder:
        commands = contenders(options.reads.resolve(), options.k, options.pes, Path(folder))
        if options.beside:
            wanted = ["boxcar", *options.beside]
            commands = {name: commands[name] for name in commands if name in wanted}
        rounds: dict[str, list[dict[str, float]]] = {name: [] for name in commands}
        for number in range(options.rounds):
            order = list(commands.items())
            for name, command in order if number % 2 == 0 else order[::-1]:
                rounds[name].append(run(command))
    results = {
        name: {what: median(each[what] for each in of_all) for what in of_all[0]}
        for name, of_all in rounds.items()
    }
    of_boxcar = results["boxcar"]
    for name, result in results.items():
        ratio = result["seconds"] / of_boxcar["seconds"]
        of_processor = result["processor seconds"] / of_boxcar["processor seconds"]
        print(
            f"{name:15} {result['seconds']:6.2f} s, {ratio:5.2f} x   processors "
            f"{result['processor seconds']:6.2f} s, {of_processor:5.2f} x   "
            f"{result['MiB']:5.0f} MiB at most in one process"
        )
    if options.json:
        Path(options.json).write_text(json.dumps({"rounds": rounds}))


if __name__ == "__main__":
    main()
