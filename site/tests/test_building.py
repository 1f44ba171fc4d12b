"""scripts/build-site, with another program in the place of Sphinx."""

import os
import signal
import subprocess

import pytest
from conftest import REPOSITORY

# Writes what Sphinx would: the page, then the index; from files if they have been written before.
SPHINX = """#!/bin/sh
while [ $# -gt 1 ]; do shift; done
mkdir -p "$1"
[ -e "$1/page.html" ] || echo new >>"$1/written"
echo "$TEXT" >"$1/page.html"
if [ -n "$FAILS" ]; then exit 2; fi
if [ -n "$WAITS" ]; then echo waits; exec sleep 60; fi
echo "$TEXT" >"$1/searchindex.js"
"""


class Building:
    def __init__(self, folder):
        self.site = folder / "site"
        self.sphinx = folder / "sphinx-build"
        self.sphinx.write_text(SPHINX)
        self.sphinx.chmod(0o755)

    def start(self, text, **variables):
        environment = os.environ | {"TEXT": text, "FAILS": "", "WAITS": ""} | variables
        command = [REPOSITORY / "scripts" / "build-site", self.sphinx, self.site, "-j", "2"]
        return subprocess.Popen(
            command,
            cwd=REPOSITORY,
            env=environment,
            stdout=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )

    def build(self, text, **variables):
        process = self.start(text, **variables)
        process.communicate(timeout=60)
        return process.returncode

    def files(self):
        return {file.name: file.read_text() for file in self.site.glob("*")}


@pytest.fixture
def building(tmp_path):
    return Building(tmp_path)


def test_site_is_built_and_built_again(building):
    assert building.build("first") == 0
    assert building.build("second") == 0
    expected = {"page.html": "second\n", "searchindex.js": "second\n", "written": "new\n"}
    assert building.files() == expected


@pytest.mark.parametrize("ends", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_interrupted_build_leaves_the_site_and_is_done_anew(building, ends):
    assert building.build("first") == 0
    process = building.start("second", WAITS="1")
    assert process.stdout.readline() == "waits\n"
    os.killpg(process.pid, ends)
    process.communicate(timeout=60)
    assert process.returncode != 0
    assert building.files()["page.html"] == "first\n"
    assert building.build("third") == 0
    expected = {"page.html": "third\n", "searchindex.js": "third\n", "written": "new\n"}
    assert building.files() == expected


def test_failed_build_leaves_the_site(building):
    assert building.build("first") == 0
    assert building.build("second", FAILS="1") == 2
    assert building.files()["page.html"] == "first\n"
    assert building.build("third") == 0
    assert building.files()["searchindex.js"] == "third\n"
