"""The reference has all public headers, with their comments, and nothing else."""

import re

import pytest
from comments_for_doxygen import for_doxygen
from conftest import REPOSITORY, SITE
from reference import public_headers

PAGES = list((REPOSITORY / "docs" / "reference").glob("*.md"))


@pytest.mark.parametrize("header", [str(header) for header in public_headers()])
def test_a_header_has_a_page_that_leads_to_it(header):
    parts = header.split("/")
    names = [
        "/".join(parts[i:]) for i in range(len(parts))
    ]  # two headers may have the same last part
    pages = [
        page.read_text()
        for page in PAGES
        if any(f"{{doxygenfile}} {name}\n" in page.read_text() for name in names)
    ]
    assert len(pages) == 1
    assert f"](../../include/{header})" in pages[0]


def text_of(page):
    text = (SITE / page).read_text()
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", "", text))


@pytest.mark.parametrize(
    "page,words",
    [
        (
            "reference/conveyor.html",
            "Local, never blocks. Legal while working. Sends item to pe",
        ),  # above a function
        ("reference/world.html", "throws argument_error if out of range"),  # behind one
        ("reference/world.html", "Who and where; local"),  # a title
        (
            "reference/conveyor_options.html",
            "asynchronous; buffers move as they fill; 1, 2 or 3 hops",
        ),  # of an enumerator
        ("reference/statistics.html", "as sent, be it compressed or not"),  # of a member
        ("reference/c-convey.html", "the operation is illegal in the conveyor’s state"),  # in C
        ("reference/c-openshmem.html", "shmem_TYPENAME_atomic_fetch_OP"),
    ],
)
def test_comments_are_there(page, words):
    assert words in text_of(page)


@pytest.mark.parametrize(
    "page,word",
    [
        ("reference/conveyor.html", "core_"),
        ("reference/world.html", "reduce_bytes"),
        ("reference/world.html", "substrate"),
        ("reference/c-openshmem.html", "BOXCAR_SHMEM_DECLARE_RMA"),
    ],
)
def test_what_is_inside_is_not(page, word):
    assert not re.search(
        rf'class="sig-name[^"]*"><span class="n"><span class="pre">{word}<',
        (SITE / page).read_text(),
    )


def test_comments_become_documentation():
    assert (
        for_doxygen("""// About the file.

// --- Title -----------------------------------------
// Above f.
[[nodiscard]] int f();  // behind f
                        // and below
int g() {
  // inside
  return 0;  // inside
}
namespace detail {
// not for users
int h();
}  // namespace detail
""")
        == """/// @file
/// About the file.

/// @name Title
/// @{

/// Above f.
int f();
///< behind f
///< and below
int g() {

  return 0;
}
/// @cond
namespace detail {
/// not for users
int h();
}
/// @endcond

/// @}"""
    )
