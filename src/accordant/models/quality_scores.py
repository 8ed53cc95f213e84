"""Quality of items, coders and categories by CrowdTruth: annotations as vectors, and their cosines.

In version 2.0 (Dumitrache et al. 2018, section 3) items, coders and categories judge each other,
round after round. In version 1.0 (Aroyo & Welty 2013) nothing is weighted and nothing iterated.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar, Literal, NamedTuple, TypeAlias, get_args

import numpy as np

from .._version import __version__
from ..actions import Action
from ..arrays import Bools, Floats, Ints
from ..counts.row_keys import sums
from ..data.annotations import Annotations
from ..diagnosis.finding import Catalogue, Finding, Told, found_by
from ..errors import RequestError, unknown
from ..messages import label_text
from ..numbers import decimal
from ..results import Result
from ..scheme import Value
from .votes import Votes, votes

Version: TypeAlias = Literal["2.0", "1.0"]
Task: TypeAlias = Literal["closed", "open"]

FLOOR = 1e-8  # of CrowdTruth: what stands in place of a weight or a score below it
TOLERANCE = 1e-3  # of CrowdTruth: no score changes by as much in the last round
MOST_ROUNDS = 500
MOST = 5000  # categories whose similarities are a table


@dataclass(frozen=True, eq=False)
class Vectors:
    """One vector for each coder and item; I items, C coders, K categories, M vectors.

    A vector has 1 for each category that the coder gave to the item, or the share of the times if
    the coder annotated it several times. The empty set is a category of its own, ``()``.
    """

    items: Any
    coders: tuple[str, ...]
    categories: tuple[Value, ...]
    item: Ints  # (M,)
    coder: Ints  # (M,)
    x: Any  # (M, K) sparse

    @cached_property
    def of_item(self) -> Any:
        """(I, M) sparse: 1 where the vector is of the item."""
        from scipy.sparse import csr_array

        m = len(self.item)
        shape = len(self.items), m
        return csr_array((np.ones(m), (self.item, np.arange(m))), shape=shape)

    @cached_property
    def total(self) -> Any:
        """(I, K) sparse: the sum of all vectors of an item."""
        return self.of_item @ self.x

    @cached_property
    def shared(self) -> Bools:
        """(I,) whether two coders or more annotated it."""
        return np.bincount(self.item, minlength=len(self.items)) > 1

    @cached_property
    def n_shared(self) -> Ints:
        """(C,) how many items of the coder another one annotated too."""
        return np.bincount(self.coder[self.shared[self.item]], minlength=len(self.coders))

    def rest(self, weight: Floats | None = None) -> Any:
        """(M, K) sparse: the sum of the vectors of the other coders of the item, weighted (M,)."""
        own = self.x if weight is None else _scaled(self.x, weight)
        return (self.of_item @ own)[self.item] - own


def _vectors(given: Votes) -> Vectors:
    """The vectors of the annotations of one question: of categories, or of sets of labels."""
    from scipy.sparse import csr_array

    item, coder = given.item, given.coder
    first = np.ones(len(item), bool)
    first[1:] = (item[1:] != item[:-1]) | (coder[1:] != coder[:-1])
    row = np.cumsum(first) - 1
    times = sums(row, given.times, int(first.sum()))
    categories: tuple[Value, ...] = given.categories
    members: list[tuple[int, ...]] = [(k,) for k in range(given.n_categories)]
    if given.scheme.max_labels != 1:
        sets = [v if isinstance(v, tuple) else (v,) for v in given.categories]
        labels = dict.fromkeys((*given.scheme.categories, *(v for s in sets for v in s)))
        categories = (*labels, ()) if () in sets else tuple(labels)
        place = {v: k for k, v in enumerate(categories)}
        members = [tuple(place[v] for v in dict.fromkeys(s or ((),))) for s in sets]
    values = np.repeat(np.arange(len(members)), [len(m) for m in members])
    held = csr_array(
        (np.ones(len(values)), (values, [k for m in members for k in m])),
        shape=(len(members), len(categories)),
    )
    share = given.times / times[row]
    said = csr_array((share, (row, given.label)), shape=(len(times), len(members)))
    return Vectors(given.items, given.coders, categories, item[first], coder[first], said @ held)


def _rows(x: Any) -> Ints:
    """The row of each entry of a sparse table."""
    return np.repeat(np.arange(x.shape[0]), np.diff(x.indptr))


def _scaled(x: Any, by: Floats) -> Any:
    """A sparse table with each row multiplied."""
    found = x.copy()
    found.data = found.data * by[_rows(x)]
    return found


# ---------------------------------------------------------------------- version 2.0


class RoundQuality(NamedTuple):
    """What a round says, from 0 to 1: quality of items (I,), of coders (C,) with its two factors,
    and of categories (K,).
    """  # noqa: D205

    item: Floats
    coder: Floats
    with_coders: Floats
    with_items: Floats
    category: Floats


def _rounds(v: Vectors, task: Task) -> tuple[RoundQuality, RoundQuality, float, int]:
    """The scores after the last round and after the first, the last change, and the rounds.

    Every weight starts at 1; at 0 for items of one coder and coders who share no item, which have
    nothing to agree with and must not count in what is said of the others.
    """
    coder = (v.n_shared > 0).astype(float)
    scores = RoundQuality(v.shared.astype(float), coder, coder, coder, np.ones(len(v.categories)))
    met = _met(v) if task == "closed" else []
    change, n = np.inf, 0
    first = scores
    while n < MOST_ROUNDS and change >= TOLERANCE:
        before, scores = scores, _next_round(v, scores, met)
        change = max(
            float(np.abs(getattr(scores, x) - getattr(before, x)).max(initial=0))
            for x in ("item", "coder", "category")
        )
        first, n = first if n else scores, n + 1
    return scores, first, change, n


def _next_round(
    v: Vectors, before: RoundQuality, met: Sequence[tuple[Ints, Any, Any]]
) -> RoundQuality:
    weight, of_item, of_category = before.coder[v.coder], before.item[v.item], before.category
    length = np.sqrt(v.x.power(2) @ of_category)
    unit = _scaled(v.x, 1 / length)
    unit.data *= np.sqrt(of_category)[unit.indices]
    own = _scaled(unit, weight)
    agreed = unit.multiply((v.of_item @ own)[v.item] - own).sum(1)
    others = np.maximum(np.bincount(v.item, weight)[v.item] - weight, 0)
    item = _mean(v.item, weight * agreed, weight * others, len(v.items), 2 * FLOOR)
    with_coders = _mean(v.coder, of_item * agreed, of_item * others, len(v.coders))
    rest = v.rest(weight)
    product = weight * (v.x.multiply(rest) @ of_category)
    size = weight * length * np.sqrt(rest.power(2) @ of_category)
    alike = np.where(size < FLOOR, FLOOR, product / np.where(size < FLOOR, 1, size))
    with_items = _mean(v.coder, of_item * alike, of_item, len(v.coders))
    category = of_category
    if met:
        category = np.array([_of_category(*one, before) for one in met])
    return RoundQuality(item, with_coders * with_items, with_coders, with_items, category)


def _mean(of: Ints, x: Floats, weight: Floats, n: int, floor: float = FLOOR) -> Floats:
    """(n,) weighted means of what belongs to each."""
    return np.bincount(of, x, n) / np.maximum(np.bincount(of, weight, n), floor)


def _met(v: Vectors) -> list[tuple[Ints, Any, Any]]:
    """Of each category the items that have it, and who annotated and who gave it (C, items)."""
    from scipy.sparse import csr_array

    shape = len(v.coders), len(v.items)
    annotated = csr_array((np.ones(len(v.item)), (v.coder, v.item)), shape=shape).tocsc()
    columns, found = v.x.tocsc(), []
    for k in range(len(v.categories)):
        rows = columns.indices[columns.indptr[k] : columns.indptr[k + 1]]
        share = columns.data[columns.indptr[k] : columns.indptr[k + 1]]
        items = np.unique(v.item[rows])
        gave = csr_array((share, (v.coder[rows], v.item[rows])), shape=shape).tocsc()
        found.append((items, annotated[:, items].tocsr(), gave[:, items].tocsr()))
    return found


def _of_category(items: Ints, annotated: Any, gave: Any, before: RoundQuality) -> float:
    """Mean over pairs of coders of P(one gives it | the other does)."""
    given = _scaled(gave.T.tocsr(), before.item[items])  # (items, C)
    # one product for two sums: the real part where one annotated, the imaginary where one gave it
    sums = ((annotated + 1j * gave) @ given).tocoo()
    pair = (sums.data.real > 0) & (sums.row != sums.col)
    share = sums.data[pair].imag / sums.data[pair].real
    weight = before.coder[sums.row[pair]] * before.coder[sums.col[pair]]
    return max(float(weight @ share / weight.sum()), FLOOR) if weight.sum() > FLOOR else FLOOR


def _quality(v: Vectors, task: Task) -> tuple[dict[str, Floats], float, int]:
    """The measures of version 2.0; NaN of what nothing can be compared with."""
    scores, first, change, n = _rounds(v, task)
    known = v.n_shared > 0
    of_coders = {
        "coder_quality": scores.coder,
        "agreement_with_coders": scores.with_coders,
        "agreement_with_items": scores.with_items,
        "first_coder_quality": first.coder,
    }
    closed = scores.category if task == "closed" else np.full(len(v.categories), np.nan)
    return (
        {
            "item_quality": np.where(v.shared, scores.item, np.nan),
            "first_item_quality": np.where(v.shared, first.item, np.nan),
            **{name: np.where(known, x, np.nan) for name, x in of_coders.items()},
            "category_quality": closed,
        },
        change,
        n,
    )


# ---------------------------------------------------------------------- version 1.0


def _original(v: Vectors) -> dict[str, Floats]:
    """The measures of version 1.0; NaN where nothing is shared."""
    from scipy.sparse import csr_array

    score = _scores_of_categories(v)
    gave: Any = v.total > 0
    together = (gave.T.astype(float) @ gave.astype(float)).toarray()  # items with both, (K, K)
    alone = together.diagonal()[:, None]
    similar = np.where(alone > 0, together / np.where(alone > 0, alone, 1), np.nan)
    apart = np.where(np.isnan(similar), -np.inf, similar)
    np.fill_diagonal(apart, -np.inf)
    nearest = apart.max(1, initial=-np.inf)
    of_items = np.zeros(len(v.items))
    np.maximum.at(of_items, _rows(score), score.data)
    of_categories = np.full(len(v.categories), np.nan)
    np.fmax.at(of_categories, score.indices, score.data)
    # the mean of 1 − cosine with the sum of the others' vectors
    rest, shared = v.rest(), v.shared[v.item]
    length = np.sqrt(v.x.power(2).sum(1))
    size = (length * np.sqrt(rest.power(2).sum(1)))[shared]
    beside = 1 - v.x.multiply(rest).sum(1)[shared] / size
    # the mean of 1 − cosine over the items of two coders, and of these over the coders
    n_coders, n_items = len(v.coders), len(v.items)
    cell, rows = v.item[_rows(v.x)] * len(v.categories) + v.x.indices, _rows(v.x)
    cells, cell = np.unique(cell, return_inverse=True)
    unit = v.x.data / length[rows]
    given = csr_array((unit, (v.coder[rows], cell)), shape=(n_coders, len(cells)))
    annotated = csr_array((np.ones(len(v.item)), (v.coder, v.item)), shape=(n_coders, n_items))
    both = (annotated @ annotated.T).tocsr()
    both.setdiag(0)
    both.eliminate_zeros()
    fellows: Any = np.diff(both.indptr)
    both.data = 1 / both.data
    alike = np.asarray((given @ given.T).multiply(both).sum(1)).ravel()
    label = np.array([c != () for c in v.categories])[v.x.indices]  # the empty set is no label
    return {
        "item_clarity": of_items,
        "category_clarity": of_categories,
        "category_ambiguity": np.where(np.isfinite(nearest), nearest, np.nan),
        "category_similarity": similar,
        "disagreement_with_items": _over(sums(v.coder[shared], beside, n_coders), v.n_shared),
        "disagreement_with_coders": _over(fellows - alike, fellows),
        "labels_per_item": sums(v.coder[rows[label]], v.x.data[label], n_coders)
        / np.maximum(np.bincount(v.coder, minlength=n_coders), 1),
    }


def _scores_of_categories(v: Vectors) -> Any:
    """(I, K) sparse: cosine of the sum of all vectors of an item with the category alone."""
    length = np.sqrt(v.total.power(2).sum(1))
    return _scaled(v.total, 1 / length)


def _over(x: Floats, n: Any) -> Floats:
    """Means; NaN of nothing, and no −0.000 by rounding."""
    return np.where(n > 0, np.maximum(x, 0) / np.maximum(n, 1), np.nan)


# ---------------------------------------------------------------------- the result

SHOWN: Mapping[Version, Mapping[str, Mapping[str, str]]] = {
    "2.0": {
        "item": {"quality": "item_quality"},
        "coder": {
            "quality": "coder_quality",
            "agreement_with_coders": "agreement_with_coders",
            "agreement_with_items": "agreement_with_items",
        },
        "category": {"quality": "category_quality"},
    },
    "1.0": {
        "item": {"clarity": "item_clarity"},
        "coder": {
            x: x for x in ("disagreement_with_items", "disagreement_with_coders", "labels_per_item")
        },
        "category": {"clarity": "category_clarity", "ambiguity": "category_ambiguity"},
    },
}


@dataclass(frozen=True, eq=False, repr=False)
class CrowdTruth(Result):
    """Measures of items, coders and categories; made by `crowdtruth`.

    ``found["item_quality"]`` is a measure: an array over the items, coders or categories.
    I items, C coders, K categories.

    Parameters
    ----------
    question : str or None
    data : Annotations
        Of this question.
    version : {'2.0', '1.0'}
    task : {'closed', 'open'}
        Whether the categories are the same for all items.
    vectors : Vectors
        The annotations as vectors.
    measures : mapping of str to ndarray
        Every measure by its name.
    change : float
        The largest change of a score in the last round.
    n_iterations : int
        How many rounds there were.
    """

    told_as: ClassVar[str] = "crowdtruth"

    question: str | None
    data: Annotations
    version: Version
    task: Task
    vectors: Vectors = field(repr=False)
    measures: Mapping[str, Floats]
    change: float = 0.0
    n_iterations: int = 0

    def __getitem__(self, measure: str) -> Floats:
        if measure == "item_category":
            return self.item_category
        if measure not in self.measures:
            raise unknown("measure", measure, (*self.measures, "item_category"), have="there are")
        return self.measures[measure]

    @property
    def items(self) -> Any:
        """(I,) names."""
        return self.vectors.items

    @property
    def coders(self) -> tuple[str, ...]:
        """(C,) names."""
        return self.vectors.coders

    @property
    def categories(self) -> tuple[Value, ...]:
        """(K,) in the order of the scheme; ``()``, if a coder gave the empty set, comes last."""
        return self.vectors.categories

    @property
    def converged(self) -> bool:
        """Whether the rounds ended because no score changed by as much as 0.001."""
        return self.change < TOLERANCE

    @cached_property
    def item_category(self) -> Floats:
        """(I, K) in 2.0 the share of an item's coders who gave the category, weighted by quality.

        0 where all coders of the item have quality 0, and NaN where nothing is known of them. In
        1.0 the cosine of the sum of all vectors of the item with the category alone.
        """
        v = self.vectors
        if self.version == "1.0":
            return np.asarray(_scores_of_categories(v).toarray())
        quality = np.where(v.n_shared > 0, self["coder_quality"], 0.0)[v.coder]
        every = np.maximum(np.bincount(v.item, quality, len(v.items)), FLOOR)
        table = (v.of_item @ _scaled(v.x, quality)).toarray() / every[:, None]
        known = (v.n_shared > 0)[v.coder]
        table[np.bincount(v.item[known], minlength=len(v.items)) == 0] = np.nan
        return np.asarray(table)

    def to_rows(self) -> list[dict[str, Any]]:
        """One row for each item, coder and category; what does not apply is None."""
        v, shown = self.vectors, SHOWN[self.version]
        items = v.items.tolist() if isinstance(v.items, np.ndarray) else list(v.items)
        names = {
            "item": (items, np.bincount(v.item, minlength=len(items))),
            "coder": (v.coders, np.bincount(v.coder, minlength=len(v.coders))),
            "category": ([*map(label_text, v.categories)], np.diff(v.x.tocsc().indptr)),
        }
        keys = dict.fromkeys(key for own in shown.values() for key in own)
        rows = []
        for of, (each, n) in names.items():
            found = {key: self[name].tolist() for key, name in shown[of].items()}
            for k, name in enumerate(each):
                scores = {key: found[key][k] if key in found else None for key in keys}
                about = {"question": self.question, "of": of, "name": name}
                rows.append({**about, **scores, "n_annotations": int(n[k])})
        return rows

    @cached_property
    def findings(self) -> tuple[Finding, ...]:
        """What a reader of these scores must know."""
        return found_by(*(rule(self) for rule in REMARKS.values()))

    @cached_property
    def signature(self) -> str:
        """The call, the data and the version, for others to repeat the scores."""
        return (
            f"accordant {__version__} | crowdtruth {self.version}: {self.task} | data "
            f"{self.data.fingerprint[:12]}"
        )


def quality_of(data: Annotations, version: Version, task: Task) -> Iterator[CrowdTruth]:
    """The measures of each question."""
    for name, given, known in (("version", version, SHOWN), ("task", task, get_args(Task))):
        if given not in known:
            raise unknown(name, given, known, "choose from", parameter=name)
    for question in data.questions:
        own = data.of_question(question)
        v = _vectors(votes(own))
        about = question or None, own, version, task, v
        if version == "2.0":
            yield CrowdTruth(*about, *_quality(v, task))
            continue
        if task == "open" or len(v.categories) > MOST:
            raise RequestError(
                "version 1.0 is for closed tasks, in which all items have the same few "
                f"categories, not {len(v.categories):,}",
                do=[Action("crowdtruth", {"task": "open"}, "for an open task")],
            )
        yield CrowdTruth(*about, _original(v))


REMARKS = Catalogue()


@REMARKS.rule("problem", "dumitrache2018")
def nothing_shared(found: CrowdTruth) -> Told | None:
    """No item of two coders.

    No item was annotated by two coders, so there is no agreement to measure.

    Have some items annotated by two coders or more.
    """
    return None if found.vectors.shared.any() else Told({"n": len(found.items)})


@REMARKS.rule("warning", "dumitrache2018")
def not_converged(found: CrowdTruth) -> Told | None:
    """No convergence.

    After {n:round} a score still changed by {change}.

    Do not use the scores: they are not settled.
    """
    words = {"change": decimal(found.change, 4)}
    return None if found.converged else Told({"n": found.n_iterations}, words)
