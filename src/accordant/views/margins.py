"""What the margins of a contingency table do to kappa."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..diagnosis.confusion import Confusion
from ..diagnosis.indices import Indices, indices
from .document import Column, Depth, Table

__all__ = ["margins_table"]

_TWO = (
    Column("prevalence", "prevalence", "value", "difference of the two cells of agreement"),
    Column("bias", "bias", "value", "difference of the two cells of disagreement"),
)


def margins_table(tables: Sequence[Confusion], *, level: float, depth: Depth) -> Table:
    """Largest possible kappa, PABAK, prevalence and bias of pairs of coders."""
    found = [indices(table, level=level) for table in tables]
    two = any(table.table.shape == (2, 2) for table in tables)
    columns = (
        Column("pair", "coders"),
        Column("n_items", "items", "count"),
        Column("kappa", "Cohen's κ", "value", "labels equal or not"),
        Column("kappa_max", "κ max", "value", "the largest κ that these distributions allow"),
        Column("kappa_ratio", "κ / κ max", "value"),
        Column("pabak", "PABAK", "value", "κ if all labels were equally frequent"),
        *(_TWO if two else ()),
        Column("marginal_difference", "difference", "share", "of the coders' distributions"),
        Column("marginal_p", "p", "p", "of equal distributions"),
    )
    notes = (
        "κ max: the largest κ that coders with these distributions could reach (Cohen 1960). "
        "PABAK: κ if all labels were equally frequent, (K A_o − 1) / (K − 1) (Byrt et al. 1993). "
        "Difference: the share of one coder's labels that would have to change for equal "
        "distributions; p tests that they are equal (Stuart 1955; Maxwell 1970).",
        *(
            ("Prevalence and bias index: from −1 to 1, 0 if balanced (Byrt et al. 1993).",)
            if two
            else ()
        ),
    )
    rows = tuple(map(_row, found))
    return Table("What the distributions do to κ", columns, rows, notes, depth=depth)


def _row(found: Indices) -> dict[str, Any]:
    return {"pair": f"{found.first} – {found.second}", **found.to_rows()[0]}
