"""Charts of what models of coders say: reliability, certainty, expected accuracy.

The colours and the layout are those of `charts`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from math import floor
from typing import Any, Literal, TypeAlias

from ..diagnosis.words import isolated
from .charts import BLUE, GREY, VERMILION, Row, empty, lines

__all__ = ["COLOURS", "Dot", "curve", "dots", "reliability"]

Encoding: TypeAlias = dict[str, Any]

COLOURS = {"good": BLUE, "bad": VERMILION, "open": GREY}
"""Colour of a verdict: the position of the dot and the word beside it say the same."""

SQUARE = 250  # width of a chart with two shares
PERCENT = "format(100 * datum.value, '.0f') + '\u00a0%'"


@dataclass(frozen=True)
class Dot:
    """A number with its name, its interval, another one to compare it with, and its verdict."""

    name: str
    value: float
    low: float = math.nan
    high: float = math.nan
    other: float = math.nan
    kind: Literal["good", "bad", "open"] = "good"


def dots(
    drawn: Sequence[Dot], *, title: str | Sequence[str], zero: bool = False, percent: bool = False
) -> dict[str, Any]:
    """A dot with its interval, a tick to compare it with, and the number at the right.

    Parameters
    ----------
    drawn : sequence of Dot
    title : str or sequence of str
        Of the axis, a line for each string.
    zero : bool
        Whether the axis begins at 0 if no number is below; else just below the least one.
    percent : bool
        Whether all are shares of a whole, to be read as percentages from 0 on.
    """
    rows = [asdict(dot) for dot in drawn]
    ends = _known(rows, "value", "low", "high", "other") or [0.0, 1.0]
    least = floor(10 * min(ends) + 1e-9) / 10
    low = 0.0 if percent else min(0.0, least) if zero else least
    high = min(1.0, 1.08 * max(ends)) if percent else 1.0
    x = _axis(title, min(low, 0.9), high, "" if percent else ".2~f")
    colour = {"color": {"field": "colour", "scale": None}}
    layers = [
        _layer("tick", {"x": _at("other", x)}, thickness=2.5, size=16, color=GREY),
        _layer("rule", _span("x", "low", x) | colour, strokeWidth=2.5, strokeCap="round"),
        _layer("point", {"x": _at("value", x), **colour}, filled=True, size=85, opacity=1),
    ]
    named = [r | {"name": isolated(r["name"]), "colour": COLOURS[r["kind"]]} for r in rows]
    return lines(named, layers, number="value", how="%" if percent else ".2f")


def curve(
    rows: Sequence[Row], *, x_title: str, y_title: str, measured: bool = False
) -> dict[str, Any]:
    """Accuracy of the labels that are kept, from the surest to all.

    Rows hold ``share`` (kept), ``expected_accuracy`` and, if ``measured``, ``accuracy``, ``low``
    and ``high`` against known labels.
    """
    fields = ("expected_accuracy", "low", "accuracy") if measured else ("expected_accuracy",)
    low = max(0.0, floor(20 * min(_known(rows, *fields), default=0.0) - 0.2) / 20)
    x = {"x": _at("share", _axis(x_title, 0, 1))}
    y = _axis(y_title, min(low, 0.95), 1)
    on_known = [
        _layer("area", x | _span("y", "low", y), color=VERMILION, opacity=0.15, line=False),
        _layer("line", x | {"y": _at("accuracy", y)}, color=VERMILION, strokeWidth=2),
    ]
    promised = x | {"y": _at("expected_accuracy", y)}
    dash = [6, 3] if measured else [1, 0]
    point = {"filled": True, "size": 30, "color": BLUE} if len(rows) <= 12 else False
    own = _layer("line", promised, color=BLUE, strokeWidth=2.5, strokeDash=dash, point=point)
    layers = [*on_known, own] if measured else [own]
    return {**empty(rows), "width": 380, "height": 170, "layer": layers}


def reliability(rows: Sequence[Row], *, x_title: str, y_title: str) -> dict[str, Any]:
    """How often labels are right, by how sure the model is; on the diagonal it keeps its word.

    Rows hold ``expected_accuracy``, ``accuracy``, ``low`` and ``high``.
    """
    low = floor(10 * min([0.9, *_known(rows, "expected_accuracy", "low", "accuracy")])) / 10
    x, y = _axis(x_title, low, 1), _axis(y_title, low, 1)
    corners = {"data": {"values": [{"a": low, "b": low}, {"a": 1, "b": 1}]}}
    diagonal = {"x": _at("a", x), "y": _at("b", y)}
    expected = {"x": _at("expected_accuracy", x)}
    point = expected | {"y": _at("accuracy", y)}
    layers = [
        corners | _layer("line", diagonal, color=GREY, strokeDash=[4, 3], strokeWidth=1),
        _layer("rule", expected | _span("y", "low", y), color=BLUE, strokeWidth=2),
        _layer("point", point, filled=True, size=75, color=BLUE, opacity=1),
    ]
    return {**empty(rows), "width": SQUARE, "height": SQUARE, "layer": layers}


# ------------------------------------------------------------------ shared parts


def _axis(title: str | Sequence[str], low: float, high: float, digits: str = "") -> dict[str, Any]:
    """An axis of numbers with these digits, or of shares; the title may have several lines."""
    how = {"format": digits} if digits else {"labelExpr": PERCENT}
    lines_of_title = title if isinstance(title, str) else list(title)
    return {
        "type": "quantitative",
        "scale": {"domain": [low, high], "zero": False, "clamp": True},
        "axis": {"title": lines_of_title, "tickCount": 6, "grid": True, "domain": False, **how},
    }


def _at(field: str, axis: Encoding) -> Encoding:
    return {"field": field, **axis}


def _span(channel: str, start: str, axis: Encoding) -> Encoding:
    """From the number of a field to ``high``."""
    return {channel: _at(start, axis), f"{channel}2": {"field": "high"}}


def _layer(mark: str, encoding: Encoding, **how: Any) -> dict[str, Any]:
    """One layer of a chart: what is drawn, where, and how."""
    return {"mark": {"type": mark, **how}, "encoding": encoding}


def _known(rows: Sequence[Row], *fields: str) -> list[float]:
    """The numbers that are defined."""
    return [row[field] for row in rows for field in fields if row[field] == row[field]]
