"""BJHP replayed: what Oortwijn et al. (2021, section 5.2) published becomes a project, and goes on."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from accordant.resolution.annotation import annotate, submit
from accordant.resolution.as_annotations import to_annotations
from accordant.resolution.concepts import sign_off
from accordant.resolution.directions import direction_question, directions
from accordant.resolution.disagreement import live_cases
from accordant.resolution.exports import final_rows, status_lines
from accordant.resolution.guidelines import acknowledge
from accordant.resolution.release import status_now
from accordant.resolution.rounds import close_round, open_round
from accordant.resolution.setup import record_training
from accordant.resolution.sight import first_answers
from accordant.resolution.staleness import open_orders
from accordant.resolution.views import case_view, cases, comparison_view
from accordant.resolution.words import CaseState, Cause, Outcome, ReleaseStatus, Step
from accordant.resolution.work import my_work
from resolution.bjhp import bjhp_project
from resolution.build import Session

RealData = Callable[[str], Path]


@pytest.fixture(scope="module")
def project(real_data: RealData) -> Session:
    return bjhp_project(real_data)


def test_round_is_what_was_published(project: Session) -> None:
    """§10: 324 cells, 295 comparable, 32 differ; 13 with one 5c only, 16 with none."""
    counts: Counter[str] = Counter()
    for question in comparison_view(project.state, "R").counts.values():
        counts.update(question)
    assert dict(counts) == {
        "agreed": 263,
        "conflicting": 32,
        "one not applicable": 13,
        "not applicable": 16,
    }


def test_cases_and_causes(project: Session) -> None:
    rows = cases(project.state, "R")
    assert len(rows) == 32
    assert len({row.item for row in rows}) == 27
    causes = Counter(row.cause for row in rows)
    assert causes == {Cause.A2: 6, Cause.B: 3, Cause.C: 19, Cause.E: 2, None: 2}
    assert {row.state for row in rows} == {CaseState.AGREED}
    assert {row.outcome for row in rows} == {Outcome.IMPORTED}


def test_papers_percentages_and_their_denominator(project: Session) -> None:
    """§10.2: 21, 10, 62 and 7 % are of the 29 judgements that the counts know, not of 32 or 25.

    The counts lack 2017-3-7 and 2017-5-7 (no cause), and one Q3 under c.
    """
    of_32 = Counter((r.cause or "").removesuffix("2") for r in cases(project.state, "R"))
    counted = {"a": of_32["a"], "b": of_32["b"], "c": of_32["c"] - 1, "e": of_32["e"]}
    assert sum(counted.values()) == 29
    assert {k: round(100 * n / 29) for k, n in counted.items()} == {
        "a": 21,
        "b": 10,
        "c": 62,
        "e": 7,
    }
    letters = {r.item: r.cause for r in cases(project.state, "R") if r.cause}
    by_item = Counter((cause or "").removesuffix("2") for cause in letters.values())
    assert by_item == {"a": 6, "b": 3, "c": 15, "e": 1}  # 25 articles


def test_deviations(project: Session) -> None:
    codes = Counter(d.code for d in project.state.deviations)
    assert codes == {"step 2 not performed": 1, "b settled by deference": 3}
    assert any("deviation: step 2 not performed" in line for line in status_lines(project.state))


WARNINGS = {
    1: ["2017-1-8: its discussion is headed “2017-1-9”"],
    2: [
        "2017-1-9, 5a: in the discussion A2's answer (“1”) stands, the consensus is “0”",
        "2017-1-9, 5a: A1 is said to have been wrong",
    ],
    3: ["2017-1-7, 5c: the consensus “0” is no coder's answer"],
    4: ["2017-6-7, 5c: the consensus is “0”, though 5a is “0”"],
    5: [
        "2017-3-7, 1: coders differ and there is a consensus, but no cause",
        "2017-5-7, 3: coders differ and there is a consensus, but no cause",
    ],
    6: [
        f"{item}, 3: the item has cause c, and its discussion does not speak of this question"
        for item in ("2017-5-3", "2017-5-10", "2017-6-4")
    ],
    7: [
        "19 cases under c do not name the other item",
        "3 cases under b were settled by deference",
        "6 cases under a do not say whether",
        "4 cases are one decision, about 2017-1-5",
    ],
    8: ["it keeps A1's 21 times and A2's 11 times", "cause 'c': 17 of 19 cases go the same way"],
}


@pytest.mark.parametrize("number", WARNINGS)
def test_warnings(project: Session, number: int) -> None:
    """The defects of §10.3, each found by a check that knows nothing of these data."""
    told = project.state.imports[0].warnings
    for wanted in WARNINGS[number]:
        assert sum(wanted in warning for warning in told) == 1, wanted


def test_no_other_warnings(project: Session) -> None:
    told = project.state.imports[0].warnings
    known = [w for warnings in WARNINGS.values() for w in warnings]
    rest = [t for t in told if not any(w in t for w in known)]
    assert [r.split(":")[0] for r in rest] == [
        "3 cases under c name no coder",
        "all cases",
        "question '5c'",
    ]


def test_agreement_from_the_annotator_files(project: Session, real_data: RealData) -> None:
    """§10.1: .6829 pooled and .4563 wide-scope, from what was imported."""
    from accordant import agreement

    expected = json.loads((real_data("bjhp") / "bjhp_expected_agreement.json").read_text())
    data = to_annotations(project.state, round=1).of_shared()
    for name, asked in (("all", data), ("wide_scope", data.of_questions(["5a", "5c"]))):
        [kappa] = [row.value for row in agreement(asked, "kappa") if row.question is None]
        assert kappa == pytest.approx(expected["from_annotator_files"][name]["kappa"], abs=1e-12)


def test_direction(project: Session) -> None:
    """§10.2: 26 to 6 over all, 17 to 2 under c."""
    found = {
        d.about: (d.coder, str(d.label), d.n, d.n_reverse, round(d.p, 4))
        for d in directions(project.state, "R")
    }
    assert found["all cases"] == ("A1", "0", 26, 6, 0.0005)
    assert found["cause 'c'"] == ("A1", "0", 17, 2, 0.0007)


def test_asked_before_another_inconsistency(project: Session) -> None:
    one_way = next(
        c
        for c in project.state.epoch.cases.values()
        if c.cause == Cause.C and str(first_answers(project.state.epoch, c)["A1"]) == "0"
    )
    assert "17 of 19 cases under c go the same way" in direction_question(
        project.state, "R", one_way.number
    )


def test_dependents_follow_the_consensus(project: Session) -> None:
    """Where A1 comes to say that there is a claim (5a), A1's 5c is that of the consensus."""
    rows = {(r["item"], r["question"]): r for r in final_rows(project.state)}
    assert rows["2017-4-4", "5c"]["answer"] == "1"
    assert rows["2017-1-7", "5c"]["answer"] == "0"
    assert rows["2017-6-7", "5c"]["provenance"] == "not applicable"  # the source says 0
    assert not any(r["provenance"] in ("incomplete", "not settled") for r in rows.values())
    assert {r["status"] for r in rows.values()} == {"not released; as it is: deprecated"}


def test_not_ground_truth_before_what_is_owed(project: Session) -> None:
    orders = open_orders(project.state)
    owed = {(q, i) for o in orders for q in o.questions for i in (o.items or range(54))}
    assert owed == {(q, i) for q in ("5a", "5c") for i in range(54)}
    now = status_now(project.state)
    assert now.status == ReleaseStatus.DEPRECATED
    assert {u.guard for u in now.missing} >= {"no_stale", "no_open_order"}


def test_after_re_annotation(real_data: RealData) -> None:
    """Carried out in simulation: both coders annotate 5a and 5c of all 54 articles again, blind."""
    here = bjhp_project(real_data)
    state, agreed = (
        here.state,
        {(r["item"], r["question"]): r["answer"] for r in final_rows(here.state)},
    )
    assert state.step == Step.ALIGNMENT
    here.do(record_training, "R", coders=["A1", "A2"], text="the refined concept, with examples")
    for coder in ("A1", "A2"):
        here.do(acknowledge, coder)
        here.do(sign_off, coder)
    here.do(open_round, "R", orders=[o.number for o in open_orders(state)])
    assert not case_view(state, 3, "A1").summary.answers  # old values are hidden
    work = my_work(state, "A1")
    assert {q.id for q in work.questions} == {"5a", "5c"}
    assert len(work.items) == 54
    assert not any(item.answers for item in work.items)
    for coder in ("A1", "A2"):
        claims = {i: agreed[i, "5a"] for i in state.items.ids}
        here.do(annotate, coder, question="5a", answers=claims)
        asked = [i for i, claim in claims.items() if claim == "1"]
        here.do(annotate, coder, question="5c", answers={i: agreed[i, "5c"] for i in asked})
        here.do(submit, coder)
    here.do(close_round, "R")
    assert not open_orders(state)
    assert status_now(state).status == ReleaseStatus.DEPRECATED, "see test_proof"
    unsettled = {(state.items.ids[c.item], c.question) for c in live_cases(state.epoch)}
    assert unsettled == {(item, "5a") for item in ("2017-1-8", "2017-3-8", "2017-6-7")}
    final = {(r["item"], r["question"]): r["answer"] for r in final_rows(state)}
    assert {c: a for c, a in final.items() if c not in unsettled} == {
        c: a for c, a in agreed.items() if c not in unsettled
    }
