"""Findings of models of coders as blocks: what is serious is open, what is good to know folded."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from ..diagnosis import finding as models
from ..diagnosis.titles import title_of
from ..literature import cite
from ..numbers import count_of
from .document import Block, Finding, Fold, Items

__all__ = ["remark", "remarks"]

TITLES: Mapping[str, str] = {
    "against_all_coders": "Labels against all coders",
    "converged": "The search ended by itself",
    "coder_below_chance": "Coders below chance",
    "coder_with_few": "Coders of whom little is known",
    "falls_short": "Models that may not stand in",
    "stands_in": "Models that may stand in",
    "too_few_items": "Too few items to say whether models may stand in",
    "copied_labels": "Coders who never differ",
    "degenerate_class": "A category that the model lost",
    "dependence_unseen": "Whether coders err together cannot be seen",
    "does_not_fit": "Poor model fit (posterior predictive check)",
    "iteration_limit": "The search was stopped",
    "not_identified": "What the annotations do not determine",
    "nothing_to_learn": "Nothing can be learned",
    "objective_fell": "The search went wrong",
    "one_label": "Everybody gave the same label",
    "overconfident": "Probabilities are too high",
    "repurposed_category": "A category that stands for something else",
    "schools_differ": "Coder groups differ",
    "single_annotations": "Items with one annotation",
    "solutions_refused": "Better solutions that were not taken",
    "ambiguous_items": "Items that can be read in several ways",
    "unclear_items": "Items that are ambiguous or hard",
    "nothing_ambiguous": "No item can be called ambiguous",
}
"""Of findings that have none of their own."""


def remark(
    found: models.Finding, *, items: Items | None = None, blocks: tuple[Any, ...] = (),
    about: tuple[str, ...] = (),
) -> Finding:  # fmt: skip
    """A finding as a block; ``about`` names the labels that it was found for."""
    title = found.title or TITLES.get(found.code) or title_of(found.code)
    return Finding(
        title,
        tuple((name, found.sentence) for name in about) or (("", found.sentence),),
        found.advice,
        found.severity,
        tuple(cite(key) for key in found.sources),
        found.stake,
        found.to_do,
        items,
        blocks,
    )


def remarks(each: Iterable[tuple[str, models.Finding]], *, more: str = "note") -> Iterator[Block]:
    """Findings, each with the label it is about; the same thing about several labels is told once.

    What is serious stands open, notes are folded together under a title that counts them.
    """
    same: dict[tuple[str, str], list[tuple[str, models.Finding]]] = {}
    for name, found in each:
        same.setdefault((found.code, found.severity), []).append((name, found))
    order = sorted(same.items(), key=lambda x: models.SEVERITIES.index(x[1][0][1].severity))
    told = [_together(group) for _, group in order]
    serious = [block for block in told if block.severity != "note"]
    notes = [block for block in told if block.severity == "note"]
    yield from serious
    if notes:
        yield Fold(count_of(len(notes), more), tuple(notes))


def _together(group: list[tuple[str, models.Finding]]) -> Finding:
    first = remark(group[0][1])
    if len(group) == 1:
        name = group[0][0]
        known = not name or name in first.title
        return first if known else replace(first, title=f"{first.title} · {name}")
    sentences = {found.sentence for _, found in group}
    advice = list(dict.fromkeys(found.advice for _, found in group))
    about = (
        (("", group[0][1].sentence),)
        if len(sentences) == 1
        else tuple((name, found.sentence) for name, found in group)
    )
    titles = {found.title for _, found in group}
    code = group[0][1].code
    title = first.title if len(titles) == 1 else TITLES.get(code) or title_of(code)
    return replace(first, title=title, about=about, advice=advice[0] if len(advice) == 1 else "")
