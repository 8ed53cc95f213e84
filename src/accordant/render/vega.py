"""From a chart definition to a picture, without a browser and without a network."""

from __future__ import annotations

import re
from collections.abc import Mapping
from html import escape
from textwrap import wrap
from typing import Any

from ..views.charts import GREY, INK
from ..views.document import Chart, Document

__all__ = ["png_file", "svg", "svg_file"]

_OFFLINE: dict[str, Any] = {"allowed_base_urls": [], "show_warnings": False}
_LINE = 85  # characters of a title above a figure

_ROLES = re.compile(r' (?:aria-roledescription|aria-hidden|role|pointer-events|class)="[^"]*"')
_EMPTY = re.compile(r'<path d="M0,0h[\d.]*v0h-?[\d.]*Z"/>|<g></g>')


def svg(chart: Chart) -> str:
    """The chart as SVG text that scales, with its title for those who do not see it."""
    whole = _titled(_tidy(_render(chart.definition)), chart.definition)
    return _named(whole, chart.title)


def _render(definition: Mapping[str, Any]) -> str:
    import vl_convert

    return str(vl_convert.vegalite_to_svg(dict(definition), **_OFFLINE))


def svg_file(document: Document) -> str:
    """The first chart of a document, alone in a file."""
    return _render(_alone(document))


def png_file(document: Document) -> bytes:
    """The same as pixels."""
    import vl_convert

    return bytes(vl_convert.vegalite_to_png(_alone(document), scale=2, **_OFFLINE))


def _alone(document: Document) -> dict[str, Any]:
    """The figure on white, with its title and what it rests on: a file is seen by itself."""
    blocks = (b for section in document.sections for b in section.every_block())
    chart = next(b for b in blocks if isinstance(b, Chart))
    title = {
        "text": wrap(chart.title, _LINE), "subtitle": wrap(" · ".join(document.basis), _LINE + 15),
        "anchor": "start", "fontSize": 14, "color": INK, "subtitleColor": GREY,
        "subtitleFontSize": 11.5, "offset": 14, "subtitlePadding": 5,
    }  # fmt: skip
    return {**chart.definition, "background": "white", "title": title}


def _tidy(text: str) -> str:
    """Without what only Vega's own scripts would use."""
    return _ROLES.sub("", text)


def _titled(text: str, definition: Mapping[str, Any]) -> str:
    """Names that were cut to fit say themselves in full where the pointer rests."""
    titles = definition.get("usermeta", {}).get("titles", {})
    for short, name in titles.items():
        title = f"<title>{escape(name, quote=False)}</title>".replace("\\", r"\\")
        lines = [re.escape(escape(line, quote=False)) for line in short.split("\n")]
        inside = "".join(rf"<tspan[^>]*>{line}</tspan>" for line in lines)
        shown = inside if len(lines) > 1 else rf"(?:{inside}|{lines[0]})"
        text = re.sub(rf"(<text[^>]*>)({shown}</text>)", rf"\1{title}\2", text)
    return text


def _named(text: str, title: str) -> str:
    label = f'<svg role="img" aria-label="{escape(title)}" '
    return text.replace("<svg ", label, 1)
