"""The HTML report in a real browser without a network."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from accordant.data import examples
from accordant.views.report import Report, report

OPENED = """
() => [...document.querySelectorAll("button[data-items]")].map((button) => {
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
    assert len(cells) == len(found.evidence.cells) > 10
    assert all(cell["items"] for cell in cells)


def test_sets_of_labels_open_too(opened: Callable[..., Any], case: Report) -> None:
    """Cells of the table of labels, and numbers of the tables about final labels."""
    page = opened(case)
    cells = page.evaluate(OPENED)
    assert len(cells) == len(case.evidence.cells)
    for cell in cells:
        assert cell["open"]
        assert cell["items"] > 0
        total = int(cell["title"].rsplit(": ", 1)[1].split()[0].replace(",", ""))
        assert f"of {total:,}." in cell["note"]
    page.locator("#final button.open").first.click()
    assert page.locator("#behind-title").inner_text() == "One label in common: 656 items"
    assert "c1 k" in page.locator("#behind-list .answers").first.inner_text()


def test_items_are_read_with_the_keyboard(opened: Callable[..., Any], made: Report) -> None:
    page = opened(made)
    first = page.locator("#confusion button[data-items]:visible").first
    first.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    dialog = page.locator("dialog")
    assert dialog.is_visible()
    title = page.locator("#behind-title").inner_text()
    assert title.startswith("One coder said ")
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


def test_a_question_is_chosen_once_for_all_sections(
    opened: Callable[..., Any], made: Report
) -> None:
    page = opened(made)
    selects = page.locator(".choice > label:has-text('Show') select")
    selects.first.select_option(label="Question stance")
    values = selects.evaluate_all("found => found.map(s => s.selectedOptions[0].textContent)")
    assert set(values) == {"Question stance"}
    assert page.locator("#agreement .option:visible").count() == 1
    levers = page.locator("#levers .choice > label select")
    selects.first.select_option(label="All questions together")  # of which levers know nothing
    assert levers.evaluate("s => s.selectedOptions[0].textContent") == "Question stance"
    assert page.locator("#agreement h4:visible").count() == 0  # the select says it already


def test_tables_are_sorted_by_number(opened: Callable[..., Any], made: Report) -> None:
    page = opened(made)
    table = page.locator("#agreement .option:visible figure.table table")
    table.locator("th button", has_text="expected").click()
    cells = table.locator("tbody tr td:nth-child(5)").all_inner_texts()
    numbers = [float(c.replace("−", "-")) for c in cells if c != "—"]
    assert numbers == sorted(numbers)
    table.locator("th button", has_text="expected").click()
    cells = table.locator("tbody tr td:nth-child(5)").all_inner_texts()
    numbers = [float(c.replace("−", "-")) for c in cells if c != "—"]
    assert numbers == sorted(numbers, reverse=True)


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


@pytest.mark.parametrize("width", [390, 1280])
def test_sets_of_labels_fit_too(opened: Callable[..., Any], case: Report, width: int) -> None:
    page = opened(case, viewport={"width": width, "height": 800}, color_scheme="dark")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.evaluate(CUT) == []
    table = page.locator("#agreement figure.table table")
    name = table.locator("tbody th", has_text="percent agreement")
    assert name.bounding_box()["height"] < 40  # on one line
    table.locator("th button", has_text="adjusted").click()
    names = table.locator("tbody th").all_inner_texts()
    assert (names[0], names[-1]) == ("α per label", "soft-match")


@pytest.mark.parametrize("width", [360, 1280])
def test_reasons_and_levers_fit_too(opened: Callable[..., Any], known: Report, width: int) -> None:
    page = opened(known, viewport={"width": width, "height": 800}, color_scheme="dark")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.evaluate(CUT) == []
    assert page.locator("#why .finding .chart svg:visible").count() >= 2
    for box in page.locator("#why .chart svg, #levers .chart svg").all():
        place = box.bounding_box()
        assert place is None or place["x"] + place["width"] <= width


def test_items_behind_a_reason_are_read(opened: Callable[..., Any], known: Report) -> None:
    page = opened(known)
    button = page.locator("#why .finding button[data-items]").first
    title = page.locator("#why .finding h3").first.inner_text()
    button.click()
    assert page.locator("#behind-title").inner_text().startswith(f"{title}: ")
    assert page.locator("#behind-list .answers").first.inner_text()


def test_a_table_of_twenty_labels_fits(opened: Callable[..., Any], case: Report) -> None:
    page = opened(case, viewport={"width": 1280, "height": 800})
    box = page.locator("#confusion .matrix .scroll").first
    assert box.locator("thead th").count() == 21
    assert box.evaluate("e => e.scrollWidth - e.clientWidth") <= 0
    assert not page.locator(".hint:visible").count()


def test_what_goes_on_at_the_right_is_told(opened: Callable[..., Any], case: Report) -> None:
    page = opened(case, viewport={"width": 390, "height": 800})
    box = page.locator("#confusion .matrix .scroll").first
    hint = page.locator("#confusion .matrix .scroll + .hint").first
    assert "more" in box.get_attribute("class")
    assert hint.is_visible()
    box.evaluate("e => { e.scrollLeft = e.scrollWidth; }")
    page.locator("#confusion .matrix .scroll.more").first.wait_for(state="detached")
    assert not hint.is_visible()


def test_figures_fit_a_phone(opened: Callable[..., Any], case: Report) -> None:
    page = opened(case, viewport={"width": 390, "height": 800})
    wide = "() => [...document.querySelectorAll('.chart .scroll')].filter(e => e.scrollWidth > e.clientWidth + 1).length"
    assert page.locator(".chart svg").count() >= 6
    assert page.evaluate(wide) == 0


def test_what_is_quoted_comes_first_on_a_phone(opened: Callable[..., Any], case: Report) -> None:
    def places(width: int) -> dict[str, float]:
        page = opened(case, viewport={"width": width, "height": 800})
        heads = page.locator("#agreement .measures thead th:visible")
        return {h.inner_text(): h.bounding_box()["x"] for h in heads.all()}

    phone, screen = places(390), places(1280)
    assert sorted(phone, key=lambda k: phone[k]) == [
        "measure", "adjusted", "interval", "observed", "expected", "items",
    ]  # fmt: skip
    assert sorted(screen, key=lambda k: screen[k]) == [
        "measure", "observed", "expected", "adjusted", "interval", "items", "what counts",
    ]  # fmt: skip
    assert phone["observed"] < 390


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
    said = np.where(rng.random((23, 120)) < 0.6, truth, rng.integers(42, size=(23, 120)))
    return report([
        {"item": i, "coder": coders[c], "label": labels[said[c, i]]}
        for i in range(120) for c in range(23) if rng.random() < 0.5
    ])  # fmt: skip


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


WIDER = """
() => [...document.querySelectorAll("#trust .table .scroll, #truth .table .scroll, " +
                                    "#ambiguity .table .scroll, #coders .table .scroll")]
  .filter(e => e.clientWidth && e.scrollWidth > e.clientWidth + 1).map(e => e.ariaLabel)
"""


def test_tables_of_models_need_no_scrolling(opened: Callable[..., Any]) -> None:
    page = opened(report(examples.load("crowd")), viewport={"width": 1280, "height": 800})
    page.evaluate("document.querySelectorAll('details').forEach(d => { d.open = true; })")
    assert page.evaluate(WIDER) == []
    assert page.locator("#trust table.dense").count()


def test_print_shows_everything(opened: Callable[..., Any], made: Report, tmp_path: Path) -> None:
    page = opened(made)
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert page.locator(".option:visible").count() == page.locator(".option").count() > 3
    assert page.locator("details:not([open])").count() == 0
    assert page.locator("select:visible").count() == 0
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert page.locator("details[open]").count() == 0
    assert len(page.pdf()) > 20_000


def test_complete_without_scripts(browser: Any, made: Report, tmp_path: Path) -> None:
    path = made.save(tmp_path / "report.html")
    context = browser.new_context(offline=True, java_script_enabled=False)
    page = context.new_page()
    page.goto(path.as_uri())
    folded = page.locator("details:not([open]) .option").count()  # a fold opens without scripts
    assert page.locator(".option:visible").count() + folded == page.locator(".option").count()
    assert folded < page.locator(".option").count() / 2
    context.close()
