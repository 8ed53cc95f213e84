"""How far coders agreed in each round, before anything was resolved: by question, group, pooled."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ..data.annotations import Annotations
from ..diagnosis.agreement import AgreementTable, agreement
from ..fields import FIELDS, columns
from ..measure.results import Agreement
from ..numbers import decimal, interval, joined, level_text, percent
from ..resolution.exporting import to_annotations
from ..resolution.state import Round
from ..resolution.words import CellState, Purpose, ReleaseStatus
from .blocks import Block, Chart, Choice, Matrix, Prose, Table
from .coefficients import methods_text, undefined_notes
from .document import Section
from .evidence import gathered
from .findings import finding_block
from .names import begun, compares_sets
from .project_subject import Subject, called
from .study import Study, name_for_all, study
from .view import named

__all__ = ["RoundFigures", "agreement_section", "main_measure", "resolved", "rounds_of"]

_SINGLE = ("kappa", "alpha", "ac")
_SETS = ("boot_match", "alpha_masi", "kappa")
ALL = "all questions"
_LEFT_OUT = {
    CellState.ONE_NOT_APPLICABLE: "a coder was not asked, because of that coder's own answer to "
    "another question",
    CellState.NOT_APPLICABLE: "the question does not apply",
    CellState.INCOMPLETE: "an annotation is missing",
}
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
    study : Study or None
        Agreement, diagnosis and items of what two coders or more answered; None if there is no
        such answer.
    groups : dict of str to AgreementTable
        The same for each group of two questions or more.
    """

    round: Round
    study: Study | None
    groups: dict[str, AgreementTable]

    @property
    def questions(self) -> tuple[str, ...]:
        """What was asked."""
        return self.round.questions


def rounds_of(subject: Subject) -> tuple[RoundFigures, ...]:
    """The rounds of the current epoch that have closed; none while another one is open.

    A figure that leaves out what is being annotated would be read as that of all.
    """
    if "rounds" not in subject.found:
        closed = [] if subject.sight.round else [r for r in subject.epoch.rounds if r.closed]
        subject.found["rounds"] = tuple(_figures(subject, some) for some in closed)
    found: tuple[RoundFigures, ...] = subject.found["rounds"]
    return found


def _figures(subject: Subject, some: Round) -> RoundFigures:
    def measured(data: Annotations) -> AgreementTable:
        return agreement(data, **dict(subject.options))  # type: ignore[arg-type]

    data = to_annotations(subject.state, round=some.number, person=subject.person)
    shared = data.of_questions([q for q in some.questions if q in data.questions]).of_shared()
    if not len(shared):
        return RoundFigures(some, None, {})
    grouped: dict[str, list[str]] = {}
    for question in subject.epoch.questions.values():
        if question.group and question.id in shared.questions:
            grouped.setdefault(question.group, []).append(question.id)
    groups = {
        name: measured(shared.of_questions(questions).of_shared())
        for name, questions in grouped.items()
        if 1 < len(questions) < len(shared.questions)
    }
    found = replace(study(measured(shared)), collector=subject.collector)
    return RoundFigures(some, found, groups)


def main_measure(figures: RoundFigures) -> str:
    """Key of the coefficient that is told first: κ, or that of sets of labels."""
    return _measures(figures)[0]


def _measures(figures: RoundFigures) -> tuple[str, ...]:
    if figures.study is None:
        return _SINGLE
    wanted = _SETS if compares_sets(figures.study.data) else _SINGLE
    return tuple(key for key in wanted if figures.study.whole.get(key) is not None)


def agreement_section(subject: Subject) -> Section:
    """One part for each round; the last one first."""
    rounds = rounds_of(subject)
    if not rounds:
        open_ = subject.sight.until
        lead = f"Agreement is {open_}." if open_ else "No round of annotation has closed yet."
        return Section("agreement", "Agreement in each round", lead)
    blocks: list[Block] = []
    if len(rounds) == 1:
        blocks += _round(rounds[0])
    else:
        options = tuple((_name(one), tuple(_round(one))) for one in reversed(rounds))
        blocks.append(Choice("Round", options))
    if resolved(subject):
        blocks.append(Prose(BY_CONSTRUCTION))
    if subject.state.purpose is Purpose.ELICIT_VARIATION:
        blocks.append(Prose(
            "These annotations are to show how readings vary. Disagreement is a result here, and "
            "is not resolved."
        ))  # fmt: skip
    lead = _lead(rounds[0])
    if len(rounds) > 1:
        lead += f" {_last(rounds[-1])}"
    return Section("agreement", "Agreement in each round", lead, tuple(blocks))


def resolved(subject: Subject) -> bool:
    """Whether the annotations are a ground truth, or would be one."""
    return subject.now.status is ReleaseStatus.GROUND_TRUTH and bool(subject.epoch.cases)


def _name(figures: RoundFigures) -> str:
    again = " (re-annotation)" if figures.round.orders else ""
    return f"Round {figures.round.number}{again}"


# ------------------------------------------------------------------ in words


def _lead(figures: RoundFigures) -> str:
    study = figures.study
    if study is None:
        return f"{_name(figures)}: no answer of two coders can be shown."
    key = main_measure(figures)
    whole = study.whole.get(key) or study.whole.main
    n, same = study.whole.found.coverage.n_pairable, study.whole.get("percent")
    cells = "comparisons, each of one question about one item" if study.questions else "items"
    observed = same.observed if same is not None else whole.observed
    text = (
        f"{_name(figures)}: two coders gave the same answer in {percent(observed)} of {n:,} "
        f"{cells}."
    )
    return f"{text} {_corrected(figures, whole, key)}"


def _corrected(figures: RoundFigures, whole: Agreement, key: str) -> str:
    study = figures.study
    if study is None:
        return ""
    name = study.whole.name(whole)
    if whole.undefined:
        return f"{begun(name)} is undefined: {whole.undefined}."
    text = f"Corrected for chance, {name} is {decimal(whole.value)}"
    text += f" {interval(whole.low, whole.high)}" if whole.low == whole.low else ""
    if not study.questions:
        return f"{text}."
    rows = [(p, p[key]) for p in study.questions]
    known = [(p, r) for p, r in rows if not r.undefined]
    undefined = [p.question or "" for p, r in rows if r.undefined]
    text += " over all questions"
    if len(known) == 1:
        text += f"; for {known[0][0].question} alone it is {decimal(known[0][1].value)}"
    elif known:
        low, high = min(known, key=lambda x: x[1].value), max(known, key=lambda x: x[1].value)
        least, most = decimal(low[1].value), decimal(high[1].value)
        if least == most:
            text += f", and the same for each of {len(known)} questions"
        else:
            text += f"; by question it runs from {least} ({low[0].question}) to {most} "
            text += f"({high[0].question})"
    if undefined:
        text += f", and for {joined(undefined)} it is undefined"
    return f"{text}."


def _last(figures: RoundFigures) -> str:
    return _lead(figures) if figures.study is not None else ""


# ------------------------------------------------------------------ the table


def _round(figures: RoundFigures) -> Iterator[Block]:
    if figures.study is None:
        yield Prose("There is no item that two coders have annotated.")
        return
    yield _table(figures)
    for found in figures.study.diagnosis.findings:
        if found.severity == "problem":
            yield finding_block(found)
    yield from _told(figures.study, "confusion")
    if figures.study.whole.found.counts.n_coders > 2 and not figures.study.data.anonymous:
        yield from _told(figures.study, "pairs")
    yield from _told(figures.study, "directions", drawn=True)
    yield Prose(FURTHER)


def _told(study: Study, name: str, *, drawn: bool = False) -> Iterator[Block]:
    """The matrices of a view, or its charts, for each question."""
    parts = (study.whole, *study.questions) if study.pooled_first else study.questions
    kept = Chart if drawn else Matrix
    section = named("diagnose", name).section([part.found for part in parts])
    blocks = tuple(_only(section.blocks, kept))
    yield from gathered(replace(section, blocks=blocks), study.collector).blocks


def _only(blocks: Iterable[Block], kept: type[Chart | Matrix]) -> Iterator[Block]:
    """The blocks of a kind that lie on top."""
    for block in blocks:
        if isinstance(block, Choice) and block.depth == "main":
            options = tuple((name, tuple(_only(inside, kept))) for name, inside in block.options)
            if any(inside for _, inside in options):
                yield Choice(block.label, tuple(x for x in options if x[1]))
        elif isinstance(block, kept):
            yield block


def _table(figures: RoundFigures) -> Table:
    study = figures.study
    if study is None:
        raise ValueError("a round without answers has no table")
    keys = _measures(figures)
    parts = study.questions or (study.whole,)
    rows = [
        _row(p.question or next(iter(figures.questions), ""), p.agreements, keys, figures,
             (p.question or next(iter(figures.questions), ""),))
        for p in parts
    ]  # fmt: skip
    groups = [
        _row(f"{name}: {joined(table.data.questions)}", table.of_question(None), keys, figures,
             table.data.questions)
        for name, table in figures.groups.items()
    ]  # fmt: skip
    pooled = [
        _row(ALL, study.whole.agreements, keys, figures, figures.questions)
    ] if study.questions else []  # fmt: skip
    for row in [*groups[:1], *pooled]:
        row["apart"] = True
    every = [*rows, *groups, *pooled]
    names = {key: name_for_all((*study.questions, study.whole), key) for key in keys}
    first = names[keys[0]]
    heads = (
        *columns("question"), called("compared", "n", "count"), *columns("same"),
        FIELDS["value"].called(first, key=keys[0]),
        *columns("interval"),
        *(FIELDS["value"].called(names[key], key=key) for key in keys[1:]),
        called("differ", "conflicting", "count"), *columns("left_out"),
    )  # fmt: skip
    title = f"{_name(figures)}: {first} by question" + (", and pooled" if pooled else "")
    return Table(title, heads, tuple(every), tuple(_notes(figures, every, keys[0], first)))


def _row(
    name: str, agreements: Sequence[Agreement], keys: Sequence[str], figures: RoundFigures,
    questions: Sequence[str],
) -> dict[str, Any]:  # fmt: skip
    by_key = {r.measure: r for r in agreements}
    main = by_key[keys[0]]
    counts = [figures.round.comparison.get(q, {}) for q in questions]
    out = {s.value: sum(c.get(s.value, 0) for c in counts) for s in _LEFT_OUT}
    percent_row = by_key.get("percent", main)
    return {
        "question": name,
        "n": main.n_pairable,
        "same": percent_row.observed,
        **{key: by_key[key].value for key in keys},
        "low": main.low,
        "high": main.high,
        "level": main.level,
        "observed": main.observed,
        "expected": main.expected,
        "undefined": str(main.undefined) if main.undefined else None,
        "conflicting": sum(c.get(CellState.CONFLICTING.value, 0) for c in counts),
        "left_out": sum(out.values()),
        **out,
        "apart": False,
        "row": main,
    }


def _notes(figures: RoundFigures, rows: list[dict[str, Any]], key: str, name: str) -> Iterator[str]:
    mains = [(f"question {row['question']}", row.pop("row")) for row in rows]
    yield from (f"{name} for {note}" for note in undefined_notes(mains))
    whole = figures.round.comparison
    told = [
        f"{sum(c.get(s.value, 0) for q, c in whole.items() if q in figures.questions):,} because "
        f"{why}"
        for s, why in _LEFT_OUT.items()
        if any(c.get(s.value, 0) for q, c in whole.items() if q in figures.questions)
    ]
    if told:
        yield f"Left out: {'; '.join(told)}."
    how = methods_text(row for _, row in mains)
    if how:
        yield f"Intervals at {level_text(mains[-1][1].level)}: {how}."
    if len(rows) > 1:
        yield (
            "The pooled row takes every answer as an item of its own. Questions on which nearly "
            "all give one answer raise it, so quote it only together with the questions."
        )
