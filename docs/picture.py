"""Take the picture of README: the first page of the report of a bundled example, in Chromium.

Run `python docs/picture.py` after a change of that page. Needs the group dev and Chromium at
/usr/bin/chromium; nothing is downloaded.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

from accordant import report
from accordant.data import examples

TARGET = Path(__file__).parent / "_static" / "report.png"


def main() -> None:
    """Write the picture."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        written = report(examples.path("visitors")).save(Path(folder) / "visitors.html")
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium")
        page = browser.new_page(viewport={"width": 1280, "height": 800})
        page.context.set_offline(True)
        page.goto(written.as_uri())
        page.wait_for_timeout(500)
        page.screenshot(path=TARGET)
        browser.close()


if __name__ == "__main__":
    main()
