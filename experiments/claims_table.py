#!/usr/bin/env python3
"""Writes the table of all expectations and verdicts into docs/experiments.md.

  experiments/claims_table.py

The table stands between two comments of the page, and comes from data/experiments and
expectations.json.
"""

import json
from pathlib import Path

from expectations import expectations_of, needs_reason
from outcome import text_of

REPOSITORY = Path(__file__).resolve().parent.parent
DATA = REPOSITORY / "data" / "experiments"
PAGE = REPOSITORY / "docs" / "experiments.md"
BEGIN, END = "<!-- claims: experiments/claims_table.py -->\n", "<!-- end of claims -->"


def rows_of(file):
    found = json.loads(file.read_text())
    source, expected = expectations_of(found["experiment"])
    for claim in found["claims"]:
        where = ", ".join(part for part in (source, claim["where"]) if part)
        if claim["where"].startswith(tuple(source.split(", "))):
            where = claim["where"]
        details = f" ({claim['details']})" if claim["details"] else ""
        reason = expected[claim["key"]].get("reason", "")
        is_explained = reason and needs_reason(expected[claim["key"]], claim["verdict"])
        reason = f". {reason}" if is_explained else ""
        yield (
            f"| {found['experiment']} | {claim['says']} ({where}) "
            f"| {text_of(claim['found'])}{details} | {claim['verdict']}{reason} |"
        )


def table():
    """The table, and below it the remarks of experiments."""
    lines = ["| experiment | expected | found | verdict, and the reason |", "| --- | --- | --- | --- |"]
    files = sorted(DATA.glob("*.json"))
    for file in files:
        lines += rows_of(file)
    for file in files:
        lines += [f"\n{file.stem}: {remark}." for remark in json.loads(file.read_text())["remarks"]]
    return "\n".join(lines) + "\n"


def text_of_page(page):
    """The page with the table of the stored figures."""
    before, rest = page.split(BEGIN)
    _, after = rest.split(END)
    return f"{before}{BEGIN}{table()}{END}{after}"


if __name__ == "__main__":
    PAGE.write_text(text_of_page(PAGE.read_text()))
