"""Caveats: what a reader of the figures must know before quoting them.

Each is a test over the facts that returns the facts of its message, or None.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from ..actions import Action
from ..messages import MessageKind, Severity, catalogued
from ..numbers import level_text, tied
from .facts import DataFacts
from .finding import Finding, ranked, told

if TYPE_CHECKING:
    from .label_sets import SetPair


Found: TypeAlias = Mapping[str, Any] | None
Test: TypeAlias = Callable[[DataFacts], Found]
PooledTest: TypeAlias = Callable[[DataFacts, Sequence[DataFacts]], Found]

CAVEATS: dict[str, Test] = {}
"""Caveats about one question, or all pooled, by their code."""
POOLED: dict[str, PooledTest] = {}
"""Caveats about several questions that are pooled."""

FEW_ITEMS = 30  # below, a t interval leans heavily on normality; our convention
RARE = 5  # fewer annotations of a category say next to nothing about it; our convention
WIDE = 0.2  # the width of an interval that reaches from .667 beyond .800
APART = 0.02  # differences that show in the second digit of a report; our convention
TINY = 10  # with fewer items nobody compares coefficients; our convention
SIGNIFICANT = 0.05  # level of the sign tests
HARSH = 0.05  # a difference that changes what a reader thinks; our convention
UNEQUAL = 0.1  # share of items to which one gives more labels, less the others; our convention
DECIDED = 0.1  # share of the final labels that one coder decides; our convention
MOSTLY = 2 / 3  # of what a single coder decides, one of them decides so much; our convention


def caveat(
    severity: Severity,
    *sources: str,
    title: str,
    text: str,
    advice: str,
    do: Callable[[Mapping[str, Any]], Sequence[Action]] = lambda facts: (),
) -> Callable[[Callable[..., Found]], Callable[..., Found]]:
    """Register a caveat, and its message, under the name of its test."""

    def register(test: Callable[..., Found]) -> Callable[..., Found]:
        code = getattr(test, "__name__", "")
        (POOLED if code.startswith("pooled") else CAVEATS)[code] = test
        catalogued(MessageKind(code, severity, title, text, do, sources, advice))
        return test

    return register


def caveats(f: DataFacts) -> tuple[Finding, ...]:
    """The caveats about one question, or all pooled, problems first.

    Examples
    --------
    >>> import accordant as ac
    >>> labels = [["yes"] * 9 + ["no"], ["yes"] * 8 + ["no", "yes"]]
    >>> [x.code for x in ac.agreement(labels).caveats][:2]
    ['prevalence', 'never_agreed']
    """
    each = ((code, test(f)) for code, test in CAVEATS.items())
    return ranked(told(code, x, question=f.question) for code, x in each if x is not None)


def caveats_pooled(pooled: DataFacts, every: Sequence[DataFacts]) -> tuple[Finding, ...]:
    """The caveats about a pooled figure and the questions behind it."""
    each = ((code, test(pooled, every)) for code, test in POOLED.items())
    return ranked(told(code, x) for code, x in each if x is not None)


# ------------------------------------------------------------------ sets of labels


@caveat(
    "warning",
    "marchal2022",
    title="Final labels decided by one coder",
    text="Of {n_final:item} with a common label {coder:quoted} alone decides it on {n:,} "
    "({share:%}), because all others gave more labels; others do so on {n_others:,} (exact "
    "sign test, {p_value:p}).",
    advice="Do not read the final labels as the view of all coders. Have all of them give "
    "second labels by the same rule, or decide on final labels by discussion.",
)
def one_coder_decides(f: DataFacts) -> Found:
    """One coder's sets decide what coders have in common (Marchal et al. 2022, section 8)."""
    s = f.structure
    who = None if s is None else s.decider
    if s is None or who is None or not s.p_decides < SIGNIFICANT:
        return None
    n, others, n_final = who.n_decides_alone, who.n_others_alone, who.n_final
    if n < MOSTLY * (n + others) or n < DECIDED * n_final:
        return None
    share = n / n_final
    facts = {"coder": who.coder, "n": n, "n_others": others, "n_final": n_final, "share": share}
    return {**facts, "p_value": s.p_decides}


@caveat(
    "warning",
    "marchal2022",
    title="Unequal numbers of labels",
    text="{more:quoted} gives {mean_more:.2} labels to an item, {fewer:quoted} {mean_fewer:.2}: "
    "more on {n_more:,} and fewer on {n_fewer:,} of {n_common:common item} (exact sign test, "
    "{p_value:p}).",
    advice="Report precision and recall of the pairs of coders, and define in the guideline "
    "when a second label may be given.",
)
def asymmetric_sets(f: DataFacts) -> Found:
    """The pair of coders that differs most in how many labels they give, beyond chance."""
    pairs = () if f.structure is None else f.structure.pairs
    clear = [
        p
        for p in pairs
        if p.p_value * len(pairs) < SIGNIFICANT
        and abs(p.n_more - p.n_fewer) >= UNEQUAL * p.n_common
    ]

    def apart(p: SetPair) -> float:
        return abs(p.n_more - p.n_fewer) / p.n_common

    pair = max(clear, key=apart, default=None)
    if f.structure is None or pair is None:
        return None
    each = {c.coder: c for c in f.structure.coders}
    names, n = (pair.first, pair.second), (pair.n_more, pair.n_fewer)
    (more, fewer), (n_more, n_fewer) = (names, n) if n[0] > n[1] else (names[::-1], n[::-1])
    return {
        "more": more,
        "fewer": fewer,
        "mean_more": each[more].mean_labels,
        "mean_fewer": each[fewer].mean_labels,
        "n_common": pair.n_common,
        "n_more": n_more,
        "n_fewer": n_fewer,
        "p_value": pair.p_value,
    }


@caveat(
    "warning",
    "marchal2022",
    title="Soft-match above boot-match",
    text="Soft-match = {soft_match:.3} is above boot-match = {boot_match:.3}: its expected "
    "agreement is {expected_soft:%}, as if nobody had given a second label, instead of "
    "{expected_boot:%}.",
    advice="Report boot-match: soft-match is usually too high.",
)
def soft_match_too_high(f: DataFacts) -> Found:
    """Soft-match leaves second labels out of expected agreement."""
    soft, boot = f.value("soft_match"), f.value("boot_match")
    if not f.label_sets or math.isnan(soft - boot) or soft - boot < APART:
        return None
    names = {"expected_soft": "soft_match", "expected_boot": "boot_match"}
    expected = {name: f.coefficients[key].expected for name, key in names.items()}
    return {"soft_match": soft, "boot_match": boot, **expected}


@caveat(
    "warning",
    "rosenberg2004",
    "marchal2022",
    title="Augmented κ cannot reach 1",
    text="Augmented κ = {augmented:.3}; with these set sizes it could be {ceiling:.3} at most, "
    "since it treats several labels as doubt: coders who give the same two labels agree in "
    "part only.",
    advice="Report it only if one label can be right, beside its largest value. Otherwise "
    "report boot-match or boot-F1.",
)
def augmented_penalises(f: DataFacts) -> Found:
    """The largest value of augmented κ is well below 1."""
    s = f.structure
    if s is None or math.isnan(f.value("augmented")) or not 1 - s.augmented_most >= HARSH:
        return None
    if s.few_several:  # then it is empty sets that cannot agree
        return None
    row, most = f.coefficients["augmented"], s.augmented_most
    ceiling = (most - row.expected) / (1 - row.expected)
    return {"augmented": row.value, "observed": row.observed, "most": most, "ceiling": ceiling}


# ------------------------------------------------------------------ chance


@caveat(
    "problem",
    "krippendorff2011",
    "artstein2008",
    title="No variation",
    text="On the {n_pairable:item} with two annotations or more, {reason}.",
    advice="Report percent agreement and this sentence. Items for which another label is right "
    "would show whether coders distinguish the categories.",
)
def no_variation(f: DataFacts) -> Found:
    """Observed and expected agreement are both 1."""
    why = f.undefined
    if why is None or not why.reason.startswith("no_variation"):
        return None
    return {"n_pairable": f.n_pairable, "n_single": f.coverage.n_single, "reason": str(why)}


@caveat(
    "note",
    "clopper1934",
    "hanley1983",
    title="Perfect agreement",
    text="Coders agree on all {n_pairable:item}; that does not show that they always do.",
    advice="Report the interval: percent agreement could be as low as {at_least:%}, and α as "
    "low as {alpha_at_least:.3}.",
)
def perfect_agreement(f: DataFacts) -> Found:
    """No item is disputed."""
    if f.n_disputed or not f.n_pairable or f.undefined is not None:
        return None
    least = f.coefficients["percent"].low
    return {"n_pairable": f.n_pairable, "at_least": least, "alpha_at_least": f.alpha.low}


@caveat(
    "warning",
    "feinstein1990",
    "byrt1993",
    "artstein2008",
    "hoek2017",
    title="Prevalence: the first kappa paradox",
    text="{n:,} of {n_annotations:annotation} ({top_share:%}) are {top:quoted}, so "
    "expected agreement is {expected:%}. With observed agreement of {percent:%}, π = {pi:.3}; "
    "with equally frequent categories it would be {s:.3} (S).",
    advice="Report AC or S beside κ, π or α, not instead of them, with the contingency table. "
    "These data are little evidence that coders recognise the rare categories.",
)
def prevalence(f: DataFacts) -> Found:
    """One value prevails so far that π is well below S."""
    if not f.skewed:
        return None
    top, n = f.used[0]
    return {
        "top": top,
        "n": n,
        "n_annotations": f.coverage.n_annotations,
        "top_share": f.top_share,
        "expected": f.coefficients["pi"].expected,
        **{k: f.value(k) for k in ("percent", "s", "pi", "kappa", "alpha", "ac")},
    }


@caveat(
    "warning",
    "hoek2017",
    "zhao2013",
    title="Category never agreed on",
    text="Coders never agreed on {categories:listed}: nobody gave the same item one of these "
    "labels twice.",
    advice="Read these items. Until coders agree on some, there is no evidence that the "
    "category can be coded reliably; AC does not show this.",
)
def never_agreed(f: DataFacts) -> Found:
    """The diagonal of the table of pairs is 0 for a category that was given twice or more."""
    given = dict(f.used)
    empty = [v for v in f.never_agreed if given[v] > 1]
    if not empty or len(f.used) < 2 or f.n_values > f.coverage.n_annotated:
        return None
    return {"categories": empty, "n": [given[v] for v in empty]}


@caveat(
    "warning",
    "feinstein1990",
    "artstein2008",
    "krippendorff2004b",
    title="κ above π: the second kappa paradox",
    text="κ = {kappa:.3} is {gap:.3} above π = {pi:.3}, because the coders' distributions differ.",
    advice="Report π or α, and κ beside it, if single coders will annotate the rest. Compare "
    "the label distributions of the coders, then the guideline for the categories that "
    "differ.",
)
def kappa_above_pi(f: DataFacts) -> Found:
    """Coders of the same items use the categories differently often."""
    gap = f.value("kappa") - f.value("pi")
    same_items = f.complete or f.n_coders == 2  # else coders differ because their items do
    if math.isnan(gap) or gap < APART or f.n_pairable < TINY or not same_items:
        return None
    facts = {"gap": gap, **{key: f.value(key) for key in ("kappa", "pi", "alpha")}}
    two = f.two
    if two is None:
        return facts
    return facts | {
        "bias_index": two.bias.value,
        "kappa_max": two.kappa_max,
        "marginal_difference": two.marginal_difference,
        "p_value": two.marginal_p,
    }


@caveat(
    "warning",
    "krippendorff2011",
    title="Agreement below chance",
    text="α = {alpha:.3}: observed agreement is {observed:%2}, and {expected:%2} is expected by "
    "chance.",
    advice="Look for exchanged labels (0 for 1, a reversed scale), files in a different order, "
    "or two readings of the question. If the two are close, there is no agreement beyond "
    "chance.",
)
def below_chance(f: DataFacts) -> Found:
    """α is negative."""
    alpha = f.alpha
    if not alpha.value < 0:
        return None
    return {"alpha": alpha.value, "observed": alpha.observed, "expected": alpha.expected}


# ------------------------------------------------------------------ data


@caveat(
    "problem",
    "artstein2008",
    title="One coder",
    text="The data hold annotations of {n_coders:coder}.",
    advice="Have some of the items annotated by a second coder, independently.",
)
def one_coder(f: DataFacts) -> Found:
    """Nobody, or only one coder, annotated anything."""
    if f.n_coders >= 2:
        return None
    return {"n_coders": f.n_coders, "n_annotations": f.coverage.n_annotations}


@caveat(
    "problem",
    "artstein2008",
    title="No shared items",
    text=(
        "{n_coders:coder} annotated {n_annotated:item}, but no item was annotated by two of them."
    ),
    advice="Check that an item has the same id for all coders, or have them annotate a common "
    "sample.",
)
def nothing_to_compare(f: DataFacts) -> Found:
    """No item has two annotations."""
    if f.n_coders < 2 or f.n_pairable:
        return None
    return {"n_coders": f.n_coders, "n_annotated": f.coverage.n_annotated}


@caveat(
    "note",
    "krippendorff2011",
    "gwet2014",
    title="Missing annotations",
    text="{missing_share:%} of the {n_annotated:,} × {n_coders:,} possible annotations are "
    "missing, and {n_single:item} {n_single:has|have} a single annotation.",
    advice="Check whether coders skipped difficult items, and report on how many items "
    "agreement is measured ({n_pairable:,}).",
)
def missing(f: DataFacts) -> Found:
    """Not every coder annotated every annotated item."""
    if f.complete or not f.n_pairable:
        return None
    keys = "missing_share n_annotated n_coders n_single n_pairable n_annotations"
    return {key: getattr(f.coverage, key) for key in keys.split()}


@caveat(
    "warning",
    "gwet2014",
    title="Few items",
    text="Agreement is measured on {n_pairable:item}, so intervals are approximate.",
    advice="Annotate more items, or compare with a bootstrap interval.",
)
def few_items(f: DataFacts) -> Found:
    """Fewer items with two annotations than a t interval needs."""
    return {"n_pairable": f.n_pairable} if 0 < f.n_pairable < FEW_ITEMS else None


@caveat(
    "warning",
    "gwet2014",
    "hayes2007",
    title="Wide interval",
    text="{name} = {value:.3}, {level} interval {low:.3} to {high:.3}.",
    advice="Compare the interval with a threshold, not the estimate. About {needed:,} items "
    "would give one half as wide.",
)
def wide_interval(f: DataFacts) -> Found:
    """The interval of the coefficient that is compared with thresholds is wide."""
    found = f.coefficients[f.judged_key]
    width = found.high - found.low
    if math.isnan(width) or width <= WIDE:
        return None
    ends = {"value": found.value, "low": found.low, "high": found.high}
    words = {"name": f.name(f.judged_key), "level": level_text(found.level)}
    return {**words, **ends, "needed": 4 * f.n_pairable}


@caveat(
    "warning",
    "hoek2017",
    "hripcsak2002",
    title="Rare categories",
    text="{n:category} {n:was|were} given fewer than {least} times: {rare:listed}.",
    advice="Add items that are likely to belong to them: these few do not show whether coders "
    "recognise them.",
)
def rare_category(f: DataFacts) -> Found:
    """A category that was used, but hardly ever."""
    rare = [v for v, n in reversed(f.used) if n < RARE]
    if not rare or len(f.used) < 2 or not f.n_pairable or f.n_values > f.coverage.n_annotated:
        return None
    return {"rare": rare, "n": len(rare), "least": RARE}


@caveat(
    "note",
    "hoek2017",
    "gwet2014",
    title="Unused categories",
    text="{n:,} of {n_values:category} {n:was|were} never used: {unused:listed}.",
    advice="Report both numbers. AC and S rise with every unused category, so do not compare "
    "them between schemes.",
)
def unused_categories(f: DataFacts) -> Found:
    """Declared categories that nobody gave."""
    if not f.unused or not f.scheme.declared or not f.coverage.n_annotations:
        return None
    known = {"with": {k: f.value(k) for k in ("s", "ac")}, "without": dict(f.without_unused)}
    return {"unused": f.unused, "n": len(f.unused), "n_values": f.n_values, **known}


def _as_scale(facts: Mapping[str, Any]) -> Iterator[Action]:
    question = facts["question"]
    for scale, why in {"ordinal": "ordered categories", "interval": "measurements"}.items():
        yield Action("", {"scale": scale if question is None else {question: scale}}, why)


@caveat(
    "warning",
    "krippendorff2011",
    "cohen1968",
    title="Numbers treated as nominal",
    text="The labels are numbers ({grades:listed}) and treated as nominal: every difference counts "
    "the same. As ordered categories, α is {ordinal:.3}.",
    advice="Give the scale if they are ordered categories or measurements.",
    do=lambda facts: tuple(_as_scale(facts)),
)
def numbers_as_names(f: DataFacts) -> Found:
    """Numbers on a nominal scale, without weights."""
    if not f.numeric or f.weighted or f.scheme.scale != "nominal" or not f.n_pairable:
        return None
    grades = sorted((v for v, _ in f.used), key=lambda v: float(str(v)))
    known = {"n_values": f.n_values, "grades": grades, "question": f.question}
    return {**known, "ordinal": f.ordinal_alpha}


# ------------------------------------------------------------------ several questions


def _alpha(f: DataFacts) -> float:
    return tied(f.alpha.value)


def _kappa(f: DataFacts) -> float:
    """Cohen's kappa, which many papers report; NaN of label sets."""
    return math.nan if f.label_sets else tied(f.value("kappa"))


@caveat(
    "problem",
    "artstein2008",
    title="Undefined questions in the pooled coefficient",
    text="α is undefined for {n:question} of {of:,} ({hidden:listed}), with {n_annotations:,} "
    "of the annotations in the pooled α = {alpha:.3}.",
    advice="Report the questions separately: a question with a single label adds agreement, but "
    "no evidence.",
)
def pooled_hides_undefined(pooled: DataFacts, each: Sequence[DataFacts]) -> Found:
    """A pooled α where that of some questions is undefined."""
    hidden = [f for f in each if f.coverage.n_annotations and math.isnan(_alpha(f))]
    if not hidden or math.isnan(_alpha(pooled)):
        return None
    return {
        "hidden": [f.question for f in hidden],
        "n": len(hidden),
        "of": len(each),
        "n_annotations": sum(f.coverage.n_annotations for f in hidden),
        "alpha": _alpha(pooled),
        "kappa": _kappa(pooled),
    }


@caveat(
    "problem",
    "artstein2008",
    title="Pooled coefficient above that of every question",
    text="The pooled α = {alpha:.3} is above that of every question: the best is {best:quoted} "
    "with {value:.3}.",
    advice="Report the questions separately: distinguishing questions with different label "
    "frequencies counts as agreement.",
)
def pooled_above_all(pooled: DataFacts, each: Sequence[DataFacts]) -> Found:
    """Pooling raises α above that of every question."""
    known = [f for f in each if not math.isnan(_alpha(f))]
    best = max(known, key=_alpha, default=None)
    if len(known) < 2 or best is None or not _alpha(pooled) > _alpha(best):
        return None
    of_kappa = {f.question: _kappa(f) for f in each if not math.isnan(_kappa(f))}
    values = {"alpha": _alpha(pooled), "best": best.question, "value": _alpha(best)}
    return {**values, "kappa": _kappa(pooled), "kappas": of_kappa}
