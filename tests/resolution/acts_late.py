"""What people in random sessions do in step 5 and at the end."""

from __future__ import annotations

from accordant.resolution.cells import asked_at
from accordant.resolution.disagreement import consenters, held, participants, said
from accordant.resolution.records import (
    Evidence,
    Note,
)
from accordant.resolution.state import NONE
from accordant.resolution.words import CaseState, Cause
from resolution.sessions import CODERS, Act, Walker, makes

S = CaseState


# ---------------------------------------------------------------- meetings


@makes("meeting begin")
def _meet(walk: Walker) -> Act:
    return walk.one("RM"), {"present": walk.random.sample([*CODERS], 2)}


@makes("meeting end")
def _leave_meeting(walk: Walker) -> Act:
    return walk.one("RM"), {}


# ---------------------------------------------------------------- cases


@makes("case reason")
def _reason(walk: Walker) -> Act | None:
    case = walk.case(S.OPEN, S.REASONS) or walk.case()
    if case is None:
        return None
    silent = [c for c in participants(walk.state.epoch, case) if c not in case.reasons]
    coder = walk.one(silent) or walk.coder_of(case)
    return coder, {"case": case.number, "text": walk.text(), "cites": walk.cites()}


@makes("case remark")
def _remark(walk: Walker) -> Act | None:
    case = walk.case()
    if case is None:
        return None
    on = walk.one([0, walk.one(turn.seq for turn in case.thread)])
    given = {"case": case.number, "text": walk.text(), "cites": walk.cites(), "reply_to": on}
    return walk.one([walk.coder_of(case), walk.anybody()]), given


@makes("case retract")
def _retract(walk: Walker) -> Act | None:
    case = walk.case(S.CAUSE_PROPOSED) or walk.case(S.ARGUED)
    if case is None or not case.proposed:
        return None
    consents = walk.one(case.proposed).consents
    return walk.one(consents) or walk.coder_of(case), {"cases": case.number}


@makes("case slip")
def _slip(walk: Walker) -> Act | None:
    case = walk.case(S.OPEN, S.REASONS)
    if case is None:
        return None
    given = {"case": case.number, "meant": walk.label(case.question), "cites": walk.cites()}
    return walk.coder_of(case), given


@makes("case group")
def _group(walk: Walker) -> Act | None:
    numbers = list(walk.state.epoch.cases)
    if len(numbers) < 2:
        return None
    return walk.anybody(), {"name": walk.one("gh"), "cases": walk.random.sample(numbers, 2)}


@makes("case reopen")
def _reopen(walk: Walker) -> Act | None:
    case = walk.case()
    return case and (walk.anybody(), {"cases": case.number, "reason": walk.text()})


@makes("cause propose")
def _propose(walk: Walker) -> Act | None:
    case = walk.case(S.REASONS) or walk.case(S.OPEN)
    instead = ""
    if walk.random.random() < 0.1:
        case, instead = walk.case(S.CAUSE_PROPOSED) or case, walk.text()
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
    groups = [g for g, members in walk.state.groups.items() if case.number in members]
    cases = groups[0] if groups and walk.random.random() < 0.3 else case.number
    given = {"cases": cases, "cause": walk.one(Cause), "evidence": evidence}
    return by, {**given, "instead": instead}


@makes("cause accept")
def _accept(walk: Walker) -> Act | None:
    case = walk.case(S.CAUSE_PROPOSED)
    if case is None:
        case = walk.random.random() < 0.2 and walk.case()
        return (walk.coder_of(case), {"cases": case.number}) if case else None
    asked = consenters(walk.state.epoch, case, case.assessments[-1])
    left = [c for c in asked if c not in case.assessments[-1].consents]
    usual = walk.random.random() < 0.9
    who = (walk.one(left) if usual else None) or walk.coder_of(case)
    return who, {"cases": case.number, "proposals": walk.meant(case)}


@makes("cause refuse")
def _refuse(walk: Walker) -> Act | None:
    case = walk.case(S.CAUSE_PROPOSED) or walk.case()
    given = {"reason": walk.text(), "proposals": walk.meant(case) if case else ()}
    return case and (walk.coder_of(case), {"case": case.number, **given})


@makes("cause withdraw")
def _withdraw(walk: Walker) -> Act | None:
    case = walk.case(S.CAUSE_PROPOSED)
    return case and (case.assessments[-1].by, {"case": case.number})


@makes("cause dispute")
def _dispute(walk: Walker) -> Act | None:
    case = walk.case(S.OPEN, S.REASONS)
    gap = walk.one(["", walk.text()])
    return case and ("M", {"case": case.number, "reason": walk.text(), "gap": gap})


@makes("case rescore")
def _rescore(walk: Walker) -> Act | None:
    case = walk.case(S.RESCORING)
    if case is None:
        return None
    evidence = case.assessments[-1].evidence
    item = walk.one([walk.state.items.ids[case.item], *evidence.others])
    others = [a for c, a in said(walk.state.epoch, case).items() if c != evidence.coder]
    answer = walk.one(others) if walk.random.random() < 0.7 else None
    source = Note(source="lexical ambiguity")
    answer = answer or walk.label(case.question)  # nobody else may hold one
    given = {"case": case.number, "item": item, "answer": answer, "note": source}
    return evidence.coder or walk.coder_of(case), {**given, "cites": walk.cites()}


@makes("case dependent")
def _dependent(walk: Walker) -> Act | None:
    epoch, answer = walk.state.epoch, walk.label("P")
    owed = [
        (item, coder)
        for item in range(len(walk.state.items.ids))
        for coder in asked_at(epoch, item, "P")
        if coder not in held(epoch, item, "P")
    ]
    item, coder = walk.one(owed) or (0, walk.one(CODERS))
    given = {"item": walk.state.items.ids[item], "question": "P", "answer": answer}
    return coder, given


@makes("outcome propose")
def _outcome(walk: Walker) -> Act | None:
    case = walk.case(S.ARGUED) or walk.case(S.RETURNED)
    if case is None:
        return None
    given = {"cases": case.number, "cites": walk.cites() or ["rule R1"], "text": walk.text()}
    given["instead"] = walk.one(["", "", walk.text()])
    return walk.one([walk.coder_of(case), "R"]), {**given, "answer": walk.label(case.question)}


@makes("outcome accept")
def _outcome_accept(walk: Walker) -> Act | None:
    cases = walk.state.epoch.cases.values()
    case = walk.one(c for c in cases if c.proposals and not c.proposals[-1].ended)
    if case is None:
        case = walk.case(S.ARGUED)
        return case and (walk.coder_of(case), {"cases": case.number})
    left = [c for c in participants(walk.state.epoch, case) if c not in case.proposals[-1].consents]
    who = walk.one(left) or walk.coder_of(case)
    return who, {"cases": case.number, "proposals": walk.meant(case)}


@makes("outcome refuse")
def _outcome_refuse(walk: Walker) -> Act | None:
    cases = walk.state.epoch.cases.values()
    case = walk.one(c for c in cases if c.proposals and not c.proposals[-1].ended)
    case = case or walk.case(S.ARGUED)
    given = {"reason": walk.text(), "proposals": walk.meant(case) if case else ()}
    return case and (walk.coder_of(case), {"case": case.number, **given})


@makes("case defer")
def _defer(walk: Walker) -> Act | None:
    case = walk.case(S.CAUSE_ACCEPTED, cause=[Cause.B])
    if case is None:
        return None
    given = {"case": case.number, "cites": ["question Q"], "text": walk.text()}
    return walk.coder_of(case), {**given, "to": walk.coder_of(case)}


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


@makes("case decide")
def _decide(walk: Walker) -> Act | None:
    case = walk.case(S.UNRESOLVED) or walk.case()
    by = walk.one([walk.state.adjudicator or "M", "M"])
    return case and (by, {"case": case.number, "answer": walk.label(case.question), "reason": "r"})


@makes("case aggregate")
def _aggregate(walk: Walker) -> Act | None:
    case = walk.case(S.UNRESOLVED) or walk.case()
    given = {
        "method": walk.one(["majority", "plurality"]),
        "ties": walk.one(["left disagreed", "first option"]),
    }
    return case and (walk.state.adjudicator or "M", {"cases": case.number, **given})


@makes("finish")
def _finish(walk: Walker) -> Act:
    return "R", {"reason": walk.one(["", "", "", walk.text()])}


@makes("abandon")
def _abandon(walk: Walker) -> Act:
    return "R", {"reason": walk.text()}
