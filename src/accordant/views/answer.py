"""The first page: whether agreement is good enough, where most disagreement is, what to do next."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..actions import Action
from ..api.agreement import agreement
from ..diagnosis.agreement_table import AgreementPart, AgreementTable
from ..diagnosis.finding import Finding
from ..errors import RequestError, unknown
from ..inference.benchmarks import BENCHMARKS, BenchmarkScale, benchmark
from ..measure.coefficient_value import Agreement
from ..numbers import count_of, decimal, interval, joined, level_text, tied
from .blocks import Lane, Prose, State, Step, Steps, Table, Verdicts
from .coefficient_names import coefficient_name, symbol_of
from .coefficient_tables import shifted
from .document import Section

MOST_STEPS = 3
MOST_IN_ORDER = 3  # questions in the order of the data; of more those that miss come first
WIDTH = 0.1  # of an interval that is worth planning for; a narrower one lies at the threshold
FEW_ITEMS = 30  # with two annotations: below, no figure is firm
ORDER: tuple[State, ...] = ("misses", "undecided", "meets", "undefined")
AS_GRADES = ", ordinal"
NOTES: Mapping[str, str] = {
    "estimated": "Estimated: if what exceeds random errors were resolved.",
    "at most": "At most: if every such disagreement were resolved on these items.",
}
NO_RELIABILITY = "Do not report these figures as reliability."


@dataclass(frozen=True)
class FirstPage:
    """What a reader wants to know first of annotations whose agreement was measured.

    Parameters
    ----------
    table : AgreementTable
    scale : BenchmarkScale
        Whose thresholds the coefficient is compared with.
    parts : tuple of AgreementPart
        Each question.
    lanes : tuple of Lane
        The same with what follows; an alternative reading stands behind its question.
    steps : tuple of Step
        What to do next, what brings most first.
    """

    table: AgreementTable
    scale: BenchmarkScale
    parts: tuple[AgreementPart, ...]
    lanes: tuple[Lane, ...]
    steps: tuple[Step, ...]

    @property
    def few(self) -> int:
        """The least number of items of a question that have two annotations, if that is few."""
        least = min((part.main.n_pairable for part in self.parts), default=0)
        return least if least < FEW_ITEMS else 0

    @property
    def file(self) -> str:
        """The name of the file, if the data are from one."""
        name = Path(self.table.data.reading.source).name
        return name if "." in name else ""

    @property
    def rising(self) -> tuple[str | None, ...]:
        """The questions, that with the lowest coefficient first."""
        known = [part for part in self.parts if not part.main.undefined]
        return tuple(
            part.question for part in sorted(known, key=lambda part: tied(part.main.value))
        )

    @property
    def headline(self) -> str:
        """The finding in a sentence or two."""
        own = [lane for lane in self.lanes if not lane.alternative]
        other = [lane for lane in self.lanes if lane.alternative]
        several = len(self.parts) > 1
        least = "As few as" if several else "Only"
        few = f"{least} {count_of(self.few, 'item')} can be compared: every figure is rough. "
        told = (
            f"{lane.name.removesuffix(AS_GRADES) if several else 'agreement'} "
            f"{'is undecided' if lane.state == 'undecided' else lane.word.lower()}"
            for lane in other
        )
        ordered = f" On an ordinal scale, {joined(told)}." if other else ""
        return f"{few if self.few else ''}{_verdict(own, self.scale)}{ordered}"

    def sections(self) -> Iterator[Section]:
        """The sections of the first page."""
        yield Section("verdict", "", "", (self._verdicts(),))
        every = [found for part in _firm(self.parts) for found in _serious(part)]
        worst = max(every, key=lambda found: found.stake, default=None)
        if worst is not None:
            where = f"{worst.question}: " if len(self.parts) > 1 and worst.question else ""
            cost = Prose(f"{where}{_first_sentence(worst.sentence)}", "headline")
            yield Section("cost", "Main source of disagreement", "", (cost,))
        if self.steps:
            effects = " ".join(step.effect for step in self.steps)
            notes = [note for how, note in NOTES.items() if how in effects]
            told = Steps(self.steps, " ".join([*notes, NO_RELIABILITY] if notes else ()))
            yield Section("next", "What to do next", "", (told,))

    def _verdicts(self) -> Verdicts:
        part = self.parts[0]
        rows = (
            {
                "name": lane.name,
                "value": lane.value,
                "low": lane.low,
                "high": lane.high,
                "verdict": lane.word,
                "threshold_probability": lane.probability,
                "open_at": lane.open_at,
                "state": lane.state,
            }
            for lane in self.lanes
        )
        heading = "question" if len(self.parts) > 1 else "coefficient"
        note = (
            f"Thresholds: {self.scale.place}. P: probability that the true value reaches the "
            "nearest open threshold."
        )
        level = "" if math.isnan(part.level) else f", {level_text(part.level)} interval"
        return Verdicts(
            f"{_name(part)}{level}; thresholds of {self.scale.place}",
            symbol_of(part.main, of_sets=part.of_sets),
            _thresholds(self.scale),
            self.lanes,
            Table.of(
                "name value interval verdict threshold_probability",
                rows,
                (note,),
                called={"name": heading},
                depth="headline",
            ),
        )


def answer(table: AgreementTable, scale: str = "krippendorff") -> FirstPage:
    """What stands first in a report.

    Parameters
    ----------
    table : AgreementTable
    scale : str
        Key of a published scale with thresholds, see `accordant.benchmark`.

    Raises
    ------
    RequestError
        If there is no such scale.
    """
    if scale not in BENCHMARKS:
        raise unknown("scale", scale, BENCHMARKS, have="there are")
    known = BENCHMARKS[scale]
    parts = table.told_parts[:-1] or table.told_parts
    lanes: list[list[Lane]] = []  # each with its alternative reading
    gains: list[tuple[float, Step]] = []
    decided: set[str | None] = set()  # questions that are shown as ordinal too
    for part in parts:
        own = _lane(part.question or _name(part), part.main, known)
        other = _ordered(part, known)
        if other is None or other.word == own.word:
            lanes.append([own])
            continue
        lanes.append([own, other])
        decided.add(part.question)
        gains.append(_decide_order(part, other))
    gains += [
        _resolve(found, part)
        for part in _firm(parts)
        for found in _serious(part)
        if not (found.code == "chain" and part.question in decided)
    ]
    gains += [step for part in _firm(parts) for step in _align(part)]
    gains.sort(key=lambda gain: -tied(gain[0]))
    if len(lanes) > MOST_IN_ORDER:
        lanes.sort(key=lambda each: ORDER.index(each[0].state))
    shown = tuple(lane for each in lanes for lane in each)
    steps = (*(step for _, step in gains), *_without_findings(parts, shown))
    return FirstPage(table, known, parts, shown, steps[:MOST_STEPS])


# ------------------------------------------------------------------ verdicts


def _firm(parts: Sequence[AgreementPart]) -> list[AgreementPart]:
    """The questions with enough items for a figure of them to be no accident."""
    return [part for part in parts if part.main.n_pairable >= FEW_ITEMS]


def _name(part: AgreementPart) -> str:
    return coefficient_name(part.main, of_sets=part.of_sets)


def _thresholds(scale: BenchmarkScale) -> tuple[tuple[float, str], ...]:
    """The limits of the bands above the lowest, the lowest first."""
    return tuple((band.low, band.name) for band in reversed(scale.bands[:-1]))


def _lane(name: str, row: Agreement, scale: BenchmarkScale, *, other: bool = False) -> Lane:
    limits = [limit for limit, _ in _thresholds(scale)]
    met = [limit for limit in limits if row.low >= limit]
    missed = [limit for limit in limits if row.high < limit]
    still = [limit for limit in limits if row.low < limit <= row.high]
    state: State = "meets" if met else "misses"
    word = f"Meets {_limit(met[-1])}" if met else f"Misses {_limit([*missed, 0][0])}"
    told = [f"undecided about {joined(map(_limit, still))}"] if still else []
    if not met and (still or math.isnan(row.low)):
        state, word = "undecided", "Undecided"
        told = [f"about {joined(map(_limit, still))}"] if still else []
        told += [f"misses {joined(map(_limit, missed))}"] if missed else []
        told = told or [f"no interval: {row.note or 'too little is known'}"]
    elif met and missed:
        told.append(f"misses {joined(map(_limit, missed))}")
    if row.undefined:
        state, word, told = "undefined", "Undefined", [str(row.undefined).partition(",")[0]]
    open_at = next(iter((*still, *missed)), math.nan)
    p = math.nan
    if not math.isnan(row.se) and not math.isnan(open_at):
        reached = benchmark(row.value, row.se, scale).cumulative
        p = next(c for band, c in zip(scale.bands, reached, strict=True) if band.low == open_at)
    reason = "; ".join(told)
    return Lane(name, row.value, row.low, row.high, state, word, reason, open_at, p, other)


def _limit(x: float) -> str:
    return f"{x:.3f}".removeprefix("0")


def _verdict(lanes: Sequence[Lane], scale: BenchmarkScale) -> str:
    lowest = _limit(_thresholds(scale)[0][0])
    if len(lanes) == 1:
        lane = lanes[0]
        at = f"{lane.name} is {decimal(lane.value)} {interval(lane.low, lane.high)}"
        if lane.state == "undefined":
            return f"{lane.name} is undefined: {lane.reason}."
        if lane.state == "undecided":
            about = "the thresholds" if math.isnan(lane.open_at) else _limit(lane.open_at)
            return f"Whether agreement reaches {about} is undecided: {at}."
        return f"Agreement {lane.word[0].lower()}{lane.word[1:]}: {at}."
    said = {
        "misses": ("misses {}", "miss {}"),
        "undecided": ("is undecided", "are undecided"),
        "meets": ("meets {}", "meet {}"),
        "undefined": ("is undefined", "are undefined"),
    }
    parts = []
    for state, words in said.items():
        names = [lane.name for lane in lanes if lane.state == state]
        if names:
            who = joined(names) if len(lanes) <= 4 else count_of(len(names), "question")
            parts.append(f"{who} {words[len(names) > 1].format(lowest)}")
    text = "; ".join(parts)
    return f"{text[:1].upper()}{text[1:]}."


def _ordered(part: AgreementPart, scale: BenchmarkScale) -> Lane | None:
    """The same labels on an ordinal scale, where they are numbers and no scale was given."""
    found, row = part.diagnosed.facts, part.main
    if not found.numeric or found.scheme.scale != "nominal" or row.weights != "identity":
        return None
    data = part.data.of_question(part.question or part.data.questions[0])
    try:
        other = agreement(data, row.coefficient, scale="ordinal", level=row.level)[0]
    except RequestError:  # the coefficient has no weights for it
        return None
    name = f"{part.question or 'the same labels'}{AS_GRADES}"
    return _lane(name, other, scale, other=True)


# ------------------------------------------------------------------ what to do


def _serious(part: AgreementPart) -> list[Finding]:
    return [f for f in part.diagnosed.patterns if f.severity != "note" and f.stake > 0]


def _first_sentence(text: str) -> str:
    first, _, _ = text.partition(". ")
    return first if first.endswith(".") else f"{first}."


def _effect(part: AgreementPart, symbol: str, how: str) -> str:
    return f"{symbol}{f' of {part.question}' if part.question else ''}, {how}"


def _decide_order(part: AgreementPart, other: Lane) -> tuple[float, Step]:
    name, row = part.question or "the labels", part.main
    scale = {part.question: "ordinal"} if part.question else "ordinal"
    now, then = (row.value, other.value) if row.n_pairable >= FEW_ITEMS else (math.nan, math.nan)
    return abs(other.value - row.value), Step(
        f"Decide whether {name} {'is' if part.question else 'are'} ordered",
        "Decide by what the numbers mean in the guideline, and report that figure only.",
        Action("report", {"scale": scale}),
        now,
        then,
        _effect(part, symbol_of(row), "computed"),
    )


def _resolve(found: Finding, part: AgreementPart) -> tuple[float, Step]:
    """Resolving what a finding is about, as far as it exceeds random errors."""
    now = part.diagnosed.alpha
    show: dict[str, Any] = {"show": "findings"}
    if found.remedy == "categories" and len(found.categories) == 2:
        show = {"cell": tuple(map(str, found.categories))}
    return found.stake, Step(
        found.title,
        _first_sentence(found.advice),
        _diagnose(part, show),
        now,
        min(1.0, now + found.stake),
        _effect(part, "α", "estimated"),
    )


def _align(part: AgreementPart) -> Iterator[tuple[float, Step]]:
    """A coder's level, where labels are measurements: what the ICC would be if levels were one."""
    found = part.measurements
    row = None if found is None else found.sure
    now, then = part.get("icc_a"), part.get("icc_c")
    if row is None or now is None or then is None or not then.value > now.value:
        return
    yield (
        then.value - now.value,
        Step(
            "Align the levels of the coders",
            shifted(row),
            Action("agreement", {"show": "units", **_question(part)}),
            now.value,
            then.value,
            _effect(part, "ICC(A,1)", "with one level for all"),
        ),
    )


def _diagnose(part: AgreementPart, shown: Mapping[str, Any]) -> Action:
    """The call that shows it, of the question alone."""
    return Action("diagnose", {**_question(part), **shown})


def _question(part: AgreementPart) -> dict[str, Any]:
    return {"label": part.question} if part.question else {}


def _without_findings(parts: Sequence[AgreementPart], lanes: Sequence[Lane]) -> Iterator[Step]:
    """What to do where no single thing explains the disagreement."""
    wide = [x for x in lanes if x.state == "undecided" and not x.high - x.low <= WIDTH]
    for lane in sorted(wide, key=lambda x: x.alternative)[:1]:
        name = lane.name.removesuffix(AS_GRADES)
        part = next((x for x in parts if x.question == name), parts[0])
        scale = {part.question: "ordinal"} if part.question else "ordinal"
        ordered = {"scale": scale} if lane.alternative else {}
        of = f"{symbol_of(part.main)}{f' of {part.question}' if part.question else ''}"
        of += " on an ordinal scale" * lane.alternative
        told = f"includes {_limit(lane.open_at)}" if lane.low < lane.open_at else "is unknown"
        yield Step(
            "Annotate more items",
            f"With {count_of(part.main.n_pairable, 'item')} the interval of {of} {told}.",
            Action("items_needed", {"width": WIDTH, **_question(part), **ordered}),
        )
    if any(part.diagnosed.items.n_disputed for part in parts):
        yield Step(
            "Read the disputed items together",
            "They show what the guideline leaves open.",
            Action("diagnose", {"show": "items"}),
        )
    of_categories = any(part.measurements is None for part in parts)  # what models are about
    if of_categories and any(lane.state == "meets" for lane in lanes):
        yield Step(
            "Take one label for each item",
            "A model of coders weighs the annotations and gives each label a probability.",
            Action("fit", {"output": "labels.csv"}),
        )
