#!/usr/bin/env python3
"""Tests that the programs of README.md and docs/*.md run as pasted, by the commands beside.

Each whole program, which has a `main`, is followed by a block of commands that compiles it with
nothing but a compiler and pkg-config, and starts it. The commands are those of a user who has
installed Boxcar. Programs that need no other library than `boxcar` are compiled and run by other
tests as well; so only the first of them is compiled here.

pasted.py SOURCE_DIRECTORY PREFIX [--all]
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
COMPILES = re.compile(
    r"^(?P<compiler>g\+\+|cc|oshcc) -std=(?P<standard>c\+\+20|c11) -O2 (?P<source>\w+\.(?:cpp|c)) "
    r"\$\(pkg-config --cflags --libs (?P<library>[\w-]+)\) -o (?P<program>\w+)(?: +#.*)?$",
    re.MULTILINE,
)
# Other lines install Boxcar, or start the program by launchers that a machine need not have.
STARTS = re.compile(r"^(BOXCAR_\w+=\S+ )*(\./|boxcar run )")


def whole_programs(text):
    """Each program of a page with the commands behind it, which may be missing."""
    blocks = [(found[1], found[2], found.start()) for found in BLOCK.finditer(text)]
    for i, (language, code, start) in enumerate(blocks):
        if language not in ("cpp", "c") or not re.search(r"\bint main\(", code):
            continue
        commands = []
        for other_language, other, _ in blocks[i + 1 :]:
            if other_language in ("cpp", "c"):
                break
            if other_language == "sh" and COMPILES.search(other):
                commands.append(other)
        yield text.count("\n", 0, start) + 1, language, code, commands


def expected_library(language, code):
    """The libraries that the commands may name, from the includes of the program."""
    if language == "c":
        if "<aml.h>" in code:
            return {"boxcar-aml"}
        openshmem = re.search(r"<(shmem|boxcar_shmemx)\.h>", code)
        return {"boxcar-openshmem", "boxcar-shmemx"} if openshmem else {"boxcar-convey"}
    simulated = re.search(r"<boxcar/(simulate|explore)\.hpp>", code)
    return {"boxcar-simulated"} if simulated else {"boxcar"}


def starts(commands):
    """The lines that start a program, without comments."""
    lines = [line.partition("#")[0].rstrip() for line in commands.splitlines()]
    return "".join(f"{line}\n" for line in lines if STARTS.match(line))


def run(commands, source, code, environment):
    """Runs the lines that compile and start the program; an empty text if all went well."""
    with tempfile.TemporaryDirectory() as folder:
        (pathlib.Path(folder) / source).write_text(code)
        for line in commands.splitlines():
            if not COMPILES.match(line) and not STARTS.match(line):
                continue
            done = subprocess.run(
                line, shell=True, cwd=folder, env=environment, capture_output=True, text=True,
                timeout=300,
            )  # fmt: skip
            if done.returncode != 0:
                return f"this ends with status {done.returncode}: {line}\n{done.stderr}"
    return ""


def main():
    source, prefix = map(pathlib.Path, sys.argv[1:3])
    all_of_them = "--all" in sys.argv
    found = sorted({file.parent for file in prefix.rglob("boxcar.pc")})
    environment = {k: v for k, v in os.environ.items() if not k.startswith("BOXCAR_")}
    environment["PATH"] = f"{prefix / 'bin'}:{environment['PATH']}"
    environment["PKG_CONFIG_PATH"] = ":".join(map(str, found))
    problems = []
    compiled = set()
    for page in [source / "README.md", *sorted((source / "docs").glob("*.md"))]:
        for line, language, code, commands in whole_programs(page.read_text()):
            where = f"{page.relative_to(source)}:{line}"
            if not commands:
                problems.append(f"{where}: no command beside this program compiles it")
            elif not any(f"./{COMPILES.search(c)['program']}\n" in starts(c) for c in commands):
                problems.append(f"{where}: no command beside this program starts it")
            for block in commands:
                how = COMPILES.search(block)
                library = how["library"]
                allowed = expected_library(language, code)
                if library not in allowed:
                    problems.append(
                        f"{where}: it needs {' or '.join(sorted(allowed))}, not {library}"
                    )
                    continue
                if library in compiled and library == "boxcar" and not all_of_them:
                    continue
                if shutil.which(how["compiler"]) is None:
                    continue
                compiled.add(library)
                # Optional libraries exist only where the packages that they need are installed.
                name = "lib" + library.replace("-", "_") + ".*"
                if any(prefix.rglob(name)) and (
                    problem := run(block, how["source"], code, environment)
                ):
                    problems.append(f"{where}: {problem}")
    for problem in problems:
        print(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
