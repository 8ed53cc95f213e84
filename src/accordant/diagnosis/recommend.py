"""Which coefficient to report, with what beside it, and how to read it."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from ..measure.coefficients import COEFFICIENTS
from ..measure.measures import NAMED
from ..numbers import count_of, decimal, level_text, percent
from ..results import Result
from .facts import Facts
from .recommend_sets import by_goal, of_set, show_sets
from .words import quoted

__all__ = ["Recommendation", "common", "recommend"]

SMALL = 50  # items; up to here α and π differ in the second digit


@dataclass(frozen=True)
class Recommendation(Result):
    """Just tell us which one to use.

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
        first = [] if self.primary is None else [(self.primary, "report")]
        roles = [
            *first,
            *((k, "beside") for k in self.beside),
            *((k, "always") for k in self.always),
        ]
        return [
            {
                "question": self.question,
                "coefficient": key,
                "name": _full_name(key),
                "role": role,
                "weights": self.weights if role == "report" else _own_weights(key),
            }
            for key, role in roles
        ]

    def __str__(self) -> str:
        return " ".join([*self.reasons, *self.reading])


def _full_name(key: str) -> str:
    return NAMED[key][2] if key in NAMED else COEFFICIENTS[key].name


def _own_weights(key: str) -> str | None:
    """The weights that belong to the name of a measure."""
    return NAMED[key][1] if key in NAMED else None


def common(each: Iterable[Facts]) -> str | None:
    """The coefficient that fits all questions, so that their figures can be compared.

    The one that fits each of them if it is the same; else alpha, which takes every scale, any
    number of coders and any gaps. None if there is nothing to compare.
    """
    found = {_by_design(f)[0] for f in each if f.n_pairable}
    return None if not found else found.pop() if len(found) == 1 else "alpha"


def recommend(f: Facts, primary: str | None = None) -> Recommendation:
    """The coefficient that fits the facts, or why ``primary`` is taken for all questions.

    Examples
    --------
    >>> from accordant import read
    >>> from accordant.diagnosis.coverage import coverage
    >>> from accordant.diagnosis.facts import facts
    >>> data = read([[1, 2, 3, None], [1, 2, 2, 3], [1, 2, 3, 3]])
    >>> found = recommend(facts(coverage(data), data.scheme))
    >>> found.primary, found.always
    ('alpha', ('percent',))
    """
    if not f.n_pairable:
        reason = "No item was annotated by two coders, so there is no agreement to report."
        return Recommendation(None, "", (), (reason,), (), (), ("artstein2008",), (), f.question)
    own, beside, reasons, sources = _by_design(f)
    primary = of_set(f, primary or own)
    if primary != own:
        beside = (own, *(key for key in beside if key != primary))
        reasons = [_for_all(f, own, primary), *reasons]
    if math.isnan(f.value(primary)):
        beside, reasons = (), [*reasons, f"Here it is undefined: {f.undefined}. Say so."]
    else:
        beside, reasons, sources = _with_prevalence(f, beside, reasons, sources)
    reading, more = _reading(f, primary)
    return Recommendation(
        primary, f.coefficients[primary].weights, tuple(beside), tuple(reasons), reading,
        _show(f, primary), tuple(dict.fromkeys([*sources, *more])), question=f.question,
    )  # fmt: skip


def _by_design(f: Facts) -> tuple[str, tuple[str, ...], list[str], list[str]]:
    """By the number of coders, the gaps and the scale."""
    if f.label_sets:
        return by_goal(f)
    percent = "Report percent agreement in any case: everybody can check it."
    if f.weighted:
        return (
            "alpha", _known(f, "kappa"),
            [f"{_why_weighted(f)} small differences count as better than large ones; α has a "
             "metric for every scale, takes any number of coders and missing annotations.",
             percent],
            ["krippendorff2011", "cohen1968", "artstein2008"],
        )  # fmt: skip
    if f.n_coders > 2 or not f.complete:
        return (
            "alpha", ("pi",),
            [f"{_why_alpha(f)}; α takes any number of coders and missing annotations.",
             "π (Fleiss' κ) is close to it and better known in some fields.", percent],
            ["krippendorff2011", "fleiss1971", "artstein2008"],
        )  # fmt: skip
    return _two_complete(f, percent)


def _for_all(f: Facts, own: str, primary: str) -> str:
    """Why it is not the coefficient that fits these annotations alone."""
    own, primary = f.name(own), f.name(primary)
    if f.question is None:
        return f"{primary} is taken because it fits every question."
    return (
        f"{primary} fits every question, so that their figures can be compared; for this one "
        f"alone it would be {own}."
    )


def _why_weighted(f: Facts) -> str:
    if f.scale == "nominal":
        return f"With the weights {quoted(f.coefficients['alpha'].weights)},"
    return f"On the {f.scale} scale,"


def _why_alpha(f: Facts) -> str:
    gaps = f"{percent(f.missing_share)} of the annotations are missing"
    if f.n_coders > 2:
        return f"There are {f.n_coders:,} coders" + ("" if f.complete else f", and {gaps}")
    return f"There are two coders, and {gaps}"


def _two_complete(f: Facts, percent: str) -> tuple[str, tuple[str, ...], list[str], list[str]]:
    same = f"Two coders annotated every item, on a nominal scale. {_similar(f)}"
    why = (
        "π and α count a difference between the coders' distributions as disagreement. That is "
        "what matters if the rest will be annotated by single coders: do not discount the "
        "variability."
    )
    if f.n_pairable <= SMALL:
        small = f"With {f.n_pairable:,} items take α, which is π corrected for small samples."
        return (
            "alpha", ("pi", *_known(f, "kappa")), [same, why, small, percent],
            ["krippendorff2004", "artstein2008", "scott1955", "cohen1960"],
        )  # fmt: skip
    return (
        "pi", _known(f, "kappa"), [same, why, percent],
        ["artstein2008", "scott1955", "cohen1960"],
    )  # fmt: skip


def _similar(f: Facts) -> str:
    pi, kappa = f.value("pi"), f.value("kappa")
    if math.isnan(kappa):
        return "π and κ give similar results where coders are known and alike."
    if abs(kappa - pi) < 0.02:
        return f"π and κ give similar results (here {decimal(pi)} and {decimal(kappa)})."
    return (
        f"π and κ usually give similar results; here they do not ({decimal(pi)} and "
        f"{decimal(kappa)}), because the coders use the categories with different frequency."
    )


def _known(f: Facts, key: str) -> tuple[str, ...]:
    """A coefficient that needs to know the coders, if they are known."""
    return (key,) if f.known_coders else ()


def _with_prevalence(
    f: Facts, beside: tuple[str, ...], reasons: list[str], sources: list[str]
) -> tuple[tuple[str, ...], list[str], list[str]]:
    """A second opinion where one category prevails."""
    if not f.skewed:
        return beside, reasons, sources
    caution = (
        f" Both count {count_of(len(f.unused), 'unused category', 'unused categories')} in their "
        "favour: say so, or leave them out of the scheme."
        if f.unused
        else ""
    )
    name = "2A_o − 1 (PABAK, which is S)" if f.n_values == 2 else "S"
    more = (
        f"{percent(f.top_share)} of the annotations are {quoted(f.used[0][0])}, which pulls π, κ "
        f"and α down. Add AC ({f.shown('ac')}) and {name} ({f.shown('s')}) beside them, never "
        f"instead, with the share of each category.{caution}"
    )
    return (*beside, "ac", "s"), [*reasons, more], [*sources, "byrt1993", "gwet2008", "hoek2017"]


def _reading(f: Facts, primary: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What is a good score: thresholds with their authors and caveats."""
    found = f.coefficients[primary]
    if math.isnan(found.value):
        return (), ()
    sure = (
        ""
        if math.isnan(found.low)
        else f", {level_text(found.level)} interval {decimal(found.low)} to {decimal(found.high)}"
    )
    stricter = (
        "AC lies higher than κ where one category prevails, so no threshold made for κ holds "
        "for it: ask for more.",
    )
    of_sets = (
        "These thresholds were made for single labels. Measures of label sets differ in what they "
        "count as agreement: compare values of the same measure only.",
    )
    return (
        f"{f.name(primary)} = {decimal(found.value)}{sure}.",
        "Krippendorff asks for .800, and accepts .667 where tentative conclusions are enough; "
        "Artstein & Poesio found only values above .8 to go with annotation of good quality.",
        "The question is not whether coders beat chance but whether they are near enough to "
        "perfect agreement for the use of the data. Compare the lower end of the interval.",
        "Thresholds are conventions. The bands of Landis & Koch are arbitrary by their own "
        "account, and no band holds for every number of categories and every prevalence.",
        *(stricter if f.skewed else ()),
        *(of_sets if f.label_sets else ()),
    ), ("krippendorff2004", "artstein2008", "landis1977")


def _show(f: Facts, primary: str) -> tuple[str, ...]:
    """What makes the figures checkable (Hoek & Scholman 2017, sec. 3.4 and 5)."""
    if f.label_sets:
        return show_sets(f, primary)
    table = (
        "the contingency table"
        if f.known_coders and f.n_coders == 2
        else "the table of confusions, pooled over all pairs of coders"
    )
    symbol = f.name(primary)
    return (
        f"the numbers of items ({f.n_pairable:,}), coders ({f.n_coders:,}) and categories "
        f"({f.n_values:,}, of which {len(f.used):,} used)",
        f"{symbol} with its interval, A_o and A_e",
        table,
        "the share of each category, for each coder",
        *_index_words(f),
    )


def _index_words(f: Facts) -> tuple[str, ...]:
    """Prevalence and bias index, where there are two coders and two categories."""
    if not f.skewed or f.two is None or math.isnan(f.two.prevalence.value):
        return ()
    return (
        f"the prevalence index ({decimal(f.two.prevalence.value, 2)}) and the bias index "
        f"({decimal(f.two.bias.value, 2)})",
    )
