"""All coders at a glance: how reliable each is by a model, and on what this rests."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar, Literal, TypeAlias

import numpy as np

from ..actions import FILE, Action
from ..arrays import Bools, Floats, Ints
from ..diagnosis.coder_groups import LEAST_CODERS, divided
from ..diagnosis.finding import Contrast, Finding, FindingTable, Told, found_by, ranked, rule
from ..errors import unknown
from ..inference.item_patterns import Patterns
from ..inference.null import fit_null
from ..messages import listed, quoted
from ..numbers import count_of, decimal, joined
from ..results import Record, Result
from .posterior import Posterior
from .question_results import Each
from .set_posterior import SetPosterior
from .uncertainty import JEFFREYS, Answers, beta_ends
from .votes import UNKNOWN, Votes

Verdict: TypeAlias = Literal["below chance", "constant", "few"]
VERDICTS: Mapping[Verdict, str] = {
    "below chance": "right less often than by chance",
    "constant": "the same label for every item",
    "few": "too few annotations to judge",
}
FEWEST = 5  # annotations; with fewer nothing is said of a coder
ENOUGH_TO_SIDE = 3  # coders; where two differ, nobody says which of them is right
ENOUGH_KNOWN = 5  # control items: then labels can be judged though coders do not agree
LEVEL = 0.05  # so often coders who do not look at the items are said to agree
CONSTANT = 0.99  # share of the annotations of a coder with one label
NOT_BY_CHANCE = 1e-3  # that a usual coder gives one label only, on the same items
NEVER = 1e-9
MOST_NAMED = 6  # coders of a group
MOST_CODERS, MOST_CELLS = 30, 100_000  # items x coders: groups of coders are looked for in a second


# ------------------------------------------------------------------ figures of a coder


def chance(confusion: Floats, prevalence: Floats) -> Floats:
    """(...) probability of being right if the same labels (..., K, K) fell on items at random.

    Examples
    --------
    >>> chance(np.array([[0.9, 0.1], [0.3, 0.7]]), np.array([0.5, 0.5])).round(3).item()
    0.5
    """
    given = (confusion * prevalence[..., None]).sum(-2)
    return np.asarray((given * prevalence).sum(-1))


def above_chance(right: Floats, by_chance: Floats) -> Floats:
    """(C,) skill: how far shares of right labels are above chance; NaN where that leaves no room.

    Cohen's kappa of the coder with the truth: 1 for a coder who is always right, 0 for one whose
    labels do not depend on the truth, below 0 for one whose labels tell what is *not* true.

    Examples
    --------
    >>> above_chance(np.array([0.8, 0.5]), np.array([0.5, 0.5])).round(2).tolist()
    [0.6, 0.0]
    """
    room = np.where(by_chance < 1 - NEVER, 1 - by_chance, np.nan)
    return np.maximum((right - by_chance) / room, -1)


def spammer_score(confusion: Floats) -> Floats:
    """(...) how different the answers to different categories are (Raykar & Yu 2012).

    1 / (K (K - 1)) Σ_{k<k'} Σ_o (confusion_ko - confusion_k'o)²: 0 for a spammer, whose rows are
    all the same, 1 for a coder who tells all categories apart (also one who mistakes each for
    another). With two categories it is (sensitivity + specificity - 1)². NaN with one category.

    Examples
    --------
    >>> spammer_score(np.array([[0.8, 0.2], [0.1, 0.9]])).round(3).item()
    0.49
    >>> spammer_score(np.array([[0.3, 0.7], [0.3, 0.7]])).item(), spammer_score(np.eye(4)).item()
    (0.0, 1.0)
    """
    k = confusion.shape[-2]
    if k < 2:
        return np.full(confusion.shape[:-2], np.nan)
    spread = confusion - confusion.mean(-2, keepdims=True)  # Σ over pairs = K Σ (x - mean)²
    return np.asarray((spread**2).sum((-2, -1)) / (k - 1))


def bits(confusion: Floats, prevalence: Floats) -> Floats:
    """(...) what one annotation tells about the truth: their mutual information, in bits.

    Examples
    --------
    >>> bits(np.eye(2), np.array([0.5, 0.5])).item()
    1.0
    """
    joint = confusion * prevalence[..., None]
    given = joint.sum(-2, keepdims=True)
    safe = np.where(joint > 0, confusion / np.where(given > 0, given, 1), 1.0)
    return np.asarray(np.maximum((joint * np.log2(safe)).sum((-2, -1)), 0))


def agreement_with_others(votes: Votes) -> Floats:
    """(C,) mean share of the other annotations of an item that are the same as the coder's.

    Each annotation of an item with annotations by others counts once. NaN for a coder who shares
    no item with another one.
    """
    times = votes.times
    own = np.bincount(votes.pair, times)[votes.pair]  # by the same coder, whatever the label
    same = votes.counts[votes.item, votes.label] - times
    others = votes.per_item[votes.item] - own
    met = others > 0
    share = np.where(met, same / np.where(met, others, 1), 0)
    total = np.bincount(votes.coder, times * share, votes.n_coders)
    n = np.bincount(votes.coder, times * met, votes.n_coders)
    return np.asarray(total / np.where(n > 0, n, np.nan))


# ------------------------------------------------------------------ agreement beyond chance


@dataclass(frozen=True, eq=False)
class BeyondChance:
    """How far the labels of coders agree beyond chance. P coders of items.

    Parameters
    ----------
    votes : Votes
    item, coder : ndarray of int
        (P,) who annotated what; items that nobody else annotated are left out.
    agreed, chance : ndarray
        (P,) share of the others of the item who gave the same label, and share that chance would
        make the same. Of a control item, what is known stands for the others.
    excess, weight : ndarray
        (P,) the difference of both, each of the others counting by skill, and their skills summed.
    """

    votes: Votes
    item: Ints
    coder: Ints
    agreed: Floats
    chance: Floats
    excess: Floats
    weight: Floats

    def interval(self, level: float) -> tuple[Floats, Floats]:
        """(C,) the mean excess of each coder over chance, others counted by skill.

        NaN with fewer than two annotations, or if none of the others has any skill.
        """
        from scipy.special import stdtrit

        c, x = self.votes.n_coders, self.excess
        n = np.bincount(self.coder, minlength=c)
        more = np.where(n > 1, n, np.nan)
        weight = np.bincount(self.coder, self.weight, c) / more
        mean = np.bincount(self.coder, x, c) / more
        spread = np.bincount(self.coder, (x - mean[self.coder]) ** 2, c) / (more - 1)
        half = stdtrit(more - 1, (1 + level) / 2) * np.sqrt(spread / more)
        scale = np.where(weight > NEVER, weight, np.nan)
        return (mean - half) / scale, (mean + half) / scale

    @cached_property
    def p_value(self) -> float:
        """One-sided, of the mean over items; NaN where chance explains all: one label."""
        from scipy.special import stdtr

        n = np.bincount(self.item)
        x = np.bincount(self.item, self.agreed - self.chance)[n > 0]
        if len(x) < 2 or np.abs(x).max() < NEVER:
            return math.nan
        error = float(x.std(ddof=1)) / math.sqrt(len(x))
        if error < NEVER:
            return 0.0 if x[0] > 0 else 1.0
        return float(stdtr(len(x) - 1, -float(x.mean()) / error))

    @cached_property
    def none(self) -> bool:
        """Whether agreement beyond chance is not shown, though it could be.

        Not with control items, which tell who is right.
        """
        return bool(self.p_value > LEVEL and (self.votes.known != UNKNOWN).sum() < ENOUGH_KNOWN)


def beyond_chance(votes: Votes, skill: Floats) -> BeyondChance:
    """Compare each annotation with those of the other coders of the item, and with chance.

    Others count by skill (C,), 0 for those below 0, where one coder is compared with them. Who
    annotated nothing else is given the habits of all.

    Examples
    --------
    >>> from accordant import read
    >>> from accordant.models.votes import votes
    >>> same = np.ones(2)
    >>> beyond_chance(votes(read([["a", "b"] * 6, ["a", "b"] * 6])), same).none
    False
    >>> beyond_chance(votes(read([["a", "b"] * 6, ["a", "a", "b", "b"] * 3])), same).none
    True
    """
    cell = votes.item.astype(np.int64) * votes.n_coders + votes.coder
    place, group = np.unique(cell, return_inverse=True)
    of_item, of_coder = place // votes.n_coders, place % votes.n_coders
    share = votes.times / np.bincount(group, votes.times)[group]
    control = votes.known != UNKNOWN
    known, n_known = control[of_item], int(control.sum())
    besides = np.bincount(of_coder, minlength=votes.n_coders)[of_coder] - 1.0  # (P,) other items
    n = np.bincount(of_item, minlength=votes.n_items)[of_item] - 1.0  # (P,) others of the item
    skilled = np.fmax(skill, 0)[of_coder]
    agreed, chance, excess = np.zeros((3, len(place)))
    for k in range(votes.n_categories):  # tables of P x K would be the largest things here
        own: Floats = np.bincount(group, share * (votes.label == k), len(place)).astype(float)
        usual = own.sum() / max(len(place), 1)
        habit = _over(_others(of_coder, own), besides, usual)
        is_k = (votes.known == k).astype(float)
        gold = is_k[of_item]  # what is known, and how often it is known of other items
        gold_habit = _over(is_k.sum() - gold, np.full(len(gold), n_known - 1.0), usual)
        agreed += own * np.where(known, gold, _over(_others(of_item, own), n, 0))
        chance += habit * np.where(known, gold_habit, _over(_others(of_item, habit), n, 0))
        excess += own * np.where(known, gold, _others(of_item, skilled * own))
        excess -= habit * np.where(known, gold_habit, _others(of_item, skilled * habit))
    weight = np.where(known, 1.0, _others(of_item, skilled))
    met = known | (n > 0)
    columns = (x[met] for x in (of_item, of_coder, agreed, chance, excess, weight))
    return BeyondChance(votes, *columns)


def _others(of: Ints, x: Floats) -> Floats:
    """(P,) the sum of x over the others of the same item or coder."""
    return np.asarray(np.bincount(of, x)[of], float) - x if len(x) else x


def _over(x: Floats, n: Floats, otherwise: float) -> Floats:
    """A mean, something else where there is nothing."""
    return np.where(n > 0, x / np.where(n > 0, n, 1), otherwise)


# ------------------------------------------------------------------ coders


@dataclass(frozen=True, repr=False)
class Coder(Record):
    """The reliability of a coder, with intervals.

    Parameters
    ----------
    question : str or None
    coder : str
    verdict : str or None
        A key of `VERDICTS`; None where there is nothing to say beyond the figures.
    n_annotations : int
    competence, low, high : float
        Probability of being right under the model, and its interval.
    level : float
    method : str
        How the interval was made.
    skill, skill_low, skill_high : float
        Kappa of the coder with the truth: 0 is chance, below 0 the labels tell what is not true.
    spammer_score : float
        0 for a coder whose labels do not depend on the truth, 1 for one who tells all categories
        apart (Raykar & Yu 2012).
    bits : float
        What one annotation tells about the truth.
    agreement : float
        Mean share of the others who gave the same label; NaN without common items.
    n_control : int
    accuracy, accuracy_low, accuracy_high : float
        On control items; NaN without any.
    """

    told_as: ClassVar[str] = "coder"
    __repr__ = Result.__repr__

    question: str | None
    coder: str
    verdict: Verdict | None
    n_annotations: int
    competence: float
    low: float
    high: float
    level: float
    method: str
    skill: float
    skill_low: float
    skill_high: float
    spammer_score: float
    bits: float
    agreement: float
    n_control: int
    accuracy: float
    accuracy_low: float
    accuracy_high: float


def coders_of(
    found: Posterior | SetPosterior | Each[Posterior | SetPosterior], level: float
) -> Coders | CodersOfQuestions:
    """The coders of a fitted model; of several questions or labels one table each."""
    if isinstance(found, Posterior):
        return _of_posterior(found, level)
    return CodersOfQuestions(tuple(_of_posterior(one, level) for one in _single(found)))


def _single(
    found: Posterior | SetPosterior | Each[Posterior | SetPosterior],
) -> Iterator[Posterior]:
    """The posteriors of single labels; of sets one for each label, named by it."""
    if isinstance(found, Posterior):
        yield found
    elif isinstance(found, SetPosterior):
        before = f"{found.question}: " if found.question else ""
        yield from (replace(one, question=f"{before}{one.question}") for one in found)
    else:
        for part in found:
            yield from _single(part)


def _of_posterior(post: Posterior, level: float) -> Coders:
    votes, believes, counted = post.votes, post.model.probabilistic, post.answers
    own = counted.confusion if post.confusion is None or not believes else post.confusion
    right, by_chance = counted.right_interval(level), chance(own, post.prevalence)
    shares = counted.right, right.low, right.high
    skill, skill_low, skill_high = (above_chance(x, by_chance) for x in shares)
    low, high, method = right.low, right.high, right.method
    if not believes:  # how often the vote has the coder's label, where skill is against others
        n, share = votes.per_coder, post.competence
        low, high = beta_ends(share * n + JEFFREYS, (1 - share) * n + JEFFREYS, level)
    if post.withheld:  # an interval would only look like knowledge
        low = high = skill_low = skill_high = np.full_like(skill, np.nan)
        method = f"none, since {post.withheld}"
    beyond = beyond_chance(votes, skill)
    n_control, n_right = votes.right(votes.known)
    some = np.where(n_control > 0, n_control, np.nan)
    ends = beta_ends(n_right + JEFFREYS, some - n_right + JEFFREYS, level)  # Brown et al. 2001
    figures = {
        "competence": post.competence,
        "low": low,
        "high": high,
        "skill": skill,
        "skill_low": skill_low,
        "skill_high": skill_high,
        "spammer_score": spammer_score(own),
        "bits": bits(own, post.prevalence),
        "agreement": agreement_with_others(votes),
        "accuracy": n_right / some,
        "accuracy_low": np.where(n_right > 0, ends[0], 0 * some),
        "accuracy_high": np.where(n_right < n_control, ends[1], 0 * some + 1),
    }
    verdicts = _verdicts(post, counted, beyond, skill, level)
    each = tuple(
        Coder(
            question=post.question,
            coder=name,
            verdict=verdicts[c],
            n_annotations=int(votes.per_coder[c]),
            level=level,
            method=method,
            n_control=int(n_control[c]),
            **{key: float(x[c]) for key, x in figures.items()},
        )
        for c, name in enumerate(votes.coders)
    )
    return Coders(post, each, counted, level, beyond)


def _verdicts(
    post: Posterior, counted: Answers, beyond: BeyondChance, skill: Floats, level: float
) -> list[Verdict | None]:
    """(C,) where intervals and the other coders say so.

    Beliefs contain the coder's own labels, so nobody is below chance whom the others do not
    confirm to be.
    """
    votes = post.votes
    if post.data.anonymous or beyond.none:
        return [None] * votes.n_coders
    constant = _constant(votes, post.estimate.probabilities, counted)
    below = (skill < 0) & (beyond.interval(level)[1] < 0)
    if post.withheld or (votes.n_coders < ENOUGH_TO_SIDE and (votes.known == UNKNOWN).all()):
        below[:] = False
    rows = zip(votes.per_coder.tolist(), constant.tolist(), below.tolist(), strict=True)
    return [
        "few" if n < FEWEST else "constant" if same else "below chance" if bad else None
        for n, same, bad in rows
    ]


def _constant(votes: Votes, q: Floats, found: Answers) -> Bools:
    """(C,) whether a coder gives one label only, on items where a usual coder would not."""
    given = votes.answers(votes.times)
    label, always = given.argmax(1), given.max(1) >= CONSTANT * given.sum(1)
    own = np.flatnonzero(always[votes.coder])
    item, coder = votes.item[own], votes.coder[own]
    p = np.einsum("nk,nk->n", q[item], found.pooled[:, label[coder]].T)
    rare = np.bincount(coder, votes.times[own] * np.log(np.maximum(p, 1e-300)), votes.n_coders)
    return np.asarray(always & (rare < math.log(NOT_BY_CHANCE)))


@dataclass(frozen=True, eq=False, repr=False)
class Coders(Result):
    """The coders of one question; made by `coders`.

    Parameters
    ----------
    posterior : Posterior
        What the model found.
    each : tuple of Coder
        By name.
    expected : Answers
        The counts that confusion matrices and intervals rest on.
    level : float
    beyond_chance : BeyondChance
        How far labels agree with those of the other coders.
    """

    posterior: Posterior
    each: tuple[Coder, ...]
    expected: Answers
    level: float
    beyond_chance: BeyondChance
    told_as: ClassVar[str] = "coders"

    def __iter__(self) -> Iterator[Coder]:
        return iter(self.each)

    def __len__(self) -> int:
        return len(self.each)

    def __getitem__(self, coder: str) -> Coder:
        return self.each[self._at(coder)]

    def _at(self, coder: str) -> int:
        if coder not in self.posterior.coders:
            raise unknown("coder", coder, self.posterior.coders)
        return self.posterior.coders.index(coder)

    @property
    def question(self) -> str | None:
        """The question."""
        return self.posterior.question

    @property
    def positions(self) -> bool:
        """Whether coders are positions, not persons, so that nothing is said of any of them."""
        return self.posterior.data.anonymous

    def of_verdict(self, verdict: Verdict) -> tuple[str, ...]:
        """The names of the coders with a verdict, such as ``'constant'``."""
        if verdict not in VERDICTS:
            raise unknown("verdict", verdict, VERDICTS)
        return tuple(c.coder for c in self.each if c.verdict == verdict)

    def confusion_of(self, coder: str) -> list[dict[str, Any]]:
        """What a coder answers to what: one row for each true category and answer.

        ``probability`` is the model's if it has confusion matrices, else the share of the expected
        counts, drawn to that of all coders; ``n`` is the expected number of such annotations.

        Raises
        ------
        RequestError
            If there is no such coder.
        """
        c, post = self._at(coder), self.posterior
        shares = (self.expected.confusion if post.confusion is None else post.confusion)[c]
        low, high = self._ends
        return [
            {
                "question": self.question,
                "coder": coder,
                "true": true,
                "answer": answer,
                "probability": float(shares[k, o]),
                "low": float(min(low[c, k, o], shares[k, o])),
                "high": float(max(high[c, k, o], shares[k, o])),
                "n": float(self.expected.counts[c, k, o]),
            }
            for k, true in enumerate(post.categories)
            for o, answer in enumerate(post.categories)
        ]

    @cached_property
    def _ends(self) -> tuple[Floats, Floats]:
        if self.posterior.withheld:
            nothing = np.full(self.expected.counts.shape, np.nan)
            return nothing, nothing
        ends = self.expected.confusion_interval(self.level)
        return ends.low, ends.high

    @cached_property
    def findings(self) -> tuple[Finding, ...]:
        """What a reader of this table must know."""
        if self.positions:
            return ()
        if self.beyond_chance.none:
            told = found_by(no_agreement(self.beyond_chance))
        else:
            rules = coder_below_chance, constant_coder, few_annotations
            told = found_by(*(said(self.each) for said in rules), alike_coders(self.posterior))
        return ranked(replace(f, question=self.question) for f in told)

    @property
    def signature(self) -> str:
        """The call, the data and the version, for others to repeat the table."""
        return f"{self.posterior.signature} | coders: level {self.level:g}"

    def to_rows(self) -> list[dict[str, Any]]:
        """One row for each coder."""
        return [row for c in self.each for row in c.to_rows()]


@dataclass(frozen=True, eq=False, repr=False)
class CodersOfQuestions(Each[Coders]):
    """The coders of each of several questions, or of each label of a set."""

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Those of all questions."""
        return tuple(f for one in self.each for f in one.findings)


# ------------------------------------------------------------------ what to know of coders


def _of_verdict(verdict: Verdict, coders: Sequence[Coder], title: str) -> Told | None:
    """The coders of a verdict, those with most annotations first; ``who`` says it of each."""
    found = [c for c in coders if c.verdict == verdict]
    if not found:
        return None
    found.sort(key=lambda c: (-c.n_annotations, c.coder))
    n = sum(c.n_annotations for c in found)
    each = (
        f"{quoted(c.coder)} (skill {decimal(c.skill)}, {count_of(c.n_annotations, 'annotation')})"
        for c in found
    )
    facts = {
        "coder": found[0].coder if len(found) == 1 else None,
        "coders": tuple(c.coder for c in found),
        "n": n,
        "share": n / sum(c.n_annotations for c in coders),
        "skill": tuple(c.skill for c in found),
    }
    words = {"who": len(found), "of": len(coders), "each": joined(each, most=5)}
    lines = tuple(Contrast(c.coder, c.n_annotations, c.competence, c.agreement) for c in found)
    seen = FindingTable(lines, "coder", "annotations", "right", "agreement with the others")
    return Told(facts, words, remedy="coder", seen=seen, title=title)


@rule("warning", "raykar2012")
def coder_below_chance(coders: Sequence[Coder]) -> Told | None:
    """Coders below chance.

    {who:,} of {of:coder} ({share:%} of the annotations): below chance: their labels are wrong more
    often than random ones. {each}.

    Ask whether labels were exchanged (a key, a column, a reversed scale). A model with confusion
    matrices inverts such labels and learns from them; a vote does not.
    """
    return _of_verdict("below chance", coders, "Coders below chance")


@rule("warning", "raykar2012")
def constant_coder(coders: Sequence[Coder]) -> Told | None:
    """Coders with a single label.

    {who:,} of {of:coder} ({share:%} of the annotations): the same label for every item, where
    others use several. {each}.

    Ask how the task was understood, and whether a default value was kept.
    """
    return _of_verdict("constant", coders, "Coders with a single label")


@rule("note")
def few_annotations(coders: Sequence[Coder]) -> Told | None:
    """Coders with few annotations.

    {who:,} of {of:coder} ({share:%} of the annotations): too few annotations to judge them. {each}.

    Have them annotate more items that others annotate too, or control items.
    """
    return _of_verdict("few", coders, "Coders with few annotations")


@rule("warning", "kairam2016")
def alike_coders(found: Posterior) -> Told | None:
    """Two groups of coders agree within themselves more than their accuracy makes.

    One is {coders}, the other {others}: within them {within:%} of pairs of annotations of an item
    are equal, between them {between:%} ({p_value:p}). Coders who err alike, as models of one family
    may, count as several though they know little more than one.

    Have labels checked on which these groups differ. Of models of one family, keep one.
    """
    votes = found.votes
    k, size = votes.n_categories, votes.n_items * votes.n_coders
    many = votes.n_coders > MOST_CODERS or size > MOST_CELLS
    few = votes.n_coders < LEAST_CODERS or bool(found.withheld)
    if few or many or isinstance(votes.categories[0], bool):
        return None  # of sets each label would be looked at
    grid = np.full((votes.n_items, votes.n_coders), UNKNOWN)
    grid[votes.item, votes.coder] = votes.label
    rows = Patterns.of_grid(grid, k).in_order(np.arange(votes.n_coders), np.arange(k))
    parted = divided(rows, fit_null(rows, np.eye(k, dtype=bool)))
    if parted is None:
        return None
    groups = {n: tuple(votes.coders[c] for c in getattr(parted, n)) for n in ("coders", "others")}
    figures = {n: getattr(parted, n) for n in ("within", "between", "p_value")}
    return Told(
        {**groups, **figures},
        {n: listed(names, most=MOST_NAMED) for n, names in groups.items()},
        do=(Action("to_check"),),
        title="Coders who err alike",
    )


@rule("warning")
def no_agreement(found: BeyondChance) -> Told:
    """Agreement beyond chance is not shown.

    That coders agree more than by chance is not shown: observed agreement is {agreement:%},
    expected agreement {chance:%} ({p_value:p}, {n:item} with two coders or more). So nothing shows
    who is right, and coders are not judged; the labels and the accuracies that the model estimates
    may come from noise.

    Do not use these labels yet. Check whether items or coders were exchanged in the data, then
    discuss some items and the guideline with the coders. Control items, labelled with care, show
    how reliable coders are.
    """
    figures = {"agreement": float(found.agreed.mean()), "chance": float(found.chance.mean())}
    return Told(
        {**figures, "p_value": found.p_value, "n": len(np.unique(found.item))},
        do=(Action("", {"gold": FILE}, "control items"),),
        remedy="guideline",
        title="Agreement beyond chance is not shown",
    )
