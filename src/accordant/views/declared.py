"""Which views there are, read from their sources: a help text costs no statistics."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import NamedTuple

__all__ = ["DETAIL", "LAST", "Declared", "declared", "names"]

LAST = 1000.0
DETAIL = 100.0
"""Views from this place on are shown only to those who ask for them by name."""

_DEFINED = re.compile(
    r'^@view\(\s*"(?P<name>[^"]+)",\s*of="(?P<of>[^"]+)"(?P<rest>.*?)\)(?:  #[^\n]*)?\n'
    r"def \w+\((?P<takes>.*?)\) -> [^\n]*\n"
    r'    """(?P<help>[^.]*)',
    re.M | re.S,
)
_OPTION = re.compile(r"(\w+):")
_HELP = re.compile(r'help="([^"]*)"')
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
        source = path.read_bytes()
        if b"\n@view(" not in source:
            continue
        for at in _DEFINED.finditer(source.decode()):
            place, given = _PLACE.search(at["rest"]), _HELP.search(at["rest"])
            told = given[1] if given else at["help"]
            found.append(Declared(
                at["of"], float(place[1]) if place else LAST, at["name"], path.stem,
                told if told[1:2].isupper() else f"{told[:1].lower()}{told[1:]}",
                tuple(_OPTION.findall(at["takes"])[1:]),
            ))  # fmt: skip
    return tuple(sorted(found))


def declared(of: str) -> tuple[Declared, ...]:
    """The views of a kind of result, in their order; nothing is imported."""
    return tuple(view for view in _defined() if view.of == of)


def names(of: str) -> dict[str, str]:
    """The names of the views of a kind of result, each with its help; nothing is imported."""
    return {view.name: view.help for view in declared(of)}
