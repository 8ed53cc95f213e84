"""Which coefficient to report, with what beside it, and how to read it.

For each design of annotations a function says what to report; its docstring has the reasons, a
paragraph each, as templates.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from ..measure.coefficients import COEFFICIENTS
from ..measure.measures import NAMED
from ..numbers import decimal, joined, level_text, percent
from ..results import Result
from .facts import Facts
from .set_traps import coincide, has_few_doubles, in_common
from .words import paragraphs, quoted

__all__ = ["Recommendation", "common", "recommend"]

SMALL = 50  # items; up to here α and π differ in the second digit
ALIKE = 0.02  # two coefficients that differ by less give similar results; our convention
MANY = 5  # coders with gaps: pairs of them share few items to estimate chance from; our convention
MOST_NAMED = 4  # coders in a sentence
PERCENT = "Report percent agreement in any case: everybody can check it."
PERCENT_OF_SETS = (
    "Report percent agreement in any case, and say that it asks for the same set: everybody can "
    "check it."
)
OF_SETS = ("marchal2022", "rosenberg2004", "passonneau2006")


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
        first = () if self.primary is None else (self.primary,)
        own = {key: weights for key, (_, weights, _) in NAMED.items()}
        roles = {"report": first, "beside": self.beside, "always": self.always}
        return [
            {
                "question": self.question,
                "coefficient": key,
                "name": NAMED[key][2] if key in NAMED else COEFFICIENTS[key].name,
                "role": role,
                "weights": self.weights if role == "report" else own.get(key),
            }
            for role, keys in roles.items()
            for key in keys
        ]

    def __str__(self) -> str:
        return " ".join([*self.reasons, *self.reading])


@dataclass(frozen=True)
class Choice:
    """What to report for a design, what stands beside it, why, and who says so."""

    primary: str
    beside: tuple[str, ...]
    reasons: tuple[str, ...]
    sources: tuple[str, ...]


def common(each: Iterable[Facts]) -> str | None:
    """The coefficient that fits all questions, so that their figures can be compared.

    The one that fits each of them if it is the same; else alpha, which takes every scale, any
    number of coders and any gaps. None if there is nothing to compare.
    """
    found = {_by_design(f).primary for f in each if f.n_pairable}
    return None if not found else found.pop() if len(found) == 1 else "alpha"


def recommend(f: Facts, primary: str | None = None) -> Recommendation:
    """The coefficient that fits the facts, or why ``primary`` is taken for all questions.

    Examples
    --------
    >>> from accordant import read
    >>> from accordant.measure.coverage import coverage
    >>> from accordant.diagnosis.facts import facts
    >>> data = read([[1, 2, 3, None], [1, 2, 2, 3], [1, 2, 3, 3]])
    >>> found = recommend(facts(coverage(data), data.scheme))
    >>> found.primary, found.always
    ('alpha', ('percent',))
    """
    if not f.n_pairable:
        reason = "No item was annotated by two coders, so there is no agreement to report."
        return Recommendation(None, "", (), (reason,), (), (), ("artstein2008",), (), f.question)
    found = _for_all(f, _by_design(f), primary)
    if math.isnan(f.value(found.primary)):
        undefined = f"Here it is undefined: {f.undefined}. Say so."
        found = replace(found, beside=(), reasons=(*found.reasons, undefined))
    elif f.skewed:
        found = _beside_prevalence(f, found)
    row = f.coefficients[found.primary]
    reading, more = _reading(f, found.primary)
    sources = tuple(dict.fromkeys([*found.sources, *more]))
    return Recommendation(
        found.primary,
        row.weights,
        found.beside,
        found.reasons,
        reading,
        (_show_sets if f.label_sets else _show)(f, found.primary),
        sources,
        question=f.question,
    )


def _for_all(f: Facts, own: Choice, primary: str | None) -> Choice:
    """The coefficient for all questions, with the reason if another one fits this one alone."""
    primary = primary or own.primary
    primary = f.alpha_key if primary == "alpha" else primary
    if primary == own.primary:
        return own
    name = f.name(primary)
    why = f"{name} is taken because it fits every question."
    if f.question is not None:
        why = (
            f"{name} fits every question, so that their figures can be compared; for this one "
            f"alone it would be {f.name(own.primary)}."
        )
    beside = (own.primary, *(key for key in own.beside if key != primary))
    return replace(own, primary=primary, beside=beside, reasons=(why, *own.reasons))


# ------------------------------------------------------------------ single labels


def _by_design(f: Facts) -> Choice:
    """By the number of coders, the gaps and the scale."""
    if f.label_sets:
        many = f.n_coders > MANY and not f.complete
        return _many_with_sets(f) if many or not f.known_coders else _sets(f)
    if f.weighted:
        return _weighted(f)
    if f.n_coders > 2 or not f.complete:
        return _many_or_gaps(f)
    return _two_complete(f)


def _weighted(f: Facts) -> Choice:
    """Weights.

    {why}, small differences count as better than large ones; α has a metric for every scale, takes
    any number of coders and missing annotations.
    """
    why = f"On the {f.scale} scale"
    if f.scale == "nominal":
        why = f"With the weights {quoted(f.coefficients['alpha'].weights)}"
    reasons = *paragraphs(_weighted, {"why": why}), PERCENT
    return Choice(
        "alpha", _known(f, "kappa"), reasons, ("krippendorff2011", "cohen1968", "artstein2008")
    )


def _many_or_gaps(f: Facts) -> Choice:
    """Many coders, or gaps.

    There are {coders} coders{gaps}; α takes any number of coders and missing annotations.

    π (Fleiss' κ) is close to it and better known in some fields.
    """
    words = {
        "coders": f"{f.n_coders:,}" if f.n_coders > 2 else "two",
        "gaps": ""
        if f.complete
        else f", and {percent(f.missing_share)} of the annotations are missing",
    }
    reasons = *paragraphs(_many_or_gaps, words), PERCENT
    return Choice("alpha", ("pi",), reasons, ("krippendorff2011", "fleiss1971", "artstein2008"))


def _two_complete(f: Facts) -> Choice:
    """Two coders.

    Two coders annotated every item, on a nominal scale. π and κ {similar}

    π and α count a difference between the coders' distributions as disagreement. That is what
    matters if the rest will be annotated by single coders: do not discount the variability.

    {small}
    """
    pi, kappa = f.value("pi"), f.value("kappa")
    both = f"{decimal(pi)} and {decimal(kappa)}"
    similar = "give similar results where coders are known and alike."
    if abs(kappa - pi) < ALIKE:
        similar = f"give similar results (here {both})."
    elif not math.isnan(kappa):
        similar = (
            f"usually give similar results; here they do not ({both}), because the coders use the "
            "categories with different frequency."
        )
    few = f.n_pairable <= SMALL
    small = f"With {f.n_pairable:,} items take α, which is π corrected for small samples."
    words = {"similar": similar, "small": small if few else ""}
    reasons = *paragraphs(_two_complete, words), PERCENT
    sources = "artstein2008", "scott1955", "cohen1960"
    if few:
        sources_of_alpha = "krippendorff2004", *sources
        return Choice("alpha", ("pi", *_known(f, "kappa")), reasons, sources_of_alpha)
    return Choice("pi", _known(f, "kappa"), reasons, sources)


def _known(f: Facts, key: str) -> tuple[str, ...]:
    """A coefficient that needs to know the coders, if they are known."""
    return (key,) if f.known_coders else ()


def _beside_prevalence(f: Facts, found: Choice) -> Choice:
    """A second opinion where one category prevails.

    {f.top_share:%} of the annotations are {top:quoted}, which pulls π, κ and α down. Add AC ({ac})
    and {name} ({s}) beside them, never instead, with the share of each category.{caution}

    Both count {unused:unused category} in their favour: say so, or leave them out of the scheme.
    """
    name = "2A_o − 1 (PABAK, which is S)" if f.n_values == 2 else "S"
    words = {"f": f, "top": f.used[0][0], "ac": f.shown("ac"), "s": f.shown("s"), "name": name}
    words |= {"unused": len(f.unused), "caution": ""}
    reason, caution = paragraphs(_beside_prevalence, words)
    return replace(
        found,
        beside=(*found.beside, "ac", "s"),
        reasons=(*found.reasons, f"{reason} {caution}" if f.unused else reason),
        sources=(*found.sources, "byrt1993", "gwet2008", "hoek2017"),
    )


# ------------------------------------------------------------------ sets of labels


def _sets(f: Facts) -> Choice:
    """Sets of labels (Marchal et al. 2022, sec. 8).

    Several labels can be right. If one final label for an item is wanted, boot-match says how
    reliable it is{numbers}; expected agreement accounts for the number of labels per coder.

    If all labels are used, quote boot-F1{boot_f1}{two}; with many coders or gaps α
    (MASI){alpha_masi}{many}.

    {doubt}
    """
    row, numbers = f.coefficients["boot_match"], ""
    if not math.isnan(row.value):
        either = f.structure is not None and f.structure.share_empty > 0
        by_chance = f"{'one or the other in ' if either else ''}{percent(row.expected)} by chance"
        numbers = f" (here {decimal(row.value)}: {in_common(f, 'or')}, {by_chance})"
    two, many = (
        "",
        (
            ". Who gives more labels is shown by the precision and recall of each pair of coders, "
            "in the table of pairs"
        ),
    )
    both = {"boot_precision": "precision", "boot_recall": "recall"} if f.n_coders == 2 else {}
    if both:  # of more coders the two are equal
        each = joined(f"{what}{_here(f, key)}" for key, what in both.items())
        two, many = f" with {each} beside it, which show who gives more", ""
    doubt = (
        "If only one label can be right and a second one means doubt, quote augmented κ"
        f"{_here(f, 'augmented')} instead."
    )
    if has_few_doubles(f) and coincide(f):
        doubt = (
            "Hardly any annotation holds several labels, so these measures nearly coincide: "
            f"Cohen's κ of whole sets{_here(f, 'kappa')} is as good and better known."
        )
    words = {key: _here(f, key) for key in ("boot_f1", "alpha_masi")}
    words |= {"numbers": numbers, "two": two, "many": many, "doubt": doubt}
    reasons = *paragraphs(_sets, words), *_care(f), PERCENT_OF_SETS
    return Choice("boot_match", ("boot_f1", *both), reasons, OF_SETS)


def _many_with_sets(f: Facts) -> Choice:
    """Sets of labels of many coders with gaps, or of unknown ones.

    {why} α (MASI) takes any number of coders and missing annotations, and counts sets that share
    labels as partly the same{alpha_masi}.

    {final}
    """
    why = "The data do not say which coder gave which labels, and label draw needs to know."
    final, other = "", "label_alpha"
    if f.known_coders:
        missing = f"{percent(f.missing_share)} of the annotations are missing."
        why, other = f"There are {f.n_coders:,} coders, and {missing}", "boot_match"
        final = f"If one final label for an item is wanted, add boot-match{_here(f, other)}."
    words = {"why": why, "final": final, "alpha_masi": _here(f, "alpha_masi")}
    reasons = *paragraphs(_many_with_sets, words), *_care(f), PERCENT_OF_SETS
    return Choice("alpha_masi", (other,), reasons, OF_SETS)


def _care(f: Facts) -> tuple[str, ...]:
    """What coders should be told, with what they did.

    Coders should give a second label only if they are certain that both hold, and about equally
    often: here {did} annotations hold several.
    """
    s = f.structure
    if s is None:
        return ()
    shares = [c.share_several for c in s.coders]
    did = f"{percent(s.everybody.share_several)} of the"
    if len(shares) > MOST_NAMED:
        did = f"between {percent(min(shares))} and {percent(max(shares))} of a coder's"
    elif shares:
        did = joined(f"{percent(c.share_several)} ({quoted(c.coder)})" for c in s.coders)
        did = f"{did} of the"
    return paragraphs(_care, {"did": did})


def _here(f: Facts, key: str) -> str:
    return "" if math.isnan(f.value(key)) else f" ({f.shown(key)})"


# ------------------------------------------------------------------ how to read it


def _reading(f: Facts, primary: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What is a good score: thresholds with their authors and caveats.

    {name} = {value:.3}{sure}.

    Krippendorff asks for .800, and accepts .667 where tentative conclusions are enough; Artstein &
    Poesio found only values above .8 to go with annotation of good quality.

    The question is not whether coders beat chance but whether they are near enough to perfect
    agreement for the use of the data. Compare the lower end of the interval.

    Thresholds are conventions. The bands of Landis & Koch are arbitrary by their own account, and
    no band holds for every number of categories and every prevalence.

    {stricter}

    {of_sets}
    """
    found = f.coefficients[primary]
    if math.isnan(found.value):
        return (), ()
    ends = f"{decimal(found.low)} to {decimal(found.high)}"
    stricter = (
        "AC lies higher than κ where one category prevails, so no threshold made for κ holds for "
        "it: ask for more."
    )
    of_sets = (
        "These thresholds were made for single labels. Measures of label sets differ in what they "
        "count as agreement: compare values of the same measure only."
    )
    words: Mapping[str, Any] = {
        "name": f.name(primary),
        "value": found.value,
        "sure": "" if math.isnan(found.low) else f", {level_text(found.level)} interval {ends}",
        "stricter": stricter if f.skewed else "",
        "of_sets": of_sets if f.label_sets else "",
    }
    return paragraphs(_reading, words), ("krippendorff2004", "artstein2008", "landis1977")


def _show(f: Facts, primary: str) -> tuple[str, ...]:
    """What makes the figures checkable (Hoek & Scholman 2017, sec. 3.4 and 5).

    the numbers of items ({f.n_pairable:,}), coders ({f.n_coders:,}) and categories
    ({f.n_values:,}, of which {used:,} used)

    {name} with its interval, A_o and A_e

    the {table}

    the share of each category, for each coder

    {indices}
    """
    table, indices = "table of confusions, pooled over all pairs of coders", ""
    if f.known_coders and f.n_coders == 2:
        table = "contingency table"
    if f.skewed and f.two is not None and not math.isnan(f.two.prevalence.value):
        prevails, biased = (decimal(x.value) for x in (f.two.prevalence, f.two.bias))
        indices = f"the prevalence index ({prevails}) and the bias index ({biased})"
    words = {"f": f, "used": len(f.used), "name": f.name(primary)}
    return paragraphs(_show, {**words, "table": table, "indices": indices})


def _show_sets(f: Facts, primary: str) -> tuple[str, ...]:
    """What makes the figures of sets checkable.

    the numbers of items ({f.n_pairable:,}), coders ({f.n_coders:,}) and categories
    ({f.n_values:,}, of which {used:,} used)

    the share of annotations with several labels{each}

    the entropy of the labels ({entropy:.2} bits of at most log2 K = {most:.2})

    {name} with its interval, A_o and A_e

    how often each label is final, beside how often it was given
    """
    words = {
        "f": f,
        "used": len(f.used),
        "each": ", for each coder" if f.known_coders else "",
        "entropy": f.structure.everybody.entropy if f.structure else math.nan,
        "most": math.log2(f.n_values) if f.n_values else math.nan,
        "name": f.name(primary),
    }
    return paragraphs(_show_sets, words)
