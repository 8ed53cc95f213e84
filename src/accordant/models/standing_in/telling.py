"""May a model stand in for the humans? The answer in words, with what must be said beside it."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING

from ...diagnosis.finding import Finding, ranked
from ...diagnosis.words import listed, quoted
from ...measure.measures import shown
from ...numbers import count_of, decimal, interval, joined, p_text, percent
from .alternative import HALF, ModelTest
from .doubts import doubts
from .limits import not_for
from .planning import alternative_test_items

if TYPE_CHECKING:
    from .result import ModelAsCoder

__all__ = ["told"]

SOURCE = "calderon2025"
MOST_MODELS = 12  # that get a sentence each; the table has all
LEVEL = 0.05  # of tests that are told


def told(found: ModelAsCoder) -> tuple[Finding, ...]:
    """All findings, the most severe first."""
    return ranked([*_verdicts(found), *_best(found), *_agreement(found), *doubts(found)])


def _verdicts(found: ModelAsCoder) -> Iterator[Finding]:
    """What the test says of each model, the nearest to the humans first."""
    known = [t for t in found.tests if t.passed is not None]
    for test in sorted(known, key=lambda t: -t.advantage)[:MOST_MODELS]:
        yield _passed(found, test) if test.passed else _failed(found, test)


def _sure(test: ModelTest) -> str:
    """The advantage probability with its interval."""
    ends = "" if math.isnan(test.low) else f" {interval(test.low, test.high)}"
    return f"{decimal(test.advantage)}{ends}"


def _loss(found: ModelAsCoder) -> str:
    """The ε of the test, in words."""
    each = sorted({t.epsilon for t in found.human_tests})
    if len(each) == 1:
        return f"ε = {each[0]:g}"
    return f"ε from {each[0]:g} to {each[-1]:g}"


def _evidence(test: ModelTest) -> dict[str, object]:
    return {
        "model": test.model, "winning_rate": test.winning_rate, "n_humans": test.n_humans,
        "beaten": tuple(t.human for t in test.tests if t.beaten), "advantage": test.advantage,
        "human_advantage": test.human_advantage, "n": test.n_items,
    }  # fmt: skip


def _passed(found: ModelAsCoder, test: ModelTest) -> Finding:
    beyond = "".join(f" But {x}" for x in not_for(found, [test.model]))
    group = found.groups[0]
    name = shown(found.sides.measure.coefficient.key, found.sides.w.name)
    return Finding(
        "stands_in", "note",
        f"{quoted(test.model)} passes the alternative-annotator test: its winning rate is "
        f"{decimal(test.winning_rate, 2)} ({test.n_beaten} of {count_of(test.n_humans, 'human')}, "
        f"{_loss(found)}). With probability {_sure(test)} it is as close to the other humans as a "
        f"human chosen at random, or closer.{beyond}",
        "It may replace humans like these on items like these. Report the winning rate, the "
        f"advantage probability, ε and why it was chosen (.2 is advised for experts, .15 for "
        f"skilled coders, .1 for crowds), who the humans are, and how far they agree "
        f"({name} = {decimal(group.value)}). Keep having humans annotate a sample.",
        _evidence(test), (SOURCE,), found.question,
        title=f"{quoted(test.model)} passes",
    )  # fmt: skip


def _failed(found: ModelAsCoder, test: ModelTest) -> Finding:
    rest = [t for t in test.tested if not t.beaten]
    open_ = [t for t in rest if t.difference < t.epsilon]
    worse = len(rest) - len(open_)
    half = math.ceil(HALF * test.n_humans)
    close = test.n_beaten + len(open_) >= half
    parts = []
    if open_:
        parts.append(
            f"for {len(open_)} more the difference is below ε in these data, but not significantly"
        )
    if worse:
        parts.append(f"for {worse} the difference is ε or more")
    sentence = (
        f"{quoted(test.model)} does not pass the alternative-annotator test: its winning rate is "
        f"{decimal(test.winning_rate, 2)} ({test.n_beaten} of {count_of(test.n_humans, 'human')}, "
        f"{_loss(found)}; {half} would be needed)"
        f"{'; ' if parts else ''}{'; '.join(parts)}. It is as close to the other humans as a human "
        f"chosen at random, or closer, with probability {_sure(test)}; a human with "
        f"{decimal(test.human_advantage)}."
    )
    if close:
        return Finding(
            "too_few_items", "warning", sentence,
            f"Annotate more items: the test is undecided.{_needed(found, test)} Until then humans "
            "must annotate.",
            _evidence(test), (SOURCE,), found.question,
            title=f"Too few items to decide on {quoted(test.model)}",
        )  # fmt: skip
    return Finding(
        "falls_short", "warning", sentence,
        "Do not replace a human by it. Read the items on which it differs from all humans, change "
        "its instructions and test it again on other items, or let it suggest labels that humans "
        "check.",
        _evidence(test), (SOURCE,), found.question,
        title=f"{quoted(test.model)} does not pass",
    )  # fmt: skip


def _needed(found: ModelAsCoder, test: ModelTest) -> str:
    """How many items would be enough if the model is what it seems."""
    tested = test.tested
    if len(tested) < 2:
        return ""
    loss = min(t.epsilon for t in tested)
    plan = alternative_test_items(
        test.advantage, test.human_advantage, n_humans=min(len(tested), 50), epsilon=loss,
        q=found.q,
    )  # fmt: skip
    most = max(t.n_items for t in tested)
    if plan.n_items is None or plan.n_items <= most:
        return ""
    return (
        f" If the estimates hold, it would pass with about {plan.n_items:,} items for each human "
        f"(power {percent(plan.power, 0)}); now a human has {most:,} at most."
    )


def _best(found: ModelAsCoder) -> Iterator[Finding]:
    """Which of several models comes nearest to the humans."""
    if len([t for t in found.tests if t.passed is not None]) < 2 or found.best is None:
        return
    best = found[found.best]
    alike: list[str] = []
    behind: list[str] = []
    for d in found.rivals:
        if best.model in (d.first, d.second) and d.n_items:
            other = d.second if d.first == best.model else d.first
            (behind if d.p_adjusted < LEVEL else alike).append(other)
    parts = []
    if behind:
        parts.append(f"It is significantly closer than {listed(behind)}.")
    if alike:
        parts.append(f"It does not differ significantly from {listed(alike)}.")
    yield Finding(
        "nearest_model", "note",
        f"Of {len(found.models)} models {quoted(best.model)} is closest to the humans, with an "
        f"advantage probability of {_sure(best)}. {' '.join(parts)}",
        "Choose among models that do not differ significantly by price, speed or openness. A model "
        "that was chosen because it came out best looks better here than it will on new items.",
        {"model": best.model, "ahead_of": tuple(behind), "like": tuple(alike)},
        (SOURCE, "benjamini2001"), found.question, title="The model closest to the humans",
    )  # fmt: skip


def _agreement(found: ModelAsCoder) -> Iterator[Finding]:
    """Whether models agree less with humans than these with each other, or more."""
    name = shown(found.sides.measure.coefficient.key, found.sides.w.name)
    low: list[tuple[str, str]] = []
    high: list[tuple[str, str]] = []
    for b in found.beside:
        if b.p_value < LEVEL:
            text = (
                f"{quoted(b.model)} ({name} = {decimal(b.of_model)} beside {decimal(b.of_human)}, "
                f"difference {decimal(b.difference)} {interval(b.low, b.high)}, "
                f"{p_text(b.p_value)})"
            )
            (low if b.difference < 0 else high).append((b.model, text))
    if low:
        yield Finding(
            "agrees_less", "warning",
            f"With the humans {joined(x for _, x in low)} "
            f"agree{'s' if len(low) == 1 else ''} less than these agree with each other.",
            "Do not replace a human by such a model: annotations that include it are less reliable "
            "than those by humans only.",
            {"models": tuple(m for m, _ in low)}, (), found.question,
            title="Models agree less with humans than humans do",
        )  # fmt: skip
    if high:
        yield Finding(
            "agrees_more", "note",
            f"With the humans {joined(x for _, x in high)} "
            f"agree{'s' if len(high) == 1 else ''} more than these agree with each other.",
            "Do not conclude that the model is right where it differs from a human: any coder near "
            "the majority agrees more.",
            {"models": tuple(m for m, _ in high)}, (), found.question,
            title="Models agree more with humans than humans do",
        )  # fmt: skip
