"""Models compared with human coders: the alternative annotator test and agreement beside it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from ..diagnosis.words import isolated, quoted
from ..fields import FIELDS, columns
from ..models.alternative_test.model_as_coder import ModelAsCoder
from ..models.alternative_test.model_comparison import KINDS, Beside, GroupAgreement
from ..numbers import count_of, decimal, level_text, tied
from .blocks import Block, Chart, Fold, Prose, Table
from .findings import findings_table
from .model_charts import Dot, dots
from .remarks import remarks
from .view import view

TESTED = (
    "model test_outcome beaten winning_rate advantage advantage_interval human_advantage n_items"
)
HUMANS = (
    "model human n_items advantage human_advantage difference epsilon test p_adjusted stands_in"
)
AGREEMENT = "who kind value interval observed n_items"
SIDE = "of_human of_model difference interval p_value n_items"
PAIRS = "kind first second n_items value interval"
RIVALS = "first second first_advantage second_advantage difference interval p_adjusted n_items"
OUTCOMES = {None: "not tested", True: "passed", False: "failed"}
STANDS_IN = {None: "not tested", True: "yes", False: "no"}


@view("sides", of="compare-models", title="", place=10)
def sides(found: ModelAsCoder) -> Iterator[Block]:
    """Who is compared."""
    who = f"{count_of(len(found.humans), 'human')}, {count_of(len(found.models), 'model')}"
    lost = [f"{n:,} {what} left out" for what, n in found.left_out.items() if n]
    yield Prose(" · ".join([who, count_of(found.sides.n_items, "item"), *lost]), "headline")


@view(
    "tests", of="compare-models", title="Alternative annotator test", chapter="alt_test", place=20
)
def alternative_tests(found: ModelAsCoder) -> Iterator[Block]:
    """Whether each model may stand in for a human."""
    every = found.to_rows()
    every.sort(key=lambda row: (math.isnan(row["advantage"]), -tied(row["advantage"])))
    rows = [
        {
            **row,
            "test_outcome": OUTCOMES[row["passed"]],
            "advantage_low": row["low"],
            "advantage_high": row["high"],
            "beaten": f"{row['n_beaten']:,} of {row['n_humans']:,}",
        }
        for row in every
    ]
    keep = "model test_outcome advantage winning_rate"
    table = Table.of(TESTED, rows, _notes(found), keep=keep)
    drawn = [
        Dot(
            row["model"],
            row["advantage"],
            row["low"],
            row["high"],
            row["human_advantage"],
            "good" if row["passed"] else "bad",
        )
        for row in rows
    ]
    axis = [
        f"advantage probability of the model (dot), {level_text(found.level)} interval;",
        "of the humans themselves (tick)",
    ]
    yield Chart(_says(rows), dots(drawn, title=axis, zero=True), table)


@view(
    "agreement",
    of="compare-models",
    title="Agreement of humans and models",
    chapter="alt_test",
    place=30,
)
def agreement(found: ModelAsCoder) -> Iterator[Block]:
    """Agreement among humans, with models, and among models."""
    name, groups = found.measure_name, found.groups
    undefined = [f"{_who(g)}: undefined, {g.undefined}." for g in groups if g.undefined]
    note = "“A human” is drawn at random for each item, so every item counts once."
    table = Table.of(
        columns(AGREEMENT, value=name),
        [{**g.to_rows()[0], "who": _who(g)} for g in groups],
        [note, *undefined],
        keep="who value",
        depth="detail" if len(groups) > 12 else "main",
    )
    drawn = [
        Dot(_who(g), g.value, g.low, g.high, kind="open" if g.kind == KINDS[0] else "good")
        for g in groups
        if g.kind != KINDS[2]
    ]
    axis = f"{name} with its {level_text(found.level)} interval"
    yield Chart(_agreed(found, name), dots(drawn, title=axis, zero=True), table)


@view("findings", of="compare-models", title="What to make of it", chapter="alt_test", place=40)
def findings(found: ModelAsCoder, *, most: int | None = None) -> Iterator[Block]:
    """Verdicts and caveats, each with what to do."""
    yield findings_table(found.findings[:most])
    yield from remarks((str(f.evidence.get("model") or ""), f) for f in found.findings[:most])


@view("humans", of="compare-models", title="Each model and each human", place=110)
def humans(found: ModelAsCoder) -> Iterator[Block]:
    """Each model compared with each human who was left out."""
    rows = [{**row, "stands_in": STANDS_IN[row["beaten"]]} for row in _rows(found.human_tests)]
    note = (
        "p: that the model loses ε or more, corrected for the number of humans; it stands in below "
        f"{found.q:g}."
    )
    keep = "model human stands_in advantage"
    yield Table.of(HUMANS, rows, [note], depth="detail", keep=keep)


@view("beside", of="compare-models", title="Model and human with the same others", place=120)
def beside(found: ModelAsCoder) -> Iterator[Block]:
    """Each model and a human drawn anew, both with the same other humans."""
    yield _side(found.beside, f"model {SIDE}")


@view(
    "beside-humans",
    of="compare-models",
    title="Model and each human with the same others",
    place=130,
)
def beside_humans(found: ModelAsCoder) -> Iterator[Block]:
    """Each model and each human, both with the same other humans."""
    yield _side(found.beside_each, f"model human {SIDE}")


@view("pairs", of="compare-models", title="Pairs of coders", place=140)
def pairs(found: ModelAsCoder) -> Iterator[Block]:
    """Agreement of every two coders."""
    lost = found.n_humans_left_out
    note = f"{lost:,} humans with fewer annotations are left out." if lost else ""
    used = columns(PAIRS, value=found.measure_name)
    yield Table.of(used, _rows(found.pairs), [note], keep="first second value")


@view(
    "rivals",
    of="compare-models",
    title="Models compared with each other",
    chapter="alt_test",
    place=150,
)
def rivals(found: ModelAsCoder) -> Iterator[Block]:
    """Every two models by advantage probability."""
    note = "" if found.rivals else "There is one model, so there are no pairs of models."
    keep = "first second difference p_adjusted"
    table = Table.of(RIVALS, _rows(found.rivals), [note], keep=keep)
    name = f"{count_of(len(found.rivals), 'pair')} of models"
    yield table if len(found.rivals) < 2 else Fold(name, (table,))


def _side(each: Iterable[Beside], keys: str) -> Table:
    rows = _rows(each)
    reasons = dict.fromkeys(row["undefined"] for row in rows if row["undefined"])
    notes = [f"Undefined: {why}." for why in reasons]
    return Table.of(keys, rows, notes, keep="model human difference")


def _rows(each: Iterable[Any]) -> list[dict[str, Any]]:
    return [row for one in each for row in one.to_rows()]


def _who(g: GroupAgreement) -> str:
    if g.kind == KINDS[0]:
        return "two humans"
    return " and ".join(isolated(x) if x else "a human" for x in (g.first, g.second))


# ------------------------------------------------------------------ what it says


def _says(rows: Sequence[Mapping[str, Any]]) -> str:
    best = rows[0]
    if best["passed"] is None:
        return "No model could be tested"
    first = "" if len(rows) == 1 else ", the best model,"
    outcome = "passes" if best["passed"] else "does not pass"
    return (
        f"{isolated(best['model'])}{first} {outcome}: it is as close to the other humans as a "
        f"human is, or closer, with probability {decimal(best['advantage'])}"
    )


def _agreed(found: ModelAsCoder, name: str) -> str:
    first = found.groups[0]
    with_model = [g for g in found.groups if g.kind == KINDS[1] and not math.isnan(g.value)]
    if math.isnan(first.value) or not with_model:
        return f"{FIELDS['observed'].help.capitalize()} of humans and models: {name}"
    best = max(with_model, key=lambda g: tied(g.value))
    return (
        f"{name} of two humans is {decimal(first.value)}, of a human and "
        f"{isolated(str(best.second))} {decimal(best.value)}"
    )


def _notes(found: ModelAsCoder) -> Iterator[str]:
    each = sorted({t.epsilon for t in found.human_tests})
    epsilon = f"{each[0]:g}" if len(each) == 1 else f"{each[0]:g} to {each[-1]:g}"
    yield (
        "Each human is left out in turn: is the model as near to the remaining humans as that "
        f"human? It may be worse by ε = {epsilon}, since it is cheaper. A model that may take the "
        "place of half of the humans passes (Calderon, Reichart & Dror 2025; false discovery rate "
        f"{found.q:g})."
    )
    constant = next((t for t in found.unmoved if t.passed is not None), None)
    if constant is not None:
        label = quoted(constant.model.removeprefix("always "))
        outcome = "pass" if constant.passed else "fail"
        yield (
            f"For comparison: a model that always answers {label} would {outcome} (winning rate "
            f"{decimal(constant.winning_rate)})."
        )
