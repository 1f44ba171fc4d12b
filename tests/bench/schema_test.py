#!/usr/bin/env python3
"""Tests that the output of `boxcar bench --json` follows the schema, and that the schema refuses
other documents.

The report also tells how to repeat the run: the commit, the launcher and the environment.

schema_test.py SCHEMA BOXCAR REPORT_OF_A_FAILURE
"""
import copy
import json
import os
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True  # beside the sources
from report_schema import validator_of

ROUNDS = ["--rounds", "2"]
SMALL = ["--items", "2000", *ROUNDS]
RUNS = [
    ["histogram", "--pes", "1,2", "--table-bytes", "8KiB"],
    ["histogram", "--substrate", "processes", "--pes", "3", "--nodes", "2", "--hops", "1,2"],
    ["histogram", "--kind", "elastic"],
    ["indexgather", "--pes", "2"],
    ["alltoall", "--item-bytes", "16,128", "--buffer-bytes", "4KiB", "--buffers", "4"],
    ["streaming", "--pes", "4", "--hops", "1,2"],
    ["randomaccess", "--pes", "2", "--table-bytes", "8KiB"],
    ["permute"],
    ["kmer"],
    ["session"],
    ["integersort", "--class", "S,W", "--message-bytes", "64,1KiB", "--pes", "2"],
    ["pingpong", "--pes", "2"],
    ["puts", "--pes", "3", "--item-bytes", "8,4096"],
    ["pipeline", "--pes", "1,3", "--columns", "20,40", "--scaling", "strong,weak"],
    ["collectives", "--pes", "2", "--class", "scan", "--item-bytes", "8,4096", "--items", "5"],
    ["overlap", "--pes", "1,2", "--class", "barrier,all_reduce", "--item-bytes", "8",
     "--items", "5"],
    ["overlap", "--pes", "2", "--substrate", "processes", "--class", "broadcast",
     "--item-bytes", "8", "--items", "5"],
    ["limit"],
]


def report_of(boxcar, words, launcher=(), environment=None):
    with tempfile.NamedTemporaryFile() as file:
        small = ROUNDS if "--class" in words else SMALL
        command = [boxcar, "bench", *words, *small, "--json", file.name]
        # (The number of sessions per measurement is chosen beforehand. Where PEs lose their cores
        # to other processes from then on, each session takes a hundred times as long.)
        subprocess.run([*launcher, *command], check=True, stdout=subprocess.DEVNULL, timeout=300,
                       env=environment)
        report = json.load(file)
    assert report["command"] == command, report["command"]
    assert report["launcher"] == ([*launcher, *command] if launcher else None), report["launcher"]
    assert all(result["library"] is None for result in report["results"])
    return report


def settings_expected(words):
    number = 1
    for word in words:
        number *= 1 + word.count(",")
    return number


def spoiled(report):
    """Pairs of a change to a report and the changed report; no changed report follows the
    schema."""
    def change(what, action):
        other = copy.deepcopy(report)
        action(other)
        return what, other

    contender = lambda r: r["results"][0]["contenders"][0]
    yield change("no results", lambda r: r.pop("results"))
    yield change("an empty list of results", lambda r: r["results"].clear())
    yield change("an unknown key", lambda r: r.update(surprise=1))
    yield change("a negative time", lambda r: contender(r).update(seconds=[-1.0]))
    yield change("neither figures nor a failure", lambda r: contender(r).pop("median_seconds"))
    yield change("an unknown role", lambda r: contender(r).update(role="spectator"))
    yield change("a launcher that is one word", lambda r: r.update(launcher="mpirun"))
    yield change("a variable without a value", lambda r: r["environment"].update(BOXCAR_PES=None))
    yield change("half a commit", lambda r: r["build"].update(commit={"id": "0" * 40}))
    yield change("a library without a name", lambda r: r["results"][0].update(library=""))
    if report["benchmark"] == "overlap":
        yield change("an overlap of more than all", lambda r: contender(r)["run"].update(overlap=1.1))
        yield change("no time of both", lambda r: contender(r)["run"].pop("both_seconds"))
    yield change("a number of PEs in words", lambda r: r["results"][0]["setting"].update(pes="two"))


def check_sweep_with_a_gap(boxcar, validator):
    with tempfile.NamedTemporaryFile() as file:
        command = [boxcar, "bench", "histogram", "--pes", "2", "--kind", "simple", "--hops", "1,2",
                   *SMALL, "--json", file.name]
        run = subprocess.run(command, check=False, stdout=subprocess.DEVNULL, timeout=60)
        report = json.load(file)
    assert run.returncode == 1, run.returncode
    validator.validate(report)
    assert report["complete"] is True, report
    there, gap = report["results"]
    assert "failure" not in there and "hops is 2" in gap["failure"], report
    gap["contenders"] = there["contenders"]
    assert not validator.is_valid(report), "a failure with figures was not noticed"


def check_sweep_that_is_ended(boxcar, validator):
    """Measured results stay after an interruption; until then the old content of the file stays."""
    with tempfile.NamedTemporaryFile("w+") as file:
        file.write("from before")
        file.flush()
        refused = [boxcar, "bench", "histogram", "--buffer-bytes", "1", "--json", file.name]
        run = subprocess.run(refused, check=False, stderr=subprocess.DEVNULL, timeout=60)
        assert run.returncode == 2, run.returncode
        assert open(file.name, encoding="utf-8").read() == "from before"

        many = [str(items) for items in range(2000, 2500)]
        command = [boxcar, "bench", "histogram", "--pes", "1", "--rounds", "1", "--baselines",
                   "none", "--items", ",".join(many), "--json", file.name]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True,
                              stderr=subprocess.DEVNULL) as job:
            rows = 0
            for line in job.stdout:
                rows += "exchange" in line
                if rows == 3:  # then those of two settings are in the file
                    break
            job.terminate()
        report = json.load(open(file.name, encoding="utf-8"))
    validator.validate(report)
    assert report["complete"] is False, report
    assert 2 <= len(report["results"]) < len(many), report


def without_boxcar(environment):
    return {name: value for name, value in environment.items()
            if not name.startswith(("BOXCAR_", "CONVEY_"))}


def check_commit(boxcar, report):
    """The two places with the commit agree. (commit_test.py checks the commit itself.)"""
    commit = report["build"]["commit"]
    info = subprocess.run([boxcar, "info"], check=True, capture_output=True, text=True, timeout=60)
    lines = [line for line in info.stdout.splitlines() if line.startswith("commit: ")]
    changes = ", with changes" if commit and commit["changed"] else ""
    assert lines == ([f"commit: {commit['id']}{changes}"] if commit else []), lines


def check_environment(boxcar, validator):
    set_here = {"BOXCAR_BUFFER_BYTES": "8192", "CONVEY_NLOCAL": "", "BOXCAR_OTHER": "unknown"}
    report = report_of(boxcar, ["histogram"],
                       environment={**without_boxcar(os.environ), **set_here})
    validator.validate(report)
    ours = {name: value for name, value in report["environment"].items()
            if name.startswith(("BOXCAR_", "CONVEY_"))}
    assert ours == {"BOXCAR_BUFFER_BYTES": "8192", "CONVEY_NLOCAL": ""}, ours

    # A variable with invalid UTF-8 does not spoil the rest of the report.
    report = report_of(boxcar, ["histogram"],
                       environment={**os.environb, b"BOXCAR_LIBRARY_PATH": b"here/\xff"})
    validator.validate(report)
    assert report["environment"]["BOXCAR_LIBRARY_PATH"] == "here/\ufffd", report["environment"]


def check_launcher(boxcar, validator):
    report = report_of(boxcar, ["histogram"], launcher=[boxcar, "run", "-n", "2", "--"])
    validator.validate(report)
    assert report["environment"]["BOXCAR_JOB"].endswith(":0"), report["environment"]
    assert report["results"][0]["substrate"] == "processes", report["results"]


def main():
    schema_file, boxcar, report_of_a_failure = sys.argv[1:]
    validator = validator_of(schema_file)

    for words in RUNS:
        report = report_of(boxcar, words)
        validator.validate(report)
        assert len(report["results"]) == settings_expected(words), words
        for what, other in spoiled(report):
            assert not validator.is_valid(other), f"{what} was not noticed"

    check_sweep_with_a_gap(boxcar, validator)
    check_sweep_that_is_ended(boxcar, validator)
    check_commit(boxcar, report)
    check_environment(boxcar, validator)
    check_launcher(boxcar, validator)

    output = subprocess.run([report_of_a_failure], check=True, capture_output=True, timeout=60)
    report = json.loads(output.stdout)
    validator.validate(report)
    failure = report["results"][0]["contenders"][0]["failure"]
    assert failure == "PE 0: this always fails", failure


main()
