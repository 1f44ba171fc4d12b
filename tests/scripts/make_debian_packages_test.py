#!/usr/bin/env python3
"""Tests of scripts/make-debian-packages: which folder it takes, and what it leaves there.

make_debian_packages_test.py REPOSITORY

The packages themselves are built by a test of tests/packaging; here another dpkg-buildpackage is in PATH.
"""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

REPOSITORY = pathlib.Path(sys.argv.pop(1))
NAME = "scripts/make-debian-packages"


class MakeDebianPackages(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        root = pathlib.Path(folder.name)
        self.sources, self.caller, self.path = root / "sources", root / "caller", root / "path"
        self.write(self.path / "dpkg-buildpackage", "#!/bin/sh\npwd -P >../built\n")
        self.write(self.sources / "CMakeLists.txt", "project(boxcar VERSION 1.2.3 LANGUAGES CXX)\n")
        self.write(self.sources / "packaging/debian/control", "Source: boxcar\n")
        self.write(self.sources / NAME, (REPOSITORY / NAME).read_text())
        shutil.copytree(self.sources, self.caller)  # the caller may be in a checkout of its own
        git = ["git", "-C", self.sources, "-c", "user.name=a", "-c", "user.email=a@example.org"]
        for command in (["init", "-q"], ["add", "."], ["commit", "-q", "-m", "all"]):
            subprocess.run([*git, *command], check=True)

    def write(self, file, text):
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        file.chmod(0o755)

    def build(self, *arguments):
        path = f"{self.path}:{os.environ['PATH']}"
        subprocess.run(
            [self.sources / NAME, *arguments],
            cwd=self.caller,
            env={**os.environ, "PATH": path},
            check=True,
        )

    def assert_built_in(self, folder):
        built = pathlib.Path((folder / "built").read_text().strip())
        self.assertEqual(built, (folder / "boxcar-1.2.3").resolve())
        self.assertTrue((built / "debian/control").exists())

    def test_takes_a_folder_of_the_caller_and_keeps_what_is_there(self):
        for kept in ("caller/packages/kept", "caller/packages/boxcar-1.2.2/kept", "sources/packages/kept"):
            self.write(self.sources.parent / kept, "")
        self.write(self.caller / "packages/boxcar-1.2.3/left", "of an earlier build")
        self.build("packages")
        self.assert_built_in(self.caller / "packages")
        self.assertTrue((self.caller / "packages/kept").exists())
        self.assertTrue((self.caller / "packages/boxcar-1.2.2/kept").exists())
        self.assertTrue((self.sources / "packages/kept").exists())
        self.assertFalse((self.caller / "packages/boxcar-1.2.3/left").exists())

    def test_takes_a_path_from_the_root(self):
        self.build(self.caller / "other packages")
        self.assert_built_in(self.caller / "other packages")

    def test_takes_a_folder_of_the_repository_if_none_is_given(self):
        self.build()
        self.assert_built_in(self.sources / "build/debian")


if __name__ == "__main__":
    unittest.main()
