"""Ratings in their own units: the error of one, who rates higher, limits of agreement."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict
from typing import Any

from ..diagnosis.agreement_table import AgreementPart
from ..diagnosis.measurements import Measurements
from ..messages import isolated
from ..numbers import decimal, level_text
from .blocks import Block, Prose, Table
from .view import view


@view("units", of="agreement", title="In the units of the scale", chapter="agreement", place=25)
def units(part: AgreementPart) -> Iterator[Block]:
    """What a typical error is, who rates higher, and how far two ratings of an item lie apart."""
    found = part.measurements
    if found is None:
        return
    yield Prose(" ".join(_told(found)))
    rows = found.coder_rows()
    yield Table.of(
        "coder* n_items mean rated_higher* interval*",
        rows,
        (
            "Higher: than the mean of all coders would rate the same items; "
            f"{level_text(found.level)} intervals are for these items.",
        ),
        by="-rated_higher",
        title="Coders' levels",
    )
    if not found.pairs:
        return
    yield Table.of(
        "first second n_common* rated_higher* bias_interval limits* slope slope_p share_within",
        ({"rated_higher": x.bias, **asdict(x)} for x in found.pairs),
        (
            "Higher: second − first. Limits of agreement: bias ± 1.96 s.d. (Bland & Altman 1986); "
            "they hold 95 % of normal differences. Trend: of the difference with the mean of both.",
        ),
        title="Limits of agreement",
    )


def _told(m: Measurements) -> Iterator[str]:
    """The error, the usual difference, and whoever rates higher or lower for sure."""
    yield (
        f"The standard error of one rating is {decimal(m.error)}, of a coder whose level is known "
        f"{decimal(m.error_of_coder)}."
    )
    if m.usual == m.usual:
        apart = f"differ by {decimal(m.usual)} or less"
        yield f"Two coders' ratings of an item {apart} in 95 % of pairs."
    row = m.sure
    if row is not None:
        yield shifted(row)


def shifted(row: Mapping[str, Any]) -> str:
    """Who rates higher or lower than the others, and by how much."""
    high = row["rated_higher"]
    way, than = "higher" if high > 0 else "lower", "the mean of the coders for the same items"
    return f"{isolated(row['coder'])} rates {decimal(abs(high))} {way} than {than}."
