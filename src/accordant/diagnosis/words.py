"""Names from the data in sentences, and sentences that stand in docstrings."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from functools import cache
from inspect import getdoc, getsource
from typing import Any

from ..messages import isolated, label_text, listed, quoted, worded

__all__ = ["isolated", "label_text", "listed", "paragraphs", "quoted", "worded"]


def paragraphs(told: Callable[..., object], words: Mapping[str, Any]) -> tuple[str, ...]:
    """The paragraphs of a docstring behind its first one, filled in; without those left empty."""
    texts = (getdoc(told) or _in_source(told)).split("\n\n")[1:]
    return tuple(text for text in (worded(x, words) for x in texts) if text)


@cache
def _in_source(told: Callable[..., object]) -> str:
    """The docstring of a function where ``python -OO`` left it out."""
    (function,) = ast.parse(getsource(told)).body
    return ast.get_docstring(function) or ""  # type: ignore[arg-type]
