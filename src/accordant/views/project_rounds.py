"""How far coders agreed in each round, before anything was resolved: by question, and pooled."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ..api.agreement import agreement
from ..diagnosis.agreement_table import AgreementPart, AgreementTable
from ..fields import FIELDS, Field
from ..measure.coefficient_value import Agreement
from ..numbers import decimal, interval, level_text, percent
from ..resolution.as_annotations import to_annotations
from ..resolution.state import Round
from ..resolution.terms import CellState, Purpose, ReleaseStatus
from .blocks import Prose, Table
from .coefficient_names import begun
from .coefficient_tables import methods_text, name_for_all
from .project_subject import Subject, Told, called, chapter, table

_SINGLE = ("kappa", "alpha", "ac")
_SETS = ("boot_match", "alpha_masi", "kappa")
ALL = "all questions"
FURTHER = (
    "More: give the file of the round (round-1.csv …), which comes with this report in a "
    "bundle, to “accordant report”."
)
BY_CONSTRUCTION = (
    "After resolution all coders hold the same answer to every question about every item. Their "
    "agreement is 1 by construction, not measured: see the rounds."
)


@dataclass(frozen=True, eq=False)
class RoundFigures:
    """One round that has closed, measured.

    Parameters
    ----------
    round : Round
    table : AgreementTable
        Agreement on what two coders or more answered.
    """

    round: Round
    table: AgreementTable

    @property
    def title(self) -> str:
        """What the round is called."""
        return f"Round {self.round.number}{' (re-annotation)' if self.round.orders else ''}"

    @property
    def whole(self) -> AgreementPart:
        """All questions pooled, or the only one."""
        return self.table.told_parts[-1]

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
    data = to_annotations(subject.state, round=some.number, person=subject.person)
    shared = data.of_questions([q for q in some.questions if q in data.questions]).of_shared()
    if not len(shared):
        return None
    return RoundFigures(some, agreement(shared, **dict(subject.options)))  # type: ignore[arg-type]


@chapter("agreement", "Agreement in each round")
def agreement_section(subject: Subject) -> Told:
    """A table for each round; the last one first."""
    yield agreement_in_short(subject)
    for one in reversed(rounds_of(subject)):
        yield _table(one)
    if rounds_of(subject):
        yield Prose(FURTHER)
    if resolved(subject):
        yield Prose(BY_CONSTRUCTION)
    if rounds_of(subject) and subject.state.purpose is Purpose.ELICIT_VARIATION:
        yield Prose(
            "These annotations are to show how readings vary. Disagreement is a result here, "
            "and is not resolved."
        )


def resolved(subject: Subject) -> bool:
    """Whether the annotations are a ground truth, or would be one."""
    return subject.now.status is ReleaseStatus.GROUND_TRUTH and bool(subject.epoch.cases)


def agreement_in_short(subject: Subject) -> str:
    """How far coders agreed in the first round and in the last one."""
    if subject.sight.round:
        return f"Agreement is {subject.sight.until}."
    rounds = rounds_of(subject)
    told = [_in_short(one) for one in (*rounds[:1], *rounds[1:][-1:])]
    return " ".join(told) or "No round of annotation that two coders share has closed."


def _in_short(one: RoundFigures) -> str:
    main, name = one.main, one.names[one.key]
    same = one.whole.get("percent") or main
    share = f"{percent(same.observed)} of pairs (n = {main.n_pairable:,})"
    text = f"{one.title}: two coders gave the same answer in {share}."
    if main.undefined:
        return f"{text} {begun(name)} is undefined: {main.undefined}."
    return (
        f"{text} Corrected for chance, {name} is {decimal(main.value)} "
        f"{interval(main.low, main.high)}."
    )


def _table(one: RoundFigures) -> Table:
    """Each question, and all of them pooled."""
    parts = [(p.question or ALL, p.rows) for p in one.table.told_parts]
    if len(parts) == 1:
        parts = [(one.round.questions[0], parts[0][1])]
    rows = [_row(one, name, found) for name, found in parts]
    first, *others = (FIELDS["value"].called(name, key=key) for key, name in one.names.items())
    heads: tuple[str | Field, ...] = (
        "question",
        called("compared", "n", "count"),
        "same",
        first,
        "interval",
        *others,
        called("differ", "conflicting", "count"),
    )
    mains = [next(row for row in found if row.measure == one.key) for _, found in parts]
    how = methods_text(iter(mains))
    notes = [f"Intervals at {level_text(one.main.level)}: {how}."] if how else []
    return table(f"{one.title}: {first.heading}", heads, rows, *notes)


def _row(one: RoundFigures, name: str, agreements: Sequence[Agreement]) -> dict[str, Any]:
    by_key = {row.measure: row for row in agreements}
    main, counts = by_key[one.key], one.round.comparison
    asked = one.round.questions if name == ALL else (name,)
    return {
        "question": name,
        "n": main.n_pairable,
        "same": by_key.get("percent", main).observed,
        **{key: by_key[key].value for key in one.names},
        "low": main.low,
        "high": main.high,
        "level": main.level,
        "undefined": str(main.undefined) if main.undefined else None,
        "conflicting": sum(counts.get(q, {}).get(CellState.CONFLICTING.value, 0) for q in asked),
    }
