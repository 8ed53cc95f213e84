"""Models behind a report, question by question: those fitted to coders, those beside humans."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from ..api.model_use import model_as_coder
from ..data.annotations import Annotations
from ..data.names import consensus_like
from ..data.read import read
from ..data.table import plain
from ..diagnosis.diagnose import Diagnosis, Part
from ..diagnosis.items import Items
from ..errors import AccordantError, RequestError, unknown
from ..models.alternative_test import ModelAsCoder
from ..models.call import fitted as fitted_model
from ..models.gold import Gold, gold_labels, gold_of_question
from ..models.model import DEFAULT, Model, model_of
from ..models.posterior import Posterior
from ..models.set_posterior import SetPosterior
from ..numbers import count_of
from ..scheme import Value
from .chapters import Told
from .fit_part import FitPart
from .names import measurements

__all__ = ["Fit", "Fitted", "coder_of", "fits", "standing"]

Fit: TypeAlias = str | bool | None

FEWEST = 3  # coders
QUICK = 10_000  # annotations x labels; with more only what is fast is done unasked
TOO_MANY = 3_000_000  # the same; with more nothing is done unasked
MOST_LABELS = 30  # of sets, each of which has a model of its own; the same
FEW_LABELS = 12  # of sets, with which everything is looked at
MOST_CELLS = 4_000_000  # of all confusion matrices


@dataclass(frozen=True, eq=False)
class Fitted(FitPart):
    """What a model makes of one question of a report, or why there is none.

    Parameters
    ----------
    part : Part
        The diagnosis of the question.
    reason : str
        Why there is no model: a sentence. Empty if there is one.
    thorough : bool
        Whether what takes longer is done too.
    known : mapping
        Item to right label, which the model has not seen.
    unused : tuple of str
        Columns about the items that look like known labels and were not asked for.
    """

    fitted: Posterior | SetPosterior | None
    part: Part
    reason: str = ""
    thorough: bool = True
    known: Mapping[Hashable, Value] = field(default_factory=dict)
    unused: tuple[str, ...] = ()

    @property
    def question(self) -> str | None:
        """That of the diagnosis."""
        return self.part.question

    @property
    def diagnosed(self) -> Items:
        """The items as the report knows them."""
        return self.part.items

    @property
    def told(self) -> Told:
        """As the report tells it."""
        options = {"truth": dict(self.known) or None, "level": self.part.level}
        out = set() if self.known else {"scores", "calibration"}
        if not self.thorough or not self.believes:
            out.add("ambiguity")
        return Told("fit", self, options, frozenset(out))


def coder_of(gold: Gold | None, data: Annotations) -> str | None:
    """The coder who holds the known labels, if it is one."""
    coders = (*data.coders, *(data.persons or ()))
    return gold if isinstance(gold, str) and gold in coders else None


def fits(found: Diagnosis, fit: Fit, gold: Gold | None = None) -> tuple[Fitted, ...]:
    """A model for each question, or why there is none.

    Parameters
    ----------
    found : Diagnosis
    fit : str, bool or None
        The key of a model; True for the usual one; None for the usual one, but only what goes
        quickly; False for none.
    gold : str, path, mapping or frame, optional
        The coder whose labels are right, or known labels as in `gold_labels`.

    Raises
    ------
    InputError
        If known labels cannot be read.
    RequestError
        If there is no such model, or nothing to score by known labels.
    """
    if fit is False:
        if gold is not None and coder_of(gold, found.data) is None:
            raise RequestError(
                "known labels show how right the labels of a model are, but no model is wanted: "
                "leave them out, or name the coder whose labels are right",
                parameter="gold",
            )
        return ()
    asked = fit is not None
    model = model_of(fit if isinstance(fit, str | Model) else DEFAULT)
    return tuple(_fitted(part, model, asked, gold, found.data) for part in found.each)


def _fitted(part: Part, model: Model, asked: bool, gold: Gold | None, every: Annotations) -> Fitted:
    data = part.data
    known: Mapping[Hashable, Value] = {}
    holder = coder_of(gold, data)
    if gold is not None and coder_of(gold, every) is None:
        own = gold_of_question(gold, str(part.question or every.questions[0]), every)
        known = {} if own is None else gold_labels(own, data).labels
    if reason := next(_against(part, data, asked), ""):
        return Fitted(None, part, reason)
    try:
        if holder is not None:
            known, holders, _ = gold_labels(holder, data)
            persons = zip(data.coders, data.persons or data.coders, strict=True)
            data = data.of_coders([c for c, person in persons if not {c, person} & {*holders}])
            if reason := next(_against(part, data, asked), ""):
                return Fitted(
                    None, part, f"Without {holder}, whose labels count as right: {reason}"
                )
        quick = _labels(part) <= FEW_LABELS and len(data.answered) * _labels(part) <= QUICK
        raw = fitted_model(data, model, restarts=None if quick or asked else 0)
    except AccordantError as error:
        return Fitted(None, part, f"{model.name} could not be fitted: {error}.")
    if not isinstance(raw, Posterior | SetPosterior):
        return Fitted(None, part, "There are several questions: each has a model of its own.")
    unused = () if known else _columns(data)
    return Fitted(raw, part, "", asked or quick, known, unused)


def _columns(data: Annotations) -> tuple[str, ...]:
    """Columns about the items that hold labels of the scheme, and are called gold or the like."""
    labels = {plain(x) for x in data.schemes[0].categories}
    return tuple(
        name
        for name, facts in data.metadata.items()
        if name not in data.reading.derived
        and consensus_like(name)
        and {plain(x) for x in facts} & labels
    )


def _labels(part: Part) -> int:
    """How many models there are: of sets one for each label."""
    return max(len(part.scheme.categories), 1) if part.counts.of_sets else 1


def _against(part: Part, data: Annotations, asked: bool) -> Iterator[str]:
    """Why no model of coders fits these annotations, if none does."""
    if data.anonymous:
        yield "The data do not say who annotated what, so nothing can be said of single coders."
        return
    if part.continuous:
        yield f"{measurements(part)} Models of coders are about labels from a list of categories."
    if not part.coverage.n_pairable:
        yield "No item has two annotations, so nothing shows which coder is right."
    if part.counts.n_values < 2:
        yield "All annotations are the same, so they tell nothing about who is right."
    n_coders = len(np.unique(data.answered.coder))
    if n_coders < FEWEST:
        yield (
            f"{'One coder' if n_coders == 1 else 'Two coders'} cannot show who is right where they "
            "differ: a third coder, or items whose label is known, would."
        )
    if asked:
        return
    late = "it takes long and was not asked for"
    k, n, n_models = len(part.scheme.categories), len(data.answered), _labels(part)
    if not part.counts.of_sets and len(data.coders) * k * k > MOST_CELLS:
        yield f"No model of {count_of(len(data.coders), 'coder')} with {k:,} categories: {late}."
    if n_models > MOST_LABELS:
        yield f"Each of {n_models:,} labels would have a model of its own: {late}."
    if n * n_models > TOO_MANY:
        yield f"No model of {count_of(n, 'annotation')}: {late}."


# ------------------------------------------------------------------ models beside humans


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
    named = isinstance(names, list | tuple) and all(isinstance(x, str) for x in names)
    inside = named and (not names or any(x in diagnosed.data.coders for x in names))
    if named and not inside and not all(Path(name).exists() for name in names):
        hint = "Models are coders of the data, or a file"
        raise unknown("coder", names[0], diagnosed.data.coders, hint=hint, parameter="models")
    other = None if inside else read(models)
    each = [(part, names if other is None else _of(other, part)) for part in diagnosed.each]
    if not any(own is not None for _, own in each):
        raise RequestError("the file has none of the questions of the data", parameter="models")
    return tuple(
        model_as_coder(part.data, own, level=part.level) for part, own in each if own is not None
    )


def _of(other: Annotations, part: Part) -> Annotations | None:
    """The annotations of one question by models from another source."""
    if part.question is None:
        return other
    return other.of_question(part.question) if part.question in other.questions else None
