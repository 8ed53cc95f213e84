"""One definition for each kind of chart: rows in, a Vega-Lite dictionary out.

Colours are blue for agreement and vermilion for disagreement, from a palette that people with
colour blindness tell apart (Okabe & Ito 2008); position, not colour, carries every number.
The style sheet of the HTML report exchanges them for lighter ones on a dark screen.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import ceil, floor
from typing import Any
from unicodedata import east_asian_width

from ..messages import isolated

Row = Mapping[str, Any]

INK, GREY, LINE, BLUE, VERMILION = "#1f2328", "#5b6570", "#d5dae0", "#0a62a9", "#c84e00"
WIDTH, STEP = 350, 26
NARROW = 300  # of a chart with long names at the left and numbers at the right
TALL = 36  # of a line with two things one above the other
ROOM = 25  # letters of a name beside a chart
PADDING = {"left": 16, "right": 8, "top": 4, "bottom": 4}  # a reader's font may be wider
_SCHEMA = "https://vega.github.io/schema/vega-lite/v6.json"
_FONT = "Helvetica, Arial, sans-serif"
_CONFIG = {
    "font": _FONT,
    "view": {"stroke": None},
    "axis": {
        "labelColor": INK,
        "labelFontSize": 12,
        "titleColor": GREY,
        "titleFontSize": 11.5,
        "titleFontWeight": "normal",
        "titlePadding": 8,
        "gridColor": LINE,
        "domainColor": GREY,
        "tickColor": LINE,
        "labelLimit": 220,
    },
    "legend": {
        "labelColor": INK,
        "titleColor": GREY,
        "labelFontSize": 12,
        "titleFontSize": 11.5,
        "titleFontWeight": "normal",
    },
}
DOT = {"type": "point", "filled": True, "size": 85, "color": BLUE, "opacity": 1}
PALE_DOT = {
    "type": "point",
    "size": 60,
    "color": BLUE,
    "strokeWidth": 1.8,
    "fill": BLUE,
    "fillOpacity": 0.25,
}
RING = {"type": "point", "size": 48, "strokeWidth": 1.8, "color": GREY, "opacity": 1}
TICK = {"type": "tick", "thickness": 2.5, "size": 16, "color": GREY}
LINE_OF_DOT = {"type": "rule", "strokeWidth": 2.5, "color": BLUE, "strokeCap": "round"}
THIN_LINE = {"type": "rule", "strokeWidth": 1, "color": GREY}
_PERCENT = "format(100 * datum.value, '.0f') + '\u00a0%'"
_NAMES = {
    "domain": False,
    "ticks": False,
    "labelPadding": 10,
    "title": None,
    "labelExpr": "split(datum.label, '\\n')",
    "labelLineHeight": 13,
    "labelOffset": {
        "condition": {"test": "indexof(datum.label, '\\n') >= 0", "value": -6.5},
        "value": 0,
    },
}


def spread(rows: Sequence[Row], names: Sequence[str], *, title: str) -> dict[str, Any]:
    """How often each coder used each category: a dot for each coder, a tick for all together.

    Rows hold ``name`` (category), ``coder`` and ``share``; the coder of the tick is None.
    """
    top = max([0.05, *_known(rows, "share")])
    x = _axis(title, 0, min(1.0, top * 1.08))
    layers = [
        _mark(TICK, x, "share") | {"transform": [{"filter": "datum.coder == null"}]},
        _mark(PALE_DOT, x, "share") | {"transform": [{"filter": "datum.coder != null"}]},
    ]
    return _chart(rows, list(names), layers)


def levels(rows: Sequence[Row], *, title: str) -> dict[str, Any]:
    """How many items reach each level of agreement: bars, with the number on top.

    Rows hold ``name`` (the level) and ``n``.
    """
    axis = {"labelAngle": 0, "title": title, "ticks": False}
    y = {"field": "n", "type": "quantitative", "axis": None, "scale": {"nice": False}}
    number = {"type": "text", "dy": -7, "color": INK, "fontSize": 12}
    return empty(rows) | {
        "width": max(min(WIDTH, 64 * max(2, len(rows))), 42 * len(rows)),
        "height": 130,
        "encoding": {"x": {"field": "name", "type": "nominal", "sort": None, "axis": axis}},
        "layer": [
            {"mark": {"type": "bar", "color": BLUE, "width": {"band": 0.72}}, "encoding": {"y": y}},
            {"mark": number, "encoding": {"y": y, "text": {"field": "n", "format": ","}}},
        ],
    }


def corrected(rows: Sequence[Row], *, title: Sequence[str]) -> dict[str, Any]:
    """What chance correction does: observed and expected, and above them what is left.

    Rows hold ``name``, ``observed``, ``expected``, ``value``, ``low`` and ``high``; the title has
    a line for each string.
    """
    low = min([0.0, *_known(rows, "observed", "expected", "value", "low", "high")])
    x = _axis(list(title), low if low >= 0 else max(-1.0, low - 0.05), 1, ".1f")
    up: Row = {"yOffset": -6}
    down: Row = {"yOffset": 7}
    zero = {
        "mark": {"type": "rule", "color": GREY, "strokeWidth": 1},
        "encoding": {"x": {"datum": 0}, "y": None},
    }
    layers = [
        *([zero] if low < 0 else []),
        _mark(THIN_LINE, x, "expected", "observed", **down),
        _mark(TICK, x, "expected", size=11, **down),
        _mark(RING, x, "observed", **down),
        _mark(LINE_OF_DOT, x, "low", "high", **up),
        _mark(DOT, x, "value", **up),
        _number_at_the_right("value"),
    ]
    return _chart(rows, [r["name"] for r in rows], layers, step=TALL)


def beside(
    rows: Sequence[Row], *, title: str | Sequence[str], near: bool = False
) -> dict[str, Any]:
    """Two shares of each category: a dot and a tick, with a line from the one to the other.

    Rows hold ``name``, ``share`` (the dot) and ``other`` (the tick); the title may have a line for
    each string. With ``near`` an axis of shares that are close to each other begins below them.
    """
    known = _known(rows, "share", "other")
    top, least = max([0.05, *known]), min([1.0, *known])
    low = floor(10 * least - 0.2) / 10 if near and least > top / 2 else 0.0
    x = _axis(title, low, min(1.0, low + (top - low) * 1.08))
    return lines(
        rows,
        [
            _mark(THIN_LINE, x, "other", "share"),
            _mark(TICK, x, "other"),
            _mark(DOT, x, "share"),
        ],
    )


def gains(rows: Sequence[Row], *, title: str) -> dict[str, Any]:
    """What would change: a tick for now, a dot for then, with the number of then beside it.

    Rows hold ``name``, ``now`` and ``then``. The axis begins where there is something to see.
    """
    ends = _known(rows, "now", "then") or [0.0, 1.0]
    low, high = floor(10 * min(ends) + 1e-9) / 10, ceil(10 * max(ends) - 1e-9) / 10
    x = _axis(title, low, max(high, low + 0.1), ".2f")
    layers = [_mark(LINE_OF_DOT, x, "now", "then"), _mark(TICK, x, "now"), _mark(DOT, x, "then")]
    return lines(rows, layers, number="then", width=NARROW)


def dots(
    rows: Sequence[Row], *, title: str | Sequence[str], percent: bool = False
) -> dict[str, Any]:
    """A dot with its interval, a tick to compare it with, and the number at the right.

    Rows hold ``name``, ``value``, ``low``, ``high``, ``other`` (the tick) and perhaps ``bad``; with
    ``percent`` all are shares of a whole.
    """
    ends = _known(rows, "value", "low", "high", "other") or [0.0, 1.0]
    low = 0.0 if percent else min(floor(10 * min(ends) + 1e-9) / 10, 0.9)
    high = min(1.0, 1.08 * max(ends)) if percent else 1.0
    x = _axis(title, low, high, "" if percent else ".2~f")
    layers = [_mark(TICK, x, "other"), _mark(LINE_OF_DOT, x, "low", "high"), _mark(DOT, x, "value")]
    for layer in layers[1:]:
        layer["encoding"]["color"] = {"field": "colour", "scale": None}
    told = [
        {**r, "name": isolated(r["name"]), "colour": VERMILION if r.get("bad") else BLUE}
        for r in rows
    ]
    return lines(told, layers, number="value", how="%" if percent else ".2f")


def curve(rows: Sequence[Row], *, x_title: str, y_title: str, measured: bool) -> dict[str, Any]:
    """Accuracy of the labels that are kept, from the surest to all.

    Rows hold ``share`` (kept), ``expected_accuracy`` and, if ``measured``, ``accuracy``, ``low``
    and ``high`` against known labels.
    """
    fields = ("expected_accuracy", "low", "accuracy") if measured else ("expected_accuracy",)
    low = max(0.0, floor(20 * min(_known(rows, *fields), default=0.0) - 0.2) / 20)
    x = {"field": "share", **_axis(x_title, 0, 1)}
    y = _axis(y_title, min(low, 0.95), 1)

    def drawn(mark: str, key: str, to: str = "", **how: Any) -> dict[str, Any]:
        end = {"y2": {"field": to}} if to else {}
        return {
            "mark": {"type": mark, **how},
            "encoding": {"x": x, "y": {**y, "field": key}, **end},
        }

    dash = [6, 3] if measured else [1, 0]
    layers = [drawn("line", "expected_accuracy", color=BLUE, strokeWidth=2.5, strokeDash=dash)]
    if measured:
        area = drawn("area", "low", "high", color=VERMILION, opacity=0.15, line=False)
        layers = [area, drawn("line", "accuracy", color=VERMILION, strokeWidth=2), *layers]
    return {**empty(rows), "width": 380, "height": 170, "layer": layers}


def reliability(rows: Sequence[Row], *, x_title: str, y_title: str) -> dict[str, Any]:
    """How often labels are right, by how sure the model is; on the diagonal it keeps its word.

    Rows hold ``expected_accuracy``, ``accuracy``, ``low`` and ``high``.
    """
    low = floor(10 * min([0.9, *_known(rows, "expected_accuracy", "low", "accuracy")])) / 10
    x, y = _axis(x_title, low, 1), _axis(y_title, low, 1)
    expected = {"x": {**x, "field": "expected_accuracy"}}
    diagonal = {
        "data": {"values": [{"a": low, "b": low}, {"a": 1, "b": 1}]},
        "mark": {"type": "line", "color": GREY, "strokeDash": [4, 3], "strokeWidth": 1},
        "encoding": {"x": {**x, "field": "a"}, "y": {**y, "field": "b"}},
    }
    span = {"y": {**y, "field": "low"}, "y2": {"field": "high"}}
    layers = [
        diagonal,
        {"mark": {"type": "rule", "color": BLUE, "strokeWidth": 2}, "encoding": expected | span},
        {"mark": DOT, "encoding": expected | {"y": {**y, "field": "accuracy"}}},
    ]
    return {**empty(rows), "width": 250, "height": 250, "layer": layers}


# ------------------------------------------------------------------ shared parts


def empty(rows: Sequence[Row]) -> dict[str, Any]:
    """What every chart has: data, fonts and colours, without anything drawn."""
    return {
        "$schema": _SCHEMA,
        "background": None,
        "padding": PADDING,
        "config": _CONFIG,
        "data": {"values": [_finite(r) for r in rows]},
    }


def lines(
    rows: Sequence[Row],
    layers: Sequence[dict[str, Any]],
    *,
    number: str = "",
    how: str = ".3f",
    width: int = WIDTH,
) -> dict[str, Any]:
    """A line for each name, with what is drawn on it; ``number`` stands at the right of each."""
    names = list(dict.fromkeys(r["name"] for r in rows))
    right = [_number_at_the_right(number, width, how)] if number else []
    return _chart(rows, names, [*layers, *right], width=width, n_lines=2)


def _axis(title: str | Sequence[str], low: float, high: float, digits: str = "") -> dict[str, Any]:
    """An axis of values with so many digits, or of shares; the title may have several lines."""
    return {
        "type": "quantitative",
        "scale": {"domain": [low, high], "zero": False, "nice": False, "clamp": True},
        "axis": {
            "title": title if isinstance(title, str) else list(title),
            "tickCount": 6,
            "domain": False,
            **({"format": digits} if digits else {"labelExpr": _PERCENT}),
        },
    }


def _mark(what: Row, x: Row, key: str, to: str = "", **more: Any) -> dict[str, Any]:
    """A mark of each row at the value under ``key``; a line goes to that under ``to``."""
    end = {"x2": {"field": to}} if to else {}
    return {"mark": {**what, **more}, "encoding": {"x": {**x, "field": key}, **end}}


def _chart(
    rows: Sequence[Row],
    names: list[str],
    layers: list[dict[str, Any]],
    *,
    step: int = STEP,
    width: int = WIDTH,
    n_lines: int = 1,
) -> dict[str, Any]:
    fitting = dict(zip(names, fitted(names, n_lines), strict=True))
    if any("\n" in name for name in fitting.values()):
        step = max(step, TALL)
    names = list(fitting.values())
    longest = max((_columns(line) for n in names for line in n.split("\n")), default=0)
    return empty([{**r, "name": fitting[r["name"]]} for r in rows]) | {
        "usermeta": {"titles": {short: name for name, short in fitting.items() if short != name}},
        "padding": {**PADDING, "left": max(PADDING["left"], longest + 3)},
        "width": width,
        "height": {"step": step},
        "encoding": {
            "y": {
                "field": "name",
                "type": "nominal",
                "sort": names,
                "scale": {"domain": names},
                "axis": _NAMES,
            }
        },
        "layer": layers,
    }


def fitted(names: Sequence[str], n_lines: int = 1) -> list[str]:
    r"""Names that fit beside a chart, still all different; on one line, or on two if they are long.

    Examples
    --------
    >>> fitted(["yes", "a name that is longer than the chart has room for"])
    ['yes', 'a name that is longer th…']
    >>> fitted(["the same long beginning, one end", "the same long beginning, another"])
    ['the same lon…ing, one end', 'the same lon…ing, another']
    >>> fitted(["yes", "a name that is longer than one line"], 2)
    ['yes', 'a name that is\nlonger than one line']
    """
    at_end, inside = ([_lines(name, tail, n_lines) for name in names] for tail in (0, ROOM // 2))
    for found in (at_end, inside):
        if len(set(found)) == len(set(names)):
            return found
    return [f"{_cut(name, 0, ROOM - 5)} ({k})" for k, name in enumerate(names, 1)]


def _lines(name: str, tail: int, n_lines: int) -> str:
    """A name on one line, or broken between words where there are two."""
    words = name.split(" ")
    if n_lines == 1 or _columns(name) <= ROOM or _columns(words[0]) > ROOM:
        return _cut(name, tail)
    breaks = [(" ".join(words[:k]), " ".join(words[k:])) for k in range(1, len(words))]
    fit = [two for two in breaks if max(map(_columns, two)) <= ROOM]
    if fit:
        return "\n".join(min(fit, key=lambda two: max(map(_columns, two))))
    first, second = max(two for two in breaks if _columns(two[0]) <= ROOM)
    return f"{first}\n{_cut(second, tail)}"


def _cut(name: str, tail: int, room: int = ROOM) -> str:
    """At most ``room`` columns, of which ``tail`` at the end; wide letters take two."""
    if _columns(name) <= room:
        return name
    head, end = name, name[len(name) - tail :] if tail else ""
    while _columns(end) > tail:
        end = end[1:]
    while _columns(head) + _columns(end) + 1 > room:
        head = head[:-1]
    return f"{head.rstrip()}…{end.lstrip()}"


def _columns(text: str) -> int:
    return sum(2 if east_asian_width(c) in "WF" else 1 for c in text)


def _number_at_the_right(value: str, width: int = WIDTH, how: str = ".3f") -> dict[str, Any]:
    """The number of each line; ``how`` is its format, or "%" for a percentage."""
    x = f"datum['{value}']"
    shown = f"format(100 * {x}, '.1f') + '\u00a0%'" if how == "%" else f"format({x}, '{how}')"
    text = f"isValid({x}) ? replace({shown}, '-', '−') : '—'"
    return {
        "transform": [{"calculate": text, "as": "number"}],
        "mark": {"type": "text", "align": "right", "fontSize": 12, "color": INK},
        "encoding": {"x": {"value": width + 48}, "text": {"field": "number"}},
    }


def _known(rows: Sequence[Row], *keys: str) -> list[float]:
    """The numbers under some keys that are defined."""
    found = (row.get(key) for row in rows for key in keys)
    return [x for x in found if isinstance(x, int | float) and x == x]


def _finite(row: Row) -> dict[str, Any]:
    """NaN is not JSON; Vega leaves out what is null."""
    return {k: None if isinstance(v, float) and v != v else v for k, v in row.items()}
