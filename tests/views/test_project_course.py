"""What a report says of the course of a case: in order, in the words of the time, invented nowhere."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from accordant.resolution.cases import reopen, take_back_consent
from accordant.resolution.corrections import rescore
from accordant.resolution.guidelines import write_guidelines
from accordant.resolution.outcomes import accept_outcome, propose_outcome
from accordant.resolution.records import Rule
from accordant.resolution.returns import halt, record_finding, resume
from accordant.resolution.step_change import go
from accordant.resolution.toolbox import texts_at
from accordant.resolution.words import Cause, Change, Step
from accordant.views.blocks import Finding, Prose
from accordant.views.project_report import ProjectReport, project_report
from resolution.bjhp import bjhp, imported
from resolution.build import Session
from resolution.talk import accepted, again, agreed, aligned, returned, with_concept
from views.projects import SECOND, ground_truth, records_of, resolving


def report_of(here: Session) -> ProjectReport:
    return project_report(here.state, records=records_of(here))


def told(here: Session, number: int) -> list[str]:
    entries = {
        b.key: b for b in report_of(here)["cases"].every_block() if isinstance(b, Prose) and b.key
    }
    return list(entries[f"case-{number}"].paragraphs)


def test_what_every_coder_gives_is_not_called_accepted() -> None:
    here = resolving()
    accepted(here, Cause.E, 3)
    here.do(rescore, "A3", case=3, answer="0")
    assert told(here, 3)[-1].endswith("Given now by A1, A2 and A3.")
    agreed(here, 1, "1")
    assert told(here, 1)[-1].endswith("Accepted by A1, A2 and A3.")


def test_an_import_has_neither_consents_nor_proposers_of_its_own(
    real_data: Callable[[str], Path],
) -> None:
    here = imported(bjhp(real_data("bjhp")))
    for number in (1, 3, 17):
        text = " ".join(told(here, number))
        assert "so the imported data say" in text
        assert "accepted by" not in text.lower()
        assert "proposed by" not in text


def test_a_case_that_is_opened_again_says_what_it_had_been_agreed_on() -> None:
    here = resolving()
    agreed(here, 1, "1")
    returned(here, Cause.B, 2)
    with_concept(here)
    aligned(here)
    again(here, {"Q": {**SECOND["Q"], "A3": "10010111"}})  # A3 says 0 about i2 once more
    lines = told(here, 1)
    changed = lines.index("A3 changed the answer to “1” (d).")
    settled = lines.index("It had been settled on “1” (argued d).")
    assert changed < settled
    assert lines[settled + 1].startswith("Opened again on ")
    assert "annotated again in round 2, and the answers differ" in lines[settled + 1]
    assert any(line.startswith("Taken back to the toolbox on ") for line in told(here, 2))


def test_what_was_proposed_and_not_agreed_on_stays_in_the_course() -> None:
    here = resolving()
    accepted(here, Cause.D, 1)
    given = {"answer": "1", "cites": ["rule R1"], "text": "this reading"}
    here.do(propose_outcome, "A1", cases=1, **given)
    here.do(accept_outcome, "A2", cases=1)
    here.do(take_back_consent, "A2", cases=1)
    here.do(reopen, "A2", cases=1, reason="not yet")
    accepted(here, Cause.E, 1, coder="A3", meant="0")
    here.do(reopen, "A3", cases=1, reason="it was none")
    agreed(here, 1, "0")
    lines = told(here, 1)
    first, back, again, slip, end = (
        next(k for k, line in enumerate(lines) if line.startswith(start))
        for start in ("“1” (rule R1), proposed by A1", "A2 took a", "Opened", "Cause e", "Agreed")
    )
    assert first < back < again < slip < end
    assert lines[first].endswith("accepted by A1, not accepted by all: this reading.")
    assert not any(line.startswith("“0”") for line in lines)  # all accepted it: the last line


def test_research_is_told_with_what_it_found() -> None:
    here = resolving()
    accepted(here, Cause.D, 1)
    here.do(halt, "R", cases=1, reason="the archive must be seen", review_date="2027-03-01")
    here.do(record_finding, "R", text="the letter is genuine")
    here.do(resume, "R")
    text = " ".join(told(here, 1))
    assert "Postponed on 2" in text
    assert "the archive must be seen." in text
    assert "Opened again on 2" in text
    [found] = [
        block
        for block in report_of(here)["procedure"].every_block()
        if isinstance(block, Finding) and "research found" in block.title
    ]
    assert [sentence for _, sentence in found.about] == ["the letter is genuine"]


def test_a_rule_is_quoted_as_it_was_when_it_was_cited() -> None:
    here = ground_truth()
    here.do(go, "R", to=Step.TASK, reason="clearer words")
    before = here.state.epoch.guidelines[-1]
    rules = (Rule("R1", "Read every word of the item"), *before.rules[1:])
    new = type(before)("", before.options, before.ambiguity, rules)
    here.do(write_guidelines, "R", new, change=Change.EDITORIAL, reason="clearer")
    assert "rule R1 (“Read the whole item”) (rule R1: as worded then)" in told(here, 1)[-1]
    of_then, of_now = (texts_at(here.state, 1, k) for k in (here.state.epoch.cases[1].toolbox, 0))
    assert of_then["rule R1"] == "Read the whole item"
    assert of_now["rule R1"] == "Read every word of the item"


def test_a_release_that_stands_is_named_when_the_project_goes_on() -> None:
    here = ground_truth()
    assert "notice" not in [section.key for section in report_of(here).sections]
    here.do(go, "R", to=Step.ALIGNMENT, reason="a concept is missing")
    [notice] = [b for b in report_of(here)["notice"].every_block() if isinstance(b, Finding)]
    assert notice.title == "Opened again after a release"
    assert "(ground truth) stands until another one replaces it" in notice.about[0][1]
