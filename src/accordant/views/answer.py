"""The first page: whether agreement is good enough, where most disagreement is, what to do next."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ..diagnosis.agreement import AgreementTable, agreement
from ..diagnosis.diagnose import Part
from ..diagnosis.finding import Finding
from ..diagnosis.words import label_text
from ..errors import RequestError, unknown
from ..fields import columns
from ..inference.benchmarks import BENCHMARKS, BenchmarkScale, benchmark
from ..measure.results import Agreement
from ..messages import Action
from ..numbers import count_of, decimal, interval, joined, level_text
from .blocks import Lane, Prose, State, Step, Steps, Table, Verdicts
from .document import Section
from .names import coefficient_name, key_of_row, symbol_of

__all__ = ["Answer", "answer"]

MOST_LANES = 8  # questions; of more, a table, those that miss first
MOST_STEPS = 3
MOST_IN_ORDER = 3  # questions in the order of the data; of more those that miss come first
FEW_ITEMS = 30  # with two annotations: below, no figure is firm
ORDER: tuple[State, ...] = ("misses", "undecided", "meets", "undefined")
AS_GRADES = ", ordinal"
KEYS = "name value interval verdict threshold_probability"


@dataclass(frozen=True)
class Answer:
    """What a reader wants to know first of annotations whose agreement was measured.

    Parameters
    ----------
    table : AgreementTable
    scale : BenchmarkScale
        Whose thresholds the coefficient is compared with.
    parts : tuple of (Part, Agreement)
        Each question with its main coefficient.
    lanes : tuple of Lane
        The same with what follows; an alternative reading stands behind its question.
    gains : tuple of (float, Step)
        What could be done, with the gain in the coefficient.
    """

    table: AgreementTable
    scale: BenchmarkScale
    parts: tuple[tuple[Part, Agreement], ...]
    lanes: tuple[Lane, ...]
    gains: tuple[tuple[float, Step], ...]

    @property
    def few(self) -> int:
        """The least number of items of a question that have two annotations, if that is few."""
        least = min((row.n_pairable for _, row in self.parts), default=0)
        return least if least < FEW_ITEMS else 0

    @property
    def file(self) -> str:
        """The name of the file, if the data are from one."""
        name = Path(self.table.data.reading.source).name
        return name if "." in name else ""

    @property
    def rising(self) -> tuple[str | None, ...]:
        """The questions, that with the lowest coefficient first."""
        known = [(row.value, part.question) for part, row in self.parts if not row.undefined]
        return tuple(question for _, question in sorted(known, key=lambda x: x[0]))

    # -------------------------------------------------------------- sentences

    @property
    def headline(self) -> str:
        """The finding in a sentence or two."""
        own = [lane for lane in self.lanes if not lane.alternative]
        least = "As few as" if len(self.parts) > 1 else "Only"
        few = f"{least} {count_of(self.few, 'item')} can be compared: every figure is rough. "
        return f"{few if self.few else ''}{_verdict(own, self.scale)}{self._other_reading()}"

    def _other_reading(self) -> str:
        other = [lane for lane in self.lanes if lane.alternative]
        if not other:
            return ""
        told = [
            f"{lane.name.removesuffix(AS_GRADES) if len(self.parts) > 1 else 'agreement'} "
            f"{'is undecided' if lane.state == 'undecided' else lane.word.lower()}"
            for lane in other
        ]
        return f" On an ordinal scale, {joined(told)}."

    def sections(self) -> Iterator[Section]:
        """The sections of the first page."""
        yield Section("verdict", "", "", (self._verdicts(),))
        cost = self._cost()
        if cost:
            yield Section("cost", "Main source of disagreement", "", (Prose(cost, "headline"),))
        steps = tuple(
            replace(step, action=replace(step.action, file=self.file))
            for _, step in self.gains[:MOST_STEPS]
        )
        if steps:
            bound = any("at most" in step.effect for step in steps)
            note = (
                "At most: if every such disagreement were resolved on these same items. Do not "
                "report this figure as reliability."
            )
            told = Steps(steps, note if bound else "")
            yield Section("next", "What to do next", "", (told,))

    def _verdicts(self) -> Verdicts:
        first = self.parts[0][1]
        rows = tuple(
            {
                "name": lane.name, "value": lane.value, "low": lane.low, "high": lane.high,
                "verdict": lane.word, "threshold_probability": lane.probability,
                "open_at": lane.open_at, "state": lane.state,
            }
            for lane in self.lanes
        )  # fmt: skip
        keys = columns(KEYS)
        heading = "question" if len(self.parts) > 1 else "coefficient"
        table = Table(
            "", (keys[0].called(heading), *keys[1:]), rows,
            (f"Thresholds: {self.scale.place}. P: probability that the true value reaches the "
             "nearest threshold that the interval leaves open.",), "headline",
        )  # fmt: skip
        level = "" if math.isnan(first.level) else f", {level_text(first.level)} interval"
        return Verdicts(
            f"{_name(first, self.table)}{level}; thresholds of {self.scale.place}",
            symbol_of(first, of_sets=_of_sets(self.table)), _thresholds(self.scale), self.lanes,
            table,
        )  # fmt: skip

    def _cost(self) -> str:
        found = _worst([(part, row) for part, row in self.parts if row.n_pairable >= FEW_ITEMS])
        if found is None:
            return ""
        where = f"{found.question}: " if len(self.parts) > 1 and found.question else ""
        return f"{where}{_first_sentence(found.sentence)}"


def answer(table: AgreementTable, scale: str = "krippendorff") -> Answer:
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
    parts = tuple((part, _main(part, table)) for part in table.diagnosis.each)
    lanes: list[list[Lane]] = []  # each with its alternative reading
    gains: list[tuple[float, Step]] = []
    decided: set[str | None] = set()  # questions that are shown as ordinal too
    for part, row in parts:
        own = _lane(part.question or _name(row, table), row, known)
        lanes.append([own])
        other = _ordered(part, row, table, known)
        if other is not None and other.word != own.word:
            lanes[-1].append(other)
            decided.add(part.question)
            gains.append(_decide_order(part, row, other))
    firm = [(part, row) for part, row in parts if row.n_pairable >= FEW_ITEMS]
    gains += [
        _resolve(found, part, row)
        for part, row in firm
        for found in _serious(part)
        if not (found.code == "neighbours" and part.question in decided)
    ]
    gains.sort(key=lambda gain: -gain[0])
    if len(gains) < MOST_STEPS:
        gains += [
            _separate(part) for part, _ in firm
            if part.question not in decided and part.levers.chooses(part.levers.plan(1))
        ]  # fmt: skip
    if len(lanes) > MOST_IN_ORDER:
        lanes.sort(key=lambda each: ORDER.index(each[0].state))
    shown = tuple(lane for each in lanes for lane in each)
    gains += [(0.0, step) for step in _without_findings(parts, shown)]
    return Answer(table, known, parts, shown, tuple(gains))


# ------------------------------------------------------------------ verdicts


def _main(part: Part, table: AgreementTable) -> Agreement:
    """The coefficient that is quoted first: the recommended one, if it was computed."""
    own = {key_of_row(row): row for row in reversed(table.of_question(part.question))}
    wanted = (part.recommendation.primary, "alpha", "alpha_masi", "pi", "kappa")
    return next((own[key] for key in wanted if key in own), next(iter(own.values())))


def _of_sets(table: AgreementTable) -> bool:
    return table.data.scheme.max_labels != 1


def _name(row: Agreement, table: AgreementTable) -> str:
    return coefficient_name(row, of_sets=_of_sets(table))


def _thresholds(scale: BenchmarkScale) -> tuple[tuple[float, str], ...]:
    """The limits of the bands above the lowest, the lowest first."""
    return tuple((band.low, band.name) for band in reversed(scale.bands[:-1]))


def _lane(name: str, row: Agreement, scale: BenchmarkScale, *, other: bool = False) -> Lane:
    if row.undefined:
        return Lane(name, row.value, row.low, row.high, "undefined", "Undefined",
                    str(row.undefined).partition(",")[0], alternative=other)  # fmt: skip
    limits = [limit for limit, _ in _thresholds(scale)]
    if math.isnan(row.low):
        why = "no interval: " + (row.note or "too little is known")
        return Lane(name, row.value, row.low, row.high, "undecided", "Undecided", why,
                    alternative=other)  # fmt: skip
    met = [limit for limit in limits if row.low >= limit]
    missed = [limit for limit in limits if row.high < limit]
    still = [limit for limit in limits if row.low < limit <= row.high]
    state: State = "meets" if met else "undecided" if still else "misses"
    open_at = still[0] if still else (missed[0] if missed else math.nan)
    word = {"meets": f"Meets {_limit(max(met, default=0))}", "undecided": "Undecided",
            "misses": f"Misses {_limit(min(missed, default=0))}"}[state]  # fmt: skip
    told = [
        *([f"undecided about {joined(map(_limit, still))}"] if still else []),
        *([f"misses {joined(map(_limit, missed))}"] if missed and state != "misses" else []),
    ]
    p = math.nan
    if not math.isnan(row.se) and not math.isnan(open_at):
        found = benchmark(row.value, row.se, scale)
        p = next(
            c for band, c in zip(scale.bands, found.cumulative, strict=True) if band.low == open_at
        )
    reason = "; ".join(told).removeprefix("undecided ") if state == "undecided" else "; ".join(told)
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
            about = _limit(lane.open_at) if not math.isnan(lane.open_at) else "the thresholds"
            return f"Whether agreement reaches {about} is undecided: {at}."
        return f"Agreement {lane.word[0].lower()}{lane.word[1:]}: {at}."
    by_state = {state: [x.name for x in lanes if x.state == state] for state in ORDER}
    said = {"misses": f"misses {lowest}|miss {lowest}", "undecided": "is undecided|are undecided",
            "meets": f"meets {lowest}|meet {lowest}",
            "undefined": "is undefined|are undefined"}  # fmt: skip
    parts = []
    for state, names in by_state.items():
        if names:
            who = joined(names) if len(lanes) <= 4 else count_of(len(names), "question")
            parts.append(f"{who} {said[state].split('|')[len(names) > 1]}")
    text = "; ".join(parts)
    return f"{text[:1].upper()}{text[1:]}."


def _ordered(
    part: Part, row: Agreement, table: AgreementTable, scale: BenchmarkScale
) -> Lane | None:
    """The same labels on an ordinal scale, where they are numbers and no scale was given."""
    found = part.facts
    if not found.numeric or found.scale != "nominal" or row.weights != "identity":
        return None
    data = table.data.of_question(part.question or table.data.questions[0])
    try:
        other = agreement(data, row.coefficient, scale="ordinal", level=row.level)[0]
    except RequestError:  # the coefficient has no weights for it
        return None
    name = f"{part.question or 'the same labels'}{AS_GRADES}"
    return _lane(name, other, scale, other=True)


# ------------------------------------------------------------------ what to do


def _serious(part: Part) -> list[Finding]:
    return [f for f in part.patterns if f.severity != "note" and f.stake > 0]


def _worst(parts: Sequence[tuple[Part, Agreement]]) -> Finding | None:
    found = [f for part, _ in parts for f in _serious(part)]
    return max(found, key=lambda f: f.stake, default=None)


def _first_sentence(text: str) -> str:
    first, _, _ = text.partition(". ")
    return first if first.endswith(".") else f"{first}."


def _decide_order(part: Part, row: Agreement, other: Lane) -> tuple[float, Step]:
    name = part.question or "the labels"
    scale = {part.question: "ordinal"} if part.question else "ordinal"
    now, then = (row.value, other.value) if row.n_pairable >= FEW_ITEMS else (math.nan, math.nan)
    return abs(other.value - row.value), Step(
        f"Decide whether {name} {'is' if part.question else 'are'} ordered",
        "Decide by what the numbers mean in the guideline, not by the result, and report that "
        "figure only.",
        Action("report", {"scale": scale}),
        now, then, f"{_symbol(row)}{_of(part)}, computed",
    )  # fmt: skip


def _symbol(row: Agreement) -> str:
    return symbol_of(row)


def _of(part: Part) -> str:
    return f" of {part.question}" if part.question else ""


def _resolve(found: Finding, part: Part, row: Agreement) -> tuple[float, Step]:
    """Resolving what a finding is about would bring what is at stake, at most."""
    then = min(1.0, part.alpha + found.stake)
    return found.stake, Step(
        found.title, _first_sentence(found.advice), _shown_by(found, part),
        part.alpha, then, f"α{_of(part)}, at most",
    )  # fmt: skip


def _separate(part: Part) -> tuple[float, Step]:
    """The pair of categories whose confusion costs most, though it may be no more than chance."""
    best = part.levers.plan(1)[0]
    one, other = best.lever.of
    return best.gain, Step(
        f"Separate {label_text(one)} from {label_text(other)}",
        f"Coders differ between the two on {count_of(best.n_items, 'item')}. Look whether the "
        "guideline needs a rule and an example.",
        Action("diagnose", {**_only(part), "cell": (str(one), str(other))}),
        best.before, best.after, f"α{_of(part)}, at most",
    )  # fmt: skip


def _only(part: Part) -> dict[str, Any]:
    return {"only_question": part.question} if part.question else {}


def _shown_by(found: Finding, part: Part) -> Action:
    """The call that shows what a finding is about."""
    own = _only(part)
    if found.remedy == "categories" and len(found.categories) == 2:
        return Action("diagnose", {**own, "cell": tuple(map(str, found.categories))})
    show = {"coder": "coders", "items": "groups", "categories": "categories"}
    return Action("diagnose", {**own, "show": show.get(found.remedy or "", "confusion")})


def _without_findings(
    parts: Sequence[tuple[Part, Agreement]], lanes: Sequence[Lane]
) -> Iterator[Step]:
    """What to do where no single thing explains the disagreement."""
    if any(lane.state == "undecided" for lane in lanes):
        least = min(row.n_pairable for _, row in parts)
        yield Step(
            "Annotate more items",
            f"With {count_of(least, 'item')} the interval includes a threshold. A plan says how "
            "many items a narrower one needs.",
            Action("plan", {"width": 0.1}),
        )
    if any(part.items.n_disputed for part, _ in parts):
        yield Step(
            "Read the disputed items together",
            "They show what the guideline leaves open.",
            Action("diagnose", {"show": "items"}),
        )
    if any(lane.state == "meets" for lane in lanes):
        yield Step(
            "Take one label for each item",
            "A model of coders weighs the annotations of an item and gives each label a "
            "probability.",
            Action("fit", {"output": "labels.csv"}),
        )
