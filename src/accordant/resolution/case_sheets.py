"""Case sheets: a row for each case as somebody may see it, with columns to fill in and read back.

Each row holds one act of who reads it: a reason, a cause, an answer that all should accept, or,
in the column of that coder, a consent to what is proposed. All rows are done, or none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from ..data.worksheet import Filled, Line, SheetColumn
from ..errors import AccordantError, unknown
from . import steps
from .acts import Act, Acts, Wrong
from .answers import answer_and_note
from .case_state import Case
from .causes import CAUSES
from .disagreement import awaiting, item_name
from .records import Evidence
from .state import State
from .views import CaseRow, case_view
from .words import Cause

__all__ = ["case_columns", "sheet_acts"]

REASON, CAUSE, ANSWER, READING, CITES = "reason", "cause", "answer", "reading", "cites"
EVIDENCE = tuple(Evidence.__struct_fields__)
BY_CODER, SEVERAL = ("construals",), ("others",)  # evidence: one text of each coder, several items
SHOWN = ("case", "version", "proposal", "item", "question", "text", "state", "proposed", "reasons")
_CITES = "What in the toolbox it rests on, with “;” between: question ID, rule ID, concept NAME."
TO_FILL = {
    REASON: "Why you answered so. The others' reasons are shown when you have given yours.",
    CAUSE: "\n".join(f"{one.cause}: {one.label}. Give {one.asks}." for one in CAUSES.values()),
    **dict.fromkeys(EVIDENCE, "Evidence of the cause."),
    ANSWER: "The answer that all should accept.",
    READING: "Why, or the reading that was settled on.",
    CITES: _CITES,
}


def _consent(person: str) -> str:
    return f"consent: {person}"


def case_columns(state: State, person: str, rows: Sequence[CaseRow]) -> list[SheetColumn]:
    """The columns of a sheet about some cases of the current task, as somebody may see them.

    Examples
    --------
    >>> [column.name for column in case_columns(State(), "", [])][:3]
    ['case', 'version', 'proposal']
    """
    listed = [row for row in rows if not row.withheld and row.number in state.epoch.cases]
    seen, n = [_shown(state, person, row) for row in listed], len(listed)
    coders = dict.fromkeys(coder for row in listed for coder in row.answers)
    columns = [SheetColumn(name, [row.get(name, "") for row in seen]) for name in SHOWN]
    for coder in coders:
        answers = [str(row.answers.get(coder, "")) for row in listed]
        columns.append(SheetColumn(f"{ANSWER}: {coder}", answers))
    for name, told in TO_FILL.items():
        choices = tuple(Cause) if name == CAUSE else ()
        columns.append(SheetColumn(name, [""] * n, True, choices, told))
    told = "Yes, or no and why: “no: I meant it”."
    yes = ("yes", "no: ")
    return columns + [SheetColumn(_consent(c), [""] * n, True, yes, told) for c in coders]


def _shown(state: State, person: str, row: CaseRow) -> dict[str, str]:
    case, view = state.epoch.cases[row.number], case_view(state, row.number, person)
    stands = awaiting(case)
    readable = [one for one in (*view.assessments, *view.proposals) if one is stands]
    proposed = [f"cause {one.cause}" for one in view.assessments if one is stands]
    proposed += [f"“{one.answer}”: {one.text}" for one in view.proposals if one is stands]
    return {
        "case": str(row.number),
        "version": str(view.version),
        "proposal": str(readable[0].seq) if readable else "",
        "item": row.item,
        "question": row.question,
        "text": view.text,
        "state": row.state.value,
        "proposed": "; ".join(proposed),
        "reasons": "\n".join(f"{who}: “{why.text}”" for who, why in view.reasons.items()),
    }


# ------------------------------------------------------------------ read back


def sheet_acts(sheet: Filled, by: str) -> Acts:
    """The acts of a sheet that somebody filled in, for `Project.together`.

    Raises
    ------
    InputError
        If the sheet has no column of the cases.

    Examples
    --------
    >>> sheet = Filled("c.csv", ("case", "version", "reason"), ())
    >>> list(sheet_acts(sheet, "ana")(State()))
    []
    """
    known = {*SHOWN, *TO_FILL, _consent(by)}
    sheet = sheet.called(known)
    for name in ("case", "version"):
        if name not in sheet.names:
            raise sheet.missing(name, "of a sheet that was written with these columns")

    def acts(state: State) -> Iterator[Act | Wrong]:
        for line in sheet.lines:
            try:
                for name in line.cells.keys() - known:
                    if not name.startswith((f"{ANSWER}: ", "consent: ")):
                        raise unknown("column", name, [*TO_FILL, _consent(by)], "a sheet has")
                yield from _of_row(state, line, by)
            except AccordantError as error:
                yield Wrong(line.place(), error)

    return acts


def _of_row(state: State, line: Line, by: str) -> Iterator[Act]:
    """The one act of a row; none where nothing is filled in."""
    cells = line.cells
    filled = [name for name in (_consent(by), REASON, CAUSE, ANSWER) if name in cells]
    belongs = [name for name in (*EVIDENCE, READING, CITES) if name in cells]
    if not filled and not belongs:
        return
    case = _case(state, line)
    act, of = filled[0] if filled else "", {CAUSE: EVIDENCE, ANSWER: (READING, CITES)}
    if act == _consent(by):  # what stands beside it is what somebody else has to say
        yield _consented(line, case, by, act)
        return
    stray = [
        name for name in belongs if name not in (*of.get(act, ()), *((CITES,) * (act == REASON)))
    ]
    if len(filled) > 1 or stray:
        both = ", ".join(filled + stray)
        raise line.wrong(f"one act a row: {both} do not go together", (stray or filled)[0])
    yield _act(state, line, case, by, act)


def _case(state: State, line: Line) -> Case:
    number = line.cells.get("case", "")
    case = state.epoch.cases.get(int(number)) if number.isdecimal() else None
    if case is None:
        raise line.wrong(f"there is no case {number!r} in the current task", "case")
    meant = (line.cells.get("item", ""), line.cells.get("question", ""))
    if any(meant) and meant != (item_name(state, case), case.question):
        raise line.wrong(f"case {number} is not about {' '.join(meant)}", "item")
    if not line.cells.get("version", "").isdecimal():
        raise line.wrong("there is no version: leave this column as it was written", "version")
    return case


def _made(line: Line, by: str, column: str, function: Callable[..., Any], **given: Any) -> Act:
    """An act about the case as it was when the sheet was written."""
    number = int(line.cells["case"])
    expect = {f"case {number}": int(line.cells["version"])}
    return Act(function, by, {"cases": number, **given}, line.place(column), expect)


def _consented(line: Line, case: Case, by: str, column: str) -> Act:
    word, _, why = line.cells[column].partition(":")
    proposal = line.cells.get("proposal", "")
    if word.strip().casefold() not in ("yes", "no"):
        raise line.wrong(f"{line.cells[column]!r} is neither “yes” nor “no: REASON”", column)
    if not proposal.isdecimal():
        raise line.wrong("nothing was proposed when the sheet was written", column)
    # Consents of others may have come in since; the number says to what this one is.
    given = {"cases": case.number, "proposals": [int(proposal)]}
    if word.strip().casefold() == "yes":
        return Act(steps.accept, by, given, line.place(column))
    return Act(steps.refuse, by, {**given, "reason": why.strip()}, line.place(column))


def _act(state: State, line: Line, case: Case, by: str, name: str) -> Act:
    cells, cites = line.cells, _listed(line.cells.get(CITES, ""))
    if name == REASON:
        # Others' first reasons do not matter: this one is given without having read them.
        given = {"cases": case.number, "text": cells[REASON], "cites": cites}
        return Act(steps.give_reason, by, given, line.place(REASON))
    if name == CAUSE:
        evidence = Evidence(**{key: _fact(line, key) for key in EVIDENCE if key in cells})
        cause = cells[CAUSE].casefold()
        return _made(line, by, CAUSE, steps.propose_cause, cause=cause, evidence=evidence)
    question = state.epoch.questions[case.question]
    options = state.epoch.guidelines[-1].options.get(question.id, ())
    answer, note = answer_and_note(cells[ANSWER], question, options)
    text = cells.get(READING, note.reason)
    given = {"answer": answer, "cites": cites, "text": text, "source": note.source}
    return _made(line, by, ANSWER, steps.propose_outcome, **given)


def _fact(line: Line, key: str) -> Any:
    text = line.cells[key]
    if key in BY_CODER:
        parts = [part.partition(":") for part in _listed(text)]
        if not all(colon for _, colon, _ in parts):
            raise line.wrong("write CODER: TEXT, one a line", key)
        return {who.strip(): what.strip() for who, _, what in parts}
    return _listed(text) if key in SEVERAL else text


def _listed(text: str) -> tuple[str, ...]:
    """Texts with “;” or a new line between them."""
    return tuple(part.strip() for part in text.replace(";", "\n").split("\n") if part.strip())
