"""Where each command of `accordant project` is defined: a step, a view, or a function of this room.

The sources are read without importing them, so that a list of all commands costs nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from importlib import import_module
from importlib.resources import files
from typing import Any, NamedTuple, TypeVar

__all__ = ["Definition", "definitions", "step"]

F = TypeVar("F", bound=Callable[..., Any])
PLACES = (
    ("step", __package__),
    ("command", "accordant.resolution"),
    ("view", "accordant.views"),
)
# What defines, and where: a function of this room goes before a step of the procedure.
DEFINED = re.compile(
    r'^@(?P<kind>command|step|view)\(\s*"(?P<name>[^"]+)"(?P<rest>.*?)^def (?P<function>\w+)\('
    r'.*?"""(?P<summary>[^\n]*?)(?:"""|\n)',
    re.M | re.S,
)
TYPED = re.compile(r'typed="([^"]+)"')


class Definition(NamedTuple):
    """A function behind words that are typed, such as "case cause"."""

    kind: str
    words: str
    module: str
    function: str
    summary: str

    def load(self) -> Callable[..., Any]:
        """The function, imported now."""
        found: Callable[..., Any] = getattr(import_module(self.module), self.function)
        return found


def step(words: str, *, takes: str = "") -> Callable[[F], F]:
    """A function of this room as the command of some words; the literal is read from the source.

    Its first parameter is `Acting`; ``**given`` stands for what the step ``takes`` besides.
    """

    def keep(function: F) -> F:
        function.takes = takes  # type: ignore[attr-defined]
        return function

    return keep


@cache
def definitions() -> dict[str, tuple[Definition, ...]]:
    """Every definition by what is typed; a step with a flag stands under "items --freeze" too."""
    found: dict[str, list[Definition]] = {}
    for kind, package in PLACES:
        for path in sorted(files(package).iterdir(), key=lambda path: path.name):
            ours = path.name.endswith(".py") and (kind != "view" or path.name.startswith("project"))
            text = path.read_text(encoding="utf-8") if ours else ""
            for at in DEFINED.finditer(text):
                words = TYPED.search(at["rest"])
                if at["kind"] == kind:
                    one = Definition(
                        kind, words[1] if words else at["name"], f"{package}.{path.name[:-3]}",
                        at["function"], at["summary"],
                    )  # fmt: skip
                    found.setdefault(one.words, []).append(one)
    return {words: tuple(each) for words, each in found.items()}
