"""What several commands take: aliases of types, with how they are typed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, TypeAlias

from .records import Answer
from .taken import Typed

__all__ = ["Cites", "OneAnswer", "Proposals", "Review", "Typed"]

Cites: TypeAlias = Annotated[Sequence[str], Typed("ELEMENT", "--cites")]
"""Elements of the toolbox."""
OneAnswer: TypeAlias = Annotated[Answer | str | Sequence[str], Typed("ANSWER")]
"""An answer to a question."""
Proposals: TypeAlias = Annotated[Sequence[int], Typed("NUMBER", "--proposal")]
"""Numbers of proposals, as a case shows them."""
Review: TypeAlias = Annotated[str, Typed("DATE", "--review")]
"""A day on which to look again."""
