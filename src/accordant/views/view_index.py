"""Which views there are, read from their sources: a help text costs no statistics."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import NamedTuple

__all__ = ["DETAIL", "FIRST", "LAST", "Declared", "declared", "names"]

FIRST = 10.0
LAST = 1000.0
DETAIL = 100.0
"""Views from this place on are shown only to those who ask for them by name."""

_DEFINED = re.compile(
    r'\s*"(?P<name>[^"]+)",\s*of="(?P<of>[^"]+)"(?P<rest>.*?)\)(?:  #[^\n]*)?\n'
    r'def \w+\((?P<takes>.*?)\) -> [^\n]*\n    """(?P<said>[^\n]*)',
    re.S,
)
_OPTION = re.compile(r"(\w+):")
_HELP = re.compile(r'help="([^"]*)"')
_ALONE = re.compile(r'alone="([^"]*)"')
_PLACE = re.compile(r"place=([\d.]+)")


class Declared(NamedTuple):
    """What the source of a view says of it."""

    of: str
    place: float
    name: str
    module: str
    help: str
    options: tuple[str, ...]


@cache
def _defined() -> tuple[Declared, ...]:
    """Every view, read from the sources."""
    found = []
    for path in Path(__file__).parent.glob("*.py"):
        _, *decorated = path.read_text("utf-8").split("\n@view(")
        for at in filter(None, map(_DEFINED.match, decorated)):
            place, told = _PLACE.search(at["rest"]), _HELP.search(at["rest"])
            help_text = told[1] if told else _begun_small(at["said"])
            found.append(
                Declared(
                    at["of"],
                    float(place[1]) if place else LAST,
                    at["name"],
                    path.stem,
                    help_text,
                    tuple(_OPTION.findall(at["takes"])[1:]),
                )
            )
            if alone := _ALONE.search(at["rest"]):
                found.append(Declared(alone[1], FIRST, at["name"], path.stem, "", ()))
    return tuple(sorted(found))


def _begun_small(docstring: str) -> str:
    """The first line of a docstring as one of several that begin small, without a point."""
    text = docstring.removesuffix('"""').rstrip(".")
    first = text.partition(" ")[0]
    return text[:1].lower() + text[1:] if first[1:].islower() or len(first) == 1 else text


def declared(of: str) -> tuple[Declared, ...]:
    """The views of a kind of result, in their order; nothing is imported."""
    return tuple(view for view in _defined() if view.of == of)


def names(of: str) -> dict[str, str]:
    """The names of the views of a kind of result, each with its help; nothing is imported."""
    return {view.name: view.help for view in declared(of)}
