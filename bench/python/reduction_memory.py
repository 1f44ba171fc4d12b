"""The memory that all_reduce_async takes on a PE beyond its input and its output.

    boxcar run -n 2 -- python bench/python/reduction_memory.py [--bytes N] [--json FILE]

The figure is the peak of the resident memory of the PE that has the highest, less what the PE held
before it made its input, and less the bytes of the input and the output.
"""

from __future__ import annotations

import argparse
import json
import re
from pathlib import Path

import boxcar
import numpy as np

MIB = 1 << 20


def resident_bytes(which: str) -> int:
    """Of this process: VmRSS, at present, or VmHWM, the peak."""
    found = re.search(rf"^{which}:\s*(\d+) kB$", Path("/proc/self/status").read_text(), re.M)
    if found is None:
        raise SystemExit(f"/proc/self/status has no {which}: this needs Linux")
    return int(found[1]) * 1024


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bytes", type=int, default=2048 * MIB, help="of the array of a PE")
    parser.add_argument("--json", help="write the result to this file")
    options = parser.parse_args()
    if options.bytes < 8:
        parser.error(f"--bytes is {options.bytes}: give 8 or more")

    world = boxcar.world()
    world.reduce(1)  # what any first collective sets up
    before = resident_bytes("VmRSS")
    given = np.full(options.bytes // 8, world.rank + 1)
    total = world.all_reduce_async(given).wait()
    peak = resident_bytes("VmHWM")
    expected = world.size * (world.size + 1) // 2
    if total[0] != expected or total[-1] != expected:
        raise SystemExit(f"the sum is {total[0]} to {total[-1]}, not {expected}")
    beyond = world.reduce(peak - before - given.nbytes - total.nbytes, "max")
    if world.rank == 0:
        print(f"all_reduce_async of {given.nbytes / MIB:.0f} MiB: {beyond / MIB:.0f} MiB beyond")
        if options.json:
            with open(options.json, "w") as file:
                json.dump({"bytes": given.nbytes, "beyond_bytes": int(beyond)}, file)


if __name__ == "__main__":
    main()
