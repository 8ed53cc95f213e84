"""Disagreement that errors of coders explain, told from disagreement that is due to the item."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from ..._version import __version__
from ...arrays import Bools, Floats
from ...diagnosis.finding import Catalogue, Contrast, Evidence, Finding, Told
from ...inference.distributions import chi2_tail
from ...numbers import count_of, joined, p_text, percent, shares_of_all, tied
from ...results import Result
from ..call import fit
from ..estimate import merged
from ..estimators.canonical import canonical
from ..model import Model
from ..posterior import Posterior
from ..question_results import Each
from ..votes import Votes
from .distributions import disagreement
from .noise import between_schools, counts_of, noise, tested
from .readings import adjusted, discrete, surprises
from .soft_labels import fitted, parts_of, rows_of, told

__all__ = ["Ambiguity", "ambiguity"]


LEAST_TOLD = 0.005  # a share below it is 0 % in words
LEAST_READ = 0.01  # share of a reading that is named
DOUBTED = 0.05  # p-value above which no item may be ambiguous
MOST_ITEMS = 20  # that a finding names
NOT_APART = "With two categories, hard and ambiguous items cannot be told apart."


@dataclass(frozen=True, eq=False, repr=False)
class Ambiguity(Result):
    """Which disagreements coders explain and which remain with the item; made by `ambiguity`.

    I items, K categories.

    Parameters
    ----------
    posterior : Posterior
        The model of coders, fitted to all annotations.
    beliefs : ndarray
        (I, K) what is true of each item if there is one truth, with the error rates that coders
        have on items that are not ambiguous.
    disagreement, expected : ndarray
        (I,) share of the pairs of annotations that differ, and what the error rates of these
        coders produce; NaN for items with one annotation.
    bits : ndarray
        (I,) by how much several readings explain the annotations better than one.
    shares : ndarray
        (I, K) the readings that explain an item best.
    probability : ndarray
        (I,) that the item is ambiguous, given how many items are. With two categories: ambiguous
        or hard.
    p_value, q_value : ndarray
        (I,) how often these coders, all seeing the same and erring as usual, give annotations that
        look as ambiguous; and adjusted for the number of items (Benjamini & Hochberg 1995). NaN
        for items with one annotation. A small value says *ambiguous or hard*.
    hard_p_value, hard_q_value : ndarray
        (I,) the same if the item may be hard as well: how often errors, however many, concentrate
        on one label as much; never below ``p_value``. 1 with two categories, where nobody can
        tell. The second is adjusted for the items that could be significant (Gilbert 2005).
    level : float
        The share of false ones that is accepted among the items called ambiguous.
    difficulty : float
        How much the items differ in ease: the standard deviation of its logarithm that fits best,
        of those that are tried (0 to 2); 0 with two categories.
    share, share_low, share_high : float
        Share of all items with two annotations that are ambiguous (with two categories: ambiguous
        or hard), with a 95 % interval from the profile likelihood, error rates taken as known.
        With few annotations both are too low.
    any_p_value : float
        Of the likelihood ratio test that no item is.
    surprise : ndarray
        (N,) bits of each annotation, given the coder's confusion and the other annotations.
    schools : tuple of tuple of str
        Coders who share a reading; empty if there are no schools.
    schools_differ : ndarray
        (I,) whether schools give different labels to the item.
    between : ndarray
        (I,) share of all pairs of annotations of such an item that differ and are of coders of
        different schools; 0 for other items.
    signature : str
    findings : tuple of Finding
    """

    told_as: ClassVar[str] = "ambiguity"

    posterior: Posterior
    beliefs: Floats
    disagreement: Floats
    expected: Floats
    bits: Floats
    shares: Floats
    probability: Floats
    p_value: Floats
    q_value: Floats
    hard_p_value: Floats
    hard_q_value: Floats
    level: float
    difficulty: float
    share: float
    share_low: float
    share_high: float
    any_p_value: float
    surprise: Floats
    schools: tuple[tuple[str, ...], ...]
    schools_differ: Bools
    between: Floats
    signature: str
    findings: tuple[Finding, ...] = field(default=())

    @property
    def question(self) -> str | None:
        """The question."""
        return self.posterior.question

    @property
    def votes(self) -> Votes:
        """What was annotated."""
        return self.posterior.votes

    @cached_property
    def ambiguous(self) -> Bools:
        """(I,) whether more than errors about a hard item speaks for several readings of it."""
        return np.asarray(self.hard_q_value <= self.level)

    @cached_property
    def unclear(self) -> Bools:
        """(I,) whether coders disagree more than they usually err: ambiguous, or hard."""
        return np.asarray((self.q_value <= self.level) | self.ambiguous)

    @property
    def told_apart(self) -> bool:
        """Whether ambiguous items can be told from hard ones: not with two categories.

        A hard item has errors of all kinds, an ambiguous one many of the same kind. With two
        categories there is one kind only.
        """
        return self.votes.n_categories > 2

    @property
    def what(self) -> str:
        """What ``share``, ``probability`` and ``by_ambiguous`` are about."""
        return "ambiguous" if self.told_apart else "ambiguous or hard"

    @property
    def items(self) -> list[Any]:
        """The ambiguous items, the clearest first."""
        return self.clearest(self.ambiguous)

    @property
    def unclear_items(self) -> list[Any]:
        """The items that are ambiguous or hard, the clearest first."""
        return self.clearest(self.unclear)

    def clearest(self, chosen: Bools) -> list[Any]:
        """Chosen items (I,), the clearest first."""
        at = np.flatnonzero(chosen)
        keys = tied(-self.bits[at]), tied(self.p_value[at])
        at = at[np.lexsort((self.votes.place[at], *keys))]
        names = self.votes.names
        return [names[i] for i in at.tolist()]

    @cached_property
    def pairable(self) -> Bools:
        """(I,) whether the item has two annotations or more."""
        return np.asarray(~np.isnan(self.disagreement))

    @property
    def total(self) -> float:
        """Mean disagreement of the items with two annotations or more."""
        seen = self.pairable
        return float(self.disagreement[seen].mean()) if seen.any() else math.nan

    @property
    def parts(self) -> tuple[float, float, float]:
        """Whom all disagreement comes from: `by_coders`, `between_schools`, `by_items`; 1 in all.

        NaN without any disagreement.
        """
        return self.by_coders, self.between_schools, self.by_items

    @cached_property
    def by_coders(self) -> float:
        """Share of all disagreement that the usual errors of coders suffice to explain.

        What their error rates produce by themselves, without what is between schools (a model with
        one truth counts that among the errors of the smaller one), and never more than what schools
        and ambiguous items leave.
        """
        room = 1 - self.between_schools - self.by_ambiguous
        return max(min(self._part(self._errors), room), 0.0)

    @cached_property
    def between_schools(self) -> float:
        """Share of all disagreement that is of coders of different schools, where these differ."""
        return self._part(self.between)

    @property
    def by_items(self) -> float:
        """Share of all disagreement that is left with the items: several readings, hard, or chance.

        The part of it with several readings is `by_ambiguous`.
        """
        return max(1 - self.by_coders - self.between_schools, 0.0)

    @cached_property
    def by_ambiguous(self) -> float:
        """Share of all disagreement beyond usual errors, on items as far as they are ambiguous.

        With two categories: as far as they are ambiguous or hard.
        """
        excess = self.disagreement - self.between - self._errors
        found = max(self._part(self.probability * excess), 0.0)
        return min(found, 1 - self.between_schools)

    @property
    def _errors(self) -> Floats:
        """(I,) what the error rates of coders produce, without what is between schools."""
        return np.asarray(np.maximum(self.expected - self.between, 0))

    def _part(self, x: Floats) -> float:
        seen = self.pairable
        total = self.disagreement[seen].sum()
        return float(x[seen].sum() / total) if total > 0 else math.nan

    @cached_property
    def sources(self) -> list[str]:
        """(I,) where an item's disagreement comes from.

        ``'none'`` without any, ``'schools'`` if schools of coders give different labels, ``'item'``
        if it is ambiguous, ``'unclear'`` if it is ambiguous or hard, else ``'coders'``: their
        usual errors suffice to explain it.
        """
        first = ~(self.disagreement > 0), self.schools_differ, self.ambiguous, self.unclear
        found: list[str] = np.select(
            first, ["none", "schools", "item", "unclear"], "coders"
        ).tolist()
        return found

    def to_rows(self) -> list[dict[str, Any]]:
        """One row for each item, in the order of the data."""
        tests = "p_value", "q_value", "hard_p_value", "hard_q_value", "probability", "bits"
        columns: dict[str, Any] = {
            "question": [self.question] * self.votes.n_items,
            "item": self.votes.names,
            "source": self.sources,
            **{name: getattr(self, name) for name in ("ambiguous", "unclear", *tests)},
            "n": self.votes.per_item.astype(int),
            "disagreement": self.disagreement,
            "expected": self.expected,
            "schools_differ": self.schools_differ,
        }
        names = np.array([*self.votes.categories, None], object)
        shares = np.pad(self.shares, ((0, 0), (0, 1)))  # there may be one category only
        order = np.argsort(tied(-shares), axis=1, kind="stable")[:, :2]
        share, nothing = np.take_along_axis(shares, order, 1), np.array(None)
        for k, read in enumerate((share > LEAST_READ).T):
            columns[f"reading_{k + 1}"] = np.where(read, names[order[:, k]], nothing)
            columns[f"share_{k + 1}"] = np.where(read, share[:, k], nothing)
        return rows_of(columns)

    def annotation_rows(self) -> list[dict[str, Any]]:
        """One row for each annotation: how surprising it is, and what it is put down to.

        ``put_down_to`` is ``'agrees'`` for the label that is believed in, else the source of the
        item's disagreement.
        """
        table, names = self.votes, self.votes.names
        answers = (*table.categories, None)
        agrees = self.beliefs.argmax(1)[table.item] == table.label
        sources = np.array(self.sources, object)[table.item]
        return rows_of(
            {
                "question": [self.question] * len(table.item),
                "item": [names[i] for i in table.item.tolist()],
                "coder": [table.coders[c] for c in table.coder.tolist()],
                "label": [answers[k] for k in table.label.tolist()],
                "surprise": self.surprise,
                "put_down_to": np.where(agrees, "agrees", sources),
            }
        )

    @property
    def explained(self) -> str:
        """Where the disagreement comes from: parts that add up to 100 %."""
        coders, schools, items = shares_of_all(self.parts)
        share = percent(self.by_ambiguous, 0)
        among = f", {'all of it' if share == items else share} with {self.what} ones"
        if self.by_ambiguous < LEAST_TOLD:
            among = " (hard items, or chance)"
        if items == percent(0, 0):
            items, among = "almost none" if self.unclear.any() else "none", ""
        groups = [f"differences between coder groups {schools}"] * (self.between_schools > 0)
        errors = f"usual errors of each coder explain {coders}"
        left = f"{items} remains for the items{among}"
        return f"Of this disagreement, {joined([errors, *groups, left])}"

    @property
    def sentence(self) -> str:
        """What was found, in words."""
        if not self.total > 0:
            return "Coders do not disagree, so there is nothing to explain."
        differ = f"Two annotations of an item differ in {percent(self.total)} of the pairs"
        parts = [f"{differ}. {self.explained}"]
        n, more = int(self.ambiguous.sum()), int((self.unclear & ~self.ambiguous).sum())
        if n:
            parts.append(f"{count_of(n, 'item is', 'items are')} ambiguous")
        if more:
            what = "more item" if n else "item"
            parts.append(f"{count_of(more, f'{what} is', f'{what}s are')} ambiguous or hard")
        if not n and not more:
            parts.append(f"no item can be called {self.what} by itself")
        if self.share >= LEAST_TOLD:
            least = "or more are" if self.any_p_value <= DOUBTED else "are, or none is,"
            parts.append(
                f"in all about {percent(self.share, 0)} of the items {least} {self.what} "
                f"({p_text(self.any_p_value)})"
            )
        last = ", and " if len(parts) > 2 else "; "
        said = f"{last.join(['; '.join(parts[:-1]), parts[-1]])}."
        return said if self.told_apart else f"{said} {NOT_APART}"


# ---------------------------------------------------------------------- the public call


def ambiguity(
    data: Any,
    model: str | Model = "pooled",
    *,
    level: float = 0.1,
    schools: bool = True,
    rng: int = 0,
    progress: Callable[[int, int], None] | None = None,
    **more: Any,
) -> Ambiguity | Each[Ambiguity]:
    """Genuine ambiguity against noise; see `accordant.ambiguity`."""
    each = [
        _found(part, level, schools, rng, progress)
        for one in fitted(data, **more) or fitted(fit(data, model, **more))
        for part in parts_of(one)
    ]
    return each[0] if len(each) == 1 else Each(tuple(each))


def _found(
    posterior: Posterior,
    level: float,
    schools: bool,
    rng: int,
    progress: Callable[[int, int], None] | None,
) -> Ambiguity:
    votes, order = posterior.votes, canonical(posterior.votes)  # so that draws hang on no names
    own = order.votes
    coders = noise(posterior, own)
    found = tested(own, coders, rng, progress)
    groups, differ, between = between_schools(posterior, schools)
    low, high = coders.interval
    at = replace(
        votes,
        item=order.item[votes.item],
        coder=order.coder[votes.coder],
        label=order.answer[votes.label],
    )

    def by_category(x: Floats) -> Floats:
        return merged(x, coders.category, own.n_categories)[order.item][:, order.category]

    p_value, least = found.p_value[order.item], found.least[order.item]
    hard = np.maximum(found.hard[order.item], p_value)
    result = Ambiguity(
        posterior,
        by_category(coders.beliefs),
        disagreement(counts_of(votes)),
        found.expected[order.item],
        found.bits[order.item],
        by_category(found.shares),
        coders.probability[order.item],
        p_value,
        adjusted(p_value),
        hard,
        discrete(hard, least, level),
        level,
        coders.spread,
        coders.share,
        low,
        high,
        chi2_tail(coders.ratio, 1) / 2 if coders.ratio > 0 else 1.0,
        surprises(at, coders.emission, coders.joint),
        groups,
        differ,
        between,
        f"accordant {__version__} | ambiguity: level {level:g}, seed {rng} | {posterior.signature}",
    )
    problems = (f for f in posterior.findings if f.severity == "problem")
    return replace(result, findings=(*told(AMBIGUITY, result), *problems))


# ---------------------------------------------------------------------- findings

AMBIGUITY = Catalogue()
"""Rules about ambiguous items; what they say needs items with two annotations."""


@AMBIGUITY.rule("problem")
def one_annotation_each(found: Ambiguity) -> Told | None:
    """One annotation each.

    Every item has a single annotation, so errors and ambiguity cannot be told apart.

    Have some items annotated by several coders.
    """
    return None if found.pairable.any() else Told({})


@AMBIGUITY.rule("warning", "kairam2016")
def schools_differ(found: Ambiguity) -> Told | None:
    """Coder groups.

    Coders form {groups:group} that give different labels to {n:item}: {part} of all disagreeing
    pairs are between groups. A model with one true label treats this as errors of the smaller
    group.

    Report both labels, or fit a model to each group; neither is noise.
    """
    n, share = int(found.schools_differ.sum()), found.between_schools
    words = {"groups": len(found.schools), "part": percent(share, 0)}
    return Told({"n": n, "share": share}, words, remedy="guideline") if n else None


def _called(found: Ambiguity, chosen: Bools, what: str) -> Told | None:
    """Items beyond what errors explain, and how many of them are false."""
    n, shared = int(chosen.sum()), int((chosen & found.schools_differ).sum())
    if not n:
        return None
    names = found.clearest(chosen)
    also = f"; coder groups differ on {shared:,} of them" if shared else ""
    words = {"names": names, "also": also, "false": percent(found.level, 0)}
    shares = (float(x[chosen].mean()) for x in (found.disagreement, found.expected))
    line, about = Contrast(what, n, *shares), ("items", "items", "disagreement")
    seen = Evidence((line,), *about, "expected of coders", names=tuple(names[:MOST_ITEMS]))
    return Told({"n": n, "level": found.level}, words, seen=seen)


@AMBIGUITY.rule("note", "gilbert2005", "benjamini1995")
def ambiguous_items(found: Ambiguity) -> Told | None:
    """Ambiguous items.

    {n:item} {n:is|are} ambiguous: coders who differ from the majority agree on another label, more
    often than errors explain even on a difficult item ({names:listed}){also}; at most {false} of
    them are expected to be false discoveries.

    Read them, then revise the guideline or keep the distribution of labels in place of one label.
    """
    return _called(found, found.ambiguous, "ambiguous items")


@AMBIGUITY.rule("note", "gelman1996", "benjamini1995")
def unclear_items(found: Ambiguity) -> Told | None:
    """Ambiguous or difficult items.

    {n:item} {n:is|are} ambiguous or difficult{among}: coders disagree there more than their usual
    errors explain ({names:listed}){also}; at most {false} of them are expected to be false
    discoveries{two}.

    Read them. If they have several readings, revise the guideline; if they are difficult, have them
    labelled by more coders, or by better ones.
    """
    told = _called(found, found.unclear, "ambiguous or difficult items")
    n = int(found.ambiguous.sum())
    if told is None or told.facts["n"] == n:
        return None
    among = f", the {n} ambiguous ones among them" if n > 1 else ""
    same = ". With two categories all errors are the same label, so the two cannot be separated"
    two = "" if found.told_apart else same
    return replace(told, words={**told.words, "among": among, "two": two})


@AMBIGUITY.rule("note")
def nothing_ambiguous(found: Ambiguity) -> Told | None:
    """No ambiguous items.

    No item is clearly {what}: the usual errors of coders suffice to explain each of them (smallest
    {p_value:p} of {of:item}; half of the items have {n:annotation} or fewer).

    Ambiguity and a few errors look alike until many coders have seen an item; if it matters, have
    ten or more annotate the items with the most surprising labels.
    """
    if found.unclear.any() or not found.total > 0:
        return None
    n = float(np.median(found.votes.per_item[found.pairable]))
    least: Any = np.nanmin(found.p_value)
    words = {"what": found.what, "of": len(found.p_value)}
    return Told({"p_value": float(least), "n": n}, words)
