"""Categories and items: which label one coder gave where another gave which, and on what items."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from math import sqrt
from typing import Any

import numpy as np

from ..actions import Action
from ..diagnosis.diagnose import Part
from ..diagnosis.item_agreement import NamedItem
from ..errors import RequestError, unknown
from ..fields import columns
from ..measure.coefficient_value import Agreement
from ..measure.confusion import Confusion, against_rest
from ..messages import isolated, label_text, quoted
from ..numbers import count_of, decimal, joined, percent, tied
from .blocks import Block, Cell, Chart, Choice, Matrix, Prose, Table, renamed
from .cell_items import These
from .charts import levels
from .coefficient_names import cut, in_part, measured_by, measurements, undefined_notes
from .view import view

OTHERS = "all others"
ANOTHER = "another coder"
CELLS = "first second row column n row_share"
NOTHING_MORE = "(nothing more)"
MOST_PAIRS = 3  # pairs of coders with a matrix of their own
MOST_CELLS = 150  # of all these matrices together
MOST_LABELS = 30  # labels of a matrix that a page can show


@view("confusion", of="diagnose", title="Confusion matrix", chapter="confusion", place=200)
def confusion(part: Part, *, of: str | None = None, against: str | None = None) -> Iterator[Block]:
    """Which label one coder gave where another gave which.

    Parameters
    ----------
    of : str, optional
        The coder in the rows; the columns hold all others.
    against : str, optional
        The coder in the columns.
    """
    tables = _tables(part, of, against)
    if not tables:
        yield Prose(_nothing(part))
        return
    main = tables[0] if len(tables) == 1 else compared(part)
    if main is None:
        return
    yield _matrix(part, main, _cells(tables))
    if of is None and len(tables) > 1:
        yield from _pairs(part, tables)


def compared(part: Part, of: str | None = None, against: str | None = None) -> Confusion | None:
    """One table: of a pair of coders, of a coder and all others, or of all pairs together.

    None if there are too many values for a table.

    Raises
    ------
    RequestError
        If there is no such coder, or only the other one is named.
    """
    if of is None and against is not None:
        raise RequestError(
            f"name also the coder to compare with {against!r}",
            parameter="against",
            do=[Action("", {"of": ...})],
        )
    if part.confusion is None:
        return None
    if of is None:
        return part.confusion
    if against is None:
        return against_rest(part.counts, of, labels=part.scheme.categories)
    return part.contingency(of, against)


def _tables(part: Part, of: str | None, against: str | None) -> tuple[Confusion, ...]:
    """The table that was asked for, or that of every pair of coders; none if all are empty."""
    one = compared(part, of, against)
    if one is None or part.continuous or (of is None and not one.n):
        return ()
    return (one,) if of is not None or not part.confusions else part.confusions


def _nothing(part: Part) -> str:
    if part.continuous:
        return measurements(part)
    if part.confusion is None:
        return f"{part.counts.n_values:,} different values are too many for a confusion matrix."
    return "No item has two annotations."


# ------------------------------------------------------------------ rows for programs


def _cells(tables: Iterable[Confusion]) -> tuple[dict[str, Any], ...]:
    """The cells that are not empty, disagreements first, the frequent ones in front."""
    rows = []
    for table in tables:
        last = {table.values[-1]: NOTHING_MORE} if table.of_labels else {}
        for row in table.to_rows():
            rows.append(row | {side: last.get(row[side], row[side]) for side in ("row", "column")})
    return tuple(sorted(rows, key=lambda row: (row["row"] == row["column"], -row["n"])))


# ------------------------------------------------------------------ the matrix


def _pairs(part: Part, tables: Sequence[Confusion]) -> Iterator[Block]:
    """The pairs of coders with the most items in common, each by itself."""
    width = min(len(tables[0].values), MOST_LABELS)
    most = min(MOST_PAIRS, MOST_CELLS // width**2)
    shown = sorted(tables, key=lambda t: -t.n)[:most]
    if shown:
        each = tuple((f"{t.first} and {t.second}", (_matrix(part, t, opens=False),)) for t in shown)
        yield Choice("Coders", each, depth="detail")


def _matrix(
    part: Part, table: Confusion, rows: tuple[dict[str, Any], ...] = (), *, opens: bool = True
) -> Matrix:
    """``opens`` says whether a page keeps the items behind the cells of disagreement."""
    shown = _shown(table)
    names = tuple(names_of(table)[k] for k in shown)
    cells = tuple(tuple(_cell(part, table, k, other, opens) for other in shown) for k in shown)
    sides = (table.first, table.second or OTHERS) if table.first else ("one coder", "another coder")
    n = table.table
    totals = (
        tuple(f"{x:,.0f}" for x in n.sum(1)[shown]),
        tuple(f"{x:,.0f}" for x in n.sum(0)[shown]),
        f"{n.sum():,.0f}",
    )
    return Matrix(
        _title(table),
        str(sides[0]),
        str(sides[1]),
        names,
        names,
        cells,
        None if table.of_labels else totals,
        tuple(_notes(table, shown)),
        "main",
        rows,
        columns(CELLS),
        "" if table.of_labels else "share of the row",
    )


def names_of(table: Confusion) -> tuple[str, ...]:
    """What the rows and columns are called; of labels in sets the last is no label more."""
    last = len(table.values) - 1 if table.of_labels else -1
    return tuple(
        NOTHING_MORE if k == last else label_text(value) for k, value in enumerate(table.values)
    )


def _shown(table: Confusion) -> list[int]:
    """The labels that fit a page: all, or the most frequent ones in the order of the scheme."""
    used = table.table.sum(0) + table.table.sum(1)
    if len(used) <= MOST_LABELS:
        return list(range(len(used)))
    if table.of_labels:
        used[-1] = used.max() + 1  # what one coder adds is always shown
    return sorted(np.argsort(-used, kind="stable")[:MOST_LABELS].tolist())


def _cell(part: Part, table: Confusion, k: int, other: int, opens: bool) -> Cell:
    """Shaded by its share of the row: what the others say where one coder says this."""
    n, of_row = int(table.table[k, other]), float(table.table[k].sum())
    if n == 0:
        return Cell("0", 0.0)
    behind = partial(table.items, table.values[k], table.values[other])
    return Cell(
        f"{n:,}",
        float(n),
        max(1, round(10 * sqrt(n / of_row))),
        "agree" if k == other else "differ",
        These(part.items, behind) if opens and k != other else None,
        name_of_cell(table, k, other) if opens else "",
        "" if table.of_labels else percent(n / of_row, 0),
    )


def name_of_cell(table: Confusion, k: int, other: int) -> str:
    """What stands in a cell, in words."""
    row, column = (isolated(names_of(table)[j]) for j in (k, other))
    if table.first is None and k == other:
        return f"Two coders: {row}"
    return f"{table.first or 'One coder'}: {row}, {table.second or ANOTHER}: {column}"


def _title(table: Confusion) -> str:
    if not table.n:
        return "No items in common"
    n = count_of(table.n if table.first else table.n / 2, "pair")
    if table.of_labels:
        apart = float(table.table.sum() - np.trace(table.table)) / (1 if table.first else 2)
        return f"{count_of(apart, 'difference')} of labels in {n} of annotations"
    most = table.mix_ups(1)
    confused = f"; most often confused: {joined(map(quoted, most[0][:2]))}" if most else ""
    return f"Two annotations of an item are the same in {percent(table.observed)} of {n}{confused}"


def _notes(table: Confusion, shown: Sequence[int]) -> Iterator[str]:
    if table.of_labels:
        yield (
            "On the diagonal: labels that both gave. Elsewhere: the label of the row was given "
            "by one only, that of the column by the other only; “nothing more” if the other "
            "gave no further label. An item may stand in several cells."
        )
    if not table.first:
        yield "All pairs of coders; each pair of annotations counts in both directions."
    if len(shown) < len(table.values):
        yield f"Labels by frequency, the first {len(shown) - table.of_labels}."
    if table.never_agreed:
        never = joined(quoted(v) for v in table.never_agreed)
        yield f"Given by both sides, but never to the same item: {never}."
    if not table.of_labels:
        yield "Shading: share of the row."


# ------------------------------------------------------------------ categories


@view("categories", of="diagnose", title="Agreement by category", chapter="categories", place=210)
def categories(part: Part) -> Iterator[Block]:
    """Each category against all others."""
    found = part.categories
    if part.continuous or not found.rows:
        yield Prose(measurements(part) if part.continuous else "No category was given.")
        return
    yield Table.of(
        "category* n_annotations* n_items n_disputed* specific* specific_interval* negative "
        "alpha* kappa ac",
        (*found.to_rows(), *_mean_over_labels(part)),
        _category_notes(part),
        title=_least(part),
    )


def _mean_over_labels(part: Part) -> Iterator[dict[str, Any]]:
    """The last row of label sets: the means that are among the coefficients."""
    known = part.facts.coefficients if part.counts.of_sets else {}
    means = {key: known.get(f"label_{key}") for key in ("kappa", "alpha")}
    if any(means.values()):
        yield {"category": "mean over labels", "apart": True} | {
            key: row.value if isinstance(row, Agreement) else math.nan for key, row in means.items()
        }


def _least(part: Part) -> str:
    known = [r for r in part.categories.rows if not math.isnan(r.specific.value)]
    if not known:
        return "Specific agreement is undefined: no category was given to an item of two coders"
    low = min(known, key=lambda r: tied(r.specific.value))
    return (
        f"Specific agreement is lowest for {quoted(low.category)}: {decimal(low.specific.value)}, "
        f"disputed on {low.n_disputed:,} of {count_of(low.n_items, 'item')}"
    )


def _category_notes(part: Part) -> Iterator[str]:
    found = part.categories
    yield (
        "Specific agreement: probability that another coder gives a category that one gave. α, "
        "κ and AC1: the category against all others."
    )
    yield from undefined_notes((f"α of {label_text(r.category)}", r.alpha) for r in found.rows)
    if found.unused:
        yield f"Never given: {joined(map(label_text, found.unused))}."
    if found.left_out:
        yield f"{count_of(found.left_out, 'rarer category', 'rarer categories')} not shown."


@view(
    "margins",
    of="diagnose",
    title="Distributions of two coders and κ",
    chapter="categories",
    place=260,
)
def margins(part: Part) -> Iterator[Block]:
    """Largest possible κ, PABAK, prevalence and bias; a test of equal distributions."""
    rows = [
        row | {"stuart_maxwell_p": row["marginal_p"]}
        for each in part.indices
        for row in each.to_rows()
        if not math.isnan(each.marginal_difference)
    ]
    if part.continuous or not rows:
        yield Prose("Only for single labels of two known coders.")
        return
    yield Table.of(
        "first* second* n_items kappa* kappa_max* kappa_ratio pabak* marginal_difference* "
        "stuart_maxwell_p prevalence bias",
        rows,
        (
            "κ max: the largest κ with these distributions (Cohen 1960). PABAK: κ if all labels "
            "were equally frequent, (K A_o − 1) / (K − 1); prevalence and bias index of two "
            "categories: −1 to 1, 0 if balanced (Byrt et al. 1993).",
            "Difference: share of one coder's labels that would have to change for equal "
            "distributions, tested by Stuart (1955) and Maxwell (1970).",
        ),
        by="-marginal_difference",
    )


MOST_CODERS = 12  # of an item
MOST_CHARACTERS = 400  # of a text
MOST_LEVELS = 9


# ------------------------------------------------------------------ items


@view("items", of="diagnose", title="Items with the most disagreement", chapter="items", place=310)
def items(
    part: Part,
    *,
    cell: tuple[str, str] | None = None,
    of: str | None = None,
    against: str | None = None,
    most: int | None = None,
) -> Iterator[Block]:
    """Items with the most disagreement, or those behind a cell of the confusion matrix.

    Parameters
    ----------
    cell : tuple of str, optional
        Two labels: the items where one coder gave the first and another the second.
    of, against : str, optional
        The coders who gave these; the second may be any other coder.
    most : int, optional
        How many items; by default all with disagreement.
    """
    found = part.items
    at, title = found.hardest(most or max(1, found.n_disputed)), _spread(part)
    if cell is not None:
        at, title = _behind(part, cell, of, against)
    named = found.named(at[:most])
    if not named:
        yield Prose(title)
        return
    question = "question" if len({item.question for item in named}) > 1 else ""
    keys = f"item* {question} agreement* annotations* text?*"
    yield Table.of(keys, map(_row, named), in_part(part), title=title)


def _row(item: NamedItem) -> dict[str, Any]:
    row = item.to_rows()[0]
    text = {"text": cut(item.text, MOST_CHARACTERS)} if item.text else {}
    return {"item": item.item, "annotations": item.said(MOST_CODERS)} | row | text


def _spread(part: Part) -> str:
    found, n = part.items, part.coverage.n_pairable
    if not n:
        return "No item has two annotations."
    if not found.n_disputed:
        return "Coders agree on every item."
    answers = "item" if part.counts.n_questions == 1 else "item–question pair"
    return (
        f"Coders disagree on {found.n_disputed:,} of {count_of(n, answers)} with several "
        f"annotations ({percent(found.n_disputed / n)})"
    )


def _behind(
    part: Part, cell: tuple[str, str], of: str | None, against: str | None
) -> tuple[Any, str]:
    """Positions of the items behind a cell, and what the cell is called."""
    table = compared(part, of, against)
    if table is None:
        return part.items.hardest(0), (
            "There are too many different values for a confusion matrix."
        )
    names = names_of(table)
    for label in cell:
        if label not in names:
            raise unknown("label", label, names, "the labels are")
    k, other = (names.index(label) for label in cell)
    at = table.items(table.values[k], table.values[other])
    return at, f"{name_of_cell(table, k, other)} ({count_of(len(at), 'item')})"


@view("item-agreement", of="diagnose", title="Agreement by item", chapter="items", place=305)
def item_agreement(part: Part) -> Iterator[Block]:
    """How many items reach each level of agreement."""
    reached = _binned(part.items.levels)
    if not reached:
        yield Prose("No item has two annotations.")
        return
    of_items = measured_by(part, "agreement of the item")
    table = Table.of("level n_items", reached, called={"level": measured_by(part, "agreement")})
    if len(reached) < 3:
        yield replace(table, title=_full(part))
        return
    sign = percent(0, 0).lstrip("0")
    drawn = [{"name": str(r["level"]).removesuffix(sign), "n": r["n_items"]} for r in reached]
    yield Chart(_full(part), levels(drawn, title=f"{of_items}, in percent"), table)


def _full(part: Part) -> str:
    full = sum(n for level, n in part.items.levels if level > 1 - 1e-9)
    total = sum(n for _, n in part.items.levels)
    return f"All coders agree on {full:,} of {count_of(total, 'item')} ({percent(full / total)})"


def _binned(each: Sequence[tuple[float, int]]) -> list[dict[str, Any]]:
    """Levels as they are if they are few, else in steps of a tenth."""
    known = [(level, n) for level, n in each if not math.isnan(level)]
    if len(known) <= MOST_LEVELS:
        return [{"level": percent(level, 0), "n_items": n} for level, n in known]
    steps: dict[int, int] = {}
    for level, n in known:
        step = 10 if level > 1 - 1e-9 else int(10 * level + 1e-9)
        steps[step] = steps.get(step, 0) + n
    return [
        {
            "level": f"{10 * k}–" * (k < 10) + percent(min(1, k / 10 + 0.09), 0),
            "n_items": steps.get(k, 0),
        }
        for k in range(min(steps), 11)
    ]


# ------------------------------------------------------------------ groups


@view("item-groups", of="diagnose", title="Agreement by item metadata", chapter="items", place=320)
def item_groups(part: Part) -> Iterator[Block]:
    """Groups of items by their metadata."""
    groups = part.groups.to_rows() if part.groups else []
    if not groups:
        yield Prose("No metadata of the items form groups.")
        return
    note = (
        "Excess: share of all disagreement that would be gone if coders agreed here as "
        "elsewhere; findings tell what is beyond chance. Compare agreement, not α, which "
        "depends on how varied the labels are."
    )
    rows = [
        renamed(
            row,
            column="metadata",
            value="metadata_value",
            share="share_of_disagreement",
            excess="excess_disagreement",
        )
        for row in groups
    ]
    keys = (
        "metadata* metadata_value* n_items* agreement* elsewhere* alpha share_of_disagreement "
        "excess_disagreement"
    )
    yield Table.of(keys, rows, (note,), by="-excess_disagreement")
