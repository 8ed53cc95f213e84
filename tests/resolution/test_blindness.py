"""While a round is open nobody sees what others answer: two projects that differ only in that look alike."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from importlib import import_module
from itertools import count

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accordant.errors import AccordantError, RequestError
from accordant.resolution import steps
from accordant.resolution.annotation import Annotated, Declined
from accordant.resolution.annotation import submit as done
from accordant.resolution.as_annotations import to_annotations
from accordant.resolution.cases import give_reason
from accordant.resolution.command import Refused
from accordant.resolution.exports import bundle, final_rows, status_lines
from accordant.resolution.imports import Imported
from accordant.resolution.logbook import log
from accordant.resolution.preview import preview, preview_of_cause
from accordant.resolution.procedure import written
from accordant.resolution.proposals import CauseAccepted, CauseProposed
from accordant.resolution.records import AMBIGUOUS, Answer, AskedIf, Evidence, Question
from accordant.resolution.release import status_now, status_of
from accordant.resolution.returns import CaseReturned
from accordant.resolution.rounds import RoundOpened, close_round
from accordant.resolution.standing import standing
from accordant.resolution.state import State
from accordant.resolution.store.record import Draft, Record, sealed
from accordant.resolution.suggestions import inconsistencies
from accordant.resolution.views import case_view, cases, comparison_view
from accordant.resolution.words import Cause, Step
from accordant.resolution.work import my_work, round_sheet
from resolution.build import (
    MODERATOR,
    OBSERVER,
    RESEARCHER,
    Session,
    annotated,
    close,
    compared,
    open_blindly,
    ready_to_annotate,
    resolving,
    submit,
)
from resolution.sessions import Walker
from resolution.shown_views import SHOWN

MODULES = (
    "requests",
    "views",
    "work",
    "logbook",
    "exports",
    "as_annotations",
    "standing",
    "release",
    "case_sheets",
    "suggestions",
    "preview",
)
HELPERS = {  # shown by others, or told of what is no annotation
    "counts_of",
    "resolution_begun",
    "departures",
    "flags_of",
    "final_answer",
    "opening_transition",
    "asked_about",
    "awaited",
    "dependent_cells",
    "column_of",
    "evidence_text",
}
QUESTIONS = (Question("P", "Is it?"), Question("C", "How?", asked_if=AskedIf("P", ("1",))))


def previews(state: State, person: str) -> list[object]:
    """What acts of a round would bring about, as far as they are allowed."""
    return [
        outcome(lambda f=function: preview(state, f, person))
        for function in (steps.close_round, steps.submit, steps.begin_resolution)
    ]


def previews_of_causes(state: State, person: str) -> list[object]:
    """What causes would ask for."""
    live = [number for number, case in state.epoch.cases.items() if case.live][:2]
    return [preview_of_cause(state, number, cause) for number in live for cause in ("a2", "d")]


def outcome(run: Callable[[], object]) -> object:
    """What a call gives, or how it is refused."""
    try:
        return run()
    except AccordantError as refusal:
        return str(refusal)


ALSO: dict[str, Callable[[State, str], object]] = {
    "standing": standing,
    "status_now": lambda state, person: status_now(state),
    "status_of": lambda state, person: status_of(state),
    "preview": previews,
    "preview_of_cause": previews_of_causes,
}
for also, function in ALSO.items():
    SHOWN.setdefault(also, lambda state, person, records, f=function: f(state, person))  # type: ignore[misc]
PEOPLE = (RESEARCHER, MODERATOR, OBSERVER, "A1", "")


def records_of(here: Session) -> list[Record]:
    """The log as the store would keep it."""
    numbers, found, versions = count(), [], {}
    head = (0, "0" * 64)
    for event, (at, actor) in here.log:
        draft = Draft(event.kind, event.stream, written(event))
        [record] = sealed(
            [draft],
            id=f"x{next(numbers)}",
            at=at.replace("Z", ".000000Z"),
            actor=actor,
            head=head,
            versions=versions,
        )
        versions[event.stream] = record.version
        head = (record.seq, record.hash)
        found.append(record)
    here.state.seq, here.state.head = head
    return found


def seen(here: Session, person: str) -> dict[str, bytes]:
    """Everything that is shown to a person, as bytes."""
    records = records_of(here)
    return {name: repr(show(here.state, person, records)).encode() for name, show in SHOWN.items()}


def test_everything_that_shows_something_is_registered() -> None:
    """Whoever adds a view registers it, so that the tests below take it."""
    for module in MODULES:
        found = import_module(f"accordant.resolution.{module}")
        for name in found.__all__:
            function = getattr(found, name)
            if not inspect.isfunction(function) or name in HELPERS:
                continue
            if "state" in inspect.signature(function).parameters:
                assert name in SHOWN, f"{module}.{name} is not in shown_views"


@pytest.mark.parametrize("person", PEOPLE)
@pytest.mark.parametrize("n_items", [1, 3])
def test_whether_a_dependent_question_waits_is_seen_by_nobody_else(
    person: str, n_items: int
) -> None:
    """A2 said “1”, and is asked more, or “0”, and is not: to others that looks the same."""

    def told(*more: str) -> tuple[dict[str, bytes], str]:
        here = open_blindly(ready_to_annotate(n_items, 2, QUESTIONS))
        submit(here, "A1", "P", ["0"] * n_items)
        here.do(done, "A1")
        submit(here, "A2", "P", [more[0], *"0" * (n_items - 1)])
        if len(more) > 1:
            submit(here, "A2", "C", [more[1]], items=("i1",))
        try:
            here.do(close_round, RESEARCHER)
        except Refused as refused:
            return seen(here, person), str(refused)
        raise AssertionError("nobody has said that A2 is done")

    assert told("0") == told("1") == told("1", "1")


VALUES = st.lists(st.sampled_from(["0", "1"]), min_size=4, max_size=4)


def first_round(others: list[str], more: list[str], texts: bool = True) -> Session:
    """A1 has annotated; A2 (and A3, partly) as given. The second question depends on the first."""
    here = ready_to_annotate(
        4, 3, QUESTIONS, texts=("one fox", "one fox", "a hare", "a hen") if texts else ()
    )
    open_blindly(here)
    submit(here, "A1", "P", ["1", "0", "1", "1"])
    submit(here, "A1", "C", ["0", "", "1", "1"])
    submit(here, "A2", "P", others)
    submit(here, "A2", "C", [m if o == "1" else "" for o, m in zip(others, more, strict=True)])
    submit(here, "A3", "P", more[:2], items=("i1", "i2"))
    submit(here, "A1", "P", ["0"], items=("i4",))
    return here


@pytest.fixture(autouse=True, scope="module")
def still() -> Iterator[None]:
    """Time stands still: when somebody submitted is no secret, but differs between two projects."""
    before = Session.now
    Session.now = property(lambda self: "2026-01-01T00:00:00Z")  # type: ignore[assignment]
    yield
    Session.now = before  # type: ignore[method-assign]


@settings(max_examples=15)
@given(VALUES, VALUES)
@pytest.mark.parametrize("person", PEOPLE)
def test_first_round(person: str, others: list[str], more: list[str]) -> None:
    one, two = first_round(["0"] * 4, ["0"] * 4), first_round(others, more)
    mine, theirs = seen(one, person), seen(two, person)
    for name in SHOWN:
        assert mine[name] == theirs[name], name


def again(first: list[str], second: list[str], third: list[str]) -> Session:
    """A round of re-annotation of P about i1 and i2 is open; i3 and i4 were annotated before."""
    values = {"P": {"A1": "0101", "A2": first, "A3": ["0", "1", "1", "1"]}}
    here = resolving(values, texts=("one fox", "one fox", "a hare", "a hen"))
    here.state.step = Step.ALIGNMENT
    open_blindly(here, ("P",), ("i1", "i2"), transition=19)
    submit(here, "A1", "P", ["1"], items=("i1",))
    submit(here, "A2", "P", second[:2], items=("i1", "i2"))
    submit(here, "A3", "P", third[:2], items=("i1", "i2"))
    return here


@settings(max_examples=15)
@given(VALUES, VALUES)
@pytest.mark.parametrize("person", PEOPLE)
def test_again(person: str, second: list[str], third: list[str]) -> None:
    """What is answered in the second round shows as little as in the first."""
    before = list("1010")
    mine = seen(again(before, ["0"] * 4, ["0"] * 4), person)
    theirs = seen(again(before, second, third), person)
    for name in SHOWN:
        assert mine[name] == theirs[name], name


@pytest.mark.parametrize("person", PEOPLE)
def test_old_values_are_hidden(person: str) -> None:
    """Of the cells that are annotated again, what A2 said before is shown to nobody, nor to A2.

    i1 and i2 are in conflict whatever A2 says (A1 and A3 differ about neither, A2 about both).
    """
    one, two = (
        again(list("1010"), list("00"), list("00")),
        again(list("1010"), list("00"), list("00")),
    )
    epoch = two.state.epoch
    for sheet in (epoch.current["P"]["A2"], epoch.rounds[0].sheet["P"]["A2"]):
        sheet[0], sheet[1] = (epoch.code(AMBIGUOUS),) * 2
    two.log = one.log
    mine, theirs = seen(one, person), seen(two, person)
    for name in SHOWN:
        assert mine[name] == theirs[name], name


def test_own_answers_of_the_open_round_are_seen() -> None:
    here = again(list("1010"), list("11"), list("11"))
    work = my_work(here.state, "A1")
    assert {item.id: dict(item.answers) for item in work.items}["i2"] == {}
    assert str(work.items[0].answers["P"]) == "1"
    assert work.n_left == 1
    assert [r.coder for r in round_sheet(here.state, 2, "A1")] == ["A1"]
    assert list(round_sheet(here.state, 2, RESEARCHER)) == []
    assert my_work(here.state, "A1", todo=True).items[0].id == "i2"


def test_dependent_questions_are_asked_by_own_answers() -> None:
    here = first_round(list("1111"), list("0101"))
    assert [item.asks for item in my_work(here.state, "A1").items] == [
        ("P", "C"),
        ("P",),
        ("P", "C"),
        ("P",),
    ]
    assert my_work(here.state, "A3").n_left >= 2
    assert my_work(here.state, RESEARCHER).round == 0


def test_log_says_who_when_and_how_many() -> None:
    here = first_round(list("1100"), list("0101"))
    entries = list(log(records_of(here), here.state, "A1"))
    [hidden] = [
        e for e in entries if e.actor == "A2" and e.kind == "annotated"
    ]  # the dependent question is not told of
    assert hidden.body == {"round": 1, "coder": "A2", "question": "P", "n": 4}
    assert hidden.withheld == "withheld until round 1 closes"
    assert not hidden.hash
    own = [e for e in entries if e.actor == "A1" and e.kind == "annotated"]
    assert all("codes" in e.body for e in own)
    closed = close(here)
    told = list(log(records_of(closed), closed.state, "A1"))
    assert [e.seq for e in told] == list(range(1, len(told) + 1))
    assert not any(e.withheld for e in told)
    assert all(e.hash for e in told)


def test_after_the_round_everything_is_seen() -> None:
    here = close(first_round(list("1100"), list("0101")))
    rows = list(round_sheet(here.state, 1, "A1"))
    assert {row.coder for row in rows} == {"A1", "A2", "A3"}
    assert comparison_view(here.state, "A1").counts["P"]["conflicting"]
    assert to_annotations(here.state, round=1).coders == ("A1", "A2", "A3")


def test_no_comparison_is_shown_while_a_round_is_open() -> None:
    here = close(annotated({"P": {"A1": "01", "A2": "00"}, "Q": {"A1": "01", "A2": "01"}}))
    here.state.step = Step.ALIGNMENT
    open_blindly(here, ("P",), transition=19)
    view = comparison_view(here.state, RESEARCHER)
    assert not view.counts
    assert set(view.withheld) == {"P", "Q"}
    assert "round 2" in view.withheld["Q"]
    assert to_annotations(here.state).questions == ("P", "Q")
    assert {row["question"] for row in to_annotations(here.state).to_rows()} == {"Q"}


def test_exports_are_refused_while_blind() -> None:
    here = first_round(list("1100"), list("0101"))
    with pytest.raises(Refused, match="round 1 is open"):
        to_annotations(here.state, round=1)
    with pytest.raises(Refused, match="round 1 is open"):
        final_rows(here.state, RESEARCHER)
    found = bundle(here.state, records_of(here), RESEARCHER)
    assert found["withheld"] == "withheld until round 1 closes"
    assert not found["final"]
    assert not found["head"]
    assert status_lines(here.state)[1] == "status: not released"


def discussed() -> Session:
    here = resolving({"P": {"A1": "01", "A2": "00", "A3": "00"}})
    here.do(give_reason, "A1", cases=1, text="it says so in line 4", cites=["rule R1"])
    here.do(give_reason, "A2", cases=1, text="line 4 is ironic", cites=["rule R1"])
    return here


def test_reasons_wait_for_ones_own() -> None:
    here = discussed()
    assert set(case_view(here.state, 1, "A3").reasons) == set()
    assert case_view(here.state, 1, "A3").unread == ("A1", "A2")
    assert "ironic" not in repr(list(log(records_of(here), here.state, "A3")))
    assert set(case_view(here.state, 1, "A1").reasons) == {"A1", "A2"}
    for person in (RESEARCHER, MODERATOR, OBSERVER):
        assert set(case_view(here.state, 1, person).reasons) == {"A1", "A2"}
    here.do(give_reason, "A3", cases=1, text="so do I", cites=["rule R1"])
    assert set(case_view(here.state, 1, "A3").reasons) == {"A1", "A2", "A3"}


def test_what_was_said_about_a_case_is_hidden_while_it_is_annotated_again() -> None:
    here = discussed()
    evidence = Evidence(concept="claim", width="irony counts as one")
    here.tell(CauseProposed(1, Cause.B, evidence, "A1"))
    made = here.state.epoch.cases[1].assessments[-1].seq
    here.tell(
        *(CauseAccepted(1, coder, made) for coder in ("A1", "A2", "A3")), CaseReturned(1, "claim")
    )
    here.state.step = Step.ALIGNMENT
    open_blindly(here, ("P",), transition=19)
    for person in PEOPLE:
        view = case_view(here.state, 1, person)
        assert view.summary.cause == Cause.B
        assert view.summary.withheld
        assert not view.reasons
        assert not view.assessments
        assert not view.summary.answers
        told = repr(list(log(records_of(here), here.state, person)))
        assert "iron" not in told
        assert "line 4" not in told


def test_list_of_cases() -> None:
    here = discussed()
    [row] = cases(here.state, "A1")
    assert row.waits_for == ("A3",)
    assert row.row()["answers"] == "A1: 1; A2: 0; A3: 0"
    assert cases(here.state, "A1", waits_for="A3") == [row]
    assert cases(here.state, "A1", waits_for="A1") == []
    assert cases(here.state, "A1", question="P", live=True) == [row]
    for given_ in ({"question": "X"}, {"waits_for": "X"}):
        with pytest.raises(RequestError, match="'X'"):
            cases(here.state, "A1", **given_)
    for call in (
        lambda: cases(here.state, "X"),
        lambda: case_view(here.state, 9, "A1"),
        lambda: comparison_view(here.state, "A1", 7),
        lambda: round_sheet(here.state, 7, "A1"),
    ):
        with pytest.raises(RequestError, match="there is no"):
            call()


def test_no_suggestion_tells_what_is_said_about_similar_items_now() -> None:
    """The same text answered otherwise suggests an inconsistency: not while it is annotated."""
    here = resolving({"Q": {"A1": "01", "A2": "11"}}, texts=("a fox", "a fox"), concepts=())
    assert [one.coder for one in inconsistencies(here.state, RESEARCHER)] == ["A1"]
    here.state.step = Step.ALIGNMENT
    open_blindly(here, ("Q",), ("i2",), transition=19)
    assert inconsistencies(here.state, RESEARCHER) == []


def test_warnings_of_an_import_wait_too() -> None:
    """They tell answers, and how many go which way."""
    here = compared({"Q": {"A1": "01", "A2": "00"}}, imported=True)
    here.tell(Imported("old.csv", warnings=("i2, Q: A1 answered 1",)))

    def told() -> tuple[str, str]:
        return repr(list(log(records_of(here), here.state, "A1"))), repr(
            bundle(here.state, records_of(here), "A1")
        )

    assert all("A1 answered 1" in text for text in told())
    here.state.step = Step.ALIGNMENT
    open_blindly(here, transition=19)
    assert not any("A1 answered 1" in text for text in told())


def test_exports_leave_out_ones_own_answers_too() -> None:
    here = again(list("1010"), list("11"), list("11"))
    rows = to_annotations(here.state, person="A1").to_rows()
    assert {row["item"] for row in rows} == {"i3", "i4"}


# ------------------------------------------------------------------ random sessions


def otherwise(answer: Answer, question: str) -> Answer:
    """Another answer that leaves the same questions to be asked."""
    if question == "P":  # nothing depends on it
        turned = {"x": "y", "y": "z", "z": "x"}
        return Answer((turned[str(answer)],)) if str(answer) in turned else answer
    return {"0": AMBIGUOUS, "ambiguous": Answer(("0",))}.get(str(answer), answer)


def varied(here: Session, person: str) -> Session:
    """The same session, but everybody else answers otherwise in the open round."""
    other = Session()
    other.state = msgspec.msgpack.decode(msgspec.msgpack.encode(here.state), type=State)
    epoch = other.state.epoch
    some = epoch.round
    assert some is not None
    for question, by_coder in some.sheet.items():
        for coder, sheet in by_coder.items():
            if coder != person:
                for item, code in sheet.items():
                    sheet[item] = epoch.code(otherwise(epoch.answers[code], question))
    started = max(k for k, (e, _) in enumerate(here.log) if isinstance(e, RoundOpened))
    for k, (event, stamp) in enumerate(here.log):
        changed = event
        if k > started and isinstance(event, Annotated) and event.coder != person:
            answers = tuple(otherwise(a, event.question) for a in event.answers)
            changed = msgspec.structs.replace(event, answers=answers)
        other.log.append((changed, stamp))
    return other


def turned(here: Session, person: str) -> Session:
    """The same session, but everybody else answers so that no dependent question is asked."""
    other = varied(here, person)
    epoch = other.state.epoch
    some = epoch.round
    assert some is not None
    open_ = {"P"} if "Q" in some.questions else set()
    for coder, sheet in some.sheet.get("Q", {}).items():
        if coder != person:
            sheet.update(dict.fromkeys(sheet, epoch.code(Answer(("0",)))))
    for columns in (some.sheet, some.declined):
        for coder in [c for c in columns.get("P", {}) if open_ and c != person]:
            del columns["P"][coder]
    started = max(k for k, (e, _) in enumerate(other.log) if isinstance(e, RoundOpened))
    log = other.log[: started + 1]
    for event, stamp in other.log[started + 1 :]:
        others = isinstance(event, Annotated | Declined) and event.coder != person
        own = stamp[1] == getattr(event, "coder", "")  # declined for another: whatever was said
        if not (others and own and event.question in open_):
            q = others and isinstance(event, Annotated) and event.question == "Q"
            same = (Answer(("0",)),) * len(event.answers) if q else ()
            log.append((msgspec.structs.replace(event, answers=same) if q else event, stamp))
    other.log = log
    return other


@pytest.mark.parametrize("seed", range(4))
def test_random_sessions(seed: int) -> None:
    """Whatever happened before, open rounds show nothing, and nothing that is shown crashes."""
    walk, blind = Walker(seed), 0
    for number in range(1200):
        walk.step(walk.likely())
        person = (*walk.state.people, "")[number % (1 + len(walk.state.people))]
        some = walk.state.epoch.round
        if some is not None and any(sheet for q in some.sheet.values() for sheet in q.values()):
            if number % 7 == 0:
                blind += 1
                mine = seen(walk.here, person)
                for other in (varied(walk.here, person), turned(walk.here, person)):
                    theirs = seen(other, person)
                    for name in SHOWN:
                        assert mine[name] == theirs[name], name
        elif number % 25 == 0:
            seen(walk.here, person)
    assert blind > 3
