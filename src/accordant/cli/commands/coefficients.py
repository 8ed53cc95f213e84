"""`accordant coefficients`: every idea of chance, with its formula and its source."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import click

from ..group import command
from ..measuring import Measuring
from ..options import output
from ..output import Output
from ..terminal import MARGIN

if TYPE_CHECKING:
    from rich.console import Console

    from ...measure.registry import Coefficient

__all__ = ["coefficients"]


@command(
    examples=(
        ("accordant coefficients", "read what each coefficient assumes"),
        ("accordant coefficients alpha fleiss", "these, with the literature to cite"),
        ("accordant coefficients --format json", "the same for a program"),
    )
)
@click.argument("names", nargs=-1, metavar="[NAME]...")
@output
def coefficients(names: tuple[str, ...], output: Output) -> None:
    """List all coefficients: assumption, formula, names, source.

    A coefficient is an idea of chance: each says how much coders would agree who only guess. All
    are (A_o − A_e) / (1 − A_e) and differ in A_e.
    """
    from ...reports.document import Column, Table

    found = Measuring(coefficients=names).check()
    rows = [row(c) for c in found]
    columns = tuple(Column(key, key.replace("_", " ")) for key in rows[0])

    def pretty(console: Console) -> None:
        for coefficient in found:
            print_coefficient(console, coefficient, in_full=bool(names))

    output.show(rows, lambda: Table("Coefficients", columns, tuple(rows)), pretty)


def row(c: Coefficient) -> dict[str, Any]:
    """One coefficient as text."""
    from ...literature import reference

    return {
        "coefficient": c.key,
        "symbol": c.symbol,
        "name": c.name,
        "assumption": c.assumption,
        "expected_agreement": c.formula,
        "also_known_as": "; ".join(c.variants),
        "aliases": ", ".join(c.aliases),
        "sources": " ".join(map(reference, c.sources)),
    }


def print_coefficient(console: Console, c: Coefficient, *, in_full: bool) -> None:
    """One coefficient as a paragraph; ``in_full`` with the references as in a bibliography."""
    from rich.padding import Padding
    from rich.table import Table
    from rich.text import Text

    from ...literature import cite, reference

    console.print(Text.assemble("\n", " " * MARGIN, (c.name, "bold"), (f"   -c {c.key}", "dim")))
    facts = Table.grid(padding=(0, 2, 0, 0))
    facts.add_column(style="dim")
    facts.add_column()
    sources = "\n".join(map(reference, c.sources)) if in_full else ", ".join(map(cite, c.sources))
    for name, fact in (
        ("assumes", c.assumption),
        ("chance", spelled(c.formula)),
        ("covers", "; ".join(c.variants)),
        ("or -c", ", ".join(c.aliases)),
        ("source", sources),
    ):
        if fact:
            facts.add_row(name, fact)
    console.print(Padding(facts, (0, 0, 0, MARGIN)))


SPELLED = (
    (r"_\{([^{}]*)\}", lambda m: "_" + m[1].replace(",", "")),
    (r"\\kappa", "κ"),
    (r"\\bar ?(\w)", lambda m: m[1] + "\N{COMBINING MACRON}"),
    (r"\\sum", "Σ"),
    (r"\\binom\{(\w)\}\{(\w)\}", r"(\1 over \2)"),
    (r"\^\{-1\}", "⁻¹"),
    (r"\^2", "²"),
    (r"\\frac\{([^{}]*)\}\{([^{}]*)\}", lambda m: f"{_bracketed(m[1])} / {_bracketed(m[2])}"),
    (r"\\,", " "),
    (r" +", " "),
)  # fmt: skip
"""What stands in the formulas of the registry, and how it is written on a terminal."""


def spelled(formula: str) -> str:
    r"""A formula in LaTeX as one line of text.

    Examples
    --------
    >>> spelled(r"A_e = \frac{1}{K^2} \sum_{k,l} w_{kl}")
    'A_e = 1 / K² Σ_kl w_kl'
    """
    for pattern, written in SPELLED:
        formula = re.sub(pattern, written, formula)
    return formula


def _bracketed(term: str) -> str:
    return term if re.fullmatch(r"[\w²]+", term) else f"({term})"
