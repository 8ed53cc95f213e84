"""What people say about cases, in one line each: for tests of step 5."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from accordant.resolution.case_state import Case
from accordant.resolution.cases import give_reason
from accordant.resolution.cells import comparisons
from accordant.resolution.concepts import sign_off, write_concept
from accordant.resolution.disagreement import live_cases, participants
from accordant.resolution.event import Event
from accordant.resolution.guidelines import acknowledge, write_guidelines
from accordant.resolution.proposals import accept, propose_cause, propose_outcome
from accordant.resolution.records import Concept, Evidence, Guidelines, Rule
from accordant.resolution.returns import return_cases
from accordant.resolution.rounds import close_round, open_round
from accordant.resolution.step_change import begin_resolution
from accordant.resolution.words import CaseState, Cause, Change
from resolution.build import Session, resolving, submit

THREE = {"Q": {"A1": "0101", "A2": "0111", "A3": "0001"}}
"""Case 1: i2 (1, 1, 0); case 2: i3 (0, 1, 0)."""


def here_with(values: Any = None) -> Session:
    """Step 5 with a case for each conflict; by default the two of `THREE`."""
    return resolving(THREE if values is None else values)


def case(here: Session, number: int = 1) -> Case:
    """A case of the current epoch."""
    return here.state.epoch.cases[number]


def everybody(here: Session, number: int = 1) -> tuple[str, ...]:
    """The coders of a case."""
    return participants(here.state.epoch, case(here, number))


def reasons(here: Session, number: int = 1, cites: Sequence[str] = ("rule R1",)) -> Session:
    """Every coder gives a reason."""
    for coder in everybody(here, number):
        here.do(give_reason, coder, cases=number, text=f"{coder} reads it so", cites=cites)
    return here


def evidence_of(here: Session, cause: Cause, number: int = 1, **more: Any) -> Evidence:
    """Complete evidence."""
    construals = dict.fromkeys(everybody(here, number), "so")
    given: dict[Cause, dict[str, Any]] = {
        Cause.A1_CONCEPT: {"concept": "claim", "construals": construals},
        Cause.A1_TASK: {"construals": construals},
        Cause.A2: {"rule": "R1", "wording": "Read the title too"},
        Cause.B: {"concept": "claim", "width": "titles are too narrow"},
        Cause.C: {"coder": "A3", "others": ("i4",), "same": "the same in other words"},
        Cause.D: {},
        Cause.E: {"coder": "A3", "meant": "1"},
    }
    return Evidence(**{**given[cause], **more})


def proposed(here: Session, cause: Cause, number: int = 1, by: str = "R", **more: Any) -> Session:
    """A cause with complete evidence is proposed by the researcher."""
    evidence = evidence_of(here, cause, number, **more)
    here.do(propose_cause, by, cases=number, cause=cause, evidence=evidence)
    return here


def accepted(here: Session, cause: Cause, number: int = 1, **more: Any) -> Session:
    """A cause is proposed and accepted by all whom it asks; reasons first."""
    if not case(here, number).reasons:
        reasons(here, number)
    proposed(here, cause, number, **more)
    last = case(here, number).assessments[-1]
    named = last.evidence.coder
    for coder in (named,) if cause in (Cause.C, Cause.E) else everybody(here, number):
        here.do(accept, coder, cases=number, proposals=[last.seq])
    return here


def agreed(here: Session, number: int, answer: str) -> list[Event]:
    """Argued under d until all accept an answer."""
    if case(here, number).state != CaseState.ARGUED:
        accepted(here, Cause.D, number)
    given = {"cites": ["rule R1"], "text": "this reading"}
    here.do(propose_outcome, "R", cases=number, answer=answer, **given)
    meant = [case(here, number).proposals[-1].seq]
    return [
        event
        for coder in everybody(here, number)
        for event in here.do(accept, coder, cases=number, proposals=meant)
    ]


def returned(here: Session, cause: Cause, number: int = 1) -> Session:
    """The case is returned to step 1 or 2."""
    accepted(here, cause, number).do(return_cases, "R", cases=number)
    return here


def with_rule(here: Session, change: Change, **more: Any) -> list[Event]:
    """New guidelines in step 1."""
    before = here.state.epoch.guidelines[-1]
    rules = (*before.rules, Rule(f"R{len(before.rules) + 1}", f"after {before.version}"))
    if change is Change.EDITORIAL:
        rules = (Rule("R1", f"{before.rules[0].text} carefully"), *before.rules[1:])
    new = Guidelines("", before.options, before.ambiguity, rules)
    given: dict[str, Any] = {"change": change, "reason": "cases ask for it", **more}
    if change is Change.LOCAL:
        given = {"questions": list(here.state.epoch.questions), **given}
    return here.do(write_guidelines, "R", new, **given)


def with_concept(here: Session, **more: Any) -> list[Event]:
    """A new version of the concept "claim" in step 2."""
    version = len(here.state.epoch.concepts["claim"])
    new = Concept("claim", 0, f"refined {version} times", ("Q",))
    return here.do(write_concept, "R", new, reason="too narrow", **more)


def aligned(here: Session) -> Session:
    """Everybody has read the guidelines and signed every concept."""
    for coder in here.state.coders:
        known = here.state.epoch.acknowledged.get(coder)
        if known != (here.state.epoch.task_hash, here.state.epoch.guidelines[-1].version):
            here.do(acknowledge, coder)
        if any(
            signed.get(coder) != here.state.epoch.concepts[name][-1].version
            for name, signed in here.state.epoch.signed.items()
        ):
            here.do(sign_off, coder)
    return here


def again(here: Session, values: Any, *, resolve: bool = True) -> list[Event]:
    """A round of re-annotation, from opening to step 5 (or step 4); what happened at its end."""
    here.do(open_round, "R")
    some = here.state.epoch.round
    assert some is not None
    items = some.items if some.items is not None else range(here.state.items.frozen)
    ids = [here.state.items.ids[item] for item in items]
    for question, sheet in values.items():
        for coder, column in sheet.items():
            submit(here, coder, question, [column[item] for item in items], ids)
    events = here.do(close_round, "R")
    left = any(c.conflicting or c.incomplete for c in comparisons(here.state.epoch).values())
    if resolve and (left or live_cases(here.state.epoch)):
        events += here.do(begin_resolution, "R")
    return events
