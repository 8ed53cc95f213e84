"""The report of a project: what it says, checked against the state, by hand and against the paper."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from accordant.render.markdown import markdown
from accordant.render.saving import RENDERERS
from accordant.resolution.completion import finish
from accordant.resolution.concepts import object_to
from accordant.resolution.imports import Imported
from accordant.resolution.project import Project
from accordant.resolution.provenance import history
from accordant.resolution.rounds import open_round
from accordant.resolution.setup import add_person
from accordant.resolution.state import State
from accordant.resolution.words import Cause, Purpose, Role
from accordant.views.blocks import Finding, Matrix, Prose, Table
from accordant.views.project_report import ProjectReport, project_report
from resolution.bjhp import bjhp, imported
from resolution.build import (
    Session,
    annotated,
    begun,
    open_blindly,
    ready_to_annotate,
    submit,
)
from resolution.sessions import Walker
from resolution.talk import again, aligned, returned, with_concept
from views.projects import SECOND, deprecated, ground_truth, records_of, resolving

SEEDS = (3, 8)
STEPS = 200


def report_of(here: Session, **options: Any) -> ProjectReport:
    return project_report(here.state, records=records_of(here), **options)


@pytest.fixture(scope="module")
def unfinished() -> ProjectReport:
    return report_of(deprecated())


@pytest.fixture(scope="module")
def agreed() -> ProjectReport:
    return report_of(ground_truth())


@pytest.fixture(scope="module")
def paper(real_data: Callable[[str], Path]) -> ProjectReport:
    return report_of(imported(bjhp(real_data("bjhp"))))


def tables(found: ProjectReport, section: str) -> dict[str, Table]:
    return {b.title: b for b in found[section].every_block() if isinstance(b, Table)}


def table(found: ProjectReport, section: str, title: str) -> list[dict[str, Any]]:
    [wanted] = [t for name, t in tables(found, section).items() if title in name]
    return wanted.to_rows()


def entries(found: ProjectReport, section: str) -> dict[str, Prose]:
    return {b.key: b for b in found[section].every_block() if isinstance(b, Prose) and b.key}


def findings(found: ProjectReport, section: str) -> list[str]:
    return [b.title for b in found[section].every_block() if isinstance(b, Finding)]


def said(found: ProjectReport, number: int) -> str:
    return " ".join(entries(found, "cases")[f"case-{number}"].paragraphs)


# ------------------------------------------------------------------ status


def test_the_status_stands_first(unfinished: ProjectReport, agreed: ProjectReport) -> None:
    for found, status in ((unfinished, "deprecated"), (agreed, "ground truth")):
        assert found.verdict[0].startswith(f"Release 1: {status}.")
        assert status in found.overline
        assert status in found.signature
        assert json.loads(found.to_json())["status"] == f"Release 1: {status}."
        assert markdown(found).splitlines()[2].startswith(f"Release 1: {status}.")


def test_a_ground_truth_has_no_notice_and_an_agreement_by_construction(
    agreed: ProjectReport,
) -> None:
    assert agreed.sections[0].key == "procedure"
    assert any("1 by construction" in sentence for sentence in agreed.verdict)
    assert "it was made, not measured" in markdown(agreed)


def test_what_is_not_resolved_stands_on_top(unfinished: ProjectReport) -> None:
    assert unfinished.sections[0].key == "notice"
    [notice] = [b for b in unfinished["notice"].every_block() if isinstance(b, Finding)]
    assert notice.title == "Deprecated"
    told = [sentence for _, sentence in notice.about]
    assert "The researchers' reason: no more time." in told
    assert "1 case is decided by Dee alone (dictator): a single-annotator portion (i7 Q)." in told
    assert "1 case is interpretive (cause d): i2 Q." in told
    assert "1 by construction" not in markdown(unfinished)


def test_a_project_without_anything_has_a_report() -> None:
    found = project_report(State(title="Letters"))
    assert found.verdict == ("Not released. Work in progress.",)
    assert found["agreement"].lead == "No round of annotation has closed yet."
    for end in found.endings:
        assert RENDERERS[end](found, False)
    assert report_of(begun()).verdict[0] == "Not released. Work in progress."


# ------------------------------------------------------------------ 1 agreement


def test_agreement_of_the_small_project_by_hand(unfinished: ProjectReport) -> None:
    """Q, three coders, eight items: 24 pairs of annotations, of which 6 differ (2 in each case)."""
    rows = {r["question"]: r for r in table(unfinished, "agreement", "Round 1")}
    q, p, whole = rows["Q"], rows["P"], rows["all questions"]
    assert (q["n"], p["n"], whole["n"]) == (8, 8, 16)
    assert q["same"] == pytest.approx(18 / 24)
    assert whole["same"] == pytest.approx(42 / 48)
    ones = [4 / 8, 5 / 8, 4 / 8]  # of A1, A2, A3
    pairs = [(0, 1), (0, 2), (1, 2)]
    chance = [ones[a] * ones[b] + (1 - ones[a]) * (1 - ones[b]) for a, b in pairs]
    expected = sum(chance) / 3  # Conger (1980): the mean over pairs
    assert q["expected"] == pytest.approx(expected)
    assert q["kappa"] == pytest.approx((18 / 24 - expected) / (1 - expected))
    assert math.isnan(p["kappa"])
    assert "every annotation is 0" in p["undefined"]
    assert "Conger's κ for question P is undefined" in markdown(unfinished)
    assert (q["conflicting"], p["conflicting"], whole["conflicting"]) == (3, 0, 3)


def test_pooled_never_stands_alone(unfinished: ProjectReport) -> None:
    names = [r["question"] for r in table(unfinished, "agreement", "Round 1")]
    assert names == ["Q", "P", "all questions"]
    assert "for P it is undefined" in unfinished["agreement"].lead


def test_bjhp_agreement_is_that_of_the_files(
    paper: ProjectReport, real_data: Callable[[str], Path]
) -> None:
    """Specification of the procedure, section 10.1: from the annotator files."""
    rows = {r["question"]: r for r in table(paper, "agreement", "Round 1")}
    known = json.loads(real_data("bjhp/bjhp_expected_agreement.json").read_text("utf-8"))
    wanted = known["from_annotator_files"]
    names = {"all": "all questions", "wide_scope": "Wide-scope claims: 5a and 5c"}
    for key in ("1", "3", "5a", "5c", "all", "wide_scope"):
        row = rows[names.get(key, key)]
        assert row["n"] == wanted[key]["n"]
        assert row["kappa"] == pytest.approx(wanted[key]["kappa"], abs=1e-12)
        assert row["alpha"] == pytest.approx(wanted[key]["alpha_nominal"], abs=1e-12)
        assert row["ac"] == pytest.approx(wanted[key]["gwet_ac1"], abs=1e-12)
    assert rows["all questions"]["kappa"] == pytest.approx(0.6828809459822629, abs=1e-12)
    assert rows[names["wide_scope"]]["kappa"] == pytest.approx(0.45629731589814176, abs=1e-12)
    for name in ("2", "4"):
        assert math.isnan(rows[name]["kappa"])
    whole = rows["all questions"]
    assert (whole["one not applicable"], whole["not applicable"], whole["left_out"]) == (13, 16, 29)
    matrix = next(b for b in paper["agreement"].every_block() if isinstance(b, Matrix))
    assert [[c.value for c in line] for line in matrix.cells] == [[215, 26], [6, 48]]


# ------------------------------------------------------------------ 2 cases


def test_every_case_has_a_paragraph(unfinished: ProjectReport) -> None:
    assert list(entries(unfinished, "cases")) == ["case-1", "case-2", "case-3"]
    first, second, third = (said(unfinished, k) for k in (1, 2, 3))
    assert "A1 and A2 answered “1” and A3 answered “0” (round 1)." in first
    assert "A3: “A3 reads it so” (rule R1)." in first
    assert (
        "Cause d, the item is read differently; proposed by R, accepted by A1, A2 and A3." in first
    )
    assert "A3 changed the answer to “1” (d)." in first
    assert "It rests on rule R1 (“Read the whole item”). Accepted by A1, A2 and A3." in first
    assert "Too narrow or too broad: “titles are too narrow”." in second
    assert "annotated again after the coders had aligned on the concept" in second
    assert "Decided by Dee alone for “0”: “the title says so”." in third


def test_cases_of_a_group_stand_together(paper: ProjectReport) -> None:
    keys = list(entries(paper, "cases"))
    assert keys[:4] == ["case-1", "case-8", "case-14", "case-21"]
    assert len(keys) == 32
    assert "Group “as 2017-1-5 (5c)”: cases 1, 8, 14 and 21 were handled together" in markdown(
        paper
    )


# ------------------------------------------------------------------ 3 causes


def test_bjhp_causes_with_their_denominators(paper: ProjectReport) -> None:
    """Section 10.2: 6 a, 3 b, 19 c, 2 e and 2 without, of 32; in 27 articles."""
    rows = {r["cause"]: r for r in table(paper, "causes", "Causes of 32 cases")}
    assert {c: r["cases"] for c, r in rows.items()} == {
        "a2": 6,
        "b": 3,
        "c": 19,
        "e": 2,
        "none accepted": 2,
    }
    assert rows["c"]["of_cases"] == pytest.approx(19 / 32)
    assert sum(r["of_cases"] for r in rows.values()) == pytest.approx(1)
    assert rows["c"]["items"] == 15
    headings = [c.heading for c in tables(paper, "causes")["Causes of 32 cases"].columns]
    assert {"of 32 cases", "of 27 items"} <= set(headings)


def test_bjhp_goes_one_way(paper: ProjectReport) -> None:
    """17 of 19 under c (p = .0007), 26 of 32 in all (p = .0005); A1 prevails 21 to 11."""
    assert "17 of 19 cases under c go the same way: are these inconsistencies?" in findings(
        paper, "causes"
    )
    rows = {r["about"]: r for r in table(paper, "causes", "go the same way")}
    assert (rows["all cases"]["n"], rows["all cases"]["reverse"]) == (26, 6)
    assert rows["all cases"]["p"] == pytest.approx(0.000535, abs=5e-7)
    assert (rows["cause c"]["n"], rows["cause c"]["reverse"]) == (17, 2)
    assert rows["cause c"]["p"] == pytest.approx(0.000729, abs=5e-7)
    stood = {r["coder"]: r["stood"] for r in table(paper, "causes", "answer stood")}
    assert stood == {"A1": 21, "A2": 11}


def test_differing_pairs_are_a_denominator_of_their_own(unfinished: ProjectReport) -> None:
    """With three coders one against two differs in two pairs."""
    [rows] = [t.to_rows() for n, t in tables(unfinished, "causes").items() if "Causes of" in n]
    assert [r["pairs"] for r in rows] == [2, 2, 2]
    assert [r["of_pairs"] for r in rows] == pytest.approx([1 / 3] * 3)


# ------------------------------------------------------------------ 4 toolbox, 5 re-annotation


def test_toolbox_tells_what_changed_why_and_who_agreed(unfinished: ProjectReport) -> None:
    rows = {r["part"]: r for r in table(unfinished, "toolbox", "Versions")}
    assert rows["concept claim v2"]["reason"] == "too narrow"
    assert rows["concept claim v2"]["cases"] == "2"
    assert rows["concept claim v1"]["signed"] == "A1, A2 and A3"  # only the log knows
    [change] = entries(unfinished, "toolbox").values()
    assert change.title == "Change 4: concept claim v2"
    assert change.paragraphs == ("Why: too narrow.", "Behind it: case 2.")
    [diff] = [t for name, t in tables(unfinished, "toolbox").items() if not name]
    assert diff.to_rows() == [
        {"what": "concept claim", "before": "what a text asserts", "after": "refined 1 times"}
    ]


def test_what_annotating_again_changed(unfinished: ProjectReport) -> None:
    """Of 6 items that agreed on Q before, i1 is another answer now; of i3 and i7, i3 agrees.

    i2 agreed by then, since its case had been argued.
    """
    [row] = table(unfinished, "again", "What annotating again changed")
    assert (row["agreed"], row["kept"], row["other"], row["torn"]) == (6, 5, 1, 0)
    assert (row["conflicting"], row["settled"]) == (2, 1)
    assert "1 (16.7\N{NO-BREAK SPACE}%) changed" in markdown(unfinished)


def test_bjhp_owes_a_re_annotation(paper: ProjectReport) -> None:
    orders = table(paper, "again", "Orders")
    assert {r["questions"] for r in orders} >= {"5a and 5c"}
    assert {r["items"] for r in orders} == {54}
    assert {r["state"] for r in orders} == {"open"}
    assert "deprecated" in paper.status
    assert "ground truth" not in paper.status


def test_without_the_log_it_says_what_cannot_be_told() -> None:
    found = project_report(deprecated().state)
    text = markdown(found)
    assert "Without the log it cannot be told what a round changed." in text
    assert "Without the log only the latest signature of each coder is known." in text


def test_an_objection_is_told_with_what_it_was_about() -> None:
    here = ready_to_annotate(2, 2)
    here.do(object_to, "A1", concept="claim", text="too vague")
    rows = {r["part"]: r for r in table(report_of(here), "toolbox", "Versions")}
    assert rows["concept claim v1"]["objected"] == "A1: too vague"
    assert rows["guidelines 1.0.0"]["objected"] == ""


# ------------------------------------------------------------------ 7 procedure, 8 statement


def test_procedure_names_steps_departures_and_people(paper: ProjectReport) -> None:
    lead = paper["procedure"].lead
    assert lead == (
        "Steps carried out: 0, 1, 3, 4 and 5. Not performed: 2. Went back once. 4 departures from "
        "the procedure."
    )
    assert "Not performed: step 2 (conceptual alignment)." in markdown(paper)
    assert findings(paper, "procedure")[0] == "4 departures from the procedure"


def test_roles_that_fall_together_are_told(unfinished: ProjectReport) -> None:
    here = resolving()
    here.do(add_person, "R", "A1", [Role.RESEARCHER, Role.CODER])
    notes = {r["name"]: r["note"] for r in table(report_of(here), "procedure", "People")}
    assert notes["A1"] == "researcher and coder"
    late = {r["name"]: r["note"] for r in table(unfinished, "procedure", "People")}
    assert late["Dee"] == "appointed after step 5 had begun"


def test_the_hash_of_the_log_is_printed() -> None:
    here = ground_truth()
    records = records_of(here)
    found = project_report(here.state, records=records)
    assert records[-1].hash in markdown(found)
    assert found.signature.count(records[-1].hash[:12]) == 1


def test_data_statement_has_ten_sections(unfinished: ProjectReport) -> None:
    found = entries(unfinished, "statement")
    assert list(found) == [f"statement-{letter}" for letter in "ABCDEFGHIJ"]
    assert found["statement-A"].paragraphs[-1] == "All letters of one archive."
    assert found["statement-C"].paragraphs == ("Not answered: who wrote or spoke the texts.",)
    assert unfinished["statement"].lead.endswith("Not answered yet: B, C, D, E, F, G, H, I and J.")
    assert "Release 1: deprecated." in " ".join(found["statement-H"].paragraphs)


def test_what_few_people_say_about_themselves_is_not_shown() -> None:
    here = resolving()
    for name, about in (("A1", "born in 1950"), ("A2", "born in 1950"), ("A3", "left-handed")):
        here.do(add_person, "R", name, [Role.CODER], about=about)
    shown = " ".join(entries(report_of(here), "statement")["statement-D"].paragraphs)
    assert "1950" not in shown
    assert "left-handed" not in shown
    assert "What 3 coders said about themselves is not shown" in shown
    here.do(add_person, "R", "A3", [Role.CODER], about="born in 1950")
    shown = " ".join(entries(report_of(here), "statement")["statement-D"].paragraphs)
    assert "born in 1950 (3)" in shown


# ------------------------------------------------------------------ other ways to end


def test_comparison_only() -> None:
    from resolution.build import compared

    here = compared({"Q": {"A1": "0101", "A2": "0111"}})
    here.do(finish, "R", reason="we wanted the figure only")
    found = report_of(here)
    assert found.status == "Release 1: comparison only."
    assert "no check of inconsistent scoring" in found.verdict[0]
    assert "Comparison only" in findings(found, "notice")


def test_variation_that_is_elicited_is_a_result() -> None:
    from resolution.build import compared

    here = compared({"Q": {"A1": "0101", "A2": "0111"}}, purpose=Purpose.ELICIT_VARIATION)
    assert "Disagreement is a result here" in markdown(report_of(here))


# ------------------------------------------------------------------ blindness


@pytest.fixture
def still(monkeypatch: pytest.MonkeyPatch) -> None:
    """Time stands still: when somebody submitted is no secret, but differs between two projects."""
    monkeypatch.setattr(Session, "now", property(lambda self: "2026-01-01T00:00:00Z"))


def open_round_one(other: str) -> Session:
    here = open_blindly(ready_to_annotate(4, 3, ("Q", "P")))
    for coder, column in (("A1", "0101"), ("A2", other), ("A3", "0100")):
        submit(here, coder, "Q", column)
    return here


def open_round_two(other: str) -> Session:
    """The case was returned, the concept refined, and a second round is open."""
    here = resolving()
    returned(here, Cause.B, 2)
    with_concept(here)
    aligned(here)
    here.do(open_round, "R")
    submit(here, "A1", "Q", "11010101")
    submit(here, "A2", "Q", other)
    return here


@pytest.mark.usefixtures("still")
@pytest.mark.parametrize("person", ["", "A1", "R"])
@pytest.mark.parametrize(
    "make, others", [(open_round_one, ("0111", "1000")), (open_round_two, ("11010101", "00101010"))]
)
def test_an_open_round_tells_nothing(
    make: Callable[[str], Session], others: tuple[str, str], person: str
) -> None:
    """Projects that differ only in another's answers of the open round have the same report."""
    pages = []
    for other in others:
        found = report_of(make(other), person=person)
        pages.append([RENDERERS[end](found, False) for end in found.endings if end != ".pdf"])
    assert pages[0] == pages[1]
    assert "withheld" in pages[0][1]


@pytest.mark.usefixtures("still")
def test_figures_are_withheld_while_something_is_annotated_again() -> None:
    found = report_of(open_round_two("11010101"))
    assert not tables(found, "agreement")
    assert "Agreement is withheld until round 2 closes." in markdown(found)
    assert not entries(found, "cases")
    assert "3 cases are withheld until round 2 closes" in markdown(found)


@pytest.mark.usefixtures("still")
def test_what_a_round_changed_is_withheld_while_it_is_annotated_once_more() -> None:
    here = resolving()
    for _ in range(2):
        returned(here, Cause.B, 2 if here.state.epoch.cases[2].live else 3)
        with_concept(here)
        aligned(here)
        if len(here.state.epoch.rounds) < 2:
            again(here, SECOND)
            assert "What annotating again changed, by item and question" in tables(
                report_of(here), "again"
            )
    here.do(open_round, "R")
    assert list(tables(report_of(here), "again")) == ["Orders"]


@pytest.mark.usefixtures("still")
def test_what_an_import_warned_of_is_withheld() -> None:
    """Warnings tell who said what about cells that may be annotated again."""
    here = resolving().tell(Imported("letters.csv", warnings=("i1: A1 said SECRET",)))
    assert "SECRET" in markdown(report_of(here))
    open_blindly(here)
    assert "SECRET" not in markdown(report_of(here))


# ------------------------------------------------------------------ everything, always


@pytest.mark.parametrize("seed", SEEDS)
def test_any_session_has_a_report(seed: int) -> None:
    """Whatever people do: a report in every format, its counts those of the state."""
    walk = Walker(seed)
    for step in range(1, STEPS + 1):
        walk.step(walk.likely())
        if step % 50:
            continue
        found = report_of(walk.here)
        assert found.verdict[0].startswith(found.status)
        assert re.search("<h1>.+</h1>", str(RENDERERS[".html"](found, False)))
        assert json.loads(found.to_json())["status"] == found.status
        if any(s.key == "causes" for s in found.sections):
            rows = next(t.to_rows() for n, t in tables(found, "causes").items() if "Causes of" in n)
            assert sum(r["cases"] for r in rows) == len(found.subject.cases)


def test_markup_in_a_project_is_shown_not_obeyed() -> None:
    here = annotated(
        {"Q": {"A1": ["<b>", "x"], "A2": ["x", "x"]}},
        options={"Q": ("<b>", "x")},
        texts=["</script><script>alert(1)</script>", "fine"],
    )
    here.state.title = "<img src=x onerror=alert(0)>"
    page = str(RENDERERS[".html"](report_of(here), False))
    assert "<img" not in page
    assert "alert(1)</script>" not in page


def test_report_of_a_store_is_that_of_its_log(tmp_path: Path) -> None:
    from accordant.resolution.setup import state_question

    with Project.create(tmp_path / "p.accordant", "Letters", by="ana") as project:
        project.do(state_question, by="ana", text="Who wrote them?")
        found = project_report(project)
        assert project.state.head in markdown(found)
        assert "Who wrote them?" in markdown(found)
        assert found.title == "Letters: how disagreement was resolved"


def test_history_of_nothing() -> None:
    assert history([]) == replace(history([]))
    assert not history([]).known
