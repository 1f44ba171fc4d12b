#!/usr/bin/env python3
"""Tests of scripts/check_language.py: the check finds what is planted in a small folder of sources.

check_language_test.py REPOSITORY
"""

import pathlib
import sys
import tempfile
import unittest

REPOSITORY = pathlib.Path(sys.argv.pop(1))
sys.path.insert(0, str(REPOSITORY / "scripts"))

import check_language  # noqa: E402

GOOD = "// The porter drives the links of a hop. A full buffer is sent at once.\nclass porter;\n"
BANNED = "name | side_fiber | background_fiber\ncomment | last words | failure message\n"


class CheckLanguage(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        self.write(check_language.BANNED, BANNED)
        self.write("src/porter.hpp", GOOD)

    def write(self, name, text):
        file = self.root / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)

    def problems(self, **limits):
        return check_language.check(self.root, **limits)[1]

    def test_passes_plain_sentences(self):
        self.assertEqual(self.problems(max_share=0, max_without_subject=0), [])

    def test_counts_pointing_words(self):
        self.write("src/a.hpp", "// A buffer holds it, those which it sends to others.\n")
        found = self.problems(max_share=30)
        self.assertEqual(len(found), 0)
        found = self.problems(max_share=19.9)  # 5 words of 25
        self.assertEqual(len(found), 1)
        self.assertTrue(found[0].startswith("20.00 % of the words of comments"), found)

    def test_counts_comments_without_a_subject(self):
        self.write(
            "include/boxcar/a.hpp", "int a;\n// Of a buffer.\nint b;\n/* What a PE has.\n */\n"
        )
        self.assertEqual(self.problems(max_share=100, max_without_subject=2), [])
        found = self.problems(max_share=100, max_without_subject=1)
        self.assertEqual(len(found), 1)
        self.assertTrue(
            found[0].startswith("2 comments begin without a subject, but 1 may."), found
        )
        comments, _ = check_language.check(self.root)
        without = [str(c) for c in comments if check_language.begins_without_subject(c)]
        self.assertEqual(
            without,
            ["include/boxcar/a.hpp:2: Of a buffer.", "include/boxcar/a.hpp:4: What a PE has."],
        )

    def test_passes_over_comments_outside_of_the_library(self):
        self.write("tests/a.cpp", "// What it is of those.\n")
        self.assertEqual(self.problems(max_share=0, max_without_subject=0), [])

    def test_finds_banned_names(self):
        self.write("tests/a.cpp", "int a;\nint the_side_fiber_of_b;\nint side_fibers;\n")
        self.assertEqual(
            self.problems(),
            ["tests/a.cpp:2: not `side_fiber`: background_fiber (scripts/banned_words.txt)"],
        )

    def test_finds_banned_words_of_comments(self):
        self.write("src/a.hpp", "// The PE prints its last\n// words.\nint last_words;\n")
        self.assertEqual(
            self.problems(max_share=100),
            ['src/a.hpp:1: not "last words": failure message (scripts/banned_words.txt)'],
        )

    def test_refuses_a_list_of_another_form(self):
        for line in ["name | side_fiber", "word | a | b", "name | | b"]:
            self.write(check_language.BANNED, BANNED + line + "\n")
            with self.assertRaises(SystemExit) as raised:
                self.problems()
            self.assertIn("scripts/banned_words.txt:3: ", str(raised.exception))

    def test_the_repository_passes(self):
        self.assertEqual(check_language.check(REPOSITORY)[1], [])


if __name__ == "__main__":
    unittest.main()
