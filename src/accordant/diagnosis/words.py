"""Labels, coders and questions in a sentence."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from inspect import getdoc, getsource
from string import Formatter
from typing import Any
from unicodedata import bidirectional

from ..numbers import count_of, decimal, joined, p_text, percent

__all__ = ["isolated", "label_text", "listed", "paragraphs", "quoted", "worded"]


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
"""How a placeholder of a template is written, by what stands behind its colon."""


class _Words(Formatter):
    def format_field(self, x: Any, spec: str) -> str:
        """As `WRITTEN` says; a word is counted, ``was|were`` agrees in number."""
        if spec in WRITTEN:
            return WRITTEN[spec](x)
        if "|" in spec:
            one, many = spec.split("|")
            return one if x == 1 else many
        if spec.replace(" ", "").isalpha():
            return count_of(x, spec, f"{spec[:-1]}ies" if spec.endswith("y") else "")
        return format(x, spec)


def worded(template: str, words: Mapping[str, Any]) -> str:
    r"""A template, whose lines may break anywhere, with its placeholders filled in.

    Examples
    --------
    >>> worded("{n:category} {n:is|are}\n{name:quoted}, {share:%}.",
    ...        {"n": 2, "name": "a", "share": 0.25}).replace("\xa0", " ")
    '2 categories are “a”, 25.0 %.'
    """
    return _Words().vformat(template.replace("\n", " "), (), words)


def paragraphs(told: Callable[..., object], words: Mapping[str, Any]) -> tuple[str, ...]:
    """The paragraphs of a docstring behind its first one, filled in; without those left empty."""
    texts = (getdoc(told) or _in_source(told)).split("\n\n")[1:]
    return tuple(text for text in (worded(x, words) for x in texts) if text)


@cache
def _in_source(told: Callable[..., object]) -> str:
    """The docstring of a function where ``python -OO`` left it out."""
    (function,) = ast.parse(getsource(told)).body
    return ast.get_docstring(function) or ""  # type: ignore[arg-type]
