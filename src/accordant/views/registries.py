"""What can be chosen from: the coefficients and the models of coders, as their definitions say."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

from ..fields import columns
from ..literature import cite, reference
from ..measure.coefficients import COEFFICIENTS
from ..measure.measures import NAMED, Measure, measures
from ..models.listing import ModelList, aliases_of, options_of
from ..results import Result
from .coefficients import sources_of
from .document import Block, Entry, Table
from .names import begun, name_of, weights_text
from .view import view

__all__ = ["CoefficientList", "formula_text", "list_coefficients"]


@dataclass(frozen=True, eq=False, repr=False)
class CoefficientList(Result):
    """Coefficients with what they assume; ``in_full`` those that were named."""

    told_as: ClassVar[str] = "coefficients"
    question: ClassVar[None] = None

    measures: tuple[Measure, ...]
    in_full: bool = False

    def to_rows(self) -> list[dict[str, Any]]:
        """One row for each."""
        return [_row(m) for m in self.measures]


def list_coefficients(*names: str) -> CoefficientList:
    """The coefficients that are named; else all, and the measures of sets of labels after them."""
    if names:
        return CoefficientList(tuple(measures(list(names))), True)
    named = (Measure(COEFFICIENTS[key], weights) for key, weights, _ in NAMED.values())
    return CoefficientList((*map(Measure, COEFFICIENTS.values()), *named))


@view("definitions", of="coefficients", title="Coefficients", place=10)
def coefficients(part: CoefficientList) -> Iterator[Block]:
    """Each coefficient with its assumption and formula; measures of sets in a table."""
    rows = tuple(part.to_rows())
    yield Table("", columns("coefficient name weights assumption sources"), rows, depth="detail")
    for m, row in zip(part.measures, rows, strict=True):
        if m.weights is None or part.in_full:
            key, name = str(row["coefficient"]), begun(str(row["name"]))
            yield Entry(key, name, f"-c {key}", tuple(_facts(m, row, part.in_full)))
    sets = tuple(r | {"counts_as": weights_text(str(r["weights"]))} for r in rows if r["weights"])
    if sets and not part.in_full:
        yield Table("Sets of labels", columns("coefficient name counts_as"), sets)


def _facts(m: Measure, row: dict[str, Any], in_full: bool) -> Iterator[str]:
    keys = sources_of(m.coefficient.key, m.weights or "")
    sources = "; ".join(map(reference if in_full else cite, keys))
    for name, fact in (
        ("Assumes", " ".join(m.coefficient.assumption.split())),
        ("Counts as agreement", weights_text(m.weights) if m.weights else ""),
        ("Expected agreement", formula_text(m.coefficient.formula)),
        ("Also known as", row["also_known_as"]), ("Aliases", row["aliases"]), ("Source", sources),
    ):  # fmt: skip
        if fact:
            yield f"{name}: {fact}"


def _row(m: Measure) -> dict[str, Any]:
    c, weights = m.coefficient, m.weights or ""
    own = name_of(c.key, weights=weights, of_sets=True) if weights else ""
    return {
        "coefficient": _key(m), "symbol": own or c.symbol, "name": own or c.name,
        "weights": weights, "assumption": c.assumption, "expected_agreement": c.formula,
        "also_known_as": "" if own else "; ".join(c.variants),
        "aliases": "" if own else ", ".join(c.aliases),
        "sources": " ".join(map(reference, sources_of(c.key, weights))),
    }  # fmt: skip


def _key(m: Measure) -> str:
    """What a user types: 'alpha', 'boot_match', 'kappa_linear'."""
    if m.weights is None:
        return m.coefficient.key
    own = (m.coefficient.key, m.weights)
    names = [key for key, (c, w, _) in NAMED.items() if (c, w) == own]
    return names[0] if names else "_".join(own)


@view("definitions", of="list_models", title="Models of coders", place=10)
def models(part: ModelList) -> Iterator[Block]:
    """Each model with its assumption; in full with its options."""
    yield Table("", columns("model name assumption options"), tuple(part.to_rows()), depth="detail")
    for m in part.models:
        options = [x for x in options_of(m) if x.name != "history"]
        sources = "; ".join(map(reference if part.in_full else cite, m.sources))
        facts = [
            f"Assumes: {m.assumption}",
            *([] if m.probabilistic else ["Finds shares of votes: opinions, no probabilities"]),
            *([f"Options: {', '.join(x.name for x in options) or 'none'}"]),
            *([f"Aliases: {', '.join(aliases_of(m))}"] if aliases_of(m) else []),
            f"Source: {sources}",
        ]
        if part.in_full:
            facts += [f"{x.name} ({x.allowed}; default {x.default}): {x.meaning}" for x in options]
        yield Entry(m.key, m.name, f"-m {m.key}", tuple(facts))


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
"""What stands in the formulas of the registry, and how it is written in a line of text."""


def formula_text(formula: str) -> str:
    r"""A formula in LaTeX as one line of text.

    Examples
    --------
    >>> formula_text(r"A_e = \frac{1}{K^2} \sum_{k,l} w_{kl}")
    'A_e = 1 / K² Σ_kl w_kl'
    """
    for pattern, written in SPELLED:
        formula = re.sub(pattern, written, formula)
    return formula


def _bracketed(term: str) -> str:
    return term if re.fullmatch(r"[\w²]+", term) else f"({term})"
