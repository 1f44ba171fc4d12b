#!/usr/bin/env python3
"""Tests `boxcar bench --json` as a job of a cluster's launcher: the report names the substrate of
the job, and the command line for a repetition.

job_report_test.py SCHEMA BOXCAR IN_CLUSTER openmpi|mpich|shmem
"""
import json
import os
import re
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True  # beside the sources
from report_schema import validator_of

PES = 2
# For each launcher: the substrate, the command of the launcher, and the variable with the rank.
EXPECTED = {
    "openmpi": ("mpi", "mpirun.openmpi", "OMPI_COMM_WORLD_RANK"),
    "mpich": ("mpi", "mpiexec.mpich", "PMI_RANK"),
    "shmem": ("shmem", "oshrun", "OMPI_COMM_WORLD_RANK"),
}
# For each launcher: the name of its library, before the version.
LIBRARY = {
    "openmpi": r"^Open MPI v",
    "mpich": r"^MPICH Version:\s+",
    "shmem": r"OpenSHMEM \d+\.\d+, in Open MPI v",
}


def version_of(launcher):
    """The version that the launcher itself prints."""
    run = subprocess.run([launcher, "--version"], check=True, capture_output=True, text=True,
                         timeout=60)
    return re.search(r"\d+\.\d+\.\d+", run.stdout).group()


def main():
    schema_file, boxcar, in_cluster, name = sys.argv[1:]
    validator = validator_of(schema_file)
    substrate, launcher, rank = EXPECTED[name]

    # Alone and with baselines: the library is known in either case.
    for baselines in ["limit", "all"]:
        with tempfile.NamedTemporaryFile() as file:
            command = [boxcar, "bench", "histogram", "--items", "2000", "--rounds", "1",
                       "--hops", "1,2", "--baselines", baselines, "--json", file.name]
            environment = {**os.environ, "BOXCAR_BUFFER_BYTES": "8192"}
            environment.pop("BOXCAR_NODES", None)
            subprocess.run([in_cluster, name, str(PES), *command], check=True,
                           stdout=subprocess.DEVNULL, timeout=100, env=environment)
            report = json.load(file)
        validator.validate(report)

        assert report["command"] == command, report["command"]
        started = report["launcher"]
        assert os.path.basename(started[0]) == launcher, started
        options = started[1:-len(command)]
        assert options[-2:] == ["-n", str(PES)], started
        assert started[-len(command):] == command, started

        variables = report["environment"]
        assert variables["BOXCAR_BUFFER_BYTES"] == "8192", variables
        assert variables["BOXCAR_SYMMETRIC_BYTES"] == "150000000", variables
        assert variables[rank] == "0", variables
        assert "BOXCAR_NODES" not in variables and "PATH" not in variables, variables

        assert len(report["results"]) == 2, report["results"]
        for result in report["results"]:
            assert result["substrate"] == substrate, result
            assert result["setting"]["pes"] == PES, result
            wanted = LIBRARY[name] + re.escape(version_of(launcher))
            assert re.search(wanted, result["library"]), result["library"]
            assert "\n" not in result["library"], result["library"]


main()
