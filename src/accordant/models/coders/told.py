"""What a reader of a table of coders must know, as findings."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from ...actions import FILE, Action
from ...diagnosis.finding import Contrast, Evidence, Finding, Remedy, Severity
from ...diagnosis.words import listed, quoted
from ...numbers import count_of, decimal, interval, joined, p_text, percent
from .coder import Coder
from .searching import rarity
from .verdicts import Verdict

if TYPE_CHECKING:
    from ..posterior import Posterior
    from .chance import BeyondChance
    from .leaving_out import LeavingOut
    from .schools import Schools

__all__ = [
    "agreement_finding",
    "coder_findings",
    "influence_finding",
    "of_persons",
    "positions_finding",
    "school_finding",
    "told_once",
]  # fmt: skip

MOST_ITEMS = 12
DECISIVE = 0.1  # of the labels hang on one coder
WORTH_SAYING = 0.05  # difference of the use of a category between schools

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


def positions_finding(question: str | None, n: int) -> Finding:
    """Coders are positions, so that no statement about a coder holds."""
    return Finding(
        "positions", "warning",
        f"The data do not say who annotated what: the {n:,} columns are positions, which different "
        "people may have filled. Coders are not judged, and coder groups are not searched for. The "
        "model treats each position as one person: read its probabilities with care.",
        "Name the column of the coders if it is known who annotated what. Otherwise use the "
        "majority, or soft labels.",
        {"n": n}, (), question, title="Coders are positions, not persons",
        do=(Action("", {"coder": ...}, "the column of the coders"), Action("soft_labels")),
    )  # fmt: skip


def of_persons(posterior: Posterior, found: Iterable[Finding]) -> Iterator[Finding]:
    """The findings; of positions without those that name coders, and with one that says why."""
    positions = posterior.data.anonymous
    yield from (f for f in found if not (positions and f.code in OF_CODERS))
    if positions:
        yield positions_finding(posterior.question, len(posterior.coders))


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
                f"{quoted(c.coder)} (skill {decimal(c.skill, 2)} "
                f"{interval(c.skill_low, c.skill_high)}, {count_of(c.n_annotations, 'annotation')})"
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
    few = [c for c in coders if c.verdict == "few"]
    if few:
        yield _few(question, few, len(coders))


def _few(question: str | None, few: Sequence[Coder], n_coders: int) -> Finding:
    names = listed((c.coder for c in few), most=5)
    n = int(np.median([c.n_annotations for c in few]))
    return Finding(
        "few_annotations", "note",
        f"For {len(few):,} of {count_of(n_coders, 'coder')} the annotations do not determine a "
        f"verdict (median {count_of(n, 'annotation')} per coder): {names}.",
        "Have them annotate more items that others annotate too, or control items; do not judge "
        "them until then.",
        {"coders": tuple(c.coder for c in few), "n": len(few)}, (), question, remedy="task",
        title="Coders without a verdict",
    )  # fmt: skip


def agreement_finding(question: str | None, found: BeyondChance) -> Finding:
    """Coders do not agree, so that nothing can be said of any of them."""
    agreed, chance = found.means
    n = len(found.of_items[0])
    return Finding(
        "no_agreement", "warning",
        f"Coders agree no more than by chance: observed agreement is {percent(agreed)}, expected "
        f"agreement {percent(chance)} ({p_text(found.p_value)}, {count_of(n, 'item')} with two "
        "coders or more). Nothing shows who is right, so coders are not judged; the labels and the "
        "accuracies that the model estimates may come from noise.",
        "Do not use these labels yet. Check whether items or coders were exchanged in the data, "
        "then discuss some items and the guideline with the coders. Control items, labelled with "
        "care, show how reliable coders are.",
        {"agreement": agreed, "chance": chance, "p_value": found.p_value, "n": n},
        (), question, remedy="guideline", title="No agreement beyond chance",
        do=(Action("", {"gold": FILE}, "control items"),),
    )  # fmt: skip


def school_finding(found: Schools) -> Finding:
    """Schools are there: who, what tells them apart, and what the model does to the smaller one."""
    each = joined(
        f"{listed(names, most=6)} (κ {decimal(w, 2)} within, {decimal(b, 2)} with the others)"
        for names, w, b in zip(found.names, found.within, found.between, strict=True)
    )
    harm = joined(
        f"against most of {listed(found.names[g], most=6)} on {percent(found.against[g])} of the "
        f"items (estimated accuracy {decimal(found.competence[g])})"
        for g in range(1, len(found.names))
    )
    first = (
        f"against most of {listed(found.names[0], most=6)} on {percent(found.against[0])} of the "
        f"items (estimated accuracy {decimal(found.competence[0])})"
    )
    return Finding(
        "minority_school", "warning",
        f"Coders form {len(found.names)} groups: {each} ({rarity(found.p_value)}). One true "
        "label per item does not explain this. A model with one true label treats it as error: it "
        f"decides {first} and {harm}.{_telling(found)}",
        "Check whether the guideline decides between the groups. If it does, train; if it does "
        "not, fit each group separately and report both labels: a smaller group need not be "
        "careless.",
        {
            "schools": found.names, "within": tuple(found.within.tolist()),
            "between": tuple(found.between.tolist()), "p_value": found.p_value, "gap": found.gap,
            "against": tuple(found.against.tolist()), "category": found.telling,
            "competence": tuple(found.competence.tolist()),
        },
        ("kairam2016",), found.question, remedy="guideline",
        seen=Evidence(
            tuple(
                Contrast(listed(names, most=6), len(names), float(w), float(b))
                for names, w, b in zip(found.names, found.within, found.between, strict=True)
            ),
            "group", "coders", "κ within", "κ with the other groups", *_items(found),
        ),
        title="Coder groups",
        do=tuple(Action("of_coders", {"coders": list(names)}, f"group {g}")
                 for g, names in enumerate(found.names, 1) if len(names) <= MOST_ITEMS),
    )  # fmt: skip


def _telling(found: Schools) -> str:
    if np.isnan(found.use).any():
        return ""
    k = int(np.ptp(found.use, axis=0).argmax())
    use = found.use[:, k]
    if np.ptp(use) < WORTH_SAYING:
        return " They use the categories equally often, but for different items."
    each = joined(
        f"{percent(x)} by the group of {quoted(names[0])}"
        for x, names in zip(use, found.names, strict=True)
    )
    return f" They differ most in {quoted(found.telling)}: {each}."


def _items(found: Schools) -> tuple[tuple[int, ...], tuple[object, ...]]:
    """Items where schools have different majorities: positions and names, few of many."""
    most = found.majorities
    there = np.where(most >= 0, most, -1)
    high, low = there.max(0), np.where(most >= 0, most, most.max() + 1).min(0)
    votes = found.posterior.votes
    sure = votes.shares.max(1)
    at = np.flatnonzero((high >= 0) & (low < high))
    rank = np.argsort(np.argsort(votes.order)[at], kind="stable")
    at = at[rank][np.argsort(sure[at[rank]], kind="stable")][:MOST_ITEMS]
    names = tuple(_plain(votes.items[i]) for i in at.tolist())
    return tuple(at.tolist()), names


def _plain(x: object) -> object:
    return x.item() if hasattr(x, "item") else x


def influence_finding(found: LeavingOut) -> Finding | None:
    """A coder on whom many labels hang."""
    strong = [x for x in found.each if x.share >= DECISIVE]
    if not strong:
        return None
    first = strong[0]
    more = f" The same holds for {len(strong) - 1:,} more." if len(strong) > 1 else ""
    return Finding(
        "decisive_coder", "note",
        f"{percent(first.share)} of the labels change without {quoted(first.coder)}: of "
        f"{first.n_items:,} items {first.changed:,} get another label, {first.tied:,} become ties "
        f"and {first.lost:,} have none. α would be {decimal(first.alpha)} instead of "
        f"{decimal(found.alpha)}.{more}",
        "Have these items annotated by somebody else too before you rely on their labels.",
        {"coder": first.coder, "share": first.share, "coders": tuple(x.coder for x in strong)},
        (), found.question, remedy="task",
        seen=Evidence(
            tuple(Contrast(x.coder, x.n_annotations, x.share) for x in strong[:MOST_ITEMS]),
            "coder", "annotations", "labels that change without the coder", "", (), first.items,
        ),
        title="Labels that change without one coder",
    )  # fmt: skip
