"""Finished annotations become a project: what is kept, what is recorded as skipped, what is doubtful."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accordant import read
from accordant.data.annotations import Annotations
from accordant.errors import InputError, RequestError
from accordant.resolution.annotation import Annotated, Declined
from accordant.resolution.as_annotations import to_annotations
from accordant.resolution.cases import CaseAgreed
from accordant.resolution.command import Refused
from accordant.resolution.corrections import Rescored
from accordant.resolution.exports import final_rows, status_lines
from accordant.resolution.importing.cause_files import (
    file_digest,
    known_of,
    read_cases,
    read_consensus,
    read_questions,
)
from accordant.resolution.importing.command import import_finished
from accordant.resolution.importing.first_round import Finished, KnownCase
from accordant.resolution.project import Project
from accordant.resolution.records import Answer, AskedIf, Concept, Guidelines, Question, Rule
from accordant.resolution.release import status_now
from accordant.resolution.setup import new_project
from accordant.resolution.staleness import open_orders
from accordant.resolution.views import cases, comparison_view
from accordant.resolution.words import CaseState, Cause, Change, Outcome, ReleaseStatus, Role, Step
from resolution.bjhp import imported
from resolution.build import Session, begun

DEPENDENT = (Question("P", "Is it?"), Question("C", "How?", asked_if=AskedIf("P", ("yes",))))


def two_questions() -> Annotations:
    rows = [
        ("t1", "P", "ann", "yes"),
        ("t1", "P", "bob", "yes"),
        ("t1", "C", "ann", "so"),
        ("t1", "C", "bob", "thus"),
        ("t2", "P", "ann", "no"),
        ("t2", "P", "bob", "yes"),
        ("t2", "C", "bob", "so"),
        ("t3", "P", "ann", "no"),
        ("t3", "P", "bob", "no"),
    ]
    return read(
        {
            name: [row[k] for row in rows]
            for k, name in enumerate(("item", "question", "coder", "label"))
        }
    )


def one(**columns: Any) -> Annotations:
    n = len(next(iter(columns.values())))
    return read({"item": [f"t{k + 1}" for k in range(n)], **columns}, coder=list(columns))


def label(text: str) -> Answer:
    return Answer((text,))


# ------------------------------------------------------------------ the round


def test_a_closed_round_with_what_was_skipped() -> None:
    here = imported(Finished(one(ann=["a", "b", "a"], bob=["a", "a", None])), by="ann")
    state = here.state
    assert state.step == Step.COMPARISON
    assert state.imported
    assert state.people["ann"].roles == (Role.RESEARCHER, Role.CODER)
    assert state.people["bob"].roles == (Role.CODER,)
    assert state.epoch.rounds[0].imported
    assert state.assigned == {"bob": [0, 1]}
    [counts] = comparison_view(state, "ann").counts.values()
    assert counts == {"agreed": 1, "conflicting": 1, "incomplete": 1}
    assert {d.code for d in state.deviations} == {
        "steps 0 and 1 not documented",
        "step 2 not performed",
    }
    assert any("step 2 not performed" in line for line in status_lines(state))
    assert state.epoch.guidelines[0].options == {"question": ("a", "b")}
    assert not state.epoch.cases
    assert status_now(state).status == ReleaseStatus.COMPARISON_ONLY


def test_who_did_not_annotate_an_item_was_not_assigned() -> None:
    items = ["t1", "t1", "t2", "t2", "t3", "t3"]
    data = read({"item": items, "coder": list("abbcac"), "label": list("xyxyxx")})
    here = imported(Finished(data))
    assert here.state.assigned == {"a": [0, 2], "b": [0, 1], "c": [1, 2]}
    [counts] = comparison_view(here.state, "R").counts.values()
    assert counts == {"agreed": 1, "conflicting": 2}


def test_blank_in_a_dependent_question_was_not_asked() -> None:
    here = imported(Finished(two_questions(), DEPENDENT))
    counts = comparison_view(here.state, "R").counts
    assert counts["P"] == {"agreed": 2, "conflicting": 1}
    assert counts["C"] == {"conflicting": 1, "one not applicable": 1, "not applicable": 1}
    assert not [e for e, _ in here.log if isinstance(e, Declined)]
    # without the dependency a blank is an answer that is missing
    bare = imported(Finished(two_questions()))
    declined = [e for e, _ in bare.log if isinstance(e, Declined)]
    assert {(e.coder, e.items) for e in declined} == {("ann", ("t2", "t3")), ("bob", ("t3",))}
    assert declined[0].reason == "no annotation in the source"


def test_one_event_for_each_question_and_coder() -> None:
    here = imported(Finished(two_questions(), DEPENDENT))
    events = [e for e, _ in here.log if isinstance(e, Annotated)]
    assert [(e.question, e.coder) for e in events] == [
        ("P", "ann"),
        ("P", "bob"),
        ("C", "ann"),
        ("C", "bob"),
    ]


def test_answers_where_nothing_was_asked_are_told() -> None:
    rows = [
        ("t1", "P", "ann", "no"),
        ("t1", "C", "ann", "so"),
        ("t1", "P", "bob", "yes"),
        ("t1", "C", "bob", "so"),
    ]
    data = read(
        {n: [r[k] for r in rows] for k, n in enumerate(("item", "question", "coder", "label"))}
    )
    here = imported(Finished(data, DEPENDENT))
    assert (
        "ann answered C about 1 item of which it was not asked, given the answer to P; not counted"
        in (here.state.imports[0].warnings)
    )
    assert comparison_view(here.state, "R").counts["C"] == {"one not applicable": 1}


CELLS = st.lists(st.sampled_from(["a", "b", None]), min_size=5, max_size=5)


@settings(max_examples=25)
@given(CELLS, CELLS, CELLS)
def test_what_goes_in_comes_out(first: list[Any], second: list[Any], third: list[Any]) -> None:
    if sum(any(column) for column in (first, second, third)) < 2:
        return
    data = one(ann=first, bob=second, cid=third)
    here = imported(Finished(data))
    out = to_annotations(here.state, round=1)
    kept = lambda d: {(r["item"], r["coder"], r["label"]) for r in d.to_rows() if r["label"]}  # noqa: E731
    assert kept(out) == kept(data)


# ------------------------------------------------------------------ consensus and causes


def test_consensus_without_a_procedure_is_imported() -> None:
    data = one(ann=["a", "b"], bob=["a", "a"])
    here = imported(Finished(data, consensus={("t2", "question"): label("a")}))
    now = status_now(here.state)
    assert now.status == ReleaseStatus.IMPORTED
    assert {u.guard for u in now.missing} == {"source.cause"}
    [case] = here.state.epoch.cases.values()
    assert (case.state, case.outcome, case.answer) == (
        CaseState.AGREED,
        Outcome.IMPORTED,
        label("a"),
    )
    assert case.cause is None
    assert {r["answer"] for r in final_rows(here.state)} == {"a"}
    assert not any("no cause" in w for w in here.state.imports[0].warnings)


def test_causes_without_consensus_stay_to_be_settled() -> None:
    data = one(ann=["a", "b"], bob=["a", "a"])
    here = imported(Finished(data, cases=(KnownCase("t2", "question", "D", text="two readings"),)))
    [row] = cases(here.state, "R", live=True)
    assert (row.cause, row.state) == (Cause.D, CaseState.ARGUED)
    assert here.state.step == Step.RESOLUTION


def test_changes_are_owed_a_re_annotation() -> None:
    data = one(ann=["a", "b"], bob=["a", "a"])
    change = Guidelines("", {}, rules=(Rule("R1", "Say a", ("question",)),), reason="unclear")
    known = KnownCase("t2", "question", "a2", element="missing")
    here = imported(
        Finished(
            data, consensus={("t2", "question"): label("a")}, cases=(known,), changes=(change,)
        )
    )
    assert [g.version for g in here.state.epoch.guidelines] == ["1.0.0", "1.1.0"]
    assert here.state.epoch.guidelines[-1].change == Change.LOCAL
    assert here.state.epoch.guidelines[-1].cases == (1,)
    [order] = open_orders(here.state)
    assert (order.questions, order.items, order.cases) == (("question",), None, (1,))
    assert here.state.step == Step.TASK
    assert status_now(here.state).status != ReleaseStatus.GROUND_TRUTH


def test_key_concepts_without_sign_offs() -> None:
    data = one(ann=["a", "b"], bob=["a", "a"])
    here = imported(
        Finished(data, concepts=(Concept("claim", 0, "what is said"),), guidelines="Read")
    )
    codes = {d.code for d in here.state.deviations}
    assert codes == {"step 0 not documented", "step 2 not documented"}
    told = imported(
        Finished(
            data,
            research_questions=("?",),
            guidelines="Read",
            deviations={"step 2 not performed": "so they say"},
        )
    )
    assert {d.code for d in told.state.deviations} == {"step 2 not performed"}
    assert here.state.epoch.concepts["claim"][-1].version == 1  # a file counts no versions


# ------------------------------------------------------------------ what is doubtful


def warned(data: Annotations, **known: Any) -> list[str]:
    return list(imported(Finished(data, **known)).state.imports[0].warnings)


def test_clean_data_give_no_warnings() -> None:
    data = one(ann=["a", "b", "b"], bob=["a", "a", "b"])
    known = KnownCase(
        "t2", "question", "e", coder="ann", prevails="bob", heading="t2", discussed=True
    )
    told = warned(
        data,
        consensus={(f"t{k}", "question"): label("b" if k == 3 else "a") for k in (1, 2, 3)},
        cases=(known,),
    )
    assert told == ["of 1 conflict with a consensus, it keeps bob's once"]


@pytest.mark.parametrize(
    ("consensus", "known", "wanted"),
    [
        (
            "b",
            {"cause": "e", "coder": "ann"},
            "ann is said to have been wrong (cause e), and the consensus keeps ann's answer (“b”)",
        ),
        (
            "b",
            {"cause": "d", "prevails": "bob"},
            "in the discussion bob's answer (“a”) stands, the consensus is “b”",
        ),
        ("c", {"cause": "d"}, "the consensus “c” is no coder's answer (ann “b” and bob “a”)"),
        ("a", {"cause": "d", "heading": "t1"}, "its discussion is headed “t1” in the source"),
        (
            "a",
            {"cause": "d", "discussed": False},
            "has cause d, and its discussion does not speak of this question",
        ),
        ("a", {"cause": "c", "coder": "ann"}, "1 case under c does not name the other item"),
        (
            "a",
            {"cause": "c", "others": ("t1",)},
            "1 case under c names no coder: taken to be who gave their answer up",
        ),
        ("a", {"cause": "b"}, "1 case under b was settled by deference"),
        ("a", {"cause": "A"}, "1 case under a does not say whether"),
    ],
)
def test_warnings(consensus: str, known: dict[str, Any], wanted: str) -> None:
    data = one(ann=["a", "b", "c"], bob=["a", "a", "c"])
    told = warned(
        data,
        consensus={("t2", "question"): label(consensus)},
        cases=(KnownCase("t2", "question", **known),),
    )
    assert sum(wanted in warning for warning in told) == 1, told


def test_conflicts_without_a_cause_are_told_where_others_have_one() -> None:
    data = one(ann=["b", "b"], bob=["a", "a"])
    agreed = {(item, "question"): label("a") for item in ("t1", "t2")}
    told = warned(data, consensus=agreed, cases=(KnownCase("t1", "question", "d"),))
    assert "t2, question: coders differ and there is a consensus, but no cause" in told


def test_consensus_against_all_coders_is_told_and_not_taken() -> None:
    data = one(ann=["a", "b"], bob=["a", "a"])
    here = imported(
        Finished(data, consensus={("t1", "question"): label("b"), ("t2", "question"): label("a")})
    )
    assert any(
        "all 2 coders answered “a”, the consensus is “b”" in w
        for w in here.state.imports[0].warnings
    )
    assert final_rows(here.state)[0]["answer"] == "a"


def test_consensus_that_breaks_a_dependency() -> None:
    consensus = {("t2", "P"): label("no"), ("t2", "C"): label("so"), ("t1", "P"): label("yes")}
    told = warned(two_questions(), questions=DEPENDENT, consensus=consensus)
    assert "t2, C: the consensus is “so”, though P is “no” so it is not asked; left out" in told
    assert "t1, C: the consensus is asked, since P is “yes”, and blank" in told


def test_newly_asked_coders_take_the_consensus() -> None:
    consensus = {("t2", "P"): label("yes"), ("t2", "C"): label("so"), ("t1", "C"): label("so")}
    here = imported(Finished(two_questions(), DEPENDENT, consensus=consensus))
    rows = {(r["item"], r["question"]): r for r in final_rows(here.state)}
    assert rows["t2", "C"]["answer"] == "so"
    assert {r["provenance"] for r in rows.values()} <= {
        "agreed by annotation",
        "agreed by resolution",
        "not applicable",
    }


def test_groups_of_one_decision() -> None:
    data = one(ann=["b", "b", "b"], bob=["a", "a", "a"])
    known = tuple(
        KnownCase(f"t{k}", "question", "a2", element="as t1" if k > 1 else "missing")
        for k in (1, 2, 3)
    )
    here = imported(
        Finished(
            data, consensus={(f"t{k}", "question"): label("a") for k in (1, 2, 3)}, cases=known
        )
    )
    assert here.state.groups == {"as t1 (question)": (1, 2, 3)}


# ------------------------------------------------------------------ refusals


def test_only_into_an_empty_imported_project() -> None:
    data = one(ann=["a", "b"], bob=["a", "a"])
    here = begun(2)
    with pytest.raises(Refused) as error:
        here.do(import_finished, "R", finished=Finished(data))
    assert [u.guard for u in error.value.unmet] == ["imported"]
    with pytest.raises(Refused) as error:
        imported(Finished(data.of_coders(["ann"])))
    assert [u.guard for u in error.value.unmet] == ["two_annotators"]


@pytest.mark.parametrize(
    ("known", "message"),
    [
        ({"cases": (KnownCase("t9", "question", "c"),)}, "no item 't9'"),
        ({"cases": (KnownCase("t1", "Q9", "c"),)}, "no question 'Q9'"),
        ({"cases": (KnownCase("t1", "question", "f"),)}, "no cause 'f'"),
        ({"cases": (KnownCase("t1", "question", "c", coder="cid"),)}, "no coder 'cid'"),
        ({"cases": (KnownCase("t1", "question", "c", others=("t9",)),)}, "no item 't9'"),
        ({"consensus": {("t9", "question"): label("a")}}, "no item 't9'"),
        ({"questions": (Question("Q9", "?"),)}, "no question 'Q9'"),
    ],
)
def test_knowledge_that_does_not_fit(known: dict[str, Any], message: str) -> None:
    here = Session()
    here.do(new_project, "R", title="x", imported=True)
    before = repr(here.state)
    with pytest.raises(RequestError, match=message):
        here.do(
            import_finished, "R", finished=Finished(one(ann=["a", "b"], bob=["a", "a"]), **known)
        )
    assert repr(here.state) == before


# ------------------------------------------------------------------ files


def test_files(tmp_path: Path) -> None:
    cases_file, gold, questions = (tmp_path / name for name in ("cases.csv", "gold.tsv", "q.csv"))
    cases_file.write_text(
        "Item ID,Question,Cause,Other items,discussed,whose\nt2,P,c,t1; t3,yes,ann\nt1,C,,,no,\n"
    )
    gold.write_text("item\tquestion\tconsensus\nt2\tP\tyes\nt1\tC\t\nt2\tC\tso\n")
    questions.write_text("question,text,asked_if\nP,Is it?,always\nC,How?,P=yes (per coder)\n")
    first, second = read_cases(cases_file, {"coder": "whose"})
    assert first == KnownCase("t2", "P", "c", "ann", ("t1", "t3"), discussed=True)
    assert second.discussed is False
    assert read_consensus(gold, two_questions()) == {
        ("t2", "P"): label("yes"),
        ("t2", "C"): label("so"),
    }
    assert read_questions(questions) == DEPENDENT
    assert len(file_digest(gold)) == 64


def test_cases_of_the_only_question_need_not_name_it(tmp_path: Path) -> None:
    file = tmp_path / "cases.csv"
    file.write_text("item,cause,coder\nt1,e,ann\n")
    with pytest.raises(RequestError, match="recognised as the question"):
        read_cases(file)
    assert read_cases(file, question="P") == (KnownCase("t1", "P", "e", "ann"),)
    data = one(ann=["yes", "no"], bob=["no", "no"])
    found, [told] = known_of(data, cases=file, columns={})
    assert [case.question for case in found["cases"]] == ["question"]
    assert "question" not in told
    with pytest.raises(RequestError, match="recognised as the question"):
        known_of(two_questions(), cases=file, columns={})


def test_bad_files(tmp_path: Path) -> None:
    twice = tmp_path / "twice.csv"
    twice.write_text("item,question,cause\nt1,P,c\nt1,P,d\n")
    with pytest.raises(InputError, match=r"twice\.csv, row 3: item 't1' has a second row"):
        read_cases(twice)
    with pytest.raises(RequestError, match="no role of a column 'whose'"):
        read_cases(twice, {"whose": "cause"})
    with pytest.raises(RequestError, match="there is no column 'x'"):
        read_cases(twice, {"coder": "x"})
    with pytest.raises(RequestError, match="which column is the consensus"):
        read_consensus(twice, two_questions())
    with pytest.raises(InputError, match="no such file"):
        read_cases(tmp_path / "none.csv")
    odd = tmp_path / "odd.csv"
    odd.write_text("question,asked_if\nP,\nC,whenever\n")
    with pytest.raises(InputError, match=r"odd\.csv, row 3, column 'asked_if': 'whenever'"):
        read_questions(odd)


def test_a_project_on_disk(tmp_path: Path) -> None:
    """Through the store: the same command, and the same state after opening again."""
    where = tmp_path / "p.accordant"
    finished = Finished(two_questions(), DEPENDENT, consensus={("t2", "P"): label("yes")})
    with Project.create(where, "Old", by="R", imported=True) as project:
        project.do(import_finished, "R", finished=finished)
        before = project.state
    with Project.open(where) as project:
        assert project.state == before
        assert not project.verify()


def test_a_child_case_ends_where_the_consensus_does_not_ask() -> None:
    rows = [
        ("t1", "P", "ann", "yes"),
        ("t1", "P", "bob", "yes"),
        ("t1", "P", "cid", "no"),
        ("t1", "C", "ann", "so"),
        ("t1", "C", "bob", "thus"),
    ]
    names = ("item", "question", "coder", "label")
    data = read({name: [row[k] for row in rows] for k, name in enumerate(names)})
    consensus = {("t1", "P"): label("no"), ("t1", "C"): label("so")}
    here = imported(Finished(data, DEPENDENT, consensus=consensus))
    states = {c.question: c.state for c in here.state.epoch.cases.values()}
    assert states == {"P": CaseState.AGREED, "C": CaseState.CLOSED}
    assert {e.question for e, _ in here.log if isinstance(e, Rescored)} == {"P"}
    assert [e.case for e, _ in here.log if isinstance(e, CaseAgreed)] == [1]
    assert {r["question"]: r["provenance"] for r in final_rows(here.state)}["C"] == "not applicable"


ALIKE = [("ana", "\u0430na"), ("a-b", "a\u2013b"), ("ana", "an\u200ba")]


@pytest.mark.parametrize(("one_name", "other"), ALIKE)
def test_names_that_cannot_be_told_apart_are_refused(one_name: str, other: str) -> None:
    table = {"item": ["t1", "t2"], one_name: ["x", "y"], other: ["x", "x"]}
    coders = read(table, coder=[one_name, other])
    rows = {
        "item": [one_name, one_name, other, other],
        "coder": ["A", "B"] * 2,
        "label": list("xxyx"),
    }
    asked = {"item": ["t1", "t1"] * 2, "coder": ["A", "B"] * 2, "label": list("xyxy")}
    asked["question"] = [one_name, one_name, other, other]
    for data in (coders, read(rows), read(asked)):
        with pytest.raises(RequestError, match="looks like|cannot be seen"):
            imported(Finished(data))
    people = read({"item": ["t1", "t2"], "B": ["x", "y"], other: ["x", "x"]}, coder=["B", other])
    with pytest.raises(RequestError, match="looks like|cannot be seen"):
        imported(Finished(people), by=one_name)
