"""Labels to check with care: which next, and what those that were checked tell of the rest.

A part is drawn at random: it shows how right the labels are that nobody checked. The others are
those that depend on how coders are taken to err, and then the least certain.
"""

from __future__ import annotations

import json
import math
from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from functools import cached_property
from importlib.resources import files
from pathlib import Path
from typing import Any, ClassVar, NamedTuple, TypeAlias

import numpy as np

from ..arrays import Bools, Floats, Ints
from ..data.annotations import Annotations
from ..data.sheet import separator_for, set_text
from ..data.worksheet import SheetColumn, write_blank
from ..numbers import ESTIMATED, tied
from ..results import Result
from ..scheme import Value
from .call import fitted
from .em import How
from .gold import (
    AT_RANDOM,
    CHOSEN,
    Gold,
    GoldLabels,
    gold_labels,
    gold_of_question,
    members_of,
)
from .model import Model
from .posterior import Posterior
from .question_results import Each
from .set_posterior import SetPosterior
from .uncertainty import LEVEL
from .votes import UNKNOWN

DRAWN = 0.3  # of the items to check
SHIFT = 2.5  # log odds by which all labels may be more or less right than expected: a deviation
SLOPES = (0.2, 0.5, 1.0)  # how far their certainty may tell right from wrong
MANY = 100  # labels an item: a band that reaches so far has no end
FARTHEST, STEPS = 6.0, 121  # of the grid of such shifts
SHIFTS = np.tile(np.linspace(-FARTHEST, FARTHEST, STEPS), len(SLOPES))
EDGE = 0.01  # of a probability: no label is taken as more certain
ALIKE = 1e-6  # probabilities that differ by less are the same
DIFFER, UNCERTAIN = "accounts differ", "uncertain"
Fit: TypeAlias = Posterior | SetPosterior


class Unchecked(NamedTuple):
    """How right the labels are that nobody checked.

    Parameters
    ----------
    n : int
        Labels that nobody checked.
    accuracy, low, high : float
        Share that is right, with its interval; NaN where no checked item was drawn at random.
    n_drawn, n_right : int
        Items that were, and how many of their labels were right before they were told.
    """

    n: int
    accuracy: float = math.nan
    low: float = math.nan
    high: float = math.nan
    n_drawn: int = 0
    n_right: int = 0


@dataclass(frozen=True, eq=False, repr=False)
class ToCheck(Result):
    """Items to label with care next; made by `to_check`.

    Parameters
    ----------
    fitted : Posterior or SetPosterior
        What is believed, with all labels that were checked.
    at : ndarray of int
        (n,) positions of the items, in the order of checking.
    drawn : ndarray of bool
        (n,) whether the item was drawn at random.
    known : mapping
        Item to label: those that were checked before.
    at_random : frozenset
        Those of them that were drawn at random.
    unchecked : Unchecked
        What they tell of all others.
    level : float
        Of its interval.
    """

    fitted: Fit
    at: Ints
    drawn: Bools
    known: Mapping[Hashable, Value]
    at_random: frozenset[Hashable]
    unchecked: Unchecked
    level: float = LEVEL
    told_as: ClassVar[str] = "to_check"

    @property
    def question(self) -> str | None:
        """Of the labels."""
        return self.fitted.question

    @property
    def items(self) -> list[Any]:
        """(n,) names, in the order of checking."""
        names = _names(self.fitted)
        return [names[i] for i in self.at.tolist()]

    @cached_property
    def chosen(self) -> list[str]:
        """(n,) why each is to be checked."""
        by_account = disputed(self.fitted)[self.at].tolist()
        pairs = zip(self.drawn.tolist(), by_account, strict=True)
        return [AT_RANDOM if r else DIFFER if d else UNCERTAIN for r, d in pairs]

    @property
    def wrong(self) -> float:
        """How many of their labels are expected to be wrong; NaN without probabilities."""
        believes = _one(self.fitted).model.probabilistic
        return float((1 - self.fitted.confidence[self.at]).sum()) if believes else math.nan

    def to_rows(self) -> list[dict[str, Any]]:
        """One row for each item: why it is to be checked, and its label so far."""
        label, sure = self.fitted.labels, self.fitted.confidence.tolist()
        return [
            {
                "question": self.question,
                "item": item,
                "chosen": why,
                "label": label[i],
                "confidence": sure[i],
            }
            for item, why, i in zip(self.items, self.chosen, self.at.tolist(), strict=True)
        ]

    def save(self, path: str | Path) -> None:
        """Write a sheet for somebody to fill in, without what anybody said of the items.

        A row for each item with an empty cell *gold*, below those that were checked before. Filled
        in, it is the ``gold`` of `fit` and of `to_check`.

        Parameters
        ----------
        path : str or Path
            Ends in .csv, .tsv, .xlsx, .parquet or .jsonl, which says the format.

        Raises
        ------
        RequestError
            If it ends otherwise or cannot be written.
        """
        data, before = self.fitted.data, self.known
        items, mark = [*before, *self.items], separator_for(self.fitted.data.values)
        columns = [SheetColumn("item", [*map(str, items)])]
        if data.texts is not None:
            text = dict(zip(data.items, data.texts, strict=True))
            columns.append(SheetColumn("text", [str(text[x] or "") for x in items]))
        told = [set_text(x, mark) if isinstance(x, tuple) else str(x) for x in before.values()]
        single = data.schemes[0].max_labels == 1
        choices = tuple(map(str, data.schemes[0].categories)) if single else ()
        columns.append(SheetColumn("gold", told + [""] * len(self.items), True, choices))
        why = [AT_RANDOM if x in self.at_random else "" for x in before]
        columns.append(SheetColumn(CHOSEN, why + self.chosen))
        write_blank(columns, Path(path))


def checks(
    data: Annotations, n: int, *, gold: Gold | None, model: str | Model, level: float, seed: int
) -> ToCheck | Each[ToCheck]:
    """What to check next of annotations that are read; see `api.models.to_check`."""
    each = tuple(
        _of_question(
            data.of_question(name), n, gold_of_question(gold, name, data), model, level, seed
        )
        for name in data.questions
    )
    return each[0] if len(each) == 1 else Each(each)


def _of_question(
    data: Annotations, n: int, gold: Gold | None, model: str | Model, level: float, seed: int
) -> ToCheck:
    def fit(known: Gold | None) -> Any:
        return fitted(data, model, gold=known, how=How(seed=seed))

    told = GoldLabels({}) if gold is None else gold_labels(gold, data)
    found, before = fit(gold), None
    if told.at_random:
        rest = {item: x for item, x in told.labels.items() if item not in told.at_random}
        before = fit(rest or None)
    at, drawn = queue(found, n, seed + len(told.labels))
    rest_of = unchecked(found, before, told.labels, told.at_random, level)
    return ToCheck(found, at, drawn, told.labels, told.at_random, rest_of, level)


def to_check_next(found: Fit, n: int = 50, seed: int = 0) -> ToCheck:
    """What to check of a fit of which nothing was checked."""
    at, drawn = queue(found, n, seed)
    return ToCheck(found, at, drawn, {}, frozenset(), Unchecked(len(_names(found))))


# ------------------------------------------------------------------ which


def least_certain(found: Fit) -> Ints:
    """(I,) the items, the least certain first."""
    if isinstance(found, Posterior):
        by = np.asarray(found.standing.max(1))
    else:
        by = -found.entropy if found.withheld else found.confidence
    return np.lexsort((_one(found).votes.place, tied(by, ESTIMATED)))


def disputed(found: Fit) -> Bools:
    """(I,) whether the label depends on the account of how coders err."""
    each = [found] if isinstance(found, Posterior) else found.each
    averages = [one.estimate.average for one in each]
    none = np.zeros(_one(found).votes.n_items, bool)
    return np.asarray(np.any([none, *(x.differ for x in averages if x is not None)], axis=0))


def queue(found: Fit, n: int, seed: int) -> tuple[Ints, Bools]:
    """(n,) items to check next, in this order, and which of them are drawn at random.

    Wherever somebody stops, about `DRAWN` of the items before were drawn. Where all are equally
    certain, all are drawn.
    """
    order = least_certain(found)
    differ, votes = disputed(found), _one(found).votes
    order = np.r_[order[differ[order]], order[~differ[order]]]
    free = votes.known == UNKNOWN
    n = min(n, int(free.sum()))
    standing = found.standing.max(1) if isinstance(found, Posterior) else found.confidence
    alike = not n or bool(standing[free].max() - standing[free].min() < ALIKE)
    steps = np.floor(np.arange(n + 1) * (1.0 if alike else DRAWN) + ALIKE)
    drawn = np.diff(steps) > 0
    by_name = votes.order[free[votes.order]]
    random = np.random.default_rng([seed, len(by_name)]).permutation(by_name)[: drawn.sum()]
    rest = order[free[order] & ~np.isin(order, random)]
    at = np.empty(n, np.int64)
    at[drawn], at[~drawn] = random, rest[: n - len(random)]
    return at, drawn


def _one(found: Fit) -> Posterior:
    return found if isinstance(found, Posterior) else found.each[0]


def _names(found: Fit) -> list[Any]:
    return _one(found).votes.names


# ------------------------------------------------------------------ how right the others are


def unchecked(
    found: Fit,
    before: Fit | None,
    known: Mapping[Hashable, Value],
    at_random: frozenset[Hashable],
    level: float = LEVEL,
) -> Unchecked:
    """What items that were drawn at random tell of the labels that nobody checked.

    Parameters
    ----------
    found : Posterior or SetPosterior
        Told all that is known.
    before : Posterior or SetPosterior or None
        Not told the items that were drawn at random; None if there are none.
    known, at_random
        As of `ToCheck`.
    level : float

    Notes
    -----
    The log odds of being right are a part of those of the probability of a label (`SLOPES`, each as
    probable), moved by one number for all labels: beforehand Normal with mean 0 and a deviation of
    `SHIFT`, so that it is the items drawn at random that tell. Which labels are left unchecked is
    allowed for, since each has its own probability, and so is that they are so many and no more.
    """
    free = _one(found).votes.known == UNKNOWN
    n = int(free.sum())
    if before is None or not n:
        return Unchecked(n)
    names, labels = _names(before), before.labels
    at = [i for i, name in enumerate(names) if name in at_random]
    right = np.array([_same(labels[i], known[names[i]]) for i in at], float)
    p = _moved(before.confidence[at])
    log = right @ np.log(p) + (1 - right) @ np.log(1 - p) - 0.5 * (SHIFTS / SHIFT) ** 2
    weight = np.exp(log - log.max())
    weight /= weight.sum()
    each = _moved(found.confidence[free])
    mean, spread = each.mean(0), np.sqrt((each * (1 - each)).sum(0)) / n
    low, high = (_quantile(mean, spread, weight, q) for q in ((1 - level) / 2, (1 + level) / 2))
    return Unchecked(n, float(mean @ weight), low, high, len(at), int(right.sum()))


def _same(label: Value | None, truth: Value) -> bool:
    return label is not None and {*members_of(label)} == {*members_of(truth)}


def _moved(p: Floats) -> Floats:
    """(n, S) probabilities with other log odds; what is not known counts as one half."""
    from scipy.special import expit, logit

    sure = logit(np.clip(np.nan_to_num(p, nan=0.5), EDGE, 1 - EDGE))
    return np.asarray(expit(sure[:, None] * np.repeat(SLOPES, STEPS) + SHIFTS))


def _quantile(mean: Floats, spread: Floats, weight: Floats, q: float) -> float:
    """Of a mixture of normal distributions, as a share."""
    from scipy.special import ndtr

    share = np.linspace(0, 1, 1001)
    below = ndtr((share[:, None] - mean) / np.maximum(spread, 1e-9)) @ weight
    return float(np.interp(q, below, share))


# ------------------------------------------------------------------ what held elsewhere


class CertainLabels(NamedTuple):
    """How right the labels of .95 or more were on public crowds with so many labels an item.

    From ``least`` to ``most`` labels an item, rounded; ``low`` and ``high`` are the shares right of
    the worst and the best of ``crowds`` crowds, each judged by constants learned from the others.
    """

    least: int
    most: int
    low: float
    high: float
    crowds: int


def certain_labels(model: str, per_item: float) -> CertainLabels | None:
    """What held of the default; None where it was never looked at on several crowds.

    ``python -m benchmarks.crowds --write`` measures it and writes the file.

    Examples
    --------
    >>> certain_labels("glad", 5) is None
    True
    """
    text = files(__package__).joinpath("certain_labels.json").read_text(encoding="utf-8")
    found = json.loads(text)
    bands = (CertainLabels(**one) for one in found["bands"])
    inside = (one for one in bands if one.least <= round(per_item) <= one.most)
    return next(inside, None) if model == found["model"] else None
