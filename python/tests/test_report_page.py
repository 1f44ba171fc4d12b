"""Tests of the page of ``boxcar report``, in a browser as wide as a phone and as a desk."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import boxcar
import numpy as np
import pytest
from browsing import CHROMIUM, CONTRAST, Browser

if not Path(CHROMIUM).exists():
    pytest.skip("there is no Chromium", allow_module_level=True)

# Numbers of PEs: one with a table of bytes, and one with a map and thin bars.
SIZES = [8, 25]

# The contrast of each text with its background, and of bars with their background.
LEGIBLE = (
    CONTRAST
    + """
const over = (top, below) => {
  const [r, g, b, a = 1] = top.match(/[0-9.]+/g).map(Number);
  const under = below.match(/[0-9.]+/g).map(Number);
  return 'rgb(' + [r, g, b].map((c, i) => c * a + under[i] * (1 - a)).join(',') + ')';
};
const ground = element => element === null ? 'rgb(255,255,255)'
    : over(getComputedStyle(element).backgroundColor, ground(element.parentElement));
const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
const found = [];
while (texts.nextNode()) {
  const element = texts.currentNode.parentElement;
  if (texts.currentNode.data.trim() === '' || element.closest('svg')) continue;
  const ratio = contrast(over(getComputedStyle(element).color, ground(element)), ground(element));
  if (ratio < 4.5) found.push(texts.currentNode.data + ': ' + ratio.toFixed(2));
}
for (const bar of document.querySelectorAll('.bar i')) {
  const ratio = contrast(ground(bar), ground(bar.parentElement));
  if (ratio < 1.5) found.push('a bar, ' + bar.title + bar.className + ': ' + ratio.toFixed(2));
}
return found;
"""
)

# The number of colors of a screenshot.
COLORS = """
const [picture, done] = arguments;
const image = new Image();
image.onload = () => {
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [image.width, image.height];
  const context = canvas.getContext('2d');
  context.drawImage(image, 0, 0);
  const pixels = context.getImageData(0, 0, image.width, image.height).data;
  done(new Set(new Uint32Array(pixels.buffer)).size);
};
image.src = 'data:image/png;base64,' + picture;
"""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    browser = Browser()
    yield browser
    browser.quit()


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[int, str]:
    """The address of the report of a job, by the number of PEs."""

    def job(world: boxcar.World) -> None:
        counts = 100 * (1 + np.arange(world.size) + world.size * world.rank)  # in all strengths
        world.exchange(np.zeros(counts.sum(), np.int8), counts=counts)

    folder = tmp_path_factory.mktemp("reports")
    for pes in SIZES:
        boxcar.run(job, pes=pes, trace=folder / f"{pes}.json")
        boxcar.report(folder / f"{pes}.json").save(folder / f"{pes}.html")
    return {pes: (folder / f"{pes}.html").as_uri() for pes in SIZES}


@pytest.mark.parametrize("pes", SIZES)
@pytest.mark.parametrize("width", [400, 1400])
def test_fits_and_fetches_nothing(
    browser: Browser, pages: dict[int, str], pes: int, width: int
) -> None:
    list(browser.requests())
    browser.complaints()
    browser.open(pages[pes], width)
    assert browser.sticks_out("body *") == []
    assert list(browser.requests()) == [pages[pes]]
    assert browser.complaints() == []


@pytest.mark.parametrize("pes", SIZES)
def test_everything_is_drawn(browser: Browser, pages: dict[int, str], pes: int) -> None:
    browser.open(pages[pes], 1400)

    def drawn(selector: str) -> int:
        """The number of elements that take room on the page."""
        script = """
return [...document.querySelectorAll(arguments[0])].map(e => e.getBoundingClientRect())
    .filter(box => box.width > 0 && box.height > 0).length;
"""
        return browser.driver.execute_script(script, selector)

    assert drawn(".matrix td.bytes" if pes == 8 else ".heat rect.bytes") == pes**2
    assert drawn(".fills .row") == 10 and drawn(".fills .bar i") > 0
    assert drawn(".waits .row") == pes and drawn(".waits .bar i") >= pes
    assert drawn(".times .strip") == pes and drawn(".times .strip rect") >= pes
    assert drawn(".totals tr[data-pe]") == pes


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("pes", SIZES)
def test_is_legible(browser: Browser, pages: dict[int, str], pes: int, theme: str) -> None:
    browser.prefer(theme)
    browser.open(pages[pes], 1400)
    assert browser.driver.execute_script(LEGIBLE) == []
    picture = browser.driver.get_screenshot_as_base64()
    assert browser.driver.execute_async_script(COLORS, picture) > 50
