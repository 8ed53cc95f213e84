"""Can the model stand in for a coder: the alternative annotator test, and agreement beside it."""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ..data.annotations import Annotations
from ..data.read import read
from ..diagnosis.words import isolated, listed
from ..errors import RequestError, unknown
from ..measure.measures import shown
from ..models.standing_in.alternative import ModelTest
from ..models.standing_in.call import model_as_coder
from ..models.standing_in.limits import not_for
from ..models.standing_in.result import ModelAsCoder
from ..models.standing_in.tables import KINDS, GroupAgreement
from ..numbers import count_of, decimal, joined, level_text, p_text, percent
from .document import Block, Chart, Column, Section, Table
from .model_charts import dots
from .remarks import remarks
from .study import Part, Study

__all__ = ["Standing", "stand_in_section", "standing"]

MOST_ROWS = 60
Standing = dict[int, ModelAsCoder]
"""Position of a question among those of the study → the comparison."""


def standing(study: Study, models: Any) -> Standing:
    """Every question's models beside its humans.

    Parameters
    ----------
    study : Study
    models : str, sequence of str, or a source
        As in `model_as_coder`; None for none.

    Raises
    ------
    RequestError
        If nobody is a model or a human.
    """
    if models is None:
        return {}
    names = [models] if isinstance(models, str) else models
    of_data = isinstance(names, list | tuple) and all(isinstance(x, str) for x in names)
    inside = of_data and bool(names) and any(x in study.data.coders for x in names)
    if of_data and not inside and names and not all(Path(name).exists() for name in names):
        hint = "Models are coders of the data, or a file"
        raise unknown("coder", names[0], study.data.coders, hint=hint, parameter="models")
    other = None if inside or not names else read(models)
    found: Standing = {}
    for k, part in enumerate(study.each):
        own = _of(other, part, study)
        if own is None and other is not None:
            continue
        found[k] = model_as_coder(part.found.data, names if own is None else own, level=part.level)
    if not found:
        raise RequestError("the file has none of the questions of the data", parameter="models")
    return found


def _of(other: Annotations | None, part: Part, study: Study) -> Annotations | None:
    """The annotations by the models of one question, if they come from another source."""
    if other is None or not study.questions:
        return other
    question = str(part.question)
    return other.of_question(question) if question in other.questions else None


def stand_in_section(study: Study, found: Standing) -> Section | None:
    """Whether models may stand in for humans; None unless models were named."""
    if not found:
        return None
    of = {id(study.each[k]): one for k, one in found.items()}
    chosen = [part for part in study.each if id(part) in of]
    names = list(dict.fromkeys(name for one in found.values() for name in one.models))
    title = (
        "Can the model stand in for a coder?" if len(names) == 1
        else "Can a model stand in for a coder?"
    )  # fmt: skip
    return Section(
        "stand-in", title, study.told_of(chosen, lambda part: _lead(of[id(part)])),
        study.per_question(chosen, lambda part: _blocks(of[id(part)])),
    )  # fmt: skip


def _lead(found: ModelAsCoder) -> str:
    passed = [t.model for t in found.tests if t.passed]
    failed = [t.model for t in found.tests if t.passed is False]
    untested = [t.model for t in found.tests if t.passed is None]
    parts = []
    if passed:
        parts.append(f"{listed(passed)} may stand in for coders like these")
    if failed:
        parts.append(f"{listed(failed)} may not, or not yet")
    if untested:
        parts.append(f"{listed(untested)} could not be tested")
    but = "".join(f" But {x}" for x in not_for(found, passed))
    return (
        f"By the alternative annotator test, {joined(parts)}.{but} In the other sections a model "
        "that is among the coders counts as one of them."
    )


def _blocks(found: ModelAsCoder) -> Iterator[Block]:
    yield _test(found)
    yield _agreement(found)
    yield from remarks((str(f.evidence.get("model") or ""), f) for f in found.findings)
    yield _humans(found)
    if found.rivals:
        yield _rivals(found)


# ---------------------------------------------------------------------- the test


def _test(found: ModelAsCoder) -> Chart:
    order = sorted(found.tests, key=lambda t: (math.isnan(t.advantage), -_number(t.advantage)))
    rows = tuple(
        {
            **t.to_rows()[0], "name": isolated(t.model), "interval": (t.low, t.high),
            "told": _outcome(t), "beaten": f"{t.n_beaten:,} of {t.n_humans:,}",
        }
        for t in order
    )  # fmt: skip
    columns = (
        Column("name", "model"),
        Column("told", "the test"),
        Column("beaten", "may stand in for"),
        Column("winning_rate", "winning rate", "value", "share of the humans it may stand in for"),
        Column("advantage", "as good as a human", "value",
               "advantage probability: as near to the others as a random human, or nearer"),
        Column("interval", "its interval", "interval"),
        Column("n_items", "items", "count"),
    )  # fmt: skip
    notes = [
        "Each human is left out in turn: is the model as near to the humans who remain as the one "
        f"who was left out? It may be worse by ε = {_spelt(found)}, since it is cheaper. A model "
        "that may take the place of half of the humans passes (Calderon, Reichart & Dror 2025; "
        f"false discovery rate {found.q:g}).",
    ]
    for t in found.unmoved:
        if t.passed is not None:
            notes.append(
                f"Yardstick: a model that answers “{isolated(t.model)}” would "
                f"{'pass' if t.passed else 'fail'} (winning rate {decimal(t.winning_rate, 2)})."
            )
            break
    table = Table("The alternative annotator test", columns, rows, tuple(notes))
    drawn = [
        {"name": isolated(t.model), "value": t.advantage, "low": t.low, "high": t.high,
         "other": t.human_advantage, "kind": "good" if t.passed else "bad"}
        for t in order
    ]  # fmt: skip
    axis = [
        f"probability of being as good as a human (dot), {level_text(found.level)} interval;",
        "the same for the humans themselves (tick)",
    ]
    return Chart(_title(order), dots(drawn, title=axis, least=0.0), table)


def _number(x: float) -> float:
    return 0.0 if math.isnan(x) else x


def _outcome(t: ModelTest) -> str:
    return "not tested" if t.passed is None else "passed" if t.passed else "failed"


def _title(order: list[ModelTest]) -> str:
    first = order[0]
    if first.passed is None:
        return "No model could be tested"
    much = f"with probability {decimal(first.advantage, 2)}"
    best = "" if len(order) == 1 else ", the best of the models,"
    return f"{isolated(first.model)}{best} is as good as a human or better {much}"


def _spelt(found: ModelAsCoder) -> str:
    each = sorted({t.epsilon for t in found.human_tests})
    return f"{each[0]:g}" if len(each) == 1 else f"{each[0]:g} to {each[-1]:g}"


# ---------------------------------------------------------------------- agreement


def _agreement(found: ModelAsCoder) -> Chart:
    name = shown(found.sides.measure.coefficient.key, found.sides.w.name)
    groups = list(found.groups)
    rows = tuple({**g.to_rows()[0], "name": _who(g), "interval": (g.low, g.high)} for g in groups)
    columns = (
        Column("name", "who"),
        Column("kind", "kind"),
        Column("value", name, "value"),
        Column("interval", "its interval", "interval"),
        Column("observed", "observed", "share"),
        Column("n_items", "items", "count"),
    )
    paired = [b for b in found.beside if not math.isnan(b.difference)]
    notes = [
        "A human is one drawn anew for each item, so every item counts once.",
        *(
            f"{isolated(b.model)} beside a human, on the same {count_of(b.n_items, 'item')}: "
            f"{decimal(b.of_model)} and {decimal(b.of_human)} (difference {decimal(b.difference)}, "
            f"{_p(b.p_value)})."
            for b in paired[:5]
        ),
        *(f"{_who(g)}: undefined, {g.undefined}." for g in groups if g.undefined),
    ]
    table = Table(f"Agreement ({name}) of humans and models", columns, rows, tuple(notes),
                  depth="detail" if len(rows) > 12 else "main")  # fmt: skip
    drawn = [
        {"name": _who(g), "value": g.value, "low": g.low, "high": g.high, "other": None,
         "kind": "open" if g.kind == KINDS[0] else "good"}
        for g in groups if g.kind != KINDS[2]
    ]  # fmt: skip
    axis = f"{name} with its {level_text(found.level)} interval"
    ends = [x for g in groups if g.kind != KINDS[2] for x in (g.low, g.value) if x == x]
    return Chart(_says(found, name), dots(drawn, title=axis, least=_least(ends)), table)


def _least(ends: list[float]) -> float:
    low = min([0.0, *ends])
    return low if low >= 0 else max(-1.0, low - 0.05)


def _p(p: float) -> str:
    return "no p-value" if math.isnan(p) else p_text(p)


def _who(g: GroupAgreement) -> str:
    if g.kind == KINDS[0]:
        return "two humans"
    return " and ".join(isolated(x) if x else "a human" for x in (g.first, g.second))


def _says(found: ModelAsCoder, name: str) -> str:
    first = found.groups[0]
    with_model = [g for g in found.groups if g.kind == KINDS[1] and not math.isnan(g.value)]
    if math.isnan(first.value) or not with_model:
        return f"Agreement of humans and models: {name}"
    best = max(with_model, key=lambda g: g.value)
    return (
        f"Two humans agree by {name} {decimal(first.value, 2)}, a human and "
        f"{isolated(str(best.second))} by {decimal(best.value, 2)}"
    )


# ---------------------------------------------------------------------- human by human


def _humans(found: ModelAsCoder) -> Table:
    rows = tuple(
        {
            **t.to_rows()[0], "model": isolated(t.model), "human": isolated(t.human),
            "told": "not tested" if t.beaten is None else "may stand in" if t.beaten else "may not",
        }
        for t in found.human_tests
    )  # fmt: skip
    columns = (
        Column("human", "human"),
        *((Column("model", "model"),) if len(found.models) > 1 else ()),
        Column("n_items", "items", "count"),
        Column("human_advantage", "the human", "value", "as near to the others, or nearer"),
        Column("advantage", "the model", "value", "as near to the others, or nearer"),
        Column("p_adjusted", "p", "p", "that it is worse by ε or more, corrected for all humans"),
        Column("told", "for this human"),
    )
    untested = sum(t.beaten is None for t in found.human_tests)
    notes = (
        *((f"Not tested: too few items with another human ({count_of(untested, 'case')}).",)
          if untested else ()),
        *((f"{MOST_ROWS} of {len(rows):,} rows are shown.",) if len(rows) > MOST_ROWS else ()),
    )  # fmt: skip
    share = percent(sum(t.beaten is True for t in found.human_tests) / max(len(rows), 1), 0)
    return Table(
        f"Human by human: a model may stand in in {share} of {len(rows):,} cases", columns,
        rows[:MOST_ROWS], notes, depth="detail",
    )  # fmt: skip


def _rivals(found: ModelAsCoder) -> Table:
    rows = tuple(
        {**d.to_rows()[0], "first": isolated(d.first), "second": isolated(d.second),
         "interval": (d.low, d.high)}
        for d in found.rivals[:MOST_ROWS]
    )  # fmt: skip
    columns = (
        Column("first", "model"),
        Column("second", "beside"),
        Column("n_items", "items", "count"),
        Column("first_advantage", "the first", "value"),
        Column("second_advantage", "the second", "value"),
        Column("difference", "difference", "value"),
        Column("interval", "its interval", "interval"),
        Column("p_adjusted", "p", "p", "corrected for the number of pairs"),
    )
    return Table("Models beside each other", columns, rows, depth="detail")
