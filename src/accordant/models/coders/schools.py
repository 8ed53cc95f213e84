"""Schools: coders who share a reading of the items that a model with one truth takes for error."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from ...actions import Action
from ...arrays import Bools, Floats, Ints
from ...diagnosis.finding import Contrast, Evidence, Finding, Told, rule
from ...diagnosis.words import label_text, listed, quoted
from ...errors import RequestError
from ...numbers import decimal, joined, percent, tied
from ...results import Result
from ...scheme import Value
from ..call import fit_votes
from ..model import model_of
from ..posterior import Posterior
from ..uncertainty import Answers, counted
from ..votes import UNKNOWN, Votes, votes
from .group_search import LEVEL, MOST_CODERS, Split, between_groups, found_split, rarity

__all__ = ["Schools", "schools", "searched"]

EACH = 0.1  # level for each school, besides the test of all of them
CLEARER = 0.01  # the same for a small gap, which careful coders and guessing ones make too
SMALL = 0.1  # gap of kappa: where a third of the items is hard to half of the coders, .05 to .11
FEWEST_CODERS = 4
MOST_ITEMS = 12  # that are named, and coders that an action names
WORTH_SAYING = 0.05  # difference of the use of a category between schools
MOST_CATEGORIES = 100  # of more, a draw of what one truth would give takes too long


def own_readings(votes: Votes, of: Ints, gap: float) -> Bools:
    """(G,) whether each school agrees within on the items that it labels differently from others.

    Parameters
    ----------
    votes : Votes
    of : ndarray of int
        (C,) the school of each coder, -1 for none.
    gap : float
        The least difference of the mean kappa within a school and with another one.

    Notes
    -----
    Of a coder and another school, those items count where most of the coder's own school, the coder
    left out, gave another label than most of the other school. There the coder takes the side of
    the own school in more than half of the cases, if that has a reading: who guesses takes either
    side, and who knows better that of the others. Each other school is compared by itself; items
    vary independently.

    Examples
    --------
    >>> from accordant import read
    >>> from accordant.models.votes import votes
    >>> rows = ["aaaabbbb", "aaaabbbb", "aaaabbbb", "aabbaabb", "aabbaabb", "aabbaabb"]
    >>> of = np.array([0, 0, 0, 1, 1, 1])
    >>> own_readings(votes(read([list(row) for row in rows])), of, 0.2).tolist()
    [True, True]
    >>> rows[3:] = ["aaaaaabb", "aaaabbaa", "aabbbbbb"]
    >>> own_readings(votes(read([list(row) for row in rows])), of, 0.2).tolist()
    [False, False]
    """
    schools = range(int(of.max(initial=-1)) + 1)
    parts = [votes.without(of[votes.coder] != g) for g in schools]
    most = [_most(part.counts, np.arange(votes.n_items)) for part in parts]
    level = EACH if gap >= SMALL else CLEARER
    own = []
    for g, part in enumerate(parts):
        rest = _most(part.counts, part.item, part.label, part.times)  # (N of g,)
        sides = [_sides(part, rest, most[h][part.item]) for h in schools if h != g]
        own.append(all(p <= level for p in sides))
    return np.array(own, bool)


def _most(
    counts: Floats, item: Ints, label: Ints | None = None, times: Floats | float = 1.0
) -> Ints:
    """(n,) the category with most votes for each item, one label taken out; -1 for a tie or none.

    Categories are gone through one by one: a table of all annotations would be large.
    """
    most, top = np.full(len(item), -1), np.zeros(len(item))
    for k in range(counts.shape[1]):
        n = counts[item, k] - (0.0 if label is None else times * (label == k))
        most = np.where(n > top, k, np.where((n == top) & (n > 0), -1, most))
        top = np.maximum(top, n)
    return most


def _sides(part: Votes, rest: Ints, other: Ints) -> float:
    """One-sided p-value: how rarely coders would side so much with their own school."""
    from scipy.special import stdtr

    at = np.flatnonzero((rest >= 0) & (other >= 0) & (rest != other))
    label = part.label[at]
    side = (label == rest[at]).astype(float) - (label == other[at])
    of_item = np.bincount(part.item[at], side)
    of_item = of_item[np.bincount(part.item[at]) > 0]
    spread = float((of_item**2).sum())
    if len(of_item) < 2 or spread == 0:
        return 1.0
    return float(stdtr(len(of_item) - 1, -float(of_item.sum()) / np.sqrt(spread)))


@dataclass(frozen=True, eq=False, repr=False)
class Schools(Result):
    """Schools of coders, or the reason why there are none. C coders, G schools, K categories.

    Parameters
    ----------
    posterior : Posterior
        What the model made of all coders together.
    of : ndarray of int
        (C,) the school of each coder; -1 for one that belongs to none.
    names : tuple of tuple of str
        (G,) who belongs to each, the school that the model follows first; empty if there are none.
    kappa : ndarray
        (C, C) Cohen's kappa of every two coders; NaN without common items.
    within, between : ndarray
        (G,) mean kappa of two coders of the school, and of one of them with one of another school.
    use : ndarray
        (G, K) share of each category among the labels of each school, on items of all schools.
    against : ndarray
        (G,) share of the items where the model's label is not the one most of the school gave, out
        of those where both exist.
    competence : ndarray
        (G,) mean competence of the coders of each school under the model.
    gap : float
        The least difference of the mean kappa within a school and with another one.
    p_value : float
        Share of draws from a model with one truth that show schools as far apart.
    reason : str
        Why there are none.
    """

    posterior: Posterior
    of: Ints
    names: tuple[tuple[str, ...], ...]
    kappa: Floats
    within: Floats
    between: Floats
    use: Floats
    against: Floats
    competence: Floats
    gap: float
    p_value: float
    reason: str = ""
    told_as: ClassVar[str] = "groups"

    def __bool__(self) -> bool:
        return bool(self.names)

    @property
    def question(self) -> str | None:
        """The question."""
        return self.posterior.question

    @cached_property
    def majorities(self) -> Ints:
        """(G, I) the category that most of each school gave to an item; -1 for none or a tie."""
        return np.stack([_of_school(self.posterior.votes, self.of, g).majority for g in self._g])

    @property
    def _g(self) -> range:
        return range(len(self.names))

    @property
    def telling(self) -> Value | None:
        """The category whose use differs most between schools."""
        if not self.names:
            return None
        return self.posterior.categories[int(np.ptp(self.use, axis=0).argmax())]

    def posterior_of(self, school: int) -> Posterior:
        """The same model, fitted to the annotations of one school (1 is the first).

        Raises
        ------
        RequestError
            If there is no such school.
        """
        if not 1 <= school <= len(self.names):
            raise RequestError(f"there is no coder group {school!r}: there are {len(self.names)}")
        whole = self.posterior
        data = whole.data.of_coders(self.names[school - 1])
        given = whole.votes
        known = {
            given.items[i]: given.categories[given.known[i]]
            for i in np.flatnonzero(given.known != UNKNOWN).tolist()
        }
        part = votes(
            data, known=known, abstentions="informative" if given.informative else "missing"
        )
        return fit_votes(
            whole.question,
            data,
            part,
            whole.model,
            replace(whole.how, progress=None),
            {k: v for k, v in whole.options.items() if k not in whole.model.options},
        )

    def side_by_side(self) -> list[dict[str, Any]]:
        """One row per item: the label of the model, and the majority of each school.

        None stands for a tie, or for an item that nobody of the school annotated.
        """
        names = (*self.posterior.categories, None)
        items = self.posterior.votes.items
        columns = [[names[k] for k in row] for row in self.majorities.tolist()] if self else []
        return [
            {
                "item": item,
                "label": label,
                **{f"school_{g + 1}": columns[g][i] for g in self._g},
            }
            for i, (item, label) in enumerate(
                zip(
                    items.tolist() if isinstance(items, np.ndarray) else items,
                    self.posterior.labels,
                    strict=True,
                )
            )
        ]

    @cached_property
    def finding(self) -> Finding | None:
        """What a reader of the labels must know; None if there are no schools."""
        return minority_school(self)

    def to_rows(self) -> list[dict[str, Any]]:
        """One row for each school."""
        categories = [label_text(c) for c in self.posterior.categories]
        return [
            {
                "question": self.question,
                "school": g + 1,
                "coders": ", ".join(names),
                "n_coders": len(names),
                "kappa_within": float(self.within[g]),
                "kappa_between": float(self.between[g]),
                "p_value": self.p_value,
                "competence": float(self.competence[g]),
                "against": float(self.against[g]),
                **{f"use_{c}": x for c, x in zip(categories, self.use[g].tolist(), strict=True)},
            }
            for g, names in enumerate(self.names)
        ]


def searched(n_coders: int, n_categories: int) -> bool:
    """Whether schools are looked for among so many coders, with so many categories."""
    return FEWEST_CODERS <= n_coders <= MOST_CODERS and n_categories <= MOST_CATEGORIES


def schools(posterior: Posterior, *, progress: Callable[[int, int], None] | None = None) -> Schools:
    """Look for two to four schools of coders (Kairam & Heer 2016), tested against one truth.

    Parameters
    ----------
    posterior : Posterior
        Of all coders.
    progress : callable, optional
        Called with (done, total).

    Returns
    -------
    Schools

    Notes
    -----
    A model with one truth takes a reading that few coders share for error. Schools are told from
    coders who are merely strict, lenient or careless by what the model itself would produce: two
    coders of a school agree more, beyond chance, than their confusion matrices explain. Coders who
    agree with the others less than by chance are no school: they confuse categories. Nor are coders
    who are less sure than others where items are hard: see `own_readings`. See `found_split` for
    the search and `LEVEL` for how clear schools must be.
    """
    n_coders = posterior.votes.n_coders
    if posterior.data.anonymous:
        return _none(posterior, "coders are positions, not persons")
    if n_coders < FEWEST_CODERS:
        return _none(posterior, "groups of two coders or more need four coders")
    if n_coders > MOST_CODERS:
        return _none(posterior, f"they are looked for among at most {MOST_CODERS} coders")
    if len(posterior.categories) > MOST_CATEGORIES:
        return _none(posterior, f"they are looked for with at most {MOST_CATEGORIES} categories")
    split = found_split(posterior.votes, _one_truth(posterior), posterior.how, progress)
    if split.p_value > LEVEL or not (split.of >= 0).any():
        found = f" (gap of kappa {decimal(split.gap)}, {rarity(split.p_value)})"
        reason = "no coders agree more with each other than one truth would explain"
        return _none(posterior, reason + (found if split.n_draws else ""), split)
    made = _described(posterior, split)
    if (made.between <= 0).any():
        return _none(posterior, "some coders label against the others: see the verdicts", split)
    if not own_readings(posterior.votes, made.of, split.gap).all():
        why = (
            "some coders agree more with each other than with the rest (gap of kappa "
            f"{decimal(split.gap)}, {rarity(split.p_value)}), but where they give other labels "
            "not each part of them agrees within; so one may be less sure of the same reading, and "
            "none is shown to have another"
        )
        return _none(posterior, why, split)
    return made


def _one_truth(posterior: Posterior) -> Answers:
    """What one truth makes of the coders, fitted so that its categories mean what coders say.

    Without a prior for each row a category that is hardly ever given can become a hidden kind of
    item that only one school sees: then there would be a truth for each school.
    """
    how = replace(posterior.how, restarts=0, progress=None)
    found = model_of("dawid_skene").fit(posterior.votes, how, prior="row")
    q = found.probabilities
    return counted(posterior.votes, q, q, q, misjudged=0.0)


def _none(posterior: Posterior, reason: str, split: Split | None = None) -> Schools:
    no, nothing = np.zeros(0), np.zeros((0, len(posterior.categories)))
    kappa, gap, p = np.full((0, 0), np.nan), math.nan, math.nan
    if split is not None:
        kappa, gap, p = split.kappa, split.gap, split.p_value
    nobody = np.full(len(posterior.coders), -1)
    return Schools(posterior, nobody, (), kappa, no, no, nothing, no, no, gap, p, reason)


def _described(posterior: Posterior, split: Split) -> Schools:
    """The schools, the one that the model follows first."""
    given = posterior.votes
    parts = [_of_school(given, split.of, g) for g in range(int(split.of.max()) + 1)]
    most = np.stack([part.majority for part in parts])
    comparable = (most >= 0) & (posterior.codes >= 0)
    differs = (comparable & (most != posterior.codes)).sum(1)
    against = differs / np.where(comparable.sum(1) > 0, comparable.sum(1), np.nan)
    size = np.bincount(split.of[split.of >= 0])
    order = np.lexsort((-size, np.nan_to_num(against, nan=1.0)))
    of = np.append(np.argsort(order), -1)[split.of]
    member = of[None, :] == np.arange(len(order))[:, None]
    weight, total = between_groups(of, split.kappa, split.n_shared)
    own_weight, own_total = np.diag(weight), np.diag(total)
    with np.errstate(invalid="ignore", divide="ignore"):
        within = own_total / own_weight
        between = (total.sum(1) - own_total) / (weight.sum(1) - own_weight)
    counts = np.stack([parts[g].counts for g in order.tolist()])
    total = counts.sum(2, keepdims=True)
    common = (total > 0).all((0, 2))
    share = counts[:, common] / total[:, common]
    use = share.mean(1) if common.any() else np.full(counts.shape[::2], np.nan)
    competence = np.array([float(np.nanmean(posterior.competence[m])) for m in member])
    names = tuple(tuple(given.coders[c] for c in np.flatnonzero(m)) for m in member)
    return Schools(
        posterior,
        of,
        names,
        split.kappa,
        within,
        between,
        use,
        against[order],
        competence,
        split.gap,
        split.p_value,
    )


def _of_school(given: Votes, of: Ints, school: int) -> Votes:
    return given.without(of[given.coder] != school)


@rule("warning", "kairam2016")
def minority_school(found: Schools) -> Told | None:
    """Coder groups.

    Coders form {n} groups: {each} ({rare}). One true label per item does not explain this. A model
    with one true label treats it as error: it decides {first} and {others}.{telling}

    Check whether the guideline decides between the groups. If it does, train; if it does not, fit
    each group separately and report both labels: a smaller group need not be careless.
    """
    if not found:
        return None
    names = [listed(group, most=6) for group in found.names]
    figures = zip(names, found.names, found.within.tolist(), found.between.tolist(), strict=True)
    lines = tuple(Contrast(name, len(group), w, b) for name, group, w, b in figures)
    first, *others = (
        f"against most of {name} on {percent(against)} of the items (estimated accuracy "
        f"{decimal(right)})"
        for name, against, right in zip(names, found.against, found.competence, strict=True)
    )
    each = joined(
        f"{x.name} (κ {decimal(x.share)} within, {decimal(x.other)} with the others)" for x in lines
    )
    about = "group", "coders", "κ within", "κ with the other groups"
    return Told(
        {
            "schools": found.names,
            "within": tuple(found.within.tolist()),
            "between": tuple(found.between.tolist()),
            "p_value": found.p_value,
            "gap": found.gap,
            "against": tuple(found.against.tolist()),
            "category": found.telling,
            "competence": tuple(found.competence.tolist()),
        },
        {
            "n": len(names),
            "each": each,
            "rare": rarity(found.p_value),
            "first": first,
            "others": joined(others),
            "telling": _telling(found),
        },
        remedy="guideline",
        seen=Evidence(lines, *about, *_items(found)),
        title="Coder groups",
        do=tuple(
            Action("of_coders", {"coders": list(group)}, f"group {g}")
            for g, group in enumerate(found.names, 1)
            if len(group) <= MOST_ITEMS
        ),
    )


def _telling(found: Schools) -> str:
    if np.isnan(found.use).any():
        return ""
    k = int(np.ptp(found.use, axis=0).argmax())
    use = found.use[:, k]
    if np.ptp(use) < WORTH_SAYING:
        return " They use the categories equally often, but for different items."
    each = joined(
        f"{percent(x)} by the group of {quoted(names[0])}"
        for x, names in zip(use, found.names, strict=True)
    )
    return f" They differ most in {quoted(found.telling)}: {each}."


def _items(found: Schools) -> tuple[tuple[int, ...], tuple[object, ...]]:
    """Items where schools have different majorities: positions and names, few of many."""
    most = found.majorities
    there = np.where(most >= 0, most, -1)
    high, low = there.max(0), np.where(most >= 0, most, most.max() + 1).min(0)
    votes = found.posterior.votes
    sure = votes.shares.max(1)
    at = np.flatnonzero((high >= 0) & (low < high))
    rank = np.argsort(votes.place[at], kind="stable")
    at = at[rank][np.argsort(tied(sure[at[rank]]), kind="stable")][:MOST_ITEMS]
    names = votes.names
    return tuple(at.tolist()), tuple(names[i] for i in at.tolist())
