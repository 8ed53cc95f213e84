"""Parts of pages that are written from the package itself, so that they cannot fall behind it.

A line ``<!-- generated: NAME -->`` in a page becomes what the function of that name returns.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from itertools import combinations
from typing import Any

import numpy as np
from sphinx.application import Sphinx

from accordant import COEFFICIENTS, Agreement, agreement, read
from accordant.counts.count import count
from accordant.inference.benchmarks import BENCHMARKS
from accordant.literature import LITERATURE, reference
from accordant.measure.distances import ALIASES, NAMES, weights_for
from accordant.measure.registry import Coefficient

PLACE = re.compile(r"^<!-- generated: (\w+) -->$", re.MULTILINE)


def filled(text: str) -> str:
    """A page with its generated parts."""
    return PLACE.sub(lambda found: PARTS[found[1]](), text)


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table in Markdown."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


# ------------------------------------------------------------------ coefficients


def glance() -> str:
    """One line for each coefficient."""
    return table(
        ["type", "symbol", "name", "agreement by chance: what it assumes"],
        [
            [f"`{c.key}`", symbol(c), f"[{c.name}](#coefficient-{c.key})", c.assumption]
            for c in COEFFICIENTS.values()
        ],
    )


def symbol(c: Coefficient) -> str:
    """The symbol; one with an index is a formula."""
    return f"${c.symbol}$" if "_" in c.symbol else c.symbol


def coefficients() -> str:
    """A section for each coefficient."""
    return "\n\n".join(map(section, COEFFICIENTS.values()))


def section(c: Coefficient) -> str:
    """Everything the registry says about a coefficient."""
    facts = [
        ("Also typed", ", ".join(f"`{name}`" for name in c.aliases)),
        ("In the literature", "; ".join(c.variants)),
        ("What is averaged", averaged(c)),
        ("Needs to know who annotated", "yes" if c.needs_coders else "no"),
        ("Sources", "<br>".join(reference(key) for key in c.sources)),
    ]
    return "\n\n".join(
        [
            f"(coefficient-{c.key})=\n### {symbol(c)}: {c.name}",
            f"> {c.assumption}",
            f"$$\n{c.formula}\n$$",
            table(["", ""], [[f"**{name}**", text] for name, text in facts if text]),
        ]
    )


def averaged(c: Coefficient) -> str:
    """Over what observed agreement is a mean."""
    if c.is_mean:
        return "the coefficients of the pairs of coders, each on the items that both annotated"
    if c.per_value:
        return "annotations: an item counts once for each of its annotations, if it has two or more"
    return "items: each counts once, however many annotations it has, if it has two or more"


def literature() -> str:
    """Every reference that the package cites."""
    return "\n".join(f"- {text}" for text in sorted(map(reference, LITERATURE)))


# ------------------------------------------------------------------ weights

CATEGORIES = (1, 2, 3, 5)  # a gap, so that value and rank differ
UNMETRIC = ("identity", "ordinal", "ordinal-metric")  # have no form by value
SCHEME = read([list(CATEGORIES), [1, 2, 2, 5]], categories=CATEGORIES, scale="ordinal")


def weights_by_value() -> str:
    """How much each two categories agree, by their value where weights know one."""
    return weight_pairs([n if n in UNMETRIC else f"{n}-by-value" for n in NAMES])


def weights_by_rank() -> str:
    """How much each two categories agree, by their rank."""
    return weight_pairs([f"{n}-by-rank" for n in NAMES if n not in UNMETRIC])


def weight_pairs(names: Sequence[str]) -> str:
    """A row for each weights, a column for each two categories."""
    counts = count(SCHEME)
    every = [weights_for(name, counts) for name in names]
    pairs = list(combinations(range(len(CATEGORIES)), 2))
    return table(
        ["", *(f"{CATEGORIES[a]} and {CATEGORIES[b]}" for a, b in pairs)],
        [[f"`{w.name}`", *(f"{w.matrix[a, b]:.3f}" for a, b in pairs)] for w in every],
    )


def weight_aliases() -> str:
    """The other names of weights."""
    return table(["you may type", "for"], [[f"`{a}`", f"`{n}`"] for a, n in ALIASES.items()])


# ------------------------------------------------------------------ undefined

UNDEFINED: tuple[Callable[[], Agreement], ...] = (
    lambda: agreement([[None, None], [None, None]], "alpha", categories=["a", "b"])["alpha"],
    lambda: agreement([["a", "b", "a"]], "alpha")["alpha"],
    lambda: agreement([["a", "b", None], [None, None, "a"]], "alpha")["alpha"],
    lambda: agreement({"a": [2, 1, 0], "b": [0, 1, 2]}, "kappa", layout="counts")["kappa"],
    lambda: agreement([["a", "a"], ["a", "a"]], "ac")["ac"],
    lambda: agreement([["a", "a"], ["a", "a"]], "alpha", categories=["a", "b"])["alpha"],
    lambda: agreement([["a", "a", "b"], ["a", "a", None]], "alpha")["alpha"],
    lambda: agreement([["a", "b"], ["b", "b"]], "s", weights=[[1, 1], [1, 1]])["s"],
)
"""A call for each reason."""


def undefined_reasons() -> str:
    """Reason codes with the sentence of an example."""
    rows: dict[str, str] = {}
    for example in UNDEFINED:
        why = example().undefined
        if why is not None:
            rows[why.reason] = why.sentence
    return table(["`reason`", "`undefined`, here of a small example"],
                 [[f"`{code}`", text] for code, text in rows.items()])  # fmt: skip


# ------------------------------------------------------------------ benchmarks


def benchmark_scales() -> str:
    """The published scales, with their words and what their authors say."""
    return table(
        ["type", "scale", "bands", "caveat", "source"],
        [[f"`{s.key}`", s.name, bands(s.bands), s.caveat, s.place] for s in BENCHMARKS.values()],
    )


def bands(found: Sequence[Any]) -> str:
    """The words of a scale with their lower limits."""
    return ", ".join(
        f"{b.name} from {b.low:.3g}" if np.isfinite(b.low) else f"{b.name} below" for b in found
    )


PARTS: dict[str, Callable[[], str]] = {
    f.__name__: f
    for f in (
        glance, coefficients, literature, weights_by_value, weights_by_rank, weight_aliases,
        undefined_reasons, benchmark_scales,
    )
}  # fmt: skip


def setup(app: Sphinx) -> dict[str, bool]:
    """Fill in the pages when they are read."""

    def fill(app: Sphinx, name: str, source: list[str]) -> None:
        source[0] = filled(source[0])

    app.connect("source-read", fill)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
