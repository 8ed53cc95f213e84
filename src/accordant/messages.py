"""What a reader must know, as values.

A message holds a code and facts, which programs and tests look at, and one sentence that is made of
them. What to do next is an action.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from string import Formatter
from typing import Any, Literal, TypeAlias

from .actions import Action
from .fields import FIELDS, shown
from .numbers import p_text

__all__ = ["CATALOGUE", "Message", "MessageKind", "Severity", "catalogued", "worded"]

Severity: TypeAlias = Literal["problem", "warning", "note"]


@dataclass(frozen=True)
class MessageKind:
    """What messages of a code have in common: how severe they are, their words, what to do.

    ``text`` is a template over the facts, see `worded`.
    """

    code: str
    severity: Severity
    title: str
    text: str
    do: Callable[[Mapping[str, Any]], Sequence[Action]] = lambda facts: ()
    sources: tuple[str, ...] = ()


CATALOGUE: dict[str, MessageKind] = {}
"""Every kind of message by its code; kinds are defined beside the analysis that finds them."""


def catalogued(*kinds: MessageKind) -> None:
    """Enter kinds of messages in the catalogue."""
    CATALOGUE.update({kind.code: kind for kind in kinds})


@dataclass(frozen=True)
class Message:
    """What a reader must know.

    Parameters
    ----------
    code : str
        Of a kind in the catalogue.
    facts : mapping
        The numbers and names of the sentence, and further ones.
    question : str or None
    """

    code: str
    facts: Mapping[str, Any] = field(default_factory=dict)
    question: str | None = None

    @property
    def kind(self) -> MessageKind:
        """What it shares with other messages of its code."""
        return CATALOGUE[self.code]

    @property
    def severity(self) -> Severity:
        """A problem, a warning or a note."""
        return self.kind.severity

    @property
    def title(self) -> str:
        """What it is about, in a few words."""
        return self.kind.title

    @property
    def text(self) -> str:
        """What is the case, with the numbers."""
        return worded(self.kind.text, self.facts)

    @property
    def do(self) -> tuple[Action, ...]:
        """The next steps."""
        return tuple(self.kind.do(self.facts))

    def __str__(self) -> str:
        return self.text


class _Words(Formatter):
    """`{skill}` is written by its field, `{n:item}` counts, `{coders:is|are}` agrees in number."""

    def get_value(self, key: int | str, args: Sequence[Any], facts: Mapping[str, Any]) -> Any:
        return key, facts[str(key)]

    def format_field(self, found: Any, spec: str) -> str:
        key, x = found
        one = (x if isinstance(x, int | float) else len(x)) == 1 if spec else False
        if "|" in spec:
            return spec.split("|")[not one]
        if FIELDS[key].kind == "p":
            return p_text(x)
        text = shown(FIELDS[key], x)
        return f"{text} {_plural(spec, one=one)}" if spec else text


def _plural(word: str, *, one: bool) -> str:
    if one:
        return word
    return f"{word[:-1]}ies" if word.endswith("y") else f"{word}s"


def worded(template: str, facts: Mapping[str, Any]) -> str:
    """A sentence made of facts, each written by its field.

    Examples
    --------
    >>> worded("{coders} {coders:is|are} apart on {n:item} ({p_value}).",
    ...        {"coders": ["Ann", "Bob"], "n": 1, "p_value": 1e-4})
    'Ann and Bob are apart on 1 item (p < 0.001).'
    """
    return _Words().vformat(template, (), facts)
