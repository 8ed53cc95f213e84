"""What was read, who annotated what, and which labels they gave."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from math import log2

from ...diagnosis.label_use import LabelUse
from ..charts import spread
from ..document import Block, Chart, Column, Pairs, Section, Table
from ..names import label_text
from ..numbers import count_of, decimal, joined, percent
from ..study import Part, Study

__all__ = ["coverage_section", "labels_section", "reading_section"]

MOST_ROWS = 200
MOST_DOTS = 12  # categories of the chart of label shares
MOST_DRAWN = 100  # coders of that chart
FEW = 5  # items of a coder whose shares say little


def reading_section(study: Study) -> Section:
    """The file, its layout and columns, blanks, what was left out, the scheme."""
    data, reading = study.data, study.data.reading
    roles = "; ".join(f"{role}: {name}" for role, name in reading.columns.items())
    pairs = [
        ("Source", reading.source),
        ("Layout", reading.layout),
        *([("Columns", roles)] if roles else []),
        ("Items", f"{len(data.items):,}"),
        ("Coders", _names(data.coders)),
        *([("Questions", _names(data.questions))] if study.questions else []),
        ("Annotations", _statuses(study)),
        *([("Blanks", f"{count_of(reading.blanks, 'cell')}, counted as {reading.blanks_as}")]
          if reading.blanks else []),
        *[("Left out", f"{n:,} {what}") for what, n in reading.left_out],
    ]  # fmt: skip
    lead = (
        f"{count_of(len(data), 'annotation')} of {count_of(len(data.items), 'item')} by "
        f"{count_of(len(data.coders), 'coder')} enter the numbers below. Check here that the "
        "file was understood as you meant it."
    )
    notes = tuple(n[:1].upper() + n[1:] + ("" if n.endswith(".") else ".") for n in reading.notes)
    schemes = _schemes(study)
    return Section(
        "data", "What was read", lead, (Pairs(tuple(pairs)), replace(schemes, notes=notes))
    )


def _statuses(study: Study) -> str:
    return ", ".join(f"{n:,} {status}" for status, n in study.data.statuses().items())


def _schemes(study: Study) -> Table:
    rows = tuple(
        {
            "question": name or "(only one)",
            "scale": scheme.scale,
            "n": len(scheme.categories),
            "categories": _listed(map(label_text, scheme.categories)),
            "known": "given" if scheme.declared else "found in the data",
        }
        for name, scheme in zip(study.data.questions, study.data.schemes, strict=True)
    )
    columns = (
        *((Column("question", "question"),) if study.questions else ()),
        Column("scale", "scale", help="what the order and the size of the labels mean"),
        Column("n", "categories", "count"),
        Column("categories", "which"),
        Column("known", "where from"),
    )
    title = "The annotation scheme" if not study.questions else "The annotation scheme by question"
    return Table(title, columns, rows)


def _listed(words: Iterable[str], most: int = 30) -> str:
    found = list(words)
    return ", ".join(found[:most]) + (
        f" and {len(found) - most:,} more" if len(found) > most else ""
    )


def _names(names: tuple[str, ...]) -> str:
    return f"{len(names):,}: {_listed(names)}"


# ------------------------------------------------------------------ who annotated what


def coverage_section(study: Study) -> Section:
    """How many coders annotated each item, and how many items each coder."""
    whole = study.whole.found.coverage
    several = whole.n_pairable / whole.n_annotated if whole.n_annotated else float("nan")
    what = "answers (items × questions)" if study.questions else "items"
    lead = (
        f"{whole.n_pairable:,} of {whole.n_items:,} {what} were annotated by two coders or more "
        f"({percent(several)} of those annotated at all); only these show agreement."
    )
    if whole.n_groups > 1:
        lead += (
            f" The coders fall into {whole.n_groups} groups that share no item, so nothing is "
            "known about agreement between the groups."
        )
    return Section("coverage", "Who annotated what", lead, study.per_part(_coverage))


def _coverage(part: Part) -> Iterator[Block]:
    found = part.found.coverage
    per_item = tuple({"coders": m, "n": n, "share": n / found.n_items} for m, n in found.per_item)
    yield Table(
        "Annotations per item",
        (
            Column("coders", "annotations", "count", "how many coders annotated the item"),
            Column("n", "items", "count"),
            Column("share", "share", "bar"),
        ),
        per_item,
        (f"{percent(found.missing_share)} of all item × coder cells have no annotation.",)
        if found.missing_share > 0
        else (),
    )
    if not found.coders:
        return
    rows = [
        {
            "coder": c.coder, "n": c.n_items, "share": c.share, "alone": c.n_alone,
            "values": c.n_values, "top": label_text(c.top), "top_share": c.top_share,
            "entropy": c.entropy,
        }
        for c in sorted(found.coders, key=lambda c: -c.n_items)
    ]  # fmt: skip
    most = log2(part.found.counts.n_values) if part.found.counts.n_values > 0 else 0.0
    yield Table(
        "Coders",
        (
            Column("coder", "coder"),
            Column("n", "items", "count"),
            Column("share", "of all items", "bar"),
            Column("alone", "alone", "count", "items that nobody else annotated"),
            Column("values", "labels used", "count"),
            Column("top", "most frequent"),
            Column("top_share", "its share", "share"),
            Column("entropy", "entropy", "bits", "in bits; 0 if a coder always gives one label"),
        ),
        tuple(rows[:MOST_ROWS]),
        (
            f"Entropy says how evenly a coder spreads the labels: 0 bits if always the same, "
            f"{decimal(most, 2)} bits if all {part.found.counts.n_values} equally often.",
            *_more(len(rows)),
        ),
        folded=len(rows) > 30,
    )


def _more(n: int) -> tuple[str, ...]:
    if n <= MOST_ROWS:
        return ()
    return (f"The {MOST_ROWS} with the most items of {n:,} are shown.",)


# ------------------------------------------------------------------ labels


def labels_section(study: Study) -> Section:
    """How often each label was given, by whom."""
    shares = study.whole.found.coverage.distribution
    n = shares.n
    top = int(n.argmax()) if len(n) else 0
    lead = "No label was given."
    if shares.total:
        lead = (
            f"“{label_text(shares.values[top])}” makes up {percent(float(shares.share[top]))} of "
            f"all labels; the entropy of the labels is {decimal(shares.entropy, 2)} of at most "
            f"{decimal(log2(max(1, len(n))), 2)} bits."
        )
    if shares.unused:
        unused = joined((f"“{label_text(v)}”" for v in shares.unused), most=8)
        lead += f" Never used: {unused}."
    return Section("labels", "Which labels they gave", lead, study.per_part(_labels))


def _labels(part: Part) -> Iterator[Block]:
    found = part.found.coverage.distribution
    order = sorted(range(len(found.values)), key=lambda k: -found.n[k])
    if part.found.scheme.scale != "nominal" or part.found.scheme.declared:
        order.sort()
    use = part.found.coders.labels
    few = use is not None and len(use.coders) <= 8
    rows = []
    for k in order[:MOST_ROWS]:
        row = {
            "label": label_text(found.values[k]),
            "n": int(found.n[k]),
            "share": float(found.share[k]),
        }
        if use is not None and few:
            row |= {f"coder {c}": float(x) for c, x in enumerate(use.share[:, k])}
        rows.append(row)
    columns = (
        Column("label", "label"),
        Column("n", "times", "count"),
        Column("share", "share", "bar"),
        *(
            (Column(f"coder {c}", name, "share") for c, name in enumerate(use.coders))
            if use is not None and few
            else ()
        ),
    )
    notes: tuple[str, ...] = (
        ("The columns of the coders are shares of their own labels.",) if few else ()
    )
    if len(order) > MOST_ROWS:
        notes += (f"The {MOST_ROWS} most frequent of {len(order):,} labels are shown.",)
    table = Table("Labels", columns, tuple(rows), notes, folded=len(rows) > 30)
    if use is None or len(found.values) < 2:
        yield table
        return
    yield Chart(_title(part, use), _dots(part, use, order[:MOST_DOTS]), table)


def _title(part: Part, use: LabelUse) -> str:
    """Where coders differ most in how often they give a label."""
    share = use.share[part.found.coders.n_items >= FEW]
    if len(share) < 2:
        return "How often each label was given"
    k = int((share.max(0) - share.min(0)).argmax())
    low, high = float(share[:, k].min()), float(share[:, k].max())
    return (
        f"Coders differ most in “{label_text(use.values[k])}”, which they give to "
        f"{percent(low)} to {percent(high)} of their items"
    )


def _dots(part: Part, use: LabelUse, order: list[int]) -> dict[str, object]:
    found = part.found.coverage.distribution
    values = [label_text(found.values[k]) for k in order]
    busiest = part.found.coders.n_items.argsort()[::-1][:MOST_DRAWN].tolist()
    rows = [
        {"name": name, "coder": coder, "share": float(share[k])}
        for name, k in zip(values, order, strict=True)
        for coder, share in [(None, found.share), *((use.coders[c], use.share[c]) for c in busiest)]
    ]
    return spread(rows, values, title="share of a coder's labels (tick: of all labels)")
