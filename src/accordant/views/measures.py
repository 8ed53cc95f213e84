"""Sets of labels measured: observed, expected and adjusted agreement side by side."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..diagnosis.words import isolated
from ..measure.results import Agreement
from ..numbers import BELOW, LEAST, decimal, joined, level_text, percent
from .charts import corrected
from .document import Block, Chart, Column, Table
from .names import begun, coefficient_name, symbol_of, weights_text
from .rows import coefficient_row, interval_notes, methods_text, undefined_notes
from .study import Part

__all__ = ["ADJUSTED", "measures_blocks", "set_notes", "what_counts"]

ADJUSTED = (
    Column("observed", "observed", "value", "A_o: how far coders agree"),
    Column("expected", "expected", "value", "A_e: how far they would agree by chance"),
    Column("value", "adjusted", "value", "(A_o − A_e) / (1 − A_e)"),
    Column("interval", "interval", "interval", "where the value of all such items plausibly lies"),
)
"""The columns of the literature on several labels, in its order and words."""

MEANS = ("label_kappa", "label_alpha")
COLUMNS = (
    Column("name", "measure"),
    *ADJUSTED,
    Column("n_pairable", "items", "count", "items with at least two annotations"),
    Column("counts_as", "what counts", help="as agreement of two sets of labels"),
)


def measures_blocks(part: Part, coders: tuple[str, ...]) -> Iterator[Block]:
    """One table like those in the literature, drawn: chance, agreement and what is left."""
    names = [part.name(row) for row in part.agreements]
    rows = tuple(
        coefficient_row(row, of_sets=True) | {"counts_as": what_counts(row, coders)}
        for row in part.agreements
    )
    table = Table("Measures of agreement", COLUMNS, rows, _notes(part, names, coders))
    if not part.found.coverage.n_pairable:
        yield table
        return
    drawn = [
        {k: row[k] for k in ("name", "observed", "expected", "value", "low", "high")}
        for row in rows
    ]
    title = (
        f"dot: adjusted, with its {level_text(part.level)} interval",
        "line below it: from chance (tick) to what was observed (ring)",
    )
    yield Chart(_finding(part), corrected(drawn, title=title), table)


def _notes(part: Part, names: Sequence[str], coders: tuple[str, ...]) -> tuple[str, ...]:
    rows = part.agreements
    how = methods_text(rows)
    named = list(zip(names, rows, strict=True))
    return (
        *undefined_notes(named),
        "adjusted = (observed − expected) / (1 − expected): what is left of agreement beyond "
        "chance.",
        *set_notes(rows, coders),
        *interval_notes(named),
        *([f"Intervals at {level_text(part.level)}: {how}."] if how else []),
        *([BELOW] if any(r.low < LEAST for r in rows) else []),
    )


def _finding(part: Part) -> str:
    """What allowing several labels does to chance."""
    soft, boot = part.get("soft_match"), part.get("boot_match")
    if boot is not None and not boot.undefined:
        none = f" (both none in {percent(part.both_empty)})" if part.both_empty else ""
        told = (
            f"Two coders {part.sharing} in {percent(boot.observed)} of cases{none}; drawing as "
            f"many labels at random they would in {percent(boot.expected)}"
        )
        below = soft is not None and soft.expected < boot.expected - 0.005
        return told + (f", not {percent(soft.expected)}" if soft is not None and below else "")
    main = part.main
    if main.undefined:
        return f"{part.name(main)} is undefined"
    return (
        f"Of {part.name(main)}, {decimal(main.observed)} is observed and "
        f"{decimal(main.expected)} expected by chance"
    )


# ------------------------------------------------------------------ what the measures mean


def what_counts(row: Agreement, coders: tuple[str, ...]) -> str:
    """What two sets must share to agree."""
    if row.coefficient in MEANS:
        return "each label given or not"
    if row.weights == "identity":
        return "equal sets"
    if row.weights in ("precision", "recall") and len(coders) == 2:
        one, other = coders if row.weights == "precision" else coders[::-1]
        return f"share of the labels of {isolated(one)} that {isolated(other)} gave too"
    return weights_text(row.weights)


def set_notes(rows: Sequence[Agreement], coders: tuple[str, ...]) -> list[str]:
    """What a reader must know of these measures. ``coders`` are the two, if there are two."""
    named = {symbol_of(row, of_sets=True): row for row in rows}
    weights = {row.weights for row in rows}
    means = [name for name, row in named.items() if row.coefficient in MEANS]
    whole = [
        coefficient_name(row, of_sets=True) for name, row in named.items()
        if row.weights == "identity" and name not in means
    ]  # fmt: skip
    votes = {name: row.weights for name, row in named.items() if "divided-vote" in row.weights}
    divided, part = list(votes), "in part only" if ":" in "".join(votes.values()) else "by half"
    return [
        *_directions(weights, coders),
        *([f"{begun(joined(divided))}: several labels are taken for doubt about one, and equal "
           f"sets of two agree {part}."] if divided else []),
        *([f"{begun(joined(means))}: each label given or not; observed, expected and adjusted are "
           "means over the labels."] if means else []),
        *([f"{begun(joined(whole))}: only equal sets agree."] if whole else []),
    ]  # fmt: skip


def _directions(weights: set[str], coders: tuple[str, ...]) -> list[str]:
    if not weights & {"precision", "recall"}:
        return []
    if len(coders) != 2:
        return ["Precision and recall: the mean of both directions of every pair of coders."]
    one, other = map(isolated, coders)
    told = {
        "precision": f"precision: share of the labels of {one} that {other} gave too",
        "recall": f"recall: share of the labels of {other} that {one} gave too",
    }
    text = "; ".join(told[w] for w in ("precision", "recall") if w in weights)
    return [f"{begun(text)}; the mean over items."]
