"""Models compared with humans for a report: those that were named, question by question."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ..data.annotations import Annotations
from ..data.read import read
from ..diagnosis.diagnose import Diagnosis, Part
from ..errors import RequestError, unknown
from ..models.standing_in.call import model_as_coder
from ..models.standing_in.result import ModelAsCoder

__all__ = ["standing"]


def standing(diagnosed: Diagnosis, models: Any) -> tuple[ModelAsCoder, ...]:
    """Every question's models beside its humans.

    Parameters
    ----------
    diagnosed : Diagnosis
    models : str, sequence of str, or a source
        As in `model_as_coder`; None for none.

    Raises
    ------
    RequestError
        If nobody is a model or a human.
    """
    if models is None:
        return ()
    names = [models] if isinstance(models, str) else models
    of_data = isinstance(names, list | tuple) and all(isinstance(x, str) for x in names)
    inside = of_data and bool(names) and any(x in diagnosed.data.coders for x in names)
    if of_data and not inside and names and not all(Path(name).exists() for name in names):
        hint = "Models are coders of the data, or a file"
        raise unknown("coder", names[0], diagnosed.data.coders, hint=hint, parameter="models")
    other = None if inside or not names else read(models)
    found: list[ModelAsCoder] = []
    for part in diagnosed.each:
        own = _of(other, part)
        if own is None and other is not None:
            continue
        found.append(model_as_coder(part.data, names if own is None else own, level=part.level))
    if not found:
        raise RequestError("the file has none of the questions of the data", parameter="models")
    return tuple(found)


def _of(other: Annotations | None, part: Part) -> Annotations | None:
    """The annotations by the models of one question, if they come from another source."""
    if other is None or part.question is None:
        return other
    question = str(part.question)
    return other.of_question(question) if question in other.questions else None
