"""Tables of coders for `accordant fit --show`: who can be trusted, and who reads it otherwise."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from ..diagnosis.words import label_text, quoted
from ..errors import unknown
from ..models.coders.coders import Coders
from ..models.coders.verdicts import VERDICTS
from ..models.trust.coder_scores import CoderScores
from ..models.wording import INDEPENDENTLY, wording
from ..numbers import count_of, decimal, joined, level_text
from ..views.document import Column, Table
from .breakdown import Breakdown
from .fit_tables import Parts
from .fitted import Fitted
from .spoken import spoken

__all__ = ["coder_table", "coders", "confusion", "leaving_out", "matrix", "readings", "schools"]

URGENT = ("adversarial", "random", "constant", "school", "sloppy", "reliable", "few")
"""Verdicts in the order in which a reader must know them."""


Scored: TypeAlias = CoderScores | None
KNOWN = (
    Column("known_right", "right by known labels", "share"),
    Column("known_ends", "interval", "interval"), Column("n_known", "known", "count"),
)  # fmt: skip


BY_KNOWN = (
    "by known labels: share of the annotations of items with a known label that are right, however "
    "the model sees the coder"
)


def _columns(own: Coders, scored: Scored = None) -> tuple[Column, ...]:
    right = wording(own.posterior.model).right
    known = _is_known(own, scored)
    return (
        Column("coder", "coder"), Column("n_annotations", "annotations", "count"),
        Column("competence", right, "share"), Column("ends", "interval", "interval"),
        *(KNOWN if known else ()),
        Column("skill", "skill", "bits"), Column("skill_ends", "interval", "interval"),
        Column("said", "verdict"),
    )  # fmt: skip


def _is_known(own: Coders, scored: Scored) -> bool:
    return scored is not None or any(c.n_control for c in own.each)


def _meant(own: Coders) -> str:
    words = wording(own.posterior.model)
    return (
        f"{words.right}: {words.meant}; skill: kappa with {words.truth}, 0 is chance and below 0 "
        "the labels tell what is not true"
    )


def coders(found: Fitted) -> Parts:
    """Who can be trusted, and how far."""
    for one in found.each:
        for own in found.coders_of(one, None):
            scored = found.scored(own)
            rows = [r for r in _with_known(own, scored) if found.asked.of in (None, r["coder"])]
            if found.asked.of is not None and not rows:
                raise unknown("coder", found.asked.of, own.posterior.coders)
            yield (
                own.question,
                Breakdown(
                    rows, _columns(own, scored), _notes(own, scored), fewer=_for_readers(rows, own)
                ),
            )


def _with_known(own: Coders, scored: Scored) -> list[dict[str, Any]]:
    """The rows, with how right each coder is by known labels."""
    rows = own.to_rows()
    if scored is None:
        return rows
    return [
        row
        | {
            "n_known": one["n_known"], "known_right": one["accuracy"], "known_low": one["low"],
            "known_high": one["high"],
        }
        for row, one in zip(rows, scored.to_rows(), strict=True)
    ]  # fmt: skip


def coder_table(own: Coders, most: int, scored: Scored = None) -> Table:
    """The coders for the first page: all of a few, of many those to look at first."""
    rows = _for_readers(_with_known(own, scored), own)
    left = rows[most:]
    notes = _notes(own, scored)
    if left:
        kinds = Counter(row["verdict"] for row in left)
        words = [w for w in VERDICTS.values() if kinds[w]]
        each = joined(f"{kinds[w]:,} {w}" for w in words)
        notes = (f"and {count_of(len(left), 'more coder')} (--show coders): {each}", *notes)
    shown = rows[:most] if left else sorted(rows, key=_by_skill)
    return Table("", _columns(own, scored), tuple(shown), notes)


def _for_readers(rows: Sequence[Mapping[str, Any]], own: Coders) -> list[dict[str, Any]]:
    """Rows with intervals and a verdict in words, those to look at first in front."""
    place = {words: URGENT.index(verdict) for verdict, words in VERDICTS.items()}
    said = [
        {
            **row,
            "ends": (row["low"], row["high"]),
            "skill_ends": (row["skill_low"], row["skill_high"]),
            **_known(row),
            "said": row["verdict"] + _leans(row) + _school(row),
        }
        for row in rows
    ]
    return sorted(
        said, key=lambda row: (place[row["verdict"]], -row["n_annotations"], _by_skill(row))
    )


def _known(row: Mapping[str, Any]) -> dict[str, Any]:
    """By labels to score by, else by control items."""
    if "n_known" in row:
        return {"known_ends": (row["known_low"], row["known_high"])}
    return {
        "n_known": row["n_control"],
        "known_right": row["accuracy"],
        "known_ends": (row["accuracy_low"], row["accuracy_high"]),
    }


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


def _notes(own: Coders, scored: Scored = None) -> tuple[str, ...]:
    methods = dict.fromkeys(c.method for c in own.each)
    return (
        _meant(own),
        *((BY_KNOWN,) if _is_known(own, scored) else ()),
        f"{level_text(own.level)} intervals: {'; '.join(methods)}",
        *(
            (INDEPENDENTLY,)
            if own.posterior.model.probabilistic and not own.posterior.withheld
            else ()
        ),
    )


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
        Column("true", f"{wording(own.posterior.model).is_true} ↓ {coder} →"),
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
