"""Predictions scored against soft labels, each score beside what others would get."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from ..._version import __version__
from ...actions import Action
from ...arrays import Floats, Ints
from ...diagnosis.finding import Catalogue, Finding, Told
from ...diagnosis.words import quoted
from ...errors import RequestError, unknown
from ...inference.distributions import t_quantile
from ...numbers import count_of
from ..question_results import Each
from . import scores as scoring
from .distributions import places
from .exchange import Predicted, predicted
from .scores import MEASURES, ModelScores, Score, SoftScores, Sums
from .soft_labels import KINDS, SoftLabels, soft_labels, told

__all__ = ["models_in", "score_predictions"]


MUCH = 0.05  # share of the cross-entropy that is worth a word; our convention


# ---------------------------------------------------------------------- the public call


def score_predictions(
    predictions: Any,
    soft: Any,
    *,
    ties: str = "left_out",
    floor: float = 1e-12,
    unit: str = "bits",
    clusters: Mapping[Hashable, Hashable] | None = None,
    interval: str = "delta",
    level: float = 0.95,
    n_resamples: int = 2000,
    rng: int = 0,
    **more: Any,
) -> SoftScores | ModelScores:
    """How well predictions fit soft labels; see `accordant.score_predictions`."""
    for name, given, allowed in (
        ("ties", ties, ("left_out", "shared")),
        ("unit", unit, ("bits", "nats")),
        ("interval", interval, ("delta", "bootstrap")),
    ):
        if given not in allowed:
            raise unknown("choice", given, allowed, "choose from", parameter=name)
    against = _against(soft, more)
    scoring = _Scoring(against, ties, floor, unit, clusters, interval, level, n_resamples, rng)
    models = models_in(predictions, against)
    if models is None:
        return scoring.of(predictions)
    found = ModelScores({name: scoring.of(one) for name, one in models.items()})
    return replace(found, findings=tuple(_of_all(found)))


def _of_all(found: ModelScores) -> Iterator[Finding]:
    """What is to be said of several models: that their items differ, then what is of each."""
    for f in told(OF_MODELS, found):
        yield replace(f, title="Models with different items")
    said = Counter(f.sentence for one in found.each.values() for f in one.findings)
    own = {
        f.sentence if said[f.sentence] == len(found) else f"{quoted(name)}: {f.sentence}": f
        for name, one in found.each.items()
        for f in one.findings
    }
    yield from (replace(f, sentence=sentence) for sentence, f in own.items())


def _against(soft: Any, more: Mapping[str, Any]) -> SoftLabels:
    """The soft labels; annotations become opinions as they were given, unless more is asked for."""
    if isinstance(soft, SoftLabels | Each):
        if more:
            raise RequestError(
                "an option for annotations; these are soft labels already",
                parameter=next(iter(more)),
            )
        found = soft
    else:
        opinions = more.get("of", "opinion") == "opinion"
        found = soft_labels(soft, **{**({"smoothing": "none"} if opinions else {}), **more})
    if isinstance(found, Each):
        names = ", ".join(repr(one.question) for one in found)
        raise RequestError(f"predictions are of one question: choose one of {names}, soft[…]")
    return found


def models_in(predictions: Any, soft: SoftLabels) -> Mapping[str, Any] | None:
    """The predictions of each model, if a mapping holds those of several; else None.

    A mapping is from models if none of its keys is an item, and each value holds predictions for
    many items: soft labels, a posterior, a file, a frame, a mapping, an array of rows.

    Examples
    --------
    >>> import accordant as ac
    >>> soft = ac.soft_labels([["a", "b"], ["a", "b"]], smoothing="none")
    >>> list(models_in({"one": [[1, 0], [0, 1]], "two": ["a", "b"]}, soft))
    ['one', 'two']
    >>> models_in(dict(zip(soft.names, ["a", "b"])), soft) is None
    True
    """
    if not isinstance(predictions, Mapping) or not predictions:
        return None
    items = set(map(str, soft.names))
    if any(str(key) in items for key in predictions):
        return None
    if not all(_holds_many(value, len(soft)) for value in predictions.values()):
        return None
    return {str(name): value for name, value in predictions.items()}


def _holds_many(value: Any, n_items: int) -> bool:
    """Whether a value can be the predictions of a model, rather than that of an item."""
    if isinstance(value, str | Path):
        return Path(value).is_file()
    if isinstance(value, Mapping | list | tuple):
        each = value.values() if isinstance(value, Mapping) else value
        one = [isinstance(x, Mapping | list | tuple | str) for x in each]
        return any(one) if isinstance(value, Mapping) else len(one) == n_items and all(one)
    made = hasattr(value, "probabilities") or hasattr(value, "columns")
    return made or getattr(value, "ndim", 0) == 2


@dataclass(frozen=True, eq=False)
class _Scoring:
    """What predictions are scored against, and how."""

    soft: SoftLabels
    ties: str
    floor: float
    unit: str
    clusters: Mapping[Hashable, Hashable] | None
    interval: str
    level: float
    n_resamples: int
    rng: int

    def of(self, predictions: Any) -> SoftScores:
        """The scores of one model."""
        soft, given = self.soft, predicted(predictions, self.soft)
        cluster, n_clusters = self._clusters([str(soft.items[i]) for i in given.at.tolist()])
        target, votes = soft.distributions[given.at], soft.votes[given.at]
        majority = scoring.mass_of(votes)
        own = self._sums(target, votes, soft.yes_and_no(given.probabilities))
        factor = self._factors(own)

        def shown(x: Floats) -> list[float]:
            return [float(one) for one in x * factor]

        value, se, low, high = map(shown, (own.values, *self._intervals(own, cluster, n_clusters)))
        others = {  # predictions that need no model
            "soft_labels": target,
            "majority_label": majority,
            "frequencies": np.broadcast_to(target.mean(0), target.shape),
            "uniform": np.full(target.shape, 1 / target.shape[-1]),
        }
        beside = {who: shown(self._sums(target, votes, p).values) for who, p in others.items()}
        if best := scoring.perfect(soft, self.floor):
            reached = {name: x[given.at].mean() for name, x in best.items()}
            beside["perfect"] = shown(np.array([reached.get(x, np.nan) for x in own.measures]))
        coder = [shown(x) for x in self._one_coder(given, cluster, n_clusters)]
        scores = tuple(
            Score(
                name,
                MEASURES[name].name,
                value[k],
                se[k],
                low[k],
                high[k],
                MEASURES[name].better,
                {who: x[k] for who, x in beside.items()},
                *(x[k] for x in coder),
            )
            for k, name in enumerate(own.measures)
        )
        each = (*own.names, "entropy_soft", "entropy_predicted")
        nats = [*factor[: len(own.names)], *[factor[own.measures.index("entropy_gap")]] * 2]
        of_items = {name: own.x[:, 1 + k] * nats[k] for k, name in enumerate(each)}
        n_tied = int((majority.max(-1) < 1).sum()) if self.ties == "left_out" else 0
        items = [soft.names[i] for i in given.at.tolist()]
        result = SoftScores(
            soft.question,
            soft.kind,
            scores,
            items,
            of_items,
            given.n_missing,
            given.n_extra,
            n_tied,
            self.unit,
            self.ties,
            self.level,
            self.interval,
            self._signature,
        )
        findings = (*told(SCORES, result, soft, given, self.floor), *soft.findings)
        return replace(result, findings=findings)

    @property
    def _signature(self) -> str:
        drawn = f" ({self.n_resamples} resamples, seed {self.rng})"
        return (
            f"accordant {__version__} | score_predictions: ties {self.ties}, floor {self.floor:g}, "
            f"{self.unit}, interval {self.interval} {self.level:g}"
            f"{drawn if self.interval == 'bootstrap' else ''} | against {self.soft.signature}"
        )

    def _factors(self, sums: Sums) -> Floats:
        """What bits are multiplied with."""
        nat = math.log(2) if self.unit == "nats" else 1.0
        return np.array([nat ** MEASURES[name].bits for name in sums.measures])

    def _sums(self, target: Floats, votes: Floats, p: Floats, weight: Any = None) -> Sums:
        """What is summed of predictions beside distributions and the votes these rest on."""
        majority = scoring.mass_of(votes)
        decided = (majority.max(-1) == 1) | (self.ties == "shared")
        return scoring.sums_of(
            target,
            majority,
            decided.astype(float),
            p,
            floor=self.floor,
            at=places(self.soft.scheme),
            weight=weight,
        )

    def _clusters(self, names: list[str]) -> tuple[Ints, int]:
        """(J,) the cluster of each item, in the order of their names, and how many there are."""
        if self.clusters is not None:
            of = {str(item): str(group) for item, group in self.clusters.items()}
            if lost := [name for name in names if name not in of]:
                raise RequestError(
                    f"there is no group for item {lost[0]!r} and {len(lost) - 1:,} more",
                    parameter="clusters",
                )
            names = [of[name] for name in names]
        groups, found = np.unique(names, return_inverse=True)
        return found, len(groups)

    def _reach(self, moved: Floats) -> Floats:
        """(D + 6,) how far an interval reaches, from the influences of clusters."""
        return scoring.errors(moved) * t_quantile((1 + self.level) / 2, len(moved) - 1)

    def _intervals(self, own: Sums, cluster: Ints, n: int) -> tuple[Floats, Floats, Floats]:
        """(D + 6,) standard errors and the ends of intervals, in bits."""
        if self.interval == "bootstrap":
            drawn = scoring.resampled(own, cluster, n, self.n_resamples, self.rng)
            tails = [(1 - self.level) / 2, (1 + self.level) / 2]
            with np.errstate(invalid="ignore"):
                low, high = np.quantile(drawn, tails, axis=0)
                return drawn.std(0, ddof=1), low, high
        moved = scoring.influences(own, cluster, n)
        low, high = own.values - self._reach(moved), own.values + self._reach(moved)
        least, most = np.array([(MEASURES[n].least, MEASURES[n].most) for n in own.measures]).T
        return scoring.errors(moved), np.maximum(low, least), np.minimum(high, most)

    def _one_coder(self, given: Predicted, cluster: Ints, n_clusters: int) -> list[Floats]:
        """A coder against the others, the predictions against the same, and how they differ."""
        found = scoring.one_coder(self.soft, given.at)
        if found is None:
            return []
        row, target, others, label, weight = found
        a, b = (self._sums(target, others, p, weight) for p in (given.probabilities[row], label))
        apart = [scoring.influences(x, cluster[row], n_clusters) for x in (a, b)]
        reach = self._reach(apart[0] - apart[1])
        with np.errstate(invalid="ignore"):  # both may be infinite
            difference = a.values - b.values
        return [b.values, a.values, difference, difference - reach, difference + reach]


# ---------------------------------------------------------------------- findings

SCORES = Catalogue()
"""Rules about the scores of a model, the soft labels, what was predicted, and the floor."""
OF_MODELS = Catalogue()
"""Rules about the scores of several models."""


@SCORES.rule("warning", "uma2021")
def mixed_kinds(f: SoftScores, soft: SoftLabels, given: Predicted, least: float) -> Told | None:
    """Predictions and soft labels of two kinds.

    The predictions are {predictions}s ({mean}), the soft labels {soft}s ({soft_mean}): these differ
    even if both are right.

    Compare with soft labels of the same kind.
    """
    if given.kind in ("", soft.kind):
        return None
    means = {str(kind): says for kind, says in KINDS.items()}
    return Told(
        {"predictions": given.kind, "soft": soft.kind},
        {"mean": means[given.kind], "soft_mean": means[soft.kind]},
        do=(Action("", {"of": given.kind}),),
    )


@SCORES.rule("note", "uma2021")
def scored_against_beliefs(
    f: SoftScores, soft: SoftLabels, given: Predicted, least: float
) -> Told | None:
    """Scores against probabilities of a true label.

    The soft labels are probabilities of a true label, not the distribution of coders' labels: a
    model that predicts what coders say scores lower for it.

    To score how well a model predicts coders, use the distribution of their labels.
    """
    beliefs = soft.kind == "belief" and not given.kind
    return Told({}, do=(Action("", {"of": "opinion"}),)) if beliefs else None


@SCORES.rule("note")
def smoothed_targets(f: SoftScores, soft: SoftLabels, *others: Any) -> Told | None:
    """Smoothed soft labels.

    The soft labels are smoothed ({smoothing}), and scores are best for them, not for the
    distribution behind the votes.

    To find the model that predicts votes best, score against unsmoothed labels; smoothing is for
    training.
    """
    name = "none" if soft.smoothing is None or soft.counts is None else soft.smoothing.name
    unsmoothed = Action("", {"smoothing": "none"})
    return None if name == "none" else Told({"smoothing": name}, do=(unsmoothed,))


@SCORES.rule("note")
def items_without_prediction(f: SoftScores, soft: SoftLabels, *others: Any) -> Told | None:
    """Items without a prediction.

    {said}.

    Predict all items before comparing with another model: what is left out is seldom easy.
    """
    items = f"{count_of(f.n_missing, 'item')} of {len(soft):,} have no prediction and are left out"
    extra = f"{count_of(f.n_extra, 'prediction')} are for other items and are not used"
    said = [*([items] if f.n_missing else []), *([extra] if f.n_extra else [])]
    if not said:
        return None
    facts = {"n_missing": f.n_missing, "n_extra": f.n_extra}
    return Told(facts, {"said": "; ".join(said)}, "warning" if f.n_missing else None)


def _unforeseen(soft: SoftLabels, given: Predicted, least: float) -> Floats:
    """(J, ...) shares of labels that were given and predicted with less than this probability."""
    p = soft.yes_and_no(given.probabilities)
    return np.where(p < max(least, 1e-300), soft.distributions[given.at], 0.0)


def _n_items(unforeseen: Floats) -> int:
    return int(unforeseen.reshape(len(unforeseen), -1).any(1).sum())


@SCORES.rule("problem")
def impossible_labels(
    f: SoftScores, soft: SoftLabels, given: Predicted, least: float
) -> Told | None:
    """Labels with probability 0.

    For {n:item} a category that coders give has probability 0, so that cross-entropy is infinite.

    Set a floor, or compare by Jensen–Shannon divergence, total variation or Brier score.
    """
    n = _n_items(_unforeseen(soft, given, least))
    return Told({"n": n}, do=(Action("", {"floor": 1e-6}),)) if n and least == 0 else None


@SCORES.rule("warning")
def floor(f: SoftScores, soft: SoftLabels, given: Predicted, least: float) -> Told | None:
    """A score that depends on the floor.

    The predictions are {why}: for {n:item} they give probability 0 to a label that coders gave, and
    {most:%} of the cross-entropy comes from the floor of {floor}.

    Read Jensen–Shannon divergence, total variation and Brier score, which need no floor.
    """
    unforeseen = _unforeseen(soft, given, least)
    cost = f["cross_entropy"].value * len(f.items)
    if least == 0 or math.isnan(cost) or not unforeseen.any():
        return None
    bits = -math.log2(least) * (math.log(2) if f.unit == "nats" else 1)
    share = float(soft.of_items(unforeseen.sum(-1)).sum()) * bits / cost
    why = "labels, not distributions" if given.hard else "certain where coders disagree"
    words = {"why": why, "most": min(share, 1), "floor": f"{least:g}"}
    return Told({"n": _n_items(unforeseen), "share": share}, words) if share >= MUCH else None


@SCORES.rule("warning")
def no_better_than_frequencies(f: SoftScores, *others: Any) -> Told | None:
    """No better than the frequencies of the categories.

    The Brier score is {value:.3}; predicting the category frequencies for every item gives
    {frequencies:.3}.

    Check whether items and categories are matched, then whether the probabilities are calibrated: a
    good ranking with bad probabilities shows in accuracy only.
    """
    value, other = f["brier"].value, f["brier"].references["frequencies"]
    worse = value >= other and value != 0
    return Told({"value": value, "frequencies": other}) if worse else None


@SCORES.rule("note")
def sureness(f: SoftScores, soft: SoftLabels, given: Predicted, least: float) -> Told | None:
    """Predictions that are surer than coders, or less sure.

    The predictions have on average {apart:.2} {unit} {less} entropy than the soft labels: they are
    {what}.

    Scale the temperature of the predictions on other items before using their entropy.
    """
    gap = f["entropy_gap"]
    if given.hard or not (gap.high < 0 or gap.low > 0) or abs(gap.value) < 0.1:
        return None
    less, what = ("less", "overconfident") if gap.value < 0 else ("more", "underconfident")
    words = {"apart": abs(gap.value), "unit": f.unit, "less": less, "what": what}
    return Told({"gap": gap.value}, words)


@SCORES.rule("note")
def tied_items(f: SoftScores, *others: Any) -> Told | None:
    """Items on which coders are tied.

    Coders are tied on {n:item}, which accuracy and F1 leave out.

    Ties can be counted by giving each tied label its share.
    """
    return Told({"n": f.n_tied}, do=(Action("", {"ties": "shared"}),)) if f.n_tied else None


@OF_MODELS.rule("warning")
def other_items(f: ModelScores) -> Told | None:
    """Models with different items.

    The models did not predict the same items ({range} each), so their scores are of different
    items.

    Compare models on items that all of them predicted.
    """
    if len({frozenset(map(str, found.items)) for found in f.each.values()}) == 1:
        return None
    sizes = {name: len(found.items) for name, found in f.each.items()}
    ends = sorted({min(sizes.values()), max(sizes.values())})
    return Told({"n": sizes}, {"range": " to ".join(f"{n:,}" for n in ends)})
