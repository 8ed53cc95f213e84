"""The data: what was read, who annotated what, which labels were given."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from ..data.annotations import losses
from ..diagnosis.diagnose import Part
from ..diagnosis.label_sets import CoderSets, Structure
from ..fields import FIELDS
from ..measure.coverage import Coverage, coverage
from ..measure.final_labels import FinalLabels
from ..measure.label_use import LabelUse, label_use
from ..measure.shares import Distribution
from ..messages import isolated, label_text, member, quoted
from ..numbers import count_of, decimal, joined, p_text, percent, tied
from ..scheme import Scheme
from .blocks import Block, Chart, Keys, Prose, Table
from .charts import beside, spread
from .coefficient_names import UNKNOWN, begun, ranging
from .view import view

MOST_NAMED = 30
MOST_DOTS = 12  # labels of a chart
MOST_DRAWN = 100  # coders of a chart
MOST_COLUMNS = 8  # coders with a column of their own
MOST_SIZES = 5  # from here on sizes are told together
FEW = 5  # annotations of a coder whose shares say little


# ------------------------------------------------------------------ what was read


@view("data", of="describe", title="Data", chapter="data", place=10, whole=True)
def data(part: Part) -> Iterator[Block]:
    """File, layout, columns, what was left out, annotation scheme."""
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
        (
            "Blanks",
            f"{count_of(reading.blanks, 'cell')}, counted as {reading.blanks_as}"
            if reading.blanks
            else "",
        ),
        *(("Left out", what) for what in losses(reading.left_out)),
    ]
    yield Prose(facts=tuple((name, fact) for name, fact in facts if fact))
    if reading.preview:
        shown_as = ((f"{name} → {role}", ", ".join(cells)) for name, role, cells in reading.preview)
        yield Prose(facts=tuple(shown_as))
    sets = any(scheme.max_labels != 1 for scheme in found.schemes)
    said = [*(f"warning: {w}" for w in reading.warnings), *reading.notes]
    notes = (f"{begun(note.rstrip('.'))}." for note in said)
    yield Table.of(
        f"{'question' * several} scale n_values {'labels_each' * sets} categories known",
        map(_scheme, found.questions, found.schemes),
        notes,
        title="Annotation scheme",
        called={"n_values": "categories", "categories": "names"},
    )


def _scheme(name: str, scheme: Scheme) -> dict[str, Any]:
    most = f"up to {scheme.max_labels}" if scheme.max_labels else "any number"
    return {
        "question": name or None,
        "scale": scheme.scale,
        "n_values": len(scheme.categories),
        "labels_each": "one"
        if scheme.max_labels == 1
        else f"{most}, the first is the primary one"
        if scheme.ranked
        else most,
        "categories": _listed(scheme.categories),
        "known": "the scheme" if scheme.declared else "the data",
    }


def _listed(words: Sequence[Any]) -> str:
    found = [member(word) for word in words[:MOST_NAMED]]
    hidden = len(words) - len(found)
    return ", ".join(found) + (f" and {hidden:,} more" if hidden else "")


def _names(names: Sequence[str]) -> str:
    return f"{len(names):,}: {_listed(names)}"


# ------------------------------------------------------------------ who annotated what


@view("questions", of="describe", title="Coverage", chapter="data", place=20, whole=True)
def questions(part: Part) -> Iterator[Block]:
    """Items, annotations and labels of each question."""
    whole, names = part.coverage, part.data.questions
    each = [coverage(part.data.of_question(q)) for q in names] if len(names) > 1 else []
    rows = [row for found in (*each, whole) for row in found.to_rows()]
    told = [row | {"question": row["question"] or "all"} for row in rows] if each else rows
    apart = (
        f"The coders form {whole.n_groups} groups without an item in common: agreement between "
        "them is unknown."
    )
    notes = (apart if whole.n_groups > 1 else "", *map(_unused, each or [whole]))
    yield Table.of(
        f"{'question*' if each else ''} n_items* n_pairable* n_empty n_annotations* missing_share "
        f"n_values* entropy {'mean_labels' * part.counts.of_sets}",
        told,
        notes,
        called={"n_pairable": "with two annotations"},
    )
    per_item = [{"counts": m, "n_items": n, "share": n / whole.n_items} for m, n in whole.per_item]
    if len(per_item) > 1:
        yield Table.of("counts n_items share", per_item, title="Annotations per item")


def _unused(found: Coverage) -> str:
    where = f" of question {found.question}" if found.question else ""
    names = joined(map(label_text, found.distribution.unused))
    return f"Categories{where} never given: {names}." if names else ""


@view("coders", of="describe", title="Annotations by coder", chapter="data", place=30)
def coders(part: Part) -> Iterator[Block]:
    """What each coder annotated, and how evenly the labels are used."""
    found = sorted(part.coverage.coders, key=lambda c: -c.n_items)
    if not found:
        yield Prose(UNKNOWN)
        return
    held = _sizes(part)
    rows = (c.to_rows()[0] | held.get(c.coder, {}) for c in found)
    n_labels = len(part.scheme.categories) if held else part.counts.n_values
    most = decimal(math.log2(n_labels) if n_labels else 0.0, 2)
    yield Table.of(
        "coder* n_items* share* n_alone n_values top* top_share* entropy "
        f"{'mean_labels' if held else ''}",
        rows,
        (f"Entropy: {most} bits if all {n_labels:,} labels are equally frequent.",)
        * (n_labels > 1),
        called={"share": "share of items"},
    )


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


@view("labels", of="describe", title="Labels given", chapter="data", place=40)
def labels(part: Part) -> Iterator[Block]:
    """How often each label was given, and by whom."""
    if part.continuous:
        yield _measurements(part)
        return
    use = label_use(part.counts, part.scheme.categories)
    order = _order(part, part.coverage.distribution)
    table = _label_table(part, order, use)
    if use is None or len(use.coders) < 2 or len(use.values) < 2:
        yield table
    else:
        yield Chart(_differ(use), _dots(part, use, order[:MOST_DOTS]), table)


def _order(part: Part, found: Distribution) -> list[int]:
    """The most frequent labels first; in the order of the scheme where it has one."""
    ordered = part.scheme.scale != "nominal" or part.scheme.declared
    return list(range(len(found.n))) if ordered else np.argsort(-found.n, kind="stable").tolist()


def _label_table(part: Part, order: Sequence[int], use: LabelUse | None) -> Table:
    found, sets, n = part.coverage.distribution, part.counts.of_sets, part.coverage.n_annotations
    own = use if use is not None and len(use.coders) <= MOST_COLUMNS else None
    names = own.coders if own else ()
    rows = (
        {"label": found.values[k], "n": int(found.n[k]), "share": float(found.share[k])}
        | ({"share_of_annotations": float(found.n[k]) / n if n else math.nan} if sets else {})
        | {f"share_by_{c}": float(own.share_of_items[i, k]) for i, c in enumerate(names) if own}
        for k in order
    )
    by_coder = (FIELDS["share"].called(c, key=f"share_by_{c}") for c in names)
    several = ", which may hold several" if sets else ""
    note = f"Columns of coders: share of the coder's annotations{several}." if own else ""
    return Table.of(
        ("label n share", "share_of_annotations" * sets, *by_coder),
        rows,
        (note,),
        called={"share": "share of labels"} if sets else None,
    )


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
            rows.append(
                {
                    "coder": name,
                    "n": len(own),
                    "mean": float(own.mean()),
                    "sd": float(own.std(ddof=1)) if len(own) > 1 else math.nan,
                    "lowest": low,
                    "median": middle,
                    "highest": high,
                }
            )
    return Table.of("coder n mean sd lowest median highest", rows)


def _differ(use: LabelUse) -> str:
    """Where coders differ most in how often they give a label."""
    share = use.share_of_items[use.n_items >= FEW]
    if len(share) < 2:
        return "Frequency of labels"
    k = int(tied(share.max(0) - share.min(0)).argmax())
    low, high = percent(float(share[:, k].min())), percent(float(share[:, k].max()))
    if low == high:
        return "Coders give each label equally often"
    return f"Coders differ most in {quoted(use.values[k])}: {low} to {high} of their items"


def _dots(part: Part, use: LabelUse, order: Sequence[int]) -> dict[str, Any]:
    found, n = part.coverage.distribution, part.coverage.n_annotations
    values = [label_text(found.values[k]) for k in order]
    every = found.n / max(n, 1)
    busiest = use.n_items.argsort()[::-1][:MOST_DRAWN].tolist()
    rows = [
        {"name": name, "coder": coder, "share": float(share[k])}
        for name, k in zip(values, order, strict=True)
        for coder, share in [
            (None, every),
            *((use.coders[c], use.share_of_items[c]) for c in busiest),
        ]
    ]
    return spread(rows, values, title="share of a coder's annotations (tick: of all annotations)")


# ------------------------------------------------------------------ how many labels


@view(
    "labels-per-annotation", of="describe", title="Labels per annotation", chapter="data", place=50
)
def labels_per_annotation(part: Part) -> Iterator[Block]:
    """How many labels coders give to an item, and who gives more."""
    found = part.structure
    if found is None:
        return
    order = sorted(found.coders, key=lambda c: c.mean_labels)
    every = (*order, found.everybody) if len(order) != 1 else tuple(order)
    held = _sizes(part)
    rows = [
        {
            "coder": c.coder or "all",
            "n_annotations": c.n_annotations,
            **held[c.coder],
            "entropy": c.entropy,
            "entropy_share": c.entropy_share,
            "apart": c.coder is None,
        }
        for c in every
    ]
    shares = (
        FIELDS["share"].called(_size(n), key=f"share_{n}")
        for n in range(min(found.largest, MOST_SIZES) + 1)
        if any(row.get(f"share_{n}") for row in rows)
    )
    k = max(len(found.categories), 1)
    note = (
        "Entropy: −Σ p log2 p of a coder's labels (Marchal et al. 2022, eq. 5); at most log2 K "
        f"= {decimal(math.log2(k), 2)} bits."
    )
    keys: Keys = ("coder* n_annotations*", *shares, "mean_labels* entropy entropy_share")
    yield Table.of(keys, rows, (note,), title=_larger(found))
    if found.pairs:
        yield _more_labels(found)


def _size(n: int) -> str:
    return count_of(n, "label") if n else "no label"


def telling(found: Structure) -> list[CoderSets]:
    """The coders with enough annotations for their shares to say something."""
    known = [c for c in found.coders if c.n_annotations]
    return [c for c in known if c.n_annotations >= FEW] or known


def _larger(found: Structure) -> str:
    known = telling(found)
    if len(known) < 2:
        return f"An annotation holds {decimal(found.everybody.mean_labels, 2)} labels on average"
    each = ((_name(c), c.mean_labels) for c in known)
    return ranging("Mean number of labels per annotation", each, 2)


def _more_labels(found: Structure) -> Table:
    """Who of two coders gives more labels, the pairs with the most common items first."""
    each = sorted(found.pairs, key=lambda p: (-p.n_common, p.first, p.second))
    notes = (
        "Precision: mean share of the first coder's labels that the second gave too; recall: of "
        "the second coder's that the first gave too. p: exact sign test of more against "
        "fewer.",
        "Only the busiest coders." if found.n_left_out else "",
    )
    return Table.of(
        "first* second* n_common n_more* n_same* n_fewer* p_value* precision recall",
        (row for pair in each for row in pair.to_rows()),
        notes,
        title="Who gives more labels",
    )


def _name(c: CoderSets) -> str:
    return "all" if c.coder is None else isolated(c.coder)


# ------------------------------------------------------------------ final labels


COMMON = 5  # times a label is given before its share is a finding
SIGNIFICANT = 0.05  # level of the sign test
ENOUGH = 20  # final labels before their shares are a finding


@view("final-labels", of="describe", title="Final labels", chapter="final_labels", place=110)
def final_labels(part: Part) -> Iterator[Block]:
    """Labels that all coders of an item share, and who decides them."""
    found = part.structure
    if found is None or not found.final.n_items:
        single = "Every annotation holds one label."
        yield Prose(single if found is None else "No item has two annotations.")
        return
    yield Prose(_shared(found))
    if found.final.n_with_label:
        yield _final_table(found.final)
    yield _kinds(found.final)
    if found.everybody.n_decides:
        yield _deciders(found)


def _shared(found: Structure) -> str:
    final, n = found.final, count_of(found.final.n_items, "item")
    if not final.n_with_label:
        return f"The coders share a label on none of {n}."
    told = (
        f"All coders of an item share a label on {final.n_with_label:,} of {n} "
        f"({percent(final.n_with_label / final.n_items)})."
    )
    decider = _clear_decider(found)
    if decider is None:
        return told
    return (
        f"{told} On {decider.n_decides_alone:,} of these {isolated(str(decider.coder))} alone "
        "decides it, since everybody else gave more labels (exact sign test, "
        f"{p_text(found.p_decides)})."
    )


def _clear_decider(found: Structure) -> CoderSets | None:
    """Who decides on most items alone, if that is more than chance."""
    clear = found.final.n_with_label > 0 and found.p_decides < SIGNIFICANT  # NaN is not
    return found.decider if clear else None


def _final_table(final: FinalLabels) -> Chart:
    names = {"category": "label", "n_final": "n_as_final"}
    rows = [
        {names.get(key, key): x for key, x in row.items()}
        for row in sorted(final.to_rows(), key=lambda row: -row["n_given"])
        if row["n_given"]
    ]
    notes = (
        f"{final.n_categories:,} of {count_of(len(final.categories), 'category', 'categories')} "
        f"occur among the final labels. Their entropy is {decimal(final.entropy, 2)} bits, "
        f"that of all labels of the same items {decimal(final.entropy_given, 2)} bits.",
        "Coders agree more easily on frequent labels: shares of final labels are not shares of "
        "the data (Marchal et al. 2022, sec. 8).",
    )
    table = Table.of("label n_given share_given n_as_final share_final ratio", rows, notes)
    drawn = [
        {"name": label_text(row["label"]), "share": row["share_final"], "other": row["share_given"]}
        for row in rows[:12]
    ]
    what = "share of final labels (dot), of all labels given (tick)"
    return Chart(_changed(final), beside(drawn, title=what), table)


def _changed(final: FinalLabels) -> str:
    """Which frequent label gains or loses most."""
    if final.n_with_label < ENOUGH:
        return f"Only {count_of(final.n_with_label, 'item has', 'items have')} a final label"
    often = np.flatnonzero(final.n_given >= COMMON)
    often = often if len(often) else np.flatnonzero(final.n_given)
    change = final.share_final - final.share_given
    k = int(often[np.abs(change[often]).argmax()])
    more = "more" if change[k] > 0 else "less"
    return (
        f"{quoted(final.categories[k])} is {more} common among final labels "
        f"({percent(float(final.share_final[k]))}) than among all labels "
        f"({percent(float(final.share_given[k]))})"
    )


def _kinds(final: FinalLabels) -> Table:
    each = {
        "exactly one": final.n_one,
        "several": final.n_several,
        "none": final.n_none,
        **({"all gave no label": final.n_empty} if final.n_empty else {}),
    }
    rows = [{"shared_labels": x, "n_items": n, "share": n / final.n_items} for x, n in each.items()]
    return Table.of("shared_labels n_items share", rows, title="Items by shared labels")


def _deciders(found: Structure) -> Table:
    """Whose labels become the final ones, those who decide most often first."""
    rows = [
        {
            "coder": c.coder,
            "n_final": c.n_final,
            "n_decides_alone": c.n_decides_alone,
            "share_decides_alone": c.share_decides_alone,
            "n_decides_together": c.n_decides - c.n_decides_alone,
        }
        for c in sorted(found.coders, key=lambda c: (-c.n_decides_alone, -c.n_final))
    ]
    together = " n_decides_together" if len(found.coders) > 2 else ""
    note = (
        "A coder decides alone if the coder's labels are just those that all share, and "
        "everybody else gave more."
    )
    keys = f"coder n_final n_decides_alone share_decides_alone{together}"
    return Table.of(keys, rows, [note], title="Who decides the final label")
