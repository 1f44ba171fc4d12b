#!/usr/bin/env python3
"""What `boxcar bench --json` writes follows the schema, and the schema refuses what is no report.

schema_test.py SCHEMA BOXCAR REPORT_OF_A_FAILURE
"""
import copy
import json
import subprocess
import sys
import tempfile

try:
    import jsonschema
except ImportError:
    print("skipped: the Python package jsonschema is not installed (Debian: python3-jsonschema)")
    sys.exit(77)

SMALL = ["--items", "2000", "--rounds", "2"]
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
    ["limit"],
]


def report_of(boxcar, words):
    with tempfile.NamedTemporaryFile() as file:
        command = [boxcar, "bench", *words, *SMALL, "--json", file.name]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, timeout=60)
        report = json.load(file)
    assert report["command"] == command, report["command"]
    return report


def settings_expected(words):
    number = 1
    for word in words:
        number *= 1 + word.count(",")
    return number


def spoiled(report):
    """Pairs of what was done to a report and what became of it: none of them follows the schema."""
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
    yield change("a number of PEs in words", lambda r: r["results"][0]["setting"].update(pes="two"))


def main():
    schema_file, boxcar, report_of_a_failure = sys.argv[1:]
    with open(schema_file, encoding="utf-8") as file:
        schema = json.load(file)
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)

    for words in RUNS:
        report = report_of(boxcar, words)
        validator.validate(report)
        assert len(report["results"]) == settings_expected(words), words
        for what, other in spoiled(report):
            assert not validator.is_valid(other), f"{what} was not noticed"

    output = subprocess.run([report_of_a_failure], check=True, capture_output=True, timeout=60)
    report = json.loads(output.stdout)
    validator.validate(report)
    failure = report["results"][0]["contenders"][0]["failure"]
    assert failure == "PE 0: this always fails", failure


main()
