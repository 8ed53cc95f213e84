"""Which model to take: by known labels, else the default; beside it, predictions of annotations."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from time import perf_counter
from typing import Any, ClassVar

import numpy as np

from ...actions import Action
from ...arrays import Bools, Floats, Ints
from ...data.annotations import Annotations
from ...data.read import read
from ...errors import AccordantError, RequestError
from ...numbers import ESTIMATED, count_of, decimal, joined, tied
from ...results import Result
from ...validation import checked
from ..call import fit_votes, refuse_option_of_model
from ..em import How
from ..estimate import Estimate, state_beliefs
from ..gold import Gold, known_labels, truth_of
from ..model import DEFAULT, Model, model_of, whole
from ..model_list import MODELS
from ..votes import Votes, votes
from .accuracy import credit

__all__ = [
    "Candidate",
    "HeldOut",
    "ModelChoice",
    "folds_of",
    "held_out",
    "predicted",
    "which_model",
]


SURPRISE = 0.01  # part of a prediction that is spread over all answers: nothing is impossible
CELLS = 4_000_000  # of tables that are held at a time


@dataclass(frozen=True, eq=False)
class HeldOut:
    """Predictions of hidden annotations.

    Parameters
    ----------
    log_probability : ndarray
        (N,) log probability of each annotation when it was hidden, in nats; NaN where it never
        was, being the only one of its item.
    times : ndarray
        (N,) how often each stands in the data.
    item : ndarray of int
        (N,) its item.
    """

    log_probability: Floats
    times: Floats
    item: Ints

    @property
    def n(self) -> int:
        """Annotations that were predicted."""
        return int(self.times[~np.isnan(self.log_probability)].sum())

    @property
    def mean(self) -> float:
        """Mean log probability of an annotation."""
        seen = ~np.isnan(self.log_probability)
        if not seen.any():
            return math.nan
        return float(np.average(self.log_probability[seen], weights=self.times[seen]))

    def less(self, other: HeldOut) -> tuple[float, float]:
        """By how much the other predicts better, and the standard error, clustered by items.

        The difference of the mean log probability of the same annotations.
        """
        seen = ~np.isnan(self.log_probability)
        d = (other.log_probability - self.log_probability)[seen]
        times, item = self.times[seen], self.item[seen]
        n = times.sum()
        mean = float((d * times).sum() / n)
        of_item = np.bincount(item, times * (d - mean))
        n_items = len(np.unique(item))
        if n_items < 2:
            return mean, math.nan
        se = math.sqrt(float((of_item**2).sum()) * n_items / (n_items - 1)) / n
        return mean, float(se)


def folds_of(votes: Votes, folds: int, rng: np.random.Generator) -> Ints:
    """(N,) in which fold each annotation is hidden; -1 for the only coder of an item.

    The annotations of an item are dealt to the folds in turn, from a random fold on and in random
    order. So every item keeps a coder in every fold, and repeated annotations of a coder are
    hidden together. Draws follow the names of items and coders.

    Examples
    --------
    >>> from accordant import read
    >>> from accordant.models.votes import votes
    >>> table = votes(read([["a", "b", "a"], ["a", "b", "b"], ["a", "b", None]]))
    >>> fold = folds_of(table, 3, np.random.default_rng(0))
    >>> sorted(fold[table.item == 0].tolist()), len(set(fold[table.item == 2].tolist()))
    ([0, 1, 2], 2)
    """
    key = votes.place[votes.item] * votes.n_coders + votes.coder
    pair, group = np.unique(key, return_inverse=True)
    item = pair // votes.n_coders
    shuffled = np.lexsort((rng.random(len(pair)), item))
    n = np.bincount(item, minlength=votes.n_items)
    rank = np.empty(len(pair), np.int64)
    rank[shuffled] = np.arange(len(pair)) - np.repeat(np.cumsum(n) - n, n)
    fold = (rank + rng.integers(0, folds, votes.n_items)[item]) % folds
    fold[n[item] < 2] = -1
    return np.asarray(fold[group])


def held_out(
    votes: Votes, model: Model, how: How, fold: Ints, *, step: Callable[[], None] = lambda: None
) -> HeldOut:
    """Fit without the annotations of each fold in turn, and predict them.

    Parameters
    ----------
    votes : Votes
    model : Model
    how : How
    fold : ndarray of int
        (N,) from `folds_of`.
    step : callable, optional
        Called after each fold.

    Returns
    -------
    HeldOut
    """
    found = np.full(len(votes.item), np.nan)
    for k in range(int(fold.max(initial=-1)) + 1):
        hidden = fold == k
        if hidden.any():
            rest = votes.without(hidden)
            found[hidden] = predicted(model.fit(rest, how), rest, votes, hidden)
        step()
    return HeldOut(found, votes.times, votes.item)


def predicted(estimate: Estimate, rest: Votes, votes: Votes, hidden: Bools) -> Floats:
    """(n,) log Σ_s q_s P(answer | s) of the hidden annotations, q from the annotations left.

    One part in a hundred of each prediction is spread evenly over the answers, for all models
    alike, so that an answer that a model excludes costs 4.6 nats and more instead of everything.
    """
    q = state_beliefs(estimate, rest)
    at = np.flatnonzero(hidden)
    out = np.empty(len(at))
    step = max(1, CELLS // (q.shape[1] * votes.n_answers))
    for start in range(0, len(at), step):
        part = at[start : start + step]
        item, label = votes.item[part], votes.label[part]
        table = estimate.emission.table(item, votes.coder[part])
        p = np.einsum("ns,ns->n", q[item], table[np.arange(len(part)), :, label])
        out[start : start + step] = np.log((1 - SURPRISE) * p + SURPRISE / votes.n_answers)
    return out


CLEAR = 2.0  # standard errors; less is no clear difference
FEW = 10.0  # annotations per coder and category, below which a matrix of one's own is noise
MANY = 100_000  # annotations, beyond which slow models are left out
MANY_CATEGORIES = 50  # a confusion matrix has the square of it for each coder
UNORDERED = "the categories have no order"
MARGIN = 0.01  # of accuracy: less is not worth a word


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
                "question": self.question,
                "model": c.model.key,
                "name": c.model.name,
                "score": c.score,
                "behind": c.behind,
                "se": c.se,
                "clearly_behind": c.clearly_behind,
                "advised": c.model.key == self.advised,
                "accuracy": c.accuracy,
                "seconds": c.seconds,
                "converged": c.converged,
                "skipped": c.skipped or None,
            }
            for c in self.each
        ]


@checked
def which_model(
    data: Any,
    models: str | Iterable[str] | None = None,
    *,
    gold: Gold | None = None,
    folds: int = 5,
    abstentions: str = "missing",
    seed: int = 0,
    progress: Callable[[int, int], None] | None = None,
    **reading: Any,
) -> ModelChoice:
    """Compare models by how well they predict annotations that were hidden from them."""
    whole(0, seed=seed)
    if isinstance(models, str):
        models = [models]
    for name, value in reading.items():
        refuse_option_of_model(name, value, f"models are compared as they are: the option {name!r}")
    own = read(data, **reading)
    if len(own.questions) != 1:
        raise RequestError(
            f"models are compared for one question: the data have {joined(own.questions)}",
            do=[Action("of_question", {"question": own.questions[0]})],
        )
    known, holders = ({}, ()) if gold is None else known_labels(gold, own)
    table = votes(own, without=holders, abstentions=abstentions)
    how = How(seed=seed)
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
    skipped = [Candidate(x, skipped=why, refused=why == UNORDERED) for x, why in wanted if why]
    for model in compared:
        try:
            hidden = held_out(table, model, how, fold, step=step)
            begin = perf_counter()
            posterior = fit_votes(own.questions[0] or None, own, table, model, how, {})
        except AccordantError as error:
            skipped.append(Candidate(model, skipped=f"cannot be fitted: {error}", refused=True))
            continue
        seconds = perf_counter() - begin
        right = np.empty(0)
        if known:
            right = credit(posterior, truth_of(posterior.votes, own, known).codes, "share")
        one = Candidate(
            model,
            hidden.mean,
            accuracy=float(right.mean()) if known else math.nan,
            seconds=seconds,
            converged=posterior.converged,
            right=right,
        )
        found.append((one, hidden))
        step()
    if not found:
        raise RequestError(f"no model could be compared: {skipped[0].skipped}")
    each = _ranked(found)
    advised = _advised(each)
    return ModelChoice(
        own.questions[0] or None,
        (*each, *skipped),
        found[0][1].n,
        len(known),
        advised,
        _advice(each, advised, table),
        folds,
        seed,
    )


def _named(models: Iterable[str]) -> list[tuple[Model, str]]:
    found = list(dict.fromkeys(model_of(m).key for m in models))
    if not found:
        raise RequestError("name one model or more", parameter="models")
    return [(MODELS[key], "") for key in found]


def _default(data: Annotations, table: Votes) -> Iterable[tuple[Model, str]]:
    """Quick models, and why others were skipped."""
    ordered = data.schemes[0].scale not in ("nominal", "circular")
    for one in sorted(MODELS.values(), key=_simplest_first):
        why = one.only_named
        if one.ordered and not ordered:
            why = UNORDERED
        elif one.slow and len(table) > MANY:
            why = f"slow with {count_of(len(table), 'annotation')}"
        elif one.rank and one.matrix and table.n_categories > MANY_CATEGORIES:
            why = f"slow with {count_of(table.n_categories, 'category', 'categories')}"
        yield one, why


def _simplest_first(one: Model) -> float:
    return one.rank or math.inf


def _ranked(found: Sequence[tuple[Candidate, HeldOut]]) -> list[Candidate]:
    """Best first, each with how far it is behind the best."""
    order = sorted(found, key=lambda x: -tied(x[0].score, ESTIMATED))
    best = order[0][1]
    out = [replace(order[0][0], behind=0.0)]
    for one, hidden in order[1:]:
        behind, se = hidden.less(best)
        out.append(replace(one, behind=behind, se=se))
    return out


def _usual(each: Sequence[Candidate]) -> Candidate:
    """The default; without it the simplest model within a standard error of the best prediction."""
    for c in each:
        if c.model.key == DEFAULT:
            return c
    near = (c for c in each if c.behind == 0 or c.behind <= c.se)
    return min(near, key=lambda c: _simplest_first(c.model))


def _advised(each: Sequence[Candidate]) -> str:
    """The usual model, unless known labels clearly speak for another one.

    How well hidden annotations are predicted says which labels coders give, shared errors
    included, and not which labels are right.
    """
    usual = _usual(each)
    better = [c for c in each if _clearly_righter(c, usual)]
    return max(better, key=lambda c: tied(c.accuracy), default=usual).model.key


def _clearly_righter(one: Candidate, other: Candidate) -> bool:
    """Whether labels of a model are clearly more often right, of those that are known."""
    if not len(one.right) or one is other:
        return False
    gain = one.right - other.right
    se = float(gain.std()) / math.sqrt(len(gain))
    return float(gain.mean()) > max(MARGIN, CLEAR * se)


def _advice(each: Sequence[Candidate], advised: str, table: Votes) -> tuple[str, ...]:
    """What to do, in sentences."""
    own, usual = next(c for c in each if c.model.key == advised), _usual(each)
    name = own.model.name
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
    said.append(own.model.why or own.model.assumption)
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
    if own.model.unpooled and per_row < FEW:
        said.append(
            f"Half of the coders have fewer than {decimal(per_row, 1)} annotations for each "
            "category: 'pooled' draws what they hardly show towards the others."
        )
    return tuple(said)
