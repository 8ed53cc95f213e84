"""How far coders agreed in each round, before anything was resolved: by question, group, pooled."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from ..api.agreement import agreement
from ..data.annotations import Annotations
from ..diagnosis.agreement import AgreementPart, AgreementTable
from ..fields import FIELDS, Field
from ..measure.results import Agreement
from ..numbers import decimal, interval, joined, level_text, percent
from ..resolution.as_annotations import to_annotations
from ..resolution.state import Round
from ..resolution.words import CellState, Purpose, ReleaseStatus
from .blocks import Block, Choice, Matrix, Prose, Table
from .coefficients import methods_text, name_for_all, undefined_notes
from .document import Section
from .evidence import gathered
from .findings import finding_block
from .names import begun
from .project_subject import Subject, Told, called, chapter, table
from .view import POOLED, named

__all__ = ["RoundFigures", "agreement_in_short", "agreement_section", "resolved", "rounds_of"]

_SINGLE = ("kappa", "alpha", "ac")
_SETS = ("boot_match", "alpha_masi", "kappa")
ALL = "all questions"
_Told = tuple[str, Sequence[Agreement], Sequence[str]]
"""A row: its name, its coefficients, its questions."""
_LEFT_OUT = {
    CellState.ONE_NOT_APPLICABLE: "a coder was not asked, because of that coder's own answer to "
    "another question",
    CellState.NOT_APPLICABLE: "the question does not apply",
    CellState.INCOMPLETE: "an annotation is missing",
}
SHOWN: dict[str, type[Block]] = {"confusion": Matrix, "pairs": Matrix}
"""What is shown of the views of a diagnosis."""
FURTHER = (
    "All coefficients, intervals by other methods, findings and the what-if analysis: give the "
    "file of the round (round-1.csv …), which comes with this report in a bundle, to “accordant "
    "report”."
)
BY_CONSTRUCTION = (
    "After resolution all coders hold the same answer to every question about every item. Their "
    "agreement is 1 by construction: it was made, not measured, and says nothing about how the "
    "next annotations would agree. That is what the figures of the rounds are for."
)


@dataclass(frozen=True, eq=False)
class RoundFigures:
    """One round that has closed, measured.

    Parameters
    ----------
    round : Round
    table : AgreementTable
        Agreement on what two coders or more answered.
    groups : dict of str to AgreementTable
        The same for each group of two questions or more.
    """

    round: Round
    table: AgreementTable
    groups: dict[str, AgreementTable]

    @property
    def title(self) -> str:
        """What the round is called."""
        return f"Round {self.round.number}{' (re-annotation)' if self.round.orders else ''}"

    @property
    def whole(self) -> AgreementPart:
        """All questions pooled, or the only one."""
        return self.table.told_parts[-1]

    @property
    def questions(self) -> tuple[AgreementPart, ...]:
        """Each question; empty if there is only one."""
        return self.table.told_parts[:-1]

    @property
    def names(self) -> dict[str, str]:
        """Keys of the coefficients that are told, the main one first, with their names."""
        keys, parts = _SETS if self.whole.of_sets else _SINGLE, self.table.told_parts
        return {key: name_for_all(parts, key) for key in keys if self.whole.get(key)}

    @property
    def key(self) -> str:
        """Key of the coefficient that is told first: κ, or that of sets of labels."""
        return next(iter(self.names))

    @property
    def main(self) -> Agreement:
        """The coefficient that is told first."""
        return self.table[self.key]

    def count(self, questions: Sequence[str], state: CellState) -> int:
        """How many cells of some questions are in a state."""
        return sum(self.round.comparison.get(q, {}).get(state.value, 0) for q in questions)


def rounds_of(subject: Subject) -> tuple[RoundFigures, ...]:
    """The rounds of the current epoch that have closed and can be measured.

    None while another one is open: a figure that leaves out what is being annotated would be read
    as that of all.
    """
    if "rounds" not in subject.found:
        closed = [] if subject.sight.round else [r for r in subject.epoch.rounds if r.closed]
        figures = (_figures(subject, some) for some in closed)
        subject.found["rounds"] = tuple(one for one in figures if one is not None)
    found: tuple[RoundFigures, ...] = subject.found["rounds"]
    return found


def _figures(subject: Subject, some: Round) -> RoundFigures | None:
    """The figures of a round; None if no item has annotations of two coders."""

    def measured(data: Annotations) -> AgreementTable:
        return agreement(data, **dict(subject.options))  # type: ignore[arg-type]

    data = to_annotations(subject.state, round=some.number, person=subject.person)
    shared = data.of_questions([q for q in some.questions if q in data.questions]).of_shared()
    if not len(shared):
        return None
    grouped: dict[str, list[str]] = {}
    for question in subject.epoch.questions.values():
        if question.group and question.id in shared.questions:
            grouped.setdefault(question.group, []).append(question.id)
    groups = {
        name: measured(shared.of_questions(questions).of_shared())
        for name, questions in grouped.items()
        if 1 < len(questions) < len(shared.questions)
    }
    return RoundFigures(some, measured(shared), groups)


@chapter("agreement", "Agreement in each round")
def agreement_section(subject: Subject) -> Told:
    """One part for each round; the last one first."""
    yield agreement_in_short(subject)
    each = tuple((one.title, tuple(_round(subject, one))) for one in reversed(rounds_of(subject)))
    yield from (Choice("Round", each),) if len(each) > 1 else (b for _, told in each for b in told)
    if resolved(subject):
        yield Prose(BY_CONSTRUCTION)
    if each and subject.state.purpose is Purpose.ELICIT_VARIATION:
        yield Prose(
            "These annotations are to show how readings vary. Disagreement is a result here, and "
            "is not resolved."
        )


def resolved(subject: Subject) -> bool:
    """Whether the annotations are a ground truth, or would be one."""
    return subject.now.status is ReleaseStatus.GROUND_TRUTH and bool(subject.epoch.cases)


# ------------------------------------------------------------------ in words


def agreement_in_short(subject: Subject) -> str:
    """How far coders agreed in the first round and in the last one."""
    if subject.sight.round:
        return f"Agreement is {subject.sight.until}."
    rounds, closed = rounds_of(subject), [r.number for r in subject.epoch.rounds if r.closed]
    known = [one.round.number for one in rounds]
    told = [_in_short(one) for one in (*rounds[:1], *rounds[1:][-1:])]
    told += [f"Round {n}: no item has annotations of two coders." for n in closed if n not in known]
    return " ".join(told) or "No round of annotation has closed yet."


def _in_short(one: RoundFigures) -> str:
    main, name = one.main, one.names[one.key]
    same = one.whole.get("percent") or main
    cells = "comparisons, each of one question about one item" if one.questions else "items"
    share = f"{percent(same.observed)} of {main.n_pairable:,} {cells}"
    text = f"{one.title}: two coders gave the same answer in {share}."
    if main.undefined:
        return f"{text} {begun(name)} is undefined: {main.undefined}."
    text += f" Corrected for chance, {name} is {decimal(main.value)}"
    text += f" {interval(main.low, main.high)}" if main.low == main.low else ""
    if one.questions:
        rows = [one.table[part.question, one.key] for part in one.questions]
        known = sorted((row.value, row.question) for row in rows if not row.undefined)
        each = joined(f"{question} {decimal(value)}" for value, question in known)
        undefined = joined(str(row.question) for row in rows if row.undefined)
        text += " over all questions"
        text += f"; by question, the lowest first: {each}" if each else ""
        text += f"; for {undefined} it is undefined" if undefined else ""
    return f"{text}."


# ------------------------------------------------------------------ the table


def _round(subject: Subject, one: RoundFigures) -> Iterator[Block]:
    found = one.table.diagnosis
    yield _table(one)
    yield from (finding_block(f) for f in found.findings if f.severity == "problem")
    parts = (one.whole, *one.questions) if found.same_scheme else one.questions
    each = [(f"Question {p.question}" if p.question else POOLED, tuple(_shown(p))) for p in parts]
    told = tuple((title, blocks) for title, blocks in each if blocks)
    blocks = (Choice("Show", told),) if one.questions and told else [b for _, x in told for b in x]
    yield from gathered(Section("", "", "", tuple(blocks)), subject.collector).blocks
    yield Prose(FURTHER)


def _shown(part: AgreementPart) -> Iterator[Block]:
    """The matrices and charts of a question that show who gave what where another gave which."""
    for name, kept in SHOWN.items():
        made = named("diagnose", name).make(part.diagnosed)
        yield from (block for block in made if isinstance(block, kept))


def _table(one: RoundFigures) -> Table:
    asked = one.round.questions
    named = [(part.question or asked[0], part.rows) for part in one.questions or (one.whole,)]
    parts: list[_Told] = [(name, found, (name,)) for name, found in named]
    parts += [
        (f"{name}: {joined(found.data.questions)}", found.of_question(None), found.data.questions)
        for name, found in one.groups.items()
    ]
    parts += [(ALL, one.whole.rows, asked)] if one.questions else []
    rows = [_row(one, *part) for part in parts]
    for k in {len(named), len(rows) - 1} if one.questions else ():
        rows[k]["apart"] = True
    first, *others = (FIELDS["value"].called(name, key=key) for key, name in one.names.items())
    heads: tuple[str | Field, ...] = (
        "question",
        called("compared", "n", "count"),
        "same",
        first,
        "interval",
        *others,
        called("differ", "conflicting", "count"),
        "left_out",
    )
    title = f"{one.title}: {first.heading} by question{', and pooled' if one.questions else ''}"
    mains = [(f"question {name}", _main(one, found)) for name, found, _ in parts]
    return table(title, heads, rows, *_notes(one, mains))


def _main(one: RoundFigures, agreements: Sequence[Agreement]) -> Agreement:
    return next(row for row in agreements if row.measure == one.key)


def _row(
    one: RoundFigures, name: str, agreements: Sequence[Agreement], questions: Sequence[str]
) -> dict[str, Any]:
    main, by_key = _main(one, agreements), {row.measure: row for row in agreements}
    out = {state.value: one.count(questions, state) for state in _LEFT_OUT}
    return {
        "question": name,
        "n": main.n_pairable,
        "same": by_key.get("percent", main).observed,
        **{key: by_key[key].value for key in one.names},
        "low": main.low,
        "high": main.high,
        "level": main.level,
        "observed": main.observed,
        "expected": main.expected,
        "undefined": str(main.undefined) if main.undefined else None,
        "conflicting": one.count(questions, CellState.CONFLICTING),
        "left_out": sum(out.values()),
        **out,
        "apart": False,
    }


def _notes(one: RoundFigures, mains: Sequence[tuple[str, Agreement]]) -> Iterator[str]:
    yield from (f"{one.names[one.key]} for {note}" for note in undefined_notes(mains))
    left_out = (
        f"{n:,} because {why}"
        for state, why in _LEFT_OUT.items()
        if (n := one.count(one.round.questions, state))
    )
    if told := "; ".join(left_out):
        yield f"Left out: {told}."
    if how := methods_text(row for _, row in mains):
        yield f"Intervals at {level_text(one.main.level)}: {how}."
    if len(mains) > 1:
        yield (
            "The pooled row takes every answer as an item of its own. Questions on which nearly "
            "all give one answer raise it, so quote it only together with the questions."
        )
