"""Which coefficient to report, with what beside it, and how to read it."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from ..measure.measures import NAMED, definition
from ..measure.ratings import MOST_CODERS
from ..numbers import count_of, decimal, joined, level_text, percent
from ..results import Result
from .facts import DataFacts

SMALL = 50  # items; up to here α and π differ in the second digit
MANY = 5  # coders with gaps: pairs of them share few items to estimate chance from; our convention
PERCENT = "Report percent agreement in any case: everybody can check it."
NEAR_PERFECT = (
    "Krippendorff asks for .800, and .667 for tentative conclusions; Artstein & Poesio found "
    "only values above .8 to go with good annotation.",
    "Compare the lower end of the interval: the question is whether coders are near enough to "
    "perfect agreement for the use of the data.",
    "Thresholds are conventions, the bands of Landis & Koch arbitrary by their own account: "
    "none holds for every number of categories and every prevalence.",
)
OF_SETS = ("marchal2022", "rosenberg2004", "passonneau2006")


@dataclass(frozen=True)
class Recommendation(Result):
    """Which coefficient to report, and how to read it.

    Parameters
    ----------
    primary : str or None
        Key of the coefficient to report; None if there is nothing to compare.
    weights : str
        Its weights.
    beside : tuple of str
        Keys of coefficients to report beside it.
    always : tuple of str
        What belongs to every report: ``('percent',)``.
    reasons : tuple of str
        Why, one sentence each.
    reading : tuple of str
        What a good value is, with caveats, one sentence each.
    show : tuple of str
        What to print with the figures.
    sources : tuple of str
        Keys of the literature.
    question : str or None
    """

    primary: str | None
    weights: str
    beside: tuple[str, ...]
    reasons: tuple[str, ...]
    reading: tuple[str, ...]
    show: tuple[str, ...]
    sources: tuple[str, ...]
    always: tuple[str, ...] = ("percent",)
    question: str | None = None

    def to_rows(self) -> list[dict[str, Any]]:
        """One row for each coefficient, with its role."""
        first = () if self.primary is None else (self.primary,)
        own = {key: weights for key, (_, weights, _) in NAMED.items()}
        roles = {"report": first, "beside": self.beside, "always": self.always}
        return [
            {
                "question": self.question,
                "coefficient": key,
                "name": NAMED[key][2] if key in NAMED else definition(key).name,
                "role": role,
                "weights": self.weights if role == "report" else own.get(key),
            }
            for role, keys in roles.items()
            for key in keys
        ]

    def __str__(self) -> str:
        return " ".join([*self.reasons, *self.reading])


@dataclass(frozen=True)
class Advice:
    """What to report for a design, what stands beside it, why, and who says so."""

    primary: str
    beside: tuple[str, ...]
    reasons: tuple[str, ...]
    sources: tuple[str, ...]


def common(each: Iterable[DataFacts]) -> str | None:
    """The coefficient that fits all questions, so that their figures can be compared.

    The one that fits each of them if it is the same; else alpha, which takes every scale, any
    number of coders and any gaps. None if there is nothing to compare.
    """
    found = {_by_design(f).primary for f in each if f.n_pairable}
    return None if not found else found.pop() if len(found) == 1 else "alpha"


def recommend(f: DataFacts, primary: str | None = None) -> Recommendation:
    """The coefficient that fits the facts, or why ``primary`` is taken for all questions.

    Examples
    --------
    >>> import accordant as ac
    >>> found = ac.agreement([[1, 2, 3, None], [1, 2, 2, 3], [1, 2, 3, 3]]).recommendation
    >>> found.primary, found.always
    ('alpha', ('percent',))
    """
    if not f.n_pairable:
        reason = "No item was annotated by two coders."
        return Recommendation(None, "", (), (reason,), (), (), ("artstein2008",), (), f.question)
    found = _for_all(f, _by_design(f), primary)
    row = f.coefficients[found.primary]
    if math.isnan(row.value):
        undefined = f"It is undefined here: {f.undefined}. Say so."
        found = replace(found, beside=(), reasons=(*found.reasons, undefined))
    elif f.skewed:
        found = _beside_prevalence(f, found)
    reading = () if math.isnan(row.value) else (_value(f, found.primary), *NEAR_PERFECT)
    more = ("krippendorff2004", "artstein2008", "landis1977") if reading else ()
    return Recommendation(
        found.primary,
        row.weights,
        found.beside,
        (*found.reasons, PERCENT),
        reading,
        _show(f, found.primary),
        tuple(dict.fromkeys([*found.sources, *more])),
        question=f.question,
    )


def _for_all(f: DataFacts, own: Advice, primary: str | None) -> Advice:
    """The coefficient for all questions, with the reason if another one fits this one alone."""
    primary = primary or own.primary
    primary = f.alpha_key if primary == "alpha" else primary
    if primary == own.primary:
        return own
    why = f"{f.name(primary)} fits every question, so that their figures can be compared."
    beside = (own.primary, *(key for key in own.beside if key != primary))
    return replace(own, primary=primary, beside=beside, reasons=(why, *own.reasons))


def _by_design(f: DataFacts) -> Advice:
    """By the number of coders, the gaps and the scale (Artstein & Poesio 2008, section 2.6)."""
    kappa = ("kappa",) if f.known_coders else ()
    if f.label_sets:
        return _sets(f)
    if f.of_measurements and not f.label_sets:
        return _ratings(f)
    if f.weighted:
        why = (
            "Some disagreements count as smaller than others; α has a metric for every scale, "
            "takes any number of coders and missing annotations."
        )
        return Advice("alpha", kappa, (why,), ("krippendorff2011", "cohen1968", "artstein2008"))
    if f.n_coders > 2 or not f.complete:
        why = (
            "α takes any number of coders and missing annotations. π (Fleiss' κ) is close to it "
            "and better known in some fields."
        )
        return Advice("alpha", ("pi",), (why,), ("krippendorff2011", "fleiss1971", "artstein2008"))
    why = (
        "Two coders annotated every item, on a nominal scale. π and α count different "
        "distributions of the coders as disagreement, which matters if single coders will "
        "annotate the rest."
    )
    sources: tuple[str, ...] = ("artstein2008", "scott1955", "cohen1960")
    if f.n_pairable > SMALL:
        return Advice("pi", kappa, (why,), sources)
    small = f"With {count_of(f.n_pairable, 'item')} take α, which is π corrected for small samples."
    return Advice("alpha", ("pi", *kappa), (why, small), ("krippendorff2004", *sources))


def _ratings(f: DataFacts) -> Advice:
    """Measurements (McGraw & Wong 1996; Koo & Li 2016)."""
    reasons = (
        "Labels are measurements: α has a metric for them, and ICC(A,1) asks the same of one "
        "rating by any coder, in the terms of most clinical journals.",
        "Take ICC(A,k) if the mean of all coders is used, ICC(C,1) if coders' levels do not "
        "matter, and ICC(1) if each item has other coders; say which and why.",
        "Say with it how far ratings lie apart in the units of the scale.",
    )
    one = "icc_a" if f.n_coders <= MOST_CODERS else "icc_one"
    return Advice("alpha", (one,), reasons, ("krippendorff2011", "mcgraw1996", "koo2016"))


def _sets(f: DataFacts) -> Advice:
    """Sets of labels (Marchal et al. 2022, sec. 8)."""
    if not f.known_coders or (f.n_coders > MANY and not f.complete):
        why = (
            "α (MASI) takes any number of coders and missing annotations, and counts sets that "
            "share labels as partly the same; boot-match needs known coders who share items."
        )
        other = "boot_match" if f.known_coders else "label_alpha"
        return Advice("alpha_masi", (other,), (why,), OF_SETS)
    reasons: tuple[str, ...] = (
        "Several labels can be right. Boot-match says how reliable one final label for an item "
        "is; expected agreement accounts for the number of labels per coder.",
        "If all labels are used, quote boot-F1; if a second label means doubt, augmented κ.",
    )
    if f.structure is not None and f.structure.few_several:
        few = "Hardly any annotation holds several labels: Cohen's κ of whole sets is as good."
        reasons = (*reasons, few)
    both = ("boot_precision", "boot_recall") if f.n_coders == 2 else ()  # of more they are equal
    return Advice("boot_match", ("boot_f1", *both), reasons, OF_SETS)


def _beside_prevalence(f: DataFacts, found: Advice) -> Advice:
    """A second opinion where one category prevails."""
    why = (
        f"One category is {percent(f.top_share)} of the annotations, which lowers π, κ and α. "
        f"Add AC ({f.shown('ac')}) and S ({f.shown('s')}), with the share of each category; "
        "no threshold made for κ holds for AC."
    )
    return replace(
        found,
        beside=(*found.beside, "ac", "s"),
        reasons=(*found.reasons, why),
        sources=(*found.sources, "byrt1993", "gwet2008", "hoek2017"),
    )


def _value(f: DataFacts, primary: str) -> str:
    found = f.coefficients[primary]
    sure = f", {level_text(found.level)} interval {decimal(found.low)} to {decimal(found.high)}"
    end = "" if math.isnan(found.low) else sure
    return f"{f.name(primary)} = {decimal(found.value)}{end}."


def _show(f: DataFacts, primary: str) -> tuple[str, ...]:
    """What makes the figures checkable (Hoek & Scholman 2017, sec. 3.4 and 5)."""
    numbers = (f"items ({f.n_pairable:,})", f"coders ({f.n_coders:,})")
    used = f"categories ({f.n_values:,}, of which {len(f.used):,} used)"
    first = f"the numbers of {joined((*numbers, used))}"
    name = f"{f.name(primary)} with its interval, A_o and A_e"
    if f.label_sets:
        own = ("the share of annotations with several labels", "how often each label is final")
        return (first, name, *own)
    return (first, name, "the contingency table", "the share of each category, for each coder")
