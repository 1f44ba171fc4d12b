"""Every page, in a browser as wide as a phone and as a desk: nothing sticks out, nothing comes from elsewhere."""
import pytest

from conftest import pages

# What lies beyond the right edge, but for what can be scrolled to within its own box (which is not the whole
# article: that the theme lets scroll as well). In words.
STICKS_OUT = """
const width = document.documentElement.clientWidth;
const found = [];
if (document.documentElement.scrollWidth > width) found.push('the document: ' + document.documentElement.scrollWidth);
const scrolls = element => {
  for (let e = element.parentElement; e && e.tagName !== 'ARTICLE' && e !== document.body; e = e.parentElement) {
    if (['auto', 'scroll'].includes(getComputedStyle(e).overflowX)) return true;
  }
  return false;
};
for (const element of document.querySelectorAll('.content *')) {
  const box = element.getBoundingClientRect();
  if (box.width > 0 && box.right > width + 1 && !scrolls(element)) {
    found.push(element.tagName + ' ' + element.className + ': ' + Math.round(box.right));
  }
}
return found.slice(0, 5);
"""


@pytest.mark.parametrize("page", pages())
def test_fits_and_fetches_nothing(browser, page):
    list(browser.requests())
    browser.open(page, 1400)
    assert browser.driver.execute_script(STICKS_OUT) == []
    browser.resize(400)
    assert browser.driver.execute_script(STICKS_OUT) == []
    elsewhere = [url for url in browser.requests() if not url.startswith((browser.address, "data:"))]
    assert elsewhere == []


def test_wide_tables_scroll_by_themselves(browser):
    browser.open("performance.html", 400)
    wide = browser.driver.execute_script(
        "return [...document.querySelectorAll('.table-wrapper')].filter(e => e.scrollWidth > e.clientWidth).length")
    assert wide > 0


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_plots_can_be_told_from_the_ground(browser, theme):
    browser.open("performance.html", 1400)
    browser.driver.execute_script("document.body.dataset.theme = arguments[0]", theme)
    ratios = browser.driver.execute_script("""
const light = color => {
  const [r, g, b] = color.match(/[0-9.]+/g).slice(0, 3).map(v => v / 255)
      .map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};
const probe = document.body.appendChild(document.createElement('span'));
probe.style.background = 'var(--color-background-primary)';
const ground = light(getComputedStyle(probe).backgroundColor);
const ratio = color => {
  const other = light(color);
  return (Math.max(ground, other) + 0.05) / (Math.min(ground, other) + 0.05);
};
return [...document.querySelectorAll('.plot figure .line')].map(e => ratio(getComputedStyle(e).stroke))
    .concat([...document.querySelectorAll('.plot text')].map(e => ratio(getComputedStyle(e).fill)));
""")
    assert len(ratios) > 20
    assert min(ratios) > 3  # what WCAG 2 asks for of graphics
