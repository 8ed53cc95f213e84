"""Findings of models of coders as blocks: what is serious is open, what is good to know folded."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from ..diagnosis import finding as models
from ..diagnosis.titles import title_of
from ..literature import cite
from ..numbers import count_of
from .blocks import Block, Finding, Fold, Items

__all__ = ["remark", "remarks"]

TITLES: Mapping[str, str] = {
    "against_all_coders": "Estimated labels that no coder gave",
    "converged": "Convergence",
    "coder_below_chance": "Coders below chance",
    "coder_with_few": "Coders with few annotations",
    "falls_short": "Models that do not pass the alternative-annotator test",
    "stands_in": "Models that pass the alternative-annotator test",
    "too_few_items": "Too few items for the alternative-annotator test",
    "copied_labels": "Coders with identical labels",
    "degenerate_class": "Degenerate class",
    "dependence_unseen": "Conditional independence cannot be checked",
    "does_not_fit": "Poor model fit (posterior predictive check)",
    "iteration_limit": "No convergence",
    "not_identified": "Parameters that are not identified",
    "nothing_to_learn": "Nothing to estimate",
    "objective_fell": "Numerical problem in the optimisation",
    "one_label": "Only one label was given",
    "overconfident": "Overconfident probabilities",
    "repurposed_category": "A class that stands for other items",
    "schools_differ": "Coder groups",
    "single_annotations": "Items with a single annotation",
    "solutions_refused": "Degenerate solutions excluded",
    "ambiguous_items": "Ambiguous items",
    "unclear_items": "Ambiguous or difficult items",
    "nothing_ambiguous": "No ambiguous items",
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
        found.do,
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
    return replace(
        first, title=title, about=about, advice=advice[0] if len(advice) == 1 else "",
        do=first.do if all(found.do == first.do for _, found in group) else (),
    )  # fmt: skip
