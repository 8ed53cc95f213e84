"""A distribution in place of a label for each item: what coders say, or what is probably true."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar, Literal, TypeAlias

import numpy as np

from ..._version import __version__
from ...actions import FILE, Action
from ...arrays import Bools, Floats
from ...data.annotations import Annotations
from ...data.read import read
from ...data.sheet import Field, save_sheet
from ...diagnosis.finding import Catalogue, Finding, Told
from ...diagnosis.words import listed
from ...errors import RequestError, unknown
from ...numbers import decimal
from ...results import Result
from ...scheme import Label, Scheme
from ...validation import checked
from ..call import Posteriors
from ..call import fitted as fit
from ..estimate import TIE
from ..gold import Gold, gold_labels, gold_of_question
from ..model import DEFAULT, Model, model_of
from ..posterior import Posterior
from ..question_results import Each, write_rows
from ..set_posterior import SetPosterior
from ..votes import Votes, votes
from . import distributions as measured
from .distributions import ENTROPIES, SMOOTHINGS, Smoothing, counted, membership, smoothed

__all__ = ["DISTRIBUTION", "KINDS", "SoftLabels", "fitted", "parts_of", "soft_labels", "told"]

Fitted: TypeAlias = Posterior | SetPosterior
Kind: TypeAlias = Literal["opinion", "belief"]
KINDS: Mapping[Kind, str] = {
    "opinion": "the distribution of the labels that coders give",
    "belief": "the probability that a label is the true one",
}
"""The two things that a soft label can mean; they are never mixed."""

DISTRIBUTION = "soft"
"""Name of the distribution in JSON lines."""
FEW = 5  # annotations of an item below which its entropy is a rough guess; our convention


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
        (I,) annotations of each item; effective ones if coders have weights, Σw² / (Σw)² to −1.
    made : str
        How they were made, for the signature.
    counts : ndarray or None
        (I, K) annotations that the opinion rests on.
    smoothing : Smoothing or None
        What was added to them.
    estimator : {'plug-in', 'miller-madow', 'bayes'}
        Of `entropy_estimate`.
    signature : str
    findings : tuple of Finding
    """

    told_as: ClassVar[str] = "soft"

    question: str | None
    items: Any
    scheme: Scheme
    kind: Kind
    probabilities: Floats
    n: Floats
    made: str = ""
    counts: Floats | None = None
    smoothing: Smoothing | None = None
    estimator: str = "plug-in"
    signature: str = ""
    findings: tuple[Finding, ...] = field(default=())

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

    @cached_property
    def position(self) -> Mapping[str, int]:
        """The place of each category by its text."""
        return {str(c): k for k, c in enumerate(self.categories)}

    @property
    def several(self) -> bool:
        """Whether an item has several labels, each with a probability of its own."""
        return self.scheme.max_labels != 1

    def yes_and_no(self, p: Floats, whole: Any = 1) -> Floats:
        """(J, K) as they are; of labels of sets (J, L, 2), with what is left of the whole."""
        return np.stack([p, whole - p], -1) if self.several else p

    def of_items(self, x: Floats) -> Floats:
        """(I,) as they are; of labels of sets the mean over the labels (I, L)."""
        return np.asarray(x.mean(1) if self.several else x)

    @cached_property
    def distributions(self) -> Floats:
        """(I, K) distributions; of labels of sets (I, L, 2), yes and no."""
        return self.yes_and_no(self.probabilities)

    @cached_property
    def tables(self) -> Floats | None:
        """(I, K) counts; of labels of sets (I, L, 2), yes and no; None for a belief."""
        return None if self.counts is None else self.yes_and_no(self.counts, self.n[:, None])

    @property
    def votes(self) -> Floats:
        """(I, K) or (I, L, 2) what the majority is told by: counts if there are any."""
        return self.distributions if self.tables is None else self.tables

    @cached_property
    def entropy(self) -> Floats:
        """(I,) in bits, of the distribution as it stands here; of sets the mean of the labels."""
        return self.of_items(measured.entropy(self.distributions))

    @cached_property
    def label_entropy(self) -> Floats:
        """(I, K) in bits, of each label of sets; of single labels −p log₂ p of each category."""
        bits = measured.bits_of(self.distributions)
        return bits.sum(-1) if self.several else bits

    @cached_property
    def entropy_estimate(self) -> Floats | None:
        """(I,) estimated entropy of the opinion behind so few annotations; None for a belief.

        The entropy of a few votes is too low: two coders who agree show 0 bits, whatever a third
        would say.
        """
        if self.tables is None or self.smoothing is None:
            return None
        if self.estimator == "plug-in":
            return self.entropy
        if self.estimator == "miller-madow":
            return self.of_items(measured.miller_madow(self.tables))
        prior = self.smoothing.pseudo
        prior = np.where(prior.sum() > 0, prior, 0.5)  # Jeffreys without one
        return self.of_items(measured.expected_entropy(self.tables + prior))

    @cached_property
    def disagreement(self) -> Floats | None:
        """(I,) share of the pairs of annotations that differ; NaN for one annotation."""
        return None if self.tables is None else self.of_items(measured.disagreement(self.tables))

    @cached_property
    def tied(self) -> Bools:
        """(I,) whether the most frequent (most probable) category is not the only one."""
        p = self.probabilities if self.counts is None else self.counts
        return np.asarray(np.count_nonzero(p >= p.max(1, keepdims=True) - TIE, axis=1) > 1)

    @property
    def labels(self) -> list[Any]:
        """(I,) the category with most votes (most probable); None for a tie; sets as tuples."""
        names = self.categories
        if self.several:
            p = self.votes[..., 0] / np.maximum(self.votes.sum(-1), 1)
            each = (p > 0.5).tolist()
            return [tuple(x for x, yes in zip(names, row, strict=True) if yes) for row in each]
        top = self.votes.argmax(1).tolist()
        tied = self.tied.tolist()
        return [None if tie else names[k] for k, tie in zip(top, tied, strict=True)]

    @cached_property
    def top(self) -> Floats:
        """(I,) the largest probability."""
        return np.asarray(self.probabilities.max(1, initial=0))

    def top_interval(self, level: float = 0.95) -> tuple[Floats, Floats]:
        """(I,) and (I,): between what values the share of the most frequent category may lie.

        See `share_interval`. It takes the category as chosen beforehand, so that of the larger of
        two it is somewhat high. NaN for beliefs, and for sets.
        """
        if self.counts is None or self.smoothing is None or self.several:
            nothing = np.full(len(self), math.nan)
            return nothing, nothing
        at, pseudo = self.probabilities.argmax(1), self.smoothing.pseudo
        prior = np.stack([pseudo, pseudo.sum() - pseudo], -1)[at]
        seen = self.counts[np.arange(len(self)), at]
        return measured.share_interval(seen, self.counts.sum(1), prior, level)

    def to_rows(self) -> list[dict[str, Any]]:
        """One row for each item, with a column ``p_<category>`` for each category."""
        columns: dict[str, Any] = {
            "question": [self.question] * len(self),
            "item": self.names,
            "kind": [self.kind] * len(self),
            "label": self.labels,
            "n": self.n,
            "entropy": self.entropy,
            "entropy_estimate": self.entropy_estimate,
            "effective_categories": np.exp2(self.entropy),
            "disagreement": self.disagreement,
        }
        if self.several:
            named = zip(self.categories, self.label_entropy.T, strict=True)
            columns |= {f"entropy_{name}": bits for name, bits in named}
        else:
            columns["top"] = self.top
            if self.counts is not None:
                columns["top_low"], columns["top_high"] = self.top_interval()
            columns |= measured.on_scale(self.probabilities, self.scheme)
        named = zip(self.categories, self.probabilities.T, strict=True)
        columns |= {f"p_{name}": p for name, p in named}
        return rows_of({name: x for name, x in columns.items() if x is not None})

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
        about |= {**({"several_labels": True} if self.several else {}), "kind": self.kind}
        names = [str(c) for c in self.categories]
        soft = [dict(zip(names, p, strict=True)) for p in self.probabilities.tolist()]
        repeated = (Field(name, [x] * len(self)) for name, x in about.items())
        n = Field("n", self.n.tolist())
        save_sheet((Field("item", self.names), *repeated, n, Field(DISTRIBUTION, soft)), path)


def rows_of(columns: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Rows of columns of the same length, lists or arrays.

    Examples
    --------
    >>> rows_of({"item": ["i", "j"], "p": np.array([0.5, 1.0])})
    [{'item': 'i', 'p': 0.5}, {'item': 'j', 'p': 1.0}]
    """
    cells = (x.tolist() if isinstance(x, np.ndarray) else x for x in columns.values())
    return [dict(zip(columns, row, strict=True)) for row in zip(*cells, strict=True)]


def _opinion(
    question: str | None,
    table: Votes,
    smoothing: str,
    estimator: str | None,
    weights: Floats | None,
    signature: str,
) -> SoftLabels:
    """The distribution of labels that coders, who may have weights (C,), give to each item."""
    counts, n = counted(table)
    plain = SoftLabels(question, table.items, table.scheme, "opinion", counts, n, counts=counts)
    rule = smoothed(smoothing, plain.votes)
    if estimator is None:
        estimator = "miller-madow" if rule.name == "none" else "bayes"
    if estimator not in ENTROPIES:
        raise unknown("estimator of entropy", estimator, ENTROPIES, "choose from")
    made = SMOOTHINGS[rule.name]
    if rule.name == "hierarchical":
        size = decimal(rule.concentration, 2)
        made += f", which counts as {size} annotations (more where items are more alike)"
    if weights is not None:
        made += "; coders weighted"
        counts, n = counted(table, weights)
    found = replace(
        plain,
        counts=counts,
        n=n,
        made=made,
        smoothing=rule,
        estimator=estimator,
        signature=f"{signature}; {made}; entropy {estimator}",
        findings=tuple(told(OPINIONS, plain)),
    )
    shares = rule.shares(found.votes)
    return replace(found, probabilities=shares[..., 0] if found.several else shares)


def _belief(posterior: Fitted, recalibrated: bool) -> SoftLabels:
    """How probable a label is, given that one is true: as recalibrated, or as the model has it.

    There is none of a vote, whose shares are opinions, whatever they are called; nor if nothing
    shows how sure labels are.
    """
    model, scheme = parts_of(posterior)[0].model, posterior.data.schemes[0]
    if not model.probabilistic:
        raise RequestError(
            f"{model.name} counts votes, and shares of votes are no probabilities of a true label",
            do=[Action("", {"of": "opinion"}), Action("", {"model": "pooled"})],
        )
    if posterior.withheld:
        opinion = Action("", {"of": "opinion"}, "the distribution of coders' labels")
        raise RequestError(
            f"there are no probabilities of a true label, since {posterior.withheld}",
            do=[opinion, Action("", {"gold": FILE}, "known labels")],
        )
    chosen = posterior if recalibrated else posterior.not_recalibrated
    table = parts_of(chosen)[0].votes
    worths = sorted({one.worth for one in parts_of(chosen)})
    shown = f"{worths[0]:.3g}" if len(worths) == 1 else f"{worths[0]:.3g} to {worths[-1]:.3g}"
    how = "not recalibrated" if worths == [1] else f"recalibrated (an annotation counts {shown})"
    p = chosen.probabilities
    if scheme.max_labels != 1:  # a label that nobody gave has 0
        p = p @ membership(posterior.categories, scheme.categories)
    # of sets, each coder who annotated an item said yes or no to every label
    return SoftLabels(
        posterior.question,
        table.items,
        scheme,
        "belief",
        p,
        table.per_item,
        f"label probabilities of {model.name}, {how}",
        signature=f"{posterior.signature}; soft labels: belief, worth {shown}",
        findings=chosen.findings,
    )


@checked
def soft_labels(
    data: Any,
    *,
    of: Kind | None = None,
    smoothing: str = "hierarchical",
    weights: Literal["competence"] | Mapping[str, float] | None = None,
    entropy: str | None = None,
    model: str | Model = DEFAULT,
    recalibrated: bool = True,
    gold: Gold | None = None,
    **more: Any,
) -> SoftLabels | Each[SoftLabels]:
    """A distribution over the categories for each item; see `accordant.soft_labels`."""
    if of is not None and of not in KINDS:
        raise unknown("kind of soft labels", of, KINDS, "choose from")
    model = model_of(model)
    known = fitted(data, **more, **({} if gold is None else {"gold": gold}))
    if of == "belief" or (known and of is None):
        of_opinions = {
            "smoothing": smoothing != "hierarchical",
            "weights": weights is not None,
            "entropy": entropy is not None,
        }
        for name in (name for name, given in of_opinions.items() if given):
            raise RequestError(
                "an option for opinions; the probability of a true label follows from its model",
                parameter=name,
            )
        each = known or fitted(fit(read(data, **more), model, gold=gold))
        found = [_belief(one, recalibrated) for one in each]
    else:
        how = f"competence under {model.key}" if weights == "competence" else "weights given"
        how = "all coders count the same" if weights is None else how
        found = [
            _opinion(
                question,
                table,
                smoothing,
                entropy,
                _weights(weights, own, table, model),
                f"accordant {__version__} | soft labels: opinion | data {own.fingerprint[:12]} | "
                f"{how}",
            )
            for question, own, table in _tables(data, known, gold, more)
        ]
    return found[0] if len(found) == 1 else Each(tuple(found))


def fitted(data: Any, **more: Any) -> tuple[Fitted, ...]:
    """What was fitted, question by question; nothing of data that are still to be read."""
    if not isinstance(data, Posterior | SetPosterior | Posteriors):
        return ()
    if more:
        raise RequestError(
            "an option for data; what was fitted has been read already", parameter=next(iter(more))
        )
    return data.each if isinstance(data, Posteriors) else (data,)


def parts_of(found: Fitted) -> tuple[Posterior, ...]:
    """The posterior of each label of sets, or the only one."""
    return found.each if isinstance(found, SetPosterior) else (found,)


def _tables(
    data: Any, known: Sequence[Fitted], gold: Gold | None, more: Mapping[str, Any]
) -> Iterator[tuple[str | None, Annotations, Votes]]:
    """The votes on each question, without those of whoever holds the known labels."""
    for one in known:
        yield one.question, one.data, one.votes if isinstance(one, Posterior) else votes(one.data)
    if known:
        return
    annotations = read(data, **more)
    for question in annotations.questions:
        own = annotations.of_question(question)
        about = gold_of_question(gold, question, annotations)
        holders = () if about is None else gold_labels(about, own).coders
        yield question or None, own, votes(own, without=holders)


def _weights(weights: Any, own: Annotations, table: Votes, model: str | Model) -> Floats | None:
    """(C,) weights by the names of coders; None if all coders count the same."""
    if weights is None:
        return None
    if weights == "competence":
        (found,) = fitted(fit(own.of_coders(table.coders), model))
        weights = dict(zip(found.coders, found.competence.tolist(), strict=True))
    if not isinstance(weights, Mapping):
        says = f"'competence', or a number for each coder, not {weights!r}"
        raise RequestError(says, parameter="weights")
    missing = [name for name in table.coders if name not in weights]
    if missing:
        raise RequestError(f"no weight is given for {listed(missing)}", parameter="weights")
    each = np.array([float(weights[name]) for name in table.coders])
    if not (np.isfinite(each).all() and (each >= 0).all() and each.any()):
        raise RequestError("numbers from 0 up, one of them above 0", parameter="weights")
    return each


# ---------------------------------------------------------------------- findings

OPINIONS = Catalogue()
"""Rules about soft labels that rest on votes."""


def told(rules: Catalogue, f: Any, *others: Any) -> Iterator[Finding]:
    """What the rules of a catalogue find, in their order."""
    for rule in rules.values():
        if (found := rule(f, *others)) is not None:
            yield found


@OPINIONS.rule("problem")
def one_annotation_each(soft: SoftLabels) -> Told | None:
    """One annotation each.

    Every item has a single annotation, so the distribution of labels cannot be estimated; the
    shares are the labels themselves.

    Have some items annotated by several coders.
    """
    return Told({"n": len(soft.n)}) if soft.n.max(initial=0) < 2 else None


@OPINIONS.rule("note", "miller1955")
def few_annotations(soft: SoftLabels) -> Told | None:
    """Few annotations.

    Half of the items have {n:annotation} or fewer, which say little about how much coders would
    differ on one item.

    Read the interval of the largest share before calling an item clear, and the estimated entropy
    instead of the entropy of the votes.
    """
    n = float(np.median(soft.n))
    return Told({"n": n}) if soft.n.max(initial=0) >= 2 and n < FEW else None
