"""May a model replace a human? What the test says, and what it does not see in these data.

Each finding is a function whose docstring holds its words: title, sentence and advice, a paragraph
each behind the first, with places for facts and further words.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

from ...actions import Action
from ...diagnosis.finding import Finding
from ...diagnosis.words import listed, paragraphs, quoted
from ...messages import Severity
from ...numbers import decimal, interval, joined, p_text, percent, tied
from .humans_and_models import NOT_SAID
from .model_comparison import ModelComparison
from .noninferiority import HALF, adjusted, alternative_test_items
from .winning_rate import ModelTest

__all__ = ["FINDINGS"]

SOURCE = "calderon2025"
MOST_MODELS = 12  # that get a sentence each; the table has all
MOST_NAMES = 8  # of humans whom a model may not replace
LEVEL = 0.05  # of tests that are told
LOWEST = 0.667  # agreement below which Krippendorff (2004) draws no conclusions
MOST_EXACT = 2_000  # items of a human; with more the t-test is near enough
COPIED = 20  # common items that are all alike; our convention


def _finding(
    told: Callable[..., Any],
    found: ModelComparison,
    severity: Severity,
    facts: Mapping[str, Any],
    words: Mapping[str, Any] | None = None,
    *,
    sources: tuple[str, ...] = (SOURCE,),
    do: tuple[Action, ...] = (),
) -> Finding:
    """A finding, called as the function that found it, which holds its words in its docstring.

    Title, sentence and advice stand there, a paragraph each, with places for facts and words.
    """
    name, sentence, advice = paragraphs(told, {**facts, **(words or {})})
    return Finding(
        told.__name__, severity, sentence, advice, facts, sources, found.question, title=name, do=do
    )


def _facts(test: ModelTest) -> dict[str, Any]:
    return {
        "model": test.model,
        "winning_rate": test.winning_rate,
        "n_humans": test.n_humans,
        "beaten": tuple(t.human for t in test.tests if t.beaten),
        "advantage": test.advantage,
        "human_advantage": test.human_advantage,
        "n": test.n_items,
    }


def _words(found: ModelComparison, test: ModelTest) -> dict[str, Any]:
    """The advantage probability with its interval, and the ε of the test."""
    each = sorted({t.epsilon for t in found.human_tests})
    ends = "" if math.isnan(test.low) else f" {interval(test.low, test.high)}"
    return {
        "loss": f"ε = {each[0]:g}" if len(each) == 1 else f"ε from {each[0]:g} to {each[-1]:g}",
        "sure": f"{decimal(test.advantage)}{ends}",
        "n_beaten": test.n_beaten,
    }


def verdicts(found: ModelComparison) -> Iterator[Finding]:
    """What the test says of each model, the nearest to the humans first."""
    known = [t for t in found.tests if t.passed is not None]
    for test in sorted(known, key=lambda t: -tied(t.advantage))[:MOST_MODELS]:
        yield stands_in(found, test) if test.passed else falls_short(found, test)


def stands_in(found: ModelComparison, test: ModelTest) -> Finding:
    """A model that passes, and whom it may still not replace.

    {model:quoted} passes

    {model:quoted} passes the alternative-annotator test: its winning rate is {winning_rate:.3}
    ({n_beaten} of {n_humans:human}, {loss}). With probability {sure} it is as close to the other
    humans as a human chosen at random, or closer.{but}

    It may replace humans like these on items like these. Report the winning rate, the advantage
    probability, ε and why it was chosen (.2 is advised for experts, .15 for skilled coders, .1 for
    crowds), who the humans are, and how far they agree ({measure} = {value:.3}). Keep having humans
    annotate a sample.
    """
    lost = [t.human for t in test.tested if not t.beaten]
    names = listed(lost, most=MOST_NAMES)
    but = f" But {quoted(test.model)} may not replace {names}." if lost else ""
    words = {"but": but, "measure": found.measure_name, "value": found.groups[0].value}
    return _finding(stands_in, found, "note", _facts(test), _words(found, test) | words)


def falls_short(found: ModelComparison, test: ModelTest) -> Finding:
    """A model that does not pass.

    {model:quoted} does not pass

    {model:quoted} does not pass the alternative-annotator test: its winning rate is
    {winning_rate:.3} ({n_beaten} of {n_humans:human}, {loss}; {half} would be needed){rest}. It is
    as close to the other humans as a human chosen at random, or closer, with probability {sure}; a
    human with {human_advantage:.3}.

    Do not replace a human by it. Read the items on which it differs from all humans, change its
    instructions and test it again on other items, or let it suggest labels that humans check.
    """
    rest = [t for t in test.tested if not t.beaten]
    n_open = sum(t.difference < t.epsilon for t in rest)
    parts = [
        (n_open, "more the difference is below ε in these data, but not significantly"),
        (len(rest) - n_open, "the difference is ε or more"),
    ]
    half = math.ceil(HALF * test.n_humans)
    words = _words(found, test) | {
        "half": half,
        "rest": "".join(f"; for {n} {text}" for n, text in parts if n),
    }
    if test.n_beaten + n_open >= half:
        return too_few_items(found, test, words)
    return _finding(falls_short, found, "warning", _facts(test), words)


def too_few_items(found: ModelComparison, test: ModelTest, words: Mapping[str, Any]) -> Finding:
    """A model that would pass if what is seen were significant.

    Too few items to decide on {model:quoted}

    {sentence}

    Annotate more items: the test is undecided.{needed} Until then humans must annotate.
    """
    facts = _facts(test)
    sentence = paragraphs(falls_short, {**facts, **words})[1]
    own = {"sentence": sentence, "needed": _needed(found, test)}
    return _finding(too_few_items, found, "warning", facts, own)


def _needed(found: ModelComparison, test: ModelTest) -> str:
    """How many items would be enough if the model is what it seems."""
    n, most = len(test.tested), max(t.n_items for t in test.tested)
    loss = min(t.epsilon for t in test.tested)
    plan = (
        None
        if n < 2
        else alternative_test_items(
            test.advantage, test.human_advantage, n_humans=min(n, 50), epsilon=loss, q=found.q
        )
    )
    if plan is None or plan.n_items is None or plan.n_items <= most:
        return ""
    return (
        f" If the estimates hold, it would pass with about {plan.n_items:,} items for each human "
        f"(power {percent(plan.power, 0)}); now a human has {most:,} at most."
    )


def nearest_model(found: ModelComparison) -> Iterator[Finding]:
    """Which of several models comes nearest to the humans.

    The model closest to the humans

    Of {n_models} models {model:quoted} is closest to the humans, with an advantage probability of
    {sure}. {others}

    Choose among models that do not differ significantly by price, speed or openness. A model that
    was chosen because it came out best looks better here than it will on new items.
    """
    if found.best is None or sum(t.passed is not None for t in found.tests) < 2:
        return
    other = {
        d.second if d.first == found.best else d.first: d.p_adjusted < LEVEL
        for d in found.rivals
        if found.best in (d.first, d.second) and d.n_items
    }
    behind, alike = (tuple(m for m, far in other.items() if far == x) for x in (True, False))
    parts = []
    if behind:
        parts.append(f"It is significantly closer than {listed(behind)}.")
    if alike:
        parts.append(f"It does not differ significantly from {listed(alike)}.")
    yield _finding(
        nearest_model,
        found,
        "note",
        {"model": found.best, "ahead_of": behind, "like": alike},
        {
            "n_models": len(found.models),
            "others": " ".join(parts),
            "sure": _words(found, found[found.best])["sure"],
        },
        sources=(SOURCE, "benjamini2001"),
    )


def agrees_less(found: ModelComparison) -> Iterator[Finding]:
    """Models that agree less with humans than these with each other.

    Models agree less with humans than humans do

    With the humans {each} {n:agrees|agree} less than these agree with each other.

    Do not replace a human by such a model: annotations that include it are less reliable than those
    by humans only.
    """
    yield from _agreement(agrees_less, found, "warning", -1)


def agrees_more(found: ModelComparison) -> Iterator[Finding]:
    """Models that agree more with humans than these with each other.

    Models agree more with humans than humans do

    With the humans {each} {n:agrees|agree} more than these agree with each other.

    Do not conclude that the model is right where it differs from a human: any coder near the
    majority agrees more.
    """
    yield from _agreement(agrees_more, found, "note", 1)


def _agreement(
    told: Callable[..., Any], found: ModelComparison, severity: Severity, sign: int
) -> Iterator[Finding]:
    sure = [b for b in found.beside if b.p_value < LEVEL and (b.difference < 0) == (sign < 0)]
    each = [
        f"{quoted(b.model)} ({found.measure_name} = {decimal(b.of_model)} beside "
        f"{decimal(b.of_human)}, difference {decimal(b.difference)} {interval(b.low, b.high)}, "
        f"{p_text(b.p_value)})"
        for b in sure
    ]
    if sure:
        facts, words = {"models": tuple(b.model for b in sure)}, {"each": joined(each)}
        yield _finding(told, found, severity, facts, words | {"n": len(sure)}, sources=())


# ------------------------------------------------------------------ what the test does not see


def no_other_human(found: ModelComparison) -> Iterator[Finding]:
    """Nobody to compare a human and a model with.

    Too few humans

    {what}, so the alternative-annotator test cannot be computed: it compares a model and a human
    with other humans. Only agreement with the humans is measured.

    Have at least three humans annotate the same 50 to 100 items. If a single expert decides, ask
    whether the model or other humans are closer to the expert.
    """
    n, what = len(found.humans), ""
    if n < 2:
        what = f"Only one human, {quoted(found.humans[0])}, annotated the items"
    elif not found.n_shared:
        what = f"No item was annotated by two of the {n} humans"
    if what:
        yield _finding(no_other_human, found, "problem", {"n_humans": n}, {"what": what})


def not_tested(found: ModelComparison) -> Iterator[Finding]:
    """No human with items enough for a test.

    Too few shared items

    No human shares enough items with another human and a model for a test.

    Have 50 to 100 items annotated by three humans or more, and by the model.
    """
    n = found.n_shared
    if n and all(t.passed is None for t in found.tests):
        yield _finding(not_tested, found, "problem", {"n_items": n})


def two_humans(found: ModelComparison) -> Iterator[Finding]:
    """Each human is compared with one other human only.

    Only two humans

    There are only two humans: each is compared with the model by closeness to the other alone, so
    the test only shows which of the two the model resembles more.

    Have a third human annotate the items before a model replaces anybody.
    """
    if len(found.humans) == 2 and any(t.passed is not None for t in found.tests):
        yield _finding(two_humans, found, "warning", {"n_humans": 2})


def few_items(found: ModelComparison) -> Iterator[Finding]:
    """Humans with too few items for a t-test.

    Humans with few items

    {n:human} ({humans:listed}) {n:has|have} fewer than {least} items to be compared on:
    {done}{also}.

    Have these humans annotate more items: the winning rate counts each human once, whoever has few
    items.{exact}
    """
    few = [t for t in found.human_tests if t.n_items < found.min_items]
    humans = tuple(sorted({t.human for t in few}))
    if not humans or all(t.passed is None for t in found.tests):
        return
    lost = tuple(sorted({t.human for t in few if t.test == "none"}))
    by = next((t.test for t in few if t.test != "none"), "none")
    done, source = {
        "exact": ("an exact test replaces the t-test", ("hsueh2001",)),
        "wilcoxon": (
            "Wilcoxon's signed-rank test replaces the t-test; it lets through too many "
            "models that lose exactly ε, 70 % instead of 5 % with 11 items, ε = 0.1 and a "
            "model that is never closer",
            ("wilcoxon1945",),
        ),
        "none": ("they are not tested", ()),
    }[by]
    ranks = by == "wilcoxon"
    words = {
        "n": len(humans),
        "least": found.min_items,
        "done": done,
        "also": f", and {listed(lost)} could not be tested" if 0 < len(lost) < len(humans) else "",
        "exact": " An exact test needs no large samples." if ranks else "",
    }
    yield _finding(
        few_items,
        found,
        "warning",
        {"humans": humans, "left_out": lost, "test": by},
        words,
        sources=(SOURCE, *source),
        do=(Action("", {"few": "exact"}),) if ranks else (),
    )


def t_test_unsafe(found: ModelComparison) -> Iterator[Finding]:
    """The t-test rejects, and the exact test does not.

    The t-test is unreliable for {model:quoted}

    For {n_humans:human} ({humans:listed}) the t-test favours {model:quoted}, but the exact test
    does not. Compared with {least.human:quoted} the model was closer to the others on
    {least.n_nearer:,} of {least.n_items:item} and farther on {least.n_farther:,}, too few for the
    t-test ({least.p_value:p}; exact {least.exact_p_value:p}). By the exact test the winning rate is
    {winning_rate:.3}{falls}.

    Have these humans annotate more items, or require more items for the t-test: humans with fewer
    are tested exactly.
    """
    for test in found.tests:
        tested = test.tested
        asked = [t.test == "t" and t.beaten and t.n_items <= MOST_EXACT for t in tested]
        p = adjusted(
            np.array(
                [
                    max(t.p_value, t.exact_p_value) if x else t.p_value
                    for t, x in zip(tested, asked, strict=True)
                ]
            )
        )
        doubtful = [t for t, x in zip(tested, p.tolist(), strict=True) if t.beaten and x > found.q]
        if not any(asked) or not doubtful:
            continue
        rate = 1 - sum(not t.beaten or t in doubtful for t in tested) / len(tested)
        falls = bool(test.passed) and rate < HALF
        humans = tuple(t.human for t in doubtful)
        yield _finding(
            t_test_unsafe,
            found,
            "problem" if falls else "warning",
            {"model": test.model, "humans": humans, "winning_rate": rate},
            {
                "n_humans": len(humans),
                "falls": ", and the model does not pass" if falls else "",
                "least": max(doubtful, key=lambda t: tied(t.exact_p_value)),
            },
            sources=(SOURCE, "hsueh2001"),
            do=(Action("", {"min_items": max(t.n_items for t in doubtful) + 1}),),
        )


def humans_disagree(found: ModelComparison) -> Iterator[Finding]:
    """Humans who hardly agree make an easy test.

    Low agreement between the humans

    The humans agree little among themselves ({measure} = {value:.3}). The test asks whether a model
    is as close to the others as a human, which is easy where no human is close: passing shows that
    the model comes within ε of half of the humans, not that it is good.

    Find out why the humans disagree and resolve it before a model replaces one, or choose a smaller
    ε.
    """
    value = found.groups[0].value
    if value < LOWEST and any(t.passed for t in found.tests):
        yield _finding(
            humans_disagree,
            found,
            "warning",
            {"value": value},
            {"measure": found.measure_name},
            sources=(SOURCE, "krippendorff2004"),
            do=(Action("diagnose"), Action("", {"epsilon": ...})),
        )


def test_too_easy(found: ModelComparison) -> Iterator[Finding]:
    """An answer that never changes passes too.

    A constant label would pass

    Giving {label:quoted} to every item would pass{too} (winning rate {winning_rate:.3}, advantage
    probability {advantage:.3}).

    Do not use the result: test on items among which other labels are as frequent, or use an
    alignment that weighs rare labels.
    """
    passing = [t for t in found.unmoved if t.passed]
    if passing:
        best = max(passing, key=lambda t: tied(t.advantage))
        facts = {
            "label": best.model.removeprefix("always "),
            "winning_rate": best.winning_rate,
            "advantage": best.advantage,
        }
        too = any(t.passed for t in found.tests)
        words = {"too": " as well" if too else ""}
        yield _finding(test_too_easy, found, "problem" if too else "warning", facts, words)


def majority(found: ModelComparison) -> Iterator[Finding]:
    """The same without groups: the human who agrees least.

    Bias towards the majority

    The test rewards closeness to the majority: a model that always gave the label {nearest} would
    have ρ = 1, and beats every human who notices something that others miss. {human:quoted} agrees
    least with the others ({measure} = {value:.3}).

    Where minority views matter, keep humans, and keep their labels beside the model's.
    """
    if not any(t.passed for t in found.tests) or len(found.humans) < 3:
        return
    apart = {b.human: b.of_human for b in found.beside_each if not math.isnan(b.of_human)}
    if apart:
        least = min(apart, key=lambda h: (apart[h], str(h)))
        facts = {"human": least, "value": apart[least]}
        equal = found.alignment == "accuracy"
        nearest = "of most other humans" if equal else "closest to those of the other humans"
        words = {"nearest": nearest, "measure": found.measure_name}
        yield _finding(majority, found, "note", facts, words)


def copy(found: ModelComparison) -> Iterator[Finding]:
    """A model that repeats a human.

    Identical labels of a model and a human

    {model:quoted} gave the same label to every common item as {each}.

    Find out if one was made from the other: whoever saw the model's labels is not independent.
    """
    s = found.sides
    for model, said in zip(found.models, s.said.T, strict=True):
        n = np.bincount(s.human, said[s.item] != NOT_SAID, len(s.humans)).astype(int).tolist()
        alike = np.bincount(s.human, said[s.item] == s.value, len(s.humans)).tolist()
        at = sorted((j for j in range(len(n)) if alike[j] == n[j] >= COPIED), key=lambda j: -n[j])
        if len(np.unique(said[said != NOT_SAID])) < 2 or not at:
            continue
        facts = {"model": model, "humans": tuple(s.humans[j] for j in at), "n": n[at[0]]}
        each = joined([f"{quoted(s.humans[j])} ({n[j]:,} items)" for j in at], most=5)
        yield _finding(copy, found, "warning", facts, {"each": each}, sources=())


def not_labelled(found: ModelComparison) -> Iterator[Finding]:
    """Models that did not label everything.

    Items that a model did not label

    Some of the {n:,} items with two humans or more have no label by the model: {each}. These items
    are excluded.

    Count refusals as a label of their own: a model that refused or failed on difficult items looks
    better than it is.
    """
    n, s = found.n_shared, found.sides
    lost = ((s.said == NOT_SAID) & (s.n_humans > 1)[:, None]).sum(0).tolist()
    models = {name: k for name, k in zip(found.models, lost, strict=True) if k}
    if models:
        each = joined(f"{quoted(m)} {k:,} ({percent(k / n)})" for m, k in models.items())
        words = {"n": n, "each": each}
        yield _finding(not_labelled, found, "warning", {"models": models}, words, sources=())


FINDINGS: tuple[Callable[[ModelComparison], Iterator[Finding]], ...] = (
    verdicts,
    nearest_model,
    agrees_less,
    agrees_more,
    no_other_human,
    not_tested,
    two_humans,
    few_items,
    t_test_unsafe,
    humans_disagree,
    test_too_easy,
    majority,
    copy,
    not_labelled,
)
