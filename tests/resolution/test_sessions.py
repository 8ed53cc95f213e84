"""Random sessions: people do what comes to their mind, and what the procedure promises holds."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

import accordant as ac
from resolution.team import GUIDELINES, Team, concept, task

SEEDS, ACTS = 8, 45
Draw = random.Random
LABELS = ("0", "1")


class Session:
    """One project, and what was tried and done in it."""

    def __init__(self, seed: int) -> None:
        self.draw, self.team = Draw(seed), Team.new(3)
        self.done: Counter[str] = Counter()
        self.steps: set[str] = set()
        self.refused = self.leaks = self.others = self.looked = self.foretold = 0
        for number in range(ACTS):
            self.act()
            self.steps.add(self.team.step)
            if number % 5 == 4:
                self.others += not as_opened_now(self.team)

    @property
    def project(self) -> ac.Project:
        return self.team.project

    def some(self, things: Any) -> Any:
        return self.draw.choice(list(things))

    def act(self) -> None:
        """What is due, mostly; else anything that a person may try."""
        if self.draw.random() < 0.75:
            for by, command, given in DUE[self.team.step](self):
                self.tries(by, command, given)
            return
        by = self.some([*self.team.coders, "R", "R"])
        known = [one for one in self.project.status(by).commands if one in MADE_UP]
        if known:
            command = self.some(known)
            self.tries(by, command, MADE_UP[command](self))

    def tries(self, by: str, command: str, given: dict[str, Any]) -> None:
        n = len(self.project.log("R")) if self.draw.random() < 0.1 else -1
        try:
            told = (
                self.project.preview(command, by=by, **given) if self.draw.random() < 0.2 else None
            )
            happened = self.project.do(command, by=by, **given)
            if told is not None:
                self.foretold += self.as_foretold(told, happened)
                self.looked += 1
            assert all(event.sentence() for event in happened)
            self.done[command] += 1
        except (ac.Refused, ac.RequestError, ac.InputError):
            self.refused += 1
            self.leaks += n >= 0 and len(self.project.log("R")) != n

    def as_foretold(self, told: Any, happened: list[Any]) -> bool:
        """Whether what a preview said has come about."""
        if told.withheld:
            kinds = [event.kind for event in told.events]
            return kinds == [event.kind for event in happened][: len(kinds)]
        cases = {one.number: str(one.state) for one in self.project.cases("R", earlier=True)}
        now = {number: after for number, (_, after) in told.cases.items()}
        return (
            told.events == tuple(happened)
            and now.items() <= cases.items()
            and told.release[1] == self.project.release().status
        )

    def case(self) -> list[int]:
        """A case of which something is still to be said, mostly."""
        numbers = [one.number for one in self.project.cases("R", live=True)]
        numbers = numbers or [one.number for one in self.project.cases("R")] or [1]
        return [self.some(numbers)]


Due = Callable[[Session], list[tuple[str, str, dict[str, Any]]]]


def _setup(s: Session) -> list[Any]:
    return [
        ("R", "question", {"text": f"Question {s.draw.random()}", "purpose": "ground truth"}),
        ("R", "go", {"to": "task"}),
    ]


def _task(s: Session) -> list[Any]:
    here = s.project.status()
    found: list[Any] = []
    if not here.toolbox or not here.guidelines:
        asked = {"id": "P", "text": "Why?", "asked_if": {"question": "Q", "labels": ["1"]}}
        questions = [{"id": "Q", "text": "Is it?"}, *([asked] if s.draw.random() < 0.5 else [])]
        found += [("R", "task", {"task": {"questions": questions}})]
        for options in ({"Q": [*LABELS], "P": [*LABELS]}, {"Q": [*LABELS]}):
            found += [("R", "guidelines", {"guidelines": {**GUIDELINES, "options": options}})]
    elif s.draw.random() < 0.6:
        found += [("R", "guidelines", MADE_UP["guidelines"](s))]
    found += [(name, "sign-off", {}) for name in s.team.coders]
    onward = s.some(["alignment", "alignment", "resolution"])
    return [*found, ("R", "go", {"to": onward}), ("R", "round open", {})]


def _alignment(s: Session) -> list[Any]:
    found: list[Any] = [
        ("R", "person", {"name": name, "training": "an hour"}) for name in s.team.coders
    ]
    if not s.project.status().concepts or s.draw.random() < 0.4:
        found += [(s.some(["R", "A1"]), "concept", MADE_UP["concept"](s))]
    found += [("R", "items add", {"items": {"ids": ["i1", "i2", "i3"]}}), ("R", "items freeze", {})]
    found += [(name, "sign-off", {}) for name in s.team.coders]
    return [*found, ("R", "round open", {}), ("R", "go", {"to": "resolution"})]


def _annotation(s: Session) -> list[Any]:
    found: list[Any] = []
    for name in s.team.coders:
        work = s.project.work(name)
        for question in work.questions:
            todo = [one.id for one in work.items if question.id in one.todo]
            labels = {item: s.some(LABELS) if s.draw.random() < 0.3 else "1" for item in todo}
            if labels:
                found.append((name, "annotate", {"answers": {question.id: labels}}))
        found.append((name, "submit", {}))
    return [*found, ("R", "round close", {})]


def _comparison(s: Session) -> list[Any]:
    on = ("go", {"to": "resolution"})
    ways: list[Any] = [on, on, ("finish", {})]
    ways += [("go", {"to": "task", "reason": "r", "questions": ["Q"]})]
    command, given = s.some(ways)
    return [("R", command, given)]


def _resolution(s: Session) -> list[Any]:
    """Somebody leads a case to its end, of one kind or another."""
    live = [one.number for one in s.project.cases("R", live=True)]
    if not live:
        return [("R", "finish", {}), ("R", "round open", {})]
    cases, coders = [s.some(live)], s.team.coders
    found: list[Any] = [
        (name, "case reason", MADE_UP["case reason"](s) | {"cases": cases}) for name in coders
    ]
    found += [(s.some(coders), "case cause", MADE_UP["case cause"](s) | {"cases": cases})]
    found += [(name, "case accept", {"cases": cases}) for name in coders]
    said = {"answer": s.some(LABELS), "cites": ["rule R1"]}
    ends = [
        [(s.some(coders), "case outcome", said | {"cases": cases, "text": "it says so"})],
        [(name, "case rescore", said | {"case": cases[0]}) for name in coders],
        [("R", "case return", {"cases": cases})],
    ]
    found += [step for way in ends for step in way]
    return [*found, *((name, "case accept", {"cases": cases}) for name in coders)]


def _halted(s: Session) -> list[Any]:
    found = ("R", "finding", {"text": "the edition is right"})
    return [found, ("R", "go", {"to": "resolution"}), ("R", "go", {"to": "task", "reason": "r"})]


def _finished(s: Session) -> list[Any]:
    to = s.some(["task", "alignment", "comparison"])
    return [("R", "go", {"to": to, "reason": "an error"})]


def _abandoned(s: Session) -> list[Any]:
    return [("R", "task", {"task": task(Q=f"{s.draw.random()}"), "reason": "r"})]


DUE: dict[str, Due] = {
    "setup": _setup,
    "task": _task,
    "alignment": _alignment,
    "annotation": _annotation,
    "comparison": _comparison,
    "resolution": _resolution,
    "halted": _halted,
    "finished": _finished,
    "abandoned": _abandoned,
}

EVIDENCE = {
    "a1-concept": {"concept": "claim", "construals": {"A1": "wide", "A2": "narrow"}},
    "a1-task": {"construals": {"A1": "the text", "A2": "the author"}},
    "a2": {"rule": "missing", "wording": "Read the title too"},
    "b": {"knowledge": "what a claim is", "concept": "claim", "width": "too wide"},
    "c": {"coder": "A1", "others": ["i1", "i2"]},
    "d": {},
    "e": {"coder": "A2"},
}


def _cause(s: Session) -> dict[str, Any]:
    cause = s.some(EVIDENCE)
    return {"cases": s.case(), "cause": cause, "evidence": EVIDENCE[cause]}


def _guidelines(s: Session) -> dict[str, Any]:
    rule = {"id": "R2", "text": f"Rule {s.draw.random()}", "questions": ["Q"]}
    new = {**GUIDELINES, "rules": [*GUIDELINES["rules"], rule]}
    options = {"Q": [*LABELS], **s.some([{}, {"P": [*LABELS]}])}
    change = s.some([{"change": "local", "questions": ["Q"]}, {"change": "drastic"}])
    if not s.project.status().cases and s.draw.random() < 0.5:
        change = {}
    return {"guidelines": {**new, "options": options}, "reason": "a gap", **change}


MADE_UP: dict[str, Callable[[Session], dict[str, Any]]] = {
    "person": lambda s: {"name": s.some(["dora", "A1"]), "roles": [s.some(["coder", "observer"])]},
    "items add": lambda s: {"items": {"ids": [f"j{s.draw.randrange(9)}"]}},
    "items freeze": lambda s: {},
    "assign": lambda s: {"overlap": s.some([2, 3])},
    "guidelines": _guidelines,
    "concept": lambda s: {"concept": concept(f"what {s.draw.random()}"), "reason": "unclear"},
    "sign-off": lambda s: {},
    "object": lambda s: {"text": "too wide", "concept": s.some(["claim", ""])},
    "order waive": lambda s: {"order": s.draw.randint(1, 3), "reason": "nothing depends on it"},
    "round open": lambda s: {},
    "decline": lambda s: {"question": "Q", "items": ["i1"], "reason": "I am its author"},
    "submit": lambda s: {},
    "go": lambda s: {"to": s.some(["setup", "task", "alignment", "resolution"]), "reason": "r"},
    "task": lambda s: {"task": task(Q=f"Is it {s.draw.random()}?"), "reason": "r"},
    "case reason": lambda s: {"cases": s.case(), "text": "it says so", "cites": ["rule R1"]},
    "case remark": lambda s: {"cases": s.case(), "text": "hm"},
    "case reopen": lambda s: {"cases": s.case(), "reason": "I doubt it"},
    "case cause": _cause,
    "case outcome": lambda s: {"cases": s.case(), "answer": s.some(LABELS), "cites": ["rule R1"]},
    "case accept": lambda s: {"cases": s.case()},
    "case refuse": lambda s: {"cases": s.case(), "reason": "no"},
    "case return": lambda s: {"cases": s.case()},
    "case postpone": lambda s: {"cases": s.case(), "reason": "r", "review_date": "2999-01-01"},
    "case leave": lambda s: {"cases": s.case(), "reason": "we do not agree"},
    "case decide": lambda s: {"cases": s.case(), "reason": "it must end", "answer": "1"},
    "halt": lambda s: {"review_date": "2999-01-01", "reason": "r", "cases": s.case()},
    "finish": lambda s: {"reason": "time is up"},
    "deviation": lambda s: {"text": f"we shared an office {s.draw.random()}"},
    "statement": lambda s: {"section": s.some("ABCDEFGHIJ"), "text": "letters"},
}


@pytest.fixture(scope="module")
def sessions() -> list[Session]:
    return [Session(seed) for seed in range(SEEDS)]


def test_sessions_get_everywhere(sessions: list[Session]) -> None:
    steps = set[str]().union(*(one.steps for one in sessions))
    assert steps >= {*DUE} - {"abandoned", "halted"}
    done = sum((one.done for one in sessions), Counter())
    assert not {"annotate", "case accept", "case return", "finish", "go"} - {*done}
    assert len(done) >= 25
    assert all(one.refused and not one.leaks for one in sessions)


def looks(project: ac.Project) -> list[Any]:
    """What is computed from the log, kept from act to act or made anew."""
    found: list[Any] = [project.release(), project.log("R")]
    for person in ("R", "A1", ""):
        found += [project.status(person), project.cases(person, earlier=True)]
        found += [project.case(one.number, person) for one in project.cases(person)]
    try:
        found.append(project.answers())
    except ac.Refused as refused:
        found.append(str(refused))
    return found


def as_opened_now(team: Team) -> bool:
    """Whether what stands in memory is what somebody finds who opens the project."""
    with ac.Project.open(team.where, read_only=True) as fresh:
        return looks(fresh) == looks(team.project)


def test_the_log_is_the_project(sessions: list[Session]) -> None:
    for one in sessions:
        assert not one.others
        assert one.project.verify() == []


def test_what_is_foretold_comes_about(sessions: list[Session]) -> None:
    assert sum(one.looked for one in sessions) > 50
    for one in sessions:
        assert one.foretold == one.looked


def held(log: list[Any]) -> dict[tuple[str, str], dict[str, str]]:
    """(Question, item) → what each coder says in the end, from the log alone and by hand."""
    found: dict[tuple[str, str], dict[str, str]] = {}
    sheet: dict[tuple[str, str, str], str | None] = {}
    for entry in log:
        body = entry.body
        if entry.kind == "annotated":
            said = ["; ".join(a.get("labels", ())) for a in body["answers"]]
            for item, code in zip(body["items"], body["codes"], strict=True):
                sheet[body["question"], item, body["coder"]] = said[code]
        elif entry.kind == "declined":
            for item in body["items"]:
                sheet[body["question"], item, body["coder"]] = None
        elif entry.kind == "round closed":
            for (question, item, coder), label in sheet.items():
                cell = found.setdefault((question, item), {})
                cell.pop(coder, None)
                if label is not None:
                    cell[coder] = label
            sheet = {}
        elif entry.kind == "rescored":
            labels = body["answer"].get("labels", ())
            found.setdefault((body["question"], body["item"]), {})[body["coder"]] = labels[0]
        elif entry.kind == "moved" and body["transition"] == 16:
            found, sheet = {}, {}
    for (question, item), cell in found.items():
        for coder in [*cell] if question == "P" else ():  # asked where Q is answered 1
            if found.get(("Q", item), {}).get(coder) != "1":
                del cell[coder]
    return found


def test_answers_are_what_the_log_says(sessions: list[Session]) -> None:
    n = 0
    for one in sessions:
        if one.team.step in ("annotation", "abandoned"):
            continue
        by_hand = held(one.project.log("R"))
        truth = one.project.release().status == "ground truth"
        for row in one.project.answers():
            given = {*by_hand.get((row["question"], row["item"]), {}).values()}
            n += len(given)
            if row["provenance"] == "annotation" or truth:
                assert given <= {row["answer"]}
    assert n > 20


def test_everybody_can_go_on(sessions: list[Session]) -> None:
    """Nowhere does a project come to an end that nobody can leave."""
    for one in sessions:
        here = one.project.status()
        asked = any(here.awaited.values())
        assert asked or any(arrow.allowed for arrow in here.arrows)


def test_ground_truth_is_proved(sessions: list[Session]) -> None:
    """Who agreed says so, each case that is agreed has an answer, and a release names the rest."""
    for one in sessions:
        release = one.project.release()
        lacking = [unmet.guard for unmet in release.missing]
        assert (release.status == "ground truth") <= (not lacking)
        for case in one.project.cases("R"):
            if case.state == "agreed" and not case.withheld:
                assert case.answer is not None
        if one.team.step == "annotation":
            continue
        try:
            rows = one.project.answers()
        except ac.Refused:
            continue
        if release.status == "ground truth":
            assert all(row["proof"] for row in rows if row["answer"])
