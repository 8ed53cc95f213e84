"""Labels, coders and questions in a sentence."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any
from unicodedata import bidirectional

from ..numbers import joined

__all__ = ["isolated", "label_text", "listed", "quoted"]


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
