"""Final labels: what all coders of an item have in common, and who decides it."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ..diagnosis.diagnose import Part
from ..diagnosis.label_sets import CoderSets, Structure
from ..diagnosis.words import isolated, label_text, quoted
from ..measure.final_labels import FinalLabels
from ..numbers import count_of, decimal, p_text, percent
from .blocks import Block, Chart, Prose, Table
from .charts import beside
from .view import view

MOST_DRAWN = 12
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
        for row in rows[:MOST_DRAWN]
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
