"""What a reader of a table of coders must know, as findings."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from ...actions import Action
from ...diagnosis.finding import (
    Catalogue,
    Contrast,
    Evidence,
    Finding,
    Remedy,
    Severity,
    Told,
    found_by,
)
from ...diagnosis.words import quoted
from ...numbers import count_of, decimal, joined, percent
from ..fitted_model import FittedModel
from .coder import Coder
from .verdicts import Verdict

__all__ = ["coder_findings", "few_annotations", "of_persons", "positions", "told_once"]

_SAID: dict[Verdict, tuple[str, Severity, str, str, Remedy, str]] = {
    "adversarial": (
        "adversarial_coder", "warning",
        "below chance: their labels are wrong more often than random ones",
        "Ask whether labels were exchanged (a key, a column, a reversed scale). A model with "
        "confusion matrices inverts such labels and learns from them; a vote does not.",
        "coder", "Coders below chance",
    ),
    "random": (
        "random_coder", "warning",
        "at or near chance level; their labels hardly depend on the items",
        "Discuss some of the items with the coder before you leave anybody out. A model "
        "with confusion matrices gives such labels no weight; a vote counts them in full.",
        "coder", "Coders at chance level",
    ),
    "constant": (
        "constant_coder", "warning", "the same label for every item, where others use several",
        "Ask how the task was understood, and whether a default value was kept.",
        "coder", "Coders with a single label",
    ),
    "sloppy": (
        "sloppy_coder", "note", "above chance, but clearly below the typical coder",
        "Train on the items where they differ from the others; their labels still help a model "
        "that weighs coders.",
        "coder", "Coders with low accuracy",
    ),
}  # fmt: skip
"""Verdict → code, severity, what is so, what to do, where to look, title."""
OF_CODERS = ("coder_below_chance", "coder_with_few", "copied_labels", "disjoint_coders")
OF_VERDICTS = {code for code, *_ in _SAID.values()}

rule = Catalogue().rule


def told_once(of_labels: Iterable[Finding], of_coders: Sequence[Finding]) -> tuple[Finding, ...]:
    """The findings of labels and of coders, without what is told of a coder by another figure.

    A fit by itself warns of coders below chance (`coder_below_chance`). Beside verdicts, which know
    more, that would be a second figure; and who belongs to a school is no such coder.

    Parameters
    ----------
    of_labels : iterable of Finding
        Those of a posterior.
    of_coders : sequence of Finding
        Those of its coders.
    """
    codes = {f.code for f in of_coders} & {"positions"}
    told = {
        name
        for f in of_coders
        for name in (
            f.evidence["coders"] if f.code in OF_VERDICTS
            else (x for names in f.evidence["schools"] for x in names)
            if f.code == "minority_school" else ()
        )
    }  # fmt: skip
    first = [
        f
        for f in of_labels
        if f.code not in codes
        and not (f.code == "coder_below_chance" and told & {*f.evidence["coders"]})
    ]
    return (*first, *of_coders)


@rule("warning")
def positions(posterior: FittedModel) -> Told:
    """Coders are positions, so that no statement about a coder holds.

    The data do not say who annotated what: the {n:,} columns are positions, which different people
    may have filled. Coders are not judged, and coder groups are not searched for. The model treats
    each position as one person: read its probabilities with care.

    Name the column of the coders if it is known who annotated what. Otherwise use the majority, or
    soft labels.
    """
    do = Action("", {"coder": ...}, "the column of the coders"), Action("soft_labels")
    facts = {"n": len(posterior.coders)}
    return Told(facts, title="Coders are positions, not persons", do=do)


def of_persons(posterior: FittedModel, found: Iterable[Finding]) -> Iterator[Finding]:
    """The findings; of positions without those that name coders, and with one that says why."""
    of_positions = posterior.data.anonymous
    yield from (f for f in found if not (of_positions and f.code in OF_CODERS))
    if of_positions:
        yield from found_by(positions(posterior))


def coder_findings(question: str | None, coders: Sequence[Coder]) -> Iterator[Finding]:
    """One finding for each verdict that a reader must know, with all coders of that verdict."""
    for verdict, (code, severity, what, advice, remedy, title) in _SAID.items():
        found = [c for c in coders if c.verdict == verdict]
        if not found:
            continue
        found.sort(key=lambda c: (-c.n_annotations, c.coder))
        n = sum(c.n_annotations for c in found)
        whole = sum(c.n_annotations for c in coders)
        each = joined(
            (
                f"{quoted(c.coder)} (skill {decimal(c.skill, 2)}, "
                f"{count_of(c.n_annotations, 'annotation')})"
                for c in found
            ),
            most=5,
        )
        yield Finding(
            code, severity,
            f"{len(found):,} of {count_of(len(coders), 'coder')} ({percent(n / whole)} of the "
            f"annotations): {what}. {each}.",
            advice,
            {
                "coder": found[0].coder if len(found) == 1 else None,
                "coders": tuple(c.coder for c in found), "n": n, "share": n / whole,
                "skill": tuple(c.skill for c in found),
            },
            ("raykar2012",), question, remedy=remedy,
            seen=Evidence(
                tuple(Contrast(c.coder, c.n_annotations, c.competence, c.agreement) for c in found),
                "coder", "annotations", "right", "agreement with the others",
            ),
            title=title,
        )  # fmt: skip


@rule("note")
def few_annotations(coders: Sequence[Coder]) -> Told | None:
    """Coders without a verdict.

    For {n:,} of {of:coder} the annotations do not determine a verdict (median {each:annotation} per
    coder): {coders:listed}.

    Have them annotate more items that others annotate too, or control items; do not judge them
    until then.
    """
    few = [c for c in coders if c.verdict == "few"]
    if not few:
        return None
    words = {"of": len(coders), "each": int(np.median([c.n_annotations for c in few]))}
    facts = {"coders": tuple(c.coder for c in few), "n": len(few)}
    return Told(facts, words, remedy="task", title="Coders without a verdict")
