"""The built site, a server for it that only this machine reaches, and a browser."""

import functools
import os
import threading
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from browsing import Browser

REPOSITORY = Path(__file__).resolve().parents[2]
SITE = Path(os.environ.get("BOXCAR_SITE", REPOSITORY / "build" / "site"))


def pages():
    return sorted(str(page.relative_to(SITE)) for page in SITE.rglob("*.html"))


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


@pytest.fixture(scope="session")
def address():
    server = ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=SITE))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()


@pytest.fixture(scope="session")
def browser(address):
    browser = Browser(address)
    yield browser
    browser.quit()
