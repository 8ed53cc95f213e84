"""From a chart definition to a picture, without a browser and without a network."""

from __future__ import annotations

import re
from collections.abc import Mapping
from html import escape
from typing import Any

from ..views.document import Chart

__all__ = ["svg"]

_ROLES = re.compile(r' (?:aria-roledescription|aria-hidden|role|pointer-events|class)="[^"]*"')
_EMPTY = re.compile(r'<path d="M0,0h[\d.]*v0h-?[\d.]*Z"/>|<g></g>')


def svg(chart: Chart) -> str:
    """The chart as SVG text that scales, with its title for those who do not see it."""
    whole = _titled(_tidy(_render(chart.definition)), chart.definition)
    return _named(whole, chart.title)


def _render(definition: Mapping[str, Any]) -> str:
    import vl_convert

    return str(
        vl_convert.vegalite_to_svg(dict(definition), allowed_base_urls=[], show_warnings=False)
    )


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
