"""Sheets of a project: items, answers, cases; rows that somebody fills in, and reads back.

A case sheet has a row for each case as somebody may see it. Each row holds one act of who reads it:
a reason, a cause, an answer that all should accept, or, in the column of that coder, a consent to
what is proposed. All rows are done, or none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from ..data.worksheet import Filled, Line, SheetColumn, read_filled
from ..errors import AccordantError, InputError, RequestError, unknown
from . import steps
from .acts import Act, Acts, ActsRefused, Wrong
from .answer_form import answer_and_note, written_answer
from .case_state import Case
from .causes import CAUSES
from .disagreement import awaiting, item_name
from .state import State
from .terms import AMBIGUOUS, Answer, Cause, Evidence, Items, Note
from .views import CaseRow, case_view
from .wording import all_known
from .work import Work, round_sheet

# ------------------------------------------------------------------ items and answers

ITEM, TEXT = ("item", "id", "item_id"), ("text", "content", "item_text")
CONTEXT, BATCH = ("context",), ("batch",)
LABEL = ("label", "answer", "value", "score")
NOTES = ("comment", "source", "reason", "confidence")
Answers = dict[str, dict[str, Answer]]
Notes = dict[str, dict[str, Note]]


def _column(sheet: Filled, names: Sequence[str], needed: str = "") -> str:
    """The name of the first column that has one of the names; an error if it is needed."""
    known = {name.casefold(): name for name in sheet.names}
    found = next((known[name] for name in names if name in known), "")
    if needed and not found:
        raise sheet.missing(names[0], needed)
    return found


def read_items(path: Path, sheet: str | None = None) -> Items:
    """Items of a file: a column "item", perhaps "text", "context" and "batch"; others are metadata.

    Raises
    ------
    InputError
        If the file cannot be read, or an id is missing or comes twice.
    """
    table = read_filled(path, sheet)
    item = _column(table, ITEM, "the id of each item")
    seen: set[str] = set()
    for line in table.lines:
        name = line.cells.get(item, "")
        if not name or name in seen:
            raise line.wrong(f"item {name!r} stands there twice" if name else "there is no id")
        seen.add(name)
    named = [_column(table, names) for names in (ITEM, TEXT, CONTEXT, BATCH)]
    columns = {n: tuple(line.cells.get(n, "") for line in table.lines) for n in table.names}
    more = {n.casefold(): cells for n, cells in columns.items() if n and n not in named}
    ids, texts, contexts, batches = (columns.get(name, ()) for name in named)
    return Items(ids, texts, contexts, batches, more)


def read_ids(path: Path, sheet: str | None = None) -> list[str]:
    """The ids in the column "item" of a file."""
    table = read_filled(path, sheet)
    item = _column(table, ITEM, "which items")
    return [line.cells[item] for line in table.lines if item in line.cells]


def sheet_columns(state: State, work: Work) -> list[SheetColumn]:
    """The columns of a sheet to fill in, with the answers there are.

    A question that depends on another one stands there for every item, and says where it is
    asked: it is left blank elsewhere.
    """
    special = (str(AMBIGUOUS),) if work.ambiguity and work.ambiguity.allowed else ()
    own = {(r.item, r.question): r.row() for r in round_sheet(state, work.round, work.person)}
    rows = []
    for item in work.items:
        for q in work.questions:
            done = own.get((item.id, q.id), {})
            when = q.asked_if
            where = f" Only where {when.question} is {' or '.join(when.labels)}." if when else ""
            rows.append(
                {
                    "item": item.id,
                    "question": q.id,
                    "text": item.text,
                    "asked": q.text + where,
                    "options": "; ".join((*q.options, *special)),
                    "label": str(done.get("answer", "")),
                    **{key: str(done.get(key, "")) for key in NOTES[:3]},
                }
            )
    fill = ("label", *NOTES)
    return [SheetColumn(name, [row[name] for row in rows], name in fill) for name in rows[0]]


def read_answers(path: Path, work: Work, sheet: str | None = None) -> tuple[Answers, Notes, int]:
    """Answers and notes of a sheet by question and item, and how many rows are still empty.

    Parameters
    ----------
    path : Path
    work : Work
        What the coder has to do, as `work.my_work` gives it.
    sheet : str, optional
        Of a workbook.

    Raises
    ------
    InputError
        If a cell cannot be understood.
    ActsRefused
        If several cannot.
    RequestError
        If nothing is answered.
    """
    table = read_filled(path, sheet)
    by_id = {question.id: question for question in work.questions}
    item = _column(table, ITEM, "the item")
    label = _column(table, LABEL, "what you answer")
    asked = _column(table, ("question",), "" if len(by_id) == 1 else "which question")
    items, answers, notes = {one.id for one in work.items}, Answers(), Notes()

    def keep(line: Line) -> None:
        name, id = line.cells.get(asked, next(iter(by_id))), line.cells.get(item, "")
        all_known("question", [name], by_id, f"round {work.round} asks")
        all_known("item", [id], items, f"round {work.round} asks {work.person} about")
        mine = answers.setdefault(name, {})
        if id in mine:
            raise RequestError(f"item {id!r} is answered twice on question {name!r}")
        mine[id] = written_answer(line.cells[label], by_id[name], by_id[name].options)
        comment, source, reason = (line.cells.get(n, "") for n in NOTES[:3])
        sure = float(line.cells["confidence"]) if "confidence" in line.cells else None
        if any(n in line.cells for n in NOTES):
            notes.setdefault(name, {})[id] = Note(comment, source, reason, sure)

    wrong, filled = list[Wrong](), [line for line in table.lines if label in line.cells]
    for line in filled:
        try:
            keep(line)
        except (AccordantError, ValueError) as error:
            wrong.append(Wrong("", line.wrong(str(error), label)))
    if wrong:
        raise ActsRefused(wrong, len(filled)) if len(wrong) > 1 else wrong[0].error
    if not filled:
        raise InputError("no row has a label yet", file=table.file)
    return answers, notes, len(table.lines) - len(filled)


# ------------------------------------------------------------------ cases

REASON, CAUSE, ANSWER, READING, CITES = "reason", "cause", "answer", "reading", "cites"
EVIDENCE = tuple(Evidence.__struct_fields__)
BY_CODER, SEVERAL = ("construals",), ("others",)  # evidence: one text of each coder, several items
SHOWN = ("case", "version", "proposal", "item", "question", "text", "state", "proposed", "reasons")
_CITES = "What it rests on, with “;” between: question ID, rule ID, concept NAME."
TO_FILL = {
    REASON: "Why you answered so. The others' reasons are shown after that.",
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
        "proposal": f"{readable[0].seq} {readable[0].shown[:12]}" if readable else "",
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
            raise sheet.missing(name, "of a sheet with these columns")

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
        raise line.wrong("leave the version as it was written", "version")
    return case


def _made(line: Line, by: str, column: str, function: Callable[..., Any], **given: Any) -> Act:
    """An act about the case as it was when the sheet was written."""
    number = int(line.cells["case"])
    expect = {f"case {number}": int(line.cells["version"])}
    return Act(function, by, {"cases": number, **given}, line.place(column), expect)


def _consented(line: Line, case: Case, by: str, column: str) -> Act:
    word, _, why = line.cells[column].partition(":")
    proposal, _, shown = line.cells.get("proposal", "").partition(" ")
    if word.strip().casefold() not in ("yes", "no"):
        raise line.wrong(f"{line.cells[column]!r} is neither “yes” nor “no: REASON”", column)
    if not proposal.isdecimal():
        raise line.wrong("nothing was proposed when the sheet was written", column)
    # Consents of others may have come in since; number and hash say to what this one is.
    given = {"cases": case.number, "proposals": [int(proposal)]}
    if word.strip().casefold() == "yes":
        return Act(steps.accept, by, {**given, "shown": [shown or "none"]}, line.place(column))
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
