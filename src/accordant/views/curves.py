"""The figure of a simulation study: what measures say, the more labels coders give."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..numbers import percent
from ..simulate.study import MultilabelStudy
from .charts import BLUE, GREY, INK, LINE, VERMILION, empty

__all__ = ["LOW", "curves", "short"]

PARTS = (("observed", "observed"), ("expected", "expected by chance"), ("value", "adjusted"))
COLOURS = (INK, VERMILION, BLUE)
SHAPES = ("circle", "triangle-up", "square")
DASHES = ([1, 0], [5, 3], [1, 0])
WIDTH, HEIGHT = 168, 80
LOW = -0.45  # farther down nobody reads a value: it is only worse than chance


def curves(study: MultilabelStudy) -> dict[str, Any]:
    """Figure 1 of Marchal et al. (2022): a row of panels for each measure.

    The panels of a row differ in how often coders share a label; in each, the share of double
    labels runs from left to right. Colour, mark and dashes tell the three lines apart.
    """
    names = list(dict.fromkeys(cell.name for cell in study))
    columns = [_heading(a) for a in study.agreement]
    return {
        **empty(_rows(study)),
        "facet": {
            "row": {"field": "name", "type": "nominal", "sort": names, "header": _header("left")},
            "column": {"field": "agreement", "type": "nominal", "sort": columns,
                       "header": _header("top")},
        },
        "spacing": {"row": 22 if _lowest(study) == 0 else 12, "column": 16},
        "spec": {"width": WIDTH, "height": HEIGHT, "layer": _layers(study)},
    }  # fmt: skip


def _heading(agreement: float) -> str:
    return f"agreement {short(agreement)}"


def short(share: float) -> str:
    r"""A share without a decimal that says nothing.

    Examples
    --------
    >>> short(0.75), short(0.125)
    ('75\xa0%', '12.5\xa0%')
    """
    whole = abs(100 * share - round(100 * share)) < 1e-9
    return percent(share, 0 if whole else 1)


def _rows(study: MultilabelStudy) -> list[dict[str, Any]]:
    return [
        {
            "name": cell.name,
            "agreement": _heading(cell.agreement),
            "double": 100 * cell.double,
            "what": words,
            "mean": getattr(cell, key),
        }
        for cell in study
        for key, words in PARTS
    ]


def _header(side: str) -> dict[str, Any]:
    text = {"title": None, "labelFontSize": 12, "labelColor": INK}
    if side == "top":
        return text | {"labelPadding": 8}
    return text | {
        "labelAngle": 0, "labelAlign": "left", "labelFontWeight": 600, "labelPadding": 22,
    }  # fmt: skip


def _layers(study: MultilabelStudy) -> list[dict[str, Any]]:
    low = _lowest(study)
    doubles = [round(100 * d, 1) for d in study.double]
    ticks = doubles if len(doubles) <= 6 else [0, 25, 50, 75, 100]
    x = {
        "field": "double",
        "type": "quantitative",
        "title": "double labels (%)",
        "scale": {"domain": _room(doubles), "nice": False},
        "axis": {"values": ticks, "grid": False, "format": ".4~g", "tickSize": 3},
    }
    y = {
        "field": "mean",
        "type": "quantitative",
        "title": None,
        "scale": {"domain": [max(low - 0.03, LOW) if low < 0 else 0, 1], "clamp": True},
        "axis": {
            "values": [0, 0.5, 1], "format": ".1f", "domain": False, "ticks": False, "grid": True,
            "gridColor": {"condition": {"test": "datum.value === 0", "value": GREY}, "value": LINE},
        },
    }  # fmt: skip
    what = {"field": "what", "type": "nominal", "sort": None}
    words = [words for _, words in PARTS]
    legend = {"title": None, "orient": "top", "symbolSize": 80, "labelFontSize": 12.5,
              "columnPadding": 22, "symbolStrokeWidth": 2, "offset": 14}  # fmt: skip
    colour = {**what, "scale": {"domain": words, "range": list(COLOURS)}, "legend": legend}
    shape = {**what, "scale": {"domain": words, "range": list(SHAPES)}, "legend": legend}
    dash = {**what, "scale": {"domain": words, "range": list(DASHES)}, "legend": legend}
    return [
        {
            "mark": {"type": "line", "strokeWidth": 2},
            "encoding": {"x": x, "y": y, "color": colour, "strokeDash": dash},
        },
        {
            "mark": {"type": "point", "filled": True, "size": 34, "opacity": 1, "clip": False},
            "encoding": {"x": x, "y": y, "color": colour, "shape": shape},
        },
    ]


def _lowest(study: MultilabelStudy) -> float:
    return min([0.0, *(c.value for c in study if c.value == c.value)])


def _room(doubles: Sequence[float]) -> list[float]:
    """The axis, a little wider than the data, and never a single point."""
    low, high = min(doubles), max(doubles)
    spare = 0.04 * (high - low) or 5
    return [low - spare, high + spare]
