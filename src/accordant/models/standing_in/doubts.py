"""What the alternative annotator test does not see, where it matters in these data."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from ...actions import Action
from ...diagnosis.finding import Finding
from ...diagnosis.words import listed, quoted
from ...measure.measures import shown
from ...numbers import count_of, decimal, joined, p_text, percent
from .alternative import HALF
from .rejecting import adjusted
from .sides import NOT_SAID

if TYPE_CHECKING:
    from .result import ModelAsCoder

__all__ = ["doubts"]

SOURCE = "calderon2025"
LOWEST = 0.667  # agreement below which Krippendorff (2004) draws no conclusions
MOST_EXACT = 2_000  # items of a human; with more the t-test is near enough
COPIED = 20  # common items that are all alike; our convention


def doubts(found: ModelAsCoder) -> Iterator[Finding]:
    """The caveats that apply."""
    yield from _humans(found)
    yield from _few_items(found)
    yield from _unsafe(found)
    yield from _easy(found)
    yield from _unmoved(found)
    yield from _minority(found)
    yield from _copies(found)
    yield from _gaps(found)


def _humans(found: ModelAsCoder) -> Iterator[Finding]:
    """Too few humans."""
    n = len(found.humans)
    meeting = int((found.sides.n_humans > 1).sum())
    if n < 2 or not meeting:
        what = (
            f"Only one human, {quoted(found.humans[0])}, annotated the items" if n < 2
            else f"No item was annotated by two of the {n} humans"
        )  # fmt: skip
        yield Finding(
            "no_other_human", "problem",
            f"{what}, so the alternative-annotator test cannot be computed: it compares a model "
            "and a human with other humans. Only agreement with the humans is measured.",
            "Have at least three humans annotate the same 50 to 100 items. If a single expert "
            "decides, ask whether the model or other humans are closer to the expert.",
            {"n_humans": n}, (SOURCE,), found.question, title="Too few humans",
        )  # fmt: skip
    elif all(t.passed is None for t in found.tests):
        yield Finding(
            "not_tested", "problem",
            "No human shares enough items with another human and a model for a test.",
            "Have 50 to 100 items annotated by three humans or more, and by the model.",
            {"n_items": meeting}, (SOURCE,), found.question, title="Too few shared items",
        )  # fmt: skip
    elif n == 2:
        yield Finding(
            "two_humans", "warning",
            "There are only two humans: each is compared with the model by closeness to the other "
            "alone, so the test only shows which of the two the model resembles more.",
            "Have a third human annotate the items before a model replaces anybody.",
            {"n_humans": n}, (SOURCE,), found.question, title="Only two humans",
        )  # fmt: skip


def _few_items(found: ModelAsCoder) -> Iterator[Finding]:
    """Humans with too few items for a t-test."""
    few = [t for t in found.human_tests if t.n_items < found.min_items]
    humans = sorted({t.human for t in few})
    if not humans or all(t.passed is None for t in found.tests):
        return
    lost = sorted({t.human for t in few if t.test == "none"})
    by = next((t.test for t in few if t.test != "none"), "none")
    done = {
        "exact": "an exact test replaces the t-test",
        "wilcoxon": "Wilcoxon's signed-rank test replaces the t-test; its false positive rate at "
        "a difference of exactly ε is 14 to 55 %, not 5 %",
        "none": "they are not tested",
    }[by]
    also = f", and {listed(lost)} could not be tested" if lost and len(lost) < len(humans) else ""
    yield Finding(
        "few_items", "warning",
        f"{count_of(len(humans), 'human')} ({listed(humans)}) "
        f"{'has' if len(humans) == 1 else 'have'} fewer than {found.min_items} items to be "
        f"compared on: {done}{also}.",
        "Have these humans annotate more items: the winning rate counts each human once, whoever "
        "has few items."
        + (" An exact test needs no large samples." if by == "wilcoxon" else ""),
        {"humans": tuple(humans), "left_out": tuple(lost), "test": by},
        (SOURCE, *{"exact": ("hsueh2001",), "wilcoxon": ("wilcoxon1945",)}.get(by, ())),
        found.question, title="Humans with few items",
        do=(Action("", {"few": "exact"}),) if by == "wilcoxon" else (),
    )  # fmt: skip


def _unsafe(found: ModelAsCoder) -> Iterator[Finding]:
    """The t-test rejects, and the exact test does not."""
    for test in found.tests:
        asked = [t for t in test.tests if t.test == "t" and t.beaten and t.n_items <= MOST_EXACT]
        if not asked:
            continue
        tested = list(test.tested)
        p = adjusted(np.array(
            [max(t.p_value, t.exact_p_value) if t in asked else t.p_value for t in tested]
        ))  # fmt: skip
        doubtful = [t for t, x in zip(tested, p.tolist(), strict=True) if t.beaten and x > found.q]
        if not doubtful:
            continue
        rate = 1 - sum(not t.beaten or t in doubtful for t in tested) / len(tested)
        falls = bool(test.passed) and rate < HALF
        least = max(doubtful, key=lambda t: t.exact_p_value)
        yield Finding(
            "t_test_unsafe", "problem" if falls else "warning",
            f"For {count_of(len(doubtful), 'human')} ({listed(t.human for t in doubtful)}) the "
            f"t-test favours {quoted(test.model)}, but the exact test does not. Compared with "
            f"{quoted(least.human)} the model was closer to the others on {least.n_nearer:,} of "
            f"{count_of(least.n_items, 'item')} and farther on {least.n_farther:,}, too few for "
            f"the t-test ({p_text(least.p_value)}; exact {p_text(least.exact_p_value)}). By the "
            f"exact test the winning rate is {decimal(rate, 2)}"
            f"{', and the model does not pass' if falls else ''}.",
            "Have these humans annotate more items, or require more items for the t-test: humans "
            "with fewer are tested exactly.",
            {"model": test.model, "humans": tuple(t.human for t in doubtful),
             "winning_rate": rate}, (SOURCE, "hsueh2001"), found.question,
            title=f"The t-test is unreliable for {quoted(test.model)}",
            do=(Action("", {"min_items": max(t.n_items for t in doubtful) + 1}),),
        )  # fmt: skip


def _easy(found: ModelAsCoder) -> Iterator[Finding]:
    """Humans who hardly agree make an easy test."""
    group = found.groups[0]
    if not group.value < LOWEST or not any(t.passed for t in found.tests):
        return
    name = shown(found.sides.measure.coefficient.key, found.sides.w.name)
    yield Finding(
        "humans_disagree", "warning",
        f"The humans agree little among themselves ({name} = {decimal(group.value)}). The test "
        "asks whether a model is as close to the others as a human, which is easy where no human "
        "is close: passing shows that the model is no worse, not that it is good.",
        "Find out why the humans disagree and resolve it before a model replaces one, or choose a "
        "smaller ε.",
        {"value": group.value}, (SOURCE, "krippendorff2004"), found.question,
        title="Low agreement between the humans",
        do=(Action("diagnose"), Action("", {"epsilon": ...})),
    )  # fmt: skip


def _unmoved(found: ModelAsCoder) -> Iterator[Finding]:
    """An answer that never changes passes too."""
    passing = [t for t in found.unmoved if t.passed]
    if not passing:
        return
    best = max(passing, key=lambda t: t.advantage)
    label = best.model.removeprefix("always ")
    yield Finding(
        "test_too_easy", "problem" if any(t.passed for t in found.tests) else "warning",
        f"Giving {quoted(label)} to every item would pass as well (winning rate "
        f"{decimal(best.winning_rate, 2)}, advantage probability {decimal(best.advantage)}).",
        "Do not use the result: test on items among which other labels are as frequent, or use an "
        "alignment that weighs rare labels.",
        {"label": label, "winning_rate": best.winning_rate, "advantage": best.advantage},
        (SOURCE,), found.question, title="A constant label would pass",
    )  # fmt: skip


def _minority(found: ModelAsCoder) -> Iterator[Finding]:
    """A model near the majority beats whoever sees things differently."""
    passed = [t for t in found.tests if t.passed]
    if not passed or len(found.humans) < 3:
        return
    groups = found.schools
    if groups:
        lines = []
        for test in passed:
            each = {t.human: t.advantage for t in test.tested}
            rates = joined(
                f"{decimal(float(np.mean(own)))} for {listed(names, most=4)}"
                for names in groups.names
                if (own := [each[h] for h in names if h in each])
            )
            lines.append(f"{quoted(test.model)}: {rates}")
        yield Finding(
            "minority_school", "warning",
            f"The humans fall into {len(groups.names)} groups that label differently. A model is "
            "measured against all others of an item, so it wins most easily against a smaller "
            f"group. Mean ρ of the model against the humans of each group: {'; '.join(lines)}.",
            "Test the model within each group. If people read the items differently for good "
            "reasons, no model that gives one label represents all of them.",
            {"schools": groups.names, "p_value": groups.p_value}, (SOURCE, "kairam2016"),
            found.question, title="Groups of humans",
            do=tuple(Action("", {"humans": list(names)}, f"group {k}")
                     for k, names in enumerate(groups.names, 1)),
        )  # fmt: skip
        return
    apart = {b.human: b.of_human for b in found.beside_each if not math.isnan(b.of_human)}
    if not apart:
        return
    least = min(apart, key=lambda h: (apart[h], str(h)))
    name = shown(found.sides.measure.coefficient.key, found.sides.w.name)
    yield Finding(
        "majority", "note",
        "The test rewards closeness to the majority: a model that always gave the label of most "
        "other humans would have ρ = 1, and beats every human who notices something that others "
        f"miss. {quoted(least)} agrees least with the others ({name} = {decimal(apart[least])}).",
        "Where minority views matter, keep humans, and keep their labels beside the model's.",
        {"human": least, "value": apart[least]}, (SOURCE,), found.question,
        title="Bias towards the majority",
    )  # fmt: skip


def _copies(found: ModelAsCoder) -> Iterator[Finding]:
    """A model that repeats a human."""
    s = found.sides
    same = s.said[s.item] == s.value[:, None]
    there = s.said[s.item] != NOT_SAID
    for m, model in enumerate(found.models):
        n = np.bincount(s.human, there[:, m], len(s.humans))
        alike = np.bincount(s.human, same[:, m] & there[:, m], len(s.humans))
        one_label = len(np.unique(s.said[s.said[:, m] != NOT_SAID, m])) < 2
        for j in np.flatnonzero((n >= COPIED) & (alike == n) & (not one_label)).tolist():
            yield Finding(
                "copy", "warning",
                f"{quoted(model)} gave the same label as {quoted(s.humans[j])} to all "
                f"{int(n[j])} items of both.",
                "Find out whether one was made from the other: a human who saw the model's labels "
                "is not independent.",
                {"model": model, "human": s.humans[j], "n": int(n[j])}, (), found.question,
                title="Identical labels of a model and a human",
            )  # fmt: skip


def _gaps(found: ModelAsCoder) -> Iterator[Finding]:
    """Models that did not label everything."""
    s = found.sides
    several = s.n_humans > 1
    lost = ((s.said == NOT_SAID) & several[:, None]).sum(0)
    models = [(name, int(n)) for name, n in zip(found.models, lost, strict=True) if n]
    if not models or not several.any():
        return
    each = joined(f"{quoted(name)} {n:,} ({percent(n / several.sum())})" for name, n in models)
    yield Finding(
        "not_labelled", "warning",
        f"Some of the {int(several.sum()):,} items with two humans or more have no label by the "
        f"model: {each}. These items are excluded.",
        "Count refusals as a label of their own: a model that refused or failed on difficult items "
        "looks better than it is.",
        {"models": dict(models)}, (), found.question, title="Items that a model did not label",
    )  # fmt: skip
