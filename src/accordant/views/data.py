"""The data: what was read, who annotated what, which labels were given."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from ..diagnosis.coverage import Coverage, coverage
from ..diagnosis.diagnose import Part
from ..diagnosis.label_sets import CoderSets, SetPair, Structure
from ..diagnosis.label_use import LabelUse, label_use
from ..diagnosis.shares import Distribution
from ..diagnosis.words import isolated, label_text, quoted
from ..fields import FIELDS, columns
from ..numbers import count_of, decimal, joined, percent
from ..scheme import Scheme
from .blocks import Block, Chart, Pairs, Prose, Table
from .charts import sizes, spread
from .view import view

__all__ = [
    "coders", "data", "labels", "labels_per_annotation", "questions", "telling",
]  # fmt: skip

MOST_NAMED = 30
MOST_DOTS = 12  # labels of a chart
MOST_DRAWN = 100  # coders of a chart
MOST_COLUMNS = 8  # coders with a column of their own
MOST_BARS = 25  # coders of the chart of sizes
MOST_SIZES = 5  # from here on sizes are told together
FEW = 5  # annotations of a coder whose shares say little
COVERAGE = (
    "n_items n_pairable n_empty n_annotations missing_share n_values entropy"
)  # fmt: skip


# ------------------------------------------------------------------ what was read


@view(
    "data", of="describe", title="Data", chapter="data", place=10, whole=True,
    help="file, layout, columns, what was left out, annotation scheme",
)  # fmt: skip
def data(part: Part) -> Iterator[Block]:
    """The file as it was understood, and the scheme of each question."""
    found, reading = part.data, part.data.reading
    several = len(found.questions) > 1
    statuses = ", ".join(f"{n:,} {status}" for status, n in found.statuses().items())
    facts = [
        ("Source", reading.source),
        ("Layout", reading.layout),
        ("Columns", "; ".join(f"{role}: {name}" for role, name in reading.columns.items())),
        ("Items", f"{len(found.items):,}"),
        ("Coders", "unknown" if found.anonymous else _names(found.coders)),
        ("Questions", _names(found.questions) if several else ""),
        ("Annotations", statuses),
        ("Blanks", f"{count_of(reading.blanks, 'cell')}, counted as {reading.blanks_as}"
         if reading.blanks else ""),
        *(("Left out", f"{n:,} {what}") for what, n in reading.left_out),
    ]  # fmt: skip
    yield Pairs(tuple((name, fact) for name, fact in facts if fact))
    if reading.preview:
        shown_as = ((f"{name} → {role}", ", ".join(cells)) for name, role, cells in reading.preview)
        yield Pairs(tuple(shown_as))
    rows = tuple(map(_scheme, found.questions, found.schemes))
    keys = ["question", "scale", "n_values", "labels_each", "categories", "known"]
    sets = any(scheme.max_labels != 1 for scheme in found.schemes)
    shown = [k for k in keys if (several or k != "question") and (sets or k != "labels_each")]
    said = [*(f"warning: {w}" for w in reading.warnings), *reading.notes]
    notes = tuple(f"{n[:1].upper()}{n[1:].rstrip('.')}." for n in said)
    fields = [FIELDS[k] if k != "n_values" else FIELDS[k].called("categories") for k in shown]
    fields = [f.called("names") if f.key == "categories" else f for f in fields]
    yield Table("Annotation scheme", tuple(fields), rows, notes)


def _scheme(name: str, scheme: Scheme) -> dict[str, Any]:
    most = f"up to {scheme.max_labels}" if scheme.max_labels else "any number"
    return {
        "question": name or None, "scale": scheme.scale, "n_values": len(scheme.categories),
        "labels_each": "one" if scheme.max_labels == 1
        else f"{most}, the first is the primary one" if scheme.ranked else most,
        "categories": _listed(scheme.categories),
        "known": "the scheme" if scheme.declared else "the data",
    }  # fmt: skip


def _listed(words: Sequence[Any]) -> str:
    found = [isolated(label_text(word)) for word in words[:MOST_NAMED]]
    hidden = len(words) - len(found)
    return ", ".join(found) + (f" and {hidden:,} more" if hidden else "")


def _names(names: Sequence[str]) -> str:
    return f"{len(names):,}: {_listed(names)}"


# ------------------------------------------------------------------ who annotated what


@view(
    "questions", of="describe", title="Coverage", chapter="data", place=20, whole=True,
    help="items, annotations and labels of each question",
)  # fmt: skip
def questions(part: Part) -> Iterator[Block]:
    """Coverage of each question and of all together, and how many coders annotated an item."""
    names = part.data.questions
    each = [coverage(part.data.of_question(q)) for q in names] if len(names) > 1 else []
    every = [*each, part.coverage]
    rows = tuple(row for c in every for row in c.to_rows())
    keys = f"question {COVERAGE}" if each else COVERAGE
    shown = [
        f.called("with two annotations") if f.key == "n_pairable" else f
        for f in columns(f"{keys} mean_labels" if part.counts.of_sets else keys)
    ]
    told = tuple(row | {"question": row["question"] or "all"} for row in rows) if each else rows
    keep = ("question", "n_items", "n_pairable", "n_annotations", "n_values")
    notes = (*_apart(part.coverage), *(note for c in each or every for note in _unused(c)))
    yield Table("", tuple(shown), told, notes, keep=keep)
    per_item = tuple(
        {"counts": m, "n_items": n, "share": n / part.coverage.n_items}
        for m, n in part.coverage.per_item
    )
    if len(per_item) > 1:
        title = "Annotations per item"
        yield Table(title, columns("counts n_items share"), per_item)


def _apart(found: Coverage) -> Iterator[str]:
    if found.n_groups > 1:
        yield (
            f"The coders form {found.n_groups} groups without an item in common: agreement between "
            "these groups is unknown."
        )


def _unused(found: Coverage) -> Iterator[str]:
    if found.distribution.unused:
        where = f" of question {found.question}" if found.question else ""
        names = joined(map(label_text, found.distribution.unused))
        yield f"Categories{where} never given: {names}."


@view(
    "coders", of="describe", title="Annotations by coder", chapter="data", place=30,
    help="what each coder annotated, and how evenly the labels are used",
)  # fmt: skip
def coders(part: Part) -> Iterator[Block]:
    """Each coder, those with the most items first."""
    found = sorted(part.coverage.coders, key=lambda c: -c.n_items)
    if not found:
        yield Prose("The data do not say who gave which label.")
        return
    held = _sizes(part)
    rows = tuple(c.to_rows()[0] | held.get(c.coder, {}) for c in found)
    keys = "coder n_items share n_alone n_values top top_share entropy"
    shown = [
        f.called("share of items") if f.key == "share" else f
        for f in columns(f"{keys} mean_labels" if held else keys)
    ]
    n_labels = len(part.scheme.categories) if held else part.counts.n_values
    most = decimal(math.log2(n_labels) if n_labels else 0.0, 2)
    notes = (f"Entropy: {most} bits if all {n_labels:,} labels are equally frequent.",)
    keep = ("coder", "n_items", "share", "top", "top_share")
    yield Table("", tuple(shown), rows, notes, keep=keep)


def _sizes(part: Part) -> dict[str | None, dict[str, float]]:
    """Mean number of labels of each coder, and shares of annotations with 0, 1, 2 … labels."""
    found = part.structure
    if found is None:
        return {}
    return {
        c.coder: {"mean_labels": c.mean_labels}
        | {f"share_{size}": share for size, share in enumerate(c.share_by_size)}
        for c in (*found.coders, found.everybody)
    }


# ------------------------------------------------------------------ which labels


@view(
    "labels", of="describe", title="Labels given", chapter="data", place=40,
    help="how often each label was given, and by whom",
)  # fmt: skip
def labels(part: Part) -> Iterator[Block]:
    """Each label with its share and that of each coder; of measurements where they lie."""
    if part.continuous:
        yield _measurements(part)
        return
    found = part.coverage.distribution
    use = label_use(part.counts, part.scheme.categories)
    order = _order(part, found)
    table = _label_table(part, order, use)
    if use is None or len(use.coders) < 2 or len(use.values) < 2:
        yield table
        return
    yield Chart(_differ(use), _dots(part, use, order[:MOST_DOTS]), table)


def _order(part: Part, found: Distribution) -> list[int]:
    """The most frequent labels first; in the order of the scheme where it has one."""
    ordered = part.scheme.scale != "nominal" or part.scheme.declared
    return list(range(len(found.n))) if ordered else np.argsort(-found.n, kind="stable").tolist()


def _label_table(part: Part, order: Sequence[int], use: LabelUse | None) -> Table:
    found, sets, n = part.coverage.distribution, part.counts.of_sets, part.coverage.n_annotations
    own = use if use is not None and len(use.coders) <= MOST_COLUMNS else None
    names = own.coders if own else ()
    rows = tuple(
        {"label": found.values[k], "n": int(found.n[k]), "share": float(found.share[k])}
        | ({"share_of_annotations": float(found.n[k]) / n if n else math.nan} if sets else {})
        | {f"share_by_{c}": float(own.share_of_items[i, k]) for i, c in enumerate(names) if own}
        for k in order
    )
    fields = [FIELDS["label"], FIELDS["n"], FIELDS["share"]]
    if sets:
        fields[2:] = [FIELDS["share"].called("share of labels"), FIELDS["share_of_annotations"]]
    by_coder = tuple(FIELDS["share"].called(c, key=f"share_by_{c}") for c in names)
    several = ", which may hold several" if sets else ""
    notes = (f"Columns of coders: share of the coder's annotations{several}.",) if own else ()
    return Table("", (*fields, *by_coder), rows, notes)


def _measurements(part: Part) -> Table:
    """Where the numbers of each coder lie."""
    given = part.data.answered
    numbers = np.array([float(v) for v in part.data.values if not isinstance(v, tuple)])
    values = numbers[given.value]
    rows = []
    for c, name in enumerate(part.data.coders):
        own = values[given.coder == c]
        if len(own):
            low, middle, high = (float(x) for x in np.quantile(own, [0, 0.5, 1]))
            rows.append({
                "coder": name, "n": len(own), "mean": float(own.mean()),
                "sd": float(own.std(ddof=1)) if len(own) > 1 else math.nan,
                "lowest": low, "median": middle, "highest": high,
            })  # fmt: skip
    return Table("", columns("coder n mean sd lowest median highest"), tuple(rows))


def _differ(use: LabelUse) -> str:
    """Where coders differ most in how often they give a label."""
    share = use.share_of_items[use.n_items >= FEW]
    if len(share) < 2:
        return "Frequency of labels"
    k = int((share.max(0) - share.min(0)).argmax())
    low, high = float(share[:, k].min()), float(share[:, k].max())
    return (
        f"Coders differ most in {quoted(use.values[k])}, which they give to "
        f"{percent(low)} to {percent(high)} of their items"
    )


def _dots(part: Part, use: LabelUse, order: Sequence[int]) -> dict[str, Any]:
    found, n = part.coverage.distribution, part.coverage.n_annotations
    values = [label_text(found.values[k]) for k in order]
    every = found.n / max(n, 1)
    busiest = use.n_items.argsort()[::-1][:MOST_DRAWN].tolist()
    rows = [
        {"name": name, "coder": coder, "share": float(share[k])}
        for name, k in zip(values, order, strict=True)
        for coder, share in [
            (None, every), *((use.coders[c], use.share_of_items[c]) for c in busiest),
        ]
    ]  # fmt: skip
    return spread(rows, values, title="share of a coder's annotations (tick: of all annotations)")


# ------------------------------------------------------------------ how many labels


@view(
    "labels-per-annotation", of="describe", title="Labels per annotation", chapter="data",
    place=50, help="how many labels coders give to an item, and who gives more",
)  # fmt: skip
def labels_per_annotation(part: Part) -> Iterator[Block]:
    """Sizes of the label sets of each coder, the smallest mean first; nothing of single labels."""
    found = part.structure
    if found is None:
        return
    order = sorted(found.coders, key=lambda c: c.mean_labels)
    every = (*order, found.everybody) if len(order) != 1 else tuple(order)
    held = _sizes(part)
    rows = tuple(
        {"coder": c.coder or "all", "n_annotations": c.n_annotations, **held[c.coder],
         "entropy": c.entropy, "entropy_share": c.entropy_share, "apart": c.coder is None}
        for c in every
    )  # fmt: skip
    shares = tuple(
        FIELDS["share"].called(_size(n), key=f"share_{n}")
        for n in range(min(found.largest, MOST_SIZES) + 1)
        if any(row.get(f"share_{n}") for row in rows)
    )
    k = max(len(found.categories), 1)
    notes = (
        "Entropy: −Σ p log2 p of the labels of a coder (Marchal et al. 2022, eq. 5); at most "
        f"log2 K = {decimal(math.log2(k), 2)} bits.",
    )
    rest = "mean_labels entropy entropy_share"
    table = Table(
        "", (*columns("coder n_annotations"), *shares, *columns(rest)), rows, notes,
        keep=("coder", "mean_labels", "n_annotations"),
    )  # fmt: skip
    drawn = sorted(telling(found), key=lambda c: -c.n_annotations)[:MOST_BARS]
    yield Chart(_larger(found), _bars(found, drawn), table) if drawn else table
    if found.pairs:
        yield _more_labels(found)


def _size(n: int) -> str:
    names = ("no label", "1 label", *(f"{n} labels" for n in range(2, MOST_SIZES + 1)))
    return names[n]


def telling(found: Structure) -> list[CoderSets]:
    """The coders with enough annotations for their shares to say something."""
    known = [c for c in found.coders if c.n_annotations]
    return [c for c in known if c.n_annotations >= FEW] or known


def _larger(found: Structure) -> str:
    known = telling(found)
    if len(known) < 2:
        return f"An annotation holds {decimal(found.everybody.mean_labels, 2)} labels on average"
    low, high = (f(known, key=lambda c: c.mean_labels) for f in (min, max))
    return (
        f"Mean number of labels per annotation: {decimal(low.mean_labels, 2)} ({_name(low)}) to "
        f"{decimal(high.mean_labels, 2)} ({_name(high)})"
    )


def _bars(found: Structure, drawn: Sequence[CoderSets]) -> dict[str, Any]:
    most = min(max(found.largest, 1), MOST_SIZES)
    rows = [
        {"name": _name(c), "size": f"{size}+" * (size == most < found.largest) or size,
         "share": sum(c.share_by_size[size:]) if size == most else c.share_by_size[size],
         "height": size / most}
        for c in drawn
        for size in range(min(len(c.share_by_size), most + 1))
    ]  # fmt: skip
    return sizes(rows, title="share of annotations, by number of labels")


def _more_labels(found: Structure) -> Table:
    """Who of two coders gives more labels, the pairs with the most common items first."""
    each = sorted(found.pairs, key=lambda p: (-p.n_common, p.first, p.second))
    notes = (
        "Precision: mean share of the first coder's labels that the second gave too; recall: of "
        "the second coder's that the first gave too. p: exact sign test of more against fewer.",
        *(["Only pairs of the busiest coders are compared."] if found.n_left_out else []),
    )
    keys = "first second n_common n_more n_same n_fewer p_value precision recall"
    rows = tuple(_pair(p) for p in each)
    keep = ("first", "second", "n_more", "n_same", "n_fewer", "p_value")
    return Table("Who gives more labels", columns(keys), rows, notes, keep=keep)


def _pair(p: SetPair) -> dict[str, Any]:
    return p.to_rows()[0]


def _name(c: CoderSets) -> str:
    return "all" if c.coder is None else isolated(c.coder)
