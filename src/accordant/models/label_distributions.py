"""A distribution in place of a label for each item: what coders say, or what is probably true."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar, Literal, TypeAlias

import numpy as np

from .._version import __version__
from ..actions import FILE, Action
from ..arrays import Bools, Floats, Ints
from ..data.annotations import Annotations
from ..data.sheet import Field, save_sheet
from ..diagnosis.finding import Catalogue, Finding, Told, found_by
from ..errors import RequestError, unknown
from ..numbers import decimal
from ..results import Result
from ..scheme import Label, Scheme
from .estimate import TIE
from .posterior import Posterior
from .question_results import write_rows
from .set_posterior import SetPosterior
from .votes import votes

Fitted: TypeAlias = Posterior | SetPosterior
Kind: TypeAlias = Literal["opinion", "belief"]
KINDS: Mapping[str, str] = {
    "opinion": "the distribution of the labels that coders give",
    "belief": "the probability that a label is the true one",
}
"""The two are never mixed."""
SMOOTHINGS = ("hierarchical", "none")

ENOUGH = 8  # annotations of an item from which its entropy stands beside that of errors alone
FEW = 5  # annotations of an item below which its entropy is a rough guess; our convention
LARGEST, SMALLEST = 1e6, 1e-6  # annotations that may be added; items that are all alike have no end
CELLS = 2_000_000  # numbers that are held at a time


@dataclass(frozen=True, eq=False, repr=False)
class SoftLabels(Result):
    """A distribution over the categories for each item; made by `soft_labels`.

    I items, K categories. Where annotations are sets of labels, the K categories are the labels,
    and each has a probability of its own.

    Parameters
    ----------
    question : str or None
    items : sequence
        (I,) names.
    scheme : Scheme
    kind : {'opinion', 'belief'}
        Opinion is the distribution of the labels that coders give; belief is how probable it is
        that a label is the true one.
    probabilities : ndarray
        (I, K); rows sum to 1 unless annotations are sets of labels.
    n : ndarray
        (I,) annotations of each item.
    signature : str
    counts : ndarray or None
        (I, K) annotations that the opinion rests on.
    added : ndarray or None
        Annotations that smoothing added: (K,), or (K, 2) for labels of sets, yes and no.
    fitted : Posterior or None
        The model that knows how often coders err.
    findings : tuple of Finding
    """

    told_as: ClassVar[str] = "soft"

    question: str | None
    items: Any
    scheme: Scheme
    kind: Kind
    probabilities: Floats
    n: Floats
    signature: str
    counts: Floats | None = None
    added: Floats | None = field(default=None, repr=False)
    fitted: Posterior | None = field(default=None, repr=False)
    findings: tuple[Finding, ...] = ()

    def __len__(self) -> int:
        return len(self.items)

    @property
    def categories(self) -> tuple[Label, ...]:
        """(K,) categories, or the labels of sets."""
        return self.scheme.categories

    @cached_property
    def names(self) -> list[Any]:
        """(I,) the items as plain objects."""
        return list(self.items.tolist() if hasattr(self.items, "tolist") else self.items)

    @property
    def several(self) -> bool:
        """Whether an item has several labels, each with a probability of its own."""
        return self.scheme.max_labels != 1

    @property
    def votes(self) -> Floats:
        """(I, K) the annotations, or the probabilities of a belief."""
        return self.probabilities if self.counts is None else self.counts

    @cached_property
    def entropy(self) -> Floats:
        """(I,) in bits, of the distribution; of sets the mean of the labels."""
        bits = entropy(yes_and_no(self.probabilities) if self.several else self.probabilities)
        return np.asarray(bits.mean(1) if self.several else bits)

    @cached_property
    def entropy_by_errors(self) -> Floats:
        """(I,) the entropy that errors alone would give, in bits: one true label, coders who err.

        Expected from the error rates of the coders who annotated the item, with the same
        smoothing. NaN for items with fewer than eight annotations, where a few errors and several
        readings look the same, and where no model says how often coders err.
        """
        found = np.full(len(self), math.nan)
        at = np.flatnonzero(self.n >= ENOUGH)
        if self.fitted is not None and self.added is not None and len(at):
            found[at] = _expected_entropy(self.fitted, self.added, at)
        return found

    @cached_property
    def tied(self) -> Bools:
        """(I,) whether the most frequent (most probable) category is not the only one."""
        top = self.votes >= self.votes.max(1, keepdims=True) - TIE
        return np.asarray(np.count_nonzero(top, axis=1) > 1)

    @property
    def labels(self) -> list[Any]:
        """(I,) the category with most votes (most probable); None for a tie; sets as tuples."""
        names = self.categories
        if self.several:
            share = (
                self.votes if self.counts is None else self.votes / np.maximum(self.n, 1)[:, None]
            )
            return [
                tuple(x for x, yes in zip(names, row, strict=True) if yes)
                for row in (share > 0.5).tolist()
            ]
        top = self.votes.argmax(1).tolist()
        return [None if tie else names[k] for k, tie in zip(top, self.tied.tolist(), strict=True)]

    def to_rows(self) -> list[dict[str, Any]]:
        """One row for each item, with a column ``p_<category>`` for each category."""
        columns: dict[str, list[Any]] = {
            "question": [self.question] * len(self),
            "item": self.names,
            "kind": [self.kind] * len(self),
            "label": self.labels,
            "n": self.n.tolist(),
            "entropy": self.entropy.tolist(),
        }
        if self.fitted is not None and self.added is not None:
            columns["entropy_by_errors"] = self.entropy_by_errors.tolist()
        for name, p in zip(self.categories, self.probabilities.T, strict=True):
            columns[f"p_{name}"] = p.tolist()
        return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]

    def save(self, path: str | Path) -> None:
        """Write them to a file, whole or not at all; the suffix says the format.

        CSV, TSV, XLSX and Parquet have a column for each figure and ``p_<category>`` for each
        category. JSON lines have what training code takes:
        ``{"item": …, "kind": …, "n": …, "soft": {category: p}}``.

        Parameters
        ----------
        path : str or Path
            Ends in .csv, .tsv, .xlsx, .parquet or .jsonl; else a `RequestError` is raised.

        Examples
        --------
        >>> import tempfile, accordant as ac
        >>> soft = ac.soft_labels([["a", "b"], ["a", "a"]], smoothing="none")
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     soft.save(f"{folder}/soft.jsonl")
        ...     print(Path(f"{folder}/soft.jsonl").read_text().splitlines()[1])
        {"item": 2, "kind": "opinion", "n": 2.0, "soft": {"a": 0.5, "b": 0.5}}
        """
        path = Path(path)
        about: dict[str, Any] = {} if self.question is None else {"question": self.question}
        if path.suffix.lower() != ".jsonl":
            rows = self.to_rows()
            write_rows(rows if about else [dict(list(row.items())[1:]) for row in rows], path)
            return
        names, about = list(map(str, self.categories)), about | {"kind": self.kind}
        soft = [dict(zip(names, p, strict=True)) for p in self.probabilities.tolist()]
        repeated = (Field(name, [x] * len(self)) for name, x in about.items())
        n = Field("n", self.n.tolist())
        save_sheet((Field("item", self.names), *repeated, n, Field("soft", soft)), path)


# ---------------------------------------------------------------------- the two kinds


def opinion(data: Annotations, smoothing: str, fitted: Fitted | None = None) -> SoftLabels:
    """The distribution of the labels that coders give to each item of one question."""
    if smoothing not in SMOOTHINGS:
        raise unknown("smoothing", smoothing, SMOOTHINGS, "choose from", parameter="smoothing")
    model = fitted if isinstance(fitted, Posterior) and fitted.model.probabilistic else None
    given = votes(data) if not isinstance(fitted, Posterior) else fitted.votes
    counts, n, several = given.counts, given.counts.sum(1), given.scheme.max_labels != 1
    if several:
        counts = counts @ _membership(given.categories, given.scheme.categories)
    tables = np.stack([counts, n[:, None] - counts], -1) if several else counts
    shrunk = smoothing == "hierarchical" and n.max(initial=0) >= 2
    each = tables.reshape(len(n), -1, tables.shape[-1]).swapaxes(0, 1)
    added = np.array([concentrated(x) if shrunk else np.zeros(x.shape[1]) for x in each])
    added = added.reshape(tables.shape[1:])
    with np.errstate(invalid="ignore"):
        p = (tables + added) / (tables + added).sum(-1, keepdims=True)
    how = "shares of the annotations"
    if shrunk:
        size = decimal(float(added.sum(-1).mean()), 2)
        how = f"shares shrunk towards their mean, which counts as {size} annotations"
    found = SoftLabels(
        data.questions[0] or None,
        given.items,
        given.scheme,
        "opinion",
        p[..., 0] if several else p,
        n,
        f"accordant {__version__} | soft labels: opinion, {how} | data {data.fingerprint[:12]}",
        counts,
        added,
        model,
    )
    object.__setattr__(found, "findings", found_by(few_annotations(found)))
    return found


def belief(fitted: Fitted) -> SoftLabels:
    """How probable a label is, given that one is true.

    There is none of a vote, whose shares are opinions, whatever they are called; nor if nothing
    shows how sure labels are.
    """
    one = fitted if isinstance(fitted, Posterior) else fitted.each[0]
    scheme = fitted.data.schemes[0]
    if not one.model.probabilistic:
        raise RequestError(
            f"{one.model.name} counts votes, whose shares are no probabilities",
            do=[Action("", {"of": "opinion"}), Action("", {"model": "pooled"})],
        )
    if fitted.withheld:
        raise RequestError(
            f"there are no probabilities of a true label, since {fitted.withheld}",
            do=[
                Action("", {"of": "opinion"}, "the distribution of coders' labels"),
                Action("fit", {"gold": FILE}, "known labels"),
            ],
        )
    p = fitted.probabilities
    if scheme.max_labels != 1:  # a label that nobody gave has 0
        p = p @ _membership(fitted.categories, scheme.categories)
    return SoftLabels(
        fitted.question,
        one.votes.items,
        scheme,
        "belief",
        p,
        one.votes.per_item,
        f"{one.signature} | soft labels: belief",
        findings=fitted.findings,
    )


def _membership(values: Any, labels: Any) -> Floats:
    """(K, L) whether each value, a label or a set of labels, holds each label."""
    sets = [x if isinstance(x, tuple) else (x,) for x in values]
    return np.array([[label in x for label in labels] for x in sets], float)


def concentrated(counts: Floats) -> Floats:
    """The Dirichlet law that the distributions of the items come from: (K,) its parameters.

    The counts of an item follow a Dirichlet–multinomial law. Its parameters are the mode of the
    likelihood times a flat prior for the correlation of two annotations of an item,
    1 / (1 + Σ_k α_k), on a logarithmic scale. The prior weighs about as much as one item, and
    keeps the mode from 0 and from infinity. The likelihood needs how many items have at least j
    annotations of each category, and nothing else (Minka 2000, section 3).

    Parameters
    ----------
    counts : ndarray
        (I, K) whole numbers.

    Returns
    -------
    ndarray
        (K,) 0 for a category that nobody gave.
    """
    from scipy.optimize import minimize

    used = np.flatnonzero(counts.sum(0) > 0)
    at_least = _at_least(counts[:, used])  # (J, k)
    of_all = _at_least(counts.sum(1, keepdims=True))[:, 0]  # (M,)
    j, m = np.arange(len(at_least))[:, None], np.arange(len(of_all))

    def fall(x: Floats) -> tuple[float, Floats]:
        alpha = np.exp(x)
        total = float(alpha.sum())
        value = float((at_least * np.log(alpha + j)).sum() - (of_all * np.log(total + m)).sum())
        value += math.log(total) - 2 * math.log1p(total)
        slope = (at_least / (alpha + j)).sum(0) - (of_all / (total + m)).sum()
        slope += 1 / total - 2 / (1 + total)
        return -value, -slope * alpha

    mean = counts[:, used].sum(0) / counts.sum()
    bounds = [(math.log(SMALLEST), math.log(LARGEST))] * len(used)
    options: Any = {"maxiter": 500, "ftol": 1e-14, "gtol": 1e-8}
    found = minimize(
        fall, np.log(mean), jac=True, method="L-BFGS-B", bounds=bounds, options=options
    )
    out = np.zeros(counts.shape[1])
    out[used] = np.exp(found.x)
    return out


def _at_least(counts: Floats) -> Floats:
    """(J, K) how many items have more than j annotations of each category."""
    whole = counts.astype(np.int64)
    most, k = int(whole.max(initial=0)), whole.shape[1]
    cell = whole + (most + 1) * np.arange(k)
    each = np.bincount(cell.ravel(), minlength=(most + 1) * k).reshape(k, -1).T
    return np.asarray(each[::-1].cumsum(0)[::-1][1:])


# ---------------------------------------------------------------------- entropy


def yes_and_no(p: Floats) -> Floats:
    """(..., L, 2) the probabilities of labels of sets (..., L), and what is left of 1."""
    return np.stack([p, 1 - p], -1)


def _bits(p: Floats) -> Floats:
    """−p log₂ p of each share; 0 of 0."""
    return np.asarray(-p * np.log2(np.where(p > 0, p, 1))) + 0.0


def entropy(p: Floats) -> Floats:
    """Entropy of distributions (..., K), in bits: (...)."""
    return np.asarray(_bits(p).sum(-1))


def _expected_entropy(fitted: Posterior, added: Floats, items: Ints) -> Floats:
    """(B,) the expected entropy of the annotations of some items if each has one true label.

    Given the truth, coders answer independently by their error rates, so that the number of them
    who give a category is a sum of independent indicators, whose distribution is exact.
    """
    v, k = fitted.votes, fitted.votes.n_categories
    each = np.repeat(np.arange(len(v.item)), np.rint(v.times).astype(int))
    size = np.bincount(v.item[each], minlength=v.n_items)
    first = np.cumsum(size) - size
    most = int(size[items].max())
    steps = max(1, CELLS // (k * k * (most + 1)))
    found = np.empty(len(items))
    for start in range(0, len(items), steps):
        some = items[start : start + steps]
        chance = np.zeros((len(some), k, k, most + 1))  # of a number, by truth and category
        chance[..., 0] = 1
        for j in range(most):
            at = np.flatnonzero(size[some] > j)
            own = each[first[some[at]] + j]
            p = fitted.estimate.emission.table(v.item[own], v.coder[own])[:, :k, :k, None]
            old = chance[at]
            new = old * (1 - p)
            new[..., 1:] += old[..., :-1] * p
            chance[at] = new
        number = np.arange(most + 1) + added[:, None]
        bits = _bits(number / (size[some] + added.sum())[:, None, None])
        found[start : start + steps] = np.einsum(
            "btkn,bkn,bt->b", chance, bits, fitted.probabilities[some]
        )
    return found


# ---------------------------------------------------------------------- what to know

OPINIONS = Catalogue()


@OPINIONS.rule("warning", "miller1955")
def few_annotations(soft: SoftLabels) -> Told | None:
    """Few annotations.

    Half of the items have {n:annotation} or fewer, which say little about how much coders would
    differ on one item.

    Have items annotated by more coders before calling one of them clear or ambiguous.
    """
    n = float(np.median(soft.n)) if len(soft) else 0.0
    return Told({"n": n}) if n < FEW else None
