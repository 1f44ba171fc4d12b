#!/usr/bin/env python3
"""Tests of floors.py: it finds the breaches planted in a copy of the sources and in small trees.

floors_test.py REPOSITORY
"""

import pathlib
import shutil
import sys
import tempfile
import unittest

import floors

REPOSITORY = pathlib.Path(sys.argv.pop(1))

HEADING = "| " + " | ".join(floors.COLUMNS) + " |\n" + "| --- " * len(floors.COLUMNS) + "|\n"
ROWS = {
    "upper": "| upper | `src/upper/` | | core | lower | |\n",
    "lower": "| lower | `src/lower/` | `lower.hpp` | core | | |\n",
    "basis": "| basis | | `error.hpp` | core | | |\n",
}
FILES = {
    "src/upper/a.cpp": '#include "lower/b.hpp"\n#include <boxcar/error.hpp>\n',
    "src/lower/b.hpp": "#include <boxcar/lower.hpp>\n#include <vector>\n",
    "include/boxcar/lower.hpp": "#include <boxcar/error.hpp>\n",
    "include/boxcar/error.hpp": "",
}


class Folder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)

    def write(self, name, text):
        file = self.root / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)

    def problems(self):
        return floors.check(self.root)[1]


class CopyOfTheSources(Folder):
    def setUp(self):
        super().setUp()

        def others(folder, names):
            path = pathlib.Path(folder)
            return [
                n
                for n in names
                if (path / n).is_file() and (path / n).suffix not in floors.SUFFIXES
            ]

        for tree in floors.TREES:
            shutil.copytree(REPOSITORY / tree, self.root / tree, ignore=others)
        self.write(floors.TABLE, (REPOSITORY / floors.TABLE).read_text())

    def plant(self, file, line):
        path = self.root / file
        path.write_text(line + "\n" + path.read_text())

    def test_is_without_breaches_as_it_is(self):
        self.assertEqual(self.problems(), [])

    def test_shows_includes_that_are_not_allowed(self):
        self.plant("src/porter/porter.cpp", '#include "conveyor/engine.hpp"')
        self.plant("include/boxcar/conveyor.hpp", "#include <boxcar/stream.hpp>")
        self.assertEqual(
            self.problems(),
            [
                "include/boxcar/conveyor.hpp:1: conveyors may not use streams "
                "(docs/architecture.md), but includes include/boxcar/stream.hpp",
                "src/porter/porter.cpp:1: porters may not use conveyors "
                "(docs/architecture.md), but includes src/conveyor/engine.hpp",
            ],
        )

    def test_shows_folders_and_headers_of_no_floor(self):
        self.write("src/attic/chest.cpp", "")
        self.write("include/boxcar/chest.hpp", "")
        self.assertEqual(
            self.problems(),
            [
                "include/boxcar/chest.hpp: no floor of docs/architecture.md claims it",
                "src/attic/chest.cpp: no floor of docs/architecture.md claims it",
            ],
        )


class MadeUpSources(Folder):
    def make(self, rows=None, files=None):
        self.write(
            floors.TABLE,
            "Words.\n\n" + HEADING + "".join({**ROWS, **(rows or {})}.values()) + "\nMore.\n",
        )
        for name, text in {**FILES, **(files or {})}.items():
            self.write(name, text)
        return self.problems()

    def test_may_be_right(self):
        self.assertEqual(self.make(), [])

    def test_shows_the_line_of_an_include(self):
        found = self.make(
            files={
                "src/lower/c.cpp": '// One\n/* Two\n */\n  #  include "upper/d.hpp"\n',
                "src/upper/d.hpp": "",
            }
        )
        self.assertEqual(
            found,
            [
                "src/lower/c.cpp:4: lower may not use upper (docs/architecture.md), "
                "but includes src/upper/d.hpp"
            ],
        )

    def test_passes_over_includes_in_comments(self):
        comment = '// #include "upper/d.hpp"\n/*\n#include "upper/d.hpp"\n*/\n'
        self.assertEqual(self.make(files={"src/lower/c.cpp": comment, "src/upper/d.hpp": ""}), [])

    def test_shows_permissions_without_use(self):
        found = self.make(files={"src/upper/a.cpp": ""})
        self.assertEqual(
            found, ["docs/architecture.md: upper may use lower, but includes nothing of it"]
        )

    def test_shows_patterns_without_files(self):
        rows = {"lower": "| lower | `src/lower/`, `src/gone/` | `lower.hpp` | core | | |\n"}
        self.assertEqual(
            self.make(rows), ["docs/architecture.md: lower has `src/gone/`, which no file matches"]
        )

    def test_shows_uses_of_floors_that_do_not_stand_below(self):
        rows = {"lower": "| lower | `src/lower/` | `lower.hpp` | core | upper | |\n"}
        found = self.make(
            rows, {"src/lower/c.cpp": '#include "upper/d.hpp"\n', "src/upper/d.hpp": ""}
        )
        self.assertEqual(
            found, ["docs/architecture.md: lower may use upper, which does not stand below it"]
        )

    def test_shows_uses_of_unknown_floors(self):
        rows = {"lower": "| lower | `src/lower/` | `lower.hpp` | core | cellar | |\n"}
        self.assertIn(
            "docs/architecture.md: lower may use cellar, which is no floor of the table",
            self.make(rows),
        )

    def test_shows_what_two_floors_claim(self):
        rows = {"basis": "| basis | `src/lower/` | `error.hpp` | core | | |\n"}
        self.assertIn(
            "src/lower/b.hpp: several floors of docs/architecture.md claim it: lower and basis",
            self.make(rows),
        )

    def test_prefers_the_more_special_claim(self):
        rows = {"basis": "| basis | `src/lower/c*` | `error.hpp` | core | | |\n"}
        self.assertEqual(
            self.make(
                rows,
                {
                    "src/lower/c.hpp": "",
                    "src/lower/b.hpp": '#include "lower/c.hpp"\n#include <boxcar/lower.hpp>\n',
                },
            ),
            [],
        )

    def test_shows_libraries_that_need_one_another(self):
        rows = {
            "upper": "| upper | `src/upper/` | | core | lower | |\n",
            "lower": "| lower | `src/lower/` | `lower.hpp` | other | deep | |\n",
            "basis": "| deep | `src/deep/` | | core | | |\n| basis | | `error.hpp` | core | | |\n",
        }
        found = self.make(
            rows, {"src/lower/c.cpp": '#include "deep/e.hpp"\n', "src/deep/e.hpp": ""}
        )
        self.assertEqual(
            found,
            [
                "docs/architecture.md: the library core needs itself, by way of others",
                "docs/architecture.md: the library other needs itself, by way of others",
            ],
        )

    def test_shows_includes_of_nothing(self):
        found = self.make(
            files={"src/lower/c.cpp": '#include "gone.hpp"\n#include <boxcar/gone.hpp>\n'}
        )
        self.assertEqual(
            found,
            [
                'src/lower/c.cpp:1: "gone.hpp" is not found',
                "src/lower/c.cpp:2: <boxcar/gone.hpp> does not exist",
            ],
        )

    def test_shows_what_the_build_does_otherwise(self):
        rows = {
            "upper": "| upper | `src/upper/` | | streams | lower | |\n",
            "basis": "| deep | `src/deep/` | | core | | |\n" + ROWS["basis"],
        }
        sources = {"src/lower/c.cpp": "", "src/deep/d.cpp": ""}
        build = "boxcar_add_component(core lower/c.cpp deep/d.cpp)\n"
        right = build + "boxcar_add_component(streams\n  upper/a.cpp\n  USES between)\n"
        right += "boxcar_add_component(between USES core)\n"
        self.assertEqual(self.make(rows, {**sources, "src/CMakeLists.txt": right}), [])
        wrong = build.replace("deep", "upper/a.cpp deep") + "boxcar_add_component(streams)\n"
        self.assertEqual(
            self.make(rows, {**sources, "src/CMakeLists.txt": wrong}),
            [
                "src/CMakeLists.txt: upper/a.cpp is a part of core, but docs/architecture.md has "
                "it in streams",
                "src/CMakeLists.txt: streams does not use core, which docs/architecture.md says "
                "that it does",
            ],
        )

    def test_shows_pages_of_folders_with_other_floors(self):
        self.assertEqual(
            self.make(files={"src/upper/README.md": "Floor: upper. May include: lower, basis.\n"}),
            [],
        )
        self.assertEqual(
            self.make(files={"src/upper/README.md": "Floor: upper. May include: basis.\n"}),
            ["src/upper/README.md has no line: Floor: upper. May include: lower, basis."],
        )

    def test_needs_a_table(self):
        self.write(floors.TABLE, "No table.\n")
        with self.assertRaises(SystemExit):
            floors.check(self.root)


if __name__ == "__main__":
    unittest.main()
