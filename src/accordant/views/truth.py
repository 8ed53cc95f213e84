"""What is probably true: how sure the labels are, what the majority vote says otherwise."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..diagnosis.words import isolated, label_text, quoted
from ..errors import AccordantError
from ..models.posterior import Posterior
from ..models.wording import BELIEF, wording
from ..numbers import count_of, level_text, percent
from .document import Block, Chart, Column, Prose, Section, Table
from .evidence import allowance
from .fitted import Fits, Fitted
from .model_charts import dots
from .names import cut
from .promise import promise_blocks
from .which_model import model_blocks

__all__ = ["truth_section"]

SURE = 0.95
BANDS = (
    (0.99, "99 % or more"), (SURE, "95 to 99 %"), (0.8, "80 to 95 %"), (0.0, "less than 80 %"),
)  # fmt: skip
"""From which probability, and its name."""
MOST_ITEMS = 15
MOST_CODERS = 12
MOST_LABELS = 20
Bools = NDArray[np.bool_]


def truth_section(fits: Fits) -> Section | None:
    """What each question's model believes, or why there is no model."""
    if not fits.each or not fits.study.comparable:
        return None
    title = (wording(fits.there[0].model) if fits.there else BELIEF).labels
    if not fits.there:
        reasons = dict.fromkeys(one.reason for one in fits.each)
        return Section("truth", title, " ".join(reasons))
    rest = [one for one in fits.each if one.raw is None]
    without = tuple(Prose(f"{one.part.title}: {one.reason}") for one in rest)
    blocks = (*fits.per_question(lambda one: _blocks(fits, one)), *without)
    return Section("truth", title, fits.told(_lead), blocks)


def _lead(fitted: Fitted) -> str:
    shown, changes = fitted.found, fitted.changes
    n = len(fitted.names)
    tied = int((changes == "tied").sum())
    what = "sets of labels" if fitted.of_sets else "labels"
    if fitted.believes:
        sure = int(((shown.confidence >= SURE) & ~shown.tied).sum())
        some = (
            f"{sure:,} of {n:,} {what} ({percent(sure / n)})" if sure else f"none of {n:,} {what}"
        )
        first = f"{fitted.model.name} is at least {percent(SURE, 0)} sure of {some}"
        first += f"; {count_of(tied, 'item is a tie', 'items are ties')}." if tied else "."
    else:
        first = (
            f"{fitted.model.name} gives {n - tied:,} of {count_of(n, 'item')} a label; "
            f"{tied:,} {'is a tie' if tied == 1 else 'are ties'}."
        )
    return " ".join(x for x in (first, _beside_vote(fitted), _against_gold(fitted)) if x)


def _against_gold(fitted: Fitted) -> str:
    """How right the labels are, if some are known."""
    shown = fitted.found
    if not fitted.known or not isinstance(shown, Posterior):
        return ""
    try:
        found = shown.scores(dict(fitted.known), level=fitted.part.level)
    except AccordantError:  # nothing in common
        return ""
    return (
        f"Against {isolated(str(fitted.gold))}, {percent(found.accuracy)} of "
        f"{count_of(found.n_items, 'label')} are right ({level_text(found.level)} interval "
        f"{percent(found.low)} to {percent(found.high)})."
    )


def _beside_vote(fitted: Fitted) -> str:
    if fitted.model.key == "majority":
        return ""
    changes = fitted.changes
    other, settled = int((changes == "other").sum()), int((changes == "settled").sum())
    if not other and not settled:
        return "Its labels are those of the majority vote."
    parts = []
    if other:
        parts.append(f"gives {count_of(other, 'item')} another label than the majority vote")
    if settled:
        ties = count_of(settled, "tie")
        parts.append(f"settles {ties} of {'that vote' if other else 'the majority vote'}")
    return f"It {' and '.join(parts)}."


def _blocks(fits: Fits, fitted: Fitted) -> Iterator[Block]:
    yield _how_sure(fits, fitted)
    yield from promise_blocks(fitted)
    if fitted.model.key != "majority":
        yield _changed(fits, fitted)
    yield _prevalence(fitted)
    if (least := _least_sure(fits, fitted)) is not None:
        yield least
    yield from model_blocks(fitted)


# ---------------------------------------------------------------------- how sure


def _how_sure(fits: Fits, fitted: Fitted) -> Table:
    shown = fitted.found
    bands: list[tuple[str, Bools]] = []
    upper = math.inf
    for low, name in BANDS:
        inside = (shown.confidence >= low) & (shown.confidence < upper) & ~shown.tied
        bands.append((name, inside))
        upper = low
    bands.append(("no label: a tie", np.asarray(shown.tied)))
    keep = allowance(len(bands))
    n = len(fitted.names)
    rows = []
    for name, inside in bands:
        k = int(inside.sum())
        if not k and name.startswith("no label"):
            continue
        row: dict[str, Any] = {"name": name, "n": k, "share": k / n}
        if fitted.believes and not name.startswith("no label"):
            row["wrong"] = float((1 - shown.confidence[inside]).sum())
        rows.append(row | _opened(fits, fitted, inside, keep, f"Labels: {name}"))
    columns = (
        Column("name", _probability(fitted)),
        Column("n", "items", "count"),
        Column("share", "share", "bar"),
        *((Column("wrong", "expected wrong", "bits", "of these labels"),)
          if fitted.believes else ()),
    )  # fmt: skip
    return Table(
        "How sure the labels are" if fitted.believes else "How large the majorities are",
        columns, tuple(rows), tuple(_about_labels(fitted)),
    )  # fmt: skip


def _probability(fitted: Fitted) -> str:
    if not fitted.believes:
        return "share of the votes"
    return "probability of the set" if fitted.of_sets else "probability of the label"


def _about_labels(fitted: Fitted) -> Iterator[str]:
    most, alike = (
        ("the most probable category", "equally probable") if fitted.believes
        else ("the category with most votes", "equally frequent")
    )  # fmt: skip
    if fitted.of_sets:
        yield (
            "Each label has a model of its own, and a set holds the labels that are more probable "
            "than not. The probability is that of just this set. “The final label” is something "
            "else: what all coders of an item share."
        )
    else:
        yield (
            f"The label of an item is {most}. No label is chosen by lot or by "
            f"the alphabet: where two are {alike}, there is none."
        )
    if not fitted.believes:
        yield "Shares of votes are opinions: they are no probability that a label is true."


def _opened(
    fits: Fits, fitted: Fitted, inside: Bools, keep: int, title: str
) -> dict[str, Any]:  # fmt: skip
    """The items behind the number of a row, the least sure first."""
    n = int(inside.sum())
    if not n:
        return {}
    at = fitted.positions[fitted.least_sure(inside)[:keep]]
    key = fits.study.collector.add(fitted.part.found.items, n, at)
    return {"opens": {"n": key}, "spoken": {"n": f"{title}: {count_of(n, 'item')}"}}


# ---------------------------------------------------------------------- the majority vote


_CHANGES = (
    ("same", "the same", "the same"),
    ("other", "another label", "another set"),
    ("settled", "a label, where the vote is a tie", "a set, where the vote on a label is a tie"),
    ("tied", "no label: a tie", "no set: a tie"),
)


def _changed(fits: Fits, fitted: Fitted) -> Table:
    changes, n = fitted.changes, len(fitted.names)
    keep = allowance(len(_CHANGES))
    rows = []
    for key, of_label, of_set in _CHANGES:
        name = of_set if fitted.of_sets else of_label
        inside = changes == key
        k = int(inside.sum())
        if k or key in ("same", "other"):
            row = {"name": name, "n": k, "share": k / n}
            rows.append(row | _opened(fits, fitted, inside, keep, f"The model gives {name}"))
    columns = (
        Column("name", "the model gives"),
        Column("n", "items", "count"),
        Column("share", "share", "bar"),
    )
    vote = (
        "The majority vote of sets is taken label by label."
        if fitted.of_sets
        else "A vote counts every coder alike; the model weighs coders by how they err."
    )
    return Table("Beside the majority vote", columns, tuple(rows), (vote,))


# ---------------------------------------------------------------------- how frequent


def _prevalence(fitted: Fitted) -> Chart:
    rows = _frequencies(fitted)
    shown = sorted(rows, key=lambda row: -row["value"])[:MOST_LABELS] if (
        len(rows) > MOST_LABELS) else rows  # fmt: skip
    known = any(not math.isnan(row["low"]) for row in rows)
    who = "the model believes" if fitted.believes else "the vote has it"
    columns = (
        Column("name", "label"),
        Column("value", "of the items", "share", f"as {who}"),
        *((Column("interval", "its interval", "interval"),) if known else ()),
        Column("other", "of the annotations", "share", "every item counting the same"),
    )
    notes = []
    if known:
        method = _interval(fitted.singles[0]).method
        notes.append(
            f"Intervals of {level_text(_interval(fitted.singles[0]).level)}: {method}. They "
            "do not know that labels may be wrong, so they are rather too narrow."
            if "as found" in method
            else f"Intervals of {level_text(_interval(fitted.singles[0]).level)}: {method}."
        )
    if len(shown) < len(rows):
        notes.append(f"The {len(shown)} most frequent of {len(rows):,} labels are shown.")
    table = Table("How frequent each label is", columns, tuple(shown), tuple(notes), depth="detail")
    drawn = [{**row, "kind": "good"} for row in shown]
    axis = [f"share of the items, as {who} (dot),", "share of the annotations (tick)"]
    return Chart(_moved(shown, fitted.believes), dots(drawn, title=axis, percent=True), table)


def _interval(one: Posterior) -> Any:
    return one.estimate.intervals.get("prevalence")


def _frequencies(fitted: Fitted) -> list[dict[str, Any]]:
    """One row for each category, or for each label of sets."""
    found = []
    for one, label in zip(fitted.singles, _of_each(fitted), strict=True):
        given = one.votes.shares.mean(0)
        ends = _interval(one)
        for k, category in enumerate(one.categories):
            if label is not None and k != len(one.categories) - 1:
                continue
            low, high = (math.nan, math.nan) if ends is None else (
                float(ends.low[k]), float(ends.high[k]))  # fmt: skip
            found.append({
                "name": isolated(label_text(category)) if label is None else label,
                "value": float(one.prevalence[k]), "low": low, "high": high,
                "interval": (low, high), "other": float(given[k]),
            })  # fmt: skip
    return found


def _of_each(fitted: Fitted) -> list[str | None]:
    if not fitted.of_sets:
        return [None]
    return [isolated(label_text(one.question)) for one in fitted.singles]


def _moved(rows: list[dict[str, Any]], believes: bool) -> str:
    most = max(rows, key=lambda row: abs(row["value"] - row["other"]))
    if not believes:
        return (
            f"{quoted(most['name'])} is {percent(most['other'])} of the annotations and the label "
            f"of {percent(most['value'])} of the items"
        )
    if abs(most["value"] - most["other"]) < 0.005:
        return "Labels are believed to be as frequent as they are given"
    more = "rarer" if most["value"] < most["other"] else "more common"
    return (
        f"{quoted(most['name'])} is believed to be {more} ({percent(most['value'])} of the items) "
        f"than it is given ({percent(most['other'])})"
    )


# ---------------------------------------------------------------------- the least sure


def _least_sure(fits: Fits, fitted: Fitted) -> Table | None:
    shown = fitted.found
    open_ = (shown.confidence < SURE) | shown.tied
    at = fitted.least_sure(open_)[:MOST_ITEMS]
    if not len(at):
        return None
    items = fitted.part.found.items.named(fitted.positions[at])
    rows = tuple(
        {
            "item": str(item.item), "label": _label(fitted, i),
            "confidence": float(shown.confidence[i]), "next": _next(fitted, i),
            "labels": item.said(MOST_CODERS), "text": cut(item.text, 300) if item.text else "",
        }
        for i, item in zip(at.tolist(), items, strict=True)
    )  # fmt: skip
    columns = (
        Column("item", "item"),
        Column("label", "label"),
        Column("confidence", "probability" if fitted.believes else "share", "share"),
        *(
            (Column("next", "most open" if fitted.of_sets else "or else"),)
            if any(row["next"] for row in rows)
            else ()
        ),
        Column("labels", "who said what"),
        *((Column("text", "text"),) if any(row["text"] for row in rows) else ()),
    )
    n = int(open_.sum())
    kind = "least sure" if fitted.believes else "narrowest"
    notes = [f"The {kind} {len(rows)} of {count_of(n, 'item')} below {percent(SURE, 0)}."]
    notes += ["Have these annotated once more first: that is where another annotation tells most."]
    return Table(
        "The least sure labels" if fitted.believes else "The narrowest votes", columns, rows,
        tuple(notes), depth="detail" if len(rows) > MOST_ITEMS else "main",
    )  # fmt: skip


def _label(fitted: Fitted, i: int) -> str:
    shown = fitted.found
    if shown.tied[i]:
        return "a tie"
    if isinstance(shown, Posterior):
        return isolated(label_text(shown.categories[int(shown.codes[i])]))
    return isolated(label_text(shown.labels[i]))


def _next(fitted: Fitted, i: int) -> str:
    """The category that comes next, or those of a tie; of sets the labels that are open."""
    shown = fitted.found
    if not isinstance(shown, Posterior):
        p = shown.probabilities[i]
        k = int(np.argmin(np.abs(p - 0.5)))
        return f"{isolated(label_text(shown.categories[k]))} ({percent(float(p[k]), 0)})"
    p = shown.probabilities[i]
    order = np.argsort(-p, kind="stable")
    if shown.tied[i]:
        top = [k for k in order.tolist() if p[k] >= p.max() - 1e-9]
        return " or ".join(isolated(label_text(shown.categories[k])) for k in top[:4])
    if len(order) < 2 or p[order[1]] < 0.005:
        return ""
    k = int(order[1])
    return f"{isolated(label_text(shown.categories[k]))} ({percent(float(p[k]), 0)})"
