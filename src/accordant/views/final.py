"""What is left if one label is wanted: the labels that all coders of an item share."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..diagnosis.facts import SIGNIFICANT
from ..diagnosis.final_labels import FinalLabels
from ..diagnosis.label_sets import CoderSets, Structure
from ..diagnosis.words import isolated, label_text, quoted
from ..numbers import count_of, decimal, p_text, percent
from .charts import beside
from .document import Block, Chart, Column, Prose, Section, Table
from .evidence import allowance
from .study import Part, Study

__all__ = ["clear_decider", "final_section"]

MOST_ROWS = 100
MOST_DRAWN = 15
COMMON = 5  # times a label is given before its share is a finding
ENOUGH = 20  # final labels before their shares are a finding
MANY = 3  # annotations of an item: of more coders, few agree with all others

_KINDS = (
    (1, "exactly one label", "One label in common"),
    (2, "several labels", "Several labels in common"),
    (0, "nothing in common", "Nothing in common"),
    (3, "all say none applies", "All say that no label applies"),
)
"""Code of the kind, what coders have in common, and the title of its items."""


def final_section(study: Study) -> Section | None:
    """The final labels, who decides them, and how they differ from all labels given."""
    if not study.comparable or all(part.found.structure is None for part in study.parts):
        return None
    return Section(
        "final", "The final label", study.told(_lead), study.per_part(lambda p: _final(study, p))
    )


def _lead(part: Part) -> str:
    found = part.found.structure
    if found is None:
        return "Every annotation holds one label: it is final where the coders agree."
    final = found.final
    if not final.n_items:
        return "No item has two annotations."
    lead = (
        f"All coders of an item share a label on {final.n_with_label:,} of "
        f"{count_of(final.n_items, 'item')} ({percent(final.n_with_label / final.n_items)}): "
        f"exactly one on {final.n_one:,}, several on {final.n_several:,}."
    )
    if not final.n_several and final.n_with_label:
        lead = lead.rpartition(":")[0] + ", always exactly one."
    if not final.n_with_label:
        lead = f"The coders share a label on none of {count_of(final.n_items, 'item')}."
    if final.n_empty:
        lead += f" On {final.n_empty:,} all say that no label applies."
    return lead + _decided(found)


def _decided(found: Structure) -> str:
    decider = clear_decider(found)
    if decider is None:
        return ""
    return (
        f" On {decider.n_decides_alone:,} of these {isolated(str(decider.coder))} alone decides "
        "what is left, since everybody else gave more labels (exact sign test, "
        f"{p_text(found.p_decides)})."
    )


def clear_decider(found: Structure) -> CoderSets | None:
    """Who decides on most items alone, if that is more than chance."""
    clear = found.final.n_with_label > 0 and found.p_decides < SIGNIFICANT  # NaN is not
    return found.decider if clear else None


def _final(study: Study, part: Part) -> Iterator[Block]:
    found = part.found.structure
    if found is None:
        yield Prose("Every annotation holds one label.")
        return
    if not found.final.n_items:
        yield Prose("No item has two annotations.")
        return
    yield _kinds(study, part, found.final)
    if found.final.n_with_label:
        yield _labels(study, part, found.final)
    if found.everybody.n_decides:
        yield _deciders(found)


def _kinds(study: Study, part: Part, final: FinalLabels) -> Table:
    keep = allowance(len(_KINDS))
    of_kind = final.items.kind_by_pattern
    rows = []
    for code, name, title in _KINDS:
        patterns = np.flatnonzero(of_kind == code)
        n = int(part.found.counts.times[patterns].sum())
        if n or code != 3:
            opened = _opened(study, part, patterns, n, keep, title) if n else {}
            said = name.replace("all ", "both ") if part.found.counts.n_coders == 2 else name
            rows.append({"kind": said, "n": n, "share": n / final.n_items, **opened})
    columns = (
        Column("kind", "in common"),
        Column("n", "items", "count"),
        Column("share", "share", "bar"),
    )
    counts = part.found.counts
    mean_size = float(counts.times @ counts.size / counts.n_items)
    notes = (
        (
            f"An item has {decimal(mean_size, 1)} annotations on average: the more coders, the "
            "rarer a label that all of them give. A vote of the coders keeps more items.",
        )
        if mean_size > MANY
        else ()
    )
    return Table("What all coders of an item have in common", columns, tuple(rows), notes)


def _opened(
    study: Study, part: Part, patterns: NDArray[Any], n: int, keep: int, title: str
) -> dict[str, Any]:
    """The items behind the number ``n`` of a row."""
    key = study.collector.add(part.found.items, n, part.showing(patterns, keep))
    return {"opens": {"n": key}, "spoken": {"n": f"{title}: {count_of(n, 'item')}"}}


# ------------------------------------------------------------------ which labels are left


def _labels(study: Study, part: Part, final: FinalLabels) -> Chart:
    order = [k for k in np.argsort(-final.n_given, kind="stable").tolist() if final.n_given[k]]
    shown = order[:MOST_ROWS]
    keep = allowance(len(shown))
    rows = tuple(_label_row(study, part, final, k, keep) for k in shown)
    columns = (
        Column("label", "label"),
        Column("n_given", "given", "count", "labels that coders gave to items of two or more"),
        Column("share_given", "share", "share", "of all labels given"),
        Column("n", "final", "count", "items that have it in common"),
        Column("share_final", "share", "share", "of all final labels"),
        Column("ratio", "ratio", "bits", "share of final labels by share of labels given"),
    )
    notes = [
        f"{final.n_categories:,} of {count_of(len(final.categories), 'category', 'categories')} "
        "occur among the final labels. Their entropy is "
        f"{decimal(final.entropy, 2)} bits, that of all labels given to the same items "
        f"{decimal(final.entropy_given, 2)}.",
        "Ratio above 1: the label is more common among final labels than among those given. "
        "Coders meet more easily on frequent labels, so do not read the shares of the final "
        "labels as those of the data (Marchal et al. 2022, sec. 8).",
    ]
    if len(order) > len(shown):
        notes.append(f"The {len(shown)} most frequent of {len(order):,} labels are shown.")
    table = Table("Final labels and all labels", columns, rows, tuple(notes),
                  depth="detail" if len(rows) > 30 else "main")  # fmt: skip
    drawn = [
        {"name": row["label"], "share": row["share_final"], "other": row["share_given"]}
        for row in rows[:MOST_DRAWN]
    ]
    chart = beside(drawn, title="share of final labels (dot), of all labels given (tick)")
    return Chart(_title(final), chart, table)


def _label_row(study: Study, part: Part, final: FinalLabels, k: int, keep: int) -> dict[str, Any]:
    label = final.categories[k]
    n = int(final.n_final[k])
    row = {
        "label": label_text(label), "n_given": int(final.n_given[k]), "n": n,
        "share_given": float(final.share_given[k]), "share_final": float(final.share_final[k]),
        "ratio": float(final.ratio[k]),
    }  # fmt: skip
    if not n:
        return row
    held = np.array([label in final_set for final_set in final.items.sets] + [False])
    patterns = np.flatnonzero(held[final.items.by_pattern])
    title = f"All coders gave {isolated(label_text(label))}"
    return row | _opened(study, part, patterns, n, keep, title)


def _title(final: FinalLabels) -> str:
    """Which frequent label gains or loses most."""
    if not final.n_with_label:
        return "No item has a final label"
    if final.n_with_label < ENOUGH:
        return f"Only {count_of(final.n_with_label, 'item has', 'items have')} a final label"
    often = np.flatnonzero(final.n_given >= COMMON)
    if not len(often):
        often = np.flatnonzero(final.n_given)
    change = final.share_final - final.share_given
    k = int(often[np.abs(change[often]).argmax()])
    more = "more" if change[k] > 0 else "less"
    return (
        f"{quoted(final.categories[k])} is {more} common among the final labels "
        f"({percent(float(final.share_final[k]))}) than among all labels given "
        f"({percent(float(final.share_given[k]))})"
    )


# ------------------------------------------------------------------ who decides


def _deciders(found: Structure) -> Table:
    order = sorted(found.coders, key=lambda c: (-c.n_decides_alone, -c.n_final))
    rows = tuple(
        {
            "coder": isolated(str(c.coder)), "n_final": c.n_final, "alone": c.n_decides_alone,
            "share": c.share_decides_alone, "others": c.n_decides - c.n_decides_alone,
        }
        for c in order[:MOST_ROWS]
    )  # fmt: skip
    several = len(found.coders) > 2
    columns = (
        Column("coder", "coder"),
        Column("n_final", "items", "count", "of the coder whose coders all share a label"),
        Column("alone", "decides", "count", "items on which everybody else gave more labels"),
        Column("share", "of these", "bar"),
        *(
            (Column("others", "with others", "count", "items that several coders decide"),)
            if several else ()
        ),
    )  # fmt: skip
    notes = [
        "A coder decides an item if the coder's labels are just those that all share, and "
        "everybody else gave more: the choice was made by giving less."
    ]
    if several:
        notes.append(
            "With others: not everybody else gave more, but somebody did, and more than one coder "
            "gave just the labels that all share."
        )
    if len(order) > MOST_ROWS:
        notes.append(f"The {MOST_ROWS} who decide most often of {len(order):,} are shown.")
    return Table("Who decides the final label", columns, rows, tuple(notes),
                 depth="detail" if len(rows) > 30 else "main")  # fmt: skip
