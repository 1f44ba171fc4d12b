"""Every link and every anchor of every page leads somewhere."""

from html.parser import HTMLParser
from urllib.parse import unquote, urldefrag, urljoin

import pytest
from conftest import SITE, pages

# Where a reader may be led to outside of the site.
ALLOWED = (
    "http://openshmem.org",
    "https://github.com/pmodels/mpich/pull/6596",
    "https://keepachangelog.com/en/1.1.0/",
    "https://semver.org/",
    "https://ui.perfetto.dev",
    "https://www.sphinx-doc.org/",  # with what the site is made
    "https://pradyunsg.me",
    "https://github.com/pradyunsg/furo",
)


class Page(HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.anchors = {""}
        self.links = []  # where a reader is led to
        self.parts = []  # what the page is made of
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        if attributes.get("id"):
            self.anchors.add(attributes["id"])
        if tag == "a" and attributes.get("href") is not None:
            self.links.append(attributes["href"])
        if tag == "link" and attributes.get("href"):
            in_words = attributes.get("rel") in ("next", "prev", "search", "index")
            (self.links if in_words else self.parts).append(attributes["href"])
        if tag in ("script", "img", "source", "iframe") and attributes.get("src"):
            self.parts.append(attributes["src"])


@pytest.fixture(scope="module")
def read():
    return {page: Page((SITE / page).read_text()) for page in pages()}


def is_elsewhere(link):
    return ":" in link.split("/")[0] or link.startswith("//")


def test_there_are_pages(read):
    assert len(read) > 50
    assert {"index.html", "search.html", "tour.html", "reference/conveyor.html"} <= set(read)


@pytest.mark.parametrize("page", pages())
def test_links(read, page):
    broken = []
    for link in read[page].links + read[page].parts:
        if is_elsewhere(link):
            if link in read[page].parts or not link.startswith(ALLOWED):
                broken.append(f"{link} is outside of the site")
            continue
        target, anchor = urldefrag(urljoin(page, link))
        target = unquote(target.split("?")[0]) or page
        if not (SITE / target).is_file():
            broken.append(f"{link} leads to no file")
        elif (
            target in read
            and not anchor.startswith(":~:")
            and unquote(anchor) not in read[target].anchors
        ):
            broken.append(f"{link} leads to no place of its page")
    assert broken == []


def test_every_page_is_reached(read):
    reached = {"search.html"}
    waiting = ["index.html"]
    while waiting:
        page = waiting.pop()
        if page in reached:
            continue
        reached.add(page)
        for link in read[page].links:
            target = urldefrag(urljoin(page, link))[0] or page
            if target in read:
                waiting.append(target)
    assert set(read) - reached == set()
