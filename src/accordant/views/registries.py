"""What there is to choose from: coefficients, and models of coders with their options."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from ..literature import cite, reference
from ..measure.measures import (
    CoefficientList,
    Measure,
    sources_of,
    typed_name,
    weights_text,
)
from ..measure.ratings import RATINGS
from ..models.model import Model
from ..models.model_list import ModelList, options_of
from ..numbers import joined
from .blocks import Block, Prose, Table, entry
from .coefficient_names import begun
from .view import view

FORMULAS = (
    (r"_\{([^{}]*)\}", lambda m: "_" + m[1].replace(",", "")),
    (r"\\kappa", "κ"),
    (r"\\alpha", "α"),
    (r"\\sigma", "σ"),
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
)
"""Names in the formulas of the registry, in plain text."""


# ------------------------------------------------------------------ coefficients


@view("definitions", of="coefficients", title="Coefficients", place=10)
def list_of_coefficients(found: CoefficientList) -> Iterator[Block]:
    """What each assumes about agreement by chance; in full, everything about those named."""
    every = tuple(found.to_rows())
    if found.in_full:
        yield Table.of("coefficient name", every, depth="evidence")
        yield from map(_coefficient, found.measures)
        return
    rows = [row | _brief(m) for row, m in zip(every, found.measures, strict=True)]
    single, of_sets = ([row for row in rows if bool(row["weights"]) == x] for x in (False, True))
    yield Table.of("coefficient name assumption cite", single, every=every, most=len(rows))
    note = "Other weights: boot_jaccard, alpha_f1 and so on."
    yield Table.of("coefficient name base agrees", of_sets, (note,), title="Sets of labels")


def _brief(m: Measure) -> dict[str, Any]:
    c = m.coefficient
    return {
        "base": c.symbol,
        "assumption": " ".join(c.assumption.split("\n\n")[0].split()),
        "agrees": weights_text(m.weights or ""),
        "cite": joined(map(cite, sources_of(c.key, m.weights or "")), most=12),
    }


def _coefficient(m: Measure) -> Prose:
    """One coefficient as a paragraph, with the references as in a bibliography."""
    (row,) = CoefficientList((m,)).to_rows()
    c = m.coefficient
    facts = (
        ("Assumes", " ".join(c.assumption.split())),
        ("What counts as agreement", weights_text(m.weights) if m.weights else ""),
        (
            "Share of the variance" if c.key in RATINGS else "Expected agreement",
            formula_text(c.formula),
        ),
        ("Also known as", row["also_known_as"]),
        ("Other names", row["aliases"]),
        *(("Source", reference(key)) for key in sources_of(c.key, m.weights or "")),
    )
    return _entry(typed_name(m), begun(row["name"]), facts)


def _entry(key: str, title: str, facts: Iterable[tuple[str, str]]) -> Prose:
    return entry(key, title, key, tuple(f"{name}: {fact}" for name, fact in facts if fact))


def formula_text(formula: str) -> str:
    r"""A formula in LaTeX as one line of text.

    Examples
    --------
    >>> formula_text(r"A_e = \frac{1}{K^2} \sum_{k,l} w_{kl}")
    'A_e = 1 / K² Σ_kl w_kl'
    """
    for pattern, written in FORMULAS:
        formula = re.sub(pattern, written, formula)
    return formula


def _bracketed(term: str) -> str:
    return term if re.fullmatch(r"[\w²]+", term) else f"({term})"


# ------------------------------------------------------------------ models


@view("definitions", of="list_models", title="Models of coders", place=10)
def list_of_models(found: ModelList) -> Iterator[Block]:
    """What each assumes; in full, every option of those named."""
    every = tuple(found.to_rows())
    if not found.in_full:
        yield Table.of("model name assumption", every, most=len(every))
        return
    yield Table.of("model", every, depth="evidence")
    for model in found.models:
        yield _model(model)
        rows = [_option(row) for row in every if row["model"] == model.key]
        if rows:
            yield Table.of("option default allowed meaning", rows, most=len(rows))


def _model(model: Model) -> Prose:
    facts = (
        ("Assumes", model.assumption),
        ("Finds", "" if model.probabilistic else "shares of votes, which are no probabilities"),
        ("Other names", joined(model.aliases, most=12)),
        *(("Source", reference(key)) for key in model.sources),
        ("Options", "" if options_of(model) else "none"),
    )
    return _entry(model.key, model.name, facts)


def _option(row: dict[str, Any]) -> dict[str, Any]:
    """An option in plain words: no marks of docstrings."""
    return {
        **row,
        "default": "…" if row["default"] is None else str(row["default"]),
        "allowed": re.sub("[{}']", "", row["allowed"]).removesuffix(", optional"),
        "meaning": row["meaning"].replace("``", "").replace("`", ""),
    }
