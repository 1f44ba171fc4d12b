"""Every page, in a browser as wide as a phone and as a desk.

Nothing sticks out, nothing comes from elsewhere.
"""

import pytest
from browsing import CONTRAST
from conftest import pages


@pytest.mark.parametrize("page", pages())
def test_fits_and_fetches_nothing(browser, page):
    list(browser.requests())
    browser.open(page, 1400)
    assert browser.sticks_out(".content *") == []
    browser.resize(400)
    assert browser.sticks_out(".content *") == []
    elsewhere = [u for u in browser.requests() if not u.startswith((browser.address, "data:"))]
    assert elsewhere == []


def test_wide_tables_scroll_by_themselves(browser):
    browser.open("performance.html", 400)
    wide = browser.driver.execute_script("""
return [...document.querySelectorAll('.table-wrapper')]
    .filter(e => e.scrollWidth > e.clientWidth).length;
""")
    assert wide > 0


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_plots_can_be_told_from_the_ground(browser, theme):
    browser.open("performance.html", 1400)
    browser.driver.execute_script("document.body.dataset.theme = arguments[0]", theme)
    ratios = browser.driver.execute_script(
        CONTRAST
        + """
const probe = document.body.appendChild(document.createElement('span'));
probe.style.background = 'var(--color-background-primary)';
const ground = getComputedStyle(probe).backgroundColor;
return [...document.querySelectorAll('.plot figure .line')]
    .map(e => contrast(ground, getComputedStyle(e).stroke))
    .concat([...document.querySelectorAll('.plot text')]
        .map(e => contrast(ground, getComputedStyle(e).fill)));
"""
    )
    assert len(ratios) > 20
    assert min(ratios) > 3  # what WCAG 2 asks for of graphics
