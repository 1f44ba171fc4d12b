#!/usr/bin/env python3
"""Tests the output of cmake/commit.cmake: the commit of a checkout, whether it has changes, and
nothing for sources outside a checkout; the file is written only if it changes.

commit_test.py CMAKE COMMIT_CMAKE
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

if shutil.which("git") is None:
    print("skipped: git is not installed")
    sys.exit(77)

CMAKE, SCRIPT = sys.argv[1:]


def git(folder, *words):
    # The environment is without the user's git settings, and without a git that has started the
    # test.
    environment = {name: value for name, value in os.environ.items()
                   if not name.startswith("GIT_")}
    environment |= {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
    who = ["-c", "user.name=Nobody", "-c", "user.email=nobody@localhost", "-c", "commit.gpgsign=no"]
    run = subprocess.run(["git", *who, *words], cwd=folder, check=True, capture_output=True,
                         text=True, env=environment, timeout=60)
    return run.stdout.strip()


def written(source, header, environment=None):
    """The commit, and whether there are changes."""
    subprocess.run([CMAKE, "-D", f"SOURCE={source}", "-D", f"HEADER={header}", "-P", SCRIPT],
                   check=True, timeout=60, env={**os.environ, **(environment or {})})
    text = header.read_text(encoding="utf-8")
    return (re.search(r'source_commit = "(.*)";', text).group(1),
            re.search(r"source_changed = (.*);", text).group(1))


def main():
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder, "with a blank")
        header = pathlib.Path(folder, "header.hpp")
        source.mkdir()
        (source / "code").write_text("first")
        assert written(source, header) == ("", "false"), "unpacked from an archive"
        git(source, "init", "--quiet")
        assert written(source, header) == ("", "false"), "there is no commit yet"
        git(source, "add", "code")
        git(source, "commit", "--quiet", "--message", "first")
        first = git(source, "rev-parse", "HEAD")
        assert written(source, header) == (first, "false"), first

        os.utime(header, ns=(1, 1))
        (source / "result").write_text("of a run")
        assert written(source, header) == (first, "false"), "a new file is no part of the commit"
        assert header.stat().st_mtime_ns == 1, "it was written though nothing is new"

        (source / "code").write_text("second")
        assert written(source, header) == (first, "true"), "a file was changed"
        assert header.stat().st_mtime_ns != 1
        git(source, "commit", "--quiet", "--all", "--message", "second")
        second = git(source, "rev-parse", "HEAD")
        assert second != first
        assert written(source, header) == (second, "false"), second
        git(source, "rm", "--quiet", "--cached", "code")
        assert written(source, header) == (second, "true"), "a change is prepared"
        git(source, "reset", "--quiet")

        elsewhere = {"GIT_DIR": str(pathlib.Path(folder, "nowhere")), "GIT_INDEX_FILE": "none"}
        assert written(source, header, elsewhere) == (second, "false"), "started by another git"
        pathlib.Path(folder, "link").symlink_to(source)
        assert written(pathlib.Path(folder, "link"), header) == (second, "false"), "by a link"
        inner = source / "inner"
        inner.mkdir()
        assert written(inner, header) == ("", "false"), "unpacked in a checkout of something else"


main()
