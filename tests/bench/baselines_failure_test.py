#!/usr/bin/env python3
"""Tests that missing baselines, and baselines without room, are reported as failed beside the
others.

baselines_failure_test.py SCHEMA BOXCAR IN_CLUSTER FOLDER openmpi|mpich|shmem

FOLDER has unusable libraries: see baselines_library_that_fails.cpp.
"""
import json
import os
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True  # beside the sources
from report_schema import validator_of

NAMES = {
    "openmpi": ["alltoallv", "accumulate"],
    "mpich": ["alltoallv", "accumulate"],
    "shmem": ["atomic"],
}


class job:
    """`boxcar bench histogram` with the options, on two PEs of a launcher."""

    def __init__(self, in_cluster, launcher, boxcar, validator, options, **variables):
        with tempfile.NamedTemporaryFile() as file:
            command = [in_cluster, launcher, "2", boxcar, "bench", "histogram", "--items", "1000",
                       "--rounds", "1", *options, "--json", file.name]
            self.run = subprocess.run(command, stdout=subprocess.PIPE, text=True, timeout=100,
                                      env={**os.environ, **variables})
            report = json.load(file)
        validator.validate(report)
        self.contenders = report["results"][0]["contenders"]

    def expect(self, failed, why):
        """Expects the baselines to have failed for the reason, and all others, ours too, to be
        measured."""
        assert self.run.returncode == (1 if failed else 0), self.run
        seen = {c["name"]: c["failure"] for c in self.contenders if "failure" in c}
        assert sorted(seen) == sorted(failed), (seen, failed)
        lines = self.run.stdout.splitlines()
        for name, failure in seen.items():
            for words in why:
                assert words in failure, (words, failure)
            rows = [line for line in lines if line.startswith(name + " ")]
            assert len(rows) == 1 and "  FAILED: " + failure in rows[0], (rows, failure)
        measured = {c["name"] for c in self.contenders if c["seconds"] and "failure" not in c}
        assert measured >= {"conveyor", "limit"}, self.contenders


def main():
    schema_file, boxcar, in_cluster, folder, launcher = sys.argv[1:]
    validator = validator_of(schema_file)
    names = NAMES[launcher]

    def run(options, **variables):
        return job(in_cluster, launcher, boxcar, validator, options, **variables)

    # Baselines requested by name have a row each; "all" has a single row.
    for wish, failed in ((",".join(names) + ",limit", names), ("all", ["all baselines"])):
        options = ["--baselines", wish]
        unusable = os.path.join(folder, "empty")
        run(options, BOXCAR_LIBRARY_PATH=unusable).expect(
            failed, [f"PE 0: cannot open libboxcar_bench_{launcher}.so: {unusable}/",
                     "undefined symbol: boxcar_bench_baselines", "BOXCAR_LIBRARY_PATH"])
        # One PE fails, and the other PE does not wait for it.
        run(options, BOXCAR_LIBRARY_PATH=os.path.join(folder, "throws")).expect(
            failed, ["PE 1: nothing works here"])

    if launcher == "shmem":
        options = ["--table-bytes", "40MiB", "--baselines", "atomic,limit"]
        heap = {name: str(24 << 20) for name in ("SHMEM_SYMMETRIC_SIZE", "SMA_SYMMETRIC_SIZE")}
        run(options, BOXCAR_SYMMETRIC_BYTES="1000000", **heap).expect(
            ["atomic"], [f"no room for {40 << 20} bytes", "SHMEM_SYMMETRIC_SIZE",
                         "SMA_SYMMETRIC_SIZE for Open MPI 4"])
        # The remedy in the message helps.
        heap = {name: str(64 << 20) for name in heap}
        run(options, BOXCAR_SYMMETRIC_BYTES="1000000", **heap).expect([], [])


main()
