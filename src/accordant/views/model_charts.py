"""Charts of what models of coders say: reliability, certainty, expected accuracy.

The colours and the layout are those of `charts`.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import floor
from typing import Any

from .charts import BLUE, GREY, INK, LINE, VERMILION, Row, empty, lines

__all__ = ["COLOURS", "curve", "dots", "parts", "reliability"]

COLOURS = {"good": BLUE, "bad": VERMILION, "open": GREY}
"""Colour of a verdict: the position of the dot and the word beside it say the same."""

PALE = "#fefefe"  # on a coloured bar; the style sheet makes it dark on a dark screen
SQUARE = 250  # width of a chart with two shares
_PERCENT = "format(100 * datum.value, '.0f') + '\u00a0%'"


def dots(
    rows: Sequence[Row], *, title: str | Sequence[str], least: float | None = None,
    percent: bool = False,
) -> dict[str, Any]:  # fmt: skip
    """A dot with its interval, a tick to compare it with, and the number at the right.

    Parameters
    ----------
    rows : sequence of mapping
        ``name``, ``value``, ``low``, ``high``, ``other`` (the tick), ``kind`` (a key of `COLOURS`).
    title : str or sequence of str
        Of the axis, a line for each string.
    least : float, optional
        Where the axis begins; by default below the least number.
    percent : bool
        Whether all are shares of a whole, to be read as percentages from 0 on.
    """
    fields = ("value", "low", "high", "other")
    ends = [r[k] for r in rows for k in fields if _known(r.get(k))] or [0.0, 1.0]
    low = 0.0 if percent else floor(10 * min(ends) + 1e-9) / 10 if least is None else least
    high = min(1.0, 1.08 * max(ends)) if percent else 1.0
    x = {
        "type": "quantitative",
        "scale": {"domain": [min(low, 0.9), high], "zero": False, "clamp": True},
        "axis": {"title": [title] if isinstance(title, str) else list(title), "tickCount": 6,
                 "grid": True, "domain": False,
                 **({"labelExpr": _PERCENT} if percent else {"format": ".2~f"})},
    }  # fmt: skip
    colour = {"field": "colour", "scale": None}
    drawn = [{**r, "colour": COLOURS[r.get("kind", "good")]} for r in rows]
    layers: list[dict[str, Any]] = [
        {
            "mark": {"type": "tick", "thickness": 2.5, "size": 16, "color": GREY},
            "encoding": {"x": {"field": "other", **x}},
        },
        {
            "mark": {"type": "rule", "strokeWidth": 2.5, "strokeCap": "round"},
            "encoding": {"x": {"field": "low", **x}, "x2": {"field": "high"}, "color": colour},
        },
        {
            "mark": {"type": "point", "filled": True, "size": 85, "opacity": 1},
            "encoding": {"x": {"field": "value", **x}, "color": colour},
        },
    ]
    return lines(drawn, layers, number="value", how="%" if percent else ".2f")


def curve(
    rows: Sequence[Row], *, x_title: str, y_title: str, measured: bool = False
) -> dict[str, Any]:
    """Accuracy of the labels that are kept, from the surest to all.

    Rows hold ``share`` (kept), ``expected`` and, if ``measured``, ``accuracy``, ``low`` and
    ``high`` against known labels.
    """
    fields = ("expected", "low", "accuracy") if measured else ("expected",)
    known = [r[k] for r in rows for k in fields if _known(r.get(k))] or [0.0]
    low = max(0.0, floor(20 * min(known) - 0.2) / 20)
    x = {"field": "share", "type": "quantitative", "scale": {"domain": [0, 1]},
         "axis": {"title": x_title, "labelExpr": _PERCENT, "tickCount": 6}}  # fmt: skip
    y = {"type": "quantitative", "scale": {"domain": [min(low, 0.95), 1], "zero": False},
         "axis": {"title": y_title, "labelExpr": _PERCENT, "tickCount": 5, "grid": True,
                  "domain": False}}  # fmt: skip
    layers: list[dict[str, Any]] = []
    if measured:
        layers += [
            {
                "mark": {"type": "area", "color": VERMILION, "opacity": 0.15, "line": False},
                "encoding": {"x": x, "y": {"field": "low", **y}, "y2": {"field": "high"}},
            },
            {
                "mark": {"type": "line", "color": VERMILION, "strokeWidth": 2},
                "encoding": {"x": x, "y": {"field": "accuracy", **y}},
            },
        ]
    layers.append(
        {
            "mark": {"type": "line", "color": BLUE, "strokeWidth": 2.5,
                     "strokeDash": [6, 3] if measured else [1, 0],
                     "point": {"filled": True, "size": 30, "color": BLUE}
                     if len(rows) <= 12 else False},
            "encoding": {"x": x, "y": {"field": "expected", **y}},
        }
    )  # fmt: skip
    return {**empty(rows), "width": 380, "height": 170, "layer": layers}


def reliability(rows: Sequence[Row], *, x_title: str, y_title: str) -> dict[str, Any]:
    """How often labels are right, by how sure the model is; on the diagonal it keeps its word.

    Rows hold ``expected``, ``observed``, ``low`` and ``high``.
    """
    known = [r[k] for r in rows for k in ("expected", "low", "observed") if _known(r.get(k))]
    low = floor(10 * min([0.9, *known])) / 10
    scale = {"domain": [low, 1], "zero": False, "clamp": True}
    axis = {"labelExpr": _PERCENT, "tickCount": 5, "grid": True, "domain": False,
            "labelOverlap": True}  # fmt: skip
    x = {"type": "quantitative", "scale": scale, "axis": {**axis, "title": x_title}}
    y = {"type": "quantitative", "scale": scale, "axis": {**axis, "title": y_title}}
    ends = [{"a": low, "b": low}, {"a": 1, "b": 1}]
    return {
        **empty(rows),
        "width": SQUARE,
        "height": SQUARE,
        "layer": [
            {
                "data": {"values": ends},
                "mark": {"type": "line", "color": GREY, "strokeDash": [4, 3], "strokeWidth": 1},
                "encoding": {"x": {"field": "a", **x}, "y": {"field": "b", **y}},
            },
            {
                "mark": {"type": "rule", "color": BLUE, "strokeWidth": 2},
                "encoding": {"x": {"field": "expected", **x}, "y": {"field": "low", **y},
                             "y2": {"field": "high"}},
            },
            {
                "mark": {"type": "point", "filled": True, "size": 75, "color": BLUE, "opacity": 1},
                "encoding": {"x": {"field": "expected", **x}, "y": {"field": "observed", **y}},
            },
        ],
    }  # fmt: skip


def parts(rows: Sequence[Row], *, title: str) -> dict[str, Any]:
    """A whole in its parts: a divided bar for each name, the parts told apart by what they say.

    Rows hold ``name``, ``part`` (words), ``share`` and ``kind`` (a key of `COLOURS`, or 'rest').
    """
    at: dict[str, float] = {}
    drawn = []
    for r in rows:
        start = at.get(r["name"], 0.0)
        at[r["name"]] = end = start + r["share"]
        kind = r["kind"]
        drawn.append({
            **r, "start": start, "end": end, "middle": (start + end) / 2,
            "colour": LINE if kind == "rest" else COLOURS[kind],
            "text": INK if kind == "rest" else PALE,
        })  # fmt: skip
    x = {"field": "start", "type": "quantitative", "scale": {"domain": [0, 1]},
         "axis": {"title": title, "labelExpr": _PERCENT, "tickCount": 5,
                  "grid": False}}  # fmt: skip
    room = "datum.end - datum.start > 0.017 * length(datum.part)"
    layers: list[dict[str, Any]] = [
        {
            "mark": {"type": "bar", "height": 22},
            "encoding": {"x": x, "x2": {"field": "end"},
                         "color": {"field": "colour", "scale": None}},
        },
        {
            "transform": [{"filter": room}],
            "mark": {"type": "text", "fontSize": 11.5},
            "encoding": {"x": {**x, "field": "middle"}, "text": {"field": "part"},
                         "color": {"field": "text", "scale": None}},
        },
    ]  # fmt: skip
    return lines(drawn, layers)


def _known(x: Any) -> bool:
    return isinstance(x, int | float) and x == x
