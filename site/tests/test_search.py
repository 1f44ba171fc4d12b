"""The search of the site, used as a reader uses it."""

import pytest
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait


@pytest.mark.parametrize(
    "words,page",
    [
        ("elastic", "elastic.html"),
        ("unpull", "reference/conveyor.html"),
        ("tram", "coming-from-charm.html"),
    ],
)
def test_search_finds(browser, words, page):
    browser.open("index.html", 1400)
    field = browser.driver.find_element(By.CSS_SELECTOR, ".sidebar-search")
    field.send_keys(words, Keys.ENTER)

    def found(driver):
        links = driver.find_elements(By.CSS_SELECTOR, "#search-results li a")
        return [link.get_attribute("href").split("?")[0].split("#")[0] for link in links]

    WebDriverWait(browser.driver, 20).until(
        lambda driver: browser.address + page in found(driver),
        f"the search for '{words}' does not find {page}",
    )
