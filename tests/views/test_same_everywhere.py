"""The same order, headings and digits of every table in every format."""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterator
from functools import cache
from inspect import signature
from pathlib import Path
from textwrap import wrap
from typing import Any

import pytest

import accordant as ac
from accordant.data import examples
from accordant.fields import cell
from accordant.render.html import notebook
from accordant.render.latex import escaped, sections_latex
from accordant.render.markdown import sections_markdown
from accordant.render.terminal import Terminal, text
from accordant.views.blocks import Table
from accordant.views.document import Section
from accordant.views.view import views_of

VISITORS = Path(examples.__file__).with_name("visitors.csv")
WIDE = 2000  # columns: nothing is hidden or wrapped
KINDS = (
    "agreement",
    "diagnose",
    "describe",
    "decompose",
    "soft",
    "compare-models",
    "fit",
    "coders",
    "crowdtruth",
)


@cache
def results() -> dict[str, Any]:
    """A result of each kind that has views."""
    visitors = ac.read(VISITORS)
    neat = examples.load("levi2022_neat")
    humans = [[(k + (k % j == 0)) % 3 for k in range(60)] for j in (5, 7, 9)]
    model = [k % 3 for k in range(60)]
    names = ["Ada", "Bea", "Cem", "gpt"]
    return {
        "agreement": ac.agreement(visitors),
        "diagnose": ac.diagnose(visitors),
        "describe": ac.describe(visitors),
        "decompose": ac.decompose(neat, [("any label", "number of labels")]),
        "soft": ac.soft_labels(visitors.of_question("topic")),
        "compare-models": ac.model_as_coder([*humans, model], ["gpt"], coder=names),
        "fit": ac.fit(examples.load("crowd")),
        "coders": ac.coders(examples.load("crowd")),
        "crowdtruth": ac.crowdtruth(visitors.of_question("topic")),
    }


def sections(kind: str) -> Iterator[Section]:
    """Every view of a kind with the tables that a reader may see."""
    found = results()[kind]
    for view in views_of(kind):
        known = {"truth": "truth"} if "truth" in signature(view.make).parameters else {}
        yield view.section(found.told_parts, **known)


def tables(section: Section) -> list[Table]:
    """The tables that formats show, in their order."""
    return [
        b for b in section.every_block() if isinstance(b, Table) and b.depth in ("headline", "main")
    ]


def spread(x: str) -> str:
    """Without what only lays out."""
    return re.sub(r"[\s\u00a0]+", " ", x)


def in_order(page: str, wanted: list[str], where: str) -> None:
    """Whether texts stand on a page one after the other."""
    at = 0
    for words in wanted:
        found = page.find(spread(words), at)
        assert found >= 0, f"{where}: {words!r} is not where it should be"
        at = found + len(spread(words))


def markdown_of(section: Section) -> str:
    return re.sub(r"\\(.)", r"\1", sections_markdown([section], "main"))


def html_of(section: Section) -> str:
    return html.unescape(re.sub(r"<[^>]+>", " ", notebook([section])))


def text_of(section: Section) -> str:
    return text([section], width=WIDE, how=Terminal(most=None))


FORMATS: dict[str, tuple[Callable[[Section], str], Callable[[str], str]]] = {
    "terminal": (text_of, str),
    "markdown": (markdown_of, str),
    "notebook": (html_of, str),
    "latex": (lambda section: sections_latex([section]), escaped),
}


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("kind", KINDS)
def test_every_table_is_the_same_in_every_format(kind: str, form: str) -> None:
    draw, spelled = FORMATS[form]
    seen = 0
    for section in sections(kind):
        page = spread(draw(section))
        for table in tables(section):
            rows = table.rows[: table.most or None] if form == "terminal" else table.rows
            if not rows or not table.columns:
                continue
            heads = [wrap(c.heading, 20)[0] if c.heading else "" for c in table.columns]
            in_order(page, [spelled(h) for h in heads if h], f"{section.key}, headings")
            for row in rows:
                cells = [cell(column, row) for column in table.columns]
                if "\n" in "".join(cells) or heads[0] == "question":
                    continue  # laid out in lines; a question is named once
                in_order(page, [spelled(c) for c in cells if c], f"{section.key}, {cells[0]}")
            seen += 1
    assert seen


@pytest.mark.parametrize("kind", KINDS)
def test_a_view_that_is_asked_for_shows_something(kind: str) -> None:
    for section in sections(kind):
        shown = text([section], how=Terminal(depth=section.reach)).replace(section.title, "", 1)
        assert shown.strip() or not section.blocks, section.key


def test_a_planted_fault_is_noticed() -> None:
    with pytest.raises(AssertionError, match="0.702"):
        in_order("topic 0.71", ["topic", "0.702"], "planted")
