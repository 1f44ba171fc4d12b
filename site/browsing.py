"""Chromium without a window, and what tests ask it about a page."""

import json

from selenium import webdriver
from selenium.webdriver.chrome.service import Service

CHROMIUM = "/usr/bin/chromium"

# What lies beyond the right edge, but for what can be scrolled to within its own box (which is not
# the whole article: that the theme of the site lets scroll as well). In words.
STICKS_OUT = """
const width = document.documentElement.clientWidth;
const whole = document.documentElement.scrollWidth;
const found = whole > width ? ['the document: ' + whole] : [];
const is_box = e => e && e.tagName !== 'ARTICLE' && e !== document.body;
const scrolls = element => {
  for (let e = element.parentElement; is_box(e); e = e.parentElement) {
    if (['auto', 'scroll'].includes(getComputedStyle(e).overflowX)) return true;
  }
  return false;
};
for (const element of document.querySelectorAll(arguments[0])) {
  const box = element.getBoundingClientRect();
  if (box.width > 0 && box.right > width + 1 && !scrolls(element)) {
    found.push(element.tagName + ' ' + element.className + ': ' + Math.round(box.right));
  }
}
return found.slice(0, 5);
"""

# How strongly colors differ from others, as WCAG 2 counts it, from 1 to 21.
CONTRAST = """
const light = color => {
  const [r, g, b] = color.match(/[0-9.]+/g).slice(0, 3).map(v => v / 255)
      .map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};
const contrast = (one, other) => {
  const [a, b] = [light(one), light(other)];
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
};
"""


class Browser:
    """`address` comes before the pages that it is told to open."""

    def __init__(self, address=""):
        options = webdriver.ChromeOptions()
        options.binary_location = CHROMIUM
        for word in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"):
            options.add_argument(word)
        options.set_capability("goog:loggingPrefs", {"performance": "ALL", "browser": "ALL"})
        self.driver = webdriver.Chrome(options=options, service=Service("/usr/bin/chromedriver"))
        self.address = address

    def open(self, page, width):
        self.resize(width)
        self.driver.get(self.address + page)

    def resize(self, width):
        size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)

    def prefer(self, theme):
        """As if the reader had asked the system for this one, "light" or "dark"."""
        features = {"features": [{"name": "prefers-color-scheme", "value": theme}]}
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", features)

    def requests(self):
        """What was asked for since the last call."""
        for entry in self.driver.get_log("performance"):
            message = json.loads(entry["message"])["message"]
            if message["method"] == "Network.requestWillBeSent":
                yield message["params"]["request"]["url"]

    def complaints(self):
        """What the browser has written to its console since the last call."""
        return [entry["message"] for entry in self.driver.get_log("browser")]

    def sticks_out(self, selector):
        return self.driver.execute_script(STICKS_OUT, selector)

    def quit(self):
        self.driver.quit()
