"""Where coders agree and where not: by category, by coder, by pair of coders."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from ..diagnosis.estimate import Estimate
from ..diagnosis.words import isolated, label_text, quoted
from ..numbers import NOTHING, count_of, decimal, joined, percent, points
from .charts import intervals
from .conduct import conduct_blocks
from .document import Block, Chart, Column, Prose, Section, Table
from .pairs import pair_blocks
from .scoring import score_blocks
from .study import Part, Study

__all__ = ["categories_section", "coders_section"]

MOST_ROWS = 100
MOST_DRAWN = 25


def categories_section(study: Study) -> Section | None:
    """Agreement on each category against all others; None if there is nothing to compare."""
    if not study.comparable or all(part.continuous for part in study.parts):
        return None
    lead, blocks = study.told(_categories_lead), study.per_part(_categories)
    return Section("categories", "Category by category", lead, blocks)


def _categories_lead(part: Part) -> str:
    if part.continuous:
        return part.measurements
    rows = [r for r in part.found.categories.rows if not math.isnan(r.specific.value)]
    if not rows:
        return "No category was given by two coders."
    low = min(rows, key=lambda r: r.specific.value)
    high = max(rows, key=lambda r: r.specific.value)
    lead = (
        f"If one coder gives {quoted(high.category)}, another gives it too with "
        f"probability {decimal(high.specific.value)}"
    )
    if low is high:
        return f"{lead}."
    return f"{lead}; for {quoted(low.category)} it is {decimal(low.specific.value)}."


def _categories(part: Part) -> Iterator[Block]:
    if part.continuous:
        yield Prose(part.measurements)
        return
    found = part.found.categories
    rows = [
        {
            "label": label_text(r.category),
            "n": r.n_annotations,
            "items": r.n_items,
            "disputed": r.n_disputed,
            "specific": r.specific.value,
            "interval": (r.specific.low, r.specific.high),
            "negative": r.negative.value,
            **{key: getattr(r, key).value for key in ("alpha", "kappa", "ac")},
        }
        for r in found.rows
    ]
    columns = (
        Column("label", "category"),
        Column("n", "times", "count", "annotations that give it"),
        Column("items", "items", "count", "items to which somebody gave it"),
        Column("disputed", "disputed", "count", "items to which some gave it and others did not"),
        Column("specific", "specific", "value", "if one coder gives it, how likely another does"),
        Column("interval", "its interval", "interval"),
        Column(
            "negative", "negative", "value", "if one does not give it, how likely another does not"
        ),
        Column("alpha", "α", "value", "α of the category against all others"),
        Column("kappa", "κ", "value", "κ of the category against all others"),
        Column("ac", "AC1", "value", "AC1 of the category against all others"),
    )
    shown = (*rows, *_mean_over_labels(part))
    table = Table("Every category against the rest", columns, shown, _category_notes(part))
    drawn = [
        {"name": row["label"], "value": row["specific"], "low": row["interval"][0],
         "high": row["interval"][1]}
        for row in rows[:MOST_DRAWN]
    ]  # fmt: skip
    if not rows:
        yield Prose("No category was given.")
        return
    yield Chart(_category_title(part), intervals(drawn, title="specific agreement"), table)


def _mean_over_labels(part: Part) -> Iterator[dict[str, Any]]:
    """The last row where annotations are sets: what the table of measures has as means."""
    kappa, alpha = part.get("label_kappa"), part.get("label_alpha")
    if part.of_sets and (kappa or alpha):
        yield {
            "label": "mean over labels",
            "kappa": math.nan if kappa is None else kappa.value,
            "alpha": math.nan if alpha is None else alpha.value,
            "apart": True,
        }


def _category_title(part: Part) -> str:
    rows = [r for r in part.found.categories.rows if not math.isnan(r.specific.value)]
    if not rows:
        return (
            "Specific agreement is undefined: no category was given to an item with two annotations"
        )
    low = min(rows, key=lambda r: r.specific.value)
    return (
        f"{quoted(low.category)} is the least reliable category: specific agreement "
        f"{decimal(low.specific.value)}, disputed on {low.n_disputed:,} of {low.n_items:,} items"
    )


def _category_notes(part: Part) -> tuple[str, ...]:
    found = part.found.categories
    notes = [
        "Specific agreement: if one coder gives the category, how likely another coder gives it "
        "too. α, κ and AC1 treat the category against all others as a scheme of two."
        if not part.of_sets
        else "Specific agreement: if one coder gives the label, alone or with others, how likely "
        "another coder gives it too. α, κ and AC1: the label given or not."
    ]
    without = [(label_text(r.category), r.alpha) for r in found.rows if r.alpha.undefined]
    notes += _reasons(without)
    if found.unused:
        notes.append(f"Never given: {joined(map(label_text, found.unused))}.")
    if found.left_out:
        notes.append(f"{count_of(found.left_out, 'rarer category', 'rarer categories')} not shown.")
    return tuple(notes)


def _reasons(rows: list[tuple[str, Estimate]]) -> list[str]:
    names: dict[str, list[str]] = {}
    for name, estimate in rows:
        names.setdefault(str(estimate.undefined), []).append(name)
    return [f"{NOTHING} For {joined(found)}: {why}." for why, found in names.items()]


# ------------------------------------------------------------------ coders


def coders_section(study: Study) -> Section | None:
    """Each coder against the others, and each pair; None if the coders are not known."""
    if not study.comparable or not study.whole.found.coders.coders or study.data.anonymous:
        return None
    return Section("coders", "Coder by coder", study.told(_coders_lead), study.per_part(_coders))


def _coders_lead(part: Part) -> str:
    found = part.found.coders
    known = [c for c in range(len(found.coders)) if not math.isnan(found.agreement[c])]
    if not known:
        return "No two coders annotated the same item."
    if len(found.coders) == 2:
        return _two(part)
    low = min(known, key=lambda c: found.agreement[c])
    high = max(known, key=lambda c: found.agreement[c])
    what = part.measured_by("Mean agreement with the other coders")
    return (
        f"{what} runs from {percent(found.agreement[low])} "
        f"({isolated(found.coders[low])}) to {percent(found.agreement[high])} "
        f"({isolated(found.coders[high])})."
    )


def _two(part: Part) -> str:
    found = part.found.coders
    first, second = map(isolated, found.coders)
    label, bias = found.labels.strongest_bias()[0] if found.labels else (None, math.nan)
    lead = f"{first} and {second} agree on {percent(found.agreement[0])} of their common items."
    if part.of_sets:
        lead = (
            f"The mean {part.measured_by('agreement')} of {first} and {second} on their common "
            f"items is {percent(found.agreement[0])}."
        )
    if label is None or abs(bias) < 1e-9:
        return lead
    return (
        f"{lead} On these {first} gives {quoted(label)} "
        f"{'more' if bias > 0 else 'less'} often than {second}, by {points(abs(bias))[1:]} "
        "percentage points."
    )


def _coders(part: Part) -> Iterator[Block]:
    found = part.found.coders
    rows = sorted(
        ({**row, "bias_text": _bias(row["bias_value"], row["bias"])} for row in found.to_rows()),
        key=lambda row: (math.isnan(row["agreement"]), -row["agreement"]),
    )
    without = any(not math.isnan(row["alpha_without"]) for row in rows)
    with_others = part.measured_by("with others")
    columns = (
        Column("coder", "coder"),
        Column("n_items", "items", "count"),
        Column("n_shared", "shared", "count", "items that somebody else annotated too"),
        Column("agreement", with_others, "bar", "mean agreement with the others on shared items"),
        *(
            (Column("alpha_without", "α without", "value", "α if the coder is left out"),)
            if without
            else ()
        ),
        Column("bias_text", "differs most in"),
    )
    notes = [
        "“Differs most in”: the label that the coder gives more (+) or less (−) often than the "
        "others do to the same items, in percentage points."
    ]
    if part.found.w.name != "identity":
        notes.append(part.in_part)
    if without:
        notes.append(
            f"α of all coders is {decimal(found.alpha)}; “α without” is α if the coder is left out."
        )
    if len(rows) > MOST_ROWS:
        notes.append(f"The {MOST_ROWS // 2} highest and lowest of {len(rows):,} coders are shown.")
        rows = [*rows[: MOST_ROWS // 2], *rows[-MOST_ROWS // 2 :]]
    yield Table(
        "Each coder and the others",
        columns,
        tuple(rows),
        tuple(notes),
        depth="detail" if len(rows) > 40 else "main",
    )
    if len(found.coders) > 2:
        yield from pair_blocks(part)
    yield from score_blocks(part)
    yield from conduct_blocks(part)


def _bias(value: Any, bias: float) -> str:
    if value is None or math.isnan(bias) or abs(bias) < 0.0005:
        return NOTHING
    return f"{isolated(label_text(value))} ({points(bias)})"
