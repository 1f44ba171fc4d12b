"""The time from the call of boxcar.run to its return, for 2 PEs that do nothing.

python bench/python/time_of_run.py [--rounds N] [--json FILE]
"""

from __future__ import annotations

import argparse
import json
import time
from statistics import median

import boxcar


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=21)
    parser.add_argument("--json", help="write the median to this file, in seconds")
    options = parser.parse_args()
    if options.rounds < 1:
        parser.error(f"--rounds is {options.rounds}: give 1 or more")
    times = []
    for _ in range(options.rounds):
        start = time.perf_counter()
        boxcar.run(lambda world: None, pes=2)
        times.append(time.perf_counter() - start)
    print(f"boxcar.run: {median(times) * 1e3:.0f} ms, median of {options.rounds}")
    if options.json:
        with open(options.json, "w") as file:
            json.dump({"seconds": median(times)}, file)


if __name__ == "__main__":
    main()
