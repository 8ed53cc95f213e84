"""What a finding is about, in the words of the pattern or the rule that found it."""

from __future__ import annotations

from typing import Any

from .about_questions import POOLED_RULES
from .finding import RULES
from .patterns.pattern import PATTERNS

__all__ = ["title_of"]


def title_of(code: str) -> str:
    """The title of findings of a code: the first line of what their pattern or rule says of itself.

    Examples
    --------
    >>> import accordant
    >>> title_of("confused_pair"), title_of("something_else")
    ('Categories confused', 'Something else')
    """
    known: dict[str, Any] = {**RULES, **POOLED_RULES, **PATTERNS}
    told = known[code].__doc__ if code in known else None
    return (told or code.replace("_", " ").capitalize()).split("\n")[0].rstrip(".")
