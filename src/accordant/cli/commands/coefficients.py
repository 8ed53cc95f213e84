"""`accordant coefficients`: every idea of chance, with its formula and its source."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from ..group import command
from ..measuring import Measuring
from ..options import output
from ..output import Output
from ..terminal import MARGIN

if TYPE_CHECKING:
    from rich.console import Console

    from ...measure.measures import Measure

__all__ = ["coefficients"]


@command(
    examples=(
        ("accordant coefficients", "read what each coefficient assumes"),
        ("accordant coefficients alpha fleiss", "these, with the literature to cite"),
        ("accordant coefficients boot_match", "a measure of sets of labels"),
        ("accordant coefficients --format json", "the same for a program"),
    )
)
@click.argument("names", nargs=-1, metavar="[NAME]...")
@output
def coefficients(names: tuple[str, ...], output: Output) -> None:
    """List all coefficients: assumption, formula, names, source.

    A coefficient is an idea of chance: each says how much coders would agree who only guess. All
    are (A_o − A_e) / (1 − A_e) and differ in A_e. With weights for sets of labels some have names
    of their own, such as boot-match; these measures are listed last.
    """
    from ...measure.measures import measures
    from ...views.document import Column, Table

    wanted = Measuring(coefficients=names).names
    found = measures(wanted) if wanted else list(every_measure())
    rows = [row(m) for m in found]
    columns = tuple(Column(key, key.replace("_", " ")) for key in rows[0])

    def pretty(console: Console) -> None:
        for measure in found:
            if measure.weights is None or wanted:
                print_coefficient(console, measure, in_full=bool(names))
        if not wanted:
            print_measures(console)

    output.show(rows, lambda: Table("Coefficients", columns, tuple(rows)), pretty)


def every_measure() -> Iterator[Measure]:
    """Each coefficient, and then those with weights that have a name of their own."""
    from ...measure.coefficients import COEFFICIENTS
    from ...measure.measures import NAMED, Measure

    yield from map(Measure, COEFFICIENTS.values())
    for key, weights, _ in NAMED.values():
        yield Measure(COEFFICIENTS[key], weights)


def row(m: Measure) -> dict[str, Any]:
    """One measure as text."""
    from ...literature import reference
    from ...views.coefficients import sources_of
    from ...views.names import name_of

    c, weights = m.coefficient, m.weights or ""
    own = name_of(c.key, weights=weights, of_sets=True) if weights else ""
    return {
        "coefficient": _typed(m),
        "symbol": own or c.symbol,
        "name": own or c.name,
        "weights": weights,
        "assumption": c.assumption,
        "expected_agreement": c.formula,
        "also_known_as": "" if own else "; ".join(c.variants),
        "aliases": "" if own else ", ".join(c.aliases),
        "sources": " ".join(map(reference, sources_of(c.key, weights))),
    }


def _typed(m: Measure) -> str:
    """What a user types: 'alpha', 'boot_match', 'kappa_linear'."""
    from ...measure.measures import NAMED

    if m.weights is None:
        return m.coefficient.key
    own = (m.coefficient.key, m.weights)
    names = [key for key, (c, w, _) in NAMED.items() if (c, w) == own]
    return names[0] if names else "_".join(own)


def print_coefficient(console: Console, m: Measure, *, in_full: bool) -> None:
    """One measure as a paragraph; ``in_full`` with the references as in a bibliography."""
    from rich.padding import Padding
    from rich.table import Table
    from rich.text import Text

    from ...literature import cite, reference
    from ...views.coefficients import sources_of
    from ...views.names import begun, weights_text

    c, told = m.coefficient, row(m)
    keys = sources_of(c.key, m.weights or "")
    head = (begun(told["name"]), "bold"), (f"   -c {told['coefficient']}", "dim")
    console.print(Text.assemble("\n", " " * MARGIN, *head))
    facts = Table.grid(padding=(0, 2, 0, 0))
    facts.add_column(style="dim")
    facts.add_column()
    sources = "\n".join(map(reference, keys)) if in_full else ", ".join(map(cite, keys))
    for name, fact in (
        ("assumes", " ".join(c.assumption.split())),
        ("agrees", weights_text(m.weights) if m.weights else ""),
        ("chance", spelled(c.formula)),
        ("covers", told["also_known_as"]),
        ("or -c", told["aliases"]),
        ("source", sources),
    ):
        if fact:
            facts.add_row(name, fact)
    console.print(Padding(facts, (0, 0, 0, MARGIN)))


def print_measures(console: Console) -> None:
    """The measures of sets of labels: what counts as agreement, and whose chance."""
    from ...measure.coefficients import COEFFICIENTS
    from ...measure.measures import NAMED
    from ...views.document import Column, Table
    from ...views.names import weights_text
    from ..tables import print_sentences, print_table

    rows = tuple(
        {"key": key, "name": name, "chance": COEFFICIENTS[c].symbol, "agrees": weights_text(w)}
        for key, (c, w, name) in NAMED.items()
    )
    columns = (
        Column("key", "-c"),
        Column("name", "measure"),
        Column("chance", "chance"),
        Column("agrees", "what counts as agreement of two sets"),
    )
    notes = (
        "chance: the coefficient above whose idea of chance it takes",
        "other weights: boot_jaccard, alpha_f1 and so on, or --weights for all coefficients",
    )
    console.print()
    print_sentences(console, ["Sets of labels"], style="bold")
    print_table(console, Table("Sets of labels", columns, rows, notes))


SPELLED = (
    (r"_\{([^{}]*)\}", lambda m: "_" + m[1].replace(",", "")),
    (r"\\kappa", "κ"),
    (r"\\alpha", "α"),
    (r"\\mathrm\{(\w)\}", r"\1"),
    (r"\\text\{([^{}]*)\}", r"\1"),
    (r"\\tilde ?(\w)", lambda m: m[1] + "\N{COMBINING TILDE}"),
    (r"\\sim", "~"),
    (r"\\quad|\\ ", " "),
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
