#!/usr/bin/env python3
"""Checks the language of comments and names (docs/contributing.md, "Comments and names").

check_language.py [--list] [REPOSITORY]

The check fails if
- more than MAX_SHARE per cent of the words of comments in src/ and include/ point at something
  elsewhere ("it", "that", "what", ...),
- more than MAX_WITHOUT_SUBJECT of these comments begin without a subject ("What ...", "Of ..."),
- code or a comment has a word of scripts/banned_words.txt.
--list prints every comment that begins without a subject, and the files with the largest shares of
pointing words.
"""

import argparse
import re
import sys
from dataclasses import dataclass
from pathlib import Path

MAX_SHARE = 4.5  # per cent
MAX_WITHOUT_SUBJECT = 0

COMMENTED = ["src", "include"]
NAMED = [*COMMENTED, "bench", "examples", "python/src", "tests"]
SUFFIXES = {".hpp", ".cpp", ".h", ".c"}
BANNED = "scripts/banned_words.txt"
SCOPES = ("name", "comment")

POINTING = re.compile(
    r"\b(it|its|that|those|what|which|who|whom|whose|whoever|this|these|one|ones|others|such|"
    r"so many)\b",
    re.IGNORECASE,
)
WITHOUT_SUBJECT = re.compile(
    r"what|who|that|those|the same|all three|both|of |and |else|where|so many|it |its |such|this ",
    re.IGNORECASE,
)


@dataclass
class Comment:
    """Adjacent lines of comment, as one text without the marks of comments."""

    file: str
    line: int
    text: str

    def __str__(self):
        return f"{self.file}:{self.line}: {self.text[:100]}"


@dataclass
class BannedWord:
    scope: str
    word: str
    instead: str

    def __post_init__(self):
        # In names an underscore ends a word; in comments an identifier is a single word.
        inside = "[A-Za-z0-9]" if self.scope == "name" else "[A-Za-z0-9_]"
        words = r"\s+".join(map(re.escape, self.word.split()))
        self.pattern = re.compile(rf"(?<!{inside}){words}(?!{inside})", re.IGNORECASE)


def source_files(repository, folders):
    for folder in folders:
        for path in sorted((repository / folder).rglob("*")):
            if path.suffix in SUFFIXES:
                yield path.relative_to(repository).as_posix(), path.read_text(errors="replace")


def comments_of(file, text):
    """Yields the comments of a file that stand on lines of their own."""
    start, block, inside = 0, [], False
    for number, line in enumerate([*text.splitlines(), ""], 1):
        stripped = line.strip()
        begins = stripped.startswith("/*")
        if inside or begins or stripped.startswith("//"):
            start = start if block else number
            block.append(stripped.strip("/* ") if inside or begins else stripped.lstrip("/ "))
            inside = (inside or begins) and "*/" not in stripped
        elif block:
            yield Comment(file, start, " ".join(filter(None, block)))
            block = []


def read_banned(text):
    """The banned words; raises SystemExit for a line of another form."""
    banned = []
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        cells = [cell.strip() for cell in line.split("|")]
        if len(cells) != 3 or cells[0] not in SCOPES or not all(cells):
            raise SystemExit(
                f"{BANNED}:{number}: a line is `SCOPE | WORD | USE INSTEAD`, with a scope of "
                f"{' or '.join(SCOPES)}, but not: {line}"
            )
        banned.append(BannedWord(*cells))
    return banned


def share_of(comments):
    """The pointing words of the comments, in per cent."""
    words = sum(len(comment.text.split()) for comment in comments)
    pointing = sum(len(POINTING.findall(comment.text)) for comment in comments)
    return 100 * pointing / max(words, 1)


def begins_without_subject(comment):
    return WITHOUT_SUBJECT.match(comment.text) is not None


def worst_files(comments, number):
    """The files with the largest shares of pointing words, with their shares."""
    by_file = {}
    for comment in comments:
        by_file.setdefault(comment.file, []).append(comment)
    long_enough = {
        file: found
        for file, found in by_file.items()
        if sum(len(comment.text.split()) for comment in found) >= 40
    }
    shares = {file: share_of(found) for file, found in long_enough.items()}
    return sorted(shares.items(), key=lambda item: -item[1])[:number]


def problems_of_comments(comments, max_share, max_without_subject):
    share = share_of(comments)
    if share > max_share:
        worst = ", ".join(f"{file} ({s:.0f} %)" for file, s in worst_files(comments, 5))
        yield (
            f"{share:.2f} % of the words of comments point at something elsewhere, but "
            f"{max_share} % may: repeat the noun. The worst files: {worst}"
        )
    without = [comment for comment in comments if begins_without_subject(comment)]
    if len(without) > max_without_subject:
        yield (
            f"{len(without)} comments begin without a subject, but {max_without_subject} may. "
            "`scripts/check_language.py --list` prints them all"
        )


def problems_of_words(banned, files, comments):
    named = [b for b in banned if b.scope == "name"]
    any_name = re.compile("|".join(b.pattern.pattern for b in named) or "(?!)", re.IGNORECASE)
    for file, text in files:
        if not any_name.search(text):
            continue
        for number, line in enumerate(text.splitlines(), 1):
            for b in named:
                if b.pattern.search(line):
                    yield f"{file}:{number}: not `{b.word}`: {b.instead} ({BANNED})"
    for comment in comments:
        for b in banned:
            if b.scope == "comment" and b.pattern.search(comment.text):
                yield f'{comment.file}:{comment.line}: not "{b.word}": {b.instead} ({BANNED})'


def check(repository, max_share=MAX_SHARE, max_without_subject=MAX_WITHOUT_SUBJECT):
    """All comments, and all problems."""
    files = list(source_files(repository, NAMED))
    comments = [
        comment
        for file, text in files
        if file.startswith(tuple(folder + "/" for folder in COMMENTED))
        for comment in comments_of(file, text)
    ]
    banned = read_banned((repository / BANNED).read_text())
    problems = list(problems_of_comments(comments, max_share, max_without_subject))
    problems += problems_of_words(banned, files, comments)
    return comments, problems


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--list", action="store_true")
    parser.add_argument("repository", nargs="?", type=Path, default=Path(__file__).parent.parent)
    arguments = parser.parse_args()
    comments, problems = check(arguments.repository)
    without = [comment for comment in comments if begins_without_subject(comment)]
    if arguments.list:
        print(*without, sep="\n")
        for file, share in worst_files(comments, 20):
            print(f"{file}: {share:.1f} % pointing words")
    if len(without) < MAX_WITHOUT_SUBJECT:
        print(
            f"Only {len(without)} comments begin without a subject: "
            f"lower MAX_WITHOUT_SUBJECT in scripts/check_language.py to {len(without)}."
        )
    for problem in problems:
        print(problem, file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
