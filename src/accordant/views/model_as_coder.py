"""Models compared with human coders: the alternative annotator test and agreement beside it."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ..data.annotations import losses
from ..fields import columns
from ..messages import isolated, quoted
from ..models.alternative_test import ModelAsCoder
from ..numbers import count_of, decimal, level_text, tied
from .blocks import Block, Chart, Prose, Table
from .charts import dots
from .findings import findings_table, remarks
from .view import view

TESTED = (
    "model test_outcome beaten winning_rate advantage advantage_interval human_advantage n_items"
)
HUMANS = (
    "model human n_items advantage human_advantage difference epsilon test p_adjusted stands_in"
)
OUTCOMES = {None: "not tested", True: "passed", False: "failed"}
STANDS_IN = {None: "not tested", True: "yes", False: "no"}


@view("sides", of="compare-models", title="", place=10)
def sides(found: ModelAsCoder) -> Iterator[Block]:
    """Who is compared."""
    who = f"{count_of(len(found.humans), 'human')}, {count_of(len(found.models), 'model')}"
    lost = [f"left out: {what}" for what in losses(found.sides.left_out.items())]
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
            "test_outcome": "undecided" if row["n_open"] else OUTCOMES[row["passed"]],
            "advantage_low": row["low"],
            "advantage_high": row["high"],
            "beaten": f"{row['n_beaten']:,} of {row['n_humans']:,}",
        }
        for row in every
    ]
    keep = "model test_outcome advantage winning_rate"
    table = Table.of(TESTED, rows, _notes(found), keep=keep)
    drawn = [
        {**row, "name": row["model"], "value": row["advantage"], "bad": not row["passed"]}
        | {"other": row["human_advantage"]}
        for row in rows
    ]
    axis = [
        f"advantage probability of the model (dot), {level_text(found.level)} interval;",
        "of the humans themselves (tick)",
    ]
    yield Chart(_says(found, rows), dots(drawn, title=axis), table)


@view(
    "agreement",
    of="compare-models",
    title="Agreement of humans and models",
    chapter="alt_test",
    place=30,
)
def agreement(found: ModelAsCoder) -> Iterator[Block]:
    """Agreement of two humans, and of a human and each model."""
    name, humans = found.measure_name, found.groups[0].value
    rows = [
        {
            **g.to_rows()[0],
            "who": "two humans" if g.model is None else f"a human and {isolated(g.model)}",
        }
        for g in found.groups
    ]
    undefined = [
        f"{row['who']}: undefined, {row['undefined']}." for row in rows if row["undefined"]
    ]
    note = "“A human” is drawn at random for each item, so every item counts once."
    used = columns("who value interval observed n_items", value=name)
    table = Table.of(used, rows, [note, *undefined], keep="who value")
    drawn = [{**row, "name": row["who"]} for row in rows]
    axis = f"{name} with its {level_text(found.level)} interval"
    says = f"{name} of two humans is {decimal(humans)}"
    yield Chart(says, dots(drawn, title=axis), table)


@view("findings", of="compare-models", title="What to make of it", chapter="alt_test", place=40)
def findings(found: ModelAsCoder, *, most: int | None = None) -> Iterator[Block]:
    """Verdicts and caveats, each with what to do."""
    yield findings_table(found.findings[:most])
    yield from remarks((str(f.evidence.get("model") or ""), f) for f in found.findings[:most])


@view("humans", of="compare-models", title="Each model and each human", place=110)
def humans(found: ModelAsCoder) -> Iterator[Block]:
    """Each model compared with each human who was left out."""
    every = [t.to_rows()[0] for t in found.human_tests]
    rows = [{**row, "stands_in": STANDS_IN[row["beaten"]]} for row in every]
    note = (
        "p: that the model loses ε or more, corrected for the number of humans; it stands in "
        f"below {found.q:g}."
    )
    keep = "model human stands_in advantage"
    yield Table.of(HUMANS, rows, [note], depth="detail", keep=keep)


def _says(found: ModelAsCoder, rows: Sequence[Mapping[str, Any]]) -> str:
    best, constant = rows[0], found.constant
    if best["passed"] is None:
        return "These data cannot tell whether a model may replace a human: none could be tested"
    near = (
        f"it is as close to the other humans as a human, or closer, with probability "
        f"{decimal(best['advantage'])}"
    )
    name = isolated(best["model"])
    easy = best["passed"] and constant is not None and constant.passed
    if best["n_open"] or easy:
        why = f"always answering {quoted(constant.model)} passes too" if easy and constant else near
        return f"These data cannot tell whether {name} may replace a human: {why}"
    return f"{name} {'passes' if best['passed'] else 'does not pass'}: {near}"


def _notes(found: ModelAsCoder) -> Iterator[str]:
    yield (
        "Each human is left out in turn: is the model as near to the remaining humans? It may "
        f"be worse by ε = {found.epsilon:g}, since it is cheaper. A model that may take the "
        "place of half of the humans passes (Calderon, Reichart & Dror 2025; false discovery "
        f"rate {found.q:g})."
    )
    if (constant := found.constant) is not None and constant.passed is not None:
        yield (
            f"Always answering {quoted(constant.model)} has a winning rate of "
            f"{decimal(constant.winning_rate)}; .5 is needed to pass."
        )
