"""The HTML report in a real browser without a network."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from accordant import Report, project_report, report
from pages import bundled, is_a
from views.projects import deprecated

OPENED = """
() => [...document.querySelectorAll("button[data-items]")].filter((b) => !b.closest(".short"))
.map((button) => {
  button.click();
  const dialog = document.getElementById("behind");
  const found = {
    open: dialog.open,
    title: document.getElementById("behind-title").textContent,
    note: document.getElementById("behind-note").textContent,
    items: document.querySelectorAll("#behind-list b").length,
  };
  dialog.close();
  return found;
})
"""


@pytest.fixture(scope="module")
def visitors() -> Report:
    """The example with two questions."""
    return report(bundled("visitors"))


@pytest.fixture
def opened(browser: Any, tmp_path: Path) -> Iterator[Callable[..., Any]]:
    """Opens a report; the test fails if the page complains or asks for anything."""
    complaints: list[str] = []
    contexts = []

    def show(found: Report, **context: Any) -> Any:
        path = found.save(tmp_path / "report.html")
        contexts.append(browser.new_context(offline=True, **context))
        page = contexts[-1].new_page()
        page.on("console", lambda m: complaints.append(f"console: {m.text}"))
        page.on("pageerror", lambda e: complaints.append(f"error: {e}"))
        page.on(
            "request",
            lambda r: (
                complaints.append(r.url) if not r.url.startswith(("file:", "data:")) else None
            ),
        )
        page.on("dialog", lambda d: complaints.append(f"alert: {d.message}"))
        page.goto(path.as_uri())
        page.evaluate("document.querySelectorAll('details').forEach(d => { d.open = true; })")
        return page

    yield show
    for context in contexts:
        context.close()
    assert complaints == []


def test_every_cell_opens_its_items(opened: Callable[..., Any], made: Report) -> None:
    found = opened(made).evaluate(OPENED)
    assert len(found) == len(made.evidence.cells)
    for cell in found:
        assert cell["open"]
        assert cell["items"] > 0
        total = int(cell["title"].rsplit(": ", 1)[1].split()[0].replace(",", ""))
        assert f"of {total:,}." in cell["note"]


def test_real_data_open_too(opened: Callable[..., Any], real_data: Callable[[str], Path]) -> None:
    found = report(real_data("bjhp/bjhp_annotations_long.csv"))
    page = opened(found)
    cells = page.evaluate(OPENED)
    assert len(cells) == len(found.evidence.cells) > 5
    assert all(cell["items"] for cell in cells)


def test_items_are_read_with_the_keyboard(opened: Callable[..., Any], made: Report) -> None:
    page = opened(made)
    first = page.locator("#confusion button[data-items]:visible").first
    first.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    dialog = page.locator("dialog")
    assert dialog.is_visible()
    title = page.locator("#behind-title").inner_text()
    assert title.startswith("One coder: ")
    entry = page.locator("#behind-list li").first
    assert entry.locator("p").inner_text()
    assert "Ann" in page.locator("#behind-list").inner_text()
    page.keyboard.press("Escape")
    assert not dialog.is_visible()


def test_items_are_searched(opened: Callable[..., Any], made: Report) -> None:
    page = opened(made)
    page.locator("#confusion button[data-items]:visible").first.click()
    before = page.locator("#behind-list b").count()
    page.locator("#behind-search").fill("schön")
    after = page.locator("#behind-list b").count()
    assert 0 < after < before
    assert f"{after} match the search" in page.locator("#behind-note").inner_text()


def test_hostile_texts_are_harmless(opened: Callable[..., Any], hostile: Report) -> None:
    page = opened(hostile)
    assert all(cell["open"] for cell in page.evaluate(OPENED))
    assert page.evaluate("document.querySelectorAll('img').length") == 0


@pytest.mark.parametrize("width", [360, 1280])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_fits_every_screen(
    opened: Callable[..., Any], made: Report, width: int, scheme: str
) -> None:
    page = opened(made, viewport={"width": width, "height": 800}, color_scheme=scheme)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    ink, paper = (
        sum(map(int, colour[4:-1].split(", ")))
        for colour in page.evaluate(
            "() => { const s = getComputedStyle(document.body); return [s.color, s.backgroundColor]; }"
        )
    )
    assert (ink < paper) == (scheme == "light")


def test_what_goes_on_at_the_right_is_told(opened: Callable[..., Any], case: Report) -> None:
    page = opened(case, viewport={"width": 390, "height": 800})
    box = page.locator("#confusion .matrix .scroll").first
    hint = page.locator("#confusion .matrix .scroll + .hint").first
    assert "more" in box.get_attribute("class")
    assert hint.is_visible()
    box.evaluate("e => { e.scrollLeft = e.scrollWidth; }")
    page.locator("#confusion .matrix .scroll.more").first.wait_for(state="detached")
    assert not hint.is_visible()


LONG = "a category whose name goes on and on until nobody reads it any more"


@pytest.fixture(scope="session")
def crowded() -> Report:
    """23 coders, 42 labels, long and right-to-left names."""
    rng = np.random.default_rng(5)
    labels = [
        f"{LONG} {k}" if k % 7 == 0 else f"{('שלום', 'القطة', '🙂', 'x')[k % 4]} {k}"
        for k in range(42)
    ]
    coders = [
        f"coder-{c}@a-very-long-organisation.example.org" if c % 5 == 0 else f"נועה {c}"
        for c in range(23)
    ]
    truth = rng.integers(42, size=120)
    truth[:24] = np.repeat([0, 7], 12)  # two with long names, which are confused
    said = np.where(rng.random((23, 120)) < 0.6, truth, rng.integers(42, size=(23, 120)))
    said[:, :24] = np.where(rng.random((23, 24)) < 0.3, 7 - truth[:24], said[:, :24])
    return report(
        [
            {"item": i, "coder": coders[c], "label": labels[said[c, i]]}
            for i in range(120)
            for c in range(23)
            if rng.random() < 0.5
        ]
    )


CUT = """
() => [...document.querySelectorAll(".matrix th, td, th")]
  .filter(e => e.scrollWidth > e.clientWidth + 1 && getComputedStyle(e).overflowX !== "visible")
  .filter(e => !e.title).map(e => e.textContent)
"""


def test_a_crowd_fits_too(opened: Callable[..., Any], crowded: Report) -> None:
    for width in (375, 1280):
        page = opened(crowded, viewport={"width": width, "height": 800})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert page.evaluate(CUT) == []
    titles = page.locator(".chart svg text title").all_text_contents()
    assert any(title.startswith(LONG) for title in titles)
    shown = page.locator(".chart svg text:visible").all_text_contents()
    assert not any("…" in text and not any(t in text for t in titles) for text in shown)


def test_chapters_start_closed_and_open(opened: Callable[..., Any], visitors: Report) -> None:
    page = opened(visitors)
    page.reload()
    assert page.locator("details[open]").count() == 0
    assert page.locator("details.chapter").count() == len(visitors.sections)
    chapter = page.locator("#confusion")
    assert chapter.locator("summary .s").first.inner_text() == visitors["confusion"].lead
    chapter.locator("summary").first.click()
    assert chapter.locator(".matrix table").first.is_visible()


@pytest.mark.parametrize(("width", "height"), [(1280, 800), (390, 844)])
def test_the_first_screen_holds_the_answer(
    opened: Callable[..., Any], visitors: Report, width: int, height: int
) -> None:
    """Every verdict with its figure; on a usual screen what to do next begins there too."""
    page = opened(visitors, viewport={"width": width, "height": height})
    for place in (page.locator("h1"), *page.locator(".q .word").all(), *page.locator(".num").all()):
        box = place.bounding_box()
        assert box["y"] + box["height"] <= height
    if width > 1000:
        assert page.locator(".steps h3").first.bounding_box()["y"] < height


def test_names_of_thresholds_do_not_overlap(opened: Callable[..., Any], visitors: Report) -> None:
    for width in (390, 1280):
        page = opened(visitors, viewport={"width": width, "height": 800})
        boxes = [b.bounding_box() for b in page.locator(".scale b").all()]
        assert all(x["x"] + x["width"] <= y["x"] for x, y in pairwise(boxes))


HIDDEN = """
() => [...document.querySelectorAll(".scroll")]
  .filter((box) => box.scrollWidth > box.clientWidth).map((box) => box.innerText.slice(0, 60))
"""


def test_no_table_of_a_project_is_cut_on_a_usual_screen(
    opened: Callable[..., Any], tmp_path: Path
) -> None:
    made = project_report(deprecated(tmp_path).project, person="R")
    for width in (1200, 1280):
        page = opened(made, viewport={"width": width, "height": 800})
        assert page.evaluate(HIDDEN) == []


def test_a_question_is_chosen_once_for_all_chapters(
    opened: Callable[..., Any], visitors: Report
) -> None:
    page = opened(visitors)
    selects = page.locator(".choice > label:has-text('Question') select")
    selects.first.select_option(label="mood")
    values = selects.evaluate_all(
        "found => found.map(s => s.selectedOptions[0].textContent.trim())"
    )
    assert len(values) > 5
    assert set(values) == {"mood"}
    assert page.locator("#agreement .option:visible").count() == 1


def test_tables_are_sorted_by_number(opened: Callable[..., Any], visitors: Report) -> None:
    page = opened(visitors)
    table = page.locator("#agreement .option:visible figure.table table").first
    for downwards in (False, True):
        table.locator("th button", has_text="value").click()
        cells = table.locator("tbody tr td:nth-child(2)").all_inner_texts()
        assert [float(c) for c in cells] == sorted(map(float, cells), reverse=downwards)


def test_print_shows_what_the_pdf_shows(opened: Callable[..., Any], visitors: Report) -> None:
    page = opened(visitors)
    page.reload()
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert page.locator(".chapter[open]").count() == page.locator(".chapter").count() > 10
    for section in visitors.printed(full=False):
        tables = [b for b in section.every_block() if is_a(b, "Table", "Matrix")]
        shown = page.locator(f"#{section.key} table:visible")
        assert shown.count() == len(tables), section.key
    assert page.locator("select:visible").count() == 0
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert page.locator("details[open]").count() == 0


def test_complete_without_scripts(browser: Any, visitors: Report, tmp_path: Path) -> None:
    """Chapters open, and every question stands in them."""
    path = visitors.save(tmp_path / "report.html")
    context = browser.new_context(offline=True, java_script_enabled=False)
    page = context.new_page()
    page.goto(path.as_uri())
    page.locator("#confusion > summary").click()
    assert page.locator("#confusion .matrix:visible").count() == 2
    assert page.locator("#confusion h4:visible").all_inner_texts()[:2] == ["topic", "mood"]
    context.close()
