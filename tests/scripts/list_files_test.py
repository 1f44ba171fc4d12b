#!/usr/bin/env python3
"""Tests of scripts/list_files.py: it describes files, and shows a page that is not up to date.

list_files_test.py REPOSITORY
"""

import pathlib
import sys
import tempfile
import unittest

REPOSITORY = pathlib.Path(sys.argv.pop(1))
sys.path.insert(0, str(REPOSITORY / "scripts"))

import list_files  # noqa: E402

FILES = {
    "include/boxcar/item.hpp": "#pragma once\n\nnamespace boxcar {\n\n// An item is a value. No.\n",
    "src/porter/README.md": "`porter.hpp`, `src/porter/send.cpp`, [all](../../docs/files.md)\n",
    "src/porter/porter.hpp": "// A porter drives links\n// (see `a|b` and a*b*c). docs/x.md says.\n",
    "src/porter/porter.cpp": "#include <x>\n",
    "src/porter/send.cpp": "// The sender.\n//\n// More.\n#include <x>\n",
    "src/porter/links.pml": "/* The protocol of links,\n   for Spin. */\n",
    "python/boxcar/a.py": '"""The arrays."""\n',
}
ROWS = [
    "## include/boxcar",
    "| `item.hpp` | An item is a value. |",
    "## src/porter",
    "| `links.pml` | The protocol of links, for Spin. |",
    "| `porter.hpp` | A porter drives links (see `a\\|b` and a\\*b\\*c). |",
    "| `send.cpp` | The sender. |",
    "## python/boxcar",
    "| `a.py` | The arrays. |",
]


class ListFiles(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        self.write("docs/files.md", "")
        for name, text in FILES.items():
            self.write(name, text)
        self.write("docs/files.md", list_files.page(self.root)[0])

    def write(self, name, text):
        file = self.root / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)

    def problems(self):
        return list_files.check(self.root)[1]

    def test_describes_files(self):
        lines = (self.root / "docs/files.md").read_text().splitlines()
        rows = [line for line in lines if line.startswith(("##", "| `"))]
        self.assertEqual(rows, ROWS)
        self.assertEqual(self.problems(), [])

    def test_shows_a_page_that_is_not_up_to_date(self):
        stale = ["docs/files.md is not up to date: run `scripts/list_files.py`"]
        self.write("include/boxcar/item.hpp", "// An item is a number.\n")
        self.assertEqual(self.problems(), stale)
        self.write("docs/files.md", list_files.page(self.root)[0])
        self.write("src/porter/other.hpp", "// Another file.\n")
        self.assertEqual(self.problems(), stale)

    def test_shows_files_without_a_description(self):
        for name in ["other.hpp", "other.cpp"]:
            self.write(f"src/porter/{name}", "#include <x>\nint a;\n// A comment.\n")
            self.write("docs/files.md", list_files.page(self.root)[0])
            self.assertEqual(
                self.problems(),
                [f"src/porter/{name} does not begin with a comment that says what the file is for"],
            )
            (self.root / "src/porter" / name).unlink()

    def test_shows_folders_without_a_page(self):
        (self.root / "src/porter/README.md").unlink()
        self.assertIn("src/porter/README.md is missing", self.problems()[0])

    def test_shows_pages_of_folders_that_are_too_long_or_wrong(self):
        self.write("src/porter/README.md", "A line.\n" * 61)
        self.assertEqual(
            self.problems(), ["src/porter/README.md has 61 lines, but 60 are the limit"]
        )
        self.write("src/porter/README.md", "`gone.hpp` and [gone](gone.md)\n")
        self.assertEqual(
            self.problems(),
            [
                "src/porter/README.md links to gone.md, which does not exist",
                "src/porter/README.md names gone.hpp, which does not exist",
            ],
        )

    def test_the_repository_is_up_to_date(self):
        self.assertEqual(list_files.check(REPOSITORY)[1], [])


if __name__ == "__main__":
    unittest.main()
