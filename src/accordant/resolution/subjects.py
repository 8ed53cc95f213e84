"""Every subject of the procedure: its events, how they are folded, its guards and its commands.

Importing this registers them all. A new subject is one file, named here.
"""

from __future__ import annotations

from . import (
    annotation,
    assessment,
    cases,
    completion,
    concepts,
    going,
    guidelines,
    imports,
    items,
    meeting,
    orders,
    outcomes,
    people,
    rescoring,
    returns,
    rounds,
    setup,
    statement,
    task,
    transitions,
)
from .importing import command as importing

SUBJECTS = (
    setup, people, items, task, guidelines, concepts, orders, rounds, annotation,
    imports, importing, transitions, going, meeting, cases, assessment, rescoring,
    outcomes, returns, completion, statement,
)  # fmt: skip
"""In the order of the procedure."""

__all__ = ["SUBJECTS"]
