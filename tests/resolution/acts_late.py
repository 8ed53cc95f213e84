"""What people in random sessions do in step 5 and at the end."""

from __future__ import annotations

from accordant.resolution.case_state import Case
from accordant.resolution.disagreement import awaiting, consenters, participants, said
from accordant.resolution.records import (
    Evidence,
    Note,
)
from accordant.resolution.requests import dependent_cells
from accordant.resolution.state import NONE
from accordant.resolution.words import CaseState, Cause
from resolution.sessions import Act, Walker, makes

S = CaseState


# ---------------------------------------------------------------- cases


@makes("case reason")
def _reason(walk: Walker) -> Act | None:
    case = walk.case(S.OPEN, S.REASONS) or walk.case()
    if case is None:
        return None
    silent = [c for c in participants(walk.state.epoch, case) if c not in case.reasons]
    coder = walk.one(silent) or walk.coder_of(case)
    return coder, {"cases": case.number, "text": walk.text(), "cites": walk.cites()}


@makes("case remark")
def _remark(walk: Walker) -> Act | None:
    case = walk.case()
    if case is None:
        return None
    given = {"cases": case.number, "text": walk.text(), "cites": walk.cites()}
    return walk.one([walk.coder_of(case), walk.anybody()]), given


@makes("case reopen")
def _reopen(walk: Walker) -> Act | None:
    case = walk.case()
    return case and (walk.anybody(), {"cases": case.number, "reason": walk.text()})


@makes("case cause")
def _propose(walk: Walker) -> Act | None:
    case = walk.case(S.REASONS) or walk.case(S.OPEN)
    if case is None:
        return None
    coders = participants(walk.state.epoch, case)
    named = walk.coder_of(case)
    column = walk.state.epoch.current.get(case.question, {}).get(named, [])
    others = [
        walk.state.items.ids[i]
        for i, code in enumerate(column)
        if code not in (NONE, column[case.item])
    ]
    evidence = Evidence(
        concept=walk.one(["claim", "scope", ""]),
        construals={c: walk.text() for c in coders},
        rule=walk.one(["R1", "missing"]),
        wording=walk.text(),
        knowledge=walk.text(),
        coder=named,
        others=tuple(walk.random.sample(others, min(len(others), 1))),
        same=walk.text(),
        meant=walk.text(),
    )
    by = walk.one([walk.anybody(), "R", walk.coder_of(case)])
    return by, {"cases": case.number, "cause": walk.one(Cause), "evidence": evidence}


@makes("case rescore")
def _rescore(walk: Walker) -> Act | None:
    case = walk.case(S.RESCORING)
    if case is None:
        return _dependent(walk)
    evidence = case.assessments[-1].evidence
    item = walk.one([walk.state.items.ids[case.item], *evidence.others])
    others = [a for c, a in said(walk.state.epoch, case).items() if c != evidence.coder]
    answer = walk.one(others) if walk.random.random() < 0.7 else None
    source = Note(source="lexical ambiguity")
    answer = answer or walk.label(case.question)  # nobody else may hold one
    given = {"case": case.number, "item": item, "answer": answer, "note": source}
    return evidence.coder or walk.coder_of(case), {**given, "cites": walk.cites()}


def _dependent(walk: Walker) -> Act | None:
    """An answer to what is asked since its parent was rescored."""
    owed = [*dependent_cells(walk.state)]
    if not owed:
        return None
    coder, case, item, question = walk.one(owed)
    given = {"item": walk.state.items.ids[item], "question": question}
    return coder, {"case": case.number, "answer": walk.label(question), **given}


@makes("case outcome")
def _outcome(walk: Walker) -> Act | None:
    case = walk.case(S.ARGUED) or walk.case(S.RETURNED) or walk.case(S.CAUSE_ACCEPTED)
    if case is None:
        return None
    given = {"cases": case.number, "cites": walk.cites() or ["rule R1"], "text": walk.text()}
    return walk.one([walk.coder_of(case), "R"]), {**given, "answer": walk.label(case.question)}


def _standing(walk: Walker) -> Case | None:
    cases = walk.state.epoch.cases.values()
    outcome = walk.one(c for c in cases if c.proposals and not c.proposals[-1].ended)
    return walk.one([*filter(None, [outcome, walk.case(S.CAUSE_PROPOSED)])])


@makes("case accept")
def _accept(walk: Walker) -> Act | None:
    case = _standing(walk)
    if case is None:
        case = walk.random.random() < 0.2 and walk.case()
        return (walk.coder_of(case), {"cases": case.number}) if case else None
    stands = awaiting(case)
    asked = participants(walk.state.epoch, case)
    if case.state is S.CAUSE_PROPOSED:
        asked = consenters(walk.state.epoch, case, case.assessments[-1])
    left = [c for c in asked if stands is None or c not in stands.consents]
    usual = walk.random.random() < 0.9
    who = (walk.one(left) if usual else None) or walk.coder_of(case)
    return who, {"cases": case.number, "proposals": walk.meant(case)}


@makes("case refuse")
def _refuse(walk: Walker) -> Act | None:
    case = _standing(walk) or walk.case()
    given = {"reason": walk.text(), "proposals": walk.meant(case) if case else ()}
    return case and (walk.coder_of(case), {"cases": case.number, **given})


@makes("case return")
def _return(walk: Walker) -> Act:
    return "R", {"concept": walk.one(["", "claim"]), "reason": walk.text()}


@makes("case postpone")
def _postpone(walk: Walker) -> Act | None:
    case = walk.case()
    given = {"reason": walk.text(), "review_date": walk.one(["2027-03-01", "soon"])}
    return case and (walk.anybody(), {"cases": case.number, **given})


@makes("halt")
def _halt(walk: Walker) -> Act | None:
    case = walk.case()
    given = {"reason": walk.text(), "review_date": "2027-03-01"}
    return case and ("R", {"cases": walk.one([None, case.number]), **given})


@makes("finding")
def _finding(walk: Walker) -> Act:
    return "R", {"text": walk.text()}


@makes("resume")
def _resume(walk: Walker) -> Act:
    return "R", {}


@makes("order waive")
def _waive(walk: Walker) -> Act | None:
    order = walk.one(walk.state.epoch.orders)
    return order and ("R", {"order": order.number, "reason": walk.text()})


@makes("case leave")
def _leave(walk: Walker) -> Act | None:
    case = walk.case()
    return case and (
        "R",
        {"cases": walk.one([case.number, case.number, None]), "reason": walk.text()},
    )


@makes("finish")
def _finish(walk: Walker) -> Act:
    return "R", {"reason": walk.one(["", "", "", walk.text()])}


@makes("abandon")
def _abandon(walk: Walker) -> Act:
    return "R", {"reason": walk.text()}


@makes("case decide")
def _decide(walk: Walker) -> Act | None:
    case = walk.case(S.UNRESOLVED) or walk.case()
    by = walk.one([walk.state.adjudicator or "M", "M"])
    answer = walk.one([None, walk.label(case.question)]) if case else None
    return case and (by, {"cases": case.number, "answer": answer, "reason": "r"})
