"""How it was computed, how to repeat it, and whom to cite."""

from __future__ import annotations

import math
from collections.abc import Iterable

from ..literature import LITERATURE, bibtex, cite, reference
from ..measure.coefficients import COEFFICIENTS
from ..numbers import joined
from .coefficients import sources_of
from .document import Column, Pairs, Prose, Quotation, References, Section, Table
from .names import symbol_of, weights_text
from .study import Part, Study

__all__ = ["method_section", "references_section"]

_METHODS = {
    "score": (
        "Intervals hold all values that a score test does not reject: the variance is the one that "
        "the items would have if the tested value were true, as in the interval of Wilson (1927) "
        "for a share. They speak about items like these, annotated by these coders."
    ),
    "linearised": (
        "Standard errors are linearised: each coefficient is written as the mean of one number "
        "per item, and the spread of these numbers gives its error (Gwet 2014), with a t "
        "interval. They speak about items like these, annotated by these coders."
    ),
    "delta": (
        "Standard errors come from the delta method: as linearised ones, with the number of items "
        "with two annotations taken as sampled too."
    ),
    "exact bound": (
        "Where no item shows a disagreement there is no standard error; the lower end of the "
        "interval is the exact bound for no disagreement in so many items (Clopper & Pearson 1934)."
    ),
    "large-sample": "Standard errors are linearised, with divisor n and a normal interval.",
    "jackknife": "Standard errors come from leaving out each item once (jackknife).",
    "bootstrap": "Intervals are percentiles of bootstrap resamples of the items.",
    "bca": "Intervals are bias-corrected and accelerated bootstrap intervals over items.",
}


def method_section(study: Study) -> Section:
    """What each coefficient assumes, and the call that gives the same numbers again."""
    rows = tuple(
        {
            "name": study.whole.name(row),
            "assumption": COEFFICIENTS[row.coefficient].assumption.splitlines()[0],
            "cite": joined((cite(k) for k in sources_of(row.coefficient, row.weights)), most=3),
        }
        for row in study.whole.agreements
    )
    columns = (
        Column("name", "coefficient"),
        Column("assumption", "what coders who guess are assumed to do"),
        Column("cite", "source"),
    )
    facts = Pairs((
        *_weights(study),
        ("Fingerprint of the data", study.data.fingerprint),
    ))  # fmt: skip
    lead = (
        "Each coefficient is (observed − expected) / (1 − expected), with its own idea of what "
        "agreement by chance is."
    )
    uncertainty = [
        text for method, text in _METHODS.items()
        if any(row.method.startswith(method) for part in study.parts for row in part.agreements)
    ]  # fmt: skip
    if any("clustered" in row.method for row in study.whole.agreements):
        uncertainty.append(
            "Figures of all questions together are clustered by item: answers about the same item "
            "are not independent."
        )
    return Section(
        "method",
        "How it was computed",
        lead,
        (
            Table("What each coefficient takes for chance", columns, rows),
            *(Prose(text) for text in (*_label_draw(study), *uncertainty)),
            facts,
            Quotation(study.table.signature, verbatim=True, title="Signature, to repeat it"),
        ),
    )


def _label_draw(study: Study) -> list[str]:
    """How chance agreement of several labels was found."""
    drawn = [row for row in study.whole.agreements if row.coefficient == "boot"]
    if not drawn:
        return []
    exact = (
        "computed exactly"
        if all(math.isnan(row.expected_error) for row in drawn)
        else "simulated, each with the standard error in its note"
    )
    return [
        "Label draw (Marchal et al. 2022): each coder draws a number of labels as often as the "
        "coder gave that many, and then so many different labels one after another, each by its "
        "share of the coder's labels among those left. The agreement of two such coders is "
        f"{exact}; of more than two coders it is the mean over their pairs."
    ]


def _weights(study: Study) -> tuple[tuple[str, str], ...]:
    """What counts as agreement, by question where that differs."""
    each = {part.title: _weights_of(part) for part in study.parts}
    if len(set(each.values())) == 1:
        return (("What counts as agreement", _weights_of(study.whole)),)
    return tuple((f"What counts as agreement · {title}", how) for title, how in each.items())


def _weights_of(part: Part) -> str:
    """The weights; of which coefficients, where these differ."""
    symbols: dict[str, list[str]] = {}
    for row in part.agreements:
        name = weights_text(row.weights)
        symbols.setdefault(name, []).append(symbol_of(row, of_sets=part.of_sets))
    if len(symbols) == 1:
        return next(iter(symbols))
    return "; ".join(f"{name} for {joined(of)}" for name, of in symbols.items())


def references_section(study: Study, more: Iterable[str] = ()) -> Section:
    """Everything that this report cites; ``more`` are keys of other parts of it."""
    cited = {*_cited(study), *more} & LITERATURE.keys()
    keys = sorted(cited, key=lambda k: reference(k).casefold())
    entries = tuple((key, *_linked(reference(key))) for key in keys)
    return Section(
        "references",
        "How to cite",
        "Cite the source of each measure that you report.",
        (
            References(entries),
            Quotation(
                "\n\n".join(map(bibtex, keys)), verbatim=True, title="BibTeX", depth="evidence"
            ),
        ),
    )


def _cited(study: Study) -> Iterable[str]:
    from ..inference.benchmarks import BENCHMARKS

    for row in study.whole.agreements:
        yield from sources_of(row.coefficient, row.weights)
    for finding in study.diagnosis.findings:
        yield from finding.sources
    for part in study.parts:
        yield from part.found.recommendation.sources
    yield from (scale.source for scale in BENCHMARKS.values())
    yield from ("gwet2014", "light1971", "byrt1993", "stuart1955", "maxwell1970")


def _linked(text: str) -> tuple[str, str]:
    """A reference and its link, if it ends in one."""
    start, found, doi = text.rpartition(" https://doi.org/")
    return (start, f"https://doi.org/{doi}") if found else (text, "")
