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

__all__ = [
    "BLUE", "GREY", "INK", "LINE", "VERMILION", "Row", "bands", "beside", "corrected", "empty",
    "fitted", "gains", "intervals", "levels", "lines", "sizes", "spread",
]  # fmt: skip

Row = Mapping[str, Any]

INK, GREY, LINE, BLUE, VERMILION = "#1f2328", "#5b6570", "#d5dae0", "#0a62a9", "#c84e00"
SHADES = ("#e3ecf5", "#c3d9ec", "#95bfdf", "#5f9fcd", "#2c7fbb", "#0b5c9e")
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
        "labelColor": INK, "labelFontSize": 12, "titleColor": GREY, "titleFontSize": 11.5,
        "titleFontWeight": "normal", "titlePadding": 8, "gridColor": LINE, "domainColor": GREY,
        "tickColor": LINE, "labelLimit": 220,
    },
    "legend": {"labelColor": INK, "titleColor": GREY, "labelFontSize": 12, "titleFontSize": 11.5,
               "titleFontWeight": "normal"},
}  # fmt: skip
_PERCENT = "format(100 * datum.value, '.0f') + '\u00a0%'"
_NAMES = {"domain": False, "ticks": False, "labelPadding": 10, "title": None,
          "labelExpr": "split(datum.label, '\\n')", "labelLineHeight": 13,
          "labelOffset": {"condition": {"test": "indexof(datum.label, '\\n') >= 0", "value": -6.5},
                          "value": 0}}  # fmt: skip


def intervals(
    rows: Sequence[Row], *, value: str = "value", title: str, threshold: float | None = None
) -> dict[str, Any]:
    """A dot with its interval on a common scale, one line for each row.

    Rows hold ``name``, the value, ``low`` and ``high``; rows without a value keep their line.
    """
    ends = [r[k] for r in rows for k in (value, "low", "high") if _known(r.get(k))]
    low = min([0.0, *ends])
    x = {
        "type": "quantitative",
        "scale": {"domain": [low if low >= 0 else max(-1.0, low - 0.05), 1], "clamp": True},
        "axis": {"title": title, "tickCount": 6, "format": ".1f", "grid": True, "domain": False},
    }
    layers: list[dict[str, Any]] = [
        _rule_at(0, GREY, []) if low < 0 else {"mark": {"type": "point", "opacity": 0}},
        *([_rule_at(threshold, VERMILION, [4, 3])] if threshold is not None else []),
        {
            "mark": {"type": "rule", "strokeWidth": 2.5, "color": BLUE, "strokeCap": "round"},
            "encoding": {"x": {"field": "low", **x}, "x2": {"field": "high"}},
        },
        {
            "mark": {"type": "point", "filled": True, "size": 85, "color": BLUE, "opacity": 1},
            "encoding": {"x": {"field": value, **x}},
        },
        _number_at_the_right(value),
    ]
    return _chart(rows, [r["name"] for r in rows], layers)


def spread(rows: Sequence[Row], names: Sequence[str], *, title: str) -> dict[str, Any]:
    """How often each coder used each category: a dot for each coder, a tick for all together.

    Rows hold ``name`` (category), ``coder`` and ``share``; the coder of the tick is None.
    """
    top = max([0.05, *(r["share"] for r in rows if _known(r["share"]))])
    x = {
        "field": "share",
        "type": "quantitative",
        "scale": {"domain": [0, min(1.0, top * 1.08)]},
        "axis": {"title": title, "labelExpr": _PERCENT, "tickCount": 6, "domain": False},
    }
    layers: list[dict[str, Any]] = [
        {
            "transform": [{"filter": "datum.coder == null"}],
            "mark": {"type": "tick", "thickness": 2.5, "size": 18, "color": GREY},
            "encoding": {"x": x},
        },
        {
            "transform": [{"filter": "datum.coder != null"}],
            "mark": {"type": "point", "size": 60, "color": BLUE, "strokeWidth": 1.8,
                     "fill": BLUE, "fillOpacity": 0.25},
            "encoding": {"x": x},
        },
    ]  # fmt: skip
    return _chart(rows, list(names), layers)


def levels(rows: Sequence[Row], *, title: str) -> dict[str, Any]:
    """How many items reach each level of agreement: bars, with the number on top.

    Rows hold ``name`` (the level) and ``n``.
    """
    shared = {"x": {"field": "name", "type": "nominal", "sort": None,
                    "axis": {"labelAngle": 0, "title": title, "ticks": False}}}  # fmt: skip
    y = {"field": "n", "type": "quantitative",
         "axis": None, "scale": {"nice": False}}  # fmt: skip
    return {
        "$schema": _SCHEMA,
        "background": None,
        "padding": PADDING,
        "config": _CONFIG,
        "width": max(min(WIDTH, 64 * max(2, len(rows))), 42 * len(rows)),
        "height": 130,
        "data": {"values": [dict(r) for r in rows]},
        "encoding": shared,
        "layer": [
            {"mark": {"type": "bar", "color": BLUE, "width": {"band": 0.72}}, "encoding": {"y": y}},
            {
                "mark": {"type": "text", "dy": -7, "color": INK, "fontSize": 12},
                "encoding": {"y": y, "text": {"field": "n", "format": ","}},
            },
        ],
    }


def bands(rows: Sequence[Row]) -> dict[str, Any]:
    """How likely the true value lies in each band of published scales: one bar for each scale.

    Rows hold ``name`` (scale), ``band``, ``height`` (0 for the lowest band of the scale, 1 for the
    highest) and ``probability``.
    """
    names = list(dict.fromkeys(r["name"] for r in rows))
    drawn = [_coloured(r) for r in _stacked(rows) if r["probability"] > 0]
    room = "datum.end - datum.start > 0.019 * length(datum.band)"
    return _chart(drawn, names, _bars("probability", room))


def corrected(rows: Sequence[Row], *, title: Sequence[str]) -> dict[str, Any]:
    """What chance correction does: observed and expected, and above them what is left.

    Rows hold ``name``, ``observed``, ``expected``, ``value``, ``low`` and ``high``; the title has
    a line for each string.
    """
    fields = ("observed", "expected", "value", "low", "high")
    low = min([0.0, *(r[k] for r in rows for k in fields if _known(r.get(k)))])
    x = {
        "type": "quantitative",
        "scale": {"domain": [low if low >= 0 else max(-1.0, low - 0.05), 1], "clamp": True},
        "axis": {"title": list(title), "tickCount": 6, "format": ".1f", "grid": True,
                 "domain": False},
    }  # fmt: skip
    up, down = {"yOffset": -6}, {"yOffset": 7}
    layers: list[dict[str, Any]] = [
        _rule_at(0, GREY, []) if low < 0 else {"mark": {"type": "point", "opacity": 0}},
        {
            "mark": {"type": "rule", "strokeWidth": 1, "color": GREY, **down},
            "encoding": {"x": {"field": "expected", **x}, "x2": {"field": "observed"}},
        },
        {
            "mark": {"type": "tick", "thickness": 2.5, "size": 11, "color": GREY, **down},
            "encoding": {"x": {"field": "expected", **x}},
        },
        {
            "mark": {"type": "point", "size": 48, "strokeWidth": 1.8, "color": GREY,
                     "opacity": 1, **down},
            "encoding": {"x": {"field": "observed", **x}},
        },
        {
            "mark": {"type": "rule", "strokeWidth": 2.5, "color": BLUE, "strokeCap": "round", **up},
            "encoding": {"x": {"field": "low", **x}, "x2": {"field": "high"}},
        },
        {
            "mark": {"type": "point", "filled": True, "size": 85, "color": BLUE, "opacity": 1,
                     **up},
            "encoding": {"x": {"field": "value", **x}},
        },
        _number_at_the_right("value"),
    ]  # fmt: skip
    return _chart(rows, [r["name"] for r in rows], layers, step=TALL)


def sizes(rows: Sequence[Row], *, title: str) -> dict[str, Any]:
    """How many labels coders give: a bar for each coder, divided by the number of labels.

    Rows hold ``name`` (coder), ``size`` (number of labels), ``share`` and ``height`` (0 to 1:
    the more labels, the darker).
    """
    names = list(dict.fromkeys(r["name"] for r in rows))
    parts = [{**r, "band": str(r["size"]), "probability": r["share"]} for r in rows]
    drawn = [_coloured(r) for r in _stacked(parts) if r["share"] > 0]
    return _chart(drawn, names, _bars(title, "datum.end - datum.start > 0.03"))


def beside(
    rows: Sequence[Row], *, title: str | Sequence[str], near: bool = False
) -> dict[str, Any]:  # fmt: skip
    """Two shares of each category: a dot and a tick, with a line from the one to the other.

    Rows hold ``name``, ``share`` (the dot) and ``other`` (the tick); the title may have a line for
    each string. With ``near`` an axis of shares that are close to each other begins below them.
    """
    known = [r[k] for r in rows for k in ("share", "other") if _known(r[k])]
    top, least = max([0.05, *known]), min([1.0, *known])
    low = floor(10 * least - 0.2) / 10 if near and least > top / 2 else 0.0
    lines = title if isinstance(title, str) else list(title)
    x = {
        "type": "quantitative",
        "scale": {"domain": [low, min(1.0, low + (top - low) * 1.08)], "zero": False},
        "axis": {"title": lines, "labelExpr": _PERCENT, "tickCount": 6, "domain": False},
    }
    layers: list[dict[str, Any]] = [
        {
            "mark": {"type": "rule", "strokeWidth": 1, "color": GREY},
            "encoding": {"x": {"field": "other", **x}, "x2": {"field": "share"}},
        },
        {
            "mark": {"type": "tick", "thickness": 2.5, "size": 16, "color": GREY},
            "encoding": {"x": {"field": "other", **x}},
        },
        {
            "mark": {"type": "point", "filled": True, "size": 75, "color": BLUE, "opacity": 1},
            "encoding": {"x": {"field": "share", **x}},
        },
    ]
    return _chart(rows, [r["name"] for r in rows], layers, n_lines=2)


def gains(rows: Sequence[Row], *, title: str) -> dict[str, Any]:
    """What would change: a tick for now, a dot for then, with the number of then beside it.

    Rows hold ``name``, ``now`` and ``then``. The axis begins where there is something to see.
    """
    ends = [r[k] for r in rows for k in ("now", "then") if _known(r[k])] or [0.0, 1.0]
    low, high = floor(10 * min(ends) + 1e-9) / 10, ceil(10 * max(ends) - 1e-9) / 10
    x = {
        "type": "quantitative",
        "scale": {"domain": [low, max(high, low + 0.1)], "zero": False, "nice": False},
        "axis": {"title": title, "tickCount": 6, "format": ".2f", "grid": True, "domain": False},
    }
    layers: list[dict[str, Any]] = [
        {
            "mark": {"type": "rule", "strokeWidth": 2.5, "color": BLUE},
            "encoding": {"x": {"field": "now", **x}, "x2": {"field": "then"}},
        },
        {
            "mark": {"type": "tick", "thickness": 2.5, "size": 16, "color": GREY},
            "encoding": {"x": {"field": "now", **x}},
        },
        {
            "mark": {"type": "point", "filled": True, "size": 85, "color": BLUE, "opacity": 1},
            "encoding": {"x": {"field": "then", **x}},
        },
        _number_at_the_right("then", NARROW),
    ]
    return _chart(rows, [r["name"] for r in rows], layers, width=NARROW, n_lines=2)


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
    rows: Sequence[Row], layers: Sequence[dict[str, Any]], *, number: str = "", how: str = ".3f"
) -> dict[str, Any]:
    """A line for each name, with what is drawn on it; ``number`` stands at the right of each."""
    names = list(dict.fromkeys(r["name"] for r in rows))
    right = [_number_at_the_right(number, how=how)] if number else []
    return _chart(rows, names, [*layers, *right], n_lines=2)


def _bars(title: str, room: str) -> list[dict[str, Any]]:
    """Divided bars from 0 to 100 %; parts that have ``room`` for it say what they are."""
    x = {"field": "start", "type": "quantitative", "scale": {"domain": [0, 1]},
         "axis": {"title": title, "labelExpr": _PERCENT, "tickCount": 5,
                  "grid": False}}  # fmt: skip
    return [
        {
            "mark": {"type": "bar", "height": 20},
            "encoding": {"x": x, "x2": {"field": "end"},
                         "color": {"field": "shade", "scale": None}},
        },
        {
            "transform": [{"filter": room}],
            "mark": {"type": "text", "fontSize": 11},
            "encoding": {"x": {**x, "field": "middle"}, "text": {"field": "band"},
                         "color": {"field": "text", "scale": None}},
        },
    ]  # fmt: skip


def _chart(
    rows: Sequence[Row], names: list[str], layers: list[dict[str, Any]], *, step: int = STEP,
    width: int = WIDTH, n_lines: int = 1,
) -> dict[str, Any]:  # fmt: skip
    fitting = dict(zip(names, fitted(names, n_lines), strict=True))
    if any("\n" in name for name in fitting.values()):
        step = max(step, TALL)
    rows = [{**r, "name": fitting[r["name"]]} for r in rows]
    names = list(fitting.values())
    longest = max((_columns(line) for n in names for line in n.split("\n")), default=0)
    return {
        "usermeta": {"titles": {short: name for name, short in fitting.items() if short != name}},
        "$schema": _SCHEMA,
        "background": None,
        "padding": {**PADDING, "left": max(PADDING["left"], longest + 3)},
        "config": _CONFIG,
        "width": width,
        "height": {"step": step},
        "data": {"values": [_finite(r) for r in rows]},
        "encoding": {"y": {"field": "name", "type": "nominal", "sort": names,
                           "scale": {"domain": names}, "axis": _NAMES}},
        "layer": layers,
    }  # fmt: skip


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


def _rule_at(x: float | None, colour: str, dash: list[int]) -> dict[str, Any]:
    return {
        "mark": {"type": "rule", "color": colour, "strokeWidth": 1, "strokeDash": dash},
        "encoding": {"x": {"datum": x}, "y": None},
    }


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


def _stacked(rows: Sequence[Row]) -> list[dict[str, Any]]:
    """Where each band starts, ends and has its middle."""
    at: dict[str, float] = {}
    found = []
    for r in rows:
        start = at.get(r["name"], 0.0)
        at[r["name"]] = end = start + r["probability"]
        found.append({**r, "start": start, "end": end, "middle": (start + end) / 2})
    return found


def _coloured(row: Row) -> dict[str, Any]:
    """The higher the band on its scale, the darker."""
    shade = round(row["height"] * (len(SHADES) - 1))
    return {**row, "shade": SHADES[shade], "text": "#ffffff" if shade > 3 else "#10151a"}


def _known(x: Any) -> bool:
    return isinstance(x, int | float) and x == x


def _finite(row: Row) -> dict[str, Any]:
    """NaN is not JSON; Vega leaves out what is null."""
    return {k: None if isinstance(v, float) and v != v else v for k, v in row.items()}
