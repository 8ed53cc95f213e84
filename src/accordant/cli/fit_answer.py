"""What `accordant fit` says on a terminal: what is probably true, who can be trusted, what next."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from ..diagnosis.finding import Finding
from ..models.coders.told import told_once
from ..models.posterior import Posterior
from ..models.sets.set_posterior import SetPosterior
from ..models.wording import Wording, wording
from ..numbers import count_of
from ..views.document import Table
from .again import again
from .findings import one_of_each, print_told
from .fit_coders import coder_table
from .fit_tables import prevalence
from .fit_tables_of_sets import print_coders_of_sets
from .fit_truth import truth
from .fitted import Fitted, One
from .fitting import print_fitting
from .spoken import spoken
from .tables import print_sentences

if TYPE_CHECKING:
    from rich.console import Console

__all__ = ["GOING", "print_answer"]

NOTHING_SAID = ("nothing_to_learn", "not_categories")
"""Findings beside which any figure would only look like one."""
MOST_CODERS = 12
MOST_CATEGORIES = 12
TOLD = 4  # findings
VERDICT = 24  # characters in which most verdicts stand on one line
GOING = (
    ("skill_ends",),
    ("interval",),
    ("n_annotations",),
    ("share_of_annotations",),
    ("known_ends",),
    ("n_known",),
)
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
        print_sentences(console, [_words(one).labels], style="bold")
        print_sentences(console, [" ".join(truth(one, found))])
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
    return [str(f) for f in one.findings if f.code in NOTHING_SAID]


def _heading(one: One) -> str:
    first = one if isinstance(one, Posterior) else one.each[0]
    n = len(first.votes)
    facts = [
        *([f"question {one.question}"] if one.question else []),
        count_of(first.votes.n_items, "item"),
        count_of(len(one.coders), "coder"),
        count_of(n, "annotation"),
    ]
    return " · ".join(facts)


def _words(one: One) -> Wording:
    return wording((one if isinstance(one, Posterior) else one.each[0]).model)


def _model(one: One) -> str:
    first = one if isinstance(one, Posterior) else one.each[0]
    apart = "" if isinstance(one, Posterior) else ", label by label"
    return f"{first.model.name}{apart}. {first.model.assumption}"


# ------------------------------------------------------------------ tables


def _print_prevalence(console: Console, one: One, found: Fitted) -> None:
    made = next(made for _, made in prevalence(replace(found, each=(one,))))
    rows, notes = list(made.shown), made.notes
    if len(rows) > MOST_CATEGORIES:
        rows.sort(key=lambda row: -row["n_labels"])
        notes = (f"and {len(rows) - MOST_CATEGORIES:,} more: --show prevalence", *notes)
    print_fitting(console, Table("", made.columns, tuple(rows[:MOST_CATEGORIES]), notes), GOING)


def _print_coders(console: Console, one: One, found: Fitted) -> None:
    print_sentences(console, [_words(one).coders], style="bold")
    if isinstance(one, SetPosterior):
        print_coders_of_sets(console, one, MOST_CODERS)
        return
    for own in found.of(one):
        if own.positions:
            print_sentences(
                console, ["This cannot be said: the coders are positions, not persons."]
            )
            continue
        print_fitting(
            console, coder_table(own, MOST_CODERS, found.scored(own)), GOING, words=VERDICT
        )


def _findings(one: One, found: Fitted) -> Iterator[Finding]:
    """Those of the labels and of the coders; what both say is told once."""
    of_coders = [f for own in found.of(one) for f in own.findings]
    if isinstance(one, SetPosterior):  # each label has its own; one of a kind is enough here
        kinds = {f.code: f for f in reversed(of_coders)}
        of_coders = [replace(f, sentence=f"{f.question}: {f.sentence}") for f in kinds.values()]
    yield from told_once(one.findings, of_coders)


def _next(found: Fitted) -> list[str]:
    """What to type next."""
    asked = found.asked
    typed = again(keep=("model", "gold", "settings"))
    schools = any(c.schools for c in found.coders)
    probabilistic = all(one.model.probabilistic for one in found.singles)
    share = "probability" if probabilistic else "share of votes"
    least = "the least sure" if probabilistic else "the closest votes"
    if all(_nothing(one) for one in found.each):
        codes = {f.code for one in found.each for f in one.findings}
        if "not_categories" in codes:
            measured = again("--scale", "interval").replace(" fit ", " agreement ", 1)
            return [f"{measured}: how well they agree as measurements"]
        return ["--gold FILE: the labels that are known of some items"]
    return [
        f"{typed} -o labels.csv: the labels, with the {share} of each category",
        *(["--show readings: what each school of coders says"] if schools else []),
        f"--show items: {least}, with who said what; coders, confusion, leaving-out …",
        *(["--which: whether another model predicts these annotations better"]
          if len(found.each) == 1 else []),
        *(["--gold FILE: some items whose label is known make all of this surer"]
          if asked.gold is None else []),
    ]  # fmt: skip
