"""What the filled cells of a case sheet stand for: acts, each of its person, through the commands.

Row by row, in the order in which people speak: reasons; consents to what stood; a cause, consents
to it; a correction, or an answer for all and consents to that. What was read before does nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..data.worksheet import Filled, Line
from ..errors import AccordantError, RequestError, unknown
from . import steps
from .acts import Act, Acts, Wrong
from .answer_sheets import answer_and_note
from .case_sheets import (
    ANSWER,
    ANSWER_CITES,
    CAUSE,
    CONSENT,
    CORRECTED,
    EVIDENCE,
    NEEDED,
    OF_ANSWERS,
    OF_PERSONS,
    READING,
    REASON,
    REASON_CITES,
    REMARK,
    SHOWN_COLUMNS,
    column_of,
)
from .case_state import Assessment, Case, Proposal, Turn
from .disagreement import held, item_name, label_of_case, participants
from .meeting import open_meeting
from .records import Answer, Evidence, Note
from .state import State
from .toolbox import cited
from .words import CaseState

__all__ = ["sheet_acts"]

OF_CASE = (CAUSE, *EVIDENCE, *OF_ANSWERS)
CITING = (REASON_CITES, ANSWER_CITES)
Row = Iterator[Act | Wrong]


def sheet_acts(sheet: Filled, by: str, present: Sequence[str] = ()) -> Acts:
    """The acts of a sheet that was filled in, for `Project.together`.

    Parameters
    ----------
    sheet : Filled
    by : str
        Whose sheet it is; in a meeting, who leads it and proposes.
    present : sequence of str
        In a meeting: all who are there. Each consents for themselves.

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
    own = [column_of(n, who) for n in OF_PERSONS for who in present] if present else [*OF_PERSONS]
    known = {*SHOWN_COLUMNS, *OF_CASE, *own}
    sheet = sheet.called(known)
    strange = {
        name: line
        for line in sheet.lines[::-1]
        for name in line.cells.keys() - known
        if not name.casefold().startswith(f"{ANSWER}: ")
    }
    for name in NEEDED[:2]:
        if name not in sheet.names:
            raise sheet.missing(name, "of a sheet that was written with these columns")

    def acts(state: State) -> Row:
        begun = {n: len(case.thread) for n, case in state.epoch.cases.items()}  # before these acts
        seen: set[int] = set()
        who = f"those present are {', '.join(present)}" if present else f"this is read as {by}"
        for name, line in strange.items():
            told = unknown("column", name, [*OF_CASE, *own], "a case sheet has")
            yield Wrong("", line.wrong(f"{told}; {who}", name))
        for line in sheet.lines:
            try:
                case = _case(state, line, {*OF_CASE, *own}, seen)
            except AccordantError as error:
                yield Wrong(line.place(), error)
            else:
                if case is not None:
                    known = int(line.cells["version"])
                    fresh = _is_fresh(case.thread[: begun[case.number]], known, {by, *present})
                    yield from _RowActs(state, line, case, by, tuple(present), fresh).acts()

    return _in_meeting(acts, by, present) if present else acts


def _in_meeting(acts: Callable[[State], Row], by: str, present: Sequence[str]) -> Acts:
    """The acts between the beginning of a meeting and its end, if there are any."""

    def held(state: State) -> Row:
        now = open_meeting(state)
        own = now is None or now.led_by != by or {*now.present} != {*present}
        begun = False
        for act in acts(state):
            if own and not begun and isinstance(act, Act):
                begun = True
                yield Act(steps.begin_meeting, by, {"present": present})
            yield act
        if begun:
            yield Act(steps.end_meeting, by)

    return held


def _case(state: State, line: Line, to_fill: set[str], seen: set[int]) -> Case | None:
    """The case of a row in which something is filled in."""
    if to_fill.isdisjoint(line.cells):
        return None
    number = line.cells.get("case", "")
    case = state.epoch.cases.get(int(number)) if number.isdecimal() else None
    if case is None:
        raise line.wrong(f"there is no case {number!r} in the current task", "case")
    if case.number in seen:
        raise line.wrong(f"case {number} has another row above", "case")
    seen.add(case.number)
    meant = (line.cells.get("item", ""), line.cells.get("question", ""))
    if meant != (item_name(state, case), case.question) and any(meant):
        told = f"case {number} is {label_of_case(state, case)}, not about {' '.join(meant)}"
        raise line.wrong(f"{told}: the sheet is of another project, or was changed", "item")
    if not line.cells.get("version", "").isdecimal():
        raise line.wrong("there is no version: leave this column as it was written", "version")
    return case


def _is_fresh(thread: Sequence[Turn], known: int, own: set[str]) -> bool:
    """Whether nothing has happened in a case since a sheet was written but others' first reasons.

    Who wrote a reason of their own could not read these.
    """
    spoken = {turn.by for turn in thread[:known] if turn.kind == "reason given"} | own
    return known <= len(thread) and all(
        turn.kind == "reason given" and turn.by not in spoken for turn in thread[known:]
    )


@dataclass
class _RowActs:
    """A row: what was filled in, in the order in which it is done."""

    state: State
    line: Line
    case: Case
    by: str
    present: tuple[str, ...]
    fresh: bool  # see `_is_fresh`
    consents: dict[str, tuple[bool, str, str]] = field(default_factory=dict)
    # Person → whether they consent, why not, and the column.

    def acts(self) -> Row:
        """Every act, each decided when those before it are done."""
        try:
            self.consents |= self._consents()
            answer, note = self._answer()
            evidence = self._evidence()
            for column in self._citing() if self.fresh else ():
                self._checked(column, cited, self.state, self._cites(column))
        except AccordantError as error:
            yield Wrong(self.line.place(), error)
            return
        yield from self._reasons()
        yield from self._remarks()
        stood, cause = self._stood(), self.line.cells.get(CAUSE, "").casefold()
        yield from self._consented(stood)
        if cause:
            given = {"cases": [self.case.number], "cause": cause, "evidence": evidence}
            act = self._act(CAUSE, steps.propose_cause, **given)
            yield from self._once(act, self._caused(cause, evidence))
            yield from self._consented(self._caused(cause, evidence))
        if ANSWER in self.line.cells and self._corrects(answer):
            yield from self._once(self._correction(answer, note), self._corrected(answer))
        elif ANSWER in self.line.cells:
            yield from self._once(self._outcome(answer, note), self._answered(answer))
            yield from self._consented(self._answered(answer))
        elif self.consents and stood is None and not cause:
            what = "nothing was proposed when the sheet was written, and nothing is here"
            yield self._wrong(what, next(iter(self.consents.values()))[2])

    # ------------------------------------------------------------------ cells

    def _wrong(self, message: str, column: str) -> Wrong:
        return Wrong(self.line.place(column), RequestError(message))

    def _checked(self, column: str, read: Callable[..., Any], *given: Any) -> Any:
        """What a cell says, or what is wrong with it."""
        try:
            return read(*given)
        except AccordantError as error:
            raise self.line.wrong(str(error), column) from None

    def _of_person(self, name: str) -> Iterator[tuple[str, str]]:
        """Person → column, where somebody filled it in."""
        for person in self.present or (self.by,):
            column = column_of(name, person) if self.present else name
            if column in self.line.cells:
                yield person, column

    def _cites(self, column: str) -> tuple[str, ...]:
        return _listed(self.line.cells.get(column, ""))

    def _answer(self) -> tuple[Any, Note]:
        """What is proposed, or corrected."""
        text = self.line.cells.get(ANSWER, "")
        needs = next((name for name in OF_ANSWERS if name in self.line.cells), "")
        if not text and needs:
            raise self.line.wrong("there is no answer that this belongs to", needs)
        if not text:
            return None, Note()
        question = self.state.epoch.questions[self.case.question]
        options = self.state.epoch.guidelines[-1].options.get(question.id, ())
        found: tuple[Any, Note] = self._checked(ANSWER, answer_and_note, text, question, options)
        return found

    def _citing(self) -> Iterator[str]:
        """The columns that cite the toolbox, where they are filled in."""
        yield from (c for c in self.line.cells if c.partition(": ")[0] in CITING)

    def _consents(self) -> Iterator[tuple[str, tuple[bool, str, str]]]:
        for person, column in self._of_person(CONSENT):
            text = self.line.cells[column]
            word, _, why = text.partition(":")
            if word.strip().casefold() not in ("yes", "no"):
                raise self.line.wrong(f"{text!r} is neither “yes” nor “no: REASON”", column)
            yield person, (word.strip().casefold() == "yes", why.strip(), column)

    def _evidence(self) -> Evidence:
        """The evidence of the cause."""
        given: dict[str, Any] = {}
        for name, kind in EVIDENCE.items():
            text = self.line.cells.get(name, "")
            if text and CAUSE not in self.line.cells:
                raise self.line.wrong("there is no cause that this belongs to", name)
            if text:
                given[name] = self._fact(name, kind, text)
        return Evidence(**given)

    def _fact(self, column: str, kind: Any, text: str) -> Any:
        """What a field of the evidence holds: a text, several, or one of each coder."""
        if kind is str:
            return text
        return self._by_coder(column, text) if kind == dict[str, str] else _listed(text)

    def _by_coder(self, column: str, text: str) -> dict[str, str]:
        """What is said of each coder: "ana: …", each on a line of its own or after “;”."""
        coders = participants(self.state.epoch, self.case)
        named = "|".join(map(re.escape, coders))
        parts = re.split(rf"(?:^|[\n;])\s*({named})\s*:", text)
        if len(parts) < 3 or parts[0].strip():
            raise self.line.wrong(f"write CODER: TEXT for {', '.join(coders)}", column)
        return dict(zip(parts[1::2], map(str.strip, parts[2::2]), strict=True))

    # ------------------------------------------------------------------ what was done before

    def _stood(self) -> Assessment | Proposal | None:
        """What stood when the sheet was written, by its number."""
        number = self.line.cells.get("proposal", "")
        return next((one for one in self.case.proposed if str(one.seq) == number), None)

    def _caused(self, cause: str, evidence: Evidence) -> Assessment | None:
        """The same cause, proposed by who reads the sheet."""
        own = [a for a in self.case.assessments if a.by == self.by and not a.told]
        return next((a for a in own[::-1] if a.content == (cause, evidence)), None)

    def _answered(self, answer: Any) -> Proposal | None:
        """The same answer, proposed for the same reason by who reads the sheet."""
        text, cites = self.line.cells.get(READING), _names(self._cites(ANSWER_CITES))
        for one in self.case.proposals[::-1]:
            same = one.by == self.by and one.answer == answer and _names(one.cites) == cites
            if same and text in (None, one.text):
                return one
        return None

    def _corrects(self, answer: Any) -> bool:
        """Whether an answer corrects one, or has done so when the sheet was read before."""
        now = self.case.state is CaseState.RESCORING
        return now or (not self.fresh and self._corrected(answer) is not None)

    def _corrected(self, answer: Any) -> Answer | None:
        """The answer, if the coder whom the cause names has changed their own to it."""
        coder = self.case.assessments[-1].evidence.coder if self.case.assessments else ""
        changes = [(one.case, one.coder) for one in self.state.epoch.rescorings]
        if (self.case.number, coder) not in changes:
            return None
        item = self.state.items.positions.get(self.line.cells.get(CORRECTED, ""), self.case.item)
        epoch, code = self.state.epoch, held(self.state.epoch, item, self.case.question).get(coder)
        return None if code is None or epoch.answers[code] != answer else epoch.answers[code]

    # ------------------------------------------------------------------ acts

    def _act(self, column: str, function: Callable[..., Any], by: str = "", /, **given: Any) -> Act:
        return Act(function, by or self.by, given, self.line.place(column))

    def _once(self, act: Act, before: object) -> Row:
        """An act, unless it was done before; of a row that is stale it is refused."""
        if self.fresh:
            yield act
        elif before is None:
            now, then = self.state.versions.get(f"case {self.case.number}", 0), self.line.cells
            told = (
                f"{label_of_case(self.state, self.case)} has moved on since the sheet was written"
            )
            told += f" (version {then['version']}, now {now}): write the sheet again"
            yield Wrong(act.place, RequestError(told))

    def _reasons(self) -> Row:
        texts = dict(self._of_person(REASON))
        for person, column in self._of_person(REASON_CITES):
            if person not in texts:
                yield self._wrong("there is no reason that this belongs to", column)
        for person, column in texts.items():
            text, known = self.line.cells[column], self.case.reasons.get(person)
            cites = self._cites(column_of(REASON_CITES, person) if self.present else REASON_CITES)
            same = known is not None and (known.text, _names(known.cites)) == (text, _names(cites))
            if self.fresh or not same:
                given = {"case": self.case.number, "text": text, "cites": cites}
                yield self._act(column, steps.give_reason, person, **given)

    def _remarks(self) -> Row:
        said = {(turn.by, turn.text) for turn in self.case.thread if turn.kind == "remark made"}
        for person, column in self._of_person(REMARK):
            if (person, text := self.line.cells[column]) not in said:
                yield self._act(column, steps.remark, person, case=self.case.number, text=text)

    def _consented(self, to: Assessment | Proposal | None) -> Row:
        """What each says to a proposal: who refuses comes last, since it does not stand then."""
        if to is None:
            return
        of_cause, number = isinstance(to, Assessment), self.case.number
        for person, (yes, why, column) in sorted(self.consents.items(), key=lambda x: not x[1][0]):
            if person in to.consents if yes else to.refusals.get(person) == why:
                continue
            if yes:
                function = steps.accept_cause if of_cause else steps.accept_outcome
                yield self._act(column, function, person, cases=[number], proposals=[to.seq])
            else:
                del self.consents[person]  # it is not said of what is proposed instead
                function = steps.refuse_cause if of_cause else steps.refuse_outcome
                yield self._act(
                    column, function, person, case=number, reason=why, proposals=[to.seq]
                )

    def _correction(self, answer: Any, note: Note) -> Act:
        """The coder whom the cause names changes an answer of their own."""
        coder = self.case.assessments[-1].evidence.coder
        return self._act(
            ANSWER,
            steps.rescore,
            coder if coder in self.present else self.by,
            answer=answer,
            case=self.case.number,
            item=self.line.cells.get(CORRECTED, ""),
            note=note,
            cites=self._cites(ANSWER_CITES),
        )

    def _outcome(self, answer: Any, note: Note) -> Act:
        """An answer that all should accept."""
        return self._act(
            ANSWER,
            steps.propose_outcome,
            cases=[self.case.number],
            answer=answer,
            cites=self._cites(ANSWER_CITES),
            text=self.line.cells.get(READING, note.reason),
            source=note.source,
        )


def _listed(text: str) -> tuple[str, ...]:
    """Texts with “;” or a new line between them."""
    return tuple(filter(None, map(str.strip, re.split(r"[;\n]", text))))


def _names(cites: Sequence[str]) -> tuple[str, ...]:
    """What is cited, without its kind and version: a concept may have another one by now."""
    return tuple(re.sub(r"^(question|rule|concept) |(?<=\S) v\d+$", "", one) for one in cites)
