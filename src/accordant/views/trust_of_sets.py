"""Who can be trusted with which label, where coders give sets of labels."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from ..diagnosis.words import isolated, label_text
from ..models.coders.coders import Coders
from ..models.wording import INDEPENDENTLY
from ..numbers import count_of, decimal, level_text
from .document import Block, Chart, Choice, Column, Table
from .fitted import Fitted
from .model_charts import dots
from .remarks import remarks
from .schools import school_block
from .study import Study

__all__ = ["trust_of_sets"]

MOST_ROWS = 60
MOST_DRAWN = 20
KIND = {"reliable": "good", "school": "open", "few": "open"}


def trust_of_sets(study: Study, fitted: Fitted) -> Iterator[Block]:
    """Schools, each coder over all labels, and each coder label by label."""
    for label, one in zip(_labels(fitted), fitted.coders, strict=True):
        if one.schools:
            yield Choice("Label", ((label, (school_block(study, fitted, one.schools),)),))
    yield _overall(fitted)
    told = [
        (label, f)
        for label, one in zip(_labels(fitted), fitted.coders, strict=True)
        for f in one.findings
        if f.code != "minority_school"
    ]
    yield from remarks(told, more="further note")


def _labels(fitted: Fitted) -> list[str]:
    return [isolated(label_text(one.question)) for one in fitted.singles]


def _overall(fitted: Fitted) -> Chart:
    each = list(zip(_labels(fitted), fitted.coders, strict=True))
    rows = [
        {
            **c.to_rows()[0], "coder": isolated(c.coder), "label": label,
            "interval": (c.low, c.high), "skill_interval": (c.skill_low, c.skill_high),
            **_rates(one, k),
        }
        for k in range(len(fitted.found.coders))
        for label, one in each
        for c in [one.each[k]]
    ]  # fmt: skip
    bad = [row for row in rows if KIND.get(_verdict(fitted, row), "bad") == "bad"]
    shown = rows if len(rows) <= MOST_ROWS else [*bad, *(r for r in rows if r not in bad)]
    columns = (
        Column("coder", "coder"),
        Column("label", "label"),
        Column("verdict", "verdict"),
        Column("n_annotations", "annotations", "count"),
        Column("sensitivity", "gives it if true", "value", "gives it where it is true"),
        Column("specificity", "not if false", "value", "where it is not true"),
        Column("skill", "skill", "value", "κ of the coder with what is believed to be true"),
        Column("skill_interval", "its interval", "interval"),
    )  # fmt: skip
    notes = [
        "Each label has a model of its own: whether it is true of an item or not. Skill: κ of the "
        "coder with what is believed to be true; 0 is chance. Being right about a rare label is "
        "easy for whoever never gives it, so look at the skill.",
        f"Intervals of {level_text(fitted.part.level)}; how they were made: "
        f"{fitted.coders[0].each[0].method}. {INDEPENDENTLY}.",
        "What hangs on each coder was left out, since it takes long label by label.",
    ]
    if len(shown) > MOST_ROWS:
        notes.append(f"{MOST_ROWS} of {len(shown):,} rows are shown.")
    table = Table("Coders at a glance, label by label", columns, tuple(shown[:MOST_ROWS]),
                  tuple(notes), depth="detail" if len(shown) > 30 else "main")  # fmt: skip
    n = len(fitted.found.coders)
    drawn = [_mean(fitted, k) for k in range(n)]
    drawn.sort(key=lambda row: -row["value"])
    low, high = drawn[-1], drawn[0]
    title = (
        f"Over {count_of(len(each), 'label')}, mean skill runs from {decimal(low['value'], 2)} "
        f"({low['name']}) to {decimal(high['value'], 2)} ({high['name']})"
    )
    axis = ["mean skill (dot); the line runs from the label", "a coder is worst at to the best one"]
    return Chart(title, dots(drawn[:MOST_DRAWN], title=axis, least=_least(drawn)), table)


def _least(drawn: list[dict[str, Any]]) -> float | None:
    return min(0.0, *(row["low"] for row in drawn)) if drawn else None


def _mean(fitted: Fitted, k: int) -> dict[str, Any]:
    skills = [x for one in fitted.coders if not math.isnan(x := one.each[k].skill)] or [0.0]
    bad = any(KIND.get(one.each[k].verdict, "bad") == "bad" for one in fitted.coders)
    return {
        "name": isolated(fitted.found.coders[k]), "value": sum(skills) / len(skills),
        "low": min(skills), "high": max(skills), "other": None, "kind": "bad" if bad else "good",
    }  # fmt: skip


def _rates(one: Coders, k: int) -> dict[str, float]:
    confusion = one.posterior.confusion
    own = one.expected.confusion if confusion is None else confusion
    return {"sensitivity": float(own[k, 1, 1]), "specificity": float(own[k, 0, 0])}


def _verdict(fitted: Fitted, row: dict[str, Any]) -> str:
    return "reliable" if row["verdict"] == "reliable" else (
        "few" if row["verdict"] in ("nothing certain", "of another school") else "bad"
    )  # fmt: skip
