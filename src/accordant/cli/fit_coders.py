"""Tables of coders for `accordant fit --show`: who can be trusted, and who reads it otherwise."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from ..diagnosis.words import label_text, quoted
from ..errors import unknown
from ..measure.numbers import count_of, decimal, joined, level_text
from ..models.coders.coders import Coders
from ..models.coders.verdicts import VERDICTS
from ..reports.document import Column, Table
from .breakdown import Breakdown
from .fit_tables import Parts
from .fitted import Fitted
from .terminal import spoken

__all__ = ["coder_table", "coders", "confusion", "leaving_out", "matrix", "readings", "schools"]

URGENT = ("adversarial", "random", "constant", "school", "sloppy", "few", "reliable")
"""Verdicts in the order in which a reader must know them."""

COLUMNS = (
    Column("coder", "coder"), Column("n_annotations", "annotations", "count"),
    Column("competence", "right", "share"), Column("ends", "interval", "interval"),
    Column("skill", "skill", "bits"), Column("skill_ends", "interval", "interval"),
    Column("said", "verdict"),
)  # fmt: skip
MEANT = (
    "right: probability of a right label; skill: kappa with the truth, 0 is chance and below 0 the "
    "labels tell what is not true"
)


def coders(found: Fitted) -> Parts:
    """Who can be trusted, and how far."""
    for one in found.each:
        for own in found.coders_of(one, None):
            rows = [r for r in own.to_rows() if found.asked.of in (None, r["coder"])]
            if found.asked.of is not None and not rows:
                raise unknown("coder", found.asked.of, own.posterior.coders)
            yield own.question, Breakdown(rows, COLUMNS, _notes(own), fewer=_for_readers(rows, own))


def coder_table(own: Coders, most: int) -> Table:
    """The coders for the first page: all of a few, of many those to look at first."""
    rows = _for_readers(own.to_rows(), own)
    left = rows[most:]
    notes = _notes(own)
    if left:
        kinds = Counter(row["verdict"] for row in left)
        words = [w for w in VERDICTS.values() if kinds[w]]
        each = joined(f"{kinds[w]:,} {w}" for w in words)
        notes = (f"and {count_of(len(left), 'more coder')} (--show coders): {each}", *notes)
    shown = rows[:most] if left else sorted(rows, key=_by_skill)
    return Table("", COLUMNS, tuple(shown), notes)


def _for_readers(rows: Sequence[Mapping[str, Any]], own: Coders) -> list[dict[str, Any]]:
    """Rows with intervals and a verdict in words, those to look at first in front."""
    place = {words: URGENT.index(verdict) for verdict, words in VERDICTS.items()}
    said = [
        {
            **row,
            "ends": (row["low"], row["high"]),
            "skill_ends": (row["skill_low"], row["skill_high"]),
            "said": row["verdict"] + _leans(row) + _school(row),
        }
        for row in rows
    ]
    return sorted(said, key=lambda row: (place[row["verdict"]], _by_skill(row)))


def _leans(row: Mapping[str, Any]) -> str:
    if row["overused"] is None:
        return ""
    return f", {quoted(row['overused'])} {decimal(row['overuse'], 1)} times too often"


def _school(row: Mapping[str, Any]) -> str:
    return "" if row["school"] is None else f", school {row['school']}"


def _by_skill(row: Mapping[str, Any]) -> tuple[bool, float, str]:
    """The most skilled first, undefined last."""
    undefined = math.isnan(row["skill"])
    return undefined, 0.0 if undefined else -row["skill"], str(row["coder"])


def _notes(own: Coders) -> tuple[str, ...]:
    methods = dict.fromkeys(c.method for c in own.each)
    return (MEANT, f"{level_text(own.level)} intervals: {'; '.join(methods)}")


# ------------------------------------------------------------------ what they answer


def confusion(found: Fitted) -> Parts:
    """What each coder answers to what is true."""
    columns = (
        Column("coder", "coder"), Column("true", "true"), Column("answer", "answer"),
        Column("probability", "probability", "share"), Column("ends", "interval", "interval"),
        Column("n", "annotations", "count"),
    )  # fmt: skip
    for own in found.coders:
        rows = [row for name in _chosen(found, own) for row in own.confusion_of(name)]
        said = [row | _texts(row) for row in rows]
        notes = ("annotations: as many as the model expects, since the truth is not known",)
        yield own.question, Breakdown(rows, columns, notes, fewer=said)


def matrix(own: Coders, coder: str) -> Table:
    """The confusion of a coder with a row for each true category."""
    rows = own.confusion_of(coder)
    answers = list(dict.fromkeys(label_text(row["answer"]) for row in rows))
    lines: dict[str, dict[str, Any]] = {}
    for row in rows:
        line = lines.setdefault(label_text(row["true"]), {"true": label_text(row["true"]), "n": 0})
        line[f"of {label_text(row['answer'])}"] = row["probability"]
        line["n"] += row["n"]
    columns = (
        Column("true", f"true ↓ {coder} →"),
        *(Column(f"of {name}", name, "share") for name in answers),
        Column("n", "annotations", "count"),
    )
    return Table("", columns, tuple(lines.values()))


def _chosen(found: Fitted, own: Coders) -> tuple[str, ...]:
    of = found.asked.of
    if of is not None and of not in own.posterior.coders:
        raise unknown("coder", of, own.posterior.coders)
    return own.posterior.coders if of is None else (of,)


def _texts(row: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "true": label_text(row["true"]),
        "answer": label_text(row["answer"]),
        "ends": (row["low"], row["high"]),
    }


# ------------------------------------------------------------------ what hangs on them, schools


def leaving_out(found: Fitted) -> Parts:
    """What hangs on each coder: labels and alpha without one after the other."""
    columns = (
        Column("coder", "without"), Column("n_annotations", "annotations", "count"),
        Column("changed", "other labels", "count"), Column("tied", "ties", "count"),
        Column("lost", "lost", "count"), Column("share", "of all", "share"),
        Column("alpha", "α", "value"), Column("rise", "change", "value"),
    )  # fmt: skip
    for one in found.each:
        for own in found.coders_of(one, None):
            left = own.leaving_out
            bounded = left.bounded
            notes = (f"α with all: {decimal(left.alpha)}", *((bounded,) if bounded else ()))
            yield own.question, Breakdown(left.to_rows(), columns, notes)


def schools(found: Fitted) -> Parts:
    """Coders who share a reading that a model with one truth takes for error."""
    columns = (
        Column("school", "school", "count"), Column("coders", "coders"),
        Column("kappa_within", "κ within", "value"),
        Column("kappa_between", "κ with others", "value"),
        Column("competence", "taken to be right", "share"),
        Column("against", "labels against it", "share"),
    )  # fmt: skip
    for own in found.coders:
        made = own.schools
        told = made.finding
        why = str(made) if told is None else spoken(str(told))
        yield own.question, Breakdown(made.to_rows(), columns, (why,))


def readings(found: Fitted) -> Parts:
    """The items that schools of coders label differently."""
    for own in found.coders:
        made = own.schools
        names = [f"school_{g + 1}" for g in range(len(made.names))]
        rows = [
            row
            for row in made.side_by_side()
            if len({label_text(row[name]) for name in names if row[name] is not None}) > 1
        ]
        columns = (
            Column("item", "item"), Column("label", "label"),
            *(Column(name, name.replace("_", " ")) for name in names),
        )  # fmt: skip
        said = [{k: _text(k, x) for k, x in row.items()} for row in rows]
        why = () if made else (f"no schools: {made.reason}",)
        yield own.question, Breakdown(rows, columns, why, fewer=said)


def _text(key: str, x: Any) -> Any:
    return x if key == "item" else "(tied)" if x is None else label_text(x)
