"""The alternative annotator test: whether a model may take the place of a human.

Calderon, Reichart & Dror (2025). Each human is left out in turn. On the items of that human, the
human and the model are compared by how near they come to the humans who remain. The model stands
in for a human if it is not worse by ε or more, and passes if it does so for half of the humans.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar, Literal, NamedTuple, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

from .._version import __version__
from ..actions import Action
from ..arrays import Floats, Ints
from ..counts.counts import Counts
from ..counts.row_keys import sums
from ..diagnosis.finding import Catalogue, Finding, Told, ranked
from ..errors import RequestError, unknown
from ..inference.influence import linearise
from ..inference.intervals import interval, standard_error
from ..measure.measures import shown
from ..measure.undefined import why_undefined
from ..messages import label_text, quoted
from ..numbers import decimal, joined, percent
from ..numbers import interval as interval_text
from ..results import Record, Result
from ..scheme import number
from .humans_and_models import NOT_SAID, Sides

Signs: TypeAlias = NDArray[np.int8]
Alignment: TypeAlias = Literal["accuracy", "neg_rmse", "similarity"]

EPSILONS = {"expert": 0.2, "skilled": 0.15, "crowd": 0.1}
"""What Calderon et al. (2025) advise: the dearer a human, the more a model may lose."""
HALF = 0.5  # of the humans must be beaten
MISSING = np.int8(9)  # sign where nothing can be compared
SAME = 1e-12  # of what was added up: scores that differ by less are equal, nobody loses by rounding
MOST_VALUES = 2000  # beyond it no table of all values is made
LOWEST = 0.667  # agreement below which Krippendorff (2004) draws no conclusions
COPIED = 20  # common items that are all alike; our convention


# ------------------------------------------------------------------ results


@dataclass(frozen=True)
class HumanTest(Record):
    """One human, left out, and one model, beside the humans who remain.

    Parameters
    ----------
    model, human : str
    epsilon : float
        How much worse than the human the model may be.
    n_items : int
        Items that the human, another human and the model annotated.
    advantage : float
        ρ of the model: the share of these on which it is as near to the others as the human, or
        nearer.
    human_advantage : float
        ρ of the human: the share on which the human is as near as the model, or nearer.
    test : str
        't', 'exact' or 'none'.
    p_value : float
        Of the hypothesis that ρ of the model ≤ ρ of the human − ε.
    p_adjusted : float
        To be compared with q; corrected for the number of humans.
    beaten : bool or None
        Whether the hypothesis is rejected, so that the model may stand in for the human; None
        where nothing was tested.
    """

    derived: ClassVar[tuple[str, ...]] = ("difference",)

    model: str
    human: str
    epsilon: float
    n_items: int
    advantage: float
    human_advantage: float
    test: str
    p_value: float = math.nan
    p_adjusted: float = math.nan
    beaten: bool | None = None

    @property
    def difference(self) -> float:
        """ρ of the human less ρ of the model: what the test compares with ε."""
        return self.human_advantage - self.advantage


@dataclass(frozen=True)
class ModelTest(Record):
    """The alternative annotator test of one model.

    Parameters
    ----------
    model : str
    n_humans : int
        Humans for whom the model was tested.
    n_items : int
        Items on which it was.
    winning_rate : float
        ω: the share of these humans whom it may stand in for; NaN if there are none.
    passed : bool or None
        Whether ω is half or more.
    advantage : float
        Mean ρ of the model: how likely it is as good as a human chosen at random, or better.
    se, low, high : float
        Standard error and interval of ``advantage``, over items.
    human_advantage : float
        Mean ρ of the humans.
    tests : tuple of HumanTest
        One for each human.
    """

    hidden: ClassVar[tuple[str, ...]] = ("tests",)
    derived: ClassVar[tuple[str, ...]] = ("n_beaten", "n_open")

    model: str
    n_humans: int
    n_items: int
    winning_rate: float
    passed: bool | None
    advantage: float
    se: float
    low: float
    high: float
    human_advantage: float
    tests: tuple[HumanTest, ...] = ()

    @property
    def n_beaten(self) -> int:
        """How many humans it may stand in for."""
        return sum(t.beaten is True for t in self.tests)

    @property
    def n_open(self) -> int:
        """For how many humans the difference is below ε, though not significantly.

        0 unless the model fails, and would pass with them.
        """
        n = sum(t.beaten is False and t.difference < t.epsilon for t in self.tests)
        return n if self.passed is False and self.n_beaten + n >= HALF * self.n_humans else 0


@dataclass(frozen=True)
class GroupAgreement(Record):
    """Agreement of a human, drawn anew for each item, with another human or with a model.

    ``model`` is None for two humans. ``observed`` and ``expected`` are A_o and A_e.
    """

    model: str | None
    n_items: int
    observed: float
    expected: float
    value: float
    se: float = math.nan
    low: float = math.nan
    high: float = math.nan
    undefined: str | None = None


@dataclass(frozen=True, eq=False, repr=False)
class ModelAsCoder(Result):
    """Models beside humans; made by `model_as_coder`. M models, H humans.

    ``found["gpt"]`` is the test of a model.

    Parameters
    ----------
    question : str or None
    sides : Sides
        Who annotated what.
    tests : tuple of ModelTest
        (M,) the alternative annotator test of each model.
    constant : ModelTest or None
        The same test of an answer that never changes: the label that is nearest to the humans. A
        yardstick for how easy the test is on these data.
    groups : tuple of GroupAgreement
        (1 + M,) agreement of two humans, and of a human and each model.
    alignment : str
    epsilon, q, level : float
    min_items : int
        As given to `model_as_coder`.
    """

    told_as: ClassVar[str] = "compare-models"

    question: str | None
    sides: Sides
    tests: tuple[ModelTest, ...]
    constant: ModelTest | None
    groups: tuple[GroupAgreement, ...]
    alignment: str
    epsilon: float
    q: float
    min_items: int
    level: float

    @property
    def humans(self) -> tuple[str, ...]:
        """(H,) names."""
        return self.sides.humans

    @property
    def models(self) -> tuple[str, ...]:
        """(M,) names."""
        return self.sides.models

    @property
    def human_tests(self) -> tuple[HumanTest, ...]:
        """(M x H) each model beside each human."""
        return tuple(t for model in self.tests for t in model.tests)

    @property
    def measure_name(self) -> str:
        """The coefficient of agreement with its weights, as readers see it."""
        return shown(self.sides.measure.coefficient.key, self.sides.w.name)

    def __getitem__(self, model: str) -> ModelTest:
        for test in self.tests:
            if test.model == model:
                return test
        raise unknown("model", model, self.models, have="there are")

    def to_rows(self) -> list[dict[str, Any]]:
        """One row for each model: the test, and how far it agrees with the humans.

        Agreement of two humans beside it is of the items that the model labelled.
        """
        return [
            {"question": self.question}
            | test.to_rows()[0]
            | {
                "measure": self.sides.measure.key,
                "human_agreement": _of_humans(self.sides, self.level, m).value,
                "model_agreement": self.groups[1 + m].value,
            }
            for m, test in enumerate(self.tests)
        ]

    @cached_property
    def findings(self) -> tuple[Finding, ...]:
        """Whether the models may stand in for the humans, and what must be said with it."""
        tests = sorted(self.tests, key=lambda t: -t.advantage if t.n_humans else 2.0)
        of_models = (rule(self, test) for rule in OF_MODELS.values() for test in tests)
        found = [*of_models, *(rule(self) for rule in OF_ALL.values())]
        return ranked(f for f in found if f is not None)

    @cached_property
    def signature(self) -> str:
        """The call, the data and the version, for others to repeat the numbers."""
        return (
            f"accordant {__version__} | model_as_coder: models {', '.join(self.models)}; "
            f"{len(self.humans)} humans; alignment {self.alignment}; epsilon {self.epsilon:g}; "
            f"q {self.q:g}; min_items {self.min_items}; {self.sides.measure.key} "
            f"({self.sides.w.name}) | data {self.sides.data.fingerprint[:12]}"
        )


def compared(
    s: Sides, epsilon: float | str, alignment: Alignment, q: float, min_items: int, level: float
) -> ModelAsCoder:
    """The tests of all models, and agreement beside them; see `model_as_coder`."""
    if isinstance(epsilon, str) and epsilon not in EPSILONS:
        known = ", ".join(f"{name!r} ({value})" for name, value in EPSILONS.items())
        raise RequestError(f"one of {known}, or a number, not {epsilon!r}", parameter="epsilon")
    loss = EPSILONS[epsilon] if isinstance(epsilon, str) else float(epsilon)
    if not 0 <= loss <= 1:
        raise RequestError(f"a number between 0 and 1, not {epsilon!r}", parameter="epsilon")
    near = _near(s, alignment)

    def tested(name: str, said: Ints) -> ModelTest:
        return _tested(s, name, _nearer(s, said, near), loss, q, min_items, level)

    constant = None
    if s.counts.n_values <= MOST_VALUES:
        every = np.arange(s.counts.n_values)
        score = near(every[:, None], every[None, :]) @ np.bincount(s.value, minlength=len(every))
        label = int(score.argmax())
        constant = tested(label_text(s.counts.values[label]), np.full(s.n_items, label))
    return ModelAsCoder(
        s.data.questions[0] or None,
        s,
        tuple(tested(name, s.said[:, m]) for m, name in enumerate(s.models)),
        constant,
        tuple(_groups(s, level)),
        alignment,
        loss,
        q,
        min_items,
        level,
    )


# ------------------------------------------------------------------ who is nearer


def _near(s: Sides, alignment: Alignment) -> Callable[[Ints, Ints], Floats]:
    """How near two values are: what is averaged over the other humans.

    Of 'neg_rmse' it is the squared distance with a minus: −√ of the mean rises with the mean, so
    that the sign of a difference is the same.
    """
    if alignment == "accuracy":
        return lambda a, b: np.asarray(a == b, dtype=float)
    if alignment == "similarity":
        return s.w.at
    if alignment != "neg_rmse":
        raise unknown(
            "alignment", alignment, get_args(Alignment), "choose from", parameter="alignment"
        )
    numbers = [None if isinstance(v, tuple) else number(v) for v in s.counts.values]
    if None in numbers:
        odd = s.counts.values[numbers.index(None)]
        raise RequestError(
            f"'neg_rmse' needs numbers, and {odd!r} is none",
            parameter="alignment",
            do=[Action("", {"alignment": "accuracy"})],
        )
    scores = np.array(numbers, float)
    return lambda a, b: -((scores[a] - scores[b]) ** 2)


def _nearer(s: Sides, said: Ints, near: Callable[[Ints, Ints], Floats]) -> Signs:
    """For each annotation of a human whether the human or the model is nearer to the others.

    Everything is summed over the different values of an item, not over pairs of annotations.

    Parameters
    ----------
    s : Sides
    said : ndarray of int
        (I,) what the model said.
    near : callable
        How near two values are.

    Returns
    -------
    ndarray of int8
        (N,) 1 if the human is, −1 if the model is, 0 for a tie; 9 where no other human annotated
        the item or the model did not.
    """
    c = s.cells
    one, other = s.cells_of(c.item)
    met = c.n[other] * near(c.value[one], c.value[other])
    human = (sums(one, met, len(c.n)) - near(c.value, c.value))[c.of]
    largest = sums(one, np.abs(met), len(c.n))[c.of]
    gave = np.where(said == NOT_SAID, 0, said)
    total = sums(c.item, c.n * near(gave[c.item], c.value), s.n_items)[s.item]
    gap = human - (total - near(gave[s.item], s.value))
    same = np.abs(gap) <= SAME * (largest + np.abs(total))
    sign = np.where(same, 0, np.sign(gap)).astype(np.int8)
    there = (s.n_humans[s.item] > 1) & (said[s.item] != NOT_SAID)
    return np.where(there, sign, MISSING)


# ------------------------------------------------------------------ the test


def _below(d: Floats, epsilon: float, q: float, min_items: int) -> tuple[str, float]:
    """The test that differences (n,) of −1, 0 and 1 lie below ε on average, and its p-value.

    With few values two exact binomial tests, each valid whatever the share of ties is, p being
    twice the smaller one: that 1 is as frequent as ε or more, and that among −1 and 1 it is as
    frequent as (1 + ε) / 2 or more. No test where no outcome could be significant.
    """
    from scipy import stats

    n = len(d)
    if n >= min_items and n > 1:
        if not np.ptp(d):
            return "t", 0.0 if d[0] < epsilon else 1.0
        return "t", float(stats.ttest_1samp(d, epsilon, alternative="less").pvalue)
    if not n or 2 * ((1 - epsilon) / 2) ** n > q:
        return "none", math.nan
    farther, moved = int((d > 0).sum()), int((d != 0).sum())
    p = [float(stats.binomtest(farther, n, epsilon, "less").pvalue)]
    if moved:
        p.append(float(stats.binomtest(farther, moved, (1 + epsilon) / 2, "less").pvalue))
    return "exact", min(1.0, 2 * min(p))


def _tested(
    s: Sides, model: str, sign: Signs, epsilon: float, q: float, min_items: int, level: float
) -> ModelTest:
    """The test of one model from the signs (N,) of `_nearer`."""
    from scipy.stats import false_discovery_control

    each = [sign[(s.human == j) & (sign != MISSING)].astype(float) for j in range(len(s.humans))]
    by, p = zip(*(_below(d, epsilon, q, min_items) for d in each), strict=True)
    known = ~np.isnan(p)
    adjusted = np.full(len(p), math.nan)
    if known.any():
        adjusted[known] = false_discovery_control(np.array(p)[known], method="by")
    tests = tuple(
        HumanTest(
            model,
            human,
            epsilon,
            len(d),
            float((d <= 0).mean()) if len(d) else math.nan,
            float((d >= 0).mean()) if len(d) else math.nan,
            by[j],
            p[j],
            float(adjusted[j]),
            bool(adjusted[j] <= q) if known[j] else None,
        )
        for j, (human, d) in enumerate(zip(s.humans, each, strict=True))
    )
    tested = [t for t in tests if t.beaten is not None]
    if not tested:
        return ModelTest(model, 0, 0, math.nan, None, *(math.nan,) * 5, tests)
    used = (sign != MISSING) & known[s.human]
    mean, n = (np.array([getattr(t, x) for t in tests]) for x in ("advantage", "n_items"))
    who = s.human[used]
    moved = ((sign[used] <= 0) - mean[who]) / (n[who] * len(tested))
    value = float(np.mean([t.advantage for t in tested]))
    n_items = len(np.unique(s.item[used]))
    se, low, high = _spread(value, sums(s.item[used], moved, s.n_items), n_items, level)
    return ModelTest(
        model,
        len(tested),
        n_items,
        sum(bool(t.beaten) for t in tested) / len(tested),
        sum(bool(t.beaten) for t in tested) >= HALF * len(tested),
        value,
        se,
        max(low, 0.0),
        min(high, 1.0),
        float(np.mean([t.human_advantage for t in tested])),
        tests,
    )


def _spread(value: float, pull: Floats, n: int, level: float) -> tuple[float, float, float]:
    """Standard error over n items, and interval; NaN for a single item or no variation.

    ``pull`` (I,) is how far each item moves the value; it sums to 0.
    """
    if n < 2 or math.isnan(value):
        return math.nan, math.nan, math.nan
    se = standard_error(float(pull @ pull) * n / (n - 1))
    return se, *(interval(value, se, n - 1, level) if se else (math.nan, math.nan))


# ------------------------------------------------------------------ agreement


class _Met(NamedTuple):
    """(P,) pairs of values of an item, with their weights."""

    one: Ints
    other: Ints
    weight: Floats
    item: Ints


def _groups(s: Sides, level: float) -> Iterator[GroupAgreement]:
    """Two humans, and a human and each model: every item counts once, whoever annotated it.

    A group of coders is one coder drawn anew for each item (Schouten 1982, in the version for an
    isolated coder and a group). For two coders this is their contingency table.
    """
    c = s.cells
    yield _of_humans(s, level)
    for m, model in enumerate(s.models):
        there = np.flatnonzero(s.said[c.item, m] != NOT_SAID)
        item = c.item[there]
        share = c.n[there] / s.n_humans[item]
        yield _agreement(s, model, _Met(s.said[item, m], c.value[there], share, item), level)


def _of_humans(s: Sides, level: float, model: int | None = None) -> GroupAgreement:
    """The agreement of two humans, on the items that a model labelled if one is named."""
    c, met = s.cells, s.n_humans > 1
    if model is not None:
        met &= s.said[:, model] != NOT_SAID
    several = np.flatnonzero(met[s.item])
    run, cell = s.cells_of(s.item[several])
    row = several[run]
    n = s.n_humans[s.item[row]]
    weight = (c.n[cell] - (cell == c.of[row])) / (n - 1) / n
    used = weight > 0
    pairs = _Met(s.value[row[used]], c.value[cell[used]], weight[used], s.item[row[used]])
    return _agreement(s, None, pairs, level)


def _agreement(s: Sides, model: str | None, met: _Met, level: float) -> GroupAgreement:
    """The agreement of two coders who gave these pairs of values, with an interval over items."""
    if not len(met.one):
        nothing = "no item was annotated by both"
        return GroupAgreement(model, 0, *(math.nan,) * 3, undefined=nothing)
    cells, of = np.unique(met.one * s.counts.n_values + met.other, return_inverse=True)
    of, n = of.reshape(-1), len(cells)
    counts = Counts(
        2 * np.arange(n + 1),
        np.tile([0, 1], n),
        np.stack(np.divmod(cells, s.counts.n_values), 1).ravel(),
        np.ones(2 * n, np.int64),
        np.bincount(of, met.weight).astype(float),
        ("one", "other"),
        s.counts.values,
        np.arange(n),
        s.counts.declared,
    )
    coefficient = s.measure.coefficient
    parts = coefficient.parts(counts, s.w)
    observed, expected = float(parts.observed), float(parts.expected)
    why = why_undefined(coefficient, counts, observed, expected)
    n_items = len(np.unique(met.item))
    found = GroupAgreement(model, n_items, observed, expected, float(parts.value))
    if why:
        return replace(found, value=math.nan, undefined=str(why))
    deviation = linearise(coefficient, counts, s.w).of_items()
    pull = np.bincount(met.item, met.weight * deviation[of], s.n_items) / met.weight.sum()
    se, low, high = _spread(found.value, pull, n_items, level)
    return replace(found, se=se, low=low, high=min(high, 1.0))


# ------------------------------------------------------------------ findings

SOURCE = "calderon2025"
OF_MODELS, OF_ALL = Catalogue(), Catalogue()


def _outcome(found: ModelAsCoder, test: ModelTest) -> dict[str, Any]:
    return {
        "model": test.model,
        "winning_rate": test.winning_rate,
        "n_humans": test.n_humans,
        "n_beaten": test.n_beaten,
        "beaten": tuple(t.human for t in test.tests if t.beaten),
        "epsilon": found.epsilon,
        "advantage": test.advantage,
        "human_advantage": test.human_advantage,
        "n": test.n_items,
    }


def _sure(test: ModelTest) -> dict[str, Any]:
    ends = "" if math.isnan(test.low) else f" {interval_text(test.low, test.high)}"
    return {"sure": f"{decimal(test.advantage)}{ends}"}


@OF_MODELS.rule("note", SOURCE)
def stands_in(found: ModelAsCoder, test: ModelTest) -> Told | None:
    """A model passes.

    {model:quoted} passes the alternative-annotator test: its winning rate is {winning_rate:.3}
    ({n_beaten} of {n_humans:human}, ε = {epsilon}). With probability {sure} it is as close to the
    other humans as a human chosen at random, or closer.

    It may replace humans like these on items like these. Report the winning rate, the advantage
    probability, ε and why it was chosen, who the humans are, and how far they agree. Keep having
    humans annotate a sample.
    """
    return Told(_outcome(found, test), _sure(test)) if test.passed else None


@OF_MODELS.rule("warning", SOURCE)
def falls_short(found: ModelAsCoder, test: ModelTest) -> Told | None:
    """A model does not pass.

    {model:quoted} does not pass the alternative-annotator test: its winning rate is
    {winning_rate:.3} ({n_beaten} of {n_humans:human}, ε = {epsilon}). It is as close to the other
    humans as a human chosen at random, or closer, with probability {sure}; a human with
    {human_advantage:.3}.

    Do not replace a human by it. Read the items on which it differs from all humans, change its
    instructions and test it again on other items, or let it suggest labels that humans check.
    """
    if test.passed is not False or test.n_open:
        return None
    return Told(_outcome(found, test), _sure(test))


@OF_MODELS.rule("warning", SOURCE)
def too_few_items(found: ModelAsCoder, test: ModelTest) -> Told | None:
    """Too few items to decide.

    {model:quoted} does not pass the alternative-annotator test ({n_beaten} of {n_humans:human},
    ε = {epsilon}), but for {n_open:human} more the difference is below ε, only not significantly.
    It is as close to the other humans as a human chosen at random, or closer, with probability
    {sure}; a human with {human_advantage:.3}.

    Annotate more items: the test is undecided. Until then humans must annotate.
    """
    if not test.n_open:
        return None
    return Told({**_outcome(found, test), "n_open": test.n_open}, _sure(test))


@OF_ALL.rule("problem", SOURCE)
def not_tested(found: ModelAsCoder) -> Told | None:
    """No test.

    No human shares enough items with another human and a model, so the alternative-annotator test
    cannot be computed: it compares a model and a human with other humans.

    Have 50 to 100 items annotated by three humans or more, and by the model.
    """
    if any(t.n_humans for t in found.tests):
        return None
    shared = int((found.sides.n_humans > 1).sum())
    return Told({"n_humans": len(found.humans), "n_items": shared})


@OF_ALL.rule("warning", SOURCE, "krippendorff2004")
def humans_disagree(found: ModelAsCoder) -> Told | None:
    """Low agreement between the humans.

    The humans agree little among themselves ({measure} = {value:.3}). The test asks whether a model
    is as close to the others as a human, which is easy where no human is close: passing shows that
    the model comes within ε of half of the humans, not that it is good.

    Find out why the humans disagree and resolve it before a model replaces one, or choose a smaller
    ε.
    """
    value = found.groups[0].value
    if not (value < LOWEST and any(t.passed for t in found.tests)):
        return None
    do = Action("diagnose"), Action("", {"epsilon": ...})
    return Told({"value": value}, {"measure": found.measure_name}, do=do)


@OF_ALL.rule("warning", SOURCE)
def easy_test(found: ModelAsCoder) -> Told | None:
    """A constant label would pass.

    Giving {label:quoted} to every item would pass as well (winning rate {winning_rate:.3},
    advantage probability {advantage:.3}).

    Do not use the result: test on items among which other labels are as frequent.
    """
    own = found.constant
    if own is None or not own.passed:
        return None
    facts = {"label": own.model, "winning_rate": own.winning_rate, "advantage": own.advantage}
    return Told(facts, severity="problem" if any(t.passed for t in found.tests) else None)


@OF_MODELS.rule("warning")
def copy(found: ModelAsCoder, test: ModelTest) -> Told | None:
    """Identical labels of a model and a human.

    {model:quoted} gave the same label to every common item ({n:item}) as {humans:listed}.

    Find out if one was made from the other: whoever saw the model's labels is not independent.
    """
    s = found.sides
    said = s.said[:, found.models.index(test.model)]
    n = np.bincount(s.human, said[s.item] != NOT_SAID, len(s.humans))
    alike = np.bincount(s.human, said[s.item] == s.value, len(s.humans))
    same = np.flatnonzero((alike == n) & (n >= COPIED)).tolist()
    if len(np.unique(said[said != NOT_SAID])) < 2 or not same:
        return None
    names = tuple(s.humans[j] for j in same)
    return Told({"model": test.model, "humans": names, "n": int(n[same].min())})


@OF_ALL.rule("warning")
def not_labelled(found: ModelAsCoder) -> Told | None:
    """Items that a model did not label.

    Some of the {n:item} with two humans or more have no label by the model: {each}. These items
    are excluded.

    Count refusals as a label of their own: a model that refused or failed on difficult items looks
    better than it is.
    """
    s = found.sides
    n = int((s.n_humans > 1).sum())
    lost = ((s.said == NOT_SAID) & (s.n_humans > 1)[:, None]).sum(0).tolist()
    models = {name: k for name, k in zip(found.models, lost, strict=True) if k}
    each = joined(f"{quoted(m)} {k:,} ({percent(k / n)})" for m, k in models.items())
    return Told({"models": models, "n": n}, {"each": each}) if models else None
