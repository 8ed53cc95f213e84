"""Take the pictures of README and tutorials: the reports of bundled examples, in Chromium.

Run `python docs/picture.py` after a change of the report, or with the name of an example for its
pictures only. Needs the group dev and Chromium at /usr/bin/chromium; nothing is downloaded.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from accordant.data import examples
from accordant.views.report import report

DOCS = Path(__file__).parent
FOLDER = DOCS / "_static"
WIDTH = 1200


def opening(page: Page) -> None:
    """The answer in sentences, the figures."""
    bottom = page.evaluate("document.querySelector('#data').getBoundingClientRect().top")
    clip = {"x": 0, "y": 0, "width": WIDTH, "height": bottom - 10}
    page.screenshot(path=FOLDER / "report.png", clip=clip)


def confusion(page: Page) -> None:
    """The table of confusions of one question."""
    page.select_option("#confusion select", index=0)
    page.evaluate("document.querySelector('#confusion').scrollIntoView({behavior: 'instant'})")
    page.wait_for_timeout(500)
    top = "document.querySelector('#items').getBoundingClientRect().top"
    clip = {"x": 0, "y": 0, "width": WIDTH, "height": page.evaluate(top) - 10}
    page.screenshot(path=FOLDER / "report-confusion.png", clip=clip)


def items(page: Page) -> None:
    """A cell of that table, opened to the items behind it."""
    titles = page.eval_on_selector_all(
        "#confusion button.cell", "cells => cells.map(c => c.dataset.title)"
    )
    wanted = next(t for t in titles if t.startswith("One coder said staff, another children"))
    page.locator(f"#confusion button.cell[data-title='{wanted}']:visible").first.click()
    page.wait_for_timeout(300)
    page.screenshot(path=FOLDER / "report-items.png")


def why(page: Page) -> None:
    """Why coders disagree: the first pattern, with its chart."""
    section(page, "#why", "report-why.png", most=625)


def levers(page: Page) -> None:
    """What to settle first, of the first question."""
    section(page, "#levers", "report-levers.png", most=850)


def levels(page: Page) -> None:
    """The scheme taken apart: what its partitions explain."""
    section(page, "#levels", "report-levels.png", most=725)


def trust(page: Page) -> None:
    """How often each coder is right, with intervals."""
    box = page.locator("#trust > figure.chart").first.bounding_box()
    if box is None:
        raise SystemExit("the report of crowd has no chart of coders")
    clip = {"x": box["x"] - 20, "y": box["y"] - 10, "width": 560, "height": box["height"] + 20}
    page.screenshot(path=FOLDER / "report-trust.png", full_page=True, clip=clip)


def cases(page: Page) -> None:
    """The cases of a project, and the first two of them in full."""
    section(page, "#cases", "report-cases.png", most=960)


def section(page: Page, place: str, name: str, most: int) -> None:
    """One section of the report, its first pixels if it is long."""
    box = page.evaluate(
        "place => { const b = document.querySelector(place).getBoundingClientRect(); "
        "return [b.left, b.top + scrollY, b.width, b.height]; }",
        place,
    )
    left, top, width, height = box
    clip = {"x": left - 20, "y": top - 10, "width": width + 40, "height": min(most, height + 20)}
    page.screenshot(path=FOLDER / name, full_page=True, clip=clip)


def measures(page: Page) -> None:
    """The chart of the measures of label sets, without what stands beside and below it."""
    place = page.evaluate(
        "(() => { const s = document.querySelector('#agreement'); "
        "const top = s.getBoundingClientRect(), end = s.querySelector('table'); "
        "return [top.left, top.top + scrollY, end.getBoundingClientRect().top + scrollY]; })()"
    )
    left, top, bottom = place
    clip = {"x": left - 20, "y": top - 10, "width": 760, "height": bottom - top - 40}
    page.screenshot(path=FOLDER / "report-sets.png", full_page=True, clip=clip)


PICTURES: dict[str, tuple[Callable[[Page], None], ...]] = {
    "visitors": (opening, confusion, items, why, levers),
    "crowd": (trust,),
    "levi2022_neat": (levels,),
    "marchal2022_case": (measures,),
    "remarks": (cases,),
}
"""The pictures of the report of each example."""


def written(name: str, folder: Path) -> Path:
    """The report of an example; that of the project is written where its tutorial is walked."""
    if name == "remarks":
        sys.path.insert(0, str(DOCS.parent / "tests"))
        from docs.blocks import Page as Walk

        walked = folder / "walk"
        walked.mkdir()
        list(Walk(DOCS / "tutorials" / "ground-truth.md", walked).run())
        return walked / "report.html"
    return report(examples.load(name)).save(folder / f"{name}.html")


def main(names: list[str]) -> None:
    """Write the pictures of some examples."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium")
        page = browser.new_page(viewport={"width": WIDTH, "height": 860})
        page.context.set_offline(True)
        for name in names:
            page.goto(written(name, Path(folder)).as_uri())
            page.wait_for_timeout(500)
            for take in PICTURES[name]:
                take(page)
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1:] or list(PICTURES))
