#!/usr/bin/env python3
"""Tests of scripts/check-release: it names the problem that a test plants in a small checkout.

check_release_test.py REPOSITORY

The checkout has the files of the repository that state the version. Tests of the ABI have another
abidiff in PATH.
"""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

REPOSITORY = pathlib.Path(sys.argv.pop(1))
FILES = [
    "scripts/check-release",
    "CMakeLists.txt",
    "include/boxcar/version.hpp",
    "packaging/conda/recipe.yaml",
    "packaging/debian/changelog",
    "packaging/debian/control",
    "packaging/debian/libboxcar{minor}.install",
    "packaging/debian/libboxcar{minor}.symbols",
    "tests/packaging/find_package/CMakeLists.txt",
    "docs/collectives.md",
    "docs/installing.md",
    "docs/tuning.md",
]
# What the script calls before it looks for abidiff.
TOOLS = ["awk", "cat", "dirname", "git", "grep", "head", "mkdir", "paste", "sed", "sh", "sort"]


def version_of(repository):
    text = (repository / "CMakeLists.txt").read_text()
    return text.split("project(boxcar VERSION ")[1].split()[0]


VERSION = version_of(REPOSITORY)
MINOR = VERSION.rpartition(".")[0]


class CheckRelease(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        self.checkout, self.path = self.root / "checkout", self.root / "path"
        for name in FILES:
            name = name.format(minor=MINOR)
            (self.checkout / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(REPOSITORY / name, self.checkout / name)
        self.write("CHANGELOG.md", f"## [Unreleased]\n\n## [{VERSION}] - 2026-11-30\n- All.\n")
        self.write(".gitignore", "/build/\n")
        self.git("init", "-q")
        self.commit()
        self.path.mkdir()

    def write(self, name, text):
        (self.checkout / name).write_text(text)

    def replace(self, name, old, new):
        text = (self.checkout / name).read_text()
        self.assertIn(old, text)
        self.write(name, text.replace(old, new))

    def git(self, *words):
        identity = ["-c", "user.name=a", "-c", "user.email=a@example.org"]
        subprocess.run(["git", "-C", self.checkout, *identity, *words], check=True)

    def commit(self):
        self.git("add", ".")
        self.git("commit", "-q", "-m", "all")

    def check(self, *options, path=None):
        """The status and the output of the script."""
        done = subprocess.run(
            [self.checkout / "scripts/check-release", *options],
            env={**os.environ, "PATH": path or f"{self.path}:{os.environ['PATH']}"},
            text=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
        return done.returncode, done.stdout

    def assert_fails(self, *texts, options=(), path=None):
        status, output = self.check(*options, path=path)
        self.assertEqual(status, 1, output)
        for text in texts:
            self.assertIn(text, output)

    def assert_passes(self, *texts, options=()):
        status, output = self.check(*options)
        self.assertEqual(status, 0, output)
        for text in texts:
            self.assertIn(text, output)

    # --- Versions ---------------------------------------------------------------------------------

    def test_a_checkout_without_problems_passes(self):
        self.assert_passes(f"git tag -a v{VERSION}", "the ABI is compared with nothing")
        self.assert_passes(f"all files state version {VERSION}", options=["--versions"])

    def test_each_file_with_another_version_is_named(self):
        for name in FILES[2:]:
            name = name.format(minor=MINOR)
            if name.endswith(".install"):
                continue
            text = (self.checkout / name).read_text()
            with self.subTest(name):
                changed = text.replace(VERSION, "9.8.7").replace(f"boxcar {MINOR}", "boxcar 9.8")
                changed = changed.replace(f"libboxcar{MINOR}", "libboxcar9.8")
                changed = changed.replace(f"libboxcar.so.{MINOR}", "libboxcar.so.9.8")
                self.assertNotEqual(changed, text)
                self.write(name, changed)
                self.assert_fails(name, "9.8", VERSION, options=["--versions"])
            self.write(name, text)

    def test_a_file_that_states_no_version_is_named(self):
        self.write("packaging/conda/recipe.yaml", "context:\n")
        self.assert_fails("packaging/conda/recipe.yaml states no version", options=["--versions"])

    def test_a_release_of_the_changelog_alone_is_named(self):
        self.write("CHANGELOG.md", "## [9.8.7] - 2026-11-30\n")
        self.assert_fails("CHANGELOG.md is [9.8.7]", options=["--versions"])

    def test_a_changelog_without_releases_states_no_other_version(self):
        self.write("CHANGELOG.md", "## [Unreleased]\n- All.\n")
        self.assert_passes(options=["--versions"])

    # --- Checkout and changelog -------------------------------------------------------------------

    def test_changes_are_named(self):
        self.write("notes", "")
        self.assert_fails("the checkout has changes", "?? notes")

    def test_a_changelog_without_the_version_is_named(self):
        self.write("CHANGELOG.md", "## [Unreleased]\n- All.\n")
        self.commit()
        self.assert_fails(f"CHANGELOG.md has no section '## [{VERSION}]")

    def test_entries_that_are_not_in_the_section_are_named(self):
        self.replace("CHANGELOG.md", "## [Unreleased]\n", "## [Unreleased]\n- More.\n")
        self.commit()
        self.assert_fails("entries under '## [Unreleased]'")

    def test_a_version_that_is_released_is_named(self):
        self.git("tag", f"v{VERSION}")
        self.assert_fails(f"the tag v{VERSION} exists")

    def test_unknown_options_and_folders_are_refused(self):
        self.assertEqual(self.check("--fast")[0], 2)
        status, output = self.check("--last", "/no/such/folder")
        self.assertEqual(status, 2)
        self.assertIn("/no/such/folder", output)

    # --- ABI --------------------------------------------------------------------------------------

    def installation(self, name, soname):
        """A prefix with a library of the soname."""
        library = self.root / name / "lib/libboxcar.so"
        library.parent.mkdir(parents=True)
        command = ["cc", "-shared", f"-Wl,-soname,{soname}", "-o", library, "-x", "c", "/dev/null"]
        subprocess.run(command, check=True)
        return str(self.root / name)

    def put_in_path(self, name, commands):
        script = self.path / name
        script.write_text(f"#!/bin/sh\n{commands}\n")
        script.chmod(0o755)

    def compare(self, abidiff, old="libboxcar.so.1", new="libboxcar.so.1"):
        """The options for two installations, and an abidiff that runs these commands."""
        self.put_in_path("abidiff", abidiff)
        return ["--last", self.installation("old", old), "--new", self.installation("new", new)]

    def test_an_abi_without_changes_passes(self):
        self.assert_passes("run with it (libboxcar.so.1)", options=self.compare("exit 0"))

    def test_a_changed_abi_is_named(self):
        options = self.compare("echo 1 function changed; exit 4")
        self.assert_fails("the ABI of libboxcar.so differs", "1 function changed", options=options)

    def test_a_changed_abi_with_another_soname_passes(self):
        options = self.compare("exit 12", new="libboxcar.so.2")
        self.assert_passes("libboxcar.so.1 of", "becomes libboxcar.so.2", options=options)

    def test_new_functions_need_the_version_in_the_symbols_of_debian(self):
        added = 'case "$*" in *--no-added-syms*) exit 0 ;; esac; exit 4'
        options = self.compare(added)
        self.assert_passes(options=options)
        symbols = f"packaging/debian/libboxcar{MINOR}.symbols"
        self.replace(symbols, f" {VERSION}\n", " 0.0.1\n")
        self.commit()
        self.assert_fails(f"{symbols} states 0.0.1", f"write {VERSION}", options=options)

    def test_a_failure_of_abidiff_is_named(self):
        options = self.compare("echo no such file; exit 1")
        self.assert_fails("abidiff has failed with status 1", "no such file", options=options)

    def test_a_missing_abidiff_is_named(self):
        for tool in TOOLS:
            (self.path / tool).symlink_to(shutil.which(tool))
        options = ["--last", self.installation("old", "libboxcar.so.1")]
        expected = ["no abidiff in PATH", "abigail-tools"]
        self.assert_fails(*expected, options=options, path=str(self.path))

    def test_both_versions_are_built_if_no_installation_is_given(self):
        self.git("tag", "v0.0.1")
        self.git("tag", "v0.0.10")
        self.compare("exit 0")
        build = 'mkdir -p "$4/lib"; cp "${0%/*}/../old/lib/libboxcar.so" "$4/lib"'
        self.put_in_path("cmake", f"case $1 in --install) {build} ;; esac")
        self.assert_passes("linked with v0.0.10 run with it (libboxcar.so.1)")

    def test_a_release_that_cannot_be_built_is_named(self):
        self.git("tag", "v0.0.1")
        self.compare("exit 0")
        self.put_in_path("cmake", "echo no compiler; exit 1")
        self.assert_fails("the libraries of v0.0.1 cannot be built", "no compiler")

    def test_a_missing_library_is_named(self):
        options = self.compare("exit 0")
        pathlib.Path(options[3], "lib/libboxcar.so").unlink()
        self.assert_fails("has no libboxcar.so, which", options=options)


if __name__ == "__main__":
    unittest.main()
