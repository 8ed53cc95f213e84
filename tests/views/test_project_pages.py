"""What is told of a project: the same view for commands and reports, one golden page a module."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from typing import Any

import pytest

from accordant.cli.project.definitions import spelled
from accordant.render.terminal import text
from accordant.resolution.state import State
from accordant.views.blocks import Actions
from accordant.views.document import Section
from accordant.views.project_causes import causes_section
from accordant.views.project_report import project_report
from accordant.views.project_statement import (
    notice_section,
    procedure_section,
    statement_section,
)
from accordant.views.project_subject import Subject
from accordant.views.project_toolbox import again_section, toolbox_section
from accordant.views.view import named, names
from views.projects import deprecated, records_of, resolving

OPTIONS: dict[str, dict[str, Any]] = {"case": {"cases": [1, 2, 3]}, "status": {"all": True}}
PAGES = {
    "project_status": ("status", "person", "items", "compare", "releases", "release", "final"),
    "project_cases": ("cases", "case", "causes", "group"),
    "project_toolbox": ("task", "guidelines", "concepts"),
    "project_log": ("log",),
    "project_reannotation": ("reannotate",),
    "project_suggestions": ("suggest",),
}
CHAPTERS = {
    "project_causes": causes_section,
    "project_procedure": procedure_section,
    "project_notice": notice_section,
    "project_statement": statement_section,
    "project_history": toolbox_section,
    "project_again": again_section,
}


@pytest.fixture
def subject(monkeypatch: pytest.MonkeyPatch) -> Subject:
    """A released project in which everything happened, as the coder A1 sees it."""
    made = "accordant.resolution.setup.secrets.token_hex"
    monkeypatch.setattr(made, lambda n: "0" * 2 * n)
    here = deprecated()
    return Subject(here.state, records_of(here), "A1", name="letters.accordant")


@pytest.mark.parametrize("page", PAGES)
def test_golden_pages_of_views(
    page: str, subject: Subject, golden: Callable[[str, Iterable[Section]], None]
) -> None:
    views = (named("project", name) for name in PAGES[page])
    golden(page, [view.section([subject], **OPTIONS.get(view.name, {})) for view in views])


@pytest.mark.parametrize("page", CHAPTERS)
def test_golden_pages_of_chapters(
    page: str, subject: Subject, golden: Callable[[str, Iterable[Section]], None]
) -> None:
    section = CHAPTERS[page](subject)
    assert section is not None
    golden(page, [section])


@pytest.mark.parametrize("name", names("project"))
def test_every_view_tells_an_empty_project_and_one_at_work(name: str) -> None:
    for state in (State(title="Letters"), resolving().state):
        if name in ("compare", "case") and not state.epoch.cases:
            continue  # there is none to show
        options = {"cases": [1]} if name == "case" else {}
        assert text([named("project", name).section([Subject(state)], **options)])


def test_actions_of_views_can_be_typed(subject: Subject) -> None:
    for name in ("status", "release", "case"):
        for block in named("project", name).make(subject, **OPTIONS.get(name, {})):
            for action in block.actions if isinstance(block, Actions) else ():
                assert spelled(action).startswith("accordant project ")


def test_commands_and_the_report_tell_the_same_cases(subject: Subject) -> None:
    report = project_report(subject.state, records=subject.records, person="A1")
    section = next(s for s in json.loads(report.to_json())["sections"] if s["key"] == "cases")
    reported = next(b for b in section["blocks"] if b.get("block") == "table")["rows"]
    listed = named("project", "cases").rows([subject])
    for key in ("case", "item", "question", "cause", "outcome", "group"):
        assert [row[key] for row in reported] == [row[key] for row in listed]


def test_an_entry_of_the_report_and_the_page_of_a_case_share_their_sentences(
    subject: Subject,
) -> None:
    report = project_report(subject.state, records=subject.records, person="A1")
    shown = " ".join(text([named("project", "case").section([subject], cases=[2])]).split())
    entries = {b.key: b for b in report["cases"].every_block() if hasattr(b, "paragraphs")}
    for sentence in entries["case-2"].paragraphs[2:]:
        assert " ".join(sentence.split()) in shown
