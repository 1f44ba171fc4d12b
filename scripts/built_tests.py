#!/usr/bin/env python3
"""Which cases of GoogleTest the tests of ctest run.

built_tests.py FOLDER fails if a case of a test program in FOLDER, where the tests were built, is run by
no test. Cases on simulated worlds may be left out.
"""
import fnmatch
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

# The label of the tests that a build with a sanitizer runs in its gate (tests/support/tiers.cmake).
SANITIZED = {"tsan": "gate-thread", "asan": "gate-address"}


def job_of(words):
    """How a command starts a program: a launcher and its number of PEs, both empty without a launcher."""
    for number, word in enumerate(words):
        if word.endswith(("in_cluster", "in_cluster.sh", "two_nodes.sh")):
            return tuple(words[number + 1:number + 3])
    return ("", "")


def matcher(patterns):
    """Matches the names that one of the patterns of a filter matches."""
    return re.compile("|".join(fnmatch.translate(p) for p in patterns.split(":") if p) or "(?!)").match


class BuiltTests:
    """The tests that ctest has in a folder."""

    def __init__(self, folder):
        self.folder = folder.resolve()
        self.listed = {}
        # From a folder of its own: ctest begins the log of a folder anew, also of a run that is under way.
        with tempfile.TemporaryDirectory() as aside:
            (pathlib.Path(aside) / "CTestTestfile.cmake").write_text(f'subdirs("{self.folder}")\n')
            tests = subprocess.run(["ctest", "--test-dir", aside, "--show-only=json-v1"], check=True,
                                   capture_output=True, text=True).stdout
        self.tests = []
        for test in json.loads(tests)["tests"]:
            properties = {p["name"]: p["value"] for p in test["properties"]}
            self.tests.append((test.get("command", []), properties.get("LABELS", [])))

    def commands(self, tier, build):
        """The commands of the tests that run in a tier, and in the gate of a sanitizer's build."""
        for command, labels in self.tests:
            if "weekly" in labels or (tier == "gate" and "nightly" in labels):
                continue
            if tier == "gate" and build in SANITIZED and SANITIZED[build] not in labels:
                continue
            yield command

    def program(self, words):
        """The program of GoogleTest among the words of a command, or nothing."""
        for word in words:
            path = self.folder / word
            if re.search(r"/[a-z_]+_tests(_[a-z]+)?$", word) and path.is_file():
                return path.resolve()
        return None

    def all_cases(self, program, pes, tier, settings=()):
        """The cases of a program; with a number of PEs, the cases of a launcher's job. Nothing if the
        program does not list them outside a job. `settings` are variables of the environment."""
        key = (program, pes, tier, settings)
        if key not in self.listed:
            environment = {**os.environ, "BOXCAR_TEST_TIER": tier, "OMPI_ALLOW_RUN_AS_ROOT": "1",
                           "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
                           "OMPI_MCA_opal_common_ucx_opal_mem_hooks": "0", **dict(settings)}
            if pes:
                environment["BOXCAR_TEST_CLUSTER"] = pes
            output = subprocess.run([program, "--gtest_list_tests"], check=False, capture_output=True,
                                    text=True, env=environment, timeout=60).stdout
            cases = []
            suite = ""
            for line in output.split("\n"):
                name = line.split("  #")[0].rstrip()
                if not name.startswith(" "):
                    suite = name
                elif suite.endswith("."):
                    cases.append(suite + name.strip())
            self.listed[key] = cases
        return self.listed[key]

    @staticmethod
    def filters(words):
        return [w.partition("=")[2] for w in words if w.startswith("--gtest_filter=")]

    def selected(self, words, cases):
        """The cases that the filter of a command selects."""
        chosen, _, left_out = (self.filters(words) or ["*"])[0].partition("-")
        is_chosen, is_left_out = matcher(chosen or "*"), matcher(left_out)
        return {c for c in cases if is_chosen(c) and not is_left_out(c)}

    def problem(self, run, tier, build):
        """Why a command is no part of a test of the tier, or nothing."""
        program = self.program(run)
        launcher, pes = job_of(run)
        if program is None:
            paths = [w.split("/")[-1] for w in run if w.startswith(("tests/", "../"))]
            found = any(all(any(word.endswith("/" + p) for word in command) for p in paths)
                        for command in self.commands(tier, build))
            return "" if found or launcher else f"no {tier} test runs {' '.join(paths)}"
        settings = tuple(tuple(w.split("=", 1)) for w in run if re.match(r"[A-Z_]+=", w))
        cases = self.all_cases(program, pes, tier, settings)
        if not cases:
            return ""
        missing = self.selected(run, cases)
        if not missing:
            return f"its test selects nothing in the tier {tier}"
        count = len(missing)
        tested = not launcher
        for command in self.commands(tier, build):
            if self.program(command) == program and job_of(command) == (launcher, pes):
                tested = True
                missing -= self.selected(command, missing)
        # The tests of a cluster are there only where its launcher is.
        if not tested or not missing:
            return ""
        return f"no {tier} test runs {len(missing)} of {count} cases, such as {sorted(missing)[0]}"

    def forgotten(self):
        """The cases that no test runs."""
        commands = {}
        for command, _ in self.tests:
            if program := self.program(command):
                commands.setdefault(program, []).append(command)
        for program, users in sorted(commands.items()):
            if any(not self.filters(command) for command in users):
                continue
            missing = {c for c in self.all_cases(program, "", "gate")
                       if not re.search(r"simulated_p|^GoogleTestVerification\.", c)}
            for command in users:
                missing -= self.selected(command, missing)
            for case in sorted(missing):
                yield program, case


def main():
    forgotten = list(BuiltTests(pathlib.Path(sys.argv[1])).forgotten())
    for program, case in forgotten:
        print(f"no test runs {program.name} {case}")
    return 1 if forgotten else 0


if __name__ == "__main__":
    sys.exit(main())
