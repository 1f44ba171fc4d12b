#!/usr/bin/env python3
"""Tests of scripts/make-wheels: what it says of interpreters that it cannot use, before it builds anything.

make_wheels_test.py REPOSITORY
"""

import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

REPOSITORY = pathlib.Path(sys.argv.pop(1))
SCRIPT = REPOSITORY / "scripts/make-wheels"
VERSIONS = ["3.10", "3.11", "3.12", "3.13", "3.14"]


class MakeWheels(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = pathlib.Path(folder.name)
        (self.path / "dirname").symlink_to(shutil.which("dirname"))

    def add_interpreter(self, name, script):
        file = self.path / name
        file.write_text(f"#!/bin/sh\n{script}\n")
        file.chmod(0o755)

    def complaint(self, **environment):
        ended = subprocess.run(
            ["/bin/sh", SCRIPT, self.path / "wheels"],
            env={"PATH": str(self.path), **environment},
            capture_output=True,
            text=True,
        )
        self.assertEqual(ended.returncode, 1)
        self.assertEqual(ended.stdout, "")
        self.assertFalse((self.path / "wheels").exists())
        return ended.stderr

    def test_names_interpreters_that_it_looks_for(self):
        for version in VERSIONS:
            self.assertIn(f"python{version}", self.complaint())

    def test_passes_over_interpreters_in_path_that_do_not_run(self):
        self.add_interpreter("python3.11", "exit 127")
        self.assertIn("there is no interpreter", self.complaint())

    def test_refuses_a_name_of_no_interpreter(self):
        self.assertIn("PYTHONS names no-such-python, which", self.complaint(PYTHONS="no-such-python"))

    def test_refuses_an_interpreter_without_headers(self):
        self.add_interpreter("python3.12", "exit 1")
        self.assertIn("PYTHONS names python3.12, which", self.complaint(PYTHONS="python3.12"))

    def test_refuses_an_old_interpreter(self):
        self.add_interpreter("old", "echo 3 9")
        self.assertIn("PYTHONS names old, which is Python 3.9:", self.complaint(PYTHONS="old"))


if __name__ == "__main__":
    unittest.main()
