"""How agreement was measured, how to repeat it, and whom to cite."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator

from ..diagnosis.agreement_table import AgreementPart, AgreementTable
from ..inference.benchmarks import BENCHMARKS
from ..literature import LITERATURE, bibtex, cite, reference
from ..measure.coefficient_value import Agreement
from ..measure.measures import definition, sources_of, weights_text
from ..measure.ratings import RATINGS
from ..numbers import joined
from .blocks import Block, Prose, Quotation, References, Table
from .coefficient_names import by_reason, coefficient_name, symbol_of
from .document import Section
from .view import POOLED, view

INTERVALS = {
    "score": (
        "Intervals hold all values that a score test does not reject, as Wilson's (1927) for a "
        "share: the variance is that of the items if the tested value were true. They "
        "generalise to items like these, annotated by these coders."
    ),
    "linearised": (
        "Standard errors are analytic: a coefficient is the mean of one number per item, whose "
        "spread gives its error (linearisation; Gwet 2014), with a t interval. They "
        "generalise to items like these, annotated by these coders."
    ),
    "delta": (
        "Standard errors come from the delta method: as analytic ones, with the number of items "
        "with two annotations sampled too."
    ),
    "exact bound": (
        "Where no item shows a disagreement the lower end of the interval is the exact bound "
        "for so many items (Clopper & Pearson 1934)."
    ),
    "bootstrap": "Intervals are percentiles of bootstrap resamples of the items.",
    "F": (
        "Of ICC without gaps: by F (McGraw & Wong 1996), for coders and items that are normal; "
        "“widened” by how much more the ratings of items vary."
    ),
    "REML": (
        "Of ICC with gaps: restricted maximum likelihood and its profile, for coders and items "
        "that are normal; “widened” as those by F."
    ),
    "clustered": (
        "All questions together are clustered by item: answers about one item are not independent."
    ),
}


@view("methods", of="agreement", title="Methods", chapter="methods", place=130, whole=True)
def methods(part: AgreementPart) -> Iterator[Block]:
    """What each coefficient assumes, how intervals were computed, the signature."""
    rows = (
        {
            "name": coefficient_name(row, of_sets=part.of_sets),
            "coefficient": row.coefficient,
            "weights": row.weights,
            "assumption": definition(row.coefficient).assumption.splitlines()[0],
            "cite": joined((cite(k) for k in sources_of(row.coefficient, row.weights)), most=3),
        }
        for row in part.rows
    )
    by_chance = [row for row in part.rows if row.coefficient not in RATINGS]
    beside = " ICC and W are shares of the variance." * (len(by_chance) < len(part.rows))
    note = "Each coefficient is (A_o − A_e) / (1 − A_e); they differ in expected agreement A_e."
    note *= bool(by_chance)
    called, title = {"name": "coefficient"}, "What each coefficient expects of chance"
    yield Table.of(
        "name assumption cite", rows, ((note + beside).strip(),), title=title, called=called
    )
    used = {row.method for row in part.table.rows}
    how = (text for word, text in INTERVALS.items() if any(word in method for method in used))
    yield from map(Prose, (*_label_draw(part), *how))
    yield Prose(facts=(*_weights(part.table), ("Fingerprint of the data", part.data.fingerprint)))
    yield Quotation(part.table.signature, verbatim=True, title="Signature, to repeat it")


def _label_draw(part: AgreementPart) -> Iterator[str]:
    """How the agreement of several labels that chance would give was found."""
    drawn = [row for row in part.rows if row.coefficient == "boot"]
    if drawn:
        exact = (
            "computed exactly"
            if all(math.isnan(row.expected_error) for row in drawn)
            else "simulated, each with the standard error in its note"
        )
        yield (
            "Label draw (Marchal et al. 2022): each coder draws a number of labels as often as "
            "the coder gave that many, then so many different labels, each by its share "
            f"among those left. The agreement of two such coders is {exact}; of more it is "
            "the mean over pairs."
        )


def _weights(table: AgreementTable) -> Iterator[tuple[str, str]]:
    """What counts as agreement, by question where that differs."""
    what = "What counts as agreement"
    each = {part.question or POOLED: _weights_of(part) for part in table.told_parts}
    if len({*each.values()}) == 1:
        each = {"": _weights_of(table.told_parts[0])}
    yield from ((f"{what} · {name}" if name else what, how) for name, how in each.items() if how)


def _weights_of(part: AgreementPart) -> str:
    """The weights; of which coefficients, where these differ."""
    symbols = by_reason(
        (symbol_of(row, of_sets=part.of_sets), weights_text(row.weights))
        for row in part.rows
        if row.coefficient not in RATINGS
    )
    return "; ".join(
        f"{name} for {joined(of)}" if len(symbols) > 1 else name for name, of in symbols.items()
    )


# ------------------------------------------------------------------ literature


@view("references", of="agreement", title="References", chapter="methods", place=140, whole=True)
def references(part: AgreementPart) -> Iterator[Block]:
    """The literature to cite, with BibTeX."""
    yield from literature(key for row in part.rows for key in _of_row(row))


def references_section(table: AgreementTable, more: Iterable[str] = ()) -> Section:
    """Everything that a report cites; ``more`` are keys of other parts of it."""
    lead = "Cite the source of each coefficient that you report."
    return Section("references", "References", lead, tuple(literature([*cited(table), *more])))


def cited(table: AgreementTable) -> Iterator[str]:
    """Keys of what the coefficients, the findings and the recommendation rest on."""
    yield from (key for row in table.rows for key in _of_row(row))
    for finding in table.findings:
        yield from finding.sources
    for part in table.diagnosis:
        yield from part.recommendation.sources
    yield from (scale.source for scale in BENCHMARKS.values())
    yield from ("gwet2014", "light1971", "byrt1993", "stuart1955", "maxwell1970")


def _of_row(row: Agreement) -> tuple[str, ...]:
    return sources_of(row.coefficient, row.weights)


def literature(keys: Iterable[str]) -> Iterator[Block]:
    """Publications by their keys, with BibTeX."""
    known = sorted({*keys} & LITERATURE.keys(), key=lambda key: reference(key).casefold())
    yield References(tuple((key, *_linked(reference(key))) for key in known))
    yield Quotation("\n\n".join(map(bibtex, known)), verbatim=True, title="BibTeX", depth="detail")


def _linked(text: str) -> tuple[str, str]:
    """A reference and its link, if it ends in one."""
    start, found, doi = text.rpartition(" https://doi.org/")
    return (start, f"https://doi.org/{doi}") if found else (text, "")
