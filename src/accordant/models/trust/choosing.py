"""Which model to take: by known labels, else the default; beside it, predictions of annotations."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from time import perf_counter
from typing import Any, ClassVar

import numpy as np

from ...actions import Action
from ...arrays import Floats
from ...data.annotations import Annotations
from ...data.read import read
from ...errors import AccordantError, RequestError
from ...numbers import count_of, decimal, joined
from ...results import Result
from ...scheme import Value
from ...validation import checked
from ..all import MODELS
from ..call import fit_votes
from ..em import How
from ..gold import Gold, known_labels
from ..model import Model, model_of
from ..posterior import Posterior
from ..votes import Votes, votes
from .accuracy import credit
from .held_out import HeldOut, folds_of, held_out
from .replicates import whole_number
from .truth import truth_of

__all__ = ["SIMPLEST_FIRST", "Candidate", "ModelChoice", "which_model"]


SIMPLEST_FIRST = (
    "majority", "weighted", "one_coin", "mace", "blend", "pooled", "ordinal", "glad",
    "dawid_skene",
)  # fmt: skip
"""The models that are compared if none are named: those with fewer parameters first."""

DEFAULT = "blend"

NOT_USUAL: Mapping[str, str] = {
    "ordinal": "the categories have no order",
    "map": "the model of pooled with a fixed prior",
    "variational": "the model of pooled with a fixed prior",
    "hierarchical": "draws samples of all parameters, which takes long",
    "subtypes": "ten kinds of items in each category, which takes long",
}
"""Why a model is compared only if it is named."""

SLOW = ("glad", "ordinal")
CLEAR = 2.0  # standard errors; less is no clear difference
FEW = 10.0  # annotations per coder and category, below which a matrix of one's own is noise
MANY = 100_000  # annotations, beyond which slow models are left out
MANY_CATEGORIES = 50  # a confusion matrix has the square of it for each coder
LEAN = ("majority", "weighted", "one_coin", "mace")  # without such a matrix
MARGIN = 0.01  # of accuracy: less is not worth a word

WHY: Mapping[str, str] = {
    "majority": "Distinguishing coders does not help: none of the models that do so predicts "
    "clearly better.",
    "weighted": "Coders differ in accuracy; the annotations support no finer distinction.",
    "one_coin": "Coders differ in accuracy, and their errors follow no pattern.",
    "mace": "Coders differ in how often they guess, and each prefers other labels when guessing.",
    "blend": "Coders make different errors, or know and guess; neither account is trusted alone.",
    "pooled": "Coders make different errors; where a coder has few annotations, the estimates are "
    "shrunk towards those of all coders.",
    "ordinal": "Coders err towards neighbours on the scale.",
    "glad": "Items differ in difficulty, and coders in ability.",
    "dawid_skene": "Coders make different errors, and have enough annotations to estimate them.",
}


@dataclass(frozen=True, eq=False)
class Candidate:
    """One model that was compared.

    Parameters
    ----------
    model : Model
    score : float
        Mean log probability of hidden annotations, in nats: the nearer to 0 the better.
    behind : float
        By how much the best model predicts better, per annotation.
    se : float
        Standard error of that, clustered by items; NaN for the best itself.
    accuracy : float
        Against known labels, ties sharing credit; NaN without any.
    seconds : float
        Of a fit to all annotations.
    converged : bool
    skipped : str
        Why it was not compared; empty if it was.
    refused : bool
        Whether it cannot be fitted to these data, even if it is named.
    right : ndarray
        (n,) what its labels of the items with known labels are worth; empty without any.
    """

    model: Model
    score: float = math.nan
    behind: float = math.nan
    se: float = math.nan
    accuracy: float = math.nan
    seconds: float = math.nan
    converged: bool = False
    skipped: str = ""
    refused: bool = False
    right: Floats = field(default_factory=lambda: np.empty(0), repr=False)

    @property
    def clearly_behind(self) -> bool:
        """Whether the best model predicts better by more than two standard errors."""
        return self.behind > CLEAR * self.se


@dataclass(frozen=True, eq=False, repr=False)
class ModelChoice(Result):
    """Models compared by hidden annotations, best first.

    Parameters
    ----------
    question : str or None
    each : tuple of Candidate
        Best prediction first; those that were skipped last.
    n_annotations : int
        How many were hidden and predicted.
    n_gold : int
        Known labels that models were scored by.
    advised : str
        Key of the model to take, see `which_model`.
    advice : tuple of str
        What to do and why, in sentences.
    folds : int
    seed : int
    """

    question: str | None
    each: tuple[Candidate, ...]
    n_annotations: int
    n_gold: int
    advised: str
    advice: tuple[str, ...]
    folds: int
    seed: int
    told_as: ClassVar[str] = "which_model"

    def __getitem__(self, model: str) -> Candidate:
        key = model_of(model).key
        for one in self.each:
            if one.model.key == key:
                return one
        raise RequestError(f"{key!r} was not compared: {joined(c.model.key for c in self.each)}")

    @property
    def best(self) -> str:
        """Key of the model that predicts best, by however little."""
        return self.each[0].model.key

    @property
    def not_compared(self) -> str:
        """Which models were left out and why, in a sentence; empty if none was."""
        reasons: dict[str, list[str]] = {}
        for c in self.each:
            if c.skipped:
                reasons.setdefault(c.skipped, []).append(c.model.key)
        told = [f"{joined(names)} ({why})" for why, names in reasons.items()]
        return f"Not compared: {'; '.join(told)}." if told else ""

    @property
    def to_name(self) -> tuple[str, ...]:
        """Keys of the models that can be compared too if they are named."""
        return tuple(c.model.key for c in self.each if c.skipped and not c.refused)

    def to_rows(self) -> list[dict[str, Any]]:
        """One row for each model, best first."""
        return [
            {
                "question": self.question, "model": c.model.key, "name": c.model.name,
                "score": c.score, "behind": c.behind, "se": c.se,
                "clearly_behind": c.clearly_behind, "advised": c.model.key == self.advised,
                "accuracy": c.accuracy, "seconds": c.seconds, "converged": c.converged,
                "skipped": c.skipped or None,
            }
            for c in self.each
        ]  # fmt: skip


@checked
def which_model(
    data: Any,
    models: str | Iterable[str] | None = None,
    *,
    gold: Gold | None = None,
    folds: int = 5,
    abstentions: str = "missing",
    rng: int = 0,
    progress: Callable[[int, int], None] | None = None,
    **reading: Any,
) -> ModelChoice:
    """Compare models by how well they predict annotations that were hidden from them."""
    whole_number(folds, "folds", 2)
    whole_number(rng, "seed", 0)
    if isinstance(models, str):
        models = [models]
    own = _one_question(read(data, **reading))
    known, holders = ({}, ()) if gold is None else known_labels(gold, own)
    table = votes(own, without=holders, abstentions=abstentions)
    how = How(seed=rng)
    fold = folds_of(table, folds, how.generator(11))
    if not (fold >= 0).any():
        raise RequestError(
            "every item has one coder, so there is nothing to predict: models of coders need items "
            "with two or more"
        )
    wanted = [*_default(own, table)] if models is None else _named(models)
    compared = [model for model, why in wanted if not why]
    done, total = 0, len(compared) * (folds + 1)

    def step() -> None:
        nonlocal done
        done += 1
        if progress is not None:
            progress(done, total)

    found: list[tuple[Candidate, HeldOut]] = []
    skipped = [
        Candidate(model, skipped=why, refused=why == NOT_USUAL["ordinal"])
        for model, why in wanted
        if why
    ]
    for model in compared:
        try:
            hidden = held_out(table, model, how, fold, step=step)
            begin = perf_counter()
            posterior = fit_votes(own.questions[0] or None, own, table, model, how, {})
        except AccordantError as error:
            skipped.append(Candidate(model, skipped=f"cannot be fitted: {error}", refused=True))
            continue
        seconds = perf_counter() - begin
        right = _credited(posterior, known)
        one = Candidate(
            model, hidden.mean, accuracy=float(right.mean()) if known else math.nan,
            seconds=seconds, converged=posterior.converged, right=right,
        )  # fmt: skip
        found.append((one, hidden))
        step()
    if not found:
        raise RequestError(f"no model could be compared: {skipped[0].skipped}")
    each = _ranked(found)
    advised = _advised(each)
    return ModelChoice(
        own.questions[0] or None, (*each, *skipped), found[0][1].n, len(known), advised,
        _advice(each, advised, table), folds, rng,
    )  # fmt: skip


def _credited(posterior: Posterior, known: Mapping[Hashable, Value]) -> Floats:
    """(n,) what the labels of items with known labels are worth; empty without any."""
    if not known:
        return np.empty(0)
    return credit(posterior, truth_of(posterior.votes, posterior.data, known).codes, "share")


def _one_question(data: Annotations) -> Annotations:
    if len(data.questions) != 1:
        raise RequestError(
            f"models are compared for one question: the data have {joined(data.questions)}",
            do=[Action("of_question", {"question": data.questions[0]})],
        )
    return data


def _named(models: Iterable[str]) -> list[tuple[Model, str]]:
    found = list(dict.fromkeys(model_of(m).key for m in models))
    if not found:
        raise RequestError("name one model or more", parameter="models")
    return [(MODELS[key], "") for key in found]


def _default(data: Annotations, table: Votes) -> Iterable[tuple[Model, str]]:
    """Quick models, and why others were skipped."""
    ordered = data.schemes[0].scale not in ("nominal", "circular")
    for key in dict.fromkeys((*SIMPLEST_FIRST, *MODELS)):
        why = ""
        if key not in SIMPLEST_FIRST or (key == "ordinal" and not ordered):
            why = NOT_USUAL[key]
        elif key in SLOW and len(table) > MANY:
            why = f"slow with {count_of(len(table), 'annotation')}"
        elif key not in LEAN and table.n_categories > MANY_CATEGORIES:
            why = f"slow with {count_of(table.n_categories, 'category', 'categories')}"
        yield MODELS[key], why


def _ranked(found: Sequence[tuple[Candidate, HeldOut]]) -> list[Candidate]:
    """Best first, each with how far it is behind the best."""
    order = sorted(found, key=lambda x: -x[0].score)
    best = order[0][1]
    out = [replace(order[0][0], behind=0.0)]
    for one, hidden in order[1:]:
        behind, se = hidden.less(best)
        out.append(replace(one, behind=behind, se=se))
    return out


def _place(key: str) -> int:
    return SIMPLEST_FIRST.index(key) if key in SIMPLEST_FIRST else len(SIMPLEST_FIRST)


def _usual(each: Sequence[Candidate]) -> Candidate:
    """The default; without it the simplest model within a standard error of the best prediction."""
    for c in each:
        if c.model.key == DEFAULT:
            return c
    near = [c for c in each if c.behind == 0 or c.behind <= c.se]
    return min(near, key=lambda c: (_place(c.model.key), c.behind))


def _advised(each: Sequence[Candidate]) -> str:
    """The usual model, unless known labels clearly speak for another one.

    How well hidden annotations are predicted says which labels coders give, shared errors
    included, and not which labels are right.
    """
    usual = _usual(each)
    better = [c for c in each if _clearly_righter(c, usual)]
    return max(better, key=lambda c: c.accuracy, default=usual).model.key


def _clearly_righter(one: Candidate, other: Candidate) -> bool:
    """Whether labels of a model are clearly more often right, of those that are known."""
    if not len(one.right) or one is other:
        return False
    gain = one.right - other.right
    se = float(gain.std()) / math.sqrt(len(gain))
    return float(gain.mean()) > max(MARGIN, CLEAR * se)


def _advice(each: Sequence[Candidate], advised: str, table: Votes) -> tuple[str, ...]:
    """What to do, in sentences."""
    name = MODELS[advised].name
    own, usual = next(c for c in each if c.model.key == advised), _usual(each)
    if own is not usual:
        said = [
            f"Take {name} ({advised!r}): of the known labels it has {decimal(own.accuracy)} right, "
            f"and {usual.model.name} {decimal(usual.accuracy)}; known labels weigh more than "
            "predictions of annotations."
        ]
    elif advised == DEFAULT:
        said = [f"Take {name} ({advised!r}), the default."]
    else:
        said = [
            f"Take {name} ({advised!r}): it is the simplest of those within a standard error of "
            "the best prediction of hidden annotations."
        ]
    said.append(WHY.get(advised, MODELS[advised].assumption))
    if not len(own.right):
        said.append(
            "Which labels are right cannot be decided by annotations alone: predictions of hidden "
            "annotations say what coders answer, shared errors included. Known labels of about 50 "
            "items would compare the models."
        )
    best = each[0]
    if best is not own:
        said.append(f"Hidden annotations are predicted best by {best.model.name}.")
    unclear = [c.model.name for c in each if not c.clearly_behind and c is not best]
    if unclear:
        said.append(f"Not clearly worse at predicting: {joined(unclear)}.")
    per_row = float(np.median(table.per_coder)) / table.n_categories
    if advised == "dawid_skene" and per_row < FEW and "pooled" in MODELS:
        said.append(
            f"Half of the coders have fewer than {decimal(per_row, 1)} annotations for each "
            "category: 'pooled' draws what they hardly show towards the others."
        )
    return tuple(said)
