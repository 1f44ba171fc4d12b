#!/usr/bin/env python3
"""Checks `boxcar plan` by simulation: 56 machines and sessions, all settings of each.

Every case is planned, and every setting that the planner compares is simulated (boxcar plan --check
all), but for those that cannot be the best: whose cores, adapters or links have more to do in all
than the shortest simulated session takes. The plan is right if its session is at most a tenth longer
than the shortest. Simulated time is deterministic, so the table is the same on every machine.

    experiments/planner/check.py --boxcar build/gcc/bin/boxcar [--drawn SEED] [--jobs 2]
                                 [--only N] [--json FILE]

With --drawn it is 84 other cases, drawn at random by that number. The exit status is 0 if at least 9
of 10 plans are right and none takes more than 1.3 times as long as the best setting.
"""

import argparse
import concurrent.futures
import json
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from random import Random

NETWORKS = ["slingshot", "hdr-infiniband", "aries", "ethernet-25g", "ethernet-100g", "blue-gene-p",
            "blue-gene-q"]
# Nodes, PEs per node, and for each network in turn: bytes of an item, items per PE, memory per PE.
SHAPES = [
    (4, 4, [(8, 300, None), (16, 3000, "64KiB"), (64, 30, None)]),
    (2, 16, [(16, 2000, None), (8, 200, "32KiB"), (200, 500, "512KiB")]),
    (16, 4, [(8, 10000, None), (64, 100, "64KiB"), (16, 1000, None)]),
    (8, 16, [(64, 50, None), (8, 2000, "128KiB"), (16, 300, None)]),
    (32, 8, [(8, 300, "64KiB"), (16, 50, "256KiB"), (8, 2000, "128KiB")]),
    (8, 32, [(200, 100, "128KiB"), (16, 1000, "64KiB"), (8, 100, "64KiB")]),
    (64, 4, [(8, 3000, "256KiB"), (200, 50, "128KiB"), (8, 200, "64KiB")]),
    (64, 16, [(16, 200, "64KiB"), (8, 400, "64KiB"), (64, 50, "64KiB")]),
]
RIGHT = 1.1
RIGHT_SHARE = 0.9
WORST = 1.3


def cases():
    for n, network in enumerate(NETWORKS):
        for s, (nodes, pes, sessions) in enumerate(SHAPES):
            item, items, memory = sessions[(n + s) % len(sessions)]
            yield {"network": network, "nodes": nodes, "pes_per_node": pes, "item_bytes": item,
                   "items": items, "memory": memory}


def drawn_cases(seed, number=84):
    random = Random(seed)
    for i in range(number):
        nodes = pes = 0
        while not 12 <= nodes * pes <= 288:
            nodes = random.choice([2, 3, 4, 6, 8, 10, 12, 16, 20, 24, 32, 48])
            pes = random.choice([2, 3, 4, 6, 8, 12, 16, 24, 32])
        yield {"network": NETWORKS[i % len(NETWORKS)], "nodes": nodes, "pes_per_node": pes,
               "item_bytes": random.choice([4, 8, 8, 8, 12, 16, 24, 32, 64, 100]),
               "items": int(10 ** random.uniform(1.6, 3.7)),
               "memory": random.choice([None, None, None, "48KiB", "64KiB", "96KiB", "128KiB",
                                        "192KiB", "256KiB", "512KiB", "1MiB"])}


def check(boxcar, case):
    words = [boxcar, "plan", "--nodes", case["nodes"], "--pes-per-node", case["pes_per_node"],
             "--item-bytes", case["item_bytes"], "--items", case["items"], "--network",
             case["network"], "--check", "all"]
    if case["memory"]:
        words += ["--memory", case["memory"]]
    begin = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        result = Path(folder) / "plan.json"
        subprocess.run([str(w) for w in words] + ["--json", str(result)], check=True,
                       stdout=subprocess.DEVNULL)
        plan = json.loads(result.read_text())
    tried = plan["simulated"]
    best = min(tried, key=lambda t: t["simulated_seconds"])
    near = [t["seconds"] / t["simulated_seconds"] for t in tried
            if t["simulated_seconds"] <= 1.5 * best["simulated_seconds"]]
    return case | {
        "ratio": tried[0]["simulated_seconds"] / best["simulated_seconds"],
        "plan": tried[0], "best": best, "settings": len(tried) + plan["ruled_out"],
        "simulated": len(tried), "model_over_simulated": near,
        "took": time.monotonic() - begin}


def setting_text(t):
    return f"{t['way']}, {t['buffers_per_link']} x {t['buffer_bytes']}"


def row(r):
    shape = f"{r['nodes']} x {r['pes_per_node']}"
    text = (f"{r['network']:14} {shape:>7} {r['item_bytes']:4} {r['items']:6} "
            f"{r['memory'] or '-':>7} {r['simulated']:5}/{r['settings']:<5} {r['ratio']:6.3f}  "
            f"{setting_text(r['plan'])}")
    if r["ratio"] > RIGHT:
        text += f"; better: {setting_text(r['best'])}"
    return text


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--boxcar", default="build/gcc/bin/boxcar", help="the command to check")
    parser.add_argument("--drawn", type=int, metavar="SEED", help="cases drawn at random instead")
    parser.add_argument("--jobs", type=int, default=2, help="cases at a time")
    parser.add_argument("--only", type=int, help="this case, from 0 on")
    parser.add_argument("--json", help="write all results to this file")
    options = parser.parse_args()
    wanted = list(cases() if options.drawn is None else drawn_cases(options.drawn))
    if options.only is not None:
        wanted = wanted[options.only:options.only + 1]
    print("network        nodes x PEs item  items  memory simulated/all  plan/best  the plan")
    results = []
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for result in pool.map(lambda case: check(options.boxcar, case), wanted):
            results.append(result)
            print(row(result), flush=True)
    ratios = sorted(r["ratio"] for r in results)
    right = sum(ratio <= RIGHT for ratio in ratios)
    model = statistics.quantiles([m for r in results for m in r["model_over_simulated"]], n=20)
    print(f"\n{right} of {len(results)} plans are within {RIGHT - 1:.0%} of the best of all settings; "
          f"median {statistics.median(ratios):.3f}, worst {ratios[-1]:.3f}")
    print(f"{sum(r['simulated'] for r in results)} sessions simulated, of "
          f"{sum(r['settings'] for r in results)} settings, in {sum(r['took'] for r in results):.0f} s "
          f"of all jobs")
    print("time by the model over simulated time, of settings up to 1.5 times as slow as the best: "
          f"median {model[9]:.2f}, 90 % between {model[0]:.2f} and {model[18]:.2f}")
    if options.json:
        Path(options.json).write_text(json.dumps(results, indent=2) + "\n")
    return 0 if right >= RIGHT_SHARE * len(results) and ratios[-1] <= WORST else 1


if __name__ == "__main__":
    sys.exit(main())
