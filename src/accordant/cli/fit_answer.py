"""What `accordant fit` says on a terminal: what is probably true, who can be trusted, what next."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ..diagnosis.finding import Finding
from ..measure.numbers import count_of, decimal, joined, percent
from ..models.posterior import Posterior
from ..models.sets.set_posterior import SetPosterior
from ..models.votes import UNKNOWN
from ..reports.document import Table
from .again import again
from .findings import one_of_each, print_told
from .fit_coders import coder_table
from .fit_tables import kept_of, prevalence
from .fit_tables_of_sets import print_coders_of_sets
from .fitted import Fitted, One
from .fitting import print_fitting
from .tables import print_sentences
from .terminal import spoken

if TYPE_CHECKING:
    from rich.console import Console

__all__ = ["GOING", "print_answer"]

SURE = 0.95
INDEPENDENT = 0.995  # tau above which an annotation counts in full
MOST_CODERS = 12
MOST_CATEGORIES = 12
TOLD = 4  # findings
GOING = (("skill_ends",), ("interval",), ("n_annotations",), ("share_of_annotations",))
"""Columns that go where a line has no room, the first ones first."""


def print_answer(console: Console, found: Fitted) -> None:
    """Print the answer to every question."""
    for one in found.each:
        console.print()
        print_sentences(console, [_heading(one)], style="bold")
        print_sentences(console, [_model(one)], style="dim")
        console.print()
        if nothing := _nothing(one):  # then every figure would only look like one
            print_sentences(console, map(spoken, nothing))
            continue
        print_sentences(console, ["What is probably true"], style="bold")
        print_sentences(console, [" ".join(_truth(one, found))])
        console.print()
        _print_prevalence(console, one, found)
        console.print()
        _print_coders(console, one, found)
        told = [f for f in _findings(one, found) if f.severity != "note"]
        print_told(console, "What to watch", one_of_each(told), TOLD)
    console.print()
    print_sentences(console, ["What to do next"], style="bold")
    print_sentences(console, _next(found), style="dim")


def _nothing(one: One) -> list[str]:
    """Why nothing can be learned from the annotations, if that is so."""
    return [str(f) for f in one.findings if f.code == "nothing_to_learn"]


def _heading(one: One) -> str:
    first = one if isinstance(one, Posterior) else one.each[0]
    n = len(first.votes)
    facts = [
        *([f"question {one.question}"] if one.question else []),
        count_of(first.votes.n_items, "item"),
        count_of(len(one.coders), "coder"),
        *([count_of(n, "annotation")] if isinstance(one, Posterior) else []),
    ]
    return " · ".join(facts)


def _model(one: One) -> str:
    first = one if isinstance(one, Posterior) else one.each[0]
    apart = "" if isinstance(one, Posterior) else ", label by label"
    return f"{first.model.name}{apart}. {first.model.assumption}"


# ------------------------------------------------------------------ what is probably true


def _truth(one: One, found: Fitted) -> Iterator[str]:
    """The labels in sentences: how many, how sure, what else speaks for or against them."""
    yield from _of_sets(one) if isinstance(one, SetPosterior) else _of_labels(one)
    if found.asked.kept:
        yield f"{kept_of(one, found.asked.kept)}."
    if found.asked.truth is not None:
        scored = one.scores(found.asked.truth, level=found.asked.level) if (
            isinstance(one, Posterior)
        ) else one.score(found.asked.truth)  # fmt: skip
        yield f"Against the known labels: {scored}."


def _of_labels(one: Posterior) -> Iterator[str]:
    n, tied = one.votes.n_items, int(one.tied.sum())
    told = int((one.votes.known != UNKNOWN).sum())
    if not one.model.probabilistic:
        yield f"{_of(n - tied, n)} a label that got most votes{_ties(tied)}."
        yield "Shares of votes are opinions and promise no accuracy: a model of coders says more."
    else:
        tempered = one if one.tempering else one.tempered()
        sure = int(((tempered.confidence >= SURE) & ~one.tied).sum())
        rest = n - tied - sure
        yield (
            f"{_of(sure, n)} a label that is right with {percent(SURE, 0)} or more; of "
            f"{count_of(rest, 'item')} it is less sure{_ties(tied)}."
        )
        yield _promised(one, tempered)
    if told:
        yield f"{count_of(told, 'control item')} kept the known label."
    yield from _unlike_votes(one)


def _of(n: int, whole: int) -> str:
    return f"{n:,} of {count_of(whole, 'item')} {'has' if n == 1 else 'have'}"


def _ties(tied: int) -> str:
    return (
        f", and {count_of(tied, 'item has', 'items have')} none, two categories being equally "
        "probable" if tied else ""
    )  # fmt: skip


def _promised(one: Posterior, tempered: Posterior) -> str:
    free = one.votes.known == UNKNOWN
    if not free.any():
        return ""
    honest = float(tempered.confidence[free].mean())
    if one.tempering:
        return (
            f"For {percent(honest)} of the items the label can be expected to be right. "
            f"{one.tempering}"
        )
    own = float(one.confidence[free].mean())
    if one.design_effect.blind:
        return (
            f"For {percent(honest)} of the items the label can be expected to be right if coders "
            "err independently, which so few annotations cannot show."
        )
    if tempered.tau > INDEPENDENT:
        return (
            f"For {percent(honest)} of the items the label can be expected to be right; the coders "
            "look independent of each other."
        )
    return (
        f"For {percent(honest)} of the items the label can be expected to be right, since coders "
        f"err together (an annotation counts as {decimal(tempered.tau, 2)}); the model itself says "
        f"{percent(own)}."
    )


def _unlike_votes(one: Posterior) -> Iterator[str]:
    """Labels that are not those of most votes."""
    if one.model.key == "majority":
        return
    most = _majority(one.votes.counts)
    other = int(((most >= 0) & (one.codes >= 0) & (most != one.codes)).sum())
    broken = int(((most < 0) & (one.codes >= 0)).sum())
    vote = "that vote" if other else "the majority vote"
    parts = [
        *([f"differs from the majority vote for {count_of(other, 'item')}"] if other else []),
        *([f"settles {count_of(broken, 'tie')} of {vote}"] if broken else []),
    ]
    yield (f"The label {joined(parts)}." if parts else "The labels are those of the majority vote.")


def _majority(counts: NDArray[np.float64]) -> NDArray[np.intp]:
    """(I,) the category with most votes; -1 for a tie."""
    top = counts >= counts.max(1, keepdims=True) - 1e-9
    return np.where(top.sum(1) > 1, -1, counts.argmax(1))


def _of_sets(one: SetPosterior) -> Iterator[str]:
    n, tied = len(one.labels), int(one.tied.sum())
    sure = int(((one.confidence >= SURE) & ~one.tied).sum())
    empty = sum(label == () for label in one.labels)
    size = float(np.mean([float(len(x)) for x in one.labels if x is not None] or [float("nan")]))
    yield (
        f"{_of(sure, n)} a set of labels that is right as a whole with {percent(SURE, 0)} or more, "
        f"if labels are independent{_ties(tied)}."
    )
    none = f", {count_of(empty, 'item has', 'items have')} none" if empty else ""
    yield f"A set has {decimal(size, 2)} labels on average{none}."


# ------------------------------------------------------------------ tables


def _print_prevalence(console: Console, one: One, found: Fitted) -> None:
    made = next(made for _, made in prevalence(replace(found, each=(one,))))
    rows, notes = list(made.shown), made.notes
    if len(rows) > MOST_CATEGORIES:
        rows.sort(key=lambda row: -row["n_labels"])
        notes = (f"and {len(rows) - MOST_CATEGORIES:,} more: --show prevalence", *notes)
    print_fitting(console, Table("", made.columns, tuple(rows[:MOST_CATEGORIES]), notes), GOING)


def _print_coders(console: Console, one: One, found: Fitted) -> None:
    print_sentences(console, ["Who can be trusted"], style="bold")
    if isinstance(one, SetPosterior):
        print_coders_of_sets(console, one, MOST_CODERS)
        return
    for own in found.of(one):
        print_fitting(console, coder_table(own, MOST_CODERS), GOING)


def _findings(one: One, found: Fitted) -> Iterator[Finding]:
    """Those of the labels and of the coders; what both say is told once."""
    of_coders = [f for own in found.of(one) for f in own.findings]
    if isinstance(one, SetPosterior):  # each label has its own; one of a kind is enough here
        kinds = {f.code: f for f in reversed(of_coders)}
        of_coders = [replace(f, sentence=f"{f.question}: {f.sentence}") for f in kinds.values()]
    told = {f.code for f in of_coders}
    for finding in one.findings:
        if not (finding.code == "coder_below_chance" and "adversarial_coder" in told):
            yield finding
    yield from of_coders


def _next(found: Fitted) -> list[str]:
    """What to type next."""
    asked = found.asked
    typed = again(keep=("model", "gold", "settings"))
    schools = any(c.schools for c in found.coders)
    probabilistic = all(one.model.probabilistic for one in found.singles)
    if all(_nothing(one) for one in found.each):
        return ["--gold FILE: the labels that are known of some items"]
    return [
        f"{typed} -o labels.csv: the labels, with the probability of each category",
        *(["--show readings: what each school of coders says"] if schools else []),
        "--show items: the least sure, with who said what; coders, confusion, leaving-out …",
        *(["--which: whether another model predicts these annotations better"]
          if len(found.each) == 1 else []),
        *(["--temper: beliefs that are about as often right as they say"]
          if probabilistic and not asked.temper and asked.tau is None else []),
        *(["--gold FILE: some items whose label is known make all of this surer"]
          if asked.gold is None else []),
    ]  # fmt: skip
