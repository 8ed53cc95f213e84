"""Predictions scored against soft labels, each score beside what others would get."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from .._version import __version__
from ..actions import Action
from ..arrays import Floats, Ints
from ..data.formats.frames import as_table
from ..data.table import BLANK, as_words
from ..diagnosis.finding import Catalogue, Finding, Told, found_by
from ..errors import InputError, RequestError, unknown
from ..results import Record, Result
from .estimate import TIE
from .label_distributions import KINDS, SoftLabels, entropy, yes_and_no
from .posterior import Posterior
from .set_posterior import SetPosterior

MEASURES: Mapping[str, str] = {
    "cross_entropy": "cross-entropy",
    "js": "Jensen–Shannon divergence",
    "brier": "Brier score",
    "accuracy": "accuracy (majority label)",
    "macro_f1": "macro F1 (majority label)",
}
"""Of the first three lower is better."""
FLOOR = 1e-12  # least probability of a prediction where logarithms are taken
SLACK = 0.01  # what rounding to a few decimals may take from the sum of a row
DRAWN = 4_000_000  # draws that are held at a time
LABELS = ("label", "prediction")


# ---------------------------------------------------------------------- results


@dataclass(frozen=True)
class Score(Record):
    """One measure of the predictions of one model.

    Parameters
    ----------
    model : str or None
        None if there is only one.
    measure : str
    value, low, high : float
        With the interval of a bootstrap over items; NaN where undefined.
    best : float
        What the soft labels themselves get.
    majority_label : float
        What the coders' most frequent label gets, with certainty.
    frequencies : float
        What the frequencies of the categories get, the same for every item.
    n_items, n_missing : int
        Items that were scored, and items without a prediction.
    """

    model: str | None
    measure: str
    value: float
    low: float
    high: float
    best: float
    majority_label: float
    frequencies: float
    n_items: int
    n_missing: int


@dataclass(frozen=True, eq=False, repr=False)
class SoftScores(Result):
    """How well predictions fit soft labels; made by `score_predictions`.

    ``scores["js"]`` is a measure of the only model, ``scores["gpt", "js"]`` that of one of several.

    Parameters
    ----------
    question : str or None
    soft : SoftLabels
        What was scored against.
    scores : tuple of Score
        For each model every measure.
    kinds : mapping of str to str
        Of the predictions that are soft labels themselves: what they mean.
    level : float
    signature : str
    """

    told_as: ClassVar[str] = "soft-scores"

    question: str | None
    soft: SoftLabels
    scores: tuple[Score, ...]
    kinds: Mapping[str | None, str]
    level: float
    signature: str

    def __getitem__(self, key: str | tuple[str, str]) -> Score:
        model, measure = key if isinstance(key, tuple) else (None, key)
        for score in self.scores:
            if score.measure == measure and score.model == model:
                return score
        known = [(s.model, s.measure) if s.model else s.measure for s in self.scores]
        raise unknown("score", key, known, "there are")

    def to_rows(self) -> list[dict[str, Any]]:
        """One row for each model and measure, with what others get beside it."""
        about = {"question": self.question, "kind": self.soft.kind}
        return [about | score.to_rows()[0] for score in self.scores]

    @cached_property
    def findings(self) -> tuple[Finding, ...]:
        """What a reader of these scores must know."""
        return (*found_by(mixed_kinds(self)), *self.soft.findings)


def scored(
    predictions: Any, soft: SoftLabels, *, level: float, n_resamples: int, seed: Any
) -> SoftScores:
    """The scores of one model, or of each of several; see `score_predictions`."""
    models: dict[str | None, Any] = {None: predictions}
    if isinstance(predictions, Mapping) and "item" not in predictions:
        models = {str(name): one for name, one in predictions.items()}
    kinds, scores = dict[str | None, str](), list[Score]()
    for model, given in models.items():
        at, p, kind = _predicted(given, soft)
        kinds |= {model: kind} if kind else {}
        scores += _scores(model, soft, at, p, level, n_resamples, seed)
    signature = (
        f"accordant {__version__} | score_predictions: interval {level:g} ({n_resamples} "
        f"resamples, seed {seed}) | against {soft.signature}"
    )
    return SoftScores(soft.question, soft, tuple(scores), kinds, level, signature)


# ---------------------------------------------------------------------- reading


def _predicted(given: Any, soft: SoftLabels) -> tuple[Ints, Floats, str]:
    """Positions (J,) of the items in the soft labels, (J, K) probabilities, and their kind.

    Items and categories are matched by their text. J are the items of both, in the order of their
    names.
    """
    kind = ""
    if isinstance(given, SoftLabels | Posterior | SetPosterior):
        places = [_place(c, soft) for c in given.categories]
        p = np.zeros((len(given.probabilities), len(soft.categories)))
        p[:, places] = given.probabilities
        items = given.names if isinstance(given, SoftLabels) else list(given.items)
        if isinstance(given, SoftLabels):
            kind = given.kind
    else:
        items, p = _distributions(_columns(given), soft)
    if twice := next((x for x, n in Counter(map(str, items)).items() if n > 1), None):
        raise InputError(f"item {twice!r} has two predictions")
    _check(items, p, soft)
    where = {str(x): k for k, x in enumerate(items)}
    both = sorted((str(x), i) for i, x in enumerate(soft.names) if str(x) in where)
    if not both:
        raise InputError(
            f"no predicted item is one of the soft labels: {str(items[0])!r} there and "
            f"{str(soft.names[0])!r} here"
        )
    p = p[[where[name] for name, _ in both]]
    return np.array([i for _, i in both]), p if soft.several else p / p.sum(1, keepdims=True), kind


def _columns(given: Any) -> dict[str, list[Any]]:
    """The columns of a file or a frame; an empty cell is None."""
    if not isinstance(given, str | Path):
        table = as_table(given)
        columns = {}
        for column in table.columns:
            words = as_words(column.words)
            columns[column.name] = [None if k == BLANK else words[k] for k in column.codes.tolist()]
        return columns
    import duckdb

    path = Path(given)
    if not path.is_file():
        raise InputError("there is no such file", file=str(path))
    with duckdb.connect() as connection:
        try:
            if path.suffix.lower() == ".parquet":
                made = connection.read_parquet(str(path))
            elif path.suffix.lower() in (".jsonl", ".ndjson", ".json"):
                made = connection.read_json(str(path))
            else:
                made = connection.read_csv(str(path), header=True, all_varchar=True)
            rows, names = made.fetchall(), made.columns
        except duckdb.Error as error:
            raise InputError(f"no table could be read: {error}", file=path.name) from None
    found: dict[str, list[Any]] = {n: [row[k] for row in rows] for k, n in enumerate(names)}
    cells: list[Any] = found.pop("soft", [])  # as `SoftLabels.save` writes
    for name in cells[0] if cells else ():
        found[f"p_{name}"] = [cell[name] for cell in cells]
    return found


def _distributions(
    columns: Mapping[str, Sequence[Any]], soft: SoftLabels
) -> tuple[list[Any], Floats]:
    """Items, and (J, K) their probabilities; 1 for a predicted label."""
    items = list(columns.get("item", ()))
    prefixed = {name[2:]: x for name, x in columns.items() if name.startswith("p_")}
    known = set(map(str, soft.categories))
    found = prefixed or {name: x for name, x in columns.items() if name in known}
    label = next((name for name in LABELS if name in columns), None)
    if not items or not (found or label):
        raise InputError(
            "predictions need a column 'item', and 'label' or a column for each category (its "
            f"name, or p_ and its name); the columns are {', '.join(map(repr, columns))}"
        )
    p = np.zeros((len(items), len(soft.categories)))
    for name, cells in found.items():
        p[:, _place(name, soft)] = [_number(x, i) for x, i in zip(cells, items, strict=True)]
    for row, said in enumerate(columns[label] if label and not found else ()):
        if said is None:
            raise InputError(f"item {items[row]!r} has no predicted label")
        for one in said if isinstance(said, list | tuple) else (said,):
            p[row, _place(one, soft)] = 1
    return items, p


def _place(name: Any, soft: SoftLabels) -> int:
    names = list(map(str, soft.categories))
    if str(name) not in names:
        raise unknown("category", str(name), names, "the soft labels have")
    return names.index(str(name))


def _number(x: Any, item: Any) -> float:
    try:
        return math.nan if x is None or x == "" else float(x)
    except (TypeError, ValueError):
        raise InputError(f"item {item!r}: {x!r} is no probability") from None


def _check(items: Sequence[Any], p: Floats, soft: SoftLabels) -> None:
    """Every row a distribution (of sets: every cell a probability), or an error that says which."""
    wrong = ~((p >= 0) & (p <= 1 + SLACK)).all(1)
    if not soft.several:
        wrong |= np.abs(p.sum(1) - 1) > SLACK
    if wrong.any():
        row = int(wrong.argmax())
        shown = ", ".join(f"{x:.6g}" for x in p[row])
        raise InputError(
            f"item {items[row]!r}: {shown} is no distribution over "
            f"{', '.join(map(repr, map(str, soft.categories)))}, as in {int(wrong.sum()):,} "
            f"of {len(p):,} rows"
        )


# ---------------------------------------------------------------------- scoring


def _scores(
    model: str | None,
    soft: SoftLabels,
    at: Ints,
    p: Floats,
    level: float,
    n_resamples: int,
    seed: Any,
) -> Iterator[Score]:
    """Every measure with its interval, beside what needs no model."""
    target, own, votes = soft.probabilities[at], p, soft.votes[at]
    if soft.several:
        n = soft.n[at, None] if soft.counts is not None else 1.0
        target, own, votes = yes_and_no(target), yes_and_no(p), yes_and_no(votes / n)
    majority = _most(votes)
    sums = _sums(target, majority, own)
    value = _values(sums.sum(0))
    low, high = _resampled(sums, level, n_resamples, seed)
    frequencies = np.broadcast_to(target.mean(0), target.shape)
    beside = [_values(_sums(target, majority, x).sum(0)) for x in (target, majority, frequencies)]
    for k, measure in enumerate(MEASURES):
        best, most, common = (float(x[k]) for x in beside)
        ends = float(value[k]), float(low[k]), float(high[k])
        n_missing = len(soft) - len(at)
        yield Score(model, measure, *ends, best, most, common, len(at), n_missing)


def _most(p: Floats) -> Floats:
    """(..., K) the most probable category of each row, shared out where several are."""
    top = p >= p.max(-1, keepdims=True) - TIE
    return np.asarray(top / top.sum(-1, keepdims=True))


def _sums(target: Floats, majority: Floats, p: Floats) -> Floats:
    """(J, M) what is summed over items: 1, three distances, decided, right, and by category hits,
    predicted and true labels. Items on which coders are tied have no majority label.
    """  # noqa: D205
    several = p.ndim == 3
    target, majority, p = (x if several else x[:, None] for x in (target, majority, p))  # (J, L, K)
    raised = np.maximum(p, FLOOR)
    raised = raised / raised.sum(-1, keepdims=True)
    distances = [
        -(target * np.log2(raised)).sum(-1),
        entropy((target + p) / 2) - (entropy(target) + entropy(p)) / 2,
        ((target - p) ** 2).sum(-1),
    ]
    decided = (majority.max(-1) == 1).astype(float)
    guess = _most(p)
    each = np.stack([guess * majority, guess, majority]) * decided[..., None]  # (3, J, L, K)
    n = decided.sum(1)
    right = each[0].sum((1, 2)) / np.maximum(n, 1)
    shown = each[..., 0] if several else each[:, :, 0]
    columns = [np.ones(len(p)), *(x.mean(1) for x in distances), (n > 0).astype(float), right]
    return np.column_stack([*columns, *shown])


def _values(s: Floats) -> Floats:
    """(..., 5) the measures, from sums (..., M)."""
    hits, own, true = np.split(s[..., 6:], 3, -1)
    with np.errstate(invalid="ignore", divide="ignore"):
        distances = s[..., 1:4] / s[..., :1]
        accuracy = s[..., 5] / s[..., 4]
        occurs = own + true > TIE
        f1 = np.where(occurs, 2 * hits / np.where(occurs, own + true, 1), 0).sum(-1)
        f1 = f1 / occurs.sum(-1)
    return np.concatenate([distances, np.stack([accuracy, f1], -1)], -1)


def _resampled(sums: Floats, level: float, n_resamples: int, seed: Any) -> tuple[Floats, Floats]:
    """(5,) and (5,) the ends of percentile intervals, from resampled items."""
    n, generator = len(sums), np.random.default_rng(seed)
    found, size = [], max(1, DRAWN // n)
    for start in range(0, n_resamples, size):
        times = generator.multinomial(n, np.full(n, 1 / n), min(size, n_resamples - start))
        found.append(_values(times @ sums))
    drawn = np.concatenate(found)
    ends = np.full((2, len(MEASURES)), math.nan)
    for k, x in enumerate(drawn.T):
        if (x == x).any():
            ends[:, k] = np.quantile(x[x == x], [(1 - level) / 2, (1 + level) / 2])
    return ends[0], ends[1]


# ---------------------------------------------------------------------- what to know

SCORES = Catalogue()


@SCORES.rule("warning", "uma2021")
def mixed_kinds(f: SoftScores) -> Told | None:
    """Predictions and soft labels of two kinds.

    The predictions are {mean}, the soft labels {soft_mean}: these differ even if both are right.

    Compare with soft labels of the same kind.
    """
    other = next((kind for kind in f.kinds.values() if kind != f.soft.kind), None)
    if other is None:
        return None
    facts = {"predictions": other, "soft": f.soft.kind}
    words = {"mean": KINDS[other], "soft_mean": KINDS[f.soft.kind]}
    return Told(facts, words, do=(Action("", {"of": other}),))


def single(soft: Any) -> SoftLabels:
    """The soft labels of one question."""
    if isinstance(soft, SoftLabels):
        return soft
    names = ", ".join(repr(one.question) for one in soft)
    raise RequestError(f"predictions are of one question: choose one of {names}, soft[…]")
