"""What things are called in a report: coefficients, labels, parts of the data."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from ..measure.coefficient_value import Agreement
from ..measure.measures import key_of, name_of, shown, weights_text
from ..numbers import decimal, joined, tied

if TYPE_CHECKING:  # pages of projects name things, too, and need not load all of diagnosis
    from ..diagnosis.diagnose import Part


UNKNOWN = "The data do not say who gave which label."


def key_of_row(row: Agreement) -> str:
    """The key under which a row is asked for: 'alpha', 'boot_match'."""
    return key_of(row.coefficient, row.weights)


def coefficient_name(row: Agreement, *, of_sets: bool = False) -> str:
    """The name under which the coefficient of these data is known.

    Examples
    --------
    >>> import accordant as ac
    >>> two = ac.agreement([["a", "b", "a"], ["a", "b", "b"]])
    >>> [coefficient_name(row) for row in two]
    ['Percent agreement', "Bennett's S", "Scott's π", "Cohen's κ", ..., "Gwet's AC1"]
    """
    return name_of(row.coefficient, n_coders=row.n_coders, weights=row.weights, of_sets=of_sets)


def symbol_of(row: Agreement, *, of_sets: bool = False) -> str:
    """The short name: 'κ', 'boot-match'."""
    if of_sets:
        return coefficient_name(row, of_sets=True)
    return shown(row.coefficient, row.weights)


def measured_by(part: Part, what: str) -> str:
    """``what``, with the measure where there are several ways to compare two sets."""
    return f"{what} ({short_weights(part.w.name)})" if part.counts.of_sets else what


def in_part(part: Part) -> tuple[str, ...]:
    """How far agreement counts in part, as a note below a table; nothing where it does not."""
    if part.w.name == "identity":
        return ()
    what = "Agreement of two label sets" if part.counts.of_sets else "Partial agreement"
    return (f"{what}: {weights_text(part.w.name)}.",)


def measurements(part: Part) -> str:
    """Why there is no table of categories."""
    return (
        f"{part.counts.n_values:,} different numbers on the {part.scheme.scale} scale are "
        "measurements, not categories."
    )


def short_weights(name: str) -> str:
    """The weights as a heading has room for them.

    Examples
    --------
    >>> short_weights("masi"), short_weights("overlap"), short_weights("precision")
    ('MASI', 'a label in common', 'precision')
    """
    base = name.partition(":")[0]
    return base if base in ("precision", "recall") else weights_text(base).partition(":")[0]


def begun(name: str) -> str:
    """A name where a sentence begins with it.

    Examples
    --------
    >>> begun("boot-match"), begun("κ of whole sets")
    ('Boot-match', 'κ of whole sets')
    """
    return name[:1].upper() + name[1:] if name[:1].isascii() else name


def by_reason(told: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    """The names by what is said of them; who has nothing said is left out.

    Examples
    --------
    >>> by_reason([("S", "one category."), ("κ", "one category"), ("π", "")])
    {'one category': ['S', 'κ']}
    """
    found: dict[str, list[str]] = {}
    for name, why in told:
        if why:
            found.setdefault(why.rstrip("."), []).append(name)
    return found


def undefined_notes(rows: Iterable[tuple[str, Any]]) -> Iterator[str]:
    """Why numbers are missing: one sentence for each reason, with the names it holds for."""
    for why, found in by_reason((name, str(row.undefined or "")) for name, row in rows).items():
        yield f"{joined(found)} {'is' if len(found) == 1 else 'are'} undefined: {why}."


def ranging(what: str, each: Iterable[tuple[str, float]], digits: int = 3) -> str:
    """The lowest and the highest value with what has it; empty where none is defined.

    Examples
    --------
    >>> ranging("κ", [("a", 0.5), ("b", 0.7), ("c", float("nan"))]), ranging("κ", [("a", 0.5)])
    ('κ ranges from 0.500 (a) to 0.700 (b)', 'κ is 0.500 (a)')
    """
    known = sorted((x for x in each if not math.isnan(x[1])), key=lambda x: tied(x[1]))
    ends = known[:1] + known[1:][-1:]
    told = " to ".join(f"{decimal(value, digits)} ({name})" for name, value in ends)
    verb = "ranges from" if len(ends) > 1 else "is"
    return f"{what} {verb} {told}" if told else ""


def cut(text: str, most: int) -> str:
    """A text of at most ``most`` characters."""
    return text if len(text) <= most else text[: most - 1].rstrip() + "…"
