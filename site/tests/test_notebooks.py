"""Notebooks are pages, with what came when they were run, and can be downloaded."""

import html
import json
import re

import pytest
from conftest import REPOSITORY, SITE
from notebook_pages import text_of

NOTEBOOKS = sorted((REPOSITORY / "docs" / "tutorials").glob("*.ipynb"))


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda notebook: notebook.stem)
def test_page(notebook):
    page = (SITE / "tutorials" / f"{notebook.stem}.html").read_text()
    download = re.search(r'href="\.\./(_downloads/[^"]*\.ipynb)"', page).group(1)
    assert (SITE / download).read_text() == notebook.read_text()
    shown = html.unescape(re.sub(r"<[^>]*>", "", page))
    for cell in json.loads(notebook.read_text())["cells"]:
        for output in cell.get("outputs", []):
            assert text_of(output) in shown


def test_there_are_some():
    assert len(NOTEBOOKS) >= 5
