"""A report as one HTML file that needs nothing else: no network, no other file."""

from __future__ import annotations

import base64
import hashlib
import json
import math
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from importlib.resources import files
from itertools import count
from typing import Any

from ..actions import Action
from ..fields import cell
from ..numbers import decimal, interval, p_text
from ..views.blocks import Block, Choice, Column, Table, Verdicts
from ..views.document import Document, Section, visible
from .vega import svg

_ENDS = re.compile(
    r"</(?:td|th|tr|thead|tbody|li|dt|dd|option)>"
    r"|\n(?=\s*\n|<(?:t[dhr]|tbody|thead|table|div|figure|details|li|ul|dl|dt|dd|p|h\d)\b)"
)
"""What HTML takes as read: ends of cells, rows and entries, of lines between blocks."""
_QUOTES = re.compile(r'(?<=[a-z0-9])="([\w.#-]+)"(?=[ >])')
"""The same of quotes around a word; those of texts are escaped, so none of them is met."""
_FONT = re.compile(r' font-family="[^"]*"')  # the style of the page names it once
_P = re.compile(r"\bp ([=<≤]) (?=\d)")
"""A p-value, which stays on one line."""
_COMMENT = re.compile(r"/\*.*?\*/|^\s+(?://[^\n]*)?", re.S | re.M)
_ROOM = re.compile(r" ?([{};,]) ?")
_WIDE = 560  # a chart of more pixels cannot be read on a phone
_LONG = 40  # texts of more characters get a wide column
_SHORT = 5  # several longer names stand upright above narrow columns
_WORDY = 16  # names of more characters are broken, but not after every word
_DENSE = 104  # characters in a line that leave no room for wide margins, with those of the margins
_BRIEF = 24  # names of at most so many characters are not broken beside one


def html(report: Document) -> str:
    """The whole page."""
    from markupsafe import Markup

    style, script = _asset("report.css") + _places(report), _asset("report.js")
    templates = environment()
    told: dict[str, str] = {}
    templates.globals |= {"help_of": lambda column: _help_of(column, told), "told": told}
    page = templates.get_template("page.html")
    whole = page.render(
        report=report,
        short={section.key: section.blocks for section in report.printed(full=False)},
        style=Markup(style),
        script=Markup(script),
        evidence=Markup(embedded(report.evidence.to_plain())),
        policy=policy(style, script),
    )
    before, main, after = re.split(r"(<main.*</main>)", str(whole), maxsplit=1, flags=re.S)
    return before + _QUOTES.sub(r"=\1", _ENDS.sub("", main)) + after


def policy(style: str, script: str) -> str:
    """What the browser may do: run this script, use this style, load nothing."""
    return (
        f"default-src 'none'; style-src 'sha256-{_sha(style)}'; "
        f"script-src 'sha256-{_sha(script)}'; img-src data:; base-uri 'none'; form-action 'none'"
    )


def embedded(data: Any) -> str:
    r"""JSON that cannot end the script element that holds it.

    Examples
    --------
    >>> embedded("</script>")
    '"\\u003c/script\\u003e"'
    """
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    for sign in "<>&\u2028\u2029":
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    return text


@cache
def _asset(name: str) -> str:
    """A style or a script without comments and indentation."""
    text = _COMMENT.sub("", files(__package__).joinpath("assets", name).read_text("utf-8"))
    return _ROOM.sub(r"\1", text) if name.endswith(".css") else text


def _sha(text: str) -> str:
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _places(report: Document) -> str:
    """Where marks stand on the axis: rules, since the policy of the page allows no style in it."""
    blocks = (b for section in report.opening for b in section.blocks if isinstance(b, Verdicts))
    found = {
        _place(b, x)
        for b in blocks
        for x in (
            *(limit for limit, _ in b.thresholds),
            *_ticks(b),
            *(lane.value for lane in b.lanes if not math.isnan(lane.value)),
        )
    }
    return "\n".join(f".at{at}{{left:{at / 10:g}%}}" for at in sorted(found))


def _place(block: Verdicts, x: float) -> int:
    """Thousandths of the axis, which ends at 1."""
    return round(1000 * (min(max(x, block.lowest), 1) - block.lowest) / (1 - block.lowest))


def _ticks(block: Verdicts) -> list[float]:
    first = math.ceil(round(5 * block.lowest, 6))
    return [k / 5 for k in range(first, 6)]


def _help_of(column: Column, told: dict[str, str]) -> str:
    """What a heading means, where the list of headings at the end of the page says something else.

    Without this list every table of the page would say it again.
    """
    return "" if told.setdefault(column.heading, column.help) == column.help else column.help


def _words(action: Action) -> list[str]:
    """A command in parts that a line may break between: an option stays with its value."""
    return re.split(r" (?=--)", action.typed())


def environment() -> Any:
    """The templates, with what they call."""
    from jinja2 import Environment, FunctionLoader
    from markupsafe import Markup

    def source(name: str) -> str:
        return files(__package__).joinpath("templates", *name.split("/")).read_text("utf-8")

    environment = Environment(
        loader=FunctionLoader(source),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=lambda x: _P.sub("p\xa0\\1\xa0", x) if type(x) is str else x,
    )
    numbers = count(1)

    def drawn(block: Any) -> Markup:
        if block.depth == "evidence":  # for programs only
            return Markup()
        name = f"blocks/{type(block).__name__.lower()}.html"
        return Markup(environment.get_template(name).render(block=block))

    environment.filters["drawn"] = drawn
    environment.globals |= {
        "shown": cell,
        "spelled": Action.typed,
        "words": _words,
        "place": _place,
        "ticks": _ticks,
        "shown_value": decimal,
        "shown_interval": lambda low, high: "" if _missing(low) else interval(low, high),
        "shown_p": lambda p: p_text(p).removeprefix("p "),
        "long_columns": lambda table: {c.key for c in table.columns if _long(c, table)},
        "wordy": _wordy,
        "classes": _classes,
        "named": lambda matrix: sum(len(name) > _SHORT for name in matrix.column_names) > 1,
        "help_of": lambda column: column.help,
        "bar": lambda x: 0 if _missing(x) else round(20 * min(max(x, 0), 1)),
        "picture": lambda chart: Markup(_scrolled(_FONT.sub("", svg(chart)))),
        "fresh": lambda: f"copy-{next(numbers)}",
    }
    return environment


def _scrolled(picture: str) -> str:
    """A wide chart may be scrolled on a phone rather than shrunk until nothing can be read."""
    width = re.search(r' width="([\d.]+)"', picture)
    wide = width is not None and float(width[1]) > _WIDE
    return picture.replace("<svg ", '<svg class="wide" ', 1) if wide else picture


def _missing(x: Any) -> bool:
    return x is None or (isinstance(x, float) and math.isnan(x))


def _classes(table: Table) -> str:
    """How a table is laid out where there is little room."""
    keys = {column.key for column in table.columns}
    measures = {"observed", "expected", "value", "counts_as"} <= keys
    right = [f"r{n}" for n, c in enumerate(table.columns, 1) if c.kind not in ("text", "list")]
    return " ".join(
        [*right, *["brief"] * _brief(table), *["dense"] * _dense(table), *["measures"] * measures]
    )


def _dense(table: Table) -> bool:
    """Whether a line on a usual screen holds all columns only if they stand close together."""
    widest = [
        max([len(c.heading), *(min(len(cell(c, row)), _LONG) for row in table.rows)])
        for c in table.columns
    ]
    return sum(widest) + 2 * len(widest) > _DENSE


def _brief(table: Table) -> bool:
    """Whether the names of the rows stay on one line though a column of words needs room."""
    first, *others = table.columns
    short = all(len(str(row.get(first.key) or "")) <= _BRIEF for row in table.rows)
    return short and any(c.kind == "text" and _long(c, table) for c in others)


def _wordy(table: Table) -> bool:
    """Whether the names of the rows need room for words."""
    first = table.columns[:1]
    return any(len(str(row.get(c.key) or "")) > _WORDY for c in first for row in table.rows)


def _long(column: Column, table: Table) -> bool:
    return any(len(str(row.get(column.key) or "")) > _LONG for row in table.rows)


def notebook(sections: Iterable[Section]) -> str:
    """The sections, headline and main."""
    shown = tuple(replace(s, blocks=tuple(_on_top(s.blocks))) for s in sections)
    return str(environment().get_template("notebook.html").render(sections=shown))


def _on_top(blocks: Sequence[Block]) -> Iterator[Block]:
    """The blocks that do not lie deeper, of each of several questions too."""
    for block in visible(blocks, "main"):
        if isinstance(block, Choice):
            options = tuple((name, tuple(_on_top(inside))) for name, inside in block.options)
            yield replace(block, options=options)
        else:
            yield block
