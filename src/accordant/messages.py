"""What a reader must know, as values.

A message holds a code and facts, which programs and tests look at, and one sentence that is made of
them. What to do next is an action.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from string import Formatter
from typing import Any, Literal, TypeAlias
from unicodedata import bidirectional

from .actions import Action
from .fields import FIELDS, shown
from .numbers import count_of, decimal, joined, p_text, percent

Severity: TypeAlias = Literal["problem", "warning", "note"]


@dataclass(frozen=True)
class MessageKind:
    """What messages of a code have in common: how severe they are, their words, what to do.

    ``title``, ``text`` and ``advice`` are templates over the facts, see `worded`.
    """

    code: str
    severity: Severity
    title: str
    text: str
    do: Callable[[Mapping[str, Any]], Sequence[Action]] = lambda facts: ()
    sources: tuple[str, ...] = ()
    advice: str = ""


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


def label_text(value: Any) -> str:
    """A label, or a set of labels, as a reader sees it.

    Examples
    --------
    >>> label_text("yes"), label_text(("place", "person")), label_text(()), label_text("")
    ('yes', 'place + person', '(no label)', '(empty)')
    """
    if isinstance(value, tuple):
        return " + ".join(map(label_text, value)) or "(no label)"
    return str(value) if str(value).strip() else "(empty)"


def quoted(value: Any) -> str:
    """A name from the data in a sentence, so that the reader sees where it ends.

    Examples
    --------
    >>> quoted("yes"), quoted(3), quoted(("place", "person"))
    ('“yes”', '“3”', '“place + person”')
    """
    return f"“{isolated(label_text(value))}”"


def isolated(text: str) -> str:
    r"""Text that keeps its place in a sentence, whichever way its script runs.

    Without this, two right-to-left names with a number between them change places. The signs are
    those of Unicode Standard Annex 9; they are not seen, and only put where they are needed.

    Examples
    --------
    >>> isolated("Ada"), ascii(isolated("נועה"))
    ('Ada', "'\\u2068\\u05e0\\u05d5\\u05e2\\u05d4\\u2069'")
    """
    backwards = not text.isascii() and any(bidirectional(c) in ("R", "AL") for c in text)
    return f"\N{FIRST STRONG ISOLATE}{text}\N{POP DIRECTIONAL ISOLATE}" if backwards else text


def member(value: Any) -> str:
    """A name of a list, quoted where it holds the comma that separates them.

    Examples
    --------
    >>> member("Ann"), member("Lee, Ann")
    ('Ann', '“Lee, Ann”')
    """
    text = label_text(value)
    return quoted(text) if "," in text else isolated(text)


def listed(values: Iterable[Any], most: int = 5) -> str:
    """Names in a sentence, the first few of many.

    Examples
    --------
    >>> listed(["a", "b", "c"]), listed(range(9), most=2)
    ('“a”, “b” and “c”', '“0”, “1” and 7 more')
    """
    return joined(map(quoted, values), most=most)


WRITTEN: Mapping[str, Callable[[Any], str]] = {
    "quoted": quoted,
    "listed": listed,
    "p": p_text,
    "%": percent,
    "%2": lambda x: percent(x, 2),
    ".2": lambda x: decimal(x, 2),
    ".3": decimal,
}
"""How a placeholder is written, by what stands behind its colon."""


class _Words(Formatter):
    def get_field(self, name: str, args: Sequence[Any], facts: Mapping[str, Any]) -> Any:
        return (name, super().get_field(name, args, facts)[0]), name

    def format_field(self, found: Any, spec: str) -> str:
        name, x = found
        if not spec:
            if name not in FIELDS:
                return str(x)
            return p_text(x) if FIELDS[name].kind == "p" else shown(FIELDS[name], x)
        if spec in WRITTEN:
            return WRITTEN[spec](x)
        n = x if isinstance(x, int | float) else len(x) if hasattr(x, "__len__") else math.nan
        if "|" in spec:
            return spec.split("|")[n != 1]
        if spec.replace(" ", "").isalpha():
            return count_of(n, spec, f"{spec[:-1]}ies" if spec.endswith("y") else "")
        return format(x, spec)


def worded(template: str, facts: Mapping[str, Any]) -> str:
    r"""A template, whose lines may break anywhere, with its placeholders filled in.

    A fact is written by its field; behind a colon stands another way (`WRITTEN`), a number format,
    a noun that is counted, or ``is|are``, which agrees in number.

    Examples
    --------
    >>> worded("{coders} {coders:is|are} apart on {n:item} ({p_value}).",
    ...        {"coders": ["Ann", "Bob"], "n": 1, "p_value": 1e-4})
    'Ann and Bob are apart on 1 item (p < 0.001).'
    >>> worded("{n:category} {n:is|are}\n{name:quoted}.", {"n": 2, "name": "a"})
    '2 categories are “a”.'
    """
    return _Words().vformat(template.replace("\n", " "), (), facts)
