#!/usr/bin/env python3
"""Writes docs/files.md: the files of the library and the package, each with its first sentence.

list_files.py [--check] [REPOSITORY]

--check writes nothing and fails if the page is not up to date.

A header is described by its first comment, before any declaration; a source file by a comment in
its first line, unless a header of the same name lies in the same folder and describes both; a model
for Spin and a module in Python by their first comment. A file without a description is an error, and
so is a folder of src/ without README.md, or with a README.md of more than MAX_README lines, or that
names a file that does not exist.
"""

import argparse
import re
import sys
from pathlib import Path

PAGE = "docs/files.md"
MAX_README = 60  # lines
TREES = ["include/boxcar", "src", "python/boxcar", "python/src"]
HEADERS = {".hpp", ".h"}
SOURCES = {".cpp", ".c"}
SUFFIXES = HEADERS | SOURCES | {".pml", ".py"}
INTRODUCTION = """\
# Files

The files of the library and of the Python package, by folder. `scripts/list_files.py` makes this page from the first
sentence of each file. A source file with a header of the same name in its folder has no row of its own. The folders of
`src/` have a `README.md` each; [Architecture](architecture.md) describes the floors.
"""
# Lines that may stand before the first comment of a header.
BEFORE_COMMENT = re.compile(r"#|extern \"C\"|namespace\b|\{|$")


def first_comment(file, text):
    """The lines of the first comment of a file; empty if there is none at its place."""
    if file.suffix == ".py":
        docstring = re.match(r'(?:#.*\n)*"""(.*?)"""', text, re.DOTALL)
        return docstring[1].splitlines() if docstring else []
    if file.suffix in SOURCES and not text.startswith(("//", "/*")):
        return []
    lines, inside = [], False
    for line in text.splitlines():
        stripped = line.strip()
        if inside or stripped.startswith("/*"):
            lines.append(stripped.strip("/* "))
            inside = "*/" not in stripped
            if not inside:
                break
        elif stripped.startswith("//"):
            lines.append(stripped.lstrip("/ "))
        elif lines or not BEFORE_COMMENT.match(stripped):
            break
    return lines


def first_sentence(lines):
    """The first sentence of a comment; an empty line ends a sentence, too."""
    paragraph = "\n".join(lines).strip().split("\n\n")[0]
    text = re.sub(r"\s+", " ", paragraph)
    end = re.search(r"[.!?](?=\s+(?:[A-Z`(\"]|docs/))", text)
    return text[: end.end()] if end else text


def in_table(text):
    """Text of a comment as Markdown in a cell of a table."""

    def escaped(part):
        return re.sub(r"([\\*<\[_])", r"\\\1", part)

    parts = text.split("`")
    if len(parts) % 2 == 0:  # a backtick without its partner is a character like others
        parts[-2:] = [parts[-2] + "\\`" + parts[-1]]
    cells = [escaped(part) if i % 2 == 0 else f"`{part}`" for i, part in enumerate(parts)]
    return "".join(cells).replace("|", "\\|")


def described_by_header(file):
    return file.suffix in SOURCES and any(file.with_suffix(suffix).exists() for suffix in HEADERS)


def folders_with_files(repository):
    """The folders in the order of the page, each with the files that have a row."""
    for tree in TREES:
        files = [path for path in (repository / tree).rglob("*") if path.suffix in SUFFIXES]
        for folder in sorted({path.parent for path in files}):
            yield folder, sorted(path for path in files if path.parent == folder)


def page(repository):
    """The text of the page, and the problems of files and folders."""
    text, problems = INTRODUCTION, []
    for folder, files in folders_with_files(repository):
        name = folder.relative_to(repository).as_posix()
        text += f"\n## {name}\n\n| file | purpose |\n| --- | --- |\n"
        for file in files:
            if described_by_header(file):
                continue
            sentence = first_sentence(first_comment(file, file.read_text()))
            if not sentence:
                problems.append(
                    f"{name}/{file.name} does not begin with a comment that says what the file "
                    "is for"
                )
            text += f"| `{file.name}` | {in_table(sentence)} |\n"
        if name.startswith("src/"):
            problems += problems_of_readme(folder / "README.md", f"{name}/README.md")
    return text, problems


def problems_of_readme(readme, name):
    if not readme.exists():
        yield f"{name} is missing: what the folder is for, its main objects, where to start reading"
        return
    text = readme.read_text()
    if (lines := len(text.splitlines())) > MAX_README:
        yield f"{name} has {lines} lines, but {MAX_README} are the limit"
    for path in re.findall(r"\]\(([^)#]+)", text):
        if not (readme.parent / path).exists():
            yield f"{name} links to {path}, which does not exist"
    repository = readme.parents[len(Path(name).parts) - 1]
    for path in re.findall(r"`([\w/.-]+\.(?:hpp|cpp|h|c|pml))`", text):
        folders = [readme.parent, readme.parent.parent, repository / "src", repository]
        if not any((folder / path).exists() for folder in folders):
            yield f"{name} names {path}, which does not exist"


def check(repository):
    """The problems, and the text that the page should have."""
    text, problems = page(repository)
    written = repository / PAGE
    if not written.exists() or written.read_text() != text:
        problems.append(f"{PAGE} is not up to date: run `scripts/list_files.py`")
    return text, problems


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--check", action="store_true")
    parser.add_argument("repository", nargs="?", type=Path, default=Path(__file__).parent.parent)
    arguments = parser.parse_args()
    if not arguments.check:
        (arguments.repository / PAGE).write_text(page(arguments.repository)[0])
    _, problems = check(arguments.repository)
    for problem in problems:
        print(problem, file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
