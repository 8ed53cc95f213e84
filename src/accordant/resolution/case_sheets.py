"""Case sheets: a row for each case as somebody may see it, with columns to fill in.

What is filled in becomes acts (`sheet_acts`). A sheet is for one person, or for a meeting: then
each of those present has columns of their own, and it shows what all of them may see.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import msgspec

from ..data.worksheet import SheetColumn
from .case_asks import What, asked_about
from .case_state import Case
from .causes import CAUSES, FIELDS
from .disagreement import awaited_assessment, awaited_proposal, participants
from .records import AMBIGUOUS, Evidence
from .sentences import listing
from .sight import Sight, seeing
from .state import State
from .toolbox import elements
from .views import CaseRow, case_view
from .words import Cause, Role

__all__ = [
    "ANSWER",
    "ANSWER_CITES",
    "CAUSE",
    "CONSENT",
    "CORRECTED",
    "EVIDENCE",
    "NEEDED",
    "OF_ANSWERS",
    "OF_PERSONS",
    "READING",
    "REASON",
    "REASON_CITES",
    "REMARK",
    "SHOWN_COLUMNS",
    "case_columns",
    "column_of",
    "evidence_text",
]

NEEDED = ("case", "version", "proposal")
SHOWN_COLUMNS = (
    "case",
    "item",
    "question",
    "asked",
    "text",
    "context",
    "guidance",
    "group",
    "state",
    "asked now",
    "said",
    "version",
    "proposal",
)
"""What stands in a sheet for reading; besides, an answer of each coder."""
REASON, REASON_CITES, CAUSE, CONSENT = "reason", "reason cites", "cause", "consent"
REMARK = "remark"
ANSWER, CORRECTED, ANSWER_CITES, READING = "answer", "corrected item", "answer cites", "reading"
OF_ANSWERS = (ANSWER, CORRECTED, ANSWER_CITES, READING)
EVIDENCE: dict[str, Any] = {one.name: one.type for one in msgspec.structs.fields(Evidence)}
"""Columns of the evidence of a cause, and the type of what each holds."""
_CITES = "What in the toolbox it rests on, with “;” between: question ID, rule ID, concept NAME."
HELP = {
    REASON: "Why you answered so. The others' reasons are shown when you have given yours.",
    REASON_CITES: _CITES,
    CAUSE: "\n".join(f"{one.cause}: {one.label}. Give {one.asks}." for one in CAUSES.values()),
    ANSWER: "Under c and e: your corrected answer. Else the answer that all should accept.",
    CORRECTED: "Under c: the item whose answer is corrected, if it is not that of the case.",
    ANSWER_CITES: _CITES,
    READING: "Why, or the reading that was settled on.",
    CONSENT: "To what is proposed, in this row too: yes, or no and why, such as “no: I meant it”.",
    REMARK: "What you say to the others: an argument, or an answer to one.",
} | {name: f"Evidence of the cause. {FIELDS[name].help}." for name in EVIDENCE}


def column_of(name: str, person: str) -> str:
    """The heading of a column that belongs to one of those present.

    Examples
    --------
    >>> column_of("consent", "ana")
    'consent: ana'
    """
    return f"{name}: {person}"


def case_columns(
    state: State, person: str, rows: Sequence[CaseRow], *, present: Sequence[str] = ()
) -> list[SheetColumn]:
    """The columns of a sheet about some cases of the current task.

    Parameters
    ----------
    state : State
    person : str
        Whose sheet it is; in a meeting, who leads it.
    rows : sequence of CaseRow
        The cases, as `views.cases` lists them; those that are being annotated are left out.
    present : sequence of str
        In a meeting: all who are there.

    Returns
    -------
    list of SheetColumn
        Of others' reasons and causes, only what everybody who will read it may see.

    Examples
    --------
    >>> [column.name for column in case_columns(State(), "", [])][:3]
    ['case', 'version', 'proposal']
    """
    sights = [seeing(state, name) for name in dict.fromkeys((person, *present))]
    listed = [row for row in rows if not row.withheld and row.number in state.epoch.cases]
    seen = [_row(state, sights, row) for row in listed]
    coders = dict.fromkeys(coder for row in listed for coder in row.answers)
    at = SHOWN_COLUMNS.index("group")
    answers = [column_of(ANSWER, coder) for coder in coders]
    names = [*SHOWN_COLUMNS[:at], *answers, *SHOWN_COLUMNS[at:]]
    columns = [SheetColumn(name, [row.get(name, "") for row in seen]) for name in names]
    kept = [one for one in columns if any(one.cells) or one.name in NEEDED]
    return [*kept, *_to_fill(state, person, present, len(listed))]


def _to_fill(state: State, person: str, present: Sequence[str], n: int) -> Iterator[SheetColumn]:
    """The empty columns; reasons and consents are those of coders."""
    choices = {CAUSE: tuple(cause.value for cause in Cause), CONSENT: ("yes", "no: ")}
    own = [name for name in present or (person,) if state.has_role(name, Role.CODER)]
    names = [(name, who) for who in own for name in (REASON, REASON_CITES, REMARK)]
    names += [(name, "") for name in (CAUSE, *EVIDENCE, *OF_ANSWERS)]
    for name, who in [*names, *((CONSENT, who) for who in own)]:
        heading = column_of(name, who) if who and present else name
        yield SheetColumn(heading, [""] * n, True, choices.get(name, ()), HELP[name])


OF_PERSONS = (REASON, REASON_CITES, REMARK, CONSENT)
"""Columns that each of those present has in a meeting."""


def _row(state: State, sights: Sequence[Sight], row: CaseRow) -> dict[str, str]:
    """A case as all may see it who will read the sheet."""
    case, epoch = state.epoch.cases[row.number], state.epoch
    views = [case_view(state, row.number, sight.person) for sight in sights]
    open_to_all = all(sight.sees_reason(case, "") for sight in sights)
    view, standing = views[0], awaited_assessment(case) or awaited_proposal(case)
    question, guidelines = epoch.questions[row.question], epoch.guidelines[-1]
    options = guidelines.options.get(row.question, ())
    if guidelines.ambiguity is not None and guidelines.ambiguity.allowed:
        options = (*options, str(AMBIGUOUS))
    found = {
        "case": str(row.number),
        "version": str(view.version),
        "proposal": str(standing.seq) if standing is not None and open_to_all else "",
        "item": row.item,
        "question": row.question,
        "asked": f"{question.text} [{'; '.join(options)}]",
        "text": view.text,
        "context": view.context,
        "guidance": _guidance(state, case),
        "group": row.group,
        "state": row.state.value,
        "asked now": _asked_now(state, sights, case),
    }
    found |= {column_of(ANSWER, coder): str(answer) for coder, answer in row.answers.items()}
    readable = [name for name in view.reasons if all(name in other.reasons for other in views)]
    said = [_said(f"{c}: “{view.reasons[c].text}”", view.reasons[c].cites) for c in readable]
    talked = (t for t in view.thread if t.kind == "remark made" and open_to_all)
    said += [_said(f"{t.by}: “{t.text}”", t.cites) for t in talked]
    return found | {"said": "\n".join([*said, *(_proposed(case) if open_to_all else ())])}


def _guidance(state: State, case: Case) -> str:
    """The rules and concepts that bear on the question of a case."""
    guidelines, concepts = state.epoch.guidelines[-1], state.epoch.concepts
    known = elements(state)
    of_rules = [r for r in guidelines.rules if not r.questions or case.question in r.questions]
    ids = [f"rule {rule.id}" for rule in of_rules]
    last = [versions[-1] for versions in concepts.values()]
    ids += [f"concept {c.name} v{c.version}" for c in last if case.question in c.questions]
    return "\n".join(f"{id}: {known[id].text}" for id in ids)


def _asked_now(state: State, sights: Sequence[Sight], case: Case) -> str:
    """What a case waits for, and from whom: first the reasons of those who will read the sheet."""
    coders = participants(state.epoch, case)
    silent = [s.person for s in sights if s.person in coders and not s.sees_reason(case, "")]
    asks = ((What.REASON, silent),) if silent else asked_about(state, case)
    return "; ".join(f"{what}: {listing(names, most=20)}" for what, names in asks)


def _proposed(case: Case) -> Iterator[str]:
    """The cause and the outcome that stand, or were refused last."""
    for one in case.assessments[-1:]:
        if not one.withdrawn:
            by = "the source" if one.told else one.by
            text = f"cause {one.cause}, by {by}: {evidence_text(one.evidence)}".removesuffix(": ")
            yield f"{one.seq}  {text}{_refused(one.refusals)}"
    for new in case.proposals[-1:]:
        text = _said(f"answer “{new.answer}”, by {new.by}: {new.text}", new.cites)
        yield f"{new.seq}  {text}{_refused(new.refusals)}"


def _said(text: str, cites: Sequence[str]) -> str:
    return f"{text} ({'; '.join(cites)})" if cites else text


def _refused(refusals: dict[str, str]) -> str:
    return "".join(f"; refused by {coder}: {why}" for coder, why in refusals.items())


def evidence_text(evidence: Evidence) -> str:
    """What was recorded with a cause, field by field.

    Examples
    --------
    >>> evidence_text(Evidence(rule="missing", others=("p1", "p2")))
    'rule: missing; others: p1, p2'
    """
    given = msgspec.structs.asdict(evidence)
    return "; ".join(f"{name}: {_plain(value)}" for name, value in given.items() if value)


def _plain(value: str | Iterable[str] | dict[str, str]) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name} “{text}”" for name, text in value.items())
    return value if isinstance(value, str) else ", ".join(value)
