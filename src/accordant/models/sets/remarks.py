"""What to know before decided sets of labels are used."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from ...actions import Action
from ...data.annotations import Annotations
from ...diagnosis.finding import SEVERITIES, Finding
from ...diagnosis.words import listed, quoted
from ...numbers import count_of
from ...scheme import Label
from ..posterior import Posterior
from ..trust.verdicts import arranged

__all__ = ["about_whole_sets", "remarks"]

THIN = 20  # items that a label fits, below which a model of it alone goes astray
FEW = 5  # times that a set or label was given, below which little is learned about it


def remarks(
    question: str | None, data: Annotations, labels: Sequence[Label], each: Sequence[Posterior],
    n_empty: int, *, shared: bool,
) -> tuple[Finding, ...]:  # fmt: skip
    """The findings about all labels, and those about single ones, one for each code."""
    own = [replace(f, question=question) for f in _of_all(data, labels, each, n_empty, shared)]
    return arranged([*own, *_of_labels(question, labels, each)])


def _of_all(
    data: Annotations,
    labels: Sequence[Label],
    each: Sequence[Posterior],
    n_empty: int,
    shared: bool,
) -> Iterator[Finding]:
    rare = [
        label for label, one in zip(labels, each, strict=True) if one.votes.counts[:, 1].sum() < FEW
    ]
    if rare:
        yield Finding(
            "rare_labels", "note",
            f"{count_of(len(rare), 'label')} of {len(labels):,} ({listed(rare)}) "
            f"{'was' if len(rare) == 1 else 'were'} given fewer than {FEW} times.",
            "Do not rely on what the model estimates for them.",
            {"labels": tuple(rare), "n": len(rare)},
        )  # fmt: skip
    thin = [
        label
        for label, one in zip(labels, each, strict=True)
        if one.votes.shares[:, 1].sum() < THIN
    ]
    if thin and not shared and each[0].model.probabilistic:
        yield Finding(
            "labels_apart", "warning",
            f"{each[0].model.name} learned about each label alone, and "
            f"{count_of(len(thin), 'label')} of {len(labels):,} ({listed(thin)}) "
            f"{'fits' if len(thin) == 1 else 'fit'} fewer than {THIN} items by the votes: too few "
            "to tell slips from coders who overlook the label, so it may be lost.",
            "Use the pooled model, in which a coder's habits with all labels count for each.",
            {"labels": tuple(thin), "n": len(thin)},
            do=(Action("fit", {"model": "pooled", "sets": "labels"}),),
        )  # fmt: skip
    unused = [c for c in data.schemes[0].categories if c not in set(labels)]
    if unused:
        yield Finding(
            "labels_not_given", "note",
            f"{count_of(len(unused), 'category', 'categories')} of the scheme ({listed(unused)}) "
            f"{'was' if len(unused) == 1 else 'were'} given by no coder.",
            "They are left out; whether they are true of an item is not known.",
            {"labels": tuple(unused), "n": len(unused)},
        )  # fmt: skip
    if n_empty:
        yield Finding(
            "empty_sets", "warning",
            f"{count_of(n_empty, 'item')} of {each[0].votes.n_items:,} "
            f"{'has' if n_empty == 1 else 'have'} no label that is more probable than not, though "
            "no coder ever said that nothing applies.",
            "Read these items, or choose the rule that gives each item its most probable label.",
            {"n": n_empty}, ("dembczynski2012",), do=(Action("", {"decide": "most probable"}),),
        )  # fmt: skip


def _of_labels(
    question: str | None, labels: Sequence[Label], each: Sequence[Posterior]
) -> Iterator[Finding]:
    """The findings of the single models; the same one of several labels is told once."""
    by_code: dict[str, list[tuple[Label, Finding]]] = {}
    for label, one in zip(labels, each, strict=True):
        for finding in one.findings:
            by_code.setdefault(finding.code, []).append((label, finding))
    for told in by_code.values():
        found = sorted(told, key=lambda pair: SEVERITIES.index(pair[1].severity))
        label, first = found[0]
        others = [name for name, _ in found[1:]]
        more = f" The same holds for {listed(others)}." if others else ""
        yield replace(
            first,
            sentence=f"About {quoted(label)}: {first.sentence}{more}",
            question=question,
            evidence={**first.evidence, "labels": tuple(name for name, _ in found)},
        )


def about_whole_sets(posterior: Posterior) -> Posterior:
    """The posterior of whole sets, with a warning where these are many and rare."""
    counts = posterior.votes.counts.sum(0)
    n, rare = len(counts), int(np.count_nonzero(counts < FEW))
    if 2 * rare <= n:
        return posterior
    finding = Finding(
        "many_sets", "warning",
        f"The coders gave {n:,} different sets of labels, {rare:,} of them fewer than {FEW} times: "
        "too little to learn how coders confuse them, and a set that nobody gave cannot be found.",
        "Fit a model of each label instead of whole sets.",
        {"n": n, "rare": rare}, (), posterior.question, do=(Action("", {"sets": "labels"}),),
    )  # fmt: skip
    estimate = posterior.estimate
    return replace(posterior, estimate=replace(estimate, findings=(*estimate.findings, finding)))
