"""The public call: CrowdTruth 2.0."""

from __future__ import annotations

from collections.abc import Callable
from numbers import Integral
from typing import Any

from ...data.annotations import Annotations
from ...data.read import read
from ...errors import RequestError
from ...validation import checked
from ..each import Each
from ..votes import votes
from .result import CrowdTruth, Task
from .rounds import Rounds
from .vectors import vectors

__all__ = ["crowdtruth"]


@checked
def crowdtruth(
    data: Any,
    *,
    task: Task = "closed",
    tolerance: float = 0.001,
    max_iterations: int = 500,
    progress: Callable[[int, int], None] | None = None,
    **reading: Any,
) -> CrowdTruth | Each[CrowdTruth]:
    """Quality of items, coders and categories after CrowdTruth 2.0: each judged by the others."""
    if task not in ("closed", "open"):
        raise RequestError(f"choose 'closed' or 'open', not {task!r}", parameter="task")
    if isinstance(tolerance, bool) or not isinstance(tolerance, int | float) or tolerance <= 0:
        raise RequestError(f"a number above 0, not {tolerance!r}", parameter="tolerance")
    whole = isinstance(max_iterations, Integral) and not isinstance(max_iterations, bool)
    if not whole or max_iterations < 1:
        raise RequestError(
            f"a whole number from 1 up, not {max_iterations!r}", parameter="max_iterations"
        )
    annotations = read(data, **reading)
    found = tuple(
        _of(question, annotations.of_question(question), task, tolerance, max_iterations, progress)
        for question in annotations.questions
    )
    return found[0] if len(found) == 1 else Each(found)


def _of(
    question: str,
    data: Annotations,
    task: Task,
    tolerance: float,
    most: int,
    progress: Callable[[int, int], None] | None,
) -> CrowdTruth:
    found = vectors(votes(data))
    rounds = Rounds(found, task == "closed")
    first, last, change, n = rounds.run(tolerance, most, progress)
    return CrowdTruth(question or None, data, found, task, tolerance, last, first, change, n)
