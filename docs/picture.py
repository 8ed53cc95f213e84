"""Take the pictures of README and tutorial: the report of the bundled example, in Chromium.

Run `python docs/picture.py` after a change of the report. Needs the group dev and Chromium at
/usr/bin/chromium; nothing is downloaded.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from accordant.data import examples
from accordant.reports.report import report

PICTURES = Path(__file__).parent / "_static"
WIDTH = 1200


def opening(page: Page) -> None:
    """The answer in sentences, the figures."""
    bottom = page.evaluate("document.querySelector('#data').getBoundingClientRect().top")
    clip = {"x": 0, "y": 0, "width": WIDTH, "height": bottom - 10}
    page.screenshot(path=PICTURES / "report.png", clip=clip)


def confusion(page: Page) -> None:
    """The table of confusions of one question."""
    page.select_option("#confusion select", index=0)
    page.evaluate("document.querySelector('#confusion').scrollIntoView({behavior: 'instant'})")
    page.wait_for_timeout(500)
    top = "document.querySelector('#items').getBoundingClientRect().top"
    clip = {"x": 0, "y": 0, "width": WIDTH, "height": page.evaluate(top) - 10}
    page.screenshot(path=PICTURES / "report-confusion.png", clip=clip)


def items(page: Page) -> None:
    """A cell of that table, opened to the items behind it."""
    titles = page.eval_on_selector_all(
        "#confusion button.cell", "cells => cells.map(c => c.dataset.title)"
    )
    wanted = next(t for t in titles if t.startswith("One coder said staff, another children"))
    page.locator(f"#confusion button.cell[data-title='{wanted}']:visible").first.click()
    page.wait_for_timeout(300)
    page.screenshot(path=PICTURES / "report-items.png")


def main(pictures: tuple[Callable[[Page], None], ...] = (opening, confusion, items)) -> None:
    """Write every picture."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        path = Path(folder) / "report.html"
        report(examples.load("visitors")).save(path)
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium")
        page = browser.new_page(viewport={"width": WIDTH, "height": 860})
        page.context.set_offline(True)
        page.goto(path.as_uri())
        page.wait_for_timeout(500)
        for take in pictures:
            take(page)
        browser.close()


if __name__ == "__main__":
    main()
