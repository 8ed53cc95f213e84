"""From a chart definition to a picture, without a browser and without a network."""

from __future__ import annotations

import re
from collections.abc import Mapping
from html import escape
from textwrap import wrap
from typing import Any
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from ..views.blocks import Chart
from ..views.charts import GREY, INK
from ..views.document import Document

_OFFLINE: dict[str, Any] = {"allowed_base_urls": [], "show_warnings": False}
_LINE = 85  # characters of a title above a figure

_SPACE = "{http://www.w3.org/2000/svg}"
_GROUP, _PATH = f"{_SPACE}g", f"{_SPACE}path"
_FRACTION = re.compile(r"-?\d*\.\d{2,}(?:e-?\d+)?")
_UNUSED = (
    "aria-roledescription",
    "aria-hidden",
    "aria-label",
    "role",
    "pointer-events",
    "class",
    "stroke-miterlimit",
    "version",
)
_USUAL = (
    ("opacity", "1"),
    ("stroke-width", "1"),
    ("font-weight", "normal"),
    ("x2", "0"),
    ("y2", "0"),
    ("transform", "translate(0,0)"),
)
_INHERITED = (
    "fill",
    "stroke",
    "stroke-width",
    "font-family",
    "font-size",
    "font-weight",
    "text-anchor",
    "stroke-dasharray",
)
ElementTree.register_namespace("", "http://www.w3.org/2000/svg")


def svg(chart: Chart) -> str:
    """The chart as SVG text that scales, with its title for those who do not see it."""
    whole = _titled(_simple(_render(chart.definition)), chart.definition)
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
        "text": wrap(chart.title, _LINE),
        "subtitle": wrap(" · ".join(document.basis), _LINE + 15),
        "anchor": "start",
        "fontSize": 14,
        "color": INK,
        "subtitleColor": GREY,
        "subtitleFontSize": 11.5,
        "offset": 14,
        "subtitlePadding": 5,
    }
    return {**chart.definition, "background": "white", "title": title}


def _simple(text: str) -> str:
    """The same drawing in a third of the characters.

    Nothing that only Vega's own scripts would use, no digits that nobody sees, and once what all
    parts of a group share.
    """
    root = ElementTree.fromstring(text)
    _tidy(root)
    return ElementTree.tostring(root, encoding="unicode")


def _tidy(element: Element) -> None:
    for child in list(element):
        _tidy(child)
    kept: list[Element] = []
    for child in element:
        if _draws(child):
            kept += list(child) if child.tag == _GROUP and not child.attrib else [child]
    element[:] = kept
    element.attrib = {
        name: _FRACTION.sub(_rounded, x)
        for name, x in element.attrib.items()
        if name not in _UNUSED and (name, x) not in _USUAL
    }
    for name in _INHERITED if len(kept) > 1 and element.tag == _GROUP else ():
        values = {child.get(name) for child in kept}
        if len(values) == 1 and None not in values and name not in element.attrib:
            element.set(name, str(values.pop()))
            for child in kept:
                del child.attrib[name]


def _draws(element: Element) -> bool:
    """Whether anything of an element can be seen."""
    if element.get("display") == "none":
        return False
    if element.tag == _GROUP:
        return len(element) > 0
    return not (
        element.tag == _PATH
        and (
            ("fill" not in element.attrib and "stroke" not in element.attrib)
            or not element.get("d")
        )
    )


def _rounded(found: re.Match[str]) -> str:
    return f"{round(float(found[0]), 1) or 0.0:g}"


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
