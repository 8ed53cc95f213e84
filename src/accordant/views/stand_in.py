"""Can the model stand in for a coder: the alternative annotator test, and agreement beside it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ..data.annotations import Annotations
from ..data.read import read
from ..diagnosis.words import listed
from ..errors import RequestError, unknown
from ..models.standing_in.call import model_as_coder
from ..models.standing_in.limits import not_for
from ..models.standing_in.result import ModelAsCoder
from ..numbers import joined
from .document import Block, Section
from .study import Part, Study
from .view import named

__all__ = ["Standing", "stand_in_section", "standing"]

Standing = dict[int, ModelAsCoder]
"""Position of a question among those of the study → the comparison."""


def standing(study: Study, models: Any) -> Standing:
    """Every question's models beside its humans.

    Parameters
    ----------
    study : Study
    models : str, sequence of str, or a source
        As in `model_as_coder`; None for none.

    Raises
    ------
    RequestError
        If nobody is a model or a human.
    """
    if models is None:
        return {}
    names = [models] if isinstance(models, str) else models
    of_data = isinstance(names, list | tuple) and all(isinstance(x, str) for x in names)
    inside = of_data and bool(names) and any(x in study.data.coders for x in names)
    if of_data and not inside and names and not all(Path(name).exists() for name in names):
        hint = "Models are coders of the data, or a file"
        raise unknown("coder", names[0], study.data.coders, hint=hint, parameter="models")
    other = None if inside or not names else read(models)
    found: Standing = {}
    for k, part in enumerate(study.each):
        own = _of(other, part, study)
        if own is None and other is not None:
            continue
        found[k] = model_as_coder(part.found.data, names if own is None else own, level=part.level)
    if not found:
        raise RequestError("the file has none of the questions of the data", parameter="models")
    return found


def _of(other: Annotations | None, part: Part, study: Study) -> Annotations | None:
    """The annotations by the models of one question, if they come from another source."""
    if other is None or not study.questions:
        return other
    question = str(part.question)
    return other.of_question(question) if question in other.questions else None


def stand_in_section(study: Study, found: Standing) -> Section | None:
    """Whether models may stand in for humans; None unless models were named."""
    if not found:
        return None
    of = {id(study.each[k]): one for k, one in found.items()}
    chosen = [part for part in study.each if id(part) in of]
    names = list(dict.fromkeys(name for one in found.values() for name in one.models))
    title = (
        "Can the model stand in for a coder?" if len(names) == 1
        else "Can a model stand in for a coder?"
    )  # fmt: skip
    return Section(
        "stand-in", title, study.told_of(chosen, lambda part: _lead(of[id(part)])),
        study.per_question(chosen, lambda part: _blocks(of[id(part)])),
    )  # fmt: skip


def _lead(found: ModelAsCoder) -> str:
    passed = [t.model for t in found.tests if t.passed]
    failed = [t.model for t in found.tests if t.passed is False]
    untested = [t.model for t in found.tests if t.passed is None]
    parts = []
    if passed:
        parts.append(f"{listed(passed)} may stand in for coders like these")
    if failed:
        parts.append(f"{listed(failed)} may not, or not yet")
    if untested:
        parts.append(f"{listed(untested)} could not be tested")
    but = "".join(f" But {x}" for x in not_for(found, passed))
    return (
        f"By the alternative annotator test, {joined(parts)}.{but} In the other sections a model "
        "that is among the coders counts as one of them."
    )


def _blocks(found: ModelAsCoder) -> Iterator[Block]:
    for name in ("tests", "agreement", "findings", "humans", "rivals"):
        yield from named("compare-models", name).make(found)
